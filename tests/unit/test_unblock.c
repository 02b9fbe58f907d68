/* SPDX-License-Identifier: MIT */
/*
 * test_unblock.c - what does a job wait for, and which single change would start it?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/forecast/unblock.h"
#include "tests/scene.h"

/* Asked to start at once. */
static struct unblock ask(const struct scene *sc, uint64_t job)
{
	struct unblock_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};
	struct unblock found = {.change = NULL};

	assert_true(unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), job), &setup));
	return found;
}

static const struct unblock_change *find(const struct unblock *u, const char *words)
{
	const struct unblock_change *found = NULL;
	struct str text = {0};

	for (size_t i = 0; i < u->count && !found; i++) {
		str_clear(&text);
		event_describe(&u->change[i].ev, NULL, &text);
		found = strcmp(str_text(&text), words) == 0 ? &u->change[i] : NULL;
	}
	str_free(&text);
	return found;
}

static void who_waits_for_an_end_says_whose_and_when(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t small = scene_submit(sc, 1, 300), large = scene_submit(sc, 3, 300), next;
	struct unblock found;

	(void)state;
	scene_pass(sc);
	next = scene_submit(sc, 4, 100);
	scene_pass(sc);
	found = ask(sc, next);
	assert_int_equal(found.start_s, 300);
	assert_int_equal(found.last_s, 299);
	assert_true(found.ending == large && found.ending != small);
	assert_int_equal(found.last.first, GATE_RESOURCES);
	assert_false(unblock_proven(&found));
	unblock_clear(&found);
	scene_free(sc);
}

static void who_never_starts_is_proven_where_nobody_could_fail(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t first = scene_submit(sc, 1, 100), held, after;
	struct unblock found;

	(void)state;
	scene_pass(sc);
	held = scene_submit(sc, 1, 100);
	scene_hold(sc, held, JOB_HOLD_USER);
	after = scene_add(sc, (struct scene_job){.depend = "afternotok:1"});
	assert_int_equal(first, 1);
	found = ask(sc, after);
	assert_true(found.start_s == TIME_NEVER && !unblock_proven(&found));
	unblock_clear(&found);
	scene_cancel(sc, after);
	found = ask(sc, held);
	assert_true(found.start_s == TIME_NEVER && unblock_proven(&found));
	assert_int_equal(found.ending, 0);
	unblock_clear(&found);
	scene_free(sc);
}

/* One waits for the failure of another that runs: that says nothing of a job that is held, nor of one that
 * asks for more than a limit lets anybody have, nor of one that waits for the held one. */
static void who_is_kept_by_himself_is_proven_whoever_fails(void **state)
{
	struct scene *sc = scene_new(1, 4);
	char after[32];
	uint64_t runs, held, large, waits;
	struct unblock found;

	(void)state;
	scene_config(sc, "user u9 { maxproc = 2 }\n");
	runs = scene_submit(sc, 1, 300);
	scene_pass(sc);
	snprintf(after, sizeof after, "afternotok:%llu", (unsigned long long)runs);
	scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 100, .depend = after});
	held = scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 100, .holds = JOB_HOLD_USER});
	large = scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 100, .user = "u9"});
	snprintf(after, sizeof after, "afterany:%llu", (unsigned long long)held);
	waits = scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 100, .depend = after});
	for (size_t i = 0; i < 3; i++) {
		found = ask(sc, (uint64_t[]){held, large, waits}[i]);
		assert_true(found.start_s == TIME_NEVER && unblock_proven(&found));
		unblock_clear(&found);
	}
	scene_free(sc);
}

static void an_override_is_raised_where_it_is_set(void **state)
{
	struct scene *sc = scene_new(1, 8);
	uint64_t job;
	struct unblock found;

	(void)state;
	scene_config(sc, "user eva { maxproc = 1 }\nqos hi { omaxproc = 4 }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 3});
	scene_pass(sc);
	job = scene_add(sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 3});
	found = ask(sc, job);
	assert_int_equal(found.by_s, 0);
	assert_non_null(find(&found, "set qos[hi].omaxproc = 6"));
	unblock_clear(&found);
	scene_free(sc);
}

/* 2 waits for all of the machine at 100 and is promised it; 3 has room until then, and no longer. */
static void as_much_time_as_there_is_before_a_promise_is_what_it_may_have(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct unblock found;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 1, 500);
	scene_pass(sc);
	found = ask(sc, 3);
	assert_non_null(find(&found, "modify 3: walltime = 100"));
	assert_int_equal(find(&found, "modify 3: walltime = 100")->delayed, 0);
	unblock_clear(&found);
	scene_free(sc);
}

