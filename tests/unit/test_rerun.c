/* SPDX-License-Identifier: MIT */
/*
 * test_rerun.c - replay of the journal, and causes of differences
 *
 * A replay from the recorded initial state must reproduce the record. From another initial state, a recorded
 * action of a user can be impossible; it is then the cause of later differences. tests/property/rerun.c tests
 * random histories.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/small_past.h"

static void assert_reproduced(struct past *p)
{
	static const enum rerun_pace pace[] = {RERUN_AS_RECORDED, RERUN_WHEN_DUE};

	for (int i = 0; i < 2; i++) {
		struct rerun *r = past_again(p, NULL, pace[i], NULL);
		struct rerun_agreement a = {.differs = NULL};
		uint64_t refused;
		size_t kept;

		rerun_agree(r, &a);
		rerun_refusals(r, &kept, &refused);
		assert_int_equal(refused, 0);
		assert_int_equal(a.same_start, a.jobs);
		assert_int_equal(a.in_order, a.jobs);
		free(a.differs);
		rerun_free(r);
	}
}

/* --- replay of the same history
 * ------------------------------------------------------------------------------------- */

static uint32_t free_node(const struct past *p)
{
	uint32_t i = 0;

	while (node_procs_free(&snapshot_nodes(scene_view(p->sc))[i]) == 0)
		i++;
	return i;
}

static void the_recorded_initial_state_reproduces_the_record(void **state)
{
	struct past p;
	struct event halt = {.kind = EVENT_HALT, .halt = {.on = true, .after = 2}};
	struct event requeue = {.kind = EVENT_REQUEUE, .job = 3};
	struct event suspend = {.kind = EVENT_SUSPEND, .job = 2, .suspend.on = true};

	(void)state;
	past_begin(&p, 2, 1);
	scene_submit(p.sc, 1, 100);
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 10;
	scene_apply(p.sc, &suspend);
	past_end(&p, 1);
	scene_pass(p.sc);
	p.sc->now_s = 20;
	scene_apply(p.sc, &requeue);
	past_end(&p, 3);
	scene_submit(p.sc, 1, 50);
	scene_start(p.sc, 4, free_node(&p), 1, 1); /* a start by an operator, before the requeued job */
	scene_pass(p.sc);
	p.sc->now_s = 30;
	past_end(&p, 4);
	scene_pass(p.sc);
	past_refuse_start(&p, 3);
	p.sc->now_s = 95;
	scene_pass(p.sc);
	assert_reproduced(&p);
	scene_apply(p.sc, &halt);
	assert_reproduced(&p);
	past_free(&p);
}

static void refuse_start(struct past *p, uint64_t job, int64_t until_s, bool retry)
{
	struct event ev = {
		.kind = EVENT_DEFER,
		.job = job,
		.who = "sched",
		.defer = {.until_s = until_s, .failed_start = true, .retry = retry, .reason = "no answer"}};

	scene_apply(p->sc, &ev);
}

/* Failed starts that are retried or deferred are repeated at their recorded times. */
static void failed_starts_are_repeated(void **state)
{
	struct past p;

	(void)state;
	past_begin(&p, 1, 1);
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	refuse_start(&p, 1, 5, true);
	p.sc->now_s = 5;
	scene_pass(p.sc);
	refuse_start(&p, 1, 65, false);
	scene_submit(p.sc, 1, 20);
	scene_pass(p.sc);
	p.sc->now_s = 25;
	past_end(&p, 2);
	scene_pass(p.sc);
	p.sc->now_s = 65;
	scene_pass(p.sc);
	p.sc->now_s = 100;
	assert_int_equal(scene_job_of(p.sc, 1)->state, JOB_RUNNING);
	assert_reproduced(&p);
	past_free(&p);
}

