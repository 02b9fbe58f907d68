/* SPDX-License-Identifier: MIT */
/*
 * throttle.c - limits and clear times, compared with a second implementation
 *
 * Random limits of every kind, scope and second credential, and random jobs that are counted and started one
 * after the other. After each step every answer is compared with an implementation without counters and
 * indexes, which sums all jobs for each limit. It finds clear times by trying each second.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/limited.h"
#include "tests/many.h"

#define MANY_JOBS 24

/* --- a simple implementation ----------------------------------------------------------------- */

static uint32_t cred_of(const struct site *s, const struct job *job, enum cred_type type)
{
	return job->cred[type] != INDEX_NONE ? job->cred[type] : s->world.no_cred[type];
}

static bool is_same_kind(const struct limit *a, const struct limit *b)
{
	return a->scope == b->scope && a->kind == b->kind && a->second_type == b->second_type;
}

/* True if this owner has a limit of the same kind, for this second credential (INDEX_NONE: for any). */
static bool has_limit(const struct site *s, uint32_t cred, const struct limit *like, uint32_t second)
{
	for (uint32_t i = 0; i < s->world.limit_count; i++)
		if (s->limit[i].cred == cred && is_same_kind(&s->limit[i], like) &&
		    (second == INDEX_NONE || s->limit[i].second == second))
			return true;
	return false;
}

/* True if the limit applies to the job; sets the job's credentials of the owner's and the second type. */
static bool applies(const struct site *s, const struct limit *limit, const struct job *job, uint32_t *cred,
		    uint32_t *second)
{
	*cred = *second = INDEX_NONE;
	if (limit->cred != INDEX_NONE) {
		*cred = cred_of(s, job, s->cred[limit->cred].type);
		if (*cred == INDEX_NONE)
			return false;
		if (*cred != limit->cred &&
		    (limit->cred >= CRED_TYPE_COUNT || has_limit(s, *cred, limit, INDEX_NONE)))
			return false;
	}
	if (limit->second_type == CRED_TYPE_COUNT)
		return true;
	*second = cred_of(s, job, (enum cred_type)limit->second_type);
	if (*second == INDEX_NONE)
		return false;
	return limit->second == *second ||
	       (limit->second == INDEX_NONE && !has_limit(s, limit->cred, limit, *second));
}

static bool is_idle(enum limit_scope scope)
{
	return scope == LIMIT_IDLE || scope == LIMIT_QUEUED || scope == LIMIT_OVERRIDE_IDLE;
}

static bool is_override(enum limit_scope scope)
{
	return scope == LIMIT_OVERRIDE_ACTIVE || scope == LIMIT_OVERRIDE_IDLE;
}

/* The limit of the job's QOS that overrides a limit, or the limit itself. */
static const struct limit *overriding_limit(const struct site *s, const struct limit *limit,
					    const struct job *job)
{
	enum limit_scope scope = limit->scope == LIMIT_IDLE ? LIMIT_OVERRIDE_IDLE : LIMIT_OVERRIDE_ACTIVE;
	const struct limit *for_all = limit;
	uint32_t cred, second;

	if ((limit->scope != LIMIT_ACTIVE && limit->scope != LIMIT_IDLE) || limit->kind == LIMIT_JOB ||
	    limit->cred == INDEX_NONE || s->cred[limit->cred].type == CRED_QOS)
		return limit;
	for (uint32_t i = 0; i < s->world.limit_count; i++) {
		const struct limit *o = &s->limit[i];

		if (o->scope != scope || o->kind != limit->kind || !applies(s, o, job, &cred, &second))
			continue;
		if (o->second_type == CRED_TYPE_COUNT)
			for_all = o;
		else if (o->second_type == limit->second_type)
			return o;
	}
	return for_all;
}

static int64_t left_s(const struct job *job, int64_t at_s)
{
	int64_t left = job->state == JOB_RUNNING ? job->start_s + job->wall_limit_s - at_s
						 : job->wall_limit_s - (at_s - NOW);

	return left > 0 ? left : 0;
}

