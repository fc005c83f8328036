/* SPDX-License-Identifier: MIT */
/*
 * Partition against LVM: short runs of random and sequential reads on a partition and on a linear
 * device-mapper volume over the same partition, in turn, and the median of the ratios within the
 * pairs. What drifts meanwhile meets both.
 */
#include "bench/tests/lvm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/stats/summary.h"
#include "bench/sys/mapper.h"
#include "bench/sys/partition.h"
#include "bench/tests/io_verdict.h"
#include "bench/tests/numbers.h"
#include "lib/clock.h"

#define MIB (UINT64_C(1) << 20)
#define RUN_NS (400 * NS_PER_MS)	/* of one run, aimed at */
#define RUN_MIN_NS (20 * NS_PER_MS)
#define RAMP_SHARE 10
#define SETUP_NS (15 * NS_PER_MS)	/* what starting and ending a job takes */
#define STEP_MAX_BYTES (4096 * MIB)	/* from one sequential run's start to the next one's */

enum { PLAIN, MAPPED, SIDES };

static const struct work {
	const char *name, *ratio_name, *plain_name, *mapped_name;
	enum metric_unit unit;
	enum io_order order;
	uint32_t block_bytes, depth;
} works[] = {
	{ "random reads of 4 KiB", "iops_lvm_percent", "iops_partition", "iops_lvm", UNIT_IOPS,
	  IO_RANDOM, 4096, 32 },
	{ "sequential reads of 1 MiB", "throughput_lvm_percent", "throughput_partition",
	  "throughput_lvm", UNIT_BYTES_PER_S, IO_SEQUENTIAL, (uint32_t)MIB, 8 },
};
#define WORKS (sizeof(works) / sizeof(works[0]))

struct compare {
	const struct test_context *c;
	int fd[SIDES];
	uint64_t bytes;		/* both are so long */
	uint32_t pairs, runs;
	uint64_t end_ns;
	double rate[WORKS][SIDES][LVM_PAIRS_MAX];
	struct io_job job;	/* the last one, for a verdict */
};

static enum result_status fits(const struct test *test, const struct disk *disk, char *why,
			       size_t why_bytes)
{
	uint32_t logical = disk->logical_block_bytes;

	(void)test;
	why[0] = '\0';
	if (!logical || logical % 512 || works[0].block_bytes % logical) {
		snprintf(why, why_bytes, "reads of 4 KiB do not fit its logical blocks of %" PRIu32
			 " bytes", logical);
		return RESULT_UNSUPPORTED;
	}
	if (disk->size_bytes < LVM_BYTES_MIN + 2 * MIB) {
		snprintf(why, why_bytes, "a disk of %" PRIu64 " bytes is smaller than the %" PRIu64
			 " this test needs", disk->size_bytes, LVM_BYTES_MIN + 2 * MIB);
		return RESULT_UNSUPPORTED;
	}
	return RESULT_OK;
}

/* One run. Returns its rate, or a negative number: then the test is over. */
static double run_once(struct compare *v, const struct work *w, int side, uint64_t run_ns,
		       struct result *r)
{
	static struct io_outcome out;
	uint64_t step_bytes = v->bytes / (2 * v->pairs) / MIB * MIB;
	struct io_job *job = &v->job;
	double per_s;

	if (step_bytes > STEP_MAX_BYTES)
		step_bytes = STEP_MAX_BYTES;
	*job = (struct io_job) {
		.fd = v->fd[side], .engine = "libaio", .access = IO_READ, .order = w->order,
		.block_bytes = w->block_bytes, .align_bytes = v->c->disk->logical_block_bytes,
		.depth = w->depth, .numa_node = v->c->disk->numa_node,
		.area_bytes = v->bytes / w->block_bytes * w->block_bytes,
		.ramp_ns = run_ns / RAMP_SHARE, .runtime_ns = run_ns - run_ns / RAMP_SHARE,
		.stall_ns = v->c->stall_ns,
		/* no run reads what the one before has left in a cache */
		.seed = ++v->runs,
		.progress = v->c->progress, .context = v->c->progress_context,
	};
	if (v->c->memory_bytes && (uint64_t)job->depth * job->block_bytes > v->c->memory_bytes)
		job->depth = v->c->memory_bytes < 2 * job->block_bytes ? 1 :
			(uint32_t)(v->c->memory_bytes / job->block_bytes);
	if (w->order == IO_SEQUENTIAL) {
		job->area_offset_bytes = (v->runs - 1) % (2 * v->pairs) * step_bytes;
		job->area_bytes -= job->area_offset_bytes;
		job->area_bytes -= job->area_bytes % job->block_bytes;
	}
	(void)io_job_run(job, &out);
	numbers_add_outcome(&r->io, &out);
	if (out.end != IO_END_TIME || !out.ios || !out.measured_ns)
		return -1;
	per_s = 1e9 / (double)out.measured_ns;
	return w->unit == UNIT_IOPS ? (double)out.ios * per_s : (double)out.bytes * per_s;
}

