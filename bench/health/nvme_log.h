/* SPDX-License-Identifier: MIT */
/*
 * Our own reader of an NVMe controller's SMART / Health Information log (Get Log Page, log 02h),
 * where smartctl is missing or failed, and for what smartctl leaves out.
 */
#ifndef BENCH_HEALTH_NVME_LOG_H
#define BENCH_HEALTH_NVME_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "bench/model/health.h"

#define NVME_LOG_BYTES 512
#define NVME_IDENTIFY_BYTES 4096

/*
 * The log as bytes becomes values of `h`, which are absent before. Sets protocol, not state. Bytes
 * 232 on are reserved and not looked at.
 */
void nvme_log_decode(const uint8_t log[NVME_LOG_BYTES], struct health *h);
/*
 * The device to ask for the controller that serves block device (or controller) `name`: by sysfs
 * below `root`, "/dev/nvme0" for instance; `node` where sysfs does not tell.
 */
void nvme_log_device(const char *root, const char *name, const char *node, char *to, size_t size);
/*
 * Asks `node`, a controller or a namespace. Returns 0 or -errno, -EIO for an NVMe error. `identify`
 * is all zero where only that was not answered.
 */
int nvme_log_read(const char *node, unsigned timeout_ms, uint8_t log[NVME_LOG_BYTES],
		  uint8_t identify[NVME_IDENTIFY_BYTES]);
/* The maker's limit from Identify Controller: degrees Celsius, INT32_MIN where it gives none. */
int32_t nvme_log_limit(const uint8_t identify[NVME_IDENTIFY_BYTES]);

#endif
