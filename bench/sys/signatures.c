/* SPDX-License-Identifier: MIT */
/* What lies on the disks and their partitions; see signatures.h. */
#include "bench/sys/signatures.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/model/fields.h"
#include "bench/sys/child.h"
#include "bench/sys/node.h"
#include "bench/sys/superblock.h"
#include "lib/clock.h"
#include "lib/text.h"

#define LIMIT_NS (5 * NS_PER_S)
#define HERE_MAX 8	/* signatures in one place: old ones lie below newer ones */

/* All signatures of one place, a disk or a partition. */
static void find_in(int fd, uint64_t offset, uint64_t bytes, const char *name,
		    const struct signature_taker *taker)
{
	blkid_probe pr = superblock_search(fd, offset, bytes, SUPERBLOCK_VALID);

	for (int i = 0; pr && i < HERE_MAX && blkid_do_probe(pr) == 0; i++) {
		const char *type = superblock_value(pr, "TYPE");
		const char *table = superblock_value(pr, "PTTYPE");
		struct signature s = { .usage = "" };

		text_copy(s.device, sizeof(s.device), name);
		text_clean_str(s.type, sizeof(s.type), type[0] ? type : table);
		text_clean_str(s.usage, sizeof(s.usage), type[0] ?
			       superblock_value(pr, "USAGE") : "partition-table");
		text_clean_str(s.label, sizeof(s.label), superblock_value(pr, "LABEL"));
		text_clean_str(s.uuid, sizeof(s.uuid),
			       superblock_value(pr, type[0] ? "UUID" : "PTUUID"));
		if (s.type[0])
			taker->take(taker->context, &s);
	}
	if (pr)
		blkid_free_probe(pr);
}

/* The kernel puts a p between a name that ends in a digit and the number. */
static void name_partition(const char *disk, int number, char to[64])
{
	bool digit = disk[0] && isdigit((unsigned char)disk[strlen(disk) - 1]);

	snprintf(to, 64, "%.48s%s%d", disk, digit ? "p" : "", number);
}

void signatures_find(int fd, const char *disk, const struct signature_taker *taker)
{
	blkid_probe pr = superblock_search(fd, 0, 0, SUPERBLOCK_VALID);
	blkid_partlist list = pr ? blkid_probe_get_partitions(pr) : NULL;
	char name[64];

	find_in(fd, 0, 0, disk, taker);
	for (int i = 0; list && i < blkid_partlist_numof_partitions(list); i++) {
		blkid_partition part = blkid_partlist_get_partition(list, i);
		uint64_t start = (uint64_t)blkid_partition_get_start(part) * 512;
		uint64_t bytes = (uint64_t)blkid_partition_get_size(part) * 512;

		if (blkid_partition_is_extended(part) || !start || !bytes)
			continue;
		name_partition(disk, blkid_partition_get_partno(part), name);
		find_in(fd, start, bytes, name, taker);
	}
	if (pr)
		blkid_free_probe(pr);
}

static void say(void *context, const struct signature *s)
{
	(void)context;
	child_say(s, sizeof(*s));
}

/* The child of one disk. What it read is not left in the page cache. */
static void look(void *context)
{
	const struct signature_taker taker = { .take = say };
	const struct disk *d = context;
	int fd = node_open(true, d->major, d->minor, d->name, O_NONBLOCK);

	if (fd < 0)
		return;
	signatures_find(fd, d->name, &taker);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
}

static void take_all(struct child *c, uint64_t until_ns, struct machine_info *m)
{
	struct signature s, *to;

	while (child_listen(c, &s, sizeof(s), until_ns) == sizeof(s)) {
		to = fields_add(&fields_machine, m, "signatures");
		if (to)
			*to = s;
	}
}

void signatures_read(const struct disk_list *l, size_t first, struct machine_info *m)
{
	struct child *child = calloc(l->n + 1, sizeof(*child));
	uint64_t until_ns = clock_ns() + LIMIT_NS;

	if (!child)
		return;
	for (size_t i = first; i < l->n; i++)
		if (l->disk[i].skip == DISK_TAKEN)
			child_start(&child[i], look, &l->disk[i]);
	for (size_t i = first; i < l->n; i++) {
		take_all(&child[i], until_ns, m);
		child_end(&child[i]);
	}
	free(child);
}
