/* SPDX-License-Identifier: MIT */
/*
 * One test of the suite on one device, without plan, selection and consent: what a peer test drives
 * where the device is its own and has no serial number that a consent could name.
 *
 *	test_cli DEVICE TEST SECONDS [FOLDER]
 *
 * DEVICE is opened for writing, and what is on it may be lost. FOLDER is for tests that work on
 * files. Prints the report with this one result as JSON; exit status 1: the test is not "ok".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "bench/model/report.h"
#include "bench/sys/disk_stat.h"
#include "bench/tests/test.h"
#include "lib/clock.h"
#include "lib/file.h"

#define MEMORY_BYTES (UINT64_C(1) << 30)

static int describe(const char *node, int fd, struct disk *d)
{
	const char *name = strrchr(node, '/');
	int logical = 512;

	*d = (struct disk){ .numa_node = -1, .rotational = DISK_SOLID, .path_n = 1,
			    .physical_block_bytes = 4096 };
	snprintf(d->name, sizeof(d->name), "%s", name ? name + 1 : node);
	snprintf(d->node, sizeof(d->node), "%s", node);
	snprintf(d->path[0], sizeof(d->path[0]), "%s", d->name);
	if (ioctl(fd, BLKGETSIZE64, &d->size_bytes) || ioctl(fd, BLKSSZGET, &logical))
		return -errno;
	d->logical_block_bytes = (uint32_t)logical;
	return 0;
}

static void measure(const struct test_context *c, struct result *r)
{
	struct disk_stat_reading before, after;
	uint64_t start_ns;

	result_init(r, c->test->name, c->disk->name);
	snprintf(r->family, sizeof(r->family), "%s", c->test->family);
	r->budget_ns = c->budget_ns;
	disk_stat_take("", c->disk, &before);
	start_ns = clock_ns();
	c->test->run(c, r);
	r->elapsed_ns = clock_ns() - start_ns;
	disk_stat_take("", c->disk, &after);
	r->has_disk_stat = disk_stat_between(&before, &after, &r->disk_stat);
}

static int print(const struct disk *d, const struct result *r)
{
	struct report report;
	size_t len = 0;
	char *text;
	int err;

	report_init(&report);
	snprintf(report.run.id, sizeof(report.run.id), "00000000-0000-4000-8000-000000000000");
	report.run.state = RUN_COMPLETE;
	err = disk_list_add(&report.disks, d);
	if (!err)
		err = report_add_result(&report, r);
	text = err ? NULL : report_json_write(&report, &len);
	if (text)
		err = file_write_all(STDOUT_FILENO, text, len);
	free(text);
	report_free(&report);
	return text ? err : -ENOMEM;
}

int main(int argc, char **argv)
{
	static struct result r;
	struct test_context c = {
		.memory_bytes = MEMORY_BYTES, .stall_ns = 30 * NS_PER_S,
		.test = argc > 2 ? test_find(argv[2]) : NULL,
		.dir = argc > 4 ? argv[4] : NULL,
	};
	struct disk d;

	if (argc < 4 || !c.test || atof(argv[3]) <= 0) {
		fprintf(stderr, "usage: test_cli DEVICE TEST SECONDS [FOLDER]\n");
		return 2;
	}
	c.budget_ns = (uint64_t)(atof(argv[3]) * 1e9);
	c.fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
	c.write_fd = c.dir ? -1 : open(argv[1], O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC);
	if (c.fd < 0 || (!c.dir && c.write_fd < 0) || describe(argv[1], c.fd, &d)) {
		fprintf(stderr, "test_cli: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	c.disk = &d;
	c.area_bytes = d.size_bytes;
	measure(&c, &r);
	if (print(&d, &r))
		return 1;
	if (r.status != RESULT_OK)
		fprintf(stderr, "test_cli: %s: %s\n", result_status_words[r.status], r.reason);
	return r.status != RESULT_OK;
}
