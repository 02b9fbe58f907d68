/* SPDX-License-Identifier: MIT */
/*
 * test_fairshare_usage.c - unit tests of usage windows and of charging jobs to them
 *
 * Tests with an ID (F_06) use exactly the numbers of that requirement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/seed.h"
#include "tests/shares.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* --- windows -------------------------------------------------------------------------------------- */

static void F_17_windows_begin_at_multiples_of_the_interval(void **state)
{
	(void)state;
	assert_int_equal(fs_window_begin(0, 60), 0);
	assert_int_equal(fs_window_begin(59, 60), 0);
	assert_int_equal(fs_window_begin(60, 60), 60);
	assert_int_equal(fs_window_begin(-1, 60), -60);
	assert_int_equal(fs_window_begin(-60, 60), -60);
	assert_int_equal(fs_window_begin(-61, 60), -120);
	assert_int_equal(fs_window_begin(T0 + 5 * HOUR, DAY), T0);
	assert_int_equal(fs_window_begin(T0 + 13 * HOUR, 12 * HOUR), T0 + 12 * HOUR);
}

static void F_16_windows_roll_by_time_alone(void **state)
{
	struct site *s = new_site(12 * HOUR, 4, 0.5);
	const struct fairshare *f;

	(void)state;
	had_used(s, CRED_USER, "john", 0, 60);
	had_used_in_all(s, 0, 110);
	s->now_s = T0 + 12 * HOUR - 1;
	f = built(s);
	assert_int_equal(f->total[0], 110000);
	assert_int_equal(f->begin_s, T0);
	assert_int_equal(f->next_roll_s, T0 + 12 * HOUR);
	s->now_s++;
	f = built(s);
	assert_int_equal(f->total[0], 0);
	assert_int_equal(f->total[1], 110000);
	assert_int_equal(share_of(s, CRED_USER, "john")->window[1], 60000);
	assert_near(f->total_usage, 55);
	s->now_s += 3 * 12 * HOUR;
	assert_near(built(s)->total_usage, 0);
	assert_int_equal(s->f.total[4], 110000);
	free_site(s);
}

static void F_09_usage_outside_the_depth_does_not_count(void **state)
{
	struct site *s = new_site(DAY, 2, 1);

	(void)state;
	for (int back = 0; back < 3; back++) {
		had_used(s, CRED_USER, "amy", back, 100);
		had_used_in_all(s, back, 100);
	}
	assert_near(share_of(s, CRED_USER, "amy")->usage, 200);
	s->policy.fs_depth = 3;
	assert_near(share_of(s, CRED_USER, "amy")->usage, 300);
	s->policy.fs_depth = FS_DEPTH_MAX;
	assert_near(share_of(s, CRED_USER, "amy")->usage, 300);
	free_site(s);
}

static void a_window_gets_its_own_an_empty_or_the_oldest_column(void **state)
{
	struct fs_window window[FS_DEPTH_MAX] = {{0}};
	bool forget = true;

	(void)state;
	assert_int_equal(fs_column(window, 0, &forget), 0);
	assert_false(forget);
	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++)
		window[c] = (struct fs_window){.begin_s = (int64_t)((c + 5) % FS_DEPTH_MAX) * DAY,
					       .length_s = DAY};
	assert_int_equal(fs_column(window, 7 * DAY, &forget), 2);
	assert_false(forget);
	assert_int_equal(fs_column(window, FS_DEPTH_MAX * DAY, &forget), FS_DEPTH_MAX - 5);
	assert_true(forget);
	assert_int_equal(fs_column(window, -DAY, &forget), INDEX_NONE);
	assert_false(forget);
	window[9].length_s = 0;
	assert_int_equal(fs_column(window, -DAY, &forget), 9);
	assert_false(forget);
}

static void F_25_a_window_of_another_length_is_marked(void **state)
{
	struct site *s = new_site(12 * HOUR, 4, 1);
	const struct fairshare *f;

	(void)state;
	had_used_in_all(s, 0, 10);
	had_used_in_all(s, 1, 20);
	had_used_in_all(s, 2, 30);
	f = built(s);
	for (int i = 0; i < FS_DEPTH_MAX; i++)
		assert_int_equal(f->other_length_s[i], 0);
	s->policy.fs_interval_s = DAY; /* T0 is midnight: two half days belong to the day before */
	f = built(s);
	assert_int_equal(f->total[0], 10000);
	assert_int_equal(f->total[1], 50000);
	assert_int_equal(f->other_length_s[0], 12 * HOUR);
	assert_int_equal(f->other_length_s[1], 12 * HOUR);
	assert_int_equal(f->other_length_s[2], 0);
	s->policy.fs_interval_s = 6 * HOUR;
	f = built(s);
	assert_int_equal(f->total[0], 10000);
	assert_int_equal(f->total[1], 0);
	assert_int_equal(f->total[2], 20000);
	assert_int_equal(f->total[4], 30000);
	assert_int_equal(f->other_length_s[1], 0);
	assert_int_equal(f->other_length_s[2], 12 * HOUR);
	free_site(s);
}

