/* SPDX-License-Identifier: MIT */
/*
 * drift_poll.c - whether the order of jobs at a poll is that of the last pass
 *
 * drift.c explains which pairs of jobs matter. Between the jobs within an idle limit and those beyond it,
 * only the border matters: the same jobs pass while each of them is ahead of each job that the same limit
 * keeps out. A straight line between the ranks of the two sides grows like the ranks of the jobs next to it.
 * The time for which a job stays on its side of the line is known (priority.h), so only few jobs are ranked
 * at a poll.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drift_ranks.h"
#include "queue.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

void drift_poll_clear(struct drift_poll *poll)
{
	fairshare_clear(&poll->shares);
	free(poll->pair);
	free(poll->group);
	free(poll->member);
	free(poll->growth);
	free(poll->group_of);
	free(poll->of_set);
}

#define FAR_S_AT_LEAST 600 /* seconds; a job that stays on its side of a line for this long is not ranked */

/* The rank of an idle job and its trend. */
struct standing {
	struct prio_trend trend;
	int64_t rank;
};

static void find_standing(struct drift *d, uint32_t slot, struct standing *out)
{
	drift_trend(d, slot, &out->trend);
	out->rank = queue_rank_next(d->s, drift_job(d, slot), &d->world, d->shares, &d->terms);
}

static bool is_ahead(const struct drift *d, uint32_t ahead, const struct standing *a, uint32_t behind,
		     const struct standing *b)
{
	return priority_compare(a->rank, b->rank,
				job_compare_age(drift_job(d, ahead), drift_job(d, behind))) < 0;
}

/* --- pairs ------------------------------------------------------------------------------------- */

/* Computes the time until which the order of a pair is certain. False: the order has changed. */
static bool settle_pair(const struct drift *d, struct ordered_pair *pair, const struct standing *a,
			const struct standing *b)
{
	double keeps_s = fmin(fmin(a->trend.steady_s, b->trend.steady_s),
			      drift_order_keeps_s(d, pair->ahead, &a->trend, pair->behind, &b->trend));

	pair->until_s = (double)d->world.now_s + keeps_s;
	return is_ahead(d, pair->ahead, a, pair->behind, b);
}

static bool check_pair(struct drift *d, struct ordered_pair *pair)
{
	struct standing a, b;

	if (pair->until_s > (double)d->world.now_s)
		return true;
	find_standing(d, pair->ahead, &a);
	find_standing(d, pair->behind, &b);
	return settle_pair(d, pair, &a, &b);
}

static void add_pair(struct drift *d, uint32_t ahead, uint32_t behind)
{
	struct drift_poll *t = &d->poll;

	t->pair = vec_room(t->pair, &t->pair_room, t->pair_count + 1, sizeof *t->pair);
	t->pair[t->pair_count++] = (struct ordered_pair){ahead, behind, (double)d->world.now_s};
}

/* --- groups ------------------------------------------------------------------------------------ */

static double line_at(const struct job_group *g, int64_t at_s)
{
	return g->value + g->slope * (double)(at_s - g->at_s);
}

/* True if the rank of a job is on its side of the line. */
static bool is_on_its_side(const struct standing *one, double line, bool above)
{
	return above ? (double)one->rank > line : (double)one->rank < line;
}

/* Time until which a job certainly stays on its side of the line. */
static double stays_until(const struct drift *d, const struct job_group *g, const struct standing *one,
			  bool above)
{
	const struct trend *t = &one->trend.rank;
	double line = line_at(g, d->world.now_s), keeps_s = one->trend.steady_s;
	double slack = 1 + t->margin + MARGIN_PART * (fabs(t->value) + fabs(line));
	double spare = above ? t->value - line - slack : line - t->value - slack;
	double closing = above ? g->slope - t->lo : t->hi - g->slope;

	if (spare <= 0)
		return (double)d->world.now_s;
	if (closing > 0)
		keeps_s = fmin(keeps_s, spare / closing);
	return (double)d->world.now_s + keeps_s;
}

/*
 * Bounds of the change per second of the ranks of jobs with the same credentials: lo + lo_by_wall / wallclock
 * limit, and hi + hi_by_wall / wallclock limit. Caps and bounds may stop a rank, so 0 is always between the
 * bounds.
 */
struct growth {
	double lo, hi, lo_by_wall, hi_by_wall, margin;
	enum {
		GROWTH_NOT_ASKED,
		GROWTH_UNKNOWN, /* targets have a weight, or the trend of shares is not known */
		GROWTH_KNOWN
	} state;
};

