/* SPDX-License-Identifier: MIT */
/* The shared limit: sums of each disk alone beside those of all at once, by controller. */
#include "bench/model/together.h"
#include "tests/unit/report_fixtures.h"
#include "tests/unit/tap.h"

static struct report r;

static void add_disk(const char *name, const char *controller)
{
	SET(fixture_disk(&r, name, name, name, "sas", UINT64_C(1) << 40)->controller, "%s",
	    controller);
}

static struct result *add(const char *disk, const char *test, const char *phase, const char *order,
			  double rate)
{
	static struct result t;

	result_init(&t, test, disk);
	SET(t.phase, "%s", phase);
	SET(t.order, "%s", order);
	SET(t.access, "read");
	SET(t.engine, "libaio");
	t.block_bytes = strcmp(order, "random") ? MIB : 4 * KIB;
	t.depth = t.depth_asked = 32;
	t.jobs = 1;
	result_metric(&t, "throughput", UNIT_BYTES_PER_S, rate * t.block_bytes);
	result_metric(&t, "iops", UNIT_IOPS, rate);
	result_end(&t, RESULT_OK, "%s", "");
	report_add_result(&r, &t);
	return &r.result[r.result_n - 1];
}

static void add_pair(const char *disk, double alone, double together)
{
	add(disk, "seq-read-qd32", "alone", "sequential", alone);
	add(disk, "seq-read-together", "together", "sequential", together);
}

static void begin(size_t disks, const char *const *controller)
{
	char name[16];

	fixture_begin(&r, "00000000-0000-4000-8000-000000000009");
	for (size_t i = 0; i < disks; i++) {
		SET(name, "sd%c", (char)('a' + i));
		add_disk(name, controller[i]);
	}
}

/* Disks so unlike make other rules speak as well. */
static size_t limits_found(const struct report *report, const struct finding **last)
{
	size_t n = 0;

	for (size_t i = 0; i < report->finding_n; i++)
		if (!strcmp(report->finding[i].rule, "shared-limit")) {
			*last = &report->finding[i];
			n++;
		}
	return n;
}

static void test_groups(void)
{
	static const char *const controllers[] = { "one", "one", "two", "two", "three" };
	const struct finding *last = NULL;
	const struct shared_limit *l;
	size_t limits;

	begin(5, controllers);
	add_pair("sda", 1000, 400);
	add_pair("sdb", 1000, 400);
	add_pair("sdc", 500, 499);
	add_pair("sdd", 500, 480);
	add_pair("sde", 3000, 3000);
	is_int(together_find(&r), 0, "five disks on three controllers");
	if (!is_uint(r.shared_limit_n, 3, "one row for all, and for each with two disks"))
		return;
	l = r.shared_limit;
	is_str(l[0].test, "seq-read-together", "the test");
	is_str(l[0].controller, "", "of all disks");
	is_uint(l[0].disk_n, 5, "five of them");
	is_near(l[0].alone, 6000.0 * MIB, 1, "the sum alone, in bytes");
	is_near(l[0].together, 4779.0 * MIB, 1, "the sum together");
	ok(l[0].limited && l[0].unit == UNIT_BYTES_PER_S, "which is limited");
	is_str(l[1].controller, "one", "the first controller");
	is_uint(l[1].disk_n, 2, "has two disks");
	is_near(l[1].together, 800.0 * MIB, 1, "which deliver 800 MiB/s");
	ok(l[1].limited, "where 2000 were due: a limit");
	is_str(l[2].controller, "two", "the second controller");
	ok(!l[2].limited, "has none: 979 of 1000");
	report_find(&r);
	limits = limits_found(&r, &last);
	is_uint(limits, 2, "a finding for each limit");
	ok(limits && strstr(last->sentence, "2 disks at one"), "%s", limits ? last->sentence : "");
	is_int(together_find(&r), 0, "computed again");
	is_uint(r.shared_limit_n, 3, "it is the same");
	report_free(&r);
}

static void test_edge(void)
{
	static const char *const controllers[] = { "one", "one", "one" };

	begin(3, controllers);
	add_pair("sda", 1000, 901);
	add_pair("sdb", 1000, 900);
	together_find(&r);
	is_uint(r.shared_limit_n, 1, "on one controller all are the controller's");
	is_str(r.shared_limit[0].controller, "one", "which is named");
	ok(!r.shared_limit[0].limited, "above 0.9 there is no limit");
	r.result[1].metric[0].value -= 3 * MIB;
	together_find(&r);
	ok(r.shared_limit[0].limited, "below there is");
	result_mark(&r.result[1], "paused", "nothing came back");
	result_mark(&r.result[3], "throttled", "it fell");
	together_find(&r);
	ok(r.shared_limit[0].limited, "that a disk stood still may be what the limit does");
	result_mark(&r.result[2], "all-zero", "never written");
	together_find(&r);
	ok(!r.shared_limit[0].limited, "a number that may be of no disk proves nothing");
	report_free(&r);
}

static void test_unequal(void)
{
	static const char *const controllers[] = { "one", "one", "two" };

	begin(3, controllers);
	add_pair("sda", 1000, 500);
	add_pair("sdb", 1000, 500);
	add("sdc", "seq-read-together", "together", "sequential", 500);
	add("sdc", "seq-read-qd64", "alone", "sequential", 1000)->depth_asked = 64;
	together_find(&r);
	is_uint(r.shared_limit_n, 0, "what a disk lacks is not made up: no sum of all");
	r.result[r.result_n - 2].status = RESULT_FAILED;
	together_find(&r);
	is_uint(r.shared_limit_n, 1, "a disk that failed is in no sum");
	is_uint(r.shared_limit[0].disk_n, 2, "the other two are");
	r.result[1].status = RESULT_TIMEOUT;
	together_find(&r);
	is_uint(r.shared_limit_n, 0, "one disk is no sum");
	report_free(&r);
}

static void test_random(void)
{
	static const char *const controllers[] = { "", "" };

	begin(2, controllers);
	for (int i = 0; i < 2; i++) {
		add(i ? "sdb" : "sda", "rand-read-qd32", "alone", "random", 100000);
		add(i ? "sdb" : "sda", "rand-read-together", "together", "random", 60000);
	}
	together_find(&r);
	is_uint(r.shared_limit_n, 1, "unknown controllers are none");
	ok(r.shared_limit[0].unit == UNIT_IOPS && r.shared_limit[0].alone == 200000,
	   "random reads add up their IOPS");
	report_find(&r);
	ok(strstr(r.finding[0].sentence, "2 disks: 100,000 IOPS each alone adds up to "
		  "200,000 IOPS, together they deliver 120,000 IOPS"), "%s",
	   r.finding[0].sentence);
	report_free(&r);
}

int main(void)
{
	test_groups();
	test_edge();
	test_unequal();
	test_random();
	return tap_done();
}
