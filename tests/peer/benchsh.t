#!/bin/sh
# SPDX-License-Identifier: MIT
# benchsh-write gives the average that bench.sh computes from three runs of dd.
set -eu
# shellcheck source=tests/peer/lib.sh
. "${0%/*}/lib.sh"
need_tool dd

# Below 1 GB/s, where bench.sh's average has no fault.
LIMIT=${LIMIT:-220000000}
PEER_BUDGET=60

# benchsh_run: what one run of bench.sh shows: the last part of dd's line.
benchsh_run() {
	LANG=C limited dd if=/dev/zero of="$peer_dir/benchtest" bs=512k count=2048 conv=fdatasync \
		2>&1 | awk -F, '{ io = $NF } END { print io }' | sed 's/^[ \t]*//;s/[ \t]*$//'
	rm -f "$peer_dir/benchtest"
}

peer_device 3072
peer_file_system
peer_limit_buffered "wbps=$LIMIT"

theirs() {
	for _ in 1 2 3; do
		benchsh_run
	done >"$T_TMP/three"
	# in MB/s, as it averages them; MB are 10^6 bytes
	awk '$2 != "MB/s" { exit 1 } { sum += $1 } END { print sum / 3 * 1e6 }' "$T_TMP/three"
}
ours() { peer_bench benchsh-write throughput --write "file:$peer_dir"; }
peer_pairs average
peer_within average 2 "benchsh-write beside bench.sh's three runs"

like "$(cat "$T_TMP/run/report.txt")" '^I/O speed\(1st run\)   : [0-9.]+ MB/s$' "the 1st run's line"
like "$(cat "$T_TMP/run/report.txt")" '^Average I/O speed    : [0-9]+\.[0-9] MB/s$' \
	"the average's line"
done_testing
