/* SPDX-License-Identifier: MIT */
/*
 * priority_report.c - components of a job's priority, as expressions
 *
 * All numbers are taken from the struct prio_result that ranks the job; only measured values are expanded to
 * seconds and processors.
 */
#include "priority_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "sched/config/config.h"
#include "sched/pass/crossover.h"
#include "sched/policy/priority.h"
#include "select.h"
#include "settings.h"

/* --- components as expressions ------------------------------------------------------------------------ */

#define SEEN_POINTS 0.05 /* a change of this many points must be visible in a displayed value */

/* Returns the sum of a component's weighted factors, before the weight and the cap of the component. */
static double breakdown_inside(const struct prio_result *r, enum prio_component component)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == component)
			sum += r->weighted[f];
	return sum;
}

/* Returns the data of a job's priority; the parts of the expressions will be added to out. */
static struct breakdown breakdown_of(struct figures *out, const struct forecast *f, const struct job *job)
{
	struct breakdown b = {.out = out, .f = f, .job = job, .w = snapshot_job_weights(f->s, job)};

	snapshot_job_creds(f->s, job, &b.creds);
	forecast_priority(f, job, &b.r);
	return b;
}

/* Returns the weight of a factor times the weight of its component, which counts as at least 1. */
static double whole_weight(const struct breakdown *b, enum prio_factor f)
{
	return priority_weight(b->w, &b->creds, f) *
	       fmax(1, fabs(b->w->component[policy_factor_info(f)->component]));
}

/* Adds a weight: "xfactor 150", or, if `apart` is true, "xfactor (100 + qos 50)". */
static uint32_t weight_part(const struct breakdown *b, enum prio_factor f, bool apart)
{
	const char *name = policy_factor_info(f)->keyword;
	double own = b->w->factor[f], added = priority_qos_weight(&b->creds, f);

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

/*
 * Adds the value of a target factor. `used` is the fraction of the target that the job has waited. The value
 * is 1e8 to the power of used; beyond the target, it is 1e8 times used.
 */
static uint32_t pressure(struct figures *out, uint32_t used, double value)
{
	return figure_join(out, value <= 1e8 ? FIGURE_POWER : FIGURE_TIMES, plain(out, 1e8, NULL), used);
}

uint32_t breakdown_delta(struct figures *out, const struct fs_share *share, bool as_part)
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

/* Adds the fairshare delta of one of the job's credentials, with the target and the usage of its share. */
static uint32_t delta_part(const struct breakdown *b, enum prio_factor f)
{
	const struct fairshare *shares = &b->f->plan.queue.shares;
	uint32_t cred = b->job->cred[f - PRIO_FS_USER];

	if (cred >= shares->share_count || shares->share[cred].delta == 0)
		return plain(b->out, b->r.value[f], "%");
	return breakdown_delta(b->out, &shares->share[cred],
			       fs_is_percent((enum fs_policy)b->f->s->policy.fs_policy));
}

static double wall_of_xfactor(const struct breakdown *b)
{
	return fmax((double)b->job->wall_limit_s, (double)b->f->s->policy.xfactor_min_wall_s);
}

/* Adds the measured value of a factor as an expression of the job's request and queue time. */
static uint32_t breakdown_measured(const struct breakdown *b, enum prio_factor f)
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

/*
 * Adds a measured value, "373 min", or, if `apart` is true, "22380 s / 60 s", with the cap if it applies. The
 * value has enough digits to be multiplied by the weight.
 */
static uint32_t breakdown_value(const struct breakdown *b, enum prio_factor f, bool apart)
{
	uint32_t value = apart && b->r.value[f] != 0
				 ? breakdown_measured(b, f)
				 : plain(b->out, b->r.value[f], policy_factor_info(f)->unit);

	figure_digits(b->out, value, formula_digits(b->r.value[f], whole_weight(b, f), SEEN_POINTS));
	if (b->r.capped[f] < b->r.value[f])
		value = figure_join(b->out, FIGURE_LEAST, value,
				    figure_number(b->out, "cap", b->r.capped[f], NULL));
	return value;
}

static uint32_t breakdown_factor(const struct breakdown *b, enum prio_factor f, bool apart)
{
	return figure_join(b->out, FIGURE_TIMES, weight_part(b, f, apart), breakdown_value(b, f, apart));
}

/* --- components ------------------------------------------------------------------------- */

/* Does the factor contribute points, possibly only through the weight of a QOS? */
static bool counts(const struct prio_weights *w, const struct prio_result *r, enum prio_factor f)
{
	return r->weighted[f] != 0 && w->component[policy_factor_info(f)->component] != 0;
}

static bool breakdown_cap_acts(const struct breakdown *b, enum prio_component component)
{
	double cap = b->w->component_cap[component];

	return cap > 0 && breakdown_inside(&b->r, component) > cap;
}

/*
 * Adds a component: "user 1 * 150 + qos 1 * 500", or "fs 100 * (...)" if the component has a weight or a cap.
 */
static uint32_t breakdown_component(const struct breakdown *b, enum prio_component component)
{
	uint32_t sum = FIGURE_NONE, weight = FIGURE_NONE;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == component && counts(b->w, &b->r, f))
			sum = figure_join(b->out, FIGURE_PLUS, sum, breakdown_factor(b, f, false));
	if (sum == FIGURE_NONE)
		return FIGURE_NONE;
	if (breakdown_cap_acts(b, component))
		sum = figure_join(b->out, FIGURE_LEAST, sum,
				  figure_number(b->out, "cap", b->w->component_cap[component], NULL));
	if (b->w->component[component] != 1)
		weight = figure_number(b->out, policy_component_name(component), b->w->component[component],
				       NULL);
	return figure_join(b->out, FIGURE_TIMES, weight, sum);
}

