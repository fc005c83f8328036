#!/bin/sh
# SPDX-License-Identifier: MIT
# Disks behind three kinds of controllers are found, measured and reported, and the machine reboots.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
BOOT_TESTS=seq-read-qd1,seq-read-qd64,rand-read-qd1,rand-read-qd64
disk_nvme nvme-serial-1
disk_sata sata-serial-2
disk_virtio virtio-serial-3 ,logical_block_size=512
nic
param bench.label=three
script 'bootmark: stage run: start' see
script 'bootmark: end: reboot' see
boot 120
ended reboot

report_arrived
report_is 'taken | length' 3 "three disks are taken"
report_is '[taken[].transport] | sort | join(" ")' "nvme sata virtio" "over three transports"
report_is '[taken[].size_bytes] | unique | join(" ")' 67108864 "each has the size of its image"
report_is 'disk("nvme-serial-1").model' "QEMU NVMe Ctrl" "the NVMe disk has its model"
report_is 'disk("sata-serial-2").model' "QEMU HARDDISK" "the SATA disk has its model"
report_is 'disk("nvme-serial-1").name' nvme0n1 "the NVMe disk is the kernel's nvme0n1"
report_is 'disk("sata-serial-2").name' sda "the SATA disk is the kernel's sda"
report_is 'disk("virtio-serial-3").name' vda "the virtio disk is the kernel's vda"
report_has 'taken | all(.controller != null and .driver != null and .firmware != "")' \
	"each has its controller and driver"
for serial in nvme-serial-1 sata-serial-2 virtio-serial-3; do
	report_measured "$serial"
	report_is "results(\"$serial\") | length" 4 "by all four of them"
	report_has "results(\"$serial\") | all(metric(\"throughput\") > 0 and
		metric(\"iops\") > 0)" \
		"disk $serial has a throughput and IOPS" "results(\"$serial\")[] | {test, metrics}"
	report_has "results(\"$serial\") | all(.io.measured_ns >= 5e8 and .io.measured_ns < 3e9)" \
		"disk $serial was measured as long as its budget" \
		"results(\"$serial\")[].io.measured_ns"
	report_has "results(\"$serial\") | all(.io.latency.count == .io.ios)" \
		"each I/O of disk $serial has its latency" "results(\"$serial\")[].io.latency.count"
done
report_is .run.label three "the label is in the report"
report_has '.machine.nics | any(.mac == "52:54:00:12:34:56" and .carrier)' \
	"the NIC is in the report" .machine
report_has '[.findings[] | select(.rule | test("zero"))] == []' \
	"random data is not taken for zeros" .findings
report_has '.findings | all(.rule != "read-only")' \
	"no disk is called read-only because the appliance made it so" .findings
not_ok "the token is nowhere in the report" grep -q "$TOKEN" "$report"

text=$("$OUT/bench" report "$report")
for serial in nvme-serial-1 sata-serial-2 virtio-serial-3; do
	like "$text" "$serial" "the text names disk $serial"
done
is "$(printf '%s\n' "$text" | awk 'length > 80')" "" "no line of the text is longer than 80 columns"
console_like 'nvme0n1' "the console names the disks"
console_unlike "$TOKEN" "the console never shows the token"
done_testing
