/* SPDX-License-Identifier: MIT */
/* Disk temperature from hwmon; see temperature.h. */
#include "bench/sys/temperature.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/file.h"

#define END_WAIT_NS (50 * NS_PER_MS)	/* for a reader that was killed */
#define END_STEP_NS NS_PER_MS

/* DIR/NAME is a sensor of a disk with a first input. */
static bool is_sensor(const char *dir, const char *name, char path[SYSFS_PATH_BYTES])
{
	char sensor[SYSFS_PATH_BYTES], driver[32];

	return sysfs_join(sensor, dir, name) &&
		sysfs_read_text(sensor, "name", driver, sizeof(driver)) &&
		(!strcmp(driver, "drivetemp") || !strcmp(driver, "nvme")) &&
		sysfs_exists(sensor, "temp1_input") && sysfs_join(path, sensor, "temp1_input");
}

/* A sensor among the entries of `dir`. */
static bool find_in(const char *dir, char path[SYSFS_PATH_BYTES])
{
	struct sysfs_names names;
	bool found = false;

	if (sysfs_list(dir, ".", &names) < 0)
		return false;
	for (size_t i = 0; i < names.n && !found; i++)
		found = !strncmp(names.name[i], "hwmon", 5) && is_sensor(dir, names.name[i], path);
	sysfs_list_free(&names);
	return found;
}

/*
 * The sensor of one block device: below its device, in a folder "hwmon" (drivetemp, whose parent is
 * a device of a bus) or without one (nvme, whose parent is one of a class).
 */
static bool find_of(const char *root, const char *name, char path[SYSFS_PATH_BYTES])
{
	char sys[SYSFS_PATH_BYTES], block[SYSFS_PATH_BYTES], dir[SYSFS_PATH_BYTES];
	char device[SYSFS_PATH_BYTES], folder[SYSFS_PATH_BYTES];

	if (!*name || strchr(name, '/') || !sysfs_join(sys, root, "sys") ||
	    !sysfs_join(block, sys, "block") || !sysfs_join(dir, block, name) ||
	    !sysfs_resolve(dir, "device", device))
		return false;
	return find_in(device, path) || (sysfs_join(folder, device, "hwmon") &&
					 find_in(folder, path));
}

bool temperature_find(const char *root, const struct disk *d, char path[SYSFS_PATH_BYTES])
{
	if (find_of(root, d->name, path))
		return true;
	for (uint32_t i = 0; i < d->path_n && i < DISK_PATHS_MAX; i++)
		if (find_of(root, d->path[i], path))
			return true;
	path[0] = '\0';
	return false;
}

bool temperature_read(const char *path, double *celsius)
{
	char dir[SYSFS_PATH_BYTES];
	int64_t milli;

	if (strlen(path) >= sizeof(dir))
		return false;
	strcpy(dir, path);
	if (!sysfs_parent(dir) || !sysfs_read_i64(dir, sysfs_base(path), &milli) || !milli ||
	    milli < TEMPERATURE_MIN_CELSIUS * 1000 || milli > TEMPERATURE_MAX_CELSIUS * 1000)
		return false;
	*celsius = (double)milli / 1000;
	return true;
}

/*
 * The reader must hold nothing else open: it may outlive its parent, and a disk that is held cannot
 * be opened exclusively, nor does a pipe end whose other side is held.
 */
static void keep_only(int fd)
{
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; i <= 2; i++)
		if (null < 0 || (null != i && dup2(null, i) < 0))
			close(i);
	if (dup2(fd, 3) < 0)
		_exit(1);
	if (syscall(SYS_close_range, 4u, ~0u, 0) == 0)
		return;
	for (int i = 4; i < 1024; i++)
		close(i);
}

static void read_for_ever(const char *path, uint64_t every_ns)
{
	const struct timespec pause = { .tv_sec = (time_t)(every_ns / NS_PER_S),
					.tv_nsec = (long)(every_ns % NS_PER_S) };
	struct temperature_value value;

	for (;;) {
		if (temperature_read(path, &value.celsius)) {
			value.at_ns = clock_ns();
			/* a whole value or none: it is far below PIPE_BUF */
			if (write(3, &value, sizeof(value)) != (ssize_t)sizeof(value) &&
			    errno != EAGAIN)
				return;
		}
		nanosleep(&pause, NULL);
	}
}

int temperature_watch_start(struct temperature_watch *w, const char *path, uint64_t every_ns)
{
	pid_t parent = getpid(), pid;
	int ends[2];

	*w = (struct temperature_watch){ .fd = -1 };
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	pid = fork();
	if (pid < 0) {
		int err = errno;

		close(ends[0]);
		close(ends[1]);
		return -err;
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		prctl(PR_SET_NAME, "bench-sensor");
		keep_only(ends[1]);
		read_for_ever(path, every_ns);
		_exit(0);
	}
	close(ends[1]);
	w->pid = pid;
	w->fd = ends[0];
	return 0;
}

bool temperature_watch_take(struct temperature_watch *w, struct temperature_value *value)
{
	return w->pid && read(w->fd, value, sizeof(*value)) == (ssize_t)sizeof(*value);
}

void temperature_watch_end(struct temperature_watch *w)
{
	const struct timespec step = { .tv_nsec = END_STEP_NS };

	if (!w->pid)
		return;
	kill(w->pid, SIGKILL);
	close(w->fd);
	for (uint64_t waited_ns = 0; waited_ns < END_WAIT_NS; waited_ns += END_STEP_NS) {
		if (waitpid(w->pid, NULL, WNOHANG) != 0)
			break;
		nanosleep(&step, NULL);
	}
	*w = (struct temperature_watch){ .fd = -1 };
}
