/* SPDX-License-Identifier: MIT */
/* test_explain.c - unit tests of the texts of gates: short, as a sentence, and in the list of checks */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/forecast/explain.h"
#include "tests/scene.h"

/* 2026-03-24T12:00:00 */
#define NOON INT64_C(1774353600)

static void assert_says(struct scene *sc, uint64_t job, const char *short_text, const char *sentence)
{
	const struct snapshot *s = scene_view(sc);
	struct cycle_result r;
	const struct reason *reason;
	struct str out = {0};

	cycle_run(sc->cycle, s, sc->now_s, true, &r);
	reason = &r.reason[state_find(sc->st, job)];
	explain_short(s, reason, s->now_s, &out);
	assert_string_equal(str_text(&out), short_text);
	str_clear(&out);
	explain_sentence(s, scene_job_of(sc, job), reason, sc->now_s, &out);
	assert_string_equal(str_text(&out), sentence);
	str_free(&out);
}

static void assert_check(const struct why *why, enum gate gate, bool ok, const char *value, const char *limit)
{
	assert_int_equal(why->check[gate].ok, ok);
	assert_string_equal(why->check[gate].value, value);
	assert_string_equal(why->check[gate].limit, limit);
}

static struct why explain(struct scene *sc, uint64_t job)
{
	struct plan plan = {0};
	struct why why;

	explain_why(scene_view(sc), state_find(sc->st, job), sc->now_s, &plan, &why);
	plan_clear(&plan);
	return why;
}

static struct scene *ten_processors(void)
{
	struct scene *sc = scene_new(5, 2);

	sc->now_s = NOON;
	scene_add(sc, (struct scene_job){.procs = 6, .wall_s = 3600});
	scene_pass(sc);
	return sc;
}

static void a_hold_is_explained(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_add(sc, (struct scene_job){.label = "cfd.1", .holds = JOB_HOLD_USER | JOB_HOLD_SYSTEM});
	assert_says(sc, 2, "held (user+system)",
		    "Job cfd.1 is held (user+system); it can start only after a release.");
	why = explain(sc, 2);
	assert_int_equal(why.verdict, VERDICT_HELD);
	assert_check(&why, GATE_HOLD, false, "user+system", "-");
	assert_check(&why, GATE_RESOURCES, true, "1 procs", "4 free");
	assert_true(why.clears_s == TIME_NEVER && why.estimated_s == TIME_NEVER);
	scene_free(sc);
}

static void a_start_date_is_explained(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_add(sc, (struct scene_job){.not_before_s = NOON + 1800});
	assert_says(sc, 2, "not before 12:30:00", "Job 2 must not start before 12:30:00.");
	why = explain(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_int_equal(why.first, GATE_START_DATE);
	assert_check(&why, GATE_START_DATE, false, "2026-03-24T12:30:00", "-");
	assert_true(why.clears_s == NOON + 1800 && why.estimated_s == NOON + 1800);
	scene_free(sc);
}

static void a_job_larger_than_the_machine_is_explained(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 11, 100);
	assert_says(sc, 2, "never: 11 procs > 10",
		    "Job 2 never starts: it asks for 11 processors and the machine has 10.");
	why = explain(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NEVER);
	assert_check(&why, GATE_FEASIBLE, false, "11 procs", "10 in the machine");
	scene_free(sc);
}

static void tasks_larger_than_a_node_are_explained(void **state)
{
	struct scene *sc = ten_processors();

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 3, .task_procs = 3});
	assert_says(sc, 2, "never: 3 procs > 0",
		    "Job 2 never starts: it asks for 3 processors, in tasks of 3, and can use none of "
		    "the machine's 10; most nodes have too few processors.");
	scene_free(sc);
}

/* The example of H-14. */
static void a_limit_is_explained_with_its_numbers(void **state)
{
	struct scene *sc = scene_new(2, 8);
	struct why why;

	(void)state;
	sc->now_s = NOON - (53670 - 34948);
	scene_config(sc, "user u1 { maxps = {\"72000,1080000\"} }\nhardpass = idleonly\n");
	scene_start(sc, scene_submit(sc, 2, 53670), 0, 1, 2);
	scene_add(sc, (struct scene_job){.user = "snac", .procs = 16, .wall_s = 100});
	scene_go(sc, NOON);
	scene_submit(sc, 8, 3600);
	assert_says(
		sc, 3, "MAXPS 98696>72000",
		"Job 3 would add 28800 processor-seconds to the 69896 in use by user u1: 98696 is over the "
		"soft limit MAXPS of 72000 by 26696; it clears by itself at 15:42:28, in 3:42:28.");
	why = explain(sc, 3);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_int_equal(why.first, GATE_ACTIVE_SOFT);
	assert_check(&why, GATE_ACTIVE_SOFT, false, "69896 + 28800 = 98696", "MAXPS 72000");
	assert_check(&why, GATE_ACTIVE_HARD, true, "69896 + 28800 = 98696", "MAXPS 1080000");
	assert_int_equal(why.clears_s - NOON, 13348);
	assert_int_equal(why.estimated_s - NOON, 13348); /* it ends before the other job can start */
	scene_free(sc);
}

/* The request alone exceeds the limit, so current usage is not mentioned. */
static void a_request_that_alone_exceeds_a_limit_is_explained(void **state)
{
	struct scene *sc = ten_processors();

	(void)state;
	scene_config(sc, "user u1 { maxproc = 4 }\n");
	scene_start(sc, scene_submit(sc, 2, 100), 0, 1, 2);
	scene_submit(sc, 8, 100);
	assert_says(sc, 3, "MAXPROC 16>4",
		    "Job 3 asks for 8 processors, and the hard limit MAXPROC of user u1 is 4.");
	scene_free(sc);
}

