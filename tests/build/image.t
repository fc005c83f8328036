#!/bin/sh
# SPDX-License-Identifier: MIT
# What is inside initramfs.img: packed so that small machines can unpack it, owned by root, without
# a trace of where it was built.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_file "$OUT/initramfs.img" "$OUT/SHA256SUMS" "$OUT/sources.used"

packed=$(xz --robot --list -vv "$OUT/initramfs.img")
like "$packed" '^block.*CRC32' "the checksum is the one the kernel knows"
dictionary=$(printf '%s\n' "$packed" | grep -o 'dict=[0-9]*[KM]*iB' | sort -u)
is "$dictionary" dict=1MiB "the dictionary is 1 MiB: a larger one kills machines of 64 MiB"

xz -dc "$OUT/initramfs.img" >"$T_TMP/cpio"
cpio -itvn --quiet <"$T_TMP/cpio" >"$T_TMP/list"
cpio -it --quiet <"$T_TMP/cpio" | sed 's/^/\//' >"$T_TMP/names"
has() {
	if grep -Eq -e "$1" "$T_TMP/list"; then pass "$2"; else fail "$2" "$(cat "$T_TMP/list")"; fi
}

is "$(awk '{ print $3, $4 }' "$T_TMP/list" | sort -u)" "0 0" "everything belongs to root"
is "$(awk '$1 ~ /^-..[sS]|^-.....[sS]/' "$T_TMP/list")" "" "nothing is set-user-id"
has '^-rwxr-xr-x.* init$' "/init"
has '^-rwxr-xr-x.* bin/bench$' "bench"
has '^crw-------.* 5, +1 .* dev/console$' "/dev/console, which the kernel opens before init runs"
has '^crw-rw-rw-.* 1, +3 .* dev/null$' "/dev/null"
has '^l.* etc/resolv.conf -> /run/resolv.conf$' "resolv.conf is where init can write it"
has '^l.* bin/dhcp-event -> /init$' "init answers udhcpc"
for applet in sh udhcpc ip mount dmesg reboot poweroff; do
	has "^l.* bin/$applet -> busybox\$" "applet $applet"
done
for unwanted in wget nc telnetd httpd ftpd mkfs fdisk hdparm mdev losetup swapon; do
	is "$(grep -E "/$unwanted\$" "$T_TMP/names" || :)" "" \
		"no $unwanted: nothing that listens, fetches or formats"
done
# The archive's order is the sorted one, whatever order the list's file has.
is "$(LC_ALL=C sort "$T_TMP/names" | cksum)" "$(cksum <"$T_TMP/names")" \
	"files are packed in sorted order"

mkdir "$T_TMP/root"
(cd "$T_TMP/root" && cpio -id --quiet --no-absolute-filenames <"$T_TMP/cpio" 2>/dev/null) || :
same_file "$OUT/bench" "$T_TMP/root/bin/bench" "the packed bench is the one beside it"
trusted=$T_TMP/root/etc/ssl/certs/ca-certificates.crt
authorities=$(grep -c 'BEGIN CERTIFICATE' "$trusted")
ge "$authorities" 100 "the trust store holds $authorities authorities"
ok "it can be read" openssl crl2pkcs7 -nocrl -certfile "$trusted"
like "$(cat "$T_TMP/root/etc/bootmark/version")" '^[0-9]+\.[0-9]+\.[0-9]+' "its version"
is "$(cut -d ' ' -f 1 "$T_TMP/root/etc/bootmark/versions" | tr '\n' ' ')" \
	"busybox ca-certificates curl e2fsprogs libaio liburing linux lz4 mbedtls musl pci.ids \
smartmontools util-linux yyjson zstd kernel-config " \
	"the versions of its parts"
ok "the kernel's deviations are told" test -s "$T_TMP/root/etc/bootmark/kernel-deviations"

# A path of the build machine in a binary makes two builds differ, and tells what nobody should
# know.
cache=${BOOTMARK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bootmark}
for trace in "$ROOT" "$cache" "$HOME/" /tmp/bootmark-; do
	for file in init bin/bench bin/busybox; do
		not_ok "$file knows nothing of ${trace##*/}" \
			grep -aqF -e "$trace" "$T_TMP/root/$file"
	done
done

ok "SHA256SUMS is right" env -C "$OUT" sha256sum -c SHA256SUMS
done_testing
