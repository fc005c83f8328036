/* SPDX-License-Identifier: MIT */
/*
 * The machine: what a report says of everything that was measured on, disks excepted.
 *
 * Invariants: all texts are valid UTF-8 (cleaned where they were read), makers' placeholders are
 * absent; an empty text means "not known", and so does the number each row of fields_machine.c
 * names; arrays whose counter exceeds them have lost the rest.
 */
#ifndef BENCH_MODEL_MACHINE_H
#define BENCH_MODEL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/model/result.h"

/* A named text: kernel deviations, option values, notes. */
struct named_text {
	char name[64];
	char text[256];
};

enum tristate { TRI_UNKNOWN = -1, TRI_NO, TRI_YES };

/* The main board (SMBIOS type 2). */
struct board_info {
	char vendor[128];	/* maker */
	char name[128];	/* name */
	char version[128];	/* revision */
	char serial[128];	/* serial number */
};

/* The case (SMBIOS type 3). */
struct chassis_info {
	char vendor[128];	/* maker */
	char type[64];	/* kind of case, as SMBIOS names it */
	char version[128];	/* version */
	char serial[128];	/* serial number */
	char asset_tag[128];	/* label of its owner */
};

/* The firmware (SMBIOS type 0). */
struct bios_info {
	char vendor[128];	/* maker */
	char version[128];	/* version */
	char date[128];	/* date, as written there */
	char release[32];	/* release, major.minor */
	char boot[16];	/* how the machine was booted: bios or uefi */
};

/* One kind of processor cache. */
struct cpu_cache {
	uint32_t level;	/* 1 to 4 */
	char type[16];	/* data, instruction or unified */
	uint64_t size_bytes;	/* of one of them */
	uint32_t shared_threads;	/* threads that share one */
	uint32_t count;	/* so many of them in the machine */
};

/* Threads that are alike, where a processor has several kinds of cores. */
struct cpu_kind {
	char name[32];	/* performance, efficiency, or what the kernel calls it */
	char cpus[128];	/* CPU list */
	uint32_t threads;	/* how many */
	uint64_t max_hz;	/* highest frequency */
};

/* A NUMA node. */
struct numa_node {
	uint32_t node;	/* its number */
	char cpus[128];	/* CPU list */
	uint64_t memory_bytes;	/* memory of it */
};

/* The processors. */
struct cpu_info {
	char model[128];	/* name */
	char vendor[32];	/* CPUID vendor, or the implementer */
	int32_t family;	/* CPUID family */
	int32_t model_number;	/* CPUID model */
	int32_t stepping;	/* CPUID stepping */
	char microcode[32];	/* version of the microcode */
	uint32_t sockets;	/* packages */
	uint32_t cores;	/* distinct cores */
	uint32_t threads;	/* threads online */
	uint32_t threads_offline;	/* threads present but offline */
	uint32_t threads_allowed;	/* threads the run may use */
	char smt[32];	/* simultaneous multithreading: on, off, forceoff, notsupported ... */
	char flags[256];	/* flags that matter for speed or trust, separated by blanks */
	uint64_t min_hz;	/* lowest frequency */
	uint64_t base_hz;	/* guaranteed frequency */
	uint64_t max_hz;	/* highest frequency */
	char governor[32];	/* cpufreq governor; several are separated by blanks */
	char driver[32];	/* cpufreq driver */
	enum tristate boost;	/* frequencies above the guaranteed one are allowed */
	int64_t core_throttles;	/* thermal throttle events of all cores since boot */
	int64_t package_throttles;	/* thermal throttle events of all packages since boot */
	uint32_t caches_n;	/* caches, by level */
	struct cpu_cache caches[16];
	uint32_t kinds_n;	/* kinds of cores, where there are several */
	struct cpu_kind kinds[8];
	uint32_t nodes_n;	/* NUMA nodes */
	struct numa_node nodes[64];
	uint32_t mitigation_n;	/* the kernel's answer to each known fault of processors */
	struct named_text mitigation[32];
};

/* A memory module (SMBIOS type 17). Empty slots have no size. */
struct memory_module {
	char slot[64];	/* device locator */
	char bank[64];	/* bank locator */
	char maker[64];	/* maker */
	char part[64];	/* part number */
	char serial[64];	/* serial number */
	char type[32];	/* DDR4, DDR5 ... */
	char form[32];	/* DIMM, SODIMM ... */
	char detail[64];	/* Registered, Unbuffered, LRDIMM ... */
	uint64_t size_bytes;	/* size */
	/* configured speed, in millions of transfers per second */
	uint32_t speed_mt_per_s;
	uint32_t rated_mt_per_s;	/* speed the module is made for */
	uint32_t data_bits;	/* width without ECC */
	uint32_t total_bits;	/* width with ECC */
	uint32_t ranks;	/* ranks */
	uint32_t millivolts;	/* configured voltage */
};

/* Memory errors that a memory controller counted since boot (EDAC). */
struct edac_counter {
	char name[64];	/* controller, and row or module where it is known */
	char kind[64];	/* name of the controller's driver */
	int64_t corrected;	/* corrected errors */
	int64_t uncorrected;	/* errors that could not be corrected */
};

/* The memory. */
struct memory_info {
	uint64_t installed_bytes;	/* sum of the modules */
	uint64_t max_bytes;	/* what the board takes (SMBIOS type 16) */
	uint64_t swap_bytes;	/* swap in use by the running system */
	uint32_t slots;	/* sockets for modules */
	/* error correction of the array, as SMBIOS names it: none, single-bit, multi-bit ... */
	char ecc[32];
	uint32_t module_n;	/* modules and empty slots */
	struct memory_module module[96];
	uint32_t edac_n;	/* error counters */
	struct edac_counter edac[64];
};

