/* SPDX-License-Identifier: MIT */
/*
 * test_workload.c - properties of the generated workload
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/trace/swf.h"
#include "sched/trace/workload.h"

#define JOBS 10000

static const int64_t machines[] = {1, 2, 16, 100, 128, 1000, 160000};
#define MACHINES (sizeof machines / sizeof machines[0])

static struct trace make(uint64_t seed, int64_t procs, int64_t load_pct)
{
	const struct workload_model model = {.seed = seed, .machine_procs = procs, .load_pct = load_pct};
	struct trace t;

	workload_trace(&model, JOBS, 1000, &t);
	assert_int_equal(t.count, JOBS);
	return t;
}

static void jobs_use_at_most_half_the_machine_and_their_limit(void **state)
{
	(void)state;
	for (size_t m = 0; m < MACHINES; m++) {
		struct trace t = make(m, machines[m], 100);
		int64_t most = machines[m] > 1 ? machines[m] / 2 : 1;
		int64_t before_s = 1000;

		for (size_t i = 0; i < t.count; i++) {
			const struct trace_job *job = &t.job[i];

			assert_true(job->procs >= 1 && job->procs <= most);
			assert_true(job->run_s >= 1 && job->run_s <= job->wall_limit_s);
			assert_true(job->wall_limit_s % 300 == 0 && job->wall_limit_s <= (int64_t)48 * 3600);
			assert_true(job->submit_s >= before_s);
			assert_int_equal(job->number, i + 1);
			before_s = job->submit_s;
		}
		trace_clear(&t);
	}
}

static double offered_load(const struct trace *t)
{
	double area = 0;

	for (size_t i = 0; i < t->count; i++)
		area += (double)t->job[i].run_s * t->job[i].procs;
	return area / ((double)t->max_procs * (double)(t->job[t->count - 1].submit_s - 1000));
}

static void the_offered_load_is_the_requested_load(void **state)
{
	static const int64_t loads[] = {10, 60, 100, 130};

	(void)state;
	for (size_t m = 0; m < MACHINES; m++) {
		double sum = 0;

		for (size_t i = 0; i < 4; i++) {
			struct trace t = make(i + 1, machines[m], loads[i]);
			double ratio = offered_load(&t) * 100 / (double)loads[i];

			assert_true(ratio > 0.88 && ratio < 1.12);
			sum += ratio;
			trace_clear(&t);
		}
		assert_true(sum / 4 > 0.93 && sum / 4 < 1.07);
	}
}

static void a_job_is_a_function_of_seed_and_index(void **state)
{
	const struct workload_model model = {.seed = 7, .machine_procs = 256, .load_pct = 90};
	struct workload w;
	struct workload_job first, again, other;

	(void)state;
	workload_begin(&w, &model);
	workload_job(&w, 1000, 5000, &first);
	workload_job(&w, 1, 0, &other);
	workload_job(&w, 1000, 5000, &again);
	assert_int_equal(first.arrival_s, again.arrival_s);
	assert_int_equal(first.run_s, again.run_s);
	assert_int_equal(first.wall_limit_s, again.wall_limit_s);
	assert_int_equal(first.procs, again.procs);
	assert_string_equal(first.user, again.user);
	assert_string_equal(first.name, again.name);
	workload_job(&w, 1000, 90000, &again);
	assert_int_equal(first.run_s, again.run_s);
	assert_int_equal(first.procs, again.procs);
}

static void another_seed_is_another_workload(void **state)
{
	struct trace a = make(1, 128, 100);
	struct trace b = make(2, 128, 100);
	size_t same = 0;

	(void)state;
	for (size_t i = 0; i < JOBS; i++)
		same += a.job[i].run_s == b.job[i].run_s && a.job[i].procs == b.job[i].procs;
	assert_true(same < JOBS / 100);
	trace_clear(&a);
	trace_clear(&b);
}

/* The first jobs of seed 1 on 128 processors; they change only with an intended change of the model. */
static void first_jobs_of_a_seed_do_not_change(void **state)
{
	static const int64_t expected[][4] = {
		/* submit, run, limit, processors */
		{1856, 44, 1800, 11},     {2911, 262, 900, 1}, {3773, 494, 1800, 1},
		{3981, 16513, 21600, 10}, {4051, 4, 1800, 4},
	};
	struct trace t = make(1, 128, 100);

	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		assert_int_equal(t.job[i].submit_s, expected[i][0]);
		assert_int_equal(t.job[i].run_s, expected[i][1]);
		assert_int_equal(t.job[i].wall_limit_s, expected[i][2]);
		assert_int_equal(t.job[i].procs, expected[i][3]);
	}
	trace_clear(&t);
}

