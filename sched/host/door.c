/* SPDX-License-Identifier: MIT */
/*
 * door.c - the socket of the scheduler
 *
 * One epoll descriptor watches the socket and all connections. Nothing here blocks, and the work of one turn
 * is bounded: at most TURN_ACCEPTS new connections are accepted, within ACCEPTS_NS of processor time, and at
 * most TURN_EVENTS connections are served. A connection may send a few packets and one request. One
 * connection of each user is always served; further connections of the same user are served only until
 * SERVED_NS is used up. If there are too many connections, the user with the most connections loses one; if
 * descriptors run short, the connection that has been idle longest is closed.
 *
 * The owner of a pending connection is known only after accept(). Each turn therefore accepts pending
 * connections, lets in at most TURN_USER_NEW of each user, and parks the others until the next turn. So a
 * flood of connections by one user delays other users only by the time that accept() takes.
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
#include "door_packet.h"
#include "sched/base/vec.h"
#include "sched/rm/descriptors.h"
#include "sched/rm/fd_passing.h"
#include "sched/rm/monotonic.h"

#define TURN_EVENTS  64
#define BACKLOG      256
#define TURN_ACCEPTS BACKLOG
#define ACCEPTS_NS   2000000 /* processor time of a turn for new connections */
#define SERVED_NS    3000000 /* processor time of a turn for open connections */
#define ELAPSED_MS   20      /* time limit of each part: the kernel may make senders of descriptors wait */
#define AGAIN_MS     100     /* without free descriptors, time until the socket is watched again */
#define NEW_MS       1000

#define NO_DESCRIPTORS "the scheduler has no file descriptors left; try again in a while"

/* --- limits of a user ---------------------------------------------------------------------------- */

/*
 * The request rate of a user is limited by a token bucket. It holds at most limits.requests tokens; each
 * request takes one, and limits.requests tokens are added per second. A user without connections whose
 * bucket is full is forgotten, so the number of records never exceeds the number of connections and of
 * requests in the last second.
 */
static void refill(const struct door *door, struct door_user *user, int64_t now_ms)
{
	user->requests += (double)(now_ms - user->at_ms) * door->limits.requests / 1000;
	if (user->requests > door->limits.requests)
		user->requests = door->limits.requests;
	user->at_ms = now_ms;
}

static void forget_idle_users(struct door *door, int64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < door->users; i++) {
		struct door_user *user = door->user[i];

		refill(door, user, now_ms);
		if (user->connections + user->parked == 0 && user->requests >= door->limits.requests)
			free(user);
		else
			door->user[kept++] = user;
	}
	door->users = kept;
}

