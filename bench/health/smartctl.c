/* SPDX-License-Identifier: MIT */
/* Where smartctl is, and how it is called; see smartctl.h. */
#include "bench/health/smartctl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "smartctl"
/* A root shell of a rescue system often lacks the folders of administrators' programs. */
#define USUAL "/usr/sbin:/sbin:/usr/local/sbin:/usr/bin:/bin"

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Looks through a list of folders; only whole paths: the current folder proves nothing. */
static bool find_in(const char *folders, char path[SMARTCTL_PATH_BYTES])
{
	while (*folders) {
		size_t len = strcspn(folders, ":");

		if (*folders == '/' && len < SMARTCTL_PATH_BYTES / 2) {
			snprintf(path, SMARTCTL_PATH_BYTES, "%.*s/" NAME, (int)len, folders);
			if (is_program(path))
				return true;
		}
		folders += len + (folders[len] == ':');
	}
	return false;
}

bool smartctl_find(char path[SMARTCTL_PATH_BYTES])
{
	char own[SMARTCTL_PATH_BYTES / 2];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
	const char *folders = getenv("PATH");
	char *slash;

	if (n > 0) {
		own[n] = '\0';
		slash = strrchr(own, '/');
		if (slash) {
			*slash = '\0';
			snprintf(path, SMARTCTL_PATH_BYTES, "%s/" NAME, own);
			if (is_program(path))
				return true;
		}
	}
	if (find_in("/bin", path) || (folders && find_in(folders, path)) || find_in(USUAL, path))
		return true;
	path[0] = '\0';
	return false;
}

void smartctl_ask_device(struct ask *a, const char *path, const char *device, const char *type)
{
	size_t n = 0;

	a->argv[n++] = path;
	a->argv[n++] = "--json=c";
	a->argv[n++] = "-x";
	/* a drive in standby is left alone, and this exit status says so: see decode.c */
	a->argv[n++] = "--nocheck=standby,3";
	if (*type) {
		a->argv[n++] = "-d";
		a->argv[n++] = type;
	}
	a->argv[n++] = device;
	a->argv[n] = NULL;
}

void smartctl_ask_scan(struct ask *a, const char *path)
{
	a->argv[0] = path;
	a->argv[1] = "--json=c";
	a->argv[2] = "--scan";
	a->argv[3] = NULL;
}
