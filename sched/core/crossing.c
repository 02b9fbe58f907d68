/* SPDX-License-Identifier: MIT */
/*
 * crossing.c - at which value of a weight does one job pass another?
 *
 * The legal values are cut into zones and what lies between them. A zone is where the order may change: some
 * values around each bend, and the stretch in which two lines are less than a few points apart. Between zones
 * the order is one, so one look is enough; in a zone every value is looked at, from today's on outwards.
 */
#include "crossing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"

/* Nearer than this two sums may become the same whole number: cut toward zero, -0.9 and 0.9 do. */
#define APART 2.5

/* What a sum of doubles may be off, as a part of it. */
#define ROUNDING 1e-12

#define CAP_MAX 1e15 /* beyond it a double cannot tell a whole number from the next */

#define BENDS_MAX 40
#define ZONES_MAX (2 * BENDS_MAX)

/* Whole values, both ends included. */
struct zone {
	int64_t from, to;
};

struct line {
	const struct crossing_pair *p;
	struct config_weight weight;
	bool both; /* the option is also that of job b's partition */
	int64_t lo, hi;
	double bend[BENDS_MAX];
	size_t bends;
	struct zone zone[ZONES_MAX];
	size_t zones;
};

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

static double value_of(const struct prio_weights *w, struct config_weight weight)
{
	struct prio_weights copy = *w;

	return *place_of(&copy, weight);
}

static void weigh(const struct line *l, const struct crossing_job *j, bool moves, double x,
		  struct prio_result *out)
{
	struct prio_weights weights = j->weights;

	if (moves)
		*place_of(&weights, l->weight) = x;
	prio_weigh(&l->p->s->policy, &weights, &j->creds, j->job, j->value, out);
}

static bool is_ahead(const struct line *l, double x)
{
	struct prio_result a, b;

	weigh(l, &l->p->a, true, x, &a);
	weigh(l, &l->p->b, l->both, x, &b);
	return a.rank != b.rank ? a.rank > b.rank : l->p->a.order < l->p->b.order;
}

/* What is cut to a whole number to give the rank. */
static double points(const struct line *l, const struct crossing_job *j, bool moves, double x)
{
	struct prio_result result;

	weigh(l, j, moves, x, &result);
	if (j->job->adjust == JOB_ADJUST_ABSOLUTE || result.bounded || fabs(result.sum) >= PRIO_RANK_LIMIT)
		return (double)result.rank;
	return result.sum + (j->job->adjust == JOB_ADJUST_RELATIVE ? (double)j->job->points : 0);
}

/* --- bends -------------------------------------------------------------------------------------------- */

static void add_bend(struct line *l, double x)
{
	if (isfinite(x) && x > (double)l->lo && x < (double)l->hi && l->bends < BENDS_MAX)
		l->bend[l->bends++] = x;
}

static double capped(double value, double cap)
{
	return cap > 0 ? fmin(value, cap) : value;
}

static double weight_of(const struct crossing_job *j, enum prio_factor f)
{
	double weight = j->weights.factor[f];

	if (f == PRIO_SERV_QUEUETIME)
		weight += j->creds.qt_weight;
	else if (f == PRIO_SERV_XFACTOR)
		weight += j->creds.xf_weight;
	return weight;
}

/* What the factors of a component give, but for one; PRIO_FACTOR_COUNT: all of them. */
static double inside_without(const struct crossing_job *j, unsigned component, unsigned without)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (f != without && policy_factor_info(f)->component == component)
			sum += weight_of(j, f) * capped(j->value[f], j->weights.factor_cap[f]);
	return sum;
}

static void bend_by_caps(struct line *l, const struct crossing_job *j)
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
		add_bend(l, (w->component_cap[component] - rest) / capped(j->value[f], w->factor_cap[f]) -
				    (weight_of(j, f) - w->factor[f]));
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

/* The i-th stretch between bends, of whole values away from them; false when there is none in it. */
static bool stretch(const struct line *l, size_t i, struct zone *out)
{
	out->from = i == 0 ? l->lo : (int64_t)ceil(l->bend[i - 1]) + 1;
	out->to = i == l->bends ? l->hi : (int64_t)floor(l->bend[i]) - 1;
	return out->from < out->to;
}

/* Within a stretch the sum is a straight line: where does it meet a bound? */
static void bend_by_bounds(struct line *l, const struct crossing_job *j, bool moves)
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

