/* SPDX-License-Identifier: MIT */
/*
 * herald.h - notification of users about job events
 *
 * The site's notifyprogram of everything, and by mail who asked for it with the submission (-m, -M). It hears
 * of each step when that is durable, in the scheduler's thread, and leaves what is to be said with
 * sched/rm/notify.h.
 */
#ifndef HOST_HERALD_H
#define HOST_HERALD_H

#include "driver.h"
#include "sched/rm/notify.h"

struct herald; /* opaque */

/* Borrows both; the ledger says who wants mail. */
struct herald *herald_new(struct ledger ledger, struct notify *notify);
void herald_free(struct herald *h);

/* As driver_bar_programs: then nobody is told by a program of the configuration. */
void herald_bar_programs(struct herald *h, bool barred);

/* A driver_tell; self is the herald. */
void herald_tell(void *self, const struct ledger_step *step, const struct state *st,
		 const struct driver_stats *stats);

#endif
