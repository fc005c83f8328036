#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever a network or a server does: each result ends in its time, with a reason in plain words.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/net/lib.sh
. "$ROOT/tests/net/lib.sh"

need_file "$OUT/bench" "$OUT/collector"
network_up
shape 400
serve_scripted 192.0.2.2 8000
serve_scripted 2001:db8::2 8000
{
	printf '192.0.2.2 four.test both.test half.test\n2001:db8::2 six.test both.test\n'
	printf '2001:db8::99 half.test\n'
} >>"$T_TMP/hosts"

# misbehaving servers, all in one list
{
	printf '# what they do\tand where\n\n'
	for path in fine slow small empty stall silent close reset short headers garbage 404 401 \
		once loop file; do
		printf '%s\thttp://four.test:8000/%s\n' "$path" "$path"
	done
	printf 'six\thttp://six.test:8000/fine\nboth\thttp://both.test:8000/fine\n'
	printf 'half\thttp://half.test:8000/fine\n'
	printf 'refused\thttp://192.0.2.2:9/\nno-tls\thttps://192.0.2.2:8000/fine\n'
	printf 'nobody\thttp://nobody.test/\n'
	printf 'bad line\nworse\tftp://four.test/\n'
} >"$T_TMP/nodes"
measure --nodes "$T_TMP/nodes" --token secret-token --budget 2
fine fine "a good server"
within "$(metric fine download_ipv4)" 8500000 11000000 "10 MB a second, over and over"
is "$(marked fine)" "" "without any doubt"
fine slow "a server that waits"
within "$(metric fine ttfb_ipv4)" 1 200000000 "whose first byte is there at once"
ended small failed '16 bytes are too few' "16 bytes are no rate"
ended empty failed 'the answer is empty' "an empty file"
fine stall "a server that stalls has given something"
is "$(marked stall)" stalled "and is marked"
ended silent failed 'no answer in time' "a silent server"
ended close failed 'closed without an answer|Empty reply' "one that hangs up"
ended reset failed 'download: .*(reset|broke)' "one that resets in the middle"
ended short failed 'download: .*(cut off|missing|remaining)' "one that ends too early"
ended headers failed 'the head of the answer has no end' "a head without end"
ended garbage failed '(no HTTP|HTTP/0.9)' "no HTTP"
ended 404 failed 'HTTP 404$' "404, without its page"
ended 401 failed 'HTTP 401: not for.*you at all$' "an error in JSON, cleaned"
fine once "one redirect is followed"
ended loop failed 'more than 3 redirects' "but not for ever"
ended file failed 'HTTP 302' "and not to files"
fine six "a name with IPv6 alone"
within "$(metric six download_ipv6)" 8500000 11000000 "measured over IPv6"
is "$(metric six dns_ipv4) $(marked six)" " " "and nothing of IPv4"
is "$(result both '[.metrics[].name | select(test("^download_ipv"))] | sort | join(" ")')" \
	"download_ipv4 download_ipv6" "both families"
fine half "a dead address of one family"
is "$(marked half)" no-ipv6 "is marked"
like "$(result half '.marks[0].text')" 'no connection to 2001:db8::99: ' "with its reason"
ended refused failed 'no connection to 192.0.2.2: Connection refused$' "nobody listens"
ended no-tls failed '(TLS|SSL|handshake)' "no TLS"
ended nobody failed 'DNS: ' "no such name"
for target in fine slow stall silent; do
	within "$(result $target '.elapsed_ns / 1000000 | round')" 1 2100 "$target: within its time"
done
is "$(jq '[.results[] | select(.status == "ok" and (.metrics | length) == 0)] | length' \
	"$T_TMP/out/report.json")" 0 "nothing is fine without a number"
is "$(jq -c '[.results[] | select(.test == "net-node") | .target as $target | .metrics[]? |
	select(.value == 0) | [$target, .name]]' "$T_TMP/out/report.json")" "[]" "no number is 0"
notes=$(jq -c .notes "$T_TMP/out/report.json")
like "$notes" 'line 25: no tab between name and address' "bad lines are told"
like "$notes" 'line 26: an address begins with http' "with the reason"
unlike "$(cat "$T_TMP/asked")" 'Authorization|secret-token' "the token went to none of them"
like "$(cat "$T_TMP/asked")" '^User-Agent: bootmark' "what they see is the program's name"

