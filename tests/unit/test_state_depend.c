/* SPDX-License-Identifier: MIT */
/*
 * test_state_depend.c - dependencies when the other job starts, ends or is cancelled
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "sched/base/rng.h"
#include "sched/base/str.h"
#include "tests/scene.h"

/* Returns a cluster in which job i can be started on node i. */
static struct scene *large_cluster(void)
{
	return scene_new(20, 1);
}

static void start(struct scene *sc, uint64_t job)
{
	scene_start(sc, job, (uint32_t)job, 1, 1);
}

/* Returns all dependencies of a job; "+" means met, "-" can never be met. */
static const char *depends_of(struct scene *sc, uint64_t job)
{
	static char text[200];
	struct str out = {0};

	state_add_depends(scene_view(sc), scene_job_of(sc, job), &out);
	snprintf(text, sizeof text, "%s", str_text(&out));
	str_free(&out);
	return text;
}

/* Returns a cluster in which job 2 has dependencies of all kinds on job 1. */
static struct scene *dependent_pair(void)
{
	struct scene *sc = large_cluster();

	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.depend = "after:1,afterany:1,afterok:1,afternotok:1"});
	return sc;
}

static void end_settles_each_type_of_dependency(void **state)
{
	struct scene *sc = dependent_pair();

	(void)state;
	assert_int_equal(scene_view(sc)->deferred, 1);
	assert_string_equal(depends_of(sc, 2), "after:1,afterany:1,afterok:1,afternotok:1");
	start(sc, 1);
	assert_string_equal(depends_of(sc, 2), "after:1+,afterany:1,afterok:1,afternotok:1");
	scene_end_with(sc, 1, 0);
	assert_string_equal(depends_of(sc, 2), "after:1+,afterany:1+,afterok:1+,afternotok:1-");
	scene_free(sc);
	sc = dependent_pair();
	start(sc, 1);
	scene_end_with(sc, 1, 3);
	assert_string_equal(depends_of(sc, 2), "after:1+,afterany:1+,afterok:1-,afternotok:1+");
	scene_free(sc);
	sc = dependent_pair();
	scene_cancel(sc, 1);
	assert_string_equal(depends_of(sc, 2), "after:1-,afterany:1+,afterok:1-,afternotok:1+");
	scene_cancel(sc, 2);
	assert_int_equal(scene_view(sc)->deferred, 0);
	scene_free(sc);
}

static void unmet_dependents_are_dropped_in_turn(void **state)
{
	struct scene *sc = large_cluster();
	char text[32];

	(void)state;
	scene_submit(sc, 1, 100);
	for (int i = 1; i < 2000; i++) {
		snprintf(text, sizeof text, "afterok:%d", i);
		scene_add(sc, (struct scene_job){.depend = text});
	}
	scene_add(sc, (struct scene_job){.depend = "afternotok:2000"});
	scene_add(sc, (struct scene_job){.depend = "afterany:3"});
	/* These jobs depend on later ones, so each walk over the queue finds only one of them. */
	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof text, "afterok:%d", 2003 + i + 1);
		scene_submit(sc, 1, 100);
	}
	scene_submit(sc, 1, 100);
	for (uint64_t job = 2003; job < 2006; job++) {
		struct event ev = {
			.kind = EVENT_MODIFY, .job = job, .modify = {.name = "depend", .value = text}};

		snprintf(text, sizeof text, "afterok:%llu", (unsigned long long)job + 1);
		scene_apply(sc, &ev);
	}
	start(sc, 1);
	scene_end_with(sc, 1, 1);
	scene_cancel(sc, 2006);
	scene_set(sc, "keepdependencyfailed", "true");
	scene_take_drops(sc);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 2004);
	scene_set(sc, "keepdependencyfailed", "false");
	scene_take_drops(sc);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 2);
	assert_string_equal(depends_of(sc, 2001), "afternotok:2000+");
	assert_string_equal(depends_of(sc, 2002), "afterany:3+");
	assert_int_equal(scene_view(sc)->deferred, 2);
	scene_free(sc);
}

