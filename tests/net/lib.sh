# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # its variables are used by tests, or set by tests/lib.sh
# Two machines of network namespaces, joined by one cable; source it after tests/lib.sh.
#
# The client has 192.0.2.1 and 2001:db8::1, the server 192.0.2.2 and 2001:db8::2; each is the
# other's gateway. $T_TMP/hosts and $T_TMP/resolv.conf are the client's files of these names.

CLIENT=bmc$$
SERVER=bms$$
PYTHON=/usr/bin/python3

# network_up: makes both; skips the whole test where that is not allowed.
network_up() {
	need_root
	need_tool ip tc jq
	# shellcheck disable=SC2016 # evaluated at exit
	at_exit 'ip netns del "$CLIENT" 2>/dev/null; ip netns del "$SERVER" 2>/dev/null'
	for network_side in "$CLIENT" "$SERVER"; do
		ip netns add "$network_side" 2>/dev/null || skip_all "needs network namespaces"
	done
	ip -n "$CLIENT" link add eth0 type veth peer name eth0 netns "$SERVER" ||
		skip_all "needs veth"
	for network_side in "$CLIENT 1 2" "$SERVER 2 1"; do
		# shellcheck disable=SC2086 # three words
		network_configure $network_side
	done
	printf '127.0.0.1 localhost\n' >"$T_TMP/hosts"
	: >"$T_TMP/resolv.conf"
}

network_configure() {
	ip -n "$1" link set lo up
	ip -n "$1" link set eth0 up
	ip -n "$1" addr add "192.0.2.$2/24" dev eth0
	ip -n "$1" addr add "2001:db8::$2/64" dev eth0 nodad
	ip -n "$1" route add default via "192.0.2.$3"
	ip -n "$1" route add default via "2001:db8::$3"
}

# shape MBIT: the cable carries so many Mbit/s in each direction.
shape() {
	for network_side in "$CLIENT" "$SERVER"; do
		ip netns exec "$network_side" tc qdisc replace dev eth0 root tbf \
			rate "${1}mbit" burst 64kb latency 50ms || skip_all "needs the qdisc tbf"
	done
}

# payload PERCENT MBIT: bytes per second of TCP's payload in so many percent of that rate: 1448 of
# each 1514 bytes on the wire.
payload() {
	echo $(($2 * 125000 * 1448 * $1 / 151400))
}

# serve COMMAND...: starts it on the server's side.
serve() {
	start ip netns exec "$SERVER" "$@"
}

# serve_scripted ADDRESS PORT: server.py; what it was asked is in $T_TMP/asked.
serve_scripted() {
	serve "$PYTHON" "$ROOT/tests/net/server.py" "$1" "$2" "$T_TMP/asked"
	wait_for 10 grep -q listening "$log" || bail "the server does not start: $(cat "$log")"
}

# measure [FLAG...]: bench run of the tests of the network on the client's side. Leaves its output
# in $T_TMP/out/said, the report in $T_TMP/out/report.json.
measure() {
	rm -rf "$T_TMP/out"
	mkdir "$T_TMP/out"
	# shellcheck disable=SC2016 # the inner shell's own
	ip netns exec "$CLIENT" unshare -m sh -c '
		mount --bind "$1/hosts" /etc/hosts || exit 1
		mount --bind "$1/resolv.conf" /etc/resolv.conf || exit 1
		shift
		exec "$@"' sh "$T_TMP" "$OUT/bench" run --profile quick --tests network \
		--out "$T_TMP/out" "$@" >"$T_TMP/out/said" 2>&1 </dev/null || :
	[ -s "$T_TMP/out/report.json" ] || bail "no report: $(cat "$T_TMP/out/said")"
}

# result TARGET JQ: what the JQ program makes of the target's result.
result() {
	jq -r --arg target "$1" ".results[] | select(.target == \$target) | $2" \
		"$T_TMP/out/report.json"
}

# metric TARGET NAME: a metric's value, rounded; nothing where there is none.
metric() {
	result "$1" ".metrics[]? | select(.name == \"$2\") | .value | round"
}

# ended TARGET STATUS ERE WHAT: how a target's test ended, and its reason.
ended() {
	like "$(result "$1" '.status + ": " + (.reason // "")')" "^$2: .*$3" "$4"
}

# fine TARGET WHAT: it ended well, and there is no reason to tell.
fine() {
	is "$(result "$1" '.status + ": " + (.reason // "")')" "ok: " "$2"
}

# marked TARGET: the words of its marks.
marked() {
	result "$1" '[.marks[]?.word] | join(" ")'
}

# within GOT LEAST MOST WHAT: a whole number between two others.
within() {
	if [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; then
		pass "$4"
	else
		fail "$4" "got: '$1', want: $2 to $3"
	fi
}
