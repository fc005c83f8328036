/* SPDX-License-Identifier: MIT */
/* Frequency, temperature, power and stolen time of processors; see cpu_watch.h. */
#include "bench/sys/cpu_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/cpu_places.h"
#include "bench/sys/power.h"
#include "bench/sys/temperature.h"
#include "lib/file.h"

#define PROC_BYTES_MAX (64u << 20)
#define HWMON_INPUTS_MAX 64
#define HERTZ_MAX 20e9		/* beyond it a value is no frequency */
#define WATTS_MAX 1e5

/* ---- frequency ---- */

static int by_number(const void *key, const void *member)
{
	unsigned x = *(const unsigned *)key, y = *(const unsigned *)member;

	return x < y ? -1 : x > y;
}

static bool is_watched(const struct cpu_watch *w, unsigned cpu)
{
	return w->cpu_n && bsearch(&cpu, w->cpu, w->cpu_n, sizeof(*w->cpu), by_number);
}

/* Mean of the "cpu MHz" lines of the CPUs looked at; false where there are none. */
static bool cpuinfo_mhz(const struct cpu_watch *w, double *mhz, bool *measures)
{
	char path[SYSFS_PATH_BYTES], *text, *line, *rest;
	bool is_ours = false;
	double sum = 0;
	size_t len, n = 0;

	*measures = false;
	if (!sysfs_join(path, w->root, "proc/cpuinfo") ||
	    file_load(path, PROC_BYTES_MAX, &text, &len) < 0)
		return false;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		char *value = strchr(line, ':');

		if (value && !strncmp(line, "processor", 9))
			is_ours = is_watched(w, (unsigned)strtoul(value + 1, NULL, 10));
		if (value && is_ours && !strncmp(line, "cpu MHz", 7)) {
			sum += strtod(value + 1, NULL);
			n++;
		}
		/* without these counters the kernel repeats one constant */
		if (value && !*measures && !strncmp(line, "flags", 5))
			*measures = strstr(value, " aperfmperf") != NULL;
	}
	free(text);
	*mhz = n ? sum / (double)n : 0;
	return n > 0;
}

static bool cpufreq_hertz(const struct cpu_watch *w, double *hertz)
{
	char dir[SYSFS_PATH_BYTES], name[64];
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->cpu_n; i++) {
		uint64_t khz;

		snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%u/cpufreq", w->cpu[i]);
		if (!sysfs_join(dir, w->root, name) ||
		    !sysfs_read_u64(dir, "scaling_cur_freq", &khz) || !khz)
			continue;
		sum += (double)khz * 1000;
		n++;
	}
	*hertz = n ? sum / (double)n : 0;
	return n > 0;
}

static bool read_hertz(const struct cpu_watch *w, double *hertz)
{
	bool measures, has;

	if (w->has_cpufreq) {
		has = cpufreq_hertz(w, hertz);
	} else {
		has = w->has_cpuinfo_mhz && cpuinfo_mhz(w, hertz, &measures);
		*hertz = has ? *hertz * 1e6 : 0;
	}
	return has && *hertz > 0 && *hertz < HERTZ_MAX;
}

/* ---- temperature ---- */

/* Chips whose sensors sit in a processor. */
static bool is_processor(const char *chip)
{
	static const char *const chips[] = { "coretemp", "k10temp", "k8temp", "zenpower",
					     "cpu_thermal" };

	for (size_t i = 0; i < sizeof(chips) / sizeof(*chips); i++)
		if (!strcmp(chip, chips[i]))
			return true;
	return false;
}

/* Labels that stand for the whole processor. Tctl may hold an offset that Tdie has not. */
static bool is_package(const char *label, bool has_tdie)
{
	return !strncmp(label, "Package", 7) || !strcmp(label, "Tdie") ||
	       (!has_tdie && !strcmp(label, "Tctl"));
}

static bool has_label(const char *dir, const char *wanted)
{
	char name[32], label[64];

	for (unsigned i = 1; i <= HWMON_INPUTS_MAX; i++) {
		snprintf(name, sizeof(name), "temp%u_label", i);
		if (sysfs_read_text(dir, name, label, sizeof(label)) &&
		    !strncmp(label, wanted, strlen(wanted)))
			return true;
	}
	return false;
}

/* Adds the chip's inputs: those of the whole processor, or all where none is called so. */
static void add_chip(struct cpu_watch *w, const char *dir)
{
	bool tdie = has_label(dir, "Tdie");
	bool named = tdie || has_label(dir, "Tctl") || has_label(dir, "Package");
	char name[32], label[64];

	for (unsigned i = 1; i <= HWMON_INPUTS_MAX && w->sensor_n < CPU_WATCH_SENSORS_MAX; i++) {
		snprintf(name, sizeof(name), "temp%u_label", i);
		if (named && (!sysfs_read_text(dir, name, label, sizeof(label)) ||
			      !is_package(label, tdie)))
			continue;
		snprintf(name, sizeof(name), "temp%u_input", i);
		if (sysfs_exists(dir, name) && sysfs_join(w->sensor[w->sensor_n], dir, name))
			w->sensor_n++;
	}
}

static void find_sensors(struct cpu_watch *w)
{
	char dir[SYSFS_PATH_BYTES], one[SYSFS_PATH_BYTES], chip[32];
	struct sysfs_names names;

	if (!sysfs_join(dir, w->root, "sys/class/hwmon") || sysfs_list(dir, ".", &names))
		return;
	for (size_t i = 0; i < names.n; i++)
		if (sysfs_join(one, dir, names.name[i]) &&
		    sysfs_read_text(one, "name", chip, sizeof(chip)) && is_processor(chip))
			add_chip(w, one);
	sysfs_list_free(&names);
}

