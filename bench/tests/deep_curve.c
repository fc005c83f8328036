/* SPDX-License-Identifier: MIT */
/*
 * The read rate over the disk, as gnome-curve draws it, but with as many reads in flight as a fast
 * disk needs to show what it can: at each place, up to 64 MiB in blocks of 256 KiB, 32 at once. The
 * clock starts with the first one that comes back, so that no seek is in it.
 */
#include "bench/tests/deep_curve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/stats/summary.h"
#include "bench/tests/io_verdict.h"
#include "bench/tests/numbers.h"
#include "lib/clock.h"

#define BLOCKS_MIN 8			/* at a place: fewer say nothing */
#define PLACES_MIN 4
#define PLACE_MIN_NS (60 * NS_PER_MS)	/* budget of a place, at least */
#define PLACE_MAX_NS (2 * NS_PER_S)
#define STALL_SHARE 4	/* of the stall time, in which all that is in flight is back */

static enum result_status fits(const struct test *test, const struct disk *disk, char *why,
			       size_t why_bytes)
{
	uint64_t least = (uint64_t)PLACES_MIN * BLOCKS_MIN * DEEP_CURVE_BLOCK_BYTES;
	uint32_t logical = disk->logical_block_bytes;

	(void)test;
	why[0] = '\0';
	if (!logical || logical % 512 || DEEP_CURVE_BLOCK_BYTES % logical) {
		snprintf(why, why_bytes, "reads of 256 KiB do not fit its logical blocks of %"
			 PRIu32 " bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < least) {
		snprintf(why, why_bytes, "a disk of %" PRIu64 " bytes is smaller than the %" PRIu64
			 " this test needs", disk->size_bytes, least);
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

struct curve {
	struct io_job job;	/* of all places; the area is the whole */
	uint32_t places, depth;
	uint64_t apart_bytes, place_bytes;
	uint64_t area_offset_bytes, area_bytes, end_ns;
	struct series *series;
	uint32_t bad_places;
	double value[DEEP_CURVE_PLACES];
	uint32_t value_n;
};

static void prepare(struct curve *v, const struct test_context *c)
{
	uint64_t least = (uint64_t)BLOCKS_MIN * DEEP_CURVE_BLOCK_BYTES;
	uint64_t room = c->memory_bytes / DEEP_CURVE_BLOCK_BYTES;

	memset(v, 0, sizeof(*v));
	numbers_area(c, &v->area_offset_bytes, &v->area_bytes);
	v->places = v->area_bytes / least < DEEP_CURVE_PLACES ? (uint32_t)(v->area_bytes / least) :
								DEEP_CURVE_PLACES;
	v->apart_bytes = v->area_bytes / v->places / c->disk->logical_block_bytes *
			 c->disk->logical_block_bytes;
	v->place_bytes = v->apart_bytes < DEEP_CURVE_PLACE_BYTES ? v->apart_bytes :
								   DEEP_CURVE_PLACE_BYTES;
	v->place_bytes -= v->place_bytes % DEEP_CURVE_BLOCK_BYTES;
	v->depth = DEEP_CURVE_DEPTH;
	if (c->memory_bytes && room < v->depth)
		v->depth = room ? (uint32_t)room : 1;
	v->end_ns = clock_ns() + c->budget_ns;
	v->job = (struct io_job) {
		.fd = c->fd, .engine = "libaio", .access = IO_READ, .order = IO_SEQUENTIAL,
		.block_bytes = DEEP_CURVE_BLOCK_BYTES, .align_bytes = c->disk->logical_block_bytes,
		.numa_node = c->disk->numa_node, .stall_ns = c->stall_ns,
		.runtime_ns = c->budget_ns / v->places,
		.progress = c->progress, .context = c->progress_context,
	};
	if (v->job.runtime_ns < PLACE_MIN_NS)
		v->job.runtime_ns = PLACE_MIN_NS;
	if (v->job.runtime_ns > PLACE_MAX_NS)
		v->job.runtime_ns = PLACE_MAX_NS;
}

/*
 * One block at the first place: what all of them in flight would take has to stay far below the
 * time after which a disk counts as silent.
 */
static void fit_depth(struct curve *v, struct io_outcome *out)
{
	struct io_job job = v->job;
	uint64_t each_ns;

	job.area_offset_bytes = v->area_offset_bytes;
	job.area_bytes = job.bytes_max = DEEP_CURVE_BLOCK_BYTES;
	job.depth = 1;
	job.runtime_ns = v->job.stall_ns / STALL_SHARE;
	(void)io_job_run(&job, out);
	each_ns = out->ios ? out->lat.max_ns : job.runtime_ns;
	while (v->depth > 1 && each_ns * v->depth > v->job.stall_ns / STALL_SHARE)
		v->depth /= 2;
}

/* Reads at a place. Returns false where there is nothing more to be had of the disk. */
static bool take_place(struct curve *v, uint32_t n, struct result *r)
{
	static struct io_outcome out;
	struct io_job job = v->job;
	uint64_t offset_bytes = v->area_offset_bytes + n * v->apart_bytes;
	uint32_t half = (uint32_t)(v->place_bytes / DEEP_CURVE_BLOCK_BYTES / 2);
	double rate;

	job.area_offset_bytes = offset_bytes;
	job.area_bytes = v->place_bytes;
	job.depth = half < v->depth ? half : v->depth;
	/* those that come back first open the window and are not in it; nothing is read twice */
	job.ramp_ns = 1;
	job.bytes_max = v->place_bytes - (uint64_t)job.depth * DEEP_CURVE_BLOCK_BYTES;
	(void)io_job_run(&job, &out);
	numbers_add_outcome(&r->io, &out);
	if (!numbers_can_go_on(out.end))
		return false;
	if (out.error_ios || out.short_ios || out.zero_ios || !out.ios || !out.measured_ns) {
		v->bad_places++;
		return true;
	}
	rate = (double)out.bytes * 1e9 / (double)out.measured_ns;
	series_add(v->series, (double)offset_bytes, rate);
	v->value[v->value_n++] = rate;
	return true;
}

static void set_parameters(struct result *r, const struct curve *v)
{
	snprintf(r->engine, sizeof(r->engine), "%s", v->job.engine);
	snprintf(r->access, sizeof(r->access), "read");
	snprintf(r->order, sizeof(r->order), "sequential");
	snprintf(r->via, sizeof(r->via), "device");
	r->block_bytes = DEEP_CURVE_BLOCK_BYTES;
	r->depth = v->depth;
	r->depth_asked = DEEP_CURVE_DEPTH;
	r->jobs = 1;
	r->area_offset_bytes = v->area_offset_bytes;
	r->area_bytes = v->area_bytes;
	r->has_io = true;
}

static void conclude(struct curve *v, struct result *r)
{
	char why[RESULT_REASON_BYTES], note[120] = "";
	uint32_t taken = v->value_n + v->bad_places;
	bool whole = numbers_can_go_on(r->io.end);
	struct metric *m;

	if (whole && r->io.end != IO_END_ERRORS)
		r->io.end = IO_END_TIME;
	(void)io_verdict(&v->job, &r->io, why, sizeof(why));
	if (v->depth < DEEP_CURVE_DEPTH)
		snprintf(note, sizeof(note), "%" PRIu32 " in flight instead of %u", v->depth,
			 DEEP_CURVE_DEPTH);
	if (whole && taken < DEEP_CURVE_PLACES)
		snprintf(note + strlen(note), sizeof(note) - strlen(note), "%s%" PRIu32
			 " places instead of %u: the %s", note[0] ? "; " : "", taken,
			 DEEP_CURVE_PLACES,
			 v->places < DEEP_CURVE_PLACES ? "area is small" :
							 "time was too short for more");
	if (!whole || !v->value_n || v->bad_places > v->value_n) {
		result_end(r, RESULT_FAILED, "%s; the %" PRIu32 " places before are kept", why,
			   v->value_n);
		return;
	}
	result_end(r, RESULT_OK, "%s%s%s", note, note[0] && why[0] ? "; " : "", why);
	m = result_metric(r, "throughput", UNIT_BYTES_PER_S, stats_mean(v->value, v->value_n));
	metric_samples(m, v->value, v->value_n);
	(void)numbers_latency(r, &r->io.lat);
	(void)result_metric(r, "errors", UNIT_COUNT,
			    (double)(r->io.error_ios + r->io.short_ios + r->io.zero_ios));
}

static void run(const struct test_context *c, struct result *r)
{
	static struct io_outcome probe;
	char why[RESULT_REASON_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));
	struct curve v;
	uint64_t began_ns = clock_ns();
	double n = 0;

	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	prepare(&v, c);
	fit_depth(&v, &probe);
	v.series = result_series(r, "transfer", UNIT_BYTES, UNIT_BYTES_PER_S);
	hist_init(&r->io.lat);
	if (!numbers_can_go_on(probe.end) && probe.end != IO_END_NO_IO) {
		numbers_add_outcome(&r->io, &probe);
	} else {
		began_ns = clock_ns();
		for (uint64_t taken = 1; n < v.places; taken++) {
			uint64_t now_ns;

			if (!take_place(&v, (uint32_t)n, r))
				break;
			now_ns = clock_ns();
			n = numbers_next_place(n, v.places,
					       v.end_ns > now_ns ? v.end_ns - now_ns : 0,
					       (now_ns - began_ns) / taken);
		}
	}
	set_parameters(r, &v);
	conclude(&v, r);
}

const struct test test_deep_curve = {
	.name = "deep-curve",
	.family = "",
	.title = "read curve 256 KiB, QD 32",
	.help = "The read rate at 100 places over the disk, up to 64 MiB at each, in blocks of 256 "
		"KiB with 32 in flight: the curve that a fast disk really has.",
	.access = TEST_READS, .rank = 50,
	.time = { { 0, 0 }, { 6000, 20000 }, { 6000, 60000 } },
	.fits = fits, .run = run,
};
