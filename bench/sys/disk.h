/* SPDX-License-Identifier: MIT */
/*
 * What is known of one block device (or of a controller that has none), and why it is left alone.
 *
 * Invariants: every text is valid UTF-8 without control characters (cleaned where it was read); an
 * empty text means "not known"; structs hold no pointers and copy with `=`.
 */
#ifndef BENCH_SYS_DISK_H
#define BENCH_SYS_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISK_NAME_BYTES 64
#define DISK_TEXT_BYTES 128
#define DISK_PATH_BYTES 256
#define DISK_PATHS_MAX 8	/* further paths are counted, not kept */

/*
 * Why a device is left alone. One row each in disk_skip_table (word for JSON, sentence for people).
 */
enum disk_skip {
	DISK_TAKEN = 0,		/* it is measured */
	DISK_NO_MEDIUM,		/* card reader or tape without a medium */
	DISK_OPTICAL,		/* CD / DVD drive */
	DISK_FLOPPY,
	DISK_VIRTUAL_MEDIA,	/* remote-console (BMC) virtual media */
	DISK_ZERO_SIZE,
	DISK_HIDDEN_PATH,	/* one path of an NVMe multipath namespace */
	DISK_SECOND_PATH,	/* the same disk as another entry, reached over another path */
	DISK_RAM, DISK_LOOP, DISK_ZRAM, DISK_NBD,
	DISK_MAPPED,		/* device-mapper volume */
	DISK_ARRAY,		/* md array */
	DISK_EMMC_AREA,		/* eMMC boot or RPMB area */
	DISK_NO_DEVICE,		/* virtual block device without hardware behind it */
	DISK_NO_NAMESPACE,	/* NVMe controller without an attached namespace */
	DISK_SECTOR_SIZE,	/* sector size the kernel does not serve (520, 528 ...) */
	DISK_CANNOT_OPEN,	/* detail has the error */
	DISK_NO_ANSWER,		/* opening it did not return in time */
	DISK_EXCLUDED,		/* by option exclude */
	DISK_NOT_ASKED,		/* option disks names others */
	DISK_SKIP_COUNT
};

struct disk_skip_row {
	enum disk_skip skip;
	const char *word;	/* stable word for JSON, e.g. "no_medium" */
	const char *sentence;	/* for people */
	/* true: naming the device in option disks measures it all the same */
	bool overridden;
};
extern const struct disk_skip_row disk_skip_table[DISK_SKIP_COUNT];

/* What this run may do to a disk's contents. */
enum disk_consent {
	CONSENT_NONE,		/* opened read-only */
	/* a scratch file on a file system that lies on it; the disk itself is opened read-only */
	CONSENT_FILE,
	CONSENT_WRITEBACK,	/* may write the same data back that it read */
	CONSENT_DESTROY,	/* what is on it may be lost */
	CONSENT_COUNT
};
extern const char *const disk_consent_words[CONSENT_COUNT];

enum disk_rotational { DISK_ROTATIONAL_UNKNOWN = -1, DISK_SOLID = 0, DISK_ROTATING = 1 };

/* What only consent/ needs to know to keep its word; no part of a report. */
struct disk_write {
	/* as discovery read them: those of the disk may have been redacted meanwhile */
	char serial[DISK_TEXT_BYTES], wwn[DISK_TEXT_BYTES];
	bool guarded;		/* read-only by the appliance's guard, not by itself */
	bool only_blank;	/* CONSENT_DESTROY because nothing was on it: looked at again */
	uint8_t scratch_uuid[16];	/* of the file system this run may make on it */
	char scratch_dir[DISK_PATH_BYTES];	/* CONSENT_FILE: the folder on its file system */
};

struct disk {
	char name[DISK_NAME_BYTES];		/* kernel name, e.g. "nvme0n1" */
	char node[DISK_PATH_BYTES];		/* device node, e.g. "/dev/nvme0n1" */
	uint32_t major, minor;
	char vendor[DISK_TEXT_BYTES];
	char model[DISK_TEXT_BYTES];
	char serial[DISK_TEXT_BYTES];
	char wwn[DISK_TEXT_BYTES];		/* WWN, EUI-64 or NGUID as the kernel gives it */
	char firmware[DISK_TEXT_BYTES];
	/* nvme sata ata sas scsi virtio usb mmc xen hyperv raid other */
	char transport[16];
	char driver[32];			/* controller's kernel driver */
	char controller[DISK_TEXT_BYTES];	/* controller's PCI address or bus path */
	char sysfs[DISK_PATH_BYTES];		/* device path below /sys/devices */
	/* what tells this disk from all others in this machine */
	char identity[DISK_TEXT_BYTES];
	/* no trustworthy serial or WWN: identity is the bus path */
	bool identity_is_path;
	uint64_t size_bytes;
	uint32_t logical_block_bytes, physical_block_bytes;
	enum disk_rotational rotational;
	bool read_only, removable;
	int numa_node;				/* -1: unknown */
	/* appeared this long after discovery began; 0: at once */
	uint32_t late_ms;
	enum disk_skip skip;
	/* e.g. the error text, the name of the first path */
	char skip_detail[DISK_TEXT_BYTES];
	enum disk_consent consent;
	/* why it was granted, or refused though asked for; "" where nobody asked */
	char consent_why[DISK_PATH_BYTES];
	struct disk_write write;
	/* what its link can carry at the speed it has now, payload; 0: not known */
	uint64_t link_bytes_per_s;
	char link[64];				/* e.g. "SATA 6.0 Gb/s", "PCIe 8.0 GT/s x4" */
	uint32_t path_n;			/* paths that lead to it, itself included */
	char path[DISK_PATHS_MAX][DISK_NAME_BYTES];	/* kernel names of all paths, own first */
};

struct disk_list {
	struct disk *disk;	/* owned; freed by disk_list_free */
	size_t n, room;
};

/* Appends a copy of `d`. Returns 0 or -ENOMEM. */
int disk_list_add(struct disk_list *l, const struct disk *d);
void disk_list_free(struct disk_list *l);

#endif
