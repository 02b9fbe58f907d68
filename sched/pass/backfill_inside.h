/* SPDX-License-Identifier: MIT */
/*
 * backfill_inside.h - what the files of the walk share and nobody else sees
 *
 * From the ground up: a file uses only what stands above it here, and backfill.c, the walk itself,
 * uses them all.
 */
#ifndef PASS_BACKFILL_INSIDE_H
#define PASS_BACKFILL_INSIDE_H

#include "backfill.h"

/* Where a visit of the eligible jobs stands. */
struct visit {
	uint32_t at;          /* next index in the queue's idle part, or in WAITING          */
	size_t kept_at, kept; /* next of the kept promises, which stand in the same order; how many */
};

static inline const struct job *job_at(const struct walk *w, uint32_t slot)
{
	return &snapshot_jobs(w->s)[slot];
}

/* Has this job a promise that was kept? Then it is eligible: its gates were asked then. */
static inline bool walk_is_kept(const struct walk *w, const struct visit *v, uint32_t slot)
{
	return v->kept_at < v->kept && w->reservations.item[v->kept_at].slot == slot;
}

/* --- backfill_order.c --- */

/* Lets everybody through that is looked for along WAITING. */
void walk_sieve_open(struct walk *w);

/* Lets only those through that may start now, once no promise can be made any more. */
void walk_sieve_narrow(struct walk *w);
bool walk_sieve_is_narrow(const struct walk *w);

/* The next eligible job in order; false at the end. */
bool walk_next_eligible(struct walk *w, struct visit *v, uint32_t *slot);

/* --- backfill_start.c --- */

/* Is the job within its active limits, with all that has started so far? */
bool walk_within(const struct walk *w, uint32_t slot, enum limit_level level);

/* Is it too large for what is free, whatever else? Starts only make that less. */
bool walk_is_too_large(const struct walk *w, uint32_t slot);

/* Could it start now, within the limits of the level and beside all reservations? Nothing changes. */
bool walk_fits(struct walk *w, uint32_t slot, enum limit_level level);

/* The same, and it does. */
bool walk_try_start(struct walk *w, uint32_t slot, enum limit_level level);

/* The same of a job that is known to be within its limits. */
bool walk_start_if_room(struct walk *w, uint32_t slot);

/* Notes a start on the walk's runs from `first` on. */
void walk_note_start(struct walk *w, uint32_t slot, size_t first);

/* --- backfill_promise.c --- */

/* Has any level a place left for a promise? */
bool walk_can_promise(const struct walk *w);

/* Promises a start after now; false: its level has no place left, or there is no such moment. */
bool walk_promise(struct walk *w, uint32_t slot);

/* Lets a promise take its place of the depth. */
void walk_count_promise(struct walk *w, const struct reservation *r);

/* A reservation for a job, without a time. */
struct reservation walk_reservation(const struct walk *w, uint32_t slot);

/* --- backfill_kept.c --- */

/* Brings the promises of earlier passes into the placement, in the order of rank. */
void walk_keep_promises(struct walk *w);

/* Starts a job whose promise begins now. */
bool walk_start_promised(struct walk *w, uint32_t slot, const struct reservation *r);

/* --- backfill_choose.c --- */

/* Starts of the candidates, which are in the order of rank, those that BACKFILLPOLICY chooses. */
void walk_backfill(struct walk *w, struct queued *candidate, uint32_t count, enum limit_level level);

#endif
