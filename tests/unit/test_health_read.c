/* SPDX-License-Identifier: MIT */
/*
 * Asking disks for their health: processes that answer, hang, or say too much; which device is
 * asked how; what an answer makes of it. In the place of smartctl stands a script.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/health/ask.h"
#include "bench/health/health.h"
#include "bench/health/smartctl.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/report_fixtures.h"
#include "tests/unit/tap.h"

static char dir[] = "/tmp/test_health.XXXXXX";
static char script[64], calls[64];

/* Writes the script; $ARGS are its arguments in a line, and each call is noted. */
static void write_script(const char *body)
{
	char text[8192];
	int n = snprintf(text, sizeof(text), "#!/bin/sh\nARGS=\"$*\"\necho \"$ARGS\" >>%s\n%s\n",
			 calls, body);

	unlink(calls);
	if (n < 0 || n >= (int)sizeof(text) || file_replace(script, text, (size_t)n) ||
	    chmod(script, 0755))
		tap_bail("the script cannot be written");
}

static void add_disk(struct disk_list *l, const char *name, const char *transport,
		     enum disk_skip skip)
{
	struct disk d = { .skip = skip };

	snprintf(d.name, sizeof(d.name), "%s", name);
	snprintf(d.node, sizeof(d.node), "/dev/test-%s", name);
	snprintf(d.transport, sizeof(d.transport), "%s", transport);
	snprintf(d.serial, sizeof(d.serial), "serial-of-%s", name);
	if (disk_list_add(l, &d))
		tap_bail("no memory");
}

/* Reads the health of `l` with the script in smartctl's place. */
static void read_all(struct report *r, const struct disk_list *l, unsigned one_ms)
{
	const struct health_request q = {
		.disks = l, .when = "start", .with_raw = true, .with_hidden = true,
		.smartctl = script, .one_ms = one_ms, .deadline_ns = clock_ns() + 60 * NS_PER_S,
		.stop_fd = -1,
	};

	report_init(r);
	is_int(health_read(r, &q), 0, "read");
}

static const struct health *of(const struct report *r, const char *target)
{
	static struct health none;

	for (size_t i = 0; i < r->health_n; i++)
		if (!strcmp(r->health[i].target, target))
			return &r->health[i];
	ok(false, "there is an entry for %s", target);
	return &none;
}

static bool was_called(const char *part)
{
	char *text = NULL;
	size_t len;
	bool found = !file_load(calls, 1 << 16, &text, &len) && strstr(text, part);

	free(text);
	return found;
}

