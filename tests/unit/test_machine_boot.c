/* SPDX-License-Identifier: MIT */
/* How the machine was booted, secrets on its command line, errors of memory, fillers. */
#include <stdint.h>

#include "bench/model/fields.h"
#include "bench/sys/machine.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/placeholder.h"
#include "bench/sys/secrets.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static struct machine_info m;

static void boot(void)
{
#define X86 "@proc\ncpuinfo=[cpu family\t: 6\\nmodel\t: 1]\n"
#define DMI "@sys/class/dmi/id\n"
	static const struct {
		const char *what, *tree, *want;
	} rows[] = {
		{ "EFI", X86 DMI "@sys/firmware/efi\n", "uefi" },
		{ "no EFI", X86 DMI, "bios" },
		{ "EFI on arm", "@sys/firmware/efi\n", "uefi" },
		{ "arm with a firmware's table", DMI, "" },
		{ "a guest without firmware", X86, "" },
		{ "a file called efi", X86 DMI "@sys/firmware\nefi=1\n", "bios" },
		{ "nothing", "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sysfs_fixture f;

		sysfs_fixture_make(&f, rows[i].tree);
		machine_read(f.root, &m);
		is_str(m.bios.boot, rows[i].want, "booted by: %s", rows[i].what);
		sysfs_fixture_remove(&f);
	}
}

static void secrets(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "quiet ro root=/dev/sda1", "quiet ro root=/dev/sda1" },
		{ "bench.token=abc x", "bench.token=*** x" },
		{ "rd.iscsi.password=abc x", "rd.iscsi.password=*** x" },
		{ "root_PassWd=abc", "root_PassWd=***" },
		{ "wifi.psk=abc apikey=def", "wifi.psk=*** apikey=***" },
		{ "AWS_SECRET_ACCESS_KEY=abc aws_secret=x", "AWS_SECRET_ACCESS_KEY=*** "
			"aws_secret=***" },
		{ "systemd.set_credential=name:abc", "systemd.set_credential=***" },
		{ "keymap=de keys=3 monkey_mode=1 bypass_it=2", "keymap=de keys=3 monkey_mode=1 "
			"bypass_it=2" },
		{ "a=password b=token", "a=password b=token" },
		{ "x=\"a b\" password=\"a b\" y", "x=\"a b\" password=\"***\" y" },
		{ "\"password=a b\" y", "\"password=***\" y" },
		{ "password=a=b=c y", "password=*** y" },
		{ "opt=token=abc y", "opt=token=*** y" },
		{ "opt=a,secret=abc y", "opt=a,secret=*** y" },
		{ "u=http://me:pw@host/x?sig=1&b=2 y", "u=http://***@host/x?*** y" },
		{ "u=http://me:p,w'd@host/x y@z", "u=http://***@host/x y@z" },
		{ "u=http://a,http://me:pw@b,c", "u=http://a,http://***@b,c" },
		{ "password=", "password=***" }, { "=", "=" }, { "token==", "token=***" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char line[200];

		snprintf(line, sizeof(line), "%s", rows[i].text);
		secrets_mask(line, sizeof(line));
		is_str(line, rows[i].want, "masked: %s", rows[i].text);
	}
	for (size_t room = 12; room < 40; room++) {
		char *line = malloc(room);

		if (!line)
			tap_bail("no memory");
		snprintf(line, room, "token=Q token=Q key=Q pass=Q?");
		secrets_mask(line, room);
		if (strchr(line, 'Q'))
			ok(false, "masked in %zu bytes: %s", room, line);
		free(line);
	}
	ok(true, "masked in lines of any room");
}

/* A secret is masked before the line is cut to what the report holds. */
static void long_command_line(void)
{
	struct sysfs_fixture f;
	char text[3000];

	memset(text, 'a', sizeof(text));
	memcpy(text + 1010, " bench.token=QQQQQQQQQQQQQ ", 27);
	sysfs_fixture_make(&f, "");
	sysfs_fixture_write(&f, "proc/cmdline", text, sizeof(text));
	machine_read(f.root, &m);
	ok(strlen(m.command_line) == sizeof(m.command_line) - 1, "a long command line is cut");
	ok(!strchr(m.command_line, 'Q'), "and holds no part of a secret");
	sysfs_fixture_remove(&f);
}

