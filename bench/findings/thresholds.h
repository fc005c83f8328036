/* SPDX-License-Identifier: MIT */
/*
 * What the finding rules compare with, and why. Plain numbers: the table prints them, so that
 * `bench findings --list` and docs/findings.md say what is compared.
 */
#ifndef BENCH_FINDINGS_THRESHOLDS_H
#define BENCH_FINDINGS_THRESHOLDS_H

/* Disks, by themselves. */
/* 100 is the end of what the maker warrants; at 80 a rented disk has little of a rent left. */
#define WEAR_WARNING_PERCENT 80
#define WEAR_CRITICAL_PERCENT 100
/* Hard disks fail more from their fourth year on; five years are the longest usual warranty. */
#define HOURS_PER_YEAR 8766
#define AGE_INFO_YEARS 3
#define AGE_WARNING_YEARS 5
/* One lost sector may be a scratch; ten are a trend (large studies of hard disks agree). */
#define SECTORS_CRITICAL 10
/* Spare sectors are there to be used: some are, on disks that live long. */
#define REALLOCATED_CRITICAL 100
/* A few are left by cables of a former server; a bad cable makes hundreds. */
#define CRC_WARNING 100
/* Servers are seldom switched off: more, and half of all starts, is a habit. */
#define UNSAFE_SHUTDOWNS 50
#define UNSAFE_PERCENT 50
/* Where the maker's limit is not known: usual limits of operation are 60 and 70. */
#define HOT_ROTATING_CELSIUS 60
#define HOT_SOLID_CELSIUS 70
/* An hour above the limit is no accident. */
#define HEAT_WARNING_MINUTES 60

/* Disks beside each other. */
/* Makers round: disks sold as equal differ in size by less. */
#define PAIR_SIZE_PERCENT 1
/* Both: a percentage alone says nothing of young disks. */
#define PAIR_AGE_PERCENT 20
#define PAIR_AGE_HOURS 1000
#define PAIR_SPEED_PERCENT 15
/* So many deviations of each disk's samples must fit between two disks: chance leaves fewer. */
#define PAIR_NOISE_MADS 3
/* Worn equally to this, both end within the same months. */
#define PAIR_WORN_PERCENT 70
#define PAIR_WORN_APART_PERCENT 5
#define SIBLINGS_MIN 3		/* with two disks nobody can say which is odd */
#define SIBLING_PERCENT 70	/* of the siblings' median */

/* Results of disks. */
#define SLOW_PERCENT 50		/* an interval below this share of the median is slow */
#define SLOW_INTERVALS_MIN 8	/* fewer intervals have no meaningful median */
#define SLOW_BLOCKS_MIN 16	/* fewer I/Os per interval vary that much by chance */
#define ZEROS_PERCENT 5		/* fewer zero buffers are ordinary gaps between files */
#define SHORT_TEST_SECONDS 1	/* with less, no answer is no sign of trouble */
#define ENGINE_PERCENT 50	/* of the null engine's IOPS */
/* No flash answers a single read faster; memory behind a virtual disk does. */
#define FLASH_READ_US 40

/* Processors. */
#define BURST_DROP_PERCENT 10	/* turbo budgets explain less */
#define SLOW_CORE_PERCENT 90	/* of the median of cores of its kind */
#define SLOW_CORE_THREADS_MIN 4	/* fewer have no median to be held against */
#define LOAD_PERCENT 50		/* of the threads were busy before anything was measured */

/* Memory. */
#define MEMORY_MISSING_PERCENT 10	/* firmware and kernel keep less */
#define MEMORY_MISSING_MIB 512	/* of small machines they keep a larger share */

/* Network. */
#define LINK_MBIT_PER_S 1000	/* what any server sold today has */
#define LINK_USED_PERCENT 20	/* far nodes and one stream do not fill a link, but do better */

/* Kernel messages: corrected errors of PCIe are counted only; this many are a bad contact. */
#define AER_WARNING 10

#endif
