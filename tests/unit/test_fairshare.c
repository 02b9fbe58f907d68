/* SPDX-License-Identifier: MIT */
/*
 * test_fairshare.c - unit tests of decay, targets and caps of fairshare
 *
 * Tests with an ID (F_23) use exactly the numbers of that requirement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sched/base/rng.h"
#include "sched/policy/fairshare_steady.h"
#include "sched/policy/priority.h"
#include "tests/shares.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* --- decay ---------------------------------------------------------------------------------------- */

/* The weights of the formula, as in the guide's table: percent, rounded half up. */
static void assert_weights(double decay, const int *expected)
{
	struct site *s = new_site(DAY, 8, decay);
	const struct fairshare *f = built(s);

	for (int i = 0; i < 8; i++) {
		assert_near(f->weight[i], pow(decay, i));
		assert_int_equal((int)floor(100 * f->weight[i] + 0.5), expected[i]);
	}
	free_site(s);
}

static void F_11_without_decay_all_windows_count_in_full(void **state)
{
	(void)state;
	assert_weights(1.00, (const int[]){100, 100, 100, 100, 100, 100, 100, 100});
}

static void F_12_weights_at_a_decay_of_080(void **state)
{
	(void)state;
	assert_weights(0.80, (const int[]){100, 80, 64, 51, 41, 33, 26, 21});
}

/* The guide prints 31 23 17 12: the first three are truncated, not rounded, and 12 is wrong for 13.35. */
static void F_13_weights_at_a_decay_of_075(void **state)
{
	static const double exact[] = {56.25,       42.1875,       31.640625,
				       23.73046875, 17.7978515625, 13.348388671875};
	static const int printed[] = {56, 42, 31, 23, 17, 12};
	struct site *s = new_site(DAY, 8, 0.75);
	const struct fairshare *f = built(s);

	(void)state;
	assert_weights(0.75, (const int[]){100, 75, 56, 42, 32, 24, 18, 13});
	for (int i = 0; i < 6; i++) {
		assert_true(100 * f->weight[i + 2] == exact[i]);
		assert_int_equal((int)exact[i] - printed[i], i == 5 ? 1 : 0);
	}
	free_site(s);
}

static void F_14_weights_at_a_decay_of_050(void **state)
{
	(void)state;
	assert_weights(0.50, (const int[]){100, 50, 25, 13, 6, 3, 2, 1});
}

static void F_15_more_windows_age_the_same_time_faster(void **state)
{
	struct site *few = new_site(DAY, 2, 0.5);
	struct site *many = new_site(6 * HOUR, 8, 0.5);

	(void)state;
	few->now_s = many->now_s = T0 + DAY;
	had_used_in_all(few, 1, 100);
	had_used_in_all(many, 4, 100);
	assert_near(built(few)->total_usage, 50);
	assert_near(built(many)->total_usage, 6.25);
	free_site(few);
	free_site(many);
}

/* --- shares --------------------------------------------------------------------------------------- */

/* The guide's example, F-23, with the users of mock-up 4. */
static struct site *guide_site(void)
{
	static const struct {
		const char *name;
		int64_t ps[4];
		double target;
		enum fs_mode mode;
	} user[] = {
		{"john", {60, 0, 10, 50}, 25, FS_TARGET},   {"steve", {20, 60, 40, 20}, 25, FS_FLOOR},
		{"ann", {10, 15, 20, 10}, 20, FS_CEILING},  {"bob", {8, 20, 10, 30}, 10, FS_CAP_RELATIVE},
		{"eva", {12, 30, 20, 40}, 0, FS_NO_TARGET},
	};
	static const int64_t total[] = {110, 125, 100, 150};
	struct site *s = new_site(12 * HOUR, 4, 0.5);

