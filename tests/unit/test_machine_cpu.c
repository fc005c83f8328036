/* SPDX-License-Identifier: MIT */
/* Processors: a name from every kind of /proc/cpuinfo, numbers from lists with holes. */
#include <stdint.h>

#include "bench/sys/machine_parts.h"
#include "lib/cpu_list.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static const struct {
	const char *what, *cpuinfo;
	const char *model;
	unsigned sockets, cores, threads;
} infos[] = {
	{ "x86", "processor\t: 0\nmodel name\t: AMD EPYC 7451 24-Core Processor\n"
		"microcode\t: 0x8001227\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu "
		"hypervisor\n\n"
		"processor\t: 1\nmodel name\t: AMD EPYC 7451 24-Core Processor\nphysical id\t: 0\n"
		"core id\t\t: 1\n\nprocessor\t: 2\nphysical id\t: 1\ncore id\t\t: 0\n",
		"AMD EPYC 7451 24-Core Processor", 2, 3, 3 },
	{ "a model with colons and markup",
		"processor\t: 0\nmodel name\t: ACME  CPU: \"9000\"  @ <b>3GHz\n",
		"ACME CPU: \"9000\" @ <b>3GHz", 0, 0, 1 },
	{ "only \"Processor\", with a capital P",
		"Processor       : ARMv7 Processor rev 2 (v7l)\nBogoMIPS : 2007.04\n"
		"CPU implementer : 0x41\nCPU part : 0xc09\n",
		"ARMv7 Processor rev 2 (v7l)", 0, 0, 1 },
	{ "\"Processor\" and numbered processors",
		"Processor\t: ARMv7 Processor rev 4 (v7l)\nprocessor\t: 0\nBogoMIPS\t: 1694.10\n\n"
		"processor\t: 1\n\nHardware\t: EXYNOS5\nRevision\t: 0000\nSerial\t\t: "
		"0000000000000000\n",
		"ARMv7 Processor rev 4 (v7l)", 0, 0, 2 },
	{ "a tail that belongs to no processor",
		"processor\t: 0\nmodel name\t: ARMv6-compatible processor rev 7 (v6l)\n\n"
		"Hardware\t: BCM2708\nRevision\t: 0010\nSerial\t\t: 0000000000000000\n",
		"ARMv6-compatible processor rev 7 (v6l)", 0, 0, 1 },
	{ "ARM with numbers only", "processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0x000\n",
		"ARM implementer 0x61 part 0x000", 0, 0, 1 },
	{ "\"Processor\" that only counts",
		"Processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0x000\n",
		"ARM implementer 0x61 part 0x000", 0, 0, 0 },
	{ "ARM with two kinds of cores",
		"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd85\n\n"
		"processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd87\n\n"
		"processor\t: 2\nCPU implementer\t: 0x41\nCPU part\t: 0xd85\n",
		"ARM implementer 0x41 parts 0xd85, 0xd87", 0, 0, 3 },
	{ "ARM with four kinds of cores",
		"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd46\n\n"
		"processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd4d\n\n"
		"processor\t: 2\nCPU implementer\t: 0x41\nCPU part\t: 0xd47\n\n"
		"processor\t: 3\nCPU implementer\t: 0x41\nCPU part\t: 0xd4e\n",
		"ARM implementer 0x41 parts 0xd46, 0xd4d, 0xd47, 0xd4e", 0, 0, 4 },
	{ "ARM cores that are known by name",
		"processor\t: 0\nCPU implementer\t: 0xC0\nCPU part\t: 0xac3\n",
		"Ampere Ampere-1", 0, 0, 1 },
	{ "loongarch", "system type\t\t: generic-loongson-machine\n\nprocessor\t\t: 0\n"
		"Model Name\t\t: Loongson-3A5000-HV\n", "Loongson-3A5000-HV", 0, 0, 1 },
	{ "ppc64", "processor\t: 0\ncpu\t\t: POWER7 (architected), altivec supported\n\n"
		"processor\t: 1\ncpu\t\t: POWER7 (architected), altivec supported\n\n"
		"model\t\t: IBM,8233-E8B\nmachine\t\t: CHRP IBM,8233-E8B\n",
		"POWER7 (architected), altivec supported", 0, 0, 2 },
	{ "riscv", "processor\t: 0\nhart\t\t: 3\nuarch\t\t: sifive,u74-mc\n", "sifive,u74-mc", 0,
		0, 1 },
	{ "sparc64", "cpu\t\t: TI UltraSparc II  (BlackBird)\nncpus probed\t: 6\nncpus active\t: "
		"6\n"
		"CPU6:\t\tonline\nCPU7:\t\tonline\n", "TI UltraSparc II (BlackBird)", 0, 0, 6 },
	{ "s390", "vendor_id       : IBM/S390\n# processors    : 2\n"
		"processor 0: version = FF,  identification = 1A2B3C,  machine = 8561\n"
		"processor 8: version = FF,  identification = 1A2B3C,  machine = 8561\n",
		"IBM/S390 machine 8561", 0, 0, 2 },
	{ "numbers with holes", "processor\t: 0\nprocessor\t: 2\nprocessor\t: 4\nprocessor\t: 6\n",
		"", 0, 0, 4 },
	{ "core numbers with holes, two threads each",
		"processor\t: 0\nphysical id\t: 0\ncore id\t: 0\n\nprocessor\t: 1\nphysical id\t: "
		"0\n"
		"core id\t: 27\n\nprocessor\t: 2\nphysical id\t: 0\ncore id\t: 0\n\nprocessor\t: "
		"3\n"
		"physical id\t: 0\ncore id\t: 27\n", "", 1, 2, 4 },
	{ "nothing", "", "", 0, 0, 0 },
	{ "no colon anywhere", "processor 0\nmodel name none\n\n\n", "", 0, 0, 0 },
	{ "colons only", ":::\n:\n : \nmodel name:\nmodel name\t:\t\n", "", 0, 0, 0 },
	{ "a filler as name", "processor\t: 0\nmodel name\t: Not Specified\nvendor_id\t: X\n", "X",
		0, 0, 1 },
};

