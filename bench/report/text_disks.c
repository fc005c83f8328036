/* SPDX-License-Identifier: MIT */
/* The disks of the text report: the answer on one screen, and why other devices were left alone. */
#include "bench/report/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bench/report/units.h"

#define NAME_COLUMNS 10
#define SIZE_COLUMNS 8
#define TYPE_COLUMNS 11
#define MODEL_COLUMNS 22
#define SPEED_COLUMNS 10
#define IOPS_COLUMNS 9
#define ALONE_COLUMN 12

/*
 * Transport as people write it, and the medium where the kernel can know it: not behind a
 * controller or hypervisor that shows a disk of its own.
 */
static const char *type_text(char *buf, size_t size, const struct disk *d)
{
	static const char *const physical[] = { "NVMe", "SATA", "ATA", "SAS", "SCSI", "USB" };
	const char *medium = d->rotational == DISK_ROTATING ? " HDD" :
			     d->rotational == DISK_SOLID ? " SSD" : "";

	for (size_t i = 0; i < sizeof(physical) / sizeof(physical[0]); i++)
		if (!strcasecmp(physical[i], d->transport)) {
			snprintf(buf, size, "%s%s", physical[i], medium);
			return buf;
		}
	return d->transport;
}

/*
 * Best value of a metric over the disk's own reads in one order, or NULL. A number with a mark is
 * taken only where there is no other (*marked).
 */
static const struct metric *best(const struct report *r, const char *disk, const char *order,
				 const char *name, bool *marked)
{
	const struct metric *found = NULL;

	*marked = true;
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];
		const struct metric *m = result_find(t, name);
		bool is_marked = t->mark_n > 0;

		/* the tools' own tests have lines of their own, some of them from a cache */
		if (!m || t->status != RESULT_OK || strcmp(t->target, disk) || *t->family ||
		    strcmp(t->order, order) || strcmp(t->access, "read") ||
		    result_is_together(t) || (is_marked && !*marked))
			continue;
		if (!found || (*marked && !is_marked) || m->value > found->value)
			found = m;
		*marked = *marked && is_marked;
	}
	return found;
}

/* What was found on the disk itself: the worst of it. FINDING_INFO: nothing. */
static enum finding_severity worst_of(const struct report *r, const char *disk)
{
	enum finding_severity worst = FINDING_INFO;

	for (size_t i = 0; i < r->finding_n; i++)
		if (!strcmp(r->finding[i].target, disk) && r->finding[i].severity < worst)
			worst = r->finding[i].severity;
	return worst;
}

/* The worst that is known of the disk and happened to its tests, in one word. */
const char *text_disk_state(const struct report *r, const char *disk)
{
	size_t tests = 0, ok = 0, failed = 0, open = 0;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (strcmp(t->target, disk))
			continue;
		tests++;
		ok += t->status == RESULT_OK;
		failed += t->status == RESULT_FAILED || t->status == RESULT_TIMEOUT;
		open += t->status == RESULT_PLANNED || t->status == RESULT_RUNNING;
		failed += t->has_io && t->io.error_ios + t->io.short_ios + t->io.zero_ios > 0;
	}
	if (failed || worst_of(r, disk) == FINDING_CRITICAL)
		return "FAILED";
	if (worst_of(r, disk) == FINDING_WARNING)
		return "warn";
	if (open)
		return "open";
	/* tests left out by choice or for lack of consent are no flaw of the disk */
	return ok == 0 ? "not run" : ok < tests && r->run.state != RUN_COMPLETE ? "in part" : "ok";
}

/* Why its state is what it is: the rules that speak of it, each once. */
static void put_rules(struct page *p, const struct report *r, const char *disk)
{
	bool has_title = false;

	for (size_t i = 0; i < r->finding_n; i++) {
		const struct finding *f = &r->finding[i];
		size_t k = 0;

		if (strcmp(f->target, disk) || f->severity == FINDING_INFO)
			continue;
		while (k < i && (strcmp(r->finding[k].rule, f->rule) ||
				 strcmp(r->finding[k].target, disk) ||
				 r->finding[k].severity == FINDING_INFO))
			k++;
		if (k < i)
			continue;
		page_to(p, NAME_COLUMNS);
		page_printf(p, NAME_COLUMNS + 2, "%s%s", has_title ? ", " : "see findings: ",
			    f->rule);
		has_title = true;
	}
	if (has_title)
		page_end(p);
}

