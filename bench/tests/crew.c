/* SPDX-License-Identifier: MIT */
/* Threads that measure together; see crew.h. */
#include "bench/tests/crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <time.h>

#include "bench/io/place.h"
#include "lib/clock.h"

#define TICK_NS NS_PER_S
#define SPINS 4000		/* before a waiting member lets others onto its CPU */

struct crew {
	struct crew_order order;
	size_t mapped_bytes;
	/* of meetings: how many arrived, which meeting it is, when the last one arrived */
	_Alignas(64) _Atomic unsigned arrived;
	_Alignas(64) _Atomic unsigned meeting;
	_Alignas(64) _Atomic uint64_t met_ns;
	_Atomic int err;		/* the first error: all leave */
	pthread_mutex_t lock;		/* of what follows */
	pthread_cond_t changed;
	size_t started, returned;
	size_t n;
	struct slot {
		struct crew_member member;
		pthread_t thread;
	} slot[];
};

static void fail(struct crew *c, int err)
{
	int none = 0;

	atomic_compare_exchange_strong(&c->err, &none, err);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

uint64_t crew_meet(struct crew_member *m)
{
	struct crew *c = m->crew;
	unsigned meeting = atomic_load(&c->meeting);

	if (atomic_load(&c->err))
		return 0;
	if (atomic_fetch_add(&c->arrived, 1) + 1 == c->n) {
		atomic_store(&c->arrived, 0);
		atomic_store(&c->met_ns, clock_ns());
		atomic_store(&c->meeting, meeting + 1);
	}
	for (unsigned spin = 0; atomic_load(&c->meeting) == meeting; spin++) {
		if (atomic_load(&c->err))
			return 0;
		if (spin < SPINS)
			relax();
		else
			sched_yield();
	}
	return atomic_load(&c->met_ns);
}

static void *member_main(void *arg)
{
	struct crew_member *m = arg;
	struct crew *c = m->crew;
	int err = place_keep_to(&m->cpu, 1);

	if (!err)
		err = c->order.work(m);
	if (err)
		fail(c, err);
	pthread_mutex_lock(&c->lock);
	c->returned++;
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static struct crew *crew_new(const struct crew_order *o)
{
	size_t bytes = sizeof(struct crew) + o->n * sizeof(struct slot);
	/* of pages of its own: it may have to stay for ever, see crew_run */
	struct crew *c = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
	pthread_condattr_t attr;

	if (c == MAP_FAILED)
		return NULL;
	c->order = *o;
	c->mapped_bytes = bytes;
	c->n = o->n;
	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&c->changed, &attr);
	pthread_condattr_destroy(&attr);
	return c;
}

static void crew_start(struct crew *c)
{
	pthread_attr_t attr;
	int err;

	pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, CREW_STACK_BYTES);
	for (size_t i = 0; i < c->n && !atomic_load(&c->err); i++) {
		c->slot[i].member = (struct crew_member){
			.crew = c, .number = (unsigned)i, .cpu = c->order.cpu[i],
			.context = c->order.context,
		};
		err = pthread_create(&c->slot[i].thread, &attr, member_main, &c->slot[i].member);
		if (err)
			fail(c, -err);
		else
			c->started++;
	}
	pthread_attr_destroy(&attr);
}

/* Returns whether all returned within the bound. */
static bool crew_wait(struct crew *c)
{
	uint64_t start_ns = clock_ns(), next_ns = start_ns + TICK_NS, now_ns = start_ns;
	uint64_t end_ns = start_ns + c->order.bound_ns;
	bool all;

	pthread_mutex_lock(&c->lock);
	while (c->returned < c->started && now_ns < end_ns) {
		uint64_t until_ns = next_ns < end_ns ? next_ns : end_ns;
		struct timespec until = {
			.tv_sec = (time_t)(until_ns / NS_PER_S),
			.tv_nsec = (long)(until_ns % NS_PER_S),
		};

		(void)pthread_cond_timedwait(&c->changed, &c->lock, &until);
		now_ns = clock_ns();
		if (now_ns < next_ns)
			continue;
		next_ns += TICK_NS;
		pthread_mutex_unlock(&c->lock);
		if (c->order.tick)
			c->order.tick(c->order.tick_context, now_ns - start_ns);
		pthread_mutex_lock(&c->lock);
	}
	all = c->returned == c->started;
	pthread_mutex_unlock(&c->lock);
	return all;
}

int crew_run(const struct crew_order *o)
{
	struct crew *c;
	int err;

	if (o->n == 0)
		return -EINVAL;
	c = crew_new(o);
	if (!c)
		return -ENOMEM;
	crew_start(c);
	if (!crew_wait(c)) {
		/* whoever still runs leaves at the next meeting, and uses `c` until then */
		fail(c, -ETIMEDOUT);
		return -ETIMEDOUT;
	}
	for (size_t i = 0; i < c->started; i++)
		pthread_join(c->slot[i].thread, NULL);
	err = atomic_load(&c->err);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	munmap(c, c->mapped_bytes);
	return err;
}
