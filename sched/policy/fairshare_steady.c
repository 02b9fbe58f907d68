/* SPDX-License-Identifier: MIT */
/*
 * fairshare_steady.c - how long fairshare caps and factors do not change
 *
 * A cap of c percent is broken while 100 (U + asked) > c T. The usage U of the credential and the usage T of
 * all jobs are linear in time, because only the current window grows, and its weight is 1. Floating-point
 * sums and amounts truncated to thousandths deviate slightly from straight lines, so the result excludes a
 * much larger margin around the intersection.
 */
#include "fairshare_steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* Seconds over which a pace is measured; long enough for amounts that are truncated to thousandths. */
#define PACE_SPAN_S (INT64_C(1) << 20)

/*
 * Maximum relative error of the sums that are compared, and the truncation per running job in
 * processor-seconds.
 */
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

/* Returns the cap of the job's credential of a type; NULL if there is none. */
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

/*
 * Returns for how many seconds, at most span_s, `used` certainly stays on the same side of `allowed` while
 * both grow at their paces.
 */
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
 * Sets the bounds of the slope of a share. The share is 100 U / T, with U and T linear. Its slope, 100 (u T -
 * U t) / T^2 (u and t are the paces), keeps its sign and does not become steeper, so it stays between the
 * slope now and the slope at the roll.
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
	if (share->mode != FS_TARGET || out->value <= -FS_DELTA_MOST) { /* the factor may stop at a bound */
		out->lo = fmin(out->lo, 0);
		out->hi = fmax(out->hi, 0);
	}
	return true;
}

/* --- clear times --------------------------------------------------------------------------- */

#define ROLLS_MOST 5000 /* maximum number of window rolls that are searched for a clear time */

/* The usage of one credential and of all jobs at a future time, by window, in processor-seconds. */
struct projected_usage {
	const struct fairshare *f;
	const struct fs_world *world;
	uint32_t cred;
	double used[FS_DEPTH_MAX], total[FS_DEPTH_MAX];
	double used_sum, total_sum; /* decayed sums */
	double used_pace, total_pace;
	int64_t at_s, roll_s;
	uint32_t next_end; /* index of the next job to end in world->running, which is sorted by due end */
	uint32_t rolls;
};

static bool has_cred(const struct job *job, uint32_t cred)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (job->cred[t] == cred)
			return true;
	return false;
}

/*
 * Returns the usage per second of a running job. If the usage is measured, returns its average per second so
 * far.
 */
static double run_pace(const struct fs_world *world, const struct job *running)
{
	enum fs_policy metric = fs_metric(world->policy->fs_policy);
	int64_t ran_s = world->now_s - running->start_s;

	if (metric == FS_UTILIZEDPS && running->used_ps >= 0)
		return ran_s > 0 ? (double)running->used_ps / (double)ran_s : 0;
	return pace_of(metric, running, &world->machine);
}

static void add_run(struct projected_usage *o, const struct job *running, double sign)
{
	double pace = sign * run_pace(o->world, running);

	o->total_pace += pace;
	o->used_pace += has_cred(running, o->cred) ? pace : 0;
}

static void add_up(struct projected_usage *o)
{
	o->used_sum = o->total_sum = 0;
	for (uint32_t i = 0; i < o->f->depth; i++) {
		o->used_sum += o->f->weight[i] * o->used[i];
		o->total_sum += o->f->weight[i] * o->total[i];
	}
}

static void begin_projection(struct projected_usage *o, const struct fairshare *f,
			     const struct fs_world *world, const struct fs_share *share)
{
	*o = (struct projected_usage){
		.f = f, .world = world, .cred = share->cred, .at_s = f->now_s, .roll_s = f->next_roll_s};
	for (uint32_t i = 0; i < f->depth; i++) {
		o->used[i] = (double)share->window[i] / (double)FS_UNIT;
		o->total[i] = (double)f->total[i] / (double)FS_UNIT;
	}
	add_up(o);
	for (uint32_t r = 0; r < world->running_count; r++)
		add_run(o, &world->job[world->running[r]], 1);
}

