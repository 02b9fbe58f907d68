/* SPDX-License-Identifier: MIT */
/*
 * cmd_queue.c - what runs, what waits, and what cannot start?
 *
 * Three parts as in Maui's showq: active jobs by when they end, idle jobs by priority,
 * blocked jobs by submission. Estimated starts are those of the instant plan.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "jobtext.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/core/explain.h"
#include "sched/core/plan.h"
#include "select.h"

/* What the report is made from. */
struct view {
	const struct cmd_env *env;
	const struct snapshot *s;
	struct plan plan;
	struct job_filter filter;
	bool active, idle, blocked; /* which parts */
};

static bool shown(const struct view *v, uint32_t slot)
{
	return job_filter_match(&v->filter, v->s, &snapshot_jobs(v->s)[slot]);
}

/* --- JSON ------------------------------------------------------------------------------- */

static void open_job(struct json *j, const struct view *v, const struct job *job)
{
	char label[JOB_LABEL_TEXT];

	json_open(j, NULL, '{');
	json_text(j, "job", snapshot_job_label(v->s, job, label));
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		json_text(j, cred_type_name(type), snapshot_job_cred(v->s, job, type));
	json_text(j, "state", job_state_name(job->state));
	json_int(j, "procs", job_procs(job));
	json_int(j, "wclimit_s", job->wall_limit_s);
}

static void json_active(struct json *j, const struct view *v, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(v->s)[slot];

	open_job(j, v, job);
	json_int(j, "remaining_s", job_due_end_s(job) - v->plan.now_s);
	json_int(j, "start", job->start_s);
	json_bool(j, "backfilled", (job->flags & JOB_BACKFILLED) != 0);
	jobtext_json_nodes(j, "nodes", v->s, job);
	json_close(j);
}

static void json_waiting(struct json *j, const struct view *v, uint32_t slot, int64_t rank, bool blocked)
{
	const struct job *job = &snapshot_jobs(v->s)[slot];
	const struct reason *reason = &v->plan.reason[slot];
	struct str text = {0};

	open_job(j, v, job);
	json_int(j, "priority", rank);
	json_int(j, "queued_since", job->submit_s);
	json_int_or_null(j, "estimated_start", v->plan.start_s[slot], TIME_NEVER);
	json_int_or_null(j, "reserved_start", job->planned_s, TIME_NEVER);
	json_text(j, "holds", job->holds ? job_hold_names(job->holds) : NULL);
	explain_short(v->s, reason, &text);
	json_text(j, "reason", text.len > 0 ? str_text(&text) : NULL);
	str_clear(&text);
	explain_sentence(v->s, job, reason, v->plan.now_s, &text);
	json_text(j, "explanation", text.len > 0 ? str_text(&text) : NULL);
	json_bool(j, "blocked", blocked);
	json_close(j);
	str_free(&text);
}

