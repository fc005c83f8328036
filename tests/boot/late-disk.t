#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that appears while others are measured is set read-only, measured after them, and its
# lateness is told.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
disk_nvme early
drive late
qemu -device pcie-root-port,id=root1,chassis=1,slot=1
device='"driver": "virtio-blk-pci", "bus": "root1", "drive": "late", "serial": "late"'
script '\] nvme0n1 .*\.\.\.' qmp "{\"execute\": \"device_add\", \"arguments\": {$device}}"
boot 120
ended reboot
report_arrived
report_is 'taken | length' 2 "both disks are taken"
report_measured early
report_measured late
report_has 'disk("late").late_ms > 0 and (disk("early").late_ms // 0) == 0' \
	"the late disk is known as such" 'taken[] | {serial, late_ms}'
console_like 'guard: vda appeared .* is read-only' "the late disk was set read-only"
done_testing
