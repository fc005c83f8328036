/* SPDX-License-Identifier: MIT */
/* bench plan: which disks and tests, why others not, how long. Measures nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/report/units.h"
#include "bench/run/plan.h"
#include "bench/sys/discover.h"

#define PROBE_TIMEOUT_MS 5000

static void print_help(void)
{
	printf("usage: bench plan [FLAG...]\n\n"
	       "Names every block device, what would be measured on it and how long that takes,\n"
	       "and for each device left alone the reason. Devices are opened read-only, to see\n"
	       "whether they can be; nothing is read from them.\n\n");
	options_help(stdout, OPT_IN_PLAN);
	printf("\nexit codes: 0 there is something to measure; 1 there is not; 2 wrong flags\n");
}

static void print_named(const char *name, const char *text)
{
	if (*text)
		printf(", %s %.40s", name, text);
}

static void print_disk(const struct disk *d)
{
	char size[UNITS_BYTES];

	printf("%s  %s  %.40s\n", d->name, units_bytes(size, sizeof(size), d->size_bytes),
	       d->model[0] ? d->model : "(no model)");
	printf("    %s, sectors %u/%u bytes%s",
	       d->transport[0] ? d->transport : "unknown transport", d->logical_block_bytes,
	       d->physical_block_bytes, d->rotational == DISK_ROTATING ? ", rotating" : "");
	print_named("firmware", d->firmware);
	printf("%s\n    %s", d->read_only ? ", read-only" : "", d->identity);
	print_named("at", d->controller);
	print_named("driver", d->driver);
	printf("\n");
	if (d->path_n > 1)
		printf("    reached over %u paths\n", d->path_n);
}

static void print_entry(const struct plan_entry *e)
{
	char time[UNITS_BYTES];

	if (e->status == RESULT_PLANNED)
		printf("    %-16s %-35.35s %s\n", e->test->name, e->test->title,
		       units_time(time, sizeof(time), e->budget_ns));
	else
		printf("    %-16s %s: %.60s\n", e->test->name, result_status_words[e->status],
		       e->why);
}

static void print_left_alone(const struct disk_list *disks)
{
	bool title = false;

	for (size_t i = 0; i < disks->n; i++) {
		const struct disk *d = &disks->disk[i];

		if (d->skip == DISK_TAKEN)
			continue;
		if (!title)
			printf("\nLeft alone:\n");
		title = true;
		printf("    %-12s %s%s%.100s\n", d->name, disk_skip_table[d->skip].sentence,
		       d->skip_detail[0] ? ": " : "", d->skip_detail);
	}
}

static void print_consent(const struct options *o)
{
	char asked[80];

	if (options_number(o, OPT_ID_WRITE) == OPT_WRITE_NONE)
		printf("Writing: none.\n");
	else
		printf("Writing: %s was asked, but no test of this version writes.\n",
		       options_shown(o, OPT_ID_WRITE, asked, sizeof(asked)));
}

/* Prints everything. Returns the number of tests that would run. */
static size_t print_plan(const struct plan *p, const struct disk_list *disks,
			 const struct options *o)
{
	size_t taken = 0, tests = 0, entry = 0;
	char time[UNITS_BYTES];

	for (size_t i = 0; i < disks->n; i++) {
		if (disks->disk[i].skip != DISK_TAKEN)
			continue;
		taken++;
		print_disk(&disks->disk[i]);
		for (; entry < p->n && p->entry[entry].disk == i; entry++) {
			print_entry(&p->entry[entry]);
			tests += p->entry[entry].status == RESULT_PLANNED;
		}
	}
	print_left_alone(disks);
	printf("\nPlan: profile %s, %zu disk%s, %zu test%s, about %s. ",
	       options_text(o, OPT_ID_PROFILE), taken, taken == 1 ? "" : "s", tests,
	       tests == 1 ? "" : "s", units_time(time, sizeof(time), p->total_ns));
	print_consent(o);
	if (taken == 0 && geteuid() != 0)
		printf("Disks can only be opened by root: try again as root.\n");
	return tests;
}

static int plan_all(struct options *o)
{
	struct disk_list disks = { 0 };
	struct plan plan = { 0 };
	size_t tests;
	int err = disks_discover(options_text(o, OPT_ID_ROOT), &disks);

	if (err) {
		fprintf(stderr, "bench plan: %s/sys: %s: is sysfs mounted?\n",
			options_text(o, OPT_ID_ROOT), strerror(-err));
		disk_list_free(&disks);
		return CMD_FAILED;
	}
	disks_select(&disks, o);
	disks_probe(&disks, PROBE_TIMEOUT_MS);
	err = plan_make(&plan, &disks, 0, o);
	for (uint32_t i = 0; i < o->note_n && i < OPT_NOTES_MAX; i++)
		fprintf(stderr, "bench plan: %s\n", o->note[i]);
	tests = err ? 0 : print_plan(&plan, &disks, o);
	if (err)
		fprintf(stderr, "bench plan: %s\n", strerror(-err));
	plan_free(&plan);
	disk_list_free(&disks);
	return tests > 0 ? CMD_OK : CMD_FAILED;
}

int cmd_plan(int argc, char **argv)
{
	static struct options o;
	int first;

	options_init(&o);
	first = options_load(&o, argc, argv, OPT_IN_PLAN);
	if (first == -ECANCELED) {
		print_help();
		return CMD_OK;
	}
	if (first < 0 || first < argc) {
		fprintf(stderr, "bench plan: %s\n", first < 0 ? options_last_note(&o) :
			"disks are named by --disks; see bench plan --help");
		return CMD_USAGE;
	}
	return plan_all(&o);
}
