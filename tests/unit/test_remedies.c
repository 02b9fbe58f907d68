/* SPDX-License-Identifier: MIT */
/*
 * test_remedies.c - what a job waits for, and the single changes that would start it
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/forecast/remedies.h"
#include "tests/scene.h"

/* Searches for changes that start the job at once. */
static struct remedies find_remedies(const struct scene *sc, uint64_t job)
{
	struct remedies_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};
	struct remedies found = {.change = NULL};

	assert_true(remedies_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), job), &setup));
	return found;
}

static const struct remedy *find(const struct remedies *u, const char *words)
{
	const struct remedy *found = NULL;
	struct str text = {0};

	for (size_t i = 0; i < u->count && !found; i++) {
		str_clear(&text);
		event_describe(&u->change[i].ev, NULL, &text);
		found = strcmp(str_text(&text), words) == 0 ? &u->change[i] : NULL;
	}
	str_free(&text);
	return found;
}

static void the_last_check_names_the_ending_job_and_its_time(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t small = scene_submit(sc, 1, 300), large = scene_submit(sc, 3, 300), next;
	struct remedies found;

	(void)state;
	scene_pass(sc);
	next = scene_submit(sc, 4, 100);
	scene_pass(sc);
	found = find_remedies(sc, next);
	assert_int_equal(found.start_s, 300);
	assert_int_equal(found.last_s, 299);
	assert_true(found.ending == large && found.ending != small);
	assert_int_equal(found.last.first, GATE_RESOURCES);
	assert_false(remedies_proven(&found));
	remedies_clear(&found);
	scene_free(sc);
}

static void never_is_proven_if_no_other_job_could_fail(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t first = scene_submit(sc, 1, 100), held, after;
	struct remedies found;

	(void)state;
	scene_pass(sc);
	held = scene_submit(sc, 1, 100);
	scene_hold(sc, held, JOB_HOLD_USER);
	after = scene_add(sc, (struct scene_job){.depend = "afternotok:1"});
	assert_int_equal(first, 1);
	found = find_remedies(sc, after);
	assert_true(found.start_s == TIME_NEVER && !remedies_proven(&found));
	remedies_clear(&found);
	scene_cancel(sc, after);
	found = find_remedies(sc, held);
	assert_true(found.start_s == TIME_NEVER && remedies_proven(&found));
	assert_int_equal(found.ending, 0);
	remedies_clear(&found);
	scene_free(sc);
}

/* A job that waits for the failure of a running job prevents a proof for other jobs, but not for a held job,
 * a job whose request exceeds a limit by itself, or a job that depends on the held job. */
static void never_is_proven_for_a_job_blocked_by_itself(void **state)
{
	struct scene *sc = scene_new(1, 4);
	char after[32];
	uint64_t running_job, held, large, waiting_job;
	struct remedies found;

	(void)state;
	scene_config(sc, "user u9 { maxproc = 2 }\n");
	running_job = scene_submit(sc, 1, 300);
	scene_pass(sc);
	snprintf(after, sizeof after, "afternotok:%llu", (unsigned long long)running_job);
	scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 100, .depend = after});
	held = scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 100, .holds = JOB_HOLD_USER});
	large = scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 100, .user = "u9"});
	snprintf(after, sizeof after, "afterany:%llu", (unsigned long long)held);
	waiting_job = scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 100, .depend = after});
	for (size_t i = 0; i < 3; i++) {
		found = find_remedies(sc, (uint64_t[]){held, large, waiting_job}[i]);
		assert_true(found.start_s == TIME_NEVER && remedies_proven(&found));
		remedies_clear(&found);
	}
	scene_free(sc);
}

static void an_override_is_raised_at_its_qos(void **state)
{
	struct scene *sc = scene_new(1, 8);
	uint64_t job;
	struct remedies found;

	(void)state;
	scene_config(sc, "user eva { maxproc = 1 }\nqos hi { omaxproc = 4 }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 3});
	scene_pass(sc);
	job = scene_add(sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 3});
	found = find_remedies(sc, job);
	assert_int_equal(found.by_s, 0);
	assert_non_null(find(&found, "set qos[hi].omaxproc = 6"));
	remedies_clear(&found);
	scene_free(sc);
}

