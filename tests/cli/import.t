#!/bin/sh
# SPDX-License-Identifier: MIT
# bench import: pasted text as figures and as a report that other commands take; exit codes.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_tool jq /usr/bin/python3
need_file "$OUT/bench"

CHECK=$ROOT/tests/golden/check_report.py
run() {
	said=$("$OUT/bench" import "$@" 2>"$T_TMP/err") && status=0 || status=$?
	err=$(cat "$T_TMP/err")
}

cat >"$T_TMP/page" <<'END'
A machine with two disks, about 400 MB/s:
# hdparm -t /dev/sda /dev/sda: Timing buffered disk reads: 1500 MB in 3.00 seconds = 500 MB/sec
# dd if=/dev/zero of=x bs=64k count=16k conv=fdatasync
1073741824 Bytes (1,1 GB, 1,0 GiB) kopiert, 2,5 s, 429 MB/s
<script>alert(1)</script> 77 MB/s
END
run "$T_TMP/page"
is "$status" 0 "figures in a text are read"
like "$said" 'hdparm-t sda: .*1500 MB' "hdparm's, in its words"
like "$said" '^    = throughput 524 MB/s$' "and in one unit"
like "$said" '^    = throughput 429 MB/s$' "dd's, of another language"
like "$said" '^  A machine with two disks, about 400 MB/s:$' "what was not read is listed"
like "$said" '^2 results\.$' "and how many there are"

run --json "$T_TMP/page"
printf '%s\n' "$said" >"$T_TMP/report.json"
ok "--json is a report" /usr/bin/python3 "$CHECK" valid "$ROOT/docs/report.schema.json" \
	"$T_TMP/report.json"
is "$(jq -r '[.results[].metrics[0].value | floor] | join(" ")' "$T_TMP/report.json")" \
	"524288000 429496729" "with the exact values"
is "$(jq -r '.results[1].as_read' "$T_TMP/report.json")" \
	"1073741824 Bytes (1,1 GB, 1,0 GiB) kopiert, 2,5 s, 429 MB/s" "and the words"
text=$("$OUT/bench" report "$T_TMP/report.json")
like "$text" '^Read from pasted text\. Nothing of it was judged\.$' \
	"no run that found nothing wrong"
"$OUT/bench" report --format html "$T_TMP/report.json" >"$T_TMP/page.html"
unlike "$(cat "$T_TMP/page.html")" '<script' "its texts stay text"

"$OUT/bench" import - <"$T_TMP/page" >"$T_TMP/stdin" && status=0 || status=$?
is "$status" 0 "also from standard input"
echo "no figures" >"$T_TMP/prose"
run "$T_TMP/prose"
is "$status" 1 "a text without figures is exit code 1"
like "$err" "no output of bench.sh, hdparm, dd or fio" "that says so"
run /nonexistent
is "$status" 1 "no such file"
like "$err" "No such file" "and says so"
for wrong in "" "--bogus x" "a b"; do
	# shellcheck disable=SC2086
	run $wrong
	is "$status" 2 "wrong flags: $wrong"
	like "$err" "^bench import: " "and says so"
done
done_testing
