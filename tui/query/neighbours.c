/* SPDX-License-Identifier: MIT */
/*
 * neighbours.c - neighbours of a job in the queue, and the weights at which they change places
 *
 * The factors of a pair of jobs are measured once; crossover.h then evaluates each weight in use with the
 * code that orders the queue. The priorities in one hour are computed with the current fairshare usage; they
 * differ from the current priorities only by the additional queue time.
 */
#include "neighbours.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/draw/text.h"
#include "tui/report/priority_report.h"

/* --- neighbours of a job in the queue, and the weights at which they change places -------------------- */

#define HOUR_S INT64_C(3600)

/* --- finding -------------------------------------------------------------------------------------------- */

/* Can both jobs wait for the same node? Jobs of different partitions cannot. */
static bool may_compete(const struct job *a, const struct job *b)
{
	return a->partition == 0 || b->partition == 0 || a->partition == b->partition;
}

/*
 * Returns the distance of the value `at` of a weight from its current value, relative to the current value.
 */
static double neighbour_distance(const struct crossover *c, int64_t at)
{
	return fabs((double)at - c->now) / fabs(c->now);
}

static double nearness(const struct crossover *c)
{
	return fmin(c->down.found ? neighbour_distance(c, c->down.at) : INFINITY,
		    c->up.found ? neighbour_distance(c, c->up.at) : INFINITY);
}

static int compare_weights(const void *a, const void *b)
{
	const struct neighbour_weight *x = a, *y = b;

	if (x->nearest < y->nearest || x->nearest > y->nearest)
		return x->nearest < y->nearest ? -1 : 1;
	if (x->weight.kind != y->weight.kind)
		return x->weight.kind > y->weight.kind ? -1 : 1;
	return (x->weight.index > y->weight.index) - (x->weight.index < y->weight.index);
}

/*
 * Is the weight shown? A component weight is not shown if only one of its factors is in use, because the
 * factor weight has the same effect.
 */
static bool is_worth_telling(const struct prio_weights *w, struct config_weight weight)
{
	unsigned used = 0;

	if (!crossover_in_use(w, weight))
		return false;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		used += w->factor[f] != 0 && policy_factor_info(f)->component == weight.index;
	return weight.kind == FACTOR_WEIGHT || used > 1;
}

/*
 * Are both priorities at the same bound, the lower or the upper one, for this value of the weight? Then
 * submission time decides the order, and the weight has no effect.
 */
static bool are_at_bound(const struct crossover_pair *p, struct config_weight weight, int64_t at)
{
	double points[2];

	crossover_points(p, weight, (double)at, points);
	return (points[0] == PRIO_FLOOR || points[0] == PRIO_MAX) && points[0] == points[1];
}

/*
 * If the priorities are at a bound at the value of the flip, moves the flip to the nearest value at which
 * they differ.
 */
static void leave_bound(const struct crossover_pair *p, struct config_weight weight,
			struct crossover_flip *flip)
{
	int64_t above = flip->until;

	if (!flip->found || !are_at_bound(p, weight, flip->at))
		return;
	flip->found = !are_at_bound(p, weight, above);
	while (flip->found && llabs(above - flip->at) > 1) {
		int64_t middle = flip->at + (above - flip->at) / 2;

		if (are_at_bound(p, weight, middle))
			flip->at = middle;
		else
			above = middle;
	}
	flip->at = above;
}

static void find_weights(struct neighbour *r)
{
	r->weights = 0;
	for (unsigned i = 0; i < NEIGHBOUR_WEIGHTS; i++) {
		struct neighbour_weight *one = &r->weight[r->weights];

		one->weight = (struct config_weight){
			.kind = i < PRIO_FACTOR_COUNT ? FACTOR_WEIGHT : COMPONENT_WEIGHT,
			.index = i < PRIO_FACTOR_COUNT ? i : i - PRIO_FACTOR_COUNT,
		};
		if (!is_worth_telling(&r->pair.a.weights, one->weight))
			continue;
		crossover_find(&one->found, &r->pair, one->weight);
		leave_bound(&r->pair, one->weight, &one->found.down);
		leave_bound(&r->pair, one->weight, &one->found.up);
		one->nearest = nearness(&one->found);
		r->weights++;
	}
	qsort(r->weight, r->weights, sizeof r->weight[0], compare_weights);
}

