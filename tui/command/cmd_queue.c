/* SPDX-License-Identifier: MIT */
/*
 * cmd_queue.c - kahu queue: active, idle and blocked jobs
 *
 * Three parts as in Maui's showq: active jobs in order of end, idle jobs by priority, blocked jobs by number.
 */
#include <string.h>

#include "cmd.h"
#include "sched/base/json.h"
#include "tui/report/ended.h"
#include "tui/report/job_text.h"
#include "tui/report/queue_report.h"

/* --- JSON --------------------------------------------------------------------------------------------- */

/* ID and index of an array task; null for other jobs. */
static void json_array(struct json *j, const struct job *job)
{
	json_int_or_null(j, "array", (int64_t)job->array, 0);
	json_int_or_null(j, "array_index", job->array == 0 ? -1 : (int64_t)job->array_index, -1);
}

static void open_job(struct json *j, const struct queue_report *r, const struct job *job)
{
	char label[JOB_LABEL_TEXT];

	json_open(j, NULL, '{');
	json_text(j, "job", snapshot_job_label(r->s, job, label));
	job_text_json_creds(j, r->s, job);
	json_text(j, "state", job_text_state(job, r->future.plan.now_s));
	json_int(j, "procs", job_procs_counted(job));
	json_int(j, "wclimit_s", job->wall_limit_s);
}

static void json_name(struct json *j, const struct queue_report *r, const struct job *job)
{
	json_text(j, "name", job->name != 0 ? snapshot_string(r->s, job->name) : NULL);
}

static void json_active(struct json *j, const struct queue_report *r, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(r->s)[slot];

	open_job(j, r, job);
	json_int(j, "remaining_s", job_left_s(job, r->future.plan.now_s));
	json_int(j, "start", job->start_s);
	json_bool(j, "backfilled", (job->flags & JOB_BACKFILLED) != 0);
	json_bool(j, "over_soft", r->over_soft[slot]);
	json_int_or_null(j, "mem_mb", job->mem_mb, 0);
	json_name(j, r, job);
	job_text_json_nodes(j, "nodes", r->s, job);
	json_array(j, job);
	json_close(j);
}

static void json_waiting(struct json *j, const struct queue_report *r, uint32_t slot, bool blocked)
{
	const struct job *job = &snapshot_jobs(r->s)[slot];
	const struct reason reason = explain_future(&r->future, slot).reason;
	const struct future_start start = future_start(&r->future, slot);
	struct str text = {0};

	open_job(j, r, job);
	json_int(j, "priority", queue_report_rank(r, slot));
	json_int(j, "queued_since", job->submit_s);
	json_int_or_null(j, "estimated_start", start.start_s, TIME_NEVER);
	json_int_or_null(j, "reserved_start", job->planned_s, TIME_NEVER);
	json_text(j, "holds", job->holds ? job_hold_names(job->holds) : NULL);
	job_text_short(r->s, &reason, r->future.plan.now_s, &text);
	json_text(j, "reason", text.len > 0 ? str_text(&text) : NULL);
	str_clear(&text);
	job_text_sentence(r->s, job, &reason, r->future.plan.now_s, &text);
	json_text(j, "explanation", text.len > 0 ? str_text(&text) : NULL);
	json_int_or_null(j, "mem_mb", job->mem_mb, 0);
	json_name(j, r, job);
	json_bool(j, "blocked", blocked);
	json_array(j, job);
	json_text(j, "tier", future_tier_name(start.tier));
	json_close(j);
	str_free(&text);
}

struct json_completed {
	const struct queue_report *r;
	struct json *j;
};

static void json_ended(void *self, const struct ended_job *ended)
{
	struct json_completed *c = self;
	const struct job_record *record = &ended->record;
	char label[ENDED_LABEL_TEXT];

	if (!ended_matches(&c->r->filter, ended))
		return;
	json_open(c->j, NULL, '{');
	json_text(c->j, "job", ended_label(record, label));
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		json_text(c->j, cred_type_name(type), record->cred[type]);
	json_text(c->j, "state", ended_outcome(ended));
	json_int(c->j, "procs", job_procs_counted(&record->job));
	json_int(c->j, "wclimit_s", record->job.wall_limit_s);
	json_int(c->j, "submit", record->job.submit_s);
	json_int_or_null(c->j, "start", record->job.start_s, TIME_NONE);
	json_int(c->j, "end", ended->end_s);
	json_int(c->j, "status", ended->status);
	json_text(c->j, "name", record->name);
	json_array(c->j, &record->job);
	json_close(c->j);
}

static bool json_completed(struct json *j, const struct queue_report *r)
{
	struct json_completed c = {.r = r, .j = j};
	struct ended_wish wish = {.jobs = {.after = {.end_s = INT64_MIN}}};
	bool ok;

	ended_narrow(&wish, &r->filter);
	json_open(j, "completed", '[');
	ok = ended_find(r->env, &wish, json_ended, &c);
	json_close(j);
	return ok;
}

