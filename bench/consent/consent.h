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
 * Sets consent and consent_why of every disk from index `first` on, by options write, destroy and
 * disks; `disks` holds all of the machine, so that no name means two of them. docs/writing.md has
 * the rules. NONE for every disk that is not taken, mounted, held, in use as swap, read-only by
 * itself, zoned, the boot medium, not named (or, for `blank`, not blank), or that cannot be told
 * from another. Entries of `destroy` that name no disk are noted in `o`.
 *
 * Opens candidates read-only, each in a process of its own, with a time limit: exclusively, to see
 * that nobody holds them, and reads where signatures lie. guarded_apply() comes before it.
 */
void consent_decide(struct disk_list *disks, size_t first, struct options *o);

#define CONSENT_LINE_BYTES (2 * DISK_TEXT_BYTES)

/*
 * The option line that would allow a run to destroy this disk ("bench.write=destroy
 * bench.destroy=SERIAL"), or "" where nothing would (it cannot be told by serial or WWN). That it
 * is mounted or held is not looked at. Returns `line`.
 */
const char *consent_option_line(const struct disk *d, char *line, size_t line_bytes);

/*
 * Opens a disk with consent for writing: O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC, checks that it is
 * still the same disk (device number, size, serial and WWN), still neither mounted nor held, not
 * read-only by itself, and still blank where that was the ground; then lifts the guard that the
 * appliance put on it. Waits up to 5 s for a descriptor that another process of this run still
 * holds. Returns the descriptor or -errno with the reason in `why`.
 */
int consent_open(const struct disk *d, char *why, size_t why_bytes);

/* A part of a disk that this run wrote; bytes 0: nothing. */
struct consent_area {
	uint64_t offset_bytes, bytes;
};

/*
 * After the last test on a disk with consent: discards the areas this run wrote, where the device
 * can (CONSENT_DESTROY alone: what was written back is data), and puts the guard back. `fd` is
 * consent_open's and is closed. Returns 0 or -errno (-EOPNOTSUPP: it cannot discard).
 */
int consent_close(const struct disk *d, int fd, const struct consent_area *area, size_t area_n);

#define CONSENT_COUNTDOWN_S 10

/*
 * How many seconds a person has to stop this run before the first byte is written: 0 where no disk
 * from index `first` on has CONSENT_DESTROY, else CONSENT_COUNTDOWN_S.
 */
unsigned consent_countdown_s(const struct disk_list *disks, size_t first);

/*
 * One line for people on what this run does to the disk's contents, e.g. "DESTROYED: serial S1:
 * named by option destroy" or "read only; to allow writing: bench.write=destroy bench.destroy=S1".
 * Returns `text`.
 */
const char *consent_say(const struct disk *d, char *text, size_t text_bytes);

/*
 * What option write asked for and what came of it, over all disks, e.g. "destroy was asked: 1 disk
 * is overwritten, 2 are not (each says why)". Returns `text`.
 */
const char *consent_summary(const struct disk_list *disks, const struct options *o, char *text,
			    size_t text_bytes);

#endif
