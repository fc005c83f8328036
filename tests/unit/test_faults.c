/* SPDX-License-Identifier: MIT */
/* Kernel messages that tell of faults, and those of healthy machines that must not. */
#include "bench/model/fields.h"
#include "bench/sys/faults.h"
#include "bench/sys/kmsg.h"
#include "bench/sys/machine.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

static struct machine_info m;

static void begin(struct faults *f, const char *virtualisation)
{
	memset(&m, 0, sizeof(m));
	fields_init(&fields_machine, &m);
	text_copy(m.virtualisation, sizeof(m.virtualisation), virtualisation);
	*f = (struct faults){ .up_n = 0 };
}

static const struct {
	const char *kind, *device, *text;
} wrong[] = {
	{ "mce", "", "mce: [Hardware Error]: Machine check events logged" },
	{ "mce", "CPU 3", "mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 8: "
		"8c00004f000800c0" },
	{ "mce", "", "mce: [Hardware Error]: Machine check: Processor context corrupt" },
	{ "mce", "", "[Hardware Error]: Corrected error, no action required." },
	{ "mce", "", "{1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: "
		"4" },
	{ "mce", "", "BERT: Error records from previous boot:" },
	{ "memory", "CPU_SrcID#0_Ha#0_Chan#1_DIMM#0", "EDAC MC0: 1 CE memory read error on "
		"CPU_SrcID#0_Ha#0_Chan#1_DIMM#0 (channel:1 slot:0 page:0x5a2f offset:0x0 grain:32)"
		},
	{ "memory", "mc#1csrow#2channel#0", "EDAC MC1: 1 UE Cannot decode normalized address on "
		"mc#1csrow#2channel#0 (csrow:2 channel:0 page:0x0 offset:0x0 grain:64)" },
	{ "memory", "", "Memory failure: 0x12f4a: recovery action for dirty LRU page: Recovered" },
	{ "pcie", "0000:00:1c.0", "pcieport 0000:00:1c.0: AER: Corrected error received: "
		"0000:01:00.0" },
	{ "pcie", "0000:00:01.1", "pcieport 0000:00:01.1: AER: Multiple Uncorrectable (Non-Fatal) "
		"error message received from 0000:01:00.0" },
	{ "pcie", "10000:01:00.0", "nvme 10000:01:00.0: PCIe Bus Error: severity=Corrected, "
		"type=Physical Layer, (Receiver ID)" },
	{ "pcie", "0000:17:02.0", "pcieport 0000:17:02.0: pciehp: Slot(12): Link Down" },
	{ "pcie", "0000:81:00.0", "ixgbe 0000:81:00.0: 16.000 Gb/s available PCIe bandwidth, "
		"limited by 5.0 GT/s PCIe x4 link at 0000:80:01.0 (capable of 32.000 Gb/s with 5.0 "
		"GT/s PCIe x8 link)" },
	{ "io", "sda", "I/O error, dev sda, sector 1953524992 op 0x0:(READ) flags 0x80700 "
		"phys_seg 1 prio class 2" },
	{ "io", "nvme1n1", "blk_update_request: critical medium error, dev nvme1n1, sector 2048" },
	{ "io", "sdb1", "Buffer I/O error on dev sdb1, logical block 0, async page read" },
	{ "io", "sdb", "sd 1:0:0:0: [sdb] tag#12 Sense Key : Medium Error [current]" },
	{ "io", "sdc", "sd 2:0:0:0: [sdc] tag#3 FAILED Result: hostbyte=DID_TIME_OUT "
		"driverbyte=DRIVER_OK cmd_age=30s" },
	{ "io", "0:0:4:0", "sd 0:0:4:0: attempting task abort!scmd(0x00000000b2a0d2cb), "
		"outstanding for 31000 ms & timeout 30000 ms" },
	{ "io", "sdd1", "md/raid1:md2: Disk failure on sdd1, disabling device." },
	{ "io", "sdd1", "md: kicking non-fresh sdd1 from array!" },
	{ "io", "mpt3sas_cm0", "mpt3sas_cm0: log_info(0x31110610): originator(PL), code(0x11), "
		"sub_code(0x0610)" },
	{ "io", "", "INFO: task kworker/u16:2:141 blocked for more than 120 seconds." },
	{ "ata", "ata1", "ata1.00: exception Emask 0x10 SAct 0x0 SErr 0x400100 action 0x6 frozen"
		},
	{ "ata", "ata12", "ata12.00: failed command: READ FPDMA QUEUED" },
	{ "ata", "ata3", "ata3: hard resetting link" },
	{ "ata", "ata3", "ata3: limiting SATA link speed to 3.0 Gbps" },
	{ "ata", "ata2", "ata2: SATA link up 1.5 Gbps (SStatus 113 SControl 310)" },
	{ "ata", "ata5", "ata5: COMRESET failed (errno=-16)" },
	{ "ata", "ata6", "ata6.00: qc timeout after 5000 msecs (cmd 0xec)" },
	{ "nvme", "nvme0", "nvme nvme0: I/O tag 123 (1234) opcode 0x2 (I/O Cmd) QID 4 timeout, "
		"aborting req_op:READ(0) size:4096" },
	{ "nvme", "nvme10", "nvme nvme10: I/O 26 QID 0 timeout, disable controller" },
	{ "nvme", "nvme1", "nvme nvme1: controller is down; will reset: CSTS=0xffffffff, "
		"PCI_STATUS=0x10" },
	{ "nvme", "nvme2", "nvme nvme2: Device not ready; aborting initialisation, CSTS=0x0" },
	{ "nvme", "nvme2", "nvme nvme2: Disabling device after reset failure: -19" },
	{ "nvme", "nvme3", "nvme nvme3: globally duplicate IDs for nsid 1" },
	{ "nvme", "nvme0n1", "nvme0n1: I/O Cmd(0x2) @ LBA 42, 8 blocks, I/O Error (sct 0x2 / sc "
		"0x81) MORE" },
	{ "thermal", "CPU3", "CPU3: Core temperature above threshold, cpu clock throttled (total "
		"events = 1)" },
	{ "thermal", "CPU12", "mce: CPU12: Package temperature above threshold, cpu clock "
		"throttled (total events = 5)" },
	{ "thermal", "", "thermal thermal_zone0: acpitz: critical temperature reached, shutting "
		"down" },
	{ "firmware", "bnx2/bnx2-mips-09-6.2.1b.fw", "bnx2 0000:01:00.0: Direct firmware load for "
		"bnx2/bnx2-mips-09-6.2.1b.fw failed with error -2" },
	{ "firmware", "rtl_nic/rtl8168h-2.fw", "r8169 0000:03:00.0: firmware: failed to load "
		"rtl_nic/rtl8168h-2.fw (-2)" },
	{ "firmware", "rtl_nic/rtl8168g-3.fw", "r8169 0000:03:00.0: Unable to load firmware "
		"rtl_nic/rtl8168g-3.fw (-2)" },
	{ "firmware", "bnx2x/bnx2x-e2-7.13.21.0.fw", "bnx2x: Can't load firmware file "
		"\"bnx2x/bnx2x-e2-7.13.21.0.fw\"" },
	{ "driver", "0000:00:19.0", "e1000e: probe of 0000:00:19.0 failed with error -2" },
	{ "driver", "0000:19:00.0", "megaraid_sas 0000:19:00.0: probe with driver megaraid_sas "
		"failed with error -22" },
	{ "network", "eno1", "e1000e 0000:00:1f.6 eno1: Detected Hardware Unit Hang:" },
	{ "network", "eth0", "NETDEV WATCHDOG: eth0 (r8169): transmit queue 0 timed out" },
	{ "network", "eno2", "e1000e 0000:00:19.0 eno2: NETDEV WATCHDOG: CPU: 2: transmit queue 0 "
		"timed out 5324 ms" },
	{ "network", "0000:03:00.0", "igb 0000:03:00.0 eth1: PCIe link lost, device now detached" },
	{ "network", "0000:81:00.1", "ixgbe 0000:81:00.1: failed to initialize because an "
		"unsupported SFP+ module type was detected." },
	{ "network", "eno1", "bond0: link status definitely down for interface eno1, disabling it"
		},
};

