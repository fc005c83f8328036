/* SPDX-License-Identifier: MIT */
/*
 * fio's own form of a result, from the model alone.
 *
 * The form is that of fio 3.33 run with --group_reporting: units grow with the values, as fio
 * chooses them, and all widths are its widths. Two things are not copied: fio's "pid", for there is
 * no process of that number (it is 0), and its rounding of 12.97 to 12.0.
 */
#include "bench/report/text_fio.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/report/fio_numbers.h"

#define NUMBER_BYTES 32
#define RATE_DIGITS 4
#define LATENCY_DIGITS 6
#define BANDS_PER_LINE 5
#define KIB 1024.0

/*
 * A number of at most `digits` digits and point before its prefix: 56.6k, 3259, 20186k. `unit` "":
 * a count; else powers of 1024 with `binary` (MiB/s), of 1000 without (MB/s).
 */
static const char *shown(char *text, double value, int digits, bool binary, const char *unit)
{
	static const char *const decimal_prefix[] = { "", "k", "M", "G", "T", "P", "E" };
	static const char *const binary_prefix[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
	double limit = pow(10, digits);
	size_t step = 0;
	int whole, places;

	while (value >= limit && step + 1 < sizeof(binary_prefix) / sizeof(*binary_prefix)) {
		value /= binary ? KIB : 1000;
		step++;
	}
	whole = value < 10 ? 1 : (int)log10(value) + 1;
	places = step && digits - whole > 1 ? digits - whole - 1 : 0;
	snprintf(text, NUMBER_BYTES, "%.*f%s%s", places,
		 step ? value : floor(value), binary ? binary_prefix[step] : decimal_prefix[step],
		 unit);
	return text;
}
/* Room for one of them, to the end of the enclosing block. */
#define ROOM ((char[NUMBER_BYTES]){ 0 })

/* 0: nanoseconds, 1: microseconds, 2: milliseconds. fio looks at all of a line at once. */
static int time_step(double min_ns, double max_ns, double spread_ns)
{
	if (min_ns > 2e6 && max_ns > 99999999 && spread_ns > 1e6)
		return 2;
	return min_ns > 2000 && max_ns > 99999 && spread_ns > 1000 ? 1 : 0;
}
static const char *const time_names[] = { "nsec", "usec", "msec" };
static void put_latency(FILE *out, const char *name, double min_ns, double max_ns, double mean_ns,
			double stdev_ns)
{
	int step = time_step(min_ns, max_ns, stdev_ns);
	double unit = fio_step_ns[step];

	fprintf(out, "    %s (%s): min=%s, max=%s, avg=%5.02f, stdev=%5.02f\n", name,
		time_names[step], shown(ROOM, min_ns / unit, LATENCY_DIGITS, false, ""),
		shown(ROOM, max_ns / unit, LATENCY_DIGITS, false, ""), mean_ns / unit,
		stdev_ns / unit);
}

static void put_moments(FILE *out, const char *name, const struct moments *m)
{
	if (m->count)
		put_latency(out, name, (double)m->min_ns, (double)m->max_ns, moments_mean(m),
			    moments_stdev(m));
}

static void put_percentiles(FILE *out, const struct hist *clat)
{
	uint64_t ns[FIO_PERCENTS];
	double most;
	int step, width;

	fio_percentiles(clat, ns);
	step = time_step((double)ns[0], (double)ns[FIO_PERCENTS - 1], INFINITY);
	most = (double)ns[FIO_PERCENTS - 1] / fio_step_ns[step];
	width = most < 1e5 ? 5 : (int)log10(most) + 1;
	fprintf(out, "    clat percentiles (%s):\n     |", time_names[step]);
	for (size_t i = 0; i < FIO_PERCENTS; i++)
		fprintf(out, "%s %5.2fth=[%*.0f]%s", i && i % 4 == 0 ? "\n     |" : "",
			fio_percents[i], width, ceil((double)ns[i] / fio_step_ns[step]),
			i + 1 < FIO_PERCENTS ? "," : "\n");
}

static void put_samples(FILE *out, const struct result *t)
{
	struct fio_samples s = fio_samples(t);
	double scale = s.kib_per_s.mean > KIB * KIB ? KIB : 1;

	if (!s.n)
		return;
	fprintf(out, "   bw (  %s/s): min=%5.0f, max=%5.0f, per=%3.2f%%, avg=%5.02f, "
		"stdev=%5.02f, samples=%" PRIu32 "\n", scale > 1 ? "MiB" : "KiB",
		floor(s.kib_per_s.min / scale), floor(s.kib_per_s.max / scale), s.percent_of_whole,
		s.kib_per_s.mean / scale, s.kib_per_s.stdev / scale, s.n);
	fprintf(out, "   iops        : min=%5.0f, max=%5.0f, avg=%5.02f, stdev=%5.02f, samples=%"
		PRIu32 "\n", floor(s.iops.min), floor(s.iops.max), s.iops.mean, s.iops.stdev, s.n);
}

static void put_side(FILE *out, const struct result *t, int which)
{
	const struct io_side *side = &t->io.side[which];
	double ms = fio_runtime_ms(t), rate = (double)side->bytes * 1000 / ms;

	if (!side->ios)
		return;
	fprintf(out, "  %s: IOPS=%s, BW=%s (%s)(%s/%.0fmsec)%s\n",
		which == IO_SIDE_READ ? "read" : "write",
		shown(ROOM, floor((double)side->ios * 1000 / ms), RATE_DIGITS, false, ""),
		shown(ROOM, rate, RATE_DIGITS, true, "B/s"),
		shown(ROOM, rate, RATE_DIGITS, false, "B/s"),
		shown(ROOM, (double)side->bytes, RATE_DIGITS, true, "B"), ms,
		which == IO_SIDE_WRITE ? "; 0 zone resets" : "");
	put_moments(out, "slat", &side->slat);
	if (side->clat.count)
		put_latency(out, "clat", (double)side->clat.min_ns, (double)side->clat.max_ns,
			    hist_mean(&side->clat), hist_stdev(&side->clat));
	put_moments(out, " lat", &side->lat);
	if (side->clat.count)
		put_percentiles(out, &side->clat);
	put_samples(out, t);
}

/* ---- of all directions together ---- */

static void put_bands(FILE *out, const struct result *t)
{
	double percent[FIO_STEPS][FIO_BANDS + 2];

	fio_bands(t, percent);
	for (int step = 0; step < FIO_STEPS; step++) {
		int shown_n = 0;

		for (int k = 0; k < FIO_BANDS + 2; k++) {
			char name[16];

			if (percent[step][k] <= 0)
				continue;
			if (shown_n % BANDS_PER_LINE)
				fprintf(out, ", ");
			else
				fprintf(out, "%s  lat (%s)   : ", shown_n ? "\n" : "",
					time_names[step]);
			snprintf(name, sizeof(name), "%u", k < FIO_BANDS ? fio_band_ends[k] : 2000);
			fprintf(out, "%s%s=%3.2f%%", k > FIO_BANDS ? ">=" : "", name,
				percent[step][k]);
			shown_n++;
		}
		if (shown_n)
			fprintf(out, "\n");
	}
}

static void put_map(FILE *out, const char *head, const char *const *names, const uint64_t *map)
{
	double percent[IO_MAP_N];

	fio_map(map, percent);
	fprintf(out, "%s", head);
	for (int i = 0; i < IO_MAP_N; i++)
		fprintf(out, "%s%s=%3.1f%%", i ? ", " : "", names[i], percent[i]);
	fprintf(out, "\n");
}

static void put_common(FILE *out, const struct result *t)
{
	static const char *const depths[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	static const char *const calls[] = { "0", "4", "8", "16", "32", "64", ">=64" };
	const struct io_outcome *io = &t->io;
	uint64_t bad = io->short_ios + io->zero_ios;
	bool writes = !strcmp(t->access, "write");

	put_bands(out, t);
	fprintf(out, "  cpu          : usr=%3.2f%%, sys=%3.2f%%, ctx=%" PRIu64 ", majf=%" PRIu64
		", minf=%" PRIu64 "\n", fio_cpu_percent(t, io->user_cpu_ns),
		fio_cpu_percent(t, io->system_cpu_ns), io->context_switches, io->major_faults,
		io->minor_faults);
	put_map(out, "  IO depths    : ", depths, io->depth_map);
	put_map(out, "     submit    : ", calls, io->submit_map);
	put_map(out, "     complete  : ", calls, io->complete_map);
	fprintf(out, "     issued rwts: total=%" PRIu64 ",%" PRIu64 ",0,0 short=%" PRIu64
		",%" PRIu64 ",0,0 dropped=0,0,0,0\n", io->side[IO_SIDE_READ].ios,
		io->side[IO_SIDE_WRITE].ios, writes ? 0 : bad, writes ? bad : 0);
	if (io->error_ios)
		fprintf(out, "     errors    : total=%" PRIu64 ", first_error=%d/<%s>\n",
			io->error_ios, io->error[0].err, strerror(io->error[0].err));
	fprintf(out, "     latency   : target=0, window=0, percentile=100.00%%, depth=%" PRIu32
		"\n", t->depth);
}

static void put_group(FILE *out, const struct result *t)
{
	static const char *const names[IO_SIDES] = { "   READ", "  WRITE" };
	double ms = fio_runtime_ms(t);

	fprintf(out, "\nRun status group 0 (all jobs):\n");
	for (int i = 0; i < IO_SIDES; i++) {
		const struct io_side *side = &t->io.side[i];
		double bytes = (double)side->bytes;
		char binary[NUMBER_BYTES], decimal[NUMBER_BYTES];

		if (!side->ios)
			continue;
		shown(binary, bytes * 1000 / ms, RATE_DIGITS, true, "B/s");
		shown(decimal, bytes * 1000 / ms, RATE_DIGITS, false, "B/s");
		fprintf(out, "%s: bw=%s (%s), %s-%s (%s-%s), io=%s (%s), run=%.0f-%.0fmsec\n",
			names[i], binary, decimal, binary, binary, decimal, decimal,
			shown(ROOM, bytes, RATE_DIGITS, true, "B"),
			shown(ROOM, bytes, RATE_DIGITS, false, "B"), ms, ms);
	}
}

static void put_disk_stat(FILE *out, const struct result *t)
{
	const struct disk_stat *s = &t->disk_stat;

	if (!t->has_disk_stat)
		return;
	fprintf(out, "\nDisk stats (read/write):\n");
	fprintf(out, "  %s: ios=%" PRIu64 "/%" PRIu64 ", merge=%" PRIu64 "/%" PRIu64 ", ticks=%"
		PRIu64 "/%" PRIu64 ", in_queue=%" PRIu64 ", util=%3.2f%%\n", t->target,
		s->read_ios, s->write_ios, s->read_merges, s->write_merges, s->read_ticks_ms,
		s->write_ticks_ms, s->queue_ticks_ms,
		fio_util_percent(t));
}

/* ---- one result ---- */

/* The command whose result this is, as far as fio can be told the same. */
static void put_command(FILE *out, const struct report *r, const struct result *t, const char *name)
{
	const struct disk *d = report_disk(r, t->target);
	bool split = t->jobs > 1 && strcmp(t->family, "yabs");
	uint64_t region = split ? t->area_bytes / t->jobs : t->area_bytes;

	fprintf(out, "# %s%s%s: %s\n", t->target, d && *d->model ? ", " : "", d ? d->model : "",
		t->test);
	if (t->status != RESULT_OK)
		return;
	fprintf(out, "# fio --name=%s --filename=%s --offset=%" PRIu64, name,
		d ? d->node : t->target, t->area_offset_bytes);
	if (split)
		fprintf(out, " --offset_increment=%" PRIu64, region);
	fprintf(out, " --size=%" PRIu64 " --numjobs=%" PRIu32 " --bs=%" PRIu32 " --iodepth=%" PRIu32
		" --rw=%s --ioengine=%s --direct=1 --time_based --runtime=%.0fms", region, t->jobs,
		t->block_bytes, t->depth, fio_rw_word(t), t->engine, fio_runtime_ms(t));
	if (t->ramp_ns)
		fprintf(out, " --ramp_time=%" PRIu64 "ms", t->ramp_ns / 1000000);
	fprintf(out, " --group_reporting=1\n");
}

static void put_head(FILE *out, const struct report *r, const struct result *t, const char *name)
{
	int64_t end_s = r->run.started_s + (int64_t)((t->start_ns + t->elapsed_ns) / 1000000000);
	time_t when = (time_t)end_s;
	char date[64] = "", size[40];
	struct tm tm;

	if (r->run.started_s && gmtime_r(&when, &tm))
		strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &tm);
	snprintf(size, sizeof(size), "%" PRIu32 "B-%" PRIu32 "B", t->block_bytes, t->block_bytes);
	fprintf(out, "%s: (g=0): rw=%s, bs=(R) %s, (W) %s, (T) %s", name, fio_rw_word(t), size,
		size, size);
	fprintf(out, ", ioengine=%s, iodepth=%" PRIu32 "\n%sbootmark-%s\nStarting %" PRIu32
		" thread%s\n\n", t->engine, t->depth, t->jobs > 1 ? "...\n" : "", r->tool.version,
		t->jobs, t->jobs > 1 ? "s" : "");
	fprintf(out, "%s: (groupid=0, jobs=%" PRIu32 "): err= 0: pid=0: %s\n", name, t->jobs, date);
}

static void put_result(FILE *out, const struct report *r, const struct result *t)
{
	char name[64];

	fio_name_job(t, name, sizeof(name));
	put_command(out, r, t, name);
	if (t->status != RESULT_OK) {
		fprintf(out, "# %s%s%s\n", result_status_words[t->status], *t->reason ? ": " : "",
			t->reason);
		return;
	}
	put_head(out, r, t, name);
	put_side(out, t, IO_SIDE_READ);
	put_side(out, t, IO_SIDE_WRITE);
	put_common(out, t);
	put_group(out, t);
	put_disk_stat(out, t);
}

char *fio_text_write(const struct report *r, size_t *len_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len_bytes);
	bool any = false;

	if (!out)
		return NULL;
	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (strcmp(t->family, "fio") && strcmp(t->family, "yabs"))
			continue;
		if (any)
			fputc('\n', out);
		any = true;
		put_result(out, r, t);
	}
	if (!any)
		fprintf(out, "# no test of fio's is in this report\n");
	if (ferror(out)) {
		fclose(out);
		free(text);
		return NULL;
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
