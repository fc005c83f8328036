/* SPDX-License-Identifier: MIT */
/*
 * Which device is asked how, and what its answers make; see health.h.
 *
 * All devices are asked at once, in rounds: an answer may call for another question (the bridge is
 * not known: try SAT; smartctl failed: ask ourselves). After each round a target has its health or
 * the way of its next question.
 */
#include "bench/health/health.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/health/ask.h"
#include "bench/health/decode.h"
#include "bench/health/nvme_log.h"
#include "bench/health/own.h"
#include "bench/health/smartctl.h"
#include "lib/clock.h"
#include "lib/text.h"

#define ROUNDS_MAX 4
#define RAW_LINE_BYTES 600	/* from here on a line of raw text ends behind the next comma */
#define HIDDEN_MAX 256		/* devices behind RAID controllers */

enum way {
	WAY_NONE,		/* all is known */
	WAY_SMARTCTL,
	WAY_SAT,		/* smartctl, with a type it would not choose by itself */
	WAY_OWN_NVME, WAY_OWN_ATA,
	WAY_COMPLETE_NVME,	/* smartctl answered; our reader adds what it leaves out */
};

/* How disks of a transport are asked; one that is not here has no health to be read. */
static const struct {
	const char *transport;
	const char *type;	/* smartctl's -d; "" lets smartctl choose */
	enum way own;
} transports[] = {
	{ "nvme", "nvme", WAY_OWN_NVME },
	{ "sata", "sat", WAY_OWN_ATA },
	{ "ata", "sat", WAY_OWN_ATA },
	{ "sas", "scsi", WAY_NONE },
	{ "scsi", "scsi", WAY_NONE },
	{ "usb", "", WAY_NONE },
};

/* A device to be asked. */
struct target {
	struct health health;
	enum way way;		/* of the next question */
	enum way own;		/* our own reader for it */
	char node[DISK_PATH_BYTES], type[64];
	struct own_question own_question;
};

struct targets {
	struct target *target;
	size_t n, room;
};

static void cannot(struct health *h, enum health_state state, const char *why)
{
	h->state = state;
	text_copy(h->reason, sizeof(h->reason), why);
}

/* Devices that are a disk of this machine, whether it is measured or not. */
static bool has_health(const struct disk *d)
{
	switch (d->skip) {
	case DISK_TAKEN:
	case DISK_ZERO_SIZE:
	case DISK_SECTOR_SIZE:
	case DISK_CANNOT_OPEN:
	case DISK_NO_ANSWER:
		return d->node[0] && d->transport[0];
	case DISK_NO_NAMESPACE:
		return !strncmp(d->name, "nvme", 4);
	default:
		return false;
	}
}

size_t health_count(const struct disk_list *disks, size_t first)
{
	size_t n = 0;

	for (size_t i = first; i < disks->n; i++)
		n += has_health(&disks->disk[i]);
	return n;
}

static unsigned one_ms(const struct health_request *q)
{
	return q->one_ms ? q->one_ms : HEALTH_ONE_MS;
}

static struct target *add_target(struct targets *l, const struct health_request *q)
{
	struct target *t;

	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 16;

		t = reallocarray(l->target, room, sizeof(*t));
		if (!t)
			return NULL;
		l->target = t;
		l->room = room;
	}
	t = &l->target[l->n++];
	memset(t, 0, sizeof(*t));
	health_init(&t->health);
	text_copy(t->health.when, sizeof(t->health.when), q->when);
	t->own_question.timeout_ms = one_ms(q);
	return t;
}

