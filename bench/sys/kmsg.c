/* SPDX-License-Identifier: MIT */
/*
 * The tail of the kernel log: warnings, and what concerns storage. It explains a bad number when
 * nothing else does. What people put on the kernel command line can be secret, and the kernel logs
 * that line.
 */
#include "bench/sys/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/sys/machine.h"
#include "bench/sys/secrets.h"
#include "lib/text.h"

#define RECORD_BYTES 16384	/* the kernel's own limit is 8,192 (CONSOLE_EXT_LOG_MAX) */
#define LEVEL_WARNING 4

/* Any of these makes a line one about storage. */
static const char *const storage_words[] = {
	"I/O error", "I/O timeout", "Buffer I/O", "critical medium", "critical target",
	"blk_update", "nvme", "Sense Key", "Add. Sense", "FAILED Result", "Attached SCSI",
	"sector size",
	"link is slow", "SATA link", "hard resetting link", "failed command", "exception Emask",
	"Medium Error", "task abort", "device reset", "usb-storage", "uas_eh", "mmcblk", "mpt3sas",
	"mpt2sas", "megaraid", "megasas", "hpsa", "smartpqi", "aacraid", "arcmsr", "virtio_blk",
	"detected capacity change", "offlined", "blocked for more than",
};

/* A block device's name as a word: "sda", "sd 0:0:0:0", "vdb", "xvda", "ata3.00", "sr0". */
static bool names_disk(const char *text)
{
	static const char *const starts[] = { "sd", "vd", "xvd", "hd", "ata", "sr", "loop", "md" };

	for (const char *s = text; *s; s += strcspn(s, " [(")) {
		s += strspn(s, " [(");
		for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
			size_t n = strlen(starts[i]), letters, digits;

			if (strncmp(s, starts[i], n))
				continue;
			letters = strspn(s + n, "abcdefghijklmnopqrstuvwxyz");
			digits = strspn(s + n + letters, "0123456789.");
			if (letters > 2 || (!letters && !digits && s[n] != ' '))
				continue;
			if (!s[n + letters + digits] || strchr(" ]):,", s[n + letters + digits]))
				return true;
		}
	}
	return false;
}

static bool about_storage(const char *text)
{
	for (size_t i = 0; i < sizeof(storage_words) / sizeof(*storage_words); i++)
		if (strcasestr(text, storage_words[i]))
			return true;
	return names_disk(text);
}

bool kmsg_line(const char *record, size_t len, char line[KMSG_LINE_BYTES])
{
	unsigned long long sequence, micros;
	const char *text, *end;
	char head[96], clean[KMSG_LINE_BYTES - 32];
	unsigned priority;

	line[0] = '\0';
	text = memchr(record, ';', len);
	if (!text || (size_t)(text - record) >= sizeof(head))
		return false;
	memcpy(head, record, (size_t)(text - record));
	head[text - record] = '\0';
	if (sscanf(head, "%u,%llu,%llu", &priority, &sequence, &micros) != 3)
		return false;
	text++;
	end = memchr(text, '\n', len - (size_t)(text - record));
	text_clean(clean, sizeof(clean), text, end ? (size_t)(end - text) :
		   len - (size_t)(text - record));
	snprintf(line, KMSG_LINE_BYTES, "[%5llu.%06llu] %s", micros / 1000000, micros % 1000000,
		 clean);
	secrets_mask(line, KMSG_LINE_BYTES);
	return clean[0] && ((priority & 7) <= LEVEL_WARNING || about_storage(clean));
}

int kmsg_tail_init(struct kmsg_tail *t, size_t limit)
{
	*t = (struct kmsg_tail){ .limit = limit };
	t->text = malloc(2 * limit + 1);
	return t->text ? 0 : -ENOMEM;
}

/* Keeps whole lines at the end, at most `limit` bytes. */
static void trim(struct kmsg_tail *t)
{
	size_t from = t->used > t->limit ? t->used - t->limit : 0;

	while (from > 0 && from < t->used && t->text[from - 1] != '\n')
		from++;
	memmove(t->text, t->text + from, t->used - from);
	t->used -= from;
}

void kmsg_tail_add(struct kmsg_tail *t, const char *line)
{
	size_t n = strlen(line);

	if (n + 1 > t->limit)
		return;
	if (t->used + n + 1 > 2 * t->limit)
		trim(t);
	memcpy(t->text + t->used, line, n);
	t->used += n;
	t->text[t->used++] = '\n';
}

char *kmsg_tail_take(struct kmsg_tail *t)
{
	char *text = t->text;

	trim(t);
	text[t->used] = '\0';
	*t = (struct kmsg_tail){ .text = NULL };
	return text;
}

/* Reads one record. Returns its length, 0 at the end of the log, or -errno. */
static ssize_t read_record(int fd, char *record, size_t size)
{
	for (;;) {
		ssize_t n = read(fd, record, size);

		/*
		 * EPIPE: records were overwritten meanwhile; the next read goes on with the oldest
		 * left
		 */
		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		return n;
	}
}

int kmsg_read(void (*take)(void *context, const char *record, size_t len), void *context)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	char record[RECORD_BYTES];
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = read_record(fd, record, sizeof(record))) > 0)
		take(context, record, (size_t)n);
	close(fd);
	return (int)n;
}

/* Priority is facility * 8 + level; the kernel's facility is 0 and nobody else can have it. */
bool kmsg_is_kernels(const char *record, size_t len)
{
	size_t digits = 0;

	while (digits < len && record[digits] >= '0' && record[digits] <= '9')
		digits++;
	return digits == 1 && len > 1 && record[0] < '8' && record[1] == ',';
}

static void add_wanted(void *context, const char *record, size_t len)
{
	char line[KMSG_LINE_BYTES];

	if (kmsg_line(record, len, line))
		kmsg_tail_add(context, line);
}

char *machine_kernel_log(size_t limit_bytes)
{
	struct kmsg_tail tail;

	if (kmsg_tail_init(&tail, limit_bytes) < 0)
		return NULL;
	if (kmsg_read(add_wanted, &tail) < 0) {
		free(tail.text);
		return NULL;
	}
	return kmsg_tail_take(&tail);
}
