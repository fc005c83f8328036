/* SPDX-License-Identifier: MIT */
/* From a row of the block tests to the job that measures it. */
#include <stdio.h>
#include <string.h>

#include "bench/tests/block.h"
#include "bench/tests/numbers.h"
#include "lib/clock.h"

#define RAMP_SHARE 10			/* of the budget, at most RAMP_MAX_NS */
#define RAMP_MAX_NS (2 * NS_PER_S)
/*
 * Limiters (block cgroups, cloud volumes) hand out credit at round intervals, 100 ms or 1 s. The
 * window opens with a reply, so at the start of a burst; were it as long as a multiple of the
 * interval, it would end just where another begins, now with that one counted and now without.
 */
#define OFF_BEAT_NS (47 * NS_PER_MS)
#define SERIES_STEP_NS (100 * NS_PER_MS)	/* intervals are whole multiples of it */
#define SERIES_POINTS 50		/* aimed at, where the run is long enough */

#define STEADY_SHARE 0.01		/* half the confidence interval of the mean rate */
#define STEADY_MIN_NS (3 * NS_PER_S)
/* Random reads of an area so many times as large as the cache find next to nothing in it. */
#define CACHE_AREAS 16
#define DISK_CACHE_BYTES (UINT64_C(512) << 20)
#define HOST_CACHE_BYTES (UINT64_C(8) << 30)
#define PAGE_BYTES 4096			/* a buffer takes at least one */
#define PART_STEP_BYTES (UINT64_C(1) << 20)

uint64_t block_cache_bytes(const struct disk *disk)
{
	/* with a controller or a whole host behind them */
	static const char *const behind[] = { "raid", "virtio", "hyperv", "xen" };

	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++)
		if (!strcmp(disk->transport, behind[i]))
			return HOST_CACHE_BYTES;
	return DISK_CACHE_BYTES;
}

/* FNV-1a, 32 bits: each test reads blocks of its own, so that none warms a cache for the next. */
static uint32_t seed_of(const char *name)
{
	uint32_t hash = 2166136261U;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619U;
	return hash;
}

static void set_area(const struct test_context *c, struct io_job *job)
{
	const struct block_param *param = c->test->param;
	uint64_t offset_bytes, bytes, part_bytes;

	numbers_area(c, &offset_bytes, &bytes);
	part_bytes = bytes / 2 / PART_STEP_BYTES * PART_STEP_BYTES;
	if (part_bytes > BLOCK_PART_MAX_BYTES)
		part_bytes = BLOCK_PART_MAX_BYTES;
	/* where half of it is too little to measure, it fits any cache anyway */
	if (param->part != BLOCK_WHOLE && part_bytes / param->block_bytes >= BLOCK_BLOCKS_MIN) {
		offset_bytes += param->part == BLOCK_SECOND ? part_bytes : 0;
		bytes = part_bytes;
	}
	job->area_offset_bytes = offset_bytes;
	job->area_bytes = bytes / param->block_bytes * param->block_bytes;
}

static void add_note(char *note, size_t note_bytes, const char *what, uint32_t used, uint32_t asked,
		     const char *cause)
{
	size_t len = strlen(note);

	if (len < note_bytes)
		snprintf(note + len, note_bytes - len, "%s%s %u instead of %u: %s",
			 len ? "; " : "", what, used, asked, cause);
}

/* Threads first: more of them than CPUs measure the scheduler. Then what all of them hold. */
static void set_depth(const struct test_context *c, uint32_t cpus, struct io_job *job, char *note,
		      size_t note_bytes)
{
	static const char memory[] =
		"more buffers would not fit into a quarter of the free memory";
	const struct block_param *param = c->test->param;
	uint32_t asked = param->jobs ? param->jobs : 1, held;
	uint64_t blocks = job->area_bytes / param->block_bytes, room = UINT64_MAX;
	const char *cause = NULL;

	note[0] = '\0';
	held = param->block_bytes > PAGE_BYTES ? param->block_bytes : PAGE_BYTES;
	if (c->memory_bytes)
		room = c->memory_bytes / held;
	job->jobs = asked;
	if (job->jobs > cpus) {
		job->jobs = cpus ? cpus : 1;
		cause = "there are no more CPUs";
	}
	if (job->jobs > room) {
		job->jobs = room ? (uint32_t)room : 1;
		cause = memory;
	}
	if (job->jobs < asked)
		add_note(note, note_bytes, "threads:", job->jobs, asked, cause);
	asked = job->depth = param->depth;
	if (blocks < job->depth) {
		job->depth = (uint32_t)blocks;
		cause = "the area holds no more such blocks";
	}
	if (room / job->jobs < job->depth) {
		job->depth = room / job->jobs ? (uint32_t)(room / job->jobs) : 1;
		cause = memory;
	}
	if (job->depth < asked)
		add_note(note, note_bytes, "queue depth", job->depth, asked, cause);
}

