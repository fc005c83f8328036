/* SPDX-License-Identifier: MIT */
/* The running kernel: release, configuration, clock source. */
#include <stdio.h>
#include <string.h>

#include "bench/sys/machine.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

static void read_release(const char *root, struct tool_info *t)
{
	char dir[SYSFS_PATH_BYTES], release[128] = "", version[128] = "";
	char text[sizeof(release) + sizeof(version)];

	t->kernel[0] = '\0';
	if (!sysfs_join(dir, root, "proc/sys/kernel"))
		return;
	sysfs_read_text(dir, "osrelease", release, sizeof(release));
	sysfs_read_text(dir, "version", version, sizeof(version));
	snprintf(text, sizeof(text), "%s%s%s", release, release[0] && version[0] ? " " : "",
		 version);
	text_copy(t->kernel, sizeof(t->kernel), text);
}

void machine_read_kernel(const char *root, struct tool_info *t, struct run_info *r)
{
	char path[SYSFS_PATH_BYTES];

	read_release(root, t);
	if (!sysfs_join(path, root, "proc/config.gz") ||
	    config_hash_file(path, t->kernel_config_sha256) < 0)
		t->kernel_config_sha256[0] = '\0';
	r->clocksource[0] = '\0';
	if (sysfs_join(path, root, "sys/devices/system/clocksource/clocksource0"))
		sysfs_read_text(path, "current_clocksource", r->clocksource,
				sizeof(r->clocksource));
}
