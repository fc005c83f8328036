/* SPDX-License-Identifier: MIT */
/* What the files of finding rules share: how a finding is added, and the rules themselves. */
#ifndef BENCH_FINDINGS_RULES_H
#define BENCH_FINDINGS_RULES_H

#include "bench/findings/findings.h"
#include "bench/findings/thresholds.h"

/* Inside of a rule: a finding of its only (or worst) severity, or of another. */
#define ADD(target, ...) ADD_AS(rule->worst, target, __VA_ARGS__)
#define ADD_AS(severity, target, ...) \
	report_add_finding(r, severity, rule->name, target, __VA_ARGS__)

typedef int finding_search(struct report *r, const struct finding_rule *rule);

/* disks.c: which disks there are */
finding_search find_no_disk, find_cannot_open, find_no_namespace, find_read_only, find_late,
	find_host_cache;

/* disk_health.c: what disks say of themselves */
finding_search find_disk_failed, find_disk_warning, find_disk_self_test, find_disk_counter,
	find_disk_wear, find_disk_spare, find_disk_age, find_disk_power_loss, find_disk_unread,
	find_disk_doubt;

/* disk_heat.c */
finding_search find_disk_hot, find_disk_heat;

/* disk_link.c */
finding_search find_disk_link, find_pcie_link, find_pcie_slot;

/* disk_pairs.c: disks beside each other */
finding_search find_pair_model, find_pair_firmware, find_pair_age, find_pair_worn, find_pair_speed;

/* machine.c: the run and the machine */
finding_search find_partial, find_clocksource, find_option, find_virtual, find_clock, find_array,
	find_sensor;

/* kernel.c: what the kernel met */
finding_search find_no_driver, find_no_firmware, find_kernel_fault;

/* cpu.c, cpu_speed.c: processors as they are set up, and what slows them */
finding_search find_mitigations, find_microcode, find_governor, find_boost, find_idle_threads,
	find_allowed_threads;
finding_search find_cpu_throttled, find_burst_drop, find_disturbed, find_load, find_slow_core;

/* memory.c */
finding_search find_memory_slow, find_memory_mixed, find_memory_uneven, find_memory_missing,
	find_memory_ecc_errors, find_memory_no_ecc, find_memory_pattern;

/* network.c */
finding_search find_nic_link, find_slow_link, find_half_duplex, find_no_link, find_unreachable,
	find_slow_network, find_net_errors;

/* results.c: what the tests met */
finding_search find_no_answer, find_vanished, find_read_errors, find_write_errors, find_test_failed,
	find_no_time, find_short_reads, find_zeros;

/* results_speed.c: how fast the disks were */
finding_search find_odd_sibling, find_slow_samples, find_depth_lowered, find_shared_limit,
	find_engine_bound;

/* results_write.c: what long writes showed */
finding_search find_write_drop;

/* marks.c: what makes a number suspicious */
finding_search find_marks;

#endif
