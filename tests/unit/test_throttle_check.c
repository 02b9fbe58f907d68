/* SPDX-License-Identifier: MIT */
/*
 * test_throttle_check.c - limits in unusual situations
 * test_throttle.c tests the examples of the guide, and tests/property/throttle.c random sites.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/limited.h"

static void without_limits_no_job_is_limited(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	const struct job *job = add_job(s, 1000000, 1000000);

	(void)state;
	begin(s);
	assert_false(throttle_any(s->t));
	throttle_count_idle(s->t, 0);
	throttle_count_start(s->t, 0);
	assert_true(throttle_active(s->t, job, LEVEL_SOFT, &found) && found.kind == LIMIT_KIND_COUNT);
	assert_true(throttle_idle(s->t, job, &found) && found.kind == LIMIT_KIND_COUNT);
	assert_true(throttle_system(s->t, job, &found) && found.kind == LIMIT_KIND_COUNT);
	site_free(s);
}

static void limits_without_jobs_are_counted(void **state)
{
	struct site *s = site_new();

	(void)state;
	add_limit(s, CRED_USER, LIMIT_ACTIVE, LIMIT_JOB, 1, 1);
	begin(s);
	assert_true(throttle_any(s->t));
	site_free(s);
}

/* T-03, T-22: a QOS without an override of its own has that of DEFAULT. */
static void an_override_of_qos_default_applies_too(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *job = add_job(s, 20, 100);

	(void)state;
	job->cred[CRED_USER] = named(CRED_USER, 0);
	job->cred[CRED_QOS] = named(CRED_QOS, 0);
	add_limit(s, CRED_USER, LIMIT_ACTIVE, LIMIT_PROC, 10, 10);
	add_limit(s, CRED_QOS, LIMIT_OVERRIDE_ACTIVE, LIMIT_PROC, 15, 20);
	begin(s);
	assert_true(throttle_active(s->t, job, LEVEL_HARD, NULL));
	assert_false(throttle_active(s->t, job, LEVEL_SOFT, &found));
	assert_true(found.scope == LIMIT_OVERRIDE_ACTIVE && found.limit == 15);
	assert_int_equal(found.cred, named(CRED_USER, 0));
	site_free(s);
}

/* The lower kind is reported first, whether the limit belongs to the credential or to DEFAULT. */
static void the_reported_limit_does_not_depend_on_the_order_of_limits(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *job = add_job(s, 20, 100);

	(void)state;
	job->cred[CRED_USER] = named(CRED_USER, 0);
	add_limit(s, CRED_USER, LIMIT_ACTIVE, LIMIT_PROC, 10, 10);
	add_limit(s, named(CRED_USER, 0), LIMIT_ACTIVE, LIMIT_PS, 10, 10);
	add_pair(s, CRED_USER, LIMIT_JOB, CRED_USER, INDEX_NONE, 0);
	begin(s);
	assert_false(throttle_active(s->t, job, LEVEL_HARD, &found));
	assert_int_equal(found.kind, LIMIT_PROC);
	site_free(s);
}

/* T-13: a running job that requested no number of nodes counts with the nodes allocated to it. */
static void allocated_nodes_are_counted(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *runs = add_job(s, 8, 100), *job = add_job(s, 2, 100);

	(void)state;
	add_limit(s, INDEX_NONE, LIMIT_ACTIVE, LIMIT_NODE, 8, 8);
	s->run[0] = (struct alloc_run){.nodes = 4, .procs = 1, .next = 1};
	s->run[1] = (struct alloc_run){.node = 9, .nodes = 3, .procs = 1, .next = INDEX_NONE};
	runs->run = 0;
	job->nodes = 2;
	runs_since(s, runs, NOW);
	begin(s);
	assert_false(throttle_active(s->t, job, LEVEL_HARD, &found));
	assert_int_equal(found.used, 7);
	assert_int_equal(found.clears_s, NOW + 100);
	job->nodes = 0; /* any number of nodes counts as at least one */
	begin(s);
	assert_true(throttle_active(s->t, job, LEVEL_HARD, &found));
	assert_int_equal(found.asked, 1);
	site_free(s);
}

static struct job_least count_look(void *looks, uint32_t slot)
{
	(void)slot;
	++*(int *)looks;
	return (struct job_least){.procs = 1, .nodes = 3};
}

