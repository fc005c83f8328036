#!/bin/sh
# SPDX-License-Identifier: MIT
# HTTPS with a pinned key: another key gets nothing; the pinned one does, whoever signed its
# certificate.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

authority nobody
certificate pinned nobody DNS:other.example 20200101000000Z 20210101000000Z
certificate other nobody "IP:$BOOT_HOST"
server_start other 201 "$T_TMP/other.pem" "$T_TMP/other.key"
urls=https://$BOOT_HOST:$server_port/other
server_start pinned 201 "$T_TMP/pinned.pem" "$T_TMP/pinned.key"
urls=$urls,https://$BOOT_HOST:$server_port/pinned

machine
disk_virtio a
nic
BOOT_UPLOAD=$urls
param "bench.pin=$(pin_of pinned)"
boot 120
ended reboot
not_ok "the server with another key got nothing" test -e "$T_TMP/other/1.head"
ok "the server with another key was asked" test -s "$T_TMP/other/handshakes"
like "$(cat "$T_TMP/pinned/1.head")" "^PUT /pinned" "the server with the pinned key got the report"
report_use "$T_TMP/pinned/1.body"
report_measured a
done_testing
