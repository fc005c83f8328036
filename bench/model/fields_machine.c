/* SPDX-License-Identifier: MIT */
/* The rows of the map of the report for the machine. */
#include "bench/model/fields_rows.h"
#include "bench/model/machine.h"

static const struct field board_info_rows[] = {
	{ ROW(struct board_info, "vendor", vendor) },
	{ ROW(struct board_info, "name", name) },
	{ ROW(struct board_info, "version", version) },
	{ PRIVATE(struct board_info, "serial", serial) },
};
static const struct shape board_info_shape = SHAPE(struct board_info, board_info_rows);

static const struct field chassis_info_rows[] = {
	{ ROW(struct chassis_info, "vendor", vendor) },
	{ ROW(struct chassis_info, "type", type) },
	{ ROW(struct chassis_info, "version", version) },
	{ PRIVATE(struct chassis_info, "serial", serial) },
	{ PRIVATE(struct chassis_info, "asset_tag", asset_tag) },
};
static const struct shape chassis_info_shape = SHAPE(struct chassis_info, chassis_info_rows);

static const struct field bios_info_rows[] = {
	{ ROW(struct bios_info, "vendor", vendor) },
	{ ROW(struct bios_info, "version", version) },
	{ ROW(struct bios_info, "date", date) },
	{ ROW(struct bios_info, "release", release) },
	{ ROW(struct bios_info, "boot", boot) },
};
static const struct shape bios_info_shape = SHAPE(struct bios_info, bios_info_rows);

static const struct field cpu_cache_rows[] = {
	{ REQUIRED(struct cpu_cache, "level", level) },
	{ ROW(struct cpu_cache, "type", type) },
	{ SPARSE(struct cpu_cache, "size_bytes", size_bytes, 0) },
	{ SPARSE(struct cpu_cache, "shared_threads", shared_threads, 0) },
	{ SPARSE(struct cpu_cache, "count", count, 0) },
};
static const struct shape cpu_cache_shape = SHAPE(struct cpu_cache, cpu_cache_rows);

static const struct field cpu_kind_rows[] = {
	{ ROW(struct cpu_kind, "name", name) },
	{ ROW(struct cpu_kind, "cpus", cpus) },
	{ SPARSE(struct cpu_kind, "threads", threads, 0) },
	{ SPARSE(struct cpu_kind, "max_hz", max_hz, 0) },
};
static const struct shape cpu_kind_shape = SHAPE(struct cpu_kind, cpu_kind_rows);

static const struct field numa_node_rows[] = {
	{ REQUIRED(struct numa_node, "node", node) },
	{ ROW(struct numa_node, "cpus", cpus) },
	{ SPARSE(struct numa_node, "memory_bytes", memory_bytes, 0) },
};
static const struct shape numa_node_shape = SHAPE(struct numa_node, numa_node_rows);

static const struct field cpu_info_rows[] = {
	{ ROW(struct cpu_info, "model", model) },
	{ ROW(struct cpu_info, "vendor", vendor) },
	{ SPARSE(struct cpu_info, "family", family, -1) },
	{ SPARSE(struct cpu_info, "model_number", model_number, -1) },
	{ SPARSE(struct cpu_info, "stepping", stepping, -1) },
	{ ROW(struct cpu_info, "microcode", microcode) },
	{ SPARSE(struct cpu_info, "sockets", sockets, 0) },
	{ SPARSE(struct cpu_info, "cores", cores, 0) },
	{ SPARSE(struct cpu_info, "threads", threads, 0) },
	{ SPARSE(struct cpu_info, "threads_offline", threads_offline, 0) },
	{ SPARSE(struct cpu_info, "threads_allowed", threads_allowed, 0) },
	{ ROW(struct cpu_info, "smt", smt) },
	{ ROW(struct cpu_info, "flags", flags) },
	{ SPARSE(struct cpu_info, "min_hz", min_hz, 0) },
	{ SPARSE(struct cpu_info, "base_hz", base_hz, 0) },
	{ SPARSE(struct cpu_info, "max_hz", max_hz, 0) },
	{ ROW(struct cpu_info, "governor", governor) },
	{ ROW(struct cpu_info, "driver", driver) },
	{ TRISTATE(struct cpu_info, "boost", boost) },
	{ SPARSE(struct cpu_info, "core_throttles", core_throttles, -1) },
	{ SPARSE(struct cpu_info, "package_throttles", package_throttles, -1) },
	{ ARRAY(struct cpu_info, "caches", caches, caches_n, cpu_cache_shape) },
	{ ARRAY(struct cpu_info, "kinds", kinds, kinds_n, cpu_kind_shape) },
	{ ARRAY(struct cpu_info, "nodes", nodes, nodes_n, numa_node_shape) },
	{ ARRAY(struct cpu_info, "mitigations", mitigation, mitigation_n, fields_named_text) },
};
const struct shape fields_cpu = SHAPE(struct cpu_info, cpu_info_rows);

