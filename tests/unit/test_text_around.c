/* SPDX-License-Identifier: MIT */
/*
 * What the text says of health, the inventory, processors, memory and network, point by point; the
 * golden files hold the whole.
 */
#include "tests/unit/report_fixtures.h"
#include "tests/unit/tap.h"

static struct report r;
static char *text;

static void write_text(void)
{
	size_t len;

	free(text);
	text = report_text_write(&r, &len);
	if (!text)
		tap_bail("no memory");
}

static void has(const char *part, const char *what)
{
	ok(strstr(text, part), "%s: \"%s\"", what, part);
}

static void has_not(const char *part, const char *what)
{
	ok(!strstr(text, part), "%s: no \"%s\"", what, part);
}

static void test_health(void)
{
	fixture_whole(&r);
	write_text();
	has("\nFINDINGS\n", "where health was read nobody says that it was not");
	has("sda        61,234   7.0 ", "hours, and years");
	has_not("      8     12", "of two readings the later one");
	has("pending sectors 8 -> 24", "and what came while the run went on");
	has("   66k?", "a number that is doubted");
	has("? reallocated: the counter stands", "and why");
	has("nvme0n1    10,512   1.2  103 %   412 TB       -       -      0    -",
	    "what was not said is no 0");
	has("\n/dev/bus/0 megaraid,3: ST8000NM0055", "a disk behind a controller has its way");
	has("sdb       it has no health log", "a disk without health has a reason");
	r.health[1].state = HEALTH_STANDBY;
	r.health[4].state = HEALTH_TIMEOUT;
	write_text();
	has("sda       NO ANSWER in time", "the later of two that gave nothing");
	has_not("asleep", "alone");
	SET(r.health[4].serial, "Z1Z0ABCD");
	write_text();
	has_not("asleep", "also where the earlier has no serial number");
	r.health[1].state = HEALTH_READ;
	write_text();
	has("sda        61,234", "a reading stands against a later failure");
	has_not("NO ANSWER", "which is not told");
	report_free(&r);
	fixture_three_disks(&r);
	write_text();
	has_not("\nHEALTH", "without health no section");
	has("health logs of disks were not read", "but a word");
	report_free(&r);
}

static void test_state(void)
{
	fixture_whole(&r);
	write_text();
	has("Disks: nvme0n1 ok; sda ok\n", "nothing found, nothing wrong");
	report_add_finding(&r, FINDING_INFO, "a-trifle", "sda", "sda: a trifle");
	report_add_finding(&r, FINDING_WARNING, "wears-out", "nvme0n1", "nvme0n1 wears out");
	write_text();
	has("Disks: nvme0n1 warn; sda ok\n", "a warning");
	has("\n          see findings: wears-out\n", "has the name of its rule");
	report_add_finding(&r, FINDING_CRITICAL, "dies", "nvme0n1", "nvme0n1 dies");
	report_add_finding(&r, FINDING_CRITICAL, "dies", "nvme0n1", "nvme0n1 dies twice");
	write_text();
	has("nvme0n1 FAILED", "the worst counts");
	has("see findings: wears-out, dies\n", "each rule once");
	has_not("a-trifle", "and what is good to know is not one");
	report_free(&r);
}

static void test_advice(void)
{
	fixture_whole(&r);
	for (int i = 0; i < 3; i++) {
		report_add_finding(&r, FINDING_WARNING, "odd", "sda", "Odd thing %d.", i);
		SET(r.finding[i].advice, i < 2 ? "Ask." : "Do not ask.");
	}
	write_text();
	has("WARNING   Odd thing 0.\nWARNING   Odd thing 1.\n          -> Ask.\n"
	    "WARNING   Odd thing 2.\n          -> Do not ask.\n", "one advice for neighbours");
	has("IN SHORT: Findings: 0 critical, 3 warnings.", "the end says it once more");
	report_free(&r);
}

