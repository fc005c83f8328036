/* SPDX-License-Identifier: MIT */
/*
 * dd, in the words of any language: the command that was typed, and the line it ends with. GNU dd
 * and busybox state bytes and seconds first; the rate is theirs, in their own rounding.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/import/import.h"

#define REAL "([0-9]+([.,][0-9]+)?(e[-+]?[0-9]+)?)"

/* "64k", "1M", "512" as dd reads them: k is 1024, kB 1000. 0: it is none. */
static uint64_t size_of(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	switch (*end) {
	case 'k':
	case 'K':
		v *= end[1] == 'B' ? 1000 : 1024;
		break;
	case 'M':
		v *= end[1] == 'B' ? 1e6 : 1048576;
		break;
	case 'G':
		v *= end[1] == 'B' ? 1e9 : 1073741824;
		break;
	case '\0':
		break;
	default:
		return 0;
	}
	return v > 0 && v < 1e18 ? (uint64_t)v : 0;
}

/* The operand `key` of a command, "" without. */
static void operand(const char *command, const char *key, char *value, size_t size)
{
	const char *at = command;
	size_t n = strlen(key), used = 0;

	value[0] = '\0';
	while ((at = strstr(at, key)) && at != command && at[-1] != ' ')
		at += n;
	if (!at)
		return;
	for (at += n; *at && *at != ' ' && *at != ';' && *at != '"' && used + 1 < size; at++)
		value[used++] = *at;
	value[used] = '\0';
}

/* What comes out of the file it reads, where that is known. */
static const char *data_of(const char *source)
{
	return !strcmp(source, "/dev/zero") ? "zeros" :
	       !strcmp(source, "/dev/urandom") || !strcmp(source, "/dev/random") ? "random" : "";
}

static int take_command(struct import *im, const regmatch_t *m)
{
	struct import_command *dd = &im->dd;
	char command[512], value[256];

	import_copy(im, m[0], command, sizeof(command));
	memset(dd, 0, sizeof(*dd));
	dd->known = true;
	operand(command, "bs=", value, sizeof(value));
	dd->block_bytes = value[0] ? size_of(value) : 512;
	operand(command, "count=", value, sizeof(value));
	dd->count = size_of(value);
	operand(command, "of=", value, sizeof(value));
	dd->is_read = !strcmp(value, "/dev/null");
	operand(command, "if=", value, sizeof(value));
	snprintf(dd->data, sizeof(dd->data), "%s", data_of(value));
	dd->fdatasync = strstr(command, "fdatasync") || strstr(command, "conv=fsync");
	dd->dsync = strstr(command, "dsync") && !dd->fdatasync;
	dd->direct = strstr(command, "direct") != NULL;
	dd->sync = strstr(command, "&& sync") || strstr(command, "&&sync") ||
		   strstr(command, "; sync");
	return 0;
}

/* The name our own test of the same work has; else that it is some dd. */
static const char *test_of(const struct import_command *dd)
{
	static const struct {
		const char *name;
		uint64_t block_bytes, count;
		bool is_read, fdatasync, sync;
	} own[] = {
		{ "dd-write-1g", 65536, 16384, false, true, false },
		{ "dd-write-2g", 65536, 32768, false, true, false },
		{ "dd-write-16g", 65536, 262144, false, true, false },
		{ "dd-write-8k-sync", 8192, 250000, false, false, true },
		{ "dd-read", 65536, 32768, true, false, false },
	};

	if (!dd->known)
		return "dd-other";
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (!dd->direct && !dd->dsync && own[i].block_bytes == dd->block_bytes &&
		    own[i].count == dd->count && own[i].is_read == dd->is_read &&
		    own[i].fdatasync == dd->fdatasync && own[i].sync == dd->sync &&
		    (dd->is_read || !strcmp(dd->data, "zeros")))
			return own[i].name;
	return dd->is_read ? "dd-read-other" : "dd-write-other";
}

