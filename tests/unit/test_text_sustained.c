/* SPDX-License-Identifier: MIT */
/* The lines under a sustained write say what was measured, and nothing of what was not. */
#include "bench/report/text_sustained.h"

#include "tests/unit/tap.h"

static struct result r;

/* The lines of `r`. */
static const char *lines(void)
{
	static char text[2000];
	struct page p = { .len = 0 };
	size_t len;
	char *got;

	text_put_sustained(&p, 4, &r);
	got = page_take(&p, &len);
	snprintf(text, sizeof(text), "%s", got ? got : "");
	free(got);
	return text;
}

static void begin(void)
{
	result_init(&r, "sustained-write", "sda");
	result_end(&r, RESULT_OK, "%s", "");
}

int main(void)
{
	struct series *s;

	begin();
	is_str(lines(), "", "nothing under another test");
	(void)result_metric(&r, "drops", UNIT_COUNT, 0);
	is_str(lines(), "", "nor where no drop was found");
	(void)result_metric(&r, "temperature_start", UNIT_CELSIUS, 31);
	(void)result_metric(&r, "temperature_max", UNIT_CELSIUS, 44.6);
	is_str(lines(), "    temperature: 31 C at the start, 45 C at most\n",
	       "but the temperature");

	begin();
	(void)result_metric(&r, "drops", UNIT_COUNT, 1);
	(void)result_metric(&r, "speed_before", UNIT_BYTES_PER_S, 460e6);
	(void)result_metric(&r, "speed_after", UNIT_BYTES_PER_S, 200e6);
	(void)result_metric(&r, "bytes_at_drop", UNIT_BYTES, 12.3e9);
	(void)result_metric(&r, "time_at_drop", UNIT_NS, 26.7e9);
	is_str(lines(), "    falls from 460 MB/s to 200 MB/s after 12.3 GB (26.7 s)\n",
	       "a drop that nobody watched recover");
	(void)result_metric(&r, "recovery_tried", UNIT_NS, 15e9);
	s = result_series(&r, "recovery", UNIT_NS, UNIT_BYTES_PER_S);
	series_add(s, 5e9, 210e6);
	series_add(s, 15e9, 300e6);
	is_str(lines(), "    falls from 460 MB/s to 200 MB/s after 12.3 GB (26.7 s)\n"
	       "    bursts after idle: 5.00 s 210 MB/s, 15.0 s 300 MB/s\n"
	       "    95 % of the speed is not back after 15.0 s of idle\n", "what is not back");
	series_add(s, 30e9, 455e6);
	(void)result_metric(&r, "recovery_time", UNIT_NS, 30e9);
	(void)result_metric(&r, "refill", UNIT_BYTES_PER_S, 133e6);
	(void)result_metric(&r, "temperature_start", UNIT_CELSIUS, 31);
	(void)result_metric(&r, "temperature_at_drop", UNIT_CELSIUS, 61);
	(void)result_metric(&r, "temperature_max", UNIT_CELSIUS, 64);
	is_str(lines(), "    falls from 460 MB/s to 200 MB/s after 12.3 GB (26.7 s)\n"
	       "    bursts after idle: 5.00 s 210 MB/s, 15.0 s 300 MB/s, 30.0 s 455 MB/s\n"
	       "    95 % of the speed is back after 30.0 s of idle; a second of it brings 133 MB\n"
	       "      of fast writes\n"
	       "    temperature: 31 C at the start, 61 C at the drop, 64 C at most\n", "all of it");
	s->point[0].y = 460e6;
	r.metric[result_find(&r, "recovery_time") - r.metric].value = 5e9;
	ok(strstr(lines(), "after 5.00 s of idle or less; a") != NULL, "a bound alone");
	r.status = RESULT_FAILED;
	is_str(lines(), "", "a test that failed has no numbers");
	return tap_done();
}
