/* SPDX-License-Identifier: MIT */
/*
 * One test of processors or memory by itself, and its data: what `make perf` drives.
 *
 *	cpu_cli TEST SECONDS [MIB]	prints NAME VALUE for each metric, then marks behind #;
 *					with at most so much memory, else 2 GiB
 *	cpu_cli corpus FILE	writes what cpu-zstd and cpu-lz4 compress
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tests/cpu_kernel.h"
#include "bench/tests/test.h"
#include "lib/clock.h"

#define CORPUS_BYTES (4u << 20)
#define MEMORY_MIB "2048"

static int write_corpus(const char *path)
{
	unsigned char *data = malloc(CORPUS_BYTES);
	FILE *f = fopen(path, "w");
	bool good = data && f;

	if (good) {
		cpu_corpus_fill(data, CORPUS_BYTES);
		good = fwrite(data, CORPUS_BYTES, 1, f) == 1;
	}
	if (f && fclose(f))
		good = false;
	free(data);
	return good ? 0 : 1;
}

static int run(const struct test *t, double seconds, uint64_t memory_bytes)
{
	static struct result r;
	const struct test_context c = {
		.test = t, .fd = -1, .write_fd = -1, .memory_bytes = memory_bytes,
		.budget_ns = (uint64_t)(seconds * NS_PER_S), .stall_ns = 10 * NS_PER_S,
	};

	result_init(&r, t->name, "");
	t->run(&c, &r);
	printf("# %s: %s %s\n", r.test, result_status_words[r.status], r.reason);
	for (uint32_t i = 0; i < r.metric_n; i++) {
		const struct metric *m = &r.metric[i];

		printf("%s %.9g", m->name, m->value);
		if (m->sample_n)
			printf(" %s, %u samples, MAD %.2f %%", metric_unit_words[m->unit],
			       m->sample_n, m->mad / m->median * 100);
		putchar('\n');
	}
	for (uint32_t i = 0; i < r.series_n; i++)
		printf("# series %s: %u points\n", r.series[i].name, r.series[i].point_n);
	for (uint32_t i = 0; i < r.mark_n; i++)
		printf("# %s: %s\n", r.mark[i].word, r.mark[i].text);
	return r.status != RESULT_OK;
}

int main(int argc, char **argv)
{
	const struct test *t;
	uint64_t mib = strtoull(argc == 4 ? argv[3] : MEMORY_MIB, NULL, 10);

	if (argc == 3 && !strcmp(argv[1], "corpus"))
		return write_corpus(argv[2]);
	t = argc == 3 || argc == 4 ? test_find(argv[1]) : NULL;
	if (!t || t->phase != PHASE_MACHINE || atof(argv[2]) <= 0) {
		fprintf(stderr, "usage: cpu_cli TEST SECONDS [MIB] | cpu_cli corpus FILE\n");
		return 2;
	}
	return run(t, atof(argv[2]), mib << 20);
}
