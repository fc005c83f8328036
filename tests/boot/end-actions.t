#!/bin/sh
# SPDX-License-Identifier: MIT
# The end actions: reboot, poweroff, halt; and the other one where the report could not be
# delivered.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
for action in reboot poweroff halt; do
	machine
	nic
	param "bench.end=$action" bench.onfail=shell
	script "bootmark: end: $action" see
	[ "$action" != halt ] || script '' halted
	boot 120
	ended "$action"
done

machine
nic
BOOT_UPLOAD=http://$BOOT_HOST:9/v1/reports
param bench.retry=2 bench.end=reboot bench.onfail=poweroff
script 'bootmark: end: poweroff' see
boot 120
ended poweroff
done_testing
