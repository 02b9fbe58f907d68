/* SPDX-License-Identifier: MIT */
/*
 * fairshare_steady.h - for how long does time alone bring no job within a fairshare cap, or out of it?
 *
 * While the same jobs run, what each credential uses grows at an even pace, and so does the sum of all. So a
 * cap is crossed where two straight lines meet, and up to there nobody needs to add usage up again.
 */
#ifndef POLICY_FAIRSHARE_STEADY_H
#define POLICY_FAIRSHARE_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fairshare.h"
#include "sched/model/trend.h"

/* How fast usage grows, in processor-seconds a second. Zero is a valid empty one; fs_pace_clear frees. */
struct fs_pace {
	double *cred; /* by credential index */
	double total;
	uint32_t running;
	bool even; /* false: what a run has used so far is measured, and tells nothing of what comes */
	size_t room;
};

/* While the jobs that run in this world do. */
void fs_pace_find(struct fs_pace *p, const struct fs_world *world);
void fs_pace_clear(struct fs_pace *p);
/* With one more that runs from now on. */
void fs_pace_add(struct fs_pace *p, enum fs_policy metric, const struct job *job,
		 const struct machine *machine);

/* Does a cap hold for any of the job's credentials? */
bool fairshare_has_cap(const struct fairshare *f, const struct job *job);

/*
 * Up to this moment, itself left out, fairshare_keeps_caps says of the job what it says at f->now_s. Not
 * beyond the roll of a window; f->now_s where nothing is known.
 */
int64_t fairshare_caps_steady_until(const struct fairshare *f, const struct fs_pace *pace,
				    const struct job *job, const struct machine *machine);

/*
 * How the factor of a credential (struct fs_share, delta) changes up to the roll of the window. False where
 * nothing is known.
 */
bool fairshare_delta_trend(const struct fairshare *f, const struct fs_pace *pace, uint32_t cred,
			   struct trend *out);

/*
 * The first second at which the job is within all of its fairshare caps, as others' usage dilutes its shares
 * and windows close: while the jobs that run do so to their limits, and no other job starts. TIME_NEVER:
 * there is none, or it is very far off.
 */
int64_t fairshare_clears_s(const struct fairshare *f, const struct fs_world *world, const struct job *job);

#endif