static bool read_celsius(const struct cpu_watch *w, double *celsius)
{
	bool has = false;
	double one;

	for (size_t i = 0; i < w->sensor_n; i++) {
		if (!temperature_read(w->sensor[i], &one) || (has && one <= *celsius))
			continue;
		*celsius = one;
		has = true;
	}
	return has;
}

/* ---- power ---- */

/* RAPL's packages; their parts (core, dram) are folders below, and psys is the whole board. */
static void find_domains(struct cpu_watch *w)
{
	char dir[SYSFS_PATH_BYTES], name[64];
	struct sysfs_names names;

	if (!sysfs_join(dir, w->root, "sys/class/powercap") || sysfs_list(dir, ".", &names))
		return;
	for (size_t i = 0; i < names.n && w->domain_n < CPU_WATCH_DOMAINS_MAX; i++) {
		char *domain = w->domain[w->domain_n];

		/* intel-rapl-mmio counts the same packages once more */
		if (strncmp(names.name[i], "intel-rapl:", 11) ||
		    !sysfs_join(domain, dir, names.name[i]) ||
		    !sysfs_read_text(domain, "name", name, sizeof(name)) ||
		    strncmp(name, "package", 7))
			continue;
		w->domain_n++;
	}
	sysfs_list_free(&names);
}

/* Energy since the reading before, of all packages; false where one of them tells none. */
static bool take_energy(struct cpu_watch *w, double *joule)
{
	bool all = w->domain_n > 0;

	*joule = 0;
	for (size_t i = 0; i < w->domain_n; i++) {
		uint64_t now_uj, spent_uj, range_uj = 0;
		bool had = w->has_energy[i];

		w->has_energy[i] = sysfs_read_u64(w->domain[i], "energy_uj", &now_uj);
		if (!w->has_energy[i]) {
			all = false;
			continue;
		}
		(void)sysfs_read_u64(w->domain[i], "max_energy_range_uj", &range_uj);
		spent_uj = power_spent_uj(w->energy_uj[i], now_uj, range_uj);
		w->energy_uj[i] = now_uj;
		all = all && had && spent_uj;
		*joule += (double)spent_uj / 1e6;
	}
	return all;
}

/* ---- all of it ---- */

void cpu_watch_start(struct cpu_watch *w, const char *root, const unsigned *cpu, size_t n,
		     uint64_t now_ns)
{
	size_t kept = n < CPU_WATCH_CPUS_MAX ? n : CPU_WATCH_CPUS_MAX;
	double ignored;
	bool measures;

	memset(w, 0, sizeof(*w));
	if (strlen(root) >= sizeof(w->root))
		return;
	strcpy(w->root, root);
	for (size_t i = 0; i < kept; i++)
		w->cpu[i] = cpu[i * n / kept];
	w->cpu_n = kept;
	w->has_cpufreq = cpufreq_hertz(w, &ignored);
	if (!w->has_cpufreq)
		w->has_cpuinfo_mhz = cpuinfo_mhz(w, &ignored, &measures) && measures;
	find_sensors(w);
	find_domains(w);
	(void)take_energy(w, &ignored);
	w->energy_at_ns = now_ns;
}

void cpu_watch_look(struct cpu_watch *w, uint64_t now_ns, struct cpu_watch_look *look)
{
	double joule, seconds = (double)(now_ns - w->energy_at_ns) / 1e9;

	*look = (struct cpu_watch_look){ .has_hertz = false };
	look->has_hertz = read_hertz(w, &look->hertz);
	look->has_celsius = read_celsius(w, &look->celsius);
	if (take_energy(w, &joule) && seconds > 0) {
		look->watts = joule / seconds;
		look->has_watts = look->watts > 0 && look->watts < WATTS_MAX;
	}
	w->energy_at_ns = now_ns;
}

bool cpu_watch_throttles(const char *root, uint64_t *sum)
{
	struct cpu_info c = { .sockets = 0 };
	struct cpu_set_online online;

	cpu_places_read(root, &online, &c);
	cpu_places_count(&online.places, &c);
	cpu_freq_read_throttles(&online, &c);
	cpu_places_close(&online);
	*sum = 0;
	if (c.core_throttles > 0)
		*sum += (uint64_t)c.core_throttles;
	if (c.package_throttles > 0)
		*sum += (uint64_t)c.package_throttles;
	return c.core_throttles >= 0 || c.package_throttles >= 0;
}

/* "cpu3 user nice system idle iowait irq softirq steal guest guest_nice": guests are in user. */
static bool take_line(const char *line, const unsigned *cpu, size_t n, struct cpu_watch_ticks *t)
{
	uint64_t value[8];
	unsigned number;
	int used = 0;

	/* the line of all CPUs has blanks there, which %u would skip */
	if (line[3] < '0' || line[3] > '9' || sscanf(line, "cpu%u %n", &number, &used) != 1 ||
	    !used || !bsearch(&number, cpu, n, sizeof(*cpu), by_number))
		return false;
	for (int i = 0; i < 8; i++) {
		char *end;

		value[i] = strtoull(line + used, &end, 10);
		used = (int)(end - line);
		t->all += value[i];
	}
	t->steal += value[7];
	return true;
}

bool cpu_watch_ticks(const char *root, const unsigned *cpu, size_t n, struct cpu_watch_ticks *t)
{
	char path[SYSFS_PATH_BYTES], *text, *line, *rest;
	bool any = false;
	size_t len;

	*t = (struct cpu_watch_ticks){ .all = 0 };
	if (!sysfs_join(path, root, "proc/stat") ||
	    file_load(path, PROC_BYTES_MAX, &text, &len) < 0)
		return false;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		if (strncmp(line, "cpu", 3))
			break;
		any |= take_line(line, cpu, n, t);
	}
	free(text);
	return any;
}