	for (int64_t back = 0; back < 4; back++) {
		had_used_in_all(s, back, total[back]);
		for (size_t u = 0; u < COUNT(user); u++)
			had_used(s, CRED_USER, user[u].name, back, user[u].ps[back]);
	}
	for (size_t u = 0; u < COUNT(user); u++)
		set_target(s, CRED_USER, user[u].name, user[u].target, user[u].mode);
	return s;
}

static void F_23_john_has_used_31_79_percent(void **state)
{
	struct site *s = guide_site();
	const struct fs_share *john = share_of(s, CRED_USER, "john");

	(void)state;
	assert_true(john->usage == 68.75);
	assert_true(s->f.total_usage == 216.25);
	assert_near(john->percent, 100 * 68.75 / 216.25);
	assert_printed("%.5f", john->percent / 100, "0.31792");
	assert_printed("%.2f", john->percent, "31.79");
	free_site(s);
}

static void F_24_shares_are_of_the_total_usage(void **state)
{
	struct site *s = guide_site();
	double percent = share_of(s, CRED_USER, "john")->percent;

	(void)state;
	s->machine.procs *= 100;
	assert_true(share_of(s, CRED_USER, "john")->percent == percent);
	had_used_in_all(s, 0, 216); /* used by others */
	assert_near(share_of(s, CRED_USER, "john")->percent, 100 * 68.75 / 432.25);
	free_site(s);
}

