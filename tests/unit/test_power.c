/* SPDX-License-Identifier: MIT */
/* Energy counters: names, limits, the mean between two readings, and counters that restart. */
#include <unistd.h>

#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "bench/sys/power.h"
#include "lib/clock.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static const char tree[] =
	"@sys/class/powercap/intel-rapl\nenabled=1\n"
	"@sys/class/powercap/intel-rapl:0\nname=package-0\nenergy_uj=262143000000\n"
	"max_energy_range_uj=262143328850\nconstraint_0_name=long_term\n"
	"constraint_0_power_limit_uw=95000000\nconstraint_1_name=short_term\n"
	"constraint_1_power_limit_uw=118750000\n"
	"@sys/class/powercap/intel-rapl:0:0\nname=core\nenergy_uj=5\nmax_energy_range_uj=100\n"
	"constraint_0_name=long_term\nconstraint_0_power_limit_uw=0\n"
	"@sys/class/powercap/intel-rapl:0:1\nname=dram\nenergy_uj=1000\n"
	"max_energy_range_uj=65712999613\n"
	"@sys/class/powercap/intel-rapl:1\nname=package-1\nenergy_uj/\n"
	"@sys/class/powercap/intel-rapl-mmio:0\nname=package-0\nenergy_uj=1\n";

static void spent(void)
{
	is_uint(power_spent_uj(100, 350, 1000), 250, "a counter goes on");
	is_uint(power_spent_uj(900, 50, 1000), 150, "or restarts behind its range");
	is_uint(power_spent_uj(900, 50, 0), 0, "one without a range cannot be told");
	is_uint(power_spent_uj(2000, 50, 1000), 0, "nor one beyond it");
	is_uint(power_spent_uj(7, 7, 1000), 0, "one that stands still spent nothing");
}

static void domains(void)
{
	static struct machine_info m;
	struct power_meter p;
	struct sysfs_fixture f;
	double seconds;

	fields_init(&fields_machine, &m);
	sysfs_fixture_make(&f, tree);
	power_read(f.root, &m);
	if (!is_uint(m.power_n, 4, "domains, each once"))
		return;
	is_str(m.power[0].name, "package-0", "a package");
	is_str(m.power[1].name, "package-0 core", "parts have the package's name too");
	is_str(m.power[2].name, "package-0 dram", "...");
	is_str(m.power[3].name, "package-1", "the next package");
	ok(m.power[0].has_limit_watts && m.power[0].limit_watts == 95, "the long-term limit");
	ok(!m.power[1].has_limit_watts && !m.power[2].has_limit_watts, "0 is no limit");

	power_begin(f.root, &p);
	is_uint(p.n, 3, "a counter that cannot be read is left out");
	power_finish(f.root, &p, &m);
	ok(!m.power[0].has_watts, "a moment is too short");
	p.at_ns -= NS_PER_S / 2;
	power_finish(f.root, &p, &m);
	ok(!m.power[0].has_watts, "a counter that stands still is absent");
	/* 328,850 uJ to the end of the range, and 20 J behind it */
	sysfs_fixture_add(&f, "@sys/class/powercap/intel-rapl:0\nenergy_uj=20000000\n"
		"@sys/class/powercap/intel-rapl:0:0\nenergy_uj=99999999999999\n"
		"@sys/class/powercap/intel-rapl:0:1\nenergy_uj=2001000\n");
	seconds = (double)(clock_ns() - p.at_ns) / 1e9;
	power_finish(f.root, &p, &m);
	ok(m.power[0].has_watts && m.power[2].has_watts, "there are watts");
	is_near(m.power[0].watts * seconds, 20.32885, 0.5, "over the restart");
	is_near(m.power[2].watts * seconds, 2, 0.1, "and of memory");
	ok(!m.power[1].has_watts, "what no processor takes is absent");
	ok(!m.power[3].has_watts, "and so is what could not be read");
	sysfs_fixture_remove(&f);
}

int main(void)
{
	spent();
	domains();
	return tap_done();
}
