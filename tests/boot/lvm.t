#!/bin/sh
# SPDX-License-Identifier: MIT
# A partition and a logical volume over it are compared: on a partition that the disk has, and on
# one made in the kernel alone. Nothing on any disk is changed, and nothing of it is left.
# shellcheck disable=SC2016 # variables of the guest's shell
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
disk_virtio bare
# One partition from 2 MiB on, of 40 MiB, in a table of the oldest kind.
image parted
{
	head -c 446 /dev/zero
	printf '\000\000\000\000\203\000\000\000\000\020\000\000\000\100\001\000'
	head -c 48 /dev/zero
	printf '\125\252'
} | dd of="$image" conv=notrunc status=none
: >"$BOOT/images"
image_watch "$T_TMP/bare.img"
image_watch "$image"
qemu -drive "file=$image,format=raw,if=none,id=parted"
qemu -device virtio-blk-pci,drive=parted,serial=parted
nic
BOOT_TESTS=lvm-compare
param bench.end=shell bench.budget=4
script 'bootmark: end: shell' see
list='echo $(cd /sys/block; ls -d dm-* */vd*[0-9]* 2>/dev/null) .'
script '# ' type "echo left: \$($list); ls -a /dev; ps"
script 'left: [^$]*\.' see
# the process that measures is killed while it does
run='bench run --disks vda --tests lvm-compare --budget 60 --out /tmp/killed >/dev/null &'
script '# ' type "$run"
script '# ' type "sleep 4; echo while: \$($list)"
script 'while: [^$]*\.' see
end='[ $n != bench-disk ] || kill -9 ${p#/proc/}'
killed="for p in /proc/[0-9]*; do read n <\$p/comm; $end; done"
script '# ' type "$killed 2>/dev/null; sleep 3; echo killed: \$($list)"
script 'killed: [^$]*\.' see
script '# ' type "sleep 2; exit"
boot 120
ended reboot

report_arrived
for serial in bare parted; do
	report_is "results(\"$serial\")[0].status" ok "$serial: compared"
	report_has "results(\"$serial\")[0] | metric(\"iops_lvm_percent\") > 20 and
		metric(\"iops_lvm_percent\") < 250 and metric(\"throughput_lvm_percent\") > 20 and
		metric(\"throughput_lvm_percent\") < 250" "$serial: both ratios are there" \
		"results(\"$serial\")[0] | {reason, metrics}"
	report_has "results(\"$serial\")[0].metrics[] | select(.name == \"iops_lvm_percent\") |
		.samples | length >= 5" "$serial: of five pairs at least"
done
report_has 'results("bare")[0].reason | test("that only the kernel knows of$")' \
	"a disk without partitions gets one in the kernel" 'results("bare")[0].reason'
report_has 'results("parted")[0].reason | test("pairs on vdb1$")' \
	"a disk that has one is measured on that" 'results("parted")[0].reason'
report_is 'results("parted")[0].parameters.area_bytes' 41943040 "of its size"
console_like '^left: vdb/vdb1 \.' "neither volume nor partition is left"
console_unlike '[0-9] .*bench-warden' "nor the process that would have removed it"
console_unlike '\.bootmark' "nor a device node"
console_like '^while: dm-0 vda/vda200 vdb/vdb1 \.' "both are there while it measures"
console_like '^killed: vdb/vdb1 \.' "and are gone when it is killed"
done_testing
