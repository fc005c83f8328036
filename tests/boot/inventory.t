#!/bin/sh
# SPDX-License-Identifier: MIT
# The appliance tells what stands around the disks: cards with their drivers, what a NIC's driver
# knows of it, and what lies on the disks.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"
need_tool mkfs.ext4 sfdisk

collector_start
machine
nic_model e1000e
disk_sata plain
made=$T_TMP/made.img
head -c 67108864 /dev/urandom >"$made"
printf 'label: gpt\n,32M\n' | sfdisk -q --wipe always "$made"
mkfs.ext4 -q -F -L lies-here -E offset=1048576 "$made" 32m
image_watch "$made"
qemu -drive "file=$made,format=raw,if=none,id=made"
qemu -device virtio-blk-pci,drive=made,serial=made
boot 120
ended reboot
report_arrived
nic='.machine.nics[0]'
report_is "$nic | \"\\(.driver) \\(.speed_mbit_per_s) \\(.duplex) of \\(.max_mbit_per_s)\"" \
	"e1000e 1000 full of 1000" "the NIC's driver says how fast it is and can be"
report_has "$nic.model | startswith(\"Intel 82574L\")" "it has a name" "$nic"
report_has "$nic.firmware | length > 0" "and a version of its firmware" "$nic"
report_has '.machine.pci | length > 3 and all(.vendor and .class_name)' \
	"every device has a maker and a class" .machine.pci
report_is '[.machine.pci[] | select(.wanted and (.driver | not)).address] | join(" ")' '' \
	"every disk controller and NIC has a driver"
report_is '[.machine.signatures[] | select(.usage == "partition-table" or .label == "lies-here")
	| "\(.device) \(.type)"] | join(", ")' "vda gpt, vda1 ext4" "what lies on the disk is told"
report_is '[.machine.kernel_faults[]?] | length' 0 "and no fault of the kernel"
done_testing