/* Returns the next competing job above or below the given one; INDEX_NONE if there is none. */
static uint32_t next_on(const struct forecast *f, uint32_t slot, enum neighbour_side side)
{
	const struct queue *q = &f->plan.queue;
	const struct job *job = snapshot_jobs(f->s);
	uint32_t at = f->place[slot] - 1;

	while (side == NEIGHBOUR_BELOW ? at + 1 < q->idle_count : at > 0) {
		at += side == NEIGHBOUR_BELOW ? 1 : UINT32_MAX;
		if (may_compete(&job[slot], &job[q->idle[at].slot]))
			return q->idle[at].slot;
	}
	return INDEX_NONE;
}

static void find_neighbour(struct neighbours *r, enum neighbour_side side)
{
	const struct forecast *f = r->f;
	struct neighbour *one = &r->at[side];
	struct prio_result now, later;

	one->slot = next_on(f, r->slot, side);
	one->exists = one->slot != INDEX_NONE;
	if (!one->exists)
		return;
	crossover_measure(&one->pair, f->s, r->slot, one->slot, f->plan.now_s, &f->plan.queue.shares);
	find_weights(one);
	forecast_priority(f, one->pair.b.job, &now);
	one->tied = now.rank == r->now.rank;
	queue_priority(f->s, one->pair.b.job, f->plan.now_s + HOUR_S, &f->plan.queue.shares, &later);
	r->later_rank[side] = later.rank;
}

void neighbours_find(struct neighbours *out, const struct forecast *f, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];

	out->f = f;
	out->slot = slot;
	out->waits = f->place[slot] != 0;
	if (!out->waits)
		return;
	forecast_priority(f, job, &out->now);
	queue_priority(f->s, job, f->plan.now_s + HOUR_S, &f->plan.queue.shares, &out->later);
	find_neighbour(out, NEIGHBOUR_BELOW);
	find_neighbour(out, NEIGHBOUR_ABOVE);
}

/* --- results ----------------------------------------------------------------------------------------------
 */

/* Appends the short name of a weight, such as "xfactor": the option name without the suffix "weight". */
static void neighbour_add_weight_name(struct config_weight weight, struct str *out)
{
	const char *name = config_weight_name(weight);

	str_add_bytes(out, name, strlen(name) - strlen("weight"));
}

/*
 * Returns the smallest change of the weight that swaps the jobs, in percent with its sign. At least one of
 * the flips `up` and `down` must have been found.
 */
static double neighbour_change_percent(const struct neighbour_weight *w)
{
	const struct crossover_flip *up = &w->found.up, *down = &w->found.down;
	double now = w->found.now;
	bool is_up =
		up->found && (!down->found || fabs((double)up->at - now) <= fabs((double)down->at - now));

	return 100 * ((double)(is_up ? up->at : down->at) - now) / fabs(now);
}

/* Does a change of one weight by NEIGHBOUR_FRAGILE or less swap the jobs? */
static bool neighbour_is_fragile(const struct neighbour *r)
{
	return r->weights > 0 && r->weight[0].nearest <= NEIGHBOUR_FRAGILE;
}

static void neighbours_gains(const struct neighbours *r, struct neighbour_gains *out)
{
	const struct prio_weights *w = snapshot_job_weights(r->f->s, &snapshot_jobs(r->f->s)[r->slot]);

	formula_points(w, &r->now, out->before);
	formula_points(w, &r->later, out->after);
}

/* Returns the change of a factor's points in one hour, rounded to an integer. */
static int64_t neighbour_gain(const struct neighbour_gains *g, enum prio_factor f)
{
	return llround(g->after[f] - g->before[f]);
}

/* --- neighbours in one line --------------------------------------------------------------------------- */

/*
 * The weights for which the smallest changes suffice come first, so that a narrow screen cuts off the least
 * important ones.
 */

/*
 * Changes of a weight by more than this multiple of its value are shown only if no smaller change swaps the
 * jobs.
 */
#define FAR 100

/* --- pieces --------------------------------------------------------------------------------------------- */

/*
 * A line that is composed of pieces with a separator: as many as fit, followed by the number of items left
 * out.
 */
struct fitting {
	struct str *out;
	int room;
	const char *between;
	size_t left_out;
	bool any;
};

/* Appends a piece if it fits. counts: number of items in the piece; behind: number of items after it. */
static void fit(struct fitting *f, const char *piece, size_t counts, size_t behind)
{
	int needed = text_width(piece) + (f->any ? text_width(f->between) : 0);
	int tail = behind == 0 ? 0 : (int)strlen(f->between) + (int)strlen("+9 more") + (behind > 9);

	if (f->left_out > 0 || text_width(str_text(f->out)) + needed + tail > f->room) {
		f->left_out += counts;
		return;
	}
	str_addf(f->out, "%s%s", f->any ? f->between : "", piece);
	f->any = true;
}