static void drop_names_the_dependency(void **state)
{
	struct scene *sc = dependent_pair();
	struct event ev = {.time_s = sc->now_s, .who = "sched"};
	char cause[EVENT_CAUSE_TEXT];
	uint32_t at = 0;

	(void)state;
	assert_false(event_drops(sc->st, &at, &ev, cause));
	scene_cancel(sc, 1);
	at = 0;
	assert_true(event_drops(sc->st, &at, &ev, cause));
	assert_int_equal(ev.kind, EVENT_CANCEL);
	assert_int_equal(ev.job, 2);
	assert_true(ev.cancel.depends);
	assert_string_equal(cause, "it depends on job 1, which has not started and never will");
	scene_apply(sc, &ev);
	assert_false(event_drops(sc->st, &at, &ev, cause));
	scene_free(sc);
}

static void dependency_on_an_ended_job_counts_as_met(void **state)
{
	struct scene *sc = large_cluster();

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	start(sc, 1);
	start(sc, 2);
	scene_end_with(sc, 1, 9);
	scene_add(sc, (struct scene_job){.depend = "afterok:1:2,after:2"});
	assert_string_equal(depends_of(sc, 3), "afterok:1+,afterok:2,after:2+");
	scene_free(sc);
}

static void dependency_on_an_unknown_job_is_rejected(void **state)
{
	struct scene *sc = large_cluster();
	struct depend depend = {.on = 2, .type = DEPEND_OK};
	struct event ev = {.kind = EVENT_SUBMIT};
	struct err err;

	(void)state;
	scene_submit(sc, 1, 100);
	ev.submit = (struct job_record){.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 5},
					.depend = &depend,
					.depend_count = 1};
	assert_string_equal(scene_try(sc, &ev, &err),
			    "job 2, on which the job would depend, was never submitted");
	depend.on = 0;
	assert_string_equal(scene_try(sc, &ev, &err),
			    "job 0, on which the job would depend, was never submitted");
	for (int of = 0; of < 2; of++) {
		depend = (struct depend){.on = 1,
					 .type = of ? DEPEND_OK : DEPEND_TYPE_COUNT,
					 .of = of ? DEPEND_OF_COUNT : DEPEND_ON_JOB};
		assert_string_equal(scene_try(sc, &ev, &err),
				    "unknown kind of dependency; the kinds are after, afterany, afterok "
				    "and afternotok");
	}
	scene_free(sc);
}

static void job_cannot_depend_on_itself(void **state)
{
	struct scene *sc = large_cluster();
	struct event ev = {
		.kind = EVENT_MODIFY, .job = 1, .modify = {.name = "depend", .value = "afterok:3"}};
	struct err err;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.depend = "afterany:1"});
	scene_add(sc, (struct scene_job){.depend = "afterok:2"});
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: job 1 would wait for itself: job 3 waits for it");
	ev.modify.value = "after:1";
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: job 1 would wait for itself: job 1 waits for it");
	scene_cancel(sc, 2); /* now job 3 waits forever, but not for job 1 */
	ev.modify.value = "afterok:3";
	assert_string_equal(scene_try(sc, &ev, &err), "");
	scene_free(sc);
}

static void a_long_chain_is_searched_once(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_MODIFY, .job = 1, .modify = {.name = "depend"}};
	struct depend depend = {.type = DEPEND_OK};
	struct event submit = {.kind = EVENT_SUBMIT};
	char text[40];

	(void)state;
	submit.submit = (struct job_record){.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 5},
					    .depend = &depend,
					    .depend_count = 0};
	for (uint64_t i = 0; i < 20000; i++) {
		depend.on = i;
		submit.submit.depend_count = i > 0;
		submit.job = 0;
		assert_true(event_apply(sc->st, &submit, NULL));
	}
	snprintf(text, sizeof text, "afterok:%d", 20000);
	ev.modify.value = text;
	assert_false(event_apply(sc->st, &ev, NULL));
	scene_free(sc);
}

