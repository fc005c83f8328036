#!/bin/sh
# SPDX-License-Identifier: MIT
# A machine without a NIC measures all the same; its report is on the console and it reaches its
# end.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

machine
disk_virtio lonely-serial
BOOT_UPLOAD=http://$BOOT_HOST:9/v1/reports
boot 120
ended reboot
console_like 'lonely-serial' "the report's text is on the console"
console_like 'bootmark: .*(net|upload).*' "the console says why nothing was uploaded"
done_testing
