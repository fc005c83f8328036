# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # its variables are used by tests, or set by tests/lib.sh
# A collector on loopback and requests to it; source it after tests/lib.sh.

TOKEN=correct-horse-battery-staple
ID=01234567-89ab-4def-8123-456789abcdef

# collector_start [FLAG...]: starts it with the test's database and token. Leaves $collector_pid,
# $collector_log (its output) and $url. A second start in the same test finds the same database.
collector_start() {
	printf '%s\n' "$TOKEN" >"$T_TMP/token"
	need_file "$OUT/collector"
	start "$OUT/collector" --listen 127.0.0.1:0 --db "$T_TMP/reports.db" \
		--token-file "$T_TMP/token" "$@"
	collector_pid=$pid
	collector_log=$log
	collector_ready
}

# collector_ready: waits until the collector that was started last listens; leaves $url.
collector_ready() {
	wait_for 10 grep -q 'listening on' "$log" ||
		bail "the collector does not start: $(cat "$log")"
	url=$(sed -n 's/^collector: listening on //p' "$log")
}

# peer STEP...: a client of the collector that does exactly this; see peer.py.
peer() {
	/usr/bin/python3 "$ROOT/tests/collector/peer.py" "${url##*:}" "$@"
}

# put_head ID HEADER: the head of a PUT with the token and one more header, as a step of peer.
put_head() {
	printf 'send=PUT /v1/reports/%s HTTP/1.1\\r\\nHost: x\\r\\n' "$1"
	printf 'Authorization: Bearer %s\\r\\n%s\\r\\n\\r\\n' "$TOKEN" "$2"
}

# ask METHOD PATH [CURL-ARGUMENT...]: one request with the token. Leaves $status (000: no answer),
# the answer's head in $T_TMP/head and its body in $T_TMP/body.
ask() {
	ask_method=$1
	ask_path=$2
	shift 2
	ask_bare "$ask_method" "$ask_path" -H "Authorization: Bearer $TOKEN" "$@"
}

# ask_bare METHOD PATH [CURL-ARGUMENT...]: the same without the token.
ask_bare() {
	ask_method=$1
	ask_path=$2
	shift 2
	: >"$T_TMP/head"
	: >"$T_TMP/body"
	case $ask_method in
	HEAD) set -- -I "$@" ;;
	*) set -- -X "$ask_method" "$@" ;;
	esac
	status=$(curl -sg --path-as-is --max-time 20 -o "$T_TMP/body" -D "$T_TMP/head" \
		-w '%{http_code}' "$@" \
		"$url$ask_path") || :
}

# put FILE [ID [CURL-ARGUMENT...]]: sends a file as report; the answer as with ask.
put() {
	put_file=$1
	put_id=${2:-$ID}
	shift
	[ $# -eq 0 ] || shift
	ask PUT "/v1/reports/$put_id" -H 'Content-Type: application/json' \
		--data-binary "@$put_file" "$@"
}

# answered STATUS WHAT: the last request's status.
answered() {
	if [ "$status" = "$1" ]; then
		pass "$2: $1"
	else
		fail "$2: $1" "got: $status" "
$(head -c 400 "$T_TMP/body")"
	fi
}

# refused STATUS WHAT: the same for an error, which says what is wrong and what to do, as JSON.
refused() {
	answered "$1" "$2"
	ok "$2: says what is wrong and what to do" \
		jq -e '(.error | length > 5) and (.hint | length > 5)' "$T_TMP/body"
}

# report ID STATE [LABEL [BYTES]]: prints a small report, padded with BYTES of random text.
report() {
	printf '{ "schema": "bootmark/1", "run": {"id": "%s",\n "state": "%s", "label": "%s"},' \
		"$1" "$2" "${3-}"
	printf '\t"machine": {"product": "PowerEdge R720"}, "disks": [{}, {}, {}],\r\n'
	printf ' "pad": "%s"}\n' "$(head -c "${4:-0}" /dev/urandom | od -An -v -tx1 | tr -d ' \n')"
}

# new_id N: a run id that differs with each number.
new_id() {
	printf '00000000-0000-4000-8000-%012d' "$1"
}

# stored SQL: what the database says, beside the collector.
stored() {
	/usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True).execute(sys.argv[2]):
	print(*row)' "$T_TMP/reports.db" "$1"
}
