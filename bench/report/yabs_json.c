/* SPDX-License-Identifier: MIT */
/*
 * The report in the JSON form of YABS (yet-another-bench-script), for pages that take it.
 *
 * Its units are kept: memory in KiB, speeds in fio's KB/s, which are units of 1024 bytes. What we
 * do not measure (Geekbench, iperf) is absent or empty.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <yyjson.h>

#include "bench/report/fio_json.h"
#include "bench/report/json.h"
#include "lib/text.h"

#define KIB 1024
#define FAMILY "yabs"

/* YYYYMMDD-HHMMSS in UTC; false where the time is not known. */
static bool time_text(int64_t s, char *text, size_t size)
{
	time_t when = (time_t)s;
	struct tm tm;

	return s > 0 && gmtime_r(&when, &tm) && strftime(text, size, "%Y%m%d-%H%M%S", &tm) > 0;
}

static void put_os(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct report *r)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, root, "os");
	char text[128];

	json_put_text(doc, o, "arch", strcmp(r->machine.arch, "x86_64") ? r->machine.arch : "x64");
	snprintf(text, sizeof(text), "bootmark %.64s", r->tool.version);
	json_put_text(doc, o, "distro", text);
	json_put_text(doc, o, "kernel", r->tool.kernel);
	yyjson_mut_obj_add_uint(doc, o, "uptime", r->machine.uptime_s);
	text_copy(text, sizeof(text), r->machine.virtualisation);
	for (char *c = text; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	json_put_text(doc, o, "vm", text);
}

static bool has_flag(const char *flags, const char *flag)
{
	size_t n = strlen(flag);

	for (const char *at = flags; (at = strstr(at, flag)); at += n)
		if ((at == flags || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

static void put_cpu(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct cpu_info *cpu)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, root, "cpu");
	uint64_t hz = cpu->max_hz ? cpu->max_hz : cpu->base_hz;
	char text[40];

	json_put_text(doc, o, "model", cpu->model);
	yyjson_mut_obj_add_uint(doc, o, "cores", cpu->threads);
	if (hz) {
		snprintf(text, sizeof(text), "%.3f MHz", (double)hz / 1e6);
		json_put_text(doc, o, "freq", text);
	}
	yyjson_mut_obj_add_bool(doc, o, "aes", has_flag(cpu->flags, "aes"));
	yyjson_mut_obj_add_bool(doc, o, "virt",
				has_flag(cpu->flags, "vmx") || has_flag(cpu->flags, "svm"));
}

static void put_memory(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct report *r)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, root, "mem");
	uint64_t disk = 0;

	for (size_t i = 0; i < r->disks.n; i++)
		if (r->disks.disk[i].skip == DISK_TAKEN)
			disk += r->disks.disk[i].size_bytes;
	yyjson_mut_obj_add_uint(doc, o, "ram", r->machine.memory_bytes / KIB);
	yyjson_mut_obj_add_str(doc, o, "ram_units", "KiB");
	yyjson_mut_obj_add_uint(doc, o, "swap", r->machine.memory.swap_bytes / KIB);
	yyjson_mut_obj_add_str(doc, o, "swap_units", "KiB");
	yyjson_mut_obj_add_uint(doc, o, "disk", disk / 1000);
	yyjson_mut_obj_add_str(doc, o, "disk_units", "KB");
}

static bool is_mix(const struct result *t)
{
	return !strcmp(t->family, FAMILY) && t->status == RESULT_OK && t->io.measured_ns;
}

/* The first disk with such results; NULL: none has. */
static const char *first_target(const struct report *r)
{
	for (size_t i = 0; i < r->result_n; i++)
		if (is_mix(&r->result[i]))
			return r->result[i].target;
	return NULL;
}

static void put_mix(yyjson_mut_doc *doc, yyjson_mut_val *all, const struct result *t)
{
	const struct io_side *read = &t->io.side[IO_SIDE_READ];
	const struct io_side *write = &t->io.side[IO_SIDE_WRITE];
	double s = (double)t->io.measured_ns / 1e9;
	yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, all);
	const char *size = strchr(t->test, '-');	/* yabs-64k */

	json_put_text(doc, o, "bs", size ? size + 1 : t->test);
	yyjson_mut_obj_add_uint(doc, o, "speed_r", (uint64_t)((double)read->bytes / s / KIB));
	yyjson_mut_obj_add_real(doc, o, "iops_r", (double)read->ios / s);
	yyjson_mut_obj_add_uint(doc, o, "speed_w", (uint64_t)((double)write->bytes / s / KIB));
	yyjson_mut_obj_add_real(doc, o, "iops_w", (double)write->ios / s);
	yyjson_mut_obj_add_uint(doc, o, "speed_rw", (uint64_t)((double)t->io.bytes / s / KIB));
	yyjson_mut_obj_add_real(doc, o, "iops_rw", (double)t->io.ios / s);
	yyjson_mut_obj_add_str(doc, o, "speed_units", "KBps");
}

static void put_mixes(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct report *r)
{
	const char *target = first_target(r);
	yyjson_mut_val *all;

	if (target) {
		const struct disk *d = report_disk(r, target);

		json_put_text(doc, root, "partition", d && *d->node ? d->node : target);
	}
	all = yyjson_mut_obj_add_arr(doc, root, "fio");
	for (size_t i = 0; target && i < r->result_n; i++)
		if (is_mix(&r->result[i]) && !strcmp(r->result[i].target, target))
			put_mix(doc, all, &r->result[i]);
}

static void put_runtime(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct run_info *run)
{
	yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, root, "runtime");
	int64_t elapsed_s = (int64_t)(run->elapsed_ns / 1000000000);

	if (run->started_s > 0) {
		yyjson_mut_obj_add_int(doc, o, "start", run->started_s);
		yyjson_mut_obj_add_int(doc, o, "end", run->started_s + elapsed_s);
	}
	yyjson_mut_obj_add_int(doc, o, "elapsed", elapsed_s);
}

char *yabs_json_write(const struct report *r, size_t *len_bytes)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	char text[80], *out;

	yyjson_mut_doc_set_root(doc, root);
	snprintf(text, sizeof(text), "bootmark-%.64s", r->tool.version);
	json_put_text(doc, root, "version", text);
	if (time_text(r->run.started_s, text, sizeof(text)))
		json_put_text(doc, root, "time", text);
	put_os(doc, root, r);
	put_cpu(doc, root, &r->machine.cpu);
	put_memory(doc, root, r);
	put_mixes(doc, root, r);
	yyjson_mut_obj_add_arr(doc, root, "iperf");
	put_runtime(doc, root, &r->run);
	out = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
			       len_bytes);
	yyjson_mut_doc_free(doc);
	return out;
}
