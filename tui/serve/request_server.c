/* SPDX-License-Identifier: MIT */
/*
 * request_server.c - server of client requests
 *
 * A turn collects the requests that have arrived, commits all accepted changes together, and then sends the
 * answers, so that no client receives an answer before its change is durable.
 */
#include "request_server.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "authorization.h"
#include "crash_restart.h"
#include "request_server_inside.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

/* --- turns of the server ------------------------------------------------------------------------------- */

#ifdef __GLIBC__
#include <malloc.h>
#endif

/*
 * Limits of one turn: processor time, so that requests share a commit even on a busy machine; and elapsed
 * time, for slow disks.
 */
#define TURN_CPU_NS ((int64_t)2000000)

#define TURN_MS 50

/*
 * A request with more bytes or changes than this begins a new turn, so that small requests do not wait for
 * its commit.
 */
#define LARGE_BYTES ((size_t)32 << 10)

#define LARGE_CHANGES 32

#define LARGE_WAIT_MS 100 /* time for which small requests may overtake a large one */

/* A large request that has waited this long for the user's earlier ones is refused; clients wait 60 s. */
#define LARGE_PATIENCE_MS (ALLOWANCE_LARGE_MS + 5000)

#define SHARED_BYTES ((size_t)8 << 20) /* memory limit of shared states; the newest two may exceed it */

/* Freed memory that is kept for the next large request, in bytes. Providing new memory takes the kernel
 * longer than handling the request. */
#define KEPT_MEMORY (4 << 20)

/* Maximum size of an answer in bytes: JOB_REFS_MAX jobs with the reasons why they ended. */
#define ANSWER_MOST ((size_t)512 << 10)

/* --- requests ----------------------------------------------------------------------------------- */

static void answer(struct request_server *p, struct asked *a);

static void take_change(struct request_server *p, struct asked *a);

static void settle(struct request_server *p);

static void drop(struct request_server *p, struct asked *a)
{
	past_worker_forget(p->past_worker, a->past_request);
	a->use->waiting--;
	str_free(&a->kept);
	free(a->answer.applied);
	free(a->answer.job_status);
	arena_free(&a->arena);
	free(a);
}

/* Is there memory for one more answer to this user? An answer takes memory until its user has read it, and a
 * user may delay reading on many connections. */
static bool has_memory(const struct request_server *p, struct asked *a)
{
	size_t held = door_use_of(p->door, a->peer.uid).held;
	int64_t most_mb = driver_view(p->driver)->policy.site.user_request_mb;

	return a->peer.uid == 0 || a->peer.uid == geteuid() || held + ANSWER_MOST <= (size_t)most_mb << 20 ||
	       err_set(&a->answer.err,
		       "pending requests and answers of this user take %zu kB; one more answer may take %zu "
		       "kB, and maxuserrequestmemory allows %" PRId64
		       " MB; read the pending answers, or try again later",
		       held >> 10, ANSWER_MOST >> 10, most_mb);
}

static void answer(struct request_server *p, struct asked *a)
{
	struct door_answer reply = {.fd = -1};

	a->answer.now_s = p->now_s;
	if (a->request != NULL) {
		crash_begin(a->peer.uid);
		if (a->kept.len == 0 && !a->refused && has_memory(p, a))
			reply.fd = request_server_answer(p, a);
		if (a->kept.len > 0)
			str_add_bytes(&reply.bytes, a->kept.data, a->kept.len);
		else
			answer_write(&a->answer, &reply.bytes);
		door_answer(a->request, &reply);
		crash_end();
	}
	str_free(&reply.bytes);
	drop(p, a);
}

/* Does the client wait for a state that is newer than the one it has? */
static bool waits_for_news(const struct request_server *p, const struct asked *a)
{
	return a->request != NULL && !a->refused && a->text.kind == ASK_STATE && a->text.past.from != 0 &&
	       a->text.past.from == driver_view(p->watched)->seq;
}

static bool waits(const struct request_server *p, const struct asked *a)
{
	if (a->past_request != NULL)
		return a->request != NULL && !past_request_is_done(p->past_worker, a->past_request);
	return waits_for_news(p, a);
}

