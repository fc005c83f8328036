/* SPDX-License-Identifier: MIT */
/* One pass over /proc/cpuinfo; see cpuinfo.h. */
#include "bench/sys/cpuinfo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sys/placeholder.h"
#include "bench/sys/sysfs.h"
#include "bench/sys/words.h"
#include "lib/file.h"
#include "lib/text.h"

#define CPUINFO_BYTES_MAX (64u << 20)	/* 1,280 CPUs take about 2 MB */

/* Keys that may hold the processor's name, best first. */
static const char *const name_keys[CPUINFO_NAMES] = {
	"model name",	/* x86, some arm */
	"Model Name",	/* loongarch */
	"Processor",	/* older arm */
	"cpu model",	/* mips */
	"cpu",		/* ppc, sparc */
	"Model",
	"uarch",	/* riscv */
};
#define OLD_ARM_NAME 2

/* Flags that matter for speed or trust, of all architectures, in the order they are listed. */
static const char *const flag_words[] = {
	/* x86: what code may use */
	"sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_vnni", "amx_tile", "aes", "vaes",
	"pclmulqdq", "vpclmulqdq", "sha_ni", "rdrand", "rdseed", "bmi2", "erms",
	/* x86: clock and frequency */
	"constant_tsc", "nonstop_tsc", "tsc_reliable", "ida", "cpb", "hwp",
	/* x86: virtual machines and encrypted memory */
	"hypervisor", "vmx", "svm", "sme", "sev", "sev_es", "sev_snp", "tdx_guest",
	/* arm, where aes stands above */
	"asimd", "sve", "sve2", "pmull", "sha1", "sha2", "sha3", "sha512", "crc32", "atomics",
	"rng",
	/* loongarch */
	"lsx", "lasx", "lvz",
};

/* Registered implementers (Arm DDI 0487, MIDR_EL1). */
static const struct {
	const char *number, *name;
} implementers[] = {
	{ "0x41", "ARM" }, { "0x42", "Broadcom" }, { "0x43", "Cavium" }, { "0x46", "Fujitsu" },
	{ "0x48", "HiSilicon" }, { "0x4e", "NVIDIA" }, { "0x50", "APM" }, { "0x51", "Qualcomm" },
	{ "0x53", "Samsung" }, { "0x56", "Marvell" }, { "0x61", "Apple" }, { "0x69", "Intel" },
	{ "0x6d", "Microsoft" }, { "0x70", "Phytium" }, { "0xc0", "Ampere" },
};

/* Cores that servers have; others keep their number. */
static const struct {
	const char *implementer, *part, *name;
} parts[] = {
	{ "0x41", "0xd03", "Cortex-A53" }, { "0x41", "0xd07", "Cortex-A57" },
	{ "0x41", "0xd08", "Cortex-A72" }, { "0x41", "0xd0b", "Cortex-A76" },
	{ "0x41", "0xd0c", "Neoverse-N1" }, { "0x41", "0xd40", "Neoverse-V1" },
	{ "0x41", "0xd49", "Neoverse-N2" }, { "0x41", "0xd4f", "Neoverse-V2" },
	{ "0x41", "0xd8e", "Neoverse-N3" }, { "0x41", "0xd84", "Neoverse-V3" },
	{ "0x43", "0x0af", "ThunderX2" }, { "0x48", "0xd01", "TaiShan-v110" },
	{ "0xc0", "0xac3", "Ampere-1" }, { "0xc0", "0xac4", "Ampere-1a" },
};

static void add_part(struct cpuinfo *c, const char *value)
{
	for (size_t i = 0; i < c->part_n; i++)
		if (!strcmp(c->part[i], value))
			return;
	if (c->part_n < CPUINFO_PARTS_MAX)
		text_clean_str(c->part[c->part_n++], sizeof(c->part[0]), value);
}

static void choose_flags(struct cpuinfo *c, const char *all)
{
	for (size_t i = 0; i < sizeof(flag_words) / sizeof(*flag_words); i++)
		if (words_hold(all, flag_words[i]))
			words_append(c->flags, sizeof(c->flags), " ", flag_words[i]);
}

/* s390 has "processor 8: version = FF,  identification = 1A2B3C,  machine = 8561". */
static void take_s390(struct cpuinfo *c, const char *value)
{
	const char *machine = strstr(value, "machine = ");

	c->processor_n++;
	if (machine && !c->machine[0])
		text_clean(c->machine, sizeof(c->machine), machine + 10,
			   strcspn(machine + 10, ", \t"));
}

static void take_number(int32_t *to, const char *value)
{
	unsigned long v = strtoul(value, NULL, 10);

	if (*to < 0 && v <= INT32_MAX)
		*to = (int32_t)v;
}

static void take_text(char *to, size_t size, const char *value)
{
	if (!to[0])
		text_clean_str(to, size, value);
}

