/* SPDX-License-Identifier: MIT */
/* The kernel's device events (kobject_uevent over netlink), as far as disks are concerned. */
#ifndef INIT_UEVENT_H
#define INIT_UEVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UEVENT_NAME_BYTES 64

struct uevent {
	char action[16];		/* add, remove, change, bind ... */
	char subsystem[32];
	char name[UEVENT_NAME_BYTES];	/* DEVNAME: below /dev; "" for what has no node */
};

/* Opens a socket that receives the kernel's events from now on. Returns it or -errno. */
int uevent_open(void);

/*
 * Waits up to `timeout_ms` (-1: without end) for the next event. Returns 1 and fills `e`, 0 when
 * the time was over, -ENOBUFS when events were lost, or another -errno.
 */
int uevent_next(int fd, int timeout_ms, struct uevent *e);

/* Parses one datagram: "ACTION@PATH", then NAME=VALUE strings. Returns false for anything else. */
bool uevent_parse(const char *data, size_t len, struct uevent *e);

/* True for events on a disk's way into the system: the disk itself, or a bus step before it. */
bool uevent_is_storage(const struct uevent *e);

#endif