/* Does the user have a known account? If not, reads are refused, too, because they take time and memory that
 * are limited per user. */
static bool admits(void *self, const struct peer *peer, struct err *err)
{
	const struct request_server *p = self;

	return users_admit(users_find(p->users, driver_view(p->driver), peer->uid, peer->gid), err);
}

/* Returns the allowance record of a user. Administrators of level 1 are exempt from its limits. */
static struct allowance_use *use_of(const struct request_server *p, const struct peer *peer)
{
	struct allowance_use *use = allowance_of(p->allowance, peer->uid, monotonic_ms());

	use->exempt = users_find(p->users, driver_view(p->driver), peer->uid, peer->gid)->level == ADMIN_ALL;
	return use;
}

static void charge(void *self, const struct peer *peer, int64_t ns)
{
	allowance_charge(use_of(self, peer), ns);
}

static int64_t wait_ms(void *self, const struct peer *peer)
{
	const struct request_server *p = self;

	return allowance_wait_ms(p->allowance, use_of(p, peer));
}

/* Maximum size in bytes of a read, which is a small request that changes nothing. Reads are answered before
 * the changes of a turn. */
#define READ_BYTES 4096

static bool is_read_kind(enum request_kind_of kind)
{
	return kind == ASK_STATE || kind == ASK_JOBS || kind == ASK_PAST || kind == ASK_LIMITS;
}

static bool head_reads(struct asked *a, const void *bytes)
{
	struct request_text head;
	struct err err;
	bool reads;

	if (a->size > READ_BYTES)
		return false;
	crash_begin(a->peer.uid);
	reads = !crash_refuses(a->peer.uid, &err) &&
		request_read_head(bytes, a->size, &a->arena, &head, &err) && is_read_kind(head.kind);
	crash_end();
	arena_reset(&a->arena);
	return reads;
}

/* Only queues the request; it is decoded when it is the user's turn. */
static void handle(void *self, struct door_request *request, const struct peer *peer, const void *bytes,
		   size_t size)
{
	struct request_server *p = self;
	struct asked *a = mem_zero(1, sizeof *a);

	a->request = request;
	a->peer = *peer;
	a->answer = (struct answer_text){.outcome = DRIVER_REFUSED, .now_s = p->now_s};
	a->use = use_of(p, peer);
	a->use->waiting++;
	p->asked = vec_room(p->asked, &p->room, p->count + 1, sizeof(struct asked *));
	p->asked[p->count++] = a;
	a->bytes = bytes;
	a->size = size;
	a->large = size > LARGE_BYTES;
	a->reads = head_reads(a, bytes);
	a->since_ms = monotonic_ms();
	if (!p->everybody && peer->uid != geteuid() && peer->uid != 0) {
		a->bytes = NULL;
		a->refused = true;
		err_set(&a->answer.err, "this scheduler accepts only jobs of its own user; root's scheduler "
					"accepts jobs of all users");
	}
}

/* Is the request large? Array tasks and dependencies count as changes, so this is only known after
 * decoding. */
static bool is_large(struct asked *a)
{
	a->large = a->large || (a->text.kind == ASK_CHANGE &&
				authorize_weight(a->text.event, a->text.count) > LARGE_CHANGES);
	return a->large;
}

/* Decodes a request. Decoding the events takes most of the time, so a request with too many events is refused
 * before they are decoded. */
static bool read_request(const struct request_server *p, struct asked *a, const void *bytes)
{
	struct err *err = &a->answer.err;

	if (request_read_head(bytes, a->size, &a->arena, &a->text, err) &&
	    authorize_size(driver_view(p->driver), request_server_person(p, a), a->text.count, err)) {
		arena_reset(&a->arena);
		return request_read(bytes, a->size, &a->arena, &a->text, err);
	}
	a->text = (struct request_text){.count = 0};
	return false;
}

/*
 * Decodes a request and accepts or refuses its changes. Returns false, and leaves the request unchanged, if
 * it is large and not the first of the turn, or its user has to wait before another large one.
 */
