/* SPDX-License-Identifier: MIT */
/*
 * test_state.c - order and completeness of the tables, and their consistency check
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/scene.h"

static void new_state_is_empty_and_consistent(void **state)
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

static void idle_jobs_are_sorted_by_submission_and_id(void **state)
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

static void running_jobs_are_sorted_by_due_end(void **state)
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

static void job_record_equals_the_submission(void **state)
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

static void jobs_are_found_by_id_among_many(void **state)
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
	/* Slots of ended jobs are reused. */
	for (uint64_t id = 501; id <= 700; id++)
		scene_submit(sc, 1, 100);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_JOBS), 500);
	scene_free(sc);
}

/* Applies the event directly, because scene.c runs state_check after each event, which is slow for many jobs.
 */
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

static void names_of_ended_jobs_are_removed(void **state)
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
	scene_set(sc, "xfactorweight", "1"); /* rebuilds the policy from the strings */
	assert_true(snapshot_creds(scene_view(sc))[snapshot_find_cred(scene_view(sc), CRED_USER, "user3")]
			    .attr.priority == 5);
	assert_true(snapshot_partitions(scene_view(sc))[1].weights.factor[PRIO_SERV_XFACTOR] == 2);
	assert_int_equal(state_find_node(sc->st, "extra"), 1);
	scene_free(sc);
}

static void hash_covers_logical_content(void **state)
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

/* --- errors found by state_check ------------------------------------------------------------------ */

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

static void wrong_sums_are_detected(void **state)
{
	struct scene *sc = broken_scene();
	struct snapshot *s = state_header(sc->st);
	struct job *job = state_job(sc->st, state_find(sc->st, 2));

	(void)state;
	s->planned++;
	assert_unsound(sc, "jobs have a planned start");
	s->planned--;
	s->adjusted++;
	assert_unsound(sc, "operator's priority");
	s->adjusted--;
	s->procs_busy--;
	assert_unsound(sc, "sums over all nodes");
	s->procs_busy++;
	job->tasks = 3;
	assert_unsound(sc, "the wrong processors");
	job->tasks = 4;
	job->submit_s = 5;
	assert_unsound(sc, "not in order of submission");
	job->submit_s = 0;
	job->state = JOB_RUNNING;
	assert_unsound(sc, "is not idle");
	job->state = JOB_IDLE;
	s->next_job_id = 2;
	assert_unsound(sc, "is not below the next ID");
	s->next_job_id = 4;
	job = state_job(sc->st, state_find(sc->st, 1));
	job->state = JOB_IDLE;
	assert_unsound(sc, "is not running");
	job->state = JOB_RUNNING;
	job->tasks = 3;
	assert_unsound(sc, "have 4 processors, but the job requested 3");
	scene_free(sc);
}

static void *items(struct snapshot *s, enum snapshot_table_id id)
{
	return (char *)s + s->table[id].offset;
}

/* The check fails with WORDS while PLACE is VALUE, and passes again afterwards. */
#define assert_unsound_while(sc, place, value, words)                                                        \
	do {                                                                                                 \
		const __typeof__(place) was = (place);                                                       \
		struct err sound;                                                                            \
                                                                                                             \
		(place) = (value);                                                                           \
		assert_unsound(sc, words);                                                                   \
		(place) = was;                                                                               \
		if (!state_check((sc)->st, &sound))                                                          \
			fail_msg("not sound: %s", sound.text);                                               \
	} while (0)

/* Job 1 runs alone on node 1 with memory, swap, disk and a GPU. Jobs 2 to 4 wait, and 3 depends on 2. */
static struct scene *full_scene(void)
{
	struct scene *sc = scene_new(0, 0);
	struct err err;

	scene_config(sc, "fspolicy = dedicatedps\n");
	scene_node(sc, (struct node_record){.name = "n1",
					    .procs = 4,
					    .mem_mb = 100,
					    .swap_mb = 100,
					    .disk_mb = 100,
					    .gres = "gpu:2"});
	scene_node(sc, (struct node_record){.name = "n2", .procs = 4});
	scene_add(sc, (struct scene_job){.procs = 2,
					 .mem_mb = 1,
					 .swap_mb = 2,
					 .disk_mb = 3,
					 .gres = "gpu:1",
					 .user = "eva",
					 .access = ACCESS_SINGLEJOB});
	assert_string_equal(scene_try_start(sc, 1,
					    (struct alloc_run){.node = 0, .nodes = 1, .procs = 4, .tasks = 2},
					    &err),
			    "");
	scene_add(sc, (struct scene_job){.procs = 4, .user = "bob"});
	scene_add(sc, (struct scene_job){.procs = 4, .user = "bob", .depend = "afterok:2"});
	scene_submit(sc, 4, 100);
	scene_go(sc, 10);
	scene_hold(sc, 2, JOB_HOLD_USER);
	scene_hold(sc, 4, JOB_HOLD_USER);
	return sc;
}