/* Job 2 has a reservation of the whole machine at 100 s, so job 3 fits only until then. */
static void walltime_is_reduced_to_the_time_before_a_reservation(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct remedies found;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 1, 500);
	scene_pass(sc);
	found = find_remedies(sc, 3);
	assert_non_null(find(&found, "modify 3: walltime = 100"));
	assert_int_equal(find(&found, "modify 3: walltime = 100")->delayed, 0);
	remedies_clear(&found);
	scene_free(sc);
}

static void the_nearest_number_is_exact(void **state)
{
	(void)state;
	for (int64_t until_s = 95; until_s < 105; until_s++) {
		struct scene *sc = scene_new(1, 2);
		struct remedies found;
		char words[64];

		scene_submit(sc, 1, until_s);
		scene_pass(sc);
		scene_submit(sc, 2, 100);
		scene_submit(sc, 1, 500);
		scene_pass(sc);
		found = find_remedies(sc, 3);
		snprintf(words, sizeof words, "modify 3: walltime = %d", (int)until_s);
		assert_non_null(find(&found, words));
		remedies_clear(&found);
		scene_free(sc);
	}
}

/* The cap clears when the window rolls. The soft limit is exceeded then too, but no other job waits. */
static void the_check_that_clears_last_holds_the_job(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct remedies found;
	uint64_t job;

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nfsinterval = \"1:00:00\"\nfsdepth = 1\n"
			 "user eva { maxproc = \"1,8\" fstarget = \"2000^\" }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 1900});
	scene_pass(sc);
	scene_play(sc, 1900);
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 9000}), 0, 1, 1);
	job = scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 600});
	found = find_remedies(sc, job);
	assert_int_equal(found.start_s, 3600);
	assert_int_equal(found.last.first, GATE_ACTIVE_SOFT);
	assert_int_equal(found.holds, GATE_FS_CAP);
	remedies_clear(&found);
	scene_free(sc);
}

/* The result replaces the previous result for a waiting job. */
static void a_job_that_starts_at_once_has_no_holding_check(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct remedies_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};
	struct remedies found;
	uint64_t waiting_job, small;

	(void)state;
	scene_submit(sc, 3, 300);
	scene_pass(sc);
	waiting_job = scene_submit(sc, 4, 100);
	small = scene_submit(sc, 1, 100);
	found = find_remedies(sc, waiting_job);
	assert_int_equal(found.holds, GATE_RESOURCES);
	assert_true(remedies_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), small), &setup));
	assert_int_equal(found.start_s, sc->now_s);
	assert_int_equal(found.holds, GATE_NONE);
	assert_int_equal(found.last.first, GATE_NONE);
	assert_int_equal(found.last_s, TIME_NONE);
	assert_int_equal(found.ending, 0);
	remedies_clear(&found);
	scene_free(sc);
}

static bool count_points(void *self, const struct event *ev)
{
	*(unsigned *)self += ev->kind == EVENT_PRIORITY;
	return true;
}

/* The job is already first with any number of points, so only points above its own and above all others are
 * tried.
 */
static void points_within_the_rank_slack_are_tried_once(void **state)
{
	struct scene *sc = scene_new(1, 4);
	unsigned tried = 0;
	struct remedies_setup setup = {
		.now_s = sc->now_s, .by_s = sc->now_s + 50, .may = count_points, .self = &tried};
	struct remedies found = {.change = NULL};
	uint64_t next;

	(void)state;
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	next = scene_submit(sc, 4, 100);
	assert_true(remedies_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), next), &setup));
	assert_in_range(tried, 1, 6);
	remedies_clear(&found);
	scene_free(sc);
}

/* Job 2 has a reservation of the whole machine at 100 s; job 3 could use half of it until then if job 4
 * waits. */
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

static void a_smaller_request_is_listed_if_it_costs_others_less(void **state)
{
	struct scene *sc = half_until_100(60, 40);
	struct remedies found = find_remedies(sc, 3);
	size_t shorter = 0;

	(void)state;
	assert_int_equal(find(&found, "modify 3: walltime = 100")->delayed, 1);
	assert_non_null(find(&found, "modify 3: walltime = 60"));
	assert_int_equal(find(&found, "modify 3: walltime = 60")->delayed, 0);
	remedies_clear(&found);
	scene_free(sc);
	/* From 60 s on, the job does not fit either. */
	sc = half_until_100(30, 50);
	found = find_remedies(sc, 3);
	assert_int_equal(find(&found, "modify 3: walltime = 100")->delayed, 1);
	for (size_t i = 0; i < found.count; i++)
		shorter += found.change[i].ev.kind == EVENT_MODIFY;
	assert_int_equal(shorter, 1);
	remedies_clear(&found);
	scene_free(sc);
}

