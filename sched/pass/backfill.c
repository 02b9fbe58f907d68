/* SPDX-License-Identifier: MIT */
/*
 * backfill.c - the walk of a pass: starts, reservations and backfill
 *
 * Jobs are visited in the order of rank. Before that, the reservations of earlier passes are placed again.
 * Each visited job starts, gets a reservation, or becomes a candidate for backfill (backfill_policy.c).
 */
#include "backfill.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* --- memory and marks ---------------------------------------------------------------------- */

void walk_wipe(struct walk *w)
{
	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_START)
			w->mark[w->decision[i].slot] = 0;
	for (size_t i = 0; i < w->reservations.count; i++)
		w->mark[w->reservations.item[i].slot] = 0;
	w->decision_count = 0;
	w->runs.count = 0;
	reservations_reset(&w->reservations);
	memset(w->level_count, 0, sizeof w->level_count);
	w->started = w->backfilled = w->waiting_ahead = 0;
	w->strict_head = 0;
	w->cut = false;
	w->next_date_s = TIME_NEVER;
}

void walk_free(struct walk *w)
{
	queue_clear(&w->queue);
	placement_free(w->placement);
	reservations_free(&w->reservations);
	free(w->decision);
	free(w->runs.item);
	free(w->mark);
	free(w->candidate);
}

/* --- starts --------------------------------------------------------------------------------- */

struct decision *walk_decide(struct walk *w, enum decision_kind kind, uint32_t slot)
{
	struct decision *d;

	w->decision = vec_room(w->decision, &w->decision_room, w->decision_count + 1, sizeof *w->decision);
	d = &w->decision[w->decision_count++];
	*d = (struct decision){.kind = (uint8_t)kind, .slot = slot, .job = snapshot_jobs(w->s)[slot].id};
	return d;
}

/* True if the job is within its active limits, with all starts so far counted. */
static bool is_within(const struct walk *w, uint32_t slot, enum limit_level level)
{
	return w->by_submit || !throttle_any(w->queue.throttle) ||
	       throttle_active(w->queue.throttle, walk_job(w, slot), level, NULL);
}

/* Time until which the processors of a start must be free. */
static int64_t end_of_start_s(const struct walk *w, const struct job *job)
{
	return reservations_end_s(&w->reservations, job, w->now_s, snapshot_job_grace_s(w->s, job));
}

static bool fits_beside_reservations(struct walk *w, const struct job *job)
{
	return w->reservations.count == 0 ||
	       profile_first_below(placement_profile(w->placement), w->now_s, end_of_start_s(w, job),
				   job_procs(job)) == TIME_NEVER;
}

/*
 * True if the job requests more processors than are free. Starts only reduce the number of free processors.
 */
static bool is_too_large(const struct walk *w, uint32_t slot)
{
	return job_procs(walk_job(w, slot)) > placement_procs_free(w->placement);
}

/* Finds nodes for a start now and appends them to the runs of the walk. False if there are none. */
static bool find_nodes(struct walk *w, uint32_t slot)
{
	const struct job *job = walk_job(w, slot);

	if (!placement_is_plain(w->placement))
		return placement_find(w->placement, slot, w->now_s, end_of_start_s(w, job), &w->runs);
	return fits_beside_reservations(w, job) && placement_choose(w->placement, slot, &w->runs);
}

/* Decides a start on the runs of the walk from index `first` on. */
static void note_start(struct walk *w, uint32_t slot, size_t first)
{
	struct decision *d = walk_decide(w, DECIDE_START, slot);

	d->first_run = (uint32_t)first;
	d->run_count = (uint32_t)(w->runs.count - first);
	d->backfilled = w->waiting_ahead > 0;
	w->mark[slot] |= d->backfilled ? MARK_STARTS | MARK_BACKFILLED : MARK_STARTS;
	w->started++;
	w->backfilled += d->backfilled;
	placement_take(w->placement, slot, w->now_s, w->now_s + walk_job(w, slot)->wall_limit_s,
		       &w->runs.item[first], d->run_count);
	if (!w->by_submit && throttle_any(w->queue.throttle))
		throttle_count_start(w->queue.throttle, slot);
}

