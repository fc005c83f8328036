#!/bin/sh
# SPDX-License-Identifier: MIT
# Trying again: when, how often, in which order, for how long, and always the same report.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/upload/lib.sh
. "$ROOT/tests/upload/lib.sh"

need_tool jq
need_file "$OUT/bench"

# tries JQ: a value from the record of the last upload.
tries() {
	jq -r "$1" "$T_TMP/out/upload.json"
}

# timed COMMAND...: leaves the milliseconds it took in $took.
timed() {
	began=$(t_now_ms)
	"$@"
	took=$(($(t_now_ms) - began))
}

server busy 500,close,201
timed upload "http://127.0.0.1:$port/v1/reports" --retry 60 --token "$TOKEN"
delivered "500, no answer, 201"
is "$(tries '[.tries[].status] | join(" ")')" "failed failed delivered" \
	"the record has the three tries"
is "$(tries '.status, .run_id, .try_n, .report_bytes' | tr '\n' ' ')" \
	"delivered $RUN_ID 3 $(wc -c <"$REPORT") " "and what became of the report"
for n in 1 2 3; do
	ok "try $n brings the whole report" received busy "$n"
	head=$(cat "$T_TMP/busy/$n.head")
	like "$head" "^PUT /v1/reports/$RUN_ID HTTP/1.1\$" "try $n puts the run's id"
	like "$head" "^Idempotency-Key: $RUN_ID\$" "try $n says which run it is"
	like "$head" "^Authorization: Bearer $TOKEN\$" "try $n brings the token"
	like "$head" '^Content-Type: application/json$' "try $n says what it is"
	like "$head" "^Content-Length: $(wc -c <"$REPORT")\$" "try $n says how long it is"
	unlike "$head" '^(Expect|Transfer-Encoding):' "try $n does not wait for leave"
done
le "$took" 9000 "the first pauses are short"
like "$(cat "$T_TMP/said")" 'reports: HTTP 500: as scripted, trying again in [0-9.]+ s$' \
	"each try is told with what follows"
unlike "$(cat "$T_TMP/said" "$T_TMP/out/upload.json")" "$TOKEN" "the token is shown nowhere"

# the next address follows at once; the order is the given one
dead=$(free_port)
server first 503
first=$port
server second 201
timed upload "http://127.0.0.1:$dead/a,http://127.0.0.1:$first/b,http://127.0.0.1:$port/c"
delivered "the third of three addresses"
is "$(tries '[.tries[].url[-1:]] | join("")')" abc "in the given order"
le "$took" 5000 "without pauses"
ok "the second was asked before" received first 1

# no addresses are left
server refuses 401
timed upload "http://127.0.0.1:$port/r" --retry 300
not_delivered 'after 3 tries: every address refused it' "a wrong token"
ge "$took" 9500 "with a pause of 5 seconds and more between the tries"
le "$took" 25000 "and an end long before the time is over"
server refuses2 401
refusing=$port
server later 404,404,201
upload "http://127.0.0.1:$refusing/x,http://127.0.0.1:$port/y" --retry 60
delivered "an address that refuses twice, being set up, and then takes it"

# the time is over: one last try just then
timed upload "http://127.0.0.1:$dead/r" --retry 4
not_delivered 'the time is over' "nobody there"
ge "$took" 3900 "it uses the time it has"
le "$took" 9000 "and no more"
ge "$(tries .try_n)" 3 "with several tries"
like "$(tries '.tries[0].reason')" 'no connection: Connection refused' \
	"what was wrong is in the record"
timed upload "http://127.0.0.1:$dead/r" --retry 0
not_delivered 'after 1 try:' "no time to try again"

# Retry-After is honoured, within reason
server polite 503-after=3,201
timed upload "http://127.0.0.1:$port/r" --retry 60
delivered "a server that says when to come again"
ge "$took" 2900 "not before that"
le "$took" 9000 "and not long after"
server rude 503-after=999999999,503
timed upload "http://127.0.0.1:$port/r" --retry 3
not_delivered 'HTTP 503' "a server that says to come again in 31 years"
le "$took" 8000 "does not hold it"

# a server that comes up while the upload is trying
late=$(free_port)
(
	sleep 3
	exec /usr/bin/python3 "$ROOT/tests/upload/server.py" "$T_TMP/late" 201 "$late"
) >/dev/null 2>&1 &
T_PIDS="$! $T_PIDS"
upload "http://127.0.0.1:$late/r" --retry 60
delivered "a server that comes up later"
ok "it has the report" received late 1
same_file "$REPORT" "$T_TMP/report.copy" "the report is as it was"
done_testing
