/* SPDX-License-Identifier: MIT */
/*
 * drift.c - the next time at which passing time alone may change the decisions of a pass
 *
 * The change per second of the rank of an idle job has known bounds (priority.h), and so has the time for
 * which one job stays ahead of another. Only these pairs matter:
 *
 *   - Idle jobs up to the last job with a reservation, or up to the first job in strict order: each job and
 *     the next, and the last of them and every job behind it. The jobs behind it cannot start without
 *     delaying running jobs or reservations, whatever their order.
 *   - Jobs that count against the same idle limit, or tasks of arrays, if some of them are kept out: each job
 *     and the next.
 *   - With REJECTNEGPRIOJOBS: each rank and 0.
 *
 * While none of these pairs changes its order, a pass decides what the last pass decided.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drift_ranks.h"
#include "sched/base/vec.h"

struct drift *drift_new(void)
{
	return mem_zero(1, sizeof(struct drift));
}

void drift_free(struct drift *d)
{
	if (d == NULL)
		return;
	fs_pace_clear(&d->pace);
	drift_poll_clear(&d->poll);
	free(d->share);
	free(d->last);
	free(d->last_slot);
	free(d->limited);
	free(d);
}

/* --- changes of ranks -------------------------------------------------------------------------- */

static void find_pace(struct drift *d)
{
	const struct walk *w = d->w;
	const struct machine machine = snapshot_machine(w->s);
	struct fs_world usage;

	snapshot_fs_world(w->s, w->now_s, &usage);
	fs_pace_find(&d->pace, &usage);
	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_START || w->decision[i].kind == DECIDE_RESUME)
			fs_pace_add(&d->pace, w->s->policy.fs_policy, drift_job(d, w->decision[i].slot),
				    &machine);
}

static void begin_shares(struct drift *d)
{
	uint32_t count = snapshot_count(d->s, TABLE_CREDS);

	d->share = vec_room(d->share, &d->share_room, count, sizeof *d->share);
	for (uint32_t i = 0; i < count; i++)
		d->share[i].state = SHARE_NOT_ASKED;
}

static const struct share_trend *share_of(const struct drift *d, uint32_t cred)
{
	struct share_trend *share = &d->share[cred];

	if (share->state == SHARE_NOT_ASKED)
		share->state = fairshare_delta_trend(d->shares, &d->pace, cred, &share->trend)
				       ? SHARE_KNOWN
				       : SHARE_UNKNOWN;
	return share;
}

/*
 * Sets delta to the trends of the job's fairshare factors that have a weight. False if a trend is not known.
 */
static bool find_deltas(const struct drift *d, const struct job *job, const struct prio_weights *weights,
			struct trend delta[static CRED_TYPE_COUNT])
{
	bool known = true;

	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		delta[t] = (struct trend){.value = 0};
		if (job->cred[t] == INDEX_NONE || weights->factor[PRIO_FS_USER + t] == 0 ||
		    weights->component[PRIO_FS] == 0)
			continue;
		delta[t] = share_of(d, job->cred[t])->trend;
		/* at rest there is no usage, so shares are constant */
		known = known && (d->rests || share_of(d, job->cred[t])->state == SHARE_KNOWN);
	}
	return known;
}

void drift_trend(struct drift *d, uint32_t slot, struct prio_trend *out)
{
	const struct job *job = drift_job(d, slot);
	const struct prio_weights *weights = snapshot_job_weights(d->s, job);
	struct trend delta[CRED_TYPE_COUNT];
	struct prio_creds creds;
	bool known = find_deltas(d, job, weights, delta);

	snapshot_job_creds(d->s, job, &creds);
	if (d->terms.weights != weights)
		priority_terms_of(weights, &d->terms);
	priority_trend_of(&d->s->policy, &d->terms, &creds, job, &d->world, delta, out);
	if (!known)
		out->steady_s = 0;
}

/* True if something may change before the next poll; then the exact time does not matter. */
static bool is_near(const struct drift *d)
{
	return d->keeps_s < d->near_s;
}

static void note_s(struct drift *d, double keeps_s)
{
	d->keeps_s = fmin(d->keeps_s, keeps_s);
}

/* --- the order of two jobs --------------------------------------------------------------------- */

