/* SPDX-License-Identifier: MIT */
/*
 * test_foresight.c - projections of the queue and of a draft, and the effects of single edits
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "looking.h"
#include "tui/query/projection_query.h"

/* One node of two processors; job 1 runs, 2 and 3 wait in this order, for all of it. */
static struct scene *queue_of_two(void)
{
	struct scene *sc = scene_new(1, 2);

	scene_config(sc, "queuetimeweight = 1\n");
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 100);
	return sc;
}

static struct projection_query *projection(struct looking *l, struct run_assumption *run_assumption,
					   const struct projection_query *before)
{
	struct projection_query *f = projection_query_new(l->o, run_assumption, before);

	l->o->holders++; /* the looking's own */
	assert_true(projection_query_build(f));
	return f;
}

static const struct whatif_job *job_of(const struct projection_query *f, uint64_t id)
{
	for (size_t i = 0; i < f->compared.count; i++)
		if (f->compared.job[i].job == id)
			return &f->compared.job[i];
	fail_msg("job %u does not wait", (unsigned)id);
	return NULL;
}

static void both_queues_are_run_ahead_and_compared(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct projection_query *f;

	(void)state;
	looking_begin(&l, sc, "set 3 priority=10");
	f = projection(&l, NULL, NULL);
	assert_true(f->query.whole);
	assert_int_equal(job_of(f, 2)->start_before_s, 100);
	assert_int_equal(job_of(f, 2)->start_after_s, 200);
	assert_int_equal(job_of(f, 3)->start_after_s, 100);
	assert_int_equal(f->compared.later, 1);
	assert_int_equal(atomic_load(&f->waiting), 4);
	assert_int_equal(atomic_load(&f->started), 4);
	projection_query_free(f);
	looking_end(&l);
	scene_free(sc);
}

static void without_a_draft_both_sides_are_the_same(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct projection_query *f;

	(void)state;
	looking_begin(&l, sc, NULL);
	f = projection(&l, NULL, NULL);
	assert_null(f->draft);
	assert_int_equal(job_of(f, 3)->start_before_s, 200);
	assert_int_equal(job_of(f, 3)->start_after_s, 200);
	projection_query_free(f);
	looking_end(&l);
	scene_free(sc);
}

static void the_same_queue_is_run_ahead_once(void **state)
{
	struct scene *sc = queue_of_two();
	struct run_assumption *run_assumption = run_assumption_new(ASSUME_MEDIAN);
	struct looking l;
	struct projection_query *first, *second, *third;

	(void)state;
	looking_begin(&l, sc, "hold 2");
	first = projection(&l, NULL, NULL);
	second = projection(&l, NULL, first);
	assert_ptr_equal(second->live, first->live);
	assert_ptr_not_equal(second->draft, first->draft);
	assert_int_equal(atomic_load(&first->waiting), 4);
	assert_int_equal(atomic_load(&second->waiting), 2);
	third = projection(&l, run_assumption, second);
	assert_ptr_not_equal(third->live, second->live);
	assert_false(projection_query_same_queue(third, l.o, NULL));
	projection_query_free(first);
	projection_query_free(second);
	assert_true(third->live->done);
	projection_query_free(third);
	run_assumption_drop(run_assumption);
	looking_end(&l);
	scene_free(sc);
}

static void jobs_run_for_as_much_of_their_limits_as_is_assumed(void **state)
{
	struct scene *sc = queue_of_two();
	struct run_assumption *run_assumption = run_assumption_new(ASSUME_HISTORY);
	struct looking l;
	struct projection_query *f;

	(void)state;
	for (unsigned i = 0; i < ASSUME_JOBS_LEAST; i++)
		accuracy_note(&run_assumption->accuracy, "u1", 50, 100);
	looking_begin(&l, sc, NULL);
	f = projection(&l, run_assumption, NULL);
	assert_int_equal(job_of(f, 2)->start_before_s, 50);
	assert_int_equal(job_of(f, 3)->start_before_s, 100);
	projection_query_free(f);
	run_assumption_drop(run_assumption);
	looking_end(&l);
	scene_free(sc);
}

static void what_nobody_wants_is_broken_off(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct projection_query *f;

	(void)state;
	looking_begin(&l, sc, "hold 2");
	f = projection_query_new(l.o, NULL, NULL);
	l.o->holders++;
	atomic_store(&f->query.unwanted, true);
	assert_false(projection_query_build(f));
	assert_false(f->query.whole);
	assert_false(f->live->done);
	projection_query_free(f);
	looking_end(&l);
	scene_free(sc);
}

static void a_study_says_what_each_edit_does_and_what_is_odd_since(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct projection_query *f;
	struct ablation_query *s;
	struct str text = {0};

	(void)state;
	looking_begin(&l, sc, "set 3 priority=10");
	l.o->holders++;
	f = projection(&l, NULL, NULL);
	s = ablation_query_new(f, true);
	assert_true(ablation_query_build(s));
	assert_int_equal(s->ablate.count, 1);
	assert_int_equal(s->ablate.whole.changed, 2);
	ablate_print(&s->ablate, l.o->live.s, &text);
	assert_non_null(strstr(str_text(&text), "edit 1 "));
	ablation_query_free(s);
	projection_query_free(f);
	looking_end(&l);
	str_free(&text);

	looking_begin(&l, sc, "tune user[u1].maxproc 1");
	l.o->holders++;
	f = projection(&l, NULL, NULL);
	s = ablation_query_new(f, false);
	assert_true(ablation_query_build(s));
	assert_int_equal(s->ablate.count, 0);
	assert_true(lint_count(&s->odd, SEVERITY_WARNING) + lint_count(&s->odd, SEVERITY_ERROR) > 0);
	ablation_query_free(s);
	projection_query_free(f);
	looking_end(&l);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_queues_are_run_ahead_and_compared),
		cmocka_unit_test(without_a_draft_both_sides_are_the_same),
		cmocka_unit_test(the_same_queue_is_run_ahead_once),
		cmocka_unit_test(jobs_run_for_as_much_of_their_limits_as_is_assumed),
		cmocka_unit_test(what_nobody_wants_is_broken_off),
		cmocka_unit_test(a_study_says_what_each_edit_does_and_what_is_odd_since),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
