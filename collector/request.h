/* SPDX-License-Identifier: MIT */
/*
 * One HTTP request from its head to its log line; what http.c (receiving) and routes.c (answering)
 * share.
 *
 * Order: routes_admit once the head is there, the body piece by piece in http.c, then
 * routes_answer.
 */
#ifndef COLLECTOR_REQUEST_H
#define COLLECTOR_REQUEST_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/answer.h"
#include "collector/guard.h"
#include "collector/http.h"
#include "collector/speed.h"

enum route { ROUTE_NONE, ROUTE_HEALTH, ROUTE_REPORTS, ROUTE_REPORT, ROUTE_SPEED };

struct server {
	struct server_setup setup;
	struct MHD_Daemon *daemon;
	struct guard guard;
	/* One body is parsed and stored at a time: parsed, it takes up to 16 times its size. */
	pthread_mutex_t store_lock;
	atomic_uint active;		/* requests begun and not completed */
	atomic_size_t buffered_bytes;	/* room taken by bodies, all requests together */
	struct speed *speed;		/* NULL: no speed tests */
};

struct request {
	struct server *server;
	uint64_t start_ns;
	enum route route;
	bool is_write;			/* PUT or POST */
	char id[STORE_ID_BYTES];	/* from the path; "" for ROUTE_REPORTS */
	char *body;
	size_t body_len, body_room;
	uint64_t received_bytes;	/* of the body, also what was thrown away */
	/* ROUTE_SPEED: see speed.h */
	bool has_place;
	uint64_t speed_bytes;		/* to send */
	uint64_t body_start_ns, body_end_ns;
	struct answer answer;		/* status 0 while nothing is wrong; at last what was sent */
	/* for the log; cleaned */
	char method[16], path[96], remote[64];
};

/*
 * Decides from the request's head whether its body is wanted: the route, the method, the token, the
 * announced length. Leaves an error in request->answer where not. `url` is as sent, without the
 * query.
 */
void routes_admit(struct request *request, struct MHD_Connection *connection, const char *url,
		  const char *method);
/* Does what was asked and sends the answer; an error in request->answer is sent as it is. */
enum MHD_Result routes_answer(struct request *request, struct MHD_Connection *connection);

#endif
