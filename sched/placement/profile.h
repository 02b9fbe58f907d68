/* SPDX-License-Identifier: MIT */
/*
 * profile.h - availability profile: free processors over time
 *
 * A step function from time to the number of free processors. The number is constant from one step to the
 * next; the last step has no end. Steps are stored in blocks; each block has the minimum and the maximum of
 * its steps and an amount to add to all of them. A search skips whole blocks, and taking processors over a
 * long interval changes the steps of two blocks and only the added amount of the blocks between them.
 *
 * The number of free processors must never become negative; that is a bug of the caller (assert).
 */
#ifndef PLACEMENT_PROFILE_H
#define PLACEMENT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

struct profile; /* opaque; reused from pass to pass */

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* Resets the profile: `value` processors are free from from_s on. */
void profile_reset(struct profile *p, int64_t from_s, int64_t value);

/*
 * Building a profile from many jobs at once. Each note says that from at_s on, which is not before the first
 * step, procs more processors are free (fewer if procs is negative); notes may come in any order. They follow
 * profile_reset; profile_settle then sums them up. No query is allowed before. profile_settle returns false
 * if the number of free processors becomes negative at some time; the profile is then invalid.
 */
void profile_note(struct profile *p, int64_t at_s, int64_t procs);
bool profile_settle(struct profile *p);

/* Takes procs processors over [begin_s, end_s); gives them back if procs is negative. */
void profile_take(struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs);

/*
 * The earliest time >= from_s at which procs processors are free for duration_s without interruption;
 * TIME_NEVER if there is none.
 */
int64_t profile_earliest(const struct profile *p, int64_t from_s, int64_t procs, int64_t duration_s);

/*
 * As profile_earliest, but with no requirement from until_s on: the earliest time in [from_s, until_s) from
 * which procs processors are free for duration_s or until until_s.
 */
int64_t profile_earlier(const struct profile *p, int64_t from_s, int64_t until_s, int64_t procs,
			int64_t duration_s);

/* The minimum of free processors in [begin_s, end_s); begin_s < end_s. */
int64_t profile_least(const struct profile *p, int64_t begin_s, int64_t end_s);

/* The first time in [begin_s, end_s) with fewer than procs processors free; TIME_NEVER if there is none. */
int64_t profile_first_below(const struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs);

/*
 * The first time after at_s at which the number of free processors may change; TIME_NEVER if there is none.
 */
int64_t profile_next(const struct profile *p, int64_t at_s);

/* The number of steps, a measure of the profile's size. */
uint32_t profile_steps(const struct profile *p);

#endif
