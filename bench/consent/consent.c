/* SPDX-License-Identifier: MIT */
/* Which disks may be written, decided before the plan. docs/writing.md says the same for people. */
#include "bench/consent/consent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "bench/consent/checks.h"
#include "bench/consent/scratch.h"
#include "bench/sys/identity.h"
#include "bench/sys/match.h"
#include "lib/text.h"

#define ITEM_BYTES 512

static void refuse(struct disk *d, const char *why)
{
	d->consent = CONSENT_NONE;
	text_copy(d->consent_why, sizeof(d->consent_why), why);
}

/* Whether option disks names it. */
static bool is_asked(const struct disk_list *l, size_t at, const struct options *o)
{
	bool *hit = calloc(l->n, sizeof(*hit)), asked = false;
	char item[ITEM_BYTES];

	for (unsigned k = 0; hit && options_item(o, OPT_ID_DISKS, k, item, sizeof(item)); k++)
		asked |= match_disks(l, "", item, hit) && hit[at];
	free(hit);
	return asked;
}

/* The checks that hold for any kind of writing to the disk itself. */
static bool may_write(const struct disk *d, bool must_be_blank, char why[CHECK_WHY_BYTES])
{
	if (d->read_only) {
		snprintf(why, CHECK_WHY_BYTES, "it is read-only");
		return false;
	}
	return use_is_unzoned("", d, why) && use_is_free("", d, why) &&
	       look_allows(d, must_be_blank, why);
}

static void grant(struct disk *d, enum disk_consent consent, const char *why)
{
	if (getrandom(d->write.scratch_uuid, sizeof(d->write.scratch_uuid), 0) !=
	    (ssize_t)sizeof(d->write.scratch_uuid)) {
		refuse(d, "the kernel has no random numbers");
		return;
	}
	d->consent = consent;
	text_copy(d->consent_why, sizeof(d->consent_why), why);
}

static void decide_writeback(struct disk_list *l, size_t at, const struct options *o)
{
	struct disk *d = &l->disk[at];
	char why[CHECK_WHY_BYTES] = "";

	if (!is_asked(l, at, o))
		refuse(d, "write=writeback is for disks that option disks names, and this one it "
		       "does not name");
	else if (!name_is_clear(l, at, NAMING_BLANK, why) || !may_write(d, false, why))
		refuse(d, why);
	else
		grant(d, CONSENT_WRITEBACK, "write=writeback, and option disks names it: the same "
		      "data is written back, but a loss of power meanwhile can damage it");
}

static void decide_destroy(struct disk_list *l, size_t at, const struct options *o)
{
	static const char *const grounds[] = {
		[NAMING_SERIAL] = "option destroy names it by its serial number",
		[NAMING_WWN] = "option destroy names it by its WWN",
		[NAMING_NODE] = "options disks and destroy both name this device",
		[NAMING_BLANK] = "option destroy says `blank`, and nothing known lies on it",
	};
	struct disk *d = &l->disk[at];
	char why[CHECK_WHY_BYTES];
	enum naming by = name_in_destroy(l, at, o, why);

	if (by == NAMING_NONE)
		refuse(d, why[0] ? why : "option destroy does not name it");
	else if (!may_write(d, by == NAMING_BLANK, why))
		refuse(d, why);
	else
		grant(d, CONSENT_DESTROY, grounds[by]);
	d->write.only_blank = by == NAMING_BLANK;
}

/* A disk that is named and yet left alone has a right to know why nothing happens to it. */
static void say_not_taken(struct disk_list *l, size_t at, const struct options *o)
{
	struct disk *d = &l->disk[at];
	char why[CHECK_WHY_BYTES];
	enum naming by = name_in_destroy(l, at, o, why);

	if (by == NAMING_SERIAL || by == NAMING_WWN || by == NAMING_NODE)
		refuse(d, "option destroy names it, but it is left alone");
}

void consent_decide(struct disk_list *disks, size_t first, struct options *o)
{
	enum opt_write mode = (enum opt_write)options_number(o, OPT_ID_WRITE);

	for (size_t i = first; i < disks->n; i++) {
		struct disk *d = &disks->disk[i];

		refuse(d, "");
		d->write.only_blank = false;
		text_copy(d->write.serial, sizeof(d->write.serial), d->serial);
		text_copy(d->write.wwn, sizeof(d->write.wwn), d->wwn);
	}
	if (mode != OPT_WRITE_DESTROY && options_given(o, OPT_ID_DESTROY) && first == 0)
		options_note(o, "destroy: it counts only with write=destroy: nothing is destroyed");
	if (mode == OPT_WRITE_NONE)
		return;
	if (options_text(o, OPT_ID_ROOT)[0]) {
		options_note(o, "write: option root reads a tree that may be another machine's: "
			     "nothing is written");
		return;
	}
	if (mode == OPT_WRITE_FILE) {
		scratch_decide(disks, first, o);
		return;
	}
	for (size_t i = first; i < disks->n; i++) {
		if (disks->disk[i].skip != DISK_TAKEN)
			say_not_taken(disks, i, o);
		else if (mode == OPT_WRITE_BACK)
			decide_writeback(disks, i, o);
		else if (mode == OPT_WRITE_DESTROY)
			decide_destroy(disks, i, o);
	}
	if (mode == OPT_WRITE_DESTROY && first == 0) {
		name_note_strangers(disks, o);
		if (options_number(o, OPT_ID_DESTROY) == 0)
			options_note(o, "write: destroy needs each disk named by option destroy: "
				     "nothing is destroyed");
	}
}

