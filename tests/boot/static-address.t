#!/bin/sh
# SPDX-License-Identifier: MIT
# The standard parameter ip= gives a static address; DHCP is not asked for.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
# shellcheck disable=SC2016
param 'ip=10.0.2.77::10.0.2.2:255.255.255.0:$(reboot):eth0:off'
nic_model e1000e
boot 120
ended reboot
report_arrived
report_has '.machine.nics | any(.driver == "e1000e")' "over an e1000e" .machine.nics
console_like '10\.0\.2\.77' "the console shows the address"
console_unlike 'DHCP' "DHCP is not spoken of"
done_testing
