/* SPDX-License-Identifier: MIT */
/*
 * formula.c - where does the priority of a job come from?
 *
 * Read off the same struct prio_result that ranks the job; nothing is computed again but the
 * measuring of what is written down to seconds and processors. In one line a factor is its
 * measured value; in a line of its own it is taken apart.
 */
#include "formula.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sched/core/config.h"
#include "tui/origin.h"

#define SEEN_POINTS 0.05 /* values have the digits that move this much */

void formula_fixed(struct str *out, double value)
{
	int64_t hundredths;

	if (fabs(value) >= 1e15) {
		str_addf(out, "%.0f", value);
		return;
	}
	hundredths = llround(fabs(value) * 100);
	str_addf(out, "%s%" PRId64 ".%02" PRId64, value < 0 && hundredths > 0 ? "-" : "", hundredths / 100,
		 hundredths % 100);
}

/* 0.00001 rather than 1e-05. */
static void add_small(struct str *out, double value)
{
	int64_t parts = llround(fabs(value) * 1e9);

	if (parts < 1000)
		str_add_real(out, value);
	else
		str_addf(out, "%s0.%09" PRId64, value < 0 ? "-" : "", parts);
}

void formula_number(struct str *out, double value)
{
	struct str text = {0};
	size_t len;

	if (value != 0 && fabs(value) < 0.1)
		add_small(&text, value);
	else
		formula_fixed(&text, value);
	len = text.len;
	if (strchr(text.data, '.') && !strchr(text.data, 'e')) {
		while (text.data[len - 1] == '0')
			len--;
		len -= text.data[len - 1] == '.';
	}
	str_add_bytes(out, text.data, len);
	str_free(&text);
}

int formula_digits(double value, double weight, double error)
{
	double unit = 100;
	int digits = 2;

	while (digits < 6 && fabs(weight * (round(value * unit) / unit - value)) >= error) {
		unit *= 10;
		digits++;
	}
	return fabs(value) < 1e9 ? digits : 2;
}

void formula_factor(struct str *out, double value, double weight, double error)
{
	int digits = formula_digits(value, weight, error);
	double unit = pow(10, digits);

	if (digits > 2)
		str_add_real(out, round(value * unit) / unit);
	else
		formula_number(out, value);
}

/* --- points ---------------------------------------------------------------------------- */

static double sum_inside(const struct prio_result *r, enum prio_component component)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == component)
			sum += r->weighted[f];
	return sum;
}

void formula_points(const struct prio_weights *w, const struct prio_result *r,
		    double points[static PRIO_FACTOR_COUNT])
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		enum prio_component component = policy_factor_info(f)->component;
		double inside = sum_inside(r, component), cap = w->component_cap[component];

		points[f] = w->component[component] * r->weighted[f] + 0.0;
		if (cap > 0 && inside > cap)
			points[f] = points[f] * cap / inside;
	}
}

/* Does it give any points? Also by the weight of a QOS alone. */
static bool counts(const struct prio_weights *w, const struct prio_result *r, enum prio_factor f)
{
	return r->weighted[f] != 0 && w->component[policy_factor_info(f)->component] != 0;
}

/* --- parts ----------------------------------------------------------------------------- */

/* What everything below looks at. */
struct breakdown {
	struct figures *out;
	const struct forecast *f;
	const struct job *job;
	const struct prio_weights *w;
	struct prio_creds creds;
	struct prio_result r;
};

static struct breakdown breakdown_of(struct figures *out, const struct forecast *f, const struct job *job)
{
	struct breakdown b = {.out = out, .f = f, .job = job, .w = snapshot_job_weights(f->s, job)};

	snapshot_job_creds(f->s, job, &b.creds);
	forecast_priority(f, job, &b.r);
	return b;
}

/* What the job's QOS adds to a weight (P-52, P-60). */
static double qos_weight(const struct breakdown *b, enum prio_factor f)
{
	if (f == PRIO_SERV_QUEUETIME)
		return b->creds.qt_weight;
	return f == PRIO_SERV_XFACTOR ? b->creds.xf_weight : 0;
}

/* Of a factor, through its component. */
static double whole_weight(const struct breakdown *b, enum prio_factor f)
{
	return (b->w->factor[f] + qos_weight(b, f)) *
	       fmax(1, fabs(b->w->component[policy_factor_info(f)->component]));
}

/* "xfactor 150", taken apart "xfactor (100 + qos 50)". */
static uint32_t weight_part(const struct breakdown *b, enum prio_factor f, bool apart)
{
	const char *name = policy_factor_info(f)->keyword;
	double own = b->w->factor[f], added = qos_weight(b, f);

	if (!apart || own == 0 || added == 0)
		return figure_number(b->out, name, own + added, NULL);
	return figure_join(b->out, FIGURE_PLUS, figure_number(b->out, name, own, NULL),
			   figure_number(b->out, "qos", added, NULL));
}

static uint32_t plain(struct figures *out, double value, const char *unit)
{
	return figure_number(out, NULL, value, unit);
}