/* All pairs of one kind, each side first in every other one. Returns false where it is over. */
static bool run_pairs(struct compare *v, size_t kind, struct result *r)
{
	for (uint32_t pair = 0; pair < v->pairs; pair++) {
		for (int turn = 0; turn < SIDES; turn++) {
			int side = (pair + (uint32_t)turn) % 2 ? MAPPED : PLAIN;
			uint64_t now_ns = clock_ns();
			uint32_t left = (uint32_t)(SIDES * (v->pairs * (WORKS - kind) - pair)) -
					(uint32_t)turn;
			uint64_t run_ns = now_ns < v->end_ns ? (v->end_ns - now_ns) / left : 0;

			run_ns = run_ns > RUN_MIN_NS + SETUP_NS ? run_ns - SETUP_NS : RUN_MIN_NS;
			v->rate[kind][side][pair] = run_once(v, &works[kind], side, run_ns, r);
			if (v->rate[kind][side][pair] < 0)
				return false;
		}
	}
	return true;
}

static void add_kind(struct compare *v, size_t kind, struct result *r, char *text,
		     size_t text_bytes)
{
	const struct work *w = &works[kind];
	double percent[LVM_PAIRS_MAX], plain[LVM_PAIRS_MAX], mapped[LVM_PAIRS_MAX], median;
	size_t used = strlen(text);
	struct metric *m;

	for (uint32_t i = 0; i < v->pairs; i++) {
		plain[i] = v->rate[kind][PLAIN][i];
		mapped[i] = v->rate[kind][MAPPED][i];
		percent[i] = mapped[i] / plain[i] * 100;
	}
	m = result_metric(r, w->ratio_name, UNIT_PERCENT, 0);
	metric_samples(m, percent, v->pairs);
	median = stats_median(percent, v->pairs);
	if (m)
		m->value = median;
	(void)result_metric(r, w->plain_name, w->unit, stats_median(plain, v->pairs));
	(void)result_metric(r, w->mapped_name, w->unit, stats_median(mapped, v->pairs));
	snprintf(text + used, text_bytes - used, "%s%.1f %% of the partition's %s (%.1f to %.1f)",
		 used ? ", " : "", median, w->unit == UNIT_IOPS ? "IOPS" : "throughput",
		 stats_min(percent, v->pairs), stats_max(percent, v->pairs));
}

static void conclude(struct compare *v, const struct partition *p, bool whole, struct result *r)
{
	char text[RESULT_REASON_BYTES - 60] = "", why[RESULT_REASON_BYTES - 60];
	const char *what = p->fd < 0 ? "the whole disk" :
			   p->added ? "a partition that only the kernel knows of" : p->name;

	if (whole && r->io.end == IO_END_TIME)
		(void)io_verdict(&v->job, &r->io, why, sizeof(why));
	if (!whole) {
		if (io_verdict(&v->job, &r->io, why, sizeof(why)) == RESULT_OK)
			snprintf(why, sizeof(why), "a run did not last its time");
		result_end(r, RESULT_FAILED, "%s", why);
		return;
	}
	for (size_t kind = 0; kind < WORKS; kind++)
		add_kind(v, kind, r, text, sizeof(text));
	result_end(r, RESULT_OK, "LVM has %s; %" PRIu32 " pairs on %s", text, v->pairs, what);
}

