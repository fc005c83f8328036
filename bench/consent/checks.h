/* SPDX-License-Identifier: MIT */
/*
 * The single checks behind consent.h; private to consent/. Each answers with a reason, and what
 * cannot be found out counts against writing.
 *
 *	name.c       is this disk named, and can it be told from all others?
 *	use.c        mounts, swap, holders
 *	signature.c  what lies on it
 *	look.c       the same and more in a process of its own, before the plan
 *	open.c       all of it again on the open descriptor
 */
#ifndef BENCH_CONSENT_CHECKS_H
#define BENCH_CONSENT_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/sys/disk.h"
#include "lib/options.h"

#define CHECK_WHY_BYTES DISK_PATH_BYTES
#define CHECK_OPEN_WAIT_MS 5000	/* for a descriptor that another process is about to close */

/* By what a disk is allowed to be destroyed. */
enum naming {
	NAMING_NONE,
	NAMING_SERIAL,
	NAMING_WWN,
	NAMING_NODE,	/* a loop device, zram or RAM disk by its kernel name */
	NAMING_BLANK,	/* not by a name at all: for having nothing on it */
};

/* True where serial number (or WWN) can stand for the disk: not a filler, whole, and typeable. */
bool name_serial_is_usable(const struct disk *d);
bool name_wwn_is_usable(const struct disk *d);
/* True for what has no serial number by its kind: loop devices, zram and RAM disks. */
bool name_is_node_kind(const struct disk *d);
/*
 * How option destroy names disk `at`; NAMING_NONE with the reason in `why` (""  where no entry
 * comes near it). A name that two disks share names neither.
 */
enum naming name_in_destroy(const struct disk_list *l, size_t at, const struct options *o,
			    char why[CHECK_WHY_BYTES]);
/* True where the disk can be told from all others of `l` by what is known of it; else `why`. */
bool name_is_clear(const struct disk_list *l, size_t at, enum naming by,
		   char why[CHECK_WHY_BYTES]);
/* Notes in `o` what option destroy names that is no disk. */
void name_note_strangers(const struct disk_list *l, struct options *o);

/*
 * True where neither the disk nor a partition nor anything built on them, over any of its paths, is
 * mounted, in use as swap, or held by another device; else `why`. `root` as in disks_discover.
 */
bool use_is_free(const char *root, const struct disk *d, char why[CHECK_WHY_BYTES]);
/* True where the kernel serves it as an ordinary, not a zoned, device; else `why`. */
bool use_is_unzoned(const char *root, const struct disk *d, char why[CHECK_WHY_BYTES]);

/*
 * True where nothing lies on the device that `fd` reads (not opened O_DIRECT): no file system,
 * partition table, RAID, LVM, ZFS, Ceph, swap, crypt, VMFS or other signature that libblkid knows.
 * What cannot be read is not blank. Else `why` names it. An ext4 with the disk's own scratch_uuid
 * does not count where `own_counts` is false.
 */
bool signature_is_blank(int fd, const struct disk *d, bool own_counts, char why[CHECK_WHY_BYTES]);
/*
 * True where the machine seems to have started from this device: a label of ours, or a file system
 * or partition that the kernel command line or the boot loader names. `why` says which.
 */
bool signature_is_boot_medium(const char *root, int fd, char why[CHECK_WHY_BYTES]);

/*
 * Opens the device in a process of its own, exclusively and read-only, and runs the checks that
 * need it open. True where all of them allow writing; else `why`.
 */
bool look_allows(const struct disk *d, bool must_be_blank, char why[CHECK_WHY_BYTES]);

struct scratch;

/* scratch_fs.c: scratch_begin and scratch_end of a disk with CONSENT_DESTROY. */
int scratch_fs_make(struct scratch *s, const struct disk *d, char *why, size_t why_bytes);
int scratch_fs_remove(struct scratch *s, const struct disk *d);
/* Takes the signature of the file system this run made off the disk; does nothing to any other. */
int scratch_wipe(const struct disk *d, int fd);

#endif
