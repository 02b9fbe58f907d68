/* SPDX-License-Identifier: MIT */
/*
 * store.h - the store: opening, locking, journal, history and past states
 *
 * A store is a directory (0700) with an LMDB file and kahu.lock. One scheduler, or one command that makes
 * changes, holds the lock; readers of the journal use short read transactions and never wait. store_ledger
 * implements sched/host/ledger.h.
 *
 * A process cannot open the same store twice, because closing either of them would release LMDB's locks.
 * After fork, the child must not use a store that its parent has opened.
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
	STORE_READ,   /* does not acquire kahu.lock; for reading, even while a scheduler runs */
	STORE_CHANGE, /* acquires kahu.lock; fails with the holder's process ID if it is held */
	STORE_TEMP    /* dir is ignored: a new directory under TMPDIR, removed on close */
};

/*
 * Opens the store in dir; STORE_CHANGE creates dir (0700) if it does not exist. Returns NULL if others can
 * write to dir, if dir is on a network file system, or if the store has a newer schema or is damaged. With
 * errno EBUSY, another process holds the lock.
 */
struct store *store_open(const char *dir, enum store_mode mode, struct err *err);
void store_close(struct store *s);

/*
 * Handover of the lock to the program that this process executes. store_lock_of returns the descriptor of the
 * lock, which the store owns. store_hand_over returns a duplicate that stays open across exec, so that no
 * other process can acquire the lock in between; -1 with errno on failure. The caller then closes the store
 * as usual. In the new program, store_adopt opens the store for change with that descriptor and takes
 * ownership of it, even on failure.
 */
int store_lock_of(const struct store *s);
int store_hand_over(const struct store *s);
struct store *store_adopt(const char *dir, int lock, struct err *err);

/* Approximate number of bytes in the file that a record of this size takes: a record larger than half a page
 * is stored on separate pages. */
uint64_t store_record_bytes(uint64_t size);

const char *store_dir(const struct store *s);
/*
 * Does the store's disk have at least reserve_mb of free space? On a small disk, a twentieth of its size is
 * enough. Also true if the free space cannot be determined.
 */
bool store_has_room(const struct store *s, int64_t reserve_mb);
/*
 * Returns the process ID of the scheduler or command that holds the lock of dir; 0 = the lock is free, -1 =
 * the process ID cannot be read.
 */
int store_holder(const char *dir);
/*
 * Is the lock free, or will its holder soon release it or open its socket? A command holds the lock only for
 * a moment; a scheduler that starts or stops announces this with store_ask_to_wait.
 */
bool store_is_soon_free(const char *dir);
/* Sets or clears the announcement that store_is_soon_free reads. For the holder of the lock only. */
void store_ask_to_wait(const struct store *s, bool wait);

/*
 * Enables or disables pruning. If it is enabled, each commit removes some of the records that journalkeep,
 * journalmax, historykeep and historymax no longer keep. Initially disabled, because the clock of a
 * simulation does not correspond to the age of its records.
 */
void store_prune(struct store *s, bool on);

/*
 * Returns the operations of the scheduler on the store, such as load and commit. They are valid while the
 * store is open.
 */
struct ledger store_ledger(struct store *s);

/* Called for each journal entry; strings are valid during the call only. Returns false to stop. */
typedef bool journal_visit(void *self, const struct event *ev);

/*
 * Visits the journal entries with seq >= from in ascending order; with backward, those with seq <= from in
 * descending order. Uses short read transactions; any thread may call it. Returns false with an error if an
 * entry is damaged, or if an ascending traversal reaches an entry that has just been pruned.
 */
bool store_journal(struct store *s, uint64_t from, bool backward, journal_visit *visit, void *self,
		   struct err *err);

/* Sets the seq of the first and the last journal entry; both are 0 if the journal is empty. The state just
 * before the first entry is also available, see store_state_after. */
bool store_journal_range(struct store *s, uint64_t *first, uint64_t *last, struct err *err);

/* Called for each ended job with its history record, which is valid during the call only. Returns false to
 * stop. */
typedef bool history_visit(void *self, const struct ended_job *ended);

/* A position in the history, which is sorted by end time and then by job ID. */
struct history_place {
	int64_t end_s;
	uint64_t job;
};

/* A range of job IDs, from first to last inclusive. */
struct history_ids {
	uint64_t first, last;
};
#define HISTORY_IDS_MAX 32

/* A filter for ended jobs. With all fields zero except `after`, it selects all jobs after that position. */
struct history_filter {
	struct history_place after;             /* only jobs after this position; job 0: from end_s on */
	struct history_place before;            /* only jobs before this position; job 0: no bound */
	bool backward;                          /* visit the jobs in reverse order */
	bool ran;                               /* only jobs that were started */
	const char *user;                       /* only jobs of this user; NULL: all users */
	struct history_ids id[HISTORY_IDS_MAX]; /* only jobs in these ranges, sorted by ID */
	uint32_t id_count;                      /* 0: any ID */
};

/*
 * Restricts the filter to jobs with these IDs. If there are more than HISTORY_IDS_MAX ranges, the ranges
 * closest to each other are merged, and the filter also selects the IDs between them. Sorts ids.
 */
void history_filter_ids(struct history_filter *filter, struct history_ids *ids, size_t count);