/* A PCI device. */
struct pci_device {
	char address[32];	/* domain:bus:device.function */
	uint32_t class;	/* class, subclass and interface */
	char class_name[64];	/* what kind of device that is */
	uint32_t vendor_id;	/* vendor */
	uint32_t device_id;	/* device */
	uint32_t subsystem_vendor_id;	/* vendor of the card */
	uint32_t subsystem_id;	/* the card */
	char vendor[64];	/* name of the vendor */
	char device[128];	/* name of the device */
	char driver[32];	/* kernel driver bound to it; absent: none */
	bool wanted;	/* a storage or network device, useless without a driver */
	double gt_per_s;	/* speed of its link now, in GT/s */
	bool has_gt_per_s;
	double max_gt_per_s;	/* the fastest that the device itself can */
	bool has_max_gt_per_s;
	double port_gt_per_s;	/* the fastest that the port above it can */
	bool has_port_gt_per_s;
	uint32_t width;	/* lanes in use */
	uint32_t max_width;	/* lanes of the device */
	uint32_t port_width;	/* lanes of the port above it */
	int32_t numa_node;	/* NUMA node */
};

/* A network interface with hardware behind it. */
struct nic_info {
	char name[32];	/* interface */
	char driver[32];	/* kernel driver */
	char mac[32];	/* hardware address */
	bool carrier;	/* it has a link */
	int32_t speed_mbit_per_s;	/* speed of its link */
	int32_t max_mbit_per_s;	/* the fastest the card and its transceiver can */
	char duplex[16];	/* full or half */
	char address[32];	/* PCI address or bus path */
	char model[128];	/* name of the device */
	char firmware[64];	/* version of its firmware */
	uint32_t mtu;	/* largest packet */
	int32_t numa_node;	/* NUMA node */
	char lldp_system[128];	/* name of the neighbour it heard over LLDP */
	char lldp_port[128];	/* port of that neighbour */
};

/* A volume made of others: md array, LVM or ZFS pool, or a RAID controller's volume. */
struct storage_array {
	char name[64];	/* its name */
	char kind[32];	/* md, lvm, zfs, btrfs, bcache, raid-controller, multipath, crypt ... */
	char level[32];	/* RAID level */
	char state[64];	/* state, in its owner's words */
	uint64_t size_bytes;	/* size */
	uint32_t members_wanted;	/* members it should have */
	char members[256];	/* kernel names of its members, separated by blanks */
};

/* A signature found on a disk or a partition of it, without mounting anything. */
struct signature {
	char device[64];	/* kernel name */
	char type[32];	/* ext4, linux_raid_member, LVM2_member, zfs_member, gpt ... */
	char usage[16];	/* filesystem, raid, crypto, partition-table or other */
	char label[128];	/* its label */
	char uuid[64];	/* its UUID */
};

/* A sensor of the machine (hwmon). */
struct sensor {
	char chip[64];	/* chip */
	char label[64];	/* what it measures */
	enum metric_unit unit;	/* of the values */
	double value;	/* value */
	bool has_value;
	double max;	/* the maker's upper limit */
	bool has_max;
	double critical;	/* the limit at which the machine protects itself */
	bool has_critical;
	bool alarm;	/* the chip itself says that something is wrong */
};

/* A part of a processor whose energy is counted (RAPL). */
struct power_domain {
	char name[64];	/* package-0, dram ... */
	double watts;	/* mean power while it was looked at */
	bool has_watts;
	double limit_watts;	/* long-term power limit */
	bool has_limit_watts;
};

/* A kernel message that tells of a fault, equal ones counted once. */
struct kernel_fault {
	/* mce, memory, pcie, io, ata, nvme, thermal, firmware, driver or network */
	char kind[32];
	char device[64];	/* what it names */
	char text[256];	/* the first such message */
	uint32_t count;	/* how many */
};

/* What was measured on. */
struct machine_info {
	char vendor[128];	/* maker */
	char product[128];	/* product name */
	char version[128];	/* version of the product */
	char family[128];	/* product family */
	char sku[128];	/* the maker's order number */
	char serial[128];	/* serial number */
	char uuid[64];	/* UUID of the system */
	struct board_info board;	/* the main board */
	struct chassis_info chassis;	/* the case */
	struct bios_info bios;	/* the firmware */
	struct cpu_info cpu;	/* the processors */
	uint64_t memory_bytes;	/* memory the kernel manages (MemTotal) */
	struct memory_info memory;	/* the memory */
	char arch[32];	/* architecture of the running kernel */
	char virtualisation[64];	/* none, qemu, kvm, vmware, microsoft, xen ... */
	uint64_t uptime_s;	/* at the start of the run */
	char load[256];	/* load averages at the start of the run */
	char command_line[1024];	/* the kernel's command line, secrets masked */
	uint32_t nic_n;	/* network interfaces */
	struct nic_info nic[32];
	uint32_t pci_n;	/* PCI devices */
	struct pci_device pci[256];
	uint32_t arrays_n;	/* volumes made of others */
	struct storage_array arrays[64];
	uint32_t signatures_n;	/* signatures on disks */
	struct signature signatures[128];
	uint32_t sensors_n;	/* sensors */
	struct sensor sensors[128];
	uint32_t power_n;	/* energy counters */
	struct power_domain power[16];
	uint32_t fault_n;	/* kernel messages that tell of faults */
	struct kernel_fault fault[64];
};

#endif