static void each_count_of_the_header_is_checked(void **state)
{
	struct scene *sc = full_scene();
	struct snapshot *s = state_header(sc->st);

	(void)state;
	assert_unsound_while(sc, s->planned, 1,
			     "0 jobs have a planned start and the queue time of 0 is stopped, but the state "
			     "records 1 and 0");
	assert_unsound_while(sc, s->shifted, 1,
			     "the queue time of 0 jobs was moved, but the state records 1");
	assert_unsound_while(sc, s->paused, s->paused + 1, "jobs have a planned start");
	assert_unsound_while(sc, s->particular, s->particular + 1, "jobs are particular");
	assert_unsound_while(sc, s->deferred, 0,
			     "1 are deferred or have dependencies, but the state records");
	assert_unsound_while(sc, s->adjusted, 1,
			     "0 jobs have an operator's priority, but the state records 1");
	assert_unsound_while(
		sc, s->throttled, 1,
		"0 jobs are tasks of arrays, and 0 idle jobs are tasks of arrays with a throttle");
	assert_unsound_while(sc, s->of_arrays, 1, "0 jobs are tasks of arrays");
	assert_unsound_while(sc, s->released, 1,
			     "the processors of 0 jobs are released, but the state records 1");
	assert_unsound_while(sc, s->table[TABLE_WAITING].count, 2,
			     "there are 4 jobs, but 2 are listed as waiting and 1 as running");
	scene_free(sc);
}

static void each_sum_and_table_of_the_header_is_checked(void **state)
{
	struct scene *sc = full_scene();
	struct snapshot *s = state_header(sc->st);

	(void)state;
	assert_unsound_while(sc, s->procs_total, 9,
			     "the sums over all nodes are 8 processors, 4 busy processors and 1 busy "
			     "node(s), but the state records 9, 4 and 1");
	assert_unsound_while(sc, s->procs_busy, 5, "but the state records 8, 5 and 1");
	assert_unsound_while(sc, s->nodes_busy, 2, "but the state records 8, 4 and 2");
	assert_unsound_while(sc, s->gone_changes, 1, "0 removed");
	assert_unsound_while(sc, s->timed_changes, 1, "0 temporary");
	assert_unsound_while(sc, s->depend_changes, 1, "0 of dependencies");
	assert_unsound_while(sc, s->table[TABLE_NODES].count, s->table[TABLE_NODES].room + 1,
			     "overlaps another table or exceeds its capacity");
	assert_unsound_while(sc, s->table[TABLE_JOBS].offset, 1,
			     "overlaps another table or exceeds its capacity");
	assert_unsound_while(sc, s->size, 1000, "beyond the end of the block of 1000 bytes");
	scene_free(sc);
}

static void a_copy_of_the_site_is_consistent_and_has_no_jobs(void **state)
{
	struct scene *sc = full_scene();
	struct snapshot *site = snapshot_copy_site(scene_view(sc));
	struct state *st = state_from_snapshot(site);
	struct err err = {""};

	(void)state;
	if (!state_check(st, &err))
		fail_msg("not sound: %s", err.text);
	assert_int_equal(snapshot_count(site, TABLE_JOBS) + snapshot_count(site, TABLE_WAITING) +
				 snapshot_count(site, TABLE_RUNNING) + snapshot_count(site, TABLE_CHANGES),
			 0);
	assert_int_equal(snapshot_count(site, TABLE_NODES), 2);
	assert_int_equal(snapshot_nodes(site)[0].procs_busy, 0);
	assert_int_equal(site->next_job_id, scene_view(sc)->next_job_id);
	assert_int_not_equal(snapshot_find_cred(site, CRED_USER, "eva"), INDEX_NONE);
	state_free(st);
	free(site);
	scene_free(sc);
}