static void an_idle_limit_is_explained(void **state)
{
	struct scene *sc = ten_processors();

	(void)state;
	scene_config(sc, "user u1 { maxijob = {\"1\"} }\n");
	scene_submit(sc, 9, 100);
	scene_submit(sc, 1, 100);
	assert_says(sc, 3, "MAXIJOB 1 of 1",
		    "Job 3 would add 1 job to the 1 counted for user u1: 2 is over the hard limit MAXIJOB "
		    "of 1 "
		    "by 1.");
	scene_free(sc);
}

/* For a job that waits for its start date, jobs of lower priority do not count. */
static void an_idle_limit_of_a_job_with_a_start_date_is_explained(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;
	uint64_t job;

	(void)state;
	scene_config(sc, "user u1 { maxijob = {\"1\"} }\n");
	scene_submit(sc, 9, 100);
	job = scene_add(sc, (struct scene_job){.not_before_s = NOON + 600});
	why = explain(sc, job);
	assert_false(why.check[GATE_IDLE_LIMIT].ok);
	scene_priority(sc, job, JOB_ADJUST_RELATIVE, 1000);
	why = explain(sc, job);
	assert_int_equal(why.first, GATE_START_DATE);
	assert_true(why.check[GATE_IDLE_LIMIT].ok);
	assert_string_equal(why.check[GATE_IDLE_LIMIT].value, "0 + 1 = 1");
	scene_free(sc);
}

/* The total request of a queue can exceed 64 bits. */
static void amounts_beyond_64_bits_are_capped(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason full = {.gate = GATE_IDLE_LIMIT,
			      .kind = LIMIT_PS,
			      .scope = LIMIT_IDLE,
			      .cred = CRED_USER,
			      .second = INDEX_NONE,
			      .value = INT64_MAX,
			      .asked = 100,
			      .limit = INT64_MAX - 1,
			      .until_s = TIME_NEVER};
	struct str out = {0};

	(void)state;
	sc->now_s = NOON;
	scene_submit(sc, 1, 100);
	explain_sentence(scene_view(sc), scene_job_of(sc, 1), &full, NOON, &out);
	assert_non_null(strstr(str_text(&out), ": 9223372036854775807 is over the "));
	str_free(&out);
	full.gate = GATE_ACTIVE_HARD;
	explain_short(scene_view(sc), &full, scene_view(sc)->now_s, &out);
	assert_non_null(strstr(str_text(&out), " 9223372036854775807>9223372036854775806"));
	str_free(&out);
	scene_free(sc);
}

static void a_negative_priority_is_explained(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_config(sc, "rejectnegpriojobs = true\nuserweight = 1\nuser u1 { priority = -40 }\n");
	scene_submit(sc, 1, 100);
	assert_says(sc, 2, "priority -40 < 0",
		    "Job 2 has priority -40, and REJECTNEGPRIOJOBS blocks jobs with a negative priority.");
	why = explain(sc, 2);
	assert_check(&why, GATE_NEGATIVE, false, "-40", ">= 0");
	assert_true(why.estimated_s == TIME_NEVER);
	scene_free(sc);
}

static void measure(struct scene *sc, const char *node, double procs, const char *by)
{
	struct event ev = {.kind = EVENT_LOAD, .load = {.node = node, .used = NODE_NOT_MEASURED, .by = by}};

	ev.load.used.procs = procs;
	scene_apply(sc, &ev);
}

/* A job uses two of four processors, and the measured usage includes them. */
static void usage_outside_the_queue_is_named(void **state)
{
	struct scene *sc = scene_new(3, 4);

	(void)state;
	scene_submit(sc, 2, 100); /* on n003 */
	scene_pass(sc);
	scene_submit(sc, 10, 100);
	measure(sc, "n003", 3, "python3 of eva");
	assert_says(sc, 2, "1 proc short",
		    "Job 2 needs 10 processors and 9 are free: 1 short; processes outside the queue use "
		    "1 processor on node n003, mainly python3 of eva.");
	measure(sc, "n002", 4, NULL);
	assert_says(sc, 2, "5 procs short",
		    "Job 2 needs 10 processors and 5 are free: 5 short; processes outside the queue use "
		    "5 processors on 2 nodes, most of them on node n002.");
	measure(sc, "n002", 4, SNAPSHOT_HIDDEN); /* the name is hidden from this user */
	assert_says(sc, 2, "5 procs short",
		    "Job 2 needs 10 processors and 5 are free: 5 short; processes outside the queue use "
		    "5 processors on 2 nodes, most of them on node n002.");
	scene_set(sc, "nodeavailabilitypolicy", "dedicated");
	scene_pass(sc);
	scene_submit(sc, 10, 100);
	assert_says(sc, 3, "10 procs short", "Job 3 needs 10 processors and 0 are free: 10 short.");
	scene_free(sc);
}

static void a_lack_of_processors_is_explained(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 7, 7200);
	assert_says(sc, 2, "3 procs short", "Job 2 needs 7 processors and 4 are free: 3 short.");
	why = explain(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_check(&why, GATE_RESOURCES, false, "7 procs", "4 free");
	assert_check(&why, GATE_RESERVATIONS, true, "no reservation is delayed",
		     ">= 7"); /* the job's own reservation does not count */
	assert_true(why.clears_s == NOON + 3600 && why.estimated_s == NOON + 3600);
	scene_free(sc);
}

static void a_reservation_that_a_job_would_delay_is_named(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 9, 100);
	scene_submit(sc, 2, 7200);
	assert_says(sc, 3, "would delay 2",
		    "Job 3 would run 1:00:00 into the reservation of job 2 at 13:00:00, which leaves it 1 of "
		    "its 2 "
		    "processors.");
	why = explain(sc, 3);
	assert_int_equal(why.first, GATE_RESERVATIONS);
	assert_check(&why, GATE_RESERVATIONS, false, "1 free from 13:00:00 on (job 2)", ">= 2");
	assert_check(&why, GATE_RESOURCES, true, "2 procs", "4 free");
	scene_free(sc);
}

