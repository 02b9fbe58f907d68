/* SPDX-License-Identifier: MIT */
/*
 * drift_still.c - whether the order of jobs at a poll still is that of the last pass, where it matters
 *
 * Which jobs matter to which is said in drift.c. Of jobs that an idle limit lets through and those that it
 * keeps out only the border matters: while each that passes is ahead of each that is kept out by the same
 * limit, the same jobs pass, in whatever order they stand. A line through the gap between the two parts grows
 * as the jobs beside it do; up to when each job stays on its side is known (priority.h), so at a poll only
 * few jobs are looked at.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drift_inside.h"
#include "queue.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

void still_clear(struct still *still)
{
	fairshare_clear(&still->shares);
	free(still->pair);
	free(still->group);
	free(still->member);
	free(still->standing);
	free(still->group_of);
}

/* What stays below a line for so long is looked at no more closely. */
#define FAR_BELOW_S 600

/* A waiting job's rank and how it changes. */
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
	return a->rank != b->rank ? a->rank > b->rank
				  : drift_is_older(drift_job(d, ahead), drift_job(d, behind));
}

/* --- pairs ------------------------------------------------------------------------------------- */

/* Looks at a pair; false: the one is not ahead of the other any more. */
static bool settle_pair(const struct drift *d, struct still_pair *pair, const struct standing *a,
			const struct standing *b)
{
	double keeps_s = fmin(fmin(a->trend.steady_s, b->trend.steady_s),
			      drift_order_keeps_s(d, pair->ahead, &a->trend, pair->behind, &b->trend));

	pair->until_s = (double)d->world.now_s + keeps_s;
	return is_ahead(d, pair->ahead, a, pair->behind, b);
}

static bool look_at_pair(struct drift *d, struct still_pair *pair)
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
	struct still *t = &d->still;

	t->pair = vec_room(t->pair, &t->pair_room, t->pair_count + 1, sizeof *t->pair);
	t->pair[t->pair_count++] = (struct still_pair){ahead, behind, (double)d->world.now_s};
}

/* --- groups ------------------------------------------------------------------------------------ */

static double line_at(const struct still_group *g, int64_t at_s)
{
	return g->value + g->slope * (double)(at_s - g->at_s);
}

/* A rank is cut to a whole number, towards 0. */
static bool is_on_its_side(const struct standing *one, double line, bool above)
{
	return above ? (double)one->rank > line : (double)one->rank < line;
}

