/* SPDX-License-Identifier: MIT */
/*
 * room.h - where is room for a job, now and later?
 *
 * The machine as one pass sees it: what running jobs hold and until when, what the pass's own
 * starts have taken, and the claims of reservations. A claim is floating (it holds processors,
 * anywhere) or named (it holds amounts of given nodes).
 *
 * While every job is plain (job_is_particular is false for all that wait or run, nodes are
 * shared and nobody measures what else is at work on them) any free processor is as good as
 * another, and all questions are answered by one profile of processors: claims float and
 * are bound to nodes only at their start (M-11). As soon as a job differs, all claims of the
 * pass are named: a floating one could otherwise not be kept between them, though enough
 * is free at each moment.
 *
 * What fits on a node is the least over processors, memory, swap, disk and generic resources
 * of free / asked by a task, if its traits, partition, host list and access allow it at all. For
 * a job that starts now NODEAVAILABILITYPOLICY says what is free; later it is what is
 * configured less what is claimed. SINGLETASK is SINGLEJOB, as in the original: the job has
 * its nodes to itself, with as many tasks on each as fit.
 *
 * While an advance reservation is not over (advance.h) no room is plain: what it keeps, it keeps of
 * nodes, from all who are not invited.
 *
 * A suspended job whose processors are released claims them again on its own nodes, before any waiting job.
 * The claim begins at the earliest moment from which they are free for the rest of the job's wallclock limit,
 * but not before the time of its resume. As for a running job, it does not matter whether the nodes are
 * drained or reserved for others. A job without a time of resume claims no processors, nor does one that its
 * owner suspended before it awaits its resume. Its memory and its generic resources stay claimed while it is
 * suspended. No room with such a job is plain.
 *
 * What is found is remembered, and jobs that ask the same are answered from it: asking for
 * thousands of them costs little more than asking for one of each kind.
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

struct placement; /* opaque; memory kept from pass to pass */

struct placement *placement_new(void);
void placement_free(struct placement *p);

/* The claim of a suspended job on the processors that it released. */
struct resume_claim {
	uint64_t job; /* id */
	uint32_t slot;
	int64_t from_s;         /* the time of its resume; now when that is overdue */
	int64_t begin_s, end_s; /* [begin_s, end_s); begin_s TIME_NEVER: nobody knows when           */
};

/* All such claims, in the order in which the jobs are resumed. */
const struct resume_claim *placement_resumes(const struct placement *p, size_t *count);

/* When the suspended job in a slot is resumed; TIME_NEVER: nobody knows, or its processors are not released.
 */
int64_t placement_resume_s(const struct placement *p, uint32_t slot);

/* The same without a room; TIME_NEVER also while the scheduler is paused. */
int64_t placement_resume_at(const struct snapshot *s, uint32_t slot, int64_t now_s);

/* The first of these claims that begins after at_s; NULL if there is none. */
const struct resume_claim *placement_next_resume(const struct placement *p, int64_t at_s);

/* Begins: the running jobs of s, at a moment. Costs what the last pass touched; nothing else is built yet. */
void placement_begin(struct placement *p, const struct snapshot *s, int64_t now_s);

/* See above. */
bool placement_is_plain(const struct placement *p);

/* Processors that nobody holds now, after the starts so far. */
int64_t placement_procs_free(const struct placement *p);

/* Processors free at each coming moment: running jobs (an overdue one may end at any moment), starts and
 * claims. Built when first asked for; kept up to date from then on. */
struct profile *placement_profile(struct placement *p);

/* The first moment after at_s at which what is free may change: somebody begins or ends, or an advance
 * reservation does; TIME_NEVER if there is none. */
int64_t placement_next_change(struct placement *p, int64_t at_s);

/* Takes from the profile what advance reservations keep, as if nobody were invited: from then on nobody is
 * looked for on nodes any more, the profile alone is asked. */
