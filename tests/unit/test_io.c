/* SPDX-License-Identifier: MIT */
/* The job's loop on an engine that answers as a test wants: what goes wrong never becomes speed. */
#include "bench/io/job.h"

#include "tests/unit/fake_engine.h"
#include "tests/unit/tap.h"

static struct io_outcome out;

static int run(const struct io_job *job)
{
	return io_job_run_on(&fake_engine, job, &out);
}

static void runs_its_time(void)
{
	struct io_job job = fake_job(64);

	fake_reset();
	is_int(run(&job), 0, "a job runs");
	is_int(out.end, IO_END_TIME, "to its time");
	ok(out.measured_ns >= 100 * MS && out.measured_ns < 600 * MS,
	   "measured about as long as asked");
	ok(out.ios > 0 && out.bytes == out.ios * FAKE_BLOCK, "bytes are whole blocks");
	is_uint(out.lat.count, out.ios, "each counted I/O has a latency");
	ok(out.issued_ios >= out.ios && out.issued_ios <= out.ios + 64,
	   "the last ones are not counted");
	is_uint(fake.largest_in_flight, 64, "the depth is reached and kept to");
	is_uint(fake.largest_submit, IO_BATCH, "submitted in batches");
	is_uint(out.error_ios + out.short_ios + out.zero_ios + out.unanswered_ios, 0,
		"nothing wrong");
	ok(fake.torn_down, "the engine was taken down");
	ok(out.clock_error_ns > 0 && out.clock_error_mean_ns > 0,
	   "batches state their clock error");
	job = fake_job(1);
	fake_reset();
	run(&job);
	is_uint(out.clock_error_ns, 0, "at depth 1 there is none");
	is_uint(fake.largest_in_flight, 1, "and one in flight");
	ok(out.lat.min_ns >= fake.pause_ns, "no latency is below the engine's own");
}

static void ramp_and_series(void)
{
	struct io_job job = fake_job(4);
	uint64_t sum = 0;

	fake_reset();
	job.ramp_ns = 100 * MS;
	job.series_ns = 20 * MS;
	run(&job);
	ok(out.measured_ns >= 100 * MS && out.measured_ns < 600 * MS, "the ramp is not measured");
	ok(out.ios + job.depth < out.issued_ios, "its I/Os are not counted (%llu of %llu)",
	   (unsigned long long)out.ios, (unsigned long long)out.issued_ios);
	is_uint(out.series_n, out.measured_ns / job.series_ns, "all full intervals");
	for (uint32_t i = 0; i < out.series_n; i++)
		sum += out.series_bytes[i];
	ok(sum > 0 && sum <= out.bytes, "they hold no more than all bytes");
	is_uint(out.series_lost, 0, "none lost");
}

static void depth_as_granted(void)
{
	struct io_job job = fake_job(64);

	fake_reset();
	fake.grant_depth = 8;
	run(&job);
	is_uint(out.depth_used, 8, "the depth is what the engine got");
	is_uint(fake.largest_in_flight, 8, "and no more is in flight");
	is_str(out.note, "less", "with its note");
	fake_reset();
	fake.take_max = 3;
	job.order = IO_SEQUENTIAL;
	run(&job);
	is_int(out.end, IO_END_TIME, "an engine that takes few at a time will do");
	is_uint(fake.largest_in_flight, 64, "the depth is reached all the same");
	is_uint(fake.slots_twice, 0, "no slot is in flight twice");
	ok(fake.order_breaks <= fake.asked / FAKE_BLOCKS,
	   "and the order is kept: only wraps go back");
	fake_reset();
	fake.room = 40;
	run(&job);
	is_int(out.end, IO_END_TIME, "so will one that is full before the depth is reached");
	is_uint(fake.largest_in_flight, 40, "it is filled to its end");
	is_uint(fake.slots_twice, 0, "no slot is in flight twice");
	ok(fake.order_breaks <= fake.asked / FAKE_BLOCKS, "what waited goes first");
	is_uint(out.error_ios, 0, "waiting is no error");
	fake_reset();
	fake.always_full = true;
	job.runtime_ns = 20 * NS_PER_S;
	run(&job);
	is_int(out.end, IO_END_ERRORS, "one that is always full takes nothing: gave up");
	is_int(out.error[0].err, EAGAIN, "for that");
}

