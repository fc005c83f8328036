#!/bin/sh
# SPDX-License-Identifier: MIT
# Which devices the read-only guard takes, and that one it cannot set is told and stops nothing.
# (That it really locks disks is seen in tests/boot, with a kernel of its own to lock them in.)
set -eu
# shellcheck source=tests/init/lib.sh
. "${0%/*}/lib.sh"

new_root
good_bench
# shellcheck disable=SC2016 # for the shell inside
BEFORE='
for name in sda sda1 sdb nvme0n1 nvme0c0n1 loop0 ram1 zram0 cciss!c0d0; do
	mkdir "$R/sys/class/block/$name"
	echo 0 >"$R/sys/class/block/$name/ro"
done
echo 1 >"$R/sys/class/block/sda1/partition"
echo 1 >"$R/sys/class/block/sdb/ro"
echo 1 >"$R/sys/class/block/nvme0c0n1/hidden"
mkdir "$R/dev/cciss"
: >"$R/dev/sda"
: >"$R/dev/cciss/c0d0"
mkfifo "$R/dev/nvme0n1"
mkdir -p "$R/sys/block/sda/device" "$R/sys/block/loop0"
'
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "the machine reboots"
like "$console" '^bootmark: settle: disks found: 1: sda$' \
	"settle counts what has hardware behind it"
like "$console" '^bootmark: guard: sda: cannot be set read-only: ' "a disk that refuses is told"
like "$console" '^bootmark: guard: sda1: cannot be set read-only: No such file' \
	"a partition without a node is told"
like "$console" '^bootmark: guard: nvme0n1: cannot be set read-only: ' \
	"a device that would block without O_NONBLOCK is told"
like "$console" '^bootmark: guard: cciss!c0d0: cannot be set read-only: (Inappropriate|Not a tty)' \
	"a name with a slash is found below /dev"
like "$console" '^bootmark: guard: read-only: 1 disks, 0 partitions; could not be set: 4$' \
	"a disk that is read-only already is left so"
unlike "$console" '^bootmark: guard: (loop|ram|zram|nvme0c0n1|sdb)' \
	"memory, hidden paths and locked disks are not touched"
ok "a guard that failed stops nothing" in_order '^bootmark: stage guard: failed' \
	'^bootmark: stage run: ok'

done_testing
