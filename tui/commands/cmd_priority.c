/* SPDX-License-Identifier: MIT */
/*
 * cmd_priority.c - why does each idle job stand where it stands?
 *
 * The table of Maui's diagnose -p: under each component its share of the job's priority in
 * percent, and in brackets the factors as they were measured and capped. The row of
 * weights stands above, the shares of all jobs together below; what has no weight is left
 * out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "jobtext.h"
#include "report.h"
#include "sched/base/json.h"
#include "sched/core/queue.h"
#include "select.h"

/* --- JSON ------------------------------------------------------------------------------- */

static void json_factors(struct json *j, const struct prio_result *result)
{
	json_open(j, "factors", '{');
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		json_open(j, policy_factor_info(f)->name, '{');
		json_real(j, "value", result->value[f]);
		json_real(j, "capped", result->capped[f]);
		json_real(j, "weighted", result->weighted[f]);
		json_close(j);
	}
	json_close(j);
}

static void json_job(struct json *j, const struct snapshot *s, const struct job *job,
		     const struct prio_result *result)
{
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
	json_factors(j, result);
	json_close(j);
}

/* --- text ------------------------------------------------------------------------------- */

/* What is shown, and in how many cells. */
struct layout {
	bool factor[PRIO_FACTOR_COUNT];
	bool component[PRIO_COMPONENT_COUNT];
	int width[PRIO_FACTOR_COUNT];
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

/* Weights of ALL or of any partition count; so does what a QOS adds. */
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

static void fit_layout(struct layout *l, const struct prio_result *result)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (result->weighted[f] != 0)
			l->factor[f] = true;
		widen(&l->width[f], number_width(result->capped[f]));
	}
}

static void end_layout(struct layout *l)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (l->factor[f])
			l->component[policy_factor_info(f)->component] = true;
}

/* One cell: what stands before the bracket, then each factor as `text` gives it. */
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
	str_addf(out, "%*.1f", width, ((const struct prio_result *)of)->capped[factor]);
}

static void share_text(const void *of, enum prio_factor factor, int width, struct str *out)
{
	str_addf(out, "%*.1f", width, ((const double *)of)[factor]);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * fabs(part) / whole : 0;
}

static double sum_of_sizes(const double component[static PRIO_COMPONENT_COUNT])
{
	double sum = 0;

	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		sum += fabs(component[c]);
	return sum;
}

static void title_rows(struct report *r, const struct layout *l, const struct snapshot *s)
{
	char head[40];

	report_cell(r, "Job");
	report_cell(r, "PRIORITY");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6s", policy_component_name(c));
		if (l->component[c])
			component_cell(r, l, c, head, title_text, NULL);
	}
	report_cell(r, "Weights");
	report_cell(r, "--------");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6g", s->policy.weights.component[c]);
		if (l->component[c])
			component_cell(r, l, c, head, weight_text, &s->policy.weights);
	}
}

static void job_row(struct report *r, const struct layout *l, const struct snapshot *s, const struct job *job,
		    const struct prio_result *result)
{
	double all = sum_of_sizes(result->component);
	char label[JOB_LABEL_TEXT], head[40];

	report_cell(r, snapshot_job_label(s, job, label));
	report_cellf(r, "%lld%s", (long long)result->rank, job->adjust != JOB_ADJUST_NONE ? "*" : " ");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6.1f", percent(result->component[c], all));
		if (l->component[c])
			component_cell(r, l, c, head, value_text, result);
	}
}

/* Sizes of what each component and factor gave, over all jobs. */
struct totals {
	double component[PRIO_COMPONENT_COUNT];
	double factor[PRIO_FACTOR_COUNT];
};

static void add_totals(struct totals *t, const struct prio_result *result)
{
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		double within = 0;

		t->component[c] += fabs(result->component[c]);
		for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
			if (policy_factor_info(f)->component == c)
				within += fabs(result->weighted[f]);
		/* A factor's part of what its component gave, caps and weights included. */
		for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT && within > 0; f++)
			if (policy_factor_info(f)->component == c)
				t->factor[f] +=
					fabs(result->component[c]) * fabs(result->weighted[f]) / within;
	}
}

