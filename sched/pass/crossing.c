/* SPDX-License-Identifier: MIT */
/*
 * crossing.c - at which value of a weight does one job pass another?
 *
 * The legal values are cut into zones and what lies between them. A zone is where the order may change: some
 * values around each bend, and the stretch in which two lines are less than a few points apart. Between zones
 * the order is one, so one look is enough; in a zone every value is looked at, from today's on outwards.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crossing_inside.h"
#include "sched/base/str.h"

#define CAP_MAX 1e15 /* beyond it a double cannot tell a whole number from the next */

/* --- looking outwards --------------------------------------------------------------------------------- */

/* A walk from today's value to an end of what is legal, over zones and what lies between them. */
struct walk {
	const struct crossing_line *l;
	int sign;
	int64_t at, end; /* the next value, the last one */
	bool cut;        /* a zone was too large to be looked at whole */
};

static bool is_past(const struct walk *w, int64_t x)
{
	return w->sign > 0 ? x > w->end : x < w->end;
}

/* The zone at w->at or the next one on the way; NULL when none is left. */
static const struct crossing_zone *zone_ahead(const struct walk *w)
{
	const struct crossing_line *l = w->l;

	for (size_t i = 0; i < l->zones; i++) {
		const struct crossing_zone *zone = &l->zone[w->sign > 0 ? i : l->zones - 1 - i];

		if (w->sign > 0 ? zone->to >= w->at : zone->from <= w->at)
			return zone;
	}
	return NULL;
}

static bool look(struct walk *w, int64_t x, bool ahead, int64_t *found)
{
	if (crossing_is_ahead(w->l, (double)x) != ahead)
		return false;
	*found = x;
	w->at = x + w->sign;
	return true;
}

/* Between a value of the one order and a later one of the other, two neighbours that differ. */
static void halve(struct walk *w, int64_t not_yet, int64_t already, bool ahead, int64_t *found)
{
	while (llabs(already - not_yet) > 1) {
		int64_t middle = not_yet + (already - not_yet) / 2;

		if (crossing_is_ahead(w->l, (double)middle) == ahead)
			already = middle;
		else
			not_yet = middle;
	}
	*found = already;
	w->at = already + w->sign;
}

static bool look_through(struct walk *w, const struct crossing_zone *zone, bool ahead, int64_t *found)
{
	int64_t last = w->sign > 0 ? zone->to : zone->from, begin = w->at;

	if (is_past(w, last))
		last = w->end;
	for (int64_t x = begin; w->sign > 0 ? x <= last : x >= last; x += w->sign) {
		if (look(w, x, ahead, found))
			return true;
		if (llabs(x - begin) < CROSSING_SCAN)
			continue;
		w->cut = true;
		if (crossing_is_ahead(w->l, (double)last) == ahead) {
			halve(w, x, last, ahead, found);
			return true;
		}
		break;
	}
	w->at = last + w->sign;
	return false;
}

/*
 * The first value from w->at on at which the order is `ahead`, in *found, and w->at behind it; false: none up
 * to the end. A zone of which only the first values are looked at is halved when the order behind it is this
 * one.
 */
static bool find_order(struct walk *w, bool ahead, int64_t *found)
{
	while (!is_past(w, w->at)) {
		const struct crossing_zone *zone = zone_ahead(w);
		bool inside = zone && w->at >= zone->from && w->at <= zone->to;

		if (inside) {
			if (look_through(w, zone, ahead, found))
				return true;
			continue;
		}
		if (look(w, w->at, ahead, found))
			return true;
		if (!zone)
			return false;
		w->at = w->sign > 0 ? zone->from : zone->to;
	}
	return false;
}

static struct crossing_flip flip(const struct crossing_line *l, double now, bool ahead, int sign)
{
	struct crossing_flip out = {.found = false};
	struct walk w = {.l = l, .sign = sign};
	int64_t back;

	w.at = sign > 0 ? (int64_t)floor(now) + 1 : (int64_t)ceil(now) - 1;
	w.end = sign > 0 ? l->hi : l->lo;
	out.found = find_order(&w, !ahead, &out.at);
	out.proven = !w.cut;
	if (!out.found)
		return out;
	w.cut = false;
	out.until = find_order(&w, ahead, &back) ? back - sign : w.end;
	out.to_the_end = out.until == w.end;
	/* Only the first values of a stretch were looked at. */
	if (w.cut) {
		out.to_the_end = false;
		out.until = out.at;
	}
	return out;
}

/* --- the whole ---------------------------------------------------------------------------------------- */

