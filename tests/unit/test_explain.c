/* SPDX-License-Identifier: MIT */
/*
 * test_explain.c - what does each gate say, in a few words, in a sentence and in the list of checks?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/core/explain.h"
#include "tests/scene.h"

/* 2026-03-24T12:00:00 */
#define NOON INT64_C(1774353600)

static void assert_says(struct scene *sc, uint64_t job, const char *few_words, const char *sentence)
{
	const struct snapshot *s = scene_view(sc);
	struct cycle_result r;
	const struct reason *reason;
	struct str out = {0};

	cycle_run(sc->cycle, s, sc->now_s, true, &r);
	reason = &r.reason[state_find(sc->st, job)];
	explain_short(s, reason, s->now_s, &out);
	assert_string_equal(str_text(&out), few_words);
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

static struct why why_of(struct scene *sc, uint64_t job)
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

static void a_hold(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_add(sc, (struct scene_job){.label = "cfd.1", .holds = JOB_HOLD_USER | JOB_HOLD_SYSTEM});
	assert_says(sc, 2, "held (user+system)",
		    "Job cfd.1 is held (user+system); it can start only after a release.");
	why = why_of(sc, 2);
	assert_int_equal(why.verdict, VERDICT_HELD);
	assert_check(&why, GATE_HOLD, false, "user+system", "-");
	assert_check(&why, GATE_RESOURCES, true, "1 procs", "4 free");
	assert_true(why.clears_s == TIME_NEVER && why.estimated_s == TIME_NEVER);
	scene_free(sc);
}

static void a_start_date(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_add(sc, (struct scene_job){.not_before_s = NOON + 1800});
	assert_says(sc, 2, "not before 12:30:00", "Job 2 asked not to start before 12:30:00.");
	why = why_of(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_int_equal(why.first, GATE_START_DATE);
	assert_check(&why, GATE_START_DATE, false, "2026-03-24T12:30:00", "-");
	assert_true(why.clears_s == NOON + 1800 && why.estimated_s == NOON + 1800);
	scene_free(sc);
}

static void a_job_bigger_than_the_machine(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 11, 100);
	assert_says(sc, 2, "never: 11 of 10 procs",
		    "Job 2 never starts: it asks for 11 processors and the machine has 10.");
	why = why_of(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NEVER);
	assert_check(&why, GATE_FEASIBLE, false, "11 procs", "10 in the machine");
	scene_free(sc);
}

static void tasks_bigger_than_a_node(void **state)
{
	struct scene *sc = ten_processors();

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 3, .task_procs = 3});
	assert_says(sc, 2, "never: 3 of 0 procs",
		    "Job 2 never starts: it asks for 3 processors, 3 on a node, and none of the machine's 10 "
		    "can ever be its; most nodes have too few processors.");
	scene_free(sc);
}

/* H-14, in words. */
static void a_limit_with_its_numbers(void **state)
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
		"Job 3 would bring 28800 processor-seconds to the 69896 in use of user u1: 98696 is over the "
		"soft limit MAXPS of 72000 by 26696; it clears by itself at 15:42:28, in 3:42:28.");
	why = why_of(sc, 3);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_int_equal(why.first, GATE_ACTIVE_SOFT);
	assert_check(&why, GATE_ACTIVE_SOFT, false, "69896 + 28800 = 98696", "MAXPS 72000");
	assert_check(&why, GATE_ACTIVE_HARD, true, "69896 + 28800 = 98696", "MAXPS 1080000");
	assert_int_equal(why.clears_s - NOON, 13348);
	assert_int_equal(why.estimated_s - NOON, 13348); /* it ends before the other can begin */
	scene_free(sc);
}

static void an_idle_limit(void **state)
{
	struct scene *sc = ten_processors();

	(void)state;
	scene_config(sc, "user u1 { maxijob = {\"1\"} }\n");
	scene_submit(sc, 9, 100);
	scene_submit(sc, 1, 100);
	assert_says(sc, 3, "MAXIJOB 1 of 1",
		    "Job 3 would bring 1 job to the 1 eligible of user u1: 2 is over the hard limit MAXIJOB "
		    "of 1 "
		    "by 1.");
	scene_free(sc);
}

/* A queue may ask for more than 64 bits hold. */
static void more_than_can_be_counted(void **state)
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

static void a_negative_priority(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_config(sc, "rejectnegpriojobs = true\nuserweight = 1\nuser u1 { priority = -40 }\n");
	scene_submit(sc, 1, 100);
	assert_says(sc, 2, "priority -40 < 0",
		    "Job 2 has priority -40 and REJECTNEGPRIOJOBS keeps negative priorities from starting.");
	why = why_of(sc, 2);
	assert_check(&why, GATE_NEGATIVE, false, "-40", ">= 0");
	assert_true(why.estimated_s == TIME_NEVER);
	scene_free(sc);
}