static void take_pair(struct cpuinfo *c, const char *key, const char *value)
{
	/* "Processor" (older arm) may also number a processor, "model" (ppc) be a name */
	bool is_number = value[0] && strspn(value, "0123456789") == strlen(value);

	for (size_t i = 0; i < CPUINFO_NAMES; i++)
		if (!strcmp(key, name_keys[i]) && !c->name[i][0] && !is_number)
			text_clean_str(c->name[i], sizeof(c->name[i]), value);
	if (!strcmp(key, "processor") && is_number)
		c->processor_n++;
	else if (!strncmp(key, "processor ", 10))
		take_s390(c, value);
	else if (!strcmp(key, "ncpus active"))
		c->active_n = (unsigned)strtoul(value, NULL, 10);
	else if (!strcmp(key, "vendor_id"))
		take_text(c->vendor, sizeof(c->vendor), value);
	else if (!strcmp(key, "cpu family") && is_number)
		take_number(&c->family, value);
	else if (!strcmp(key, "model") && is_number)
		take_number(&c->model, value);
	else if (!strcmp(key, "stepping") && is_number)
		take_number(&c->stepping, value);
	else if (!strcmp(key, "CPU implementer"))
		take_text(c->implementer, sizeof(c->implementer), value);
	else if (!strcmp(key, "CPU part"))
		add_part(c, value);
	else if (!strcmp(key, "microcode"))
		take_text(c->microcode, sizeof(c->microcode), value);
	else if (!strcmp(key, "physical id") && is_number && strlen(value) < 10)
		c->package = strtoll(value, NULL, 10);
	else if (!strcmp(key, "core id") && is_number && strlen(value) < 10)
		cpu_places_add(&c->places, (struct cpu_place){ .package = c->package,
			       .core = strtoll(value, NULL, 10) });
	else if (!strcmp(key, "flags") && !c->has_flags) {
		c->has_flags = true;
		c->has_hypervisor = words_hold(value, "hypervisor");
		choose_flags(c, value);
	} else if (!strcmp(key, "Features") && !c->flags[0])
		choose_flags(c, value);
}

static void take_line(struct cpuinfo *c, char *line)
{
	char *value = strchr(line, ':'), *end;

	if (!value)
		return;
	for (end = value; end > line && strchr(" \t", end[-1]); end--)
		;
	*end = '\0';
	value += 1 + strspn(value + 1, " \t");
	for (end = value + strlen(value); end > value && strchr(" \t\r", end[-1]); end--)
		;
	*end = '\0';
	take_pair(c, line, value);
}

void cpuinfo_read(const char *root, struct cpuinfo *c)
{
	char path[SYSFS_PATH_BYTES], *text, *line, *rest;
	size_t len;

	*c = (struct cpuinfo){ .family = -1, .model = -1, .stepping = -1 };
	if (!sysfs_join(path, root, "proc/cpuinfo") ||
	    file_load(path, CPUINFO_BYTES_MAX, &text, &len) < 0)
		return;
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\0')
			text[i] = '?';
	for (rest = text; (line = strsep(&rest, "\n"));)
		take_line(c, line);
	c->lone_arm = c->name[OLD_ARM_NAME][0] != '\0';
	free(text);
}

void cpuinfo_free(struct cpuinfo *c)
{
	cpu_places_free(&c->places);
}

static const char *implementer_name(const char *number)
{
	for (size_t i = 0; i < sizeof(implementers) / sizeof(*implementers); i++)
		if (text_same(number, implementers[i].number))
			return implementers[i].name;
	return NULL;
}

static const char *part_name(const char *implementer, const char *part)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (text_same(implementer, parts[i].implementer) && text_same(part, parts[i].part))
			return parts[i].name;
	return NULL;
}

/*
 * "ARM Neoverse-N1", or "ARM implementer 0x41 parts 0xd85, 0xd87" where a core is not known by
 * name: all that such a cpuinfo tells.
 */
static bool name_by_parts(const struct cpuinfo *c, char *to, size_t size)
{
	const char *company = implementer_name(c->implementer);
	bool all_known = company != NULL;
	size_t n;

	if (!c->implementer[0] || !c->part_n)
		return false;
	for (size_t i = 0; i < c->part_n; i++)
		all_known = all_known && part_name(c->implementer, c->part[i]);
	n = (size_t)(all_known ? snprintf(to, size, "%s", company) :
		     snprintf(to, size, "ARM implementer %s part%s", c->implementer,
			      c->part_n > 1 ? "s" : ""));
	for (size_t i = 0; i < c->part_n && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s %s", i ? "," : "", all_known ?
				      part_name(c->implementer, c->part[i]) : c->part[i]);
	return true;
}

bool cpuinfo_name(const struct cpuinfo *c, char *to, size_t size)
{
	for (size_t i = 0; i < CPUINFO_NAMES; i++)
		if (!placeholder_text(c->name[i])) {
			text_copy(to, size, c->name[i]);
			return true;
		}
	if (name_by_parts(c, to, size))
		return true;
	if (!c->machine[0])
		return false;
	snprintf(to, size, "%s%smachine %s", c->vendor, c->vendor[0] ? " " : "", c->machine);
	return true;
}

void cpuinfo_vendor(const struct cpuinfo *c, char *to, size_t size)
{
	const char *name = implementer_name(c->implementer);

	text_copy(to, size, !placeholder_text(c->vendor) ? c->vendor : name ? name :
		  c->implementer);
}