/* The reservation lasts an hour; the job fits beside it when the running job ends. */
static void an_advance_reservation_clears_when_enough_processors_are_free(void **state)
{
	struct scene *sc = scene_new(3, 4);
	struct event ev = {.kind = EVENT_RESERVE, .who = "root"};
	struct why why;

	(void)state;
	sc->now_s = NOON;
	scene_start(sc, scene_submit(sc, 4, 600), 0, 1, 4);
	ev.reserve.name = "maint";
	ev.reserve.text = "start=1774353600 end=1774357200 node=n003";
	scene_apply(sc, &ev);
	scene_submit(sc, 5, 100);
	assert_says(
		sc, 2, "reserved for maint until 13:00:00",
		"Job 2 needs 5 processors and can use 4: the others are reserved for maint until 13:00:00.");
	why = explain(sc, 2);
	assert_int_equal(why.first, GATE_RESERVED);
	assert_check(&why, GATE_RESERVED, false, "4 free until 13:00:00 (maint)", ">= 5");
	assert_int_equal(why.check[GATE_RESERVED].reason.until_s, NOON + 600);
	assert_int_equal(why.clears_s, NOON + 600);
	scene_free(sc);
}

/* The second reservation begins before the first ends, and ends later; the third begins too late to matter.
 */
static void an_advance_reservation_clears_when_no_other_follows(void **state)
{
	static const char *const text[] = {"start=1774353600 end=1774357200 node=n001",
					   "start=1774355400 end=1774359000 node=n001",
					   "start=1774369000 end=1774370000 node=n001"};
	static const char *const name[] = {"one", "two", "three"};
	struct scene *sc = scene_new(1, 4);
	struct why why;

	(void)state;
	sc->now_s = NOON;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
		struct event ev = {.kind = EVENT_RESERVE, .who = "root"};

		ev.reserve.name = name[i];
		ev.reserve.text = text[i];
		scene_apply(sc, &ev);
	}
	scene_submit(sc, 2, 600);
	why = explain(sc, 1);
	assert_int_equal(why.first, GATE_RESERVED);
	assert_int_equal(why.check[GATE_RESERVED].reason.until_s, NOON + 5400);
	assert_int_equal(why.clears_s, NOON + 5400);
	scene_free(sc);
}

/* tests/property/why.c reaches this case in random workloads. */
static void a_reservation_of_the_job_itself_is_explained(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason kept = {.gate = GATE_RESERVATIONS, .value = 1, .limit = 1, .until_s = NOON + 60};
	struct str out = {0};

	(void)state;
	sc->now_s = NOON;
	scene_submit(sc, 1, 100);
	explain_short(scene_view(sc), &kept, scene_view(sc)->now_s, &out);
	assert_string_equal(str_text(&out), "waits for reservation");
	str_clear(&out);
	explain_sentence(scene_view(sc), scene_job_of(sc, 1), &kept, NOON, &out);
	assert_string_equal(
		str_text(&out),
		"Job 1 has a reservation that begins at 12:01:00, or earlier if a job ends early.");
	str_free(&out);
	scene_free(sc);
}

static void strict_order_names_the_job_ahead(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_set(sc, "backfillpolicy", "none");
	scene_add(sc, (struct scene_job){.procs = 9, .label = "big"});
	scene_submit(sc, 1, 10);
	assert_says(sc, 3, "behind big",
		    "Job 3 waits for job big, which is ahead of it in the queue and does not fit yet; "
		    "backfill is off.");
	why = explain(sc, 3);
	assert_check(&why, GATE_ORDER, false, "big", "-");
	assert_check(&why, GATE_RESERVATIONS, true, "no reservation is delayed", ">= 1");
	scene_free(sc);
}

static void a_job_that_starts_now_and_a_running_job_have_a_verdict(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 4, 100);
	assert_says(sc, 2, "starts now", "Job 2 starts at the next pass.");
	why = explain(sc, 2);
	assert_int_equal(why.verdict, VERDICT_STARTS_NOW);
	assert_true(why.estimated_s == NOON);
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		assert_true(why.check[g].ok && why.check[g].known);
	assert_says(sc, 1, "starts now", "Job 1 has been running since 12:00:00.");
	why = explain(sc, 1);
	assert_int_equal(why.verdict, VERDICT_RUNS);
	assert_false(why.check[GATE_HOLD].known);
	assert_check(&why, GATE_RESOURCES, true, "-", "-");
	scene_free(sc);
}

/* Job 2 starts within the soft limit; then job 3 starts over it, because no other job needs the processors.
 */
static void a_job_that_starts_over_a_soft_limit_does_not_pass_this_check(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_set(sc, "user[DEFAULT].maxproc", "7,10");
	scene_submit(sc, 1, 100);
	scene_submit(sc, 2, 100);
	for (int halted = 0; halted < 2; halted++) {
		why = explain(sc, 2);
		assert_int_equal(why.first, halted ? GATE_HALT : GATE_NONE);
		assert_check(&why, GATE_ACTIVE_SOFT, true, "6 + 1 = 7", "MAXPROC 7");
		assert_check(&why, GATE_ACTIVE_HARD, true, "6 + 1 = 7", "MAXPROC 10");
		why = explain(sc, 3);
		assert_int_equal(why.verdict, halted ? VERDICT_NOT_NOW : VERDICT_STARTS_NOW);
		assert_int_equal(why.first, halted ? GATE_HALT : GATE_NONE);
		assert_check(&why, GATE_ACTIVE_SOFT, false, "7 + 2 = 9", "MAXPROC 7");
		assert_check(&why, GATE_ACTIVE_HARD, true, "7 + 2 = 9", "MAXPROC 10");
		scene_apply(sc, &(struct event){.kind = EVENT_HALT, .who = "op", .halt.on = true});
	}
	scene_free(sc);
}

static void all_failing_gates_are_listed(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 11, .holds = JOB_HOLD_BATCH, .not_before_s = NOON + 5});
	why = explain(sc, 2);
	assert_int_equal(why.first, GATE_HOLD);
	assert_false(why.check[GATE_HOLD].ok || why.check[GATE_START_DATE].ok ||
		     why.check[GATE_FEASIBLE].ok || why.check[GATE_RESOURCES].ok);
	assert_true(why.check[GATE_NEGATIVE].ok && why.check[GATE_ORDER].ok);
	assert_int_equal(why.verdict, VERDICT_NEVER);
	scene_free(sc);
}