/* Decides how a disk is asked, or says at once why it is not. */
static void choose_way(struct target *t, const struct disk *d, bool has_smartctl)
{
	char why[sizeof(t->health.reason)];

	text_copy(t->node, sizeof(t->node), d->node);
	if (d->skip == DISK_NO_NAMESPACE)
		nvme_log_device("", d->name, d->node, t->node, sizeof(t->node));
	text_copy(t->health.target, sizeof(t->health.target), d->name);
	text_copy(t->health.device, sizeof(t->health.device), t->node);
	if (d->skip == DISK_NO_ANSWER) {
		cannot(&t->health, HEALTH_TIMEOUT, "it did not answer when it was opened: not "
		       "asked once more");
		return;
	}
	for (size_t i = 0; i < sizeof(transports) / sizeof(transports[0]); i++) {
		if (strcmp(transports[i].transport, d->skip == DISK_NO_NAMESPACE ? "nvme" :
			   d->transport))
			continue;
		text_copy(t->type, sizeof(t->type), transports[i].type);
		t->own = transports[i].own;
		t->way = has_smartctl ? WAY_SMARTCTL : t->own;
		if (t->way == WAY_NONE)
			cannot(&t->health, HEALTH_UNSUPPORTED, "smartctl is not here, which alone "
			       "can read it");
		return;
	}
	if (!strcmp(d->transport, "raid"))
		cannot(&t->health, HEALTH_UNSUPPORTED, "a RAID volume has no health of its own; "
		       "its disks are behind the controller");
	else if (!strcmp(d->transport, "other"))
		cannot(&t->health, HEALTH_UNSUPPORTED, "it gives no data on its health");
	else {
		snprintf(why, sizeof(why), "a disk on %.16s gives no data on its health",
			 d->transport);
		cannot(&t->health, HEALTH_UNSUPPORTED, why);
	}
}

/* Makes a question of the way a target is to go. */
static void ask_target(struct target *t, struct ask *a, const char *smartctl)
{
	struct own_question *own = &t->own_question;

	switch (t->way) {
	case WAY_SMARTCTL:
		smartctl_ask_device(a, smartctl, t->node, t->type);
		break;
	case WAY_SAT:
		smartctl_ask_device(a, smartctl, t->node, "sat");
		break;
	case WAY_OWN_NVME:
	case WAY_COMPLETE_NVME:
		nvme_log_device("", t->health.target, t->node, own->node, sizeof(own->node));
		own_ask_nvme(a, own);
		break;
	case WAY_OWN_ATA:
		text_copy(own->node, sizeof(own->node), t->node);
		own_ask_ata(a, own);
		break;
	case WAY_NONE:
		break;
	}
}

/*
 * smartctl's JSON is one line, and the report's lines are at most some 1000 bytes: breaks it behind
 * commas, never inside of a text or a number, so that what is to be redacted stays in one piece.
 */
static void break_lines(char *to, const char *from)
{
	size_t line = 0;
	bool in_text = false;

	for (; *from; from++) {
		*to++ = *from;
		line++;
		if (*from == '\\' && from[1]) {
			*to++ = *++from;
			line++;
		} else if (*from == '"') {
			in_text = !in_text;
		} else if (*from == ',' && !in_text && line >= RAW_LINE_BYTES) {
			*to++ = '\n';
			line = 0;
		}
	}
	*to = '\0';
}

/* Clean text of an answer, malloc'ed; NULL where there is none, or no memory. */
static char *clean_text(const struct ask *a)
{
	size_t room = 3 * a->len + 1;	/* a cleaned byte takes three at most */
	char *clean = malloc(room), *text = malloc(room + room / RAW_LINE_BYTES + 1);

	if (clean && text && a->text && text_clean(clean, room, a->text, a->len) > 0) {
		break_lines(text, clean);
	} else {
		free(text);
		text = NULL;
	}
	free(clean);
	return text;
}

/* A new answer to the same target: values, reason and raw text of the one before it go. */
static void forget(struct health *h)
{
	struct health old = *h;

	free(old.raw);
	health_init(h);
	memcpy(h->target, old.target, sizeof(h->target));
	memcpy(h->device, old.device, sizeof(h->device));
	memcpy(h->when, old.when, sizeof(h->when));
}

/*
 * Drives behind a bridge that does not know SAT seem to be in SLEEP, from which nothing can answer.
 */
static bool says_standby(const struct ask *a)
{
	return a->text && strstr(a->text, "in STANDBY mode");
}

