/* SPDX-License-Identifier: MIT */
/* What the machine is: firmware's texts, memory, links, mitigations, virtualisation, kernel. */
#include <stdint.h>

#include "bench/model/fields.h"
#include "bench/sys/machine.h"
#include "bench/sys/machine_parts.h"
#include "lib/text.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static void firmware(void)
{
	struct machine_info m;
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, "@sys/class/dmi/id\nsys_vendor=Dell Inc.\nproduct_name=PowerEdge "
			   "R6515\n"
		"product_serial=ABC1234\nboard_vendor=Dell Inc.\nboard_name=07PXPY\n"
		"board_version=A01\n"
		"bios_vendor=Dell Inc.\nbios_version=2.2.4\nbios_date=04/12/2021\n");
	machine_read(f.root, &m);
	is_str(m.vendor, "Dell Inc.", "vendor");
	is_str(m.product, "PowerEdge R6515", "product");
	is_str(m.serial, "ABC1234", "serial number");
	is_str(m.board.vendor, "Dell Inc.", "board vendor");
	is_str(m.board.name, "07PXPY", "board");
	is_str(m.board.version, "A01", "board revision");
	is_str(m.bios.vendor, "Dell Inc.", "BIOS vendor");
	is_str(m.bios.version, "2.2.4", "BIOS version");
	is_str(m.bios.date, "04/12/2021", "BIOS date");
	sysfs_fixture_remove(&f);

	sysfs_fixture_make(&f, "@sys/class/dmi/id\nsys_vendor=[\\xff\\xff\\xff]\n"
		"product_name=[To Be Filled By O.E.M.]\nproduct_serial=[AB\\x01\"<i>]\n"
		"board_vendor=[Gigabyte\\xae\\x12]\nboard_name=[X99  ]\nboard_version=[Default "
		"string]\n"
		"bios_vendor=[]\nbios_version/\nbios_date=[   ]\n");
	machine_read(f.root, &m);
	is_str(m.vendor, "", "bytes FFh are no vendor");
	is_str(m.product, "", "a filler is no product, in whatever case");
	is_str(m.serial, "AB\xEF\xBF\xBD\"<i>", "a control character is marked");
	is_str(m.board.vendor, "Gigabyte\xEF\xBF\xBD\xEF\xBF\xBD", "and so are other bytes");
	is_str(m.board.name, "X99", "padding is no part of a name");
	is_str(m.board.version, "", "a filler is no revision");
	is_str(m.bios.vendor, "", "an empty text is absent");
	is_str(m.bios.version, "", "a folder is absent");
	is_str(m.bios.date, "", "blanks are absent");
	sysfs_fixture_remove(&f);

	sysfs_fixture_make(&f, "@sys/class/dmi/id\nproduct_serial=00000000\nboard_name=0000\n");
	machine_read(f.root, &m);
	is_str(m.serial, "", "zeros are no serial number");
	is_str(m.board.name, "0000", "but may be a board's name");
	sysfs_fixture_remove(&f);
}

static void nothing(void)
{
	static struct machine_info m, absent;
	struct sysfs_fixture f;

	memset(&m, 0x5a, sizeof(m));
	fields_init(&fields_machine, &absent);
	sysfs_fixture_make(&f, "");
	machine_read(f.root, &m);
	ok(!memcmp(&m, &absent, sizeof(m)), "of an empty tree everything is absent");
	sysfs_fixture_remove(&f);
	machine_read("/nonexistent", &m);
	ok(!memcmp(&m, &absent, sizeof(m)), "and of none at all");
}