/* The passes left before a pause are recorded when they are made; the replay makes no additional pass. */
static void a_pause_after_some_passes_begins_at_its_recorded_time(void **state)
{
	struct past p;
	struct event halt = {.kind = EVENT_HALT, .halt = {.on = true, .after = 1}};
	struct event counted = {.who = "sched"};
	struct rerun *r;

	(void)state;
	past_begin(&p, 1, 2);
	past_record(&p);
	p.sc->now_s = 10;
	scene_apply(p.sc, &halt);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	assert_true(event_counts_pass(scene_view(p.sc), &counted));
	scene_apply(p.sc, &counted);
	assert_false(event_counts_pass(scene_view(p.sc), &counted));
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 20;
	assert_reproduced(&p);
	r = past_again(&p, NULL, RERUN_WHEN_DUE, NULL);
	assert_int_equal(rerun_fates(r)[0].start_s, 10);
	assert_int_equal(rerun_fates(r)[1].start_s, TIME_NONE);
	assert_true(snapshot_is_halted(rerun_view(r)));
	rerun_free(r);
	past_free(&p);
}

/* A job that starts at another time has its recorded run time. */
static void another_policy_moves_ends_with_starts(void **state)
{
	struct past p;
	struct rerun *r;

	(void)state;
	past_begin(&p, 1, 1);
	scene_config(p.sc, "userweight = 1\nuser u2 { priority = 1000 }\n");
	past_record(&p);
	scene_add(p.sc, (struct scene_job){.user = "u1"});
	scene_add(p.sc, (struct scene_job){.user = "u2"});
	scene_pass(p.sc);
	p.sc->now_s = 30;
	past_end(&p, 2);
	scene_pass(p.sc);
	p.sc->now_s = 50;
	past_end(&p, 1);
	r = past_again(&p, NULL, RERUN_WHEN_DUE, "queuetimeweight = 1\n");
	assert_int_equal(rerun_fates(r)[0].start_s, 0);
	assert_int_equal(rerun_fates(r)[0].end_s, 20);
	assert_int_equal(rerun_fates(r)[1].start_s, 20);
	assert_int_equal(rerun_fates(r)[1].end_s, 50);
	rerun_free(r);
	past_free(&p);
}

/* Live settings are undone, undone settings stay undone, and holds of jobs are kept. */
static void another_configuration_replaces_what_was_set_live(void **state)
{
	struct past p;
	struct rerun *r;

	(void)state;
	past_begin(&p, 1, 1);
	scene_set(p.sc, "user[u2].priority", "1000");
	scene_set(p.sc, "userweight", "1");
	scene_undo(p.sc, scene_set(p.sc, "xfactorweight", "10"));
	scene_hold(p.sc, scene_submit(p.sc, 1, 100), JOB_HOLD_SYSTEM);
	past_record(&p);
	scene_add(p.sc, (struct scene_job){.user = "u1"});
	scene_add(p.sc, (struct scene_job){.user = "u2"});
	scene_pass(p.sc);
	p.sc->now_s = 30;
	past_end(&p, 3);
	scene_pass(p.sc);
	p.sc->now_s = 50;
	past_end(&p, 2);
	r = past_again(&p, NULL, RERUN_WHEN_DUE, "userweight = 1\nqueuetimeweight = 1\n");
	assert_int_equal(rerun_fates(r)[0].start_s, TIME_NONE);
	assert_int_equal(rerun_fates(r)[1].start_s, 0);
	assert_int_equal(rerun_fates(r)[2].start_s, 20);
	rerun_free(r);
	past_free(&p);
}

/* Priorities drift, so the third job starts in the next pass, which a setting causes at 500 s. Without the
 * setting, the next pass is at the end of job 1 at 1000 s, before the next poll. */
