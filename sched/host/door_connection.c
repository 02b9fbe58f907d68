/* SPDX-License-Identifier: MIT */
/*
 * door_connection.c - one connection to the socket of the scheduler
 *
 * A connection is idle, reads a request, waits for the answer, writes the answer, and is idle again. Every
 * state except waiting is limited to patience_ms. While the connection waits or writes, nothing is read from
 * it: what the client sends meanwhile stays in the kernel, which charges it to the client. Memory grows with
 * the data received, not with the announced size.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door_inside.h"
#include "door_packet.h"
#include "sched/base/vec.h"
#include "sched/rm/fd_passing.h"
#include "sched/rm/monotonic.h"

#define TURN_PACKETS 4 /* maximum number of packets that one connection sends, or receives, in one turn */

/* A request may have SMALL_MOST packets, besides the last one, that are smaller than SMALL_BYTES. */
#define SMALL_BYTES 1024
#define SMALL_MOST  16

static void wait_for(struct connection *c, uint32_t events)
{
	struct epoll_event wanted = {.events = events, .data.ptr = c};

	if (c->wanted != events && epoll_ctl(c->door->epoll, EPOLL_CTL_MOD, c->fd, &wanted) == 0)
		c->wanted = events;
}

static void begin(struct connection *c, enum doing doing)
{
	c->doing = doing;
	c->since_ms = monotonic_ms();
	c->until_ms = doing == WAITS ? INT64_MAX : c->since_ms + c->door->patience_ms;
}

static void let_go(struct connection *c, struct str *bytes)
{
	c->user->held -= bytes->len;
	c->door->held -= bytes->len;
	str_free(bytes);
}

/*
 * Closes a connection. shutdown() makes a proxy notice the end at once, even if a child between fork and
 * exec still has the descriptor open.
 */
static void close_connection(struct door *door, int fd, bool by_proxy)
{
	if (!by_proxy) {
		deferred_close(&door->deferred, fd);
		return;
	}
	shutdown(fd, SHUT_RDWR);
	close(fd);
}

struct connection *connection_new(struct door *door, int fd, bool by_proxy, const struct peer *peer)
{
	struct connection *c = mem_zero(1, sizeof *c);
	struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = c};

	if (epoll_ctl(door->epoll, EPOLL_CTL_ADD, fd, &wanted) != 0) {
		close_connection(door, fd, by_proxy);
		free(c);
		return NULL;
	}
	*c = (struct connection){.door = door,
				 .fd = fd,
				 .by_proxy = by_proxy,
				 .wanted = EPOLLIN,
				 .peer = *peer,
				 .user = user_of(door, peer->uid),
				 .out_fd = -1};
	c->user->connections++;
	door->connection =
		vec_room(door->connection, &door->cap, door->count + 1, sizeof(struct connection *));
	door->connection[door->count++] = c;
	begin(c, IDLE);
	return c;
}

/*
 * The descriptor is removed from epoll explicitly, because closing it does not while a child between fork
 * and exec has it open.
 */
void connection_drop(struct connection *c)
{
	struct door_request *request = c->request;

	if (c->doing == GONE)
		return;
	if (c->paused_ms != 0)
		c->door->paused--;
	c->paused_ms = 0;
	c->doing = GONE;
	c->until_ms = INT64_MAX;
	c->door->gone++;
	c->user->connections--;
	epoll_ctl(c->door->epoll, EPOLL_CTL_DEL, c->fd, NULL);
	close_connection(c->door, c->fd, c->by_proxy);
	if (c->out_fd >= 0)
		close(c->out_fd);
	if (request != NULL)
		c->door->handler.gone(c->door->handler.self, request);
	free(request);
	let_go(c, &c->in);
	let_go(c, &c->out);
}

/* --- the answer --------------------------------------------------------------------------------- */

static void end_answer(struct connection *c)
{
	if (c->refused) {
		connection_drop(c);
		return;
	}
	let_go(c, &c->out);
	c->sent = 0;
	begin(c, IDLE);
	wait_for(c, EPOLLIN);
}

/* Sends the next packets of the answer. An empty answer is sent as one packet. */
static void write_on(struct connection *c)
{
	enum packet_kind kind = c->refused ? PACKET_REFUSAL : PACKET_DATA;
	bool last = false;

	for (int i = 0; i < TURN_PACKETS && !last; i++) {
		size_t left = c->out.len - c->sent, part = left < DOOR_PACKET ? left : DOOR_PACKET;

		last = part == left;
		if (!packet_send(c->fd, kind, last, str_text(&c->out) + c->sent, part, c->out_fd)) {
			if (errno == EAGAIN)
				wait_for(c, EPOLLOUT);
			else
				connection_drop(c);
			return;
		}
		if (c->out_fd >= 0)
			close(c->out_fd);
		c->out_fd = -1;
		c->sent += part;
	}
	if (last)
		end_answer(c);
	else
		wait_for(c, EPOLLOUT);
}

