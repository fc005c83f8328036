#!/bin/sh
# SPDX-License-Identifier: MIT
# The dd tests give the rates of dd itself, on a file and read from the device, and where a disk is
# too slow for the whole amount they end in time with the rate of what was done.
# What is compared is called by the library, also once more: it looks unreachable.
# shellcheck disable=SC2317
set -eu
# shellcheck source=tests/peer/lib.sh
. "${0%/*}/lib.sh"
need_tool dd

LIMIT=${LIMIT:-250000000}
SYNC_LIMIT=${SYNC_LIMIT:-170000000}
READ_LIMIT=${READ_LIMIT:-100000000}

# dd_rate: bytes per second from dd's own line. Its rate has three digits: too few.
dd_rate() {
	tee -a "$T_TMP/dd.all" | awk '/ copied, / {
		for (i = 1; i <= NF; i++)
			if ($i == "s,")
				print $1 / $(i - 1)
	}'
}

# dd_file OPTION...: dd of zeros to a new file, which is removed afterwards.
dd_file() {
	limited dd if=/dev/zero of="$peer_dir/theirs" "$@" 2>&1 | dd_rate
	rm -f "$peer_dir/theirs"
}

# write_bench TEST: our test on a scratch file of the same file system.
write_bench() {
	peer_bench "$1" throughput --write "file:$peer_dir"
}

peer_device 6144
peer_file_system

peer_limit_buffered "wbps=$LIMIT"
theirs() { dd_file bs=64k count=16k conv=fdatasync; }
ours() { write_bench dd-write-1g; }
peer_pairs write
peer_within write 2 "dd-write-1g beside dd bs=64k count=16k conv=fdatasync"

# more than the disk writes in the time
PEER_BUDGET=8
ok "16 GiB do not fit into 8 s" peer_run --tests dd-write-16g --write "file:$peer_dir"
rate=$(peer_metric dd-write-16g throughput || echo 0)
like "$(jq -r '.results[] | select(.test == "dd-write-16g").reason' "$peer_report")" \
	'of 17\.2 GB: its time was over|there is no more room' "what was done is told"
le "$(jq '.results[] | select(.test == "dd-write-16g").elapsed_ns / 1e6 | floor' "$peer_report")" \
	9600 "it ended in its time"
# as dd of so many bytes
bytes=$(jq '.results[] | select(.test == "dd-write-16g").io.bytes' "$peer_report")
peer_flush
peer_pair early "$rate" "$(dd_file bs=64k count=$((bytes / 65536)) conv=fdatasync)"
ok "with the rate that dd has for so much" \
	peer_is_within "$(cut -d' ' -f1 "$T_TMP/pairs.early")" 10
PEER_BUDGET=30

# Small writes take more of the processor: only a lower limit is one.
peer_limit_buffered "wbps=$SYNC_LIMIT"
# timed from outside, together with sync, as people do it
theirs() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	limited sh -c 'begin=$(date +%s.%N)
		dd if=/dev/zero of="$1" bs=8k count=250000 && sync
		end=$(date +%s.%N)
		echo "$begin $end" >"$2"' timed "$peer_dir/theirs" "$T_TMP/timed" 2>/dev/null
	rm -f "$peer_dir/theirs"
	awk '{ printf "%.0f\n", 2048000000 / ($2 - $1) }' "$T_TMP/timed"
}
ours() { write_bench dd-write-8k-sync; }
peer_pairs sync
peer_within sync 4 "dd-write-8k-sync beside dd bs=8k count=250000 && sync"

peer_unmount

# A disk smaller than 2 GiB: both read to its end. The limiter lets whoever comes after a pause
# have a tenth of a second at once: of ten seconds that is 1 %.
peer_device 1024

peer_limit "rbps=$READ_LIMIT"
theirs() { limited dd if="$peer_device" of=/dev/null bs=64k count=32k 2>&1 | dd_rate; }
ours() { peer_bench dd-read throughput; }
peer_pairs read
peer_within read 2 "dd-read, cold, beside dd bs=64k count=32k"
ge "$(peer_metric dd-read throughput_cached | cut -d. -f1)" "$((2 * READ_LIMIT))" \
	"the cached read is another number, above the limit"

# the same numbers give the same line
line=$(grep copied "$T_TMP/dd.all" | tail -n 1)
printf '%s\n' "$line" | awk '{ for (i = 1; i <= NF; i++) if ($i == "s,") print $1, $(i - 1) }' |
	while read -r bytes seconds; do
		jq --argjson bytes "$bytes" --argjson s "$seconds" '.results |= [.[]
			| select(.test == "dd-read")
			| .curves |= [.[] | select(.name == "runs")
				| .points = [{x: ($s * 1e9), y: $bytes}]]]
			' "$peer_report" >"$T_TMP/as-dd.json"
	done
like "$("$OUT/bench" report "$T_TMP/as-dd.json")" "^$(printf '%s' "$line" | sed 's/[()]/\\&/g')\$" \
	"our line is dd's: $line"
done_testing
