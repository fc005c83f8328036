/* SPDX-License-Identifier: MIT */
/* Several threads of one job: started together, ended together, told as one. */
#include "bench/io/job.h"
#include "bench/io/loop.h"
#include "bench/io/merge.h"

#include "tests/unit/fake_engine.h"
#include "tests/unit/tap.h"

#define JOBS 4
#define PART (FAKE_BLOCKS / JOBS)

static struct io_outcome out;

static int run(const struct io_job *job)
{
	return io_job_run_on(&fake_engine, job, &out);
}

static struct io_job jobs_of(uint32_t jobs, uint32_t depth)
{
	struct io_job job = fake_job(depth);

	job.jobs = jobs;
	job.split_area = true;
	return job;
}

static unsigned part_of(uint64_t offset)
{
	return (unsigned)(offset / FAKE_BLOCK / PART);
}

/* ---- as one ---- */

static _Atomic unsigned early, in_part[JOBS];

static int64_t note_part(uint64_t n, uint64_t offset)
{
	(void)n;
	early += fake.set_up < JOBS;
	in_part[part_of(offset)]++;
	return FAKE_BLOCK;
}

static void merged(void)
{
	struct io_job job = jobs_of(JOBS, 8);
	uint64_t sum = 0;

	fake_reset();
	job.jobs = 1;
	run(&job);
	is_uint(out.jobs_used, 1, "one job is one");
	fake_reset();
	fake.pause_ns = MS;
	fake.answer = note_part;
	job.jobs = JOBS;
	job.detail = true;
	job.series_ns = 10 * MS;
	is_int(run(&job), 0, "four jobs");
	is_int(out.end, IO_END_TIME, "run their time");
	is_uint(out.jobs_used, JOBS, "all four");
	is_uint(fake.set_up, JOBS, "each has a ring");
	is_uint(fake.torn_down, JOBS, "which is taken down");
	is_uint(early, 0, "none begins before all are ready");
	is_uint(out.issued_ios, fake.asked, "what each did is in the sum");
	ok(out.ios > 0 && out.issued_ios - out.ios <= JOBS * 8,
	   "all of it counts but what was in flight at the end");
	is_uint(out.lat.count, out.ios, "each I/O has a latency");
	is_uint(out.side[IO_SIDE_READ].ios, out.ios, "a direction");
	is_uint(out.side[IO_SIDE_READ].clat.count, out.ios, "a completion latency");
	is_uint(out.bytes, out.ios * FAKE_BLOCK, "and its bytes");
	ok(out.measured_ns >= 100 * MS && out.measured_ns < 600 * MS, "measured as long as each");
	is_uint(out.depth_used, 8, "the depth is each job's");
	for (int i = 0; i < JOBS; i++)
		ok(in_part[i] >= 8, "job %d has a part of its own (%u)", i, in_part[i]);
	ok(out.series_n >= 9, "a series");
	for (uint32_t i = 0; i < out.series_n; i++)
		sum += out.series_bytes[i];
	ok(sum <= out.bytes && sum > out.bytes / 2, "is the sum of all");
	is_str(out.note, "", "nothing to note");
}

static unsigned char hit[FAKE_BLOCKS];

static void mark_hit(const unsigned char *data, uint64_t offset_bytes)
{
	(void)data;
	hit[offset_bytes / FAKE_BLOCK]++;
}

static void fixed_size(void)
{
	struct io_job job = jobs_of(JOBS, 16);
	unsigned wrong = 0;

	fake_reset();
	fake.pause_ns = 0;
	fake.written = mark_hit;
	job.access = IO_WRITE;
	job.order = IO_SEQUENTIAL;
	job.runtime_ns = 20 * NS_PER_S;
	job.bytes_max = job.area_bytes;
	run(&job);
	is_int(out.end, IO_END_BYTES, "a fixed size, shared by four jobs");
	is_uint(out.bytes, job.bytes_max, "is moved exactly");
	for (int i = 0; i < FAKE_BLOCKS; i++)
		wrong += hit[i] != 1;
	is_uint(wrong, 0, "each block once, by the job whose part it is");
	fake_reset();
	job.bytes_max = 5 * FAKE_BLOCK;
	run(&job);
	is_uint(out.ios, 5, "also one that cannot be shared evenly");
	fake_reset();
	job.bytes_max = 3 * FAKE_BLOCK;
	run(&job);
	is_uint(out.ios, 3, "or of fewer blocks than jobs");
	is_uint(out.jobs_used, 3, "which are fewer then");
	is_str(out.note, "3 jobs instead of 4: there are no more blocks", "and told");
	job = jobs_of(IO_JOBS_MAX + 1, 1);
	is_int(run(&job), -EINVAL, "too many jobs");
	is_str(out.setup_what, "jobs", "are refused");
}

