/* SPDX-License-Identifier: MIT */
/* The firmware's table: its structures, its memory, and tables that are cut or altered anywhere. */
#include <errno.h>
#include <stdint.h>

#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/smbios.h"
#include "lib/text.h"
#include "tests/unit/smbios_text.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define MIB UINT64_C(1048576)

static struct smbios_text text;
static struct machine_info m;

/* A copy of exactly its length, so that a read past it is found out. */
static struct smbios table_of(const uint8_t *bytes, size_t len)
{
	struct smbios s = { .table = malloc(len ? len : 1), .len = len, .ends_marked = true };

	if (!s.table)
		tap_bail("no memory");
	memcpy(s.table, bytes, len);
	return s;
}

static struct smbios table(const char *lines)
{
	memset(&text, 0, sizeof(text));
	smbios_text_add(&text, lines);
	return table_of(text.table, text.len);
}

static void clear(void)
{
	memset(&m, 0, sizeof(m));
	fields_init(&fields_machine, &m);
}

static const struct memory_info *memory_of(const char *lines)
{
	struct smbios s = table(lines);

	clear();
	smbios_memory_read(&s, &m);
	smbios_free(&s);
	return &m.memory;
}

static void structures(void)
{
	struct smbios s = table("1 0x101 0x1b s04=\"Maker\" s05=\"\\xff\\x01 x\" b18=6\n"
		"2 0x102 8\n"
		"17 0x103 0x15 w0c=7\n"
		"127 0x104 4\n"
		"3 0x105 4\n");
	struct smbios_place p = { .at = 0 };
	struct smbios_entry e;
	char to[32];
	uint64_t v = 5;

	ok(smbios_next(&s, &p, &e) && e.type == 1 && e.handle == 0x101 && e.length == 0x1b,
	   "the first structure");
	ok(smbios_string(&e, 0x04, to, sizeof(to)), "it has a string");
	is_str(to, "Maker", "which is that");
	smbios_string(&e, 0x05, to, sizeof(to));
	is_str(to, "\xEF\xBF\xBD\xEF\xBF\xBD x", "bytes that are no text are marked");
	ok(!smbios_string(&e, 0x06, to, sizeof(to)) && !to[0], "number 0 is no string");
	ok(!smbios_string(&e, 0x18, to, sizeof(to)), "nor is one more than there are");
	ok(!smbios_string(&e, 0x1b, to, sizeof(to)), "nor one past the structure");
	ok(smbios_number(&e, 0x18, 1, &v) && v == 6, "a byte");
	ok(!smbios_number(&e, 0x18, 4, &v) && v == 6, "a number half past the structure is none");
	ok(smbios_next(&s, &p, &e) && e.type == 2, "a structure without strings");
	ok(smbios_next(&s, &p, &e) && e.type == 17, "and what follows it");
	ok(!smbios_next(&s, &p, &e), "type 127 ends the table");
	s.ends_marked = false;
	ok(smbios_next(&s, &p, &e) && e.type == 127 && smbios_next(&s, &p, &e) && e.type == 3,
	   "but not where the structures were counted");
	ok(!smbios_next(&s, &p, &e), "the end");
	p = (struct smbios_place){ .at = 0 };
	s.structures = 2;
	ok(smbios_next(&s, &p, &e) && smbios_next(&s, &p, &e) && !smbios_next(&s, &p, &e),
	   "no more structures than were counted");
	smbios_free(&s);
}

static void broken(void)
{
	for (unsigned length = 0; length < 4; length++) {
		char lines[128];
		const struct memory_info *mem;

		snprintf(lines, sizeof(lines), "17 1 0x15 w0c=1024\nraw 11 %02x 02 00 00 00\n"
			 "17 3 0x15 w0c=1024\n", length);
		mem = memory_of(lines);
		is_uint(mem->installed_bytes, 1024 * MIB, "length %u ends the walk", length);
	}
	is_uint(memory_of("17 1 0x15 w0c=4\nraw 11 ff 02 00 00 00\n")->module_n, 1,
		"a length past the end is not followed");
	struct smbios s = table("raw 02 05 00 00 01 41 42 43");
	struct smbios_entry e;
	char to[8] = "x";

	ok(smbios_first(&s, 2, &e) && !smbios_string(&e, 4, to, sizeof(to)) && !to[0],
	   "a string without an end is none");
	smbios_free(&s);
}

