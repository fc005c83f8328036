#!/bin/sh
# SPDX-License-Identifier: MIT
# Without any console the report arrives all the same.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
BOOT_CONSOLE=console=null
disk_virtio a
nic
boot 120
ended reboot
is "$(cat "$BOOT/text")" "" "nothing was written to the serial port"
report_arrived
report_measured a
done_testing
