# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# liburing: io_uring, the engine `io_uring`.

./configure --prefix="$SYSROOT" --cc="$CC" --use-libc
make -j "$JOBS" -C src ENABLE_SHARED=0 CFLAGS="$CFLAGS" liburing.a
install -D -m 644 src/liburing.a "$SYSROOT/lib/liburing.a"
cp -r src/include/liburing src/include/liburing.h "$SYSROOT/include/"