static void begin_answer(struct connection *c)
{
	let_go(c, &c->in);
	c->user->held += c->out.len;
	c->door->held += c->out.len;
	begin(c, WRITES);
	write_on(c);
}

void connection_refuse(struct connection *c, const char *sentence)
{
	c->refused = true;
	str_add(&c->out, sentence);
	begin_answer(c);
}

void door_answer(struct door_request *request, struct door_answer *answer)
{
	struct connection *c = request->of;

	c->request = NULL;
	free(request);
	c->out = answer->bytes;
	c->out_fd = answer->fd;
	*answer = (struct door_answer){.fd = -1};
	begin_answer(c);
}

/* --- the request -------------------------------------------------------------------------------- */

static void ask(struct connection *c)
{
	struct door_request *request;

	if (!user_may_ask(c->door, c->user, monotonic_ms())) {
		connection_refuse(c, "rate limit exceeded: too many requests of this user in a second "
				     "(maxuserrequests); try again later");
		return;
	}
	request = mem_zero(1, sizeof *request);
	request->of = c;
	c->asked = true;
	c->request = request;
	begin(c, WAITS);
	c->door->handler.handle(c->door->handler.self, request, &c->peer, str_text(&c->in), c->in.len);
	if (c->doing == WAITS)
		wait_for(c, 0);
}

/* Would the user hold too much with `more` bytes, because others hold much? */
static bool is_crowded(const struct connection *c, size_t more)
{
	return c->door->held - c->user->held > DOOR_CROWDED && c->user->held + more > DOOR_CROWDED_EACH;
}

/* The time limit counts from the first packet; later packets do not extend it. */
static void take_packet(struct connection *c, const struct packet *p)
{
	if (c->doing == IDLE) {
		begin(c, READS);
		c->small = 0;
	}
	c->small += !p->last && p->size < SMALL_BYTES;
	if (p->kind != PACKET_DATA) {
		connection_refuse(c, "this is not a kahu request");
	} else if (c->small > SMALL_MOST && !c->user->trusted) {
		connection_refuse(c, "the request comes in too many small packets");
	} else if (c->in.len + p->size > DOOR_REQUEST_MAX) {
		connection_refuse(c, "the request is too large: more than 5 MB");
	} else if (c->user->held + p->size > c->door->limits.held && !c->user->trusted) {
		connection_refuse(c, "the requests of this user that are in progress take too much memory "
				     "(maxuserrequestmemory); try again later");
	} else if (is_crowded(c, p->size) && !c->user->trusted) {
		connection_refuse(c, "the requests of all users that are in progress take too much memory; "
				     "send a smaller request, or try again later");
	} else {
		str_add_bytes(&c->in, p->bytes, p->size);
		c->user->held += p->size;
		c->door->held += p->size;
		if (p->last)
			ask(c);
	}
}

static void read_on(struct connection *c)
{
	struct packet p;
	bool more = true;

	for (int i = 0; i < TURN_PACKETS && more; i++) {
		more = false;
		switch (packet_receive(c->fd, &p, NULL)) {
		case PACKET_WHOLE:
			take_packet(c, &p);
			more = c->doing == READS;
			break;
		case PACKET_LATER:
			break;
		case PACKET_CLOSED:
			connection_drop(c);
			break;
		case PACKET_WRONG:
			connection_refuse(c, "this is not a kahu request");
			break;
		}
	}
}

/* --- pauses ------------------------------------------------------------------------------------- */

void connection_pause(struct connection *c, int64_t until_ms)
{
	if (c->paused_ms == 0)
		c->door->paused++;
	c->paused_ms = until_ms;
	c->until_ms = INT64_MAX;
	wait_for(c, 0);
}

void connection_resume(struct connection *c)
{
	c->door->paused--;
	c->paused_ms = 0;
	begin(c, c->doing);
	wait_for(c, c->doing == WRITES ? EPOLLOUT : EPOLLIN);
}

void connection_serve(struct connection *c, uint32_t events)
{
	if (c->doing == IDLE || c->doing == READS)
		read_on(c);
	else if (c->doing == WRITES && (events & (EPOLLERR | EPOLLHUP)) == 0)
		write_on(c);
	else
		connection_drop(c);
}
