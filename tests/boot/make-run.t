#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make run` does once all is built: boots, uploads, and shows the report of three disks, in
# less than a minute; and it fails when the report does not come.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_tool qemu-system-x86_64 curl jq
for product in vmlinuz initramfs.img bench collector kernel.config; do
	need_file "$OUT/$product"
done
# Its own products' folder, so that a developer's reports and disks stay as they are.
mkdir "$T_TMP/out"
for product in vmlinuz initramfs.img bench collector; do
	ln -s "$OUT/$product" "$T_TMP/out/$product"
done
OUT=$T_TMP/out

run() {
	started=$(t_now_ms)
	status=0
	"$ROOT/scripts/run.sh" >"$T_TMP/said" 2>&1 || status=$?
	took=$((($(t_now_ms) - started) / 1000))
}

run
is "$status" 0 "it succeeds"
[ "$status" -eq 0 ] || diag "$(tail -n 40 "$T_TMP/said")"
like "$(cat "$T_TMP/said")" '3 disks were measured' "three disks were measured"
is "$(jq -r '[.results[] | select(.status == "ok" and .phase == "alone").target]
	| unique | length' \
	"$OUT/run/report.json")" 3 "report.json holds them"
lines=$(wc -l <"$OUT/run/report.txt")
ge "$lines" 40 "there is a text report"
sed '/^run: report/,$d' "$T_TMP/said" | tail -n "$lines" >"$T_TMP/shown"
same_file "$OUT/run/report.txt" "$T_TMP/shown" "it is what was shown last"
ok "the launcher was left beside the image" test -x "$OUT/qemu.sh"
first=$(jq -r .run.id "$OUT/run/report.json")

run
is "$status" 0 "it succeeds again"
le "$took" 60 "a second time takes less than a minute ($took s)"
second=$(jq -r .run.id "$OUT/run/report.json")
like "$second" '^[0-9a-f-]{36}$' "its report has an id"
not_ok "of its own: it is not the first one's" test "$first" = "$second"

export RUN_PARAMETERS="bench.tests=nothing-of-that-name bench.linger=0 bench.linger-fail=0"
run
is "$status" 1 "a report without measured disks is a failure"
like "$(cat "$T_TMP/said")" 'three disks should have been measured, not 0' "that says so"

RUN_PARAMETERS="bench.net=off bench.budget=1 bench.linger=0 bench.linger-fail=0 bench.retry=1"
run
is "$status" 1 "no report is a failure"
like "$(cat "$T_TMP/said")" 'no report arrived' "that says so"
is "$(pgrep -a -f "$T_TMP/out" || :)" "" "nothing is left running"
done_testing
