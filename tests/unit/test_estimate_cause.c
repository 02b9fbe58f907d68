/* SPDX-License-Identifier: MIT */
/* test_estimate_cause.c - causes of the difference between estimated and actual start */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "foretold.h"
#include "sched/forecast/estimate.h"

#define PLENTY 1000000

/* The track of job `id`: its estimates and the causes of their errors. */
static struct estimate_track track_of(struct foretold *f, uint64_t id, uint64_t most)
{
	const struct told *t = &f->told;
	struct state *copy = state_from_snapshot(state_view(t->before));
	const struct estimate_setup setup = {.full_every = 1};
	const struct estimate_row *wanted = NULL;
	struct estimate_tracker tracker;
	struct estimate_track track;

	foretold_walk(f, INT64_MIN, 100, &setup);
	assert_true(f->finished);
	for (size_t i = 0; i < f->count; i++)
		if (f->row[i].job == id)
			wanted = &f->row[i];
	assert_non_null(wanted);
	estimate_tracker_begin(&tracker, copy, &wanted, 1, most, &setup);
	for (size_t i = 0; i < t->count && !estimate_tracker_is_done(&tracker); i++)
		assert_true(estimate_tracker_take(&tracker, &t->event[i], NULL));
	track = tracker.track[0];
	track.row.label = NULL;
	estimate_tracker_clear(&tracker);
	state_free(copy);
	return track;
}

/* The moves of all causes add up to the error. */
static void check_sum(const struct estimate_track *track)
{
	int64_t sum_s = 0;

	for (int cause = 0; cause < ESTIMATE_CAUSES; cause++)
		sum_s += track->by[cause].moved_s;
	assert_int_equal(sum_s, track->row.start_s - track->row.said_s[ESTIMATE_SUBMITTED][ESTIMATE_FULL]);
}

/* A queue in which jobs of user vip have the highest priority. */
static void begin(struct foretold *f)
{
	foretold_queue(f, "userweight = 1\nuser vip { priority = 100000 }\n");
	scene_pass(f->sc);
}

static void an_early_end_is_reported_with_its_job(void **state)
{
	struct foretold f;
	struct estimate_track track;

	(void)state;
	begin(&f);
	scene_go(f.sc, 40);
	scene_end(f.sc, 1);
	scene_pass(f.sc);
	scene_play(f.sc, 1000);
	track = track_of(&f, 3, PLENTY);
	assert_false(track.lost);
	check_sum(&track);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_BY_END);
	assert_int_equal(track.by[ESTIMATE_BY_END].moved_s, -60);
	assert_int_equal(track.by[ESTIMATE_BY_END].entries, 1);
	assert_int_equal(track.by[ESTIMATE_BY_END].most_job, 1);
	foretold_end(&f);
}

static void a_later_job_that_started_first_is_reported(void **state)
{
	struct foretold f;
	struct estimate_track track;

	(void)state;
	begin(&f);
	scene_go(f.sc, 30);
	scene_add(f.sc, (struct scene_job){.user = "vip", .procs = 4, .wall_s = 500});
	scene_go(f.sc, 40);
	scene_add(f.sc, (struct scene_job){.user = "u1", .procs = 4, .wall_s = 500});
	scene_play(f.sc, 5000);
	track = track_of(&f, 3, PLENTY);
	check_sum(&track);
	assert_int_equal(track.row.start_s, 700);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_BY_ARRIVAL);
	assert_int_equal(track.by[ESTIMATE_BY_ARRIVAL].moved_s, 500);
	assert_int_equal(track.by[ESTIMATE_BY_ARRIVAL].entries, 1);
	assert_int_equal(track.by[ESTIMATE_BY_ARRIVAL].most_job, 4);
	foretold_end(&f);
}

static void a_hold_is_the_cause_of_an_unknown_start(void **state)
{
	struct foretold f;
	struct estimate_track track;

	(void)state;
	begin(&f);
	scene_go(f.sc, 50);
	scene_hold(f.sc, 2, JOB_HOLD_SYSTEM);
	scene_play(f.sc, 150);
	scene_release(f.sc, 2, JOB_HOLD_SYSTEM);
	scene_play(f.sc, 1000);
	track = track_of(&f, 2, PLENTY);
	check_sum(&track);
	assert_int_equal(track.row.start_s, 200);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_BY_PEOPLE);
	assert_int_equal(track.by[ESTIMATE_BY_PEOPLE].moved_s, 100);
	foretold_end(&f);
}

/* At 30 `who` adds a second node, on which job 2 starts at once, 70 s before job 1 ends. */
static enum estimate_cause cause_of_an_added_node(const char *who)
{
	struct event ev = {.kind = EVENT_NODE, .who = who, .node = {.name = "n002", .procs = 4}};
	struct estimate_track track;
	enum estimate_cause cause;
	struct foretold f;

