/* SPDX-License-Identifier: MIT */
/* bench plan: which disks and tests, why others not, how long. Measures nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/consent/consent.h"
#include "bench/net/nodes.h"
#include "bench/report/plan_text.h"
#include "bench/run/guarded.h"
#include "bench/run/plan.h"
#include "bench/sys/discover.h"

#define PROBE_TIMEOUT_MS 5000

static void print_help(void)
{
	printf("usage: bench plan [FLAG...]\n\n"
	       "Names every block device, what would be measured on it and how long that takes,\n"
	       "and for each device left alone the reason; then what is measured of processors,\n"
	       "memory and network. Devices are opened read-only, to see whether they can be;\n"
	       "nothing is read from them but, with option write, the places where signatures\n"
	       "lie.\n\n");
	options_help(stdout, OPT_IN_PLAN);
	printf("\nexit codes: 0 there is something to measure; 1 there is not; 2 wrong flags\n");
}

static size_t count_skipped(const struct disk_list *disks, enum disk_skip skip)
{
	size_t n = 0;

	for (size_t i = 0; i < disks->n; i++)
		n += disks->disk[i].skip == skip;
	return n;
}

/* Not one disk can be measured, and some because they cannot be opened. */
static bool is_closed(const struct disk_list *disks)
{
	return count_skipped(disks, DISK_TAKEN) == 0 && count_skipped(disks, DISK_CANNOT_OPEN) > 0;
}

/* Who names disks wants one of them, not only the machine around them. */
static bool is_enough(const struct plan *p, const struct disk_list *disks, const struct options *o)
{
	return plan_text_tests(p) > 0 && (options_number(o, OPT_ID_DISKS) == 0 ||
					  count_skipped(disks, DISK_TAKEN) > 0);
}

static int plan_all(struct options *o)
{
	struct disk_list disks = { 0 };
	struct plan plan = { 0 };
	char *text;
	int err = disks_discover(options_text(o, OPT_ID_ROOT), &disks);

	if (err) {
		fprintf(stderr, "bench plan: %s/sys: %s: is sysfs mounted?\n",
			options_text(o, OPT_ID_ROOT), strerror(-err));
		disk_list_free(&disks);
		return CMD_FAILED;
	}
	disks_select(&disks, o);
	disks_probe(&disks, PROBE_TIMEOUT_MS);
	guarded_apply(&disks, 0, GUARDED_DIR);
	consent_decide(&disks, 0, o);
	err = plan_make(&plan, &disks, 0, o);
	for (uint32_t i = 0; i < o->note_n && i < OPT_NOTES_MAX; i++)
		fprintf(stderr, "bench plan: %s\n", o->note[i]);
	text = err ? NULL : plan_text_write(&plan, &disks, o);
	if (text)
		fputs(text, stdout);
	else
		fprintf(stderr, "bench plan: %s\n", strerror(ENOMEM));
	if (text && is_closed(&disks) && geteuid() != 0)
		printf("Disks can only be opened by root: try again as root.\n");
	err = text && is_enough(&plan, &disks, o) ? CMD_OK : CMD_FAILED;
	free(text);
	plan_free(&plan);
	disk_list_free(&disks);
	return err;
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
	if (plan_check_tests(&o) || nodes_check(&o)) {
		fprintf(stderr, "bench plan: %s\n", options_last_note(&o));
		return CMD_USAGE;
	}
	return plan_all(&o);
}
