/* SPDX-License-Identifier: MIT */
/*
 * proxy_process.c - the processes that serve the connections of users: a dispatcher and proxies
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "door_packet.h"
#include "proxy.h"
#include "proxy_order.h"
#include "sched/rm/descriptors.h"
#include "sched/rm/monotonic.h"

#define ORDER_AGAIN_MS 100  /* wait before the dispatcher tries an order again */
#define CHANNEL        3    /* descriptor of the channel, in the dispatcher and in proxies */
#define IDLE_MS        5000 /* time until an idle proxy exits */
#define URGENT_NICE    (-10)
#define PROXIES        1024 /* maximum number of proxies */
#define CPU_SHARES     4096
#define HELD           16384 /* maximum number of refused connections that a proxy holds */
#define BUCKET_MS      1000  /* the allowance for this much time can be used at once */
#define REST_MS        20 /* added to each wait, so that a proxy does not wake for each ms of its allowance */

/* --- the dispatcher ------------------------------------------------------------------------------- */

/*
 * Dispatcher and proxies are forked without exec, possibly from a process with threads: they allocate no
 * memory and take no lock.
 *
 * The dispatcher makes no call that a user can delay: it passes descriptors on and closes them while the
 * message still holds them. If the channel of a proxy is full, the proxy is stuck, and the dispatcher starts
 * another one for its owner. All proxies of an owner share one allowance of processor time, so a user gains
 * nothing from having several proxies. A proxy always reads its channel: descriptors in transit are charged
 * to root, and when there are thousands of them, the kernel makes every sender wait.
 */

/* An owner's allowance of processor time, in memory shared by the dispatcher and its proxies. */
struct cpu_share {
	uint32_t owner;
	_Atomic int64_t left_ns; /* the allowance that is left; negative: more was used than is allowed */
	_Atomic int64_t at_ms;   /* time of the last refill; 0 = none yet */
};

static struct cpu_share *cpu_shares; /* NULL: no memory could be allocated */
static size_t cpu_share_count;

/*
 * Returns the allowance of an owner; NULL if there is no table. Owners beyond the first CPU_SHARES get
 * entries in the upper half of the table, which they share.
 */
static struct cpu_share *cpu_share_of(uint32_t owner)
{
	size_t i = 0;

	if (cpu_shares == NULL)
		return NULL;
	while (i < cpu_share_count && cpu_shares[i].owner != owner)
		i++;
	if (i == CPU_SHARES)
		return &cpu_shares[CPU_SHARES - 1 - owner % (CPU_SHARES / 2)];
	if (i == cpu_share_count)
		cpu_shares[cpu_share_count++].owner = owner;
	return &cpu_shares[i];
}

static void make_cpu_shares(void)
{
	cpu_shares = mmap(NULL, CPU_SHARES * sizeof *cpu_shares, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (cpu_shares == MAP_FAILED)
		cpu_shares = NULL;
}

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

	return proxy_send(channel, &r, sizeof r, &none, 0);
}

/* What the dispatcher records about a proxy. */
struct child {
	uint32_t owner;
	int channel;
	bool is_current; /* new orders for the owner are sent to this proxy */
	uint32_t withdrawing;
	uint64_t bytes;
};

static int listening = -1;
static struct child child[PROXIES];
static size_t children;

/*
 * Removes a proxy from the table. Reports all withdrawals of the proxy as done: the files have been
 * truncated, or are closed when the proxy exits.
 */
static void forget(size_t i)
{
	if (child[i].withdrawing > 0)
		send_report(CHANNEL,
			    (struct proxy_report){child[i].owner, child[i].withdrawing, child[i].bytes});
	close(child[i].channel);
	child[i] = child[--children];
}

static _Noreturn void run_proxy(int channel, uint32_t percent, struct cpu_share *share);

static struct child *start_child(const struct proxy_order *order)
{
	struct cpu_share *share = cpu_share_of(order->owner);
	int pair[2];
	pid_t pid;

	if (children == PROXIES)
		forget(0); /* the proxy continues until its connections are closed */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return NULL;
	pid = fork();
	if (pid == 0) {
		keep_only(pair[1]);
		run_proxy(CHANNEL, order->percent, share);
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

/*
 * Passes an order to the owner's current proxy, or to a new one. Returns false if no new proxy could be
 * started or reached.
 */
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
	if (order.task == PROXY_HOLD) {
		close(listening);
		listening = fds.count > 0 ? fds.fd[0] : -1;
		return;
	}
	while (!pass_order(&order, (size_t)size, &fds))
		poll(NULL, 0, ORDER_AGAIN_MS);
	proxy_close_fds(&fds);
}

/*
 * Reads a report of a proxy. Drops a proxy that is idle: it still receives the orders in its channel, then
 * exits.
 */
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
	/* The priority of the scheduler's thread (host.c); proxies of busy users lose it (set_urgent) */
	if (getpriority(PRIO_PROCESS, 0) == 0)
		setpriority(PRIO_PROCESS, 0, URGENT_NICE);
}