/* What smartctl said of a device, and whether to ask once more. */
static void take_smartctl(struct target *t, const struct ask *a, bool with_raw)
{
	struct health *h = &t->health;
	enum way was = t->way;

	forget(h);
	decode_smartctl(a->text ? a->text : "", a->len, h);
	if (with_raw)
		h->raw = clean_text(a);
	t->way = WAY_NONE;
	if (was == WAY_SMARTCTL && decode_is_unknown_bridge(a->text ? a->text : "", a->len))
		t->way = WAY_SAT;
	else if (was == WAY_SAT && h->state != HEALTH_READ && !says_standby(a))
		cannot(h, HEALTH_UNSUPPORTED, "not readable behind USB bridge");
	else if (h->state == HEALTH_FAILED)
		t->way = t->own;
	else if (h->state == HEALTH_READ && t->own == WAY_OWN_NVME)
		t->way = WAY_COMPLETE_NVME;
}

/* Our own reader was asked as smartctl failed: when it does no better, smartctl's word stays. */
static void take_own(struct target *t, const struct ask *a, bool with_raw)
{
	struct health other;

	health_init(&other);
	if (t->way == WAY_OWN_NVME)
		own_take_nvme(a, with_raw, &other);
	else
		own_take_ata(a, with_raw, &other);
	t->way = WAY_NONE;
	if (other.state == HEALTH_FAILED && t->health.reason[0]) {
		free(other.raw);
		return;
	}
	memcpy(other.target, t->health.target, sizeof(other.target));
	memcpy(other.device, t->health.device, sizeof(other.device));
	memcpy(other.when, t->health.when, sizeof(other.when));
	free(t->health.raw);
	t->health = other;
}

/* Takes the end of a question; the target then has its health, or another way to go. */
static void take_answer(struct target *t, const struct ask *a, const struct health_request *q)
{
	struct health *h = &t->health;
	char why[sizeof(h->reason)];

	if (t->way == WAY_COMPLETE_NVME) {
		if (a->end == ASK_ANSWERED)
			own_complete_nvme(a, h);
		t->way = WAY_NONE;
		return;
	}
	switch (a->end) {
	case ASK_ANSWERED:
		if (t->way == WAY_SMARTCTL || t->way == WAY_SAT)
			take_smartctl(t, a, q->with_raw);
		else
			take_own(t, a, q->with_raw);
		return;
	case ASK_TIMEOUT:
		snprintf(why, sizeof(why), "no answer in %u.%u s: whoever asked was left behind",
			 one_ms(q) / 1000, one_ms(q) % 1000 / 100);
		cannot(h, HEALTH_TIMEOUT, why);
		break;
	case ASK_TOO_LONG:
		cannot(h, HEALTH_FAILED, "its answer is longer than any drive's");
		break;
	case ASK_FAILED:
		snprintf(why, sizeof(why), "no process to ask it with: %s", strerror(a->error));
		cannot(h, HEALTH_FAILED, why);
		break;
	default:
		cannot(h, HEALTH_TIMEOUT, "the run had no more time for it, or was stopped");
	}
	/* a device that hangs is not asked by other means: that would hang too */
	t->way = a->end == ASK_TOO_LONG ? t->own : WAY_NONE;
}

/* The devices behind RAID controllers become targets of the next round. */
static int add_hidden(struct targets *l, const struct ask *scan, const struct health_request *q)
{
	struct decode_scanned *found = calloc(HIDDEN_MAX, sizeof(*found));
	size_t n;

	if (!found)
		return -ENOMEM;
	n = scan->end == ASK_ANSWERED && scan->text ?
	    decode_scan(scan->text, scan->len, found, HIDDEN_MAX) : 0;
	for (size_t i = 0; i < n && i < HIDDEN_MAX; i++) {
		struct target *t = add_target(l, q);

		if (!t) {
			free(found);
			return -ENOMEM;
		}
		text_copy(t->node, sizeof(t->node), found[i].node);
		text_copy(t->type, sizeof(t->type), found[i].type);
		snprintf(t->health.device, sizeof(t->health.device), "%.30s %.30s", t->node,
			 t->type);
		t->way = WAY_SMARTCTL;
	}
	free(found);
	return 0;
}

