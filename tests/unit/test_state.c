/* SPDX-License-Identifier: MIT */
/*
 * test_state.c - do the tables stay in order and complete, however many jobs pass through?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/scene.h"

static void a_new_state_is_empty_and_sound(void **state)
{
	struct scene *sc = scene_new(0, 0);
	const struct snapshot *s = scene_view(sc);
	struct err err;

	(void)state;
	assert_true(state_check(sc->st, &err));
	assert_int_equal(s->procs_total, 0);
	assert_int_equal(s->seq, 0);
	assert_int_equal(snapshot_count(s, TABLE_CREDS), CRED_TYPE_COUNT);
	assert_string_equal(snapshot_string(s, snapshot_partitions(s)[0].name), "ALL");
	assert_int_equal(state_find(sc->st, 1), INDEX_NONE);
	assert_int_equal(state_find(sc->st, 0), INDEX_NONE);
	assert_int_equal(scene_pass(sc), 0);
	scene_free(sc);
}

static void the_waiting_stand_by_submission_and_id(void **state)
{
	struct scene *sc = scene_new(1, 1);
	const struct snapshot *s;
	static const uint64_t order[] = {2, 4, 1, 3};

	(void)state;
	sc->now_s = 100;
	scene_add(sc, (struct scene_job){.submit_s = 50});
	scene_add(sc, (struct scene_job){.submit_s = 10});
	scene_add(sc, (struct scene_job){.submit_s = 50});
	scene_add(sc, (struct scene_job){.submit_s = 20, .procs = 3, .wall_s = 7});
	s = scene_view(sc);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id, order[i]);
	assert_int_equal(snapshot_waiting(s)[1].procs, 3);
	assert_int_equal(snapshot_waiting(s)[1].wall_s, 7);
	scene_free(sc);
}

static void the_running_stand_by_their_ends(void **state)
{
	struct scene *sc = scene_new(4, 1);
	const struct snapshot *s;
	static const int64_t wall_s[] = {50, 20, 50, 30};
	static const uint64_t order[] = {2, 4, 1, 3};

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		scene_submit(sc, 1, wall_s[i]);
		scene_start(sc, i + 1, 3 - i, 1, 1);
	}
	s = scene_view(sc);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(snapshot_jobs(s)[snapshot_running(s)[i]].id, order[i]);
	assert_int_equal(s->procs_busy, 4);
	assert_int_equal(s->nodes_busy, 4);
	scene_end(sc, 1);
	assert_int_equal(scene_view(sc)->nodes_busy, 3);
	assert_int_equal(snapshot_nodes(scene_view(sc))[3].procs_busy, 0);
	scene_free(sc);
}

static void a_job_record_says_what_was_submitted(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct state_parts parts = {.run = NULL};
	struct job_record record;
	uint32_t slot;

	(void)state;
	scene_add(sc,
		  (struct scene_job){
			  .procs = 6, .user = "eva", .partition = "night", .label = "x.1", .name = "cfd"});
	scene_start(sc, 1, 0, 2, 3);
	slot = state_find(sc->st, 1);
	assert_int_equal(scene_run_count(scene_view(sc), slot), 1);
	state_job_record(scene_view(sc), slot, &record, &parts);
	assert_string_equal(record.cred[CRED_USER], "eva");
	assert_null(record.cred[CRED_CLASS]);
	assert_string_equal(record.partition, "night");
	assert_string_equal(record.label, "x.1");
	assert_string_equal(record.name, "cfd");
	assert_int_equal(record.run_count, 1);
	assert_int_equal(record.runs[0].nodes, 2);
	assert_int_equal(record.runs[0].procs, 3);
	assert_int_equal(record.runs[0].tasks, 3);
	state_parts_free(&parts);
	scene_free(sc);
}

static void nodes_are_named_once_and_can_be_resized(void **state)
{
	struct scene *sc = scene_new(300, 2);
	struct event ev = {.kind = EVENT_NODE, .node = {.name = "n007", .procs = 5, .mem_mb = 10}};

	(void)state;
	assert_int_equal(scene_view(sc)->procs_total, 600);
	scene_apply(sc, &ev);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_NODES), 300);
	assert_int_equal(scene_view(sc)->procs_total, 603);
	assert_int_equal(scene_view(sc)->mem_mb_total, 299 * 4096 + 10);
	assert_int_equal(state_find_node(sc->st, "n300"), 299);
	assert_int_equal(state_find_node(sc->st, "n301"), INDEX_NONE);
	scene_free(sc);
}

static void ids_are_found_among_very_many(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	for (uint64_t id = 1; id <= 500; id++)
		scene_submit(sc, 1, 100);
	for (uint64_t id = 1; id <= 500; id += 2) {
		scene_start(sc, id, 0, 1, 1);
		scene_end(sc, id);
	}
	for (uint64_t id = 1; id <= 500; id++)
		assert_int_equal(state_find(sc->st, id) == INDEX_NONE, id % 2);
	/* Their slots serve again. */
	for (uint64_t id = 501; id <= 700; id++)
		scene_submit(sc, 1, 100);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_JOBS), 500);
	scene_free(sc);
}

