#!/bin/sh
# SPDX-License-Identifier: MIT
# Our I/O engine beside fio, beside a bare libaio loop, and beside itself on io_uring, in turn on
# one RAM-backed device; then beside fio on the same device held to a fixed rate.
#
#	tests/perf/engine.sh [ROUNDS [SECONDS]]		default 9 rounds of 2 s runs
#
# What counts is the median of the ratios within the rounds, for a shared machine drifts by more
# than the programs differ; the order within a round is turned round in every other one.
set -eu
# shellcheck source=tests/peer/lib.sh
. "${0%/*}/../peer/lib.sh"
# shellcheck source=tests/perf/columns.sh
. "${0%/*}/columns.sh"
need_tool fio /usr/bin/python3
need_file "$OUT/perf/job_cli" "$OUT/perf/bare_aio"

rounds=${1:-9}
seconds=${2:-2}
limited_rounds=$(((rounds + 1) / 2))
limited_seconds=$((seconds * 2))
# Small enough for a server's last-level cache: the larger the device, the more of the time is its
# own waiting for memory, which no engine changes.
size_mib=${SIZE_MIB:-16}
# Of the limited device. The limiter works in bursts of a tenth of a second: with more in each, a
# faster program finishes its burst sooner and truly waits longer for the next.
limit_iops=4000
ramp=1			# seconds; as in the product, our window opens when the I/O already flows

# fio_run SECONDS [COMMAND...]: fio's default libaio job. Prints: IOPS, and mean and p99 of the
# whole latency (submission included, as ours) in us.
fio_run() {
	run_s=$1
	shift
	"$@" fio --name=read_iops --filename="$peer_device" --readonly --ioengine=libaio \
		--direct=1 --rw=randread --bs=4k --iodepth=64 --time_based --runtime="$run_s" \
		--clat_percentiles=0 --lat_percentiles=1 --output-format=json >"$T_TMP/fio.json"
	/usr/bin/python3 -c 'import json, sys
job = json.load(open(sys.argv[1]))["jobs"][0]["read"]
print(job["iops"], job["lat_ns"]["mean"] / 1e3, job["lat_ns"]["percentile"]["99.000000"] / 1e3)' \
		"$T_TMP/fio.json"
}

# our_run SECONDS ENGINE [COMMAND...]: the same job on our engine, histogram and all.
our_run() {
	run_s=$1
	run_engine=$2
	shift 2
	# .05: as in the product, no multiple of a limiter's interval
	"$@" "$OUT/perf/job_cli" "$peer_device" "$run_s.05" random 4096 64 "$run_engine" "$ramp" \
		>"$T_TMP/job.json"
	/usr/bin/python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
assert j["end"] == "time" and j["errors"] + j["short"] + j["zero"] == 0, j
print(j["iops"], j["lat_mean_ns"] / 1e3, j["lat_p99_ns"] / 1e3)' "$T_TMP/job.json"
}

bare_run() {
	"$OUT/perf/bare_aio" "$peer_device" "$seconds" 64 16
}

# run WHICH: leaves its numbers in the variable of that name.
run() {
	case $1 in
	fio) fio=$(fio_run "$seconds") ;;
	ours) ours=$(our_run "$seconds" libaio) ;;
	bare) bare=$(bare_run) ;;
	uring) [ -n "$no_uring" ] || uring=$(our_run "$seconds" io_uring) ;;
	esac
}

# iops NUMBERS
iops() {
	printf '%s\n' "${1%% *}"
}

peer_device "$size_mib"
# written whole, with bytes that no compressor shortens: else reads cost next to nothing
dd if=/dev/urandom of="$peer_device" bs=1M count="$size_mib" oflag=direct status=none
no_uring=
our_run 0 io_uring >/dev/null 2>"$T_TMP/uring" || no_uring=$(cat "$T_TMP/uring")

printf '# 4 KiB random reads, QD 64, %s of %s MiB, %s, load %s\n' "${peer_device#/dev/}" \
	"$size_mib" "$(uname -r)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for round in $(seq "$rounds"); do
	order='fio ours bare uring'
	[ $((round % 2)) = 1 ] || order='uring bare ours fio'
	for which in $order; do
		run "$which"
	done
	perf_note fio-iops "$(iops "$ours")" "$(iops "$fio")"
	perf_note bare-loop-iops "$(iops "$ours")" "$(iops "$bare")"
	[ -n "$no_uring" ] || perf_note io_uring-iops "$(iops "$uring")" "$(iops "$ours")"
done
perf_figure fio-iops 2.2 -
perf_figure bare-loop-iops 0.95 -
if [ -z "$no_uring" ]; then
	perf_figure io_uring-iops - -
else
	printf '# %s\n' "$no_uring"
	perf_line io_uring-iops - - - - -
fi

peer_limit "riops=$limit_iops"
for round in $(seq "$limited_rounds"); do
	if [ $((round % 2)) = 1 ]; then
		fio=$(fio_run "$limited_seconds" limited)
		ours=$(our_run "$limited_seconds" libaio limited)
	else
		ours=$(our_run "$limited_seconds" libaio limited)
		fio=$(fio_run "$limited_seconds" limited)
	fi
	column=0
	for name in limited-iops limited-mean-us limited-p99-us; do
		column=$((column + 1))
		perf_note "$name" "$(printf '%s' "$ours" | cut -d' ' -f "$column")" \
			"$(printf '%s' "$fio" | cut -d' ' -f "$column")"
	done
done
perf_figure limited-iops 0.99 1.01
perf_figure limited-mean-us 0.99 1.01
perf_figure limited-p99-us 0.95 1.05
