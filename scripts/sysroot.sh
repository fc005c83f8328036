#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the musl sysroot: libc, kernel headers, the libraries bench links, and the image's busybox.
#
#	sysroot.sh		build it unless it is there, and point $OUT/sysroot at it
#	sysroot.sh key		print the name it has in the cache
#
# It lies in the cache under a name made from everything that goes into it: the sources' hashes,
# these scripts, the architecture and the host's compiler. So it is built once, shared by clones,
# and never stale. Each part is unpacked and built in a fresh folder outside the checkout, from a
# cleared environment, by scripts/parts/NAME.sh; its log is kept beside the sysroot.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

PARTS="musl linux libaio liburing mbedtls curl yyjson zstd lz4 util-linux e2fsprogs
smartmontools busybox"
# What stands in files whose date is kept, such as archives' members: a constant, the sources have
# none.
EPOCH=1735689600

# sysroot_key: one hash over all that decides what comes out.
sysroot_key() {
	{
		for part in $PARTS; do
			awk -v part="$part" '$1 == part' "$USED"
		done
		for file in "$ROOT/scripts/sysroot.sh" "$ROOT"/scripts/parts/*; do
			sha256_of "$file"
		done
		echo "$ARCH $("$TARGET_CC" --version | head -n 1) $(ld --version | head -n 1)"
	} | sha256sum | cut -c 1-16
}

# unpack PART: leaves the source in $SCRATCH/PART, with Debian's patches where the lock has them.
unpack() {
	archive=$(source_file "$1" orig)
	mkdir "$SCRATCH/$1"
	tar -xf "$archive" -C "$SCRATCH/$1" --strip-components=1 --no-same-owner
	grep -q "^$1 patches " "$USED" || return 0
	archive=$(source_file "$1" patches)
	mkdir "$SCRATCH/$1.debian"
	tar -xf "$archive" -C "$SCRATCH/$1.debian" --no-same-owner
	sed 's/[[:space:]]*#.*//; /^[[:space:]]*$/d' "$SCRATCH/$1.debian/debian/patches/series" |
		while read -r name; do
			echo "patch: $name"
			patch -d "$SCRATCH/$1" -p1 -f --no-backup-if-mismatch \
				<"$SCRATCH/$1.debian/debian/patches/$name"
		done
}

# build_part PART: unpacks and runs the part's script in its source folder.
build_part() {
	if [ "$1" = linux ]; then
		"$ROOT/scripts/kernel.sh" headers "$SYSROOT"
		return
	fi
	unpack "$1"
	# Paths of this build never reach the binaries: neither the scratch folder's nor the
	# cache's.
	env -i -C "$SCRATCH/$1" PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C TZ=UTC HOME="$SCRATCH" \
		SOURCE_DATE_EPOCH="$EPOCH" JOBS="$(nproc)" ARCH="$ARCH" SYSROOT="$SYSROOT" \
		TARGET_CC="$TARGET_CC" RECIPES="$ROOT/scripts/parts" CC="$SYSROOT/bin/musl-gcc" \
		CFLAGS="-O2 -g0 -ffunction-sections -fdata-sections \
			-ffile-prefix-map=$SCRATCH=/src -ffile-prefix-map=$SYSROOT=/sysroot" \
		sh -eu "$ROOT/scripts/parts/$1.sh"
	rm -rf "${SCRATCH:?}/$1" "$SCRATCH/$1.debian"
}

# link_sysroot: what the Makefile uses is always $OUT/sysroot.
link_sysroot() {
	[ "$(readlink "$OUT/sysroot" || :)" = "$SYSROOT" ] || ln -sfn "$SYSROOT" "$OUT/sysroot"
}

[ -s "$USED" ] || die "$USED is missing: run scripts/fetch.sh"
SYSROOT=$CACHE/sysroot/$(sysroot_key)
if [ "${1:-}" = key ]; then
	echo "${SYSROOT##*/}"
	exit 0
fi
scratch
mkdir -p "$CACHE/sysroot"
exec 9>"$SYSROOT.lock"
flock -n 9 || {
	say "sysroot: waiting for another build of the same sysroot"
	flock 9
}
if [ -e "$SYSROOT/complete" ]; then
	link_sysroot
	exit 0
fi

rm -rf "$SYSROOT"
mkdir -p "$SYSROOT/log"
say "sysroot: building in $SYSROOT"
for part in $PARTS; do
	started=$(seconds)
	log=$SYSROOT/log/$part.log
	# Not in a condition: `set -e` stays in force inside build_part.
	set +e
	(
		set -e
		build_part "$part"
	) >"$log" 2>&1 9>&-
	status=$?
	set -e
	if [ "$status" -ne 0 ]; then
		mv "$SYSROOT/log/$part.log" "$CACHE/sysroot/failed-$part.log"
		tail -n 25 "$CACHE/sysroot/failed-$part.log" >&2
		die "$part did not build; the whole log is $CACHE/sysroot/failed-$part.log"
	fi
	say "$(printf 'sysroot: %-10s %3d s' "$part" $(($(seconds) - started)))"
done
touch "$SYSROOT/complete"
link_sysroot