/* One question to every target that has a way to go, and in the first round the scan. */
static int run_round(struct targets *l, const char *smartctl, bool scan,
		     const struct ask_limits *limits, const struct health_request *q)
{
	struct ask *all = calloc(l->n + 1, sizeof(*all));
	size_t *owner = calloc(l->n + 1, sizeof(*owner)), n = 0;
	int err = 0;

	if (!all || !owner) {
		free(all);
		free(owner);
		return -ENOMEM;
	}
	for (size_t i = 0; i < l->n; i++) {
		if (l->target[i].way == WAY_NONE)
			continue;
		ask_target(&l->target[i], &all[n], smartctl);
		owner[n++] = i;
	}
	if (scan)
		smartctl_ask_scan(&all[n], smartctl);
	ask_all(all, n + scan, limits);
	for (size_t i = 0; i < n; i++)
		take_answer(&l->target[owner[i]], &all[i], q);
	if (scan)
		err = add_hidden(l, &all[n], q);
	ask_free(all, n + scan);
	free(all);
	free(owner);
	return err;
}

static bool any_way(const struct targets *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->target[i].way != WAY_NONE)
			return true;
	return false;
}

static int list_targets(struct targets *l, const struct health_request *q, bool has_smartctl)
{
	for (size_t i = q->first; i < q->disks->n; i++) {
		struct target *t;

		if (!has_health(&q->disks->disk[i]))
			continue;
		t = add_target(l, q);
		if (!t)
			return -ENOMEM;
		choose_way(t, &q->disks->disk[i], has_smartctl);
	}
	return 0;
}

/* What our own readers do not tell, discovery does. */
static void add_identity(struct health *h, const struct disk_list *disks)
{
	for (size_t i = 0; i < disks->n && h->target[0]; i++) {
		const struct disk *d = &disks->disk[i];

		if (strcmp(d->name, h->target))
			continue;
		if (!h->model[0])
			text_copy(h->model, sizeof(h->model), d->model);
		if (!h->serial[0])
			text_copy(h->serial, sizeof(h->serial), d->serial);
		if (!h->firmware[0])
			text_copy(h->firmware, sizeof(h->firmware), d->firmware);
	}
}

/* A disk that a RAID controller passes through has a name, and is listed behind it once more. */
static bool is_listed(const struct targets *l, const struct health *hidden)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct health *h = &l->target[i].health;

		if (h->target[0] && hidden->serial[0] && !strcmp(h->serial, hidden->serial))
			return true;
	}
	return false;
}

/* Everything known goes into the report, which takes the raw texts over. */
static int hand_over(struct targets *l, struct report *r, const struct disk_list *disks)
{
	int err = 0;

	for (size_t i = 0; i < l->n; i++)
		add_identity(&l->target[i].health, disks);
	for (size_t i = 0; i < l->n; i++) {
		struct health *h = &l->target[i].health;

		if (!h->target[0] && is_listed(l, h))
			free(h->raw);
		else if (report_add_health(r, h))
			err = -ENOMEM;
	}
	free(l->target);
	return err;
}

int health_read(struct report *r, const struct health_request *q)
{
	struct ask_limits limits = { .timeout_ms = one_ms(q), .stop_fd = q->stop_fd };
	uint64_t end_ns = clock_ns() + HEALTH_ALL_MS * NS_PER_MS;
	char found[SMARTCTL_PATH_BYTES] = "";
	const char *smartctl = q->smartctl;
	struct targets l = { 0 };
	int err, kept;

	if (!smartctl)
		smartctl = smartctl_find(found) ? found : "";
	limits.deadline_ns = q->deadline_ns < end_ns ? q->deadline_ns : end_ns;
	err = list_targets(&l, q, *smartctl);
	for (int round = 0; !err && round < ROUNDS_MAX; round++) {
		bool scan = round == 0 && q->with_hidden && *smartctl;

		if (!scan && !any_way(&l))
			break;
		err = run_round(&l, smartctl, scan, &limits, q);
	}
	kept = hand_over(&l, r, q->disks);
	return err ? err : kept;
}
