/* SPDX-License-Identifier: MIT */
/* The console's ring, filter and names. */
#include "tests/unit/tap.h"

#include "init/console.h"

static struct console_ring ring;

static void put(const char *text)
{
	console_ring_put(&ring, text, strlen(text));
}

/* All that a reader at `*at` can have, as text. */
static const char *all(uint64_t *at, uint64_t *lost)
{
	static char text[CONSOLE_RING_BYTES + 1];
	const char *data;
	size_t len, used = 0;

	while ((len = console_ring_get(&ring, at, lost, &data)) > 0) {
		memcpy(text + used, data, len);
		used += len;
		*at += len;
	}
	text[used] = '\0';
	return text;
}

static const char *filtered(const char *text)
{
	uint64_t at, lost = 0;

	memset(&ring, 0, sizeof(ring));
	at = 0;
	put(text);
	return all(&at, &lost);
}

static void test_filter(void)
{
	is_str(filtered("plain\ttext\n"), "plain\ttext\n", "text goes through");
	is_str(filtered("a\033[2Jb\007c\177d\bE"), "a?[2Jb?c?d?E", "controls do not");
	is_str(filtered("x\r\ny\rz\r\r\n"), "x\ny\nz\n\n", "every return ends a line, once");
	is_str(filtered("\xc3\xa4\xc2\xb5\xe2\x82\xac"), "\xc3\xa4\xc2\xb5\xe2\x82\xac",
	       "UTF-8 stays");
	is_str(filtered("a\xc2\x9b" "31mb"), "a?31mb", "C1 controls in UTF-8 do not");
	is_str(filtered("\xc2\xc2\x9b\xc2z"), "\xc2?\xc2z", "nor behind a broken letter");
	memset(&ring, 0, sizeof(ring));
	put("a\xc2");
	put("\x9b" "b\r");
	put("\nc");
	{
		uint64_t at = 0, lost = 0;

		is_str(all(&at, &lost), "a?b\nc", "the filter sees across writes");
	}
}

static void test_reader(void)
{
	uint64_t at = 0, lost = 0, slow = 0, slow_lost = 0;
	char line[64];
	const char *text;
	int n = 0;

	memset(&ring, 0, sizeof(ring));
	for (int i = 0; i < 20000; i++) {
		snprintf(line, sizeof(line), "line %d\n", i);
		put(line);
		text = all(&at, &lost);
		n += !strcmp(text, line);
	}
	is_int(n, 20000, "a reader that keeps up sees every line");
	is_uint(lost, 0, "and loses nothing");
	text = all(&slow, &slow_lost);
	ok(slow_lost > 0, "one that slept lost some");
	is_uint(slow, ring.head, "and is at the end again");
	is_uint(slow_lost + strlen(text), ring.head,
		"what it lost and what it got is all there was");
	ok(!strncmp(text, "line ", 5), "it goes on with a whole line");
	ok(strstr(text, "\nline 19999\n") != NULL, "up to the last");
}

static void test_no_line(void)
{
	static char block[CONSOLE_RING_BYTES * 3];
	uint64_t at = 0, lost = 0;

	memset(&ring, 0, sizeof(ring));
	memset(block, 'x', sizeof(block));
	console_ring_put(&ring, block, sizeof(block));
	is_uint(strlen(all(&at, &lost)), CONSOLE_RING_BYTES / 2,
		"without any newline half a ring is left");
	is_uint(lost, sizeof(block) - CONSOLE_RING_BYTES / 2, "and the rest is counted");
}

static void test_names(void)
{
	char names[CONSOLE_MAX][CONSOLE_NAME_BYTES], path[CONSOLE_PATH_BYTES];

	is_uint(console_names_of("", names), 1, "the screen is always tried");
	is_str(names[0], "tty0", "as tty0");
	is_uint(console_names_of("tty0 ttyS0\n", names), 2, "two");
	is_str(names[1], "ttyS0", "the serial one");
	is_uint(console_names_of("ttyS0 tty0 ttyS0 hvc0", names), 3, "each once");
	is_uint(console_names_of("../x a/b . .. ttyS1", names), 2, "a name is no path");
	is_uint(console_names_of("a b c d e f g h i j k", names), CONSOLE_MAX, "no more than fit");
	is_uint(console_names_of("0123456789012345678901234567890123456789 ttyS0", names), 2,
		"a name too long is none");
	console_path(path, "ttyS0");
	is_str(path, "/dev/ttyS0", "its device");
}

int main(void)
{
	test_filter();
	test_reader();
	test_no_line();
	test_names();
	return tap_done();
}
