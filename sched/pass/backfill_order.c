/* SPDX-License-Identifier: MIT */
/*
 * backfill_order.c - who is visited next?
 *
 * Two ways to visit the eligible jobs give the same walk: through the sorted queue, or, when
 * no weight and no limit is set so that all ranks are equal, straight along WAITING, which
 * is in that order already. WAITING holds what is asked for: jobs without a chance are
 * passed over without looking at them.
 */
#include "backfill_inside.h"

/* --- the sieve ------------------------------------------------------------------------------ */

static const struct sieve all_pass = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

void walk_sieve_open(struct walk *w)
{
	w->sieve = all_pass;
}

bool walk_sieve_is_narrow(const struct walk *w)
{
	return w->sieve.procs != UINT32_MAX;
}

/* What is free for ever is safe; anything bigger must end before the profile first falls to that. */
void walk_sieve_narrow(struct walk *w)
{
	struct profile *profile;
	int64_t least, until_s;

	w->sieve = all_pass;
	w->sieve.procs = at_most_u32(placement_procs_free(w->placement));
	if (w->reservations.count == 0)
		return;
	profile = placement_profile(w->placement);
	least = profile_least(profile, w->now_s, TIME_NEVER);
	until_s = profile_first_below(profile, w->now_s, TIME_NEVER, least + 1);
	w->sieve.safe_procs = at_most_u32(least);
	if (until_s != TIME_NEVER)
		w->sieve.wall_s = at_most_u32(until_s - w->now_s);
}

/* --- along WAITING -------------------------------------------------------------------------- */

/*
 * The next entry from at on that may have a chance; count if none. Saturated machines with
 * tens of thousands waiting live in this loop: it reads nothing but the entries, and
 * branches only when one is found, for which test an entry fails is not to be foreseen.
 */
static uint32_t skip_hopeless(const struct waiting *waiting, uint32_t at, uint32_t count, struct sieve sieve)
{
	while (at < count && ((waiting[at].procs > sieve.procs) |
			      ((waiting[at].procs > sieve.safe_procs) & (waiting[at].wall_s > sieve.wall_s))))
		at++;
	return at;
}

static bool opens_at_a_date(enum gate gate)
{
	return gate == GATE_START_DATE || gate == GATE_DEFER;
}

/* As the queue would find it. */
static bool is_eligible(struct walk *w, const struct job *job)
{
	const struct gate_context ctx = queue_context(&w->queue, w->s, w->now_s);
	struct reason reason;

	if (gate_first_between(&ctx, job, GATE_NONE + 1, GATE_ARRAY, &reason) == GATE_NONE)
		return true;
	if (opens_at_a_date(reason.gate) && reason.until_s < w->next_date_s)
		w->next_date_s = reason.until_s;
	return false;
}

static bool next_by_submit(struct walk *w, struct visit *v, uint32_t *slot)
{
	const struct waiting *waiting = snapshot_waiting(w->s);
	uint32_t count = snapshot_count(w->s, TABLE_WAITING);

	for (; (v->at = skip_hopeless(waiting, v->at, count, w->sieve)) < count; v->at++) {
		*slot = waiting[v->at].slot;
		if (walk_is_kept(w, v, *slot) || is_eligible(w, job_at(w, *slot))) {
			v->at++;
			return true;
		}
	}
	return false;
}

/* --- in order ------------------------------------------------------------------------------- */

static bool is_hopeless(const struct waiting *one, struct sieve sieve)
{
	return one->procs > sieve.procs || (one->procs > sieve.safe_procs && one->wall_s > sieve.wall_s);
}

static bool next_in_queue(struct walk *w, struct visit *v, uint32_t *slot)
{
	const struct waiting *waiting = snapshot_waiting(w->s);

	while (v->at < w->queue.idle_count) {
		const struct queued *one = &w->queue.idle[v->at++];

		*slot = one->slot;
		if (!is_hopeless(&waiting[one->order], w->sieve) || walk_is_kept(w, v, one->slot))
			return true;
	}
	return false;
}

bool walk_next_eligible(struct walk *w, struct visit *v, uint32_t *slot)
{
	return w->by_submit ? next_by_submit(w, v, slot) : next_in_queue(w, v, slot);
}

const struct queued *walk_next_ranked(const struct queue *q, uint32_t *idle, uint32_t *second)
{
	const struct queued *a = *idle < q->idle_count ? &q->idle[*idle] : NULL;
	const struct queued *b = *second < q->second_count ? &q->second[*second] : NULL;

	if (a == NULL && b == NULL)
		return NULL;
	if (b == NULL || (a != NULL && (a->rank > b->rank || (a->rank == b->rank && a->order <= b->order)))) {
		/* Under HARDPASS IDLEONLY it stands in both lists. */
		*second += b != NULL && b->slot == a->slot;
		++*idle;
		return a;
	}
	++*second;
	return b;
}
