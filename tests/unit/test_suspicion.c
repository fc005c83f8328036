/* SPDX-License-Identifier: MIT */
/* Marks of suspicion: each case they are for is marked, and the sound one beside it is not. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/tests/suspicion.h"
#include "lib/clock.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static struct disk disk;
static struct suspicion_facts facts;
static struct result r;

/* A sound result: random reads of 4 KiB over a whole SSD at 400 MB/s for 10 s. */
static void sound(void)
{
	disk = (struct disk){ .name = "sda", .size_bytes = 512 * GIB, .rotational = DISK_SOLID,
			      .link_bytes_per_s = 600000000, .link = "SATA 6.0 Gb/s",
			      .logical_block_bytes = 512, .numa_node = -1 };
	facts = (struct suspicion_facts){ .idle_ns = 0 };
	result_init(&r, "rand-read-qd64", "sda");
	r.status = RESULT_OK;
	snprintf(r.access, sizeof(r.access), "read");
	snprintf(r.order, sizeof(r.order), "random");
	snprintf(r.engine, sizeof(r.engine), "libaio");
	r.block_bytes = 4096;
	r.depth = 64;
	r.jobs = 1;
	r.area_bytes = disk.size_bytes;
	r.has_io = true;
	r.series_ns = 200 * NS_PER_MS;
	r.io.measured_ns = 10 * NS_PER_S;
	r.io.series_n = 50;
	r.io.sampled_buffers = 1000;
	for (int i = 0; i < 50; i++) {
		r.io.series_bytes[i] = (uint64_t)(80 + i % 3) * 1000000;
		r.io.bytes += r.io.series_bytes[i];
	}
	hist_add(&r.io.lat, 650000, r.io.bytes / 4096);
	(void)result_metric(&r, "throughput", UNIT_BYTES_PER_S, (double)r.io.bytes / 10);
	r.has_disk_stat = true;
	r.disk_stat.read_bytes = r.io.bytes;
}

static void is_marked(const char *word, const char *what)
{
	suspicion_judge(&disk, &facts, &r);
	if (!ok(result_has_mark(&r, word) && r.mark_n == 1, "%s: %s", what, word))
		for (uint32_t i = 0; i < r.mark_n; i++)
			tap_diag("%s: %s", r.mark[i].word, r.mark[i].text);
	else
		tap_diag("%s", r.mark[0].text);
}

static void is_clean(const char *what)
{
	suspicion_judge(&disk, &facts, &r);
	if (!ok(r.mark_n == 0, "%s: no mark", what))
		for (uint32_t i = 0; i < r.mark_n; i++)
			tap_diag("%s: %s", r.mark[i].word, r.mark[i].text);
}

static void zeros_and_link(void)
{
	sound();
	is_clean("a sound result");
	sound();
	r.io.zero_buffers = 1000;
	is_marked("all-zero", "a disk that answers zeros");
	sound();
	r.io.zero_buffers = 999;
	is_clean("a disk with gaps");
	sound();
	r.io.sampled_buffers = r.io.zero_buffers = 15;
	is_clean("too few buffers to say");
	sound();
	disk.link_bytes_per_s = 300000000;
	is_marked("above-link", "more than the link carries");
	sound();
	disk.link_bytes_per_s = (uint64_t)((double)r.io.bytes / 10 / 1.01);
	is_clean("as much as the link carries, and a little");
	sound();
	disk.link_bytes_per_s = 0;
	is_clean("a link that is not known");
	sound();
	snprintf(r.access, sizeof(r.access), "mixed");
	r.disk_stat.write_bytes = r.io.bytes;
	disk.link_bytes_per_s = 300000000;
	(void)result_metric(&r, "read_throughput", UNIT_BYTES_PER_S, 200e6);
	(void)result_metric(&r, "write_throughput", UNIT_BYTES_PER_S, 200e6);
	is_clean("both directions of a mix fit into the link, though not their sum");
}

