/* SPDX-License-Identifier: MIT */
/* A device-mapper volume; see mapper.h. */
#include "bench/sys/mapper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/dm-ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "bench/sys/node.h"
#include "lib/clock.h"
#include "lib/file.h"

#define MISC_MAJOR 10
#define SECTOR_BYTES 512
#define GONE_TRIES 50
#define GONE_WAIT_NS (100 * NS_PER_MS)
/*
 * Upper half of event_nr: what udev's rules of device-mapper read (libdevmapper.h, DM_UDEV_*): it
 * shall look for nothing in this volume and make no links.
 */
#define UDEV_LEAVE_IT (UINT32_C(0x000f) << 16)

struct request {
	struct dm_ioctl head;
	struct dm_target_spec target;
	char parameters[64];
};

static int call(const struct mapper *m, unsigned long op, uint32_t flags, struct request *r)
{
	r->head.version[0] = DM_VERSION_MAJOR;
	r->head.version[1] = 27;	/* the first with deferred removal */
	r->head.version[2] = 0;
	r->head.data_size = sizeof(*r);
	r->head.data_start = sizeof(r->head);
	r->head.flags = flags;
	snprintf(r->head.name, sizeof(r->head.name), "%s", m->name);
	return ioctl(m->control_fd, op, r) ? -errno : 0;
}

/* The control device; made for the moment where /dev has none. */
static int control_open(void)
{
	char text[4096], *at;
	int fd = open("/dev/mapper/control", O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (file_read("/proc/misc", text, sizeof(text)) < 0)
		return -ENOENT;
	at = strstr(text, " device-mapper\n");
	if (!at)
		return -ENOENT;
	while (at > text && at[-1] != '\n')
		at--;
	return node_open(false, MISC_MAJOR, (uint32_t)strtoul(at, NULL, 10), "mapper/control", 0);
}

static int volume_open(struct mapper *m, uint64_t dev)
{
	char name[32];

	snprintf(name, sizeof(name), "dm-%u", minor((dev_t)dev));
	m->fd = node_open(true, major((dev_t)dev), minor((dev_t)dev), name, O_DIRECT);
	return m->fd < 0 ? m->fd : 0;
}

static int volume_make(struct mapper *m, uint32_t major, uint32_t minor, uint64_t bytes,
		       const char **what)
{
	struct request r = { .head.dev = 0 };
	int err;

	*what = "create";
	err = call(m, DM_DEV_CREATE, 0, &r);
	if (err)
		return err;
	r = (struct request){
		.head.target_count = 1,
		.target.length = bytes / SECTOR_BYTES,
		.target.target_type = "linear",
	};
	snprintf(r.parameters, sizeof(r.parameters), "%" PRIu32 ":%" PRIu32 " 0", major, minor);
	*what = "table";
	err = call(m, DM_TABLE_LOAD, DM_READONLY_FLAG, &r);
	if (!err) {
		r = (struct request){ .head.event_nr = UDEV_LEAVE_IT };
		*what = "resume";
		err = call(m, DM_DEV_SUSPEND, 0, &r);
	}
	if (!err) {
		*what = "open";
		err = volume_open(m, r.head.dev);
	}
	r = (struct request){ .head.event_nr = UDEV_LEAVE_IT };
	if (!err) {
		*what = "deferred removal";
		err = call(m, DM_DEV_REMOVE, DM_DEFERRED_REMOVE, &r);
	}
	if (err && m->fd >= 0) {
		close(m->fd);
		m->fd = -1;
	}
	if (err) {
		r = (struct request){ .head.event_nr = UDEV_LEAVE_IT };
		(void)call(m, DM_DEV_REMOVE, 0, &r);
	}
	return err;
}

int mapper_open(struct mapper *m, const char *name, uint32_t major, uint32_t minor, uint64_t bytes,
		const char **what)
{
	int err;

	*m = (struct mapper){ .fd = -1, .control_fd = -1 };
	snprintf(m->name, sizeof(m->name), "%s", name);
	*what = "control";
	m->control_fd = control_open();
	if (m->control_fd < 0)
		return m->control_fd;
	err = volume_make(m, major, minor, bytes, what);
	if (err) {
		close(m->control_fd);
		m->control_fd = -1;
	}
	return err;
}

int mapper_close(struct mapper *m)
{
	const struct timespec wait = { .tv_nsec = GONE_WAIT_NS };
	struct request r;
	int err = 0;

	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
	if (m->control_fd < 0)
		return 0;
	for (int i = 0; i < GONE_TRIES; i++) {
		if (i)
			nanosleep(&wait, NULL);
		r = (struct request){ .head.event_nr = 0 };
		err = call(m, DM_DEV_STATUS, 0, &r);
		if (err)
			break;
	}
	close(m->control_fd);
	m->control_fd = -1;
	return err == -ENXIO ? 0 : -EBUSY;
}
