/* SPDX-License-Identifier: MIT */
/* The report as a container: its lists, its id, and its end. */
#include "bench/model/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/model/fields.h"
#include "lib/text.h"

const char *const run_state_words[RUN_STATE_COUNT] = {
	[RUN_RUNNING] = "running",
	[RUN_COMPLETE] = "complete",
	[RUN_PARTIAL] = "partial",
	[RUN_IMPORTED] = "imported",
};

const char *const finding_severity_words[FINDING_SEVERITY_COUNT] = {
	[FINDING_CRITICAL] = "critical",
	[FINDING_WARNING] = "warning",
	[FINDING_INFO] = "info",
};

void report_init(struct report *r)
{
	memset(r, 0, sizeof(*r));
	fields_init(&fields_report, r);
}

void report_free(struct report *r)
{
	disk_list_free(&r->disks);
	for (size_t i = 0; i < r->health_n; i++)
		free(r->health[i].raw);
	free(r->health);
	free(r->result);
	free(r->finding);
	free(r->shared_limit);
	free(r->option);
	free(r->note);
	free(r->kernel_log);
	free(r->secret);
	report_init(r);
}

/* Makes room for one more element of `size` bytes at *list. Returns 0 or -ENOMEM. */
static int grow(void *list, size_t n, size_t *room, size_t size)
{
	void **at = list;
	size_t want = *room ? 2 * *room : 8;
	void *more;

	if (n < *room)
		return 0;
	more = reallocarray(*at, want, size);
	if (!more)
		return -ENOMEM;
	*at = more;
	*room = want;
	return 0;
}

int report_add_result(struct report *r, const struct result *result)
{
	int err = grow(&r->result, r->result_n, &r->result_room, sizeof(*r->result));

	if (!err)
		r->result[r->result_n++] = *result;
	return err;
}

int report_add_health(struct report *r, const struct health *health)
{
	int err = grow(&r->health, r->health_n, &r->health_room, sizeof(*r->health));

	if (err)
		free(health->raw);
	else
		r->health[r->health_n++] = *health;
	return err;
}

int report_add_shared_limit(struct report *r, const struct shared_limit *limit)
{
	int err = grow(&r->shared_limit, r->shared_limit_n, &r->shared_limit_room,
		       sizeof(*r->shared_limit));

	if (!err)
		r->shared_limit[r->shared_limit_n++] = *limit;
	return err;
}

int report_add_option(struct report *r, const char *name, const char *text)
{
	int err = grow(&r->option, r->option_n, &r->option_room, sizeof(*r->option));
	struct named_text *o;

	if (err)
		return err;
	o = &r->option[r->option_n++];
	text_clean_str(o->name, sizeof(o->name), name);
	text_clean_str(o->text, sizeof(o->text), text);
	return 0;
}

/* Prints into `to` (`size` bytes) and cleans what came out. */
__attribute__((format(printf, 3, 0)))
static void print_clean(char *to, size_t size, const char *fmt, va_list args)
{
	char text[2 * REPORT_TEXT_BYTES];

	vsnprintf(text, sizeof(text), fmt, args);
	text_clean_str(to, size, text);
}

int report_add_note(struct report *r, const char *name, const char *fmt, ...)
{
	int err = grow(&r->note, r->note_n, &r->note_room, sizeof(*r->note));
	struct named_text *note;
	va_list args;

	if (err)
		return err;
	note = &r->note[r->note_n++];
	text_clean_str(note->name, sizeof(note->name), name);
	va_start(args, fmt);
	print_clean(note->text, sizeof(note->text), fmt, args);
	va_end(args);
	return 0;
}

int report_add_finding(struct report *r, enum finding_severity severity, const char *rule,
		       const char *target, const char *fmt, ...)
{
	int err = grow(&r->finding, r->finding_n, &r->finding_room, sizeof(*r->finding));
	struct finding *f;
	va_list args;

	if (err)
		return err;
	f = &r->finding[r->finding_n++];
	f->severity = severity;
	f->advice[0] = '\0';
	text_clean_str(f->rule, sizeof(f->rule), rule);
	text_clean_str(f->target, sizeof(f->target), target);
	va_start(args, fmt);
	print_clean(f->sentence, sizeof(f->sentence), fmt, args);
	va_end(args);
	return 0;
}

bool report_id_valid(const char *id)
{
	const size_t len = sizeof(((struct run_info *)0)->id) - 1;

	for (size_t i = 0; i < len; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? id[i] != '-' : !id[i] || !strchr("0123456789abcdef", id[i]))
			return false;
	}
	return id[len] == '\0';
}

const struct disk *report_disk(const struct report *r, const char *name)
{
	for (size_t i = 0; i < r->disks.n; i++)
		if (!strcmp(r->disks.disk[i].name, name))
			return &r->disks.disk[i];
	return NULL;
}

static bool is_same_disk(const struct health *a, const struct health *b)
{
	if (*a->target || *b->target)
		return !strcmp(a->target, b->target);
	return !strcmp(a->device, b->device) && !strcmp(a->serial, b->serial);
}

const struct health *report_health_last(const struct report *r, size_t i)
{
	const struct health *h = &r->health[i];
	size_t last = i, last_read = h->state == HEALTH_READ ? i : SIZE_MAX;

	for (size_t k = 0; k < r->health_n; k++) {
		if (!is_same_disk(h, &r->health[k]))
			continue;
		last = k > last ? k : last;
		if (r->health[k].state == HEALTH_READ && (last_read == SIZE_MAX || k > last_read))
			last_read = k;
	}
	return i == (last_read == SIZE_MAX ? last : last_read) ? h : NULL;
}

const struct health *report_health_before(const struct report *r, const struct health *h)
{
	for (size_t i = 0; i < r->health_n; i++) {
		const struct health *other = &r->health[i];

		if (other == h)
			return NULL;
		if (is_same_disk(h, other) && other->state == HEALTH_READ)
			return other;
	}
	return NULL;
}

const struct health *report_health_of(const struct report *r, const char *disk)
{
	for (size_t i = 0; i < r->health_n; i++)
		if (!strcmp(r->health[i].target, disk) && report_health_last(r, i))
			return &r->health[i];
	return NULL;
}

void report_close(struct report *r, const char *reason)
{
	if (r->run.state == RUN_COMPLETE)
		return;
	for (size_t i = 0; i < r->result_n; i++) {
		struct result *t = &r->result[i];

		if (t->status == RESULT_PLANNED)
			result_end(t, RESULT_SKIPPED, "not reached: %s", reason);
		else if (t->status == RESULT_RUNNING)
			/* nobody knows whether it would have ended: no fault of the disk */
			result_end(t, RESULT_SKIPPED, "cut short: %s", reason);
	}
	if (r->run.state == RUN_PARTIAL)
		return;
	r->run.state = RUN_PARTIAL;
	text_clean_str(r->run.state_reason, sizeof(r->run.state_reason), reason);
}