static void add_growth(double *lo, double *hi, double by)
{
	*lo += fmin(by, 0);
	*hi += fmax(by, 0);
}

/* Adds the trend of shares from the walk to the roll of the window. False: it is not known. */
static bool add_shares(const struct drift *d, const struct job *job, const struct prio_weights *w,
		       struct growth *g)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		double weight = w->component[PRIO_FS] * w->factor[PRIO_FS_USER + t];
		struct trend delta;

		if (job->cred[t] == INDEX_NONE || weight == 0)
			continue;
		if (!fairshare_delta_trend(&d->w->queue.shares, &d->pace, job->cred[t], &delta))
			return false;
		g->lo += fmin(fmin(delta.lo * weight, delta.hi * weight), 0);
		g->hi += fmax(fmax(delta.lo * weight, delta.hi * weight), 0);
		g->margin += delta.margin * fabs(weight);
	}
	return true;
}

static void find_growth(const struct drift *d, const struct job *job, struct growth *g)
{
	const struct prio_weights *w = snapshot_job_weights(d->s, job);
	const double serv = w->component[PRIO_SERV];
	struct prio_creds creds;

	snapshot_job_creds(d->s, job, &creds);
	*g = (struct growth){.state = GROWTH_UNKNOWN};
	if (w->component[PRIO_TARGET] != 0 &&
	    (w->factor[PRIO_TARGET_QUEUETIME] != 0 || w->factor[PRIO_TARGET_XFACTOR] != 0))
		return;
	add_growth(&g->lo, &g->hi, serv * (w->factor[PRIO_SERV_QUEUETIME] + creds.qt_weight) / 60);
	add_growth(&g->lo_by_wall, &g->hi_by_wall, serv * (w->factor[PRIO_SERV_XFACTOR] + creds.xf_weight));
	if (add_shares(d, job, w, g))
		g->state = GROWTH_KNOWN;
}

static const struct growth *growth_of(const struct drift *d, uint32_t set, uint32_t slot)
{
	struct growth *g = &d->poll.growth[set];

	if (g->state == GROWTH_NOT_ASKED)
		find_growth(d, drift_job(d, slot), g);
	return g;
}

/* True if the walk stopped or resumed the queue time of the job, which changed its rank. */
static bool has_moved(const struct drift *d, const struct queued *one)
{
	bool is_paused = (drift_job(d, one->slot)->flags & JOB_ACCRUAL_PAUSED) != 0;

	return d->w->queue.paused[one->order] != is_paused;
}

/*
 * The wallclock limit of a candidate, at most UINT32_MAX. If the walk has started jobs, the table WAITING has
 * changed since, and the limit is read from the job.
 */
static uint32_t wall_of(const struct drift *d, const struct queued *one)
{
	return d->w->started == 0 ? snapshot_waiting(d->s)[one->order].wall_s
				  : at_most_u32(drift_job(d, one->slot)->wall_limit_s);
}

/* The member of a group for a candidate of the walk, whose rank was truncated. */
static struct group_member member_of(const struct drift *d, const struct queued *one)
{
	const struct growth *g = growth_of(d, d->w->queue.sets.of[one->slot], one->slot);
	uint32_t wall_s = wall_of(d, one);
	double per_wall = 1 / (double)(wall_s > 0 ? wall_s : 1), rank = (double)one->rank;
	double slack = 2 + g->margin + MARGIN_PART * fabs(rank);

	if (g->state != GROWTH_KNOWN || (d->moved && has_moved(d, one)))
		return (struct group_member){.slot = one->slot, .least = -INFINITY, .most = INFINITY};
	return (struct group_member){.slot = one->slot,
				     .least = rank - slack,
				     .most = rank + slack,
				     .lo = g->lo + g->lo_by_wall * per_wall,
				     .hi = g->hi + g->hi_by_wall * per_wall};
}

static double since_walk_s(const struct drift *d)
{
	return (double)(d->world.now_s - d->w->now_s);
}

/* Of the range of a member's rank, the end that is nearer to the other side. */
static double nearest_end(const struct drift *d, const struct group_member *m, bool above)
{
	return above ? m->least + m->lo * since_walk_s(d) : m->most + m->hi * since_walk_s(d);
}

/*
 * True if a member is so far from the line that it certainly stays on its side for FAR_S_AT_LEAST; sets its
 * until_s. False: it must be ranked.
 */