static void dependency_texts_round_trip(void **state)
{
	static const char *const good[] = {"", "after:1", "AFTEROK:12:13,afternotok:18446744073709551615"};
	static const char *const bad[] = {"after",    "after:",       "after:x",    "after:1,",
					  "soon:1",   "after:1;2",    "after:1:",   "afterany:-3",
					  "after:1[", "after:1[2-3]", "after:1[x]", "afterokarray:1[2]",
					  "array:1",  "after:[]",     "after:1[]x", "after:1[10000000]",
					  ",after:1", "after:1 ",     "after:1++"};
	struct depend_list list = {.item = NULL};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(depend_list_read(good[i], &list, &err));
	assert_int_equal(list.count, 3);
	assert_int_equal(list.item[1].type, DEPEND_OK);
	assert_int_equal(list.item[1].on, 13);
	assert_true(list.item[2].on == UINT64_MAX);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (depend_list_read(bad[i], &list, &err))
			fail_msg("%s was read", bad[i]);
	depend_list_read("soon:1", &list, &err);
	assert_string_equal(err.text,
			    "\"soon:1\" is not a list of dependencies; write afterok:12,afterany:13, or "
			    "afterok:14[] for all tasks of an array (after, afterany, afterok "
			    "and afternotok)");
	free(list.item);
}

/* Returns a cluster with array 1[0-2] and job 4, which has dependencies of all kinds on it. */
static struct scene *dependent_on_array(void)
{
	struct scene *sc = large_cluster();

	scene_add(sc, (struct scene_job){.array = 3});
	scene_add(sc, (struct scene_job){.depend = "after:1[],afteranyarray:1[],afterok:1[],afternotok:1[]"});
	return sc;
}

static void an_array_has_ended_when_its_last_task_has_ended(void **state)
{
	struct scene *sc = dependent_on_array();

	(void)state;
	assert_string_equal(depends_of(sc, 4), "after:1[],afterany:1[],afterok:1[],afternotok:1[]");
	start(sc, 1);
	start(sc, 2);
	scene_end_with(sc, 2, 0);
	assert_string_equal(depends_of(sc, 4), "after:1[],afterany:1[],afterok:1[],afternotok:1[]-");
	start(sc, 3);
	assert_string_equal(depends_of(sc, 4), "after:1[]+,afterany:1[],afterok:1[],afternotok:1[]-");
	scene_end_with(sc, 1, 0);
	scene_end_with(sc, 3, 0);
	assert_string_equal(depends_of(sc, 4), "after:1[]+,afterany:1[]+,afterok:1[]+,afternotok:1[]-");
	scene_free(sc);
}

static void a_single_failed_task_decides(void **state)
{
	struct scene *sc = dependent_on_array();

	(void)state;
	start(sc, 1);
	scene_end_with(sc, 1, 9);
	assert_string_equal(depends_of(sc, 4), "after:1[],afterany:1[],afterok:1[]-,afternotok:1[]");
	scene_cancel(sc, 2);
	assert_string_equal(depends_of(sc, 4), "after:1[]-,afterany:1[],afterok:1[]-,afternotok:1[]");
	start(sc, 3);
	scene_end_with(sc, 3, 9);
	assert_string_equal(depends_of(sc, 4), "after:1[]-,afterany:1[]+,afterok:1[]-,afternotok:1[]+");
	scene_free(sc);
}

static void a_job_can_depend_on_one_task_of_an_array(void **state)
{
	struct scene *sc = large_cluster();

	(void)state;
	scene_add(sc, (struct scene_job){.array = 3});
	scene_add(sc, (struct scene_job){.depend = "afterok:1[1],afterany:1[7]"});
	assert_string_equal(depends_of(sc, 4), "afterok:1[1],afterany:1[7]+");
	start(sc, 1);
	scene_end_with(sc, 1, 0);
	assert_string_equal(depends_of(sc, 4), "afterok:1[1],afterany:1[7]+");
	start(sc, 2);
	scene_end_with(sc, 2, 0);
	assert_string_equal(depends_of(sc, 4), "afterok:1[1]+,afterany:1[7]+");
	scene_free(sc);
}

