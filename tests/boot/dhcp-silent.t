#!/bin/sh
# SPDX-License-Identifier: MIT
# A NIC with carrier where no DHCP server answers: tests do not wait for it, the machine reaches
# its end.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

machine
disk_virtio lonely-serial
nic_silent
BOOT_UPLOAD=http://$BOOT_HOST:9/v1/reports
boot 120
ended reboot
console_like 'lonely-serial' "the report's text is on the console"
console_like 'bootmark: .*DHCP' "the console says that DHCP got no answer"
done_testing
