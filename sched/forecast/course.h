/* SPDX-License-Identifier: MIT */
/*
 * course.h - the passes of a projection, kept so that other projections can follow it
 *
 * A trial projects the queue with one change of one job. Until the change matters, the passes of the trial
 * decide the same as those of the projection without it, so the trial applies the kept decisions and runs no
 * pass. The course records where this holds for a job over an active limit: whatever its rank and wallclock
 * limit, such a job delays no other job unless enough processors are free for it after all jobs within their
 * limits. Where they are, the trial runs the pass and continues with the kept decisions if they are the same.
 *
 * All zero is a valid empty course; course_clear frees.
 */
#ifndef FORECAST_COURSE_H
#define FORECAST_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"
#include "sched/pass/cycle.h"

/* What another projection does at a pass. */
enum course_step {
	COURSE_APPLY, /* the decisions are the same                                   */
	COURSE_HOLD,  /* runs the pass and compares                                   */
	COURSE_LEAVE  /* later decisions may differ                                   */
};

struct course_pass {
	int64_t at_s, next_s; /* of this pass and the next                              */
	int64_t last_s;       /* of the last poll that was skipped after it             */
	size_t first;         /* decision                                               */
	uint32_t count;
	uint32_t started;
	enum course_step step;
};

struct course {
	uint32_t slot; /* of the job that is changed in other projections */
	struct course_pass *pass;
	size_t count, room;
	/* Bypasses are left out: course_can_follow() says that they do not matter. */
	struct decision *decision;
	size_t decision_count, decision_room;
	struct alloc_run *runs;
	size_t run_count, runs_room;
	uint32_t at; /* in WAITING: where the job stood last */
};

/* Replaces the contents: no passes yet. slot: of an idle job. */
void course_begin(struct course *course, uint32_t slot);

/* Whether in s the course of the job's queue can be followed with other points for the job. */
bool course_can_follow(const struct snapshot *s);
/* Likewise with another wallclock limit of the job. */
bool course_can_follow_wall(const struct snapshot *s, uint32_t slot);

/* Adds a pass before it is enacted: s is the state that it looked at. */
void course_add(struct course *course, const struct snapshot *s, struct cycle *cycle,
		const struct cycle_result *result, int64_t now_s);
/* Adds to the last pass when the next one is. */
void course_set_next(struct course *course, int64_t next_s, int64_t last_s);

/* The decisions of a pass. */
void course_result(const struct course *course, const struct course_pass *pass, struct cycle_result *out);
/* Whether a pass decided the same. */
bool course_is_same(const struct course *course, const struct course_pass *pass,
		    const struct cycle_result *result);

void course_clear(struct course *course);

#endif