static void dependency_on_a_running_or_ended_array(void **state)
{
	struct scene *sc = large_cluster();

	(void)state;
	scene_add(sc, (struct scene_job){.array = 2});
	start(sc, 1);
	start(sc, 2);
	scene_add(sc, (struct scene_job){.depend = "after:1[],afterok:1[]"});
	assert_string_equal(depends_of(sc, 3), "after:1[]+,afterok:1[]");
	scene_end_with(sc, 1, 0);
	scene_end_with(sc, 2, 0);
	assert_string_equal(depends_of(sc, 3), "after:1[]+,afterok:1[]+");
	scene_add(sc, (struct scene_job){.depend = "afterok:1[]"});
	assert_string_equal(depends_of(sc, 4), "afterok:1[]+");
	scene_free(sc);
}

static void changes_naming_an_array_are_settled(void **state)
{
	struct scene *sc = large_cluster();
	uint64_t seq, undo;

	(void)state;
	scene_add(sc, (struct scene_job){.array = 2});
	scene_submit(sc, 1, 100);
	seq = scene_modify(sc, 3, "depend", "afterok:1[]");
	assert_string_equal(depends_of(sc, 3), "afterok:1[]");
	undo = scene_undo(sc, seq);
	start(sc, 1);
	start(sc, 2);
	scene_end_with(sc, 1, 0);
	scene_end_with(sc, 2, 1);
	scene_undo(sc, undo);
	assert_string_equal(depends_of(sc, 3), "afterok:1[]-");
	scene_free(sc);
}

/* Undoing the modification restores the old text; undoing the undo restores the new one. */
static void a_cancel_settles_the_texts_of_changes(void **state)
{
	struct scene *sc = large_cluster();
	uint64_t seq, undo;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.depend = "afterok:1"});
	seq = scene_modify(sc, 3, "depend", "after:2");
	scene_cancel(sc, 1);
	undo = scene_undo(sc, seq);
	assert_string_equal(depends_of(sc, 3), "afterok:1-");
	scene_cancel(sc, 2);
	scene_undo(sc, undo);
	assert_string_equal(depends_of(sc, 3), "after:2-");
	scene_free(sc);
}

/* The index of dependencies by job was built before the change named job 2. */
static void later_changes_are_settled(void **state)
{
	struct scene *sc = large_cluster();
	uint64_t seq, undo;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.depend = "afterok:1"});
	scene_cancel(sc, 1); /* the index is built */
	seq = scene_modify(sc, 3, "depend", "after:2");
	undo = scene_undo(sc, seq);
	scene_cancel(sc, 2);
	scene_undo(sc, undo);
	assert_string_equal(depends_of(sc, 3), "after:2-");
	scene_free(sc);
}

/* 2 is a part of 012, but not the job that it names. */
static void text_settles_for_exactly_the_named_jobs(void **state)
{
	struct scene *sc = large_cluster();
	uint64_t seq, undo;

	(void)state;
	for (int i = 0; i < 12; i++)
		scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.depend = "afterok:1"});
	seq = scene_modify(sc, 13, "depend", "after:012:3");
	undo = scene_undo(sc, seq);
	scene_cancel(sc, 2);
	scene_cancel(sc, 12);
	scene_undo(sc, undo);
	assert_string_equal(depends_of(sc, 13), "after:12-,after:3");
	scene_free(sc);
}

static void dependency_entries_are_reused(void **state)
{
	struct scene *sc = dependent_pair();

	(void)state;
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_DEPENDS), 4);
	for (uint64_t job = 2; job < 6; job++) {
		scene_cancel(sc, job);
		scene_add(sc, (struct scene_job){.depend = "after:1,afterany:1,afterok:1,afternotok:1"});
	}
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_DEPENDS), 4);
	scene_free(sc);
}

