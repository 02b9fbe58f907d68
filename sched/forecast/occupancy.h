/* SPDX-License-Identifier: MIT */
/*
 * occupancy.h - how many processors are in use as time goes on, in a future of the queue?
 *
 * A future says when each job starts and ends; occupancy is the mean number of processors in use in each of
 * `count` equal slices of a stretch of time. One slice over the whole stretch is the utilisation.
 */
#ifndef FORECAST_OCCUPANCY_H
#define FORECAST_OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"

/*
 * By slot of s: when a job starts (TIME_NEVER: it does not) and ends. end_s NULL: jobs run to their wallclock
 * limits. Running jobs need no start. Nothing is in use in a stretch that is no stretch.
 */
void occupancy(const struct snapshot *s, const int64_t *start_s, const int64_t *end_s, int64_t from_s,
	       int64_t to_s, double *mean_procs, size_t count);

#endif
