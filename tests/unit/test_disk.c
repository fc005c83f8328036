/* SPDX-License-Identifier: MIT */
/* The disk list and the table of reasons; names and numbers that identify a disk, or do not. */
#include <ctype.h>

#include "bench/sys/found.h"
#include "bench/sys/order.h"
#include "bench/sys/placeholder.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

static void table_is_whole(void)
{
	for (int i = 0; i < DISK_SKIP_COUNT; i++) {
		const struct disk_skip_row *row = &disk_skip_table[i];
		bool plain = row->word && row->word[0];

		is_int(row->skip, i, "row %d of the table is at its place", i);
		for (const char *s = row->word; plain && *s; s++)
			plain = islower((unsigned char)*s) || *s == '_';
		ok(plain, "reason %d has a plain word", i);
		ok(row->sentence && row->sentence[0], "reason %d has a sentence", i);
		for (int k = 0; k < i; k++)
			if (!strcmp(disk_skip_table[k].word, row->word))
				ok(false, "the word %s stands twice", row->word);
	}
	ok(disk_skip_table[DISK_LOOP].overridden && disk_skip_table[DISK_ZRAM].overridden,
	   "loop and zram devices can be asked for");
	ok(!disk_skip_table[DISK_HIDDEN_PATH].overridden &&
	   !disk_skip_table[DISK_NO_NAMESPACE].overridden &&
	   	!disk_skip_table[DISK_EXCLUDED].overridden,
	   "what has no device, and what was excluded, cannot");
}

/* docs/discovery.md has each reason, and whether it can be overridden. */
static void table_is_documented(void)
{
	char *page, row[64];
	size_t len;

	if (file_load("docs/discovery.md", 1 << 20, &page, &len))
		tap_bail("docs/discovery.md cannot be read: run from the project's root");
	for (int i = DISK_TAKEN + 1; i < DISK_SKIP_COUNT; i++) {
		snprintf(row, sizeof(row), "\n| `%s` | %s |", disk_skip_table[i].word,
			 disk_skip_table[i].overridden ? "yes" : "no");
		ok(strstr(page, row) != NULL, "docs/discovery.md has the row%s", strchr(row, ' '));
	}
	free(page);
}

static void list_grows(void)
{
	struct disk_list l = { 0 };
	struct disk d = { .skip = DISK_TAKEN };
	bool kept = true;

	for (int i = 0; i < 1000; i++) {
		snprintf(d.name, sizeof(d.name), "sd%d", i);
		if (disk_list_add(&l, &d))
			tap_bail("no memory");
	}
	is_uint(l.n, 1000, "a list takes 1,000 disks");
	for (int i = 0; i < 1000; i++) {
		snprintf(d.name, sizeof(d.name), "sd%d", i);
		kept = kept && !strcmp(l.disk[i].name, d.name);
	}
	ok(kept, "and keeps them in order");
	disk_list_free(&l);
	ok(!l.disk && !l.n && !l.room, "a freed list is empty");
	is_int(disk_list_add(&l, &d), 0, "and can be used again");
	disk_list_free(&l);
}

static void placeholders(void)
{
	static const struct {
		const char *text;
		bool serial, other;	/* is it a filler as a serial number, as another text */
	} rows[] = {
		{ "", true, true }, { " ", true, true }, { "To be filled by O.E.M.", true, true },
		{ "To Be Filled By O.E.M.", true, true }, { "TO BE FILLED BY O.E.M", true, true },
		{ "Default string", true, true }, { "Not Specified", true, true },
		{ "None", true, true }, { "N/A", true, true }, { "System Serial Number", true,
			true },
		{ "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", true, true },
		{ "\xEF\xBF\xBD" "A", false, false }, { "...", true, true }, { "-", true, true },
		{ "000000000000", true, false }, { "XXXXXXXX", true, false }, { "xXxX", true,
			false },
		{ "FFFFFFFF", true, false }, { "0", true, false }, { "X", false, false },
		{ "7", false, false }, { "0123456789", true, false }, { "123456789ABCDEF", true,
			false },
		{ "0000000000CA", false, false }, { "202006054D01", false, false },
		{ "S1", false, false }, { "ABC1234", false, false },
		{ ".ABC1234.XXXXX0000000XX.", false, false }, { "PowerEdge R6515", false, false },
		{ "Nonesuch", false, false }, { "1.0", false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		is_int(placeholder_serial(rows[i].text), rows[i].serial, "serial number \"%s\"",
		       rows[i].text);
		is_int(placeholder_text(rows[i].text), rows[i].other, "text \"%s\"", rows[i].text);
	}
}

static void world_wide_names(void)
{
	static const struct {
		const char *wwid;
		bool good;
	} rows[] = {
		{ "naa.5000c50000000001", true }, { "0x5000c50000000001", true },
		{ "naa.600508b1001c0e2b3d7a9f8812345678", true }, { "naa.2002538500001234", true },
		{ "naa.0000000000000000", false }, { "0x0000000000000000", false },
		{ "naa.5000000000000001", false }, { "naa.ffffffffffffffff", false },
		{ "naa.5555555555555555", false }, { "naa.3000c50000000001", false },
		{ "naa.5000c5000000000", false }, { "naa.5000c500000000011", false },
		{ "naa.5000c5000000000g", false }, { "naa.", false }, { "", false },
		{ "eui.0025388b01234567", true }, { "eui.0000000000000001", false },
		{ "eui.0000000000000000", false }, { "eui.36344730526001820025384300000001", true },
		{ "eui.36344730526001820000004300000001", false }, { "eui.0", false },
		{ "uuid.12345678-1234-1234-1234-123456789abc", true },
		{ "uuid.00000000-0000-0000-0000-000000000000", false }, { "uuid.1", false },
		{ "t10.ATA QEMU HARDDISK QM00001", false },
		{ "nvme.1b36-5331-51454d55204e564d65204374726c-00000001", false },
	};
	char plain[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		is_int(identity_wwid_is_good(rows[i].wwid), rows[i].good, "WWN \"%s\"",
		       rows[i].wwid);
	identity_plain_wwid("naa.5000C50000000001", plain, sizeof(plain));
	is_str(plain, "5000c50000000001", "a WWN without prefix, in lower case");
}

static void ascending(const char *const *names, size_t n, int (*compare)(const char *,
									 const char *))
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			ok(compare(names[i], names[k]) < 0 && compare(names[k], names[i]) > 0,
			   "\"%s\" comes before \"%s\"", names[i], names[k]);
}

static void order(void)
{
	static const char *const scsi[] = { "sda", "sdb", "sdz", "sdaa", "sdab", "sdba" };
	static const char *const nvme[] = {
		"nvme0n1", "nvme0n2", "nvme0n10", "nvme2c0n1", "nvme2n1", "nvme2n9", "nvme10n1",
	};
	static const char *const addresses[] = {
		"0000:00:02.0", "0000:00:1f.2", "0000:ae:00.0", "10000:01:00.0", "",
	};

	ascending(scsi, sizeof(scsi) / sizeof(*scsi), order_names);
	ascending(nvme, sizeof(nvme) / sizeof(*nvme), order_names);
	ascending(addresses, sizeof(addresses) / sizeof(*addresses), order_addresses);
	is_int(order_names("sda", "sda"), 0, "a name equals itself");
	ok(order_names("a01", "a1") != 0, "names of one value are still different");
}

int main(void)
{
	table_is_whole();
	table_is_documented();
	list_grows();
	placeholders();
	world_wide_names();
	order();
	return tap_done();
}
