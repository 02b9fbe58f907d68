/* SPDX-License-Identifier: MIT */
/*
 * profile.h - availability profile: free processors over time
 *
 * A step function from time to the number of free processors. The number is constant from one step to the
 * next; the last step has no end. Steps are stored in blocks; each block has the minimum and the maximum of
 * its steps, and an amount that is added to every step in it. So a search can skip whole blocks. Taking
 * processors over a long interval changes single steps only in the first and the last block of the interval,
 * and only the added amount in the blocks between them.
 *
 * The number of free processors must never become negative: an assertion fails if a caller takes too many.
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
 * Build a profile from many jobs at once: profile_reset, then profile_note for each change in any order, then
 * profile_settle. A note adds procs to the number of free processors from at_s on (procs may be negative);
 * at_s must not be before the first step. profile_settle adds up the notes; no query is allowed before. It
 * returns false if the number of free processors becomes negative at some time; the profile is then invalid.
 */
void profile_note(struct profile *p, int64_t at_s, int64_t procs);
bool profile_settle(struct profile *p);

/*
 * Takes procs processors from the profile over [begin_s, end_s); returns processors to it if procs is
 * negative.
 */
void profile_take(struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs);

/*
 * Returns the earliest time >= from_s from which procs processors are free for duration_s without
 * interruption; TIME_NEVER if there is none.
 */
int64_t profile_earliest(const struct profile *p, int64_t from_s, int64_t procs, int64_t duration_s);

/*
 * Returns the earliest time in [from_s, until_s) from which procs processors are free for duration_s or until
 * until_s, whichever is shorter; TIME_NEVER if there is none.
 */
int64_t profile_earlier(const struct profile *p, int64_t from_s, int64_t until_s, int64_t procs,
			int64_t duration_s);

/* Returns the minimum number of free processors in [begin_s, end_s); begin_s < end_s. */
int64_t profile_least(const struct profile *p, int64_t begin_s, int64_t end_s);

/*
 * Returns the first time in [begin_s, end_s) with fewer than procs free processors; TIME_NEVER if there is
 * none.
 */
int64_t profile_first_below(const struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs);

/*
 * Returns the first time after at_s at which the number of free processors may change; TIME_NEVER if there is
 * none.
 */
int64_t profile_next(const struct profile *p, int64_t at_s);

/* Returns the number of steps, a measure of the profile's size. */
uint32_t profile_steps(const struct profile *p);

#endif