static void of_faults(void)
{
	struct faults f;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		begin(&f, "none");
		ok(faults_add(&f, &m, wrong[i].text) && m.fault_n == 1 &&
		   !strcmp(m.fault[0].kind, wrong[i].kind), "%s: %s (%s)", wrong[i].kind,
		   wrong[i].text, m.fault[0].kind);
		is_str(m.fault[0].device, wrong[i].device, "... and the device");
		is_str(m.fault[0].text, wrong[i].text, "... and the message");
		is_uint(m.fault[0].count, 1, "... once");
	}
}

static const char *const healthy[] = {
	"mce: CPU supports 20 MCE banks", "MCE: In-kernel MCE decoding enabled.",
	"mce: CPU0: Thermal monitoring enabled (TM1)", "CPU3: Core temperature/speed normal",
	"mce: CPU12: Package temperature/speed normal",
	"EDAC MC: Ver: 3.0.0",
	("EDAC MC0: Giving out device to module skx_edac controller Skylake Socket#0 IMC#0: DEV "
	 "0000:64:0a.0 (INTERRUPT)"),
	"EDAC amd64: F17h_M30h detected (node 0).",
	"pcieport 0000:00:1c.0: AER: enabled with IRQ 122",
	"acpi PNP0A08:00: _OSC: OS now controls [PCIeHotplug PME AER PCIeCapability LTR]",
	"pci 0000:01:00.0: 31.504 Gb/s available PCIe bandwidth (8.0 GT/s PCIe x4 link)",
	"pcieport 0000:17:02.0: pciehp: Slot #12 AttnBtn- PwrCtrl- MRL- AttnInd- PwrInd-",
	"nvme nvme0: pci function 0000:01:00.0", "nvme nvme0: 8/0/0 default/read/poll queues",
	"nvme nvme0: Shutdown timeout set to 8 seconds",
	"nvme nvme0: missing or invalid SUBNQN field.",
	"nvme nvme0: allocated 64 MiB host memory buffer.", " nvme0n1: p1 p2 p3",
	"ata1: SATA max UDMA/133 abar m2048@0x92c80000 port 0x92c80100 irq 126",
	"ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
	"ata4: SATA link up 3.0 Gbps (SStatus 123 SControl 300)",
	"ata2: SATA link down (SStatus 4 SControl 300)", "ata1.00: configured for UDMA/133",
	"ata1.00: ATA-9: SAMSUNG MZ7LM480HCHP-00003, GXT3003Q, max UDMA/133",
	"I/O error, dev fd0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2",
	"Buffer I/O error on dev sr0, logical block 0, async page read",
	"sd 0:0:0:0: [sda] Attached SCSI disk", "sd 0:0:0:0: Power-on or device reset occurred",
	"sd 0:0:0:0: [sda] tag#0 Sense Key : Illegal Request [current]",
	"sd 0:0:0:0: [sda] tag#0 FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_OK",
	"mpt3sas_cm0: LSISAS3008: FWVersion(16.00.10.00), ChipRevision(0x02)",
	"md/raid1:md0: active with 2 out of 2 mirrors", "md: raid1 personality registered",
	"cfg80211: failed to load regulatory.db",
	"platform regulatory.0: Direct firmware load for regulatory.db failed with error -2",
	"ast 0000:03:00.0: Direct firmware load for ast_dp501_fw.bin failed with error -2",
	"r8169 0000:03:00.0: Loaded firmware rtl_nic/rtl8168h-2.fw",
	"i8042: probe of i8042 failed with error -5",
	"tpm_crb: probe of MSFT0101:00 failed with error -16",
	"acpi-cpufreq: probe of acpi-cpufreq failed with error -19",
	"e1000e 0000:00:1f.6 eno1: NIC Link is Up 1000 Mbps Full Duplex, Flow Control: Rx/Tx",
	"r8169 0000:03:00.0 eth0: Link is Down",	/* before it was ever up */
	"IPv6: ADDRCONF(NETDEV_UP): eth0: link is not ready",
	"thermal_sys: Registered thermal governor 'step_wise'",
	"Kernel command line: root=/dev/sda1 quiet", "random: crng init done",
	"", "ata", "ata:", "nvme",
	"systemd[1]: Reached target Local File Systems.",
};

