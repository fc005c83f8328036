#!/bin/sh
# SPDX-License-Identifier: MIT
# HTTPS: an unknown authority's, another host's and an expired certificate get nothing; the right
# one does. The authority and the list of URLs come in a cpio archive that is appended to the
# initramfs.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

authority known
authority unknown
certificate right known "IP:$BOOT_HOST"
certificate foreign unknown "IP:$BOOT_HOST"
certificate other known DNS:other.example,IP:10.0.2.3
certificate expired known "IP:$BOOT_HOST" 20200101000000Z 20210101000000Z

urls=
for name in foreign other expired right; do
	server_start "$name" 201 "$T_TMP/$name.pem" "$T_TMP/$name.key"
	urls=$urls${urls:+,}https://$BOOT_HOST:$server_port/$name
done
mkdir -p "$T_TMP/over/etc"
cp "$T_TMP/known.pem" "$T_TMP/over/etc/ca-test.pem"
cat >"$T_TMP/over/etc/bench.conf" <<END
# what a provider would append
upload = $urls
ca = /etc/ca-test.pem
label = from the appended file
token = $TOKEN
END

machine
disk_virtio a
nic
overlay "$T_TMP/over"
BOOT_UPLOAD=
boot 120
ended reboot
for name in foreign other expired; do
	not_ok "the server with the $name certificate got nothing" test -e "$T_TMP/$name/1.head"
	ok "the server with the $name certificate was asked" test -s "$T_TMP/$name/handshakes"
done
like "$(cat "$T_TMP/right/1.head")" "^PUT /right" "the right server got the report"
report_use "$T_TMP/right/1.body"
report_is .run.label "from the appended file" "the appended cpio brought the options"
console_like '[Cc]ertificate' "the console says what was wrong with the certificates"
console_unlike "$TOKEN" "the console never shows the token"
done_testing
