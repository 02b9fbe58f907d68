/* SPDX-License-Identifier: MIT */
/*
 * test_state_memory.c - memory of tables when items are removed, copied and added
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "tests/chance.h"
#include "tests/many.h"
#include "tests/scene.h"

static void take(struct scene *sc, uint64_t job)
{
	scene_start(sc, job, 0, 1, 1);
	scene_end(sc, job);
}

static void removing_the_head_moves_nothing(void **state)
{
	struct scene *sc = scene_new(1, 1);
	const struct waiting *second;

	(void)state;
	for (int i = 0; i < 40; i++)
		scene_submit(sc, 1, 100);
	second = &snapshot_waiting(scene_view(sc))[1];
	take(sc, 1);
	assert_ptr_equal(snapshot_waiting(scene_view(sc)), second);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 39);
	scene_free(sc);
}

static void memory_does_not_grow_with_throughput(void **state)
{
	struct scene *sc = scene_new(1, 1);
	const struct snapshot *block;

	(void)state;
	for (int i = 0; i < 10; i++)
		scene_submit(sc, 1, 100);
	block = scene_view(sc);
	for (uint64_t id = 1; id <= 1000; id++) {
		scene_submit(sc, 1, 100);
		take(sc, id);
		assert_ptr_equal(scene_view(sc), block);
	}
	scene_free(sc);
}

/* A new order of nodes replaces the previous one, whose memory is reclaimed when a job leaves. */
static void repeated_changes_need_no_more_memory(void **state)
{
	struct scene *sc = scene_new(2, 1);
	struct str nodes = {0};
	struct event order = {.kind = EVENT_ORDER, .job = 1};
	uint64_t size = 0;

	(void)state;
	for (int i = 0; i < 200; i++)
		str_add(&nodes, "n001 n002 ");
	order.order.nodes = str_text(&nodes);
	scene_submit(sc, 1, 100);
	for (int i = 0; i < 1000; i++) {
		scene_apply(sc, &order);
		scene_cancel(sc, scene_submit(sc, 1, 100));
		size = i == 300 ? scene_view(sc)->size : size;
		assert_true(i <= 300 || scene_view(sc)->size <= size);
	}
	str_free(&nodes);
	scene_free(sc);
}

/* Checks a copy of the state, and a new state made from it. */
static void check_copies(const struct scene *sc)
{
	struct snapshot *copy = snapshot_copy(scene_view(sc));
	struct state *again = state_from_snapshot(scene_view(sc));
	uint64_t hash = state_hash(scene_view(sc));
	struct err err;

	assert_int_equal(copy->size, snapshot_copy_size(scene_view(sc)));
	assert_true(state_hash(copy) == hash);
	assert_true(state_hash(state_view(again)) == hash);
	if (!state_check(again, &err))
		fail_msg("%s", err.text);
	free(copy);
	state_free(again);
}

/* Returns the first item in two of three cases, in which tables only move their start, or else a random item.
 */
static uint32_t pick(struct rng *rng, uint32_t count)
{
	return rng_below(rng, 3) == 0 ? (uint32_t)rng_below(rng, count) : 0;
}

static void apply_random_event(struct scene *sc, struct rng *rng)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t waiting = snapshot_count(s, TABLE_WAITING), running = snapshot_count(s, TABLE_RUNNING);
	uint64_t what = rng_below(rng, 3);

	if (what == 0 && waiting > 0)
		scene_start(sc, snapshot_jobs(s)[snapshot_waiting(s)[pick(rng, waiting)].slot].id, 0, 1, 1);
	else if (what == 1 && running > 0)
		scene_end(sc, snapshot_jobs(s)[snapshot_running(s)[pick(rng, running)]].id);
	else
		scene_submit(sc, 1, 1 + (int64_t)rng_below(rng, 1000));
}

/* scene.c checks order and sums after each event. */
static void random_removals_keep_the_order_of_other_jobs(void **state)
{
	struct rng rng = seeded("jobs that leave");
	struct scene *sc = scene_new(1, 1000000);

	(void)state;
	for (unsigned i = 0; i < many(3000); i++) {
		apply_random_event(sc, &rng);
		if (i % 50 == 0)
			check_copies(sc);
	}
	scene_free(sc);
}

