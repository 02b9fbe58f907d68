/* SPDX-License-Identifier: MIT */
/*
 * test_headroom.c - starts of the jobs that a limit holds back, for other values of the limit
 *
 * Four processors and a limit: job 1 runs until 100; jobs 2 and 3 wait only because of the limit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "looking.h"
#include "tui/query/headroom.h"

struct measured {
	struct scene *sc;
	struct looking l;
	struct limit_list list;
	struct headroom *h;
};

/* Prepares the query for the limit that holds back most of three jobs. `draft`: a command to be drafted, or
 * NULL. */
static void measure(struct measured *m, const char *config, const char *draft)
{
	const struct forecast *f;

	*m = (struct measured){.sc = scene_new(4, 1)};
	scene_config(m->sc, config);
	for (int i = 0; i < 3; i++)
		scene_submit(m->sc, 1, 100);
	scene_pass(m->sc);
	looking_begin(&m->l, m->sc, draft);
	f = draft ? &m->l.o->draft : &m->l.o->live;
	limit_list_build(&m->list, f->s, &f->plan);
	assert_true(m->list.count > 0);
	m->l.o->holders++; /* the reference of m->l */
	m->h = headroom_new(m->l.o, &m->list.row[0]);
}

static void end(struct measured *m)
{
	headroom_free(m->h);
	limit_list_free(&m->list);
	looking_end(&m->l);
	scene_free(m->sc);
}

static void check(const struct headroom *h, size_t at, const char *value, uint32_t at_once, int64_t first_s,
		  int64_t last_s)
{
	const struct headroom_point *point = &h->point[at];

	assert_true(at < h->points);
	assert_string_equal(point->value, value);
	assert_false(point->refused);
	assert_int_equal(point->at_once, at_once);
	assert_int_equal(point->started, h->held);
	assert_int_equal(point->first_s, first_s);
	assert_int_equal(point->last_s, last_s);
}

static void the_current_value_is_compared_with_values_for_one_and_for_all_jobs(void **state)
{
	struct measured m;

	(void)state;
	measure(&m, "user u1 { maxjob = {\"1\"} }\n", NULL);
	assert_true(headroom_is_asked(&m.list.row[0]));
	assert_true(headroom_build(m.h));
	assert_int_equal(m.h->held, 2);
	assert_int_equal(m.h->points, 3);
	check(m.h, 0, "1", 0, 100, 200);
	check(m.h, 1, "2", 1, 0, 100);
	check(m.h, 2, "3", 2, 0, 0);
	end(&m);
}

/* With hardpass, jobs run up to the hard value, so the hard value holds the rest. */
static void raising_the_hard_value_also_raises_the_soft_value(void **state)
{
	struct measured m;

	(void)state;
	measure(&m, "hardpass = resources\nuser u1 { maxjob = {\"1,2\"} }\n", NULL);
	assert_true(headroom_build(m.h));
	assert_int_equal(m.h->held, 1);
	assert_int_equal(m.h->points, 2);
	check(m.h, 0, "1,2", 0, 100, 100);
	check(m.h, 1, "3", 1, 0, 0);
	end(&m);
}

static void a_value_in_between_is_tried_if_one_job_uses_much_of_the_limit(void **state)
{
	struct measured m;

	(void)state;
	measure(&m, "user u1 { maxps = {\"150\"} }\n", NULL);
	assert_true(headroom_build(m.h));
	assert_int_equal(m.h->points, 4);
	check(m.h, 0, "150", 0, 50, 100);
	check(m.h, 1, "175", 0, 25, 75);
	check(m.h, 2, "200", 1, 0, 50);
	check(m.h, 3, "300", 2, 0, 0);
	end(&m);
}

static void values_are_tried_on_the_draft(void **state)
{
	struct measured m;

	(void)state;
	measure(&m, "user u1 { maxjob = {\"1\"} }\n", "tune user[u1].maxjob 2");
	assert_true(headroom_build(m.h));
	assert_int_equal(m.h->held, 1);
	assert_int_equal(m.h->points, 2);
	check(m.h, 0, "2", 0, 100, 100);
	check(m.h, 1, "3", 1, 0, 0);
	end(&m);
}

static void a_query_that_is_no_longer_wanted_stops(void **state)
{
	struct measured m;

	(void)state;
	measure(&m, "user u1 { maxjob = {\"1\"} }\n", NULL);
	atomic_store(&m.h->query.unwanted, true);
	assert_false(headroom_build(m.h));
	assert_false(m.h->query.whole);
	end(&m);
}

static void a_limit_that_holds_no_job_has_no_points(void **state)
{
	struct measured m;

	(void)state;
	measure(&m, "user u1 { maxjob = {\"8\"} }\n", NULL);
	assert_false(headroom_is_asked(&m.list.row[0]));
	assert_true(headroom_build(m.h));
	assert_int_equal(m.h->points, 0);
	assert_true(headroom_same(&m.h->row, &m.list.row[0]));
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_current_value_is_compared_with_values_for_one_and_for_all_jobs),
		cmocka_unit_test(raising_the_hard_value_also_raises_the_soft_value),
		cmocka_unit_test(a_value_in_between_is_tried_if_one_job_uses_much_of_the_limit),
		cmocka_unit_test(values_are_tried_on_the_draft),
		cmocka_unit_test(a_query_that_is_no_longer_wanted_stops),
		cmocka_unit_test(a_limit_that_holds_no_job_has_no_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
