/* SPDX-License-Identifier: MIT */
/*
 * placement.h - placement of jobs on nodes, now and later
 *
 * The machine as one scheduling pass sees it: the allocations of running jobs and their ends, the starts of
 * this pass, and the claims of reservations. A claim is floating (a number of processors on any nodes) or
 * named (amounts on given nodes).
 *
 * A placement is plain while no idle or running job is particular (job_is_particular), nodes are shared, and
 * no load from outside is measured. All processors are then interchangeable, and one availability profile
 * answers all queries: claims are floating and get their nodes only at the start of the job (M-11). As soon
 * as one job differs, all claims of the pass are named, because named claims could make a floating one
 * impossible although enough processors are free at every time.
 *
 * The number of tasks that fit on a node is the minimum of free / requested over processors, memory, swap,
 * disk and generic resources, if the node's features, partition, host list and access policy allow the job at
 * all. For a start now, NODEAVAILABILITYPOLICY determines what is free; for a later one it is the configured
 * amount less all claims. SINGLETASK is the same as SINGLEJOB, as in the original: the job has its nodes to
 * itself, with as many tasks on each as fit.
 *
 * No placement is plain while an advance reservation (advance.h) is in effect or in the future: it reserves
 * processors of given nodes and excludes all jobs that are not its guests.
 *
 * A suspended job whose processors were released claims them again on its own nodes, before any idle job. The
 * claim begins at the earliest time from which they are free for the rest of the job's wallclock limit, but
 * not before the time of its resume. As for a running job, it does not matter whether the nodes are drained
 * or reserved for others. A job without a time of resume claims no processors, nor does a job that its owner
 * suspended before it awaits its resume. The job's memory and generic resources stay claimed while it is
 * suspended. A placement with such a job is not plain.
 *
 * Results are cached and reused for jobs with equal requests: a query for thousands of jobs costs little more
 * than one for each kind of job.
 */
#ifndef PLACEMENT_PLACEMENT_H
#define PLACEMENT_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nodealloc.h"
#include "profile.h"
#include "sched/model/reason.h"
#include "sched/model/snapshot.h"

struct placement; /* opaque; its memory is kept from pass to pass */

struct placement *placement_new(void);
void placement_free(struct placement *p);

/* The claim of a suspended job on the processors that it released. */
struct resume_claim {
	uint64_t job; /* job ID */
	uint32_t slot;
	int64_t from_s;         /* the time of its resume; now if that is overdue */
	int64_t begin_s, end_s; /* [begin_s, end_s); begin_s TIME_NEVER: not known */
};

/*
 * All such claims, in the order in which the jobs are resumed. The array belongs to p and is valid until the
 * next placement_begin.
 */
const struct resume_claim *placement_resumes(const struct placement *p, size_t *count);

/*
 * The time of resume of the suspended job in a slot; TIME_NEVER: not known, or its processors are not
 * released.
 */
int64_t placement_resume_s(const struct placement *p, uint32_t slot);

/* As placement_resume_s, without a placement; TIME_NEVER also while the scheduler is paused. */
int64_t placement_resume_at(const struct snapshot *s, uint32_t slot, int64_t now_s);

/* The first of these claims that begins after at_s; NULL if there is none. */
const struct resume_claim *placement_next_resume(const struct placement *p, int64_t at_s);

/*
 * Starts a pass with the running jobs of s at now_s. Costs as much as the last pass changed; everything else
 * is built on demand.
 */
void placement_begin(struct placement *p, const struct snapshot *s, int64_t now_s);

/* True while all processors are interchangeable, see above. */
bool placement_is_plain(const struct placement *p);

/* Processors that are free now, after the starts so far. */
int64_t placement_procs_free(const struct placement *p);

/*
 * Free processors over time, considering running jobs (an overdue job may end at any time), starts and
 * claims. Built on the first call and kept up to date from then on.
 */
struct profile *placement_profile(struct placement *p);

/*
 * The first time after at_s at which a job or an advance reservation begins or ends; TIME_NEVER if there is
 * none.
 */
int64_t placement_next_change(struct placement *p, int64_t at_s);

/*
 * Takes the processors of all advance reservations from the profile, as if no job were a guest. After this
 * call, only the profile may be queried.
 */
