/* SPDX-License-Identifier: MIT */
/*
 * queue.c - the idle, blocked and active jobs of a pass
 *
 * First each job is tested on its own: by the gates that do not depend on other jobs, and its rank is
 * computed. The jobs that pass are the candidates, sorted by rank. If the site has limits, the candidates are
 * then tested against the limits one after the other, in the order of promotion.
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

/*
 * --- sorting --------------------------------------------------------------------------------
 *
 * Every pass sorts all candidates, which is the most expensive part of a pass over a long queue. The jobs
 * come in the order of WAITING, which is the order of jobs with equal ranks, so a stable LSD radix sort is
 * enough: its key is the distance from the highest rank. It needs two or three rounds over the jobs; a digit
 * that is equal in all keys needs no round.
 */

/*
 * Fewer than FEW jobs are sorted by short digits: counting long digits would cost more than moving the jobs.
 */
#define DIGIT_BITS  11
#define SHORT_BITS  6
#define FEW         512
#define DIGIT_COUNT (1U << DIGIT_BITS)
#define KEY_BITS    64
#define RADIX_LEAST 24 /* for fewer jobs, qsort is faster */

int queue_compare(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;

	return priority_compare(x->rank, y->rank, (x->order > y->order) - (x->order < y->order));
}

/* Properties of a list of jobs before it is sorted. */
struct survey {
	int64_t highest, lowest;
	bool sorted, by_order;
};

static struct survey survey(const struct queued *item, uint32_t count)
{
	struct survey s = {.highest = item[0].rank, .lowest = item[0].rank, .sorted = true, .by_order = true};

	for (uint32_t i = 1; i < count; i++) {
		s.sorted &= queue_compare(&item[i - 1], &item[i]) <= 0;
		s.by_order &= item[i - 1].order < item[i].order;
		s.highest = item[i].rank > s.highest ? item[i].rank : s.highest;
		s.lowest = item[i].rank < s.lowest ? item[i].rank : s.lowest;
	}
	return s;
}

static unsigned digit_of(const struct queued *one, int64_t highest, unsigned shift, unsigned digits)
{
	return (unsigned)(((uint64_t)highest - (uint64_t)one->rank) >> shift) & (digits - 1);
}

/* One round of the radix sort. False: all keys have the same digit, and nothing was moved. */
static bool sort_by_digit(const struct queued *from, struct queued *to, uint32_t count, int64_t highest,
			  unsigned shift, unsigned digits)
{
	uint32_t next[DIGIT_COUNT], at = 0;

	memset(next, 0, digits * sizeof *next);
	for (uint32_t i = 0; i < count; i++)
		next[digit_of(&from[i], highest, shift, digits)]++;
	if (next[digit_of(&from[0], highest, shift, digits)] == count)
		return false;
	for (unsigned d = 0; d < digits; d++) {
		uint32_t digit_count = next[d];

		next[d] = at;
		at += digit_count;
	}
	for (uint32_t i = 0; i < count; i++)
		to[next[digit_of(&from[i], highest, shift, digits)]++] = from[i];
	return true;
}

static void radix_sort(struct sort_memory *m, struct queued *item, uint32_t count, const struct survey *s)
{
	uint64_t span = (uint64_t)s->highest - (uint64_t)s->lowest;
	unsigned bits = count < FEW ? SHORT_BITS : DIGIT_BITS;
	struct queued *from = item, *to;

	m->spare = vec_room(m->spare, &m->room, count, sizeof *m->spare);
	to = m->spare;
	for (unsigned shift = 0; shift < KEY_BITS && span >> shift != 0; shift += bits) {
		if (!sort_by_digit(from, to, count, s->highest, shift, 1U << bits))
			continue;
		to = from;
		from = from == item ? m->spare : item;
	}
	if (from != item)
		memcpy(item, from, count * sizeof *item);
}

void queue_sort(struct sort_memory *m, struct queued *item, uint32_t count)
{
	struct survey s;

	if (count < 2)
		return;
	s = survey(item, count);
	if (s.sorted)
		return;
	if (s.by_order && count >= RADIX_LEAST)
		radix_sort(m, item, count, &s);
	else
		qsort(item, count, sizeof *item, queue_compare);
}

