#!/bin/sh
# SPDX-License-Identifier: MIT
# Our I/O engine beside fio and beside a bare libaio loop, on the same RAM-backed device, in turn.
#
#	tests/perf/engine.sh [PAIRS [SECONDS]]		default 5 rounds of 3 s runs
#
# Each round runs every program once; what counts is the median of the ratios within the rounds, for
# a shared machine drifts by more than the programs differ. Needs root, fio, and zram or loop
# devices; the device is its own, filled with random bytes, and gone afterwards. Exit status 1: a
# target was missed.
set -eu

here=$(cd "${0%/*}" && pwd)
root=$(cd "$here/../.." && pwd)
OUT=${OUT:-$root/out/${ARCH:-x86_64}}
pairs=${1:-5}
seconds=${2:-3}
# Small enough for a server's last-level cache: the larger the device, the more of the time is its
# own waiting for memory, which no engine changes.
size_mib=${SIZE_MIB:-16}
# Of the limited device. The limiter works in bursts of a tenth of a second: with more in each, a
# faster program finishes its burst sooner and truly waits longer for the next.
limit_iops=4000
ramp=1			# seconds; as in the product, our window opens when the I/O already flows

tmp=$(mktemp -d "${TMPDIR:-/tmp}/bootmark-perf.XXXXXX")
zram='' loop='' mounted='' group='' missed=0

clean_up() {
	set +e
	trap '' PIPE
	trap - EXIT INT TERM HUP
	[ -z "$group" ] || rmdir "$group"
	[ -z "$loop" ] || losetup -d "$loop"
	[ -z "$mounted" ] || umount "$mounted"
	if [ -n "$zram" ]; then
		echo 1 >"/sys/block/zram$zram/reset"
		echo "$zram" >/sys/class/zram-control/hot_remove
	fi
	rm -rf "$tmp"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP PIPE

die() {
	printf 'engine.sh: %s\n' "$*" >&2
	exit 2
}

# build NAME SOURCE...: with the image's own compiler and libraries where they were built.
build() {
	name=$1
	shift
	if [ -x "$OUT/sysroot/bin/musl-gcc" ]; then
		set -- "$OUT/sysroot/bin/musl-gcc" -static "$@"
	else
		set -- "${CC:-cc}" "$@"
	fi
	(cd "$root" && "$@" -std=c11 -D_GNU_SOURCE -O2 -I. -o "$tmp/$name" -laio -lm) ||
		die "cannot build $name (needs libaio-dev or a built sysroot)"
}

make_device() {
	if [ -r /sys/class/zram-control/hot_add ]; then
		zram=$(cat /sys/class/zram-control/hot_add)
		device=/dev/zram$zram
		echo "${size_mib}M" >"/sys/block/zram$zram/disksize"
		kind="zram of $size_mib MiB"
	else
		mkdir "$tmp/ram"
		mount -t tmpfs -o "size=$((size_mib + 1))m" bootmark-perf "$tmp/ram"
		mounted=$tmp/ram
		truncate -s "${size_mib}M" "$tmp/ram/disk"
		loop=$(losetup --find --show --direct-io=on "$tmp/ram/disk")
		device=$loop
		kind="loop over tmpfs of $size_mib MiB"
	fi
	# written whole, with bytes that no compressor shortens: else reads cost next to nothing
	dd if=/dev/urandom of="$device" bs=1M count="$size_mib" oflag=direct status=none
}

# make_group: a block cgroup that allows $limit_iops reads per second from the device; v1 or v2.
make_group() {
	number=$(lsblk -dno MAJ:MIN "$device" | tr -d ' ')
	if [ -e /sys/fs/cgroup/blkio/blkio.throttle.read_iops_device ]; then
		group=/sys/fs/cgroup/blkio/bootmark-perf.$$
		mkdir "$group"
		echo "$number $limit_iops" >"$group/blkio.throttle.read_iops_device"
	elif grep -qw io /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null; then
		group=/sys/fs/cgroup/bootmark-perf.$$
		mkdir "$group"
		echo "$number riops=$limit_iops" >"$group/io.max"
	else
		return 1
	fi
}

# limited COMMAND...: runs it inside the group.
limited() {
	# shellcheck disable=SC2016 # the inner shell moves itself, then becomes the command
	sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' limited "$group" "$@"
}

# fio_run DEPTH [COMMAND...]: fio's default libaio job. Prints: IOPS, and mean, p50, p99 of the
# whole latency (submission included, as ours) in ns.
fio_run() {
	depth=$1
	shift
	"$@" fio --name=read_iops --filename="$device" --readonly --ioengine=libaio --direct=1 \
		--rw=randread --bs=4k --iodepth="$depth" --time_based --runtime="$seconds" \
		--clat_percentiles=0 --lat_percentiles=1 --output-format=json >"$tmp/fio.json"
	/usr/bin/python3 -c 'import json, sys
job = json.load(open(sys.argv[1]))["jobs"][0]["read"]
p = job["lat_ns"]["percentile"]
print(job["iops"], job["lat_ns"]["mean"], p["50.000000"], p["99.000000"])' "$tmp/fio.json"
}

# our_run DEPTH [COMMAND...]: the same job on our engine, histogram and all. Prints the same.
our_run() {
	depth=$1
	shift
	# .05: as in the product, no multiple of a limiter's interval
	"$@" "$tmp/job_cli" "$device" "$seconds.05" random 4096 "$depth" libaio "$ramp" \
		>"$tmp/job.json"
	/usr/bin/python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
assert j["end"] == "time" and j["errors"] + j["short"] + j["zero"] == 0, j
print(j["iops"], j["lat_mean_ns"], j["lat_p50_ns"], j["lat_p99_ns"])' "$tmp/job.json"
}

bare_run() {
	echo "$("$tmp/bare_aio" "$device" "$seconds" 64 "$1") 0 0 0"
}

# show NAME NUMBERS: one line of the table.
show() {
	printf '%s\n' "$2" | awk -v name="$1" '{
		printf "  %-10s %10.0f", name, $1
		if ($2 > 0)
			printf " %12.1f %10.1f %10.1f", $2 / 1e3, $3 / 1e3, $4 / 1e3
		print ""
	}'
}

