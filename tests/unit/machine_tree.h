/* SPDX-License-Identifier: MIT */
/*
 * Whole machines from files: tests/fixtures/machines/NAME.tree is what sysfs_fixture.h describes,
 * and what makes such a tree short:
 *
 *	%for 0-7,12		the lines up to %end once for each number; in them {i} is the number
 *	...			and {i/2%4*3:02x} is worked out from left to right, printed as %02x
 *	%end
 *	%file proc/cpuinfo	the lines up to %end, with a newline each, as one file; \xHH \\ as
 *	...			there. A %for may stand inside.
 *	%end
 *	%smbios 3.2		smbios_text.h up to %end: sys/firmware/dmi/tables is made of it
 *	...
 *	%end
 *
 * A line that ends in a backslash goes on in the next one, whose tabs in front are dropped. After
 * a %file or %smbios the folder is the root again.
 */
#ifndef TESTS_UNIT_MACHINE_TREE_H
#define TESTS_UNIT_MACHINE_TREE_H

#include "tests/unit/sysfs_fixture.h"

/* Makes the tree of a file. A mistake in it ends the test; sysfs_fixture_remove removes it. */
void machine_tree_make(struct sysfs_fixture *f, const char *path);

#endif