static void the_nearest_number_is_found_to_one(void **state)
{
	(void)state;
	for (int64_t until_s = 95; until_s < 105; until_s++) {
		struct scene *sc = scene_new(1, 2);
		struct unblock found;
		char words[64];

		scene_submit(sc, 1, until_s);
		scene_pass(sc);
		scene_submit(sc, 2, 100);
		scene_submit(sc, 1, 500);
		scene_pass(sc);
		found = ask(sc, 3);
		snprintf(words, sizeof words, "modify 3: walltime = %d", (int)until_s);
		assert_non_null(find(&found, words));
		unblock_clear(&found);
		scene_free(sc);
	}
}

/* The cap clears when the window rolls. The soft limit is broken then too, but nobody else wants a turn. */
static void of_two_that_fail_the_one_that_clears_last_holds_it(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct unblock found;
	uint64_t job;

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nfsinterval = \"1:00:00\"\nfsdepth = 1\n"
			 "user eva { maxproc = \"1,8\" fstarget = \"2000^\" }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 1900});
	scene_pass(sc);
	scene_play(sc, 1900);
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 9000}), 0, 1, 1);
	job = scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 600});
	found = ask(sc, job);
	assert_int_equal(found.start_s, 3600);
	assert_int_equal(found.last.first, GATE_ACTIVE_SOFT);
	assert_int_equal(found.holds, GATE_FS_CAP);
	unblock_clear(&found);
	scene_free(sc);
}

/* The answer replaces that for a job that waits. */
static void what_held_the_job_before_holds_none_that_starts_at_once(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct unblock_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};
	struct unblock found;
	uint64_t waits, small;

	(void)state;
	scene_submit(sc, 3, 300);
	scene_pass(sc);
	waits = scene_submit(sc, 4, 100);
	small = scene_submit(sc, 1, 100);
	found = ask(sc, waits);
	assert_int_equal(found.holds, GATE_RESOURCES);
	assert_true(unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), small), &setup));
	assert_int_equal(found.start_s, sc->now_s);
	assert_int_equal(found.holds, GATE_NONE);
	assert_int_equal(found.last.first, GATE_NONE);
	assert_int_equal(found.last_s, TIME_NONE);
	assert_int_equal(found.ending, 0);
	unblock_clear(&found);
	scene_free(sc);
}

static bool count_points(void *self, const struct event *ev)
{
	*(unsigned *)self += ev->kind == EVENT_PRIORITY;
	return true;
}

/* It is the first, and stays so with any number of points: one is tried above its own, one above all others'.
 */
static void points_that_change_no_place_are_tried_once(void **state)
{
	struct scene *sc = scene_new(1, 4);
	unsigned tried = 0;
	struct unblock_setup setup = {
		.now_s = sc->now_s, .by_s = sc->now_s + 50, .may = count_points, .self = &tried};
	struct unblock found = {.change = NULL};
	uint64_t next;

	(void)state;
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	next = scene_submit(sc, 4, 100);
	assert_true(unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), next), &setup));
	assert_in_range(tried, 1, 6);
	unblock_clear(&found);
	scene_free(sc);
}

/* Job 2 is promised all of the machine at 100; job 3 has half of it until then, if job 4 can wait. */
static struct scene *half_until_100(int64_t other_from_s, int64_t other_wall_s)
{
	struct scene *sc = scene_new(1, 8);

	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_submit(sc, 8, 1000);
	scene_submit(sc, 4, 500);
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = other_wall_s, .not_before_s = other_from_s});
	scene_pass(sc);
	return sc;
}

static void less_than_is_needed_is_told_where_it_costs_others_less(void **state)
{
	struct scene *sc = half_until_100(60, 40);
	struct unblock found = ask(sc, 3);
	size_t shorter = 0;

	(void)state;
	assert_int_equal(find(&found, "modify 3: walltime = 100")->delayed, 1);
	assert_non_null(find(&found, "modify 3: walltime = 60"));
	assert_int_equal(find(&found, "modify 3: walltime = 60")->delayed, 0);
	unblock_clear(&found);
	scene_free(sc);
	/* From 60 on there is no room for it either. */
	sc = half_until_100(30, 50);
	found = ask(sc, 3);
	assert_int_equal(find(&found, "modify 3: walltime = 100")->delayed, 1);
	for (size_t i = 0; i < found.count; i++)
		shorter += found.change[i].ev.kind == EVENT_MODIFY;
	assert_int_equal(shorter, 1);
	unblock_clear(&found);
	scene_free(sc);
}