static size_t arrivals_between(const struct trace *t, int64_t from_hour, int64_t to_hour)
{
	size_t count = 0;

	for (size_t i = 0; i < t->count; i++) {
		int64_t hour = t->job[i].submit_s % 86400 / 3600;

		count += hour >= from_hour && hour < to_hour;
	}
	return count;
}

static void more_jobs_arrive_by_day_than_by_night(void **state)
{
	struct trace t = make(3, 128, 100);

	(void)state;
	assert_true(arrivals_between(&t, 12, 16) > 4 * arrivals_between(&t, 3, 7));
	trace_clear(&t);
}

static void powers_of_two_and_single_processors_are_common(void **state)
{
	struct trace t = make(4, 128, 100);
	size_t serial = 0, power = 0;

	(void)state;
	for (size_t i = 0; i < JOBS; i++) {
		int32_t procs = t.job[i].procs;

		serial += procs == 1;
		power += procs > 1 && (procs & (procs - 1)) == 0;
	}
	assert_true(serial > JOBS * 22 / 100 && serial < JOBS * 28 / 100);
	assert_true(power > JOBS * 57 / 100 && power < JOBS * 70 / 100);
	trace_clear(&t);
}

static void limits_usually_exceed_run_times(void **state)
{
	struct trace t = make(5, 128, 100);
	size_t stopped = 0, generous = 0;

	(void)state;
	for (size_t i = 0; i < JOBS; i++) {
		stopped += t.job[i].run_s == t.job[i].wall_limit_s;
		generous += t.job[i].wall_limit_s >= 3 * t.job[i].run_s;
	}
	assert_true(stopped > JOBS / 100 && stopped < JOBS / 15);
	assert_true(generous > JOBS / 3);
	trace_clear(&t);
}

static void every_job_has_names_and_some_users_are_busier(void **state)
{
	const struct workload_model model = {.seed = 9, .machine_procs = 64, .load_pct = 100};
	struct workload w;
	size_t by_user[64] = {0};
	int64_t now_s = 0;

	(void)state;
	workload_begin(&w, &model);
	for (uint64_t i = 1; i <= JOBS; i++) {
		struct workload_job job;

		workload_job(&w, i, now_s, &job);
		now_s = job.arrival_s;
		assert_true(strlen(job.user) > 0 && strlen(job.group) > 0 && strlen(job.account) > 0);
		assert_true(strlen(job.class_name) > 0 && strlen(job.name) > 0);
		assert_in_range(job.user_number, 1, 63);
		assert_in_range(job.class_number, 1, 3);
		assert_true(job.mem_mb > 0);
		by_user[job.user_number]++;
	}
	assert_true(by_user[1] > 3 * by_user[10]);
	assert_true(by_user[10] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_use_at_most_half_the_machine_and_their_limit),
		cmocka_unit_test(the_offered_load_is_the_requested_load),
		cmocka_unit_test(a_job_is_a_function_of_seed_and_index),
		cmocka_unit_test(another_seed_is_another_workload),
		cmocka_unit_test(first_jobs_of_a_seed_do_not_change),
		cmocka_unit_test(more_jobs_arrive_by_day_than_by_night),
		cmocka_unit_test(powers_of_two_and_single_processors_are_common),
		cmocka_unit_test(limits_usually_exceed_run_times),
		cmocka_unit_test(every_job_has_names_and_some_users_are_busier),
	};

	return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
