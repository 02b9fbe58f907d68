/* SPDX-License-Identifier: MIT */
/*
 * limits.c - running jobs never exceed a hard limit
 *
 * Random configurations with limits, fairshare, classes and dependencies, and random events. Before and after
 * every pass the usage of the running jobs is summed and compared with every hard limit of the configuration.
 * Fairshare usage has the same sum over users as over groups, as each job has one of each (F-21).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/policy/fairshare.h"
#include "sched/policy/throttle.h"
#include "tests/chance.h"
#include "tests/many.h"

#define STEPS 60

static const struct job *running_job(const struct snapshot *s, uint32_t i)
{
	return &snapshot_jobs(s)[snapshot_running(s)[i]];
}

/* --- hard limits --------------------------------------------------------------------------- */

static bool is_owner(const struct limit *limit, uint32_t cred, const struct snapshot *s)
{
	const struct cred *creds = snapshot_creds(s);

	if (limit->cred == cred)
		return true;
	if (limit->cred >= CRED_TYPE_COUNT || creds[cred].type != limit->cred)
		return false;
	/* A limit of the credential itself takes precedence over DEFAULT's. */
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		const struct limit *own = &snapshot_limits(s)[i];

		if (own->cred == cred && own->kind == limit->kind && own->scope == limit->scope &&
		    own->second_type == limit->second_type)
			return false;
	}
	return true;
}

/* True if the job's QOS overrides limits of this kind. */
static bool is_overridden(const struct snapshot *s, const struct job *job, unsigned kind)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		const struct limit *limit = &snapshot_limits(s)[i];

		if (limit->cred == job->cred[CRED_QOS] && limit->scope == LIMIT_OVERRIDE_ACTIVE &&
		    limit->kind == kind)
			return true;
	}
	return false;
}

/* The usage of the running jobs of a credential or a pair; *overridden: the QOS of one of them overrides the
 * limit. */
static int64_t add_up(const struct snapshot *s, int64_t now_s, enum limit_kind kind, uint32_t cred,
		      uint32_t second, bool *overridden)
{
	const struct machine machine = snapshot_machine(s);
	int64_t sum = 0;

	*overridden = false;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = running_job(s, i);

		if (job->cred[snapshot_creds(s)[cred].type] != cred ||
		    (second != INDEX_NONE && job->cred[snapshot_creds(s)[second].type] != second))
			continue;
		sum += throttle_amount(kind, job, &machine, s->policy.site.grace_s, now_s);
		*overridden = *overridden || is_overridden(s, job, kind);
	}
	return sum;
}

static unsigned check_limit(const struct snapshot *s, int64_t now_s, const struct limit *limit, uint32_t cred)
{
	unsigned met = 0;
	bool overridden;

	for (uint32_t second = 0; second < snapshot_count(s, TABLE_CREDS); second++) {
		uint32_t other = limit->second_type == CRED_TYPE_COUNT ? INDEX_NONE : second;
		int64_t sum;

		if (other != INDEX_NONE && (snapshot_creds(s)[other].type != limit->second_type ||
					    (limit->second != INDEX_NONE && limit->second != other)))
			continue;
		sum = add_up(s, now_s, limit->kind, cred, other, &overridden);
		if (!overridden && sum > limit->hard)
			fail_msg("%s of %s: %lld in use, %lld allowed", limit_name(limit->scope, limit->kind),
				 snapshot_string(s, snapshot_creds(s)[cred].name), (long long)sum,
				 (long long)limit->hard);
		met += sum == limit->hard;
		if (other == INDEX_NONE)
			break;
	}
	return met;
}

/* Returns how many limits are reached exactly. */
static unsigned check_limits(const struct snapshot *s, int64_t now_s)
{
	unsigned met = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		const struct limit *limit = &snapshot_limits(s)[i];

		if (limit->scope != LIMIT_ACTIVE)
			continue;
		for (uint32_t cred = CRED_TYPE_COUNT; cred < snapshot_count(s, TABLE_CREDS); cred++)
			if (is_owner(limit, cred, s))
				met += check_limit(s, now_s, limit, cred);
	}
	return met;
}

static void no_hard_limit_is_exceeded_at_any_instant(void **state)
{
	struct rng rng = seeded("limits");
	unsigned met = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = chance_scene(&rng, CHANCE_LIMITS);

		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc, CHANCE_LIMITS | CHANCE_DATES | CHANCE_TASKS, 0);
			met += check_limits(scene_view(sc), sc->now_s);
			scene_pass(sc);
			met += check_limits(scene_view(sc), sc->now_s);
		}
		scene_free(sc);
	}
	assert_true(met > 100);
	printf("# %u limits were met exactly\n", met);
}

/* --- fairshare ------------------------------------------------------------------------------------ */

static void check_sums(const struct snapshot *s, int64_t now_s, struct fairshare *f)
{
	struct fs_world world;

	snapshot_fs_world(s, now_s, &world);
	fairshare_build(f, &world);
	for (uint32_t w = 0; w < f->depth; w++) {
		int64_t sum[CRED_TYPE_COUNT] = {0};

		for (uint32_t c = 0; c < snapshot_count(s, TABLE_CREDS); c++)
			sum[snapshot_creds(s)[c].type] += f->share[c].window[w];
		assert_true(sum[CRED_USER] == f->total[w]);
		assert_true(sum[CRED_GROUP] == f->total[w]);
	}
}

static void usage_adds_up_to_the_same_over_users_and_groups(void **state)
{
	struct rng rng = seeded("shares");
	struct fairshare f = {0};
	int64_t used = 0;

	(void)state;
	for (unsigned i = 0; i < many(30); i++) {
		struct scene *sc = chance_scene(&rng, CHANCE_LIMITS);

		scene_set(sc, "fspolicy", "dedicatedps");
		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc, CHANCE_LIMITS, 0);
			scene_pass(sc);
			check_sums(scene_view(sc), sc->now_s, &f);
			used += f.total[0] > 0;
		}
		scene_free(sc);
	}
	assert_true(used > 100);
	fairshare_clear(&f);
}

/* --- determinism ------------------------------------------------------------------------------------ */

static void the_same_state_gives_the_same_pass(void **state)
{
	struct rng rng = seeded("again");

	(void)state;
	for (unsigned i = 0; i < many(30); i++) {
		struct scene *sc = chance_scene(&rng, CHANCE_LIMITS), *copy;

		for (int step = 0; step < STEPS / 2; step++) {
			chance_step(&rng, sc, CHANCE_LIMITS | CHANCE_TASKS, 4);
			copy = scene_copy(sc);
			scene_pass(sc);
			scene_pass(copy);
			assert_true(state_hash(scene_view(sc)) == state_hash(scene_view(copy)));
			scene_free(copy);
		}
		scene_free(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_hard_limit_is_exceeded_at_any_instant),
		cmocka_unit_test(usage_adds_up_to_the_same_over_users_and_groups),
		cmocka_unit_test(the_same_state_gives_the_same_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
