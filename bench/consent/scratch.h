/* SPDX-License-Identifier: MIT */
/*
 * Files to test on that leave no trace: in a folder a person named (write=file:PATH), or on an ext4
 * that is made on a disk with consent to destroy.
 *
 * Invariants: a file that exists is never opened, let alone changed; a scratch file has no name
 * once it is open, so that it is gone with the process, however that ends; a file system made here
 * is mounted in a mount namespace of this process alone, and gone with it too.
 */
#ifndef BENCH_CONSENT_SCRATCH_H
#define BENCH_CONSENT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/sys/disk.h"
#include "lib/options.h"

/* The file system made on a disk covers at most so much of it, from its start. */
#define SCRATCH_FS_MAX_BYTES (UINT64_C(64) << 30)
/* A smaller disk gets none. */
#define SCRATCH_FS_MIN_BYTES (UINT64_C(32) << 20)

/*
 * How many bytes a scratch file in `dir` may have at most now: what is free for everybody less a
 * reserve (5 % of the file system, at least 64 MiB and at most 4 GiB; a quarter of what is free
 * where that is less). 0 where nothing can be said.
 */
uint64_t scratch_room_bytes(const char *dir);

/*
 * Opens an empty file without a name in `dir` (test_context's): O_RDWR | O_CLOEXEC | `flags`
 * (O_DIRECT, O_SYNC, O_DSYNC or 0). Closing it frees its space. `bytes` is the most the test will
 * write to it: -ENOSPC where scratch_room_bytes() is less. Nothing is allocated in advance: what
 * the tools do that our tests stand beside, they do to an empty file. Returns the descriptor or
 * -errno with the reason in `why`.
 */
int scratch_open(const char *dir, uint64_t bytes, int flags, char *why, size_t why_bytes);

/*
 * What option write=file:PATH allows: finds the file system of PATH (a folder, or a file in a
 * folder that does not exist yet) and the disk it lies on, and gives that disk CONSENT_FILE.
 * Refuses, with a note in `o`, an existing file, a relative path, file systems in memory, over the
 * network, made of others or not known, and one that lies on no disk of `disks` that is taken (from
 * index `first` on). Sets consent_why of the disk.
 */
void scratch_decide(struct disk_list *disks, size_t first, struct options *o);

/* The folder a process's file tests have. No pointers: copies with `=`. */
struct scratch {
	/* what test_context.dir points to; "" before scratch_begin */
	char dir[DISK_PATH_BYTES];
	char type[16];			/* of its file system, e.g. "ext4" */
	bool mounted;			/* by scratch_begin, on an ext4 of its own */
	uint64_t fs_bytes;		/* of the disk, from its start, were given to that ext4 */
};

/*
 * Gives this process a folder for file tests on `d`. CONSENT_FILE: the folder that was named,
 * checked again. CONSENT_DESTROY: opens the disk by consent_open (so that all its checks hold at
 * this moment), makes ext4 on it and mounts it where only this process sees it; nobody else may
 * hold the disk exclusively meanwhile: the caller closes a descriptor of consent_open before.
 * Takes as long as mke2fs does, up to some seconds. Returns 0 or -errno with the reason in `why`.
 */
int scratch_begin(struct scratch *s, const struct disk *d, char *why, size_t why_bytes);

/*
 * Unmounts what scratch_begin mounted, and takes the file system's signature off the disk. Does
 * nothing for an empty `s`. Returns 0 or -errno.
 */
int scratch_end(struct scratch *s, const struct disk *d);

#endif
