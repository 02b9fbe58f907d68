/* SPDX-License-Identifier: MIT */
/*
 * door.c - how do other processes reach the running scheduler, without ever delaying it?
 *
 * Each connection is in one of three states: it reads a request, waits for its answer, or writes it. What
 * it has not done within the patience it never does. Nothing here waits, and one turn does a
 * bounded amount of work, so the most that a flood can take is its share of the turns.
 */
#include "door.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "door_packet.h"
#include "sched/base/vec.h"

#define TURN_EVENTS  64
#define TURN_ACCEPTS 64
#define TURN_PACKETS 32 /* of one connection */
#define BACKLOG      256

enum doing {
	READS,
	WAITS, /* for its answer */
	WRITES
};

struct door_request {
	struct connection *of;
};

struct connection {
	struct door *door;
	int fd;
	struct peer peer;
	enum doing doing;
	struct str in, out;
	size_t sent;
	int out_fd;       /* goes with the first packet of the answer; -1 = none */
	bool refused;     /* out is a sentence of the door; then it closes      */
	int64_t until_ms; /* patience                                           */
	struct door_request *request;
};

/* How much a user may still ask. */
struct allowance {
	uid_t uid;
	double requests;
	int64_t at_ms;
};

struct door {
	struct door_handler handler;
	int folder, listening, epoll;
	bool handed_over;
	bool full; /* no descriptor is left: nobody new is let in until someone goes */
	struct connection **connection;
	size_t count, room;
	struct allowance *allowance;
	size_t allowances, allowance_room;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_trusted(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

/* --- connections ---------------------------------------------------------------------------------- */

static void want(const struct door *door, struct connection *c, uint32_t events)
{
	struct epoll_event wanted = {.events = events, .data.ptr = c};

	epoll_ctl(door->epoll, EPOLL_CTL_MOD, c->fd, &wanted);
}

static void listen_again(struct door *door)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = NULL};

	if (door->full)
		epoll_ctl(door->epoll, EPOLL_CTL_ADD, door->listening, &wanted);
	door->full = false;
}

static void drop(struct door *door, struct connection *c)
{
	size_t at = 0;

	if (c->request != NULL) {
		door->handler.gone(door->handler.self, c->request);
		free(c->request);
	}
	while (door->connection[at] != c)
		at++;
	door->connection[at] = door->connection[--door->count];
	close(c->fd);
	if (c->out_fd >= 0)
		close(c->out_fd);
	str_free(&c->in);
	str_free(&c->out);
	free(c);
	listen_again(door);
}

/* False: the connection is gone. */
static bool write_on(struct door *door, struct connection *c)
{
	enum packet_kind kind = c->refused ? PACKET_REFUSAL : PACKET_DATA;

	do {
		size_t left = c->out.len - c->sent, part = left < DOOR_PACKET ? left : DOOR_PACKET;

		if (packet_send(c->fd, kind, part == left, str_text(&c->out) + c->sent, part, c->out_fd) <
		    0) {
			if (errno != EAGAIN) {
				drop(door, c);
				return false;
			}
			want(door, c, EPOLLOUT);
			return true;
		}
		if (c->out_fd >= 0)
			close(c->out_fd);
		c->out_fd = -1;
		c->sent += part;
	} while (c->sent < c->out.len);
	if (c->refused) {
		drop(door, c);
		return false;
	}
	str_free(&c->out);
	c->sent = 0;
	c->doing = READS;
	c->until_ms = now_ms() + DOOR_PATIENCE_MS;
	want(door, c, EPOLLIN);
	return true;
}

static bool begin_to_write(struct door *door, struct connection *c)
{
	str_free(&c->in);
	c->doing = WRITES;
	c->until_ms = now_ms() + DOOR_PATIENCE_MS;
	return write_on(door, c);
}

/* The door's own word; false: the connection is gone. */
static bool refuse(struct door *door, struct connection *c, const char *sentence)
{
	c->refused = true;
	str_add(&c->out, sentence);
	return begin_to_write(door, c);
}

/* --- requests ----------------------------------------------------------------------------------------- */

static struct allowance *allowance_of(struct door *door, uid_t uid, int64_t at_ms)
{
	struct allowance *a;

	for (size_t i = 0; i < door->allowances; i++)
		if (door->allowance[i].uid == uid)
			return &door->allowance[i];
	door->allowance = vec_room(door->allowance, &door->allowance_room, door->allowances + 1,
				   sizeof *door->allowance);
	a = &door->allowance[door->allowances++];
	*a = (struct allowance){.uid = uid, .requests = DOOR_RATE, .at_ms = at_ms};
	return a;
}

