/* SPDX-License-Identifier: MIT */
/*
 * The parts machine.c calls. Each fills its own fields of struct machine_info from <root>/sys and
 * <root>/proc and leaves absent what it cannot read. Tests call them one by one.
 */
#ifndef BENCH_SYS_MACHINE_PARTS_H
#define BENCH_SYS_MACHINE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/model/report.h"

struct smbios;

/*
 * dmi.c: system, board, case and firmware, and the modules of the memory; makers' placeholders
 * count as absent.
 */
void dmi_read(const char *root, struct machine_info *m);
/* dmi.c: what of it is still absent, from the table alone. */
void dmi_read_table(const struct smbios *s, struct machine_info *m);
/* dmi.c: the processor's name as the firmware has it (SMBIOS type 4). False without one. */
bool dmi_read_processor(const char *root, char *to, size_t size);
/* dmi.c: processors that the firmware found in their sockets; 0: not known. */
uint32_t dmi_count_processors(const char *root);
/* smbios_memory.c: modules, slots, error correction. */
void smbios_memory_read(const struct smbios *s, struct machine_info *m);

/* cpu.c: all of struct cpu_info but the mitigations. */
void cpu_read(const char *root, struct machine_info *m);
/*
 * cpu.c: true where /proc/cpuinfo lists CPU flags; `has_hypervisor`: "hypervisor" is one of them.
 */
bool cpu_read_hypervisor(const char *root, bool *has_hypervisor);

/* memory.c: MemTotal and swap. */
void memory_read(const char *root, struct machine_info *m);
/* edac.c: errors that the memory controllers counted. */
void edac_read(const char *root, struct machine_info *m);

/* boot.c: how the machine was booted, and the kernel's command line without its secrets. */
void boot_read(const char *root, struct machine_info *m);

/* links.c: Ethernet links with hardware behind them. */
void links_read(const char *root, struct machine_info *m);

/* pci_devices.c: all PCI devices, their names, drivers and links. */
void pci_devices_read(const char *root, struct machine_info *m);

/* arrays.c: md, device-mapper and bcache volumes; arrays.h has the others. */
void arrays_read(const char *root, struct machine_info *m);

/* sensors.c: the sensors of the machine, but for those of disks. */
void sensors_read(const char *root, struct machine_info *m);
/* sensors.c: the same by a process of its own, for 3 s at most: a chip may not answer. */
void sensors_read_guarded(const char *root, struct machine_info *m);

/* power.c: the domains whose energy is counted, and their limits; power.h has their watts. */
void power_read(const char *root, struct machine_info *m);

/* mitigations.c: the kernel's answer to each known CPU fault; those that cost something first. */
void mitigations_read(const char *root, struct machine_info *m);

/* virt.c: after dmi_read. */
void virt_read(const char *root, struct machine_info *m);
/* hypervisor.c: signature that CPUID gives a guest ("KVMKVMKVM" ...); false: none, or no x86. */
bool hypervisor_signature(char to[13]);

/*
 * config_hash.c: SHA-256 of a file as it is, in hex. /proc/config.gz is hashed packed: the kernel
 * keeps one fixed packing of its configuration, so equal kernels give equal hashes. 0 or -errno.
 */
int config_hash_file(const char *path, char hex[65]);

#endif
