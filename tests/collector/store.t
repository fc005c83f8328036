#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports are stored unchanged, listed, and replaced only by what is worth more.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"

need_tool curl jq
# shellcheck disable=SC2119 # its arguments are flags, not this test's
collector_start
report "$ID" running first >"$T_TMP/running"
report "$ID" partial second 1000 >"$T_TMP/partial"
report "$ID" complete third 300000 >"$T_TMP/complete"
report "$ID" complete other >"$T_TMP/other"
report "$ID" running late >"$T_TMP/late"

# unchanged FILE WHAT: the report that is there now is this file, byte for byte.
unchanged() {
	ask GET "/v1/reports/$ID"
	answered 200 "$2"
	same_file "$T_TMP/body" "$1" "$2: byte for byte"
}

ask GET /v1/reports
is "$(cat "$T_TMP/body")" '{"reports":[]}' "an empty list"
put "$T_TMP/running"
answered 201 "a first report"
like "$(cat "$T_TMP/head")" "^Location: /v1/reports/$ID" "it says where it is"
unchanged "$T_TMP/running" "the first report"
put "$T_TMP/running"
answered 200 "the same once more"
is "$(jq -r .stored "$T_TMP/body")" same "and it is known as the same"
put "$T_TMP/partial"
answered 200 "a partial one replaces a running one"
is "$(jq -r .stored "$T_TMP/body")" replaced "and says so"
unchanged "$T_TMP/partial" "the partial report"
put "$T_TMP/late"
refused 409 "another running one does not replace a partial one"
put "$T_TMP/complete"
answered 200 "a complete one replaces a partial one"
for file in other late; do
	put "$T_TMP/$file"
	refused 409 "a different report ($file) does not replace a complete one"
done
unchanged "$T_TMP/complete" "the complete report"
put "$T_TMP/running"
answered 200 "a late repeat of the first report is no conflict"
unchanged "$T_TMP/complete" "the complete report after the late repeat"
is "$(stored 'SELECT count(*) FROM report')" 1 "one report is current"
is "$(stored 'SELECT length(body) FROM report_history ORDER BY seq' | tr '\n' ' ')" \
	"$(wc -c <"$T_TMP/running") $(wc -c <"$T_TMP/partial") " \
	"the replaced ones are kept in the history"

# reading
ask GET "/v1/reports/$ID"
like "$(cat "$T_TMP/head")" '^Content-Type: application/json' "a report is JSON"
etag=$(sed -n 's/^ETag: \("[0-9]*"\).*/\1/p' "$T_TMP/head")
ask GET "/v1/reports/$ID" -H "If-None-Match: $etag"
answered 304 "a report that has not changed"
is "$(wc -c <"$T_TMP/body")" 0 "and no body"
ask GET "/v1/reports/$ID" -H 'If-None-Match: "0"'
answered 200 "another entity tag"
ask HEAD "/v1/reports/$ID"
answered 200 "HEAD of a report"
like "$(cat "$T_TMP/head")" "^Content-Length: $(wc -c <"$T_TMP/complete")" "HEAD says the length"
ask GET "/v1/reports/$(new_id 1)"
refused 404 "a report that is not there"
ask_bare GET /healthz
answered 200 "the health check needs no token"

# POST takes the id from the report
report "$(new_id 1)" complete posted >"$T_TMP/posted"
ask POST /v1/reports --data-binary "@$T_TMP/posted"
answered 201 "POST"
ask GET "/v1/reports/$(new_id 1)"
same_file "$T_TMP/body" "$T_TMP/posted" "POST stores the same bytes"
ask POST /v1/reports --data-binary "@$T_TMP/posted"
answered 200 "POST of the same once more"

# texts that other programs choke on
printf '{"schema":"bootmark/1","disks":[{"serial":"abc\\u0000xyz"}],"run":{"id":"%s",
"state":"complete","label":"a\\u0000b\\u001b[31m\\ud83d\\ude00"},"u":"\303\244\360\237\230\200",
"n":[1e999,-0,123456789012345678901234567890]}' "$(new_id 2)" >"$T_TMP/odd"
put "$T_TMP/odd" "$(new_id 2)"
answered 201 "NUL, escapes and huge numbers"
ask GET "/v1/reports/$(new_id 2)"
same_file "$T_TMP/body" "$T_TMP/odd" "and they come back as they were"
put "$T_TMP/posted" "$(new_id 1)" -H 'Transfer-Encoding: chunked'
answered 200 "a body in chunks"

# the list
for n in 3 4 5 6 7; do
	report "$(new_id "$n")" complete "run $n" >"$T_TMP/one"
	put "$T_TMP/one" "$(new_id "$n")"
done
ask GET /v1/reports
is "$(jq -r '[.reports[].id[-1:]] | join(" ")' "$T_TMP/body")" "7 6 5 4 3 2 1 f" \
	"the list is newest first"
is "$(jq -r '.reports[0] | "\(.state), \(.label), \(.product), \(.disk_n)"' "$T_TMP/body")" \
	"complete, run 7, PowerEdge R720, 3" "what it says of a report"
is "$(jq -r '.reports[0] | "\(.remote), \(.bytes)"' "$T_TMP/body")" \
	"127.0.0.1, $(wc -c <"$T_TMP/one")" "where it came from and how large it is"
like "$(jq -r '.reports[0].received_at' "$T_TMP/body")" "^$(date -u +%Y)-..-..T..:..:..[.]...Z\$" \
	"when it came"
is "$(jq '.reports[-1].replaced_n' "$T_TMP/body")" 2 "how many versions it has replaced"
unlike "$(jq -r '.reports[5].label' "$T_TMP/body" | tr -d '\n' | od -An -tx1)" '(00|1b)' \
	"labels are shown without control characters"
pages=
before=
for _ in 1 2 3; do
	ask GET "/v1/reports?limit=3$before"
	pages="${pages}[$(jq -r '[.reports[].id[-1:]] | join(" ")' "$T_TMP/body")]"
	before=$(jq -r '"&before=\(.next_before)"' "$T_TMP/body")
done
is "$pages" "[7 6 5][4 3 2][1 f]" "the list in pages of three"
is "$before" "&before=null" "the last page says that it is the last"
for query in limit=0 limit=1001 limit=-1 limit=x limit= before=0 before=1e3 \
	before=99999999999999999999; do
	ask GET "/v1/reports?$query"
	refused 400 "the list with $query"
done
unlike "$(cat "$collector_log")" "$TOKEN" "the log never shows the token"
done_testing