static void a_pass_without_its_cause_is_not_made(void **state)
{
	struct past p;
	struct event same = {.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = "1000"}};
	struct rerun_setup setup = {.pace = RERUN_WHEN_DUE};
	struct err err;
	struct rerun *r;

	(void)state;
	past_begin(&p, 1, 2);
	scene_config(p.sc, "xfactorweight = 1000\nrmpollinterval = 1:00:00\n");
	scene_submit(p.sc, 1, 1000);
	scene_submit(p.sc, 2, 10000);
	scene_submit(p.sc, 1, 2000);
	scene_pass(p.sc);
	p.sc->now_s = 500;
	past_record(&p);
	scene_apply(p.sc, &same);
	scene_pass(p.sc);
	assert_int_equal(scene_job_of(p.sc, 3)->start_s, 500);
	p.sc->now_s = 1000;
	past_end(&p, 1);
	scene_pass(p.sc);
	assert_reproduced(&p);
	setup.record = past_look(&p);
	setup.from = state_view(p.from);
	setup.without = p.event[0].seq;
	r = rerun_new(&setup, &err);
	for (size_t i = 0; i < p.count; i++)
		assert_true(rerun_take(r, &p.event[i]));
	rerun_finish(r);
	assert_int_equal(rerun_fates(r)[2].start_s, 1000);
	rerun_free(r);
	past_free(&p);
}

/* Two jobs of 50 s and 40 s on one processor, which is then idle for 20 s. */
static void a_rerun_is_summarised_from_its_first_submission(void **state)
{
	struct replay_summary sum;
	struct past p;
	struct rerun *r;

	(void)state;
	past_begin(&p, 1, 1);
	p.sc->now_s = 100;
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 130;
	scene_submit(p.sc, 1, 100);
	p.sc->now_s = 150;
	past_end(&p, 1);
	scene_pass(p.sc);
	p.sc->now_s = 190;
	past_end(&p, 2);
	scene_pass(p.sc);
	p.sc->now_s = 210;
	r = past_again(&p, NULL, RERUN_AS_RECORDED, NULL);
	rerun_summarise(r, &sum);
	assert_int_equal(sum.jobs, 2);
	assert_int_equal(sum.rejected, 0);
	assert_int_equal(sum.first_submit_s, 100);
	assert_int_equal(sum.makespan_s, 90);
	assert_float_equal(sum.utilization, 90.0 / 110, 1e-12);
	assert_float_equal(sum.mean_wait_s, 10, 1e-12);
	assert_float_equal(sum.median_wait_s, 10, 1e-12);
	assert_float_equal(sum.p95_wait_s, 20, 1e-12);
	assert_float_equal(sum.mean_xfactor, 1.1, 1e-12);
	assert_float_equal(sum.mean_bounded_slowdown, 1.25, 1e-12);
	assert_true(sum.decisions_hash != 0);
	rerun_free(r);
	past_free(&p);
}

/* The undo of an omitted change is not a refusal, and changes before the record stay. */
static void the_undo_of_an_omitted_change_is_omitted(void **state)
{
	struct event change = {.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = "7"}};
	struct event back = {.kind = EVENT_UNDO};
	struct rerun_setup setup = {.pace = RERUN_AS_RECORDED};
	uint64_t refused;
	size_t kept;
	struct err err;
	struct past p;
	struct rerun *r;

	(void)state;
	past_begin(&p, 1, 1);
	scene_set(p.sc, "queuetimeweight", "3");
	past_record(&p);
	scene_apply(p.sc, &change);
	back.undo.seq = p.event[0].seq;
	scene_apply(p.sc, &back);
	setup.record = past_look(&p);
	setup.from = state_view(p.from);
	setup.without = p.event[0].seq;
	r = rerun_new(&setup, &err);
	assert_non_null(r);
	for (size_t i = 0; i < p.count; i++)
		assert_true(rerun_take(r, &p.event[i]));
	rerun_finish(r);
	rerun_refusals(r, &kept, &refused);
	assert_int_equal(refused, 0);
	assert_int_equal(snapshot_count(rerun_view(r), TABLE_CHANGES), 1);
	rerun_free(r);
	past_free(&p);
}

/* --- causes ----------------------------------------------------------------------------------------- */

