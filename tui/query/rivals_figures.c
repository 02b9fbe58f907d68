/* SPDX-License-Identifier: MIT */
/*
 * rivals_figures.c - where do the numbers come from at which two jobs change places?
 *
 * The edge of an order follows from how far the two are apart and what a unit of the weight brings them
 * nearer, as long as nothing bends on the way; beyond a cap or a bound every value was tried, and that is
 * said.
 */
#include "rivals_figures.h"

#include <inttypes.h>
#include <math.h>

/* Beyond it the digits of an expression do not tell a whole number from the next. */
#define EXACT_MAX 1e6

#define STRAIGHT 1e-6 /* of how far sums are apart, what rounding may take from it */

static uint32_t number(struct figures *out, const char *name, double value)
{
	return figure_number(out, name, value, NULL);
}

/* One value that is shown: the last at which the order is today's. */
struct edge {
	const struct rival_weight *weight;
	const struct crossing_flip *flip;
	int sign; /* the flip's way: -1 down, 1 up */
	double now[2], half_way[2], there[2];
	struct str title, shown;
};

static void say_edge(struct figures *out, const struct edge *e)
{
	struct str text = {0};

	str_addf(&text,
		 "%s %s: every value near by was tried; at %" PRId64 " they have %" PRId64 " and %" PRId64
		 " points.",
		 str_text(&e->title), str_text(&e->shown), e->flip->at, (int64_t)e->there[0],
		 (int64_t)e->there[1]);
	figure_say(out, str_text(&text));
	str_free(&text);
}

/* Does what lies between the two jobs change evenly on the way, or does a cap or a bound act? */
static bool is_straight(const struct edge *e)
{
	double first = e->now[0] - e->now[1], middle = e->half_way[0] - e->half_way[1];
	double last = e->there[0] - e->there[1];

	return fabs(first + last - 2 * middle) <= STRAIGHT * fmax(1, fmax(fabs(first), fabs(last)));
}

/* today's value - how far they are apart / what a unit of the weight brings them nearer; false: a cap or a
 * bound acts between here and there, or it is too far away. */
static bool add_edge(struct figures *out, const struct edge *e)
{
	double today = e->weight->found.now, apart = e->now[0] - e->now[1];
	double per_unit = (e->there[0] - e->there[1] - apart) / ((double)e->flip->at - today);
	double meet = today - apart / per_unit;
	int64_t shown = e->flip->at - e->sign;
	struct str name = {0};
	uint32_t part;
	int whole = -1;

	if (!isfinite(meet) || fabs(meet) > EXACT_MAX || !is_straight(e))
		return false;
	while (whole <= 1 && !((int64_t)trunc(meet + whole) == shown))
		whole++;
	if (whole > 1)
		return false;
	rival_add_weight_name(e->weight->weight, &name);
	part = figure_join(
		out, FIGURE_MINUS, number(out, str_text(&name), today),
		figure_join(out, FIGURE_OVER, number(out, "apart", apart), number(out, "unit", per_unit)));
	if (whole != 0)
		part = figure_join(out, whole > 0 ? FIGURE_PLUS : FIGURE_MINUS, part, number(out, NULL, 1));
	figure_add(out, str_text(&e->title), str_text(&e->shown), part, meet + whole, FIGURE_CUT);
	figure_note(out, "at %" PRId64 " they have %" PRId64 " and %" PRId64 " points", e->flip->at,
		    (int64_t)e->there[0], (int64_t)e->there[1]);
	str_free(&name);
	return true;
}

static void put_edge(struct figures *out, const struct rivals *r, const struct rival *rival,
		     const struct rival_weight *w, int sign)
{
	struct edge e = {.weight = w, .sign = sign};
	char label[JOB_LABEL_TEXT];

	e.flip = sign < 0 ? &w->found.down : &w->found.up;
	if (!e.flip->found)
		return;
	crossing_points(&rival->pair, w->weight, w->found.now, e.now);
	crossing_points(&rival->pair, w->weight, (w->found.now + (double)e.flip->at) / 2, e.half_way);
	crossing_points(&rival->pair, w->weight, (double)e.flip->at, e.there);
	str_addf(&e.title, "%s ", snapshot_job_label(r->f->s, rival->pair.b.job, label));
	rival_add_weight_name(w->weight, &e.title);
	str_add(&e.title, sign < 0 ? " <" : " >");
	str_addf(&e.shown, "%" PRId64, e.flip->at - sign);
	if (!add_edge(out, &e))
		say_edge(out, &e);
	str_free(&e.title);
	str_free(&e.shown);
}

static void put_fragile(struct figures *out, const struct rivals *r, const struct rival *rival)
{
	const struct rival_weight *w = &rival->weight[0];
	double percent = rival_change_percent(w), at = w->found.now + percent * fabs(w->found.now) / 100;
	char label[JOB_LABEL_TEXT];
	struct str title = {0}, shown = {0};

	str_addf(&title, "%s fragile", snapshot_job_label(r->f->s, rival->pair.b.job, label));
	str_addf(&shown, "%+.1f%%", percent);
	figure_add_rounded(
		out, str_text(&title), percent, 1,
		figure_join(out, FIGURE_OVER,
			    figure_join(out, FIGURE_TIMES, number(out, NULL, 100),
					figure_join(out, FIGURE_MINUS, number(out, NULL, round(at)),
						    number(out, NULL, w->found.now))),
			    number(out, NULL, fabs(w->found.now))));
	figure_show(out, str_text(&shown));
	str_free(&title);
	str_free(&shown);
}

static void put_gain(struct figures *out, const struct rival_gains *g, enum prio_factor f)
{
	struct str title = {0}, shown = {0};

	str_addf(&title, "%s in 1 h", policy_factor_info(f)->keyword);
	str_addf(&shown, "%+" PRId64, rival_gain(g, f));
	figure_add_rounded(out, str_text(&title), g->after[f] - g->before[f], 0,
			   figure_join(out, FIGURE_MINUS, number(out, "then", g->after[f]),
				       number(out, "now", g->before[f])));
	figure_show(out, str_text(&shown));
	str_free(&title);
	str_free(&shown);
}

static void put_hour(struct figures *out, const struct rivals *r)
{
	const struct job *job = &snapshot_jobs(r->f->s)[r->slot];
	double value = r->now.sum + (job->adjust == JOB_ADJUST_RELATIVE ? (double)job->points : 0);
	uint32_t sum = number(out, "now", value);
	struct rival_gains g;

	rivals_gains(r, &g);
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (rival_gain(&g, f) != 0)
			put_gain(out, &g, f);
		if (g.after[f] - g.before[f] == 0)
			continue;
		sum = figure_join(out, FIGURE_PLUS, sum,
				  number(out, policy_factor_info(f)->keyword, g.after[f] - g.before[f]));
		value += g.after[f] - g.before[f];
	}
	if ((int64_t)value == r->later.rank)
		figure_add_cut(out, "IN 1 H", value, sum);
	else
		figure_say(out, "In an hour: a bound or an operator's priority acts on the sum.");
}

void rivals_figures(struct figures *out, const struct rivals *r)
{
	if (!r->waits)
		return;
	for (enum rival_side side = 0; side < RIVAL_SIDES; side++) {
		const struct rival *rival = &r->at[side];

		if (!rival->exists)
			continue;
		if (rival_is_fragile(rival))
			put_fragile(out, r, rival);
		for (size_t i = 0; i < rival->weights; i++) {
			put_edge(out, r, rival, &rival->weight[i], -1);
			put_edge(out, r, rival, &rival->weight[i], 1);
		}
	}
	put_hour(out, r);
}
