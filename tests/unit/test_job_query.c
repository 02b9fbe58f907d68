/* SPDX-License-Identifier: MIT */
/*
 * test_job_query.c - accuracy of past estimates, and changes that would start a job
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "looking.h"
#include "sched/base/str.h"
#include "tests/told_store.h"
#include "tui/query/job_query.h"

/* --- accuracy of past estimates ------------------------------------------------------------------------ */

static struct accuracy_query *run_accuracy_query(struct told_store *ts)
{
	struct accuracy_query *h = accuracy_query_new(ts->store, scene_view(ts->sc));

	h->query.ops->run(&h->query);
	return h;
}

static void the_median_and_80th_percentile_of_errors_are_printed(void **state)
{
	struct told_store ts;
	struct accuracy_query *h;
	struct str out = {0};

	(void)state;
	told_store_begin(&ts);
	h = run_accuracy_query(&ts);
	assert_true(h->query.whole);
	assert_int_equal(h->last_start_s, 50 * (TOLD_JOBS - 1));
	assert_int_equal(h->errors.at_once, 1);
	assert_true(accuracy_query_print(h, &out));
	/* errors of 50, 100, ... 950 s: the 10th and the 16th of 19 */
	assert_string_equal(str_text(&out),
			    "past estimates (19 starts): half were within 8m, 4 of 5 within 13m");
	str_free(&out);
	accuracy_query_free(h);
	told_store_end(&ts);
}

static void few_starts_give_no_accuracy(void **state)
{
	struct told_store ts;
	struct accuracy_query *h;
	struct str out = {0};

	(void)state;
	told_store_begin(&ts);
	h = run_accuracy_query(&ts);
	h->errors.known = ACCURACY_STARTS_MIN - 1;
	assert_false(accuracy_query_print(h, &out));
	assert_string_equal(str_text(&out), "");
	accuracy_query_free(h);
	told_store_end(&ts);
}

static void an_abandoned_query_prints_nothing(void **state)
{
	struct told_store ts;
	struct accuracy_query *h;
	struct str out = {0};

	(void)state;
	told_store_begin(&ts);
	h = accuracy_query_new(ts.store, scene_view(ts.sc));
	atomic_store(&h->query.unwanted, true);
	h->query.ops->run(&h->query);
	assert_false(h->query.whole);
	assert_false(accuracy_query_print(h, &out));
	h->query.ops->drop(&h->query);
	told_store_end(&ts);
}

static void without_a_running_job_there_is_no_last_start(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	assert_int_equal(accuracy_query_last_start_s(scene_view(sc)), TIME_NONE);
	sc->now_s = 70;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	assert_int_equal(accuracy_query_last_start_s(scene_view(sc)), 70);
	scene_free(sc);
}

/* --- changes that would start a job -------------------------------------------------------------------- */

/* One processor, in use until 100. Jobs 2 and 3 are idle, in this order. */
static struct scene *scene_with_two_idle(void)
{
	struct scene *sc = scene_new(1, 1);

	for (int i = 0; i < 3; i++) {
		scene_submit(sc, 1, 100);
		scene_pass(sc);
	}
	return sc;
}

/* Runs the query as the worker does. */
static struct remedies_query *run_remedies_query(struct looking *l, struct scene *sc, const char *line,
						 uint64_t job, int64_t by_s)
{
	struct remedies_query *w;

	looking_begin(l, sc, line);
	l->o->holders++; /* the reference of l */
	w = remedies_query_new(l->o, job, by_s, NULL);
	w->query.ops->run(&w->query);
	return w;
}

static void a_change_that_starts_the_job_now_is_found(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	struct remedies_query *w = run_remedies_query(&l, sc, NULL, 2, TIME_NONE);

	(void)state;
	assert_true(w->query.whole);
	assert_int_equal(remedies_query_due_s(w), sc->now_s);
	assert_int_equal(w->found.start_s, 100);
	assert_int_equal(w->found.count, 1);
	assert_true(w->found.change[0].ev.kind == EVENT_CANCEL && w->found.change[0].ev.job == 1);
	remedies_query_free(w);
	looking_end(&l);
	scene_free(sc);
}

static void the_requested_time_counts_unless_it_has_passed(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	struct remedies_query *w = run_remedies_query(&l, sc, NULL, 3, 100);

	(void)state;
	assert_int_equal(remedies_query_due_s(w), 100);
	assert_true(w->query.whole && w->found.count > 0);
	assert_int_equal(w->found.by_s, 100);
	w->by_s = sc->now_s - 50;
	assert_int_equal(remedies_query_due_s(w), sc->now_s);
	remedies_query_free(w);
	looking_end(&l);
	scene_free(sc);
}

static void a_missing_job_has_no_remedies(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	struct remedies_query *w = run_remedies_query(&l, sc, NULL, 99, TIME_NONE);

	(void)state;
	assert_false(w->query.whole);
	assert_int_equal(w->found.count, 0);
	remedies_query_free(w);
	looking_end(&l);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_and_80th_percentile_of_errors_are_printed),
		cmocka_unit_test(few_starts_give_no_accuracy),
		cmocka_unit_test(an_abandoned_query_prints_nothing),
		cmocka_unit_test(without_a_running_job_there_is_no_last_start),
		cmocka_unit_test(a_change_that_starts_the_job_now_is_found),
		cmocka_unit_test(the_requested_time_counts_unless_it_has_passed),
		cmocka_unit_test(a_missing_job_has_no_remedies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
