/* SPDX-License-Identifier: MIT */
/*
 * bench.sh of several generations: the head that describes a machine, its three writes, and what it
 * downloaded. Its rates are dd's: MB and GB are decimal.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/import/import.h"
#include "bench/stats/summary.h"
#include "lib/text.h"

#define RATE "([0-9]+([.,][0-9]+)?) ?([kKMGT]?B/s)"
#define RUNS_MAX 16

static int take_cpu(struct import *im, const regmatch_t *m)
{
	char cpu[100];

	/* one report has one machine: the first stands, each result says what stood before it */
	if (im->machine_n++ == 0)
		import_copy(im, m[2], im->report->machine.cpu.model,
			    sizeof(im->report->machine.cpu.model));
	import_copy(im, m[2], cpu, sizeof(cpu));
	snprintf(im->context, sizeof(im->context), "%s%s%s", im->prose, *im->prose ? " " : "", cpu);
	im->prose[0] = '\0';
	im->device[0] = '\0';
	im->last = SIZE_MAX;
	return 0;
}

static int take_kernel(struct import *im, const regmatch_t *m)
{
	char kernel[128];
	size_t used = strlen(im->context);

	import_copy(im, m[2], kernel, sizeof(kernel));
	if (im->machine_n == 1)
		text_copy(im->report->tool.kernel, sizeof(im->report->tool.kernel), kernel);
	if (used + 3 < sizeof(im->context))
		snprintf(im->context + used, sizeof(im->context) - used, ", %s", kernel);
	return 0;
}

/* The result that a run belongs to: a new one for the first. NULL: no memory. */
static struct result *result_of_run(struct import *im, const regmatch_t *m)
{
	struct result *r = import_same(im, "benchsh-write");

	if (r && import_count(im, m[1]) != 1) {
		size_t used = strlen(r->as_read);

		if (used + 2 < sizeof(r->as_read)) {
			snprintf(r->as_read + used, sizeof(r->as_read) - used, "; ");
			import_copy(im, m[0], r->as_read + used + 2, sizeof(r->as_read) - used - 2);
		}
		return r;
	}
	r = import_add(im, "benchsh-write", "benchsh", m);
	if (!r)
		return NULL;
	snprintf(r->access, sizeof(r->access), "write");
	snprintf(r->order, sizeof(r->order), "sequential");
	snprintf(r->via, sizeof(r->via), "page-cache");
	snprintf(r->data, sizeof(r->data), "zeros");
	r->depth = r->depth_asked = r->jobs = 1;
	return r;
}

/* Its value is the mean of all runs so far, as bench.sh has it. */
static int take_run(struct import *im, const regmatch_t *m)
{
	double value = import_number(im, m[2]) * import_factor(im, m[4]);
	double rate[RUNS_MAX];
	struct metric *metric;
	struct result *r;
	uint32_t n = 0;

	if (!(value > 0))
		return 0;
	r = result_of_run(im, m);
	if (!r)
		return -ENOMEM;
	for (; r->metric_n && n < r->metric[0].sample_n && n + 1 < RUNS_MAX; n++)
		rate[n] = r->metric[0].sample[n];
	rate[n++] = value;
	r->metric_n = 0;
	metric = result_metric(r, "throughput", UNIT_BYTES_PER_S, stats_mean(rate, n));
	metric_samples(metric, rate, n);
	return 0;
}

/* The mean is made anew from the runs: bench.sh multiplies GB/s by 1024 for its own. */
static int take_average(struct import *im, const regmatch_t *m)
{
	struct result *r = import_same(im, "benchsh-write");

	if (r) {
		char average[64];

		import_copy(im, m[0], average, sizeof(average));
		result_end(r, RESULT_OK, "%s", average);
	}
	return 0;
}

/*
 * A row of its table of downloads, timed by wget: whose MB/s are of 2^20 bytes (wget,
 * src/retr.c: rates are divided by 1024).
 */
static int take_node(struct import *im, const regmatch_t *m)
{
	double value = import_number(im, m[5]);
	char letter = im->text[m[7].rm_so];
	struct result *r;

	if (!(value > 0))
		return 0;
	import_copy(im, m[1], im->device, sizeof(im->device));
	r = import_add(im, "benchsh-download", "benchsh", m);
	im->device[0] = '\0';
	if (!r)
		return -ENOMEM;
	import_copy(im, m[3], r->path, sizeof(r->path));
	result_metric(r, "download", UNIT_BYTES_PER_S, value *
		      (letter == 'K' ? 1024 : letter == 'M' ? 1048576 : 1073741824));
	im->last = SIZE_MAX;
	return 0;
}

const struct import_pattern import_benchsh[] = {
	{ "bench.sh CPU", "CPU [mM]odel( Name)? *: *([^\n]*[^\n ]) +Number of cores", take_cpu },
	{ "bench.sh CPU", "CPU [mM]odel( Name)? *: *([^\n]*[^\n ])", take_cpu },
	{ "bench.sh kernel", "(Kernel) *: *([0-9][^ \n]*)", take_kernel },
	{ "bench.sh run", "I/O [sS]peed *\\( *([0-9]+)[a-z]* run *\\) *: *" RATE, take_run },
	{ "bench.sh node", "([A-Z][A-Za-z0-9]+(, ?[A-Za-z0-9]+)*) +([0-9]+(\\.[0-9]+){3}) +"
	  "([0-9]+(\\.[0-9]+)?) ?([KMG])B/s", take_node },
	{ "bench.sh average", "(Average I/O speed|I/O Speed\\(average\\)) *: *" RATE,
	  take_average },
};
const size_t import_benchsh_n = sizeof(import_benchsh) / sizeof(import_benchsh[0]);
