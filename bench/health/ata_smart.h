/* SPDX-License-Identifier: MIT */
/*
 * Our own reader of an ATA drive's SMART data and device statistics, by SCSI's ATA PASS-THROUGH
 * (16), where smartctl is missing or failed. Only for disks that say that they are ATA.
 *
 * Sent are CHECK POWER MODE, IDENTIFY DEVICE, SMART READ DATA, SMART RETURN STATUS and READ LOG
 * EXT: none of them changes anything. Where the drive sleeps, nothing else is sent.
 */
#ifndef BENCH_HEALTH_ATA_SMART_H
#define BENCH_HEALTH_ATA_SMART_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/health/ata_stats.h"
#include "bench/model/health.h"

#define ATA_SECTOR 512
#define ATA_SENSE 64	/* bytes of sense data that are asked for */

struct ata_smart {
	bool sleeps;		/* in standby or sleep: nothing else was read */
	bool has_smart, has_page[ATA_STATS_PAGES];
	enum tristate passed;
	uint8_t identify[ATA_SECTOR];
	uint8_t smart[ATA_SECTOR];
	uint8_t page[ATA_STATS_PAGES][ATA_SECTOR];
};

/* The bytes become values of `h`, which are absent before. Sets protocol and state. */
void ata_smart_decode(const struct ata_smart *a, struct health *h);
/* What CK_COND gave: count, mid and high of the LBA, status. */
struct ata_registers {
	uint8_t count, mid, high, status;
};

/* The drive's registers from sense data; false where these are about something else. */
bool ata_smart_registers(const uint8_t sense[ATA_SENSE], struct ata_registers *r);
/* Asks block device `node`. Returns 0, also where it sleeps or has no SMART, or -errno. */
int ata_smart_read(const char *node, unsigned timeout_ms, struct ata_smart *a);

#endif
