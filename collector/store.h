/* SPDX-License-Identifier: MIT */
/*
 * Where reports are kept. The rest of the collector knows this interface alone, so that another
 * database is another store_*.c and nothing else.
 *
 * Invariants: a body comes back byte for byte as it was given; it is there whole or not at all,
 * and on stable storage when store_put returns 0; what is replaced is kept in a history. All
 * functions may be called from several threads. `why` (WHY bytes or more) receives one sentence on
 * failure.
 */
#ifndef COLLECTOR_STORE_H
#define COLLECTOR_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_ID_BYTES 37	/* a UUID in its usual form, and a NUL */
#define STORE_TEXT_BYTES 256
#define STORE_WHY_BYTES 256

/* How far the run of a report had come; the order is the order of their worth. */
enum report_state { REPORT_RUNNING, REPORT_PARTIAL, REPORT_COMPLETE, REPORT_STATES };

/* What is known of a stored report without reading its body. */
struct report_head {
	char id[STORE_ID_BYTES];
	enum report_state state;
	char label[STORE_TEXT_BYTES];	/* UTF-8 on one line, as all texts here; "" is absent */
	char product[STORE_TEXT_BYTES];
	uint32_t disk_n;
	char remote[64];		/* address it came from */
	int64_t received_ms;		/* since 1970 UTC */
	int64_t seq;			/* grows, is never used twice; set by the store */
	uint64_t body_bytes;		/* set by the store */
	uint32_t replaced_n;		/* earlier versions in the history; set by the store */
};

enum store_outcome {
	STORE_NEW,		/* first report of this id */
	STORE_SAME,		/* these very bytes are there already */
	STORE_REPLACED,		/* took the place of an earlier version, now in the history */
	STORE_REFUSED,		/* another version is there and stays; its state is in *have */
};

struct store;

/*
 * Opens or makes the database at `path`. Returns 0, -EINVAL (not ours, or made by a newer
 * collector) or another -errno. The caller ends it with store_close.
 */
int store_open(struct store **store, const char *path, char *why);
void store_close(struct store *store);

/*
 * Stores `len` bytes of `body` as report head->id; of `head` the first seven fields count. Where
 * that id is there with other bytes, may_replace decides. Returns 0 and *outcome; -ENOSPC (disk
 * full), -EBUSY (locked by another process for long), -EROFS, -ENOMEM or -EIO store nothing.
 */
int store_put(struct store *store, const struct report_head *head, const void *body, size_t len,
	      bool (*may_replace)(enum report_state have, enum report_state given),
	      enum store_outcome *outcome, enum report_state *have, char *why);

/* Fetches a report's head and body (malloc'ed, caller frees). Returns 0, -ENOENT or -errno. */
int store_get(struct store *store, const char *id, struct report_head *head, void **body,
	      char *why);

/*
 * Calls `each` for at most `limit` reports, newest first, of those with seq < `before` (0: of all).
 * Stops early when `each` returns other than 0, and returns that; else 0 or -errno.
 */
int store_list(struct store *store, int64_t before, unsigned int limit,
	       int (*each)(void *context, const struct report_head *head), void *context,
	       char *why);

#endif
