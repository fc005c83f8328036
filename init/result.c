/* SPDX-License-Identifier: MIT */
/* The result: the report's text on every console, what became of it, and time to read it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/end.h"
#include "init/log.h"
#include "init/work.h"
#include "lib/file.h"

#define REPORT_TEXT_FILE BOOT_DIR "/report.txt"
#define REPORT_MAX_BYTES (256 * 1024)

/* Between two lines of their own, so that a person or a test can cut it out of a serial log. */
static int show_report(void)
{
	char *text;
	size_t len;
	int err = file_load(REPORT_TEXT_FILE, REPORT_MAX_BYTES, &text, &len);

	if (err) {
		log_say("result: %s: %s", REPORT_TEXT_FILE, strerror(-err));
		return err;
	}
	log_say("report begin");
	err = file_write_all(STDOUT_FILENO, text, len);
	if (!err && len && text[len - 1] != '\n')
		err = file_write_all(STDOUT_FILENO, "\n", 1);
	log_say("report end");
	free(text);
	return err;
}

static void say_delivery(const struct boot *b)
{
	char reason[128];

	if (*stages_run_reason(b, reason, sizeof(reason)))
		log_say("result: the run did not end by itself: %s", reason);
	switch (b->stage[STAGE_UPLOAD].status) {
	case STAGE_OK:
		log_say("result: delivered");
		break;
	case STAGE_SKIPPED:
		log_say("result: not delivered: no upload was asked for");
		break;
	case STAGE_TIMEOUT:
		log_say("result: not delivered: the upload took too long");
		break;
	default:
		log_say("result: not delivered: the upload failed, see its lines above");
	}
}

int work_result(struct boot *b)
{
	unsigned int linger_s = (unsigned int)stages_linger_s(b);
	int err = show_report();

	say_delivery(b);
	log_say("result: stays for %u s, then: %s", linger_s, end_word(end_choose(b)));
	for (unsigned int left = linger_s; left;)
		left = sleep(left);
	return err;
}
