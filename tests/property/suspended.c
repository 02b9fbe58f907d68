/* SPDX-License-Identifier: MIT */
/*
 * suspended.c - processors of suspended jobs, released and taken again
 *
 * A random cluster on which operators suspend jobs, mostly with their processors released, for some time or
 * until they resume them, and undo suspensions; meanwhile jobs are submitted, start, end and are requeued. At
 * no time are more processors of a node in use than it has, and a job runs on the same processors of the same
 * nodes until it ends. After a pass that resumes jobs, a second one resumes none. A replay of the events
 * gives the same state, and projections come true.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "tests/chance.h"
#include "tests/many.h"
#include "tests/played.h"

#define STEPS 40

/* The processors of a job, as a hash. */
struct allocation {
	uint64_t job, hash;
	uint32_t start; /* how often the job has been started */
};

struct run_test {
	struct rng rng;
	struct scene *sc;
	struct arena arena;
	struct event *event; /* all events */
	size_t event_count, event_room;
	struct allocation *allocation;
	size_t allocation_count, allocation_room;
	unsigned released, resumed, at_once, waited, requeued;
};

static void note(void *self, const struct event *ev)
{
	struct run_test *l = self;

	l->event = vec_room(l->event, &l->event_room, l->event_count + 1, sizeof *l->event);
	l->event[l->event_count++] = event_copy(&l->arena, ev);
	l->resumed += ev->kind == EVENT_SUSPEND && (ev->suspend.how & SUSPEND_RESUMED) != 0;
}

/* --- the conditions at any time ------------------------------------------------------------------- */

static uint64_t hash_of(const struct snapshot *s, const struct job *job)
{
	uint64_t hash = 17;

	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(s)[r];

		hash = hash * 31 + run->node;
		hash = hash * 31 + run->nodes;
		hash = hash * 31 + run->procs;
		hash = hash * 31 + run->tasks;
	}
	return hash;
}

static void check_allocation(struct run_test *l, const struct snapshot *s, const struct job *job)
{
	struct allocation now = {job->id, hash_of(s, job), job->start_count};

	for (size_t i = 0; i < l->allocation_count; i++) {
		if (l->allocation[i].job != job->id)
			continue;
		if (l->allocation[i].start == now.start && l->allocation[i].hash != now.hash)
			fail_msg("job %" PRIu64 " runs on other processors than it was started on", job->id);
		l->allocation[i] = now;
		return;
	}
	l->allocation =
		vec_room(l->allocation, &l->allocation_room, l->allocation_count + 1, sizeof *l->allocation);
	l->allocation[l->allocation_count++] = now;
}

static void check_moment(struct run_test *l)
{
	const struct snapshot *s = scene_view(l->sc);
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	int64_t *used = mem_zero(nodes + 1, sizeof *used);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		check_allocation(l, s, job);
		for (uint32_t r = job->run; r != INDEX_NONE && !job_is_released(job);
		     r = snapshot_runs(s)[r].next)
			for (uint32_t n = 0; n < snapshot_runs(s)[r].nodes; n++)
				used[snapshot_runs(s)[r].node + n] += snapshot_runs(s)[r].procs;
	}
	for (uint32_t n = 0; n < nodes; n++)
		if (used[n] != snapshot_nodes(s)[n].procs_busy || used[n] > snapshot_nodes(s)[n].procs)
			fail_msg("node %s: %" PRId64 " of %u processors in use, %u counted",
				 snapshot_string(s, snapshot_nodes(s)[n].name), used[n],
				 snapshot_nodes(s)[n].procs, snapshot_nodes(s)[n].procs_busy);
	free(used);
}

/* --- random actions -------------------------------------------------------------------------------- */

static const struct job *any_running(struct run_test *l)
{
	const struct snapshot *s = scene_view(l->sc);
	uint32_t count = snapshot_count(s, TABLE_RUNNING);

	return count == 0 ? NULL : &snapshot_jobs(s)[snapshot_running(s)[chance_below(&l->rng, count)]];
}

static void suspend_or_resume(struct run_test *l, const struct job *job)
{
	bool on = !job_is_suspended(job) || job_awaits_resume(job);
	struct event ev = {.kind = EVENT_SUSPEND, .job = job->id, .suspend.on = on};
	struct err err;

	if (on && chance_below(&l->rng, 5) > 0)
		ev.suspend.how = SUSPEND_RELEASE;
	if (on && chance_below(&l->rng, 2) == 0)
		ev.suspend.how |= SUSPEND_BY_OWNER;
	if (on && chance_below(&l->rng, 3) == 0)
		ev.until_s = l->sc->now_s + 1 + chance_below(&l->rng, 60);
	if (scene_try(l->sc, &ev, &err)[0] != '\0')
		return;
	l->released += on;
	if (on)
		return;
	job = scene_job_of(l->sc, ev.job);
	l->waited += job_awaits_resume(job);
	l->at_once += !job_awaits_resume(job);
}

static void undo_something(struct run_test *l)
{
	const struct snapshot *s = scene_view(l->sc);
	uint32_t count = snapshot_count(s, TABLE_CHANGES);
	struct event ev = {.kind = EVENT_UNDO};
	struct err err;

	if (count == 0)
		return;
	ev.undo.seq = snapshot_changes(s)[chance_below(&l->rng, count)].seq;
	scene_try(l->sc, &ev, &err);
}