static uint32_t ratio(struct figures *out, double above, double below, const char *unit)
{
	return figure_join(out, FIGURE_OVER, plain(out, above, unit), plain(out, below, unit));
}

static uint32_t product(struct figures *out, double a, const char *a_unit, double b, const char *b_unit)
{
	return figure_join(out, FIGURE_TIMES, plain(out, a, a_unit), plain(out, b, b_unit));
}

/* 1e8 to the power of the part of the target that is used up, beyond the target 1e8 times that. */
static uint32_t pressure(struct figures *out, uint32_t used, double value)
{
	return figure_join(out, value <= 1e8 ? FIGURE_POWER : FIGURE_TIMES, plain(out, 1e8, NULL), used);
}

uint32_t formula_delta(struct figures *out, const struct fs_share *share, bool as_part)
{
	uint32_t usage = figure_number(out, "usage", share->percent, NULL);
	uint32_t target = figure_number(out, "target", share->target, NULL);
	uint32_t delta = as_part ? figure_join(out, FIGURE_MINUS, plain(out, 1, NULL),
					       figure_join(out, FIGURE_OVER, usage, target))
				 : figure_join(out, FIGURE_MINUS, target, usage);

	if (share->mode == FS_TARGET)
		return delta;
	return figure_join(out, share->mode == FS_FLOOR ? FIGURE_MOST : FIGURE_LEAST, delta,
			   plain(out, 0, NULL));
}

/* The deltas of the job's credentials come from their shares. */
static uint32_t delta_part(const struct breakdown *b, enum prio_factor f)
{
	const struct fairshare *shares = &b->f->plan.queue.shares;
	uint32_t cred = b->job->cred[f - PRIO_FS_USER];

	if (cred >= shares->share_count || shares->share[cred].delta == 0)
		return plain(b->out, b->r.value[f], "%");
	return formula_delta(b->out, &shares->share[cred],
			     fs_is_percent((enum fs_policy)b->f->s->policy.fs_policy));
}

static double wall_of_xfactor(const struct breakdown *b)
{
	return fmax((double)b->job->wall_limit_s, (double)b->f->s->policy.xfactor_min_wall_s);
}

/* What was measured, down to what the job asked for and how long it waits. */
static uint32_t measured_part(const struct breakdown *b, enum prio_factor f)
{
	const struct job *job = b->job;
	struct figures *out = b->out;
	double value = b->r.value[f], wall_s = (double)job->wall_limit_s;
	double queued_s = (double)job_queued_s(job, b->f->plan.now_s);

	switch (f) {
	case PRIO_FS_USER:
	case PRIO_FS_GROUP:
	case PRIO_FS_ACCOUNT:
	case PRIO_FS_QOS:
	case PRIO_FS_CLASS:
		return delta_part(b, f);
	case PRIO_RES_MEM:
		return product(out, job->tasks, "tasks", (double)job->mem_mb, "MB");
	case PRIO_RES_SWAP:
		return product(out, job->tasks, "tasks", (double)job->swap_mb, "MB");
	case PRIO_RES_DISK:
		return product(out, job->tasks, "tasks", (double)job->disk_mb, "MB");
	case PRIO_RES_PS:
		return product(out, (double)job_procs(job), "procs", wall_s, "s");
	case PRIO_SERV_QUEUETIME:
		return ratio(out, queued_s, 60, "s");
	case PRIO_SERV_XFACTOR:
		return figure_join(out, FIGURE_PLUS, plain(out, 1, NULL),
				   ratio(out, queued_s, wall_of_xfactor(b), "s"));
	case PRIO_TARGET_QUEUETIME:
		return pressure(out, ratio(out, queued_s, (double)b->creds.qt_target_s, "s"), value);
	case PRIO_TARGET_XFACTOR:
		return pressure(out, ratio(out, queued_s / wall_of_xfactor(b), b->creds.xf_target - 1, NULL),
				value);
	default:
		return plain(out, value, policy_factor_info(f)->unit);
	}
}

/* "373 min", taken apart "22380 s / 60 s"; with the cap where it acts. */
static uint32_t value_part(const struct breakdown *b, enum prio_factor f, bool apart)
{
	uint32_t value = apart && b->r.value[f] != 0
				 ? measured_part(b, f)
				 : plain(b->out, b->r.value[f], policy_factor_info(f)->unit);

	figure_digits(b->out, value, formula_digits(b->r.value[f], whole_weight(b, f), SEEN_POINTS));
	if (b->r.capped[f] < b->r.value[f])
		value = figure_join(b->out, FIGURE_LEAST, value,
				    figure_number(b->out, "cap", b->r.capped[f], NULL));
	return value;
}

static uint32_t factor_part(const struct breakdown *b, enum prio_factor f, bool apart)
{
	return figure_join(b->out, FIGURE_TIMES, weight_part(b, f, apart), value_part(b, f, apart));
}

/* --- one line ------------------------------------------------------------------------- */

static bool cap_acts(const struct breakdown *b, enum prio_component component)
{
	double cap = b->w->component_cap[component];

	return cap > 0 && sum_inside(&b->r, component) > cap;
}

