/* SPDX-License-Identifier: MIT */
/*
 * fairshare_steady.c - when does time alone bring a job within a fairshare cap, or out of it, and when not?
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

static void add_pace(struct fs_pace *p, enum fs_policy metric, const struct job *job,
		     const struct machine *machine)
{
	double pace = pace_of(metric, job, machine);

	p->total += pace;
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (job->cred[t] != INDEX_NONE)
			p->cred[job->cred[t]] += pace;
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

		p->even = p->even && (metric != FS_UTILIZEDPS || job->used_ps < 0);
		add_pace(p, metric, job, &world->machine);
	}
}

void fs_pace_add(struct fs_pace *p, enum fs_policy metric, const struct job *job,
		 const struct machine *machine)
{
	p->running++;
	add_pace(p, fs_metric(metric), job, machine);
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

/* --- factors ------------------------------------------------------------------------------------------- */

/*
 * The share is 100 U / T, with straight lines for both: its slope, 100 (u T - U t) / T^2, keeps its sign and
 * gets no steeper. So it lies between the slopes of now and of the roll.
 */
static void find_slopes(const struct fairshare *f, const struct fs_pace *pace, const struct fs_share *share,
			struct trend *out)
{
	double total = f->total_usage, span_s = (double)(f->next_roll_s - f->now_s);
	double turn = 100 * (pace->cred[share->cred] * total - share->usage * pace->total);
	double then = total + span_s * pace->total;
	double now_slope = -turn / (total * total), last_slope = -turn / (then * then);

	out->lo = fmin(now_slope, last_slope);
	out->hi = fmax(now_slope, last_slope);
	if (turn != 0)
		out->margin = 100 * MARGIN_JOB * (1 + (double)pace->running) / total;
	if (fs_is_percent(f->policy->fs_policy)) {
		out->lo /= share->target;
		out->hi /= share->target;
		out->margin /= share->target;
	}
}

bool fairshare_delta_trend(const struct fairshare *f, const struct fs_pace *pace, uint32_t cred,
			   struct trend *out)
{
	const struct fs_share *share = cred < f->share_count ? &f->share[cred] : NULL;

	*out = (struct trend){.value = share != NULL ? share->delta : 0};
	if (f->off || share == NULL || share->mode == FS_NO_TARGET || share->mode >= FS_CAP_ABSOLUTE ||
	    (f->total_usage <= 0 && pace->total <= 0))
		return true;
	if (!pace->even || f->total_usage <= 0)
		return false;
	find_slopes(f, pace, share, out);
	if (share->mode != FS_TARGET || out->value <= -FS_DELTA_MOST) { /* it may stand still at a bound */
		out->lo = fmin(out->lo, 0);
		out->hi = fmax(out->hi, 0);
	}
	return true;
}

/* --- dilution ---------------------------------------------------------------------------- */

/* 100 (U + asked) - c T, and how much it grows in a second. */
struct excess {
	double amount, pace;
};

static bool has_cred(const struct job *job, uint32_t cred)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (job->cred[t] == cred)
			return true;
	return false;
}

static double excess_pace(const struct fs_share *share, const struct fs_world *world,
			  const struct job *running)
{
	double pace = pace_of(fs_metric(world->policy->fs_policy), running, &world->machine);

	return (has_cred(running, share->cred) ? 100 * pace : 0) - share->target * pace;
}

/* One relative cap. Running jobs are in the order of their ends. */
static int64_t dilutes_s(const struct fairshare *f, const struct fs_world *world,
			 const struct fs_share *share, struct excess excess)
{
	double at_s = (double)f->now_s, next_s;

	for (uint32_t r = 0; r < world->running_count; r++)
		excess.pace += excess_pace(share, world, &world->job[world->running[r]]);
	for (uint32_t r = 0; r <= world->running_count; r++) {
		const struct job *ending = r < world->running_count ? &world->job[world->running[r]] : NULL;

		next_s = ending == NULL ? (double)f->next_roll_s : (double)job_due_end_s(ending);
		next_s = fmax(at_s, fmin(next_s, (double)f->next_roll_s));
		if (excess.amount + excess.pace * (next_s - at_s) <= 0)
			return (int64_t)ceil(at_s + excess.amount / -excess.pace);
		excess.amount += excess.pace * (next_s - at_s);
		excess.pace -= ending == NULL ? 0 : excess_pace(share, world, ending);
		at_s = next_s;
	}
	return TIME_NEVER;
}

/* What a run has used is measured under this metric, and does not grow evenly. */
static bool is_uneven(const struct fs_world *world)
{
	bool uneven = false;

	if (fs_metric(world->policy->fs_policy) != FS_UTILIZEDPS)
		return false;
	for (uint32_t r = 0; r < world->running_count; r++)
		uneven = uneven || world->job[world->running[r]].used_ps >= 0;
	return uneven;
}

int64_t fairshare_dilutes_s(const struct fairshare *f, const struct fs_world *world, const struct job *job)
{
	double asked =
		fs_job_would_use(fs_metric(f->policy->fs_policy), job, &world->machine, job->wall_limit_s);
	int64_t last_s = f->now_s;

	if (is_uneven(world))
		return TIME_NEVER;
	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		const struct fs_share *share = cap_of(f, job, t);
		struct excess excess;
		int64_t at_s;

		if (share == NULL)
			continue;
		excess = (struct excess){.amount = share->usage + asked - share->target};
		if (share->mode == FS_CAP_RELATIVE)
			excess.amount = 100 * (share->usage + asked) - share->target * f->total_usage;
		if (excess.amount <= 0)
			continue;
		at_s = share->mode == FS_CAP_RELATIVE ? dilutes_s(f, world, share, excess) : TIME_NEVER;
		last_s = at_s > last_s ? at_s : last_s;
	}
	return last_s;
}
