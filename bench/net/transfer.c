/* SPDX-License-Identifier: MIT */
/* Moves bytes over HTTP for a time, in one or several connections, and counts them. */
#include "bench/net/transfer.h"

#include <curl/curl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/net/stream.h"
#include "bench/upload/trust.h"
#include "lib/clock.h"
#include "lib/random.h"
#include "lib/text.h"

#define LOOK_MS 20		/* longest pause between two looks at the clock */
#define PROGRESS_NS (NS_PER_S / 2)
#define BUFFER_BYTES 262144L

static bool add_header(struct stream *s, const char *name, const char *value)
{
	char line[4352];
	struct curl_slist *longer;

	if (snprintf(line, sizeof(line), "%s%s", name, value) >= (int)sizeof(line))
		return false;
	longer = curl_slist_append(s->headers, line);
	if (!longer)
		return false;
	s->headers = longer;
	return true;
}

static bool make_headers(struct stream *s, const struct transfer_setup *setup)
{
	bool with_token = setup->token[0] && !url_has_user(setup->url);

	if (with_token && !add_header(s, "Authorization: Bearer ", setup->token))
		return false;
	if (setup->kind == TRANSFER_UPLOAD)
		return add_header(s, "Content-Type: ", "application/octet-stream") &&
		       add_header(s, "Transfer-Encoding: ", "chunked") &&
		       add_header(s, "Expect: ", "100-continue");
	return add_header(s, "Accept-Encoding: ", "identity");
}

/* Whatever the host's name is: the connection goes to the address that was looked up. */
static bool set_place(struct stream *s, const struct transfer_setup *setup)
{
	bool is_6 = strchr(setup->address, ':') != NULL;
	char place[128];

	snprintf(place, sizeof(place), is_6 ? "::[%s]:%u" : "::%s:%u", setup->address,
		 setup->port);
	s->place = curl_slist_append(NULL, place);
	curl_easy_setopt(s->curl, CURLOPT_CONNECT_TO, s->place);
	curl_easy_setopt(s->curl, CURLOPT_IPRESOLVE,
			 is_6 ? (long)CURL_IPRESOLVE_V6 : (long)CURL_IPRESOLVE_V4);
	return s->place;
}

