/* SPDX-License-Identifier: MIT */
/* The kernel's limit on asynchronous I/O contexts, fs.aio-max-nr. */
#ifndef BENCH_IO_AIO_LIMIT_H
#define BENCH_IO_AIO_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#define AIO_LIMIT_NR_PATH "/proc/sys/fs/aio-nr"
#define AIO_LIMIT_MAX_PATH "/proc/sys/fs/aio-max-nr"
/* What databases ask for. The limit takes no memory by itself, contexts do. */
#define AIO_LIMIT_WANTED UINT64_C(1048576)

/*
 * Raises the limit where `need` more events do not fit below it, which takes root. `nr_path` and
 * `max_path` are the two files above. Adds a sentence on what was found and done to `note`. Returns
 * 1 where it was raised, 0 where there was room already, -errno where it could not be read or
 * raised.
 */
int aio_limit_raise(const char *nr_path, const char *max_path, uint32_t need, char *note,
		    size_t note_bytes);

#endif
