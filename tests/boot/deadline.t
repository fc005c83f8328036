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
param bench.budget=20 bench.deadline=30
boot 100
ended reboot
le "$(sed 's/\..*//' "$BOOT/seconds")" 75 "the machine is through long before the plan's 160 s"
report_arrived_as partial 1
report_has '.run.state_reason | test("deadline")' "the report says that the deadline ended it" .run
report_has '.results | any(.status == "ok")' "what was measured until then is there"
report_has '[.results[] | select(.status != "ok")] | length > 0 and all((.reason | length) > 0)' \
	"what was not measured says why"
done_testing