bool walk_fits(struct walk *w, uint32_t slot, enum limit_level level)
{
	size_t first = w->runs.count;
	bool fits = !is_too_large(w, slot) && is_within(w, slot, level) && find_nodes(w, slot);

	w->runs.count = first;
	return fits;
}

/* Starts a job that is within its limits, if there are nodes for it. */
static bool start_if_free(struct walk *w, uint32_t slot)
{
	size_t first = w->runs.count;

	if (is_too_large(w, slot) || !find_nodes(w, slot))
		return false;
	note_start(w, slot, first);
	return true;
}

bool walk_try_start(struct walk *w, uint32_t slot, enum limit_level level)
{
	return !is_too_large(w, slot) && is_within(w, slot, level) && start_if_free(w, slot);
}

/* --- the sieve ------------------------------------------------------------------------------ */

static const struct sieve open_sieve = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

static bool sieve_is_narrow(const struct walk *w)
{
	return w->sieve.procs != UINT32_MAX;
}

/*
 * Once no reservation can be made, lets only those jobs pass that may start now. A job that requests at most
 * the processors that stay free indefinitely (safe_procs) may always start; any other job must end before the
 * number of free processors first falls to safe_procs.
 */
static void narrow_sieve(struct walk *w)
{
	struct profile *profile;
	int64_t least, until_s;

	w->sieve = open_sieve;
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

/* The progress of the walk over the eligible jobs. */
struct visit {
	uint32_t at;          /* next index in the queue's idle list, or in WAITING */
	size_t kept_at, kept; /* index of the next kept reservation; number of kept reservations */
};

/*
 * True if the job has a kept reservation. It is then eligible: its gates were tested when the reservation was
 * kept.
 */
static inline bool is_kept(const struct walk *w, const struct visit *v, uint32_t slot)
{
	return v->kept_at < v->kept && w->reservations.item[v->kept_at].slot == slot;
}

/*
 * --- the next eligible job ------------------------------------------------------------------
 *
 * There are two ways to visit the eligible jobs, with the same result: along the sorted queue or, if no
 * weight and no limit is set, so that all ranks are equal, along WAITING, which is already in this order.
 */

/*
 * Index of the first entry of WAITING from `at` on that passes the sieve; `count` if there is none. With tens
 * of thousands of waiting jobs, most of the time is spent in this loop. It reads only the entries of WAITING,
 * and uses no short-circuit operators, because the processor cannot predict which of the tests fails.
 */
static uint32_t skip_hopeless(const struct waiting *waiting, uint32_t at, uint32_t count, struct sieve sieve)
{
	while (at < count && ((waiting[at].procs > sieve.procs) |
			      ((waiting[at].procs > sieve.safe_procs) & (waiting[at].wall_s > sieve.wall_s))))
		at++;
	return at;
}

/*
 * True if the job passes the gates of single jobs, as in queue_build. If only a date stops it, notes the date
 * in w->next_date_s.
 */
static bool is_eligible(struct walk *w, const struct job *job)
{
	const struct gate_context ctx = queue_context(&w->queue, w->s, w->now_s);
	struct reason reason;

	if (gate_first_between(&ctx, job, GATE_NONE + 1, GATE_ARRAY, &reason) == GATE_NONE)
		return true;
	if ((reason.gate == GATE_START_DATE || reason.gate == GATE_DEFER) && reason.until_s < w->next_date_s)
		w->next_date_s = reason.until_s;
	return false;
}

static bool next_by_submit(struct walk *w, struct visit *v, uint32_t *slot)
{
	const struct waiting *waiting = snapshot_waiting(w->s);
	uint32_t count = snapshot_count(w->s, TABLE_WAITING);

	for (; (v->at = skip_hopeless(waiting, v->at, count, w->sieve)) < count; v->at++) {
		*slot = waiting[v->at].slot;
		if (is_kept(w, v, *slot) || is_eligible(w, walk_job(w, *slot))) {
			v->at++;
			return true;
		}
	}
	return false;
}

static bool is_sieved_out(const struct waiting *one, struct sieve sieve)
{
	return one->procs > sieve.procs || (one->procs > sieve.safe_procs && one->wall_s > sieve.wall_s);
}

static bool next_in_queue(struct walk *w, struct visit *v, uint32_t *slot)
{
	const struct waiting *waiting = snapshot_waiting(w->s);

	while (v->at < w->queue.idle_count) {
		const struct queued *one = &w->queue.idle[v->at++];

		*slot = one->slot;
		if (!is_sieved_out(&waiting[one->order], w->sieve) || is_kept(w, v, one->slot))
			return true;
	}
	return false;
}

static bool next_eligible(struct walk *w, struct visit *v, uint32_t *slot)
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
		/* under HARDPASS IDLEONLY, the job is in both lists */
		*second += b != NULL && b->slot == a->slot;
		++*idle;
		return a;
	}
	++*second;
	return b;
}

