/* SPDX-License-Identifier: MIT */
/* The section of one disk on the page: identity, health, results, then its charts. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/report/chart.h"
#include "bench/report/html.h"
#include "bench/report/units.h"
#include "lib/text.h"

#define HOURS_PER_YEAR 8766.0
#define RESULT_COLUMNS 8	/* of the table of a disk's tests */

static void put_identity(FILE *out, const struct disk *d)
{
	fputs("<table class=\"facts\">\n", out);
	html_row(out, "Model", "%s %s", d->vendor, d->model);
	html_row(out, "Serial number", "%s", d->serial);
	html_row(out, "Firmware", "%s", d->firmware);
	html_row(out, "Size", "%s", units_bytes(UNITS_BUF, d->size_bytes));
	if (d->logical_block_bytes)
		html_row(out, "Blocks", "%u/%u bytes", d->logical_block_bytes,
			 d->physical_block_bytes);
	html_row(out, "Link", "%s%s%s", d->link, d->link_bytes_per_s ? ", carries at most " : "",
		 d->link_bytes_per_s ? units_rate(UNITS_BUF, (double)d->link_bytes_per_s) : "");
	html_row(out, "Controller", "%s%s%s", d->driver, *d->controller ? " at " : "",
		 d->controller);
	if (d->consent != CONSENT_NONE)
		html_row(out, "Written to", "%s: %s", disk_consent_words[d->consent],
			 d->consent_why);
	fputs("</table>\n", out);
}

static void row_number(FILE *out, const char *name, int64_t value)
{
	if (value >= 0)
		html_row(out, name, "%s", units_count(UNITS_BUF, (uint64_t)value));
}

static void put_wear(FILE *out, const struct health *h)
{
	if (h->power_on_hours >= 0)
		html_row(out, "Powered on", "%s h (%.1f years)%s%s%s",
			 units_count(UNITS_BUF, (uint64_t)h->power_on_hours),
			 (double)h->power_on_hours / HOURS_PER_YEAR,
			 h->power_cycles >= 0 ? ", " : "", h->power_cycles >= 0 ?
			 units_count(UNITS_BUF, (uint64_t)h->power_cycles) : "",
			 h->power_cycles >= 0 ? " times" : "");
	if (h->wear_percent >= 0)
		html_row(out, "Endurance used", "%d %%", h->wear_percent);
	if (h->spare_percent >= 0)
		html_row(out, "Spare left", "%d %%", h->spare_percent);
	if (h->written_bytes >= 0)
		html_row(out, "Written", "%s", units_bytes(UNITS_BUF, (uint64_t)h->written_bytes));
	if (h->read_bytes >= 0)
		html_row(out, "Read", "%s", units_bytes(UNITS_BUF, (uint64_t)h->read_bytes));
}

void html_put_health(FILE *out, const struct health *h)
{
	fputs("<table class=\"facts\">\n", out);
	if (h->state != HEALTH_READ)
		html_row(out, "Health", "%s%s%s", health_state_words[h->state],
			 *h->reason ? ": " : "", h->reason);
	else if (h->passed != TRI_UNKNOWN)
		html_row(out, "Own verdict", h->passed == TRI_YES ? "passed" : "FAILED");
	put_wear(out, h);
	row_number(out, "Reallocated", h->reallocated);
	row_number(out, "Pending", h->pending);
	row_number(out, "Uncorrectable", h->uncorrectable);
	row_number(out, "Media errors", h->media_errors);
	row_number(out, "Transfer errors", h->crc_errors);
	row_number(out, "Unsafe shutdowns", h->unsafe_shutdowns);
	if (h->temperature_celsius != INT32_MIN)
		html_row(out, "Temperature", "%d °C", h->temperature_celsius);
	for (uint32_t i = 0; i < REPORT_KEPT(h->warning_n, h->warning); i++)
		html_row(out, "Warning", "%s", h->warning[i].text);
	for (uint32_t i = 0; i < REPORT_KEPT(h->self_tests_n, h->self_tests); i++)
		if (h->self_tests[i].failed)
			html_row(out, "Self-test", "%s: %s", h->self_tests[i].type,
				 h->self_tests[i].result);
	for (uint32_t i = 0; i < REPORT_KEPT(h->doubt_n, h->doubt); i++)
		html_row(out, "Doubtful", "%s: %s", h->doubt[i].name, h->doubt[i].text);
	html_row(out, "Read by", "%s", h->source);
	fputs("</table>\n", out);
}