static bool take_up(struct request_server *p, struct asked *a, bool is_first)
{
	bool taken = true;

	int64_t began_ns = monotonic_thread_ns(), turn_ns = monotonic_ns();
	const void *bytes = a->bytes;

	a->bytes = NULL;
	a->answer.now_s = p->now_s;
	crash_begin(a->peer.uid);
	if (crash_refuses(a->peer.uid, &a->answer.err) ||
	    !users_admit(request_server_person(p, a), &a->answer.err) || fail_at(FAIL_REQUEST_READ) ||
	    !read_request(p, a, bytes)) {
		a->refused = true;
	} else if (is_large(a) && (!is_first || allowance_large_wait_ms(p->allowance, a->use) > 0)) {
		arena_free(&a->arena); /* it may wait long */
		a->text = (struct request_text){.count = 0};
		a->bytes = bytes;
		taken = false;
	} else if (a->text.kind == ASK_CHANGE) {
		fail_at(FAIL_SUB_AFTER_RECV);
		if (a->large) {
			p->large = a->use;
			p->large_ns = turn_ns;
		}
		take_change(p, a);
	} else if (a->text.kind == ASK_MOMENT) {
		request_server_ask_moment(p, a);
	}
	crash_end();
	allowance_charge(a->use, monotonic_thread_ns() - began_ns);
	allowance_note_served(p->allowance, a->use);
	return taken;
}

/* The client of a request has disconnected. Its accepted changes are made nevertheless. */
static void gone(void *self, struct door_request *request)
{
	struct request_server *p = self;

	for (size_t i = 0; i < p->count; i++)
		if (p->asked[i]->request == request) {
			p->asked[i]->request = NULL;
			p->asked[i]->bytes = NULL;
		}
}

/* --- order of requests -------------------------------------------------------------------------------- */

/*
 * Can the request be decoded now? Not while another request of the same user can be answered: if changes were
 * made first, they could use up the user's allowance.
 */
static bool is_unread(const struct request_server *p, const struct asked *a)
{
	(void)p;
	return a->bytes != NULL && !a->use->asks;
}

/* Is this a decoded request, other than a change, that can be answered now? The limits per user bound the
 * work that it causes. */
static bool is_question(const struct request_server *p, const struct asked *a)
{
	return a->bytes == NULL && a->request != NULL && !a->refused && a->text.kind != ASK_CHANGE &&
	       !waits(p, a);
}

/*
 * Does the request yield to others? Small requests come before large ones of any user, because all small ones
 * together take less time than a large one. A large request that has waited LARGE_WAIT_MS no longer yields.
 */
static bool yields(const struct request_server *p, const struct asked *a)
{
	return a->large && p->now_ms - a->since_ms < LARGE_WAIT_MS;
}

static bool is_before(const struct request_server *p, const struct asked *a, const struct asked *b)
{
	if (yields(p, a) != yields(p, b))
		return yields(p, b);
	return allowance_is_before(p->allowance, a->use, b->use);
}

/* Returns the number of milliseconds until the user's limits permit this request; 0: now. */
static int64_t user_wait_ms(const struct request_server *p, const struct asked *a)
{
	int64_t wait_ms = allowance_wait_ms(p->allowance, a->use);
	int64_t large_ms = a->large ? allowance_large_wait_ms(p->allowance, a->use) : 0;

	return large_ms > wait_ms ? large_ms : wait_ms;
}

/*
 * Returns the index of the request to handle next: of the requests for which is_meant is true, the first one
 * of the user whose turn it is; SIZE_MAX: none. Requests of one user keep their order, except that small ones
 * do not wait with a large one.
 */
static size_t next_of(const struct request_server *p,
		      bool (*is_meant)(const struct request_server *p, const struct asked *a))
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < p->count; i++)
		p->asked[i]->use->seen = false;
	for (size_t i = 0; i < p->count; i++) {
		const struct asked *a = p->asked[i];

		if (a->use->seen || !is_meant(p, a) || user_wait_ms(p, a) > 0)
			continue;
		a->use->seen = true;
		if (best == SIZE_MAX || is_before(p, a, p->asked[best]))
			best = i;
	}
	return best;
}