static void caches(void)
{
	sound();
	r.disk_stat.read_bytes = r.io.bytes / 10;
	disk.link_bytes_per_s = 300000000;
	is_marked("cached", "a read that the disk never saw, too fast for the link");
	sound();
	r.has_disk_stat = false;
	is_clean("a kernel that does not count");
	sound();
	r.disk_stat.read_bytes = 2 * MIB;
	r.area_bytes = 2 * MIB;
	snprintf(r.metric[0].name, sizeof(r.metric[0].name), "throughput_cached");
	is_clean("a test of the cache, which says so");
	sound();
	disk.rotational = DISK_ROTATING;
	hist_init(&r.io.lat);
	hist_add(&r.io.lat, 8000000, 800);
	hist_add(&r.io.lat, 90000, 200);
	is_marked("cached", "a rotating disk that answers without turning");
	sound();
	disk.rotational = DISK_ROTATING;
	hist_init(&r.io.lat);
	hist_add(&r.io.lat, 8000000, 950);
	hist_add(&r.io.lat, 90000, 50);
	is_clean("a rotating disk with a few hits");
	sound();
	hist_init(&r.io.lat);
	hist_add(&r.io.lat, 90000, 1000);
	is_clean("an SSD at the same speed");
	sound();
	snprintf(r.order, sizeof(r.order), "sequential");
	disk.rotational = DISK_ROTATING;
	hist_init(&r.io.lat);
	hist_add(&r.io.lat, 90000, 1000);
	is_clean("a rotating disk that reads ahead");
}

static void again(void)
{
	sound();
	r.area_bytes = 1000000000;
	for (int i = 0; i < 50; i++)
		r.io.series_bytes[i] = i < 10 ? 100000000 : 300000000;
	r.io.bytes = 13000000000;
	r.disk_stat.read_bytes = r.io.bytes;
	disk.link_bytes_per_s = 0;
	is_marked("cached", "a second pass that is faster");
	sound();
	r.area_bytes = 1000000000;
	is_clean("a second pass at the speed of the first");
	sound();
	r.area_bytes = 100000000;
	r.ramp_ns = NS_PER_S;
	is_marked("cached", "a small part of the disk again and again");
	sound();
	r.area_bytes = disk.size_bytes = 100000000;
	r.ramp_ns = NS_PER_S;
	is_clean("a small disk, all of it");
	sound();
	r.area_bytes = 8 * GIB;
	is_clean("a part that was not even read once");
}

static void over_time(void)
{
	sound();
	for (int i = 20; i < 50; i++)
		r.io.series_bytes[i] /= 2;
	is_marked("throttled", "a rate that falls and stays low");
	sound();
	for (int i = 20; i < 30; i++)
		r.io.series_bytes[i] /= 2;
	is_clean("a dip");
	sound();
	for (int i = 20; i < 50; i++)
		r.io.series_bytes[i] = (uint64_t)(i < 28 ? 20 : 45) * 1000000;
	is_clean("a rate that did not stay where it fell to");
	sound();
	for (int i = 0; i < 50; i++)
		r.io.series_bytes[i] -= (uint64_t)i * 900000;
	is_clean("a rotating disk on its way inwards");
	sound();
	snprintf(r.access, sizeof(r.access), "write");
	for (int i = 20; i < 50; i++)
		r.io.series_bytes[i] /= 2;
	is_clean("a write cache that is full");
	sound();
	r.io.series_bytes[30] = r.io.series_bytes[31] = 0;
	is_marked("paused", "0.4 s without a reply");
	sound();
	r.io.series_bytes[30] = r.io.series_bytes[35] = 0;
	is_clean("single empty intervals");
	sound();
	for (int i = 0; i < 50; i++)
		r.io.series_bytes[i] = i % 3 ? 0 : 4096;
	is_clean("a disk too slow to have one reply in each interval");
	sound();
	r.io.series_bytes[30] = r.io.series_bytes[31] = 0;
	r.status = RESULT_FAILED;
	is_clean("a failed test says so itself");
}

