/* SPDX-License-Identifier: MIT */
/*
 * Waits until no more disks appear: over as soon as nothing on any disk's way into the system has
 * happened for a quiet time, and after the option `settle` in any case.
 *
 * The quiet time is 1.5 s, because USB storage does nothing for 1 s (usb-storage's delay_use)
 * between the bus's event and the disk's. Behind SAS and Fibre Channel it is 4 s: an expander takes
 * that long between the steps of its discovery (SAS-2 gives a phy reset 0.5 s, and several are
 * tried in a row).
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/log.h"
#include "init/uevent.h"
#include "init/work.h"
#include "lib/clock.h"

#define QUIET_NS (1500 * NS_PER_MS)
#define QUIET_FABRIC_NS (4 * NS_PER_S)
#define SHOWN_BYTES 512

static bool has_entries(const char *path)
{
	struct dirent *e;
	bool found = false;
	DIR *dir = opendir(path);

	while (dir && !found && (e = readdir(dir)))
		found = e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return found;
}

static uint64_t quiet_ns(void)
{
	if (has_entries("/sys/class/sas_host") || has_entries("/sys/class/fc_host"))
		return QUIET_FABRIC_NS;
	return QUIET_NS;
}

/* A disk here: a block device with hardware behind it. Returns how many, and their names. */
static unsigned int list_disks(char *names, size_t size)
{
	char path[300];
	unsigned int n = 0;
	size_t used = 0;
	struct dirent *e;
	DIR *dir = opendir("/sys/block");

	names[0] = '\0';
	while (dir && (e = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/block/%s/device", e->d_name);
		if (e->d_name[0] == '.' || access(path, F_OK))
			continue;
		n++;
		if (used < size)
			used += (size_t)snprintf(names + used, size - used, " %s", e->d_name);
	}
	if (dir)
		closedir(dir);
	return n;
}

/* Waits for the quiet time; returns false when the limit came first. */
static bool wait_quiet(int fd, uint64_t limit_ns)
{
	uint64_t start = clock_ns(), last = start;

	for (;;) {
		uint64_t now = clock_ns(), until = last + quiet_ns();
		struct uevent e;
		int got;

		if (now >= until)
			return true;
		if (now - start >= limit_ns)
			return false;
		if (until > start + limit_ns)
			until = start + limit_ns;
		got = uevent_next(fd, (int)((until - now) / NS_PER_MS) + 1, &e);
		if (got == -ENOBUFS || (got == 1 && uevent_is_storage(&e)))
			last = clock_ns();
		else if (got < 0)
			return false;
	}
}

int work_settle(struct boot *b)
{
	uint64_t limit_s = options_number(&b->options, OPT_ID_SETTLE);
	char names[SHOWN_BYTES];
	unsigned int n;
	int fd = uevent_open();
	bool quiet;

	if (fd < 0) {
		/* Without events the wait still gives slow disks their time. */
		log_say("settle: no device events: %s", strerror(-fd));
		sleep((unsigned int)(limit_s < 2 ? limit_s : 2));
		quiet = true;
	} else {
		quiet = wait_quiet(fd, limit_s * NS_PER_S);
		close(fd);
	}
	n = list_disks(names, sizeof(names));
	if (!limit_s)
		log_say("settle: not waited for disks, as bench.settle=0 says");
	else if (!quiet)
		log_say("settle: disks were still appearing after %llu s; later ones are not "
			"waited for",
			(unsigned long long)limit_s);
	if (n)
		log_say("settle: disks found: %u:%s", n, names);
	else
		log_say("settle: disks found: none");
	return 0;
}
