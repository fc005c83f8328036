#!/bin/sh
# SPDX-License-Identifier: MIT
# The loops of mem-stream beside the same ones in a plain program, compiled by the host's gcc -O2
# and -O3: one thread on the same CPU, arrays of the same size, in turn.
#
#	tests/perf/mem.sh [ROUNDS [SECONDS [MIB]]]	default 5 rounds of 2 s runs over 96 MiB
#
# Without the limit our arrays would be as large as could be touched in time, another size each run.
#
# gcc makes a call of memcpy of the Copy loop, and glibc's goes past the caches with that much: it
# bears no target.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/perf/columns.sh
. "${0%/*}/columns.sh"
need_tool gcc taskset
need_file "$OUT/perf/cpu_cli"

rounds=${1:-5}
seconds=${2:-2}
mib=${3:-96}

# half of a test's time is for one thread
ours() {
	"$OUT/perf/cpu_cli" mem-stream $((seconds * 2)) "$mib" >"$T_TMP/ours" ||
		bail "mem-stream: $(head -n 1 "$T_TMP/ours")"
}

theirs() {
	for level in 2 3; do
		taskset -c "$cpu" "$T_TMP/stream$level" "$seconds" >"$T_TMP/theirs$level"
	done
}

# number FILE NAME
number() {
	awk -v name="$2" '$1 == name { print $2 }' "$T_TMP/$1"
}

ours
elements=$(awk '$1 == "array_bytes_single" { printf "%d", $2 / 24 }' "$T_TMP/ours")
for level in 2 3; do
	gcc -std=c11 -D_GNU_SOURCE "-DELEMENTS=$elements" "-O$level" -mcmodel=large -fno-pie \
		-no-pie -o "$T_TMP/stream$level" "$ROOT/tests/perf/mem_stream.c"
done
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
printf '# %s, %s elements, load %s\n' "$(uname -r)" "$elements" \
	"$(cut -d' ' -f1-3 /proc/loadavg)"
for round in $(seq "$rounds"); do
	[ $((round % 2)) = 1 ] || theirs
	ours
	[ $((round % 2)) = 0 ] || theirs
	for loop in copy scale add triad; do
		perf_note "stream-$loop" "$(number ours ${loop}_single)" "$(number theirs2 $loop)"
		perf_note "stream-$loop-O3" "$(number ours ${loop}_single)" \
			"$(number theirs3 $loop)"
	done
done
perf_figure stream-copy - -
perf_figure stream-scale 0.95 1.05
perf_figure stream-add 0.95 1.05
perf_figure stream-triad 0.95 1.05
for loop in copy scale add triad; do
	perf_figure "stream-$loop-O3" - -
done
