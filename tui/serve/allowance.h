/* SPDX-License-Identifier: MIT */
/*
 * allowance.h - what the requests of each user have used of the scheduler's time, and whose turn it is
 *
 * Each user has a bucket of processor time that fills at the rate of option maxusercpu and holds a second's
 * worth. What answering a request took is taken out of its user's bucket, also below zero; until it is filled
 * to zero again the user's other requests wait. Of requests that need not wait, that of the user with the
 * fullest bucket comes first: so a user who asks seldom is not behind those who ask all the time. Users whose
 * buckets are more than half full take turns: none of them waits until another has used as much. An exempt
 * user (an administrator of level 1) never waits, and comes behind the others only while they have time left.
 *
 * A second bucket of each user holds bytes of the journal and the history: it holds as much as option
 * maxuserjournal allows in a day, and fills at that rate.
 */
#ifndef SERVE_ALLOWANCE_H
#define SERVE_ALLOWANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct allowance; /* opaque: of all users */

/* Of one user. */
struct allowance_use {
	uid_t uid;
	bool exempt;
	int64_t left_ns; /* in the bucket, as of at_ms                                      */
	int64_t at_ms;   /* by the monotonic clock                                          */
	int64_t used_ns; /* of the second that began at since_ms                            */
	int64_t since_ms;
	int64_t last_ns;      /* of the last whole second in which something was used            */
	uint32_t waiting;     /* requests that are not answered yet: the record is kept          */
	uint32_t names;       /* new names of accounts and classes it has brought                */
	double journal;       /* bytes in the second bucket, as of at_ms                         */
	uint64_t changed_seq; /* the newest entry by its requests                                */
	int64_t changed_ms;   /* when it was made                                                */
	uint64_t served;      /* when it last had a turn, counted in requests                    */
	bool asks;            /* of this turn: one of its questions waits                        */
	bool seen;            /* while the next request is chosen: the first of its own has been */
};

/* So long after its last change the record is kept. */
#define ALLOWANCE_CHANGED_MS 2000

struct allowance *allowance_new(void);
void allowance_free(struct allowance *all);

/* How much of a processor each user may have, in percent, and how many bytes of the journal in a day. */
void allowance_set(struct allowance *all, int64_t percent, int64_t journal_bytes);

/* The user's record as of now; valid while something of it waits, and until the next call otherwise. */
struct allowance_use *allowance_of(struct allowance *all, uid_t uid, int64_t now_ms);

/* Brings the bucket up to now_ms. */
void allowance_fill(const struct allowance *all, struct allowance_use *use, int64_t now_ms);

/* May a request of the user be answered now? Milliseconds until then; 0 = yes. As of the last fill. */
int64_t allowance_wait_ms(const struct allowance *all, const struct allowance_use *use);

/* Does a request of a user come before that of another? Neither does where they are the same. */
bool allowance_is_before(const struct allowance *all, const struct allowance_use *a,
			 const struct allowance_use *b);

/* The user has had a turn. */
void allowance_note_served(struct allowance *all, struct allowance_use *use);
void allowance_charge(struct allowance_use *use, int64_t ns);

/* Takes bytes of the journal, which must be there unless the user is exempt or only cancels jobs. */
void allowance_charge_journal(struct allowance_use *use, int64_t bytes);

/* Bytes that are left, at least 0, and seconds until `bytes` are: 0 = now, TIME_NEVER = they never are. */
int64_t allowance_journal_left(const struct allowance_use *use);
int64_t allowance_journal_wait_s(const struct allowance *all, const struct allowance_use *use, int64_t bytes);

/* Bytes that are gone from the second bucket: used and not refilled yet. */
int64_t allowance_journal_used(const struct allowance *all, const struct allowance_use *use);

/* Used in the second before now_ms, roughly: of the second that is running, or of the last. */
int64_t allowance_recent_ns(const struct allowance_use *use, int64_t now_ms);

/* --- limits on the requests of one user, with their usage --------------------------------------------- */

/*
 * The scheduler sends an array of these in a file that it lends (publisher.h).
 */

#define SELF_LIMITS_MAX 16
#define SELF_USE_NONE   INT64_C(-1) /* it is a limit of one request: nothing is in use between */

struct self_limit {
	char option[32]; /* its name                                   */
	char unit[16];
	char what[64];       /* a few words                                */
	int64_t limit, used; /* in that unit                           */
	int64_t exempt;      /* 1: the user is not held to it              */
};

/* Is what came an array of these, with texts that end? */
bool self_limits_check(const struct self_limit *limit, size_t size);

#endif
