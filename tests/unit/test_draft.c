/* SPDX-License-Identifier: MIT */
/*
 * test_draft.c - what would the state be with these events?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/forecast/plan.h"
#include "sched/state/draft.h"
#include "tests/scene.h"

static struct event weight(const char *value)
{
	return (struct event){.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = value}};
}

static struct event hold(uint64_t job)
{
	return (struct event){.kind = EVENT_HOLD, .job = job, .hold = {.bits = JOB_HOLD_USER, .on = true}};
}

static double xfactor_weight(const struct state *st)
{
	return state_view(st)->policy.weights.factor[PRIO_SERV_XFACTOR];
}

static void the_events_are_applied_in_their_order(void **state)
{
	struct scene *sc = scene_new(1, 2);
	uint64_t hash = state_hash(scene_view(sc));
	struct event ev[] = {weight("5"), weight("7")};
	struct state *st = draft_make(scene_view(sc), ev, 2, NULL, NULL);

	(void)state;
	assert_non_null(st);
	assert_true(xfactor_weight(st) == 7);
	state_free(st);
	assert_true(state_hash(scene_view(sc)) == hash);
	scene_free(sc);
}

static void what_is_skipped_is_left_out(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev[] = {weight("5"), weight("7")};
	const bool skip[] = {false, true};
	struct state *st = draft_make(scene_view(sc), ev, 2, skip, NULL);

	(void)state;
	assert_true(xfactor_weight(st) == 5);
	state_free(st);
	scene_free(sc);
}

static void an_event_of_before_is_made_now(void **state)
{
	struct scene *sc = scene_new(1, 2);
	uint64_t job = scene_submit(sc, 1, 100);
	struct event ev = hold(job);
	struct state *st;

	(void)state;
	scene_go(sc, 50);
	scene_pass(sc);
	ev.time_s = 3;
	scene_submit(sc, 2, 100);
	ev.job = scene_submit(sc, 2, 100);
	st = draft_make(scene_view(sc), &ev, 1, NULL, NULL);
	assert_non_null(st);
	assert_int_equal(state_view(st)->now_s, 50);
	state_free(st);
	scene_free(sc);
}

static void the_refused_one_is_named(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev[] = {weight("5"), hold(99)};
	const bool skip[] = {true, false};
	struct err err;

	(void)state;
	assert_null(draft_make(scene_view(sc), ev, 2, NULL, &err));
	assert_non_null(strstr(err.text, "edit 2 of 2: "));
	assert_non_null(strstr(err.text, "99"));
	assert_null(draft_make(scene_view(sc), ev, 2, skip, &err));
	assert_null(draft_make(scene_view(sc), &ev[1], 1, NULL, &err));
	assert_null(strstr(err.text, "edit"));
	scene_free(sc);
}

static void a_willing_draft_leaves_out_what_is_refused(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev[] = {weight("5"), hold(99), weight("7")};
	const bool skip[] = {false, false, true};
	struct state *st = draft_make_willing(scene_view(sc), ev, 3, NULL);

	(void)state;
	assert_true(xfactor_weight(st) == 7);
	state_free(st);
	st = draft_make_willing(scene_view(sc), ev, 3, skip);
	assert_true(xfactor_weight(st) == 5);
	state_free(st);
	scene_free(sc);
}

static struct event stop(enum event_kind kind, uint64_t job)
{
	return (struct event){.kind = kind, .job = job};
}

static const struct job *job_of(const struct state *st, uint64_t job)
{
	return &snapshot_jobs(state_view(st))[state_find(st, job)];
}

/* Jobs 1 and 2 run beside each other, 3 and 4 wait for the first, 4 only if it ends well. */
static struct scene *two_that_run(void)
{
	struct scene *sc = scene_new(1, 2);

	scene_submit(sc, 1, 1000);
	scene_submit(sc, 1, 1000);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.depend = "afterany:1"});
	scene_add(sc, (struct scene_job){.depend = "afterok:1"});
	scene_go(sc, 10);
	return sc;
}

static void a_running_job_that_it_cancels_is_gone(void **state)
{
	struct scene *sc = two_that_run();
	struct event ev[] = {stop(EVENT_CANCEL, 1), weight("7")};
	struct plan plan = {.slots = 0};
	struct state *st = draft_make(scene_view(sc), ev, 2, NULL, NULL);

	(void)state;
	assert_non_null(st);
	assert_int_equal(state_find(st, 1), INDEX_NONE);
	plan_build(&plan, state_view(st), 10);
	assert_int_equal(plan.start_s[state_find(st, 3)], 10);
	assert_true(plan.start_s[state_find(st, 4)] == TIME_NEVER);
	plan_clear(&plan);
	state_free(st);
	scene_free(sc);
}

static void a_running_job_that_it_requeues_waits_again(void **state)
{
	struct scene *sc = two_that_run();
	struct event ev[] = {stop(EVENT_REQUEUE, 1), stop(EVENT_REQUEUE, 2)};
	const bool skip[] = {false, true};
	struct state *st = draft_make_willing(scene_view(sc), ev, 2, skip);

	(void)state;
	assert_int_equal(job_of(st, 1)->state, JOB_IDLE);
	assert_int_equal(job_of(st, 2)->state, JOB_RUNNING);
	state_free(st);
	scene_free(sc);
}

/* Its manager has not reported its end yet; that was asked for before there was a draft. */
static void what_is_being_stopped_already_is_left_to_its_manager(void **state)
{
	struct scene *sc = two_that_run();
	struct event ev = weight("7");
	struct state *st;

	(void)state;
	scene_cancel(sc, 1);
	st = draft_make(scene_view(sc), &ev, 1, NULL, NULL);
	assert_int_equal(job_of(st, 1)->state, JOB_RUNNING);
	state_free(st);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_events_are_applied_in_their_order),
		cmocka_unit_test(what_is_skipped_is_left_out),
		cmocka_unit_test(an_event_of_before_is_made_now),
		cmocka_unit_test(the_refused_one_is_named),
		cmocka_unit_test(a_willing_draft_leaves_out_what_is_refused),
		cmocka_unit_test(a_running_job_that_it_cancels_is_gone),
		cmocka_unit_test(a_running_job_that_it_requeues_waits_again),
		cmocka_unit_test(what_is_being_stopped_already_is_left_to_its_manager),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