static bool user_is_trusted(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

struct door_user *user_of(struct door *door, uid_t uid)
{
	struct door_user *user;
	int64_t now_ms;

	for (size_t i = 0; i < door->users; i++)
		if (door->user[i]->uid == uid)
			return door->user[i];
	now_ms = monotonic_ms();
	forget_idle_users(door, now_ms);
	door->user = vec_room(door->user, &door->user_cap, door->users + 1, sizeof(struct door_user *));
	user = mem_zero(1, sizeof *user);
	*user = (struct door_user){.uid = uid,
				   .trusted = user_is_trusted(uid),
				   .requests = door->limits.requests,
				   .at_ms = now_ms};
	door->user[door->users++] = user;
	return user;
}

bool user_may_ask(const struct door *door, struct door_user *user, int64_t now_ms)
{
	refill(door, user, now_ms);
	if (user->trusted)
		return true;
	if (user->requests < 1)
		return false;
	user->requests -= 1;
	return true;
}

void door_set_limits(struct door *door, const struct door_limits *limits)
{
	door->limits = *limits;
}

struct door_limits door_use_of(struct door *door, uid_t uid)
{
	struct door_user *user = user_of(door, uid);

	refill(door, user, monotonic_ms());
	return (struct door_limits){user->connections, user->held, door->limits.requests - user->requests};
}

/* --- room for new connections --------------------------------------------------------------------- */

/* Is the connection so new that the client has not had time to send a request? */
static bool is_new(const struct connection *c)
{
	return !c->asked && c->until_ms - c->door->patience_ms + NEW_MS > monotonic_ms();
}

/*
 * Closes the connection that has been idle longest; a connection of root or of the scheduler's own user only
 * if there is no other. `spares_new`: skips connections whose clients have not had time to send a request.
 * Returns false if there is none to close.
 */
static bool drop_the_longest_idle(struct door *door, bool spares_new)
{
	struct connection *longest = NULL;

	for (size_t i = 0; i < door->count; i++) {
		struct connection *c = door->connection[i];

		if (c->doing != IDLE || (spares_new && is_new(c)))
			continue;
		if (longest == NULL || (longest->user->trusted && !c->user->trusted) ||
		    (longest->user->trusted == c->user->trusted && c->since_ms < longest->since_ms))
			longest = c;
	}
	if (longest != NULL)
		connection_drop(longest);
	return longest != NULL;
}

/*
 * Should connection `a` be dropped before `b`? Users with more connections come first, then idle connections,
 * then those that have been in their state longest.
 */
static bool goes_before(const struct connection *a, const struct connection *b)
{
	if (a->user->connections != b->user->connections)
		return a->user->connections > b->user->connections;
	if ((a->doing == IDLE) != (b->doing == IDLE))
		return a->doing == IDLE;
	return a->since_ms < b->since_ms;
}

/*
 * Makes room for a new connection of `user` when the maximum number is reached. A user who has at least two
 * connections more than this user loses one in any state, so that users with many connections cannot keep
 * others out. A user who has as many connections as this user, or one more, loses only an idle one. Returns
 * false if no connection could be dropped.
 */
static bool take_place(struct door *door, const struct door_user *user)
{
	struct connection *first = NULL;

	for (size_t i = 0; i < door->count; i++) {
		struct connection *c = door->connection[i];

		if (c->doing == GONE || c->user->trusted || c->user->connections < user->connections ||
		    (c->doing != IDLE && c->user->connections < user->connections + 2))
			continue;
		if (first == NULL || goes_before(c, first))
			first = c;
	}
	if (first != NULL)
		connection_drop(first);
	return first != NULL;
}

/* --- processor time of users --------------------------------------------------------------------- */

/* Charges the user for the thread's processor time since the last charge in this turn. */
static void charge(struct door *door, bool trusted, const struct peer *peer)
{
	int64_t now_ns;

	if (door->handler.charge == NULL)
		return;
	now_ns = monotonic_thread_ns();
	if (!trusted)
		door->handler.charge(door->handler.self, peer, now_ns - door->charged_ns);
	door->charged_ns = now_ns;
}

/* Returns the time until which the user's connections are not served; 0: they are served now. */
static int64_t must_wait_until(const struct door *door, const struct door_user *user, const struct peer *peer)
{
	int64_t wait_ms;

	if (user->trusted || door->handler.wait_ms == NULL)
		return 0;
	wait_ms = door->handler.wait_ms(door->handler.self, peer);
	return wait_ms > 0 ? monotonic_ms() + wait_ms : 0;
}

/* Resumes connections whose users need not wait any longer. */
static void resume_paused(struct door *door)
{
	int64_t now_ms = monotonic_ms();

	for (size_t i = 0; i < door->count && door->paused > 0; i++) {
		struct connection *c = door->connection[i];

		if (c->paused_ms == 0 || c->paused_ms > now_ms)
			continue;
		c->paused_ms = must_wait_until(door, c->user, &c->peer);
		if (c->paused_ms == 0) {
			c->paused_ms = now_ms;
			connection_resume(c);
		}
	}
}

/* --- accepting ----------------------------------------------------------------------------------- */

static bool find_peer(int fd, struct peer *out)
{
	struct ucred cred;
	socklen_t size = sizeof cred;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) != 0)
		return false;
	*out = (struct peer){.uid = cred.uid, .gid = cred.gid, .pid = cred.pid};
	return true;
}

/*
 * Lowers the limit on descriptors, because the last ones are reserved for root and the scheduler's own user.
 */
static void withhold_reserve(struct door *door)
{
	if (!door->withheld)
		door->before = descriptors_withhold();
	door->withheld = true;
}

static void restore_reserve(struct door *door)
{
	if (door->withheld)
		descriptors_restore(door->before);
	door->withheld = false;
}

/*
 * Refuses a connection without creating a record of it, which is cheaper. An empty sentence is not sent.
 * `strangers`: the peer is not admitted; all such peers share one proxy.
 */
static void refuse_connection(struct door *door, int fd, const struct peer *peer, bool strangers,
			      const char *sentence)
{
	uint32_t owner = strangers ? PROXY_STRANGERS : (uint32_t)peer->uid;

	if (door->handler.proxies != NULL && (strangers || !user_is_trusted(peer->uid))) {
		proxy_refuse(door->handler.proxies, owner, fd, sentence);
		return;
	}
	if (sentence[0] != '\0')
		packet_send(fd, PACKET_REFUSAL, true, sentence, strlen(sentence), -1);
	deferred_close(&door->deferred, fd);
}

