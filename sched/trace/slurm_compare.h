/* SPDX-License-Identifier: MIT */
/*
 * slurm_compare.h - differences between Slurm and the state of the scheduler, as events
 *
 * Each comparison reports how the cluster differs from the state, so an event that was lost or refused is
 * reported again. The functions use no clock and no files.
 */
#ifndef TRACE_SLURM_COMPARE_H
#define TRACE_SLURM_COMPARE_H

#include "sched/state/event.h"
#include "slurm_map.h"

/* Receives the events, without seq. Pointers in an event are valid during the call. */
typedef void slurm_report(void *self, const struct event *ev);

/* What must be remembered between two comparisons. A zeroed struct is valid; slurm_memory_free frees it. */
struct slurm_memory {
	int64_t polled_s;          /* time of the last comparison; 0: there was none */
	uint64_t *ended, *missing; /* sorted hashes of the IDs of jobs that had ended then, and of those that
				      were not listed */
	size_t ended_count, missing_count;
	struct slurm_map map;
};
void slurm_memory_free(struct slurm_memory *memory);

/*
 * Reports the differences, in this order: nodes; submissions, changes, starts and ends of jobs in the order
 * of their times; jobs that are no longer listed; nodes that no longer need the processors of ended jobs;
 * reservations. report() must apply each event to st, or refuse it, before it returns. Afterwards,
 * memory->map.notes counts the requests that could not be expressed.
 *
 * A job that is not listed is reported as ended only if it was not listed in the previous comparison either.
 */
void slurm_compare(struct slurm_memory *memory, const struct slurm_cluster *c, const struct state *st,
		   int64_t now_s, slurm_report *report, void *to);

#endif