/* The dependency ends one second before the job whose processors are needed. */
static void the_holding_check_is_taken_one_second_before_the_start(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct remedies found;
	uint64_t next;

	(void)state;
	scene_submit(sc, 1, 299);
	scene_submit(sc, 3, 300);
	scene_pass(sc);
	next = scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 100, .depend = "afterany:1"});
	scene_pass(sc);
	found = find_remedies(sc, next);
	assert_int_equal(found.start_s, 300);
	assert_int_equal(found.last_s, 299);
	assert_int_equal(found.ending, 2);
	assert_int_equal(found.last.first, GATE_RESOURCES);
	remedies_clear(&found);
	scene_free(sc);
}

/* Two nodes: job 1 uses all of n001, the only node with the feature and the GPU that job 2 may request. */
static struct scene *scene_with_busy_node(struct scene_job wanted)
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
	struct remedies found = find_remedies(sc, job);
	const struct remedy *change = find(&found, words);

	if (change == NULL)
		fail_msg("\"%s\" is not among %zu changes", words, found.count);
	assert_int_equal(change->starts_s, sc->now_s);
	remedies_clear(&found);
	scene_free(sc);
}

static void named_requirements_are_dropped(void **state)
{
	(void)state;
	expect_start_with(scene_with_busy_node((struct scene_job){.features = "fast"}), 2,
			  "modify 2: features = ");
	expect_start_with(scene_with_busy_node((struct scene_job){.features = "nowhere"}), 2,
			  "modify 2: features = ");
	expect_start_with(scene_with_busy_node((struct scene_job){.hosts = "n001"}), 2, "modify 2: hosts = ");
	expect_start_with(scene_with_busy_node((struct scene_job){.gres = "gpu"}), 2, "modify 2: gres = ");
	expect_start_with(scene_with_busy_node((struct scene_job){.gres = "tape"}), 2, "modify 2: gres = ");
}

/* The running job uses part of 1000 MB; the request is reduced to the rest. */
static void a_request_is_reduced_to_what_a_node_has(void **state)
{
	static const struct {
		struct scene_job running_job, waiting_job;
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
		scene_add(sc, one[i].running_job);
		scene_pass(sc);
		scene_add(sc, one[i].waiting_job);
		expect_start_with(sc, 2, one[i].words);
	}
}

/* Walltimes below one minute, or below the minimum of the class, are not proposed. */
static void walltime_stays_above_the_minimum_of_the_class(void **state)
{
	static const int64_t until_s[] = {59, 60, 119, 120};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct scene *sc = scene_new(1, 2);
		struct remedies found;
		bool shorter = false;

		scene_config(sc, "class slow { min.wclimit = \"0:02:00\" }\n");
		scene_submit(sc, 1, until_s[i]);
		scene_pass(sc);
		scene_submit(sc, 2, 1000);
		scene_add(sc, (struct scene_job){.wall_s = 500, .class_name = i < 2 ? NULL : "slow"});
		scene_pass(sc);
		found = find_remedies(sc, 3);
		for (size_t c = 0; c < found.count; c++)
			shorter |= found.change[c].ev.kind == EVENT_MODIFY && found.change[c].starts_s == 0;
		assert_int_equal(shorter, i % 2 == 1);
		remedies_clear(&found);
		scene_free(sc);
	}
}

static void exclusive_access_is_changed_to_shared(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .access = ACCESS_SINGLEJOB});
	expect_start_with(sc, 2, "modify 2: access = shared");
}

static void nodes_and_tasks_per_node_are_dropped(void **state)
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

static void another_partition_is_tried(void **state)
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

