/* SPDX-License-Identifier: MIT */
/*
 * fairshare.c - usage and shares by credential, against their targets
 *
 * The usage of a job up to a time is a function of that time alone, rounded down; its usage in a window is
 * the difference of two such amounts. The parts of a run therefore add up to the whole, wherever it is
 * divided.
 *
 * A column of the usage table counts in the window that contains the beginning of the column. When FSINTERVAL
 * changes, old columns therefore fall into the new windows as a whole, and a window with such a column is
 * marked (F-25). Columns that begin in the future, after the clock was set back, do not count yet.
 *
 * Amounts are whole numbers. Decayed sums are always added from the current window to the oldest one, so that
 * a share is the same number on every machine.
 *
 * The target of DEFAULT counts for the priority of credentials without a target of their own. A cap of
 * DEFAULT does not apply to other credentials.
 */
#include "fairshare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* A target is missed if the share differs from it by more than this many percentage points (F-33). */
#define MISSED_POINTS 5

/* --- the usage of a job -------------------------------------------------------------------- */

int64_t fs_window_begin(int64_t at_s, int64_t interval_s)
{
	int64_t into_s = at_s % interval_s;

	return at_s - into_s - (into_s < 0 ? interval_s : 0);
}

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earliest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t whole(double amount)
{
	return amount < (double)INT64_MAX ? (int64_t)amount : INT64_MAX;
}

static int64_t dedicated(int64_t procs, int64_t seconds)
{
	return amount_times(amount_times(procs, FS_UNIT), seconds);
}

/* Returns the processor equivalents of a job, at least the number of processors that it holds. */
static double equivalents(const struct job *job, const struct machine *machine)
{
	return fmax(job_pe(job, machine), (double)job_procs_counted(job));
}

static int64_t equivalents_until(double pe, int64_t seconds)
{
	return whole(pe * (double)FS_UNIT * (double)seconds);
}

static int64_t utilised_until(const struct job *job, int64_t span_s, int64_t seconds)
{
	int64_t used_ps = job->used_ps > job->charged_ps ? job->used_ps - job->charged_ps : 0;

	return whole((double)used_ps * (double)FS_UNIT * ((double)seconds / (double)span_s));
}

/*
 * Returns the time from which the usage of a running job has not been charged: its start, or its resume after
 * its processors were released.
 */
static int64_t uncharged_since(const struct job *job)
{
	return job->held_since_s != 0 ? job->held_since_s : job->start_s;
}

int64_t fs_job_usage(enum fs_policy metric, const struct job *job, const struct machine *machine,
		     int64_t until_s, int64_t from_s, int64_t to_s)
{
	int64_t since_s = uncharged_since(job), begin_s = latest(from_s, since_s);
	int64_t end_s = earliest(to_s, until_s);

	if (metric == FS_NONE || job->start_s == TIME_NONE || begin_s >= end_s || job_is_released(job))
		return 0;
	if (metric == FS_DEDICATEDPES) {
		double pe = equivalents(job, machine);

		return equivalents_until(pe, end_s - since_s) - equivalents_until(pe, begin_s - since_s);
	}
	if (metric == FS_UTILIZEDPS && job->used_ps >= 0) {
		int64_t span_s = until_s - since_s;

		return utilised_until(job, span_s, end_s - since_s) -
		       utilised_until(job, span_s, begin_s - since_s);
	}
	return dedicated(job_procs_counted(job), end_s - begin_s);
}

double fs_job_would_use(enum fs_policy metric, const struct job *job, const struct machine *machine,
			int64_t seconds)
{
	int64_t usage = 0;

	if (metric == FS_DEDICATEDPES && seconds > 0)
		usage = equivalents_until(equivalents(job, machine), seconds);
	else if (metric != FS_NONE && seconds > 0)
		usage = dedicated(job_procs_counted(job), seconds);
	return (double)usage / (double)FS_UNIT;
}

/* --- the table of usage ----------------------------------------------------------------- */

static bool is_empty(const struct fs_window *window)
{
	return window->length_s == 0;
}

/*
 * Returns true if column a is reused before column b: empty columns first, then the column with the oldest
 * window.
 */
static bool goes_before(const struct fs_window *a, const struct fs_window *b)
{
	if (is_empty(a) || is_empty(b))
		return is_empty(a) && !is_empty(b);
	return a->begin_s < b->begin_s;
}

uint32_t fs_column(const struct fs_window window[static FS_DEPTH_MAX], int64_t begin_s, bool *forget)
{
	uint32_t first = 0;

	*forget = false;
	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++)
		if (window[c].begin_s == begin_s && !is_empty(&window[c]))
			return c;
	for (uint32_t c = 1; c < FS_DEPTH_MAX; c++)
		if (goes_before(&window[c], &window[first]))
			first = c;
	if (is_empty(&window[first]))
		return first;
	if (begin_s < window[first].begin_s)
		return INDEX_NONE;
	*forget = true;
	return first;
}

/* --- windows ---------------------------------------------------------------------------- */

/* Returns the index of the window in which a column counts; FS_DEPTH_MAX if it counts in none. */
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

/* A column and the window in which it counts. */
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

/*
 * Adds the amounts in the usage table. Goes row by row, so that memory is read in order: a site has many
 * credentials, and this runs in every pass.
 */
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

/* Adds the usage of a running job to all windows from the current one back to the window of its start. */
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

/* Returns the decayed usage of the first `depth` windows, in processor-seconds. */
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

/*
 * Returns the attributes that contain the target of a credential: its own or those of DEFAULT; all zero if it
 * has no target.
 */
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

/*
 * Returns the share of a credential; NULL for INDEX_NONE and for a credential that was added after
 * fairshare_build.
 */
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

/* --- previews ---------------------------------------------------------------------------- */

struct account {
	double usage, total; /* decayed usage of the credential and of all jobs, in processor-seconds */
};

/*
 * Returns the decayed usage after a number of window rolls, if the credential runs no jobs and all jobs
 * together use window_total processor-seconds per window.
 */
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

/* Returns the usage of a job that runs until its wallclock limit, in processor-seconds. */
static double asked_by(const struct fairshare *f, const struct job *job, const struct machine *machine)
{
	return fs_job_would_use(fs_metric(f->policy->fs_policy), job, machine, job->wall_limit_s);
}

static double as_capped(enum fs_mode mode, double usage, double total)
{
	return mode == FS_CAP_RELATIVE ? percent_of(usage, total) : usage;
}

/*
 * The cap is compared with the usage plus the request of the job. A request is greater than 0, so every job
 * breaks a cap that usage alone has reached (F-30). If nothing has been used, there are no percentages to
 * cap.
 */
bool fairshare_is_broken(const struct fs_share *share, double usage, double total, double asked)
{
	if (share->mode == FS_CAP_RELATIVE && total <= 0)
		return false;
	return as_capped(share->mode, usage + asked, total) > share->target;
}

/*
 * Returns the first cap that the job would break, NULL if there is none. Sets *asked to the request of the
 * job.
 */
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