static void verdicts_have_their_documented_names(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_RUNS), "runs");
	assert_string_equal(verdict_name(VERDICT_STARTS_NOW), "starts-now");
	assert_string_equal(verdict_name(VERDICT_NOT_NOW), "not-now");
	assert_string_equal(verdict_name(VERDICT_NEVER), "never");
	assert_string_equal(verdict_name(VERDICT_HELD), "held");
}

static void a_limit_of_a_single_job_is_explained(void **state)
{
	struct scene *sc = ten_processors();

	(void)state;
	scene_set(sc, "systemmaxprocperjob", "4");
	scene_submit(sc, 5, 100);
	assert_says(sc, 2, "never: SYSTEMMAXPROCPERJOB 5>4",
		    "Job 2 never starts: it asks for 5 processors, and the system allows a job at most 4 "
		    "(SYSTEMMAXPROCPERJOB).");
	scene_free(sc);
}

/* A scene for constructed reasons: job 1 is cfd.1 of user eva, group staff, class fast; job 2 is an array. */
#define EVA   5
#define STAFF 6
#define FAST  7
#define MAINT 4 /* the entry of the reservation */

static struct scene *reason_scene(void)
{
	struct scene *sc = scene_new(2, 5);
	struct event ev = {.kind = EVENT_RESERVE, .who = "root"};

	sc->now_s = NOON;
	scene_config(sc, "fspolicy = dedicatedps\nuser eva { fstarget = \"10%\" }\n"
			 "group staff { fstarget = \"10^\" }\nclass fast { maxproc = 4 }\n");
	ev.reserve.name = "maint";
	ev.reserve.text = "start=1774360800 end=1774364400 nodes=ALL";
	scene_apply(sc, &ev);
	assert_int_equal(ev.seq, MAINT);
	scene_add(sc, (struct scene_job){.label = "cfd.1",
					 .user = "eva",
					 .group = "staff",
					 .class_name = "fast",
					 .wall_s = 7200,
					 .features = "big",
					 .task_procs = 1});
	scene_add(sc, (struct scene_job){.array = 3});
	assert_int_equal(snapshot_find_cred(scene_view(sc), CRED_USER, "eva"), EVA);
	assert_int_equal(snapshot_find_cred(scene_view(sc), CRED_GROUP, "staff"), STAFF);
	assert_int_equal(snapshot_find_cred(scene_view(sc), CRED_CLASS, "fast"), FAST);
	return sc;
}

