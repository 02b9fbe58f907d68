/* SPDX-License-Identifier: MIT */
/*
 * estimates.c - past estimates are reproduced exactly, and their errors are attributed completely
 *
 * A cluster with active operators runs for a while. The estimates from one walk over its journal are compared
 * with those from a simple method: for each estimate the state of that time is rebuilt. The moves of each
 * start sum to its error, for every job.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/estimate.h"
#include "tests/chance.h"
#include "tests/many.h"
#include "tests/told.h"

#define STEPS  60
#define PLENTY INT64_C(1000000000)

/* Records a random run; some jobs wait and some run when the record begins. */
static void record_run(struct rng *rng, struct told *t)
{
	unsigned kinds = CHANCE_TASKS | CHANCE_ARRAYS | (chance_below(rng, 2) ? CHANCE_LIMITS : 0) |
			 (chance_below(rng, 2) ? CHANCE_DATES | CHANCE_RESERVED : 0);
	struct scene *sc = chance_scene(rng, kinds);

	for (unsigned i = 0; i < STEPS; i++) {
		if (i == STEPS / 4)
			told_begin(t, sc);
		chance_step(rng, sc, kinds, 4);
		scene_pass(sc);
	}
	scene_free(sc);
}

/* --- the simple method ---------------------------------------------------------------------------- */

static bool is_submission_of(const struct event *ev, uint64_t job)
{
	return ev->kind == EVENT_SUBMIT && job >= ev->job && job < ev->job + job_record_tasks(&ev->submit);
}

/* The start that the plan names in the state after the given number of entries. */
static int64_t planned(const struct told *t, size_t entries, uint64_t job, int64_t at_s)
{
	struct state *st = state_from_snapshot(state_view(t->before));
	struct plan plan = {.slots = 0};
	uint32_t slot;
	int64_t start_s = TIME_NONE;

	for (size_t i = 0; i < entries; i++)
		assert_true(estimate_follow(st, &t->event[i], NULL));
	slot = snapshot_find_job(state_view(st), job);
	if (slot != INDEX_NONE && snapshot_jobs(state_view(st))[slot].state == JOB_IDLE) {
		plan_build(&plan, state_view(st), at_s);
		start_s = plan.start_s[slot];
	}
	plan_clear(&plan);
	state_free(st);
	return start_s;
}

static int64_t at_submission(const struct told *t, const struct estimate_row *row)
{
	for (size_t i = 0; i < t->count; i++)
		if (is_submission_of(&t->event[i], row->job))
			return planned(t, i + 1, row->job, t->event[i].time_s);
	return TIME_NONE;
}

static int64_t at_moment(const struct told *t, const struct estimate_row *row, int64_t at_s)
{
	size_t entries = 0;

	if (at_s < t->from_s)
		return TIME_NONE;
	while (entries < t->count && t->event[entries].time_s <= at_s)
		entries++;
	return planned(t, entries, row->job, at_s);
}

static void check_row(const struct told *t, const struct estimate_row *row)
{
	int64_t wait_s = row->start_s - row->submit_s;
	int64_t half_s = wait_s < 2 ? TIME_NONE : at_moment(t, row, row->submit_s + wait_s / 2);
	int64_t hour_s =
		wait_s <= ESTIMATE_HOUR_S ? TIME_NONE : at_moment(t, row, row->start_s - ESTIMATE_HOUR_S);

	assert_true(row->said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT] == at_submission(t, row));
	assert_true(row->said_s[ESTIMATE_HALFWAY][ESTIMATE_INSTANT] == half_s);
	assert_true(row->said_s[ESTIMATE_HOUR_BEFORE][ESTIMATE_INSTANT] == hour_s);
}

/* --- one walk ------------------------------------------------------------------------------------- */

static const struct estimate_setup setup = {.full_every = 1};

static struct estimate_row *walked(struct told *t, size_t *count)
{
	struct estimate_starts starts = {.job = NULL};
	struct state *st = state_from_snapshot(state_view(t->before));
	struct estimate_walk w;
	struct estimate_row *row;

	estimate_starts_begin(&starts, state_view(t->before), INT64_MIN);
	for (size_t i = 0; i < t->count; i++)
		estimate_starts_take(&starts, &t->event[i]);
	row = estimate_starts_choose(&starts, SIZE_MAX, count);
	estimate_starts_clear(&starts);
	estimate_walk_begin(&w, st, t->from_s, row, *count, &setup);
	for (size_t i = 0; i < t->count; i++)
		assert_true(estimate_walk_take(&w, &t->event[i], NULL));
	estimate_walk_clear(&w);
	state_free(st);
	return row;
}

static void check_track(const struct estimate_track *track)
{
	int64_t sum_s = 0, error_s = 0;

	assert_true(track->ended && !track->lost);
	assert_true(estimate_error(&track->row, ESTIMATE_SUBMITTED, ESTIMATE_FULL, &error_s));
	for (int cause = 0; cause < ESTIMATE_CAUSES; cause++)
		sum_s += track->by[cause].moved_s;
	assert_true(sum_s == error_s);
}

static void check_tracks(const struct told *t, const struct estimate_row *const *row, size_t count)
{
	struct state *st = state_from_snapshot(state_view(t->before));
	struct estimate_tracker f;

	estimate_tracker_begin(&f, st, row, count, PLENTY, &setup);
	for (size_t i = 0; i < t->count; i++)
		assert_true(estimate_tracker_take(&f, &t->event[i], NULL));
	for (size_t i = 0; i < count; i++)
		check_track(&f.track[i]);
	estimate_tracker_clear(&f);
	state_free(st);
}

static void past_estimates_are_exact_and_errors_attributed(void **state)
{
	struct rng rng = seeded("estimates");
	unsigned rows = 0, wrong = 0;

	(void)state;
	for (unsigned round = 0; round < many(40); round++) {
		const struct estimate_row *worst[ESTIMATE_TRACKS];
		struct estimate_row *row;
		struct told t;
		size_t count, bad;

		record_run(&rng, &t);
		row = walked(&t, &count);
		for (size_t i = 0; i < count; i++)
			check_row(&t, &row[i]);
		bad = estimate_worst(row, count, ESTIMATE_SUBMITTED, ESTIMATE_FULL, worst, ESTIMATE_TRACKS);
		check_tracks(&t, worst, bad);
		rows += (unsigned)count;
		wrong += (unsigned)bad;
		estimate_rows_free(row, count);
		told_end(&t);
	}
	printf("# %u starts, %u of them followed\n", rows, wrong);
	assert_true(rows > 0);
	assert_true(wrong > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(past_estimates_are_exact_and_errors_attributed)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
