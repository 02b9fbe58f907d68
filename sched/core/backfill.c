/* SPDX-License-Identifier: MIT */
/*
 * backfill.c - the walk: who starts now, and who is promised a start?
 *
 * Two ways to visit the eligible jobs give the same walk: through the sorted queue, or, when
 * no weight is set so that all ranks are equal, straight along WAITING, which is in that
 * order already and holds what is asked for: jobs without a chance are then passed over
 * without looking at them.
 */
#include "backfill.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* --- memory and marks ---------------------------------------------------------------------- */

static void *zeroed_room(void *items, size_t *room, size_t need, size_t size)
{
	if (need <= *room)
		return items;
	free(items);
	*room = need + need / 2;
	return mem_zero(*room, size);
}

void walk_wipe(struct walk *w)
{
	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_START)
			w->done[w->decision[i].slot] = 0;
	for (size_t i = 0; i < w->runs.count; i++)
		memset(&w->taken[w->runs.item[i].node], 0, w->runs.item[i].nodes * sizeof *w->taken);
	w->decision_count = 0;
	w->runs.count = 0;
	w->reservations.count = 0;
	w->promises_due = 0;
	w->started = w->backfilled = w->waiting_ahead = 0;
	w->strict_head = 0;
	w->has_profile = false;
	w->next_date_s = TIME_NEVER;
}

void walk_free(struct walk *w)
{
	queue_clear(&w->queue);
	profile_free(w->profile);
	reservations_free(&w->reservations);
	free(w->decision);
	free(w->runs.item);
	free(w->taken);
	free(w->done);
}

struct decision *walk_decide(struct walk *w, enum decision_kind kind, uint32_t slot)
{
	struct decision *d;

	w->decision = vec_room(w->decision, &w->decision_room, w->decision_count + 1, sizeof *w->decision);
	d = &w->decision[w->decision_count++];
	*d = (struct decision){.kind = (uint8_t)kind, .slot = slot, .job = snapshot_jobs(w->s)[slot].id};
	return d;
}

/* --- the profile ------------------------------------------------------------------------------ */

/* Notes the running jobs alone. */
static void note_running(struct profile *p, const struct snapshot *s, int64_t now_s)
{
	const uint32_t *running = snapshot_running(s);

	profile_reset(p, now_s, s->procs_total - s->procs_busy);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[running[i]];
		int64_t end_s = job_due_end_s(job);

		profile_note(p, end_s > now_s ? end_s : now_s + 1, job_procs(job));
	}
}

void running_profile(struct profile *p, const struct snapshot *s, int64_t now_s)
{
	note_running(p, s, now_s);
	profile_settle(p);
}

void walk_need_profile(struct walk *w)
{
	if (w->has_profile)
		return;
	w->has_profile = true;
	running_profile(w->profile, w->s, w->now_s);
	for (size_t i = 0; i < w->decision_count; i++) {
		const struct job *job = &snapshot_jobs(w->s)[w->decision[i].slot];

		if (w->decision[i].kind == DECIDE_START)
			profile_take(w->profile, w->now_s, w->now_s + job->wall_limit_s, job_procs(job));
	}
}

/* --- visiting in order -------------------------------------------------------------------------- */

struct visit {
	uint32_t at;          /* next index in the queue's idle part, or in WAITING          */
	size_t kept_at, kept; /* next of the kept promises, which stand in the same order; how many */
};

/* Has this job a promise that was kept? Then it is eligible: its gates were asked then. */
static bool is_kept(const struct walk *w, const struct visit *v, uint32_t slot)
{
	return v->kept_at < v->kept && w->reservations.item[v->kept_at].slot == slot;
}

static bool next_in_queue(struct walk *w, struct visit *v, uint32_t *slot)
{
	if (v->at >= w->queue.idle_count)
		return false;
	*slot = w->queue.idle[v->at++].slot;
	return true;
}

static const struct sieve all_pass = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

/*
 * Once no promise can be made any more. What is free for ever is safe; anything bigger
 * must end before the profile first falls to that.
 */
static struct sieve make_sieve(const struct walk *w)
{
	struct sieve sieve = all_pass;
	int64_t least, until_s;

	sieve.procs = at_most_u32(w->procs_free);
	if (w->reservations.count == 0)
		return sieve;
	least = profile_least(w->profile, w->now_s, TIME_NEVER);
	until_s = profile_first_below(w->profile, w->now_s, TIME_NEVER, least + 1);
	sieve.safe_procs = at_most_u32(least);
	if (until_s != TIME_NEVER)
		sieve.wall_s = at_most_u32(until_s - w->now_s);
	return sieve;
}

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