/* --- reservations --------------------------------------------------------------------------- */

/* True if the policy allows reservations. */
static bool reserves(const struct walk *w)
{
	return w->s->policy.reservation != RESERVE_NEVER && w->s->policy.backfill != BACKFILL_NONE;
}

/* True if another reservation of this level is within RESERVATIONDEPTH. */
static bool level_has_place(const struct walk *w, unsigned level)
{
	return level < RESERVATION_LEVELS &&
	       (int64_t)w->level_count[level] < w->s->policy.reservation_depth[level];
}

/* True if another reservation of any level is within RESERVATIONDEPTH. */
static bool can_reserve(const struct walk *w)
{
	for (unsigned level = 0; reserves(w) && level < RESERVATION_LEVELS; level++)
		if (level_has_place(w, level))
			return true;
	return false;
}

/*
 * Counts a reservation toward RESERVATIONDEPTH. A reservation that begins now does not count: either its job
 * starts in this pass, or a start of this pass has taken the job over a soft limit and the next pass drops
 * the reservation.
 */
static void count_reservation(struct walk *w, const struct reservation *r)
{
	unsigned level = snapshot_job_level(w->s, walk_job(w, r->slot));

	w->mark[r->slot] |= MARK_RESERVED;
	if (level < RESERVATION_LEVELS && r->begin_s > w->now_s)
		w->level_count[level]++;
}

/* Reserves particular nodes from from_s on. False if the job never fits. */
static bool reserve_nodes(struct walk *w, struct reservation r, int64_t from_s)
{
	r.first_run = (uint32_t)w->reservations.runs.count;
	r.begin_s = placement_earliest(w->placement, r.slot, from_s, &w->reservations.runs);
	if (r.begin_s == TIME_NEVER)
		return false;
	r.end_s = r.begin_s + walk_job(w, r.slot)->wall_limit_s;
	r.run_count = (uint32_t)(w->reservations.runs.count - r.first_run);
	placement_take(w->placement, r.slot, r.begin_s, r.end_s, &w->reservations.runs.item[r.first_run],
		       r.run_count);
	reservation_add(&w->reservations, r);
	count_reservation(w, &r);
	return true;
}

/* Reserves a number of processors from from_s on, without naming nodes. False if the job never fits. */
static bool reserve_procs(struct walk *w, struct reservation r, int64_t from_s)
{
	if (reservation_make(&w->reservations, placement_profile(w->placement), r, from_s,
			     walk_job(w, r.slot)->wall_limit_s) == TIME_NEVER)
		return false;
	count_reservation(w, &w->reservations.item[w->reservations.count - 1]);
	return true;
}

static struct reservation new_reservation(const struct walk *w, uint32_t slot)
{
	const struct job *job = walk_job(w, slot);

