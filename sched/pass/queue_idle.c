/* SPDX-License-Identifier: MIT */
/*
 * queue_idle.c - the jobs that count against an idle limit
 */
#include <stdlib.h>
#include <string.h>

#include "queue.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

static bool is_eligible(const struct snapshot *s, const struct queued *one)
{
	return (snapshot_jobs(s)[one->slot].flags & JOB_ELIGIBLE) != 0;
}

/* True if job a is before job b in the order of promotion. */
static bool is_promoted_before(const struct snapshot *s, const struct queued *a, const struct queued *b)
{
	switch ((enum idle_promotion)s->policy.idle_promotion) {
	case PROMOTE_PRIORITY:
		return queue_compare(a, b) < 0;
	case PROMOTE_OLDEST:
		return a->order < b->order;
	case PROMOTE_NEWEST:
		break;
	}
	if (is_eligible(s, a) != is_eligible(s, b))
		return is_eligible(s, a);
	return is_eligible(s, a) ? a->order < b->order : a->order > b->order;
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
