/* SPDX-License-Identifier: MIT */
/* The real world of upload.h: libcurl, the monotonic clock, the kernel's random numbers. */
#include <errno.h>
#include <sys/random.h>
#include <time.h>

#include "bench/upload/upload.h"
#include "lib/clock.h"

static void real_send(void *context, const struct send_request *request,
		      struct send_outcome *outcome)
{
	(void)context;
	send_once(request, outcome);
}

static uint64_t real_now_ns(void *context)
{
	(void)context;
	return clock_ns();
}

static void real_sleep_ns(void *context, uint64_t ns)
{
	struct timespec left = { .tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_nsec = (long)(ns % NS_PER_S) };

	(void)context;
	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* The kernel's generator is ready long before a report is; without it the clock must do. */
static uint32_t real_random(void *context)
{
	uint32_t number;

	(void)context;
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
		return number;
	return (uint32_t)(clock_ns() * UINT64_C(2654435761) >> 16);
}

void upload_real_world(struct upload_world *world)
{
	world->send = real_send;
	world->now_ns = real_now_ns;
	world->sleep_ns = real_sleep_ns;
	world->random = real_random;
}
