/* SPDX-License-Identifier: MIT */
/* One try to send a report to one address, and what came of it. */
#ifndef BENCH_UPLOAD_SEND_H
#define BENCH_UPLOAD_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEND_ERROR_BYTES 480

/* What a try's result means for the next one. */
enum send_class {
	SEND_DELIVERED,	/* a complete 2xx answer */
	SEND_FAILED,	/* may work later: no connection, 5xx, 408, 425, 429, a broken answer */
	SEND_REFUSED,	/* hardly ever: another 4xx, a redirect, a wrong certificate or key */
	SEND_CLASS_COUNT
};
extern const char *const send_class_words[SEND_CLASS_COUNT];

struct send_request {
	const char *url;	/* where exactly (url_target) */
	bool is_post;		/* POST instead of PUT */
	const char *run_id;	/* goes along as Idempotency-Key */
	const char *token;	/* "" or the bearer token */
	const char *roots;	/* PEM file of the authorities to trust; NULL: none is there */
	const char *pin;	/* "" or public key hashes (trust_check_pin): they alone decide */
	const char *body;
	size_t body_bytes;
};

struct send_outcome {
	enum send_class class;
	int http_status;		/* 0: no answer */
	uint32_t retry_after_s;		/* 0: the server did not say */
	char error[SEND_ERROR_BYTES];	/* "" when delivered; else one clean line without secrets */
};

/* Once before and once after all sending; 0 or -ENOMEM. */
int send_init(void);
void send_end(void);

/* Sends once. Fills `outcome`; failures of any kind are in there. */
void send_once(const struct send_request *request, struct send_outcome *outcome);

#endif
