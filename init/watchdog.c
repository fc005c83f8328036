/* SPDX-License-Identifier: MIT */
/*
 * The hardware watchdog: fed only while PID 1 says that the boot is within its deadlines, so that a
 * machine whose kernel, PID 1 or reboot hangs is reset. Feeding may block in a driver (IPMI asks a
 * second computer), which is why it has a process of its own.
 *
 * The timer is never stopped on a failure; only a wanted halt does so (the magic 'V').
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/watchdog.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "init/boot.h"
#include "init/log.h"
#include "init/work.h"
#include "lib/clock.h"
#include "lib/text.h"

#define TIMEOUT_S 120		/* asked for; the hardware may know shorter ones only */
#define FEEDS_PER_TIMEOUT 4
#define FEED_MAX_S 10
#define TICK_NS (200 * NS_PER_MS)	/* how soon a wish to stop the timer is seen */

static void say_armed(int fd, int timeout_s)
{
	struct watchdog_info info = { 0 };
	char name[sizeof(info.identity) + 1] = "";
	int status = 0;

	if (!ioctl(fd, WDIOC_GETSUPPORT, &info))
		text_clean(name, sizeof(name), info.identity,
			   strnlen((const char *)info.identity, sizeof(info.identity)));
	log_say("watchdog: %s: resets the machine after %d s of standstill",
		name[0] ? name : "armed", timeout_s);
	if (!ioctl(fd, WDIOC_GETBOOTSTATUS, &status) && (status & WDIOF_CARDRESET))
		log_say("watchdog: the last boot of this machine was ended by its watchdog");
}

static void feed(int fd)
{
	int err = ioctl(fd, WDIOC_KEEPALIVE, 0) ? errno : 0;

	/* Nothing is lost yet when one feeding fails: there are FEEDS_PER_TIMEOUT. */
	if (err)
		log_say("watchdog: cannot be fed: %s", strerror(err));
}

int work_watchdog(struct boot *b)
{
	const struct timespec tick = { .tv_nsec = (long)TICK_NS };
	int timeout_s = TIMEOUT_S, fd = open("/dev/watchdog", O_WRONLY | O_CLOEXEC);
	uint64_t next_ns = 0, every_ns;

	if (fd < 0 && (errno == ENOENT || errno == ENODEV)) {
		log_say("watchdog: none");
		return -ECANCELED;
	}
	if (fd < 0) {
		int err = -errno;

		log_say("watchdog: cannot be armed: %s", strerror(-err));
		return err;
	}
	if (ioctl(fd, WDIOC_SETTIMEOUT, &timeout_s) && ioctl(fd, WDIOC_GETTIMEOUT, &timeout_s))
		timeout_s = TIMEOUT_S;
	if (timeout_s < FEEDS_PER_TIMEOUT)
		timeout_s = FEEDS_PER_TIMEOUT;
	say_armed(fd, timeout_s);
	every_ns = (uint64_t)timeout_s * NS_PER_S / FEEDS_PER_TIMEOUT;
	if (every_ns > FEED_MAX_S * NS_PER_S)
		every_ns = FEED_MAX_S * NS_PER_S;
	for (;;) {
		uint64_t now = clock_ns();

		if (b->disarm_watchdog) {
			if (write(fd, "V", 1) == 1)
				log_say("watchdog: disarmed");
			close(fd);
			return 0;
		}
		if (now >= next_ns && now < b->pet_until_ns) {
			feed(fd);
			next_ns = now + every_ns;
		}
		nanosleep(&tick, NULL);
	}
}
