/* SPDX-License-Identifier: MIT */
/* Sensors of the machine: units, limits, alarms, and readings that are none. */
#include "bench/model/fields.h"
#include "bench/sys/machine_parts.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

static struct machine_info m;

static void read_tree(const char *tree)
{
	struct sysfs_fixture f;

	memset(&m, 0, sizeof(m));
	fields_init(&fields_machine, &m);
	sysfs_fixture_make(&f, tree);
	sensors_read(f.root, &m);
	sysfs_fixture_remove(&f);
}

static void check(size_t i, const char *chip, const char *label, enum metric_unit unit,
		  double value)
{
	const struct sensor *s = &m.sensors[i];

	is_str(s->chip, chip, "sensor %zu: chip", i);
	is_str(s->label, label, "... label");
	is_int(s->unit, unit, "... unit");
	ok(s->has_value, "... has a value");
	is_near(s->value, value, 1e-9, "... which is right");
}

static void kinds(void)
{
	read_tree("@sys/class/hwmon/hwmon10\nname=pch_cannonlake\ntemp1_input=51000\n"
		"@sys/class/hwmon/hwmon2\nname=coretemp\n"
		"temp1_input=43000\ntemp1_label=[Package id 0]\ntemp1_max=80000\n"
		"temp1_crit=100000\ntemp1_crit_alarm=0\ntemp10_input=40500\ntemp10_label=[Core 8]\n"
		"temp2_input=[99000]\ntemp2_max_alarm=1\n"
		"@sys/class/hwmon/hwmon3\nname=nct6779\nin0_input=912\nin0_max=1744\nfan1_input="
		"1205\nfan1_min=300\nfan1_label=[CPU Fan]\nfan2_input=0\nfan2_alarm=1\n"
		"fan3_input=0\nfan3_alarm=0\ncurr1_input=-250\npwm1=127\nintrusion0_alarm=1\n"
		"temp1_input=127500\ntemp2_input=-62000\ntemp3_input=0\ntemp4_input=[N/A]\n"
		"temp5_input=31000\ntemp5_fault=1\ntemp6_input=30000\ntemp6_max=65261850\n"
		"temp6_crit=-273150\nin1_input=0\nin2_input=900000\n"
		"@sys/class/hwmon/hwmon4\nname=power_meter\npower1_average=213000000\n"
		"power1_cap=450000000\n"
		"@sys/class/hwmon/hwmon5\nname=pmbus\npower1_input=99500000\n"
		"power1_average=98000000\npower1_max=800000000\npower1_alarm=1\n");
	if (!is_uint(m.sensors_n, 11, "sensors with a value"))
		return;
	check(0, "coretemp", "Package id 0", UNIT_CELSIUS, 43);
	ok(m.sensors[0].has_max && m.sensors[0].max == 80, "upper limit");
	ok(m.sensors[0].has_critical && m.sensors[0].critical == 100, "critical limit");
	ok(!m.sensors[0].alarm, "no alarm");
	check(1, "coretemp", "temp2", UNIT_CELSIUS, 99);
	ok(m.sensors[1].alarm && !m.sensors[1].has_max, "an alarm");
	check(2, "coretemp", "Core 8", UNIT_CELSIUS, 40.5);
	check(3, "nct6779", "in0", UNIT_VOLTS, 0.912);
	check(4, "nct6779", "CPU Fan", UNIT_RPM, 1205);
	check(5, "nct6779", "fan2", UNIT_RPM, 0);
	ok(m.sensors[5].alarm, "a fan that stands still with an alarm is told");
	check(6, "nct6779", "curr1", UNIT_AMPERES, -0.25);
	ok(m.sensors[3].has_max, "a voltage's limit");
	check(7, "nct6779", "temp6", UNIT_CELSIUS, 30);
	ok(!m.sensors[7].has_max && !m.sensors[7].has_critical, "absurd limits are absent");
	check(8, "power_meter", "power1", UNIT_WATTS, 213);
	ok(m.sensors[8].has_max && m.sensors[8].max == 450, "a cap is a limit");
	check(9, "pmbus", "power1", UNIT_WATTS, 99.5);
	ok(m.sensors[9].alarm, "a power supply's alarm");
	check(10, "pch_cannonlake", "temp1", UNIT_CELSIUS, 51);
}

static void chips(void)
{
	read_tree("@sys/class/hwmon/hwmon0\nname=drivetemp\ntemp1_input=35000\n"
		"@sys/class/hwmon/hwmon1\nname=nvme\ntemp1_input=35000\n"
		"@sys/class/hwmon/hwmon2\nname=k10temp\ntemp1_input=50000\n"
		"device -> ../../../devices/pci0000:00/0000:00:18.3\n"
		"@sys/class/hwmon/hwmon3\nname=k10temp\ntemp1_input=52000\n"
		"device -> ../../../devices/pci0000:00/0000:00:19.3\n"
		"@sys/class/hwmon/hwmon4\ntemp1_input=1000\n"
		"@sys/class/hwmon/hwmon5/device\nname=w83795\ntemp1_input=28000\n"
		"@sys/class/hwmon/hwmon6\nname=[\\xff\\x01]\ntemp1_input=29000\n"
		"temp1_label=[a\\x1b[31m\\xc3]\n");
	if (!is_uint(m.sensors_n, 4, "chips without a name and those of disks are left out"))
		return;
	is_str(m.sensors[0].chip, "k10temp 0000:00:18.3", "two chips of one name");
	is_str(m.sensors[1].chip, "k10temp 0000:00:19.3", "are told apart by their devices");
	is_str(m.sensors[2].chip, "w83795", "an older chip");
	is_str(m.sensors[3].label, "a\xEF\xBF\xBD[31m\xEF\xBF\xBD", "a label is cleaned");
	read_tree("");
	is_uint(m.sensors_n, 0, "a machine without sensors has none");
}

static void many(void)
{
	struct sysfs_fixture f;
	char text[96];

	memset(&m, 0, sizeof(m));
	fields_init(&fields_machine, &m);
	sysfs_fixture_make(&f, "@sys/class/hwmon/hwmon0\nname=ipmi\n");
	for (int i = 1; i <= 200; i++) {
		snprintf(text, sizeof(text), "@sys/class/hwmon/hwmon0\ntemp%d_input=%d\n", i,
			 20000 + i);
		sysfs_fixture_add(&f, text);
	}
	sensors_read(f.root, &m);
	is_uint(m.sensors_n, 200, "more than there is room for are counted");
	is_str(m.sensors[127].label, "temp128", "the first are kept");
	sysfs_fixture_remove(&f);
}

static void guarded(void)
{
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, "@sys/class/hwmon/hwmon0\nname=ipmi\ntemp1_input=41000\n");
	memset(&m, 0, sizeof(m));
	fields_init(&fields_machine, &m);
	sensors_read_guarded(f.root, &m);
	is_uint(m.sensors_n, 1, "what a process of its own read arrives");
	check(0, "ipmi", "temp1", UNIT_CELSIUS, 41);
	sysfs_fixture_remove(&f);
}

int main(void)
{
	kinds();
	chips();
	many();
	guarded();
	return tap_done();
}
