#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/init.md says what the program says: its stages, its mounts, its console lines.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_file "$OUT/init"
DOC=$ROOT/docs/init.md

# in_doc WHAT COMMAND...: every line that the command prints stands in the document.
in_doc() {
	t_what=$1
	shift
	"$@" | expand -t 8 | sed 's/[[:space:]][[:space:]]*/ /g' >"$T_TMP/said"
	sed 's/^ *//; s/[[:space:]][[:space:]]*/ /g' "$DOC" >"$T_TMP/doc"
	ge "$(wc -l <"$T_TMP/said")" 5 "$t_what: the program prints them"
	is "$(grep -vxFf "$T_TMP/doc" "$T_TMP/said" || :)" "" "$t_what: docs/init.md has them all"
}

in_doc stages "$OUT/init" --print-stages
in_doc mounts "$OUT/init" --print-mounts

# Files that other programs read, and the marks tests wait for.
sed -n 's/.*BOOT_DIR "\(\/[a-z.]*\)".*/\1/p' "$ROOT/init/boot.h" >"$T_TMP/files"
ge "$(wc -l <"$T_TMP/files")" 4 "the files are found"
while read -r path; do
	ok "the file $path is explained" grep -Fq "$path" "$DOC"
done <"$T_TMP/files"
for mark in 'stage %s: start (uptime' 'stage %s: helper (uptime' 'stage %s: crashed in' \
	'stage %s: failed in' 'report begin' 'report end' 'result: delivered' 'end: %s'; do
	ok "init says: $mark" grep -rFq "\"$mark" "$ROOT/init"
	written=$(printf '%s' "$mark" | sed 's/stage %s/stage NAME/; s/end: %s/end: reboot/')
	ok "and the document: $written" grep -Fq "bootmark: $written" "$DOC"
done
not_ok "init knows no other flags" "$OUT/init" --help
not_ok "and does nothing as another process" "$OUT/init"
done_testing
