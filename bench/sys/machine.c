/* SPDX-License-Identifier: MIT */
/* What the machine and its kernel are; the parts are in files of their own. */
#include "bench/sys/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define LOAD_MAX 1e9	/* far more tasks than a kernel can have; keeps out "inf" and "nan" */

static void read_uptime(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES], text[64];
	unsigned long long seconds;

	/* sscanf would turn a sign into a large number */
	if (sysfs_join(dir, root, "proc") && sysfs_read_text(dir, "uptime", text, sizeof(text)) &&
	    text[0] != '-' && sscanf(text, "%llu.", &seconds) == 1)
		m->uptime_s = seconds;
}

/* "0.31 0.12 0.04 1/212 3391": the means of 1, 5 and 15 minutes, then what is no load. */
static void read_load(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES], text[128];
	double load[3];

	if (sysfs_join(dir, root, "proc") && sysfs_read_text(dir, "loadavg", text, sizeof(text)) &&
	    sscanf(text, "%lf %lf %lf", &load[0], &load[1], &load[2]) == 3 &&
	    load[0] >= 0 && load[1] >= 0 && load[2] >= 0 &&
	    load[0] < LOAD_MAX && load[1] < LOAD_MAX && load[2] < LOAD_MAX)
		snprintf(m->load, sizeof(m->load), "%.2f %.2f %.2f", load[0], load[1], load[2]);
}

/* Another tree's architecture is known only where its kernel (from 6.1 on) wrote it down. */
static void read_arch(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES];
	struct utsname u;

	if (sysfs_join(dir, root, "proc/sys/kernel") &&
	    sysfs_read_text(dir, "arch", m->arch, sizeof(m->arch)))
		return;
	if (!root[0] && uname(&u) == 0)
		text_clean_str(m->arch, sizeof(m->arch), u.machine);
}

void machine_read(const char *root, struct machine_info *m)
{
	memset(m, 0, sizeof(*m));
	fields_init(&fields_machine, m);
	dmi_read(root, m);
	cpu_read(root, m);
	memory_read(root, m);
	edac_read(root, m);
	pci_devices_read(root, m);
	links_read(root, m);
	sensors_read_guarded(root, m);
	power_read(root, m);
	arrays_read(root, m);
	mitigations_read(root, m);
	virt_read(root, m);
	read_uptime(root, m);
	read_load(root, m);
	read_arch(root, m);
	boot_read(root, m);
}
