#!/bin/sh
# SPDX-License-Identifier: MIT
# How long a machine takes from power-on to its first test, beside Debian's network installer on the
# same machine to its first screen, in turn.
#
#	tests/perf/boot.sh [PAIRS]		default 5
#
# Both are booted by -kernel from a file: what a network would add is the same for each byte, and
# the installer has three times as many.
set -eu

# Before the library goes into a network namespace of its own.
if [ -z "${BOOT_ALONE:-}" ]; then
	status=0
	PERF_INSTALLER=$(sh "${0%/*}/installer.sh" 2>&1) || status=$?
	PERF_INSTALLER=$(printf '%s\n' "$PERF_INSTALLER" | tail -n 1)	# or why there is none
	if [ "$status" -ne 0 ]; then
		printf '1..0 # SKIP %s\n' "$PERF_INSTALLER"
		exit 1
	fi
	export PERF_INSTALLER
fi
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/../boot/lib.sh"
# shellcheck source=tests/perf/columns.sh
. "${0%/*}/columns.sh"

pairs=${1:-5}

# described N: a machine of three disks and a NIC. None is on NVMe: with one the machine would be
# kept to one CPU, for a fault of QEMU, and how much memory it has makes no difference to ours.
described() {
	machine
	disk_sata "a$1"
	disk_virtio "b$1"
	drive "c$1"
	qemu -device virtio-scsi-pci -device "scsi-hd,drive=c$1,serial=c$1"
	nic
	BOOT_MEMORY=1024
}

# seen WHAT: leaves in $seconds when the script's last line was played.
seen() {
	[ "$(cat "$BOOT/end")" = killed ] ||
		bail "$1: $(cat "$BOOT/end"), $(tail -n 1 "$BOOT/text")"
	seconds=$(sed 's/\t.*//' "$BOOT/marks" | tail -n 1)
	rm -f "$T_TMP"/*.img
}

# ours N / theirs N: one boot; leaves $ours or $theirs.
ours() {
	described "$1-ours"
	BOOT_UPLOAD=http://$BOOT_HOST:9/v1/reports
	script '^\[ *1/[0-9]+\]' kill
	boot 300 2>/dev/null
	seen "our boot never came to a test"
	ours=$seconds
}

theirs() {
	described "$1-theirs"
	script 'Select a language' kill
	qemu -kernel "$PERF_INSTALLER/linux" -initrd "$PERF_INSTALLER/initrd.gz" \
		-append "$BOOT_CONSOLE"
	boot_plain 300 2>/dev/null
	seen "the installer never showed its first screen"
	theirs=$seconds
}

printf '# power-on to first test, and to the first screen of %s; %s\n' \
	"${PERF_INSTALLER##*/}" "$(boot_accelerator)"
for pair in $(seq "$pairs"); do
	if [ $((pair % 2)) = 1 ]; then
		ours "$pair"
		theirs "$pair"
	else
		theirs "$pair"
		ours "$pair"
	fi
	perf_note power-on-s "$ours" "$theirs"
done
perf_figure power-on-s - 0.5
