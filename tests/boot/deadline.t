#!/bin/sh
# SPDX-License-Identifier: MIT
# The total deadline ends the run early: what was measured arrives, the rest says why it was not.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
disk_nvme a
disk_sata b
nic
param bench.budget=8 bench.deadline=30
boot 120
ended reboot
uptime_s=$(sed -n 's/^\[ *\([0-9]*\)\.[0-9]*\] reboot: .*/\1/p' "$BOOT/text" | tail -n 1)
le "${uptime_s:-999}" 32 "the machine is through within the deadline: after $uptime_s s"
report_arrived_as partial 1
report_has '.run.state_reason | test("deadline")' "the report says that the deadline ended it" .run
report_has 'asked | any(.status == "ok")' "what was measured until then is there"
report_has '[asked[] | select(.status != "ok")] | length > 0 and all((.reason | length) > 0)' \
	"what was not measured says why"
report_has '.findings | all(.sentence | test("not answer") | not)' \
	"a disk whose test was cut short is not accused of anything" .findings
done_testing
