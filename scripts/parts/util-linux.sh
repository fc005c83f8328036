# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# libblkid: tells what lies on a disk (file systems, partition tables, RAID, LVM and the like), so
# that only a disk without any of it counts as blank. The library alone, by its own folder's rules;
# LGPL-2.1-or-later, linked into bench, whose objects any build leaves beside it for linking anew.

./configure --host="$ARCH-linux-musl" --prefix="$SYSROOT" CC="$CC" CFLAGS="$CFLAGS -Os" \
	--disable-shared --enable-static --disable-all-programs --enable-libblkid \
	--disable-nls --disable-asciidoc --disable-poman \
	--without-btrfs --without-cap-ng --without-cryptsetup --without-econf --without-libmagic \
	--without-libz --without-ncurses --without-ncursesw --without-python --without-readline \
	--without-selinux --without-systemd --without-tinfo --without-udev --without-user \
	--without-util
make -j "$JOBS" libblkid.la
install -D -m 644 .libs/libblkid.a "$SYSROOT/lib/libblkid.a"
install -D -m 644 libblkid/src/blkid.h "$SYSROOT/include/blkid/blkid.h"
