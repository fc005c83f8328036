/* SPDX-License-Identifier: MIT */
/* init's lock is told from a disk's own write protection. */
#include <unistd.h>

#include "bench/run/guarded.h"
#include "lib/file.h"
#include "tests/unit/tap.h"

int main(void)
{
	static const char *const names[] = { "sda", "sdb", "nvme0n1" };
	char dir[] = "/tmp/test_guarded.XXXXXX", path[64];
	struct disk_list list = { 0 };

	if (!mkdtemp(dir))
		tap_bail("no temporary folder");
	snprintf(path, sizeof(path), "%s/guarded", dir);
	for (size_t i = 0; i < 3; i++) {
		struct disk d = { .read_only = true };

		snprintf(d.name, sizeof(d.name), "%s", names[i]);
		if (disk_list_add(&list, &d))
			tap_bail("no memory");
	}
	is_uint(guarded_apply(&list, 0, dir), 0, "no list");
	ok(list.disk[0].read_only, "leaves all as they are");
	file_replace(path, "sda\nsda1\n\nsd\nnvme0n1", 21);
	is_uint(guarded_apply(&list, 1, dir), 1, "disks before the first asked for are left out");
	ok(list.disk[0].read_only && !list.disk[2].read_only, "the named one is not protected");
	is_uint(guarded_apply(&list, 0, dir), 2, "both that are named");
	ok(!list.disk[0].read_only, "are not protected by themselves");
	ok(list.disk[1].read_only, "a disk that is not named is, also when its name begins alike");
	unlink(path);
	rmdir(dir);
	disk_list_free(&list);
	return tap_done();
}
