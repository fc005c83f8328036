/* SPDX-License-Identifier: MIT */
/* Our own light readers as questions; see own.h. */
#include "bench/health/own.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/health/ata_smart.h"
#include "bench/health/decode.h"
#include "bench/health/nvme_log.h"
#include "bench/health/plausible.h"
#include "lib/text.h"

#define COMMANDS 4		/* each may take that part of its question's time */
#define NVME_DEFINED_BYTES 232	/* the rest of the log is reserved */
#define ATA_DEFINED_BYTES 386	/* what follows is vendor specific (ACS-3 table 129) */
#define HEX_COLUMNS 16

struct answer {
	int err;	/* 0 or -errno */
	union {
		struct ata_smart ata;
		struct {
			uint8_t log[NVME_LOG_BYTES];
			uint8_t identify[NVME_IDENTIFY_BYTES];
		} nvme;
	} as;
};

static void read_nvme(const void *argument)
{
	const struct own_question *q = argument;
	struct answer a = { 0 };

	a.err = nvme_log_read(q->node, q->timeout_ms / 2, a.as.nvme.log, a.as.nvme.identify);
	child_say(&a, sizeof(a));
}

static void read_ata(const void *argument)
{
	const struct own_question *q = argument;
	struct answer a = { 0 };

	a.err = ata_smart_read(q->node, q->timeout_ms / COMMANDS, &a.as.ata);
	child_say(&a, sizeof(a));
}

void own_ask_nvme(struct ask *a, const struct own_question *q)
{
	a->own = read_nvme;
	a->argument = q;
}

void own_ask_ata(struct ask *a, const struct own_question *q)
{
	a->own = read_ata;
	a->argument = q;
}

/* The answer, or NULL and a reason in `h`. */
static const struct answer *answer_of(const struct ask *a, struct answer *copy, struct health *h)
{
	text_copy(h->source, sizeof(h->source), OWN_SOURCE);
	h->state = HEALTH_FAILED;
	if (a->len != sizeof(*copy)) {
		text_copy(h->reason, sizeof(h->reason), "the process that read it died");
		return NULL;
	}
	memcpy(copy, a->text, sizeof(*copy));
	if (!copy->err)
		return copy;
	snprintf(h->reason, sizeof(h->reason), "it could not be read: %s%s", strerror(-copy->err),
		 copy->err == -EACCES || copy->err == -EPERM ? " (run as root)" : "");
	return NULL;
}

/* Appends `data` as lines of hexadecimal digits, each behind its offset. */
static void add_hex(char **text, const char *title, const uint8_t *data, size_t len)
{
	size_t old = *text ? strlen(*text) : 0;
	size_t room = old + strlen(title) + 3 * len + 8 * (len / HEX_COLUMNS + 1) + 4, used = old;
	char *more = realloc(*text, room);

	if (!more)
		return;
	*text = more;
	used += (size_t)snprintf(more + used, room - used, "%s%s", old ? "\n" : "", title);
	for (size_t i = 0; i < len; i++) {
		if (i % HEX_COLUMNS == 0)
			used += (size_t)snprintf(more + used, room - used, "\n%04zx:", i);
		used += (size_t)snprintf(more + used, room - used, " %02x", data[i]);
	}
}

static void decode_nvme_answer(const struct answer *a, struct health *h)
{
	nvme_log_decode(a->as.nvme.log, h);
	h->temperature_limit_celsius = nvme_log_limit(a->as.nvme.identify);
	plausible_check(h);
}

void own_take_nvme(const struct ask *a, bool with_raw, struct health *h)
{
	struct answer copy;

	if (!answer_of(a, &copy, h))
		return;
	h->state = HEALTH_READ;
	decode_nvme_answer(&copy, h);
	if (with_raw)
		add_hex(&h->raw, "NVMe log 02h", copy.as.nvme.log, NVME_DEFINED_BYTES);
}

void own_take_ata(const struct ask *a, bool with_raw, struct health *h)
{
	struct answer copy;
	char title[48];

	if (!answer_of(a, &copy, h))
		return;
	ata_smart_decode(&copy.as.ata, h);
	if (!with_raw)
		return;
	if (copy.as.ata.has_smart)
		add_hex(&h->raw, "ATA SMART data", copy.as.ata.smart, ATA_DEFINED_BYTES);
	for (unsigned page = 1; page < ATA_STATS_PAGES; page++) {
		snprintf(title, sizeof(title), "ATA log 04h page %02xh", page);
		if (copy.as.ata.has_page[page])
			add_hex(&h->raw, title, copy.as.ata.page[page], 128);
	}
}

void own_complete_nvme(const struct ask *a, struct health *h)
{
	struct health own;
	struct answer copy;

	health_init(&own);
	if (!answer_of(a, &copy, &own))
		return;
	decode_nvme_answer(&copy, &own);
	h->throttle_events = own.throttle_events;
	if (h->temperature_limit_celsius == INT32_MIN)
		h->temperature_limit_celsius = own.temperature_limit_celsius;
}
