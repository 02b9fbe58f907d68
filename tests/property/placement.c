/* SPDX-License-Identifier: MIT */
/*
 * placement.c - nothing is allocated twice, and the earliest start is found
 *
 * Random jobs are placed on random nodes, now and later; some are given back. A naive check examines every
 * claim second by second and node by node, without the cache of the placement: how much fits, the earliest
 * start of a job, and that access policies are respected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/seed.h"
#include "tests/unit/yard.h"

#define NODES   5
#define CLAIMS  64
#define PASSES  1500
#define STEPS   14
#define HORIZON 60

/* An allocation of a job on a node, as recorded by the test. */
struct noted {
	uint32_t node, slot, procs, tasks;
	int64_t begin_s, end_s;
};

struct check {
	struct yard y;
	struct noted claim[CLAIMS * NODES];
	size_t count;
};

static const struct job *job_of(const struct check *c, uint32_t slot)
{
	return &snapshot_jobs(c->y.s)[slot];
}

static bool holds_at(const struct noted *claim, uint32_t node, int64_t at_s)
{
	return claim->node == node && claim->begin_s <= at_s && at_s < claim->end_s;
}

/*
 * What is left of resource k (0 processors, 1 memory, 2 a generic resource) of a node, for jobs other than
 * `own`.
 */
static int64_t left(const struct check *c, uint32_t node, int64_t at_s, uint32_t own, int k)
{
	const struct node *n = &snapshot_nodes(c->y.s)[node];
	int64_t amount = k == 0 ? n->procs : k == 1 ? n->mem_mb : n->gres[0];

	for (size_t i = 0; i < c->count; i++) {
		const struct noted *claim = &c->claim[i];
		const struct job *job = job_of(c, claim->slot);

		if (!holds_at(claim, node, at_s) || claim->slot == own)
			continue;
		amount -= k == 0 ? claim->procs : claim->tasks * (k == 1 ? job->mem_mb : job->gres[0]);
	}
	return amount;
}

static uint8_t access_of(const struct check *c, uint32_t slot, uint32_t node)
{
	uint8_t of_node = snapshot_nodes(c->y.s)[node].access;
	uint8_t access = (uint8_t)snapshot_job_access(c->y.s, job_of(c, slot));

	return of_node > access ? of_node : access;
}

static bool get_along(const struct check *c, uint32_t node, uint32_t a, uint32_t b)
{
	uint8_t access = access_of(c, a, node), other = access_of(c, b, node);

	access = other > access ? other : access;
	return access <= ACCESS_SHARED || (access == ACCESS_SINGLEUSER &&
					   job_of(c, a)->cred[CRED_USER] == job_of(c, b)->cred[CRED_USER]);
}

/* Tasks of a job that fit on a node, second by second. */
static int64_t naive_tasks(const struct check *c, uint32_t slot, uint32_t node, int64_t begin_s)
{
	const struct node *n = &snapshot_nodes(c->y.s)[node];
	const struct job *job = job_of(c, slot);
	int64_t tasks = job->tasks;

	if ((n->features & job->features) != job->features)
		return 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->claim[i].node == node && c->claim[i].begin_s < begin_s + job->wall_limit_s &&
		    c->claim[i].end_s > begin_s && !get_along(c, node, slot, c->claim[i].slot))
			return 0;
	for (int64_t at_s = begin_s; at_s < begin_s + job->wall_limit_s; at_s++)
		for (int k = 0; k < 3; k++) {
			int64_t asked = k == 0 ? job->task_procs : k == 1 ? job->mem_mb : job->gres[0];
			int64_t fit = asked == 0 ? tasks : left(c, node, at_s, slot, k) / asked;

			tasks = fit < tasks ? fit : tasks;
		}
	return tasks - tasks % (job->tasks_per_node > 1 ? job->tasks_per_node : 1);
}

/* True if all tasks fit. For jobs that do not request both a number of nodes and tasks per node. */
static bool naive_fits(const struct check *c, uint32_t slot, int64_t begin_s)
{
	const struct job *job = job_of(c, slot);
	int64_t sum = 0, alike = 0;

	for (uint32_t n = 0; n < NODES; n++) {
		int64_t tasks = naive_tasks(c, slot, n, begin_s);

		sum += tasks;
		alike += job->nodes > 0 && tasks >= job->tasks / job->nodes;
	}
	return job->nodes > 0 ? alike >= job->nodes : sum >= job->tasks;
}

/* Later than now, a job can start only when another one ends. */
static int64_t naive_earliest(const struct check *c, uint32_t slot)
{
	int64_t best_s = TIME_NEVER;

	if (naive_fits(c, slot, 0))
		return 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->claim[i].end_s < best_s && naive_fits(c, slot, c->claim[i].end_s))
			best_s = c->claim[i].end_s;
	return best_s;
}

