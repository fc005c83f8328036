/* SPDX-License-Identifier: MIT */
/*
 * One try to send a report to one address, through libcurl.
 *
 * Each try has its own connection: nothing of a broken one is met again. Redirects are not
 * followed: the report and the token go to the addresses that were given and nowhere else.
 */
#include "bench/upload/send.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bench/upload/answer.h"
#include "bench/upload/trust.h"
#include "bench/upload/url.h"
#include "lib/text.h"

#define CONNECT_S 10L		/* also the time for a TLS handshake */
#define SLOW_BYTES_PER_S 100L	/* below this for SLOW_S the try ends: a hung or dripping server */
#define SLOW_S 20L
#define WHOLE_S 60L		/* a try; one second more for each SLOWEST_BYTES of the report */
#define SLOWEST_BYTES 8192
#define DAY_S 86400

int send_init(void)
{
	return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : -ENOMEM;
}

void send_end(void)
{
	curl_global_cleanup();
}

/* Appends "NAME: VALUE" to the list; false when out of memory. */
static bool add_header(struct curl_slist **headers, const char *name, const char *value)
{
	char line[4352];
	struct curl_slist *longer;

	if (snprintf(line, sizeof(line), "%s%s", name, value) >= (int)sizeof(line))
		return false;
	longer = curl_slist_append(*headers, line);
	if (!longer)
		return false;
	*headers = longer;
	return true;
}

static bool make_headers(const struct send_request *request, struct curl_slist **headers)
{
	/* an address with its own user and password does not get the token of the others */
	bool with_token = request->token[0] && !url_has_user(request->url);

	/* "Expect:" alone takes the header out: no waiting for a "100 Continue" that never comes */
	return add_header(headers, "Content-Type: ", "application/json") &&
	       add_header(headers, "Accept: ", "application/json, */*;q=0.5") &&
	       add_header(headers, "Expect:", "") &&
	       add_header(headers, "Idempotency-Key: ", request->run_id) &&
	       (!with_token || add_header(headers, "Authorization: Bearer ", request->token));
}

static void set_limits(CURL *curl, const struct send_request *request)
{
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
	curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
	curl_easy_setopt(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, SLOW_BYTES_PER_S);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, SLOW_S);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT,
			 WHOLE_S + (long)(request->body_bytes / SLOWEST_BYTES));
}

/* The body is the caller's and sent as it is: CURLOPT_POSTFIELDS with the method's name set. */
static void set_request(CURL *curl, const struct send_request *request, struct curl_slist *headers)
{
	curl_easy_setopt(curl, CURLOPT_URL, request->url);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "bootmark");
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_bytes);
	if (!request->is_post)
		curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT");
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
}

/* Takes from libcurl what answer_judge needs beyond what the callbacks have seen. */
static void ask_curl(CURL *curl, CURLcode code, const char *message,
		     const struct send_request *request, struct answer *answer)
{
	curl_off_t sent = 0, length = -1, retry_after = 0;
	const char *location = NULL;
	long status = 0, os_errno = 0;

	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &os_errno);
	curl_easy_getinfo(curl, CURLINFO_SIZE_UPLOAD_T, &sent);
	curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_after);
	curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location);
	answer->status = (int)status;
	answer->sent_all = sent == (curl_off_t)request->body_bytes;
	answer->length = length;
	if (retry_after > 0)
		answer->retry_after_s = retry_after < DAY_S ? (uint32_t)retry_after : DAY_S;
	if (location)
		url_shown(location, answer->location, sizeof(answer->location));
	answer->code = code;
	answer->os_errno = (int)os_errno;
	text_clean_str(answer->message, sizeof(answer->message), message);
}

void send_once(const struct send_request *request, struct send_outcome *outcome)
{
	char message[CURL_ERROR_SIZE] = "";
	struct curl_slist *headers = NULL;
	struct answer answer;
	CURL *curl = curl_easy_init();
	CURLcode code;

	memset(outcome, 0, sizeof(*outcome));
	outcome->class = SEND_FAILED;
	answer_init(&answer, request->body_bytes);
	if (!curl || !make_headers(request, &headers)) {
		text_copy(outcome->error, sizeof(outcome->error), "out of memory");
	} else {
		set_limits(curl, request);
		trust_apply(curl, request->roots, request->pin);
		set_request(curl, request, headers);
		curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, message);
		curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, answer_take_header);
		curl_easy_setopt(curl, CURLOPT_HEADERDATA, &answer);
		curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, answer_take_body);
		curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
		code = curl_easy_perform(curl);
		ask_curl(curl, code, message, request, &answer);
		answer_judge(&answer, outcome);
	}
	curl_slist_free_all(headers);
	curl_easy_cleanup(curl);
}
