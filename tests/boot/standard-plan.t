#!/bin/sh
# SPDX-License-Identifier: MIT
# Profile standard on three disks stays inside the plan it prints. The deadline is what makes it
# short enough for a test: the plan shortens itself to fit, and all else is as in a full one.
# STANDARD_DEADLINE=900 gives the profile all of its time.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

deadline=${STANDARD_DEADLINE:-150}
collector_start
machine
BOOT_TESTS=
disk_nvme a
disk_sata b
disk_virtio c
nic
# the last word for each option counts
param bench.profile=standard bench.budget=0 "bench.deadline=$deadline"
boot $((deadline + 120))
ended reboot
report_arrived
report_is .run.profile standard "it was profile standard"
report_is 'taken | length' 3 "on three disks"
report_has '[asked[] | select(.status != "ok" and .status != "skipped")] == []' \
	"every test that was planned has its result" \
	'[asked[] | select(.status != "ok")] | .[] | {target, test, status, reason}'
report_has '[asked[] | select(.status == "ok")] | length >= 3 * 6' "and they are many"
report_has '[asked[] | select(.status == "ok" and .budget_ns > 0 and
	.elapsed_ns > .budget_ns * 1.1 + 1e9)] | length <= 3' \
	"tests keep to their budgets" \
	'asked[] | select(.status == "ok") | {target, test, budget_ns, elapsed_ns}'
report_has '.run.elapsed_ns < .run.planned_ns * 1.1' \
	"the run takes no longer than its plan, within 10 %" '.run | {planned_ns, elapsed_ns}'
report_has ".run.planned_ns < $deadline * 1e9 and .run.elapsed_ns < $deadline * 1e9" \
	"both are within the deadline" '.run | {planned_ns, elapsed_ns}'
console_like 'standard: 3 disks, [0-9]+ tests, about ' "the console states the plan"
[ "$deadline" -ge 900 ] ||
	report_has '.notes | any(.name == "plan" and (.text | test("before the deadline")))' \
		"the report says that the deadline has shortened it" .notes
diag "$(jq -r '.run | "planned \(.planned_ns / 1e9) s, took \(.elapsed_ns / 1e9) s"' "$report")"
done_testing