/* DEFAULT and "none" cannot be assigned to a job. */
static void another_qos_is_tried_but_not_none_or_default(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct remedies found;

	(void)state;
	scene_config(sc, "user DEFAULT { qlist = \"hi,lo\" }\nuser eva { maxproc = 1 }\n"
			 "qos hi { omaxproc = 4 }\nqos lo { priority = 1 }\n"
			 "qos DEFAULT { priority = 5 }\nqos none { maxproc = 100 }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .user = "eva", .qos = "lo"});
	found = find_remedies(sc, 1);
	assert_non_null(find(&found, "modify 1: qos = hi"));
	assert_null(find(&found, "modify 1: qos = DEFAULT"));
	assert_null(find(&found, "modify 1: qos = none"));
	assert_null(find(&found, "modify 1: qos = lo"));
	remedies_clear(&found);
	scene_free(sc);
}

/* The dependency waits for a failure of a running job, which could still happen. */
static void never_is_not_proven_if_the_dependency_may_start(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct remedies found;
	uint64_t waiting_job;

	(void)state;
	scene_config(sc, "keepdependencyfailed = true\nuser u9 { maxproc = 2 }\n");
	scene_submit(sc, 1, 300);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.depend = "afternotok:1"});
	waiting_job = scene_add(sc, (struct scene_job){.depend = "afterany:2"});
	found = find_remedies(sc, waiting_job);
	assert_true(found.start_s == TIME_NEVER && !remedies_proven(&found));
	remedies_clear(&found);
	scene_free(sc);
}

/* A job waits for the failure of a running job, so "never" can be proven only from a job's own properties. */
static struct scene *scene_waiting_for_failure(const char *config)
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
	struct remedies found = find_remedies(sc, job);

	assert_true(found.start_s == TIME_NEVER);
	assert_int_equal(remedies_proven(&found), proven);
	remedies_clear(&found);
	scene_free(sc);
}

static void never_is_not_proven_for_a_dependency_on_a_held_array(void **state)
{
	struct scene *sc = scene_waiting_for_failure("");

	(void)state;
	scene_add(sc, (struct scene_job){.array = 2, .holds = JOB_HOLD_USER});
	expect_proven(sc, scene_add(sc, (struct scene_job){.depend = "afterany:3[]"}), false);
}

/* Each job of a chain depends on the previous one, and the first job is held; up to 32 links are followed. */
static void never_is_proven_along_a_chain_up_to_its_bound(void **state)
{
	(void)state;
	for (int links = 31; links <= 34; links++) {
		struct scene *sc = scene_waiting_for_failure("");
		uint64_t last = scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});

		for (int i = 0; i < links; i++) {
			char after[32];

			snprintf(after, sizeof after, "afterany:%llu", (unsigned long long)last);
			last = scene_add(sc, (struct scene_job){.depend = after});
		}
		expect_proven(sc, last, links <= 32);
	}
}

static void a_dependency_on_a_running_job_is_not_never(void **state)
{
	struct scene *sc = scene_waiting_for_failure("user u9 { maxproc = 2 }\n");

	(void)state;
	/* The size of this job does not exceed its limit. */
	scene_add(sc, (struct scene_job){.user = "u9", .procs = 2, .depend = "afternotok:1"});
	expect_proven(sc, scene_add(sc, (struct scene_job){.depend = "afterany:1,afterok:3"}), false);
}

/* A temporary setting of a limit ends by itself. */
static void never_is_not_proven_for_a_limit_that_may_clear(void **state)
{
	struct event ev = {.kind = EVENT_SETTING,
			   .until_s = 1000,
			   .setting = {.name = "user[u9].maxproc", .value = "3"}};
	struct scene *sc = scene_waiting_for_failure("user u9 { maxproc = 2 }\n");

	(void)state;
	scene_apply(sc, &ev);
	expect_proven(sc, scene_add(sc, (struct scene_job){.procs = 4, .user = "u9"}), false);
	sc = scene_waiting_for_failure("user u9 { maxproc = 2 }\n");
	scene_set(sc, "user[u9].maxproc", "3");
	expect_proven(sc, scene_add(sc, (struct scene_job){.procs = 4, .user = "u9"}), true);
}

/* --- limits that are raised ---------------------------------------------------------- */

/* One job of eva runs on 3 processors, and another one of the same size waits. */
static struct scene *scene_with_second_job(const char *config)
{
	struct scene *sc = scene_new(1, 8);
	struct scene_job job = {.user = "eva", .group = "staff", .class_name = "fast", .procs = 3};

