/* SPDX-License-Identifier: MIT */
/*
 * test_outputs.c - paths of the output and error files of a job
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/host/outputs.h"
#include "sched/rm/launch.h"
#include "tests/scene.h"

/* A ledger with one launch; NULL: with none. */
static bool give_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	(void)job;
	if (self == NULL)
		return err_set(err, "nothing is known of it");
	launch_write(self, out);
	return true;
}

static struct outputs find_outputs(struct launch *launch, uint8_t real, struct arena *arena)
{
	static const struct ledger_ops ops = {.launch = give_launch};
	struct scene *sc = scene_new(1, 4);
	uint64_t id = scene_submit(sc, 2, 100);
	struct job job = *scene_job_of(sc, id);
	struct outputs found;

	job.id = 12;
	job.real = real;
	found = outputs_find((struct ledger){&ops, launch}, NULL, state_view(sc->st), &job, arena);
	scene_free(sc);
	return found;
}

static void patterns_in_paths_are_expanded_as_by_the_shepherd(void **state)
{
	struct launch launch = {.output = "/home/o%j", .errors = "/home/%%e%a"};
	struct arena arena = {0};
	struct outputs found = find_outputs(&launch, JOB_REAL_LAUNCH, &arena);

	(void)state;
	assert_string_equal(found.output, "/home/o12");
	assert_string_equal(found.errors, "/home/%e");
	launch.flags = LAUNCH_JOIN;
	launch.errors = NULL;
	found = find_outputs(&launch, JOB_REAL_LAUNCH, &arena);
	assert_string_equal(found.errors, "/home/o12");
	arena_free(&arena);
}

static void the_index_of_an_array_task_is_expanded(void **state)
{
	static const struct ledger_ops ops = {.launch = give_launch};
	struct launch launch = {.output = "/home/o%a", .errors = "/home/e"};
	struct arena arena = {0};
	struct scene *sc = scene_new(1, 4);
	uint64_t first = scene_add(sc, (struct scene_job){.array = 4});
	struct job job = *scene_job_of(sc, first + 2); /* 0, 1, 2 */
	struct outputs found;

	(void)state;
	job.real = JOB_REAL_LAUNCH;
	found = outputs_find((struct ledger){&ops, &launch}, NULL, state_view(sc->st), &job, &arena);
	assert_string_equal(found.output, "/home/o2");
	arena_free(&arena);
	scene_free(sc);
}

static void a_job_with_a_waiting_client_has_no_output_files(void **state)
{
	struct launch launch = {.output = "/home/o%j", .errors = "/home/e%j", .waiter = "/tmp/w"};
	struct arena arena = {0};
	struct outputs found = find_outputs(&launch, JOB_REAL_LAUNCH, &arena);

	(void)state;
	assert_null(found.output);
	assert_null(found.errors);
	arena_free(&arena);
}

static void without_a_launch_or_with_an_unknown_pattern_there_is_no_path(void **state)
{
	struct launch launch = {.output = "/home/o%j", .errors = "/home/e%q"};
	struct arena arena = {0};

	(void)state;
	assert_null(find_outputs(NULL, JOB_REAL_LAUNCH, &arena).output);
	assert_null(find_outputs(&launch, 0, &arena).output);
	assert_null(find_outputs(&launch, JOB_REAL_LAUNCH, &arena).errors); /* %q is not a pattern */
	assert_string_equal(find_outputs(&launch, JOB_REAL_LAUNCH, &arena).output, "/home/o12");
	arena_free(&arena);
}

/* --- cache of launches --------------------------------------------------------------------------- */

struct launches {
	struct launch of[2]; /* of jobs with even IDs, and of those with odd IDs */
	unsigned reads;
};

static bool read_launch_of(void *self, uint64_t job, struct str *out, struct err *err)
{
	struct launches *launches = self;

	launches->reads++;
	return job < 1000 ? give_launch(&launches->of[job % 2], job, out, err)
			  : err_set(err, "nothing is kept for it");
}

static void a_launch_is_read_from_the_ledger_only_once(void **state)
{
	static const struct ledger_ops ops = {.launch = read_launch_of};
	struct launches launches = {.of = {{.output = "/even%j"}, {.output = "/odd%j", .mail = "b"}}};
	struct outputs_cache *cache = outputs_cache_new();
	struct arena arena = {0};
	struct scene *sc = scene_new(1, 4);
	struct job job = *scene_job_of(sc, scene_submit(sc, 2, 100));
	const struct ledger ledger = {&ops, &launches};
	struct outputs found;

	(void)state;
	job.real = JOB_REAL_LAUNCH;
	for (int i = 0; i < 9; i++) {
		static const uint64_t id[3] = {11, 12, 1012}; /* the last one has no launch */
		static const char *const path[3] = {"/odd11", "/even12", NULL};

		job.id = id[i % 3];
		found = outputs_find(ledger, cache, state_view(sc->st), &job, &arena);
		assert_true(found.output == path[i % 3] || strcmp(found.output, path[i % 3]) == 0);
		assert_int_equal(found.mail != NULL, i % 3 == 0);
	}
	assert_int_equal(launches.reads, 2 + 3); /* a launch that was not found is read again */
	outputs_cache_free(cache);
	arena_free(&arena);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_in_paths_are_expanded_as_by_the_shepherd),
		cmocka_unit_test(the_index_of_an_array_task_is_expanded),
		cmocka_unit_test(a_job_with_a_waiting_client_has_no_output_files),
		cmocka_unit_test(without_a_launch_or_with_an_unknown_pattern_there_is_no_path),
		cmocka_unit_test(a_launch_is_read_from_the_ledger_only_once),
	};

	return cmocka_run_group_tests_name("outputs", tests, NULL, NULL);
}
