#!/bin/sh
# SPDX-License-Identifier: MIT
# lvm-compare adds no partition to a disk that somebody holds, not even for a moment: what lies on
# the disk would be seen twice, by udev too.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup mkfs.ext4 mount umount /usr/bin/python3
need_file "$OUT/bench"

truncate -s 128M "$T_TMP/image"
mkfs.ext4 -q "$T_TMP/image"
loop=$(losetup --find --show "$T_TMP/image") || skip_all "no loop device can be set up"
at_exit "losetup -d $loop"

# compare: runs it; every partition of the disk that came meanwhile stands in $came.
compare() {
	/usr/bin/python3 - "$loop" "$OUT/bench" run --disks "$loop" --tests lvm-compare \
		--budget 1 --out "$T_TMP/out" >"$T_TMP/came" <<-'EOF' || :
		import os, socket, subprocess, sys
		s = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 15)  # kernel's uevents
		s.bind((0, 1))
		s.settimeout(0.5)
		subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL)
		disk = os.path.basename(sys.argv[1])
		try:
		    while True:
		        words = s.recv(65536).split(b"\0")
		        if words[0].startswith(b"add@") and f"/{disk}/".encode() in words[0]:
		            print(words[0].decode())
		except socket.timeout:
		    pass
	EOF
	came=$(cat "$T_TMP/came")
}

compare
[ -n "$came" ] || skip_all "no partition can be added here, or nobody hears of it"
like "$came" 'p200$' "a disk that nobody holds gets a partition in the kernel"
mkdir "$T_TMP/mnt"
mount "$loop" "$T_TMP/mnt" || skip_all "nothing can be mounted"
at_exit "umount $T_TMP/mnt"
compare
is "$came" '' "a mounted one gets none"
done_testing
