#!/bin/sh
# SPDX-License-Identifier: MIT
# Disks of 4 KiB sectors on virtio and NVMe, a read-only disk, one of 1 MiB and one of 20 TiB.
# shellcheck disable=SC2016 # variables of jq
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
disk_virtio v4kn ,logical_block_size=4096,physical_block_size=4096
drive n512
drive n4kn
qemu -device nvme,id=ctl,serial=nvme-mixed
qemu -device nvme-ns,drive=n512,nsid=1,bus=ctl
qemu -device nvme-ns,drive=n4kn,nsid=17,bus=ctl,logical_block_size=4096,physical_block_size=4096
image ro
qemu -drive "file=$image,format=raw,if=none,id=ro,readonly=on"
qemu -device virtio-blk-pci,drive=ro,serial=read-only
drive tiny 1048576
qemu -device virtio-blk-pci,drive=tiny,serial=tiny
qemu-img create -q -f qcow2 "$T_TMP/huge.qcow2" 20T
image_watch "$T_TMP/huge.qcow2"
qemu -drive "file=$T_TMP/huge.qcow2,format=qcow2,if=none,id=huge"
qemu -device virtio-blk-pci,drive=huge,serial=huge
boot 120
ended reboot
report_arrived
report_is 'taken | length' 6 "six disks are taken"
for serial in v4kn read-only huge; do
	report_measured "$serial"
done
report_is 'disk("v4kn").logical_block_bytes' 4096 "virtio: sectors of 4 KiB"
report_is 'disk("read-only").read_only' true "the read-only disk is known as such"
report_is '[.findings[] | select(.rule == "read-only") | .target] | join(" ")' \
	"$(jq -r '.disks[] | select(.serial == "read-only") | .name' "$report")" \
	"and no other disk is called so"
report_is 'disk("huge").size_bytes' 21990232555520 "20 TiB are 20 TiB"
report_has 'results("huge") | any(.io.zero_buffers > 0)' \
	"zeros read from the empty image are counted"
report_is '[taken[] | select(.serial == "nvme-mixed") | .logical_block_bytes] | sort | join(" ")' \
	"512 4096" "two namespaces of one controller have their own sector sizes"
report_has '[taken[] | select(.serial == "nvme-mixed") | .identity] | unique | length == 2' \
	"and their own identities" 'taken[] | {name, identity}'
report_has '[taken[] | select(.serial == "nvme-mixed") | .name] as $names |
	[asked[] | select(.target | IN($names[]))] | length >= 4 and all(.status == "ok")' \
	"both are measured"
report_has 'results("tiny") | length >= 2 and all(.status == "ok" or .status == "unsupported")' \
	"a disk of 1 MiB is measured as far as it goes"
report_has 'results("tiny") | all(.status == "ok" or (.reason | length > 0))' "or it says why not"
done_testing