static void job_cannot_depend_on_its_own_array(void **state)
{
	struct scene *sc = large_cluster();
	struct event ev = {
		.kind = EVENT_MODIFY, .job = 1, .modify = {.name = "depend", .value = "afterok:1[]"}};
	struct err err;

	(void)state;
	scene_add(sc, (struct scene_job){.array = 2});
	scene_add(sc, (struct scene_job){.depend = "afterok:1[1]"});
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: job 1 would wait for itself: array 1[] waits for it");
	ev.job = 2;
	ev.modify.value = "afterok:3";
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: job 2 would wait for itself: job 3 waits for it");
	ev.job = 1;
	ev.modify.value = "afterok:1[1]";
	assert_string_equal(scene_try(sc, &ev, &err), "");
	ev.modify.value = "afterok:3[]";
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: job 3, on which the job would depend, is not an array");
	ev.modify.value = "afterok:9[]";
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: array 9[], on which the job would depend, was never submitted");
	scene_free(sc);
}

static void cycle_through_an_array_is_rejected(void **state)
{
	struct scene *sc = large_cluster();
	struct event ev = {
		.kind = EVENT_MODIFY, .job = 1, .modify = {.name = "depend", .value = "afterok:4"}};
	struct err err;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.array = 2, .depend = "afterok:1"});
	scene_add(sc, (struct scene_job){.depend = "afterok:2[]"});
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: job 1 would wait for itself: job 4 waits for it");
	ev.modify.value = "afterok:2[]";
	assert_string_equal(scene_try(sc, &ev, &err),
			    "depend: job 1 would wait for itself: array 2[] waits for it");
	scene_free(sc);
}

/* Dependencies of removed jobs and of their changes are removed from the index. */
static void removed_dependencies_are_not_settled(void **state)
{
	struct scene *sc = large_cluster();
	struct err err;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	start(sc, 2); /* the index is built */
	for (int i = 0; i < 3000; i++) {
		uint64_t job = scene_add(sc, (struct scene_job){.depend = "afterok:1"});

		scene_modify(sc, job, "depend", "after:1");
		scene_cancel(sc, job);
	}
	scene_add(sc, (struct scene_job){.depend = "afterany:1"});
	start(sc, 1);
	scene_end_with(sc, 1, 0);
	assert_string_equal(depends_of(sc, 3003), "afterany:1+");
	assert_true(state_check(sc->st, &err));
	scene_free(sc);
}

/* A requeued task waits again, so "after" on its array stays open until the task starts again. */
static void requeued_task_keeps_its_array_open(void **state)
{
	struct scene *sc = large_cluster();
	struct event ev = {
		.kind = EVENT_DEFER, .job = 1, .defer = {.until_s = TIME_NONE, .failed_start = true}};
	struct err err;

	(void)state;
	scene_add(sc, (struct scene_job){.array = 2});
	scene_add(sc, (struct scene_job){.depend = "after:1[]"});
	start(sc, 1);
	scene_apply(sc, &ev);
	start(sc, 2);
	assert_string_equal(depends_of(sc, 3), "after:1[]");
	start(sc, 1);
	assert_string_equal(depends_of(sc, 3), "after:1[]+");
	assert_true(state_check(sc->st, &err));
	scene_free(sc);
}

/* --- cycles, compared with a naive search ---------------------------------------------------------- */

#define JOBS_MAX 400

static bool is_named(const struct depend *depend, const struct job *job)
{
	if (depend->of == DEPEND_ON_ARRAY)
		return job->array == depend->on;
	if (depend->of == DEPEND_ON_TASK)
		return job->array == depend->on && job->array_index == depend->number;
	return job->id == depend->on;
}

static bool any_is_named(const struct scene *sc, const struct depend *depend, const bool *waits)
{
	for (uint64_t id = 1; id < scene_view(sc)->next_job_id; id++)
		if (waits[id] && state_find(sc->st, id) != INDEX_NONE &&
		    is_named(depend, scene_job_of(sc, id)))
			return true;
	return false;
}