/* ---- less than asked for ---- */

static void shortage(void)
{
	struct io_job job = jobs_of(JOBS, 16);

	fake_reset();
	fake.grant_total = 23;
	is_int(run(&job), 0, "less than four rings of 16");
	is_uint(out.depth_used, 5, "is shared evenly");
	is_uint(out.jobs_used, JOBS, "by all jobs");
	is_uint(fake.largest_in_flight, 5, "and kept to");
	is_str(out.note, "queue depth 5 instead of 16 in each job: "
	       "the kernel allows no more for all of them", "and told");
	is_uint(fake.set_up, fake.torn_down, "all that was set up is taken down");
	fake_reset();
	fake.grant_total = 50;
	run(&job);
	is_uint(out.depth_used, 12, "also where three could have had all they want");
	fake_reset();
	fake.grant_total = 3;
	is_int(run(&job), 0, "less than one for each");
	is_uint(out.jobs_used, 3, "fewer jobs");
	is_uint(out.depth_used, 1, "of one");
	ok(strstr(out.note, "3 jobs instead of 4") && strstr(out.note, "depth 1 instead of 16"),
	   "both told: %s", out.note);
	ok(out.ios > 0 && out.end == IO_END_TIME, "they run");
	fake_reset();
	fake.grant_depth = 1;
	is_int(run(&job), 0, "an engine that does one at a time");
	is_uint(out.jobs_used, JOBS, "does one in each job");
	is_uint(out.depth_used, 1, "that is its depth");
	is_uint(fake.set_up, JOBS, "and no shortage: nothing is tried again");
	is_str(out.note, "less", "what all say is said once");
	fake_reset();
	fake.setup_err = EAGAIN;
	is_int(run(&job), -EAGAIN, "nothing at all");
	is_int(out.end, IO_END_SETUP, "is no start");
	is_str(out.setup_what, "fake_setup", "with the call");
	fake_reset();
	fake.setup_err = EOPNOTSUPP;
	is_int(run(&job), -EOPNOTSUPP, "what is no shortage is not tried with less");
}

/* ---- trouble ---- */

static int64_t one_silent(uint64_t n, uint64_t offset)
{
	return part_of(offset) == 2 && n == 50 ? FAKE_NEVER : FAKE_BLOCK;
}

static int64_t all_silent(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n < 50 ? FAKE_BLOCK : FAKE_NEVER;
}

static int64_t gone_later(uint64_t n, uint64_t offset)
{
	(void)offset;
	return n < 100 ? FAKE_BLOCK : 0;
}

static int64_t part_fails(uint64_t n, uint64_t offset)
{
	(void)n;
	return part_of(offset) == 1 ? -EILSEQ : FAKE_BLOCK;
}

static void one_for_all(void)
{
	struct io_job job = jobs_of(JOBS, 4);
	uint64_t start = clock_ns();

	job.runtime_ns = 20 * NS_PER_S;
	fake_reset();
	fake.answer = gone_later;
	job.fd = fake_empty_fd;
	run(&job);
	is_int(out.end, IO_END_VANISHED, "a device that is gone ends all");
	ok(out.ios > 100 && out.ios <= JOBS * 100, "what was read before counts (%llu)",
	   (unsigned long long)out.ios);
	ok(out.trouble_ns > 0 && out.trouble_ns < 2 * NS_PER_S, "since when is known");
	job.fd = fake_whole_fd;
	fake_reset();
	fake.answer = part_fails;
	run(&job);
	is_int(out.end, IO_END_ERRORS, "a part that only fails ends all");
	is_int(out.error[0].err, EILSEQ, "with its error");
	is_uint(part_of(out.error[0].first_offset_bytes), 1, "and its place");
	ok(out.ios > 0, "the others' samples are kept");
	ok(clock_ns() - start < 4 * NS_PER_S, "all of it at once");
	job.stall_ns = 300 * MS;
	fake_reset();
	fake.answer = one_silent;
	start = clock_ns();
	run(&job);
	is_int(out.end, IO_END_STALLED, "one I/O of one job that does not come back");
	is_uint(out.unanswered_ios, 1, "is the one unanswered");
	is_uint(fake.torn_down, JOBS - 1, "the other rings are taken down");
	ok(out.silent_ns >= 300 * MS && out.ios > 200, "the others' samples are kept");
	ok(clock_ns() - start < 8 * NS_PER_S, "noticed with the next look around");
	fake_reset();
	fake.answer = all_silent;
	run(&job);
	is_int(out.end, IO_END_STALLED, "all fall silent");
	is_uint(out.unanswered_ios, JOBS * 4, "and all are unanswered");
	is_uint(fake.torn_down, 0, "nothing is taken down");
}

