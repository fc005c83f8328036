/* SPDX-License-Identifier: MIT */
/* Judges whether a number may be what it seems; see suspicion.h. */
#include "bench/tests/suspicion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/report/units.h"
#include "bench/stats/changepoint.h"
#include "bench/stats/summary.h"
#include "lib/clock.h"

#define ZEROS_MIN 16			/* buffers: fewer may be the gap before the first file */
#define LINK_SHARE 1.02			/* of what a link carries */
#define CACHE_SHARE 0.5			/* of the bytes read, that the kernel got from the disk */
#define CACHE_MIN_BYTES (UINT64_C(16) << 20)
#define PLATTER_NS (200 * UINT64_C(1000))	/* no arm moves and no platter turns in less */
#define PLATTER_SHARE 0.1
#define PLATTER_IOS_MIN 100
#define AGAIN_RATIO 1.3			/* faster where it was read before */
#define AGAIN_INTERVALS 4		/* of each side */
#define SMALL_BYTES (UINT64_C(4) << 30)	/* controllers and hosts hold as much */
#define SMALL_PASSES 4
#define SMALL_DISK_SHARE 4		/* one part in so many of the disk, or less */
#define PAUSE_NS (300 * NS_PER_MS)
#define PAUSE_INTERVALS_MIN 8
#define PAUSE_BLOCKS_MIN 16		/* fewer in an interval may be none by chance */
#define PLATEAU_SHARE 0.3		/* lost of the rate before */
#define PLATEAU_INTERVALS_MIN 12
#define IDLE_RATIO 1.2
#define IDLE_NS_MIN 5000

static bool reads(const struct result *r)
{
	return !strcmp(r->access, "read");
}

static void judge_zeros(struct result *r)
{
	const struct io_outcome *io = &r->io;

	if (r->has_io && io->sampled_buffers >= ZEROS_MIN &&
	    io->zero_buffers == io->sampled_buffers)
		result_mark(r, "all-zero", "all %" PRIu64 " buffers looked at hold only zeros: "
			    "never written or trimmed, so the read speed is not the disk's",
			    io->sampled_buffers);
}

/* The fastest direction: links carry both at once, but for SATA, which then carries less. */
static double fastest(const struct result *r)
{
	static const char *const names[] = { "throughput", "read_throughput", "write_throughput" };
	bool is_mixed = !strcmp(r->access, "mixed");
	double most = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct metric *m = result_find(r, names[i]);

		if (m && m->unit == UNIT_BYTES_PER_S && !(is_mixed && i == 0))
			most = fmax(most, m->value);
	}
	return most;
}

static void judge_link(const struct disk *d, struct result *r)
{
	double rate = fastest(r);

	if (d->link_bytes_per_s && rate > (double)d->link_bytes_per_s * LINK_SHARE)
		result_mark(r, "above-link", "%s is more than its link (%s) carries, %s: it did "
			    "not come from the disk", units_rate(UNITS_BUF, rate), d->link,
			    units_rate(UNITS_BUF, (double)d->link_bytes_per_s));
}

/* A test of the cache itself, as hdparm -T: its number claims nothing else. */
static bool is_of_cache(const struct result *r)
{
	return result_find(r, "throughput_cached") && !result_find(r, "throughput");
}

/* Bytes that were read, of which the disk never heard. Returns whether it was so. */
static bool judge_page_cache(struct result *r)
{
	uint64_t read = r->io.bytes, from_disk = r->disk_stat.read_bytes;

	if (!r->has_io || !r->has_disk_stat || !reads(r) || read < CACHE_MIN_BYTES ||
	    (double)from_disk >= CACHE_SHARE * (double)read)
		return false;
	result_mark(r, "cached", "of %s read the disk delivered %s: the rest came from memory",
		    units_bytes(UNITS_BUF, read), units_bytes(UNITS_BUF, from_disk));
	return true;
}

static double share_below(const struct hist *h, uint64_t ns)
{
	uint64_t n = 0;

	for (size_t i = 0; i < HIST_BUCKETS && hist_bucket_end(i) <= ns + 1; i++)
		n += h->bucket[i];
	return h->count ? (double)n / (double)h->count : 0;
}

static void judge_platter(const struct disk *d, struct result *r)
{
	double share = share_below(&r->io.lat, PLATTER_NS);

	if (d->rotational != DISK_ROTATING || !r->has_io || !reads(r) ||
	    strcmp(r->order, "random") || r->io.lat.count < PLATTER_IOS_MIN ||
	    share < PLATTER_SHARE)
		return;
	result_mark(r, "cached", "%.0f %% of its random reads took less than %s, which no rotating "
		    "disk can: they came from a cache, or it does not rotate", share * 100,
		    units_time(UNITS_BUF, PLATTER_NS));
}

/*
 * Whether what was read a second time came faster, as far as the series shows a first time: ratio
 * of the rates, 0 where it cannot be told.
 */
static double faster_again(const struct result *r)
{
	const struct io_outcome *io = &r->io;
	double seconds = (double)io->measured_ns / 1e9, first = 0, later = 0;
	double in_ramp = seconds > 0 ?
			 (double)io->bytes / seconds * (double)r->ramp_ns / 1e9 : 0;
	uint32_t k = 0;

	if (in_ramp > (double)r->area_bytes / 2)
		return 0;
	while (k < io->series_n && in_ramp + first < (double)r->area_bytes)
		first += (double)io->series_bytes[k++];
	if (k < AGAIN_INTERVALS || io->series_n < k + AGAIN_INTERVALS || first <= 0)
		return 0;
	for (uint32_t i = k; i < io->series_n; i++)
		later += (double)io->series_bytes[i];
	return later / (io->series_n - k) / (first / k);
}

