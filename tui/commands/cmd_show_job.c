/* SPDX-License-Identifier: MIT */
/*
 * cmd_show_job.c - what is known about one job?
 */
#include <inttypes.h>

#include "cmd.h"
#include "complete.h"
#include "jobtext.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/core/explain.h"
#include "sched/core/plan.h"
#include "sched/core/priority.h"
#include "select.h"

/* One job with what is computed about it. */
struct about {
	const struct cmd_env *env;
	const struct snapshot *s;
	const struct job *job;
	uint32_t slot;
	struct plan plan;
	struct prio_result priority;
	struct str why; /* sentence; empty for a running job */
};

static void look(struct about *a)
{
	plan_build(&a->plan, a->s, a->env->now_s);
	queue_priority(a->s, a->job, a->env->now_s, &a->plan.queue.shares, &a->priority);
	if (a->job->state == JOB_IDLE)
		explain_sentence(a->s, a->job, &a->plan.reason[a->slot], a->env->now_s, &a->why);
}

/* --- JSON ------------------------------------------------------------------------------- */

static void json_creds(struct json *j, const struct about *a)
{
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		json_text(j, cred_type_name(type), snapshot_job_cred(a->s, a->job, type));
}

static void json_request(struct json *j, const struct job *job)
{
	json_int(j, "procs", job_procs(job));
	json_int(j, "tasks", job->tasks);
	json_int(j, "task_procs", job->task_procs);
	json_int_or_null(j, "nodes_asked", job->nodes, 0);
	json_int(j, "wclimit_s", job->wall_limit_s);
	json_int_or_null(j, "mem_mb", job->mem_mb, 0);
	json_int_or_null(j, "swap_mb", job->swap_mb, 0);
	json_int_or_null(j, "disk_mb", job->disk_mb, 0);
}

static void json_times(struct json *j, const struct about *a)
{
	const struct job *job = a->job;

	json_int(j, "submit", job->submit_s);
	json_int(j, "queued_s", job_queued_s(job, a->env->now_s));
	json_int_or_null(j, "not_before", job->not_before_s, TIME_NONE);
	json_int_or_null(j, "start", job->start_s, TIME_NONE);
	json_int_or_null(j, "due_end", job->state == JOB_RUNNING ? job_due_end_s(job) : TIME_NONE, TIME_NONE);
	json_int_or_null(j, "reserved_start", job->planned_s, TIME_NEVER);
	json_int_or_null(j, "estimated_start", job->state == JOB_IDLE ? a->plan.start_s[a->slot] : TIME_NEVER,
			 TIME_NEVER);
}

static void print_json(const struct about *a, struct str *out)
{
	const struct job *job = a->job;
	struct json j = {.out = out};
	char label[JOB_LABEL_TEXT];

	json_open(&j, NULL, '{');
	json_text(&j, "job", snapshot_job_label(a->s, job, label));
	json_int(&j, "id", (int64_t)job->id);
	json_text(&j, "name", job->name ? snapshot_string(a->s, job->name) : NULL);
	json_text(&j, "state", job_state_name(job->state));
	json_creds(&j, a);
	json_text(&j, "partition", snapshot_string(a->s, snapshot_partitions(a->s)[job->partition].name));
	json_request(&j, job);
	json_times(&j, a);
	json_int(&j, "priority", a->priority.rank);
	json_int_or_null(&j, "system", job->adjust == JOB_ADJUST_NONE ? INT64_MIN : job->points, INT64_MIN);
	json_text(&j, "holds", job->holds ? job_hold_names(job->holds) : NULL);
	json_int(&j, "bypass", job->bypass);
	json_bool(&j, "backfilled", (job->flags & JOB_BACKFILLED) != 0);
	jobtext_json_nodes(&j, "nodes", a->s, job);
	json_text(&j, "explanation", a->why.len > 0 ? str_text(&a->why) : NULL);
	json_close(&j);
	str_add_char(out, '\n');
}

/* --- text ------------------------------------------------------------------------------- */

static void row_moment(struct report *r, const struct about *a, const char *what, int64_t at_s,
		       int64_t none_s)
{
	struct str text = {0};

	if (at_s == none_s)
		return;
	jobtext_moment(&text, at_s, a->env->now_s);
	report_cell(r, what);
	report_cell(r, str_text(&text));
	str_free(&text);
}

static void rows_of_creds(struct report *r, const struct about *a)
{
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		const char *name = snapshot_job_cred(a->s, a->job, type);

		if (!name)
			continue;
		report_cell(r, cred_type_name(type));
		report_cell(r, name);
	}
}

