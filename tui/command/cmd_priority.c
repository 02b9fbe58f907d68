/* SPDX-License-Identifier: MIT */
/*
 * cmd_priority.c - kahu priority: priorities of idle jobs and their components
 *
 * The table follows Maui's diagnose -p. For each component it shows the share of the job's priority in
 * percent, and the factors in parentheses: credential factors as configured, other factors as weighted
 * points. The first row has the weights, the last row the shares over all jobs. Factors without a weight are
 * omitted. PRIORITY is the sum before bounds and operator adjustments; the column RANK is added if a job's
 * rank differs from its sum.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "sched/pass/queue.h"
#include "sched/policy/priority.h"
#include "tui/report/field.h"
#include "tui/report/priority_report.h"
#include "tui/report/report.h"
#include "tui/report/select.h"

/* --- jobs --------------------------------------------------------------------------------------------- */

/* Idle jobs in queue order, and the filter that selects the jobs to print. */
struct ranking {
	const struct cmd_env *env;
	struct queue queue;
	struct job_filter filter;
};

struct layout;

/* One job with its priority. */
struct measured {
	const struct snapshot *s;
	const struct layout *layout; /* the table's layout; NULL in JSON */
	const struct job *job;
	struct prio_result result;
	/* points of each factor: its value times the weights of factor and component */
	double points[PRIO_FACTOR_COUNT];
	double size; /* sum of the absolute values of the components */
};

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * (fabs(part) / whole) : 0;
}

static double sum_of_sizes(const double component[static PRIO_COMPONENT_COUNT])
{
	double sum = 0;

	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		sum += fabs(component[c]);
	return sum;
}

/*
 * Computes the priority of the idle job at an index of the queue. Returns false if the filter excludes the
 * job.
 */
static bool measure(const struct ranking *ranking, uint32_t at, struct measured *out)
{
	const struct snapshot *s = ranking->env->s;
	const struct prio_weights *weights;

	out->s = s;
	out->layout = NULL;
	out->job = &snapshot_jobs(s)[ranking->queue.idle[at].slot];
	if (!job_filter_match(&ranking->filter, s, out->job))
		return false;
	queue_priority(s, out->job, ranking->env->now_s, &ranking->queue.shares, &out->result);
	weights = snapshot_job_weights(s, out->job);
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		out->points[f] =
			weights->component[policy_factor_info(f)->component] * out->result.weighted[f];
	out->size = sum_of_sizes(out->result.component);
	return true;
}

/* Returns the value that the table shows for a factor. */
static double shown(const struct measured *m, enum prio_factor factor)
{
	return policy_factor_info(factor)->component == PRIO_CRED ? m->result.capped[factor]
								  : m->points[factor];
}

/* --- text --------------------------------------------------------------------------------------------- */

/* The factors and components that have columns, and the widths of the factors. */
struct layout {
	bool factor[PRIO_FACTOR_COUNT];
	bool component[PRIO_COMPONENT_COUNT];
	int width[PRIO_FACTOR_COUNT];
	bool ranks; /* show the column RANK, because a job's rank differs from its sum */
};

static int number_width(double value)
{
	char text[64];

	return snprintf(text, sizeof text, "%.1f", value);
}

static int weight_width(double value)
{
	char text[64];

	return snprintf(text, sizeof text, "%g", value);
}

static void widen(int *width, int need)
{
	if (*width < need)
		*width = need;
}

/*
 * Begins the layout with the factors that have a weight in any partition (including ALL), and with the widths
 * of titles and weights.
 */
static void begin_layout(struct layout *l, const struct snapshot *s)
{
	*l = (struct layout){0};
	for (uint32_t p = 0; p < snapshot_count(s, TABLE_PARTITIONS); p++) {
		const struct prio_weights *w = &snapshot_partitions(s)[p].weights;

		for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
			if (w->factor[f] != 0 && w->component[policy_factor_info(f)->component] != 0)
				l->factor[f] = true;
	}
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		widen(&l->width[f], (int)strlen(policy_factor_info(f)->column));
		widen(&l->width[f], weight_width(s->policy.weights.factor[f]));
	}
}

