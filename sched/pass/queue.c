/* SPDX-License-Identifier: MIT */
/*
 * queue.c - the idle, blocked and active jobs of a pass
 *
 * First each job is tested on its own: by the gates that do not depend on other jobs, and its rank is
 * computed. The jobs that pass are the candidates, sorted by rank. If the site has limits, the candidates are
 * then tested against the limits one after the other, in the order of promotion.
 *
 * A projection builds the queue thousands of times while few jobs change (queue.keeps). Then the record of a
 * job is not read again until the job changes, and a sleeper is not even ranked: a job that an idle limit
 * kept out in the last build and whose queue time is stopped. The ranks of all sleepers with the same
 * credentials change by the same amount, so they remain kept out while the limit is used up before the turn
 * of the first of them.
 */
#include "queue.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/placement/placement.h"
#include "sched/policy/fairshare_steady.h"
#include "sched/policy/priority.h"

/* What all jobs with the same credentials have in common. */
struct queue_set {
	struct prio_base base;
	bool has_cap; /* some credential has a fairshare cap */
	bool is_known;
};

/* What is known of a candidate that passes the gates of single jobs, and will pass them until it changes. */
struct standing {
	struct prio_own own;
	uint32_t generation; /* value of queue.generation when this was found; otherwise, nothing is known */
	uint32_t set;        /* index of the set of its credentials */
	bool paused;         /* its queue time is stopped */
	bool asleep;         /* an idle limit keeps it out; see the head of this file */
};

/* The sleepers with the same credentials. */
struct sleepers {
	uint32_t count;
	uint32_t slot, order; /* the first of them: its slot, and its index in WAITING */
	bool awake;           /* they are tested in this build, or, between two builds, in the next */
};

/* --- ranks ------------------------------------------------------------------------------- */

/*
 * Computes the part of the priority input that depends on the job's credentials, including fairshare factors.
 */
static void find_creds(const struct snapshot *s, const struct job *job, const struct fairshare *shares,
		       struct prio_creds *out)
{
	snapshot_job_creds(s, job, out);
	if (!shares->off)
		fairshare_deltas(shares, job, out->fs_delta);
}

int64_t queue_rank_next(const struct snapshot *s, const struct job *job, const struct prio_world *world,
			const struct fairshare *shares, struct prio_terms *terms)
{
	const struct prio_weights *weights = snapshot_job_weights(s, job);
	struct prio_creds creds;

	if (terms->weights != weights)
		priority_terms_of(weights, terms);
	find_creds(s, job, shares, &creds);
	return priority_rank(&s->policy, terms, &creds, job, world);
}

int64_t queue_rank(const struct snapshot *s, const struct job *job, const struct prio_world *world,
		   const struct fairshare *shares)
{
	struct prio_terms terms = {.weights = NULL};

	return queue_rank_next(s, job, world, shares, &terms);
}

void queue_priority(const struct snapshot *s, const struct job *job, int64_t now_s,
		    const struct fairshare *shares, struct prio_result *out)
{
	double value[PRIO_FACTOR_COUNT];
	struct prio_creds creds;
	struct prio_world world;

	find_creds(s, job, shares, &creds);
	snapshot_world(s, now_s, &world);
	priority_measure(job, &creds, &world, value);
	priority_weigh(&s->policy, snapshot_job_weights(s, job), &creds, job, value, out);
}

/* --- promotion ---------------------------------------------------------------------------- */

static int compare_oldest(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_newest(const void *a, const void *b)
{
	return compare_oldest(b, a);
}

/*
 * Moves the jobs that were eligible before the pass to the front, because they stay eligible. Returns their
 * number.
 */
static uint32_t eligible_first(const struct snapshot *s, struct queued *item, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct queued q = item[i];

		if ((snapshot_jobs(s)[q.slot].flags & JOB_ELIGIBLE) == 0)
			continue;
		item[i] = item[kept];
		item[kept++] = q;
	}
	return kept;
}

static void sort_by_promotion(const struct snapshot *s, struct queued *item, uint32_t count)
{
	uint32_t kept;

	if (count < 2)
		return;
	switch ((enum idle_promotion)s->policy.idle_promotion) {
	case PROMOTE_PRIORITY:
		return;
	case PROMOTE_OLDEST:
		qsort(item, count, sizeof *item, compare_oldest);
		return;
	case PROMOTE_NEWEST:
		kept = eligible_first(s, item, count);
		qsort(item, kept, sizeof *item, compare_oldest);
		qsort(item + kept, count - kept, sizeof *item, compare_newest);
		return;
	}
}

