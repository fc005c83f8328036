/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over what the kernel and the sensors tell. */
#include "bench/model/fields.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void fault(struct report *r, const char *kind, const char *device, uint32_t count,
		  const char *text)
{
	struct kernel_fault *f = &r->machine.fault[r->machine.fault_n++];

	SET(f->kind, "%s", kind);
	SET(f->device, "%s", device);
	SET(f->text, "%s", text);
	f->count = count;
}

static void array(struct report *r, const char *state, const char *members, uint32_t wanted)
{
	struct storage_array *a = &r->machine.arrays[r->machine.arrays_n++];

	SET(a->name, "md0");
	SET(a->kind, "md");
	SET(a->level, "raid1");
	SET(a->state, "%s", state);
	SET(a->members, "%s", members);
	a->members_wanted = wanted;
}

static void sensor(struct report *r, enum metric_unit unit, double value)
{
	struct sensor *s = &r->machine.sensors[r->machine.sensors_n++];

	SET(s->chip, "nct6775");
	SET(s->label, "SYSTIN");
	s->unit = unit;
	s->value = value;
	s->has_value = s->has_critical = true;
	s->critical = 100;
}

static void no_driver(struct report *r)
{
	r->machine.pci[0].driver[0] = '\0';
	r->machine.pci[0].vendor_id = 0x8086;
	r->machine.pci[0].device_id = 0xa102;
}

static void not_wanted(struct report *r)
{
	no_driver(r);
	r->machine.pci[0].wanted = false;
}

static void no_firmware(struct report *r)
{
	fault(r, "firmware", "bnx2/bnx2-mips-09-6.2.1b.fw", 1,
			"bnx2 0000:03:00.0: Direct firmware load for bnx2/bnx2-mips-09-6.2.1b.fw "
					"failed with error -2");
}

static void has_firmware(struct report *r)
{
	fault(r, "driver", "0000:03:00.0", 1, "bnx2: probe of 0000:03:00.0 failed with error -2");
}

static void fault_mce(struct report *r)
{
	fault(r, "mce", "", 3, "mce: [Hardware Error]: Machine check events logged");
}

static void fault_mce_fatal(struct report *r)
{
	fault(r, "mce", "", 1, "[Hardware Error]: Uncorrected, software restartable error.");
}

static void fault_memory(struct report *r)
{
	fault(r, "memory", "DIMM_A1", 1, "EDAC MC0: 1 UE memory read error on DIMM_A1");
}

static void fault_ata(struct report *r)
{
	fault(r, "ata", "ata2.00", 14, "ata2.00: exception Emask 0x10 SAct 0x0 SErr 0x400100 "
			"action 0x6 frozen");
}

static void fault_nvme(struct report *r)
{
	fault(r, "nvme", "nvme0", 2, "nvme nvme0: I/O 12 QID 3 timeout, aborting");
}

static void fault_io(struct report *r)
{
	fault(r, "io", "sdb", 1, "I/O error, dev sdb, sector 2411264 op 0x0:(READ) flags 0x0");
}

static void fault_aer_few(struct report *r)
{
	fault(r, "pcie", "0000:01:00.0", 9, "pcieport: PCIe Bus Error: severity=Corrected, "
			"type=Physical Layer");
}

static void fault_aer_many(struct report *r)
{
	fault(r, "pcie", "0000:01:00.0", 10, "pcieport: PCIe Bus Error: severity=Corrected, "
			"type=Physical Layer");
}

static void fault_aer_bad(struct report *r)
{
	fault(r, "pcie", "0000:01:00.0", 1, "pcieport: PCIe Bus Error: severity=Uncorrected "
			"(Non-Fatal)");
}

static void fault_thermal(struct report *r)
{
	fault(r, "thermal", "CPU3", 2, "CPU3: Core temperature above threshold, cpu clock "
			"throttled");
}

static void fault_network(struct report *r)
{
	fault(r, "network", "eth0", 1, "e1000e 0000:00:1f.6 eth0: Detected Hardware Unit Hang");
}

static void fault_driver(struct report *r)
{
	fault(r, "driver", "0000:04:00.0", 1, "mpt3sas: probe of 0000:04:00.0 failed with error "
			"-12");
}

static void fault_optical(struct report *r)
{
	fault(r, "io", "sr0", 4, "I/O error, dev sr0, sector 0 op 0x0:(READ)");
}

static void fault_floppy(struct report *r)
{
	fault(r, "io", "fd0", 1, "I/O error, dev fd0, sector 0 op 0x0:(READ)");
}

static void array_degraded(struct report *r)
{
	array(r, "degraded", "sda1", 2);
}

static void array_failed(struct report *r)
{
	array(r, "Failed", "", 2);
}

static void array_faulty(struct report *r)
{
	array(r, "clean, sdb1 faulty", "sda1 sdb1", 2);
}

static void array_lacks(struct report *r)
{
	array(r, "active", "sda1", 2);
}

static void array_whole(struct report *r)
{
	array(r, "clean", "sda1 sdb1", 2);
}

static void array_unknown(struct report *r)
{
	array(r, "", "", 2);
}

