/* SPDX-License-Identifier: MIT */
/*
 * test_event_copy.c - unit tests of copies of events and job records
 *
 * The strings and arrays of each original are in memory that is overwritten before the copy is checked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/host/event_copy.h"
#include "tests/unit/small_state.h"

/* Memory for the strings and arrays of a record, which scribble() overwrites. */
struct transient {
	char text[20][24];
	struct alloc_run run[2];
	struct depend depend[1];
	struct array_range range[1];
	size_t count;
};

static const char *word(struct transient *w, const char *text)
{
	char *at = w->text[w->count++];

	snprintf(at, sizeof w->text[0], "%s", text);
	return at;
}

static const struct alloc_run *two_runs(struct transient *w)
{
	w->run[0] = (struct alloc_run){.node = 3, .nodes = 2, .procs = 8, .next = INDEX_NONE};
	w->run[1] = (struct alloc_run){.node = 9, .nodes = 1, .procs = 4, .next = INDEX_NONE};
	return w->run;
}

static const struct depend *one_depend(struct transient *w)
{
	w->depend[0] = (struct depend){.on = 44, .next = INDEX_NONE, .type = DEPEND_OK};
	return w->depend;
}

static const struct array_range *one_range(struct transient *w)
{
	w->range[0] = (struct array_range){.first = 3, .last = 9, .step = 2};
	return w->range;
}

static struct job_record a_record(struct transient *w)
{
	return (struct job_record){
		.job = {.tasks = 4, .task_procs = 2, .wall_limit_s = 600},
		.cred = {[CRED_USER] = word(w, "john"), [CRED_QOS] = word(w, "hi")},
		.partition = word(w, "p1"),
		.label = word(w, "job.17"),
		.name = word(w, "water"),
		.qos_asked = word(w, "higher"),
		.features = word(w, "fast tape"),
		.prefer = word(w, "big"),
		.gres = word(w, "gpu:2"),
		.hosts = word(w, "n1 n2"),
		.order = word(w, "n2 n1"),
		.hold_reason = word(w, "too large"),
		.base_reason = word(w, "no room"),
		.depend = one_depend(w),
		.depend_count = 1,
		.runs = two_runs(w),
		.run_count = 2,
		.ranges = one_range(w),
		.range_count = 1,
		.launch = word(w, "#!/bin/sh"),
		.launch_size = 9,
	};
}

static void scribble(struct transient *w)
{
	memset(w, 'x', sizeof *w);
}

static void check_record(const struct job_record *copy)
{
	assert_int_equal(copy->job.tasks, 4);
	assert_int_equal(copy->job.wall_limit_s, 600);
	assert_string_equal(copy->cred[CRED_USER], "john");
	assert_string_equal(copy->cred[CRED_QOS], "hi");
	assert_null(copy->cred[CRED_GROUP]);
	assert_string_equal(copy->partition, "p1");
	assert_string_equal(copy->label, "job.17");
	assert_string_equal(copy->name, "water");
	assert_string_equal(copy->qos_asked, "higher");
	assert_string_equal(copy->features, "fast tape");
	assert_string_equal(copy->prefer, "big");
	assert_string_equal(copy->gres, "gpu:2");
	assert_string_equal(copy->hosts, "n1 n2");
	assert_string_equal(copy->order, "n2 n1");
	assert_string_equal(copy->hold_reason, "too large");
	assert_string_equal(copy->base_reason, "no room");
	assert_int_equal(copy->depend_count, 1);
	assert_int_equal(copy->depend[0].on, 44);
	assert_int_equal(copy->run_count, 2);
	assert_int_equal(copy->runs[0].node, 3);
	assert_int_equal(copy->runs[1].procs, 4);
	assert_int_equal(copy->range_count, 1);
	assert_int_equal(copy->ranges[0].last, 9);
	assert_memory_equal(copy->launch, "#!/bin/sh", copy->launch_size);
}

