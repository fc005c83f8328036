/* SPDX-License-Identifier: MIT */
/*
 * Reads single attributes below a sysfs folder. An attribute may be missing, a folder, unreadable
 * (some drivers answer EINVAL or ENXIO), empty, hold any byte and lack its newline: each of these
 * is "not there" or safe text, never an error of the whole.
 */
#ifndef BENCH_SYS_SYSFS_H
#define BENCH_SYS_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SYSFS_PATH_BYTES 1024
#define SYSFS_VALUE_BYTES 4097	/* an attribute has at most a page, and a NUL is added */

/*
 * DIR/NAME into `to` (SYSFS_PATH_BYTES). Returns false, and an empty text, where it does not fit.
 */
bool sysfs_join(char to[SYSFS_PATH_BYTES], const char *dir, const char *name);

/* The bytes of an attribute as they are, cut at `size`. Returns their number or -errno. */
ssize_t sysfs_read_bytes(const char *dir, const char *name, void *buf, size_t size);
/*
 * An attribute as clean UTF-8 without padding. Returns whether there is any text; else `to` is
 * empty.
 */
bool sysfs_read_text(const char *dir, const char *name, char *to, size_t size);
/*
 * An unsigned number, decimal or 0x...; false where it is none or does not fit. `value` is then
 * kept.
 */
bool sysfs_read_u64(const char *dir, const char *name, uint64_t *value);
/* A signed decimal number. */
bool sysfs_read_i64(const char *dir, const char *name, int64_t *value);

/*
 * A list of CPUs or nodes ("0-3,8"), which may be longer than a page. Returns its numbers,
 * ascending, in malloc'ed memory (caller frees), and their count; NULL and 0 where it is none.
 */
unsigned *sysfs_read_list(const char *dir, const char *name, size_t *n);

bool sysfs_exists(const char *dir, const char *name);
bool sysfs_is_dir(const char *dir, const char *name);
/*
 * Last component of what symlink DIR/NAME points at (a driver, for instance); "" and false without.
 */
bool sysfs_link_name(const char *dir, const char *name, char *to, size_t size);
/* Path of DIR/NAME without symlinks; false where it leads nowhere or does not fit. */
bool sysfs_resolve(const char *dir, const char *name, char to[SYSFS_PATH_BYTES]);
/* Cuts the last component of `path`. Returns false when none is left. */
bool sysfs_parent(char *path);
/* Last component of `path`. */
const char *sysfs_base(const char *path);

struct sysfs_names {
	char **name;	/* sorted by bytes */
	size_t n;
};

/* The entries of DIR/NAME but for those that begin with a dot. Returns 0 or -errno; then n is 0. */
int sysfs_list(const char *dir, const char *name, struct sysfs_names *names);
void sysfs_list_free(struct sysfs_names *names);

#endif
