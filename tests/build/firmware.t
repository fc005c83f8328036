#!/bin/sh
# SPDX-License-Identifier: MIT
# `make firmware` packs what NIC drivers ask for as a second initramfs that can be laid behind the
# first.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_file "$OUT/initramfs.img" "$OUT/kernel.config"
image=$OUT/initramfs.img
config=$OUT/kernel.config
OUT=$T_TMP/out
mkdir "$OUT"
"$ROOT/scripts/fetch.sh" --group firmware >"$T_TMP/said" 2>&1 ||
	skip_all "the firmware packages cannot be fetched: $(tail -n 1 "$T_TMP/said")"
ok "it is packed" "$ROOT/scripts/firmware.sh"
firmware=$OUT/firmware.img
is "$(wc -c <"$firmware" | awk '{ print $1 % 4 }')" 0 "its size is a multiple of four"
like "$(xz --robot --list -vv "$firmware")" '^block.*CRC32' "the kernel knows its checksum"
xz -dc "$firmware" | cpio -itv --quiet >"$T_TMP/list"
is "$(awk '{ print $3, $4 }' "$T_TMP/list" | sort -u)" "root root" "everything belongs to root"
for file in bnx2/bnx2-mips-09-6.2.1b.fw bnx2x/bnx2x-e2-7.13.21.0.fw rtl_nic/rtl8168h-2.fw \
	intel/ice/ddp/ice.pkg tigon/tg3.bin phanfw.bin cxgb4/t6fw.bin; do
	ok "$file" grep -qF " lib/firmware/$file" "$T_TMP/list"
done
ok "qed/" grep -qE ' lib/firmware/qed/qed_init_values.*\.bin$' "$T_TMP/list"
ok "the packages' terms are with it" \
	grep -qE ' usr/share/doc/firmware-bnx2x/copyright$' "$T_TMP/list"

# Every driver it is for is in this kernel, or the file would be dead weight.
for symbol in BNX2 BNX2X QEDE R8169 ICE TIGON3 NETXEN_NIC CHELSIO_T4; do
	ok "the kernel has $symbol" grep -qx "CONFIG_$symbol=y" "$config"
done

cat "$image" "$firmware" >"$T_TMP/both"
ok "both together are one stream of archives" test "$(xz -dc "$T_TMP/both" | wc -c)" -eq \
	"$(($(xz -dc "$image" | wc -c) + $(xz -dc "$firmware" | wc -c)))"
done_testing
