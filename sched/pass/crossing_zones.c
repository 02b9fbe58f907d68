/* SPDX-License-Identifier: MIT */
/*
 * crossing_zones.c - at which values of an option may the order of two jobs change?
 *
 * Some values around each bend of either priority, and the stretch in which the two lines are less than a few
 * points apart; no others. Bends are where a cap begins to act or a sum meets a bound.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crossing_inside.h"

/* Nearer than this two sums may become the same whole number: cut toward zero, -0.9 and 0.9 do. */
#define APART 2.5

/* What a sum of doubles may be off, as a part of it. */
#define ROUNDING 1e-12

/* --- one pair at one value ------------------------------------------------------------------------- */

static double *place_of(struct prio_weights *w, struct config_weight weight)
{
	switch (weight.kind) {
	case COMPONENT_WEIGHT:
		return &w->component[weight.index];
	case COMPONENT_CAP:
		return &w->component_cap[weight.index];
	case FACTOR_WEIGHT:
		return &w->factor[weight.index];
	case FACTOR_CAP:
	case NO_WEIGHT:
		break;
	}
	return &w->factor_cap[weight.index];
}

double crossing_value(const struct prio_weights *w, struct config_weight weight)
{
	struct prio_weights copy = *w;

	return *place_of(&copy, weight);
}

static void weigh(const struct crossing_line *l, const struct crossing_job *j, bool moves, double x,
		  struct prio_result *out)
{
	struct prio_weights weights = j->weights;

	if (moves)
		*place_of(&weights, l->weight) = x;
	priority_weigh(&l->p->s->policy, &weights, &j->creds, j->job, j->value, out);
}

bool crossing_is_ahead(const struct crossing_line *l, double x)
{
	struct prio_result a, b;

	weigh(l, &l->p->a, true, x, &a);
	weigh(l, &l->p->b, l->both, x, &b);
	return priority_compare(a.rank, b.rank, l->p->a.order < l->p->b.order ? -1 : 1) < 0;
}

/* What is cut to a whole number to give the rank. */
double crossing_points_of(const struct crossing_line *l, const struct crossing_job *j, bool moves, double x)
{
	struct prio_result result;

	weigh(l, j, moves, x, &result);
	return priority_points(j->job, &result);
}

/* --- bends -------------------------------------------------------------------------------------------- */

static void add_bend(struct crossing_line *l, double x)
{
	if (isfinite(x) && x > (double)l->lo && x < (double)l->hi && l->bends < CROSSING_BENDS)
		l->bend[l->bends++] = x;
}

static double weight_of(const struct crossing_job *j, enum prio_factor f)
{
	return priority_weight(&j->weights, &j->creds, f);
}

/* What the factors of a component give, but for one; PRIO_FACTOR_COUNT: all of them. */
static double inside_without(const struct crossing_job *j, unsigned component, unsigned without)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (f != without && policy_factor_info(f)->component == component)
			sum += weight_of(j, f) * priority_capped(j->value[f], j->weights.factor_cap[f]);
	return sum;
}

static void bend_by_caps(struct crossing_line *l, const struct crossing_job *j)
{
	const struct prio_weights *w = &j->weights;
	unsigned f = l->weight.index, component = l->weight.index;
	double rest;

	if (l->weight.kind == COMPONENT_CAP)
		add_bend(l, inside_without(j, component, PRIO_FACTOR_COUNT));
	if (l->weight.kind == COMPONENT_CAP || l->weight.kind == COMPONENT_WEIGHT)
		return;
	component = policy_factor_info(f)->component;
	rest = inside_without(j, component, f);
	if (l->weight.kind == FACTOR_CAP)
		add_bend(l, j->value[f]);
	if (w->component_cap[component] <= 0)
		return;
	if (l->weight.kind == FACTOR_CAP)
		add_bend(l, (w->component_cap[component] - rest) / weight_of(j, f));
	else
		add_bend(l, (w->component_cap[component] - rest) /
					    priority_capped(j->value[f], w->factor_cap[f]) -
				    priority_qos_weight(&j->creds, f));
}

