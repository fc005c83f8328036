#!/bin/sh
# SPDX-License-Identifier: MIT
# bench run on a loop device: measures it, leaves a valid report, and writes nothing to it, whatever
# the option write says.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup jq sha256sum
need_file "$OUT/bench"

bench=$OUT/bench
head -c 67108864 /dev/urandom >"$T_TMP/image"
loop=$(losetup --find --show "$T_TMP/image") || skip_all "no loop device can be set up"
at_exit "losetup -d $loop"
name=${loop#/dev/}
before=$(sha256sum <"$loop")

said=$("$bench" plan --disks "$loop" --profile quick --budget 1 2>&1) && status=0 || status=$?
is "$status" 0 "a loop device that is named is planned"
like "$said" "^$name 67.1 MB " "with its size"
like "$said" 'rand-read-qd64 .* 1.00 s$' "and its tests with their time"

said=$("$bench" run --disks "$loop" --profile quick --budget 1 --deadline 60 --out "$T_TMP/out" \
	--tests seq-read-qd1,seq-read-qd64,rand-read-qd1,rand-read-qd64 2>&1) && status=0 ||
	status=$?
is "$status" 0 "a loop device is measured"
like "$said" "rand-read-qd64|random read" "progress names the tests"
report=$T_TMP/out/report.json
ok "report.json is JSON" jq -e . "$report"
is "$(jq -r .schema "$report")" bootmark/1 "its schema"
is "$(jq -r .run.state "$report")" complete "its state"
is "$(jq -r '[.results[] | select(.status == "ok")] | length' "$report")" 4 "four tests are ok"
is "$(jq -r '[.results[].target] | unique | join(",")' "$report")" "$name" "all on the named disk"
is "$(jq -r '[.results[] | select(.io.ios == 0)] | length' "$report")" 0 "each did I/O"
is "$(jq -r '.results[] | select(.test == "rand-read-qd64") | .io.latency.count == .io.ios' \
	"$report")" true "every I/O has a latency"
# rate, IOPS and block size are three views of one thing
is "$(jq -r '[.results[] | select(.status == "ok") | .parameters.block_bytes as $b
	| (.metrics[] | select(.name == "iops").value) as $i
	| (.metrics[] | select(.name == "throughput").value) as $t
	| ($t / ($i * $b)) | select(. < 0.999999 or . > 1.000001)] | length' "$report")" 0 \
	"throughput = IOPS x block size"
like "$(cat "$T_TMP/out/report.txt")" "$name" "the text names the disk"
unlike "$(cat "$T_TMP/out/report.txt")" '.{81}' "no line of it is longer than 80 columns"
is "$("$bench" report "$report" | sha256sum)" "$(sha256sum <"$T_TMP/out/report.txt")" \
	"bench report shows the same text"
is "$(cat "$T_TMP/out/run-id")" "$(jq -r .run.id "$report")" "the run's id stands beside it"
like "$(jq -r .run.id "$report")" \
	'^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' "and is a UUID"

# shellcheck disable=SC2016 # a hostile value, to be taken as it is
for consent in 0 no false '' yes 1 all destroy '$(reboot)'; do
	"$bench" run --disks "$loop" --write "$consent" --destroy "$name" \
		--tests rand-read-qd1 --budget 1 --deadline 30 --out "$T_TMP/w" \
		>"$T_TMP/said" 2>&1 && status=0 || status=$?
	is "$status" 0 "--write '$consent' runs"
	is "$(sha256sum <"$loop")" "$before" "--write '$consent' leaves the device as it was"
	# shellcheck disable=SC2016
	case $consent in
	yes | 1 | all | '$(reboot)')
		like "$(jq -r '.notes[].text' "$T_TMP/w/report.json")" 'nothing will be written' \
			"--write '$consent' is noted in the report" ;;
	esac
done

# families and the phase together are words of --tests; two disks are measured at once
said=$("$bench" plan --disks "$loop" --tests fio 2>&1)
like "$said" 'fio-read-iops .*[0-9] s$' "a family names its tests"
unlike "$said" 'rand-read-qd1' "and no others"
head -c 67108864 /dev/urandom >"$T_TMP/second"
second=$(losetup --find --show "$T_TMP/second")
at_exit "losetup -d $second"
"$bench" run --disks "$loop,$second" --tests seq-read-qd32,together --budget 1 --deadline 60 \
	--out "$T_TMP/both" >"$T_TMP/said" 2>&1 && status=0 || status=$?
