/* SPDX-License-Identifier: MIT */
/*
 * Which disks may be written: the only place that decides it, and the only one that opens a disk
 * for writing.
 *
 * Invariants: everything not understood means no. A disk's consent is decided once, before the
 * plan, and checked again on the opened descriptor; nothing else in bench/ opens a device with
 * O_RDWR or O_WRONLY (a test of the sources holds that).
 */
#ifndef BENCH_CONSENT_CONSENT_H
#define BENCH_CONSENT_CONSENT_H

#include <stddef.h>
#include <stdint.h>

#include "bench/sys/disk.h"
#include "lib/options.h"

/*
 * Sets consent and consent_why of every disk from index `first` on, by options write and destroy:
 * NONE for every disk that is not taken, mounted, held, in use as swap, read-only, zoned, the boot
 * medium, not named (or, for `blank`, not blank), or whose serial or WWN another disk has too.
 * Entries of `destroy` that match no disk are noted in `o`. Reads signatures of disks for `blank`.
 */
void consent_decide(struct disk_list *disks, size_t first, struct options *o);

/*
 * The option line that would allow writing to this disk ("bench.write=destroy
 * bench.destroy=SERIAL"), or "" where nothing would (it has no serial, is mounted ...). Returns
 * `line`.
 */
const char *consent_option_line(const struct disk *d, char *line, size_t line_bytes);

/*
 * Opens a disk with consent for writing: O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC, lifts the guard
 * that the appliance put on it, then checks that it is still the same disk (device number, size,
 * serial or WWN), still neither mounted nor held, and still blank where that was the ground.
 * Returns the descriptor or -errno with the reason in `why`.
 */
int consent_open(const struct disk *d, char *why, size_t why_bytes);

/*
 * After the last test on a disk with CONSENT_DESTROY: discards the area this run wrote, where the
 * device can, and puts the guard back. `fd` is consent_open's and stays open. Returns 0 or -errno
 * (-EOPNOTSUPP: it cannot discard).
 */
int consent_close(const struct disk *d, int fd, uint64_t area_offset_bytes, uint64_t area_bytes);

#endif
