/* SPDX-License-Identifier: MIT */
/*
 * allowance.h - processor time and journal space used by the requests of each user
 *
 * Each user has a bucket of processor time (a token bucket) that fills at the rate set by option maxusercpu
 * and holds one second's worth. The processor time taken to answer a request is subtracted from the user's
 * bucket, which may become negative; then the user's further requests wait until the bucket is back at zero.
 * Among the requests that need not wait, the request of the user with the fullest bucket is served first, so
 * users with few requests are not delayed by users with many. Users whose buckets are more than half full
 * take turns. An exempt user (an administrator of level 1) never waits, but with an empty bucket comes after
 * users who have time left.
 *
 * A second bucket of each user counts the time in which nobody else was served because of a large request. It
 * is emptied by large requests only, and only these wait for it, at most ALLOWANCE_LARGE_MS: it fills at a
 * fortieth of the rate of the first and holds what the first receives in three seconds. So a user's array is
 * usually accepted at once, but no user can fill the scheduler's time with one large request after another.
 *
 * A third bucket of each user counts bytes of the journal and the history. It holds the number of bytes that
 * option maxuserjournal allows per day, and fills at that rate.
 */
#ifndef SERVE_ALLOWANCE_H
#define SERVE_ALLOWANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct allowance; /* opaque: the records of all users */

/* The record of one user. */
struct allowance_use {
	uid_t uid;
	bool exempt;
	int64_t left_ns;  /* processor time left in the bucket at at_ms */
	int64_t large_ns; /* time left in the second bucket at at_ms */
	int64_t at_ms;    /* monotonic clock */
	int64_t used_ns;  /* processor time used in the second that began at since_ms */
	int64_t since_ms;
	int64_t last_ns;      /* processor time used in the last full second in which any was used */
	uint32_t waiting;     /* requests without an answer; the record is kept while there are any */
	uint32_t names;       /* number of names of accounts, classes and guests that the user introduced */
	double journal;       /* bytes left in the third bucket at at_ms */
	uint64_t changed_seq; /* newest journal entry made by the user's requests */
	int64_t changed_ms;   /* time of that entry */
	uint64_t served; /* number of the user's last served request among the served requests of all users */
	bool asks;       /* a request of the user, other than a change, can be answered in this turn */
	bool seen; /* used only while the next request is chosen: the user's first request was considered */
};

/* Longest time for which a large request keeps the user's next large request waiting. */
#define ALLOWANCE_LARGE_MS 20000

/* Time for which a record is kept after the user's last change. */
#define ALLOWANCE_CHANGED_MS 2000

struct allowance *allowance_new(void);
void allowance_free(struct allowance *all);

/* Sets the share of a processor (percent) and the bytes of the journal per day that each user may use. */
void allowance_set(struct allowance *all, int64_t percent, int64_t journal_bytes);

/*
 * Returns the user's record, with its buckets refilled up to now_ms. Valid while a request of the user waits,
 * otherwise until the next call.
 */
struct allowance_use *allowance_of(struct allowance *all, uid_t uid, int64_t now_ms);

/* Refills the user's buckets up to now_ms. */
void allowance_fill(const struct allowance *all, struct allowance_use *use, int64_t now_ms);

/*
 * Returns the number of milliseconds until a request of the user may be answered, as of the last refill; 0:
 * now.
 */
int64_t allowance_wait_ms(const struct allowance *all, const struct allowance_use *use);

/* Is a request of user a served before a request of user b? False in both directions if they rank equally. */
bool allowance_is_before(const struct allowance *all, const struct allowance_use *a,
			 const struct allowance_use *b);

/* Records that a request of the user was served. */
void allowance_note_served(struct allowance *all, struct allowance_use *use);
void allowance_charge(struct allowance_use *use, int64_t ns);

/*
 * Functions of the second bucket. allowance_large_wait_ms returns the time until a large request of the user
 * may be answered; 0: now. allowance_large_used_ns returns the time used and not yet refilled,
 * allowance_large_full_ns the time that a full bucket holds. allowance_charge_large charges a large request,
 * because of which nobody else was served for `ns`; exempt users are not charged.
 */
int64_t allowance_large_wait_ms(const struct allowance *all, const struct allowance_use *use);
int64_t allowance_large_used_ns(const struct allowance *all, const struct allowance_use *use);
int64_t allowance_large_full_ns(const struct allowance *all);
void allowance_charge_large(const struct allowance *all, struct allowance_use *use, int64_t ns);

/*
 * Subtracts bytes from the user's third bucket. Does nothing for exempt users. The caller has checked that
 * the bytes are available, which is not necessary for cancels.
 */
void allowance_charge_journal(struct allowance_use *use, int64_t bytes);

/* allowance_journal_left returns the bytes left in the third bucket, at least 0. allowance_journal_wait_s
 * returns the seconds until `bytes` are available; 0: now, TIME_NEVER: never. */
int64_t allowance_journal_left(const struct allowance_use *use);
int64_t allowance_journal_wait_s(const struct allowance *all, const struct allowance_use *use, int64_t bytes);

/* Returns the number of bytes missing from the third bucket: used and not yet refilled. */
int64_t allowance_journal_used(const struct allowance *all, const struct allowance_use *use);

/* Returns the approximate processor time used in the second before now_ms. */
int64_t allowance_recent_ns(const struct allowance_use *use, int64_t now_ms);

/* --- limits on the requests of one user, with their usage --------------------------------------------- */

/* The scheduler sends an array of struct self_limit in a memory file (publisher.h). */

#define SELF_LIMITS_MAX 16
#define SELF_USE_NONE   INT64_C(-1) /* for a limit that applies to each request, and so has no usage */

struct self_limit {
	char option[32]; /* name of the option */
	char unit[16];
	char what[64];       /* short description */
	int64_t limit, used; /* the limit, and how much of it is used, in `unit` */
	int64_t exempt;      /* 1: the user is exempt */
};

/* Validates received bytes as an array of limits with terminated strings. */
bool self_limits_check(const struct self_limit *limit, size_t size);

#endif
