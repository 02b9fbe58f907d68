/* SPDX-License-Identifier: MIT */
/*
 * test_ablate.c - the effect of each edit of a draft
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/forecast/ablate.h"
#include "tests/scene.h"

#define EDITS_MAX 10

/* One processor, used by job 1 until 100. Jobs 2 to 4 are eva's, of 100 s each; job 5 is bob's, of 10 s. */
static struct scene *queue_with(const char *config)
{
	struct scene *sc = scene_new(1, 1);

	scene_config(sc, config);
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "eva"});
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 10});
	return sc;
}

static struct scene *queue(void)
{
	return queue_with("user eva { maxjob = 1 }\n");
}

static struct event raise_priority(uint64_t job, int64_t points)
{
	return (struct event){.kind = EVENT_PRIORITY,
			      .job = job,
			      .priority = {.adjust = JOB_ADJUST_RELATIVE, .points = points}};
}

static struct event hold(uint64_t job)
{
	return (struct event){.kind = EVENT_HOLD, .job = job, .hold = {.bits = JOB_HOLD_USER, .on = true}};
}

static struct event setting(const char *name, const char *value)
{
	return (struct event){.kind = EVENT_SETTING, .setting = {.name = name, .value = value}};
}

static bool find(struct ablate *a, const struct scene *sc, const struct event *ev, size_t count,
		 bool (*should_continue)(void *, uint32_t), struct err *err)
{
	struct future_setup setup = {.full = true};
	struct future live = {.side = {.s = NULL}};
	bool good;

	future_build(&live, scene_view(sc), &setup);
	setup.should_continue = should_continue;
	good = ablate_find(a, scene_view(sc), &live.side, ev, count, &setup, err);
	future_clear(&live);
	return good;
}

static void expect(const char *sentence, const struct scene *sc, const struct event *ev, size_t count)
{
	struct ablate a = {.edit = NULL};
	struct str text = {0};

	assert_true(find(&a, sc, ev, count, NULL, NULL));
	ablate_print(&a, scene_view(sc), &text);
	assert_string_equal(str_text(&text), sentence);
	str_free(&text);
	ablate_clear(&a);
}

static void the_effect_of_each_edit_is_printed(void **state)
{
	struct scene *sc = queue();
	struct event ev[] = {raise_priority(5, 1000), setting("xfactorcap", "3"), hold(4)};

	(void)state;
	scene_set(sc, "backfillpolicy", "none");
	expect("edit 1 alone causes the whole gain; edit 2 changes no start; edit 3 changes only 4", sc, ev,
	       3);
	scene_free(sc);
}

static void two_edits_with_the_same_effect_are_both_reported(void **state)
{
	struct scene *sc = queue();
	struct event ev[] = {raise_priority(5, 1000), raise_priority(5, 2000)};

	(void)state;
	expect("edit 1 alone causes the whole gain; edit 2 alone causes the whole gain", sc, ev, 2);
	scene_free(sc);
}

/* Job 5 first saves 270 s for four jobs, after job 2 only 180 s: one edit gains more than both, the other
 * loses. */
static void shares_against_the_gain_are_printed_as_durations(void **state)
{
	struct scene *sc = queue_with("");
	struct event ev[] = {raise_priority(5, 1000), raise_priority(2, 2000)};

	(void)state;
	scene_set(sc, "backfillpolicy", "none");
	expect("mean wait: edit 1 saves 0:00:56; edit 2 costs 0:00:11", sc, ev, 2);
	scene_free(sc);
}

static void shares_sum_to_the_gain(void **state)
{
	struct scene *sc = queue();
	struct event ev[] = {raise_priority(5, 1000), raise_priority(4, 500), raise_priority(3, 700),
			     setting("queuetimeweight", "0"), raise_priority(5, 10)};
	struct ablate a = {.edit = NULL};
	double sum = 0;

	(void)state;
	assert_true(find(&a, sc, ev, 5, NULL, NULL));
	assert_true(a.exact);
	assert_int_equal(a.jobs, 4);
	assert_true(a.gain_s != 0);
	assert_true(a.gain_s * a.jobs == (double)a.whole.gain_s);
	for (size_t i = 0; i < a.count; i++)
		sum += a.edit[i].share_s;
	assert_true(fabs(sum - a.gain_s) < 1e-9);
	assert_true(a.remainder_s == 0);
	ablate_clear(&a);
	scene_free(sc);
}