/* --- building ------------------------------------------------------------------------------- */

static void make_room(struct queue *q, const struct snapshot *s)
{
	size_t waiting = snapshot_count(s, TABLE_WAITING);

	q->idle = vec_room(q->idle, &q->idle_room, waiting, sizeof *q->idle);
	q->candidate = vec_room(q->candidate, &q->candidate_room, waiting, sizeof *q->candidate);
	q->blocked = vec_room(q->blocked, &q->blocked_room, waiting, sizeof *q->blocked);
	q->blocked_reason = vec_room(q->blocked_reason, &q->reason_room, waiting, sizeof *q->blocked_reason);
	q->blocked_at = vec_room(q->blocked_at, &q->blocked_at_room, waiting, sizeof *q->blocked_at);
	q->paused = vec_room(q->paused, &q->paused_room, waiting, sizeof *q->paused);
	q->failed = vec_room(q->failed, &q->failed_room, waiting, sizeof *q->failed);
	q->turn = vec_room(q->turn, &q->turn_room, waiting, sizeof *q->turn);
	q->standing = vec_zeroed(q->standing, &q->standing_room, snapshot_count(s, TABLE_JOBS),
				 sizeof *q->standing);
}

/* Prepares the sets of credentials. If they have been discarded, nothing that is known can be kept. */
static void begin_cred_sets(struct queue *q, const struct snapshot *s)
{
	uint32_t had = q->sets.count;

	cred_sets_begin(&q->sets, snapshot_count(s, TABLE_JOBS));
	q->keeps = q->keeps && q->generation > 0 && q->sets.count >= had;
	if (!q->keeps && ++q->generation == 0)
		q->generation = 1;
}

static struct job_least least_held(void *placement, uint32_t slot)
{
	return placement_least_held(placement, slot);
}

void queue_begin(struct queue *q, const struct snapshot *s, int64_t now_s)
{
	struct throttle_world limits;
	struct fs_world usage;

	if (q->throttle == NULL)
		q->throttle = throttle_new();
	if (q->machine == NULL)
		q->machine = placement_new();
	placement_begin(q->machine, s, now_s);
	begin_cred_sets(q, s);
	snapshot_throttle_world(s, now_s, &limits);
	limits.sets = &q->sets;
	limits.keeps_requests = q->keeps;
	limits.least_held = least_held;
	limits.self = q->machine;
	throttle_begin(q->throttle, &limits);
	array_throttle_begin(&q->array_throttle, s);
	if (s->policy.fs_policy == FS_NONE) {
		if (!q->shares.off)
			fairshare_clear(&q->shares);
		q->shares.off = true;
		return;
	}
	snapshot_fs_world(s, now_s, &usage);
	fairshare_build(&q->shares, &usage);
}

struct gate_context queue_context(const struct queue *q, const struct snapshot *s, int64_t now_s)
{
	return (struct gate_context){
		.s = s,
		.now_s = now_s,
		.throttle = q->throttle,
		.array_throttle = &q->array_throttle,
		.shares = q->shares.off ? NULL : &q->shares,
		.machine = q->machine,
	};
}

/* The gates that every job passes that requests no hosts, features or the like (JOB_PARTICULAR). */
struct open_gates {
	bool feasible; /* all processors are equal, so that only the size of a job matters */
	bool limits;   /* neither a class nor the system limits single jobs */
};

static bool is_unbounded(const struct cred *class)
{
	const struct cred_attr *a = &class->attr;

	return (a->max_wall_s | a->min_wall_s | a->max_procs | a->min_procs | a->max_nodes | a->min_nodes) ==
	       0;
}

static struct open_gates find_open_gates(const struct snapshot *s)
{
	const struct policy *p = &s->policy;
	const struct node *first = snapshot_count(s, TABLE_NODES) > 0 ? snapshot_nodes(s) : NULL;
	struct open_gates open = {
		.feasible =
			!s->nodes_differ && (first == NULL || (first->partition == 0 && first->classes == 0)),
		.limits = p->max_job_procs == 0 && p->max_job_wall_s == 0 && p->max_job_ps == 0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS) && open.limits; i++)
		open.limits = snapshot_creds(s)[i].type != CRED_CLASS || is_unbounded(&snapshot_creds(s)[i]);
	return open;
}

