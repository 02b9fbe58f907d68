/* SPDX-License-Identifier: MIT */
/*
 * shepherd_relay.c - the process that holds a waiting client's connection for the shepherd
 *
 * The client belongs to the user and may send descriptors that can never be closed, such as that of a file
 * with unwritten data in a FUSE file system. A process that holds such a connection cannot exit. Therefore a
 * separate process, the relay, holds the connection and runs as the user. It is a child of neither the
 * shepherd nor the job, no process waits for it, and nothing depends on its end. It forwards messages, never
 * descriptors. Because it began as a process of root, the kernel does not allow the user to trace it or to
 * reach its descriptors. The user can kill it; then the client counts as lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fd_passing.h"
#include "shepherd_inside.h"
#include "trusted.h"

#define RELAY_NAME "kahu-relay"

#define NAME_LINE "Name:\t" RELAY_NAME "\n"

#define STUCK_MOST 8 /* maximum number of stuck relays of one user, including those that are just exiting */

#define STATUS_ROOM 512

#define WORD_ROOM (SPOOL_TEXT + 64)

#define SEND_BUFFER 1 /* the kernel's minimum applies: a client that sends many signals must wait */

/* --- relays that cannot end --------------------------------------------------------------------------- */

/* Is this child of our parent a relay of the user that cannot end? */
static bool is_stuck(const char *pid, uid_t uid)
{
	char path[64], text[STATUS_ROOM];
	const char *state, *owner;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/status", strtol(pid, NULL, 10));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	state = strstr(text, "\nState:\t");
	owner = strstr(text, "\nUid:\t");
	return strncmp(text, NAME_LINE, strlen(NAME_LINE)) == 0 && state != NULL && owner != NULL &&
	       strchr("DTt", state[strlen("\nState:\t")]) != NULL &&
	       strtoul(owner + strlen("\nUid:\t"), NULL, 10) == uid;
}

bool shepherd_may_relay(uid_t uid)
{
	char path[64], *word = NULL;
	size_t room = 0;
	int stuck = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)getppid(), (int)getppid());
	file = fopen(path, "re");
	while (file != NULL && getdelim(&word, &room, ' ', file) > 0)
		stuck += is_stuck(word, uid);
	free(word);
	if (file != NULL)
		fclose(file);
	return stuck < STUCK_MOST;
}

/* --- the relay ---------------------------------------------------------------------------------------- */

/*
 * Forwards one message, if there is one. Returns false if the stream has ended or the message contains
 * descriptors.
 */
static bool pass_on(int from, int to, int flags)
{
	char word[WORD_ROOM];
	ssize_t n;

	if (fd_passing_is_pending(from))
		return false;
	n = recv(from, word, sizeof word, MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	return n > 0 && send(to, word, (size_t)n, flags | MSG_NOSIGNAL) == n;
}

/*
 * Forwards messages in both directions until one side has closed. While the shepherd reads slowly, nothing
 * more is read from the client.
 */
static void pass_on_all(int shepherd, int client)
{
	struct pollfd file[] = {{.fd = shepherd, .events = POLLIN}, {.fd = client, .events = POLLIN}};
	bool open = true;

	while (open) {
		if (poll(file, 2, -1) < 0)
			continue;
		open = (file[0].revents == 0 || pass_on(shepherd, client, MSG_DONTWAIT)) &&
		       (file[1].revents == 0 || pass_on(client, shepherd, 0));
	}
	pass_on(shepherd, client, MSG_DONTWAIT); /* the last message tells how the job ended */
}

/* Changes permanently to the job's user. */
static bool become_users(const struct launch *launch)
{
	if (getuid() == 0 &&
	    (setgroups(0, NULL) != 0 || !as_take_ids((uid_t)launch->uid, (gid_t)launch->gid)))
		return false;
	return prctl(PR_SET_DUMPABLE, 0) == 0;
}

/*
 * The relay. All descriptors except the two sockets are closed, because an open spool file would make the
 * shepherd appear to be running. The shepherd waits until this is done, which the user cannot delay, because
 * the process does not run as the user yet. At the end, both sockets are shut down before the exit, because
 * exiting may take long.
 */
static _Noreturn void be_relay(const struct launch *launch, int shepherd, int hand)
{
	const int small = SEND_BUFFER;
	int client = -1;
	char byte;

	if (dup2(shepherd, STDIN_FILENO) != STDIN_FILENO || dup2(hand, STDOUT_FILENO) != STDOUT_FILENO)
		_exit(1);
	close_range(STDERR_FILENO, ~0U, 0);
	as_reset_oom_score();
	prctl(PR_SET_NAME, RELAY_NAME);
	setsockopt(STDIN_FILENO, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
	if (send(STDIN_FILENO, "", 1, MSG_NOSIGNAL) == 1 && become_users(launch) &&
	    fd_passing_receive(STDOUT_FILENO, &byte, 1, &client, 0) == 1 && client >= 0)
		pass_on_all(STDIN_FILENO, client);
	shutdown(STDIN_FILENO, SHUT_RDWR);
	if (client >= 0)
		shutdown(client, SHUT_RDWR);
	_exit(0);
}

/*
 * Creates a child of our parent (CLONE_PARENT). If clone3() is not allowed, as in some containers, clone() is
 * used.
 */
static pid_t fork_beside(void)
{
	struct clone_args args = {.flags = CLONE_PARENT};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (pid < 0 && (errno == ENOSYS || errno == EPERM))
		pid = (pid_t)syscall(SYS_clone, CLONE_PARENT, NULL, NULL, NULL, NULL);
	return pid;
}

bool shepherd_relay(const struct launch *launch, int *shepherd, int *hand)
{
	int talk[2], hands[2];
	char byte;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk) != 0)
		return false;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, hands) != 0) {
		close(talk[0]);
		close(talk[1]);
		return false;
	}
	pid = fork_beside();
	if (pid == 0) {
		close(talk[0]);
		close(hands[0]);
		be_relay(launch, talk[1], hands[1]);
	}
	close(talk[1]);
	close(hands[1]); /* so that this process never holds the descriptor that the child passes */
	*shepherd = talk[0];
	*hand = hands[0];
	if (pid > 0 && recv(talk[0], &byte, 1, 0) == 1)
		return true;
	close(talk[0]);
	close(hands[0]);
	return false;
}