/* --- the formula of a job's priority ------------------------------------------------------------------ */

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

/* --- one line ----------------------------------------------------------------------------------------- */

/*
 * In a formula on one line, a factor is shown with its measured value; in a separate figure, the measured
 * value is expanded (breakdown_measured).
 */

static uint32_t formula_plain(const struct breakdown *b, double value)
{
	return figure_number(b->out, NULL, value, NULL);
}

/*
 * Adds the whole priority: the sum of the components, its bounds if the scheduler applied them, and the
 * adjustment by an operator.
 */
static uint32_t rank_part(const struct breakdown *b)
{
	uint32_t sum = FIGURE_NONE;

	if (b->job->adjust == JOB_ADJUST_ABSOLUTE)
		return figure_join(b->out, FIGURE_PLUS, formula_plain(b, PRIO_MAX),
				   figure_remark(b->out, formula_plain(b, (double)b->job->points),
						 "set by an operator"));
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		sum = figure_join(b->out, FIGURE_PLUS, sum, breakdown_component(b, c));
	if (sum == FIGURE_NONE)
		sum = formula_plain(b, 0);
	if (b->r.bounded)
		sum = figure_join(b->out, b->r.sum < PRIO_FLOOR ? FIGURE_MOST : FIGURE_LEAST, sum,
				  formula_plain(b, b->r.sum < PRIO_FLOOR ? PRIO_FLOOR : PRIO_MAX));
	if (b->job->adjust == JOB_ADJUST_RELATIVE)
		sum = figure_join(
			b->out, FIGURE_PLUS, sum,
			figure_remark(b->out, formula_plain(b, (double)b->job->points), "relative priority"));
	return sum;
}

/* Returns the value of rank_part() before the fraction is dropped. */
static double rank_value(const struct breakdown *b)
{
	return priority_points(b->job, &b->r);
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

/* --- one factor --------------------------------------------------------------------------------------- */

/*
 * Adds a note that says where a weight or a cap is set: in the section of the job's partition, else at the
 * top level.
 */
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

/*
 * Adds a note that says where the priority of the credential is set or, if the credential has none, where the
 * priority of DEFAULT is set. A QOS does not inherit the priority of DEFAULT (snapshot_job.c).
 */
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
	if (priority_qos_weight(&b->creds, f) != 0)
		figure_note(b->out, "%splus the weight added by the QOS", b->w->factor[f] != 0 ? ", " : "");
	if (f <= PRIO_CRED_CLASS)
		note_cred(b, f);
}

/*
 * Adds the points of a factor, that is, its share of the points of its component, which a cap may have
 * reduced.
 */
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
	figure_add_rounded(b->out, policy_factor_info(f)->column, percent, 2,
			   total > 0 ? figure_join(b->out, FIGURE_OVER,
						   figure_join(b->out, FIGURE_TIMES, formula_plain(b, 100),
							       formula_plain(b, points[f])),
						   sum)
				     : formula_plain(b, 0));
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

