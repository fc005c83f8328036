/* SPDX-License-Identifier: MIT */
/* Opening disks: what opens, what does not and why, and what never returns. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/sys/discover.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "tests/unit/disk_lines.h"
#include "tests/unit/sysfs_fixture.h"
#include "tests/unit/tap.h"

#define MS_TIMEOUT 300

/* A disk of that name whose node is NAME below the fixture's dev. */
static void add_disk(struct disk_list *l, const struct sysfs_fixture *f, const char *name)
{
	struct disk d = { .skip = DISK_TAKEN, .size_bytes = 4096, .path_n = 1, .transport = "scsi"
		};

	snprintf(d.name, sizeof(d.name), "%s", name);
	snprintf(d.node, sizeof(d.node), "%s/dev/%s", f->root, name);
	snprintf(d.identity, sizeof(d.identity), "path:%s", name);
	if (disk_list_add(l, &d))
		tap_bail("no memory");
}

static void add_fifo(struct disk_list *l, const struct sysfs_fixture *f, const char *name)
{
	add_disk(l, f, name);
	if (mkfifo(l->disk[l->n - 1].node, 0600) < 0)
		tap_bail("mkfifo");
}

static unsigned elapsed_ms(uint64_t since_ns)
{
	return (unsigned)((clock_ns() - since_ns) / NS_PER_MS);
}

static bool is_skip(const struct disk *d, enum disk_skip skip, const char *detail, const char *what)
{
	bool held = d->skip == skip && strstr(d->skip_detail, detail);

	ok(held, "%s: %s, \"%s\"", what, disk_skip_table[skip].word, detail);
	if (!held)
		tap_diag("got %s, \"%s\"", disk_skip_table[d->skip].word, d->skip_detail);
	return held;
}

static void without_devices(struct sysfs_fixture *f)
{
	struct disk_list l = { 0 };

	add_disk(&l, f, "missing");
	add_disk(&l, f, "file");
	sysfs_fixture_write(f, "dev/file", "x", 1);
	add_disk(&l, f, "folder");
	sysfs_fixture_add(f, "@dev\nfolder/\nloop -> loop\n");
	add_disk(&l, f, "loop");
	add_disk(&l, f, "nameless");
	l.disk[4].node[0] = '\0';
	add_disk(&l, f, "skipped");
	l.disk[5].skip = DISK_EXCLUDED;
	disks_probe(&l, MS_TIMEOUT);
	is_skip(&l.disk[0], DISK_CANNOT_OPEN, "there is no device node", "no node");
	ok(l.disk[1].skip == DISK_CANNOT_OPEN &&
	   (strstr(l.disk[1].skip_detail, "no block device") ||
	    strstr(l.disk[1].skip_detail, "O_DIRECT")),	/* which not every file system has */
	   "a plain file is not measured as a disk: %s", l.disk[1].skip_detail);
	ok(l.disk[2].skip == DISK_CANNOT_OPEN && l.disk[2].skip_detail[0],
	   "neither is a folder: %s", l.disk[2].skip_detail);
	is_skip(&l.disk[3], DISK_CANNOT_OPEN, strerror(ELOOP), "a link to itself");
	is_skip(&l.disk[4], DISK_CANNOT_OPEN, "no device node", "a device without a node");
	is_skip(&l.disk[5], DISK_EXCLUDED, "", "what is left alone is not opened");
	is_uint(l.disk[5].size_bytes, 4096, "and keeps its size");
	disk_list_free(&l);
}