static bool is_reached(int64_t at_s, int64_t now_s)
{
	return at_s == TIME_NONE || at_s <= now_s;
}

/*
 * True if the job has no hold and no dependency, and its defer and start date have passed: then it passes all
 * gates before GATE_NEGATIVE.
 */
static bool is_free(const struct job *job, int64_t now_s)
{
	return job->holds == 0 && job->depend == INDEX_NONE && is_reached(job->defer_until_s, now_s) &&
	       is_reached(job->not_before_s, now_s);
}

/* True if the job certainly passes the gates from GATE_NEGATIVE up to, but not including, GATE_ARRAY. */
static bool passes_alone(const struct gate_context *ctx, const struct open_gates *open, const struct job *job)
{
	return open->feasible && open->limits && (job->flags & JOB_PARTICULAR) == 0 &&
	       job_procs(job) <= ctx->s->procs_total && (ctx->rank >= 0 || !ctx->s->policy.reject_negative);
}

/*
 * Computes the values that are the same for all jobs with a set of credentials. All jobs of a set are in the
 * same partition.
 */
static const struct queue_set *find_set(struct queue *q, const struct gate_context *ctx, uint32_t at,
					const struct job *job)
{
	const struct prio_weights *weights = snapshot_job_weights(ctx->s, job);
	struct prio_terms *terms = &q->terms[job->partition];
	struct queue_set *set = &q->of_set[at];
	struct prio_creds creds;

	if (terms->weights != weights)
		priority_terms_of(weights, terms);
	find_creds(ctx->s, job, &q->shares, &creds);
	priority_base_of(terms, &creds, &set->base);
	set->has_cap = fairshare_has_cap(&q->shares, job);
	q->capped |= set->has_cap;
	set->is_known = true;
	return set;
}

/* The values of a set of credentials; job is any job of the set. */
static inline const struct queue_set *set_at(struct queue *q, const struct gate_context *ctx, uint32_t at,
					     const struct job *job)
{
	if (at < q->of_set_count && q->of_set[at].is_known)
		return &q->of_set[at];
	while (at >= q->of_set_count) {
		q->of_set =
			vec_room(q->of_set, &q->of_set_room, (size_t)q->of_set_count + 1, sizeof *q->of_set);
		q->of_set[q->of_set_count++].is_known = false;
	}
	return find_set(q, ctx, at, job);
}

static void begin_sets(struct queue *q, const struct snapshot *s)
{
	uint32_t partitions = snapshot_count(s, TABLE_PARTITIONS) + 1;

	q->of_set_count = 0;
	q->terms = vec_room(q->terms, &q->terms_room, partitions, sizeof *q->terms);
	for (uint32_t i = 0; i < partitions; i++)
		q->terms[i].weights = NULL;
}

/* Jobs are prefetched, because a pass reads thousands of them, more than the caches of a processor hold. */
#define FETCHED_AHEAD 6
#define CACHE_LINE    64

static inline void fetch_job(const struct job *job)
{
	const char *first = (const char *)job, *last = first + JOB_READ_BY_PASSES - 1;

	for (const char *at = first; at < last; at += CACHE_LINE)
		__builtin_prefetch(at);
	__builtin_prefetch(last);
}

static inline bool is_kept(const struct queue *q, const struct standing *known)
{
	return known->generation == q->generation;
}

/* A job that leaves makes room below the idle limits that counted it. */
void queue_forget(struct queue *q, uint32_t slot, bool leaves)
{
	if (slot >= q->standing_room || !is_kept(q, &q->standing[slot]))
		return;
	for (uint32_t i = 0; leaves && i < q->sleepers_count; i++)
		q->sleepers[i].awake =
			q->sleepers[i].awake || throttle_shares_limit(q->throttle, i, q->standing[slot].set);
	q->standing[slot].generation = q->generation - 1;
}