static const struct {
	struct reason reason;
	const char *short_text, *sentence, *value, *limit;
} reason_texts[] = {
	{{.gate = GATE_NONE, .until_s = TIME_NEVER}, "starts now", "starts at the next pass.", "", "-"},
	{{.gate = GATE_DEFER, .until_s = NOON + 60, .value = NOON, .limit = NOON + 60},
	 "deferred until 12:01:00",
	 "is deferred until 12:01:00.",
	 "2026-03-24T12:01:00",
	 "-"},
	{{.gate = GATE_DEFER, .until_s = NOON + 60, .value = NOON, .other = 2, .limit = TIME_NONE},
	 "start failed, retried at 12:01:00",
	 "could not be started, and is retried at 12:01:00.",
	 "none",
	 "-"},
	{{.gate = GATE_DEPENDENCY,
	  .other = 7,
	  .asked = DEPEND_ON_JOB,
	  .value = DEPEND_START,
	  .limit = DEPEND_OPEN,
	  .until_s = TIME_NEVER},
	 "waits for 7",
	 "waits until job 7 has started.",
	 "job 7",
	 "-"},
	{{.gate = GATE_DEPENDENCY,
	  .other = 7,
	  .asked = DEPEND_ON_ARRAY,
	  .value = DEPEND_COMPLETE,
	  .limit = DEPEND_OPEN,
	  .until_s = TIME_NEVER},
	 "waits for 7[]",
	 "waits until every task of 7[] has ended.",
	 "all of 7[]",
	 "-"},
	{{.gate = GATE_DEPENDENCY,
	  .other = 7,
	  .asked = DEPEND_ON_TASK,
	  .second = 3,
	  .value = DEPEND_OK,
	  .limit = DEPEND_OPEN,
	  .until_s = TIME_NEVER},
	 "waits for 7[3]",
	 "waits until job 7[3] has ended with status 0.",
	 "job 7[3]",
	 "-"},
	{{.gate = GATE_DEPENDENCY,
	  .other = 7,
	  .asked = DEPEND_ON_JOB,
	  .value = DEPEND_FAILED,
	  .limit = DEPEND_NEVER,
	  .until_s = TIME_NEVER},
	 "never: depends on 7",
	 "never starts: it waits until job 7 has failed, which can no longer happen.",
	 "job 7, can no longer be met",
	 "-"},
	{{.gate = GATE_DEPENDENCY,
	  .other = 7,
	  .asked = DEPEND_ON_ARRAY,
	  .value = DEPEND_OK,
	  .limit = DEPEND_NEVER,
	  .until_s = TIME_NEVER},
	 "never: depends on 7[]",
	 "never starts: it waits until every task of 7[] has ended with status 0, which can no longer "
	 "happen.",
	 "all of 7[], can no longer be met",
	 "-"},
	{{.gate = GATE_CLASS_LIMIT,
	  .scope = LIMIT_CLASS,
	  .kind = LIMIT_PROC,
	  .asked = 2,
	  .limit = 4,
	  .cred = FAST,
	  .second = INDEX_NONE,
	  .until_s = TIME_NEVER},
	 "never: PROC 2<4",
	 "never starts: it asks for 2 processors, and class fast allows a job at least 4.",
	 "2",
	 "PROC 4"},
	{{.gate = GATE_CLASS_LIMIT,
	  .scope = LIMIT_CLASS,
	  .kind = LIMIT_NODE,
	  .asked = 5,
	  .limit = 4,
	  .cred = FAST,
	  .second = INDEX_NONE,
	  .until_s = TIME_NEVER},
	 "never: NODE 5>4",
	 "never starts: it asks for 5 nodes, and class fast allows a job at most 4.",
	 "5",
	 "NODE 4"},
	{{.gate = GATE_SYSTEM_LIMIT,
	  .scope = LIMIT_SYSTEM,
	  .kind = LIMIT_WC,
	  .asked = 70,
	  .limit = 60,
	  .cred = INDEX_NONE,
	  .second = INDEX_NONE,
	  .until_s = TIME_NEVER},
	 "never: SYSTEMMAXJOBWALLTIME 70>60",
	 "never starts: it asks for 70 seconds, and the system allows a job at most 60 "
	 "(SYSTEMMAXJOBWALLTIME).",
	 "70",
	 "SYSTEMMAXJOBWALLTIME 60"},
	{{.gate = GATE_ARRAY, .value = 2, .limit = 2, .until_s = TIME_NEVER},
	 "array: 2 of 2",
	 "waits for other tasks of array 2[]: at most 2 run at a time; 2 are running.",
	 "2 running, 0 next",
	 "2 at a time"},
	{{.gate = GATE_ARRAY, .value = 1, .asked = 1, .limit = 2, .until_s = TIME_NEVER},
	 "array: 2 of 2",
	 "waits for other tasks of array 2[]: at most 2 run at a time; 1 is running and 1 starts next.",
	 "1 running, 1 next",
	 "2 at a time"},
	{{.gate = GATE_ARRAY, .value = 1, .asked = 2, .limit = 3, .until_s = TIME_NEVER},
	 "array: 3 of 3",
	 "waits for other tasks of array 2[]: at most 3 run at a time; 1 is running and 2 start next.",
	 "1 running, 2 next",
	 "3 at a time"},
	{{.gate = GATE_IDLE_LIMIT,
	  .scope = LIMIT_IDLE,
	  .kind = LIMIT_JOB,
	  .value = 2,
	  .asked = 1,
	  .limit = 2,
	  .cred = EVA,
	  .second = INDEX_NONE,
	  .hard = 1,
	  .until_s = TIME_NEVER},
	 "MAXIJOB 2 of 2",
	 "would add 1 job to the 2 counted for user eva: 3 is over the hard limit MAXIJOB of 2 by "
	 "1.",
	 "2 + 1 = 3",
	 "MAXIJOB 2"},
	{{.gate = GATE_IDLE_LIMIT,
	  .scope = LIMIT_OVERRIDE_IDLE,
	  .kind = LIMIT_PROC,
	  .value = 8,
	  .asked = 4,
	  .limit = 9,
	  .cred = EVA,
	  .second = INDEX_NONE,
	  .until_s = TIME_NEVER},
	 "OMAXIPROC 8 of 9",
	 "would add 4 processors to the 8 counted for user eva: 12 is over the soft limit "
	 "OMAXIPROC of 9 by 3.",
	 "8 + 4 = 12",
	 "OMAXIPROC 9"},
	{{.gate = GATE_ACTIVE_HARD,
	  .scope = LIMIT_ACTIVE,
	  .kind = LIMIT_PE,
	  .value = 8,
	  .asked = 4,
	  .limit = 9,
	  .cred = FAST,
	  .second = STAFF,
	  .hard = 1,
	  .until_s = NOON + 90},
	 "MAXPE 12>9",
	 "would add 4 processor equivalents to the 8 in use by class fast, group staff: 12 is over "
	 "the hard limit MAXPE of 9 by 3; it clears by itself at 12:01:30, in 0:01:30.",
	 "8 + 4 = 12",
	 "MAXPE 9"},
	{{.gate = GATE_ACTIVE_SOFT,
	  .scope = LIMIT_ACTIVE,
	  .kind = LIMIT_MEM,
	  .value = 8,
	  .asked = 4,
	  .limit = 9,
	  .cred = EVA,
	  .second = INDEX_NONE,
	  .until_s = NOON},
	 "MAXMEM 12>9",
	 "would add 4 MB to the 8 in use by user eva: 12 is over the soft limit MAXMEM of 9 by 3.",
	 "8 + 4 = 12",
	 "MAXMEM 9"},
	{{.gate = GATE_ACTIVE_SOFT,
	  .scope = LIMIT_ACTIVE,
	  .kind = LIMIT_JOB,
	  .value = 8,
	  .asked = 4,
	  .limit = 9,
	  .cred = EVA,
	  .second = INDEX_NONE,
	  .until_s = TIME_NEVER},
	 "MAXJOB 12>9",
	 "would add 4 jobs to the 8 in use by user eva: 12 is over the soft limit MAXJOB of 9 by "
	 "3.",
	 "8 + 4 = 12",
	 "MAXJOB 9"},
	{{.gate = GATE_FS_CAP,
	  .value = 12345,
	  .limit = 10000,
	  .cred = EVA,
	  .second = INDEX_NONE,
	  .until_s = TIME_NEVER},
	 "cap of user eva",
	 "would bring user eva to 12.35 % of recent usage, and the fairshare cap is 10.00 %.",
	 "12.35 %",
	 "10.00 %"},
	{{.gate = GATE_FS_CAP,
	  .value = 12345,
	  .limit = 10000,
	  .cred = STAFF,
	  .second = INDEX_NONE,
	  .until_s = NOON + 3600},
	 "cap of group staff",
	 "would bring group staff to 12345 processor-seconds, and the fairshare cap is 10000; it "
	 "clears by itself at 13:00:00, in 1:00:00.",
	 "12345 proc-s",
	 "10000 proc-s"},
	{{.gate = GATE_FEASIBLE, .value = 1, .limit = 0, .lack = LACK_MEMORY, .until_s = TIME_NEVER},
	 "never: 1 procs > 0",
	 "never starts: it asks for 1 processor and can use none of the machine's 10; most "
	 "nodes have too little memory.",
	 "1 procs",
	 "0 in the machine"},
	{{.gate = GATE_FEASIBLE, .value = 8, .limit = 4, .lack = LACK_FEATURE, .until_s = TIME_NEVER},
	 "never: 8 procs > 4",
	 "never starts: it asks for 8 processors and can use only 4 of the machine's 10; "
	 "most other nodes do not have its features.",
	 "8 procs",
	 "4 in the machine"},
	{{.gate = GATE_FEASIBLE, .value = 11, .limit = 10, .lack = LACK_NONE, .until_s = TIME_NEVER},
	 "never: 11 procs > 10",
	 "never starts: it asks for 11 processors and the machine has 10.",
	 "11 procs",
	 "10 in the machine"},
	{{.gate = GATE_RESOURCES, .value = 1, .limit = 0, .lack = LACK_DRAINED, .until_s = TIME_NEVER},
	 "1 proc short",
	 "needs 1 processor and 0 are free: 1 short; most nodes are drained.",
	 "1 procs",
	 "0 free"},
	{{.gate = GATE_RESOURCES, .value = 4, .limit = 1, .lack = LACK_PARTITION, .until_s = TIME_NEVER},
	 "3 procs short",
	 "needs 4 processors and 1 is free: 3 short; most other nodes are in another partition.",
	 "4 procs",
	 "1 free"},
	{{.gate = GATE_RESOURCES, .value = 4, .limit = 2, .lack = LACK_PROCS, .until_s = TIME_NEVER},
	 "2 procs short",
	 "needs 4 processors and 2 are free: 2 short.",
	 "4 procs",
	 "2 free"},
	{{.gate = GATE_RESERVED, .value = 4, .limit = 2, .asked = NOON, .until_s = NOON + 60, .other = MAINT},
	 "reserved for maint until 12:01:00",
	 "needs 4 processors and can use 2: the others are reserved for maint until 12:01:00.",
	 "2 free until 12:01:00 (maint)",
	 ">= 4"},
	{{.gate = GATE_RESERVED,
	  .value = 4,
	  .limit = 2,
	  .asked = NOON - 5,
	  .other = 1,
	  .until_s = TIME_NEVER},
	 "reserved for another reservation",
	 "needs 4 processors and can use 2: the others are reserved for another reservation until it is "
	 "released.",
	 "2 free (another reservation)",
	 ">= 4"},
	{{.gate = GATE_RESERVED,
	  .value = 4,
	  .limit = 2,
	  .asked = NOON + 30,
	  .until_s = NOON + 60,
	  .other = MAINT},
	 "reserved for maint at 12:00:30",
	 "would run into reservation maint at 12:00:30, which leaves it 2 of its 4 processors; it "
	 "lasts until 12:01:00.",
	 "2 free from 12:00:30 on (maint)",
	 ">= 4"},
	{{.gate = GATE_RESERVED,
	  .value = 4,
	  .limit = 2,
	  .asked = NOON + 30,
	  .other = MAINT,
	  .until_s = TIME_NEVER},
	 "reserved for maint at 12:00:30",
	 "would run into reservation maint at 12:00:30, which leaves it 2 of its 4 processors until "
	 "it is released.",
	 "2 free from 12:00:30 on (maint)",
	 ">= 4"},
	{{.gate = GATE_RESERVATIONS, .value = 2, .limit = 1, .until_s = NOON + 60, .other = 1},
	 "would delay cfd.1",
	 "would run 1:59:00 into the reservation of job cfd.1 at 12:01:00, which leaves it 1 of its "
	 "2 processors.",
	 "1 free from 12:01:00 on (job cfd.1)",
	 ">= 2"},
	{{.gate = GATE_RESERVATIONS, .value = 2, .limit = 1, .until_s = NOON + 60},
	 "waits for reservation",
	 "has a reservation that begins at 12:01:00, or earlier if a job ends early.",
	 "its own reservation begins at 12:01:00",
	 ">= 2"},
	{{.gate = GATE_ORDER, .other = 1, .until_s = TIME_NEVER},
	 "behind cfd.1",
	 "waits for job cfd.1, which is ahead of it in the queue and does not fit yet; backfill is off.",
	 "cfd.1",
	 "-"},
	{{.gate = GATE_HALT, .until_s = TIME_NEVER},
	 "scheduler paused",
	 "could start, but the scheduler is paused: use 'kahu sched resume' to continue.",
	 "the scheduler",
	 "-"},
};