/* Formats the sum of the components as a whole number. */
static const char *sum_text(char buf[static 64], const struct prio_result *result)
{
	snprintf(buf, 64, "%.0f", result->sum);
	return strcmp(buf, "-0") == 0 ? "0" : buf;
}

static bool is_ranked_otherwise(const struct prio_result *result)
{
	char sum[64], rank[64];

	snprintf(rank, sizeof rank, "%lld", (long long)result->rank);
	return strcmp(sum_text(sum, result), rank) != 0;
}

static void fit_layout(struct layout *l, const struct measured *m)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (m->result.weighted[f] != 0)
			l->factor[f] = true;
		widen(&l->width[f], number_width(shown(m, f)));
	}
	if (is_ranked_otherwise(&m->result))
		l->ranks = true;
}

static void end_layout(struct layout *l)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (l->factor[f])
			l->component[policy_factor_info(f)->component] = true;
}

typedef void factor_text(const void *of, enum prio_factor factor, int width, struct str *out);

/* Appends the factors of a component in parentheses, each formatted by `text`, to which `of` is passed. */
static void add_factors(const struct layout *l, enum prio_component component, factor_text *text,
			const void *of, struct str *out)
{
	const char *between = "(";

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (!l->factor[f] || policy_factor_info(f)->component != component)
			continue;
		str_add(out, between);
		text(of, f, l->width[f], out);
		between = ":";
	}
	str_add_char(out, ')');
}

/* Adds one cell: `head`, then the factors of the component as in add_factors. */
static void component_cell(struct report *r, const struct layout *l, enum prio_component component,
			   const char *head, factor_text *text, const void *of)
{
	struct str cell = {0};

	str_add(&cell, head);
	add_factors(l, component, text, of, &cell);
	report_cell(r, str_text(&cell));
	str_free(&cell);
}

static void title_text(const void *of, enum prio_factor factor, int width, struct str *out)
{
	(void)of;
	str_addf(out, "%*s", width, policy_factor_info(factor)->column);
}

static void weight_text(const void *of, enum prio_factor factor, int width, struct str *out)
{
	str_addf(out, "%*g", width, ((const struct prio_weights *)of)->factor[factor]);
}

static void value_text(const void *of, enum prio_factor factor, int width, struct str *out)
{
	str_addf(out, "%*.1f", width, shown(of, factor));
}

static void share_text(const void *of, enum prio_factor factor, int width, struct str *out)
{
	str_addf(out, "%*.1f", width, ((const double *)of)[factor]);
}

static void title_rows(struct report *r, const struct layout *l, const struct snapshot *s)
{
	char head[40];

	report_cell(r, "Job");
	report_cell(r, "PRIORITY");
	if (l->ranks)
		report_cell(r, "RANK");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6s", policy_component_name(c));
		if (l->component[c])
			component_cell(r, l, c, head, title_text, NULL);
	}
	report_cell(r, "Weights");
	report_cell(r, "--------");
	if (l->ranks)
		report_cell(r, "");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6g", s->policy.weights.component[c]);
		if (l->component[c])
			component_cell(r, l, c, head, weight_text, &s->policy.weights);
	}
}

/* --- fields ------------------------------------------------------------------------------------------- */

static bool get_label(const void *item, struct value *out)
{
	const struct measured *m = item;
	char label[JOB_LABEL_TEXT];

	str_add(&out->made, snapshot_job_label(m->s, m->job, label));
	return value_made(out);
}

static enum role sum_cell(const void *item, struct str *out)
{
	const struct measured *m = item;
	char sum[64];

	str_addf(out, "%s%s", sum_text(sum, &m->result), m->job->adjust != JOB_ADJUST_NONE ? "*" : " ");
	return ROLE_TEXT;
}

static enum role rank_cell(const void *item, struct str *out)
{
	const struct measured *m = item;

	str_addf(out, "%" PRId64 "%s", m->result.rank, m->result.bounded ? "!" : " ");
	return ROLE_TEXT;
}

static bool get_system(const void *item, struct value *out)
{
	const struct job *job = ((const struct measured *)item)->job;

	out->whole = job->points;
	return job->adjust != JOB_ADJUST_NONE;
}

