/* SPDX-License-Identifier: MIT */
/*
 * placement.h - placement of jobs on nodes, now and later
 *
 * The machine as one scheduling pass sees it: the allocations of running jobs and their ends, the starts of
 * this pass, and the claims of reservations. A claim is floating (a number of processors on any nodes) or
 * named (processors and other resources of given nodes).
 *
 * A placement is plain while no idle or running job is particular (job_is_particular), nodes are shared, and
 * no load from outside is measured. All processors are then interchangeable, and one availability profile
 * answers all queries: claims are floating and get their nodes only at the start of the job (M-11). As soon
 * as one job needs particular nodes, all claims of the pass are named: beside a named claim, a floating claim
 * could be impossible to place although enough processors are free at every time.
 *
 * The number of tasks that fit on a node is the minimum of free / requested over processors, memory, swap,
 * disk and generic resources, if the node's features, partition, host list and access policy allow the job at
 * all. For a start now, NODEAVAILABILITYPOLICY determines what is free; for a later start, the configured
 * amount minus all claims is free. SINGLETASK is the same as SINGLEJOB, as in the original: the job has its
 * nodes to itself, with as many tasks on each as fit.
 *
 * No placement is plain while an advance reservation (advance.h) is in effect or in the future: it reserves
 * processors of given nodes and excludes all jobs that are not its guests.
 *
 * A suspended job whose processors were released claims them again on its own nodes, before any idle job. The
 * claim begins at the earliest time from which they are free for the rest of the job's wallclock limit, but
 * not before the job's resume time. As for a running job, it does not matter whether the nodes are drained or
 * reserved for others. A job without a known resume time claims no processors, and a job that its owner
 * suspended claims none before its resume is due. The job's memory and generic resources stay claimed while
 * it is suspended. A placement with such a job is not plain.
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
	int64_t from_s; /* resume time; now if it has passed; TIME_NEVER: the job claims no processors yet */
	int64_t begin_s, end_s; /* time of the claim, [begin_s, end_s); begin_s TIME_NEVER: not known */
};

/*
 * Returns the claims of all suspended jobs whose processors are released, in the order in which the jobs are
 * resumed. The array belongs to p and is valid until the next placement_begin.
 */
const struct resume_claim *placement_resumes(const struct placement *p, size_t *count);

/*
 * Returns the time at which the suspended job in a slot can resume; TIME_NEVER if it is not known, or if the
 * job's processors are not released.
 */
int64_t placement_resume_s(const struct placement *p, uint32_t slot);

/* Like placement_resume_s, but needs no placement. Returns TIME_NEVER also while the scheduler is paused. */
int64_t placement_resume_at(const struct snapshot *s, uint32_t slot, int64_t now_s);

/* Returns the first claim of a suspended job that begins after at_s; NULL if there is none. */
const struct resume_claim *placement_next_resume(const struct placement *p, int64_t at_s);

/*
 * Starts a pass at now_s with the running jobs of s. Only what the last pass changed is reset here;
 * everything else is built on demand.
 */
void placement_begin(struct placement *p, const struct snapshot *s, int64_t now_s);

/* Are all processors interchangeable (see above)? */
bool placement_is_plain(const struct placement *p);

/* Returns the number of processors that are free now, after the starts of this pass. */
int64_t placement_procs_free(const struct placement *p);

/*
 * Returns the profile of free processors over time: those not used by running jobs (an overdue job is assumed
 * to end soon), by starts of this pass or by claims. It is built on the first call and kept up to date from
 * then on.
 */
struct profile *placement_profile(struct placement *p);

/*
 * Returns the first time after at_s at which a job or an advance reservation begins or ends; TIME_NEVER if
 * there is none.
 */
int64_t placement_next_change(struct placement *p, int64_t at_s);

/*
 * Takes the processors that advance reservations reserve from the profile, as if no idle job were a guest.
 * After this call, only the profile may be queried.
 */
void placement_take_advances(struct placement *p);

/*
 * Finds nodes, by the job's allocation policy, on which the job in a slot fits throughout [begin_s, end_s),
 * and appends them as runs without allocating them. All claims count, except the job's own reservation.
 * Returns false, and appends nothing, if the job does not fit. In a plain placement, runs are appended only
 * for a start now.
 */
