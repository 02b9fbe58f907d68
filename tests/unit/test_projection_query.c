/* SPDX-License-Identifier: MIT */
/*
 * test_projection_query.c - projections of the queue and of a draft, and the effects of single edits
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "looking.h"
#include "tui/query/projection_query.h"

/* One node with two processors, both of which each job needs. Job 1 runs; jobs 2 and 3 are idle, in this
 * order. */
static struct scene *scene_with_two_idle(void)
{
	struct scene *sc = scene_new(1, 2);

	scene_config(sc, "queuetimeweight = 1\n");
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 100);
	return sc;
}

static struct projection_query *run_projection(struct looking *l, struct run_assumption *run_assumption,
					       const struct projection_query *before)
{
	struct projection_query *f = projection_query_new(l->o, run_assumption, before);

	l->o->holders++; /* the reference of l */
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

static void the_live_queue_and_the_draft_are_projected_and_compared(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	struct projection_query *f;

	(void)state;
	looking_begin(&l, sc, "set 3 priority=10");
	f = run_projection(&l, NULL, NULL);
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
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	struct projection_query *f;

	(void)state;
	looking_begin(&l, sc, NULL);
	f = run_projection(&l, NULL, NULL);
	assert_null(f->draft);
	assert_int_equal(job_of(f, 3)->start_before_s, 200);
	assert_int_equal(job_of(f, 3)->start_after_s, 200);
	projection_query_free(f);
	looking_end(&l);
	scene_free(sc);
}

static void an_unchanged_live_queue_is_not_projected_again(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct run_assumption *run_assumption = run_assumption_new(ASSUME_MEDIAN);
	struct looking l;
	struct projection_query *first, *second, *third;

	(void)state;
	looking_begin(&l, sc, "hold 2");
	first = run_projection(&l, NULL, NULL);
	second = run_projection(&l, NULL, first);
	assert_ptr_equal(second->live, first->live);
	assert_ptr_not_equal(second->draft, first->draft);
	assert_int_equal(atomic_load(&first->waiting), 4);
	assert_int_equal(atomic_load(&second->waiting), 2);
	third = run_projection(&l, run_assumption, second);
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

static void run_times_are_the_assumed_part_of_the_limits(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct run_assumption *run_assumption = run_assumption_new(ASSUME_HISTORY);
	struct looking l;
	struct projection_query *f;

	(void)state;
	for (unsigned i = 0; i < ASSUME_JOBS_LEAST; i++)
		accuracy_note(&run_assumption->accuracy, "u1", 50, 100);
	looking_begin(&l, sc, NULL);
	f = run_projection(&l, run_assumption, NULL);
	assert_int_equal(job_of(f, 2)->start_before_s, 50);
	assert_int_equal(job_of(f, 3)->start_before_s, 100);
	projection_query_free(f);
	run_assumption_drop(run_assumption);
	looking_end(&l);
	scene_free(sc);
}

static void a_projection_that_is_no_longer_wanted_is_abandoned(void **state)
{
	struct scene *sc = scene_with_two_idle();
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

static void an_ablation_reports_the_effect_of_each_edit_and_new_findings(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	struct projection_query *f;
	struct ablation_query *s;
	struct str text = {0};

	(void)state;
	looking_begin(&l, sc, "set 3 priority=10");
	l.o->holders++;
	f = run_projection(&l, NULL, NULL);
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
	f = run_projection(&l, NULL, NULL);
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
		cmocka_unit_test(the_live_queue_and_the_draft_are_projected_and_compared),
		cmocka_unit_test(without_a_draft_both_sides_are_the_same),
		cmocka_unit_test(an_unchanged_live_queue_is_not_projected_again),
		cmocka_unit_test(run_times_are_the_assumed_part_of_the_limits),
		cmocka_unit_test(a_projection_that_is_no_longer_wanted_is_abandoned),
		cmocka_unit_test(an_ablation_reports_the_effect_of_each_edit_and_new_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
