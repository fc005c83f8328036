/* SPDX-License-Identifier: MIT */
/* Runs a plan: phase by phase, the lanes of each side by side. */
#include "bench/run/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/run/turn.h"
#include "bench/sys/mem_space.h"
#include "lib/clock.h"

#define TICK_NS (NS_PER_S / 2)
/* How often a worker that should end is looked for. */
#define REAP_STEP_NS (5 * NS_PER_MS)
/* So long the disks of a round wait for one that does not get ready. */
#define READY_NS (10 * NS_PER_S)
/* To discard what was written, at the end. */
#define CLOSING_NS (30 * NS_PER_S)
/* The buffers of all tests that run at once take at most this share of what memory is free. */
#define MEMORY_SHARE 4
/* The same for one that runs when no disk is at work. */
#define MEMORY_SHARE_MACHINE 2

/* Disks that are measured one after the other. */
struct lane {
	size_t next, end;	/* entries whose turn has not begun */
	bool done;
	struct turn turn;
};

struct stage {
	struct supervisor *s;
	struct lane *lane;
	struct pollfd *poll;	/* one for each lane, and the last for stop_fd */
	size_t n;
	bool on_disks;
	bool gated;		/* all turns begin together */
	bool released;
	uint64_t ready_until_ns;
	uint64_t tick_ns;	/* when the next one is due */
};

/* Of what is not about a disk each entry has a turn of its own: none is to blame for another. */
static size_t end_of_disk(const struct plan *p, size_t first, size_t end)
{
	size_t i = first;

	if (p->entry[first].disk == PLAN_NO_DISK)
		return first + 1;
	while (i < end && p->entry[i].disk == p->entry[first].disk)
		i++;
	return i;
}

/* Starts what can be started in a lane, turn by turn, until a worker runs or nothing is left. */
static void advance(struct stage *g, struct lane *l)
{
	while (!l->done && l->turn.state == TURN_IDLE) {
		if (l->turn.next < l->turn.end && turn_start(g->s, &l->turn))
			return;
		if (l->next == l->end) {
			l->done = true;
			return;
		}
		turn_init(g->s, &l->turn, l->next, end_of_disk(g->s->plan, l->next, l->end),
			  g->gated);
		l->next = l->turn.end;
	}
}

/* Opens the gates once everybody is ready or has ended, or the time for that is over. */
static void open_gates(struct stage *g)
{
	bool all_ready = true;

	if (!g->gated || g->released)
		return;
	for (size_t i = 0; i < g->n; i++)
		all_ready &= g->lane[i].done || g->lane[i].turn.ready;
	if (!all_ready && clock_ns() < g->ready_until_ns)
		return;
	g->released = true;
	for (size_t i = 0; i < g->n; i++)
		if (!g->lane[i].done && g->lane[i].turn.ready)
			turn_release(&g->lane[i].turn);
	for (size_t i = 0; i < g->n; i++)
		if (g->lane[i].turn.state == TURN_RUNNING && !g->lane[i].turn.released)
			turn_give_up(&g->lane[i].turn, WATCH_UNREADY);
}

/* When something must be looked at even if no worker says anything. */
static uint64_t due_ns(const struct stage *g)
{
	uint64_t due_ns = g->tick_ns;

	if (g->s->end == SUPERVISE_DONE && g->s->limits->deadline_ns < due_ns)
		due_ns = g->s->limits->deadline_ns;
	if (g->gated && !g->released && g->ready_until_ns < due_ns)
		due_ns = g->ready_until_ns;
	for (size_t i = 0; i < g->n; i++) {
		const struct turn *t = &g->lane[i].turn;
		uint64_t turn_ns = t->state == TURN_ENDING ? clock_ns() + REAP_STEP_NS
							   : turn_due_ns(g->s, t);

		if (turn_ns < due_ns)
			due_ns = turn_ns;
	}
	return due_ns;
}

