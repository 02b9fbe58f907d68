/* SPDX-License-Identifier: MIT */
/*
 * store.h - the store: opening, locking, journal, history and past states
 *
 * A store is a directory (0700) with an LMDB file and kahu.lock. One scheduler, or one command that makes
 * changes, holds the lock; readers of the journal use short read transactions and never wait. store_ledger
 * implements sched/host/ledger.h.
 *
 * A process cannot open the same store twice, because LMDB's locks would be lost. After fork a child must not
 * use a store.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/host/ledger.h"
#include "sched/state/event.h"

struct store; /* opaque */

enum store_mode {
	STORE_READ,   /* no lock: for reading, also while a scheduler runs */
	STORE_CHANGE, /* acquires kahu.lock; fails with the holder's process ID if it is held */
	STORE_TEMP    /* dir is ignored: a new directory under TMPDIR, removed on close */
};

/*
 * Opens dir, creating it (0700) with STORE_CHANGE. Fails for a directory that others can write, a network
 * file system, a newer schema or a damaged header. With errno EBUSY another process holds the lock.
 */
struct store *store_open(const char *dir, enum store_mode mode, struct err *err);
void store_close(struct store *s);

/*
 * For an exec handover: returns the lock as another descriptor that stays open across exec, so that no other
 * process can acquire it in between; -1 with errno. The store is closed as usual; in the new program
 * store_adopt opens it for change and takes ownership of the descriptor, even if it fails.
 */
int store_lock_of(const struct store *s); /* owned by the store */
int store_hand_over(const struct store *s);
struct store *store_adopt(const char *dir, int lock, struct err *err);

/* Approximate size of a record in the file: a record larger than half a page has pages of its own. */
uint64_t store_record_bytes(uint64_t size);

const char *store_dir(const struct store *s);
/*
 * Does the store's disk have at least this much free space? On a small disk a twentieth of its size is
 * enough. True if that cannot be determined.
 */
bool store_has_room(const struct store *s, int64_t reserve_mb);
/* The process ID of the scheduler or command that holds the lock of dir, 0 = none. */
int store_holder(const char *dir);
/*
 * Is the lock free, or will its holder soon release it or open its socket? A command holds it for a moment; a
 * scheduler that starts or stops announces this with store_ask_to_wait.
 */
bool store_is_soon_free(const char *dir);
/* Called by the holder of the lock to set and clear that announcement. */
void store_ask_to_wait(const struct store *s, bool wait);

/*
 * Enables pruning: commits then remove, in small steps, what journalkeep, journalmax, historykeep and
 * historymax no longer keep. Initially off, because the clock of a simulation does not correspond to the age
 * of its records.
 */
void store_prune(struct store *s, bool on);

/* load and commit; valid while the store is open. */
struct ledger store_ledger(struct store *s);

/* Called for one journal entry; strings are valid during the call only. */
typedef bool journal_visit(void *self, const struct event *ev); /* false stops */

/*
 * Visits entries with seq >= from in ascending order, or <= from in descending order with backward. Uses
 * short read transactions; any thread may call it. A damaged entry, or one that is pruned during an ascending
 * traversal, ends it with an error.
 */
bool store_journal(struct store *s, uint64_t from, bool backward, journal_visit *visit, void *self,
		   struct err *err);

/* The first and last seq; 0 and 0 if the journal is empty. The state just before the first entry is
 * available, too, see store_state_after. */
bool store_journal_range(struct store *s, uint64_t *first, uint64_t *last, struct err *err);

/* Called for a job that has ended, with its record at the end; valid during the call only. */
typedef bool history_visit(void *self, const struct ended_job *ended); /* false stops */

/* A position in the history, which is sorted by the time of the end and by job ID. */
struct history_place {
	int64_t end_s;
	uint64_t job;
};

/* A range of job IDs. */
struct history_ids {
	uint64_t first, last;
};
#define HISTORY_IDS_MAX 32

/* A filter for ended jobs; if all fields but `after` are zero it selects all jobs after that position. */
struct history_filter {
	struct history_place after;  /* only jobs after it; job 0: including those that ended at end_s */
	struct history_place before; /* only jobs before it; job 0: no bound */
	bool backward;               /* in reverse order */
	bool ran;                    /* only jobs that were started */
	const char *user;            /* only jobs of this user; NULL: all users */
	struct history_ids id[HISTORY_IDS_MAX]; /* only jobs with these IDs, in ascending order */
	uint32_t id_count;                      /* 0: any ID */
};

/*
 * Restricts the filter to jobs with these IDs, approximately: if there are more ranges than a filter can
 * have, the ones closest to each other are merged. Sorts ids.
 */
void history_filter_ids(struct history_filter *filter, struct history_ids *ids, size_t count);

