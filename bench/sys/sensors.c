/* SPDX-License-Identifier: MIT */
/*
 * Sensors of the machine (kernel: Documentation/hwmon/sysfs-interface.rst). Disks have sensors too:
 * to read one is a command to the disk, and temperature.c does that.
 */
#include <stdio.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/sys/child.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/order.h"
#include "bench/sys/sysfs.h"
#include "lib/clock.h"
#include "lib/text.h"

#define READ_LIMIT_NS (3 * NS_PER_S)	/* some chips take a tenth of a second for each value */

/* What is not between the limits is no reading: an open input, or a chip that is not there. */
struct kind {
	const char *prefix;
	enum metric_unit unit;
	double scale;	/* of the files' whole numbers */
	double least, most;
	bool zero_is_absent;	/* nothing is connected */
	double limit_most;	/* of the limits: those the maker left open are absurd */
};

static const struct kind kinds[] = {
	{ "temp", UNIT_CELSIUS, 1e-3, -40, 125, true, 150 },
	{ "fan", UNIT_RPM, 1, 0, 60000, true, 60000 },
	{ "in", UNIT_VOLTS, 1e-3, -60, 500, true, 500 },
	{ "curr", UNIT_AMPERES, 1e-3, -500, 500, false, 500 },
	{ "power", UNIT_WATTS, 1e-6, 0, 20000, true, 20000 },
};

static const char *const disk_chips[] = { "drivetemp", "nvme" };

/* "temp12_input": "temp12" and its kind; NULL for other files. */
static const struct kind *kind_of(const char *file, char channel[32])
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t n = strlen(kinds[i].prefix), digits;

		if (strncmp(file, kinds[i].prefix, n))
			continue;
		digits = strspn(file + n, "0123456789");
		if (!digits || digits > 4 || (strcmp(file + n + digits, "_input") &&
		    (strcmp(file + n + digits, "_average") || kinds[i].unit != UNIT_WATTS)))
			continue;
		text_clean(channel, 32, file, n + digits);
		return &kinds[i];
	}
	return NULL;
}

static bool read_scaled(const char *dir, const char *channel, const char *what,
			const struct kind *k, double *value)
{
	char name[64];
	int64_t raw;

	snprintf(name, sizeof(name), "%s_%s", channel, what);
	if (!sysfs_read_i64(dir, name, &raw))
		return false;
	*value = (double)raw * k->scale;
	return true;
}

static bool read_limit(const char *dir, const char *channel, const char *what,
		       const struct kind *k, double *value)
{
	double limit;

	if (!read_scaled(dir, channel, what, k, &limit) || limit <= 0 || limit > k->limit_most)
		return false;
	*value = limit;
	return true;
}

static bool is_set(const char *dir, const char *channel, const char *what)
{
	char name[64];
	uint64_t set;

	snprintf(name, sizeof(name), "%s_%s", channel, what);
	return sysfs_read_u64(dir, name, &set) && set == 1;
}

static void read_value(const char *dir, const char *channel, const struct kind *k, struct sensor *s)
{
	bool read = read_scaled(dir, channel, "input", k, &s->value) ||
		    (k->unit == UNIT_WATTS && read_scaled(dir, channel, "average", k, &s->value));

	s->has_value = read && s->value >= k->least && s->value <= k->most &&
		       (!k->zero_is_absent || s->value != 0) && !is_set(dir, channel, "fault");
	/* a fan that stands still, though the chip knows that it should not */
	if (read && k->unit == UNIT_RPM && s->value == 0 && s->alarm)
		s->has_value = true;
	if (!s->has_value)
		s->value = 0;
}

/* False where nothing is known of the channel: nothing is connected to it. */
static bool read_sensor(const char *dir, const char *channel, const struct kind *k,
			struct sensor *s)
{
	static const char *const alarms[] = {
		"alarm", "crit_alarm", "max_alarm", "min_alarm", "emergency_alarm", "lcrit_alarm",
		"cap_alarm",
	};
	char name[64];