static void set_parameters(struct result *r, const struct compare *v)
{
	snprintf(r->engine, sizeof(r->engine), "libaio");
	snprintf(r->access, sizeof(r->access), "read");
	snprintf(r->via, sizeof(r->via), "device");
	r->depth = r->depth_asked = works[0].depth;
	r->jobs = 1;
	r->area_bytes = v->bytes;
	r->has_io = true;
}

/* With both sides open. */
static void measure(const struct test_context *c, const struct partition *p, int plain_fd,
		    int mapped_fd, uint64_t bytes, struct result *r)
{
	struct compare v = { .c = c, .fd = { plain_fd, mapped_fd }, .bytes = bytes };
	bool whole = true;

	v.end_ns = clock_ns() + c->budget_ns;
	v.pairs = (uint32_t)(c->budget_ns / (WORKS * SIDES * RUN_NS)) | 1;
	if (v.pairs < LVM_PAIRS_MIN)
		v.pairs = LVM_PAIRS_MIN;
	if (v.pairs > LVM_PAIRS_MAX)
		v.pairs = LVM_PAIRS_MAX;
	hist_init(&r->io.lat);
	for (size_t kind = 0; kind < WORKS && whole; kind++)
		whole = run_pairs(&v, kind, r);
	set_parameters(r, &v);
	conclude(&v, p, whole, r);
}

static void refuse(struct result *r, const char *what, int err)
{
	if (!strcmp(what, "control"))
		result_end(r, RESULT_UNSUPPORTED, "this kernel has no device-mapper (%s)",
			   strerror(-err));
	else if (err == -EBUSY)
		result_end(r, RESULT_UNSUPPORTED, "the disk is in use: mounted, or held by a "
			   "volume or an array");
	else if (err == -EPERM || err == -EACCES)
		result_end(r, RESULT_UNSUPPORTED, "no permission to make a device-mapper volume");
	else
		result_end(r, RESULT_UNSUPPORTED, "no device-mapper volume could be made: %s: %s",
			   what, strerror(-err));
}

static void run(const struct test_context *c, struct result *r)
{
	char why[RESULT_REASON_BYTES], name[MAPPER_NAME_BYTES];
	enum result_status status = c->test->fits(c->test, c->disk, why, sizeof(why));
	uint64_t bytes = c->disk->size_bytes / MIB * MIB;
	uint32_t major = c->disk->major, minor = c->disk->minor;
	struct partition p;
	struct mapper m;
	const char *what;
	int err, kept;

	if (status != RESULT_OK) {
		result_end(r, status, "%s", why);
		return;
	}
	/* behind where a partition table lies, and before where its copy does */
	err = partition_open(&p, c->disk, c->fd, MIB, bytes - 2 * MIB, LVM_BYTES_MIN);
	if (!err) {
		major = p.major;
		minor = p.minor;
		bytes = p.bytes / MIB * MIB;
	}
	snprintf(name, sizeof(name), "bootmark-%.32s-%d", c->disk->name, (int)getpid());
	err = mapper_open(&m, name, major, minor, bytes, &what);
	if (err) {
		refuse(r, what, err);
	} else {
		measure(c, &p, p.fd >= 0 ? p.fd : c->fd, m.fd, bytes, r);
		kept = mapper_close(&m);
		if (kept)
			result_end(r, RESULT_FAILED, "the device-mapper volume %s could not be "
				   "removed", name);
	}
	if (partition_close(&p, c->fd) && r->status == RESULT_OK)
		result_end(r, RESULT_FAILED, "the partition %s, which only the kernel knows of, "
			   "could not be removed", p.name);
}

const struct test test_lvm_compare = {
	.name = "lvm-compare",
	.family = "",
	.title = "partition against LVM",
	.help = "Short runs of random reads (4 KiB, 32 in flight) and sequential reads (1 MiB, 8 "
		"in flight) on a partition and on a linear device-mapper volume over it, in turn: "
		"what LVM costs. Both exist in the kernel alone; nothing on the disk is changed.",
	.access = TEST_READS, .rank = 70,
	.time = { { 0, 0 }, { 6000, 15000 }, { 12000, 40000 } },
	.fits = fits, .run = run,
};
