/* SPDX-License-Identifier: MIT */
/*
 * occupancy.h - processors in use over time, in a projected future
 *
 * Computes, from the start and end of each job, the mean number of processors in use in each of `count` equal
 * slices of an interval. One slice over the whole interval gives the utilization.
 */
#ifndef FORECAST_OCCUPANCY_H
#define FORECAST_OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"

/*
 * Sets mean_procs[] for the slices of [from_s, to_s). start_s, end_s: by slot of s; TIME_NEVER = the job does
 * not start. end_s NULL: jobs run to their wallclock limits. start_s is not read for running jobs. An empty
 * interval gives 0 in every slice.
 */
void occupancy(const struct snapshot *s, const int64_t *start_s, const int64_t *end_s, int64_t from_s,
	       int64_t to_s, double *mean_procs, size_t count);

#endif