static void requeue(struct run_test *l, uint64_t id)
{
	struct event ev = {.kind = EVENT_REQUEUE, .job = id};
	struct err err;

	if (scene_try(l->sc, &ev, &err)[0] != '\0')
		return;
	scene_end(l->sc, id);
	l->requeued++;
}

static void operate(struct run_test *l)
{
	for (uint32_t i = chance_below(&l->rng, 4); i > 0; i--) {
		const struct job *job = any_running(l);

		if (job == NULL)
			return;
		if (chance_below(&l->rng, 8) == 0)
			undo_something(l);
		else if (chance_below(&l->rng, 20) == 0)
			requeue(l, job->id);
		else if (chance_below(&l->rng, 20) == 0)
			scene_end(l->sc, job->id);
		else
			suspend_or_resume(l, job);
		check_moment(l);
	}
}

/* --- a run --------------------------------------------------------------------------------------------- */

static void pass(struct run_test *l)
{
	scene_take_returns(l->sc);
	scene_pass(l->sc);
	check_moment(l);
}

static unsigned resumes_of(const struct cycle_result *result)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < result->decision_count; i++)
		count += result->decision[i].kind == DECIDE_RESUME;
	return count;
}

static void run_steps(struct run_test *l, unsigned kinds)
{
	for (unsigned i = 0; i < STEPS; i++) {
		chance_step(&l->rng, l->sc, kinds, 6);
		check_moment(l);
		operate(l);
		pass(l);
		if (resumes_of(&l->sc->result) == 0)
			continue;
		cycle_run(l->sc->cycle, scene_view(l->sc), l->sc->now_s, false, &l->sc->result);
		assert_int_equal(resumes_of(&l->sc->result), 0);
		scene_take(l->sc, &l->sc->result);
		check_moment(l);
	}
}

static void check_replay(const struct run_test *l, const struct scene *first)
{
	struct scene *again = scene_copy(first);

	for (size_t i = 0; i < l->event_count; i++) {
		struct event ev = l->event[i];
		struct err err;

		if (!event_apply(again->st, &ev, &err))
			fail_msg("%s", err.text);
	}
	assert_true(state_hash(scene_view(again)) == state_hash(scene_view(l->sc)));
	scene_free(again);
}

/* A suspended job that keeps its processors would never end; its usage changes shares indefinitely, and a
 * projection would not end. */
static void resume_kept(struct run_test *l)
{
	const struct snapshot *s = scene_view(l->sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING);) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];
		struct event ev = {.kind = EVENT_SUSPEND, .job = job->id};

		if (!job_is_suspended(job) || job_is_released(job)) {
			i++;
			continue;
		}
		scene_apply(l->sc, &ev);
		s = scene_view(l->sc);
		i = 0;
	}
}

/* Projects the rest of the run without further actions, and runs it. */
static void check_projection(struct run_test *l, struct projection *p)
{
	struct project_setup setup = {.from_s = l->sc->now_s, .until_s = TIME_NEVER};
	struct scene *after;

	scene_take_returns(l->sc);
	resume_kept(l);
	assert_true(project_run(p, scene_view(l->sc), &setup));
	after = scene_copy(l->sc);
	played_to_the_end(after, scene_view(l->sc), p);
	for (uint32_t i = 0; i < snapshot_count(scene_view(after), TABLE_RUNNING); i++) {
		const struct job *job =
			&snapshot_jobs(scene_view(after))[snapshot_running(scene_view(after))[i]];

		/* Left are only jobs without a time to resume, and jobs that wait for these. */
		assert_true(job_is_suspended(job));
		assert_true(p->end_s[snapshot_find_job(scene_view(l->sc), job->id)] == TIME_NEVER);
	}
	scene_free(after);
}

static void suspension_never_overcommits_a_node_or_moves_a_job(void **state)
{
	struct run_test l = {.rng = seeded("suspended")};
	struct projection p = {.start_s = NULL};

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		unsigned kinds = CHANCE_TASKS | CHANCE_DATES | (chance_below(&l.rng, 3) ? 0 : CHANCE_LIMITS) |
				 (chance_below(&l.rng, 3) ? 0 : CHANCE_RESERVED);
		struct scene *first;

		l.sc = chance_scene(&l.rng, kinds);
		first = scene_copy(l.sc);
		l.event_count = l.allocation_count = 0;
		l.sc->tell = note;
		l.sc->tell_self = &l;
		run_steps(&l, kinds);
		check_replay(&l, first);
		l.sc->tell = NULL;
		check_projection(&l, &p);
		scene_free(first);
		scene_free(l.sc);
		arena_reset(&l.arena);
	}
	printf("# %u suspended, %u resumed at once, %u resumed by passes, %u requeued\n", l.released,
	       l.at_once, l.resumed, l.requeued);
	assert_true(l.released > 0 && l.at_once > 0 && l.waited > 0 && l.resumed > 0 && l.requeued > 0);
	project_clear(&p);
	arena_free(&l.arena);
	free(l.event);
	free(l.allocation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suspension_never_overcommits_a_node_or_moves_a_job)};

	return cmocka_run_group_tests_name("suspended", tests, NULL, NULL);
}
