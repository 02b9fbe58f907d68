/* SPDX-License-Identifier: MIT */
/*
 * fairshare.c - who has used how much of the machine lately, against which target?
 *
 * A column of the table of usage counts in the window that its beginning lies in. So when
 * FSINTERVAL changes, old columns fall into the new windows whole, and a window that holds
 * such a column says so (F-25). Columns from the future, after a clock went back, wait.
 *
 * Sums of amounts are sums of whole numbers; decayed sums run from the window of now to the
 * oldest one, always in this order, so a share is the same number on every machine.
 *
 * A target that is only DEFAULT's counts for priorities. As a cap it binds nobody, so for
 * those without a target of their own it is no target at all.
 */
#include "fairshare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* A target is missed when usage is further away than so many points (F-33). */
#define MISSED_POINTS 5

/* --- adding up -------------------------------------------------------------------------- */

/* The window that a column counts in; FS_DEPTH_MAX when it counts in none. */
static uint32_t window_of(const struct fairshare *f, const struct fs_window *column)
{
	int64_t interval_s = f->policy->fs_interval_s;
	int64_t begin_s;

	if (column->length_s == 0)
		return FS_DEPTH_MAX;
	begin_s = fs_window_begin(column->begin_s, interval_s);
	if (begin_s > f->begin_s || (f->begin_s - begin_s) / interval_s >= FS_DEPTH_MAX)
		return FS_DEPTH_MAX;
	return (uint32_t)((f->begin_s - begin_s) / interval_s);
}

/* A column that counts in a window. */
struct counted {
	uint32_t column, window;
};

static void add_total(struct fairshare *f, const struct fs_window *column, uint32_t i)
{
	f->total[i] = fs_add(f->total[i], column->total);
	if (column->length_s != f->policy->fs_interval_s && column->length_s > f->other_length_s[i])
		f->other_length_s[i] = column->length_s;
}

static void add_row(struct fs_share *share, const struct usage *usage, const struct counted *counted,
		    uint32_t count)
{
	for (uint32_t k = 0; k < count; k++) {
		int64_t *sum = &share->window[counted[k].window];

		*sum = fs_add(*sum, usage->amount[counted[k].column]);
	}
}

/* Credential by credential: a site has many, and this is done in each pass. */
static void add_past(struct fairshare *f, const struct fs_world *world)
{
	struct counted counted[FS_DEPTH_MAX];
	uint32_t count = 0;

	for (uint32_t column = 0; column < FS_DEPTH_MAX; column++) {
		uint32_t i = window_of(f, &world->window[column]);

		if (i == FS_DEPTH_MAX)
			continue;
		add_total(f, &world->window[column], i);
		counted[count++] = (struct counted){column, i};
	}
	for (uint32_t c = 0; c < world->cred_count; c++)
		if (world->cred[c].usage != INDEX_NONE)
			add_row(&f->share[c], &world->usage[world->cred[c].usage], counted, count);
}

static void add_amount(struct fairshare *f, const struct job *job, uint32_t i, int64_t amount)
{
	f->total[i] = fs_add(f->total[i], amount);
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (job->cred[t] != INDEX_NONE) {
			int64_t *sum = &f->share[job->cred[t]].window[i];

			*sum = fs_add(*sum, amount);
		}
}

/* What a running job has used up to now, from the window of now back to that of its start. */
static void add_running(struct fairshare *f, const struct fs_world *world, const struct job *job)
{
	int64_t interval_s = f->policy->fs_interval_s;
	int64_t from_s = f->begin_s;

	for (uint32_t i = 0; i < FS_DEPTH_MAX; i++, from_s -= interval_s) {
		add_amount(f, job, i,
			   fs_job_usage(fs_metric(f->policy->fs_policy), job, &world->machine, world->now_s,
					from_s, from_s + interval_s));
		if (from_s <= job->start_s)
			return;
	}
}

static void add_usage(struct fairshare *f, const struct fs_world *world)
{
	add_past(f, world);
	for (uint32_t r = 0; r < world->running_count; r++)
		add_running(f, world, &world->job[world->running[r]]);
}

/* --- shares ----------------------------------------------------------------------------- */

