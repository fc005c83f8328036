#!/bin/sh
# SPDX-License-Identifier: MIT
# What was answered with 2xx is there, byte for byte, whatever happens to the collector afterwards.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"

need_tool curl jq
collector_start --max-bytes 4000000

# sound WHAT: SQLite finds nothing wrong with the database.
sound() {
	is "$(stored 'PRAGMA integrity_check')" ok "$1: the database is sound"
}

# send FILE ID: prints the status.
send() {
	curl -s --max-time 60 -o /dev/null -w '%{http_code}\n' -X PUT --data-binary "@$1" \
		-H "Authorization: Bearer $TOKEN" "$url/v1/reports/$2"
}

# all_there FIRST LAST WHAT: each report answered with 2xx is there and unchanged; how many: $there.
all_there() {
	there=0
	lost=
	for n in $(seq "$1" "$2"); do
		case $(cat "$T_TMP/$n.status" 2>/dev/null) in
		2*) ;;
		*) continue ;;
		esac
		ask GET "/v1/reports/$(new_id "$n")"
		if [ "$status" = 200 ] && cmp -s "$T_TMP/body" "$T_TMP/$n.json"; then
			there=$((there + 1))
		else
			lost="$lost $n"
		fi
	done
	is "$lost" "" "$3: every report that was answered is there, byte for byte"
}

# twenty at once
for n in $(seq 1 20); do
	report "$(new_id "$n")" complete "$n" $((n * 10000)) >"$T_TMP/$n.json"
done
senders=
for n in $(seq 1 20); do
	send "$T_TMP/$n.json" "$(new_id "$n")" >"$T_TMP/$n.status" &
	senders="$senders $!"
done
for sender in $senders; do
	wait "$sender"
done
is "$(cat "$T_TMP"/*.status | sort | uniq -c | tr -s ' \n' ' ')" " 20 201 " \
	"twenty reports at once are all taken"
all_there 1 20 "twenty at once"
is "$there" 20 "and all twenty are listed"
# the same report twenty times at once: one is new
report "$(new_id 99)" complete >"$T_TMP/same"
senders=
for n in $(seq 21 40); do
	send "$T_TMP/same" "$(new_id 99)" >"$T_TMP/same.$n" &
	senders="$senders $!"
done
for sender in $senders; do
	wait "$sender"
done
is "$(cat "$T_TMP"/same.* | sort | uniq -c | tr -s ' \n' ' ')" " 19 200 1 201 " \
	"of twenty equal ones at once, one is new"

# Killed in the middle of receiving, again and again: three clients send one report after the other,
# a fourth is in the middle of its body.
send_on() {
	for n in $(seq "$1" "$2"); do
		send "$T_TMP/$n.json" "$(new_id "$n")" >"$T_TMP/$n.part" || break
		mv "$T_TMP/$n.part" "$T_TMP/$n.status"
	done
}
for n in $(seq 101 160); do
	report "$(new_id "$n")" complete "$n" 200000 >"$T_TMP/$n.json"
done
kept=0
for round in 1 2 3 4; do
	rm -f "$T_TMP"/1??.status
	senders=
	for first in 101 121 141; do
		send_on $((first + (round - 1) * 5)) $((first + round * 5 - 1)) &
		senders="$senders $!"
	done
	peer "$(put_head "$(new_id 98)" 'Content-Length: 3000000')" fill=900000 read \
		>/dev/null 2>&1 &
	senders="$senders $!"
	wait_for 20 ls "$T_TMP/$((100 + (round - 1) * 5 + round)).status" || :
	kill -KILL "$collector_pid"
	for sender in $senders $collector_pid; do
		wait "$sender" 2>/dev/null || :
	done
	sound "after SIGKILL $round"
	collector_start --max-bytes 4000000
	all_there 101 160 "after SIGKILL $round"
	kept=$((kept + there))
done
diag "$kept reports were answered before the collector was killed"
ge "$kept" 4 "some were answered before it was killed"
is "$(stored "SELECT count(*) FROM report WHERE id = '$(new_id 98)'")" 0 \
	"the one in the middle is not there"
all_there 1 20 "the earlier ones, in the end"
put "$T_TMP/111.json" "$(new_id 111)"
like "$status" '^20[01]$' "a report can be sent again after all that"

# another program holds the database
/usr/bin/python3 -c 'import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
open(sys.argv[2], "w").close()
time.sleep(7)' "$T_TMP/reports.db" "$T_TMP/locked" &
locker=$!
wait_for 5 test -e "$T_TMP/locked"
report "$(new_id 90)" complete >"$T_TMP/one"
put "$T_TMP/one" "$(new_id 90)"
refused 503 "while another program has locked the database"
like "$(cat "$T_TMP/head")" '^Retry-After: [0-9]' "it says when to come again"
wait "$locker"
put "$T_TMP/one" "$(new_id 90)"
answered 201 "the same once the lock is gone"

# SIGTERM while a request is in progress: it is finished
report "$(new_id 61)" complete 61 100 >"$T_TMP/61.json"
peer "$(put_head "$(new_id 61)" "Content-Length: $(wc -c <"$T_TMP/61.json")")" pause=1.5 \
	"file=$T_TMP/61.json" read >"$T_TMP/slow" &
slow=$!
sleep 0.7
kill -TERM "$collector_pid"
ended=0
wait "$collector_pid" || ended=$?
is "$ended" 0 "SIGTERM: it ends with status 0"
wait "$slow"
like "$(cat "$T_TMP/slow")" '^HTTP/1.1 20[01] ' "SIGTERM: the request in progress is finished"
ask_bare GET /healthz
answered 000 "SIGTERM: nothing listens any more"
is "$(find "$T_TMP" -name 'reports.db*' | wc -l)" 1 "SIGTERM: the database is one file again"
sound "after SIGTERM"
done_testing
