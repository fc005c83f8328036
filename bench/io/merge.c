/* SPDX-License-Identifier: MIT */
/* The outcomes of a job's threads as one; see merge.h. */
#include "bench/io/merge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The highest one of all threads is the job's: what ended it before its time. */
static const unsigned char severity[IO_END_COUNT] = {
	[IO_END_BYTES] = 0,
	[IO_END_STEADY] = 1,
	[IO_END_TIME] = 2,
	[IO_END_NO_IO] = 3,
	[IO_END_ERRORS] = 4,
	[IO_END_STALLED] = 5,
	[IO_END_SHRUNK] = 6,
	[IO_END_VANISHED] = 7,
	[IO_END_SETUP] = 8,
};

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void io_merge_note(struct io_outcome *out, const char *fmt, ...)
{
	char text[IO_NOTE_BYTES];
	size_t used = strlen(out->note);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!strstr(out->note, text))
		snprintf(out->note + used, sizeof(out->note) - used, "%s%s", used ? "; " : "",
			 text);
}

static void merge_end_of(struct io_outcome *sum, const struct io_outcome *part)
{
	bool worse = severity[part->end] > severity[sum->end];
	bool earlier = part->end == sum->end && part->trouble_ns &&
		       (!sum->trouble_ns || part->trouble_ns < sum->trouble_ns);

	if (worse || earlier)
		sum->trouble_ns = part->trouble_ns;
	if (!worse)
		return;
	sum->end = part->end;
	sum->setup_errno = part->setup_errno;
	memcpy(sum->setup_what, part->setup_what, sizeof(sum->setup_what));
}

static void merge_errors(struct io_outcome *sum, const struct io_outcome *part)
{
	for (uint32_t i = 0; i < part->error_n; i++) {
		const struct io_error *from = &part->error[i];
		uint32_t at = 0;

		while (at < sum->error_n && sum->error[at].err != from->err)
			at++;
		if (at == IO_ERRORS_MAX)
			continue;
		if (at == sum->error_n)
			sum->error[sum->error_n++] = *from;
		else
			sum->error[at].count += from->count;
	}
}

static void merge_series(struct io_outcome *sum, const struct io_outcome *part)
{
	if (part->series_n < sum->series_n)
		sum->series_n = part->series_n;
	for (uint32_t i = 0; i < sum->series_n; i++)
		sum->series_bytes[i] += part->series_bytes[i];
	sum->series_lost = larger(sum->series_lost, part->series_lost);
}

static void merge_detail(struct io_outcome *sum, const struct io_outcome *part)
{
	for (size_t i = 0; i < IO_SIDES; i++) {
		struct io_side *side = &sum->side[i];

		side->ios += part->side[i].ios;
		side->bytes += part->side[i].bytes;
		moments_merge(&side->slat, &part->side[i].slat);
		moments_merge(&side->lat, &part->side[i].lat);
		hist_merge(&side->clat, &part->side[i].clat);
	}
	for (size_t i = 0; i < IO_MAP_N; i++) {
		sum->depth_map[i] += part->depth_map[i];
		sum->submit_map[i] += part->submit_map[i];
		sum->complete_map[i] += part->complete_map[i];
	}
}

/*
 * The time in which both together did what they did, each at the rate of its own window: these
 * differ where a thread ended before the others. A job that ends with its bytes took the longest.
 */
static uint64_t merged_time_ns(const struct io_outcome *sum, const struct io_outcome *part)
{
	double rate;

	if (sum->end == IO_END_BYTES || part->end == IO_END_BYTES)
		return larger(sum->measured_ns, part->measured_ns);
	if (!sum->ios || !part->ios || !sum->measured_ns || !part->measured_ns)
		return sum->ios ? sum->measured_ns : part->ios ? part->measured_ns :
		       larger(sum->measured_ns, part->measured_ns);
	rate = (double)sum->ios / (double)sum->measured_ns +
	       (double)part->ios / (double)part->measured_ns;
	return (uint64_t)llround(((double)sum->ios + (double)part->ios) / rate);
}

void io_merge_add(struct io_outcome *sum, const struct io_outcome *part, bool first)
{
	double ios;

	if (first) {
		*sum = *part;
		sum->jobs_used = 1;
		return;
	}
	merge_end_of(sum, part);
	if (part->note[0])
		io_merge_note(sum, "%s", part->note);
	ios = (double)sum->ios + (double)part->ios;
	if (ios > 0)
		sum->clock_error_mean_ns =
			sum->clock_error_mean_ns * ((double)sum->ios / ios) +
			part->clock_error_mean_ns * ((double)part->ios / ios);
	sum->clock_error_ns = larger(sum->clock_error_ns, part->clock_error_ns);
	sum->depth_used = part->depth_used < sum->depth_used ? part->depth_used : sum->depth_used;
	sum->measured_ns = merged_time_ns(sum, part);
	sum->ios += part->ios;
	sum->bytes += part->bytes;
	sum->issued_ios += part->issued_ios;
	sum->short_ios += part->short_ios;
	sum->zero_ios += part->zero_ios;
	sum->error_ios += part->error_ios;
	sum->unanswered_ios += part->unanswered_ios;
	sum->silent_ns = larger(sum->silent_ns, part->silent_ns);
	merge_errors(sum, part);
	sum->sampled_buffers += part->sampled_buffers;
	sum->zero_buffers += part->zero_buffers;
	sum->user_cpu_ns += part->user_cpu_ns;
	sum->system_cpu_ns += part->system_cpu_ns;
	hist_merge(&sum->lat, &part->lat);
	sum->jobs_used++;
	sum->context_switches += part->context_switches;
	sum->minor_faults += part->minor_faults;
	sum->major_faults += part->major_faults;
	merge_detail(sum, part);
	sum->huge_pages = sum->huge_pages && part->huge_pages;
	merge_series(sum, part);
}

void io_merge_end(struct io_outcome *sum)
{
	/* a thread that waited in vain while others did not is a slow device, and counted */
	if (sum->end == IO_END_NO_IO && sum->ios) {
		sum->end = IO_END_TIME;
		sum->trouble_ns = 0;
	}
}