/* The amount that a running job uses of a limit at at_s, or that a waiting job requests. */
static int64_t amount(const struct site *s, enum limit_kind kind, const struct job *job, int64_t at_s)
{
	double pe = job->tasks, as_procs = (double)job->mem_mb * job->tasks / 64;

	switch (kind) {
	case LIMIT_JOB:
		return 1;
	case LIMIT_PROC:
		return job->tasks;
	case LIMIT_NODE:
		if (job->run != INDEX_NONE)
			return s->run[job->run].nodes;
		return job->nodes == 0 && job->state == JOB_IDLE ? 1 : job->nodes;
	case LIMIT_PS:
		return job->tasks * left_s(job, at_s);
	case LIMIT_PE:
		return (int64_t)(as_procs > pe ? as_procs : pe);
	case LIMIT_WC:
		return left_s(job, at_s);
	case LIMIT_MEM:
		return job->mem_mb * job->tasks;
	default:
		return 0;
	}
}

/* True if the job has ended by then. An overdue job ends right after now. */
static bool is_gone(const struct job *job, int64_t at_s)
{
	return at_s > NOW && left_s(job, at_s) == 0;
}

static int64_t add_up(const struct site *s, const struct limit *limit, uint32_t cred, uint32_t second,
		      const struct job *but, int64_t at_s)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < s->world.job_count; i++) {
		const struct job *job = &s->job[i];
		bool counts = limit->scope == LIMIT_QUEUED ? s->stage[i] != WAITS
			      : is_idle(limit->scope)      ? s->stage[i] == ELIGIBLE
							   : s->stage[i] == RUNS;

		if (!counts || job == but || (s->stage[i] == RUNS && is_gone(job, at_s)) ||
		    (cred != INDEX_NONE && cred_of(s, job, s->cred[cred].type) != cred) ||
		    (second != INDEX_NONE && cred_of(s, job, s->cred[second].type) != second))
			continue;
		sum += amount(s, limit->kind, job, s->stage[i] == RUNS ? at_s : NOW);
	}
	return sum;
}

static int64_t order_of(const struct site *s, const struct limit *limit)
{
	int64_t type = limit->cred == INDEX_NONE ? CRED_TYPE_COUNT : s->cred[limit->cred].type;

	return (((limit->second_type != CRED_TYPE_COUNT) * 10 + type) * 10 + limit->kind) * 100 +
	       limit->second_type * 10 + limit->scope;
}

/* The first second at which the job is within the broken limit. */
static int64_t clears_s(const struct site *s, const struct limit *limit, const struct job *job,
			const struct limit_finding *f)
{
	int64_t at_s = NOW, end_s = NOW + 200;

	if ((is_idle(limit->scope) && limit->scope != LIMIT_QUEUED) || s->stage[job - s->job] == RUNS)
		end_s = NOW;
	while (at_s < end_s && add_up(s, limit, f->cred, f->second, job, at_s) + f->asked > f->limit)
		at_s++;
	return at_s < end_s ? at_s : TIME_NEVER;
}

/* The broken limit that clears last, and of several the first. Without a broken limit, *least is the smallest
 * amount that is left of a limit, INT64_MAX = no limit applies. */
static const struct limit *last_broken(const struct site *s, const struct job *job, bool idle,
				       enum limit_level level, struct limit_finding *out, int64_t *least)
{
	const struct limit *last = NULL;

	*least = INT64_MAX;
	for (uint32_t i = 0; i < s->world.limit_count; i++) {
		const struct limit *limit = &s->limit[i], *by;
		struct limit_finding f = {.kind = limit->kind, .level = level};

		if (is_idle(limit->scope) != idle ||
		    (is_override(limit->scope) && limit->kind != LIMIT_JOB) ||
		    !applies(s, limit, job, &f.cred, &f.second))
			continue;
		by = overriding_limit(s, limit, job);
		f.scope = by->scope;
		f.limit = level == LEVEL_SOFT ? by->soft : by->hard;
		f.used = add_up(s, limit, f.cred, f.second, job, NOW);
		f.asked = amount(s, limit->kind, job, NOW);
		if (f.limit == LIMIT_UNLIMITED)
			continue;
		if (f.limit - f.used - f.asked < *least)
			*least = f.limit - f.used - f.asked;
		if (f.used + f.asked <= f.limit)
			continue;
		f.clears_s = clears_s(s, limit, job, &f);
		if (last == NULL || f.clears_s > out->clears_s ||
		    (f.clears_s == out->clears_s && order_of(s, limit) < order_of(s, last))) {
			last = limit;
			*out = f;
		}
	}
	return last;
}