/*
 * By how much the rank of `ahead` must be larger for the order to be certain: ranks are truncated, and of two
 * equal ranks the older job is first. Around 0, numbers that differ by up to 2 are truncated to the same
 * rank.
 */
static double lead_needed(const struct drift *d, uint32_t ahead, const struct prio_trend *a, uint32_t behind,
			  const struct prio_trend *b)
{
	if (job_compare_age(drift_job(d, ahead), drift_job(d, behind)) < 0)
		return 0;
	return (a->rank.value >= 2 && a->rank.lo >= 0) || (b->rank.value >= 0 && b->rank.lo >= 0) ? 1 : 2;
}

/* The trend of the lead of one job over another. A share that both jobs have cancels out. */
static struct trend lead_of(const struct drift *d, uint32_t ahead, const struct prio_trend *a,
			    uint32_t behind, const struct prio_trend *b)
{
	const struct job *x = drift_job(d, ahead), *y = drift_job(d, behind);
	bool same_weights = snapshot_job_weights(d->s, x) == snapshot_job_weights(d->s, y);
	struct trend lead = {.value = a->rank.value - b->rank.value,
			     .lo = a->rank.lo - b->rank.hi,
			     .margin = a->rank.margin + b->rank.margin};

	for (int t = 0; t < CRED_TYPE_COUNT && same_weights; t++)
		if (x->cred[t] == y->cred[t]) {
			lead.lo += b->share[t].hi - a->share[t].lo;
			lead.margin -= a->share[t].margin + b->share[t].margin;
		}
	return lead;
}

static bool is_constant(const struct trend *rank)
{
	return rank->lo == 0 && rank->hi == 0;
}

/*
 * True if rounding cannot change the order of the ranks: neither rank changes, or both are equal and the same
 * function of time, and are rounded alike.
 */
static bool rounds_alike(const struct drift *d, uint32_t ahead, const struct prio_trend *a, uint32_t behind,
			 const struct prio_trend *b)
{
	if (is_constant(&a->rank) && is_constant(&b->rank))
		return true;
	return a->rank.value == b->rank.value && a->rank.lo == b->rank.lo && a->rank.hi == b->rank.hi &&
	       job_queued_s(drift_job(d, ahead), d->world.now_s) ==
		       job_queued_s(drift_job(d, behind), d->world.now_s);
}

double drift_order_keeps_s(const struct drift *d, uint32_t ahead, const struct prio_trend *a, uint32_t behind,
			   const struct prio_trend *b)
{
	struct trend lead = lead_of(d, ahead, a, behind, b);
	double slack = MARGIN_PART * (fabs(a->rank.value) + fabs(b->rank.value));
	double spare = lead.value - lead_needed(d, ahead, a, behind, b) - fmax(lead.margin, 0);

	/*
	 * Sums are rounded before they are truncated, so a lead that is exactly large enough may be lost at
	 * any time, unless it grows.
	 */
	if (spare < -slack || (spare + fmax(lead.lo, 0) <= slack && !rounds_alike(d, ahead, a, behind, b)))
		return 0;
	if (lead.lo >= 0 || fabs(lead.lo) < MARGIN_PART * (fabs(a->rank.hi) + fabs(b->rank.hi)))
		return INFINITY;
	return spare > slack ? (spare - slack) / -lead.lo : 0;
}

static void note_pair(struct drift *d, uint32_t ahead, const struct prio_trend *a, uint32_t behind,
		      const struct prio_trend *b)
{
	note_s(d, a->steady_s);
	note_s(d, b->steady_s);
	note_s(d, drift_order_keeps_s(d, ahead, a, behind, b));
}

/* --- a machine at rest ------------------------------------------------------------------------- */

/*
 * True if no job will end and no reservation will begin. A suspended job without a known time of resume stays
 * suspended.
 */
static bool is_at_rest(const struct drift *d)
{
	const struct walk *w = d->w;

	for (uint32_t i = 0; i < snapshot_count(w->s, TABLE_RUNNING); i++) {
		const struct job *job = drift_job(d, snapshot_running(w->s)[i]);

		if (!job_is_suspended(job) || job->resume_s != 0)
			return false;
	}
	return w->started == 0 && w->reservations.count == 0;
}

