/* SPDX-License-Identifier: MIT */
/*
 * One I/O job on one device, without plan and report: what the engine's own comparisons drive.
 *
 *	job_cli DEVICE SECONDS [random|sequential [BLOCK [DEPTH [ENGINE [RAMP_SECONDS]]]]]
 *
 * Prints one line of JSON. DEVICE is opened read-only; `-` opens nothing (for the null engine).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/io/job.h"
#include "lib/clock.h"

static int size_of(int fd, uint64_t *size_bytes)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISREG(st.st_mode)) {
		*size_bytes = (uint64_t)st.st_size;
		return 0;
	}
	return ioctl(fd, BLKGETSIZE64, size_bytes) ? -errno : 0;
}

static void print(const struct io_job *job, const struct io_outcome *out)
{
	double seconds = (double)out->measured_ns / 1e9;

	printf("{\"end\":\"%s\",\"engine\":\"%s\",\"depth\":%u,\"measured_ns\":%" PRIu64
	       ",\"ios\":%" PRIu64 ",\"iops\":%.1f,\"bytes_per_s\":%.0f,",
	       io_end_table[out->end].word, job->engine, out->depth_used, out->measured_ns,
	       out->ios, seconds > 0 ? (double)out->ios / seconds : 0,
	       seconds > 0 ? (double)out->bytes / seconds : 0);
	printf("\"lat_min_ns\":%" PRIu64 ",\"lat_mean_ns\":%.1f,\"lat_stdev_ns\":%.1f,",
	       out->lat.count ? out->lat.min_ns : 0, hist_mean(&out->lat), hist_stdev(&out->lat));
	printf("\"lat_p50_ns\":%" PRIu64 ",\"lat_p99_ns\":%" PRIu64 ",\"lat_p999_ns\":%" PRIu64
	       ",\"lat_max_ns\":%" PRIu64 ",", hist_percentile(&out->lat, 50),
	       hist_percentile(&out->lat, 99), hist_percentile(&out->lat, 99.9), out->lat.max_ns);
	printf("\"short\":%" PRIu64 ",\"zero\":%" PRIu64 ",\"errors\":%" PRIu64 ",\"unanswered\":%"
	       PRIu64 ",\"sampled\":%" PRIu64 ",\"zero_buffers\":%" PRIu64 ",", out->short_ios,
	       out->zero_ios, out->error_ios, out->unanswered_ios, out->sampled_buffers,
	       out->zero_buffers);
	printf("\"clock_error_ns\":%" PRIu64
	       ",\"clock_error_mean_ns\":%.0f,\"clock_read_ns\":%" PRIu64
	       ",\"user_cpu_ns\":%" PRIu64 ",\"system_cpu_ns\":%" PRIu64 ",\"note\":\"%s\"}\n",
	       out->clock_error_ns, out->clock_error_mean_ns, out->clock_read_ns, out->user_cpu_ns,
	       out->system_cpu_ns, out->note);
}

int main(int argc, char **argv)
{
	static struct io_outcome out;
	struct io_job job = {
		.fd = -1,
		.engine = argc > 6 ? argv[6] : "libaio",
		.order = argc > 3 && !strcmp(argv[3], "sequential") ? IO_SEQUENTIAL : IO_RANDOM,
		.block_bytes = argc > 4 ? (uint32_t)atol(argv[4]) : 4096,
		.align_bytes = 512,
		.depth = argc > 5 ? (uint32_t)atol(argv[5]) : 64,
		.area_bytes = UINT64_C(1) << 40,
		.ramp_ns = (uint64_t)((argc > 7 ? atof(argv[7]) : 0) * 1e9),
		.stall_ns = 10 * NS_PER_S,
		.seed = 1,
		.series_ns = 100 * NS_PER_MS,
	};
	int err;

	if (argc < 3 || atof(argv[2]) <= 0) {
		fprintf(stderr,
			"usage: job_cli DEVICE SECONDS [random|sequential [BLOCK [DEPTH [ENGINE "
			"[RAMP_SECONDS]]]]]\n");
		return 2;
	}
	job.runtime_ns = (uint64_t)(atof(argv[2]) * 1e9);
	if (strcmp(argv[1], "-")) {
		job.fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
		if (job.fd < 0 || size_of(job.fd, &job.area_bytes)) {
			fprintf(stderr, "job_cli: %s: %s\n", argv[1], strerror(errno));
			return 1;
		}
	}
	err = io_job_run(&job, &out);
	if (err) {
		fprintf(stderr, "job_cli: %s: %s\n", out.setup_what, strerror(-err));
		return 1;
	}
	print(&job, &out);
	return out.end != IO_END_TIME;
}
