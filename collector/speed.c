/* SPDX-License-Identifier: MIT */
/* The collector's address /v1/speed: a machine measures its way to the collector. */
#include "collector/speed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/request.h"
#include "lib/clock.h"
#include "lib/random.h"

#define BUSY_RETRY_S 2
#define BLOCK_BYTES 262144
/*
 * Larger than the window of what compresses on the way (TLS never does; VPNs and accelerators look
 * back 64 KiB), so that what is sent cannot be made smaller.
 */
#define DATA_BYTES 1048576

struct speed {
	unsigned int slots;
	atomic_uint used;
	unsigned char data[DATA_BYTES];
};

struct speed *speed_new(unsigned int slots)
{
	struct speed *speed = malloc(sizeof(*speed));

	if (!speed)
		return NULL;
	speed->slots = slots;
	atomic_init(&speed->used, 0);
	if (random_fill(speed->data, sizeof(speed->data)) == 0)
		return speed;
	free(speed);
	return NULL;
}

void speed_free(struct speed *speed)
{
	free(speed);
}

static bool enter(struct request *request)
{
	struct speed *speed = request->server->speed;

	if (atomic_fetch_add(&speed->used, 1) < speed->slots) {
		request->has_place = true;
		return true;
	}
	atomic_fetch_sub(&speed->used, 1);
	return false;
}

void speed_leave(struct request *request)
{
	if (request->has_place)
		atomic_fetch_sub(&request->server->speed->used, 1);
	request->has_place = false;
}

/* The number of the query's `bytes`; 0 where it is none or too large. */
static uint64_t asked_bytes(struct MHD_Connection *connection)
{
	const char *text =
		MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "bytes");
	unsigned long long bytes;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return 0;
	errno = 0;
	bytes = strtoull(text, &end, 10);
	return errno || *end || bytes > SPEED_MAX_BYTES ? 0 : bytes;
}

void speed_admit(struct request *request, struct MHD_Connection *connection)
{
	struct answer *answer = &request->answer;
	const char *length =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");

	if (!request->is_write) {
		request->speed_bytes = asked_bytes(connection);
		if (request->speed_bytes == 0) {
			answer_error(answer, MHD_HTTP_BAD_REQUEST, "GET /v1/speed?bytes=N",
				     "bytes is no number from 1 to %" PRIu64, SPEED_MAX_BYTES);
			return;
		}
	} else if (length && strtoull(length, NULL, 10) > SPEED_MAX_BYTES) {
		answer_error(answer, MHD_HTTP_CONTENT_TOO_LARGE, "send less at a time",
			     "the body is longer than the limit of %" PRIu64 " bytes",
			     SPEED_MAX_BYTES);
		return;
	}
	if (!enter(request)) {
		answer->retry_after_s = BUSY_RETRY_S;
		answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, "try again in a moment",
			     "%u speed tests run already", request->server->speed->slots);
	}
}

bool speed_take(struct request *request, uint64_t bytes)
{
	if (request->received_bytes == 0)
		request->body_start_ns = clock_ns();
	request->received_bytes += bytes;
	request->body_end_ns = clock_ns();
	return request->received_bytes <= SPEED_MAX_BYTES;
}

static ssize_t read_data(void *context, uint64_t at, char *buf, size_t max)
{
	const struct speed *speed = context;
	size_t from = at % DATA_BYTES, n = DATA_BYTES - from;

	if (n > max)
		n = max;
	memcpy(buf, speed->data + from, n);
	return (ssize_t)n;
}

/* How many bytes came, and the time from the first piece of them to the last. */
static enum MHD_Result answer_taken(struct request *request, struct MHD_Connection *connection)
{
	char *text = malloc(96);
	int len;

	if (!text)
		return MHD_NO;
	len = snprintf(text, 96, "{\"bytes\":%" PRIu64 ",\"ns\":%" PRIu64 "}\n",
		       request->received_bytes, request->body_end_ns - request->body_start_ns);
	request->answer.status = MHD_HTTP_OK;
	return answer_send_text(connection, MHD_HTTP_OK, text, (size_t)len);
}

enum MHD_Result speed_answer(struct request *request, struct MHD_Connection *connection)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	if (request->is_write)
		return answer_taken(request, connection);
	response = MHD_create_response_from_callback(request->speed_bytes, BLOCK_BYTES, read_data,
						     request->server->speed, NULL);
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", "application/octet-stream");
	MHD_add_response_header(response, "Cache-Control", "no-store, no-transform");
	request->answer.status = MHD_HTTP_OK;
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}
