#!/bin/sh
# SPDX-License-Identifier: MIT
# The conventions that a machine can check: every file says its licence, none has lines over 100
# columns or over 600 lines, C functions stay below 80 lines, and nothing is left to do later.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

cd "$ROOT"
find .ci Makefile bench collector init kernel-config lib rootfs scripts tests -type f \
	! -name '*.lock' ! -name '*.json' ! -name '*.txt' ! -name '*.pyc' ! -path '*/golden/*' \
	! -path rootfs/etc/passwd ! -path rootfs/etc/group | LC_ALL=C sort >"$T_TMP/files"
grep -E '\.[ch]$' "$T_TMP/files" >"$T_TMP/c" || :
ge "$(wc -l <"$T_TMP/c")" 20 "the C files are found"

# each WHAT AWK-PROGRAM LIST: the program prints nothing about any file of the list.
each() {
	offenders=$(tr '\n' '\0' <"$3" | xargs -0 -r awk "$2" | head -n 20)
	is "$offenders" "" "$1"
}

each "each file names its licence on top" '
	FNR == 1 { said = 0 }
	FNR <= 3 && /SPDX-License-Identifier: MIT/ { said = 1 }
	FNR == 3 && !said { print FILENAME }' "$T_TMP/files"
each "no trailing blanks" '/[ \t]$/ { print FILENAME ":" FNR }' "$T_TMP/files"
# Written in two halves, or this file would be found.
later='TO''DO|FIX''ME|XX''X:'
each "nothing is left to do later" "/(^|[^A-Z])($later)/ { print FILENAME \":\" FNR }" \
	"$T_TMP/files"
each "no file over 600 lines" 'FNR == 601 { print FILENAME }' "$T_TMP/files"
each "C is indented by tabs" '/^        / { print FILENAME ":" FNR }' "$T_TMP/c"
each "no C function over 80 lines" '
	FNR == 1 { open = 0 }
	/^\{/ { open = FNR }
	/^\}/ && open {
		if (FNR - open - 1 > 80) print FILENAME ":" open ": " FNR - open - 1
		open = 0
	}' "$T_TMP/c"

# A deviation of the kernel is one record of a line, for the report.
while read -r file; do
	expand -t 8 "$file" | sed 's/^# deviation: .*//' | LC_ALL=C.UTF-8 grep -nE '^.{101,}' |
		sed "s,^\\([0-9]*\\):.*,$file:\\1,"
done <"$T_TMP/files" >"$T_TMP/long" || :
is "$(wc -l <"$T_TMP/long")" 0 "no line over 100 columns"
[ ! -s "$T_TMP/long" ] || diag "$(head -n 20 "$T_TMP/long")"
done_testing
