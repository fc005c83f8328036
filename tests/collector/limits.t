#!/bin/sh
# SPDX-License-Identifier: MIT
# Bodies that are too long, too slow, cut off or ambiguous; clients that hold connections.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"

need_tool curl jq
collector_start --max-bytes 100000 --timeout 2 --max-connections 40 --max-per-address 20
report "$ID" complete good 30000 >"$T_TMP/good"
size=$(wc -c <"$T_TMP/good")
# nothing_stored WHAT: no report is there, nor any trace of one.
nothing_stored() {
	is "$(stored 'SELECT count(*) FROM report')" 0 "$1: nothing is stored"
}

# size: exactly the limit is taken, one byte more is not
{
	report "$ID" complete
	head -c 100000 /dev/zero | tr '\0' ' '
} | head -c 100000 >"$T_TMP/limit"
{
	cat "$T_TMP/limit"
	echo
} >"$T_TMP/over"
put "$T_TMP/over"
refused 413 "one byte over the limit"
put "$T_TMP/over" "$ID" -H 'Transfer-Encoding: chunked'
refused 413 "the same in chunks"
nothing_stored "too long"
head -c 60000000 /dev/zero >"$T_TMP/huge"
answers=
for _ in 1 2 3 4 5; do
	put "$T_TMP/huge" "$ID" -H 'Expect:'
	answers="$answers $status"
done
is "$answers" " 413 413 413 413 413" "60 MB are refused with the reason each time"
like "$(cat "$collector_log")" ' 413 in=0 .*60000000 bytes' "and none of them was read"
put "$T_TMP/huge" "$ID" -H 'Expect: 100-continue'
refused 413 "a client that waits for 100 Continue"
put "$T_TMP/huge" "$ID" -H 'Transfer-Encoding: chunked' -H 'Expect:'
case $status in
413 | 000) pass "60 MB in chunks are not taken" ;;
*) fail "60 MB in chunks are not taken" "$status" ;;
esac
answer=$(peer "$(put_head "$ID" 'Content-Length: 18446744073709551617')" read)
like "$answer" '^HTTP/1.1 4' "a length beyond 64 bits"
nothing_stored "huge"

# cut off
peer "$(put_head "$ID" "Content-Length: $size")" fill=100 reset
peer "$(put_head "$ID" "Content-Length: $((size + 1))")" "file=$T_TMP/good" half read \
	>"$T_TMP/answer"
unlike "$(cat "$T_TMP/answer")" '^HTTP/1.1 2' "a body one byte short"
peer "$(put_head "$ID" "Content-Length: $size")" "file=$T_TMP/good" reset
peer "$(put_head "$ID" 'Transfer-Encoding: chunked')" "send=10\\r\\n" fill=16 "send=\\r\\n" reset
peer "$(put_head "$ID" 'Transfer-Encoding: chunked')" "send=zz\\r\\n" read >"$T_TMP/answer" || :
unlike "$(cat "$T_TMP/answer")" '^HTTP/1.1 2' "chunks that are none"
wait_for 5 grep -q 'cut off' "$collector_log" || :
like "$(cat "$collector_log")" 'cut off$' "the log says that requests were cut off"
is "$(stored "SELECT count(*) FROM report WHERE length(body) <> $size")" 0 \
	"no truncated report is stored"
put "$T_TMP/good"
[ "$status" = 200 ] && status=201 # the whole body followed by a reset may have been stored
answered 201 "the whole report after all the cut ones"

# Two readings of one length, as proxies and servers differ in: never taken. The body is not even
# sent, so that the answer is not lost to a reset.
report "$(new_id 1)" complete >"$T_TMP/two"
two="Content-Length: $(wc -c <"$T_TMP/two")"
for lengths in "Content-Length: 5\\r\\n$two" "$two\\r\\n$two" \
	"$two\\r\\nTransfer-Encoding: chunked"; do
	answer=$(peer "$(put_head "$ID" "$lengths")" read)
	like "$answer" '^HTTP/1.1 400' "refused: $lengths"
	# libmicrohttpd 1.0 sees some of these itself and has its own words
	like "$answer" 'in more than one way|Content-Length|Transfer-Encoding' "for that reason"
done
for length in -1 0x10 "5, 5" "${two#*: } x" ''; do
	answer=$(peer "$(put_head "$ID" "Content-Length: $length")" "file=$T_TMP/two" half read)
	unlike "$answer" '^HTTP/1.1 2' "refused: a length of '$length'"
done

# no HTTP at all
for text in "\\x16\\x03\\x01\\x02\\x00\\x01\\x00" "GET\\r\\n\\r\\n" "\\r\\n\\r\\n\\r\\n" \
	"GET / HTTP/9.9\\r\\n\\r\\n" "GET /v1/reports HTTP/1.1\\r\\n\\r\\n" \
	"PUT / HTTP/1.1\\r\\nHost x\\r\\n\\r\\n"; do
	answer=$(peer "send=$text" half read)
	unlike "$answer" '^HTTP/1.1 2' "refused: $text"
done
answer=$(peer "send=GET /v1/reports HTTP/1.1\\r\\nX: " fill=200000 half read) || :
unlike "$answer" '^HTTP/1.1 2' "an endless header"

# slow clients: silent ones and dripping ones both lose their place
began=$(t_now_ms)
peer read >/dev/null
peer "send=GET /v1/rep" read >/dev/null
le $(($(t_now_ms) - began)) 9000 "a silent client is let go"
began=$(t_now_ms)
peer "send=GET /healthz HTTP/1.1\\r\\nX: " drip=100:0.3 >"$T_TMP/answer"
like "$(cat "$T_TMP/answer")" closed "a client that drips a header is let go"
le $(($(t_now_ms) - began)) 9000 "in time"

# many connections from one address: the collector stays reachable for whoever comes in turn
peer hold=25 "send=GET /healthz" read >"$T_TMP/held" 2>&1 &
held=$!
wait_for 10 grep -q held "$T_TMP/held" || :
ask_bare GET /healthz
answered 000 "one address cannot take more than its connections"
wait "$held" || :
ask_bare GET /healthz
answered 200 "and is served again once they are let go"
is "$(ps -o stat= -p "$collector_pid" | cut -c 1)" S "the collector is well"
done_testing