static void end_fitting(const struct fitting *f)
{
	if (f->left_out > 0)
		str_addf(f->out, "%s+%zu more", f->any ? f->between : "", f->left_out);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

/* Was the flip found, and is it close enough to be shown? */
static bool is_told(const struct neighbour_weight *w, const struct crossover_flip *flip)
{
	return flip->found && (neighbour_distance(&w->found, flip->at) <= w->nearest ||
			       neighbour_distance(&w->found, flip->at) < FAR);
}

/*
 * Appends the values at which the order changes: "< 143", or "-3..142" if the order changes back at a nearby
 * value.
 */
static void add_flip(const struct neighbour_weight *w, const struct crossover_flip *flip, int sign,
		     struct str *out)
{
	struct crossover_flip told = *flip;

	told.to_the_end = told.to_the_end || neighbour_distance(&w->found, flip->until) >= FAR;
	crossover_add_flip(&told, sign, out);
}

/* Appends a weight with its values, such as "xfactor < 143 or > 900 (fragile: -4.7%)". */
static void add_weight(const struct neighbour_weight *w, struct str *out)
{
	bool down = is_told(w, &w->found.down), up = is_told(w, &w->found.up);

	neighbour_add_weight_name(w->weight, out);
	str_add_char(out, ' ');
	if (!down && !up)
		str_add(out, w->found.up.hidden ? "(value unknown)" : "(no nearby value)");
	if (down)
		add_flip(w, &w->found.down, -1, out);
	if (down && up)
		str_add(out, " or ");
	if (up)
		add_flip(w, &w->found.up, 1, out);
	if (w->nearest <= NEIGHBOUR_FRAGILE)
		str_addf(out, " (fragile: %+.1f%%)", neighbour_change_percent(w));
}

static bool is_never(const struct neighbour_weight *w)
{
	return !w->found.down.found && !w->found.up.found && w->found.down.proven && w->found.up.proven;
}

static void add_weights(const struct neighbour *r, struct fitting *fitting)
{
	struct str piece = {0}, never = {0};
	size_t nevers = 0, told = 0;

	for (size_t i = 0; i < r->weights; i++)
		nevers += is_never(&r->weight[i]);
	for (size_t i = 0; i < r->weights; i++) {
		if (is_never(&r->weight[i])) {
			str_add(&never, never.len > 0 ? " " : "never by ");
			neighbour_add_weight_name(r->weight[i].weight, &never);
			continue;
		}
		str_clear(&piece);
		add_weight(&r->weight[i], &piece);
		fit(fitting, str_text(&piece), 1, r->weights - ++told);
	}
	if (nevers > 0)
		fit(fitting, str_text(&never), nevers, 0);
	if (r->weights == 0)
		fit(fitting, "never: no weight is in use", 1, 0);
	str_free(&piece);
	str_free(&never);
}

/* Returns the reason why the tied neighbour is above or below the job. */
static const char *tie_break(const struct neighbour *r, enum neighbour_side side)
{
	if (r->pair.a.job->submit_s != r->pair.b.job->submit_s)
		return side == NEIGHBOUR_BELOW ? "submitted later" : "submitted first";
	return side == NEIGHBOUR_BELOW ? "which has a higher ID" : "which has a lower ID";
}

/* Appends the beginning of the line, such as "Tied with 1223, submitted first; passes if: ". */
static void add_lead(const struct neighbours *r, enum neighbour_side side, struct str *out)
{
	static const char *const verb[][2] = {{"Swaps with", "swaps"}, {"Passes", "passes"}};
	const struct neighbour *neighbour = &r->at[side];
	const struct snapshot *s = r->f->s;
	uint32_t partition = neighbour->pair.a.job->partition;
	char buf[JOB_LABEL_TEXT];
	const char *label = snapshot_job_label(s, neighbour->pair.b.job, buf);

	if (neighbour->tied)
		str_addf(out, "Tied with %s, %s; %s if", label, tie_break(neighbour, side), verb[side][1]);
	else
		str_addf(out, "%s %s if", verb[side][0], label);
	if (partition != 0)
		str_addf(out, " of partition %s", snapshot_string(s, snapshot_partitions(s)[partition].name));
	str_add(out, ": ");
}

enum role neighbours_line(const struct neighbours *r, enum neighbour_side side, int width, struct str *out)
{
	const struct neighbour *neighbour = &r->at[side];
	struct fitting fitting = {.out = out, .room = width, .between = " | "};

	if (!neighbour->exists) {
		str_add(out, side == NEIGHBOUR_BELOW ? "No competing job below this job."
						     : "This job is already first.");
		return ROLE_DIM;
	}
	add_lead(r, side, out);
	add_weights(neighbour, &fitting);
	end_fitting(&fitting);
	return neighbour->tied || neighbour_is_fragile(neighbour) ? ROLE_WARNING : ROLE_TEXT;
}

/* --- one hour later ------------------------------------------------------------------------------------- */

static bool is_ahead_later(const struct neighbours *r, enum neighbour_side side)
{
	int64_t other = r->later_rank[side];

	return r->later.rank != other ? r->later.rank > other : side == NEIGHBOUR_BELOW;
}

static void add_later_place(const struct neighbours *r, struct str *out)
{
	char buf[JOB_LABEL_TEXT];
	enum neighbour_side side = NEIGHBOUR_ABOVE;

	if (r->at[NEIGHBOUR_BELOW].exists && !is_ahead_later(r, NEIGHBOUR_BELOW)) {
		str_addf(out, "; by then %s is ahead",
			 snapshot_job_label(r->f->s, r->at[NEIGHBOUR_BELOW].pair.b.job, buf));
		return;
	}
	if (!r->at[side].exists) {
		str_add(out, "; already first");
		return;
	}
	str_addf(out, is_ahead_later(r, side) ? "; by then ahead of %s" : "; still behind %s",
		 snapshot_job_label(r->f->s, r->at[side].pair.b.job, buf));
}

void neighbours_hour_line(const struct neighbours *r, int width, struct str *out)
{
	struct fitting fitting = {.out = out, .between = ", "};
	struct str piece = {0}, place = {0};
	struct neighbour_gains g;
	size_t gains = 0, told = 0;

	neighbours_gains(r, &g);
	add_later_place(r, &place);
	str_addf(out, "In 1 h: %" PRId64 " -> %" PRId64 " (", r->now.rank, r->later.rank);
	fitting.room = width - text_width(str_text(&place)) - 1;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		gains += neighbour_gain(&g, f) != 0;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (neighbour_gain(&g, f) == 0)
			continue;
		str_clear(&piece);
		str_addf(&piece, "%s %+" PRId64, policy_factor_info(f)->keyword, neighbour_gain(&g, f));
		fit(&fitting, str_text(&piece), 1, gains - ++told);
	}
	if (gains == 0)
		str_add(out, "no change");
	end_fitting(&fitting);
	str_addf(out, ")%s", str_text(&place));
	str_free(&piece);
	str_free(&place);
}