static _Atomic bool hanging, let_go;

static int64_t hangs(uint64_t n, uint64_t offset)
{
	if (part_of(offset) != 3 || n < 50)
		return FAKE_BLOCK;
	hanging = true;
	while (!let_go)
		fake_sleep(MS);
	hanging = false;
	return FAKE_BLOCK;
}

/* A thread inside a system call that does not return cannot even be told to end. */
static void stuck_thread(void)
{
	struct io_job job = jobs_of(JOBS, 4);
	uint64_t start = clock_ns(), asked, reaps;

	job.runtime_ns = 20 * NS_PER_S;
	job.stall_ns = 300 * MS;
	job.series_ns = 50 * MS;
	fake_reset();
	fake.answer = hangs;
	fake.reap_max = 1;
	is_int(run(&job), 0, "a thread that hangs in a call");
	ok(hanging, "does so still");
	ok(clock_ns() - start < 5 * NS_PER_S, "and is not waited for");
	is_int(out.end, IO_END_STALLED, "the device stopped answering");
	ok(out.unanswered_ios >= 1, "something is unanswered");
	ok(out.silent_ns >= 300 * MS, "for a time that is known");
	ok(out.ios > 150 && out.series_n > 2, "the samples of all are kept");
	is_uint(fake.torn_down, JOBS - 1, "what can be taken down is");
	asked = fake.asked;
	reaps = fake.reaps;
	let_go = true;
	while (hanging)
		fake_sleep(MS);
	fake_sleep(200 * MS);
	ok(fake.asked <= asked + 4, "when it wakes it asks for nothing more");
	ok(fake.reaps <= reaps + 1, "nor for what is still in flight");
	let_go = false;
	job.runtime_ns = 100 * MS;
	job.stall_ns = 500 * MS;
	fake_reset();
	fake.answer = hangs;
	start = clock_ns();
	run(&job);
	ok(out.ios > 150 && out.measured_ns > 0, "one that hangs past the end of the time");
	ok(clock_ns() - start < 4 * NS_PER_S, "is not waited for either");
	let_go = true;
	while (hanging)
		fake_sleep(MS);
	fake_sleep(200 * MS);
}

/* 4 jobs with 4 in flight, and each of the device's replies takes 40 ms. */
static void slow_device(void)
{
	struct io_job job = jobs_of(JOBS, 4);

	fake_reset();
	fake.pause_ns = 40 * MS;
	fake.reap_max = 1;
	job.stall_ns = 300 * MS;
	job.runtime_ns = 600 * MS;
	run(&job);
	is_int(out.end, IO_END_TIME, "a slow device runs its time");
	ok(out.ios >= 4 * 8 && out.ios <= 4 * 16, "at its speed (%llu)",
	   (unsigned long long)out.ios);
}

/* ---- gate and progress ---- */

static unsigned gate_calls, ready_rings, ticks;
static bool gate_opens;

static bool gate(void *context)
{
	(void)context;
	gate_calls++;
	ready_rings = fake.set_up - fake.torn_down;
	return gate_opens;
}

static void tick(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	ticks += context == &ticks && elapsed_ns >= NS_PER_S && bytes > 0;
}

static void gated(void)
{
	struct io_job job = jobs_of(JOBS, 2);

	fake_reset();
	job.gate = gate;
	is_int(run(&job), -ECANCELED, "a gate that stays shut");
	is_uint(gate_calls, 1, "is asked once for all jobs");
	is_uint(ready_rings, JOBS, "when all are set up");
	is_str(out.setup_what, "gate", "says so");
	is_uint(fake.asked, 0, "no I/O");
	is_uint(fake.torn_down, JOBS, "all taken down");
	gate_opens = true;
	fake_reset();
	job.progress = tick;
	job.context = &ticks;
	job.runtime_ns = 1200 * MS;
	run(&job);
	is_uint(gate_calls, 2, "one that opens");
	is_int(out.end, IO_END_TIME, "lets all run");
	is_uint(ticks, 1, "progress is told once per second, for all");
}

