#!/bin/sh
# SPDX-License-Identifier: MIT
# What the collector does not take, and that each refusal stores nothing and leaves it well.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"

need_tool curl jq
# shellcheck disable=SC2119 # its arguments are flags, not this test's
collector_start
report "$ID" complete good >"$T_TMP/good"

# the token
wrong=0
taken=
for header in "Bearer" "Bearer " "Bearer ${TOKEN}x" "Bearer ${TOKEN%?}" "Bearer ${TOKEN%?}x" \
	"Bearer x${TOKEN#?}" "Basic $TOKEN" "$TOKEN" "Bearer $TOKEN $TOKEN" "Bearer,$TOKEN"; do
	for path in "/v1/reports/$ID" /v1/reports; do
		ask_bare GET "$path" -H "Authorization: $header"
		[ "$status" = 401 ] || taken="$taken GET $path with $header: $status;"
		wrong=$((wrong + 1))
	done
	ask_bare PUT "/v1/reports/$ID" -H "Authorization: $header" --data-binary "@$T_TMP/good"
	[ "$status" = 401 ] || taken="$taken PUT with $header: $status;"
	ask_bare POST /v1/reports -H "Authorization: $header" --data-binary "@$T_TMP/good"
	[ "$status" = 401 ] || taken="$taken POST with $header: $status;"
done
is "$wrong$taken" 20 "every wrong token is refused everywhere"
ask_bare PUT "/v1/reports/$ID" --data-binary "@$T_TMP/good"
refused 401 "no token"
like "$(cat "$T_TMP/head")" '^WWW-Authenticate: Bearer' "it says what is asked for"
ask_bare PUT "/v1/reports/$ID" --data-binary "@$T_TMP/good" -H "Authorization: bearer  $TOKEN"
answered 201 "the scheme's case and blanks do not matter"
stored_before=$(stored 'SELECT count(*), max(seq) FROM report')

# addresses and methods
for path in / /v1 /v1/report /v1/reportsx /v1/reports/ /v1/reports/x/y /v1/reports//x \
	"/v2/reports/$ID" /index.html; do
	ask GET "$path"
	case $status in
	404 | 400) pass "nothing at $path" ;;
	*) fail "nothing at $path" "$status" ;;
	esac
done
for method in DELETE PATCH OPTIONS POST CONNECTX; do
	ask "$method" "/v1/reports/$ID"
	refused 405 "$method of a report"
	like "$(cat "$T_TMP/head")" '^Allow: GET, HEAD, PUT' "$method: the methods there are"
done
ask PUT /v1/reports --data-binary "@$T_TMP/good"
refused 405 "PUT of the list"
ask_bare POST /healthz -d x
refused 405 "POST to the health check"
for id in 01234567-89AB-4DEF-8123-456789ABCDEF "${ID}0" "${ID%?}" 0123456789ab4def8123456789abcdef \
	"{$ID}" "$ID%00" "%2e%2e" "${ID%?}g" x; do
	put "$T_TMP/good" "$id"
	refused 400 "PUT to the name $id"
done

# bodies
refuse_body() {
	refuse_status=$1
	refuse_what=$2
	printf '%b' "$3" >"$T_TMP/bad"
	put "$T_TMP/bad"
	refused "$refuse_status" "$refuse_what"
}
run="\"run\":{\"id\":\"$ID\",\"state\":\"complete\"}"
refuse_body 400 "no JSON" 'hello'
refuse_body 400 "a truncated report" '{"schema":"bootmark/1",'"$run"',"pad":"exec_o'
refuse_body 400 "JSON and more" '{"schema":"bootmark/1",'"$run"'} x'
refuse_body 400 "two reports" '{"schema":"bootmark/1",'"$run"'}{"schema":"bootmark/1",'"$run"'}'
refuse_body 400 "a trailing comma" '{"schema":"bootmark/1",'"$run"',}'
refuse_body 400 "a comment" '{"schema":"bootmark/1",/**/'"$run"'}'
refuse_body 400 "NaN" '{"schema":"bootmark/1",'"$run"',"a":NaN}'
refuse_body 400 "invalid UTF-8" '{"schema":"bootmark/1",'"$run"',"a":"\377"}'
refuse_body 400 "a lone surrogate" '{"schema":"bootmark/1",'"$run"',"a":"\\ud800"}'
refuse_body 400 "a raw NUL" '{"schema":"bootmark/1",'"$run"',"a":"\0000"}'
refuse_body 400 "a byte order mark" '\357\273\277{"schema":"bootmark/1",'"$run"'}'
refuse_body 422 "an array" '[]'
refuse_body 422 "a number" '1'
refuse_body 422 "no schema" "{$run}"
refuse_body 422 "another schema" '{"schema":"bootmarx/1",'"$run"'}'
refuse_body 422 "a schema that is no text" '{"schema":1,'"$run"'}'
refuse_body 422 "two schemas" '{"schema":"bootmark/1","schema":"x",'"$run"'}'
refuse_body 422 "no run" '{"schema":"bootmark/1"}'
refuse_body 422 "no id" '{"schema":"bootmark/1","run":{"state":"complete"}}'
refuse_body 422 "two ids" \
	"{\"schema\":\"bootmark/1\",\"run\":{\"id\":\"$ID\",\"id\":\"x\",\"state\":\"complete\"}}"
refuse_body 422 "another report's id" \
	"{\"schema\":\"bootmark/1\",\"run\":{\"id\":\"$(new_id 1)\",\"state\":\"complete\"}}"
refuse_body 422 "an unknown state" \
	"{\"schema\":\"bootmark/1\",\"run\":{\"id\":\"$ID\",\"state\":\"done\"}}"
refuse_body 422 "a state that is no text" \
	"{\"schema\":\"bootmark/1\",\"run\":{\"id\":\"$ID\",\"state\":null}}"
: >"$T_TMP/empty"
put "$T_TMP/empty"
refused 400 "an empty body"
ask PUT "/v1/reports/$ID"
refused 411 "no body at all"
gzip -c "$T_TMP/good" >"$T_TMP/good.gz"
put "$T_TMP/good.gz" "$ID" -H 'Content-Encoding: gzip'
refused 415 "a compressed body"
ask POST /v1/reports -d '{"schema":"bootmark/1","run":{"id":"../../x","state":"complete"}}'
refused 422 "POST of a report whose id is a path"

is "$(stored 'SELECT count(*), max(seq) FROM report')" "$stored_before" "nothing of this was stored"
put "$T_TMP/good"
answered 200 "and the collector still takes reports"
done_testing