/* --- compared --------------------------------------------------------------------------------- */

static void check_answer(const struct site *s, const struct job *job, bool idle, enum limit_level level)
{
	struct limit_finding found, expected = {.clears_s = 0};
	bool within = idle ? throttle_idle(s->t, job, &found) : throttle_active(s->t, job, level, &found);
	int64_t least;
	const struct limit *broken = last_broken(s, job, idle, level, &expected, &least);

	assert_int_equal(within, broken == NULL);
	assert_int_equal(within,
			 idle ? throttle_idle(s->t, job, NULL) : throttle_active(s->t, job, level, NULL));
	if (broken == NULL) {
		if (least == INT64_MAX)
			assert_int_equal(found.kind, LIMIT_KIND_COUNT);
		else
			assert_int_equal(found.limit - found.used - found.asked, least);
		return;
	}
	assert_int_equal(found.kind, expected.kind);
	assert_int_equal(found.scope, expected.scope);
	assert_int_equal(found.level, level);
	assert_int_equal(found.cred, expected.cred);
	assert_int_equal(found.second, expected.second);
	assert_int_equal(found.limit, expected.limit);
	assert_int_equal(found.used, expected.used);
	assert_int_equal(found.asked, expected.asked);
	assert_int_equal(found.clears_s, expected.clears_s);
}

static void check_answers(const struct site *s)
{
	for (uint32_t i = 0; i < s->world.job_count; i++) {
		check_answer(s, &s->job[i], false, LEVEL_SOFT);
		check_answer(s, &s->job[i], false, LEVEL_HARD);
		check_answer(s, &s->job[i], true, LEVEL_HARD);
	}
}

static void check_visit(void *self, const struct limit *limit, uint32_t cred, uint32_t second, int64_t used)
{
	bool no_second = limit->second_type != CRED_TYPE_COUNT && second == INDEX_NONE;

	assert_int_equal(used, no_second ? 0 : add_up(self, limit, cred, second, NULL, NOW));
}

/* --- random sites ------------------------------------------------------------------------------- */

static uint32_t any_cred(struct rng *rng, enum cred_type type)
{
	uint32_t n = (uint32_t)rng_below(rng, NAMES + 2);

	return n == 0 ? type : n == 1 ? none_of(type) : named(type, n - 2);
}

static int64_t any_amount(struct rng *rng, enum limit_kind kind)
{
	static const uint64_t most[LIMIT_KIND_COUNT] = {6, 30, 12, 1500, 60, 300, 2000};

	return 1 + (int64_t)rng_below(rng, most[kind]);
}

static void any_limit(struct rng *rng, struct site *s)
{
	enum limit_scope scope = (enum limit_scope)rng_below(rng, LIMIT_SYSTEM);
	enum limit_kind kind =
		scope == LIMIT_QUEUED ? LIMIT_JOB : (enum limit_kind)rng_below(rng, LIMIT_KIND_COUNT);
	enum cred_type type = is_override(scope) ? CRED_QOS : (enum cred_type)rng_below(rng, CRED_TYPE_COUNT);
	int64_t hard = any_amount(rng, kind);
	struct limit *limit = add_limit(s, any_cred(rng, type), scope, kind, hard, hard);

	if (!is_override(scope) && rng_below(rng, 10) == 0)
		limit->cred = INDEX_NONE;
	if (rng_below(rng, 2) == 0)
		limit->soft = 1 + (int64_t)rng_below(rng, (uint64_t)hard);
	if (rng_below(rng, 20) == 0)
		limit->soft = limit->hard = LIMIT_UNLIMITED;
	if (rng_below(rng, 3) == 0) {
		limit->second_type = (uint8_t)rng_below(rng, CRED_TYPE_COUNT);
		limit->second = any_cred(rng, (enum cred_type)limit->second_type);
		if (limit->second < CRED_TYPE_COUNT)
			limit->second = INDEX_NONE;
	}
}

