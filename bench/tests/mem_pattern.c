/* SPDX-License-Identifier: MIT */
/*
 * Patterns in free memory; see mem_pattern.h.
 *
 * Each thread takes memory block by block and keeps to its own blocks, so that it works on the
 * memory of its own node. A pass is one pattern as a moving inversion: all is written; then upwards
 * each word is checked and inverted; then downwards the inverse is checked. All threads do each of
 * these steps together, so that between writing a word and checking it lies all other memory.
 *
 * Taking memory ends where the reserve would be touched, looked at before each block, and at the
 * latest after a share of the time. Should others take memory meanwhile, blocks are given back.
 */
#include "bench/tests/mem_pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/report/units.h"
#include "bench/tests/crew.h"
#include "bench/tests/mem_map.h"
#include "bench/tests/mem_site.h"
#include "bench/tests/mem_words.h"
#include "lib/clock.h"
#include "lib/file.h"

#define SEED UINT64_C(0x706174746572)
#define BLOCK_MIN_BYTES MEM_MAP_HUGE_BYTES
#define BLOCK_MAX_BYTES (UINT64_C(64) << 20)
#define BLOCKS_EACH 32		/* of a thread, about, when all memory is taken */
#define SLICE_WORDS (UINT64_C(1) << 17)	/* 1 MiB: between looks at the clock */
#define TAKE_PERCENT 50		/* of the time, at most, for taking memory */
#define LOOK_NS (100 * NS_PER_MS)	/* between looks at what is free */
#define ROOM_MIN_BYTES (UINT64_C(4) << 20)
#define LOCK_ONFAULT 1		/* MLOCK_ONFAULT of <linux/mman.h> */

struct block {
	struct block *next;
	struct mem_map map;
	uint64_t *word;
	size_t words;
	uint64_t first;		/* number of its first word */
	size_t tested;		/* words that were checked once or more */
	bool locked;
};

/* One thread's own. */
struct part {
	_Alignas(64) struct block *block;
	uint64_t tested_bytes, locked_bytes;
	struct mem_faults faults;
};

struct work {
	const struct mem_pattern_param *param;
	uint64_t block_bytes, cache_bytes;
	uint64_t most_bytes;		/* the room there was at first */
	uint64_t start_ns, end_ns;
	pthread_mutex_t lock;		/* of what follows */
	uint64_t taken_bytes;		/* in all, now */
	uint64_t pending_bytes;		/* taken, but not yet touched: still counted as free */
	uint64_t next_word, look_ns;
	bool enough;			/* no more is taken */
	_Atomic unsigned give_back;	/* blocks that are to be given back */
	_Atomic bool cut;		/* a step of this pass was not done in full */
	unsigned passes, given_back;
	unsigned part_n;
	struct part part[];
};

/* ---- taking and giving back ---- */

/* Whether one more block may be taken; then it is pending. */
static bool may_take(struct work *w, uint64_t *first)
{
	struct mem_space s;
	bool may;

	pthread_mutex_lock(&w->lock);
	may = !w->enough && w->taken_bytes + w->block_bytes <= w->most_bytes &&
	      mem_space_read(w->param->root, &s) == 0 &&
	      mem_space_room(&s) >= w->pending_bytes + w->block_bytes;
	w->enough = !may;
	if (may) {
		*first = w->next_word;
		w->next_word += w->block_bytes / sizeof(uint64_t);
		w->pending_bytes += w->block_bytes;
		w->taken_bytes += w->block_bytes;
	}
	pthread_mutex_unlock(&w->lock);
	return may;
}

static void settle(struct work *w, bool was_taken)
{
	pthread_mutex_lock(&w->lock);
	w->pending_bytes -= w->block_bytes;
	if (!was_taken) {
		w->taken_bytes -= w->block_bytes;
		w->enough = true;
	}
	pthread_mutex_unlock(&w->lock);
}

static struct block *block_new(const struct work *w, uint64_t first)
{
	struct block *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	if (mem_map_new(&b->map, w->block_bytes, false)) {
		free(b);
		return NULL;
	}
	b->word = b->map.at;
	b->words = w->block_bytes / sizeof(uint64_t);
	b->first = first;
	/* else it might be swapped, or moved, and other memory be tested a second time */
	b->locked = syscall(SYS_mlock2, b->map.at, (size_t)b->map.bytes, LOCK_ONFAULT) == 0;
	return b;
}

