/* SPDX-License-Identifier: MIT */
/*
 * justification.h - changes that require a reason
 *
 * A guard rail, not a right: who may make a change may make it, but says why when it puts off many jobs or a
 * start that was promised, or when it brings what lint warns of. guarddelayed says how many are many; 0:
 * nothing needs a reason.
 */
#ifndef FORECAST_JUSTIFICATION_H
#define FORECAST_JUSTIFICATION_H

#include <stdbool.h>

#include "future.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/model/snapshot.h"

/* Appends what needs a reason, in words: "it delays 19 jobs; ...". False: nothing does. The limit is the one
 * in force before the change; moments are told by the clock. */
bool justification_required(const struct future_pair *pair, moment_clock *clock, struct str *out);

#endif
