#!/bin/sh
# SPDX-License-Identifier: MIT
# The stored reports, their texts and the schema, seen from outside: by the bench program and an
# independent JSON Schema validator.
#
# The stored files are what tests/unit/test_text_report.c and test_report_fields.c write. After a wanted
# change see "Changing it" in docs/report-format.md.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_tool /usr/bin/python3
need_file "$OUT/bench"
GOLDEN=$ROOT/tests/golden
SCHEMA=$ROOT/docs/report.schema.json
CHECK=$GOLDEN/check_report.py
bench() { "$OUT/bench" "$@"; }

ok "the schema is one of JSON Schema 2020-12, closed everywhere" \
	/usr/bin/python3 "$CHECK" schema "$SCHEMA"
ok "every key of the schema is in a stored report with every field" \
	/usr/bin/python3 "$CHECK" complete "$SCHEMA" "$GOLDEN/every-field.json" "$GOLDEN/every-field-large.json"
ok "the schema refuses what is no report" \
	/usr/bin/python3 "$CHECK" refuses "$SCHEMA" "$GOLDEN/three-disks.json"

for json in "$GOLDEN"/*.json; do
	name=${json##*/}
	ok "$name fits the schema" /usr/bin/python3 "$CHECK" valid "$SCHEMA" "$json"
	bench report --format json "$json" >"$T_TMP/again.json"
	same_file "$T_TMP/again.json" "$json" "$name is written as it was read"
	bench report "$json" >"$T_TMP/text"
	ok "$name as text: 80 columns, plain" /usr/bin/python3 "$CHECK" text "$T_TMP/text"
	[ ! -e "${json%.json}.txt" ] ||
		same_file "$T_TMP/text" "${json%.json}.txt" "$name as text is as stored"
done

bench report - <"$GOLDEN/partial.json" >"$T_TMP/text"
same_file "$T_TMP/text" "$GOLDEN/partial.txt" "a report from standard input"

# redaction
bench report --redact --format json "$GOLDEN/three-disks.json" >"$T_TMP/public.json"
ok "a redacted report fits the schema" /usr/bin/python3 "$CHECK" valid "$SCHEMA" "$T_TMP/public.json"
for form in text json; do
	said=$(bench report --redact --format "$form" "$GOLDEN/three-disks.json")
	unlike "$said" 'S675NX0R123456|S3TVNX0M555555|Z1Z0ABCD|S271825X8123456|order 4711|02:00:5e' \
		"no identity is left in the redacted $form"
	like "$said" 'ST4000NM0033-9ZM170' "the model is, in the redacted $form"
done

# what is wrong is said, with name, place and next step
# refused STATUS ERE WHAT ARGUMENTS...
refused() {
	want=$1 ere=$2 what=$3
	shift 3
	status=0
	said=$(bench report "$@" 2>&1 >"$T_TMP/out") || status=$?
	is "$status" "$want" "$what: exit code"
	like "$said" "$ere" "$what: said"
	is "$(wc -c <"$T_TMP/out")" 0 "$what: nothing on standard output"
}
head -c 1000 "$GOLDEN/partial.json" >"$T_TMP/cut.json"
sed 's/"complete"/"finished"/' "$GOLDEN/no-disk.json" >"$T_TMP/word.json"
sed 's,bootmark/1,bootmark/9,' "$GOLDEN/no-disk.json" >"$T_TMP/newer.json"
: >"$T_TMP/empty.json"
refused 1 "$T_TMP/none.json: No such file.*report.json" "a file that is not there" "$T_TMP/none.json"
refused 1 "$T_TMP: " "a folder" "$T_TMP"
refused 1 'cut.json: not a whole report: .*at byte 1000 of 1000' "a report cut short" "$T_TMP/cut.json"
refused 1 'word.json: .*run.state: a word' "a word that is not known" "$T_TMP/word.json"
refused 1 'newer.json: .*schema "bootmark/9".*reads "bootmark/1"' "a newer schema" "$T_TMP/newer.json"
refused 1 'empty.json: not a whole report' "an empty file" "$T_TMP/empty.json"
refused 2 'name the report file' "no file"
refused 2 'one file at a time' "two files" "$GOLDEN/minimal.json" "$GOLDEN/minimal.json"
refused 2 '' "a format that is not known" --format pdf "$GOLDEN/minimal.json"
refused 2 'unknown flag' "a flag that is not known" --colour "$GOLDEN/minimal.json"
like "$(bench report --help)" '^usage: bench report .*FILE' "help"
like "$(bench report --help)" '^ *--redact' "help names the flags"
if [ -w /dev/full ]; then
	not_ok "a full disk is an error" sh -c "\"$OUT/bench\" report \"$GOLDEN/minimal.json\" >/dev/full"
else
	skip "a full disk is an error" "no /dev/full"
fi

done_testing
