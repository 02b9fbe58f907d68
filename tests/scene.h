/* SPDX-License-Identifier: MIT */
/*
 * scene.h - how does a test build a small cluster and queue in three lines?
 *
 *     struct scene *sc = scene_new(4, 2);           four nodes of two processors, it is 0
 *     uint64_t head = scene_submit(sc, 8, 100);     a job for all of them, 100 s
 *     scene_pass(sc);                               the scheduler looks once
 *
 * Every change goes through event_apply, and after each the state is checked; what goes
 * wrong fails the test at hand. Time moves only by scene_go and scene_play. Jobs that run end after
 * their run time, at the latest after their limit.
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/pass/cycle.h"
#include "sched/state/event.h"
#include "sched/state/state.h"

struct scene {
	struct state *st;
	struct cycle *cycle;
	int64_t now_s;
	struct cycle_result result; /* of the last pass; its memory is the cycle's */
	/* Told of each event that was applied: what a journal would have. NULL = nobody. */
	void (*tell)(void *self, const struct event *ev);
	void *tell_self;
};

/* Nodes n001, n002, ... with the same processors each; n may be 0. */
struct scene *scene_new(uint32_t nodes, uint32_t procs);

/* The same cluster, jobs and moment in a state of its own: what happens to it leaves sc as it is. */
struct scene *scene_copy(const struct scene *sc);
void scene_free(struct scene *sc);

const struct snapshot *scene_view(const struct scene *sc);

/* What a job asks for; 0 and NULL are the usual: one processor, 100 s, run to the limit, user u1. */
struct scene_job {
	uint32_t procs, task_procs; /* procs is of all tasks together */
	int64_t wall_s, run_s;
	int64_t submit_s;                 /* 0 = now              */
	int64_t not_before_s;             /* 0 = none             */
	int64_t mem_mb, swap_mb, disk_mb; /* a task */
	uint32_t nodes, tasks_per_node;
	uint8_t holds;
	uint8_t access;            /* enum node_access */
	uint32_t array, at_a_time; /* tasks of the array; how many run at a time, 0 = any number */
	const char *user, *group, *account, *qos, *class_name, *partition, *label, *name;
	const char *features, *prefer, *gres, *hosts;
	const char *depend; /* "afterok:1,afterany:2" */
	bool real;          /* it has something to run, and may run on for jobgrace after its limit */
};

/* Return the job's id. */
uint64_t scene_submit(struct scene *sc, uint32_t procs, int64_t wall_s);
uint64_t scene_add(struct scene *sc, struct scene_job asked);

/* Applies an event now. The second returns the sentence of refusal, "" when it was accepted. */
void scene_apply(struct scene *sc, struct event *ev);
const char *scene_try(struct scene *sc, struct event *ev, struct err *err);

/* What operators do; each returns the number of its entry, for scene_undo. */
uint64_t scene_hold(struct scene *sc, uint64_t job, uint8_t bits);
uint64_t scene_release(struct scene *sc, uint64_t job, uint8_t bits);
uint64_t scene_priority(struct scene *sc, uint64_t job, enum job_adjust adjust, int64_t points);
uint64_t scene_set(struct scene *sc, const char *name, const char *value);
uint64_t scene_modify(struct scene *sc, uint64_t job, const char *name, const char *value);
uint64_t scene_undo(struct scene *sc, uint64_t seq);
void scene_config(struct scene *sc, const char *text);
void scene_node(struct scene *sc, struct node_record node);
void scene_end(struct scene *sc, uint64_t job);
void scene_end_with(struct scene *sc, uint64_t job, int32_t status);
void scene_cancel(struct scene *sc, uint64_t job);

/* Starts a job on one run of nodes, whatever the scheduler thinks; and as it would be tried (scene_try). */
void scene_start(struct scene *sc, uint64_t job, uint32_t node, uint32_t nodes, uint32_t procs);
const char *scene_try_start(struct scene *sc, uint64_t job, struct alloc_run run, struct err *err);

/* One pass now, its decisions applied; returns how many there were. */
uint32_t scene_pass(struct scene *sc);

/* Takes back what was made for a while and is over, as the scheduler does before a pass. */
void scene_take_returns(struct scene *sc);
/* Jobs leave whose dependency can no longer be met. */
void scene_take_drops(struct scene *sc);

/* Applies the decisions of a result, as the running scheduler does. */
void scene_take(struct scene *sc, const struct cycle_result *result);

/* When the next running job ends by itself; TIME_NEVER if none runs. */
int64_t scene_next_end_s(const struct scene *sc);

/* Time goes on; jobs that end by then end, without a pass between. */
void scene_go(struct scene *sc, int64_t to_s);

/* Time goes on to to_s, with a pass at every end and whenever the last pass asked for one. */
void scene_play(struct scene *sc, int64_t to_s);

/* The record of a job that is here. */
const struct job *scene_job_of(const struct scene *sc, uint64_t job);

/* On how many runs of nodes the job in a slot stands. */
uint32_t scene_run_count(const struct snapshot *s, uint32_t slot);

#endif
