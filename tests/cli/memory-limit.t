#!/bin/sh
# SPDX-License-Identifier: MIT
# A control group may leave a run less memory than the machine has free: tests keep within it, or
# the kernel ends them.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_root
need_tool jq
need_file "$OUT/bench"
group=
for folder in /sys/fs/cgroup/memory /sys/fs/cgroup; do
	mkdir "$folder/bm$$" 2>/dev/null || continue
	group=$folder/bm$$
	for file in memory.limit_in_bytes memory.max; do
		[ ! -e "$group/$file" ] || limit=$group/$file
	done
	[ -z "${limit:-}" ] || break
	rmdir "$group"
	group=
done
[ -n "$group" ] || skip_all "needs a control group for memory"
# shellcheck disable=SC2016 # evaluated at exit
at_exit 'rmdir "$group" 2>/dev/null'
echo $((96 << 20)) >"$limit" || skip_all "needs a limit of memory"

# the tables of this test are 128 MiB where they may be
sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" \
	"$OUT/bench" run --profile quick --tests cpu-hash --budget 2 --out "$T_TMP" \
	>"$T_TMP/said" 2>&1 </dev/null || :
[ -s "$T_TMP/report.json" ] || bail "no report: $(cat "$T_TMP/said")"
is "$(jq -r '.results[] | select(.test == "cpu-hash") | .status' "$T_TMP/report.json")" ok \
	"a test that would take more than the limit takes less"
ok "half of it at most" jq -e '.results[] | select(.test == "cpu-hash") | .metrics[] |
	select(.name == "table") | .value > 0 and .value <= 50331648' "$T_TMP/report.json"
done_testing
