# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# libaio: Linux's native asynchronous I/O, the engine `libaio`.

make -j "$JOBS" -C src ENABLE_SHARED=0 CC="$CC" CFLAGS="$CFLAGS -fomit-frame-pointer -I." libaio.a
install -D -m 644 src/libaio.a "$SYSROOT/lib/libaio.a"
install -D -m 644 src/libaio.h "$SYSROOT/include/libaio.h"
