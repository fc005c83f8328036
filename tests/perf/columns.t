#!/bin/sh
# SPDX-License-Identifier: MIT
# make perf: the median of the ratios decides, within its target and no further; what could not be
# measured is short, and the exit status says so.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
PERF_RUN=1
# shellcheck source=tests/perf/columns.sh
. "${0%/*}/columns.sh"

# line LOW HIGH OURS:THEIRS...: the line of these pairs, single spaces.
line() {
	rm -f "$T_TMP/figure.x"
	low=$1
	high=$2
	shift 2
	for pair in "$@"; do
		perf_note x "${pair%:*}" "${pair#*:}"
	done
	perf_figure x "$low" "$high" | tr -s ' '
}

is "$(line 2.2 - 22:10 1:100 900:100)" 'x 22 100 2.200 >=2.2 ok' \
	"the median of the ratios, not the ratio of the medians"
is "$(line 2.2 - 21:10 1:100 900:100)" 'x 21 100 2.100 >=2.2 short' "below a target"
is "$(line - 0.5 5:10)" 'x 5 10 0.500 <=0.5 ok' "a target that is a limit"
is "$(line - 0.5 5.1:10)" 'x 5.1 10 0.510 <=0.5 short' "above it"
is "$(line 0.99 1.01 102:100 100:100)" 'x 101 100 1.010 0.99-1.01 ok' "two: their middle"
is "$(line 0.99 1.01 98:100)" 'x 98 100 0.980 0.99-1.01 short' "below a range"
is "$(line 0.99 1.01 1049:1000)" 'x 1049 1000 1.049 0.99-1.01 short' "above it: MiB for MB"
is "$(line - - 9:3)" 'x 9 3 3.000 - -' "no target"
is "$( (line 2.2 - 5:0) 2>/dev/null | head -n 1)" 'Bail out! x: no pair of numbers: "5" and "0"' \
	"nothing is no number"

# the runner, with groups of this test's own
mkdir "$T_TMP/perf"
sed 's/^engine	.*/engine	a b/; s/^memory	.*/memory	c/' "$ROOT/tests/perf/run.sh" \
	>"$T_TMP/perf/run.sh"
cp "$ROOT/tests/perf/columns.sh" "$T_TMP/perf"
run() {
	status=0
	said=$(sh "$T_TMP/perf/run.sh" "$@" 2>&1) || status=$?
}
cat >"$T_TMP/perf/engine.sh" <<'END'
. "${0%/*}/columns.sh"
perf_line a 1 1 1.000 '>=1' "${A:-ok}"
perf_line b 1 1 1.000 - -
END
printf 'echo "1..0 # SKIP no such machine"\n' >"$T_TMP/perf/memory.sh"
run engine
is "$status" 0 "all is kept, or has no target"
is "$(printf '%s\n' "$said" | awk '{ print NF }' | sort -u)" 6 "each line has the six columns"
is "$(printf '%s\n' "$said" | head -n 1 | tr -s ' ')" 'figure ours theirs ratio target verdict' \
	"under a heading"
export A=short
run engine
is "$status" 1 "one is short"
unset A
run engine memory
is "$status" 1 "a group that cannot run is not kept"
like "$said" '^c .* short$' "its figure is short"
like "$said" '^# no such machine$' "and why"
printf 'exit 3\n' >>"$T_TMP/perf/engine.sh"
run engine
is "$status" 1 "nor one that fails behind its figures"
run engines
is "$status" 2 "no such group"
done_testing
