/* SPDX-License-Identifier: MIT */
/* One connection of a transfer: what libcurl calls while bytes move. */
#include "bench/net/stream.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/clock.h"

#define HEADER_MAX_BYTES 65536
#define OTHER_MAX_BYTES 65536	/* of a body that is no download */
/* Bytes the kernel holds beyond those under way: few, so that an upload ends when it should. */
#define UNSENT_BYTES 131072

static size_t take_header(char *data, size_t size, size_t n, void *context)
{
	struct stream *s = context;

	s->header_bytes += size * n;
	if (s->header_bytes > HEADER_MAX_BYTES) {
		s->is_header_endless = true;
		return 0;
	}
	return answer_take_header(data, size, n, &s->answer);
}

static void begin_counting(struct transfer *t, uint64_t now_ns)
{
	if (!t->start_ns)
		t->start_ns = now_ns;
}

static size_t take_body(char *data, size_t size, size_t n, void *context)
{
	struct stream *s = context;
	struct transfer *t = s->t;
	size_t len = size * n;
	uint64_t now_ns = clock_ns();
	long status = 0;

	curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
	if (t->setup->kind == TRANSFER_UPLOAD || status < 200 || status > 299) {
		answer_take_body(data, size, n, &s->answer);
		return s->answer.body_bytes <= OTHER_MAX_BYTES ? len : 0;
	}
	begin_counting(t, now_ns);
	s->request_bytes += len;
	s->answer.body_bytes += len;
	if (!t->is_over)
		rates_add(&t->outcome->rates, now_ns - t->start_ns, len);
	if (t->setup->kind == TRANSFER_DOWNLOAD && !t->is_over &&
	    t->outcome->rates.bytes < t->setup->limit_bytes)
		return len;
	s->is_cut = true;
	return 0;
}

/* Fills `info`; false where the kernel does not know what was acknowledged. */
static bool read_info(int fd, struct tcp_info *info)
{
	socklen_t len = sizeof(*info);

	return fd >= 0 && getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &len) == 0 &&
	       len >= offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof(info->tcpi_bytes_acked);
}

static size_t give_body(char *data, size_t size, size_t n, void *context)
{
	struct stream *s = context;
	struct transfer *t = s->t;
	size_t len = size * n, from = t->given_bytes % STREAM_DATA_BYTES;
	struct tcp_info info;

	begin_counting(t, clock_ns());
	if (!s->has_acked && read_info(s->fd, &info)) {
		s->has_acked = true;
		s->acked_bytes = info.tcpi_bytes_acked;
		s->retransmits = info.tcpi_total_retrans;
	}
	if (t->is_over || s->request_bytes >= t->setup->request_bytes)
		return 0;
	if (len > STREAM_DATA_BYTES - from)
		len = STREAM_DATA_BYTES - from;
	if (len > t->setup->request_bytes - s->request_bytes)
		len = (size_t)(t->setup->request_bytes - s->request_bytes);
	memcpy(data, t->data + from, len);
	t->given_bytes += len;
	s->request_bytes += len;
	return len;
}

void stream_count_acked(struct transfer *t)
{
	uint64_t now_ns = clock_ns();

	if (t->setup->kind != TRANSFER_UPLOAD || !t->start_ns || t->is_over)
		return;
	for (unsigned i = 0; i < t->setup->streams; i++) {
		struct stream *s = &t->stream[i];
		struct tcp_info info;

		if (!s->has_acked || !read_info(s->fd, &info))
			continue;
		rates_add(&t->outcome->rates, now_ns - t->start_ns,
			  info.tcpi_bytes_acked - s->acked_bytes);
		s->acked_bytes = info.tcpi_bytes_acked;
		t->outcome->retransmits += info.tcpi_total_retrans - s->retransmits;
		s->retransmits = info.tcpi_total_retrans;
	}
}

static int socket_opened(void *context, curl_socket_t fd, curlsocktype type)
{
	struct stream *s = context;
	int unsent = UNSENT_BYTES;

	if (type != CURLSOCKTYPE_IPCXN)
		return CURL_SOCKOPT_OK;
	s->fd = fd;
	s->has_acked = false;
	/* where it is not known, uploads end a little later */
	if (s->t->setup->kind == TRANSFER_UPLOAD)
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof(unsent));
	return CURL_SOCKOPT_OK;
}

/* The number may be another connection's a moment later. */
static int socket_closed(void *context, curl_socket_t fd)
{
	struct stream *s = context;

	if (s->fd == fd) {
		s->fd = -1;
		s->has_acked = false;
	}
	return close(fd);
}

void stream_set_callbacks(struct stream *s)
{
	curl_easy_setopt(s->curl, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(s->curl, CURLOPT_HEADERDATA, s);
	curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(s->curl, CURLOPT_WRITEDATA, s);
	curl_easy_setopt(s->curl, CURLOPT_READFUNCTION, give_body);
	curl_easy_setopt(s->curl, CURLOPT_READDATA, s);
	curl_easy_setopt(s->curl, CURLOPT_SOCKOPTFUNCTION, socket_opened);
	curl_easy_setopt(s->curl, CURLOPT_SOCKOPTDATA, s);
	curl_easy_setopt(s->curl, CURLOPT_CLOSESOCKETFUNCTION, socket_closed);
	curl_easy_setopt(s->curl, CURLOPT_CLOSESOCKETDATA, s);
}
