/* SPDX-License-Identifier: MIT */
/*
 * waiter.c - transfer of a job's terminal and files between client and shepherd
 *
 * SOCK_SEQPACKET preserves message boundaries. Every wait during the setup is bounded: before each call, the
 * socket's timeout is set to what remains of PATIENCE_S. Descriptors that came with an unexpected message are
 * closed.
 */
#include "waiter.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "fd_passing.h"
#include "monotonic.h"
#include "random.h"

#define GO           "go"
#define PATIENCE_S   10
#define MESSAGE_ROOM (SPOOL_TEXT + 64)
#define PASSED       3 /* number of descriptors passed: standard input, output and error */
#define BACKLOG      4
#define PROOF        (WAITER_KEY / 2) /* characters of the key that each side sends */

/* --- time and addresses ------------------------------------------------------------------------ */

/*
 * Sets the timeout of the next call to the remaining time. Returns false with errno set if no time remains.
 */
static bool bound_wait(int fd, int64_t until_us)
{
	int64_t left_us = until_us - monotonic_us();
	struct timeval limit = {.tv_sec = left_us / 1000000, .tv_usec = left_us % 1000000};

	errno = ETIMEDOUT;
	return left_us > 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
	       setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0;
}

static bool make_address(const char *path, struct sockaddr_un *out, struct err *err)
{
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof out->sun_path)
		return err_set(err, "the path %s is too long for a socket; the maximum is %zu bytes", path,
			       sizeof out->sun_path - 1);
	memcpy(out->sun_path, path, strlen(path));
	return true;
}

static int make_socket(struct err *err)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0)
		err_set(err, "cannot create a socket: %s", strerror(errno));
	return fd;
}

static int give_up(int fd)
{
	close(fd);
	return -1;
}

/* --- the key ----------------------------------------------------------------------------------- */