/* A bucket of DOOR_RATE that fills as fast. */
static bool may_ask_now(struct door *door, uid_t uid)
{
	int64_t at_ms = now_ms();
	struct allowance *a;

	if (is_trusted(uid))
		return true;
	a = allowance_of(door, uid, at_ms);
	a->requests += (double)(at_ms - a->at_ms) * DOOR_RATE / 1000;
	if (a->requests > DOOR_RATE)
		a->requests = DOOR_RATE;
	a->at_ms = at_ms;
	if (a->requests < 1)
		return false;
	a->requests -= 1;
	return true;
}

/* False: the connection is gone, or has its answer already. */
static bool ask(struct door *door, struct connection *c)
{
	struct door_request *request;

	if (!may_ask_now(door, c->peer.uid))
		return refuse(door, c, "too many requests in a second; ask again in a while") && false;
	request = mem_zero(1, sizeof *request);
	request->of = c;
	c->request = request;
	c->doing = WAITS;
	c->until_ms = INT64_MAX;
	want(door, c, 0);
	door->handler.handle(door->handler.self, request, &c->peer, str_text(&c->in), c->in.len);
	return false;
}

/* False: this connection is done with for now. */
static bool take_packet(struct door *door, struct connection *c, const struct packet *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (c->in.len + p->size > DOOR_REQUEST_MAX)
		return refuse(door, c, "the request is too large") && false;
	str_add_bytes(&c->in, p->bytes, p->size);
	return p->last ? ask(door, c) : true;
}

static void read_on(struct door *door, struct connection *c)
{
	struct packet p;

	for (int i = 0; i < TURN_PACKETS; i++) {
		switch (packet_receive(c->fd, &p)) {
		case PACKET_WHOLE:
			if (!take_packet(door, c, &p))
				return;
			break;
		case PACKET_LATER:
			return;
		case PACKET_CLOSED:
			drop(door, c);
			return;
		case PACKET_WRONG:
			refuse(door, c, "this is no request of kahu");
			return;
		}
	}
}

void door_answer(struct door_request *request, struct door_answer *answer)
{
	struct connection *c = request->of;

	c->request = NULL;
	free(request);
	str_add_bytes(&c->out, str_text(&answer->bytes), answer->bytes.len);
	c->out_fd = answer->fd;
	begin_to_write(c->door, c);
}

/* --- who comes ----------------------------------------------------------------------------------------- */

static size_t count_of(const struct door *door, uid_t uid)
{
	size_t count = 0;

	for (size_t i = 0; i < door->count; i++)
		count += door->connection[i]->peer.uid == uid;
	return count;
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

static struct connection *let_in(struct door *door, int fd, const struct peer *peer)
{
	struct connection *c = mem_zero(1, sizeof *c);
	struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = c};

	*c = (struct connection){
		.door = door, .fd = fd, .peer = *peer, .out_fd = -1, .until_ms = now_ms() + DOOR_PATIENCE_MS};
	door->connection =
		vec_room(door->connection, &door->room, door->count + 1, sizeof(struct connection *));
	door->connection[door->count++] = c;
	epoll_ctl(door->epoll, EPOLL_CTL_ADD, fd, &wanted);
	return c;
}

/* Whoever is idle goes for who comes; false: nobody is. */
static bool drop_an_idle_one(struct door *door)
{
	for (size_t i = 0; i < door->count; i++)
		if (door->connection[i]->doing == READS && door->connection[i]->in.len == 0) {
			drop(door, door->connection[i]);
			return true;
		}
	return false;
}

static void greet(struct door *door, int fd)
{
	struct connection *c;
	struct peer peer;

	if (!find_peer(fd, &peer)) {
		close(fd);
		return;
	}
	c = let_in(door, fd, &peer);
	if (!is_trusted(peer.uid) && count_of(door, peer.uid) > DOOR_PER_USER)
		refuse(door, c, "this user has too many connections open; close some");
	else if (door->count > DOOR_ALL && !drop_an_idle_one(door))
		refuse(door, c, "too many connections are open; try again in a while");
}

static void take_new(struct door *door)
{
	for (int i = 0; i < TURN_ACCEPTS; i++) {
		int fd = accept4(door->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0) {
			greet(door, fd);
		} else if ((errno == EMFILE || errno == ENFILE) && !drop_an_idle_one(door)) {
			door->full = true;
			epoll_ctl(door->epoll, EPOLL_CTL_DEL, door->listening, NULL);
			return;
		} else if (errno == EAGAIN) {
			return;
		}
	}
}

/* --- a turn -------------------------------------------------------------------------------------------- */