static void block_free(struct block *b)
{
	mem_map_free(&b->map);
	free(b);
}

/* Takes blocks and writes the first pattern to them. */
static void take(struct work *w, struct part *p, const struct mem_words *words)
{
	uint64_t until_ns = w->start_ns + (w->end_ns - w->start_ns) / 100 * TAKE_PERCENT, first;
	struct block **last = &p->block;

	while (clock_ns() < until_ns && may_take(w, &first)) {
		struct block *b = block_new(w, first);

		if (b)
			mem_words_fill(words, b->word, b->words, b->first);
		settle(w, b != NULL);
		if (!b)
			return;
		p->locked_bytes += b->locked ? w->block_bytes : 0;
		*last = b;
		last = &b->next;
		if (p == &w->part[0] && w->param->meddle)
			w->param->meddle(w->param->meddle_context, 2, b->word, b->words);
	}
}

/* Now and then: is more than the reserve still free? Half of it may go before we give way. */
static void look(struct work *w)
{
	struct mem_space s;
	uint64_t now_ns = clock_ns(), least;

	pthread_mutex_lock(&w->lock);
	if (now_ns >= w->look_ns) {
		w->look_ns = now_ns + LOOK_NS;
		if (mem_space_read(w->param->root, &s) == 0) {
			least = mem_space_reserve(&s) / 2;
			if (s.free_bytes < least)
				w->give_back = (unsigned)((least - s.free_bytes) /
							  w->block_bytes + 1);
		}
	}
	pthread_mutex_unlock(&w->lock);
}

/* Whether a block is to be given back, and by this thread. */
static bool must_give_back(struct work *w)
{
	unsigned n = atomic_load(&w->give_back);

	while (n > 0 && !atomic_compare_exchange_weak(&w->give_back, &n, n - 1))
		;
	if (n == 0)
		return false;
	pthread_mutex_lock(&w->lock);
	w->taken_bytes -= w->block_bytes;
	w->given_back++;
	w->enough = true;
	pthread_mutex_unlock(&w->lock);
	return true;
}

/* ---- the steps of a pass ---- */

enum step { STEP_FILL, STEP_UP, STEP_DOWN };

/* One block, slice by slice. False: the time is over. */
static bool block_step(struct work *w, struct part *p, struct block *b, enum step step,
		       const struct mem_words *words, bool flush)
{
	for (size_t done = 0, n; done < b->words; done += n) {
		size_t from;

		if (clock_ns() >= w->end_ns)
			return false;
		n = b->words - done < SLICE_WORDS ? b->words - done : SLICE_WORDS;
		from = step == STEP_DOWN ? b->words - done - n : done;
		if (step == STEP_FILL)
			mem_words_fill(words, b->word + from, n, b->first + from);
		else
			mem_words_check(words, b->word + from, n, b->first + from,
					step == STEP_DOWN, step == STEP_UP, step == STEP_DOWN,
					&p->faults);
		if (flush && step != STEP_DOWN)
			mem_words_flush(b->word + from, n * sizeof(uint64_t));
		if (step == STEP_UP && done >= b->tested) {
			b->tested = done + n;
			p->tested_bytes += n * sizeof(uint64_t);
		}
	}
	return true;
}

/* All blocks of one thread; what must be given back goes on the way. */
static void all_step(struct work *w, struct part *p, enum step step, const struct mem_words *words,
		     bool flush)
{
	struct block **at = &p->block;

	while (*at) {
		struct block *b = *at;

		look(w);
		if (must_give_back(w)) {
			*at = b->next;
			block_free(b);
			continue;
		}
		if (!block_step(w, p, b, step, words, flush)) {
			atomic_store(&w->cut, true);
			return;
		}
		at = &b->next;
	}
}

static void meddle(struct work *w, const struct crew_member *m, unsigned step)
{
	const struct block *b = w->part[0].block;

	if (m->number == 0 && w->param->meddle && b)
		w->param->meddle(w->param->meddle_context, step, b->word, b->words);
}