static void each_reason_has_its_text(void **state)
{
	struct scene *sc = reason_scene();
	const struct snapshot *s = scene_view(sc);
	char label[JOB_LABEL_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof reason_texts / sizeof reason_texts[0]; i++) {
		const struct reason *reason = &reason_texts[i].reason;
		struct check row = {.gate = (enum gate)reason->gate, .reason = *reason};
		uint64_t job = reason->gate == GATE_ARRAY ? 2 : 1;
		struct str out = {0};

		explain_short(s, reason, NOON, &out);
		assert_string_equal(str_text(&out), reason_texts[i].short_text);
		str_clear(&out);
		explain_predicate(s, scene_job_of(sc, job), reason, NOON, &out);
		assert_string_equal(str_text(&out), reason_texts[i].sentence);
		str_free(&out);
		explain_check(&row, s, NOON);
		assert_string_equal(row.value, reason_texts[i].value);
		assert_string_equal(row.limit, reason_texts[i].limit);
	}
	assert_string_equal(explain_other(s, &(struct reason){.other = 1}, label), "cfd.1");
	assert_string_equal(explain_other(s, &(struct reason){.other = 99}, label), "another job");
	assert_string_equal(explain_other(s, &(struct reason){.other = 0}, label), "another job");
	scene_free(sc);
}

