/* SPDX-License-Identifier: MIT */
/*
 * cmd_priority.c - kahu priority: priorities of idle jobs and their components
 *
 * The table of Maui's diagnose -p: for each component its share of the job's priority in percent, and its
 * factors in parentheses. Credential factors are printed as configured, the others as weighted points. The
 * first row has the weights, the last row the shares over all jobs; factors without a weight are left out.
 * PRIORITY is the sum before bounds and operator adjustments; RANK is added if it differs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "sched/base/json.h"
#include "sched/pass/queue.h"
#include "sched/policy/priority.h"
#include "tui/report/priority_report.h"
#include "tui/report/report.h"
#include "tui/report/select.h"

/* --- jobs --------------------------------------------------------------------------------------------- */

/* Idle jobs in queue order that match the filter. */
struct ranking {
	const struct cmd_env *env;
	struct queue queue;
	struct job_filter filter;
};

/* One job with its priority. */
struct measured {
	const struct job *job;
	struct prio_result result;
	double points[PRIO_FACTOR_COUNT]; /* of each factor, with both weights */
	double size;                      /* sum of the absolute components    */
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

/* Computes the priority of a job of the queue. False: the filter excludes the job. */
static bool measure(const struct ranking *ranking, uint32_t at, struct measured *out)
{
	const struct snapshot *s = ranking->env->s;
	const struct prio_weights *weights;

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

/* The value of a factor in the table. */
static double shown(const struct measured *m, enum prio_factor factor)
{
	return policy_factor_info(factor)->component == PRIO_CRED ? m->result.capped[factor]
								  : m->points[factor];
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void json_factors(struct json *j, const struct measured *m)
{
	json_open(j, "factors", '{');
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		json_open(j, policy_factor_info(f)->name, '{');
		json_real(j, "value", m->result.value[f]);
		json_real(j, "capped", m->result.capped[f]);
		json_real(j, "weighted", m->result.weighted[f]);
		json_real(j, "percent", percent(m->points[f], m->size));
		json_close(j);
	}
	json_close(j);
}

static void json_job(struct json *j, const struct snapshot *s, const struct measured *m)
{
	const struct prio_result *result = &m->result;
	const struct job *job = m->job;
	char label[JOB_LABEL_TEXT];

	json_open(j, NULL, '{');
	json_text(j, "job", snapshot_job_label(s, job, label));
	json_int(j, "priority", result->rank);
	json_real(j, "sum", result->sum);
	json_bool(j, "bounded", result->bounded);
	if (job->adjust == JOB_ADJUST_NONE)
		json_null(j, "system");
	else
		json_int(j, "system", job->points);
	json_bool(j, "system_relative", job->adjust == JOB_ADJUST_RELATIVE);
	json_open(j, "components", '{');
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		json_real(j, policy_component_name(c), result->component[c]);
	json_close(j);
	json_open(j, "percents", '{');
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		json_real(j, policy_component_name(c), percent(result->component[c], m->size));
	json_close(j);
	json_factors(j, m);
	json_close(j);
}

/* --- text --------------------------------------------------------------------------------------------- */

/* Columns and their widths. */
struct layout {
	bool factor[PRIO_FACTOR_COUNT];
	bool component[PRIO_COMPONENT_COUNT];
	int width[PRIO_FACTOR_COUNT];
	bool ranks; /* the rank of a job differs from its sum */
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

/* True if ALL, a partition or a QOS gives the factor a weight. */
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

/* The sum as printed, a whole number. */
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

/* One cell: head, then the factors of the component in parentheses, each printed by text. */
static void component_cell(struct report *r, const struct layout *l, enum prio_component component,
			   const char *head,
			   void (*text)(const void *of, enum prio_factor factor, int width, struct str *out),
			   const void *of)
{
	struct str cell = {0};
	const char *between = "(";

	str_add(&cell, head);
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (!l->factor[f] || policy_factor_info(f)->component != component)
			continue;
		str_add(&cell, between);
		text(of, f, l->width[f], &cell);
		between = ":";
	}
	str_add_char(&cell, ')');
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

static void job_row(struct report *r, const struct layout *l, const struct snapshot *s,
		    const struct measured *m)
{
	char label[JOB_LABEL_TEXT], head[40], sum[64];

	report_cell(r, snapshot_job_label(s, m->job, label));
	report_cellf(r, "%s%s", sum_text(sum, &m->result), m->job->adjust != JOB_ADJUST_NONE ? "*" : " ");
	if (l->ranks)
		report_cellf(r, "%lld%s", (long long)m->result.rank, m->result.bounded ? "!" : " ");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6.1f", percent(m->result.component[c], m->size));
		if (l->component[c])
			component_cell(r, l, c, head, value_text, m);
	}
}

/* Sums of absolute components and factors of all jobs. */
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
		add_totals(&totals, &m);
		job_row(&r, &l, env->s, &m);
	}
	totals_row(&r, &l, &totals);
	str_add(out, "Priorities of idle jobs (weights of partition ALL)\n\n");
	report_print(&r, 0, env->ascii, out);
	str_add(out, "\n* priority set by an operator");
	str_add(out, l.ranks ? "   ! the sum was clipped to a bound\n" : "\n");
	report_free(&r);
}

static void print_json(const struct ranking *ranking, struct str *out)
{
	struct json j = {.out = out};
	struct measured m;

	json_open(&j, NULL, '{');
	json_open(&j, "jobs", '[');
	for (uint32_t i = 0; i < ranking->queue.idle_count; i++)
		if (measure(ranking, i, &m))
			json_job(&j, ranking->env->s, &m);
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

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
		print_json(&ranking, env->out);
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
