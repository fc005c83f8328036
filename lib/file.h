/* SPDX-License-Identifier: MIT */
/* Small files: read whole, written whole or not at all. */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Reads up to size - 1 bytes of `path` into `buf` and adds a NUL (sysfs and proc files have no
 * useful size, so it reads to the end). Returns the bytes read, or -errno. Longer files are cut.
 */
ssize_t file_read(const char *path, char *buf, size_t size);
/* Reads a whole file of at most `limit` bytes into malloc'ed, NUL-terminated memory (caller frees).
 * Returns 0, -EFBIG past the limit, or -errno. */
int file_load(const char *path, size_t limit, char **text, size_t *len);
/*
 * Replaces `path` by `len` bytes: a temporary file beside it, fsync, rename. Returns 0 or -errno;
 * on failure the old file is still whole.
 */
int file_replace(const char *path, const void *data, size_t len);
/* Writes all bytes to `fd`, over interrupts and short writes. Returns 0 or -errno. */
int file_write_all(int fd, const void *data, size_t len);

#endif
