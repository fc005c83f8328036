#!/bin/sh
# SPDX-License-Identifier: MIT
# fio's four jobs and a YABS mix: IOPS, bandwidth and latencies are those of fio itself, run in turn
# on a limited device.
#
# PEER_ONLY=NAME runs one of read-iops, write-iops, read-throughput, write-throughput, yabs.
set -eu
# shellcheck source=tests/peer/lib.sh
. "${0%/*}/lib.sh"

need_tool fio
CLI=$OUT/peer/test_cli
need_file "$CLI"

# Eight regions with room for 64 blocks of 1 MiB each, with random bytes: what a compressed device
# was never told costs it nothing.
size_mib=640
regions=8
peer_device $size_mib
dd if=/dev/urandom of="$peer_device" bs=1M count=$size_mib oflag=direct status=none

# our_numbers SIDE: iops, bytes/s, mean of lat, p99 of clat of the result in $peer_report.
our_numbers() {
	/usr/bin/python3 -c 'import json, math, sys
side = sys.argv[2]
t = [t for t in json.load(open(sys.argv[1]))["results"] if t["status"] == "ok"][0]
s = t["io"]["detail"][side]
seconds = t["io"]["measured_ns"] / 1e9
rank = math.ceil(s["clat"]["count"] * 0.99)
for end, n in s["clat"]["buckets"]:
    rank -= n
    if rank <= 0:
        break
middle = end - (1 << max(0, (end - 1).bit_length() - 7)) / 2
print(s["ios"] / seconds, s["bytes"] / seconds, s["lat"]["sum_ns"] / s["lat"]["count"], middle)
' "$peer_report" "$1"
}

# fio_stated SIDE: the same of $T_TMP/fio.json, as fio states them.
fio_stated() {
	/usr/bin/python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))["jobs"][0][sys.argv[2]]
print(s["iops"], s["bw_bytes"], s["lat_ns"]["mean"], s["clat_ns"]["percentile"]["99.000000"])
' "$T_TMP/fio.json" "$1"
}

# fio_logged SIDE RAMP_MS RUN_MS: the same of fio's log of each I/O, for the window that we measure.
# With 512 MiB in flight, as much as moves in seconds, what fio states of a short run is that of its
# edges: its IOPS leave out those that were begun in the ramp, its runtime has the end in it. Of a
# mix whose writes alone wait, all that is in flight at the end are writes.
fio_logged() {
	/usr/bin/python3 -c 'import math, sys
ramp, run = int(sys.argv[3]), int(sys.argv[4])
side = ["read", "write"].index(sys.argv[2])
def read(kind):
    rows = [[int(n) for n in line.split(",")] for line in open(f"{sys.argv[1]}_{kind}.log")]
    rows.sort()
    start = next(r[0] for r in rows if r[0] >= ramp) if ramp else 0
    end = next((r[0] for r in rows if r[0] >= start + run), rows[-1][0])
    return (end - start) / 1e3, [r for r in rows if start < r[0] <= end and r[2] == side]
seconds, lat = read("lat")
clat = sorted(r[1] for r in read("clat")[1])
print(len(lat) / seconds, sum(r[3] for r in lat) / seconds, sum(r[1] for r in lat) / len(lat),
      clat[math.ceil(len(clat) * 0.99) - 1])
' "$T_TMP/log" "$1" "$2" "$3"
}

# fio_run RUN_MS OPTION...: fio's job on the device. Without a ramp: at its end fio counts what is
# in flight with a time in which it was not, 2 % of the mean latency in a run of some seconds.
fio_run() {
	run_ms=$1
	shift
	rm -f "$T_TMP"/log*
	limited fio --name=job --filename="$peer_device" --ioengine=libaio --direct=1 \
		--iodepth=64 --verify=0 --time_based --runtime="${run_ms}ms" \
		--group_reporting=1 --output-format=json "$@" >"$T_TMP/fio.json"
}

# note NAME SIDE NUMBERS: a pair of each of the four numbers.
note() {
	read -r o_iops o_rate o_mean o_p99 <<-END
		$(our_numbers "$2")
	END
	read -r t_iops t_rate t_mean t_p99 <<-END
		$3
	END
	peer_pair "$1.iops" "${o_iops:-0}" "${t_iops:-0}"
	peer_pair "$1.rate" "${o_rate:-0}" "${t_rate:-0}"
	peer_pair "$1.mean" "${o_mean:-0}" "${t_mean:-0}"
	peer_pair "$1.p99" "${o_p99:-0}" "${t_p99:-0}"
}

# counted TEST: the kernel's count of bytes on the device agrees with what we issued, ramp included.
counted() {
	jq -e '.results[] | select(.status == "ok") | .parameters.block_bytes as $block |
		(.disk_stat.read_bytes + .disk_stat.write_bytes) / (.io.issued_ios * $block) |
		. > 0.98 and . < 1.02' "$peer_report" >/dev/null ||
		fail "$1: the kernel counted what was issued" "$(jq -c '.results[] |
			select(.status == "ok") | [.io.issued_ios, .disk_stat]' "$peer_report")"
}

