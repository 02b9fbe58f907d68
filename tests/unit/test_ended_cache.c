/* SPDX-License-Identifier: MIT */
/* test_ended_cache.c - recently ended jobs, their status and dependencies on them */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/rm/launch.h"
#include "tests/scene.h"
#include "tui/serve/ended_cache.h"

static bool commits = true;

static bool take_commit(void *self, const struct ledger_step *step, struct err *err)
{
	(void)self;
	(void)step;
	return commits || err_set(err, "the disk is full");
}

static struct ledger plain_ledger(void)
{
	static const struct ledger_ops ops = {.commit = take_commit};

	return (struct ledger){&ops, NULL};
}

static bool record_end(struct ended_cache *ended_cache, struct ended_job ended)
{
	struct ledger ledger = ended_cache_ledger(ended_cache);
	const struct ledger_step step = {.ended = &ended, .ended_count = 1};

	return ledger.ops->commit(ledger.self, &step, NULL);
}

static struct ended_job ended(uint64_t id, int32_t status)
{
	return (struct ended_job){.record = {.job = {.id = id, .start_s = 5}}, .end_s = 9, .status = status};
}

static struct job_status find(const struct ended_cache *ended_cache, uint64_t job, const char *label)
{
	const struct job_ref name = {job, label};
	struct state *st = state_new();
	const struct job_status_files all = {.user = NULL};
	struct job_status job_status = ended_cache_find(ended_cache, st, &name, &all, NULL);

	state_free(st);
	return job_status;
}

static void an_ended_job_is_cached_with_its_texts(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());
	struct ended_job job = ended(12, 3);
	char why[] = "so", output[] = "/o";
	struct job_status job_status;

	(void)state;
	job.record.label = "12[1]";
	job.record.cred[CRED_USER] = "eva";
	job.why = why;
	job.output = output;
	assert_true(record_end(ended_cache, job));
	why[0] = output[0] = 'x';
	job_status = find(ended_cache, 12, NULL);
	assert_true(job_status.phase == JOB_PHASE_ENDED && job_status.status == 3 &&
		    job_status.start_s == 5 && job_status.end_s == 9);
	assert_string_equal(job_status.user, "eva");
	assert_string_equal(job_status.why, "so");
	assert_string_equal(job_status.output, "/o");
	assert_null(job_status.errors);
	assert_int_equal(find(ended_cache, 0, "12[1]").job, 12);
	assert_int_equal(find(ended_cache, 0, "12[2]").phase, JOB_PHASE_UNKNOWN);
	assert_int_equal(find(ended_cache, 0, NULL).phase, JOB_PHASE_UNKNOWN);
	assert_int_equal(find(NULL, 12, NULL).phase, JOB_PHASE_UNKNOWN);
	ended_cache_free(ended_cache);
}

static void an_array_has_the_status_of_its_worst_task(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	for (uint64_t id = 12; id < 15; id++) {
		struct ended_job task = ended(id, id == 13 ? 256 + 9 : 2);

		task.record.label = id == 12 ? "12[0]" : id == 13 ? "12[1]" : "12[2]";
		task.record.job.array = 12;
		task.record.job.start_s = (int64_t)id;
		assert_true(record_end(ended_cache, task));
	}
	assert_int_equal(find(ended_cache, 12, NULL).status, 2);
	assert_int_equal(find(ended_cache, 0, "12[1]").status, 256 + 9);
	for (int both = 0; both < 2; both++) {
		struct job_status job_status = find(ended_cache, 0, both == 0 ? "12" : "12[]");

		assert_true(job_status.phase == JOB_PHASE_ENDED && job_status.status == 256 + 9 &&
			    job_status.start_s == 12);
		assert_string_equal(job_status.label, "12[]");
	}
	assert_int_equal(find(ended_cache, 0, "14").status, 2); /* a task, found by its ID */
	assert_int_equal(find(ended_cache, 0, "15").phase, JOB_PHASE_UNKNOWN);
	ended_cache_free(ended_cache);
}

static void an_end_whose_commit_failed_is_not_cached(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	commits = false;
	assert_false(record_end(ended_cache, ended(12, 3)));
	commits = true;
	assert_int_equal(find(ended_cache, 12, NULL).phase, JOB_PHASE_UNKNOWN);
	ended_cache_free(ended_cache);
}

