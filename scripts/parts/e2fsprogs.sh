# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# mke2fs: makes the ext4 that file tests use on a disk with consent. A program of its own, static,
# GPL-2.0-only; it uses its own small libblkid and libuuid. All other programs are left out.

./configure --host="$ARCH-linux-musl" --prefix=/ CC="$CC" CFLAGS="$CFLAGS -Os" \
	LDFLAGS="-static -Wl,--gc-sections -Wl,--build-id=none" \
	--disable-nls --disable-rpath --disable-debugfs --disable-imager --disable-resizer \
	--disable-defrag --disable-e2initrd-helper --disable-tdb --disable-uuidd --disable-mmp \
	--disable-fuse2fs --disable-bmap-stats --disable-backtrace --disable-testio-debug \
	--without-libarchive --without-udev-rules-dir --without-crond-dir \
	--without-systemd-unit-dir
make -j "$JOBS" libs
make -C misc mke2fs
strip -o mke2fs.stripped misc/mke2fs
install -D -m 755 mke2fs.stripped "$SYSROOT/bin-target/mke2fs"
