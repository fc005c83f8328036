/* SPDX-License-Identifier: MIT */
/* Writes, mixes, jobs of a fixed size, and what a job refuses before its first I/O. */
#include "bench/io/job.h"

#include "tests/unit/fake_engine.h"
#include "tests/unit/tap.h"

static struct io_outcome out;

static int run(const struct io_job *job)
{
	return io_job_run_on(&fake_engine, job, &out);
}

/* ---- what is written ---- */

#define KEPT 20000
static uint64_t kept[KEPT];		/* the first word of each 512 bytes written */
static size_t kept_n;
static unsigned compressible;

static void keep(const unsigned char *data, uint64_t offset_bytes)
{
	unsigned seen[256] = { 0 }, most = 0;

	(void)offset_bytes;
	for (int i = 0; i < FAKE_BLOCK; i++) {
		unsigned n = ++seen[data[i]];

		most = n > most ? n : most;
	}
	/* 16 of each byte value on average; 60 and more would be one chance in 10^15 */
	compressible += most > 60;
	for (int i = 0; i < FAKE_BLOCK && kept_n < KEPT; i += 512)
		memcpy(&kept[kept_n++], data + i, sizeof(kept[0]));
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static unsigned equal_sectors(void)
{
	unsigned equal = 0;

	qsort(kept, kept_n, sizeof(kept[0]), by_value);
	for (size_t i = 1; i < kept_n; i++)
		equal += kept[i] == kept[i - 1];
	return equal;
}

static void writes(void)
{
	struct io_job job = fake_job(16);

	fake_reset();
	fake.written = keep;
	fake.fill = 0;		/* what a read would leave is zeros */
	job.access = IO_WRITE;
	is_int(run(&job), 0, "a job that writes");
	is_int(out.end, IO_END_TIME, "runs its time");
	ok(fake.setup.writes && !fake.setup.flush, "the engine is told so");
	is_uint(fake.writes, fake.asked, "each request writes");
	is_uint(out.side[IO_SIDE_WRITE].ios, out.ios, "and counts as a write");
	is_uint(out.side[IO_SIDE_WRITE].bytes, out.bytes, "with its bytes");
	is_uint(out.side[IO_SIDE_READ].ios + out.side[IO_SIDE_READ].bytes, 0, "none as a read");
	is_uint(out.sampled_buffers, 0, "no buffer was read into: none is looked at");
	ok(kept_n > 1000, "enough to judge (%zu sectors)", kept_n);
	run(&job);		/* the same seed once more */
	is_uint(equal_sectors(), 0, "no two sectors are equal, nor to those of an earlier run");
	is_uint(compressible, 0, "nothing to compress");
	kept_n = compressible = 0;
	job.access = IO_MIX;
	job.read_percent = 50;
	run(&job);
	ok(kept_n > 1000, "a mix writes as well");
	is_uint(compressible, 0, "never the zeros that a read left in the buffer");
	is_uint(equal_sectors(), 0, "and nothing twice");
}

static void mixes(void)
{
	struct io_job job = fake_job(32);
	double n, share;
	static const uint32_t percent[] = { 0, 1, 30, 50, 99, 100 };

	job.access = IO_MIX;
	for (size_t i = 0; i < sizeof(percent) / sizeof(percent[0]); i++) {
		fake_reset();
		fake.pause_ns = 0;
		job.read_percent = percent[i];
		job.bytes_max = UINT64_C(20000) * FAKE_BLOCK;
		job.runtime_ns = 20 * NS_PER_S;
		run(&job);
		is_uint(out.side[IO_SIDE_READ].ios + out.side[IO_SIDE_WRITE].ios, out.ios,
			"%u %% reads: each I/O is one or the other", percent[i]);
		is_uint(out.side[IO_SIDE_READ].bytes + out.side[IO_SIDE_WRITE].bytes, out.bytes,
			"as are bytes");
		is_uint(out.side[IO_SIDE_WRITE].ios, fake.writes, "the writes are those asked for");
		n = (double)out.ios;
		share = percent[i] / 100.0;
		is_near((double)out.side[IO_SIDE_READ].ios / n, share,
			5 * sqrt(share * (1 - share) / n), "the share of reads");
		ok(out.sampled_buffers > 0 || !percent[i], "buffers read into are looked at");
	}
	n = (double)fake.writes;
	run(&job);
	is_uint(fake.writes, (uint64_t)n, "the seed fixes which");
}

/* ---- so many bytes ---- */

static unsigned char hit[FAKE_BLOCKS];

static void mark_hit(const unsigned char *data, uint64_t offset_bytes)
{
	(void)data;
	hit[offset_bytes / FAKE_BLOCK]++;
}

static int64_t fails_at_times(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n % 7 == 3 ? -EIO : FAKE_BLOCK;
}

static void so_many_bytes(void)
{
	struct io_job job = fake_job(64);
	unsigned wrong = 0;

	fake_reset();
	fake.pause_ns = 0;
	fake.written = mark_hit;
	job.access = IO_WRITE;
	job.order = IO_SEQUENTIAL;
	job.runtime_ns = 20 * NS_PER_S;
	job.bytes_max = job.area_bytes;
	run(&job);
	is_int(out.end, IO_END_BYTES, "a job of a fixed size ends when it was moved");
	is_uint(out.bytes, job.bytes_max, "exactly so much");
	is_uint(fake.asked, FAKE_BLOCKS, "nothing beyond was asked for");
	for (int i = 0; i < FAKE_BLOCKS; i++)
		wrong += hit[i] != 1;
	is_uint(wrong, 0, "each block of the area was written once");
	ok(out.measured_ns > 0 && out.measured_ns < 10 * NS_PER_S, "in the time it took");
	is_uint(out.trouble_ns, 0, "which is no trouble");
	is_uint(fake.largest_in_flight, 64, "at its depth");
	ok(fake.torn_down, "with nothing left in flight");
	fake_reset();
	job.bytes_max = 3 * FAKE_BLOCK + 100;
	run(&job);
	is_uint(out.ios, 3, "rounded down to whole blocks");
	is_uint(fake.asked, 3, "also where the depth is larger");
	fake_reset();
	fake.answer = fails_at_times;
	job.bytes_max = 100 * FAKE_BLOCK;
	run(&job);
	is_int(out.end, IO_END_BYTES, "failures in between");
	is_uint(out.ios, 100, "are made up for");
	is_uint(out.ios + out.error_ios, out.issued_ios, "and counted apart");
	fake_reset();
	job.ramp_ns = 30 * MS;
	run(&job);
	is_uint(out.ios, 100, "a ramp is not part of it");
	ok(out.issued_ios > 100, "though it moves something");
	fake_reset();
	job.ramp_ns = 0;
	job.bytes_max = UINT64_C(1) << 40;
	job.runtime_ns = 50 * MS;
	run(&job);
	is_int(out.end, IO_END_TIME, "more than the time allows: the time ends it");
}

/* ---- the gate ---- */

static unsigned gate_calls;
static uint64_t gate_asked;
static bool gate_opens;

static bool gate(void *context)
{
	gate_calls += context == &gate_calls && fake.set_up > fake.torn_down;
	gate_asked = fake.asked;
	return gate_opens;
}

static void gated(void)
{
	struct io_job job = fake_job(4);

	fake_reset();
	job.gate = gate;
	job.context = &gate_calls;
	gate_opens = true;
	is_int(run(&job), 0, "a gate that opens");
	is_uint(gate_calls, 1, "is asked once, when the engine is set up");
	is_uint(gate_asked, 0, "before the first I/O");
	ok(out.ios > 0, "and then it runs");
	fake_reset();
	gate_opens = false;
	is_int(run(&job), -ECANCELED, "a gate that stays shut");
	is_int(out.end, IO_END_SETUP, "is no start");
	is_int(out.setup_errno, ECANCELED, "called off");
	is_str(out.setup_what, "gate", "by the gate");
	is_uint(fake.asked, 0, "not one I/O was asked for");
	is_uint(fake.torn_down, 1, "and the engine was taken down");
}

/* ---- what is refused ---- */

static struct intervals {
	uint32_t n, enough;
	uint64_t bytes[8];
} intervals;

static bool take_interval(void *context, uint64_t bytes)
{
	struct intervals *got = context;

	got->bytes[got->n++ % 8] = bytes;
	return got->n == got->enough;
}

static void each_interval(void)
{
	struct io_job job = fake_job(4);
	uint64_t sum = 0;
	int same = 0;

	fake_reset();
	job.access = IO_WRITE;
	job.interval = take_interval;
	job.context = &intervals;
	job.series_ns = 5 * MS;
	is_int(run(&job), 0, "a job whose intervals are looked at");
	is_int(out.end, IO_END_TIME, "runs its time");
	ok(intervals.n >= 20, "each is given (%u)", intervals.n);
	is_uint(intervals.n, out.series_n, "as often as it stands in the series");
	for (uint32_t i = out.series_n - 8; i < out.series_n; i++)
		same += intervals.bytes[i % 8] == out.series_bytes[i];
	is_int(same, 8, "in the same order");

	intervals = (struct intervals){ .enough = 7 };
	is_int(run(&job), 0, "when enough is known");
	is_int(out.end, IO_END_ENOUGH, "the job ends");
	ok(intervals.n >= 7 && out.measured_ns >= 35 * MS && out.measured_ns < 90 * MS,
	   "soon after that interval (%u, %llu ns)", intervals.n,
	   (unsigned long long)out.measured_ns);
	for (uint32_t i = 0; i < intervals.n && i < 8; i++)
		sum += intervals.bytes[i];
	ok(intervals.n > 8 || (out.bytes > sum && out.bytes - sum <= 32 * (uint64_t)FAKE_BLOCK),
	   "what came back with the last look at the clock counts");

	intervals = (struct intervals){ .enough = 0 };
	job.series_ns = 100000;
	(void)run(&job);
	ok(out.series_lost > 0 && intervals.n == out.series_n + out.series_lost,
	   "those that the series has no room for are given too");
}

static void refuse(const struct io_job *job, const char *what)
{
	fake_reset();
	is_int(run(job), -EINVAL, "refused");
	is_str(out.setup_what, what, "for its %s", what);
	is_uint(fake.set_up, 0, "before anything is set up");
}

static void refuses_nonsense(void)
{
	const struct io_job good = fake_job(4);
	struct io_job job = good;
	int pipe_fd[2], read_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (read_fd < 0 || pipe2(pipe_fd, O_CLOEXEC))
		tap_bail("no descriptors");
	job.access = IO_WRITE;
	job.fd = read_fd;
	refuse(&job, "access");		/* a write to what was opened for reading */
	job.access = IO_MIX;
	refuse(&job, "access");
	job.access = IO_READ;
	job.fd = pipe_fd[1];
	refuse(&job, "access");		/* a read from what was opened for writing */
	close(read_fd);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	job = good;
	job.access = (enum io_access)3;
	refuse(&job, "access");
	job = good;
	job.order = (enum io_order)3;
	refuse(&job, "order");
	job = good;
	job.read_percent = 101;
	refuse(&job, "share of reads");
	job = good;
	job.flush = true;
	refuse(&job, "flush");
	job = good;
	job.bytes_max = FAKE_BLOCK - 1;
	refuse(&job, "bytes");
	job = good;
	job.steady.share = 0.01;
	refuse(&job, "steady");		/* needs a series */
	job.series_ns = MS;
	job.steady.share = 1;
	refuse(&job, "steady");
	job.steady.share = (double)NAN;
	refuse(&job, "steady");
	job = good;
	job.interval = take_interval;
	refuse(&job, "interval");	/* there are none */
	job.series_ns = MS;
	job.jobs = 2;
	refuse(&job, "interval");	/* each thread has its own */
	job = good;
	job.access = IO_WRITE;
	job.flush = true;
	fake_reset();
	run(&job);
	ok(fake.setup.flush, "a flush is the engine's to refuse");
	is_int(io_job_run(&(struct io_job){
			.engine = "null", .fd = -1, .access = IO_WRITE, .block_bytes = 512,
			.align_bytes = 512, .depth = 1, .area_bytes = 512, .flush = true,
			.runtime_ns = MS, .stall_ns = NS_PER_S }, &out), -EOPNOTSUPP,
	       "one that has none does");
	is_str(out.setup_what, "flush", "and says so");
}

int main(void)
{
	fake_devices();
	writes();
	mixes();
	so_many_bytes();
	gated();
	each_interval();
	refuses_nonsense();
	return tap_done();
}
