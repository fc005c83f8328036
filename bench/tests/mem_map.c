/* SPDX-License-Identifier: MIT */
/* Memory to measure; see mem_map.h. */
#include "bench/tests/mem_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/sys/sysfs.h"

#define HUGE_2MB (21 << 26)	/* MAP_HUGE_2MB of <linux/mman.h>: whatever size is the default */

static void *map(uint64_t bytes, int flags)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
		    0);
}

int mem_map_new(struct mem_map *m, uint64_t bytes, bool reserved)
{
	const uint64_t huge = MEM_MAP_HUGE_BYTES;

	memset(m, 0, sizeof(*m));
	if (bytes == 0 || bytes > SIZE_MAX / 2)
		return -EINVAL;
	bytes = (bytes + huge - 1) / huge * huge;
	m->bytes = m->mapped_bytes = bytes;
	/* not with MAP_NORESERVE: what is not there in full must fail here, not when touched */
	if (reserved) {
		m->at = m->mapped = map(bytes, MAP_HUGETLB | HUGE_2MB);
		m->reserved = m->at != MAP_FAILED;
	}
	if (m->reserved)
		return 0;
	m->mapped_bytes = bytes + huge;
	m->mapped = map(m->mapped_bytes, 0);
	if (m->mapped == MAP_FAILED) {
		memset(m, 0, sizeof(*m));
		return -errno;
	}
	m->at = (char *)m->mapped + (huge - (uintptr_t)m->mapped % huge) % huge;
	/* a kernel without them, or one told never to, has only small ones */
	(void)madvise(m->at, bytes, MADV_HUGEPAGE);
	return 0;
}

void mem_map_free(struct mem_map *m)
{
	if (m->mapped)
		munmap(m->mapped, m->mapped_bytes);
	memset(m, 0, sizeof(*m));
}

bool mem_map_huge_bytes(const char *root, const struct mem_map *m, uint64_t *bytes)
{
	uint64_t low, high, kib, sum = 0, from = (uintptr_t)m->at, end = from + m->bytes;
	char path[SYSFS_PATH_BYTES], line[512];
	bool ours = false, is_told = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/smaps", root);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &low, &high) == 2) {
			ours = low < end && high > from;
		} else if (ours && (sscanf(line, "AnonHugePages: %" SCNu64, &kib) == 1 ||
				    sscanf(line, "Private_Hugetlb: %" SCNu64, &kib) == 1)) {
			sum += kib * 1024;
			is_told = true;
		}
	}
	fclose(f);
	*bytes = sum < m->bytes ? sum : m->bytes;
	return is_told;
}
