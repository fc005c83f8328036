/* SPDX-License-Identifier: MIT */
/*
 * One server measured from begin to end, under the sanitizers, against a small server of our own.
 * Figures and misbehaving servers: tests/net/.
 */
#include "bench/net/measure.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/upload/send.h"
#include "lib/clock.h"
#include "tests/unit/tap.h"

#define FILE_BYTES 3000000

static struct result r;
static unsigned told;

/* Reads a head, answers with a file, and closes. */
static void serve_one(int fd)
{
	static char block[FILE_BYTES];
	char head[2048];
	size_t len = 0;
	ssize_t n;

	while (len < sizeof(head) - 1 && (n = read(fd, head + len, sizeof(head) - 1 - len)) > 0) {
		len += (size_t)n;
		head[len] = '\0';
		if (strstr(head, "\r\n\r\n"))
			break;
	}
	dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n",
		FILE_BYTES);
	for (size_t at = 0; at < FILE_BYTES; at += (size_t)n) {
		n = write(fd, block + at, FILE_BYTES - at);
		if (n <= 0)
			break;
	}
	close(fd);
}

/* Returns the server's process, with the port it listens on. */
static pid_t serve(unsigned *port)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t len = sizeof(to);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	pid_t pid;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&to, len) || listen(fd, 64) ||
	    getsockname(fd, (struct sockaddr *)&to, &len))
		tap_bail("no socket");
	*port = ntohs(to.sin_port);
	pid = fork();
	if (pid == 0) {
		signal(SIGPIPE, SIG_IGN);
		for (;;) {
			int peer = accept(fd, NULL, NULL);

			if (peer >= 0)
				serve_one(peer);
		}
	}
	close(fd);
	return pid;
}

static void progress(void *context, uint64_t elapsed_ns, uint64_t bytes)
{
	(void)context;
	told += elapsed_ns > 0 && bytes > 0;
}

static void measure(enum measure_kind kind, const char *url)
{
	const struct measure_setup setup = {
		.kind = kind, .root = "/", .url = url, .upload = "", .remark = "a remark",
		.pin = "", .token = "", .budget_ns = 2 * NS_PER_S, .limit_bytes = UINT64_MAX,
		.progress = progress,
	};

	result_init(&r, "net-node", "here");
	measure_server(&setup, &r);
}

int main(void)
{
	unsigned port;
	pid_t pid = serve(&port);
	char url[64];

	if (pid < 0 || send_init())
		tap_bail("no server");
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/file", port);
	measure(MEASURE_NODE, url);
	is_int(r.status, RESULT_OK, "a server is measured: %s", r.reason);
	ok(result_find(&r, "connect_ipv4") && result_find(&r, "connect_ipv4")->sample_n == 10,
	   "with ten connections");
	ok(result_find(&r, "ttfb_ipv4") && result_find(&r, "ttfb_ipv4")->value > 0,
	   "a first byte");
	ok(result_find(&r, "download_ipv4") &&
	   result_find(&r, "download")->value == result_find(&r, "download_ipv4")->value,
	   "and a rate, also of a file that is asked for again and again");
	ok(!result_find(&r, "upload") && !result_find(&r, "dns_ipv6"), "what was not is absent");
	ok(told > 0, "whoever waits is told");
	is_str(r.via, "http", "how");
	measure(MEASURE_LATENCY, url);
	is_int(r.status, RESULT_OK, "its latency alone");
	is_str(r.reason, "a remark", "with the caller's remark");
	ok(!result_find(&r, "download"), "and no rate");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	measure(MEASURE_NODE, url);
	is_int(r.status, RESULT_FAILED, "a server that is gone");
	is_str(r.reason, "no connection to 127.0.0.1: Connection refused", "and why");
	send_end();
	return tap_done();
}
