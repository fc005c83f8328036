/* SPDX-License-Identifier: MIT */
/* What is known before the first test. */
#include "bench/run/facts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

#include "bench/io/job.h"
#include "bench/sys/machine.h"
#include "gen/version.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/text.h"

#define DEVIATIONS_PATH "/etc/bootmark/kernel-deviations"
#define DEVIATIONS_MAX_BYTES 65536
#define SELF_COST_NS (200 * NS_PER_MS)

/* The null engine does nothing: its IOPS is what our own loop can do at most. */
static void measure_self_cost(struct tool_info *tool)
{
	static struct io_outcome outcome;
	const struct io_job job = {
		.fd = -1, .engine = "null", .order = IO_RANDOM, .block_bytes = 4096,
		.align_bytes = 512, .depth = 64, .area_bytes = UINT64_C(1) << 40,
		.numa_node = -1, .runtime_ns = SELF_COST_NS, .stall_ns = NS_PER_S, .seed = 1,
	};

	if (io_job_run(&job, &outcome) || outcome.end != IO_END_TIME || outcome.measured_ns == 0)
		return;
	tool->has_engine_iops = true;
	tool->engine_iops = (double)outcome.ios * 1e9 / (double)outcome.measured_ns;
}

/*
 * One line of init: "ok TEXT" or "corrected TEXT". Without it the kernel's own view of the clock
 * counts.
 */
static void fill_clock(struct run_info *run, const char *out)
{
	char path[PATH_MAX], line[REPORT_TEXT_BYTES];
	struct timex t = { .modes = 0 };

	run->started_s = (int64_t)time(NULL);
	snprintf(path, sizeof(path), "%s/clock", out);
	if (file_read(path, line, sizeof(line)) > 0) {
		const char *rest = line + strcspn(line, " \n");

		run->clock_trusted = strncmp(line, "ok", 2) == 0;
		text_clean_str(run->clock_note, sizeof(run->clock_note), rest);
		return;
	}
	run->clock_trusted = adjtimex(&t) >= 0 && !(t.status & STA_UNSYNC);
	if (!run->clock_trusted)
		text_copy(run->clock_note, sizeof(run->clock_note),
			  "the clock is not synchronised to any source");
}

static void fill_options(struct report *r, const struct options *o)
{
	char shown[REPORT_TEXT_BYTES];

	for (int i = 0; i < OPT_COUNT; i++)
		if (options_given(o, (enum opt_id)i))
			report_add_option(r, options_table[i].name,
					  options_shown(o, (enum opt_id)i, shown, sizeof(shown)));
}

/* The appliance's kernel says itself where it differs from Debian's in what moves a measurement. */
static void fill_deviations(struct report *r)
{
	char *text, *line, *save = NULL;
	size_t len;

	if (file_load(DEVIATIONS_PATH, DEVIATIONS_MAX_BYTES, &text, &len))
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *reason = strchr(line, '\t'), name[64];

		if (!reason)
			continue;
		*reason++ = '\0';
		snprintf(name, sizeof(name), REPORT_NOTE_KERNEL "%s", line);
		report_add_note(r, name, "%s", reason);
	}
	free(text);
}

void facts_fill(struct report *r, const struct options *o, const char *out)
{
	text_copy(r->tool.version, sizeof(r->tool.version), BOOTMARK_VERSION);
	text_copy(r->tool.compiler, sizeof(r->tool.compiler), BOOTMARK_COMPILER);
	text_copy(r->tool.engine, sizeof(r->tool.engine), "libaio");
	measure_self_cost(&r->tool);
	machine_read(options_text(o, OPT_ID_ROOT), &r->machine);
	machine_read_kernel(options_text(o, OPT_ID_ROOT), &r->tool, &r->run);
	text_clean_str(r->run.label, sizeof(r->run.label), options_text(o, OPT_ID_LABEL));
	text_copy(r->run.profile, sizeof(r->run.profile), options_text(o, OPT_ID_PROFILE));
	fill_clock(&r->run, out);
	fill_options(r, o);
	fill_deviations(r);
}
