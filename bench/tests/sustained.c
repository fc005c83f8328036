/* SPDX-License-Identifier: MIT */
/*
 * Sustained write: sequential writes at full speed until the disk slows down and its new level is
 * known, then ever longer pauses, each with a burst that shows how much of the fast speed is back.
 *
 * The writing is one job, without a gap in which the disk could recover: its caller looks at each
 * interval and ends it. A burst ends when it has fallen back to the slow level, so that the next
 * pause begins with an exhausted disk again and each pause is an experiment of its own; where one
 * had to end before that, its bytes and its pause are added to those of the next.
 *
 * It writes over the whole disk: the same few gigabytes again and again would never fill some
 * caches. Where the disk was written to before it rests first, and the result says so.
 */
#include "bench/tests/sustained.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/io/engine.h"
#include "bench/report/units.h"
#include "bench/stats/pace.h"
#include "bench/sys/disk_stat.h"
#include "bench/sys/temperature.h"
#include "bench/tests/io_verdict.h"
#include "lib/clock.h"

#define BLOCK_BYTES (UINT32_C(256) << 10)
#define DEPTH 32
#define AREA_MIN_BYTES (UINT64_C(64) << 20)	/* nobody writes to a smaller disk for long */
#define CHECK_INTERVALS 10		/* so often the drop is looked for: once per second */
#define WRITE_SHARE 60			/* percent of the budget, at most */
#define BURST_MIN_NS NS_PER_S	/* with less time left there is no burst */
#define BURST_MAX_NS (30 * NS_PER_S)
#define DRAIN_MAX_NS (5 * NS_PER_S)	/* kept for what is in flight at the end of a burst */
#define BEFORE_MIN_BYTES (UINT64_C(64) << 20)	/* more than this was writing */
#define REST_SHARE 8			/* of the budget, at most REST_MAX_NS */
#define REST_MAX_NS (60 * NS_PER_S)
#define SENSOR_EVERY_NS (2 * NS_PER_S)
#define BACK_SHARE 0.95			/* of the speed before the drop */
#define FULL_SHARE 0.95			/* of the bytes before the drop: all may be back */

struct sustained {
	const struct test_context *c;
	const struct sustained_param *param;
	struct result *r;
	uint64_t start_ns, end_ns;	/* of the budget */
	uint64_t write_ns;		/* when the long write began; 0: not yet */
	uint64_t area_bytes, next_bytes;	/* from the start of the disk */
	uint32_t depth;
	uint64_t written_bytes;		/* by the jobs that have ended */
	struct pace pace;
	bool has_drop;
	struct pace_drop drop;
	struct burst burst;
	uint32_t unchecked;		/* intervals since the drop was last looked for */
	struct temperature_watch watch;
	struct series *temperature, *recovery, *refill;
	uint64_t ended_ns;		/* when the last job did */
	/* recovery, since the disk was last seen slow */
	uint64_t idle_ns;
	double fast_bytes;
	/* sums of the bursts that fell back: what came back in how much idle time */
	uint64_t refill_ns;
	double refill_bytes;
	uint64_t back_ns;		/* idle time after which the speed was back; 0: never */
	uint64_t longest_idle_ns;
};

/* ---- while it writes ---- */

static void take_temperature(struct sustained *s)
{
	struct temperature_value value;

	while (temperature_watch_take(&s->watch, &value))
		series_add(s->temperature,
			   s->write_ns && value.at_ns > s->write_ns ?
			   (double)(value.at_ns - s->write_ns) : 0, value.celsius);
}

static void tell(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	struct sustained *s = context;

	(void)elapsed_ns;	/* of this job alone */
	take_temperature(s);
	if (s->c->progress)
		s->c->progress(s->c->progress_context, clock_ns() - s->start_ns,
			       s->written_bytes + bytes);
}

static bool write_interval(void *context, uint64_t bytes)
{
	struct sustained *s = context;

	pace_add(&s->pace, bytes);
	if (++s->unchecked < CHECK_INTERVALS)
		return false;
	s->unchecked = 0;
	return pace_find_drop(&s->pace, &s->drop) && pace_is_settled(&s->pace, &s->drop);
}

