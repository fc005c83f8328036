/* SPDX-License-Identifier: MIT */
/* What hdparm -t and -T print. Its "MB" are of 2^20 bytes, its "kB" of 2^10. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/import/import.h"

#define NUMBER "([0-9]+([.,][0-9]+)?)"

/* The rate is not taken: bytes and seconds, from which it comes, say more than its two digits. */
static int take(struct import *im, const regmatch_t *m, const char *test, const char *metric,
		bool direct)
{
	double amount = import_number(im, m[1]), seconds = import_number(im, m[4]);
	double unit = im->text[m[3].rm_so] == 'M' ? 1048576 : 1024;
	struct result *r = import_same(im, test);

	if (!(amount > 0) || !(seconds > 0))
		return 0;
	if (!r) {
		r = import_add(im, test, "hdparm", m);
		if (!r)
			return -ENOMEM;
		snprintf(r->access, sizeof(r->access), "read");
		snprintf(r->order, sizeof(r->order), "sequential");
		snprintf(r->via, sizeof(r->via), direct ? "device" : "page-cache");
		r->block_bytes = 2 << 20;
		r->depth = r->depth_asked = r->jobs = 1;
	}
	import_run(r, metric, seconds * 1e9, amount * unit);
	return 0;
}

static int take_buffered(struct import *im, const regmatch_t *m)
{
	return take(im, m, "hdparm-t", "throughput", false);
}

static int take_direct(struct import *im, const regmatch_t *m)
{
	return take(im, m, "hdparm-t-direct", "throughput", true);
}

static int take_cached(struct import *im, const regmatch_t *m)
{
	return take(im, m, "hdparm-T", "throughput_cached", false);
}

/* A device named between two readings: what follows is of another one, or asked anew. */
static int take_device(struct import *im, const regmatch_t *m)
{
	char name[DISK_NAME_BYTES];

	import_copy(im, m[2], name, sizeof(name));
	snprintf(im->device, sizeof(im->device), "%s", name);
	return 0;
}

#define AMOUNT " *" NUMBER " *(MB|kB) +in +" NUMBER " +seconds += *" NUMBER " *(MB|kB)/s(ec)?"

const struct import_pattern import_hdparm[] = {
	/* the first letter gets lost where the page was a picture or a list */
	{ "hdparm -t", "T?iming buffered disk reads *:" AMOUNT, take_buffered },
	{ "hdparm -t --direct", "T?iming O_DIRECT disk reads *:" AMOUNT, take_direct },
	{ "hdparm -T", "T?iming [a-z-]*cached? reads *:" AMOUNT, take_cached },
	{ "device", "/dev/(mapper/)?([a-z]+[a-z0-9]*) *:[ \n]", take_device },
};
const size_t import_hdparm_n = sizeof(import_hdparm) / sizeof(import_hdparm[0]);