void placement_take_advances(struct placement *p);

/*
 * Finds the nodes, by the job's allocation policy, on which the job in a slot fits throughout [begin_s,
 * end_s) given all claims except its own reservation, and appends them as runs. Allocates nothing. Returns
 * false, and appends nothing, if the job does not fit. In a plain placement, runs are appended only for a
 * start now.
 */
bool placement_find(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    struct alloc_list *out);

/* As placement_find for a start now in a plain placement; the caller has checked the profile. */
bool placement_choose(struct placement *p, uint32_t slot, struct alloc_list *out);

/*
 * The earliest start >= from_s at which placement_find succeeds for the job's wallclock limit, with its runs;
 * TIME_NEVER if there is none.
 */
int64_t placement_earliest(struct placement *p, uint32_t slot, int64_t from_s, struct alloc_list *out);

/*
 * Tests whether exactly these runs can be taken over [begin_s, end_s): for reservations kept from earlier
 * passes. In a plain placement the runs do not matter.
 */
bool placement_can_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			const struct alloc_run *runs, uint32_t count);

/* Takes runs for a job over [begin_s, end_s): a start if begin_s is now, otherwise a named claim. */
void placement_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    const struct alloc_run *runs, uint32_t count);

/* Gives a named claim back, also one that begins now. Not for a plain placement. */
void placement_give_back(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			 const struct alloc_run *runs, uint32_t count);

/*
 * Takes floating claims for all these reservations at once, which is faster than one by one. Only in a plain
 * placement, before any start or claim. Returns false, and takes none, if they do not fit together.
 */
struct reservation; /* reservation.h */
bool placement_claim_all(struct placement *p, const struct reservation *item, size_t count);

/*
 * For reasons: the number of processors, in whole tasks of the job and at most as many as it requests, on
 * nodes that placement_find would consider over [begin_s, end_s). lack: what most of the other nodes lack.
 */
int64_t placement_fit(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack);

/*
 * placement_fit without advance reservations. placement_reserved_by: the advance reservation that excludes
 * the most processors from the job, as an index into the snapshot; INDEX_NONE if there is none.
 */
int64_t placement_fit_unreserved(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 enum lack *lack);
uint32_t placement_reserved_by(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s);

/* True if an advance reservation is in effect or in the future. */
bool placement_has_advances(const struct placement *p);

/* The minimum, over [begin_s, end_s), of a node's processors that are neither claimed nor reserved. */
int64_t placement_spare(struct placement *p, uint32_t node, int64_t begin_s, int64_t end_s);

/* Counts the reservation of a job over [begin_s, end_s) as claimed, for placement_spare only. */
void placement_count_reservation(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 const struct alloc_run *runs, uint32_t count);

/*
 * The largest number of the job's processors that fit on the empty machine, and what is lacking. Needs no
 * placement.
 */
int64_t placement_feasible(const struct snapshot *s, const struct job *job, enum lack *lack);

/* As placement_feasible for a job of the placement's snapshot; cached for jobs with equal requests. */
int64_t placement_feasible_in(struct placement *p, uint32_t slot, enum lack *lack);

/*
 * The least that an idle job can hold once it runs: the number of nodes that it requests, otherwise as many
 * of the largest node as its tasks need, at least 1. A job that requests to exclude other jobs or users from
 * its nodes holds at least the processors of as many of the smallest nodes that fit it. Cached for jobs with
 * equal requests.
 */
struct job_least placement_least_held(struct placement *p, uint32_t slot);

/* Tests whether this node, if it were empty, could hold a task of the job. Needs no placement. */
bool placement_node_feasible(const struct snapshot *s, const struct job *job, uint32_t node);

/*
 * The number of a node's processors that processes outside the queue were measured to use and that are
 * therefore not free; 0 if NODEAVAILABILITYPOLICY does not count them. Needs no placement.
 */
int64_t placement_outside_procs(const struct snapshot *s, uint32_t node);

/* The value of a node's PRIORITYF for a job now (slot INDEX_NONE: for no particular job). */
double placement_node_priority(struct placement *p, uint32_t node, uint32_t slot);

#endif
