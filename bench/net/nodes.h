/* SPDX-License-Identifier: MIT */
/* The servers that network tests download from: option nodes, a file, or the builtin list. */
#ifndef BENCH_NET_NODES_H
#define BENCH_NET_NODES_H

#include <stddef.h>

#include "bench/sys/disk.h"
#include "bench/upload/url.h"
#include "lib/options.h"

#define NODES_MAX 64
#define NODES_NOTES_MAX 8
#define NODES_NOTE_BYTES 160

struct node {
	char name[DISK_NAME_BYTES];	/* clean, not empty, unlike all others of the list */
	char url[URL_BYTES];		/* to download from; checked */
	char upload[URL_BYTES];		/* to send to; "" where there is none */
};

struct nodes {
	unsigned n;
	struct node node[NODES_MAX];
	unsigned note_n;		/* what was left out; further ones are counted, not kept */
	char note[NODES_NOTES_MAX][NODES_NOTE_BYTES];	/* clean, no secrets */
};

/*
 * Adds the lines of a list: name, tab, address, and perhaps another tab and an address to send to;
 * empty ones and those that begin with # do not count. Any bytes are safe; a bad line is a note.
 */
void nodes_add_lines(struct nodes *nodes, const char *text, size_t len);

/*
 * Fills `nodes` from the value of option nodes: "none", "builtin", an inline list (with "://" in
 * it: NAME=ADDRESS or ADDRESS, separated by commas), or else the path of a file of lines. Returns 0
 * or -errno of reading that file.
 */
int nodes_load(struct nodes *nodes, const char *setting);

/*
 * Looks at option nodes once at the start: what is wrong with it becomes notes of `o`. Returns
 * -EINVAL where no node is left and the option was typed as a flag; else 0.
 */
int nodes_check(struct options *o);

#endif
