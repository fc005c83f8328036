/* SPDX-License-Identifier: MIT */
/*
 * Where a block device hangs: transport, controller, driver, and a place on the bus that the next
 * boot gives the same name (host and bus numbers, which count in order of probing, are left out of
 * it).
 *
 * Everything comes from the path below /sys/devices, which names each bus on the way.
 */
#include <stdio.h>
#include <string.h>

#include "bench/sys/found.h"
#include "lib/text.h"

/* What the path holds, from the root down; the deepest of a kind wins. */
struct walk {
	char pci[32];			/* address of the last PCI function */
	char usb_port[64];		/* chain of ports to the USB device, e.g. "1.4" */
	char ata_dir[SYSFS_PATH_BYTES];
	char last[64];			/* deepest device that is of none of the known layers */
	unsigned channel, target;
	unsigned long long lun;
	bool has_ata, has_scsi, has_virtio, has_sas, has_xen, has_mmc;
};

/*
 * Drivers of RAID controllers: what they show are volumes, unless the SAS layer shows the disk too.
 */
static const char *const raid_drivers[] = {
	"megaraid_sas", "megaraid", "megaraid_legacy", "hpsa", "smartpqi", "aacraid", "arcmsr",
	"3w-9xxx", "3w-sas", "3w-xxxx", "hptiop", "stex", "ips", "cciss", "DAC960", "myrb", "myrs",
};
/* Drivers that put every disk below a SAS end device: what is not below one is a RAID volume. */
static const char *const sas_layer_drivers[] = { "mpt3sas", "mpt2sas", "mptsas" };
static const char *const sas_drivers[] = {
	"mpi3mr", "pm80xx", "pm8001", "mvsas", "isci", "aic94xx", "esas2r",
};

#define LISTED(name, list) listed(name, list, sizeof(list) / sizeof(*(list)))

