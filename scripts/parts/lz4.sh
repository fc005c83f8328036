# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# lz4: compression, as work for the processor's tests.

# shellcheck disable=SC2086 # CFLAGS is several words
$CC $CFLAGS -std=c99 -O3 -c lib/lz4.c -o lz4.o
ar rcs liblz4.a lz4.o
install -D -m 644 liblz4.a "$SYSROOT/lib/liblz4.a"
install -D -m 644 lib/lz4.h "$SYSROOT/include/lz4.h"