static void credential_fields_are_checked(void **state)
{
	struct scene *sc = full_scene();
	struct cred *cred = items(state_header(sc->st), TABLE_CREDS);
	uint32_t count = snapshot_count(scene_view(sc), TABLE_CREDS);

	(void)state;
	for (uint32_t i = 0; i < count; i += count - 1) { /* the first and the last */
		assert_unsound_while(sc, cred[i].stored, cred[i].stored + 1, "but the state records");
		assert_unsound_while(sc, cred[i].texts, cred[i].texts + 1, "the texts of the jobs of");
		assert_unsound_while(sc, cred[i].kept_depends, cred[i].kept_depends + 1,
				     "contain 0 dependencies, but the state records 1");
		assert_unsound_while(sc, cred[i].kept_changes, cred[i].kept_changes + 1,
				     "changes, but the state records");
	}
	scene_free(sc);
}

static void node_fields_are_checked(void **state)
{
	struct scene *sc = full_scene();
	struct node *node = items(state_header(sc->st), TABLE_NODES);

	(void)state;
	assert_unsound_while(sc, node->procs_busy, 3,
			     "node n1: the state records 3 of 4 processors in use, but its jobs use 4");
	assert_unsound_while(sc, node->procs, 3,
			     "node n1: the state records 4 of 3 processors in use, but its jobs use 4");
	assert_unsound_while(sc, node->mem_busy_mb, 3, "node n1: memory, disk or resources");
	assert_unsound_while(sc, node->swap_busy_mb, 3, "node n1: memory, disk or resources");
	assert_unsound_while(sc, node->disk_busy_mb, 7, "node n1: memory, disk or resources");
	assert_unsound_while(sc, node->gres_busy[0], 1, "node n1: memory, disk or resources");
	assert_unsound_while(sc, node->gres_busy[GRES_MAX - 1], 1, "node n1: memory, disk or resources");
	assert_unsound_while(sc, node->jobs, 2, "node n1: 1 jobs run there, but the state records 2");
	assert_unsound_while(sc, node->held_whole, 0, "node n1: 1 jobs run there");
	assert_unsound_while(sc, node->held_user, 1, "node n1: 1 jobs run there");
	assert_unsound_while(sc, node->user, INDEX_NONE,
			     "node n1: the recorded user of all its jobs is wrong");
	assert_unsound_while(sc, node->active_from_s, TIME_NONE,
			     "node n1: the recorded time from which it has run jobs");
	assert_unsound_while(sc, node[1].active_from_s, 5,
			     "node n2: the recorded time from which it has run jobs");
	assert_unsound_while(sc, node[1].user, 0, "node n2: the recorded user of all its jobs is wrong");
	scene_free(sc);
}

static void job_fields_are_checked(void **state)
{
	struct scene *sc = full_scene();
	struct snapshot *s = state_header(sc->st);
	struct job *running = state_job(sc->st, state_find(sc->st, 1));
	struct job *waiting = state_job(sc->st, state_find(sc->st, 2));
	struct job *dependent = state_job(sc->st, state_find(sc->st, 3));
	struct waiting *place = items(s, TABLE_WAITING);

	(void)state;
	assert_unsound_while(sc, running->procs_held, 3,
			     "running job 1 holds 4 processors, but the state records 3");
	assert_unsound_while(
		sc, running->tasks, 3,
		"the tasks on the nodes of running job 1 have 2 processors, but the job requested 3");
	assert_unsound_while(sc, running->flags, running->flags ^ JOB_PARTICULAR,
			     "job 1 is wrongly marked as particular or not particular");
	assert_unsound_while(sc, waiting->flags, waiting->flags ^ JOB_PARTICULAR,
			     "job 2 is wrongly marked as particular or not particular");
	assert_unsound_while(sc, waiting->run, running->run, "waiting job 2 has nodes but no planned start");
	assert_unsound_while(sc, waiting->submit_s, 1, "waiting jobs 2 and 3 are not in order of submission");
	assert_unsound_while(sc, waiting->id, 3, "waiting jobs 3 and 3 are not in order of submission");
	assert_unsound_while(sc, dependent->id, 9, "waiting jobs 9 and 4 are not in order of submission");
	assert_unsound_while(sc, running->id, 9, "job 9 is missing from the index of job IDs");
	assert_unsound_while(sc, place->procs, 3,
			     "waiting job 2 is listed with the wrong processors or wallclock limit");
	assert_unsound_while(sc, place->wall_s, 3,
			     "waiting job 2 is listed with the wrong processors or wallclock limit");
	assert_unsound_while(sc, s->next_job_id, 4, "job 4 is not below the next ID");
	s->deferred++; /* as if job 2 had a dependency too */
	waiting->depend = dependent->depend;
	assert_unsound(sc, "job 3 has a dependency that also belongs to another job, or does not exist");
	waiting->depend = 77;
	assert_unsound(sc, "job 2 has a dependency that also belongs to another job, or does not exist");
	waiting->depend = INDEX_NONE;
	s->deferred--;
	assert_unsound_while(sc, dependent->depend, INDEX_NONE,
			     "are deferred or have dependencies, but the state records");
	scene_free(sc);
}