static void too_little_free(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 7, 7200);
	assert_says(sc, 2, "3 procs short", "Job 2 needs 7 processors and 4 are free: 3 short.");
	why = why_of(sc, 2);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_check(&why, GATE_RESOURCES, false, "7 procs", "4 free");
	assert_check(&why, GATE_RESERVATIONS, true, "no reservation is delayed",
		     ">= 7"); /* its own does not count */
	assert_true(why.clears_s == NOON + 3600 && why.estimated_s == NOON + 3600);
	scene_free(sc);
}

static void a_reservation_in_the_way(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 9, 100);
	scene_submit(sc, 2, 7200);
	assert_says(sc, 3, "would delay 2",
		    "Job 3 would run 2:00:00 into the reservation of job 2 at 13:00:00, which leaves it 1 of "
		    "its 2 "
		    "processors.");
	why = why_of(sc, 3);
	assert_int_equal(why.first, GATE_RESERVATIONS);
	assert_check(&why, GATE_RESERVATIONS, false, "1 free from 13:00:00 on (job 2)", ">= 2");
	assert_check(&why, GATE_RESOURCES, true, "2 procs", "4 free");
	scene_free(sc);
}

/* How it comes about: tests/property/why.c meets it. */
static void a_promise_of_its_own(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason kept = {.gate = GATE_RESERVATIONS, .value = 1, .limit = 1, .until_s = NOON + 60};
	struct str out = {0};

	(void)state;
	sc->now_s = NOON;
	scene_submit(sc, 1, 100);
	explain_short(scene_view(sc), &kept, scene_view(sc)->now_s, &out);
	assert_string_equal(str_text(&out), "promised a later start");
	str_clear(&out);
	explain_sentence(scene_view(sc), scene_job_of(sc, 1), &kept, NOON, &out);
	assert_string_equal(str_text(&out),
			    "Job 1 has a reservation that begins at 12:01:00 and moves up when a job ends.");
	str_free(&out);
	scene_free(sc);
}

static void the_strict_order(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_set(sc, "backfillpolicy", "none");
	scene_add(sc, (struct scene_job){.procs = 9, .label = "big"});
	scene_submit(sc, 1, 10);
	assert_says(sc, 3, "behind big",
		    "Job 3 waits for job big, which is before it and does not fit yet; backfill is off.");
	why = why_of(sc, 3);
	assert_check(&why, GATE_ORDER, false, "big", "-");
	assert_check(&why, GATE_RESERVATIONS, true, "no reservation is delayed", ">= 1");
	scene_free(sc);
}

static void a_job_that_starts_and_one_that_runs(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_submit(sc, 4, 100);
	assert_says(sc, 2, "starts now", "Job 2 starts at the next pass.");
	why = why_of(sc, 2);
	assert_int_equal(why.verdict, VERDICT_STARTS_NOW);
	assert_true(why.estimated_s == NOON);
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		assert_true(why.check[g].ok && why.check[g].known);
	assert_says(sc, 1, "starts now", "Job 1 runs since 12:00:00.");
	why = why_of(sc, 1);
	assert_int_equal(why.verdict, VERDICT_RUNS);
	assert_false(why.check[GATE_HOLD].known);
	assert_check(&why, GATE_RESOURCES, true, "-", "-");
	scene_free(sc);
}

static void all_gates_at_once_are_all_listed(void **state)
{
	struct scene *sc = ten_processors();
	struct why why;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 11, .holds = JOB_HOLD_BATCH, .not_before_s = NOON + 5});
	why = why_of(sc, 2);
	assert_int_equal(why.first, GATE_HOLD);
	assert_false(why.check[GATE_HOLD].ok || why.check[GATE_START_DATE].ok ||
		     why.check[GATE_FEASIBLE].ok || why.check[GATE_RESOURCES].ok);
	assert_true(why.check[GATE_NEGATIVE].ok && why.check[GATE_ORDER].ok);
	assert_int_equal(why.verdict, VERDICT_NEVER);
	scene_free(sc);
}

static void verdicts_have_the_names_of_the_contract(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_RUNS), "runs");
	assert_string_equal(verdict_name(VERDICT_STARTS_NOW), "starts-now");
	assert_string_equal(verdict_name(VERDICT_NOT_NOW), "not-now");
	assert_string_equal(verdict_name(VERDICT_NEVER), "never");
	assert_string_equal(verdict_name(VERDICT_HELD), "held");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hold),
		cmocka_unit_test(a_start_date),
		cmocka_unit_test(a_job_bigger_than_the_machine),
		cmocka_unit_test(tasks_bigger_than_a_node),
		cmocka_unit_test(a_limit_with_its_numbers),
		cmocka_unit_test(an_idle_limit),
		cmocka_unit_test(more_than_can_be_counted),
		cmocka_unit_test(a_negative_priority),
		cmocka_unit_test(too_little_free),
		cmocka_unit_test(a_reservation_in_the_way),
		cmocka_unit_test(a_promise_of_its_own),
		cmocka_unit_test(the_strict_order),
		cmocka_unit_test(a_job_that_starts_and_one_that_runs),
		cmocka_unit_test(all_gates_at_once_are_all_listed),
		cmocka_unit_test(verdicts_have_the_names_of_the_contract),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
