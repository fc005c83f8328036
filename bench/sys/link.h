/* SPDX-License-Identifier: MIT */
/* How fast a disk's link is now: SATA, SAS, PCI Express (NVMe, RAID controllers), USB. */
#ifndef BENCH_SYS_LINK_H
#define BENCH_SYS_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link {
	char text[64];			/* "SATA 6.0 Gb/s"; "": not known */
	uint64_t bytes_per_s;		/* payload it can carry in one direction; 0: not known */
};

/*
 * The link of the disk at sysfs folder `dir` (below /sys/devices, without symlinks), of transport
 * `transport` (struct disk). `usb_dir` is the USB device it belongs to, "" elsewhere; `controller`
 * the name of its PCI function, a component of `dir`. What a virtual machine makes up is not known.
 */
void link_read(const char *dir, const char *transport, const char *usb_dir, const char *controller,
	       struct link *l);

/*
 * True for the folder of a PCI function that exists in software alone: the speed of its link is a
 * made-up number.
 */
bool link_is_virtual(const char *pci_dir);

/*
 * What the kernel writes of links; each returns false, and keeps its outputs, for any other text.
 *
 * "6.0 Gbps" (sata_spd), "12.0 Gbit" (negotiated_linkrate): tenths of Gb/s.
 */
bool link_parse_gbit(const char *text, unsigned *tenths);
/* "8.0 GT/s PCIe" or "8 GT/s" (current_link_speed): tenths of GT/s. */
bool link_parse_pcie(const char *text, unsigned *tenths);

/*
 * Payload of links in bytes per second, 0 for speeds that do not exist.
 *
 * SATA and SAS to 12 Gb/s carry 8 of 10 bits (8b/10b); SAS at 22.5 Gb/s 128 of 150. Frames and
 * their headers take a few percent more, which are left in: no disk may be accused for those.
 */
uint64_t link_sata_bytes_per_s(unsigned tenths);
uint64_t link_sas_bytes_per_s(unsigned tenths);
/*
 * PCI Express: 8 of 10 bits to 5 GT/s, 128 of 130 from 8 to 32, 236 of 256 (FLIT) from 64 GT/s on;
 * and of each packet 512 of 536 bytes are data (maximum payload 512, which few machines exceed; 24
 * of framing, sequence number, header and CRC). 8 GT/s x4: 3.76 GB/s.
 */
uint64_t link_pcie_bytes_per_s(unsigned tenths, unsigned width);
/*
 * USB by the speed the kernel gives in Mb/s: 480 carries 13 packets of 512 bytes in each of 8000
 * microframes, 5000 8 of 10 bits, 10000 and 20000 128 of 132.
 */
uint64_t link_usb_bytes_per_s(unsigned mbit_per_s);

#endif