static void the_resource_that_most_nodes_lack_is_named(void **state)
{
	static const char *const words[LACK_COUNT] = {
		[LACK_PARTITION] = "are in another partition",
		[LACK_HOST] = "are not on its list of hosts",
		[LACK_CLASS] = "do not accept its class",
		[LACK_FEATURE] = "do not have its features",
		[LACK_MEMORY] = "have too little memory",
		[LACK_SWAP] = "have too little swap",
		[LACK_DISK] = "have too little disk",
		[LACK_GRES] = "have too few generic resources",
		[LACK_ACCESS] = "cannot be shared with the jobs on them",
		[LACK_TASKS] = "have room for too few of its tasks",
		[LACK_DRAINED] = "are drained",
		[LACK_RESERVED] = "are reserved for other jobs",
	};
	struct scene *sc = reason_scene();

	(void)state;
	for (unsigned lack = 0; lack < LACK_COUNT; lack++) {
		struct reason reason = {
			.gate = GATE_RESOURCES, .value = 9, .limit = 3, .lack = (uint8_t)lack};
		struct str out = {0}, wanted = {0};

		str_add(&wanted, "Job cfd.1 needs 9 processors and 3 are free: 6 short");
		if (words[lack] != NULL)
			str_addf(&wanted, "; most other nodes %s", words[lack]);
		str_add(&wanted, ".");
		explain_sentence(scene_view(sc), scene_job_of(sc, 1), &reason, NOON, &out);
		assert_string_equal(str_text(&out), str_text(&wanted));
		str_free(&out);
		str_free(&wanted);
	}
	scene_free(sc);
}

static void a_suspended_job_is_explained_with_its_resume_time(void **state)
{
	struct scene *sc = ten_processors();
	struct job job = *scene_job_of(sc, 1);
	const struct reason none = {.gate = GATE_NONE};
	struct event ev = {.kind = EVENT_SUSPEND, .job = 1, .suspend = {.on = true}};
	struct str out = {0};

	(void)state;
	sc->now_s = NOON + 60;
	scene_apply(sc, &ev);
	job = *scene_job_of(sc, 1);
	explain_predicate(scene_view(sc), &job, &none, NOON + 90, &out);
	assert_string_equal(
		str_text(&out),
		"has been suspended since 12:01:00 and runs again once it is resumed (kahu resume).");
	str_clear(&out);
	job.resume_s = NOON + 120;
	explain_predicate(scene_view(sc), &job, &none, NOON + 90, &out);
	assert_string_equal(str_text(&out),
			    "has been suspended since 12:01:00 and will be resumed by 12:02:00.");
	str_free(&out);
	scene_free(sc);
}

static void the_reason_of_a_hold_or_defer_is_included(void **state)
{
	struct scene *sc = ten_processors();
	struct event hold = {.kind = EVENT_HOLD,
			     .hold = {.bits = JOB_HOLD_USER, .on = true, .reason = "ask first"}};
	struct event defer = {.kind = EVENT_DEFER,
			      .defer = {.until_s = NOON + 60, .reason = "its disk is full"}};

	(void)state;
	hold.job = scene_submit(sc, 1, 100);
	defer.job = scene_submit(sc, 1, 100);
	scene_apply(sc, &hold);
	scene_apply(sc, &defer);
	assert_says(sc, hold.job, "held (user)",
		    "Job 2 is held (user): ask first; it can start only after a release.");
	assert_says(sc, defer.job, "deferred until 12:01:00",
		    "Job 3 is deferred until 12:01:00: its disk is full.");
	scene_free(sc);
}

