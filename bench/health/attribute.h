/* SPDX-License-Identifier: MIT */
/*
 * Vendor attributes of ATA's SMART data.
 *
 * No standard says what an attribute means or how its six raw bytes are to be read; makers agree on
 * a few. Several pack more than one number into the raw bytes: a raw value as a whole is never
 * taken without a rule that says which part of it counts.
 */
#ifndef BENCH_HEALTH_ATTRIBUTE_H
#define BENCH_HEALTH_ATTRIBUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/model/health.h"

struct attribute {
	uint8_t id;
	const char *name;	/* as smartctl's database calls it; NULL: not known */
	int32_t value;		/* normalised: falls as it gets worse; -1: not known */
	uint64_t raw;		/* 48 bits */
	const char *text;	/* the raw value as smartctl prints it; NULL: not known */
	bool in_database;	/* smartctl knows this model, so names and units are its own */
};

/*
 * Takes over what an attribute says into values of `h` that are still absent. Attribute 190, the
 * temperature of the air, comes behind all others.
 */
#define ATTRIBUTE_LAST 190
void attribute_take(const struct attribute *a, struct health *h);

#endif
