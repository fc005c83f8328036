/* SPDX-License-Identifier: MIT */
/* A server's answer to an upload: taken in within limits, and judged. */
#ifndef BENCH_UPLOAD_ANSWER_H
#define BENCH_UPLOAD_ANSWER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/upload/send.h"

#define ANSWER_KEPT_BYTES 1024	/* of the answer's body */

struct answer {
	/* filled by the callbacks */
	bool headers_complete;		/* of the last answer: earlier ones are 1xx */
	bool is_chunked;
	uint64_t body_bytes, body_limit_bytes;
	size_t kept_bytes;
	char kept[ANSWER_KEPT_BYTES];
	/* filled after the transfer */
	CURLcode code;
	int os_errno;			/* of a connection that was not made; 0: not known */
	int status;			/* HTTP status; 0: none */
	bool sent_all;			/* the whole report was sent */
	int64_t length;			/* announced length of the answer's body, -1: not said */
	uint32_t retry_after_s;
	char location[256];		/* where a redirect points, as it may be shown; "" none */
	char message[CURL_ERROR_SIZE];	/* libcurl's own words, clean; may be "" */
};

/* An empty answer to a report of `report_bytes`: the longest answer taken follows from it. */
void answer_init(struct answer *answer, size_t report_bytes);

/* libcurl's CURLOPT_HEADERFUNCTION and CURLOPT_WRITEFUNCTION; their data is a struct answer. */
size_t answer_take_header(char *data, size_t size, size_t n, void *context);
size_t answer_take_body(char *data, size_t size, size_t n, void *context);

/* Says what the answer means. Pure: it depends on `answer` alone. */
void answer_judge(const struct answer *answer, struct send_outcome *outcome);

#endif
