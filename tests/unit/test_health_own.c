/* SPDX-License-Identifier: MIT */
/* Our own readers: bytes of NVMe's log and of ATA's SMART data and statistics become values. */
#include "bench/health/ata_smart.h"
#include "bench/health/decode.h"
#include "bench/health/nvme_log.h"
#include "bench/health/plausible.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static void put(uint8_t *to, uint64_t value, unsigned bytes)
{
	while (bytes--) {
		*to++ = (uint8_t)value;
		value >>= 8;
	}
}

static void test_nvme(void)
{
	uint8_t log[NVME_LOG_BYTES] = { 0 }, identify[NVME_IDENTIFY_BYTES] = { 0 };
	struct health h;

	log[0] = 1 << 2 | 1 << 4;
	put(log + 1, 273 + 41, 2);
	log[3] = 88;
	log[4] = 10;
	log[5] = 131;
	put(log + 32, 2000, 8);
	put(log + 48, UINT64_MAX, 8);
	put(log + 112, 12, 8);
	put(log + 128, 8123, 8);
	put(log + 144, 3, 8);
	put(log + 160, 7, 8);
	put(log + 168, 1, 8);	/* bit 64 */
	put(log + 176, 40, 8);
	put(log + 192, 100, 4);
	put(log + 196, UINT32_MAX, 4);
	put(log + 216, 5, 4);
	put(log + 220, 2, 4);
	memset(log + 232, 0xFF, sizeof(log) - 232);
	health_init(&h);
	nvme_log_decode(log, &h);
	is_int(h.passed, TRI_NO, "a warning means that it did not pass");
	is_uint(h.warning_n, 2, "two warnings");
	is_str(h.warning[0].word, "reliability", "bit 2");
	is_str(h.warning[1].word, "backup", "bit 4");
	is_int(h.temperature_celsius, 41, "kelvin are converted");
	is_int(h.spare_percent, 88, "spare");
	is_int(h.spare_threshold_percent, 10, "threshold");
	is_int(h.wear_percent, 131, "wear over 100");
	is_int(h.read_bytes, 1024000000, "data units of 512000 bytes");
	is_int(h.written_bytes, INT64_MAX, "a counter too large saturates");
	is_str(h.doubt[0].name, "written_bytes", "with a doubt");
	is_int(h.power_cycles, 12, "power cycles");
	is_int(h.power_on_hours, 8123, "hours");
	is_int(h.unsafe_shutdowns, 3, "unsafe shutdowns");
	is_int(h.media_errors, INT64_MAX, "128 bits are looked at");
	is_int(h.error_log_entries, 40, "error log entries");
	is_int(h.temperature_warning_minutes, INT64_C(4294967395), "minutes add up over 32 bits");
	is_int(h.throttle_events, 7, "throttled");
	put(identify + 266, 273 + 75, 2);
	is_int(nvme_log_limit(identify), 75, "the maker's limit");
	put(identify + 266, 0, 2);
	is_int(nvme_log_limit(identify), INT32_MIN, "no limit is absent");
	memset(log, 0, sizeof(log));
	health_init(&h);
	nvme_log_decode(log, &h);
	is_int(h.temperature_celsius, INT32_MIN, "0 K is no sensor");
	is_int(h.passed, TRI_YES, "no warning: passed");
}

