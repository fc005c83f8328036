#!/bin/sh
# SPDX-License-Identifier: MIT
# One SCSI disk over two paths is measured once; disks that only share a WWN, and disks without any
# serial number, are different disks.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
image dual
for id in path0 path1; do
	qemu -drive "file=$image,format=raw,if=none,id=$id,file.locking=off"
done
drive clone0
drive clone1
drive blank0
drive blank1
qemu -device virtio-scsi-pci,id=scsi
qemu -device scsi-hd,bus=scsi.0,drive=path0,wwn=0x5000c50000000001,serial=DUAL,share-rw=on
qemu -device scsi-hd,bus=scsi.0,drive=path1,wwn=0x5000c50000000001,serial=DUAL,share-rw=on
qemu -device scsi-hd,bus=scsi.0,drive=clone0,wwn=0x5000c50000000002,serial=CLONE0
qemu -device scsi-hd,bus=scsi.0,drive=clone1,wwn=0x5000c50000000002,serial=CLONE1
qemu -device virtio-blk-pci,drive=blank0 -device virtio-blk-pci,drive=blank1
boot 120
ended reboot
report_arrived
report_is 'taken | length' 5 "five disks are taken of six devices"
report_is '[.disks[] | select(.skip == "second_path")] | length' 1 \
	"one device is another's second path"
report_is '[taken[] | select(.path_count == 2)] | length' 1 "one disk has two paths"
report_is '[taken[].identity] | unique | length' 5 "each has an identity of its own"
report_is '[taken[] | select(.identity_is_path)] | length' 2 \
	"disks without a serial number are known by their path"
report_has '[asked[].target] | unique | length == 5' "five are measured"
report_has 'asked | all(.status == "ok")' "every test ended well"
done_testing
