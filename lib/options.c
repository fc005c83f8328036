/* SPDX-License-Identifier: MIT */
/* The option table's values: setting, checking and reading them. */
#include "lib/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"

const struct opt_row options_table[OPT_COUNT] = {
#define OPTION(id, name, type, def, choices, scope, arg, help) \
	[OPT_ID_##id] = { name, type, def, choices, scope, arg, help },
#include "lib/options.def"
#undef OPTION
};

#define SECONDS_MAX (UINT64_C(1) << 40)

void options_note(struct options *o, const char *fmt, ...)
{
	char raw[OPT_NOTE_BYTES * 2];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	if (o->note_n < OPT_NOTES_MAX)
		text_clean_str(o->note[o->note_n], OPT_NOTE_BYTES, raw);
	o->note_n++;
}

const char *options_last_note(const struct options *o)
{
	if (o->note_n == 0)
		return "";
	return o->note[o->note_n <= OPT_NOTES_MAX ? o->note_n - 1 : OPT_NOTES_MAX - 1];
}

static bool is_one_of(const char *value, const char *const words[])
{
	for (size_t i = 0; words[i]; i++)
		if (text_same(value, words[i]))
			return true;
	return false;
}

static const char *const words_yes[] = { "yes", "true", "on", "1", NULL };
static const char *const words_no[] = { "no", "false", "off", "0", "", NULL };

static int parse_bool(const char *value, uint64_t *number)
{
	if (is_one_of(value, words_yes))
		*number = 1;
	else if (is_one_of(value, words_no))
		*number = 0;
	else
		return -EINVAL;
	return 0;
}

static int parse_enum(const char *choices, const char *value, uint64_t *number)
{
	size_t len = strlen(value);
	uint64_t index = 0;

	for (const char *c = choices; len > 0 && !strchr(value, '|'); c++, index++) {
		size_t n = strcspn(c, "|");

		if (n == len && strncmp(c, value, n) == 0) {
			*number = index;
			return 0;
		}
		c += n;
		if (*c == '\0')
			break;
	}
	return -EINVAL;
}

static int parse_seconds(const char *value, uint64_t *number)
{
	uint64_t n = 0;

	if (*value < '0' || *value > '9')
		return -EINVAL;
	for (; *value >= '0' && *value <= '9'; value++) {
		n = n * 10 + (uint64_t)(*value - '0');
		if (n > SECONDS_MAX)
			return -EINVAL;
	}
	if (*value == 'm')
		n *= 60;
	else if (*value == 'h')
		n *= 3600;
	if (*value && (!strchr("smh", *value) || value[1]))
		return -EINVAL;
	if (n > SECONDS_MAX)
		return -EINVAL;
	*number = n;
	return 0;
}

static int parse_write(const char *value, uint64_t *number)
{
	*number = OPT_WRITE_NONE;
	if (strcmp(value, "none") == 0 || is_one_of(value, words_no))
		return 0;
	if (strcmp(value, "writeback") == 0)
		*number = OPT_WRITE_BACK;
	else if (strcmp(value, "destroy") == 0)
		*number = OPT_WRITE_DESTROY;
	else if (strncmp(value, "file:/", 6) == 0 && value[6])
		*number = OPT_WRITE_FILE;
	else
		return -EINVAL;
	return 0;
}

static uint64_t count_items(const char *list)
{
	uint64_t n = 0;

	while (*list) {
		size_t len = strcspn(list, ",");

		n += len > 0;
		list += len + (list[len] == ',');
	}
	return n;
}

static int parse(const struct opt_row *row, const char *value, uint64_t *number)
{
	switch (row->type) {
	case OPT_BOOL:
		return parse_bool(value, number);
	case OPT_ENUM:
		return parse_enum(row->choices, value, number);
	case OPT_SECONDS:
		return parse_seconds(value, number);
	case OPT_WRITE:
		return parse_write(value, number);
	case OPT_LIST:
		*number = count_items(value);
		return 0;
	case OPT_TEXT:
		*number = value[0] != '\0';
		return 0;
	}
	return -EINVAL;
}

/*
 * Puts `text` (after `before` and a comma, where that holds something) into the pool. 0 or -ENOSPC.
 */
static int keep(struct options *o, const char *before, const char *text, uint32_t *at)
{
	size_t first = strlen(before), second = strlen(text);
	size_t need = first + (first > 0) + second + 1;
	char *to = o->text + o->text_used;

	/* a list that lies last in the pool grows where it is */
	if (first > 0 && before + first + 1 == to && second + 1 <= sizeof(o->text) - o->text_used) {
		to[-1] = ',';
		memcpy(to, text, second + 1);
		*at = (uint32_t)(before - o->text);
		o->text_used += (uint32_t)second + 1;
		return 0;
	}
	if (need > sizeof(o->text) - o->text_used)
		return -ENOSPC;
	*at = o->text_used;
	/* `before` may lie in the pool, but never in the free part that is written here */
	memcpy(to, before, first);
	if (first > 0)
		to[first++] = ',';
	memcpy(to + first, text, second + 1);
	o->text_used += (uint32_t)need;
	return 0;
}

static const char *const source_names[] = {
	"default", "config file", "kernel command line", "flag"
};

/* Notes a bad value without showing what a secret holds. */
static void note_bad(struct options *o, const struct opt_row *row, const char *value,
		     enum opt_source source)
{
	const char *shown = row->scope & OPT_SECRET ? "***" : value;

	switch (row->type) {
	case OPT_ENUM:
		options_note(o, "%s: %s=%.60s: not one of %s", source_names[source], row->name,
			     shown, row->choices);
		break;
	case OPT_SECONDS:
		options_note(o, "%s: %s=%.60s: not a time (like 90, 90s, 15m or 2h)",
			     source_names[source], row->name, shown);
		break;
	case OPT_BOOL:
		options_note(o, "%s: %s=%.60s: neither yes nor no", source_names[source], row->name,
			     shown);
		break;
	default:
		options_note(
			o,
			"%s: %s=%.60s: not none, file:/PATH, writeback or destroy: nothing will be "
			"written",
			source_names[source], row->name, shown);
	}
}

/* The kernel lets '-' and '_' stand for each other in parameter names; so do all our sources. */
static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
			return false;
	return *a == *b;
}