/*
 * Not before more than the caches hold went over the wire. Random reads of an area far larger than
 * they are need not wait: of what they hold next to nothing is asked for again.
 */
static void set_steady(const struct test_context *c, struct io_job *job)
{
	uint64_t cache_bytes = block_cache_bytes(c->disk);
	bool passes_by = job->access == IO_READ && job->order != IO_SEQUENTIAL &&
			 job->area_bytes / CACHE_AREAS >= cache_bytes;

	if (!c->may_end_early || job->bytes_max)
		return;
	job->steady = (struct io_steady) {
		.share = STEADY_SHARE,
		.min_ns = STEADY_MIN_NS,
		.min_bytes = passes_by ? 0 : cache_bytes,
	};
}

void block_job(const struct test_context *c, uint32_t cpus, struct io_job *job, char *note,
	       size_t note_bytes)
{
	const struct block_param *param = c->test->param;
	uint64_t ramp_ns = param->once ? 0 : c->budget_ns / RAMP_SHARE;
	uint64_t off_beat_ns = c->budget_ns >= NS_PER_S ? OFF_BEAT_NS : 0;

	if (ramp_ns > RAMP_MAX_NS)
		ramp_ns = RAMP_MAX_NS;
	*job = (struct io_job) {
		.fd = param->access == IO_READ ? c->fd : c->write_fd,
		.engine = param->engine ? param->engine : "libaio",
		.access = param->access,
		.order = param->order,
		.block_bytes = param->block_bytes,
		.align_bytes = c->disk->logical_block_bytes,
		.numa_node = c->disk->numa_node,
		.ramp_ns = ramp_ns,
		.runtime_ns = c->budget_ns - ramp_ns - off_beat_ns,
		.total_ns = c->budget_ns,
		.stall_ns = c->stall_ns,
		.seed = seed_of(c->test->name),
		.progress = c->progress,
		.gate = c->gate,
		.context = c->progress_context,
	};
	set_area(c, job);
	set_depth(c, cpus, job, note, note_bytes);
	if (param->once)
		job->bytes_max = job->area_bytes;
	job->series_ns = (job->runtime_ns / SERIES_POINTS + SERIES_STEP_NS - 1) / SERIES_STEP_NS *
			 SERIES_STEP_NS;
	set_steady(c, job);
}

uint64_t block_written_bytes(const struct io_job *job, const struct io_outcome *out)
{
	uint64_t bytes = out->issued_ios, ahead_bytes = (uint64_t)job->depth * job->block_bytes;
	uint64_t blocks = job->area_bytes / job->block_bytes, bad_bytes;

	/* what never came back is among the last `depth` that were begun */
	if (out->unanswered_ios)
		bytes = bytes > job->depth ? bytes - job->depth : 0;
	bytes = (bytes < blocks ? bytes : blocks) * job->block_bytes;
	if (out->error_ios + out->short_ios + out->zero_ios && !out->error_n)
		return 0;
	/*
	 * The first failure of each kind by time: one that came back later may lie before it, by
	 * less than what was in flight.
	 */
	for (uint32_t i = 0; i < out->error_n; i++) {
		bad_bytes = out->error[i].first_offset_bytes - job->area_offset_bytes;
		bad_bytes = bad_bytes > ahead_bytes ? bad_bytes - ahead_bytes : 0;
		bytes = bytes < bad_bytes ? bytes : bad_bytes;
	}
	return bytes;
}
