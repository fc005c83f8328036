/* SPDX-License-Identifier: MIT */
/* Reads single attributes below a sysfs folder; see sysfs.h. */
#include "bench/sys/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/cpu_list.h"
#include "lib/file.h"
#include "lib/text.h"

#define LIST_BYTES_MAX (1u << 20)

bool sysfs_join(char to[SYSFS_PATH_BYTES], const char *dir, const char *name)
{
	int n = snprintf(to, SYSFS_PATH_BYTES, "%s/%s", dir, name);

	if (n >= 0 && n < SYSFS_PATH_BYTES)
		return true;
	to[0] = '\0';
	return false;
}

ssize_t sysfs_read_bytes(const char *dir, const char *name, void *buf, size_t size)
{
	char path[SYSFS_PATH_BYTES], value[SYSFS_VALUE_BYTES];
	ssize_t n;

	if (!sysfs_join(path, dir, name))
		return -ENAMETOOLONG;
	n = file_read(path, value, sizeof(value));
	if (n < 0)
		return n;
	if ((size_t)n > size)
		n = (ssize_t)size;
	memcpy(buf, value, (size_t)n);
	return n;
}

bool sysfs_read_text(const char *dir, const char *name, char *to, size_t size)
{
	char value[SYSFS_VALUE_BYTES];
	ssize_t n = sysfs_read_bytes(dir, name, value, sizeof(value));

	to[0] = '\0';
	/* fixed-width fields are padded with blanks or NULs: text_clean drops both */
	return n > 0 && text_clean(to, size, value, (size_t)n) > 0;
}

/* The attribute without white space at its end, for numbers. */
static bool read_word(const char *dir, const char *name, char word[32])
{
	ssize_t n = sysfs_read_bytes(dir, name, word, 31);

	if (n <= 0)
		return false;
	while (n > 0 && (word[n - 1] == '\n' || word[n - 1] == ' ' || word[n - 1] == '\0'))
		n--;
	word[n] = '\0';
	return n > 0 && !memchr(word, '\0', (size_t)n);
}

bool sysfs_read_u64(const char *dir, const char *name, uint64_t *value)
{
	char word[32], *end;
	unsigned long long v;
	int base = 10;

	if (!read_word(dir, name, word) || word[0] < '0' || word[0] > '9')
		return false;
	if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
		base = 16;
	errno = 0;
	v = strtoull(word, &end, base);
	if (errno || *end)
		return false;
	*value = v;
	return true;
}

bool sysfs_read_i64(const char *dir, const char *name, int64_t *value)
{
	char word[32], *end;
	long long v;

	if (!read_word(dir, name, word) || (word[0] != '-' && (word[0] < '0' || word[0] > '9')))
		return false;
	errno = 0;
	v = strtoll(word, &end, 10);
	if (errno || *end)
		return false;
	*value = v;
	return true;
}

unsigned *sysfs_read_list(const char *dir, const char *name, size_t *n)
{
	char path[SYSFS_PATH_BYTES], *text;
	unsigned *list;
	size_t len;

	*n = 0;
	if (!sysfs_join(path, dir, name) || file_load(path, LIST_BYTES_MAX, &text, &len) < 0)
		return NULL;
	list = cpu_list_parse(text, n);
	free(text);
	return list;
}

bool sysfs_exists(const char *dir, const char *name)
{
	char path[SYSFS_PATH_BYTES];
	struct stat st;

	return sysfs_join(path, dir, name) && stat(path, &st) == 0;
}

bool sysfs_is_dir(const char *dir, const char *name)
{
	char path[SYSFS_PATH_BYTES];
	struct stat st;

	return sysfs_join(path, dir, name) && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool sysfs_link_name(const char *dir, const char *name, char *to, size_t size)
{
	char path[SYSFS_PATH_BYTES], target[PATH_MAX];
	ssize_t n;

	to[0] = '\0';
	if (!sysfs_join(path, dir, name))
		return false;
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	return text_clean_str(to, size, sysfs_base(target)) > 0;
}

bool sysfs_resolve(const char *dir, const char *name, char to[SYSFS_PATH_BYTES])
{
	char path[SYSFS_PATH_BYTES], real[PATH_MAX];

	to[0] = '\0';
	if (!sysfs_join(path, dir, name) || !realpath(path, real))
		return false;
	if (strlen(real) >= SYSFS_PATH_BYTES)
		return false;
	strcpy(to, real);
	return true;
}

bool sysfs_parent(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

const char *sysfs_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_name(struct sysfs_names *names, size_t *room, const char *name)
{
	if (names->n == *room) {
		size_t more = *room ? *room * 2 : 32;
		char **list = reallocarray(names->name, more, sizeof(*list));

		if (!list)
			return -ENOMEM;
		names->name = list;
		*room = more;
	}
	names->name[names->n] = strdup(name);
	if (!names->name[names->n])
		return -ENOMEM;
	names->n++;
	return 0;
}

int sysfs_list(const char *dir, const char *name, struct sysfs_names *names)
{
	char path[SYSFS_PATH_BYTES];
	struct dirent *e;
	size_t room = 0;
	int err = 0;
	DIR *d;

	*names = (struct sysfs_names){ .name = NULL };
	if (!sysfs_join(path, dir, name))
		return -ENAMETOOLONG;
	d = opendir(path);
	if (!d)
		return -errno;
	while (!err && (e = readdir(d)))
		if (e->d_name[0] != '.')
			err = add_name(names, &room, e->d_name);
	closedir(d);
	if (err)
		sysfs_list_free(names);
	else if (names->n)
		qsort(names->name, names->n, sizeof(*names->name), by_bytes);
	return err;
}

void sysfs_list_free(struct sysfs_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct sysfs_names){ .name = NULL };
}