/* Right before the first write of a burst: what it took to set up was idle time as well. */
static bool burst_begins(void *context)
{
	struct sustained *s = context;

	s->idle_ns += clock_ns() - s->ended_ns;
	return true;
}

static bool burst_interval(void *context, uint64_t bytes)
{
	struct sustained *s = context;

	return burst_add(&s->burst, bytes);
}

/* A job that goes on where the last one ended. */
static struct io_job job_of(struct sustained *s, uint64_t runtime_ns)
{
	return (struct io_job) {
		.fd = s->c->write_fd, .engine = "libaio", .access = IO_WRITE,
		.order = IO_SEQUENTIAL, .block_bytes = BLOCK_BYTES,
		.align_bytes = s->c->disk->logical_block_bytes, .depth = s->depth,
		.area_offset_bytes = s->next_bytes,
		.area_bytes = s->area_bytes - s->next_bytes,
		.numa_node = s->c->disk->numa_node, .runtime_ns = runtime_ns,
		.stall_ns = s->c->stall_ns, .seed = 1, .series_ns = s->param->interval_ns,
		.progress = tell, .context = s,
	};
}

/* What failed is in the outcome. */
static void run_job(struct sustained *s, const struct io_job *job, struct io_outcome *out)
{
	if (s->param->engine)
		(void)io_job_run_on(s->param->engine, job, out);
	else
		(void)io_job_run(job, out);
	s->ended_ns = clock_ns();
}

/* All that was begun was written, also what came back after the window. */
static void count_written(struct sustained *s, const struct io_outcome *out)
{
	uint64_t bytes = out->issued_ios * BLOCK_BYTES;

	s->written_bytes += bytes;
	s->next_bytes += bytes;
	if (s->next_bytes > s->r->area_bytes)
		s->r->area_bytes = s->next_bytes < s->area_bytes ? s->next_bytes : s->area_bytes;
	if (s->next_bytes >= s->area_bytes)	/* the job wrapped; any place is as good */
		s->next_bytes = 0;
}

/* Waits until `until_ns`, with signs of life. */
static void idle(struct sustained *s, uint64_t until_ns)
{
	uint64_t now_ns;

	while ((now_ns = clock_ns()) < until_ns) {
		uint64_t ns = until_ns - now_ns < NS_PER_S ? until_ns - now_ns : NS_PER_S;
		struct timespec t = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

		nanosleep(&t, NULL);
		tell(s, 0, 0);
	}
}

/*
 * What was written to the disk since the machine was started is in its cache, or is being tidied
 * up: part of the speed that is to be measured may be used up already.
 */
static void rest(struct sustained *s, char *note, size_t note_bytes)
{
	uint64_t rest_ns = s->c->budget_ns / REST_SHARE;
	struct disk_stat stat;

	note[0] = '\0';
	if (!disk_stat_read("", s->c->disk->name, &stat) || stat.write_bytes < BEFORE_MIN_BYTES)
		return;
	rest_ns = rest_ns < REST_MAX_NS ? rest_ns : REST_MAX_NS;
	idle(s, clock_ns() + rest_ns);
	snprintf(note, note_bytes, "%s had been written before, %s earlier and more: its cache may "
		 "not have been empty", units_bytes(UNITS_BUF, stat.write_bytes),
		 units_time(UNITS_BUF, rest_ns));
}

static enum result_status write_until_drop(struct sustained *s, char *why, size_t why_bytes)
{
	uint64_t left_ns = s->start_ns + s->c->budget_ns - clock_ns();
	struct io_job job = job_of(s, left_ns / 100 * WRITE_SHARE + 1);
	struct result *r = s->r;

