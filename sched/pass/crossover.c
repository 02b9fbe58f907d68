/* SPDX-License-Identifier: MIT */
/*
 * crossover.c - the values of a weight at which two jobs change their order
 *
 * Within the legal values of the option, both priorities are straight lines between bends: a bend is where a
 * cap begins to apply or a sum meets a bound. Zones are the values at which the order can change: a few
 * values around each bend, and each stretch in which the two lines are less than APART points apart. Between
 * zones the order is constant, so it is determined at one value only. From the current value, a walk in each
 * direction determines the order at every value in the zones with the code that orders the queue.
 */
#include "crossover.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"

#define CAP_MAX 1e15 /* above this number a double cannot represent every whole number */

/*
 * Sums that differ by less than this may have the same rank: truncation toward zero makes -0.9 and 0.9 equal.
 */
#define APART 2.5

/* Relative rounding error of a sum of doubles. */
#define ROUNDING 1e-12

#define BENDS_MAX 40
#define ZONES_MAX (2 * BENDS_MAX)

/* A range of whole values, inclusive. */
struct zone {
	int64_t from, to;
};

/* The priorities of a pair of jobs as functions of one option, over all legal values of the option. */
struct line {
	const struct crossover_pair *p;
	struct config_weight weight;
	bool both;      /* the option also applies to job b */
	int64_t lo, hi; /* legal range, inclusive */
	double bend[BENDS_MAX];
	size_t bends;
	struct zone zone[ZONES_MAX]; /* in ascending order, disjoint */
	size_t zones;
};

/* --- one pair at one value ------------------------------------------------------------------------- */

static void measure(struct crossover_job *out, const struct snapshot *s, uint32_t slot, int64_t now_s,
		    const struct fairshare *shares)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	struct prio_result result;

	*out = (struct crossover_job){.job = job, .weights = *snapshot_job_weights(s, job)};
	snapshot_job_creds(s, job, &out->creds);
	queue_priority(s, job, now_s, shares, &result);
	memcpy(out->value, result.value, sizeof out->value);
	while (snapshot_waiting(s)[out->order].slot != slot)
		out->order++;
}

void crossover_measure(struct crossover_pair *out, const struct snapshot *s, uint32_t slot_a, uint32_t slot_b,
		       int64_t now_s, const struct fairshare *shares)
{
	out->s = s;
	measure(&out->a, s, slot_a, now_s, shares);
	measure(&out->b, s, slot_b, now_s, shares);
}

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

static double weight_value(const struct prio_weights *w, struct config_weight weight)
{
	struct prio_weights copy = *w;

	return *place_of(&copy, weight);
}

static void weigh(const struct line *l, const struct crossover_job *j, bool moves, double x,
		  struct prio_result *out)
{
	struct prio_weights weights = j->weights;

	if (moves)
		*place_of(&weights, l->weight) = x;
	priority_weigh(&l->p->s->policy, &weights, &j->creds, j->job, j->value, out);
}

/* True if job a is ahead of job b when the option has value x. */
static bool is_ahead(const struct line *l, double x)
{
	struct prio_result a, b;

	weigh(l, &l->p->a, true, x, &a);
	weigh(l, &l->p->b, l->both, x, &b);
	return priority_compare(a.rank, b.rank, l->p->a.order < l->p->b.order ? -1 : 1) < 0;
}

/* The priority of j before truncation. moves: the option applies to j and has the value x. */
static double points_at(const struct line *l, const struct crossover_job *j, bool moves, double x)
{
	struct prio_result result;

	weigh(l, j, moves, x, &result);
	return priority_points(j->job, &result);
}

/* --- the option of a partition -------------------------------------------------------------------------- */

/* Whose weights change when the option of job a's partition is set. */
enum moved {
	MOVES_ONE, /* the weights of job a only */
	MOVES_BOTH,
	MOVED_HIDDEN /* the weights of job a; those of job b have the same value now, but a masked snapshot
			does not show whether they are set separately */
};

void crossover_name(const struct crossover_pair *p, struct config_weight weight, struct str *out)
{
	uint32_t partition = p->a.job->partition;

	if (partition != 0)
		str_addf(out, "partition[%s].",
			 snapshot_string(p->s, snapshot_partitions(p->s)[partition].name));
	str_add(out, config_weight_name(weight));
}

/* True if `row` in the section `title` sets this weight of this partition. */
static bool is_of(const struct option *row, const char *title, const char *partition,
		  struct config_weight weight)
{
	struct config_weight set = config_weight_of(row);

