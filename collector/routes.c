/* SPDX-License-Identifier: MIT */
/* What each address of the collector does. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <yyjson.h>

#include "collector/reports.h"
#include "collector/request.h"
#include "lib/text.h"

#define REPORTS_PATH "/v1/reports"
#define LIST_DEFAULT 100
#define LIST_MAX 1000
#define BUSY_RETRY_S 5

static const char *const route_methods[] = {
	[ROUTE_HEALTH] = "GET, HEAD",
	[ROUTE_REPORTS] = "GET, HEAD, POST",
	[ROUTE_REPORT] = "GET, HEAD, PUT",
	[ROUTE_SPEED] = "GET, HEAD, PUT",
};

static bool is_reading(const char *method)
{
	return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

/* Finds the route of a path and, for one report, its id (as given, cut: checked by the caller). */
static enum route find_route(const char *url, char *id, size_t id_size)
{
	const size_t prefix_len = sizeof(REPORTS_PATH) - 1;

	id[0] = '\0';
	if (strcmp(url, "/healthz") == 0)
		return ROUTE_HEALTH;
	if (strcmp(url, "/v1/speed") == 0)
		return ROUTE_SPEED;
	if (strncmp(url, REPORTS_PATH, prefix_len) != 0)
		return ROUTE_NONE;
	if (url[prefix_len] == '\0')
		return ROUTE_REPORTS;
	if (url[prefix_len] != '/' || strchr(url + prefix_len + 1, '/'))
		return ROUTE_NONE;
	text_copy(id, id_size, url + prefix_len + 1);
	return ROUTE_REPORT;
}

/* Compares in a time that tells nothing of `want` but its length. */
static bool same_secret(const char *given, const char *want)
{
	size_t given_len = strlen(given), want_len = strlen(want);
	volatile unsigned char different = given_len != want_len;

	for (size_t i = 0; i < want_len; i++)
		different |= (unsigned char)(want[i] ^ (i < given_len ? given[i] : 0));
	return !different;
}

static bool is_authorized(const struct request *request, struct MHD_Connection *connection)
{
	const char *given;

	if (!request->server->setup.token)
		return true;
	given = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
	if (!given || strncasecmp(given, "Bearer ", 7) != 0)
		return false;
	given += 7;
	return same_secret(given + strspn(given, " "), request->server->setup.token);
}

/* Counts a header's occurrences. */
struct header_count {
	const char *name;
	unsigned int n;
};

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name,
				    const char *value)
{
	struct header_count *count = context;

	(void)kind;
	(void)value;
	if (strcasecmp(name, count->name) == 0)
		count->n++;
	return MHD_YES;
}

/*
 * The length the request announces: true with the number, or false with an error. A body whose end
 * can be read in two ways (RFC 9112, section 6.3) is never taken.
 */
static bool check_length(struct request *request, struct MHD_Connection *connection)
{
	struct header_count lengths = { .name = "Content-Length" };
	const char *length =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
	const char *coding =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding");
	struct answer *answer = &request->answer;
	unsigned long long bytes;

	MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &lengths);
	if (lengths.n > 1 || (length && coding)) {
		answer->must_close = true;
		answer_error(answer, MHD_HTTP_BAD_REQUEST,
			     "send one Content-Length and nothing else",
			     "the length of the body is given in more than one way");
		return false;
	}
	if (!length && !coding) {
		answer_error(answer, MHD_HTTP_LENGTH_REQUIRED, "send a Content-Length, or chunks",
			     "the request has no body");
		return false;
	}
	bytes = length ? strtoull(length, NULL, 10) : 0;
	if (request->route != ROUTE_SPEED && bytes > request->server->setup.max_bytes) {
		answer_error(answer, MHD_HTTP_CONTENT_TOO_LARGE,
			     "start the collector with a larger --max-bytes",
			     "the body has %llu bytes and the limit is %zu", bytes,
			     request->server->setup.max_bytes);
		return false;
	}
	return true;
}

static void admit_write(struct request *request, struct MHD_Connection *connection)
{
	const char *encoding =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Encoding");

	if (encoding && strcasecmp(encoding, "identity") != 0) {
		answer_error(&request->answer, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
			     "send the report as it is, without Content-Encoding",
			     "bodies of encoding %s are not taken", encoding);
		return;
	}
	check_length(request, connection);
}

