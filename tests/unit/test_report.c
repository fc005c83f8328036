/* SPDX-License-Identifier: MIT */
/* The report as a container: lists, end of a run, redaction. */
#include "bench/health/decode.h"
#include "bench/model/fields.h"
#include "bench/report/save.h"
#include "tests/unit/report_fixtures.h"
#include "tests/unit/tap.h"

static void test_lists(void)
{
	struct result t;
	struct report r;
	bool kept = true;

	report_init(&r);
	result_init(&t, "seq-read-qd1", "sda");
	for (uint64_t i = 0; i < 100; i++) {
		t.seed = i;
		kept &= !report_add_result(&r, &t) && !report_add_option(&r, "name", "value\n") &&
			!report_add_note(&r, "note", "%d %s", (int)i, "times") &&
			!report_add_finding(&r, FINDING_INFO, "rule", "sda", "number %d\t", (int)i);
	}
	ok(kept, "a hundred of each are taken");
	is_uint(r.result[99].seed, 99, "results are copies");
	is_str(r.option[99].text, "value", "options are cleaned");
	is_str(r.note[99].text, "99 times", "notes are printed");
	is_str(r.finding[99].sentence, "number 99", "findings are printed and cleaned");
	report_free(&r);
	is_uint(r.result_n + r.option_n + r.note_n + r.finding_n, 0, "and it is empty again");
	report_free(&r);
}

static void test_id(void)
{
	ok(report_id_valid("5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c"), "a UUID");
	ok(!report_id_valid(""), "nothing is none");
	ok(!report_id_valid("5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5"), "too short");
	ok(!report_id_valid("5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c1"), "too long");
	ok(!report_id_valid("5F0C2A7E-9b1d-4c3e-8a67-0d1e2f3a4b5c"), "upper case");
	ok(!report_id_valid("../../../etc-9b1d-4c3e-8a67-0d1e2f3a4b5c"), "a path");
}

static void test_close(void)
{
	struct report r;

	fixture_partial(&r);
	is_int(r.run.state, RUN_PARTIAL, "the run is partial");
	is_str(r.run.state_reason, "the run's deadline was reached", "for that reason");
	is_int(r.result[0].status, RESULT_OK, "what ended well stays");
	is_int(r.result[1].status, RESULT_SKIPPED, "what was at work is no fault of the disk");
	is_str(r.result[1].reason, "cut short: the run's deadline was reached", "and says why");
	is_int(r.result[2].status, RESULT_SKIPPED, "what was planned is skipped");
	is_str(r.result[2].reason, "not reached: the run's deadline was reached", "and says why");
	report_close(&r, "again");
	is_str(r.run.state_reason, "the run's deadline was reached", "the first reason stays");
	report_free(&r);
	fixture_three_disks(&r);
	report_close(&r, "too late");
	is_int(r.run.state, RUN_COMPLETE, "a complete report stays complete");
	is_str(r.run.state_reason, "", "without a reason");
	report_free(&r);
}

/* Everything private of fixture_three_disks and what is added below. */
static const char *const private_texts[] = {
	"S271825X8123456", "order 4711", "S675NX0R123456", "002538b111112222", "S3TVNX0M555555",
	"5002538E40111111", "5002538e40111111", "Z1Z0ABCD", "z1z0abcd", "02:00:5e:10:00:01",
	"02:00:5E:10:00:02", "aa:bb:cc:dd:ee:ff", "GONE-SERIAL", "collector.example", "WD-LATE99",
	"BOARD-77", "CASE-88", "TAG-99", "DIMM-55", "11112222-3333-4444-5555-666677778888",
	"0a0b0c0d-0001-0002-0003-000400050006",
};

static void fill_private(struct report *r)
{
	fixture_three_disks(r);
	report_add_option(r, "disks", "sda,/dev/sdb,GONE-SERIAL");
	report_add_option(r, "upload", "https://collector.example/v1/reports");
	report_add_note(r, REPORT_NOTE_OPTION,
			"disks: nothing here is called gone-serial or GONE-SERIAL");
	result_end(&r->result[0], RESULT_FAILED, "disk z1z0abcd said no");
	SET(r->machine.board.serial, "BOARD-77");
	SET(r->machine.chassis.serial, "CASE-88");
	SET(r->machine.chassis.asset_tag, "TAG-99");
	SET(r->machine.uuid, "11112222-3333-4444-5555-666677778888");
	SET(((struct memory_module *)fields_add(&fields_memory, &r->machine.memory,
						"modules"))->serial, "DIMM-55");
	SET(((struct signature *)fields_add(&fields_machine, &r->machine, "signatures"))->uuid,
	    "0a0b0c0d-0001-0002-0003-000400050006");
	SET(r->machine.command_line, "root=UUID=0a0b0c0d-0001-0002-0003-000400050006 "
	    "board=BOARD-77 case=CASE-88 tag=TAG-99 dimm=DIMM-55 "
	    "me=11112222-3333-4444-5555-666677778888");
	SET(r->disks.disk[2].sysfs, "pci0000:00/wwid/5002538e40111111/block/sdb");
	free(r->kernel_log);
	r->kernel_log = strdup("sdb: serial Z1Z0ABCD WWN 0x5002538E40111111\n"
			       "eth9: link up, aa:bb:cc:dd:ee:ff 02:00:5E:10:00:02\n");
	report_find(r);
}

