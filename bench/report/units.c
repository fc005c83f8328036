/* SPDX-License-Identifier: MIT */
/* Quantities as people read them. */
#include "bench/report/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Three significant digits below 1000, whole numbers above. */
static int digits_after(double value)
{
	return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* Scales `value` by `step` until it is below 999.5 (so that nothing prints as 1000 of a unit). */
static const char *scale(char *buf, size_t size, double value, double step,
			 const char *const unit[], size_t units)
{
	size_t u = 0;

	while (u + 1 < units && value >= 999.5) {
		value /= step;
		u++;
	}
	if (fabs(value) < 1e6)
		snprintf(buf, size, "%.*f %s", u == 0 ? 0 : digits_after(value), value, unit[u]);
	else	/* nonsense, but short */
		snprintf(buf, size, "%.2g %s", value, unit[u]);
	return buf;
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const char *units_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };

	return scale(buf, size, (double)bytes, 1000, unit, COUNT(unit));
}

const char *units_bytes_binary(char *buf, size_t size, uint64_t bytes)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };

	return scale(buf, size, (double)bytes, 1024, unit, COUNT(unit));
}

const char *units_rate(char *buf, size_t size, double bytes_per_s)
{
	static const char *const unit[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };

	return scale(buf, size, bytes_per_s, 1000, unit, COUNT(unit));
}

const char *units_iops(char *buf, size_t size, double iops)
{
	if (iops < 999.5)
		snprintf(buf, size, "%.*f IOPS", digits_after(iops), iops);
	else if (iops < 999999.5)
		snprintf(buf, size, "%" PRIu64 ",%03" PRIu64 " IOPS", (uint64_t)(iops + 0.5) / 1000,
			 (uint64_t)(iops + 0.5) % 1000);
	else
		snprintf(buf, size, "%.*f M IOPS", digits_after(iops / 1e6), iops / 1e6);
	return buf;
}

const char *units_time(char *buf, size_t size, uint64_t ns)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	uint64_t s = (ns + 500000000) / 1000000000;

	if (s < 100)
		return scale(buf, size, (double)ns, 1000, unit, COUNT(unit));
	if (s < 7200)
		snprintf(buf, size, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else
		snprintf(buf, size, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s % 3600 / 60);
	return buf;
}

const char *units_count(char *buf, size_t size, uint64_t n)
{
	char digits[24];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, n), used = 0;

	for (size_t i = 0; i < len && used + 2 < size; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
	return buf;
}

const char *units_block(char *buf, size_t size, uint64_t bytes)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	size_t u = 0;

	while (bytes && bytes % 1024 == 0 && u + 1 < COUNT(unit)) {
		bytes /= 1024;
		u++;
	}
	snprintf(buf, size, "%" PRIu64 " %s", bytes, unit[u]);
	return buf;
}

const char *units_link(char *buf, size_t size, uint32_t mbit_per_s)
{
	if (mbit_per_s >= 1000)
		snprintf(buf, size, "%g Gb/s", mbit_per_s / 1000.0);
	else
		snprintf(buf, size, "%" PRIu32 " Mb/s", mbit_per_s);
	return buf;
}

/* What has no words of its own: three significant digits, and thousands by their letter. */
static const char *scale_unit(char *buf, size_t size, double value, enum metric_unit unit)
{
	static const char *const per_s[] = { "/s", "k/s", "M/s", "G/s" };
	static const char *const hertz[] = { "Hz", "kHz", "MHz", "GHz" };

	if (value < 999.5)
		snprintf(buf, size, fabs(value) < 1e6 ? "%.*f %s" : "%.*g %s",
			 digits_after(fabs(value)), value,
			 unit == UNIT_HERTZ ? hertz[0] : per_s[0]);
	else if (unit == UNIT_HERTZ)
		scale(buf, size, value, 1000, hertz, COUNT(hertz));
	else
		scale(buf, size, value, 1000, per_s, COUNT(per_s));
	return buf;
}

const char *units_metric(char *buf, size_t size, enum metric_unit unit, double value)
{
	static const char *const word[UNIT_UNITS] = {
		[UNIT_PERCENT] = " %", [UNIT_CELSIUS] = " C", [UNIT_WATTS] = " W",
		[UNIT_VOLTS] = " V", [UNIT_AMPERES] = " A", [UNIT_RPM] = " rpm",
	};
	bool is_countable = value >= 0 && value < 1e18;

	if (unit == UNIT_BYTES_PER_S)
		return units_rate(buf, size, value);
	if (unit == UNIT_IOPS)
		return units_iops(buf, size, value);
	if (unit == UNIT_PER_S || unit == UNIT_HERTZ)
		return scale_unit(buf, size, value, unit);
	if (unit == UNIT_BYTES && is_countable)
		return units_bytes(buf, size, (uint64_t)value);
	if (unit == UNIT_COUNT && is_countable && value == floor(value))
		return units_count(buf, size, (uint64_t)value);
	if (unit == UNIT_NS && is_countable && value >= 99.95)
		return units_time(buf, size, (uint64_t)(value + 0.5));
	snprintf(buf, size, fabs(value) < 1e6 ? "%.*f%s" : "%.*g%s", digits_after(fabs(value)),
		 value, unit == UNIT_NS ? " ns"
		 : (unsigned)unit < UNIT_UNITS && word[unit] ? word[unit] : "");
	return buf;
}