static int64_t rank_of(struct queue *q, const struct gate_context *ctx, const struct standing *known,
		       uint32_t slot, const struct prio_world *world)
{
	const struct job *job = &snapshot_jobs(ctx->s)[slot];

	return priority_rank_idle(&ctx->s->policy, &set_at(q, ctx, known->set, job)->base, &known->own, job,
				  world);
}

/*
 * Reads the record of a job: tests the gates that do not depend on other jobs, and sets ctx->rank. Only jobs
 * that reach GATE_NEGATIVE are ranked, so that thousands of held jobs cost little. Two shortcuts (is_free,
 * passes_alone) suffice for most jobs; what is found of these jobs is kept.
 */
static enum gate examine(struct queue *q, struct gate_context *ctx, const struct open_gates *open,
			 const struct prio_world *world, uint32_t slot, struct reason *reason)
{
	const struct job *job = &snapshot_jobs(ctx->s)[slot];
	struct standing *known = &q->standing[slot];
	enum gate failed = GATE_NONE;

	*known = (struct standing){.generation = q->generation - 1,
				   .paused = (job->flags & JOB_ACCRUAL_PAUSED) != 0};
	if (!is_free(job, ctx->now_s))
		failed = gate_first_between(ctx, job, GATE_NONE + 1, GATE_NEGATIVE, reason);
	if (failed != GATE_NONE)
		return failed;
	known->set = cred_sets_find(&q->sets, slot, job);
	throttle_tell_set(q->throttle, job, known->set);
	priority_own_of(&set_at(q, ctx, known->set, job)->base, job, world, &known->own);
	ctx->rank = rank_of(q, ctx, known, slot, world);
	if (!passes_alone(ctx, open, job))
		return gate_first_between(ctx, job, GATE_NEGATIVE, GATE_ARRAY, reason);
	if (is_free(job, ctx->now_s) && !ctx->s->policy.reject_negative)
		known->generation = q->generation;
	return GATE_NONE;
}

/* --- sleepers -------------------------------------------------------------------------------- */

/* True if jobs may sleep: nothing but idle limits and ranks decides their turn, and nobody wants reasons. */
static bool may_sleep(const struct queue *q, const struct snapshot *s)
{
	return q->keeps && q->brief && throttle_any(q->throttle) && !q->array_throttle.any &&
	       s->policy.idle_promotion == PROMOTE_PRIORITY;
}

/* True if the ranks of all jobs of the set whose queue time is stopped change by the same amount. */
static bool moves_together(const struct queue_set *set)
{
	return !set->base.has_targets && !set->has_cap &&
	       set->base.service[PRIO_SERV_BYPASS - PRIO_SERV_QUEUETIME].weight == 0;
}

/* Notes whether a job that was tested sleeps from now on. */
static void note_sleep(struct queue *q, const struct queued *one, enum throttle_turn turn)
{
	struct standing *known = &q->standing[one->slot];

	known->asleep = turn == TURN_IDLE && is_kept(q, known) && known->paused && !known->own.is_adjusted &&
			moves_together(&q->of_set[known->set]) && throttle_is_shut(q->throttle, known->set);
}

static void begin_sleepers(struct queue *q)
{
	q->sleepers = vec_room(q->sleepers, &q->sleepers_room, q->sets.count, sizeof *q->sleepers);
	while (q->sleepers_count < q->sets.count)
		q->sleepers[q->sleepers_count++].awake = false;
	for (uint32_t i = 0; i < q->sleepers_count; i++)
		q->sleepers[i].count = 0;
}

/* Adds a sleeper at an index of WAITING. Of the sleepers of a set, the first has the largest request. */
static void add_sleeper(struct queue *q, uint32_t slot, uint32_t order)
{
	struct sleepers *sleepers = &q->sleepers[q->standing[slot].set];

	if (sleepers->count++ > 0 && q->standing[slot].own.request <= q->standing[sleepers->slot].own.request)
		return;
	sleepers->slot = slot;
	sleepers->order = order;
}

/* Lists the first sleeper of each set by rank. */
static void list_tops(struct queue *q, const struct gate_context *ctx, const struct prio_world *world)
{
	q->top = vec_room(q->top, &q->top_room, q->sleepers_count, sizeof *q->top);
	q->top_count = 0;
	for (uint32_t i = 0; i < q->sleepers_count; i++) {
		const struct sleepers *sleepers = &q->sleepers[i];

		if (sleepers->count > 0)
			q->top[q->top_count++] = (struct queued){
				.rank = rank_of(q, ctx, &q->standing[sleepers->slot], sleepers->slot, world),
				.slot = sleepers->slot,
				.order = sleepers->order};
	}
	queue_sort(&q->sorting, q->top, q->top_count);
}

