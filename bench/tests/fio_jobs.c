/* SPDX-License-Identifier: MIT */
/*
 * The four fio jobs that people publish of their disks: --size=10G --time_based --ramp_time=2s
 * --ioengine=libaio --direct=1 --iodepth=64 with
 *
 *	read_throughput, write_throughput	numjobs=8 bs=1M rw=read, rw=write
 *	read_iops, write_iops			bs=4K rw=randread, rw=randwrite
 *
 * On a device eight sequential jobs that all begin at its start would read the same data, which is
 * then read once: ours get a region each, as fio's eight files have.
 */
#include "bench/tests/fio_jobs.h"

#include "bench/tests/fio_run.h"
#include "lib/clock.h"

#define GIB (UINT64_C(1) << 30)
#define FIO_SIZE_BYTES (10 * GIB)
#define FIO_RAMP_NS (2 * NS_PER_S)
#define BLOCK_LARGE (UINT32_C(1) << 20)
#define BLOCK_SMALL UINT32_C(4096)

/* min and max of quick, standard (a quarter of fio's minute) and full (all of it), with the ramp */
#define TIMES { { 2000, 5000 }, { 5000, 17000 }, { 10000, 62000 } }

const struct test test_fio_read_throughput = {
	.name = "fio-read-throughput", .family = "fio",
	.title = "fio read_throughput, 8 x QD 64",
	.help = "fio's job read_throughput: 8 jobs read 1 MiB blocks in order, each in a region of "
		"its own of 10 GiB, with 64 in flight each.",
	.access = TEST_READS, .rank = 30, .time = TIMES,
	.param = &(const struct fio_param){ IO_READ, IO_SEQUENTIAL, BLOCK_LARGE, 64, 8,
					    FIO_SIZE_BYTES, false, FIO_RAMP_NS },
	.fits = fio_run_fits, .run = fio_run,
};

const struct test test_fio_read_iops = {
	.name = "fio-read-iops", .family = "fio",
	.title = "fio read_iops, 4 KiB, QD 64",
	.help = "fio's job read_iops: reads 4 KiB blocks of the first 10 GiB, each once in a "
		"random order before any comes again, with 64 in flight.",
	.access = TEST_READS, .rank = 30, .time = TIMES,
	.param = &(const struct fio_param){ IO_READ, IO_RANDOM_ONCE, BLOCK_SMALL, 64, 1,
					    FIO_SIZE_BYTES, false, FIO_RAMP_NS },
	.fits = fio_run_fits, .run = fio_run,
};

const struct test test_fio_write_throughput = {
	.name = "fio-write-throughput", .family = "fio",
	.title = "fio write_throughput, 8 x QD 64",
	.help = "fio's job write_throughput: 8 jobs write 1 MiB blocks of incompressible data in "
		"order, each in a region of its own of 10 GiB, with 64 in flight each.",
	.access = TEST_WRITES, .rank = 30, .time = TIMES,
	.param = &(const struct fio_param){ IO_WRITE, IO_SEQUENTIAL, BLOCK_LARGE, 64, 8,
					    FIO_SIZE_BYTES, false, FIO_RAMP_NS },
	.fits = fio_run_fits, .run = fio_run,
};

const struct test test_fio_write_iops = {
	.name = "fio-write-iops", .family = "fio",
	.title = "fio write_iops, 4 KiB, QD 64",
	.help = "fio's job write_iops: writes 4 KiB blocks of incompressible data to the first "
		"10 GiB, each once in a random order before any comes again, with 64 in flight.",
	.access = TEST_WRITES, .rank = 30, .time = TIMES,
	.param = &(const struct fio_param){ IO_WRITE, IO_RANDOM_ONCE, BLOCK_SMALL, 64, 1,
					    FIO_SIZE_BYTES, false, FIO_RAMP_NS },
	.fits = fio_run_fits, .run = fio_run,
};
