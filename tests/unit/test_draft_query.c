/* SPDX-License-Identifier: MIT */
/*
 * test_draft_query.c - values of a sweep, goals, and their queries on a draft
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "looking.h"
#include "sched/forecast/project.h"
#include "sched/state/draft.h"
#include "tests/scene.h"
#include "tui/query/draft_query.h"

/* --- values of a sweep ---------------------------------------------------------------------------- */

static struct scene *queue(void)
{
	struct scene *sc = scene_new(1, 1);

	scene_config(sc, "xfactorweight = 100\nfsweight = -3\nuser eva { maxps = 300 }\n");
	return sc;
}

/* all: the values, separated by blanks. */
static void expect_values(const char *words, const char *name, const char *all)
{
	struct scene *sc = queue();
	struct arena arena = {0};
	struct sweep_spec read;
	struct str text = {0};

	assert_true(sweep_spec_read(&read, scene_view(sc), words, &arena, NULL));
	assert_string_equal(read.name, name);
	for (size_t i = 0; i < read.values; i++)
		str_addf(&text, "%s%s", i ? " " : "", read.value[i]);
	assert_string_equal(str_text(&text), all);
	str_free(&text);
	arena_free(&arena);
	scene_free(sc);
}

static void ranges_and_lists_are_read(void **state)
{
	(void)state;
	expect_values("xfactorweight=0..100", "xfactorweight", "0 10 20 30 40 50 60 70 80 90 100");
	expect_values("xfactorweight=0..100/3", "xfactorweight", "0 50 100");
	expect_values("user[eva].maxps=300..500/3", "user[eva].maxps", "300 400 500");
	expect_values("backfillpolicy=firstfit|none", "backfillpolicy", "firstfit none");
	expect_values("xfactorweight=7", "xfactorweight", "7");
}

static void expect_refusal(const char *words, const char *why)
{
	struct scene *sc = queue();
	struct arena arena = {0};
	struct sweep_spec read;
	struct err err;

	assert_false(sweep_spec_read(&read, scene_view(sc), words, &arena, &err));
	if (!strstr(err.text, why))
		fail_msg("%s: %s", words, err.text);
	arena_free(&arena);
	scene_free(sc);
}

static void invalid_values_are_refused(void **state)
{
	struct str many = {0};

	(void)state;
	expect_refusal("", "no values given");
	expect_refusal("xfactorweight", "no values given");
	expect_refusal("xfactorweight=", "no values given");
	expect_refusal("nothing=1..2", "there is no option nothing");
	expect_refusal("xfactorweight=3..1", "write the smaller value first");
	expect_refusal("xfactorweight=1..2/1", "from 2 to 100");
	expect_refusal("xfactorweight=1..2/", "from 2 to 100");
	expect_refusal("xfactorweight=1..2/4x", "from 2 to 100");
	expect_refusal("xfactorweight=1..99999999999999999999999999",
		       "xfactorweight must be a number from -1000000000000 to 1000000000000");
	expect_refusal(
		"user[eva].maxps=1..unlimited",
		"unlimited cannot be the end of a range: user[eva].maxps allows 1000000000000000 at most");
	str_add(&many, "xfactorweight=1");
	for (int i = 0; i < SWEEP_VALUES; i++)
		str_add(&many, "|1");
	expect_refusal(str_text(&many), "a sweep can have at most 100 values");
	str_free(&many);
}

static void expect_offer(const char *name, const char *words)
{
	struct scene *sc = queue();
	struct str text = {0};

	sweep_spec_offer(scene_view(sc), name, &text);
	assert_string_equal(str_text(&text), words);
	str_free(&text);
	scene_free(sc);
}

static void the_suggested_range_is_from_zero_to_twice_the_value(void **state)
{
	(void)state;
	expect_offer("xfactorweight", "xfactorweight=0..200");
	expect_offer("fsweight", "fsweight=-6..0");
	expect_offer("credweight", "credweight=0..2");
	expect_offer("userweight", "userweight=0..10");
	expect_offer("user[eva].maxps", "user[eva].maxps=1..600");
	expect_offer("backfillpolicy", "");
	expect_offer("nothing", "");
}

