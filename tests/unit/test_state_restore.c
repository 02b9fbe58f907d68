/* SPDX-License-Identifier: MIT */
/*
 * test_state_restore.c - restoring a stored state, and rejection of invalid records
 * tests/property/same.c restores random states with their jobs in any order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "tests/scene.h"

static struct state *two_nodes(void)
{
	struct state *st = state_new();

	assert_true(state_restore_node(
		st, &(struct node_record){.name = "a", .procs = 4, .active_from_s = TIME_NONE}, NULL));
	assert_true(state_restore_node(
		st, &(struct node_record){.name = "b", .procs = 2, .active_from_s = TIME_NONE}, NULL));
	assert_true(
		state_restore_config(st, "kahu.conf", "xfactorweight = 3\nnode a { procs = 64 }\n", NULL));
	return st;
}

static struct job_record waiting_job(uint64_t id)
{
	return (struct job_record){.job = {.id = id,
					   .not_before_s = TIME_NONE,
					   .wall_limit_s = 100,
					   .start_s = TIME_NONE,
					   .planned_s = TIME_NEVER,
					   .defer_until_s = TIME_NONE,
					   .used_ps = -1,
					   .tasks = 4,
					   .task_procs = 1,
					   .state = JOB_IDLE},
				   .cred = {[CRED_USER] = "eva"}};
}

static struct job_record running_job(uint64_t id, const struct alloc_run *runs, uint32_t count)
{
	struct job_record record = waiting_job(id);

	record.job.state = JOB_RUNNING;
	record.job.start_s = 10;
	record.runs = runs;
	record.run_count = count;
	return record;
}

static void assert_job_refused(const struct job_record *record, const char *words)
{
	struct state *st = two_nodes();
	uint64_t before = state_hash(state_view(st));
	struct err err = {""};

	assert_false(state_restore_job(st, record, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("expected '%s', got '%s'", words, err.text);
	assert_true(state_hash(state_view(st)) == before);
	state_free(st);
}

static void stored_state_is_restored(void **state)
{
	static const struct alloc_run runs[] = {{.node = 0, .nodes = 1, .procs = 3},
						{.node = 1, .nodes = 1, .procs = 1}};
	struct state_counters counters = {.now_s = 50, .seq = 9, .next_job_id = 12, .ends_pending = 1};
	struct state *st = two_nodes();
	struct job_record waiting = waiting_job(3), runs_now = running_job(7, runs, 2);
	struct err err;

	(void)state;
	assert_true(state_restore_job(st, &runs_now, &err));
	assert_true(state_restore_job(st, &waiting, &err));
	assert_true(state_restore_finish(st, &counters, &err));
	assert_int_equal(state_view(st)->procs_total,
			 6); /* from the stored nodes, not from the configuration */
	assert_int_equal(state_view(st)->procs_busy, 4);
	assert_int_equal(state_view(st)->next_job_id, 12);
	assert_int_equal(state_view(st)->now_s, 50);
	assert_int_equal(state_view(st)->ends_pending, 1);
	assert_true(state_view(st)->policy.weights.factor[PRIO_SERV_XFACTOR] == 3);
	assert_int_equal(scene_run_count(state_view(st), state_find(st, 7)), 2);
	state_free(st);
}

static void settings_are_restored_with_their_undos(void **state)
{
	struct state_counters counters = {.seq = 3, .next_job_id = 1};
	struct state *st = two_nodes();

	(void)state;
	state_restore_change(st, &(struct change){.seq = 1, .kind = CHANGE_SETTING}, "xfactorweight", "7",
			     NULL);
	state_restore_change(st, &(struct change){.seq = 2, .kind = CHANGE_SETTING}, "procweight", "8", NULL);
	state_restore_change(st, &(struct change){.seq = 3, .kind = CHANGE_UNDO, .number = 1}, NULL, NULL,
			     NULL);
	assert_true(state_restore_finish(st, &counters, NULL));
	assert_true(state_view(st)->policy.weights.factor[PRIO_SERV_XFACTOR] == 3);
	assert_true(state_view(st)->policy.weights.factor[PRIO_RES_PROC] == 8);
	assert_int_equal(state_find_change(state_view(st), 1)->dead, 1);
	state_free(st);
}