/* Sleeps until a worker says something, something is due or the run is to stop. */
static void wait_for_news(struct stage *g)
{
	uint64_t until_ns = due_ns(g), now_ns = clock_ns();
	struct pollfd *stop = &g->poll[g->n];

	for (size_t i = 0; i < g->n; i++)
		g->poll[i] = (struct pollfd){
			.fd = g->lane[i].turn.state == TURN_RUNNING ? g->lane[i].turn.worker.fd
								    : -1,
			.events = POLLIN,
		};
	/* what asked for the stop stays readable */
	*stop = (struct pollfd){
		.fd = g->s->end == SUPERVISE_STOPPED ? -1 : g->s->limits->stop_fd,
		.events = POLLIN,
	};
	poll(g->poll, g->n + 1,
	     until_ns > now_ns ? (int)((until_ns - now_ns) / NS_PER_MS + 1) : 0);
	if (g->s->end != SUPERVISE_DONE)
		return;
	if (stop->revents)
		g->s->end = SUPERVISE_STOPPED;
	else if (clock_ns() >= g->s->limits->deadline_ns)
		g->s->end = SUPERVISE_DEADLINE;
}

static void step(struct stage *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct turn *t = &g->lane[i].turn;

		if (t->state == TURN_RUNNING)
			turn_step(g->s, t);
		if (t->state == TURN_RUNNING && g->s->end != SUPERVISE_DONE)
			turn_give_up(t, WATCH_STOP);
	}
	for (size_t i = 0; i < g->n; i++) {
		if (g->lane[i].turn.state == TURN_ENDING)
			turn_collect(g->s, &g->lane[i].turn);
		advance(g, &g->lane[i]);
	}
	open_gates(g);
	if (clock_ns() >= g->tick_ns) {
		if (g->s->events->tick)
			g->s->events->tick(g->s->events->context);
		g->tick_ns = clock_ns() + TICK_NS;
	}
}

static bool is_over(const struct stage *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (!g->lane[i].done)
			return false;
	return true;
}

static bool is_stopped(const struct supervise_limits *limits)
{
	struct pollfd p = { .fd = limits->stop_fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

/* Never 0, which stands for no limit: where nothing is free no buffer will fit. */
static uint64_t share_of(uint64_t free_bytes, unsigned share, size_t n)
{
	uint64_t bytes = free_bytes / share / (n ? n : 1);

	return free_bytes == UINT64_MAX ? free_bytes : bytes ? bytes : 1;
}

/* What is free, also for the control groups of this process; UINT64_MAX: not known. */
static uint64_t free_memory_bytes(void)
{
	struct mem_space s;

	return mem_space_read("", &s) ? UINT64_MAX : s.free_bytes;
}

static size_t count_disks(const struct plan *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->entry[i].phase == PHASE_ALONE &&
		     (i == 0 || p->entry[i].disk != p->entry[i - 1].disk);
	return n;
}

/* Runs the lanes of a stage side by side until the last has ended. */
static void run_stage(struct stage *g)
{
	struct supervisor *s = g->s;
	uint64_t free_bytes = free_memory_bytes(), now_ns = clock_ns();

	s->memory_bytes = share_of(free_bytes, g->on_disks ? MEMORY_SHARE : MEMORY_SHARE_MACHINE,
				   g->n);
	s->memory_shared_bytes = share_of(free_bytes, MEMORY_SHARE, s->disk_n);
	if (s->end == SUPERVISE_DONE && now_ns >= s->limits->deadline_ns)
		s->end = SUPERVISE_DEADLINE;
	if (s->end == SUPERVISE_DONE && is_stopped(s->limits))
		s->end = SUPERVISE_STOPPED;
	g->tick_ns = now_ns + TICK_NS;
	g->ready_until_ns = now_ns + (s->limits->ready_ns ? s->limits->ready_ns : READY_NS);
	g->released = false;
	for (size_t i = 0; i < g->n; i++)
		advance(g, &g->lane[i]);
	while (!is_over(g)) {
		wait_for_news(g);
		step(g);
	}
}

/* Sets lane l to entries first .. end - 1, none of them begun. */
static void set_lane(struct lane *l, size_t first, size_t end)
{
	l->next = first;
	l->end = end;
	l->done = false;
	l->turn.state = TURN_IDLE;
	l->turn.next = l->turn.end = 0;
}

/* Finds the lanes of a phase. Returns their number; lane may be NULL to count only. */
static size_t find_lanes(const struct plan *p, enum test_phase phase, struct lane *lane)
{
	size_t n = 0;

	for (size_t first = 0, end; first < p->n; first = end) {
		end = first + 1;
		while (end < p->n && p->entry[end].phase == p->entry[first].phase &&
		       p->entry[end].lane == p->entry[first].lane)
			end++;
		if (p->entry[first].phase != phase)
			continue;
		if (lane)
			set_lane(&lane[n], first, end);
		n++;
	}
	return n;
}

static bool can_run(const struct supervisor *s, size_t entry)
{
	const struct plan_entry *e = &s->plan->entry[entry];

	return e->status == RESULT_PLANNED && !s->disk[e->disk].lost[0];
}

/* A disk whose neighbours are all gone has nobody to be measured together with. */
static void skip_lonely(struct stage *g)
{
	struct lane *only = NULL;
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (g->lane[i].next == g->lane[i].end || !can_run(g->s, g->lane[i].next))
			continue;
		only = &g->lane[i];
		n++;
	}
	if (n != 1 || g->s->end != SUPERVISE_DONE)
		return;
	turn_init(g->s, &only->turn, only->next, only->end, true);
	turn_skip(g->s, &only->turn, "no other disk is left to measure at the same time");
	only->next = only->end;
}

/* Round by round: the first entries of all lanes, then the second ones ... */
static void run_rounds(struct stage *g)
{
	size_t rounds = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->lane[i].end - g->lane[i].next > rounds)
			rounds = g->lane[i].end - g->lane[i].next;
	for (size_t round = 0; round < rounds; round++) {
		find_lanes(g->s->plan, PHASE_TOGETHER, g->lane);
		for (size_t i = 0; i < g->n; i++) {
			size_t at = g->lane[i].next + round;

			set_lane(&g->lane[i], at < g->lane[i].end ? at : g->lane[i].end,
				 at < g->lane[i].end ? at + 1 : g->lane[i].end);
		}
		skip_lonely(g);
		run_stage(g);
	}
}

