/* SPDX-License-Identifier: MIT */
/*
 * One I/O job on one device, and what was counted while it ran.
 *
 * io_job_run() is the only way a test does timed I/O. It knows nothing of disks, tests or reports.
 * Nothing that went wrong becomes speed: only complete transfers count as I/Os and bytes.
 */
#ifndef BENCH_IO_JOB_H
#define BENCH_IO_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/stats/hist.h"
#include "bench/stats/moments.h"

enum io_access {
	IO_READ,
	IO_WRITE,
	IO_MIX,		/* read_percent of the I/Os read, the others write; drawn with the seed */
};

enum io_order {
	IO_SEQUENTIAL,	/* ascending from area_offset, wraps at the end of the area */
	IO_RANDOM,	/* uniform over all aligned blocks of the area, fixed seed */
	IO_RANDOM_ONCE,	/* every block of the area once, in a random order, then again in another */
};

/*
 * The window closes early once the 95 % confidence interval of the mean rate (from the intervals of
 * the time series) is within +-share of it, min_ns have passed and min_bytes were moved.
 */
struct io_steady {
	double share;		/* e.g. 0.01; 0: the window never closes early */
	uint64_t min_ns, min_bytes;
};

struct io_job {
	/*
	 * Opened O_DIRECT, O_RDONLY for IO_READ, else O_RDWR; gets O_NOATIME, is not closed here.
	 */
	int fd;
	const char *engine;	/* "libaio", "null", ... a name of io_engine_table */
	enum io_access access;	/* 0: reads */
	uint32_t read_percent;	/* of IO_MIX */
	enum io_order order;
	uint32_t block_bytes;	/* transfer size, a multiple of align_bytes */
	uint32_t align_bytes;	/* the device's logical block size */
	uint32_t depth;		/* I/Os in flight of each job, 1 .. IO_DEPTH_MAX */
	uint32_t jobs;		/* threads with a ring each, up to IO_JOBS_MAX; 0 means 1 */
	uint64_t area_offset_bytes, area_bytes;	/* part of the device used, aligned */
	bool split_area;	/* each of several jobs has a part of the area to itself */
	/*
	 * Each write is followed by a flush of the device's cache within its latency (sync engine
	 * alone: others refuse it).
	 */
	bool flush;
	/*
	 * Fill the latencies of out->side and the maps: what fio prints; costs one look at the
	 * clock per submit.
	 */
	bool detail;
	/*
	 * The device's: the threads run on CPUs near it, the calling one from now on as well, see
	 * place.h. -1: anywhere.
	 */
	int numa_node;
	uint64_t ramp_ns;	/* at the start; its I/Os are not counted */
	uint64_t runtime_ns;	/* measured time after the ramp */
	/*
	 * From the first I/O to about the last reply: the window closes earlier by the time its
	 * I/Os take to come back, which is seconds where a full queue meets a slow disk, but not
	 * before half of runtime_ns. 0: runtime_ns alone counts. Needs a series.
	 */
	uint64_t total_ns;
	/*
	 * The window closes when so many bytes, rounded down to whole blocks, were moved within it;
	 * no I/O beyond them is begun, so that without a ramp no more is moved at all. 0: no limit.
	 */
	uint64_t bytes_max;
	struct io_steady steady;	/* when it may close earlier; all 0: never */
	/*
	 * No reply at all for so long, or one I/O without a reply for so long while eight times the
	 * depth came and went: the job ends as IO_END_STALLED.
	 */
	uint64_t stall_ns;
	uint64_t seed;		/* of the offset generator */
	uint64_t series_ns;	/* interval of the time series; 0: none */
	/*
	 * Called about once per second, between a reap and the next submit: no I/O at QD 1 sees it,
	 * at higher depths those in flight wait for it, so it must be short. May be NULL.
	 */
	void (*progress)(void *context, uint64_t elapsed_ns, uint64_t bytes);
	/*
	 * Called with the bytes of each interval of the series when it has ended, also beyond
	 * IO_SERIES_MAX, in their order and under the terms of `progress`. True: enough is known,
	 * the window closes (IO_END_ENOUGH). For one job alone. May be NULL.
	 */
	bool (*interval)(void *context, uint64_t bytes);
	/*
	 * Called when all is set up, right before the first I/O: several disks start together.
	 * False: do not start (IO_END_SETUP, ECANCELED). May be NULL.
	 */
	bool (*gate)(void *context);
	void *context;
};

#define IO_DEPTH_MAX 1024
#define IO_JOBS_MAX 128
#define IO_BATCH 32		/* most I/Os that share a submit, a reap and a look at the clock */
#define IO_ERRORS_MAX 8		/* errno values kept; more are counted in error_ios alone */
#define IO_NOTE_BYTES 160
#define IO_SERIES_MAX 512	/* intervals kept; later ones are counted in series_lost */
/*
 * So many I/Os in a row without one complete transfer, or 4 times the depth where that is more, end
 * a job: one bad region is passed over, a device that fails everything does not spin until the
 * deadline.
 */
#define IO_BAD_ROW_MIN 256
/* So many zero-length reads in a row mean a vanished device even where it still states its size. */
#define IO_ZERO_ROW 64

/* How a job ended. One row each in io_end_table. */
enum io_end {
	IO_END_TIME,		/* ran its whole time */
	IO_END_BYTES,		/* moved bytes_max */
	IO_END_STEADY,		/* the mean was known well enough, see struct io_steady */
	IO_END_ENOUGH,		/* job.interval said so */
	IO_END_NO_IO,		/* not one I/O completed in time: a failure, not a speed of 0 */
	IO_END_VANISHED,	/* zero-length reads below the end: the device is gone */
	IO_END_SHRUNK,		/* the device now states a size that does not hold the area */
	IO_END_ERRORS,		/* every I/O failed, or too many in a row: gave up */
	IO_END_STALLED,		/* I/Os did not come back, see stall_ns */
	IO_END_SETUP,		/* could not start (setup_errno) */
	IO_END_COUNT
};

