#!/bin/sh
# SPDX-License-Identifier: MIT
# bench close: whatever an interrupted run left behind, a whole report comes out of it.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_tool /usr/bin/python3
need_file "$OUT/bench"
GOLDEN=$ROOT/tests/golden
SCHEMA=$ROOT/docs/report.schema.json

# get FILE KEY...: prints one value of a JSON file.
get() {
	/usr/bin/python3 -c 'import json, sys
v = json.load(open(sys.argv[1]))
for key in sys.argv[2:]:
    v = v[int(key) if isinstance(v, list) else key]
print(v)' "$@"
}

# closed WHAT ARGUMENTS...: closes the report in $dir; both forms must be there and whole.
closed() {
	what=$1
	shift
	ok "$what: closed" "$OUT/bench" close --out "$dir" "$@"
	ok "$what: fits the schema" /usr/bin/python3 "$GOLDEN/check_report.py" valid "$SCHEMA" \
		"$dir/report.json"
	"$OUT/bench" report "$dir/report.json" >"$T_TMP/text"
	same_file "$T_TMP/text" "$dir/report.txt" "$what: the text is that of the report"
	is "$(find "$dir" -name '*.tmp*' -o -name '.*' -type f | wc -l)" 0 "$what: nothing half written"
}

dir=$T_TMP/new/folder-is-made
mkdir "$T_TMP/new"
closed "nothing at all" --reason 'bench ended by signal 9'
is "$(get "$dir/report.json" run state)" partial "nothing at all: partial"
is "$(get "$dir/report.json" run state_reason)" 'bench ended by signal 9' "nothing at all: the reason"
like "$(get "$dir/report.json" run id)" '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]' "nothing at all: a new id"
first=$(get "$dir/report.json" run id)
closed "closed again" --reason 'later'
is "$(get "$dir/report.json" run id)" "$first" "closed again: the same id"
is "$(get "$dir/report.json" run state_reason)" 'bench ended by signal 9' "closed again: the first reason"

dir=$T_TMP/id
mkdir "$dir"
echo 5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c >"$dir/run-id"
printf 'quiet bench.label="rack 7" bench.redact=no bench.colour=red bench.eol' >"$T_TMP/cmdline"
closed "a run id" --cmdline "$T_TMP/cmdline"
is "$(get "$dir/report.json" run id)" 5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c "a run id: taken"
is "$(get "$dir/report.json" run label)" 'rack 7' "a run id: the label of the kernel command line"
like "$(cat "$dir/report.txt")" 'colour' "a run id: the option nobody knows is told"
printf 'bench.label="rack 7" bench.redact=yes bench.eol' >"$T_TMP/cmdline"
closed "redacted" --cmdline "$T_TMP/cmdline"
unlike "$(cat "$dir/report.json" "$dir/report.txt")" 'rack 7' "redacted: the label is gone"
echo '../../etc/passwd' >"$dir/run-id"
rm "$dir/report.json"
closed "a run id that is none"
unlike "$(get "$dir/report.json" run id)" passwd "a run id that is none: not taken"

dir=$T_TMP/running
mkdir "$dir"
sed -e 's/"state": "partial"/"state": "running"/' -e '/state_reason/d' \
	-e '0,/"status": "skipped"/s//"status": "running"/' "$GOLDEN/partial.json" >"$dir/report.json"
closed "a running report" --reason 'the machine had to go'
is "$(get "$dir/report.json" results 0 status)" ok "a running report: what was done stays"
is "$(get "$dir/report.json" results 1 status)" skipped "a running report: what was at work"
is "$(get "$dir/report.json" results 1 reason)" 'cut short: the machine had to go' \
	"a running report: and says why"
is "$(get "$dir/report.json" run state)" partial "a running report: partial"
like "$(cat "$dir/report.txt")" '^PARTIAL: ended early.*the machine had to go' "a running report: told first"

dir=$T_TMP/complete
mkdir "$dir"
cp "$GOLDEN/three-disks.json" "$dir/report.json"
closed "a complete report" --reason 'no reason'
same_file "$dir/report.json" "$GOLDEN/three-disks.json" "a complete report: as it was"

dir=$T_TMP/bad
mkdir "$dir"
head -c 3000 "$GOLDEN/three-disks.json" >"$dir/report.json"
cp "$dir/report.json" "$T_TMP/cut.json"
echo 5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c >"$dir/run-id"
closed "a report cut short"
is "$(get "$dir/report.json" run id)" 5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c "a report cut short: same id"
like "$(cat "$dir/report.txt")" 'at byte 3000 of 3000' "a report cut short: the report says so"
same_file "$dir/report.json.bad" "$T_TMP/cut.json" "a report cut short: kept aside"

echo file >"$T_TMP/file"
not_ok "a folder that cannot be made" "$OUT/bench" close --out "$T_TMP/file/x"
status=0
"$OUT/bench" close --reason >"$T_TMP/said" 2>&1 || status=$?
is "$status" 2 "a flag without its value: exit code"
like "$(cat "$T_TMP/said")" 'reason' "a flag without its value: said"
status=0
"$OUT/bench" close "$T_TMP" >"$T_TMP/said" 2>&1 || status=$?
is "$status" 2 "the folder without --out: exit code"
like "$("$OUT/bench" close --help)" '^usage: bench close' "help"

done_testing