static void open_by_proxy(struct door *door, int fd, const struct peer *peer)
{
	int ours = proxy_connect(door->handler.proxies, (uint32_t)peer->uid, fd);

	if (ours < 0)
		refuse_connection(door, fd, peer, false, NO_DESCRIPTORS);
	else
		connection_new(door, ours, true, peer);
}

static void let_in(struct door *door, int fd, const struct peer *peer)
{
	struct door_user *user = user_of(door, peer->uid);

	if (user->turn != door->turn)
		user->let_in = 0;
	user->turn = door->turn;
	user->let_in++;
	if (!user->trusted && door->count - door->gone >= door->most && !take_place(door, user))
		refuse_connection(door, fd, peer, false,
				  "too many connections are open; try again in a while");
	else if (door->handler.proxies != NULL && !user->trusted)
		open_by_proxy(door, fd, peer);
	else
		connection_new(door, fd, false, peer);
}

static bool has_used_its_share(const struct door *door, const struct door_user *user)
{
	return !user->trusted && user->turn == door->turn && user->let_in >= TURN_USER_NEW;
}

static void park(struct door *door, int fd, const struct peer *peer, int64_t until_ms)
{
	door->parked =
		vec_room(door->parked, &door->parked_cap, door->parked_count + 1, sizeof *door->parked);
	door->parked[door->parked_count++] = (struct parked){fd, *peer, until_ms};
	user_of(door, peer->uid)->parked++;
}

/*
 * May the peer use the door? Peers that are not admitted get no record and no share of the door's resources.
 */
static bool admits(const struct door *door, const struct peer *peer, struct err *err)
{
	return user_is_trusted(peer->uid) || door->handler.admits == NULL ||
	       door->handler.admits(door->handler.self, peer, err);
}

static void greet(struct door *door, int fd)
{
	struct door_user *user;
	struct peer peer;
	struct err why;
	int64_t until_ms;

	if (!find_peer(fd, &peer)) {
		refuse_connection(door, fd, &peer, true, "");
		return;
	}
	if (!admits(door, &peer, &why)) {
		refuse_connection(door, fd, &peer, true, why.text);
		return;
	}
	user = user_of(door, peer.uid);
	until_ms = must_wait_until(door, user, &peer);
	if (!user->trusted && user->connections + user->parked >= door->limits.connections)
		refuse_connection(door, fd, &peer, false,
				  until_ms != 0
					  ? ""
					  : "this user has too many connections open (maxuserconnections); "
					    "close some");
	else if (until_ms != 0 || has_used_its_share(door, user))
		park(door, fd, &peer, until_ms);
	else
		let_in(door, fd, &peer);
	charge(door, user->trusted, &peer);
}

static void take_parked(struct door *door)
{
	size_t kept = 0;

	for (size_t i = 0; i < door->parked_count; i++) {
		struct parked parked = door->parked[i];
		struct door_user *user = user_of(door, parked.peer.uid);

		if (parked.until_ms <= monotonic_ms())
			parked.until_ms = must_wait_until(door, user, &parked.peer);
		if (parked.until_ms != 0 || has_used_its_share(door, user)) {
			door->parked[kept++] = parked;
			continue;
		}
		user->parked--;
		let_in(door, parked.fd, &parked.peer);
		charge(door, user->trusted, &parked.peer);
	}
	door->parked_count = kept;
}

/*
 * Refuses the connection that was parked last, because the others have waited longer. Returns false if none
 * is parked.
 */
static bool drop_parked(struct door *door)
{
	struct parked parked;

	if (door->parked_count == 0)
		return false;
	parked = door->parked[--door->parked_count];
	user_of(door, parked.peer.uid)->parked--;
	refuse_connection(door, parked.fd, &parked.peer, false, NO_DESCRIPTORS);
	return true;
}

/*
 * Stops watching the socket: it stays readable while a connection is pending, even if none can be accepted.
 */
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

