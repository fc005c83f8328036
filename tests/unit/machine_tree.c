/* SPDX-License-Identifier: MIT */
/* Whole machines from files; see machine_tree.h. */
#include "tests/unit/machine_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu_list.h"
#include "lib/file.h"
#include "tests/unit/smbios_text.h"

__attribute__((noreturn))
static void fail(const char *what, const char *where)
{
	printf("Bail out! machine tree: %s: %.60s\n", what, where);
	exit(255);
}

/* A text that grows. */
struct text {
	char *at;
	size_t len;
	FILE *out;
};

static void text_open(struct text *t)
{
	t->out = open_memstream(&t->at, &t->len);
	if (!t->out)
		fail("memory", "");
}

/* Joins lines that end in a backslash with the next. */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *s = text; *s; s++) {
		if (s[0] == '\\' && s[1] == '\n')
			s += 1 + strspn(s + 2, "\t");
		else
			*to++ = *s;
	}
	*to = '\0';
}

/* Prints "{i/2%4:02x}" worked out; `s` stands behind the brace. Returns what follows it. */
static const char *put_value(FILE *out, const char *s, unsigned i)
{
	unsigned long value = 0, term;
	char op = '+', format[8] = "%lu", *end;

	for (;;) {
		term = *s == 'i' ? i : strtoul(s, &end, 0);
		s = *s == 'i' ? s + 1 : end;
		if (strchr("/%", op) && !term)
			fail("divided by zero", s);
		value = op == '+' ? value + term : op == '-' ? value - term : op == '*' ?
			value * term : op == '/' ? value / term : value % term;
		if (!*s || !strchr("+-*/%", *s))
			break;
		op = *s++;
	}
	if (*s == ':') {
		size_t n = strcspn(s, "}");

		snprintf(format, sizeof(format), "%%%.*sl%c", (int)(n - 2), s + 1, s[n - 1]);
		s += n;
	}
	if (*s != '}')
		fail("no value", s);
	fprintf(out, format, value);
	return s + 1;
}

static void put_line(FILE *out, const char *line, unsigned i)
{
	for (const char *s = line; *s;) {
		if (s[0] == '{' && s[1] == 'i' && strchr("}+-*/%:", s[2]))
			s = put_value(out, s + 1, i);
		else
			fputc(*s++, out);
	}
	fputc('\n', out);
}

/* The lines up to %end, for each number of `list`. `rest` then stands behind it. */
static void put_loop(FILE *out, const char *list, char **rest)
{
	size_t n;
	unsigned *number = cpu_list_parse(list, &n);
	char *end = strstr(*rest, "\n%end\n");

	if (!number || !end)
		fail("no list, or no end", list);
	end[1] = '\0';
	for (size_t k = 0; k < n; k++) {
		char *copy = strdup(*rest), *lines = copy, *line;

		while (copy && (line = strsep(&lines, "\n")) && lines)
			put_line(out, line, number[k]);
		free(copy);
	}
	free(number);
	*rest = end + 6;
}

/* The text without its loops. malloc'ed. */
static char *unroll(char *text)
{
	char *rest = text, *line;
	struct text t;

	text_open(&t);
	while ((line = strsep(&rest, "\n"))) {
		if (!strncmp(line, "%for ", 5) && rest)
			put_loop(t.out, line + 5, &rest);
		else
			fprintf(t.out, "%s\n", line);
	}
	if (fclose(t.out))
		fail("memory", "");
	return t.at;
}

static size_t unescape(char *text)
{
	char *to = text;

	for (const char *s = text; *s; s++) {
		unsigned byte;

		if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &byte) == 1) {
			*to++ = (char)byte;
			s += 3;
		} else {
			s += s[0] == '\\' && s[1] == '\\';
			*to++ = *s;
		}
	}
	*to = '\0';
	return (size_t)(to - text);
}

static void add_smbios(struct sysfs_fixture *f, const char *version, const char *text)
{
	struct smbios_text *t = calloc(1, sizeof(*t));
	unsigned major = 0, minor = 0;
	uint8_t entry[32];
	size_t n;

	if (!t || sscanf(version, "%u.%u", &major, &minor) != 2)
		fail("no version", version);
	smbios_text_add(t, text);
	n = smbios_text_entry(t, major, minor, entry);
	sysfs_fixture_write(f, "sys/firmware/dmi/tables/DMI", t->table, t->len);
	sysfs_fixture_write(f, "sys/firmware/dmi/tables/smbios_entry_point", entry, n);
	free(t);
}

/* A %file or %smbios block; `rest` then stands behind it. */
static void add_block(struct sysfs_fixture *f, char *line, char **rest)
{
	char *body = *rest, *end = body ? strstr(body, "%end\n") : NULL, *arg = strchr(line, ' ');

	while (end && end > body && end[-1] != '\n')
		end = strstr(end + 1, "%end\n");
	if (!end || !arg)
		fail("no end", line);
	*end = '\0';
	*rest = end + 5;
	if (!strncmp(line, "%smbios ", 8))
		add_smbios(f, arg + 1, body);
	else if (!strncmp(line, "%file ", 6))
		sysfs_fixture_write(f, arg + 1, body, unescape(body));
	else
		fail("unknown", line);
}

void machine_tree_make(struct sysfs_fixture *f, const char *path)
{
	char *text, *flat, *rest, *line;
	struct text plain;
	size_t len;

	if (file_load(path, 1 << 20, &text, &len) < 0)
		fail("cannot be read", path);
	join_lines(text);
	rest = flat = unroll(text);
	free(text);
	sysfs_fixture_make(f, "");
	text_open(&plain);
	while ((line = strsep(&rest, "\n"))) {
		if (line[0] != '%') {
			fprintf(plain.out, "%s\n", line);
			continue;
		}
		if (fclose(plain.out))
			fail("memory", "");
		sysfs_fixture_add(f, plain.at);
		free(plain.at);
		add_block(f, line, &rest);
		text_open(&plain);
	}
	if (fclose(plain.out))
		fail("memory", "");
	sysfs_fixture_add(f, plain.at);
	free(plain.at);
	free(flat);
}