/* Starts proxies and passes orders to them; exits when `master` is closed. */
_Noreturn void proxy_run_dispatcher(int master)
{
	static struct pollfd fd[1 + PROXIES];

	begin_process(master);
	make_cpu_shares();
	for (;;) {
		size_t before = children;

		fd[0] = (struct pollfd){.fd = CHANNEL, .events = POLLIN};
		for (size_t i = 0; i < before; i++)
			fd[1 + i] = (struct pollfd){.fd = child[i].channel, .events = POLLIN};
		poll(fd, 1 + before, -1);
		/* Backwards, because forget() moves the last entry to the position that becomes free. */
		for (size_t i = before; i-- > 0;)
			if (fd[1 + i].revents != 0)
				take_report(i);
		if (fd[0].revents != 0)
			take_order();
	}
}

/* --- the share of a proxy -------------------------------------------------------------------------- */

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * A proxy whose user has used up most of the allowance runs with the priority of the user's processes:
 * otherwise the proxies of a few busy users would take the processors from the clients of all others.
 */
static void set_urgent(bool urgent)
{
	static bool was_urgent = true;

	if (urgent == was_urgent || (!urgent && getpriority(PRIO_PROCESS, 0) != URGENT_NICE))
		return;
	setpriority(PRIO_PROCESS, 0, urgent ? URGENT_NICE : 0);
	was_urgent = urgent;
}

/*
 * Adds the allowance for the time since the last refill, which any proxy of the owner may have made. Returns
 * the allowance that is left.
 */
static int64_t refill(struct cpu_share *share, int64_t ns_per_ms)
{
	const int64_t full_ns = ns_per_ms * BUCKET_MS;
	int64_t now_ms = monotonic_ms(), at_ms = share->at_ms, due_ns, left_ns;

	if (now_ms <= at_ms || !atomic_compare_exchange_strong(&share->at_ms, &at_ms, now_ms))
		return share->left_ns;
	due_ns = at_ms == 0 ? full_ns : (now_ms - at_ms) * ns_per_ms;
	left_ns = atomic_fetch_add(&share->left_ns, due_ns) + due_ns;
	if (left_ns > full_ns) {
		atomic_fetch_sub(&share->left_ns, left_ns - full_ns);
		left_ns = full_ns;
	}
	return left_ns;
}

/*
 * Charges the owner's allowance with the time that this proxy has used since the last call. Returns the
 * milliseconds to wait until the allowance is positive again; 0: no wait. Called after each call that the
 * user can make slow.
 */
static int charge(struct cpu_share *share, uint32_t percent)
{
	static struct cpu_share own;
	static int64_t used_ns;
	const int64_t ns_per_ms = (int64_t)percent * 10000;
	int64_t now_ns = cpu_ns(), left_ns, behind_ms;

	if (share == NULL)
		share = &own;
	share->left_ns -= now_ns - used_ns;
	used_ns = now_ns;
	left_ns = refill(share, ns_per_ms);
	/*
	 * Without allowance a proxy only reads its channel, which must happen soon: see the comment on the
	 * dispatcher.
	 */
	set_urgent(left_ns < 0 || left_ns >= ns_per_ms * BUCKET_MS / 2);
	if (left_ns >= 0)
		return 0;
	behind_ms = -left_ns / ns_per_ms;
	return REST_MS + (int)(behind_ms < BUCKET_MS ? behind_ms : BUCKET_MS);
}

static void wait_for_share(struct cpu_share *share, uint32_t percent)
{
	int wait_ms;

	while ((wait_ms = charge(share, percent)) > 0)
		poll(NULL, 0, wait_ms);
}

/* --- a proxy -------------------------------------------------------------------------------------- */

/*
 * A proxy reads a packet only when the other side can receive it, so it buffers none. While the door does not
 * read, the user's data stay in the kernel, which charges them to the user.
 */

#define LINES        256
#define TASKS        64 /* maximum number of orders that a proxy takes in one turn */
#define LINE_PACKETS 4  /* maximum number of packets that one line passes in each direction in one turn */

struct line {
	int client, door;
	bool to_door_full, to_client_full;
	bool deaf;       /* the door has closed its side: data from the user is no longer read */
	int64_t ends_ms; /* time by which the user must have read the rest; INT64_MAX: no limit */
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
	PASSED_FULL, /* the other side cannot receive now */
	PASSED_END,  /* end of data */
	PASSED_LOST  /* the other side has closed */
};

/*
 * Passes packets on from one side to the other, as many as there are, up to LINE_PACKETS. A packet that is
 * too long is cut, but remains too long for its receiver. Descriptors are passed on only with `with_fd`:
 * from the door, not from users.
 */
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
		proxy_close_fds(&fds);
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

/* Passes data to the user. Returns false if the line is finished. */
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

/* Passes data to the door. Returns false if the line is finished. */
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

/*
 * Connections that are refused while the allowance is used up stay open at first and are closed later,
 * without a sentence: closing costs little if the user has closed first.
 */
