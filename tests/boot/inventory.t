#!/bin/sh
# SPDX-License-Identifier: MIT
# The appliance tells what stands around the disks: cards with their drivers, what a NIC's driver
# knows of it, the switch it hears, and what lies on the disks.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"
need_tool mkfs.ext4 sfdisk /usr/bin/python3

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
# A second card, of whose cable's other end nothing is known but that it speaks LLDP. (Its cable is
# UDP: a datagram is a frame.)
wire=$(free_port)
qemu -netdev "socket,id=net1,udp=127.0.0.1:9,localaddr=127.0.0.1:$wire"
qemu -device e1000e,netdev=net1,mac=52:54:00:12:34:57,romfile=
/usr/bin/python3 - "$wire" <<-'EOF' &
	import socket, sys, time
	def tlv(kind, value):
	    return bytes([kind << 1, len(value)]) + value
	frame = bytes.fromhex("0180c200000e02000000000188cc") \
	    + tlv(1, b"\4\2\0\0\0\0\1") + tlv(2, b"\5Ethernet7") + tlv(3, b"\0\x78") \
	    + tlv(5, b"leaf-3") + tlv(0, b"")
	s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
	for _ in range(600):
	    s.sendto(frame.ljust(60, b"\0"), ("127.0.0.1", int(sys.argv[1])))
	    time.sleep(0.2)
EOF
speaker=$!
at_exit "kill $speaker 2>/dev/null || :"
boot 120
ended reboot
report_arrived
nic='.machine.nics[] | select(.mac == "52:54:00:12:34:56")'
report_is "$nic | \"\\(.driver) \\(.speed_mbit_per_s) \\(.duplex) of \\(.max_mbit_per_s)\"" \
	"e1000e 1000 full of 1000" "the NIC's driver says how fast it is and can be"
report_has "$nic | .model | startswith(\"Intel 82574L\")" "it has a name" "$nic"
report_has "$nic | .firmware | length > 0" "and a version of its firmware" "$nic"
report_is '[.machine.nics[] | select(.lldp_system)] | map([.mac, .lldp_system, .lldp_port]
	| join(" ")) | join(", ")' "52:54:00:12:34:57 leaf-3 Ethernet7" \
	"the switch at the other one's cable is heard"
report_has '.machine.pci | length > 3 and all(.vendor and .class_name)' \
	"every device has a maker and a class" .machine.pci
report_is '[.machine.pci[] | select(.wanted and (.driver | not)).address] | join(" ")' '' \
	"every disk controller and NIC has a driver"
report_is '[.machine.signatures[] | select(.usage == "partition-table" or .label == "lies-here")
	| "\(.device) \(.type)"] | join(", ")' "vda gpt, vda1 ext4" "what lies on the disk is told"
report_is '[.machine.kernel_faults[]?] | length' 0 "and no fault of the kernel"
done_testing
