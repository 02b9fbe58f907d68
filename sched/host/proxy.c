/* SPDX-License-Identifier: MIT */
/*
 * proxy.c - processes that handle connections and files of users: the scheduler's side, dispatcher and
 * proxies
 *
 * Orders that the dispatcher cannot receive at once wait in a list. A dispatcher that was killed is started
 * again; descriptors that it had not passed on are closed with it.
 */
#include "proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "door_packet.h"
#include "sched/base/vec.h"
#include "sched/rm/descriptors.h"
#include "sched/rm/monotonic.h"

enum proxy_task {
	PROXY_CONNECT, /* two descriptors: the user's connection and the door's */
	PROXY_REFUSE,  /* up to PROXY_FDS descriptors, all get the sentence     */
	PROXY_WITHDRAW /* one descriptor                                        */
};

#define PROXY_TEXT 512

/* From the scheduler to the dispatcher, which passes it on to a proxy. */
struct proxy_order {
	uint32_t task;
	uint32_t owner;
	uint32_t percent;
	uint32_t text; /* bytes of the sentence */
	uint64_t size; /* WITHDRAW: of the file */
	char sentence[PROXY_TEXT];
};

/* And back: number and bytes of the owner's files that were truncated. From a proxy, count 0: it is idle. */
struct proxy_report {
	uint32_t owner;
	uint32_t count;
	uint64_t bytes;
};

#define PROXY_FDS 64

/* Descriptors of one message (SCM_RIGHTS). */
struct proxy_fds {
	size_t count;
	int fd[PROXY_FDS];
};

#define AGAIN_MS       20    /* until the scheduler tries a full channel again   */
#define ORDER_AGAIN_MS 100   /* until the dispatcher tries an order again        */
#define RESTART_MS     1000  /* between starts of two dispatchers                */
#define LEAVING        16    /* dispatchers at the end, for orders that wait     */
#define BUFFER         40000 /* of a socket pair: a packet fits                  */
#define CHANNEL        3     /* descriptor of the channel in the other processes */
#define IDLE_MS        5000  /* until an idle proxy exits                        */
#define URGENT_NICE    (-10)
#define PROXIES        1024 /* of one dispatcher */

struct waiting {
	struct proxy_order order;
	struct proxy_fds fds;
};

struct withdrawing {
	uint32_t owner;
	size_t count, bytes;
};

struct proxies {
	pthread_mutex_t lock; /* guards all below */
	int channel;          /* to the dispatcher; -1: there is none */
	int64_t started_ms;
	uint32_t percent;
	struct waiting refusal;  /* of connections of one owner, with one sentence; no descriptors: none */
	struct waiting *waiting; /* the oldest first */
	size_t waiting_count, waiting_cap;
	struct withdrawing *withdrawing;
	size_t owners, owner_cap;
};

/* --- messages ------------------------------------------------------------------------------------- */

union fds {
	struct cmsghdr head;
	char room[CMSG_SPACE(PROXY_FDS * sizeof(int))];
};

static void close_fds(const struct proxy_fds *fds)
{
	for (size_t i = 0; i < fds->count; i++)
		close(fds->fd[i]);
}

