/* SPDX-License-Identifier: MIT */
/* Finding rules over the processors. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/rules.h"

int find_mitigations(struct report *r, const struct finding_rule *rule)
{
	char names[REPORT_TEXT_BYTES / 2] = "";
	uint32_t n = 0, first = 0;

	for (uint32_t i = 0; i < r->machine.cpu.mitigation_n && i < 24; i++) {
		const struct named_text *m = &r->machine.cpu.mitigation[i];
		size_t used = strlen(names);

		if (strncmp(m->text, "Vulnerable", 10))
			continue;
		if (n++ == 0)
			first = i;
		if (used + strlen(m->name) + sizeof(", ") < sizeof(names))
			snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
				 m->name);
	}
	if (n == 1)
		return ADD("",
			   "The kernel reports the CPU as vulnerable to %s (%s): numbers may be "
			   "higher than under a default system.",
			   names, r->machine.cpu.mitigation[first].text);
	return n == 0 ? 0 :
	       ADD("", "The kernel reports the CPU as vulnerable in %u respects (%s): numbers may "
		       "be higher than under a default system.", n, names);
}
