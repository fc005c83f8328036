/* SPDX-License-Identifier: MIT */
/* Names of PCI devices: how the table is searched, and that the one compiled in holds names. */
#include "bench/sys/pci_names.h"
#include "tests/unit/tap.h"

static const char table[] =
	"8085 Other\n"
	"\t1533 Not Intel's\n"
	"8086 Intel\n"
	"\t1533 I210\n"
	"\t\t1533 0001 a card of that number\n"
	"\t10fb 82599ES\n"
	"\t\t8086 0003 X520-2\n"
	"\t\t8086 000c X520-DA2\n"
	"8087 Last\n"
	"\t1111 Device\n"
	"C 01 Mass storage controller\n"
	"\t06 SATA controller\n"
	"C 02 Network controller\n"
	"\t00 Ethernet controller\n";

static void devices(void)
{
	static const struct {
		struct pci_id id;
		size_t size;
		const char *want;
	} rows[] = {
		{ { 0x8086, 0x1533, 0, 0 }, 64, "I210" },
		{ { 0x8086, 0x10fb, 0x8086, 0x000c }, 64, "82599ES (X520-DA2)" },
		{ { 0x8086, 0x10fb, 0x8086, 0x000d }, 64, "82599ES" },
		{ { 0x8086, 0x1533, 0x8086, 0x000c }, 64, "I210" },
		{ { 0x8086, 0x1111, 0, 0 }, 64, "" },	/* the next maker's */
		{ { 0x8086, 0x0001, 0, 0 }, 64, "" },	/* a card's number is no device */
		{ { 0x8087, 0x1533, 0, 0 }, 64, "" },
		{ { 0x8087, 0x0006, 0, 0 }, 64, "" },	/* nor is a subclass */
		{ { 0x1234, 0x1533, 0, 0 }, 64, "" },
		{ { 0xffff, 0xffff, 0xffff, 0xffff }, 64, "" },
		{ { 0x8086, 0x10fb, 0x8086, 0x000c }, 14, "82599ES (X52)" },
		{ { 0x8086, 0x10fb, 0x8086, 0x000c }, 10, "82599ES" },
		{ { 0x8086, 0x10fb, 0x8086, 0x000c }, 5, "8259" },
	};
	char name[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		pci_names_device(table, &rows[i].id, name, rows[i].size);
		is_str(name, rows[i].want, "device, row %zu", i);
	}
	pci_names_vendor(table, 0x8086, name, sizeof(name));
	is_str(name, "Intel", "a maker");
	pci_names_vendor(table, 0x1533, name, sizeof(name));
	is_str(name, "", "a device's number is no maker");
	pci_names_device("8086 Intel", &rows[0].id, name, sizeof(name));
	is_str(name, "", "a table that ends with its maker's name has no device");
}

static void classes(void)
{
	static const struct {
		uint32_t class;
		const char *want;
	} rows[] = {
		{ 0x010601, "SATA controller" }, { 0x018000, "Mass storage controller" },
		{ 0x020000, "Ethernet controller" }, { 0x020600, "Network controller" },
		{ 0x060000, "" }, { 0xff0000, "" }, { 0xff010601, "SATA controller" },
	};
	char name[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		pci_names_class(table, rows[i].class, name, sizeof(name));
		is_str(name, rows[i].want, "class %06x", (unsigned)rows[i].class);
	}
}

/* The names are Debian's and may change in wording: what each must contain. */
static void compiled_in(void)
{
	static const struct {
		struct pci_id id;
		const char *vendor, *part;
	} rows[] = {
		{ { 0x8086, 0x1533, 0, 0 }, "Intel", "I210" },
		{ { 0x8086, 0x10fb, 0, 0 }, "Intel", "82599ES" },
		{ { 0x14e4, 0x165f, 0, 0 }, "Broadcom", "BCM5720" },
		{ { 0x1000, 0x005d, 0x1028, 0x1f49 }, "Broadcom / LSI", "(PERC H730 Mini)" },
		{ { 0x9005, 0x028f, 0, 0 }, "Adaptec", "Smart" },
		{ { 0x15b3, 0x1017, 0, 0 }, "Mellanox", "ConnectX-5" },
		{ { 0x144d, 0xa808, 0, 0 }, "Samsung", "NVMe SSD" },
		{ { 0x1022, 0x7901, 0, 0 }, "AMD", "SATA" },
		{ { 0x1af4, 0x1001, 0, 0 }, "Red Hat", "irtio" },
		{ { 0x10ec, 0x8168, 0, 0 }, "Realtek", "RTL81" },
		{ { 0x1d0f, 0xec20, 0, 0 }, "Amazon", "ENA" },
		{ { 0x1425, 0x5410, 0, 0 }, "Chelsio", "T580" },
	};
	char vendor[64], device[128], class[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		pci_names_vendor(pci_names_table(), rows[i].id.vendor, vendor, sizeof(vendor));
		pci_names_device(pci_names_table(), &rows[i].id, device, sizeof(device));
		ok(strstr(vendor, rows[i].vendor) && strstr(device, rows[i].part),
		   "%04x:%04x is %s %s", rows[i].id.vendor, rows[i].id.device, vendor, device);
	}
	pci_names_vendor(pci_names_table(), 0x1a03, vendor, sizeof(vendor));
	is_str(vendor, "ASPEED Technology", "every maker has a name");
	pci_names_class(pci_names_table(), 0x010802, class, sizeof(class));
	is_str(class, "Non-Volatile memory controller", "and every class");
}

int main(void)
{
	devices();
	classes();
	compiled_in();
	return tap_done();
}