/* --- copies into reused memory ------------------------------------------------------------- */

static void assert_equal_states(const struct state *a, const struct state *b)
{
	struct err err;

	assert_true(state_hash(state_view(a)) == state_hash(state_view(b)));
	if (!state_check(a, &err))
		fail_msg("%s", err.text);
}

/* Cancels the first job and submits another one, as a request does that is tried on the copy. */
static void apply_to_copy(struct state *copy, int64_t now_s)
{
	const struct snapshot *s = state_view(copy);
	struct event ev = {.kind = EVENT_CANCEL, .time_s = now_s};
	struct err err;

	if (snapshot_count(s, TABLE_WAITING) > 0) {
		ev.job = snapshot_jobs(s)[snapshot_waiting(s)[0].slot].id;
		assert_true(event_apply(copy, &ev, &err));
	}
	ev = (struct event){.kind = EVENT_SUBMIT, .time_s = now_s, .who = "eva"};
	ev.submit.job.not_before_s = TIME_NONE;
	ev.submit.job.wall_limit_s = 60;
	ev.submit.job.tasks = ev.submit.job.task_procs = 1;
	ev.submit.cred[CRED_USER] = "eva";
	ev.submit.name = "a name that takes a little room among the strings";
	(void)event_apply(copy, &ev, &err); /* limits of the policy may refuse it */
}

static void a_reused_copy_equals_its_original_and_is_independent(void **state)
{
	const unsigned kinds = CHANCE_DATES | CHANCE_ARRAYS | CHANCE_RESERVED | CHANCE_LIMITS;
	struct rng rng = seeded("copies of states");
	struct state *copy = state_new();

	(void)state;
	for (unsigned round = 0; round < many(20); round++) {
		struct scene *sc = chance_scene(&rng, kinds);

		for (int i = 0; i < 60; i++) {
			uint64_t hash = state_hash(scene_view(sc));

			state_copy(copy, sc->st);
			assert_equal_states(copy, sc->st);
			for (uint64_t n = rng_below(&rng, 4); n > 0; n--)
				apply_to_copy(copy, scene_view(sc)->now_s);
			assert_true(state_hash(scene_view(sc)) == hash);
			chance_step(&rng, sc, kinds, 3);
		}
		scene_free(sc);
	}
	state_free(copy);
}

/* When a table exceeds its capacity, the block is enlarged; other tables keep their items. */
static void a_growing_table_leaves_other_tables_unchanged(void **state)
{
	struct scene *sc = scene_new(1, 1000000);
	char user[32];

	(void)state;
	for (int i = 0; i < 3000; i++) {
		snprintf(user, sizeof user, "user%d", i);
		scene_add(sc, (struct scene_job){.user = user, .name = user});
	}
	check_copies(sc);
	for (int i = 0; i < 3000; i++) {
		snprintf(user, sizeof user, "user%d", i);
		assert_string_equal(snapshot_string(scene_view(sc), snapshot_jobs(scene_view(sc))[i].name),
				    user);
	}
	scene_free(sc);
}

static void reserved_capacity_is_used_without_a_move(void **state)
{
	struct scene *sc = scene_new(1, 1000000);
	uint64_t hash = state_hash(scene_view(sc));
	const struct snapshot *block;

	(void)state;
	state_reserve_room(sc->st, 4000);
	assert_true(state_hash(scene_view(sc)) == hash);
	block = scene_view(sc);
	for (int i = 0; i < 4000; i++)
		scene_submit(sc, 1, 100);
	assert_ptr_equal(scene_view(sc), block);
	for (uint64_t id = 1; id <= 4000; id++)
		scene_cancel(sc, id);
	state_close_slots(sc->st);
	block = scene_view(sc);
	for (int i = 0; i < 4000; i++)
		scene_submit(sc, 1, 100);
	assert_ptr_equal(scene_view(sc), block);
	check_copies(sc);
	scene_free(sc);
}

