/* SPDX-License-Identifier: MIT */
/*
 * door_ask.c - requests of a client
 *
 * Every wait has a time limit, unless the caller wants none, because the scheduler may be suspended (SIGSTOP)
 * at any time.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "door_packet.h"
#include "sched/rm/monotonic.h"

#define KNOCK_S 10 /* time limit of connect(): the scheduler may be suspended, or its backlog full */

/*
 * Connects through the folder's descriptor, because the path of a socket must be short. Returns false with
 * errno set on failure.
 */
static bool connect_in(int connection, const char *dir)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const struct timeval patience = {.tv_sec = KNOCK_S};
	int folder = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), failed;

	if (folder < 0)
		return false;
	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" DOOR_SOCKET, folder);
	setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	failed = connect(connection, (const struct sockaddr *)&address, sizeof address) != 0 ? errno : 0;
	close(folder);
	errno = failed;
	return failed == 0;
}

/*
 * Does the scheduler run as root or as the client's own user? It must, because a request may be secret, and
 * the client computes with the state that it receives. This applies to root, too: another user's scheduler
 * could send root's process a state with malicious indexes. Sets *uid to the user of the scheduler.
 */
static bool is_of_root_or_mine(int connection, uid_t *uid)
{
	struct ucred cred;
	socklen_t size = sizeof cred;

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &cred, &size) != 0)
		return false;
	*uid = cred.uid;
	return cred.uid == 0 || cred.uid == geteuid();
}

static void say_why(const char *dir, int error, uid_t uid, struct err *err)
{
	if (error == ENOENT || error == ECONNREFUSED)
		err_set(err, "no scheduler runs at %s/" DOOR_SOCKET "; 'kahu serve' starts one", dir);
	else if (error == EPERM)
		err_set(err,
			"the scheduler at %s/" DOOR_SOCKET
			" runs as uid %ld, which is neither root nor you; run the command as that user (sudo "
			"-u '#%ld' kahu ...)",
			dir, (long)uid, (long)uid);
	else
		err_set(err, "the scheduler at %s/" DOOR_SOCKET " cannot be reached: %s", dir,
			error == EAGAIN ? "it accepts no connections; its process may be suspended (SIGSTOP) "
					  "or overloaded"
					: strerror(error));
}

int door_knock(const char *dir, struct err *err)
{
	int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), failed = 0;
	uid_t uid = (uid_t)-1;

	if (connection < 0 || !connect_in(connection, dir))
		failed = errno;
	else if (!is_of_root_or_mine(connection, &uid))
		failed = EPERM;
	if (failed == 0)
		return connection;
	if (connection >= 0)
		close(connection);
	say_why(dir, failed, uid, err);
	errno = failed;
	return -1;
}

/* Sets err and errno; returns false. */
__attribute__((format(printf, 3, 4))) static bool fail(int error, struct err *err, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	err_set(err, "%s", str_text(&text));
	str_free(&text);
	errno = error;
	return false;
}

/* Waits until the events occur. Returns false with err and errno set at until_ms (negative: no limit). */
static bool wait_for(int connection, short events, int64_t until_ms, struct err *err)
{
	struct pollfd fd = {.fd = connection, .events = events};
	int64_t left_ms = -1;
	int got;

	do {
		if (until_ms >= 0)
			left_ms = until_ms - monotonic_ms();
		got = until_ms >= 0 && left_ms < 0 ? 0 : poll(&fd, 1, (int)left_ms);
	} while (got < 0 && errno == EINTR);
	if (got > 0)
		return true;
	return fail(ETIMEDOUT, err,
		    "the scheduler does not answer in time; it is unknown whether the request will be "
		    "carried out");
}

/*
 * Sends a request. Also returns true if the scheduler no longer receives: it may have sent a refusal, which
 * the caller then reads.
 */
static bool send_all(int connection, const void *bytes, size_t size, int64_t until_ms, struct err *err)
{
	size_t sent = 0, part;

	do {
		part = size - sent < DOOR_PACKET ? size - sent : DOOR_PACKET;
		while (!packet_send(connection, PACKET_DATA, sent + part == size,
				    size == 0 ? "" : (const char *)bytes + sent, part, -1)) {
			if (errno == EPIPE || errno == ECONNRESET)
				return true;
			if (errno != EAGAIN)
				return fail(errno, err, "the request cannot be sent to the scheduler: %s",
					    strerror(errno));
			if (!wait_for(connection, POLLOUT, until_ms, err))
				return false;
		}
		sent += part;
	} while (sent < size);
	return true;
}

/* Keeps the first descriptor, which belongs to the answer, and closes all others. */
static void keep_fd(int *kept, int fd)
{
	if (*kept < 0)
		*kept = fd;
	else if (fd >= 0)
		close(fd);
}

static bool receive_all(int connection, struct str *answer, int *fd, int64_t until_ms, struct err *err)
{
	struct packet p = {.last = false};

	while (!p.last) {
		int came = -1;
		enum packet_got got = packet_receive(connection, &p, &came);

		keep_fd(fd, came);
		if (got == PACKET_CLOSED)
			return fail(ECONNRESET, err, "the scheduler exited before it answered");
		if (got == PACKET_WRONG)
			return fail(EPROTO, err, "the process that answers is not a kahu scheduler");
		if (got == PACKET_LATER) {
			if (!wait_for(connection, POLLIN, until_ms, err))
				return false;
			continue;
		}
		if (p.kind == PACKET_REFUSAL)
			return fail(EACCES, err, "%.*s", (int)p.size, (const char *)p.bytes);
		str_add_bytes(answer, p.bytes, p.size);
	}
	return true;
}

bool door_ask(int connection, const void *bytes, size_t size, struct str *answer, int *fd, int wait_ms,
	      struct err *err)
{
	int64_t until_ms = wait_ms < 0 ? -1 : monotonic_ms() + wait_ms;
	int failed;

	*fd = -1;
	if (send_all(connection, bytes, size, until_ms, err) &&
	    receive_all(connection, answer, fd, until_ms, err))
		return true;
	failed = errno;
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	shutdown(connection, SHUT_RDWR);
	errno = failed;
	return false;
}
