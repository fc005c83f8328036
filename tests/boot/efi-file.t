#!/bin/sh
# SPDX-License-Identifier: MIT
# The one file bootmark.efi boots as an EFI application from a FAT volume, and by a BIOS boot
# loader.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

code=/usr/share/OVMF/OVMF_CODE_4M.fd
variables=/usr/share/OVMF/OVMF_VARS_4M.fd
need_file "$OUT/bootmark.efi"
collector_start

machine
disk_nvme a
nic
qemu -kernel "$OUT/bootmark.efi" -append "$(boot_line)"
boot_plain 120
ended reboot
report_arrived
report_measured a

if [ -e "$code" ] && [ -e "$variables" ]; then
	machine
	BOOT_MEMORY=512
	disk_nvme b
	nic
	volume=$BOOT/volume
	mkdir "$volume"
	cp "$OUT/bootmark.efi" "$volume/"
	# The firmware's shell runs this when nothing else boots.
	printf 'fs0:\r\nbootmark.efi %s\r\n' "$(boot_line)" >"$volume/startup.nsh"
	cp "$variables" "$BOOT/variables"
	qemu -drive "if=pflash,unit=0,format=raw,readonly=on,file=$code"
	qemu -drive "if=pflash,unit=1,format=raw,file=$BOOT/variables"
	qemu -drive "if=none,id=volume,format=raw,readonly=on,file=fat:$volume"
	qemu -device virtio-blk-pci,drive=volume,serial=volume,bootindex=1
	for protocol in IPv4PXESupport IPv6PXESupport; do
		qemu -fw_cfg "name=opt/org.tianocore/$protocol,string=n"
	done
	boot_plain 180
	ended reboot
	report_arrived_as complete 2
	report_measured b
	report_has 'taken | any(.serial == "volume")' "the boot volume is a disk as others"
else
	skip "boots as an EFI application" "no OVMF firmware here"
fi
done_testing