static void F_25_depth_and_decay_apply_at_once(void **state)
{
	struct site *s = new_site(DAY, 2, 1);

	(void)state;
	had_used(s, CRED_USER, "amy", 1, 100);
	had_used_in_all(s, 1, 200);
	had_used_in_all(s, 0, 100);
	assert_near(share_of(s, CRED_USER, "amy")->percent, 100.0 / 3);
	s->policy.fs_decay = 0.5;
	assert_near(share_of(s, CRED_USER, "amy")->percent, 25);
	s->policy.fs_depth = 1;
	assert_near(share_of(s, CRED_USER, "amy")->percent, 0);
	free_site(s);
}

static void a_window_in_the_future_does_not_count_yet(void **state)
{
	struct site *s = new_site(DAY, 2, 1);

	(void)state;
	had_used_in_all(s, 0, 100);
	s->now_s = T0 - 1; /* the clock was set back */
	assert_near(built(s)->total_usage, 0);
	s->now_s = T0;
	assert_near(built(s)->total_usage, 100);
	free_site(s);
}

/* --- usage of jobs -------------------------------------------------------------------------------- */

static void F_06_four_sleeping_processors_dedicate_an_hour_and_use_nothing(void **state)
{
	struct site *s = new_site(DAY, 7, 1);
	struct job *job = add_job(s, 4, HOUR);

	(void)state;
	job->cred[CRED_USER] = cred_of(s, CRED_USER, "amy");
	start_job(s, job, T0);
	s->now_s = T0 + 15 * MINUTE;
	job->used_ps = 2;
	assert_near(share_of(s, CRED_USER, "amy")->usage, 3600);
	s->policy.fs_policy = FS_UTILIZEDPS;
	assert_near(share_of(s, CRED_USER, "amy")->usage, 2);
	job->used_ps = 0;
	assert_near(share_of(s, CRED_USER, "amy")->usage, 0);
	job->used_ps = -1; /* not measured */
	assert_near(share_of(s, CRED_USER, "amy")->usage, 3600);
	free_site(s);
}

static void F_05_equivalents_are_charged_for_the_largest_part_of_the_machine(void **state)
{
	struct site *s = new_site(DAY, 7, 1);
	struct job *job = add_job(s, 32, HOUR);

	(void)state;
	job->mem_mb = 2000; /* 64000 MB: half of the memory, equivalent to 64 processors */
	start_job(s, job, T0);
	s->now_s = T0 + 10;
	assert_near(built(s)->total_usage, 320);
	s->policy.fs_policy = FS_DEDICATEDPES;
	assert_near(built(s)->total_usage, 640);
	job->procs_held = 100; /* whole nodes */
	assert_near(built(s)->total_usage, 1000);
	s->policy.fs_policy = FS_DEDICATEDPS;
	assert_near(built(s)->total_usage, 1000);
	free_site(s);
}

static void F_08_a_running_job_is_charged_as_time_passes(void **state)
{
	struct site *s = new_site(12 * HOUR, 4, 0.5);
	struct job *job = add_job(s, 2, DAY);

	(void)state;
	job->cred[CRED_CLASS] = cred_of(s, CRED_CLASS, "batch");
	start_job(s, job, T0 + 9 * HOUR);
	s->now_s = T0 + 9 * HOUR;
	assert_near(built(s)->total_usage, 0);
	s->now_s = T0 + 9 * HOUR + 1;
	assert_near(built(s)->total_usage, 2);
	s->now_s = T0 + 13 * HOUR;
	assert_int_equal(built(s)->total[0], 2 * HOUR * FS_UNIT);
	assert_int_equal(s->f.total[1], 6 * HOUR * FS_UNIT);
	assert_int_equal(share_of(s, CRED_CLASS, "batch")->window[1], 6 * HOUR * FS_UNIT);
	assert_near(s->f.total_usage, (double)(5 * HOUR));
	free_site(s);
}