/* The job that comes first ends a second before the one whose processors are needed. */
static void what_holds_it_is_looked_for_one_second_before_it_starts(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct unblock found;
	uint64_t next;

	(void)state;
	scene_submit(sc, 1, 299);
	scene_submit(sc, 3, 300);
	scene_pass(sc);
	next = scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 100, .depend = "afterany:1"});
	scene_pass(sc);
	found = ask(sc, next);
	assert_int_equal(found.start_s, 300);
	assert_int_equal(found.last_s, 299);
	assert_int_equal(found.ending, 2);
	assert_int_equal(found.last.first, GATE_RESOURCES);
	unblock_clear(&found);
	scene_free(sc);
}

/* Two nodes, one of each kind: job 1 has all of n001, which has what job 2 asks for. */
static struct scene *what_it_wants_is_taken(struct scene_job wanted)
{
	struct scene *sc = scene_new(0, 0);

	scene_node(sc, (struct node_record){.name = "n001", .procs = 4, .features = "fast", .gres = "gpu:1"});
	scene_node(sc, (struct node_record){.name = "n002", .procs = 4});
	scene_add(sc, (struct scene_job){.procs = 4, .hosts = "n001"});
	scene_pass(sc);
	wanted.procs = 2;
	scene_add(sc, wanted);
	scene_pass(sc);
	return sc;
}

static void expect_start_with(struct scene *sc, uint64_t job, const char *words)
{
	struct unblock found = ask(sc, job);
	const struct unblock_change *change = find(&found, words);

	if (change == NULL)
		fail_msg("\"%s\" is not among %zu changes", words, found.count);
	assert_int_equal(change->starts_s, sc->now_s);
	unblock_clear(&found);
	scene_free(sc);
}

static void what_it_asks_for_by_name_it_may_do_without(void **state)
{
	(void)state;
	expect_start_with(what_it_wants_is_taken((struct scene_job){.features = "fast"}), 2,
			  "modify 2: features = ");
	expect_start_with(what_it_wants_is_taken((struct scene_job){.features = "nowhere"}), 2,
			  "modify 2: features = ");
	expect_start_with(what_it_wants_is_taken((struct scene_job){.hosts = "n001"}), 2,
			  "modify 2: hosts = ");
	expect_start_with(what_it_wants_is_taken((struct scene_job){.gres = "gpu"}), 2, "modify 2: gres = ");
	expect_start_with(what_it_wants_is_taken((struct scene_job){.gres = "tape"}), 2, "modify 2: gres = ");
}

/* Job 1 has 600 of 1000 MB; as much as is left does. */
static void less_of_what_a_node_has_too_little_of_is_enough(void **state)
{
	static const struct {
		struct scene_job runs, waits;
		const char *words;
	} one[] = {
		{{.mem_mb = 600}, {.mem_mb = 500}, "modify 2: mem = 400"},
		{{.swap_mb = 600}, {.swap_mb = 500}, "modify 2: swap = 400"},
		{{.disk_mb = 600}, {.disk_mb = 500}, "modify 2: disk = 400"},
		{{.swap_mb = 1000}, {.swap_mb = 500}, "modify 2: swap = 0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
		struct scene *sc = scene_new(0, 0);

		scene_node(sc, (struct node_record){.name = "n001",
						    .procs = 4,
						    .mem_mb = 1000,
						    .swap_mb = 1000,
						    .disk_mb = 1000});
		scene_add(sc, one[i].runs);
		scene_pass(sc);
		scene_add(sc, one[i].waits);
		expect_start_with(sc, 2, one[i].words);
	}
}

/* A job of less than a minute is none, and of less than its class wants cannot be. */
static void a_job_is_not_made_shorter_than_its_class_allows(void **state)
{
	static const int64_t until_s[] = {59, 60, 119, 120};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct scene *sc = scene_new(1, 2);
		struct unblock found;
		bool shorter = false;

		scene_config(sc, "class slow { min.wclimit = \"0:02:00\" }\n");
		scene_submit(sc, 1, until_s[i]);
		scene_pass(sc);
		scene_submit(sc, 2, 1000);
		scene_add(sc, (struct scene_job){.wall_s = 500, .class_name = i < 2 ? NULL : "slow"});
		scene_pass(sc);
		found = ask(sc, 3);
		for (size_t c = 0; c < found.count; c++)
			shorter |= found.change[c].ev.kind == EVENT_MODIFY && found.change[c].starts_s == 0;
		assert_int_equal(shorter, i % 2 == 1);
		unblock_clear(&found);
		scene_free(sc);
	}
}

