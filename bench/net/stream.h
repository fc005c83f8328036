/* SPDX-License-Identifier: MIT */
/* One connection of a transfer: what libcurl calls while bytes move. For transfer.c alone. */
#ifndef BENCH_NET_STREAM_H
#define BENCH_NET_STREAM_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/net/transfer.h"
#include "bench/upload/answer.h"

#define STREAM_DATA_BYTES 1048576	/* of random data, sent over and over */

struct transfer;

struct stream {
	struct transfer *t;
	CURL *curl;
	struct curl_slist *headers, *place;
	int fd;				/* its connection's socket; -1: none */
	bool is_running;
	bool is_cut;			/* ended by us: that is no error */
	bool is_header_endless;
	struct answer answer;		/* of the request that runs */
	char message[CURL_ERROR_SIZE];
	uint64_t header_bytes;
	uint64_t request_bytes;		/* moved by the request that runs */
	bool has_acked;			/* acked_bytes is known: uploads, once they send */
	uint64_t acked_bytes;
	uint32_t retransmits;		/* of this connection, so far */
};

struct transfer {
	const struct transfer_setup *setup;
	struct transfer_outcome *outcome;
	CURLM *multi;
	unsigned char *data;		/* uploads: STREAM_DATA_BYTES */
	uint64_t start_ns;		/* of the first byte; 0: none yet */
	uint64_t told_ns;
	uint64_t given_bytes;		/* uploads: to libcurl */
	bool is_over;			/* counting has ended */
	bool is_failed;
	bool has_times;
	struct stream stream[TRANSFER_STREAMS_MAX];
};

void stream_set_callbacks(struct stream *s);

/*
 * Uploads: counts what the other side has acknowledged since the last look. Bytes given to the
 * kernel may wait there for long; acknowledged ones have crossed the network. TLS adds a few
 * thousandths to them.
 */
void stream_count_acked(struct transfer *t);

#endif
