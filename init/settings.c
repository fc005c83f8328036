/* SPDX-License-Identifier: MIT */
/* The stage `options`: config file, then kernel command line, and what of them could not be
 * used. */
#include <errno.h>
#include <string.h>

#include "init/boot.h"
#include "init/log.h"
#include "init/work.h"

#define SHOWN_BYTES 256

static void say_options(const struct options *o)
{
	char shown[SHOWN_BYTES];

	for (int i = 0; i < OPT_COUNT; i++)
		if (options_given(o, (enum opt_id)i))
			log_say("options: %s=%s", options_table[i].name,
				options_shown(o, (enum opt_id)i, shown, sizeof(shown)));
	for (uint32_t i = 0; i < o->note_n && i < OPT_NOTES_MAX; i++)
		log_say("options: %s", o->note[i]);
	if (o->note_n > OPT_NOTES_MAX)
		log_say("options: and %u more problems", (unsigned int)(o->note_n - OPT_NOTES_MAX));
}

int work_options(struct boot *b)
{
	static struct options o; /* too large for a stack; this process is the only one with it */
	int err;

	options_init(&o);
	err = options_file(&o, BOOT_CONFIG);
	if (err && err != -ENOENT)
		log_say("options: %s: %s", BOOT_CONFIG, strerror(-err));
	err = options_kernel_file(&o, BOOT_CMDLINE);
	if (err < 0)
		log_say("options: %s: %s", BOOT_CMDLINE, strerror(-err));
	say_options(&o);
	b->options = o;
	return err < 0 ? err : 0;
}