	scene_config(sc, config);
	scene_add(sc, job);
	scene_pass(sc);
	scene_add(sc, job);
	return sc;
}

static void each_limit_is_raised_for_the_credential_it_stops(void **state)
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
		expect_start_with(scene_with_second_job(config[i][0]), 2, config[i][1]);
}

/* Eva has used 2000 of 4000 processor-seconds, and her job requests 100 more. */
static void a_cap_is_raised_to_usage_with_the_job(void **state)
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

/* All nodes but one are drained, more than are tried; undraining the first one starts the job. */
static void an_undrained_node_starts_the_job(void **state)
{
	struct scene *sc = scene_new(30, 2);
	struct remedies found;
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
	found = find_remedies(sc, 2);
	assert_non_null(find(&found, "set node[n001].drained = false"));
	for (size_t i = 0; i < found.count; i++)
		undrained += found.change[i].ev.kind == EVENT_SETTING;
	assert_int_equal(undrained, 16);
	remedies_clear(&found);
	scene_free(sc);
}

/* Measured memory, swap and disk continue to count. */
static void processors_used_outside_the_queue_may_be_dedicated(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_LOAD, .load = {.node = "n001", .used = NODE_NOT_MEASURED}};
	struct remedies found;

	(void)state;
	ev.load.used.procs = 2;
	scene_apply(sc, &ev);
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	found = find_remedies(sc, 1);
	assert_non_null(find(&found, "set nodeavailabilitypolicy = dedicated combined:mem combined:swap "
				     "combined:disk"));
	assert_false(remedies_proven(&found));
	remedies_clear(&found);
	scene_free(sc);
}

static void a_released_advance_reservation_starts_the_job(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event over = {
		.kind = EVENT_RESERVE, .who = "root", .reserve = {"over", "start=0 end=5 nodes=ALL"}};
	struct event stands = {
		.kind = EVENT_RESERVE, .who = "root", .reserve = {"stands", "start=10 end=9000 nodes=ALL"}};
	struct remedies found;

	(void)state;
	scene_apply(sc, &over);
	scene_apply(sc, &stands);
	scene_go(sc, 5);
	scene_submit(sc, 1, 100);
	found = find_remedies(sc, 1);
	assert_non_null(find(&found, "release reservation stands"));
	assert_null(find(&found, "release reservation over"));
	remedies_clear(&found);
	scene_free(sc);
}

static void a_limit_per_job_is_raised_to_its_size(void **state)
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

static void only_the_limit_of_the_owner_is_raised(void **state)
{
	(void)state;
	expect_start_with(scene_with_second_job("group staff { maxproc = {\"USER:eva=4\"} }\n"), 2,
			  "set group[staff].maxproc[user:eva] = 6");
}

/* Allows the search to continue a given number of times. */
struct patience {
	unsigned left, asked;
};

static bool has_patience(void *self)
{
	struct patience *p = self;

	p->asked++;
	return p->left > 0 && p->left-- > 0;
}

static void a_stopped_search_gives_no_result(void **state)
{
	struct scene *sc = half_until_100(60, 40);
	struct patience p = {.left = UINT32_MAX};
	struct remedies_setup setup = {.should_continue = has_patience, .self = &p};
	struct remedies found = {.change = NULL};
	unsigned needed;

	(void)state;
	assert_true(remedies_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), 3), &setup));
	assert_true(found.count > 2);
	needed = p.asked;
	for (unsigned left = 0; left < needed; left += 1 + left / 50) {
		p = (struct patience){.left = left};
		assert_false(
			remedies_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), 3), &setup));
		assert_int_equal(found.count, 0);
	}
	p = (struct patience){.left = needed};
	assert_true(remedies_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), 3), &setup));
	remedies_clear(&found);
	scene_free(sc);
}

static bool has_change(const struct remedies *u, const struct remedy *c)
{
	for (size_t i = 0; i < u->count; i++)
		if (u->change[i].ev.kind == c->ev.kind && u->change[i].ev.job == c->ev.job)
			return true;
	return false;
}