static void sensor_alarm(struct report *r)
{
	sensor(r, UNIT_VOLTS, 1.61);
	r->machine.sensors[0].alarm = true;
}

static void sensor_critical(struct report *r)
{
	sensor(r, UNIT_CELSIUS, 101);
}

static void sensor_warm(struct report *r)
{
	sensor(r, UNIT_CELSIUS, 99);
}

static const struct finding_case cases_kernel_rows[] = {
	SPEAKS("no-driver", no_driver, WARNING, "0000:00:17.0",
	  "SATA controller at 0000:00:17.0 (Intel Corporation C236 SATA Controller, 8086:a102) "
	  "has no driver: what hangs on it was not seen."),
	IS_SILENT("no-driver", not_wanted),
	SPEAKS("no-firmware", no_firmware, WARNING, "bnx2/bnx2-mips-09-6.2.1b.fw",
	  "The kernel misses firmware bnx2/bnx2-mips-09-6.2.1b.fw: bnx2 0000:03:00.0: Direct "
	  "firmware load for bnx2/bnx2-mips-09-6.2.1b.fw failed with error -2"),
	IS_SILENT("no-firmware", has_firmware),
	SPEAKS("kernel-fault", fault_mce, WARNING, "",
	  "The kernel reports, 3 times: mce: [Hardware Error]: Machine check events logged"),
	SPEAKS("kernel-fault", fault_mce_fatal, CRITICAL, "",
	  "The kernel reports: [Hardware Error]: Uncorrected, software restartable error."),
	SPEAKS("kernel-fault", fault_memory, CRITICAL, "DIMM_A1",
	  "The kernel reports of DIMM_A1: EDAC MC0: 1 UE memory read error on DIMM_A1"),
	SPEAKS("kernel-fault", fault_ata, WARNING, "ata2.00",
	  "The kernel reports of ata2.00, 14 times: ata2.00: exception Emask 0x10 SAct 0x0 "
	  "SErr 0x400100 action 0x6 frozen"),
	SPEAKS("kernel-fault", fault_nvme, WARNING, "nvme0",
	  "The kernel reports of nvme0, 2 times: nvme nvme0: I/O 12 QID 3 timeout, aborting"),
	SPEAKS("kernel-fault", fault_io, WARNING, "sdb",
	  "The kernel reports of sdb: I/O error, dev sdb, sector 2411264 op 0x0:(READ) flags "
	  "0x0"),
	SPEAKS("kernel-fault", fault_aer_few, INFO, "0000:01:00.0",
	  "The kernel reports of 0000:01:00.0, 9 times: pcieport: PCIe Bus Error: "
	  "severity=Corrected, type=Physical Layer"),
	SPEAKS("kernel-fault", fault_aer_many, WARNING, "0000:01:00.0",
	  "The kernel reports of 0000:01:00.0, 10 times: pcieport: PCIe Bus Error: "
	  "severity=Corrected, type=Physical Layer"),
	SPEAKS("kernel-fault", fault_aer_bad, WARNING, "0000:01:00.0",
	  "The kernel reports of 0000:01:00.0: pcieport: PCIe Bus Error: severity=Uncorrected "
	  "(Non-Fatal)"),
	SPEAKS("kernel-fault", fault_thermal, WARNING, "CPU3",
	  "The kernel reports of CPU3, 2 times: CPU3: Core temperature above threshold, cpu "
	  "clock throttled"),
	SPEAKS("kernel-fault", fault_network, WARNING, "eth0",
	  "The kernel reports of eth0: e1000e 0000:00:1f.6 eth0: Detected Hardware Unit Hang"),
	SPEAKS("kernel-fault", fault_driver, INFO, "0000:04:00.0",
	  "The kernel reports of 0000:04:00.0: mpt3sas: probe of 0000:04:00.0 failed with "
	  "error -12"),
	IS_SILENT("kernel-fault", fault_optical),
	IS_SILENT("kernel-fault", fault_floppy),
	SPEAKS("array-degraded", array_degraded, WARNING, "md0",
	  "md0 (md raid1) is not whole: state degraded; members sda1."),
	SPEAKS("array-degraded", array_failed, CRITICAL, "md0",
	  "md0 (md raid1) is not whole: state Failed; members not known."),
	SPEAKS("array-degraded", array_faulty, WARNING, "md0",
	  "md0 (md raid1) is not whole: state clean, sdb1 faulty; members sda1 sdb1."),
	SPEAKS("array-degraded", array_lacks, WARNING, "md0",
	  "md0 (md raid1) is not whole: state active; members sda1."),
	IS_SILENT("array-degraded", array_whole),
	IS_SILENT("array-degraded", array_unknown),
	SPEAKS("sensor-alarm", sensor_alarm, WARNING, "",
	  "Sensor nct6775 SYSTIN raises an alarm: 1.61 V."),
	SPEAKS("sensor-alarm", sensor_critical, CRITICAL, "",
	  "Sensor nct6775 SYSTIN is at its critical limit: 101 degrees Celsius."),
	IS_SILENT("sensor-alarm", sensor_warm),
};
CASES(cases_kernel);
