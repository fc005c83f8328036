#!/bin/sh
# SPDX-License-Identifier: MIT
# The smallest memory of a machine that still boots, measures three disks in profile quick and
# uploads its report over verified HTTPS, to 4 MiB.
#
#	tests/perf/memory.sh
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/../boot/lib.sh"
# shellcheck source=tests/perf/columns.sh
. "${0%/*}/columns.sh"

target=96	# MiB
authority known
certificate right known "IP:$BOOT_HOST"
server_start sent 201 "$T_TMP/right.pem" "$T_TMP/right.key"
mkdir -p "$T_TMP/over/etc"
cp "$T_TMP/known.pem" "$T_TMP/over/etc/ca-test.pem"

# completes MIB: a machine of that memory delivers its report and reboots; every test that could run
# has numbers.
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
	boot 600 2>/dev/null
	rm -f "$T_TMP"/*.img "$BOOT/initramfs.img"
	[ "$(cat "$BOOT/end")" = reboot ] && ! grep -q 'Kernel panic' "$BOOT/text" &&
		cat "$T_TMP/sent/"*.body 2>/dev/null | jq -n -e 'input | .run.state == "complete"
			and ([.results[].status] | any(. == "ok")
				and all(. == "ok" or . == "skipped" or . == "unsupported"))' \
			>/dev/null 2>&1
}

# why: what the last machine said.
why() {
	printf '%s %s' "$(cat "$BOOT/end")" "$(
		grep -E 'panic|[Oo]ut of memory|Killed|Cannot allocate' "$BOOT/text" | head -n 1)"
}

too_small=32
enough=$target
while ! completes "$enough"; do
	printf '# %d MiB: %s\n' "$enough" "$(why)"
	too_small=$enough
	enough=$((enough * 3 / 2 / 4 * 4))
	[ "$enough" -le 512 ] || bail "$too_small MiB are not enough"
done
while [ $((enough - too_small)) -gt 4 ]; do
	# shellcheck disable=SC2017 # a multiple of 4
	middle=$(((enough + too_small) / 8 * 4))
	if completes "$middle"; then
		enough=$middle
	else
		too_small=$middle
		printf '# %d MiB: %s\n' "$middle" "$(why)"
	fi
done
verdict=ok
[ "$enough" -le "$target" ] || verdict=short
perf_line memory-mib "$enough" - - "<=$target" "$verdict"