void routes_admit(struct request *request, struct MHD_Connection *connection, const char *url,
		  const char *method)
{
	char id[STORE_ID_BYTES + 1];	/* one more: no longer text becomes a UUID by cutting */
	struct answer *answer = &request->answer;

	request->route = find_route(url, id, sizeof(id));
	if (request->route == ROUTE_NONE ||
	    (request->route == ROUTE_SPEED && !request->server->speed)) {
		answer_error(answer, MHD_HTTP_NOT_FOUND, "reports are at " REPORTS_PATH,
			     "there is nothing at this address");
		return;
	}
	request->is_write = !is_reading(method);
	if (request->is_write &&
	    (request->route == ROUTE_HEALTH ||
	     strcmp(method, request->route == ROUTE_REPORTS ? "POST" : "PUT") != 0))
		answer->allow = route_methods[request->route];
	if (answer->allow) {
		answer_error(answer, MHD_HTTP_METHOD_NOT_ALLOWED, "see the header Allow",
			     "this address does not take the method %s", method);
		return;
	}
	if (request->route != ROUTE_HEALTH && !is_authorized(request, connection)) {
		answer_error(answer, MHD_HTTP_UNAUTHORIZED,
			     "send the collector's token as \"Authorization: Bearer TOKEN\"",
			     "the token is missing or wrong");
		return;
	}
	if (request->route == ROUTE_REPORT && !reports_is_id(id)) {
		answer_error(answer, MHD_HTTP_BAD_REQUEST, "the address is " REPORTS_PATH "/UUID",
			     "the report's name is no UUID in lower case");
		return;
	}
	text_copy(request->id, sizeof(request->id), id);
	if (request->is_write)
		admit_write(request, connection);
	if (request->route == ROUTE_SPEED && !answer->status)
		speed_admit(request, connection);
}

/* An answer for what the store could not do. */
static void store_failed(struct answer *answer, int err, const char *why)
{
	if (err == -ENOENT) {
		answer_error(answer, MHD_HTTP_NOT_FOUND, "GET " REPORTS_PATH " lists what is here",
			     "there is no report of this id");
	} else if (err == -ENOSPC) {
		answer_error(answer, MHD_HTTP_INSUFFICIENT_STORAGE,
			     "make room where the collector's database lies", "%s", why);
	} else if (err == -EBUSY) {
		answer->retry_after_s = BUSY_RETRY_S;
		answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE,
			     "another program uses the database", "%s", why);
	} else {
		answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR,
			     "look at the collector's log and its database's file system", "%s",
			     why);
	}
}

/* Checks the received body. Fills `head` and returns true, or leaves an error. */
static bool check_body(struct request *request, struct report_head *head)
{
	char why[REPORTS_WHY_BYTES];
	struct answer *answer = &request->answer;

	switch (reports_check(request->body, request->body_len, head, why)) {
	case REPORTS_FINE:
		break;
	case REPORTS_NOT_JSON:
		answer_error(answer, MHD_HTTP_BAD_REQUEST, "send report.json as it is, whole", "%s",
			     why);
		return false;
	case REPORTS_NOT_REPORT:
		answer_error(answer, MHD_HTTP_UNPROCESSABLE_CONTENT,
			     "send a report.json that bench wrote", "no report: %s", why);
		return false;
	case REPORTS_NO_MEMORY:
		answer->retry_after_s = BUSY_RETRY_S;
		answer_error(answer, MHD_HTTP_SERVICE_UNAVAILABLE, "try again later", "%s", why);
		return false;
	}
	if (request->id[0] && strcmp(request->id, head->id) != 0) {
		answer_error(answer, MHD_HTTP_UNPROCESSABLE_CONTENT,
			     "PUT a report to " REPORTS_PATH "/ and its own \"run\".\"id\"",
			     "the report's id is %s", head->id);
		return false;
	}
	return true;
}

static enum MHD_Result answer_write(struct request *request, struct MHD_Connection *connection)
{
	static const char *const outcome_words[] = {
		[STORE_NEW] = "new", [STORE_SAME] = "same", [STORE_REPLACED] = "replaced",
	};
	struct answer *answer = &request->answer;
	enum store_outcome outcome = STORE_REFUSED;
	enum report_state have = REPORT_RUNNING;
	char why[STORE_WHY_BYTES] = "";
	struct report_head head;
	struct timespec now;
	int err = 0;

	pthread_mutex_lock(&request->server->store_lock);
	if (check_body(request, &head)) {
		clock_gettime(CLOCK_REALTIME, &now);
		head.received_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
		text_copy(head.remote, sizeof(head.remote), request->remote);
		head.body_bytes = request->body_len;
		err = store_put(request->server->setup.store, &head, request->body,
				request->body_len, reports_may_replace, &outcome, &have, why);
	}
	pthread_mutex_unlock(&request->server->store_lock);
	if (err)
		store_failed(answer, err, why);
	else if (!answer->status && outcome == STORE_REFUSED)
		answer_error(
			answer, MHD_HTTP_CONFLICT,
			"a complete report is final; a new run has a new id",
			"a %s report of this id is here; a different %s one does not replace it",
			reports_state_words[have], reports_state_words[head.state]);
	if (answer->status)
		return answer_send_error(connection, answer);
	answer->status = outcome == STORE_NEW ? MHD_HTTP_CREATED : MHD_HTTP_OK;
	return answer_send_stored(connection, answer->status, &head, outcome_words[outcome]);
}