/* Replays from another initial state and checks the cause of the job's different start; NULL: no cause. */
static void assert_cause(struct past *p, const struct state *other, uint64_t job, uint64_t of,
			 const char *what)
{
	struct rerun *r = past_again(p, other, RERUN_AS_RECORDED, NULL);
	struct rerun_agreement a = {.differs = NULL};
	size_t place = (size_t)(rerun_record_find(&p->record, job) - p->record.job);
	const struct rerun_refusal *cause;

	rerun_agree(r, &a);
	assert_true(rerun_fates(r)[place].start_s != p->record.job[place].start_s);
	cause = rerun_cause(r, place);
	if (what == NULL) {
		assert_null(cause);
	} else {
		assert_non_null(cause);
		assert_string_equal(cause->what, what);
		assert_int_equal(cause->job, of);
		assert_true(strlen(cause->why) > 0);
	}
	free(a.differs);
	rerun_free(r);
}

static void change_state(struct state *st, struct event ev)
{
	struct err err;

	ev.who = "eva";
	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
}

static const struct alloc_run first_node = {.nodes = 1, .procs = 1};

/* Returns a copy of the state in which another job runs. */
static struct state *with_start(const struct state *from, uint64_t job)
{
	struct state *other = state_from_snapshot(state_view(from));

	change_state(
		other,
		(struct event){.kind = EVENT_START, .job = job, .start = {.runs = &first_node, .count = 1}});
	return other;
}

static void an_impossible_start_by_an_operator_is_the_cause(void **state)
{
	struct past p;
	struct state *other;

	(void)state;
	past_begin(&p, 1, 1);
	scene_submit(p.sc, 1, 100);
	scene_submit(p.sc, 1, 100);
	past_record(&p);
	p.sc->now_s = 10;
	scene_start(p.sc, 1, 0, 1, 1);
	other = with_start(p.from, 2);
	assert_cause(&p, other, 1, 1, "start 1");
	state_free(other);
	past_free(&p);
}

static void an_impossible_release_is_the_cause(void **state)
{
	struct past p;
	struct state *other;

	(void)state;
	past_begin(&p, 1, 1);
	scene_submit(p.sc, 1, 100);
	scene_hold(p.sc, 1, JOB_HOLD_USER);
	past_record(&p);
	p.sc->now_s = 10;
	scene_release(p.sc, 1, JOB_HOLD_USER);
	scene_pass(p.sc);
	other = state_from_snapshot(state_view(p.from)); /* in that state the job has another hold */
	change_state(other,
		     (struct event){.kind = EVENT_HOLD, .job = 1, .hold = {JOB_HOLD_SYSTEM, true, NULL}});
	change_state(other,
		     (struct event){.kind = EVENT_HOLD, .job = 1, .hold = {JOB_HOLD_USER, false, NULL}});
	assert_cause(&p, other, 1, 1, "release user 1");
	state_free(other);
	past_free(&p);
}

/* The other cluster has no node n002, so the setting that undrains it is impossible. */
static void a_setting_of_a_missing_node_is_the_cause(void **state)
{
	struct past p, q;

	(void)state;
	past_begin(&q, 1, 1);
	scene_submit(q.sc, 1, 100);
	past_record(&q);
	past_begin(&p, 2, 1);
	scene_set(p.sc, "node[n002].drained", "true");
	scene_set(p.sc, "node[n001].drained", "true");
	scene_submit(p.sc, 1, 100);
	past_record(&p);
	p.sc->now_s = 10;
	scene_set(p.sc, "node[n002].drained", "false");
	scene_pass(p.sc);
	change_state(q.from,
		     (struct event){.kind = EVENT_SETTING, .setting = {"node[n001].drained", "true"}});
	assert_cause(&p, q.from, 1, 0, "set node[n002].drained = false");
	past_free(&q);
	past_free(&p);
}