/* The same small area again and again. */
static void judge_again(const struct disk *d, struct result *r)
{
	double passes, ratio;

	if (!r->has_io || !r->area_bytes || !strcmp(r->access, "write") || !*r->order)
		return;
	passes = (double)r->io.bytes / (double)r->area_bytes;
	if (passes < 2)
		return;
	ratio = faster_again(r);
	if (ratio >= AGAIN_RATIO)
		result_mark(r, "cached", "what it read again came %.1f times as fast as the first "
			    "time: from a cache", ratio);
	else if (ratio <= 0 && passes >= SMALL_PASSES && r->area_bytes <= SMALL_BYTES &&
		 r->area_bytes <= d->size_bytes / SMALL_DISK_SHARE)
		result_mark(r, "cached", "it went over the same %s %.0f times, which a cache of "
			    "the disk, its controller or its host may hold",
			    units_bytes_binary(UNITS_BUF, r->area_bytes), passes);
}

static uint32_t series_of(const struct result *r, double *bytes)
{
	uint32_t n = 0;

	if (!r->has_io || r->status != RESULT_OK || !r->series_ns)
		return 0;
	for (; n < r->io.series_n && n < IO_SERIES_MAX; n++)
		bytes[n] = (double)r->io.series_bytes[n];
	return n;
}

static void judge_pause(struct result *r)
{
	double bytes[IO_SERIES_MAX], sorted[IO_SERIES_MAX], median;
	uint32_t n = series_of(r, bytes), longest = 0, run = 0;

	if (n < PAUSE_INTERVALS_MIN)
		return;
	memcpy(sorted, bytes, n * sizeof(*sorted));
	median = stats_median(sorted, n);
	if (median < (double)r->block_bytes * PAUSE_BLOCKS_MIN)
		return;
	for (uint32_t i = 0; i < n; i++) {
		run = bytes[i] > 0 ? 0 : run + 1;
		longest = run > longest ? run : longest;
	}
	if (longest * r->series_ns >= PAUSE_NS)
		result_mark(r, "paused", "for %s nothing came back, while half of all intervals of "
			    "%s moved %s or more",
			    units_time(UNITS_BUF, longest * r->series_ns),
			    units_time(UNITS_BUF, r->series_ns),
			    units_bytes(UNITS_BUF, (uint64_t)median));
}

/* A read that falls to a lower rate and stays there; of writes a full cache does the same. */
static void judge_plateau(struct result *r)
{
	double bytes[IO_SERIES_MAX], second = (double)r->series_ns / 1e9;
	struct changepoint drop[CHANGEPOINT_SPLITS_MAX];
	struct changepoint_rule rule = { .share_min = PLATEAU_SHARE };
	uint32_t n = series_of(r, bytes);
	const struct changepoint *last;
	size_t drops;

	if (n < PLATEAU_INTERVALS_MIN || !reads(r))
		return;
	rule.segment_min = n / 6 < 4 ? 4 : n / 6;
	drops = changepoint_drops(bytes, n, &rule, drop, CHANGEPOINT_SPLITS_MAX);
	if (!drops)
		return;
	last = &drop[drops - 1];
	if (stats_median(bytes + last->index, n - last->index) > last->after * (1 + PLATEAU_SHARE))
		return;		/* it came back */
	result_mark(r, "throttled", "after %s it fell from %s to %s and stayed there",
		    units_time(UNITS_BUF, (uint64_t)(last->position * (double)r->series_ns)),
		    units_rate(UNITS_BUF, last->before / second),
		    units_rate(UNITS_BUF, last->after / second));
}

static void judge_heat(const struct suspicion_facts *f, struct result *r)
{
	if (f->has_celsius && f->warn_celsius > 0 && f->celsius >= f->warn_celsius)
		result_mark(r, "throttled", "the disk was at %.0f degrees, its own warning is "
			    "at %.0f: it may have slowed down to cool", f->celsius,
			    f->warn_celsius);
	if (f->cpu_throttles)
		result_mark(r, "throttled", "processors were slowed for heat %" PRIu64 " times "
			    "while it ran", f->cpu_throttles);
}

static void judge_idle(const struct suspicion_facts *f, struct result *r)
{
	if (f->awake_ns && f->idle_ns >= f->awake_ns + IDLE_NS_MIN &&
	    (double)f->idle_ns >= IDLE_RATIO * (double)f->awake_ns)
		result_mark(r, "idle-latency", "a single read took %s, and %s with the processors "
			    "kept from sleeping: the rest is their waking up",
			    units_time(UNITS_BUF, f->idle_ns), units_time(UNITS_BUF, f->awake_ns));
}

void suspicion_judge(const struct disk *d, const struct suspicion_facts *f, struct result *r)
{
	judge_zeros(r);
	if (!is_of_cache(r) && !judge_page_cache(r)) {
		judge_link(d, r);
		judge_platter(d, r);
		judge_again(d, r);
	}
	judge_heat(f, r);
	judge_pause(r);
	/* what stands still has no lower pace */
	if (!result_has_mark(r, "paused"))
		judge_plateau(r);
	judge_idle(f, r);
}
