/* SPDX-License-Identifier: MIT */
/* libblkid's search for signatures on a device or a part of it. Reads, never mounts. */
#ifndef BENCH_SYS_SUPERBLOCK_H
#define BENCH_SYS_SUPERBLOCK_H

#include <blkid/blkid.h>
#include <stdint.h>

enum superblock_doubt {
	SUPERBLOCK_VALID,	/* what is damaged does not count */
	/* rather yes: bad checksums count, a GPT without its protective MBR or primary too */
	SUPERBLOCK_ANY,
};

/*
 * A search on the device `fd` reads (not opened O_DIRECT), `bytes` from `offset` on, both 0 for all
 * of it; each call of blkid_do_probe finds the next signature. NULL on failure. The caller frees it
 * with blkid_free_probe.
 */
blkid_probe superblock_search(int fd, uint64_t offset, uint64_t bytes, enum superblock_doubt doubt);
/* A value of the signature found last, e.g. "TYPE"; "" where it has none. */
const char *superblock_value(blkid_probe search, const char *name);

#endif
