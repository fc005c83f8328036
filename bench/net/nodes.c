/* SPDX-License-Identifier: MIT */
/* The servers that network tests download from: option nodes, a file, or the builtin list. */
#include "bench/net/nodes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/text.h"

#define FILE_MAX_BYTES (1 << 20)
#define LINE_MAX_BYTES (2 * URL_BYTES + DISK_NAME_BYTES)

static const struct builtin {
	const char *name, *url;
} builtin_table[] = {
#define NODE(name, url) { name, url },
#include "data/nodes.def"
#undef NODE
};

__attribute__((format(printf, 2, 3)))
static void note(struct nodes *nodes, const char *fmt, ...)
{
	char text[2 * NODES_NOTE_BYTES];
	va_list args;

	if (nodes->note_n++ >= NODES_NOTES_MAX)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_clean_str(nodes->note[nodes->note_n - 1], NODES_NOTE_BYTES, text);
}

/* A URL of ours in every respect: form, host, port. */
static int check_url(const char *url, char *why, size_t why_bytes)
{
	char host[256];
	unsigned port;
	int err = url_check(url, why, why_bytes);

	if (!err && url_host(url, host, sizeof(host), &port)) {
		snprintf(why, why_bytes, "the address has no proper host or port");
		err = -EINVAL;
	}
	return err;
}

/* `where` says which entry it is. A name of "" is the host's. */
static void add(struct nodes *nodes, const char *where, const char *name, const char *url,
		const char *upload)
{
	char why[120], host[256];
	struct node *node;
	unsigned port;

	if (check_url(url, why, sizeof(why)) || (*upload && check_url(upload, why, sizeof(why)))) {
		note(nodes, "%s: %s: it is left out", where, why);
		return;
	}
	if (nodes->n == NODES_MAX) {
		note(nodes, "%s: more than %d nodes: it is left out", where, NODES_MAX);
		return;
	}
	node = &nodes->node[nodes->n];
	url_host(url, host, sizeof(host), &port);
	text_clean_str(node->name, sizeof(node->name), name);
	if (!node->name[0])
		text_clean_str(node->name, sizeof(node->name), host);
	for (unsigned i = 0; i < nodes->n; i++) {
		if (strcmp(nodes->node[i].name, node->name))
			continue;
		note(nodes, "%s: there is a node %s already: it is left out", where, node->name);
		return;
	}
	text_copy(node->url, sizeof(node->url), url);
	text_copy(node->upload, sizeof(node->upload), upload);
	nodes->n++;
}

static char *trim(char *s)
{
	size_t n;

	s += strspn(s, " \t\r");
	n = strlen(s);
	while (n > 0 && strchr(" \t\r", s[n - 1]))
		s[--n] = '\0';
	return s;
}

/* Cuts the field at `s` at its tab; returns the rest, or "" where there is none. */
static char *next_field(char *s)
{
	char *tab = strchr(s, '\t');

	if (!tab)
		return s + strlen(s);
	*tab = '\0';
	return tab + 1 + strspn(tab + 1, "\t");
}

static void add_line(struct nodes *nodes, unsigned number, char *line)
{
	char *name = trim(line), *url, *upload, where[24];

	snprintf(where, sizeof(where), "line %u", number);
	if (!*name || *name == '#')
		return;
	url = next_field(name);
	upload = next_field(url);
	next_field(upload);
	if (!*url)
		note(nodes, "%s: no tab between name and address: it is left out", where);
	else
		add(nodes, where, name, trim(url), trim(upload));
}

void nodes_add_lines(struct nodes *nodes, const char *text, size_t len)
{
	char line[LINE_MAX_BYTES];
	unsigned number = 0;

	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t line_len = end ? (size_t)(end - text) - at : len - at;

		number++;
		if (line_len >= sizeof(line)) {
			note(nodes, "line %u: longer than %zu bytes: it is left out", number,
			     sizeof(line) - 1);
		} else if (memchr(text + at, '\0', line_len)) {
			note(nodes, "line %u: holds a byte 0: it is left out", number);
		} else {
			memcpy(line, text + at, line_len);
			line[line_len] = '\0';
			add_line(nodes, number, line);
		}
		at += line_len + 1;
	}
}

/* NAME=ADDRESS or ADDRESS, separated by commas. */
static void add_inline(struct nodes *nodes, const char *setting)
{
	char item[LINE_MAX_BYTES], where[24];
	unsigned number = 0;

	for (const char *at = setting; *at;) {
		size_t len = strcspn(at, ",");
		char *text = item, *url, *scheme;

		snprintf(where, sizeof(where), "item %u", ++number);
		snprintf(item, sizeof(item), "%.*s", (int)len, at);
		text = trim(text);
		url = strchr(text, '=');
		scheme = strstr(text, "://");
		if (!*text)
			;
		else if (len >= sizeof(item))
			note(nodes, "%s: too long: it is left out", where);
		else if (!url || (scheme && url > scheme))
			add(nodes, where, "", text, "");
		else {
			*url++ = '\0';
			add(nodes, where, trim(text), trim(url), "");
		}
		at += len + (at[len] == ',');
	}
}

int nodes_load(struct nodes *nodes, const char *setting)
{
	char *text;
	size_t len;
	int err;

	memset(nodes, 0, sizeof(*nodes));
	if (!*setting || strcmp(setting, "none") == 0)
		return 0;
	if (strcmp(setting, "builtin") == 0) {
		for (size_t i = 0; i < sizeof(builtin_table) / sizeof(builtin_table[0]); i++)
			add(nodes, "builtin", builtin_table[i].name, builtin_table[i].url, "");
		return 0;
	}
	if (strstr(setting, "://")) {
		add_inline(nodes, setting);
		return 0;
	}
	err = file_load(setting, FILE_MAX_BYTES, &text, &len);
	if (err)
		return err;
	nodes_add_lines(nodes, text, len);
	free(text);
	return 0;
}

int nodes_check(struct options *o)
{
	const char *setting = options_text(o, OPT_ID_NODES);
	struct nodes *nodes = malloc(sizeof(*nodes));
	bool is_wrong;
	int err;

	if (!nodes) {
		options_note(o, "nodes: out of memory");
		return 0;
	}
	err = nodes_load(nodes, setting);
	if (err)
		options_note(o, "nodes: %s: %s", setting, strerror(-err));
	for (unsigned i = 0; i < nodes->note_n && i < NODES_NOTES_MAX; i++)
		options_note(o, "nodes: %s", nodes->note[i]);
	if (nodes->note_n > NODES_NOTES_MAX)
		options_note(o, "nodes: and %u more like these", nodes->note_n - NODES_NOTES_MAX);
	is_wrong = (err || nodes->note_n) && nodes->n == 0 &&
		   o->value[OPT_ID_NODES].source == OPT_FROM_FLAG;
	free(nodes);
	return is_wrong ? -EINVAL : 0;
}