static void put_holds(struct page *p, const struct report *r, const char *disk)
{
	char text[PAGE_TEXT_BYTES];

	if (!*text_holds(text, &r->machine, disk))
		return;
	page_to(p, NAME_COLUMNS);
	page_printf(p, NAME_COLUMNS + 2, "holds: %s", text);
	page_end(p);
}

static void put_disk(struct page *p, const struct report *r, const struct disk *d)
{
	bool doubtful, doubtful_iops;
	const struct metric *speed = best(r, d->name, "sequential", "throughput", &doubtful);
	const struct metric *iops = best(r, d->name, "random", "iops", &doubtful_iops);
	char type[40], number[UNITS_BYTES + 1];

	if (page_width(d->name) < NAME_COLUMNS) {
		page_left(p, NAME_COLUMNS - 1, d->name);
	} else {
		page_wrap(p, 0, d->name);
		page_end(p);
		page_to(p, NAME_COLUMNS - 1);
	}
	page_right(p, SIZE_COLUMNS, units_bytes(UNITS_BUF, d->size_bytes));
	page_to(p, p->column + 1);
	page_left(p, TYPE_COLUMNS - 1, type_text(type, sizeof(type), d));
	page_to(p, p->column + 1);
	page_left(p, MODEL_COLUMNS - 1, *d->model ? d->model : "model not known");
	if (speed) {
		units_rate(number, sizeof(number) - 1, speed->value);
		strcat(number, doubtful ? "!" : "");
	}
	page_right(p, SPEED_COLUMNS, speed ? number : "-");
	if (iops) {
		units_iops(number, sizeof(number) - 1, iops->value);
		*strstr(number, " IOPS") = '\0';
		strcat(number, doubtful_iops ? "!" : "");
	}
	page_right(p, IOPS_COLUMNS, iops ? number : "-");
	page_to(p, p->column + 1);
	page_wrap(p, 0, text_disk_state(r, d->name));
	page_end(p);
	put_rules(p, r, d->name);
	put_holds(p, r, d->name);
}

static bool is_alike(const struct disk *a, const struct disk *b)
{
	return a->skip == b->skip && !strcmp(a->skip_detail, b->skip_detail);
}

/* Devices with the same reason share a line: `i` is the first of them, or was told already. */
static void put_alone(struct page *p, const struct disk_list *disks, size_t i)
{
	const struct disk *d = &disks->disk[i];

	for (size_t k = 0; k < i; k++)
		if (is_alike(&disks->disk[k], d))
			return;
	page_to(p, 2);
	page_wrap(p, 2, d->name);
	for (size_t k = i + 1; k < disks->n; k++)
		if (is_alike(&disks->disk[k], d)) {
			page_to(p, p->column + 1);
			page_wrap(p, 2, disks->disk[k].name);
		}
	if (p->column >= ALONE_COLUMN) {
		page_wrap(p, 2, ":");
		page_to(p, p->column + 1);
	}
	page_to(p, ALONE_COLUMN);
	page_printf(p, ALONE_COLUMN, "%s%s%s", disk_skip_table[d->skip].sentence,
		    *d->skip_detail ? ": " : "", d->skip_detail);
	page_end(p);
}

void text_put_disks(struct page *p, const struct report *r)
{
	size_t alone = 0;

	for (size_t i = 0; i < r->disks.n; i++)
		alone += r->disks.disk[i].skip != DISK_TAKEN;
	if (r->disks.n > alone) {
		page_left(p, NAME_COLUMNS - 1, "DISK");
		page_right(p, SIZE_COLUMNS, "size");
		page_to(p, p->column + 1);
		page_left(p, TYPE_COLUMNS, "type");
		page_left(p, MODEL_COLUMNS - 1, "model");
		page_right(p, SPEED_COLUMNS, "seq read");
		page_right(p, IOPS_COLUMNS, "IOPS");
		page_to(p, p->column + 1);
		page_wrap(p, 0, "state");
		page_end(p);
	}
	for (size_t i = 0; i < r->disks.n; i++)
		if (r->disks.disk[i].skip == DISK_TAKEN)
			put_disk(p, r, &r->disks.disk[i]);
	if (alone) {
		page_wrap(p, 0, "Left alone:");
		page_end(p);
	}
	for (size_t i = 0; i < r->disks.n; i++)
		if (r->disks.disk[i].skip != DISK_TAKEN)
			put_alone(p, &r->disks, i);
	if (r->disks.n == 0) {
		page_wrap(p, 0, "No block device is known to this report.");
		page_end(p);
	}
	page_rule(p);
}
