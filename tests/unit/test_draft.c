/* SPDX-License-Identifier: MIT */
/*
 * test_draft.c - states with hypothetical events applied
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

static struct event set_weight(const char *value)
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
	struct event ev[] = {set_weight("5"), set_weight("7")};
	struct state *st = draft_make(scene_view(sc), ev, 2, NULL, NULL);

	(void)state;
	assert_non_null(st);
	assert_true(xfactor_weight(st) == 7);
	state_free(st);
	assert_true(state_hash(scene_view(sc)) == hash);
	scene_free(sc);
}

static void skipped_events_are_not_applied(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev[] = {set_weight("5"), set_weight("7")};
	const bool skip[] = {false, true};
	struct state *st = draft_make(scene_view(sc), ev, 2, skip, NULL);

	(void)state;
	assert_true(xfactor_weight(st) == 5);
	state_free(st);
	scene_free(sc);
}

static void past_event_is_applied_now(void **state)
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

static void rejected_event_is_named(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev[] = {set_weight("5"), hold(99)};
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

static void draft_make_willing_skips_rejected_events(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev[] = {set_weight("5"), hold(99), set_weight("7")};
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

static struct event stop_event(enum event_kind kind, uint64_t job)
{
	return (struct event){.kind = kind, .job = job};
}

static const struct job *job_of(const struct state *st, uint64_t job)
{
	return &snapshot_jobs(state_view(st))[state_find(st, job)];
}

/* Jobs 1 and 2 are running; 3 and 4 depend on job 1, job 4 on its success. */
static struct scene *two_running_jobs(void)
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

static void cancelled_running_job_has_ended(void **state)
{
	struct scene *sc = two_running_jobs();
	struct event ev[] = {stop_event(EVENT_CANCEL, 1), set_weight("7")};
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

static void requeued_running_job_is_idle(void **state)
{
	struct scene *sc = two_running_jobs();
	struct event ev[] = {stop_event(EVENT_REQUEUE, 1), stop_event(EVENT_REQUEUE, 2)};
	const bool skip[] = {false, true};
	struct state *st = draft_make_willing(scene_view(sc), ev, 2, skip);

	(void)state;
	assert_int_equal(job_of(st, 1)->state, JOB_IDLE);
	assert_int_equal(job_of(st, 2)->state, JOB_RUNNING);
	state_free(st);
	scene_free(sc);
}

/* The job was cancelled before the draft, and its end is not yet reported. */
static void job_already_being_stopped_is_not_ended(void **state)
{
	struct scene *sc = two_running_jobs();
	struct event ev = set_weight("7");
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
		cmocka_unit_test(skipped_events_are_not_applied),
		cmocka_unit_test(past_event_is_applied_now),
		cmocka_unit_test(rejected_event_is_named),
		cmocka_unit_test(draft_make_willing_skips_rejected_events),
		cmocka_unit_test(cancelled_running_job_has_ended),
		cmocka_unit_test(requeued_running_job_is_idle),
		cmocka_unit_test(job_already_being_stopped_is_not_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
