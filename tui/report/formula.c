/* SPDX-License-Identifier: MIT */
/*
 * formula.c - where does the priority of a job come from?
 *
 * In one line a factor is its measured value; in a line of its own it is taken apart
 * (breakdown.h).
 */
#include "formula.h"

#include <math.h>
#include <stdio.h>

#include "breakdown.h"
#include "formula_number.h"
#include "origin.h"
#include "sched/config/config.h"

void formula_points(const struct prio_weights *w, const struct prio_result *r,
		    double points[static PRIO_FACTOR_COUNT])
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		enum prio_component component = policy_factor_info(f)->component;
		double inside = breakdown_inside(r, component), cap = w->component_cap[component];

		points[f] = w->component[component] * r->weighted[f] + 0.0;
		if (cap > 0 && inside > cap)
			points[f] = points[f] * cap / inside;
	}
}

/* --- one line ------------------------------------------------------------------------- */

static uint32_t plain(const struct breakdown *b, double value)
{
	return figure_number(b->out, NULL, value, NULL);
}

/* The sum as the scheduler bounds it, with what an operator has done to it. */
static uint32_t rank_part(const struct breakdown *b)
{
	uint32_t sum = FIGURE_NONE;

	if (b->job->adjust == JOB_ADJUST_ABSOLUTE)
		return figure_join(
			b->out, FIGURE_PLUS, plain(b, PRIO_MAX),
			figure_remark(b->out, plain(b, (double)b->job->points), "set by an operator"));
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		sum = figure_join(b->out, FIGURE_PLUS, sum, breakdown_component(b, c));
	if (sum == FIGURE_NONE)
		sum = plain(b, 0);
	if (b->r.bounded)
		sum = figure_join(b->out, b->r.sum < PRIO_FLOOR ? FIGURE_MOST : FIGURE_LEAST, sum,
				  plain(b, b->r.sum < PRIO_FLOOR ? PRIO_FLOOR : PRIO_MAX));
	if (b->job->adjust == JOB_ADJUST_RELATIVE)
		sum = figure_join(
			b->out, FIGURE_PLUS, sum,
			figure_remark(b->out, plain(b, (double)b->job->points), "relative priority"));
	return sum;
}

/* What the parts give, before it is cut. */
static double rank_value(const struct breakdown *b)
{
	double sum = b->r.sum;

	if (b->job->adjust == JOB_ADJUST_ABSOLUTE)
		return (double)b->r.rank;
	if (b->r.bounded)
		sum = sum < PRIO_FLOOR ? PRIO_FLOOR : PRIO_MAX;
	return b->job->adjust == JOB_ADJUST_RELATIVE ? sum + (double)b->job->points : sum;
}

void formula_sum(struct figures *out, const struct forecast *f, const struct job *job, const char *title)
{
	struct breakdown b = breakdown_of(out, f, job);

	figure_add_cut(out, title, rank_value(&b), rank_part(&b));
}

void formula_line(const struct forecast *f, const struct job *job, struct str *out)
{
	struct figures one = {0};

	figures_clear(&one, f->plan.now_s);
	formula_sum(&one, f, job, NULL);
	str_addf(out, "%s = ", figure_word(&one, one.item[0].shown));
	figure_expression(&one, &one.item[0], out);
	figures_free(&one);
}

/* --- factor by factor ------------------------------------------------------------------- */

/* The line of a weight or a cap: in the section of the job's partition, else at the top. */
static void note_option(const struct breakdown *b, const char *option)
{
	struct str name = {0}, place = {0};
	uint64_t entry = 0;
	bool is_found = false;

	if (b->job->partition != 0) {
		str_addf(&name, "partition[%s].%s",
			 snapshot_string(b->f->s, snapshot_partitions(b->f->s)[b->job->partition].name),
			 option);
		is_found = origin_find(b->f->s, str_text(&name), &place, &entry);
	}
	if (!is_found) {
		str_clear(&name);
		str_clear(&place);
		str_add(&name, option);
		(void)origin_find(b->f->s, option, &place, &entry);
	}
	figure_note_origin(b->out, str_text(&name), str_text(&place), entry);
	str_free(&name);
	str_free(&place);
}

static void note_weight(const struct breakdown *b, unsigned kind, unsigned index)
{
	note_option(b, config_weight_name((struct config_weight){.kind = kind, .index = index}));
}

/* The credential's own priority, else DEFAULT's; a QOS has none but its own (snapshot_job.c). */
static void note_cred(const struct breakdown *b, enum prio_factor f)
{
	enum cred_type type = (enum cred_type)(f - PRIO_CRED_USER);
	uint32_t cred = b->job->cred[type];
	char name[CONFIG_TITLE + 24];

	if (cred == INDEX_NONE || (snapshot_creds(b->f->s)[cred].attr.priority == 0 && type != CRED_QOS))
		cred = type;
	snprintf(name, sizeof name, "%s[%s].priority", cred_type_name(type),
		 snapshot_string(b->f->s, snapshot_creds(b->f->s)[cred].name));
	note_option(b, name);
}

static void note_factor(const struct breakdown *b, enum prio_factor f)
{
	if (b->w->factor[f] != 0)
		note_weight(b, FACTOR_WEIGHT, f);
	if (b->r.capped[f] < b->r.value[f])
		note_weight(b, FACTOR_CAP, f);
	if (breakdown_qos_weight(b, f) != 0)
		figure_note(b->out, "%swith what the QOS adds", b->w->factor[f] != 0 ? ", " : "");
	if (f <= PRIO_CRED_CLASS)
		note_cred(b, f);
}