/* What each kind of disk is asked, and that others are not. */
static void test_ways(void)
{
	struct disk_list l = { 0 };
	struct report r;

	write_script("case $ARGS in\n"
		     "*--scan*) echo '{\"devices\":[{\"name\":\"/dev/bus/0\",\"type\":"
		     "\"megaraid,8\"},{\"name\":\"/dev/bus/0\",\"type\":\"megaraid,9\"}]}';;\n"
		     "*megaraid,9*) echo '{\"device\":{\"protocol\":\"ATA\"},\"serial_number\":"
		     "\"serial-of-sda\",\"power_on_time\":{\"hours\":5},\"smartctl\":"
		     "{\"exit_status\":0}}';;\n"
		     "*'-d sat /dev/test-sdu'*) echo '{\"smartctl\":{\"exit_status\":2}}';;\n"
		     "*'-d sat /dev/test-sdv'*) ;;\n"
		     "*sd[uv]*) echo '{\"smartctl\":{\"exit_status\":1,\"messages\":[{\"string\":"
		     "\"/dev/sdu: Unknown USB bridge [0x1:0x2]\"}]}}';;\n"
		     "*) echo noise; echo '{\"device\":{\"protocol\":\"ATA\"},\"power_on_time\":"
		     "{\"hours\":7},\"smartctl\":{\"exit_status\":64}}';;\nesac");
	add_disk(&l, "sda", "sata", DISK_TAKEN);
	add_disk(&l, "sdb", "sas", DISK_CANNOT_OPEN);
	add_disk(&l, "sdc", "raid", DISK_TAKEN);
	add_disk(&l, "sdd", "sata", DISK_EXCLUDED);
	add_disk(&l, "sde", "sas", DISK_SECOND_PATH);
	add_disk(&l, "sdf", "sata", DISK_NO_ANSWER);
	add_disk(&l, "sdu", "usb", DISK_TAKEN);
	add_disk(&l, "sdv", "usb", DISK_TAKEN);
	add_disk(&l, "vda", "virtio", DISK_TAKEN);
	add_disk(&l, "pmem0", "other", DISK_TAKEN);
	add_disk(&l, "loop0", "", DISK_LOOP);
	is_uint(health_count(&l, 0), 8, "eight of the devices are disks to ask");
	read_all(&r, &l, 10000);
	is_uint(r.health_n, 9, "each has an entry, and one behind a controller");
	is_int(of(&r, "sda")->power_on_hours, 7, "SATA is read");
	is_str(of(&r, "sda")->serial, "serial-of-sda", "discovery adds the serial number");
	ok(of(&r, "sda")->raw && strstr(of(&r, "sda")->raw, "power_on_time"),
	   "the raw text is kept");
	is_int(of(&r, "sdb")->power_on_hours, 7, "SAS is read though it cannot be opened");
	is_int(of(&r, "sdc")->state, HEALTH_UNSUPPORTED, "a RAID volume is not asked");
	is_int(of(&r, "sdf")->state, HEALTH_TIMEOUT, "nor a disk that hung before");
	is_str(of(&r, "sdu")->reason, "not readable behind USB bridge", "an unknown USB bridge");
	is_int(of(&r, "sdu")->state, HEALTH_UNSUPPORTED, "is unsupported");
	is_int(of(&r, "sdv")->state, HEALTH_UNSUPPORTED, "also one that then says nothing");
	is_int(of(&r, "vda")->state, HEALTH_UNSUPPORTED, "virtio has none");
	is_str(of(&r, "pmem0")->reason, "it gives no data on its health",
	       "what has no transport is not called by it");
	is_str(of(&r, "")->device, "/dev/bus/0 megaraid,8",
	       "a disk behind the controller is named");
	is_int(of(&r, "")->power_on_hours, 7, "and read");
	ok(was_called("-x --nocheck=standby,3 -d sat /dev/test-sda"), "SATA as SAT");
	ok(was_called("-d scsi /dev/test-sdb"), "SAS as SCSI");
	ok(was_called("3 /dev/test-sdu"), "USB as smartctl chooses");
	ok(was_called("-d sat /dev/test-sdu"), "then as SAT");
	for (const char *const *name = (const char *const[]){ "sdc", "sdd", "sde", "sdf", "vda",
							      "loop0", NULL }; *name; name++)
		ok(!was_called(*name), "%s is never touched", *name);
	report_free(&r);
	disk_list_free(&l);
}

/* One that hangs costs its own entry and its own time. */
static void test_hanging(void)
{
	struct disk_list l = { 0 };
	struct report r;
	uint64_t begin_ns;

	write_script("case $ARGS in\n*sdb*) echo '{'; exec sleep 60;;\n"
		     "*sdc*) exec >&- 2>&-; exec sleep 60;;\n"
		     "*--scan*) exec sleep 60;;\n"
		     "*) echo '{\"device\":{\"protocol\":\"ATA\"},\"power_on_time\":"
		     "{\"hours\":7}}';;\nesac");
	add_disk(&l, "sda", "sas", DISK_TAKEN);
	add_disk(&l, "sdb", "sas", DISK_TAKEN);
	add_disk(&l, "sdc", "sas", DISK_TAKEN);
	begin_ns = clock_ns();
	read_all(&r, &l, 1500);
	ok(clock_ns() - begin_ns < 30 * NS_PER_S, "nobody waits for one that hangs");
	is_int(of(&r, "sda")->state, HEALTH_READ, "the others are read");
	is_int(of(&r, "sdb")->state, HEALTH_TIMEOUT, "one that says half hangs");
	is_str(of(&r, "sdb")->reason, "no answer in 1.5 s: whoever asked was left behind",
	       "it says so");
	is_int(of(&r, "sdc")->state, HEALTH_TIMEOUT, "one that closes its end and stays, too");
	report_free(&r);
	disk_list_free(&l);
}

