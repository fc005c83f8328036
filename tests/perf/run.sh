#!/bin/sh
# SPDX-License-Identifier: MIT
# `make perf`: measures the figures the project promises, and says of each whether it is kept.
#
#	tests/perf/run.sh [NAME...]		engine cpu mem memory boot disks; all unless named
#
# One line per figure: its name, our number, the other's, their ratio (the median of the ratios of
# runs in turn), the target, and `ok` or `short`; `-` where there is none. What cannot be measured
# here says why in a line that begins with #, and is short. Exit status 0 only when nothing is.
set -eu

here=$(cd "${0%/*}" && pwd)
# Each script and the figures it prints.
scripts='
engine	fio-iops bare-loop-iops io_uring-iops limited-iops limited-mean-us limited-p99-us
cpu	primes primes-all aes-gcm sha256 zstd-pack zstd-unpack lz4-pack lz4-unpack
mem	stream-copy stream-scale stream-add stream-triad
memory	memory-mib
boot	power-on-s
disks	24-disks-s
'

work=$(mktemp -d "${TMPDIR:-/tmp}/bootmark-perf.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
export PERF_RUN=1

for name in "$@"; do
	printf '%s' "$scripts" | grep -q "^$name	" || {
		printf 'run.sh: %s: no such figures; there are:%s\n' "$name" \
			"$(printf '%s' "$scripts" | awk '{ printf " %s", $1 }')" >&2
		exit 2
	}
done
[ $# -gt 0 ] || {
	# shellcheck disable=SC2046 # names
	set -- $(printf '%s' "$scripts" | awk '{ print $1 }')
}

# shellcheck source=tests/perf/columns.sh
. "$here/columns.sh"
perf_line figure ours theirs ratio target verdict
kept=yes
for name in "$@"; do
	said=$work/$name
	status=0
	sh "$here/$name.sh" >"$said" 2>"$work/why" || status=$?
	# TAP's words for a test that cannot run are the reason
	sed -n 's/^1\.\.0 # SKIP /# /p; s/^Bail out! /# /p' "$said" >>"$work/why"
	grep -v -e '^1\.\.' -e '^Bail out!' -e '^ok ' -e '^not ok ' "$said" || :
	for figure in $(printf '%s' "$scripts" | sed -n "s/^$name	//p"); do
		verdict=$(awk -v figure="$figure" '$1 == figure { print $NF }' "$said")
		[ -n "$verdict" ] || {
			perf_line "$figure" - - - - short
			verdict=short
		}
		[ "$verdict" = ok ] || [ "$verdict" = - ] || kept=no
	done
	if [ "$status" -ne 0 ] || [ "$kept" = no ]; then
		sed 's/^#* */# /' "$work/why" | tail -n 15
	fi
	[ "$status" -eq 0 ] || {
		printf '# %s.sh ended with status %d\n' "$name" "$status"
		kept=no
	}
done
[ "$kept" = yes ]