	return strcmp(row->scope, "partition") == 0 && set.kind == weight.kind && set.index == weight.index &&
	       str_same_word(title, partition);
}

static bool changed_live(const struct snapshot *s, const struct change *change, const char *partition,
			 struct config_weight weight)
{
	struct config_value value;
	char title[CONFIG_TITLE];

	return change->kind == CHANGE_SETTING && !change->dead &&
	       config_resolve_name(snapshot_string(s, change->name), &value, title, sizeof title, NULL) &&
	       is_of(value.row, title, partition, weight);
}

/*
 * True if the partition has a value of its own for the weight, set in the configuration or by a live change
 * whose name is visible. Otherwise it follows the global value.
 */
static bool has_its_own(const struct snapshot *s, uint32_t partition, struct config_weight weight)
{
	const char *name = snapshot_string(s, snapshot_partitions(s)[partition].name);
	const struct config_entry *entry = snapshot_values(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++)
		if (is_of(&config_rows[entry[i].row], snapshot_string(s, entry[i].title), name, weight))
			return true;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (changed_live(s, &snapshot_changes(s)[i], name, weight))
			return true;
	return false;
}

static bool hides_live(const struct snapshot *s)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; s->masked && i < snapshot_count(s, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    strcmp(snapshot_string(s, change[i].name), SNAPSHOT_HIDDEN) == 0)
			return true;
	return false;
}

/*
 * Determines whose weights change. A weight of job b that differs from the global value is its partition's
 * own, even if the change that set it is hidden.
 */
static enum moved find_moved(const struct crossover_pair *p, struct config_weight weight)
{
	uint32_t of_a = p->a.job->partition, of_b = p->b.job->partition;
	double here = weight_value(&p->a.weights, weight), there = weight_value(&p->b.weights, weight);

	if (of_a == of_b)
		return MOVES_BOTH;
	if (of_a != 0 || here < there || here > there || has_its_own(p->s, of_b, weight))
		return MOVES_ONE;
	return hides_live(p->s) ? MOVED_HIDDEN : MOVES_BOTH;
}

/* --- bends -------------------------------------------------------------------------------------------- */

static void add_bend(struct line *l, double x)
{
	if (isfinite(x) && x > (double)l->lo && x < (double)l->hi && l->bends < BENDS_MAX)
		l->bend[l->bends++] = x;
}

static double weight_of(const struct crossover_job *j, enum prio_factor f)
{
	return priority_weight(&j->weights, &j->creds, f);
}

/* The sum of the weighted factors of a component except `without`; PRIO_FACTOR_COUNT: the sum of all. */
static double component_without(const struct crossover_job *j, unsigned component, unsigned without)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (f != without && policy_factor_info(f)->component == component)
			sum += weight_of(j, f) * priority_capped(j->value[f], j->weights.factor_cap[f]);
	return sum;
}