static bool get_system_relative(const void *item, struct value *out)
{
	out->whole = ((const struct measured *)item)->job->adjust == JOB_ADJUST_RELATIVE;
	return true;
}

struct component_item {
	const struct measured *m;
	enum prio_component component;
	const char *name;
	double points, percent; /* percent: share of the sum of all components */
};

static void each_component(const void *item, field_visit *visit, void *self)
{
	const struct measured *m = item;

	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		visit(self, &(struct component_item){m, c, policy_component_name(c), m->result.component[c],
						     percent(m->result.component[c], m->size)});
}

struct factor_item {
	const char *name;
	double value, capped, weighted, percent;
};

static void each_factor(const void *item, field_visit *visit, void *self)
{
	const struct measured *m = item;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		visit(self, &(struct factor_item){policy_factor_info(f)->name, m->result.value[f],
						  m->result.capped[f], m->result.weighted[f],
						  percent(m->points[f], m->size)});
}

struct shown_components {
	field_visit *visit;
	void *self;
};

static void visit_shown(void *self, const void *item)
{
	const struct component_item *i = item;
	const struct shown_components *shown = self;

	if (i->m->layout->component[i->component])
		shown->visit(shown->self, i);
}

static void each_shown(const void *item, field_visit *visit, void *self)
{
	each_component(item, visit_shown, &(struct shown_components){visit, self});
}

static enum role points_cell(const void *item, struct str *out)
{
	const struct component_item *i = item;

	str_addf(out, "%6.1f", i->percent);
	add_factors(i->m->layout, i->component, value_text, i->m, out);
	return ROLE_TEXT;
}

static const struct field points_fields[] = {
	{NULL, "", FIELD_TEXT, FIELD_AT(struct component_item, name), .cell = points_cell},
	{NULL, "", FIELD_REAL, FIELD_AT(struct component_item, points)},
	{0}};

static const struct field percent_fields[] = {
	{NULL, "", FIELD_TEXT, FIELD_AT(struct component_item, name)},
	{NULL, "", FIELD_REAL, FIELD_AT(struct component_item, percent)},
	{0}};

static const struct field factor_fields[] = {
	{NULL, "", FIELD_TEXT, FIELD_AT(struct factor_item, name)},
	{"value", NULL, FIELD_REAL, FIELD_AT(struct factor_item, value)},
	{"capped", NULL, FIELD_REAL, FIELD_AT(struct factor_item, capped)},
	{"weighted", NULL, FIELD_REAL, FIELD_AT(struct factor_item, weighted)},
	{"percent", NULL, FIELD_REAL, FIELD_AT(struct factor_item, percent)},
	{0}};

static const struct field priority_fields[] = {
	{"job", "Job", FIELD_TEXT, .get = get_label},
	{"priority", "RANK", FIELD_COUNT, FIELD_AT(struct measured, result.rank), .cell = rank_cell},
	{"sum", "PRIORITY", FIELD_REAL, FIELD_AT(struct measured, result.sum), .cell = sum_cell},
	{"bounded", NULL, FIELD_BOOL, FIELD_AT(struct measured, result.bounded)},
	{"system", NULL, FIELD_COUNT, .get = get_system},
	{"system_relative", NULL, FIELD_BOOL, .get = get_system_relative},
	{"components", NULL, FIELD_MAP, .of = points_fields, .each = each_component},
	{"percents", NULL, FIELD_MAP, .of = percent_fields, .each = each_component},
	{"factors", NULL, FIELD_MAP, .of = factor_fields, .each = each_factor},
	{NULL, "COMPONENTS", FIELD_LIST, .of = points_fields, .each = each_shown},
	{0}};

static void job_row(struct report *r, const struct measured *m)
{
	static const struct field_column columns[] = {{.key = "job"}, {.key = "sum"}, {.key = "COMPONENTS"}};
	static const struct field_column ranked[] = {
		{.key = "job"}, {.key = "sum"}, {.key = "priority"}, {.key = "COMPONENTS"}};

	if (m->layout->ranks)
		field_cells(r, priority_fields, ranked, 4, m);
	else
		field_cells(r, priority_fields, columns, 3, m);
}

