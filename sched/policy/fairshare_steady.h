/* SPDX-License-Identifier: MIT */
/*
 * fairshare_steady.h - how long fairshare caps and factors do not change
 *
 * While the same jobs run, the usage of each credential and the total usage grow linearly. A cap is crossed
 * where two straight lines intersect, so usage need not be added up again before that time.
 */
#ifndef POLICY_FAIRSHARE_STEADY_H
#define POLICY_FAIRSHARE_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fairshare.h"
#include "sched/model/trend.h"

/*
 * How fast usage grows, in processor-seconds per second. A zeroed struct is a valid empty one; fs_pace_clear
 * frees it.
 */
struct fs_pace {
	double *cred; /* pace of each credential, by index */
	double total;
	uint32_t running;
	bool even; /* false: the usage of a job is measured, so its growth is not known */
	size_t room;
};

/* Sets p to the pace of all running jobs. */
void fs_pace_find(struct fs_pace *p, const struct fs_world *world);
void fs_pace_clear(struct fs_pace *p);
/* Adds a job that runs from now on to the pace. */
void fs_pace_add(struct fs_pace *p, enum fs_policy metric, const struct job *job,
		 const struct machine *machine);

/* Does any credential of the job have a cap? */
bool fairshare_has_cap(const struct fairshare *f, const struct job *job);

/*
 * Returns the time until which fairshare_keeps_caps certainly has the same result for the job as at f->now_s:
 * at most the next roll of the window, and f->now_s if the growth of usage is not known.
 */
int64_t fairshare_caps_steady_until(const struct fairshare *f, const struct fs_pace *pace,
				    const struct job *job, const struct machine *machine);

/*
 * Sets *out to the trend of the factor of a credential (fs_share.delta) until the next roll of the window.
 * Returns false if the trend is not known.
 */
bool fairshare_delta_trend(const struct fairshare *f, const struct fs_pace *pace, uint32_t cred,
			   struct trend *out);

/*
 * Returns the first second at which the job will be within all of its fairshare caps, if running jobs run to
 * their limits and no other job starts. Its shares fall as other jobs use processors and as windows roll.
 * TIME_NEVER if there is no such time within ROLLS_MOST rolls.
 */
int64_t fairshare_clears_s(const struct fairshare *f, const struct fs_world *world, const struct job *job);

#endif
