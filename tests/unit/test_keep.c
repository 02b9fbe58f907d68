/* SPDX-License-Identifier: MIT */
/*
 * test_keep.c - does a kept event stay right when what it was made from is overwritten?
 *
 * Every string and array of an event stands here in memory that is scribbled over before the
 * copy is looked at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/host/keep.h"
#include "tests/unit/small_state.h"

/* Words that do not last: each word is its own array, all overwritten at once. */
struct words {
	char text[12][24];
	struct alloc_run run[2];
	size_t count;
};

static const char *word(struct words *w, const char *text)
{
	char *at = w->text[w->count++];

	snprintf(at, sizeof w->text[0], "%s", text);
	return at;
}

static const struct alloc_run *two_runs(struct words *w)
{
	w->run[0] = (struct alloc_run){.node = 3, .nodes = 2, .procs = 8, .next = INDEX_NONE};
	w->run[1] = (struct alloc_run){.node = 9, .nodes = 1, .procs = 4, .next = INDEX_NONE};
	return w->run;
}

static struct job_record a_record(struct words *w)
{
	return (struct job_record){
		.job = {.tasks = 4, .task_procs = 2, .wall_limit_s = 600},
		.cred = {[CRED_USER] = word(w, "john"), [CRED_QOS] = word(w, "hi")},
		.partition = word(w, "p1"),
		.label = word(w, "job.17"),
		.name = word(w, "water"),
		.runs = two_runs(w),
		.run_count = 2,
	};
}

static void scribble(struct words *w)
{
	memset(w, 'x', sizeof *w);
}

static void check_record(const struct job_record *kept)
{
	assert_int_equal(kept->job.tasks, 4);
	assert_int_equal(kept->job.wall_limit_s, 600);
	assert_string_equal(kept->cred[CRED_USER], "john");
	assert_string_equal(kept->cred[CRED_QOS], "hi");
	assert_null(kept->cred[CRED_GROUP]);
	assert_string_equal(kept->partition, "p1");
	assert_string_equal(kept->label, "job.17");
	assert_string_equal(kept->name, "water");
	assert_int_equal(kept->run_count, 2);
	assert_int_equal(kept->runs[0].node, 3);
	assert_int_equal(kept->runs[1].procs, 4);
}

static void a_record_outlives_its_words(void **state)
{
	struct words w = {.count = 0};
	struct arena arena = {0};
	struct job_record record = a_record(&w), kept = keep_record(&arena, &record);

	(void)state;
	scribble(&w);
	check_record(&kept);
	arena_free(&arena);
}

static void a_record_may_have_no_words_and_no_runs(void **state)
{
	const struct job_record record = {.job = {.tasks = 1}};
	struct arena arena = {0};
	struct job_record kept = keep_record(&arena, &record);

	(void)state;
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		assert_null(kept.cred[t]);
	assert_null(kept.partition);
	assert_null(kept.label);
	assert_null(kept.name);
	assert_null(kept.runs);
	arena_free(&arena);
}

static void an_event_of_each_kind_outlives_its_words(void **state)
{
	struct words w = {.count = 0};
	struct arena arena = {0};
	struct event submit = {.kind = EVENT_SUBMIT, .who = word(&w, "john"), .job = 7};
	struct event config = {.kind = EVENT_CONFIG, .who = word(&w, "root")};
	struct event node = {.kind = EVENT_NODE, .who = word(&w, "sched")};
	struct event start = {
		.kind = EVENT_START, .who = "sched", .start = {.runs = two_runs(&w), .count = 2}};
	struct event setting = {.kind = EVENT_SETTING, .who = "ann"};

	(void)state;
	submit.submit = a_record(&w);
	config.config.file = word(&w, "kahu.conf");
	config.config.text = word(&w, "queuetimeweight = 1");
	submit = keep_event(&arena, &submit);
	config = keep_event(&arena, &config);
	start = keep_event(&arena, &start);
	scribble(&w);
	w.count = 0;
	node.who = word(&w, "sched");
	node.node = (struct node_record){.name = word(&w, "n001"), .partition = word(&w, "p2"), .procs = 8};
	setting.setting.name = word(&w, "xfactorweight");
	setting.setting.value = word(&w, "12.5");
	node = keep_event(&arena, &node);
	setting = keep_event(&arena, &setting);
	scribble(&w);

	assert_string_equal(submit.who, "john");
	assert_int_equal(submit.job, 7);
	check_record(&submit.submit);
	assert_string_equal(config.who, "root");
	assert_string_equal(config.config.file, "kahu.conf");
	assert_string_equal(config.config.text, "queuetimeweight = 1");
	assert_int_equal(start.start.count, 2);
	assert_int_equal(start.start.runs[0].nodes, 2);
	assert_int_equal(start.start.runs[1].node, 9);
	assert_string_equal(node.node.name, "n001");
	assert_string_equal(node.node.partition, "p2");
	assert_int_equal(node.node.procs, 8);
	assert_string_equal(setting.setting.name, "xfactorweight");
	assert_string_equal(setting.setting.value, "12.5");
	arena_free(&arena);
}

static void an_event_without_words_is_kept_as_it_is(void **state)
{
	const struct event hold = {.seq = 4,
				   .time_s = 90,
				   .kind = EVENT_HOLD,
				   .job = 12,
				   .hold = {.bits = JOB_HOLD_USER, .on = true}};
	struct arena arena = {0};
	struct event kept = keep_event(&arena, &hold);

	(void)state;
	assert_int_equal(kept.seq, 4);
	assert_int_equal(kept.time_s, 90);
	assert_int_equal(kept.job, 12);
	assert_int_equal(kept.hold.bits, JOB_HOLD_USER);
	assert_true(kept.hold.on);
	assert_null(kept.who);
	arena_free(&arena);
}

static void a_running_job_is_kept_with_its_runs_and_names(void **state)
{
	struct arena arena = {0};
	struct state *st = small_state();
	struct job_record running = keep_job(&arena, state_view(st), state_find(st, 1));
	struct job_record waiting = keep_job(&arena, state_view(st), state_find(st, 4));

	(void)state;
	state_free(st);
	assert_int_equal(running.job.id, 1);
	assert_string_equal(running.cred[CRED_USER], "u1");
	assert_int_equal(running.run_count, 1);
	assert_int_equal(running.runs[0].procs, 4);
	assert_int_equal(waiting.run_count, 0);
	assert_string_equal(waiting.label, "fit");
	arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_outlives_its_words),
		cmocka_unit_test(a_record_may_have_no_words_and_no_runs),
		cmocka_unit_test(an_event_of_each_kind_outlives_its_words),
		cmocka_unit_test(an_event_without_words_is_kept_as_it_is),
		cmocka_unit_test(a_running_job_is_kept_with_its_runs_and_names),
	};

	return cmocka_run_group_tests_name("keep", tests, NULL, NULL);
}
