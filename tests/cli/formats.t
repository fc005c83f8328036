#!/bin/sh
# SPDX-License-Identifier: MIT
# The forms for other programs: read by parsers that are not ours, their numbers are those of the
# report, of stored reports and of a run that has just measured.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup jq /usr/bin/python3
need_file "$OUT/bench"

CHECK=$ROOT/tests/golden/check_formats.py
FORMS="fio-json yabs ndjson influx"

# check_forms NAME REPORT
check_forms() {
	for form in $FORMS; do
		"$OUT/bench" report --format "$form" "$2" >"$T_TMP/form"
		ok "$1 as $form" /usr/bin/python3 "$CHECK" "$form" "$2" "$T_TMP/form"
	done
}

for report in "$ROOT"/tests/golden/*.json; do
	check_forms "${report##*/}" "$report"
done

head -c 268435456 /dev/urandom >"$T_TMP/image"
loop=$(losetup --find --show "$T_TMP/image") || skip_all "no loop device can be set up"
at_exit "losetup -d $loop"
name=${loop#/dev/}
"$OUT/bench" run --disks "$loop" --write destroy --destroy "$name" --budget 1 --deadline 120 \
	--tests fio,yabs,rand-read-qd1,dd-read --out "$T_TMP/run" >"$T_TMP/said" 2>&1 || :
report=$T_TMP/run/report.json
is "$(jq '[.results[] | select(.status == "ok")] | length' "$report")" 10 \
	"fio's four jobs, YABS's four mixes, and two others are measured"
check_forms "a run" "$report"
is "$("$OUT/bench" report --format fio-json "$report" | jq '.jobs | length')" 9 \
	"every test with a latency for each I/O is a job of fio's"
is "$("$OUT/bench" report --format yabs "$report" | jq -r '[.fio[].bs] | join(",")')" \
	4k,64k,512k,1m "YABS's four sizes"

# what these checks are worth: a number that is not the report's is seen
"$OUT/bench" report --format ndjson "$report" |
	jq -c 'if .metric == "iops" then .value *= 1.000001 else . end' >"$T_TMP/wrong"
not_ok "a wrong number is seen in the rows" /usr/bin/python3 "$CHECK" ndjson "$report" \
	"$T_TMP/wrong"
"$OUT/bench" report --format ndjson "$report" | sed 5d >"$T_TMP/wrong"
not_ok "a missing row is seen" /usr/bin/python3 "$CHECK" ndjson "$report" "$T_TMP/wrong"
"$OUT/bench" report --format influx "$report" | sed 's/,iops=/,iops=1/' >"$T_TMP/wrong"
not_ok "a wrong number is seen in the points" /usr/bin/python3 "$CHECK" influx "$report" \
	"$T_TMP/wrong"
"$OUT/bench" report --format fio-json "$report" |
	jq '.jobs |= [.[] | .read.bw = .read.bw_bytes]' >"$T_TMP/wrong"
not_ok "bytes for KiB are seen in fio's form" /usr/bin/python3 "$CHECK" fio-json "$report" \
	"$T_TMP/wrong"
done_testing