static void setup_fails(void)
{
	struct io_job job = fake_job(4);

	fake_reset();
	fake.setup_err = EAGAIN;
	is_int(run(&job), -EAGAIN, "what setup says is returned");
	is_int(out.end, IO_END_SETUP, "end: setup");
	is_int(out.setup_errno, EAGAIN, "with the errno");
	is_str(out.setup_what, "fake_setup", "and the call");
	is_uint(out.lat.min_ns, UINT64_MAX, "the outcome is a valid one");
}

static void refuses_nonsense(void)
{
	static const struct {
		const char *what;
		uint32_t block, align, depth;
		uint64_t offset, area;
	} row[] = {
		{ "block size", 1000, 512, 1, 0, 1 << 20 },
		{ "block size", 512, 4096, 1, 0, 1 << 20 },
		{ "block size", 4096, 0, 1, 0, 1 << 20 },
		{ "block size", 0, 512, 1, 0, 1 << 20 },
		{ "block size", 1000, 1000, 1, 0, 1 << 20 },
		{ "queue depth", 4096, 512, 0, 0, 1 << 20 },
		{ "queue depth", 4096, 512, IO_DEPTH_MAX + 1, 0, 1 << 20 },
		{ "area", 4096, 512, 1, 0, 4095 },
		{ "area", 4096, 512, 1, 100, 1 << 20 },
		{ "area", 4096, 512, 1, UINT64_C(1) << 63, 4096 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct io_job job = fake_job(row[i].depth);

		fake_reset();
		job.block_bytes = row[i].block;
		job.align_bytes = row[i].align;
		job.area_offset_bytes = row[i].offset;
		job.area_bytes = row[i].area;
		is_int(run(&job), -EINVAL, "row %zu is refused", i);
		is_str(out.setup_what, row[i].what, "for its %s", row[i].what);
	}
	is_int(io_job_run(&(struct io_job){ .engine = "warp" }, &out), -EINVAL, "unknown engine");
	is_str(out.setup_what, "engine", "is named");
}

static int64_t one_sector_fails(uint64_t n, uint64_t offset)
{
	(void)n;
	return offset == 17 * FAKE_BLOCK ? -EIO : offset == 40 * FAKE_BLOCK ? 512 : FAKE_BLOCK;
}

static void goes_on_past_errors(void)
{
	struct io_job job = fake_job(8);

	fake_reset();
	fake.answer = one_sector_fails;
	job.order = IO_SEQUENTIAL;
	job.area_bytes = 64 * FAKE_BLOCK;
	run(&job);
	is_int(out.end, IO_END_TIME, "a bad sector does not end the job");
	is_uint(out.error_n, 2, "two kinds of trouble");
	is_int(out.error[0].err, EIO, "EIO");
	is_uint(out.error[0].first_offset_bytes, 17 * FAKE_BLOCK, "where it is");
	is_int(out.error[1].err, 0, "and a short read");
	is_uint(out.error[1].first_offset_bytes, 40 * FAKE_BLOCK, "where it is");
	ok(out.error_ios > 1 && out.error_ios == out.error[0].count, "each pass counts it");
	ok(out.short_ios > 1 && out.short_ios == out.error[1].count,
	   "each pass counts the short one");
	is_uint(out.bytes, out.ios * FAKE_BLOCK, "bytes of complete transfers alone");
	is_uint(out.lat.count, out.ios, "latencies of complete transfers alone");
	ok(out.ios + out.error_ios + out.short_ios <= out.issued_ios, "nothing counted twice");
}

static int64_t all_fail(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n % 2 ? -EIO : -EILSEQ;
}

static int64_t fail_later(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n < 100 ? FAKE_BLOCK : -EIO;
}

static int64_t many_kinds(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n % 2 ? FAKE_BLOCK : -(int64_t)(1 + n / 2 % 12);
}

static int64_t short_always(uint64_t n, uint64_t offset)
{
	(void)n, (void)offset;
	return 16;
}

static int64_t slow_fail(uint64_t n, uint64_t offset)
{
	(void)n, (void)offset;
	fake_sleep(10 * MS);
	return -EIO;
}

static void gives_up(void)
{
	struct io_job job = fake_job(8);
	uint64_t start;

	job.runtime_ns = 20 * NS_PER_S;
	fake_reset();
	fake.answer = all_fail;
	start = clock_ns();
	is_int(run(&job), 0, "a device that fails everything");
	is_int(out.end, IO_END_ERRORS, "ends the job");
	ok(clock_ns() - start < 2 * NS_PER_S, "long before its time");
	is_uint(out.ios + out.bytes + out.lat.count, 0, "without speed");
	ok(out.error_ios >= IO_BAD_ROW_MIN && out.error_ios <= IO_BAD_ROW_MIN + 8,
	   "after so many in a row");
	is_uint(out.error_n, 2, "both kinds kept");
	ok(fake.torn_down, "and nothing left in flight");
	fake_reset();
	fake.answer = fail_later;
	run(&job);
	is_int(out.end, IO_END_ERRORS, "one that fails from some point on as well");
	is_uint(out.ios, 100, "what was read before counts");
	ok(out.trouble_ns > 0 && out.trouble_ns < out.measured_ns + MS, "the point is known");
	fake_reset();
	fake.answer = short_always;
	run(&job);
	is_int(out.end, IO_END_ERRORS, "short reads alone end it too");
	is_uint(out.ios + out.bytes, 0, "without speed");
	job.runtime_ns = 50 * MS;
	fake_reset();
	fake.answer = slow_fail;
	job.depth = 1;
	run(&job);
	is_int(out.end, IO_END_ERRORS, "few errors, but nothing else until the end");
	fake_reset();
	fake.answer = many_kinds;
	run(&job);
	is_uint(out.error_n, IO_ERRORS_MAX, "more kinds than are kept");
	ok(out.error_ios > out.error[0].count * IO_ERRORS_MAX, "are counted");
	is_int(out.end, IO_END_TIME, "and good ones between keep the job going");
}

static int64_t gone_later(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n < 100 ? FAKE_BLOCK : 0;
}

static int64_t sometimes_zero(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n % 10 ? FAKE_BLOCK : 0;
}

static int64_t nodev_later(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n < 100 ? FAKE_BLOCK : -ENODEV;
}

static void vanishes(void)
{
	struct io_job job = fake_job(16);
	uint64_t start = clock_ns();

	job.runtime_ns = 20 * NS_PER_S;
	fake_reset();
	fake.answer = gone_later;
	job.fd = fake_empty_fd;
	run(&job);
	is_int(out.end, IO_END_VANISHED, "zero-length reads of a device of size 0: gone");
	is_uint(out.ios, 100, "what was read before counts");
	ok(out.zero_ios >= 1 && out.zero_ios <= 32, "a few empty reads are enough (%llu)",
	   (unsigned long long)out.zero_ios);
	ok(out.trouble_ns > 0, "it is known since when");
	fake_reset();
	fake.answer = nodev_later;
	run(&job);
	is_int(out.end, IO_END_VANISHED, "ENODEV and size 0: gone");
	fake_reset();
	fake.answer = gone_later;
	job.fd = fake_whole_fd;
	run(&job);
	is_int(out.end, IO_END_VANISHED, "empty reads in a row, though it states its size: gone");
	ok(out.zero_ios >= IO_ZERO_ROW, "after so many");
	ok(clock_ns() - start < 3 * NS_PER_S, "all of it at once");
	job.runtime_ns = 50 * MS;
	fake_reset();
	fake.answer = sometimes_zero;
	run(&job);
	is_int(out.end, IO_END_TIME, "an empty read now and then is not");
	ok(out.zero_ios > 0 && out.ios > out.zero_ios * 5, "but it is counted apart");
	is_uint(out.lat.count, out.ios, "and no latency");
}

#define LESS_BYTES ((uint64_t)FAKE_BLOCKS / 2 * FAKE_BLOCK + 512)

static int64_t smaller(uint64_t n, uint64_t offset)
{
	if (n < 100 || offset + FAKE_BLOCK <= LESS_BYTES)
		return FAKE_BLOCK;
	return offset < LESS_BYTES ? (int64_t)(LESS_BYTES - offset) : 0;
}

static int64_t no_space(uint64_t n, uint64_t offset)
{
	int64_t got = smaller(n, offset);

	return got ? got : -ENOSPC;
}

static void shrinks(void)
{
	struct io_job job = fake_job(8);

	job.runtime_ns = 20 * NS_PER_S;
	job.fd = memfd_create("smaller", MFD_CLOEXEC);
	if (job.fd < 0 || ftruncate(job.fd, LESS_BYTES))
		tap_bail("no memory file");
	fake_reset();
	fake.answer = smaller;
	run(&job);
	is_int(out.end, IO_END_SHRUNK, "an empty read beyond the size stated now: smaller");
	ok(out.ios >= 100 && out.zero_ios >= 1 && out.zero_ios <= 8, "what was read before counts");
	fake_reset();
	fake.answer = smaller;
	job.order = IO_SEQUENTIAL;
	job.depth = 1;
	run(&job);
	is_int(out.end, IO_END_SHRUNK, "one that crosses the new end as well");
	is_uint(out.ios, FAKE_BLOCKS / 2, "all before it was read");
	is_uint(out.short_ios, 1, "it was short");
	is_uint(out.error[0].first_offset_bytes, FAKE_BLOCKS / 2 * FAKE_BLOCK, "at the new end");
	fake_reset();
	fake.answer = no_space;
	job.access = IO_WRITE;
	job.order = IO_RANDOM;
	run(&job);
	is_int(out.end, IO_END_SHRUNK, "a write there finds no space");
	is_int(out.error[0].err, ENOSPC, "so it is told");
	close(job.fd);
	job.fd = fake_whole_fd;
	job.runtime_ns = 50 * MS;
	run(&job);
	is_int(out.end, IO_END_TIME, "on a device of its full size that is an error like others");
	ok(out.error_ios > 0, "and counted");
}

/* One block of 4 KiB each 300 ms. */
static void kilobytes_per_second(void)
{
	struct io_job job = fake_job(1);

	fake_reset();
	fake.pause_ns = 300 * MS;
	job.runtime_ns = NS_PER_S;
	job.series_ns = 100 * MS;
	job.stall_ns = 2 * NS_PER_S;
	run(&job);
	is_int(out.end, IO_END_TIME, "a device of 13 kB per second runs its time");
	ok(out.ios >= 2 && out.ios <= 4, "at its speed (%llu)", (unsigned long long)out.ios);
	ok(out.measured_ns >= out.ios * 300 * MS, "no I/O counts that needed longer");
	is_uint(out.series_n, out.measured_ns / job.series_ns, "intervals without one are zeros");
}

static int64_t never(uint64_t n, uint64_t offset)
{
	(void)n, (void)offset;
	return FAKE_NEVER;
}

static int64_t silent_later(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n < 1000 ? FAKE_BLOCK : FAKE_NEVER;
}

static int64_t one_never(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n == 50 ? FAKE_NEVER : FAKE_BLOCK;
}

static void stalls(void)
{
	struct io_job job = fake_job(32);
	uint64_t start = clock_ns();

	job.runtime_ns = 20 * NS_PER_S;
	job.stall_ns = 300 * MS;
	fake_reset();
	fake.answer = never;
	is_int(run(&job), 0, "a device that never answers");
	is_int(out.end, IO_END_STALLED, "has stalled");
	is_uint(out.unanswered_ios, 32, "all are unanswered");
	ok(out.silent_ns >= 300 * MS && clock_ns() - start < 5 * NS_PER_S, "noticed in time");
	ok(!fake.torn_down, "the engine is left alone: taking it down would wait");
	is_uint(out.ios, 0, "no speed");
	fake_reset();
	fake.answer = silent_later;
	start = clock_ns();
	run(&job);
	is_int(out.end, IO_END_STALLED, "one that falls silent");
	is_uint(out.ios, 1000, "what came before counts");
	ok(out.measured_ns >= 300 * MS, "and so does the silence");
	ok(clock_ns() - start < 5 * NS_PER_S, "noticed in time");
	fake_reset();
	fake.answer = one_never;
	fake.hiccups = true;
	job.depth = 64;		/* more than one reap brings */
	start = clock_ns();
	run(&job);
	is_int(out.end, IO_END_STALLED, "one lost I/O among others that come");
	is_uint(out.unanswered_ios, 1, "is the one unanswered");
	ok(clock_ns() - start < 8 * NS_PER_S, "noticed with the next look around");
	job.runtime_ns = 50 * MS;
	fake_reset();
	fake.answer = one_never;
	run(&job);
	is_int(out.end, IO_END_STALLED, "or when the last replies are awaited");
	ok(out.ios > 100, "the speed of the others is kept");
	ok(out.measured_ns < 50 * MS + job.stall_ns,
	   "measured to the end of the time, not of the waiting");
}

/* 16 in flight, one reply each 40 ms: every I/O takes 640 ms, and that is no stall. */
static void slow_but_alive(void)
{
	struct io_job job = fake_job(16);

	job.ramp_ns = 800 * MS;
	job.runtime_ns = NS_PER_S;
	job.stall_ns = 300 * MS;
	fake_reset();
	fake.pause_ns = 40 * MS;
	fake.reap_max = 1;
	run(&job);
	is_int(out.end, IO_END_TIME,
	       "a slow device that answers one after the other runs its time");
	ok(out.ios >= 10 && out.ios <= 26, "at its speed (%llu)", (unsigned long long)out.ios);
	ok(out.lat.max_ns > 500 * MS, "each I/O takes longer than the stall time");
	is_uint(out.unanswered_ios, 0, "they are not called unanswered");
	ok(strstr(out.note, "still on their way"), "but noted: %s", out.note);
	ok(!fake.torn_down, "and left alone");
}

static int64_t slow_first(uint64_t n, uint64_t offset)
{
	(void)offset;
	if (n == 0)
		fake_sleep(500 * MS);
	return FAKE_BLOCK;
}

static void nothing_in_time(void)
{
	struct io_job job = fake_job(1);

	fake_reset();
	fake.answer = slow_first;
	job.runtime_ns = 50 * MS;
	run(&job);
	is_int(out.end, IO_END_NO_IO, "a reply after the end is none in time");
	is_uint(out.ios + out.lat.count, 0, "and no speed");
	ok(fake.torn_down, "it was waited for");
	fake_reset();
	fake.answer = slow_first;
	job.ramp_ns = 20 * MS;
	job.runtime_ns = 100 * MS;
	run(&job);
	is_int(out.end, IO_END_TIME, "a device that wakes up in the ramp");
	ok(out.measured_ns >= 100 * MS && out.lat.max_ns < 400 * MS,
	   "is measured when it is awake");
}

static int busy_first(uint64_t n)
{
	return n < 3 ? EAGAIN : 0;
}

static int invalid_always(uint64_t n)
{
	(void)n;
	return EINVAL;
}

static void submit_refused(void)
{
	struct io_job job = fake_job(4);

	fake_reset();
	fake.refuse = busy_first;
	run(&job);
	is_int(out.end, IO_END_TIME, "a refused submit is one failed I/O");
	is_uint(out.error_ios, 3, "counted");
	is_uint(fake.largest_in_flight, 4, "and its slot is used again");
	fake_reset();
	fake.refuse = invalid_always;
	job.runtime_ns = 20 * NS_PER_S;
	run(&job);
	is_int(out.end, IO_END_ERRORS, "refusing all ends the job");
	is_int(out.error[0].err, EINVAL, "with the reason");
	fake_reset();
	fake.reap_err = EFAULT;
	run(&job);
	is_int(out.end, IO_END_ERRORS, "an engine that breaks ends it too");
	ok(!fake.torn_down, "and is left alone");
}

static int64_t zero_half(uint64_t n, uint64_t offset)
{
	(void)offset;
	fake.fill = n % 2 ? 0 : 0x80;
	return FAKE_BLOCK;
}

static void zero_data(void)
{
	struct io_job job = fake_job(2);

	fake_reset();
	fake.fill = 0;
	fake.pause_ns = 0;
	run(&job);
	is_uint(out.sampled_buffers, out.ios < 64 ? out.ios : 64 + (out.ios - 64) / 64,
		"the first buffers are looked at, then one of 64");
	is_uint(out.zero_buffers, out.sampled_buffers, "all zero");
	fake_reset();
	run(&job);
	is_uint(out.zero_buffers, 0, "data is not zero");
	fake_reset();
	fake.fill = -1;
	run(&job);
	is_uint(out.zero_buffers, 0, "an untouched buffer is not zero");
	fake_reset();
	fake.answer = zero_half;
	run(&job);
	ok(out.zero_buffers > 5 && out.zero_buffers < out.sampled_buffers - 5, "a mix is a mix");
}

static unsigned ticks;

static void tick(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	ticks += context == &ticks && elapsed_ns >= NS_PER_S && bytes == out.bytes;
}

static void progress(void)
{
	struct io_job job = fake_job(2);

	fake_reset();
	job.runtime_ns = 1200 * MS;
	job.progress = tick;
	job.context = &ticks;
	run(&job);
	is_uint(ticks, 1, "progress is told once per second");
	ticks = 0;
	fake_reset();
	fake.answer = never;
	job.stall_ns = 1200 * MS;
	run(&job);
	is_uint(ticks, 1, "also while nothing comes");
}

int main(void)
{
	fake_devices();
	runs_its_time();
	ramp_and_series();
	depth_as_granted();
	setup_fails();
	refuses_nonsense();
	goes_on_past_errors();
	gives_up();
	vanishes();
	shrinks();
	kilobytes_per_second();
	stalls();
	slow_but_alive();
	nothing_in_time();
	submit_refused();
	zero_data();
	progress();
	return tap_done();
}
