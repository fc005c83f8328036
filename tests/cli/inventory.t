#!/bin/sh
# SPDX-License-Identifier: MIT
# What lies on a disk that is measured stands in the report, and redacted where that is asked; a run
# leaves nothing of its helpers behind.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup jq sfdisk mkfs.ext4 sha256sum
need_file "$OUT/bench"

UUID=01234567-89ab-cdef-0123-456789abcdef
truncate -s 64M "$T_TMP/image"
printf 'label: gpt\n,32M\n' | sfdisk -q "$T_TMP/image"
mkfs.ext4 -q -F -L somebody -U "$UUID" -E offset=1048576 "$T_TMP/image" 32m
loop=$(losetup --find --show "$T_TMP/image") || skip_all "no loop device can be set up"
at_exit "losetup -d $loop"
name=${loop#/dev/}
before=$(sha256sum <"$loop")

# measure NAME FLAG...: runs one short test; the report is $T_TMP/NAME/report.json.
measure() {
	out=$T_TMP/$1
	shift
	"$OUT/bench" run --disks "$loop" --tests seq-read-qd1 --budget 1 --out "$out" "$@" \
		>"$T_TMP/said" 2>&1 || diag "$(tail -n 3 "$T_TMP/said")"
}

measure plain
report=$T_TMP/plain/report.json
is "$(jq -r '.machine.signatures[] | "\(.device) \(.type) \(.usage) \(.label // "-")"' "$report")" \
	"$name gpt partition-table -
${name}p1 ext4 filesystem somebody" "the table and the file system are found"
is "$(jq -r '.machine.signatures[1].uuid' "$report")" "$UUID" "with its UUID"
is "$(sha256sum <"$loop")" "$before" "and nothing was written"
is "$(pgrep -f "$T_TMP/plain" || :)" '' "no process is left of the run"

measure hidden --redact
report=$T_TMP/hidden/report.json
is "$(jq -r '.machine.signatures | map(.type) | join(" ")' "$report")" "gpt ext4" \
	"a redacted report has the types"
is "$(grep -c -e somebody -e "$UUID" "$report" || :)" 0 "but neither label nor UUID"

devices=$(find /sys/bus/pci/devices -mindepth 1 2>/dev/null | wc -l)
is "$(jq -r '.machine.pci_count // 0' "$report")" "$devices" "every PCI device is listed"
is "$(jq -r '[.machine.pci[]? | select(.class_name == null or .vendor == null)] | length' \
	"$report")" 0 "with its class and its maker"
done_testing