static void put_cell(FILE *out, const struct result *t, const char *metric)
{
	const struct metric *m = result_find(t, metric);

	fputs("<td class=\"n\">", out);
	if (m)
		chart_text(out, units_metric(UNITS_BUF, m->unit, m->value));
	else
		fputs("–", out);
	fputs("</td>", out);
}

/* Median deviation over time, of its median. */
static void put_spread(FILE *out, const struct result *t)
{
	const struct metric *m = result_find(t, "throughput");

	if (m && m->sample_n > 1 && m->median > 0)
		fprintf(out, "<td class=\"n\">%.1f %%</td>", 100 * m->mad / m->median);
	else
		fputs("<td class=\"n\">–</td>", out);
}

void html_put_notes(FILE *out, const struct result *t, unsigned columns)
{
	if (t->status != RESULT_OK || *t->reason || t->mark_n) {
		fprintf(out, "<tr class=\"note\"><td colspan=\"%u\">", columns);
		if (t->status != RESULT_OK)
			fprintf(out, "%s%s", result_status_words[t->status],
				*t->reason ? ": " : "");
		chart_text(out, t->reason);
		for (uint32_t i = 0; i < t->mark_n && i < RESULT_MARKS_MAX; i++) {
			fputs(" <span class=\"warn\">", out);
			chart_text(out, t->mark[i].word);
			fputs("</span>: ", out);
			chart_text(out, t->mark[i].text);
		}
		fputs("</td></tr>\n", out);
	}
}

static void put_result(FILE *out, const struct result *t)
{
	fputs("<tr><th scope=\"row\">", out);
	chart_text(out, t->test);
	fputs("</th>", out);
	if (t->depth)
		fprintf(out, "<td class=\"n\">%s%s%u</td>", t->jobs > 1 ?
			units_count(UNITS_BUF, t->jobs) : "", t->jobs > 1 ? "×" : "", t->depth);
	else
		fputs("<td class=\"n\">–</td>", out);
	put_cell(out, t, result_find(t, "throughput") ? "throughput" : "throughput_cached");
	put_cell(out, t, "iops");
	put_spread(out, t);
	put_cell(out, t, "lat_p50");
	put_cell(out, t, "lat_p99");
	put_cell(out, t, "lat_max");
	fputs("</tr>\n", out);
	html_put_notes(out, t, RESULT_COLUMNS);
}

static void put_results(FILE *out, const struct report *r, const struct disk *d)
{
	bool any = false;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (strcmp(t->target, d->name) ||
		    (t->status == RESULT_SKIPPED && t->metric_n == 0))
			continue;
		if (!any)
			fputs("<div class=\"wide\"><table>\n<tr><th>test</th>"
			      "<th class=\"n\">in flight</th><th class=\"n\">speed</th>"
			      "<th class=\"n\">IOPS</th><th class=\"n\">spread</th>"
			      "<th class=\"n\">p50</th><th class=\"n\">p99</th>"
			      "<th class=\"n\">max</th></tr>\n", out);
		any = true;
		put_result(out, t);
	}
	if (any)
		fputs("</table></div>\n", out);
	else
		fputs("<p>No test ran on it.</p>\n", out);
}

void html_put_disk(FILE *out, const struct report *r, const struct disk *d)
{
	const struct health *h = report_health_of(r, d->name);

	fputs("<section>\n<h2>", out);
	chart_text(out, d->name);
	fputs("</h2>\n<div class=\"columns\">\n", out);
	put_identity(out, d);
	if (h)
		html_put_health(out, h);
	fputs("</div>\n<div class=\"columns charts\">\n", out);
	html_put_charts(out, r, d);
	fputs("</div>\n", out);
	put_results(out, r, d);
	fputs("</section>\n", out);
}