static void a_job_that_wants_a_node_alone_may_share_it(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .access = ACCESS_SINGLEJOB});
	expect_start_with(sc, 2, "modify 2: access = shared");
}

static void a_job_may_ask_for_fewer_nodes_and_tasks_together(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 3, .hosts = "n001"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 4, .nodes = 2});
	expect_start_with(sc, 2, "modify 2: nodes = 0");
	sc = scene_new(2, 4);
	scene_add(sc, (struct scene_job){.procs = 2, .hosts = "n001"});
	scene_add(sc, (struct scene_job){.procs = 2, .hosts = "n002"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 3, .tasks_per_node = 3});
	expect_start_with(sc, 3, "modify 3: tpn = 0");
}

static void a_job_may_go_to_another_partition(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_node(sc, (struct node_record){.name = "n001", .procs = 2, .partition = "a"});
	scene_node(sc, (struct node_record){.name = "n002", .procs = 2, .partition = "b"});
	scene_add(sc, (struct scene_job){.procs = 2, .partition = "a"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .partition = "a"});
	expect_start_with(sc, 2, "modify 2: partition = b");
}

/* DEFAULT and "none" are no QOS that a job could be given. */
static void a_job_may_have_another_qos_but_not_none_or_the_default(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct unblock found;

	(void)state;
	scene_config(sc, "user DEFAULT { qlist = \"hi,lo\" }\nuser eva { maxproc = 1 }\n"
			 "qos hi { omaxproc = 4 }\nqos lo { priority = 1 }\n"
			 "qos DEFAULT { priority = 5 }\nqos none { maxproc = 100 }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .user = "eva", .qos = "lo"});
	found = ask(sc, 1);
	assert_non_null(find(&found, "modify 1: qos = hi"));
	assert_null(find(&found, "modify 1: qos = DEFAULT"));
	assert_null(find(&found, "modify 1: qos = none"));
	assert_null(find(&found, "modify 1: qos = lo"));
	unblock_clear(&found);
	scene_free(sc);
}

/* A job that never starts waits for another to fail, as long as that one could. */
static void who_waits_for_one_that_may_start_yet_is_not_proven(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct unblock found;
	uint64_t waits;

	(void)state;
	scene_config(sc, "keepdependencyfailed = true\nuser u9 { maxproc = 2 }\n");
	scene_submit(sc, 1, 300);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.depend = "afternotok:1"});
	waits = scene_add(sc, (struct scene_job){.depend = "afterany:2"});
	found = ask(sc, waits);
	assert_true(found.start_s == TIME_NEVER && !unblock_proven(&found));
	unblock_clear(&found);
	scene_free(sc);
}

/* One waits for the failure of another that runs, so only what is a job's own affair is proven. */
static struct scene *one_that_waits_for_a_failure(const char *config)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, config);
	scene_submit(sc, 1, 300);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.depend = "afternotok:1"});
	return sc;
}

static void expect_proven(struct scene *sc, uint64_t job, bool proven)
{
	struct unblock found = ask(sc, job);

	assert_true(found.start_s == TIME_NEVER);
	assert_int_equal(unblock_proven(&found), proven);
	unblock_clear(&found);
	scene_free(sc);
}

static void who_waits_for_a_held_array_is_not_proven(void **state)
{
	struct scene *sc = one_that_waits_for_a_failure("");

	(void)state;
	scene_add(sc, (struct scene_job){.array = 2, .holds = JOB_HOLD_USER});
	expect_proven(sc, scene_add(sc, (struct scene_job){.depend = "afterany:3[]"}), false);
}

/* Each of a chain waits for the one before it, and the first is held; a long chain is followed to 32 links.
 */
