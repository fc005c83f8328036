# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# qrcodegen: QR codes. The source stays in the sysroot too: the unit tests compile it for the host's
# C library.

# shellcheck disable=SC2086 # CFLAGS is several words
$CC $CFLAGS -std=c99 -c c/qrcodegen.c -o qrcodegen.o
ar rcs libqrcodegen.a qrcodegen.o
install -D -m 644 libqrcodegen.a "$SYSROOT/lib/libqrcodegen.a"
install -D -m 644 c/qrcodegen.h "$SYSROOT/include/qrcodegen.h"
install -D -m 644 c/qrcodegen.c "$SYSROOT/src/qrcodegen.c"
install -D -m 644 c/qrcodegen.h "$SYSROOT/src/qrcodegen.h"
