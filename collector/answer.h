/* SPDX-License-Identifier: MIT */
/* What the collector answers: JSON, with an error and a next step where something is wrong. */
#ifndef COLLECTOR_ANSWER_H
#define COLLECTOR_ANSWER_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

#include "collector/store.h"

#define ANSWER_TEXT_BYTES 240

/* One answer in the making; status 0 means none yet. */
struct answer {
	unsigned int status;
	bool must_close;		/* the rest of the request is not read */
	char error[ANSWER_TEXT_BYTES];	/* what is wrong, "" where nothing is; valid UTF-8 */
	const char *hint;		/* what to do about it, or NULL */
	const char *allow;		/* for 405: the methods */
	unsigned int retry_after_s;	/* 0: not said */
};

/* Fills an error answer: the reason is a printf format. Returns `answer`. */
struct answer *answer_error(struct answer *answer, unsigned int status, const char *hint,
			    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Each sends one answer and returns what the request handler must return. */
enum MHD_Result answer_send_error(struct MHD_Connection *connection, const struct answer *answer);
enum MHD_Result answer_send_health(struct MHD_Connection *connection);
/* After a report was stored: `status` 200 or 201, the outcome as a word. */
enum MHD_Result answer_send_stored(struct MHD_Connection *connection, unsigned int status,
				   const struct report_head *head, const char *outcome);
/* A report as it came. Takes `body` over. With `unchanged`, 304 and no body. */
enum MHD_Result answer_send_report(struct MHD_Connection *connection,
				   const struct report_head *head, void *body, bool unchanged);
/* A finished JSON text of ours; takes `text` (malloc'ed, not NULL) over. */
enum MHD_Result answer_send_text(struct MHD_Connection *connection, unsigned int status, char *text,
				 size_t len);

/* The entity tag of a stored version, with its quotes. */
void answer_etag(const struct report_head *head, char *buf, size_t size);

#endif
