/* SPDX-License-Identifier: MIT */
/* A server's answer to an upload: taken in within limits, and judged. */
#include "bench/upload/answer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <yyjson.h>

#include "lib/text.h"

#define SHOWN_BYTES 200		/* of an error answer's body */
/* Some services answer with the report itself; more than a few times its size is no answer. */
#define LIMIT_BYTES (1 << 20)
#define LIMIT_FACTOR 4

const char *const send_class_words[SEND_CLASS_COUNT] = {
	[SEND_DELIVERED] = "delivered",
	[SEND_FAILED] = "failed",
	[SEND_REFUSED] = "refused",
};

void answer_init(struct answer *answer, size_t report_bytes)
{
	memset(answer, 0, sizeof(*answer));
	answer->length = -1;
	answer->body_limit_bytes = LIMIT_BYTES + LIMIT_FACTOR * (uint64_t)report_bytes;
}

/* Called with one whole header line; libcurl itself bounds their number and length. */
size_t answer_take_header(char *data, size_t size, size_t n, void *context)
{
	static const char chunked[] = "Transfer-Encoding:";
	struct answer *answer = context;
	size_t len = size * n;

	if (len >= 5 && memcmp(data, "HTTP/", 5) == 0) {
		answer->headers_complete = false;
		answer->is_chunked = false;
	} else if (len <= 2 && (len == 0 || data[0] == '\r' || data[0] == '\n')) {
		answer->headers_complete = true;
	} else if (len > sizeof(chunked) && strncasecmp(data, chunked, sizeof(chunked) - 1) == 0) {
		answer->is_chunked = true;
	}
	return len;
}

size_t answer_take_body(char *data, size_t size, size_t n, void *context)
{
	struct answer *answer = context;
	size_t len = size * n, room = sizeof(answer->kept) - answer->kept_bytes;

	memcpy(answer->kept + answer->kept_bytes, data, len < room ? len : room);
	answer->kept_bytes += len < room ? len : room;
	answer->body_bytes += len;
	/* 0 bytes taken ends the transfer with CURLE_WRITE_ERROR */
	return answer->body_bytes <= answer->body_limit_bytes ? len : 0;
}

/*
 * Whether the answer came whole. A server that closes TLS without close_notify makes libcurl report
 * CURLE_RECV_ERROR after everything has arrived; where neither length nor chunks say where a body
 * ends, that close is its end.
 */
static bool is_complete(const struct answer *answer)
{
	if (answer->code == CURLE_OK)
		return true;
	if (answer->code != CURLE_RECV_ERROR || !answer->headers_complete)
		return false;
	if (answer->length >= 0)
		return answer->body_bytes >= (uint64_t)answer->length;
	return !answer->is_chunked;
}

/* Errors that come from who the server is, not from how it feels at the moment. */
static bool is_trust_error(CURLcode code)
{
	return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_PINNEDPUBKEYNOTMATCH ||
	       code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_ISSUER_ERROR;
}

/* A few words where libcurl has none: our build leaves its table of them out. */
static const char *code_words(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return "the host's name has no address";
	case CURLE_COULDNT_RESOLVE_PROXY:
		return "the proxy's name has no address";
	case CURLE_COULDNT_CONNECT:
		return "no connection";
	case CURLE_OPERATION_TIMEDOUT:
		return "no answer in time";
	case CURLE_GOT_NOTHING:
		return "the server closed without an answer";
	case CURLE_PARTIAL_FILE:
		return "the answer was cut off";
	case CURLE_SEND_ERROR:
		return "the connection broke while sending";
	case CURLE_RECV_ERROR:
		return "the connection broke while receiving";
	case CURLE_SSL_CONNECT_ERROR:
		return "the TLS handshake failed";
	case CURLE_PEER_FAILED_VERIFICATION:
		return "the server's certificate could not be verified";
	case CURLE_SSL_CACERT_BADFILE:
		return "the file of certificate authorities cannot be used";
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY:
		return "the answer is no HTTP";
	default:
		return NULL;
	}
}

static void judge_transport(const struct answer *answer, struct send_outcome *outcome)
{
	const char *words = answer->message[0] ? answer->message : code_words(answer->code);
	char status[32] = "";

	outcome->class = is_trust_error(answer->code) ? SEND_REFUSED : SEND_FAILED;
	if (answer->status)
		snprintf(status, sizeof(status), "HTTP %d, but ", answer->status);
	if (answer->code == CURLE_SSL_PINNEDPUBKEYNOTMATCH)
		words = "the server's public key is not the pinned one";
	if (answer->code == CURLE_WRITE_ERROR)
		words = "the answer is too long";
	if (answer->code == CURLE_COULDNT_CONNECT && answer->os_errno) {
		snprintf(outcome->error, sizeof(outcome->error), "no connection: %s",
			 strerror(answer->os_errno));
		return;
	}
	if (words && answer->code == CURLE_PEER_FAILED_VERIFICATION && !strstr(words, "ertificate"))
		snprintf(outcome->error, sizeof(outcome->error), "certificate: %s", words);
	else if (words)
		snprintf(outcome->error, sizeof(outcome->error), "%s%s", status, words);
	else
		snprintf(outcome->error, sizeof(outcome->error), "%slibcurl error %d", status,
			 (int)answer->code);
}

static enum send_class status_class(int status)
{
	if (status >= 500 || status == 408 || status == 425 || status == 429 || status < 300)
		return SEND_FAILED;
	return SEND_REFUSED;
}

/*
 * What the server says is wrong, clean and short: the "error" of a JSON object, as collectors and
 * many services answer, else the beginning of the body as it is.
 */
static void read_complaint(const struct answer *answer, char *said, size_t size)
{
	yyjson_doc *doc = yyjson_read(answer->kept, answer->kept_bytes, 0);
	yyjson_val *error = yyjson_obj_get(yyjson_doc_get_root(doc), "error");

	if (yyjson_is_str(error))
		text_clean(said, size, yyjson_get_str(error), yyjson_get_len(error));
	else
		text_clean(said, size, answer->kept, answer->kept_bytes);
	yyjson_doc_free(doc);
}

void answer_judge(const struct answer *answer, struct send_outcome *outcome)
{
	char said[SHOWN_BYTES + 1];

	memset(outcome, 0, sizeof(*outcome));
	outcome->http_status = answer->status;
	outcome->retry_after_s = answer->retry_after_s;
	if (!is_complete(answer) || answer->status == 0) {
		/* a refusal counts also when the server stopped reading and closed */
		if (answer->headers_complete && answer->status >= 300) {
			outcome->class = status_class(answer->status);
		} else {
			judge_transport(answer, outcome);
			return;
		}
	} else if (answer->status >= 200 && answer->status < 300) {
		if (answer->sent_all) {
			outcome->class = SEND_DELIVERED;
			return;
		}
		outcome->class = SEND_FAILED;
		snprintf(outcome->error, sizeof(outcome->error),
			 "HTTP %d, but the server had not read the whole report", answer->status);
		return;
	}
	outcome->class = status_class(answer->status);
	read_complaint(answer, said, sizeof(said));
	if (answer->location[0])
		snprintf(outcome->error, sizeof(outcome->error),
			 "HTTP %d, a redirect to %s, which is not followed: give that address",
			 answer->status, answer->location);
	else
		snprintf(outcome->error, sizeof(outcome->error), "HTTP %d%s%s", answer->status,
			 said[0] ? ": " : "", said);
}
