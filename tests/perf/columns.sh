# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The columns of `make perf`, and what makes a line of pairs of numbers.

# perf_line FIGURE OURS THEIRS RATIO TARGET VERDICT
perf_line() {
	printf '%-18s %12s %12s %8s  %-11s %s\n' "$@"
}

# perf_note FIGURE OURS THEIRS: one pair of numbers, of runs in turn.
perf_note() {
	awk -v ours="$2" -v theirs="$3" 'BEGIN {
		if (!(ours > 0 && theirs > 0))
			exit 1
		printf "%.9g %.9g %.9g\n", ours / theirs, ours, theirs
	}' >>"$T_TMP/figure.$1" || bail "$1: no pair of numbers: \"$2\" and \"$3\""
}

# perf_median FILE COLUMN
perf_median() {
	awk -v c="$2" '{ print $c }' "$1" | sort -g | awk '{ v[NR] = $1 }
		END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# perf_figure FIGURE LOW HIGH: the line of the noted pairs. Its ratio is the median of theirs; `-`
# is no limit.
perf_figure() {
	perf_ratio=$(perf_median "$T_TMP/figure.$1" 1)
	case $2,$3 in
	-,-) perf_target=- ;;
	*,-) perf_target=">=$2" ;;
	-,*) perf_target="<=$3" ;;
	*) perf_target="$2-$3" ;;
	esac
	perf_verdict=$(awk -v r="$perf_ratio" -v low="$2" -v high="$3" 'BEGIN {
		if (low == "-" && high == "-")
			print "-"
		else if ((low == "-" || r >= low) && (high == "-" || r <= high))
			print "ok"
		else
			print "short"
	}')
	perf_line "$1" "$(perf_short "$(perf_median "$T_TMP/figure.$1" 2)")" \
		"$(perf_short "$(perf_median "$T_TMP/figure.$1" 3)")" \
		"$(printf '%.3f' "$perf_ratio")" "$perf_target" "$perf_verdict"
}

# perf_short NUMBER: without digits that mean nothing.
perf_short() {
	awk -v n="$1" 'BEGIN { printf (n >= 1000 ? "%.0f" : "%.4g"), n }'
}

# A script that is run by itself prints the heading.
[ -n "${PERF_RUN:-}" ] || [ -z "${T_TMP:-}" ] ||
	perf_line figure ours theirs ratio target verdict
