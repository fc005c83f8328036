#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk with one sector that cannot be read: errors are counted and told, the other disk is not
# touched by it.
# shellcheck disable=SC2016 # variables of jq
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
disk_sata healthy
image sick
# Sector 40000 is 19.5 MiB into the disk: the kernel's own looks at its beginning and end go well.
qemu -blockdev "driver=file,filename=$image,node-name=sick-file"
qemu -blockdev driver=raw,file=sick-file,node-name=sick-raw
fault=inject-error.0
qemu -blockdev "driver=blkdebug,node-name=sick,image=sick-raw,$fault.event=none,$fault.iotype=read,\
$fault.errno=5,$fault.sector=40000,$fault.once=off"
qemu -device virtio-blk-pci,drive=sick,serial=sick,rerror=report,werror=report
boot 120
ended reboot
report_arrived
report_measured healthy
report_has 'results("sick") | any(.io.error_ios > 0)' \
	"read errors are counted" 'results("sick")[].io'
report_has 'results("sick") | all(.io.error_ios == 0 or (.reason | length) > 0)' \
	"a result with errors explains itself"
report_has 'results("sick") | [.[].io.errors[]?] | length > 0 and all(.errno == 5)' \
	"the error is EIO" 'results("sick")[].io.errors'
report_has 'results("sick") | [.[].io.errors[]? | .first_offset_bytes] |
	all(. <= 40000 * 512 and . + 1048576 > 40000 * 512)' "and it is where the bad sector is" \
	'results("sick")[].io.errors'
report_has 'disk("sick").name as $name |
	.findings | any(.target == $name and .severity != "info")' \
	"a finding tells of it" .findings
report_has '.kernel_log | tostring | test("I/O error")' \
	"the kernel's lines are in the report" .kernel_log
done_testing