static const struct field memory_module_rows[] = {
	{ ROW(struct memory_module, "slot", slot) },
	{ ROW(struct memory_module, "bank", bank) },
	{ ROW(struct memory_module, "maker", maker) },
	{ ROW(struct memory_module, "part", part) },
	{ PRIVATE(struct memory_module, "serial", serial) },
	{ ROW(struct memory_module, "type", type) },
	{ ROW(struct memory_module, "form", form) },
	{ ROW(struct memory_module, "detail", detail) },
	{ SPARSE(struct memory_module, "size_bytes", size_bytes, 0) },
	{ SPARSE(struct memory_module, "speed_mt_per_s", speed_mt_per_s, 0) },
	{ SPARSE(struct memory_module, "rated_mt_per_s", rated_mt_per_s, 0) },
	{ SPARSE(struct memory_module, "data_bits", data_bits, 0) },
	{ SPARSE(struct memory_module, "total_bits", total_bits, 0) },
	{ SPARSE(struct memory_module, "ranks", ranks, 0) },
	{ SPARSE(struct memory_module, "millivolts", millivolts, 0) },
};
static const struct shape memory_module_shape = SHAPE(struct memory_module, memory_module_rows);

static const struct field edac_counter_rows[] = {
	{ REQUIRED(struct edac_counter, "name", name) },
	{ ROW(struct edac_counter, "kind", kind) },
	{ SPARSE(struct edac_counter, "corrected", corrected, -1) },
	{ SPARSE(struct edac_counter, "uncorrected", uncorrected, -1) },
};
static const struct shape edac_counter_shape = SHAPE(struct edac_counter, edac_counter_rows);

static const struct field memory_info_rows[] = {
	{ SPARSE(struct memory_info, "installed_bytes", installed_bytes, 0) },
	{ SPARSE(struct memory_info, "max_bytes", max_bytes, 0) },
	{ SPARSE(struct memory_info, "swap_bytes", swap_bytes, 0) },
	{ SPARSE(struct memory_info, "slots", slots, 0) },
	{ ROW(struct memory_info, "ecc", ecc) },
	{ ARRAY(struct memory_info, "modules", module, module_n, memory_module_shape) },
	/* after the array: it also counts those that found no room in it */
	{ SPARSE(struct memory_info, "module_count", module_n, 0) },
	{ ARRAY(struct memory_info, "edac", edac, edac_n, edac_counter_shape) },
};
const struct shape fields_memory = SHAPE(struct memory_info, memory_info_rows);

static const struct field pci_device_rows[] = {
	{ REQUIRED(struct pci_device, "address", address) },
	{ SPARSE(struct pci_device, "class", class, 0) },
	{ ROW(struct pci_device, "class_name", class_name) },
	{ SPARSE(struct pci_device, "vendor_id", vendor_id, 0) },
	{ SPARSE(struct pci_device, "device_id", device_id, 0) },
	{ SPARSE(struct pci_device, "subsystem_vendor_id", subsystem_vendor_id, 0) },
	{ SPARSE(struct pci_device, "subsystem_id", subsystem_id, 0) },
	{ ROW(struct pci_device, "vendor", vendor) },
	{ ROW(struct pci_device, "device", device) },
	{ ROW(struct pci_device, "driver", driver) },
	{ ROW(struct pci_device, "wanted", wanted) },
	{ FLAGGED(struct pci_device, "gt_per_s", gt_per_s, has_gt_per_s) },
	{ FLAGGED(struct pci_device, "max_gt_per_s", max_gt_per_s, has_max_gt_per_s) },
	{ FLAGGED(struct pci_device, "port_gt_per_s", port_gt_per_s, has_port_gt_per_s) },
	{ SPARSE(struct pci_device, "width", width, 0) },
	{ SPARSE(struct pci_device, "max_width", max_width, 0) },
	{ SPARSE(struct pci_device, "port_width", port_width, 0) },
	{ SPARSE(struct pci_device, "numa_node", numa_node, -1) },
};
static const struct shape pci_device_shape = SHAPE(struct pci_device, pci_device_rows);

static const struct field nic_info_rows[] = {
	{ REQUIRED(struct nic_info, "name", name) },
	{ ROW(struct nic_info, "driver", driver) },
	{ PRIVATE(struct nic_info, "mac", mac) },
	{ ROW(struct nic_info, "carrier", carrier) },
	{ SPARSE(struct nic_info, "speed_mbit_per_s", speed_mbit_per_s, -1) },
	{ SPARSE(struct nic_info, "max_mbit_per_s", max_mbit_per_s, -1) },
	{ ROW(struct nic_info, "duplex", duplex) },
	{ ROW(struct nic_info, "address", address) },
	{ ROW(struct nic_info, "model", model) },
	{ ROW(struct nic_info, "firmware", firmware) },
	{ SPARSE(struct nic_info, "mtu", mtu, 0) },
	{ SPARSE(struct nic_info, "numa_node", numa_node, -1) },
	{ PRIVATE(struct nic_info, "lldp_system", lldp_system) },
	{ PRIVATE(struct nic_info, "lldp_port", lldp_port) },
};
static const struct shape nic_info_shape = SHAPE(struct nic_info, nic_info_rows);

