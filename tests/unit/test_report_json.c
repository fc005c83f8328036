/* SPDX-License-Identifier: MIT */
/*
 * Reading reports from anywhere: what is wrong is refused with place and reason, what is unknown is
 * ignored, and no input whatever does harm.
 */
#include <errno.h>
#include <math.h>

#include "tests/unit/report_fixtures.h"
#include "tests/unit/tap.h"

#define ID "\"id\": \"01234567-89ab-4cde-8f01-000000000000\", \"state\": \"complete\""
#define RUN "\"schema\": \"bootmark/1\", \"run\": {" ID "}"
#define RESULT "\"test\": \"t\", \"status\": \"ok\""
#define IO(members) "{" RUN \
	", \"results\": [{" RESULT ", \"io\": {\"end\": \"time\", " members "}}]}"

static char why[300];

static int read_text(struct report *r, const char *text)
{
	return report_json_read(r, text, strlen(text), why, sizeof(why));
}

/* Input that is refused, and what the message must say. */
static const struct {
	const char *text, *says;
} refused[] = {
	{ "", "byte 0" },
	{ " ", "byte" },
	{ "{", "byte 1 of 1" },
	{ "[]", "an object expected, found array" },
	{ "\"bootmark/1\"", "an object expected" },
	{ "{}", "\"schema\" is missing" },
	{ "{\"schema\": 1}", "\"schema\" is missing" },
	{ "{\"schema\": \"bootmark/2\", \"run\": {" ID "}}", "reads \"bootmark/1\"" },
	{ "{\"schema\": \"bootmark/1\"}", "\"run\" is missing" },
	{ "{" RUN "} x", "byte" },
	{ "{" RUN ",}", "byte" },
	{ "{" RUN ", \"tool\": NaN}", "byte" },
	{ "{" RUN ", \"tool\": {\"null_engine_iops\": 1e400}}", "byte" },
	{ "{" RUN ", \"tool\": {\"version\": \"\xff\"}}", "byte" },
	{ "{" RUN ", \"tool\": null}", "tool: an object expected, found null" },
	{ "{" RUN ", \"tool\": {\"null_engine_iops\": \"1\"}}", "tool.null_engine_iops: a number" },
	{ "{" RUN ", \"tool\": {\"version\": 5}}", "tool.version: a text expected" },
	{ "{" RUN ", \"run\": {" ID "}}", "\"run\" stands there twice" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID ", \"state\": \"partial\"}}",
	  "run: \"state\" stands" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {\"state\": \"complete\"}}",
	  "run: \"id\" is missing" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {\"id\": \"x\", \"state\": \"complete\"}}",
	  "run.id: is not" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {\"id\": \"\", \"state\": \"complete\"}}",
	  "run.id: is empty" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID ", \"clock_trusted\": 1}}",
	  "run.clock_trusted: true or" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID ", \"elapsed_ns\": -1}}",
	  "run.elapsed_ns: out of" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID ", \"elapsed_ns\": 1.5}}",
	  "run.elapsed_ns: a whole" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID ", \"elapsed_ns\": 18446744073709551616}}",
	  "run.elapsed_ns: a whole" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID ", \"started_s\": 9223372036854775808}}",
	  "run.started_s: out of range" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID
	  ", \"elapsed_ns\": 1, \"elapsed_ns_str\": \"x\"}}",
	  "run.elapsed_ns: _str" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID
	  ", \"elapsed_ns\": 1, \"elapsed_ns_str\": \"\"}}",
	  "run.elapsed_ns: _str" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID
	  ", \"elapsed_ns\": 1, \"elapsed_ns_str\": \"-5\"}}",
	  "run.elapsed_ns: out of" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID
	  ", \"elapsed_ns\": 1, \"elapsed_ns_str\": \"18446744073709551616\"}}",
	  "run.elapsed_ns: _str" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {" ID
	  ", \"elapsed_ns\": 1, \"elapsed_ns_str\": \"5 \"}}",
	  "run.elapsed_ns: _str" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {\"id\": 5, \"state\": \"complete\"}}",
	  "run.id: a text" },
	{ "{\"schema\": \"bootmark/1\", \"run\": {\"id\": "
	  "\"01234567-89ab-4cde-8f01-000000000000\", "
	  "\"state\": \"done\"}}",
	  "run.state: a word" },
	{ "{" RUN ", \"results\": {}}", "results: an array expected" },
	{ "{" RUN ", \"results\": [5]}", "results[0]: an object expected" },
	{ "{" RUN ", \"results\": [{" RESULT "}, {\"test\": \"t\"}]}",
	  "results[1]: \"status\" is missing" },
	{ "{" RUN ", \"results\": [{" RESULT
	  ", \"metrics\": [{\"name\": \"m\", \"unit\": \"furlong\", "
	  "\"value\": 1}]}]}",
	  "results[0].metrics[0].unit: a word" },
	{ "{" RUN ", \"results\": [{" RESULT ", \"metrics\": [{\"name\": \"m\", \"unit\": \"ns\", "
	  "\"value\": true}]}]}", "results[0].metrics[0].value: a number" },
	{ "{" RUN ", \"results\": [{" RESULT ", \"parameters\": {\"depth\": 4294967296}}]}",
	  "results[0].parameters.depth: out of range" },
	{ IO("\"errors\": [{},{},{},{},{},{},{},{},{}]"), "results[0].io.errors: 9 elements" },
	{ IO("\"errors\": [{\"errno\": 2147483648, \"count\": 1}]"),
	  "io.errors[0].errno: out of range" },
	{ IO("\"latency\": {\"buckets\": [[128, 1], [128, 1]]}"), "128 is no bound" },
	{ IO("\"latency\": {\"buckets\": [[131, 1]]}"), "131 is no bound" },
	{ IO("\"latency\": {\"buckets\": [[128]]}"), "pairs of bound and count" },
	{ IO("\"latency\": {\"buckets\": [5]}"), "pairs of bound and count" },
	{ IO("\"latency\": {\"buckets\": [[128, -1]]}"), "pairs of bound and count" },
	{ IO("\"latency\": {\"buckets\": [[18446744073709551615, 1]]}"), "is no bound" },
	{ IO("\"series\": {\"bytes\": [1, \"2\"]}"), "io.series.bytes[1]: a whole number" },
	{ "{" RUN ", \"disks\": [{\"name\": \"sda\", \"skip\": \"bored\"}]}",
	  "disks[0].skip: a word" },
	{ "{" RUN ", \"disks\": [{\"name\": \"sda\", \"numa_node\": -2147483649}]}",
	  "disks[0].numa_node: out" },
	{ "{" RUN ", \"disks\": [{\"name\": \" \\u0000 \"}]}", "disks[0].name: is empty" },
	{ "{" RUN ", \"kernel_log\": \"text\"}", "kernel_log: an array" },
	{ "{" RUN ", \"kernel_log\": [1]}", "kernel_log: a text" },
};

static void test_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct report r;
		int err = read_text(&r, refused[i].text);

		if (!ok(err == -EINVAL && strstr(why, refused[i].says), "refused: %.120s",
			refused[i].text))
			tap_diag("%d: %s, want %s", err, why, refused[i].says);
		ok(r.result_n == 0 && r.disks.n == 0 && !r.kernel_log, "and nothing is left of it");
		if (!err)
			report_free(&r);
	}
}

/* Every beginning of a report is refused with the place where it ends. */
static void test_cut(void)
{
	struct report r, part;
	size_t len, bad = 0;
	char *json;

	fixture_partial(&r);
	json = report_json_write(&r, &len);
	for (size_t cut = 0; cut + 2 < len; cut++) {
		/* a block of its own, so that a read past the end is seen */
		char *copy = malloc(cut + !cut);

		memcpy(copy, json, cut);
		if (report_json_read(&part, copy, cut, why, sizeof(why)) != -EINVAL ||
		    !strstr(why, "byte"))
			bad++;
		free(copy);
	}
	is_uint(bad, 0, "each of %zu cuts is refused", len - 2);
	is_int(report_json_read(&part, json, (64u << 20) + 1, why, sizeof(why)), -EINVAL,
	       "what is said to be larger than any report is not even looked at");
	free(json);
	report_free(&r);
}

static void test_accepted(void)
{
	struct report r;

	is_int(read_text(&r, "{\"later\": [{\"x\": 1}], " RUN
			     ", \"run2\": 1, \"tool\": {\"colour\": {}}}"),
	       0, "unknown keys are ignored");
	is_int(r.run.state, RUN_COMPLETE, "known ones are taken");
	is_int(r.disks.n, 0, "a list that is missing is empty");
	report_free(&r);
	is_int(read_text(&r, "{" RUN ", \"disks\": [{\"name\": \"sda\"}]}"), 0,
	       "a disk with a name alone");
	is_int(r.disks.disk[0].numa_node, -1, "its node is not known, which is not node 0");
	is_int(r.disks.disk[0].rotational, DISK_ROTATIONAL_UNKNOWN, "nor whether it rotates");
	is_int(r.disks.disk[0].skip, DISK_TAKEN, "it is taken");
	report_free(&r);
	is_int(read_text(&r, "{\"schema\": \"bootmark/1\", \"run\": {" ID ", \"started_s\": -5, "
			     "\"elapsed_ns\": 1.8446744073709552e19, \"elapsed_ns_str\": "
			     "\"18446744073709551615\"}}"),
	       0, "a number that a reader with doubles has rounded");
	is_uint(r.run.elapsed_ns, UINT64_MAX, "the text beside it is exact");
	is_int(r.run.started_s, -5, "before 1970");
	report_free(&r);
	is_int(read_text(&r, "{" RUN ", \"tool\": {\"null_engine_iops\": 5}}"), 0,
	       "a double as a whole number");
	ok(r.tool.has_engine_iops && r.tool.engine_iops == 5, "is taken, and its flag set");
	report_free(&r);
	is_int(read_text(&r,
			 "{" RUN
			 ", \"tool\": {\"version\": \"  a\\u0000b\\n\\u001b[2J \\ud83d\\ude00 \"}, "
			 "\"kernel_log\": [\"a\\nb\", \"\", \"c\"]}"),
	       0, "controls in texts");
	is_str(r.tool.version, "a b \xef\xbf\xbd[2J \xf0\x9f\x98\x80", "are cleaned");
	is_str(r.kernel_log, "a b\n\nc\n", "in lines too");
	report_free(&r);
	is_int(read_text(&r, IO("\"latency\": {\"count\": 3, \"buckets\": [[1, 1], [128, 2]]}")), 0,
	       "buckets");
	is_uint(r.result[0].io.lat.bucket[0], 1, "the first");
	is_uint(r.result[0].io.lat.bucket[127], 2, "one further on");
	is_uint(r.result[0].io.lat.min_ns, UINT64_MAX, "a minimum that is not there is not 0");
	report_free(&r);
}

static void test_long_text(void)
{
	char text[2000], name[1000];
	struct report r;

	for (size_t i = 0; i < sizeof(name) - 1; i += 3)
		memcpy(name + i, "\xe7\xa3\x81", 3);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), "{" RUN ", \"disks\": [{\"name\": \"%s\"}]}", name);
	is_int(read_text(&r, text), 0, "a name longer than its room");
	is_uint(strlen(r.disks.disk[0].name), 63, "is cut at a whole character");
	report_free(&r);
}

/* Numbers that are none must not reach the text. */
static void test_not_finite(void)
{
	static const uint64_t speeds[] = { 480, 512, 8900, 91000 };
	struct report r, back;
	size_t len;
	char *json;

	fixture_begin(&r, "00000000-0000-4000-8000-000000000006");
	fixture_disk(&r, "sda", "M", "S", "sata", 1u << 30);
	fixture_ran_all(&r, "sda", speeds);
	r.tool.has_engine_iops = true;
	r.tool.engine_iops = INFINITY;
	r.result[0].metric[0].value = NAN;
	r.result[0].metric[1].sample[1] = -INFINITY;
	r.result[0].metric[1].median = NAN;
	r.result[0].io.lat.sum_ns = NAN;
	json = report_json_write(&r, &len);
	is_int(report_json_read(&back, json, len, why, sizeof(why)), 0,
	       "it is JSON, which has no NaN: %s", why);
	ok(!back.tool.has_engine_iops, "a number that is not finite is absent");
	is_uint(back.result[0].metric_n, r.result[0].metric_n - 1u,
		"a metric without a value is absent");
	is_uint(back.result[0].metric[0].sample_n, 44, "a sample that is none is left out");
	free(json);
	report_free(&back);
	report_free(&r);
}

/* A struct that came out of a process gone wild is written as well as it can be. */
static void test_wild_struct(void)
{
	struct report r, back;
	struct result *t;
	size_t len;
	char *json;

	fixture_partial(&r);
	t = &r.result[0];
	memset(t->reason, 0xFE, sizeof(t->reason));
	memset(t->engine, 'x', sizeof(t->engine));
	memset(&t->has_io, 0x7F, sizeof(t->has_io));
	t->metric_n = t->io.error_n = t->io.series_n = UINT32_MAX;
	t->metric[3].unit = 77;
	t->io.end = 99;
	r.machine.nic_n = r.machine.cpu.mitigation_n = UINT32_MAX;
	r.disks.disk[0].path_n = UINT32_MAX;
	r.result[1].status = 50;
	json = report_json_write(&r, &len);
	is_int(report_json_read(&back, json, len, why, sizeof(why)), -EINVAL,
	       "an end without a name cannot be read: %s", why);
	free(json);
	t->io.end = IO_END_TIME;
	json = report_json_write(&r, &len);
	is_int(report_json_read(&back, json, len, why, sizeof(why)), 0, "the rest can: %s", why);
	ok(!strstr(json, "xread"), "a text without an end does not run into the next");
	is_uint(back.result_n, 2, "a result without a status is left out");
	is_str(back.result[0].engine, "xxxxxxxxxxxxxxx", "it has what its room holds");
	is_uint(back.machine.nic_n, UINT32_MAX, "a count above its array is kept as a count");
	free(json);
	report_free(&back);
	report_free(&r);
}

/* xorshift64 (Marsaglia 2003): the same mutations every time. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Changes `text` in one of several ways; returns its new length (at most len + 64). */
static size_t mutate(char *text, size_t len, uint64_t *seed)
{
	static const char *const pieces[] = {
		"null",
		"-1",
		"1e308",
		"-0.0",
		"18446744073709551615",
		"9007199254740993",
		"\"\"",
		"{}",
		"[]",
		"[[[[",
		"\"\\u0000\"",
		"\"\\ud800\"",
		"true",
		"99999999999999999999",
		"\"name\":",
		",",
		"\\",
		"\xff",
		"\xe7\xa3",
		"1e-400",
		"4294967295",
	};
	size_t at = next(seed) % len, n = 1 + next(seed) % 20, from = next(seed) % len;
	const char *piece = pieces[next(seed) % (sizeof(pieces) / sizeof(pieces[0]))];

	n = at + n > len ? len - at : n;
	switch (next(seed) % 5) {
	case 0:
		text[at] ^= (char)(1 << next(seed) % 8);
		return len;
	case 1:
		memmove(text + at, text + at + n, len - at - n);
		return len - n;
	case 2:
		memcpy(text + at, piece, strlen(piece) < len - at ? strlen(piece) : len - at);
		return len;
	case 3:
		memmove(text + at + strlen(piece), text + at, len - at);
		memcpy(text + at, piece, strlen(piece));
		return len + strlen(piece);
	default:
		n = from + n > len ? len - from : n;
		n = at + n > len ? len - at : n;
		memmove(text + at, text + from, n);
		return len;
	}
}

/*
 * What is read must be writable in both forms and readable again. A value changed where it stands
 * (a number for a number) often leaves a valid report, so both paths are taken; the test says how
 * often.
 */
static void test_mutations(void)
{
	uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);
	size_t len, read = 0, bad = 0;
	struct report r;
	char *json;

	fixture_partial(&r);
	json = report_json_write(&r, &len);
	report_free(&r);
	for (int i = 0; i < 4000; i++) {
		char *copy = malloc(len + 200);
		size_t n = len, out;
		char *again, *text;
		struct report back;

		memcpy(copy, json, len);
		for (uint64_t k = next(&seed) % 3 + 1; k > 0; k--)
			n = mutate(copy, n, &seed);
		if (!report_json_read(&r, copy, n, why, sizeof(why))) {
			read++;
			report_find(&r);
			text = report_text_write(&r, &out);
			bad += !text;
			free(text);
			again = report_json_write(&r, &out);
			if (!again || report_json_read(&back, again, out, why, sizeof(why))) {
				bad++;
				tap_diag("%s", why);
			} else {
				report_free(&back);
			}
			free(again);
			report_free(&r);
		} else if (!*why) {
			bad++;
		}
		free(copy);
	}
	is_uint(bad, 0, "4000 mutations do no harm");
	ok(read > 200 && read < 3800, "%zu of them were reports", read);
	free(json);
}

int main(void)
{
	test_refused();
	test_cut();
	test_accepted();
	test_long_text();
	test_not_finite();
	test_wild_struct();
	test_mutations();
	return tap_done();
}