/* Is a connection pending? Without a free descriptor, accept() fails even if there is none. */
static bool has_pending_connection(const struct door *door)
{
	struct pollfd fd = {.fd = door->listening, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

static int accept_one(const struct door *door)
{
	return accept4(door->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/*
 * Accepts one connection with a descriptor of the reserve, which make_room() has made available. Only root
 * and the scheduler's own user are let in; others are refused. Returns false if no descriptor is left.
 */
static bool take_from_reserve(struct door *door)
{
	struct peer peer;
	struct err why;
	int fd = accept_one(door);

	if (fd < 0)
		return false;
	if (!find_peer(fd, &peer))
		refuse_connection(door, fd, &peer, true, "");
	else if (!admits(door, &peer, &why))
		refuse_connection(door, fd, &peer, true, why.text);
	else if (user_of(door, peer.uid)->trusted)
		let_in(door, fd, &peer);
	else
		refuse_connection(door, fd, &peer, false, NO_DESCRIPTORS);
	return true;
}

/*
 * Called when descriptors are short: closes a connection, or accepts one with a descriptor of the reserve.
 * Returns false if no connection is pending, or if none can be accepted for now.
 */
static bool make_room(struct door *door)
{
	if (!has_pending_connection(door))
		return false;
	restore_reserve(door);
	deferred_closes_flush(&door->deferred);
	if (drop_parked(door) || drop_the_longest_idle(door, true) || take_from_reserve(door))
		return true;
	stop_listening(door);
	return false;
}

static void clear_carried(struct door *door)
{
	if (door->deferred.count < DEFERRED_ENOUGH)
		return;
	restore_reserve(door);
	deferred_closes_flush(&door->deferred);
}

/*
 * Accepts pending connections. The limit on processor time is checked with the value of the last charge, so
 * that the loop need not measure it itself.
 */
static void take_new(struct door *door)
{
	int64_t begun_ns = door->charged_ns, until_ms = monotonic_ms() + door->elapsed_ms;

	for (int i = 0;
	     i < TURN_ACCEPTS && door->charged_ns - begun_ns < door->accepts_ns && monotonic_ms() < until_ms;
	     i++) {
		int fd;

		withhold_reserve(door);
		fd = accept_one(door);
		if (fd >= 0)
			greet(door, fd);
		else if (errno == EAGAIN || (is_shortage(errno) && !make_room(door)))
			return;
		clear_carried(door);
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

/*
 * Serves the connection, or pauses it if its user has to wait. Only for root and the scheduler's own user may
 * the last descriptors be used.
 */
static void serve(struct connection *c, uint32_t events)
{
	bool trusted = c->user->trusted;
	int64_t until_ms = c->doing == WAITS ? 0 : must_wait_until(c->door, c->user, &c->peer);

	if (until_ms != 0 && (c->paused_ms == 0 || (events & (EPOLLERR | EPOLLHUP)) == 0)) {
		connection_pause(c, until_ms);
		return;
	}
	if (c->paused_ms != 0) {
		connection_drop(c);
		charge(c->door, trusted, &c->peer);
		return;
	}
	if (c->user->trusted)
		restore_reserve(c->door);
	else
		withhold_reserve(c->door);
	connection_serve(c, events);
	charge(c->door, trusted, &c->peer);
}

/*
 * Orders events by the turn in which their connection was last served. The event of the listening socket has
 * no connection (NULL).
 */
static int compare_called(const void *a, const void *b)
{
	const struct connection *x = ((const struct epoll_event *)a)->data.ptr;
	const struct connection *y = ((const struct epoll_event *)b)->data.ptr;
	uint64_t x_turn = x != NULL ? x->served : 0, y_turn = y != NULL ? y->served : 0;

	return (x_turn > y_turn) - (x_turn < y_turn);
}

/*
 * Serves connections, those that have waited longest first. When the time is used up, users who have been
 * served in this turn are not served again until the next one, so that users with large requests on many
 * connections do not delay the others.
 */
static void serve_called(struct door *door, struct epoll_event *called, int count)
{
	int64_t until_ns, until_ms;

	qsort(called, (size_t)count, sizeof *called, compare_called);
	for (int i = 0; i < count; i++)
		if (called[i].data.ptr == NULL)
			take_new(door);
	until_ns = door->charged_ns + door->served_ns;
	until_ms = monotonic_ms() + door->elapsed_ms;
	for (int i = 0; i < count; i++) {
		struct connection *c = called[i].data.ptr;

		if (c == NULL || c->doing == GONE ||
		    (c->user->served == door->turn &&
		     (door->charged_ns >= until_ns || monotonic_ms() >= until_ms)))
			continue;
		c->served = c->user->served = door->turn;
		serve(c, called[i].events);
	}
}

void door_turn(struct door *door)
{
	struct epoll_event called[TURN_EVENTS];
	int count = epoll_wait(door->epoll, called, TURN_EVENTS, 0);

	door->turn++;
	if (door->handler.charge != NULL)
		door->charged_ns = monotonic_thread_ns();
	resume_paused(door);
	take_parked(door);
	if (count > 0)
		serve_called(door, called, count);
	restore_reserve(door);
	if (door->handler.proxies != NULL)
		proxies_turn(door->handler.proxies);
	drop_overdue(door);
	free_those_gone(door);
	clear_carried(door);
}

void door_set_turn(struct door *door, int64_t ms)
{
	door->elapsed_ms = ms;
	door->accepts_ns = door->served_ns = ms * 1000000;
}

int door_fd(const struct door *door)
{
	return door->epoll;
}

int door_wait_ms(const struct door *door)
{
	int64_t first_ms = door->again_ms != 0 ? door->again_ms : INT64_MAX, now_ms = monotonic_ms();
	int proxies_ms = door->handler.proxies != NULL ? proxies_wait_ms(door->handler.proxies) : -1;

	for (size_t i = 0; i < door->count; i++) {
		const struct connection *c = door->connection[i];
		int64_t due_ms = c->paused_ms != 0 ? c->paused_ms : c->until_ms;

		if (due_ms < first_ms)
			first_ms = due_ms;
	}
	for (size_t i = 0; i < door->parked_count; i++)
		if (door->parked[i].until_ms < first_ms)
			first_ms = door->parked[i].until_ms;
	if (proxies_ms >= 0 && now_ms + proxies_ms < first_ms)
		first_ms = now_ms + proxies_ms;
	if (first_ms == INT64_MAX)
		return -1;
	return first_ms <= now_ms ? 0 : (int)(first_ms - now_ms);
}

/* --- opening and closing ------------------------------------------------------------------------ */

/*
 * Opens the folder of the socket with O_PATH, so that the path of the socket stays short and the folder
 * cannot be replaced in the meantime.
 */
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
	return err_set(err,
		       "the folder %s for the socket must be owned by the scheduler's user and must not be "
		       "writable by group or others",
		       dir);
}

/* The mode is set before the socket listens, so that no client can connect without permission. */
static bool make_socket(struct door *door, const char *dir, bool everybody, struct err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" DOOR_SOCKET, door->folder);
	door->listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* If the kernel cannot refuse descriptors, each connection checks its messages. */
	door->deferred.are_refused = fd_passing_refuse(door->listening);
	if (door->listening >= 0 && (unlinkat(door->folder, DOOR_SOCKET, 0) == 0 || errno == ENOENT) &&
	    bind(door->listening, (const struct sockaddr *)&address, sizeof address) == 0 &&
	    fchmodat(door->folder, DOOR_SOCKET, everybody ? 0666 : 0600, 0) == 0 &&
	    listen(door->listening, BACKLOG) == 0)
		return true;
	return err_set(err, "the socket %s/" DOOR_SOCKET " cannot be created: %s", dir, strerror(errno));
}

static bool watch(struct door *door, struct err *err)
{
	door->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (door->epoll < 0 || !listen_again(door))
		return err_set(err, "the socket cannot be watched: %s", strerror(errno));
	if (door->handler.proxies != NULL)
		proxies_hold(door->handler.proxies, door->listening);
	return true;
}

/*
 * Returns the maximum number of connections: at most half of the descriptors, because starts of jobs need
 * some, too.
 */
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
			      .elapsed_ms = ELAPSED_MS,
			      .accepts_ns = ACCEPTS_NS,
			      .served_ns = SERVED_NS,
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
	door->deferred.are_refused = fd_passing_refuse(listening);
	return (is_listening(listening) && fcntl(listening, F_SETFL, O_NONBLOCK) == 0 &&
		fcntl(listening, F_SETFD, FD_CLOEXEC) == 0) ||
	       err_set(err, "the socket passed for %s/" DOOR_SOCKET " is not listening", dir);
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

/* Removes the socket first, so that a client that loses its connection and tries again does not find it. */
void door_close(struct door *door)
{
	if (!door->handed_over && door->folder >= 0)
		unlinkat(door->folder, DOOR_SOCKET, 0);
	if (door->handler.proxies != NULL)
		proxies_hold(door->handler.proxies, -1);
	if (door->listening >= 0)
		close(door->listening);
	for (size_t i = 0; i < door->count; i++)
		connection_drop(door->connection[i]);
	free_those_gone(door);
	for (size_t i = 0; i < door->parked_count; i++)
		refuse_connection(door, door->parked[i].fd, &door->parked[i].peer, false, "");
	deferred_closes_end(&door->deferred);
	if (door->epoll >= 0)
		close(door->epoll);
	if (door->folder >= 0)
		close(door->folder);
	for (size_t i = 0; i < door->users; i++)
		free(door->user[i]);
	free(door->user);
	free(door->connection);
	free(door->parked);
	free(door);
}
