/* SPDX-License-Identifier: MIT */
/*
 * test_foresight.c - is what is looked at run ahead, with and without the draft, and told what its edits do?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "looking.h"
#include "tui/query/study.h"

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

static struct foresight *foreseen(struct looking *l, struct habits *habits, const struct foresight *before)
{
	struct foresight *f = foresight_new(l->o, habits, before);

	l->o->holders++; /* the looking's own */
	assert_true(foresight_build(f));
	return f;
}

static const struct whatif_job *job_of(const struct foresight *f, uint64_t id)
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
	struct foresight *f;

	(void)state;
	looking_begin(&l, sc, "set 3 priority=10");
	f = foreseen(&l, NULL, NULL);
	assert_true(f->whole);
	assert_int_equal(job_of(f, 2)->start_before_s, 100);
	assert_int_equal(job_of(f, 2)->start_after_s, 200);
	assert_int_equal(job_of(f, 3)->start_after_s, 100);
	assert_int_equal(f->compared.later, 1);
	assert_int_equal(atomic_load(&f->waiting), 4);
	assert_int_equal(atomic_load(&f->started), 4);
	foresight_free(f);
	looking_end(&l);
	scene_free(sc);
}

static void without_a_draft_both_sides_are_the_same(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct foresight *f;

	(void)state;
	looking_begin(&l, sc, NULL);
	f = foreseen(&l, NULL, NULL);
	assert_null(f->draft);
	assert_int_equal(job_of(f, 3)->start_before_s, 200);
	assert_int_equal(job_of(f, 3)->start_after_s, 200);
	foresight_free(f);
	looking_end(&l);
	scene_free(sc);
}

static void the_same_queue_is_run_ahead_once(void **state)
{
	struct scene *sc = queue_of_two();
	struct habits *habits = habits_new(ASSUME_MEDIAN);
	struct looking l;
	struct foresight *first, *second, *third;

	(void)state;
	looking_begin(&l, sc, "hold 2");
	first = foreseen(&l, NULL, NULL);
	second = foreseen(&l, NULL, first);
	assert_ptr_equal(second->live, first->live);
	assert_ptr_not_equal(second->draft, first->draft);
	assert_int_equal(atomic_load(&first->waiting), 4);
	assert_int_equal(atomic_load(&second->waiting), 2);
	third = foreseen(&l, habits, second);
	assert_ptr_not_equal(third->live, second->live);
	assert_false(foresight_same_queue(third, l.o, NULL));
	foresight_free(first);
	foresight_free(second);
	assert_true(third->live->done);
	foresight_free(third);
	habits_drop(habits);
	looking_end(&l);
	scene_free(sc);
}

static void jobs_run_for_as_much_of_their_limits_as_is_assumed(void **state)
{
	struct scene *sc = queue_of_two();
	struct habits *habits = habits_new(ASSUME_HISTORY);
	struct looking l;
	struct foresight *f;

	(void)state;
	for (unsigned i = 0; i < ASSUME_JOBS_LEAST; i++)
		accuracy_note(&habits->accuracy, "u1", 50, 100);
	looking_begin(&l, sc, NULL);
	f = foreseen(&l, habits, NULL);
	assert_int_equal(job_of(f, 2)->start_before_s, 50);
	assert_int_equal(job_of(f, 3)->start_before_s, 100);
	foresight_free(f);
	habits_drop(habits);
	looking_end(&l);
	scene_free(sc);
}

static void what_nobody_wants_is_broken_off(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct foresight *f;

	(void)state;
	looking_begin(&l, sc, "hold 2");
	f = foresight_new(l.o, NULL, NULL);
	l.o->holders++;
	atomic_store(&f->work.unwanted, true);
	assert_false(foresight_build(f));
	assert_false(f->whole);
	assert_false(f->live->done);
	foresight_free(f);
	looking_end(&l);
	scene_free(sc);
}

static void a_study_says_what_each_edit_does_and_what_is_odd_since(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct foresight *f;
	struct study *s;
	struct str text = {0};

	(void)state;
	looking_begin(&l, sc, "set 3 priority=10");
	l.o->holders++;
	f = foreseen(&l, NULL, NULL);
	s = study_new(f, true);
	assert_true(study_build(s));
	assert_int_equal(s->ablate.count, 1);
	assert_int_equal(s->ablate.whole.changed, 2);
	ablate_print(&s->ablate, l.o->live.s, &text);
	assert_non_null(strstr(str_text(&text), "edit 1 "));
	study_free(s);
	foresight_free(f);
	looking_end(&l);
	str_free(&text);

	looking_begin(&l, sc, "tune user[u1].maxproc 1");
	l.o->holders++;
	f = foreseen(&l, NULL, NULL);
	s = study_new(f, false);
	assert_true(study_build(s));
	assert_int_equal(s->ablate.count, 0);
	assert_true(lint_count(&s->odd, SEVERITY_WARNING) + lint_count(&s->odd, SEVERITY_ERROR) > 0);
	study_free(s);
	foresight_free(f);
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
