/* SPDX-License-Identifier: MIT */
/* What the collector answers: JSON, with an error and a next step where something is wrong. */
#include "collector/answer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "lib/text.h"

/* Sends what is there already even when nothing more can be allocated. */
static const char no_memory[] = "{\"error\":\"out of memory\",\"hint\":\"try again later\"}\n";

struct answer *answer_error(struct answer *answer, unsigned int status, const char *hint,
			    const char *fmt, ...)
{
	char raw[ANSWER_TEXT_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_clean_str(answer->error, sizeof(answer->error), raw);
	answer->status = status;
	answer->hint = hint;
	return answer;
}

/* The headers of every answer; reports are private and change. */
static void add_common(struct MHD_Response *response)
{
	MHD_add_response_header(response, "Content-Type", "application/json");
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
}

static enum MHD_Result send_and_free(struct MHD_Connection *connection, unsigned int status,
				     struct MHD_Response *response)
{
	enum MHD_Result result = MHD_queue_response(connection, status, response);

	MHD_destroy_response(response);
	return result;
}

/* A response of a JSON text; takes `text` over, where NULL stands for "out of memory". */
static struct MHD_Response *make_response(char *text, size_t len, unsigned int *status)
{
	struct MHD_Response *response;

	if (text) {
		response = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	} else {
		*status = MHD_HTTP_INTERNAL_SERVER_ERROR;
		response = MHD_create_response_from_buffer(sizeof(no_memory) - 1,
							   (void *)(uintptr_t)no_memory,
							   MHD_RESPMEM_PERSISTENT);
	}
	if (response)
		add_common(response);
	else
		free(text);
	return response;
}

/* JSON text of a document (malloc'ed, ends with a newline) or NULL; frees the document. */
static char *write_document(yyjson_mut_doc *doc, size_t *len)
{
	char *text = doc ? yyjson_mut_write(doc, YYJSON_WRITE_NEWLINE_AT_END, len) : NULL;

	yyjson_mut_doc_free(doc);
	return text;
}

static yyjson_mut_val *new_document(yyjson_mut_doc **doc)
{
	yyjson_mut_val *root;

	*doc = yyjson_mut_doc_new(NULL);
	root = yyjson_mut_obj(*doc);
	yyjson_mut_doc_set_root(*doc, root);
	return root;
}

enum MHD_Result answer_send_error(struct MHD_Connection *connection, const struct answer *answer)
{
	unsigned int status = answer->status;
	struct MHD_Response *response;
	yyjson_mut_doc *doc;
	yyjson_mut_val *root = new_document(&doc);
	char number[16], *text;
	size_t len = 0;

	yyjson_mut_obj_add_str(doc, root, "error", answer->error);
	if (answer->hint)
		yyjson_mut_obj_add_str(doc, root, "hint", answer->hint);
	text = write_document(doc, &len);
	response = make_response(text, len, &status);
	if (!response)
		return MHD_NO;
	if (status == MHD_HTTP_UNAUTHORIZED)
		MHD_add_response_header(response, "WWW-Authenticate", "Bearer realm=\"bootmark\"");
	if (answer->allow)
		MHD_add_response_header(response, "Allow", answer->allow);
	if (answer->must_close)
		MHD_add_response_header(response, "Connection", "close");
	if (answer->retry_after_s) {
		snprintf(number, sizeof(number), "%u", answer->retry_after_s);
		MHD_add_response_header(response, "Retry-After", number);
	}
	return send_and_free(connection, status, response);
}

enum MHD_Result answer_send_text(struct MHD_Connection *connection, unsigned int status, char *text,
				 size_t len)
{
	struct MHD_Response *response = make_response(text, len, &status);

	return response ? send_and_free(connection, status, response) : MHD_NO;
}

enum MHD_Result answer_send_health(struct MHD_Connection *connection)
{
	yyjson_mut_doc *doc;
	yyjson_mut_val *root = new_document(&doc);
	size_t len = 0;
	char *text;

	yyjson_mut_obj_add_str(doc, root, "status", "ok");
	text = write_document(doc, &len);
	return answer_send_text(connection, MHD_HTTP_OK, text, len);
}

enum MHD_Result answer_send_stored(struct MHD_Connection *connection, unsigned int status,
				   const struct report_head *head, const char *outcome)
{
	struct MHD_Response *response;
	yyjson_mut_doc *doc;
	yyjson_mut_val *root = new_document(&doc);
	char location[64], *text;
	size_t len = 0;

	yyjson_mut_obj_add_str(doc, root, "id", head->id);
	yyjson_mut_obj_add_str(doc, root, "stored", outcome);
	yyjson_mut_obj_add_uint(doc, root, "bytes", head->body_bytes);
	text = write_document(doc, &len);
	response = make_response(text, len, &status);
	if (!response)
		return MHD_NO;
	snprintf(location, sizeof(location), "/v1/reports/%s", head->id);
	MHD_add_response_header(
		response, status == MHD_HTTP_CREATED ? "Location" : "Content-Location", location);
	return send_and_free(connection, status, response);
}

void answer_etag(const struct report_head *head, char *buf, size_t size)
{
	snprintf(buf, size, "\"%" PRId64 "\"", head->seq);
}

enum MHD_Result answer_send_report(struct MHD_Connection *connection,
				   const struct report_head *head, void *body, bool unchanged)
{
	unsigned int status = unchanged ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK;
	struct MHD_Response *response;
	char etag[32];

	if (unchanged) {
		free(body);
		response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
		if (response)
			MHD_add_response_header(response, "Cache-Control", "no-store");
	} else {
		response = make_response(body, head->body_bytes, &status);
	}
	if (!response)
		return MHD_NO;
	answer_etag(head, etag, sizeof(etag));
	MHD_add_response_header(response, "ETag", etag);
	return send_and_free(connection, status, response);
}
