/* SPDX-License-Identifier: MIT */
/*
 * Makes small /sys, /proc and /dev trees in a temporary folder, from text of the shape in which
 * people paste such trees. A failure ends the test: without its tree it shows nothing.
 *
 *	[sda] -> pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda
 *		a block device: its folder below sys/devices, link in sys/block and sys/class/block,
 *		and its `device` link where one belongs (not below virtual/block)
 *	{nvme0} -> PATH		an NVMe controller (link in sys/class/nvme)
 *	<0:0:1:0> -> PATH	a SCSI device (link in sys/bus/scsi/devices)
 *	(eth0) -> PATH		a network link (link in sys/class/net)
 *	|0000:00:02.0| -> PATH	a PCI function (link in sys/bus/pci/devices)
 *	@PATH			a folder below the root
 *
 * Lines after one of these belong to its folder:
 *
 *	name=[value]		a file: the value and a newline (\xHH \n \\; [ ] may be left out)
 *	name:=[value]		without the newline
 *	name -> target		a symlink
 *	name/			a folder
 *
 * Blank lines and lines that begin with '#' are skipped. `name` may be a path.
 */
#ifndef TESTS_UNIT_SYSFS_FIXTURE_H
#define TESTS_UNIT_SYSFS_FIXTURE_H

#include <stddef.h>

struct sysfs_fixture {
	char root[64];
};

/* Makes the root with sys/devices, sys/block, proc and dev, and adds `text`. */
void sysfs_fixture_make(struct sysfs_fixture *f, const char *text);
void sysfs_fixture_add(struct sysfs_fixture *f, const char *text);
/* Writes any bytes to a file below the root; its folder is made. */
void sysfs_fixture_write(struct sysfs_fixture *f, const char *path, const void *data, size_t len);
/* Removes the root and all below it. */
void sysfs_fixture_remove(struct sysfs_fixture *f);

#endif
