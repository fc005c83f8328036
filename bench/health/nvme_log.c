/* SPDX-License-Identifier: MIT */
/*
 * The SMART / Health Information log of an NVMe controller; see nvme_log.h. Offsets: NVM Express
 * Base Specification 2.0, section 5.16.1.3, figure 207.
 */
#include "bench/health/nvme_log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench/health/decode.h"
#include "bench/health/plausible.h"
#include "bench/health/value.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define GET_LOG_PAGE 0x02	/* admin command, section 5.16 */
#define IDENTIFY 0x06		/* section 5.17 */
#define IDENTIFY_CONTROLLER 0x01
#define LOG_SMART 0x02
#define ALL_NAMESPACES 0xFFFFFFFFu
#define UNIT_BYTES 512000	/* bytes 32 and 48 count units of 1000 times 512 bytes */
#define KELVIN 273

/* A counter of 128 bits, at most INT64_MAX. */
static int64_t le128(const uint8_t *p, int64_t unit, struct health *h, const char *key)
{
	uint64_t low = value_le(p, 8), high = value_le(p + 8, 8);
	bool cut = high != 0 || low > INT64_MAX;
	int64_t value = cut ? INT64_MAX : value_times((int64_t)low, unit, &cut);

	if (cut)
		plausible_doubt(h, key, "the drive's counter is larger than can be kept: it is at "
				"least this");
	return value;
}

void nvme_log_decode(const uint8_t log[NVME_LOG_BYTES], struct health *h)
{
	uint64_t kelvin = value_le(log + 1, 2);

	text_copy(h->protocol, sizeof(h->protocol), "nvme");
	h->passed = TRI_YES;
	decode_nvme_warnings(h, log[0]);
	if (kelvin)	/* 0: the controller has no sensor */
		h->temperature_celsius = (int32_t)kelvin - KELVIN;
	h->spare_percent = log[3];
	h->spare_threshold_percent = log[4];
	h->wear_percent = log[5];	/* up to 255 */
	h->read_bytes = le128(log + 32, UNIT_BYTES, h, "read_bytes");
	h->written_bytes = le128(log + 48, UNIT_BYTES, h, "written_bytes");
	h->power_cycles = le128(log + 112, 1, h, "power_cycles");
	h->power_on_hours = le128(log + 128, 1, h, "power_on_hours");
	h->unsafe_shutdowns = le128(log + 144, 1, h, "unsafe_shutdowns");
	h->media_errors = le128(log + 160, 1, h, "media_errors");
	h->error_log_entries = le128(log + 176, 1, h, "error_log_entries");
	/* minutes above the warning and above the critical temperature */
	h->temperature_warning_minutes = (int64_t)(value_le(log + 192, 4) + value_le(log + 196, 4));
	/* how often light and heavy throttling began */
	h->throttle_events = (int64_t)(value_le(log + 216, 4) + value_le(log + 220, 4));
}

/* "nvme0", but neither "nvme0n1" nor "nvme-subsys0". */
static bool is_controller(const char *name)
{
	if (strncmp(name, "nvme", 4) || !isdigit((unsigned char)name[4]))
		return false;
	for (name += 4; isdigit((unsigned char)*name); name++)
		;
	return !*name;
}

/* The first controller among the entries of a subsystem's folder. */
static bool find_in(const char *subsystem, char name[SYSFS_PATH_BYTES])
{
	struct sysfs_names names;
	bool found = false;

	if (sysfs_list(subsystem, ".", &names) < 0)
		return false;
	for (size_t i = 0; i < names.n && !found; i++) {
		found = is_controller(names.name[i]);
		if (found)
			text_copy(name, SYSFS_PATH_BYTES, names.name[i]);
	}
	sysfs_list_free(&names);
	return found;
}

void nvme_log_device(const char *root, const char *name, const char *node, char *to, size_t size)
{
	char sys[SYSFS_PATH_BYTES], block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	char device[SYSFS_PATH_BYTES], controller[SYSFS_PATH_BYTES] = "";

	if (is_controller(name)) {
		text_copy(controller, sizeof(controller), name);
	} else if (!strchr(name, '/') && sysfs_join(sys, root, "sys") &&
		   sysfs_join(block, sys, "block") && sysfs_join(dir, block, name) &&
		   sysfs_resolve(dir, "device", device)) {
		if (is_controller(sysfs_base(device)))
			text_copy(controller, sizeof(controller), sysfs_base(device));
		else
			find_in(device, controller);
	}
	if (controller[0])
		snprintf(to, size, "/dev/%.40s", controller);
	else
		text_copy(to, size, node);
}

/* Sends a command that reads `size` bytes. Returns 0 or -errno, -EIO for an NVMe error. */
static int send_command(int fd, struct nvme_admin_cmd *command, void *data, uint32_t size)
{
	int got;

	memset(data, 0, size);
	command->addr = (uint64_t)(uintptr_t)data;
	command->data_len = size;
	got = ioctl(fd, NVME_IOCTL_ADMIN_CMD, command);
	return got < 0 ? -errno : got > 0 ? -EIO : 0;
}

int nvme_log_read(const char *node, unsigned timeout_ms, uint8_t log[NVME_LOG_BYTES],
		  uint8_t identify[NVME_IDENTIFY_BYTES])
{
	struct nvme_admin_cmd get_log = {
		.opcode = GET_LOG_PAGE, .nsid = ALL_NAMESPACES, .timeout_ms = timeout_ms,
		/* number of dwords, less one, above the log's number */
		.cdw10 = (NVME_LOG_BYTES / 4 - 1) << 16 | LOG_SMART,
	};
	struct nvme_admin_cmd get_identity = {
		.opcode = IDENTIFY, .timeout_ms = timeout_ms, .cdw10 = IDENTIFY_CONTROLLER,
	};
	int fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;

	if (fd < 0)
		return -errno;
	err = send_command(fd, &get_log, log, NVME_LOG_BYTES);
	if (err || send_command(fd, &get_identity, identify, NVME_IDENTIFY_BYTES))
		memset(identify, 0, NVME_IDENTIFY_BYTES);
	close(fd);
	return err;
}

int32_t nvme_log_limit(const uint8_t identify[NVME_IDENTIFY_BYTES])
{
	/* section 5.17.2.1, figure 275: Warning Composite Temperature Threshold */
	uint64_t kelvin = value_le(identify + 266, 2);

	return kelvin ? (int32_t)kelvin - KELVIN : INT32_MIN;
}