	job.interval = write_interval;
	pace_init(&s->pace, s->param->interval_ns);
	take_temperature(s);
	s->write_ns = clock_ns();
	run_job(s, &job, &r->io);
	r->has_io = true;
	r->depth = r->io.depth_used ? r->io.depth_used : job.depth;
	r->seed = job.seed;
	/* the pace stands in a series of its own, which has room for all of it */
	r->io.series_n = 0;
	r->io.series_lost = 0;
	count_written(s, &r->io);
	take_temperature(s);
	s->has_drop = pace_find_drop(&s->pace, &s->drop);
	return io_verdict(&job, &r->io, why, why_bytes);
}

/* ---- recovery ---- */

/* Time to keep for what is in flight at the end of a burst. */
static uint64_t drain_ns(const struct sustained *s)
{
	double ns = (double)s->depth * BLOCK_BYTES / s->drop.after * 1e9;

	return s->drop.after > 0 && ns < (double)DRAIN_MAX_NS ? (uint64_t)ns : DRAIN_MAX_NS;
}

/* What a burst says; `end` is how its job ended, `moved_bytes` what it wrote in its time. */
static void note_burst(struct sustained *s, enum io_end end, uint64_t moved_bytes)
{
	double share = burst_first_share(&s->burst);

	series_add(s->recovery, (double)s->idle_ns, share * s->drop.before);
	if (share >= BACK_SHARE && !s->back_ns)
		s->back_ns = s->idle_ns;
	if (s->idle_ns > s->longest_idle_ns)
		s->longest_idle_ns = s->idle_ns;
	s->fast_bytes += end == IO_END_ENOUGH ? burst_fast_bytes(&s->burst) : (double)moved_bytes;
	if (end == IO_END_TIME)
		return;		/* it was still fast: the next one goes on from here */
	series_add(s->refill, (double)s->idle_ns, s->fast_bytes);
	/* where all is back it may have been earlier: no rate comes of that */
	if (s->fast_bytes < FULL_SHARE * s->drop.at_bytes) {
		s->refill_bytes += s->fast_bytes;
		s->refill_ns += s->idle_ns;
	}
	s->idle_ns = 0;
	s->fast_bytes = 0;
}

/*
 * One pause and its burst. Returns RESULT_OK, or what went wrong. `end`: how the burst ended;
 * IO_END_SETUP where there was no time for it.
 */
static enum result_status pause_and_burst(struct sustained *s, uint64_t pause_ns, enum io_end *end,
					  char *why, size_t why_bytes)
{
	const double intervals = (double)NS_PER_S / (double)s->param->interval_ns;
	uint64_t until_ns = s->ended_ns + pause_ns, left_ns;
	uint64_t runtime_ns = s->drop.at_ns + s->drop.at_ns / 4 + BURST_MIN_NS;
	struct io_outcome out;
	struct io_job job;

	*end = IO_END_SETUP;
	if (s->end_ns < until_ns + drain_ns(s) + BURST_MIN_NS)
		return RESULT_OK;
	idle(s, until_ns);
	left_ns = s->end_ns - until_ns - drain_ns(s);
	runtime_ns = runtime_ns < BURST_MAX_NS ? runtime_ns : BURST_MAX_NS;
	runtime_ns = runtime_ns < left_ns ? runtime_ns : left_ns;
	burst_init(&s->burst, s->drop.before / intervals, s->drop.after / intervals,
		   (double)s->depth * BLOCK_BYTES);
	if (s->area_bytes - s->next_bytes < (uint64_t)s->drop.at_bytes)
		s->next_bytes = 0;
	job = job_of(s, runtime_ns);
	job.gate = burst_begins;
	job.interval = burst_interval;
	job.bytes_max = (uint64_t)s->drop.at_bytes;
	if (job.bytes_max < BLOCK_BYTES)
		job.bytes_max = BLOCK_BYTES;
	run_job(s, &job, &out);
	count_written(s, &out);
	take_temperature(s);
	*end = out.end;
	if (io_verdict(&job, &out, why, why_bytes) != RESULT_OK)
		return RESULT_FAILED;
	note_burst(s, out.end, out.bytes);
	return RESULT_OK;
}

static enum result_status recover(struct sustained *s, char *why, size_t why_bytes)
{
	enum result_status status;
	enum io_end end;