static void kinds_of_cpuinfo(void)
{
	for (size_t i = 0; i < sizeof(infos) / sizeof(*infos); i++) {
		struct machine_info m = { .cpu.threads = 0 };
		struct sysfs_fixture f;

		sysfs_fixture_make(&f, "");
		sysfs_fixture_write(&f, "proc/cpuinfo", infos[i].cpuinfo, strlen(infos[i].cpuinfo));
		cpu_read(f.root, &m);
		is_str(m.cpu.model, infos[i].model, "%s: model", infos[i].what);
		is_uint(m.cpu.sockets, infos[i].sockets, "%s: sockets", infos[i].what);
		is_uint(m.cpu.cores, infos[i].cores, "%s: cores", infos[i].what);
		is_uint(m.cpu.threads, infos[i].threads, "%s: threads", infos[i].what);
		sysfs_fixture_remove(&f);
	}
}

/* Threads of `cpus` CPUs, of which each package has `cores` and each core `threads`. */
static void add_topology(struct sysfs_fixture *f, unsigned cpus, unsigned cores, unsigned threads)
{
	for (unsigned i = 0; i < cpus; i++) {
		char text[256];

		snprintf(text, sizeof(text), "@sys/devices/system/cpu/cpu%u/topology\n"
			 "physical_package_id=%u\ncore_id=%u\n", i, i / threads / cores,
			 i / threads % cores * 3);
		sysfs_fixture_add(f, text);
	}
}