static void mock_up_4_shares_and_effects(void **state)
{
	struct site *s = guide_site();
	static const struct {
		const char *name, *percent, *delta;
	} row[] = {
		{"john", "31.79", "-6.79"}, {"steve", "28.90", "0.00"}, {"ann", "10.98", "0.00"},
		{"bob", "11.21", "0.00"},   {"eva", "17.11", "0.00"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		const struct fs_share *share = share_of(s, CRED_USER, row[i].name);

		assert_printed("%.2f", share->percent, row[i].percent);
		assert_printed("%.2f", share->delta, row[i].delta);
	}
	free_site(s);
}

static void mock_up_4_forecasts_of_the_next_rolls(void **state)
{
	static const char *const busy[] = {"14.97", "7.21", "3.64", "0.00"};
	static const char *const idle[] = {"31.65", "34.78", "54.55"};
	struct site *s = guide_site();
	uint32_t john = cred_of(s, CRED_USER, "john");
	double percent[5];

	(void)state;
	built(s);
	fairshare_forecast(&s->f, john, 110, 4, percent);
	for (int i = 0; i < 4; i++)
		assert_printed("%.2f", percent[i], busy[i]);
	fairshare_forecast(&s->f, john, 0, 5, percent);
	for (int i = 0; i < 3; i++)
		assert_printed("%.2f", percent[i], idle[i]);
	assert_true(percent[3] < 0 && percent[4] < 0);
	free_site(s);
}

static void an_idle_forecast_equals_the_later_shares(void **state)
{
	struct site *s = guide_site();
	uint32_t john = cred_of(s, CRED_USER, "john");
	double percent[3];

	(void)state;
	built(s);
	fairshare_forecast(&s->f, john, 0, 3, percent);
	for (int i = 0; i < 3; i++) {
		s->now_s = s->f.next_roll_s;
		assert_near(built(s)->share[john].percent, percent[i]);
	}
	free_site(s);
}

static void mock_up_4_shares_with_other_decay_and_depth(void **state)
{
	struct site *s = guide_site();
	uint32_t john = cred_of(s, CRED_USER, "john");

	(void)state;
	built(s);
	assert_printed("%.2f", fairshare_percent_with(&s->f, john, 1.00, 4), "24.74");
	assert_printed("%.2f", fairshare_percent_with(&s->f, john, 0.80, 4), "26.23");
	assert_printed("%.2f", fairshare_percent_with(&s->f, john, 0.50, 2), "34.78");
	assert_true(fairshare_percent_with(&s->f, john, 0.50, 4) == s->f.share[john].percent);
	free_site(s);
}

/* --- targets -------------------------------------------------------------------------------------- */

/* amy has used `percent` of the total usage. */
static struct site *site_with_usage(int64_t percent)
{
	struct site *s = new_site(DAY, 1, 1);

	had_used(s, CRED_USER, "amy", 0, percent);
	had_used_in_all(s, 0, 100);
	return s;
}

static double delta_with(int64_t percent, double target, enum fs_mode mode)
{
	struct site *s = site_with_usage(percent);
	double delta;

	set_target(s, CRED_USER, "amy", target, mode);
	delta = share_of(s, CRED_USER, "amy")->delta;
	free_site(s);
	return delta;
}

static void F_27_a_target_works_in_both_directions(void **state)
{
	(void)state;
	assert_true(delta_with(20, 25, FS_TARGET) == 5);
	assert_true(delta_with(25, 25, FS_TARGET) == 0);
	assert_true(delta_with(65, 25, FS_TARGET) == -40);
}

static void F_28_a_floor_only_raises(void **state)
{
	(void)state;
	assert_true(delta_with(20, 25, FS_FLOOR) == 5);
	assert_true(delta_with(65, 25, FS_FLOOR) == 0);
}

static void F_29_a_ceiling_only_lowers(void **state)
{
	(void)state;
	assert_true(delta_with(20, 25, FS_CEILING) == 0);
	assert_true(delta_with(65, 25, FS_CEILING) == -40);
}

static void F_30_a_cap_does_not_change_priorities(void **state)
{
	(void)state;
	assert_true(delta_with(65, 25, FS_CAP_RELATIVE) == 0);
	assert_true(delta_with(65, 25, FS_CAP_ABSOLUTE) == 0);
}

static void F_07_with_a_percent_policy_the_factor_is_relative_to_the_target(void **state)
{
	struct site *s = site_with_usage(20);

	(void)state;
	set_target(s, CRED_USER, "amy", 25, FS_TARGET);
	for (enum fs_policy p = FS_DEDICATEDPS_PERCENT; p <= FS_UTILIZEDPS_PERCENT; p++) {
		s->policy.fs_policy = (uint8_t)p;
		assert_near(share_of(s, CRED_USER, "amy")->delta, 0.2);
	}
	set_target(s, CRED_USER, "amy", 10, FS_TARGET);
	assert_near(share_of(s, CRED_USER, "amy")->delta, -1);
	set_target(s, CRED_USER, "amy", 10, FS_FLOOR);
	assert_near(share_of(s, CRED_USER, "amy")->delta, 0);
	set_target(s, CRED_USER, "amy", 10, FS_CEILING);
	assert_near(share_of(s, CRED_USER, "amy")->delta, -1);
	set_target(s, CRED_USER, "amy", 1e-300, FS_TARGET);
	assert_true(share_of(s, CRED_USER, "amy")->delta == -1e9);
	free_site(s);
}

static void F_33_a_target_is_missed_by_more_than_five_points(void **state)
{
	static const struct {
		int64_t percent;
		enum fs_mode mode;
		bool missed;
	} row[] = {
		{20, FS_TARGET, false},       {19, FS_TARGET, true},     {30, FS_TARGET, false},
		{31, FS_TARGET, true},        {25, FS_FLOOR, false},     {24, FS_FLOOR, true},
		{99, FS_FLOOR, false},        {25, FS_CEILING, false},   {26, FS_CEILING, true},
		{1, FS_CEILING, false},       {99, FS_NO_TARGET, false}, {99, FS_CAP_RELATIVE, false},
		{99, FS_CAP_ABSOLUTE, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct site *s = site_with_usage(row[i].percent);

		set_target(s, CRED_USER, "amy", row[i].mode == FS_NO_TARGET ? 0 : 25, row[i].mode);
		assert_int_equal(share_of(s, CRED_USER, "amy")->missed, row[i].missed);
		free_site(s);
	}
}

static void F_26_the_default_target_applies_to_credentials_without_one(void **state)
{
	struct site *s = site_with_usage(20);

	(void)state;
	set_target(s, CRED_USER, CRED_DEFAULT, 30, FS_FLOOR);
	set_target(s, CRED_USER, "bob", 5, FS_TARGET);
	assert_near(share_of(s, CRED_USER, "amy")->delta, 10);
	assert_int_equal(share_of(s, CRED_USER, "amy")->mode, FS_FLOOR);
	assert_near(share_of(s, CRED_USER, "bob")->delta, 5);
	assert_int_equal(share_of(s, CRED_GROUP, "staff")->mode, FS_NO_TARGET);
	set_target(s, CRED_USER, CRED_DEFAULT, 30, FS_CAP_RELATIVE); /* applies only to DEFAULT itself */
	assert_int_equal(share_of(s, CRED_USER, "amy")->mode, FS_NO_TARGET);
	assert_int_equal(share_of(s, CRED_USER, CRED_DEFAULT)->mode, FS_CAP_RELATIVE);
	free_site(s);
}

static void without_usage_or_policy_there_is_no_delta(void **state)
{
	struct site *s = new_site(DAY, 7, 1);
	struct job *job = add_job(s, 1, HOUR);
	double delta[CRED_TYPE_COUNT];

	(void)state;
	set_target(s, CRED_USER, "amy", 25, FS_TARGET);
	job->cred[CRED_USER] = cred_of(s, CRED_USER, "amy");
	fairshare_deltas(built(s), job, delta);
	assert_true(delta[CRED_USER] == 0);
	had_used(s, CRED_USER, "amy", 0, 100);
	had_used_in_all(s, 0, 100);
	fairshare_deltas(built(s), job, delta);
	assert_true(delta[CRED_USER] == -75);
	s->policy.fs_policy = FS_NONE;
	fairshare_deltas(built(s), job, delta);
	assert_true(delta[CRED_USER] == 0);
	assert_true(s->f.off && s->f.total_usage == 0 && s->f.total[0] == 0);
	assert_false(s->f.share[job->cred[CRED_USER]].missed);
	free_site(s);
}

static void a_credential_that_came_after_the_build_has_no_delta(void **state)
{
	struct site *s = site_with_usage(20);
	struct job *job = add_job(s, 1, HOUR);
	struct fs_cap cap;
	double delta[CRED_TYPE_COUNT];

	(void)state;
	built(s);
	job->cred[CRED_USER] = cred_of(s, CRED_USER, "new");
	fairshare_deltas(&s->f, job, delta);
	assert_true(delta[CRED_USER] == 0);
	assert_true(fairshare_within_caps(&s->f, job, &s->machine, &cap));
	free_site(s);
}

static void P_44_job_x_has_minus_25000_points(void **state)
{
	static const struct {
		enum cred_type type;
		const char *name;
		int64_t usage;
		double target;
		enum fs_mode mode;
		double weight, delta;
	} row[] = {
		{CRED_USER, "A", 45, 50, FS_TARGET, 10, 5},
		{CRED_GROUP, "B", 65, 0, FS_NO_TARGET, 20, 0},
		{CRED_ACCOUNT, "C", 35, 25, FS_TARGET, 30, -10},
		{CRED_QOS, "3", 25, 10, FS_FLOOR, 40, 0},
		{CRED_CLASS, "E", 20, 0, FS_NO_TARGET, 0, 0},
	};
	struct site *s = new_site(DAY, 1, 1);
	struct job *job = add_job(s, 1, HOUR);
	struct prio_creds creds = {.priority = {0}};
	const struct prio_world world = {.now_s = T0, .procs = 128};
	double value[PRIO_FACTOR_COUNT];
	struct prio_result out;

	(void)state;
	had_used_in_all(s, 0, 100);
	s->policy.weights.factor[PRIO_SERV_QUEUETIME] = 0;
	s->policy.weights.component[PRIO_FS] = 100;
	for (size_t i = 0; i < COUNT(row); i++) {
		had_used(s, row[i].type, row[i].name, 0, row[i].usage);
		set_target(s, row[i].type, row[i].name, row[i].target, row[i].mode);
		job->cred[row[i].type] = cred_of(s, row[i].type, row[i].name);
		s->policy.weights.factor[PRIO_FS_USER + row[i].type] = row[i].weight;
	}
	fairshare_deltas(built(s), job, creds.fs_delta);
	for (size_t i = 0; i < COUNT(row); i++)
		assert_true(creds.fs_delta[row[i].type] == row[i].delta);
	priority_measure(job, &creds, &world, value);
	priority_weigh(&s->policy, &s->policy.weights, &creds, job, value, &out);
	assert_true(out.sum == -25000);
	free_site(s);
}

/* The time at which the caps permit a job of one processor and this wallclock limit. */
static int64_t clears_s(struct site *s, const char *user, int64_t wall_limit_s)
{
	struct job job = {.tasks = 1, .task_procs = 1, .wall_limit_s = wall_limit_s, .used_ps = -1};
	struct fs_world world;

	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		job.cred[type] = INDEX_NONE;
	job.cred[CRED_USER] = cred_of(s, CRED_USER, user);
	world = world_of(s);
	return fairshare_clears_s(built(s), &world, &job);
}

/* --- caps ----------------------------------------------------------------------------------------- */

static void F_30_an_absolute_cap_that_is_reached_or_would_be_exceeded_blocks(void **state)
{
	struct site *s = new_site(DAY, 2, 0.5);
	struct fs_cap cap;

	(void)state;
	had_used(s, CRED_USER, "amy", 0, 40000);
	had_used(s, CRED_USER, "amy", 1, 20000);
	had_used_in_all(s, 0, 40000);
	had_used_in_all(s, 1, 20000);
	set_target(s, CRED_USER, "amy", 50000, FS_CAP_ABSOLUTE);
	assert_false(passes(s, "amy", 1, &cap)); /* reached by usage without the job */
	assert_int_equal(cap.cred, cred_of(s, CRED_USER, "amy"));
	assert_int_equal(cap.mode, FS_CAP_ABSOLUTE);
	assert_true(cap.with_job == 50001 && cap.cap == 50000);
	assert_int_equal(clears_s(s, "amy", 1), T0 + DAY);
	set_target(s, CRED_USER, "amy", 53600, FS_CAP_ABSOLUTE);
	assert_true(passes(s, "amy", 3600, &cap)); /* reached, not exceeded */
	assert_false(passes(s, "amy", 3601, &cap));
	assert_int_equal(clears_s(s, "amy", 3601), T0 + DAY);
	assert_false(passes(s, "amy", 53601, &cap)); /* can never pass */
	assert_int_equal(clears_s(s, "amy", 53601), TIME_NEVER);
	assert_false(passes(s, "amy", 40000, &cap));
	assert_int_equal(clears_s(s, "amy", 40000), T0 + 2 * DAY);
	s->policy.fs_policy = FS_NONE;
	assert_true(passes(s, "amy", 3601, &cap));
	free_site(s);
}

static void F_30_a_relative_cap_blocks_by_the_share(void **state)
{
	struct site *s = site_with_usage(20);
	struct fs_cap cap;

	(void)state;
	set_target(s, CRED_USER, "amy", 25, FS_CAP_RELATIVE);
	assert_true(passes(s, "amy", 5, &cap));
	assert_false(passes(s, "amy", 6, &cap));
	assert_true(cap.with_job == 26 && cap.cap == 25);
	set_target(s, CRED_USER, "amy", 20, FS_CAP_RELATIVE);
	assert_false(passes(s, "amy", 1, &cap));
	free_site(s);
	s = new_site(DAY, 1, 1);
	set_target(s, CRED_USER, "amy", 20, FS_CAP_RELATIVE);
	assert_true(passes(s, "amy", 1000, &cap)); /* without usage there are no shares */
	free_site(s);
}

static void F_30_only_an_own_target_is_a_cap(void **state)
{
	struct site *s = site_with_usage(20);
	struct fs_cap cap;

	(void)state;
	set_target(s, CRED_USER, CRED_DEFAULT, 5, FS_CAP_RELATIVE);
	assert_true(passes(s, "amy", 1000, &cap));
	set_target(s, CRED_USER, CRED_DEFAULT, 5, FS_CAP_ABSOLUTE);
	assert_true(passes(s, "amy", 1000, &cap));
	assert_int_equal(share_of(s, CRED_USER, "amy")->mode, FS_NO_TARGET);
	set_target(s, CRED_USER, "amy", 5, FS_CEILING); /* a ceiling is no cap */
	assert_true(passes(s, "amy", 1000, &cap));
	free_site(s);
}

static void F_30_requested_equivalents_are_multiplied_by_time(void **state)
{
	struct site *s = new_site(DAY, 1, 1);
	struct job *job = add_job(s, 1, 100);
	struct fs_cap cap;

	(void)state;
	job->mem_mb = 64000; /* 64 equivalents */
	job->cred[CRED_GROUP] = cred_of(s, CRED_GROUP, "staff");
	set_target(s, CRED_GROUP, "staff", 6399, FS_CAP_ABSOLUTE);
	assert_true(fairshare_within_caps(built(s), job, &s->machine, &cap));
	s->policy.fs_policy = FS_DEDICATEDPES;
	assert_false(fairshare_within_caps(built(s), job, &s->machine, &cap));
	assert_true(cap.with_job == 6400);
	free_site(s);
}

/* If nothing runs, bob's usage has to age out; with a job of another user his share soon falls below the cap.
 */
static void mock_up_4_the_cap_of_bob_clears_sooner_when_others_run(void **state)
{
	struct site *s = guide_site();
	struct fs_cap cap;

	(void)state;
	assert_false(passes(s, "bob", 1, &cap));
	assert_int_equal(clears_s(s, "bob", 1), T0 + 4 * 12 * HOUR);
	add_job(s, 1, 2 * DAY)->cred[CRED_USER] = cred_of(s, CRED_USER, "eva");
	start_job(s, &s->job[0], T0);
	assert_int_equal(clears_s(s, "bob", 1), T0 + 37); /* 25.25 are 10 % of 252.5, and 216.25 were used */
	free_site(s);
}

/* A user with a cap and one without, running jobs, and a few windows. */
static struct site *random_site(struct rng *rng)
{
	static const char *const name[] = {"amy", "bob"};
	struct site *s = new_site(60 * (1 + (int64_t)rng_below(rng, 3)), 1 + (int64_t)rng_below(rng, 4),
				  0.25 * (double)(1 + rng_below(rng, 4)));
	bool relative = rng_below(rng, 4) > 0;

	s->now_s = T0 + (int64_t)rng_below(rng, 100);
	for (int back = 0; back < 4; back++)
		for (int u = 0; u < 2; u++) {
			int64_t ps = (int64_t)rng_below(rng, 300);

			had_used(s, CRED_USER, name[u], back, ps);
			had_used_in_all(s, back, ps);
		}
	set_target(s, CRED_USER, "amy", (double)(1 + rng_below(rng, relative ? 150 : 900)),
		   relative ? FS_CAP_RELATIVE : FS_CAP_ABSOLUTE);
	for (uint64_t i = rng_below(rng, 4); i > 0; i--) {
		uint32_t tasks = 1 + (uint32_t)rng_below(rng, 4);
		struct job *job = add_job(s, tasks, 20 + (int64_t)rng_below(rng, 300));

		job->cred[CRED_USER] = cred_of(s, CRED_USER, name[rng_below(rng, 2)]);
		start_job(s, job, s->now_s - (int64_t)rng_below(rng, 20));
	}
	return s;
}

static int by_end(const void *left, const void *right)
{
	const struct job *a = left, *b = right;

	return (int)(job_due_end_s(a) - job_due_end_s(b));
}

/* The first second at which the cap permits the job, tested second by second. */
static int64_t first_pass_s(struct site *s, int64_t wall_limit_s, int64_t until_s)
{
	struct fs_cap cap;

	for (; s->now_s <= until_s; s->now_s++) {
		for (uint32_t r = s->running_count; r-- > 0;)
			if (job_due_end_s(&s->job[s->running[r]]) <= s->now_s)
				end_job(s, &s->job[s->running[r]], s->now_s);
		if (passes(s, "amy", wall_limit_s, &cap))
			return s->now_s;
	}
	return TIME_NEVER;
}

static void a_cap_clears_at_the_first_second_at_which_the_job_passes(void **state)
{
	unsigned cleared = 0, never = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 12);
	for (unsigned i = 0; i < 300; i++) {
		struct site *s = random_site(&rng);
		int64_t wall_limit_s = 1 + (int64_t)rng_below(&rng, 200), expected_s, until_s = s->now_s;

		qsort(s->job, s->job_count, sizeof s->job[0], by_end);
		for (uint32_t r = 0; r < s->running_count; r++)
			s->running[r] = r;
		expected_s = clears_s(s, "amy", wall_limit_s);
		until_s += 400 + (s->policy.fs_depth + 2) * s->policy.fs_interval_s;
		assert_int_equal(first_pass_s(s, wall_limit_s, until_s), expected_s);
		cleared += expected_s != TIME_NEVER;
		never += expected_s == TIME_NEVER;
		free_site(s);
	}
	assert_true(cleared > 50 && never > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(F_11_without_decay_all_windows_count_in_full),
		cmocka_unit_test(F_12_weights_at_a_decay_of_080),
		cmocka_unit_test(F_13_weights_at_a_decay_of_075),
		cmocka_unit_test(F_14_weights_at_a_decay_of_050),
		cmocka_unit_test(F_15_more_windows_age_the_same_time_faster),
		cmocka_unit_test(F_23_john_has_used_31_79_percent),
		cmocka_unit_test(F_24_shares_are_of_the_total_usage),
		cmocka_unit_test(mock_up_4_shares_and_effects),
		cmocka_unit_test(mock_up_4_forecasts_of_the_next_rolls),
		cmocka_unit_test(an_idle_forecast_equals_the_later_shares),
		cmocka_unit_test(mock_up_4_shares_with_other_decay_and_depth),
		cmocka_unit_test(F_27_a_target_works_in_both_directions),
		cmocka_unit_test(F_28_a_floor_only_raises),
		cmocka_unit_test(F_29_a_ceiling_only_lowers),
		cmocka_unit_test(F_30_a_cap_does_not_change_priorities),
		cmocka_unit_test(F_07_with_a_percent_policy_the_factor_is_relative_to_the_target),
		cmocka_unit_test(F_33_a_target_is_missed_by_more_than_five_points),
		cmocka_unit_test(F_26_the_default_target_applies_to_credentials_without_one),
		cmocka_unit_test(without_usage_or_policy_there_is_no_delta),
		cmocka_unit_test(a_credential_that_came_after_the_build_has_no_delta),
		cmocka_unit_test(P_44_job_x_has_minus_25000_points),
		cmocka_unit_test(F_30_an_absolute_cap_that_is_reached_or_would_be_exceeded_blocks),
		cmocka_unit_test(F_30_a_relative_cap_blocks_by_the_share),
		cmocka_unit_test(F_30_only_an_own_target_is_a_cap),
		cmocka_unit_test(F_30_requested_equivalents_are_multiplied_by_time),
		cmocka_unit_test(mock_up_4_the_cap_of_bob_clears_sooner_when_others_run),
		cmocka_unit_test(a_cap_clears_at_the_first_second_at_which_the_job_passes),
	};

	return cmocka_run_group_tests_name("fairshare", tests, NULL, NULL);
}
