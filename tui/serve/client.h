/* SPDX-License-Identifier: MIT */
/*
 * client.h - requests of a verb to the running scheduler
 */
#ifndef TUI_SERVE_CLIENT_H
#define TUI_SERVE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ended_cache.h"
#include "sched/base/err.h"
#include "sched/host/driver.h"
#include "sched/state/event.h"
#include "store/store.h"

struct self_limit;
struct client; /* opaque: a connection */

#define CLIENT_HOPE_MS 1000 /* how long verbs that need a scheduler wait for one to start */

/*
 * Connects to the scheduler whose socket is in dir. NULL with a sentence: no scheduler runs there, or it does
 * not answer.
 */
struct client *client_open(const char *dir, struct err *err);
void client_close(struct client *c);
/* Did the last request fail because the scheduler went away? Another scheduler may have started since. */
bool client_is_lost(const struct client *c);

/*
 * Finds the scheduler: of the given store (--store, $KAHU_STORE), else the system-wide one run by root, else
 * the user's own. NULL and *runs false: no scheduler runs there. NULL and *runs true: it does not answer; the
 * error says why.
 */
struct client *client_find(const char *store, bool *runs, struct err *err);
/*
 * The folder of the socket that client_find would use: root's, if that scheduler exists and no other store is
 * named, otherwise that of session_socket_dir. False with a sentence.
 */
bool client_place(const char *store, char *dir, size_t size, struct err *err);
/*
 * Like client_find, but waits for a scheduler that is starting and has no socket yet, and for one that is
 * stopping. Where nothing indicates a scheduler, waits up to hope_ms for one, so that `kahu serve & kahu
 * submit` works in a script.
 */
struct client *client_await(const char *store, int hope_ms, bool *runs, struct err *err);

/* The current state; valid until the next call or client_close. NULL with a sentence. */
const struct snapshot *client_state(struct client *c, int64_t *now_s, struct err *err);

/* A state owned by the receiver: memory_file_free(s, size). */
struct client_picture {
	const struct snapshot *s;
	size_t size;
	int64_t now_s;
};

/*
 * As above, once the last entry of the state differs from `since` (0: at once). Waits without a time limit.
 */
bool client_newer(struct client *c, uint64_t since, struct client_picture *out, struct err *err);

/*
 * A past state: right after an entry, or with seq 0 at a given second; out->now_s is the time of that state.
 * False with a sentence: the past is no longer stored, or too many past states are requested.
 */
bool client_moment(struct client *c, const struct store_moment *moment, struct client_picture *out,
		   struct err *err);

/* Interrupts the connection from another thread while the caller waits. NULL is allowed. */
void client_interrupt(struct client *c);

/*
 * The outcomes of count jobs; with outputs also the paths of their output files. Texts of out are valid until
 * the next call. False: the scheduler was lost, or refused the request.
 */
bool client_jobs(struct client *c, const struct job_ref *name, size_t count, bool outputs,
		 struct job_status *out, struct err *err);

/* The limits on this user's requests, with current usage; out has room for SELF_LIMITS_MAX. */
bool client_limits(struct client *c, struct self_limit *out, size_t *count, struct err *err);

/* Like store_script, from the scheduler, which sends the script only to the user of the job. */
bool client_script(struct client *c, uint64_t job, struct str *out, struct err *err);

/*
 * Like store_history_find and store_journal, from the scheduler. own: only jobs of the requesting user,
 * unless that user is an administrator of any level.
 */
bool client_history(struct client *c, const struct history_filter *jobs, bool own, history_visit *visit,
		    void *self, struct err *err);
bool client_journal(struct client *c, uint64_t from, bool backward, journal_visit *visit, void *self,
		    struct err *err);

/*
 * Makes the scheduler read its configuration again (all or nothing), or stop while its jobs continue. After
 * DRIVER_DONE of the latter its socket is closed, unless that took too long.
 */
enum driver_outcome client_reload(struct client *c, struct err *err);
enum driver_outcome client_stop(struct client *c, struct err *err);

/*
 * Requests changes, as driver_post does: after DRIVER_DONE each event has its seq, and a submission its job.
 * If the scheduler is lost, waits for it and repeats the request; no change is made twice. FAILED also means:
 * it did not return in time, and the outcome is unknown.
 */
enum driver_outcome client_post(struct client *c, struct event *ev, size_t count, struct err *err);

/*
 * The enum job_state of each event's job in s, JOB_NONE for events without a job and for unknown jobs; to be
 * freed.
 */
uint8_t *client_states(const struct snapshot *s, const struct event *ev, size_t count);

/*
 * The same for jobs that were selected together; was: the enum job_state that each event's job had at that
 * time, JOB_NONE for events without a job. If not all changes are possible, those of jobs whose state has
 * changed since are left out: after DRIVER_DONE *count changes were made, and their events come first.
 */
enum driver_outcome client_post_left(struct client *c, struct event *ev, size_t *count, const uint8_t *was,
				     struct err *err);

/*
 * The same in requests of at most the given number of changes each. After a failed request the rest is not
 * sent: *count changes were made, their events come first, and the error states their number.
 */
enum driver_outcome client_post_parts(struct client *c, struct event *ev, size_t *count, const uint8_t *was,
				      size_t most, struct err *err);

/*
 * For callers that can change the store in dir without a scheduler: a scheduler that stopped normally and
 * left the store free is not waited for; client_post fails as lost.
 */
void client_expect_nobody(struct client *c, const char *dir);

/*
 * After a lost client_post: did the scheduler make the change? Looks it up with a driver on its store. *made:
 * *count changes were made, their events come first, with the fields that client_post sets.
 */
bool client_recall(const struct client *c, const struct driver *driver, struct event *ev, size_t *count,
		   bool *made, struct err *err);

#endif
