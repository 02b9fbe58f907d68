/* SPDX-License-Identifier: MIT */
/*
 * test_state_submit.c - defaults of submissions
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "tests/scene.h"

static struct scene *configured(const char *text)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, text);
	return sc;
}

/* Submits a job of this class with these features and no other requests. */
static const struct job *submitted(struct scene *sc, const char *class_name, const char *features)
{
	struct event ev = {.kind = EVENT_SUBMIT};

	ev.submit = (struct job_record){.job = {.tasks = 1, .task_procs = 1},
					.cred = {[CRED_CLASS] = class_name},
					.features = features};
	scene_apply(sc, &ev);
	return scene_job_of(sc, ev.job);
}

static const char *features_of(const struct scene *sc, const struct job *job)
{
	static char text[100];
	struct str out = {0};

	snapshot_job_traits(scene_view(sc), job, UNKNOWN_FEATURES, &out);
	snprintf(text, sizeof text, "%s", str_text(&out));
	str_free(&out);
	return text;
}

static void M_16_a_job_without_a_limit_gets_that_of_its_class(void **state)
{
	struct scene *sc = configured(
		"systemdefaultjobwalltime = 5\n"
		"class long { default.wclimit = 24:00:00 }\nclass DEFAULT { default.wclimit = 60 }\n");

	(void)state;
	assert_int_equal(submitted(sc, "long", NULL)->wall_limit_s, 86400);
	assert_int_equal(submitted(sc, "short", NULL)->wall_limit_s, 60);
	assert_int_equal(submitted(sc, NULL, NULL)->wall_limit_s, 60);
	scene_config(sc, "systemdefaultjobwalltime = 5\n");
	assert_int_equal(submitted(sc, "long", NULL)->wall_limit_s, 5);
	assert_int_equal(snapshot_waiting(scene_view(sc))[3].wall_s, 5);
	scene_free(sc);
}

/* Submits a job with this memory request and returns the memory of each task. */
static int64_t memory_of(struct scene *sc, uint32_t tasks, uint32_t nodes, int64_t requested_mb)
{
	struct event ev = {.kind = EVENT_SUBMIT};

	ev.submit.job = (struct job){
		.tasks = tasks, .task_procs = 1, .nodes = nodes, .mem_mb = requested_mb, .wall_limit_s = 60};
	scene_apply(sc, &ev);
	return scene_job_of(sc, ev.job)->mem_mb;
}

static void a_job_without_memory_gets_the_default(void **state)
{
	struct scene *sc = configured("systemdefaultjobmemory = 1gb\n");

	(void)state;
	assert_int_equal(memory_of(sc, 1, 0, 0), 1024);
	assert_int_equal(memory_of(sc, 4, 0, 0), 256); /* divided among the tasks of the job */
	assert_int_equal(memory_of(sc, 3, 0, 0), 342); /* rounded up */
	assert_int_equal(memory_of(sc, 4, 2, 0), 512); /* for each requested node */
	assert_int_equal(memory_of(sc, 4, 4, 0), 1024);
	assert_int_equal(memory_of(sc, 5, 2, 0), 512); /* the node with the fewest tasks has two */
	assert_int_equal(memory_of(sc, 2, 4, 0), 1024);
	assert_int_equal(memory_of(sc, 1, 0, 7), 7);
	scene_config(sc, "systemdefaultjobmemory = 0\n");
	assert_int_equal(memory_of(sc, 1, 0, 0), 0);
	assert_int_equal(scene_job_of(sc, 1)->mem_mb, 1024); /* submitted jobs are unchanged */
	scene_free(sc);
}

static void a_default_memory_that_is_too_large_is_refused(void **state)
{
	struct scene *sc = configured("systemdefaultjobmemory = 1tb\n");
	struct event ev = {.kind = EVENT_SUBMIT};
	struct err err = {{0}};

	(void)state;
	ev.submit.job = (struct job){.tasks = 100000000, .task_procs = 1, .nodes = 100000000};
	assert_false(event_apply(sc->st, &ev, &err));
	assert_non_null(strstr(err.text, "of memory"));
	ev.submit.job.tasks = 0; /* a client can send this */
	assert_false(event_apply(sc->st, &ev, &err));
	scene_free(sc);
}

static void M_16_a_job_without_features_gets_those_of_its_class(void **state)
{
	struct scene *sc = configured(
		"class long { default.features = \"big fast\" }\nclass DEFAULT { default.features = any }\n");

	(void)state;
	assert_string_equal(features_of(sc, submitted(sc, "long", NULL)), "big fast");
	assert_string_equal(features_of(sc, submitted(sc, "long", "tape")), "tape");
	assert_string_equal(features_of(sc, submitted(sc, "short", NULL)), "any");
	assert_int_equal(scene_view(sc)->particular, 3);
	scene_free(sc);
}