/*
 * Returns true if the job is within the cap `seconds` after o->at_s, a time that is not beyond the next end
 * or roll.
 */
static bool is_kept_after(const struct projected_usage *o, const struct fs_share *share, double asked,
			  int64_t seconds)
{
	double used = o->used_sum + o->used_pace * (double)seconds;
	double total = o->total_sum + o->total_pace * (double)seconds;

	return !fairshare_is_broken(share, used, total, asked);
}

/*
 * Returns the first second before `most` at which is_kept_after is true; `most` if there is none. The share,
 * 100 (U + asked) / T with U and T linear, is monotonic, so bisection finds it.
 */
static int64_t first_kept(const struct projected_usage *o, const struct fs_share *share, double asked,
			  int64_t most)
{
	int64_t fails = 0, kept = most - 1;

	if (most <= 0 || is_kept_after(o, share, asked, 0))
		return 0;
	if (!is_kept_after(o, share, asked, kept))
		return most;
	while (kept - fails > 1) {
		int64_t middle = fails + (kept - fails) / 2;

		if (is_kept_after(o, share, asked, middle))
			kept = middle;
		else
			fails = middle;
	}
	return kept;
}

static int64_t next_end_s(const struct projected_usage *o)
{
	int64_t end_s;

	if (o->next_end == o->world->running_count)
		return TIME_NEVER;
	end_s = job_due_end_s(&o->world->job[o->world->running[o->next_end]]);
	return end_s > o->at_s ? end_s : o->at_s;
}

static void roll(struct projected_usage *o)
{
	for (uint32_t i = o->f->depth; i-- > 1;) {
		o->used[i] = o->used[i - 1];
		o->total[i] = o->total[i - 1];
	}
	o->used[0] = o->total[0] = 0;
	add_up(o);
	o->roll_s += o->f->policy->fs_interval_s;
	o->rolls++;
}

/* Advances the projection to to_s, which is at most the next end of a job or roll of a window. */
static void advance(struct projected_usage *o, int64_t to_s)
{
	double seconds = (double)(to_s - o->at_s);

	o->used[0] += o->used_pace * seconds;
	o->total[0] += o->total_pace * seconds;
	o->used_sum += o->used_pace * seconds;
	o->total_sum += o->total_pace * seconds;
	o->at_s = to_s;
	while (next_end_s(o) == to_s)
		add_run(o, &o->world->job[o->world->running[o->next_end++]], -1);
	if (o->roll_s == to_s)
		roll(o);
}

/* Returns the first time from from_s on at which the job is within one cap; TIME_NEVER if none is found. */
static int64_t cap_clears_s(const struct fairshare *f, const struct fs_world *world,
			    const struct fs_share *share, double asked, int64_t from_s)
{
	struct projected_usage o;
	uint32_t last_rolls = 0; /* number of rolls after the last end of a job */

	begin_projection(&o, f, world, share);
	while (o.rolls < ROLLS_MOST && last_rolls <= f->depth) {
		int64_t end_s = next_end_s(&o), next_s = end_s < o.roll_s ? end_s : o.roll_s, after;

		if (from_s > o.at_s && from_s < next_s)
			advance(&o, from_s);
		after = from_s >= next_s ? next_s - o.at_s : first_kept(&o, share, asked, next_s - o.at_s);
		if (o.at_s + after < next_s)
			return o.at_s + after;
		last_rolls += end_s == TIME_NEVER;
		advance(&o, next_s);
	}
	return TIME_NEVER;
}

int64_t fairshare_clears_s(const struct fairshare *f, const struct fs_world *world, const struct job *job)
{
	double asked =
		fs_job_would_use(fs_metric(f->policy->fs_policy), job, &world->machine, job->wall_limit_s);
	int64_t at_s = f->now_s, before_s;

	do {
		before_s = at_s;
		for (int t = 0; t < CRED_TYPE_COUNT && at_s != TIME_NEVER; t++) {
			const struct fs_share *share = cap_of(f, job, t);

			if (share != NULL)
				at_s = cap_clears_s(f, world, share, asked, at_s);
		}
	} while (at_s != before_s && at_s != TIME_NEVER);
	return at_s;
}
