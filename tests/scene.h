/* SPDX-License-Identifier: MIT */
/*
 * scene.h - a small cluster and queue for tests
 *
 *     struct scene *sc = scene_new(4, 2);           four nodes of two processors, at time 0
 *     uint64_t head = scene_submit(sc, 8, 100);     a job for all processors, 100 s
 *     scene_pass(sc);                               one pass of the scheduler
 *
 * Every change is an event. After each event the state is checked, and an error fails the test. Only scene_go
 * and scene_play advance the time. A running job ends after its run time, or at its wallclock limit.
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
	struct cycle_result result; /* of the last pass; its memory belongs to `cycle` */
	/* Called with each applied event, in the order of a journal; may be NULL. */
	void (*tell)(void *self, const struct event *ev);
	void *tell_self;
};

/* Creates nodes n001, n002, ... with `procs` processors each; `nodes` may be 0. */
struct scene *scene_new(uint32_t nodes, uint32_t procs);

/* An independent copy of cluster, jobs and time. */
struct scene *scene_copy(const struct scene *sc);
void scene_free(struct scene *sc);

const struct snapshot *scene_view(const struct scene *sc);

/* A job request. Defaults for 0 and NULL: one processor, 100 s, runs to its limit, user u1. */
struct scene_job {
	uint32_t procs, task_procs; /* procs: total of all tasks */
	int64_t wall_s, run_s;
	int64_t submit_s;                 /* 0 = now              */
	int64_t not_before_s;             /* 0 = none             */
	int64_t mem_mb, swap_mb, disk_mb; /* per task */
	uint32_t nodes, tasks_per_node;
	uint8_t holds;
	uint8_t access;            /* enum node_access */
	uint32_t array, at_a_time; /* tasks of the array; how many run at a time, 0 = any number */
	const char *user, *group, *account, *qos, *class_name, *partition, *label, *name;
	const char *features, *prefer, *gres, *hosts;
	const char *depend; /* "afterok:1,afterany:2" */
	bool real;          /* a real job, which may continue for jobgrace after its limit */
};

/* Return the ID of the job. */
uint64_t scene_submit(struct scene *sc, uint32_t procs, int64_t wall_s);
uint64_t scene_add(struct scene *sc, struct scene_job asked);

/* Apply an event at the current time. scene_try returns the error of a refusal, "" if the event is accepted.
 */
void scene_apply(struct scene *sc, struct event *ev);
const char *scene_try(struct scene *sc, struct event *ev, struct err *err);

/* Changes of operators; each returns the number of its journal entry, for scene_undo. */
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

/* Start a job on one run of nodes, independent of the scheduler; scene_try_start as scene_try. */
void scene_start(struct scene *sc, uint64_t job, uint32_t node, uint32_t nodes, uint32_t procs);
const char *scene_try_start(struct scene *sc, uint64_t job, struct alloc_run run, struct err *err);

/* Runs a pass and applies its decisions; returns their number. */
uint32_t scene_pass(struct scene *sc);

/* Undoes expired temporary changes, as the scheduler does before a pass. */
void scene_take_returns(struct scene *sc);
/* Drops jobs whose dependency can no longer be met. */
void scene_take_drops(struct scene *sc);

/* Applies the decisions of a result, as the running scheduler does. */
void scene_take(struct scene *sc, const struct cycle_result *result);

/* The next end of a running job; TIME_NEVER if none is running. */
int64_t scene_next_end_s(const struct scene *sc);

/* Advances the time; jobs that end by then end, without a pass. */
void scene_go(struct scene *sc, int64_t to_s);

/* Advances the time to to_s, with a pass at every end of a job and at every due time of the last pass. */
void scene_play(struct scene *sc, int64_t to_s);

/* The job with this ID, which must be in the queue. */
const struct job *scene_job_of(const struct scene *sc, uint64_t job);

/* Number of runs of nodes allocated to the job in a slot. */
uint32_t scene_run_count(const struct snapshot *s, uint32_t slot);

#endif