int options_find(const char *name)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (same_name(options_table[i].name, name))
			return i;
	return -ENOENT;
}

/* Back to the default, whose text options_init has put into the pool. */
static void withdraw(struct options *o, enum opt_id id)
{
	struct opt_value *v = &o->value[id];

	v->at = v->default_at;
	v->number = 0;
	v->source = OPT_FROM_DEFAULT;
}

void options_withdraw_grants(struct options *o)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (options_table[i].scope & OPT_GRANTS)
			withdraw(o, (enum opt_id)i);
}

int options_set(struct options *o, const char *name, const char *value, enum opt_source source)
{
	int id = options_find(name), err;
	const struct opt_row *row;
	struct opt_value *v;
	uint64_t number = 0;
	uint32_t at;

	if (id < 0) {
		options_note(o, "%s: unknown option %.80s", source_names[source], name);
		return -ENOENT;
	}
	row = &options_table[id];
	v = &o->value[id];
	err = parse(row, value, &number);
	if (err) {
		note_bad(o, row, value, source);
		if (row->type != OPT_WRITE)
			return err;
		number = OPT_WRITE_NONE;	/* what cannot be read as consent withdraws it */
	}
	if (row->type == OPT_WRITE && number == OPT_WRITE_NONE) {
		withdraw(o, (enum opt_id)id);	/* needs no room: withdrawing consent never fails */
		v->source = source;
		return err;
	}
	/* within one source a repeated list grows; a later source replaces it */
	if (keep(o, row->type == OPT_LIST && v->source == source && source != OPT_FROM_DEFAULT ?
		 options_text(o, id) : "", value, &at)) {
		options_note(o, "%s: %s: no room for its value", source_names[source], row->name);
		return -ENOSPC;
	}
	v->source = source;
	v->at = at;
	v->number = row->type == OPT_LIST ? count_items(o->text + at) : number;
	return err;
}