	begin(&f);
	scene_go(f.sc, 30);
	scene_apply(f.sc, &ev);
	scene_pass(f.sc);
	scene_play(f.sc, 1000);
	track = track_of(&f, 2, PLENTY);
	check_sum(&track);
	cause = estimate_main_cause(&track);
	assert_int_equal(track.by[cause].moved_s, -70);
	assert_int_equal(track.by[cause].entries, 1);
	foretold_end(&f);
	return cause;
}

static void a_node_change_is_attributed_to_its_author(void **state)
{
	(void)state;
	assert_int_equal(cause_of_an_added_node("sched"), ESTIMATE_BY_MACHINE);
	assert_int_equal(cause_of_an_added_node("root"), ESTIMATE_BY_PEOPLE);
}

/* Job 1 is suspended from 30 until 50: job 2 starts at 120 instead of 100. */
static void a_suspend_is_attributed_to_its_author(void **state)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = 1, .until_s = 50, .suspend.on = true};
	struct estimate_track track;
	struct foretold f;

	(void)state;
	begin(&f);
	scene_go(f.sc, 30);
	scene_apply(f.sc, &ev);
	scene_go(f.sc, 50);
	scene_take_returns(f.sc);
	scene_play(f.sc, 1000);
	track = track_of(&f, 2, PLENTY);
	check_sum(&track);
	assert_int_equal(track.row.start_s, 120);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_BY_PEOPLE);
	assert_int_equal(track.by[ESTIMATE_BY_PEOPLE].moved_s, 20);
	foretold_end(&f);
}

static void opposing_causes_are_both_reported(void **state)
{
	struct foretold f;
	struct estimate_track track;

	(void)state;
	begin(&f);
	scene_go(f.sc, 30);
	scene_add(f.sc, (struct scene_job){.user = "vip", .procs = 4, .wall_s = 500});
	scene_go(f.sc, 40);
	scene_end(f.sc, 1);
	scene_pass(f.sc);
	scene_play(f.sc, 5000);
	track = track_of(&f, 2, PLENTY);
	check_sum(&track);
	assert_int_equal(track.by[ESTIMATE_BY_ARRIVAL].moved_s, 500);
	assert_int_equal(track.by[ESTIMATE_BY_END].moved_s, -60);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_BY_ARRIVAL);
	foretold_end(&f);
}

static void a_cancelled_end_is_attributed_to_people(void **state)
{
	struct foretold f;
	struct estimate_track track;

	(void)state;
	begin(&f);
	scene_go(f.sc, 40);
	scene_cancel(f.sc, 1);
	scene_end(f.sc, 1);
	scene_pass(f.sc);
	scene_play(f.sc, 1000);
	track = track_of(&f, 2, PLENTY);
	check_sum(&track);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_BY_PEOPLE);
	assert_int_equal(track.by[ESTIMATE_BY_PEOPLE].moved_s, -60);
	foretold_end(&f);
}

static void a_job_that_starts_as_estimated_has_no_cause(void **state)
{
	struct foretold f;
	struct estimate_track track;

	(void)state;
	begin(&f);
	scene_play(f.sc, 1000);
	track = track_of(&f, 3, PLENTY);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_CAUSES);
	for (int cause = 0; cause < ESTIMATE_CAUSES; cause++)
		assert_int_equal(track.by[cause].entries, 0);
	foretold_end(&f);
}

static void a_track_beyond_the_cost_limit_is_lost(void **state)
{
	struct foretold f;
	struct estimate_track track;

	(void)state;
	begin(&f);
	scene_go(f.sc, 40);
	scene_end(f.sc, 1);
	scene_pass(f.sc);
	scene_play(f.sc, 1000);
	track = track_of(&f, 3, 1);
	assert_true(track.lost);
	foretold_end(&f);
}

/* At 100 root starts job 3, although job 2 is next. */
static void a_forced_start_is_attributed_to_people(void **state)
{
	const struct alloc_run run = {.nodes = 1, .procs = 4, .tasks = 4};
	struct event ev = {.kind = EVENT_START, .job = 3, .who = "root", .start = {.runs = &run, .count = 1}};
	struct estimate_track track;
	struct foretold f;

	(void)state;
	begin(&f);
	scene_go(f.sc, 100);
	scene_apply(f.sc, &ev);
	scene_play(f.sc, 1000);
	track = track_of(&f, 3, PLENTY);
	check_sum(&track);
	assert_int_equal(track.row.start_s, 100);
	assert_int_equal(estimate_main_cause(&track), ESTIMATE_BY_PEOPLE);
	assert_int_equal(track.by[ESTIMATE_BY_PEOPLE].most_seq, ev.seq);
	foretold_end(&f);
}