static bool listed(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

/* True where sscanf with "%n" at the end of its format took the whole of `text`. */
static bool whole(const char *text, int used)
{
	return used > 0 && text[used] == '\0';
}

static bool is_pci(const char *name)
{
	unsigned a, b, c, d;
	int used = 0;

	return sscanf(name, "%x:%x:%x.%x%n", &a, &b, &c, &d, &used) == 4 && whole(name, used);
}

static bool is_numbered(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return !strncmp(name, prefix, n) && name[n] &&
		strspn(name + n, "0123456789") == strlen(name + n);
}

/* "2-1.4:1.0" is interface 0 of the device at port chain 1.4 of bus 2. */
static bool usb_interface(const char *name, char port[64])
{
	unsigned bus, config, interface;
	char chain[64];
	int used = 0;

	if (sscanf(name, "%u-%63[0-9.]:%u.%u%n", &bus, chain, &config, &interface, &used) != 4 ||
	    !whole(name, used))
		return false;
	strcpy(port, chain);
	return true;
}

static bool scsi_address(struct walk *w, const char *name)
{
	unsigned host, channel, target;
	unsigned long long lun;
	int used = 0;

	if (sscanf(name, "%u:%u:%u:%llu%n", &host, &channel, &target, &lun, &used) != 4 ||
	    !whole(name, used))
		return false;
	w->channel = channel;
	w->target = target;
	w->lun = lun;
	return true;
}

/* Takes one component; `dir` is the path up to and with it. */
static void take(struct walk *w, struct found *f, const char *dir, const char *name)
{
	if (is_pci(name)) {
		text_copy(w->pci, sizeof(w->pci), name);
		w->last[0] = '\0';
	} else if (usb_interface(name, w->usb_port)) {
		text_copy(f->usb_dir, sizeof(f->usb_dir), dir);
		sysfs_parent(f->usb_dir);
	} else if (is_numbered(name, "ata")) {
		text_copy(w->ata_dir, sizeof(w->ata_dir), dir);
		w->has_ata = true;
	} else if (is_numbered(name, "virtio")) {
		w->has_virtio = true;
	} else if (is_numbered(name, "host") || scsi_address(w, name)) {
		w->has_scsi = true;
	} else if (!strncmp(name, "end_device-", 11)) {
		w->has_sas = true;
	} else if (!strncmp(name, "vbd-", 4)) {
		w->has_xen = true;
		text_clean_str(w->last, sizeof(w->last), name);
	} else if (!strcmp(name, "mmc_host")) {
		w->has_mmc = true;
	} else if (strcmp(name, "block") && strcmp(name, "nvme") && strncmp(name, "target", 6) &&
		   !is_numbered(name, "nvme")) {
		text_clean_str(w->last, sizeof(w->last), name);
	}
}

/*
 * Walks the components below /sys/devices down to what the block device hangs on, without itself.
 */
static void walk_path(const struct found_tree *t, struct found *f, struct walk *w)
{
	bool is_block = strcmp(f->dir, f->device) != 0;
	size_t at = strlen(t->devices) + 1;
	char dir[SYSFS_PATH_BYTES];

	text_copy(dir, sizeof(dir), f->dir);
	while (dir[at]) {
		size_t end = at + strcspn(dir + at, "/");
		bool is_last = dir[end] == '\0';

		if (is_last && is_block)
			break;
		dir[end] = '\0';
		if (end > at)
			take(w, f, dir, dir + at);
		if (is_last)
			break;
		dir[end] = '/';
		at = end + 1;
	}
}

/* The driver nearest to the device that is no driver of a whole class of disks. */
static void read_driver(const struct found_tree *t, struct found *f)
{
	static const char *const class_drivers[] = { "sd", "sr", "st", "mmcblk" };
	char dir[SYSFS_PATH_BYTES], name[sizeof(f->disk.driver)];

	text_copy(dir, sizeof(dir), f->device[0] ? f->device : f->dir);
	while (strlen(dir) > strlen(t->devices)) {
		if (sysfs_link_name(dir, "driver", name, sizeof(name)) &&
		    !LISTED(name, class_drivers)) {
			text_copy(f->disk.driver, sizeof(f->disk.driver), name);
			return;
		}
		if (is_pci(sysfs_base(dir)) || !sysfs_parent(dir))
			return;	/* above it are only bridges */
	}
}

static void read_numa_node(const struct found_tree *t, struct found *f)
{
	char dir[SYSFS_PATH_BYTES];
	int64_t node;

	f->disk.numa_node = -1;
	text_copy(dir, sizeof(dir), f->device[0] ? f->device : f->dir);
	while (strlen(dir) > strlen(t->devices)) {
		if (sysfs_read_i64(dir, "numa_node", &node)) {
			if (node >= 0 && node < 1 << 20)
				f->disk.numa_node = (int)node;
			return;
		}
		if (!sysfs_parent(dir))
			return;
	}
}

static const char *ata_transport(const struct found *f)
{
	if (f->ata && f->ata_data.is_serial_ata >= 0)
		return f->ata_data.is_serial_ata ? "sata" : "ata";
	if (!strncmp(f->disk.driver, "pata_", 5) || !strcmp(f->disk.driver, "ata_piix") ||
	    !strcmp(f->disk.driver, "ata_generic"))
		return "ata";
	return "sata";
}

static const char *scsi_transport(const struct found *f, const struct walk *w)
{
	const char *driver = f->disk.driver;
	char vendor[16];

	/* megaraid_sas shows disks passed through on channels 0 and 1, volumes above */
	bool passes_disks = !strcmp(driver, "megaraid_sas") && w->channel <= 1;
	bool is_volume = !w->has_sas && !passes_disks &&
		(LISTED(driver, raid_drivers) || LISTED(driver, sas_layer_drivers));

	if (is_volume || sysfs_is_dir(f->device, "raid_devices"))
		return "raid";
	if (!strcmp(driver, "hv_storvsc"))
		return "hyperv";
	if (f->ata || (sysfs_read_text(f->device, "vendor", vendor, sizeof(vendor)) &&
		       !strcmp(vendor, "ATA")))
		return "sata";	/* a SATA disk behind a SAS controller */
	if (w->has_sas || LISTED(driver, sas_drivers) || LISTED(driver, raid_drivers))
		return "sas";
	return "scsi";
}

static const char *transport(const struct found *f, const struct walk *w)
{
	if (nvme_is(f))
		return "nvme";
	if (w->usb_port[0])
		return "usb";
	if (w->has_mmc)
		return "mmc";
	if (w->has_xen)
		return "xen";
	if (w->has_ata)
		return ata_transport(f);
	if (w->has_scsi)
		return scsi_transport(f, w);
	return w->has_virtio ? "virtio" : "other";
}

/* The port of an ATA host does not move; the number in "ata3" counts all hosts of the machine. */
static uint64_t ata_port(const struct walk *w)
{
	char port_dir[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	unsigned long long number = 0;
	uint64_t port;

	if (sysfs_join(port_dir, w->ata_dir, "ata_port") &&
	    sysfs_join(dir, port_dir, sysfs_base(w->ata_dir)) &&
	    sysfs_read_u64(dir, "port_no", &port))
		return port;
	sscanf(sysfs_base(w->ata_dir), "ata%llu", &number);
	return number;
}

static void build_bus_path(struct found *f, const struct walk *w)
{
	char text[2 * DISK_TEXT_BYTES];
	size_t n = 0;

	if (w->pci[0])
		n = (size_t)snprintf(text, sizeof(text), "pci-%s", w->pci);
	else if (w->last[0])
		n = (size_t)snprintf(text, sizeof(text), "bus-%s", w->last);
	else
		return;
	if (w->usb_port[0])
		n += (size_t)snprintf(text + n, sizeof(text) - n, "-usb-%s", w->usb_port);
	if (w->has_ata)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "-ata-%llu",
				      (unsigned long long)ata_port(w));
	if (w->has_scsi && ((!w->has_ata && !w->usb_port[0]) || w->channel || w->target || w->lun))
		n += (size_t)snprintf(text + n, sizeof(text) - n, "-scsi-%u:%u:%llu", w->channel,
				      w->target, w->lun);
	if (f->namespace_id)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "-nvme-%llu",
				      (unsigned long long)f->namespace_id);
	else if (w->pci[0] && w->last[0] && !w->has_scsi && !nvme_is(f))
		n += (size_t)snprintf(text + n, sizeof(text) - n, "-%s", w->last);
	if (n < sizeof(f->bus_path))
		text_copy(f->bus_path, sizeof(f->bus_path), text);
}

void bus_read(const struct found_tree *t, struct found *f)
{
	struct walk w = { .channel = 0 };
	struct disk *d = &f->disk;

	d->numa_node = -1;
	if (!t->devices[0] || strncmp(f->dir, t->devices, strlen(t->devices)) ||
	    f->dir[strlen(t->devices)] != '/') {
		text_copy(d->transport, sizeof(d->transport), "other");
		return;
	}
	text_clean_str(d->sysfs, sizeof(d->sysfs), f->dir + strlen(t->devices) + 1);
	walk_path(t, f, &w);
	read_driver(t, f);
	read_numa_node(t, f);
	text_copy(d->transport, sizeof(d->transport), transport(f, &w));
	if (!f->device[0])
		return;	/* nothing behind it */
	text_copy(d->controller, sizeof(d->controller), w.pci[0] ? w.pci : w.last);
	if (nvme_is(f) && !w.pci[0])	/* over a network: the target's address */
		sysfs_read_text(f->controller_dir, "address", d->controller, sizeof(d->controller));
	build_bus_path(f, &w);
	f->may_have_paths = !strcmp(d->transport, "nvme") || !strcmp(d->transport, "sas") ||
		!strcmp(d->transport, "scsi");
}
