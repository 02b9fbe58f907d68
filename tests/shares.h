/* SPDX-License-Identifier: MIT */
/*
 * shares.h - a site with past usage, for tests of fairshare
 *
 * Credentials and jobs are created when first named. For tests that include cmocka.h.
 */
#ifndef TESTS_SHARES_H
#define TESTS_SHARES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/policy/fairshare.h"

#define MINUTE   INT64_C(60)
#define HOUR     INT64_C(3600)
#define DAY      INT64_C(86400)
#define T0       INT64_C(1699920000) /* midnight */
#define CREDS    64
#define JOBS     512
#define CLOSE(x) (1e-9 * (1 + fabs(x)))

static inline void assert_near(double value, double expected)
{
	if (fabs(value - expected) > CLOSE(expected))
		fail_msg("%.17g is not %.17g", value, expected);
}

static inline void assert_printed(const char *format, double value, const char *expected)
{
	char text[32];

	snprintf(text, sizeof text, format, value); /* NOLINT(clang-diagnostic-format-nonliteral) */
	assert_string_equal(text, expected);
}

/* The input of fairshare. */
struct site {
	struct policy policy;
	struct machine machine;
	int64_t now_s;
	struct fs_window window[FS_DEPTH_MAX];
	struct usage usage[CREDS];
	struct cred cred[CREDS];
	const char *name[CREDS];
	uint32_t cred_count;
	struct job job[JOBS];
	uint32_t running[JOBS];
	uint32_t job_count, running_count;
	struct fairshare f;
};

static inline uint32_t cred_of(struct site *s, enum cred_type type, const char *name)
{
	uint32_t c;

	for (c = 0; c < s->cred_count; c++)
		if (s->cred[c].type == (uint32_t)type && strcmp(s->name[c], name) == 0)
			return c;
	assert_true(c < CREDS);
	s->cred[c] = (struct cred){.type = type, .usage = INDEX_NONE};
	s->name[c] = name;
	s->cred_count++;
	return c;
}

static inline struct site *new_site(int64_t interval_s, int64_t depth, double decay)
{
	struct site *s = calloc(1, sizeof *s);

	assert_non_null(s);
	policy_default(&s->policy);
	s->policy.fs_policy = FS_DEDICATEDPS;
	s->policy.fs_interval_s = interval_s;
	s->policy.fs_depth = depth;
	s->policy.fs_decay = decay;
	s->machine = (struct machine){.procs = 128, .mem_mb = 128000};
	s->now_s = T0;
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		cred_of(s, (enum cred_type)type, CRED_DEFAULT);
	return s;
}

static inline void free_site(struct site *s)
{
	fairshare_clear(&s->f);
	free(s);
}

static inline void set_target(struct site *s, enum cred_type type, const char *name, double target,
			      enum fs_mode mode)
{
	struct cred_attr *attr = &s->cred[cred_of(s, type, name)].attr;

	attr->fs_target = target;
	attr->fs_mode = (uint8_t)mode;
}

/* The column of a window; cleared if another window occupied it. */
static inline uint32_t column_of(struct site *s, int64_t begin_s, int64_t length_s)
{
	bool forget;
	uint32_t column = fs_column(s->window, begin_s, &forget);

	if (column == INDEX_NONE)
		return column;
	for (uint32_t c = 0; c < CREDS && forget; c++)
		s->usage[c].amount[column] = 0;
	if (forget || s->window[column].length_s == 0)
		s->window[column] = (struct fs_window){.begin_s = begin_s, .length_s = length_s};
	return column;
}

static inline void charge_cred(struct site *s, uint32_t c, uint32_t column, int64_t amount)
{
	s->cred[c].usage = c;
	s->usage[c].amount[column] += amount;
}

/* The column of window number `back` before the current one. */
static inline uint32_t column_back(struct site *s, int64_t back)
{
	int64_t interval_s = s->policy.fs_interval_s;

	return column_of(s, fs_window_begin(s->now_s, interval_s) - back * interval_s, interval_s);
}

static inline void had_used(struct site *s, enum cred_type type, const char *name, int64_t back, int64_t ps)
{
	charge_cred(s, cred_of(s, type, name), column_back(s, back), ps * FS_UNIT);
}

static inline void had_used_in_all(struct site *s, int64_t back, int64_t ps)
{
	s->window[column_back(s, back)].total += ps * FS_UNIT;
}

static inline struct job *add_job(struct site *s, uint32_t tasks, int64_t wall_limit_s)
{
	struct job *job = &s->job[s->job_count];

	assert_true(s->job_count < JOBS);
	*job = (struct job){.id = ++s->job_count,
			    .start_s = TIME_NONE,
			    .tasks = tasks,
			    .task_procs = 1,
			    .wall_limit_s = wall_limit_s,
			    .used_ps = -1,
			    .state = JOB_IDLE};
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		job->cred[type] = INDEX_NONE;
	return job;
}

static inline void start_job(struct site *s, struct job *job, int64_t start_s)
{
	job->state = JOB_RUNNING;
	job->start_s = start_s;
	s->running[s->running_count++] = (uint32_t)(job - s->job);
}

/* Adds the usage of a job to the table, as the event of its end does. */
static inline void end_job(struct site *s, struct job *job, int64_t end_s)
{
	int64_t interval_s = s->policy.fs_interval_s;

	for (int64_t w = fs_window_begin(job->start_s, interval_s); w < end_s; w += interval_s) {
		int64_t amount = fs_job_usage(fs_metric(s->policy.fs_policy), job, &s->machine, end_s, w,
					      w + interval_s);
		uint32_t column = column_of(s, w, interval_s);

		if (column == INDEX_NONE)
			continue;
		s->window[column].total += amount;
		for (int type = 0; type < CRED_TYPE_COUNT; type++)
			if (job->cred[type] != INDEX_NONE)
				charge_cred(s, job->cred[type], column, amount);
	}
	job->state = JOB_COMPLETED;
	for (uint32_t r = 0; r < s->running_count; r++)
		if (s->running[r] == (uint32_t)(job - s->job))
			s->running[r] = s->running[--s->running_count];
}

static inline struct fs_world world_of(const struct site *s)
{
	return (struct fs_world){
		.policy = &s->policy,
		.now_s = s->now_s,
		.machine = s->machine,
		.window = s->window,
		.usage = s->usage,
		.cred = s->cred,
		.cred_count = s->cred_count,
		.job = s->job,
		.running = s->running,
		.running_count = s->running_count,
	};
}

static inline const struct fairshare *built(struct site *s)
{
	const struct fs_world world = world_of(s);

	fairshare_build(&s->f, &world);
	return &s->f;
}

static inline const struct fs_share *share_of(struct site *s, enum cred_type type, const char *name)
{
	uint32_t c = cred_of(s, type, name);

	return &built(s)->share[c];
}

/* Whether the caps permit a job of one processor and this wallclock limit. */
static inline bool passes(struct site *s, const char *user, int64_t wall_limit_s, struct fs_cap *cap)
{
	struct job job = {.tasks = 1, .task_procs = 1, .wall_limit_s = wall_limit_s, .used_ps = -1};

	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		job.cred[type] = INDEX_NONE;
	job.cred[CRED_USER] = cred_of(s, CRED_USER, user);
	return fairshare_within_caps(built(s), &job, &s->machine, cap);
}

#endif
