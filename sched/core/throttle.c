/* SPDX-License-Identifier: MIT */
/*
 * throttle.c - is a job within its limits, given what is in use?
 *
 * Which credentials and pairs have to be counted follows from the limits: those of an owner's
 * type that some limit has. A counter is found by the credential's index, or, for pairs,
 * through a hash; the jobs of a pass are then added in one walk.
 */
#include "throttle_inside.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* --- what a job counts -------------------------------------------------------------------- */

static int64_t time_counted(const struct job *job, int64_t now_s)
{
	int64_t left_s;

	if (job->state != JOB_RUNNING)
		return job->wall_limit_s;
	left_s = job_due_end_s(job) - now_s;
	return left_s > 0 ? left_s : 0;
}

/* Neither is negative. */
static int64_t times(int64_t a, int64_t b)
{
	return b != 0 && a > INT64_MAX / b ? INT64_MAX : a * b;
}

int64_t throttle_amount(enum limit_kind kind, const struct job *job, const struct machine *machine,
			int64_t now_s)
{
	switch (kind) {
	case LIMIT_JOB:
		return 1;
	case LIMIT_PROC:
		return job_procs_counted(job);
	case LIMIT_NODE:
		return job->nodes;
	case LIMIT_PS:
		return times(job_procs_counted(job), time_counted(job, now_s));
	case LIMIT_PE:
		return (int64_t)job_pe(job, machine);
	case LIMIT_WC:
		return time_counted(job, now_s);
	case LIMIT_MEM:
		return times(job->mem_mb, job->tasks);
	case LIMIT_KIND_COUNT:
		break;
	}
	return 0;
}

static int64_t amount_of(const struct throttle *t, enum limit_kind kind, const struct job *job)
{
	return throttle_amount(kind, job, &t->world.machine, t->world.now_s);
}

/* --- counters -------------------------------------------------------------------------------- */

static uint32_t hash_pair(uint32_t cred, uint32_t second)
{
	uint64_t h = ((uint64_t)cred << 32 | second) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(h >> 32);
}

/* Where the pair stands in the hash, or the empty place where it would. */
static uint32_t hash_place(const struct throttle *t, uint32_t cred, uint32_t second)
{
	uint32_t mask = t->hash_room - 1, at = hash_pair(cred, second) & mask;

	while (t->hash[at] != INDEX_NONE &&
	       (t->counter[t->hash[at]].cred != cred || t->counter[t->hash[at]].second != second))
		at = (at + 1) & mask;
	return at;
}

struct counter *throttle_find(const struct throttle *t, uint32_t cred, uint32_t second)
{
	uint32_t i;

	if (!t->any)
		return NULL;
	if (second == INDEX_NONE && cred != INDEX_NONE)
		i = t->of_cred[cred];
	else
		i = t->hash[hash_place(t, cred, second)];
	return i == INDEX_NONE ? NULL : &t->counter[i];
}

static void grow_hash(struct throttle *t)
{
	t->hash_room = t->hash_room == 0 ? 64 : t->hash_room * 2;
	t->hash = mem_resize(t->hash, t->hash_room * sizeof *t->hash);
	memset(t->hash, 0xff, t->hash_room * sizeof *t->hash);
	for (uint32_t i = 0; i < t->count; i++)
		if (t->counter[i].second != INDEX_NONE || t->counter[i].cred == INDEX_NONE)
			t->hash[hash_place(t, t->counter[i].cred, t->counter[i].second)] = i;
}

static uint32_t new_counter(struct throttle *t, uint32_t cred, uint32_t second)
{
	size_t had = t->room;
	struct counter *c;

	t->counter = vec_room(t->counter, &t->room, t->count + 1, sizeof *t->counter);
	if (t->room > had) /* the lists of counters used before are kept */
		memset(&t->counter[had], 0, (t->room - had) * sizeof *t->counter);
	c = &t->counter[t->count];
	c->cred = cred;
	c->second = second;
	memset(c->active, 0, sizeof c->active);
	memset(c->idle, 0, sizeof c->idle);
	c->release_count = 0;
	c->released = false;
	return (uint32_t)t->count++;
}

static struct counter *counter_of(struct throttle *t, uint32_t cred, uint32_t second)
{
	uint32_t *place;

