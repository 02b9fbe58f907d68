/* SPDX-License-Identifier: MIT */
/*
 * users.h - permissions of users and administrators
 *
 * The kernel identifies the user of a request. Level 1 may do everything, level 2 acts on all jobs, level 3
 * sees everything (Maui's ADMIN1 to ADMIN3, requirements M-20). All users may act on their own jobs within
 * limits: they control user holds but not system holds, and suspend jobs only if the site permits it.
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
	ADMIN_JOBS = 2, /* ADMIN2: all jobs */
	ADMIN_SEES = 3, /* ADMIN3: sees everything */
	ADMIN_NONE = 4  /* a user without an admin level */
};

struct asker {
	const char *user; /* the user name that the asker's jobs have */
	enum admin_level level;
};

/* Is the event permitted for the asker? If not, the error says who may request it. */
bool permission_check(const struct asker *asker, const struct state *st, const struct event *ev,
		      struct err *err);

/*
 * Returns the number of seconds for which the owner may still suspend a running job; 0 = not at all,
 * TIME_NEVER = without limit.
 */
int64_t permission_suspend_s(const struct snapshot *s, const struct job *job);

/* Returns the admin level that is required to request the event; ADMIN_NONE: the owner of the job may. */
enum admin_level permission_level(const struct snapshot *s, uint64_t job, const struct event *ev);

/* --- users behind connections, and their admin levels ------------------------------------------------- */

/*
 * The kernel reports the uid of a connection; system files or a directory service provide the name and the
 * groups; the configuration lists the administrators. Results are cached for USERS_KEPT_S, so that many
 * requests do not cause many queries to the directory service.
 *
 * Limits are counted for each user, and a user is an entry of the user database (an account). Through
 * newuidmap an account has 65536 further uids (subuid(5)); these have no entry and are not admitted, because
 * each would have limits of its own. Likewise, a group counts only if the user database makes the account a
 * member of it.
 */

#define USERS_KEPT_S   60
#define USERS_RETRY_S  5 /* instead of USERS_KEPT_S while the user database does not answer */
#define USER_NAME_SIZE 64

/* Result of looking up a uid in the user database. */
enum account {
	ACCOUNT_FOUND,   /* always for root and the scheduler's own user */
	ACCOUNT_NONE,    /* no entry */
	ACCOUNT_UNKNOWN, /* the database failed */
	ACCOUNT_SKIPPED  /* not looked up: failed look-ups have taken too much time */
};

struct person {
	uid_t uid;
	gid_t gid; /* group of the connection if the account is a member, else the account's primary group */
	char user[USER_NAME_SIZE]; /* if there is no entry: the uid as text */
	char group[USER_NAME_SIZE];
	enum admin_level level;
	enum account account;
	int failed; /* errno of a failed look-up in the user database */
};

struct users; /* opaque */

struct users *users_new(void);
void users_free(struct users *users);

/*
 * Returns the person with the uid, with the admin level from the lists of administrators in s. Root and the
 * user who runs the scheduler always have level 1, and their group is that of the connection. Valid until the
 * next call.
 */
const struct person *users_find(struct users *users, const struct snapshot *s, uid_t uid, gid_t gid);

/* Returns the person with the given user name; NULL: the user database does not know the name. */
const struct person *users_named(struct users *users, const struct snapshot *s, const char *user);

/* May the person send requests at all? Returns false with err set if the uid has no known account. */
bool users_admit(const struct person *person, struct err *err);

#endif
