/* SPDX-License-Identifier: MIT */
/*
 * mask.h - names and reasons hidden from a user (option hidenames)
 *
 * The numbers in the queue, the machine and the policy remain visible. The following are hidden: names of
 * other users, groups and accounts; names of other users' jobs; classes that other users introduced; reasons
 * written by other users; and the configuration text.
 */
#ifndef SERVE_MASK_H
#define SERVE_MASK_H

#include <stdbool.h>

#include "admission.h"
#include "sched/model/advance.h"
#include "sched/model/snapshot.h"

/* Shown in place of a hidden name. */
#define MASK_NAME SNAPSHOT_HIDDEN

struct viewer {
	const char *user, *group; /* the viewer's own names, which are shown */
};

/*
 * Is the class configured by the site? A site without configured classes accepts any class name; a name
 * introduced by a user is hidden like the name of the user. c NULL: as in configured_find().
 */
bool mask_is_site_class(struct configured *c, const struct snapshot *s, const char *name);

/*
 * Returns the first guest of a reservation whose name the viewer may not see; NULL: none. A user who could
 * make reservations for any name would learn from the result, and from the state, which jobs belong to that
 * name.
 */
const struct advance_guest *mask_hidden_guest(struct configured *c, const struct snapshot *s,
					      const struct viewer *viewer, const struct advance_text *text);

/* Returns a copy in the buffer without the data that the viewer may not see; buffer NULL: free() the copy. */
struct snapshot *mask_snapshot(const struct snapshot *s, const struct viewer *viewer,
			       struct snapshot_buffer *buffer);

/*
 * For sites that show names: failure reasons are still private (mask.c). Returns the users whose jobs have a
 * failure reason, as ",ann,bob,"; free() it. NULL: none.
 */
char *mask_reason_owners(const struct snapshot *s);
/* Is the user in the list from mask_reason_owners? */
bool mask_owns_reason(const char *owners, const char *user);

/* Is this the reason of a hold after too many deferrals? Such a reason quotes the failure of a start. */
bool mask_is_held_after_defers(const char *reason);
/* Like mask_snapshot, but the copy lacks only the failure reasons of other users' jobs; user NULL: those of
 * all jobs. */
struct snapshot *mask_reasons(const struct snapshot *s, const char *user, struct snapshot_buffer *buffer);

#endif
