/* SPDX-License-Identifier: MIT */
/*
 * The collector's HTTP side: receives requests within limits and writes one log line for each.
 *
 * libmicrohttpd calls from its own threads; a request belongs to one connection and so to one
 * thread at a time. What all share is in struct server.
 */
#include "collector/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collector/reports.h"
#include "collector/request.h"
#include "lib/clock.h"
#include "lib/text.h"

#define THREADS 4
#define WHOLE_REQUEST_FACTOR 20		/* times timeout_s: a request and its answer */
#define BUFFERED_FACTOR 8		/* times max_bytes: bodies of all requests together */
#define FIRST_ROOM_BYTES 65536
/*
 * A body that is not wanted is still read up to here before the answer: a connection closed with
 * unread data is reset, and the client may lose the answer that says why.
 */
#define DRAIN_BYTES (1 << 20)

static void remote_name(struct MHD_Connection *connection, char *buf, size_t size)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *address = info ? info->client_addr : NULL;
	char text[INET6_ADDRSTRLEN] = "?";

	if (address && address->sa_family == AF_INET)
		inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr,
			  text, sizeof(text));
	else if (address && address->sa_family == AF_INET6)
		inet_ntop(AF_INET6,
			  &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, text,
			  sizeof(text));
	/* a socket for both families gives IPv4 addresses as ::ffff:192.0.2.1 */
	text_copy(buf, size,
		  strncmp(text, "::ffff:", 7) == 0 && strchr(text, '.') ? text + 7 : text);
}

static struct guarded *connection_guard(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

static uint64_t in_seconds(uint64_t seconds)
{
	return clock_ns() + seconds * NS_PER_S;
}

static struct request *request_new(struct server *server, struct MHD_Connection *connection,
				   const char *url, const char *method)
{
	struct request *request = calloc(1, sizeof(*request));

	if (!request)
		return NULL;
	request->server = server;
	request->start_ns = clock_ns();
	text_clean_str(request->method, sizeof(request->method), method);
	text_clean_str(request->path, sizeof(request->path), url);
	remote_name(connection, request->remote, sizeof(request->remote));
	atomic_fetch_add(&server->active, 1);
	guard_extend(&server->guard, connection_guard(connection),
		     in_seconds((uint64_t)server->setup.timeout_s * WHOLE_REQUEST_FACTOR));
	return request;
}

static void request_free(struct request *request)
{
	speed_leave(request);
	atomic_fetch_sub(&request->server->buffered_bytes, request->body_room);
	atomic_fetch_sub(&request->server->active, 1);
	free(request->body);
	free(request);
}

/* Makes room for `more` bytes of body; false with an error where there is none. */
static bool body_reserve(struct request *request, size_t more)
{
	struct server *server = request->server;
	size_t want = request->body_len + more, room = request->body_room;
	char *body;

	if (want <= room)
		return true;
	if (room == 0)
		room = FIRST_ROOM_BYTES;
	while (room < want)
		room *= 2;
	body = NULL;
	if (atomic_fetch_add(&server->buffered_bytes, room - request->body_room) + room -
	    request->body_room <= BUFFERED_FACTOR * server->setup.max_bytes + FIRST_ROOM_BYTES)
		body = realloc(request->body, room);
	if (!body) {
		atomic_fetch_sub(&server->buffered_bytes, room - request->body_room);
		request->answer.retry_after_s = 2;
		answer_error(&request->answer, MHD_HTTP_SERVICE_UNAVAILABLE,
			     "try again in a moment",
			     "too many reports are coming in at this moment");
		return false;
	}
	request->body = body;
	request->body_room = room;
	return true;
}

/* Takes a piece of the body. Returns false where the connection must go: it sends without end. */
static bool body_add(struct request *request, const char *data, size_t len)
{
	size_t max = request->server->setup.max_bytes;

	if (request->has_place)
		return speed_take(request, len);
	request->received_bytes += len;
	if (!request->answer.status && len > max - request->body_len)
		answer_error(&request->answer, MHD_HTTP_CONTENT_TOO_LARGE,
			     "start the collector with a larger --max-bytes",
			     "the body is longer than the limit of %zu bytes", max);
	if (!request->answer.status && body_reserve(request, len)) {
		memcpy(request->body + request->body_len, data, len);
		request->body_len += len;
		return true;
	}
	/* not wanted: thrown away; no answer may be queued before the end of a body */
	return request->received_bytes <= request->body_len + DRAIN_BYTES;
}

/* Whether a refused request's body is better read to its end first. */
static bool should_drain(struct MHD_Connection *connection)
{
	const char *length =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");

	if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Expect"))
		return false;	/* it waits for our word before it sends */
	if (length)
		return strtoull(length, NULL, 10) <= DRAIN_BYTES;
	return true;	/* chunks: body_add ends it; no body at all: nothing to drain */
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload_data,
			      size_t *upload_data_size, void **request_context)
{
	struct request *request = *request_context;

	(void)version;
	if (!request) {
		request = request_new(context, connection, url, method);
		if (!request)
			return MHD_NO;
		*request_context = request;
		routes_admit(request, connection, url, method);
		if (request->has_place)
			guard_extend(&request->server->guard, connection_guard(connection),
				     in_seconds(SPEED_MAX_S));
		if (request->answer.status &&
		    (request->answer.must_close || !should_drain(connection))) {
			request->answer.must_close = true;
			return routes_answer(request, connection);
		}
		return MHD_YES;
	}
	if (*upload_data_size > 0) {
		bool go_on = body_add(request, upload_data, *upload_data_size);

		*upload_data_size = 0;
		return go_on ? MHD_YES : MHD_NO;
	}
	return routes_answer(request, connection);
}

static const char *ending(enum MHD_RequestTerminationCode code)
{
	if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK)
		return "";
	return code == MHD_REQUEST_TERMINATED_TIMEOUT_REACHED ? " timed out" : " cut off";
}

