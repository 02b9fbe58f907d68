/* SPDX-License-Identifier: MIT */
/*
 * scene.c - how does a test build a small cluster and queue in three lines?
 */
#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sched/base/vec.h"

/* Behind the last row of each table stands a copy of it, so that a loop that goes one row too far is seen. */
static void put_rows_behind_tables(struct scene *sc)
{
	struct snapshot *s = state_header(sc->st);

	for (int id = 0; id < TABLE_COUNT; id++) {
		const struct snapshot_table *table = &s->table[id];
		char *end = (char *)s + table->offset + (size_t)table->count * snapshot_item_size[id];

		if (id != TABLE_STRINGS && table->count > 0 && table->count < table->room)
			memcpy(end, end - snapshot_item_size[id], snapshot_item_size[id]);
	}
}

static void check_state(struct scene *sc)
{
	struct err err;

	put_rows_behind_tables(sc);
	if (!state_check(sc->st, &err))
		fail_msg("%s", err.text);
}

/* --- the cluster ------------------------------------------------------------------------ */

struct scene *scene_new(uint32_t nodes, uint32_t procs)
{
	struct scene *sc = mem_zero(1, sizeof *sc);

	sc->st = state_new();
	sc->cycle = cycle_new();
	for (uint32_t i = 0; i < nodes; i++) {
		struct event ev = {.kind = EVENT_NODE};
		char name[16];

		snprintf(name, sizeof name, "n%03u", i + 1);
		ev.node = (struct node_record){.name = name, .procs = procs, .mem_mb = 4096};
		scene_apply(sc, &ev);
	}
	return sc;
}

struct scene *scene_copy(const struct scene *sc)
{
	struct scene *copy = mem_zero(1, sizeof *copy);

	copy->st = state_from_snapshot(scene_view(sc));
	copy->cycle = cycle_new();
	copy->now_s = sc->now_s;
	copy->result.next_due_s = sc->result.next_due_s;
	return copy;
}

void scene_free(struct scene *sc)
{
	state_free(sc->st);
	cycle_free(sc->cycle);
	free(sc);
}

const struct snapshot *scene_view(const struct scene *sc)
{
	return state_view(sc->st);
}

const struct job *scene_job_of(const struct scene *sc, uint64_t job)
{
	uint32_t slot = state_find(sc->st, job);

	if (slot == INDEX_NONE)
		fail_msg("job %llu is not here", (unsigned long long)job);
	return &snapshot_jobs(scene_view(sc))[slot];
}

/* --- events ------------------------------------------------------------------------------- */

static void tell(struct scene *sc, const struct event *ev)
{
	if (sc->tell != NULL)
		sc->tell(sc->tell_self, ev);
}

const char *scene_try(struct scene *sc, struct event *ev, struct err *err)
{
	uint64_t before = 0;
	bool good;

	err->text[0] = '\0';
	ev->time_s = ev->time_s != 0 ? ev->time_s : sc->now_s;
	good = event_check(sc->st, ev, err);
	if (!good)
		before = state_hash(scene_view(sc));
	assert_int_equal(event_apply(sc->st, ev, err), good);
	if (!good)
		assert_true(state_hash(scene_view(sc)) == before);
	else
		tell(sc, ev);
	check_state(sc);
	return err->text;
}

void scene_apply(struct scene *sc, struct event *ev)
{
	struct err err;

	ev->time_s = sc->now_s;
	ev->who = ev->who ? ev->who : "eva";
	if (!event_apply(sc->st, ev, &err))
		fail_msg("%s refused: %s", event_kind_name(ev->kind), err.text);
	tell(sc, ev);
	check_state(sc);
}

