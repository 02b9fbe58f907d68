/* SPDX-License-Identifier: MIT */
/*
 * door.c - how do other processes reach the running scheduler, without ever delaying it?
 *
 * One epoll descriptor watches the socket and all connections. Nothing here waits, and one turn does a
 * bounded amount of work: so many new connections, so many others, of each a few packets and one request. The
 * most that a flood can take is its share of the turns. When connections or descriptors run short, the one
 * that has been idle longest goes.
 */
#include "door.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "door_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/carried.h"
#include "sched/rm/descriptors.h"
#include "sched/rm/monotonic.h"

#define TURN_EVENTS  64
#define TURN_ACCEPTS 64
#define BACKLOG      256
#define AGAIN_MS     100 /* without descriptors, until it is tried once more */
#define NEW_MS       1000

/* --- who comes ---------------------------------------------------------------------------------- */

/* One that was let in just now has not had the time to ask. */
static bool is_new(const struct connection *c)
{
	return !c->asked && c->until_ms - c->door->patience_ms + NEW_MS > monotonic_ms();
}

/* But for the newcomer; of the others root's and the scheduler's own user's last. With spares_new only those
 * that have had the time to ask. False: nobody is idle. */
static bool drop_the_longest_idle(struct door *door, const struct connection *newcomer, bool spares_new)
{
	struct connection *longest = NULL;

	for (size_t i = 0; i < door->count; i++) {
		struct connection *c = door->connection[i];

		if (c == newcomer || c->doing != IDLE || (spares_new && is_new(c)))
			continue;
		if (longest == NULL || (longest->user->trusted && !c->user->trusted) ||
		    (longest->user->trusted == c->user->trusted && c->until_ms < longest->until_ms))
			longest = c;
	}
	if (longest != NULL)
		connection_drop(longest);
	return longest != NULL;
}

static bool find_peer(int fd, struct peer *out)
{
	struct ucred cred;
	socklen_t size = sizeof cred;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) != 0)
		return false;
	*out = (struct peer){.uid = cred.uid, .gid = cred.gid, .pid = cred.pid};
	return true;
}

static void greet(struct door *door, int fd)
{
	struct connection *c;
	struct peer peer;

	if (!find_peer(fd, &peer)) {
		carried_close(&door->carried, fd);
		return;
	}
	c = connection_new(door, fd, &peer);
	if (c == NULL || c->user->trusted)
		return;
	if (c->user->connections > door->limits.connections)
		connection_refuse(c,
				  "this user has too many connections open (maxuserconnections); close some");
	else if (door->count - door->gone > door->most && !drop_the_longest_idle(door, c, false))
		connection_refuse(c, "too many connections are open; try again in a while");
}

/* The socket stays readable, so it must not be watched while nobody can be let in. */
static void stop_listening(struct door *door)
{
	epoll_ctl(door->epoll, EPOLL_CTL_DEL, door->listening, NULL);
	door->again_ms = monotonic_ms() + AGAIN_MS;
}

static bool listen_again(struct door *door)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = NULL};

	door->again_ms = 0;
	return epoll_ctl(door->epoll, EPOLL_CTL_ADD, door->listening, &wanted) == 0;
}

static bool is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

