/* SPDX-License-Identifier: MIT */
/* The engines there are. A new one is a file beside this one and a row here. */
#include "bench/io/engine.h"

#include <string.h>

const struct io_engine *const io_engine_table[] = {
	&io_engine_libaio,
	&io_engine_uring,
	&io_engine_sync,
	&io_engine_null,
};
const size_t io_engine_table_n = sizeof(io_engine_table) / sizeof(io_engine_table[0]);

const struct io_engine *io_engine_find(const char *name)
{
	for (size_t i = 0; i < io_engine_table_n; i++)
		if (!strcmp(io_engine_table[i]->name, name))
			return io_engine_table[i];
	return NULL;
}
