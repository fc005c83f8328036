#!/bin/sh
# SPDX-License-Identifier: MIT
# With consent to write, a blank disk is written first, later tests read what was written and no
# zeros, each engine writes and reads, and a blank disk without consent stays as it is.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

# blank NAME: a drive of 64 MiB that was never written.
blank() {
	truncate -s 64M "$T_TMP/$1.img"
	qemu -drive "file=$T_TMP/$1.img,format=raw,if=none,id=$1"
}

collector_start
machine
blank given
qemu -device virtio-blk-pci,drive=given,serial=GIVEN-1
blank kept
image_watch "$T_TMP/kept.img"
qemu -device virtio-blk-pci,drive=kept,serial=KEPT-1
nic
BOOT_TESTS=fill-area,seq-read-qd1,seq-read-qd64,rand-read-qd64-uring,seq-write-qd64,rand-write-qd64
param bench.write=destroy bench.destroy=GIVEN-1
boot 120
ended reboot
report_arrived

# shellcheck disable=SC2016 # variables of jq
of='results("GIVEN-1") | map({key: .test, value: .}) | from_entries'
report_has "results(\"GIVEN-1\") | length == 6 and all(.status == \"ok\" and .io.ios > 0)" \
	"every test of the disk with consent is ok"
filled=$(jq -r "$BOOT_JQ$of | .\"fill-area\".parameters.area_bytes" "$report")
ge "$filled" 16777216 "the area is as much as was written"
le "$filled" 67108864 "and not more than there is"
report_is "results(\"GIVEN-1\") | map(select(.parameters.access == \"read\").io.zero_buffers) |
	add" \
	0 "no read finds zeros"
report_is "results(\"GIVEN-1\") | map(select(.parameters.access == \"read\").area_written) | all" \
	true "reads are on what was written"
report_is "$of | .\"rand-read-qd64-uring\".parameters.engine" io_uring "io_uring works there"
report_has "$of | .\"seq-read-qd1\".parameters.area_bytes as \$half |
	(.\"seq-read-qd1\".parameters.area_offset_bytes // 0) == 0 and
	.\"seq-read-qd64\".parameters.area_offset_bytes == \$half and \$half * 2 <= $filled" \
	"the two sequential readers read different places of it"
report_has "results(\"GIVEN-1\") | map(.parameters | (.area_offset_bytes // 0) + .area_bytes)
	| all(. <= $filled)" "every test stays within it"
is "$(tail -c "+$((filled + 1))" "$T_TMP/given.img" | tr -d '\000' | wc -c)" 0 \
	"and nothing behind it is written"
report_has 'results("KEPT-1") | map(select(.parameters.access != "read" and .status == "ok"))
	| length == 0' "nothing is written to the other"
report_has 'results("KEPT-1") | map(select(.test == "fill-area"))
	| all(.status == "skipped" and (.reason | length > 0))' "with the reason"
report_has 'results("KEPT-1") | map(select(.parameters.access == "read"))
	| length > 0 and all(.status == "ok" and .io.zero_buffers > 0)' "which reads as zeros"
done_testing