const char *consent_option_line(const struct disk *d, char *line, size_t line_bytes)
{
	const char *name = d->serial;
	struct disk copy = *d;
	int n;

	/* before any decision too, and as it may be shown now: a redacted name allows nothing */
	text_copy(copy.write.serial, sizeof(copy.write.serial), d->serial);
	text_copy(copy.write.wwn, sizeof(copy.write.wwn), d->wwn);
	line[0] = '\0';
	if (name_is_node_kind(d) && d->skip == DISK_TAKEN) {
		snprintf(line, line_bytes, "--write destroy --disks %s --destroy %s", d->name,
			 d->name);
		return line;
	}
	if (d->identity_is_path || d->skip != DISK_TAKEN)
		return line;
	/* one serial number stands for all namespaces of an NVMe disk, a WWN for one */
	if (name_wwn_is_usable(&copy) &&
	    (!name_serial_is_usable(&copy) || strncmp(d->identity, "serial:", 7) != 0))
		name = name_serial_is_usable(&copy) && strncmp(d->name, "nvme", 4) != 0 ?
		       d->serial : d->wwn;
	else if (!name_serial_is_usable(&copy))
		return line;
	n = snprintf(line, line_bytes, strpbrk(name, " ") ?
		     "bench.write=destroy bench.destroy=\"%s\"" :
		     "bench.write=destroy bench.destroy=%s", name);
	if (n < 0 || (size_t)n >= line_bytes)
		line[0] = '\0';
	return line;
}

const char *consent_say(const struct disk *d, char *text, size_t text_bytes)
{
	static const char *const does[CONSENT_COUNT] = {
		[CONSENT_NONE] = "read only",
		[CONSENT_FILE] = "read only, but for a scratch file on its file system",
		[CONSENT_WRITEBACK] = "written with the same data it holds",
		[CONSENT_DESTROY] = "ALL DATA ON IT WILL BE DESTROYED",
	};
	char line[CONSENT_LINE_BYTES];
	int n = snprintf(text, text_bytes, "%s%s%s", does[d->consent],
			 d->consent_why[0] ? ": " : "", d->consent_why);

	if (d->consent == CONSENT_NONE && n > 0 && (size_t)n < text_bytes &&
	    consent_option_line(d, line, sizeof(line))[0])
		snprintf(text + n, text_bytes - (size_t)n, "; to allow writing: %s", line);
	return text;
}

unsigned consent_countdown_s(const struct disk_list *disks, size_t first)
{
	for (size_t i = first; i < disks->n; i++)
		if (disks->disk[i].skip == DISK_TAKEN &&
		    disks->disk[i].consent == CONSENT_DESTROY)
			return CONSENT_COUNTDOWN_S;
	return 0;
}

const char *consent_summary(const struct disk_list *disks, const struct options *o, char *text,
			    size_t text_bytes)
{
	static const char *const granted[CONSENT_COUNT] = {
		[CONSENT_FILE] = "a scratch file is written",
		[CONSENT_WRITEBACK] = "the same data is written back",
		[CONSENT_DESTROY] = "all data may be overwritten",
	};
	enum disk_consent kind = CONSENT_NONE;
	size_t yes = 0, no = 0;
	char asked[96];

	if (options_number(o, OPT_ID_WRITE) == OPT_WRITE_NONE) {
		snprintf(text, text_bytes, "none: disks are opened read-only");
		return text;
	}
	options_shown(o, OPT_ID_WRITE, asked, sizeof(asked));
	for (size_t i = 0; i < disks->n; i++) {
		const struct disk *d = &disks->disk[i];

		yes += d->consent != CONSENT_NONE;
		no += d->consent == CONSENT_NONE && d->skip == DISK_TAKEN;
		if (d->consent != CONSENT_NONE)
			kind = d->consent;
	}
	if (!yes)
		snprintf(text, text_bytes, "%s was asked, and refused: disks are opened read-only",
			 asked);
	else
		snprintf(text, text_bytes, "%s was asked: on %zu disk%s %s, %zu %s only read",
			 asked, yes, yes == 1 ? "" : "s", granted[kind], no,
			 no == 1 ? "is" : "are");
	return text;
}