/* Without state_check at each event, which scene.c does, that many take no time. */
static void submit_named(struct state *st, uint64_t i)
{
	char label[40], name[40], user[16];
	struct event ev = {.kind = EVENT_SUBMIT};

	snprintf(label, sizeof label, "job-with-a-long-label-%llu", (unsigned long long)i);
	snprintf(name, sizeof name, "name %llu", (unsigned long long)i * 7);
	snprintf(user, sizeof user, "user%llu", (unsigned long long)i % 20);
	ev.submit = (struct job_record){.job = {.not_before_s = TIME_NONE,
						.wall_limit_s = 10,
						.true_run_s = 10,
						.tasks = 1,
						.task_procs = 1},
					.cred = {[CRED_USER] = user},
					.label = label,
					.name = name};
	assert_true(event_apply(st, &ev, NULL));
}

static void assert_names(const struct state *st, uint64_t id)
{
	const struct snapshot *s = state_view(st);
	const struct job *job = &snapshot_jobs(s)[state_find(st, id)];
	char label[40], name[40], user[16];

	snprintf(label, sizeof label, "job-with-a-long-label-%llu", (unsigned long long)id);
	snprintf(name, sizeof name, "name %llu", (unsigned long long)id * 7);
	snprintf(user, sizeof user, "user%llu", (unsigned long long)id % 20);
	assert_string_equal(snapshot_string(s, job->label), label);
	assert_string_equal(snapshot_string(s, job->name), name);
	assert_string_equal(snapshot_job_cred(s, job, CRED_USER), user);
}

static void names_stay_while_those_of_the_ended_go(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1};
	struct err err;
	uint64_t most = 0;

	(void)state;
	scene_config(sc, "user user3 { priority = 5 }\npartition night { xfactorweight = 2 }\nnode extra { "
			 "procs = 2 }\n");
	scene_set(sc, "user[user4].priority", "44");
	for (uint64_t id = 1; id <= 110000; id++) {
		struct event start = {
			.kind = EVENT_START, .job = id - 50, .start = {.runs = &run, .count = 1}};
		struct event end = {.kind = EVENT_END, .job = id - 50};

		submit_named(sc->st, id);
		if (id <= 50)
			continue;
		assert_true(event_apply(sc->st, &start, NULL));
		assert_true(event_apply(sc->st, &end, NULL));
		if (id % 997 == 0)
			assert_names(sc->st, id - 20);
		if (snapshot_count(scene_view(sc), TABLE_STRINGS) > most)
			most = snapshot_count(scene_view(sc), TABLE_STRINGS);
	}
	for (uint64_t id = 110000 - 49; id <= 110000; id++)
		assert_names(sc->st, id);
	assert_true(most < 200000);
	assert_true(snapshot_count(scene_view(sc), TABLE_JOBS) <= 64);
	assert_true(state_check(sc->st, &err));
	assert_string_equal(snapshot_string(scene_view(sc), snapshot_nodes(scene_view(sc))[1].name), "extra");
	assert_true(snapshot_creds(scene_view(sc))[snapshot_find_cred(scene_view(sc), CRED_USER, "user4")]
			    .attr.priority == 44);
	scene_set(sc, "xfactorweight", "1"); /* built anew from what the strings say now */
	assert_true(snapshot_creds(scene_view(sc))[snapshot_find_cred(scene_view(sc), CRED_USER, "user3")]
			    .attr.priority == 5);
	assert_true(snapshot_partitions(scene_view(sc))[1].weights.factor[PRIO_SERV_XFACTOR] == 2);
	assert_int_equal(state_find_node(sc->st, "extra"), 1);
	scene_free(sc);
}

