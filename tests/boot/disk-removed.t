#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that is pulled while it is measured: its result is a failure, never speed; the others go
# on.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
disk_nvme healthy
drive pulled
qemu -device pcie-root-port,id=root1,chassis=1,slot=1
qemu -device virtio-blk-pci,bus=root1,id=pulled-device,drive=pulled,serial=pulled
param bench.budget=4
script 'bootmark: stage run: start' see
script '\] vda .*\.\.\.' sleep 2
script '' qmp '{"execute": "device_del", "arguments": {"id": "pulled-device"}}'
boot 150
ended reboot
report_arrived
report_measured healthy
report_has '[asked[] | select(.target == "vda")] | length >= 2 and any(.status != "ok")' \
	"the pulled disk's tests failed"
report_has 'asked | all(.status == "ok" or (.reason | length) > 0)' \
	"each says why"
report_has '[asked[] | select(.target == "vda") | metric("throughput")] | all(. < 1e11)' \
	"no empty read became speed" '.results[] | {test, target, metrics}'
report_has '.findings | any(.target == "vda" and .severity != "info")' \
	"a finding tells of the pulled disk" .findings
done_testing
