/* SPDX-License-Identifier: MIT */
/*
 * The plan: within its profile's time for any number of disks, a reason for whatever will not run,
 * and a note for whatever is not as it should be.
 */
#include <errno.h>
#include <string.h>

#include "bench/run/plan.h"
#include "lib/clock.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

static struct options o;
static struct plan plan;

static enum result_status fits(const struct test *t, const struct disk *d, char *why, size_t size)
{
	text_copy(why, size, d->size_bytes < 1 << 20 ? "too small" : "");
	return d->size_bytes < 1 << 20 ? RESULT_UNSUPPORTED : t ? RESULT_OK : RESULT_FAILED;
}

#define TIMES(min, max) { { min, max }, { 3 * min, 6 * max }, { 10 * min, 12 * max } }
#define TEST(name_, family_, phase_, access_, rank_, ...) { \
	.name = name_, .family = family_, .phase = phase_, .access = access_, .rank = rank_, \
	.needs_others = phase_ == PHASE_TOGETHER, .time = __VA_ARGS__, .fits = fits }
static const struct test suite[] = {
	TEST("first", "", PHASE_ALONE, TEST_READS, 10, TIMES(1000, 5000)),
	TEST("tool-a", "tool", PHASE_ALONE, TEST_READS, 40, TIMES(4000, 9000)),
	TEST("tool-b", "tool", PHASE_ALONE, TEST_READS, 40, TIMES(4000, 9000)),
	TEST("last", "", PHASE_ALONE, TEST_READS, 20, TIMES(1000, 5000)),
	TEST("luxury", "", PHASE_ALONE, TEST_READS, 90,
	     { { 0, 0 }, { 20000, 60000 }, { 60000, 600000 } }),
	TEST("write", "", PHASE_ALONE, TEST_WRITES, 10, TIMES(1000, 5000)),
	TEST("back", "", PHASE_ALONE, TEST_WRITES_BACK, 10, TIMES(1000, 5000)),
	TEST("all-a", "", PHASE_TOGETHER, TEST_READS, 20, TIMES(1000, 5000)),
	TEST("all-b", "", PHASE_TOGETHER, TEST_READS, 50, TIMES(1000, 5000)),
};
#define SUITE_N (sizeof(suite) / sizeof(suite[0]))
static const struct test *table[SUITE_N];
static struct plan_world world = { .test = table, .test_n = SUITE_N, .cpus = 8 };

/* `n` disks, each `per` of them on a controller; 0: their controller is not known. */
static struct disk_list make_disks(size_t n, size_t per)
{
	struct disk_list list = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct disk d = {
			.size_bytes = UINT64_C(512) << 30, .logical_block_bytes = 512,
			.physical_block_bytes = 4096,
		};

		snprintf(d.name, sizeof(d.name), "sd%zu", i);
		if (per)
			snprintf(d.controller, sizeof(d.controller), "0000:%02zx:00.0", i / per);
		if (disk_list_add(&list, &d))
			tap_bail("no memory");
	}
	return list;
}

static void set(const char *profile, const char *name, const char *value)
{
	options_init(&o);
	options_set(&o, "profile", profile, OPT_FROM_FLAG);
	if (name)
		options_set(&o, name, value, OPT_FROM_FLAG);
}

static bool has_note(const char *part)
{
	for (uint32_t i = 0; i < plan.note_n; i++)
		if (strstr(plan.note[i], part))
			return true;
	return false;
}

static void show_notes(void)
{
	for (uint32_t i = 0; i < plan.note_n; i++)
		tap_diag("note: %s", plan.note[i]);
}

static const struct plan_entry *find(size_t disk, const char *test)
{
	for (size_t i = 0; i < plan.n; i++)
		if (plan.entry[i].disk == disk && strcmp(plan.entry[i].test->name, test) == 0)
			return &plan.entry[i];
	return NULL;
}

static size_t count(enum result_status status)
{
	size_t n = 0;

	for (size_t i = 0; i < plan.n; i++)
		n += plan.entry[i].status == status;
	return n;
}

