/* SPDX-License-Identifier: MIT */
/* The order, number and time of tries, against scripted servers and a clock of the test's own. */
#include <errno.h>
#include <string.h>

#include "bench/upload/record.h"
#include "bench/upload/upload.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define ID "89abcdef-0123-4567-89ab-cdef01234567"
#define TRIES_MAX 1000

/*
 * A world: each address answers with the letters of its script in turn, the last one for ever: d
 * delivered, f failed, r refused, a failed with Retry-After 90. Each try takes try_ns, each sleep
 * what was asked for.
 */
struct world {
	const char *script[UPLOAD_URLS_MAX];
	unsigned int asked[UPLOAD_URLS_MAX];
	uint64_t now_ns, try_ns, slept_ns, longest_ns, shortest_ns;
	uint32_t random;
	char order[TRIES_MAX + 1];	/* addresses asked, as letters from a */
	unsigned int try_n, told_n;
	enum upload_next last;
	struct record record;
};

static void world_send(void *context, const struct send_request *request,
		       struct send_outcome *outcome)
{
	struct world *w = context;
	unsigned int index = (unsigned int)(request->url[strlen("http://")] - 'a');
	const char *script = w->script[index];
	size_t at = w->asked[index]++;
	char answer = at < strlen(script) ? script[at] : script[strlen(script) - 1];

	if (w->try_n < TRIES_MAX)
		w->order[w->try_n++] = (char)('a' + index);
	w->now_ns += w->try_ns;
	memset(outcome, 0, sizeof(*outcome));
	outcome->class = answer == 'd'	 ? SEND_DELIVERED
			 : answer == 'r' ? SEND_REFUSED
					 : SEND_FAILED;
	outcome->retry_after_s = answer == 'a' ? 90 : 0;
}

static uint64_t world_now_ns(void *context)
{
	return ((struct world *)context)->now_ns;
}

static void world_sleep_ns(void *context, uint64_t ns)
{
	struct world *w = context;

	w->now_ns += ns;
	w->slept_ns += ns;
	if (ns > w->longest_ns)
		w->longest_ns = ns;
	if (ns < w->shortest_ns)
		w->shortest_ns = ns;
}

static uint32_t world_random(void *context)
{
	return ((struct world *)context)->random;
}

static void world_tried(void *context, const struct upload_try *try)
{
	struct world *w = context;

	w->told_n++;
	w->last = try->next;
	record_add(&w->record, try);
}

/* Delivers to addresses of these scripts (ends with NULL). Returns how it ended. */
static enum upload_next run(struct world *w, uint64_t retry_s, const char *const *scripts)
{
	const struct upload_world world = {
		.send = world_send, .now_ns = world_now_ns, .sleep_ns = world_sleep_ns,
		.random = world_random, .tried = world_tried, .context = w,
	};
	static struct upload upload;
	uint64_t try_ns = w->try_ns;
	uint32_t random = w->random;
	char url[] = "http://a/", why[100];

	memset(&upload, 0, sizeof(upload));
	memset(w, 0, sizeof(*w));
	w->try_ns = try_ns;
	w->random = random;
	w->shortest_ns = UINT64_MAX;
	w->now_ns = 1000 * NS_PER_S;
	upload.request.run_id = ID;
	upload.retry_ns = retry_s * NS_PER_S;
	for (unsigned int i = 0; scripts[i]; i++) {
		w->script[i] = scripts[i];
		url[7] = (char)('a' + i);
		if (upload_add(&upload, url, false, why, sizeof(why)))
			tap_bail("upload_add");
	}
	return upload_deliver(&upload, &world);
}

