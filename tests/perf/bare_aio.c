/* SPDX-License-Identifier: MIT */
/*
 * The fastest loop that libaio allows: batched submits and reaps, no latencies, no checks worth the
 * name. What our engine loses against it is the price of measuring.
 *
 *	bare_aio DEVICE SECONDS [DEPTH [BATCH]]
 *
 * Prints IOPS. A read that fails or is short ends it with status 1: it must not look fast.
 */
#include <fcntl.h>
#include <libaio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "lib/clock.h"

#define BLOCK_BYTES 4096
#define DEPTH_MAX 1024

static uint64_t state = 1;

static uint64_t random_block(uint64_t blocks)
{
	/* xorshift64*, multiply-shift to the range: cheap, and every block can be hit */
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint64_t)(((unsigned __int128)(state * UINT64_C(0x2545f4914f6cdd1d)) * blocks) >>
			  64);
}

static int submit(io_context_t context, int fd, struct iocb **list, long n, uint64_t blocks)
{
	for (long i = 0; i < n; i++)
		io_prep_pread(list[i], fd, list[i]->u.c.buf, BLOCK_BYTES,
			      (long long)(random_block(blocks) * BLOCK_BYTES));
	for (long done = 0; done < n; ) {
		int got = io_submit(context, n - done, list + done);

		if (got <= 0)
			return -1;
		done += got;
	}
	return 0;
}

/* Reads for `seconds`; returns the number of I/Os or -1. */
static int64_t run(int fd, uint64_t blocks, double seconds, long depth, long batch)
{
	static struct iocb iocb[DEPTH_MAX], *list[DEPTH_MAX];
	struct io_event event[DEPTH_MAX];
	char *buffers = aligned_alloc(BLOCK_BYTES, (size_t)depth * BLOCK_BYTES);
	io_context_t context = NULL;
	uint64_t end;
	int64_t ios = 0;

	if (!buffers || io_setup((int)depth, &context))
		return -1;
	memset(buffers, 1, (size_t)depth * BLOCK_BYTES);
	for (long i = 0; i < depth; i++) {
		iocb[i].u.c.buf = buffers + i * BLOCK_BYTES;
		list[i] = &iocb[i];
	}
	end = clock_ns() + (uint64_t)(seconds * 1e9);
	if (submit(context, fd, list, depth, blocks))
		return -1;
	while (clock_ns() < end) {
		int got = io_getevents(context, 1, batch, event, NULL);

		for (int i = 0; i < got; i++) {
			if (event[i].res != BLOCK_BYTES)
				return -1;
			list[i] = event[i].obj;
		}
		if (got < 0 || submit(context, fd, list, got, blocks))
			return -1;
		ios += got;
	}
	io_destroy(context);
	free(buffers);
	return ios;
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 0;
	long depth = argc > 3 ? atol(argv[3]) : 64, batch = argc > 4 ? atol(argv[4]) : 16;
	uint64_t size_bytes = 0;
	int64_t ios;
	int fd;

	if (seconds <= 0 || depth < 1 || depth > DEPTH_MAX || batch < 1 || batch > depth) {
		fprintf(stderr, "usage: bare_aio DEVICE SECONDS [DEPTH [BATCH]]\n");
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &size_bytes) || size_bytes < BLOCK_BYTES) {
		fprintf(stderr, "bare_aio: %s: not a readable block device\n", argv[1]);
		return 1;
	}
	ios = run(fd, size_bytes / BLOCK_BYTES, seconds, depth, batch);
	if (ios < 0) {
		fprintf(stderr, "bare_aio: %s: a read failed\n", argv[1]);
		return 1;
	}
	printf("%.0f\n", (double)ios / seconds);
	return 0;
}
