/* SPDX-License-Identifier: MIT */
/*
 * oversoft.h - which running jobs are over a soft limit?
 *
 * Counted in the order in which they started: a job is over when what ran before it leaves
 * less than it takes. So of jobs that are over a limit together the last ones are marked,
 * as in the original.
 */
#ifndef REPORT_OVERSOFT_H
#define REPORT_OVERSOFT_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/snapshot.h"

/* By job slot; free() it. */
bool *oversoft_find(const struct snapshot *s, int64_t now_s);

#endif