static bool print_json(const struct queue_report *r, struct str *out)
{
	const struct queue *q = &r->future.plan.queue;
	struct json j = {.out = out};
	bool ok = true;

	json_open(&j, NULL, '{');
	json_int(&j, "now", r->future.plan.now_s);
	json_int(&j, "procs_total", r->s->procs_total);
	json_int(&j, "procs_busy", r->s->procs_busy);
	json_int(&j, "nodes_total", snapshot_count(r->s, TABLE_NODES));
	json_int(&j, "nodes_busy", r->s->nodes_busy);
	json_open(&j, "active", '[');
	for (uint32_t i = 0; r->active && i < q->active_count; i++)
		if (queue_report_shows(r, q->active[i]))
			json_active(&j, r, q->active[i]);
	json_close(&j);
	json_open(&j, "idle", '[');
	for (uint32_t i = 0; r->idle && i < q->idle_count; i++)
		if (queue_report_shows(r, q->idle[i].slot))
			json_waiting(&j, r, q->idle[i].slot, false);
	json_close(&j);
	json_open(&j, "blocked", '[');
	for (uint32_t i = 0; r->blocked && i < q->blocked_count; i++)
		if (queue_report_shows(r, r->blocked_jobs[i].slot))
			json_waiting(&j, r, r->blocked_jobs[i].slot, true);
	json_close(&j);
	json_text(&j, "tier", queue_report_has_starts(r) ? future_tier_name(r->future.tier) : NULL);
	if (r->completed)
		ok = json_completed(&j, r);
	json_close(&j);
	str_add_char(out, '\n');
	return ok;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static bool choose_jobs(struct queue_report *r)
{
	struct cmd_env *env = r->env;
	const char *where = cmd_option(env, "-w"), *user = cmd_option(env, "-u");
	struct str terms = {0};
	bool ok;

	str_add(&terms, where ? where : "");
	if (user)
		str_addf(&terms, " 'user=%s'", user);
	ok = job_filter_read(str_text(&terms), &r->filter, &env->err) &&
	     (cmd_option(env, "-c") != NULL || job_filter_is_live(&r->filter, &env->err));
	str_free(&terms);
	return ok;
}

static bool choose_partition(struct queue_report *r)
{
	const char *name = cmd_option(r->env, "-p");
	uint32_t count = snapshot_count(r->s, TABLE_PARTITIONS);

	while (name && r->partition < count &&
	       !str_same_word(snapshot_string(r->s, snapshot_partitions(r->s)[r->partition].name), name))
		r->partition++;
	return !name || r->partition < count ||
	       err_set(&r->env->err, "unknown partition '%s'; 'kahu config' lists partitions", name);
}

static void choose_parts(struct queue_report *r)
{
	struct cmd_env *env = r->env;
	bool some = cmd_option(env, "-r") || cmd_option(env, "-i") || cmd_option(env, "-b") ||
		    cmd_option(env, "-c");

	r->active = !some || cmd_option(env, "-r");
	r->idle = !some || cmd_option(env, "-i");
	r->blocked = !some || cmd_option(env, "-b");
	r->completed = cmd_option(env, "-c");
	r->long_form = some || cmd_option(env, "-v");
	r->names = cmd_option(env, "-n");
	r->tasks = cmd_option(env, "-t");
}

static enum cmd_status run_queue(struct cmd_env *env, int argc, char **argv)
{
	struct queue_report r = {.env = env, .s = env->s};
	bool ok;

	(void)argc;
	if (!choose_jobs(&r))
		return CMD_USAGE;
	if (!choose_partition(&r)) {
		job_filter_clear(&r.filter);
		return CMD_REFUSED;
	}
	choose_parts(&r);
	/* Scripts read the output of showq, which has no such column. */
	r.name_column = !r.names && strcmp(argv[0], "showq") != 0 && queue_report_has_names(&r);
	queue_report_look(&r);
	ok = env->json ? print_json(&r, env->out) : queue_report_print(&r, env->out);
	queue_report_forget(&r);
	return ok ? CMD_DONE : CMD_FAILED;
}

const struct cmd cmd_queue = {
	.name = "queue",
	.alias = "showq",
	.args = "",
	.help = "Show the queue: running jobs, idle jobs with their estimated starts, and blocked jobs with "
		"the reasons.",
	.options =
		(const struct cmd_option[]){
			{"-r", NULL, "list running jobs"},
			{"-i", NULL,
			 "list idle jobs with estimated starts (~: instant plan) and reasons for waiting"},
			{"-b", NULL, "list blocked jobs with the reasons"},
			{"-c", NULL, "list completed jobs"},
			{"-v", NULL, "list all sections of the queue in full"},
			{"-n", NULL, "show job names"},
			{"-t", NULL, "list idle array tasks one by one"},
			{"-p", "PARTITION", "list jobs of this partition"},
			{"-u", "USER", "list jobs of this user"},
			{"-w", "TERMS", "jobs that match: 'user=eva state=idle name=fit*'"},
			{0},
		},
	.flags = CMD_STORE | CMD_PAST,
	.run = run_queue,
};
