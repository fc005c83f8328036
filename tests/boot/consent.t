#!/bin/sh
# SPDX-License-Identifier: MIT
# On the appliance a disk that consent names is written, on itself and on an ext4 of its own, and
# locked again; every other disk stays bit for bit as it was: a disk with a prefix of that serial
# number, two disks that share one, a read-only one, and blank takes only what is blank. A command
# line that was cut, or names nothing, writes nothing.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

# blank NAME: a disk of zeros, which the machine may write; leaves $image.
blank() {
	image=$T_TMP/$1.$BOOT_N.img
	truncate -s 67108864 "$image"
	qemu -drive "file=$image,format=raw,if=none,id=$1,discard=unmap"
}

# refused SERIAL ERE: the disk's reason in the report; nothing that writes ran on it.
refused() {
	report_has "disk(\"$1\").consent == null and (disk(\"$1\").consent_why | test(\"$2\"))" \
		"$1 is refused: $2" '.disks[] | {name, serial, consent, consent_why}'
	report_has "results(\"$1\") | map(select(.test | test(\"write|fill\"))) |
		all(.status == \"skipped\")" "nothing is written to $1"
}

# wrote SERIAL: the writers ran well on it.
wrote() {
	report_has "results(\"$1\") | map(select(.test | test(\"write|fill\"))) |
		length >= 2 and all(.status == \"ok\")" "$1 is written" \
		'.results[] | {test, target, status, reason}'
	report_is "disk(\"$1\").consent" destroy "the report says by what right"
}

collector_start

# One named disk among others that are near it.
machine
BOOT_TESTS=fill-area,seq-read-qd1,dd-write-1g,commit-latency-file
drive NAMED-1 268435456
qemu -device virtio-blk-pci,drive=NAMED-1,serial=NAMED-1
sed -i '$d' "$BOOT/images"	# this one alone may change
named=$T_TMP/NAMED-1.img
named_before=$(sha256sum <"$named")
disk_virtio NAMED-12
disk_nvme NAMED
disk_sata Case-3
qemu -device virtio-scsi-pci,id=scsi
for id in twin0 twin1; do
	drive $id
	qemu -device "scsi-hd,bus=scsi.0,drive=$id,serial=TWIN"
done
drive none
qemu -device virtio-blk-pci,drive=none
image locked
qemu -drive "file=$image,format=raw,if=none,id=locked,readonly=on" \
	-device virtio-blk-pci,drive=locked,serial=LOCKED
nic
param bench.write=destroy bench.destroy=NAMED-1,CASE-3,TWIN,LOCKED,NOBODY bench.end=shell
# At the end the disk that was written is locked again, in the kernel.
script '# ' type "grep . /sys/class/block/*/ro | grep -c ':1'; sleep 3; exit"
script '^8' see
boot 200
ended reboot
report_arrived
wrote NAMED-1
report_has 'results("NAMED-1") | any(.test == "seq-read-qd1" and .status == "ok")' "it is read too"
report_has 'results("NAMED-1") | any(.test == "commit-latency-file" and .status == "ok")' \
	"a file test makes its own ext4 on it" '.results[] | {test, target, status, reason}'
console_like 'in 10 s' "a countdown runs before"
is "$(test "$(sha256sum <"$named")" = "$named_before" && echo same || echo changed)" changed \
	"it was really written"
refused NAMED-12 'only the beginning'
refused NAMED 'does not name it'
refused Case-3 'another case'
refused TWIN 'is that of sd[ab] too'
refused LOCKED 'read-only'
report_has '.notes | any(.text | test("\"NOBODY\" is the serial number or WWN of no disk"))' \
	"a name that no disk has is noted" .notes

# blank: by what lies on the disks alone, also for one without a serial number.
machine
BOOT_TESTS=fill-area,dd-write-1g
blank zeros
qemu -device nvme,drive=zeros,serial=ZEROS
blank nameless
qemu -device virtio-blk-pci,drive=nameless
drive backup
# A partition table whose first copy is gone.
: >"$BOOT/images"
truncate -s 67108864 "$image"
head -c 67108864 /dev/zero >"$image"
echo , | sfdisk -q --label gpt "$image"
dd if=/dev/zero of="$image" bs=1M count=1 conv=notrunc status=none
image_watch "$image"
qemu -device virtio-blk-pci,drive=backup,serial=BACKUP
image swap
head -c 67108864 /dev/zero >"$image"
mkswap -q "$image"
: >"$BOOT/images.new"
grep -v "swap.img" "$BOOT/images" >"$BOOT/images.new"
mv "$BOOT/images.new" "$BOOT/images"
image_watch "$image"
qemu -drive "file=$image,format=raw,if=none,id=swap" -device virtio-blk-pci,drive=swap,serial=SWAP
nic
param bench.write=destroy bench.destroy=blank
boot 200
ended reboot
report_arrived_as complete 2
wrote ZEROS
report_has '[.disks[] | select(.consent == "destroy")] | length == 2' \
	"so is a disk without a name" '.disks[] | {name, serial, consent, consent_why}'
refused BACKUP 'gpt partition table'
refused SWAP 'swap'

arrived=2
# What may have been cut, and what is no consent.
for line in 'bench.write=destroy bench.destroy=A1' 'bench.write=destroy bench.destroy=a1' \
	'bench.write=Destroy bench.destroy=A1' 'bench.write=destroy' 'bench.destroy=A1' \
	'bench.write=writeback'; do
	machine
	BOOT_TESTS=fill-area,dd-write-1g,gnome-write,seq-read-qd1
	disk_virtio A1
	nic
	# shellcheck disable=SC2086 # several words
	param $line
	[ "$line" != 'bench.write=destroy bench.destroy=A1' ] || BOOT_EOL=
	boot 120
	ended reboot
	arrived=$((arrived + 1))
	report_arrived_as complete "$arrived"
	report_has 'results("A1") | map(select(.test | test("write|fill"))) |
		length == 3 and all(.status == "skipped")' "'$line' writes nothing"
done
done_testing