static void fill_all(struct request_server *p)
{
	p->now_ms = monotonic_ms();
	for (size_t i = 0; i < p->count; i++) {
		allowance_fill(p->allowance, p->asked[i]->use, p->now_ms);
		p->asked[i]->use->asks = false;
	}
	for (size_t i = 0; i < p->count; i++)
		if (is_question(p, p->asked[i]) && !p->asked[i]->use->exempt)
			p->asked[i]->use->asks = true;
}

/*
 * Returns the number of milliseconds until a large request that waits for earlier ones of its user is
 * refused.
 */
static int64_t patience_ms(const struct request_server *p, const struct asked *a)
{
	bool waits = a->large && a->bytes != NULL && allowance_large_wait_ms(p->allowance, a->use) > 0;

	return waits ? a->since_ms + LARGE_PATIENCE_MS - p->now_ms : INT64_MAX;
}

/*
 * Of the large requests of a user that wait for earlier ones, the first may wait for a while. The others are
 * refused at once, because they would take memory in the meantime.
 */
static void refuse_large(struct request_server *p)
{
	for (size_t i = 0; i < p->count; i++)
		p->asked[i]->use->seen = false;
	for (size_t i = 0; i < p->count; i++) {
		struct asked *a = p->asked[i];
		int64_t left_ms = patience_ms(p, a);
		bool is_first = left_ms != INT64_MAX && !a->use->seen;

		a->use->seen = a->use->seen || left_ms != INT64_MAX;
		if (left_ms == INT64_MAX || (is_first && left_ms > 0))
			continue;
		a->bytes = NULL;
		a->refused = true;
		err_set(&a->answer.err,
			"large requests of this user (more than %d changes or %zu kB) have used the time "
			"that "
			"maxusercpu allows them; send smaller requests, or try again in a minute",
			LARGE_CHANGES, LARGE_BYTES >> 10);
	}
}

struct budget {
	int64_t until_cpu_ns, until_ms;
};

static struct budget new_budget(const struct request_server *p)
{
	if (p->turn_ms > 0)
		return (struct budget){INT64_MAX, monotonic_ms() + p->turn_ms};
	return (struct budget){monotonic_thread_ns() + TURN_CPU_NS, monotonic_ms() + TURN_MS};
}

static bool is_spent(const struct budget *b)
{
	return monotonic_thread_ns() >= b->until_cpu_ns || monotonic_ms() >= b->until_ms;
}

/* Answers a request and charges the processor time to its user, except the time for states shared by all
 * users. use->waiting keeps the allowance record from being deleted in the meantime. */
static void answer_charged(struct request_server *p, struct asked *a)
{
	struct allowance_use *use = a->use;
	int64_t began_ns = monotonic_thread_ns();

	use->waiting++;
	answer(p, a);
	allowance_charge(use, monotonic_thread_ns() - began_ns - publisher_shared_ns(p->publisher));
	use->waiting--;
}

static void answer_question(struct request_server *p, size_t i)
{
	struct allowance_use *use = p->asked[i]->use;

	use->waiting++;
	answer_charged(p, p->asked[i]);
	memmove(&p->asked[i], &p->asked[i + 1], (p->count - i - 1) * sizeof(struct asked *));
	p->count--;
	allowance_note_served(p->allowance, use);
	use->waiting--;
}

/* Is this a decoded read that can be answered now? */
static bool only_asks(const struct request_server *p, const struct asked *a)
{
	return is_question(p, a) && is_read_kind(a->text.kind);
}

static bool is_read(const struct request_server *p, const struct asked *a)
{
	return only_asks(p, a) || (a->reads && is_unread(p, a));
}

/*
 * Answers reads before the changes of a turn, for at most half of its time: after a change, they would have
 * to wait for its commit.
 */
static void take_up_reads(struct request_server *p, const struct budget *budget)
{
	int64_t until_ns = monotonic_thread_ns() + TURN_CPU_NS / 2;
	size_t i;

	while (!is_spent(budget) && monotonic_thread_ns() < until_ns && (i = next_of(p, is_read)) != SIZE_MAX)
		if (is_question(p, p->asked[i]) ||
		    (take_up(p, p->asked[i], true) && only_asks(p, p->asked[i])))
			answer_question(p, i);
}