static void log_request(const struct request *request, enum MHD_RequestTerminationCode code)
{
	struct timespec now;
	char time[40];

	clock_gettime(CLOCK_REALTIME, &now);
	reports_time(time, sizeof(time), (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
	fprintf(stderr, "%s %s %s %s %u in=%" PRIu64 " ms=%" PRIu64 "%s%s%s%s\n", time,
		request->remote, request->method, request->path, request->answer.status,
		request->received_bytes, (clock_ns() - request->start_ns) / NS_PER_MS,
		ending(code),
		request->answer.error[0] ? " (" : "", request->answer.error,
		request->answer.error[0] ? ")" : "");
}

static void completed(void *context, struct MHD_Connection *connection, void **request_context,
		      enum MHD_RequestTerminationCode code)
{
	struct server *server = context;
	struct request *request = *request_context;

	guard_extend(&server->guard, connection_guard(connection),
		     in_seconds(server->setup.timeout_s));
	if (!request)
		return;
	log_request(request, code);
	request_free(request);
	*request_context = NULL;
}

static void connection_changed(void *context, struct MHD_Connection *connection,
			       void **socket_context, enum MHD_ConnectionNotificationCode code)
{
	struct server *server = context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		const union MHD_ConnectionInfo *info =
			MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

		*socket_context = info ? guard_open(&server->guard, info->connect_fd,
						    in_seconds(server->setup.timeout_s)) : NULL;
	} else {
		guard_close(&server->guard, *socket_context);
		*socket_context = NULL;
	}
}

/*
 * Nothing of ours needs percent-encoding, and a decoded %00 would cut an address short, so that it
 * means another one.
 */
static size_t unescape_nothing(void *context, struct MHD_Connection *connection, char *text)
{
	(void)context;
	(void)connection;
	return strlen(text);
}

static bool start_daemon(struct server *server)
{
	const struct server_setup *setup = &server->setup;
	unsigned int flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC;
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)setup->tls_cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)setup->tls_key },
		{ MHD_OPTION_END, 0, NULL },
	};
	struct MHD_OptionItem nothing[] = { { MHD_OPTION_END, 0, NULL } };

	if (setup->tls_cert)
		flags |= MHD_USE_TLS;
	server->daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, handle, server,
		MHD_OPTION_LISTEN_SOCKET, setup->listen_fd,
		MHD_OPTION_NOTIFY_COMPLETED, completed, server,
		MHD_OPTION_NOTIFY_CONNECTION, connection_changed, server,
		MHD_OPTION_THREAD_POOL_SIZE, (unsigned int)THREADS,
		MHD_OPTION_CONNECTION_LIMIT, setup->max_connections,
		MHD_OPTION_PER_IP_CONNECTION_LIMIT, setup->max_per_address,
		MHD_OPTION_CONNECTION_TIMEOUT, setup->timeout_s,
		MHD_OPTION_STRICT_FOR_CLIENT, 1,
		MHD_OPTION_UNESCAPE_CALLBACK, unescape_nothing, NULL,
		MHD_OPTION_ARRAY, setup->tls_cert ? tls : nothing,
		MHD_OPTION_END);
	return server->daemon;
}

int server_start(struct server **out, const struct server_setup *setup)
{
	struct server *server = calloc(1, sizeof(*server));

	*out = NULL;
	if (!server)
		return -ENOMEM;
	server->setup = *setup;
	guard_init(&server->guard);
	pthread_mutex_init(&server->store_lock, NULL);
	errno = 0;
	if (setup->max_speed)
		server->speed = speed_new(setup->max_speed);
	if ((setup->max_speed && !server->speed) || !start_daemon(server)) {
		int err = errno ? -errno : -EINVAL;

		server_stop(server);
		return err;
	}
	*out = server;
	return 0;
}

void server_tick(struct server *server)
{
	guard_sweep(&server->guard, clock_ns());
}

void server_quiesce(struct server *server)
{
	MHD_quiesce_daemon(server->daemon);
}

unsigned int server_active(const struct server *server)
{
	return atomic_load(&server->active);
}

void server_stop(struct server *server)
{
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	speed_free(server->speed);
	pthread_mutex_destroy(&server->store_lock);
	guard_destroy(&server->guard);
	free(server);
}