	return (struct reservation){.job = job->id, .slot = slot, .procs = job_procs(job)};
}

/*
 * Gives the job a reservation after now. False if RESERVATIONDEPTH of its level is exhausted, or if there is
 * no time at which the job fits. Looking up the level searches the lists of the site, so this is done only if
 * a reservation of any level is possible.
 */
static bool reserve(struct walk *w, uint32_t slot)
{
	int64_t from_s;

	if (!can_reserve(w) || !level_has_place(w, snapshot_job_level(w->s, walk_job(w, slot))))
		return false;
	/* It has just been found that the job cannot start now. */
	from_s = placement_next_change(w->placement, w->now_s);
	if (from_s == TIME_NEVER)
		return false;
	return placement_is_plain(w->placement) ? reserve_procs(w, new_reservation(w, slot), from_s)
						: reserve_nodes(w, new_reservation(w, slot), from_s);
}

/*
 * --- reservations of earlier passes (RESERVATIONPOLICY HIGHEST) -----------------------------------
 *
 * All of them are placed before any other job is visited, so that the walk never moves a reservation to a
 * later time. A reservation moves to an earlier time after resources have been freed. It counts toward
 * RESERVATIONDEPTH only when the walk visits its job, so that a job of a higher rank that was submitted later
 * gets its own reservation.
 */

/* Copies the nodes that the reservation named when it was made to *r. */
static void copy_planned_runs(struct walk *w, const struct job *job, struct reservation *r)
{
	struct alloc_list *runs = &w->reservations.runs;

	r->first_run = (uint32_t)runs->count;
	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(w->s)[at].next) {
		runs->item = vec_room(runs->item, &runs->room, runs->count + 1, sizeof *runs->item);
		runs->item[runs->count++] = snapshot_runs(w->s)[at];
	}
	r->run_count = (uint32_t)runs->count - r->first_run;
}

/*
 * True if the reservation has begun and its job is over a soft limit. The turn of such a job comes after all
 * other jobs (HARDPASS), so nothing is kept free for it.
 */
static bool has_lapsed(const struct walk *w, uint32_t slot)
{
	return walk_job(w, slot)->planned_s <= w->now_s && !is_within(w, slot, LEVEL_SOFT);
}

static void collect_kept(struct walk *w)
{
	struct visit v = {0};
	uint32_t slot;

	while (next_eligible(w, &v, &slot)) {
		const struct job *job = walk_job(w, slot);
		struct reservation r = new_reservation(w, slot);

		if (job->planned_s == TIME_NEVER || has_lapsed(w, slot))
			continue;
		r.begin_s = job->planned_s;
		r.end_s = job->planned_s + job->wall_limit_s;
		copy_planned_runs(w, job, &r);
		reservation_add(&w->reservations, r);
	}
}

/* Enters all kept reservations into the profile at once. False if they no longer fit together. */
static bool kept_fit_at_once(struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++)
		if (w->reservations.item[i].begin_s < w->now_s)
			return false;
	return placement_claim_all(w->placement, w->reservations.item, w->reservations.count);
}

/* True if the reserved start has passed, because no pass ran then or the resources were not free. */
static bool is_late(const struct walk *w, const struct reservation *r)
{
	return r->begin_s < w->now_s;
}

/*
 * Reserves the processors at the reserved time, or else at the earliest possible time. False if there is
 * none.
 */
static bool remake_procs(struct walk *w, struct reservation *r)
{
	struct profile *profile = placement_profile(w->placement);
	int64_t duration_s = r->end_s - r->begin_s;

	if (is_late(w, r) || profile_first_below(profile, r->begin_s, r->end_s, r->procs) != TIME_NEVER) {
		r->begin_s = profile_earliest(profile, w->now_s, r->procs, duration_s);
		if (r->begin_s == TIME_NEVER) /* a suspended job holds processors that the job needs */
			return false;
		r->end_s = r->begin_s + duration_s;
	}
	profile_take(profile, r->begin_s, r->end_s, r->procs);
	r->placed = 1;
	return true;
}