is "$status" 0 "two disks are measured"
both=$T_TMP/both/report.json
is "$(jq -r '[.results[] | select(.status == "ok")] | group_by(.phase) |
	map("\(.[0].phase) \(length)") | join(", ")' "$both")" "alone 2, together 4" \
	"each alone, then both at once"
is "$(jq -r '.shared_limits | map("\(.test) \(.disks)") | join(", ")' "$both")" \
	"seq-read-together 2" "what was measured both ways is compared"
like "$(cat "$T_TMP/both/report.txt")" 'seq-read-together +2 .*%' "also in the text"

# an unsuitable disk is no speed of 0
truncate -s 65536 "$T_TMP/tiny"
tiny=$(losetup --find --show "$T_TMP/tiny")
at_exit "losetup -d $tiny"
"$bench" run --disks "$tiny" --budget 1 --deadline 30 --out "$T_TMP/tiny.out" \
	>"$T_TMP/said" 2>&1 || :
is "$(jq -r '[.results[] | select(.test | startswith("seq-read")) | .status] | unique | join(",")' \
	"$T_TMP/tiny.out/report.json")" unsupported "a 64 KiB disk cannot be read in 1 MiB blocks"
is "$(jq -r '[.results[] | select(.status != "ok") | .reason
	| select(. == "" or . == null)] | length' "$T_TMP/tiny.out/report.json")" 0 \
	"and every status but ok has its reason"

# what is about no disk needs none; a server that is down has its reason
mkdir -p "$T_TMP/bare/sys/block" "$T_TMP/bare/proc" "$T_TMP/bare/dev"
"$bench" run --root "$T_TMP/bare" --tests cpu-prime,cpu-int --budget 4 --deadline 60 \
	--out "$T_TMP/cpu" >"$T_TMP/said" 2>&1 && status=0 || status=$?
is "$status" 0 "processors are measured on a machine without a disk"
is "$(jq -r '.results | map("\(.test) \(.phase) \(.target // "") \(.status)") | join(", ")' \
	"$T_TMP/cpu/report.json")" "cpu-prime machine  ok, cpu-int machine  ok" "test by test"
like "$(cat "$T_TMP/said")" '^\[2/2\] machine .* [0-9.]+ ./s$' "each with its number"
like "$(cat "$T_TMP/cpu/report.txt")" '^  cpu-prime .*/s .*/s .*/s ' "in a table of its own"
unlike "$(cat "$T_TMP/cpu/report.txt")" '.{81}' "no line of it is longer than 80 columns"
"$bench" run --root "$T_TMP/bare" --tests net-node --budget 2 --deadline 30 \
	--nodes near=http://127.0.0.1:1/x --out "$T_TMP/node" >"$T_TMP/said" 2>&1 &&
	status=0 || status=$?
is "$status" 3 "a machine without a disk, and a server that is down: nothing was measured"
is "$(jq -r '.results[] | "\(.test) \(.phase) \(.target) \(.status)"' \
	"$T_TMP/node/report.json")" "net-node network near failed" "one result, of the server"
like "$(jq -r '.results[].reason' "$T_TMP/node/report.json")" refused "with its reason"
like "$(cat "$T_TMP/node/report.txt")" '^near .*FAILED: .*refused' "also in the text"
like "$(cat "$T_TMP/said")" '^\[1/1\] near ' "and on the way"
"$bench" run --disks "$loop" --tests rand-read-qd1,net-node --budget 1 --deadline 60 \
	--nodes near=http://127.0.0.1:1/x --out "$T_TMP/both.nodes" >"$T_TMP/said" 2>&1 &&
	status=0 || status=$?
is "$status" 0 "a server that is down is no failure of a run that measured a disk"
is "$(jq -r '.results | map("\(.phase) \(.status)") | join(", ")' \
	"$T_TMP/both.nodes/report.json")" "alone ok, network failed" "the network comes last"

# a run that is stopped still leaves its report
start "$bench" run --disks "$loop" --budget 30 --out "$T_TMP/stopped"
ok "a test begins" wait_for 20 jq -e '.results[] | select(.status == "running")' \
	"$T_TMP/stopped/report.json"
