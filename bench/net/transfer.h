/* SPDX-License-Identifier: MIT */
/*
 * Moves bytes over HTTP for a time, in one or several connections, and counts them. What comes is
 * thrown away, what goes is random.
 *
 * Nothing follows from what a server says: its redirects, its headers and its bytes are bounded,
 * and the token goes to the address that was given and nowhere else. No proxy is used: the way
 * itself is measured.
 */
#ifndef BENCH_NET_TRANSFER_H
#define BENCH_NET_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/net/rates.h"
#include "bench/upload/send.h"
#include "bench/upload/url.h"

#define TRANSFER_STREAMS_MAX 4
/* A file is asked for once more where it is at least that long, so that no server is hammered. */
#define TRANSFER_AGAIN_BYTES UINT64_C(1000000)

enum transfer_kind {
	TRANSFER_HEAD,		/* the head of an answer, whatever its status */
	TRANSFER_FIRST_BYTE,	/* the first byte of a 2xx answer */
	TRANSFER_DOWNLOAD,
	TRANSFER_UPLOAD,	/* PUT, in chunks */
};

struct transfer_setup {
	enum transfer_kind kind;
	const char *url;	/* checked */
	const char *address;	/* numeric, of the host: its name is not asked for again */
	unsigned port;
	unsigned streams;	/* 1 to TRANSFER_STREAMS_MAX */
	uint64_t limit_bytes;	/* of all streams together */
	uint64_t request_bytes;	/* uploads: the most of one request; then another follows */
	uint64_t until_ns;	/* as clock_ns: bytes are counted until then */
	uint64_t give_up_ns;	/* as clock_ns: the last answers have come until then, or do not */
	const char *roots;	/* see trust_apply */
	const char *pin, *token;	/* "" or ... */
	void (*progress)(void *context, uint64_t bytes);	/* twice a second; may be NULL */
	void *context;
};

struct transfer_outcome {
	/* it did what it should; bytes may have been few, but the end was not an error */
	bool is_fine;
	char why[SEND_ERROR_BYTES];	/* else: why not, clean and without secrets */
	int status;			/* HTTP status of the last answer; 0: none */
	char location[URL_BYTES];	/* where a redirect points; "" */
	uint64_t tls_ns;		/* of the first connection; 0: none, or not reached */
	/* of the first request: from when it was sent to the first byte of the answer; 0: none */
	uint64_t ttfb_ns;
	uint64_t elapsed_ns;		/* from the first byte to the end of counting */
	uint64_t retransmits;		/* uploads: segments that were sent again */
	struct rates rates;
};

/* libcurl must be initialised (send_init). Fills `outcome`; failures of any kind are in there. */
void transfer_run(const struct transfer_setup *setup, struct transfer_outcome *outcome);

#endif
