#!/bin/sh
# SPDX-License-Identifier: MIT
# Not even root on the machine's own shell can write a disk by mistake: the kernel refuses, and
# the images stay as they were. The report that arrived is byte for byte the one the machine
# wrote.
# shellcheck disable=SC2016 # variables of the guest's shell
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
disk_nvme a
disk_sata b
disk_virtio c
nic
BOOT_TESTS=seq-read-qd1
param bench.end=shell
script 'bootmark: end: shell' see
write='echo junk | dd of=/dev/$d bs=512 count=1 conv=fsync; echo "$d: status $?"'
script '# ' type "for d in nvme0n1 sda vda; do $write; done"
script 'nvme0n1: status [1-9]' see
script 'sda: status [1-9]' see
script 'vda: status [1-9]' see
look='sha256sum $(find / -name report.json); cat /proc/mounts; echo "all"'
# A shell that ends within two seconds counts as one that nobody sat before.
script '# ' type "$look; sleep 3; exit"
script '^all' see
boot 120
ended reboot
report_arrived
report_is '[asked[].test] | unique | join(" ")' seq-read-qd1 "only the asked test ran"
console_like "^$(sha256sum <"$report" | cut -d ' ' -f 1) " "the report arrived as it was written"
console_unlike '^/dev/' "no file system of a disk is mounted"
done_testing