	if (second == INDEX_NONE && cred != INDEX_NONE) {
		place = &t->of_cred[cred];
	} else {
		if (2 * (t->count + 1) > t->hash_room)
			grow_hash(t);
		place = &t->hash[hash_place(t, cred, second)];
	}
	if (*place == INDEX_NONE)
		*place = new_counter(t, cred, second);
	return &t->counter[*place];
}

/* Calls each for every counter that a job counts in. */
static void each_counter(struct throttle *t, const struct job *job,
			 void (*each)(struct throttle *t, struct counter *c, const struct job *job))
{
	for (int owner = 0; owner < OWNER_COUNT; owner++) {
		uint32_t cred =
			owner == OWNER_SYSTEM ? INDEX_NONE : throttle_cred(t, job, (enum cred_type)owner);

		if (owner != OWNER_SYSTEM && cred == INDEX_NONE)
			continue;
		if (t->plain[owner])
			each(t, counter_of(t, cred, INDEX_NONE), job);
		for (int type = 0; type < CRED_TYPE_COUNT; type++) {
			uint32_t second = throttle_cred(t, job, (enum cred_type)type);

			if (t->pair[owner][type] && second != INDEX_NONE)
				each(t, counter_of(t, cred, second), job);
		}
	}
}

static void add_active(struct throttle *t, struct counter *c, const struct job *job)
{
	for (int k = 0; k < LIMIT_KIND_COUNT; k++)
		c->active[k] = add_amounts(c->active[k], amount_of(t, (enum limit_kind)k, job));
	c->released = false;
}

static void add_idle(struct throttle *t, struct counter *c, const struct job *job)
{
	for (int k = 0; k < LIMIT_KIND_COUNT; k++)
		c->idle[k] = add_amounts(c->idle[k], amount_of(t, (enum limit_kind)k, job));
}

static void take_idle(struct throttle *t, struct counter *c, const struct job *job)
{
	for (int k = 0; k < LIMIT_KIND_COUNT; k++)
		c->idle[k] -= amount_of(t, (enum limit_kind)k, job);
}

/* --- a pass ------------------------------------------------------------------------------------- */

struct throttle *throttle_new(void)
{
	return mem_zero(1, sizeof(struct throttle));
}

void throttle_free(struct throttle *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->room; i++)
		free(t->counter[i].release);
	free(t->counter);
	free(t->of_cred);
	free(t->hash);
	free(t->mark);
	free(t);
}

static void find_owners(struct throttle *t)
{
	memset(t->plain, 0, sizeof t->plain);
	memset(t->pair, 0, sizeof t->pair);
	t->system_count = 0;
	for (uint32_t i = 0; i < t->world.limit_count; i++) {
		const struct limit *limit = &t->world.limit[i];
		unsigned owner = limit->cred == INDEX_NONE ? OWNER_SYSTEM : t->world.cred[limit->cred].type;

		if (owner == OWNER_SYSTEM && t->system_count++ == 0)
			t->system_first = i;
		if (limit->second_type == CRED_TYPE_COUNT)
			t->plain[owner] = true;
		else
			t->pair[owner][limit->second_type] = true;
	}
}

static void clear_counters(struct throttle *t)
{
	t->count = 0;
	t->of_cred = vec_room(t->of_cred, &t->of_cred_room, t->world.cred_count, sizeof *t->of_cred);
	memset(t->of_cred, 0xff, t->world.cred_count * sizeof *t->of_cred);
	if (t->hash_room == 0)
		grow_hash(t);
	else
		memset(t->hash, 0xff, t->hash_room * sizeof *t->hash);
	t->mark = vec_room(t->mark, &t->mark_room, t->world.job_count + 1, 1);
	memset(t->mark, 0, t->world.job_count);
}

void throttle_begin(struct throttle *t, const struct throttle_world *world)
{
	t->world = *world;
	t->any = world->limit_count > 0;
	if (!t->any)
		return;
	find_owners(t);
	clear_counters(t);
	for (uint32_t i = 0; i < world->running_count; i++)
		each_counter(t, &world->job[world->running[i]], add_active);
}

bool throttle_any(const struct throttle *t)
{
	return t->any;
}

void throttle_count_idle(struct throttle *t, uint32_t slot)
{
	if (!t->any || t->mark[slot] != 0)
		return;
	t->mark[slot] = SLOT_IDLE;
	each_counter(t, &t->world.job[slot], add_idle);
}

