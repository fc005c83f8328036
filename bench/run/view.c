/* SPDX-License-Identifier: MIT */
/* What a person sees while the run goes on. */
#include "bench/run/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/consent/consent.h"
#include "bench/report/page.h"
#include "bench/report/plan_text.h"
#include "bench/report/units.h"
#include "lib/clock.h"

#define HEAD_FORMAT "[%*zu/%zu] %-9.20s %-31.31s"

void view_init(struct view *v, FILE *out)
{
	memset(v, 0, sizeof(*v));
	v->out = out;
	v->is_terminal = isatty(fileno(out));
}

/* Digits of the total, so that the counters stand below each other. */
static int width(size_t n)
{
	int digits = 1;

	while (n >= 10) {
		n /= 10;
		digits++;
	}
	return digits;
}

static void print_left_alone(const struct view *v, const struct disk *d)
{
	struct page page = { 0 };
	size_t len;
	char *text;

	page_printf(&page, 5, "left alone %s: %s%s%s", d->name, disk_skip_table[d->skip].sentence,
		    d->skip_detail[0] ? ": " : "", d->skip_detail);
	page_end(&page);
	text = page_take(&page, &len);
	fputs(text ? text : "", v->out);
	free(text);
}

static void print_note(const struct view *v, const char *note)
{
	struct page page = { 0 };
	size_t len;
	char *text;

	page_wrap(&page, 2, note);
	page_end(&page);
	text = page_take(&page, &len);
	fputs(text ? text : "", v->out);
	free(text);
}

void view_plan(struct view *v, const struct plan *p, const struct disk_list *disks,
	       size_t first_disk, bool late, const struct options *o)
{
	size_t taken = 0, runnable = plan_text_tests(p);
	char time[UNITS_BYTES];

	v->total += runnable;
	for (size_t i = first_disk; i < disks->n; i++) {
		const struct disk *d = &disks->disk[i];
		char size[UNITS_BYTES];

		if (d->skip == DISK_TAKEN) {
			taken++;
			fprintf(v->out, "disk %-10.20s %s  %.50s\n", d->name,
				units_bytes(size, sizeof(size), d->size_bytes), d->model);
		} else if (d->skip != DISK_NOT_ASKED && !disk_skip_table[d->skip].overridden) {
			print_left_alone(v, d);
		}
	}
	fprintf(v->out, "%s: %zu disk%s, %zu test%s, about %s\n",
		late ? "late disks" : options_text(o, OPT_ID_PROFILE), taken,
		taken == 1 ? "" : "s", runnable, runnable == 1 ? "" : "s",
		units_time(time, sizeof(time), p->total_ns));
	for (uint32_t i = 0; i < p->note_n; i++)
		print_note(v, p->note[i]);
	fflush(v->out);
}

void view_health(const struct view *v, size_t disks, bool at_end)
{
	if (disks == 0)
		return;
	fprintf(v->out, "health: asking %zu disk%s%s\n", disks, disks == 1 ? "" : "s",
		at_end ? " once more" : "");
	fflush(v->out);
}

void view_destroy(const struct view *v, const struct disk *d)
{
	char said[DISK_PATH_BYTES + DISK_TEXT_BYTES], text[sizeof(said) + DISK_NAME_BYTES + 2];

	consent_say(d, said, sizeof(said));
	snprintf(text, sizeof(text), "%s: %s", d->name, said);
	print_note(v, text);
}

void view_countdown(const struct view *v, unsigned left_s)
{
	fprintf(v->out, "%sdisks are overwritten in %u s: stop the run now to keep their data%s",
		v->is_terminal ? "\r" : "", left_s,
		v->is_terminal && left_s > 1 ? "\033[K" : "\n");
	fflush(v->out);
}

static struct view_running *find_running(struct view *v, size_t entry)
{
	for (size_t i = 0; i < v->running_n; i++)
		if (v->running[i].entry == entry)
			return &v->running[i];
	return NULL;
}

/* The moving line of a terminal: the test that runs, or what several do together. */
static void draw(const struct view *v)
{
	const struct view_running *one = &v->running[0];
	size_t n = v->running_n, used;
	char line[80], rate[UNITS_BYTES] = "", left[UNITS_BYTES];
	uint64_t left_ns = 0;

	if (!v->is_terminal || n == 0)
		return;
	if (n == 1) {
		if (one->last_ns == 0) {
			fprintf(v->out, "\r%s\033[K", one->head);
			return;
		}
		if (one->rate >= 0)
			units_rate(rate, sizeof(rate), one->rate);
		units_time(left, sizeof(left), one->left_ns / NS_PER_S * NS_PER_S);
		fprintf(v->out, "\r%s %9s  %s left \033[K", one->head, rate, left);
		return;
	}
	used = (size_t)snprintf(line, sizeof(line), "[%zu/%zu] %zu at once:", v->done, v->total,
				n);
	for (size_t i = 0; i < n; i++) {
		const struct view_running *r = &v->running[i];
		char part[80];
		int len;

		if (r->left_ns > left_ns)
			left_ns = r->left_ns;
		if (r->rate >= 0)
			units_rate(rate, sizeof(rate), r->rate);
		len = snprintf(part, sizeof(part), " %s%s%s", r->target, r->rate >= 0 ? " " : "",
			       r->rate >= 0 ? rate : "");
		if (used + (size_t)len < 62)
			used += (size_t)snprintf(line + used, sizeof(line) - used, "%s", part);
	}
	units_time(left, sizeof(left), left_ns / NS_PER_S * NS_PER_S);
	fprintf(v->out, "\r%s  %s left \033[K", line, left);
}

