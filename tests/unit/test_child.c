/* SPDX-License-Identifier: MIT */
/* Processes for questions that may never be answered. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "bench/sys/child.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

static void answer(void *context)
{
	child_say(context, 6);
}

static void answer_much(void *context)
{
	static char page[4096];

	memset(page, 'x', sizeof(page));
	for (int i = 0; i < 100; i++)
		if (!child_say(page, sizeof(page)))
			*(volatile int *)context = 1;
}

static void say_half(void *context)
{
	child_say(context, 3);
	for (;;)
		pause();
}

static void crash(void *context)
{
	(void)context;
	raise(SIGKILL);
}

/* Says which of the descriptors below 64 are open. */
static void tell_open(void *context)
{
	char open_n = 0;

	(void)context;
	for (int fd = 4; fd < 64; fd++)
		open_n = (char)(open_n + (fcntl(fd, F_GETFD) >= 0));
	child_say(&open_n, 1);
}

int main(void)
{
	static char big[600000];
	struct child c = { .pid = 0 };
	char text[8] = "";
	int spare = fcntl(0, F_DUPFD, 20), full = 0, none[2];

	/* standard input stands where a child that is none has its number */
	is_int(pipe(none), 0, "a pipe");
	dup2(none[0], 0);
	is_int(write(none[1], "x", 1), 1, "with something in it");
	is_uint(child_listen(&c, text, sizeof(text), 0), 0, "no child says nothing");
	child_end(&c);
	ok(fcntl(0, F_GETFD) >= 0, "and its end closes nothing");

	ok(child_start(&c, answer, "answer") == 0, "a child");
	is_uint(child_listen(&c, text, sizeof(text), clock_ns() + 60 * NS_PER_S), 6,
		"says its answer and ends");
	ok(!memcmp(text, "answer", 6), "which arrives");
	child_end(&c);
	ok(c.pid == 0 && c.fd == -1, "and it is gone");
	child_end(&c);
	is_uint(child_listen(&c, text, sizeof(text), 0), 0, "nobody is there to listen to");

	child_start(&c, answer_much, &full);
	is_uint(child_listen(&c, big, sizeof(big), clock_ns() + 60 * NS_PER_S), 409600,
		"an answer larger than a pipe");
	child_end(&c);

	child_start(&c, say_half, "half");
	is_uint(child_listen(&c, text, sizeof(text), clock_ns() + NS_PER_S / 2), 3,
		"of a child that hangs comes what it said");
	ok(!child_has_ended(&c), "it is there");
	child_end(&c);
	ok(c.pid == 0 && child_has_ended(&c), "and is killed");

	child_start(&c, crash, NULL);
	is_uint(child_listen(&c, text, sizeof(text), clock_ns() + 60 * NS_PER_S), 0,
		"one that dies says nothing");
	for (int i = 0; i < 1000 && !child_has_ended(&c); i++)
		usleep(10000);
	ok(child_has_ended(&c) && child_has_ended(&c) && kill(c.pid, 0) == 0,
	   "and has ended, its number still its own");
	child_end(&c);

	child_start(&c, tell_open, NULL);
	child_listen(&c, text, 1, clock_ns() + 60 * NS_PER_S);
	child_end(&c);
	ok(spare >= 20 && text[0] == 0, "it holds nothing else open");
	close(none[0]);
	close(none[1]);
	close(spare);
	return tap_done();
}
