/* SPDX-License-Identifier: MIT */
/* The kernel's device events: see uevent.h. */
#include "init/uevent.h"

#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/text.h"

#define GROUP_KERNEL 1
#define DATAGRAM_BYTES 8192		/* UEVENT_BUFFER_SIZE is 2048 */
#define RECEIVE_BYTES (1024 * 1024)	/* a shelf of disks announces itself in one burst */

int uevent_open(void)
{
	struct sockaddr_nl at = { .nl_family = AF_NETLINK, .nl_groups = GROUP_KERNEL };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);
	int size = RECEIVE_BYTES, err;

	if (fd < 0)
		return -errno;
	/* Without the privilege the default size has to do. */
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at))) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

static void take(char *to, size_t size, const char *text, const char *name)
{
	size_t len = strlen(name);

	if (!strncmp(text, name, len))
		text_copy(to, size, text + len);
}

bool uevent_parse(const char *data, size_t len, struct uevent *e)
{
	size_t at = 0;

	memset(e, 0, sizeof(*e));
	if (!len || data[len - 1] != '\0' || !strchr(data, '@'))
		return false;
	while (at < len) {
		take(e->action, sizeof(e->action), data + at, "ACTION=");
		take(e->subsystem, sizeof(e->subsystem), data + at, "SUBSYSTEM=");
		take(e->name, sizeof(e->name), data + at, "DEVNAME=");
		at += strlen(data + at) + 1;
	}
	return e->action[0] && e->subsystem[0];
}

int uevent_next(int fd, int timeout_ms, struct uevent *e)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char data[DATAGRAM_BYTES];

	for (;;) {
		struct sockaddr_nl from = { 0 };
		socklen_t from_len = sizeof(from);
		ssize_t n =
			recvfrom(fd, data, sizeof(data), 0, (struct sockaddr *)&from, &from_len);

		/* Only the kernel (port 0) is believed. */
		if (n > 0 && !from.nl_pid && uevent_parse(data, (size_t)n, e))
			return 1;
		if (n >= 0 || errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return -errno;
		n = poll(&p, 1, timeout_ms);
		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

bool uevent_is_storage(const struct uevent *e)
{
	static const char *const subsystems[] = {
		"block",    "scsi",	  "scsi_host",	     "nvme",	 "nvme-subsystem",
		"usb",	    "mmc",	  "mmc_host",	     "ata_port", "sas_phy",
		"sas_port", "sas_device", "fc_remote_ports", "virtio",
	};

	for (size_t i = 0; i < sizeof(subsystems) / sizeof(subsystems[0]); i++)
		if (!strcmp(e->subsystem, subsystems[i]))
			return true;
	return false;
}
