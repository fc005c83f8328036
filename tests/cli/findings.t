#!/bin/sh
# SPDX-License-Identifier: MIT
# bench findings: the findings of a stored report with their advice, the list of rules, exit codes.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_tool jq
need_file "$OUT/bench"

golden=$ROOT/tests/golden
run() {
	said=$("$OUT/bench" findings "$@" 2>"$T_TMP/err") && status=0 || status=$?
	err=$(cat "$T_TMP/err")
}

run "$golden/three-disks.json"
is "$status" 5 "a critical finding is exit code 5"
like "$said" "^CRITICAL  sdb .ST4000NM0033-9ZM170.: rand-read-qd64: 3 of" "the worst comes first"
like "$said" "^          -> Ask the provider to replace the disk" "each has its advice"
is "$(printf '%s\n' "$said" | awk 'length > 80' | wc -l)" 0 "80 columns suffice"
run "$golden/minimal.json"
is "$status" 4 "a warning is exit code 4"
id=00000000-0000-4000-8000-000000000001
printf '{"schema":"bootmark/1","run":{"id":"%s","state":"running"}}' "$id" |
	"$OUT/bench" findings - >"$T_TMP/none" && status=0 || status=$?
is "$status" 0 "none is exit code 0"
is "$(cat "$T_TMP/none")" "No findings." "and says so"

run --json "$golden/three-disks.json"
is "$(printf %s "$said" | jq -c '[.[] | [.rule, .target, .severity]][0]')" \
	'["read-errors","sdb","critical"]' "--json is an array of findings"
is "$(printf %s "$said" | jq -c .)" "$(jq -c .findings "$golden/three-disks.json")" \
	"the same objects as in the report"
run --again --json "$golden/three-disks.json"
is "$(printf %s "$said" | jq '[.[] | select(.advice == null)] | length')" 0 \
	"--again judges by the rules of this program"

run --list
is "$status" 0 "--list needs no report"
like "$said" "^no-disk \(critical\)$" "a rule and its severity"
run --list --json
is "$(printf %s "$said" | jq 'length == ([.[].rule] | unique | length) and length > 60')" true \
	"all rules, each once"
is "$(printf %s "$said" | jq '[.[] | select((.question and .threshold and .advice and
	(.severities | length > 0)) | not)] | length')" 0 "each with all that is known of it"

for wrong in "" "--list x" "--list --again" "--bogus" "a b"; do
	# shellcheck disable=SC2086
	run $wrong
	is "$status" 2 "wrong flags: $wrong"
	like "$err" "^bench findings: " "and says so"
done
run /nonexistent
is "$status" 1 "no such file"
like "$err" "No such file" "and says so"
done_testing
