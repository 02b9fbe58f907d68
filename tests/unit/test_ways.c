/* SPDX-License-Identifier: MIT */
/*
 * test_ways.c - which changes would start the job that somebody looks at?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "looking.h"
#include "tui/query/ways.h"

/* One processor, taken until 100; 2 waits for it, 3 comes after. */
static struct scene *queue_of_two(void)
{
	struct scene *sc = scene_new(1, 1);

	for (int i = 0; i < 3; i++) {
		scene_submit(sc, 1, 100);
		scene_pass(sc);
	}
	return sc;
}

/* As the worker does it, on the outlook. */
static struct ways *looked_for(struct looking *l, struct scene *sc, const char *line, uint64_t job,
			       int64_t by_s)
{
	struct ways *w;

	looking_begin(l, sc, line);
	l->o->holders++; /* the looking's own */
	w = ways_new(l->o, job, by_s, NULL);
	w->work.ops->run(&w->work);
	return w;
}

static void what_starts_the_job_at_once_is_found(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct ways *w = looked_for(&l, sc, NULL, 2, TIME_NONE);

	(void)state;
	assert_true(w->whole);
	assert_int_equal(ways_due_s(w), sc->now_s);
	assert_int_equal(w->found.start_s, 100);
	assert_int_equal(w->found.count, 1);
	assert_true(w->found.change[0].ev.kind == EVENT_CANCEL && w->found.change[0].ev.job == 1);
	ways_free(w);
	looking_end(&l);
	scene_free(sc);
}

static void a_time_that_was_named_counts_unless_it_has_passed(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct ways *w = looked_for(&l, sc, NULL, 3, 100);

	(void)state;
	assert_int_equal(ways_due_s(w), 100);
	assert_true(w->whole && w->found.count > 0);
	assert_int_equal(w->found.by_s, 100);
	w->by_s = sc->now_s - 50;
	assert_int_equal(ways_due_s(w), sc->now_s);
	ways_free(w);
	looking_end(&l);
	scene_free(sc);
}

static void a_job_that_has_gone_gives_no_answer(void **state)
{
	struct scene *sc = queue_of_two();
	struct looking l;
	struct ways *w = looked_for(&l, sc, NULL, 99, TIME_NONE);

	(void)state;
	assert_false(w->whole);
	assert_int_equal(w->found.count, 0);
	ways_free(w);
	looking_end(&l);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_starts_the_job_at_once_is_found),
		cmocka_unit_test(a_time_that_was_named_counts_unless_it_has_passed),
		cmocka_unit_test(a_job_that_has_gone_gives_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
