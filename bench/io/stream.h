/* SPDX-License-Identifier: MIT */
/*
 * Plain read() or write() of one block after the other, as the tools do that people know: hdparm,
 * dd, bench.sh. No latencies: bytes, and the time they took.
 *
 * These calls block for as long as a device likes, so they are made in a thread of their own, and
 * the caller's watches it. A thread whose device stopped answering is left behind with all it uses.
 */
#ifndef BENCH_IO_STREAM_H
#define BENCH_IO_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/io/job.h"

enum stream_data {
	STREAM_ZEROS,	/* each block is read from /dev/zero, within the time, as dd does */
	STREAM_RANDOM,	/* incompressible, and no block equals another */
};

/* What ends a stream of writes, within its time. */
enum stream_close {
	STREAM_LEAVE,		/* nothing: what is dirty stays so */
	STREAM_FDATASYNC,	/* conv=fdatasync */
	/*
	 * `sync` of what was written alone: of the device, or of the file system. sync(2) itself
	 * would also wait for what other disks are sent at the time.
	 */
	STREAM_SYNC,
};

struct stream {
	/*
	 * Goes through the page cache unless it was opened O_DIRECT. Its position is moved; it is
	 * not closed here, and must stay open after IO_END_STALLED.
	 */
	int fd;
	bool write;
	uint32_t block_bytes;
	uint64_t offset_bytes;	/* of the first block */
	uint64_t bytes;		/* whole blocks: ends after so many; 0: ends by runtime_ns alone */
	/*
	 * Reads end with the block in which this is over; 0: by `bytes` alone. For writes see
	 * budget_ns.
	 */
	uint64_t runtime_ns;
	/*
	 * The first block again and again, from the page cache; what as many seeks and looks at the
	 * clock cost is taken off the time (hdparm -T).
	 */
	bool again;
	bool touch;		/* changes one byte of every 512 that were read (hdparm) */
	bool null_sink;		/* each block that was read is written to /dev/null (dd) */
	bool own_file;		/* made for this: it is emptied behind the probes, see stream_run */
	enum stream_data data;	/* of writes */
	enum stream_close close;
	/*
	 * A stream stops early so that it is over by then, what is dirty flushed included: see
	 * stream_run. 0: no limit.
	 */
	uint64_t budget_ns;
	/* neither a call returned nor the disk (disk_stat) completed anything for so long */
	uint64_t stall_ns;
	char disk_stat[96];	/* /sys/block/NAME/stat of the disk underneath; "": not known */
	uint64_t seed;		/* of random data */
	/* Called about once per second by the watching thread, so never in the timed path. */
	void (*progress)(void *context, uint64_t elapsed_ns, uint64_t bytes);
	void *context;
};

/*
 * Runs the stream to its end and fills `out`:
 * end IO_END_BYTES (all of `bytes`), IO_END_TIME (runtime_ns, or stopped by budget_ns: fewer bytes
 * than asked, all of them flushed), IO_END_VANISHED, IO_END_SHRUNK, IO_END_ERRORS (the first failed
 * call ends a stream, as it ends the tools), IO_END_STALLED, IO_END_SETUP; measured_ns, ios
 * (blocks), bytes, the errors, and zeros among the blocks looked at. out->note says what could not
 * be as asked.
 *
 * A write that must end within a budget begins with small probes (1 and 16 MiB, and 256 MiB where
 * that is little beside the whole; each flushed, not part of the result) at the same place. How
 * much may be dirty follows from their rate; a disk that is slow for its time is flushed on the
 * way, and then its own rate decides.
 *
 * Returns 0 where it ran (whatever it met), -errno where it could not be set up (end = SETUP), or
 * -EINPROGRESS where its thread was left behind in a call that does not return, with `fd` in use
 * for ever: IO_END_STALLED where nothing moved any more; IO_END_TIME where the disk still works on
 * it at budget_ns + stall_ns, with the `bytes` that had been completed by then.
 */
int stream_run(const struct stream *s, struct io_outcome *out);

/*
 * Writes what is dirty of the device or file and lets go of what the page cache holds of it. Needs
 * no right to write; without the right to flush a device (not root) clean pages go all the same.
 * Returns 0 or -errno of the flush.
 */
int stream_drop_cache(int fd);

#endif
