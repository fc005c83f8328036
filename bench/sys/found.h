/* SPDX-License-Identifier: MIT */
/*
 * A device while discovery still works on it: struct disk and what is needed to tell it from
 * others. Private to discovery: found.h is included by discover.c and the files it hands each entry
 * to:
 *
 *	bus.c       where it hangs: transport, controller, driver, NUMA node, place on the bus
 *	link.c      how fast its link is (link.h)
 *	identify.c  what it says of itself: model, serial, WWN, sizes
 *	kind.c      whether it is a disk to measure at all (one row per reason)
 *	nvme.c      NVMe: hidden paths, controllers without a namespace
 *	scsi.c      SCSI: disks without a block device
 *	pci.c       storage controllers that no driver serves
 *	paths.c     several paths to one disk
 *	identity.c  what names it in this machine
 */
#ifndef BENCH_SYS_FOUND_H
#define BENCH_SYS_FOUND_H

#include "bench/sys/disk.h"
#include "bench/sys/identity.h"
#include "bench/sys/sysfs.h"
#include "bench/sys/vpd.h"

#define FOUND_WWID_BYTES 256

struct found {
	struct disk disk;
	char dir[SYSFS_PATH_BYTES];	/* its sysfs folder, without symlinks */
	char device[SYSFS_PATH_BYTES];	/* what its `device` link leads to; "" without one */
	char controller_dir[SYSFS_PATH_BYTES];	/* NVMe: the controller's folder; "" elsewhere */
	char usb_dir[SYSFS_PATH_BYTES];	/* the USB device it belongs to; "" elsewhere */
	char wwid[FOUND_WWID_BYTES];	/* all of it; disk.wwn may be too short */
	char subsystem_nqn[FOUND_WWID_BYTES];	/* NVMe */
	uint64_t namespace_id;		/* NVMe; 0: not known */
	int64_t controller_id;		/* NVMe; -1: not known */
	bool hidden;			/* has no device node of its own */
	bool is_head;			/* NVMe multipath node over hidden paths */
	bool may_have_paths;		/* its transport can lead to one disk twice */
	unsigned path_rank;		/* 0: the path works best; larger: rather another one */
	size_t same_as;			/* index of the entry that stands for this disk */
	char bus_path[DISK_TEXT_BYTES];	/* stable place on the bus, e.g. "pci-0000:00:1f.2-ata-1" */
	bool ata;			/* vpd_ata was read */
	struct vpd_ata ata_data;
};

struct found_list {
	struct found *found;
	size_t n, room;
};

/* Where discovery reads: <root>/sys, without symlinks. */
struct found_tree {
	const char *root;		/* as given: "" for the running machine */
	char sys[SYSFS_PATH_BYTES];
	char devices[SYSFS_PATH_BYTES];	/* <root>/sys/devices; "" where it is not there */
};

/* Appends an empty entry; NULL: out of memory. Valid until the next call. */
struct found *found_add(struct found_list *l);

/* bus.c: fills transport, driver, controller, numa_node, bus_path, may_have_paths of `f`. */
void bus_read(const struct found_tree *t, struct found *f);

/* identify.c: fills what the device says of itself. */
void identify_read(struct found *f);

/* kind.c: sets disk.skip and skip_detail by the first rule that holds. */
void kind_read(struct found *f);

/* virtual_media.c: true for a USB disk or drive that a management controller plays. */
bool virtual_media_known(const struct found *f);

/* nvme.c: fields of a namespace; controllers that serve nothing. */
void nvme_read(struct found *f);
/*
 * Heads take over what their hidden paths know of the hardware; and (list sorted) own these paths.
 */
void nvme_equip_heads(struct found_list *l);
void nvme_join_heads(struct found_list *l);
int nvme_add_controllers(const struct found_tree *t, struct found_list *l);
/* True where the entry is an NVMe namespace (or a controller). */
bool nvme_is(const struct found *f);

/* scsi.c: how well a path works; disks the SCSI layer knows and no block device serves. */
unsigned scsi_path_rank(const struct found *f);
int scsi_add_unserved(const struct found_tree *t, struct found_list *l);

/* pci.c: storage controllers without a driver, and NVMe functions without a controller. */
int pci_add_unserved(const struct found_tree *t, struct found_list *l);

/* paths.c: sets same_as, DISK_SECOND_PATH and the path lists. The list is sorted already. */
void paths_merge(struct found_list *l);

/* identity.c: sets identity and identity_is_path of every entry; the list is merged already. */
void identity_assign(struct found_list *l);

#endif
