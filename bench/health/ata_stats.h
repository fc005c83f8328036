/* SPDX-License-Identifier: MIT */
/*
 * Device statistics of ATA (log 04h): the one place where units are a standard's and not a maker's,
 * so they count before any vendor attribute.
 */
#ifndef BENCH_HEALTH_ATA_STATS_H
#define BENCH_HEALTH_ATA_STATS_H

#include <stdint.h>

#include "bench/model/health.h"

#define ATA_STATS_PAGES 8	/* pages 0 to 7 are read; 0 lists the others */

/*
 * Takes a statistic over, found at `offset` of page `page` (ACS-4 tables 236 to 252; valid ones
 * only, temperatures sign-extended). `block_bytes` is the size of a logical sector. Statistics that
 * nobody asks for are left.
 */
void ata_stats_take(struct health *h, unsigned page, unsigned offset, int64_t value,
		    int64_t block_bytes);
/* All of a page of 512 bytes as the drive sends it; a page that is another is left. */
void ata_stats_page(struct health *h, unsigned page, const uint8_t data[512], int64_t block_bytes);

#endif