/* The search may visit all nodes. */
static void nodes_are_searched_only_for_limits_on_nodes(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *started = add_job(s, 8, 100), *job = add_job(s, 2, 100);
	int looks = 0;

	(void)state;
	s->world.least_held = count_look;
	s->world.self = &looks;
	add_limit(s, INDEX_NONE, LIMIT_ACTIVE, LIMIT_PROC, 8, 8);
	s->cred[named(CRED_CLASS, 0)].attr.max_procs = 9;
	started->cred[CRED_CLASS] = named(CRED_CLASS, 0);
	begin(s);
	assert_true(throttle_class(s->t, started, &found));
	throttle_count_start(s->t, 0);
	assert_false(throttle_active(s->t, job, LEVEL_HARD, &found));
	assert_int_equal(looks, 0);
	s->limit[0].kind = LIMIT_NODE;
	begin(s);
	throttle_count_start(s->t, 0);
	assert_true(throttle_active(s->t, job, LEVEL_HARD, &found));
	assert_int_equal(found.used, 3);
	assert_int_equal(found.asked, 3);
	assert_true(looks > 0);
	site_free(s);
}

static int64_t used_of(enum limit_kind kind, int64_t start_s, uint8_t real)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *runs = add_job(s, 2, 100), *job = add_job(s, 2, 100);

	s->policy.site.grace_s = 30;
	add_limit(s, INDEX_NONE, LIMIT_ACTIVE, kind, 50, 50);
	runs->real = real;
	runs_since(s, runs, start_s);
	begin(s);
	assert_false(throttle_active(s->t, job, LEVEL_HARD, &found));
	site_free(s);
	return found.used;
}

/* Otherwise other jobs of the user would start while the job still holds its processors. */
static void a_real_job_beyond_its_limit_counts_its_remaining_grace(void **state)
{
	(void)state;
	assert_int_equal(used_of(LIMIT_WC, NOW - 99, JOB_REAL_LAUNCH), 1);
	assert_int_equal(used_of(LIMIT_WC, NOW - 100, JOB_REAL_LAUNCH), 30);
	assert_int_equal(used_of(LIMIT_WC, NOW - 129, JOB_REAL_LAUNCH), 1);
	assert_int_equal(used_of(LIMIT_WC, NOW - 900, JOB_REAL_LAUNCH), 1);
	assert_int_equal(used_of(LIMIT_PS, NOW - 110, JOB_REAL_LAUNCH), 40);
	assert_int_equal(used_of(LIMIT_PS, NOW - 900, JOB_REAL_LAUNCH), 2);
	assert_int_equal(used_of(LIMIT_WC, NOW - 100, 0), 0);
	assert_int_equal(used_of(LIMIT_PS, NOW - 900, 0), 0);
}

static void a_limit_clears_during_the_grace_period(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *runs = add_job(s, 2, 100), *job = add_job(s, 2, 100);

	(void)state;
	s->policy.site.grace_s = 30;
	add_limit(s, INDEX_NONE, LIMIT_ACTIVE, LIMIT_WC, 112, 112);
	runs->real = JOB_REAL_LAUNCH;
	runs_since(s, runs, NOW - 110);
	begin(s);
	assert_false(throttle_active(s->t, job, LEVEL_HARD, &found));
	assert_int_equal(found.clears_s, NOW + 8);
	site_free(s);
}

/* Sums saturate at the maximum, and can return below it. */
static void an_overflowing_amount_exceeds_every_limit(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;

	(void)state;
	add_limit(s, CRED_USER, LIMIT_ACTIVE, LIMIT_PS, INT64_MAX - 1, INT64_MAX - 1);
	add_limit(s, CRED_USER, LIMIT_IDLE, LIMIT_PS, INT64_MAX - 1, INT64_MAX - 1);
	for (int i = 0; i < 4; i++) {
		struct job *job = add_job(s, UINT32_MAX, INT64_MAX / 4 - 2 * NOW);

		job->cred[CRED_USER] = named(CRED_USER, 0);
		if (i < 2)
			runs_since(s, job, NOW - i);
	}
	begin(s);
	throttle_count_idle(s->t, 2);
	throttle_count_idle(s->t, 3);
	assert_false(throttle_active(s->t, &s->job[2], LEVEL_HARD, &found));
	assert_true(found.used == INT64_MAX && found.asked == INT64_MAX && found.clears_s == TIME_NEVER);
	throttle_count_start(s->t, 2);
	throttle_count_start(s->t, 3);
	s->job[3].wall_limit_s = 1;
	assert_false(throttle_active(s->t, &s->job[0], LEVEL_HARD, &found));
	assert_false(throttle_idle(s->t, &s->job[1], &found));
	assert_int_equal(found.used, 0);
	site_free(s);
}