/* Bound and result of a traversal. */
struct history_walk {
	uint64_t most;           /* maximum number of jobs to examine; 0: no bound */
	uint64_t looked;         /* examined jobs, of which the key, or the user and the start, were read */
	uint64_t read;           /* decoded and visited jobs */
	struct history_place at; /* the last examined job */
	bool more;               /* `most` or the visitor ended the traversal, and more jobs may match */
};

/*
 * Visits the matching jobs in the order in which they ended, or the reverse, with short read transactions.
 * Other jobs are not decoded, which costs only a fraction of decoding them. A damaged record ends the
 * traversal with an error.
 */
bool store_history_find(struct store *s, const struct history_filter *wish, struct history_walk *walk,
			history_visit *visit, void *self, struct err *err);
/* All jobs that ended at or after since_s. */
bool store_history(struct store *s, int64_t since_s, history_visit *visit, void *self, struct err *err);
/* Appends the launch data of a job, which may have ended, in the format of sched/rm/launch.h. Of ended jobs
 * only the newest are kept. */
bool store_script(struct store *s, uint64_t job, struct str *out, struct err *err);

/* Visits the job with this ID that ended at end_s, if there is one. */
bool store_ended_job(struct store *s, int64_t end_s, uint64_t job, history_visit *visit, void *self,
		     struct err *err);

/* The latest end of a job that was pruned from the history; TIME_NONE: the history is complete. */
bool store_history_pruned(struct store *s, int64_t *end_s, struct err *err);

/* The state just after entry seq, computed from the nearest checkpoint and events. seq 0 = the latest. */
bool store_state_at(struct store *s, uint64_t seq, struct state *st, struct err *err);

/* The same as a new state, to be released with state_free; seq 0 = an empty state before the first entry.
 * NULL with an error: it is not available. */
struct state *store_state_after(struct store *s, uint64_t seq, struct err *err);

/* A point in the past: just after a journal entry, at a time. */
struct store_moment {
	uint64_t seq;   /* for store_state_at */
	int64_t time_s; /* the next entry is later */
};

/*
 * The last entry at or before a time; and the time of an entry. Any thread may call them. False if it is not
 * available: it is before the first entry, or there is no such entry. Times in the message are by the given
 * clock.
 */
bool store_moment_of_time(struct store *s, int64_t time_s, struct store_moment *out, moment_clock *clock,
			  struct err *err);
bool store_moment_of_entry(struct store *s, uint64_t seq, struct store_moment *out, moment_clock *clock,
			   struct err *err);

/*
 * Checks every record: checksums, a journal without gaps, states equal to checkpoint plus events. Returns
 * false with the first error. For `kahu verify` and tests.
 */
bool store_verify(struct store *s, struct err *err);

/*
 * Writes a copy of the whole store to a directory, which becomes a store; also while a scheduler runs. The
 * directory must not exist or be empty. The copy is durable when this returns.
 */
bool store_backup(struct store *s, const char *dir, struct err *err);

/*
 * Replaces the store in dir, which may be missing or damaged but must not be in use, by the one in `from`.
 * `from` is checked first and is not changed. The old store is kept beside it as STORE_REPLACED.
 */
#define STORE_LAST_GOOD "last-good.kahu"
#define STORE_REPLACED  "data-replaced.mdb"
bool store_restore(const char *dir, const char *from, struct err *err);

/* The journal entry of the last good copy in dir, and the time at which it was written (UTC). False if there
 * is no valid copy. */
bool store_last_good(const char *dir, uint64_t *entry, int64_t *at_s);

/* Result of store_recover. */
#define STORE_LOST_LISTED 16
struct store_recovery {
	uint64_t seq; /* journal entry of the recovered state */
	int64_t time_s;
	const char *base; /* where the state came from: "the last good copy", ...; static storage */
	uint64_t from;    /* entry of that state, after which the journal was applied */
	uint64_t copy;    /* entry of the last good copy; 0 = there is no valid copy */
	uint64_t first;   /* first entry of the new journal */
	uint64_t unusable,
		last;     /* readable entries after a gap, which were not applied, and the last of them */
	uint64_t ended;   /* jobs in the history */
	uint64_t skipped; /* unreadable pages and records */
	uint64_t lost;    /* lost jobs, acknowledged after that state; the first of them: */
	uint64_t lost_job[STORE_LOST_LISTED];
	uint64_t held;           /* idle jobs that may already be running, now with a system hold */
	uint64_t without_launch; /* jobs whose script is unreadable, so that they cannot start */
};

/*
 * Rebuilds the store in dir from its readable records and the last good copy. It must not be in use. The old
 * store is kept as STORE_REPLACED.
 */
bool store_recover(const char *dir, struct store_recovery *out, struct err *err);

/* Minimum number of events between checkpoints; those of a large state are further apart. */
#define STORE_CHECKPOINT_EVENTS 5000

#endif