static void row_memory(struct report *r, const char *what, int64_t mb)
{
	if (mb <= 0)
		return;
	report_cell(r, what);
	report_cellf(r, "%" PRId64 " MB a task", mb);
}

static void rows_of_request(struct report *r, const struct job *job)
{
	char limit[DURATION_TEXT];

	report_cell(r, "asks for");
	report_cellf(r, "%" PRId64 " processors for %s", job_procs(job),
		     duration_text(limit, job->wall_limit_s));
	row_memory(r, "memory", job->mem_mb);
	row_memory(r, "swap", job->swap_mb);
	row_memory(r, "disk", job->disk_mb);
}

static void rows_of_time(struct report *r, const struct about *a)
{
	const struct job *job = a->job;
	char queued[DURATION_TEXT];

	row_moment(r, a, "submitted", job->submit_s, TIME_NONE);
	report_cell(r, "queued");
	report_cellf(r, "%s effective", duration_text(queued, job_queued_s(job, a->env->now_s)));
	row_moment(r, a, "not before", job->not_before_s, TIME_NONE);
	row_moment(r, a, "started", job->start_s, TIME_NONE);
	if (job->state == JOB_RUNNING) {
		row_moment(r, a, "ends by", job_due_end_s(job), TIME_NONE);
		return;
	}
	row_moment(r, a, "reserved start", job->planned_s, TIME_NEVER);
	row_moment(r, a, "estimated start", a->plan.start_s[a->slot], TIME_NEVER);
}

static void rows_of_rank(struct report *r, const struct about *a)
{
	const struct job *job = a->job;

	report_cell(r, "priority");
	if (job->adjust == JOB_ADJUST_RELATIVE)
		report_cellf(r, "%" PRId64 "  (an operator's %+" PRId64 " in it)", a->priority.rank,
			     job->points);
	else if (job->adjust == JOB_ADJUST_ABSOLUTE)
		report_cellf(r, "%" PRId64 "  (set by an operator)", a->priority.rank);
	else
		report_cellf(r, "%" PRId64, a->priority.rank);
	report_cell(r, "holds");
	report_cell(r, job_hold_names(job->holds));
	report_cell(r, "bypass");
	report_cellf(r, "%" PRIu32, job->bypass);
}

static void rows_of_nodes(struct report *r, const struct about *a)
{
	struct str nodes = {0};

	if (a->job->state != JOB_RUNNING)
		return;
	jobtext_nodes(a->s, a->job, &nodes);
	report_cell(r, "nodes");
	report_cell(r, str_text(&nodes));
	str_free(&nodes);
}

static void print_text(const struct about *a, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	char label[JOB_LABEL_TEXT];

	report_cell(&r, "job");
	report_cell(&r, snapshot_job_label(a->s, a->job, label));
	if (a->job->name) {
		report_cell(&r, "name");
		report_cell(&r, snapshot_string(a->s, a->job->name));
	}
	report_cell(&r, "state");
	report_cellf(&r, "%s%s", job_state_name(a->job->state),
		     a->job->flags & JOB_BACKFILLED ? ", backfilled" : "");
	rows_of_creds(&r, a);
	rows_of_request(&r, a->job);
	rows_of_time(&r, a);
	rows_of_rank(&r, a);
	rows_of_nodes(&r, a);
	report_print(&r, 0, a->env->ascii, out);
	report_free(&r);
	if (a->why.len > 0) {
		str_add_char(out, '\n');
		text_safe(out, str_text(&a->why), a->env->ascii);
		str_add(out, "\n");
	}
}

static enum cmd_status run_job(struct cmd_env *env, int argc, char **argv)
{
	struct about a = {.env = env, .s = env->s, .slot = select_job(env->s, argv[1], &env->err)};

	(void)argc;
	if (a.slot == INDEX_NONE)
		return CMD_REFUSED;
	a.job = &snapshot_jobs(env->s)[a.slot];
	look(&a);
	if (env->json)
		print_json(&a, env->out);
	else
		print_text(&a, env->out);
	plan_clear(&a.plan);
	str_free(&a.why);
	return CMD_DONE;
}

const struct cmd cmd_job = {
	.name = "job",
	.alias = "checkjob",
	.args = "JOB",
	.help = "Everything about one job.",
	.min = 1,
	.max = 1,
	.flags = CMD_STORE,
	.run = run_job,
	.complete = complete_jobs,
};
