/* SPDX-License-Identifier: MIT */
/*
 * headroom.c - starts of the jobs blocked by a limit, under larger values of the limit
 *
 * The reason of a blocked job contains the amount that the job requests. If all blocked jobs exceed the hard
 * limit, the hard limit is raised together with the soft limit; otherwise the soft limit is raised, and the
 * hard limit only where the new soft limit would exceed it.
 */
#include "headroom.h"

#include <stdlib.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/forecast/future.h"
#include "sched/model/limit.h"
#include "sched/state/draft.h"

struct held {
	uint32_t *slot;
	int64_t *asked;
	size_t count, slot_room, asked_room;
	bool at_soft; /* at least one of the jobs is blocked by the soft limit */
};

bool headroom_is_asked(const struct limit_row *row)
{
	return row->holds_back > 0 && !limit_row_is_per_job(row);
}

bool headroom_same(const struct limit_row *a, const struct limit_row *b)
{
	return a->kind == b->kind && a->scope == b->scope && a->second_type == b->second_type &&
	       a->cred == b->cred && a->second == b->second && a->soft == b->soft && a->hard == b->hard;
}

static const struct forecast *base_of(const struct headroom *h)
{
	return h->query.plan_query->draft.s ? &h->query.plan_query->draft : &h->query.plan_query->live;
}

/* --- blocked jobs ---------------------------------------------------------------------------- */

static void find_held(struct held *held, const struct forecast *f, const struct limit_row *row)
{
	const struct waiting *waiting = snapshot_waiting(f->s);

	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;
		const struct reason *reason = &f->plan.reason[slot];

		if (!limit_row_holds(f->s, row, &snapshot_jobs(f->s)[slot], reason))
			continue;
		held->slot = vec_room(held->slot, &held->slot_room, held->count + 1, sizeof *held->slot);
		held->asked = vec_room(held->asked, &held->asked_room, held->count + 1, sizeof *held->asked);
		held->slot[held->count] = slot;
		held->asked[held->count++] = reason->asked;
		held->at_soft = held->at_soft || !reason->hard;
	}
}

static int ascending(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* --- values to try ----------------------------------------------------------------------------- */

static void add_point(struct headroom *h, int64_t soft, int64_t hard)
{
	struct limit_row row = h->row;
	struct str text = {0};

	row.soft = soft;
	row.hard = hard;
	limit_row_add_value(&row, &text);
	h->point[h->points++] = (struct headroom_point){.value = arena_string(&h->arena, str_text(&text)),
							.first_s = TIME_NEVER,
							.last_s = TIME_NEVER};
	str_free(&text);
}

/* Adds a value if it is larger than the last one. */
static void add_larger(struct headroom *h, int64_t value, int64_t *last)
{
	const struct limit_row *row = &h->row;

	if (value <= *last || h->points == HEADROOM_POINTS)
		return;
	add_point(h, row->soft == LIMIT_UNLIMITED ? row->soft : value, row->hard > value ? row->hard : value);
	*last = value;
}

/*
 * Chooses the values. The requested amounts in held->asked are in ascending order, so that each value admits
 * as many jobs as possible.
 */
static void choose_values(struct headroom *h, const struct held *held)
{
	int64_t last = held->at_soft ? h->row.soft : h->row.hard;
	int64_t least = h->row.used + held->asked[0], half = 0, all = 0;

	for (size_t i = 0; i < held->count; i++) {
		all += held->asked[i];
		if (i + 1 == (held->count + 1) / 2)
			half = all;
	}
	add_point(h, h->row.soft, h->row.hard);
	add_larger(h, last + (least - last) / 2, &last);
	add_larger(h, least, &last);
	add_larger(h, h->row.used + half, &last);
	add_larger(h, h->row.used + all, &last);
}

/* --- effect of one value --------------------------------------------------------------------------- */

static bool should_continue(void *self, uint32_t started)
{
	(void)started;
	return !query_is_unwanted(&((struct headroom *)self)->query);
}

static void add_start(struct headroom_point *point, int64_t start_s, int64_t now_s)
{
	if (start_s == TIME_NEVER)
		return;
	point->at_once += start_s <= now_s;
	if (point->started++ == 0 || start_s < point->first_s)
		point->first_s = start_s;
	if (point->last_s == TIME_NEVER || start_s > point->last_s)
		point->last_s = start_s;
}

/*
 * Projects the queue s, and adds the starts of the blocked jobs to the point. Returns false if the query was
 * stopped.
 */
static bool look_ahead(struct headroom *h, struct headroom_point *point, const struct held *held,
		       const struct snapshot *s)
{
	struct future_setup setup = {.now_s = h->query.plan_query->now_s,
				     .full = true,
				     .should_continue = should_continue,
				     .self = h};
	struct future future = {0};
	bool finished = future_build(&future, s, &setup);

	for (size_t i = 0; i < held->count && finished; i++) {
		uint32_t slot = snapshot_find_job(s, snapshot_jobs(base_of(h)->s)[held->slot[i]].id);

		if (slot != INDEX_NONE)
			add_start(point, future.side.start_s[slot], h->query.plan_query->now_s);
	}
	future_clear(&future);
	return finished;
}

static bool try_value(struct headroom *h, struct headroom_point *point, const struct held *held,
		      const char *option)
{
	struct event ev = {
		.kind = EVENT_SETTING, .who = "whatif", .setting = {.name = option, .value = point->value}};
	struct err err;
	struct state *st = draft_make(base_of(h)->s, &ev, 1, NULL, &err);
	bool finished;

	point->refused = !st;
	if (!st)
		return true;
	finished = look_ahead(h, point, held, state_view(st));
	state_free(st);
	return finished;
}

static bool try_all(struct headroom *h, const struct held *held)
{
	struct str option = {0};
	bool finished = look_ahead(h, &h->point[0], held, base_of(h)->s);

	limit_row_add_option(base_of(h)->s, &h->row, &option);
	for (size_t i = 1; i < h->points && finished; i++)
		finished = try_value(h, &h->point[i], held, str_text(&option));
	str_free(&option);
	return finished;
}

bool headroom_build(struct headroom *h)
{
	struct held held = {0};

	h->points = 0;
	find_held(&held, base_of(h), &h->row);
	h->held = (uint32_t)held.count;
	h->query.whole = true;
	if (held.count > 0) {
		qsort(held.asked, held.count, sizeof *held.asked, ascending);
		choose_values(h, &held);
		h->query.whole = try_all(h, &held);
	}
	free(held.slot);
	free(held.asked);
	return h->query.whole;
}

/* --- allocation -------------------------------------------------------------------------------------- */

static void run(struct query *self)
{
	(void)headroom_build((struct headroom *)self);
}

static void drop(struct query *self)
{
	headroom_free((struct headroom *)self);
}

static const struct query_ops headroom_ops = {
	.kind = QUERY_HEADROOM, .lane = LANE_LIMITS, .run = run, .drop = drop};

struct headroom *headroom_new(struct plan_query *o, const struct limit_row *row)
{
	struct headroom *h = mem_zero(1, sizeof *h);

	h->query.ops = &headroom_ops;
	h->query.plan_query = plan_query_hold(o);
	h->row = *row;
	return h;
}

void headroom_free(struct headroom *h)
{
	if (!h)
		return;
	plan_query_drop(h->query.plan_query);
	arena_free(&h->arena);
	free(h);
}
