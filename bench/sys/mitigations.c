/* SPDX-License-Identifier: MIT */
/*
 * What the kernel does against each known fault of the CPU: it costs time, so it belongs beside
 * numbers.
 */
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define MITIGATIONS (sizeof(((struct cpu_info *)0)->mitigation) / sizeof(struct named_text))

void mitigations_read(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES], text[REPORT_TEXT_BYTES];
	struct sysfs_names names;

	m->cpu.mitigation_n = 0;
	if (!sysfs_join(dir, root, "sys/devices/system/cpu/vulnerabilities") ||
	    sysfs_list(dir, ".", &names) < 0)
		return;
	/* should a future kernel list more than fit, what does not affect this CPU is left out */
	for (int unaffected = 0; unaffected < 2; unaffected++) {
		for (size_t i = 0; i < names.n && m->cpu.mitigation_n < MITIGATIONS; i++) {
			struct named_text *to = &m->cpu.mitigation[m->cpu.mitigation_n];

			if (!sysfs_read_text(dir, names.name[i], text, sizeof(text)) ||
			    (strcmp(text, "Not affected") == 0) != unaffected)
				continue;
			text_clean_str(to->name, sizeof(to->name), names.name[i]);
			text_copy(to->text, sizeof(to->text), text);
			m->cpu.mitigation_n++;
		}
	}
	sysfs_list_free(&names);
}
