/* SPDX-License-Identifier: MIT */
/* Results in the JSON form of fio 3.33; see fio_json.h. */
#include "bench/report/fio_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <yyjson.h>

#include "bench/report/fio_numbers.h"
#include "bench/report/json.h"
#include "lib/text.h"

#define KIB 1024

/* fio's numbers of a set of latencies. */
struct latency {
	uint64_t n, min_ns, max_ns;
	double mean_ns, stdev_ns;
};

static struct latency of_moments(const struct moments *m)
{
	struct latency l = { .n = m->count };

	if (l.n) {
		l.min_ns = m->min_ns;
		l.max_ns = m->max_ns;
		l.mean_ns = moments_mean(m);
		l.stdev_ns = moments_stdev(m);
	}
	return l;
}

static struct latency of_hist(const struct hist *h)
{
	struct latency l = { .n = h->count };

	if (l.n) {
		l.min_ns = h->min_ns;
		l.max_ns = h->max_ns;
		l.mean_ns = hist_mean(h);
		l.stdev_ns = hist_stdev(h);
	}
	return l;
}

static yyjson_mut_val *put_latency(yyjson_mut_doc *doc, yyjson_mut_val *side, const char *key,
				   struct latency l)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, side, key);

	yyjson_mut_obj_add_uint(doc, o, "min", l.min_ns);
	yyjson_mut_obj_add_uint(doc, o, "max", l.max_ns);
	yyjson_mut_obj_add_real(doc, o, "mean", l.mean_ns);
	yyjson_mut_obj_add_real(doc, o, "stddev", l.stdev_ns);
	yyjson_mut_obj_add_uint(doc, o, "N", l.n);
	return o;
}

static void put_percentiles(yyjson_mut_doc *doc, yyjson_mut_val *clat, const struct hist *h)
{
	yyjson_mut_val *o;
	uint64_t ns[FIO_PERCENTS];

	if (!h->count)
		return;
	o = yyjson_mut_obj_add_obj(doc, clat, "percentile");
	fio_percentiles(h, ns);
	for (size_t i = 0; i < FIO_PERCENTS; i++) {
		char key[16];

		snprintf(key, sizeof(key), "%.6f", fio_percents[i]);
		yyjson_mut_obj_add(o, yyjson_mut_strcpy(doc, key), yyjson_mut_uint(doc, ns[i]));
	}
}

/* The intervals' extremes, means and deviations; a mix has none of its parts. */
static void put_samples(yyjson_mut_doc *doc, yyjson_mut_val *o, const struct result *t)
{
	struct fio_samples s = fio_samples(t);

	if (!s.n) {
		/* fio-plot wants the key; of one number there is no deviation */
		yyjson_mut_obj_add_real(doc, o, "iops_stddev", 0);
		return;
	}
	yyjson_mut_obj_add_uint(doc, o, "bw_min", (uint64_t)s.kib_per_s.min);
	yyjson_mut_obj_add_uint(doc, o, "bw_max", (uint64_t)s.kib_per_s.max);
	yyjson_mut_obj_add_real(doc, o, "bw_agg", s.percent_of_whole);
	yyjson_mut_obj_add_real(doc, o, "bw_mean", s.kib_per_s.mean);
	yyjson_mut_obj_add_real(doc, o, "bw_dev", s.kib_per_s.stdev);
	yyjson_mut_obj_add_uint(doc, o, "bw_samples", s.n);
	yyjson_mut_obj_add_uint(doc, o, "iops_min", (uint64_t)s.iops.min);
	yyjson_mut_obj_add_uint(doc, o, "iops_max", (uint64_t)s.iops.max);
	yyjson_mut_obj_add_real(doc, o, "iops_mean", s.iops.mean);
	yyjson_mut_obj_add_real(doc, o, "iops_stddev", s.iops.stdev);
	yyjson_mut_obj_add_uint(doc, o, "iops_samples", s.n);
}

static bool is_used(const struct result *t, int which)
{
	if (!strcmp(t->access, "mixed"))
		return true;
	return which == (strcmp(t->access, "write") ? IO_SIDE_READ : IO_SIDE_WRITE);
}

/* What was counted in one direction; a job of one may have its counts as a whole alone. */
static void count_side(const struct result *t, int which, uint64_t *ios, uint64_t *bytes)
{
	bool whole = !t->io.side[IO_SIDE_READ].ios && !t->io.side[IO_SIDE_WRITE].ios &&
		     strcmp(t->access, "mixed") && is_used(t, which);

	*ios = whole ? t->io.ios : t->io.side[which].ios;
	*bytes = whole ? t->io.bytes : t->io.side[which].bytes;
}

