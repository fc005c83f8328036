#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs $OUT/firmware.img, NIC firmware as a second initramfs: append it, or name it as a second
# initrd.
#
# It is fetched from Debian's non-free-firmware by whoever asks for it (`make firmware`), under the
# terms in the packages' copyright files, which are packed beside it.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

"$ROOT/scripts/fetch.sh" --group firmware
scratch
mkdir -p "$SCRATCH/deb" "$SCRATCH/root/lib/firmware" "$SCRATCH/root/usr/share/doc"
sed '/^#/d; /^$/d' "$ROOT/scripts/firmware-files" >"$SCRATCH/list"
while read -r part path _; do
	[ -d "$SCRATCH/deb/$part" ] || dpkg-deb -x "$(source_file "$part" deb)" "$SCRATCH/deb/$part"
	from=$(find "$SCRATCH/deb/$part" -type d -path '*lib/firmware')
	[ -e "$from/$path" ] || die "$path is not in $part: mend scripts/firmware-files"
	(cd "$from" && find "$path" -print0 | cpio -0 -p -d -m --quiet "$SCRATCH/root/lib/firmware")
	cp -r "$SCRATCH/deb/$part/usr/share/doc/." "$SCRATCH/root/usr/share/doc/"
done <"$SCRATCH/list"
find "$SCRATCH/root/usr/share/doc" -type f ! -name copyright -delete

epoch=$("$ROOT/scripts/version.sh" epoch)
find "$SCRATCH/root" -exec touch -h -d "@$epoch" {} +
(cd "$SCRATCH/root" && find . -mindepth 1 | LC_ALL=C sort |
	cpio -o -H newc -R 0:0 --reproducible --quiet) >"$SCRATCH/firmware.cpio"
xz -T1 --check=crc32 --lzma2=preset=9e,dict=1MiB <"$SCRATCH/firmware.cpio" >"$SCRATCH/firmware.img"
mv "$SCRATCH/firmware.img" "$OUT/firmware.img"
say "firmware: firmware.img $(stat -c %s "$OUT/firmware.img") bytes:" \
	"$(cd "$SCRATCH/root/lib/firmware" && echo ./* | sed 's,\./,,g')"
