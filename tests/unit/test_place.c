/* SPDX-License-Identifier: MIT */
/* Threads run near their device: on allowed CPUs of its node, of machines of any size. */
#include "bench/io/place.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static struct sysfs_fixture f;

static const char nodes[] =
	"@sys/devices/system/node/node0\n"
	"cpulist=[0]\n"
	"@sys/devices/system/node/node1\n"
	"cpulist=[1]\n"
	"@sys/devices/system/node/node2\n"	/* memory alone */
	"cpulist=[]\n"
	"@sys/devices/system/node/node3\n"	/* without SMT, and beyond cpu_set_t */
	"cpulist=[2,4,6,1020-1279]\n"
	"@sys/devices/system/node/node4\n"
	"cpulist=[0-1048575]\n"
	"@sys/devices/system/node/node5\n"
	"cpulist=[none]\n";

static void near_one(int node, const unsigned *allowed, size_t n, int want, unsigned first,
		     unsigned last)
{
	unsigned *near;
	int got = place_near(f.root, node, allowed, n, &near);

	is_int(got, want, "node %d, %zu allowed: how many", node, n);
	if (got > 0) {
		is_uint(near[0], first, "the first");
		is_uint(near[got - 1], last, "the last");
	} else {
		ok(!near, "no list");
	}
	free(near);
}

static void choice(void)
{
	static unsigned all[1280], odd[640];
	const unsigned two[] = { 0, 1 }, few[] = { 3, 4, 5, 1279, 1300 };

	for (unsigned i = 0; i < 1280; i++)
		all[i] = i;
	for (unsigned i = 0; i < 640; i++)
		odd[i] = 2 * i + 1;
	near_one(0, two, 2, 1, 0, 0);
	near_one(1, two, 2, 1, 1, 1);
	near_one(-1, two, 2, 0, 0, 0);
	near_one(2, two, 2, 0, 0, 0);
	near_one(3, all, 1280, 263, 2, 1279);
	near_one(3, odd, 640, 130, 1021, 1279);
	near_one(3, few, 5, 2, 4, 1279);
	near_one(3, two, 2, 0, 0, 0);
	near_one(4, few, 5, 5, 3, 1300);
	near_one(5, two, 2, 0, 0, 0);
	near_one(6, two, 2, 0, 0, 0);
	near_one(0, NULL, 0, 0, 0, 0);
}

/* In a process of its own: the rest of the test keeps its CPUs. Returns 10 * result + CPUs then. */
static int placed(int node)
{
	pid_t pid = fork();
	int status = -1;
	cpu_set_t set;

	if (pid == 0) {
		int got = place_thread(f.root, node);

		CPU_ZERO(&set);
		_exit(got < 0 || sched_getaffinity(0, sizeof(set), &set) ||
		      place_cpus() != CPU_COUNT(&set) ? 255 :
		      10 * got + CPU_COUNT(&set));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void real(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) || !CPU_ISSET(0, &set) || !CPU_ISSET(1, &set) ||
	    CPU_COUNT(&set) > 9) {
		tap_skip("a thread is kept to its node", "needs CPUs 0 and 1 and at most 9");
		return;
	}
	is_int(placed(1), 11, "kept to the one CPU of node 1");
	is_int(placed(2), CPU_COUNT(&set), "a node without CPUs changes nothing");
	is_int(placed(4), CPU_COUNT(&set), "nor one that has them all");
	is_int(placed(-1), CPU_COUNT(&set), "nor one that is not known");
}

int main(void)
{
	sysfs_fixture_make(&f, nodes);
	choice();
	real();
	ok(place_thread("", 0) >= 0, "this machine's own node 0");
	sysfs_fixture_remove(&f);
	return tap_done();
}
