/* SPDX-License-Identifier: MIT */
/*
 * mask.h - names and reasons that a user does not see (option hidenames)
 *
 * The numbers of the queue, the machine and the policy; not who the others are: no names of users, groups and
 * accounts that are not theirs, of others' jobs, of classes that others made up, no reasons that somebody
 * wrote there, no configuration text.
 */
#ifndef SERVE_MASK_H
#define SERVE_MASK_H

#include <stdbool.h>

#include "admission.h"
#include "sched/model/advance.h"
#include "sched/model/snapshot.h"

/* What stands in place of a name. */
#define MASK_NAME SNAPSHOT_HIDDEN

struct viewer {
	const char *user, *group; /* their own: shown */
};

/*
 * Is the class configured by the site? A site without configured classes accepts any class name, and such a
 * name is the user's own. c NULL: as in configured_find().
 */
bool mask_is_site_class(struct configured *c, const struct snapshot *s, const char *name);

/*
 * The first credential among the guests of a reservation whose name the viewer may not see; NULL: none.
 * Whoever could reserve for any name would see by the answer, and in the state, whose jobs are whose.
 */
const struct advance_guest *mask_hidden_guest(struct configured *c, const struct snapshot *s,
					      const struct viewer *viewer, const struct advance_text *text);

/* A copy without what the viewer may not see; free() it. */
struct snapshot *mask_snapshot(const struct snapshot *s, const struct viewer *viewer);

/*
 * Where names are shown (mask.c). The users whose jobs have a failed start for a reason, as
 * ",ann,bob,": free() it; NULL: there are none. Is the user one of them? A copy without the reasons of
 * others; user NULL: without any.
 */
char *mask_reason_owners(const struct snapshot *s);
bool mask_owns_reason(const char *owners, const char *user);

/* Is it the reason of a hold that followed too many defers? It quotes why a start failed. */
bool mask_is_held_after_defers(const char *reason);
struct snapshot *mask_reasons(const struct snapshot *s, const char *user);

#endif
