/* SPDX-License-Identifier: MIT */
/*
 * suspended.c - processors of suspended jobs, released and taken again
 *
 * A random cluster on which people suspend jobs, mostly so that their processors are released, for a while or
 * until somebody resumes them, and undo that; jobs come, start, end and are requeued meanwhile. At no moment
 * are more processors of a node in use than it has, and a job runs on the same processors of the same nodes
 * until it ends. A pass that has resumed jobs has nothing more to decide. The events applied once more give
 * the same state, and what is projected comes true.
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

/* Where a job runs, as one number. */
struct place {
	uint64_t job, number;
	uint32_t start;
};

struct life {
	struct rng rng;
	struct scene *sc;
	struct arena arena;
	struct event *event; /* all that happened */
	size_t event_count, event_room;
	struct place *place;
	size_t place_count, place_room;
	unsigned released, resumed, at_once, waited, requeued;
};

static void note(void *self, const struct event *ev)
{
	struct life *l = self;

	l->event = vec_room(l->event, &l->event_room, l->event_count + 1, sizeof *l->event);
	l->event[l->event_count++] = event_copy(&l->arena, ev);
	l->resumed += ev->kind == EVENT_SUSPEND && (ev->suspend.how & SUSPEND_RESUMED) != 0;
}

/* --- what must be so at any moment ----------------------------------------------------------------- */

static uint64_t number_of(const struct snapshot *s, const struct job *job)
{
	uint64_t number = 17;

	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(s)[r];

		number = number * 31 + run->node;
		number = number * 31 + run->nodes;
		number = number * 31 + run->procs;
		number = number * 31 + run->tasks;
	}
	return number;
}

static void check_place(struct life *l, const struct snapshot *s, const struct job *job)
{
	struct place now = {job->id, number_of(s, job), job->start_count};

	for (size_t i = 0; i < l->place_count; i++) {
		if (l->place[i].job != job->id)
			continue;
		if (l->place[i].start == now.start && l->place[i].number != now.number)
			fail_msg("job %" PRIu64 " runs on other processors than it was started on", job->id);
		l->place[i] = now;
		return;
	}
	l->place = vec_room(l->place, &l->place_room, l->place_count + 1, sizeof *l->place);
	l->place[l->place_count++] = now;
}

static void check_moment(struct life *l)
{
	const struct snapshot *s = scene_view(l->sc);
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	int64_t *used = mem_zero(nodes + 1, sizeof *used);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		check_place(l, s, job);
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

/* --- what people do --------------------------------------------------------------------------------- */

static const struct job *any_running(struct life *l)
{
	const struct snapshot *s = scene_view(l->sc);
	uint32_t count = snapshot_count(s, TABLE_RUNNING);

	return count == 0 ? NULL : &snapshot_jobs(s)[snapshot_running(s)[chance_below(&l->rng, count)]];
}

static void suspend_or_resume(struct life *l, const struct job *job)
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

static void undo_something(struct life *l)
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

static void requeue(struct life *l, uint64_t id)
{
	struct event ev = {.kind = EVENT_REQUEUE, .job = id};
	struct err err;

	if (scene_try(l->sc, &ev, &err)[0] != '\0')
		return;
	scene_end(l->sc, id);
	l->requeued++;
}

static void meddle(struct life *l)
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

/* --- a life ----------------------------------------------------------------------------------------- */

static void pass(struct life *l)
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

static void live(struct life *l, unsigned kinds)
{
	for (unsigned i = 0; i < STEPS; i++) {
		chance_step(&l->rng, l->sc, kinds, 6);
		check_moment(l);
		meddle(l);
		pass(l);
		if (resumes_of(&l->sc->result) == 0)
			continue;
		cycle_run(l->sc->cycle, scene_view(l->sc), l->sc->now_s, false, &l->sc->result);
		assert_int_equal(resumes_of(&l->sc->result), 0);
		scene_take(l->sc, &l->sc->result);
		check_moment(l);
	}
}

static void check_replay(const struct life *l, const struct scene *first)
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

/* While a job holds processors and never ends, shares change for ever, and a projection has no end. */
static void resume_kept(struct life *l)
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

/* From now on people do nothing. */
static void check_projection(struct life *l, struct projection *p)
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

		/* Only those that nobody knows when to resume, or that wait for such a job, are left. */
		assert_true(job_is_suspended(job));
		assert_true(p->end_s[snapshot_find_job(scene_view(l->sc), job->id)] == TIME_NEVER);
	}
	scene_free(after);
}

static void no_node_is_used_beyond_what_it_has(void **state)
{
	struct life l = {.rng = seeded("suspended")};
	struct projection p = {.start_s = NULL};

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		unsigned kinds = CHANCE_TASKS | CHANCE_DATES | (chance_below(&l.rng, 3) ? 0 : CHANCE_LIMITS) |
				 (chance_below(&l.rng, 3) ? 0 : CHANCE_RESERVED);
		struct scene *first;

		l.sc = chance_scene(&l.rng, kinds);
		first = scene_copy(l.sc);
		l.event_count = l.place_count = 0;
		l.sc->tell = note;
		l.sc->tell_self = &l;
		live(&l, kinds);
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
	free(l.place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_node_is_used_beyond_what_it_has)};

	return cmocka_run_group_tests_name("suspended", tests, NULL, NULL);
}