/* --- goals: the smallest change of one setting that starts a job in time -------------------------- */

struct asking {
	struct plan plan;
	struct goal_setup setup;
	struct goal goal;
	struct err err;
	size_t done, of; /* progress as last reported */
	size_t stop_at;  /* progress at which the search is stopped; 0 = never */
};

static void note_progress(void *self, size_t done, size_t of)
{
	struct asking *a = self;

	assert_int_equal(done, a->done + 1);
	a->done = done;
	a->of = of;
}

static bool should_continue(void *self)
{
	const struct asking *a = self;

	return a->stop_at == 0 || a->done < a->stop_at;
}

static bool ask(struct asking *a, const struct scene *sc, uint64_t job, int64_t by_s)
{
	a->done = a->of = 0;
	plan_build(&a->plan, scene_view(sc), sc->now_s);
	a->setup = (struct goal_setup){.s = scene_view(sc),
				       .plan = &a->plan,
				       .job = job,
				       .now_s = sc->now_s,
				       .by_s = by_s,
				       .looked = note_progress,
				       .should_continue = should_continue,
				       .self = a};
	return goal_find(&a->goal, &a->setup, &a->err);
}

static void end(struct asking *a, struct scene *sc)
{
	goal_clear(&a->goal);
	plan_clear(&a->plan);
	scene_free(sc);
}

/* Start of the job with the changed setting, by an independent projection. */
static int64_t start_with(const struct scene *sc, const struct goal_way *way, uint64_t job)
{
	struct event ev = {.kind = EVENT_SETTING, .setting = {.name = way->name, .value = way->value}};
	struct state *st = draft_make(scene_view(sc), &ev, 1, NULL, NULL);
	struct project_setup setup = {.from_s = sc->now_s, .until_s = TIME_NEVER};
	struct projection run = {.start_s = NULL};
	int64_t start_s;

	assert_non_null(st);
	project_run(&run, state_view(st), &setup);
	start_s = run.start_s[snapshot_find_job(state_view(st), job)];
	project_clear(&run);
	state_free(st);
	return start_s;
}

/* One processor, busy until 100; bob's job is before eva's because of its longer limit. */
static struct scene *two_weights(void)
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

static const struct goal_way *way_of(const struct goal *g, const char *name)
{
	for (size_t i = 0; i < g->count; i++)
		if (strcmp(g->way[i].name, name) == 0)
			return &g->way[i];
	return NULL;
}

static void each_remedy_has_the_reported_effect(void **state)
{
	struct scene *sc = two_weights();
	struct asking a = {.done = 0};

	(void)state;
	assert_true(ask(&a, sc, 3, 100));
	assert_true(a.goal.count >= 2);
	assert_int_equal(a.goal.start_s, 300);
	assert_int_equal(a.done, a.of);
	assert_int_equal(a.goal.tried, a.of);
	for (size_t i = 0; i < a.goal.count; i++) {
		assert_int_equal(a.goal.way[i].start_s, 100);
		assert_int_equal(start_with(sc, &a.goal.way[i], 3), 100);
		assert_int_equal(a.goal.way[i].earlier, 0);
		assert_int_equal(a.goal.way[i].later, 1);
		assert_int_equal(a.goal.way[i].most_delayed, 2);
		assert_int_equal(a.goal.way[i].most_delay_s, 100);
	}
	end(&a, sc);
}

static void the_smallest_change_comes_first(void **state)
{
	struct scene *sc = two_weights();
	struct asking a = {.done = 0};

	(void)state;
	assert_true(ask(&a, sc, 3, 100));
	/* 100 w + 3000 > 200 w: 29 is 42 % less than 50; 5000 + 3000 u > 10000: 2 is twice as much */
	assert_string_equal(a.goal.way[0].name, "walltimeweight");
	assert_true(a.goal.way[0].number == 29);
	assert_true(fabs(a.goal.way[0].relative - 0.42) < 1e-9);
	assert_true(way_of(&a.goal, "userweight")->number == 2);
	for (size_t i = 1; i < a.goal.count; i++)
		assert_true(a.goal.way[i - 1].relative <= a.goal.way[i].relative);
	end(&a, sc);
}

