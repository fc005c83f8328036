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
	if [ "$multipath" = Y ]; then others="1 2"; else others="0 1"; fi
	machine
	nic
	drive "shared$n"
	drive "own$n"
	qemu -device nvme-subsys,id=both,nqn=boot
	qemu -device nvme,id=ctl0,serial=S1,subsys=both -device nvme,id=ctl1,serial=S1,subsys=both
	qemu -device "nvme-ns,drive=shared$n,nsid=1,shared=on,bus=ctl0"
	qemu -device "nvme-ns,drive=own$n,nsid=2,shared=off,bus=ctl1"
	param "nvme_core.multipath=$multipath"
	boot 120
	ended reboot
	report_arrived_as complete "$n"
	report_is 'taken | length' 2 "multipath=$multipath: two disks are taken"
	# With multipath the kernel puts a disk of its own above the paths; else the first is it.
	report_is '[taken[] | (.paths - [.name]) | length] | sort | join(" ")' "$others" \
		"one of them has a path more than the other"
	report_has '[taken[].identity] | unique | length == 2' "they are different disks"
	report_has '[taken[].name as $name | [asked[] | select(.target == $name)] |
		length >= 2 and all(.status == "ok")] | all' "both are measured"
	report_has '[asked[].target] | unique | length == 2' "nothing is measured twice"
	report_has '.disks | any(.skip == "hidden_path" or .skip == "second_path")' \
		"the other path is listed with its reason"
done
done_testing