static void an_exhausted_budget_names_the_incomplete_parts(void **state)
{
	struct scene *sc = half_until_100(60, 40);
	uint32_t slot = snapshot_find_job(scene_view(sc), 3);
	struct remedies_setup setup = {.most_work = 100000};
	struct remedies all = {.change = NULL}, some = {.change = NULL}, again = {.change = NULL};
	unsigned ended = 0, complete = 0;

	(void)state;
	assert_true(remedies_find(&all, scene_view(sc), slot, &(struct remedies_setup){.most_work = 0}));
	assert_int_equal(all.search, REMEDIES_COMPLETE);
	assert_int_equal(all.left, 0);
	assert_int_equal(all.known_s, TIME_NEVER);
	for (setup.most_work = 1; setup.most_work < 4000; setup.most_work += 1 + setup.most_work / 8) {
		assert_true(remedies_find(&some, scene_view(sc), slot, &setup));
		assert_true(remedies_find(&again, scene_view(sc), slot, &setup));
		assert_int_equal(some.search, some.left != 0 ? REMEDIES_BUDGET : REMEDIES_COMPLETE);
		assert_int_equal(some.count, again.count);
		assert_int_equal(some.left, again.left);
		for (size_t i = 0; i < some.count && some.by_s == all.by_s; i++)
			assert_true(has_change(&all, &some.change[i]));
		if (some.reached)
			assert_int_equal(some.start_s, all.start_s);
		ended += some.search == REMEDIES_BUDGET;
		complete += some.search == REMEDIES_COMPLETE;
	}
	assert_true(ended > 0);
	assert_true(complete > 0);
	assert_int_equal(some.count, all.count);
	assert_string_equal(remedies_search_name(REMEDIES_BUDGET), "budget");
	assert_string_equal(remedies_part_name(REMEDIES_OF_OTHERS), "others");
	remedies_clear(&all);
	remedies_clear(&some);
	remedies_clear(&again);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exhausted_budget_names_the_incomplete_parts),
		cmocka_unit_test(the_last_check_names_the_ending_job_and_its_time),
		cmocka_unit_test(never_is_proven_if_no_other_job_could_fail),
		cmocka_unit_test(never_is_proven_for_a_job_blocked_by_itself),
		cmocka_unit_test(an_override_is_raised_at_its_qos),
		cmocka_unit_test(the_check_that_clears_last_holds_the_job),
		cmocka_unit_test(a_job_that_starts_at_once_has_no_holding_check),
		cmocka_unit_test(walltime_is_reduced_to_the_time_before_a_reservation),
		cmocka_unit_test(the_nearest_number_is_exact),
		cmocka_unit_test(points_within_the_rank_slack_are_tried_once),
		cmocka_unit_test(a_smaller_request_is_listed_if_it_costs_others_less),
		cmocka_unit_test(the_holding_check_is_taken_one_second_before_the_start),
		cmocka_unit_test(named_requirements_are_dropped),
		cmocka_unit_test(a_request_is_reduced_to_what_a_node_has),
		cmocka_unit_test(walltime_stays_above_the_minimum_of_the_class),
		cmocka_unit_test(exclusive_access_is_changed_to_shared),
		cmocka_unit_test(nodes_and_tasks_per_node_are_dropped),
		cmocka_unit_test(another_partition_is_tried),
		cmocka_unit_test(another_qos_is_tried_but_not_none_or_default),
		cmocka_unit_test(never_is_not_proven_if_the_dependency_may_start),
		cmocka_unit_test(a_stopped_search_gives_no_result),
		cmocka_unit_test(never_is_not_proven_for_a_dependency_on_a_held_array),
		cmocka_unit_test(never_is_proven_along_a_chain_up_to_its_bound),
		cmocka_unit_test(a_dependency_on_a_running_job_is_not_never),
		cmocka_unit_test(never_is_not_proven_for_a_limit_that_may_clear),
		cmocka_unit_test(each_limit_is_raised_for_the_credential_it_stops),
		cmocka_unit_test(a_cap_is_raised_to_usage_with_the_job),
		cmocka_unit_test(an_undrained_node_starts_the_job),
		cmocka_unit_test(processors_used_outside_the_queue_may_be_dedicated),
		cmocka_unit_test(a_released_advance_reservation_starts_the_job),
		cmocka_unit_test(a_limit_per_job_is_raised_to_its_size),
		cmocka_unit_test(only_the_limit_of_the_owner_is_raised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
