/* SPDX-License-Identifier: MIT */
/* The head of the text report: which run on which machine. Keys as bench.sh prints them. */
#include "bench/report/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/report/units.h"

#define KEY_COLUMNS 20
#define VALUE_COLUMN (KEY_COLUMNS + 3)
#define NICS_KEPT (sizeof(((struct machine_info *)0)->nic) / sizeof(struct nic_info))

static void put_key(struct page *p, const char *key)
{
	page_left(p, KEY_COLUMNS + 1, key);
	if (*key)
		page_wrap(p, 0, ":");
	page_to(p, VALUE_COLUMN);
}

/* An empty value reads "not known". */
__attribute__((format(printf, 3, 4)))
static void put_row(struct page *p, const char *key, const char *fmt, ...)
{
	char value[PAGE_TEXT_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(value, sizeof(value), fmt, args);
	va_end(args);
	put_key(p, key);
	page_wrap(p, VALUE_COLUMN, strspn(value, " ") < strlen(value) ? value : "not known");
	page_end(p);
}

static const char *time_text(char *buf, size_t size, int64_t s)
{
	time_t t = (time_t)s;
	struct tm utc;

	/* years of five digits are no time a server has */
	if (s <= 0 || s >= INT64_C(253402300800) || !gmtime_r(&t, &utc) ||
	    !strftime(buf, size, "%Y-%m-%d %H:%M:%S UTC", &utc))
		snprintf(buf, size, "time not known");
	return buf;
}

static const char *const state_marks[RUN_STATE_COUNT] = {
	[RUN_RUNNING] = "NOT FINISHED: the run went on when this was written,",
	[RUN_COMPLETE] = "Complete",
	[RUN_PARTIAL] = "PARTIAL: ended early",
};

/* What a person wants to know first. */
static const char *verdict_text(char *buf, size_t size, const struct report *r)
{
	size_t critical = 0, warnings = 0;

	for (size_t i = 0; i < r->finding_n; i++) {
		critical += r->finding[i].severity == FINDING_CRITICAL;
		warnings += r->finding[i].severity == FINDING_WARNING;
	}
	if (critical + warnings == 0)
		snprintf(buf, size, "Nothing wrong was seen%s.",
			 r->run.state == RUN_COMPLETE ? "" : " so far");
	else
		snprintf(buf, size, "Findings: %zu critical, %zu warning%s.", critical, warnings,
			 warnings == 1 ? "" : "s");
	return buf;
}

static void put_title(struct page *p, const struct report *r)
{
	const struct run_info *run = &r->run;
	char when[40], verdict[80];

	page_rule(p);
	page_printf(p, 0, "bootmark %s, %s%s",
		    *r->tool.version ? r->tool.version : "(version not known)",
		    time_text(when, sizeof(when), run->started_s),
		    run->clock_trusted ? "" : " (clock not trusted)");
	page_end(p);
	page_printf(p, 0, "%s%s%s%s%s. %s", state_marks[run->state],
		    run->elapsed_ns ? " after " : "",
		    run->elapsed_ns ? units_time(UNITS_BUF, run->elapsed_ns) : "",
		    *run->state_reason ? ": " : "", run->state_reason,
		    verdict_text(verdict, sizeof(verdict), r));
	page_end(p);
	page_rule(p);
}

static void put_cpu(struct page *p, const struct machine_info *m)
{
	put_row(p, "CPU model", "%s", m->cpu.model);
	put_row(p, "Number of cores", "%s%s%s%s",
		m->cpu.cores ? units_count(UNITS_BUF, m->cpu.cores) : "",
		m->cpu.threads ? " (" : "",
		m->cpu.threads ? units_count(UNITS_BUF, m->cpu.threads) : "",
		m->cpu.threads ? " threads)" : "");
}

static void put_disk_total(struct page *p, const struct report *r)
{
	const struct disk_list *disks = &r->disks;
	uint64_t total = 0;
	size_t taken = 0;

	for (size_t i = 0; i < disks->n; i++)
		if (disks->disk[i].skip == DISK_TAKEN) {
			uint64_t size = disks->disk[i].size_bytes;

			total = size > UINT64_MAX - total ? UINT64_MAX : total + size;
			taken++;
		}
	if (disks->n == 0 && r->run.state != RUN_COMPLETE)
		put_row(p, "Total size of Disk", "%s", "");
	else if (taken)
		put_row(p, "Total size of Disk", "%s (%zu disk%s, %zu device%s left alone)",
			units_bytes(UNITS_BUF, total), taken, taken == 1 ? "" : "s",
			disks->n - taken, disks->n - taken == 1 ? "" : "s");
	else
		put_row(p, "Total size of Disk", "no disk (%zu device%s left alone)", disks->n,
			disks->n == 1 ? "" : "s");
}

static void put_uptime(struct page *p, uint64_t s)
{
	if (s == 0)
		put_row(p, "System uptime", "%s", "");
	else
		put_row(p, "System uptime", "%" PRIu64 " days, %" PRIu64 " hour %" PRIu64 " min",
			s / 86400, s / 3600 % 24, s / 60 % 60);
}

static void put_nics(struct page *p, const struct machine_info *m)
{
	if (m->nic_n == 0) {
		/* a machine always has an architecture: without it nothing was looked at */
		put_row(p, "Network", "%s", *m->arch ? "no interface" : "");
		return;
	}
	for (uint32_t i = 0; i < m->nic_n && i < NICS_KEPT; i++) {
		const struct nic_info *nic = &m->nic[i];

		put_row(p, i ? "" : "Network", "%s: %s%s%s%s%s%s", nic->name,
			!nic->carrier ? "no link"
			: nic->speed_mbit_per_s > 0
				? units_link(UNITS_BUF, (uint32_t)nic->speed_mbit_per_s)
				: "link, speed not known",
			*nic->driver ? " (" : "", nic->driver, *nic->driver ? ")" : "",
			*nic->mac ? " " : "", nic->mac);
	}
	if (m->nic_n > NICS_KEPT)
		put_row(p, "", "and %zu more", (size_t)m->nic_n - NICS_KEPT);
}

void text_put_head(struct page *p, const struct report *r)
{
	const struct machine_info *m = &r->machine;
	const struct tool_info *tool = &r->tool;

	put_title(p, r);
	if (*r->run.label)
		put_row(p, "Label", "%s", r->run.label);
	put_row(p, "Machine", "%s %s%s%s", m->vendor, m->product, *m->serial ? ", serial " : "",
		m->serial);
	put_row(p, "Board", "%s %s %s", m->board.vendor, m->board.name, m->board.version);
	put_row(p, "BIOS", "%s %s %s", m->bios.vendor, m->bios.version, m->bios.date);
	put_cpu(p, m);
	put_disk_total(p, r);
	put_row(p, "Total amount of Mem", "%s", m->memory_bytes ?
		units_bytes_binary(UNITS_BUF, m->memory_bytes) : "");
	put_uptime(p, m->uptime_s);
	put_row(p, "Arch", "%s%s", m->arch, strstr(m->arch, "64") ? " (64 Bit)" : "");
	put_row(p, "Kernel", "%s", tool->kernel);
	put_row(p, "Virtualization", "%s", m->virtualisation);
	put_row(p, "Clock source", "%s", r->run.clocksource);
	put_nics(p, m);
	put_row(p, "Profile", "%s", r->run.profile);
	if (tool->has_engine_iops)
		put_row(p, "I/O engine", "%s; one CPU without any disk: %s", tool->engine,
			units_iops(UNITS_BUF, tool->engine_iops));
	else
		put_row(p, "I/O engine", "%s", tool->engine);
	page_rule(p);
}