static void of_healthy_machines(void)
{
	struct faults f;

	begin(&f, "none");
	for (size_t i = 0; i < sizeof(healthy) / sizeof(*healthy); i++)
		ok(!faults_add(&f, &m, healthy[i]), "no fault: %s", healthy[i]);
	is_uint(m.fault_n, 0, "none is kept");
}

#define SLOW "ata1: SATA link up 1.5 Gbps (SStatus 113 SControl 300)"

static void counting(void)
{
	struct faults f;
	char text[128];

	begin(&f, "none");
	for (int i = 0; i < 50; i++) {
		snprintf(text, sizeof(text), "I/O error, dev sd%c, sector %d op 0x%x:(READ)",
			 'a' + i % 2, i * 1000, i);
		faults_add(&f, &m, text);
	}
	faults_add(&f, &m, "I/O error, dev sda, sector 5 op 0x1:(WRITE)");
	is_uint(m.fault_n, 3, "messages that differ in numbers are one");
	is_uint(m.fault[0].count, 25, "counted");
	is_str(m.fault[1].device, "sdb", "of each device");
	ok(strstr(m.fault[0].text, "sector 0 op") != NULL, "the first one is kept");
	is_uint(m.fault[2].count, 1, "another word is another message");
	begin(&f, "none");
	for (int i = 0; i < 80; i++) {
		snprintf(text, sizeof(text), "I/O error, dev sd%c%c, sector 1", 'a' + i / 26,
			 'a' + i % 26);
		faults_add(&f, &m, text);
	}
	is_uint(m.fault_n, 80, "more than there is room for are counted");
	is_str(m.fault[63].device, "sdcl", "and the first are kept");
	begin(&f, "none");
	faults_add(&f, &m, SLOW);
	for (int i = 0; i < 80; i++) {
		snprintf(text, sizeof(text), "I/O error, dev sd%c%c, sector 1", 'a' + i / 26,
			 'a' + i % 26);
		faults_add(&f, &m, text);
	}
	is_uint(m.fault_n, 81, "a list that overflowed");
	ok(!faults_add(&f, &m, "ata1.00: ATAPI: DVD, 1.0, max UDMA/100"),
	   "stands a drive that takes its fault back");
	is_uint(m.fault_n, 63, "then it has one less than there is room for");
	ok(!strcmp(m.fault[0].device, "sdaa") && !strcmp(m.fault[62].device, "sdck"),
	   "which are the others");
	ok(!m.fault[63].kind[0], "and nothing behind them");
}