static bool stream_open(struct stream *s, struct transfer *t)
{
	const struct transfer_setup *setup = t->setup;

	s->t = t;
	s->fd = -1;
	s->curl = curl_easy_init();
	if (!s->curl || !make_headers(s, setup) || !set_place(s, setup))
		return false;
	curl_easy_setopt(s->curl, CURLOPT_URL, setup->url);
	curl_easy_setopt(s->curl, CURLOPT_USERAGENT, "bootmark");
	curl_easy_setopt(s->curl, CURLOPT_HTTPHEADER, s->headers);
	curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(s->curl, CURLOPT_PROXY, "");
	curl_easy_setopt(s->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(s->curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(s->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(s->curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(s->curl, CURLOPT_BUFFERSIZE, BUFFER_BYTES);
	curl_easy_setopt(s->curl, CURLOPT_UPLOAD_BUFFERSIZE, BUFFER_BYTES);
	curl_easy_setopt(s->curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 500L);
	curl_easy_setopt(s->curl, CURLOPT_UPLOAD, setup->kind == TRANSFER_UPLOAD ? 1L : 0L);
	if (setup->kind == TRANSFER_HEAD)
		curl_easy_setopt(s->curl, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(s->curl, CURLOPT_ERRORBUFFER, s->message);
	curl_easy_setopt(s->curl, CURLOPT_PRIVATE, s);
	trust_apply(s->curl, setup->roots, setup->pin);
	stream_set_callbacks(s);
	return true;
}

static void stream_close(struct stream *s)
{
	curl_easy_cleanup(s->curl);
	curl_slist_free_all(s->headers);
	curl_slist_free_all(s->place);
}

static bool stream_begin(struct stream *s)
{
	answer_init(&s->answer, 0);
	s->message[0] = '\0';
	s->header_bytes = s->request_bytes = 0;
	s->is_cut = s->is_header_endless = false;
	s->is_running = curl_multi_add_handle(s->t->multi, s->curl) == CURLM_OK;
	return s->is_running;
}

/* Times of the first request of the first stream. */
static void take_times(struct stream *s)
{
	struct transfer_outcome *o = s->t->outcome;
	curl_off_t connect = 0, tls = 0, sent = 0, first = 0;

	if (s != s->t->stream || s->t->has_times)
		return;
	curl_easy_getinfo(s->curl, CURLINFO_CONNECT_TIME_T, &connect);
	curl_easy_getinfo(s->curl, CURLINFO_APPCONNECT_TIME_T, &tls);
	curl_easy_getinfo(s->curl, CURLINFO_PRETRANSFER_TIME_T, &sent);
	curl_easy_getinfo(s->curl, CURLINFO_STARTTRANSFER_TIME_T, &first);
	if (tls > connect)
		o->tls_ns = (uint64_t)(tls - connect) * 1000;
	if (first > sent)
		o->ttfb_ns = (uint64_t)(first - sent) * 1000;
	s->t->has_times = true;
}

static void fail(struct transfer *t, const char *why)
{
	if (!t->outcome->why[0])
		text_copy(t->outcome->why, sizeof(t->outcome->why), why);
	t->is_failed = true;
}

/* Says what an answer that is no success means, in the words that uploads use. */
static void judge(struct stream *s, CURLcode code)
{
	struct transfer_outcome *o = s->t->outcome;
	struct answer *a = &s->answer;
	struct send_outcome said;
	curl_off_t length = -1;
	const char *location = NULL;
	long number = 0;

	curl_easy_getinfo(s->curl, CURLINFO_OS_ERRNO, &number);
	curl_easy_getinfo(s->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	curl_easy_getinfo(s->curl, CURLINFO_REDIRECT_URL, &location);
	a->code = code;
	a->os_errno = (int)number;
	a->status = o->status;
	a->sent_all = true;
	a->length = length;
	if (location) {
		url_shown(location, a->location, sizeof(a->location));
		text_copy(o->location, sizeof(o->location), location);
	}
	if (a->kept_bytes && a->kept[0] != '{')
		a->kept_bytes = 0;	/* a page for people, not a sentence */
	text_clean_str(a->message, sizeof(a->message), s->message);
	answer_judge(a, &said);
	if (s->is_header_endless)
		fail(s->t, "the head of the answer has no end");
	else if (said.class != SEND_DELIVERED)
		fail(s->t, said.error);
	else if (s->request_bytes == 0 && s->t->setup->kind != TRANSFER_UPLOAD)
		fail(s->t, "the answer is empty");
}

/* One request is over: by itself, by us, or broken. Another follows where that makes sense. */
static void stream_end(struct stream *s, CURLcode code)
{
	struct transfer *t = s->t;
	long status = 0;
	bool again;

	curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
	t->outcome->status = (int)status;
	take_times(s);
	curl_multi_remove_handle(t->multi, s->curl);
	s->is_running = false;
	if (s->is_cut || (t->setup->kind == TRANSFER_HEAD && status && code == CURLE_OK))
		return;
	judge(s, code);
	again = !t->is_failed && !t->is_over && t->setup->kind >= TRANSFER_DOWNLOAD &&
		s->request_bytes >= TRANSFER_AGAIN_BYTES;
	if (again && !stream_begin(s))
		fail(t, "out of memory");
}

static unsigned take_ended(struct transfer *t)
{
	unsigned running = 0;
	CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(t->multi, &left))) {
		struct stream *s = NULL;

		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)(void *)&s);
		stream_end(s, m->data.result);
	}
	for (unsigned i = 0; i < t->setup->streams; i++)
		running += t->stream[i].is_running;
	return running;
}

/* Counting ends here; what is still on its way is no part of it. */
static void end_counting(struct transfer *t)
{
	uint64_t now_ns = clock_ns();

	if (t->is_over)
		return;
	stream_count_acked(t);
	t->is_over = true;
	if (t->start_ns)
		t->outcome->elapsed_ns = now_ns - t->start_ns;
}

static void tell(struct transfer *t, uint64_t now_ns)
{
	if (!t->setup->progress || now_ns < t->told_ns + PROGRESS_NS)
		return;
	t->told_ns = now_ns;
	t->setup->progress(t->setup->context, t->outcome->rates.bytes);
}

static void move(struct transfer *t)
{
	const struct transfer_setup *setup = t->setup;
	int running, pause_ms = LOOK_MS;

	for (;;) {
		uint64_t now_ns;

		curl_multi_perform(t->multi, &running);
		now_ns = clock_ns();
		stream_count_acked(t);
		if (now_ns >= setup->until_ns || t->outcome->rates.bytes >= setup->limit_bytes)
			end_counting(t);
		if (take_ended(t) == 0 || t->is_failed || now_ns >= setup->give_up_ns)
			break;
		if (t->is_over && setup->kind != TRANSFER_UPLOAD)
			break;
		tell(t, now_ns);
		if (setup->until_ns > now_ns && setup->until_ns - now_ns < LOOK_MS * NS_PER_MS)
			pause_ms = (int)((setup->until_ns - now_ns) / NS_PER_MS) + 1;
		curl_multi_poll(t->multi, NULL, 0, pause_ms, NULL);
		pause_ms = LOOK_MS;
	}
	end_counting(t);
}

static bool prepare(struct transfer *t)
{
	t->multi = curl_multi_init();
	if (t->setup->kind == TRANSFER_UPLOAD) {
		t->data = malloc(STREAM_DATA_BYTES);
		if (!t->data || random_fill(t->data, STREAM_DATA_BYTES))
			return false;
	}
	if (!t->multi)
		return false;
	for (unsigned i = 0; i < t->setup->streams; i++)
		if (!stream_open(&t->stream[i], t) || !stream_begin(&t->stream[i]))
			return false;
	return true;
}

void transfer_run(const struct transfer_setup *setup, struct transfer_outcome *outcome)
{
	struct transfer *t = calloc(1, sizeof(*t));

	memset(outcome, 0, sizeof(*outcome));
	if (!t) {
		text_copy(outcome->why, sizeof(outcome->why), "out of memory");
		return;
	}
	t->setup = setup;
	t->outcome = outcome;
	if (prepare(t))
		move(t);
	else
		fail(t, "out of memory");
	for (unsigned i = 0; i < setup->streams; i++) {
		if (t->stream[i].is_running)
			take_times(&t->stream[i]);
		if (t->stream[i].is_running)
			curl_multi_remove_handle(t->multi, t->stream[i].curl);
	}
	if (!t->is_failed && setup->kind >= TRANSFER_DOWNLOAD && outcome->rates.bytes == 0)
		fail(t, t->start_ns ? "not one byte got through" : "no answer in time");
	if (!t->is_failed && setup->kind < TRANSFER_DOWNLOAD && outcome->ttfb_ns == 0)
		fail(t, "no answer in time");
	outcome->is_fine = !t->is_failed;
	/* connections are closed by the multi handle, and tell their streams */
	for (unsigned i = 0; i < setup->streams; i++)
		stream_close(&t->stream[i]);
	curl_multi_cleanup(t->multi);
	free(t->data);
	free(t);
}