/* True if the job would start if there were no other idle jobs. */
static bool would_start(const struct drift *d, uint32_t slot)
{
	const struct job *job = drift_job(d, slot);
	struct reason reason;

	return walk_keeps_hard_limits(d->w, slot) &&
	       gate_first_between(d->ctx, job, GATE_FEASIBLE, GATE_ARRAY, &reason) == GATE_NONE &&
	       gate_first_between(d->ctx, job, GATE_FS_CAP, GATE_ORDER, &reason) == GATE_NONE;
}

/*
 * True if a job that would start without the other jobs is stopped by them. At rest, only such a job matters:
 * jobs that can never start may overtake one another indefinitely.
 */
static bool others_stop_one(const struct drift *d)
{
	const struct queue *q = &d->w->queue;

	for (uint32_t i = 0; i < q->blocked_count; i++)
		if ((queue_stopped_by(q, i) == GATE_ARRAY || queue_stopped_by(q, i) == GATE_IDLE_LIMIT) &&
		    would_start(d, q->blocked[i]))
			return true;
	for (uint32_t i = 0; d->w->strict_head != 0 && i < q->idle_count; i++)
		if (would_start(d, q->idle[i].slot))
			return true;
	return false;
}

/* True if only its negative priority stops the job. */
static bool sign_alone_stops(const struct drift *d, uint32_t slot)
{
	struct reason reason;

	return would_start(d, slot) && gate_first_between(d->ctx, drift_job(d, slot), GATE_ARRAY,
							  GATE_ACTIVE_HARD, &reason) == GATE_NONE;
}

/* --- the pairs that matter --------------------------------------------------------------------- */

uint32_t drift_count_ordered(const struct drift *d)
{
	const struct walk *w = d->w;
	const struct queue *q = &w->queue;
	uint32_t ordered = q->idle_count;

	if (w->cut)
		return ordered;
	while (ordered > 0 && (w->mark[q->idle[ordered - 1].slot] & MARK_RESERVED) == 0 &&
	       (w->strict_head == 0 || drift_job(d, q->idle[ordered - 1].slot)->id != w->strict_head))
		ordered--;
	return ordered;
}

/* Notes the pairs of idle jobs that do not start now. */
static void note_idle(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	uint32_t ordered = drift_count_ordered(d), ahead = INDEX_NONE;
	struct prio_trend before, one;

	for (uint32_t i = 0; ordered > 0 && i < q->idle_count && !is_near(d); i++) {
		uint32_t slot = q->idle[i].slot;

		if (drift_starts(d, slot))
			continue;
		drift_trend(d, slot, &one);
		if (ahead != INDEX_NONE)
			note_pair(d, ahead, &before, slot, &one);
		if (ahead == INDEX_NONE || i < ordered) {
			ahead = slot;
			before = one;
		}
	}
}

bool drift_find_limited(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	uint32_t count = snapshot_count(d->s, TABLE_CREDS) + 1;
	bool any = false;

	d->last = vec_room(d->last, &d->last_room, count, sizeof *d->last);
	d->last_slot = vec_room(d->last_slot, &d->slot_room, count, sizeof *d->last_slot);
	d->limited = vec_room(d->limited, &d->limited_room, count, sizeof *d->limited);
	memset(d->limited, 0, count * sizeof *d->limited);
	for (uint32_t i = 0; i < count; i++)
		d->last_slot[i] = INDEX_NONE;
	for (uint32_t i = 0; i < q->blocked_count; i++) {
		enum gate gate = queue_stopped_by(q, i);
		uint32_t cred = INDEX_NONE;

		if (gate == GATE_ARRAY)
			cred = drift_job(d, q->blocked[i])->cred[CRED_USER];
		else if (gate == GATE_IDLE_LIMIT && d->s->policy.idle_promotion == PROMOTE_PRIORITY)
			cred = throttle_turned_by(q->throttle, q->blocked[i]);
		else
			continue;
		d->limited[cred == INDEX_NONE ? 0 : cred + 1] = any = true;
	}
	return any;
}

