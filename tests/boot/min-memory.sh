#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the smallest memory of a machine that still boots, measures three disks and uploads its
# report over verified HTTPS, to 4 MiB. Not a test: nothing is asserted.
#
# usage: tests/boot/min-memory.sh
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

authority known
certificate right known "IP:$BOOT_HOST"
server_start sent 201 "$T_TMP/right.pem" "$T_TMP/right.key"
mkdir -p "$T_TMP/over/etc"
cp "$T_TMP/known.pem" "$T_TMP/over/etc/ca-test.pem"

# completes MIB: a machine of that memory delivers its report and reboots.
completes() {
	rm -f "$T_TMP/sent/"*.body
	machine
	disk_nvme "a$BOOT_N"
	disk_sata "b$BOOT_N"
	disk_virtio "c$BOOT_N"
	nic
	overlay "$T_TMP/over"
	BOOT_MEMORY=$1
	BOOT_TESTS=
	BOOT_UPLOAD=https://$BOOT_HOST:$server_port/report
	param bench.ca=/etc/ca-test.pem
	boot 120 2>/dev/null
	rm -f "$T_TMP"/*.img "$BOOT/initramfs.img"
	[ "$(cat "$BOOT/end")" = reboot ] && ! grep -q 'Kernel panic' "$BOOT/text" &&
		cat "$T_TMP/sent/"*.body 2>/dev/null | jq -n -e 'input | .run.state == "complete"
			and ([.results[].status] | length > 0 and all(. == "ok"))' >/dev/null 2>&1
}

too_small=32
enough=160
completes "$enough" || bail "$enough MiB are not enough: $(tail -n 5 "$BOOT/text")"
while [ $((enough - too_small)) -gt 4 ]; do
	# shellcheck disable=SC2017 # a multiple of 4
	middle=$(((enough + too_small) / 8 * 4))
	if completes "$middle"; then
		enough=$middle
		printf '%4d MiB: complete\n' "$middle"
	else
		too_small=$middle
		printf '%4d MiB: %s; %s\n' "$middle" "$(cat "$BOOT/end")" \
			"$(grep -E 'panic|[Oo]ut of memory|Killed|Cannot allocate' "$BOOT/text" |
				head -n 1)"
	fi
done
printf 'smallest memory that completes: %d MiB\n' "$enough"