	for (size_t i = 0; i < SUSTAINED_PAUSES; i++) {
		status = pause_and_burst(s, s->param->pause_ns[i], &end, why, why_bytes);
		/* out of time, or all of it is back: a longer pause brings no more */
		if (status != RESULT_OK || end == IO_END_SETUP || end == IO_END_BYTES)
			return status;
	}
	return RESULT_OK;
}

/* ---- results ---- */

static void add_temperatures(struct sustained *s)
{
	const struct series *t = s->temperature;
	double at_drop = 0, most;

	if (!t || !t->point_n)
		return;
	most = t->point[0].y;
	for (uint32_t i = 0; i < t->point_n; i++) {
		most = t->point[i].y > most ? t->point[i].y : most;
		if (!i || t->point[i].x <= (double)s->drop.at_ns)
			at_drop = t->point[i].y;	/* the last that was known then */
	}
	(void)result_metric(s->r, "temperature_start", UNIT_CELSIUS, t->point[0].y);
	if (s->has_drop)
		(void)result_metric(s->r, "temperature_at_drop", UNIT_CELSIUS, at_drop);
	(void)result_metric(s->r, "temperature_max", UNIT_CELSIUS, most);
}

static void add_metrics(struct sustained *s)
{
	const struct pace *p = &s->pace;
	double seconds = (double)p->interval_ns / 1e9, speed[PACE_VALUES_MAX];
	struct result *r = s->r;
	struct metric *m;

	m = result_metric(r, "throughput", UNIT_BYTES_PER_S,
			  (double)r->io.bytes / ((double)r->io.measured_ns / 1e9));
	for (uint32_t i = 0; i < p->n; i++)
		speed[i] = p->bytes[i] / seconds;
	metric_samples(m, speed, p->n);
	if (s->has_drop) {
		(void)result_metric(r, "speed_before", UNIT_BYTES_PER_S, s->drop.before);
		(void)result_metric(r, "speed_after", UNIT_BYTES_PER_S, s->drop.after);
		(void)result_metric(r, "bytes_at_drop", UNIT_BYTES, s->drop.at_bytes);
		(void)result_metric(r, "time_at_drop", UNIT_NS, (double)s->drop.at_ns);
	}
	(void)result_metric(r, "drops", UNIT_COUNT, s->has_drop ? s->drop.drops : 0);
	if (s->back_ns)
		(void)result_metric(r, "recovery_time", UNIT_NS, (double)s->back_ns);
	if (s->longest_idle_ns)
		(void)result_metric(r, "recovery_tried", UNIT_NS, (double)s->longest_idle_ns);
	if (s->refill_ns)
		(void)result_metric(r, "refill", UNIT_BYTES_PER_S,
				    s->refill_bytes / ((double)s->refill_ns / 1e9));
	(void)result_metric(r, "bytes_written", UNIT_BYTES, (double)s->written_bytes);
	add_temperatures(s);
}

static void add_pace(struct sustained *s)
{
	struct series *t = result_series(s->r, "throughput", UNIT_NS, UNIT_BYTES_PER_S);
	double seconds = (double)s->pace.interval_ns / 1e9;

	/* each speed stands at the end of its interval */
	for (uint32_t i = 0; i < s->pace.n; i++)
		series_add(t, (double)(i + 1) * (double)s->pace.interval_ns,
			   s->pace.bytes[i] / seconds);
}

/* What the numbers do not say. */
static void end_well(struct sustained *s, const char *note)
{
	const char *between = note[0] ? "; " : "";

	if (!s->has_drop)
		result_end(s->r, RESULT_OK, "%s%sno drop within %s", note, between,
			   units_bytes(UNITS_BUF, s->r->io.bytes));
	else if (!pace_is_settled(&s->pace, &s->drop))
		result_end(s->r, RESULT_OK,
			   "%s%sthe speed fell shortly before the time was over: how low it goes "
			   "is not certain", note, between);
	else if (!s->longest_idle_ns)
		result_end(s->r, RESULT_OK, "%s%sno time was left to watch it recover", note,
			   between);
	else
		result_end(s->r, RESULT_OK, "%s", note);
}

