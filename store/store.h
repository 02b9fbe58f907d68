/* SPDX-License-Identifier: MIT */
/*
 * store.h - how is a store opened, locked, read back and looked into?
 *
 * A store is a directory (0700) with an LMDB file and kahu.lock. One scheduler, or one
 * changing verb, holds the lock; readers of the journal use short read transactions and
 * never wait. The ledger it offers implements sched/host/ledger.h.
 *
 * Opening twice in one process is refused (LMDB's locks would be lost, engineering note).
 * After fork a child must not touch a store.
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
	STORE_READ,   /* no lock: reports on a store, also while a scheduler runs */
	STORE_CHANGE, /* takes kahu.lock; fails with the holder's pid when held   */
	STORE_TEMP    /* dir is ignored: a new directory under TMPDIR, removed on close */
};

/*
 * Opens dir, creating it (0700) when mode is STORE_CHANGE. Refuses: a directory others can
 * write, a network file system, a newer schema, a damaged header; each with a sentence. With errno EBUSY:
 * it was to be changed, and another process holds it.
 */
struct store *store_open(const char *dir, enum store_mode mode, struct err *err);
void store_close(struct store *s);

/*
 * For an exec handover: the lock as another descriptor that stays open across it, so that nobody gets
 * between; -1 with errno. The store is closed as always; store_adopt opens it in the new program for change,
 * and takes the descriptor, also when it fails.
 */
int store_lock_of(const struct store *s); /* stays the store's */
int store_hand_over(const struct store *s);
struct store *store_adopt(const char *dir, int lock, struct err *err);

/* Bytes of the file that a record takes, about: one that is larger than half a page has pages of its own. */
uint64_t store_record_bytes(uint64_t size);

const char *store_dir(const struct store *s);
/*
 * Has the store's disk at least this much room? On a small disk a twentieth of it is enough. True where that
 * cannot be known.
 */
bool store_has_room(const struct store *s, int64_t reserve_mb);
/* Is a scheduler or verb holding the lock of dir? Its pid, 0 = nobody. */
int store_holder(const char *dir);
/*
 * Is nobody, or who will give it back soon or open a door to it? A verb holds it for a moment; a scheduler
 * that begins or ends says so (store_ask_to_wait).
 */
bool store_is_soon_free(const char *dir);
/* To be said, and taken back, by who holds it. */
void store_ask_to_wait(const struct store *s, bool wait);

/*
 * From now on commits also remove, in small steps, what journalkeep, journalmax, historykeep and historymax
 * of the state no longer keep. Off at first: a simulation's clock says nothing about the age of its records.
 */
void store_prune(struct store *s, bool on);

/* load and commit; valid while the store is open. */
struct ledger store_ledger(struct store *s);

/* One journal entry as read back; strings are valid during the call only. */
typedef bool journal_visit(void *self, const struct event *ev); /* false stops */

/*
 * Visits entries with seq >= from upward, or <= from downward when backward. Own short read
 * transaction; callable from any thread. A damaged entry ends it with a sentence, and so does one that is
 * pruned while the journal is read upward.
 */
bool store_journal(struct store *s, uint64_t from, bool backward, journal_visit *visit, void *self,
		   struct err *err);

/* The first and last seq kept; 0 and 0 when empty. The state right before the first is kept too, see
 * store_state_after. */
bool store_journal_range(struct store *s, uint64_t *first, uint64_t *last, struct err *err);

/* A job that has ended, as it was then; valid during the call only. */
typedef bool history_visit(void *self, const struct ended_job *ended); /* false stops */

/* A place in the history, which is ordered by the moment of the end and by number. */
struct history_place {
	int64_t end_s;
	uint64_t job;
};

/* Numbers of jobs from first to last. */
struct history_ids {
	uint64_t first, last;
};
#define HISTORY_IDS_MAX 32

/* Which ended jobs are wanted; with zeros after `after` all that lie behind it. */
struct history_wish {
	struct history_place after;  /* only jobs behind it; job 0: those that ended at end_s are, too */
	struct history_place before; /* only jobs before it; job 0: there is no such bound */
	bool backward;               /* the last first */
	bool ran;                    /* only jobs that were started */
	const char *user;            /* only jobs of this user; NULL: of all users */
	struct history_ids id[HISTORY_IDS_MAX]; /* only jobs with these numbers, in ascending order */
	uint32_t id_count;                      /* 0: any number */
};

/*
 * Restricts the wish to jobs with these numbers, or about: where there are more ranges than a wish has, those
 * nearest to each other become one. Sorts ids.
 */
void history_want_ids(struct history_wish *wish, struct history_ids *ids, size_t count);

