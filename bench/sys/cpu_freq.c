/* SPDX-License-Identifier: MIT */
/* How fast the processors may run, who decides it, and how often heat has slowed them down. */
#include <stdio.h>
#include <string.h>

#include "bench/sys/cpu_places.h"
#include "bench/sys/sysfs.h"
#include "bench/sys/words.h"
#include "lib/text.h"

/* Each word once. */
static void add_word(char *to, size_t size, const char *word)
{
	if (!words_hold(to, word))
		words_append(to, size, " ", word);
}

static uint64_t read_hz(const char *dir, const char *name, uint64_t unit_hz)
{
	uint64_t value;

	/* no processor has 1,000 GHz: a driver that does not know may say 2^32-1 kHz */
	if (!sysfs_read_u64(dir, name, &value) || value > UINT64_C(1000000000000) / unit_hz)
		return 0;
	return value * unit_hz;
}

static void raise(uint64_t *to, uint64_t value)
{
	if (value > *to)
		*to = value;
}

static void read_cpu(const char *dir, struct cpu_info *c)
{
	uint64_t min = read_hz(dir, "cpufreq/cpuinfo_min_freq", 1000);
	char word[32];

	if (min && (!c->min_hz || min < c->min_hz))
		c->min_hz = min;
	raise(&c->max_hz, read_hz(dir, "cpufreq/cpuinfo_max_freq", 1000));
	/* intel_pstate's in kHz; else ACPI's in MHz */
	raise(&c->base_hz, read_hz(dir, "cpufreq/base_frequency", 1000));
	if (!c->base_hz)
		c->base_hz = read_hz(dir, "acpi_cppc/nominal_freq", 1000000);
	if (sysfs_read_text(dir, "cpufreq/scaling_governor", word, sizeof(word)))
		add_word(c->governor, sizeof(c->governor), word);
	if (sysfs_read_text(dir, "cpufreq/scaling_driver", word, sizeof(word)))
		add_word(c->driver, sizeof(c->driver), word);
}

static void read_boost(const char *dir, struct cpu_info *c)
{
	uint64_t value;

	c->boost = TRI_UNKNOWN;
	if (sysfs_read_u64(dir, "intel_pstate/no_turbo", &value))
		c->boost = value ? TRI_NO : TRI_YES;
	else if (sysfs_read_u64(dir, "cpufreq/boost", &value))
		c->boost = value ? TRI_YES : TRI_NO;
}

/* -1 where it cannot be read. */
static int64_t read_count(const struct cpu_set_online *s, unsigned cpu, const char *what)
{
	char name[64];
	uint64_t count;

	snprintf(name, sizeof(name), "cpu%u/thermal_throttle/%s", cpu, what);
	return sysfs_read_u64(s->dir, name, &count) && count <= INT64_MAX ? (int64_t)count : -1;
}

/* The sum over groups of CPUs (places are sorted) of the highest count in each. */
static int64_t sum_counts(const struct cpu_set_online *s, const char *what, bool by_core)
{
	int64_t sum = -1, highest = -1;

	for (size_t i = 0; i < s->places.n; i++) {
		const struct cpu_place *p = &s->places.place[i], *next = p + 1;
		int64_t count = read_count(s, p->cpu, what);

		if (count > highest)
			highest = count;
		if (i + 1 < s->places.n && p->package == next->package &&
		    (!by_core || !cpu_place_compare(p, next)))
			continue;
		if (highest >= 0)
			sum = (sum < 0 ? 0 : sum) > INT64_MAX - highest ? INT64_MAX :
				(sum < 0 ? 0 : sum) + highest;
		highest = -1;
	}
	return sum;
}

void cpu_freq_read_throttles(const struct cpu_set_online *s, struct cpu_info *c)
{
	/* each thread counts what its core, and what its package, was told */
	c->core_throttles = sum_counts(s, "core_throttle_count", true);
	c->package_throttles = sum_counts(s, "package_throttle_count", false);
}

void cpu_freq_read(const struct cpu_set_online *s, struct cpu_info *c)
{
	char name[32], dir[SYSFS_PATH_BYTES];

	for (size_t i = 0; i < s->n; i++) {
		snprintf(name, sizeof(name), "cpu%u", s->cpu[i]);
		if (sysfs_join(dir, s->dir, name))
			read_cpu(dir, c);
	}
	read_boost(s->dir, c);
	cpu_freq_read_throttles(s, c);
}
