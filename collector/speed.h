/* SPDX-License-Identifier: MIT */
/*
 * The collector's address /v1/speed: a machine measures its way to the collector.
 *
 * Bounded in every direction, so that it cannot be used to flood anybody: who has the token, so
 * many transfers at a time, so many bytes and seconds each. Nothing is kept.
 */
#ifndef COLLECTOR_SPEED_H
#define COLLECTOR_SPEED_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

#define SPEED_MAX_BYTES UINT64_C(1073741824)	/* of one transfer */
#define SPEED_MAX_S 20				/* the same; then its connection is ended */

struct request;
struct speed;

/* Room and data for at most `slots` transfers at a time; NULL: out of memory. */
struct speed *speed_new(unsigned int slots);
/* `speed` may be NULL. No transfer may be left. */
void speed_free(struct speed *speed);

/*
 * Decides from the request's head: the length, and whether there is a place. Leaves an error in
 * request->answer where not; else the request holds a place until speed_leave.
 */
void speed_admit(struct request *request, struct MHD_Connection *connection);
/* Gives the place back, where the request holds one. */
void speed_leave(struct request *request);

/* Counts a piece of a body. Returns false where it is too long: the connection must go. */
bool speed_take(struct request *request, uint64_t bytes);
/* Sends the bytes that were asked for, or says how many came. */
enum MHD_Result speed_answer(struct request *request, struct MHD_Connection *connection);

#endif