static void a_paused_scheduler_is_the_only_check_that_fails(void **state)
{
	struct scene *sc = ten_processors();
	struct event ev = {.kind = EVENT_HALT, .halt = {.on = true}};
	struct why why;

	(void)state;
	scene_submit(sc, 4, 100);
	scene_apply(sc, &ev);
	assert_says(sc, 2, "scheduler paused",
		    "Job 2 could start, but the scheduler is paused: use 'kahu sched resume' to continue.");
	why = explain(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_int_equal(why.first, GATE_HALT);
	assert_check(&why, GATE_HALT, false, "the scheduler", "-");
	assert_check(&why, GATE_RESOURCES, true, "4 procs", "4 free");
	for (int g = GATE_NONE + 1; g < GATE_HALT; g++)
		assert_true(why.check[g].ok);
	scene_free(sc);
}

static void expect_suspended(const struct snapshot *s, const struct job *job, int64_t until_s,
			     const char *words)
{
	const struct reason none = {.gate = GATE_NONE, .until_s = until_s};
	struct str out = {0};

	explain_predicate(s, job, &none, NOON + 90, &out);
	assert_string_equal(str_text(&out), words);
	str_free(&out);
}

/* Job 1 has released two processors on each of its nodes, and job 2 uses one on each. */
static void a_job_with_released_processors_is_explained_with_its_resume(void **state)
{
	struct scene *sc = ten_processors();
	struct event ev = {.kind = EVENT_SUSPEND, .job = 1, .suspend = {.on = true, .how = SUSPEND_RELEASE}};
	struct event halt = {.kind = EVENT_HALT, .halt = {.on = true}};
	struct job job;

	(void)state;
	sc->now_s = NOON + 60;
	scene_apply(sc, &ev);
	job = *scene_job_of(sc, 1);
	assert_true(job_is_released(&job));
	expect_suspended(scene_view(sc), &job, TIME_NEVER,
			 "has been suspended since 12:01:00; its processors are released, and it runs again "
			 "once it is resumed (kahu resume) and its processors are free.");
	job.resume_s = NOON + 120;
	expect_suspended(scene_view(sc), &job, TIME_NEVER,
			 "has been suspended since 12:01:00; its processors are released, and it will be "
			 "resumed at 12:02:00.");
	job.real |= JOB_REAL_OWNER;
	expect_suspended(scene_view(sc), &job, TIME_NEVER,
			 "has been suspended since 12:01:00; its processors are released, and it will be "
			 "resumed from 12:02:00 on, as soon as its processors are free.");
	job.real &= (uint8_t)~JOB_REAL_OWNER;
	job.real |= JOB_REAL_RESUMES;
	expect_suspended(scene_view(sc), &job, TIME_NEVER,
			 "has been suspended since 12:01:00; its processors are released, and it is resumed "
			 "at the next pass.");
	scene_start(sc, scene_submit(sc, 3, 600), 2, 3, 1);
	expect_suspended(scene_view(sc), &job, TIME_NEVER,
			 "has been suspended since 12:01:00; its processors are released, and it is resumed "
			 "when the 3 of its processors that other jobs use are free; that time is unknown.");
	expect_suspended(
		scene_view(sc), &job, NOON + 660,
		"has been suspended since 12:01:00; its processors are released, and it is resumed "
		"when the 3 of its processors that other jobs use are free, which is expected at 12:11:00.");
	job.real &= (uint8_t)~JOB_REAL_RESUMES;
	expect_suspended(
		scene_view(sc), &job, NOON + 660,
		"has been suspended since 12:01:00; its processors are released, and it will be "
		"resumed from 12:02:00 on, when the 3 of its processors that other jobs use are free, which "
		"is expected at 12:11:00.");
	job.real |= JOB_REAL_RESUMES;
	scene_end(sc, 2);
	scene_apply(sc, &halt);
	expect_suspended(scene_view(sc), &job, TIME_NEVER,
			 "has been suspended since 12:01:00; its processors are released, and it is resumed "
			 "when the scheduler is no longer paused.");
	scene_free(sc);
}

/* Two tasks, one at a time: the second starts at the wallclock limit of the first. */
static void a_throttled_task_clears_at_its_estimated_start(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct why why;

	(void)state;
	sc->now_s = NOON;
	scene_add(sc, (struct scene_job){.array = 2, .at_a_time = 1, .wall_s = 600});
	scene_pass(sc);
	why = explain(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_int_equal(why.first, GATE_ARRAY);
	assert_check(&why, GATE_ARRAY, false, "1 running, 0 next", "1 at a time");
	assert_int_equal(why.estimated_s, NOON + 600);
	assert_int_equal(why.clears_s, NOON + 600);
	scene_free(sc);
}

/* The processors of the job are free, and there are no limits. */
static void every_check_of_an_unblocked_job_has_its_text(void **state)
{
	static const char *const words[GATE_COUNT][2] = {
		[GATE_HOLD] = {"none", "-"},
		[GATE_DEFER] = {"none", "-"},
		[GATE_DEPENDENCY] = {"none", "-"},
		[GATE_START_DATE] = {"none", "-"},
		[GATE_NEGATIVE] = {"1", "-"},
		[GATE_FEASIBLE] = {"2 procs", "10 in the machine"},
		[GATE_CLASS_LIMIT] = {"none", "-"},
		[GATE_SYSTEM_LIMIT] = {"none", "-"},
		[GATE_ARRAY] = {"none", "-"},
		[GATE_IDLE_LIMIT] = {"none", "-"},
		[GATE_ACTIVE_HARD] = {"none", "-"},
		[GATE_ACTIVE_SOFT] = {"none", "-"},
		[GATE_FS_CAP] = {"none", "-"},
		[GATE_RESOURCES] = {"2 procs", "2 free"},
		[GATE_RESERVED] = {"none", "-"},
		[GATE_RESERVATIONS] = {"no reservation is delayed", ">= 2"},
		[GATE_ORDER] = {"none ahead", "-"},
		[GATE_HALT] = {"none", "-"},
	};
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 2, 100);
	why = explain(sc, 2);
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		assert_check(&why, (enum gate)g, true, words[g][0], words[g][1]);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hold_is_explained),
		cmocka_unit_test(a_limit_of_a_single_job_is_explained),
		cmocka_unit_test(each_reason_has_its_text),
		cmocka_unit_test(the_resource_that_most_nodes_lack_is_named),
		cmocka_unit_test(a_suspended_job_is_explained_with_its_resume_time),
		cmocka_unit_test(the_reason_of_a_hold_or_defer_is_included),
		cmocka_unit_test(a_paused_scheduler_is_the_only_check_that_fails),
		cmocka_unit_test(a_job_with_released_processors_is_explained_with_its_resume),
		cmocka_unit_test(every_check_of_an_unblocked_job_has_its_text),
		cmocka_unit_test(a_throttled_task_clears_at_its_estimated_start),
		cmocka_unit_test(a_start_date_is_explained),
		cmocka_unit_test(a_job_larger_than_the_machine_is_explained),
		cmocka_unit_test(tasks_larger_than_a_node_are_explained),
		cmocka_unit_test(a_limit_is_explained_with_its_numbers),
		cmocka_unit_test(a_request_that_alone_exceeds_a_limit_is_explained),
		cmocka_unit_test(an_idle_limit_is_explained),
		cmocka_unit_test(an_idle_limit_of_a_job_with_a_start_date_is_explained),
		cmocka_unit_test(amounts_beyond_64_bits_are_capped),
		cmocka_unit_test(a_negative_priority_is_explained),
		cmocka_unit_test(usage_outside_the_queue_is_named),
		cmocka_unit_test(a_lack_of_processors_is_explained),
		cmocka_unit_test(a_reservation_that_a_job_would_delay_is_named),
		cmocka_unit_test(an_advance_reservation_clears_when_enough_processors_are_free),
		cmocka_unit_test(an_advance_reservation_clears_when_no_other_follows),
		cmocka_unit_test(a_reservation_of_the_job_itself_is_explained),
		cmocka_unit_test(strict_order_names_the_job_ahead),
		cmocka_unit_test(a_job_that_starts_now_and_a_running_job_have_a_verdict),
		cmocka_unit_test(a_job_that_starts_over_a_soft_limit_does_not_pass_this_check),
		cmocka_unit_test(all_failing_gates_are_listed),
		cmocka_unit_test(verdicts_have_their_documented_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