/* A fifo without a writer: open(2) sleeps, as it does on a sick disk. */
static void never_returns(struct sysfs_fixture *f)
{
	struct disk_list l = { 0 };
	uint64_t start_ns;
	unsigned took_ms, no_answer = 0;
	char name[16];

	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "hang%d", i);
		add_fifo(&l, f, name);
	}
	add_disk(&l, f, "missing");
	start_ns = clock_ns();
	disks_probe(&l, MS_TIMEOUT);
	took_ms = elapsed_ms(start_ns);
	for (int i = 0; i < 8; i++)
		no_answer += l.disk[i].skip == DISK_NO_ANSWER;
	is_uint(no_answer, 8, "eight disks that do not answer are eight that do not answer");
	is_skip(&l.disk[0], DISK_NO_ANSWER, "did not return in 0.3 s", "with the time waited");
	is_skip(&l.disk[8], DISK_CANNOT_OPEN, "there is no device node", "the one beside them");
	ok(took_ms >= MS_TIMEOUT, "the time they are given is given (%u ms)", took_ms);
	ok(took_ms < 5 * MS_TIMEOUT, "all at once (%u ms)", took_ms);
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no child is left behind");
	disk_list_free(&l);
}

/* The child of `parent` that /proc lists, or 0. */
static pid_t find_child(pid_t parent)
{
	char path[64], text[512];
	pid_t found = 0;

	for (pid_t pid = parent + 1; pid < parent + 2000 && !found; pid++) {
		int owner = 0;

		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		if (file_read(path, text, sizeof(text)) > 0 && strrchr(text, ')') &&
		    sscanf(strrchr(text, ')'), ") %*c %d", &owner) == 1 && owner == parent)
			found = pid;
	}
	return found;
}

/* What the process's descriptor leads to; "" when it has no such one. */
static const char *descriptor(pid_t pid, int fd, char text[64])
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	n = readlink(path, text, 63);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/*
 * A child that cannot be ended must hold nothing of ours: whoever waits for our output to end would
 * wait for the disk. And when we die, it goes.
 */
static void child_holds_nothing(struct sysfs_fixture *f)
{
	struct disk_list l = { 0 };
	pid_t pid, child = 0;
	char text[64];
	int status;

	add_fifo(&l, f, "held");
	pid = fork();
	if (pid == 0) {
		disks_probe(&l, 60000);
		_exit(0);
	}
	for (int i = 0; i < 200 && !(child && descriptor(child, 3, text)[0]); i++) {
		usleep(10000);
		child = find_child(pid);
	}
	if (!ok(child > 0, "a disk is opened by a process of its own")) {
		kill(pid, SIGKILL);
		return;
	}
	for (int fd = 0; fd <= 2; fd++)
		is_str(descriptor(child, fd, text), "/dev/null", "its standard stream %d is not "
		       "ours", fd);
	ok(!strncmp(descriptor(child, 3, text), "pipe:", 5), "it holds the pipe for its answer");
	for (int fd = 4; fd < 64; fd++)
		if (descriptor(child, fd, text)[0])
			ok(false, "it holds %s as well", text);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	for (int i = 0; i < 200 && kill(child, 0) == 0; i++)
		usleep(10000);
	ok(kill(child, 0) < 0, "and it does not outlive us");
	disk_list_free(&l);
}

/*
 * A loop device over a file of `size` bytes. Returns its descriptor, or -1 (no right, no driver).
 */
static int make_loop(const struct sysfs_fixture *f, const char *file, off_t size, char device[32])
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), n, backing, fd;
	char path[DISK_PATH_BYTES];

	if (control < 0)
		return -1;
	n = ioctl(control, LOOP_CTL_GET_FREE);
	close(control);
	snprintf(device, 32, "/dev/loop%d", n);
	snprintf(path, sizeof(path), "%s/%s", f->root, file);
	backing = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	fd = n < 0 ? -1 : open(device, O_RDWR | O_CLOEXEC);
	if (backing < 0 || fd < 0 || ftruncate(backing, size) < 0 ||
	    ioctl(fd, LOOP_SET_FD, backing) < 0) {
		close(fd);
		fd = -1;
	}
	close(backing);
	return fd;
}