/* The numbers of the HPC2N page: 9:42:28 are left on two processors, and eight are requested for an hour. */
static void H_14_the_soft_limit_clears_after_3_42_28(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *runs = add_job(s, 2, 432000), *job = add_job(s, 8, 3600);

	(void)state;
	add_limit(s, INDEX_NONE, LIMIT_ACTIVE, LIMIT_PS, 72000, 1080000);
	runs_since(s, runs, NOW + 34948 - 432000);
	begin(s);
	assert_false(throttle_active(s->t, job, LEVEL_SOFT, &found));
	assert_int_equal(found.used, 69896);
	assert_int_equal(found.asked, 28800);
	assert_int_equal(found.used + found.asked, 98696);
	assert_int_equal(found.clears_s - NOW, 13348);
	assert_true(throttle_active(s->t, job, LEVEL_HARD, &found));
	site_free(s);
}

/* Adds jobs of one user with one processor and 100 s. */
static void add_jobs(struct site *s, int count)
{
	for (int i = 0; i < count; i++)
		add_job(s, 1, 100)->cred[CRED_USER] = named(CRED_USER, 0);
}

/* Starts each waiting job that is within its limits at this level; returns the number of starts. */
static int start_within(struct site *s, enum limit_level level)
{
	int started = 0;

	for (uint32_t slot = 0; slot < s->world.job_count; slot++)
		if (s->stage[slot] == WAITS && throttle_active(s->t, &s->job[slot], level, NULL)) {
			throttle_count_start(s->t, slot);
			s->stage[slot] = RUNS;
			started++;
		}
	return started;
}

static void T_28_two_jobs_within_the_soft_limit_then_up_to_eight(void **state)
{
	struct site *s = site_new();

	(void)state;
	add_limit(s, CRED_USER, LIMIT_ACTIVE, LIMIT_JOB, 2, 8);
	add_jobs(s, 10);
	begin(s);
	assert_int_equal(start_within(s, LEVEL_SOFT), 2);
	assert_int_equal(start_within(s, LEVEL_SOFT), 0);
	assert_int_equal(start_within(s, LEVEL_HARD), 6);
	site_free(s);
}

/* Counts each waiting job from this slot on that is within its idle limits; returns their number. */
static int count_eligible(struct site *s, uint32_t first)
{
	int eligible = 0;

	for (uint32_t slot = first; slot < s->world.job_count; slot++)
		if (s->stage[slot] == WAITS && throttle_idle(s->t, &s->job[slot], NULL)) {
			throttle_count_idle(s->t, slot);
			s->stage[slot] = ELIGIBLE;
			eligible++;
		}
	return eligible;
}

static void H_01_H_05_eight_of_ten_are_idle_and_a_start_admits_another(void **state)
{
	struct site *s = site_new();

	(void)state;
	add_limit(s, CRED_USER, LIMIT_IDLE, LIMIT_JOB, 8, 8);
	add_jobs(s, 10);
	begin(s);
	assert_int_equal(count_eligible(s, 0), 8);
	assert_int_equal(s->stage[8], WAITS);
	throttle_count_start(s->t, 3);
	assert_int_equal(count_eligible(s, 9), 1); /* the job checked first, here the newest */
	assert_int_equal(count_eligible(s, 8), 0);
	site_free(s);
}

/* A start does not change the count of a limit of running and idle jobs. */
static void H_02_at_most_seventy_two_running_and_idle_jobs(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;

	(void)state;
	add_limit(s, CRED_USER, LIMIT_QUEUED, LIMIT_JOB, 72, 72);
	add_jobs(s, 74);
	for (uint32_t slot = 0; slot < 60; slot++)
		runs_since(s, &s->job[slot], NOW - slot);
	begin(s);
	assert_int_equal(count_eligible(s, 60), 12);
	throttle_count_start(s->t, 60);
	assert_false(throttle_idle(s->t, &s->job[73], &found));
	assert_true(found.scope == LIMIT_QUEUED && found.used == 72 && found.asked == 1);
	assert_int_equal(found.clears_s - NOW, 100 - 59); /* the earliest end */
	site_free(s);
}