static void measure(struct crossing_job *out, const struct snapshot *s, uint32_t slot, int64_t now_s,
		    const struct fairshare *shares)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	struct prio_result result;

	*out = (struct crossing_job){.job = job, .weights = *snapshot_job_weights(s, job)};
	snapshot_job_creds(s, job, &out->creds);
	queue_priority(s, job, now_s, shares, &result);
	memcpy(out->value, result.value, sizeof out->value);
	while (snapshot_waiting(s)[out->order].slot != slot)
		out->order++;
}

void crossing_measure(struct crossing_pair *out, const struct snapshot *s, uint32_t slot_a, uint32_t slot_b,
		      int64_t now_s, const struct fairshare *shares)
{
	out->s = s;
	measure(&out->a, s, slot_a, now_s, shares);
	measure(&out->b, s, slot_b, now_s, shares);
}

static void find_range(struct crossing_line *l)
{
	const struct option *row =
		option_find(config_rows, config_row_count, "", config_weight_name(l->weight));

	l->lo = (int64_t)fmax(row->min, -CAP_MAX);
	l->hi = (int64_t)fmin(row->max, CAP_MAX);
}

void crossing_find(struct crossing *out, const struct crossing_pair *p, struct config_weight weight)
{
	struct crossing_line l = {.p = p, .weight = weight};
	enum crossing_moved moved = crossing_moved(p, weight);

	find_range(&l);
	l.both = moved == CROSSING_MOVES_BOTH;
	out->now = crossing_value(&p->a.weights, weight);
	out->ahead = crossing_is_ahead(&l, out->now);
	out->down = out->up = (struct crossing_flip){.hidden = moved == CROSSING_MOVED_HIDDEN};
	if (moved == CROSSING_MOVED_HIDDEN)
		return;
	crossing_find_zones(&l);
	out->down = flip(&l, out->now, out->ahead, -1);
	out->up = flip(&l, out->now, out->ahead, 1);
}

void crossing_points(const struct crossing_pair *p, struct config_weight weight, double at,
		     double points_out[2])
{
	struct crossing_line l = {
		.p = p, .weight = weight, .both = crossing_moved(p, weight) == CROSSING_MOVES_BOTH};

	points_out[0] = crossing_points_of(&l, &p->a, true, at);
	points_out[1] = crossing_points_of(&l, &p->b, l.both, at);
}

void crossing_add_flip(const struct crossing_flip *flip, int sign, struct str *out)
{
	if (flip->hidden)
		str_add(out, "not known");
	else if (!flip->found)
		str_add(out, flip->proven ? "never" : "not nearby");
	else if (flip->to_the_end)
		str_addf(out, "%c %" PRId64, sign > 0 ? '>' : '<', flip->at - sign);
	else if (flip->at == flip->until)
		str_addf(out, "= %" PRId64, flip->at);
	else
		str_addf(out, "%" PRId64 "..%" PRId64, sign > 0 ? flip->at : flip->until,
			 sign > 0 ? flip->until : flip->at);
}

/* --- how fragile -------------------------------------------------------------------------------------- */

bool crossing_in_use(const struct prio_weights *weights, struct config_weight weight)
{
	if (weight.kind == FACTOR_WEIGHT)
		return weights->factor[weight.index] != 0 &&
		       weights->component[policy_factor_info(weight.index)->component] != 0;
	if (weight.kind != COMPONENT_WEIGHT || weights->component[weight.index] == 0)
		return false;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == weight.index && weights->factor[f] != 0)
			return true;
	return false;
}

static void take_nearer(struct crossing_nearest *best, const struct crossing *c, struct config_weight weight)
{
	const struct crossing_flip *const flip_of[] = {&c->down, &c->up};

	for (int i = 0; i < 2; i++) {
		double relative = fabs((double)flip_of[i]->at - c->now) / fabs(c->now);

		if (!flip_of[i]->found || (best->found && relative >= best->relative))
			continue;
		*best = (struct crossing_nearest){.found = true,
						  .weight = weight,
						  .now = c->now,
						  .at = flip_of[i]->at,
						  .relative = relative};
	}
}

struct crossing_nearest crossing_nearest(const struct crossing_pair *p)
{
	struct crossing_nearest best = {.found = false};
	struct crossing c;

	for (unsigned i = 0; i < PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT; i++) {
		struct config_weight weight = {i < PRIO_COMPONENT_COUNT ? COMPONENT_WEIGHT : FACTOR_WEIGHT,
					       i < PRIO_COMPONENT_COUNT ? i : i - PRIO_COMPONENT_COUNT};

		if (!crossing_in_use(&p->a.weights, weight))
			continue;
		crossing_find(&c, p, weight);
		if (c.up.hidden)
			return (struct crossing_nearest){.hidden = true};
		take_nearer(&best, &c, weight);
	}
	return best;
}