/* Makes the entry's node one of the device at `fd`. */
static void take_number(struct disk *d, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || mknod(d->node, S_IFBLK | 0600, st.st_rdev) < 0)
		tap_bail("mknod");
	d->major = major(st.st_rdev);
	d->minor = minor(st.st_rdev);
}

static void real_devices(struct sysfs_fixture *f)
{
	struct disk_list l = { 0 };
	char device[32];
	int fd = make_loop(f, "image", 1 << 20, device);

	if (fd < 0) {
		tap_skip("opening a loop device", "needs root and the loop driver");
		return;
	}
	add_disk(&l, f, "good");
	take_number(&l.disk[0], fd);
	l.disk[0].logical_block_bytes = 4096;	/* discovery was wrong */
	add_disk(&l, f, "other");
	take_number(&l.disk[1], fd);
	l.disk[1].minor += 1;
	/* one disk over three paths: the first hangs, the second is missing, the third opens */
	add_fifo(&l, f, "path0");
	add_disk(&l, f, "path1");
	add_disk(&l, f, "path2");
	take_number(&l.disk[4], fd);
	for (int i = 2; i < 5; i++)
		snprintf(l.disk[i].identity, sizeof(l.disk[i].identity), "wwn:1");
	for (int i = 3; i < 5; i++) {
		l.disk[i].skip = DISK_SECOND_PATH;
		snprintf(l.disk[i].skip_detail, sizeof(l.disk[i].skip_detail), "path0");
	}
	disks_probe(&l, MS_TIMEOUT);
	is_skip(&l.disk[0], DISK_TAKEN, "", "a device that opens");
	is_uint(l.disk[0].size_bytes, 1 << 20, "its size is what it says itself");
	is_uint(l.disk[0].logical_block_bytes, 512, "and so is its block size");
	is_skip(&l.disk[1], DISK_CANNOT_OPEN, "its device node is another device", "a wrong node");
	is_skip(&l.disk[2], DISK_NO_ANSWER, "did not return", "a path that hangs");
	is_skip(&l.disk[3], DISK_CANNOT_OPEN, "no device node", "the next path is tried, and "
		"fails");
	is_skip(&l.disk[4], DISK_TAKEN, "", "the last path stands for the disk");
	is_uint(l.disk[4].size_bytes, 1 << 20, "with its size");
	disk_list_free(&l);

	add_disk(&l, f, "unbound");
	take_number(&l.disk[0], fd);
	ioctl(fd, LOOP_CLR_FD, 0);
	close(fd);
	disks_probe(&l, MS_TIMEOUT);
	is_skip(&l.disk[0], DISK_ZERO_SIZE, "", "a loop device without a file");
	disk_list_free(&l);
}

/* As another user: root may open everything. */
static void not_permitted(struct sysfs_fixture *f)
{
	struct disk_list l = { 0 };
	int status = 1;
	pid_t pid;

	if (geteuid() != 0) {
		tap_skip("a disk that may not be opened", "needs root, to become another user");
		return;
	}
	add_disk(&l, f, "secret");
	if (mknod(l.disk[0].node, S_IFBLK | 0600, makedev(254, 255)) < 0 || chmod(f->root,
										  0755) < 0)
		tap_bail("mknod");
	pid = fork();
	if (pid == 0) {
		if (setresuid(65534, 65534, 65534) < 0)
			_exit(2);
		disks_probe(&l, MS_TIMEOUT);
		_exit(l.disk[0].skip == DISK_CANNOT_OPEN &&
		      strstr(l.disk[0].skip_detail, "run as root") ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
	   "without the right to open a disk, the reason says what would help");
	disk_list_free(&l);
}

int main(void)
{
	struct sysfs_fixture f;

	sysfs_fixture_make(&f, "");
	without_devices(&f);
	never_returns(&f);
	child_holds_nothing(&f);
	real_devices(&f);
	not_permitted(&f);
	sysfs_fixture_remove(&f);
	return tap_done();
}
