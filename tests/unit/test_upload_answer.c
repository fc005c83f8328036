/* SPDX-License-Identifier: MIT */
/* What an answer means: delivered, failed or refused, and what is said about it. */
#include <errno.h>
#include <string.h>

#include "bench/upload/answer.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

#define REPORT_BYTES 1000

/* Feeds header lines (separated by |) and a body; then the transfer's end as libcurl would report
 * it. */
static void take(struct answer *answer, const char *headers, const char *body, CURLcode code,
		 int status)
{
	char line[256];

	answer_init(answer, REPORT_BYTES);
	while (*headers) {
		size_t len = strcspn(headers, "|");

		snprintf(line, sizeof(line), "%.*s\r\n", (int)len, headers);
		answer_take_header(line, 1, strlen(line), answer);
		headers += len + (headers[len] == '|');
	}
	snprintf(line, sizeof(line), "%s", body);
	answer_take_body(line, 1, strlen(line), answer);
	answer->code = code;
	answer->status = status;
	answer->sent_all = true;
}

static enum send_class judge(const struct answer *answer, struct send_outcome *outcome)
{
	answer_judge(answer, outcome);
	return outcome->class;
}

/* Empty words between bars are the blank line that ends the headers. */
#define HEAD(status) "HTTP/1.1 " status " X|Connection: close|"

static void test_complete(void)
{
	struct send_outcome outcome;
	struct answer a;

	take(&a, HEAD("201") "|", "", CURLE_OK, 201);
	is_int((int)judge(&a, &outcome), SEND_DELIVERED, "201");
	is_str(outcome.error, "", "nothing to say");
	a.sent_all = false;
	is_int((int)judge(&a, &outcome), SEND_FAILED, "201 before all was sent");
	take(&a, HEAD("201") "|", "stored", CURLE_RECV_ERROR, 201);
	is_int((int)judge(&a, &outcome), SEND_DELIVERED, "a body up to the close, no close_notify");
	take(&a, HEAD("201"), "", CURLE_RECV_ERROR, 201);
	is_int((int)judge(&a, &outcome), SEND_FAILED, "headers cut off");
	take(&a, HEAD("201") "Transfer-Encoding: chunked||", "stored", CURLE_RECV_ERROR, 201);
	is_int((int)judge(&a, &outcome), SEND_FAILED, "chunks cut off");
	take(&a, HEAD("201") "TRANSFER-ENCODING: chunked||", "stored", CURLE_RECV_ERROR, 201);
	is_int((int)judge(&a, &outcome), SEND_FAILED, "the same in capitals");
	take(&a, HEAD("201") "|", "stored", CURLE_RECV_ERROR, 201);
	a.length = 6;
	is_int((int)judge(&a, &outcome), SEND_DELIVERED, "a body as long as announced");
	a.length = 7;
	is_int((int)judge(&a, &outcome), SEND_FAILED, "a shorter body");
	take(&a, "HTTP/1.1 100 Continue||HTTP/1.1 201 X", "", CURLE_RECV_ERROR, 201);
	is_int((int)judge(&a, &outcome), SEND_FAILED, "the end of 100 Continue is not that of 201");
	take(&a, HEAD("201") "|", "", CURLE_OPERATION_TIMEDOUT, 201);
	is_int((int)judge(&a, &outcome), SEND_FAILED, "a timeout after the headers");
	take(&a, HEAD("201") "|", "", CURLE_PARTIAL_FILE, 201);
	is_int((int)judge(&a, &outcome), SEND_FAILED, "a partial body");
	is_str(outcome.error, "HTTP 201, but the answer was cut off", "and it says so");
}