static void the_fingerprint_sees_what_means_something(void **state)
{
	struct scene *sc = scene_new(2, 2), *other = scene_new(2, 2);
	uint64_t before;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(other, 1, 100);
	assert_true(state_hash(scene_view(sc)) == state_hash(scene_view(other)));
	before = state_hash(scene_view(sc));
	scene_undo(sc, scene_set(sc, "xfactorweight", "3"));
	assert_true(state_hash(scene_view(sc)) != before);
	scene_set(other, "xfactorweight", "3");
	assert_true(state_hash(scene_view(sc)) != state_hash(scene_view(other)));
	scene_free(sc);
	scene_free(other);
}

/* --- what state_check finds ------------------------------------------------------------------ */

static void assert_unsound(const struct scene *sc, const char *words)
{
	struct err err = {""};

	assert_false(state_check(sc->st, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("expected '%s' in: %s", words, err.text);
}

static struct scene *broken_scene(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_submit(sc, 4, 100);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	return sc;
}

static void what_does_not_add_up_is_found(void **state)
{
	struct scene *sc = broken_scene();
	struct snapshot *s = state_header(sc->st);
	struct job *job = state_job(sc->st, state_find(sc->st, 2));

	(void)state;
	s->planned++;
	assert_unsound(sc, "jobs are planned");
	s->planned--;
	s->adjusted++;
	assert_unsound(sc, "operator's priority");
	s->adjusted--;
	s->procs_busy--;
	assert_unsound(sc, "sums over nodes");
	s->procs_busy++;
	job->tasks = 3;
	assert_unsound(sc, "another size");
	job->tasks = 4;
	job->submit_s = 5;
	assert_unsound(sc, "wrong order");
	job->submit_s = 0;
	job->state = JOB_RUNNING;
	assert_unsound(sc, "does not wait");
	job->state = JOB_IDLE;
	s->next_job_id = 2;
	assert_unsound(sc, "beyond the next id");
	s->next_job_id = 4;
	job = state_job(sc->st, state_find(sc->st, 1));
	job->state = JOB_IDLE;
	assert_unsound(sc, "does not run");
	job->state = JOB_RUNNING;
	job->tasks = 3;
	assert_unsound(sc, "has 4 processors, not 3");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_state_is_empty_and_sound),
		cmocka_unit_test(the_waiting_stand_by_submission_and_id),
		cmocka_unit_test(the_running_stand_by_their_ends),
		cmocka_unit_test(a_job_record_says_what_was_submitted),
		cmocka_unit_test(nodes_are_named_once_and_can_be_resized),
		cmocka_unit_test(ids_are_found_among_very_many),
		cmocka_unit_test(names_stay_while_those_of_the_ended_go),
		cmocka_unit_test(the_fingerprint_sees_what_means_something),
		cmocka_unit_test(what_does_not_add_up_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
