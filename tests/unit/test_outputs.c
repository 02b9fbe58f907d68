/* SPDX-License-Identifier: MIT */
/*
 * test_outputs.c - is it known in which files the words of a job are?
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

/* A ledger that knows one launch. */
static bool give_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	(void)job;
	if (self == NULL)
		return err_set(err, "nothing is known of it");
	launch_write(self, out);
	return true;
}

static struct outputs find(struct launch *launch, uint8_t real, struct arena *arena)
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

static void patterns_are_resolved_as_its_shepherd_does(void **state)
{
	struct launch launch = {.output = "/home/o%j", .errors = "/home/%%e%a"};
	struct arena arena = {0};
	struct outputs found = find(&launch, JOB_REAL_LAUNCH, &arena);

	(void)state;
	assert_string_equal(found.output, "/home/o12");
	assert_string_equal(found.errors, "/home/%e");
	launch.flags = LAUNCH_JOIN;
	launch.errors = NULL;
	found = find(&launch, JOB_REAL_LAUNCH, &arena);
	assert_string_equal(found.errors, "/home/o12");
	arena_free(&arena);
}

static void a_task_of_an_array_has_its_number(void **state)
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

static void who_waits_has_the_words_themselves(void **state)
{
	struct launch launch = {.output = "/home/o%j", .errors = "/home/e%j", .waiter = "/tmp/w"};
	struct arena arena = {0};
	struct outputs found = find(&launch, JOB_REAL_LAUNCH, &arena);

	(void)state;
	assert_null(found.output);
	assert_null(found.errors);
	arena_free(&arena);
}

static void what_nobody_knows_is_nothing(void **state)
{
	struct launch launch = {.output = "/home/o%j", .errors = "/home/e%q"};
	struct arena arena = {0};

	(void)state;
	assert_null(find(NULL, JOB_REAL_LAUNCH, &arena).output);
	assert_null(find(&launch, 0, &arena).output);
	assert_null(find(&launch, JOB_REAL_LAUNCH, &arena).errors); /* it says nothing that there is */
	assert_string_equal(find(&launch, JOB_REAL_LAUNCH, &arena).output, "/home/o12");
	arena_free(&arena);
}

/* --- once ---------------------------------------------------------------------------------------- */

struct launches {
	struct launch of[2]; /* of the jobs with odd numbers, and of the others */
	unsigned reads;
};

static bool give_one_of_two(void *self, uint64_t job, struct str *out, struct err *err)
{
	struct launches *launches = self;

	launches->reads++;
	return job < 1000 ? give_launch(&launches->of[job % 2], job, out, err)
			  : err_set(err, "nothing is kept for it");
}

static void a_launch_is_read_once(void **state)
{
	static const struct ledger_ops ops = {.launch = give_one_of_two};
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
		static const uint64_t id[3] = {11, 12, 1012}; /* nothing is known of the last one */
		static const char *const path[3] = {"/odd11", "/even12", NULL};

		job.id = id[i % 3];
		found = outputs_find(ledger, cache, state_view(sc->st), &job, &arena);
		assert_true(found.output == path[i % 3] || strcmp(found.output, path[i % 3]) == 0);
		assert_int_equal(found.mail != NULL, i % 3 == 0);
	}
	assert_int_equal(launches.reads, 2 + 3); /* what was not found is looked for again */
	outputs_cache_free(cache);
	arena_free(&arena);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_resolved_as_its_shepherd_does),
		cmocka_unit_test(a_task_of_an_array_has_its_number),
		cmocka_unit_test(who_waits_has_the_words_themselves),
		cmocka_unit_test(what_nobody_knows_is_nothing),
		cmocka_unit_test(a_launch_is_read_once),
	};

	return cmocka_run_group_tests_name("outputs", tests, NULL, NULL);
}
