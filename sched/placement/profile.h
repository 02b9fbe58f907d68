/* SPDX-License-Identifier: MIT */
/*
 * profile.h - how much is free at each coming moment?
 *
 * A step function from time to free processors: constant from one step to the next, the
 * last step lasts for ever. Steps are kept in blocks, each with the least and most that
 * is free in it and an amount to add to all of it; so a search skips blocks, and taking
 * processors over a long stretch touches two blocks' insides and the sums of the rest.
 *
 * Free may be asked below zero never: a caller that takes more than is free has a bug
 * (assert).
 */
#ifndef PLACEMENT_PROFILE_H
#define PLACEMENT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

struct profile; /* opaque; reused from pass to pass */

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* Starts over: `value` processors are free from from_s to the end of time. */
void profile_reset(struct profile *p, int64_t from_s, int64_t value);

/*
 * The quick way to build from many jobs: each note says that from at_s on, not before the
 * first step, procs more are free, or with a negative count fewer; in any order. Notes come
 * right after profile_reset, and after them profile_settle adds up; nothing may be asked
 * before. False from that: at some moment less than nothing would be free, and the profile
 * is of no use.
 */
void profile_note(struct profile *p, int64_t at_s, int64_t procs);
bool profile_settle(struct profile *p);

/* Takes (or with a negative count gives back) procs over [begin_s, end_s). */
void profile_take(struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs);

/*
 * The earliest moment from from_s on at which procs processors are free for duration_s
 * without a gap; TIME_NEVER if there is none.
 */
int64_t profile_earliest(const struct profile *p, int64_t from_s, int64_t procs, int64_t duration_s);

/*
 * The same, when from until_s on nothing stands in the way: the earliest moment before
 * until_s at which procs processors are free for duration_s, or up to until_s.
 */
int64_t profile_earlier(const struct profile *p, int64_t from_s, int64_t until_s, int64_t procs,
			int64_t duration_s);

/* The least that is free in [begin_s, end_s); begin_s < end_s. */
int64_t profile_least(const struct profile *p, int64_t begin_s, int64_t end_s);

/* The first moment in [begin_s, end_s) with fewer than procs free; TIME_NEVER if none. */
int64_t profile_first_below(const struct profile *p, int64_t begin_s, int64_t end_s, int64_t procs);

/* The first moment after at_s at which what is free may change; TIME_NEVER if there is none. */
int64_t profile_next(const struct profile *p, int64_t at_s);

/* How many steps there are: a measure of its size. */
uint32_t profile_steps(const struct profile *p);

#endif