/* Job 1 releases its processors at 30, job 4 uses them until 80, then job 1 continues until 150. */
static void moves_add_up_across_a_suspend(void **state)
{
	struct event ev = {.kind = EVENT_SUSPEND,
			   .job = 1,
			   .until_s = 50,
			   .suspend = {.on = true, .how = SUSPEND_RELEASE}};
	struct estimate_track track;
	struct foretold f;

	(void)state;
	begin(&f);
	scene_go(f.sc, 30);
	scene_apply(f.sc, &ev);
	scene_start(f.sc, scene_add(f.sc, (struct scene_job){.procs = 4, .wall_s = 50}), 0, 1, 4);
	scene_go(f.sc, 50);
	scene_take_returns(f.sc);
	scene_play(f.sc, 1000);
	track = track_of(&f, 2, PLENTY);
	check_sum(&track);
	assert_int_equal(track.row.start_s, 150);
	assert_true(track.by[ESTIMATE_BY_PEOPLE].entries > 0);
	foretold_end(&f);
}

/* Tracks jobs 2 and 3 with increasing cost limits; one of them is reached after job 2 has started. */
static void a_job_started_before_the_cost_limit_is_not_lost(void **state)
{
	const struct estimate_setup setup = {.full_every = 1};
	const struct estimate_row *row[2];
	struct estimate_tracker tracker;
	struct foretold f;
	struct state *before, *copy;
	bool lost = false;

	(void)state;
	begin(&f);
	scene_play(f.sc, 120);
	scene_submit(f.sc, 4, 100);
	scene_submit(f.sc, 4, 100);
	scene_play(f.sc, 1000);
	before = state_from_snapshot(state_view(f.told.before));
	foretold_walk(&f, INT64_MIN, 100, &setup);
	row[0] = &f.row[1];
	row[1] = &f.row[2];
	for (uint64_t most = 1; most < 40; most++) {
		copy = state_from_snapshot(state_view(before));
		estimate_tracker_begin(&tracker, copy, row, 2, most, &setup);
		for (size_t i = 0; i < f.told.count && !estimate_tracker_is_done(&tracker); i++)
			assert_true(estimate_tracker_take(&tracker, &f.told.event[i], NULL));
		assert_true(estimate_tracker_is_done(&tracker));
		assert_true(tracker.track[1].lost || !tracker.track[0].lost);
		lost |= tracker.track[1].lost && !tracker.track[0].lost;
		estimate_tracker_clear(&tracker);
		state_free(copy);
	}
	assert_true(lost);
	state_free(before);
	foretold_end(&f);
}

static void an_inconsistent_entry_is_refused(void **state)
{
	const struct estimate_setup setup = {.full_every = 1};
	const struct estimate_row *row[1];
	struct estimate_tracker tracker;
	struct event end = {.kind = EVENT_END, .job = 77};
	struct state *before;
	struct foretold f;
	struct err err;

	(void)state;
	begin(&f);
	scene_play(f.sc, 1000);
	before = state_from_snapshot(state_view(f.told.before));
	foretold_walk(&f, INT64_MIN, 100, &setup);
	row[0] = &f.row[1];
	estimate_tracker_begin(&tracker, before, row, 1, PLENTY, &setup);
	assert_false(estimate_tracker_take(&tracker, &f.told.event[1], &err));
	assert_non_null(strstr(err.text, "no longer stored"));
	end.seq = f.told.event[0].seq;
	end.time_s = f.told.event[0].time_s;
	assert_false(estimate_tracker_take(&tracker, &end, &err));
	assert_non_null(strstr(err.text, "does not fit the state before it"));
	assert_non_null(strstr(err.text, "77"));
	estimate_tracker_clear(&tracker);
	state_free(before);
	foretold_end(&f);
}

static void causes_have_names(void **state)
{
	(void)state;
	assert_string_equal(estimate_cause_name(ESTIMATE_BY_END), "ends");
	assert_string_equal(estimate_cause_name(ESTIMATE_BY_TIME), "time");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_early_end_is_reported_with_its_job),
		cmocka_unit_test(a_later_job_that_started_first_is_reported),
		cmocka_unit_test(a_hold_is_the_cause_of_an_unknown_start),
		cmocka_unit_test(a_node_change_is_attributed_to_its_author),
		cmocka_unit_test(a_suspend_is_attributed_to_its_author),
		cmocka_unit_test(opposing_causes_are_both_reported),
		cmocka_unit_test(a_cancelled_end_is_attributed_to_people),
		cmocka_unit_test(a_job_that_starts_as_estimated_has_no_cause),
		cmocka_unit_test(a_track_beyond_the_cost_limit_is_lost),
		cmocka_unit_test(a_forced_start_is_attributed_to_people),
		cmocka_unit_test(moves_add_up_across_a_suspend),
		cmocka_unit_test(a_job_started_before_the_cost_limit_is_not_lost),
		cmocka_unit_test(an_inconsistent_entry_is_refused),
		cmocka_unit_test(causes_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
