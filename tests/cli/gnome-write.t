#!/bin/sh
# SPDX-License-Identifier: MIT
# The write-back of the GNOME Disks benchmark on a block device: it writes, and what it leaves is
# what was there, bit for bit. Without consent it does not write.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup jq sha256sum
need_file "$OUT/bench"

head -c 67108864 /dev/urandom >"$T_TMP/image"
loop=$(losetup --find --show "$T_TMP/image") || skip_all "no loop device can be set up"
at_exit "losetup -d $loop"
before=$(sha256sum <"$loop")

# written: sectors written to the device since it was made.
written() {
	awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat"
}

# run OPTION...: the test alone; its status is printed.
run() {
	"$OUT/bench" run --disks "$loop" --tests gnome-write --budget 10 --deadline 60 \
		--out "$T_TMP/out" "$@" >"$T_TMP/said" 2>&1 || :
	jq -r '.results[] | select(.test == "gnome-write").status' "$T_TMP/out/report.json"
}

at=$(written)
is "$(run)" skipped "without consent it does not run"
is "$(written)" "$at" "and writes nothing"
is "$(run --write writeback)" ok "with write=writeback it does"
# 100 samples of 640 KiB; a device without a volatile cache gets no further writes
ge "$(($(written) - at))" 128000 "and writes all its samples"
is "$(jq -r '.results[] | select(.test == "gnome-write").curves[0].points | length' \
	"$T_TMP/out/report.json")" 100 "a hundred of them"
sync
is "$(sha256sum <"$T_TMP/image")" "$before" "the device holds what it held, bit for bit"
done_testing