bool waiter_make_key(char out[static WAITER_KEY + 1], struct err *err)
{
	unsigned char bytes[WAITER_KEY / 2];

	if (!random_bytes(bytes, sizeof bytes, err))
		return false;
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(out + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

bool waiter_is_key(const char *key)
{
	return strlen(key) == WAITER_KEY && strspn(key, "0123456789abcdef") == WAITER_KEY;
}

/* Writes the shepherd's message, with its half of the key; a launch of an earlier version has no key. */
static void write_question(char out[static MESSAGE_ROOM], const char *key, uint64_t job, uint32_t attempt)
{
	if (key == NULL)
		snprintf(out, MESSAGE_ROOM, "job %" PRIu64 ".%" PRIu32, job, attempt);
	else
		snprintf(out, MESSAGE_ROOM, "job %" PRIu64 ".%" PRIu32 " %.*s", job, attempt, PROOF, key);
}

/* Writes the client's answer, with the other half of the key. */
static void write_answer(char out[static MESSAGE_ROOM], const char *key)
{
	if (key == NULL)
		snprintf(out, MESSAGE_ROOM, GO);
	else
		snprintf(out, MESSAGE_ROOM, GO " %s", key + PROOF);
}

/* --- messages ---------------------------------------------------------------------------------- */

/*
 * Receives one message and terminates it with NUL. Returns its length, 0 when the peer has closed the
 * connection, or -1 with errno set.
 */
static ssize_t hear(int fd, char out[static MESSAGE_ROOM], int flags)
{
	ssize_t n;

	do
		n = recv(fd, out, MESSAGE_ROOM - 1, flags);
	while (n < 0 && errno == EINTR);
	out[n > 0 ? n : 0] = '\0';
	return n;
}

static bool say(int fd, const char *message)
{
	ssize_t n;

	do
		n = send(fd, message, strlen(message), MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)strlen(message);
}

/* Parses a number at *at and advances *at past it. Returns false if it is not a number from min to max. */
static bool read_number(const char **at, int64_t min, int64_t max, int64_t *out)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(*at, &end, 10);
	if (end == *at || errno != 0 || value < min || value > max)
		return false;
	*at = end;
	*out = value;
	return true;
}

/* Control buffer for the descriptors of a message, with the alignment of cmsghdr. */
union passed {
	struct cmsghdr head;
	char room[CMSG_SPACE(PASSED * sizeof(int))];
};

static bool pass(int fd, char *message, const int out[static PASSED])
{
	union passed control = {.room = {0}};
	struct iovec part = {message, strlen(message)};
	struct msghdr whole = {.msg_iov = &part,
			       .msg_iovlen = 1,
			       .msg_control = control.room,
			       .msg_controllen = sizeof control.room};
	struct cmsghdr *head = CMSG_FIRSTHDR(&whole);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(PASSED * sizeof(int));
	memcpy(CMSG_DATA(head), out, PASSED * sizeof(int));
	return sendmsg(fd, &whole, MSG_NOSIGNAL) == (ssize_t)part.iov_len;
}

/* Copies the received descriptors to `in` and returns their number. */
static size_t count_passed(struct msghdr *whole, int in[static PASSED])
{
	struct cmsghdr *head = CMSG_FIRSTHDR(whole);
	size_t count;

	if (head == NULL || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
		return 0;
	count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(in, CMSG_DATA(head), count * sizeof(int));
	return count;
}

static bool take(int fd, const char *expected, int in[static PASSED])
{
	union passed control;
	char message[MESSAGE_ROOM];
	struct iovec part = {message, sizeof message};
	struct msghdr whole = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = CMSG_LEN(PASSED * sizeof(int))}; /* room for exactly three descriptors */
	size_t count;
	ssize_t n;

	do
		n = recvmsg(fd, &whole, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return false;
	count = count_passed(&whole, in);
	if (count == PASSED && n == (ssize_t)strlen(expected) && memcmp(message, expected, (size_t)n) == 0)
		return true;
	while (count > 0)
		close(in[--count]);
	errno = n == 0 ? ECONNRESET : EPROTO;
	return false;
}

/* --- the shepherd's side ----------------------------------------------------------------------- */

static bool reach(int fd, const struct sockaddr_un *address, int64_t until_us)
{
	while (bound_wait(fd, until_us)) {
		if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0)
			return true;
		if (errno != EINTR)
			return false;
	}
	return false;
}

static bool refuse_ask(struct err *err, const char *path)
{
	return err_set(err, "the client that waits for it at %s does not answer: %s", path,
		       errno == EAGAIN || errno == ETIMEDOUT ? "no message came within 10 s"
							     : strerror(errno));
}

/*
 * Checks that the client's folder belongs to the job's user: a client removes its folder when it exits, and
 * in /tmp any user can then create a folder of this name. If the folder does not exist, connect() reports the
 * error.
 */
static bool check_folder(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char folder[sizeof((struct sockaddr_un *)0)->sun_path];
	struct stat st;

	snprintf(folder, sizeof folder, "%.*s", (int)(slash == path ? 1 : slash - path), path);
	if (lstat(folder, &st) != 0)
		return true;
	if (st.st_uid != geteuid())
		return err_set(err,
			       "the client that waited for it is gone: its folder %s belongs to uid %u, "
			       "which is not the job's user",
			       folder, (unsigned)st.st_uid);
	return (S_ISDIR(st.st_mode) && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0) ||
	       err_set(err, "the client that waits for it has its socket in %s, to which others can write",
		       folder);
}

/* Checks that the listening process runs as the job's user: only this user may get the job's terminal. */
static bool check_peer(int fd, const char *path, struct err *err)
{
	struct ucred peer = {.uid = 0};
	socklen_t size = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		return err_set(err, "the process that listens at %s cannot be identified: %s", path,
			       strerror(errno));
	return peer.uid == geteuid() || err_set(err,
						"the client that waited for it is gone: uid %u, which is not "
						"the job's user, listens at %s",
						(unsigned)peer.uid, path);
}

int waiter_ask(const struct waiter_call *call, int in[static 3], struct err *err)
{
	int64_t until_us = monotonic_us() + (int64_t)PATIENCE_S * 1000000;
	struct sockaddr_un address;
	char question[MESSAGE_ROOM], answer[MESSAGE_ROOM];
	const char *path = call->path;
	int fd;

	if (!make_address(path, &address, err) || !check_folder(path, err) || (fd = make_socket(err)) < 0)
		return -1;
	write_question(question, call->key, call->job, call->attempt);
	write_answer(answer, call->key);
	if (!reach(fd, &address, until_us)) {
		refuse_ask(err, path);
		return give_up(fd);
	}
	if (!check_peer(fd, path, err))
		return give_up(fd);
	if (!say(fd, question) || !bound_wait(fd, until_us) || !take(fd, answer, in)) {
		refuse_ask(err, path);
		return give_up(fd);
	}
	fd_passing_refuse(fd); /* the kernel then refuses further descriptors */
	if (!fd_passing_is_pending(fd))
		return fd;
	for (size_t i = 0; i < PASSED; i++)
		close(in[i]);
	waiter_leave(fd);
	err_set(err, "the client that waits for it at %s has sent more than three descriptors", path);
	return -1;
}

enum waiter_word waiter_listen_to(int connection, int *signal_number)
{
	static const char signalled[] = "signal ";
	char message[MESSAGE_ROOM];
	const char *at = message + strlen(signalled);
	int64_t number;
	ssize_t n;

	if (fd_passing_is_pending(connection))
		return WAITER_GONE;
	n = hear(connection, message, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return WAITER_SILENT;
	if (n <= 0 || strncmp(message, signalled, strlen(signalled)) != 0 ||
	    !read_number(&at, 1, SIGRTMAX, &number) || *at != '\0')
		return WAITER_GONE;
	*signal_number = (int)number;
	return WAITER_SIGNAL;
}

void waiter_tell(int connection, const struct spool_ended *ended)
{
	char message[MESSAGE_ROOM];
	int n = snprintf(message, sizeof message, "ended %" PRIu32 " %" PRId32 " %s", ended->reason,
			 ended->status, ended->text);

	(void)!send(connection, message, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT);
	waiter_leave(connection);
}

void waiter_leave(int connection)
{
	shutdown(connection, SHUT_RDWR);
}

/* --- the client's side ------------------------------------------------------------------------- */

int waiter_listen(const char *path, struct err *err)
{
	struct sockaddr_un address;
	int fd;

	if (!make_address(path, &address, err) || (fd = make_socket(err)) < 0)
		return -1;
	if (bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	err_set(err, "cannot listen for the job at %s: %s", path, strerror(errno));
	return give_up(fd);
}

/* Does the connecting process run as our user or as root? The shepherd connects as the job's user. */
static bool is_ours(int fd)
{
	struct ucred peer = {.uid = 0};
	socklen_t size = sizeof peer;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == getuid() || peer.uid == 0);
}

/* Is the message "job 12.1 HALF" of this job, with any attempt number and the right half of the key? */
static bool names_job(const char *message, const char *key, uint64_t job)
{
	char expected[MESSAGE_ROOM];
	const char *at;
	int64_t attempt;
	int n = snprintf(expected, sizeof expected, "job %" PRIu64 ".", job);

	if (strncmp(message, expected, (size_t)n) != 0)
		return false;
	at = message + n;
	if (!read_number(&at, 0, UINT32_MAX, &attempt))
		return false;
	write_question(expected, key, job, (uint32_t)attempt);
	return strcmp(message, expected) == 0;
}

/*
 * Returns the length of the part of an unexpected message that may be printed, which excludes the half of a
 * key.
 */
static int length_to_show(const char *message)
{
	size_t word = strcspn(message, " ");

	return (int)(message[word] == '\0' ? word : word + 1 + strcspn(message + word + 1, " "));
}

int waiter_accept(int listening, const char *key, uint64_t job, const int out[static 3], struct err *err)
{
	int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	char message[MESSAGE_ROOM], answer[MESSAGE_ROOM];

	if (fd < 0) {
		err_set(err, "the connection of the job cannot be accepted: %s", strerror(errno));
		return -1;
	}
	write_answer(answer, key);
	if (!is_ours(fd))
		err_set(err, "a process of another user connected");
	else if (!bound_wait(fd, monotonic_us() + (int64_t)PATIENCE_S * 1000000) || hear(fd, message, 0) <= 0)
		err_set(err, "the job did not identify itself");
	else if (!names_job(message, key, job))
		err_set(err, "another job connected: %.*s", length_to_show(message), message);
	else if (!pass(fd, answer, out))
		err_set(err, "standard input, output and error cannot be passed to the job: %s",
			strerror(errno));
	else
		return fd;
	return give_up(fd);
}

/* Removes the timeout, because a job may run for days. */
static void remove_timeout(int fd)
{
	struct timeval never = {.tv_sec = 0};

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &never, sizeof never);
}

bool waiter_signal(int connection, int signal_number)
{
	char message[MESSAGE_ROOM];

	snprintf(message, sizeof message, "signal %d", signal_number);
	return say(connection, message);
}

bool waiter_hear(int connection, struct spool_ended *out)
{
	static const char ended[] = "ended ";
	char message[MESSAGE_ROOM];
	const char *at = message + strlen(ended);
	int64_t reason, status;

	remove_timeout(connection);
	if (hear(connection, message, 0) <= 0 || strncmp(message, ended, strlen(ended)) != 0 ||
	    !read_number(&at, 0, END_REASON_COUNT - 1, &reason) ||
	    !read_number(&at, INT32_MIN, INT32_MAX, &status) || *at++ != ' ')
		return false;
	*out = (struct spool_ended){.reason = (uint32_t)reason, .status = (int32_t)status};
	snprintf(out->text, sizeof out->text, "%.*s", SPOOL_TEXT - 1, at);
	return true;
}
