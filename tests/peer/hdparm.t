#!/bin/sh
# SPDX-License-Identifier: MIT
# hdparm-T, hdparm-t and hdparm-t-direct give the rates of hdparm -T, -t and -t --direct.
# What is compared is called by the library, also once more: it looks unreachable.
# shellcheck disable=SC2317
set -eu
# shellcheck source=tests/peer/lib.sh
. "${0%/*}/lib.sh"
need_tool hdparm

# Slow enough that a busy machine still keeps to the limit, and MB and MiB of it differ as ever.
LIMIT=${LIMIT:-60000000}
PEER_BUDGET=7	# one sample

# hdparm_rate OPTION...: what hdparm prints, in bytes per second; its MB are 2^20 bytes.
hdparm_rate() {
	limited hdparm "$@" "$peer_device" >"$T_TMP/hdparm" || return 1
	cat "$T_TMP/hdparm" >>"$T_TMP/hdparm.all"
	awk '/ = / {
		unit = $NF == "MB/sec" ? 1048576 : $NF == "kB/sec" ? 1024 : 0
		print $(NF - 1) * unit
	}' "$T_TMP/hdparm"
}

peer_device 512
peer_limit "rbps=$LIMIT"

theirs() { hdparm_rate -t; }
ours() { peer_bench hdparm-t throughput; }
peer_pairs buffered
peer_within buffered 2 "hdparm-t beside hdparm -t"

theirs() { hdparm_rate -t --direct; }
ours() { peer_bench hdparm-t-direct throughput; }
peer_pairs direct
peer_within direct 2 "hdparm-t-direct beside hdparm -t --direct"

# The speed of memory, which nothing limits: where the copied pages happen to lie makes 10 % from
# run to run, for hdparm as for us. So no other process takes part, and there are more pairs.
peer_limit rbps=0
PEER_PAIRS=$((2 * PEER_PAIRS - 1))
PEER_WITH='chrt --fifo 1'
theirs() { hdparm_rate -T; }
ours() { peer_bench hdparm-T throughput_cached; }
peer_pairs cached
peer_within cached 6 "hdparm-T beside hdparm -T"

# its lines are ours but for the numbers
numbers='*[0-9]+ MB in  [0-9.]+ seconds = +[0-9.]+ MB/sec$'
ok "bench runs all three" peer_run --tests hdparm-T,hdparm-t,hdparm-t-direct
for words in 'cached reads:   ' 'buffered disk reads: ' 'O_DIRECT disk reads: '; do
	like "$(cat "$T_TMP/hdparm.all")" "^ Timing $words$numbers" "hdparm's line of $words"
	like "$(cat "$T_TMP/run/report.txt")" "^ Timing $words$numbers" "our text has it too"
done
done_testing