static void invalid_jobs_are_rejected(void **state)
{
	static const struct alloc_run none = {.node = 2, .nodes = 1, .procs = 4},
				      big = {.node = 1, .nodes = 1, .procs = 4},
				      few = {.node = 0, .nodes = 1, .procs = 3},
				      no_node = {.node = 0, .procs = 4},
				      twice[] = {{.node = 0, .nodes = 1, .procs = 2},
						 {.node = 0, .nodes = 1, .procs = 2}};
	static const struct depend no_type = {.on = 3, .type = DEPEND_TYPE_COUNT},
				   no_state = {.on = 3, .state = DEPEND_NEVER + 1},
				   of_nothing = {.on = 3, .of = DEPEND_OF_COUNT};
	struct job_record record = waiting_job(0);

	(void)state;
	assert_job_refused(&record, "a stored job has ID 0");
	record = waiting_job(1);
	record.job.state = JOB_COMPLETED;
	assert_job_refused(&record, "is neither idle nor running");
	record = waiting_job(1);
	record.job.wall_limit_s = 0;
	assert_job_refused(&record, "wallclock limit");
	record.job.wall_limit_s = INT64_MAX;
	assert_job_refused(&record, "wallclock limit");
	record = waiting_job(1);
	record.job.task_procs = 0;
	assert_job_refused(&record, "at least one processor");
	record.job.task_procs = UINT32_MAX;
	assert_job_refused(&record, "at most 4294967295 processors");
	record = running_job(1, &none, 1);
	assert_job_refused(&record, "nodes that do not exist");
	record = running_job(1, &no_node, 1);
	assert_job_refused(&record, "nodes that do not exist");
	record = running_job(1, &big, 1);
	assert_job_refused(&record, "node b has only 2");
	record = running_job(1, &few, 1);
	assert_job_refused(&record, "on 3 processors, but requested 4");
	record = running_job(1, twice, 2);
	assert_job_refused(&record, "node a twice");
	record = running_job(1, NULL, 0);
	assert_job_refused(&record, "on 0 processors");
	record = waiting_job(1);
	record.job.access_held = ACCESS_SINGLETASK + 1;
	assert_job_refused(&record, "an access policy that does not exist");
	record = waiting_job(1);
	record.runs = &few;
	record.run_count = 1;
	assert_job_refused(&record, "job 1 has nodes but no planned start");
	record.job.planned_s = 50;
	assert_job_refused(&record, "the stored placement is invalid");
	record = waiting_job(1);
	record.depend = &no_type;
	record.depend_count = 1;
	assert_job_refused(&record, "it has a dependency of an unknown kind");
	record.depend = &no_state;
	assert_job_refused(&record, "it has a dependency of an unknown kind");
	record.depend = &of_nothing;
	assert_job_refused(&record, "it has a dependency of an unknown kind");
}

static void running_job_needs_possible_runs(void **state)
{
	static const struct alloc_run all = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4},
				      few = {.node = 0, .nodes = 1, .procs = 3, .tasks = 4};
	struct job_record record = running_job(1, &few, 1);

	(void)state;
	assert_job_refused(&record, "node a is allocated with fewer processors than its tasks need");
	record = running_job(1, &all, 1);
	record.job.real = JOB_REAL_RELEASED;
	assert_job_refused(&record, "it is marked as having released its processors, but is not suspended");
	record.job.real = JOB_REAL_SUSPENDED | JOB_REAL_RESUMES;
	assert_job_refused(&record, "it is marked as having released its processors, but is not suspended");
}

