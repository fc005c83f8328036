#!/bin/sh
# SPDX-License-Identifier: MIT
# What is no disk to measure is listed with its reason: an empty card reader, a CD drive, a floppy
# drive, an NVMe controller without a namespace. The disk beside them is measured.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
disk_virtio real
image floppy 1474560
qemu -drive "file=$image,format=raw,if=none,id=floppy"
qemu -device isa-fdc,id=fdc -device floppy,bus=fdc.0,drive=floppy
image disc 2097152
qemu -drive "file=$image,format=raw,if=none,id=disc,media=cdrom"
qemu -device ide-cd,bus=ide.0,drive=disc
qemu -device ide-cd,bus=ide.1,id=emptycd
qemu -device qemu-xhci -drive if=none,id=reader
qemu -device usb-storage,drive=reader,removable=on,serial=CARD1
qemu -device nvme,serial=no-namespace
boot 120
ended reboot
report_arrived
report_is 'taken | length' 1 "one disk is taken"
report_measured real
report_skipped '^sd' no_medium
report_skipped '^sr0' optical
report_skipped '^sr1' optical
report_skipped '^nvme' no_namespace
report_has '.disks | any(.serial == "no-namespace")' "the NVMe controller has its serial number"
report_has '[.disks[] | select(.name | test("^fd"))] | all(.skip == "floppy")' \
	"a floppy drive is no disk"
done_testing
