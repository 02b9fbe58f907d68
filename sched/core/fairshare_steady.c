/* SPDX-License-Identifier: MIT */
/*
 * fairshare_steady.c - for how long does time alone bring no job within a fairshare cap, or out of it?
 *
 * A cap of c percent is broken while 100 (U + asked) > c T, where U and T, the usage of the credential and of
 * all, are straight lines in time: only the window of now grows, and that one weighs 1. Sums of floating
 * numbers, and amounts cut to thousandths, are a little off the lines; so nothing is promised nearer to where
 * they meet than a margin far above that.
 */
#include "fairshare_steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* Long enough for an amount cut to thousandths to say the pace. */
#define PACE_SPAN_S (INT64_C(1) << 20)

/* Of the sums compared; and what is cut away, in processor-seconds, of each job that runs. */
#define MARGIN_PART 1e-9
#define MARGIN_JOB  0.01

static double pace_of(enum fs_policy metric, const struct job *job, const struct machine *machine)
{
	return fs_job_would_use(metric, job, machine, PACE_SPAN_S) / (double)PACE_SPAN_S;
}

void fs_pace_find(struct fs_pace *p, const struct fs_world *world)
{
	enum fs_policy metric = fs_metric(world->policy->fs_policy);

	p->cred = vec_room(p->cred, &p->room, world->cred_count, sizeof *p->cred);
	memset(p->cred, 0, world->cred_count * sizeof *p->cred);
	p->total = 0;
	p->running = world->running_count;
	p->even = true;
	for (uint32_t r = 0; r < world->running_count; r++) {
		const struct job *job = &world->job[world->running[r]];
		double pace = pace_of(metric, job, &world->machine);

		p->even = p->even && (metric != FS_UTILIZEDPS || job->used_ps < 0);
		p->total += pace;
		for (int t = 0; t < CRED_TYPE_COUNT; t++)
			if (job->cred[t] != INDEX_NONE)
				p->cred[job->cred[t]] += pace;
	}
}

void fs_pace_clear(struct fs_pace *p)
{
	free(p->cred);
	*p = (struct fs_pace){.cred = NULL};
}

/* The cap of one of the job's credentials; NULL: there is none. */
static const struct fs_share *cap_of(const struct fairshare *f, const struct job *job, int type)
{
	uint32_t cred = job->cred[type];

	return !f->off && cred < f->share_count && f->share[cred].mode >= FS_CAP_ABSOLUTE ? &f->share[cred]
											  : NULL;
}

bool fairshare_has_cap(const struct fairshare *f, const struct job *job)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (cap_of(f, job, t) != NULL)
			return true;
	return false;
}

/* So many seconds, of span_s at most, until `used` is as large as `allowed`, or as small. */
static double seconds_apart(double used, double used_pace, double allowed, double allowed_pace, double margin,
			    double span_s)
{
	double apart = used - allowed, pace = used_pace - allowed_pace, seconds;

	margin +=
		MARGIN_PART * (fabs(used) + fabs(allowed) + span_s * (fabs(used_pace) + fabs(allowed_pace)));
	if (fabs(apart) <= margin)
		return 0;
	if (apart * pace >= 0)
		return span_s;
	seconds = (fabs(apart) - margin) / fabs(pace);
	return seconds < span_s ? seconds : span_s;
}

static double steady_seconds(const struct fairshare *f, const struct fs_pace *pace,
			     const struct fs_share *share, double asked)
{
	double span_s = (double)(f->next_roll_s - f->now_s), cut = MARGIN_JOB * (1 + (double)pace->running);

	if (share->mode == FS_CAP_ABSOLUTE)
		return seconds_apart(share->usage + asked, pace->cred[share->cred], share->target, 0, cut,
				     span_s);
	if (f->total_usage <= 0)
		return 0;
	return seconds_apart(100 * (share->usage + asked), 100 * pace->cred[share->cred],
			     share->target * f->total_usage, share->target * pace->total,
			     cut * (100 + share->target), span_s);
}

int64_t fairshare_caps_steady_until(const struct fairshare *f, const struct fs_pace *pace,
				    const struct job *job, const struct machine *machine)
{
	double asked = fs_job_would_use(fs_metric(f->policy->fs_policy), job, machine, job->wall_limit_s);
	int64_t until_s = f->next_roll_s;

	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		const struct fs_share *share = cap_of(f, job, t);
		int64_t at_s;

		if (share == NULL)
			continue;
		at_s = pace->even ? f->now_s + (int64_t)steady_seconds(f, pace, share, asked) : f->now_s;
		until_s = at_s < until_s ? at_s : until_s;
	}
	return until_s;
}
