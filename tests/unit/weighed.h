/* SPDX-License-Identifier: MIT */
/*
 * weighed.h - a job beside a policy, whose priority is asked
 */
#ifndef TESTS_WEIGHED_H
#define TESTS_WEIGHED_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/model/cred.h"
#include "sched/model/job.h"
#include "sched/policy/priority.h"

#define HOUR     ((int64_t)3600)
#define NOON     ((int64_t)1774353600)
#define CLOSE(x) (1e-9 * (1 + fabs(x)))

static inline void assert_near(double value, double expected)
{
	if (fabs(value - expected) > CLOSE(expected))
		fail_msg("%.17g is not %.17g", value, expected);
}

/* One job and everything its priority depends on; tests change what they are about. */
struct scene {
	struct policy policy;
	struct prio_creds creds;
	struct prio_world world;
	struct job job;
};

/* A job of one processor and one hour that was submitted now; no factor has a weight. */
static inline struct scene plain_scene(void)
{
	struct scene s = {
		.world = {.now_s = NOON, .xfactor_min_wall_s = 120, .procs = 128, .mem_mb = 128000},
		.job = {.id = 1,
			.submit_s = NOON,
			.accrual_s = NOON,
			.not_before_s = TIME_NONE,
			.wall_limit_s = HOUR,
			.start_s = TIME_NONE,
			.planned_s = TIME_NEVER,
			.tasks = 1,
			.task_procs = 1,
			.state = JOB_IDLE},
	};

	policy_default(&s.policy);
	s.policy.weights.factor[PRIO_SERV_QUEUETIME] = 0;
	return s;
}

static inline void let_wait(struct scene *s, int64_t seconds)
{
	s->job.accrual_s = s->world.now_s - seconds;
}

static inline double measured(const struct scene *s, enum prio_factor f)
{
	double value[PRIO_FACTOR_COUNT];

	priority_measure(&s->job, &s->creds, &s->world, value);
	return value[f];
}

static inline struct prio_result weighed_from(const struct scene *s, const double *value)
{
	struct prio_result out;

	priority_weigh(&s->policy, &s->policy.weights, &s->creds, &s->job, value, &out);
	return out;
}

/* The breakdown; that the rank alone is the same, in both ways to find it, is asked of every scene. */
static inline struct prio_result weighed(const struct scene *s)
{
	double value[PRIO_FACTOR_COUNT];
	struct prio_terms terms;
	struct prio_base base;
	struct prio_own own;
	struct prio_result out;

	priority_terms_of(&s->policy.weights, &terms);
	priority_measure(&s->job, &s->creds, &s->world, value);
	out = weighed_from(s, value);
	assert_int_equal(priority_rank(&s->policy, &terms, &s->creds, &s->job, &s->world), out.rank);
	priority_base_of(&terms, &s->creds, &base);
	priority_own_of(&base, &s->job, &s->world, &own);
	if (s->job.state == JOB_IDLE)
		assert_int_equal(priority_rank_idle(&s->policy, &base, &own, &s->job, &s->world), out.rank);
	return out;
}

static inline struct scene with_sum(double sum)
{
	struct scene s = plain_scene();

	s.policy.weights.factor[PRIO_CRED_USER] = 1;
	s.creds.priority[CRED_USER] = sum;
	return s;
}

#endif
