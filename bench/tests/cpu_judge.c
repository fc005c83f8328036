/* SPDX-License-Identifier: MIT */
/* What numbers of processors are worth: efficiency, marks; see cpu.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/stats/summary.h"
#include "bench/tests/cpu.h"

#define BURST_WINDOWS 3		/* the best of the first ones */
#define SUSTAINED_SHARE 4	/* the last quarter */

const char *const cpu_way_words[CPU_WAYS] = {
	[CPU_SINGLE] = "single",
	[CPU_PER_CORE] = "per_core",
	[CPU_ALL] = "all",
};

double cpu_efficiency(double single, double all, unsigned threads)
{
	return single > 0 && threads ? all / (single * threads) * 100 : (double)NAN;
}

void cpu_facts_add(struct cpu_facts *f, const struct cpu_crew_outcome *out, unsigned threads,
		   const struct cpu_watch_ticks *before, const struct cpu_watch_ticks *after)
{
	double ns = (double)out->measured_ns * threads;

	if (after->all > before->all && after->steal >= before->steal) {
		f->all_ticks += after->all - before->all;
		f->steal_ticks += after->steal - before->steal;
	}
	f->threads_ns += ns;
	if (out->cpu_share < 1)
		f->lost_ns += ns * (1 - out->cpu_share);
	f->switches += out->switches_per_s;
	f->switch_n++;
}

static void mark_variation(const struct cpu_facts *f, struct result *r)
{
	char text[120] = "";

	for (int way = 0; way < CPU_WAYS; way++) {
		size_t used = strlen(text);

		if (f->variation[way] > CPU_ENOUGH_CV)
			snprintf(text + used, sizeof(text) - used, "%s%s by %.1f %%",
				 used ? ", " : "", cpu_way_words[way], f->variation[way] * 100);
	}
	if (text[0])
		result_mark(r, "unsteady", "its samples vary: %s (coefficient of variation, at "
			    "most %.1f %% is steady)", text, CPU_ENOUGH_CV * 100);
}

void cpu_judge(const struct cpu_facts *f, struct result *r)
{
	double steal = (double)NAN, taken = (double)NAN, switches = (double)NAN;

	if (f->all_ticks)
		steal = (double)f->steal_ticks / (double)f->all_ticks * 100;
	if (f->threads_ns > 0) {
		taken = f->lost_ns / f->threads_ns * 100;
		/* a thread's time does not count while its CPU was stolen */
		if (steal > 0)
			taken = taken > steal ? taken - steal : 0;
	}
	if (f->switch_n > 0)
		switches = f->switches / f->switch_n;
	(void)result_metric(r, "steal_percent", UNIT_PERCENT, steal);
	(void)result_metric(r, "taken_percent", UNIT_PERCENT, taken);
	(void)result_metric(r, "switches", UNIT_PER_S, switches);
	if (f->has_throttles)
		(void)result_metric(r, "throttle_events", UNIT_COUNT, (double)f->throttles);
	mark_variation(f, r);
	if (steal > CPU_TAKEN_PERCENT)
		result_mark(r, "steal", "the hypervisor gave %.1f %% of these processors' time to "
			    "others", steal);
	if (taken > CPU_TAKEN_PERCENT)
		result_mark(r, "disturbed", "other programs had %.1f %% of the time; a thread lost "
			    "its processor %.0f times per second", taken, switches);
	if (f->throttles)
		result_mark(r, "throttled", "processors were slowed for heat %" PRIu64 " times "
			    "while it ran", f->throttles);
}

bool cpu_burst_of(const double *rate, unsigned n, struct cpu_burst *burst)
{
	double last[CPU_CREW_SLICES_MAX];
	unsigned tail = n / SUSTAINED_SHARE < BURST_WINDOWS ? BURST_WINDOWS : n / SUSTAINED_SHARE;

	if (n < 2 * BURST_WINDOWS || n > CPU_CREW_SLICES_MAX)
		return false;
	burst->burst = stats_max(rate, BURST_WINDOWS);
	memcpy(last, rate + n - tail, tail * sizeof(*last));
	burst->sustained = stats_median(last, tail);
	if (!(burst->burst > 0))
		return false;
	burst->drop_percent = (burst->burst - burst->sustained) / burst->burst * 100;
	return true;
}
