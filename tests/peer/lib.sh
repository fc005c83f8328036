# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the peer tests share: a device of the test's own, held to a fixed rate by a block cgroup, on
# which another tool and bench run in turn, and a verdict on the median of the pairwise ratios.
#
#	#!/bin/sh
#	set -eu
#	# shellcheck source=tests/peer/lib.sh
#	. "${0%/*}/lib.sh"
#
#	peer_device 1024
#	peer_limit rbps=200000000
#	theirs() { limited TOOL "$peer_device" | sed ...; }	# prints one number
#	ours() { peer_bench TEST throughput; }			# prints one number
#	peer_pairs rate
#	peer_within rate 2 "TEST is the tool's rate"
#	done_testing
#
# An unlimited device repeats within 3 to 20 %, a limited one within 0.3 %. Both block cgroup
# versions work. What is set up here is taken down at exit, however the test ends. Only devices made
# here are touched.
#
# PEER_PAIRS=N runs another number of pairs. PEER_FAULT=1.048576 multiplies what bench said, as a
# wrong unit would: a test that passes with it tests nothing.

# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_root
need_tool jq losetup lsblk mountpoint
need_file "$OUT/bench"

PEER_PAIRS=${PEER_PAIRS:-5}
PEER_FAULT=${PEER_FAULT:-1}
PEER_BLKIO=/sys/fs/cgroup/blkio
PEER_UNIFIED=/sys/fs/cgroup
peer_report=$T_TMP/run/report.json
peer_device=''		# /dev/...
peer_number=''		# MAJOR:MINOR
peer_dir=''		# where peer_file_system mounted it
peer_group=''		# cgroup.procs of this folder takes what is limited
peer_cgroup=''		# 1 or 2: the block cgroup's version

# peer_cgroup_find: which block cgroup there is, or the test is skipped.
peer_cgroup_find() {
	if [ -w $PEER_BLKIO/blkio.throttle.read_bps_device ]; then
		peer_cgroup=1
	elif grep -qw io $PEER_UNIFIED/cgroup.controllers 2>/dev/null &&
	    [ -w $PEER_UNIFIED/cgroup.subtree_control ]; then
		peer_cgroup=2
	else
		skip_all "no block cgroup that can limit a device"
	fi
}

# peer_device MIB: makes a device of that size in memory: zram, else a loop device over tmpfs.
# Its pages are made when they are written; what was never written reads as zeros. A second call
# makes a second device, and the next limits are that one's.
peer_device() {
	if [ -r /sys/class/zram-control/hot_add ]; then
		peer_zram=$(cat /sys/class/zram-control/hot_add)
		at_exit "peer_zram_end $peer_zram"
		echo "$1M" >"/sys/block/zram$peer_zram/disksize"
		peer_device=/dev/zram$peer_zram
	else
		mkdir -p "$T_TMP/ram"
		mount -t tmpfs -o "size=$(($1 + 16))m" bootmark-peer "$T_TMP/ram"
		at_exit "umount '$T_TMP/ram'"
		truncate -s "$1M" "$T_TMP/ram/disk"
		peer_device=$(losetup --find --show "$T_TMP/ram/disk") ||
			skip_all "no loop device can be set up"
		at_exit "losetup -d $peer_device"
	fi
	peer_number=$(lsblk -dno MAJ:MIN "$peer_device" | tr -d ' ')
}

peer_zram_end() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	wait_for 5 sh -c 'echo 1 >"$1"' reset "/sys/block/zram$1/reset" ||
		diag "zram$1 is still in use"
	echo "$1" >/sys/class/zram-control/hot_remove
}