static bool waits_for_any(const struct scene *sc, uint64_t id, const bool *waits)
{
	const struct depend *depends = snapshot_depends(scene_view(sc));

	if (state_find(sc->st, id) == INDEX_NONE)
		return false;
	for (uint32_t d = scene_job_of(sc, id)->depend; d != INDEX_NONE; d = depends[d].next)
		if (depends[d].state == DEPEND_OPEN && any_is_named(sc, &depends[d], waits))
			return true;
	return false;
}

/* Returns the first item that leads back to the job, by adding waiting jobs until the set no longer grows. */
static size_t first_cyclic_item(const struct scene *sc, uint64_t job, const struct depend_list *list)
{
	bool waits[JOBS_MAX] = {false}, grows = true;
	size_t i = 0;

	waits[job] = true;
	while (grows) {
		grows = false;
		for (uint64_t id = 1; id < scene_view(sc)->next_job_id; id++)
			if (!waits[id] && waits_for_any(sc, id, waits))
				grows = waits[id] = true;
	}
	while (i < list->count && !any_is_named(sc, &list->item[i], waits))
		i++;
	return i;
}

static int64_t between(struct rng *rng, int64_t low, int64_t high)
{
	return low + (int64_t)rng_below(rng, (uint64_t)(high - low) + 1);
}

/* Writes one to three random dependencies on submitted jobs, tasks and arrays. */
static void random_depends(const struct scene *sc, struct rng *rng, struct str *out)
{
	int64_t count = between(rng, 1, 3);

	str_clear(out);
	for (int64_t i = 0; i < count; i++) {
		uint64_t on = (uint64_t)between(rng, 1, (int64_t)scene_view(sc)->next_job_id - 1);
		const struct job *job = state_find(sc->st, on) == INDEX_NONE ? NULL : scene_job_of(sc, on);

		str_addf(out, "%s%s:", i > 0 ? "," : "", between(rng, 0, 1) ? "afterany" : "after");
		if (job == NULL || job->array == 0 || between(rng, 0, 2) == 0)
			str_addf(out, "%llu", (unsigned long long)on);
		else if (between(rng, 0, 1))
			str_addf(out, "%llu[]", (unsigned long long)job->array);
		else
			str_addf(out, "%llu[%u]", (unsigned long long)job->array, job->array_index);
	}
}

static void add_random(struct scene *sc, struct rng *rng, struct str *text)
{
	struct scene_job asked = {.array = between(rng, 0, 3) == 0 ? 3 : 0};

	if (between(rng, 0, 2) > 0) {
		random_depends(sc, rng, text);
		asked.depend = str_text(text);
	}
	scene_add(sc, asked);
}

static void try_random(struct scene *sc, struct rng *rng, struct str *text)
{
	struct event ev = {.kind = EVENT_MODIFY, .modify = {.name = "depend"}};
	struct depend_list list = {.item = NULL};
	struct str back = {0}, one = {0};
	struct err err = {{0}};
	const char *error;
	size_t cyclic;

	ev.job = (uint64_t)between(rng, 1, (int64_t)scene_view(sc)->next_job_id - 1);
	if (state_find(sc->st, ev.job) == INDEX_NONE)
		return;
	/* Often the dependencies of the previous job, because their search is cached. */
	if (text->len == 0 || between(rng, 0, 2) == 0)
		random_depends(sc, rng, text);
	ev.modify.value = str_text(text);
	assert_true(depend_list_read(ev.modify.value, &list, NULL));
	cyclic = first_cyclic_item(sc, ev.job, &list);
	error = scene_try(sc, &ev, &err);
	if (cyclic < list.count) {
		const struct depend *item = &list.item[cyclic];

		str_addf(&one, "%s %llu", item->of == DEPEND_ON_ARRAY ? "array" : "job",
			 (unsigned long long)item->on);
		if (item->of == DEPEND_ON_TASK)
			str_addf(&one, "[%u]", item->number);
		str_addf(&back, "depend: job %llu would wait for itself: %s%s waits for it",
			 (unsigned long long)ev.job, str_text(&one), item->of == DEPEND_ON_ARRAY ? "[]" : "");
	}
	assert_string_equal(error, str_text(&back));
	free(list.item);
	str_free(&back);
	str_free(&one);
}

