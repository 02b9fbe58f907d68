/* SPDX-License-Identifier: MIT */
/*
 * slurm_compare.h - what has changed in Slurm since the state of the scheduler, as events
 *
 * The state is the only record of what is known: each comparison reports the difference between it and the
 * cluster, so an event that was lost or refused is reported again. The functions use no clock and no files.
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
	uint64_t *ended, *missing; /* sorted hashes of the IDs of ended jobs, and of those not listed, then */
	size_t ended_count, missing_count;
	struct slurm_map map;
};
void slurm_memory_free(struct slurm_memory *memory);

/*
 * Reports the differences, in this order: ends of jobs, nodes, reservations, new jobs, changes and starts.
 * Each report must be applied to st at once, or refused, before it returns. memory->map.notes then has the
 * notes about all that was mapped.
 *
 * A job that is no longer listed counts as ended only when it is not listed twice in a row.
 */
void slurm_compare(struct slurm_memory *memory, const struct slurm_cluster *c, const struct state *st,
		   int64_t now_s, slurm_report *report, void *to);

#endif