/* As the queue would find it. */
static bool is_eligible(struct walk *w, const struct job *job)
{
	const struct gate_context ctx = {.s = w->s, .now_s = w->now_s, .procs_free = -1};
	struct reason reason;

	if (gate_first_failing(&ctx, job, false, &reason) == GATE_NONE)
		return true;
	if (reason.gate == GATE_START_DATE && reason.until_s < w->next_date_s)
		w->next_date_s = reason.until_s;
	return false;
}

static bool next_by_submit(struct walk *w, struct visit *v, uint32_t *slot)
{
	const struct waiting *waiting = snapshot_waiting(w->s);
	uint32_t count = snapshot_count(w->s, TABLE_WAITING);

	for (; (v->at = skip_hopeless(waiting, v->at, count, w->sieve)) < count; v->at++) {
		*slot = waiting[v->at].slot;
		if (is_kept(w, v, *slot) || is_eligible(w, &snapshot_jobs(w->s)[*slot])) {
			v->at++;
			return true;
		}
	}
	return false;
}

static bool next_eligible(struct walk *w, struct visit *v, uint32_t *slot)
{
	return w->by_submit ? next_by_submit(w, v, slot) : next_in_queue(w, v, slot);
}

/* --- starting and promising ---------------------------------------------------------------------- */

static bool may_reserve(const struct walk *w)
{
	return w->s->policy.reservation != RESERVE_NEVER && w->s->policy.backfill != BACKFILL_NONE &&
	       (int64_t)(w->reservations.count - w->promises_due) < w->s->policy.reservation_depth[0];
}

/* Places the job on nodes and notes its start. False: its tasks do not fit on what is free. */
static bool start(struct walk *w, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(w->s)[slot];
	size_t first = w->runs.count;
	struct decision *d;

	if (!nodealloc_first(snapshot_nodes(w->s), snapshot_count(w->s, TABLE_NODES), w->taken, job->tasks,
			     job->task_procs, &w->runs))
		return false;
	d = walk_decide(w, DECIDE_START, slot);
	d->first_run = (uint32_t)first;
	d->run_count = (uint32_t)(w->runs.count - first);
	d->backfilled = w->waiting_ahead > 0;
	w->done[slot] = 1;
	w->procs_free -= job_procs(job);
	w->started++;
	w->backfilled += d->backfilled;
	return true;
}

static bool fits_beside_reservations(struct walk *w, const struct job *job)
{
	if (w->reservations.count == 0)
		return true;
	return profile_first_below(w->profile, w->now_s, w->now_s + job->wall_limit_s, job_procs(job)) ==
	       TIME_NEVER;
}

static bool try_start(struct walk *w, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(w->s)[slot];

	if (job_procs(job) > w->procs_free || !fits_beside_reservations(w, job) || !start(w, slot))
		return false;
	if (w->has_profile)
		profile_take(w->profile, w->now_s, w->now_s + job->wall_limit_s, job_procs(job));
	return true;
}

static void promise(struct walk *w, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(w->s)[slot];
	struct reservation r = {.job = job->id, .slot = slot, .procs = job_procs(job)};
	int64_t from_s;

	walk_need_profile(w);
	/* Not now: enough may be free, yet in pieces too small for its tasks. */
	from_s = profile_next(w->profile, w->now_s);
	if (from_s != TIME_NEVER)
		reservation_make(&w->reservations, w->profile, r, from_s, job->wall_limit_s);
}

/* --- promises kept from earlier passes (RESERVATIONPOLICY HIGHEST) ---------------------------------- */

static void collect_kept(struct walk *w)
{
	struct visit v = {0};
	uint32_t slot;

	while (next_eligible(w, &v, &slot)) {
		const struct job *job = &snapshot_jobs(w->s)[slot];

		if (job->planned_s != TIME_NEVER)
			reservation_add(&w->reservations,
					(struct reservation){.job = job->id,
							     .slot = slot,
							     .procs = job_procs(job),
							     .begin_s = job->planned_s,
							     .end_s = job->planned_s + job->wall_limit_s});
	}
}

/* The profile of the running jobs and all kept promises at once. False: together they do not fit any more. */
static bool kept_profile(struct walk *w)
{
	note_running(w->profile, w->s, w->now_s);
	for (size_t i = 0; i < w->reservations.count; i++) {
		const struct reservation *r = &w->reservations.item[i];

		if (r->begin_s < w->now_s)
			return false;
		profile_note(w->profile, r->begin_s, -r->procs);
		profile_note(w->profile, r->end_s, r->procs);
	}
	return profile_settle(w->profile);
}

