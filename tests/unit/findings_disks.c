/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over links of disks, and disks beside each other. */
#include "bench/model/fields.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void nvme(struct report *r)
{
	struct pci_device *p = fields_add(&fields_machine, &r->machine, "pci");
	struct disk *d = fixture_disk(r, "nvme0n1", "SAMSUNG MZVL2512HCJQ-00B00", "S675", "nvme",
				      UINT64_C(512110190592));

	SET(d->controller, "0000:02:00.0");
	SET(p->address, "0000:02:00.0");
	SET(p->device, "NVMe SSD Controller PM9A1");
	SET(p->driver, "nvme");
	p->class = 0x010802;
	p->wanted = true;
	p->has_gt_per_s = p->has_max_gt_per_s = p->has_port_gt_per_s = true;
	p->gt_per_s = p->max_gt_per_s = p->port_gt_per_s = 16;
	p->width = p->max_width = p->port_width = 4;
}

/* Sets the speed of sda's result `i` to a share of sdb's. */
static void set_speed(struct report *r, size_t i, unsigned percent)
{
	for (size_t m = 0; m < 2; m++) {
		r->result[i].metric[m].value = r->result[i + 4].metric[m].value * percent / 100;
		r->result[i].metric[m].median = r->result[i + 4].metric[m].median * percent / 100;
	}
}

static void lose(struct report *r, size_t disk)
{
	r->disks.disk[disk].skip = DISK_EXCLUDED;
	r->result_n -= 4;
}

/* The median latency of sdb's single random reads. */
static void quick(struct report *r, double us)
{
	for (size_t i = 0; i < r->result[6].metric_n; i++)
		if (!strcmp(r->result[6].metric[i].name, "lat_p50"))
			r->result[6].metric[i].value = us * 1000;
}

static void link_sata(struct report *r)
{
	r->health[4].link_gbit_per_s = 3;
}

static void link_sas(struct report *r)
{
	r->health[4].link_gbit_per_s = 6;
	r->health[4].link_max_gbit_per_s = 12;
	SET(r->health[4].protocol, "scsi");
}

static void link_rounded(struct report *r)
{
	r->health[4].link_gbit_per_s = 5.97;
}

static void link_unknown(struct report *r)
{
	r->health[4].link_gbit_per_s = 3;
	r->health[4].has_link_max_gbit_per_s = false;
}

static void pcie_narrow(struct report *r)
{
	r->machine.pci[1].max_width = 4;
}

static void pcie_slow_disk(struct report *r)
{
	nvme(r);
	r->machine.pci[2].gt_per_s = 2.5;
	r->machine.pci[2].width = 2;
}

static void pcie_slow_nic(struct report *r)
{
	SET(r->machine.nic[0].address, "0000:01:00.0");
	r->machine.pci[1].max_gt_per_s = 5;
}

static void pcie_graphics(struct report *r)
{
	r->machine.pci[1].max_width = 4;
	r->machine.pci[1].class = 0x030000;
	r->machine.pci[1].wanted = false;
}

static void pcie_port_unknown(struct report *r)
{
	r->machine.pci[1].max_gt_per_s = 5;
	r->machine.pci[1].has_port_gt_per_s = false;
	r->machine.pci[1].max_width = 4;
	r->machine.pci[1].port_width = 0;
}

static void slot_narrow(struct report *r)
{
	nvme(r);
	r->machine.pci[2].port_width = r->machine.pci[2].width = 2;
}

static void slot_slow(struct report *r)
{
	nvme(r);
	r->machine.pci[2].port_gt_per_s = r->machine.pci[2].gt_per_s = 8;
}

static void slot_fits(struct report *r)
{
	nvme(r);
	r->machine.pci[2].port_width = 16;
}

static void models(struct report *r)
{
	SET(r->disks.disk[1].model, "SAMSUNG MZ7LH480HAHQ-00005");
}

static void models_other_size(struct report *r)
{
	models(r);
	r->disks.disk[1].size_bytes = UINT64_C(470000000000);
}

static void models_other_kind(struct report *r)
{
	models(r);
	r->disks.disk[1].rotational = DISK_ROTATING;
}