/* Can the factor contribute points to some job, by its weight or the weight of a QOS? */
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

/* --- crossover values of weights and caps ------------------------------------------------------------- */

/*
 * The list contains the weights and caps in use, and all others that would swap the two jobs at some value.
 */

/* The smallest change of a weight that makes the jobs change places. */
struct nearest_item {
	const char *name;
	struct crossover_nearest nearest;
};

struct crosses {
	struct cmd_env *env;
	const char *job, *other;
	struct crossover_pair pair;
	struct nearest_item nearest;
	bool ahead; /* the first job currently has the higher priority */
};

static bool get_at(const void *item, struct value *out)
{
	const struct crossover_flip *flip = item;

	out->whole = flip->at;
	return flip->found;
}

static bool is_flip(const void *item)
{
	return ((const struct crossover_flip *)item)->found;
}

static const struct field flip_fields[] = {
	{"at", NULL, FIELD_COUNT, .get = get_at},
	{"until", NULL, FIELD_COUNT, FIELD_AT(struct crossover_flip, until), .when = is_flip},
	{"to_the_end", NULL, FIELD_BOOL, FIELD_AT(struct crossover_flip, to_the_end), .when = is_flip},
	{"proven", NULL, FIELD_BOOL, FIELD_AT(struct crossover_flip, proven)},
	{"hidden", NULL, FIELD_BOOL, FIELD_AT(struct crossover_flip, hidden)},
	{0}};

/* A weight or cap with the values at which the jobs change places. */
struct weight_item {
	const char *name;
	struct crossover found;
};

static enum role today_cell(const void *item, struct str *out)
{
	str_addf(out, "%.10g", ((const struct weight_item *)item)->found.now);
	return ROLE_TEXT;
}

static enum role below_cell(const void *item, struct str *out)
{
	crossover_add_flip(&((const struct weight_item *)item)->found.down, -1, out);
	return ROLE_TEXT;
}

static enum role above_cell(const void *item, struct str *out)
{
	crossover_add_flip(&((const struct weight_item *)item)->found.up, 1, out);
	return ROLE_TEXT;
}

static const struct field weight_fields[] = {
	{"name", "", FIELD_TEXT, FIELD_AT(struct weight_item, name)},
	{"value", "TODAY", FIELD_REAL, FIELD_AT(struct weight_item, found.now), .cell = today_cell},
	{"down", NULL, FIELD_OBJECT, FIELD_AT(struct weight_item, found.down), .of = flip_fields},
	{"up", NULL, FIELD_OBJECT, FIELD_AT(struct weight_item, found.up), .of = flip_fields},
	{NULL, "BELOW", FIELD_TEXT, .cell = below_cell},
	{NULL, "ABOVE", FIELD_TEXT, .cell = above_cell},
	{0}};

/* Visits the weights and caps that are in use, or that would swap the two jobs at some value. */
static void each_weight(const void *item, field_visit *visit, void *self)
{
	static const struct {
		enum config_weight_kind kind;
		unsigned count;
	} part[] = {{COMPONENT_WEIGHT, PRIO_COMPONENT_COUNT},
		    {FACTOR_WEIGHT, PRIO_FACTOR_COUNT},
		    {COMPONENT_CAP, PRIO_COMPONENT_COUNT},
		    {FACTOR_CAP, PRIO_FACTOR_COUNT}};
	const struct crossover_pair *pair = &((const struct crosses *)item)->pair;
	struct weight_item weight;
	struct str name = {0};

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		for (unsigned index = 0; index < part[i].count; index++) {
			struct config_weight which = {part[i].kind, index};

			crossover_find(&weight.found, pair, which);
			if (!weight.found.down.found && !weight.found.up.found &&
			    !crossover_in_use(&pair->a.weights, which))
				continue;
			str_clear(&name);
			crossover_name(pair, which, &name);
			weight.name = str_text(&name);
			visit(self, &weight);
		}
	str_free(&name);
}

static const struct field nearest_fields[] = {
	{"name", NULL, FIELD_TEXT, FIELD_AT(struct nearest_item, name)},
	{"value", NULL, FIELD_REAL, FIELD_AT(struct nearest_item, nearest.now)},
	{"at", NULL, FIELD_COUNT, FIELD_AT(struct nearest_item, nearest.at)},
	{"relative", NULL, FIELD_REAL, FIELD_AT(struct nearest_item, nearest.relative)},
	{0}};

