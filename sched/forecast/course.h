/* SPDX-License-Identifier: MIT */
/*
 * course.h - the passes of a projection, kept so that other projections can follow it
 *
 * A trial projects the queue with one change of one job. Until the change matters, the passes of the trial
 * decide the same as those of the projection without the change, so the trial applies the recorded decisions
 * and runs no pass. The course records where this is so for a job over an active limit: whatever its rank and
 * wallclock limit, such a job delays no other job unless enough processors are free for it after all jobs
 * within their limits. At passes where enough are free, the trial runs the pass and continues with the
 * recorded decisions if its own are the same.
 *
 * A zeroed struct is a valid empty course; course_clear frees it.
 */
#ifndef FORECAST_COURSE_H
#define FORECAST_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"
#include "sched/pass/cycle.h"

/* What a projection that follows the course does at a pass. */
enum course_step {
	COURSE_APPLY, /* applies the recorded decisions: its own would be the same */
	COURSE_HOLD,  /* runs the pass and compares the decisions */
	COURSE_LEAVE  /* leaves the course: from here on, decisions may differ */
};

struct course_pass {
	int64_t at_s, next_s; /* time of this pass and of the next one */
	int64_t last_s;       /* time of the last poll that was skipped after this pass */
	size_t first;         /* index of its first decision */
	uint32_t count;
	uint32_t started;
	enum course_step step;
};

struct course {
	uint32_t slot; /* slot of the job that the other projections change */
	struct course_pass *pass;
	size_t count, room;
	/*
	 * Decisions of all passes, except bypasses: course_can_follow() makes sure that bypasses do not
	 * matter.
	 */
	struct decision *decision;
	size_t decision_count, decision_room;
	struct alloc_run *runs;
	size_t run_count, runs_room;
	uint32_t at; /* last known index of the job in WAITING */
};

/* Begins a course without passes, for the idle job in a slot; replaces the contents. */
void course_begin(struct course *course, uint32_t slot);

/* Can a projection of s with other priority points for a job follow the course of s? */
bool course_can_follow(const struct snapshot *s);
/* Can a projection with another wallclock limit of the job in this slot follow the course of s? */
bool course_can_follow_wall(const struct snapshot *s, uint32_t slot);

/* Adds a pass before its decisions are applied: s is the state on which the pass ran. */
void course_add(struct course *course, const struct snapshot *s, struct cycle *cycle,
		const struct cycle_result *result, int64_t now_s);
/*
 * Sets the time of the pass after the last one, and the time of the last poll that was skipped between them.
 */
void course_set_next(struct course *course, int64_t next_s, int64_t last_s);

/* Sets *out to the decisions of a pass. */
void course_result(const struct course *course, const struct course_pass *pass, struct cycle_result *out);
/* Returns true if the result contains the same decisions as the pass. */
bool course_is_same(const struct course *course, const struct course_pass *pass,
		    const struct cycle_result *result);

void course_clear(struct course *course);

#endif