/* On some machines, reading a block is slow after it has been moved. */
static void other_tables_grow_without_a_move_of_a_large_block(void **state)
{
	struct scene *sc = scene_new(1, 1000000);
	const struct snapshot *block;
	char user[32];

	(void)state;
	state_reserve_room(sc->st, 4000);
	block = scene_view(sc);
	for (int i = 0; i < 1500; i++) {
		snprintf(user, sizeof user, "user%d", i);
		scene_add(sc, (struct scene_job){.user = user});
	}
	assert_ptr_equal(scene_view(sc), block);
	check_copies(sc);
	scene_free(sc);
}

/* --- strings ------------------------------------------------------------------------------------- */

static void write_text(const struct snapshot *s, uint32_t at, struct str *out)
{
	str_addf(out, "%s|", snapshot_string(s, at));
}

static void write_job_texts(const struct snapshot *s, struct str *out)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];
		const uint32_t at[] = {job->label, job->name,        job->hosts,
				       job->order, job->hold_reason, job->base_reason};

		for (size_t k = 0; job->state != JOB_NONE && k < sizeof at / sizeof at[0]; k++)
			write_text(s, at[k], out);
		for (int k = 0; job->state != JOB_NONE && k < UNKNOWN_COUNT; k++)
			write_text(s, job->unknown[k], out);
	}
}

/* Writes all texts of a state, by walking its tables. */
static void write_texts(const struct snapshot *s, struct str *out)
{
	const uint32_t site[] = {s->config_file, s->config_text, s->local_program, s->priorityf};

	str_clear(out);
	for (size_t i = 0; i < sizeof site / sizeof site[0]; i++)
		write_text(s, site[i], out);
	for (int i = 0; i < SITE_TEXT_COUNT; i++)
		write_text(s, s->site_text[i], out);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++)
		write_text(s, snapshot_creds(s)[i].name, out);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++)
		write_text(s, snapshot_partitions(s)[i].name, out);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		write_text(s, snapshot_traits(s)[i].name, out);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		write_text(s, snapshot_nodes(s)[i].name, out);
		write_text(s, snapshot_nodes(s)[i].priorityf, out);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		write_text(s, snapshot_values(s)[i].title, out);
		write_text(s, snapshot_values(s)[i].text, out);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		write_text(s, snapshot_changes(s)[i].name, out);
		write_text(s, snapshot_changes(s)[i].value, out);
		write_text(s, snapshot_changes(s)[i].base, out);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		write_text(s, snapshot_advances(s)[i].name, out);
		write_text(s, snapshot_advances(s)[i].owner, out);
		write_text(s, snapshot_advances(s)[i].reason, out);
	}
	write_job_texts(s, out);
}

/* Submits a job with a long name. When the job leaves, all later strings are moved. */
static uint64_t submit_long(struct scene *sc)
{
	static char name[1001];

	memset(name, 'x', sizeof name - 1);
	return scene_add(sc, (struct scene_job){.user = "eva", .name = name});
}

static struct scene *scene_with_texts(void)
{
	struct scene *sc = scene_new(0, 0);
	struct event reserve = {
		.kind = EVENT_RESERVE,
		.who = "root",
		.reserve = {.name = "maint", .text = "start=9 nodes=ALL reason=the disks are old"}};
	struct event order = {.kind = EVENT_ORDER, .job = 2, .order = {.nodes = "n2 n1"}};
	struct event hold = {.kind = EVENT_HOLD,
			     .job = 2,
			     .hold = {.bits = JOB_HOLD_USER, .on = true, .reason = "until monday"}};

	submit_long(sc);
	scene_config(sc, "localnodeallocation = \"/opt/nodes\"\nprolog = \"/opt/prolog\"\n"
			 "epilog = \"/opt/epilog\"\npamservice = kahu\nmetricsfile = \"/opt/metrics\"\n"
			 "devices = \"0,1\"\nadmin1 = \"root eva\"\n"
			 "node DEFAULT { priorityf = \"LOAD\" }\nnode n2 { priorityf = \"-LOAD\" }\n"
			 "partition night { xfactorweight = 3 }\n");
	scene_node(
		sc,
		(struct node_record){
			.name = "n1", .procs = 4, .features = "fast", .gres = "gpu:2", .partition = "night"});
	scene_node(sc, (struct node_record){.name = "n2", .procs = 4, .classes = "long"});
	scene_add(sc, (struct scene_job){.label = "two",
					 .name = "solver",
					 .hosts = "n1 n2",
					 .features = "big",
					 .prefer = "near",
					 .gres = "tape:1",
					 .user = "bob",
					 .class_name = "long"});
	scene_modify(sc, 2, "walltime", "7");
	scene_apply(sc, &hold);
	scene_apply(sc, &order);
	scene_apply(sc, &reserve);
	return sc;
}

