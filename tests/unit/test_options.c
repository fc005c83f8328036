/* SPDX-License-Identifier: MIT */
/* The option table: every source, every type, and above all what must never grant writing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/options.h"
#include "tests/unit/tap.h"

static struct options o;

static int kernel(const char *line)
{
	options_init(&o);
	return options_kernel(&o, line, strlen(line));
}

static int flags(unsigned scope, int argc, char *const argv[])
{
	options_init(&o);
	return options_flags(&o, argc, argv, scope);
}

static void test_table(void)
{
	is_int(options_selfcheck(), 0, "the table is sound");
	options_init(&o);
	is_str(options_text(&o, OPT_ID_PROFILE), "standard", "default profile");
	is_uint(options_number(&o, OPT_ID_DEADLINE), 3600, "default deadline in seconds");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE, "nothing is written by default");
	ok(!options_given(&o, OPT_ID_PROFILE), "a default is not given");
	is_int(options_find("linger_fail"), OPT_ID_LINGER_FAIL, "'_' stands for '-'");
	is_int(options_find("linger"), OPT_ID_LINGER, "a shorter name is not its longer sister");
	is_int(options_find("lingers"), -ENOENT, "a longer name is unknown");
}

static void test_kernel_words(void)
{
	is_int(kernel("BOOT_IMAGE=/vmlinuz root=x bench.profile=quick quiet "
		      "bench.label=\"rack 4, left\" bench.budget=2m bench.eol\n"),
	       3, "three words seen");
	is_str(options_text(&o, OPT_ID_PROFILE), "quick", "enum value");
	is_str(options_text(&o, OPT_ID_LABEL), "rack 4, left", "quotes keep blanks");
	is_uint(options_number(&o, OPT_ID_BUDGET), 120, "minutes become seconds");
	is_uint(o.note_n, 0, "no problem noted");
	ok(!o.eol_missing, "bench.eol seen");
	kernel("\"bench.label=all of it\" bench.eol");
	is_str(options_text(&o, OPT_ID_LABEL), "all of it", "quotes around the whole word");
	kernel("bench.disks=sda,sdb bench.disks=nvme0n1 bench.eol");
	is_str(options_text(&o, OPT_ID_DISKS), "sda,sdb,nvme0n1", "a repeated list grows");
	is_uint(options_number(&o, OPT_ID_DISKS), 3, "and counts its items");
	kernel("bench.profile=quick bench.profile=fast bench.eol");
	is_str(options_text(&o, OPT_ID_PROFILE), "quick", "a bad value leaves the good one");
	ok(strstr(options_last_note(&o), "profile=fast"), "and is noted: %s",
	   options_last_note(&o));
	is_int(kernel("bench.colour=red bench.eol"), 1, "an unknown key is seen");
	ok(strstr(options_last_note(&o), "unknown option colour"), "and noted");
	kernel("bench.out=/etc bench.eol");
	is_str(options_text(&o, OPT_ID_OUT), ".", "a flag-only row is refused on the command line");
	kernel("bench.root=/x bench.eol");
	ok(strstr(options_last_note(&o), "only be given as a flag"), "and noted");
	kernel("bench.token=\"s3cr et\" bench.end bench.eol");
	is_str(options_text(&o, OPT_ID_TOKEN), "s3cr et", "token");
	ok(!strstr(options_last_note(&o), "s3cr"), "no note holds it");
	is_int(kernel(""), 0, "an empty line");
	ok(!o.eol_missing, "needs no bench.eol");
	is_int(kernel("ro quiet"), 0, "a line without our words");
	is_uint(o.note_n, 0, "is no problem");
	is_int(options_kernel(&o, "bench.label=a\0b bench.eol", 25), 1, "a NUL byte ends a word");
	is_str(options_text(&o, OPT_ID_LABEL), "a", "and nothing more");
}

static void test_seconds(void)
{
	static const struct { const char *text; int err; uint64_t want;
	} row[] = {
		{ "0", 0, 0 },
		{ "90", 0, 90 },
		{ "90s", 0, 90 },
		{ "15m", 0, 900 },
		{ "2h", 0, 7200 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "1.5", -EINVAL, 0 },
		{ "1d", -EINVAL, 0 },
		{ "1mm", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "m", -EINVAL, 0 },
		{ "18446744073709551617", -EINVAL, 0 },
		{ "1099511627776h", -EINVAL, 0 },
		{ "$(reboot)", -EINVAL, 0 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		options_init(&o);
		is_int(options_set(&o, "linger", row[i].text, OPT_FROM_FLAG), row[i].err,
		       "seconds '%s'", row[i].text);
		is_uint(options_number(&o, OPT_ID_LINGER), row[i].err ? 10 : row[i].want,
			"seconds '%s' value", row[i].text);
	}
}

static void test_write_consent(void)
{
	static const char *const never[] = {
		"0",	   "no",
		"false",   "",
		"yes",	   "1",
		"all",	   "$(reboot)",
		"Destroy", "destroy ",
		"DESTROY", "destroy,writeback",
		"file:",   "file:relative",
		"file:/",  "none",
		"true",	   "on",
		"off",	   "2",
		"write",   "destroy\n",
	};
	char word[64];

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		options_init(&o);
		options_set(&o, "write", "destroy", OPT_FROM_FILE);
		options_set(&o, "write", never[i], OPT_FROM_KERNEL);
		is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE,
			"write: row %zu withdraws", i);
		is_str(options_text(&o, OPT_ID_WRITE), "none", "write: row %zu reads none", i);
		snprintf(word, sizeof(word), "bench.write=\"%s\" bench.eol", never[i]);
		kernel(word);
		is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE, "kernel: row %zu", i);
	}
	kernel("bench.write=destroy bench.destroy=SER1 bench.eol");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_DESTROY, "whole line: consent counts");
	is_str(options_text(&o, OPT_ID_DESTROY), "SER1", "and names its disk");
	kernel("bench.write=writeback bench.eol");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_BACK, "writeback");
	kernel("bench.write=file:/mnt/x bench.eol");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_FILE, "file:PATH");
	kernel("bench.write bench.eol");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE, "write without a value");
}

static void test_cut_line(void)
{
	static const char line[] = "bench.upload=http://x/v1/reports bench.destroy=SERIAL12 "
				   "bench.write=destroy bench.profile=quick bench.eol";

	for (size_t len = 0; len < sizeof(line) - 1; len++) {
		options_init(&o);
		options_kernel(&o, line, len);
		if (options_number(&o, OPT_ID_WRITE) != OPT_WRITE_NONE ||
		    *options_text(&o, OPT_ID_DESTROY)) {
			ok(false, "a line cut at %zu grants writing", len);
			return;
		}
	}
	ok(true, "no cut of the line grants writing");
	kernel("bench.write=destroy bench.destroy=A");
	ok(o.eol_missing, "the missing end is known");
	ok(strstr(options_last_note(&o), "refused"), "and said: %s", options_last_note(&o));
	kernel("bench.eol bench.write=destroy bench.destroy=A");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE,
		"bench.eol must be the last word");
	kernel("bench.write=destroy bench.eol=1");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE, "bench.eol has no value");
	options_init(&o);
	options_set(&o, "write", "destroy", OPT_FROM_FILE);
	options_kernel(&o, "bench.profile=quick bench.wri", 29);
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE,
		"a cut line withdraws a file's consent");
}

static void test_flags(void)
{
	char *good[] = { "run", "--disks", "loop0", "--profile=quick", "--redact", "--", "--x" };
	char *unknown[] = { "run", "--colour", "red" };
	char *missing[] = { "run", "--disks" };
	char *bad[] = { "run", "--profile", "fast" };
	char *help[] = { "run", "--help" };
	char *other[] = { "run", "--format", "json" };
	char *shortened[] = { "run", "-disks", "x" };
	char *hostile[] = { "run", "--write", "$(reboot)", "rest" };

	is_int(flags(OPT_IN_RUN, 7, good), 6, "flags end behind --");
	is_str(options_text(&o, OPT_ID_DISKS), "loop0", "--disks VALUE");
	is_str(options_text(&o, OPT_ID_PROFILE), "quick", "--profile=VALUE");
	is_uint(options_number(&o, OPT_ID_REDACT), 1, "a boolean alone means yes");
	is_int(flags(OPT_IN_RUN, 3, unknown), -EINVAL, "unknown flag");
	is_int(flags(OPT_IN_RUN, 2, missing), -EINVAL, "flag without its value");
	ok(strstr(options_last_note(&o), "--disks needs a value"), "is explained");
	is_int(flags(OPT_IN_RUN, 3, bad), -EINVAL, "bad value");
	is_int(flags(OPT_IN_RUN, 2, help), -ECANCELED, "--help");
	is_int(flags(OPT_IN_RUN, 3, other), -EINVAL, "a flag of another subcommand");
	is_int(flags(OPT_IN_REPORT, 3, other), 3, "there it is known");
	is_int(flags(OPT_IN_RUN, 3, shortened), -EINVAL, "one dash is no flag");
	is_int(flags(OPT_IN_RUN, 4, hostile), 3, "hostile consent stops nothing");
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE, "and grants nothing");
	ok(o.note_n == 1, "but is noted");
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		tap_bail("cannot write a temporary file");
}

static void test_files(void)
{
	char dir[] = "/tmp/test_options.XXXXXX", config[64], line[64];
	char *argv[] = { "run",	    "--config", config,	   "--cmdline", line,
			 "--disks", "sdc",	"--label", "flag" };

	if (!mkdtemp(dir))
		tap_bail("no temporary folder");
	snprintf(config, sizeof(config), "%s/conf", dir);
	snprintf(line, sizeof(line), "%s/cmdline", dir);
	write_file(config, "# comment\n\n profile = quick\nbench.budget=7\r\ndisks=sda\nnonsense\n"
			   "label = from file\nout=/x");
	write_file(line, "bench.budget=9 bench.disks=sdb bench.eol\n");
	options_init(&o);
	is_int(options_load(&o, 9, argv, OPT_IN_RUN), 9,
	       "file, kernel command line and flags load");
	is_str(options_text(&o, OPT_ID_PROFILE), "quick", "the file's value stands");
	is_uint(options_number(&o, OPT_ID_BUDGET), 9, "the kernel command line wins over the file");
	is_str(options_text(&o, OPT_ID_DISKS), "sdc", "a flag's list replaces, once");
	is_str(options_text(&o, OPT_ID_LABEL), "flag", "a flag wins");
	is_uint(o.note_n, 2, "the line without '=' and the flag-only row are noted");
	ok(strstr(o.note[0], "line 6"), "with the line's number: %s", o.note[0]);
	is_str(options_text(&o, OPT_ID_OUT), ".", "a file cannot set a flag-only row");
	argv[2] = "/nonexistent/conf";
	options_init(&o);
	is_int(options_load(&o, 9, argv, OPT_IN_RUN), -EINVAL,
	       "a file that is named and missing is an error");
	ok(strstr(options_last_note(&o), "/nonexistent/conf"), "and is named: %s",
	   options_last_note(&o));
	unlink(config);
	unlink(line);
	rmdir(dir);
}

static void test_shown(void)
{
	char buf[256];

	options_init(&o);
	options_set(&o, "token", "secret", OPT_FROM_FLAG);
	is_str(options_shown(&o, OPT_ID_TOKEN, buf, sizeof(buf)), "***", "a token is masked");
	options_set(&o, "upload", "https://u:p@h.example/a?sig=1,http://b/v1/reports",
		    OPT_FROM_FLAG);
	is_str(options_shown(&o, OPT_ID_UPLOAD, buf, sizeof(buf)),
	       "https://***@h.example/a?***,http://b/v1/reports",
	       "so are passwords and signatures");
	options_set(&o, "upload", "https://h/?x=a@b:c", OPT_FROM_KERNEL);
	is_str(options_shown(&o, OPT_ID_UPLOAD, buf, sizeof(buf)), "https://h/?***",
	       "an @ in the query");
	options_set(&o, "upload", "http://u@@h/", OPT_FROM_FLAG);
	is_str(options_shown(&o, OPT_ID_UPLOAD, buf, sizeof(buf)), "http://***@h/", "two @");
	options_set(&o, "upload", "https://user:pa,ss@h/?sig=a,b", OPT_FROM_KERNEL);
	is_str(options_shown(&o, OPT_ID_UPLOAD, buf, sizeof(buf)), "***,***,***",
	       "an address with a comma in its password is hidden whole");
	options_set(&o, "upload", "u:p@h,@,://,?", OPT_FROM_FLAG);
	ok(options_shown(&o, OPT_ID_UPLOAD, buf, sizeof(buf)) == buf && !strstr(buf, "u:p"),
	   "text that is no URL: %s", buf);
	options_set(&o, "label", "\x1b[2Ja\xff\n<b>", OPT_FROM_FLAG);
	is_str(options_shown(&o, OPT_ID_LABEL, buf, sizeof(buf)),
	       "\xEF\xBF\xBD[2Ja\xEF\xBF\xBD <b>", "control characters are replaced");
	ok(options_shown(&o, OPT_ID_UPLOAD, buf, 8) && strlen(buf) < 8, "a small buffer is enough");
}

static void test_limits(void)
{
	static char big[OPT_TEXT_BYTES * 2];
	char item[8];

	memset(big, 'a', sizeof(big) - 1);
	options_init(&o);
	is_int(options_set(&o, "label", big, OPT_FROM_FLAG), -ENOSPC,
	       "a value larger than the pool");
	is_str(options_text(&o, OPT_ID_LABEL), "", "leaves the old one");
	options_init(&o);
	options_set(&o, "write", "destroy", OPT_FROM_FILE);
	options_set(&o, "destroy", "SERIAL", OPT_FROM_FILE);
	while (options_set(&o, "exclude", "SERIAL-0123456", OPT_FROM_FILE) == 0)
		;
	ok(options_number(&o, OPT_ID_EXCLUDE) > 1000, "a long list fits: %u items",
	   (unsigned)options_number(&o, OPT_ID_EXCLUDE));
	options_set(&o, "write", "no", OPT_FROM_KERNEL);
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE, "a full pool keeps no consent");
	options_set(&o, "write", "destroy", OPT_FROM_FILE);
	options_kernel(&o, "bench.profile=quick", 19);
	is_uint(options_number(&o, OPT_ID_WRITE), OPT_WRITE_NONE, "nor does a cut line then");
	is_str(options_text(&o, OPT_ID_DESTROY), "", "nor a list of disks");
	options_init(&o);
	for (int i = 0; i < 3 * OPT_NOTES_MAX; i++)
		options_set(&o, "nonsense", "", OPT_FROM_FLAG);
	is_uint(o.note_n, 3 * OPT_NOTES_MAX, "notes beyond the room are counted");
	options_set(&o, "disks", ",,a,,bcdefghijkl,", OPT_FROM_FLAG);
	is_uint(options_number(&o, OPT_ID_DISKS), 2, "empty items do not count");
	ok(options_item(&o, OPT_ID_DISKS, 0, item, sizeof(item)), "first item");
	is_str(item, "a", "is a");
	ok(options_item(&o, OPT_ID_DISKS, 1, item, sizeof(item)), "second item");
	is_str(item, "bcdefgh", "is cut to the buffer");
	ok(!options_item(&o, OPT_ID_DISKS, 2, item, sizeof(item)), "no third");
	memset(big, '"', sizeof(big) - 1);
	options_init(&o);
	ok(options_kernel(&o, big, sizeof(big)) == 0, "a line of quotes");
	for (unsigned seed = 1; seed < 200; seed++) {
		srand(seed);
		for (size_t i = 0; i < 600; i++)
			big[i] = "bench.write=destroy\" ,\n\0eol"[rand() % 27];
		options_init(&o);
		options_kernel(&o, big, 600);
	}
	ok(true, "random lines are survived");
}

int main(void)
{
	test_table();
	test_kernel_words();
	test_seconds();
	test_write_consent();
	test_cut_line();
	test_flags();
	test_files();
	test_shown();
	test_limits();
	return tap_done();
}
