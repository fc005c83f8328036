#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing outside bench/consent opens a device for writing, lifts its write protection or discards.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

cd "$ROOT"
# What looks like it and is none: the file, and a text that its line holds. A new line here is a
# reason to look twice.
cat >"$T_TMP/known" <<'END'
bench/health/ata_smart.c ioctl(fd, SG_IO, &io)
bench/health/nvme_log.c ioctl(fd, NVME_IOCTL_ADMIN_CMD, command)
bench/io/aio_limit.c open(path, O_WRONLY | O_CLOEXEC)
bench/io/job.c mode == O_WRONLY
bench/io/stream_watch.c "/dev/null"
bench/main.c "/dev/null"
bench/run/folder.c O_RDWR | O_CREAT
bench/run/worker.c "/proc/self/oom_score_adj"
bench/sys/capacity.c ioctl(fd, SG_IO, &io)
bench/sys/child.c "/dev/null"
bench/sys/node.c mknod(path,
bench/sys/partition.c BLKPG
bench/sys/partition.c blkpg(
bench/sys/temperature.c "/dev/null"
bench/tests/mem_pattern.c open(path, O_WRONLY | O_CLOEXEC)
bench/tests/suspicion_look.c open(path, O_WRONLY | O_CLOEXEC)
END

# is_known FILE LINE: the line is one of the list.
is_known() {
	while read -r known_file known_text; do
		[ "$1" = "$known_file" ] || continue
		case $2 in
		*"$known_text"*) return 0 ;;
		esac
	done <"$T_TMP/known"
	return 1
}

# calls ERE: "FILE: LINE" of bench/ outside consent/ that match, without comments and known ones.
calls() {
	find bench -name '*.[ch]' ! -path 'bench/consent/*' | LC_ALL=C sort | while read -r file; do
		sed 's,/\*.*\*/,,; /^[[:space:]]*\*/d; /^[[:space:]]*\/\*/d' "$file" |
			grep -E -e "$1" | while read -r line; do
			is_known "$file" "$line" || printf '%s: %s\n' "$file" "$line"
		done
	done
}

is "$(calls 'BLK(ROSET|DISCARD|ZEROOUT|SECDISCARD|RRPART|PG\b)|SG_IO|NVME_IOCTL|\bblkpg\(')" "" \
	"no ioctl that changes a device or passes commands to it"
is "$(calls '\b(mount|umount2?|swapon|fallocate)\(')" "" "nothing is mounted or punched out"
is "$(calls '\b(creat|mknod|mkfifo)\(|\bf?re?open\([^)]*"[rwa]b?\+|\bfopen\([^)]*"[wa]')" "" \
	"no stream and no node is opened for writing"
is "$(calls 'O_RDWR|O_WRONLY')" "" "no open for writing but of files that are known"
ge "$(grep -c 'O_RDWR' bench/consent/open.c)" 1 "but in bench/consent/open.c"

# What the readers of health send: the numbers that the one of ATA defines, commands first; that of
# NVMe; and smartctl's arguments. All of them only read.
is "$(sed -En 's/^#define [A-Z_]+ 0x(..)(\s.*)?$/\1/p' bench/health/ata_smart.c | tr '\n' ' ')" \
	"EC E5 2F B0 D0 DA 04 0E 20 09 1D " "no other command is sent to ATA"
is "$(grep -E '\.(command|feature) = [^A-Z]' bench/health/ata_smart.c)" "" \
	"and each is sent by its name"
is "$(sed -En 's/.*\.opcode = ([^,]*),.*/\1/p
		s/^#define (GET_LOG_PAGE|IDENTIFY)\s.*0x(..).*/\2/p' \
	bench/health/nvme_log.c | tr '\n' ' ')" "02 06 GET_LOG_PAGE IDENTIFY " "nor to NVMe"
is "$(grep -oE '"-[^"]*"' bench/health/smartctl.c | LC_ALL=C sort -u | tr '\n' ' ')" \
	'"--json=c" "--nocheck=standby,3" "--scan" "-d" "-x" ' \
	"smartctl is not asked to change anything"
done_testing