static void sata(void)
{
	static const char slow[] = "ata2: SATA link up 1.5 Gbps (SStatus 113 SControl 300)";
	struct faults f;

	begin(&f, "none");
	faults_add(&f, &m, SLOW);
	faults_add(&f, &m, slow);
	faults_add(&f, &m, "ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x0");
	faults_add(&f, &m, "ata2.00: ATAPI: HL-DT-ST DVD-ROM DU90N, D300, max UDMA/100");
	is_uint(m.fault_n, 2, "an optical drive's link is as fast as it can be");
	is_str(m.fault[0].device, "ata1", "those before it stay");
	is_str(m.fault[1].device, "ata3", "and those behind it");
	begin(&f, "qemu");
	ok(!faults_add(&f, &m, slow), "a virtual machine's speed is made up");
}

static void links(void)
{
	static const struct {
		const char *up, *down, *name;
	} rows[] = {
		{ "igb 0000:01:00.0 eno1: igb: eno1 NIC Link is Up 1000 Mbps Full Duplex, Flow "
			"Control: RX",
			"igb 0000:01:00.0 eno1: igb: eno1 NIC Link is Down", "eno1" },
		{ "e1000e: eth0 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: None",
			"e1000e: eth0 NIC Link is Down", "eth0" },
		{ "bnx2 0000:01:00.0 eth3: NIC Copper Link is Up, 1000 Mbps full duplex",
			"bnx2 0000:01:00.0 eth3: NIC Copper Link is Down", "eth3" },
		{ "r8169 0000:03:00.0 enp3s0: Link is Up - 1Gbps/Full - flow control rx/tx",
			"r8169 0000:03:00.0 enp3s0: Link is Down", "enp3s0" },
		{ "tg3 0000:02:00.0 eno2: Link is up at 1000 Mbps, full duplex",
			"tg3 0000:02:00.0 eno2: Link is down", "eno2" },
		{ "mlx5_core 0000:01:00.0 ens1f0: Link up", "mlx5_core 0000:01:00.0 ens1f0: Link "
			"down", "ens1f0" },
	};
	struct faults f;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		begin(&f, "none");
		faults_add(&f, &m, rows[i].down);
		faults_add(&f, &m, rows[i].up);
		is_uint(m.fault_n, 0, "%s: a link that comes up is no fault", rows[i].name);
		faults_add(&f, &m, rows[i].down);
		faults_add(&f, &m, rows[i].up);
		faults_add(&f, &m, rows[i].down);
		is_uint(m.fault_n, 1, "one that goes down again is");
		is_uint(m.fault[0].count, 2, "each time");
		is_str(m.fault[0].device, rows[i].name, "by its name");
		is_str(m.fault[0].kind, "network", "of its kind");
	}
	begin(&f, "none");
	for (int i = 0; i < 100; i++) {
		char text[64];

		snprintf(text, sizeof(text), "e1000e: eth%d NIC Link is Up 10", i);
		faults_add(&f, &m, text);
	}
	is_uint(f.up_n, FAULTS_LINKS, "no more links are remembered than there is room for");
	faults_add(&f, &m, "pcieport 0: x: Link Down");
	faults_add(&f, &m, "Link is Down");
	faults_add(&f, &m, " NIC Link is Down");
	is_uint(m.fault_n, 0, "a link without a name is no network's");
}

static void records(void)
{
	ok(kmsg_is_kernels("3,1,2,-;x", 9) && kmsg_is_kernels("6,1,2,-;x", 9),
	   "facility 0 is the kernel's");
	ok(!kmsg_is_kernels("12,1,2,-;x", 10) && !kmsg_is_kernels("8,1,2,-;x", 9) &&
	   !kmsg_is_kernels("", 0) && !kmsg_is_kernels("3", 1), "others are not");
	machine_read_faults(&m);
	ok(true, "this machine's log has %u faults", m.fault_n);
	for (size_t i = 0; i < m.fault_n && i < 8; i++)
		tap_diag("%s %s x%u: %s", m.fault[i].kind, m.fault[i].device, m.fault[i].count,
			 m.fault[i].text);
}

int main(void)
{
	of_faults();
	of_healthy_machines();
	counting();
	sata();
	links();
	records();
	return tap_done();
}
