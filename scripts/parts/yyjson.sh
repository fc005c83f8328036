# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# yyjson: JSON reading and writing. The source stays in the sysroot too: the collector and the unit
# tests compile it for the host's C library.

# shellcheck disable=SC2086 # CFLAGS is several words
$CC $CFLAGS -std=c11 -c src/yyjson.c -o yyjson.o
ar rcs libyyjson.a yyjson.o
install -D -m 644 libyyjson.a "$SYSROOT/lib/libyyjson.a"
install -D -m 644 src/yyjson.h "$SYSROOT/include/yyjson.h"
install -D -m 644 src/yyjson.c "$SYSROOT/src/yyjson.c"
install -D -m 644 src/yyjson.h "$SYSROOT/src/yyjson.h"