static void invalid_nodes_are_rejected(void **state)
{
	static const struct node_record wrong[] = {
		{.name = "n", .mem_mb = -1},
		{.name = "n", .swap_mb = MEMORY_MAX_MB + 1},
		{.name = "n", .speed = -1},
		{.name = "n", .speed = NAN},
		{.name = "n", .procspeed = -1},
		{.name = "n", .procspeed = INFINITY},
		{.name = "n", .access = ACCESS_SINGLETASK + 1},
		{.name = "n", .gres = "gpu:x"},
		{.name = "n",
		 .features = "01234567890123456789012345678901234567890123456789012345678901234"},
	};
	struct state *st = state_new();

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct err err = {""};

		assert_false(state_restore_node(st, &wrong[i], &err));
		if (strncmp(err.text, "a stored node: node n", 21) != 0)
			fail_msg("%zu: %s", i, err.text);
	}
	assert_int_equal(snapshot_count(state_view(st), TABLE_NODES), 0);
	assert_true(state_restore_node(
		st, &(struct node_record){.name = "n", .swap_mb = MEMORY_MAX_MB, .active_from_s = TIME_NONE},
		NULL));
	state_free(st);
}

static void usage_without_a_credential_is_rejected(void **state)
{
	static const struct used_by wrong[] = {
		{CRED_TYPE_COUNT, "eva", 7}, {CRED_USER, NULL, 7}, {CRED_USER, "", 7}};
	struct state *st = two_nodes();
	struct err err;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct usage_window window = {.begin_s = 0, .length_s = 60, .item = &wrong[i], .count = 1};

		err.text[0] = '\0';
		assert_false(state_restore_usage(st, &window, &err));
		assert_int_equal(strncmp(err.text, "stored fairshare usage: ", 24), 0);
	}
	state_free(st);
}

static void an_unreadable_reservation_is_refused(void **state)
{
	const struct change change = {.kind = CHANGE_RESERVE, .seq = 4};
	struct state_counters counters = {.seq = 9, .next_job_id = 1};
	struct state *st = two_nodes();
	struct err err;

	(void)state;
	state_restore_change(st, &change, "maint", "damaged", "root");
	assert_false(state_restore_finish(st, &counters, &err));
	assert_string_equal(err.text, "a stored reservation: 'damaged' in a reservation is not KEY=VALUE");
	state_free(st);
}

static void duplicate_ids_and_ids_beyond_the_counter_are_refused(void **state)
{
	struct state_counters counters = {.next_job_id = 5};
	struct state *st = two_nodes();
	struct job_record record = waiting_job(5);
	struct err err;

	(void)state;
	assert_true(state_restore_job(st, &record, NULL));
	assert_false(state_restore_job(st, &record, &err));
	assert_non_null(strstr(err.text, "used twice"));
	assert_false(state_restore_finish(st, &counters, &err));
	assert_non_null(strstr(err.text, "next job ID 5"));
	state_free(st);
}

static void nodes_without_a_name_and_invalid_configurations_are_refused(void **state)
{
	struct state *st = state_new();
	struct err err;

	(void)state;
	assert_false(state_restore_node(st, &(struct node_record){.procs = 4}, &err));
	assert_false(state_restore_node(st, &(struct node_record){.name = "", .procs = 4}, &err));
	assert_false(state_restore_config(st, "kahu.conf", "xfactorweight 3", &err));
	assert_int_equal(snapshot_count(state_view(st), TABLE_NODES), 0);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stored_state_is_restored),
		cmocka_unit_test(settings_are_restored_with_their_undos),
		cmocka_unit_test(invalid_jobs_are_rejected),
		cmocka_unit_test(running_job_needs_possible_runs),
		cmocka_unit_test(invalid_nodes_are_rejected),
		cmocka_unit_test(usage_without_a_credential_is_rejected),
		cmocka_unit_test(an_unreadable_reservation_is_refused),
		cmocka_unit_test(duplicate_ids_and_ids_beyond_the_counter_are_refused),
		cmocka_unit_test(nodes_without_a_name_and_invalid_configurations_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
