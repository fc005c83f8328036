#!/bin/sh
# SPDX-License-Identifier: MIT
# Serial numbers and product names of any bytes: the report is valid JSON in UTF-8 and shows them
# as text.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
nic
drive nasty
qemu -device "nvme,drive=nasty,serial=$(printf 'AB\377\001')\"<b>\$(reboot)"
drive markup
qemu -device virtio-scsi-pci,id=scsi
qemu -device "scsi-hd,bus=scsi.0,drive=markup,vendor=<b>x,product=<script>a(),serial=;reboot;"
bad=$(printf '\377\377\033[31m')
qemu -smbios "type=1,manufacturer=$bad,product=a\"b\\c,serial=To be filled by O.E.M."
boot 120
ended reboot
report_arrived
ok "the report is UTF-8" iconv -f UTF-8 -t UTF-8 "$report"
report_is '[.. | strings | explode[] | select(. < 32 or . == 127)] | length' 0 \
	"no text holds a control character"
report_has 'taken | any(.serial | test("^AB.*\"<b>\\$\\(reboot\\)$"))' \
	"the NVMe disk's serial number" 'taken[].serial'
report_has 'disk(";reboot;").model | contains("<script>a()")' "the SCSI disk's model"
report_has 'asked | length >= 4 and all(.status == "ok")' "both are measured"
"$OUT/bench" report "$report" >"$T_TMP/text"
ok "the text is UTF-8" iconv -f UTF-8 -t UTF-8 "$T_TMP/text"
is "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$T_TMP/text" | wc -c)" 0 \
	"the text holds no control character"
done_testing