/*
 * Enters the kept reservations into the profile one by one; a reservation that no longer fits is made anew,
 * or dropped. Late reservations come first and delay the others: if a late reservation were placed after
 * those that are still valid, two jobs could push each other back indefinitely, each pass being a second too
 * late for one of them.
 */
static void remake_kept(struct walk *w)
{
	size_t left = 0;

	for (size_t i = 0; i < w->reservations.count; i++)
		if (is_late(w, &w->reservations.item[i]))
			remake_procs(w, &w->reservations.item[i]);
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];

		if (r->placed || (r->begin_s != TIME_NEVER && remake_procs(w, r)))
			w->reservations.item[left++] = *r;
	}
	w->reservations.count = left;
}

/*
 * Moves each reservation, in the order of rank, to its earliest possible begin. profile_earlier finds this
 * time while the reservation is still in the profile, so only reservations that move are taken out and
 * entered again; most do not move.
 */
static void move_kept_up(struct walk *w)
{
	struct profile *profile = placement_profile(w->placement);

	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];
		int64_t duration_s = r->end_s - r->begin_s;
		int64_t begin_s = profile_earlier(profile, w->now_s, r->begin_s, r->procs, duration_s);

		if (begin_s == TIME_NEVER)
			continue;
		profile_take(profile, r->begin_s, r->end_s, -r->procs);
		r->begin_s = begin_s;
		r->end_s = begin_s + duration_s;
		profile_take(profile, r->begin_s, r->end_s, r->procs);
	}
}

/*
 * Places the kept reservations if they name no nodes. They move up after jobs have ended, or if a reservation
 * was made anew or dropped because its job is blocked.
 */
static void keep_procs(struct walk *w)
{
	bool fit = kept_fit_at_once(w);

	if (!fit)
		remake_kept(w);
	if (!fit || w->s->ends_pending || w->reservations.count < w->s->planned)
		move_kept_up(w);
	for (size_t i = 0; i < w->reservations.count; i++)
		w->mark[w->reservations.item[i].slot] |= MARK_RESERVED;
}

static struct alloc_run *runs_of(struct walk *w, const struct reservation *r)
{
	return &w->reservations.runs.item[r->first_run];
}

/* True if the named nodes are still free for a reservation that is not late. */
static bool nodes_are_free(struct walk *w, const struct reservation *r)
{
	return r->run_count > 0 &&
	       placement_can_take(w->placement, r->slot, r->begin_s, r->end_s, runs_of(w, r), r->run_count);
}

static void take_nodes(struct walk *w, const struct reservation *r)
{
	placement_take(w->placement, r->slot, r->begin_s, r->end_s, runs_of(w, r), r->run_count);
}

/*
 * Moves the reservation to the earliest possible begin and finds nodes for it. False: there is no such time,
 * and nothing changes.
 */
static bool place_at_earliest(struct walk *w, struct reservation *r)
{
	uint32_t first = (uint32_t)w->reservations.runs.count;
	int64_t begin_s = placement_earliest(w->placement, r->slot, w->now_s, &w->reservations.runs);

	if (begin_s == TIME_NEVER)
		return false;
	r->end_s += begin_s - r->begin_s;
	r->begin_s = begin_s;
	r->first_run = first;
	r->run_count = (uint32_t)w->reservations.runs.count - first;
	return true;
}

/*
 * Takes the nodes of the kept reservations: first of late reservations, at a new time (see remake_kept), then
 * of those whose nodes are still free. The other reservations have no nodes until keep_nodes places them.
 */
static void take_free_nodes(struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];

		if (!is_late(w, r))
			continue;
		r->run_count = 0;
		r->placed = place_at_earliest(w, r);
		if (r->placed)
			take_nodes(w, r);
	}
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];

		if (r->placed || is_late(w, r))
			continue;
		if (nodes_are_free(w, r))
			take_nodes(w, r);
		else
			r->run_count = 0;
	}
}