static void the_newest_ended_jobs_are_cached(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	for (uint64_t id = 1; id <= ENDED_CACHE_MAX + 1; id++)
		assert_true(record_end(ended_cache, ended(id, (int32_t)(id % 100))));
	assert_int_equal(find(ended_cache, 1, NULL).phase, JOB_PHASE_UNKNOWN);
	assert_int_equal(find(ended_cache, 2, NULL).status, 2);
	assert_int_equal(find(ended_cache, ENDED_CACHE_MAX + 1, NULL).phase, JOB_PHASE_ENDED);
	ended_cache_free(ended_cache);
}

/* --- shares of users ------------------------------------------------------------------------------ */

#define MANY 20000

static bool record_end_of(struct ended_cache *ended_cache, const char *user, uint64_t id, int32_t status)
{
	struct ended_job job = ended(id, status);

	job.record.cred[CRED_USER] = user;
	return record_end(ended_cache, job);
}

static bool record_end_of_task(struct ended_cache *ended_cache, const char *user, uint64_t array,
			       uint32_t number, int32_t status)
{
	struct ended_job job = ended(array + number, status);
	char label[40];

	snprintf(label, sizeof label, "%u[%u]", (unsigned)array, (unsigned)number);
	job.record.label = label;
	job.record.job.array = array;
	job.record.cred[CRED_USER] = user;
	return record_end(ended_cache, job);
}

static void ends_of_another_user_do_not_remove_entries(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	assert_true(record_end_of(ended_cache, "eva", 1, 3));
	assert_true(record_end_of_task(ended_cache, "eva", 2, 0, 4) &&
		    record_end_of_task(ended_cache, "eva", 2, 1, 0));
	for (uint64_t id = 10; id < 10 + MANY; id++)
		assert_true(record_end_of(ended_cache, "max", id, 0));
	for (uint32_t number = 0; number < MANY; number++)
		assert_true(record_end_of_task(ended_cache, "max", 50000, number, 0));
	for (uint64_t id = 100000; id < 100000 + MANY; id++) /* each in its own array */
		assert_true(record_end_of_task(ended_cache, "max", id, 0, 0));
	assert_int_equal(find(ended_cache, 1, NULL).status, 3);
	assert_string_equal(find(ended_cache, 1, NULL).user, "eva");
	assert_int_equal(find(ended_cache, 2, NULL).status, 4);
	assert_int_equal(find(ended_cache, 3, NULL).phase, JOB_PHASE_ENDED);
	assert_int_equal(find(ended_cache, 0, "1").status, 3);
	assert_int_equal(find(ended_cache, 0, "2[]").status, 4);
	assert_int_equal(find(ended_cache, 0, "2[0]").status, 4);
	assert_int_equal(find(ended_cache, 0, "2[1]").phase, JOB_PHASE_ENDED);
	ended_cache_free(ended_cache);
}

static void the_oldest_entry_of_the_user_with_most_entries_is_removed(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	assert_true(record_end_of(ended_cache, "eva", 1, 3));
	for (uint64_t id = 2; id <= ENDED_CACHE_MAX; id++)
		assert_true(record_end_of(ended_cache, "max", id, 0));
	assert_int_equal(find(ended_cache, 2, NULL).phase, JOB_PHASE_ENDED);
	assert_true(record_end_of(ended_cache, "max", ENDED_CACHE_MAX + 1, 0));
	assert_int_equal(find(ended_cache, 2, NULL).phase, JOB_PHASE_UNKNOWN);
	assert_int_equal(find(ended_cache, 3, NULL).phase, JOB_PHASE_ENDED);
	assert_true(record_end_of(ended_cache, "eva", ENDED_CACHE_MAX + 2, 0));
	assert_int_equal(find(ended_cache, 3, NULL).phase, JOB_PHASE_UNKNOWN);
	assert_int_equal(find(ended_cache, 4, NULL).phase, JOB_PHASE_ENDED);
	assert_int_equal(find(ended_cache, 1, NULL).phase, JOB_PHASE_ENDED);
	ended_cache_free(ended_cache);
}

