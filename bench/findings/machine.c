/* SPDX-License-Identifier: MIT */
/* Finding rules over the run and the machine. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bench/findings/look.h"
#include "bench/findings/rules.h"
#include "lib/text.h"

int find_partial(struct report *r, const struct finding_rule *rule)
{
	size_t left = 0;

	if (r->run.state != RUN_PARTIAL)
		return 0;
	for (size_t i = 0; i < r->result_n; i++)
		left += r->result[i].status != RESULT_OK;
	return ADD("", "The run ended early: %s. %zu of %zu tests have a result.",
		   *r->run.state_reason ? r->run.state_reason : "no reason is known",
		   r->result_n - left, r->result_n);
}

/*
 * Clock sources that are read without leaving user space. Any other costs a system call or a device
 * access for each reading and lowers the IOPS of a fast disk.
 */
int find_clocksource(struct report *r, const struct finding_rule *rule)
{
	static const char *const fast[] = {
		"", "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter",
	};

	for (size_t i = 0; i < sizeof(fast) / sizeof(fast[0]); i++)
		if (!strcmp(r->run.clocksource, fast[i]))
			return 0;
	return ADD("",
		   "The kernel keeps time with %s, not tsc: reading the clock is slow, and IOPS of "
		   "fast disks and small latencies suffer.",
		   r->run.clocksource);
}

int find_option(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (size_t i = 0; i < r->note_n && !err; i++)
		if (!strcmp(r->note[i].name, REPORT_NOTE_OPTION))
			err = ADD("", "Option not taken as given: %s", r->note[i].text);
	return err;
}

int find_virtual(struct report *r, const struct finding_rule *rule)
{
	const char *what = r->machine.virtualisation;

	if (look_is_metal(r))
		return 0;
	return ADD("",
		   "This is a virtual machine (%s): disks and clock are the hypervisor's, not bare "
		   "metal.",
		   what);
}

int find_clock(struct report *r, const struct finding_rule *rule)
{
	if (r->run.clock_trusted || !r->run.started_s)
		return 0;
	return ADD("",
		   "Date and time of this report are not to be trusted%s%s. Durations are: they "
		   "come from another clock.",
		   *r->run.clock_note ? ": " : "", r->run.clock_note);
}

static bool has_word(const char *text, const char *const *words, size_t n)
{
	char lower[64];
	size_t len = text_copy(lower, sizeof(lower), text);

	for (size_t i = 0; i < len && lower[i]; i++)
		lower[i] = (char)tolower((unsigned char)lower[i]);
	for (size_t i = 0; i < n; i++)
		if (strstr(lower, words[i]))
			return true;
	return false;
}

static uint32_t count_words(const char *text)
{
	uint32_t n = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		text += strcspn(text, " ");
		n++;
	}
	return n;
}

/* Volumes that lack a member, as their owner says or as the members that are there show. */
int find_array(struct report *r, const struct finding_rule *rule)
{
	static const char *const dead[] = { "fail", "offline", "broken", "lost", "faulted" };
	static const char *const hurt[] = { "degraded", "partial", "missing", "faulty", "rebuild",
					    "recover" };
	int err = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(r->machine.arrays_n, r->machine.arrays) && !err; i++) {
		const struct storage_array *a = &r->machine.arrays[i];
		uint32_t members = count_words(a->members);
		bool is_dead = has_word(a->state, dead, sizeof(dead) / sizeof(dead[0]));
		/* a list of members that was cut says nothing of their number */
		bool lacks = a->members_wanted > 0 && members > 0 && members < a->members_wanted &&
			     strlen(a->members) < sizeof(a->members) - 64;

		if (!is_dead && !lacks && !has_word(a->state, hurt, sizeof(hurt) / sizeof(hurt[0])))
			continue;
		err = ADD_AS(is_dead ? FINDING_CRITICAL : FINDING_WARNING, a->name,
			     "%s (%s%s%s) is not whole: state %s; members %s.", a->name, a->kind,
			     *a->level ? " " : "", a->level, *a->state ? a->state : "not known",
			     *a->members ? a->members : "not known");
	}
	return err;
}

static const char *value_text(char *buf, size_t size, enum metric_unit unit, double value)
{
	static const char *const units[UNIT_UNITS] = {
		[UNIT_CELSIUS] = " degrees Celsius", [UNIT_VOLTS] = " V", [UNIT_RPM] = " rpm",
		[UNIT_WATTS] = " W", [UNIT_AMPERES] = " A",
	};

	snprintf(buf, size, "%.*f%s", unit == UNIT_VOLTS ? 2 : 0, value,
		 units[unit] ? units[unit] : "");
	return buf;
}
#define VALUE_BUF (char[48]){ 0 }, 48

int find_sensor(struct report *r, const struct finding_rule *rule)
{
	const struct machine_info *m = &r->machine;
	int err = 0;

	for (size_t i = 0; i < REPORT_KEPT(m->sensors_n, m->sensors) && !err; i++) {
		const struct sensor *s = &m->sensors[i];
		bool is_critical = s->unit == UNIT_CELSIUS && s->has_value && s->has_critical &&
				   s->critical > 0 && s->value >= s->critical;

		if (!s->alarm && !is_critical)
			continue;
		err = ADD_AS(is_critical ? FINDING_CRITICAL : FINDING_WARNING, "",
			     "Sensor %s%s%s %s%s%s.", s->chip, *s->label ? " " : "", s->label,
			     is_critical ? "is at its critical limit" : "raises an alarm",
			     s->has_value ? ": " : "",
			     s->has_value ? value_text(VALUE_BUF, s->unit, s->value) : "");
	}
	return err;
}
