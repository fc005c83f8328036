/* SPDX-License-Identifier: MIT */
/*
 * All output on all consoles. Everybody writes into one pipe; the stage `console` copies it to the
 * consoles and to a log file. A console that is slow, stuck or gone loses lines, and says how many;
 * it never holds up a writer or another console.
 */
#ifndef INIT_CONSOLE_H
#define INIT_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONSOLE_MAX 8
#define CONSOLE_NAME_BYTES 32
#define CONSOLE_PATH_BYTES (CONSOLE_NAME_BYTES + 8)
#define CONSOLE_RING_BYTES (128 * 1024)		/* what a slow console may lie behind */
#define CONSOLE_LOG_BYTES (1024 * 1024)		/* console.log ends there */

/*
 * Fills `names` with the consoles' device names below /dev: the kernel's active ones
 * (/sys/class/tty/console/active) and tty0; where none of them is known, /dev/console. Returns how
 * many.
 */
unsigned int console_names(char names[CONSOLE_MAX][CONSOLE_NAME_BYTES]);

/* The same from the text of `active`; tty0 is added where it is missing. For work on any text. */
unsigned int console_names_of(const char *active, char names[CONSOLE_MAX][CONSOLE_NAME_BYTES]);

/* Writes the path of the console `name`'s device. */
void console_path(char path[CONSOLE_PATH_BYTES], const char *name);

/* A stream's last CONSOLE_RING_BYTES, addressed by how many bytes came before. */
struct console_ring {
	uint64_t head;		/* bytes ever put in */
	unsigned char before;	/* the last byte seen by the filter */
	char data[CONSOLE_RING_BYTES];
};

/*
 * Puts in `len` bytes. Control characters of a terminal (all but newline and tab, also the C1 ones
 * in UTF-8) become '?', so that no text of outside can steer the screen; "\r\n" and "\r" become
 * "\n".
 */
void console_ring_put(struct console_ring *r, const char *from, size_t len);

/*
 * What a reader at `*at` may write next: at most up to the ring's end in memory. A reader that fell
 * out of the ring is moved to the first whole line of its newer half and *lost grows by what it
 * missed. Returns the bytes at *data, 0 where it has seen everything.
 */
size_t console_ring_get(const struct console_ring *r, uint64_t *at, uint64_t *lost,
			const char **data);

#endif