/*
 * Places kept reservations that name nodes: those without nodes are placed again, and if processors were
 * freed, the others move to the earliest possible begin.
 */
static void keep_nodes(struct walk *w)
{
	bool move_up = w->s->ends_pending || w->reservations.count < w->s->planned;
	size_t left = 0;

	take_free_nodes(w);
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation r = w->reservations.item[i];
		bool held = r.run_count > 0;

		if (held && move_up)
			placement_give_back(w->placement, r.slot, r.begin_s, r.end_s, runs_of(w, &r),
					    r.run_count);
		if (!held || move_up) {
			struct reservation moved = r;

			if (place_at_earliest(w, &moved) && (!held || moved.begin_s < r.begin_s))
				r = moved;
			if (r.run_count == 0)
				continue;
			take_nodes(w, &r);
		}
		w->reservations.item[left++] = r;
		w->mark[r.slot] |= MARK_RESERVED;
	}
	w->reservations.count = left;
}

/* Places the reservations of earlier passes, in the order of rank. */
static void keep_reservations(struct walk *w)
{
	collect_kept(w);
	if (placement_is_plain(w->placement))
		keep_procs(w);
	else
		keep_nodes(w);
}

/* Releases the processors of the reservation, so that the start can take them. */
static void release_reservation(struct walk *w, const struct reservation *r)
{
	if (placement_is_plain(w->placement))
		profile_take(placement_profile(w->placement), r->begin_s, r->end_s, -r->procs);
	else
		placement_give_back(w->placement, r->slot, r->begin_s, r->end_s, runs_of(w, r), r->run_count);
}

static void restore_reservation(struct walk *w, const struct reservation *r)
{
	if (placement_is_plain(w->placement))
		profile_take(placement_profile(w->placement), r->begin_s, r->end_s, r->procs);
	else
		take_nodes(w, r);
}

/* Starts a job whose reservation begins now. False if it cannot start; the reservation then remains. */
static bool start_reserved(struct walk *w, uint32_t slot, const struct reservation *r)
{
	size_t first = w->runs.count;

	if (r->begin_s > w->now_s || !is_within(w, slot, LEVEL_SOFT))
		return false;
	release_reservation(w, r);
	if (placement_is_plain(w->placement)
		    ? placement_choose(w->placement, slot, &w->runs)
		    : placement_find(w->placement, slot, r->begin_s, r->end_s, &w->runs)) {
		note_start(w, slot, first);
		return true;
	}
	restore_reservation(w, r);
	return false;
}

/* --- jobs that the starts took over their limits ------------------------------------------------ */

static bool is_over(const struct walk *w, uint32_t slot, enum limit_level level)
{
	return (w->mark[slot] & MARK_STARTS) == 0 && !is_within(w, slot, level);
}

static bool any_is_over(const struct walk *w, const struct queued *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_over(w, list[i].slot, LEVEL_HARD))
			return true;
	return false;
}

bool walk_keeps_hard_limits(const struct walk *w, uint32_t slot)
{
	return is_within(w, slot, LEVEL_HARD);
}

bool walk_exceeded_limits(const struct walk *w)
{
	if (w->started == 0 || w->by_submit || !throttle_any(w->queue.throttle))
		return false;
	for (size_t i = 0; i < w->reservations.count; i++)
		if (is_over(w, w->reservations.item[i].slot, LEVEL_SOFT))
			return true;
	return any_is_over(w, w->queue.idle, w->queue.idle_count) ||
	       any_is_over(w, w->queue.second, w->queue.second_count);
}

/* --- the walk ------------------------------------------------------------------------------------------ */

/* The result of visiting a job. */
enum visited {
	VISIT_STARTED,
	VISIT_WAITS,  /* the job has a reservation */
	VISIT_BLOCKS, /* the job neither starts nor has a reservation: all later jobs start by backfill */
	VISIT_LEAVES  /* a start of this pass took the job over its soft limit: its turn comes later */
};

