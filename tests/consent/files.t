#!/bin/sh
# SPDX-License-Identifier: MIT
# A scratch file has no name and is gone with the run, also when that is killed; what exists is
# never touched; file systems that lie on no disk are refused. On a disk that may be destroyed tests
# make an ext4 of their own, which nobody else sees and which is gone afterwards.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup jq mkfs.ext4 mkfs.vfat mount unshare
need_file "$OUT/bench"

bench=$OUT/bench
WRITERS=dd-write-1g,commit-latency-file

truncate -s 256M "$T_TMP/image"
mkfs.ext4 -q -F "$T_TMP/image"
disk=$(losetup --find --show "$T_TMP/image") || skip_all "no loop device can be set up"
at_exit "losetup -d $disk"
name=${disk#/dev/}
mkdir "$T_TMP/mount"
mount "$disk" "$T_TMP/mount" 2>"$T_TMP/said" || skip_all "nothing can be mounted here"
at_exit "umount '$T_TMP/mount' 2>/dev/null"
echo precious >"$T_TMP/mount/precious"
ln -s precious "$T_TMP/mount/link"
list() {
	(cd "$T_TMP/mount" && find . ! -name lost+found -printf '%p %s %l\n' | sort)
	df --output=used -B 65536 "$T_TMP/mount"
}
before=$(list)

# run FLAG...: as in refuse.t; the file system's contents must be what they were.
run() {
	"$bench" run --disks "$disk" --tests "$WRITERS" --budget 1 --deadline 60 \
		--out "$T_TMP/out" "$@" >"$T_TMP/said" 2>&1 || :
	wrote=$(jq '[.results[] | select(.status == "ok")] | length' "$T_TMP/out/report.json")
	notes=$(jq -r '.notes[].text' "$T_TMP/out/report.json")
}

run --write "file:$T_TMP/mount"
is "$wrote" 2 "two tests write to a scratch file in a folder"
is "$(jq -r '[.results[] | select(.status == "ok") | .target] | unique[]' \
	"$T_TMP/out/report.json")" "$name" "which counts for the disk it lies on"
is "$(jq -r ".disks[] | select(.name == \"$name\").consent" "$T_TMP/out/report.json")" file \
	"whose consent is for a file"
is "$(list)" "$before" "nothing of it is left"
run --write "file:$T_TMP/mount/new"
is "$wrote" 2 "a file that does not exist is made in its folder"
is "$(list)" "$before" "and nothing of it is left either"

for path in "$T_TMP/mount/precious" "$T_TMP/mount/link" "$disk" /dev/null; do
	run --write "file:$path"
	is "$wrote" 0 "file:$path: nothing is written"
	like "$notes" 'exists and is no folder' "file:$path: and it is told why"
	is "$(list)" "$before" "file:$path: all is as it was"
done
run --write "file:$T_TMP/no/such/folder"
is "$wrote" 0 "a folder that does not exist is not made"
for path in /proc /sys /dev/shm; do
	[ -d "$path" ] || continue
	run --write "file:$path"
	is "$wrote" 0 "file:$path: nothing is written"
	like "$notes" 'in memory, on a network' "file:$path: its file system is refused"
done
"$bench" run --disks "$disk" --exclude "$disk" --tests "$WRITERS" --write "file:$T_TMP/mount" \
	--budget 1 --out "$T_TMP/out" >"$T_TMP/said" 2>&1 || :
like "$(jq -r '.notes[].text' "$T_TMP/out/report.json")" 'not among the disks that are measured' \
	"a file on a disk that is excluded is refused"

# Killed while it writes.
start "$bench" run --disks "$disk" --tests dd-write-1g --budget 30 --write "file:$T_TMP/mount" \
	--out "$T_TMP/killed"
ok "a test writes" wait_for 30 sh -c \
	"[ \$(df --output=used -B 1M '$T_TMP/mount' | tail -n 1) -gt 20 ]"
kill -KILL "$pid"
wait "$pid" 2>/dev/null || :
ok "killed: its space is free again" wait_for 20 sh -c \
	"[ \$(df --output=used -B 1M '$T_TMP/mount' | tail -n 1) -lt 20 ]"
is "$(list | grep '^\.')" "$(echo "$before" | grep '^\.')" "killed: no name is left"

# A file system that is nearly full.
head -c 200000000 /dev/zero >"$T_TMP/mount/full" 2>/dev/null || :
run --write "file:$T_TMP/mount"
ge "$(df --output=avail -B 1M "$T_TMP/mount" | tail -n 1)" 5 "a reserve stays free"
rm "$T_TMP/mount/full"

# vfat knows no files without a name.
truncate -s 128M "$T_TMP/vfat"
mkfs.vfat "$T_TMP/vfat" >/dev/null
umount "$T_TMP/mount"
fat=$(losetup --find --show "$T_TMP/vfat")
at_exit "losetup -d $fat"
if mount -t vfat "$fat" "$T_TMP/mount" 2>/dev/null; then
	disk=$fat
	run --write "file:$T_TMP/mount"
	ge "$wrote" 1 "a file is written on vfat"
	is "$(ls -A "$T_TMP/mount")" "" "whose name is gone"
	umount "$T_TMP/mount"
else
	skip "vfat" "no such file system here"
fi

# An ext4 of its own.
truncate -s 256M "$T_TMP/zeros"
disk=$(losetup --find --show "$T_TMP/zeros")
at_exit "losetup -d $disk"
mounts=$(cat /proc/self/mounts)
run --write destroy --destroy "$disk"
is "$wrote" 2 "with consent to destroy both run"
is "$(cat /proc/self/mounts)" "$mounts" "nothing is mounted that others see"
is "$(cmp "$T_TMP/zeros" /dev/zero 2>&1 | grep -c EOF)" 1 "and nothing of it is left on the disk"
done_testing
