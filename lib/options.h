/* SPDX-License-Identifier: MIT */
/*
 * The one table of options: kernel parameters (bench.NAME=VALUE), flags (--NAME VALUE), the config
 * file (NAME = VALUE) and docs/command-line.md all come from the rows of lib/options.def.
 *
 * Invariants: a struct options holds no pointers and copies with `=`. A bad value never replaces a
 * good one, never stops the run and never grants writing: it is kept as a note for console and
 * report. Later sources win: default, config file, kernel command line, flags.
 */
#ifndef LIB_OPTIONS_H
#define LIB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum opt_type {
	OPT_BOOL,	/* yes/no, true/false, on/off, 1/0 */
	OPT_ENUM,	/* one word of `choices` (separated by '|') */
	OPT_SECONDS,	/* N, Ns, Nm or Nh: whole seconds */
	OPT_TEXT,	/* any text, may be empty */
	OPT_LIST,	/* comma-separated words; repeating the option appends */
	OPT_WRITE,	/* none | file:PATH | writeback | destroy; everything else means none */
};

/* Where a row may be given. */
enum opt_scope {
	OPT_IN_KERNEL = 1 << 0,		/* kernel command line and config file */
	OPT_IN_PLAN = 1 << 1,
	OPT_IN_RUN = 1 << 2,
	OPT_IN_REPORT = 1 << 3,
	OPT_IN_UPLOAD = 1 << 4,
	OPT_IN_CLOSE = 1 << 5,
	OPT_IN_FINDINGS = 1 << 6,
	OPT_IN_IMPORT = 1 << 7,
	OPT_SECRET = 1 << 8,		/* the value is never printed: masked as *** everywhere */
	/* may grant writing: needs bench.eol on a kernel command line */
	OPT_GRANTS = 1 << 9,
};

enum opt_source { OPT_FROM_DEFAULT, OPT_FROM_FILE, OPT_FROM_KERNEL, OPT_FROM_FLAG };

enum opt_id {
#define OPTION(id, name, type, def, choices, scope, arg, help) OPT_ID_##id,
#include "lib/options.def"
#undef OPTION
	OPT_COUNT
};

struct opt_row {
	const char *name;
	enum opt_type type;
	const char *def;	/* default, in the same form a person would write it */
	const char *choices;	/* OPT_ENUM: "a|b|c"; else "" */
	unsigned scope;		/* enum opt_scope bits */
	const char *arg;	/* the value's name in help, e.g. "SECONDS" */
	const char *help;	/* one or more sentences */
};

extern const struct opt_row options_table[OPT_COUNT];

#define OPT_TEXT_BYTES 16384	/* all values together; a kernel command line has 2,048 bytes */
#define OPT_NOTES_MAX 32	/* further notes are counted, not kept */
#define OPT_NOTE_BYTES 200

struct opt_value {
	enum opt_source source;
	uint32_t at, default_at;	/* offsets of the texts in struct options.text */
	/* OPT_BOOL 0/1, OPT_ENUM index in choices, OPT_SECONDS, OPT_LIST items, OPT_WRITE mode */
	uint64_t number;
};

enum opt_write { OPT_WRITE_NONE, OPT_WRITE_FILE, OPT_WRITE_BACK, OPT_WRITE_DESTROY };

struct options {
	struct opt_value value[OPT_COUNT];
	uint32_t text_used;
	uint32_t note_n;		/* notes made, also those that did not fit */
	/* a kernel command line with bench.* lacked the closing bench.eol */
	bool eol_missing;
	char note[OPT_NOTES_MAX][OPT_NOTE_BYTES];	/* valid UTF-8, no secrets */
	char text[OPT_TEXT_BYTES];
};

/*
 * Finds a row by name ('-' and '_' are the same, as in the kernel). Returns its opt_id or -ENOENT.
 */
int options_find(const char *name);

/* Fills every option with its default. */
void options_init(struct options *o);

/*
 * Sets one option by NAME. Returns 0, -ENOENT (no such option), -EINVAL (bad value) or -ENOSPC;
 * each failure also adds a note and leaves the old value.
 */
int options_set(struct options *o, const char *name, const char *value, enum opt_source source);

/*
 * Takes every bench.NAME=VALUE of a kernel command line (quotes as the kernel reads them). Without
 * bench.eol as the last word, options that grant writing are refused and noted. Returns the number
 * of bench.* words seen. `len` bytes of `line`; any bytes are safe.
 */
int options_kernel(struct options *o, const char *line, size_t len);

/* The same from a file such as /proc/cmdline. Returns words seen or -errno. */
int options_kernel_file(struct options *o, const char *path);

/* Takes NAME = VALUE lines; '#' starts a comment. Returns 0 or -errno of reading the file. */
int options_file(struct options *o, const char *path);

/*
 * Takes flags (--NAME VALUE, --NAME=VALUE; booleans also --NAME alone) whose row has a bit of
 * `scope`. Stops at the first word that is no flag, or after "--". Returns the index of that word,
 * -ECANCELED where --help or -h was asked, or -EINVAL with the reason in the newest note (a flag
 * error is the user's to mend at once).
 */
int options_flags(struct options *o, int argc, char *const argv[], unsigned scope);

/*
 * Takes everything in the right order: the file of --config, the kernel command line of --cmdline,
 * then the flags. Returns as options_flags does; -EINVAL also for a file that cannot be read.
 */
int options_load(struct options *o, int argc, char *const argv[], unsigned scope);

/* The value as text; for OPT_LIST the whole list. Never NULL. Valid until the next set. */
const char *options_text(const struct options *o, enum opt_id id);
/* The value's number (see struct opt_value). */
uint64_t options_number(const struct options *o, enum opt_id id);
/* True where the option was given by any source. */
bool options_given(const struct options *o, enum opt_id id);

/*
 * Walks a list: copies item `index` to `item` (cut to `size`), returns true, or false past the end.
 * Empty items do not count.
 */
bool options_item(const struct options *o, enum opt_id id, unsigned index, char *item, size_t size);

/* Takes back every consent to write, wherever it came from. Cannot fail. */
void options_withdraw_grants(struct options *o);

/* The newest note, or "". */
const char *options_last_note(const struct options *o);

/* Adds a note of the caller's own (for instance: an option that has no use here). */
void options_note(struct options *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * The value as it may be shown: secrets read "***", URLs lose user:password and what follows '?',
 * control characters and invalid UTF-8 are replaced. `buf` receives at most `size` bytes. Returns
 * buf.
 */
const char *options_shown(const struct options *o, enum opt_id id, char *buf, size_t size);

/* Prints the help of the rows with a bit of `scope`, as flags, 80 columns. */
void options_help(FILE *out, unsigned scope);
/* Prints docs/command-line.md's table part. */
void options_markdown(FILE *out);

/* Checks the table itself: unique names, valid defaults. Returns 0 or -EINVAL. */
int options_selfcheck(void);

#endif