/* T-26: jobs are counted in order; a smaller job behind one that does not fit may still fit. */
static void T_26_jobs_are_counted_in_order_up_to_an_idle_limit(void **state)
{
	static const uint32_t procs[] = {10, 15, 8, 5};
	struct site *s = site_new();

	(void)state;
	add_limit(s, CRED_USER, LIMIT_IDLE, LIMIT_PROC, 1, 30);
	for (int i = 0; i < 4; i++)
		add_job(s, procs[i], 100)->cred[CRED_USER] = named(CRED_USER, 0);
	begin(s);
	assert_int_equal(count_eligible(s, 0), 3);
	assert_int_equal(s->stage[2], WAITS);
	assert_int_equal(s->stage[3], ELIGIBLE);
	site_free(s);
}

/* M-16: the reported limit is the minimum, which exceeds the request. */
static void M_16_a_request_that_is_too_small_reports_the_minimum(void **state)
{
	struct site *s = site_new();
	struct limit_finding found;
	struct job *job = add_job(s, 1, 30);

	(void)state;
	job->nodes = 1;
	job->cred[CRED_CLASS] = named(CRED_CLASS, 0);
	s->cred[CRED_CLASS].attr.min_nodes = 2; /* of DEFAULT */
	s->cred[CRED_CLASS].attr.max_nodes = 4;
	s->cred[named(CRED_CLASS, 0)].attr.max_nodes = 8;
	begin(s);
	assert_false(throttle_class(s->t, job, &found));
	assert_true(found.kind == LIMIT_NODE && found.limit == 2 && found.asked == 1 && found.used == 0);
	job->nodes = 8;
	assert_true(throttle_class(s->t, job, &found));
	job->nodes = 9;
	assert_false(throttle_class(s->t, job, &found));
	assert_int_equal(found.limit, 8);
	job->nodes = 0;
	assert_true(throttle_class(s->t, job, &found));
	site_free(s);
}

struct visited {
	unsigned rows;
	uint32_t cred[8];
};

static void note_visit(void *self, const struct limit *limit, uint32_t cred, uint32_t second, int64_t used)
{
	struct visited *v = self;

	assert_true(limit->kind == LIMIT_JOB && second == INDEX_NONE && used == 0);
	v->cred[v->rows++] = cred;
}

static void reports_include_credentials_that_only_wait_under_default(void **state)
{
	struct site *s = site_new();
	struct visited v = {0};

	(void)state;
	add_limit(s, CRED_USER, LIMIT_ACTIVE, LIMIT_JOB, 3, 3);
	add_limit(s, CRED_GROUP, LIMIT_ACTIVE, LIMIT_JOB, 3, 3);
	add_job(s, 1, 1)->cred[CRED_USER] = named(CRED_USER, 1);
	begin(s);
	throttle_each(s->t, note_visit, &v);
	assert_int_equal(v.rows, 2);
	assert_int_equal(v.cred[0], named(CRED_USER, 1));
	assert_int_equal(v.cred[1], CRED_GROUP); /* no group */
	site_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_limits_no_job_is_limited),
		cmocka_unit_test(limits_without_jobs_are_counted),
		cmocka_unit_test(an_override_of_qos_default_applies_too),
		cmocka_unit_test(the_reported_limit_does_not_depend_on_the_order_of_limits),
		cmocka_unit_test(allocated_nodes_are_counted),
		cmocka_unit_test(nodes_are_searched_only_for_limits_on_nodes),
		cmocka_unit_test(a_real_job_beyond_its_limit_counts_its_remaining_grace),
		cmocka_unit_test(a_limit_clears_during_the_grace_period),
		cmocka_unit_test(an_overflowing_amount_exceeds_every_limit),
		cmocka_unit_test(H_14_the_soft_limit_clears_after_3_42_28),
		cmocka_unit_test(T_28_two_jobs_within_the_soft_limit_then_up_to_eight),
		cmocka_unit_test(T_26_jobs_are_counted_in_order_up_to_an_idle_limit),
		cmocka_unit_test(H_01_H_05_eight_of_ten_are_idle_and_a_start_admits_another),
		cmocka_unit_test(H_02_at_most_seventy_two_running_and_idle_jobs),
		cmocka_unit_test(M_16_a_request_that_is_too_small_reports_the_minimum),
		cmocka_unit_test(reports_include_credentials_that_only_wait_under_default),
	};

	return cmocka_run_group_tests_name("throttle_check", tests, NULL, NULL);
}
