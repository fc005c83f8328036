/* SPDX-License-Identifier: MIT */
/* What the machine did around a test: heat, and what sleeping processors cost; see suspicion.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/io/job.h"
#include "bench/sys/cpu_watch.h"
#include "bench/sys/temperature.h"
#include "bench/tests/suspicion.h"
#include "lib/clock.h"
#include "lib/file.h"

#define SLICES 4		/* idle, awake, idle, awake */
#define SLICE_SHARE 40		/* of the test's budget */
#define SLICE_READS_MIN 20
#define LATENCY_MAX_NS NS_PER_MS	/* beyond it waking up is no matter */
#define STALL_NS NS_PER_S

void suspicion_before(const char *root, const struct disk *d, struct suspicion_start *s)
{
	*s = (struct suspicion_start){ .throttles = 0 };
	s->has_throttles = cpu_watch_throttles(root, &s->throttles);
	(void)temperature_find(root, d, s->sensor);
}

/*
 * temp1_input of an NVMe disk has temp1_max beside it, its warning temperature; an ATA disk's
 * temp1_max is its recommended limit (kernel: Documentation/hwmon/drivetemp.rst).
 */
static void look_at_heat(const struct suspicion_start *s, struct suspicion_facts *f)
{
	static const char input[] = "_input";
	char warn[SYSFS_PATH_BYTES];
	size_t len = strlen(s->sensor), cut = sizeof(input) - 1;

	if (len <= cut || strcmp(s->sensor + len - cut, input))
		return;
	f->has_celsius = temperature_read(s->sensor, &f->celsius);
	snprintf(warn, sizeof(warn), "%.*s_max", (int)(len - cut), s->sensor);
	if (!f->has_celsius || !temperature_read(warn, &f->warn_celsius))
		f->warn_celsius = 0;
}

/* Adds the latencies of single reads; false where it did not go well. */
static bool read_singly(const struct test_context *c, const struct result *r, uint64_t run_ns,
			struct hist *lat)
{
	static struct io_outcome out;
	const struct io_job job = {
		.fd = c->fd, .engine = r->engine, .order = IO_RANDOM,
		.block_bytes = r->block_bytes, .align_bytes = c->disk->logical_block_bytes,
		.depth = 1, .numa_node = c->disk->numa_node,
		.area_offset_bytes = r->area_offset_bytes, .area_bytes = r->area_bytes,
		.runtime_ns = run_ns, .stall_ns = STALL_NS, .seed = clock_ns(),
	};

	if (io_job_run(&job, &out) || out.end != IO_END_TIME || out.error_ios)
		return false;
	hist_merge(lat, &out.lat);
	return true;
}

/*
 * Reads in four slices, in turn with the processors as they are and with the kernel's promise to
 * wake up at once (Documentation/power/pm_qos_interface.rst: /dev/cpu_dma_latency holds as long as
 * it is open).
 */
static void look_at_idle(const char *root, const struct test_context *c, const struct result *r,
			 struct suspicion_facts *f)
{
	uint64_t slice_ns = c->budget_ns / SLICE_SHARE;
	char path[SYSFS_PATH_BYTES];
	struct hist lat[2];
	const int32_t none = 0;
	bool well = true;

	if (slice_ns > SUSPICION_READ_NS / SLICES)
		slice_ns = SUSPICION_READ_NS / SLICES;
	if (!sysfs_join(path, root, "dev/cpu_dma_latency"))
		return;
	hist_init(&lat[0]);
	hist_init(&lat[1]);
	for (int i = 0; i < SLICES && well; i++) {
		int fd = i % 2 ? open(path, O_WRONLY | O_CLOEXEC) : -1;

		if (i % 2 && (fd < 0 || file_write_all(fd, (const char *)&none, sizeof(none))))
			well = false;
		well = well && read_singly(c, r, slice_ns, &lat[i % 2]);
		if (fd >= 0)
			close(fd);
	}
	if (!well || lat[0].count < SLICE_READS_MIN || lat[1].count < SLICE_READS_MIN)
		return;
	f->idle_ns = hist_percentile(&lat[0], 50);
	f->awake_ns = hist_percentile(&lat[1], 50);
}

static bool reads_singly(const struct test_context *c, const struct result *r)
{
	return c->fd >= 0 && !c->gate && r->status == RESULT_OK && r->has_io && r->depth == 1 &&
	       r->jobs <= 1 && !strcmp(r->access, "read") && !strcmp(r->order, "random") &&
	       *r->engine && r->area_bytes && r->io.lat.count &&
	       hist_mean(&r->io.lat) < (double)LATENCY_MAX_NS;
}

void suspicion_after(const char *root, const struct test_context *c, const struct result *r,
		     const struct suspicion_start *s, struct suspicion_facts *f)
{
	uint64_t throttles;

	*f = (struct suspicion_facts){ .idle_ns = 0 };
	if (s->has_throttles && cpu_watch_throttles(root, &throttles) && throttles > s->throttles)
		f->cpu_throttles = throttles - s->throttles;
	if (r->status == RESULT_OK)	/* one that does not answer is asked nothing */
		look_at_heat(s, f);
	if (reads_singly(c, r))
		look_at_idle(root, c, r, f);
}
