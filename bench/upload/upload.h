/* SPDX-License-Identifier: MIT */
/*
 * Delivers one report: every address in turn, round after round, until one has taken it, all have
 * refused it, or the time is over.
 *
 * A round tries each address that has not been given up, in order. Between rounds it pauses
 * (backoff.h). An address that refuses the report (SEND_REFUSED) UPLOAD_REFUSALS times is given up:
 * a collector may be in the middle of its own set-up, but a wrong token does not get right by
 * asking. At least one round is made whatever the time, and one ends just as the time does.
 */
#ifndef BENCH_UPLOAD_UPLOAD_H
#define BENCH_UPLOAD_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/upload/send.h"
#include "bench/upload/url.h"

#define UPLOAD_URLS_MAX 16
#define UPLOAD_REFUSALS 3
#define UPLOAD_REFUSED_PAUSE_S 5	/* least pause where all addresses left refused */

/* What happens after a try. */
enum upload_next {
	UPLOAD_DONE,		/* it was delivered */
	UPLOAD_NEXT_URL,	/* another address follows at once */
	UPLOAD_PAUSE,		/* a new round after pause_ns */
	UPLOAD_GIVEN_UP,	/* every address has refused it too often */
	UPLOAD_TIME_OVER,	/* not delivered, and the time is over */
};

struct upload_try {
	unsigned int number;		/* from 1 */
	const char *url;		/* as it may be shown */
	uint64_t start_ns, elapsed_ns;	/* start_ns: since the delivery began */
	struct send_outcome outcome;
	enum upload_next next;
	uint64_t pause_ns;		/* UPLOAD_PAUSE */
};

/* The world as the loop sees it: the real one, or a test's. */
struct upload_world {
	void (*send)(void *context, const struct send_request *request,
		     struct send_outcome *outcome);
	uint64_t (*now_ns)(void *context);		/* monotonic */
	void (*sleep_ns)(void *context, uint64_t ns);
	uint32_t (*random)(void *context);
	/* told of each try once it is over */
	void (*tried)(void *context, const struct upload_try *try);
	void *context;
};

struct upload_url {
	char target[URL_BYTES];		/* where exactly */
	char shown[URL_BYTES];
	bool is_post;
	unsigned int refusals;
};

struct upload {
	struct upload_url url[UPLOAD_URLS_MAX];
	unsigned int url_n;
	uint64_t retry_ns;		/* how long new rounds are begun */
	struct send_request request;	/* url and is_post are set per address */
};

/*
 * Adds an address; `is_post` counts where it is not a collector's. Returns 0, -EINVAL with the
 * reason in `why`, or -ENOSPC past UPLOAD_URLS_MAX.
 */
int upload_add(struct upload *upload, const char *url, bool is_post, char *why, size_t why_bytes);

/* Delivers. Returns UPLOAD_DONE, UPLOAD_GIVEN_UP or UPLOAD_TIME_OVER. upload->url_n is not 0. */
enum upload_next upload_deliver(struct upload *upload, const struct upload_world *world);

/* The real world but for `tried` and `context`, which the caller sets. */
void upload_real_world(struct upload_world *world);

#endif
