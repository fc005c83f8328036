#!/bin/sh
# SPDX-License-Identifier: MIT
# What changes between the decision and the first byte, here during the countdown, is seen on the
# opened disk: it is not written after all, and the result says why. An interrupt then ends the run.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup jq sha256sum mkfs.ext4 mount
need_file "$OUT/bench"

bench=$OUT/bench
mkdir "$T_TMP/mount"
number=0

# attach: a fresh disk of zeros in $disk, its image in $image.
attach() {
	number=$((number + 1))
	image=$T_TMP/image.$number
	truncate -s 64M "$image"
	disk=$(losetup --find --show "$image") || skip_all "no loop device can be set up"
	at_exit "losetup -d $disk"
}

# begin NAME: a run that destroys $disk by this name, up to its countdown.
begin() {
	out=$T_TMP/out.$number
	start "$bench" run --disks "$disk" --tests fill-area,dd-write-8k-sync --budget 1 \
		--deadline 60 --write destroy --destroy "$1" --out "$out"
	wait_for 20 grep -q 'in [0-9]* s' "$log" || bail "no countdown: $(cat "$log")"
}

# refused WHAT ERE: the run ended without writing, for this reason.
refused() {
	wait "$pid" || :
	is "$(jq '[.results[] | select(.status == "ok")] | length' "$out/report.json")" 0 \
		"$1: nothing that writes ran"
	like "$(jq -r '.results[].reason' "$out/report.json")" "$2" "$1: and it is told"
	is "$(sha256sum <"$image")" "$sum" "$1: every byte is as it was"
}

attach
mkfs.ext4 -q -F "$disk"
sum=$(sha256sum <"$image")
begin "$disk"
if mount -o ro,noload "$disk" "$T_TMP/mount" 2>/dev/null; then
	at_exit "umount '$T_TMP/mount' 2>/dev/null"
	refused "mounted meanwhile" 'holds it for itself'
	umount "$T_TMP/mount"
else
	stop "$pid"
	skip "mounted meanwhile" "nothing can be mounted here"
fi

attach
begin blank
mkfs.ext4 -q -F "$disk"
sum=$(sha256sum <"$image")
refused "no longer blank" 'not blank: ext4'

attach
begin "$disk"
truncate -s 128M "$image"
losetup -c "$disk"
sum=$(sha256sum <"$image")
refused "another size" 'size has changed'

attach
begin "$disk"
blockdev --setro "$disk"
sum=$(sha256sum <"$image")
refused "read-only" 'read-only|for writing'
blockdev --setrw "$disk"

attach
sum=$(sha256sum <"$image")
begin "$disk"
kill -INT "$pid"
wait "$pid" && status=0 || status=$?
is "$status" 3 "an interrupt in the countdown ends the run"
is "$(sha256sum <"$image")" "$sum" "interrupted: every byte is as it was"
is "$(jq -r '[.results[].status] | unique[]' "$out/report.json")" skipped \
	"interrupted: nothing ran"
done_testing