static void test_nvme_device(void)
{
	struct sysfs_fixture f;
	char to[128];

	sysfs_fixture_make(&f,
		"{nvme3} -> pci0000:00/0000:00:04.0/nvme/nvme3\n"
		"[nvme0n1] -> pci0000:00/0000:00:04.0/nvme/nvme3/nvme0n1\n"
		"[nvme1n1] -> virtual/nvme-subsystem/nvme-subsys1/nvme1n1\n"
		"@sys/devices/virtual/nvme-subsystem/nvme-subsys1\n"
		"nvme1n1/\nnvme7 -> ../nvme7\n");
	nvme_log_device(f.root, "nvme0n1", "/dev/nvme0n1", to, sizeof(to));
	is_str(to, "/dev/nvme3", "the controller is not the one of that number");
	nvme_log_device(f.root, "nvme1n1", "/dev/nvme1n1", to, sizeof(to));
	is_str(to, "/dev/nvme7", "below a subsystem the first controller");
	nvme_log_device(f.root, "nvme5", "", to, sizeof(to));
	is_str(to, "/dev/nvme5", "a controller without a namespace is itself");
	nvme_log_device(f.root, "nvme9n1", "/dev/nvme9n1", to, sizeof(to));
	is_str(to, "/dev/nvme9n1", "where sysfs knows nothing, the namespace");
	nvme_log_device(f.root, "../../etc", "/dev/x", to, sizeof(to));
	is_str(to, "/dev/x", "a path is no name");
	sysfs_fixture_remove(&f);
}

static void put_word(struct ata_smart *a, unsigned word, unsigned value)
{
	put(a->identify + 2 * word, value, 2);
}

static void put_text(struct ata_smart *a, unsigned word, unsigned bytes, const char *text)
{
	for (unsigned i = 0; i < bytes; i++)
		a->identify[2 * word + (i ^ 1)] = (uint8_t)(i < strlen(text) ? text[i] : ' ');
}

static void put_attribute(struct ata_smart *a, unsigned row, unsigned id, unsigned value,
			  uint64_t raw)
{
	uint8_t *at = a->smart + 2 + 12 * row;

	at[0] = (uint8_t)id;
	at[3] = (uint8_t)value;
	put(at + 5, raw, 6);
}

static void put_stat(struct ata_smart *a, unsigned page, unsigned offset, uint64_t value,
		     unsigned flags)
{
	a->has_page[page] = true;
	put(a->page[page], 1, 2);
	a->page[page][2] = (uint8_t)page;
	put(a->page[page] + offset, value, 7);
	a->page[page][offset + 7] = (uint8_t)flags;
}

static void make_drive(struct ata_smart *a)
{
	uint8_t sum = 0;

	memset(a, 0, sizeof(*a));
	a->has_smart = a->has_page[0] = true;
	a->passed = TRI_YES;
	put_text(a, 10, 20, "  SER-4711");
	put_text(a, 23, 8, "FW1");
	put_text(a, 27, 40, "INVENTED DISK 4000");
	put_word(a, 217, 7200);
	put_word(a, 106, 0x5000);	/* sectors of 4096 bytes */
	put_word(a, 117, 2048);
	put_attribute(a, 0, 190, 65, 35);
	put_attribute(a, 1, 5, 100, 3);
	put_attribute(a, 2, 9, 60, UINT64_C(0x4CD40000BF74));	/* packed: 49012 */
	put_attribute(a, 3, 194, 36, UINT64_C(0x0011002D0024));
	put_attribute(a, 4, 197, 100, 2);
	put_attribute(a, 5, 188, 100, UINT64_C(0x000900090009));
	put_attribute(a, 6, 241, 100, 12345);
	put_attribute(a, 7, 231, 3, 3);
	put_stat(a, 1, 24, 1000, 0xC0);
	put_stat(a, 4, 8, 9, 0x80);	/* supported, not valid */
	put_stat(a, 5, 32, 0xF6, 0xC0);	/* -10 */
	put_stat(a, 7, 8, 42, 0xC0);
	for (unsigned i = 0; i < 511; i++)
		sum = (uint8_t)(sum + a->smart[i]);
	a->smart[511] = (uint8_t)-sum;
}

