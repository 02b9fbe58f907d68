/* SPDX-License-Identifier: MIT */
/*
 * service.c - messages to the service manager (sd_notify)
 */
#include "service.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/rm/monotonic.h"

/*
 * Converts $NOTIFY_SOCKET, a path or @NAME for an abstract socket, to an address. Returns false if it is
 * invalid.
 */
static bool address_of(const char *name, struct sockaddr_un *address, socklen_t *size)
{
	size_t len = strlen(name);

	if ((name[0] != '/' && name[0] != '@') || len < 2 || len >= sizeof address->sun_path)
		return false;
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	memcpy(address->sun_path, name, len);
	if (name[0] == '@')
		address->sun_path[0] = '\0';
	*size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	return true;
}

bool service_notify(const char *text)
{
	const char *name = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address;
	socklen_t size;
	bool told;
	int fd;

	if (name == NULL || !address_of(name, &address, &size))
		return false;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	told = sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&address,
		      size) == (ssize_t)strlen(text);
	close(fd);
	return told;
}

bool service_notify_reload(void)
{
	char text[64];

	snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, monotonic_ns() / 1000);
	return service_notify(text);
}

/* A program started by a watched service inherits the variables; the PID says which process is meant. */
int service_watchdog_ms(void)
{
	const char *grants = getenv("WATCHDOG_USEC"), *whom = getenv("WATCHDOG_PID");
	int64_t grants_us, pid, half_ms;

	if (grants == NULL || !str_read_whole(grants, &grants_us) || grants_us <= 0)
		return 0;
	if (whom != NULL && (!str_read_whole(whom, &pid) || pid != getpid()))
		return 0;
	half_ms = grants_us / 2000;
	return half_ms < 1 ? 1 : half_ms > INT_MAX ? INT_MAX : (int)half_ms;
}

bool service_is_journal(int fd)
{
	const char *stream = getenv("JOURNAL_STREAM");
	char here[64];
	struct stat st;

	if (stream == NULL || fstat(fd, &st) != 0)
		return false;
	snprintf(here, sizeof here, "%llu:%llu", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	return strcmp(stream, here) == 0;
}
