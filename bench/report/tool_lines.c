/* SPDX-License-Identifier: MIT */
/*
 * Numbers as hdparm and dd print them.
 *
 * GNU tools scale a number in two ways (gnulib, human_readable): whole numbers in integer
 * arithmetic, with a decimal only below 10; others in floating point, with a decimal below 100. A
 * rate of dd is mostly the second, but the first where its seconds divide evenly. Both round to the
 * nearest, ties to even in the first.
 */
#include "bench/report/tool_lines.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/clock.h"

#define MIB 1048576.0
#define LETTERS "kMGTPEZY"

const char *tool_line_hdparm(char *buf, size_t size, uint64_t bytes, uint64_t ns)
{
	uint64_t mib = bytes / (UINT64_C(1) << 20);
	double s = (double)ns / 1e9, rate = s > 0 ? (double)bytes / MIB / s : 0;

	if (rate >= 1)
		snprintf(buf, size, "%3" PRIu64 " MB in %5.2f seconds = %6.2f MB/sec", mib, s,
			 rate);
	else
		snprintf(buf, size, "%3" PRIu64 " MB in %5.2f seconds = %6.2f kB/sec", mib, s,
			 rate * 1024);
	return buf;
}

/* " MB", " GiB", " B": what stands behind a number scaled `exponent` times. */
static const char *unit_of(char *buf, size_t size, unsigned exponent, bool binary)
{
	if (exponent == 0)
		snprintf(buf, size, " B");
	else if (binary)
		snprintf(buf, size, " %ciB",
			 exponent == 1 ? 'K' : LETTERS[exponent - 1]);
	else
		snprintf(buf, size, " %cB", LETTERS[exponent - 1]);
	return buf;
}

/* amount / divisor bytes, in integer arithmetic. */
static const char *scale_whole(char *buf, size_t size, uint64_t amount, uint64_t divisor,
			       bool binary)
{
	uint64_t over10 = amount % divisor * 10, over2 = over10 % divisor * 2;
	unsigned base = binary ? 1024 : 1000, exponent = 0, tenths = (unsigned)(over10 / divisor);
	/* behind the tenths: 0 none, 1 below a half, 2 a half, 3 above */
	unsigned rest = over2 < divisor ? over2 != 0 : 2 + (divisor < over2);
	char unit[8];

	amount /= divisor;
	while (amount >= base && exponent < strlen(LETTERS)) {
		unsigned r10 = (unsigned)(amount % base) * 10 + tenths;
		unsigned r2 = r10 % base * 2 + (rest >> 1);

		amount /= base;
		tenths = r10 / base;
		rest = r2 < base ? r2 + rest != 0 : 2 + (base < r2 + rest);
		exponent++;
	}
	if (amount < 10 && exponent > 0) {
		if (rest + (tenths & 1) > 2 && ++tenths == 10) {
			tenths = 0;
			amount++;
		}
		rest = 0;
		if (amount < 10) {
			snprintf(buf, size, "%" PRIu64 ".%u%s", amount, tenths,
				 unit_of(unit, sizeof(unit), exponent, binary));
			return buf;
		}
	}
	if (tenths + (rest + (amount & 1) > 0) > 5 && ++amount == base &&
	    exponent < strlen(LETTERS)) {
		snprintf(buf, size, "1.0%s", unit_of(unit, sizeof(unit), exponent + 1, binary));
		return buf;
	}
	snprintf(buf, size, "%" PRIu64 "%s", amount, unit_of(unit, sizeof(unit), exponent, binary));
	return buf;
}

/* Any number of bytes, decimal. It is scaled once at least: 500 is 0.5 kB. */
static const char *scale_float(char *buf, size_t size, long double amount)
{
	long double step = 1;
	unsigned exponent = 0;
	char number[32], unit[8];

	do {
		step *= 1000;
		exponent++;
	} while (step * 1000 <= amount && exponent < strlen(LETTERS));
	amount /= step;
	snprintf(number, sizeof(number), "%.1Lf", amount);
	if (strlen(number) > 4)
		snprintf(number, sizeof(number), "%.0Lf", amount);
	snprintf(buf, size, "%s%s", number, unit_of(unit, sizeof(unit), exponent, false));
	return buf;
}

const char *tool_line_dd_rate(char *buf, size_t size, uint64_t bytes, uint64_t ns)
{
	char amount[32];

	if (ns == 0) {
		snprintf(buf, size, "Infinity B/s");
		return buf;
	}
	if (NS_PER_S % ns == 0 && bytes <= UINT64_MAX / (NS_PER_S / ns))
		scale_whole(amount, sizeof(amount), bytes * (NS_PER_S / ns), 1, false);
	else if (ns % NS_PER_S == 0)
		scale_whole(amount, sizeof(amount), bytes, ns / NS_PER_S, false);
	else
		scale_float(amount, sizeof(amount),
			    (long double)bytes * ((long double)NS_PER_S / (long double)ns));
	snprintf(buf, size, "%s/s", amount);
	return buf;
}

const char *tool_line_dd(char *buf, size_t size, uint64_t bytes, uint64_t ns)
{
	char si[32], iec[32], rate[32], sizes[80] = "";

	scale_whole(si, sizeof(si), bytes, 1, false);
	scale_whole(iec, sizeof(iec), bytes, 1, true);
	/* an abbreviation that is not shorter is left out */
	if (bytes >= 1024)
		snprintf(sizes, sizeof(sizes), " (%s, %s)", si, iec);
	else if (bytes >= 1000)
		snprintf(sizes, sizeof(sizes), " (%s)", si);
	tool_line_dd_rate(rate, sizeof(rate), bytes, ns);
	snprintf(buf, size, "%" PRIu64 " byte%s%s copied, %g s, %s", bytes, bytes == 1 ? "" : "s",
		 sizes, (double)ns / 1e9, rate);
	return buf;
}