/*
 * Called in the order of rank, before the turn of the first job that does not have a higher rank than these
 * sleepers. Wakes them if one of them could have a turn. Returns whether they stay asleep.
 */
static bool stay_asleep(struct queue *q, const struct queued *top)
{
	uint32_t set = q->standing[top->slot].set;

	q->sleepers[set].awake = !throttle_is_shut(q->throttle, set);
	return !q->sleepers[set].awake;
}

/* Inserts the first sleepers into the sorted list of candidates. Returns the new number of candidates. */
static uint32_t insert_tops(struct queue *q, uint32_t count)
{
	uint32_t at = count + q->top_count, left = count;

	for (uint32_t t = q->top_count; t > 0; t--) {
		while (left > 0 && queue_compare(&q->candidate[left - 1], &q->top[t - 1]) > 0)
			q->candidate[--at] = q->candidate[--left];
		q->candidate[--at] = q->top[t - 1];
	}
	return count + q->top_count;
}

/* --- candidates ------------------------------------------------------------------------------ */

/* Prefetches what find_candidates needs of the jobs behind an index of WAITING. */
static inline void fetch_later(const struct queue *q, const struct snapshot *s, uint32_t at)
{
	const struct waiting *waiting = snapshot_waiting(s);
	uint32_t last = snapshot_count(s, TABLE_WAITING) - 1;
	uint32_t soon = waiting[at + FETCHED_AHEAD < last ? at + FETCHED_AHEAD : last].slot;
	uint32_t later = waiting[at + 2 * FETCHED_AHEAD < last ? at + 2 * FETCHED_AHEAD : last].slot;

	__builtin_prefetch(&q->standing[later]);
	if (!is_kept(q, &q->standing[soon]))
		fetch_job(&snapshot_jobs(s)[soon]);
}

/* Finds the candidates, by their index in WAITING, and the sleepers. Returns the number of candidates. */
static uint32_t find_candidates(struct queue *q, struct gate_context *ctx)
{
	const struct snapshot *s = ctx->s;
	const struct waiting *waiting = snapshot_waiting(s);
	const struct open_gates open = find_open_gates(s);
	struct prio_world world;
	uint32_t count = 0, waits = snapshot_count(s, TABLE_WAITING);
	bool sleeps = may_sleep(q, s);
	struct queued *candidate = q->candidate;

	begin_sleepers(q);
	snapshot_world(s, ctx->now_s, &world);
	for (uint32_t i = 0; i < waits; i++) {
		uint32_t slot = waiting[i].slot;
		struct standing *known = &q->standing[slot];
		enum gate failed = GATE_NONE;

		fetch_later(q, s, i);
		if (!is_kept(q, known)) {
			failed = examine(q, ctx, &open, &world, slot, &q->blocked_reason[i]);
		} else if (sleeps && known->asleep && !q->sleepers[known->set].awake) {
			add_sleeper(q, slot, i);
			failed = GATE_IDLE_LIMIT;
		} else {
			known->asleep = false;
			ctx->rank = rank_of(q, ctx, known, slot, &world);
		}
		q->failed[i] = (uint8_t)failed;
		q->paused[i] = known->paused;
		candidate[count] = (struct queued){.rank = ctx->rank, .slot = slot, .order = i};
		count += failed == GATE_NONE;
	}
	list_tops(q, ctx, &world);
	return count;
}

/*
 * Notes the time at which a gate that stops a job is known to open, if it is after now_s and the earliest so
 * far.
 */
static void note_opening(struct queue *q, int64_t at_s, int64_t now_s)
{
	if (at_s > now_s && at_s < q->opens_s)
		q->opens_s = at_s;
}

/*
 * Tests the gates of limits. If no reasons are wanted, only a broken idle limit that also counts running jobs
 * is examined further, because the end of a job may clear it.
 */