static void bend_by_caps(struct line *l, const struct crossover_job *j)
{
	const struct prio_weights *w = &j->weights;
	unsigned f = l->weight.index, component = l->weight.index;
	double rest;

	if (l->weight.kind == COMPONENT_CAP)
		add_bend(l, component_without(j, component, PRIO_FACTOR_COUNT));
	if (l->weight.kind == COMPONENT_CAP || l->weight.kind == COMPONENT_WEIGHT)
		return;
	component = policy_factor_info(f)->component;
	rest = component_without(j, component, f);
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

static void sort_bends(struct line *l)
{
	qsort(l->bend, l->bends, sizeof l->bend[0], compare_bends);
}

/*
 * Sets *out to the i-th stretch between bends: the whole values strictly between them. False if it has fewer
 * than two values.
 */
static bool stretch(const struct line *l, size_t i, struct zone *out)
{
	out->from = i == 0 ? l->lo : (int64_t)ceil(l->bend[i - 1]) + 1;
	out->to = i == l->bends ? l->hi : (int64_t)floor(l->bend[i]) - 1;
	return out->from < out->to;
}

/* Adds a bend wherever the sum, which is a straight line within each stretch, meets a bound. */
static void bend_by_bounds(struct line *l, const struct crossover_job *j, bool moves)
{
	static const double bound[] = {PRIO_FLOOR, PRIO_MAX, -PRIO_RANK_LIMIT};
	double found[BENDS_MAX];
	size_t count = 0;
	struct zone part;

	for (size_t i = 0; i <= l->bends; i++) {
		struct prio_result first, last;

		if (!moves || !stretch(l, i, &part))
			continue;
		weigh(l, j, moves, (double)part.from, &first);
		weigh(l, j, moves, (double)part.to, &last);
		for (size_t k = 0; k < sizeof bound / sizeof bound[0] && count < BENDS_MAX; k++)
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

static void add_zone(struct line *l, double from, double to)
{
	struct zone *zone = &l->zone[l->zones];

	from = fmax(floor(from), (double)l->lo);
	to = fmin(ceil(to), (double)l->hi);
	if (from > to)
		return;
	*zone = (struct zone){(int64_t)from, (int64_t)to};
	l->zones++;
}

/* Adds the zone within a stretch in which the two lines are less than APART points apart. */
static void add_close_zone(struct line *l, const struct zone *part)
{
	const struct crossover_pair *p = l->p;
	double from = (double)part->from, to = (double)part->to;
	double a[2] = {points_at(l, &p->a, true, from), points_at(l, &p->a, true, to)};
	double b[2] = {points_at(l, &p->b, l->both, from), points_at(l, &p->b, l->both, to)};
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
	const struct zone *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void merge_zones(struct line *l)
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

/*
 * True if the jobs have the same factor values. A factor is ignored if it has no weight for either job and
 * this option does not give it one.
 */
static bool same_values(const struct line *l)
{
	const struct crossover_job *a = &l->p->a, *b = &l->p->b;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		bool counts = weight_of(a, f) != 0 || weight_of(b, f) != 0 ||
			      (l->weight.kind == FACTOR_WEIGHT && l->weight.index == f);

		if (counts && !are_equal(&a->value[f], &b->value[f], 1))
			return false;
	}
	return true;
}

/* True if no value of the option can change the order of the two jobs. */
static bool are_twins(const struct line *l)
{
	const struct crossover_job *a = &l->p->a, *b = &l->p->b;

	return l->both && a->job->adjust == b->job->adjust && a->job->points == b->job->points &&
	       same_values(l) && same_weights(&a->weights, &b->weights) &&
	       are_equal(&a->creds.qt_weight, &b->creds.qt_weight, 1) &&
	       are_equal(&a->creds.xf_weight, &b->creds.xf_weight, 1);
}

/* Finds the bends and zones of l, whose other members are set. */
static void find_zones(struct line *l)
{
	struct zone part;

	if (are_twins(l))
		return;
	/* A cap of 0 means no cap, so the order may change between 0 and 1. */
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
			add_close_zone(l, &part);
	merge_zones(l);
}

/* --- the walk from today's value ----------------------------------------------------------------------- */

/*
 * A walk from the current value to one end of the legal range, through the zones and the gaps between them.
 */
struct walk {
	const struct line *l;
	int sign;
	int64_t at, end; /* the next value, and the last one */
	bool cut;        /* a zone was too large to try all of its values */
};

static bool is_past(const struct walk *w, int64_t x)
{
	return w->sign > 0 ? x > w->end : x < w->end;
}

/* The zone that contains w->at, or else the next zone in the direction of the walk; NULL if there is none. */
static const struct zone *zone_ahead(const struct walk *w)
{
	const struct line *l = w->l;

	for (size_t i = 0; i < l->zones; i++) {
		const struct zone *zone = &l->zone[w->sign > 0 ? i : l->zones - 1 - i];

		if (w->sign > 0 ? zone->to >= w->at : zone->from <= w->at)
			return zone;
	}
	return NULL;
}

/* Tries one value. True if the order at x is `ahead`; sets *found to x and moves the walk behind x. */
static bool look(struct walk *w, int64_t x, bool ahead, int64_t *found)
{
	if (is_ahead(w->l, (double)x) != ahead)
		return false;
	*found = x;
	w->at = x + w->sign;
	return true;
}

/*
 * Sets *found by bisection: the value next to a value without the order `ahead`, at which the order is
 * `ahead`.
 */
static void bisect(struct walk *w, int64_t not_yet, int64_t already, bool ahead, int64_t *found)
{
	while (llabs(already - not_yet) > 1) {
		int64_t middle = not_yet + (already - not_yet) / 2;

		if (is_ahead(w->l, (double)middle) == ahead)
			already = middle;
		else
			not_yet = middle;
	}
	*found = already;
	w->at = already + w->sign;
}

/*
 * Tries the first CROSSOVER_SCAN values of a zone. If the zone is larger and its last value has the order
 * `ahead`, finds the change by bisection. True if *found is set.
 */
static bool scan_zone(struct walk *w, const struct zone *zone, bool ahead, int64_t *found)
{
	int64_t last = w->sign > 0 ? zone->to : zone->from, begin = w->at;

	if (is_past(w, last))
		last = w->end;
	for (int64_t x = begin; w->sign > 0 ? x <= last : x >= last; x += w->sign) {
		if (look(w, x, ahead, found))
			return true;
		if (llabs(x - begin) < CROSSOVER_SCAN)
			continue;
		w->cut = true;
		if (is_ahead(w->l, (double)last) == ahead) {
			bisect(w, x, last, ahead, found);
			return true;
		}
		break;
	}
	w->at = last + w->sign;
	return false;
}

/*
 * Sets *found to the first value from w->at on at which the order is `ahead`, and w->at to the value after
 * it. False if there is no such value up to the end of the walk.
 */
static bool find_order(struct walk *w, bool ahead, int64_t *found)
{
	while (!is_past(w, w->at)) {
		const struct zone *zone = zone_ahead(w);
		bool inside = zone && w->at >= zone->from && w->at <= zone->to;

		if (inside) {
			if (scan_zone(w, zone, ahead, found))
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

static struct crossover_flip flip(const struct line *l, double now, bool ahead, int sign)
{
	struct crossover_flip out = {.found = false};
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
	/* If some values of a zone were not tried, the new order is known to hold only at the value found. */
	if (w.cut) {
		out.to_the_end = false;
		out.until = out.at;
	}
	return out;
}

/* --- the interface ----------------------------------------------------------------------------------------
 */

static void find_range(struct line *l)
{
	const struct option *row =
		option_find(config_rows, config_row_count, "", config_weight_name(l->weight));

	l->lo = (int64_t)fmax(row->min, -CAP_MAX);
	l->hi = (int64_t)fmin(row->max, CAP_MAX);
}

void crossover_find(struct crossover *out, const struct crossover_pair *p, struct config_weight weight)
{
	struct line l = {.p = p, .weight = weight};
	enum moved moved = find_moved(p, weight);

	find_range(&l);
	l.both = moved == MOVES_BOTH;
	out->now = weight_value(&p->a.weights, weight);
	out->ahead = is_ahead(&l, out->now);
	out->down = out->up = (struct crossover_flip){.hidden = moved == MOVED_HIDDEN};
	if (moved == MOVED_HIDDEN)
		return;
	find_zones(&l);
	out->down = flip(&l, out->now, out->ahead, -1);
	out->up = flip(&l, out->now, out->ahead, 1);
}

void crossover_points(const struct crossover_pair *p, struct config_weight weight, double at,
		      double points_out[2])
{
	struct line l = {.p = p, .weight = weight, .both = find_moved(p, weight) == MOVES_BOTH};

	points_out[0] = points_at(&l, &p->a, true, at);
	points_out[1] = points_at(&l, &p->b, l.both, at);
}

void crossover_add_flip(const struct crossover_flip *flip, int sign, struct str *out)
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

/* --- the nearest crossover ------------------------------------------------------------------------------ */

bool crossover_in_use(const struct prio_weights *weights, struct config_weight weight)
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

static void take_nearer(struct crossover_nearest *best, const struct crossover *c,
			struct config_weight weight)
{
	const struct crossover_flip *const flip_of[] = {&c->down, &c->up};

	for (int i = 0; i < 2; i++) {
		double relative = fabs((double)flip_of[i]->at - c->now) / fabs(c->now);

		if (!flip_of[i]->found || (best->found && relative >= best->relative))
			continue;
		*best = (struct crossover_nearest){.found = true,
						   .weight = weight,
						   .now = c->now,
						   .at = flip_of[i]->at,
						   .relative = relative};
	}
}

struct crossover_nearest crossover_nearest(const struct crossover_pair *p)
{
	struct crossover_nearest best = {.found = false};
	struct crossover c;

	for (unsigned i = 0; i < PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT; i++) {
		struct config_weight weight = {i < PRIO_COMPONENT_COUNT ? COMPONENT_WEIGHT : FACTOR_WEIGHT,
					       i < PRIO_COMPONENT_COUNT ? i : i - PRIO_COMPONENT_COUNT};

		if (!crossover_in_use(&p->a.weights, weight))
			continue;
		crossover_find(&c, p, weight);
		if (c.up.hidden)
			return (struct crossover_nearest){.hidden = true};
		take_nearer(&best, &c, weight);
	}
	return best;
}
