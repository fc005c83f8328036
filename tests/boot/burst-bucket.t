#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that writes fast for a while only: where it slows down and what comes back with idle time.
#
# QEMU's burst bucket (throttle-groups, docs/throttle.txt): writes raise its level by their bytes,
# and it leaks 20 MB each second. Up to a level of 80 MB/s * 8 s = 640 MB writes run at 80 MB/s, so
# it is full after 640 / (80 - 20) = 10.67 s and 853 MB; then they run at 20 MB/s. Each idle second
# frees 20 MB, which a burst writes while another quarter of them comes free: 26.67 MB.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
BOOT_TESTS=sustained-write
truncate -s 4G "$T_TMP/burst.img"
qemu -drive "file=$T_TMP/burst.img,format=raw,if=none,id=burst,throttling.bps-write=20000000,\
throttling.bps-write-max=80000000,throttling.bps-write-max-length=8"
qemu -device virtio-blk-pci,drive=burst,serial=burst-serial
disk_virtio other-serial
nic
param bench.profile=full bench.budget=75 bench.write=destroy bench.destroy=burst-serial
boot 240
ended reboot

# within NAME WANT: a metric of the burst disk is within 10 % of WANT.
within() {
	report_has "results(\"burst-serial\")[0] | metric(\"$1\") // 0 |
		. >= $2 * 0.9 and . <= $2 * 1.1" "$1 is $2 within 10 %" \
		'results("burst-serial")[] | {status, reason, metrics}'
}

# refill IDLE_S: the burst after so long an idle time writes 80/60 of what that frees.
refill() {
	report_has "results(\"burst-serial\")[0].curves[] | select(.name == \"refill\") |
		.points | any(.x >= $1 * 1e9 and .x <= $1 * 1.1e9 and
			.y / .x >= 0.024 and .y / .x <= 0.02934)" \
		"$1 s of idle bring back what they should, within 10 %" \
		'results("burst-serial")[].curves[]? | select(.name == "refill")'
}

report_arrived
report_is 'results("burst-serial") | map(.test + " " + .status) | join(",")' "sustained-write ok" \
	"the burst disk was written to"
within bytes_at_drop 853333333
within time_at_drop 10666666667
within speed_before 80000000
within speed_after 20000000
within refill 26666667
refill 5
refill 15
report_has 'results("burst-serial")[0] | metric("recovery_time") >= 5e9 and
	metric("recovery_time") <= 5.5e9' "full speed is back after the first pause of 5 s"
report_is 'results("burst-serial")[0] | metric("drops")' 1 "there is one drop"
report_has '.findings | any(.rule == "write-drop" and (.sentence |
	test("fall from (7[2-9]|8[0-7])[.0-9]* MB/s to (1[89]|2[01])[.0-9]* MB/s after [789]")))' \
	"the finding says so" .findings
report_has 'results("other-serial") | all(.status == "skipped")' \
	"the disk that nobody named is left alone" 'results("other-serial")'
like "$("$OUT/bench" report "$report")" 'falls from .* MB/s to .* MB/s after 8[0-9][0-9] MB' \
	"the text says so"

# An NVMe disk without a limit (nor a medium), whose sensor says 323 K.
machine
BOOT_TESTS=sustained-write
qemu -blockdev driver=null-co,node-name=steady,size=268435456
qemu -device nvme,drive=steady,serial=steady-serial
nic
param bench.profile=full bench.budget=5 bench.write=destroy bench.destroy=steady-serial
boot 120
ended reboot
report_arrived_as complete 2
report_is 'results("steady-serial") | map(.test + " " + .status) | join(",")' "sustained-write ok" \
	"a disk without a limit is written to"
report_is 'results("steady-serial")[0] | metric("drops")' 0 "it does not slow down"
report_has 'results("steady-serial")[0].reason | test("no drop within [0-9.]+ [MG]B")' \
	"within an amount that is stated" 'results("steady-serial")[0].reason'
report_is 'results("steady-serial")[0] | metric("temperature_max") | . * 100 | round' 4985 \
	"its temperature is measured meanwhile"
report_has '.findings | all(.rule != "write-drop")' "and no finding speaks of a drop" .findings
done_testing