# peer_file_system [MKFS-COMMAND...]: makes a file system (default ext4) on the device and mounts it
# at $peer_dir. Unlimited: call it before peer_limit.
peer_file_system() {
	[ $# -gt 0 ] || set -- mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0
	need_tool "$1"
	"$@" "$peer_device"
	peer_dir=$T_TMP/mounted
	mkdir -p "$peer_dir"
	mount "$peer_device" "$peer_dir"
	at_exit peer_unmount
}

peer_unmount() {
	! mountpoint -q "$peer_dir" || umount "$peer_dir"
}

# peer_limit KEY=NUMBER...: limits the device for what runs under `limited`: rbps, wbps (bytes per
# second), riops, wiops. For reads, and for writes that go past the page cache.
peer_limit() {
	[ -n "$peer_cgroup" ] || peer_cgroup_find
	if [ "$peer_cgroup" = 1 ]; then
		peer_group=$PEER_BLKIO/bootmark-peer.$$
	else
		peer_group=$PEER_UNIFIED/bootmark-peer.$$
		peer_controllers +io
	fi
	if [ ! -d "$peer_group" ]; then
		mkdir "$peer_group"
		at_exit "peer_group_end '$peer_group'"
	fi
	peer_limits "$peer_group" "$@"
}

# peer_limit_buffered KEY=NUMBER...: the same for writes through the page cache. With version 1
# writeback runs in the root group, so the limit is set there, and so runs what is limited.
# With version 2 writeback belongs to the group that made the pages dirty, given its memory is
# counted.
peer_limit_buffered() {
	[ -n "$peer_cgroup" ] || peer_cgroup_find
	if [ "$peer_cgroup" = 1 ]; then
		peer_group=$PEER_BLKIO
		at_exit "peer_number=$peer_number; peer_limits $PEER_BLKIO wbps=0 wiops=0"
		peer_limits "$peer_group" "$@"
	else
		peer_controllers +memory
		peer_limit "$@"
	fi
}

# peer_limits GROUP KEY=NUMBER...: 0 lifts a limit.
peer_limits() {
	peer_in=$1
	shift
	for peer_pair in "$@"; do
		peer_key=${peer_pair%%=*}
		peer_value=${peer_pair#*=}
		if [ "$peer_cgroup" = 2 ]; then
			[ "$peer_value" -gt 0 ] || peer_value=max
			echo "$peer_number $peer_key=$peer_value" >"$peer_in/io.max"
			continue
		fi
		case $peer_key in
		rbps) peer_key=read_bps ;;
		wbps) peer_key=write_bps ;;
		riops) peer_key=read_iops ;;
		wiops) peer_key=write_iops ;;
		esac
		echo "$peer_number $peer_value" >"$peer_in/blkio.throttle.${peer_key}_device"
	done
}

# peer_controllers +NAME: lets groups below the root have that controller; as before at exit.
peer_controllers() {
	! grep -qw "${1#+}" $PEER_UNIFIED/cgroup.subtree_control || return 0
	echo "$1" >$PEER_UNIFIED/cgroup.subtree_control
	at_exit "echo -${1#+} >$PEER_UNIFIED/cgroup.subtree_control"
}

peer_group_end() {
	wait_for 5 rmdir "$1" || diag "$1 is left: $(cat "$1/cgroup.procs")"
}

# limited COMMAND...: runs it inside the limited group, behind the words of PEER_WITH.
limited() {
	# shellcheck disable=SC2016,SC2086 # the inner shell moves itself, then becomes the command
	sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' limited "$peer_group" \
		${PEER_WITH:-} "$@"
}

# peer_flush: what is dirty is written, and nothing of the device is cached any more.
peer_flush() {
	sync
	echo 1 >/proc/sys/vm/drop_caches
	blockdev --flushbufs "$peer_device"
}

# peer_run OPTION...: bench run on the device, limited; its report is $peer_report. PEER_BUDGET
# (default 30) is the test's time.
peer_run() {
	rm -rf "$T_TMP/run"
	limited "$OUT/bench" run --disks "$peer_device" --budget "${PEER_BUDGET:-30}" \
		--deadline 300 --out "$T_TMP/run" "$@" >"$T_TMP/run.log" 2>&1 ||
		{ diag "bench run $*: status $?" "$(tail -n 20 "$T_TMP/run.log")"; return 1; }
}

# peer_metric TEST METRIC: a number of the last peer_run; the reason where there is none.
peer_metric() {
	jq -er --arg test "$1" --arg metric "$2" '.results[] | select(.test == $test)
		| if .status == "ok" then . else error("\(.status): \(.reason)") end
		| .metrics[] | select(.name == $metric).value' "$peer_report"
}