static void machine(void)
{
	sound();
	facts.has_celsius = true;
	facts.celsius = 84;
	facts.warn_celsius = 82;
	is_marked("throttled", "a disk above its own warning");
	sound();
	facts.has_celsius = true;
	facts.celsius = 70;
	facts.warn_celsius = 82;
	is_clean("a warm disk");
	sound();
	facts.has_celsius = true;
	facts.celsius = 84;
	is_clean("a disk that states no warning");
	sound();
	facts.cpu_throttles = 3;
	is_marked("throttled", "a processor that is too hot");
	sound();
	facts.idle_ns = 95000;
	facts.awake_ns = 60000;
	is_marked("idle-latency", "reads that wait for the processor");
	sound();
	facts.idle_ns = 65000;
	facts.awake_ns = 60000;
	is_clean("reads that hardly do");
	sound();
	facts.idle_ns = 5000;
	facts.awake_ns = 3000;
	is_clean("a few microseconds");
}

/* The looks at the machine, on a made-up one. */
static void looks(void)
{
	struct test_context c = { .disk = &disk, .write_fd = -1, .budget_ns = 4 * NS_PER_S };
	struct suspicion_start s;
	struct sysfs_fixture f;

	sound();
	r.depth = 1;
	r.area_bytes = 64 * MIB;
	disk.size_bytes = 64 * MIB;
	sysfs_fixture_make(&f,
		"[sda] -> pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda\n"
		"@sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0\n"
		"hwmon/hwmon0/temp1_input=61000\nhwmon/hwmon0/temp1_max=60000\n"
		"hwmon/hwmon0/name=drivetemp\n"
		"@sys/devices/system/cpu/cpu0\ntopology/physical_package_id=0\n"
		"topology/core_id=0\nthermal_throttle/core_throttle_count=5\n"
		"thermal_throttle/package_throttle_count=1\n"
		"@sys/devices/system/cpu/cpu1\ntopology/physical_package_id=0\n"
		"topology/core_id=1\nthermal_throttle/core_throttle_count=5\n");
	c.fd = memfd_create("disk", MFD_CLOEXEC);
	if (c.fd < 0 || ftruncate(c.fd, 64 * (off_t)MIB))
		tap_bail("no memory file");
	suspicion_before(f.root, &disk, &s);
	suspicion_after(f.root, &c, &r, &s, &facts);
	is_uint(facts.cpu_throttles, 0, "nothing was slowed meanwhile");
	ok(facts.has_celsius && facts.celsius == 61 && facts.warn_celsius == 60,
	   "the disk's temperature, and its limit");
	ok(!facts.idle_ns && !facts.awake_ns, "without /dev/cpu_dma_latency nothing is compared");
	sysfs_fixture_add(&f, "@sys/devices/system/cpu/cpu1/thermal_throttle\n"
			  "core_throttle_count=9\n@dev\ncpu_dma_latency=x\n");
	suspicion_after(f.root, &c, &r, &s, &facts);
	is_uint(facts.cpu_throttles, 4, "what came since is counted");
	ok(facts.idle_ns && facts.awake_ns, "both latencies are measured (%llu, %llu ns)",
	   (unsigned long long)facts.idle_ns, (unsigned long long)facts.awake_ns);
	r.depth = 64;
	suspicion_after(f.root, &c, &r, &s, &facts);
	ok(!facts.idle_ns, "not after a test of many at once");
	r.status = RESULT_FAILED;
	r.depth = 1;
	suspicion_after(f.root, &c, &r, &s, &facts);
	ok(!facts.idle_ns && !facts.has_celsius, "a disk that failed is asked nothing");
	close(c.fd);
	sysfs_fixture_remove(&f);
}

int main(void)
{
	zeros_and_link();
	caches();
	again();
	over_time();
	machine();
	looks();
	return tap_done();
}