/* One pass. False: the time is over, or somebody failed. */
static bool pass(struct work *w, struct crew_member *m, unsigned number, bool flush)
{
	struct part *p = &w->part[m->number];
	struct mem_words words = {
		.kind = (enum mem_words_kind)(number % MEM_WORDS_KINDS), .seed = SEED + number,
	};
	uint64_t met_ns;

	if (number > 0)
		all_step(w, p, STEP_FILL, &words, flush);
	met_ns = crew_meet(m);
	if (!met_ns || met_ns >= w->end_ns)
		return false;
	meddle(w, m, 0);
	all_step(w, p, STEP_UP, &words, flush);
	met_ns = crew_meet(m);
	if (!met_ns || met_ns >= w->end_ns)
		return false;
	meddle(w, m, 1);
	all_step(w, p, STEP_DOWN, &words, flush);
	met_ns = crew_meet(m);
	if (!met_ns)
		return false;
	/* each has set `cut` before it came here, and none sets it before all have seen it */
	if (m->number == 0 && !atomic_load(&w->cut))
		w->passes++;
	return met_ns < w->end_ns && crew_meet(m);
}

static int work(struct crew_member *m)
{
	const struct mem_words words = { .kind = MEM_WORDS_ADDRESS, .seed = SEED };
	struct work *w = m->context;
	struct part *p = &w->part[m->number];
	bool flush;

	take(w, p, &words);
	if (!crew_meet(m) || w->taken_bytes == 0)
		return 0;
	/* else what is checked comes out of the caches */
	flush = w->taken_bytes < w->cache_bytes + w->cache_bytes / 4;
	for (struct block *b = p->block; flush && b && clock_ns() < w->end_ns; b = b->next)
		mem_words_flush(b->word, b->words * sizeof(uint64_t));
	for (unsigned i = 0; pass(w, m, i, flush); i++)
		;
	while (p->block) {	/* side by side: it takes a while with much memory */
		struct block *b = p->block;

		p->block = b->next;
		block_free(b);
	}
	return 0;
}

/* ---- the test ---- */

/* Should memory run out all the same, this process is the one to go. Returns what it was. */
static int adjust_oom(int score)
{
	static const char path[] = "/proc/self/oom_score_adj";
	char text[16] = "";
	int fd, was = 0;

	if (file_read(path, text, sizeof(text)) > 0)
		was = atoi(text);
	snprintf(text, sizeof(text), "%d", score);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)file_write_all(fd, text, strlen(text));
		close(fd);
	}
	return was;
}

/* Words of errors, and the first one to tell of. */
static const struct mem_fault *count_faults(const struct work *w, uint64_t *n)
{
	const struct mem_fault *first = NULL;

	*n = 0;
	for (unsigned i = 0; i < w->part_n; i++) {
		const struct mem_faults *f = &w->part[i].faults;

		*n += f->n;
		if (f->n && !first)
			first = &f->fault[0];
	}
	return first;
}

static void put_faults(const struct work *w, struct result *r)
{
	struct series *s = result_series(r, "errors", UNIT_BYTES, UNIT_COUNT);

	for (unsigned i = 0; i < w->part_n; i++)
		for (uint64_t k = 0; k < w->part[i].faults.n && k < MEM_FAULTS_MAX; k++) {
			const struct mem_fault *f = &w->part[i].faults.fault[k];

			if (f->physical)
				series_add(s, (double)f->physical,
					   __builtin_popcountll(f->expected ^ f->found));
		}
}

static void end_failed(const struct mem_fault *f, uint64_t errors, struct result *r)
{
	char where[64] = "not known (needs root)";

	if (f->physical)
		snprintf(where, sizeof(where), "0x%llx", (unsigned long long)f->physical);
	result_end(r, RESULT_FAILED, "memory errors: %llu words did not hold what was written; the "
		   "first, at 0x%llx of the tested memory, physical address %s: 0x%016llx instead "
		   "of 0x%016llx, read again 0x%016llx", (unsigned long long)errors,
		   (unsigned long long)(f->number * sizeof(uint64_t)), where,
		   (unsigned long long)f->found, (unsigned long long)f->expected,
		   (unsigned long long)f->again);
}