kill -TERM "$pid"
wait "$pid" && status=0 || status=$?
is "$status" 3 "SIGTERM ends it with exit code 3"
is "$(jq -r .run.state "$T_TMP/stopped/report.json")" partial "with a partial report"
is "$(jq -r '[.results[].status | select(. != "unsupported")] | unique | join(",")' \
	"$T_TMP/stopped/report.json")" skipped "that says what did not run"
is "$(jq -r '[.results[] | select(.reason | test("cut short"))] | length' \
	"$T_TMP/stopped/report.json")" 1 "and what was cut short"
is "$(jq -r '[.findings[] | select(.severity == "critical")] | length' \
	"$T_TMP/stopped/report.json")" 0 "without accusing the disk"

said=$("$bench" run --disks "$loop" --budget 5 --deadline 2 --out "$T_TMP/late" 2>&1) &&
	status=0 || status=$?
is "$status" 3 "a deadline ends the run with exit code 3"
like "$(jq -r .run.state_reason "$T_TMP/late/report.json")" deadline "and says so"

said=$("$bench" run --disks "$loop" --tests nonsense --out "$T_TMP/none" 2>&1) &&
	status=0 || status=$?
is "$status" 2 "a test that does not exist is a usage error"
like "$said" nonsense "and is named"

said=$("$bench" run --disks "$loop" --out "$T_TMP/image/folder" 2>&1) && status=0 || status=$?
is "$status" 1 "a folder that cannot be made is exit code 1"
like "$said" "$T_TMP/image/folder.*--out" "that names the folder and the next step"

# quick DIR: one second of one test into that folder
# shellcheck disable=SC2317 # called by ok
quick() {
	"$bench" run --disks "$loop" --tests rand-read-qd1 --budget 1 --out "$1" >"$T_TMP/said" 2>&1
}

ok "missing parents of the folder are made" quick "$T_TMP/a/b/c"
ok "and it holds the report" jq -e . "$T_TMP/a/b/c/report.json"

# the report of an earlier run is kept
older=$(cat "$T_TMP/a/b/c/run-id")
echo stale >"$T_TMP/a/b/c/upload.json"
ok "a second run in the same folder" quick "$T_TMP/a/b/c"
is "$(jq -r .run.id "$T_TMP/a/b/c/report.$older.json")" "$older" "keeps the first one's report"
ok "also its text" test -s "$T_TMP/a/b/c/report.$older.txt"
is "$(cat "$T_TMP/a/b/c/upload.$older.json")" stale "and what was noted of its upload"
not_ok "which does not stand beside the new one" test -e "$T_TMP/a/b/c/upload.json"
unlike "$(jq -r .run.id "$T_TMP/a/b/c/report.json")" "$older" "the new report is another"
like "$(jq -r '.notes[].text' "$T_TMP/a/b/c/report.json")" "report.$older.json" "and says so"

# two runs at once in one folder
start "$bench" run --disks "$loop" --budget 30 --out "$T_TMP/busy"
first=$pid
ok "a run begins" wait_for 20 jq -e '.results[] | select(.status == "running")' \
	"$T_TMP/busy/report.json"
said=$("$bench" run --disks "$loop" --budget 1 --out "$T_TMP/busy" 2>&1) && status=0 || status=$?
is "$status" 1 "a second run in its folder is refused"
like "$said" "process $first, run $(cat "$T_TMP/busy/run-id")" "and the first one is named"
stop "$first"
ok "once it has ended the folder is free" quick "$T_TMP/busy"

# what was typed wrongly is seen at once
for flag in --config --cmdline; do
	said=$("$bench" run --disks "$loop" "$flag" "$T_TMP/missing" --out "$T_TMP/none" 2>&1) &&
		status=0 || status=$?
	is "$status" 2 "$flag of a file that is not there is a usage error"
	like "$said" "$T_TMP/missing: No such file" "that names it"
done
said=$("$bench" run --disks nonsense,rubbish --out "$T_TMP/none" 2>&1) && status=0 || status=$?
is "$status" 2 "disks that do not exist are a usage error"
like "$said" 'nonsense,rubbish' "that names them"
not_ok "and nothing is written" test -e "$T_TMP/none/report.json"

done_testing
