/* SPDX-License-Identifier: MIT */
/*
 * limited.h - a site with limits, and jobs that count against them
 *
 * What a throttle looks at, without a state around it. For tests that include cmocka.h.
 */
#ifndef TESTS_LIMITED_H
#define TESTS_LIMITED_H

#include <stdlib.h>

#include "sched/policy/throttle.h"

#define NOW   INT64_C(1000)
#define NAMES 3                                         /* of each type, besides DEFAULT and "none" */
#define CREDS ((uint32_t)CRED_TYPE_COUNT * (2 + NAMES)) /* DEFAULT of each type, none of each, others */
#define JOBS  80
#define ROOM  64 /* limits */

enum stage {
	WAITS,
	ELIGIBLE,
	RUNS
};

/* Everything the account looks at, and what has been counted. */
struct site {
	struct policy policy;
	struct cred cred[CREDS];
	struct limit limit[ROOM];
	struct job job[JOBS];
	struct alloc_run run[JOBS];
	uint32_t running[JOBS];
	enum stage stage[JOBS];
	struct throttle_world world;
	struct throttle *t;
};

static inline uint32_t none_of(enum cred_type type)
{
	return CRED_TYPE_COUNT + (uint32_t)type;
}

static inline uint32_t named(enum cred_type type, uint32_t n)
{
	return 2 * CRED_TYPE_COUNT + (uint32_t)type * NAMES + n;
}

static inline struct site *site_new(void)
{
	struct site *s = calloc(1, sizeof *s);

	assert_non_null(s);
	policy_default(&s->policy);
	for (uint32_t c = 0; c < 2 * CRED_TYPE_COUNT; c++)
		s->cred[c].type = c % CRED_TYPE_COUNT;
	for (uint32_t c = 2 * CRED_TYPE_COUNT; c < CREDS; c++)
		s->cred[c].type = (c - 2 * CRED_TYPE_COUNT) / NAMES;
	s->world = (struct throttle_world){
		.now_s = NOW,
		.policy = &s->policy,
		.machine = {.procs = 100, .mem_mb = 6400},
		.cred = s->cred,
		.cred_count = CREDS,
		.limit = s->limit,
		.job = s->job,
		.run = s->run,
		.running = s->running,
	};
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		s->world.no_cred[type] = INDEX_NONE;
	s->t = throttle_new();
	return s;
}

static inline void site_free(struct site *s)
{
	throttle_free(s->t);
	free(s);
}

static inline struct limit *add_limit(struct site *s, uint32_t cred, enum limit_scope scope,
				      enum limit_kind kind, int64_t soft, int64_t hard)
{
	struct limit *limit = &s->limit[s->world.limit_count++];

	assert_true(s->world.limit_count <= ROOM);
	*limit = (struct limit){.cred = cred,
				.kind = (uint8_t)kind,
				.scope = (uint8_t)scope,
				.second_type = CRED_TYPE_COUNT,
				.second = INDEX_NONE,
				.soft = soft,
				.hard = hard};
	return limit;
}

static inline void add_pair(struct site *s, uint32_t cred, enum limit_kind kind, enum cred_type type,
			    uint32_t second, int64_t hard)
{
	struct limit *limit = add_limit(s, cred, LIMIT_ACTIVE, kind, hard, hard);

	limit->second_type = (uint8_t)type;
	limit->second = second;
}

static inline int by_place(const void *a, const void *b)
{
	return limit_compare(a, b);
}

/* In order, each place once; and each owner knows its rows. */
static inline void arrange(struct site *s)
{
	uint32_t kept = 0;

	qsort(s->limit, s->world.limit_count, sizeof *s->limit, by_place);
	for (uint32_t i = 0; i < s->world.limit_count; i++)
		if (kept == 0 || limit_compare(&s->limit[kept - 1], &s->limit[i]) != 0)
			s->limit[kept++] = s->limit[i];
	s->world.limit_count = kept;
	for (uint32_t c = 0; c < CREDS; c++)
		s->cred[c].limit_count = 0;
	for (uint32_t i = 0; i < kept; i++)
		if (s->limit[i].cred != INDEX_NONE && s->cred[s->limit[i].cred].limit_count++ == 0)
			s->cred[s->limit[i].cred].limit_first = i;
}

static inline struct job *add_job(struct site *s, uint32_t procs, int64_t wall_limit_s)
{
	struct job *job = &s->job[s->world.job_count];

	assert_true(s->world.job_count < JOBS);
	*job = (struct job){.id = ++s->world.job_count,
			    .start_s = TIME_NONE,
			    .tasks = procs,
			    .task_procs = 1,
			    .wall_limit_s = wall_limit_s,
			    .run = INDEX_NONE,
			    .state = JOB_IDLE};
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		job->cred[type] = INDEX_NONE;
	return job;
}

static inline void runs_since(struct site *s, struct job *job, int64_t start_s)
{
	uint32_t slot = (uint32_t)(job - s->job);

	job->state = JOB_RUNNING;
	job->start_s = start_s;
	s->stage[slot] = RUNS;
	s->running[s->world.running_count++] = slot;
}

static inline void begin(struct site *s)
{
	arrange(s);
	throttle_begin(s->t, &s->world);
}

#endif
