#!/bin/sh
# SPDX-License-Identifier: MIT
# One NVMe subsystem, two controllers: a namespace that both serve is one disk, one that only one
# of them serves is another; with the kernel's multipath and without it.
# shellcheck disable=SC2016 # variables of jq
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
n=0
for multipath in Y N; do
	n=$((n + 1))
	machine
	nic
	drive "shared$n"
	drive "own$n"
	qemu -device nvme-subsys,id=both,nqn=boot
	qemu -device nvme,id=ctl0,serial=S1,subsys=both -device nvme,id=ctl1,serial=S1,subsys=both
	qemu -device "nvme-ns,drive=shared$n,nsid=1,shared=on,bus=ctl0"
	qemu -device "nvme-ns,drive=own$n,nsid=2,shared=off,bus=ctl1"
	param "nvme_core.multipath=$multipath"
	boot 90
	ended reboot
	report_arrived_as complete "$n"
	report_is 'taken | length' 2 "multipath=$multipath: two disks are taken"
	report_is '[taken[].path_count] | sort | join(" ")' "1 2" "one of them over two paths"
	report_has '[taken[].identity] | unique | length == 2' "they are different disks"
	report_has '[taken[].name as $name | [.results[] | select(.target == $name)] |
		length >= 3 and all(.status == "ok")] | all' "both are measured"
	report_has '[.results[].target] | unique | length == 2' "nothing is measured twice"
	report_has '.disks | any(.skip == "hidden_path" or .skip == "second_path")' \
		"the other path is listed with its reason"
done
done_testing
