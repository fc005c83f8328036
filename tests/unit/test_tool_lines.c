/* SPDX-License-Identifier: MIT */
/* Lines of hdparm and dd: what these printed for the same bytes and times, and where units part. */
#include "tests/unit/tap.h"

#include <math.h>

#include "bench/report/tool_lines.h"

#define MIB (UINT64_C(1) << 20)
#define MS UINT64_C(1000000)
#define S (1000 * MS)

static char line[TOOL_LINE_BYTES];

/* The time follows from the rate it printed better than from its seconds. */
static void hdparm_said(uint64_t mib, double rate, double unit_per_mib, const char *said)
{
	uint64_t ns = (uint64_t)llround((double)mib * unit_per_mib / rate * 1e9);

	is_str(tool_line_hdparm(line, sizeof(line), mib * MIB, ns), said, "hdparm's \"%s\"", said);
}

static void hdparm(void)
{
	/* printed by hdparm 9.65 on loop and throttled zram devices */
	hdparm_said(64, 293.83, 1, " 64 MB in  0.22 seconds = 293.83 MB/sec");
	hdparm_said(13052, 6547.74, 1, "13052 MB in  1.99 seconds = 6547.74 MB/sec");
	hdparm_said(2112, 1054.36, 1, "2112 MB in  2.00 seconds = 1054.36 MB/sec");
	hdparm_said(4, 1038.69, 1, "  4 MB in  0.00 seconds = 1038.69 MB/sec");
	hdparm_said(2, 488.46, 1024, "  2 MB in  4.19 seconds = 488.46 kB/sec");
	hdparm_said(4, 1.00, 1, "  4 MB in  4.00 seconds =   1.00 MB/sec");
	/* people's own */
	hdparm_said(1554, 517.37, 1, "1554 MB in  3.00 seconds = 517.37 MB/sec");
	hdparm_said(2698, 893.14, 1, "2698 MB in  3.02 seconds = 893.14 MB/sec");
	hdparm_said(32066, 16054.56, 1, "32066 MB in  2.00 seconds = 16054.56 MB/sec");
	is_str(tool_line_hdparm(line, sizeof(line), 1554 * MIB, 3 * S),
	       "1554 MB in  3.00 seconds = 518.00 MB/sec", "its MB are MiB: 543 would be decimal");
	is_str(tool_line_hdparm(line, sizeof(line), 6 * MIB, 6 * S + 1 * MS),
	       "  6 MB in  6.00 seconds = 1023.83 kB/sec", "just below 1 MB/sec it says kB/sec");
	is_str(tool_line_hdparm(line, sizeof(line), 2 * MIB, 123 * S),
	       "  2 MB in 123.00 seconds =  16.65 kB/sec", "long times take their room");
}

static void dd_said(uint64_t bytes, double s, const char *said)
{
	is_str(tool_line_dd(line, sizeof(line), bytes, (uint64_t)llround(s * 1e9)), said,
	       "dd's \"%s\"", said);
}

static void dd(void)
{
	/* people's own; dd before 8.25 left out the second size */
	dd_said(1073741824, 2.65959, "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.65959 s, "
		"404 MB/s");
	dd_said(2147483648, 1.50309, "2147483648 bytes (2.1 GB, 2.0 GiB) copied, 1.50309 s, "
		"1.4 GB/s");
	dd_said(17179869184, 8.46257, "17179869184 bytes (17 GB, 16 GiB) copied, 8.46257 s, "
		"2.0 GB/s");
	dd_said(2147483648, 0.229655, "2147483648 bytes (2.1 GB, 2.0 GiB) copied, 0.229655 s, "
		"9.4 GB/s");
	dd_said(2048000000, 47.5961, "2048000000 bytes (2.0 GB, 1.9 GiB) copied, 47.5961 s, "
		"43.0 MB/s");
	dd_said(2048000000, 11.8286, "2048000000 bytes (2.0 GB, 1.9 GiB) copied, 11.8286 s, "
		"173 MB/s");
	/* printed by dd 9.1 */
	dd_said(419430400, 2.3447, "419430400 bytes (419 MB, 400 MiB) copied, 2.3447 s, 179 MB/s");
	dd_said(1073741824, 11.1534, "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 11.1534 s, "
		"96.3 MB/s");
}

/* Where one rule ends and the next begins. */
static void dd_rate(void)
{
	const struct {
		uint64_t bytes, ns;
		const char *text;
	} rows[] = {
		{ 999500001, 1000000001, "1000 MB/s" },	/* rounded behind the choice of unit */
		{ 99949999, 1000000001, "99.9 MB/s" },
		{ 99960000, 1000000001, "100 MB/s" },
		{ 500, 1000000001, "0.5 kB/s" },
		{ 43000000, 1000000001, "43.0 MB/s" },
		{ 43000000, 1000000000, "43 MB/s" },	/* whole seconds, no decimal above 10 */
		{ 9950000, 1000000000, "10 MB/s" },	/* 9.95: a tie goes to the even tenth */
		{ 9850000, 1000000000, "9.8 MB/s" },
		{ 9949999, 1000000000, "9.9 MB/s" },
		{ 86000000, 2000000000, "43 MB/s" },
		{ 500, 1000000000, "500 B/s" },
		{ 999500, 1000000000, "1.0 MB/s" },	/* 999.5 kB rounds to the next unit */
		{ 0, 0, "Infinity B/s" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_str(tool_line_dd_rate(line, sizeof(line), rows[i].bytes, rows[i].ns),
		       rows[i].text, "a rate of %s", rows[i].text);
	is_str(tool_line_dd(line, sizeof(line), 1, 2 * S), "1 byte copied, 2 s, 0 B/s",
	       "half a byte is even");
	is_str(tool_line_dd(line, sizeof(line), 1000, 2 * S),
	       "1000 bytes (1.0 kB) copied, 2 s, 500 B/s",
	       "the binary size is left out where it is none");
	is_str(tool_line_dd(line, sizeof(line), 10240, 2 * S),
	       "10240 bytes (10 kB, 10 KiB) copied, 2 s, 5.1 kB/s", "binary KiB, decimal kB");
}

int main(void)
{
	hdparm();
	dd();
	dd_rate();
	return tap_done();
}