static void weights_of(double decay, double weight[static FS_DEPTH_MAX])
{
	weight[0] = 1;
	for (int i = 1; i < FS_DEPTH_MAX; i++)
		weight[i] = weight[i - 1] * decay;
}

/* In processor-seconds. */
static double decayed(const int64_t window[static FS_DEPTH_MAX], const double weight[static FS_DEPTH_MAX],
		      uint32_t depth)
{
	double sum = 0;

	for (uint32_t i = 0; i < depth; i++)
		sum += weight[i] * (double)window[i];
	return sum / (double)FS_UNIT;
}

static double percent_of(double usage, double total)
{
	return total > 0 ? 100 * usage / total : 0;
}

/* What is in force for a credential; all zero when it has no target. */
static const struct cred_attr *target_of(const struct fs_world *world, uint32_t c)
{
	static const struct cred_attr nothing;
	const struct cred_attr *own = &world->cred[c].attr;
	const struct cred_attr *general = &world->cred[world->cred[c].type].attr;

	if (own->fs_mode != FS_NO_TARGET && own->fs_target > 0)
		return own;
	return general->fs_mode < FS_CAP_ABSOLUTE && general->fs_target > 0 ? general : &nothing;
}

static double delta_of(const struct fs_share *share, bool as_part)
{
	double delta = as_part ? fmax(-FS_DELTA_MOST, 1 - share->percent / share->target)
			       : share->target - share->percent;

	switch (share->mode) {
	case FS_TARGET:
		return delta;
	case FS_FLOOR:
		return delta > 0 ? delta : 0;
	case FS_CEILING:
		return delta < 0 ? delta : 0;
	case FS_NO_TARGET:
	case FS_CAP_ABSOLUTE:
	case FS_CAP_RELATIVE:
		break;
	}
	return 0;
}

static bool is_missed(const struct fs_share *share)
{
	switch (share->mode) {
	case FS_TARGET:
		return fabs(share->percent - share->target) > MISSED_POINTS;
	case FS_FLOOR:
		return share->percent < share->target;
	case FS_CEILING:
		return share->percent > share->target;
	case FS_NO_TARGET:
	case FS_CAP_ABSOLUTE:
	case FS_CAP_RELATIVE:
		break;
	}
	return false;
}

static void find_share(struct fairshare *f, const struct fs_world *world, uint32_t c)
{
	struct fs_share *share = &f->share[c];
	const struct cred_attr *attr = target_of(world, c);

	share->target = attr->fs_target;
	share->mode = attr->fs_mode;
	if (f->off)
		return;
	share->usage = decayed(share->window, f->weight, f->depth);
	share->percent = percent_of(share->usage, f->total_usage);
	share->missed = is_missed(share);
	if (f->total_usage > 0)
		share->delta = delta_of(share, fs_is_percent(f->policy->fs_policy));
}

static void clear_shares(struct fairshare *f, uint32_t count)
{
	f->share = vec_room(f->share, &f->share_room, count, sizeof *f->share);
	f->share_count = count;
	if (count > 0)
		memset(f->share, 0, count * sizeof *f->share);
	for (uint32_t c = 0; c < count; c++)
		f->share[c].cred = c;
}

void fairshare_build(struct fairshare *f, const struct fs_world *world)
{
	const struct policy *policy = world->policy;

	*f = (struct fairshare){.policy = policy,
				.now_s = world->now_s,
				.begin_s = fs_window_begin(world->now_s, policy->fs_interval_s),
				.depth = (uint32_t)policy->fs_depth,
				.off = policy->fs_policy == FS_NONE,
				.share = f->share,
				.share_room = f->share_room};
	f->next_roll_s = f->begin_s + policy->fs_interval_s;
	weights_of(policy->fs_decay, f->weight);
	clear_shares(f, world->cred_count);
	if (!f->off)
		add_usage(f, world);
	f->total_usage = decayed(f->total, f->weight, f->depth);
	for (uint32_t c = 0; c < world->cred_count; c++)
		find_share(f, world, c);
}

void fairshare_clear(struct fairshare *f)
{
	free(f->share);
	*f = (struct fairshare){0};
}

