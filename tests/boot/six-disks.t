#!/bin/sh
# SPDX-License-Identifier: MIT
# Six disks on three controllers, each 20 MB/s and 150 IOPS alone, 80 MB/s and 600 IOPS together:
# they are measured alone, controller beside controller, then all at once, and what they share is
# found.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
BOOT_TESTS=seq-read-qd32,rand-read-qd32,together
BOOT_MEMORY=512
qemu -smp 4
nic
param bench.budget=4

# limited NAME: an image behind a limit of its own and one that all share.
qemu -object throttle-group,id=all,x-bps-total=80000000,x-iops-total=600
limited() {
	image "$1"
	qemu -object "throttle-group,id=own-$1,x-bps-total=20000000,x-iops-total=150" \
		-blockdev "driver=file,node-name=file-$1,filename=$image" \
		-blockdev "driver=throttle,node-name=alone-$1,throttle-group=own-$1,file=file-$1" \
		-blockdev "driver=throttle,node-name=$1,throttle-group=all,file=alone-$1"
}

for disk in sata-1 sata-2 scsi-1 scsi-2 nvme-1 nvme-2; do
	limited "$disk"
done
qemu -device ide-hd,bus=ide.0,drive=sata-1,serial=sata-1
qemu -device ide-hd,bus=ide.1,drive=sata-2,serial=sata-2
qemu -device virtio-scsi-pci,id=scsi
qemu -device scsi-hd,bus=scsi.0,lun=1,drive=scsi-1,serial=scsi-1
qemu -device scsi-hd,bus=scsi.0,lun=2,drive=scsi-2,serial=scsi-2
qemu -device nvme,id=nvme,serial=nvme
qemu -device nvme-ns,bus=nvme,nsid=1,drive=nvme-1 -device nvme-ns,bus=nvme,nsid=2,drive=nvme-2

boot 240
ended reboot
report_arrived
report_is 'taken | length' 6 "six disks"
report_is '[taken[].controller] | unique | length' 3 "on three controllers"
report_has 'asked | length == 24 and all(.status == "ok")' "each ran four tests"
report_is '[asked[] | select(.phase == "alone")] | length' 12 "two of them alone"
report_is '[asked[] | select(.phase == "together")] | length' 12 "and two together"

# Alone means alone on its controller: tests of one controller never overlap, others do.
# shellcheck disable=SC2016 # variables of jq
report_has '([taken[] | {(.name): .controller}] | add) as $at |
	[asked[] | select(.phase == "alone") |
	{at: $at[.target], from: .start_ns, to: (.start_ns + .elapsed_ns)}] as $all |
	[$all | combinations(2) | select(.[0] != .[1] and .[0].from <= .[1].from and
		.[1].from < .[0].to)] |
	all(.[0].at != .[1].at) and length > 0' \
	"alone, disks of one controller run one after the other, controllers side by side" \
	'asked[] | {target, test, start_ns, elapsed_ns}'
report_has '[asked[] | select(.phase == "together")] | group_by(.test) |
	all((map(.start_ns) | max) - (map(.start_ns) | min) < 500000000)' \
	"together, all begin at the same time" 'asked[] | {target, test, start_ns}'
report_has '([asked[] | select(.phase == "alone") | .start_ns + .elapsed_ns] | max) <
	([asked[] | select(.phase == "together") | .start_ns] | min)' \
	"and not before the last has been measured alone"

# within TEST UNIT ALONE TOGETHER: both sums are within 10 % of these
within() {
	report_has ".shared_limits[] | select(.test == \"$1\" and .controller == null) |
		.disks == 6 and .unit == \"$2\" and .limited and
		.alone > $3 * 0.9 and .alone < $3 * 1.1 and
		.together > $4 * 0.9 and .together < $4 * 1.1" \
		"$1: the limit that all share is found within 10 %" .shared_limits
}

within seq-read-together bytes_per_s 120000000 80000000
within rand-read-together iops 900 600
report_is '[.shared_limits[] | select(.controller != null)] | length' 6 \
	"each controller has its sums, for both tests"
report_has '.findings | any(.rule == "shared-limit" and
	(.sentence | test("^6 disks: .* each alone adds up to .*, together they deliver ")))' \
	"a finding says so" .findings
console_like 'about ' "the console says how long it takes"
done_testing
