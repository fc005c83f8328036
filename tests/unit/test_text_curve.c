/* SPDX-License-Identifier: MIT */
/* Curves in the text report. */
#include "bench/report/text_curve.h"

#include <stdlib.h>

#include "tests/unit/tap.h"

static struct result r;

static void shows(const char *want, const char *what)
{
	struct page p = { 0 };
	size_t len;
	char *text;

	text_put_curve(&p, 2, &r);
	text = page_take(&p, &len);
	is_str(text ? text : "", want, "%s", what);
	free(text);
}

int main(void)
{
	struct series *s;

	result_init(&r, "t", "sda");
	shows("", "a result without curves");
	s = result_series(&r, "transfer", UNIT_BYTES, UNIT_BYTES_PER_S);
	r.area_offset_bytes = 1000;
	r.area_bytes = 800;
	for (int i = 0; i < 8; i++)
		series_add(s, 1000 + 100 * i, (8 - i) * 25e6);
	shows("  |##*+=-:,|\n  over the disk: 25.0 MB/s to 200 MB/s\n", "a falling curve");
	s->point_n = 0;
	for (int i = 0; i < 100; i++)
		if (i < 30 || i >= 40)
			series_add(s, 1000 + 8 * i, 100e6);
	shows("  |##################??????####################################|\n"
	      "  over the disk: 100 MB/s to 100 MB/s\n", "a gap is seen");
	s->point_n = 0;
	for (int i = 0; i < 100; i++)
		series_add(s, 1000 + 8 * i, i < 50 ? 100e6 : 1e6);
	shows("  |##############################..............................|\n"
	      "  over the disk: 1.00 MB/s to 100 MB/s\n", "many points are put together");
	series_add(s, 1e18, 0);
	series_add(s, 0, 0);
	shows("  |+#############################..............................|\n"
	      "  over the disk: 0 B/s to 100 MB/s\n", "what lies outside stays inside");
	s->point_n = 3;
	shows("", "three points make no picture");
	result_init(&r, "t", "sda");
	s = result_series(&r, "sweep-iops", UNIT_COUNT, UNIT_IOPS);
	series_add(s, 1, 9542.1);
	series_add(s, 2, 1234567);
	shows("  IOPS at QD 1: 9,542, 2: 1.23 M\n", "a sweep");
	return tap_done();
}