/* NULL for a credential that the job has not, or that came after the build. */
static const struct fs_share *share_of(const struct fairshare *f, uint32_t cred)
{
	return cred < f->share_count ? &f->share[cred] : NULL;
}

void fairshare_deltas(const struct fairshare *f, const struct job *job, double delta[static CRED_TYPE_COUNT])
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		const struct fs_share *share = share_of(f, job->cred[t]);

		delta[t] = share ? share->delta : 0;
	}
}

/* --- what if ---------------------------------------------------------------------------- */

struct account {
	double usage, total; /* decayed, processor-seconds */
};

/* After some rolls, when the credential ran nothing and the machine window_total a window. */
static struct account account_after(const struct fairshare *f, const struct fs_share *share, uint32_t rolls,
				    double window_total)
{
	double usage = 0;
	double total = 0;

	for (uint32_t i = 0; i < f->depth; i++) {
		if (i < rolls) {
			total += f->weight[i] * window_total * (double)FS_UNIT;
		} else {
			usage += f->weight[i] * (double)share->window[i - rolls];
			total += f->weight[i] * (double)f->total[i - rolls];
		}
	}
	return (struct account){usage / (double)FS_UNIT, total / (double)FS_UNIT};
}

void fairshare_forecast(const struct fairshare *f, uint32_t cred, double window_total, uint32_t rolls,
			double percent[])
{
	for (uint32_t r = 0; r < rolls; r++) {
		struct account a = account_after(f, &f->share[cred], r + 1, window_total);

		percent[r] = a.total > 0 ? percent_of(a.usage, a.total) : -1;
	}
}

double fairshare_percent_with(const struct fairshare *f, uint32_t cred, double decay, uint32_t depth)
{
	double weight[FS_DEPTH_MAX];

	weights_of(decay, weight);
	return percent_of(decayed(f->share[cred].window, weight, depth), decayed(f->total, weight, depth));
}

/* --- caps ------------------------------------------------------------------------------- */

/* All that a job asks for: what it would use in a run up to its limit. */
static double asked_by(const struct fairshare *f, const struct job *job, const struct machine *machine)
{
	return fs_job_would_use(fs_metric(f->policy->fs_policy), job, machine, job->wall_limit_s);
}

static double as_capped(enum fs_mode mode, double usage, double total)
{
	return mode == FS_CAP_RELATIVE ? percent_of(usage, total) : usage;
}

/*
 * Exceeded with all that the job asks for; that is more than nothing, so a cap that usage alone
 * has reached is broken by every job (F-30). Nobody has a share of nothing.
 */
bool fairshare_is_broken(const struct fs_share *share, double usage, double total, double asked)
{
	if (share->mode == FS_CAP_RELATIVE && total <= 0)
		return false;
	return as_capped(share->mode, usage + asked, total) > share->target;
}

/* The first cap that the job would break, NULL = none; *asked: all that it asks for. */
static const struct fs_share *find_broken(const struct fairshare *f, const struct job *job,
					  const struct machine *machine, double *asked)
{
	for (int t = 0; t < CRED_TYPE_COUNT && !f->off; t++) {
		const struct fs_share *share = share_of(f, job->cred[t]);

		if (!share || share->mode < FS_CAP_ABSOLUTE)
			continue;
		*asked = asked_by(f, job, machine);
		if (fairshare_is_broken(share, share->usage, f->total_usage, *asked))
			return share;
	}
	return NULL;
}

bool fairshare_keeps_caps(const struct fairshare *f, const struct job *job, const struct machine *machine)
{
	double asked;

	return find_broken(f, job, machine, &asked) == NULL;
}

bool fairshare_within_caps(const struct fairshare *f, const struct job *job, const struct machine *machine,
			   struct fs_cap *out)
{
	double asked;
	const struct fs_share *share = find_broken(f, job, machine, &asked);

	if (share == NULL)
		return true;
	*out = (struct fs_cap){
		.cred = share->cred,
		.mode = share->mode,
		.with_job = as_capped(share->mode, share->usage + asked, f->total_usage),
		.counted = as_capped(share->mode, share->usage + asked, f->total_usage + asked),
		.cap = share->target,
	};
	return false;
}
