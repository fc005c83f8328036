#!/bin/sh
# SPDX-License-Identifier: MIT
# The image stays small: kernel and initramfs together at most 12,000,000 bytes. What takes the room
# is printed with each run.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

LIMIT_BYTES=12000000
AIM_BYTES=10000000

need_file "$OUT/vmlinuz" "$OUT/initramfs.img"
kernel=$(stat -c %s "$OUT/vmlinuz")
initramfs=$(stat -c %s "$OUT/initramfs.img")
sum=$((kernel + initramfs))
diag "vmlinuz $kernel + initramfs.img $initramfs = $sum bytes (limit $LIMIT_BYTES, aim $AIM_BYTES)"
ge "$kernel" 1000000 "there is a kernel"
ge "$initramfs" 100000 "there is an initramfs"
le "$sum" "$LIMIT_BYTES" "together at most $LIMIT_BYTES bytes"

# Compressed alone, so the shares do not add up exactly: the packer sees all files at once.
xz -dc "$OUT/initramfs.img" >"$T_TMP/cpio"
mkdir "$T_TMP/root"
(cd "$T_TMP/root" && cpio -id --quiet --no-absolute-filenames <"$T_TMP/cpio" 2>/dev/null) || :
files=$(cd "$T_TMP/root" && find . -type f | sed 's,^\.,,' | while read -r file; do
	printf '%9d %9d  %s\n' "$(stat -c %s "$T_TMP/root$file")" \
		"$(xz -9e -c --check=crc32 "$T_TMP/root$file" | wc -c)" "$file"
done | sort -k 2,2nr)
like "$files" ' /bin/bench$' "bench is in it"
diag "initramfs.img:   bytes        xz  file
$(printf '%s\n' "$files" | head -n 12 | sed 's/^/        /')"
[ ! -x "$ROOT/scripts/kernel.sh" ] ||
	diag "vmlinuz:
$("$ROOT/scripts/kernel.sh" size 2>&1 | head -n 25)"

like "$(file "$OUT/bench")" 'ELF 64-bit.*statically linked' "bench is static"
like "$(file "$OUT/init")" 'ELF 64-bit.*statically linked' "init is static"
done_testing