static void a_submission_clears_fields_of_earlier_runs(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUBMIT};
	const struct job *job;

	(void)state;
	ev.submit.job = (struct job){.tasks = 1,
				     .task_procs = 1,
				     .wall_limit_s = 5,
				     .submit_s = 7,
				     .defer_until_s = 99,
				     .used_ps = 4,
				     .procs_held = 3,
				     .defer_count = 2,
				     .start_count = 1,
				     .access_held = ACCESS_SINGLEJOB,
				     .flags = JOB_CANCELLED | JOB_PARTICULAR};
	ev.submit.order = "n1";
	scene_apply(sc, &ev);
	job = scene_job_of(sc, 1);
	assert_true(job->defer_until_s == TIME_NONE && job->used_ps == -1);
	assert_int_equal(
		job->procs_held + job->defer_count + job->start_count + job->access_held + job->flags, 0);
	assert_int_equal(job->depend, INDEX_NONE);
	assert_int_equal(job->run, INDEX_NONE);
	assert_int_equal(job->order, 0);
	scene_free(sc);
}

static void array_becomes_one_job_per_task(void **state)
{
	static const struct array_range range[] = {{3, 5, 1}, {9, 9, 1}};
	static const char *const label[] = {"1[3]", "1[4]", "1[5]", "1[9]"};
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUBMIT};
	char text[JOB_LABEL_TEXT];

	(void)state;
	ev.submit = (struct job_record){.job = {.tasks = 1, .task_procs = 2, .array = 77, .array_limit = 2},
					.ranges = range,
					.range_count = 2};
	scene_apply(sc, &ev);
	assert_int_equal(ev.job, 1);
	assert_int_equal(scene_view(sc)->next_job_id, 5);
	assert_int_equal(scene_view(sc)->throttled, 4);
	for (uint64_t id = 1; id <= 4; id++) {
		const struct job *job = scene_job_of(sc, id);

		assert_string_equal(snapshot_job_label(scene_view(sc), job, text), label[id - 1]);
		assert_int_equal(job->array, 1);
		assert_int_equal(job->array_limit, 2);
		assert_int_equal(job_launch_id(job), 1);
		assert_int_equal(job_procs(job), 2);
	}
	assert_int_equal(scene_job_of(sc, 4)->array_index, 9);
	assert_int_equal(scene_submit(sc, 1, 10), 5);
	assert_int_equal(scene_job_of(sc, 5)->array, 0);
	scene_free(sc);
}

static void invalid_array_is_rejected(void **state)
{
	static const struct array_range twice[] = {{3, 5, 1}, {5, 5, 1}}, many[] = {{0, 9999, 1}};
	struct scene *sc = scene_new(1, 4);
	struct depend depend[11] = {{.on = 0}};
	struct event ev = {.kind = EVENT_SUBMIT};
	struct err err;

	(void)state;
	ev.submit =
		(struct job_record){.job = {.tasks = 1, .task_procs = 1}, .ranges = twice, .range_count = 2};
	assert_string_equal(scene_try(sc, &ev, &err), "task number 5 occurs twice");
	ev.submit.range_count = 0;
	ev.submit.job.array_limit = 1;
	assert_string_equal(scene_try(sc, &ev, &err),
			    "only an array can limit the number of its running tasks");
	scene_submit(sc, 1, 10);
	for (int i = 0; i < 11; i++)
		depend[i].on = 1;
	ev.submit.ranges = many;
	ev.submit.range_count = 1;
	ev.submit.depend = depend;
	ev.submit.depend_count = 11;
	assert_string_equal(
		scene_try(sc, &ev, &err),
		"10000 tasks with 11 dependencies each are too many: at most 100000 dependencies in all");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 1);
	ev.submit.depend_count = 10;
	assert_string_equal(scene_try(sc, &ev, &err), "");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 10001);
	scene_free(sc);
}

static void requested_priority_is_below_operators_priority(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUBMIT};
	uint64_t seq;
	struct err err;

	(void)state;
	ev.submit.job = (struct job){.tasks = 1, .task_procs = 1, .base_points = -7};
	scene_apply(sc, &ev);
	assert_int_equal(scene_job_of(sc, 1)->points, -7);
	assert_int_equal(scene_job_of(sc, 1)->adjust, JOB_ADJUST_RELATIVE);
	seq = scene_priority(sc, 1, JOB_ADJUST_ABSOLUTE, 50);
	assert_int_equal(scene_job_of(sc, 1)->points, 50);
	scene_undo(sc, seq);
	assert_int_equal(scene_job_of(sc, 1)->points, -7);
	assert_int_equal(scene_job_of(sc, 1)->adjust, JOB_ADJUST_RELATIVE);
	scene_priority(sc, 1, JOB_ADJUST_NONE, 0);
	assert_int_equal(scene_job_of(sc, 1)->adjust, JOB_ADJUST_NONE);
	ev = (struct event){.kind = EVENT_SUBMIT};
	ev.submit.job = (struct job){.tasks = 1, .task_procs = 1, .base_points = 1024};
	assert_string_equal(
		scene_try(sc, &ev, &err),
		"the priority points of a submitted job must be between -1024 and 1023, got 1024");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(M_16_a_job_without_a_limit_gets_that_of_its_class),
		cmocka_unit_test(a_job_without_memory_gets_the_default),
		cmocka_unit_test(a_default_memory_that_is_too_large_is_refused),
		cmocka_unit_test(M_16_a_job_without_features_gets_those_of_its_class),
		cmocka_unit_test(a_submission_clears_fields_of_earlier_runs),
		cmocka_unit_test(array_becomes_one_job_per_task),
		cmocka_unit_test(invalid_array_is_rejected),
		cmocka_unit_test(requested_priority_is_below_operators_priority),
	};

	return cmocka_run_group_tests_name("state_submit", tests, NULL, NULL);
}