/* True if an idle limit or an array limit keeps out jobs with a credential of this job. */
static bool is_limited(const struct drift *d, uint32_t slot)
{
	bool limited = d->limited[0];

	for (int t = 0; t < CRED_TYPE_COUNT && !limited; t++)
		limited = drift_job(d, slot)->cred[t] != INDEX_NONE &&
			  d->limited[drift_job(d, slot)->cred[t] + 1];
	return limited;
}

static void note_limited_one(struct drift *d, uint32_t at, uint32_t slot, const struct prio_trend *one)
{
	if (!d->limited[at])
		return;
	if (d->last_slot[at] != INDEX_NONE)
		note_pair(d, d->last_slot[at], &d->last[at], slot, one);
	d->last_slot[at] = slot;
	d->last[at] = *one;
}

static bool is_kept_out(const struct drift *d, const struct queued *one)
{
	uint8_t failed = d->w->queue.failed[one->order];

	return failed == GATE_IDLE_LIMIT || failed == GATE_ARRAY;
}

#define PAIRS_MOST 4096 /* at rest, up to this number of pairs is compared one by one */

/*
 * Notes all pairs of a job within a limit and a job that is kept out. At rest, the order of two jobs within
 * the limits does not matter, nor that of two jobs beyond them: the same jobs pass while each of them stays
 * ahead of each job that is kept out. If each job were only compared with its neighbour, a job might change
 * places at every poll, indefinitely.
 */
static void note_sides(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	struct prio_trend a, b;

	for (uint32_t i = 0; i < q->candidate_count && !is_near(d); i++) {
		bool kept_out = is_kept_out(d, &q->candidate[i]);

		if (!is_limited(d, q->candidate[i].slot))
			continue;
		drift_trend(d, q->candidate[i].slot, &a);
		for (uint32_t k = i + 1; k < q->candidate_count && !is_near(d); k++) {
			uint32_t slot = q->candidate[k].slot;

			if (is_kept_out(d, &q->candidate[k]) == kept_out || !is_limited(d, slot))
				continue;
			drift_trend(d, slot, &b);
			note_pair(d, q->candidate[i].slot, &a, slot, &b);
		}
	}
}

/*
 * Notes the pairs of jobs that count against limits. A limit of DEFAULT counts as a limit of each credential.
 */
static void note_limited(struct drift *d)
{
	const struct queue *q = &d->w->queue;

	if (is_near(d) || !drift_find_limited(d))
		return;
	if (d->rests && (uint64_t)q->candidate_count * q->candidate_count <= PAIRS_MOST) {
		note_sides(d);
		return;
	}
	for (uint32_t i = 0; i < q->candidate_count && !is_near(d); i++) {
		uint32_t slot = q->candidate[i].slot;
		struct prio_trend one;

		if (drift_starts(d, slot) || !is_limited(d, slot))
			continue;
		drift_trend(d, slot, &one);
		note_limited_one(d, 0, slot, &one);
		for (int t = 0; t < CRED_TYPE_COUNT; t++)
			if (drift_job(d, slot)->cred[t] != INDEX_NONE)
				note_limited_one(d, drift_job(d, slot)->cred[t] + 1, slot, &one);
	}
}

/*
 * Notes when the sign of a rank may change. Ranks are truncated toward 0, so a rank is negative from -1 down.
 */
static void note_sign(struct drift *d, uint32_t slot)
{
	struct prio_trend one;

	drift_trend(d, slot, &one);
	note_s(d, one.steady_s);
	note_s(d, trend_keeps_s(&one.rank, -1));
}

static void note_signs(struct drift *d, bool of_all)
{
	const struct queue *q = &d->w->queue;

	for (uint32_t i = 0; of_all && i < q->candidate_count && !is_near(d); i++)
		if (!drift_starts(d, q->candidate[i].slot))
			note_sign(d, q->candidate[i].slot);
	for (uint32_t i = 0; i < q->blocked_count && !is_near(d); i++)
		if (queue_stopped_by(q, i) == GATE_NEGATIVE && (of_all || sign_alone_stops(d, q->blocked[i])))
			note_sign(d, q->blocked[i]);
}

/* --- the interface ------------------------------------------------------------------------------ */

