/* SPDX-License-Identifier: MIT */
/*
 * What a disk answered becomes a struct health. Pure: bytes in, values out, nothing is opened.
 *
 *	decode.c	smartctl's JSON as a whole: state, exit status, what all protocols share
 *	decode_ata.c	its part for ATA; decode_scsi.c, decode_nvme.c
 *	attribute.c	vendor attributes of ATA
 *	nvme_log.c, ata_smart.c		what our own readers got, as bytes
 *	plausible.c	doubts: values that cannot be, or should not be believed
 *
 * Every decoder expects a struct health with all values absent (health_init) and sets what it
 * finds; in the end plausible_check looks at all of it.
 */
#ifndef BENCH_HEALTH_DECODE_H
#define BENCH_HEALTH_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/model/health.h"

struct yyjson_val;

/* All values absent. */
void health_init(struct health *h);

/*
 * Reads the answer of `smartctl --json -x` to the first device. Text before and behind the JSON is
 * skipped. Sets state and reason; does not touch target, when, raw. `h` is health_init'ed.
 */
void decode_smartctl(const char *text, size_t len, struct health *h);
/* True where smartctl said that it does not know the USB bridge and asked nothing. */
bool decode_is_unknown_bridge(const char *text, size_t len);

/* A device of `smartctl --scan` that has no kernel name of its own. */
struct decode_scanned {
	char node[128];		/* e.g. "/dev/bus/0" */
	char type[64];		/* e.g. "megaraid,8" */
};
/* Fills at most `max` devices behind controllers; returns how many there are, 0 for no JSON. */
size_t decode_scan(const char *text, size_t len, struct decode_scanned *to, size_t max);

/* The parts of decode_smartctl. */
void decode_ata(struct yyjson_val *root, struct health *h);
void decode_scsi(struct yyjson_val *root, struct health *h);
void decode_nvme(struct yyjson_val *root, struct health *h);

/* Sets critical_warning, the list of its bits and, where a bit is set, passed. */
void decode_nvme_warnings(struct health *h, uint32_t bits);

#endif