static void note(struct check *c, uint32_t slot, int64_t begin_s, int64_t end_s, const struct alloc_run *runs,
		 size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (uint32_t n = 0; n < runs[i].nodes; n++)
			c->claim[c->count++] = (struct noted){.node = runs[i].node + n,
							      .slot = slot,
							      .procs = runs[i].procs,
							      .tasks = runs[i].tasks,
							      .begin_s = begin_s,
							      .end_s = end_s};
}

static void forget(struct check *c, uint32_t slot)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->count; i++)
		if (c->claim[i].slot != slot)
			c->claim[kept++] = c->claim[i];
	c->count = kept;
}

/* At no time is anything held twice, and all access policies are respected. */
static void check_all(const struct check *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct noted *claim = &c->claim[i];

		for (int k = 0; k < 3; k++)
			assert_true(left(c, claim->node, claim->begin_s, INDEX_NONE, k) >= 0);
		for (size_t k = 0; k < c->count; k++)
			if (c->claim[k].slot != claim->slot &&
			    holds_at(&c->claim[k], claim->node, claim->begin_s))
				assert_true(get_along(c, claim->node, claim->slot, c->claim[k].slot));
	}
}

/* The job got what it requested. */
static void check_runs(const struct check *c, uint32_t slot, const struct alloc_list *runs)
{
	const struct job *job = job_of(c, slot);
	uint32_t tasks = 0, nodes = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct alloc_run *run = &runs->item[i];
		bool whole = access_of(c, slot, run->node) >= ACCESS_SINGLEJOB;

		assert_int_equal(run->procs, whole ? snapshot_nodes(c->y.s)[run->node].procs
						   : run->tasks * job->task_procs);
		if (job->tasks_per_node > 1)
			assert_int_equal(run->tasks % job->tasks_per_node, 0);
		tasks += run->nodes * run->tasks;
		nodes += run->nodes;
	}
	assert_int_equal(tasks, job->tasks);
	if (job->nodes > 0)
		assert_int_equal(nodes, job->nodes);
}

static uint32_t chance(struct rng *rng, uint32_t of)
{
	return rng_below(rng, of) == 0;
}

static struct job random_job(struct rng *rng, const uint32_t user[2])
{
	struct job job = {.tasks = 1 + (uint32_t)rng_below(rng, 6),
			  .task_procs = 1 + (uint32_t)rng_below(rng, 2),
			  .wall_limit_s = 1 + (int64_t)rng_below(rng, HORIZON / 3),
			  .mem_mb = chance(rng, 2) ? 100 * (int64_t)rng_below(rng, 4) : 0,
			  .features = chance(rng, 4),
			  .cred = {user[rng_below(rng, 2)]}};

	job.gres[0] = chance(rng, 5);
	if (chance(rng, 4)) {
		job.nodes = 1 + (uint32_t)rng_below(rng, 3);
		job.tasks = job.nodes * (1 + (uint32_t)rng_below(rng, 2));
	} else if (chance(rng, 4)) {
		job.tasks_per_node = 2;
		job.tasks *= 2;
	}
	job.access = (uint8_t)(chance(rng, 5) ? rng_below(rng, ACCESS_SINGLETASK + 1) : 0);
	job.allocation = (uint8_t)(chance(rng, 2) ? 1 + rng_below(rng, ALLOCATION_POLICY_COUNT) : 0);
	/* The naive check does not know blocks of adjacent nodes. */
	if (job.allocation == ALLOCATE_CONTIGUOUS + 1)
		job.allocation = 0;
	return job;
}

static void build_random(struct check *c, struct rng *rng)
{
	static const uint8_t access[] = {ACCESS_UNSET, ACCESS_UNSET, ACCESS_UNSET, ACCESS_SINGLEUSER,
					 ACCESS_SINGLEJOB};

	c->count = 0;
	yard_begin(&c->y);
	yard_trait(&c->y, TRAIT_GRES, "gpu");
	c->y.s->nodes_differ = 1;
	for (uint32_t n = 0; n < NODES; n++)
		yard_node(&c->y, "n",
			  (struct node){.procs = 1 + (uint32_t)rng_below(rng, 8),
					.mem_mb = 500 * (1 + (int64_t)rng_below(rng, 2)),
					.gres = {(uint32_t)rng_below(rng, 3)},
					.features = rng_below(rng, 2),
					.speed = 1 + (double)rng_below(rng, 3),
					.access = chance(rng, 2) ? access[rng_below(rng, 5)] : 0});
}