static void models_not_measured(struct report *r)
{
	models(r);
	r->disks.disk[1].skip = DISK_EXCLUDED;
}

static void firmwares(struct report *r)
{
	SET(r->disks.disk[2].firmware, "N2010121");
}

static void firmware_unknown(struct report *r)
{
	r->disks.disk[2].firmware[0] = '\0';
}

static void firmware_of_first_unknown(struct report *r)
{
	firmwares(r);
	r->disks.disk[0].firmware[0] = '\0';
}

static void firmware_other_model(struct report *r)
{
	models(r);
	SET(r->disks.disk[1].firmware, "HXT7104Q");
}

static void ages(struct report *r)
{
	r->health[3].power_on_hours = 12345;
}

static void ages_near(struct report *r)
{
	r->health[3].power_on_hours = 10000;
}

static void ages_near_percent(struct report *r)
{
	for (size_t i = 3; i < 6; i++)
		r->health[i].power_on_hours = i == 3 ? 20000 : 16001;
}

static void ages_young(struct report *r)
{
	for (size_t i = 0; i < 6; i++)
		r->health[i].power_on_hours = i == 3 ? 1500 : 600;
}

static void age_unknown(struct report *r)
{
	r->health[0].power_on_hours = r->health[3].power_on_hours = -1;
}

static void worn(struct report *r)
{
	r->health[3].wear_percent = 72;
	r->health[5].wear_percent = 77;
}

static void worn_apart(struct report *r)
{
	r->health[3].wear_percent = 72;
	r->health[5].wear_percent = 78;
}

static void worn_one(struct report *r)
{
	r->health[3].wear_percent = 72;
	r->health[5].wear_percent = 69;
}

static void slower_pair(struct report *r)
{
	lose(r, 2);
	set_speed(r, 1, 80);
	set_speed(r, 2, 84);
}

static void slower_of_three(struct report *r)
{
	set_speed(r, 1, 75);
}

static void little_slower(struct report *r)
{
	set_speed(r, 1, 86);
}

static void noisy_pair(struct report *r)
{
	set_speed(r, 1, 75);
	r->result[1].metric[0].mad = r->result[5].metric[0].median / 10;
}

static void zeros_pair(struct report *r)
{
	set_speed(r, 1, 75);
	r->result[1].io.zero_buffers = r->result[1].io.sampled_buffers;
}

static void odd_one(struct report *r)
{
	set_speed(r, 1, 60);
}

static void fast_virtual(struct report *r)
{
	SET(r->disks.disk[1].transport, "virtio");
	quick(r, 25);
}

static void fast_loop(struct report *r)
{
	SET(r->disks.disk[1].transport, "other");
	SET(r->disks.disk[1].name, "loop3");
	quick(r, 12);
	for (size_t i = 4; i < 8; i++)
		SET(r->result[i].target, "loop3");
}

static void fast_metal(struct report *r)
{
	quick(r, 25);
}

static void slow_virtual(struct report *r)
{
	SET(r->disks.disk[1].transport, "virtio");
	quick(r, 41);
}