/* Up to when a job surely stays on its side of the line. */
static double stays_until(const struct drift *d, const struct still_group *g, const struct standing *one,
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
 * The most by which a rank can grow in a second: that much, and as much again for each second less of its
 * wallclock limit. Not known where shares or targets have a weight.
 */
static void find_growth(struct drift *d)
{
	const struct prio_weights *w = &d->s->policy.weights;
	const double serv = w->component[PRIO_SERV], qt = w->factor[PRIO_SERV_QUEUETIME];
	const double xf = w->factor[PRIO_SERV_XFACTOR];
	struct still *t = &d->still;

	t->knows_growth = snapshot_count(d->s, TABLE_PARTITIONS) <= 1 && serv >= 0 && qt >= 0 && xf >= 0 &&
			  !snapshot_weighs_shares(d->s) && !snapshot_weighs(d->s, PRIO_TARGET_QUEUETIME) &&
			  !snapshot_weighs(d->s, PRIO_TARGET_XFACTOR);
	for (uint32_t i = 0; i < snapshot_count(d->s, TABLE_CREDS) && t->knows_growth; i++)
		t->knows_growth = snapshot_creds(d->s)[i].attr.qt_weight == 0 &&
				  snapshot_creds(d->s)[i].attr.xf_weight == 0;
	t->grows = serv * qt / 60;
	t->grows_by_wall = serv * xf;
}

static double growth(const struct still *t, int64_t wall_s)
{
	return t->grows + t->grows_by_wall / (double)(wall_s > 0 ? wall_s : 1);
}

/* The most that a member's rank can be by now, from that of the walk; INFINITY: not known. */
static double most_rank(const struct drift *d, const struct still_member *m)
{
	const struct still *t = &d->still;
	int64_t wall_s = drift_job(d, m->slot)->wall_limit_s;

	if (!t->knows_growth)
		return INFINITY;
	return (double)m->rank + 1 + growth(t, wall_s) * (double)(d->world.now_s - d->w->now_s);
}

/*
 * A member below the line that the walk ranked so low, and that asks for so long a time, that it stays below
 * for a while whatever else is so. False: it has to be looked at.
 */
static bool is_far_below(const struct drift *d, const struct still_group *g, struct still_member *m)
{
	const struct still *t = &d->still;
	double since_s = (double)(d->world.now_s - d->w->now_s), line = line_at(g, d->world.now_s), hi, spare;
	int64_t wall_s = drift_job(d, m->slot)->wall_limit_s;

	if (!t->knows_growth)
		return false;
	hi = t->grows + t->grows_by_wall / (double)(wall_s > 0 ? wall_s : 1);
	spare = line - ((double)m->rank + hi * since_s) - 2 -
		MARGIN_PART * (fabs(line) + fabs((double)m->rank));
	if (spare <= 0 || spare < FAR_BELOW_S * (hi - g->slope))
		return false;
	m->until_s = (double)d->world.now_s + (hi > g->slope ? spare / (hi - g->slope) : FAR_S);
	return true;
}

static void draw_line(const struct drift *d, struct still_group *g, const struct standing *a,
		      const struct standing *b)
{
	g->at_s = d->world.now_s;
	g->value = ((double)a->rank + (double)b->rank) / 2;
	g->slope = (a->trend.rank.lo + a->trend.rank.hi + b->trend.rank.lo + b->trend.rank.hi) / 4;
}

/* The first of those behind a job, of which only those are looked at that may be it. */
static uint32_t find_first_behind(struct drift *d, const struct still_member *member, uint32_t count,
				  struct standing *first)
{
	uint32_t at = 1;

	find_standing(d, member[1].slot, first);
	for (uint32_t i = 2; i < count; i++) {
		struct standing one;

		if (most_rank(d, &member[i]) < (double)first->rank)
			continue;
		find_standing(d, member[i].slot, &one);
		if (!is_ahead(d, member[i].slot, &one, member[at].slot, first))
			continue;
		at = i;
		*first = one;
	}
	return at;
}

/* Draws the line between one job and all behind it; false: one of them has come ahead of it. */
static bool settle_one(struct drift *d, struct still_group *g)
{
	struct still_member *member = &d->still.member[g->first];
	struct standing last, first;
	uint32_t at = find_first_behind(d, member, g->count, &first);

	find_standing(d, member[0].slot, &last);
	if (!is_ahead(d, member[0].slot, &last, member[at].slot, &first))
		return false;
	draw_line(d, g, &last, &first);
	member[0].until_s = stays_until(d, g, &last, true);
	for (uint32_t i = 1; i < g->count; i++) {
		struct standing one;

		if (is_far_below(d, g, &member[i]))
			continue;
		find_standing(d, member[i].slot, &one);
		member[i].until_s = stays_until(d, g, &one, false);
	}
	return true;
}

/* The member nearest to the other side: of those above the last, else the first. */
static uint32_t find_nearest(const struct drift *d, const struct still_member *member,
			     const struct standing *standing, uint32_t count, bool above)
{
	uint32_t nearest = 0;

	for (uint32_t i = 1; i < count; i++)
		if (is_ahead(d, member[i].slot, &standing[i], member[nearest].slot, &standing[nearest]) !=
		    above)
			nearest = i;
	return nearest;
}

/* Draws the line through the gap; false: there is none, as one has come ahead of another. */
static bool settle_group(struct drift *d, struct still_group *g)
{
	struct still_member *member = &d->still.member[g->first];
	uint32_t below = g->count - g->above, last, first;
	struct standing *standing;

	if (g->above == 0 || below == 0) {
		for (uint32_t i = 0; i < g->count; i++)
			member[i].until_s = INFINITY;
		return true;
	}
	if (g->ranked)
		return settle_one(d, g);
	standing = d->still.standing =
		vec_room(d->still.standing, &d->still.standing_room, g->count, sizeof *standing);
	for (uint32_t i = 0; i < g->count; i++)
		find_standing(d, member[i].slot, &standing[i]);
	last = find_nearest(d, member, standing, g->above, true);
	first = g->above + find_nearest(d, member + g->above, standing + g->above, below, false);
	if (!is_ahead(d, member[last].slot, &standing[last], member[first].slot, &standing[first]))
		return false;
	draw_line(d, g, &standing[last], &standing[first]);
	for (uint32_t i = 0; i < g->count; i++)
		member[i].until_s = stays_until(d, g, &standing[i], i < g->above);
	return true;
}

static bool look_at_group(struct drift *d, struct still_group *g)
{
	struct still_member *member = &d->still.member[g->first];
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

static struct still_group *add_group(struct still *t)
{
	t->group = vec_room(t->group, &t->group_room, t->group_count + 1, sizeof *t->group);
	t->group[t->group_count] = (struct still_group){.first = (uint32_t)t->member_count};
	return &t->group[t->group_count++];
}

static struct still_member *add_members(struct still *t, uint32_t count)
{
	t->member = vec_room(t->member, &t->member_room, t->member_count + count, sizeof *t->member);
	t->member_count += count;
	return &t->member[t->member_count - count];
}

/* --- who is listed ----------------------------------------------------------------------------- */

/* Idle jobs up to the last whose order matters, each with the next; and that one with all behind it. */
static void list_idle(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	uint32_t ordered = drift_count_ordered(d), ahead = INDEX_NONE, i;
	struct still_group *g;

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
	g = add_group(&d->still);
	*add_members(&d->still, 1) = (struct still_member){.slot = ahead, .rank = q->idle[i - 1].rank};
	g->above = 1;
	g->ranked = true;
	for (; i < q->idle_count; i++)
		if (!drift_starts(d, q->idle[i].slot))
			*add_members(&d->still, 1) =
				(struct still_member){.slot = q->idle[i].slot, .rank = q->idle[i].rank};
	g->count = (uint32_t)d->still.member_count - g->first;
}

/* Does it count against idle limits? Whether it is within its hard limits has nothing to do with the order.
 */
static bool counts(const struct drift *d, const struct queued *one)
{
	uint8_t failed = d->w->queue.failed[one->order];

	return failed != GATE_IDLE_LIMIT && failed != GATE_ACTIVE_HARD;
}

/* The group of those who count against an idle limit of a credential; NULL: it keeps no job out. */
static struct still_group *group_at(struct still *t, uint32_t at)
{
	return t->group_of[at] == 0 ? NULL : &t->group[t->group_of[at] - 1];
}

/* Places of a job in drift.limited: for all jobs, and by its credentials. */
static uint32_t places_of(const struct job *job, uint32_t place[static CRED_TYPE_COUNT + 1])
{
	uint32_t count = 1;

	place[0] = 0;
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (job->cred[t] != INDEX_NONE)
			place[count++] = job->cred[t] + 1;
	return count;
}

/* A limit of those without a credential of its type: they are not found by their credentials. */
static bool counts_those_without(const struct snapshot *s, uint32_t cred)
{
	return cred < CRED_TYPE_COUNT ||
	       (cred != INDEX_NONE &&
		str_same_word(snapshot_string(s, snapshot_creds(s)[cred].name), CRED_NONE));
}

/* Those kept out: one group for each credential whose limit does it. Returns how many there are. */
static uint32_t count_kept_out(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	uint32_t count = 0;

	for (uint32_t i = 0; i < q->blocked_count; i++) {
		const struct reason *reason = &q->blocked_reason[i];
		uint32_t at = reason->cred == INDEX_NONE ? 0 : reason->cred + 1;

		if (reason->gate != GATE_IDLE_LIMIT)
			continue;
		d->still.can_be = d->still.can_be && !counts_those_without(d->s, reason->cred);
		if (d->still.group_of[at] == 0) {
			add_group(&d->still);
			d->still.group_of[at] = (uint32_t)d->still.group_count;
		}
		group_at(&d->still, at)->count++;
		count++;
	}
	return count;
}

/* Calls `what` for each job that passes and each group that it counts in. */
static uint32_t each_passing(struct drift *d,
			     void (*what)(struct still *t, struct still_group *g, uint32_t slot))
{
	const struct queue *q = &d->w->queue;
	uint32_t place[CRED_TYPE_COUNT + 1], count = 0;

	for (uint32_t i = 0; i < q->candidate_count; i++) {
		uint32_t slot = q->candidate[i].slot;
		uint32_t places = places_of(drift_job(d, slot), place);

		if (drift_starts(d, slot) || !counts(d, &q->candidate[i]))
			continue;
		for (uint32_t p = 0; p < places; p++) {
			struct still_group *g = group_at(&d->still, place[p]);

			if (g == NULL)
				continue;
			what(&d->still, g, slot);
			count++;
		}
	}
	return count;
}

static void count_passing(struct still *t, struct still_group *g, uint32_t slot)
{
	(void)t;
	(void)slot;
	g->count++;
}

static void add_passing(struct still *t, struct still_group *g, uint32_t slot)
{
	t->member[g->first + g->above++].slot = slot;
}

/* Groups have their numbers of members: gives them places, those who pass first. */
static void list_limited(struct drift *d)
{
	const struct queue *q = &d->w->queue;
	struct still *t = &d->still;
	uint32_t places = snapshot_count(d->s, TABLE_CREDS) + 1, members;
	size_t first = t->group_count, at = t->member_count;

	t->group_of = vec_room(t->group_of, &t->group_of_room, places, sizeof *t->group_of);
	memset(t->group_of, 0, places * sizeof *t->group_of);
	if (d->s->policy.idle_promotion != PROMOTE_PRIORITY || (members = count_kept_out(d)) == 0)
		return;
	add_members(t, members + each_passing(d, count_passing));
	for (size_t g = first; g < t->group_count; g++) {
		t->group[g].first = (uint32_t)at;
		at += t->group[g].count;
	}
	each_passing(d, add_passing);
	for (uint32_t i = 0, below; i < q->blocked_count; i++) {
		const struct reason *reason = &q->blocked_reason[i];
		struct still_group *g = group_at(t, reason->cred == INDEX_NONE ? 0 : reason->cred + 1);

		if (reason->gate != GATE_IDLE_LIMIT)
			continue;
		below = (uint32_t)g->at_s++;
		t->member[g->first + g->above + below].slot = q->blocked[i];
	}
}

static bool list_all(struct drift *d)
{
	struct still *t = &d->still;
	bool good = true;

	t->pair_count = t->group_count = t->member_count = 0;
	t->listed = true;
	find_growth(d);
	list_idle(d);
	list_limited(d);
	good = t->can_be;
	for (size_t i = 0; i < t->pair_count && good; i++)
		good = look_at_pair(d, &t->pair[i]);
	for (size_t i = 0; i < t->group_count && good; i++)
		good = settle_group(d, &t->group[i]);
	return good;
}

static bool look_at_all(struct drift *d)
{
	struct still *t = &d->still;
	bool good = true;

	for (size_t i = 0; i < t->pair_count && good; i++)
		good = look_at_pair(d, &t->pair[i]);
	for (size_t i = 0; i < t->group_count && good; i++)
		good = look_at_group(d, &t->group[i]);
	return good;
}

/* --- the whole --------------------------------------------------------------------------------- */

static void begin_poll(struct drift *d, const struct snapshot *s, int64_t at_s)
{
	const struct fairshare *shares = &d->w->queue.shares;
	struct fs_world usage;

	if (!shares->off && snapshot_weighs_shares(s)) {
		snapshot_fs_world(s, at_s, &usage);
		fairshare_build(&d->still.shares, &usage);
		shares = &d->still.shares;
	}
	drift_begin(d, s, at_s, shares);
}

static int64_t find_next(const struct drift *d)
{
	const struct still *t = &d->still;
	double until_s = INFINITY, at_s = (double)d->world.now_s;

	for (size_t i = 0; i < t->pair_count; i++)
		until_s = fmin(until_s, t->pair[i].until_s);
	for (size_t i = 0; i < t->member_count; i++)
		until_s = t->member[i].until_s < until_s ? t->member[i].until_s : until_s;
	if (until_s - at_s > FAR_S)
		return TIME_NEVER;
	return drift_poll_s(d->world.now_s, (int64_t)until_s, d->s->policy.poll_interval_s);
}

bool drift_is_still(struct drift *d, const struct snapshot *s, int64_t at_s, int64_t *next_s)
{
	bool listed = d->still.listed;

	if (!d->still.can_be)
		return false;
	begin_poll(d, s, at_s);
	if (!(listed ? look_at_all(d) : list_all(d)))
		return false;
	*next_s = find_next(d);
	return true;
}
