/* SPDX-License-Identifier: MIT */
/* Delivers one report: every address in turn, round after round. */
#include "bench/upload/upload.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/upload/backoff.h"

int upload_add(struct upload *upload, const char *url, bool is_post, char *why, size_t why_bytes)
{
	struct upload_url *entry;
	bool collector;
	int err;

	err = url_check(url, why, why_bytes);
	if (err)
		return err;
	if (upload->url_n == UPLOAD_URLS_MAX) {
		snprintf(why, why_bytes, "more than %d addresses", UPLOAD_URLS_MAX);
		return -ENOSPC;
	}
	entry = &upload->url[upload->url_n];
	err = url_target(url, upload->request.run_id, entry->target, sizeof(entry->target),
			 &collector);
	if (err) {
		snprintf(why, why_bytes, "the address is too long");
		return -EINVAL;
	}
	url_shown(url, entry->shown, sizeof(entry->shown));
	entry->is_post = is_post && !collector;
	entry->refusals = 0;
	upload->url_n++;
	return 0;
}

static bool is_open(const struct upload_url *url)
{
	return url->refusals < UPLOAD_REFUSALS;
}

/* Index of the first address from `from` on that is not given up, or url_n. */
static unsigned int next_open(const struct upload *upload, unsigned int from)
{
	while (from < upload->url_n && !is_open(&upload->url[from]))
		from++;
	return from;
}

/* What a round has met so far. */
struct round {
	unsigned int number;
	bool all_refused;
	uint32_t retry_after_s;		/* the longest a server asked for */
};

/* Decides what follows the failed try of address `index`. */
static void decide(const struct upload *upload, const struct upload_world *world,
		   const struct round *round, unsigned int index, uint64_t begin_ns,
		   struct upload_try *try)
{
	uint64_t gone_ns = world->now_ns(world->context) - begin_ns;

	if (next_open(upload, index + 1) < upload->url_n) {
		try->next = UPLOAD_NEXT_URL;
	} else if (next_open(upload, 0) == upload->url_n) {
		try->next = UPLOAD_GIVEN_UP;
	} else if (gone_ns >= upload->retry_ns) {
		try->next = UPLOAD_TIME_OVER;
	} else {
		try->next = UPLOAD_PAUSE;
		try->pause_ns = backoff_bounded_ns(round->number, world->random(world->context),
						   round->all_refused ? UPLOAD_REFUSED_PAUSE_S : 0,
						   round->retry_after_s,
						   upload->retry_ns - gone_ns);
	}
}

/* Tries one address and fills `try`. */
static void try_one(struct upload *upload, const struct upload_world *world, struct round *round,
		    unsigned int index, uint64_t begin_ns, struct upload_try *try)
{
	struct upload_url *url = &upload->url[index];
	const struct send_outcome *outcome = &try->outcome;
	struct send_request request = upload->request;
	uint64_t start_ns = world->now_ns(world->context);

	request.url = url->target;
	request.is_post = url->is_post;
	try->number++;
	try->url = url->shown;
	try->start_ns = start_ns - begin_ns;
	try->pause_ns = 0;
	world->send(world->context, &request, &try->outcome);
	try->elapsed_ns = world->now_ns(world->context) - start_ns;
	if (outcome->class == SEND_DELIVERED) {
		try->next = UPLOAD_DONE;
		return;
	}
	if (outcome->class == SEND_REFUSED)
		url->refusals++;
	else
		round->all_refused = false;
	if (outcome->retry_after_s > round->retry_after_s)
		round->retry_after_s = outcome->retry_after_s;
	decide(upload, world, round, index, begin_ns, try);
}

enum upload_next upload_deliver(struct upload *upload, const struct upload_world *world)
{
	uint64_t begin_ns = world->now_ns(world->context);
	struct upload_try try = { 0 };

	for (unsigned int number = 0;; number++) {
		struct round round = { .number = number, .all_refused = true };
		unsigned int index = next_open(upload, 0);

		do {
			try_one(upload, world, &round, index, begin_ns, &try);
			world->tried(world->context, &try);
			index = next_open(upload, index + 1);
		} while (try.next == UPLOAD_NEXT_URL);
		if (try.next != UPLOAD_PAUSE)
			return try.next;
		world->sleep_ns(world->context, try.pause_ns);
	}
}
