/* SPDX-License-Identifier: MIT */
/*
 * proxy_process.c - the dispatcher and the proxies: what runs beside the scheduler
 *
 * Both are children without exec, possibly of a process with threads: no memory is allocated, no lock taken.
 *
 * The dispatcher makes no call that a user can delay: it passes descriptors on and closes them while the
 * message still has them. A proxy whose channel is full is stuck, and another one is started for its owner.
 *
 * A proxy reads a packet only when the other side can take it, so it keeps none. While the door does not
 * read, what the user sends stays with the kernel, which charges it to the user.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "door_packet.h"
#include "proxy_inside.h"
#include "sched/rm/descriptors.h"
#include "sched/rm/monotonic.h"

#define CHANNEL     3 /* the descriptor of the channel in each of these processes */
#define AGAIN_MS    100
#define IDLE_MS     5000 /* a proxy without work ends after */
#define URGENT_NICE (-10)

/* Only the channel stays open: not the lock of the store, not what others have sent. */
static void keep_only(int channel)
{
	if (channel != CHANNEL)
		dup3(channel, CHANNEL, O_CLOEXEC);
	close_range(CHANNEL + 1, ~0U, 0);
}

static bool report(int channel, struct proxy_report r)
{
	static const struct proxy_fds none;

	return proxy_send(channel, &r, sizeof r, &none, 0);
}

/* --- the dispatcher ------------------------------------------------------------------------------- */

#define PROXIES 1024

struct child {
	uint32_t owner;
	int channel;
	bool is_current; /* gets what is ordered for its owner */
	uint32_t withdrawing;
	uint64_t bytes;
};

/* In a process of its own. */
static struct child child[PROXIES];
static size_t children;

/* What it was to withdraw is withdrawn, or closed with it. */
static void forget(size_t i)
{
	if (child[i].withdrawing > 0)
		report(CHANNEL, (struct proxy_report){child[i].owner, child[i].withdrawing, child[i].bytes});
	close(child[i].channel);
	child[i] = child[--children];
}

static struct child *start_child(const struct proxy_order *order)
{
	int pair[2];
	pid_t pid;

	if (children == PROXIES)
		forget(0); /* it goes on until it has nothing left */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return NULL;
	pid = fork();
	if (pid == 0) {
		keep_only(pair[1]);
		proxy_serve(CHANNEL, order->percent);
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return NULL;
	}
	child[children] = (struct child){.owner = order->owner, .channel = pair[0], .is_current = true};
	return &child[children++];
}

static struct child *current_of(uint32_t owner)
{
	for (size_t i = 0; i < children; i++)
		if (child[i].is_current && child[i].owner == owner)
			return &child[i];
	return NULL;
}

/* False: no process can be had. */
static bool pass_order(const struct proxy_order *order, size_t size, const struct proxy_fds *fds)
{
	struct child *c = current_of(order->owner);

	if (c != NULL && !proxy_send(c->channel, order, size, fds, MSG_DONTWAIT)) {
		c->is_current = false;
		c = NULL;
	}
	if (c == NULL) {
		c = start_child(order);
		if (c == NULL)
			return false;
		if (!proxy_send(c->channel, order, size, fds, MSG_DONTWAIT)) {
			forget((size_t)(c - child));
			return false;
		}
	}
	if (order->task == PROXY_WITHDRAW) {
		c->withdrawing++;
		c->bytes += order->size;
	}
	return true;
}

static void take_order(void)
{
	struct proxy_order order;
	struct proxy_fds fds;
	ssize_t size = proxy_receive(CHANNEL, &order, sizeof order, &fds, MSG_DONTWAIT);

	if (size == 0 || (size < 0 && errno != EAGAIN))
		_exit(0);
	if (size < (ssize_t)offsetof(struct proxy_order, sentence))
		return;
	while (!pass_order(&order, (size_t)size, &fds))
		poll(NULL, 0, AGAIN_MS);
	proxy_close(&fds);
}

/* One that has nothing to do is let go: it takes what is on its way still, and ends. */
static void take_report(size_t i)
{
	struct proxy_report r;
	struct proxy_fds none;
	ssize_t size = proxy_receive(child[i].channel, &r, sizeof r, &none, MSG_DONTWAIT);

	if (size < 0 && errno == EAGAIN)
		return;
	if (size != sizeof r || (r.count == 0 && child[i].withdrawing == 0)) {
		forget(i);
	} else if (r.count > 0) {
		child[i].withdrawing -= r.count;
		child[i].bytes -= r.bytes;
		report(CHANNEL, r);
	}
}

