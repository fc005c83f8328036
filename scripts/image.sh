#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs $OUT/initramfs.img from rootfs/files.list: the same input gives the same bytes.
#
# The order of the files, their owners and their time are fixed, and the packer runs in one thread.
# The dictionary of 1 MiB is what the kernel must allocate to unpack it; with xz's largest, a
# machine of 64 MiB dies before /init.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

# trust_store: the certificate authorities of Debian's ca-certificates, one PEM file, sorted by
# name.
trust_store() {
	mkdir "$SCRATCH/ca"
	dpkg-deb -x "$(source_file ca-certificates deb)" "$SCRATCH/ca"
	find "$SCRATCH/ca/usr/share/ca-certificates" -name '*.crt' |
		LC_ALL=C sort >"$SCRATCH/ca.list"
	[ "$(wc -l <"$SCRATCH/ca.list")" -gt 100 ] || die "ca-certificates holds too few of them"
	while read -r certificate; do
		# A file without a last newline must not run into the next one's first line.
		awk 1 "$certificate"
	done <"$SCRATCH/ca.list"
}

# versions: "part version" lines of what is in the image, and the hash of the kernel's
# configuration.
versions() {
	awk '$1 !~ /^fw-/ && !seen[$1]++ { print $1, $3 }' "$USED" | LC_ALL=C sort
	echo "kernel-config sha256:$(sha256_of "$OUT/kernel.config")"
}

# packing_list: files.list without comments, and the applets' links, in the order they are packed.
packing_list() {
	{
		sed 's/[[:space:]]*#.*//; /^$/d' "$ROOT/rootfs/files.list"
		sed 's,.*,slink /bin/& busybox 0777 0 0,' "$OUT/sysroot/bin-target/busybox.applets"
	} | LC_ALL=C sort -k 2,2
}

for product in bench init kernel.config sysroot/bin-target/busybox; do
	[ -e "$OUT/$product" ] || die "$OUT/$product is missing: run make"
done
scratch
STAGE=$SCRATCH/stage
mkdir "$STAGE"
export ROOT OUT STAGE
trust_store >"$STAGE/ca-certificates.crt"
versions >"$STAGE/versions"
"$ROOT/scripts/version.sh" version >"$STAGE/version"
"$ROOT/scripts/kernel.sh" deviations >"$STAGE/kernel-deviations"
packing_list >"$STAGE/list"
"$ROOT/scripts/kernel.sh" gen-init-cpio "$SCRATCH/gen_init_cpio"

epoch=$("$ROOT/scripts/version.sh" epoch)
"$SCRATCH/gen_init_cpio" -t "$epoch" "$STAGE/list" >"$SCRATCH/initramfs"
xz -T1 --check=crc32 "$BRANCH_FILTER" --lzma2=preset=9e,dict=1MiB \
	<"$SCRATCH/initramfs" >"$SCRATCH/initramfs.img"
mv "$SCRATCH/initramfs.img" "$OUT/initramfs.img"
say "image: initramfs.img $(stat -c %s "$OUT/initramfs.img") bytes"
