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

#define CLIENT_HOPE_MS 1000 /* time for which verbs that need a scheduler wait for one to start */

/*
 * Connects to the scheduler whose socket is in dir. Returns NULL with err set if no scheduler runs there or
 * it does not answer.
 */
struct client *client_open(const char *dir, struct err *err);
void client_close(struct client *c);
/* Did the last request fail because the scheduler has ended or closed the connection? Another scheduler may
 * have started since then. */
bool client_is_lost(const struct client *c);

/*
 * Connects to the scheduler of the given store (--store, $KAHU_STORE); if none is given, to the system-wide
 * one run by root, else to the user's own. NULL and *runs false: no scheduler runs there. NULL and *runs
 * true: the scheduler does not answer; err contains the reason.
 */
struct client *client_find(const char *store, bool *runs, struct err *err);
/*
 * Sets dir to the folder of the socket that client_find would use: root's, if its scheduler has a socket and
 * no other store is named, otherwise the folder from session_socket_dir. Returns false with err set on
 * failure.
 */
bool client_place(const char *store, char *dir, size_t size, struct err *err);
/*
 * Like client_find, but waits for a scheduler that is starting and has no socket yet, and for one that is
 * stopping. If nothing indicates a scheduler, waits for one for up to hope_ms, so that `kahu serve & kahu
 * submit` works in a script.
 */
struct client *client_await(const char *store, int hope_ms, bool *runs, struct err *err);

/*
 * Returns the current state, valid until the next call or client_close, and sets *now_s to the scheduler's
 * time. Returns NULL with err set on failure.
 */
const struct snapshot *client_state(struct client *c, int64_t *now_s, struct err *err);

/* A state owned by the receiver, who frees it with memory_file_free(s, size). */
struct client_picture {
	const struct snapshot *s;
	size_t size;
	int64_t now_s;
};

/*
 * Waits, without a time limit, until the last journal entry of the state differs from `since`, and fetches
 * the state. since 0: fetches it at once. Returns false with err set on failure.
 */
bool client_newer(struct client *c, uint64_t since, struct client_picture *out, struct err *err);

/*
 * Fetches a past state: just after an entry or, if seq is 0, at a given second. out->now_s is the time of
 * that state. Returns false with err set if the past is no longer stored, or too many past states are
 * requested.
 */
bool client_moment(struct client *c, const struct store_moment *moment, struct client_picture *out,
		   struct err *err);

/*
 * Shuts the connection down: the request that waits for an answer in another thread fails, and so do all
 * later ones. c may be NULL.
 */
void client_interrupt(struct client *c);

/*
 * Fetches the outcomes of count jobs, and with outputs also the paths of their output files. Texts of out are
 * valid until the next call. Returns false if the scheduler was lost or refused the request.
 */
bool client_jobs(struct client *c, const struct job_ref *name, size_t count, bool outputs,
		 struct job_status *out, struct err *err);

/* Fetches the limits on this user's requests with their current usage. out has space for SELF_LIMITS_MAX. */
bool client_limits(struct client *c, struct self_limit *out, size_t *count, struct err *err);

/* Like store_script, but from the scheduler, which sends the script only to the user of the job. */
bool client_script(struct client *c, uint64_t job, struct str *out, struct err *err);

/*
 * Like store_history_find and store_journal, but from the scheduler. own: only jobs of the requesting user,
 * unless that user is an administrator of any level.
 */
bool client_history(struct client *c, const struct history_filter *jobs, bool own, history_visit *visit,
		    void *self, struct err *err);
bool client_journal(struct client *c, uint64_t from, bool backward, journal_visit *visit, void *self,
		    struct err *err);

/*
 * client_reload makes the scheduler read its configuration again (all or nothing). client_stop makes it stop
 * while its jobs continue; after DRIVER_DONE its socket is closed, unless closing took more than a few
 * seconds.
 */
enum driver_outcome client_reload(struct client *c, struct err *err);
enum driver_outcome client_stop(struct client *c, struct err *err);

/*
 * Requests changes, as driver_post does: after DRIVER_DONE each event has its seq, and each submission its
 * job ID. If the scheduler is lost, waits for it to return and repeats the request; no change is made twice.
 * If it does not return in time, the result is DRIVER_FAILED and it is unknown whether the changes were made.
 */
enum driver_outcome client_post(struct client *c, struct event *ev, size_t count, struct err *err);

/*
 * Returns the state in s (enum job_state) of each event's job; JOB_NONE for events without a job and for
 * unknown jobs. The caller frees the array.
 */
uint8_t *client_states(const struct snapshot *s, const struct event *ev, size_t count);

/*
 * Like client_post, for changes of jobs that were selected together. was: the state (enum job_state) that
 * each event's job had when it was selected, JOB_NONE for events without a job. If not all changes are
 * possible, the changes of jobs whose state differs now are left out: after DRIVER_DONE *count changes were
 * made, and their events come first.
 */
enum driver_outcome client_post_left(struct client *c, struct event *ev, size_t *count, const uint8_t *was,
				     struct err *err);

/*
 * Like client_post_left, in several requests of at most `most` changes each. If a request fails, the
 * following ones are not sent: *count changes were made, their events come first, and the error states their
 * number.
 */
enum driver_outcome client_post_parts(struct client *c, struct event *ev, size_t *count, const uint8_t *was,
				      size_t most, struct err *err);

/*
 * For callers that can change the store in dir without a scheduler: client_post then does not wait for a
 * scheduler that has stopped normally and released the store, but fails at once as if it were lost.
 */
void client_expect_nobody(struct client *c, const char *dir);

/*
 * After a client_post that lost the scheduler: finds out, with a driver on the scheduler's store, whether the
 * changes were made. If *made is set, *count changes were made; their events come first, with the fields that
 * client_post sets. Returns false with err set if that cannot be determined.
 */
bool client_recall(const struct client *c, const struct driver *driver, struct event *ev, size_t *count,
		   bool *made, struct err *err);

#endif