static void any_job(struct rng *rng, struct site *s)
{
	struct job *job = add_job(s, 1 + (uint32_t)rng_below(rng, 8), 1 + (int64_t)rng_below(rng, 90));
	uint32_t slot = (uint32_t)(job - s->job);

	job->nodes = (uint32_t)rng_below(rng, 4);
	job->mem_mb = (int64_t)rng_below(rng, 3) * 100;
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		if (rng_below(rng, 4) != 0)
			job->cred[type] = named((enum cred_type)type, (uint32_t)rng_below(rng, NAMES));
	if (rng_below(rng, 3) != 0)
		return;
	runs_since(s, job, NOW - (int64_t)rng_below(rng, 100));
	if (rng_below(rng, 2) == 0) {
		s->run[slot] =
			(struct alloc_run){.nodes = 1 + (uint32_t)rng_below(rng, 4), .next = INDEX_NONE};
		job->run = slot;
	}
}

static struct site *any_site(struct rng *rng)
{
	struct site *s = site_new();

	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		if (rng_below(rng, 2) == 0)
			s->world.no_cred[type] = none_of((enum cred_type)type);
	for (uint64_t n = 1 + rng_below(rng, 40); n > 0; n--)
		any_limit(rng, s);
	for (uint32_t n = 0; n < MANY_JOBS; n++)
		any_job(rng, s);
	return s;
}

/* The steps of a pass: jobs become eligible, and some of them start. */
static void any_steps(struct rng *rng, struct site *s)
{
	for (int step = 0; step < MANY_JOBS; step++) {
		uint32_t slot = (uint32_t)rng_below(rng, MANY_JOBS);

		if (rng_below(rng, 2) == 0) {
			throttle_count_idle(s->t, slot);
			s->stage[slot] = s->stage[slot] == WAITS ? ELIGIBLE : s->stage[slot];
		} else {
			throttle_count_start(s->t, slot);
			s->stage[slot] = RUNS;
		}
		check_answer(s, &s->job[rng_below(rng, MANY_JOBS)], false, LEVEL_HARD);
	}
}

/* A random change between passes: results that the throttle keeps from one pass must not be used after a
 * change. */
static void any_change(struct rng *rng, struct site *s)
{
	enum cred_type type = (enum cred_type)rng_below(rng, CRED_TYPE_COUNT);
	struct limit *limit = &s->limit[rng_below(rng, s->world.limit_count)];
	struct job *job = &s->job[rng_below(rng, MANY_JOBS)];

	switch (rng_below(rng, 6)) {
	case 0:
		limit->soft = limit->hard = any_amount(rng, (enum limit_kind)limit->kind);
		break;
	case 1:
		if (s->world.limit_count < ROOM)
			any_limit(rng, s);
		break;
	case 2:
		s->world.limit_count -= s->world.limit_count > 1;
		break;
	case 3:
		s->world.no_cred[type] = s->world.no_cred[type] == INDEX_NONE ? none_of(type) : INDEX_NONE;
		break;
	case 4:
		job->cred[type] =
			rng_below(rng, 4) == 0 ? INDEX_NONE : named(type, (uint32_t)rng_below(rng, NAMES));
		break;
	default: /* no change */
		break;
	}
}

static void answers_equal_a_sum_over_all_jobs_for_each_limit(void **state)
{
	struct rng rng = seeded("account");

	(void)state;
	for (unsigned i = 0; i < many(250); i++) {
		struct site *s = any_site(&rng);

		for (int pass = 0; pass < 5; pass++) { /* all but the first with reused memory */
			if (pass > 0)
				any_change(&rng, s);
			begin(s);
			for (uint32_t j = 0; j < MANY_JOBS; j++)
				s->stage[j] = s->job[j].state == JOB_RUNNING ? RUNS : WAITS;
			check_answers(s);
			any_steps(&rng, s);
			check_answers(s);
			throttle_each(s->t, check_visit, s);
		}
		site_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_equal_a_sum_over_all_jobs_for_each_limit),
	};

	return cmocka_run_group_tests_name("throttle", tests, NULL, NULL);
}