static bool is_far(const struct drift *d, const struct job_group *g, struct group_member *m, bool above)
{
	double line = line_at(g, d->world.now_s), end = nearest_end(d, m, above);
	double spare = (above ? end - line : line - end) - MARGIN_PART * (fabs(line) + fabs(end));
	double closing = above ? g->slope - m->lo : m->hi - g->slope;

	if (!(spare > 0) || spare < FAR_S_AT_LEAST * closing)
		return false;
	m->until_s = (double)d->world.now_s + (closing > 0 ? spare / closing : FAR_S);
	return true;
}

static void draw_line(const struct drift *d, struct job_group *g, const struct standing *a,
		      const struct standing *b)
{
	g->at_s = d->world.now_s;
	g->value = ((double)a->rank + (double)b->rank) / 2;
	g->slope = (a->trend.rank.lo + a->trend.rank.hi + b->trend.rank.lo + b->trend.rank.hi) / 4;
}

/*
 * Finds the member nearest to the other side: the last of the members above, or the first of those below.
 * Ranks only members that may be nearest. Returns the index of the member and sets *nearest.
 */
static uint32_t find_nearest(struct drift *d, const struct group_member *member, uint32_t count, bool above,
			     struct standing *nearest)
{
	uint32_t at = 0;

	for (uint32_t i = 1; i < count; i++)
		if (above ? nearest_end(d, &member[i], above) < nearest_end(d, &member[at], above)
			  : nearest_end(d, &member[i], above) > nearest_end(d, &member[at], above))
			at = i;
	find_standing(d, member[at].slot, nearest);
	for (uint32_t i = 0; i < count; i++) {
		double end = nearest_end(d, &member[i], above);
		struct standing one;

		if (i == at || (above ? end > (double)nearest->rank : end < (double)nearest->rank))
			continue;
		find_standing(d, member[i].slot, &one);
		if (is_ahead(d, member[i].slot, &one, member[at].slot, nearest) == above)
			continue;
		at = i;
		*nearest = one;
	}
	return at;
}

/* Draws the line between the two sides. False: a job below has overtaken a job above. */
static bool settle_group(struct drift *d, struct job_group *g)
{
	struct group_member *member = &d->poll.member[g->first];
	uint32_t below = g->count - g->above;
	struct standing last, first;
	uint32_t last_at, first_at;

	if (g->above == 0 || below == 0) {
		for (uint32_t i = 0; i < g->count; i++)
			member[i].until_s = INFINITY;
		return true;
	}
	last_at = find_nearest(d, member, g->above, true, &last);
	first_at = g->above + find_nearest(d, member + g->above, below, false, &first);
	if (!is_ahead(d, member[last_at].slot, &last, member[first_at].slot, &first))
		return false;
	draw_line(d, g, &last, &first);
	for (uint32_t i = 0; i < g->count; i++) {
		struct standing one;

		if (is_far(d, g, &member[i], i < g->above))
			continue;
		find_standing(d, member[i].slot, &one);
		member[i].until_s = stays_until(d, g, &one, i < g->above);
	}
	return true;
}

static bool check_group(struct drift *d, struct job_group *g)
{
	struct group_member *member = &d->poll.member[g->first];
	double line = line_at(g, d->world.now_s);

	for (uint32_t i = 0; i < g->count; i++) {
		struct standing one;

		if (member[i].until_s > (double)d->world.now_s)
			continue;
		find_standing(d, member[i].slot, &one);
		if (!is_on_its_side(&one, line, i < g->above))
			return settle_group(d, g);
		member[i].until_s = stays_until(d, g, &one, i < g->above);
	}
	return true;
}

static struct job_group *add_group(struct drift_poll *t)
{
	t->group = vec_room(t->group, &t->group_room, t->group_count + 1, sizeof *t->group);
	t->group[t->group_count] = (struct job_group){.first = (uint32_t)t->member_count};
	return &t->group[t->group_count++];
}

static struct group_member *add_members(struct drift_poll *t, uint32_t count)
{
	t->member = vec_room(t->member, &t->member_room, t->member_count + count, sizeof *t->member);
	t->member_count += count;
	return &t->member[t->member_count - count];
}

/* --- the lists of pairs and groups ------------------------------------------------------------- */

/*
 * Adds a pair for each two consecutive idle jobs up to the last job whose order matters, and a group that
 * compares this last job with all idle jobs behind it. Jobs that start are left out.
 */
