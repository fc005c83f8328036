/* SPDX-License-Identifier: MIT */
/*
 * YABS's mixes: half random reads, half random writes over one file of 2 GiB that two jobs share,
 * 64 in flight for each (fio --rw=randrw --rwmixread=50 --iodepth=64 --numjobs=2 --size=2G).
 *
 * YABS stops where its 2 GiB are done, after two seconds on a fast disk, which has then shown its
 * cache; these always run their whole time.
 */
#include "bench/tests/yabs.h"

#include "bench/tests/fio_run.h"

#define YABS_SIZE_BYTES (UINT64_C(2) << 30)
#define KIB UINT32_C(1024)

#define PARAM(block) \
	(&(const struct fio_param){ IO_MIX, IO_RANDOM_ONCE, block, 64, 2, YABS_SIZE_BYTES, true, \
				    0 })
/* not in quick; 30 s in full, as YABS does at most */
#define TIMES { { 0, 0 }, { 2000, 8000 }, { 10000, 30000 } }

const struct test test_yabs_4k = {
	.name = "yabs-4k", .family = "yabs", .title = "YABS mix 50/50, 4 KiB, 2 x 64",
	.help = "YABS's mix: two jobs read and write blocks of 4 KiB at random, half and half, "
		"with 64 in flight each.",
	.access = TEST_WRITES, .rank = 40, .time = TIMES, .param = PARAM(4 * KIB),
	.fits = fio_run_fits, .run = fio_run,
};

const struct test test_yabs_64k = {
	.name = "yabs-64k", .family = "yabs", .title = "YABS mix 50/50, 64 KiB, 2 x 64",
	.help = "YABS's mix: two jobs read and write blocks of 64 KiB at random, half and half, "
		"with 64 in flight each.",
	.access = TEST_WRITES, .rank = 40, .time = TIMES, .param = PARAM(64 * KIB),
	.fits = fio_run_fits, .run = fio_run,
};

const struct test test_yabs_512k = {
	.name = "yabs-512k", .family = "yabs", .title = "YABS mix 50/50, 512 KiB, 2 x 64",
	.help = "YABS's mix: two jobs read and write blocks of 512 KiB at random, half and half, "
		"with 64 in flight each.",
	.access = TEST_WRITES, .rank = 40, .time = TIMES, .param = PARAM(512 * KIB),
	.fits = fio_run_fits, .run = fio_run,
};

const struct test test_yabs_1m = {
	.name = "yabs-1m", .family = "yabs", .title = "YABS mix 50/50, 1 MiB, 2 x 64",
	.help = "YABS's mix: two jobs read and write blocks of 1 MiB at random, half and half, "
		"with 64 in flight each.",
	.access = TEST_WRITES, .rank = 40, .time = TIMES, .param = PARAM(1024 * KIB),
	.fits = fio_run_fits, .run = fio_run,
};