static void begin_process(int channel)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN, .sa_flags = SA_NOCLDWAIT};
	sigset_t all;
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigaction(SIGCHLD, &ignore, NULL); /* children that end leave nothing behind */
	for (int fd = 0; fd < CHANNEL && nothing >= 0; fd++)
		dup2(nothing, fd);
	keep_only(channel);
	(void)!chdir("/");
	prctl(PR_SET_NAME, "kahu-proxy");
	/* As the scheduler's thread (host_thread.c): what a proxy may use is bounded otherwise. */
	if (getpriority(PRIO_PROCESS, 0) == 0)
		setpriority(PRIO_PROCESS, 0, URGENT_NICE);
}

_Noreturn void proxy_dispatch(int master)
{
	static struct pollfd fd[1 + PROXIES];

	begin_process(master);
	for (;;) {
		size_t before = children;

		fd[0] = (struct pollfd){.fd = CHANNEL, .events = POLLIN};
		for (size_t i = 0; i < before; i++)
			fd[1 + i] = (struct pollfd){.fd = child[i].channel, .events = POLLIN};
		poll(fd, 1 + before, -1);
		/* The last first: those behind one that is forgotten have had their turn. */
		for (size_t i = before; i-- > 0;)
			if (fd[1 + i].revents != 0)
				take_report(i);
		if (fd[0].revents != 0)
			take_order();
	}
}

/* --- a proxy -------------------------------------------------------------------------------------- */

#define LINES        256
#define LINE_PACKETS 4 /* of one line in one turn and direction */
#define BUCKET_MS    1000

struct line {
	int client, door;
	bool to_door_full, to_client_full;
	bool deaf;       /* the door has closed: what the user sends is of no use     */
	int64_t ends_ms; /* the user does not read what is left; INT64_MAX: not so */
};

/* In a process of its own. */
static struct line line[LINES];
static size_t lines;

static bool can_take(int fd)
{
	struct pollfd look = {.fd = fd, .events = POLLOUT};

	return poll(&look, 1, 0) > 0;
}

enum passed {
	PASSED_ALL,
	PASSED_FULL, /* the other side takes no more for now */
	PASSED_END,  /* nothing more will come               */
	PASSED_LOST  /* the other side is gone               */
};

/* A message that is too long arrives there as such. Of users no descriptors are taken. */
static enum passed pass_on(int from, int to, bool with_fd)
{
	static unsigned char bytes[PACKET_HEADER + DOOR_PACKET + 1];

	for (int i = 0; i < LINE_PACKETS; i++) {
		struct proxy_fds fds = {.count = 0};
		ssize_t n;
		bool sent;

		if (!can_take(to))
			return PASSED_FULL;
		n = with_fd ? proxy_receive(from, bytes, sizeof bytes, &fds, MSG_DONTWAIT)
			    : recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN ? PASSED_ALL : PASSED_END;
		sent = proxy_send(to, bytes, (size_t)n, &fds, MSG_DONTWAIT);
		proxy_close(&fds);
		if (!sent)
			return PASSED_LOST;
	}
	return PASSED_ALL;
}

static void end_line(size_t i)
{
	close(line[i].door); /* first: the door knows at once */
	close(line[i].client);
	line[i] = line[--lines];
}

/* The door has closed. */
static void be_deaf(struct line *l)
{
	if (!l->deaf)
		l->ends_ms = monotonic_ms() + DOOR_PATIENCE_MS;
	l->deaf = true;
}

/* False: it is over. */
static bool answer_line(struct line *l, short door, short client)
{
	if ((door & (POLLIN | POLLHUP | POLLERR)) == 0 && (!l->to_client_full || (client & POLLOUT) == 0))
		return true;
	switch (pass_on(l->door, l->client, true)) {
	case PASSED_FULL:
		l->to_client_full = true;
		if ((door & POLLHUP) != 0)
			be_deaf(l);
		return true;
	case PASSED_ALL:
		l->to_client_full = false;
		return true;
	case PASSED_END:
	case PASSED_LOST:
		break;
	}
	return false;
}

static bool ask_line(struct line *l, short door, short client)
{
	if ((client & (POLLHUP | POLLERR)) != 0 && (l->deaf || l->to_door_full))
		return false;
	if (l->deaf ||
	    ((client & (POLLIN | POLLHUP | POLLERR)) == 0 && (!l->to_door_full || (door & POLLOUT) == 0)))
		return true;
	switch (pass_on(l->client, l->door, false)) {
	case PASSED_FULL:
		l->to_door_full = true;
		return (client & (POLLHUP | POLLERR)) == 0;
	case PASSED_ALL:
		l->to_door_full = false;
		return true;
	case PASSED_LOST:
		be_deaf(l); /* there may be a last word for the user */
		return true;
	case PASSED_END:
		break;
	}
	return false;
}