static void compaction_keeps_strings_in_use(void **state)
{
	struct scene *sc = scene_with_texts();
	struct str before = {0}, after = {0};
	uint32_t most = 0;

	(void)state;
	scene_cancel(sc, 1);
	write_texts(scene_view(sc), &before);
	for (int i = 0; i < 200; i++) {
		scene_cancel(sc, submit_long(sc));
		if (snapshot_count(scene_view(sc), TABLE_STRINGS) > most)
			most = snapshot_count(scene_view(sc), TABLE_STRINGS);
	}
	assert_in_range(most, 60000, 140000); /* of 200000 bytes */
	write_texts(scene_view(sc), &after);
	assert_string_equal(str_text(&after), str_text(&before));
	for (const char *const *text =
		     (const char *const[]){"/opt/nodes", "/opt/prolog", "kahu", "night", "tape", "-LOAD",
					   "until monday", "n2 n1", "the disks are old", "root", "solver",
					   "two", "near", NULL};
	     *text != NULL; text++)
		assert_non_null(strstr(str_text(&before), *text));
	str_free(&before);
	str_free(&after);
	scene_free(sc);
}

static void add_facts(const struct scene *sc, uint64_t id, struct str *out)
{
	const struct job *job = &snapshot_jobs(scene_view(sc))[state_find(sc->st, id)];

	str_addf(out, "%llu %d %u %lld %s; ", (unsigned long long)job->id, (int)job->state,
		 job->run != INDEX_NONE, (long long)job->wall_limit_s,
		 snapshot_string(scene_view(sc), job->name));
}

/* Of 3000 jobs, only a running and two waiting jobs remain. */
static void memory_of_ended_jobs_is_freed(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct str before = {0}, after = {0};
	const uint64_t remaining[] = {7, 900, 3000};
	struct err err;
	uint64_t full;

	(void)state;
	for (int i = 1; i <= 3000; i++)
		scene_submit(sc, 1, 100 + i);
	scene_start(sc, 900, 0, 1, 1);
	full = scene_view(sc)->size;
	for (uint64_t id = 1; id <= 3000; id++)
		if (id != remaining[0] && id != remaining[1] && id != remaining[2])
			scene_cancel(sc, id);
	for (int i = 0; i < 3; i++)
		add_facts(sc, remaining[i], &before);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_JOBS), 3000);
	state_close_slots(sc->st);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_JOBS), 3);
	assert_true(scene_view(sc)->size < full / 20);
	for (int i = 0; i < 3; i++)
		add_facts(sc, remaining[i], &after);
	assert_string_equal(str_text(&after), str_text(&before));
	if (!state_check(sc->st, &err))
		fail_msg("%s", err.text);
	scene_end(sc, 900);
	scene_start(sc, 7, 0, 1, 1);
	assert_int_equal(scene_submit(sc, 1, 100), 3001);
	assert_true(state_check(sc->st, &err));
	state_close_slots(sc->st); /* few free slots are kept */
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_JOBS), 3);
	str_free(&before);
	str_free(&after);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(removing_the_head_moves_nothing),
		cmocka_unit_test(memory_does_not_grow_with_throughput),
		cmocka_unit_test(repeated_changes_need_no_more_memory),
		cmocka_unit_test(random_removals_keep_the_order_of_other_jobs),
		cmocka_unit_test(a_reused_copy_equals_its_original_and_is_independent),
		cmocka_unit_test(a_growing_table_leaves_other_tables_unchanged),
		cmocka_unit_test(reserved_capacity_is_used_without_a_move),
		cmocka_unit_test(other_tables_grow_without_a_move_of_a_large_block),
		cmocka_unit_test(memory_of_ended_jobs_is_freed),
		cmocka_unit_test(compaction_keeps_strings_in_use),
	};

	return cmocka_run_group_tests_name("state_memory", tests, NULL, NULL);
}