static void topologies(void)
{
	static const struct {
		const char *what;
		unsigned cpus, cores, threads;
		const char *online;
		unsigned want_sockets, want_cores, want_threads;
	} rows[] = {
		{ "one package", 8, 4, 2, "0-7", 1, 4, 8 },
		{ "two packages", 16, 4, 2, "0-15", 2, 8, 16 },
		{ "SMT off: every second CPU", 8, 4, 2, "0,2,4,6", 1, 4, 4 },
		{ "the second package off", 16, 4, 2, "0-7", 1, 4, 8 },
		{ "holes", 16, 4, 2, "0-1,5,12-15", 2, 4, 7 },
		{ "one CPU", 8, 4, 2, "0", 1, 1, 1 },
		{ "1,280 CPUs", 1280, 80, 4, "0-1279", 4, 320, 1280 },
		{ "online is no list: folders count", 8, 4, 2, "zero to seven", 1, 4, 8 },
		{ "online is empty: folders count", 8, 4, 2, "", 1, 4, 8 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct machine_info m = { .cpu.threads = 0 };
		struct sysfs_fixture f;
		char text[128];

		sysfs_fixture_make(&f, "@sys/devices/system/cpu\ncpufreq/\ncpuidle/\n");
		add_topology(&f, rows[i].cpus, rows[i].cores, rows[i].threads);
		snprintf(text, sizeof(text), "@sys/devices/system/cpu\nonline=[%s]\n",
			 rows[i].online);
		sysfs_fixture_add(&f, text);
		cpu_read(f.root, &m);
		is_uint(m.cpu.sockets, rows[i].want_sockets, "%s: sockets", rows[i].what);
		is_uint(m.cpu.cores, rows[i].want_cores, "%s: cores", rows[i].what);
		is_uint(m.cpu.threads, rows[i].want_threads, "%s: threads", rows[i].what);
		sysfs_fixture_remove(&f);
	}
}

static void odd_topologies(void)
{
	struct machine_info m = { .cpu.threads = 0 };
	struct sysfs_fixture f;

	/* dies number their cores anew; a CPU that is offline has no topology; -1 is "not known" */
	sysfs_fixture_make(&f,
		"@sys/devices/system/cpu/cpu0\nonline=1\ntopology/physical_package_id=0\n"
		"topology/die_id=0\ntopology/core_id=0\n"
		"@sys/devices/system/cpu/cpu1\nonline=1\ntopology/physical_package_id=0\n"
		"topology/die_id=1\ntopology/core_id=0\n"
		"@sys/devices/system/cpu/cpu2\nonline=0\n"
		"@sys/devices/system/cpu/cpu0/microcode\nversion=0x2b\n");
	cpu_read(f.root, &m);
	is_uint(m.cpu.cores, 2, "cores of one number on two dies are two");
	is_uint(m.cpu.threads, 2, "without a list, folders that are not offline count");
	is_str(m.cpu.microcode, "0x2b", "microcode from sysfs where cpuinfo has none");
	sysfs_fixture_remove(&f);

	m = (struct machine_info){ .cpu.threads = 0 };
	sysfs_fixture_make(&f, "@sys/devices/system/cpu\nonline=0-1\n"
		"@sys/devices/system/cpu/cpu0/topology\nphysical_package_id=-1\ncore_id=-1\n"
		"@sys/devices/system/cpu/cpu1/topology\nphysical_package_id=-1\ncore_id=-1\n");
	cpu_read(f.root, &m);
	ok(m.cpu.sockets == 0 && m.cpu.cores == 0, "a topology of -1 is not known, not one core");
	is_uint(m.cpu.threads, 2, "its threads are known all the same");
	sysfs_fixture_remove(&f);
}

static void lists(void)
{
	static const struct {
		const char *text, *want;	/* NULL: no list */
	} rows[] = {
		{ "0", "0" }, { "0\n", "0" }, { "0-3\n", "0 1 2 3" }, { "0,2,4", "0 2 4" },
		{ "7,0-1", "0 1 7" }, { "0-2,1-3", "0 1 2 3" }, { "", NULL }, { "\n", NULL },
		{ "0-", NULL }, { "-3", NULL }, { "3-1", NULL }, { "0,", NULL }, { ",0", NULL },
		{ "a", NULL }, { "0-3x", NULL }, { "0 1", NULL }, { "0-4294967295", NULL },
		{ "99999999999999999999", NULL }, { "0--3", NULL }, { "1048575", "1048575" },
		{ "1048576", NULL },
	};
	unsigned *list;
	size_t n;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[128] = "";

		list = cpu_list_parse(rows[i].text, &n);
		for (size_t k = 0; k < n; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", k ? " "
				 : "",
				 list[k]);
		is_str(list ? text : NULL, rows[i].want, "list \"%s\"", rows[i].text);
		free(list);
	}
	list = cpu_list_parse("0-1048575", &n);
	is_uint(n, 1048576, "the longest list");
	free(list);
	list = cpu_list_parse("0-1048575,0-1048575", &n);
	ok(!list, "a list that repeats itself has a limit");
	free(list);
}