void throttle_count_start(struct throttle *t, uint32_t slot)
{
	if (!t->any || t->mark[slot] == SLOT_STARTED)
		return;
	if (t->mark[slot] == SLOT_IDLE)
		each_counter(t, &t->world.job[slot], take_idle);
	t->mark[slot] = SLOT_STARTED;
	each_counter(t, &t->world.job[slot], add_active);
}

/* --- the job alone ---------------------------------------------------------------------------------- */

static const struct limit_finding nothing_binds = {
	.kind = LIMIT_KIND_COUNT, .cred = INDEX_NONE, .second = INDEX_NONE, .clears_s = TIME_NEVER};

/* Whether a single job keeps to a bound; *out is what it breaks, or the first that binds it. */
static bool alone(const struct throttle *t, const struct job *job, enum limit_scope scope,
		  enum limit_kind kind, uint32_t cred, int64_t most, int64_t least, struct limit_finding *out)
{
	int64_t asked = amount_of(t, kind, job);
	bool broken = (most > 0 && asked > most) || asked < least;

	if (broken || (out->kind == LIMIT_KIND_COUNT && most > 0))
		*out = (struct limit_finding){.kind = kind,
					      .scope = scope,
					      .level = LEVEL_HARD,
					      .cred = cred,
					      .second = INDEX_NONE,
					      .limit = asked < least ? least : most,
					      .asked = asked,
					      .clears_s = broken ? TIME_NEVER : t->world.now_s};
	return !broken;
}

bool throttle_system(const struct throttle *t, const struct job *job, struct limit_finding *out)
{
	const struct policy *p = t->world.policy;

	*out = nothing_binds;
	return alone(t, job, LIMIT_SYSTEM, LIMIT_PROC, INDEX_NONE, p->max_job_procs, 0, out) &&
	       alone(t, job, LIMIT_SYSTEM, LIMIT_WC, INDEX_NONE, p->max_job_wall_s, 0, out) &&
	       alone(t, job, LIMIT_SYSTEM, LIMIT_PS, INDEX_NONE, p->max_job_ps, 0, out);
}

bool throttle_class(const struct throttle *t, const struct job *job, struct limit_finding *out)
{
	uint32_t class = job->cred[CRED_CLASS];
	const struct cred_attr *own, *all = &t->world.cred[CRED_CLASS].attr;
	int64_t nodes_least;

	*out = nothing_binds;
	if (class == INDEX_NONE)
		return true;
	own = &t->world.cred[class].attr;
	/* Who names no number of nodes has not asked for too few. */
	nodes_least = job->nodes == 0 ? 0 : own->min_nodes != 0 ? own->min_nodes : all->min_nodes;
	return alone(t, job, LIMIT_CLASS, LIMIT_WC, class,
		     own->max_wall_s ? own->max_wall_s : all->max_wall_s,
		     own->min_wall_s ? own->min_wall_s : all->min_wall_s, out) &&
	       alone(t, job, LIMIT_CLASS, LIMIT_PROC, class, own->max_procs ? own->max_procs : all->max_procs,
		     own->min_procs ? own->min_procs : all->min_procs, out) &&
	       alone(t, job, LIMIT_CLASS, LIMIT_NODE, class, own->max_nodes ? own->max_nodes : all->max_nodes,
		     nodes_least, out);
}

/* --- beside others ------------------------------------------------------------------------------------ */

struct test {
	const struct throttle *t;
	const struct job *job;
	enum limit_level level;
	struct limit_finding *out;
	bool within;
};

/* A job that has been counted is not counted twice. */
static int64_t used_beside(const struct test *test, const struct bound *b)
{
	const struct throttle *t = test->t;
	const struct counter *c = throttle_find(t, b->cred, b->second);
	enum limit_kind kind = (enum limit_kind)b->limit->kind;
	uint8_t mark = t->mark[test->job - t->world.job];
	bool active = b->limit->scope == LIMIT_ACTIVE || b->limit->scope == LIMIT_OVERRIDE_ACTIVE;
	int64_t own = amount_of(t, kind, test->job);

	if (c == NULL)
		return 0;
	if (active)
		return c->active[kind] - (mark == SLOT_STARTED ? own : 0);
	if (b->limit->scope == LIMIT_QUEUED)
		return add_amounts(c->idle[kind], c->active[kind]) - (mark != 0 ? own : 0);
	return c->idle[kind] - (mark == SLOT_IDLE ? own : 0);
}