/* One direction of a job. With `detail`, lat = slat + clat for each I/O; else they are empty. */
struct io_side {
	uint64_t ios, bytes;	/* complete transfers within the measured time; always filled */
	struct moments slat;	/* before its submit call to behind it */
	struct moments lat;	/* before its submit call to reaped */
	struct hist clat;	/* behind its submit call to reaped */
};
enum { IO_SIDE_READ, IO_SIDE_WRITE, IO_SIDES };

/*
 * Bounds as fio's: [0] counts 1 (depth) or 0 (calls), then 2..3, 4..7, 8..15, 16..31, 32..63, 64
 * and more for the depth; 1..4, 5..8, 9..16, 17..32, 33..64, more for I/Os per call.
 */
#define IO_MAP_N 7

struct io_error {
	int err;		/* positive errno; 0 = short or zero-length transfer */
	uint64_t count;
	uint64_t first_offset_bytes;
};

/*
 * With several jobs the counts are of all and the series is their sum. They share one window,
 * opened and closed by whichever gets a reply first; where one ended before the others, measured_ns
 * is the time in which the counts give the sum of their rates (the longest where they ended with
 * their bytes).
 *
 * The measured window opens with the first I/O (ramp_ns = 0) or with the first reap after the ramp,
 * and closes with the first reap at or after runtime_ns. Every complete transfer reaped within it
 * counts, and its whole time is divided by: measured_ns overshoots runtime_ns by the last wait,
 * never by I/Os. What went wrong counts whenever it happened, also in the ramp and while the last
 * I/Os come in.
 */
struct io_outcome {
	enum io_end end;
	int setup_errno;	/* positive errno for IO_END_SETUP */
	char setup_what[32];	/* the call that failed, e.g. "io_setup" */
	char note[IO_NOTE_BYTES];	/* what was not as asked, e.g. a lower depth; "" */
	uint32_t depth_used;	/* lower than asked where the kernel allowed no more */
	uint64_t measured_ns;	/* ramp excluded; rates divide by this */
	uint64_t ios, bytes;	/* complete transfers within the measured time */
	uint64_t issued_ios;	/* all transfers begun, ramp and end included */
	uint64_t short_ios;	/* transfers with fewer bytes than asked */
	uint64_t zero_ios;	/* transfers of 0 bytes */
	uint64_t error_ios;	/* failed transfers */
	uint64_t unanswered_ios;	/* still in flight when the job ended by a stall */
	uint64_t silent_ns;	/* the longest wait of one I/O, where the job ended by a stall */
	uint64_t trouble_ns;	/* start of the job to the first sign of an early end; 0: none */
	uint32_t error_n;
	struct io_error error[IO_ERRORS_MAX];
	uint64_t sampled_buffers, zero_buffers;	/* buffers looked at for data, and all-zero ones */
	/*
	 * I/Os of one batch share one look at the clock before they are submitted: each one's
	 * latency is too long by at most the time of that submit call. The longest call seen (with
	 * whatever the kernel scheduled in between) and the mean over batches; both 0 where each
	 * I/O had its own.
	 */
	uint64_t clock_error_ns;
	double clock_error_mean_ns;
	uint64_t clock_read_ns;	/* what reading the clock costs here, median of a few */
	uint64_t user_cpu_ns, system_cpu_ns;	/* of the measuring thread, within measured_ns */
	struct hist lat;	/* latency of each counted I/O: before its submit call to reaped */
	uint32_t jobs_used;	/* fewer than asked where threads could not be had */
	uint32_t map_n;		/* IO_MAP_N where has_detail, else 0 */
	double rate_ci_share;	/* half the 95 % interval of the mean rate, as its share */
	uint64_t context_switches, minor_faults, major_faults;	/* within measured_ns */
	struct io_side side[IO_SIDES];
	uint64_t depth_map[IO_MAP_N];	/* I/Os by how many were in flight when they were issued */
	uint64_t submit_map[IO_MAP_N], complete_map[IO_MAP_N];	/* calls by I/Os they took */
	bool has_rate_ci;	/* there were enough intervals for one */
	bool has_detail;
	bool huge_pages;	/* the buffers lie on huge pages */
	uint32_t series_n;
	uint64_t series_lost;
	uint64_t series_bytes[IO_SERIES_MAX];	/* bytes completed in each full interval */
};

struct io_end_row {
	enum io_end end;
	const char *word;	/* "time", "no_io", ... */
	const char *sentence;
};
extern const struct io_end_row io_end_table[IO_END_COUNT];

/*
 * Runs the job to its end; `out` is always filled, also on failure. Returns after ramp + runtime
 * and the last replies, at the latest stall_ns after that, as far as the kernel lets a process
 * return at all (the caller keeps a deadline of its own in another process).
 *
 * Where I/Os are in flight at that time (IO_END_STALLED, or a device slower than stall_ns for all
 * of them) their buffers and their context are left as they are, for ever: taking a context down
 * waits for its I/Os. A process with a stalled device hands over its outcome and ends.
 *
 * Returns 0 where the job ran (whatever it met), -errno where it could not be set up (end = SETUP).
 */
int io_job_run(const struct io_job *job, struct io_outcome *out);

#endif