static void serve(struct door *door, struct connection *c, uint32_t events)
{
	if (c->doing == READS)
		read_on(door, c);
	else if (c->doing == WRITES && (events & (EPOLLERR | EPOLLHUP)) == 0)
		write_on(door, c);
	else
		drop(door, c);
}

static void drop_overdue(struct door *door)
{
	int64_t at_ms = now_ms();

	for (size_t i = door->count; i-- > 0;)
		if (door->connection[i]->until_ms <= at_ms)
			drop(door, door->connection[i]);
}

/* New ones last: to let one in may drop another, which may be among those that have called. */
void door_turn(struct door *door)
{
	struct epoll_event called[TURN_EVENTS];
	bool new_ones = false;
	int count = epoll_wait(door->epoll, called, TURN_EVENTS, 0);

	for (int i = 0; i < count; i++)
		if (called[i].data.ptr == NULL)
			new_ones = true;
		else
			serve(door, called[i].data.ptr, called[i].events);
	drop_overdue(door);
	if (new_ones)
		take_new(door);
}

int door_fd(const struct door *door)
{
	return door->epoll;
}

int door_wait_ms(const struct door *door)
{
	int64_t first_ms = INT64_MAX, at_ms = now_ms();

	for (size_t i = 0; i < door->count; i++)
		if (door->connection[i]->until_ms < first_ms)
			first_ms = door->connection[i]->until_ms;
	if (first_ms == INT64_MAX)
		return -1;
	return first_ms <= at_ms ? 0 : (int)(first_ms - at_ms);
}

/* --- opening and closing ------------------------------------------------------------------------------- */

static bool open_folder(struct door *door, const char *dir, struct err *err)
{
	struct stat st;

	door->folder = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (door->folder < 0 || fstat(door->folder, &st) != 0)
		return err_set(err, "the folder %s for the socket cannot be used: %s", dir, strerror(errno));
	return (st.st_uid == geteuid() && (st.st_mode & 022) == 0) ||
	       err_set(err, "the folder %s for the socket must be ours, and nobody else may write to it",
		       dir);
}

/* Made for us alone, then opened: nobody comes in between. */
static bool make_socket(struct door *door, const char *dir, bool everybody, struct err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	mode_t before;
	bool bound;

	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" DOOR_SOCKET, door->folder);
	unlinkat(door->folder, DOOR_SOCKET, 0);
	door->listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	before = umask(0177);
	bound = door->listening >= 0 &&
		bind(door->listening, (const struct sockaddr *)&address, sizeof address) == 0;
	umask(before);
	if (bound && (!everybody || fchmodat(door->folder, DOOR_SOCKET, 0666, 0) == 0) &&
	    listen(door->listening, BACKLOG) == 0)
		return true;
	return err_set(err, "the socket %s/" DOOR_SOCKET " cannot be made: %s", dir, strerror(errno));
}

static bool watch(struct door *door, struct err *err)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = NULL};

	door->epoll = epoll_create1(EPOLL_CLOEXEC);
	return (door->epoll >= 0 && epoll_ctl(door->epoll, EPOLL_CTL_ADD, door->listening, &wanted) == 0) ||
	       err_set(err, "the socket cannot be watched: %s", strerror(errno));
}

static struct door *door_new(struct door_handler handler)
{
	struct door *door = mem_zero(1, sizeof *door);

	door->handler = handler;
	door->folder = door->listening = door->epoll = -1;
	return door;
}

struct door *door_open(const char *dir, bool everybody, struct door_handler handler, struct err *err)
{
	struct door *door = door_new(handler);

	if (open_folder(door, dir, err) && make_socket(door, dir, everybody, err) && watch(door, err))
		return door;
	door->handed_over = door->listening < 0;
	door_close(door);
	return NULL;
}

struct door *door_adopt(int listening, const char *dir, struct door_handler handler, struct err *err)
{
	struct door *door = door_new(handler);

	door->listening = listening;
	if (open_folder(door, dir, err) && watch(door, err))
		return door;
	door_close(door);
	return NULL;
}

int door_hand_over(struct door *door)
{
	door->handed_over = true;
	return fcntl(door->listening, F_DUPFD, 0);
}

void door_close(struct door *door)
{
	while (door->count > 0)
		drop(door, door->connection[door->count - 1]);
	if (!door->handed_over && door->folder >= 0)
		unlinkat(door->folder, DOOR_SOCKET, 0);
	if (door->listening >= 0)
		close(door->listening);
	if (door->epoll >= 0)
		close(door->epoll);
	if (door->folder >= 0)
		close(door->folder);
	free(door->connection);
	free(door->allowance);
	free(door);
}
