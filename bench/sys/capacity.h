/* SPDX-License-Identifier: MIT */
/* What a SCSI disk says of its sectors where the kernel shows a size of zero. */
#ifndef BENCH_SYS_CAPACITY_H
#define BENCH_SYS_CAPACITY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sends READ CAPACITY to the disk open at `fd` (it changes nothing). Returns bytes per sector, 0:
 * no answer.
 */
uint64_t capacity_sector_bytes(int fd);
/*
 * Decodes READ CAPACITY (16) or (10) data, SBC-4 5.20.2 and 5.19.2. Returns bytes per sector or 0.
 */
uint64_t capacity_decode16(const uint8_t *data, size_t len);
uint64_t capacity_decode10(const uint8_t *data, size_t len);

#endif