static void many_edits_have_a_remainder(void **state)
{
	struct scene *sc = queue();
	struct event ev[ABLATE_EXACT + 1];
	struct ablate a = {.edit = NULL};
	double sum = 0;

	(void)state;
	for (int i = 0; i < ABLATE_EXACT + 1; i++)
		ev[i] = raise_priority(5, 1000 + i);
	assert_true(find(&a, sc, ev, ABLATE_EXACT + 1, NULL, NULL));
	assert_false(a.exact);
	for (size_t i = 0; i < a.count; i++)
		sum += a.edit[i].share_s;
	assert_true(fabs(sum) < 1e-9);
	assert_true(fabs(a.remainder_s - a.gain_s) < 1e-9);
	assert_true(a.gain_s > 1);
	ablate_clear(&a);
	scene_free(sc);
}

/* The other edits change nothing, so this edit has the whole gain, both alone and as the last one. */
static void the_only_effective_of_many_edits_has_the_whole_gain(void **state)
{
	struct scene *sc = queue();
	struct event ev[ABLATE_EXACT + 1], gains = raise_priority(5, 1000);
	struct ablate whole = {.edit = NULL}, one = {.edit = NULL};

	(void)state;
	assert_true(find(&one, sc, &gains, 1, NULL, NULL));
	assert_true(one.gain_s > 1);
	for (size_t place = 0; place <= ABLATE_EXACT; place++) {
		for (size_t i = 0; i <= ABLATE_EXACT; i++)
			ev[i] = i == place ? gains : setting("xfactorcap", "3");
		assert_true(find(&whole, sc, ev, ABLATE_EXACT + 1, NULL, NULL));
		assert_true(fabs(whole.gain_s - one.gain_s) < 1e-9);
		for (size_t i = 0; i < whole.count; i++) {
			assert_int_equal(whole.edit[i].alone.gain_s, i == place ? whole.whole.gain_s : 0);
			assert_int_equal(whole.edit[i].last.gain_s, i == place ? whole.whole.gain_s : 0);
		}
	}
	ablate_clear(&whole);
	ablate_clear(&one);
	scene_free(sc);
}

static void an_edit_that_needs_another_changes_nothing_alone(void **state)
{
	struct scene *sc = queue();
	struct event ev[] = {
		{.kind = EVENT_SUBMIT,
		 .submit = {.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 500}, .cred = {"bob"}}},
		raise_priority(6, 5000)};
	struct ablate a = {.edit = NULL};

	(void)state;
	assert_true(find(&a, sc, ev, 2, NULL, NULL));
	assert_int_equal(a.edit[1].alone.changed, 0);
	assert_true(a.edit[1].last.later > 0);
	assert_true(a.gain_s < 0);
	ablate_clear(&a);
	scene_free(sc);
}

/* Constructed results; `only` is the job that an edit moves. */
static void each_form_of_an_effect_is_printed(void **state)
{
	static const struct {
		struct ablate_edit edit;
		int64_t whole_s;
		double gain_s;
		const char *sentence;
	} cases[] = {
		{{.share_s = 3}, 100, 10, "edit 1 changes no start"},
		{{.alone = {.changed = 2, .gain_s = 100}}, 100, 10, "edit 1 alone causes the whole gain"},
		{{.alone = {.changed = 2, .gain_s = -100}}, -100, -10, "edit 1 alone causes the whole loss"},
		{{.alone = {.changed = 1}, .last = {.changed = 1, .only = 2}},
		 100,
		 10,
		 "edit 1 changes only 2"},
		{{.alone = {.changed = 1}, .last = {.changed = 1, .only = 77}},
		 100,
		 10,
		 "edit 1 changes only "},
		{{.alone = {.changed = 2}, .last = {.changed = 1, .only = 2}, .share_s = 5},
		 100,
		 10,
		 "edit 1 gives 50% of the gain"},
		{{.alone = {.changed = 2}, .last = {.changed = 1}, .share_s = -10},
		 -100,
		 -10,
		 "edit 1 gives 100% of the loss"},
		{{.alone = {.changed = 1}}, 100, 10, "edit 1 adds nothing to the others"},
		{{.alone = {.changed = 2}, .last = {.changed = 3}}, 100, 10, "edit 1 changes 3 starts"},
		{{.alone = {.changed = 2}, .last = {.changed = 3}},
		 0,
		 0,
		 "mean wait: edit 1 changes 3 starts"},
		{{.alone = {.changed = 2}, .last = {.changed = 3}, .share_s = 0.5},
		 0,
		 0,
		 "mean wait: edit 1 saves 0:00:01"},
		{{.alone = {.changed = 2}, .last = {.changed = 3}, .share_s = 0.4},
		 0,
		 0,
		 "mean wait: edit 1 changes 3 starts"},
		{{.alone = {.changed = 2}, .last = {.changed = 3}, .share_s = -70},
		 100,
		 10,
		 "mean wait: edit 1 costs 0:01:10"},
		{{.alone = {.changed = 2}, .last = {.changed = 3}, .share_s = 11},
		 100,
		 10,
		 "mean wait: edit 1 saves 0:00:11"},
	};
	struct scene *sc = queue();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ablate_edit edit = cases[i].edit;
		struct ablate a = {.edit = &edit,
				   .count = 1,
				   .whole = {.gain_s = cases[i].whole_s},
				   .gain_s = cases[i].gain_s};
		struct str text = {0};

		ablate_print(&a, scene_view(sc), &text);
		assert_string_equal(str_text(&text), cases[i].sentence);
		str_clear(&text);
		a.remainder_s = i % 2 == 0 ? 1 : -1;
		ablate_print(&a, scene_view(sc), &text);
		assert_non_null(
			strstr(str_text(&text), i % 2 == 0 ? "; together the edits save 1 s of mean wait"
							   : "; together the edits save -1 s of mean wait"));
		str_free(&text);
	}
	scene_free(sc);
}