/* Sums, over all jobs, of the absolute values of components and factors. */
struct totals {
	double component[PRIO_COMPONENT_COUNT];
	double factor[PRIO_FACTOR_COUNT];
};

static void add_totals(struct totals *t, const struct measured *m)
{
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		t->component[c] += fabs(m->result.component[c]);
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		t->factor[f] += fabs(m->points[f]);
}

static void totals_row(struct report *r, const struct layout *l, const struct totals *t)
{
	double all = sum_of_sizes(t->component), share[PRIO_FACTOR_COUNT];
	char head[40];

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		share[f] = percent(t->factor[f], all);
	report_cell(r, "Percent");
	report_cell(r, "--------");
	if (l->ranks)
		report_cell(r, "");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6.1f", percent(t->component[c], all));
		if (l->component[c])
			component_cell(r, l, c, head, share_text, share);
	}
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static void measure_columns(const struct ranking *ranking, struct layout *l)
{
	struct measured m;

	begin_layout(l, ranking->env->s);
	for (uint32_t i = 0; i < ranking->queue.idle_count; i++)
		if (measure(ranking, i, &m))
			fit_layout(l, &m);
	end_layout(l);
}

static void print_text(const struct ranking *ranking, struct str *out)
{
	struct report_column column[3 + PRIO_COMPONENT_COUNT] = {
		{"", TEXT_LEFT}, {"", TEXT_RIGHT}, {"", TEXT_RIGHT}};
	struct report r = {.column = column, .no_titles = true};
	const struct cmd_env *env = ranking->env;
	struct totals totals = {{0}, {0}};
	struct measured m;
	struct layout l;

	measure_columns(ranking, &l);
	r.columns = l.ranks ? 3 : 2;
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		if (l.component[c])
			column[r.columns++] = (struct report_column){"", TEXT_LEFT};
	title_rows(&r, &l, env->s);
	for (uint32_t i = 0; i < ranking->queue.idle_count; i++) {
		if (!measure(ranking, i, &m))
			continue;
		m.layout = &l;
		add_totals(&totals, &m);
		job_row(&r, &m);
	}
	totals_row(&r, &l, &totals);
	str_add(out, "Priorities of idle jobs (weights of partition ALL)\n\n");
	report_print(&r, 0, env->ascii, out);
	str_add(out, "\n* priority set by an operator");
	str_add(out, l.ranks ? "   ! the sum was clipped to a bound\n" : "\n");
	report_free(&r);
}

static void each_job(const void *item, field_visit *visit, void *self)
{
	const struct ranking *ranking = item;
	struct measured m;

	for (uint32_t i = 0; i < ranking->queue.idle_count; i++)
		if (measure(ranking, i, &m))
			visit(self, &m);
}

static const struct field ranking_fields[] = {
	{"jobs", NULL, FIELD_LIST, .of = priority_fields, .each = each_job}, {0}};

static enum cmd_status run_priority(struct cmd_env *env, int argc, char **argv)
{
	const char *where = cmd_option(env, "-w"), *pair = cmd_option(env, "--crosses");
	struct ranking ranking = {.env = env};

	(void)argc;
	(void)argv;
	if (pair)
		return crossover_print(env, pair);
	if (where && (!job_filter_read(where, &ranking.filter, &env->err) ||
		      !job_filter_is_live(&ranking.filter, &env->err)))
		return CMD_USAGE;
	queue_build(&ranking.queue, env->s, env->now_s);
	if (env->json)
		fields_document(env->out, ranking_fields, 0, &ranking);
	else
		print_text(&ranking, env->out);
	queue_clear(&ranking.queue);
	job_filter_clear(&ranking.filter);
	return CMD_DONE;
}

const struct cmd cmd_priority = {
	.name = "priority",
	.args = "",
	.help = "Show the priority of every idle job, broken down into components and factors.",
	.options =
		(const struct cmd_option[]){
			{"-w", "TERMS", "only matching jobs: 'user=eva qos=hi'"},
			{"--crosses", "A,B",
			 "show the weights and caps at which these two jobs change places"},
			{0},
		},
	.flags = CMD_STORE | CMD_PAST,
	.run = run_priority,
};