/* The order of running, and the longest lane plus the rounds: what must fit. */
static void check_order(const char *what)
{
	uint64_t lane_ns = 0, longest_ns = 0, rounds_ns = 0;
	size_t wrong = 0;

	for (size_t i = 0; i < plan.n; i++) {
		const struct plan_entry *e = &plan.entry[i], *before = i ? e - 1 : e;

		wrong += e->phase < before->phase || e->lane >= plan.lane_n[e->phase] ||
			 (e->phase == before->phase && (e->lane < before->lane ||
			  (e->lane == before->lane && (e->disk < before->disk ||
			   (e->disk == before->disk && e->test < before->test)))));
		if (e->phase == PHASE_ALONE) {
			lane_ns = i && e->lane == before->lane ? lane_ns : 0;
			lane_ns += e->budget_ns;
			longest_ns = lane_ns > longest_ns ? lane_ns : longest_ns;
		} else if (e->lane == 0) {
			rounds_ns += e->budget_ns;
		}
	}
	is_uint(wrong, 0, "%s: in the order of running", what);
	ok(longest_ns + rounds_ns <= plan.total_ns && longest_ns + rounds_ns > 0,
	   "%s: the total of %.1f s holds the longest lane (%.1f s) and the rounds (%.1f s)", what,
	   (double)plan.total_ns / 1e9, (double)longest_ns / 1e9, (double)rounds_ns / 1e9);
}

static void test_profiles(void)
{
	static const struct { const char *name; uint64_t limit_s; } row[] = {
		{ "quick", 105 }, { "standard", 830 }, { "full", 3600 },
	};
	static const size_t disks[] = { 1, 2, 3, 6, 24, 100, 400 }, per[] = { 0, 1, 8 };
	char what[80];

	for (size_t p = 0; p < 3; p++)
		for (size_t d = 0; d < sizeof(disks) / sizeof(disks[0]); d++)
			for (size_t k = 0; k < 3; k++) {
				struct disk_list list = make_disks(disks[d], per[k]);

				snprintf(what, sizeof(what), "%s, %zu disks, %zu per controller",
					 row[p].name, disks[d], per[k]);
				set(row[p].name, NULL, NULL);
				is_int(plan_make_in(&world, &plan, &list, 0, &o), 0, "%s", what);
				check_order(what);
				ok(plan.total_ns <= row[p].limit_s * NS_PER_S, "%s: %.1f s", what,
				   (double)plan.total_ns / 1e9);
				ok(find(disks[d] - 1, "first")->budget_ns >= 250 * NS_PER_MS,
				   "%s: no test is cut to nothing", what);
				ok(disks[d] < 24 || plan.note_n > 0, "%s: %s", what,
				   plan.note_n ? plan.note[plan.note_n - 1] : "no note");
				plan_free(&plan);
				disk_list_free(&list);
			}
}

static void test_own_table(void)
{
	static const size_t disks[] = { 1, 2, 3, 6, 24, 100, 400 };

	for (size_t d = 0; d < sizeof(disks) / sizeof(disks[0]); d++) {
		struct disk_list list = make_disks(disks[d], 4);

		set("quick", NULL, NULL);
		is_int(plan_make(&plan, &list, 0, &o), 0, "our own tests, %zu disks", disks[d]);
		ok(plan.total_ns <= 105 * NS_PER_S, "quick: %.1f s",
		   (double)plan.total_ns / 1e9);
		plan_free(&plan);
		set("standard", NULL, NULL);
		is_int(plan_make(&plan, &list, 0, &o), 0, "our own tests, %zu disks", disks[d]);
		ok(plan.total_ns <= 830 * NS_PER_S, "standard: %.1f s",
		   (double)plan.total_ns / 1e9);
		plan_free(&plan);
		disk_list_free(&list);
	}
}

