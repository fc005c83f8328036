/* SPDX-License-Identifier: MIT */
/* Where options come from: kernel command line, config file, flags. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/options.h"

#define PREFIX "bench."
#define PREFIX_LEN (sizeof(PREFIX) - 1)
#define FILE_MAX_BYTES 65536	/* of a config file or captured command line */
#define WORD_MAX_BYTES 8192	/* kernels take whole lines of 2 to 4 KiB */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

/*
 * Takes the next word of `line` as the kernel does (lib/cmdline.c, next_arg): blanks inside double
 * quotes do not end it; quotes around the whole word or around the value go. The word is copied to
 * `word` (cut to `size`; no kernel takes a line that long) and split in place at its first '=';
 * *value is NULL where there is none. Returns the bytes used, 0 at the end.
 */
static size_t next_word(const char *line, size_t len, char *word, size_t size, char **value)
{
	size_t at = 0, n = 0, start;
	bool quoted = false;
	char *v;

	while (at < len && is_space(line[at]))
		at++;
	start = at;
	for (; at < len && (quoted || !is_space(line[at])); at++) {
		if (line[at] == '"')
			quoted = !quoted;
		if (n + 1 < size)
			word[n++] = line[at] ? line[at] : ' ';
	}
	word[n] = '\0';
	*value = NULL;
	if (at == start)
		return 0;
	if (word[0] == '"') {
		memmove(word, word + 1, n);
		n--;
		if (n > 0 && word[n - 1] == '"')
			word[--n] = '\0';
	}
	v = strchr(word, '=');
	if (v) {
		*v++ = '\0';
		if (*v == '"') {
			size_t rest = strlen(++v);

			if (rest > 0 && v[rest - 1] == '"')
				v[rest - 1] = '\0';
		}
		*value = v;
	}
	return at;
}

/* Whether the row may come from a kernel command line or config file; notes it where not. */
static bool is_kernel_row(struct options *o, const char *name, const char *where)
{
	int id = options_find(name);

	if (id < 0 || options_table[id].scope & OPT_IN_KERNEL)
		return true;	/* unknown: options_set says so */
	options_note(o, "%s: %s can only be given as a flag", where, name);
	return false;
}

/* Without the closing bench.eol nothing is left of any consent, wherever it came from. */
static void withdraw_grants(struct options *o, bool asked)
{
	options_withdraw_grants(o);
	o->eol_missing = true;
	options_note(
		o, "kernel command line: bench.eol is not its last word, so it may have been cut%s",
		asked ? ": consent to write is refused" : "");
}

static bool grants(const char *name)
{
	int id = options_find(name);

	return id >= 0 && options_table[id].scope & OPT_GRANTS;
}

int options_kernel(struct options *o, const char *line, size_t len)
{
	char word[WORD_MAX_BYTES];
	bool last_is_eol = false, asked = false;
	int seen = 0;
	size_t used;
	char *value;

	for (size_t at = 0; (used = next_word(line + at, len - at, word, sizeof(word), &value)) > 0;
	     at += used) {
		const char *name = word + PREFIX_LEN;

		last_is_eol = strcmp(word, PREFIX "eol") == 0 && !value;
		if (strncmp(word, PREFIX, PREFIX_LEN) || last_is_eol)
			continue;
		seen++;
		asked |= grants(name);
		if (is_kernel_row(o, name, "kernel command line"))
			options_set(o, name, value ? value : "", OPT_FROM_KERNEL);
	}
	if (seen > 0 && !last_is_eol)
		withdraw_grants(o, asked);
	return seen;
}

int options_kernel_file(struct options *o, const char *path)
{
	char *text;
	size_t len;
	int err = file_load(path, FILE_MAX_BYTES, &text, &len);

	if (err)
		return err;
	err = options_kernel(o, text, len);
	free(text);
	return err;
}

/* Cuts blanks at both ends, in place. */
static char *trim(char *s)
{
	size_t n;

	while (*s && is_space(*s))
		s++;
	n = strlen(s);
	while (n > 0 && is_space(s[n - 1]))
		s[--n] = '\0';
	return s;
}

int options_file(struct options *o, const char *path)
{
	char *text, *line, *next;
	size_t len;
	int err = file_load(path, FILE_MAX_BYTES, &text, &len);
	unsigned number = 0;

	if (err)
		return err;
	for (line = text; line < text + len; line = next) {
		char *end = memchr(line, '\n', (size_t)(text + len - line)), *value, *name;

		next = end ? end + 1 : text + len;
		if (end)
			*end = '\0';
		number++;
		name = trim(line);
		if (*name == '\0' || *name == '#')
			continue;
		value = strchr(name, '=');
		if (!value) {
			options_note(o, "config file: line %u: no '=' in it", number);
			continue;
		}
		*value++ = '\0';
		name = trim(name);
		/* the form of the kernel parameter is what people copy: take it too */
		if (strncmp(name, PREFIX, PREFIX_LEN) == 0)
			name += PREFIX_LEN;
		if (is_kernel_row(o, name, "config file"))
			options_set(o, name, trim(value), OPT_FROM_FILE);
	}
	free(text);
	return 0;
}

/* Finds the row of flag --NAME within `scope`; NULL where there is none. */
static const struct opt_row *find_flag(const char *name, size_t len, unsigned scope)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *row = &options_table[i];

		if (row->scope & scope && strlen(row->name) == len &&
		    strncmp(row->name, name, len) == 0)
			return row;
	}
	return NULL;
}

int options_flags(struct options *o, int argc, char *const argv[], unsigned scope)
{
	int i;

	for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		const char *flag = argv[i], *value = strchr(flag, '=');
		const struct opt_row *row;

		if (strcmp(flag, "--") == 0)
			return i + 1;
		if (strcmp(flag, "--help") == 0 || strcmp(flag, "-h") == 0)
			return -ECANCELED;
		row = flag[1] == '-' ? find_flag(flag + 2, value ? (size_t)(value - flag - 2) :
						 strlen(flag + 2), scope) : NULL;
		if (!row) {
			options_note(o, "unknown flag %.*s (see --help)",
				     (int)strcspn(flag, "="), flag);
			return -EINVAL;
		}
		if (value)
			value++;
		else if (row->type == OPT_BOOL)
			value = "yes";
		else if (i + 1 < argc)
			value = argv[++i];
		else {
			options_note(o, "flag --%s needs a value: %s", row->name, row->arg);
			return -EINVAL;
		}
		/* hostile or mistyped consent means none, and the run goes on reading */
		if (options_set(o, row->name, value, OPT_FROM_FLAG) && row->type != OPT_WRITE)
			return -EINVAL;
	}
	return i;
}

int options_load(struct options *o, int argc, char *const argv[], unsigned scope)
{
	/* read once to learn the paths, then again over the files' values */
	struct options flags = *o;
	int first = options_flags(&flags, argc, argv, scope), err;
	const char *path;

	if (first < 0) {
		*o = flags;
		return first;
	}
	path = options_text(&flags, OPT_ID_CONFIG);
	if (*path && (err = options_file(o, path)) < 0) {
		options_note(o, "config file %s: %s", path, strerror(-err));
		return -EINVAL;
	}
	path = options_text(&flags, OPT_ID_CMDLINE);
	if (*path && (err = options_kernel_file(o, path)) < 0) {
		options_note(o, "kernel command line %s: %s", path, strerror(-err));
		return -EINVAL;
	}
	return options_flags(o, argc, argv, scope);
}
