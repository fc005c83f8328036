/* SPDX-License-Identifier: MIT */
/* Disk temperature from hwmon; see temperature.h. */
#include "bench/sys/temperature.h"

#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "lib/clock.h"

/* DIR/NAME is a sensor of a disk with a first input. */
static bool is_sensor(const char *dir, const char *name, char path[SYSFS_PATH_BYTES])
{
	char sensor[SYSFS_PATH_BYTES], driver[32];

	return sysfs_join(sensor, dir, name) &&
		sysfs_read_text(sensor, "name", driver, sizeof(driver)) &&
		(!strcmp(driver, "drivetemp") || !strcmp(driver, "nvme")) &&
		sysfs_exists(sensor, "temp1_input") && sysfs_join(path, sensor, "temp1_input");
}

/* A sensor among the entries of `dir`. */
static bool find_in(const char *dir, char path[SYSFS_PATH_BYTES])
{
	struct sysfs_names names;
	bool found = false;

	if (sysfs_list(dir, ".", &names) < 0)
		return false;
	for (size_t i = 0; i < names.n && !found; i++)
		found = !strncmp(names.name[i], "hwmon", 5) && is_sensor(dir, names.name[i], path);
	sysfs_list_free(&names);
	return found;
}

/*
 * The sensor of one block device: below its device, in a folder "hwmon" (drivetemp, whose parent is
 * a device of a bus) or without one (nvme, whose parent is one of a class).
 */
static bool find_of(const char *root, const char *name, char path[SYSFS_PATH_BYTES])
{
	char sys[SYSFS_PATH_BYTES], block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	char device[SYSFS_PATH_BYTES], folder[SYSFS_PATH_BYTES];

	if (!*name || strchr(name, '/') || !sysfs_join(sys, root, "sys") ||
	    !sysfs_join(block, sys, "block") || !sysfs_join(dir, block, name) ||
	    !sysfs_resolve(dir, "device", device))
		return false;
	return find_in(device, path) || (sysfs_join(folder, device, "hwmon") &&
					 find_in(folder, path));
}

bool temperature_find(const char *root, const struct disk *d, char path[SYSFS_PATH_BYTES])
{
	if (find_of(root, d->name, path))
		return true;
	for (uint32_t i = 0; i < d->path_n && i < DISK_PATHS_MAX; i++)
		if (find_of(root, d->path[i], path))
			return true;
	path[0] = '\0';
	return false;
}

bool temperature_read(const char *path, double *celsius)
{
	char dir[SYSFS_PATH_BYTES];
	int64_t milli;

	if (strlen(path) >= sizeof(dir))
		return false;
	strcpy(dir, path);
	if (!sysfs_parent(dir) || !sysfs_read_i64(dir, sysfs_base(path), &milli) || !milli ||
	    milli < TEMPERATURE_MIN_CELSIUS * 1000 || milli > TEMPERATURE_MAX_CELSIUS * 1000)
		return false;
	*celsius = (double)milli / 1000;
	return true;
}

struct reader {
	const char *path;
	uint64_t every_ns;
};

static void read_for_ever(void *context)
{
	const struct reader *r = context;
	const struct timespec pause = { .tv_sec = (time_t)(r->every_ns / NS_PER_S),
					.tv_nsec = (long)(r->every_ns % NS_PER_S) };
	struct temperature_value value;

	prctl(PR_SET_NAME, "bench-sensor");
	for (;;) {
		if (temperature_read(r->path, &value.celsius)) {
			value.at_ns = clock_ns();
			if (!child_say(&value, sizeof(value)))
				return;
		}
		nanosleep(&pause, NULL);
	}
}

int temperature_watch_start(struct temperature_watch *w, const char *path, uint64_t every_ns)
{
	struct reader r = { path, every_ns };

	return child_start(&w->child, read_for_ever, &r);
}

bool temperature_watch_take(struct temperature_watch *w, struct temperature_value *value)
{
	/* a value is far below PIPE_BUF: it has arrived whole or not at all */
	return child_listen(&w->child, value, sizeof(*value), 0) == sizeof(*value);
}

void temperature_watch_end(struct temperature_watch *w)
{
	child_end(&w->child);
}