static const struct field storage_array_rows[] = {
	{ REQUIRED(struct storage_array, "name", name) },
	{ ROW(struct storage_array, "kind", kind) },
	{ ROW(struct storage_array, "level", level) },
	{ ROW(struct storage_array, "state", state) },
	{ SPARSE(struct storage_array, "size_bytes", size_bytes, 0) },
	{ SPARSE(struct storage_array, "members_wanted", members_wanted, 0) },
	{ ROW(struct storage_array, "members", members) },
};
static const struct shape storage_array_shape = SHAPE(struct storage_array, storage_array_rows);

static const struct field signature_rows[] = {
	{ REQUIRED(struct signature, "device", device) },
	{ REQUIRED(struct signature, "type", type) },
	{ ROW(struct signature, "usage", usage) },
	{ PRIVATE(struct signature, "label", label) },
	{ PRIVATE(struct signature, "uuid", uuid) },
};
static const struct shape signature_shape = SHAPE(struct signature, signature_rows);

static const struct field sensor_rows[] = {
	{ REQUIRED(struct sensor, "chip", chip) },
	{ ROW(struct sensor, "label", label) },
	{ WORD(struct sensor, "unit", unit, fields_unit_word), .traits = FIELD_REQUIRED },
	{ FLAGGED(struct sensor, "value", value, has_value) },
	{ FLAGGED(struct sensor, "max", max, has_max) },
	{ FLAGGED(struct sensor, "critical", critical, has_critical) },
	{ ROW(struct sensor, "alarm", alarm) },
};
static const struct shape sensor_shape = SHAPE(struct sensor, sensor_rows);

static const struct field power_domain_rows[] = {
	{ REQUIRED(struct power_domain, "name", name) },
	{ FLAGGED(struct power_domain, "watts", watts, has_watts) },
	{ FLAGGED(struct power_domain, "limit_watts", limit_watts, has_limit_watts) },
};
static const struct shape power_domain_shape = SHAPE(struct power_domain, power_domain_rows);

static const struct field kernel_fault_rows[] = {
	{ REQUIRED(struct kernel_fault, "kind", kind) },
	{ ROW(struct kernel_fault, "device", device) },
	{ PROSE(struct kernel_fault, "text", text) },
	{ SPARSE(struct kernel_fault, "count", count, 0) },
};
static const struct shape kernel_fault_shape = SHAPE(struct kernel_fault, kernel_fault_rows);

static const struct field machine_info_rows[] = {
	{ ROW(struct machine_info, "vendor", vendor) },
	{ ROW(struct machine_info, "product", product) },
	{ ROW(struct machine_info, "version", version) },
	{ ROW(struct machine_info, "family", family) },
	{ ROW(struct machine_info, "sku", sku) },
	{ PRIVATE(struct machine_info, "serial", serial) },
	{ PRIVATE(struct machine_info, "uuid", uuid) },
	{ GROUP("board", offsetof(struct machine_info, board), board_info_shape) },
	{ GROUP("chassis", offsetof(struct machine_info, chassis), chassis_info_shape) },
	{ GROUP("bios", offsetof(struct machine_info, bios), bios_info_shape) },
	{ GROUP("cpu", offsetof(struct machine_info, cpu), fields_cpu) },
	{ SPARSE(struct machine_info, "memory_bytes", memory_bytes, 0) },
	{ GROUP("memory", offsetof(struct machine_info, memory), fields_memory) },
	{ ROW(struct machine_info, "arch", arch) },
	{ ROW(struct machine_info, "virtualisation", virtualisation) },
	{ SPARSE(struct machine_info, "uptime_s", uptime_s, 0) },
	{ ROW(struct machine_info, "load", load) },
	{ PROSE(struct machine_info, "command_line", command_line) },
	{ ARRAY(struct machine_info, "nics", nic, nic_n, nic_info_shape) },
	/* after the array: it also counts those that found no room in it */
	{ SPARSE(struct machine_info, "nic_count", nic_n, 0) },
	{ ARRAY(struct machine_info, "pci", pci, pci_n, pci_device_shape) },
	/* after the array: it also counts those that found no room in it */
	{ SPARSE(struct machine_info, "pci_count", pci_n, 0) },
	{ ARRAY(struct machine_info, "arrays", arrays, arrays_n, storage_array_shape) },
	{ ARRAY(struct machine_info, "signatures", signatures, signatures_n, signature_shape) },
	{ ARRAY(struct machine_info, "sensors", sensors, sensors_n, sensor_shape) },
	{ ARRAY(struct machine_info, "power", power, power_n, power_domain_shape) },
	{ ARRAY(struct machine_info, "kernel_faults", fault, fault_n, kernel_fault_shape) },
};
const struct shape fields_machine = SHAPE(struct machine_info, machine_info_rows);
