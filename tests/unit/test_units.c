/* SPDX-License-Identifier: MIT */
/* Quantities as people read them: right factor, right unit, no "1000 MB". */
#include <stdint.h>

#include "bench/report/units.h"
#include "tests/unit/tap.h"

int main(void)
{
	char b[UNITS_BYTES];

	is_str(units_bytes(b, sizeof(b), 0), "0 B", "no bytes");
	is_str(units_bytes(b, sizeof(b), 512), "512 B", "bytes");
	is_str(units_bytes(b, sizeof(b), 999), "999 B", "just below");
	is_str(units_bytes(b, sizeof(b), 1000), "1.00 kB", "kilo");
	is_str(units_bytes(b, sizeof(b), 999999), "1.00 MB", "never 1000 kB");
	is_str(units_bytes(b, sizeof(b), 6401252745216), "6.40 TB",
	       "a 6.4 TB disk is not 5961 GiB");
	is_str(units_bytes(b, sizeof(b), UINT64_MAX), "18.4 EB", "the largest");
	is_str(units_bytes_binary(b, sizeof(b), UINT64_C(67458916352)), "62.8 GiB", "memory");
	is_str(units_bytes_binary(b, sizeof(b), 1024 * 1024), "1.00 MiB", "one MiB");
	is_str(units_rate(b, sizeof(b), 542491607.04), "542 MB/s", "517.37 MiB/s is 542 MB/s");
	is_str(units_rate(b, sizeof(b), 9.4e9), "9.40 GB/s", "gigabytes");
	is_str(units_rate(b, sizeof(b), 0), "0 B/s", "nothing");
	is_str(units_iops(b, sizeof(b), 98.4), "98.4 IOPS", "a rotating disk");
	is_str(units_iops(b, sizeof(b), 148541.72), "148,542 IOPS", "thousands");
	is_str(units_iops(b, sizeof(b), 999.7), "1,000 IOPS", "rounds up");
	is_str(units_iops(b, sizeof(b), 1234567), "1.23 M IOPS", "millions");
	is_str(units_time(b, sizeof(b), 850), "850 ns", "nanoseconds");
	is_str(units_time(b, sizeof(b), 12345), "12.3 us", "microseconds");
	is_str(units_time(b, sizeof(b), 4560000), "4.56 ms", "milliseconds");
	is_str(units_time(b, sizeof(b), 1200000000), "1.20 s", "seconds");
	is_str(units_time(b, sizeof(b), UINT64_C(125) * 1000000000), "2 min 5 s", "minutes");
	is_str(units_time(b, sizeof(b), UINT64_C(7500) * 1000000000), "2 h 5 min", "hours");
	is_str(units_count(b, sizeof(b), 0), "0", "none");
	is_str(units_count(b, sizeof(b), 999), "999", "no comma yet");
	is_str(units_count(b, sizeof(b), 1048576), "1,048,576", "commas");
	is_str(units_count(b, sizeof(b), UINT64_MAX), "18,446,744,073,709,551,615", "the largest");
	is_str(units_block(b, sizeof(b), 4096), "4 KiB", "a block");
	is_str(units_block(b, sizeof(b), 1048576), "1 MiB", "a large one");
	is_str(units_block(b, sizeof(b), 1536), "1536 B", "no whole number of a larger unit");
	is_str(units_block(b, sizeof(b), 0), "0 B", "no block");
	is_str(units_link(b, sizeof(b), 100), "100 Mb/s", "a slow link");
	is_str(units_link(b, sizeof(b), 2500), "2.5 Gb/s", "a fraction of a gigabit");
	is_str(units_link(b, sizeof(b), 100000), "100 Gb/s", "a fast link");
	is_str(units_metric(b, sizeof(b), UNIT_NS, 1.128), "1.13 ns", "fractions of a nanosecond");
	is_str(units_metric(b, sizeof(b), UNIT_NS, 99.96), "100 ns", "where it does");
	is_str(units_metric(b, sizeof(b), UNIT_NS, 12345.6), "12.3 us", "microseconds");
	is_str(units_metric(b, sizeof(b), UNIT_PER_S, 941.3), "941 /s", "events per second");
	is_str(units_metric(b, sizeof(b), UNIT_PER_S, 12345), "12.3 k/s", "thousands");
	is_str(units_metric(b, sizeof(b), UNIT_HERTZ, 3.4e9), "3.40 GHz", "a frequency");
	is_str(units_metric(b, sizeof(b), UNIT_HERTZ, 50), "50.0 Hz", "a low one");
	is_str(units_metric(b, sizeof(b), UNIT_PERCENT, 98.23), "98.2 %", "a share");
	is_str(units_metric(b, sizeof(b), UNIT_CELSIUS, -3), "-3.00 C", "a frost");
	is_str(units_metric(b, sizeof(b), UNIT_COUNT, 12345), "12,345", "a count");
	is_str(units_metric(b, sizeof(b), UNIT_COUNT, 1.5), "1.50", "which need not be whole");
	is_str(units_metric(b, sizeof(b), UNIT_BYTES, 1e9), "1.00 GB", "bytes");
	is_str(units_metric(b, sizeof(b), (enum metric_unit)99, 7), "7.00", "nor is a unit of no "
	       "table");
	return tap_done();
}
