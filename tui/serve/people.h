/* SPDX-License-Identifier: MIT */
/*
 * people.h - who is behind a connection, and how much may they do here?
 *
 * The kernel says a number; the system's files, or a service far away, say the name and the groups; the
 * configuration says who is an administrator. What was found out is believed for PEOPLE_KEPT_S, so that a
 * flood of requests is no flood of questions to that service.
 */
#ifndef TUI_SERVE_PEOPLE_H
#define TUI_SERVE_PEOPLE_H

#include <sys/types.h>

#include "may.h"
#include "sched/core/snapshot.h"

#define PEOPLE_KEPT_S 60
#define PEOPLE_NAME   64

struct person {
	uid_t uid;
	gid_t gid;
	char user[PEOPLE_NAME]; /* a name that the system does not know is the number */
	char group[PEOPLE_NAME];
	enum admin_level level;
};

struct people; /* opaque */

struct people *people_new(void);
void people_free(struct people *people);

/*
 * Who that is, by the lists of administrators in s: root and who runs this program are level 1 whatever they
 * say. Valid until the next call.
 */
const struct person *people_find(struct people *people, const struct snapshot *s, uid_t uid, gid_t gid);

/* The same by the name of a user. NULL: the system does not know the name. */
const struct person *people_named(struct people *people, const struct snapshot *s, const char *user);

#endif
