/* SPDX-License-Identifier: MIT */
/*
 * unblock.h - which single change would start a job now, or by a given time, and what would it cost others?
 *
 * Each change is made in a copy of the state and projected (project.h); only those that do what they say are
 * kept. Beside each stands whom it delays, by a projection with and without it. These are tried:
 *
 * - of the job: a release, no defer, no start date, no dependency; less wallclock time, memory, swap, disk;
 * any nodes, features, hosts, generic resources, neighbours; another partition or QOS; more tasks of its
 * array at a time; more points of priority, above all others where these are not enough;
 * - a limit or a cap that it fails now, or would just before it starts, raised for the owner alone;
 * - of the site: a drained node that takes jobs again, an advance reservation given up, a pause ended; and
 * the rules backfillpolicy = firstfit, reservationpolicy = never, hardpass = resources, rejectnegpriojobs =
 * false, and nodeavailabilitypolicy = dedicated for processors that processes outside the queue use;
 * - of others: one job that waits held, or, where this one waits for it, taken away; one that runs
 *   cancelled. Of each at most 16, the nearest in the queue or those that lose least work first.
 *
 * What is not tried is left out by decision. Nothing is made worse for others by a rule: no limit, share or
 * cap is lowered, no points taken away, nobody else's request changed, no node drained; that would stay when
 * the job has started, and who is hit would not see it. A hold is seen, and is released. Weights, caps of
 * factors, points of a credential, the windows of fairshare and the order of promotion rank everybody's jobs:
 * solve.h finds a value of one of them when somebody asks for it. Limits that do not stop the job are let be.
 * What needs two changes at once is not found, so who may use a reservation is not either: that takes a
 * release and another reservation.
 *
 * What a change costs is compared in this order: no job taken away before one that is; how many others never
 * start any more; how many start later; by how much in sum; how much work is lost. Of a number the nearest to
 * today's that does it is meant, whatever one farther off would cost; where less of what the job itself asks
 * for costs others less, that stands beside it. Numbers are tried at distances that double, and then by
 * halving: one that does it alone between two that do not may be missed. Where no change is enough, those are
 * listed that start it soonest.
 *
 * Before that stands what happens without any: when it starts by itself and what it waits for until then; or
 * that it never does, proven by a projection up to where nothing happens any more.
 */
#ifndef FORECAST_UNBLOCK_H
#define FORECAST_UNBLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain.h"
#include "never.h"
#include "sched/base/arena.h"
#include "sched/model/assume.h"
#include "sched/model/snapshot.h"
#include "sched/state/event.h"

/* Budgets of a search, in units of work: a few seconds by default, and ten times that on request. */
#define UNBLOCK_WORK      UINT64_C(40000000)
#define UNBLOCK_LONG_WORK UINT64_C(400000000)

struct unblock_setup {
	int64_t now_s;
	int64_t by_s; /* the job is to start at or before this moment; now_s = at once */
	/* Asked now and then; false ends the search with what was found by then. NULL = go on. */
	bool (*should_continue)(void *self);
	/* The budget, as projection.work counts it, and as much again for each job of a trial's copy: the
	 * same question has the same answer on every machine. 0 = no bound. */
	uint64_t most_work;
	/* How much of their limits jobs have used: no limit is suggested that is shorter than what jobs of
	 * the same user usually take. NULL: nothing is known. */
	const struct accuracy *accuracy;
	/* Is this a change that whoever asks may make or ask for? Others are not tried. NULL = all are. */
	bool (*may)(void *self, const struct event *ev);
	void *self;
};

/* How the search for changes ended. */
enum unblock_search {
	UNBLOCK_NONE,     /* there was none                                              */
	UNBLOCK_COMPLETE, /* all that is tried was tried                                 */
	UNBLOCK_BUDGET    /* the budget was used up: `left` says what was not searched to its end */
};

/* Of what changes are tried. */
enum unblock_part {
	UNBLOCK_OF_JOB,
	UNBLOCK_OF_LIMITS,
	UNBLOCK_OF_SITE,
	UNBLOCK_OF_OTHERS,
	UNBLOCK_PARTS
};

/* "none", "complete", "budget"; "job", "limits", "site", "others": as in JSON; static storage. */
const char *unblock_search_name(enum unblock_search search);
const char *unblock_part_name(enum unblock_part part);

struct unblock_delay {
	uint64_t job;
	int64_t by_s; /* > 0; TIME_NEVER: it does not start any more */
};

#define UNBLOCK_DELAYS 8 /* the largest; how many there are in all stands in delayed */

struct unblock_change {
	struct event ev;      /* what to do; its texts live as long as the list */
	int64_t starts_s;     /* the job, by projection                          */
	uint32_t delayed;     /* other jobs that start later                      */
	uint32_t forever;     /* those of them that do not start any more         */
	int64_t delay_sum_s;  /* of the others                                    */
	int64_t work_lost_ps; /* processor-seconds of a job that would be cancelled */
	struct unblock_delay delay[UNBLOCK_DELAYS];
	uint32_t delays;
	bool partial; /* delays up to a moment alone were looked at: there may be more, and longer ones */
};

/* Zero is a valid empty one; unblock_clear frees. */
struct unblock {
	struct unblock_change *change; /* the cheapest first */
	size_t count, room;
	enum unblock_search search;
	unsigned left;       /* bits of enum unblock_part */
	int64_t start_s;     /* without any change, by projection; TIME_NEVER = never */
	int64_t known_s;     /* delays of others are known up to there; TIME_NEVER: all that there are */
	bool reached;        /* false: start_s is not known, as it is after last_s, up to which the budget was
				enough */
	struct reason never; /* what keeps it, if it never starts, however long its jobs run and however they
				end (never.h); of GATE_NONE: that is not proven */
	/* The checks a second before it starts; of a job that never does, when nothing happens any more. Jobs
	 * that its reasons name may have ended by then. */
	struct why last;
	enum gate holds; /* of those checks: what keeps it longest; GATE_NONE = nothing does */
	int64_t last_s;  /* that moment; TIME_NONE: it starts at once                     */
	uint64_t ending; /* the largest job that ends when it starts; 0 = none does       */
	int64_t by_s;    /* in time for what the changes are: as asked, or, where none would do, the soonest
			    that any gives (others listed may be later); TIME_NEVER = none gives anything */
	struct arena arena;
};

/* It never starts. */
bool unblock_proven(const struct unblock *u);

/* slot holds a waiting job. Replaces what *out holds. False: it was told to stop, and there is
 * no answer. */
bool unblock_find(struct unblock *out, const struct snapshot *s, uint32_t slot,
		  const struct unblock_setup *setup);
void unblock_clear(struct unblock *u);

#endif
