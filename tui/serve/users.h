/* SPDX-License-Identifier: MIT */
/*
 * users.h - permissions of users and administrators
 *
 * Who asks is a user whom the kernel named. Level 1 may do everything, 2 acts on all jobs, 3 only sees
 * all (Maui's ADMIN1 to ADMIN3, requirements M-20); everybody acts on their own jobs, within what is
 * theirs: their own hold, not the system's. They suspend their own jobs where the site lets them.
 */
#ifndef SERVE_USERS_H
#define SERVE_USERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"
#include "sched/state/event.h"

enum admin_level {
	ADMIN_ALL = 1,  /* ADMIN1: policy, nodes, the scheduler itself */
	ADMIN_JOBS = 2, /* ADMIN2: all jobs                            */
	ADMIN_SEES = 3, /* ADMIN3: sees everything                     */
	ADMIN_NONE = 4  /* a user                                      */
};

struct asker {
	const char *user; /* the name by which jobs are theirs */
	enum admin_level level;
};

/* May this happen because they ask for it? False: a sentence that says who could. */
bool may_ask(const struct asker *asker, const struct state *st, const struct event *ev, struct err *err);

/* How many more seconds the owner of a running job may suspend it; 0 = not at all, TIME_NEVER = no limit. */
int64_t may_suspend_s(const struct snapshot *s, const struct job *job);

/* Who may at least ask for this; ADMIN_NONE: the owner of the job, which it is about. */
enum admin_level may_least(const struct snapshot *s, uint64_t job, const struct event *ev);

/* --- users behind connections, and their admin levels ------------------------------------------------- */

/*
 * The kernel says a number; the system's files, or a service far away, say the name and the groups; the
 * configuration says who is an administrator. What was found out is believed for PEOPLE_KEPT_S, so that a
 * flood of requests is no flood of questions to that service.
 *
 * All limits are counted for each user, so a user is an account: an entry of the user database. Through
 * newuidmap one account has 65536 further numbers (subuid(5)), which have no entry and are not admitted. For
 * the same reason a group counts only if the user database makes the account a member of it.
 */

#define PEOPLE_KEPT_S  60
#define PEOPLE_RETRY_S 5 /* while the user database does not answer */
#define PEOPLE_NAME    64

/* What the user database says of a number. */
enum account {
	ACCOUNT_FOUND,   /* also root and the user of this program, whatever it says  */
	ACCOUNT_NONE,    /* it has no entry                                           */
	ACCOUNT_UNKNOWN, /* it failed to answer                                       */
	ACCOUNT_SKIPPED  /* it was not asked: numbers without entry take too much time */
};

struct person {
	uid_t uid;
	gid_t gid; /* the peer's if the account is a member, otherwise the account's primary group */
	char user[PEOPLE_NAME]; /* without an entry: the number */
	char group[PEOPLE_NAME];
	enum admin_level level;
	enum account account;
	int failed; /* errno of a user database that failed to answer */
};

struct people; /* opaque */

struct people *people_new(void);
void people_free(struct people *people);

/*
 * Who that is, by the lists of administrators in s: root and who runs this program are level 1 whatever they
 * say, and keep the group that they come with. Valid until the next call.
 */
const struct person *people_find(struct people *people, const struct snapshot *s, uid_t uid, gid_t gid);

/* The same by the name of a user. NULL: the system does not know the name. */
const struct person *people_named(struct people *people, const struct snapshot *s, const char *user);

/* Whether the person may ask anything at all. False with a sentence: no account is known for the number. */
bool people_admit(const struct person *person, struct err *err);

#endif