static void test_lanes(void)
{
	struct disk_list list = make_disks(2, 1);

	set("quick", NULL, NULL);
	plan_make_in(&world, &plan, &list, 0, &o);
	is_uint(plan.lane_n[PHASE_ALONE], 1, "two disks on two controllers: alone is alone");
	is_uint(plan.lane_n[PHASE_TOGETHER], 2, "and both together");
	plan_free(&plan);
	disk_list_free(&list);
	list = make_disks(6, 2);
	plan_make_in(&world, &plan, &list, 0, &o);
	is_uint(plan.lane_n[PHASE_ALONE], 3, "six disks on three controllers: three lanes");
	is_uint(plan.lane_n[PHASE_TOGETHER], 6, "and a lane for each of them together");
	is_uint(find(0, "first")->lane, find(1, "last")->lane, "one controller is one lane");
	ok(find(1, "first")->lane != find(2, "first")->lane, "two are two");
	ok(has_note("side by side"), "a note says so");
	plan_free(&plan);
	world.cpus = 2;
	plan_make_in(&world, &plan, &list, 0, &o);
	is_uint(plan.lane_n[PHASE_ALONE], 2, "no more lanes than CPUs");
	ok(has_note("3 controllers, but 2 CPUs"), "a note says so");
	plan_free(&plan);
	world.cpus = 8;
	for (size_t i = 0; i < 6; i++)
		list.disk[i].controller[0] = '\0';
	plan_make_in(&world, &plan, &list, 0, &o);
	is_uint(plan.lane_n[PHASE_ALONE], 1, "unknown controllers may be one");
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_shortened(void)
{
	struct disk_list list = make_disks(6, 6);

	set("quick", NULL, NULL);
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(find(0, "first")->budget_ns > NS_PER_S && find(0, "first")->budget_ns < 5 * NS_PER_S,
	   "six disks on a controller: between least and most (%.2f s)",
	   (double)find(0, "first")->budget_ns / 1e9);
	is_uint(find(0, "first")->budget_ns, find(5, "first")->budget_ns, "the same for all");
	ok(plan.total_ns > 99 * NS_PER_S, "and the time is used");
	ok(has_note("shortened to") && has_note("6 disks"), "a note says so");
	ok(!has_note("Left out"), "nothing is left out");
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_ranks(void)
{
	struct disk_list list = make_disks(12, 12);
	const struct plan_entry *e;

	set("quick", NULL, NULL);
	plan_make_in(&world, &plan, &list, 0, &o);
	show_notes();
	e = find(3, "tool-b");
	ok(e->status == RESULT_SKIPPED && strcmp(e->why, "no time for it in profile quick with "
	   "12 disks") == 0, "of the highest rank: %s", e->why);
	is_int(find(3, "first")->status, RESULT_PLANNED, "lower ranks stay");
	is_int(find(11, "last")->status, RESULT_PLANNED, "on all disks");
	ok(has_note("Left out") && has_note("tool-b"), "a note names what was left out");
	is_int(find(3, "tool-a")->status, RESULT_PLANNED, "no more of a rank than needed");
	is_int(find(3, "all-b")->status, RESULT_PLANNED, "a higher rank that still fits is back");
	ok(find(3, "first")->budget_ns >= NS_PER_S, "what stays has its least time");
	plan_free(&plan);
	disk_list_free(&list);

	list = make_disks(60, 60);
	plan_make_in(&world, &plan, &list, 0, &o);
	show_notes();
	is_int(find(3, "last")->status, RESULT_SKIPPED, "60 disks: rank 20 goes");
	is_int(find(3, "all-a")->status, RESULT_PLANNED, "but what takes no time of each disk");
	ok(find(3, "first")->budget_ns >= NS_PER_S, "what stays has its least time");
	plan_free(&plan);
	disk_list_free(&list);

	list = make_disks(100, 100);
	plan_make_in(&world, &plan, &list, 0, &o);
	show_notes();
	is_int(find(99, "first")->status, RESULT_PLANNED, "100 disks: what counts most stays");
	ok(has_note("less than the least"), "cut below its least, which a note says");
	ok(!has_note("at once, on"), "on one lane");
	plan_free(&plan);
	disk_list_free(&list);

	list = make_disks(400, 400);
	plan_make_in(&world, &plan, &list, 0, &o);
	show_notes();
	ok(find(399, "first")->budget_ns >= 250 * NS_PER_MS &&
	   find(399, "first")->budget_ns < 500 * NS_PER_MS, "400 disks: near the floor");
	ok(plan.lane_n[PHASE_ALONE] > 1 && has_note("at once, on 1 controller"),
	   "and more lanes than controllers, which a note says");
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_choice(void)
{
	struct disk_list list = make_disks(2, 1);

	list.disk[1].skip = DISK_OPTICAL;
	set("quick", "tests", "tool,luxury,no-such-test");
	options_set(&o, "budget", "7", OPT_FROM_FLAG);
	is_int(plan_make_in(&world, &plan, &list, 0, &o), 0, "a choice of tests");
	is_uint(plan.n, 3, "a family and a test");
	ok(find(0, "tool-a") && find(0, "tool-b") && find(0, "luxury"), "by name");
	is_uint(count(RESULT_PLANNED), 3, "all planned, also what profile quick has not");
	is_uint(find(0, "luxury")->budget_ns, 7 * NS_PER_S, "with the budget asked for");
	ok(!find(0, "luxury")->may_end_early, "to the end of it");
	ok(find(0, "tool-a")->deadline_ns > find(0, "tool-a")->budget_ns +
	   find(0, "tool-a")->stall_ns, "and room beyond a stall");
	plan_free(&plan);
	set("quick", "tests", "luxury");
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(find(0, "luxury")->budget_ns == 60 * NS_PER_S && find(0, "luxury")->may_end_early,
	   "a test that is named has the time of the next profile with it");
	plan_free(&plan);
	is_int(plan_make_in(&world, &plan, &list, 2, &o), 0, "no disk left");
	is_uint(plan.n, 0, "gives an empty plan");
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_words(void)
{
	set("quick", "tests", "no-such-test,rand-read-qd1");
	is_int(plan_check_tests(&o), -EINVAL, "an unknown test typed as a flag is an error");
	ok(strstr(options_last_note(&o), "no-such-test"), "an unknown test is noted: %s",
	   options_last_note(&o));
	options_init(&o);
	options_set(&o, "tests", "no-such-test", OPT_FROM_KERNEL);
	is_int(plan_check_tests(&o), 0, "on a kernel command line it stops nothing");
	is_uint(o.note_n, 1, "but is noted");
}

static void test_together(void)
{
	struct disk_list list = make_disks(1, 1);

	set("quick", NULL, NULL);
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(!find(0, "all-a"), "one disk is never together");
	plan_free(&plan);
	set("quick", "tests", "together");
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(plan.n == 2 && find(0, "all-a")->status == RESULT_SKIPPED, "but who asks is told: %s",
	   plan.n ? find(0, "all-a")->why : "");
	plan_free(&plan);
	disk_list_free(&list);
	list = make_disks(3, 1);
	list.disk[1].size_bytes = 512;
	plan_make_in(&world, &plan, &list, 0, &o);
	is_uint(plan.n, 6, "the phase's word names its tests");
	is_uint(count(RESULT_UNSUPPORTED), 2, "a disk that cannot keeps its place in the rounds");
	plan_free(&plan);
	plan_make_in(&world, &plan, &list, 1, &o);
	is_uint(count(RESULT_PLANNED), 0, "disks that came late are not together with the others");
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_consent(void)
{
	struct disk_list list = make_disks(3, 3);

	list.disk[1].consent = CONSENT_WRITEBACK;
	list.disk[2].consent = CONSENT_DESTROY;
	set("quick", NULL, NULL);
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(find(0, "write")->status == RESULT_SKIPPED && find(0, "back")->status == RESULT_SKIPPED,
	   "without consent nothing writes: %s", find(0, "write")->why);
	snprintf(list.disk[0].serial, sizeof(list.disk[0].serial), "S3Z1 NB0K");
	snprintf(list.disk[0].identity, sizeof(list.disk[0].identity), "serial:S3Z1 NB0K");
	list.disk[0].identity_is_path = false;
	plan_free(&plan);
	plan_make_in(&world, &plan, &list, 0, &o);
	is_str(find(0, "write")->why, "it writes, and nobody has consented to that; this would: "
	       "bench.write=destroy bench.destroy=\"S3Z1 NB0K\"", "what destroys");
	is_str(find(0, "back")->why, "it writes, and nobody has consented to that; this would: "
	       "bench.write=writeback bench.disks=\"S3Z1 NB0K\"", "and what does not");
	snprintf(list.disk[0].name, sizeof(list.disk[0].name), "loop7");
	plan_free(&plan);
	plan_make_in(&world, &plan, &list, 0, &o);
	is_str(find(0, "back")->why, "it writes, and nobody has consented to that; this would: "
	       "--write writeback --disks loop7", "what has no serial number is named by flags");
	ok(find(1, "write")->status == RESULT_SKIPPED && find(1, "back")->status == RESULT_PLANNED,
	   "writeback puts back, and destroys nothing");
	ok(find(2, "write")->status == RESULT_PLANNED && find(2, "back")->status == RESULT_PLANNED,
	   "destroy does both");
	plan_free(&plan);
	snprintf(list.disk[0].consent_why, sizeof(list.disk[0].consent_why), "sd0 is mounted");
	options_set(&o, "write", "destroy", OPT_FROM_FLAG);
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(strstr(find(0, "write")->why, "sd0 is mounted"), "a refusal has its reason: %s",
	   find(0, "write")->why);
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_deadline(void)
{
	struct disk_list list = make_disks(1, 1);

	set("standard", "deadline", "100");
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(plan.total_ns < 90 * NS_PER_S && plan.total_ns > 60 * NS_PER_S,
	   "a plan is made for its deadline: %.1f s", (double)plan.total_ns / 1e9);
	ok(has_note("deadline of 100 s") || has_note("deadline of 1.67 min") ||
	   has_note("deadline of"), "a note says so");
	plan_free(&plan);
	options_set(&o, "budget", "100", OPT_FROM_FLAG);
	plan_make_in(&world, &plan, &list, 0, &o);
	ok(has_note("will not be reached"), "a budget that is asked for stays: a note says what "
	   "follows");
	is_uint(find(0, "last")->budget_ns, 100 * NS_PER_S, "the budget is as asked");
	plan_free(&plan);
	set("quick", NULL, NULL);
	world.spent_ns = 95 * NS_PER_S;
	plan_make_in(&world, &plan, &list, 0, &o);
	world.spent_ns = 0;
	ok(plan.total_ns <= 6 * NS_PER_S && count(RESULT_PLANNED) > 0,
	   "late disks get what is left: %.1f s", (double)plan.total_ns / 1e9);
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_unsuitable(void)
{
	struct disk_list list = make_disks(1, 1);

	list.disk[0].size_bytes = 512;
	set("standard", "tests", "seq-read-qd1,fio,together");
	is_int(plan_make(&plan, &list, 0, &o), 0, "a disk of one sector");
	for (size_t i = 0; i < plan.n; i++)
		ok(plan.entry[i].status != RESULT_PLANNED && plan.entry[i].why[0], "%s: %s",
		   plan.entry[i].test->name, plan.entry[i].why);
	is_uint(plan.total_ns, 0, "takes no time");
	plan_free(&plan);
	disk_list_free(&list);
}

/* What is not about disks. */
static unsigned two_nodes(const struct options *options, unsigned i, char *name)
{
	snprintf(name, DISK_NAME_BYTES, "%s",
		 i ? "nor\033th" : options_text(options, OPT_ID_PROFILE));
	return 2;
}

static unsigned no_nodes(const struct options *options, unsigned i, char *name)
{
	(void)options, (void)i, (void)name;
	return 0;
}

static enum result_status fits_here(const struct test *t, const struct disk *d, char *why,
				    size_t size)
{
	snprintf(why, size, "%s", d ? "it was given a disk" : t->param ? "no such thing here" : "");
	return d ? RESULT_FAILED : t->param ? RESULT_UNSUPPORTED : RESULT_OK;
}

#define AROUND(name_, family_, phase_, rank_, targets_, param_, ...) { \
	.name = name_, .family = family_, .phase = phase_, .rank = rank_, .targets = targets_, \
	.param = param_, .time = __VA_ARGS__, .fits = fits_here }
static const struct test around[] = {
	AROUND("cpu-sums", "cpu", PHASE_MACHINE, 25, NULL, NULL, TIMES(1000, 2000)),
	AROUND("node", "network", PHASE_NETWORK, 30, two_nodes, NULL, TIMES(2000, 4000)),
	AROUND("cpu-odd", "cpu", PHASE_MACHINE, 35, NULL, "", TIMES(1000, 2000)),
	AROUND("copy", "memory", PHASE_MACHINE, 25, NULL, NULL, TIMES(1000, 2000)),
	AROUND("nobody", "network", PHASE_NETWORK, 35, no_nodes, NULL, TIMES(2000, 4000)),
	AROUND("refused", "network", PHASE_NETWORK, 35, two_nodes, "", TIMES(2000, 4000)),
};
#define WHOLE_N (4 + sizeof(around) / sizeof(around[0]))
static const struct test *whole_table[WHOLE_N];
static struct plan_world whole = { .test = whole_table, .test_n = WHOLE_N, .cpus = 8 };

static void test_around(void)
{
	struct disk_list list = make_disks(1, 1), none = { 0 };

	set("quick", NULL, NULL);
	is_int(plan_make_in(&whole, &plan, &none, 0, &o), 0, "a machine without any disk");
	is_uint(plan.n, 7, "has what is not about disks");
	is_uint(count(RESULT_PLANNED), 4, "as far as it can run here");
	is_str(plan.entry[0].test->name, "cpu-sums", "the table's order");
	is_str(plan.entry[2].test->name, "copy", "phase by phase");
	is_str(plan.entry[3].target_name, "quick", "a target has its name");
	ok(!strncmp(plan.entry[4].target_name, "nor", 3) && !strchr(plan.entry[4].target_name,
	   '\033'), "which is harmless text");
	is_uint(plan.entry[4].target, 1, "and its number");
	is_str(find(PLAN_NO_DISK, "cpu-odd")->why, "no such thing here", "a reason");
	is_str(find(PLAN_NO_DISK, "nobody")->why, "there is nothing here that it could measure",
	       "no target is a reason too");
	is_str(find(PLAN_NO_DISK, "refused")->target_name, "", "it stands once, not for each "
	       "target");
	is_uint(plan.lane_n[PHASE_MACHINE], 1, "one after the other");
	is_uint(plan.lane_n[PHASE_NETWORK], 1, "everywhere");
	ok(plan.total_ns >= 12 * NS_PER_S && plan.total_ns < 13 * NS_PER_S,
	   "the time of all: %.2f s", (double)plan.total_ns / 1e9);
	is_uint(find(PLAN_NO_DISK, "copy")->budget_ns, 2 * NS_PER_S, "each has its most");
	is_uint(plan.note_n, 0, "nothing is to be explained");
	ok(plan.options == &o, "the plan knows its options");
	plan_free(&plan);
	plan_make_in(&whole, &plan, &list, 0, &o);
	is_uint(plan.n, 11, "with a disk there is both");
	ok(plan.entry[3].disk == 0 && plan.entry[4].disk == PLAN_NO_DISK, "disks come first");
	plan_free(&plan);
	disk_list_free(&list);
}

static void test_around_words(void)
{
	static const struct { const char *tests; size_t n; } row[] = {
		{ "cpu", 2 }, { "memory", 1 }, { "machine", 3 }, { "network", 4 }, { "node", 2 },
		{ "tool,cpu", 4 }, { "together", 0 },
	};
	struct disk_list list = make_disks(1, 1);

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		set("quick", "tests", row[i].tests);
		plan_make_in(&whole, &plan, &list, 0, &o);
		is_uint(plan.n, row[i].n, "tests=%s", row[i].tests);
		plan_free(&plan);
	}
	set("quick", "disks", "sd0");
	plan_make_in(&whole, &plan, &list, 0, &o);
	is_uint(plan.n, 11, "option disks is about disks alone");
	plan_free(&plan);
	disk_list_free(&list);
}

/* Within the profile's time, and what disks are for goes last. */
static void test_around_time(void)
{
	static const size_t disks[] = { 1, 6, 24, 100, 400 };

	for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
		struct disk_list list = make_disks(disks[i], 0);

		set("quick", NULL, NULL);
		plan_make_in(&whole, &plan, &list, 0, &o);
		ok(plan.total_ns <= 105 * NS_PER_S, "%zu disks: %.1f s", disks[i],
		   (double)plan.total_ns / 1e9);
		is_int(find(disks[i] - 1, "first")->status, RESULT_PLANNED, "%zu disks are "
		       "measured", disks[i]);
		plan_free(&plan);
		disk_list_free(&list);
	}
	for (size_t n = 60; n <= 100; n += 40) {
		struct disk_list list = make_disks(n, 0);

		plan_make_in(&whole, &plan, &list, 0, &o);
		show_notes();
		is_int(find(PLAN_NO_DISK, "copy")->status, n < 100 ? RESULT_PLANNED :
		       RESULT_SKIPPED, "%zu disks: the machine's tests go before the disks' "
		       "most important one", n);
		plan_free(&plan);
		disk_list_free(&list);
	}
	set("quick", "deadline", "10");
	plan_make_in(&whole, &plan, &(struct disk_list){ 0 }, 0, &o);
	show_notes();
	ok(plan.total_ns <= 8 * NS_PER_S && count(RESULT_PLANNED) == 4,
	   "shortened for a deadline: %.2f s", (double)plan.total_ns / 1e9);
	ok(has_note("shortened") && !has_note("disk"), "without a word on disks");
	plan_free(&plan);
	set("quick", "deadline", "4");
	plan_make_in(&whole, &plan, &(struct disk_list){ 0 }, 0, &o);
	show_notes();
	ok(find(PLAN_NO_DISK, "node")->status == RESULT_SKIPPED && has_note("Left out"),
	   "the higher rank is left out: %s", find(PLAN_NO_DISK, "node")->why);
	plan_free(&plan);
}

static void test_around_late(void)
{
	struct disk_list list = make_disks(2, 1);

	set("quick", NULL, NULL);
	plan_make_in(&whole, &plan, &list, 1, &o);
	is_uint(plan.n, 4, "a late disk brings its own tests alone");
	plan_free(&plan);
	whole.late = true;
	plan_make_in(&whole, &plan, &list, 0, &o);
	is_uint(plan.n, 8, "also where there was no disk before");
	plan_free(&plan);
	whole.late = false;
	disk_list_free(&list);
}

int main(void)
{
	for (size_t i = 0; i < SUITE_N; i++)
		table[i] = &suite[i];
	for (size_t i = 0; i < WHOLE_N; i++)
		whole_table[i] = i < 4 ? &suite[i] : &around[i - 4];
	test_profiles();
	test_own_table();
	test_lanes();
	test_shortened();
	test_ranks();
	test_choice();
	test_words();
	test_together();
	test_consent();
	test_deadline();
	test_unsuitable();
	test_around();
	test_around_words();
	test_around_time();
	test_around_late();
	return tap_done();
}
