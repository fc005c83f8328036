/* SPDX-License-Identifier: MIT */
/* The plan: within its profile's time for any number of disks, and a reason for whatever will not
 * run. */
#include <errno.h>
#include <string.h>

#include "bench/run/plan.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static struct options o;
static struct plan plan;

static struct disk_list make_disks(size_t n)
{
	struct disk_list list = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct disk d = {
			.size_bytes = UINT64_C(512) << 30, .logical_block_bytes = 512,
			.physical_block_bytes = 4096,
		};

		snprintf(d.name, sizeof(d.name), "sd%zu", i);
		if (disk_list_add(&list, &d))
			tap_bail("no memory");
	}
	return list;
}

static void test_profiles(void)
{
	static const struct { const char *name; uint64_t limit_s; } row[] = {
		{ "quick", 120 }, { "standard", 900 },
	};
	static const size_t disks[] = { 1, 2, 3, 6, 24, 40 };

	for (size_t p = 0; p < 2; p++) {
		for (size_t d = 0; d < sizeof(disks) / sizeof(disks[0]); d++) {
			struct disk_list list = make_disks(disks[d]);
			uint64_t sum_ns = 0;

			options_init(&o);
			options_set(&o, "profile", row[p].name, OPT_FROM_FLAG);
			is_int(plan_make(&plan, &list, 0, &o), 0, "%s, %zu disks", row[p].name,
			       disks[d]);
			is_uint(plan.n, disks[d] * test_table_n, "every test on every disk");
			for (size_t i = 0; i < plan.n; i++)
				sum_ns += plan.entry[i].budget_ns;
			ok(sum_ns > 0 && sum_ns <= plan.total_ns,
			   "the total holds all measuring time");
			ok(plan.total_ns <= row[p].limit_s * NS_PER_S, "within %s: %.0f s",
			   row[p].name, (double)plan.total_ns / 1e9);
			plan_free(&plan);
			disk_list_free(&list);
		}
	}
}

static void test_choice(void)
{
	struct disk_list list = make_disks(2);
	size_t planned = 0;

	list.disk[1].skip = DISK_OPTICAL;
	options_init(&o);
	options_set(&o, "tests", "rand-read-qd1,no-such-test", OPT_FROM_FLAG);
	options_set(&o, "budget", "7", OPT_FROM_FLAG);
	is_int(plan_make(&plan, &list, 0, &o), 0, "a choice of tests");
	is_uint(plan.n, test_table_n, "nothing is planned on a disk that is left alone");
	for (size_t i = 0; i < plan.n; i++) {
		const struct plan_entry *e = &plan.entry[i];

		if (strcmp(e->test->name, "rand-read-qd1") == 0) {
			planned++;
			is_int(e->status, RESULT_PLANNED, "the test asked for is planned");
			is_uint(e->budget_ns, 7 * NS_PER_S, "with the budget asked for");
			ok(e->deadline_ns > e->budget_ns + e->stall_ns, "and room beyond a stall");
		} else {
			ok(e->status == RESULT_SKIPPED && e->why[0], "%s: %s", e->test->name,
			   e->why);
		}
	}
	is_uint(planned, 1, "once");
	is_int(plan_check_tests(&o), -EINVAL, "an unknown test typed as a flag is an error");
	ok(strstr(options_last_note(&o), "no-such-test"), "an unknown test is noted: %s",
	   options_last_note(&o));
	options_init(&o);
	options_set(&o, "tests", "no-such-test", OPT_FROM_KERNEL);
	is_int(plan_check_tests(&o), 0, "on a kernel command line it stops nothing");
	is_uint(o.note_n, 1, "but is noted");
	plan_free(&plan);
	is_int(plan_make(&plan, &list, 2, &o), 0, "no disk left");
	is_uint(plan.n, 0, "gives an empty plan");
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_unsuitable(void)
{
	struct disk_list list = make_disks(1);

	list.disk[0].size_bytes = 512;
	options_init(&o);
	is_int(plan_make(&plan, &list, 0, &o), 0, "a disk of one sector");
	for (size_t i = 0; i < plan.n; i++)
		ok(plan.entry[i].status == RESULT_UNSUPPORTED && plan.entry[i].why[0], "%s: %s",
		   plan.entry[i].test->name, plan.entry[i].why);
	is_uint(plan.total_ns, 0, "takes no time");
	plan_free(&plan);
	disk_list_free(&list);
}

int main(void)
{
	test_profiles();
	test_choice();
	test_unsuitable();
	return tap_done();
}