/* In the record, job 1 runs and its end starts job 2; in the other state, job 3 runs and job 1 waits. */
static void check_impossible_action(enum event_kind kind, const char *what)
{
	struct past p;
	struct state *before, *other;
	struct event ev = {.kind = kind, .job = 1};

	past_begin(&p, 1, 1);
	for (int i = 0; i < 3; i++)
		scene_submit(p.sc, 1, 100);
	before = state_from_snapshot(scene_view(p.sc));
	other = with_start(before, 3);
	if (kind == EVENT_CANCEL)
		change_state(other, (struct event){.kind = EVENT_CANCEL, .job = 1});
	scene_pass(p.sc);
	if (kind == EVENT_SUSPEND)
		ev.suspend.on = true;
	p.sc->now_s = 5;
	past_record(&p);
	p.sc->now_s = 10;
	scene_apply(p.sc, &ev);
	past_end(&p, 1);
	if (kind == EVENT_REQUEUE)
		scene_hold(p.sc, 1, JOB_HOLD_USER);
	scene_pass(p.sc);
	assert_cause(&p, other, 2, 1, what);
	state_free(before);
	state_free(other);
	past_free(&p);
}

static void an_impossible_cancel_is_the_cause(void **state)
{
	(void)state;
	check_impossible_action(EVENT_CANCEL, "cancel 1");
}

static void an_impossible_requeue_is_the_cause(void **state)
{
	(void)state;
	check_impossible_action(EVENT_REQUEUE, "requeue 1");
}

static void an_impossible_suspend_is_the_cause(void **state)
{
	(void)state;
	check_impossible_action(EVENT_SUSPEND, "suspend 1");
}

/* A recorded action after the different start is not its cause. */
static void a_later_impossible_action_is_no_cause(void **state)
{
	struct past p;
	struct state *other;

	(void)state;
	past_begin(&p, 1, 2);
	scene_submit(p.sc, 1, 100);
	scene_hold(p.sc, 1, JOB_HOLD_USER);
	past_record(&p);
	p.sc->now_s = 5;
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc); /* in the other state, job 1 starts too */
	p.sc->now_s = 10;
	scene_release(p.sc, 1, JOB_HOLD_USER);
	scene_pass(p.sc);
	other = state_from_snapshot(state_view(p.from));
	change_state(other,
		     (struct event){.kind = EVENT_HOLD, .job = 1, .hold = {JOB_HOLD_USER, false, NULL}});
	assert_cause(&p, other, 1, 0, NULL);
	state_free(other);
	past_free(&p);
}

static void a_record_in_which_the_clock_was_set_is_refused(void **state)
{
	struct event set = {.kind = EVENT_CLOCK, .who = "sched", .clock.by_s = 3600};
	struct rerun_setup setup = {.pace = RERUN_WHEN_DUE};
	struct past p;
	struct err err;

	(void)state;
	past_begin(&p, 1, 1);
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	p.sc->now_s = 3600;
	scene_apply(p.sc, &set);
	setup.record = past_look(&p);
	setup.from = state_view(p.from);
	assert_null(rerun_new(&setup, &err));
	assert_non_null(strstr(err.text, "the system clock was set in entry"));
	past_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_recorded_initial_state_reproduces_the_record),
		cmocka_unit_test(failed_starts_are_repeated),
		cmocka_unit_test(a_pause_after_some_passes_begins_at_its_recorded_time),
		cmocka_unit_test(another_policy_moves_ends_with_starts),
		cmocka_unit_test(another_configuration_replaces_what_was_set_live),
		cmocka_unit_test(a_pass_without_its_cause_is_not_made),
		cmocka_unit_test(a_rerun_is_summarised_from_its_first_submission),
		cmocka_unit_test(the_undo_of_an_omitted_change_is_omitted),
		cmocka_unit_test(an_impossible_start_by_an_operator_is_the_cause),
		cmocka_unit_test(an_impossible_release_is_the_cause),
		cmocka_unit_test(a_setting_of_a_missing_node_is_the_cause),
		cmocka_unit_test(an_impossible_cancel_is_the_cause),
		cmocka_unit_test(an_impossible_requeue_is_the_cause),
		cmocka_unit_test(an_impossible_suspend_is_the_cause),
		cmocka_unit_test(a_later_impossible_action_is_no_cause),
		cmocka_unit_test(a_record_in_which_the_clock_was_set_is_refused),
	};

	return cmocka_run_group_tests_name("rerun", tests, NULL, NULL);
}
