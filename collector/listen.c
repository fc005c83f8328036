/* SPDX-License-Identifier: MIT */
/* The collector's listening socket: not made by the HTTP library, for exact error messages. */
#include "collector/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/text.h"

#define BACKLOG 128

/* Splits ADDRESS:PORT; brackets around the address go. Returns false where it has no such form. */
static bool split(const char *where, char *address, size_t address_size, char *port,
		  size_t port_size)
{
	const char *colon = strrchr(where, ':');
	const char *start = where;
	size_t len;

	if (!colon || colon == where || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
	    !colon[1] || strlen(colon + 1) >= port_size)
		return false;
	len = (size_t)(colon - where);
	if (where[0] == '[') {
		if (len < 3 || where[len - 1] != ']')
			return false;
		start++;
		len -= 2;
	} else if (memchr(where, ':', len)) {
		return false;	/* an IPv6 address without brackets: where does the port begin? */
	}
	if (len >= address_size)
		return false;
	memcpy(address, start, len);
	address[len] = '\0';
	text_copy(port, port_size, colon + 1);
	return true;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;

	if (address->ss_family == AF_INET)
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
	return address->ss_family == AF_INET6 &&
	       (IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) ||
		(IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr) && v6->sin6_addr.s6_addr[12] == 127));
}

/* Binds one address. Returns the socket or -errno. */
static int bind_one(const struct addrinfo *info)
{
	const int on = 1;
	int fd, err;

	fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
	    bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static int describe(int fd, char *name, bool *loopback)
{
	struct sockaddr_storage address = { 0 };
	socklen_t len = sizeof(address);
	char host[INET6_ADDRSTRLEN], port[8];

	if (getsockname(fd, (struct sockaddr *)(void *)&address, &len) < 0)
		return -errno;
	if (getnameinfo((const struct sockaddr *)(const void *)&address, len, host, sizeof(host),
			port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		return -EIO;
	snprintf(name, LISTEN_NAME_BYTES, address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
		 port);
	*loopback = is_loopback(&address);
	return 0;
}

static const char *next_step(int err)
{
	switch (err) {
	case -EADDRINUSE:
		return "; something listens there already: choose another port, or 0";
	case -EACCES:
		return "; a port below 1024 needs root: choose a higher one";
	case -EADDRNOTAVAIL:
		return "; it is no address of this host";
	default:
		return "";
	}
}

int listen_open(const char *where, char *name, bool *loopback, char *why, size_t why_bytes)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_PASSIVE | AI_NUMERICSERV };
	char address[256], port[8];
	struct addrinfo *info;
	int fd, err;

	if (!split(where, address, sizeof(address), port, sizeof(port)) ||
	    strtol(port, NULL, 10) > 65535) {
		snprintf(why, why_bytes, "no ADDRESS:PORT (as 127.0.0.1:8080 or [::1]:8080)");
		return -EINVAL;
	}
	err = getaddrinfo(address, port, &hints, &info);
	if (err) {
		snprintf(why, why_bytes, "%s", gai_strerror(err));
		return -EINVAL;
	}
	fd = bind_one(info);
	freeaddrinfo(info);
	err = fd < 0 ? fd : describe(fd, name, loopback);
	if (err) {
		snprintf(why, why_bytes, "%s%s", strerror(-err), next_step(err));
		if (fd >= 0)
			close(fd);
		return err;
	}
	return fd;
}