/* The firmware's and the device tree's names stand behind the kernel's. */
static void other_names(void)
{
	/* SMBIOS type 4, length 30h, version string number 2 at offset 10h; then strings */
	unsigned char raw[] = "\x04\x30\x01\x00\x01\x03\x02\x01" "........" "\x02"
		"0123456789012345678901234567890"
		"Maker\0Firmware CPU\0";
	struct machine_info m = { .cpu.threads = 0 };
	struct sysfs_fixture f;
	char name[64];

	sysfs_fixture_make(&f, "");
	sysfs_fixture_write(&f, "sys/firmware/dmi/entries/4-0/raw", raw, sizeof(raw));
	ok(dmi_read_processor(f.root, name, sizeof(name)), "the firmware's processor");
	is_str(name, "Firmware CPU", "by its name");
	cpu_read(f.root, &m);
	is_str(m.cpu.model, "Firmware CPU", "stands in where /proc/cpuinfo has no name");
	sysfs_fixture_write(&f, "proc/device-tree/model", "Board X\0", 8);
	m = (struct machine_info){ .cpu.threads = 0 };
	cpu_read(f.root, &m);
	is_str(m.cpu.model, "Board X", "the device tree's name comes before it");
	for (size_t len = 0; len < sizeof(raw); len++) {	/* cut at every length */
		sysfs_fixture_write(&f, "sys/firmware/dmi/entries/4-0/raw", raw, len);
		dmi_read_processor(f.root, name, sizeof(name));
	}
	raw[1] = 0xff;
	sysfs_fixture_write(&f, "sys/firmware/dmi/entries/4-0/raw", raw, sizeof(raw));
	ok(!dmi_read_processor(f.root, name, sizeof(name)), "a length past the end is not "
	   "followed");
	{
		unsigned char full[1024];	/* all that is read, without an end */

		memset(full, 'x', sizeof(full));
		full[0] = 4;
		full[1] = 0x30;
		full[0x10] = 0xff;
		sysfs_fixture_write(&f, "sys/firmware/dmi/entries/4-0/raw", full, sizeof(full));
		ok(!dmi_read_processor(f.root, name, sizeof(name)), "nor strings without an end");
	}
	sysfs_fixture_remove(&f);
}

static void flags(void)
{
	static const struct {
		const char *cpuinfo;
		bool known, hypervisor;
	} rows[] = {
		{ "flags\t: fpu hypervisor lahf_lm\n", true, true },
		{ "flags\t: hypervisor\n", true, true },
		{ "flags\t: fpu vme\n", true, false },
		{ "flags\t: nohypervisor hypervisors\n", true, false },
		{ "model name\t: hypervisor\n", false, false },
		{ "", false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sysfs_fixture f;
		bool hypervisor = true;

		sysfs_fixture_make(&f, "");
		sysfs_fixture_write(&f, "proc/cpuinfo", rows[i].cpuinfo, strlen(rows[i].cpuinfo));
		is_int(cpu_read_hypervisor(f.root, &hypervisor), rows[i].known, "flags are known, "
		       "%zu", i);
		is_int(hypervisor, rows[i].hypervisor, "hypervisor is one of them, %zu", i);
		sysfs_fixture_remove(&f);
	}
}

static void random_cpuinfo(void)
{
	static const char *const keys[] = { "processor", "model name", "core id", "physical id",
		"flags",
		"CPU part", "CPU implementer", "processor 1", "ncpus active", "microcode" };
	uint32_t seed = 7;

	for (int round = 0; round < 200; round++) {
		struct machine_info m = { .cpu.threads = 0 };
		struct sysfs_fixture f;
		char text[2000];
		size_t n = 0;

		while (n < sizeof(text) - 64) {
			seed = seed * 1664525u + 1013904223u;
			n += (size_t)snprintf(text + n, 40, "%s\t: ", keys[(seed >> 8) % 10]);
			for (unsigned k = 0; k < (seed >> 20) % 20; k++)
				text[n++] = (char)((seed >> (k % 24)) ^ k * 37);
			text[n++] = '\n';
		}
		sysfs_fixture_make(&f, "");
		sysfs_fixture_write(&f, "proc/cpuinfo", text, n);
		cpu_read(f.root, &m);
		sysfs_fixture_remove(&f);
	}
	ok(true, "200 files of random bytes were read");
}

int main(void)
{
	kinds_of_cpuinfo();
	topologies();
	odd_topologies();
	lists();
	other_names();
	flags();
	random_cpuinfo();
	return tap_done();
}