# a server that takes its time, each time: the best of three is its own time
measure --nodes slow=http://four.test:8000/slow --budget 6
within "$(result slow '.metrics[] | select(.name == "ttfb_ipv4") | .samples.min')" \
	300000000 330000000 "300 ms to the first byte"

# nodes that take something, too
{
	printf 'sink\thttp://four.test:8000/fine\thttp://four.test:8000/sink\n'
	printf 'full\thttp://four.test:8000/fine\thttp://four.test:8000/full\n'
} >"$T_TMP/nodes"
shape 80
measure --nodes "$T_TMP/nodes" --budget 3
shape 400
fine sink "a node with an address to send to"
within "$(metric sink upload_steady_ipv4)" "$(payload 90 80)" "$(payload 110 80)" \
	"an upload at 80 Mbit/s"
is "$(marked sink)" "" "without any doubt"
fine full "one that refuses"
is "$(marked full)" no-upload "is marked"
like "$(result full '.marks[0].text')" 'HTTP 507: not for' "with its reason"

# servers of option upload
: >"$T_TMP/asked"
measure --upload 'http://four.test:8000/put/here?sig=abc' --token secret-token --budget 2
ended four.test:8000 ok 'has no /v1/speed: only its latency' "no collector: latency alone"
within "$(metric four.test:8000 ttfb_ipv4)" 1 200000000 "which is told"
unlike "$(cat "$T_TMP/asked")" 'secret|sig=' "no token and no query go to its root"
like "$(cat "$T_TMP/asked")" '^HEAD / HTTP/1.1' "which is asked for its head"
measure --upload http://four.test:8000/v1/reports --token secret-token --budget 2
ended four.test:8000 ok 'has no /v1/speed' "a collector without it"
like "$(cat "$T_TMP/asked")" '^Authorization: Bearer secret-token' "a collector gets the token"
: >"$T_TMP/asked"
measure --upload http://renter:pass@four.test:8000/v1/reports --token secret-token --budget 2
unlike "$(cat "$T_TMP/asked")" 'secret-token' "but not one with its own user"
unlike "$(cat "$T_TMP/out/report.json")" 'renter|pass@' "who is not told"
printf 'right\n' >"$T_TMP/token"
serve "$OUT/collector" --listen '[::]:8080' --db "$T_TMP/reports.db" --token-file "$T_TMP/token" \
	--max-speed 1
wait_for 10 grep -q 'listening on' "$log" || bail "$(cat "$log")"
measure --upload http://four.test:8080/v1/reports --token wrong --budget 2
ended four.test:8080 failed 'HTTP 401: the token is missing or wrong' "a wrong token"
measure --upload http://four.test:8080/v1/reports --token right --budget 4
fine four.test:8080 "one transfer at a time"
is "$(marked four.test:8080)" no-parallel "leaves no room for four"
like "$(result four.test:8080 '.marks[0].text')" 'HTTP 503: 1 speed tests run already' "says why"

# name servers that are dead, networks that are none
printf 'nameserver 192.0.2.2\n' >"$T_TMP/resolv.conf"
measure --nodes http://elsewhere.test/ --budget 2
ended elsewhere.test failed 'DNS: ' "no name server"
ip -n "$CLIENT" route del default
ip -n "$CLIENT" -6 route del default
measure --nodes http://198.51.100.1/ --budget 2
ended 198.51.100.1 failed 'eth0: no IPv4 default route' "no route"
ip -n "$CLIENT" addr flush dev eth0
measure --nodes http://192.0.2.2:8000/fine --budget 2
ended 192.0.2.2 failed 'eth0: no IPv4 address' "no address"
ip -n "$SERVER" link set eth0 down
measure --nodes http://four.test:8000/fine --budget 2
ended four.test failed 'eth0: no link' "no link"
ip -n "$CLIENT" link del eth0
measure --nodes http://four.test:8000/fine --budget 2
ended four.test failed 'no network interface' "no interface"

# what nobody asked for
measure
is "$(jq -r '.results[] | select(.test != "net-link") | .test + ": " + .status + ": " + .reason' \
	"$T_TMP/out/report.json")" "net-collector: skipped: option upload names no address
net-node: skipped: option nodes names no server" "without upload and nodes nothing is sent"
done_testing
