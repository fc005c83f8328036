#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints how long a machine takes from power-on to its first test: the seconds since QEMU was
# started, of each boot and their median. Not a test: nothing is asserted.
#
# usage: tests/boot/boot-time.sh [BOOTS]	5 unless told
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

# seconds_at N: when line N of the script was played.
seconds_at() {
	sed -n "${1}s/\t.*//p" "$BOOT/marks"
}

boots=${1:-5}
printf '%6s %12s %12s\n' boot 'PID 1' 'first test'
n=0
while [ "$n" -lt "$boots" ]; do
	n=$((n + 1))
	machine
	disk_nvme "a$n"
	disk_sata "b$n"
	disk_virtio "c$n"
	nic
	BOOT_UPLOAD=http://$BOOT_HOST:9/v1/reports
	script 'bootmark: ' see
	script '^\[ *1/[0-9]+\]' kill
	boot 120 2>/dev/null
	[ "$(cat "$BOOT/end")" = killed ] || bail "boot $n never came to a test: $(cat "$BOOT/end")"
	seconds_at 2 >>"$T_TMP/first-test"
	printf '%6d %10.2f s %10.2f s\n' "$n" "$(seconds_at 1)" "$(seconds_at 2)"
done
sort -n "$T_TMP/first-test" | awk -v accelerator="$(boot_accelerator)" '
	{ value[NR] = $1 }
	END {
		median = NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2
		printf "power-on to first test: %.2f s (median of %d, %s)\n", median, NR,
			accelerator
	}'