/* --- figures of the neighbours ------------------------------------------------------------------------ */

/*
 * If the priorities depend linearly on a weight, the value at which the order changes follows from their
 * difference and the change of this difference per unit of the weight. If a cap or a bound applies, the value
 * was found by trying all nearby values, and the text says so.
 */

/* Largest value up to which the displayed digits distinguish integers. */
#define EXACT_MAX 1e6

#define STRAIGHT 1e-6 /* tolerance for rounding errors of the sums, relative */

static uint32_t number(struct figures *out, const char *name, double value)
{
	return figure_number(out, name, value, NULL);
}

/*
 * The last value of a weight that keeps the current order, with the points of both jobs at three values: now,
 * half way and at the flip.
 */
struct edge {
	const struct neighbour_weight *weight;
	const struct crossover_flip *flip;
	int sign; /* direction of the flip: -1 down, 1 up */
	double now[2], half_way[2], there[2];
	struct str title, shown;
};

static void say_edge(struct figures *out, const struct edge *e)
{
	struct str text = {0};

	str_addf(&text,
		 "%s %s: found by trying all nearby values; at %" PRId64 " the two jobs have %" PRId64
		 " and %" PRId64 " points.",
		 str_text(&e->title), str_text(&e->shown), e->flip->at, (int64_t)e->there[0],
		 (int64_t)e->there[1]);
	figure_say(out, str_text(&text));
	str_free(&text);
}

/* Does the difference of the priorities change linearly up to the flip, without a cap or a bound? */
static bool is_straight(const struct edge *e)
{
	double first = e->now[0] - e->now[1], middle = e->half_way[0] - e->half_way[1];
	double last = e->there[0] - e->there[1];

	return fabs(first + last - 2 * middle) <= STRAIGHT * fmax(1, fmax(fabs(first), fabs(last)));
}

