/* SPDX-License-Identifier: MIT */
/* libblkid's search for signatures; see superblock.h. */
#include "bench/sys/superblock.h"

#include <stddef.h>

blkid_probe superblock_search(int fd, uint64_t offset, uint64_t bytes, enum superblock_doubt doubt)
{
	const int values = BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_UUID |
			   BLKID_SUBLKS_LABEL;
	blkid_probe pr = blkid_new_probe();

	if (!pr)
		return NULL;
	if (blkid_probe_set_device(pr, fd, (blkid_loff_t)offset, (blkid_loff_t)bytes) ||
	    blkid_probe_enable_superblocks(pr, 1) ||
	    blkid_probe_set_superblocks_flags(pr, doubt == SUPERBLOCK_ANY ?
					      values | BLKID_SUBLKS_BADCSUM : values) ||
	    blkid_probe_enable_partitions(pr, 1) ||
	    blkid_probe_set_partitions_flags(pr, doubt == SUPERBLOCK_ANY ?
					     BLKID_PARTS_FORCE_GPT : 0)) {
		blkid_free_probe(pr);
		return NULL;
	}
	return pr;
}

const char *superblock_value(blkid_probe search, const char *name)
{
	const char *value;

	return blkid_probe_lookup_value(search, name, &value, NULL) ? "" : value;
}
