/* SPDX-License-Identifier: MIT */
/*
 * remedies.h - single changes that would start a job now or by a given time, with their cost to other jobs
 *
 * Each candidate change is made in a copy of the state and projected (project.h); only changes that start the
 * job in time are kept. The jobs that a change delays are found by comparing projections with and without it.
 * The candidates are:
 *
 * - for the job: release it, clear its deferral, start date or dependency; request less wallclock time,
 * memory,
 *   swap or disk; drop its requirements on nodes, features, hosts, generic resources or node access; use
 *   another partition or QOS; let more tasks of its array run at a time; raise its priority, by relative
 *   points first and by absolute points if these are not enough;
 * - limits: a limit or fairshare cap that the job fails now, or fails just before it would start, raised for
 *   its owner alone;
 * - the site: undrain a node, release an advance reservation, resume scheduling; and the policies
 *   backfillpolicy = firstfit, reservationpolicy = never, hardpass = resources, rejectnegpriojobs = false,
 *   and nodeavailabilitypolicy = dedicated for processors that processes outside the queue use;
 * - other jobs: hold an idle job, cancel an idle job that this job depends on, cancel a running job. At most
 *   16 jobs are held and 16 running jobs cancelled: the nearest in the queue, and those that lose the least
 *   work.
 *
 * Some changes are not candidates on purpose. No policy is made worse for other jobs: no limit, share or cap
 * is lowered, no points are removed, no request of another job is changed and no node is drained. Such a
 * change would remain after the start of the job, and the users it affects would not notice it; a hold is
 * visible and gets released. Weights, factor caps, priorities of credentials, fairshare windows and the
 * promotion order rank all jobs; solve.h finds a value for one of them on request. Limits that do not stop
 * the job are not changed. Remedies that need two changes at once are not found; for example, access to a
 * reservation takes a release and a new reservation.
 *
 * Costs are compared in this order: changes that cancel no job come before those that do; then the number of
 * other jobs that would never start; the number of jobs that start later; the sum of their delays; the work
 * lost. For a numeric change, the value nearest to the current one that starts the job is reported, even if a
 * value farther away would cost less; only where a smaller request of the job costs other jobs less, that
 * value is listed as well. Numbers are tried at doubling distances and then by bisection, so that an isolated
 * value between two that fail may be missed. If no change starts the job in time, the changes that start it
 * soonest are listed.
 *
 * The result also describes the future without any change: when the job starts and what it waits for until
 * then, or that it never starts, proven by a projection that runs until nothing happens any more.
 */
#ifndef FORECAST_REMEDIES_H
#define FORECAST_REMEDIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain.h"
#include "never.h"
#include "sched/base/arena.h"
#include "sched/model/assume.h"
#include "sched/model/snapshot.h"
#include "sched/state/event.h"

/* Budgets of a search in units of work: a few seconds by default, ten times as much on request. */
#define REMEDIES_WORK      UINT64_C(40000000)
#define REMEDIES_LONG_WORK UINT64_C(400000000)

struct remedies_setup {
	int64_t now_s;
	int64_t by_s; /* the job must start at or before this time; now_s = at once */
	/* Polled during the search; false stops it. NULL = never stop. */
	bool (*should_continue)(void *self);
	/*
	 * The budget. Each trial costs its projection.work plus 1 for each job slot of the copied state, so
	 * that the same question has the same answer on every machine. 0 = unlimited.
	 */
	uint64_t most_work;
	/*
	 * Which fraction of their wallclock limits jobs have used: no limit is suggested that is shorter than
	 * the usual run time of the user's jobs. NULL = unknown.
	 */
	const struct accuracy *accuracy;
	/*
	 * Returns whether the user may make or request this change; changes that the user may not make are
	 * not tried. NULL = all changes are allowed.
	 */
	bool (*may)(void *self, const struct event *ev);
	void *self;
};

/* The outcome of the search. */
enum remedies_search {
	REMEDIES_NONE,     /* there was no search */
	REMEDIES_COMPLETE, /* all candidates were tried                                          */
	REMEDIES_BUDGET    /* the budget was used up; remedies.left names the incomplete parts */
};

/* The groups of candidates. */
enum remedies_part {
	REMEDIES_OF_JOB,
	REMEDIES_OF_LIMITS,
	REMEDIES_OF_SITE,
	REMEDIES_OF_OTHERS,
	REMEDIES_PARTS
};

/*
 * Names as in JSON: "none", "complete" or "budget" of an outcome; "job", "limits", "site" or "others" of a
 * group. Static storage.
 */
const char *remedies_search_name(enum remedies_search search);
const char *remedies_part_name(enum remedies_part part);

struct remedy_delay {
	uint64_t job;
	int64_t by_s; /* seconds by which the job is delayed, > 0; TIME_NEVER: the job would never start */
};

#define REMEDY_DELAYS 8 /* number of the largest delays that are kept; remedy.delayed counts all */

struct remedy {
	struct event ev;      /* the change; its texts exist as long as the list */
	int64_t starts_s;     /* projected start of the job                              */
	uint32_t delayed;     /* number of other jobs that start later */
	uint32_t forever;     /* number of those jobs that would never start */
	int64_t delay_sum_s;  /* sum of the delays of the other jobs, without those that would never start */
	int64_t work_lost_ps; /* processor-seconds already used by a running job that the change cancels */
	struct remedy_delay delay[REMEDY_DELAYS];
	uint32_t delays;
	/* The projections were compared only up to a certain time: there may be more and longer delays. */
	bool partial;
};

/* The remedies for one job. A zeroed struct is a valid empty one; remedies_clear frees it. */
struct remedies {
	struct remedy *change; /* in ascending order of cost */
	size_t count, room;
	enum remedies_search search;
	unsigned left;   /* bits of enum remedies_part that are incomplete */
	int64_t start_s; /* projected start without any change; TIME_NEVER = never */
	int64_t known_s; /* delays of other jobs are known up to this time; TIME_NEVER: completely */
	bool reached;    /* false: start_s is unknown; the budget was used up at last_s */
	/*
	 * Why the job never starts, however long other jobs run and however they end (never.h); its gate is
	 * GATE_NONE if that is not proven.
	 */
	struct reason never;
	/*
	 * The checks of the job one second before it starts or, if it never starts, when nothing happens any
	 * more. Jobs that their reasons name may have ended by then.
	 */
	struct why last;
	enum gate holds; /* of those checks, the one that blocks the job longest; GATE_NONE = none */
	int64_t last_s;  /* time of those checks; TIME_NONE: the job starts at once                     */
	uint64_t ending; /* ID of the largest job that ends when this job starts; 0 = none */
	/*
	 * The start that the changes achieve: as requested or, if no change achieves that, the soonest start
	 * that any change gives (other changes in the list may give a later start). TIME_NEVER = no change
	 * helps.
	 */
	int64_t by_s;
	struct arena arena;
};

/* Returns true if it is proven that the job never starts. */
bool remedies_proven(const struct remedies *r);

/*
 * Finds the remedies for the idle or blocked job in a slot. Replaces the contents of *out. Returns false if
 * the search was stopped; there is no result then.
 */
bool remedies_find(struct remedies *out, const struct snapshot *s, uint32_t slot,
		   const struct remedies_setup *setup);
void remedies_clear(struct remedies *r);

#endif