void options_init(struct options *o)
{
	memset(o, 0, sizeof(*o));
	/* options_selfcheck proves that every default is valid and fits */
	for (int i = 0; i < OPT_COUNT; i++) {
		struct opt_value *v = &o->value[i];

		/* the text first: consent that is withdrawn falls back to it */
		if (keep(o, "", options_table[i].def, &v->default_at))
			options_note(o, "%s: no room for its default", options_table[i].name);
		v->at = v->default_at;
		if (parse(&options_table[i], options_table[i].def, &v->number))
			options_note(o, "%s: bad default", options_table[i].name);
	}
}

const char *options_text(const struct options *o, enum opt_id id)
{
	return o->text + o->value[id].at;
}

uint64_t options_number(const struct options *o, enum opt_id id)
{
	return o->value[id].number;
}

bool options_given(const struct options *o, enum opt_id id)
{
	return o->value[id].source != OPT_FROM_DEFAULT;
}

bool options_item(const struct options *o, enum opt_id id, unsigned index, char *item, size_t size)
{
	const char *list = options_text(o, id);

	while (*list) {
		size_t len = strcspn(list, ",");

		if (len > 0 && index-- == 0) {
			snprintf(item, size, "%.*s", (int)len, list);
			return true;
		}
		list += len + (list[len] == ',');
	}
	return false;
}

/*
 * Copies a URL list, hiding what opens doors: user:password@ and everything after '?' (presigned
 * addresses carry their signature there).
 */
static void mask_urls(char *to, size_t size, const char *list)
{
	size_t used = 0;

	while (*list && used + 1 < size) {
		size_t len = strcspn(list, ",");
		size_t path = strcspn(list, "?");
		const char *scheme = strstr(list, "://");
		const char *host = scheme && scheme < list + len ? scheme + 3 : list;
		size_t authority = strcspn(host, "/?#,");
		const char *at = host;
		const char *next = list[len] ? list + len + 1 : "";
		const char *next_scheme = strstr(next, "://");
		bool cut_url =
			!scheme || scheme >= list + len ||
			(*next && (!next_scheme || next_scheme >= next + strcspn(next, ",")));

		for (size_t i = 0; i < authority; i++)
			if (host[i] == '@')
				at = host + i + 1;
		if (path > len)
			path = len;
		if (cut_url) {	/* perhaps half of an address with a comma in its password */
			used += (size_t)snprintf(to + used, size - used, "***%s",
						 list[len] ? "," : "");
			list += len + (list[len] == ',');
			continue;
		}
		used += (size_t)snprintf(to + used, size - used, "%.*s%s%.*s%s%s",
					 (int)(host - list), list, at > host ? "***@" : "",
					 (int)(list + path > at ? list + path - at : 0), at,
					 path < len ? "?***" : "", list[len] ? "," : "");
		list += len + (list[len] == ',');
	}
	if (used >= size)
		used = size - 1;
	to[used] = '\0';
}

const char *options_shown(const struct options *o, enum opt_id id, char *buf, size_t size)
{
	const char *value = options_text(o, id);
	char masked[4096];

	if (size == 0)
		return buf;
	if (options_table[id].scope & OPT_SECRET) {
		text_copy(buf, size, *value ? "***" : "");
		return buf;
	}
	if (strstr(value, "://")) {
		mask_urls(masked, sizeof(masked), value);
		value = masked;
	}
	text_clean_str(buf, size, value);
	return buf;
}

int options_selfcheck(void)
{
	struct options o;

	options_init(&o);
	if (o.note_n > 0)
		return -EINVAL;
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *row = &options_table[i];

		if (!row->name || !row->help || !row->scope || options_find(row->name) != i)
			return -EINVAL;
		if ((row->type == OPT_ENUM) != (row->choices[0] != '\0'))
			return -EINVAL;
	}
	return 0;
}