static void list_idle(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	uint32_t ordered = drift_count_ordered(d), ahead = INDEX_NONE, i;
	struct job_group *g;

	if (ordered == 0)
		return;
	for (i = 0; i < q->idle_count && (i < ordered || ahead == INDEX_NONE); i++) {
		if (drift_starts(d, q->idle[i].slot))
			continue;
		if (ahead != INDEX_NONE)
			add_pair(d, ahead, q->idle[i].slot);
		ahead = q->idle[i].slot;
	}
	if (ahead == INDEX_NONE)
		return;
	g = add_group(&d->poll);
	*add_members(&d->poll, 1) = member_of(d, &q->idle[i - 1]);
	g->above = 1;
	for (; i < q->idle_count; i++)
		if (!drift_starts(d, q->idle[i].slot))
			*add_members(&d->poll, 1) = member_of(d, &q->idle[i]);
	g->count = (uint32_t)d->poll.member_count - g->first;
}

/*
 * The group of the jobs that count against an idle limit, by its index in drift.limited; NULL if the limit
 * keeps out no job.
 */
static struct job_group *group_at(struct drift_poll *t, uint32_t at)
{
	return t->group_of[at] == 0 ? NULL : &t->group[t->group_of[at] - 1];
}

/*
 * True for a limit that also counts jobs without a credential of its type: their credentials do not show it.
 */
static bool counts_those_without(const struct snapshot *s, uint32_t cred)
{
	return cred < CRED_TYPE_COUNT ||
	       (cred != INDEX_NONE &&
		str_same_word(snapshot_string(s, snapshot_creds(s)[cred].name), CRED_NONE));
}

/* The index in drift.limited of the limit that keeps a job out. */
static uint32_t kept_out_at(const struct queue *q, const struct queued *one)
{
	uint32_t cred = throttle_turned_by(q->throttle, one->slot);

	return cred == INDEX_NONE ? 0 : cred + 1;
}

/*
 * Makes a group for each limit that keeps out jobs, and counts the jobs that it keeps out. Returns their
 * total.
 */
static uint32_t count_kept_out(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	uint32_t count = 0;

	for (uint32_t i = 0; i < q->candidate_count; i++) {
		uint32_t at;

		if (q->failed[q->candidate[i].order] != GATE_IDLE_LIMIT)
			continue;
		at = kept_out_at(q, &q->candidate[i]);
		if (d->poll.group_of[at] == 0) {
			d->poll.can_tell = d->poll.can_tell &&
					   !counts_those_without(d->s, at == 0 ? INDEX_NONE : at - 1);
			add_group(&d->poll);
			d->poll.group_of[at] = (uint32_t)d->poll.group_count;
		}
		group_at(&d->poll, at)->count++;
		count++;
	}
	return count;
}

/* True if the candidate counts against idle limits. A job over a hard limit does not, whatever the order. */
static bool counts(const struct drift *d, const struct queued *one)
{
	uint8_t failed = d->w->queue.failed[one->order];

	return failed != GATE_IDLE_LIMIT && failed != GATE_ACTIVE_HARD && !drift_starts(d, one->slot);
}

/* The groups in which the jobs of a set of credentials count. */
static const struct set_groups *groups_of(struct drift *d, uint32_t at)
{
	struct drift_poll *t = &d->poll;
	const struct cred_set *set = &d->w->queue.sets.item[at];
	struct set_groups *groups = &t->of_set[at];

	if (groups->is_known)
		return groups;
	*groups = (struct set_groups){.is_known = true};
	if (t->group_of[0] != 0)
		groups->group[groups->count++] = t->group_of[0] - 1;
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		if (set->cred[type] != INDEX_NONE && t->group_of[set->cred[type] + 1] != 0)
			groups->group[groups->count++] = t->group_of[set->cred[type] + 1] - 1;
	return groups;
}

static void begin_groups(struct drift *d)
{
	struct drift_poll *t = &d->poll;
	uint32_t sets = d->w->queue.sets.count;

	t->of_set = vec_room(t->of_set, &t->of_set_room, sets, sizeof *t->of_set);
	for (uint32_t i = 0; i < sets; i++)
		t->of_set[i].is_known = false;
}

/* Calls `what` for each job that passes and each group in which it counts. Returns the number of calls. */
static uint32_t each_passing(struct drift *d,
			     void (*what)(struct drift *d, struct job_group *g, const struct queued *one))
{
	const struct queue *q = &d->w->queue;
	uint32_t count = 0;

	for (uint32_t i = 0; i < q->candidate_count; i++) {
		const struct queued *one = &q->candidate[i];
		const struct set_groups *groups = groups_of(d, q->sets.of[one->slot]);

		if (groups->count == 0 || !counts(d, one))
			continue;
		for (uint8_t g = 0; g < groups->count; g++)
			what(d, &d->poll.group[groups->group[g]], one);
		count += groups->count;
	}
	return count;
}

