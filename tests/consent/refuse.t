#!/bin/sh
# SPDX-License-Identifier: MIT
# No option value but exact consent changes one byte of a device, in any profile; every refusal has
# its reason in the report; with consent the same tests do write (else this proves nothing).
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup blockdev jq sha256sum mkfs.ext4 mount unshare
need_file "$OUT/bench"

bench=$OUT/bench
# Everything that writes to a disk or a file on it.
WRITERS=fill-area,seq-write-qd64,rand-write-qd64,dd-write-1g,dd-write-8k-sync

# loop NAME IMAGE [OPTION...]: attaches the image; leaves the device in $loop.
attach() {
	attach_image=$1
	shift
	loop=$(losetup "$@" --find --show "$attach_image") ||
		skip_all "no loop device can be set up"
	at_exit "losetup -d $loop"
}

head -c 67108864 /dev/urandom >"$T_TMP/image"
attach "$T_TMP/image"
disk=$loop
name=${disk#/dev/}
sum=$(sha256sum <"$disk")

# run FLAG...: bench run of the writers on $disk; its reasons in $why.
run() {
	"$bench" run --disks "$disk" --tests "$WRITERS" --budget 1 --deadline 60 \
		--out "$T_TMP/out" "$@" >"$T_TMP/said" 2>&1 || :
	why=$(jq -r '.disks[] | select(.name == "'"$name"'") | .consent_why // "-"' \
		"$T_TMP/out/report.json")
	wrote=$(jq '[.results[] | select(.status == "ok")] | length' "$T_TMP/out/report.json")
}

# unchanged WHAT: nothing ran, nothing changed.
unchanged() {
	is "$wrote" 0 "$1: nothing that writes runs"
	is "$(sha256sum <"$disk")" "$sum" "$1: every byte is as it was"
}

for profile in quick standard full; do
	run --profile "$profile"
	unchanged "$profile, no option"
	run --profile "$profile" --write none --destroy "$name"
	unchanged "$profile, write=none"
	for value in 0 no false '' yes true 1 all DESTROY Destroy 'destroy ' destroyed destro none \
		'destroy,' file: file:relative 'file:' write-back; do
		"$bench" plan --disks "$disk" --profile "$profile" --write "$value" \
			--destroy "$name" >"$T_TMP/plan" 2>&1 || :
		unlike "$(cat "$T_TMP/plan")" 'fill-area .* [0-9.]+ m?s$' \
			"$profile, write='$value' plans no writing"
	done
done
for value in 0 no false '' true DESTROY 'destroy ' destro; do
	run --write "$value" --destroy "$name"
	unchanged "write='$value'"
done
# Names that come near: a prefix, another device, a pattern, words for all.
for value in '' 0 no false all '*' loop "${name}0" "${name%?}" "/dev" "/dev/" blank,x UNKNOWN \
	"$name " " $name" "$(echo "$name" | tr '[:lower:]' '[:upper:]')"; do
	case $value in
	"${name%?}") [ "$value" != "$name" ] || continue ;;
	blank,x) continue ;;
	esac
	run --write destroy --destroy "$value"
	unchanged "destroy='$value'"
	like "$why" . "destroy='$value': the report says why"
done
run --write destroy
unchanged "write=destroy without a name"
like "$(jq -r '.notes[].text' "$T_TMP/out/report.json")" 'each disk named by option destroy' \
	"and that is noted"
run --destroy "$name"
unchanged "a name without write=destroy"
like "$(jq -r '.notes[].text' "$T_TMP/out/report.json")" 'only with write=destroy' \
	"and that is noted"
run --write writeback --destroy "$name"
is "$(sha256sum <"$disk")" "$sum" "writeback leaves every byte as it was"

# A command line that was cut, or that names what only a flag may name.
for line in "bench.write=destroy bench.destroy=$name" \
	"bench.write=destroy bench.destroy=$name bench.eo" \
	"bench.write=destroy bench.destroy=$name bench.eol quiet" \
	"bench.write=destroy bench.destroy=$name bench.eol=1" \
	"bench.write=destroy bench.destroy=$name bench.eol" \
	"bench.write=destroy bench.destroy=blank bench.disks=$name"; do
	echo "$line" >"$T_TMP/cmdline"
	run --cmdline "$T_TMP/cmdline"
	unchanged "command line '$line'"