void placement_take_advances(struct placement *p);

/*
 * Appends the runs, chosen by the job's allocation policy, on which the job in a slot can stand
 * throughout [begin_s, end_s) beside everything claimed but a reservation of its own. False, with nothing
 * appended, when there are not enough. Nothing is taken. In a plain room a later moment has no nodes yet:
 * nothing is appended.
 */
bool placement_find(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    struct alloc_list *out);

/* The same for a plain room and a start now, where the caller has asked the profile: it only chooses. */
bool placement_choose(struct placement *p, uint32_t slot, struct alloc_list *out);

/* The earliest begin >= from_s at which placement_find succeeds for the job's wallclock limit, with its runs;
 * TIME_NEVER if there is none. */
int64_t placement_earliest(struct placement *p, uint32_t slot, int64_t from_s, struct alloc_list *out);

/* Could exactly these runs be taken over [begin_s, end_s)? For promises kept from earlier passes; in a plain
 * room the runs do not matter. */
bool placement_can_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			const struct alloc_run *runs, uint32_t count);

/* Takes runs for a job over [begin_s, end_s): a start when begin_s is now, else a named claim. */
void placement_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    const struct alloc_run *runs, uint32_t count);

/* Gives a named claim back, also one that begins now. Not in a plain room. */
void placement_give_back(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			 const struct alloc_run *runs, uint32_t count);

/*
 * In a plain room before any start or claim: the floating claims of all these reservations at once, which
 * is quicker than one by one. False: they do not fit together, and none has been made.
 */
struct reservation; /* reserve.h */
bool placement_claim_all(struct placement *p, const struct reservation *item, size_t count);

/*
 * For reasons: processors, in whole tasks of the job and up to what it asks for, that stand on nodes where
 * placement_find would look over [begin_s, end_s); and what most other nodes lack.
 */
int64_t placement_fit(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack);

/* The same as if nothing were kept for others by advance reservations; and the one that keeps most from the
 * job then, as index of the snapshot's, INDEX_NONE = none does. */
int64_t placement_fit_unreserved(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 enum lack *lack);
uint32_t placement_reserved_by(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s);

/* Is anything kept by an advance reservation, now or later? */
bool placement_has_advances(const struct placement *p);

/* Processors of a node that nobody holds and nothing keeps, throughout [begin_s, end_s). */
int64_t placement_spare(struct placement *p, uint32_t node, int64_t begin_s, int64_t end_s);

/* Counts runs that were promised to a job over [begin_s, end_s) as held, for placement_spare alone. */
void placement_count_reservation(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 const struct alloc_run *runs, uint32_t count);

/* The same on an empty machine: processors that the job could ever have. Needs no room. */
int64_t placement_feasible(const struct snapshot *s, const struct job *job, enum lack *lack);

/* The same for a job of the room's snapshot, remembered for all that ask the same. */
int64_t placement_feasible_in(struct placement *p, uint32_t slot, enum lack *lack);

/*
 * The least that a waiting job can hold once it runs: the nodes that it names, else as many of the largest
 * node as its tasks need, at least 1. A job that requests to keep others, or other users, off its
 * nodes holds at least the processors of as many of the smallest nodes that fit it. The result is cached for
 * jobs that request the same.
 */
struct job_least placement_least_held(struct placement *p, uint32_t slot);

/* Could this node, if it were empty, hold a task of the job? Needs no room. */
bool placement_node_feasible(const struct snapshot *s, const struct job *job, uint32_t node);

/* Processors of a node that processes outside the queue were measured to use, so that they are not free; 0
 * where NODEAVAILABILITYPOLICY does not count them. Needs no room. */
int64_t placement_outside_procs(const struct snapshot *s, uint32_t node);

/* The value of a node's PRIORITYF for a job now (slot INDEX_NONE: for none in particular). */
double placement_node_priority(struct placement *p, uint32_t node, uint32_t slot);

#endif