static void count_passing(struct drift *d, struct job_group *g, const struct queued *one)
{
	(void)d;
	(void)one;
	g->count++;
}

static void add_passing(struct drift *d, struct job_group *g, const struct queued *one)
{
	d->poll.member[g->first + g->above++] = member_of(d, one);
}

/* Lists the members of the groups of limits: first the jobs that pass, then the jobs that are kept out. */
static void list_limited(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	struct drift_poll *t = &d->poll;
	uint32_t places = snapshot_count(d->s, TABLE_CREDS) + 1, members;
	size_t first = t->group_count, at = t->member_count;

	t->group_of = vec_room(t->group_of, &t->group_of_room, places, sizeof *t->group_of);
	memset(t->group_of, 0, places * sizeof *t->group_of);
	if (d->s->policy.idle_promotion != PROMOTE_PRIORITY || (members = count_kept_out(d)) == 0)
		return;
	begin_groups(d);
	add_members(t, members + each_passing(d, count_passing));
	for (size_t g = first; g < t->group_count; g++) {
		t->group[g].first = (uint32_t)at;
		at += t->group[g].count;
	}
	each_passing(d, add_passing);
	for (uint32_t i = 0, below; i < q->candidate_count; i++) {
		struct job_group *g;

		if (q->failed[q->candidate[i].order] != GATE_IDLE_LIMIT)
			continue;
		g = group_at(t, kept_out_at(q, &q->candidate[i]));
		below = (uint32_t)g->at_s++;
		t->member[g->first + g->above + below] = member_of(d, &q->candidate[i]);
	}
}

static void begin_growth(struct drift *d)
{
	struct drift_poll *t = &d->poll;
	uint32_t sets = d->w->queue.sets.count;

	t->growth = vec_room(t->growth, &t->growth_room, sets, sizeof *t->growth);
	for (uint32_t i = 0; i < sets; i++)
		t->growth[i].state = GROWTH_NOT_ASKED;
}

static bool list_all(struct drift *d)
{
	struct drift_poll *t = &d->poll;
	bool good = true;

	t->pair_count = t->group_count = t->member_count = 0;
	t->listed = true;
	begin_growth(d);
	list_idle(d);
	list_limited(d);
	good = t->can_tell;
	for (size_t i = 0; i < t->pair_count && good; i++)
		good = check_pair(d, &t->pair[i]);
	for (size_t i = 0; i < t->group_count && good; i++)
		good = settle_group(d, &t->group[i]);
	return good;
}

static bool check_all(struct drift *d)
{
	struct drift_poll *t = &d->poll;
	bool good = true;

	for (size_t i = 0; i < t->pair_count && good; i++)
		good = check_pair(d, &t->pair[i]);
	for (size_t i = 0; i < t->group_count && good; i++)
		good = check_group(d, &t->group[i]);
	return good;
}

/* --- the interface ------------------------------------------------------------------------------ */

static void begin_poll(struct drift *d, const struct snapshot *s, int64_t at_s)
{
	const struct fairshare *shares = &d->w->queue.shares;
	struct fs_world usage;

	if (!shares->off && snapshot_weighs_shares(s)) {
		snapshot_fs_world(s, at_s, &usage);
		fairshare_build(&d->poll.shares, &usage);
		shares = &d->poll.shares;
	}
	drift_begin(d, s, at_s, shares);
}

static int64_t find_next(const struct drift *d)
{
	const struct drift_poll *t = &d->poll;
	double until_s = INFINITY, at_s = (double)d->world.now_s;

	for (size_t i = 0; i < t->pair_count; i++)
		until_s = fmin(until_s, t->pair[i].until_s);
	for (size_t i = 0; i < t->member_count; i++)
		until_s = t->member[i].until_s < until_s ? t->member[i].until_s : until_s;
	if (until_s - at_s > FAR_S)
		return TIME_NEVER;
	return drift_poll_s(d->world.now_s, (int64_t)until_s, snapshot_poll_s(d->s));
}

bool drift_is_unchanged(struct drift *d, const struct snapshot *s, int64_t at_s, int64_t *next_s)
{
	bool listed = d->poll.listed;

	if (!d->poll.can_tell)
		return false;
	begin_poll(d, s, at_s);
	if (!(listed ? check_all(d) : list_all(d)))
		return false;
	*next_s = find_next(d);
	return true;
}