/* Returns the number of consecutive cached jobs among first, first + step, ... last, counted from the last.
 */
static uint64_t count_cached(const struct ended_cache *ended_cache, uint64_t first, uint64_t last,
			     uint64_t step)
{
	uint64_t cached = 0;

	for (uint64_t id = last; id >= first && find(ended_cache, id, NULL).phase == JOB_PHASE_ENDED;
	     id -= step)
		cached++;
	return cached;
}

static void busy_users_have_equal_shares_and_a_user_with_few_jobs_keeps_all(void **state)
{
	static const char *const busy[3] = {"eva", "max", "ida"};
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());
	uint64_t sum = 0;

	(void)state;
	for (uint64_t id = 1; id <= 10; id++)
		assert_true(record_end_of(ended_cache, "leo", id, 1));
	for (uint64_t id = 1000; id < 1000 + UINT64_C(4) * MANY; id++)
		assert_true(record_end_of(ended_cache, busy[id % 4 == 3 ? 0 : id % 4], id,
					  0)); /* eva has twice as many */
	assert_int_equal(count_cached(ended_cache, 1, 10, 1), 10);
	for (uint64_t user = 1; user < 3; user++) {
		uint64_t cached = count_cached(ended_cache, 1000, 1000 + UINT64_C(4) * (MANY - 1) + user, 4);

		assert_true(cached >= ENDED_CACHE_MAX / 4 && cached <= ENDED_CACHE_MAX / 3);
		sum += cached;
	}
	assert_true(ENDED_CACHE_MAX - 10 - sum <= ENDED_CACHE_MAX / 3); /* eva */
	ended_cache_free(ended_cache);
}

static void more_users_than_entries_are_supported(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());
	char user[16];

	(void)state;
	for (uint64_t id = 1; id <= MANY; id++) {
		snprintf(user, sizeof user, "u%u", (unsigned)id);
		assert_true(record_end_of(ended_cache, user, id, 7));
		assert_int_equal(find(ended_cache, id, NULL).status, 7);
	}
	ended_cache_free(ended_cache);
}

static void an_array_stays_cached_longer_than_its_tasks(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	for (uint32_t number = 0; number < MANY; number++)
		assert_true(record_end_of_task(ended_cache, "eva", 1, number, number == 0 ? 5 : 0));
	assert_int_equal(find(ended_cache, 0, "1[0]").phase, JOB_PHASE_UNKNOWN);
	assert_int_equal(find(ended_cache, 1, NULL).phase, JOB_PHASE_UNKNOWN);
	assert_int_equal(find(ended_cache, 0, "1[]").status, 5);
	ended_cache_free(ended_cache);
}

static void the_last_end_of_a_requeued_job_counts(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	assert_true(record_end_of(ended_cache, "eva", 1, 5) && record_end_of(ended_cache, "eva", 2, 6) &&
		    record_end_of(ended_cache, "eva", 1, 0));
	for (uint64_t id = 3; id <= ENDED_CACHE_MAX + 1; id++)
		assert_true(record_end_of(ended_cache, "eva", id, 0));
	assert_int_equal(find(ended_cache, 1, NULL).status, 0);
	assert_int_equal(find(ended_cache, 1, NULL).phase, JOB_PHASE_ENDED);
	assert_int_equal(find(ended_cache, 2, NULL).phase, JOB_PHASE_UNKNOWN);
	ended_cache_free(ended_cache);
}

static void jobs_in_the_queue_have_their_current_phase(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t runs = scene_submit(sc, 2, 100), waits = scene_submit(sc, 2, 100);
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());
	struct arena arena = {0};

	(void)state;
	scene_start(sc, runs, 0, 1, 2);
	assert_int_equal(
		ended_cache_find(ended_cache, sc->st, &(struct job_ref){.job = runs}, NULL, &arena).phase,
		JOB_PHASE_RUNNING);
	assert_int_equal(
		ended_cache_find(ended_cache, sc->st, &(struct job_ref){.job = waits}, NULL, &arena).phase,
		JOB_PHASE_WAITING);
	arena_free(&arena);
	ended_cache_free(ended_cache);
	scene_free(sc);
}