static void a_chain_that_hangs_on_a_held_job_is_proven_as_far_as_it_is_followed(void **state)
{
	(void)state;
	for (int links = 31; links <= 34; links++) {
		struct scene *sc = one_that_waits_for_a_failure("");
		uint64_t last = scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});

		for (int i = 0; i < links; i++) {
			char after[32];

			snprintf(after, sizeof after, "afterany:%llu", (unsigned long long)last);
			last = scene_add(sc, (struct scene_job){.depend = after});
		}
		expect_proven(sc, last, links <= 32);
	}
}

static void who_waits_for_one_that_runs_on_is_not_kept(void **state)
{
	struct scene *sc = one_that_waits_for_a_failure("user u9 { maxproc = 2 }\n");

	(void)state;
	/* Its own size is no matter of its limit, which others have used up for good. */
	scene_add(sc, (struct scene_job){.user = "u9", .procs = 2, .depend = "afternotok:1"});
	expect_proven(sc, scene_add(sc, (struct scene_job){.depend = "afterany:1,afterok:3"}), false);
}

/* A limit that is set for a while may be lifted by itself. */
static void who_asks_for_more_than_a_passing_limit_is_not_proven(void **state)
{
	struct event ev = {.kind = EVENT_SETTING,
			   .until_s = 1000,
			   .setting = {.name = "user[u9].maxproc", .value = "3"}};
	struct scene *sc = one_that_waits_for_a_failure("user u9 { maxproc = 2 }\n");

	(void)state;
	scene_apply(sc, &ev);
	expect_proven(sc, scene_add(sc, (struct scene_job){.procs = 4, .user = "u9"}), false);
	sc = one_that_waits_for_a_failure("user u9 { maxproc = 2 }\n");
	scene_set(sc, "user[u9].maxproc", "3");
	expect_proven(sc, scene_add(sc, (struct scene_job){.procs = 4, .user = "u9"}), true);
}

/* --- whose limit is raised, and how far ---------------------------------------------------------- */

/* One job of eva's runs, with 3 processors; another with as many waits. */
static struct scene *evas_second(const char *config)
{
	struct scene *sc = scene_new(1, 8);
	struct scene_job job = {.user = "eva", .group = "staff", .class_name = "fast", .procs = 3};

	scene_config(sc, config);
	scene_add(sc, job);
	scene_pass(sc);
	scene_add(sc, job);
	return sc;
}

static void each_limit_is_raised_for_whom_it_stops(void **state)
{
	static const char *const config[][2] = {
		{"user eva { maxproc = 3 }\nuser bob { maxproc = 3 }\n", "set user[eva].maxproc = 6"},
		{"user bob { maxproc = 3 }\nuser DEFAULT { maxproc = 3 }\n", "set user[eva].maxproc = 6"},
		{"user eva { maxjob = 1 }\n", "set user[eva].maxjob = 2"},
		{"user eva { maxproc = 4 maxjob = 5 }\ngroup staff { maxproc = 7 }\n",
		 "set user[eva].maxproc = 6"},
		{"group staff { maxproc = 4 }\n", "set group[staff].maxproc = 6"},
		{"class fast { maxjob = 1 }\n", "set class[fast].maxjob = 2"},
		{"system { maxjob = 1 }\n", "set system.maxjob = 2"},
		{"hardpass = idleonly\nuser eva { maxproc = \"3,4\" }\n", "set user[eva].maxproc = 3,6"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof config / sizeof config[0]; i++)
		expect_start_with(evas_second(config[i][0]), 2, config[i][1]);
}

/* eva has used 2000 of 4000 processor-seconds, and wants 100 more. */
static void a_cap_is_raised_to_what_is_used_with_the_job(void **state)
{
	static const char *const cap[][2] = {
		{"50%", "set user[eva].fstarget = 52.500%"},
		{"2050^", "set user[eva].fstarget = 2100^"},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene *sc = scene_new(1, 2);
		char config[128];

		snprintf(config, sizeof config,
			 "fspolicy = dedicatedps\nfsinterval = 24:00:00\nuser eva { fstarget = \"%s\" }\n",
			 cap[i][0]);
		scene_config(sc, config);
		scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 2000}), 0, 1, 1);
		scene_start(sc, scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 2000}), 0, 1, 1);
		scene_go(sc, 2000);
		expect_start_with(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100}),
				  cap[i][1]);
	}
}