static void a_weight_of_zero_comes_last(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct asking a = {.done = 0};
	const struct goal_way *way;

	(void)state;
	scene_config(sc, "queuetimeweight = 1\n");
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 100});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 200});
	assert_true(ask(&a, sc, 3, 100));
	way = way_of(&a.goal, "walltimeweight");
	assert_non_null(way);
	assert_true(way->now == 0 && isinf(way->relative));
	end(&a, sc);
}

static void a_limit_is_raised_no_more_than_needed(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct asking a = {.done = 0};

	(void)state;
	scene_config(sc, "user eva { maxps = 300 }\nuser bob { maxps = 10000 }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 3});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2});
	assert_true(ask(&a, sc, 2, 0));
	assert_int_equal(a.goal.count, 1);
	assert_string_equal(a.goal.way[0].name, "user[eva].maxps");
	assert_true(a.goal.way[0].number == 500);
	assert_true(a.goal.way[0].now == 300);
	assert_int_equal(a.goal.way[0].earlier, 0);
	assert_int_equal(a.goal.way[0].later, 0);
	assert_int_equal(start_with(sc, &a.goal.way[0], 2), 0);
	end(&a, sc);
}

static void a_job_that_starts_in_time_needs_no_change(void **state)
{
	struct scene *sc = two_weights();
	struct asking a = {.done = 0};

	(void)state;
	assert_true(ask(&a, sc, 3, 300));
	assert_true(a.goal.needless);
	assert_int_equal(a.goal.count, 0);
	assert_int_equal(a.goal.start_s, 300);
	end(&a, sc);
}

static void without_a_remedy_the_blocking_reason_is_reported(void **state)
{
	struct scene *sc = two_weights();
	struct asking a = {.done = 0};

	(void)state;
	assert_true(ask(&a, sc, 3, 50)); /* the processor is busy until 100 */
	assert_false(a.goal.needless);
	assert_int_equal(a.goal.count, 0);
	assert_int_equal(a.goal.tried, a.of);
	assert_int_equal(a.goal.start_s, 300);
	assert_non_null(strstr(str_text(&a.goal.holds), "processor"));
	end(&a, sc);
}

static void a_search_can_be_stopped(void **state)
{
	struct scene *sc = two_weights();
	struct asking a = {.stop_at = 2};

	(void)state;
	assert_false(ask(&a, sc, 3, 100));
	assert_true(a.done < a.of);
	end(&a, sc);
}

static void only_idle_jobs_have_a_goal(void **state)
{
	struct scene *sc = two_weights();
	struct asking a = {.done = 0};

	(void)state;
	assert_false(ask(&a, sc, 1, 100));
	assert_non_null(strstr(a.err.text, "is not idle"));
	assert_false(ask(&a, sc, 99, 100));
	end(&a, sc);
}

/* --- queries on a draft --------------------------------------------------------------------------- */

/* One processor, busy until 100; bob's job of 200 s is before eva's of 100 s. */
static struct scene *trial_queue(void)
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

static void begin_query(struct looking *l, struct scene *sc, const char *line)
{
	looking_begin(l, sc, line);
	l->o->holders++; /* a reference held by the test */
}

static void a_sweep_reports_each_value_and_the_best(void **state)
{
	struct scene *sc = trial_queue();
	struct looking l;
	struct draft_query *t;

	(void)state;
	begin_query(&l, sc, NULL);
	t = draft_query_sweep(l.o, NULL, 3, "walltimeweight=0|29|30|60", NULL);
	assert_non_null(t);
	assert_true(draft_query_build(t));
	assert_int_equal(t->sweep.points, 4);
	assert_int_equal(t->sweep.live.watch_s, 300);
	assert_int_equal(t->sweep.point[1].watch_s, 100);
	assert_int_equal(t->sweep.point[1].reordered, 2);
	assert_int_equal(t->sweep.point[2].watch_s, 300);
	assert_int_equal(t->sweep.point[2].reordered, 0);
	assert_int_equal(sweep_best(&t->sweep), 0);
	assert_int_equal(atomic_load(&t->done), 4);
	assert_int_equal(atomic_load(&t->of), 5);
	draft_query_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void a_sweep_includes_the_draft(void **state)
{
	struct scene *sc = trial_queue();
	struct looking l;
	struct draft_query *t;

	(void)state;
	begin_query(&l, sc, "tune userweight=0");
	t = draft_query_sweep(l.o, NULL, 3, "walltimeweight=1|29", NULL);
	assert_true(draft_query_build(t));
	assert_int_equal(t->sweep.point[0].watch_s, 300);
	assert_int_equal(t->sweep.point[1].watch_s, 300);
	assert_int_equal(sweep_best(&t->sweep), INDEX_NONE);
	draft_query_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void a_sweep_whose_values_are_all_refused_gives_an_error(void **state)
{
	struct scene *sc = trial_queue();
	struct looking l;
	struct draft_query *t;

	(void)state;
	begin_query(&l, sc, NULL);
	t = draft_query_sweep(l.o, NULL, 0, "backfillpolicy=nonsense", NULL);
	assert_false(draft_query_build(t));
	assert_non_null(strstr(t->err.text, "nonsense"));
	draft_query_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void an_invalid_sweep_starts_no_query(void **state)
{
	struct scene *sc = trial_queue();
	struct looking l;
	struct err err;

	(void)state;
	begin_query(&l, sc, NULL);
	assert_null(draft_query_sweep(l.o, NULL, 0, "walltimeweight", &err));
	assert_non_null(strstr(err.text, "no values given"));
	assert_int_equal(l.o->holders, 1); /* no reference of a query */
	looking_end(&l);
	scene_free(sc);
}

static void a_goal_is_searched_in_the_draft(void **state)
{
	struct scene *sc = trial_queue();
	struct looking l;
	struct draft_query *t;

	(void)state;
	begin_query(&l, sc, "tune walltimeweight=40");
	t = draft_query_goal(l.o, NULL, 3, 100);
	assert_true(draft_query_build(t));
	assert_ptr_equal(draft_query_base(t), &l.o->draft);
	assert_string_equal(t->goal.way[0].name, "walltimeweight");
	assert_true(t->goal.way[0].now == 40);
	assert_true(t->goal.way[0].number == 29);
	draft_query_free(t);
	looking_end(&l);
	scene_free(sc);
}

static void an_unwanted_query_is_abandoned(void **state)
{
	struct scene *sc = trial_queue();
	struct looking l;
	struct draft_query *sweep, *goal;

	(void)state;
	begin_query(&l, sc, NULL);
	sweep = draft_query_sweep(l.o, NULL, 3, "walltimeweight=0..100", NULL);
	goal = draft_query_goal(l.o, NULL, 3, 100);
	atomic_store(&sweep->query.unwanted, true);
	atomic_store(&goal->query.unwanted, true);
	assert_false(draft_query_build(sweep));
	assert_false(draft_query_build(goal));
	draft_query_free(sweep);
	draft_query_free(goal);
	looking_end(&l);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_and_lists_are_read),
		cmocka_unit_test(invalid_values_are_refused),
		cmocka_unit_test(the_suggested_range_is_from_zero_to_twice_the_value),
		cmocka_unit_test(each_remedy_has_the_reported_effect),
		cmocka_unit_test(the_smallest_change_comes_first),
		cmocka_unit_test(a_weight_of_zero_comes_last),
		cmocka_unit_test(a_limit_is_raised_no_more_than_needed),
		cmocka_unit_test(a_job_that_starts_in_time_needs_no_change),
		cmocka_unit_test(without_a_remedy_the_blocking_reason_is_reported),
		cmocka_unit_test(a_search_can_be_stopped),
		cmocka_unit_test(only_idle_jobs_have_a_goal),
		cmocka_unit_test(a_sweep_reports_each_value_and_the_best),
		cmocka_unit_test(a_sweep_includes_the_draft),
		cmocka_unit_test(a_sweep_whose_values_are_all_refused_gives_an_error),
		cmocka_unit_test(an_invalid_sweep_starts_no_query),
		cmocka_unit_test(a_goal_is_searched_in_the_draft),
		cmocka_unit_test(an_unwanted_query_is_abandoned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
