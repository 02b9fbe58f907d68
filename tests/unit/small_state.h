/* SPDX-License-Identifier: MIT */
/*
 * small_state.h - a state with a few jobs, for tests of reports
 *
 * One node of four processors. Job 1 (u1) runs until 100; 2 (u2), 3 (u3, class long) and
 * 4 (u1, label "fit") wait, submitted at 10, 20 and 30, each for all four. The time is 40.
 */
#ifndef TESTS_SMALL_STATE_H
#define TESTS_SMALL_STATE_H

#include <stdio.h>
#include <stdlib.h>

#include "sched/state/event.h"
#include "sched/state/state.h"

static inline void small_apply(struct state *st, struct event ev)
{
	struct err err;

	if (event_apply(st, &ev, &err))
		return;
	fprintf(stderr, "%s\n", err.text);
	abort();
}

static inline void small_submit(struct state *st, uint64_t id, int64_t at_s, const char *user,
				const char *class_name, const char *label)
{
	struct event ev = {.kind = EVENT_SUBMIT, .time_s = at_s, .job = id, .who = user};

	ev.submit = (struct job_record){
		.job = {.submit_s = at_s,
			.not_before_s = TIME_NONE,
			.wall_limit_s = 100,
			.true_run_s = 100,
			.tasks = 4,
			.task_procs = 1},
		.cred = {[CRED_USER] = user, [CRED_CLASS] = class_name},
		.label = label,
	};
	small_apply(st, ev);
}

/* Free it with state_free(). */
static inline struct state *small_state(void)
{
	static const struct alloc_run all = {.node = 0, .nodes = 1, .procs = 4};
	struct state *st = state_new();

	small_apply(st, (struct event){.kind = EVENT_NODE, .node = {.name = "n001", .procs = 4}});
	small_submit(st, 1, 0, "u1", NULL, NULL);
	small_apply(st, (struct event){.kind = EVENT_START, .job = 1, .start = {.runs = &all, .count = 1}});
	small_submit(st, 2, 10, "u2", NULL, NULL);
	small_submit(st, 3, 20, "u3", "long", NULL);
	small_submit(st, 4, 30, "u1", NULL, "fit");
	small_apply(st, (struct event){.kind = EVENT_CONFIG,
				       .time_s = 40,
				       .config = {.file = "test", .text = "queuetimeweight = 1\n"}});
	return st;
}

#endif