/* Takes one kept promise after the other; what no longer fits is made anew. */
static void remake_kept(struct walk *w)
{
	running_profile(w->profile, w->s, w->now_s);
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];
		int64_t duration_s = r->end_s - r->begin_s;

		if (r->begin_s < w->now_s ||
		    profile_first_below(w->profile, r->begin_s, r->end_s, r->procs) != TIME_NEVER) {
			r->begin_s = profile_earliest(w->profile, w->now_s, r->procs, duration_s);
			r->end_s = r->begin_s + duration_s;
		}
		profile_take(w->profile, r->begin_s, r->end_s, r->procs);
	}
}

/*
 * When time has become free: each in the order of rank moves to the earliest begin. Most have
 * none before their own, and what they hold from there on does not stand in their way; so
 * only those that move are taken out and put back.
 */
static void move_kept_up(struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];
		int64_t duration_s = r->end_s - r->begin_s;
		int64_t begin_s = profile_earlier(w->profile, w->now_s, r->begin_s, r->procs, duration_s);

		if (begin_s == TIME_NEVER)
			continue;
		profile_take(w->profile, r->begin_s, r->end_s, -r->procs);
		r->begin_s = begin_s;
		r->end_s = begin_s + duration_s;
		profile_take(w->profile, r->begin_s, r->end_s, r->procs);
	}
}

/* A promise that is made anew, or that a job now blocked gives up, leaves time to others. */
static void keep_promises(struct walk *w)
{
	bool fit;

	collect_kept(w);
	fit = kept_profile(w);
	if (!fit)
		remake_kept(w);
	w->has_profile = true;
	if (!fit || w->s->ends_pending || w->reservations.count < w->s->planned)
		move_kept_up(w);
	for (size_t i = 0; i < w->reservations.count; i++)
		w->promises_due += w->reservations.item[i].begin_s <= w->now_s;
}

/* Starts a job whose promise begins now. */
static bool start_promised(struct walk *w, uint32_t slot, const struct reservation *r)
{
	return r->begin_s <= w->now_s && start(w, slot);
}

/* --- the walk ------------------------------------------------------------------------------------------ */

/* A job without a kept promise: now, later, or no word. False ends the walk. */
static bool visit_fresh(struct walk *w, uint32_t slot)
{
	if (try_start(w, slot))
		return true;
	if (w->waiting_ahead++ == 0 && w->s->policy.backfill == BACKFILL_NONE) {
		w->strict_head = snapshot_jobs(w->s)[slot].id;
		return false;
	}
	if (may_reserve(w))
		promise(w, slot);
	return true;
}

/* Jobs that cannot start matter only while the first of them or a promise is looked for. */
static bool may_sieve(const struct walk *w, size_t kept)
{
	return w->by_submit && w->waiting_ahead > 0 && kept == 0 && !may_reserve(w);
}

static void visit_all(struct walk *w)
{
	struct visit v = {.kept = w->reservations.count};
	uint32_t slot;

	while (next_eligible(w, &v, &slot)) {
		uint32_t started = w->started;
		bool was_sieved = w->sieve.procs != UINT32_MAX;

		if (is_kept(w, &v, slot)) {
			if (!start_promised(w, slot, &w->reservations.item[v.kept_at++]))
				w->waiting_ahead++;
		} else if (!visit_fresh(w, slot)) {
			break;
		}
		if (!may_sieve(w, v.kept))
			continue;
		if (w->procs_free == 0)
			break;
		if (!was_sieved || w->started != started)
			w->sieve = make_sieve(w);
	}
}

static void prepare(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue)
{
	w->s = s;
	w->now_s = now_s;
	w->procs_free = s->procs_total - s->procs_busy;
	w->next_date_s = TIME_NEVER;
	w->sieve = all_pass;
	if (w->profile == NULL)
		w->profile = profile_new();
	w->taken = zeroed_room(w->taken, &w->taken_room, snapshot_count(s, TABLE_NODES), sizeof *w->taken);
	w->done = zeroed_room(w->done, &w->done_room, snapshot_count(s, TABLE_JOBS), sizeof *w->done);
	w->by_submit = s->ranks_equal && s->adjusted == 0 && s->policy.accrual != ACCRUAL_FULL && !with_queue;
	if (!w->by_submit)
		queue_build(&w->queue, s, now_s);
}

void walk_run(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue)
{
	walk_wipe(w);
	prepare(w, s, now_s, with_queue);
	if (s->policy.reservation == RESERVE_HIGHEST && s->policy.backfill != BACKFILL_NONE)
		keep_promises(w);
	visit_all(w);
}
