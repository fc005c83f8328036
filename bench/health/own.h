/* SPDX-License-Identifier: MIT */
/* Our own light readers as questions (ask.h), and what their answers make. */
#ifndef BENCH_HEALTH_OWN_H
#define BENCH_HEALTH_OWN_H

#include <stddef.h>

#include "bench/health/ask.h"
#include "bench/model/health.h"

#define OWN_SOURCE "own reader"

struct own_question {
	char node[256];		/* block device, or NVMe controller */
	unsigned timeout_ms;	/* of the question; a command that it sends may take a part */
};

/* `q` must outlive the question. */
void own_ask_nvme(struct ask *a, const struct own_question *q);
void own_ask_ata(struct ask *a, const struct own_question *q);
/*
 * Takes an answer: state, reason, source and values of `h`, which are absent before, and h->raw
 * (malloc'ed) where that is asked for: hexadecimal, of the parts that a standard defines. Whatever
 * names a drive is in none of them.
 */
void own_take_nvme(const struct ask *a, bool with_raw, struct health *h);
void own_take_ata(const struct ask *a, bool with_raw, struct health *h);
/* From an answer of own_ask_nvme into a health that smartctl gave: what it leaves out. */
void own_complete_nvme(const struct ask *a, struct health *h);

#endif