# ours TEST SECONDS: bench itself where it reads; nobody can consent to writing on such a device.
ours() {
	rm -f "$peer_report"
	case $1 in
	*-read-*) PEER_BUDGET=$2 peer_run --tests "$1" ;;
	*) mkdir -p "$T_TMP/run" && limited "$CLI" "$peer_device" "$1" "$2" >"$peer_report" ;;
	esac
}

# compare NAME TEST SECONDS SIDES OPTION...: five pairs of TEST and of fio with OPTION, each first
# in every other pair.
compare() {
	name=$1
	test=$2
	seconds=$3
	sides=$4
	shift 4
	[ "${PEER_ONLY:-$name}" = "$name" ] || return 0
	# as ours: a fifth of the time, at most 2 s; none of a mix
	ramp=$((seconds * 200))
	[ "$name" != yabs ] || ramp=0
	pairs "$@"
	# shellcheck disable=SC2046 # names without blanks
	if is_off; then
		peer_again $(for side in $sides; do
			for what in iops rate mean p99; do echo "$name.$side.$what"; done
		done)
		pairs "$@"
	fi
	for side in $sides; do
		peer_within "$name.$side.iops" 2 "$test, $side: IOPS are fio's"
		peer_within "$name.$side.rate" 2 "$test, $side: bandwidth is fio's"
		# what is not limited takes as long as the machine lets it
		[ "$name.$side" != yabs.read ] || continue
		peer_within "$name.$side.mean" 2 "$test, $side: mean latency is fio's"
		peer_within "$name.$side.p99" 5 "$test, $side: p99 is fio's"
	done
}

# is_off: a figure of this comparison misses.
is_off() {
	for side in $sides; do
		! peer_misses "$name.$side.iops" 2 || return 0
		[ "$name.$side" != yabs.read ] || continue
		! peer_misses "$name.$side.mean" 2 || return 0
		! peer_misses "$name.$side.p99" 5 || return 0
	done
	return 1
}

# pairs OPTION...: one set of pairs of this comparison.
pairs() {
	for pair in $(seq "$PEER_PAIRS"); do
		peer_flush
		[ $((pair % 2)) = 0 ] || fio_run $((seconds * 1000)) "$@"
		ours "$test" "$seconds"
		[ $((pair % 2)) = 1 ] || fio_run $((seconds * 1000)) "$@"
		for side in $sides; do
			if [ -e "$T_TMP/log_lat.log" ]; then
				theirs=$(fio_logged "$side" $ramp $((seconds * 1000 - ramp - 47)))
			else
				theirs=$(fio_stated "$side")
			fi
			note "$name.$side" "$side" "$theirs"
		done
		counted "$test"
	done
}

# The limiter lets through what it has every tenth of a second. With more in each burst, a faster
# program is through with it sooner and truly waits longer for the next: 3 % of p99 at 4000.
peer_limit riops=4000 wiops=4000
compare read-iops fio-read-iops 3 read --bs=4k --rw=randread
compare write-iops fio-write-iops 3 write --bs=4k --rw=randwrite
logged="--write_lat_log=$T_TMP/log --per_job_logs=0"
# Its writes alone: with both limited, chance decides which of them fills the queue.
# Two things of a fixed size stand at its edges, as there is no ramp: what the limiter lets through
# at once (a tenth of a second) and the 128 writes in flight at the end, beside which as many reads
# are done. Of 5 s they are 2 % and more, of 12 s about 1 %.
peer_limit riops=0 wiops=4000
# shellcheck disable=SC2086 # two options
compare yabs yabs-4k 12 "read write" --bs=4k --rw=randrw --rwmixread=50 --numjobs=2 $logged
peer_limit wiops=0 rbps=400000000 wbps=300000000
region=$((size_mib / regions))M
# shellcheck disable=SC2086
set -- --bs=1M --numjobs=$regions --offset_increment=$region --size=$region $logged
compare read-throughput fio-read-throughput 7 read --rw=read "$@"
compare write-throughput fio-write-throughput 8 write --rw=write "$@"

# The last result in fio's own form: the same numbers, and every line of fio's.
"$OUT/bench" report --format fio-text "$peer_report" >"$T_TMP/text"
for line in 'slat \(' 'clat \(' ' lat \(' 'clat percentiles' '\| 99.99th=\[' 'bw \( ' 'iops  ' \
	'cpu  ' 'IO depths  ' 'submit  ' 'complete  ' 'issued rwts: total=' 'latency   : target=0' \
	'Run status group 0' 'Disk stats \(read/write\):'; do
	like "$(cat "$T_TMP/text")" "^ *$line" "in fio's form: $line"
done
done_testing