/*
 * Chooses the next request among undecoded requests and decoded ones that can be answered. If their users
 * rank equally, the decoded ones come first in every second turn, so that neither kind waits indefinitely.
 */
static size_t next_of_both(const struct request_server *p)
{
	size_t unread = next_of(p, is_unread), question = next_of(p, is_question);

	if (unread == SIZE_MAX || question == SIZE_MAX)
		return unread == SIZE_MAX ? question : unread;
	if (is_before(p, p->asked[question], p->asked[unread]))
		return question;
	return p->questions_first && !is_before(p, p->asked[unread], p->asked[question]) ? question : unread;
}

/*
 * Handles requests until the time of the turn is over. Reads that come before all changes of the turn are
 * answered before the commit. The other reads are answered in the next turn, after new requests have been
 * collected, so that these do not wait for a further commit.
 */
static void take_up_all(struct request_server *p)
{
	struct budget budget = new_budget(p);
	size_t i, taken = 0;
	bool changed = false;

	p->questions_first = !p->questions_first;
	take_up_reads(p, &budget);
	while (!is_spent(&budget) && (i = changed ? next_of(p, is_unread) : next_of_both(p)) != SIZE_MAX) {
		if (is_question(p, p->asked[i])) {
			answer_question(p, i);
			continue;
		}
		if (taken > 0 && p->asked[i]->large)
			return;
		if (!take_up(p, p->asked[i], taken++ == 0))
			return;
		changed = changed || p->asked[i]->accepted;
		if (!changed && only_asks(p, p->asked[i]))
			answer_question(p, i);
	}
}

/*
 * Returns true for requests that can be answered now: changes whose turn is settled, refused requests, and
 * requests of disconnected clients.
 */
static bool is_done(const struct asked *a)
{
	return a->bytes == NULL && (a->request == NULL || a->refused || a->text.kind == ASK_CHANGE);
}

/* Answers the requests for which is_done is true, and removes them from the list. */
static void answer_done(struct request_server *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct asked *a = p->asked[i];

		if (is_done(a))
			answer_charged(p, a);
		else
			p->asked[kept++] = a;
	}
	p->count = kept;
}

/* --- the server as a guest of the host ----------------------------------------------------------------- */

static int guest_fd(const void *self)
{
	return ((const struct request_server *)self)->fd;
}

/*
 * Returns the number of milliseconds until the next turn is due; negative: no limit. The list contains
 * requests of earlier turns that wait for a newer state, for a past state or for their user's turn.
 */
static int guest_wait_ms(const void *self)
{
	const struct request_server *p = self;
	int first_ms = door_wait_ms(p->door);

	for (size_t i = 0; i < p->count; i++) {
		int64_t wait_ms = waits(p, p->asked[i]) ? INT64_MAX : user_wait_ms(p, p->asked[i]);
		int64_t until_refused_ms = patience_ms(p, p->asked[i]);

		if (until_refused_ms < wait_ms)
			wait_ms = until_refused_ms > 0 ? until_refused_ms : 0;

		if (wait_ms < INT_MAX && (first_ms < 0 || wait_ms < first_ms))
			first_ms = (int)wait_ms;
	}
	return first_ms;
}

static void set_allowance(struct request_server *p, const struct snapshot *s)
{
	const struct site_rules *site = &s->policy.site;

	allowance_set(p->allowance, site->user_cpu_pct, site->user_journal_mb << 20);
}

/* Copies the limits from the current policy. */
static void set_limits(struct request_server *p)
{
	const struct site_rules *site = &driver_view(p->driver)->policy.site;
	const struct door_limits limits = {(size_t)site->user_connections,
					   (size_t)site->user_request_mb << 20, (double)site->user_requests};

	door_set_limits(p->door, &limits);
	set_allowance(p, driver_view(p->driver));
	if (p->proxies != NULL)
		proxies_set(p->proxies, site->user_cpu_pct);
	publisher_set(p->publisher, (size_t)site->user_answer_mb << 20);
	publisher_expire(p->publisher, driver_view(p->driver)->seq);
}