static enum MHD_Result answer_report(struct request *request, struct MHD_Connection *connection)
{
	const char *known =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
	char why[STORE_WHY_BYTES] = "", etag[32];
	struct report_head head;
	bool unchanged;
	void *body;
	int err;

	err = store_get(request->server->setup.store, request->id, &head, &body, why);
	if (err) {
		store_failed(&request->answer, err, why);
		return answer_send_error(connection, &request->answer);
	}
	answer_etag(&head, etag, sizeof(etag));
	unchanged = known && strcmp(known, etag) == 0;
	request->answer.status = unchanged ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK;
	return answer_send_report(connection, &head, body, unchanged);
}

/* The list in the making. */
struct listing {
	yyjson_mut_doc *doc;
	yyjson_mut_val *reports;
	unsigned int n, limit;
	int64_t last_seq;
	bool more;
};

static int list_one(void *context, const struct report_head *head)
{
	struct listing *list = context;
	yyjson_mut_doc *doc = list->doc;
	yyjson_mut_val *entry;
	char time[40];

	if (list->n == list->limit) {
		list->more = true;
		return 0;
	}
	reports_time(time, sizeof(time), head->received_ms);
	entry = yyjson_mut_arr_add_obj(doc, list->reports);
	if (!yyjson_mut_obj_add_strcpy(doc, entry, "id", head->id) ||
	    !yyjson_mut_obj_add_int(doc, entry, "seq", head->seq) ||
	    !yyjson_mut_obj_add_strcpy(doc, entry, "received_at", time) ||
	    !yyjson_mut_obj_add_str(doc, entry, "state", reports_state_words[head->state]) ||
	    !yyjson_mut_obj_add_strcpy(doc, entry, "label", head->label) ||
	    !yyjson_mut_obj_add_strcpy(doc, entry, "product", head->product) ||
	    !yyjson_mut_obj_add_uint(doc, entry, "disk_n", head->disk_n) ||
	    !yyjson_mut_obj_add_uint(doc, entry, "bytes", head->body_bytes) ||
	    !yyjson_mut_obj_add_strcpy(doc, entry, "remote", head->remote) ||
	    !yyjson_mut_obj_add_uint(doc, entry, "replaced_n", head->replaced_n))
		return -ENOMEM;
	list->last_seq = head->seq;
	list->n++;
	return 0;
}

/* A whole number from the query: true, also where it is absent (the value stays as it was). */
static bool query_number(struct MHD_Connection *connection, const char *name, long long max,
			 long long *value)
{
	const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
	long long number;
	char *end;

	if (!text)
		return true;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || *end || number < 1 || number > max)
		return false;
	*value = number;
	return true;
}

static enum MHD_Result answer_list(struct request *request, struct MHD_Connection *connection)
{
	long long limit = LIST_DEFAULT, before = 0;
	char why[STORE_WHY_BYTES] = "out of memory", *text;
	struct listing list = { 0 };
	yyjson_mut_val *root;
	size_t len = 0;
	int err;

	if (!query_number(connection, "limit", LIST_MAX, &limit) ||
	    !query_number(connection, "before", INT64_MAX, &before)) {
		answer_error(&request->answer, MHD_HTTP_BAD_REQUEST,
			     "limit is 1 to 1000, before is the seq of a listed report",
			     "limit or before is no such number");
		return answer_send_error(connection, &request->answer);
	}
	list.limit = (unsigned int)limit;
	list.doc = yyjson_mut_doc_new(NULL);
	root = yyjson_mut_obj(list.doc);
	list.reports = yyjson_mut_obj_add_arr(list.doc, root, "reports");
	yyjson_mut_doc_set_root(list.doc, root);
	/* one more than asked for tells whether there are more */
	err = list.reports ? store_list(request->server->setup.store, before, list.limit + 1,
					list_one, &list, why)
			   : -ENOMEM;
	if (!err && list.more)
		yyjson_mut_obj_add_int(list.doc, root, "next_before", list.last_seq);
	text = err ? NULL : yyjson_mut_write(list.doc, YYJSON_WRITE_NEWLINE_AT_END, &len);
	yyjson_mut_doc_free(list.doc);
	if (!text) {
		store_failed(&request->answer, err ? err : -ENOMEM, why);
		return answer_send_error(connection, &request->answer);
	}
	request->answer.status = MHD_HTTP_OK;
	return answer_send_text(connection, MHD_HTTP_OK, text, len);
}

enum MHD_Result routes_answer(struct request *request, struct MHD_Connection *connection)
{
	if (request->answer.status)
		return answer_send_error(connection, &request->answer);
	if (request->route == ROUTE_SPEED)
		return speed_answer(request, connection);
	if (request->is_write)
		return answer_write(request, connection);
	if (request->route == ROUTE_REPORT)
		return answer_report(request, connection);
	if (request->route == ROUTE_REPORTS)
		return answer_list(request, connection);
	request->answer.status = MHD_HTTP_OK;
	return answer_send_health(connection);
}