static enum result_status sustained_fits(const struct test *test, const struct disk *disk,
					 char *why, size_t why_bytes)
{
	uint32_t logical = disk->logical_block_bytes;

	(void)test;
	why[0] = '\0';
	if (!logical || logical % 512 || BLOCK_BYTES % logical) {
		snprintf(why, why_bytes, "blocks of 256 KiB do not fit its logical blocks of %u "
			 "bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < AREA_MIN_BYTES) {
		snprintf(why, why_bytes, "a disk smaller than 64 MiB is not written to for long");
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

static void set_parameters(struct sustained *s)
{
	struct result *r = s->r;
	uint64_t room = s->c->memory_bytes / BLOCK_BYTES;

	s->area_bytes = s->c->disk->size_bytes / BLOCK_BYTES * BLOCK_BYTES;
	s->depth = s->c->memory_bytes && room < DEPTH ? (room ? (uint32_t)room : 1) : DEPTH;
	snprintf(r->engine, sizeof(r->engine), "libaio");
	snprintf(r->access, sizeof(r->access), "write");
	snprintf(r->order, sizeof(r->order), "sequential");
	snprintf(r->data, sizeof(r->data), "random");
	snprintf(r->via, sizeof(r->via), "device");
	r->block_bytes = BLOCK_BYTES;
	r->depth_asked = DEPTH;
	r->jobs = 1;
}

static void sustained_run(const struct test_context *c, struct result *r)
{
	struct sustained s = { .c = c, .param = c->test->param, .r = r,
			       .start_ns = clock_ns() };
	char why[RESULT_REASON_BYTES], note[RESULT_REASON_BYTES], rested[RESULT_REASON_BYTES];
	char both[2 * RESULT_REASON_BYTES + 2], sensor[SYSFS_PATH_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));

	if (status == RESULT_OK && c->write_fd < 0) {
		status = RESULT_SKIPPED;
		snprintf(why, sizeof(why), "it writes, and there is no consent to that");
	}
	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	s.end_ns = s.start_ns + c->budget_ns;
	set_parameters(&s);
	if (temperature_find("", c->disk, sensor) &&
	    !temperature_watch_start(&s.watch, sensor, SENSOR_EVERY_NS))
		s.temperature = result_series(r, "temperature", UNIT_NS, UNIT_CELSIUS);
	rest(&s, rested, sizeof(rested));
	status = write_until_drop(&s, note, sizeof(note));
	if (status == RESULT_OK && s.has_drop && pace_is_settled(&s.pace, &s.drop)) {
		s.recovery = result_series(r, "recovery", UNIT_NS, UNIT_BYTES_PER_S);
		s.refill = result_series(r, "refill", UNIT_NS, UNIT_BYTES);
		status = recover(&s, why, sizeof(why));
		if (status != RESULT_OK)
			snprintf(note, sizeof(note), "%s", why);
	}
	temperature_watch_end(&s.watch);
	add_pace(&s);
	if (status != RESULT_OK) {
		result_end(r, status, "%s", note);
		return;
	}
	add_metrics(&s);
	snprintf(both, sizeof(both), "%s%s%s", rested, rested[0] && note[0] ? "; " : "", note);
	end_well(&s, both);
}

const struct test test_sustained_write = {
	.name = "sustained-write",
	.title = "sustained write until it slows",
	.help = "Writes sequential blocks of 256 KiB, 32 in flight, until the disk slows down; "
		"then pauses of 5 to 120 s, each with a burst: how much of its speed is back.",
	.family = "", .access = TEST_WRITES, .rank = 60,
	.time = { { 0, 0 }, { 0, 0 }, { 60000, 900000 } },
	.param = &(const struct sustained_param){
		.interval_ns = 100 * NS_PER_MS,
		.pause_ns = { 5 * NS_PER_S, 15 * NS_PER_S, 30 * NS_PER_S, 60 * NS_PER_S,
			      120 * NS_PER_S },
	},
	.fits = sustained_fits, .run = sustained_run,
};