static void put_side(yyjson_mut_doc *doc, yyjson_mut_val *job, const struct result *t, int which)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, job, which ? "write" : "read");
	const struct io_side *side = &t->io.side[which];
	uint64_t ios, bytes;
	const struct hist *clat = t->io.has_detail ? &side->clat : &t->io.lat;
	bool used = is_used(t, which);
	double seconds = (double)t->io.measured_ns / 1e9;
	double rate;
	uint64_t bad = used ? t->io.short_ios + t->io.zero_ios : 0;
	struct latency none = { 0 };
	yyjson_mut_val *percentiles;

	count_side(t, which, &ios, &bytes);
	rate = used && seconds > 0 ? (double)bytes / seconds : 0;
	yyjson_mut_obj_add_uint(doc, o, "io_bytes", bytes);
	yyjson_mut_obj_add_uint(doc, o, "io_kbytes", bytes / KIB);
	yyjson_mut_obj_add_uint(doc, o, "bw_bytes", (uint64_t)rate);
	yyjson_mut_obj_add_uint(doc, o, "bw", (uint64_t)(rate / KIB));
	yyjson_mut_obj_add_real(doc, o, "iops", used && seconds > 0 ? (double)ios / seconds : 0);
	yyjson_mut_obj_add_uint(doc, o, "runtime", used ? (uint64_t)fio_runtime_ms(t) : 0);
	yyjson_mut_obj_add_uint(doc, o, "total_ios", ios);
	yyjson_mut_obj_add_uint(doc, o, "short_ios", bad);
	yyjson_mut_obj_add_uint(doc, o, "drop_ios", 0);
	/* without detail, what a submit call takes was not measured: only the whole latency was */
	if (t->io.has_detail)
		put_latency(doc, o, "slat_ns", of_moments(&side->slat));
	percentiles = put_latency(doc, o, "clat_ns", used ? of_hist(clat) : none);
	if (used)
		put_percentiles(doc, percentiles, clat);
	put_latency(doc, o, "lat_ns", !used ? none : t->io.has_detail ? of_moments(&side->lat)
								      : of_hist(&t->io.lat));
	if (used)
		put_samples(doc, o, t);
	else
		yyjson_mut_obj_add_real(doc, o, "iops_stddev", 0);
}

static void put_bands(yyjson_mut_doc *doc, yyjson_mut_val *job, const struct result *t)
{
	static const char *const keys[FIO_STEPS] = { "latency_ns", "latency_us", "latency_ms" };
	double percent[FIO_STEPS][FIO_BANDS + 2];

	fio_bands(t, percent);
	for (int step = 0; step < FIO_STEPS; step++) {
		yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, job, keys[step]);

		for (int k = 0; k < FIO_BANDS + (step == FIO_STEPS - 1 ? 2 : 0); k++) {
			char key[16];

			snprintf(key, sizeof(key), "%s%u", k > FIO_BANDS ? ">=" : "",
				 k < FIO_BANDS ? fio_band_ends[k] : 2000);
			yyjson_mut_obj_add(o, yyjson_mut_strcpy(doc, key),
					   yyjson_mut_real(doc, percent[step][k]));
		}
	}
}

static void put_map(yyjson_mut_doc *doc, yyjson_mut_val *job, const char *key,
		    const char *const *names, const uint64_t *map)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, job, key);
	double percent[IO_MAP_N];

	fio_map(map, percent);
	for (int i = 0; i < IO_MAP_N; i++)
		yyjson_mut_obj_add_real(doc, o, names[i], percent[i]);
}

