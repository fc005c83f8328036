/* SPDX-License-Identifier: MIT */
/* What names a disk in option destroy, and all that comes near and does not. */
#include "tests/unit/tap.h"

#include <stdio.h>
#include <string.h>

#include "bench/consent/checks.h"
#include "bench/consent/consent.h"
#include "lib/text.h"

#define has(text, part, ...) ok(strstr(text, part) != NULL, __VA_ARGS__)
#define WWN_A "naa.5000c500a1b2c3d4"
#define WWN_B "naa.5000c500a1b2c3d5"

static struct disk_list list;
static char why[CHECK_WHY_BYTES];

static void add(const char *name, const char *serial, const char *wwn, const char *identity)
{
	struct disk d = { .major = 8, .minor = (uint32_t)list.n, .path_n = 1 };

	text_copy(d.name, sizeof(d.name), name);
	snprintf(d.node, sizeof(d.node), "/dev/%s", name);
	text_copy(d.serial, sizeof(d.serial), serial);
	text_copy(d.wwn, sizeof(d.wwn), wwn);
	text_copy(d.write.serial, sizeof(d.write.serial), serial);
	text_copy(d.write.wwn, sizeof(d.write.wwn), wwn);
	text_copy(d.identity, sizeof(d.identity), identity);
	d.identity_is_path = !strncmp(identity, "path:", 5);
	disk_list_add(&list, &d);
}

static enum naming naming(size_t at, const char *destroy, enum opt_source source)
{
	static struct options o;

	options_init(&o);
	options_set(&o, "write", "destroy", source);
	options_set(&o, "destroy", destroy, source);
	options_set(&o, "disks", "/dev/loop3,zram0,sda", source);
	return name_in_destroy(&list, at, &o, why);
}

static enum naming named(size_t at, const char *destroy)
{
	return naming(at, destroy, OPT_FROM_FLAG);
}

static void test_exact(void)
{
	is_int(named(0, "WD-A1"), NAMING_SERIAL, "a serial number names its disk");
	is_int(named(1, "WD-A1"), NAMING_NONE, "and no other");
	is_int(named(2, "WD-A1"), NAMING_NONE, "whatever it is called");
	is_str(why, "", "and then there is nothing to explain");
	is_int(named(0, "x,WD-A1,y"), NAMING_SERIAL, "among others too");
	is_int(named(0, "WD-A"), NAMING_NONE, "a prefix names nothing");
	has(why, "only the beginning", "and is told");
	is_int(named(0, "WD-A12"), NAMING_NONE, "nor does a longer one");
	is_int(named(1, "WD-A12"), NAMING_SERIAL, "but the disk whose it is");
	is_int(named(0, "wd-a1"), NAMING_NONE, "another case names nothing");
	has(why, "another case", "and is told");
	is_int(named(0, "WD-A1 "), NAMING_NONE, "nor does a blank more");
	is_int(named(0, "*"), NAMING_NONE, "nor a pattern");
	is_int(named(0, "all"), NAMING_NONE, "nor a word for all");
	is_int(named(0, "BLANK"), NAMING_NONE, "nor blank in capitals");
	is_int(named(0, ""), NAMING_NONE, "nor nothing");
	is_int(named(0, "sda"), NAMING_NONE, "nor the kernel's name");
	has(why, "kernel name", "and is told");
	is_int(named(0, "/dev/sda"), NAMING_NONE, "nor its node");
	is_int(named(0, "serial:M/WD-A1"), NAMING_NONE, "nor what reports call its identity");
	is_int(named(3, "0000000000"), NAMING_NONE, "a filler names nothing");
	has(why, "filler", "and is told");
	is_int(named(4, ""), NAMING_NONE, "an empty serial number is named by nothing");
	is_int(named(5, "blank"), NAMING_BLANK, "`blank` is a word, no serial number");
}

static void test_wwn(void)
{
	is_int(named(2, WWN_A), NAMING_WWN, "a WWN names its disk");
	is_int(named(2, "5000c500a1b2c3d4"), NAMING_WWN, "without its prefix");
	is_int(named(2, "0x5000C500A1B2C3D4"), NAMING_WWN, "in another spelling");
	is_int(named(2, "naa.5000c500a1b2c3d"), NAMING_NONE, "but not cut");
	is_int(named(2, "naa."), NAMING_NONE, "nor its prefix alone");
	is_int(named(0, "0x0000000000000000"), NAMING_NONE, "a WWN of zeros names nothing");
}

static void test_shared(void)
{
	is_int(named(6, "TWIN"), NAMING_NONE, "a serial number of two disks names neither");
	has(why, "serial number is that of sdh", "the first says which other");
	is_int(named(7, "TWIN"), NAMING_NONE, "nor the second");
	has(why, "that of sdg", "which says so too");
	is_int(named(6, "blank"), NAMING_NONE, "nor are they destroyed for being blank");
	is_int(named(8, "NS"), NAMING_NONE, "namespaces share a serial number");
	is_int(named(8, WWN_B), NAMING_WWN, "but have WWNs");
	is_int(named(10, "DUAL"), NAMING_SERIAL, "two paths to one disk are one");
	is_int(named(12, "WB1"), NAMING_NONE, "a WWN of two disks leaves neither");
	has(why, "WWN is that of sdn", "and says so");
	is_int(named(14, "twin2"), NAMING_NONE, "a serial number in two cases is too near");
}