static void sizes(void)
{
	static const struct {
		const char *what, *line;
		uint64_t size, installed;
	} rows[] = {
		{ "MiB", "0x22 w0c=8192", 8192 * MIB, 8192 * MIB },
		{ "empty", "0x22 w0c=0", 0, 0 },
		{ "not known", "0x22 w0c=0xffff", 0, 0 },
		{ "KiB", "0x22 w0c=0x8200", 512 * 1024, 512 * 1024 },
		{ "the most without extension", "0x22 w0c=0x7ffe", 32766 * MIB, 32766 * MIB },
		{ "extended", "0x22 w0c=0x7fff d1c=65536", 65536 * MIB, 65536 * MIB },
		{ "extended, reserved bit set", "0x22 w0c=0x7fff d1c=0x80020000", 131072 * MIB,
		  131072 * MIB },
		{ "extended, but too short for it", "0x1c w0c=0x7fff", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char line[128];
		const struct memory_info *mem;

		snprintf(line, sizeof(line), "17 0x10 %s\n", rows[i].line);
		mem = memory_of(line);
		is_uint(mem->module_n, 1, "size %s: one slot", rows[i].what);
		is_uint(mem->module[0].size_bytes, rows[i].size, "size %s", rows[i].what);
		is_uint(mem->installed_bytes, rows[i].installed, "size %s: sum", rows[i].what);
	}
	is_uint(memory_of("17 1 0x22 w0c=1024\n17 2 0x22 w0c=0xffff\n")->installed_bytes, 0,
		"with a module of unknown size the sum is not known");
	is_uint(memory_of("17 1 0x22 w0c=1024\n17 2 0x22 w0c=0\n")->installed_bytes, 1024 * MIB,
		"an empty slot does no harm");
	is_uint(memory_of("17 1 0x14 w0c=1024\n")->module_n, 0, "too short to be a module");
}

static void speeds(void)
{
	static const struct {
		const char *line;
		uint32_t rated, now;
	} rows[] = {
		{ "0x5c w15=3200 w20=2933", 3200, 2933 }, { "0x5c w15=0 w20=0", 0, 0 },
		{ "0x5c w15=0xffff d54=70000 w20=0xffff d58=66000", 70000, 66000 },
		{ "0x5c w15=0xffff d54=0x80000000 w20=0xfffe", 0, 65534 },
		{ "0x28 w15=0xffff w20=0xffff", 0, 0 }, { "0x17 w15=667", 667, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char line[128];
		const struct memory_module *module;

		snprintf(line, sizeof(line), "17 0x10 %s w0c=1024\n", rows[i].line);
		module = &memory_of(line)->module[0];
		is_uint(module->rated_mt_per_s, rows[i].rated, "rated speed, %s", rows[i].line);
		is_uint(module->speed_mt_per_s, rows[i].now, "speed, %s", rows[i].line);
	}
}

static void modules(void)
{
	const struct memory_module *module = &memory_of(
		"17 0x10 0x28 w08=72 w0a=64 w0c=1024 b0e=13 s10=\"CPU1\" "
		"s11=\"None\" b12=26 w13=0x8080 s17=\"Samsung \" s18=\"0x00000000\" "
		"s1a=\"0x4142430044\" b1b=0xf4 w26=1200\n")->module[0];

	is_str(module->slot, "CPU1", "a slot may be called that");
	is_str(module->bank, "", "a filler is no bank");
	is_str(module->maker, "Samsung", "maker");
	is_str(module->serial, "", "zeros are no serial number");
	is_str(module->part, "0x4142430044", "hex with text behind its end stays");
	is_str(module->type, "DDR4", "type");
	is_str(module->form, "SODIMM", "form");
	is_str(module->detail, "LRDIMM", "detail");
	is_uint(module->ranks, 4, "ranks are four bits");
	is_uint(module->total_bits, 72, "width with ECC");
	is_uint(module->data_bits, 64, "width without");
	is_uint(module->millivolts, 1200, "voltage");
	is_str(memory_of("17 1 0x28 w0c=1 s1a=\"0x4B564D2D31324142430000\"\n")->module[0].part,
	       "KVM-12ABC", "a name in hex is read");
	module = &memory_of("17 1 0x28 w08=72 w0c=0 s10=\"A2\" b12=26 w15=3200 s17=\"Samsung\" "
			    "s18=\"1\" s1a=\"x\" b1b=2 w20=3200 w26=1200\n")->module[0];
	is_str(module->slot, "A2", "an empty slot has a name");
	ok(!module->maker[0] && !module->serial[0] && !module->part[0] && !module->type[0] &&
	   !module->rated_mt_per_s && !module->ranks && !module->total_bits &&
	   !module->millivolts, "and nothing else");
	is_uint(memory_of("17 7 0x22 w0c=1024 s10=\"A\"\n17 7 0x22 w0c=1024 s10=\"A\"\n")->module_n,
		1, "the same structure twice is one module");
	is_uint(memory_of("17 7 0x22 w0c=1024 s10=\"A\"\n17 7 0x22 w0c=1024 s10=\"B\"\n")->module_n,
		2, "a handle used twice for two modules is two");
}

static void arrays(void)
{
	static const char *const ecc[] = {
		"", "", "", "none", "parity", "single-bit", "multi-bit", "crc", "",
	};
	const struct memory_info *mem;
	char line[256];

	for (unsigned i = 0; i < sizeof(ecc) / sizeof(*ecc); i++) {
		snprintf(line, sizeof(line), "16 1 0x0f b05=3 b06=%u d07=1024 w0d=4\n", i);
		is_str(memory_of(line)->ecc, ecc[i], "error correction %u", i);
	}
	for (unsigned use = 0; use < 9; use++) {
		bool is_system = use < 4 || use > 7;

		snprintf(line, sizeof(line), "17 2 0x22 w04=1 w0c=16\n"
			 "16 1 0x0f b05=%u b06=3 d07=1024 w0d=4\n", use);
		mem = memory_of(line);
		is_uint(mem->module_n, is_system, "array of use %u: modules", use);
		is_uint(mem->slots, is_system ? 4 : 0, "array of use %u: slots", use);
		is_uint(mem->max_bytes, is_system ? MIB : 0, "array of use %u: most", use);
	}
	mem = memory_of("16 1 0x17 b05=3 b06=6 d07=0x80000000 w0d=8 q0f=6597069766656\n"
			"16 2 0x17 b05=3 b06=6 d07=0x80000000 w0d=8 q0f=6597069766656\n"
			"16 2 0x17 b05=3 b06=6 d07=0x80000000 w0d=8 q0f=6597069766656\n");
	is_uint(mem->max_bytes, UINT64_C(13194139533312), "two arrays, one of them twice: most");
	is_uint(mem->slots, 16, "slots");
	is_str(mem->ecc, "multi-bit", "error correction, said once");
	mem = memory_of("16 1 0x0f b05=3 b06=3 d07=0x80000000 w0d=1\n17 2 0x22 w04=1 w0c=1\n"
			"17 3 0x22 w04=1 w0c=1\n");
	is_uint(mem->max_bytes, 0, "too short for an extended size: not known");
	is_uint(mem->slots, 2, "never fewer slots than are listed");
}

/* The single structures, as some kernels have them without the whole table. */
static void entries(void)
{
	struct sysfs_fixture f;
	char name[64];
	struct smbios s;

	sysfs_fixture_make(&f, "@sys/firmware/dmi/tables\nDMI:=[]\n");
	is_int(smbios_load(f.root, &s), -ENODATA, "an empty table");
	sysfs_fixture_remove(&f);
	is_int(smbios_load("/nonexistent", &s), -ENOENT, "no table");
	sysfs_fixture_make(&f, "@sys/firmware/dmi/entries\n0-0/\n16-0/raw:=[\\x10]\n"
			   "127-0/raw:=[\\x7f\\x04\\x00\\x00\\x00\\x00]\n");
	for (unsigned i = 0; i < 12; i++) {
		char line[64];

		memset(&text, 0, sizeof(text));
		snprintf(line, sizeof(line), "17 %u 0x22 w0c=%u s10=\"D%u\"\n", i, i + 1, i);
		smbios_text_add(&text, line);
		snprintf(name, sizeof(name), "sys/firmware/dmi/entries/17-%u/raw", i);
		/* that of the last has lost its end */
		sysfs_fixture_write(&f, name, text.table, text.len - (i == 11 ? 2 : 0));
	}
	clear();
	dmi_read(f.root, &m);
	is_uint(m.memory.module_n, 12, "single structures are found");
	is_str(m.memory.module[10].slot, "D10", "in the order of their numbers");
	is_uint(m.memory.installed_bytes, 78 * MIB, "each once");
	sysfs_fixture_remove(&f);
}

static void firmware(void)
{
	static const char lines[] =
		"0 0 0x18 s04=\"AMI\" s05=\"1.2\" s08=\"01/02/2020\" b14=5 b15=17\n"
		"1 1 0x1b s04=\"ACME\" s05=\"Server\" s06=\"v2\" s07=\"SN7\" "
		"x08=00112233445566778899aabbccddeeff s19=\"SKU-9\" s1a=\"Family\"\n"
		"2 2 0x0f s04=\"BoardMaker\" s05=\"B-1\" s06=\"1.01\" s07=\"BS1\"\n"
		"3 3 0x16 s04=\"CaseMaker\" b05=0x97 s06=\"N/A\" s07=\"CS1\" s08=\"Asset-12345\"\n";
	struct smbios s = table(lines);

	clear();
	s.version = 0x0206;
	text_copy(m.vendor, sizeof(m.vendor), "From sysfs");
	dmi_read_table(&s, &m);
	is_str(m.vendor, "From sysfs", "what sysfs said stays");
	is_str(m.product, "Server", "product");
	is_str(m.version, "v2", "version");
	is_str(m.serial, "SN7", "serial number");
	is_str(m.sku, "SKU-9", "order number");
	is_str(m.family, "", "\"Family\" is a filler");
	is_str(m.uuid, "33221100-5544-7766-8899-aabbccddeeff", "UUID, little-endian from 2.6 on");
	is_str(m.board.name, "B-1", "board");
	is_str(m.board.version, "1.01", "board revision");
	is_str(m.board.serial, "BS1", "board serial number");
	is_str(m.chassis.type, "Rack Mount Chassis", "case: the lock's bit does not count");
	is_str(m.chassis.version, "", "a filler is no version");
	is_str(m.chassis.serial, "CS1", "case serial number");
	is_str(m.chassis.asset_tag, "", "a filler is no tag");
	is_str(m.bios.version, "1.2", "BIOS version");
	is_str(m.bios.date, "01/02/2020", "BIOS date");
	is_str(m.bios.release, "5.17", "BIOS release");
	clear();
	s.version = 0x0204;
	dmi_read_table(&s, &m);
	is_str(m.uuid, "00112233-4455-6677-8899-aabbccddeeff", "UUID before 2.6");
	smbios_free(&s);
}

/* A table with all that is read, for cutting and altering. */
static const char whole[] =
	"0 0 0x18 s04=\"AMI\" s05=\"1.2\" s08=\"01/02/2020\" b14=5 b15=17\n"
	"1 1 0x1b s04=\"ACME\" s05=\"Server\" s06=\"v2\" s07=\"SN7\" "
	"x08=00112233445566778899aabbccddeeff s19=\"SKU-9\" s1a=\"Fam\"\n"
	"2 2 0x0f s04=\"BoardMaker\" s05=\"B-1\" s06=\"1.01\" s07=\"BS1\"\n"
	"3 3 0x16 s04=\"CaseMaker\" b05=0x97 s06=\"1\" s07=\"CS1\" s08=\"Tag\"\n"
	"4 4 0x30 s04=\"CPU1\" b05=3 s10=\"Processor 9\" b18=0x41\n"
	"16 5 0x17 b05=3 b06=6 d07=0x80000000 w0d=4 q0f=6597069766656\n"
	"17 6 0x5c w04=5 w08=72 w0a=64 w0c=0x7fff d1c=65536 b0e=9 s10=\"A1\" s11=\"B0\" b12=34 "
	"w13=0x2080 w15=0xffff s17=\"Samsung\" s18=\"12AB\" s1a=\"M321\" b1b=2 w20=4800 d54=5600\n"
	"17 7 0x28 w04=5 w0c=0 s10=\"A2\" s17=\"NO DIMM\"\n"
	"127 8 4\n";

/* Everything that reads a table. False where a text came out that is none. */
static bool read_all(const uint8_t *bytes, size_t len, bool ends_marked)
{
	struct smbios s = table_of(bytes, len);
	struct smbios_place p = { .at = 0 };
	struct smbios_entry e;
	char to[128];
	bool good = true;

	s.ends_marked = ends_marked;
	clear();
	dmi_read_table(&s, &m);
	smbios_memory_read(&s, &m);
	while (smbios_next(&s, &p, &e))
		for (size_t i = 0; i < e.length; i++) {
			smbios_string(&e, i, to, sizeof(to));
			good = good && text_is_utf8(to, strlen(to));
		}
	for (size_t i = 0; i < m.memory.module_n && i < 96; i++)
		good = good && text_is_utf8(m.memory.module[i].slot,
					    strlen(m.memory.module[i].slot));
	smbios_free(&s);
	return good && text_is_utf8(m.vendor, strlen(m.vendor)) &&
		text_is_utf8(m.uuid, strlen(m.uuid));
}

static void cut_anywhere(void)
{
	bool good = true, grows = true;
	uint64_t before = 0;

	memset(&text, 0, sizeof(text));
	smbios_text_add(&text, whole);
	for (size_t len = 0; len <= text.len; len++) {
		good = read_all(text.table, len, true) && good;
		grows = grows && m.memory.installed_bytes >= before;
		before = m.memory.installed_bytes;
	}
	ok(good, "cut at every length, its texts are texts");
	ok(grows, "and a module is there or not");
	is_uint(m.memory.installed_bytes, 65536 * MIB, "whole, it has its module");
	is_uint(m.memory.module[0].rated_mt_per_s, 5600, "with its speed");
}

static void altered_anywhere(void)
{
	static uint8_t bytes[sizeof(text.table)];
	uint32_t seed = 2463534242u;
	bool good = true;

	for (int round = 0; round < 20000; round++) {
		memcpy(bytes, text.table, text.len);
		for (int flips = 0; flips <= round % 8; flips++) {
			seed ^= seed << 13;
			seed ^= seed >> 17;
			seed ^= seed << 5;
			bytes[(seed >> 8) % text.len] =
				(uint8_t)(round % 2 ? seed : 0xff * (seed >> 31));
		}
		good = read_all(bytes, text.len, round % 3 == 0) && good;
	}
	ok(good, "altered 20,000 times, its texts are texts");
	memset(bytes, 17, sizeof(bytes));
	ok(read_all(bytes, sizeof(bytes), false), "a table of one byte");
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = "\x11\x15\x01\x00"[i % 23 < 4 ? i % 23 : 3];
	ok(read_all(bytes, sizeof(bytes), false), "a table of 2,849 modules");
	is_uint(m.memory.module_n, 1, "that are all one and the same");
}

int main(void)
{
	structures();
	broken();
	sizes();
	speeds();
	modules();
	arrays();
	entries();
	firmware();
	cut_anywhere();
	altered_anywhere();
	return tap_done();
}