uint64_t scene_add(struct scene *sc, struct scene_job asked)
{
	struct event ev = {.kind = EVENT_SUBMIT};
	uint32_t task_procs = asked.task_procs ? asked.task_procs : 1;
	struct depend_list depends = {.item = NULL};
	struct array_range range = {0, (int64_t)asked.array - 1, 1};
	struct err err;

	if (asked.depend && !depend_list_read(asked.depend, &depends, &err))
		fail_msg("%s", err.text);
	ev.submit = (struct job_record){
		.job = {.submit_s = asked.submit_s ? asked.submit_s : sc->now_s,
			.not_before_s = asked.not_before_s ? asked.not_before_s : TIME_NONE,
			.wall_limit_s = asked.wall_s ? asked.wall_s : 100,
			.true_run_s = asked.real    ? -1
				      : asked.run_s ? asked.run_s
						    : INT64_MAX / 4,
			.real = asked.real ? JOB_REAL_LAUNCH : 0,
			.mem_mb = asked.mem_mb,
			.swap_mb = asked.swap_mb,
			.disk_mb = asked.disk_mb,
			.tasks = asked.procs ? asked.procs / task_procs : 1,
			.task_procs = task_procs,
			.nodes = asked.nodes,
			.tasks_per_node = asked.tasks_per_node,
			.base_holds = asked.holds,
			.array_limit = asked.at_a_time,
			.access = asked.access},
		.cred = {[CRED_USER] = asked.user ? asked.user : "u1",
			 [CRED_GROUP] = asked.group,
			 [CRED_ACCOUNT] = asked.account,
			 [CRED_QOS] = asked.qos,
			 [CRED_CLASS] = asked.class_name},
		.ranges = &range,
		.range_count = asked.array > 0,
		.partition = asked.partition,
		.label = asked.label,
		.name = asked.name,
		.features = asked.features,
		.prefer = asked.prefer,
		.gres = asked.gres,
		.hosts = asked.hosts,
		.depend = depends.item,
		.depend_count = (uint32_t)depends.count,
	};
	scene_apply(sc, &ev);
	free(depends.item);
	return ev.job;
}

uint64_t scene_submit(struct scene *sc, uint32_t procs, int64_t wall_s)
{
	return scene_add(sc, (struct scene_job){.procs = procs, .wall_s = wall_s});
}

static uint64_t set_hold(struct scene *sc, uint64_t job, uint8_t bits, bool on)
{
	struct event ev = {.kind = EVENT_HOLD, .job = job, .hold = {.bits = bits, .on = on}};

	scene_apply(sc, &ev);
	return ev.seq;
}

uint64_t scene_hold(struct scene *sc, uint64_t job, uint8_t bits)
{
	return set_hold(sc, job, bits, true);
}

uint64_t scene_release(struct scene *sc, uint64_t job, uint8_t bits)
{
	return set_hold(sc, job, bits, false);
}

uint64_t scene_priority(struct scene *sc, uint64_t job, enum job_adjust adjust, int64_t points)
{
	struct event ev = {.kind = EVENT_PRIORITY, .job = job};

	ev.priority.adjust = (uint8_t)adjust;
	ev.priority.points = points;
	scene_apply(sc, &ev);
	return ev.seq;
}

uint64_t scene_set(struct scene *sc, const char *name, const char *value)
{
	struct event ev = {.kind = EVENT_SETTING, .setting = {.name = name, .value = value}};

	scene_apply(sc, &ev);
	return ev.seq;
}

uint64_t scene_modify(struct scene *sc, uint64_t job, const char *name, const char *value)
{
	struct event ev = {.kind = EVENT_MODIFY, .job = job, .modify = {.name = name, .value = value}};

	scene_apply(sc, &ev);
	return ev.seq;
}

uint64_t scene_undo(struct scene *sc, uint64_t seq)
{
	struct event ev = {.kind = EVENT_UNDO, .undo = {.seq = seq}};

	scene_apply(sc, &ev);
	return ev.seq;
}

void scene_config(struct scene *sc, const char *text)
{
	struct event ev = {.kind = EVENT_CONFIG, .config = {.file = "kahu.conf", .text = text}};

	scene_apply(sc, &ev);
}

void scene_node(struct scene *sc, struct node_record node)
{
	struct event ev = {.kind = EVENT_NODE, .node = node};

	scene_apply(sc, &ev);
}

void scene_end_with(struct scene *sc, uint64_t job, int32_t status)
{
	struct event ev = {.kind = EVENT_END, .job = job, .end = {.status = status}};

	scene_apply(sc, &ev);
}

void scene_end(struct scene *sc, uint64_t job)
{
	scene_end_with(sc, job, 0);
}

void scene_cancel(struct scene *sc, uint64_t job)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = job};

	scene_apply(sc, &ev);
}

void scene_start(struct scene *sc, uint64_t job, uint32_t node, uint32_t nodes, uint32_t procs)
{
	struct alloc_run run = {.node = node, .nodes = nodes, .procs = procs};
	struct event ev = {.kind = EVENT_START, .job = job, .start = {.runs = &run, .count = 1}};

	scene_apply(sc, &ev);
}

const char *scene_try_start(struct scene *sc, uint64_t job, struct alloc_run run, struct err *err)
{
	struct event ev = {.kind = EVENT_START, .job = job, .start = {.runs = &run, .count = 1}};

	return scene_try(sc, &ev, err);
}

/* --- passes --------------------------------------------------------------------------------- */