static bool guest_turn(void *self, struct driver *driver, int64_t now_s, struct err *err)
{
	struct request_server *p = self;

	p->watched = p->driver = driver;
	p->now_s = now_s;
	if (p->past_worker != NULL)
		past_worker_clear(p->past_worker);
	set_limits(p);
	door_turn(p->door);
	fill_all(p);
	refuse_large(p);
	take_up_all(p);
	for (size_t i = 0; i < p->count; i++)
		if (p->asked[i]->accepted)
			crash_begin(p->asked[i]->peer.uid);
	settle(p);
	crash_end();
	if (p->large != NULL)
		allowance_charge_large(p->allowance, p->large, monotonic_ns() - p->large_ns);
	p->large = NULL;
	answer_done(p);
	p->driver = NULL;
	return p->failed.text[0] == '\0' || err_set(err, "%s", p->failed.text);
}

bool request_server_take_toll(void *self, const struct snapshot *s, const struct job *job, int64_t bytes)
{
	struct request_server *p = self;
	uint32_t user = job->cred[CRED_USER];
	const struct person *person =
		user == INDEX_NONE
			? NULL
			: users_named(p->users, s, snapshot_string(s, snapshot_creds(s)[user].name));
	struct allowance_use *use;

	if (person == NULL || person->level == ADMIN_ALL)
		return true;
	set_allowance(p, s);
	use = allowance_of(p->allowance, person->uid, monotonic_ms());
	if (allowance_journal_wait_s(p->allowance, use, bytes) > 0)
		return false;
	allowance_charge_journal(use, bytes);
	return true;
}

struct host_guest request_server_guest(struct request_server *server)
{
	static const struct host_guest_ops ops = {
		.fd = guest_fd, .wait_ms = guest_wait_ms, .turn = guest_turn};

	return (struct host_guest){.ops = &ops, .self = server};
}

/*
 * Sets up malloc to return the freed memory of large requests to the system, except KEPT_MEMORY, even if
 * large requests are frequent.
 */
static void return_large_memory(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, KEPT_MEMORY);
	mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY);
#endif
}

struct request_server *request_server_open(const struct request_server_setup *setup, struct err *err)
{
	struct request_server *p = mem_zero(1, sizeof *p);
	struct door_handler handler = {.handle = handle,
				       .gone = gone,
				       .self = p,
				       .admits = admits,
				       .charge = charge,
				       .wait_ms = wait_ms,
				       .proxies = setup->proxies};

	return_large_memory();
	p->users = users_new();
	p->allowance = allowance_new();
	p->configured = configured_new();
	p->publisher = publisher_new(SHARED_BYTES, 2, setup->proxies);
	p->proxies = setup->proxies;
	p->everybody = setup->everybody;
	p->turn_ms = setup->turn_ms;
	p->ended_cache = setup->ended_cache;
	p->store = setup->store;
	p->site = setup->site;
	p->door = setup->listening > 0 ? door_adopt(setup->listening, setup->dir, handler, err)
				       : door_open(setup->dir, setup->everybody, handler, err);
	if (p->door != NULL && setup->door_turn_ms > 0)
		door_set_turn(p->door, setup->door_turn_ms);
	p->fd = p->door != NULL ? epoll_create1(EPOLL_CLOEXEC) : -1;
	if (p->fd >= 0 && request_server_listen_to(p, door_fd(p->door), err))
		return p;
	if (p->door != NULL && p->fd < 0)
		err_set(err, "cannot listen on the socket: %s", strerror(errno));
	request_server_close(p);
	return NULL;
}

void request_server_close(struct request_server *server)
{
	if (server == NULL)
		return;
	if (server->door != NULL)
		door_close(server->door);
	for (size_t i = 0; i < server->count; i++)
		drop(server, server->asked[i]);
	past_worker_free(server->past_worker);
	if (server->fd >= 0)
		close(server->fd);
	users_free(server->users);
	allowance_free(server->allowance);
	configured_free(server->configured);
	publisher_free(server->publisher);
	free(server->asked);
	free(server);
}