/* All nodes but one are drained, and more of them than are tried; the first of them does it. */
static void a_node_that_takes_jobs_again_starts_it(void **state)
{
	struct scene *sc = scene_new(30, 2);
	struct unblock found;
	unsigned undrained = 0;

	(void)state;
	for (int i = 1; i < 30; i++) {
		char name[32];

		snprintf(name, sizeof name, "node[n%03d].drained", i);
		scene_set(sc, name, "true");
	}
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	scene_submit(sc, 2, 100);
	found = ask(sc, 2);
	assert_non_null(find(&found, "set node[n001].drained = false"));
	for (size_t i = 0; i < found.count; i++)
		undrained += found.change[i].ev.kind == EVENT_SETTING;
	assert_int_equal(undrained, 16);
	unblock_clear(&found);
	scene_free(sc);
}

/* Of memory and disk what is measured goes on counting. */
static void processors_that_others_use_may_be_given_to_jobs_all_the_same(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_LOAD, .load = {.node = "n001", .used = NODE_NOT_MEASURED}};
	struct unblock found;

	(void)state;
	ev.load.used.procs = 2;
	scene_apply(sc, &ev);
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	found = ask(sc, 1);
	assert_non_null(find(&found, "set nodeavailabilitypolicy = dedicated combined:mem combined:swap "
				     "combined:disk"));
	assert_false(unblock_proven(&found));
	unblock_clear(&found);
	scene_free(sc);
}

static void a_reservation_that_is_given_up_starts_it(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event over = {
		.kind = EVENT_RESERVE, .who = "root", .reserve = {"over", "start=0 end=5 nodes=ALL"}};
	struct event stands = {
		.kind = EVENT_RESERVE, .who = "root", .reserve = {"stands", "start=10 end=9000 nodes=ALL"}};
	struct unblock found;

	(void)state;
	scene_apply(sc, &over);
	scene_apply(sc, &stands);
	scene_go(sc, 5);
	scene_submit(sc, 1, 100);
	found = ask(sc, 1);
	assert_non_null(find(&found, "release reservation stands"));
	assert_null(find(&found, "release reservation over"));
	unblock_clear(&found);
	scene_free(sc);
}

static void a_limit_on_one_job_is_raised_to_its_size(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "systemmaxprocperjob = 4\n");
	scene_submit(sc, 6, 100);
	expect_start_with(sc, 1, "set systemmaxprocperjob = 6");
	sc = scene_new(1, 8);
	scene_config(sc, "class fast { max.proc = 4 }\n");
	scene_add(sc, (struct scene_job){.procs = 6, .class_name = "fast"});
	expect_start_with(sc, 1, "set class[fast].max.proc = 6");
}

static void a_limit_of_one_among_others_is_raised_for_that_one(void **state)
{
	(void)state;
	expect_start_with(evas_second("group staff { maxproc = {\"USER:eva=4\"} }\n"), 2,
			  "set group[staff].maxproc[user:eva] = 6");
}

/* So many questions are answered with yes. */
struct patience {
	unsigned left, asked;
};

static bool has_patience(void *self)
{
	struct patience *p = self;

	p->asked++;
	return p->left > 0 && p->left-- > 0;
}

static void wherever_it_is_told_to_stop_there_is_no_answer(void **state)
{
	struct scene *sc = half_until_100(60, 40);
	struct patience p = {.left = UINT32_MAX};
	struct unblock_setup setup = {.should_continue = has_patience, .self = &p};
	struct unblock found = {.change = NULL};
	unsigned needed;

	(void)state;
	assert_true(unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), 3), &setup));
	assert_true(found.count > 2);
	needed = p.asked;
	for (unsigned left = 0; left < needed; left += 1 + left / 50) {
		p = (struct patience){.left = left};
		assert_false(
			unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), 3), &setup));
		assert_int_equal(found.count, 0);
	}
	p = (struct patience){.left = needed};
	assert_true(unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), 3), &setup));
	unblock_clear(&found);
	scene_free(sc);
}

static bool has_change(const struct unblock *u, const struct unblock_change *c)
{
	for (size_t i = 0; i < u->count; i++)
		if (u->change[i].ev.kind == c->ev.kind && u->change[i].ev.job == c->ev.job)
			return true;
	return false;
}

