/* SPDX-License-Identifier: MIT */
/* Temperatures: the right sensor, no implausible value, and nobody waits for one. */
#include "bench/sys/temperature.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/text.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static const char tree[] =
	"[sda] -> pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda\n"
	"device/hwmon/hwmon3/name=drivetemp\n"
	"device/hwmon/hwmon3/temp1_input=31000\n"
	"[sdb] -> pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0/block/sdb\n"
	"device/hwmon/hwmon4/name=acpitz\n"
	"device/hwmon/hwmon4/temp1_input=27000\n"
	"[sdc] -> pci0000:00/0000:00:1f.2/ata3/host2/target2:0:0/2:0:0:0/block/sdc\n"
	"[nvme0n1] -> pci0000:00/0000:00:01.0/0000:01:00.0/nvme/nvme0/nvme0n1\n"
	"device/hwmon1/name=nvme\n"
	"device/hwmon1/temp1_input=44850\n"
	"device/hwmon1/temp2_input=50850\n"
	"{nvme7} -> pci0000:00/0000:00:05.0/nvme/nvme7\n"
	"hwmon9/name=nvme\n"
	"hwmon9/temp1_input=52850\n"
	"[nvme1c7n1] -> pci0000:00/0000:00:05.0/nvme/nvme7/nvme1c7n1\n"
	"@sys/devices/virtual/nvme-subsystem/nvme-subsys1\n"
	"[nvme1n1] -> virtual/nvme-subsystem/nvme-subsys1/nvme1n1\n";

static bool find(const struct sysfs_fixture *f, const char *name, const char *other, char *path)
{
	struct disk d = { .path_n = other ? 2 : 1 };

	text_copy(d.name, sizeof(d.name), name);
	text_copy(d.path[0], sizeof(d.path[0]), name);
	if (other)
		text_copy(d.path[1], sizeof(d.path[1]), other);
	return temperature_find(f->root, &d, path);
}

static void check_find(const struct sysfs_fixture *f)
{
	char path[SYSFS_PATH_BYTES];
	double celsius = -1;

	ok(find(f, "sda", NULL, path) && temperature_read(path, &celsius), "an ATA disk has one");
	is_near(celsius, 31, 1e-9, "its temperature");
	ok(!find(f, "sdb", NULL, path) && !path[0], "a sensor of another kind is none of the disk");
	ok(!find(f, "sdc", NULL, path), "a disk without one");
	ok(!find(f, "sdz", NULL, path), "a disk that is gone");
	ok(!find(f, "../class", NULL, path), "a name is no path");
	ok(find(f, "nvme0n1", NULL, path) && temperature_read(path, &celsius), "an NVMe disk");
	is_near(celsius, 44.85, 1e-9, "its composite temperature");
	ok(!find(f, "nvme1n1", NULL, path), "a multipath head has none itself");
	ok(find(f, "nvme1n1", "nvme1c7n1", path) && temperature_read(path, &celsius),
	   "but its path has");
	is_near(celsius, 52.85, 1e-9, "that one");
}

static bool reads(struct sysfs_fixture *f, const char *text, double *celsius)
{
	char path[SYSFS_PATH_BYTES];

	sysfs_fixture_write(f, "sensor/temp1_input", text, strlen(text));
	snprintf(path, sizeof(path), "%s/sensor/temp1_input", f->root);
	return temperature_read(path, celsius);
}

static void check_values(struct sysfs_fixture *f)
{
	static const char *const bad[] = {
		"0\n", "-40001\n", "125001\n", "-273150\n", "255000\n", "", "\n", "hot\n", "31,5\n",
		"99999999999999999999\n",
	};
	double celsius = -1;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(!reads(f, bad[i], &celsius) && celsius < 0, "%.*s is no temperature",
		   (int)strcspn(bad[i], "\n"), bad[i]);
	ok(reads(f, "-40000\n", &celsius), "-40 is one");
	ok(reads(f, "125000\n", &celsius), "125 too");
	ok(reads(f, "1000\n", &celsius), "and 1");
	is_near(celsius, 1, 1e-9, "in degrees");
	ok(!temperature_read("/nowhere/temp1_input", &celsius), "no sensor, no temperature");
}

/* Waits up to 10 s for a value. */
static bool wait_value(struct temperature_watch *w, struct temperature_value *value)
{
	const struct timespec step = { .tv_nsec = 2000000 };

	for (int i = 0; i < 5000; i++, nanosleep(&step, NULL))
		if (temperature_watch_take(w, value))
			return true;
	return false;
}

static void check_watch(const struct sysfs_fixture *f)
{
	struct temperature_watch w = { .child = { .pid = 0 } };
	struct temperature_value value, later;
	char path[SYSFS_PATH_BYTES];
	uint64_t before_ns = clock_ns();
	pid_t pid;

	ok(!temperature_watch_take(&w, &value), "without a watch nothing arrives");
	temperature_watch_end(&w);
	(void)find(f, "sda", NULL, path);
	is_int(temperature_watch_start(&w, path, 10 * NS_PER_MS), 0, "a watch begins");
	ok(wait_value(&w, &value), "a value arrives");
	is_near(value.celsius, 31, 1e-9, "the sensor's");
	ok(value.at_ns >= before_ns && value.at_ns <= clock_ns(), "with its time");
	ok(wait_value(&w, &later) && later.at_ns > value.at_ns, "and another");
	pid = w.child.pid;
	temperature_watch_end(&w);
	ok(kill(pid, 0) < 0, "the reader is gone");
	ok(!temperature_watch_take(&w, &value), "nothing comes after the end");
}

/* A FIFO that nobody writes to holds no value. */
static void check_stuck(const struct sysfs_fixture *f)
{
	struct temperature_watch w;
	struct temperature_value value;
	char path[SYSFS_PATH_BYTES];
	int held[2], got;
	uint64_t before_ns;

	snprintf(path, sizeof(path), "%s/stuck", f->root);
	if (!ok(mkfifo(path, 0600) == 0 && pipe2(held, O_NONBLOCK) == 0, "a stuck sensor"))
		return;
	is_int(temperature_watch_start(&w, path, NS_PER_MS), 0, "a watch begins");
	usleep(100000);
	before_ns = clock_ns();
	ok(!temperature_watch_take(&w, &value), "no value arrives");
	ok(clock_ns() - before_ns < 50 * NS_PER_MS, "and nobody waits for it");
	close(held[1]);
	got = (int)read(held[0], &value, 1);
	is_int(got, 0, "the reader holds nothing else open");
	close(held[0]);
	temperature_watch_end(&w);
	ok(!w.child.pid, "it can be ended");
}

int main(void)
{
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, tree);
	check_find(&f);
	check_values(&f);
	check_watch(&f);
	check_stuck(&f);
	sysfs_fixture_remove(&f);
	return tap_done();
}
