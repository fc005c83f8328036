/* SPDX-License-Identifier: MIT */
/* Threads that measure together: pinned, in step, and gone within a bound. */
#include "bench/tests/crew.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/io/place.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define ROUNDS 50
#define MEMBERS 4

struct notes {
	uint64_t met_ns[MEMBERS][ROUNDS];
	int cpu[MEMBERS];
	unsigned fails;		/* number of the member that fails */
	_Atomic unsigned left;	/* members that were told to leave */
	_Atomic unsigned stayed;	/* members that were not */
	_Atomic unsigned sum;
	bool in_step;
	unsigned ticks;
	bool sleeps;
};

static int step(struct crew_member *m)
{
	struct notes *n = m->context;

	n->cpu[m->number] = sched_getcpu();
	for (int i = 0; i < ROUNDS; i++) {
		n->sum++;
		n->met_ns[m->number][i] = crew_meet(m);
		if (n->sum != (unsigned)(i + 1) * MEMBERS)
			n->in_step = false;
		if (!crew_meet(m))
			return -EIO;
	}
	return 0;
}

static void in_step(const unsigned *cpu, unsigned cpus)
{
	struct notes n = { .in_step = true };
	unsigned on[MEMBERS];
	struct crew_order o = { .cpu = on, .n = MEMBERS, .work = step, .context = &n,
				.bound_ns = 60 * NS_PER_S };
	bool same = true, rising = true;

	for (int i = 0; i < MEMBERS; i++)
		on[i] = cpu[(unsigned)i % cpus];
	is_int(crew_run(&o), 0, "four threads run to their end");
	for (int i = 0; i < ROUNDS; i++) {
		for (int k = 1; k < MEMBERS; k++)
			same &= n.met_ns[k][i] == n.met_ns[0][i] && n.met_ns[k][i] > 0;
		rising &= i == 0 || n.met_ns[0][i] > n.met_ns[0][i - 1];
	}
	ok(n.in_step, "nobody passes a meeting before all are there");
	ok(same, "a meeting has one time, the same for all");
	ok(rising, "and each a later one");
	for (int i = 0; i < MEMBERS; i++)
		is_int(n.cpu[i], (int)on[i], "member %d runs where it was put", i);
	o.n = 1;
	n.sum = 0;
	is_int(crew_run(&o), 0, "one thread meets itself");
	o.n = 0;
	is_int(crew_run(&o), -EINVAL, "none is an error");
}

static int fails(struct crew_member *m)
{
	struct notes *n = m->context;

	if (m->number == n->fails)
		return -ENOMEM;
	if (!crew_meet(m))
		n->left++;
	else
		n->stayed++;
	return 0;
}

static void errors(unsigned cpu)
{
	unsigned on[3] = { cpu, cpu, cpu };
	struct notes n = { .fails = 1 };
	struct crew_order o = { .cpu = on, .n = 3, .work = fails, .context = &n,
				.bound_ns = 60 * NS_PER_S };

	is_int(crew_run(&o), -ENOMEM, "one that fails: its error");
	is_uint(n.stayed, 0, "and no other stays");
	on[2] = 1048575;
	n.fails = 7;
	is_int(crew_run(&o), -EINVAL, "a CPU that is not there is an error");
	is_uint(n.stayed, 0, "and nobody goes on without it");
}

static int waits(struct crew_member *m)
{
	struct notes *n = m->context;

	if (m->number == 0)
		usleep(1500000);
	if (!crew_meet(m))
		n->left++;
	return 0;
}

static void tick(void *context, uint64_t elapsed_ns)
{
	unsigned *ticks = context;

	*ticks += elapsed_ns >= NS_PER_S;
}

static void bound(unsigned cpu)
{
	static struct notes n;	/* outlives the threads that are left behind */
	unsigned on[2] = { cpu, cpu }, ticks = 0;
	struct crew_order o = { .cpu = on, .n = 2, .work = waits, .context = &n,
				.bound_ns = 60 * NS_PER_S, .tick = tick, .tick_context = &ticks };

	is_int(crew_run(&o), 0, "a slow member is waited for");
	is_uint(ticks, 1, "and the waiting told of it once per second");
	o.bound_ns = 100 * NS_PER_MS;
	is_int(crew_run(&o), -ETIMEDOUT, "not beyond the bound");
	for (int i = 0; i < 600 && n.left < 2; i++)
		usleep(100000);
	is_uint(n.left, 2, "and who is left behind leaves at the next meeting");
	usleep(100000);
}

int main(void)
{
	unsigned *cpu;
	int n = place_allowed(&cpu);

	if (n <= 0)
		tap_bail("no CPU to run on");
	in_step(cpu, (unsigned)n);
	errors(cpu[0]);
	bound(cpu[0]);
	free(cpu);
	return tap_done();
}