/* All values are texts, as fio-plot expects them. */
static void put_options(yyjson_mut_doc *doc, yyjson_mut_val *job, const struct report *r,
			const struct result *t, const char *name)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, job, "job options");
	const struct disk *d = report_disk(r, t->target);
	char text[40];

	json_put_text(doc, o, "name", name);
	json_put_text(doc, o, "filename", d && *d->node ? d->node : t->target);
	json_put_text(doc, o, "rw", fio_rw_word(t));
	snprintf(text, sizeof(text), "%u", t->block_bytes);
	if (t->block_bytes && t->block_bytes % (KIB * KIB) == 0)
		snprintf(text, sizeof(text), "%uM", t->block_bytes / (KIB * KIB));
	else if (t->block_bytes && t->block_bytes % KIB == 0)
		snprintf(text, sizeof(text), "%uk", t->block_bytes / KIB);
	json_put_text(doc, o, "bs", text);
	snprintf(text, sizeof(text), "%u", t->depth);
	json_put_text(doc, o, "iodepth", text);
	snprintf(text, sizeof(text), "%u", t->jobs ? t->jobs : 1);
	json_put_text(doc, o, "numjobs", text);
	json_put_text(doc, o, "ioengine", *t->engine ? t->engine : "sync");
	json_put_text(doc, o, "direct", strcmp(t->via, "page-cache") ? "1" : "0");
	snprintf(text, sizeof(text), "%.0fms", fio_runtime_ms(t));
	json_put_text(doc, o, "runtime", text);
	json_put_text(doc, o, "group_reporting", "1");
}

static void put_job(yyjson_mut_doc *doc, yyjson_mut_val *jobs, const struct report *r,
		    const struct result *t)
{
	static const char *const depths[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	static const char *const calls[] = { "0", "4", "8", "16", "32", "64", ">=64" };
	yyjson_mut_val *job = yyjson_mut_arr_add_obj(doc, jobs);
	const struct io_outcome *io = &t->io;
	char name[128], clean[128];

	snprintf(name, sizeof(name), "%s-%s", t->target, t->test);
	text_clean_str(clean, sizeof(clean), name);
	yyjson_mut_obj_add_strcpy(doc, job, "jobname", clean);
	yyjson_mut_obj_add_uint(doc, job, "groupid", 0);
	yyjson_mut_obj_add_int(doc, job, "error", io->error_n ? io->error[0].err : 0);
	yyjson_mut_obj_add_uint(doc, job, "elapsed", t->elapsed_ns / 1000000000);
	put_options(doc, job, r, t, clean);
	put_side(doc, job, t, IO_SIDE_READ);
	put_side(doc, job, t, IO_SIDE_WRITE);
	yyjson_mut_obj_add_uint(doc, job, "job_runtime", (uint64_t)fio_runtime_ms(t));
	yyjson_mut_obj_add_real(doc, job, "usr_cpu", fio_cpu_percent(t, io->user_cpu_ns));
	yyjson_mut_obj_add_real(doc, job, "sys_cpu", fio_cpu_percent(t, io->system_cpu_ns));
	yyjson_mut_obj_add_uint(doc, job, "ctx", io->context_switches);
	yyjson_mut_obj_add_uint(doc, job, "majf", io->major_faults);
	yyjson_mut_obj_add_uint(doc, job, "minf", io->minor_faults);
	if (io->has_detail) {
		put_map(doc, job, "iodepth_level", depths, io->depth_map);
		put_map(doc, job, "iodepth_submit", calls, io->submit_map);
		put_map(doc, job, "iodepth_complete", calls, io->complete_map);
	}
	put_bands(doc, job, t);
	yyjson_mut_obj_add_uint(doc, job, "latency_depth", t->depth);
}

/* Tests without a latency of each I/O (hdparm's, dd's) are no jobs of fio's. */
static bool is_job(const struct result *t)
{
	return t->status == RESULT_OK && t->has_io && t->block_bytes && t->io.measured_ns &&
	       (t->io.lat.count || t->io.has_detail) && t->io.ios;
}

char *fio_json_write(const struct report *r, size_t *len_bytes)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *jobs;
	char version[80], date[64] = "", *text;
	time_t when = (time_t)r->run.started_s;
	struct tm tm;

	yyjson_mut_doc_set_root(doc, root);
	snprintf(version, sizeof(version), "bootmark-%.64s", r->tool.version);
	json_put_text(doc, root, "fio version", version);
	if (r->run.started_s > 0) {
		yyjson_mut_obj_add_int(doc, root, "timestamp", r->run.started_s);
		if (gmtime_r(&when, &tm))
			strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &tm);
		json_put_text(doc, root, "time", date);
	}
	jobs = yyjson_mut_obj_add_arr(doc, root, "jobs");
	for (size_t i = 0; i < r->result_n; i++)
		if (is_job(&r->result[i]))
			put_job(doc, jobs, r, &r->result[i]);
	text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
				len_bytes);
	yyjson_mut_doc_free(doc);
	return text;
}