static void memory(void)
{
	static const struct {
		const char *meminfo;
		unsigned long long bytes;
	} rows[] = {
		{ "MemTotal:       15666184 kB\nMemFree:          440324 kB\n", 16042172416 },
		{ "SomethingNew: 1 kB\nMemTotal: 2 kB\n", 2048 },
		{ "MemTotal:    18014398509481983 kB\n", 18446744073709550592u },
		{ "MemTotal:    18014398509481985 kB\n", 0 },
		{ "MemTotal:\n", 0 }, { "MemTotal: many kB\n", 0 }, { "", 0 },
			{ "XMemTotal: 5 kB\n", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct machine_info m = { .memory_bytes = 0 };
		struct sysfs_fixture f;

		sysfs_fixture_make(&f, "");
		sysfs_fixture_write(&f, "proc/meminfo", rows[i].meminfo, strlen(rows[i].meminfo));
		memory_read(f.root, &m);
		is_uint(m.memory_bytes, rows[i].bytes, "memory, row %zu", i);
		sysfs_fixture_remove(&f);
	}
}

static void links(void)
{
	struct machine_info m = { .nic_n = 0 };
	struct sysfs_fixture f;
	char text[256];

	sysfs_fixture_make(&f,
		"(lo) -> virtual/net/lo\ntype=772\naddress=00:00:00:00:00:00\n"
		"(br0) -> virtual/net/br0\ntype=1\naddress=02:00:00:00:00:09\n"
		"(eth10) -> pci0000:00/0000:00:04.0/net/eth10\ntype=1\naddress=02:00:00:00:00:0a\n"
		"carrier=1\nspeed=10000\ndevice -> ../..\n"
		"(eth2) -> pci0000:00/0000:00:03.0/net/eth2\ntype=1\naddress=02:00:00:00:00:02\n"
		"carrier -> /proc/self/mem\nspeed=-1\ndevice -> ../..\n"
		"(eth3) -> pci0000:00/0000:00:05.0/net/eth3\ntype=1\naddress=02:00:00:00:00:03\n"
		"carrier=1\nspeed=4294967300\ndevice -> ../..\n"
		"(eth3v0) -> pci0000:00/0000:00:05.1/net/eth3v0\ntype=1\ncarrier=1\ndevice -> ../"
		"..\n"
		"@sys/devices/pci0000:00/0000:00:05.1\nphysfn/\n"
		"(ib0) -> pci0000:00/0000:00:06.0/net/ib0\ntype=32\ndevice -> ../..\n"
		"@sys/devices/pci0000:00/0000:00:04.0\ndriver -> ../../../bus/pci/drivers/ixgbe\n"
		"@sys/class/net\nbonding_masters=[]\ngone -> ../../devices/gone\n");
	links_read(f.root, &m);
	is_uint(m.nic_n, 3, "Ethernet links with hardware of their own are counted");
	is_str(m.nic[0].name, "eth2", "in the order of their numbers");
	is_str(m.nic[1].name, "eth3", "...");
	is_str(m.nic[2].name, "eth10", "...");
	is_str(m.nic[2].driver, "ixgbe", "driver");
	is_str(m.nic[2].mac, "02:00:00:00:00:0a", "MAC");
	ok(m.nic[2].carrier && !m.nic[0].carrier, "carrier; where it cannot be read, there is "
	   "none");
	is_int(m.nic[2].speed_mbit_per_s, 10000, "speed");
	is_int(m.nic[0].speed_mbit_per_s, -1, "speed -1 is not known");
	is_int(m.nic[1].speed_mbit_per_s, -1, "nor is one past 32 bits");
	sysfs_fixture_remove(&f);

	sysfs_fixture_make(&f, "");
	for (int i = 39; i >= 0; i--) {
		snprintf(text, sizeof(text), "(e%d) -> pci0000:00/0000:00:%02x.0/net/e%d\ntype=1\n"
			 "device -> ../..\n", i, i, i);
		sysfs_fixture_add(&f, text);
	}
	links_read(f.root, &m);
	is_uint(m.nic_n, 40, "more links than are kept are counted");
	is_str(m.nic[0].name, "e0", "the first ones are kept");
	is_str(m.nic[31].name, "e31", "up to the last there is room for");
	sysfs_fixture_remove(&f);
}

static void mitigations(void)
{
	struct machine_info m = { .cpu.mitigation_n = 0 };
	struct sysfs_fixture f;
	char text[128];

	sysfs_fixture_make(&f, "@sys/devices/system/cpu/vulnerabilities\nmeltdown=Mitigation: PTI\n"
		"l1tf=Not affected\nspectre_v2=Vulnerable: <b>\nempty=\nfolder/\n");
	mitigations_read(f.root, &m);
	is_uint(m.cpu.mitigation_n, 3, "what says something is listed");
	is_str(m.cpu.mitigation[0].name, "meltdown", "what costs something comes first");
	is_str(m.cpu.mitigation[0].text, "Mitigation: PTI", "with the kernel's words");
	is_str(m.cpu.mitigation[2].name, "l1tf", "what does not concern this CPU comes last");
	for (int i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "@sys/devices/system/cpu/vulnerabilities\nz%02d=%s\n",
			 i,
			 i % 2 ? "Not affected" : "Mitigation: yes");
		sysfs_fixture_add(&f, text);
	}
	mitigations_read(f.root, &m);
	is_uint(m.cpu.mitigation_n, 32, "more than there is room for are cut");
	is_str(m.cpu.mitigation[21].text, "Mitigation: yes",
	       "all that cost something are still there");
	sysfs_fixture_remove(&f);
}