# peer_bench TEST METRIC [OPTION...]: runs one test and prints one of its numbers.
peer_bench() {
	peer_test=$1
	peer_name=$2
	shift 2
	peer_run --tests "$peer_test" "$@" && peer_metric "$peer_test" "$peer_name"
}

# peer_pair NAME OURS THEIRS: notes one pair of numbers of one unit.
peer_pair() {
	awk -v ours="$2" -v theirs="$3" -v fault="$PEER_FAULT" 'BEGIN {
		if (!(ours > 0 && theirs > 0))
			exit 1
		printf "%.9g %.9g %.9g\n", ours * fault / theirs, ours * fault, theirs
	}' >>"$T_TMP/pairs.$1" || { fail "$1: bench and the other tool both give a number" \
		"bench: $2, the other: $3"; return 0; }
	diag "$1: $(tail -n 1 "$T_TMP/pairs.$1" |
		awk '{ printf "bench %.6g, the other %.6g, ratio %.4f", $2, $3, $1 }')"
}

# peer_pairs NAME: runs `ours` and `theirs` in turn, each first in every other pair, caches flushed
# before each, and notes the pairs.
peer_pairs() {
	for peer_i in $(seq "$PEER_PAIRS"); do
		if [ $((peer_i % 2)) = 1 ]; then
			peer_flush
			peer_theirs=$(theirs) || peer_theirs=
			peer_flush
			peer_ours=$(ours) || peer_ours=
		else
			peer_flush
			peer_ours=$(ours) || peer_ours=
			peer_flush
			peer_theirs=$(theirs) || peer_theirs=
		fi
		peer_pair "$1" "${peer_ours:-0}" "${peer_theirs:-0}"
	done
	peer_set=$1
}

# peer_median FILE: of its first column.
peer_median() {
	sort -g "$1" | awk '{ v[NR] = $1 }
		END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# peer_is_within RATIO PERCENT
peer_is_within() {
	awk -v r="$1" -v p="$2" 'BEGIN { exit !(r >= 1 - p / 100 && r <= 1 + p / 100) }'
}

# peer_misses NAME PERCENT: the median of the noted ratios is further from 1, or pairs are missing.
peer_misses() {
	[ "$(wc -l 2>/dev/null <"$T_TMP/pairs.$1")" = "$PEER_PAIRS" ] || return 0
	! peer_is_within "$(peer_median "$T_TMP/pairs.$1")" "$2"
}

# peer_again NAME...: these sets of pairs are off: a host that was busy meanwhile spoils a set, a
# wrong number every set. They are put aside, to be measured once more; the second set counts.
peer_again() {
	for peer_name in "$@"; do
		mv "$T_TMP/pairs.$peer_name" "$T_TMP/first.$peer_name"
		diag "$peer_name: off, measured once more:" \
			"$(cut -d' ' -f1 "$T_TMP/first.$peer_name" | tr '\n' ' ')"
	done
}

# peer_within NAME PERCENT WHAT: the median of the noted ratios is 1 within so many percent, all
# pairs are there.
peer_within() {
	if [ "${peer_set:-}" = "$1" ] && peer_misses "$1" "$2"; then
		peer_again "$1"
		peer_pairs "$1"
	fi
	peer_set=
	peer_n=$(wc -l 2>/dev/null <"$T_TMP/pairs.$1" || echo 0)
	if [ "$peer_n" -ne "$PEER_PAIRS" ]; then
		fail "$3" "$peer_n of $PEER_PAIRS pairs have numbers"
		return 0
	fi
	peer_ratio=$(peer_median "$T_TMP/pairs.$1")
	diag "$1: median of $peer_n ratios: $peer_ratio (within $2 %)"
	if peer_is_within "$peer_ratio" "$2"; then
		pass "$3: $peer_ratio, within $2 %"
	else
		fail "$3: within $2 %" "median of the ratios bench / the other: $peer_ratio"
	fi
}
