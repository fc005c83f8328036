/* SPDX-License-Identifier: MIT */
/* Finding rules over how the processors are set up, and what guards them. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"

/* Rule cpu-microcode tells of these. */
static bool is_microcode(const struct report *r, const struct named_text *m)
{
	return look_is_metal(r) && (!strcmp(m->name, "old_microcode") ||
				    strstr(m->text, "no microcode")) &&
	       !strncmp(m->text, "Vulnerable", 10);
}

/* Joins the names of the faults that `wanted` picks; returns how many, the first in `first`. */
static uint32_t join(const struct report *r, bool wants_microcode, char *names, size_t size,
		     const struct named_text **first)
{
	const struct cpu_info *c = &r->machine.cpu;
	uint32_t n = 0;

	names[0] = '\0';
	for (size_t i = 0; i < REPORT_KEPT(c->mitigation_n, c->mitigation); i++) {
		const struct named_text *m = &c->mitigation[i];
		size_t used = strlen(names);

		if (strncmp(m->text, "Vulnerable", 10) || is_microcode(r, m) != wants_microcode)
			continue;
		if (n++ == 0)
			*first = m;
		if (used + strlen(m->name) + sizeof(", ") < size)
			snprintf(names + used, size - used, "%s%s", used ? ", " : "", m->name);
	}
	return n;
}

int find_mitigations(struct report *r, const struct finding_rule *rule)
{
	char names[REPORT_TEXT_BYTES / 2];
	const struct named_text *first;
	uint32_t n = join(r, false, names, sizeof(names), &first);

	if (n == 1)
		return ADD("",
			   "The kernel reports the CPU as vulnerable to %s (%s): numbers may be "
			   "higher than under a default system.",
			   names, first->text);
	return n == 0 ? 0 :
	       ADD("", "The kernel reports the CPU as vulnerable in %u respects (%s): numbers may "
		       "be higher than under a default system.", n, names);
}

/* In a virtual machine the host's microcode counts, and the guest does not see it. */
int find_microcode(struct report *r, const struct finding_rule *rule)
{
	const char *version = r->machine.cpu.microcode;
	char names[REPORT_TEXT_BYTES / 2];
	const struct named_text *first;

	if (!join(r, true, names, sizeof(names), &first))
		return 0;
	return ADD("", "The BIOS loads old microcode%s%s: the kernel wants newer against %s (%s).",
		   *version ? " " : "", version, names, first->text);
}

int find_governor(struct report *r, const struct finding_rule *rule)
{
	const char *governor = r->machine.cpu.governor, *driver = r->machine.cpu.driver;
	/* these choose the frequency themselves; "powersave" is but a hint to them */
	bool is_own = !strcmp(driver, "intel_pstate") || !strncmp(driver, "amd-pstate", 10) ||
		      !strncmp(driver, "amd_pstate", 10);
	enum finding_severity severity = FINDING_INFO;

	if (!*governor || !strcmp(governor, "performance"))
		return 0;
	if ((strstr(governor, "powersave") || strstr(governor, "userspace")) && !is_own)
		severity = FINDING_WARNING;
	return ADD_AS(severity, "", "The processors' governor is %s%s%s, not performance%s.",
		      governor, *driver ? " of " : "", driver,
		      severity == FINDING_WARNING ? ": they may never reach their speed" :
		      ": after idle moments they are slow for a while");
}

int find_boost(struct report *r, const struct finding_rule *rule)
{
	if (r->machine.cpu.boost != TRI_NO)
		return 0;
	return ADD("", "Frequencies above the guaranteed one (boost, turbo) are switched off.");
}

int find_idle_threads(struct report *r, const struct finding_rule *rule)
{
	const struct cpu_info *c = &r->machine.cpu;
	bool is_smt_off = !strcmp(c->smt, "off") || !strcmp(c->smt, "forceoff");

	if (is_smt_off)
		return ADD("", "Simultaneous multithreading (SMT, hyper-threading) is switched "
			       "off: %u threads run on %u cores.", c->threads, c->cores);
	if (c->threads_offline > 0)
		return ADD("", "%u of %u threads are switched off.", c->threads_offline,
			   c->threads_offline + c->threads);
	return 0;
}

int find_allowed_threads(struct report *r, const struct finding_rule *rule)
{
	const struct cpu_info *c = &r->machine.cpu;

	if (!c->threads_allowed || c->threads_allowed >= c->threads)
		return 0;
	return ADD("", "This run may use only %u of the machine's %u threads.", c->threads_allowed,
		   c->threads);
}