static void the_end_of_a_job_changes_no_share(void **state)
{
	struct site *s = new_site(12 * HOUR, 4, 0.5);
	struct job *job = add_job(s, 3, 3 * DAY);
	int64_t before[FS_DEPTH_MAX];

	(void)state;
	job->used_ps = 1000001;
	job->mem_mb = 4321;
	for (enum fs_policy metric = FS_DEDICATEDPS; metric <= FS_UTILIZEDPS; metric++) {
		s->policy.fs_policy = (uint8_t)metric;
		memset(s->window, 0, sizeof s->window);
		start_job(s, job, T0 + 7);
		s->now_s = T0 + 2 * DAY + 12345;
		memcpy(before, built(s)->total, sizeof before);
		assert_true(before[0] > 0 && before[4] > 0);
		end_job(s, job, s->now_s);
		assert_memory_equal(before, built(s)->total, sizeof before);
	}
	free_site(s);
}

static void usage_of_intervals_adds_up_to_that_of_the_run(void **state)
{
	struct job job = {.start_s = 1000, .tasks = 3, .task_procs = 1, .mem_mb = 777, .used_ps = 123457};
	const struct machine machine = {.procs = 100, .mem_mb = 1000};

	(void)state;
	for (enum fs_policy metric = FS_DEDICATEDPS; metric <= FS_UTILIZEDPS; metric++) {
		int64_t whole = fs_job_usage(metric, &job, &machine, 2000, 0, 5000);
		int64_t sum = 0;

		assert_true(whole > 0);
		for (int64_t at = 0; at < 5000; at += 7)
			sum += fs_job_usage(metric, &job, &machine, 2000, at, at + 7);
		assert_int_equal(sum, whole);
	}
	assert_int_equal(fs_job_usage(FS_UTILIZEDPS, &job, &machine, 2000, 0, 5000), 123457 * FS_UNIT);
}

static void there_is_no_usage_before_the_start_or_without_a_policy(void **state)
{
	struct job job = {.start_s = TIME_NONE, .tasks = 3, .task_procs = 1, .used_ps = -1};
	const struct machine machine = {.procs = 100};

	(void)state;
	assert_int_equal(fs_job_usage(FS_DEDICATEDPS, &job, &machine, 2000, 0, 5000), 0);
	job.start_s = 1000;
	assert_int_equal(fs_job_usage(FS_DEDICATEDPS, &job, &machine, 2000, 0, 1000), 0);
	assert_int_equal(fs_job_usage(FS_DEDICATEDPS, &job, &machine, 2000, 2000, 3000), 0);
	assert_int_equal(fs_job_usage(FS_DEDICATEDPS, &job, &machine, 1000, 0, 3000), 0);
	assert_int_equal(fs_job_usage(FS_NONE, &job, &machine, 2000, 0, 5000), 0);
}

static void excessive_amounts_saturate(void **state)
{
	struct job job = {.start_s = 0,
			  .tasks = UINT32_MAX,
			  .task_procs = 1,
			  .mem_mb = INT64_MAX,
			  .used_ps = INT64_MAX};
	const struct machine machine = {.procs = INT64_MAX, .mem_mb = 1};

	(void)state;
	for (enum fs_policy metric = FS_DEDICATEDPS; metric <= FS_UTILIZEDPS; metric++)
		assert_true(fs_job_usage(metric, &job, &machine, INT64_C(1) << 40, 0, INT64_C(1) << 40) ==
			    INT64_MAX);
	assert_true(fs_add(INT64_MAX, 1) == INT64_MAX);
	assert_true(fs_add(INT64_MAX - 1, 1) == INT64_MAX);
	assert_true(fs_add(0, INT64_MAX) == INT64_MAX);
}

/* --- random histories ----------------------------------------------------------------------------- */

static const char *const random_names[] = {"a", "b", "c", "d", "e", "f", "g"};

/* A random job with all five credentials. */
static struct job *random_job(struct site *s, struct rng *rng)
{
	struct job *job = add_job(s, 1 + (uint32_t)rng_below(rng, 64), 1 + (int64_t)rng_below(rng, 3 * DAY));

	job->mem_mb = (int64_t)rng_below(rng, 3) * (int64_t)rng_below(rng, 5000);
	job->used_ps = (int64_t)rng_below(rng, 1000000) - 1;
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		job->cred[type] =
			cred_of(s, (enum cred_type)type, random_names[rng_below(rng, COUNT(random_names))]);
	return job;
}

static void assert_sums_agree(struct site *s)
{
	const struct fairshare *f = built(s);

	for (int i = 0; i < FS_DEPTH_MAX; i++) {
		int64_t sum[CRED_TYPE_COUNT] = {0};

		for (uint32_t c = 0; c < s->cred_count; c++)
			sum[s->cred[c].type] += f->share[c].window[i];
		for (int type = 0; type < CRED_TYPE_COUNT; type++)
			assert_int_equal(sum[type], f->total[i]);
	}
}

