/* SPDX-License-Identifier: MIT */
/*
 * door_ask.c - how does a client ask, and get its answer?
 *
 * Waits, but never for ever unless it is told so: the scheduler may be stopped at any moment.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "door_packet.h"

/* Through the folder's descriptor, since the path of a socket must be short. */
int door_knock(const char *dir, struct err *err)
{
	int folder = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), failed = 0;
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" DOOR_SOCKET, folder);
	if (folder < 0 || connection < 0 ||
	    connect(connection, (const struct sockaddr *)&address, sizeof address) != 0)
		failed = errno;
	if (folder >= 0)
		close(folder);
	if (failed == 0)
		return connection;
	if (connection >= 0)
		close(connection);
	err_set(err, "no scheduler answers at %s/" DOOR_SOCKET ": %s; 'kahu serve' starts one", dir,
		strerror(failed));
	errno = failed;
	return -1;
}

/* Milliseconds of the monotonic clock. */
static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until a moment; negative: for ever. */
static bool wait_for(int connection, short events, int64_t until_ms, struct err *err)
{
	struct pollfd fd = {.fd = connection, .events = events};
	int64_t left_ms = until_ms < 0 ? -1 : until_ms - now_ms();
	int got;

	do
		got = left_ms < 0 && until_ms >= 0 ? 0 : poll(&fd, 1, (int)left_ms);
	while (got < 0 && errno == EINTR);
	return got > 0 || err_set(err, "the scheduler does not answer");
}

static bool send_all(int connection, const void *bytes, size_t size, int64_t until_ms, struct err *err)
{
	const char *at = bytes;

	do {
		size_t part = size < DOOR_PACKET ? size : DOOR_PACKET;

		if (packet_send(connection, PACKET_DATA, part == size, at, part, -1) >= 0) {
			at += part;
			size -= part;
			if (size == 0)
				return true;
		} else if (errno == EPIPE || errno == ECONNRESET) {
			return true; /* it has said why, perhaps: that is still to be read */
		} else if (errno != EAGAIN) {
			return err_set(err, "the scheduler cannot be asked: %s", strerror(errno));
		} else if (!wait_for(connection, POLLOUT, until_ms, err)) {
			return false;
		}
	} while (true);
}

/* One packet of the answer; *done with the last. */
static bool take_packet(struct packet *p, struct str *answer, int *fd, bool *done, struct err *err)
{
	if (p->kind == PACKET_REFUSAL)
		return err_set(err, "%.*s", (int)p->size, (const char *)p->bytes);
	str_add_bytes(answer, p->bytes, p->size);
	if (p->fd >= 0 && *fd >= 0)
		close(p->fd);
	else if (p->fd >= 0)
		*fd = p->fd;
	*done = p->last;
	return true;
}

static bool receive_all(int connection, struct str *answer, int *fd, int64_t until_ms, struct err *err)
{
	struct packet p;
	bool done = false;

	while (!done) {
		switch (packet_receive(connection, &p)) {
		case PACKET_WHOLE:
			if (!take_packet(&p, answer, fd, &done, err))
				return false;
			break;
		case PACKET_LATER:
			if (!wait_for(connection, POLLIN, until_ms, err))
				return false;
			break;
		case PACKET_CLOSED:
			return err_set(err, "the scheduler has gone before it answered");
		case PACKET_WRONG:
			return err_set(err, "what answers there is no scheduler of kahu");
		}
	}
	return true;
}

bool door_ask(int connection, const void *bytes, size_t size, struct str *answer, int *fd, int wait_ms,
	      struct err *err)
{
	int64_t until_ms = wait_ms < 0 ? -1 : now_ms() + wait_ms;

	*fd = -1;
	if (send_all(connection, bytes, size, until_ms, err) &&
	    receive_all(connection, answer, fd, until_ms, err))
		return true;
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return false;
}
