/* SPDX-License-Identifier: MIT */
/* Sentences for the ends of an I/O job; see io_verdict.h. */
#include "bench/tests/io_verdict.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct errno_row {
	int err;
	const char *name;
	const char *meaning;	/* in this place: of a read or write of a block device */
	const char *end;	/* where not NULL: behind the meaning, and "read" or "write" */
};

/* What a job does. */
static const struct access_words {
	const char *verb, *one, *many;
} access_words[] = {
	[IO_READ] = { "read", "read", "reads" },
	[IO_WRITE] = { "write", "write", "writes" },
	[IO_MIX] = { "read or write", "I/O", "I/Os" },
};

static const struct errno_row errno_table[] = {
	{ 0, "too few bytes", "", NULL },
	{ EIO, "EIO", "the device could not ", " there" },
	{ ENODATA, "ENODATA", "a medium error: the data there is lost", NULL },
	{ EILSEQ, "EILSEQ", "the data there failed its integrity check", NULL },
	{ EREMOTEIO, "EREMOTEIO", "the device reported a target failure", NULL },
	{ EINVAL, "EINVAL", "the device does not ", " in this size or alignment" },
	{ ENODEV, "ENODEV", "no such device any more", NULL },
	{ ENXIO, "ENXIO", "no such device any more", NULL },
	{ ENOMEDIUM, "ENOMEDIUM", "no medium", NULL },
	{ ENOLINK, "ENOLINK", "the link to the device is down", NULL },
	{ ETIMEDOUT, "ETIMEDOUT", "the device did not answer the kernel in time", NULL },
	{ ENOSPC, "ENOSPC", "out of space", NULL },
	{ EROFS, "EROFS", "it is read-only", NULL },
	{ EBADF, "EBADF", "it is not open for that", NULL },
	{ EBADE, "EBADE", "a conflict on the device's reservation", NULL },
	{ EOPNOTSUPP, "EOPNOTSUPP", "not supported", NULL },
	{ EAGAIN, "EAGAIN", "the kernel had no room for the request", NULL },
	{ ENOMEM, "ENOMEM", "out of memory", NULL },
	{ ENOSYS, "ENOSYS", "this kernel was built without it", NULL },
	{ EPERM, "EPERM", "not permitted", NULL },
};

/* Appends to a text that may be full already. */
__attribute__((format(printf, 3, 4)))
static void add(char *text, size_t bytes, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;

	if (used + 1 >= bytes)
		return;
	va_start(args, fmt);
	vsnprintf(text + used, bytes - used, fmt, args);
	va_end(args);
}

static void add_error(char *text, size_t bytes, const struct access_words *w, int err)
{
	for (size_t i = 0; i < sizeof(errno_table) / sizeof(errno_table[0]); i++) {
		const struct errno_row *row = &errno_table[i];

		if (row->err != err)
			continue;
		add(text, bytes, "%s", row->name);
		if (row->end)
			add(text, bytes, " (%s%s%s)", row->meaning, w->verb, row->end);
		else if (row->meaning[0])
			add(text, bytes, " (%s)", row->meaning);
		return;
	}
	add(text, bytes, "error %d (%s)", err, strerror(err));
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static uint64_t bad_ios(const struct io_outcome *out)
{
	return out->error_ios + out->short_ios + out->zero_ios;
}

/* "3 of 900 reads failed: 2 with EIO (...), first at byte 4096; 1 with too few bytes, first ..." */
static void add_bad(char *text, size_t bytes, const struct access_words *w,
		    const struct io_outcome *out)
{
	add(text, bytes, "%" PRIu64 " of %" PRIu64 " %s failed", bad_ios(out), out->issued_ios,
	    w->many);
	for (uint32_t i = 0; i < out->error_n; i++) {
		const struct io_error *e = &out->error[i];

		add(text, bytes, "%s %" PRIu64 " with ", i ? ";" : ":", e->count);
		add_error(text, bytes, w, e->err);
		add(text, bytes, ", first at byte %" PRIu64, e->first_offset_bytes);
	}
}

static void add_setup(char *text, size_t bytes, const struct access_words *w,
		      const struct io_outcome *out)
{
	add(text, bytes, "the %s could not be started: %s: ", w->many, out->setup_what);
	add_error(text, bytes, w, out->setup_errno);
	if (out->note[0])
		add(text, bytes, "; %s", out->note);
}

static void add_stall(char *text, size_t bytes, const struct access_words *w,
		      const struct io_outcome *out)
{
	add(text, bytes, "the device stopped answering in second %.1f: ", seconds(out->trouble_ns));
	if (out->unanswered_ios)
		add(text, bytes, "%" PRIu64 " %s without a reply for %.1f s", out->unanswered_ios,
		    out->unanswered_ios == 1 ? w->one : w->many, seconds(out->silent_ns));
	else
		add(text, bytes, "one of the %s took longer than %.1f s", w->many,
		    seconds(out->silent_ns));
	if (bad_ios(out)) {
		add(text, bytes, "; ");
		add_bad(text, bytes, w, out);
	}
}

static void add_vanished(char *text, size_t bytes, const struct access_words *w,
			 const struct io_outcome *out)
{
	add(text, bytes, "the device is gone since second %.1f: ", seconds(out->trouble_ns));
	if (out->zero_ios)
		add(text, bytes, "%s below its end return 0 bytes", w->many);
	else
		add_bad(text, bytes, w, out);
}

static void add_shrunk(char *text, size_t bytes, const struct access_words *w,
		       const struct io_outcome *out)
{
	add(text, bytes, "the device has become smaller by second %.1f: ",
	    seconds(out->trouble_ns));
	add_bad(text, bytes, w, out);
}

enum result_status io_verdict(const struct io_job *job, const struct io_outcome *out, char *why,
			      size_t why_bytes)
{
	const struct access_words *w = &access_words[job->access];
	uint64_t bad = bad_ios(out);

	why[0] = '\0';
	switch (out->end) {
	case IO_END_TIME:
	case IO_END_BYTES:
	case IO_END_STEADY:
	case IO_END_ENOUGH:
		add(why, why_bytes, "%s%s", out->note, out->note[0] && bad ? "; " : "");
		if (bad)
			add_bad(why, why_bytes, w, out);
		return bad > out->issued_ios / IO_VERDICT_BAD_SHARE ? RESULT_FAILED : RESULT_OK;
	case IO_END_NO_IO:
		add(why, why_bytes,
		    "not one of the %s was answered within the %.1f s it was measured", w->many,
		    seconds(job->runtime_ns));
		return RESULT_FAILED;
	case IO_END_VANISHED:
		add_vanished(why, why_bytes, w, out);
		return RESULT_FAILED;
	case IO_END_SHRUNK:
		add_shrunk(why, why_bytes, w, out);
		return RESULT_FAILED;
	case IO_END_ERRORS:
		if (out->ios)
			add(why, why_bytes, "gave up in second %.1f, when %s only failed: ",
			    seconds(out->trouble_ns), w->many);
		add_bad(why, why_bytes, w, out);
		return RESULT_FAILED;
	case IO_END_STALLED:
		add_stall(why, why_bytes, w, out);
		return RESULT_FAILED;
	case IO_END_SETUP:
		add_setup(why, why_bytes, w, out);
		return RESULT_FAILED;
	case IO_END_COUNT:
		break;
	}
	add(why, why_bytes, "ended in a way that has no name (%d)", (int)out->end);
	return RESULT_FAILED;
}