/* What a walk may look at, and what it has looked at. */
struct history_walk {
	uint64_t most;           /* jobs looked at in this walk; 0: all */
	uint64_t looked;         /* jobs of which the key, or the user and the start, were read */
	uint64_t read;           /* jobs that were decoded and visited */
	struct history_place at; /* the last job looked at */
	bool more; /* there may be wanted jobs behind it: `most` or the visitor ended the walk */
};

/*
 * Visits the wanted jobs in the order in which they ended, or the reverse; short read transactions. A job
 * that is not wanted is not decoded, and costs a small part of one that is. A damaged record ends the walk
 * with a sentence.
 */
bool store_history_find(struct store *s, const struct history_wish *wish, struct history_walk *walk,
			history_visit *visit, void *self, struct err *err);
/* All jobs that ended at or after since_s. */
bool store_history(struct store *s, int64_t since_s, history_visit *visit, void *self, struct err *err);
/* Appends what is or was run for a job, which may have ended: the form of sched/rm/launch.h. Of jobs that
 * have ended only the newest are kept. */
bool store_script(struct store *s, uint64_t job, struct str *out, struct err *err);

/* The one job of this number that ended at end_s; nothing is visited when there is none. */
bool store_ended_job(struct store *s, int64_t end_s, uint64_t job, history_visit *visit, void *self,
		     struct err *err);

/* The latest end of a job that was pruned from the history; TIME_NONE: it is complete. */
bool store_history_pruned(struct store *s, int64_t *end_s, struct err *err);

/* A state as it was right after entry seq: nearest checkpoint, then events. seq 0 = the latest. */
bool store_state_at(struct store *s, uint64_t seq, struct state *st, struct err *err);

/* The same as a state of its own, for state_free; seq 0 = before the first entry: nothing is there. NULL with
 * a sentence: it is not kept. */
struct state *store_state_after(struct store *s, uint64_t seq, struct err *err);

/* A moment of the past: what was so right after an entry, when the clock showed a second. */
struct store_moment {
	uint64_t seq;   /* for store_state_at */
	int64_t time_s; /* the next entry is later */
};

/*
 * A second, with the last entry at or before it; and an entry, with its own second. From any thread. False
 * with a sentence, whose moments are told by the clock, when it is not kept: it lies before the first entry,
 * or the journal has no such entry.
 */
bool store_moment_of_time(struct store *s, int64_t time_s, struct store_moment *out, moment_clock *clock,
			  struct err *err);
bool store_moment_of_entry(struct store *s, uint64_t seq, struct store_moment *out, moment_clock *clock,
			   struct err *err);

/*
 * Reads every record: checksums, the journal without gap, state equal to checkpoint plus
 * events. Returns false with the first fault. For `kahu verify` and tests.
 */
bool store_verify(struct store *s, struct err *err);

/*
 * A copy of the whole store as of now in a folder of its own, which is a store again; also while a scheduler
 * runs. The folder must not be there, or be empty. It is on the disk when this returns.
 */
bool store_backup(struct store *s, const char *dir, struct err *err);

/*
 * Puts the store in `from` in place of the one in dir, which may be missing or damaged but must not be in
 * use. `from` is looked at first, and stays. What was there is kept as STORE_REPLACED beside it.
 */
#define STORE_LAST_GOOD "last-good.kahu"
#define STORE_REPLACED  "data-replaced.mdb"
bool store_restore(const char *dir, const char *from, struct err *err);

/* The journal entry up to which the last good copy in dir reaches, and when it was written (UTC). False when
 * there is none that is whole. */
bool store_last_good(const char *dir, uint64_t *entry, int64_t *at_s);

/* What store_recover has recovered, and what not. */
#define STORE_LOST_LISTED 16
struct store_recovery {
	uint64_t seq; /* the state is the one after this entry */
	int64_t time_s;
	const char *base; /* the state began with: "the last good copy", ...; static storage */
	uint64_t from;    /* entry of that state; the journal was applied from there */
	uint64_t copy;    /* entry of the last good copy; 0 = there is none that is whole */
	uint64_t first;   /* entry with which the journal begins now */
	uint64_t unusable,
		last;     /* readable entries behind a gap, which were not applied, and the last of them */
	uint64_t ended;   /* jobs in the history */
	uint64_t skipped; /* pages and records that could not be read */
	uint64_t lost;    /* jobs that were acknowledged later and are gone; the first of them: */
	uint64_t lost_job[STORE_LOST_LISTED];
	uint64_t held;           /* waiting jobs that may run already: they have a system hold */
	uint64_t without_launch; /* jobs whose script cannot be read: they cannot start */
};

/*
 * Makes the store in dir again from what can be read of it and from the last good copy. It must not be in
 * use. What was there is kept as STORE_REPLACED.
 */
bool store_recover(const char *dir, struct store_recovery *out, struct err *err);

/* How many events between checkpoints at least; those of a large state are as far apart as it is large. */
#define STORE_CHECKPOINT_EVENTS 5000

#endif