static void order_of_running_jobs_is_checked(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint32_t *place;

	(void)state;
	scene_start(sc, scene_submit(sc, 1, 100), 0, 1, 1);
	scene_start(sc, scene_submit(sc, 1, 100), 0, 1, 1);
	scene_start(sc, scene_submit(sc, 1, 50), 0, 1, 1);
	place = items(state_header(sc->st), TABLE_RUNNING);
	for (int i = 0; i < 2; i++) {
		uint32_t first = place[i];
		struct err err;

		place[i] = place[i + 1];
		place[i + 1] = first;
		assert_unsound(sc, "is in the wrong position");
		place[i + 1] = place[i];
		place[i] = first;
		assert_true(state_check(sc->st, &err));
	}
	scene_free(sc);
}

static void credentials_and_changes_are_checked(void **state)
{
	struct scene *sc = full_scene();
	struct used_by used = {CRED_USER, "eva", 7};
	struct event ev = {.kind = EVENT_USAGE,
			   .usage = {.begin_s = 0, .length_s = 86400, .item = &used, .count = 1}};
	struct cred *cred;
	struct change *change;
	uint32_t eva = snapshot_find_cred(scene_view(sc), CRED_USER, "eva");
	uint32_t bob = snapshot_find_cred(scene_view(sc), CRED_USER, "bob");

	(void)state;
	scene_apply(sc, &ev);
	cred = items(state_header(sc->st), TABLE_CREDS);
	change = items(state_header(sc->st), TABLE_CHANGES);
	assert_unsound_while(sc, cred[eva].jobs, 2, "eva has 1 jobs, but the state records 2");
	assert_unsound_while(sc, cred[bob].jobs, 1, "bob has 2 jobs, but the state records 1");
	assert_true(cred[eva].usage != INDEX_NONE);
	assert_unsound_while(
		sc, cred[bob].usage, cred[eva].usage,
		"user bob has a row of usage that also belongs to another credential, or does not exist");
	assert_unsound_while(
		sc, cred[bob].usage, 77,
		"user bob has a row of usage that also belongs to another credential, or does not exist");
	assert_unsound_while(sc, cred[eva].stored, 0, "bytes, but the state records 0");
	assert_unsound_while(sc, cred[bob].stored, 7, "bytes, but the state records 7");
	assert_unsound_while(sc, state_job(sc->st, state_find(sc->st, 2))->texts, 7,
			     "the counts of stored bytes or of array tasks are wrong");
	assert_unsound_while(sc, state_job(sc->st, state_find(sc->st, 2))->stored, 7,
			     "the counts of stored bytes or of array tasks are wrong");
	assert_unsound_while(sc, change[1].seq, change[0].seq, "is out of order");
	assert_unsound_while(sc, change[0].kind, CHANGE_GONE, "1 removed");
	assert_unsound_while(sc, change[0].until_s, 50, "1 temporary");
	assert_unsound_while(sc, change[0].job, 99, "recorded: 0, 0, 0, and 2");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_state_is_empty_and_consistent),
		cmocka_unit_test(idle_jobs_are_sorted_by_submission_and_id),
		cmocka_unit_test(running_jobs_are_sorted_by_due_end),
		cmocka_unit_test(job_record_equals_the_submission),
		cmocka_unit_test(nodes_are_named_once_and_can_be_resized),
		cmocka_unit_test(jobs_are_found_by_id_among_many),
		cmocka_unit_test(names_of_ended_jobs_are_removed),
		cmocka_unit_test(hash_covers_logical_content),
		cmocka_unit_test(wrong_sums_are_detected),
		cmocka_unit_test(each_count_of_the_header_is_checked),
		cmocka_unit_test(each_sum_and_table_of_the_header_is_checked),
		cmocka_unit_test(a_copy_of_the_site_is_consistent_and_has_no_jobs),
		cmocka_unit_test(credential_fields_are_checked),
		cmocka_unit_test(node_fields_are_checked),
		cmocka_unit_test(job_fields_are_checked),
		cmocka_unit_test(order_of_running_jobs_is_checked),
		cmocka_unit_test(credentials_and_changes_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
