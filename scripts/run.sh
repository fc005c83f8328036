#!/bin/sh
# SPDX-License-Identifier: MIT
# Boots the image in QEMU, has it measure three disks and upload its report to a collector on
# loopback, fetches the report back from there and prints it: the whole chain, once.
#
# Succeeds only when the report came and holds three measured disks. Everything it leaves is in
# $OUT/run.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

RUN=$OUT/run
LIMIT_S=${RUN_LIMIT_S:-240}
PARAMETERS=${RUN_PARAMETERS:-bench.profile=quick bench.budget=1 bench.linger=1 loglevel=4}

# ask PATH: one GET of the collector, with this run's throw-away token.
ask() {
	curl -sS --fail-with-body --noproxy '*' --max-time 20 -H @"$SCRATCH/header" "$address$1"
}

# end PID: ends a process of ours; one whose parent is another has only got the number of ours. A
# signal that arrives while the shell is still becoming the program is lost, so it is looked at
# again.
end() {
	signal=TERM
	for tenths in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do
		parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
		[ "$parent" = $$ ] || return 0
		[ "$tenths" -lt 20 ] || signal=KILL
		kill -s "$signal" "$1" 2>/dev/null
		sleep 0.1
	done
}

# finish: at every exit; the collector and QEMU end, by their pids.
finish() {
	status=$?
	trap - EXIT
	set +e
	for pid in ${qemu:-} ${collector:-}; do
		end "$pid"
	done
	rm -rf "$SCRATCH"
	exit "$status"
}

# start_collector: on a free port of the loopback; sets $address.
start_collector() {
	od -An -N 16 -t x1 /dev/urandom | tr -d ' \n' >"$SCRATCH/token"
	printf 'Authorization: Bearer %s\n' "$(cat "$SCRATCH/token")" >"$SCRATCH/header"
	: >"$RUN/collector.log"
	"$OUT/collector" --listen 127.0.0.1:0 --db "$RUN/reports.sqlite" \
		--token-file "$SCRATCH/token" >"$RUN/collector.log" 2>&1 &
	collector=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		address=$(sed -n 's/^collector: listening on //p' "$RUN/collector.log")
		[ -z "$address" ] || return 0
		kill -0 "$collector" 2>/dev/null || break
		sleep 0.25
	done
	cat "$RUN/collector.log" >&2
	die "the collector did not start (above)"
}

# boot URL: the machine's whole life; its console is shown and kept.
boot() {
	mkfifo "$SCRATCH/console"
	: >"$RUN/console.log"
	# Cursor movements and colours are for a screen, not for a log; -u, or nothing is seen until
	# the end.
	sed -u "s/$(printf '\033')\\[[0-9;?]*[A-Za-z]//g; s/$(printf '\r')//g" <"$SCRATCH/console" |
		tee "$RUN/console.log" &
	# shellcheck disable=SC2086 # parameters are words
	timeout -k 5 "$LIMIT_S" "$OUT/qemu.sh" bench.upload="$1" \
		bench.token="$(cat "$SCRATCH/token")" $PARAMETERS \
		>"$SCRATCH/console" 2>"$RUN/qemu.log" </dev/null &
	qemu=$!
	status=0
	wait "$qemu" || status=$?
	qemu=
	wait_for_console
	[ "$status" -ne 124 ] ||
		die "the machine did not end within $LIMIT_S s; its console is $RUN/console.log"
	if [ "$status" -ne 0 ]; then
		cat "$RUN/qemu.log" >&2
		die "QEMU ended with status $status (above)"
	fi
}

# wait_for_console: the last lines are still on their way through the pipe when QEMU has ended.
wait_for_console() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		size=$(stat -c %s "$RUN/console.log")
		sleep 0.1
		[ "$(stat -c %s "$RUN/console.log")" != "$size" ] || return 0
	done
}

scratch
trap finish EXIT
for product in vmlinuz initramfs.img bench collector; do
	[ -e "$OUT/$product" ] || die "$OUT/$product is missing: run make"
done
"$ROOT/scripts/qemu.sh"
start_collector
before=$(ask "/v1/reports" | jq -r '[.reports[].id] | join(" ")')
say "run: the collector listens on $address; booting"
boot "http://10.0.2.2:${address##*:}/v1/reports"

# The newest report that was not there before.
id=$(ask "/v1/reports" | jq -r --arg before "$before" '($before | split(" ")) as $old |
	[.reports[] | select(.id as $id | $old | index($id) | not)] | max_by(.seq) | .id // empty')
[ -n "$id" ] || die "no report arrived at the collector; the machine's console is $RUN/console.log"
ask "/v1/reports/$id" >"$RUN/report.json"
"$OUT/bench" report --format text "$RUN/report.json" | tee "$RUN/report.txt"

measured=$(jq '[.results[] | select(.status == "ok" and .phase == "alone").target]
	| unique | length' \
	"$RUN/report.json")
say "run: report $id came back from the collector; $measured disks were measured
run:   $RUN/report.json and report.txt	the report
run:   $RUN/console.log		the machine's console
run:   $RUN/reports.sqlite		the collector's database
run:   $OUT/qemu.sh			boots the machine by hand"
[ "$measured" -eq 3 ] || die "three disks should have been measured, not $measured"