static void print_json(const struct view *v, struct str *out)
{
	const struct queue *q = &v->plan.queue;
	struct json j = {.out = out};

	json_open(&j, NULL, '{');
	json_int(&j, "now", v->plan.now_s);
	json_int(&j, "procs_total", v->s->procs_total);
	json_int(&j, "procs_busy", v->s->procs_busy);
	json_int(&j, "nodes_total", snapshot_count(v->s, TABLE_NODES));
	json_int(&j, "nodes_busy", v->s->nodes_busy);
	json_open(&j, "active", '[');
	for (uint32_t i = 0; v->active && i < q->active_count; i++)
		if (shown(v, q->active[i]))
			json_active(&j, v, q->active[i]);
	json_close(&j);
	json_open(&j, "idle", '[');
	for (uint32_t i = 0; v->idle && i < q->idle_count; i++)
		if (shown(v, q->idle[i].slot))
			json_waiting(&j, v, q->idle[i].slot, q->idle[i].rank, false);
	json_close(&j);
	json_open(&j, "blocked", '[');
	for (uint32_t i = 0; v->blocked && i < q->blocked_count; i++)
		if (shown(v, q->blocked[i]))
			json_waiting(&j, v, q->blocked[i], jobtext_rank(v->s, q->blocked[i], v->plan.now_s),
				     true);
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

/* --- text ------------------------------------------------------------------------------- */

static const char *cred_or_dash(const struct view *v, const struct job *job, enum cred_type type)
{
	const char *name = snapshot_job_cred(v->s, job, type);

	return name ? name : "-";
}

/* The first columns of every part. mark stands behind the name: see the line below the report. */
static void begin_row(struct report *r, const struct view *v, const struct job *job, const char *mark)
{
	char label[JOB_LABEL_TEXT];

	report_cellf(r, "%s%s", snapshot_job_label(v->s, job, label), mark);
	report_cell(r, cred_or_dash(v, job, CRED_USER));
	report_cell(r, cred_or_dash(v, job, CRED_CLASS));
	report_cell(r, job_state_name(job->state));
	report_cellf(r, "%" PRId64, job_procs(job));
}

static void print_percent(struct str *out, int64_t part, int64_t whole)
{
	str_addf(out, "(%.2f%%)", whole > 0 ? 100.0 * (double)part / (double)whole : 0.0);
}

static void print_use(const struct view *v, uint32_t rows, struct str *out)
{
	uint32_t nodes = snapshot_count(v->s, TABLE_NODES);

	str_addf(out, "\n%" PRIu32 " Active Job%s  %" PRId64 " of %" PRId64 " Processors Active ", rows,
		 rows == 1 ? "" : "s", v->s->procs_busy, v->s->procs_total);
	print_percent(out, v->s->procs_busy, v->s->procs_total);
	str_addf(out, "\n%" PRId64 " of %" PRIu32 " Nodes Active ", v->s->nodes_busy, nodes);
	print_percent(out, v->s->nodes_busy, nodes);
	str_add(out, "\n\n");
}

static uint32_t print_active(const struct view *v, struct str *out)
{
	static const struct report_column columns[] = {
		{"JOB", TEXT_LEFT},   {"USER", TEXT_LEFT},       {"CLASS", TEXT_LEFT},   {"STATE", TEXT_LEFT},
		{"PROC", TEXT_RIGHT}, {"REMAINING", TEXT_RIGHT}, {"STARTED", TEXT_LEFT},
	};
	const struct queue *q = &v->plan.queue;
	struct report r = {.column = columns, .columns = 7};
	char left[DURATION_TEXT], when[MOMENT_TEXT];
	uint32_t rows = 0;

	for (uint32_t i = 0; i < q->active_count; i++) {
		const struct job *job = &snapshot_jobs(v->s)[q->active[i]];

		if (!shown(v, q->active[i]))
			continue;
		rows++;
		begin_row(&r, v, job, job->flags & JOB_BACKFILLED ? "+" : "");
		report_cell(&r, duration_text(left, job_due_end_s(job) - v->plan.now_s));
		report_cell(&r, moment_long(when, job->start_s));
	}
	str_add(out, "ACTIVE JOBS, BY COMPLETION\n");
	report_print(&r, 0, v->env->ascii, out);
	report_free(&r);
	print_use(v, rows, out);
	return rows;
}

static const struct report_column waiting_columns[] = {
	{"JOB", TEXT_LEFT},       {"USER", TEXT_LEFT},        {"CLASS", TEXT_LEFT},     {"STATE", TEXT_LEFT},
	{"PROC", TEXT_RIGHT},     {"WCLIMIT", TEXT_RIGHT},    {"PRIORITY", TEXT_RIGHT}, {"QUEUED", TEXT_LEFT},
	{"EST.START", TEXT_LEFT}, {"WHY NOT NOW", TEXT_LEFT},
};

/* "~" in front of what is only estimated, a blank in front of a reservation. */
static void start_cell(struct report *r, const struct view *v, const struct job *job, int64_t start_s)
{
	char when[MOMENT_TEXT];

	if (start_s == TIME_NEVER)
		report_cell(r, "-");
	else
		report_cellf(r, "%c%s", job->planned_s == start_s ? ' ' : '~',
			     moment_short(when, start_s, v->plan.now_s));
}

static void waiting_row(struct report *r, const struct view *v, uint32_t slot, int64_t rank)
{
	const struct job *job = &snapshot_jobs(v->s)[slot];
	char limit[DURATION_TEXT], when[MOMENT_TEXT];
	struct str why = {0};

	begin_row(r, v, job, job->planned_s != TIME_NEVER ? "*" : "");
	report_cell(r, duration_text(limit, job->wall_limit_s));
	report_cellf(r, "%" PRId64 "%s", rank, job->adjust != JOB_ADJUST_NONE ? "!" : "");
	report_cell(r, moment_long(when, job->submit_s));
	start_cell(r, v, job, v->plan.start_s[slot]);
	explain_short(v->s, &v->plan.reason[slot], &why);
	report_cell(r, str_text(&why));
	str_free(&why);
}

static uint32_t print_idle(const struct view *v, struct str *out)
{
	const struct queue *q = &v->plan.queue;
	struct report r = {.column = waiting_columns, .columns = 10};
	uint32_t rows = 0;

	for (uint32_t i = 0; i < q->idle_count; i++) {
		if (!shown(v, q->idle[i].slot))
			continue;
		waiting_row(&r, v, q->idle[i].slot, q->idle[i].rank);
		rows++;
	}
	str_add(out, "IDLE JOBS, BY PRIORITY\n");
	report_print(&r, 0, v->env->ascii, out);
	str_addf(out, "\n%" PRIu32 " Idle Job%s\n\n", rows, rows == 1 ? "" : "s");
	report_free(&r);
	return rows;
}

static uint32_t print_blocked(const struct view *v, struct str *out)
{
	const struct queue *q = &v->plan.queue;
	struct report r = {.column = waiting_columns, .columns = 10};
	uint32_t rows = 0;

	for (uint32_t i = 0; i < q->blocked_count; i++) {
		if (!shown(v, q->blocked[i]))
			continue;
		waiting_row(&r, v, q->blocked[i], jobtext_rank(v->s, q->blocked[i], v->plan.now_s));
		rows++;
	}
	str_add(out, "BLOCKED JOBS, BY SUBMISSION\n");
	report_print(&r, 0, v->env->ascii, out);
	str_addf(out, "\n%" PRIu32 " Blocked Job%s\n\n", rows, rows == 1 ? "" : "s");
	report_free(&r);
	return rows;
}

static void print_text(const struct view *v, struct str *out)
{
	char now[MOMENT_TEXT];
	uint32_t active = 0, idle = 0, blocked = 0;

	if (v->active)
		active = print_active(v, out);
	if (v->idle)
		idle = print_idle(v, out);
	if (v->blocked)
		blocked = print_blocked(v, out);
	str_addf(out,
		 "Total Jobs: %" PRIu32 "   Active Jobs: %" PRIu32 "   Idle Jobs: %" PRIu32
		 "   Blocked Jobs: %" PRIu32 "\n",
		 active + idle + blocked, active, idle, blocked);
	str_addf(out, "At %s UTC.  + backfilled   * has a reservation   ! priority set by an operator\n",
		 moment_long(now, v->plan.now_s));
}

/* --- the verb --------------------------------------------------------------------------- */

static bool choose(struct view *v, struct cmd_env *env)
{
	bool some = cmd_option(env, "-r") || cmd_option(env, "-i") || cmd_option(env, "-b");
	const char *where = cmd_option(env, "-w"), *user = cmd_option(env, "-u");
	struct str terms = {0};
	bool ok;

	v->active = !some || cmd_option(env, "-r");
	v->idle = !some || cmd_option(env, "-i");
	v->blocked = !some || cmd_option(env, "-b");
	str_add(&terms, where ? where : "");
	if (user)
		str_addf(&terms, " 'user=%s'", user);
	ok = job_filter_read(str_text(&terms), &v->filter, &env->err);
	str_free(&terms);
	return ok;
}

static enum cmd_status run_queue(struct cmd_env *env, int argc, char **argv)
{
	struct view v = {.env = env, .s = env->s};

	(void)argc;
	(void)argv;
	if (!choose(&v, env))
		return CMD_USAGE;
	plan_build(&v.plan, env->s, env->now_s);
	if (env->json)
		print_json(&v, env->out);
	else
		print_text(&v, env->out);
	plan_clear(&v.plan);
	job_filter_clear(&v.filter);
	return CMD_DONE;
}

const struct cmd cmd_queue = {
	.name = "queue",
	.alias = "showq",
	.args = "",
	.help = "The queue: what runs, what waits and until when, what cannot start and why.",
	.options =
		(const struct cmd_option[]){
			{"-r", NULL, "running jobs"},
			{"-i", NULL, "idle jobs"},
			{"-b", NULL, "blocked jobs"},
			{"-u", "USER", "this user's jobs"},
			{"-w", "TERMS", "jobs that match: 'user=eva state=idle'"},
			{0},
		},
	.flags = CMD_STORE,
	.run = run_queue,
};