/* Places a job at its earliest start, or now; the result must be that of the naive check. */
static void place_random(struct check *c, struct placement *r, struct rng *rng, uint32_t slot)
{
	int64_t wall_s = job_of(c, slot)->wall_limit_s, expected_s = naive_earliest(c, slot), begin_s = 0;
	struct alloc_list runs = {0};

	if (chance(rng, 2)) {
		begin_s = placement_earliest(r, slot, 0, &runs);
		assert_true(begin_s == expected_s);
	} else {
		assert_int_equal(placement_find(r, slot, 0, wall_s, &runs), expected_s == 0);
		begin_s = expected_s == 0 ? 0 : TIME_NEVER;
	}
	if (begin_s != TIME_NEVER) {
		check_runs(c, slot, &runs);
		assert_true(placement_can_take(r, slot, begin_s, begin_s + wall_s, runs.item,
					       (uint32_t)runs.count));
		placement_take(r, slot, begin_s, begin_s + wall_s, runs.item, (uint32_t)runs.count);
		note(c, slot, begin_s, begin_s + wall_s, runs.item, runs.count);
		if (chance(rng, 4)) {
			placement_give_back(r, slot, begin_s, begin_s + wall_s, runs.item,
					    (uint32_t)runs.count);
			forget(c, slot);
		}
	}
	free(runs.item);
}

/* The amount that is reported to fit is the amount that is left. */
static void check_fit(const struct check *c, struct placement *r, struct rng *rng, uint32_t slot)
{
	const struct job *job = job_of(c, slot);
	int64_t begin_s = chance(rng, 2) ? 0 : (int64_t)rng_below(rng, HORIZON), sum = 0;
	enum lack lack;

	if (job->nodes > 0)
		return;
	for (uint32_t n = 0; n < NODES; n++)
		sum += naive_tasks(c, slot, n, begin_s);
	assert_int_equal(placement_fit(r, slot, begin_s, begin_s + job->wall_limit_s, &lack),
			 (sum < job->tasks ? sum : job->tasks) * job->task_procs);
}

/* A job with an equal request per node, but of a different size and length. */
static struct job another_like(const struct check *c, struct rng *rng, uint32_t slot)
{
	struct job job = *job_of(c, slot);

	job.flags = 0;
	job.wall_limit_s = 1 + (int64_t)rng_below(rng, HORIZON / 3);
	if (job.nodes == 0)
		job.tasks = (1 + (uint32_t)rng_below(rng, 6)) * (job.tasks_per_node > 1 ? 2 : 1);
	for (int i = 0; i < CRED_TYPE_COUNT; i++)
		job.cred[i] = job.cred[i] == INDEX_NONE ? 0 : job.cred[i];
	return job;
}

static void start_random(struct check *c, struct placement *r, uint32_t slot)
{
	int64_t wall_s = job_of(c, slot)->wall_limit_s;
	struct alloc_list runs = {0};

	placement_begin(r, c->y.s, 0);
	if (placement_find(r, slot, 0, wall_s, &runs)) {
		for (size_t i = 0; i < runs.count; i++)
			yard_start(&c->y, slot, runs.item[i]);
		note(c, slot, 0, wall_s, runs.item, runs.count);
	}
	free(runs.item);
}

/* One pass fills the machine; its starts run at the begin of the next one. */
static void random_machine(struct check *c, struct placement *r, struct rng *rng)
{
	const uint32_t user[2] = {yard_cred(&c->y, CRED_USER, "amy"), yard_cred(&c->y, CRED_USER, "bob")};
	uint32_t slot[STEPS];

	for (int k = 0; k < 3; k++)
		start_random(c, r, yard_job(&c->y, random_job(rng, user)));
	for (int k = 0; k < STEPS; k++)
		slot[k] = yard_job(&c->y, k > 0 && chance(rng, 2) ? another_like(c, rng, slot[k - 1])
								  : random_job(rng, user));
	placement_begin(r, c->y.s, 0);
	for (int k = 0; k < STEPS; k++) {
		check_fit(c, r, rng, slot[k]);
		place_random(c, r, rng, slot[k]);
		check_all(c);
	}
}

static void nothing_is_allocated_twice_and_the_earliest_start_is_found(void **state)
{
	struct rng rng = seeded("placement");
	struct placement *r = placement_new();

	(void)state;
	for (int pass = 0; pass < PASSES; pass++) {
		struct check c;

		build_random(&c, &rng);
		random_machine(&c, r, &rng);
		yard_end(&c.y);
	}
	placement_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_allocated_twice_and_the_earliest_start_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