static int run_phase(struct supervisor *s, enum test_phase phase)
{
	struct stage g = {
		.s = s, .gated = phase == PHASE_TOGETHER, .on_disks = test_phase_on_disks(phase),
	};

	g.n = find_lanes(s->plan, phase, NULL);
	if (g.n == 0)
		return 0;
	g.lane = calloc(g.n, sizeof(*g.lane));
	g.poll = calloc(g.n + 1, sizeof(*g.poll));
	if (g.lane && g.poll) {
		find_lanes(s->plan, phase, g.lane);
		if (g.gated)
			run_rounds(&g);
		else
			run_stage(&g);
		if (s->events->phase_ended)
			s->events->phase_ended(s->events->context, phase);
	}
	free(g.lane);
	free(g.poll);
	return g.lane && g.poll ? 0 : -ENOMEM;
}

/* Without memory for the lanes nothing runs, and every entry says so. */
static void end_all(struct supervisor *s, enum test_phase from)
{
	static struct turn t;

	for (size_t i = 0; i < s->plan->n; i++) {
		if (s->plan->entry[i].phase < from)
			continue;
		memset(&t, 0, sizeof(t));
		t.next = i;
		t.end = i + 1;
		t.disk = &t.none;
		turn_skip(s, &t, "out of memory");
	}
}

static void not_closed(void *context, const struct disk *d, const char *why)
{
	const struct supervisor *s = context;

	if (s->events->not_closed)
		s->events->not_closed(s->events->context, d, why);
}

enum supervise_end supervise_run(const struct plan *p, const struct disk_list *disks,
				 const struct supervise_limits *limits,
				 const struct supervise_events *events)
{
	struct supervisor s = {
		.plan = p, .disks = disks, .limits = limits, .events = events,
		.disk = calloc(disks->n + 1, sizeof(*s.disk)), .end = SUPERVISE_DONE,
		.disk_n = count_disks(p),
	};
	struct closing *closing = calloc(disks->n + 1, sizeof(*closing));
	struct turn_disk *disk = s.disk;
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	int phase = 0;

	for (size_t i = 0; disk && closing && i < disks->n; i++) {
		disk[i].area = worker_area_whole(&disks->disk[i]);
		disk[i].closing = &closing[i];
	}
	while (disk && closing && phase < PHASES && run_phase(&s, (enum test_phase)phase) == 0)
		phase++;
	if (phase < PHASES)
		end_all(&s, (enum test_phase)phase);
	if (closing)
		closing_run(disks->disk, closing, disks->n, CLOSING_NS, not_closed, &s);
	signal(SIGPIPE, before);
	free(closing);
	free(disk);
	return s.end;
}