/* One line for many, and no disk among them passes for sound. */
static void test_many_alike(void)
{
	report_init(&r);
	for (int i = 0; i < 24; i++) {
		char name[16];

		SET(name, "sd%c", 'a' + i);
		fixture_skipped(&r, name, DISK_TAKEN, "");
		if (i < 6)
			report_add_finding(&r, FINDING_CRITICAL, "dies", name, "%s dies", name);
	}
	for (int i = 0; i < 9; i++) {
		char rule[16];

		SET(rule, "odd-%d", i);
		report_add_finding(&r, FINDING_WARNING, rule, "", "Odd thing %d.", i);
	}
	write_text();
	has("CRITICAL  6 disks (sda, sdb, sdc, sdd, sde, sdf), the first: sda dies\n"
	    "WARNING   Odd thing 0.\n", "many alike are told once");
	has("WARNING   Odd thing 6.\nand 2 more\n", "at the end those without room are counted");
	has("Disks: sda FAILED; sdb FAILED;", "but each has failed");
	has("sdf FAILED;\n          sdg not run;", "to the last, and no other");
	has("sdx not run\n", "all 24 have room");
	has_not("...", "and nothing is cut");
	fixture_skipped(&r, "sdy", DISK_TAKEN, "");
	write_text();
	has("...\n", "one more has not");
	report_free(&r);
}

static void test_inventory(void)
{
	fixture_whole(&r);
	write_text();
	has("holds: LVM2_member\n", "what lies on a disk, and not on one of a longer name");
	has("linux_raid_member (nvme0n1p2)", "on its partitions");
	has("7 x 16 GiB DDR5-4800 ECC", "modules alike are one");
	has("8 of 16 slots", "empty slots count");
	has("runs at 4400 MT/s", "slower than they could");
	has("eth0: 1 Gb/s of 10 Gb/s, full duplex", "a link below what the card can");
	has("md127: md raid1, 510 GB, degraded", "an array");
	has("Without a driver     : 0000:3b:00.0", "a controller without a driver");
	has_not("0000:00:1f.2", "one with a driver needs no word");
	r.machine.memory.module_n = 1000;	/* counted, but not kept */
	write_text();
	has("8 of 16 slots", "more modules than there is room for");
	report_free(&r);
	fixture_minimal(&r);
	write_text();
	has_not("CPU caches", "what is not known has no row");
	has_not("Memory modules", "nor a number");
	report_free(&r);
}

static void test_machine(void)
{
	fixture_whole(&r);
	write_text();
	has("cpu-prime-10000           1.24 k/s     38.6 k/s     48.2 k/s   60.6 %    1.0 %\n",
	    "one thread, one per core, all of them");
	has_not("switches", "and not what it ran beside");
	has("      decrypt 5.30 GB/s\n", "what has no column stands below");
	has("    triad                13,100 MB/s 181,400 MB/s", "bandwidth in MB/s");
	has("ased on a variant of the STREAM", "with its origin");
	has("L1 1.25 ns, L2 4.01 ns, L3 31.7 ns, DRAM 118 ns\n", "latency by level");
	has("tested 64.0 GiB, passes 3, errors 0\n", "memory is binary");
	has("cpu-zstd             FAILED: its process crashed", "a crash");
	has("! throttled:", "a mark");
	has("not run: no time for it in profile quick: mem-copy\n", "what was left out");
	has_not("machine\n  test", "they are no disk");
	report_free(&r);
	fixture_three_disks(&r);
	write_text();
	has_not("PROCESSORS AND MEMORY", "without them no section");
	has_not("NETWORK\n", "without a node neither");
	report_free(&r);
}

static void test_network(void)
{
	fixture_whole(&r);
	write_text();
	has("Frankfurt, DE        203.0.113.7         118 MB/s   112 MB/s   4.31 ms", "a node");
	has("21.4 MB/s          -", "what was not measured is no 0");
	has("2001:db8::7         115 MB/s          -", "the other way to it");
	has("a node with a very long name indeed\n                     FAILED: no answer",
	    "a dead one has a reason");
	has("! no-ipv4: no route", "a mark");
	has("eth0                 rx errors 12, 1 Gb/s\n", "a link");
	result_end(whole_result(&r, "net-upload", "network", "Frankfurt, DE"), RESULT_TIMEOUT,
		   "too slow");
	result_end(whole_result(&r, "net-dns", "network", ""), RESULT_UNSUPPORTED, "no server");
	write_text();
	has("      net-upload: TIMEOUT: too slow\n", "one of several tests of a node");
	has("  not run: no server: net-dns\n", "what has no node");
	ok(strstr(text, "Frankfurt") == strstr(text, "Frankfurt, DE        203"), "a node is told "
	   "once");
	report_free(&r);
}

int main(void)
{
	test_health();
	test_state();
	test_advice();
	test_many_alike();
	test_inventory();
	test_machine();
	test_network();
	free(text);
	return tap_done();
}