static void test_ata(void)
{
	static struct ata_smart a;
	struct health h;

	make_drive(&a);
	health_init(&h);
	ata_smart_decode(&a, &h);
	is_int(h.state, HEALTH_READ, "read");
	is_str(h.serial, "SER-4711", "bytes of words are swapped back");
	is_str(h.model, "INVENTED DISK 4000", "the model");
	is_str(h.firmware, "FW1", "the firmware");
	is_uint(h.rotation_rpm, 7200, "the speed");
	is_int(h.power_on_hours, 49012, "hours are the low 32 bits");
	is_int(h.reallocated, 3, "attribute 5");
	is_int(h.pending, 2, "attribute 197");
	is_int(h.temperature_celsius, 36, "attribute 194 counts, though 190 comes first");
	is_int(h.written_bytes, 4096000, "statistics count sectors of the drive's size");
	is_int(h.wear_percent, 42, "the endurance indicator");
	is_int(h.uncorrectable, -1, "a statistic that is not valid is absent");
	is_int(h.temperature_highest_celsius, -10, "temperatures have a sign");
	is_uint(h.doubt_n, 1, "one doubt");
	is_str(h.doubt[0].name, "temperature_highest_celsius", "on the highest temperature");
	a.smart[100]++;
	a.page[7][2] = 6;
	health_init(&h);
	ata_smart_decode(&a, &h);
	is_str(h.doubt[0].name, "source", "a wrong checksum is a doubt");
	is_int(h.wear_percent, -1, "a page that is another is left");
	memset(&a, 0xFF, sizeof(a));
	a.sleeps = false;
	a.has_smart = true;
	memset(a.has_page, 1, sizeof(a.has_page));
	a.passed = TRI_UNKNOWN;
	health_init(&h);
	ata_smart_decode(&a, &h);
	is_int(h.state, HEALTH_READ, "a drive of ones is read");
	ok(h.power_on_hours < 0 && h.temperature_celsius == INT32_MIN, "and has no values");
	memset(&a, 0, sizeof(a));
	a.sleeps = true;
	health_init(&h);
	ata_smart_decode(&a, &h);
	is_int(h.state, HEALTH_STANDBY, "one that sleeps");
	a.sleeps = false;
	health_init(&h);
	ata_smart_decode(&a, &h);
	is_int(h.state, HEALTH_UNSUPPORTED, "one without SMART");
	ok(h.reason[0] != '\0', "says so");
}

/* Registers of an ATA drive, and sense data of other errors whose bytes are none. */
static void test_registers(void)
{
	const uint8_t descriptor[ATA_SENSE] = { 0x72, 1, 0, 0x1D, 0, 0, 0, 14,
		0x09, 12, 0, 0, 0, 0xFF, 0, 0, 0, 0xF4, 0, 0x2C, 0, 0x50 };
	const uint8_t other[ATA_SENSE] = { 0x72, 5, 0x20, 0, 0, 0, 0, 12, 0x00, 10 };
	const uint8_t fixed[ATA_SENSE] = { 0x70, 0, 1, 0, 0x50, 0, 0x80, 10, 0, 0, 0x4F, 0xC2,
					   0, 0x1D };
	const uint8_t refused[ATA_SENSE] = { 0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20, 0 };
	const uint8_t none[ATA_SENSE] = { 0 };
	struct ata_registers r;

	ok(ata_smart_registers(descriptor, &r), "a descriptor of ATA");
	ok(r.count == 0xFF && r.mid == 0xF4 && r.high == 0x2C && r.status == 0x50, "is read");
	ok(!ata_smart_registers(other, &r), "another descriptor is not");
	ok(ata_smart_registers(fixed, &r), "fixed format");
	ok(r.count == 0x80 && r.mid == 0x4F && r.high == 0xC2 && r.status == 0x50, "is read");
	ok(!ata_smart_registers(refused, &r), "a command refused is no drive that sleeps");
	ok(!ata_smart_registers(none, &r), "no sense data, no registers");
}

static void test_doubts(void)
{
	struct health h;

	health_init(&h);
	for (int i = 0; i < 40; i++) {
		char key[16];

		snprintf(key, sizeof(key), "key-%d", i);
		plausible_doubt(&h, key, "%d", i);
	}
	plausible_doubt(&h, "key-3", "again");
	is_uint(h.doubt_n, 40, "doubts are counted, each key once");
	is_str(h.doubt[15].text, "15", "and the first are kept");
}

int main(void)
{
	test_nvme();
	test_nvme_device();
	test_ata();
	test_registers();
	test_doubts();
	return tap_done();
}