/* The bound (`most`) and the results of a traversal of the history. */
struct history_walk {
	uint64_t most;           /* maximum number of jobs to examine; 0: no bound */
	uint64_t looked;         /* number of examined jobs, of which at least the key was read */
	uint64_t read;           /* number of jobs that were decoded and passed to the visitor */
	struct history_place at; /* the last examined job */
	bool more;               /* `most` or the visitor ended the traversal, and more jobs may match */
};

/*
 * Visits the matching jobs in the order in which they ended, or in reverse order, with short read
 * transactions. Jobs that do not match are not decoded; skipping a job takes a fraction of the time of
 * decoding it. Returns false with an error if a record is damaged.
 */
bool store_history_find(struct store *s, const struct history_filter *wish, struct history_walk *walk,
			history_visit *visit, void *self, struct err *err);
/* Visits all jobs that ended at or after since_s. */
bool store_history(struct store *s, int64_t since_s, history_visit *visit, void *self, struct err *err);
/*
 * Appends the launch data of a job, in the format of sched/rm/launch.h, to out. For ended jobs, launch data
 * is kept only for some time: that of the lowest job IDs is removed first.
 */
bool store_script(struct store *s, uint64_t job, struct str *out, struct err *err);

/* Visits the job with this ID that ended at end_s. Without such a job, visit is not called. */
bool store_ended_job(struct store *s, int64_t end_s, uint64_t job, history_visit *visit, void *self,
		     struct err *err);

/* Sets *end_s to the latest end time of the jobs that were pruned from the history; TIME_NONE if none was
 * pruned. */
bool store_history_pruned(struct store *s, int64_t *end_s, struct err *err);

/* Fills an empty state with the state just after entry seq, computed from the nearest checkpoint and the
 * entries after it. seq 0 = the current state. */
bool store_state_at(struct store *s, uint64_t seq, struct state *st, struct err *err);

/* Returns the state just after entry seq as a new state, to be released with state_free. seq 0 = an empty
 * state, as before the first entry. NULL with an error if the state is not available. */
struct state *store_state_after(struct store *s, uint64_t seq, struct err *err);

/* A past moment: a time, and the last journal entry at or before that time. */
struct store_moment {
	uint64_t seq;   /* journal entry, for store_state_at */
	int64_t time_s; /* at or after the time of this entry, and before that of the next one */
};

/*
 * store_moment_of_time finds the last entry at or before a time; store_moment_of_entry finds the time of an
 * entry. Any thread may call them. They return false if the time is before the first entry, or there is no
 * such entry. The clock formats the times in error messages.
 */
bool store_moment_of_time(struct store *s, int64_t time_s, struct store_moment *out, moment_clock *clock,
			  struct err *err);
bool store_moment_of_entry(struct store *s, uint64_t seq, struct store_moment *out, moment_clock *clock,
			   struct err *err);

/*
 * Checks every record: checksums, a journal without gaps, and states that equal their checkpoint plus the
 * entries after it. Returns false with the first error. For `kahu verify` and tests.
 */
bool store_verify(struct store *s, struct err *err);

/*
 * Writes a copy of the whole store to a directory, which becomes a store. A scheduler may be running. The
 * directory must be empty or not exist. The copy is durable on return.
 */
bool store_backup(struct store *s, const char *dir, struct err *err);

/*
 * Replaces the store in dir by the store in `from`. The store in dir may be missing or damaged but must not
 * be in use; its file is kept in dir as STORE_REPLACED. `from` is verified first and is not changed.
 */
#define STORE_LAST_GOOD "last-good.kahu"
#define STORE_REPLACED  "data-replaced.mdb"
bool store_restore(const char *dir, const char *from, struct err *err);

/*
 * Sets *entry to the last journal entry that the last good copy in dir includes, and *at_s to the time of the
 * copied state (UTC). Returns false if there is no valid copy.
 */
bool store_last_good(const char *dir, uint64_t *entry, int64_t *at_s);

/* Result of store_recover. */
#define STORE_LOST_LISTED 16
struct store_recovery {
	uint64_t seq; /* journal entry of the recovered state */
	int64_t time_s;
	const char *base; /* source of the state, such as "the last good copy"; static storage */
	uint64_t from;    /* journal entry of the state in `base`; the entries after it were applied */
	uint64_t copy;    /* journal entry of the last good copy; 0 = there is no valid copy */
	uint64_t first;   /* first entry of the new journal */
	uint64_t unusable,
		last; /* number of readable entries that could not be applied, and the seq of the last one */
	uint64_t ended;   /* number of jobs in the history */
	uint64_t skipped; /* number of unreadable pages and records */
	uint64_t lost; /* number of lost jobs: accepted after the recovered state, and not in the history */
	uint64_t lost_job[STORE_LOST_LISTED]; /* IDs of the first lost jobs */
	uint64_t held;                        /* idle jobs that received a system hold: they may be running */
	uint64_t without_launch;              /* jobs whose launch data is unreadable: they cannot start */
};

/*
 * Rebuilds the store in dir from its readable records and the last good copy. The store must not be in use.
 * Its old file is kept as STORE_REPLACED.
 */
bool store_recover(const char *dir, struct store_recovery *out, struct err *err);

/* Number of events between checkpoints; if the state is large, there are more events between them. */
#define STORE_CHECKPOINT_EVENTS 5000

#endif