/* Windows of different lengths, as where replies come in bursts. */
static void rates(void)
{
	static struct io_outcome sum, part;

	io_merge_add(&sum, &(struct io_outcome){ .end = IO_END_TIME, .ios = 100,
						 .measured_ns = NS_PER_S }, true);
	part = (struct io_outcome){ .end = IO_END_TIME, .ios = 200, .measured_ns = 2 * NS_PER_S };
	io_merge_add(&sum, &part, false);
	is_near((double)sum.ios * 1e9 / (double)sum.measured_ns, 200, 1e-3,
		"twice 100 I/Os per second are 200, not 150");
	part = (struct io_outcome){ .end = IO_END_TIME, .measured_ns = 3 * NS_PER_S };
	io_merge_add(&sum, &part, false);
	is_near((double)sum.ios * 1e9 / (double)sum.measured_ns, 200, 1e-3,
		"one without a reply adds nothing");
	part = (struct io_outcome){ .end = IO_END_BYTES, .ios = 10, .measured_ns = 4 * NS_PER_S };
	io_merge_add(&sum, &part, false);
	is_uint(sum.measured_ns, 4 * NS_PER_S, "a fixed size takes as long as its last part");
}

/* Two threads whose replies come at other times; both are told by one window. */
static void one_window(void)
{
	static struct io_loop a, b;
	static struct io_outcome of_a, of_b;
	struct io_common common = { 0 };
	const struct io_job job = { .runtime_ns = 100, .series_ns = 0 };

	a = (struct io_loop){ .job = job, .out = &of_a, .common = &common, .phase_end_ns = 1000,
			      .series_next_ns = UINT64_MAX };
	b = a;
	b.out = &of_b;
	ok(!io_window_counts(&b, 990), "nothing counts before the window is open");
	io_window_open(&a, 1005);
	ok(!io_window_counts(&b, 1005), "nor what comes as it opens");
	ok(io_window_counts(&b, 1040), "a first reply after another thread's opening counts");
	is_uint(b.open_ns, 1005, "from that opening on");
	is_uint(b.phase_end_ns, 1105, "to the same end");
	of_a.ios = of_b.ios = 1;
	ok(io_window_counts(&a, 1104), "a reply before the end counts");
	ok(io_window_counts(&b, 1110), "and the first at or after it");
	ok(!io_window_counts(&a, 1150), "but no later one of another thread");
	io_window_close(&b, 1110);
	io_window_close(&a, 1150);
	is_uint(of_b.measured_ns, 105, "the window is as long for the one that closed it");
	is_uint(of_a.measured_ns, 105, "as for the one that was late");
}

/* A full queue at a slow device: what is in flight at the end comes back within the total time. */
static double elapsed_s(const struct io_job *job)
{
	uint64_t start_ns = clock_ns();

	is_int(run(job), 0, "%u jobs at a slow device", job->jobs);
	is_int(out.end, IO_END_TIME, "end by their time");
	return (double)(clock_ns() - start_ns) / 1e9;
}

static void total_time(void)
{
	struct io_job job = fake_job(64);
	double with_s, without_s;

	for (uint32_t jobs = 1; jobs <= 2; jobs++) {
		fake_reset();
		fake.pause_ns = 10 * MS;
		fake.reap_max = 1;
		job.jobs = jobs;
		job.runtime_ns = NS_PER_S;
		job.series_ns = 20 * MS;
		job.total_ns = 0;
		without_s = elapsed_s(&job);
		job.total_ns = NS_PER_S;
		with_s = elapsed_s(&job);
		/* 1 s and half of it, each and what 64 I/Os take */
		ok(with_s < 0.85 * without_s, "sooner than by runtime alone (%.2f s, %.2f s)",
		   with_s, without_s);
		ok(out.measured_ns >= NS_PER_S / 4, "not before half of it was measured (%llu ms)",
		   (unsigned long long)(out.measured_ns / MS));
	}
}

int main(void)
{
	fake_devices();
	total_time();
	one_window();
	rates();
	merged();
	fixed_size();
	shortage();
	one_for_all();
	stuck_thread();
	slow_device();
	gated();
	return tap_done();
}