bool placement_find(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    struct alloc_list *out);

/*
 * Like placement_find for a start now in a plain placement, but does not check the profile: the caller has
 * done so.
 */
bool placement_choose(struct placement *p, uint32_t slot, struct alloc_list *out);

/*
 * Returns the earliest start >= from_s at which placement_find succeeds for the job's wallclock limit, and
 * appends its runs; TIME_NEVER if there is none.
 */
int64_t placement_earliest(struct placement *p, uint32_t slot, int64_t from_s, struct alloc_list *out);

/*
 * Can exactly these runs be taken for the job over [begin_s, end_s)? For reservations kept from earlier
 * passes. In a plain placement only the job's number of processors matters.
 */
bool placement_can_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			const struct alloc_run *runs, uint32_t count);

/* Takes runs for a job over [begin_s, end_s): as a start if begin_s is now, otherwise as a claim. */
void placement_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    const struct alloc_run *runs, uint32_t count);

/* Undoes placement_take for a named claim or a start now. Not for a plain placement. */
void placement_give_back(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			 const struct alloc_run *runs, uint32_t count);

/*
 * Takes floating claims for `count` reservations at once, which is faster than one by one. Only in a plain
 * placement, before any start or claim. Returns false, and takes nothing, if they do not fit together.
 */
struct reservation; /* reservation.h */
bool placement_claim_all(struct placement *p, const struct reservation *item, size_t count);

/*
 * For the reason why a job does not start: returns how many of its requested processors the job could get
 * over [begin_s, end_s), in whole tasks. Sets *lack to the most common lack of the nodes on which no task
 * fits or, if there are none, of the nodes on which some tasks fit.
 */
int64_t placement_fit(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack);

/* Like placement_fit, as if the job were a guest of every advance reservation. */
int64_t placement_fit_unreserved(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 enum lack *lack);
/*
 * Returns the advance reservation that withholds the most processors from the job, as an index into the
 * snapshot; INDEX_NONE if there is none.
 */
uint32_t placement_reserved_by(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s);

/* Is an advance reservation in effect or in the future? */
bool placement_has_advances(const struct placement *p);

/*
 * Returns the minimum number, over [begin_s, end_s), of a node's processors that are neither claimed nor
 * reserved.
 */
int64_t placement_spare(struct placement *p, uint32_t node, int64_t begin_s, int64_t end_s);

/*
 * Counts a job's reservation over [begin_s, end_s) as claims on its nodes, for later calls of
 * placement_spare. The profile is not changed.
 */
void placement_count_reservation(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 const struct alloc_run *runs, uint32_t count);

/*
 * Returns how many of its requested processors the job could get on the empty machine, in whole tasks. If it
 * could not get all, sets *lack as placement_fit does. Needs no placement.
 */
int64_t placement_feasible(const struct snapshot *s, const struct job *job, enum lack *lack);

/*
 * Like placement_feasible, for a job of the placement's snapshot. The result is cached for jobs with equal
 * requests.
 */
int64_t placement_feasible_in(struct placement *p, uint32_t slot, enum lack *lack);

/*
 * Returns the minimum number of nodes and processors that an idle job will hold when it runs. Nodes: the
 * number that it requests, otherwise the number that its tasks need if all nodes are as large as the largest,
 * at least 1. Processors: those that it requests; if it excludes other jobs or users from its nodes, at least
 * the number of nodes times the processors of the smallest node on which a task fits. Cached for jobs with
 * equal requests.
 */
struct job_least placement_least_held(struct placement *p, uint32_t slot);

/* Could this node, if it were empty, hold a task of the job? Needs no placement. */
bool placement_node_feasible(const struct snapshot *s, const struct job *job, uint32_t node);

/*
 * Returns the number of a node's processors that are not free because processes outside the queue use them,
 * as measured; 0 if NODEAVAILABILITYPOLICY ignores measured use of processors. Needs no placement.
 */
int64_t placement_outside_procs(const struct snapshot *s, uint32_t node);

/*
 * Returns the value of a node's PRIORITYF for the job in a slot that starts now; slot INDEX_NONE: for no
 * particular job.
 */
double placement_node_priority(struct placement *p, uint32_t node, uint32_t slot);

#endif
