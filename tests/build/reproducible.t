#!/bin/sh
# SPDX-License-Identifier: MIT
# Two builds in two folders, in different environments, give the same bytes. The cached parts
# (sysroot, kernel) are shared here; `make reproduce` builds those twice as well.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_file "$OUT/vmlinuz"
unset MAKEFLAGS MAKELEVEL MFLAGS OUT SOURCE_DATE_EPOCH || :
products="init bench initramfs.img vmlinuz SHA256SUMS"

# copy FOLDER: this tree, without what was built and without git.
copy() {
	mkdir -p "$1"
	tar -C "$ROOT" --exclude=./out --exclude=./.git --exclude=./local.mk -cf - . |
		tar -C "$1" -xf -
}

one=$T_TMP/one
two="$T_TMP/another-place/with-a-much-longer-name/two"
copy "$one"
copy "$two"
export SOURCE_DATE_EPOCH=1700000000
cache=${BOOTMARK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bootmark}
ok "the first build" make -s -C "$one" image
ok "the second, in another place and another environment" env TZ=Asia/Kathmandu LANG=C.UTF-8 \
	USER=somebody HOSTNAME=elsewhere HOME="$T_TMP" BOOTMARK_CACHE="$cache" \
	make -s -C "$two" image
for product in $products; do
	same_file "$one/out/$ARCH/$product" "$two/out/$ARCH/$product" "$product is byte-equal"
done
like "$(cat "$one/out/$ARCH/gen/version.h")" 'EPOCH 1700000000LL' "SOURCE_DATE_EPOCH was used"

# Without this the comparison could be of files that are always the same.
sed -i 's/^0\.[0-9]*\.[0-9]*$/9.9.9/' "$two/VERSION"
ok "a third build, of a changed tree" make -s -C "$two" image
not_ok "differs" cmp -s "$one/out/$ARCH/bench" "$two/out/$ARCH/bench"
done_testing