int request_server_listening(const struct request_server *server)
{
	return door_listening(server->door);
}

int request_server_hand_over(struct request_server *server)
{
	return door_hand_over(server->door);
}

/* --- requests that change something ------------------------------------------------------------------- */

/*
 * One request is one batch: all of its changes are made or none. There is one exception: if the client sent
 * the states of the jobs when they were selected, changes of jobs whose state has changed since then are left
 * out. A change whose cookie is known is not made again; the client receives the remembered answer.
 */

/* Has the state of the event's job changed since the job was selected? An ended job has no state. */
static bool has_moved(const struct state *st, const struct request_text *text, size_t i)
{
	uint32_t slot;

	if (text->was == NULL || text->was[i] == JOB_NONE)
		return false;
	slot = state_find(st, text->event[i].job);
	return slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != text->was[i];
}

/*
 * Leaves out changes of jobs whose state has changed. Returns false, and leaves out nothing, if there are no
 * such changes, or if the request has a single change, which is then refused with the reason. Of several
 * changes, all may be left out.
 */
static bool leave_moved(const struct request_server *p, struct asked *a)
{
	struct request_text *text = &a->text;
	size_t kept = 0;

	a->place = arena_take(&a->arena, (text->count + 1) * sizeof *a->place);
	for (size_t i = 0; i < text->count; i++)
		if (!has_moved(driver_state(p->driver), text, i))
			a->place[kept++] = i;
	if (kept == text->count || text->count == 1)
		return false;
	for (size_t i = 0; i < kept; i++)
		text->event[i] = text->event[a->place[i]];
	text->count = kept;
	return true;
}

/* Fills answer.applied: each result is at the index that its event has in the request. */
static void note_applied(struct asked *a)
{
	const struct request_text *text = &a->text;

	a->answer.count = a->events;
	a->answer.applied = mem_zero(a->events + 1, sizeof *a->answer.applied);
	for (size_t i = 0; i < text->count; i++) {
		const struct event *ev = &text->event[i];

		a->answer.applied[text->count < a->events ? a->place[i] : i] =
			(struct applied){ev->seq, ev->job, ev->until_s};
	}
}

/* An all-zero cookie means that the client does not want the change to be remembered. */
static bool has_cookie(const struct asked *a)
{
	static const unsigned char none[COOKIE_BYTES];

	return memcmp(a->text.cookie, none, COOKIE_BYTES) != 0;
}

static struct cookie cookie_of(const struct asked *a)
{
	struct cookie cookie = {.uid = (uint32_t)a->peer.uid};

	memcpy(cookie.bytes, a->text.cookie, COOKIE_BYTES);
	return cookie;
}

/*
 * Looks up whether the change was already made, and the remembered answer. Returns false with err set if that
 * cannot be determined.
 */
static bool recall(const struct request_server *p, struct asked *a, struct err *err)
{
	struct cookie cookie = cookie_of(a);

	a->asked_before = false;
	str_clear(&a->kept);
	return !has_cookie(a) || driver_recall(p->driver, &cookie, &a->asked_before, &a->kept, err);
}

static enum driver_outcome accept_all(struct request_server *p, struct asked *a, struct err *err)
{
	struct authorization authorization = {.by = request_server_person(p, a),
					      .st = driver_state(p->driver),
					      .ended_cache = p->ended_cache,
					      .store = p->store,
					      .now_s = p->now_s,
					      .configured = p->configured,
					      .allowance = p->allowance,
					      .use = a->use,
					      .size = a->size,
					      .names = a->use->names};
	enum driver_outcome outcome;

	if (!authorize_events(&authorization, a->text.event, a->text.count, &a->arena, err))
		return DRIVER_REFUSED;
	outcome = driver_accept(p->driver, a->text.event, a->text.count, err);
	if (outcome == DRIVER_DONE) {
		a->use->names += authorization.new_names;
		allowance_charge_journal(a->use, authorization.journal);
	}
	return outcome;
}