/* With a constant interval nothing is lost: each window has the usage of all jobs in it. */
static void assert_windows_equal_usage_of_jobs(struct site *s, const int64_t *end_s)
{
	const struct fairshare *f = built(s);
	int64_t interval_s = s->policy.fs_interval_s;

	for (int i = 0; i < FS_DEPTH_MAX; i++) {
		int64_t from_s = f->begin_s - i * interval_s;
		int64_t sum = 0;

		for (uint32_t j = 0; j < s->job_count; j++) {
			const struct job *job = &s->job[j];

			sum += fs_job_usage(fs_metric(s->policy.fs_policy), job, &s->machine,
					    job->state == JOB_RUNNING ? s->now_s : end_s[j], from_s,
					    from_s + interval_s);
		}
		assert_int_equal(f->total[i], sum);
	}
}

static void random_history(struct rng *rng, bool intervals_change)
{
	static const int64_t intervals[] = {HOUR, 5 * HOUR, 12 * HOUR, DAY, 7 * DAY};
	struct site *s = new_site(intervals[rng_below(rng, COUNT(intervals))],
				  1 + (int64_t)rng_below(rng, 32), rng_unit(rng));
	int64_t end_s[JOBS] = {0};

	s->policy.fs_policy = (uint8_t)(FS_DEDICATEDPS + rng_below(rng, 6));
	while (s->job_count < 150) {
		s->now_s += (int64_t)rng_below(rng, 8 * HOUR);
		if (rng_below(rng, 3) > 0) {
			start_job(s, random_job(s, rng), s->now_s);
		} else if (s->running_count > 0) {
			struct job *job = &s->job[s->running[rng_below(rng, s->running_count)]];

			end_s[job - s->job] = s->now_s;
			end_job(s, job, s->now_s);
		}
		if (intervals_change && rng_below(rng, 10) == 0)
			s->policy.fs_interval_s = intervals[rng_below(rng, COUNT(intervals))];
		assert_sums_agree(s);
		if (!intervals_change)
			assert_windows_equal_usage_of_jobs(s, end_s);
	}
	free_site(s);
}

static void F_21_users_groups_accounts_qos_and_classes_add_up_to_the_total(void **state)
{
	struct rng rng = seeded("F_21_users_groups_accounts_qos_and_classes_add_up_to_the_total");

	(void)state;
	for (int i = 0; i < 40; i++)
		random_history(&rng, i % 2 == 1);
}

/* F-22: the percentages of a type add up to 100 if every job has a credential of that type. */
static void F_22_shares_of_a_type_add_up_to_100(void **state)
{
	struct rng rng = seeded("F_22_shares_of_a_type_add_up_to_100");

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct site *s = new_site(DAY, 1 + (int64_t)rng_below(&rng, 32), rng_unit(&rng));
		double percent[CRED_TYPE_COUNT] = {0};
		const struct fairshare *f;

		s->now_s += HOUR;
		for (int j = 0; j < 50; j++)
			start_job(s, random_job(s, &rng), T0 - (int64_t)rng_below(&rng, 20 * DAY));
		f = built(s);
		assert_true(f->total_usage > 0);
		for (uint32_t c = 0; c < s->cred_count; c++)
			percent[s->cred[c].type] += f->share[c].percent;
		for (int type = 0; type < CRED_TYPE_COUNT; type++)
			assert_near(percent[type], 100);
		free_site(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(F_17_windows_begin_at_multiples_of_the_interval),
		cmocka_unit_test(F_16_windows_roll_by_time_alone),
		cmocka_unit_test(F_09_usage_outside_the_depth_does_not_count),
		cmocka_unit_test(a_window_gets_its_own_an_empty_or_the_oldest_column),
		cmocka_unit_test(F_25_a_window_of_another_length_is_marked),
		cmocka_unit_test(F_25_depth_and_decay_apply_at_once),
		cmocka_unit_test(a_window_in_the_future_does_not_count_yet),
		cmocka_unit_test(F_06_four_sleeping_processors_dedicate_an_hour_and_use_nothing),
		cmocka_unit_test(F_05_equivalents_are_charged_for_the_largest_part_of_the_machine),
		cmocka_unit_test(F_08_a_running_job_is_charged_as_time_passes),
		cmocka_unit_test(the_end_of_a_job_changes_no_share),
		cmocka_unit_test(usage_of_intervals_adds_up_to_that_of_the_run),
		cmocka_unit_test(there_is_no_usage_before_the_start_or_without_a_policy),
		cmocka_unit_test(excessive_amounts_saturate),
		cmocka_unit_test(F_21_users_groups_accounts_qos_and_classes_add_up_to_the_total),
		cmocka_unit_test(F_22_shares_of_a_type_add_up_to_100),
	};

	return cmocka_run_group_tests_name("fairshare_usage", tests, NULL, NULL);
}