/* accept() wants a descriptor before it looks. */
static bool somebody_waits(const struct door *door)
{
	struct pollfd fd = {.fd = door->listening, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

static int accept_one(const struct door *door)
{
	return accept4(door->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* Only the reserve is left: it is for root and the scheduler's own user. False: not even that. */
static bool take_from_reserve(struct door *door)
{
	int fd = accept_one(door);
	struct connection *c;
	struct peer peer;

	if (fd < 0)
		return false;
	if (!find_peer(fd, &peer)) {
		carried_close(&door->carried, fd);
		return true;
	}
	c = connection_new(door, fd, &peer);
	if (c != NULL && !c->user->trusted)
		connection_refuse(c, "the scheduler has no file descriptors left; try again in a while");
	return true;
}

static void take_new(struct door *door)
{
	for (int i = 0; i < TURN_ACCEPTS; i++) {
		struct rlimit limit = descriptors_withhold();
		int fd = accept_one(door);

		descriptors_restore(limit);
		if (fd >= 0) {
			greet(door, fd);
		} else if (is_shortage(errno)) {
			if (!somebody_waits(door))
				return;
			carried_clear(&door->carried);
			if (!drop_the_longest_idle(door, NULL, true) && !take_from_reserve(door)) {
				stop_listening(door);
				return;
			}
		} else if (errno == EAGAIN) {
			return;
		}
	}
}

/* --- a turn ------------------------------------------------------------------------------------- */

static void drop_overdue(struct door *door)
{
	int64_t now_ms = monotonic_ms();

	for (size_t i = 0; i < door->count; i++)
		if (door->connection[i]->until_ms <= now_ms)
			connection_drop(door->connection[i]);
	if (door->again_ms != 0 && door->again_ms <= now_ms && !listen_again(door))
		stop_listening(door);
}

static void free_those_gone(struct door *door)
{
	size_t kept = 0;

	if (door->gone == 0)
		return;
	for (size_t i = 0; i < door->count; i++)
		if (door->connection[i]->doing == GONE)
			free(door->connection[i]);
		else
			door->connection[kept++] = door->connection[i];
	door->count = kept;
	door->gone = 0;
}

/* Root and the scheduler's own user may use the last descriptors. */
static void serve(struct connection *c, uint32_t events)
{
	struct rlimit limit;

	if (c->doing == GONE)
		return;
	if (c->user->trusted) {
		connection_serve(c, events);
		return;
	}
	limit = descriptors_withhold();
	connection_serve(c, events);
	descriptors_restore(limit);
}

void door_turn(struct door *door)
{
	struct epoll_event called[TURN_EVENTS];
	int count = epoll_wait(door->epoll, called, TURN_EVENTS, 0);

	for (int i = 0; i < count; i++)
		if (called[i].data.ptr == NULL)
			take_new(door);
		else
			serve(called[i].data.ptr, called[i].events);
	drop_overdue(door);
	free_those_gone(door);
	if (door->carried.count >= CARRIED_ENOUGH)
		carried_clear(&door->carried);
}

int door_fd(const struct door *door)
{
	return door->epoll;
}

int door_wait_ms(const struct door *door)
{
	int64_t first_ms = door->again_ms != 0 ? door->again_ms : INT64_MAX, now_ms = monotonic_ms();

	for (size_t i = 0; i < door->count; i++)
		if (door->connection[i]->until_ms < first_ms)
			first_ms = door->connection[i]->until_ms;
	if (first_ms == INT64_MAX)
		return -1;
	return first_ms <= now_ms ? 0 : (int)(first_ms - now_ms);
}

/* --- opening and closing ------------------------------------------------------------------------ */

/* As a place only, so that no path is too long and nobody puts another folder there meanwhile. */
static bool open_folder(struct door *door, const char *dir, struct err *err)
{
	int folder = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (folder < 0)
		return err_set(err, "the folder %s for the socket cannot be used: %s", dir, strerror(errno));
	if (fstat(folder, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0) {
		door->folder = folder;
		return true;
	}
	close(folder);
	return err_set(err, "the folder %s for the socket must be ours, and nobody else may write to it",
		       dir);
}

/* Nobody can connect before it listens, and by then it has its mode. */
static bool make_socket(struct door *door, const char *dir, bool everybody, struct err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" DOOR_SOCKET, door->folder);
	door->listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	carried_refuse(door->listening); /* where the kernel cannot, each connection looks for itself */
	if (door->listening >= 0 && (unlinkat(door->folder, DOOR_SOCKET, 0) == 0 || errno == ENOENT) &&
	    bind(door->listening, (const struct sockaddr *)&address, sizeof address) == 0 &&
	    fchmodat(door->folder, DOOR_SOCKET, everybody ? 0666 : 0600, 0) == 0 &&
	    listen(door->listening, BACKLOG) == 0)
		return true;
	return err_set(err, "the socket %s/" DOOR_SOCKET " cannot be made: %s", dir, strerror(errno));
}

static bool watch(struct door *door, struct err *err)
{
	door->epoll = epoll_create1(EPOLL_CLOEXEC);
	return (door->epoll >= 0 && listen_again(door)) ||
	       err_set(err, "the socket cannot be watched: %s", strerror(errno));
}

/* The scheduler itself needs descriptors to start jobs. */
static size_t most_connections(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 2 >= DOOR_ALL)
		return DOOR_ALL;
	return (size_t)limit.rlim_cur / 2;
}

static struct door *door_new(struct door_handler handler)
{
	struct door *door = mem_zero(1, sizeof *door);

	*door = (struct door){.handler = handler,
			      .folder = -1,
			      .listening = -1,
			      .epoll = -1,
			      .patience_ms = DOOR_PATIENCE_MS,
			      .limits = {DOOR_PER_USER, DOOR_HELD, DOOR_RATE},
			      .most = most_connections()};
	return door;
}

struct door *door_open(const char *dir, bool everybody, struct door_handler handler, struct err *err)
{
	struct door *door = door_new(handler);

	if (open_folder(door, dir, err) && make_socket(door, dir, everybody, err) && watch(door, err))
		return door;
	door_close(door);
	return NULL;
}

static bool is_listening(int fd)
{
	int domain = 0, listens = 0;
	socklen_t size = sizeof domain;

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX &&
	       getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens;
}

static bool take_over(struct door *door, int listening, const char *dir, struct err *err)
{
	door->listening = listening;
	carried_refuse(listening);
	return (is_listening(listening) && fcntl(listening, F_SETFL, O_NONBLOCK) == 0 &&
		fcntl(listening, F_SETFD, FD_CLOEXEC) == 0) ||
	       err_set(err, "what was handed over for %s/" DOOR_SOCKET " is no socket that listens", dir);
}

struct door *door_adopt(int listening, const char *dir, struct door_handler handler, struct err *err)
{
	struct door *door = door_new(handler);

	if (take_over(door, listening, dir, err) && open_folder(door, dir, err) && watch(door, err))
		return door;
	door_close(door);
	return NULL;
}

int door_listening(const struct door *door)
{
	return door->listening;
}

int door_hand_over(struct door *door)
{
	int fd = fcntl(door->listening, F_DUPFD, 0);

	door->handed_over = fd >= 0;
	return fd;
}

/* Who is dropped and looks again finds no door any more. */
void door_close(struct door *door)
{
	if (!door->handed_over && door->folder >= 0)
		unlinkat(door->folder, DOOR_SOCKET, 0);
	if (door->listening >= 0)
		close(door->listening);
	for (size_t i = 0; i < door->count; i++)
		connection_drop(door->connection[i]);
	free_those_gone(door);
	carried_clear(&door->carried);
	if (door->epoll >= 0)
		close(door->epoll);
	if (door->folder >= 0)
		close(door->folder);
	for (size_t i = 0; i < door->users; i++)
		free(door->user[i]);
	free(door->user);
	free(door->connection);
	free(door);
}