static void virtualisation(void)
{
#define METAL "@proc\ncpuinfo=[flags\t: fpu vme]\n"
#define GUEST "@proc\ncpuinfo=[flags\t: fpu hypervisor]\n"
#define DMI "@sys/class/dmi/id\n"
	static const struct {
		const char *what, *tree, *want;
	} rows[] = {
		{ "metal", METAL DMI "sys_vendor=Dell Inc.\nproduct_name=PowerEdge R6515\n", "none"
			},
		{ "metal without DMI", METAL, "none" },
		{ "nothing known", "", "" },
		{ "no flags, as on arm", "@proc\ncpuinfo=[processor : 0]\n", "" },
		{ "QEMU", GUEST DMI "sys_vendor=QEMU\nproduct_name=Standard PC (Q35 + ICH9, "
			"2009)\n", "qemu" },
		{ "QEMU that hides", METAL DMI "sys_vendor=QEMU\n", "qemu" },
		{ "VMware", GUEST DMI "sys_vendor=VMware, Inc.\nproduct_name=VMware7,1\n", "vmware"
			},
		{ "Hyper-V", GUEST DMI "sys_vendor=Microsoft Corporation\nproduct_name=Virtual "
			"Machine\n",
			"microsoft" },
		{ "a Surface is metal", METAL DMI "sys_vendor=Microsoft Corporation\n"
			"product_name=Surface Pro\n", "none" },
		{ "VirtualBox", GUEST DMI "sys_vendor=innotek GmbH\nproduct_name=VirtualBox\n",
			"virtualbox" },
		{ "Xen by sysfs", GUEST "@sys/hypervisor\ntype=xen\n", "xen" },
		{ "a cloud's virtual machine", GUEST DMI
			"sys_vendor=Amazon EC2\nproduct_name=c5.large\n",
			"amazon" },
		{ "a cloud's metal", METAL DMI "sys_vendor=Amazon EC2\nproduct_name=c5.metal\n",
			"none" },
		{ "Hetzner's vServer", GUEST DMI "sys_vendor=Hetzner\nproduct_name=vServer\n",
			"hetzner" },
		{ "OpenStack", GUEST DMI "sys_vendor=OpenStack Foundation\nproduct_name=OpenStack "
			"Nova\n",
			"kvm" },
		{ "an unknown hypervisor", GUEST DMI "sys_vendor=ACME\n", "other" },
		{ "a board that is KVM only in part", METAL DMI "sys_vendor=ACME\nproduct_name=Box "
			"KVM\n",
			"none" },
	};
	struct machine_info m;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct sysfs_fixture f;

		sysfs_fixture_make(&f, rows[i].tree);
		machine_read(f.root, &m);
		is_str(m.virtualisation, rows[i].want, "%s", rows[i].what);
		sysfs_fixture_remove(&f);
	}
}

static void kernel(void)
{
	/* SHA-256 of "abc": FIPS 180-4, example B.1 */
	static const char abc[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	struct tool_info t = { .kernel = "x" };
	struct run_info r = { .clocksource = "x" };
	struct machine_info m;
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, "@proc\nconfig.gz:=abc\nuptime=[1234.56 7890.12]\n"
		"@proc/sys/kernel\nosrelease=6.12.1\nversion=#1 SMP\narch=x86_64\n"
		"@sys/devices/system/clocksource/clocksource0\ncurrent_clocksource=tsc\n");
	machine_read_kernel(f.root, &t, &r);
	is_str(t.kernel, "6.12.1 #1 SMP", "release and version of the kernel");
	is_str(t.kernel_config_sha256, abc, "hash of its configuration");
	is_str(r.clocksource, "tsc", "clock source");
	machine_read(f.root, &m);
	is_uint(m.uptime_s, 1234, "uptime");
	is_str(m.arch, "x86_64", "architecture of the tree");
	sysfs_fixture_remove(&f);
	sysfs_fixture_make(&f, "");
	machine_read_kernel(f.root, &t, &r);
	ok(!t.kernel[0] && !t.kernel_config_sha256[0] && !r.clocksource[0],
	   "what cannot be read is absent");
	sysfs_fixture_remove(&f);
}

/* The machine this test runs on. */
static void this_machine(void)
{
	struct tool_info t = { .kernel = "" };
	struct run_info r = { .clocksource = "" };
	struct machine_info m;

	machine_read("", &m);
	machine_read_kernel("", &t, &r);
	ok(m.cpu.threads > 0 && m.memory_bytes > 1 << 20 && m.arch[0] && t.kernel[0],
	   "here there are a CPU, memory, an architecture and a kernel");
	ok(text_is_utf8(m.cpu.model, strlen(m.cpu.model)), "the CPU's name is text: %s",
	   m.cpu.model);
}

int main(void)
{
	firmware();
	nothing();
	memory();
	links();
	mitigations();
	virtualisation();
	kernel();
	this_machine();
	return tap_done();
}