static bool test_bound(void *self, const struct bound *b)
{
	struct test *test = self;
	int64_t limit = test->level == LEVEL_SOFT ? b->soft : b->hard;
	struct limit_finding found = {
		.kind = (enum limit_kind)b->limit->kind,
		.scope = b->scope,
		.level = test->level,
		.cred = b->cred,
		.second = b->second,
		.limit = limit,
		.used = used_beside(test, b),
		.asked = amount_of(test->t, (enum limit_kind)b->limit->kind, test->job),
		.clears_s = test->t->world.now_s,
	};

	if (limit == LIMIT_UNLIMITED)
		return true;
	test->within = add_amounts(found.used, found.asked) <= limit;
	if (!test->within || test->out->kind == LIMIT_KIND_COUNT ||
	    limit - found.used - found.asked < test->out->limit - test->out->used - test->out->asked)
		*test->out = found;
	return test->within;
}

/* Only usage of active jobs goes away by itself. */
static void find_clearing(const struct throttle *t, struct limit_finding *out)
{
	struct counter *c = throttle_find(t, out->cred, out->second);

	out->clears_s = TIME_NEVER;
	if (c != NULL && (out->scope == LIMIT_ACTIVE || out->scope == LIMIT_OVERRIDE_ACTIVE))
		out->clears_s = throttle_clears(t, c, out->kind, out->limit - out->asked);
}

bool throttle_active(const struct throttle *t, const struct job *job, enum limit_level level,
		     struct limit_finding *out)
{
	struct test test = {.t = t, .job = job, .level = level, .out = out, .within = true};

	*out = nothing_binds;
	if (!t->any)
		return true;
	throttle_bind(t, job, false, test_bound, &test);
	if (!test.within)
		find_clearing(t, out);
	return test.within;
}

bool throttle_idle(const struct throttle *t, const struct job *job, struct limit_finding *out)
{
	struct test test = {.t = t, .job = job, .level = LEVEL_HARD, .out = out, .within = true};

	*out = nothing_binds;
	if (!t->any)
		return true;
	throttle_bind(t, job, true, test_bound, &test);
	if (!test.within)
		find_clearing(t, out);
	return test.within;
}

/* --- reports ----------------------------------------------------------------------------------------------
 */

static int64_t used_of(const struct counter *c, const struct limit *limit)
{
	if (limit->scope == LIMIT_ACTIVE || limit->scope == LIMIT_OVERRIDE_ACTIVE)
		return c->active[limit->kind];
	return limit->scope == LIMIT_QUEUED ? add_amounts(c->idle[limit->kind], c->active[limit->kind])
					    : c->idle[limit->kind];
}

/* Has the credential a limit of its own in this place? Then DEFAULT's is not for it. */
static bool has_own(const struct throttle *t, uint32_t cred, const struct limit *limit)
{
	const struct cred *owner = &t->world.cred[cred];

	for (uint32_t i = 0; i < owner->limit_count; i++) {
		const struct limit *own = &t->world.limit[owner->limit_first + i];

		if (own->kind == limit->kind && own->scope == limit->scope &&
		    own->second_type == limit->second_type)
			return true;
	}
	return false;
}

/* Is this counter one that the limit looks at? */
static bool counts_for(const struct throttle *t, const struct counter *c, const struct limit *limit)
{
	bool pair = limit->second_type != CRED_TYPE_COUNT;

	if (pair != (c->second != INDEX_NONE) ||
	    (pair && t->world.cred[c->second].type != limit->second_type) ||
	    (pair && limit->second != INDEX_NONE && limit->second != c->second))
		return false;
	if (limit->cred == INDEX_NONE || c->cred == INDEX_NONE)
		return limit->cred == c->cred;
	if (limit->cred >= CRED_TYPE_COUNT)
		return limit->cred == c->cred;
	return t->world.cred[c->cred].type == t->world.cred[limit->cred].type && !has_own(t, c->cred, limit);
}

void throttle_each(const struct throttle *t, limit_visit *visit, void *self)
{
	for (uint32_t i = 0; t->any && i < t->world.limit_count; i++) {
		const struct limit *limit = &t->world.limit[i];
		bool seen = false;

		for (size_t k = 0; k < t->count; k++) {
			const struct counter *c = &t->counter[k];

			if (!counts_for(t, c, limit))
				continue;
			seen = true;
			visit(self, limit, c->cred, c->second, used_of(c, limit));
		}
		if (!seen)
			visit(self, limit, limit->cred, limit->second, 0);
	}
}