static void test_classes(void)
{
	static const int failed[] = { 408, 425, 429, 500, 502, 503, 504, 507, 599, 100, 101 };
	static const int refused[] = { 300, 301, 307, 308, 400, 401, 403,
				       404, 405, 409, 413, 415, 422 };
	static const CURLcode trust[] = { CURLE_PEER_FAILED_VERIFICATION,
					  CURLE_SSL_PINNEDPUBKEYNOTMATCH,
					  CURLE_SSL_CACERT_BADFILE };
	static const CURLcode transport[] = { CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST,
					      CURLE_OPERATION_TIMEDOUT, CURLE_SEND_ERROR,
					      CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
					      CURLE_SSL_CONNECT_ERROR, CURLE_WRITE_ERROR };
	struct send_outcome outcome;
	struct answer a;

	for (size_t i = 0; i < sizeof(failed) / sizeof(failed[0]); i++) {
		take(&a, HEAD("000") "|", "why", CURLE_OK, failed[i]);
		is_int((int)judge(&a, &outcome), SEND_FAILED, "%d may pass", failed[i]);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		take(&a, HEAD("000") "|", "why", CURLE_OK, refused[i]);
		is_int((int)judge(&a, &outcome), SEND_REFUSED, "%d will not", refused[i]);
		is_int(outcome.http_status, refused[i], "%d is kept", refused[i]);
	}
	for (size_t i = 0; i < sizeof(trust) / sizeof(trust[0]); i++) {
		take(&a, "", "", trust[i], 0);
		is_int((int)judge(&a, &outcome), SEND_REFUSED, "libcurl error %d will not pass",
		       (int)trust[i]);
		ok(outcome.error[0], "and has words");
	}
	for (size_t i = 0; i < sizeof(transport) / sizeof(transport[0]); i++) {
		take(&a, "", "", transport[i], 0);
		is_int((int)judge(&a, &outcome), SEND_FAILED, "libcurl error %d may pass",
		       (int)transport[i]);
		ok(strlen(outcome.error) > 10, "and has words");
	}
	take(&a, HEAD("413") "|", "too long", CURLE_SEND_ERROR, 413);
	is_int((int)judge(&a, &outcome), SEND_REFUSED, "a refusal counts though sending broke");
	is_str(outcome.error, "HTTP 413: too long", "with its words");
	take(&a, "", "", CURLE_OK, 0);
	is_int((int)judge(&a, &outcome), SEND_FAILED, "no status at all");
}

static void test_words(void)
{
	struct send_outcome outcome;
	char large[ANSWER_KEPT_BYTES * 3], chunk[] = "0123456789abcdef";
	struct answer a;

	take(&a, HEAD("500") "|", "{\"error\":\"disk full\",\"hint\":\"x\"}", CURLE_OK, 500);
	answer_judge(&a, &outcome);
	is_str(outcome.error, "HTTP 500: disk full", "the error of a JSON object");
	take(&a, HEAD("500") "|", "{\"error\":{\"code\":1}}", CURLE_OK, 500);
	answer_judge(&a, &outcome);
	is_str(outcome.error, "HTTP 500: {\"error\":{\"code\":1}}", "an error that is no text");
	take(&a, HEAD("500") "|", "", CURLE_OK, 500);
	answer_judge(&a, &outcome);
	is_str(outcome.error, "HTTP 500", "no body");
	take(&a, HEAD("500") "|", "\x1b]0;x\x07\r\n\xff\xfe", CURLE_OK, 500);
	answer_judge(&a, &outcome);
	ok(text_is_utf8(outcome.error, strlen(outcome.error)), "any bytes become UTF-8");
	ok(!strpbrk(outcome.error, "\x1b\x07\r\n"), "without control characters");
	take(&a, HEAD("301") "|", "moved", CURLE_OK, 301);
	text_copy(a.location, sizeof(a.location), "https://new/");
	answer_judge(&a, &outcome);
	ok(strstr(outcome.error, "redirect to https://new/"), "where a redirect points");
	take(&a, "", "", CURLE_COULDNT_CONNECT, 0);
	a.os_errno = ECONNREFUSED;
	answer_judge(&a, &outcome);
	is_str(outcome.error, "no connection: Connection refused", "the system's reason");

	memset(large, 'x', sizeof(large));
	take(&a, HEAD("500") "|", "", CURLE_OK, 500);
	is_uint(answer_take_body(large, 1, sizeof(large), &a), sizeof(large),
		"a long body is taken");
	is_uint(a.kept_bytes, ANSWER_KEPT_BYTES, "and its beginning kept");
	answer_judge(&a, &outcome);
	is_uint(strlen(outcome.error), strlen("HTTP 500: ") + 200, "of which 200 bytes are shown");
	answer_init(&a, REPORT_BYTES);
	for (uint64_t taken = 0; answer_take_body(chunk, 1, 16, &a) == 16 && taken < 1 << 26;)
		taken += 16;
	is_uint(a.body_bytes, (1 << 20) + 4 * REPORT_BYTES + 16, "a body without end is ended");
}

int main(void)
{
	test_complete();
	test_classes();
	test_words();
	return tap_done();
}