static void memory_errors(void)
{
#define MC "@sys/devices/system/edac/mc/mc0\nmc_name=x\nce_count=9\nue_count=1\n"
	static const struct {
		const char *what, *tree;
		unsigned n;
		const char *name;
		long long corrected, uncorrected;
	} rows[] = {
		{ "only the controller counts", MC, 1, "mc0", 9, 1 },
		{ "rows", MC "csrow3/ce_count=4\ncsrow3/ue_count=0\n", 1, "mc0 csrow3", 4, 0 },
		{ "modules before rows", MC "csrow0/ce_count=4\ndimm1/dimm_ce_count=2\n"
			"dimm1/dimm_label=P1-A\n", 1, "mc0 dimm1 P1-A", 2, -1 },
		{ "ranks", MC "rank0/dimm_ce_count=0\nrank0/dimm_ue_count=0\n", 1,
			"mc0 rank0", 0, 0 },
		{ "errors without a place", MC "ce_noinfo_count=5\nue_noinfo_count=0\n"
			"dimm0/dimm_ce_count=0\n", 2, "mc0", 5, 0 },
		{ "a module that cannot be read", MC "dimm0/dimm_ce_count=x\n", 1, "mc0", 9, 1 },
		{ "errors first", MC "dimm0/dimm_ce_count=0\ndimm1/dimm_ce_count=1\n", 2,
			"mc0 dimm1", 1, -1 },
		{ "no counters", "@sys/devices/system/edac/mc/mc0\nmc_name=x\n", 0, "", 0, 0 },
		{ "no controller", "@sys/devices/system/edac/mc\npower/x=1\n", 0, "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct edac_counter *e = &m.memory.edac[0];
		struct sysfs_fixture f;

		sysfs_fixture_make(&f, rows[i].tree);
		memset(&m, 0, sizeof(m));
		edac_read(f.root, &m);
		is_uint(m.memory.edac_n, rows[i].n, "memory errors, %s: counters", rows[i].what);
		is_str(e->name, rows[i].name, "%s: place", rows[i].what);
		is_int(e->corrected, rows[i].corrected, "%s: corrected", rows[i].what);
		is_int(e->uncorrected, rows[i].uncorrected, "%s: uncorrected", rows[i].what);
		sysfs_fixture_remove(&f);
	}
}

static void many_memory_errors(void)
{
	struct sysfs_fixture f;
	char text[256];

	sysfs_fixture_make(&f, "");
	for (int i = 0; i < 80; i++) {
		snprintf(text, sizeof(text), "@sys/devices/system/edac/mc/mc%d\nce_count=%d\n", i,
			 i == 79 ? 3 : 0);
		sysfs_fixture_add(&f, text);
	}
	memset(&m, 0, sizeof(m));
	edac_read(f.root, &m);
	is_uint(m.memory.edac_n, 80, "more counters than are kept are counted");
	is_str(m.memory.edac[0].name, "mc79", "those with errors are kept");
	is_str(m.memory.edac[63].name, "mc62", "up to the last there is room for");
	sysfs_fixture_remove(&f);
}

static void fillers(void)
{
	static const char *const yes[] = {
		"", "To Be Filled By O.E.M.", "0123456789", "NO DIMM", "[Empty]",
		"No Module Installed", "Manufacturer00", "SerNum3", "PartNum", "ModulePartNumber12",
		"Asset-1234567890", "SKU=NotProvided;ModelName=PowerEdge R740", "System Version",
		"Family;x y",
	};
	static const char *const no[] = {
		"SKU-9", "0000", "HPE", "Samsung", "M391A2K43BB1-CRC", "CPU1", "Version 2",
		"Asset 5", "PowerEdge", "1.01",
	};

	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		ok(placeholder_firmware(yes[i]), "\"%s\" says nothing", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		ok(!placeholder_firmware(no[i]), "\"%s\" says something", no[i]);
}

static void uuids(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "4c4c4544-0058-5910-805a-b7c04f313233", "4c4c4544-0058-5910-805a-b7c04f313233" },
		{ "00000000-0000-0000-0000-000000000000", "" },
		{ "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "" },
		{ "03000200-0400-0500-0006-000700080009", "" }, { "Not Settable", "" },
		{ "4c4c4544-0058-5910-805a-b7c04f3132", "" },
		{ "4c4c4544-0058-5910-805a-b7c04f31323", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sysfs_fixture f;
		char tree[128];

		snprintf(tree, sizeof(tree), "@sys/class/dmi/id\nproduct_uuid=%s\n", rows[i].text);
		sysfs_fixture_make(&f, tree);
		machine_read(f.root, &m);
		is_str(m.uuid, rows[i].want, "UUID %s", rows[i].text);
		sysfs_fixture_remove(&f);
	}
}

int main(void)
{
	boot();
	secrets();
	long_command_line();
	memory_errors();
	many_memory_errors();
	fillers();
	uuids();
	return tap_done();
}