static int held[HELD];
static size_t held_count;

static void refuse_all(const struct proxy_order *order, const struct proxy_fds *fds, struct cpu_share *share)
{
	for (size_t i = 0; i < fds->count; i++) {
		if (held_count > 0 || charge(share, order->percent) > 0) {
			held[held_count++] = fds->fd[i];
			continue;
		}
		if (order->text > 0)
			packet_send(fds->fd[i], PACKET_REFUSAL, true, order->sentence, order->text, -1);
		close(fds->fd[i]);
	}
}

/* Closes some of the held connections. Returns false if the allowance is used up. */
static bool close_held(struct cpu_share *share, uint32_t percent)
{
	for (int i = 0; i < PROXY_FDS && held_count > 0; i++) {
		if (charge(share, percent) > 0)
			return false;
		close(held[--held_count]);
	}
	return charge(share, percent) == 0;
}

static void do_task(int channel, const struct proxy_order *order, const struct proxy_fds *fds,
		    struct cpu_share *share)
{
	if (order->task == PROXY_CONNECT && fds->count == 2) {
		line[lines++] = (struct line){.client = fds->fd[0], .door = fds->fd[1], .ends_ms = INT64_MAX};
		return;
	}
	if (order->task == PROXY_REFUSE) {
		refuse_all(order, fds, share);
		return;
	}
	wait_for_share(share, order->percent);
	if (order->task == PROXY_WITHDRAW && fds->count == 1)
		(void)!ftruncate(fds->fd[0], 0);
	proxy_close_fds(fds);
	if (order->task == PROXY_WITHDRAW)
		send_report(channel, (struct proxy_report){order->owner, 1, order->size});
}

/* Is there room for another connection, and for another order beside the connections that are held? */
static bool has_room(void)
{
	int64_t left = descriptors_limit() - 16 - 2 * (int64_t)lines - (int64_t)held_count;

	return lines < LINES && held_count + PROXY_FDS <= HELD && (left >= 2 || lines < 2) &&
	       (left >= PROXY_FDS || held_count == 0);
}

/*
 * Takes up to TASKS orders, so that a burst does not fill the channel. Returns false if the channel is
 * closed.
 */
static bool take_tasks(int channel, uint32_t *percent, struct cpu_share *share)
{
	for (int i = 0; i < TASKS && has_room(); i++) {
		struct proxy_order order;
		struct proxy_fds fds;
		ssize_t size = proxy_receive(channel, &order, sizeof order, &fds, MSG_DONTWAIT);

		if (size < (ssize_t)offsetof(struct proxy_order, sentence))
			return size < 0 && errno == EAGAIN;
		*percent = order.percent;
		do_task(channel, &order, &fds, share);
	}
	return true;
}

/* Returns the milliseconds until the next line times out; -1: none does. */
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

/*
 * Returns the descriptors to poll: the channel, then both descriptors of each line; without `may_serve` only
 * the channel.
 */
static struct pollfd *watch_lines(int channel, bool may_serve)
{
	static struct pollfd fd[1 + 2 * LINES];

	fd[0] = (struct pollfd){.fd = has_room() ? channel : -1, .events = POLLIN};
	for (size_t i = 0; i < lines && may_serve; i++) {
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

/*
 * Serves the lines from the last to the first, because end_line() moves the last line to the position that
 * becomes free. Lines that are left when the allowance is used up are served later. `in_time`: lines without
 * events are checked as well, because one of them may have timed out.
 */
static void serve_lines(const struct pollfd *fd, size_t count, bool in_time, struct cpu_share *share,
			uint32_t percent)
{
	for (size_t i = count; i-- > 0;) {
		if ((fd[1 + 2 * i].revents | fd[2 + 2 * i].revents) == 0 && !in_time)
			continue;
		serve_line(i, fd[2 + 2 * i].revents, fd[1 + 2 * i].revents, monotonic_ms());
		if (charge(share, percent) > 0)
			return;
	}
}

/* Serves connections and orders. Exits when `channel` is closed (it is then -1) and no connection is left. */
static _Noreturn void run_proxy(int channel, uint32_t percent, struct cpu_share *share)
{
	while (channel >= 0 || lines > 0 || held_count > 0) {
		bool may_serve = close_held(share, percent);
		size_t before = may_serve ? lines : 0;
		struct pollfd *fd = watch_lines(channel, may_serve);
		int end_ms = before > 0 ? next_end_ms(monotonic_ms()) : IDLE_MS;
		int wait_ms = !may_serve ? charge(share, percent) : held_count > 0 ? 0 : end_ms;

		if (poll(fd, 1 + 2 * before, wait_ms) == 0 && may_serve && lines + held_count == 0)
			send_report(channel, (struct proxy_report){.count = 0});
		serve_lines(fd, before, end_ms >= 0, share, percent);
		if (fd[0].revents != 0 && !take_tasks(channel, &percent, share)) {
			close(channel);
			channel = -1;
		}
	}
	_exit(0);
}
