#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the sysroot and all that stands on it twice, in two folders with two caches, and compares.
#
# `make reproduce` runs it behind `kernel.sh reproduce`, which does the same for the kernel; the
# sources and the kernel of the real cache are used here.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

PRODUCTS="init bench initramfs.img vmlinuz SHA256SUMS sysroot/bin-target/busybox"

scratch
SOURCE_DATE_EPOCH=$("$ROOT/scripts/version.sh" epoch)
export SOURCE_DATE_EPOCH
unset MAKEFLAGS MAKELEVEL MFLAGS

# build FOLDER: the project's tree and an almost empty cache in it, built.
build() {
	mkdir -p "$1/tree" "$1/cache"
	ln -s "$DL" "$CACHE/kernel" "$1/cache/"
	tar -C "$ROOT" --exclude=./out --exclude=./.git --exclude=./local.mk -cf - . |
		tar -C "$1/tree" -xf -
	env OUT="out/$ARCH" BOOTMARK_CACHE="$1/cache" make -s -C "$1/tree" image >&2
}

one=$SCRATCH/one
two=$SCRATCH/another-place/with-a-much-longer-name/two
say "reproduce: the first build"
build "$one"
say "reproduce: the second build"
build "$two"
status=0
for product in $PRODUCTS; do
	if cmp "$one/tree/out/$ARCH/$product" "$two/tree/out/$ARCH/$product" >&2; then
		say "reproduce: equal      $product $(sha256_of "$one/tree/out/$ARCH/$product")"
	else
		say "reproduce: DIFFERENT  $product"
		status=1
	fi
done
exit "$status"
