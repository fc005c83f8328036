# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# musl: the C library, static only, and its musl-gcc wrapper.

CC="$TARGET_CC" CFLAGS="$CFLAGS -fno-pie" ./configure --prefix="$SYSROOT" \
	--syslibdir="$SYSROOT/lib" --disable-shared --enable-wrapper=gcc
make -j "$JOBS"
make install

# The host compiler's default may be position-independent executables; the image's are plain static
# ones: smaller, and an address in a crash message is an address in the file.
cat >"$SYSROOT/bin/musl-gcc" <<END
#!/bin/sh
exec "$TARGET_CC" -no-pie -fno-pie -specs "$SYSROOT/lib/musl-gcc.specs" "\$@"
END
chmod 755 "$SYSROOT/bin/musl-gcc"
for tool in ar ranlib; do
	ln -s "/usr/bin/$tool" "$SYSROOT/bin/musl-$tool"
done