static void put(const struct work *w, const struct mem_site *s, struct result *r)
{
	const struct mem_fault *first;
	uint64_t tested = 0, locked = 0, errors;

	for (unsigned i = 0; i < w->part_n; i++) {
		tested += w->part[i].tested_bytes;
		locked += w->part[i].locked_bytes;
	}
	first = count_faults(w, &errors);
	result_metric(r, "tested_bytes", UNIT_BYTES, (double)tested);
	result_metric(r, "coverage_percent", UNIT_PERCENT,
		      (double)tested / (double)s->space.total_bytes * 100);
	result_metric(r, "passes", UNIT_COUNT, w->passes);
	result_metric(r, "errors", UNIT_COUNT, (double)errors);
	result_metric(r, "locked_bytes", UNIT_BYTES, (double)locked);
	result_metric(r, "reserve_bytes", UNIT_BYTES, (double)mem_space_reserve(&s->space));
	if (w->given_back)
		result_mark(r, "memory-short", "others took memory meanwhile: %u blocks of %s were "
			    "given back", w->given_back,
			    units_bytes_binary(UNITS_BUF, w->block_bytes));
	if (first) {
		put_faults(w, r);
		end_failed(first, errors, r);
	} else if (tested == 0) {
		result_end(r, RESULT_FAILED, "no memory could be checked in the time there was");
	} else {
		r->status = RESULT_OK;
	}
}

static struct work *work_new(const struct test_context *c, const struct mem_site *s, uint64_t room)
{
	size_t bytes = sizeof(struct work) + s->cpu_n * sizeof(struct part);
	struct work *w = aligned_alloc(64, (bytes + 63) / 64 * 64);
	uint64_t block = room / s->cpu_n / BLOCKS_EACH;

	if (!w)
		return NULL;
	memset(w, 0, bytes);
	w->param = c->test->param;
	w->part_n = (unsigned)s->cpu_n;
	w->cache_bytes = s->levels.all_bytes;
	w->most_bytes = room;
	block = block < BLOCK_MIN_BYTES ? BLOCK_MIN_BYTES :
		block > BLOCK_MAX_BYTES ? BLOCK_MAX_BYTES : block;
	w->block_bytes = block / BLOCK_MIN_BYTES * BLOCK_MIN_BYTES;
	w->start_ns = clock_ns();
	w->end_ns = w->start_ns + c->budget_ns;
	pthread_mutex_init(&w->lock, NULL);
	return w;
}

static void measure(const struct test_context *c, const struct mem_site *s, uint64_t room,
		    struct result *r)
{
	struct work *w = work_new(c, s, room);
	struct crew_order order = {
		.cpu = s->cpu, .n = s->cpu_n, .work = work, .context = w,
		.bound_ns = c->budget_ns + c->stall_ns, .tick = mem_site_tick,
		.tick_context = (void *)c,
	};
	int err = -ENOMEM, was;

	if (w) {
		was = adjust_oom(1000);
		err = crew_run(&order);
		if (err != -ETIMEDOUT)
			adjust_oom(was);
	}
	r->seed = SEED;
	if (err)
		mem_site_end(r, err);
	else
		put(w, s, r);
	if (w && err != -ETIMEDOUT) {	/* else threads still work on it */
		pthread_mutex_destroy(&w->lock);
		free(w);
	}
}

static void run(const struct test_context *c, struct result *r)
{
	const struct mem_pattern_param *p = c->test->param;
	struct mem_site s;
	uint64_t room;

	if (!mem_site_read(c, &s, r))
		return;
	room = mem_space_read(p->root, &s.space) ? 0 : mem_space_room(&s.space);
	if (p->most_bytes && room > p->most_bytes)
		room = p->most_bytes;
	if (room < ROOM_MIN_BYTES)
		result_end(r, RESULT_SKIPPED, "%s of memory are free, and %s of it must stay so: "
			   "nothing is left to test",
			   units_bytes_binary(UNITS_BUF, s.space.free_bytes),
			   units_bytes_binary(UNITS_BUF, mem_space_reserve(&s.space)));
	else
		measure(c, &s, room, r);
	mem_site_free(&s);
}

static const struct mem_pattern_param plain = { .root = "" };

const struct test test_mem_pattern = {
	.name = "mem-pattern", .family = "memory", .phase = PHASE_MACHINE,
	.title = "free memory keeps its data",
	.help = "Fills free memory, but for a reserve, with patterns (its own addresses, walking "
		"ones and zeros, random words), checks and inverts them upwards and checks the "
		"inverse downwards, as far as the time goes. It does not replace memtest86: "
		"memory in use is not tested.",
	.access = TEST_READS, .rank = 30, .param = &plain,
	.time = { { 3000, 3000 }, { 20000, 20000 }, { 300000, 300000 } },
	.fits = test_fits_anywhere, .run = run,
};
