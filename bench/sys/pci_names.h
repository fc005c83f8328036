/* SPDX-License-Identifier: MIT */
/*
 * Names of PCI devices and classes, compiled in (scripts/pci-names.sh).
 *
 * A table is a text in the format of pci.ids with one blank where that has two:
 *
 *	vendor name
 *	<tab>device name
 *	<tab><tab>subvendor subdevice name
 *	C class name
 *	<tab>subclass name
 */
#ifndef BENCH_SYS_PCI_NAMES_H
#define BENCH_SYS_PCI_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* What identifies a device, as its configuration space has it. */
struct pci_id {
	uint16_t vendor, device, subsystem_vendor, subsystem;
};

/* Of the function whose folder in sysfs is `dir`; 0 for what it does not tell. */
struct pci_id pci_names_id(const char *dir);
/* The table that is compiled in. */
const char *pci_names_table(void);
/* Name of a maker; "" where the table has none. */
void pci_names_vendor(const char *table, uint16_t vendor, char *to, size_t size);
/* Name of a device, the card's behind it in parentheses; "" where the table has none. */
void pci_names_device(const char *table, const struct pci_id *id, char *to, size_t size);
/* Name of the subclass (`class` is its code of 24 bits), else of the class, else "". */
void pci_names_class(const char *table, uint32_t class, char *to, size_t size);

#endif