static struct event decided(const struct decision *d, const struct cycle_result *result,
			    struct bypassed *bypassed)
{
	struct event ev = {.job = d->job, .who = "sched"};

	switch ((enum decision_kind)d->kind) {
	case DECIDE_RESUME:
		ev.kind = EVENT_SUSPEND;
		ev.suspend.how = SUSPEND_RESUMED;
		break;
	case DECIDE_START:
		ev.kind = EVENT_START;
		ev.start.runs = result->runs + d->first_run;
		ev.start.count = d->run_count;
		ev.start.backfilled = d->backfilled;
		break;
	case DECIDE_PLAN:
	case DECIDE_UNPLAN:
		ev.kind = EVENT_PLAN;
		ev.plan.start_s = d->kind == DECIDE_PLAN ? d->planned_s : TIME_NEVER;
		ev.plan.runs = d->run_count ? result->runs + d->first_run : NULL;
		ev.plan.count = d->run_count;
		break;
	case DECIDE_PROMOTE:
	case DECIDE_DEMOTE:
		ev.kind = EVENT_ELIGIBLE;
		ev.eligible.on = d->kind == DECIDE_PROMOTE;
		break;
	case DECIDE_ACCRUE:
	case DECIDE_PAUSE:
		ev.kind = EVENT_ACCRUAL;
		ev.accrual.on = d->kind == DECIDE_ACCRUE;
		break;
	case DECIDE_BYPASS:
		*bypassed = (struct bypassed){.job = d->job, .by = d->count};
		ev.kind = EVENT_BYPASS;
		ev.job = 0;
		ev.bypass.item = bypassed;
		ev.bypass.count = 1;
		break;
	case DECIDE_PASS:
		ev.kind = EVENT_PASS;
		break;
	}
	return ev;
}

void scene_take(struct scene *sc, const struct cycle_result *result)
{
	for (uint32_t i = 0; i < result->decision_count; i++) {
		struct bypassed bypassed;
		struct event ev = decided(&result->decision[i], result, &bypassed);

		scene_apply(sc, &ev);
	}
}

void scene_take_returns(struct scene *sc)
{
	struct event ev = {.time_s = sc->now_s, .who = "sched"};
	uint32_t at = UINT32_MAX;

	while (event_returns(sc->st, sc->now_s, &at, &ev))
		scene_apply(sc, &ev);
}

void scene_take_drops(struct scene *sc)
{
	struct event ev = {.time_s = sc->now_s, .who = "sched"};
	char cause[EVENT_CAUSE_TEXT];
	uint32_t at = 0;

	while (event_drops(sc->st, &at, &ev, cause))
		scene_apply(sc, &ev);
}

uint32_t scene_pass(struct scene *sc)
{
	cycle_run(sc->cycle, scene_view(sc), sc->now_s, false, &sc->result);
	scene_take(sc, &sc->result);
	return sc->result.decision_count;
}

/* --- time -------------------------------------------------------------------------------------- */

static int64_t end_of(const struct job *job)
{
	if (job_is_suspended(job))
		return TIME_NEVER;
	return job->start_s + job->suspended_s +
	       (job->true_run_s < job->wall_limit_s ? job->true_run_s : job->wall_limit_s);
}

/* The running job that ends first; NULL if none runs. */
static const struct job *next_to_end(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	const struct job *next = NULL;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (next == NULL || end_of(job) < end_of(next) ||
		    (end_of(job) == end_of(next) && job->id < next->id))
			next = job;
	}
	return next;
}

int64_t scene_next_end_s(const struct scene *sc)
{
	const struct job *next = next_to_end(sc);

	return next == NULL ? TIME_NEVER : end_of(next);
}

void scene_go(struct scene *sc, int64_t to_s)
{
	while (scene_next_end_s(sc) <= to_s && scene_next_end_s(sc) != TIME_NEVER) {
		sc->now_s = scene_next_end_s(sc);
		scene_end(sc, next_to_end(sc)->id);
	}
	sc->now_s = to_s;
}

void scene_play(struct scene *sc, int64_t to_s)
{
	for (;;) {
		int64_t next_s = scene_next_end_s(sc);

		if (sc->result.next_due_s < next_s)
			next_s = sc->result.next_due_s;
		if (next_s > to_s)
			break;
		scene_go(sc, next_s);
		scene_pass(sc);
	}
	scene_go(sc, to_s);
}

uint32_t scene_run_count(const struct snapshot *s, uint32_t slot)
{
	uint32_t count = 0;

	for (uint32_t i = snapshot_jobs(s)[slot].run; i != INDEX_NONE; i = snapshot_runs(s)[i].next)
		count++;
	return count;
}
