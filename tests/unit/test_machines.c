/* SPDX-License-Identifier: MIT */
/*
 * Whole machines: each tests/fixtures/machines/NAME.tree is read as a run would read it, and its
 * inventory is NAME.json beside it, byte for byte. GOLDEN_UPDATE=1 stores instead: then look at
 * every line of `git diff`. With names as arguments only those machines are read.
 */
#include <glob.h>
#include <yyjson.h>

#include "bench/model/report.h"
#include "bench/sys/machine.h"
#include "tests/unit/golden.h"
#include "tests/unit/machine_tree.h"
#include "tests/unit/tap.h"

#define FOLDER "tests/fixtures/machines/"
#define MACHINES_MIN 12

/* The machine alone, as the report has it, malloc'ed. */
static char *inventory(const struct report *r, size_t *len)
{
	size_t all_len;
	char *all = report_json_write(r, &all_len), *text = NULL;
	yyjson_doc *doc = all ? yyjson_read(all, all_len, 0) : NULL;
	char *json = doc ? yyjson_val_write(yyjson_obj_get(yyjson_doc_get_root(doc), "machine"),
					    YYJSON_WRITE_PRETTY_TWO_SPACES, len) : NULL;

	if (json && (text = malloc(*len + 2)))
		*len = (size_t)snprintf(text, *len + 2, "%s\n", json);
	free(json);
	yyjson_doc_free(doc);
	free(all);
	return text;
}

static void check_machine(const char *tree, size_t i)
{
	static struct report r;
	struct sysfs_fixture f;
	char path[256], *json;
	size_t len = 0;

	machine_tree_make(&f, tree);
	machine_read(f.root, &r.machine);
	sysfs_fixture_remove(&f);
	json = inventory(&r, &len);
	if (!ok(json != NULL, "machine %zu of %s has an inventory", i, tree))
		return;
	snprintf(path, sizeof(path), "%.*s.json", (int)(strlen(tree) - 5), tree);
	golden_is(path, json, len);
	free(json);
}

int main(int argc, char **argv)
{
	char path[256];
	glob_t found;

	for (int i = 1; i < argc; i++) {
		snprintf(path, sizeof(path), FOLDER "%s.tree", argv[i]);
		check_machine(path, (size_t)i);
	}
	if (argc > 1)
		return tap_done();
	if (glob(FOLDER "*.tree", 0, NULL, &found) != 0)
		tap_bail("no machines: run from the project's folder");
	ok(found.gl_pathc >= MACHINES_MIN, "there are at least %d machines",
	   MACHINES_MIN);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_machine(found.gl_pathv[i], i + 1);
	globfree(&found);
	return tap_done();
}