/* A launch can have 4 MB: it is not read for users who may not see the file names. */
static bool count_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	const struct launch launch = {.output = "/o%j"};

	(void)job;
	(void)err;
	++*(unsigned *)self;
	launch_write(&launch, out);
	return true;
}

static void output_files_are_read_once_and_only_for_the_owner(void **state)
{
	static const struct ledger_ops ops = {.commit = take_commit, .launch = count_launch};
	const struct job_status_files eva = {.user = "eva"}, ann = {.user = "ann"};
	struct scene *sc = scene_new(1, 4);
	uint64_t id = scene_add(sc, (struct scene_job){.user = "eva", .real = true});
	const struct job_ref name[3] = {{.job = id}, {.job = id}, {.job = 77}};
	unsigned reads = 0;
	struct ended_cache *ended_cache = ended_cache_new((struct ledger){&ops, &reads});
	struct ended_job job = ended(77, 0);
	struct arena arena = {0};
	struct job_status out[3];

	(void)state;
	job.record.cred[CRED_USER] = "eva";
	job.output = "/o77";
	assert_true(record_end(ended_cache, job));
	for (int i = 0; i < 2; i++) {
		ended_cache_find_all(ended_cache, sc->st, name, 3, i == 0 ? NULL : &ann, &arena, out);
		for (int k = 0; k < 3; k++)
			assert_null(out[k].output);
	}
	assert_int_equal(reads, 0);
	ended_cache_find_all(ended_cache, sc->st, name, 3, &eva, &arena, out);
	for (int k = 0; k < 3; k++)
		assert_non_null(out[k].output);
	assert_string_equal(out[2].output, "/o77");
	assert_int_equal(reads, 1);
	arena_free(&arena);
	ended_cache_free(ended_cache);
	scene_free(sc);
}

/* --- dependencies on ended jobs ------------------------------------------------------------------- */

static bool dependency_is_accepted(const struct ended_cache *ended_cache, enum depend_type type,
				   enum depend_of of, uint64_t on, uint32_t number, struct err *err)
{
	const struct depend depend = {.on = on, .number = number, .type = (uint8_t)type, .of = (uint8_t)of};

	return ended_cache_check_depend(ended_cache, &depend, err);
}

static void a_dependency_that_an_ended_job_cannot_satisfy_is_rejected(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());
	struct ended_job never = ended(8, STATUS_CANCELLED);
	struct err err = {""};

	(void)state;
	never.record.job.start_s = TIME_NONE;
	assert_true(record_end(ended_cache, ended(6, 0)) && record_end(ended_cache, ended(7, 3)) &&
		    record_end(ended_cache, never));
	assert_true(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_JOB, 6, 0, &err));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_FAILED, DEPEND_ON_JOB, 6, 0, &err));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_JOB, 7, 0, &err));
	assert_string_equal(err.text,
			    "job 7 ended with status 3: a job that depends on it in this way would never "
			    "start; name another job, or omit the dependency");
	assert_true(dependency_is_accepted(ended_cache, DEPEND_FAILED, DEPEND_ON_JOB, 7, 0, &err));
	assert_true(dependency_is_accepted(ended_cache, DEPEND_COMPLETE, DEPEND_ON_JOB, 7, 0, &err));
	assert_true(dependency_is_accepted(ended_cache, DEPEND_START, DEPEND_ON_JOB, 7, 0, &err));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_START, DEPEND_ON_JOB, 8, 0, &err));
	assert_true(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_JOB, 9, 0, &err));
	assert_true(dependency_is_accepted(NULL, DEPEND_OK, DEPEND_ON_JOB, 7, 0, &err));
	ended_cache_free(ended_cache);
}

static void ends_of_another_user_do_not_satisfy_dependencies(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());

	(void)state;
	assert_true(record_end_of(ended_cache, "eva", 1, 3) &&
		    record_end_of_task(ended_cache, "eva", 2, 0, 1));
	for (uint64_t id = 10; id < 10 + MANY; id++)
		assert_true(record_end_of_task(ended_cache, "max", id, 0, 0));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_JOB, 1, 0, NULL));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_ARRAY, 2, 0, NULL));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_TASK, 2, 0, NULL));
	ended_cache_free(ended_cache);
}