static void totals_row(struct report *r, const struct layout *l, const struct totals *t)
{
	double all = sum_of_sizes(t->component), share[PRIO_FACTOR_COUNT];
	char head[40];

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		share[f] = percent(t->factor[f], all);
	report_cell(r, "Percent");
	report_cell(r, "--------");
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(head, sizeof head, "%6.1f", percent(t->component[c], all));
		if (l->component[c])
			component_cell(r, l, c, head, share_text, share);
	}
}

/* --- the verb --------------------------------------------------------------------------- */

/* Idle jobs in queue order that the filter lets through. */
struct ranking {
	struct queue queue;
	struct job_filter filter;
};

static bool skips(const struct ranking *ranking, const struct snapshot *s, uint32_t at)
{
	return !job_filter_match(&ranking->filter, s, &snapshot_jobs(s)[ranking->queue.idle[at].slot]);
}

static void measure_columns(struct cmd_env *env, const struct ranking *ranking, struct layout *l)
{
	struct prio_result result;

	begin_layout(l, env->s);
	for (uint32_t i = 0; i < ranking->queue.idle_count; i++) {
		if (skips(ranking, env->s, i))
			continue;
		jobtext_priority(env->s, ranking->queue.idle[i].slot, env->now_s, &result);
		fit_layout(l, &result);
	}
	end_layout(l);
}

static void print_text(struct cmd_env *env, const struct ranking *ranking)
{
	struct report_column column[2 + PRIO_COMPONENT_COUNT] = {{"", TEXT_LEFT}, {"", TEXT_RIGHT}};
	struct report r = {.column = column, .columns = 2, .no_titles = true};
	struct totals totals = {{0}, {0}};
	struct prio_result result;
	struct layout l;

	measure_columns(env, ranking, &l);
	for (enum prio_component c = 0; c < PRIO_COMPONENT_COUNT; c++)
		if (l.component[c])
			column[r.columns++] = (struct report_column){"", TEXT_LEFT};
	title_rows(&r, &l, env->s);
	for (uint32_t i = 0; i < ranking->queue.idle_count; i++) {
		uint32_t slot = ranking->queue.idle[i].slot;

		if (skips(ranking, env->s, i))
			continue;
		jobtext_priority(env->s, slot, env->now_s, &result);
		add_totals(&totals, &result);
		job_row(&r, &l, env->s, &snapshot_jobs(env->s)[slot], &result);
	}
	totals_row(&r, &l, &totals);
	str_add(env->out, "Priorities of idle jobs (weights of partition ALL)\n\n");
	report_print(&r, 0, env->ascii, env->out);
	str_add(env->out, "\n* priority set by an operator\n");
	report_free(&r);
}

static void print_json(struct cmd_env *env, const struct ranking *ranking)
{
	struct json j = {.out = env->out};
	struct prio_result result;

	json_open(&j, NULL, '{');
	json_open(&j, "jobs", '[');
	for (uint32_t i = 0; i < ranking->queue.idle_count; i++) {
		uint32_t slot = ranking->queue.idle[i].slot;

		if (skips(ranking, env->s, i))
			continue;
		jobtext_priority(env->s, slot, env->now_s, &result);
		json_job(&j, env->s, &snapshot_jobs(env->s)[slot], &result);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(env->out, '\n');
}

static enum cmd_status run_priority(struct cmd_env *env, int argc, char **argv)
{
	const char *where = cmd_option(env, "-w");
	struct ranking ranking = {0};

	(void)argc;
	(void)argv;
	if (where && !job_filter_read(where, &ranking.filter, &env->err))
		return CMD_USAGE;
	queue_build(&ranking.queue, env->s, env->now_s);
	if (env->json)
		print_json(env, &ranking);
	else
		print_text(env, &ranking);
	queue_clear(&ranking.queue);
	job_filter_clear(&ranking.filter);
	return CMD_DONE;
}

const struct cmd cmd_priority = {
	.name = "priority",
	.args = "",
	.help = "The priority of every idle job, taken apart into its components and factors.",
	.options =
		(const struct cmd_option[]){
			{"-w", "TERMS", "jobs that match: 'user=eva qos=hi'"},
			{0},
		},
	.flags = CMD_STORE,
	.run = run_priority,
};
