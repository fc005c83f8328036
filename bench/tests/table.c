/* SPDX-License-Identifier: MIT */
/* The tests, in the order they run on each disk. The order is part of the experiment. */
#include <errno.h>
#include <string.h>

#include "bench/tests/benchsh.h"
#include "bench/tests/block_read.h"
#include "bench/tests/block_write.h"
#include "bench/tests/commit.h"
#include "bench/tests/cpu.h"
#include "bench/tests/dd.h"
#include "bench/tests/deep_curve.h"
#include "bench/tests/fio_jobs.h"
#include "bench/tests/gnome.h"
#include "bench/tests/hdparm.h"
#include "bench/tests/lvm.h"
#include "bench/tests/mem_latency.h"
#include "bench/tests/mem_node.h"
#include "bench/tests/mem_pattern.h"
#include "bench/tests/mem_stream.h"
#include "bench/tests/net.h"
#include "bench/tests/steady_state.h"
#include "bench/tests/sustained.h"
#include "bench/tests/sweep.h"
#include "bench/tests/test.h"
#include "bench/tests/together.h"
#include "bench/tests/yabs.h"

const char *const test_phase_words[PHASES] = {
	[PHASE_ALONE] = "alone",
	[PHASE_TOGETHER] = "together",
	[PHASE_MACHINE] = "machine",
	[PHASE_NETWORK] = "network",
};

bool test_phase_on_disks(enum test_phase phase)
{
	return phase == PHASE_ALONE || phase == PHASE_TOGETHER;
}

const struct test *const test_table[] = {
	&test_lvm_compare,	/* first: a disk that is held for writing takes no volume */
	&test_fill_area,
	&test_seq_read_qd1,
	&test_seq_read_qd64,
	&test_rand_read_qd1,
	&test_rand_read_qd64,
	&test_rand_read_qd64_4jobs,
	&test_rand_read_qd1_uring,
	&test_rand_read_qd64_uring,
	&test_seq_read_qd32,
	&test_rand_read_qd32,
	&test_fio_read_throughput,
	&test_fio_read_iops,
	&test_gnome_curve,
	&test_gnome_access,
	&test_deep_curve,
	&test_sweep_read,
	&test_hdparm_cached,
	&test_hdparm_buffered,
	&test_hdparm_direct,
	&test_dd_read,
	&test_gnome_write,
	&test_commit_latency,
	&test_seq_write_qd64,
	&test_rand_write_qd1,
	&test_rand_write_qd64,
	&test_fio_write_throughput,
	&test_fio_write_iops,
	&test_yabs_4k,
	&test_yabs_64k,
	&test_yabs_512k,
	&test_yabs_1m,
	&test_dd_write_1g,
	&test_benchsh_write,
	&test_dd_write_1g_random,
	&test_dd_write_2g,
	&test_dd_write_8k_sync,
	&test_dd_write_16g,
	&test_commit_latency_file,
	&test_sustained_write,
	&test_steady_state,
	&test_seq_read_together,
	&test_rand_read_together,
	&test_cpu_prime,
	&test_cpu_prime_20000,
	&test_cpu_int,
	&test_cpu_float,
	&test_cpu_aes_gcm,
	&test_cpu_sha256,
	&test_cpu_zstd,
	&test_cpu_lz4,
	&test_cpu_hash,
	&test_cpu_burst,	/* last: the others need processors that are not yet hot */
	&test_mem_stream,
	&test_mem_node,
	&test_mem_latency,
	&test_mem_copy,
	&test_mem_pattern,
	&test_net_collector,
	&test_net_node,
	&test_net_link,
};
const size_t test_table_n = sizeof(test_table) / sizeof(test_table[0]);

enum result_status test_fits_anywhere(const struct test *test, const struct disk *disk, char *why,
				      size_t why_bytes)
{
	(void)test;
	(void)disk;
	if (why_bytes)
		why[0] = '\0';
	return RESULT_OK;
}

const struct test *test_find(const char *name)
{
	for (size_t i = 0; i < test_table_n; i++)
		if (!strcmp(test_table[i]->name, name))
			return test_table[i];
	return NULL;
}

int test_selfcheck(void)
{
	for (size_t i = 0; i < test_table_n; i++) {
		const struct test *t = test_table[i];

		if (!t || !t->name || !t->name[0] || !t->family || !t->title || !t->help ||
		    !t->fits || !t->run || strlen(t->title) > TEST_TITLE_MAX)
			return -EINVAL;
		if (test_find(t->name) != t)
			return -EINVAL;
		/* without a disk there is nothing to write to, and nobody to ask */
		if (!test_phase_on_disks(t->phase) && (t->access != TEST_READS || t->needs_others))
			return -EINVAL;
		if (test_phase_on_disks(t->phase) && t->targets)
			return -EINVAL;
	}
	return 0;
}