/* A signal, or the run's deadline, ends it at once; every disk still has its entry. */
static void test_stop(void)
{
	struct health_request q = {
		.when = "end", .smartctl = script, .deadline_ns = clock_ns() + 60 * NS_PER_S,
	};
	struct disk_list l = { 0 };
	struct report r;
	int ends[2];

	write_script("exec sleep 60");
	add_disk(&l, "sda", "sas", DISK_TAKEN);
	add_disk(&l, "sdb", "sata", DISK_TAKEN);
	if (pipe(ends) || write(ends[1], "x", 1) != 1)
		tap_bail("no pipe");
	q.disks = &l;
	q.stop_fd = ends[0];
	report_init(&r);
	is_int(health_read(&r, &q), 0, "it comes back");
	is_int(of(&r, "sda")->state, HEALTH_TIMEOUT, "without an answer");
	is_str(of(&r, "sdb")->when, "end", "each has its entry");
	ok(of(&r, "sdb")->reason[0] != '\0', "and a reason");
	report_free(&r);
	q.stop_fd = -1;
	q.deadline_ns = 0;
	report_init(&r);
	is_int(health_read(&r, &q), 0, "the same with no time left");
	is_uint(r.health_n, 2, "and two entries");
	report_free(&r);
	close(ends[0]);
	close(ends[1]);
	disk_list_free(&l);
}

/* Without a smartctl that works: a reason, never silence. */
static void test_without_smartctl(void)
{
	struct health_request q = {
		.when = "start", .smartctl = "", .deadline_ns = clock_ns() + 60 * NS_PER_S,
		.stop_fd = -1,
	};
	struct disk_list l = { 0 };
	struct report r;

	add_disk(&l, "sda", "sas", DISK_TAKEN);
	add_disk(&l, "sdb", "sata", DISK_TAKEN);
	add_disk(&l, "nvme7n1", "nvme", DISK_TAKEN);
	q.disks = &l;
	report_init(&r);
	is_int(health_read(&r, &q), 0, "read");
	is_int(of(&r, "sda")->state, HEALTH_UNSUPPORTED, "SAS cannot be read");
	is_int(of(&r, "sdb")->state, HEALTH_FAILED, "SATA is asked by our own reader");
	is_str(of(&r, "sdb")->source, "own reader", "which says that it was it");
	ok(strstr(of(&r, "sdb")->reason, strerror(ENOENT)), "and what came in its way");
	is_str(of(&r, "nvme7n1")->source, "own reader", "so is NVMe");
	report_free(&r);
	write_script("kill -9 $$");
	q.smartctl = script;
	report_init(&r);
	is_int(health_read(&r, &q), 0, "one that is killed");
	is_int(of(&r, "sda")->state, HEALTH_FAILED, "is a failure");
	is_str(of(&r, "sda")->reason, "it said nothing", "with a reason");
	report_free(&r);
	q.smartctl = "/nonexistent/smartctl";
	report_init(&r);
	is_int(health_read(&r, &q), 0, "one that is not there");
	ok(strstr(of(&r, "sda")->reason, "cannot be run"), "cannot be run");
	report_free(&r);
	disk_list_free(&l);
}

static void say_much(const void *argument)
{
	static char block[65536];

	(void)argument;
	memset(block, 'x', sizeof(block));
	while (child_say(block, sizeof(block)))
		;
}

static void say_number(const void *argument)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", *(const int *)argument);

	child_say(text, (size_t)n);
}

