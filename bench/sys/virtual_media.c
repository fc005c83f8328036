/* SPDX-License-Identifier: MIT */
/*
 * USB disks and drives that a management controller (BMC) or a KVM-over-IP box plays to the
 * machine: an image somewhere on the network, and nothing of the machine's own.
 */
#include <string.h>
#include <strings.h>

#include "bench/sys/found.h"

/* All parts that are not empty must be found: vendor whole, model as a part; both without case. */
static const struct row {
	const char *vendor, *model;
} rows[] = {
	{ "", "Virtual CD" },		/* AMI MegaRAC, iDRAC, ATEN, Insyde, Avocent, Cisco */
	{ "", "Virtual DVD" },		/* iLO */
	{ "", "Virtual Floppy" },
	{ "", "Virtual FDD" },		/* Cisco CIMC */
	{ "", "Virtual HDisk" },	/* AMI MegaRAC */
	{ "", "Virtual HDD" },
	{ "", "Virtual Disc" },		/* Peppercon / Raritan */
	{ "", "Virtual Media" },	/* IBM, Lenovo, OpenBMC */
	{ "", "VirtualMedia" },
	{ "", "Virtual USB" },		/* iLO */
	{ "", "Virtual Key" },
	{ "", "Virtual Removable" },
	{ "", "Virtual FlexFlash" },
	{ "", "VMedia" },
	{ "", "Remote CD" },
	{ "", "Remote Floppy" },
	{ "iDRAC", "" },		/* Dell, also its LCDRIVE, SECUPD and OEMDRV volumes */
	{ "iLO", "" },
	{ "AMI", "Virtual" },
	{ "ATEN", "" },
	{ "PepperC", "" },
	{ "Raritan", "" },
	{ "Avocent", "" },
	{ "Insyde", "" },
	{ "OpenBMC", "" },
	{ "CiscoVD", "" },
	{ "IBM", "Composite Device" },
	{ "Lenovo", "CDROM" },
	{ "FTS", "CDROM" },		/* Fujitsu iRMC */
	{ "PiKVM", "" },
	{ "NanoKVM", "" },
	{ "BliKVM", "" },
	{ "GL.iNet", "KVM" },
};

static bool row_holds(const struct row *r, const char *vendor, const char *model)
{
	return (!r->vendor[0] || !strcasecmp(r->vendor, vendor)) && strcasestr(model, r->model);
}

bool virtual_media_known(const struct found *f)
{
	char maker[DISK_TEXT_BYTES] = "", product[DISK_TEXT_BYTES] = "";

	if (strcmp(f->disk.transport, "usb"))
		return false;
	sysfs_read_text(f->usb_dir, "manufacturer", maker, sizeof(maker));
	sysfs_read_text(f->usb_dir, "product", product, sizeof(product));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (row_holds(&rows[i], f->disk.vendor, f->disk.model) ||
		    row_holds(&rows[i], maker, product))
			return true;
	return false;
}