static enum gate test_limits(struct queue *q, const struct gate_context *ctx, const struct queued *one,
			     uint32_t later, struct reason *reason)
{
	static const enum gate gate_of[] = {[TURN_WITHIN] = GATE_NONE,
					    [TURN_IDLE] = GATE_IDLE_LIMIT,
					    [TURN_QUEUED] = GATE_IDLE_LIMIT,
					    [TURN_HARD] = GATE_ACTIVE_HARD,
					    [TURN_SOFT] = GATE_ACTIVE_SOFT};
	enum throttle_turn turn = throttle_take_turn(q->throttle, one->slot, later);
	enum gate gate = gate_of[turn];

	if (gate == GATE_IDLE_LIMIT)
		note_sleep(q, one, turn);
	if (gate != GATE_NONE && (!q->brief || turn == TURN_QUEUED)) {
		gate_test(ctx, &snapshot_jobs(ctx->s)[one->slot], gate, reason);
		note_opening(q, turn == TURN_QUEUED ? reason->until_s : TIME_NEVER, ctx->now_s);
	}
	return gate;
}

static bool has_cap(const struct queue *q, const struct queued *one)
{
	return q->capped && q->of_set[q->sets.of[one->slot]].has_cap;
}

/*
 * Tests the gates of arrays, limits and fairshare caps. later: the slot of a job that is tested soon.
 */
static enum gate test_with_others(struct queue *q, const struct gate_context *ctx, const struct queued *one,
				  uint32_t later, struct reason *reason)
{
	const struct job *job = &snapshot_jobs(ctx->s)[one->slot];
	enum gate gate;

	if (q->array_throttle.any && !gate_test(ctx, job, GATE_ARRAY, reason))
		return GATE_ARRAY;
	gate = test_limits(q, ctx, one, later, reason);
	if (gate == GATE_NONE && has_cap(q, one))
		return gate_first_between(ctx, job, GATE_FS_CAP, GATE_RESOURCES, reason);
	return gate;
}

/*
 * Tests the candidates in the order of promotion. A job over a soft limit counts as eligible when later
 * candidates are tested. False: sleepers have been woken, and the queue must be built again.
 */
static bool test_candidates(struct queue *q, struct gate_context *ctx, uint32_t count)
{
	uint32_t top = 0;
	bool good = true;

	for (uint32_t c = 0; c < count; c++) {
		const struct queued *one = &q->candidate[c];
		uint32_t later = c + FETCHED_AHEAD < count ? c + FETCHED_AHEAD : c;
		enum gate gate;

		for (; top < q->top_count && q->top[top].rank >= one->rank; top++)
			good &= stay_asleep(q, &q->top[top]);
		gate = test_with_others(q, ctx, one, q->candidate[later].slot,
					&q->blocked_reason[one->order]);
		q->failed[one->order] = (uint8_t)gate;
		if (!q->brief)
			q->turn[one->order] = c;
		if (q->array_throttle.any && gate != GATE_ARRAY)
			array_throttle_pass(&q->array_throttle, one->slot,
					    gate == GATE_NONE || gate == GATE_ACTIVE_SOFT);
	}
	for (; top < q->top_count; top++)
		good &= stay_asleep(q, &q->top[top]);
	q->limits_clear_s =
		throttle_noted_clear_s(q->throttle, q->expected_s != 0 ? q->expected_s : TIME_NEVER);
	return good;
}

/* Tests the candidates. False: see test_candidates; the account is then as before. */
static bool test_in_turn(struct queue *q, struct gate_context *ctx, uint32_t count)
{
	sort_by_promotion(ctx->s, q->candidate, count);
	if (!test_candidates(q, ctx, count)) {
		for (uint32_t c = 0; c < count; c++)
			throttle_uncount_idle(q->throttle, q->candidate[c].slot);
		return false;
	}
	if (ctx->s->policy.idle_promotion != PROMOTE_PRIORITY)
		queue_sort(&q->sorting, q->candidate, count);
	return true;
}

static void test_caps(struct queue *q, struct gate_context *ctx, uint32_t count)
{
	for (uint32_t c = 0; ctx->shares != NULL && c < count; c++) {
		const struct queued *one = &q->candidate[c];

		if (!has_cap(q, one))
			continue;
		q->failed[one->order] =
			(uint8_t)gate_first_between(ctx, &snapshot_jobs(ctx->s)[one->slot], GATE_FS_CAP,
						    GATE_RESOURCES, &q->blocked_reason[one->order]);
	}
}