static const struct finding_case cases_disks_rows[] = {
	SPEAKS("disk-link", link_sata, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): its SATA link runs at 3.0 Gb/s, the disk can do 6.0 "
	  "Gb/s."),
	SPEAKS("disk-link", link_sas, WARNING, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): its SAS link runs at 6.0 Gb/s, the disk can do 12.0 "
	  "Gb/s."),
	IS_SILENT("disk-link", link_rounded),
	IS_SILENT("disk-link", link_unknown),
	SPEAKS("pcie-link", pcie_narrow, WARNING, "0000:01:00.0",
	  "I210 Gigabit Network Connection 0000:01:00.0: its PCIe link runs at 2.5 GT/s x1, "
	  "both ends can do 2.5 GT/s x4."),
	SPEAKS("pcie-link", pcie_slow_disk, WARNING, "nvme0n1",
	  "nvme0n1 (SAMSUNG MZVL2512HCJQ-00B00): its PCIe link runs at 2.5 GT/s x2, both ends "
	  "can do 16.0 GT/s x4."),
	SPEAKS("pcie-link", pcie_slow_nic, WARNING, "eth0",
	  "eth0 (igb): its PCIe link runs at 2.5 GT/s x1, both ends can do 5.0 GT/s x1."),
	IS_SILENT("pcie-link", pcie_graphics),
	IS_SILENT("pcie-link", pcie_port_unknown),
	SPEAKS("pcie-slot", slot_narrow, INFO, "nvme0n1",
	  "nvme0n1 (SAMSUNG MZVL2512HCJQ-00B00) can do PCIe 16.0 GT/s x4, the slot it is in "
	  "only 16.0 GT/s x2."),
	SPEAKS("pcie-slot", slot_slow, INFO, "nvme0n1",
	  "nvme0n1 (SAMSUNG MZVL2512HCJQ-00B00) can do PCIe 16.0 GT/s x4, the slot it is in "
	  "only 8.0 GT/s x4."),
	IS_SILENT("pcie-slot", slot_fits),
	SPEAKS("pair-model", models, INFO, "",
	  "3 disks of 480 GB differ in model: sda (INTEL SSDSC2BB480G7), sdb (SAMSUNG "
	  "MZ7LH480HAHQ-00005), sdc (INTEL SSDSC2BB480G7)."),
	IS_SILENT("pair-model", models_other_size),
	IS_SILENT("pair-model", models_other_kind),
	IS_SILENT("pair-model", models_not_measured),
	SPEAKS("pair-firmware", firmwares, INFO, "",
	  "3 disks of model INTEL SSDSC2BB480G7 differ in firmware: sda (N2010112), sdb "
	  "(N2010112), sdc (N2010121)."),
	SPEAKS("pair-firmware", firmware_of_first_unknown, INFO, "",
	  "2 disks of model INTEL SSDSC2BB480G7 differ in firmware: sdb (N2010112), sdc "
	  "(N2010121)."),
	IS_SILENT("pair-firmware", firmware_unknown),
	IS_SILENT("pair-firmware", firmware_other_model),
	SPEAKS("pair-age", ages, INFO, "sda",
	  "sda (INTEL SSDSC2BB480G7) has run for 12,345 hours, sdb (INTEL SSDSC2BB480G7) of "
	  "the same size for 9,000 hours."),
	IS_SILENT("pair-age", ages_near),
	IS_SILENT("pair-age", ages_near_percent),
	IS_SILENT("pair-age", ages_young),
	IS_SILENT("pair-age", age_unknown),
	SPEAKS("pair-worn", worn, WARNING, "",
	  "2 disks are worn alike, endurance used: sda (72 %), sdc (77 %). A mirror of them "
	  "may lose both at about the same time."),
	IS_SILENT("pair-worn", worn_apart),
	IS_SILENT("pair-worn", worn_one),
	SPEAKS("pair-speed", slower_pair, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7) is slower than sdb (INTEL SSDSC2BB480G7): 419 MB/s and "
	  "524 MB/s in seq-read-qd64, and in 1 more test."),
	SPEAKS("pair-speed", slower_of_three, WARNING, "sda",
	  "sda (INTEL SSDSC2BB480G7) is slower than sdb (INTEL SSDSC2BB480G7): 393 MB/s and "
	  "524 MB/s in seq-read-qd64."),
	IS_SILENT("pair-speed", little_slower),
	IS_SILENT("pair-speed", noisy_pair),
	IS_SILENT("pair-speed", zeros_pair),
	IS_SILENT("pair-speed", odd_one),
	SPEAKS("host-cache", fast_virtual, INFO, "sdb",
	  "sdb (INTEL SSDSC2BB480G7): half of the single reads of rand-read-qd1 took less than "
	  "25.0 us, which no disk does: they came from memory behind it."),
	SPEAKS("host-cache", fast_loop, INFO, "loop3",
	  "loop3 (INTEL SSDSC2BB480G7): half of the single reads of rand-read-qd1 took less "
	  "than 12.0 us, which no disk does: they came from memory behind it."),
	IS_SILENT("host-cache", fast_metal),
	IS_SILENT("host-cache", slow_virtual),
};
CASES(cases_disks);