/* "user 1 * 150 + qos 1 * 500"; of a component with a weight or a cap "fs 100 * (...)". */
static uint32_t component_part(const struct breakdown *b, enum prio_component component)
{
	uint32_t sum = FIGURE_NONE, weight = FIGURE_NONE;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == component && counts(b->w, &b->r, f))
			sum = figure_join(b->out, FIGURE_PLUS, sum, factor_part(b, f, false));
	if (sum == FIGURE_NONE)
		return FIGURE_NONE;
	if (cap_acts(b, component))
		sum = figure_join(b->out, FIGURE_LEAST, sum,
				  figure_number(b->out, "cap", b->w->component_cap[component], NULL));
	if (b->w->component[component] != 1)
		weight = figure_number(b->out, policy_component_name(component), b->w->component[component],
				       NULL);
	return figure_join(b->out, FIGURE_TIMES, weight, sum);
}

/* The sum as the scheduler bounds it, with what an operator has done to it. */
static uint32_t rank_part(const struct breakdown *b)
{
	uint32_t sum = FIGURE_NONE;

	if (b->job->adjust == JOB_ADJUST_ABSOLUTE)
		return figure_join(b->out, FIGURE_PLUS, plain(b->out, PRIO_MAX, NULL),
				   figure_remark(b->out, plain(b->out, (double)b->job->points, NULL),
						 "set by an operator"));
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		sum = figure_join(b->out, FIGURE_PLUS, sum, component_part(b, c));
	if (sum == FIGURE_NONE)
		sum = plain(b->out, 0, NULL);
	if (b->r.bounded)
		sum = figure_join(b->out, b->r.sum < PRIO_FLOOR ? FIGURE_MOST : FIGURE_LEAST, sum,
				  plain(b->out, b->r.sum < PRIO_FLOOR ? PRIO_FLOOR : PRIO_MAX, NULL));
	if (b->job->adjust == JOB_ADJUST_RELATIVE)
		sum = figure_join(b->out, FIGURE_PLUS, sum,
				  figure_remark(b->out, plain(b->out, (double)b->job->points, NULL),
						"relative priority"));
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

/* The credential's own priority, else DEFAULT's. */
static void note_cred(const struct breakdown *b, enum prio_factor f)
{
	enum cred_type type = (enum cred_type)(f - PRIO_CRED_USER);
	uint32_t cred = b->job->cred[type];
	char name[CONFIG_TITLE + 24];

	if (cred == INDEX_NONE || snapshot_creds(b->f->s)[cred].attr.priority == 0)
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
	if (qos_weight(b, f) != 0)
		figure_note(b->out, "%swith what the QOS adds", b->w->factor[f] != 0 ? ", " : "");
	if (f <= PRIO_CRED_CLASS)
		note_cred(b, f);
}

/* Points of a factor: its share of its component's, which a cap may have made smaller. */
static uint32_t points_part(const struct breakdown *b, enum prio_factor f, bool apart)
{
	enum prio_component component = policy_factor_info(f)->component;
	uint32_t part = factor_part(b, f, apart);

	if (b->w->component[component] != 1)
		part = figure_join(b->out, FIGURE_TIMES,
				   figure_number(b->out, policy_component_name(component),
						 b->w->component[component], NULL),
				   part);
	if (cap_acts(b, component))
		part = figure_join(
			b->out, FIGURE_OVER,
			figure_join(b->out, FIGURE_TIMES, part,
				    figure_number(b->out, "cap", b->w->component_cap[component], NULL)),
			figure_number(b->out, "all", sum_inside(&b->r, component), NULL));
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
		total > 0 ? figure_join(b->out, FIGURE_OVER, product(b->out, 100, NULL, points[f], NULL), sum)
			  : plain(b->out, 0, NULL));
	figure_show(b->out, str_text(&shown));
	str_free(&shown);
}

static void put_component(const struct breakdown *b, enum prio_component component)
{
	bool is_weighed = b->w->component[component] != 1;
	struct str shown = {0};

	if (!is_weighed && !cap_acts(b, component))
		return;
	formula_number(&shown, b->r.component[component]);
	figure_add_rounded(b->out, policy_component_name(component), b->r.component[component], 2,
			   component_part(b, component));
	figure_show(b->out, str_text(&shown));
	str_free(&shown);
	if (is_weighed)
		note_weight(b, COMPONENT_WEIGHT, component);
	if (cap_acts(b, component))
		note_weight(b, COMPONENT_CAP, component);
}

static void put_measured(const struct breakdown *b, enum prio_factor f)
{
	struct str shown = {0};

	formula_number(&shown, b->r.capped[f]);
	figure_add_rounded(b->out, policy_factor_info(f)->keyword, b->r.capped[f], 2, value_part(b, f, true));
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
		if (component_part(&b, c) != FIGURE_NONE)
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

	figure_add_rounded(out, "XF", b.r.value[PRIO_SERV_XFACTOR], 2, measured_part(&b, PRIO_SERV_XFACTOR));
}
