/* SPDX-License-Identifier: MIT */
/* What a person sees of tests that are about no disk. */
#include <stdlib.h>
#include <string.h>

#include "bench/run/view.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static struct view view;
static char *said;
static size_t said_len;
static struct result result;

static void begin(bool is_terminal)
{
	view_init(&view, open_memstream(&said, &said_len));
	if (!view.out)
		tap_bail("no memory");
	view.is_terminal = is_terminal;
	view.total = 12;
}

static void says(const char *want, const char *what)
{
	fclose(view.out);
	is_str(said, want, "%s", what);
	free(said);
	said = NULL;
}

static void set(const char *phase, const char *target)
{
	result_init(&result, "some-test", target);
	snprintf(result.phase, sizeof(result.phase), "%s", phase);
	result_end(&result, RESULT_OK, "%s", "");
}

static void test_machine(void)
{
	set("machine", "");
	result_metric(&result, "single", UNIT_PER_S, 1243);
	result_metric(&result, "all", UNIT_PER_S, 9911);
	begin(false);
	view_started(&view, 3, &result, "processors: primes");
	view_progress(&view, 3, 4 * NS_PER_S, NS_PER_S, 0);
	view_ended(&view, 3, &result, "processors: primes");
	says("[ 1/12] machine   processors: primes              ...\n"
	     "[ 1/12] machine   processors: primes              9.91 k/s\n",
	     "the machine has its phase for a name, and all its threads for a number");
	set("machine", "");
	result_metric(&result, "tested_bytes", UNIT_BYTES, 3 << 28);
	begin(false);
	view_started(&view, 3, &result, "memory keeps data");
	view_ended(&view, 3, &result, "memory keeps data");
	says("[ 1/12] machine   memory keeps data               ...\n"
	     "[ 1/12] machine   memory keeps data               768 MiB\n", "memory is binary");
	begin(true);
	view_started(&view, 3, &result, "processors: primes");
	view_progress(&view, 3, 4 * NS_PER_S, NS_PER_S, 0);
	says("\r[ 1/12] machine   processors: primes             \033[K"
	     "\r[ 1/12] machine   processors: primes                         3.00 s left \033[K",
	     "what moves no bytes has no rate of 0");
}

static void test_network(void)
{
	set("network", "Frankfurt, DE");
	result_metric(&result, "dns_ipv4", UNIT_NS, 4e6);
	result_metric(&result, "download", UNIT_BYTES_PER_S, 118e6);
	begin(false);
	view_started(&view, 0, &result, "download");
	view_ended(&view, 0, &result, "download");
	says("[ 1/12] Frankfurt, DE download                        ...\n"
	     "[ 1/12] Frankfurt, DE download                        118 MB/s\n", "a node");
	set("network", "eth0");
	result_metric(&result, "rx_errors", UNIT_COUNT, 0);
	begin(false);
	view_started(&view, 0, &result, "links");
	view_ended(&view, 0, &result, "links");
	says("[ 1/12] eth0      links                           ...\n"
	     "[ 1/12] eth0      links                           ok\n",
	     "a count of errors is no result");
	result_end(&result, RESULT_FAILED, "no answer");
	begin(false);
	view_ended(&view, 0, &result, "links");
	says("eth0 links: failed: no answer\n", "a failure has its reason");
}

static void test_plan(void)
{
	struct plan_entry entry[2] = {
		{ .disk = PLAN_NO_DISK, .status = RESULT_PLANNED },
		{ .disk = PLAN_NO_DISK, .status = RESULT_SKIPPED },
	};
	struct plan plan = { .entry = entry, .n = 2, .total_ns = 2 * NS_PER_S };
	struct disk_list none = { 0 };
	struct options o;

	options_init(&o);
	begin(false);
	view.total = 0;
	view_plan(&view, &plan, &none, 0, false, &o);
	is_uint(view.total, 1, "what will run is counted");
	says("standard: 0 disks, 1 test, about 2.00 s\n", "a machine without a disk");
}

int main(void)
{
	test_machine();
	test_network();
	test_plan();
	return tap_done();
}
