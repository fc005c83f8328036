/* SPDX-License-Identifier: MIT */
/* Addresses of a host's name, within a time limit, and connections to them. */
#include "bench/net/resolve.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/text.h"

/* One question; freed by whoever of the two, asker and thread, is the last to leave it. */
struct question {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool is_answered, is_left;
	char host[256], port[8];
	int family, eai;
	struct addrinfo *found;
	uint64_t answered_ns;
};

static void question_free(struct question *q)
{
	if (q->is_answered && q->eai == 0)
		freeaddrinfo(q->found);
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
	free(q);
}

static void *ask(void *context)
{
	struct question *q = context;
	const struct addrinfo hints = { .ai_family = q->family, .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_NUMERICSERV };
	struct addrinfo *found = NULL;
	int eai = getaddrinfo(q->host, q->port, &hints, &found);
	bool is_left;

	pthread_mutex_lock(&q->lock);
	q->answered_ns = clock_ns();
	q->eai = eai;
	q->found = found;
	q->is_answered = true;
	is_left = q->is_left;
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
	if (is_left)
		question_free(q);
	return NULL;
}

static struct question *question_new(const char *host, unsigned port, int family)
{
	struct question *q = calloc(1, sizeof(*q));
	pthread_condattr_t attr;

	if (!q)
		return NULL;
	text_copy(q->host, sizeof(q->host), host);
	snprintf(q->port, sizeof(q->port), "%u", port % 65536);
	q->family = family;
	pthread_mutex_init(&q->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&q->changed, &attr);
	pthread_condattr_destroy(&attr);
	return q;
}

static void take_found(const struct addrinfo *found, struct resolve_answer *answer)
{
	for (; found && answer->n < RESOLVE_ADDRESSES_MAX; found = found->ai_next) {
		struct resolve_address *a = &answer->address[answer->n];

		if (found->ai_addrlen > sizeof(a->to))
			continue;
		memcpy(&a->to, found->ai_addr, found->ai_addrlen);
		a->to_bytes = found->ai_addrlen;
		if (getnameinfo(found->ai_addr, found->ai_addrlen, a->text, sizeof(a->text), NULL,
				0, NI_NUMERICHOST) == 0)
			answer->n++;
	}
}

static enum resolve_end judge(const struct resolve_answer *answer)
{
	switch (answer->eai) {
	case 0:
		return answer->n ? RESOLVE_FOUND : RESOLVE_NONE;
	case EAI_NONAME:
#ifdef EAI_NODATA
	case EAI_NODATA:
#endif
#ifdef EAI_ADDRFAMILY
	case EAI_ADDRFAMILY:
#endif
	case EAI_FAMILY:
		return RESOLVE_NONE;
	case EAI_MEMORY:
		return RESOLVE_NO_MEMORY;
	default:
		return RESOLVE_FAILED;
	}
}

enum resolve_end resolve_name(const char *host, unsigned port, int family, uint64_t limit_ns,
			      struct resolve_answer *answer)
{
	struct question *q = question_new(host, port, family);
	uint64_t start_ns = clock_ns(), end_ns = start_ns + limit_ns;
	const struct timespec end = { .tv_sec = (time_t)(end_ns / NS_PER_S),
				      .tv_nsec = (long)(end_ns % NS_PER_S) };
	enum resolve_end result = RESOLVE_TIMEOUT;
	bool is_answered;
	pthread_t thread;

	memset(answer, 0, sizeof(*answer));
	if (!q)
		return RESOLVE_NO_MEMORY;
	if (pthread_create(&thread, NULL, ask, q)) {
		question_free(q);
		return RESOLVE_NO_MEMORY;
	}
	pthread_detach(thread);
	pthread_mutex_lock(&q->lock);
	while (!q->is_answered && pthread_cond_timedwait(&q->changed, &q->lock, &end) == 0)
		;
	is_answered = q->is_answered;
	if (is_answered) {
		answer->eai = q->eai;
		answer->took_ns = q->answered_ns - start_ns;
		take_found(q->eai == 0 ? q->found : NULL, answer);
		result = judge(answer);
	}
	q->is_left = true;
	pthread_mutex_unlock(&q->lock);
	if (is_answered)
		question_free(q);
	return result;
}

/* Waits for a connection in progress. Returns 0 or -errno. */
static int wait_connected(int fd, uint64_t end_ns)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(int);
	int err = 0, n;

	do {
		uint64_t now_ns = clock_ns();
		struct timespec left = { 0 };

		if (now_ns < end_ns) {
			left.tv_sec = (time_t)((end_ns - now_ns) / NS_PER_S);
			left.tv_nsec = (long)((end_ns - now_ns) % NS_PER_S);
		}
		n = ppoll(&p, 1, &left, NULL);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return -ETIMEDOUT;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) < 0 ? -errno : -err;
}

int resolve_connect(const struct resolve_address *address, uint64_t limit_ns, uint64_t *took_ns)
{
	int fd = socket(address->to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	uint64_t start_ns;
	int err = 0;

	if (fd < 0)
		return -errno;
	start_ns = clock_ns();
	if (connect(fd, (const struct sockaddr *)(const void *)&address->to, address->to_bytes) < 0)
		err = errno == EINPROGRESS ? wait_connected(fd, start_ns + limit_ns) : -errno;
	*took_ns = clock_ns() - start_ns;
	close(fd);
	return err;
}