/* Points of a factor: its share of its component's, which a cap may have made smaller. */
static uint32_t points_part(const struct breakdown *b, enum prio_factor f, bool apart)
{
	enum prio_component component = policy_factor_info(f)->component;
	uint32_t part = breakdown_factor(b, f, apart);

	if (b->w->component[component] != 1)
		part = figure_join(b->out, FIGURE_TIMES,
				   figure_number(b->out, policy_component_name(component),
						 b->w->component[component], NULL),
				   part);
	if (breakdown_cap_acts(b, component))
		part = figure_join(
			b->out, FIGURE_OVER,
			figure_join(b->out, FIGURE_TIMES, part,
				    figure_number(b->out, "cap", b->w->component_cap[component], NULL)),
			figure_number(b->out, "all", breakdown_inside(&b->r, component), NULL));
	return part;
}

static void put_percent(const struct breakdown *b, const double points[static PRIO_FACTOR_COUNT],
			enum prio_factor f)
{
	uint32_t sum = FIGURE_NONE;
	double total = 0, percent;
	struct str shown = {0};

	for (enum prio_factor i = 0; i < PRIO_FACTOR_COUNT; i++) {
		total += fabs(points[i]);
		if (points[i] != 0)
			sum = figure_join(
				b->out, FIGURE_PLUS, sum,
				figure_number(b->out, policy_factor_info(i)->keyword, fabs(points[i]), NULL));
	}
	percent = total > 0 ? points[f] * 100 / total : 0;
	formula_fixed(&shown, percent);
	str_add_char(&shown, '%');
	figure_add_rounded(
		b->out, policy_factor_info(f)->column, percent, 2,
		total > 0 ? figure_join(b->out, FIGURE_OVER,
					figure_join(b->out, FIGURE_TIMES, plain(b, 100), plain(b, points[f])),
					sum)
			  : plain(b, 0));
	figure_show(b->out, str_text(&shown));
	str_free(&shown);
}

static void put_component(const struct breakdown *b, enum prio_component component)
{
	bool is_weighed = b->w->component[component] != 1;
	struct str shown = {0};

	if (!is_weighed && !breakdown_cap_acts(b, component))
		return;
	formula_number(&shown, b->r.component[component]);
	figure_add_rounded(b->out, policy_component_name(component), b->r.component[component], 2,
			   breakdown_component(b, component));
	figure_show(b->out, str_text(&shown));
	str_free(&shown);
	if (is_weighed)
		note_weight(b, COMPONENT_WEIGHT, component);
	if (breakdown_cap_acts(b, component))
		note_weight(b, COMPONENT_CAP, component);
}

static void put_measured(const struct breakdown *b, enum prio_factor f)
{
	struct str shown = {0};

	formula_number(&shown, b->r.capped[f]);
	figure_add_rounded(b->out, policy_factor_info(f)->keyword, b->r.capped[f], 2,
			   breakdown_value(b, f, true));
	figure_show(b->out, str_text(&shown));
	str_free(&shown);
}

static void put_factor(const struct breakdown *b, const double points[static PRIO_FACTOR_COUNT],
		       enum prio_factor f, enum formula_form form)
{
	if (form == FORMULA_PERCENT)
		put_percent(b, points, f);
	else
		figure_add_cut(b->out, policy_factor_info(f)->column, points[f],
			       points_part(b, f, form == FORMULA_POINTS));
	note_factor(b, f);
	if (form == FORMULA_MEASURED)
		put_measured(b, f);
}

static bool some_qos_weighs(const struct snapshot *s, enum prio_factor f)
{
	const struct cred *cred = snapshot_creds(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++)
		if ((f == PRIO_SERV_QUEUETIME && cred[i].attr.qt_weight != 0) ||
		    (f == PRIO_SERV_XFACTOR && cred[i].attr.xf_weight != 0))
			return true;
	return false;
}

/* It gives this job nothing, but others: it has a weight, or some QOS gives it one. */
static bool may_count(const struct breakdown *b, enum prio_factor f)
{
	const struct prio_weights *w = &b->f->s->policy.weights;

	return w->factor[f] * w->component[policy_factor_info(f)->component] != 0 ||
	       some_qos_weighs(b->f->s, f);
}

void formula_factors(struct figures *out, const struct forecast *f, const struct job *job,
		     enum formula_form form)
{
	struct breakdown b = breakdown_of(out, f, job);
	double points[PRIO_FACTOR_COUNT];

	formula_points(b.w, &b.r, points);
	for (enum prio_factor i = 0; i < PRIO_FACTOR_COUNT; i++)
		if (points[i] != 0)
			put_factor(&b, points, i, form);
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		if (breakdown_component(&b, c) != FIGURE_NONE)
			put_component(&b, c);
}

void formula_idle_factors(struct figures *out, const struct forecast *f, const struct job *job,
			  enum formula_form form)
{
	struct breakdown b = breakdown_of(out, f, job);
	double points[PRIO_FACTOR_COUNT];

	formula_points(b.w, &b.r, points);
	for (enum prio_factor i = 0; i < PRIO_FACTOR_COUNT; i++)
		if (points[i] == 0 && may_count(&b, i))
			put_factor(&b, points, i, form);
}

void formula_xfactor(struct figures *out, const struct forecast *f, const struct job *job)
{
	struct breakdown b = breakdown_of(out, f, job);

	figure_add_rounded(out, "XF", b.r.value[PRIO_SERV_XFACTOR], 2,
			   breakdown_measured(&b, PRIO_SERV_XFACTOR));
}