#define SCRIPTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_order(struct world *w)
{
	is_int(run(w, 60, SCRIPTS("d")), UPLOAD_DONE, "at once");
	is_str(w->order, "a", "one try");
	is_int(run(w, 60, SCRIPTS("f", "f", "d")), UPLOAD_DONE, "the third address");
	is_str(w->order, "abc", "in order");
	is_uint(w->slept_ns, 0, "without a pause");
	is_int(run(w, 60, SCRIPTS("ffd", "f")), UPLOAD_DONE, "the first address, third round");
	is_str(w->order, "ababa", "every address in every round");
	is_int(run(w, 600, SCRIPTS("r", "ffffd")), UPLOAD_DONE, "one refuses, one is late");
	is_str(w->order, "abababbb", "who refused three times is not asked again");
	is_int(run(w, 600, SCRIPTS("rrd", "r")), UPLOAD_DONE,
	       "who refused twice is asked once more");
	is_str(w->order, "ababa", "and may have changed its mind");
	is_int(run(w, 600, SCRIPTS("r", "frfrr")), UPLOAD_GIVEN_UP, "all refuse");
	is_str(w->order, "abababbb", "failures in between do not count as refusals");
	is_uint(w->told_n, w->try_n, "each try is told");
	is_int((int)w->last, UPLOAD_GIVEN_UP, "the last with the end");
	is_int(run(w, 0, SCRIPTS("f", "r", "f")), UPLOAD_TIME_OVER, "no time");
	is_str(w->order, "abc", "one round all the same");
}

static void test_time(struct world *w)
{
	w->random = UINT32_MAX;
	w->try_ns = NS_PER_MS;
	is_int(run(w, 300, SCRIPTS("f")), UPLOAD_TIME_OVER, "five minutes with the longest pauses");
	is_uint(w->slept_ns + (w->try_n - 1) * w->try_ns, 300 * NS_PER_S,
		"the last try begins just as the time ends");
	is_uint(w->longest_ns, 60 * NS_PER_S, "no pause is longer than a minute");
	is_uint(w->try_n, 11, "after 0 1 2 4 8 16 32 60 60 60 and 57 s");
	w->random = 0;
	run(w, 300, SCRIPTS("f"));
	is_uint(w->try_n, TRIES_MAX, "with the shortest pauses");
	is_uint(w->record.try_n, w->told_n, "the record counts them all");
	is_uint(w->record.try[RECORD_TRIES_MAX / 2 - 1].number, RECORD_TRIES_MAX / 2,
		"keeps the first");
	is_uint(w->record.try[RECORD_TRIES_MAX - 1].number, w->told_n, "and the last");
	run(w, 300, SCRIPTS("r"));
	is_uint(w->shortest_ns, UPLOAD_REFUSED_PAUSE_S * NS_PER_S, "refused: a longer pause");
	run(w, 300, SCRIPTS("rrrr", "fd"));
	ok(w->shortest_ns < NS_PER_S, "not where another address has only failed");
	is_int(run(w, 300, SCRIPTS("ad")), UPLOAD_DONE, "a server that asks for 90 s");
	is_uint(w->slept_ns, 90 * NS_PER_S, "gets them");
	is_int(run(w, 30, SCRIPTS("ad")), UPLOAD_DONE, "unless the time is shorter");
	is_uint(w->slept_ns + w->try_ns, 30 * NS_PER_S, "then the last try is at its end");
	w->try_ns = 400 * NS_PER_S;
	is_int(run(w, 300, SCRIPTS("f", "f")), UPLOAD_TIME_OVER, "tries longer than the time");
	is_str(w->order, "ab", "do not keep the second address from its one try");
}

static void test_add(void)
{
	static struct upload upload;
	char why[100];

	upload.request.run_id = ID;
	is_int(upload_add(&upload, "http://x/v1/reports", true, why, sizeof(why)), 0,
	       "a collector");
	ok(!upload.url[0].is_post, "is always asked with PUT");
	is_int(upload_add(&upload, "http://u:p@x/y?z", true, why, sizeof(why)), 0, "another");
	ok(upload.url[1].is_post, "is asked as told");
	is_str(upload.url[1].target, "http://u:p@x/y?z", "at its address");
	is_str(upload.url[1].shown, "http://x/y?***", "which is shown without secrets");
	is_int(upload_add(&upload, "nonsense", true, why, sizeof(why)), -EINVAL,
	       "nonsense is refused");
	is_uint(upload.url_n, 2, "and takes no place");
	while (upload.url_n < UPLOAD_URLS_MAX)
		if (upload_add(&upload, "http://x/", true, why, sizeof(why)))
			break;
	is_uint(upload.url_n, UPLOAD_URLS_MAX, "as many as there is room for");
	is_int(upload_add(&upload, "http://x/", true, why, sizeof(why)), -ENOSPC, "and no more");
}

int main(void)
{
	static struct world w;

	test_order(&w);
	test_time(&w);
	test_add();
	return tap_done();
}