static void test_nodes(void)
{
	is_int(named(16, "loop3"), NAMING_NODE, "a loop device is named by what disks names it by");
	is_int(named(16, "/dev/loop3"), NAMING_NODE, "or its node");
	is_int(named(16, "loop"), NAMING_NONE, "but not cut");
	is_int(named(17, "loop30"), NAMING_NONE, "only where option disks names it too");
	has(why, "both --disks and --destroy", "and is told");
	is_int(naming(16, "loop3", OPT_FROM_KERNEL), NAMING_NONE, "never from a command line");
	is_int(naming(16, "loop3", OPT_FROM_FILE), NAMING_NONE, "nor from a file");
}

static void test_line(void)
{
	char line[CONSENT_LINE_BYTES];
	struct disk d = list.disk[0];

	is_str(consent_option_line(&d, line, sizeof(line)),
	       "bench.write=destroy bench.destroy=WD-A1", "the option line");
	text_copy(d.serial, sizeof(d.serial), "A B");
	is_str(consent_option_line(&d, line, sizeof(line)),
	       "bench.write=destroy bench.destroy=\"A B\"", "with blanks, quoted");
	text_copy(d.serial, sizeof(d.serial), "A,B");
	is_str(consent_option_line(&d, line, sizeof(line)), "", "none where it cannot be typed");
	is_str(consent_option_line(&list.disk[3], line, sizeof(line)), "",
	       "none for a disk that cannot be named");
	is_str(consent_option_line(&list.disk[8], line, sizeof(line)),
	       "bench.write=destroy bench.destroy=" WWN_B, "a namespace is named by its WWN");
	is_str(consent_option_line(&list.disk[2], line, sizeof(line)),
	       "bench.write=destroy bench.destroy=S-C", "a disk with both by its serial number");
	is_str(consent_option_line(&list.disk[0], line, 20), "", "a cut line is none");
}

/* What has no consent is opened by nobody, whatever the rest of the struct says. */
static void test_open_refuses(void)
{
	struct disk d = list.disk[0];
	char text[CHECK_WHY_BYTES] = "";

	is_int(consent_open(&d, text, sizeof(text)), -1, "no consent: EPERM");
	has(text, "no consent", "and says so");
	d.consent = CONSENT_FILE;
	is_int(consent_open(&d, text, sizeof(text)), -1, "a scratch file is none for the disk");
	d.consent = CONSENT_DESTROY;
	d.skip = DISK_EXCLUDED;
	is_int(consent_open(&d, text, sizeof(text)), -1, "a disk left alone is not opened");
	d.skip = DISK_TAKEN;
	text_copy(d.node, sizeof(d.node), "/dev/null");
	ok(consent_open(&d, text, sizeof(text)) < 0, "another device is not written");
	is_int((int)consent_countdown_s(&list, 0), 0, "nothing to destroy: no countdown");
	list.disk[0].consent = CONSENT_DESTROY;
	is_int((int)consent_countdown_s(&list, 0), CONSENT_COUNTDOWN_S, "else there is one");
	is_int((int)consent_countdown_s(&list, 1), 0, "of the disks at hand");
	has(consent_say(&list.disk[0], text, sizeof(text)), "ALL DATA", "and is announced");
}

static void test_strangers(void)
{
	static struct options o;

	options_init(&o);
	options_set(&o, "destroy", "WD-A1,blank,nobody,sda,WD-A", OPT_FROM_FLAG);
	name_note_strangers(&list, &o);
	is_uint(o.note_n, 1, "one entry names no disk");
	has(options_last_note(&o), "\"nobody\" is the serial number or WWN of no disk",
	     "and is noted");
}

int main(void)
{
	add("sda", "WD-A1", "naa.0000000000000000", "serial:M/WD-A1");
	add("sdb", "WD-A12", "", "serial:M/WD-A12");
	add("sdc", "S-C", WWN_A, "wwn:5000c500a1b2c3d4");
	add("sdd", "0000000000", "", "path:pci-1");
	add("sde", "", "", "path:pci-2");
	add("sdf", "blank", "", "serial:M/blank");
	add("sdg", "TWIN", "", "path:pci-3");
	add("sdh", "TWIN", "", "path:pci-4");
	add("nvme0n1", "NS", WWN_B, "wwn:5000c500a1b2c3d5");
	add("nvme0n2", "NS", "naa.5000c500a1b2c3d6", "wwn:5000c500a1b2c3d6");
	add("sdk", "DUAL", "naa.5000c500a1b2c3e0", "wwn:5000c500a1b2c3e0");
	add("sdl", "DUAL", "naa.5000c500a1b2c3e0", "wwn:5000c500a1b2c3e0");
	add("sdm", "WB1", "naa.5000c500a1b2c3f0", "serial:WB1");
	add("sdn", "WB2", "naa.5000c500a1b2c3f0", "serial:WB2");
	add("sdo", "twin2", "", "serial:twin2");
	add("sdp", "TWIN2", "", "serial:TWIN2");
	add("loop3", "", "", "path:loop3");
	add("loop30", "", "", "path:loop30");
	test_exact();
	test_wwn();
	test_shared();
	test_nodes();
	test_line();
	test_open_refuses();
	test_strangers();
	disk_list_free(&list);
	return tap_done();
}