/* Number of calls of should_continue() that return true. */
static unsigned calls_left;

static bool has_calls_left(void *self, uint32_t started)
{
	(void)self;
	(void)started;
	return calls_left > 0 && calls_left-- > 0;
}

static void a_refused_draft_or_stopped_search_has_no_result(void **state)
{
	struct scene *sc = queue();
	struct event ev[] = {raise_priority(5, 1000), hold(99)};
	struct ablate a = {.edit = NULL};
	struct err err = {""};

	(void)state;
	assert_false(find(&a, sc, ev, 2, NULL, &err));
	assert_non_null(strstr(err.text, "edit 2 of 2"));
	calls_left = 0;
	assert_false(find(&a, sc, ev, 1, has_calls_left, &err));
	assert_int_equal(a.count, 0);
	ablate_clear(&a);
	scene_free(sc);
}

static void expect_no_result_wherever_it_stops(size_t count)
{
	struct scene *sc = queue();
	struct event ev[ABLATE_EXACT + 1];
	struct ablate a = {.edit = NULL};
	unsigned needed;

	for (size_t i = 0; i < count; i++)
		ev[i] = raise_priority(5, 1000 + (int64_t)i);
	calls_left = 100000;
	assert_true(find(&a, sc, ev, count, has_calls_left, NULL));
	assert_int_equal(a.count, count);
	needed = 100000 - calls_left;
	for (unsigned n = 0; n < needed; n++) {
		calls_left = n;
		assert_false(find(&a, sc, ev, count, has_calls_left, NULL));
		assert_int_equal(a.count, 0);
	}
	ablate_clear(&a);
	scene_free(sc);
}

static void a_stopped_search_gives_no_result(void **state)
{
	(void)state;
	expect_no_result_wherever_it_stops(2);
	expect_no_result_wherever_it_stops(ABLATE_EXACT + 1);
}

/* If no job starts in every future, there is no wait to divide. */
static void a_draft_without_any_start_has_no_shares(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev[2] = {hold(2)};
	struct ablate a = {.edit = NULL};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_submit(sc, 1, 100);
	ev[1] = raise_priority(2, 5);
	assert_true(find(&a, sc, ev, 2, NULL, NULL));
	assert_true(a.gain_s == 0 && a.edit[0].share_s == 0 && a.edit[1].share_s == 0);
	assert_int_equal(a.edit[0].alone.later, 1);
	ablate_clear(&a);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_effect_of_each_edit_is_printed),
		cmocka_unit_test(two_edits_with_the_same_effect_are_both_reported),
		cmocka_unit_test(shares_against_the_gain_are_printed_as_durations),
		cmocka_unit_test(shares_sum_to_the_gain),
		cmocka_unit_test(each_form_of_an_effect_is_printed),
		cmocka_unit_test(many_edits_have_a_remainder),
		cmocka_unit_test(the_only_effective_of_many_edits_has_the_whole_gain),
		cmocka_unit_test(an_edit_that_needs_another_changes_nothing_alone),
		cmocka_unit_test(a_refused_draft_or_stopped_search_has_no_result),
		cmocka_unit_test(a_stopped_search_gives_no_result),
		cmocka_unit_test(a_draft_without_any_start_has_no_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