static void serve_line(size_t i, short door, short client, int64_t now_ms)
{
	if (!answer_line(&line[i], door, client) || !ask_line(&line[i], door, client) ||
	    line[i].ends_ms <= now_ms)
		end_line(i);
}

/* False: nothing comes any more. */
static bool take_task(int channel, uint32_t *percent)
{
	struct proxy_order order;
	struct proxy_fds fds;
	ssize_t size = proxy_receive(channel, &order, sizeof order, &fds, MSG_DONTWAIT);

	if (size < (ssize_t)offsetof(struct proxy_order, sentence))
		return size < 0 && errno == EAGAIN;
	*percent = order.percent;
	if (order.task == PROXY_CONNECT && fds.count == 2) {
		line[lines++] = (struct line){.client = fds.fd[0], .door = fds.fd[1], .ends_ms = INT64_MAX};
		return true;
	}
	for (size_t i = 0; order.task == PROXY_REFUSE && order.text > 0 && i < fds.count; i++)
		packet_send(fds.fd[i], PACKET_REFUSAL, true, order.sentence, order.text, -1);
	if (order.task == PROXY_WITHDRAW && fds.count == 1)
		(void)!ftruncate(fds.fd[0], 0);
	proxy_close(&fds);
	if (order.task == PROXY_WITHDRAW)
		report(channel, (struct proxy_report){order.owner, 1, order.size});
	return true;
}

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Waits as long as it takes until its share of the processor covers what it has used. */
static void throttle(uint32_t percent)
{
	static int64_t left_ns, at_ms, used_ns;
	const int64_t ns_per_ms = (int64_t)percent * 10000, full_ns = ns_per_ms * BUCKET_MS;
	int64_t now_ms = monotonic_ms(), now_ns = cpu_ns();

	left_ns = at_ms == 0 ? full_ns : left_ns + (now_ms - at_ms) * ns_per_ms - (now_ns - used_ns);
	if (left_ns > full_ns)
		left_ns = full_ns;
	at_ms = now_ms;
	used_ns = now_ns;
	if (left_ns < 0)
		poll(NULL, 0, (int)(-left_ns / ns_per_ms) + 1);
}

/* Milliseconds until a line is given up; -1: none is. */
static int next_end_ms(int64_t now_ms)
{
	int64_t first_ms = INT64_MAX;

	for (size_t i = 0; i < lines; i++)
		if (line[i].ends_ms < first_ms)
			first_ms = line[i].ends_ms;
	if (first_ms == INT64_MAX)
		return -1;
	return first_ms <= now_ms ? 0 : (int)(first_ms - now_ms);
}

static struct pollfd *watch_lines(int channel, size_t most)
{
	static struct pollfd fd[1 + 2 * LINES];

	fd[0] = (struct pollfd){.fd = lines < most ? channel : -1, .events = POLLIN};
	for (size_t i = 0; i < lines; i++) {
		const struct line *l = &line[i];

		fd[1 + 2 * i] = (struct pollfd){.fd = l->client,
						.events = (short)((l->deaf || l->to_door_full ? 0 : POLLIN) |
								  (l->to_client_full ? POLLOUT : 0))};
		fd[2 + 2 * i] = (struct pollfd){.fd = l->deaf && l->to_client_full ? -1 : l->door,
						.events = (short)((l->to_client_full ? 0 : POLLIN) |
								  (l->to_door_full ? POLLOUT : 0))};
	}
	return fd;
}

/* As many as there are descriptors for, with some for what is ordered. */
static size_t most_lines(void)
{
	int64_t limit = descriptors_limit();

	return limit >= 2 * LINES + 16 ? LINES : limit < 20 ? 2 : (size_t)(limit - 16) / 2;
}

/* Once the channel is closed, `channel` is -1. */
_Noreturn void proxy_serve(int channel, uint32_t percent)
{
	const size_t most = most_lines();

	while (channel >= 0 || lines > 0) {
		size_t before = lines;
		struct pollfd *fd = watch_lines(channel, most);
		int wait_ms = before > 0 ? next_end_ms(monotonic_ms()) : IDLE_MS;

		if (poll(fd, 1 + 2 * before, wait_ms) == 0 && before == 0)
			report(channel, (struct proxy_report){.count = 0});
		for (size_t i = before; i-- > 0;)
			if ((fd[1 + 2 * i].revents | fd[2 + 2 * i].revents) != 0 || wait_ms >= 0)
				serve_line(i, fd[2 + 2 * i].revents, fd[1 + 2 * i].revents, monotonic_ms());
		if (fd[0].revents != 0 && !take_task(channel, &percent)) {
			close(channel);
			channel = -1;
		}
		throttle(percent);
	}
	_exit(0);
}
