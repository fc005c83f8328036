/* SPDX-License-Identifier: MIT */
/* Results: metrics, samples and ends. */
#include <math.h>

#include "bench/model/result.h"
#include "bench/tests/test.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

static struct result r;

static void test_init(void)
{
	memset(&r, 0xA5, sizeof(r));
	result_init(&r, "seq-read-qd1", "sd\xff\x01" "a");
	is_str(r.test, "seq-read-qd1", "the test's name");
	is_str(r.target, "sd\xef\xbf\xbd\xef\xbf\xbd" "a", "the target is cleaned");
	is_int(r.status, RESULT_PLANNED, "planned");
	is_uint(r.metric_n, 0, "no metric");
	is_uint(r.io.lat.min_ns, UINT64_MAX, "the histogram is an empty one");
	ok(!r.has_io, "no outcome");
}

static void test_metrics(void)
{
	char name[40];

	result_init(&r, "t", "");
	ok(!result_metric(&r, "nan", UNIT_NS, NAN), "NaN is no metric");
	ok(!result_metric(&r, "inf", UNIT_NS, INFINITY), "infinity is no metric");
	is_uint(r.metric_n, 0, "neither left anything");
	for (int i = 0; i < RESULT_METRICS_MAX; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		ok(result_metric(&r, name, UNIT_COUNT, i) == &r.metric[i], "metric %d", i);
	}
	ok(!result_metric(&r, "late", UNIT_NS, 1), "a full result takes no more");
	ok(result_find(&r, "m15") == &r.metric[15], "found by name");
	ok(!result_find(&r, "m24"), "what is not there is not found");
	metric_samples(NULL, NULL, 3);
	ok(true, "samples for a refused metric do nothing");
}

static void test_samples(void)
{
	static double value[1000];
	struct metric *m;

	result_init(&r, "t", "");
	m = result_metric(&r, "m", UNIT_NS, 3);
	metric_samples(m, (double[]){ 5, 1, 3, 100, 2 }, 5);
	is_uint(m->sample_n, 5, "few samples are kept as they are");
	is_near(m->sample[3], 100, 0, "in their order");
	is_near(m->median, 3, 0, "median");
	is_near(m->mad, 2, 0, "median absolute deviation");
	is_near(m->min, 1, 0, "minimum");
	is_near(m->max, 100, 0, "maximum");
	for (int i = 0; i < 1000; i++)
		value[i] = i % 16;
	value[77] = -4;
	metric_samples(m, value, 1000);
	is_uint(m->sample_n, 63, "1000 samples become 62 of 16 and a shorter one");
	is_near(m->sample[0], 7.5, 1e-12, "each the mean of its own");
	is_near(m->sample[62], 3.5, 1e-12, "the last of those left over");
	is_near(m->min, -4, 0, "the minimum is of all");
	is_near(m->max, 15, 0, "the maximum is of all");
	is_near(m->median, 7.5, 1e-12, "the median is of the kept");
	metric_samples(m, value, 64);
	is_uint(m->sample_n, 64, "64 fit as they are");
	metric_samples(m, value, 65);
	is_uint(m->sample_n, 33, "65 do not");
	metric_samples(m, value, 0);
	is_uint(m->sample_n, 0, "no samples");
}

static void test_end(void)
{
	char longest[600];

	result_init(&r, "t", "");
	result_end(&r, RESULT_FAILED, "%s at %d\n\x1b[2J", "it stopped", 7);
	is_int(r.status, RESULT_FAILED, "the status");
	is_str(r.reason, "it stopped at 7 \xef\xbf\xbd[2J", "the reason on one clean line");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	result_end(&r, RESULT_SKIPPED, "%s", longest);
	is_uint(strlen(r.reason), RESULT_REASON_BYTES - 1, "a long reason is cut");
}

static void test_words(void)
{
	for (int i = 0; i < RESULT_STATUS_COUNT; i++)
		ok(result_status_words[i] && *result_status_words[i], "status %d has a word", i);
	for (int i = 0; i < UNIT_UNITS; i++)
		ok(metric_unit_words[i] && *metric_unit_words[i], "unit %d has a word", i);
}

/* The words that the suite writes are those that are looked for. */
static void test_phases(void)
{
	for (int i = 0; i < PHASES; i++) {
		result_init(&r, "t", "");
		text_copy(r.phase, sizeof(r.phase), test_phase_words[i]);
		is_int(result_is_together(&r), i == PHASE_TOGETHER, "%s: together", r.phase);
		is_int(result_is_of_machine(&r), i == PHASE_MACHINE, "%s: of the machine",
		       r.phase);
		is_int(result_is_of_network(&r), i == PHASE_NETWORK, "%s: of the network",
		       r.phase);
	}
}

static void test_marks(void)
{
	result_init(&r, "t", "");
	result_mark(&r, "paused", "it stood still");
	ok(!result_is_doubtful(&r), "what was slow is still the disk's");
	is_str(result_find_mark(&r, "paused")->text, "it stood still", "a mark is found");
	ok(!result_find_mark(&r, "cached"), "another is not");
	result_mark(&r, "cached", "read from memory");
	ok(result_is_doubtful(&r), "what a cache gave is not");
}

int main(void)
{
	test_init();
	test_metrics();
	test_samples();
	test_end();
	test_words();
	test_phases();
	test_marks();
	return tap_done();
}