static void a_budget_ends_the_search_and_says_what_was_left(void **state)
{
	struct scene *sc = half_until_100(60, 40);
	uint32_t slot = snapshot_find_job(scene_view(sc), 3);
	struct unblock_setup setup = {.most_work = 100000};
	struct unblock all = {.change = NULL}, some = {.change = NULL}, again = {.change = NULL};
	unsigned ended = 0, complete = 0;

	(void)state;
	assert_true(unblock_find(&all, scene_view(sc), slot, &(struct unblock_setup){.most_work = 0}));
	assert_int_equal(all.search, UNBLOCK_COMPLETE);
	assert_int_equal(all.left, 0);
	assert_int_equal(all.known_s, TIME_NEVER);
	for (setup.most_work = 1; setup.most_work < 4000; setup.most_work += 1 + setup.most_work / 8) {
		assert_true(unblock_find(&some, scene_view(sc), slot, &setup));
		assert_true(unblock_find(&again, scene_view(sc), slot, &setup));
		assert_int_equal(some.search, some.left != 0 ? UNBLOCK_BUDGET : UNBLOCK_COMPLETE);
		assert_int_equal(some.count, again.count);
		assert_int_equal(some.left, again.left);
		for (size_t i = 0; i < some.count && some.by_s == all.by_s; i++)
			assert_true(has_change(&all, &some.change[i]));
		if (some.reached)
			assert_int_equal(some.start_s, all.start_s);
		ended += some.search == UNBLOCK_BUDGET;
		complete += some.search == UNBLOCK_COMPLETE;
	}
	assert_true(ended > 0);
	assert_true(complete > 0);
	assert_int_equal(some.count, all.count);
	assert_string_equal(unblock_search_name(UNBLOCK_BUDGET), "budget");
	assert_string_equal(unblock_part_name(UNBLOCK_OF_OTHERS), "others");
	unblock_clear(&all);
	unblock_clear(&some);
	unblock_clear(&again);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_budget_ends_the_search_and_says_what_was_left),
		cmocka_unit_test(who_waits_for_an_end_says_whose_and_when),
		cmocka_unit_test(who_never_starts_is_proven_where_nobody_could_fail),
		cmocka_unit_test(who_is_kept_by_himself_is_proven_whoever_fails),
		cmocka_unit_test(an_override_is_raised_where_it_is_set),
		cmocka_unit_test(of_two_that_fail_the_one_that_clears_last_holds_it),
		cmocka_unit_test(what_held_the_job_before_holds_none_that_starts_at_once),
		cmocka_unit_test(as_much_time_as_there_is_before_a_promise_is_what_it_may_have),
		cmocka_unit_test(the_nearest_number_is_found_to_one),
		cmocka_unit_test(points_that_change_no_place_are_tried_once),
		cmocka_unit_test(less_than_is_needed_is_told_where_it_costs_others_less),
		cmocka_unit_test(what_holds_it_is_looked_for_one_second_before_it_starts),
		cmocka_unit_test(what_it_asks_for_by_name_it_may_do_without),
		cmocka_unit_test(less_of_what_a_node_has_too_little_of_is_enough),
		cmocka_unit_test(a_job_is_not_made_shorter_than_its_class_allows),
		cmocka_unit_test(a_job_that_wants_a_node_alone_may_share_it),
		cmocka_unit_test(a_job_may_ask_for_fewer_nodes_and_tasks_together),
		cmocka_unit_test(a_job_may_go_to_another_partition),
		cmocka_unit_test(a_job_may_have_another_qos_but_not_none_or_the_default),
		cmocka_unit_test(who_waits_for_one_that_may_start_yet_is_not_proven),
		cmocka_unit_test(wherever_it_is_told_to_stop_there_is_no_answer),
		cmocka_unit_test(who_waits_for_a_held_array_is_not_proven),
		cmocka_unit_test(a_chain_that_hangs_on_a_held_job_is_proven_as_far_as_it_is_followed),
		cmocka_unit_test(who_waits_for_one_that_runs_on_is_not_kept),
		cmocka_unit_test(who_asks_for_more_than_a_passing_limit_is_not_proven),
		cmocka_unit_test(each_limit_is_raised_for_whom_it_stops),
		cmocka_unit_test(a_cap_is_raised_to_what_is_used_with_the_job),
		cmocka_unit_test(a_node_that_takes_jobs_again_starts_it),
		cmocka_unit_test(processors_that_others_use_may_be_given_to_jobs_all_the_same),
		cmocka_unit_test(a_reservation_that_is_given_up_starts_it),
		cmocka_unit_test(a_limit_on_one_job_is_raised_to_its_size),
		cmocka_unit_test(a_limit_of_one_among_others_is_raised_for_that_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