int64_t drift_poll_s(int64_t now_s, int64_t at_s, int64_t poll_interval_s)
{
	int64_t first_s = at_s > now_s ? at_s : now_s + 1, beyond_s = first_s % poll_interval_s;

	if (first_s >= TIME_NEVER - poll_interval_s)
		return TIME_NEVER;
	if (beyond_s < 0)
		beyond_s += poll_interval_s;
	return beyond_s == 0 ? first_s : first_s + poll_interval_s - beyond_s;
}

/*
 * True if decisions of this pass stop or resume queue time and so change ranks. *alone: the pass makes no
 * other decisions.
 */
static bool moves_ranks(const struct walk *w, bool *alone)
{
	size_t moves = 0;

	for (size_t i = 0; i < w->decision_count; i++)
		moves += w->decision[i].kind == DECIDE_PAUSE || w->decision[i].kind == DECIDE_ACCRUE;
	*alone = moves == w->decision_count;
	return moves > 0;
}

/* True if bypass counts of this pass change ranks. */
static bool bypasses_move_ranks(const struct walk *w)
{
	return w->backfilled > 0 && snapshot_weighs(w->s, PRIO_SERV_BYPASS);
}

/*
 * True if a second pass at the same time, after queue time has stopped or resumed, decides nothing. False if
 * a reservation has begun whose job does not start because it is over a soft limit, or if idle limits do not
 * promote in the order of rank.
 */
static bool leaves_nothing_open(const struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++)
		if (w->reservations.item[i].begin_s <= w->now_s)
			return false;
	return w->s->policy.idle_promotion == PROMOTE_PRIORITY;
}

void drift_begin(struct drift *d, const struct snapshot *s, int64_t now_s, const struct fairshare *shares)
{
	d->s = s;
	d->shares = shares;
	d->terms.weights = NULL;
	snapshot_world(s, now_s, &d->world);
	begin_shares(d);
}

/* Begins a computation after a walk. False: time alone changes no order. */
static bool begin_walk(struct drift *d, const struct walk *w, const struct gate_context *ctx)
{
	const struct snapshot *s = w->s;
	bool alone;

	/* The queue times of shifted jobs grow as fast as those of others, but are not truncated alike. */
	if (s->ranks_drift == 0 && (s->ranks_equal || s->adjusted + s->shifted == 0))
		return false;
	d->w = w;
	d->ctx = ctx;
	d->poll.listed = false;
	drift_begin(d, s, w->now_s, &w->queue.shares);
	if (!w->queue.shares.off)
		find_pace(d);
	d->rests = is_at_rest(d);
	d->moved = moves_ranks(w, &alone);
	/* Usage of other jobs may take a job over a fairshare cap, which the order does not show. */
	d->poll.can_tell = !d->rests && !s->policy.reject_negative && !w->queue.array_throttle.any &&
			   !w->queue.capped && !bypasses_move_ranks(w) &&
			   (!d->moved || (alone && leaves_nothing_open(w)));
	return true;
}

static int64_t find_due_s(struct drift *d)
{
	const struct walk *w = d->w;
	int64_t poll_interval_s = snapshot_poll_s(w->s);
	bool of_all = !d->rests || others_stop_one(d);

	d->keeps_s = !d->rests && (d->moved || bypasses_move_ranks(w)) ? 0 : INFINITY;
	d->near_s = (double)(drift_poll_s(w->now_s, w->now_s, poll_interval_s) - w->now_s);
	if (of_all) {
		note_idle(d);
		note_limited(d);
	}
	if (w->s->policy.reject_negative)
		note_signs(d, of_all);
	if (d->keeps_s > FAR_S)
		return TIME_NEVER;
	return drift_poll_s(w->now_s, w->now_s + (int64_t)d->keeps_s, poll_interval_s);
}

int64_t drift_due_s(struct drift *d, const struct walk *w, const struct gate_context *ctx)
{
	return begin_walk(d, w, ctx) ? find_due_s(d) : TIME_NEVER;
}

int64_t drift_first_poll_s(struct drift *d, const struct walk *w, const struct gate_context *ctx)
{
	if (!begin_walk(d, w, ctx))
		return TIME_NEVER;
	if (!d->poll.can_tell)
		return find_due_s(d);
	return drift_poll_s(w->now_s, w->now_s, snapshot_poll_s(w->s));
}
