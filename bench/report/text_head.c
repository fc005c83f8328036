/* SPDX-License-Identifier: MIT */
/* The head of the text report: which run on which machine. Keys as bench.sh prints them. */
#include "bench/report/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/report/text_row.h"
#include "bench/report/units.h"

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
	[RUN_IMPORTED] = "Read from pasted text",
};

/* What a person wants to know first. */
const char *text_verdict(char *buf, size_t size, const struct report *r)
{
	size_t critical = 0, warnings = 0;

	for (size_t i = 0; i < r->finding_n; i++) {
		critical += r->finding[i].severity == FINDING_CRITICAL;
		warnings += r->finding[i].severity == FINDING_WARNING;
	}
	if (r->run.state == RUN_IMPORTED)
		snprintf(buf, size, "Nothing of it was judged.");
	else if (critical + warnings == 0)
		snprintf(buf, size, "Nothing wrong was seen%s.",
			 r->run.state == RUN_COMPLETE ? "" : " so far");
	else
		snprintf(buf, size, "Findings: %zu critical, %zu warning%s.", critical, warnings,
			 warnings == 1 ? "" : "s");
	return buf;
}

const char *text_outcome(char *buf, size_t size, const struct report *r)
{
	const struct run_info *run = &r->run;
	char verdict[80];

	snprintf(buf, size, "%s%s%s%s%s. %s", state_marks[run->state],
		 run->elapsed_ns ? " after " : "",
		 run->elapsed_ns ? units_time(UNITS_BUF, run->elapsed_ns) : "",
		 *run->state_reason ? ": " : "", run->state_reason,
		 text_verdict(verdict, sizeof(verdict), r));
	return buf;
}

void text_put_title(struct page *p, const struct report *r)
{
	const struct run_info *run = &r->run;
	char when[40], outcome[RESULT_REASON_BYTES + 160];

	page_rule(p);
	page_printf(p, 0, "bootmark %s, %s%s",
		    *r->tool.version ? r->tool.version : "(version not known)",
		    time_text(when, sizeof(when), run->started_s),
		    run->clock_trusted ? "" : " (clock not trusted)");
	page_end(p);
	page_wrap(p, 0, text_outcome(outcome, sizeof(outcome), r));
	page_end(p);
	page_rule(p);
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
		text_row(p, "Total size of Disk", "%s", "");
	else if (taken)
		text_row(p, "Total size of Disk", "%s (%zu disk%s, %zu device%s left alone)",
			units_bytes(UNITS_BUF, total), taken, taken == 1 ? "" : "s",
			disks->n - taken, disks->n - taken == 1 ? "" : "s");
	else
		text_row(p, "Total size of Disk", "no disk (%zu device%s left alone)", disks->n,
			disks->n == 1 ? "" : "s");
}

static void put_uptime(struct page *p, uint64_t s)
{
	if (s == 0)
		text_row(p, "System uptime", "%s", "");
	else
		text_row(p, "System uptime", "%" PRIu64 " days, %" PRIu64 " hour %" PRIu64 " min",
			s / 86400, s / 3600 % 24, s / 60 % 60);
}

/* "eth0: 1 Gb/s of 10 Gb/s, full duplex (ixgbe) 02:00:5e:10:00:01, Intel X550" */
static void put_nic(struct page *p, const char *key, const struct nic_info *nic)
{
	char text[PAGE_TEXT_BYTES] = "";

	text_row_join(text, "", "%s: %s", nic->name, !nic->carrier ? "no link"
		      : nic->speed_mbit_per_s > 0
			      ? units_link(UNITS_BUF, (uint32_t)nic->speed_mbit_per_s)
			      : "link, speed not known");
	if (nic->max_mbit_per_s > 0 && nic->max_mbit_per_s != nic->speed_mbit_per_s)
		text_row_join(text, nic->carrier ? " of " : ", can do ", "%s",
			      units_link(UNITS_BUF, (uint32_t)nic->max_mbit_per_s));
	if (nic->carrier && *nic->duplex)
		text_row_join(text, ", ", "%s duplex", nic->duplex);
	if (*nic->driver)
		text_row_join(text, " ", "(%s)", nic->driver);
	if (*nic->mac)
		text_row_join(text, " ", "%s", nic->mac);
	if (*nic->model)
		text_row_join(text, ", ", "%s", nic->model);
	if (*nic->lldp_system || *nic->lldp_port)
		text_row_join(text, ", ", "at %s port %s",
			      *nic->lldp_system ? nic->lldp_system : "a switch",
			      *nic->lldp_port ? nic->lldp_port : "not known");
	text_row(p, key, "%s", text);
}

static void put_nics(struct page *p, const struct machine_info *m)
{
	if (m->nic_n == 0) {
		/* a machine always has an architecture: without it nothing was looked at */
		text_row(p, "Network", "%s", *m->arch ? "no interface" : "");
		return;
	}
	for (uint32_t i = 0; i < REPORT_KEPT(m->nic_n, m->nic); i++)
		put_nic(p, i ? "" : "Network", &m->nic[i]);
	if (m->nic_n > REPORT_KEPT(m->nic_n, m->nic))
		text_row(p, "", "and %zu more", m->nic_n - REPORT_KEPT(m->nic_n, m->nic));
}

void text_put_head(struct page *p, const struct report *r)
{
	const struct machine_info *m = &r->machine;
	const struct tool_info *tool = &r->tool;

	if (*r->run.label)
		text_row(p, "Label", "%s", r->run.label);
	text_row(p, "Machine", "%s %s%s%s%s%s", m->vendor, m->product, *m->version ? " " : "",
		 m->version, *m->serial ? ", serial " : "", m->serial);
	text_row(p, "Board", "%s %s%s%s%s%s", m->board.vendor, m->board.name,
		 *m->board.version ? ", revision " : "", m->board.version,
		 *m->board.serial ? ", serial " : "", m->board.serial);
	text_row(p, "BIOS", "%s %s %s%s%s%s", m->bios.vendor, m->bios.version, m->bios.date,
		 *m->bios.boot ? " (booted by " : "", m->bios.boot, *m->bios.boot ? ")" : "");
	text_put_processors(p, m);
	put_disk_total(p, r);
	text_put_memory(p, m);
	put_uptime(p, m->uptime_s);
	text_row_known(p, "Load average", m->load);
	text_row(p, "Arch", "%s%s", m->arch, strstr(m->arch, "64") ? " (64 Bit)" : "");
	text_row(p, "Kernel", "%s", tool->kernel);
	text_row(p, "Virtualization", "%s", m->virtualisation);
	text_row(p, "Clock source", "%s", r->run.clocksource);
	put_nics(p, m);
	text_put_devices(p, m);
	text_row(p, "Profile", "%s", r->run.profile);
	if (tool->has_engine_iops)
		text_row(p, "I/O engine", "%s; one CPU without any disk: %s", tool->engine,
			units_iops(UNITS_BUF, tool->engine_iops));
	else
		text_row(p, "I/O engine", "%s", tool->engine);
	page_rule(p);
}
