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
	const char *meaning;	/* in this place: of a read from a block device */
};

static const struct errno_row errno_table[] = {
	{ 0, "too few bytes", "" },
	{ EIO, "EIO", "the device could not read there" },
	{ ENODATA, "ENODATA", "a medium error: the data there is lost" },
	{ EILSEQ, "EILSEQ", "the data there failed its integrity check" },
	{ EREMOTEIO, "EREMOTEIO", "the device reported a target failure" },
	{ EINVAL, "EINVAL", "the device does not take reads of this size or alignment" },
	{ ENODEV, "ENODEV", "no such device any more" },
	{ ENXIO, "ENXIO", "no such device any more" },
	{ ENOMEDIUM, "ENOMEDIUM", "no medium" },
	{ ENOLINK, "ENOLINK", "the link to the device is down" },
	{ ETIMEDOUT, "ETIMEDOUT", "the device did not answer the kernel in time" },
	{ ENOSPC, "ENOSPC", "out of space" },
	{ EBADE, "EBADE", "a conflict on the device's reservation" },
	{ EOPNOTSUPP, "EOPNOTSUPP", "not supported" },
	{ EAGAIN, "EAGAIN", "the kernel had no room for the request" },
	{ ENOMEM, "ENOMEM", "out of memory" },
	{ ENOSYS, "ENOSYS", "this kernel was built without it" },
	{ EPERM, "EPERM", "not permitted" },
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

static void add_error(char *text, size_t bytes, int err)
{
	for (size_t i = 0; i < sizeof(errno_table) / sizeof(errno_table[0]); i++) {
		const struct errno_row *row = &errno_table[i];

		if (row->err != err)
			continue;
		add(text, bytes, row->meaning[0] ? "%s (%s)" : "%s%s", row->name, row->meaning);
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
static void add_bad(char *text, size_t bytes, const struct io_outcome *out)
{
	add(text, bytes, "%" PRIu64 " of %" PRIu64 " reads failed", bad_ios(out), out->issued_ios);
	for (uint32_t i = 0; i < out->error_n; i++) {
		const struct io_error *e = &out->error[i];

		add(text, bytes, "%s %" PRIu64 " with ", i ? ";" : ":", e->count);
		add_error(text, bytes, e->err);
		add(text, bytes, ", first at byte %" PRIu64, e->first_offset_bytes);
	}
}

static void add_setup(char *text, size_t bytes, const struct io_outcome *out)
{
	add(text, bytes, "the reads could not be started: %s: ", out->setup_what);
	add_error(text, bytes, out->setup_errno);
	if (out->note[0])
		add(text, bytes, "; %s", out->note);
}

static void add_stall(char *text, size_t bytes, const struct io_outcome *out)
{
	add(text, bytes, "the device stopped answering in second %.1f: ", seconds(out->trouble_ns));
	if (out->unanswered_ios)
		add(text, bytes, "%" PRIu64 " read%s without a reply for %.1f s",
		    out->unanswered_ios, out->unanswered_ios == 1 ? "" : "s",
		    seconds(out->silent_ns));
	else
		add(text, bytes, "a read took longer than %.1f s", seconds(out->silent_ns));
	if (bad_ios(out)) {
		add(text, bytes, "; ");
		add_bad(text, bytes, out);
	}
}

static void add_vanished(char *text, size_t bytes, const struct io_outcome *out)
{
	add(text, bytes, "the device is gone since second %.1f: ", seconds(out->trouble_ns));
	if (out->zero_ios)
		add(text, bytes, "reads below its end return 0 bytes");
	else
		add_bad(text, bytes, out);
}

enum result_status io_verdict(const struct io_job *job, const struct io_outcome *out, char *why,
			      size_t why_bytes)
{
	uint64_t bad = bad_ios(out);

	why[0] = '\0';
	switch (out->end) {
	case IO_END_TIME:
	case IO_END_BYTES:
	case IO_END_STEADY:
	case IO_END_ENOUGH:
		add(why, why_bytes, "%s%s", out->note, out->note[0] && bad ? "; " : "");
		if (bad)
			add_bad(why, why_bytes, out);
		return bad > out->issued_ios / IO_VERDICT_BAD_SHARE ? RESULT_FAILED : RESULT_OK;
	case IO_END_NO_IO:
		add(why, why_bytes, "not one read was answered within the %.1f s it was measured",
		    seconds(job->runtime_ns));
		return RESULT_FAILED;
	case IO_END_VANISHED:
		add_vanished(why, why_bytes, out);
		return RESULT_FAILED;
	case IO_END_ERRORS:
		if (out->ios)
			add(why, why_bytes, "gave up in second %.1f, when reads only failed: ",
			    seconds(out->trouble_ns));
		add_bad(why, why_bytes, out);
		return RESULT_FAILED;
	case IO_END_STALLED:
		add_stall(why, why_bytes, out);
		return RESULT_FAILED;
	case IO_END_SETUP:
		add_setup(why, why_bytes, out);
		return RESULT_FAILED;
	case IO_END_COUNT:
		break;
	}
	add(why, why_bytes, "ended in a way that has no name (%d)", (int)out->end);
	return RESULT_FAILED;
}