/* True for a job over a soft limit that is within its fairshare caps. */
static bool has_second_turn(const struct gate_context *ctx, const struct queue *q, const struct queued *one)
{
	struct reason ignored;

	return q->failed[one->order] == GATE_ACTIVE_SOFT &&
	       (!has_cap(q, one) || gate_test(ctx, &snapshot_jobs(ctx->s)[one->slot], GATE_FS_CAP, &ignored));
}

static bool is_of_limit(enum gate gate)
{
	return gate >= GATE_IDLE_LIMIT && gate <= GATE_ACTIVE_SOFT;
}

/*
 * Lists the jobs that gates stop. If no reasons are wanted, jobs stopped by limits have no reason.
 */
static void list_blocked(struct queue *q, const struct gate_context *ctx,
			 const bool blocks[static GATE_COUNT])
{
	const struct waiting *waiting = snapshot_waiting(ctx->s);
	uint32_t waits = snapshot_count(ctx->s, TABLE_WAITING), count = 0;
	uint32_t *blocked = q->blocked, *at = q->blocked_at;

	for (uint32_t i = 0; i < waits; i++) {
		enum gate gate = (enum gate)q->failed[i];
		const struct reason *reason = &q->blocked_reason[i];

		if (!blocks[gate])
			continue;
		q->stopped[gate]++;
		blocked[count] = waiting[i].slot;
		at[count] = i;
		if (!q->brief || !is_of_limit(gate)) {
			if (gate != GATE_FS_CAP)
				note_opening(q, reason->until_s, ctx->now_s);
			if (!q->brief)
				q->blocked_reason[count] = *reason;
		}
		count++;
	}
	q->blocked_count = count;
}

static void distribute(struct queue *q, const struct gate_context *ctx, uint32_t count)
{
	bool blocks[GATE_COUNT];
	uint32_t idle = 0, second = 0;

	for (unsigned g = 0; g < GATE_COUNT; g++)
		blocks[g] = gate_blocks((enum gate)g, &ctx->s->policy);
	q->second = vec_room(q->second, &q->second_room, count, sizeof *q->second);
	for (uint32_t c = 0; c < count; c++) {
		const struct queued *one = &q->candidate[c];

		if (has_second_turn(ctx, q, one))
			q->second[second++] = *one;
		if (!blocks[q->failed[one->order]])
			q->idle[idle++] = *one;
	}
	q->idle_count = idle;
	q->second_count = second;
	list_blocked(q, ctx, blocks);
}

void queue_build(struct queue *q, const struct snapshot *s, int64_t now_s)
{
	struct gate_context ctx;
	uint32_t count;

	make_room(q, s);
	memset(q->stopped, 0, sizeof q->stopped);
	q->capped = false;
	q->active = snapshot_running(s);
	q->active_count = snapshot_count(s, TABLE_RUNNING);
	queue_begin(q, s, now_s);
	ctx = queue_context(q, s, now_s);
	begin_sets(q, s);
	q->counted = throttle_any(q->throttle) || q->array_throttle.any;
	if (!q->keeps)
		q->sleepers_count = 0;
	do {
		q->limits_clear_s = q->opens_s = TIME_NEVER;
		count = find_candidates(q, &ctx);
		queue_sort(&q->sorting, q->candidate, count);
	} while (q->counted && !test_in_turn(q, &ctx, count));
	if (!q->counted)
		test_caps(q, &ctx, count);
	distribute(q, &ctx, count);
	q->candidate_count = insert_tops(q, count);
	for (uint32_t i = 0; i < q->sleepers_count; i++)
		q->sleepers[i].awake = false;
}

void queue_clear(struct queue *q)
{
	free(q->idle);
	free(q->second);
	free(q->blocked);
	free(q->blocked_at);
	free(q->paused);
	free(q->blocked_reason);
	free(q->candidate);
	free(q->failed);
	free(q->turn);
	free(q->of_set);
	free(q->terms);
	free(q->standing);
	free(q->sleepers);
	free(q->top);
	throttle_free(q->throttle);
	placement_free(q->machine);
	array_throttle_free(&q->array_throttle);
	cred_sets_clear(&q->sets);
	queue_sort_clear(&q->sorting);
	fairshare_clear(&q->shares);
	*q = (struct queue){0};
}