static void describe(struct result *r, const struct import_command *dd)
{
	snprintf(r->order, sizeof(r->order), "sequential");
	r->depth = r->depth_asked = r->jobs = 1;
	if (!dd->known) {
		result_mark(r, "form-unknown", "the command is not in the text: block size, "
			    "direction and flushing are not known");
		return;
	}
	snprintf(r->access, sizeof(r->access), dd->is_read ? "read" : "write");
	snprintf(r->via, sizeof(r->via), dd->direct ? "device" : "page-cache");
	if (!dd->is_read)
		snprintf(r->data, sizeof(r->data), "%s", dd->data);
	r->block_bytes = dd->block_bytes < UINT32_MAX ? (uint32_t)dd->block_bytes : 0;
	if (dd->direct)
		return;
	if (dd->is_read)
		result_mark(r, "page-cache", "a buffered read: of a file just written it is the "
			    "speed of memory");
	else if (dd->sync)
		result_mark(r, "sync-outside", "dd's own time ends before the sync that followed: "
			    "`real` beside it, where there is one, has both");
	else if (!dd->fdatasync && !dd->dsync)
		result_mark(r, "not-flushed", "nothing was flushed: much of it may still have been "
			    "in memory");
}

static int add(struct import *im, const regmatch_t *m, double bytes, double seconds)
{
	struct import_command *dd = &im->dd;
	struct result *r;

	if (!(bytes > 0) || !(seconds > 0))
		return 0;
	im->device[0] = '\0';	/* that of an hdparm before it need not be the file's */
	r = import_add(im, test_of(dd), "dd", m);
	if (!r)
		return -ENOMEM;
	describe(r, dd);
	import_run(r, dd->known && dd->is_read && !dd->direct ? "throughput_cached" : "throughput",
		   seconds * 1e9, bytes);
	dd->known = false;	/* another line is another command's, which may not be there */
	return 0;
}

static int take_line(struct import *im, const regmatch_t *m)
{
	return add(im, m, import_number(im, m[1]), import_number(im, m[3]));
}

static int take_bsd(struct import *im, const regmatch_t *m)
{
	return add(im, m, import_number(im, m[1]), import_number(im, m[2]));
}

/* `time sh -c "dd ... && sync"`: its real time is that of both. */
static int take_real(struct import *im, const regmatch_t *m)
{
	struct result *r = im->last == SIZE_MAX ? NULL : &im->report->result[im->last];
	double seconds = 60 * import_number(im, m[1]) + import_number(im, m[2]);
	struct series *runs;

	if (!r || strcmp(r->family, "dd") || !im->dd.sync || !r->series_n || !(seconds > 0))
		return 0;
	runs = &r->series[0];
	if (runs->point_n != 1 || seconds * 1e9 < runs->point[0].x)
		return 0;
	runs->point[0].x = seconds * 1e9;
	runs->point_n = 0;
	import_run(r, "throughput", seconds * 1e9, runs->point[0].y);
	r->mark_n = 0;
	result_end(r, RESULT_OK, "timed from outside, the sync included: %.10g s", seconds);
	return 0;
}

#define SIZES "\\([0-9.,]+ ?[kKMGTP]?i?B(, ?[0-9.,]+ ?[kKMGTP]?i?B)?\\)"

const struct import_pattern import_dd[] = {
	{ "dd command", "dd( +(if|of|bs|ibs|obs|count|conv|[io]flag|seek|skip|status)=[^ \n\"]+)+"
	  "( *(&&|;) *sync)?", take_command },
	{ "dd", "([0-9]+) ?[^0-9(\n]{1,24}" SIZES "[^0-9\n]{1,40}" REAL
	  " ?(s|sec[a-z]*|[^0-9, \n]{1,8})?, *[0-9.,]+ ?[kKMGT]?B/s", take_line },
	{ "dd of BSD", "([0-9]+) bytes transferred in ([0-9.]+) secs", take_bsd },
	{ "real", "real +([0-9]+)m([0-9.,]+)s", take_real },
};
const size_t import_dd_n = sizeof(import_dd) / sizeof(import_dd[0]);
