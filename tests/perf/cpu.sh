#!/bin/sh
# SPDX-License-Identifier: MIT
# The processors' tests beside the programs whose definition they share, in turn: sysbench's primes
# for one thread and for all, openssl speed, and the benchmarks of zstd and lz4 on our data.
#
#	tests/perf/cpu.sh [ROUNDS [SECONDS]]		default 5 rounds of 2 s runs
#
# Primes are the same work, and must be as fast. The others are other builds of the same libraries
# (zstd, lz4) or other libraries (OpenSSL, where ours is mbedTLS): their ratio is told, and bears no
# target.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/perf/columns.sh
. "${0%/*}/columns.sh"
need_tool sysbench openssl zstd lz4 taskset
need_file "$OUT/perf/cpu_cli"

rounds=${1:-5}
seconds=${2:-2}
cli=$OUT/perf/cpu_cli

# ours TEST WAYS: runs a test of which so many ways are measured; its numbers are in $T_TMP/ours.
ours() {
	"$cli" "$1" $((seconds * $2)) >"$T_TMP/ours" || bail "$1: $(head -n 1 "$T_TMP/ours")"
}

# number NAME: of the last run
number() {
	awk -v name="$1" '$1 == name { print $2 }' "$T_TMP/ours"
}

# primes THREADS [COMMAND...]: sysbench's events per second.
primes() {
	primes_threads=$1
	shift
	LC_ALL=C "$@" sysbench cpu --cpu-max-prime=10000 --threads="$primes_threads" \
		--time="$seconds" run | awk '/events per second/ { print $NF }'
}

# speed CIPHER: bytes per second for blocks of 16 KiB.
speed() {
	taskset -c "$cpu" openssl speed -seconds "$seconds" -bytes 16384 -evp "$1" 2>/dev/null |
		awk 'END { sub(/k$/, "", $NF); print $NF * 1000 }'
}

# packing COMMAND...: prints both speeds in bytes per second, and packed bytes in percent.
packing() {
	taskset -c "$cpu" "$@" -i"$seconds" "$T_TMP/corpus" 2>&1 | tr '\r' '\n' |
		grep 'MB/s.*MB/s' | tail -n 1 | sed 's/.*->//; s/([^)]*)//; s/MB.s/ /g; s/,/ /g' |
		awk '{ print $2 * 1e6, $3 * 1e6, $1 / 4194304 * 100 }'
}

# halves NAME OUR-TEST COMMAND...
halves() {
	halves_name=$1
	ours "$2" "$ways"
	shift 2
	theirs=$(packing "$@")
	perf_note "$halves_name-pack" "$(number compress)" "${theirs%% *}"
	perf_note "$halves_name-unpack" "$(number decompress)" \
		"$(printf '%s' "$theirs" | cut -d' ' -f 2)"
	printf '%s packs to %s %%, the other to %s %%\n' "$halves_name" "$(number packed)" \
		"${theirs##* }" >"$T_TMP/packed.$halves_name"
}

"$cli" corpus "$T_TMP/corpus"
"$cli" cpu-prime 0.3 >"$T_TMP/ours" || bail "cpu-prime: $(head -n 1 "$T_TMP/ours")"
cpu=$(number single_cpu)
threads=$(number threads)
ways=3
[ "$(number cores)" != "$threads" ] || ways=2
[ "$threads" != 1 ] || ways=1

printf '# %s, %s threads, load %s\n' "$(uname -r)" "$threads" \
	"$(cut -d' ' -f1-3 /proc/loadavg)"
for round in $(seq "$rounds"); do
	# who is first changes from round to round
	[ $((round % 2)) = 1 ] || theirs=$(primes 1 taskset -c "$cpu")
	[ $((round % 2)) = 1 ] || theirs_all=$(primes "$threads")
	ours cpu-prime "$ways"
	[ $((round % 2)) = 0 ] || theirs=$(primes 1 taskset -c "$cpu")
	[ $((round % 2)) = 0 ] || theirs_all=$(primes "$threads")
	perf_note primes "$(number single)" "$theirs"
	perf_note primes-all "$(number all)" "$theirs_all"
	ours cpu-aes-gcm "$ways"
	perf_note aes-gcm "$(number single)" "$(speed aes-256-gcm)"
	ours cpu-sha256 "$ways"
	perf_note sha256 "$(number single)" "$(speed sha256)"
	halves zstd cpu-zstd zstd -b3 -B1M
	halves lz4 cpu-lz4 lz4 -b1 -B1048576
done
perf_figure primes 0.97 1.03
perf_figure primes-all 0.97 1.03
for figure in aes-gcm sha256 zstd-pack zstd-unpack lz4-pack lz4-unpack; do
	perf_figure "$figure" - -
done
sed 's/^/# /' "$T_TMP"/packed.*
