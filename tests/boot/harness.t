#!/bin/sh
# SPDX-License-Identifier: MIT
# The boot tests' harness notices what it is there to notice: each check of a bad case fails.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

# noticed WHAT CHECK...: the check, made in a shell of its own, fails.
noticed() {
	what=$1
	shift
	said=$("$@" 2>/dev/null)
	like "$said" '^not ok' "$what"
}

# A machine without anything to boot: it never ends by itself.
machine
drive changed 65536
boot_plain 2
is "$(cat "$BOOT/end")" limit "a machine that does not end is killed"
noticed "a wrong end is noticed" ended reboot
unlike "$(ended limit 2>/dev/null)" '^not ok' "the right end passes"
printf x | dd of="$T_TMP/changed.img" conv=notrunc 2>/dev/null
noticed "a changed disk is noticed" ended limit

machine
script 'never said' see
qemu -S
boot_plain 1
noticed "a script that was not played is noticed" ended limit

: >"$T_TMP/empty"
# shellcheck disable=SC2034 # report_has looks at it
report=$T_TMP/empty
noticed "an empty report is noticed" report_has '.run.state == "complete"' "it has nothing"

machine
qemu -device no-such-device
boot_plain 5
is "$(cat "$BOOT/end")" qemu "QEMU's own failure is told apart"

printf '[    1.000000] %s\n' "RETBleed: WARNING: Spectre v2 mitigation leaves CPU vulnerable" \
	"bootmark: WARNING: of our own" "Kernel command line: panic=1" >"$T_TMP/fine"
unlike "$(kernel_complaints "$T_TMP/fine" x 2>/dev/null)" '^not ok' "no fault of the kernel passes"
for fault in "WARNING: CPU: 0 PID: 1 at mm/slub.c:1 kfree" "BUG: unable to handle page fault" \
	"INFO: task bench:77 blocked for more than 120 seconds."; do
	printf '[    1.000000] %s\n' "$fault" >"$T_TMP/bad"
	noticed "noticed: $fault" kernel_complaints "$T_TMP/bad" x
done
done_testing