static bool is_first_fit(const struct snapshot *s)
{
	return s->policy.backfill == BACKFILL_FIRSTFIT && s->policy.backfill_depth == 0;
}

/* True if the job can neither start nor get a reservation, so that its limits need not be tested. */
static bool is_hopeless(const struct walk *w, uint32_t slot)
{
	return is_too_large(w, slot) && !can_reserve(w);
}

/* Visits a job without a kept reservation. */
static enum visited visit_unreserved(struct walk *w, uint32_t slot)
{
	if (w->waiting_ahead > 0 && is_first_fit(w->s) && is_hopeless(w, slot))
		return VISIT_BLOCKS;
	if (!is_within(w, slot, LEVEL_SOFT))
		return VISIT_LEAVES;
	if (start_if_free(w, slot))
		return VISIT_STARTED;
	w->waiting_ahead++;
	return reserve(w, slot) ? VISIT_WAITS : VISIT_BLOCKS;
}

/*
 * True if the sieve may exclude jobs that cannot start. Such jobs matter only until the first of them is
 * found and while reservations can be made; without FIRSTFIT, the walk ends at that job anyway. Along WAITING
 * it is not known which jobs have a kept reservation, so there must be none.
 */
static bool may_sieve(const struct walk *w, size_t kept)
{
	return w->waiting_ahead > 0 && is_first_fit(w->s) && (!w->by_submit || kept == 0) && !can_reserve(w);
}

/* Visits a job with a kept reservation. */
static void visit_kept(struct walk *w, uint32_t slot, const struct reservation *r)
{
	if (start_reserved(w, slot, r))
		return;
	w->waiting_ahead++;
	count_reservation(w, r);
}

static bool is_strict(const struct walk *w)
{
	return w->s->policy.backfill == BACKFILL_NONE;
}

/*
 * Visits the rest of the queue: jobs whose kept reservation begins now start; jobs without a kept reservation
 * become candidates for backfill.
 */
static void backfill_rest(struct walk *w, struct visit *v)
{
	uint32_t count = 0;

	w->candidate = vec_room(w->candidate, &w->candidate_room, w->queue.idle_count, sizeof *w->candidate);
	for (uint32_t i = v->at; i < w->queue.idle_count; i++) {
		const struct queued *one = &w->queue.idle[i];

		if (is_kept(w, v, one->slot))
			start_reserved(w, one->slot, &w->reservations.item[v->kept_at++]);
		else
			w->candidate[count++] = *one;
	}
	backfill_start(w, w->candidate, count, LEVEL_SOFT);
}

/*
 * Visits all jobs in order. FIRSTFIT starts jobs as they are visited; the other policies choose among all
 * remaining jobs at once.
 */
static void visit_all(struct walk *w)
{
	struct visit v = {.kept = w->reservations.count};
	bool first_fit = is_first_fit(w->s);
	uint32_t slot;

	while (next_eligible(w, &v, &slot)) {
		uint32_t started = w->started;
		bool was_narrow = sieve_is_narrow(w);
		enum visited visited;

		if (is_kept(w, &v, slot)) {
			visit_kept(w, slot, &w->reservations.item[v.kept_at++]);
			visited = VISIT_WAITS;
		} else {
			visited = visit_unreserved(w, slot);
		}
		if (visited == VISIT_BLOCKS && is_strict(w)) {
			w->strict_head = walk_job(w, slot)->id;
			return;
		}
		if (visited == VISIT_BLOCKS && !first_fit && !can_reserve(w)) {
			backfill_rest(w, &v);
			return;
		}
		if (!may_sieve(w, v.kept))
			continue;
		if (placement_procs_free(w->placement) == 0 && v.kept_at == v.kept)
			return;
		if (!was_narrow || w->started != started)
			narrow_sieve(w);
	}
}

