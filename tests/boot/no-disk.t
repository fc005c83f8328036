#!/bin/sh
# SPDX-License-Identifier: MIT
# A machine without any disk still reports what it is, and that it has no disk.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
boot 120
ended reboot
report_arrived
report_is 'taken | length' 0 "no disk is taken"
report_is 'asked | length' 0 "nothing is measured"
report_has '.machine.memory_bytes > 1e8 and .machine.cpu.model != null' \
	"the machine is described" .machine
like "$("$OUT/bench" report "$report")" "[Nn]o disk" "the text says that there is no disk"
done_testing