done
printf 'write = destroy\ndestroy = %s\ndisks = %s\n' "$name" "$name" >"$T_TMP/config"
run --config "$T_TMP/config"
unchanged "a name in a config file"

# What is on it, or uses it, counts whoever asks.
truncate -s 64M "$T_TMP/ext4"
mkfs.ext4 -q -F "$T_TMP/ext4"
attach "$T_TMP/ext4"
disk=$loop name=${loop#/dev/} sum=$(sha256sum <"$loop")
run --write destroy --destroy blank
unchanged "blank on an ext4"
is "$why" "it is not blank: ext4" "blank on an ext4: its name is told"
mkdir "$T_TMP/mount"
if unshare --mount mount -o ro,noload "$disk" "$T_TMP/mount" 2>/dev/null; then
	mount -o ro,noload "$disk" "$T_TMP/mount"
	at_exit "umount '$T_TMP/mount' 2>/dev/null"
	run --write destroy --destroy "$name"
	unchanged "a mounted disk"
	like "$why" "^$name is mounted at .*/mount$" "a mounted disk: the place is told"
	run --write writeback
	unchanged "writeback to a mounted disk"
	run --write "file:$T_TMP/mount"
	unchanged "a file on a file system that is read-only"
	umount "$T_TMP/mount"
	# A mount that only another namespace sees.
	start unshare --mount --propagation private sh -c \
		"mount -o ro,noload '$disk' '$T_TMP/mount' && sleep 600"
	ok "another namespace mounts it" wait_for 10 grep -q "$T_TMP/mount" "/proc/$pid/mountinfo"
	run --write destroy --destroy "$name"
	unchanged "a disk mounted in another namespace"
	like "$why" 'holds it for itself' "a disk mounted in another namespace: that is told"
	stop "$pid"
else
	skip "a mounted disk" "nothing can be mounted here"
fi

attach "$T_TMP/image" --read-only
disk=$loop name=${loop#/dev/} sum=$(sha256sum <"$loop")
run --write destroy --destroy "$name"
unchanged "a read-only disk"
like "$why" 'read-only' "a read-only disk: that is told"

# Only init's own list tells its lock from what an administrator set.
truncate -s 64M "$T_TMP/locked"
attach "$T_TMP/locked"
disk=$loop name=${loop#/dev/} sum=$(sha256sum <"$loop")
at_exit "blockdev --setrw $disk"	# the flag outlives what is attached
blockdev --setro "$disk"
mkdir -p "$T_TMP/out"
echo "$name" >"$T_TMP/out/guarded"
run --write destroy --destroy "$name"
unchanged "a disk that was set read-only, though a file in the run's folder names it"
is "$why" "it is read-only" "a disk that was set read-only: that is told"
is "$(blockdev --getro "$disk")" 1 "and it stays so"
rm "$T_TMP/out/guarded"
# plan_guarded: bench plan where init has set the disk read-only.
plan_guarded() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount --propagation private sh -c 'mount -t tmpfs none /run &&
		mkdir /run/bootmark && echo "$1" >/run/bootmark/guarded &&
		exec "$2" plan --disks "$3" --write destroy --destroy "$1"' \
		plan "$name" "$bench" "$disk" 2>&1
}
like "$(plan_guarded | tr -s '\n ' '  ')" 'ALL DATA ON IT WILL BE DESTROYED' \
	"init's lock does not count, in the plan as in the run"

# Consent itself: without it none of the above would have shown anything.
truncate -s 64M "$T_TMP/zeros"
attach "$T_TMP/zeros"
disk=$loop name=${loop#/dev/} sum=$(sha256sum <"$loop")
other=$(sha256sum <"$T_TMP/image")
run --write destroy --destroy "$name"
ge "$wrote" 2 "with consent the writers run"
like "$(cat "$T_TMP/said")" 'in 10 s' "after a countdown"
like "$why" 'both name this device' "and the report says by what consent"
is "$(sha256sum <"$disk")" "$sum" "what was written is discarded at the end"
run --write destroy --destroy blank
ge "$wrote" 2 "so do they on a blank disk"
is "$(sha256sum <"$T_TMP/image")" "$other" "while another device stays as it was"
done_testing