/* Where two straight lines are less than a few points apart. */
static void add_window(struct line *l, const struct zone *part)
{
	const struct crossing_pair *p = l->p;
	double from = (double)part->from, to = (double)part->to;
	double a[2] = {points(l, &p->a, true, from), points(l, &p->a, true, to)};
	double b[2] = {points(l, &p->b, l->both, from), points(l, &p->b, l->both, to)};
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

/* Where both have no weight for a factor, and will not get one, it does not tell them apart. */
static bool same_values(const struct line *l)
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

static bool are_twins(const struct line *l)
{
	const struct crossing_job *a = &l->p->a, *b = &l->p->b;

	return l->both && a->job->adjust == b->job->adjust && a->job->points == b->job->points &&
	       same_values(l) && same_weights(&a->weights, &b->weights) &&
	       are_equal(&a->creds.qt_weight, &b->creds.qt_weight, 1) &&
	       are_equal(&a->creds.xf_weight, &b->creds.xf_weight, 1);
}

static void find_zones(struct line *l)
{
	struct zone part;

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

/* --- looking outwards --------------------------------------------------------------------------------- */

/* A walk from today's value to an end of what is legal, over zones and what lies between them. */
struct walk {
	const struct line *l;
	int sign;
	int64_t at, end; /* the next value, the last one */
	bool cut;        /* a zone was too large to be looked at whole */
};

static bool is_past(const struct walk *w, int64_t x)
{
	return w->sign > 0 ? x > w->end : x < w->end;
}

/* The zone at w->at or the next one on the way; NULL when none is left. */
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

static bool look(struct walk *w, int64_t x, bool ahead, int64_t *found)
{
	if (is_ahead(w->l, (double)x) != ahead)
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

		if (is_ahead(w->l, (double)middle) == ahead)
			already = middle;
		else
			not_yet = middle;
	}
	*found = already;
	w->at = already + w->sign;
}

static bool look_through(struct walk *w, const struct zone *zone, bool ahead, int64_t *found)
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
		if (is_ahead(w->l, (double)last) == ahead) {
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
		const struct zone *zone = zone_ahead(w);
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

static struct crossing_flip flip(const struct line *l, double now, bool ahead, int sign)
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

void crossing_name(const struct crossing_pair *p, struct config_weight weight, struct str *out)
{
	uint32_t partition = p->a.job->partition;

	if (partition != 0)
		str_addf(out, "partition[%s].",
			 snapshot_string(p->s, snapshot_partitions(p->s)[partition].name));
	str_add(out, config_weight_name(weight));
}

/* Is it the option of a partition's section that sets a weight? */
static bool is_of(const struct option *row, const char *title, const char *partition,
		  struct config_weight weight)
{
	struct config_weight set = config_weight_of(row);

	return strcmp(row->scope, "partition") == 0 && set.kind == weight.kind && set.index == weight.index &&
	       strcmp(title, partition) == 0;
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

/* Does a partition set a weight itself, in the configuration or live? */
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

/* Does job b's partition follow when the option is set? What it sets itself it keeps. */
static bool moves_both(const struct crossing_pair *p, struct config_weight weight)
{
	uint32_t of_a = p->a.job->partition, of_b = p->b.job->partition;

	return of_a == of_b || (of_a == 0 && !has_its_own(p->s, of_b, weight));
}

static void find_range(struct line *l)
{
	const struct option *row =
		option_find(config_rows, config_row_count, "", config_weight_name(l->weight));

	l->lo = (int64_t)fmax(row->min, -CAP_MAX);
	l->hi = (int64_t)fmin(row->max, CAP_MAX);
}

void crossing_find(struct crossing *out, const struct crossing_pair *p, struct config_weight weight)
{
	struct line l = {.p = p, .weight = weight};

	find_range(&l);
	l.both = moves_both(p, weight);
	find_zones(&l);
	out->now = value_of(&p->a.weights, weight);
	out->ahead = is_ahead(&l, out->now);
	out->down = flip(&l, out->now, out->ahead, -1);
	out->up = flip(&l, out->now, out->ahead, 1);
}

void crossing_points(const struct crossing_pair *p, struct config_weight weight, double at,
		     double points_out[2])
{
	struct line l = {.p = p, .weight = weight, .both = moves_both(p, weight)};

	points_out[0] = points(&l, &p->a, true, at);
	points_out[1] = points(&l, &p->b, l.both, at);
}

void crossing_add_flip(const struct crossing_flip *flip, int sign, struct str *out)
{
	if (!flip->found)
		str_add(out, flip->proven ? "never" : "not near by");
	else
		str_addf(out, "%c %" PRId64, sign > 0 ? '>' : '<', flip->at - sign);
	if (flip->found && !flip->to_the_end)
		str_addf(out, ", to %" PRId64, flip->until);
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
		take_nearer(&best, &c, weight);
	}
	return best;
}
