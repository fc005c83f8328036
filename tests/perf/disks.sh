#!/bin/sh
# SPDX-License-Identifier: MIT
# What 24 disks at once cost beside one: the time of the phase that measures all of them together,
# from the first disk's start to the last one's end, beside the same work on one of them alone.
#
#	tests/perf/disks.sh [PAIRS]		default 3
#
# Their sum of I/Os is no matter here: devices in memory share the processors.
set -eu
# shellcheck source=tests/peer/lib.sh
. "${0%/*}/../peer/lib.sh"
# shellcheck source=tests/perf/columns.sh
. "${0%/*}/columns.sh"

pairs=${1:-3}
disks=24
budget=5	# seconds

# measured DISKS TESTS COUNT: runs these tests; prints the seconds between the first start and the
# last end, given that there are COUNT results that went well.
measured() {
	rm -rf "$T_TMP/run"
	"$OUT/bench" run --disks "$1" --tests "$2" --budget "$budget" --deadline 300 \
		--out "$T_TMP/run" >"$T_TMP/run.log" 2>&1 ||
		{ diag "bench run: $(tail -n 5 "$T_TMP/run.log")"; return 0; }
	jq -r --argjson count "$3" '[.results[] | select(.status == "ok")]
		| if length == $count then
			(map(.start_ns + .elapsed_ns) | max) - (map(.start_ns) | min) | . / 1e9
		else empty end' "$T_TMP/run/report.json"
}

all=
for _ in $(seq "$disks"); do
	peer_device 64
	all=$all,$peer_device
done
all=${all#,}
for _ in $(seq "$pairs"); do
	theirs=$(measured "$peer_device" rand-read-qd64 1)
	ours=$(measured "$all" rand-read-together "$disks")
	perf_note 24-disks-s "$ours" "$theirs"
done
perf_figure 24-disks-s - 1.2
