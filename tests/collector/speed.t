#!/bin/sh
# SPDX-License-Identifier: MIT
# /v1/speed sends and takes what was asked for, for those with the token alone, and never without
# end.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"

need_tool curl jq gzip
collector_start --max-bytes 100000 --timeout 2 --max-speed 2

# sending
ask GET '/v1/speed?bytes=3000001'
answered 200 "3,000,001 bytes"
is "$(wc -c <"$T_TMP/body")" 3000001 "come"
like "$(cat "$T_TMP/head")" '^[Cc]ontent-[Ll]ength: 3000001' "and are announced"
like "$(cat "$T_TMP/head")" 'no-transform' "not to be touched on the way"
ge "$(gzip -1 <"$T_TMP/body" | wc -c)" 3000000 "and cannot be made smaller"
ask GET '/v1/speed?bytes=1'
is "$status $(wc -c <"$T_TMP/body")" "200 1" "one byte"
ask HEAD '/v1/speed?bytes=1000'
answered 200 "HEAD"
for bytes in 0 -1 1e3 0x10 1073741825 99999999999999999999 '5%20' ''; do
	ask GET "/v1/speed?bytes=$bytes"
	refused 400 "bytes=$bytes"
done
ask GET /v1/speed
refused 400 "no number of bytes"

# taking: more than a report may have, with a length and in chunks
head -c 2000000 /dev/urandom >"$T_TMP/two"
ask PUT /v1/speed --data-binary "@$T_TMP/two"
answered 200 "a body is taken"
ok "and counted" jq -e '.bytes == 2000000 and .ns > 0' "$T_TMP/body"
ask PUT /v1/speed --data-binary "@$T_TMP/two" -H 'Transfer-Encoding: chunked'
ok "also in chunks" jq -e '.bytes == 2000000' "$T_TMP/body"
ask PUT /v1/speed --data-binary ''
ok "an empty one" jq -e '.bytes == 0 and .ns == 0' "$T_TMP/body"
is "$(stored 'SELECT count(*) FROM report')" 0 "nothing of it is kept"

# who may, and how
ask_bare GET '/v1/speed?bytes=100'
refused 401 "no token"
ask_bare PUT /v1/speed --data-binary "@$T_TMP/two" -H 'Authorization: Bearer wrong'
refused 401 "a wrong token"
for method in POST DELETE; do
	ask "$method" /v1/speed --data-binary x
	refused 405 "$method"
done
ask GET '/v1/speed/x?bytes=1'
refused 404 "nothing lies below it"
answer=$(peer "send=PUT /v1/speed HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer $TOKEN\\r\\n" \
	"send=Content-Length: 1073741825\\r\\n\\r\\n" read)
like "$answer" '^HTTP/1.1 413' "more than the limit is refused before it is sent"

# two at a time: those who hold their places do so for a bounded time, and others are told
hold() {
	peer "send=GET /v1/speed?bytes=1073741824 HTTP/1.1\\r\\nHost: x\\r\\n" \
		"send=Authorization: Bearer $TOKEN\\r\\n\\r\\n" pause=6 reset
}
hold &
first=$!
hold &
second=$!
# shellcheck disable=SC2317 # called by wait_for
busy() {
	ask GET '/v1/speed?bytes=1'
	[ "$status" = 503 ]
}
wait_for 5 busy || :
refused 503 "a third speed test"
like "$(cat "$T_TMP/head")" '^[Rr]etry-[Aa]fter: 2' "which may come back"
ask PUT /v1/speed --data-binary "@$T_TMP/two" -H 'Expect: 100-continue'
refused 503 "also one that sends, before it has sent"
report "$ID" complete >"$T_TMP/good"
put "$T_TMP/good"
answered 201 "reports are taken meanwhile"
# shellcheck disable=SC2317 # the same
idle() {
	ask GET '/v1/speed?bytes=1'
	[ "$status" = 200 ]
}
ok "whoever takes nothing loses the place" wait_for 20 idle
wait "$first" "$second" || :
like "$(cat "$collector_log")" 'GET /v1/speed 200' "the log tells of speed tests"
unlike "$(cat "$collector_log")" "$TOKEN" "and not of the token"

stop "$collector_pid"
collector_start --max-speed 0
ask GET '/v1/speed?bytes=1'
refused 404 "--max-speed 0: there is no such address"
ask GET /v1/reports
answered 200 "and all else is as before"
done_testing