static bool has_private(const char *json, const char **what)
{
	for (size_t i = 0; i < sizeof(private_texts) / sizeof(private_texts[0]); i++) {
		*what = private_texts[i];
		if (strstr(json, *what))
			return true;
	}
	return false;
}

static void test_redact(void)
{
	const char *what = "";
	struct report r;
	size_t len;
	char *json;

	fill_private(&r);
	is_int(report_redact(&r), 0, "redacted");
	json = report_json_write(&r, &len);
	if (!ok(!has_private(json, &what), "nothing private is left in the JSON form"))
		tap_diag("still there: %s", what);
	free(json);
	is_str(r.disks.disk[2].name, "sdb", "disks keep their names");
	is_str(r.disks.disk[2].model, "ST4000NM0033-9ZM170", "and models");
	is_str(r.disks.disk[2].identity, "", "their identities are absent");
	is_str(r.kernel_log, "sdb: serial (redacted) WWN (redacted)\n"
	       "eth9: link up, (redacted) (redacted)\n", "the log keeps its lines");
	is_str(r.result[0].reason, "disk (redacted) said no", "reasons keep their sense");
	is_str(r.machine.command_line, "root=UUID=(redacted) board=(redacted) case=(redacted) "
	       "tag=(redacted) dimm=(redacted) me=(redacted)", "and so does the command line");
	is_str(r.option[1].text, "(redacted)", "the label is taken out of the options");
	is_str(r.option[0].text, "quick", "other options stay");
	is_str(r.run.id, "5f0c2a7e-9b1d-4c3e-8a67-0d1e2f3a4b5c", "the run keeps its id");
	ok(r.run.redacted, "it says so");
	/* a run redacts early and adds texts later */
	report_add_note(&r, "late", "disk Z1Z0ABCD again, and S3TVNX0M555555");
	fixture_disk(&r, "sdx", "WDC", "WD-LATE99", "sata", 1);
	report_add_note(&r, "late", "WD-LATE99 came late");
	is_int(report_redact(&r), 0, "redacted once more");
	json = report_json_write(&r, &len);
	if (!ok(!has_private(json, &what), "what came later is found too"))
		tap_diag("still there: %s", what);
	free(json);
	report_free(&r);
}

static void test_save(void)
{
	char dir[] = "/tmp/test_report.XXXXXX", path[100];
	struct report r;

	if (!mkdtemp(dir))
		tap_bail("no temporary folder");
	fixture_three_disks(&r);
	is_int(report_save(&r, dir), 0, "saved");
	is_int(report_save(&r, dir), 0, "and again over it");
	snprintf(path, sizeof(path), "%s/report.json", dir);
	is_int(remove(path), 0, "the JSON form is there");
	snprintf(path, sizeof(path), "%s/report.txt", dir);
	is_int(remove(path), 0, "the text form is there");
	is_int(remove(dir), 0, "and nothing else");
	ok(report_save(&r, dir) < 0, "a folder that is not there is an error");
	report_free(&r);
}

static void add_health(struct report *r, const char *target, const char *device,
		       enum health_state state)
{
	struct health h;

	health_init(&h);
	SET(h.target, "%s", target);
	SET(h.device, "%s", device);
	h.state = state;
	report_add_health(r, &h);
}

/* Two readings of each disk: sda slept first, sdb hangs in the end, two are behind a controller. */
static void test_health(void)
{
	struct report r;

	report_init(&r);
	add_health(&r, "sda", "/dev/sda", HEALTH_STANDBY);
	add_health(&r, "sdb", "/dev/sdb", HEALTH_READ);
	add_health(&r, "", "bus 0, 3", HEALTH_READ);
	add_health(&r, "", "bus 0, 4", HEALTH_FAILED);
	add_health(&r, "sda", "/dev/sda -d sat", HEALTH_READ);
	add_health(&r, "sdb", "/dev/sdb", HEALTH_TIMEOUT);
	add_health(&r, "", "bus 0, 3", HEALTH_READ);
	ok(!report_health_last(&r, 0) && report_health_last(&r, 4) == &r.health[4],
	   "the reading that gave something");
	ok(report_health_last(&r, 1) == &r.health[1] && !report_health_last(&r, 5),
	   "also against a later failure");
	ok(!report_health_last(&r, 2) && report_health_last(&r, 6), "the later of two");
	ok(report_health_last(&r, 3), "a disk without any has its reason");
	ok(report_health_of(&r, "sda") == &r.health[4] && !report_health_of(&r, "sdc"),
	   "by the disk's name");
	ok(report_health_before(&r, &r.health[6]) == &r.health[2], "what it was before");
	ok(!report_health_before(&r, &r.health[4]) && !report_health_before(&r, &r.health[1]),
	   "nothing was read before");
	report_free(&r);
}

int main(void)
{
	test_lists();
	test_id();
	test_close();
	test_redact();
	test_save();
	test_health();
	return tap_done();
}
