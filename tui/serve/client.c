/* SPDX-License-Identifier: MIT */
/*
 * client.c - requests of a verb to the running scheduler
 *
 * The state arrives as a sealed memory file and is only read here. The sender may be another version of the
 * program: a snapshot with a different layout is rejected.
 */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "allowance.h"
#include "request.h"
#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/random.h"
#include "state_file.h"
#include "tui/serve/session.h"

#define PATIENCE_MS     60000
#define WITHDRAWN_TRIES 10    /* number of attempts to read a file that the scheduler withdraws */
#define RETRY_FOR_MS    10000 /* how long to retry while the scheduler is being restarted */
#define RETRY_MS        20
#define ENDS_MS         10000 /* time for a stopping scheduler to close its socket */

struct client {
	int connection;
	char *dir;                          /* folder of the socket */
	char *store;                        /* see client_expect_nobody; NULL: changes require a scheduler */
	unsigned char cookie[COOKIE_BYTES]; /* cookie of the last change */
	atomic_bool interrupted;
	bool lost;
	struct str reply;         /* bytes of the last answer */
	const struct snapshot *s; /* NULL: not requested */
	size_t size;
};

struct client *client_open(const char *dir, struct err *err)
{
	int connection = door_knock(dir, err);
	struct client *c;

	if (connection < 0)
		return NULL;
	c = mem_zero(1, sizeof *c);
	c->connection = connection;
	c->dir = mem_string(dir);
	return c;
}

static bool has_socket(const char *dir)
{
	struct str path = {0};
	struct stat st;
	bool has;

	str_addf(&path, "%s/" DOOR_SOCKET, dir);
	has = stat(str_text(&path), &st) == 0 && S_ISSOCK(st.st_mode);
	str_free(&path);
	return has;
}

/*
 * Connects to the scheduler whose socket is in dir, if there is one. A connection refused by the socket of a
 * killed scheduler, or a socket that has just been removed, means that no scheduler runs there.
 */
static struct client *find_in(const char *dir, bool *runs, struct err *err)
{
	struct client *c;

	if (!has_socket(dir))
		return NULL;
	c = client_open(dir, err);
	*runs = c != NULL || (errno != ECONNREFUSED && errno != ENOENT);
	return c;
}

/*
 * Returns true if neither an option nor the environment names a store or socket, so that root's scheduler may
 * be meant.
 */
static bool may_be_roots(const char *store)
{
	return store == NULL && getenv("KAHU_STORE") == NULL && getenv("KAHU_RUN") == NULL;
}

bool client_place(const char *store, char *dir, size_t size, struct err *err)
{
	if (!may_be_roots(store) || !has_socket(KAHU_RUNSTATEDIR))
		return session_socket_dir(store, dir, size, err);
	snprintf(dir, size, "%s", KAHU_RUNSTATEDIR);
	return true;
}

struct client *client_find(const char *store, bool *runs, struct err *err)
{
	char dir[4096];
	struct client *c = NULL;

	*runs = false;
	if (may_be_roots(store))
		c = find_in(KAHU_RUNSTATEDIR, runs, err);
	if (c == NULL && !*runs && session_socket_dir(store, dir, sizeof dir, NULL))
		c = find_in(dir, runs, err);
	return c;
}

/*
 * Is the lock of the store held only for a short time: by a scheduler that is starting or stopping, or by a
 * verb that changes the store of a stopped scheduler?
 */
static bool is_held_for_now(const char *store)
{
	char dir[4096];

	return session_store_dir(store, dir, sizeof dir, NULL) && store_holder(dir) != 0 &&
	       store_is_soon_free(dir);
}

struct client *client_await(const char *store, int hope_ms, bool *runs, struct err *err)
{
	const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
	int64_t until_ms = monotonic_ms() + hope_ms;
	struct client *c = client_find(store, runs, err);

	while (!*runs && (monotonic_ms() < until_ms || is_held_for_now(store))) {
		nanosleep(&pause, NULL);
		c = client_find(store, runs, err);
	}
	return c;
}

static void forget_state(struct client *c)
{
	if (c->s != NULL)
		memory_file_free(c->s, c->size);
	c->s = NULL;
}

void client_close(struct client *c)
{
	if (c == NULL)
		return;
	forget_state(c);
	str_free(&c->reply);
	close(c->connection);
	free(c->dir);
	free(c->store);
	free(c);
}