	s->unit = k->unit;
	for (size_t i = 0; i < sizeof(alarms) / sizeof(*alarms); i++)
		s->alarm |= is_set(dir, channel, alarms[i]);
	read_value(dir, channel, k, s);
	if (!s->has_value)
		return false;
	snprintf(name, sizeof(name), "%s_label", channel);
	if (!sysfs_read_text(dir, name, s->label, sizeof(s->label)))
		text_copy(s->label, sizeof(s->label), channel);
	s->has_max = read_limit(dir, channel, "max", k, &s->max) ||
		     (k->unit == UNIT_WATTS && read_limit(dir, channel, "cap", k, &s->max));
	s->has_critical = read_limit(dir, channel, "crit", k, &s->critical);
	return true;
}

static void read_chip(const char *dir, const char *chip, struct machine_info *m)
{
	char last[32] = "", channel[32];
	struct sysfs_names names;

	if (sysfs_list(dir, ".", &names) < 0)
		return;
	order_sort(names.name, names.n);
	for (size_t i = 0; i < names.n; i++) {
		const struct kind *k = kind_of(names.name[i], channel);
		struct sensor seen = { .has_value = false }, *s;

		if (!k || !strcmp(channel, last))	/* power1_average and power1_input */
			continue;
		text_copy(last, sizeof(last), channel);
		if (!read_sensor(dir, channel, k, &seen))
			continue;
		s = fields_add(&fields_machine, m, "sensors");
		text_copy(seen.chip, sizeof(seen.chip), chip);
		if (s)
			*s = seen;
	}
	sysfs_list_free(&names);
}

/* Older chips have their files one folder further up. */
static bool chip_folder(const char *class, const char *name, char dir[SYSFS_PATH_BYTES])
{
	char own[SYSFS_PATH_BYTES];

	if (!sysfs_join(own, class, name))
		return false;
	text_copy(dir, SYSFS_PATH_BYTES, own);
	return sysfs_exists(own, "name") ||
	       (sysfs_join(dir, own, "device") && sysfs_exists(dir, "name"));
}

static bool is_disk(const char *chip)
{
	for (size_t i = 0; i < sizeof(disk_chips) / sizeof(*disk_chips); i++)
		if (!strcmp(chip, disk_chips[i]))
			return true;
	return false;
}

/* The chip's name, with its device's where another chip has the same one. */
static void name_chip(const char *class, const struct sysfs_names *names, size_t at,
		      const char *name, char chip[64])
{
	char other[64], dir[SYSFS_PATH_BYTES], device[64];
	unsigned same = 0;

	for (size_t i = 0; i < names->n; i++)
		same += chip_folder(class, names->name[i], dir) &&
			sysfs_read_text(dir, "name", other, sizeof(other)) && !strcmp(other, name);
	text_copy(chip, 64, name);
	if (same > 1 && sysfs_join(dir, class, names->name[at]) &&
	    sysfs_link_name(dir, "device", device, sizeof(device)))
		snprintf(chip, 64, "%.31s %.31s", name, device);
}

void sensors_read(const char *root, struct machine_info *m)
{
	char class[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES], name[64], chip[64];
	struct sysfs_names names;

	if (!sysfs_join(class, root, "sys/class/hwmon") || sysfs_list(class, ".", &names) < 0)
		return;
	order_sort(names.name, names.n);
	for (size_t i = 0; i < names.n; i++) {
		if (!chip_folder(class, names.name[i], dir) ||
		    !sysfs_read_text(dir, "name", name, sizeof(name)) || is_disk(name))
			continue;
		name_chip(class, &names, i, name, chip);
		read_chip(dir, chip, m);
	}
	sysfs_list_free(&names);
}

struct reading {
	const char *root;
	struct machine_info *machine;
};

static void read_and_say(void *context)
{
	const struct reading *r = context;
	struct machine_info *m = r->machine;

	sensors_read(r->root, m);
	child_say(&m->sensors_n, sizeof(m->sensors_n));
	child_say(m->sensors, sizeof(m->sensors));
}

void sensors_read_guarded(const char *root, struct machine_info *m)
{
	struct reading r = { root, m };
	uint64_t until_ns = clock_ns() + READ_LIMIT_NS;
	struct child c;
	uint32_t n = 0;

	if (child_start(&c, read_and_say, &r) < 0)
		return;
	if (child_listen(&c, &n, sizeof(n), until_ns) == sizeof(n) &&
	    child_listen(&c, m->sensors, sizeof(m->sensors), until_ns) == sizeof(m->sensors))
		m->sensors_n = n;
	else
		memset(m->sensors, 0, sizeof(m->sensors));
	child_end(&c);
}
