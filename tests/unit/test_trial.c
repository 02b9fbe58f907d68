/* SPDX-License-Identifier: MIT */
/*
 * test_trial.c - is what somebody asks about the draft found on top of it, and given up when told to?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "looking.h"
#include "tui/query/trial.h"

/* One processor, taken until 100; bob's job of 200 s is before eva's of 100 s. */
static struct scene *queue(void)
{
	struct scene *sc = scene_new(1, 1);

	scene_config(sc, "queuetimeweight = 0\nwalltimeweight = 50\nuserweight = 1\n"
			 "user eva { priority = 3000 }\n");
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 200});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100});
	return sc;
}

static void look(struct looking *l, struct scene *sc, const char *line)
{
	looking_begin(l, sc, line);
	l->o->holders++; /* the looking's own */
}

static void a_sweep_tells_each_value_and_the_best(void **state)
{
	struct scene *sc = queue();
	struct looking l;
	struct trial *t;

	(void)state;
	look(&l, sc, NULL);
	t = trial_sweep(l.o, NULL, 3, "walltimeweight=0|29|30|60", NULL);
	assert_non_null(t);
	assert_true(trial_build(t));
	assert_int_equal(t->sweep.points, 4);
	assert_int_equal(t->sweep.live.watch_s, 300);
	assert_int_equal(t->sweep.point[1].watch_s, 100);
	assert_int_equal(t->sweep.point[1].reordered, 2);
	assert_int_equal(t->sweep.point[2].watch_s, 300);
	assert_int_equal(t->sweep.point[2].reordered, 0);
	assert_int_equal(sweep_best(&t->sweep), 0);
	assert_int_equal(atomic_load(&t->done), 4);
	assert_int_equal(atomic_load(&t->of), 5);
	trial_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void a_sweep_stands_on_top_of_the_draft(void **state)
{
	struct scene *sc = queue();
	struct looking l;
	struct trial *t;

	(void)state;
	look(&l, sc, "tune userweight=0");
	t = trial_sweep(l.o, NULL, 3, "walltimeweight=1|29", NULL);
	assert_true(trial_build(t));
	assert_int_equal(t->sweep.point[0].watch_s, 300);
	assert_int_equal(t->sweep.point[1].watch_s, 300);
	assert_int_equal(sweep_best(&t->sweep), INDEX_NONE);
	trial_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void a_sweep_of_values_that_are_all_refused_says_why(void **state)
{
	struct scene *sc = queue();
	struct looking l;
	struct trial *t;

	(void)state;
	look(&l, sc, NULL);
	t = trial_sweep(l.o, NULL, 0, "backfillpolicy=nonsense", NULL);
	assert_false(trial_build(t));
	assert_non_null(strstr(t->err.text, "nonsense"));
	trial_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void words_that_cannot_be_read_ask_nothing(void **state)
{
	struct scene *sc = queue();
	struct looking l;
	struct err err;

	(void)state;
	look(&l, sc, NULL);
	assert_null(trial_sweep(l.o, NULL, 0, "walltimeweight", &err));
	assert_non_null(strstr(err.text, "over which values?"));
	assert_int_equal(l.o->holders, 1); /* nobody else's */
	looking_end(&l);
	scene_free(sc);
}

static void a_goal_is_looked_for_in_the_draft(void **state)
{
	struct scene *sc = queue();
	struct looking l;
	struct trial *t;

	(void)state;
	look(&l, sc, "tune walltimeweight=40");
	t = trial_goal(l.o, NULL, 3, 100);
	assert_true(trial_build(t));
	assert_ptr_equal(trial_base(t), &l.o->draft);
	assert_string_equal(t->goal.way[0].name, "walltimeweight");
	assert_true(t->goal.way[0].now == 40);
	assert_true(t->goal.way[0].number == 29);
	trial_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void what_nobody_wants_is_given_up(void **state)
{
	struct scene *sc = queue();
	struct looking l;
	struct trial *sweep, *goal;

	(void)state;
	look(&l, sc, NULL);
	sweep = trial_sweep(l.o, NULL, 3, "walltimeweight=0..100", NULL);
	goal = trial_goal(l.o, NULL, 3, 100);
	atomic_store(&sweep->work.unwanted, true);
	atomic_store(&goal->work.unwanted, true);
	assert_false(trial_build(sweep));
	assert_false(trial_build(goal));
	trial_free(sweep);
	trial_free(goal);
	looking_end(&l);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sweep_tells_each_value_and_the_best),
		cmocka_unit_test(a_sweep_stands_on_top_of_the_draft),
		cmocka_unit_test(a_sweep_of_values_that_are_all_refused_says_why),
		cmocka_unit_test(words_that_cannot_be_read_ask_nothing),
		cmocka_unit_test(a_goal_is_looked_for_in_the_draft),
		cmocka_unit_test(what_nobody_wants_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