/* Sends a message and its descriptors (SCM_RIGHTS), which stay open in this process. False with errno. */
static bool send_fds(int socket, const void *bytes, size_t size, const struct proxy_fds *fds, int flags)
{
	union fds control;
	struct iovec part = {(void *)(uintptr_t)bytes, size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (fds->count > 0) {
		memset(&control, 0, sizeof control);
		message.msg_control = control.room;
		message.msg_controllen = CMSG_SPACE(fds->count * sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(fds->count * sizeof(int));
		memcpy(CMSG_DATA(&control.head), fds->fd, fds->count * sizeof(int));
	}
	do
		n = sendmsg(socket, &message, flags | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

/* Receives a message and its descriptors; returns as recvmsg(). */
static ssize_t receive_fds(int socket, void *bytes, size_t room, struct proxy_fds *fds, int flags)
{
	union fds control;
	struct iovec part = {bytes, room};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = control.room,
				 .msg_controllen = CMSG_LEN(PROXY_FDS * sizeof(int))};
	const struct cmsghdr *head;
	ssize_t n;

	fds->count = 0;
	do
		n = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	head = n >= 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
		fds->count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds->fd, CMSG_DATA(head), fds->count * sizeof(int));
	}
	return n;
}

/* --- start of the dispatcher ---------------------------------------------------------------------- */

static _Noreturn void run_dispatcher(int master);

/* Starts the dispatcher with a double fork, so that this process need not wait for it. It has all signals
 * blocked. */
static pid_t fork_away(int master)
{
	sigset_t all, before;
	pid_t child;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	child = fork();
	if (child == 0) {
		if (fork() == 0)
			run_dispatcher(master);
		_exit(0);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return child;
}

static void start_dispatcher(struct proxies *p)
{
	int pair[2];
	pid_t child;

	p->started_ms = monotonic_ms();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	child = fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0 ? fork_away(pair[1]) : -1;
	close(pair[1]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (child > 0)
		p->channel = pair[0];
	else
		close(pair[0]);
}

/* Descriptors that the dispatcher had are closed with it. */
static void lose_dispatcher(struct proxies *p)
{
	if (p->channel >= 0)
		close(p->channel);
	p->channel = -1;
	p->owners = 0;
}

struct proxies *proxies_new(void)
{
	struct proxies *p = mem_zero(1, sizeof *p);

	pthread_mutex_init(&p->lock, NULL);
	p->channel = -1;
	p->percent = 10;
	start_dispatcher(p);
	return p;
}

void proxies_set(struct proxies *p, int64_t percent)
{
	pthread_mutex_lock(&p->lock);
	p->percent = (uint32_t)percent;
	pthread_mutex_unlock(&p->lock);
}

/* --- orders, under the lock ----------------------------------------------------------------------- */

static struct withdrawing *withdrawing_of(struct proxies *p, uint32_t owner)
{
	for (size_t i = 0; i < p->owners; i++)
		if (p->withdrawing[i].owner == owner)
			return &p->withdrawing[i];
	return NULL;
}

/* Counts a withdrawal from when the dispatcher has it; proxy_withdrawing() counts those in the list. */
static void note_withdrawal(struct proxies *p, const struct proxy_order *order)
{
	struct withdrawing *w = withdrawing_of(p, order->owner);

	if (order->task != PROXY_WITHDRAW)
		return;
	if (w == NULL) {
		p->withdrawing =
			vec_room(p->withdrawing, &p->owner_cap, p->owners + 1, sizeof *p->withdrawing);
		w = &p->withdrawing[p->owners++];
		*w = (struct withdrawing){.owner = order->owner};
	}
	w->count++;
	w->bytes += order->size;
}

static bool dispatch(struct proxies *p, const struct proxy_order *order, const struct proxy_fds *fds)
{
	size_t size = offsetof(struct proxy_order, sentence) + order->text;

	if (p->channel < 0 && monotonic_ms() - p->started_ms >= RESTART_MS)
		start_dispatcher(p);
	if (p->channel < 0)
		return false;
	if (!send_fds(p->channel, order, size, fds, 0)) {
		if (errno == EPIPE || errno == ECONNRESET)
			lose_dispatcher(p);
		return false;
	}
	note_withdrawal(p, order);
	/* This is not the last close, which may block: the message still holds them. */
	close_fds(fds);
	return true;
}

static void dispatch_waiting(struct proxies *p)
{
	size_t done = 0;

	while (done < p->waiting_count && dispatch(p, &p->waiting[done].order, &p->waiting[done].fds))
		done++;
	p->waiting_count -= done;
	if (done > 0 && p->waiting_count > 0)
		memmove(p->waiting, &p->waiting[done], p->waiting_count * sizeof *p->waiting);
}

static void dispatch_or_keep(struct proxies *p, struct waiting *w)
{
	w->order.percent = p->percent;
	if (p->waiting_count == 0 && dispatch(p, &w->order, &w->fds))
		return;
	p->waiting = vec_room(p->waiting, &p->waiting_cap, p->waiting_count + 1, sizeof *p->waiting);
	p->waiting[p->waiting_count++] = *w;
}

static void give(struct proxies *p, struct waiting w)
{
	pthread_mutex_lock(&p->lock);
	dispatch_or_keep(p, &w);
	pthread_mutex_unlock(&p->lock);
}

static void dispatch_refusal(struct proxies *p)
{
	if (p->refusal.fds.count > 0)
		dispatch_or_keep(p, &p->refusal);
	p->refusal.fds.count = 0;
}

static bool is_same_refusal(const struct proxy_order *a, const struct proxy_order *b)
{
	return a->owner == b->owner && a->text == b->text && memcmp(a->sentence, b->sentence, a->text) == 0;
}

/* --- orders of callers ---------------------------------------------------------------------------- */

int proxy_connect(struct proxies *p, uint32_t owner, int client)
{
	struct proxy_order order = {.task = PROXY_CONNECT, .owner = owner};
	const int buffer = BUFFER;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
		return -1;
	for (int i = 0; i < 2; i++)
		setsockopt(pair[i], SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
	give(p, (struct waiting){order, {2, {client, pair[1]}}});
	return pair[0];
}

void proxy_refuse(struct proxies *p, uint32_t owner, int client, const char *sentence)
{
	struct proxy_order order = {.task = PROXY_REFUSE, .owner = owner};

	order.text = (uint32_t)strnlen(sentence, PROXY_TEXT);
	memcpy(order.sentence, sentence, order.text);
	pthread_mutex_lock(&p->lock);
	if (p->refusal.fds.count == PROXY_FDS || !is_same_refusal(&p->refusal.order, &order))
		dispatch_refusal(p);
	p->refusal.order = order;
	p->refusal.fds.fd[p->refusal.fds.count++] = client;
	pthread_mutex_unlock(&p->lock);
}

void proxy_withdraw(struct proxies *p, uint32_t owner, int fd, size_t size)
{
	struct proxy_order order = {.task = PROXY_WITHDRAW, .owner = owner, .size = size};

	give(p, (struct waiting){order, {1, {fd}}});
}

/* --- turns ---------------------------------------------------------------------------------------- */

/* Under the lock. */
static void take_reports(struct proxies *p)
{
	struct proxy_report report;
	struct proxy_fds none;
	ssize_t n = -1;

	errno = EAGAIN;
	while (p->channel >= 0 && (n = receive_fds(p->channel, &report, sizeof report, &none, 0)) > 0) {
		struct withdrawing *w = withdrawing_of(p, report.owner);

		if (w == NULL || n != sizeof report)
			continue;
		w->count -= report.count < w->count ? report.count : w->count;
		w->bytes -= report.bytes < w->bytes ? report.bytes : w->bytes;
		if (w->count == 0)
			*w = p->withdrawing[--p->owners];
	}
	if (p->channel >= 0 && (n == 0 || errno != EAGAIN))
		lose_dispatcher(p);
}

size_t proxy_withdrawing(struct proxies *p, uint32_t owner, size_t *bytes)
{
	const struct withdrawing *w;
	size_t count = 0;

	*bytes = 0;
	pthread_mutex_lock(&p->lock);
	take_reports(p);
	w = withdrawing_of(p, owner);
	if (w != NULL) {
		count = w->count;
		*bytes = w->bytes;
	}
	for (size_t i = 0; i < p->waiting_count; i++)
		if (p->waiting[i].order.task == PROXY_WITHDRAW && p->waiting[i].order.owner == owner) {
			count++;
			*bytes += p->waiting[i].order.size;
		}
	pthread_mutex_unlock(&p->lock);
	return count;
}

void proxies_turn(struct proxies *p)
{
	pthread_mutex_lock(&p->lock);
	take_reports(p);
	dispatch_waiting(p);
	dispatch_refusal(p);
	pthread_mutex_unlock(&p->lock);
}

int proxies_wait_ms(struct proxies *p)
{
	bool waits;

	pthread_mutex_lock(&p->lock);
	waits = p->waiting_count > 0 || p->refusal.fds.count > 0;
	pthread_mutex_unlock(&p->lock);
	return waits ? AGAIN_MS : -1;
}

/* Passes waiting orders to new dispatchers, whose channels are empty, so that this process closes nothing. */
static void leave_waiting(struct proxies *p)
{
	dispatch_refusal(p);
	dispatch_waiting(p);
	for (int i = 0; i < LEAVING && p->waiting_count > 0; i++) {
		lose_dispatcher(p);
		start_dispatcher(p);
		dispatch_waiting(p);
	}
	for (size_t i = 0; i < p->waiting_count; i++)
		close_fds(&p->waiting[i].fds);
}

void proxies_end(struct proxies *p)
{
	if (p == NULL)
		return;
	leave_waiting(p);
	lose_dispatcher(p);
	pthread_mutex_destroy(&p->lock);
	free(p->waiting);
	free(p->withdrawing);
	free(p);
}

/* --- the dispatcher ------------------------------------------------------------------------------- */

/*
 * Dispatcher and proxies are forked without exec, possibly from a process with threads: they allocate no
 * memory and take no lock.
 *
 * The dispatcher makes no call that a user can delay: it passes descriptors on and closes them while the
 * message still holds them. If the channel of a proxy is full, the proxy is stuck, and the dispatcher starts
 * another one for its owner.
 */

/* Closes everything but the channel, such as the lock of the store and descriptors of other users. */
static void keep_only(int channel)
{
	if (channel != CHANNEL)
		dup3(channel, CHANNEL, O_CLOEXEC);
	close_range(CHANNEL + 1, ~0U, 0);
}

static bool send_report(int channel, struct proxy_report r)
{
	static const struct proxy_fds none;

	return send_fds(channel, &r, sizeof r, &none, 0);
}

/* A proxy, in the dispatcher. */
struct child {
	uint32_t owner;
	int channel;
	bool is_current; /* receives new orders of its owner */
	uint32_t withdrawing;
	uint64_t bytes;
};

static struct child child[PROXIES];
static size_t children;

/* Reports all withdrawals of the proxy as done: the files are truncated, or closed with it. */
static void forget(size_t i)
{
	if (child[i].withdrawing > 0)
		send_report(CHANNEL,
			    (struct proxy_report){child[i].owner, child[i].withdrawing, child[i].bytes});
	close(child[i].channel);
	child[i] = child[--children];
}

static _Noreturn void run_proxy(int channel, uint32_t percent);

static struct child *start_child(const struct proxy_order *order)
{
	int pair[2];
	pid_t pid;

	if (children == PROXIES)
		forget(0); /* it continues until its connections are closed */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return NULL;
	pid = fork();
	if (pid == 0) {
		keep_only(pair[1]);
		run_proxy(CHANNEL, order->percent);
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

/* False: no process could be created. */
static bool pass_order(const struct proxy_order *order, size_t size, const struct proxy_fds *fds)
{
	struct child *c = current_of(order->owner);

	if (c != NULL && !send_fds(c->channel, order, size, fds, MSG_DONTWAIT)) {
		c->is_current = false;
		c = NULL;
	}
	if (c == NULL) {
		c = start_child(order);
		if (c == NULL)
			return false;
		if (!send_fds(c->channel, order, size, fds, MSG_DONTWAIT)) {
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
	ssize_t size = receive_fds(CHANNEL, &order, sizeof order, &fds, MSG_DONTWAIT);

	if (size == 0 || (size < 0 && errno != EAGAIN))
		_exit(0);
	if (size < (ssize_t)offsetof(struct proxy_order, sentence))
		return;
	while (!pass_order(&order, (size_t)size, &fds))
		poll(NULL, 0, ORDER_AGAIN_MS);
	close_fds(&fds);
}

/* Drops a proxy that is idle: it still receives the orders in its channel, then exits. */
static void take_report(size_t i)
{
	struct proxy_report r;
	struct proxy_fds none;
	ssize_t size = receive_fds(child[i].channel, &r, sizeof r, &none, MSG_DONTWAIT);

	if (size < 0 && errno == EAGAIN)
		return;
	if (size != sizeof r || (r.count == 0 && child[i].withdrawing == 0)) {
		forget(i);
	} else if (r.count > 0) {
		child[i].withdrawing -= r.count;
		child[i].bytes -= r.bytes;
		send_report(CHANNEL, r);
	}
}

static void begin_process(int channel)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN, .sa_flags = SA_NOCLDWAIT};
	sigset_t all;
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigaction(SIGCHLD, &ignore, NULL); /* no zombies */
	for (int fd = 0; fd < CHANNEL && nothing >= 0; fd++)
		dup2(nothing, fd);
	keep_only(channel);
	(void)!chdir("/");
	prctl(PR_SET_NAME, "kahu-proxy");
	/* The priority of the scheduler's thread (host.c), except for proxies of busy users: see throttle(). */
	if (getpriority(PRIO_PROCESS, 0) == 0)
		setpriority(PRIO_PROCESS, 0, URGENT_NICE);
}

/* Starts a proxy for each owner; exits when `master` is closed. */
static _Noreturn void run_dispatcher(int master)
{
	static struct pollfd fd[1 + PROXIES];

	begin_process(master);
	for (;;) {
		size_t before = children;

		fd[0] = (struct pollfd){.fd = CHANNEL, .events = POLLIN};
		for (size_t i = 0; i < before; i++)
			fd[1 + i] = (struct pollfd){.fd = child[i].channel, .events = POLLIN};
		poll(fd, 1 + before, -1);
		/* From the end, because forget() moves the last one into the gap. */
		for (size_t i = before; i-- > 0;)
			if (fd[1 + i].revents != 0)
				take_report(i);
		if (fd[0].revents != 0)
			take_order();
	}
}

/* --- a proxy -------------------------------------------------------------------------------------- */

/*
 * A proxy reads a packet only when the other side can receive it, so it buffers none. While the door does not
 * read, the user's data stay in the kernel, which charges them to the user.
 */

#define LINES        256
#define LINE_PACKETS 4 /* of one line in one turn and direction */
#define BUCKET_MS    1000

struct line {
	int client, door;
	bool to_door_full, to_client_full;
	bool deaf;       /* the door has closed: the user's data are not read any more    */
	int64_t ends_ms; /* the user must have read the rest by then; INT64_MAX: no limit */
};

static struct line line[LINES];
static size_t lines;

static bool can_take(int fd)
{
	struct pollfd look = {.fd = fd, .events = POLLOUT};

	return poll(&look, 1, 0) > 0;
}

enum passed {
	PASSED_ALL,
	PASSED_FULL, /* the other side cannot receive more for now */
	PASSED_END,  /* end of data                                */
	PASSED_LOST  /* the other side has closed                  */
};

/* A message that is too long is still too long for its receiver. Descriptors from users are not received. */
static enum passed pass_on(int from, int to, bool with_fd)
{
	static unsigned char bytes[PACKET_HEADER + DOOR_PACKET + 1];

	for (int i = 0; i < LINE_PACKETS; i++) {
		struct proxy_fds fds = {.count = 0};
		ssize_t n;
		bool sent;

		if (!can_take(to))
			return PASSED_FULL;
		n = with_fd ? receive_fds(from, bytes, sizeof bytes, &fds, MSG_DONTWAIT)
			    : recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN ? PASSED_ALL : PASSED_END;
		sent = send_fds(to, bytes, (size_t)n, &fds, MSG_DONTWAIT);
		close_fds(&fds);
		if (!sent)
			return PASSED_LOST;
	}
	return PASSED_ALL;
}

static void end_line(size_t i)
{
	close(line[i].door); /* first, so that the door notices at once */
	close(line[i].client);
	line[i] = line[--lines];
}

/* The door has closed: limits the time in which the user may read the rest. */
static void stop_reading(struct line *l)
{
	if (!l->deaf)
		l->ends_ms = monotonic_ms() + DOOR_PATIENCE_MS;
	l->deaf = true;
}

/* Passes data to the user. False: the line is finished. */
static bool answer_line(struct line *l, short door, short client)
{
	if ((door & (POLLIN | POLLHUP | POLLERR)) == 0 && (!l->to_client_full || (client & POLLOUT) == 0))
		return true;
	switch (pass_on(l->door, l->client, true)) {
	case PASSED_FULL:
		l->to_client_full = true;
		if ((door & POLLHUP) != 0)
			stop_reading(l);
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

/* Passes data to the door. False: the line is finished. */
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
		stop_reading(l); /* there may be an answer left for the user */
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

/* False: the channel is closed. */
static bool take_task(int channel, uint32_t *percent)
{
	struct proxy_order order;
	struct proxy_fds fds;
	ssize_t size = receive_fds(channel, &order, sizeof order, &fds, MSG_DONTWAIT);

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
	close_fds(&fds);
	if (order.task == PROXY_WITHDRAW)
		send_report(channel, (struct proxy_report){order.owner, 1, order.size});
	return true;
}

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * A proxy that uses most of its share runs with the priority of its user's processes: otherwise the proxies of
 * a few busy users would take the processors from the clients of all others.
 */
static void set_urgent(bool urgent)
{
	static bool was_urgent = true;

	if (urgent == was_urgent || (!urgent && getpriority(PRIO_PROCESS, 0) != URGENT_NICE))
		return;
	setpriority(PRIO_PROCESS, 0, urgent ? URGENT_NICE : 0);
	was_urgent = urgent;
}

/* Waits until the proxy's share of a processor covers the time that it has used. */
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
	set_urgent(left_ns >= full_ns / 2);
	if (left_ns < 0)
		poll(NULL, 0, (int)(-left_ns / ns_per_ms) + 1);
}

/* Milliseconds until the next line times out; -1: none does. */
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

/* The number of lines that the descriptor limit allows, with a reserve for orders. */
static size_t most_lines(void)
{
	int64_t limit = descriptors_limit();

	return limit >= 2 * LINES + 16 ? LINES : limit < 20 ? 2 : (size_t)(limit - 16) / 2;
}

/* Exits when `channel` is closed (then it is -1) and no connection is left. */
static _Noreturn void run_proxy(int channel, uint32_t percent)
{
	const size_t most = most_lines();

	while (channel >= 0 || lines > 0) {
		size_t before = lines;
		struct pollfd *fd = watch_lines(channel, most);
		int wait_ms = before > 0 ? next_end_ms(monotonic_ms()) : IDLE_MS;

		if (poll(fd, 1 + 2 * before, wait_ms) == 0 && before == 0)
			send_report(channel, (struct proxy_report){.count = 0});
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
