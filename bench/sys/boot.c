/* SPDX-License-Identifier: MIT */
/* How the machine was booted: by which kind of firmware, and with what words for the kernel. */
#include <string.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/secrets.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

#define COMMAND_LINE_BYTES 4097	/* the kernel's own limit on x86 is 2,048 */

/*
 * Without EFI an x86 that has a firmware's table was booted by a BIOS. Elsewhere, and in guests
 * without any firmware, there is nothing to say.
 */
static void read_firmware(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES];
	const char *boot = "";

	if (!sysfs_join(dir, root, "sys"))
		return;
	if (sysfs_is_dir(dir, "firmware/efi"))
		boot = "uefi";
	else if (m->cpu.family >= 0 && sysfs_is_dir(dir, "class/dmi/id"))
		boot = "bios";
	text_copy(m->bios.boot, sizeof(m->bios.boot), boot);
}

static void read_command_line(const char *root, struct machine_info *m)
{
	char dir[SYSFS_PATH_BYTES], text[COMMAND_LINE_BYTES + 64];

	if (!sysfs_join(dir, root, "proc") ||
	    !sysfs_read_text(dir, "cmdline", text, COMMAND_LINE_BYTES))
		return;
	/* before it is cut: half a secret would be one no longer */
	secrets_mask(text, sizeof(text));
	text_copy(m->command_line, sizeof(m->command_line), text);
}

void boot_read(const char *root, struct machine_info *m)
{
	read_firmware(root, m);
	read_command_line(root, m);
}