static int compare_bends(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void sort_bends(struct crossing_line *l)
{
	qsort(l->bend, l->bends, sizeof l->bend[0], compare_bends);
}

/* The i-th stretch between bends, of whole values away from them; false when there is none in it. */
static bool stretch(const struct crossing_line *l, size_t i, struct crossing_zone *out)
{
	out->from = i == 0 ? l->lo : (int64_t)ceil(l->bend[i - 1]) + 1;
	out->to = i == l->bends ? l->hi : (int64_t)floor(l->bend[i]) - 1;
	return out->from < out->to;
}

/* Within a stretch the sum is a straight line: where does it meet a bound? */
static void bend_by_bounds(struct crossing_line *l, const struct crossing_job *j, bool moves)
{
	static const double bound[] = {PRIO_FLOOR, PRIO_MAX, -PRIO_RANK_LIMIT};
	double found[CROSSING_BENDS];
	size_t count = 0;
	struct crossing_zone part;

	for (size_t i = 0; i <= l->bends; i++) {
		struct prio_result first, last;

		if (!moves || !stretch(l, i, &part))
			continue;
		weigh(l, j, moves, (double)part.from, &first);
		weigh(l, j, moves, (double)part.to, &last);
		for (size_t k = 0; k < sizeof bound / sizeof bound[0] && count < CROSSING_BENDS; k++)
			if ((first.sum < bound[k]) != (last.sum < bound[k]))
				found[count++] = (double)part.from + (bound[k] - first.sum) /
									     (last.sum - first.sum) *
									     (double)(part.to - part.from);
	}
	for (size_t i = 0; i < count; i++)
		add_bend(l, found[i]);
	sort_bends(l);
}

/* --- zones -------------------------------------------------------------------------------------------- */

static void add_zone(struct crossing_line *l, double from, double to)
{
	struct crossing_zone *zone = &l->zone[l->zones];

	from = fmax(floor(from), (double)l->lo);
	to = fmin(ceil(to), (double)l->hi);
	if (from > to)
		return;
	*zone = (struct crossing_zone){(int64_t)from, (int64_t)to};
	l->zones++;
}

/* Where two straight lines are less than a few points apart. */
static void add_window(struct crossing_line *l, const struct crossing_zone *part)
{
	const struct crossing_pair *p = l->p;
	double from = (double)part->from, to = (double)part->to;
	double a[2] = {crossing_points_of(l, &p->a, true, from), crossing_points_of(l, &p->a, true, to)};
	double b[2] = {crossing_points_of(l, &p->b, l->both, from),
		       crossing_points_of(l, &p->b, l->both, to)};
	double apart = APART + ROUNDING * fmax(fmax(fabs(a[0]), fabs(a[1])), fmax(fabs(b[0]), fabs(b[1])));
	double first = a[0] - b[0], last = a[1] - b[1], per_unit = (last - first) / (to - from);
	double low, high;

	if (fmin(first, last) > apart || fmax(first, last) < -apart)
		return;
	if (!(a[0] < a[1] || a[0] > a[1] || b[0] < b[1] || b[0] > b[1]))
		return;
	low = per_unit == 0 ? 0 : (-apart - first) / per_unit;
	high = per_unit == 0 ? to - from : (apart - first) / per_unit;
	add_zone(l, from + fmax(fmin(low, high), 0) - 1, fmin(from + fmax(low, high) + 1, to));
}

static int compare_zones(const void *a, const void *b)
{
	const struct crossing_zone *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void merge_zones(struct crossing_line *l)
{
	size_t kept = 0;

	qsort(l->zone, l->zones, sizeof l->zone[0], compare_zones);
	for (size_t i = 0; i < l->zones; i++) {
		if (kept > 0 && l->zone[i].from <= l->zone[kept - 1].to + 1) {
			if (l->zone[i].to > l->zone[kept - 1].to)
				l->zone[kept - 1].to = l->zone[i].to;
		} else {
			l->zone[kept++] = l->zone[i];
		}
	}
	l->zones = kept;
}

static bool are_equal(const double *a, const double *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i] < b[i] || a[i] > b[i])
			return false;
	return true;
}

static bool same_weights(const struct prio_weights *a, const struct prio_weights *b)
{
	return are_equal(a->component, b->component, PRIO_COMPONENT_COUNT) &&
	       are_equal(a->component_cap, b->component_cap, PRIO_COMPONENT_COUNT) &&
	       are_equal(a->factor, b->factor, PRIO_FACTOR_COUNT) &&
	       are_equal(a->factor_cap, b->factor_cap, PRIO_FACTOR_COUNT);
}

/* Where both have no weight for a factor, and will not get one, it does not tell them apart. */
static bool same_values(const struct crossing_line *l)
{
	const struct crossing_job *a = &l->p->a, *b = &l->p->b;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		bool counts = weight_of(a, f) != 0 || weight_of(b, f) != 0 ||
			      (l->weight.kind == FACTOR_WEIGHT && l->weight.index == f);

		if (counts && !are_equal(&a->value[f], &b->value[f], 1))
			return false;
	}
	return true;
}

static bool are_twins(const struct crossing_line *l)
{
	const struct crossing_job *a = &l->p->a, *b = &l->p->b;

	return l->both && a->job->adjust == b->job->adjust && a->job->points == b->job->points &&
	       same_values(l) && same_weights(&a->weights, &b->weights) &&
	       are_equal(&a->creds.qt_weight, &b->creds.qt_weight, 1) &&
	       are_equal(&a->creds.xf_weight, &b->creds.xf_weight, 1);
}

void crossing_find_zones(struct crossing_line *l)
{
	struct crossing_zone part;

	if (are_twins(l))
		return;
	/* A cap of 0 is none: next to it everything is another. */
	if (l->weight.kind == FACTOR_CAP || l->weight.kind == COMPONENT_CAP)
		add_bend(l, 0.5);
	bend_by_caps(l, &l->p->a);
	if (l->both)
		bend_by_caps(l, &l->p->b);
	sort_bends(l);
	bend_by_bounds(l, &l->p->a, true);
	bend_by_bounds(l, &l->p->b, l->both);
	for (size_t i = 0; i < l->bends; i++)
		add_zone(l, floor(l->bend[i]) - 1, ceil(l->bend[i]) + 1);
	for (size_t i = 0; i <= l->bends; i++)
		if (stretch(l, i, &part))
			add_window(l, &part);
	merge_zones(l);
}