heading() {
	printf '\n%s\n  %-10s %10s %12s %10s %10s\n' "$1" "" "IOPS" "mean us" "p50 us" "p99 us"
}

# ratio NAME COLUMN NUMBERS OF: notes NUMBERS / OF of a column for this round.
ratio() {
	printf '%s\n%s\n' "$3" "$4" |
		awk -v c="$2" '{ v[NR] = $c } END { print v[1] / v[2] }' >>"$tmp/ratio.$1"
}

median() {
	sort -g "$1" | awk '{ v[NR] = $1 }
		END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# verdict NAME LOW HIGH TEXT: the median of the noted ratios lies within; "-" is no limit.
verdict() {
	got=$(median "$tmp/ratio.$1")
	if printf '%s %s %s\n' "$got" "$2" "$3" |
	    awk '{ exit !(($2 == "-" || $1 >= $2) && ($3 == "-" || $1 <= $3)) }'; then
		word=met
	else
		word=MISSED
		missed=1
	fi
	[ "$2$3" != -- ] || word='no target'
	printf '  %-52s %.3f  (%s)\n' "$4" "$got" "$word"
}

# in_turn DEPTH TAG: rounds of fio and ours, noting the ratios ours / fio.
in_turn() {
	depth_now=$1
	tag=$2
	shift 2
	for _ in $(seq "$pairs"); do
		theirs=$(fio_run "$depth_now" "$@")
		ours=$(our_run "$depth_now" "$@")
		show fio "$theirs"
		show bootmark "$ours"
		ratio "$tag.iops" 1 "$ours" "$theirs"
		ratio "$tag.mean" 2 "$ours" "$theirs"
		ratio "$tag.p50" 3 "$ours" "$theirs"
		ratio "$tag.p99" 4 "$ours" "$theirs"
		if [ "$tag" = speed ]; then
			bare=$(bare_run 16)
			show "bare loop" "$bare"
			ratio speed.bare 1 "$ours" "$bare"
		fi
	done
}

[ "$(id -u)" -eq 0 ] || die "needs root for a device of its own"
command -v fio >/dev/null || die "needs fio"
set -f
sources=$(cd "$root" && set +f && echo bench/io/*.c bench/stats/*.c)
# shellcheck disable=SC2086 # a list of files
build job_cli tests/perf/job_cli.c $sources lib/file.c
build bare_aio tests/perf/bare_aio.c
make_device

printf 'device: %s; %s; %s rounds of %s s; load %s\n' "$kind" "$(uname -r)" "$pairs" "$seconds" \
	"$(cut -d' ' -f1-3 /proc/loadavg)"
heading "4 KiB random read, QD 64, one thread"
in_turn 64 speed
printf '  median of the ratios within the rounds:\n'
verdict speed.iops 2.2 - "IOPS, bootmark / fio's default libaio job (>= 2.2)"
verdict speed.bare 0.95 - "IOPS, bootmark / bare batched libaio loop (>= 0.95)"

heading "4 KiB random read, QD 1"
in_turn 1 single
printf '  median of the ratios within the rounds:\n'
verdict single.iops - - "IOPS, bootmark / fio"
verdict single.mean - - "mean latency, bootmark / fio"

if make_group; then
	heading "the same at QD 64 with the device limited to $limit_iops IOPS"
	in_turn 64 limited limited
	printf '  median of the ratios within the rounds:\n'
	verdict limited.iops 0.99 1.01 "IOPS, bootmark / fio (within 1 %)"
	verdict limited.mean 0.99 1.01 "mean latency, bootmark / fio (within 1 %)"
	verdict limited.p99 0.95 1.05 "p99 latency, bootmark / fio (within 5 %)"
else
	printf '\nno block cgroup here: the comparison on a limited device was left out\n'
fi
[ "$missed" -eq 0 ]
