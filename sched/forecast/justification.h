/* SPDX-License-Identifier: MIT */
/*
 * justification.h - changes that require a reason
 *
 * This is not a permission check: a user with the right to make a change may make it, but has to state a
 * reason if it delays more than guarddelayed jobs, delays a job with a reservation, or causes a new lint
 * warning. guarddelayed = 0 turns this off.
 */
#ifndef FORECAST_JUSTIFICATION_H
#define FORECAST_JUSTIFICATION_H

#include <stdbool.h>

#include "future.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/model/snapshot.h"

/*
 * Appends why the change needs a reason: "it delays 19 jobs; ...". Returns false if it needs none.
 * guarddelayed is taken from the state before the change; times are printed by the given clock.
 */
bool justification_required(const struct future_pair *pair, moment_clock *clock, struct str *out);

#endif
