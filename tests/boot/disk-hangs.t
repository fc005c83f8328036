#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that stops answering once the run has begun: the other disks are measured, the report
# says what happened and arrives, and the machine reboots although a process still waits for that
# disk.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
disk_nvme healthy
disk_virtio hung
# One byte per second: an I/O takes more than an hour.
limits='"bps": 1, "bps_rd": 0, "bps_wr": 0, "iops": 0, "iops_rd": 0, "iops_wr": 0'
script 'bootmark: stage run: start' qmp \
	"{\"execute\": \"block_set_io_throttle\", \"arguments\": {\"device\": \"hung\", $limits}}"
script 'bootmark: end: reboot' see
boot 150
ended reboot
report_arrived
report_measured healthy
report_has '[asked[] | select(.target == "vda")] |
	length >= 2 and all(.status != "ok" and (.reason | length) > 0)' \
	"no test of the hung disk counts as well"
report_has '[asked[] | select(.target == "vda")] | any(.reason | test("answer"))' \
	"a test says that the disk does not answer"
report_has '.findings | any(.target == "vda" and .severity != "info")' \
	"a finding tells of the hung disk" .findings
done_testing