void queue_sort_clear(struct sort_memory *m)
{
	free(m->spare);
	*m = (struct sort_memory){0};
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
	cred_sets_begin(&q->sets, snapshot_count(s, TABLE_JOBS));
	snapshot_throttle_world(s, now_s, &limits);
	limits.sets = &q->sets;
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

static const struct queue_set *set_of(struct queue *q, const struct gate_context *ctx, uint32_t slot,
				      const struct job *job)
{
	uint32_t at = cred_sets_find(&q->sets, slot, job);

	throttle_tell_set(q->throttle, job, at);
	while (at >= q->of_set_count) {
		q->of_set =
			vec_room(q->of_set, &q->of_set_room, (size_t)q->of_set_count + 1, sizeof *q->of_set);
		q->of_set[q->of_set_count++].is_known = false;
	}
	return q->of_set[at].is_known ? &q->of_set[at] : find_set(q, ctx, at, job);
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

/*
 * Tests the gates that do not depend on other jobs. Only jobs that reach GATE_NEGATIVE are ranked, so that
 * thousands of held jobs cost little. Two shortcuts (is_free, passes_alone) suffice for most jobs. Returns
 * the number of candidates.
 */
static uint32_t find_candidates(struct queue *q, struct gate_context *ctx)
{
	const struct snapshot *s = ctx->s;
	const struct waiting *waiting = snapshot_waiting(s);
	const struct open_gates open = find_open_gates(s);
	struct prio_world world;
	uint32_t count = 0;

	begin_sets(q, s);
	snapshot_world(s, ctx->now_s, &world);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;
		const struct job *job = &snapshot_jobs(s)[slot];

		if (i + FETCHED_AHEAD < snapshot_count(s, TABLE_WAITING))
			fetch_job(&snapshot_jobs(s)[waiting[i + FETCHED_AHEAD].slot]);
		q->failed[i] = GATE_NONE;
		q->paused[i] = (job->flags & JOB_ACCRUAL_PAUSED) != 0;
		if (!is_free(job, ctx->now_s))
			q->failed[i] = (uint8_t)gate_first_between(ctx, job, GATE_NONE + 1, GATE_NEGATIVE,
								   &q->blocked_reason[i]);
		if (q->failed[i] != GATE_NONE)
			continue;
		ctx->rank = priority_rank_idle(&s->policy, &set_of(q, ctx, slot, job)->base, job, &world);
		if (!passes_alone(ctx, &open, job))
			q->failed[i] = (uint8_t)gate_first_between(ctx, job, GATE_NEGATIVE, GATE_ARRAY,
								   &q->blocked_reason[i]);
		if (q->failed[i] == GATE_NONE)
			q->candidate[count++] = (struct queued){.rank = ctx->rank, .slot = slot, .order = i};
	}
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
static enum gate test_limits(struct queue *q, const struct gate_context *ctx, uint32_t slot,
			     struct reason *reason)
{
	static const enum gate gate_of[] = {[TURN_WITHIN] = GATE_NONE,
					    [TURN_IDLE] = GATE_IDLE_LIMIT,
					    [TURN_QUEUED] = GATE_IDLE_LIMIT,
					    [TURN_HARD] = GATE_ACTIVE_HARD,
					    [TURN_SOFT] = GATE_ACTIVE_SOFT};
	enum throttle_turn turn = throttle_take_turn(q->throttle, slot);
	enum gate gate = gate_of[turn];

	if (gate != GATE_NONE && (!q->brief || turn == TURN_QUEUED)) {
		gate_test(ctx, &snapshot_jobs(ctx->s)[slot], gate, reason);
		note_opening(q, turn == TURN_QUEUED ? reason->until_s : TIME_NEVER, ctx->now_s);
	}
	return gate;
}

static bool has_cap(const struct queue *q, const struct queued *one)
{
	return q->of_set[q->sets.of[one->slot]].has_cap;
}

/* Tests the gates of arrays, limits and fairshare caps. */
static enum gate test_with_others(struct queue *q, const struct gate_context *ctx, const struct queued *one,
				  struct reason *reason)
{
	const struct job *job = &snapshot_jobs(ctx->s)[one->slot];
	enum gate gate;

	if (q->array_throttle.any && !gate_test(ctx, job, GATE_ARRAY, reason))
		return GATE_ARRAY;
	gate = test_limits(q, ctx, one->slot, reason);
	if (gate == GATE_NONE && has_cap(q, one))
		return gate_first_between(ctx, job, GATE_FS_CAP, GATE_RESOURCES, reason);
	return gate;
}

/*
 * Tests the candidates in the order of promotion. A job over a soft limit counts as eligible when later
 * candidates are tested.
 */
static void test_candidates(struct queue *q, struct gate_context *ctx, uint32_t count)
{
	for (uint32_t c = 0; c < count; c++) {
		const struct queued *one = &q->candidate[c];
		enum gate gate;

		if (c + FETCHED_AHEAD < count)
			throttle_fetch(q->throttle, q->candidate[c + FETCHED_AHEAD].slot);
		gate = test_with_others(q, ctx, one, &q->blocked_reason[one->order]);

		q->failed[one->order] = (uint8_t)gate;
		q->turn[one->order] = c;
		if (q->array_throttle.any && gate != GATE_ARRAY)
			array_throttle_pass(&q->array_throttle, one->slot,
					    gate == GATE_NONE || gate == GATE_ACTIVE_SOFT);
	}
	q->limits_clear_s =
		throttle_noted_clear_s(q->throttle, q->expected_s != 0 ? q->expected_s : TIME_NEVER);
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

/*
 * Adds a job that a gate stops, given by its index in WAITING. If no reasons are wanted, jobs stopped by
 * limits have no reason.
 */
static void add_blocked(struct queue *q, const struct gate_context *ctx, uint32_t i)
{
	enum gate gate = (enum gate)q->failed[i];
	const struct reason *reason = &q->blocked_reason[i];
	bool of_limit = gate >= GATE_IDLE_LIMIT && gate <= GATE_ACTIVE_SOFT;

	q->stopped[gate]++;
	q->blocked[q->blocked_count] = snapshot_waiting(ctx->s)[i].slot;
	q->blocked_at[q->blocked_count] = i;
	if (!q->brief || !of_limit) {
		if (gate != GATE_FS_CAP)
			note_opening(q, reason->until_s, ctx->now_s);
		if (!q->brief)
			q->blocked_reason[q->blocked_count] = *reason;
	}
	q->blocked_count++;
}

static void distribute(struct queue *q, const struct gate_context *ctx, uint32_t count)
{
	bool blocks[GATE_COUNT];

	for (unsigned g = 0; g < GATE_COUNT; g++)
		blocks[g] = gate_blocks((enum gate)g, &ctx->s->policy);
	for (uint32_t c = 0; c < count; c++) {
		const struct queued *one = &q->candidate[c];

		if (has_second_turn(ctx, q, one)) {
			q->second =
				vec_room(q->second, &q->second_room, q->second_count + 1, sizeof *q->second);
			q->second[q->second_count++] = *one;
		}
		if (!blocks[q->failed[one->order]])
			q->idle[q->idle_count++] = *one;
	}
	for (uint32_t i = 0; i < snapshot_count(ctx->s, TABLE_WAITING); i++)
		if (blocks[q->failed[i]])
			add_blocked(q, ctx, i);
}

void queue_build(struct queue *q, const struct snapshot *s, int64_t now_s)
{
	struct gate_context ctx;
	uint32_t count;

	make_room(q, s);
	q->limits_clear_s = q->opens_s = TIME_NEVER;
	memset(q->stopped, 0, sizeof q->stopped);
	q->idle_count = q->second_count = q->blocked_count = 0;
	q->capped = false;
	q->active = snapshot_running(s);
	q->active_count = snapshot_count(s, TABLE_RUNNING);
	queue_begin(q, s, now_s);
	ctx = queue_context(q, s, now_s);
	count = q->candidate_count = find_candidates(q, &ctx);
	queue_sort(&q->sorting, q->candidate, count);
	q->counted = throttle_any(q->throttle) || q->array_throttle.any;
	if (q->counted) {
		sort_by_promotion(s, q->candidate, count);
		test_candidates(q, &ctx, count);
		if (s->policy.idle_promotion != PROMOTE_PRIORITY)
			queue_sort(&q->sorting, q->candidate, count);
	} else {
		test_caps(q, &ctx, count);
	}
	distribute(q, &ctx, count);
}

/* --- the jobs that an idle limit counts ------------------------------------------------------ */

static bool is_eligible(const struct snapshot *s, const struct queued *one)
{
	return (snapshot_jobs(s)[one->slot].flags & JOB_ELIGIBLE) != 0;
}

/* True if job a is before job b in the order of sort_by_promotion(). */
static bool is_promoted_before(const struct snapshot *s, const struct queued *a, const struct queued *b)
{
	switch ((enum idle_promotion)s->policy.idle_promotion) {
	case PROMOTE_PRIORITY:
		return queue_compare(a, b) < 0;
	case PROMOTE_OLDEST:
		return compare_oldest(a, b) < 0;
	case PROMOTE_NEWEST:
		break;
	}
	if (is_eligible(s, a) != is_eligible(s, b))
		return is_eligible(s, a);
	return (is_eligible(s, a) ? compare_oldest : compare_newest)(a, b) < 0;
}

/* True if the job counts for the credential. A job without a credential of a type counts for CRED_NONE. */
static bool is_of(const struct snapshot *s, const struct job *job, uint32_t cred)
{
	const struct cred *one = &snapshot_creds(s)[cred];
	uint32_t own = job->cred[one->type];

	return own == cred || (own == INDEX_NONE && strcmp(snapshot_string(s, one->name), CRED_NONE) == 0);
}

static bool counts_for(const struct snapshot *s, const struct job *job, const struct reason *reason)
{
	return (reason->cred == INDEX_NONE || is_of(s, job, reason->cred)) &&
	       (reason->second == INDEX_NONE || is_of(s, job, reason->second));
}

static const struct queued *find_candidate(const struct queue *q, uint32_t slot)
{
	for (uint32_t c = 0; c < q->candidate_count; c++)
		if (q->candidate[c].slot == slot)
			return &q->candidate[c];
	return NULL;
}

/*
 * Uncounts the candidates that are promoted after `own`. Returns, by candidate, whether it was uncounted; the
 * caller frees the array.
 */
static bool *uncount_behind(struct queue *q, const struct snapshot *s, const struct queued *own)
{
	bool *uncounted = mem_zero((size_t)q->candidate_count + 1, sizeof *uncounted);

	for (uint32_t c = 0; c < q->candidate_count; c++)
		uncounted[c] = !is_promoted_before(s, &q->candidate[c], own) &&
			       throttle_uncount_idle(q->throttle, q->candidate[c].slot);
	return uncounted;
}

bool queue_test_idle(struct queue *q, const struct gate_context *ctx, uint32_t slot, struct reason *out)
{
	const struct job *job = &snapshot_jobs(ctx->s)[slot];
	struct queued own = {.rank = ctx->rank, .slot = slot};
	bool *uncounted, within;

	if (!q->counted || find_candidate(q, slot) != NULL)
		return gate_test(ctx, job, GATE_IDLE_LIMIT, out);
	while (own.order < snapshot_count(ctx->s, TABLE_WAITING) &&
	       snapshot_waiting(ctx->s)[own.order].slot != slot)
		own.order++;
	uncounted = uncount_behind(q, ctx->s, &own);
	within = gate_test(ctx, job, GATE_IDLE_LIMIT, out);
	for (uint32_t c = 0; c < q->candidate_count; c++)
		if (uncounted[c])
			throttle_count_idle(q->throttle, q->candidate[c].slot);
	free(uncounted);
	return within;
}

uint32_t queue_counted(const struct queue *q, const struct snapshot *s, uint32_t blocked,
		       const struct reason *reason, uint32_t *slot, uint32_t most)
{
	const struct queued *own = q->counted ? find_candidate(q, blocked) : NULL;
	uint32_t count = 0;

	for (uint32_t c = 0; own != NULL && c < q->candidate_count; c++) {
		const struct queued *one = &q->candidate[c];
		enum gate failed = (enum gate)q->failed[one->order];

		if ((failed != GATE_NONE && failed <= GATE_ACTIVE_HARD) ||
		    q->turn[one->order] >= q->turn[own->order] ||
		    !counts_for(s, &snapshot_jobs(s)[one->slot], reason))
			continue;
		if (count < most)
			slot[count] = one->slot;
		count++;
	}
	return count;
}

/* True if a blocked job may pass the gate that stops it by by_s without a change by a user or operator. */
static bool may_pass(const struct reason *reason, int64_t by_s)
{
	switch ((enum gate)reason->gate) {
	case GATE_DEFER:
	case GATE_START_DATE:
	case GATE_ACTIVE_HARD:
		return reason->until_s <= by_s;
	case GATE_DEPENDENCY:
		return reason->limit != DEPEND_NEVER;
	case GATE_NEGATIVE:
	case GATE_ARRAY:
	case GATE_IDLE_LIMIT:
		return true;
	default: /* the job cannot pass, or counts already */
		return false;
	}
}

static struct queued entry_of(const struct queue *q, const struct snapshot *s, const struct prio_world *world,
			      uint32_t order)
{
	uint32_t slot = snapshot_waiting(s)[order].slot;

	return (struct queued){.rank = queue_rank(s, &snapshot_jobs(s)[slot], world, &q->shares),
			       .slot = slot,
			       .order = order};
}

bool queue_is_preceded(const struct queue *q, const struct snapshot *s, int64_t now_s, uint32_t slot,
		       const struct reason *reason, int64_t by_s)
{
	struct prio_world world;
	struct queued own, other;
	uint32_t order = 0;

	snapshot_world(s, now_s, &world);
	while (snapshot_waiting(s)[order].slot != slot)
		order++;
	own = entry_of(q, s, &world, order);
	for (uint32_t i = 0; i < q->blocked_count; i++) {
		if (q->blocked[i] == slot || !may_pass(&q->blocked_reason[i], by_s) ||
		    !counts_for(s, &snapshot_jobs(s)[q->blocked[i]], reason))
			continue;
		other = entry_of(q, s, &world, q->blocked_at[i]);
		if (is_promoted_before(s, &other, &own))
			return true;
	}
	return false;
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
	throttle_free(q->throttle);
	placement_free(q->machine);
	array_throttle_free(&q->array_throttle);
	cred_sets_clear(&q->sets);
	queue_sort_clear(&q->sorting);
	fairshare_clear(&q->shares);
	*q = (struct queue){0};
}
