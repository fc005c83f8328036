/* SPDX-License-Identifier: MIT */
/* The page as a whole: verdict and findings, machine, then each disk; see html.h. */
#include "bench/report/html.h"

#include <math.h>
#include <mbedtls/base64.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/findings/findings.h"
#include "bench/report/chart.h"
#include "bench/report/text.h"
#include "bench/report/units.h"
#include "lib/text.h"

#define BARS_MAX 32		/* of one chart; the table below it has all numbers */

void html_row(FILE *out, const char *name, const char *fmt, ...)
{
	char value[1024], clean[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(value, sizeof(value), fmt, args);
	va_end(args);
	if (!text_clean_str(clean, sizeof(clean), value))
		return;
	fprintf(out, "<tr><th scope=\"row\">%s</th><td>", name);
	chart_text(out, clean);
	fputs("</td></tr>\n", out);
}

static void put_title(FILE *out, const struct report *r)
{
	time_t when = (time_t)r->run.started_s;
	char date[64] = "time not known", title[640];
	struct tm tm;

	if (r->run.started_s > 0 && r->run.started_s < INT64_C(253402300800) &&
	    gmtime_r(&when, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &tm);
	snprintf(title, sizeof(title), "%s%s%s%s%s",
		 *r->run.label ? r->run.label : "bootmark report",
		 !*r->machine.product ? "" : *r->run.label ? ": " : " of ", r->machine.vendor,
		 *r->machine.vendor ? " " : "", r->machine.product);
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
	      out);
	chart_text(out, title);
	fprintf(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", html_style);
	chart_text(out, title);
	fprintf(out, "</h1>\n<p class=\"soft\">bootmark ");
	chart_text(out, r->tool.version);
	fprintf(out, ", %s%s, profile ", date, r->run.clock_trusted ? "" : " (clock not trusted)");
	chart_text(out, r->run.profile);
	fputs("</p>\n", out);
}

static bool has_finding(const struct report *r, enum finding_severity severity)
{
	for (size_t i = 0; i < r->finding_n; i++)
		if (r->finding[i].severity == severity)
			return true;
	return false;
}

static void put_verdict(FILE *out, const struct report *r)
{
	char outcome[RESULT_REASON_BYTES + 160];
	bool is_good = r->run.state == RUN_COMPLETE && !has_finding(r, FINDING_WARNING);

	fprintf(out, "<p class=\"verdict %s\">",
		has_finding(r, FINDING_CRITICAL) ? "bad" : is_good ? "good" : "warn");
	chart_text(out, text_outcome(outcome, sizeof(outcome), r));
	fputs("</p>\n", out);
}

static void put_findings(FILE *out, const struct report *r)
{
	char sentence[FINDING_SHOWN_BYTES];

	fputs("<h2>Findings</h2>\n", out);
	if (r->finding_n == 0) {
		fputs("<p>None.</p>\n", out);
		return;
	}
	fputs("<ul class=\"findings\">\n", out);
	for (size_t i = 0; i < r->finding_n; i++) {
		const struct finding *f = &r->finding[i];

		if (!finding_shown(r, i, sentence))
			continue;
		fprintf(out, "<li class=\"%s\"><b>%s</b>", finding_severity_words[f->severity],
			finding_severity_words[f->severity]);
		chart_text(out, sentence);
		if (*f->advice) {
			fputs(" <span class=\"soft\">", out);
			chart_text(out, f->advice);
			fputs("</span>", out);
		}
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void put_nics(FILE *out, const struct machine_info *m)
{
	for (uint32_t i = 0; i < REPORT_KEPT(m->nic_n, m->nic); i++) {
		const struct nic_info *n = &m->nic[i];

		html_row(out, i ? "" : "Network", "%s: %s%s%s%s%s%s", n->name,
			 !n->carrier ? "no link" : n->speed_mbit_per_s > 0 ?
			 units_link(UNITS_BUF, (uint32_t)n->speed_mbit_per_s) :
			 "link, speed not known", *n->driver ? ", " : "", n->driver,
			 *n->model ? ", " : "", n->model, n->carrier && !strcmp(n->duplex, "half") ?
			 ", half duplex" : "");
	}
}

static void put_machine(FILE *out, const struct report *r)
{
	const struct machine_info *m = &r->machine;
	const struct cpu_info *cpu = &m->cpu;

	fputs("<h2>Machine</h2>\n<div class=\"columns\"><table class=\"facts\">\n", out);
	html_row(out, "System", "%s %s %s", m->vendor, m->product, m->version);
	html_row(out, "Serial number", "%s", m->serial);
	html_row(out, "Board", "%s %s %s", m->board.vendor, m->board.name, m->board.version);
	html_row(out, "BIOS", "%s %s %s", m->bios.vendor, m->bios.version, m->bios.date);
	html_row(out, "Virtualisation", "%s", m->virtualisation);
	html_row(out, "Kernel", "%s", r->tool.kernel);
	html_row(out, "Clock source", "%s", r->run.clocksource);
	fputs("</table><table class=\"facts\">\n", out);
	html_row(out, "Processor", "%s", cpu->model);
	if (cpu->threads)
		html_row(out, "Sockets, cores", "%u, %u with %u threads", cpu->sockets, cpu->cores,
			 cpu->threads);
	if (cpu->max_hz)
		html_row(out, "Frequency", "up to %s%s%s", units_metric(UNITS_BUF, UNIT_HERTZ,
			 (double)cpu->max_hz), *cpu->governor ? ", governor " : "", cpu->governor);
	html_row(out, "Microcode", "%s", cpu->microcode);
	if (m->memory_bytes)
		html_row(out, "Memory", "%s%s%s", units_bytes_binary(UNITS_BUF, m->memory_bytes),
			 *m->memory.ecc ? ", ECC: " : "", m->memory.ecc);
	put_nics(out, m);
	fputs("</table></div>\n", out);
}

/* "all", "copy_all": the last word of the name. */
static bool ends_with(const char *metric, const char *word)
{
	size_t n = strlen(metric), w = strlen(word);

	return n >= w && !strcmp(metric + n - w, word) && (n == w || metric[n - w - 1] == '_');
}

/* What the bars show: how fast it was, not what was counted beside; and latencies. */
static bool is_shown_as_bar(const struct metric *m)
{
	return m->unit == UNIT_NS || ends_with(m->name, "single") ||
	       ends_with(m->name, "per_core") || ends_with(m->name, "all");
}

/* One chart of bars for each unit among the tests of a family: processors and memory. */
static void put_family(FILE *out, const struct report *r, const char *family, const char *title,
		       enum metric_unit unit)
{
	struct chart_bar bar[BARS_MAX];
	char name[BARS_MAX][96];
	unsigned n = 0;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (strcmp(t->family, family) || t->status != RESULT_OK)
			continue;
		for (uint32_t k = 0; k < t->metric_n && k < RESULT_METRICS_MAX; k++) {
			const struct metric *m = &t->metric[k];

			if (n == BARS_MAX || m->unit != unit || !(m->value > 0) ||
			    !is_shown_as_bar(m))
				continue;
			snprintf(name[n], sizeof(name[n]), "%s %s", strchr(t->test, '-') ?
				 strchr(t->test, '-') + 1 : t->test, m->name);
			bar[n] = (struct chart_bar){ name[n], m->value, ends_with(m->name, "all") };
			n++;
		}
	}
	if (n)
		chart_bars(out, title, unit, bar, n);
}

static void put_numbers(FILE *out, const struct result *t)
{
	fputs("<tr><th scope=\"row\">", out);
	chart_text(out, t->test);
	fputs(*t->target ? " " : "", out);
	chart_text(out, t->target);
	fputs("</th><td>", out);
	for (uint32_t i = 0; i < t->metric_n && i < RESULT_METRICS_MAX; i++) {
		fputs(i ? ", " : "", out);
		chart_text(out, t->metric[i].name);
		fprintf(out, " %s", units_metric(UNITS_BUF, t->metric[i].unit, t->metric[i].value));
	}
	fputs("</td></tr>\n", out);
	html_put_notes(out, t, 2);
}

/* The tests of a phase that is not about disks: charts where there are some, then all numbers. */
static void put_phase(FILE *out, const struct report *r, const char *phase, const char *title)
{
	bool any = false;

	for (size_t i = 0; i < r->result_n; i++) {
		const struct result *t = &r->result[i];

		if (strcmp(t->phase, phase) || (t->status == RESULT_SKIPPED && !t->metric_n))
			continue;
		if (!any)
			fprintf(out, "<h3>%s</h3>\n<table class=\"facts\">\n", title);
		any = true;
		put_numbers(out, t);
	}
	if (any)
		fputs("</table>\n", out);
}

static void put_machine_tests(FILE *out, const struct report *r)
{
	fputs("<div class=\"columns charts\">\n", out);
	put_family(out, r, "cpu", "Processors: events", UNIT_PER_S);
	put_family(out, r, "cpu", "Processors: bytes", UNIT_BYTES_PER_S);
	put_family(out, r, "memory",
		   "Memory: bandwidth (based on a variant of the STREAM benchmark code)",
		   UNIT_BYTES_PER_S);
	put_family(out, r, "memory", "Memory: latency", UNIT_NS);
	fputs("</div>\n", out);
	put_phase(out, r, "machine", "Processors and memory");
	put_phase(out, r, "network", "Network");
}

/* Physical disks behind RAID controllers have no name of their own. */
static void put_hidden_disks(FILE *out, const struct report *r)
{
	for (size_t i = 0; i < r->health_n; i++) {
		const struct health *h = &r->health[i];

		if (*h->target || !report_health_last(r, i))
			continue;
		fputs("<section>\n<h2>", out);
		chart_text(out, h->device);
		fputs("</h2>\n", out);
		html_put_health(out, h);
		fputs("</section>\n", out);
	}
}

static void put_left_alone(FILE *out, const struct report *r)
{
	bool any = false;

	for (size_t i = 0; i < r->disks.n; i++) {
		const struct disk *d = &r->disks.disk[i];

		if (d->skip == DISK_TAKEN)
			continue;
		if (!any)
			fputs("<h2>Left alone</h2>\n<table class=\"facts\">\n", out);
		any = true;
		fputs("<tr><th scope=\"row\">", out);
		chart_text(out, d->name);
		fprintf(out, "</th><td>%s%s", disk_skip_table[d->skip].sentence,
			*d->skip_detail ? ": " : "");
		chart_text(out, d->skip_detail);
		fputs("</td></tr>\n", out);
	}
	if (any)
		fputs("</table>\n", out);
}

/* The report itself, as a link that saves it: base64, so that nothing in it can be markup. */
static bool put_data(FILE *out, const struct report *r)
{
	size_t len = 0, coded = 0, room;
	char *json = report_json_write(r, &len);
	unsigned char *text;
	bool done = false;

	if (!json)
		return false;
	room = (len + 2) / 3 * 4 + 1;
	text = malloc(room);
	if (text && !mbedtls_base64_encode(text, room, &coded, (const unsigned char *)json, len)) {
		fputs("<h2>Data</h2>\n<p><a download=\"report.json\" "
		      "href=\"data:application/json;base64,", out);
		fwrite(text, 1, coded, out);
		fprintf(out, "\">report.json</a> (%s): every number of this page, and all that it "
			"leaves out.</p>\n", units_bytes(UNITS_BUF, len));
		done = true;
	}
	free(text);
	free(json);
	return done;
}

char *html_write(const struct report *r, size_t *len_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len_bytes);
	bool whole;

	if (!out)
		return NULL;
	put_title(out, r);
	put_verdict(out, r);
	put_findings(out, r);
	put_machine(out, r);
	put_machine_tests(out, r);
	for (size_t i = 0; i < r->disks.n; i++)
		if (r->disks.disk[i].skip == DISK_TAKEN)
			html_put_disk(out, r, &r->disks.disk[i]);
	put_hidden_disks(out, r);
	put_left_alone(out, r);
	whole = put_data(out, r);
	fputs("<p class=\"soft\">Run ", out);
	chart_text(out, r->run.id);
	fputs("</p>\n</main></body></html>\n", out);
	whole &= !ferror(out);
	if (fclose(out) || !whole) {
		free(text);
		return NULL;
	}
	return text;
}