/*
 * Accepts the changes of a request. Some of many selected jobs may end or start before the request is
 * processed; then only the other changes are made.
 */
static enum driver_outcome accept_events(struct request_server *p, struct asked *a, struct err *err)
{
	enum driver_outcome outcome;

	a->events = a->text.count;
	outcome = accept_all(p, a, err);
	return outcome == DRIVER_REFUSED && leave_moved(p, a) ? accept_all(p, a, err) : outcome;
}

/* Accepts or refuses the changes of a request, or recognizes a request that was accepted before. */
static void take_change(struct request_server *p, struct asked *a)
{
	struct cookie cookie = cookie_of(a);

	if (!recall(p, a, &a->answer.err)) {
		a->refused = true;
		return;
	}
	if (a->asked_before)
		return;
	a->answer.outcome = accept_events(p, a, &a->answer.err);
	a->accepted = a->answer.outcome == DRIVER_DONE;
	a->refused = !a->accepted;
	if (a->answer.outcome == DRIVER_FAILED)
		p->failed = a->answer.err;
	if (!a->accepted)
		return;
	note_applied(a);
	answer_write(&a->answer, &a->kept);
	if (has_cookie(a) && a->text.count > 0)
		driver_remember(p->driver, &cookie, a->kept.data, a->kept.len);
}

/* Refuses a request because the turn could not be committed. A repeated request keeps its answer if its
 * changes are in the store from an earlier turn. */
static void take_back(struct request_server *p, struct asked *a, enum driver_outcome outcome,
		      const struct err *why)
{
	struct err err;

	if (a->asked_before && recall(p, a, &err) && a->asked_before)
		return;
	str_clear(&a->kept);
	free(a->answer.applied);
	a->answer = (struct answer_text){.outcome = outcome, .now_s = p->now_s, .err = *why};
	a->refused = true;
}

/* A request's share in the cost of a commit depends on the number of its changes and on its bytes, which are
 * mostly launch data. */
#define BYTES_LIKE_A_CHANGE 1024

static uint64_t weight_of(const struct asked *a)
{
	return authorize_weight(a->text.event, a->text.count) + a->size / BYTES_LIKE_A_CHANGE;
}

/*
 * Charges the cost of a commit to the users whose changes it contains. Writing to the disk uses no processor
 * time but delays all requests, so each byte is charged as on a disk of 200 MB/s. If the elapsed time were
 * charged, a user would pay for other users' load on the disk.
 */
#define DISK_NS_PER_BYTE 5

static void share_cost(struct request_server *p, uint64_t changes, int64_t took_ns)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct asked *a = p->asked[i];

		if (a->accepted)
			allowance_charge(a->use,
					 (int64_t)((double)took_ns * (double)weight_of(a) / (double)changes) +
						 (int64_t)a->size * DISK_NS_PER_BYTE);
	}
}

/* Commits all changes accepted in the turn, or none of them. */
static void settle(struct request_server *p)
{
	enum driver_outcome outcome = DRIVER_FAILED;
	struct err err = p->failed;
	uint64_t changes = 0;
	bool any = false;
	int64_t began_ns;

	for (size_t i = 0; i < p->count; i++) {
		const struct asked *a = p->asked[i];

		any = any || a->accepted;
		if (a->accepted)
			changes += weight_of(a);
	}
	if (!any)
		return;
	began_ns = monotonic_thread_ns();
	if (p->failed.text[0] == '\0')
		outcome = driver_settle(p->driver, p->now_s, &err);
	if (changes > 0)
		share_cost(p, changes, monotonic_thread_ns() - began_ns);
	if (outcome == DRIVER_FAILED)
		p->failed = err;
	for (size_t i = 0; i < p->count && outcome == DRIVER_DONE; i++)
		if (p->asked[i]->accepted) {
			p->asked[i]->use->changed_seq = driver_view(p->driver)->seq;
			p->asked[i]->use->changed_ms = monotonic_ms();
		}
	for (size_t i = 0; i < p->count && outcome != DRIVER_DONE; i++)
		if (p->asked[i]->accepted || p->asked[i]->asked_before)
			take_back(p, p->asked[i], outcome, &err);
}
