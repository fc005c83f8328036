/* SPDX-License-Identifier: MIT */
/* Findings and finding rules, for people and for programs. */
#include "bench/report/text_findings.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "bench/findings/findings.h"

#define KEY_COLUMNS 11

const char *const text_finding_marks[FINDING_SEVERITY_COUNT] = {
	[FINDING_CRITICAL] = "CRITICAL",
	[FINDING_WARNING] = "WARNING",
	[FINDING_INFO] = "info",
};

const char *text_rule_severity(char *buf, size_t size, const struct finding_rule *rule)
{
	snprintf(buf, size, rule->worst == rule->mildest ? "%s" : "%s to %s",
		 finding_severity_words[rule->worst], finding_severity_words[rule->mildest]);
	return buf;
}

static void put_advice(struct page *p, const char *advice)
{
	if (!*advice)
		return;
	page_to(p, FINDING_MARK_COLUMNS);
	page_printf(p, FINDING_MARK_COLUMNS + 3, "-> %s", advice);
	page_end(p);
}

void text_put_findings(struct page *p, const struct report *r)
{
	char sentence[FINDING_SHOWN_BYTES];
	const char *advice = "";

	for (size_t i = 0; i < r->finding_n; i++) {
		const struct finding *f = &r->finding[i];

		if (!finding_shown(r, i, sentence))
			continue;
		if (strcmp(advice, f->advice))
			put_advice(p, advice);
		advice = f->advice;
		page_left(p, FINDING_MARK_COLUMNS, text_finding_marks[f->severity]);
		page_wrap(p, FINDING_MARK_COLUMNS, sentence);
		page_end(p);
	}
	put_advice(p, advice);
}

char *text_findings_write(const struct report *r, size_t *len_bytes)
{
	struct page p = { 0 };

	if (r->finding_n == 0) {
		page_wrap(&p, 0, "No findings.");
		page_end(&p);
	}
	text_put_findings(&p, r);
	return page_take(&p, len_bytes);
}

static void put_row(struct page *p, const char *key, const char *text)
{
	if (!*text)
		return;
	page_to(p, 2);
	page_left(p, KEY_COLUMNS, key);
	page_wrap(p, 2 + KEY_COLUMNS, text);
	page_end(p);
}

char *text_rules_write(size_t *len_bytes)
{
	struct page p = { 0 };
	char severity[40];

	for (size_t i = 0; i < finding_table_n; i++) {
		const struct finding_rule *rule = &finding_table[i];

		page_printf(&p, 0, "%s (%s)", rule->name,
			    text_rule_severity(severity, sizeof(severity), rule));
		page_end(&p);
		put_row(&p, "question", rule->question);
		put_row(&p, "speaks", rule->threshold);
		put_row(&p, "advice", rule->advice);
	}
	return page_take(&p, len_bytes);
}

/* Texts are not copied: they outlive the document. An empty one is absent. */
static bool put_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, const char *text)
{
	return !*text || yyjson_mut_obj_add_str(doc, object, key, text);
}

/* Frees the document. */
static char *take(yyjson_mut_doc *doc, bool is_whole, size_t *len_bytes)
{
	char *text = is_whole ? yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES |
						 YYJSON_WRITE_NEWLINE_AT_END, len_bytes) : NULL;

	yyjson_mut_doc_free(doc);
	return text;
}

char *text_findings_json(const struct report *r, size_t *len_bytes)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *all = yyjson_mut_arr(doc);
	bool is_whole = all;

	yyjson_mut_doc_set_root(doc, all);
	for (size_t i = 0; i < r->finding_n && is_whole; i++) {
		const struct finding *f = &r->finding[i];
		yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, all);

		is_whole = o && put_text(doc, o, "severity", finding_severity_words[f->severity]) &&
			   put_text(doc, o, "rule", f->rule) &&
			   put_text(doc, o, "target", f->target) &&
			   put_text(doc, o, "sentence", f->sentence) &&
			   put_text(doc, o, "advice", f->advice);
	}
	return take(doc, is_whole, len_bytes);
}

char *text_rules_json(size_t *len_bytes)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *all = yyjson_mut_arr(doc);
	bool is_whole = all;

	yyjson_mut_doc_set_root(doc, all);
	for (size_t i = 0; i < finding_table_n && is_whole; i++) {
		const struct finding_rule *rule = &finding_table[i];
		yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, all), *severities;

		severities = o ? yyjson_mut_obj_add_arr(doc, o, "severities") : NULL;
		is_whole = severities && put_text(doc, o, "rule", rule->name) &&
			   put_text(doc, o, "question", rule->question) &&
			   put_text(doc, o, "threshold", rule->threshold) &&
			   put_text(doc, o, "advice", rule->advice);
		for (unsigned s = rule->worst; s <= rule->mildest && is_whole; s++)
			is_whole = yyjson_mut_arr_add_str(doc, severities,
							  finding_severity_words[s]);
	}
	return take(doc, is_whole, len_bytes);
}