static void test_ask(void)
{
	static struct ask all[100];
	const struct ask_limits limits = {
		.timeout_ms = 20000, .deadline_ns = clock_ns() + 60 * NS_PER_S, .stop_fd = -1,
	};
	struct ask much = { .own = say_much };
	int number[100], wrong = 0;

	for (int i = 0; i < 100; i++) {
		number[i] = i;
		all[i].own = say_number;
		all[i].argument = &number[i];
	}
	ask_all(all, 100, &limits);
	for (int i = 0; i < 100; i++)
		wrong += all[i].end != ASK_ANSWERED || !all[i].text || atoi(all[i].text) != i;
	is_int(wrong, 0, "a hundred questions have their own answers");
	ask_free(all, 100);
	ask_all(&much, 1, &limits);
	is_int(much.end, ASK_TOO_LONG, "an answer without end is cut");
	ok(much.len <= ASK_LIMIT_BYTES + 65536, "at its limit");
	ask_free(&much, 1);
}

/* What names a drive is nowhere in a redacted report, also not as numbers. */
static void test_redact(void)
{
	static const char raw[] = "{\"serial_number\": \"X\\\"Y-LONG-SERIAL\",\"a\":1,"
		"\"wwn\":{\"naa\":5,\"oui\":3152,\"id\":28937518},\"b\":2,\n"
		"\"logical_unit_id\":\"0x5000c500a77b1c2f\",\"c\":3,\"eui64\":{\"oui\":9911,"
		"\"ext_id\":4487110},\"SAS address\":\"0x5000c500a77b1c2d\",\"d\":4,"
		"\"note\":\"disk HIDDEN-SERIAL-1 spoke\",\"uuid\":,\"wwn\":{\"naa\":5,\"id\":7777";
	struct health h;
	struct report r;

	report_init(&r);
	memset(&h, 0, sizeof(h));
	snprintf(h.serial, sizeof(h.serial), "HIDDEN-SERIAL-1");
	snprintf(h.reason, sizeof(h.reason), "HIDDEN-SERIAL-1 failed");
	r.kernel_log = strdup("sas_addr(0x5000c500a77b1c2d), phy(0)\n0x5000c500a77b1c2d1 "
			      "0x5000c500a77b1c2 0x00007f12345678ab");
	h.raw = strdup(raw);
	if (!h.raw || !r.kernel_log || report_add_health(&r, &h))
		tap_bail("no memory");
	for (int times = 0; times < 2; times++) {
		is_int(report_redact(&r), 0, "redacted");
		is_str(r.health[0].raw, "{\"serial_number\": \"(redacted)\",\"a\":1,"
		       "\"wwn\":\"(redacted)\",\"b\":2,\n\"logical_unit_id\":\"(redacted)\","
		       "\"c\":3,\"eui64\":\"(redacted)\",\"SAS address\":\"(redacted)\",\"d\":4,"
		       "\"note\":\"disk (redacted) spoke\",\"uuid\":,\"wwn\":\"(redacted)\"",
		       "what names the drive is gone, the rest is there");
		is_str(r.kernel_log, "sas_addr((redacted)), phy(0)\n0x5000c500a77b1c2d1 "
		       "0x5000c500a77b1c2 0x00007f12345678ab",
		       "so is the name of its port, which is in no list");
	}
	is_str(r.health[0].serial, "", "the serial number is absent");
	is_str(r.health[0].reason, "(redacted) failed", "and gone from the reason");
	report_free(&r);
}

int main(void)
{
	char path[SMARTCTL_PATH_BYTES];

	if (!mkdtemp(dir))
		tap_bail("no temporary folder");
	snprintf(script, sizeof(script), "%s/smartctl", dir);
	snprintf(calls, sizeof(calls), "%s/calls", dir);
	test_ask();
	test_ways();
	test_hanging();
	test_stop();
	test_without_smartctl();
	test_redact();
	setenv("PATH", dir, 1);
	if (access("/bin/smartctl", X_OK))
		ok(smartctl_find(path) && !strcmp(path, script), "smartctl is found in PATH");
	unlink(script);
	unlink(calls);
	rmdir(dir);
	return tap_done();
}