bool client_is_lost(const struct client *c)
{
	return c != NULL && c->lost;
}

void client_interrupt(struct client *c)
{
	if (c == NULL)
		return;
	atomic_store(&c->interrupted, true);
	shutdown(c->connection, SHUT_RDWR);
}

/* Replaces the connection. Keeps the number of the descriptor, because client_interrupt may use it in another
 * thread. */
static void take_connection(struct client *c, int connection)
{
	dup3(connection, c->connection, O_CLOEXEC);
	close(connection);
	if (atomic_load(&c->interrupted))
		shutdown(c->connection, SHUT_RDWR);
}

/*
 * Connects again if the server has closed the idle connection. A connection closed for that reason has not
 * delivered this request, so the request can be sent again.
 */
static void knock_again_if_closed(struct client *c)
{
	char byte;
	int connection;

	if (atomic_load(&c->interrupted) || recv(c->connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
		return;
	connection = door_knock(c->dir, NULL);
	if (connection >= 0)
		take_connection(c, connection);
}

/*
 * Sends one request and reads its answer, which the caller frees. Returns false with err set on failure;
 * c->lost is set if the scheduler has ended or closed the connection.
 */
static bool ask_patiently(struct client *c, const struct request_text *request, struct answer_text *answer,
			  int *fd, int wait_ms, struct err *err)
{
	struct str bytes = {0};
	bool good;
	int failed;

	str_clear(&c->reply);
	request_write(request, &bytes);
	knock_again_if_closed(c);
	good = door_ask(c->connection, bytes.data, bytes.len, &c->reply, fd, wait_ms, err);
	failed = errno;
	c->lost = !good && failed == ECONNRESET;
	good = good && answer_read(c->reply.data, c->reply.len, answer, err);
	str_free(&bytes);
	errno = failed;
	return good;
}

static bool ask(struct client *c, const struct request_text *request, struct answer_text *answer, int *fd,
		struct err *err)
{
	return ask_patiently(c, request, answer, fd, PATIENCE_MS, err);
}

static void free_answer(struct answer_text *answer)
{
	free(answer->applied);
	free(answer->job_status);
}

/* --- the state ---------------------------------------------------------------------------------- */

static bool take_state(struct client *c, int fd, bool *withdrawn, struct err *err)
{
	const struct snapshot *earlier = c->s;

	c->s = state_file_read(fd, earlier, earlier != NULL ? c->size : 0, &c->size, withdrawn, err);
	return c->s != NULL;
}

static const struct snapshot *ask_once(struct client *c, const struct request_text *request, int wait_ms,
				       int64_t *now_s, bool *withdrawn, struct err *err)
{
	struct answer_text answer;
	bool good;
	int fd = -1;

	*withdrawn = false;
	if (!ask_patiently(c, request, &answer, &fd, wait_ms, err)) {
		forget_state(c);
		return NULL;
	}
	free_answer(&answer);
	if (answer.outcome != DRIVER_DONE || fd < 0)
		err_set(err, "%s",
			answer.err.text[0] != '\0' ? answer.err.text : "the scheduler sent no state");
	good = answer.outcome == DRIVER_DONE && fd >= 0 && take_state(c, fd, withdrawn, err);
	if (!good)
		forget_state(c);
	if (fd >= 0)
		close(fd);
	*now_s = answer.now_s;
	return good ? c->s : NULL;
}

/* Retries if the scheduler withdraws the file before it is read, which happens to states that are no longer
 * the newest. */
static const struct snapshot *ask_snapshot(struct client *c, const struct request_text *request, int wait_ms,
					   int64_t *now_s, struct err *err)
{
	const struct snapshot *s = NULL;
	bool withdrawn = true;

	for (int i = 0; i < WITHDRAWN_TRIES && s == NULL && withdrawn; i++)
		s = ask_once(c, request, wait_ms, now_s, &withdrawn, err);
	return s;
}

static const struct snapshot *ask_state(struct client *c, uint64_t since, int wait_ms, int64_t *now_s,
					struct err *err)
{
	const struct request_text request = {.kind = ASK_STATE, .past = {.from = since}};

	return ask_snapshot(c, &request, wait_ms, now_s, err);
}

const struct snapshot *client_state(struct client *c, int64_t *now_s, struct err *err)
{
	return ask_state(c, 0, PATIENCE_MS, now_s, err);
}

bool client_newer(struct client *c, uint64_t since, struct client_picture *out, struct err *err)
{
	out->s = ask_state(c, since, since == 0 ? PATIENCE_MS : -1, &out->now_s, err);
	out->size = c->size;
	c->s = NULL;
	return out->s != NULL;
}

/* Keeps the state that client_state returned. */
bool client_moment(struct client *c, const struct store_moment *moment, struct client_picture *out,
		   struct err *err)
{
	const struct request_text request = {.kind = ASK_MOMENT,
					     .past = {.from = moment->seq, .since_s = moment->time_s}};
	const struct snapshot *present = c->s;
	size_t present_size = c->size;

	c->s = NULL;
	out->s = ask_snapshot(c, &request, PATIENCE_MS, &out->now_s, err);
	out->size = c->size;
	c->s = present;
	c->size = present_size;
	return out->s != NULL;
}

/* --- journal and history ------------------------------------------------------------------------------ */

/*
 * Is there another piece? For ended jobs, the answer says whether there is one and where it begins; the last
 * piece of the journal is followed by an empty one.
 */
static bool goes_on(struct past_wish *wish, const struct answer_text *answer)
{
	if (wish->journal)
		return answer->rows > 0;
	if (wish->jobs.backward)
		wish->jobs.before = answer->at;
	else
		wish->jobs.after = answer->at;
	return answer->more;
}

/* Requests piece after piece until there are no more records or the visitor stops. */
static bool ask_past(struct client *c, struct past_wish *wish, struct past_visit *visit, struct err *err)
{
	bool good = true, withdrawn = false, more = true;
	int tries = 0;

	while ((good || (withdrawn && tries < WITHDRAWN_TRIES)) && !visit->stopped && more) {
		const struct request_text request = {.kind = ASK_PAST, .past = *wish};
		struct answer_text answer;
		const void *at = NULL;
		size_t size = 0;
		int fd = -1;

		if (!ask(c, &request, &answer, &fd, err))
			return false;
		withdrawn = false;
		if (answer.outcome == DRIVER_DONE)
			at = memory_file_read(fd, &size, &withdrawn, err);
		else
			err_set(err, "%s", answer.err.text);
		withdrawn = withdrawn || (at != NULL && size == 0 && answer.rows > 0);
		tries = withdrawn ? tries + 1 : 0;
		good = at != NULL && !withdrawn && past_read(at, size, answer.rows, wish, visit, err);
		if (good)
			more = goes_on(wish, &answer);
		if (at != NULL)
			memory_file_free(at, size);
		if (fd >= 0)
			close(fd);
		free_answer(&answer);
	}
	return good;
}

bool client_history(struct client *c, const struct history_filter *jobs, bool own, history_visit *visit,
		    void *self, struct err *err)
{
	struct past_wish wish = {.own = own, .jobs = *jobs};
	struct past_visit visiting = {.job = visit, .self = self};

	return ask_past(c, &wish, &visiting, err);
}

bool client_journal(struct client *c, uint64_t from, bool backward, journal_visit *visit, void *self,
		    struct err *err)
{
	struct past_wish wish = {.journal = true, .backward = backward, .from = from};
	struct past_visit visiting = {.entry = visit, .self = self};

	return ask_past(c, &wish, &visiting, err);
}

/* --- the scheduler itself ---------------------------------------------------------------------------- */

static enum driver_outcome ask_only(struct client *c, enum request_kind_of kind, struct err *err)
{
	const struct request_text request = {.kind = kind};
	struct answer_text answer;
	int fd = -1;

	if (!ask(c, &request, &answer, &fd, err))
		return DRIVER_FAILED;
	if (fd >= 0)
		close(fd);
	if (answer.outcome != DRIVER_DONE)
		*err = answer.err;
	free_answer(&answer);
	return answer.outcome;
}

enum driver_outcome client_reload(struct client *c, struct err *err)
{
	return ask_only(c, ASK_RELOAD, err);
}

/* The scheduler closes its socket and all connections when it ends. */
static void wait_for_end(const struct client *c)
{
	struct pollfd fd = {.fd = c->connection, .events = POLLIN};
	int64_t until_ms = monotonic_ms() + ENDS_MS, left_ms = ENDS_MS;

	while (left_ms > 0 && poll(&fd, 1, (int)left_ms) < 0 && errno == EINTR)
		left_ms = until_ms - monotonic_ms();
}

/* If the scheduler ends before it has answered, it has done what was requested. */
enum driver_outcome client_stop(struct client *c, struct err *err)
{
	enum driver_outcome outcome = ask_only(c, ASK_STOP, err);

	if (outcome == DRIVER_FAILED && c->lost)
		outcome = DRIVER_DONE;
	else if (outcome == DRIVER_DONE)
		wait_for_end(c);
	return outcome;
}

/* --- changes ------------------------------------------------------------------------------------ */

void client_expect_nobody(struct client *c, const char *dir)
{
	free(c->store);
	c->store = mem_string(dir);
}

/* Has the scheduler stopped normally, with nobody using the store now? A scheduler that stops normally
 * removes its socket; one that was killed leaves it. */
static bool is_over(const struct client *c, int error)
{
	return error == ENOENT && c->store != NULL && store_holder(c->store) == 0;
}

/*
 * Connects to the next scheduler that listens on the same socket, and waits for it until until_ms. Returns
 * false with err set on failure.
 */
static bool reach_again(struct client *c, int64_t until_ms, struct err *err)
{
	const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
	int connection = -1;

	while (connection < 0) {
		connection = door_knock(c->dir, err);
		if (connection >= 0)
			break;
		if ((errno != ECONNREFUSED && errno != ENOENT) || monotonic_ms() >= until_ms ||
		    is_over(c, errno))
			return false;
		nanosleep(&pause, NULL);
	}
	take_connection(c, connection);
	return true;
}

/*
 * Sends a request for changes, and repeats it if its answer was lost: the scheduler recognizes the cookie of
 * a change that it has already made.
 */
static bool ask_until_known(struct client *c, const struct request_text *request, struct answer_text *answer,
			    struct err *err)
{
	int64_t until_ms = monotonic_ms() + RETRY_FOR_MS;
	int fd = -1;

	for (errno = 0; !ask(c, request, answer, &fd, err); errno = 0) {
		if (errno == EACCES)
			return false;
		if (errno != ECONNRESET || monotonic_ms() >= until_ms || !reach_again(c, until_ms, err))
			return err_prefix(err, "it is unknown whether the changes were made");
	}
	if (fd >= 0)
		close(fd);
	return true;
}

/* Moves the events that were applied to the front and returns their number. */
static size_t take_applied(struct event *ev, size_t count, const struct answer_text *answer)
{
	size_t kept = 0;

	for (size_t i = 0; i < count && i < answer->count; i++) {
		if (answer->applied[i].seq == 0)
			continue;
		ev[kept] = ev[i];
		ev[kept].seq = answer->applied[i].seq;
		if (ev[kept].until_s != answer->applied[i].until_s) {
			ev[kept].until_s = answer->applied[i].until_s;
			ev[kept].time_s = answer->now_s; /* scheduler's time, to which until_s refers */
		}
		ev[kept++].job = answer->applied[i].job;
	}
	return kept;
}

enum driver_outcome client_post_left(struct client *c, struct event *ev, size_t *count, const uint8_t *was,
				     struct err *err)
{
	struct request_text request = {
		.kind = ASK_CHANGE, .event = ev, .count = *count, .was = (uint8_t *)(uintptr_t)was};
	struct answer_text answer = {.outcome = DRIVER_FAILED};

	if (!random_bytes(request.cookie, sizeof request.cookie, err))
		return DRIVER_FAILED;
	memcpy(c->cookie, request.cookie, sizeof c->cookie);
	if (!ask_until_known(c, &request, &answer, err))
		return DRIVER_FAILED;
	if (answer.outcome == DRIVER_DONE)
		*count = take_applied(ev, *count, &answer);
	else
		*err = answer.err;
	free_answer(&answer);
	return answer.outcome;
}

uint8_t *client_states(const struct snapshot *s, const struct event *ev, size_t count)
{
	struct state *st = state_from_snapshot(s);
	uint8_t *was = mem_zero(count + 1, sizeof *was);

	for (size_t i = 0; i < count; i++) {
		uint32_t slot = ev[i].job == 0 ? INDEX_NONE : state_find(st, ev[i].job);

		was[i] = slot == INDEX_NONE ? JOB_NONE : snapshot_jobs(state_view(st))[slot].state;
	}
	state_free(st);
	return was;
}

enum driver_outcome client_post_parts(struct client *c, struct event *ev, size_t *count, const uint8_t *was,
				      size_t most, struct err *err)
{
	enum driver_outcome outcome = DRIVER_DONE;
	size_t asked = 0, made = 0;

	while (asked < *count && outcome == DRIVER_DONE) {
		size_t part = *count - asked < most ? *count - asked : most;
		size_t left = part;

		outcome = client_post_left(c, ev + asked, &left, was + asked, err);
		if (outcome == DRIVER_DONE) {
			memmove(ev + made, ev + asked, left * sizeof *ev);
			made += left;
		}
		asked += part;
	}
	if (outcome != DRIVER_DONE && made > 0)
		err_prefix(err, "stopped after %zu of %zu changes", made, *count);
	*count = made;
	return outcome;
}

enum driver_outcome client_post(struct client *c, struct event *ev, size_t count, struct err *err)
{
	return client_post_left(c, ev, &count, NULL, err);
}

bool client_recall(const struct client *c, const struct driver *driver, struct event *ev, size_t *count,
		   bool *made, struct err *err)
{
	struct cookie cookie = {.uid = (uint32_t)geteuid()};
	struct answer_text answer = {.outcome = DRIVER_FAILED};
	struct str kept = {0};
	bool good;

	memcpy(cookie.bytes, c->cookie, sizeof c->cookie);
	good = driver_recall(driver, &cookie, made, &kept, err);
	if (good && *made) {
		good = answer_read(kept.data, kept.len, &answer, err);
		*count = good ? take_applied(ev, *count, &answer) : 0;
		free_answer(&answer);
	}
	str_free(&kept);
	return good;
}

/* --- limits ---------------------------------------------------------------------------------------- */

bool client_limits(struct client *c, struct self_limit *out, size_t *count, struct err *err)
{
	const struct request_text request = {.kind = ASK_LIMITS};
	struct answer_text answer;
	const void *at = NULL;
	bool withdrawn, good;
	size_t size = 0;
	int fd = -1;

	if (!ask(c, &request, &answer, &fd, err))
		return false;
	if (answer.outcome == DRIVER_DONE)
		at = memory_file_read(fd, &size, &withdrawn, err);
	else
		err_set(err, "%s", answer.err.text);
	good = at != NULL &&
	       (self_limits_check(at, size) ||
		err_set(err,
			"the scheduler's limits cannot be read: the scheduler is another version of kahu"));
	*count = good ? size / sizeof *out : 0;
	if (good)
		memcpy(out, at, size);
	if (at != NULL)
		memory_file_free(at, size);
	if (fd >= 0)
		close(fd);
	free_answer(&answer);
	return good;
}

/* --- job scripts -------------------------------------------------------------------------------------- */

bool client_script(struct client *c, uint64_t job, struct str *out, struct err *err)
{
	const struct request_text request = {.kind = ASK_SCRIPT, .past = {.from = job}};
	struct answer_text answer;
	const void *at = NULL;
	bool withdrawn;
	size_t size = 0;
	int fd = -1;

	if (!ask(c, &request, &answer, &fd, err))
		return false;
	if (answer.outcome == DRIVER_DONE)
		at = memory_file_read(fd, &size, &withdrawn, err);
	else
		err_set(err, "%s", answer.err.text);
	if (at != NULL) {
		str_add_bytes(out, at, size);
		memory_file_free(at, size);
	}
	if (fd >= 0)
		close(fd);
	free_answer(&answer);
	return at != NULL;
}

/* --- outcomes of jobs --------------------------------------------------------------------------------- */

bool client_jobs(struct client *c, const struct job_ref *name, size_t count, bool outputs,
		 struct job_status *out, struct err *err)
{
	const struct request_text request = {.kind = ASK_JOBS,
					     .name = (struct job_ref *)(uintptr_t)name,
					     .name_count = count,
					     .outputs = outputs};
	struct answer_text answer;
	bool good;
	int fd = -1;

	if (!ask(c, &request, &answer, &fd, err))
		return false;
	if (fd >= 0)
		close(fd);
	good = answer.outcome == DRIVER_DONE && answer.status_count == count;
	if (good)
		memcpy(out, answer.job_status, count * sizeof *out);
	else
		err_set(err, "%s",
			answer.err.text[0] != '\0' ? answer.err.text
						   : "the scheduler did not answer the request");
	free_answer(&answer);
	return good;
}