/* True if a job within its soft limits does not start in this pass. */
static bool waits_within_soft(struct walk *w)
{
	for (uint32_t i = 0; i < w->queue.idle_count; i++) {
		uint32_t slot = w->queue.idle[i].slot;

		if ((w->mark[slot] & MARK_STARTS) == 0 && is_within(w, slot, LEVEL_SOFT))
			return true;
	}
	return false;
}

/*
 * The turn of the jobs between their soft and hard limits (T-28, H-09). They start by backfill. With
 * BACKFILLPOLICY NONE they start only under HARDPASS IDLEONLY.
 */
static void visit_second(struct walk *w)
{
	bool idle_only = w->s->policy.hard_pass == HARD_IDLEONLY;
	const struct waiting *waiting = snapshot_waiting(w->s);
	uint32_t idle = 0, second = 0, count = 0;
	const struct queued *one;

	if (w->by_submit || !throttle_any(w->queue.throttle) || placement_procs_free(w->placement) <= 0 ||
	    (is_strict(w) && !idle_only) || (idle_only && waits_within_soft(w)))
		return;
	w->candidate = vec_room(w->candidate, &w->candidate_room, w->queue.idle_count + w->queue.second_count,
				sizeof *w->candidate);
	/* Table WAITING also contains the size of each job, so that most jobs need not be read. */
	narrow_sieve(w);
	while ((one = walk_next_ranked(&w->queue, &idle, &second)) != NULL)
		if (w->mark[one->slot] == 0 && !is_sieved_out(&waiting[one->order], w->sieve) &&
		    !is_within(w, one->slot, LEVEL_SOFT))
			w->candidate[count++] = *one;
	backfill_start(w, w->candidate, count, LEVEL_HARD);
}

/* True if jobs are visited in the order of WAITING and no gate depends on other jobs. */
static bool order_is_by_submit(const struct snapshot *s)
{
	const struct policy *p = &s->policy;

	return s->ranks_equal && s->adjusted == 0 && s->throttled == 0 && p->accrual != ACCRUAL_FULL &&
	       p->fs_policy == FS_NONE && snapshot_count(s, TABLE_LIMITS) == 0 && p->max_job_procs == 0 &&
	       p->max_job_wall_s == 0 && p->max_job_ps == 0 &&
	       (is_first_fit(s) || p->backfill == BACKFILL_NONE);
}

static void prepare(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue)
{
	w->s = s;
	w->now_s = now_s;
	w->next_date_s = TIME_NEVER;
	w->sieve = open_sieve;
	if (w->placement == NULL)
		w->placement = placement_new();
	placement_begin(w->placement, s, now_s);
	w->mark = vec_zeroed(w->mark, &w->mark_room, snapshot_count(s, TABLE_JOBS), sizeof *w->mark);
	w->queue.brief = !with_queue;
	w->by_submit = !with_queue && order_is_by_submit(s) && placement_is_plain(w->placement);
	if (w->by_submit)
		queue_begin(&w->queue, s, now_s);
	else
		queue_build(&w->queue, s, now_s);
}

/* Decides the resumes of suspended jobs, which come first. The placement already holds their processors. */
static void resume_jobs(struct walk *w)
{
	size_t count;
	const struct resume_claim *resume = placement_resumes(w->placement, &count);

	for (size_t i = 0; i < count; i++)
		if (resume[i].begin_s == w->now_s && job_awaits_resume(walk_job(w, resume[i].slot)))
			walk_decide(w, DECIDE_RESUME, resume[i].slot);
}

void walk_run(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue)
{
	for (size_t i = 0; i < w->decision_count; i++)
		queue_forget(&w->queue, w->decision[i].slot, w->decision[i].kind == DECIDE_START);
	walk_wipe(w);
	prepare(w, s, now_s, with_queue);
	resume_jobs(w);
	if (s->policy.reservation == RESERVE_HIGHEST && s->policy.backfill != BACKFILL_NONE)
		keep_reservations(w);
	visit_all(w);
	visit_second(w);
}