static void a_copied_record_is_independent_of_its_strings(void **state)
{
	struct transient w = {.count = 0};
	struct arena arena = {0};
	struct job_record record = a_record(&w), copy = job_record_copy(&arena, &record);

	(void)state;
	scribble(&w);
	check_record(&copy);
	arena_free(&arena);
}

static void a_record_without_strings_and_runs_can_be_copied(void **state)
{
	const struct job_record record = {.job = {.tasks = 1}};
	struct arena arena = {0};
	struct job_record copy = job_record_copy(&arena, &record);

	(void)state;
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		assert_null(copy.cred[t]);
	assert_null(copy.partition);
	assert_null(copy.label);
	assert_null(copy.name);
	assert_null(copy.runs);
	arena_free(&arena);
}

static void a_job_that_leaves_by_an_event_has_an_ended_record(void **state)
{
	struct arena arena = {0};
	struct state *st = small_state();
	struct event end = {.kind = EVENT_END,
			    .job = 1,
			    .time_s = 50,
			    .end = {.status = 3,
				    .at_limit = true,
				    .has_used = true,
				    .used_ps = 77,
				    .mem_mb = 12,
				    .why = "killed"}};
	struct event cancel = {.kind = EVENT_CANCEL, .job = 2, .time_s = 60};
	struct event hold = {.kind = EVENT_HOLD, .job = 2};
	struct ended_job ended;

	(void)state;
	assert_true(ended_job_of_event(&arena, st, &end, &ended));
	assert_int_equal(ended.status, 3);
	assert_int_equal(ended.end_s, 50);
	assert_int_equal(ended.record.job.used_ps, 77);
	assert_int_equal(ended.record.run_count, 1);
	assert_true(ended.at_limit);
	assert_int_equal(ended.mem_mb, 12);
	assert_string_equal(ended.why, "killed");
	assert_true(ended_job_of_event(&arena, st, &cancel, &ended));
	assert_int_equal(ended.status, STATUS_CANCELLED);
	assert_int_equal(ended.record.job.id, 2);
	assert_false(ended_job_of_event(&arena, st, &hold, &ended));
	cancel.job = 1; /* it is running and has not ended yet */
	assert_false(ended_job_of_event(&arena, st, &cancel, &ended));
	cancel.job = 77;
	assert_false(ended_job_of_event(&arena, st, &cancel, &ended));
	state_free(st);
	arena_free(&arena);
}

static void an_event_without_strings_is_copied(void **state)
{
	const struct event hold = {.seq = 4,
				   .time_s = 90,
				   .kind = EVENT_HOLD,
				   .job = 12,
				   .hold = {.bits = JOB_HOLD_USER, .on = true}};
	struct arena arena = {0};
	struct event copy = event_copy(&arena, &hold);

	(void)state;
	assert_int_equal(copy.seq, 4);
	assert_int_equal(copy.time_s, 90);
	assert_int_equal(copy.job, 12);
	assert_int_equal(copy.hold.bits, JOB_HOLD_USER);
	assert_true(copy.hold.on);
	assert_null(copy.who);
	arena_free(&arena);
}

static void a_record_of_a_slot_has_runs_and_names(void **state)
{
	struct arena arena = {0};
	struct state *st = small_state();
	struct job_record running = job_record_of_slot(&arena, state_view(st), state_find(st, 1));
	struct job_record waiting = job_record_of_slot(&arena, state_view(st), state_find(st, 4));

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
		cmocka_unit_test(a_copied_record_is_independent_of_its_strings),
		cmocka_unit_test(a_record_without_strings_and_runs_can_be_copied),
		cmocka_unit_test(a_job_that_leaves_by_an_event_has_an_ended_record),
		cmocka_unit_test(an_event_without_strings_is_copied),
		cmocka_unit_test(a_record_of_a_slot_has_runs_and_names),
	};

	return cmocka_run_group_tests_name("keep", tests, NULL, NULL);
}