static void a_failed_task_satisfies_no_success_dependency_nor_does_its_array(void **state)
{
	struct ended_cache *ended_cache = ended_cache_new(plain_ledger());
	struct ended_job good = ended(20, 0), bad = ended(21, 1);
	char first[] = "20[0]", second[] = "20[1]";

	(void)state;
	good.record.job.array = bad.record.job.array = 20;
	good.record.label = first;
	bad.record.label = second;
	bad.why = "its owner's secret";
	assert_true(record_end(ended_cache, good));
	assert_true(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_ARRAY, 20, 0, NULL));
	assert_true(record_end(ended_cache, bad));
	assert_true(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_TASK, 20, 0, NULL));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_TASK, 20, 1, NULL));
	assert_false(dependency_is_accepted(ended_cache, DEPEND_OK, DEPEND_ON_ARRAY, 20, 0, NULL));
	assert_true(dependency_is_accepted(ended_cache, DEPEND_COMPLETE, DEPEND_ON_ARRAY, 20, 0, NULL));
	ended_cache_free(ended_cache);
}

/* --- description ---------------------------------------------------------------------------------- */

static void a_status_has_a_description_and_an_exit_status(void **state)
{
	static const struct {
		struct job_status job_status;
		const char *words;
		uint8_t status;
	} cases[] = {
		{{.job = 1, .phase = JOB_PHASE_ENDED, .status = 3}, "job 1 ended with status 3", 3},
		{{.job = 1, .phase = JOB_PHASE_ENDED, .status = 256 + 9}, "job 1 was ended by KILL", 137},
		{{.job = 1, .label = "7[1]", .phase = JOB_PHASE_ENDED, .status = 256 + 15, .at_limit = true},
		 "job 7[1] was ended at its wallclock limit",
		 143},
		{{.job = 1, .phase = JOB_PHASE_ENDED, .status = STATUS_CANCELLED, .start_s = TIME_NONE},
		 "job 1 was cancelled before it ran",
		 143},
		{{.job = 1, .phase = JOB_PHASE_ENDED, .lost = true, .why = "killed"},
		 "job 1 is lost: its exit status is unknown: killed",
		 1},
		{{.job = 1, .phase = JOB_PHASE_RUNNING}, "job 1 is running", 0},
		{{.job = 1, .phase = JOB_PHASE_WAITING}, "job 1 is waiting", 0},
		{{.job = 1}, "job 1 is not known", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str words = {0};

		job_status_describe(&cases[i].job_status, &words);
		assert_string_equal(str_text(&words), cases[i].words);
		assert_int_equal(job_status_exit(&cases[i].job_status), cases[i].status);
		str_free(&words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ended_job_is_cached_with_its_texts),
		cmocka_unit_test(an_array_has_the_status_of_its_worst_task),
		cmocka_unit_test(an_end_whose_commit_failed_is_not_cached),
		cmocka_unit_test(the_newest_ended_jobs_are_cached),
		cmocka_unit_test(ends_of_another_user_do_not_remove_entries),
		cmocka_unit_test(the_oldest_entry_of_the_user_with_most_entries_is_removed),
		cmocka_unit_test(busy_users_have_equal_shares_and_a_user_with_few_jobs_keeps_all),
		cmocka_unit_test(more_users_than_entries_are_supported),
		cmocka_unit_test(an_array_stays_cached_longer_than_its_tasks),
		cmocka_unit_test(the_last_end_of_a_requeued_job_counts),
		cmocka_unit_test(jobs_in_the_queue_have_their_current_phase),
		cmocka_unit_test(output_files_are_read_once_and_only_for_the_owner),
		cmocka_unit_test(a_dependency_that_an_ended_job_cannot_satisfy_is_rejected),
		cmocka_unit_test(ends_of_another_user_do_not_satisfy_dependencies),
		cmocka_unit_test(a_failed_task_satisfies_no_success_dependency_nor_does_its_array),
		cmocka_unit_test(a_status_has_a_description_and_an_exit_status),
	};

	return cmocka_run_group_tests_name("ended_cache", tests, NULL, NULL);
}