static void reported_cycle_matches_a_naive_search(void **state)
{
	struct str text = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct scene *sc = scene_new(2, 1);
		struct rng rng;

		rng_seed(&rng, seed);
		scene_submit(sc, 1, 100);
		for (int i = 0; i < 120; i++) {
			if (i % 4 == 0)
				add_random(sc, &rng, &text);
			if (i % 40 == 39 && state_find(sc->st, (uint64_t)i / 10) != INDEX_NONE)
				scene_cancel(sc, (uint64_t)i / 10);
			try_random(sc, &rng, &text);
		}
		scene_free(sc);
	}
	str_free(&text);
}

static void job_without_dependents_needs_no_search(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t alone[50], before;
	char text[40];

	(void)state;
	scene_submit(sc, 1, 100);
	for (unsigned i = 1; i < 1000; i++) {
		snprintf(text, sizeof text, "afterok:%u", i);
		scene_add(sc, (struct scene_job){.depend = text});
	}
	for (unsigned i = 0; i < 50; i++)
		alone[i] = scene_submit(sc, 1, 100);
	before = state_depends_looked_at(sc->st);
	for (unsigned i = 0; i < 50; i++)
		scene_modify(sc, alone[i], "depend", "afterok:1000");
	assert_in_range(state_depends_looked_at(sc->st) - before, 0, 10000);
	scene_free(sc);
}

static void dependencies_shared_by_many_jobs_are_searched_once(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t same[50], before;
	char text[40];

	(void)state;
	scene_submit(sc, 1, 100);
	for (unsigned i = 1; i < 1000; i++) {
		snprintf(text, sizeof text, "afterok:%u", i);
		scene_add(sc, (struct scene_job){.depend = text});
	}
	for (unsigned i = 0; i < 50; i++) {
		same[i] = scene_submit(sc, 1, 100);
		snprintf(text, sizeof text, "afterok:%llu", (unsigned long long)same[i]);
		scene_add(sc, (struct scene_job){.depend = text});
	}
	before = state_depends_looked_at(sc->st);
	for (unsigned i = 0; i < 50; i++)
		scene_modify(sc, same[i], "depend", "afterok:1000");
	assert_in_range(state_depends_looked_at(sc->st) - before, 1000, 10000);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reported_cycle_matches_a_naive_search),
		cmocka_unit_test(job_without_dependents_needs_no_search),
		cmocka_unit_test(dependencies_shared_by_many_jobs_are_searched_once),
		cmocka_unit_test(removed_dependencies_are_not_settled),
		cmocka_unit_test(requeued_task_keeps_its_array_open),
		cmocka_unit_test(an_array_has_ended_when_its_last_task_has_ended),
		cmocka_unit_test(a_single_failed_task_decides),
		cmocka_unit_test(a_job_can_depend_on_one_task_of_an_array),
		cmocka_unit_test(dependency_on_a_running_or_ended_array),
		cmocka_unit_test(changes_naming_an_array_are_settled),
		cmocka_unit_test(a_cancel_settles_the_texts_of_changes),
		cmocka_unit_test(later_changes_are_settled),
		cmocka_unit_test(text_settles_for_exactly_the_named_jobs),
		cmocka_unit_test(dependency_entries_are_reused),
		cmocka_unit_test(job_cannot_depend_on_its_own_array),
		cmocka_unit_test(cycle_through_an_array_is_rejected),
		cmocka_unit_test(end_settles_each_type_of_dependency),
		cmocka_unit_test(unmet_dependents_are_dropped_in_turn),
		cmocka_unit_test(drop_names_the_dependency),
		cmocka_unit_test(dependency_on_an_ended_job_counts_as_met),
		cmocka_unit_test(dependency_on_an_unknown_job_is_rejected),
		cmocka_unit_test(job_cannot_depend_on_itself),
		cmocka_unit_test(a_long_chain_is_searched_once),
		cmocka_unit_test(dependency_texts_round_trip),
	};

	return cmocka_run_group_tests_name("state_depend", tests, NULL, NULL);
}
