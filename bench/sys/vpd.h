/* SPDX-License-Identifier: MIT */
/*
 * Decodes SCSI vital product data pages as sysfs hands them out (device/vpd_pgNN): binary, of any
 * length, from devices that cannot be trusted. Sources: SPC-5 7.7, SBC-4 6.6.2, SAT-4 12.4.2, ATA
 * ACS-4 7.13.
 */
#ifndef BENCH_SYS_VPD_H
#define BENCH_SYS_VPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Page 80h, unit serial number, cleaned. Returns false where the page is none or holds no text. */
bool vpd_serial(const uint8_t *page, size_t len, char *to, size_t size);

/*
 * Page 83h, device identification: the best name of the logical unit in the kernel's own form:
 * "naa.HEX", "eui.HEX", a SCSI name string as it is, or "t10.TEXT", in this order. False where
 * there is none.
 */
bool vpd_lun_name(const uint8_t *page, size_t len, char *to, size_t size);

#define VPD_ATA_MODEL_BYTES 128

/* What IDENTIFY DEVICE says, of page 89h (ATA information). */
struct vpd_ata {
	char model[VPD_ATA_MODEL_BYTES], serial[64], firmware[32];
	bool is_device;		/* false: a packet device */
	int is_serial_ata;	/* 1 SATA, 0 parallel, -1 not said */
};

bool vpd_ata(const uint8_t *page, size_t len, struct vpd_ata *ata);

/*
 * Page B1h: medium rotation rate: revolutions per minute, 1 for solid state, 0 for "not reported",
 * -1: no page.
 */
int vpd_rotation(const uint8_t *page, size_t len);

#endif