static bool get_nearest(const void *item, struct value *out)
{
	out->item = &((const struct crosses *)item)->nearest;
	return ((const struct crosses *)item)->nearest.nearest.found;
}

static const struct field crosses_fields[] = {
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct crosses, job)},
	{"other", NULL, FIELD_TEXT, FIELD_AT(struct crosses, other)},
	{"ahead", NULL, FIELD_BOOL, FIELD_AT(struct crosses, ahead)},
	{"nearest", NULL, FIELD_OBJECT, .get = get_nearest, .of = nearest_fields},
	{"crossings", NULL, FIELD_LIST, .of = weight_fields, .each = each_weight},
	{0}};

static void print_crosses(const struct crosses *x)
{
	static const struct field_column columns[] = {
		{.key = "name"}, {.key = "value"}, {.key = "BELOW"}, {.key = "ABOVE"}};
	const struct crossover_nearest *nearest = &x->nearest.nearest;
	struct str *out = x->env->out;
	struct field_table t;

	field_table_begin(&t, weight_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = x->env->width;
	str_addf(out, "Job %s is %s job %s. They change places if one of these values is\n\n", x->job,
		 x->ahead ? "before" : "behind", x->other);
	each_weight(x, field_table_visit, &t);
	field_table_print(&t, 0, x->env->ascii, out);
	field_table_free(&t);
	if (nearest->found)
		str_addf(out, "\nThe smallest change of a weight: %s from %.10g to %" PRId64 ", by %.2g%%\n",
			 x->nearest.name, nearest->now, nearest->at, 100 * nearest->relative);
	else if (nearest->hidden)
		str_add(out,
			"\nThe smallest change of a weight is unknown, because live settings are hidden\n");
	else
		str_add(out, "\nNo change of a weight in use makes them change places\n");
}

/* --- entry point -------------------------------------------------------------------------------------- */

static bool find_job(struct cmd_env *env, const char *word, uint32_t *slot)
{
	*slot = select_job(env->s, word, &env->err);
	return *slot != INDEX_NONE && (snapshot_jobs(env->s)[*slot].state == JOB_IDLE ||
				       err_set(&env->err, "job %s is no longer idle", word));
}

static bool find_pair(struct cmd_env *env, const char *pair, uint32_t slot[static 2])
{
	const char *comma = strchr(pair, ',');
	struct str first = {0};
	bool good;

	if (!comma)
		return err_set(&env->err, "--crosses %s: name two jobs as A,B", pair);
	str_addf(&first, "%.*s", (int)(comma - pair), pair);
	good = find_job(env, str_text(&first), &slot[0]) && find_job(env, comma + 1, &slot[1]);
	str_free(&first);
	return good && (slot[0] != slot[1] ||
			err_set(&env->err, "--crosses %s: both are the same job; name two jobs", pair));
}

enum cmd_status crossover_print(struct cmd_env *env, const char *pair)
{
	struct crosses x = {.env = env};
	struct queue queue = {.idle = NULL};
	struct crossover found;
	char job[JOB_LABEL_TEXT], other[JOB_LABEL_TEXT];
	uint32_t slot[2] = {INDEX_NONE, INDEX_NONE};
	struct str name = {0};

	if (!find_pair(env, pair, slot))
		return CMD_REFUSED;
	queue_begin(&queue, env->s, env->now_s);
	crossover_measure(&x.pair, env->s, slot[0], slot[1], env->now_s, &queue.shares);
	x.job = snapshot_job_label(env->s, x.pair.a.job, job);
	x.other = snapshot_job_label(env->s, x.pair.b.job, other);
	x.nearest.nearest = crossover_nearest(&x.pair);
	if (x.nearest.nearest.found)
		crossover_name(&x.pair, x.nearest.nearest.weight, &name);
	x.nearest.name = str_text(&name);
	crossover_find(&found, &x.pair, (struct config_weight){COMPONENT_WEIGHT, PRIO_CRED});
	x.ahead = found.ahead;
	if (env->json)
		fields_document(env->out, crosses_fields, 0, &x);
	else
		print_crosses(&x);
	str_free(&name);
	queue_clear(&queue);
	return CMD_DONE;
}
