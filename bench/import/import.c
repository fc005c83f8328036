/* SPDX-License-Identifier: MIT */
/* Finds the patterns' matches in a pasted text, one after the other; see import.h. */
#include "bench/import/import.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"

#define PATTERNS_MAX 64
#define UNREAD_MAX 100		/* notes on lines that were not read */

/* A pattern, ready to look for, and its next match. */
struct seeker {
	const struct import_pattern *pattern;
	regex_t regex;
	regmatch_t match[IMPORT_GROUPS];	/* offsets in the whole text */
	bool over;		/* there is no further match */
};

struct seekers {
	struct seeker *one;
	size_t n;
};

static int add_table(struct seekers *s, const struct import_pattern *table, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct seeker *one = &s->one[s->n];

		if (s->n == PATTERNS_MAX || regcomp(&one->regex, table[i].regex, REG_EXTENDED))
			return -EINVAL;
		one->pattern = &table[i];
		one->match[0].rm_so = one->match[0].rm_eo = -1;
		s->n++;
	}
	return 0;
}

static void free_seekers(struct seekers *s)
{
	for (size_t i = 0; i < s->n; i++)
		regfree(&s->one[i].regex);
	free(s->one);
}

/* The pattern's first match at or behind `from`. */
static void seek(struct seeker *s, const char *text, size_t from)
{
	regmatch_t found[IMPORT_GROUPS];

	if (s->over || s->match[0].rm_so >= (regoff_t)from)
		return;
	s->over = regexec(&s->regex, text + from, IMPORT_GROUPS, found, 0) != 0;
	for (int i = 0; i < IMPORT_GROUPS && !s->over; i++) {
		regoff_t by = found[i].rm_so < 0 ? 0 : (regoff_t)from;

		s->match[i].rm_so = found[i].rm_so + by;
		s->match[i].rm_eo = found[i].rm_eo + by;
	}
}

/* Of the matches that begin first, that of the pattern that stands first. NULL: there is none. */
static struct seeker *next_match(struct seekers *s, const char *text, size_t from)
{
	struct seeker *first = NULL;

	for (size_t i = 0; i < s->n; i++) {
		seek(&s->one[i], text, from);
		if (!s->one[i].over &&
		    (!first || s->one[i].match[0].rm_so < first->match[0].rm_so))
			first = &s->one[i];
	}
	return first;
}

/* Words that stand behind figures; with a digit before them a line is one that could be read. */
static bool is_figure(const char *line, size_t len)
{
	static const char *const units[] = { "B/s", "IOPS", "iops", "bytes/s", "MB/sec",
		"events/s" };
	bool digit = false;

	for (size_t i = 0; i < len; i++) {
		digit |= isdigit((unsigned char)line[i]) != 0;
		for (size_t k = 0; digit && k < sizeof(units) / sizeof(*units); k++)
			if (len - i >= strlen(units[k]) &&
			    !memcmp(line + i, units[k], strlen(units[k])))
				return true;
	}
	return false;
}

/* A line that says what the figures behind it are of: prose, a heading, a prompt. */
static bool is_context(const char *line)
{
	return strlen(line) > 3 && strspn(line, "-=_*#. ") < strlen(line) &&
	       !isdigit((unsigned char)line[0]) && !strchr("/&;|:", line[0]) &&
	       !strstr(line, " : ");
}

/* What stands between two matches: a figure is noted, a line of other words becomes context. */
static int pass_over(struct import *im, const char *text, size_t len, size_t *unread)
{
	while (len > 0) {
		size_t n = strcspn(text, "\n");
		char line[RESULT_REASON_BYTES];
		int err = 0;

		if (n > len)
			n = len;
		text_clean(line, sizeof(line), text, n);
		if (is_figure(text, n)) {
			if ((*unread)++ < UNREAD_MAX)
				err = report_add_note(im->report, IMPORT_NOTE_UNREAD, "%s", line);
		} else if (is_context(line)) {
			text_copy(im->prose, sizeof(im->prose), line);
			text_copy(im->context, sizeof(im->context), line);
		}
		if (err)
			return err;
		n += n < len;
		text += n;
		len -= n;
	}
	return 0;
}

static int take_all(struct import *im, struct seekers *s)
{
	size_t at = 0, end = strlen(im->text), unread = 0;
	int err = 0;

	while (!err) {
		struct seeker *next = next_match(s, im->text, at);
		size_t until = next ? (size_t)next->match[0].rm_so : end;
		regmatch_t match[IMPORT_GROUPS];

		err = pass_over(im, im->text + at, until - at, &unread);
		if (err || !next)
			break;
		memcpy(match, next->match, sizeof(match));
		/* a match of nothing would be found again for ever */
		at = (size_t)match[0].rm_eo > until ? (size_t)match[0].rm_eo : until + 1;
		err = next->pattern->take(im, match);
	}
	if (!err && unread > UNREAD_MAX)
		err = report_add_note(im->report, IMPORT_NOTE_UNREAD, "and %zu lines more",
				      unread - UNREAD_MAX);
	return err;
}

int import_text(struct report *r, const char *text, size_t len, const char *source)
{
	struct seekers s = { .one = calloc(PATTERNS_MAX, sizeof(*s.one)) };
	struct import *im = calloc(1, sizeof(*im));
	char *clean = import_clean(text, len);
	int err = -ENOMEM;

	if (s.one && im && clean) {
		im->report = r;
		im->text = clean;
		im->last = SIZE_MAX;
		err = report_add_note(r, "imported from", "%s", source);
		if (!err)
			err = add_table(&s, import_hdparm, import_hdparm_n);
		if (!err)
			err = add_table(&s, import_benchsh, import_benchsh_n);
		if (!err)
			err = add_table(&s, import_fio, import_fio_n);
		if (!err)
			err = add_table(&s, import_dd, import_dd_n);
		if (!err)
			err = take_all(im, &s);
	}
	free_seekers(&s);
	free(clean);
	free(im);
	return err ? err : (int)r->result_n;
}
