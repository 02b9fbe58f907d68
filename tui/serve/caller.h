/* SPDX-License-Identifier: MIT */
/*
 * caller.h - requests of a verb to the running scheduler
 */
#ifndef TUI_SERVE_CALLER_H
#define TUI_SERVE_CALLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ended_cache.h"
#include "sched/base/err.h"
#include "sched/host/driver.h"
#include "sched/state/event.h"
#include "store/store.h"

struct self_limit;
struct caller; /* opaque: a connection */

#define CALLER_HOPE_MS 1000 /* how long what cannot do without a scheduler hopes for one */

/* Connects to the scheduler whose socket is in dir. NULL with a sentence: none runs there, or it does not
 * answer. */
struct caller *caller_open(const char *dir, struct err *err);
void caller_close(struct caller *c);
/* Did what was asked last go unanswered because the scheduler went? Another may be there by now, or nobody.
 */
bool caller_is_lost(const struct caller *c);

/*
 * The scheduler that is meant: of the store that was named (--store, $KAHU_STORE); else the one root runs for
 * everybody; else one's own. NULL and *runs false: none runs there. NULL and *runs true: it does not answer,
 * with the sentence.
 */
struct caller *caller_find(const char *store, bool *runs, struct err *err);
/* The folder of the socket at which that would be: root's where it has one and nothing names another, else
 * that of session_socket_dir. False with a sentence. */
bool caller_place(const char *store, char *dir, size_t size, struct err *err);
/* As caller_find, but one that begins, and has no door yet, is waited for, and one that ends; where nothing
 * says that there is one it is hoped for, for hope_ms: `kahu serve & kahu submit` is one line of a script. */
struct caller *caller_await(const char *store, int hope_ms, bool *runs, struct err *err);

/* The state as it is now; valid until the next call or caller_close. NULL with a sentence. */
const struct snapshot *caller_state(struct caller *c, int64_t *now_s, struct err *err);

/* A state that is the taker's: memory_file_free(s, size). */
struct caller_picture {
	const struct snapshot *s;
	size_t size;
	int64_t now_s;
};

/* The same once the state's last entry is another than `since`, 0 = at once: waits for as long as it takes.
 */
bool caller_newer(struct caller *c, uint64_t since, struct caller_picture *out, struct err *err);

/*
 * A state that is past: right after an entry, or with seq 0 whatever it was at a second; out->now_s is the
 * moment. False with a sentence: it is not kept, or too many ask for such.
 */
bool caller_moment(struct caller *c, const struct store_moment *moment, struct caller_picture *out,
		   struct err *err);

/* For another thread than the caller's, while it waits: the connection is broken off. NULL is allowed. */
void caller_interrupt(struct caller *c);

/*
 * What has become of count jobs; outputs: also in which files their words are. Texts of out are valid until
 * the next call. False: the scheduler was lost, or refuses to say.
 */
bool caller_fates(struct caller *c, const struct fate_name *name, size_t count, bool outputs,
		  struct fate *out, struct err *err);

/* What this user's requests may cost, with what is in use; out has room for SELF_LIMITS_MAX. */
bool caller_limits(struct caller *c, struct self_limit *out, size_t *count, struct err *err);

/* As store_script, from the scheduler, which gives it to the job's user alone. */
bool caller_script(struct caller *c, uint64_t job, struct str *out, struct err *err);

/* As store_history_find and store_journal, from the scheduler. own: only the asking user's jobs, unless an
 * administrator of any level asks. */
bool caller_history(struct caller *c, const struct history_filter *jobs, bool own, history_visit *visit,
		    void *self, struct err *err);
bool caller_journal(struct caller *c, uint64_t from, bool backward, journal_visit *visit, void *self,
		    struct err *err);

/* It reads its configuration again, all or nothing; it ends, and jobs go on: with DRIVER_DONE it has gone
 * from its door, unless that took it too long. */
enum driver_outcome caller_reload(struct caller *c, struct err *err);
enum driver_outcome caller_stop(struct caller *c, struct err *err);

/*
 * Asks for a change, as driver_post does: with DRIVER_DONE each event has its seq, and a submission its
 * job. A scheduler that is lost is waited for and asked again, and makes no change twice. FAILED also: it did
 * not come back in time, and it is not known whether it happened.
 */
enum driver_outcome caller_post(struct caller *c, struct event *ev, size_t count, struct err *err);

/* The enum job_state of each event's job in s, JOB_NONE where it names none or s has no such job; to be
 * freed.
 */
uint8_t *caller_states(const struct snapshot *s, const struct event *ev, size_t count);

/*
 * The same for jobs that were chosen together; was: the enum job_state that each event's job had then,
 * JOB_NONE where it names none. When not all can happen, those are left out whose job has moved on since:
 * with DRIVER_DONE *count of them have happened, and stand first.
 */
enum driver_outcome caller_post_left(struct caller *c, struct event *ev, size_t *count, const uint8_t *was,
				     struct err *err);

/*
 * The same in requests of at most that many changes each, one after the other. When one is not done the rest
 * is not asked for: *count of them have happened, stand first, and the sentence says how many.
 */
enum driver_outcome caller_post_parts(struct caller *c, struct event *ev, size_t *count, const uint8_t *was,
				      size_t most, struct err *err);

/*
 * For who can make a change without a scheduler, on the store in dir: one that has ended as it should, and
 * left that store to nobody, is not waited for. caller_post fails, and is lost.
 */
void caller_expect_nobody(struct caller *c, const char *dir);

/*
 * After a caller_post that was lost: did the scheduler make the change before it went? A driver on its store
 * knows; *made: *count events have happened, stand first, and each has what caller_post gives it.
 */
bool caller_recall(const struct caller *c, const struct driver *driver, struct event *ev, size_t *count,
		   bool *made, struct err *err);

#endif