/* What is about no disk and has no target of its own is told by its phase: "machine". */
static const char *target_of(const struct result *r)
{
	return r->target[0] ? r->target : r->phase;
}

void view_started(struct view *v, size_t entry, const struct result *r, const char *title)
{
	struct view_running spare, *at = &spare;

	if (v->running_n < VIEW_RUNNING_MAX)
		at = &v->running[v->running_n++];
	memset(at, 0, sizeof(*at));
	at->entry = entry;
	at->number = ++v->done;
	at->rate = -1;
	snprintf(at->target, sizeof(at->target), "%.20s", target_of(r));
	snprintf(at->head, sizeof(at->head), HEAD_FORMAT, width(v->total), at->number, v->total,
		 at->target, title);
	/* on a pipe or serial line a whole line now, so that a hang shows what hangs */
	if (!v->is_terminal)
		fprintf(v->out, "%s ...\n", at->head);
	draw(v);
	fflush(v->out);
}

void view_progress(struct view *v, size_t entry, uint64_t budget_ns, uint64_t elapsed_ns,
		   uint64_t bytes)
{
	struct view_running *r = find_running(v, entry);

	if (!r || elapsed_ns <= r->last_ns || bytes < r->last_bytes)
		return;
	if (bytes > 0)
		r->rate = (double)(bytes - r->last_bytes) /
			  ((double)(elapsed_ns - r->last_ns) / 1e9);
	r->left_ns = budget_ns > elapsed_ns ? budget_ns - elapsed_ns : 0;
	r->last_ns = elapsed_ns;
	r->last_bytes = bytes;
	draw(v);
	fflush(v->out);
}

/* Forgets a test that has ended. Its line's head goes to `head`; "" where it never began. */
static void forget(struct view *v, size_t entry, char head[80])
{
	struct view_running *r = find_running(v, entry);

	*head = '\0';
	if (!r)
		return;
	memcpy(head, r->head, sizeof(r->head));
	*r = v->running[--v->running_n];
}

/* Of what is about no disk: that of all threads, the way down, or the first that measures. */
static const struct metric *other_number(const struct result *r)
{
	const struct metric *m = result_find(r, "all");

	if (!m)
		m = result_find(r, "download");
	for (uint32_t i = 0; !m && i < r->metric_n; i++)
		if (r->metric[i].unit != UNIT_COUNT && r->metric[i].unit != UNIT_PERCENT)
			m = &r->metric[i];
	return r->has_io ? NULL : m;
}

/*
 * The number a person compares: rate for large blocks, IOPS and median latency for small ones, and
 * of what is about no disk its own.
 */
static void format_result(const struct result *r, char *text, size_t size)
{
	const struct metric *rate = result_find(r, "throughput"), *iops = result_find(r, "iops");
	const struct metric *p50 = result_find(r, "lat_p50"), *other = other_number(r);
	char a[UNITS_BYTES], b[UNITS_BYTES];

	if (r->block_bytes >= 65536 && rate)
		snprintf(text, size, "%s", units_rate(a, sizeof(a), rate->value));
	else if (iops && p50)
		snprintf(text, size, "%s, median %s", units_iops(a, sizeof(a), iops->value),
			 units_time(b, sizeof(b), (uint64_t)p50->value));
	else if (iops)
		snprintf(text, size, "%s", units_iops(a, sizeof(a), iops->value));
	else if (other && other->unit == UNIT_BYTES && other->value >= 0 && other->value < 1e18)
		snprintf(text, size, "%s",
			 units_bytes_binary(a, sizeof(a), (uint64_t)other->value));
	else if (other)
		units_metric(text, size, other->unit, other->value);
	else
		snprintf(text, size, "ok");
}

/* A status and its reason, however long, below or behind the line it belongs to. */
static void print_reason(const struct view *v, const char *head, const struct result *r)
{
	struct page page = { 0 };
	size_t len;
	char *text;

	page_printf(&page, 4, "%s%s%s: %s", head, *head ? " " : "", result_status_words[r->status],
		    r->reason);
	page_end(&page);
	text = page_take(&page, &len);
	fprintf(v->out, "%s%s", v->is_terminal ? "\r\033[K" : "", text ? text : r->reason);
	free(text);
}

void view_ended(struct view *v, size_t entry, const struct result *r, const char *title)
{
	char text[80], head[80];

	forget(v, entry, head);
	if (*head && r->status == RESULT_OK) {
		format_result(r, text, sizeof(text));
		fprintf(v->out, "%s%s %s%s\n", v->is_terminal ? "\r" : "", head, text,
			v->is_terminal ? "\033[K" : "");
		if (r->reason[0])
			print_reason(v, "   ", r);
	} else if (!*head || r->status == RESULT_UNSUPPORTED) {
		snprintf(text, sizeof(text), "%.20s %s:", target_of(r), title);
		print_reason(v, text, r);
	} else {
		print_reason(v, head, r);
	}
	draw(v);
	fflush(v->out);
}

void view_finish(struct view *v, const struct report *r, const char *dir, int save_err)
{
	size_t count[FINDING_SEVERITY_COUNT] = { 0 };

	for (size_t i = 0; i < r->finding_n; i++)
		count[r->finding[i].severity]++;
	fprintf(v->out, "findings: %zu critical, %zu warning%s\n", count[FINDING_CRITICAL],
		count[FINDING_WARNING], count[FINDING_WARNING] == 1 ? "" : "s");
	if (!save_err)
		fprintf(v->out, "report: %s/report.txt and %s/report.json\n", dir, dir);
	fflush(v->out);
}
