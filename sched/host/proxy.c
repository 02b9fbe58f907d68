/* SPDX-License-Identifier: MIT */
/*
 * proxy.c - orders to the processes that serve the connections of users
 *
 * Orders that the dispatcher cannot receive at once wait in a list. If the dispatcher was killed, another
 * one is started; descriptors that it had not passed on are closed with it.
 */
#include "proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proxy_order.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

#define AGAIN_MS   20    /* time until the scheduler tries a full channel again */
#define RESTART_MS 1000  /* minimum time between two starts of a dispatcher */
#define LEAVING    16    /* maximum number of dispatchers that proxies_end starts for waiting orders */
#define BUFFER     40000 /* send buffer of a socket pair, in bytes: room for one packet */

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
	int listening;        /* socket of which the dispatcher keeps a copy; -1: none */
	int64_t started_ms;
	uint32_t percent;
	struct waiting refusal;  /* refused connections of one owner, all with the same sentence; may have no
				    descriptors */
	struct waiting *waiting; /* the oldest first */
	size_t waiting_count, waiting_cap;
	struct withdrawing *withdrawing;
	size_t owners, owner_cap;
};

/* --- start of the dispatcher ---------------------------------------------------------------------- */

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
			proxy_run_dispatcher(master);
		_exit(0);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return child;
}

static void hand_listening(struct proxies *p)
{
	const struct proxy_order order = {.task = PROXY_HOLD};
	const struct proxy_fds fds = {1, {p->listening}};

	if (p->listening >= 0 && p->channel >= 0)
		proxy_send(p->channel, &order, offsetof(struct proxy_order, sentence), &fds, 0);
}

static void start_dispatcher(struct proxies *p)
{
	const int buffer = BUFFER;
	int pair[2];
	pid_t child;

	p->started_ms = monotonic_ms();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
	child = fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0 ? fork_away(pair[1]) : -1;
	close(pair[1]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (child > 0) {
		p->channel = pair[0];
		hand_listening(p);
	} else {
		close(pair[0]);
	}
}

/*
 * Closes the channel to the dispatcher, which has exited or exits then. Its withdrawals no longer count: the
 * descriptors that it had are closed with it.
 */
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
	p->channel = p->listening = -1;
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

void proxies_hold(struct proxies *p, int listening)
{
	pthread_mutex_lock(&p->lock);
	p->listening = listening;
	hand_listening(p);
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

/*
 * Counts a file to be truncated (PROXY_WITHDRAW) if the dispatcher has received the order;
 * proxy_withdrawing() adds the orders that still wait in the list.
 */
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
	if (!proxy_send(p->channel, order, size, fds, 0)) {
		if (errno == EPIPE || errno == ECONNRESET)
			lose_dispatcher(p);
		return false;
	}
	note_withdrawal(p, order);
	/*
	 * These closes cannot block, because they are not the last ones: the message still holds the
	 * descriptors.
	 */
	proxy_close_fds(fds);
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

/* Receives reports. Call under the lock. */
static void take_reports(struct proxies *p)
{
	struct proxy_report report;
	struct proxy_fds none;
	ssize_t n = -1;

	errno = EAGAIN;
	while (p->channel >= 0 && (n = proxy_receive(p->channel, &report, sizeof report, &none, 0)) > 0) {
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

/*
 * Passes waiting orders to new dispatchers, whose channels are empty, so that this process need not close
 * the descriptors itself.
 */
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
		proxy_close_fds(&p->waiting[i].fds);
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
