/* SPDX-License-Identifier: MIT */
/* Finding rules over what the kernel met: devices without driver or firmware, faults it logged. */
#include <stdio.h>
#include <string.h>

#include "bench/findings/rules.h"

int find_no_driver(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(r->machine.pci_n, r->machine.pci) && !err; i++) {
		const struct pci_device *p = &r->machine.pci[i];

		if (p->wanted && !*p->driver)
			err = ADD(p->address,
				  "%.60s at %s (%.40s%s%.60s, %04x:%04x) has no driver: what hangs "
				  "on it was not seen.",
				  *p->class_name ? p->class_name : "A device", p->address,
				  p->vendor, *p->vendor ? " " : "",
				  *p->device ? p->device : "unknown device", p->vendor_id,
				  p->device_id);
	}
	return err;
}

int find_no_firmware(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(r->machine.fault_n, r->machine.fault) && !err; i++) {
		const struct kernel_fault *f = &r->machine.fault[i];

		if (!strcmp(f->kind, "firmware"))
			err = ADD(f->device, "The kernel misses firmware%s%s: %s", *f->device ?
				  " " : "", f->device, f->text);
	}
	return err;
}

/* The first row of the kind whose text is in the message (NULL: any) says how bad it is. */
static const struct fault_row {
	const char *kind, *text;
	enum finding_severity severity;
	uint32_t many;			/* so many are a warning all the same; 0: never */
} fault_rows[] = {
	{ "mce", "ncorrect", FINDING_CRITICAL, 0 },
	{ "mce", NULL, FINDING_WARNING, 0 },
	{ "memory", " UE ", FINDING_CRITICAL, 0 },
	{ "memory", "Memory failure", FINDING_CRITICAL, 0 },
	{ "memory", NULL, FINDING_WARNING, 0 },
	/* told at boot of sound machines: rules pcie-link and pcie-slot know better */
	{ "pcie", "available PCIe bandwidth", FINDING_INFO, 0 },
	{ "pcie", "severity=Corrected", FINDING_INFO, AER_WARNING },
	{ "pcie", "Corrected error", FINDING_INFO, AER_WARNING },
	{ "pcie", "Correctable error", FINDING_INFO, AER_WARNING },
	{ "pcie", NULL, FINDING_WARNING, 0 },
	{ "nvme", "duplicate IDs", FINDING_INFO, 0 },
	{ "nvme", NULL, FINDING_WARNING, 0 },
	{ "ata", NULL, FINDING_WARNING, 0 },
	{ "io", NULL, FINDING_WARNING, 0 },
	{ "thermal", NULL, FINDING_WARNING, 0 },
	{ "network", "SFP", FINDING_INFO, 0 },
	{ "network", "definitely down", FINDING_INFO, 0 },
	{ "network", NULL, FINDING_WARNING, 0 },
	{ "driver", NULL, FINDING_INFO, 0 },
};

static const struct fault_row *row_of(const struct kernel_fault *f)
{
	for (size_t i = 0; i < sizeof(fault_rows) / sizeof(fault_rows[0]); i++)
		if (!strcmp(fault_rows[i].kind, f->kind) &&
		    (!fault_rows[i].text || strstr(f->text, fault_rows[i].text)))
			return &fault_rows[i];
	return NULL;
}

/* Drives without a medium, and those of a remote console, fail reads by nature. */
static bool is_harmless(const struct report *r, const struct kernel_fault *f)
{
	const struct disk *d = report_disk(r, f->device);

	if (strcmp(f->kind, "io"))
		return false;
	if (!d)
		return !strncmp(f->device, "sr", 2) || !strncmp(f->device, "fd", 2) ||
		       !strncmp(f->device, "loop", 4);
	return d->skip == DISK_OPTICAL || d->skip == DISK_FLOPPY || d->skip == DISK_NO_MEDIUM ||
	       d->skip == DISK_VIRTUAL_MEDIA || d->skip == DISK_LOOP;
}

int find_kernel_fault(struct report *r, const struct finding_rule *rule)
{
	int err = 0;

	for (uint32_t i = 0; i < REPORT_KEPT(r->machine.fault_n, r->machine.fault) && !err; i++) {
		const struct kernel_fault *f = &r->machine.fault[i];
		const struct fault_row *row = row_of(f);
		enum finding_severity severity;
		char times[32] = "";

		if (!row || is_harmless(r, f))
			continue;
		severity = row->many && f->count >= row->many ? FINDING_WARNING : row->severity;
		if (f->count > 1)
			snprintf(times, sizeof(times), ", %u times", f->count);
		err = ADD_AS(severity, f->device, "The kernel reports%s%s%s: %s",
			     *f->device ? " of " : "", f->device, times, f->text);
	}
	return err;
}
