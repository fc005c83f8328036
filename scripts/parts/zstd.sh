# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# zstd: compression, as work for the processor's tests.

make -j "$JOBS" -C lib libzstd.a CC="$CC" CFLAGS="$CFLAGS" ZSTD_LEGACY_SUPPORT=0 \
	ZSTD_LIB_DICTBUILDER=0 ZSTD_LIB_DEPRECATED=0
install -D -m 644 lib/libzstd.a "$SYSROOT/lib/libzstd.a"
install -D -m 644 lib/zstd.h "$SYSROOT/include/zstd.h"
install -D -m 644 lib/zstd_errors.h "$SYSROOT/include/zstd_errors.h"
