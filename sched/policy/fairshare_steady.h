/* SPDX-License-Identifier: MIT */
/*
 * fairshare_steady.h - how long fairshare caps and factors stay as they are
 *
 * While the same jobs run, the usage of each credential and the total usage grow linearly. A cap is crossed
 * where two straight lines intersect, so usage need not be added up again before.
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
	bool even; /* false: the usage of a run is measured, so its growth is not known */
	size_t room;
};

/* Finds the pace of the running jobs. */
void fs_pace_find(struct fs_pace *p, const struct fs_world *world);
void fs_pace_clear(struct fs_pace *p);
/* Adds a job that runs from now on. */
void fs_pace_add(struct fs_pace *p, enum fs_policy metric, const struct job *job,
		 const struct machine *machine);

/* True if any credential of the job has a cap. */
bool fairshare_has_cap(const struct fairshare *f, const struct job *job);

/*
 * The moment before which fairshare_keeps_caps returns the same for the job as at f->now_s. At most the roll
 * of the window; f->now_s if it is not known.
 */
int64_t fairshare_caps_steady_until(const struct fairshare *f, const struct fs_pace *pace,
				    const struct job *job, const struct machine *machine);

/*
 * The change of the factor of a credential (fs_share.delta) up to the roll of the window. False: it is not
 * known.
 */
bool fairshare_delta_trend(const struct fairshare *f, const struct fs_pace *pace, uint32_t cred,
			   struct trend *out);

/*
 * The first second at which the job is within all of its fairshare caps, because usage of other jobs reduces
 * its shares or windows roll, if the running jobs run to their limits and no other job starts. TIME_NEVER:
 * there is none within ROLLS_MOST rolls.
 */
int64_t fairshare_clears_s(const struct fairshare *f, const struct fs_world *world, const struct job *job);

#endif