/*
 * Appends the figure: current value - difference / change per unit. Returns false if a cap or a bound applies
 * in between, or if the value is too large.
 */
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
	neighbour_add_weight_name(e->weight->weight, &name);
	part = figure_join(
		out, FIGURE_MINUS, number(out, str_text(&name), today),
		figure_join(out, FIGURE_OVER, number(out, "apart", apart), number(out, "unit", per_unit)));
	if (whole != 0)
		part = figure_join(out, whole > 0 ? FIGURE_PLUS : FIGURE_MINUS, part, number(out, NULL, 1));
	figure_add(out, str_text(&e->title), str_text(&e->shown), part, meet + whole, FIGURE_CUT);
	figure_note(out, "at %" PRId64 " the two jobs have %" PRId64 " and %" PRId64 " points", e->flip->at,
		    (int64_t)e->there[0], (int64_t)e->there[1]);
	str_free(&name);
	return true;
}

static void put_edge(struct figures *out, const struct neighbours *r, const struct neighbour *neighbour,
		     const struct neighbour_weight *w, int sign)
{
	struct edge e = {.weight = w, .sign = sign};
	char label[JOB_LABEL_TEXT];

	e.flip = sign < 0 ? &w->found.down : &w->found.up;
	if (!e.flip->found)
		return;
	crossover_points(&neighbour->pair, w->weight, w->found.now, e.now);
	crossover_points(&neighbour->pair, w->weight, (w->found.now + (double)e.flip->at) / 2, e.half_way);
	crossover_points(&neighbour->pair, w->weight, (double)e.flip->at, e.there);
	str_addf(&e.title, "%s ", snapshot_job_label(r->f->s, neighbour->pair.b.job, label));
	neighbour_add_weight_name(w->weight, &e.title);
	str_add(&e.title, sign < 0 ? " <" : " >");
	str_addf(&e.shown, "%" PRId64, e.flip->at - sign);
	if (!add_edge(out, &e))
		say_edge(out, &e);
	str_free(&e.title);
	str_free(&e.shown);
}

static void put_fragile(struct figures *out, const struct neighbours *r, const struct neighbour *neighbour)
{
	const struct neighbour_weight *w = &neighbour->weight[0];
	double percent = neighbour_change_percent(w), at = w->found.now + percent * fabs(w->found.now) / 100;
	char label[JOB_LABEL_TEXT];
	struct str title = {0}, shown = {0};

	str_addf(&title, "%s fragile", snapshot_job_label(r->f->s, neighbour->pair.b.job, label));
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

static void put_gain(struct figures *out, const struct neighbour_gains *g, enum prio_factor f)
{
	struct str title = {0}, shown = {0};

	str_addf(&title, "%s in 1 h", policy_factor_info(f)->keyword);
	str_addf(&shown, "%+" PRId64, neighbour_gain(g, f));
	figure_add_rounded(out, str_text(&title), g->after[f] - g->before[f], 0,
			   figure_join(out, FIGURE_MINUS, number(out, "then", g->after[f]),
				       number(out, "now", g->before[f])));
	figure_show(out, str_text(&shown));
	str_free(&title);
	str_free(&shown);
}

static void put_hour(struct figures *out, const struct neighbours *r)
{
	const struct job *job = &snapshot_jobs(r->f->s)[r->slot];
	double value = r->now.sum + (job->adjust == JOB_ADJUST_RELATIVE ? (double)job->points : 0);
	uint32_t sum = number(out, "now", value);
	struct neighbour_gains g;

	neighbours_gains(r, &g);
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (neighbour_gain(&g, f) != 0)
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
		figure_say(out, "In 1 hour, a bound or an operator's priority changes the sum.");
}

void neighbours_figures(struct figures *out, const struct neighbours *r)
{
	if (!r->waits)
		return;
	for (enum neighbour_side side = 0; side < NEIGHBOUR_SIDES; side++) {
		const struct neighbour *neighbour = &r->at[side];

		if (!neighbour->exists)
			continue;
		if (neighbour_is_fragile(neighbour))
			put_fragile(out, r, neighbour);
		for (size_t i = 0; i < neighbour->weights; i++) {
			put_edge(out, r, neighbour, &neighbour->weight[i], -1);
			put_edge(out, r, neighbour, &neighbour->weight[i], 1);
		}
	}
	put_hour(out, r);
}
