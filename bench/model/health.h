/* SPDX-License-Identifier: MIT */
/*
 * Health: what a disk says of itself, in one vocabulary for ATA, SCSI and NVMe. Findings judge it;
 * here is only what was read.
 *
 * Invariant: a value the drive did not give is absent; one that cannot be true is absent as well,
 * or kept with a doubt that names its key.
 */
#ifndef BENCH_MODEL_HEALTH_H
#define BENCH_MODEL_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/model/machine.h"

enum health_state {
	HEALTH_READ,		/* it answered */
	HEALTH_STANDBY,		/* it sleeps and was not woken */
	HEALTH_UNSUPPORTED,	/* it has no such log, or a bridge hides it */
	HEALTH_FAILED,		/* it was asked and gave no usable answer */
	HEALTH_TIMEOUT,		/* no answer in time; whoever asked was abandoned */
	HEALTH_STATE_COUNT
};
extern const char *const health_state_words[HEALTH_STATE_COUNT];

/* An entry of a disk's log of self-tests, the newest first. */
struct self_test {
	char type[32];	/* short, extended, conveyance ... */
	char result[64];	/* in the drive's words */
	bool failed;	/* it found a fault */
	int64_t hours;	/* power-on hours when it ran */
	int64_t lba;	/* block of the first fault */
};

/* A bit of a drive's critical warnings that is set. */
struct health_warning {
	/*
	 * stable word for it: spare, temperature, reliability, read-only, backup,
	 * persistent-memory
	 */
	char word[32];
	char text[128];	/* what it means */
};

/* What a disk says of its own health, in one vocabulary for ATA, SCSI and NVMe. */
struct health {
	/* kernel name of the disk; absent: a disk behind a RAID controller that has none */
	char target[64];
	/* how it was reached: device node, and the way behind a controller */
	char device[64];
	char protocol[16];	/* ata, nvme or scsi */
	char source[64];	/* what read it: smartctl with its version, or our own reader */
	enum health_state state;	/* what came of reading it */
	char reason[240];	/* why nothing, or not all, was read */
	char model[128];	/* model it calls itself */
	char serial[128];	/* serial number it gives */
	char firmware[128];	/* firmware */
	enum tristate passed;	/* the drive's own verdict */
	int64_t power_on_hours;	/* hours powered on */
	int64_t power_cycles;	/* times powered on */
	int64_t unsafe_shutdowns;	/* times power was lost without notice */
	int64_t written_bytes;	/* bytes the host wrote */
	int64_t read_bytes;	/* bytes the host read */
	int32_t wear_percent;	/* endurance used, as the drive estimates it; may exceed 100 */
	int32_t spare_percent;	/* spare blocks left */
	int32_t spare_threshold_percent;	/* below it the drive warns */
	int64_t reallocated;	/* sectors replaced by spare ones; of SCSI: grown defects */
	int64_t pending;	/* sectors that could not be read and wait for a write */
	int64_t uncorrectable;	/* sectors or errors that could not be corrected */
	/* data that was lost or damaged (NVMe), uncorrected errors (SCSI) */
	int64_t media_errors;
	int64_t crc_errors;	/* transfer errors on the cable */
	int64_t error_log_entries;	/* entries of the drive's error log */
	int32_t temperature_celsius;	/* now */
	int32_t temperature_highest_celsius;	/* highest in its life */
	int32_t temperature_limit_celsius;	/* the maker's limit */
	int64_t temperature_warning_minutes;	/* minutes above the limit */
	int64_t throttle_events;	/* times it slowed itself down for heat */
	uint32_t rotation_rpm;	/* spindle speed; absent: does not rotate, or not known */
	double link_gbit_per_s;	/* speed of its SATA or SAS link now */
	bool has_link_gbit_per_s;
	double link_max_gbit_per_s;	/* the fastest that it can */
	bool has_link_max_gbit_per_s;
	uint32_t critical_warning;	/* NVMe critical warnings as they are */
	uint32_t warning_n;	/* the bits that are set */
	struct health_warning warning[8];
	uint32_t self_tests_n;	/* log of self-tests */
	struct self_test self_tests[21];
	uint32_t doubt_n;	/* values not to be believed, by key, and why */
	struct named_text doubt[16];
	char when[16];	/* start or end of the run */
	char *raw;	/* what smartctl or the drive answered, as it was */
};

#endif
