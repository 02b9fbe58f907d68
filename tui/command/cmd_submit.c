/* SPDX-License-Identifier: MIT */
/*
 * cmd_submit.c - kahu submit and sbatch
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "never_starts.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/state/draft.h"
#include "sched/state/state.h"
#include "tui/command/submit_input.h"
#include "tui/draw/text.h"
#include "tui/report/job_text.h"
#include "tui/serve/client.h"

/* Prints a warning. The console has only one line for messages. */
static void warn(const struct cmd_env *env, const char *text, size_t len)
{
	if (env->console == NULL && len > 0)
		fprintf(stderr, "kahu: %.*s\n", (int)len, text);
}

/* Prints all problems but the last, which is the error of the verb. */
static void show_problems(const struct cmd_env *env, const struct submission *s)
{
	const char *line = str_text(&s->problems), *end = strchr(line, '\n');

	for (; end != NULL && end[1] != '\0'; line = end + 1, end = strchr(line, '\n'))
		warn(env, line, (size_t)(end - line));
}

static void show_ignored(const struct cmd_env *env, const struct submission *s)
{
	struct str line = {0};

	if (s->ignored.len == 0)
		return;
	str_addf(&line, "ignored, no effect here: %s", str_text(&s->ignored));
	warn(env, str_text(&line), line.len);
	str_free(&line);
}

/* --- --dry-run ---------------------------------------------------------------------------------------- */

static void row(struct str *out, const char *name, const char *text)
{
	if (text != NULL && text[0] != '\0')
		str_addf(out, "%-11s %s\n", name, text);
}

static void row_number(struct str *out, const char *name, int64_t value, const char *unit)
{
	if (value > 0)
		str_addf(out, "%-11s %" PRId64 "%s\n", name, value, unit);
}

/* The projected outcome. */
struct outcome {
	bool known;       /* the submission was tried on a state */
	int64_t given_mb; /* default memory of each task; 0 = none */
	struct str never; /* why it can never start; "" = it can */
	struct str start; /* the estimated start, or why there is none                           */
	struct future_start estimated;
};

/* The job is in a slot of a copy of the state. */
static void estimate_start(struct cmd_env *env, const struct snapshot *then, uint32_t slot,
			   struct outcome *out)
{
	const struct job *job = &snapshot_jobs(then)[slot];
	struct future future = {.side = {.s = NULL}};
	struct reason reason;

	out->estimated = estimated_job(&future, env, then, slot, ASSUME_WCLIMIT, NULL);
	reason = explain_future(&future, slot).reason;
	if (out->estimated.start_s != TIME_NEVER) {
		estimated_text(&out->start, &out->estimated, TIME_NEVER, env->now_s);
	} else {
		str_add(&out->start, "no estimated start: it ");
		job_text_predicate(then, job, &reason, env->now_s, &out->start);
	}
	future_clear(&future);
}

/* Tries the submission on a copy of the state, if there is one. */
static void try_out(struct cmd_env *env, const struct submit_input *in, struct outcome *out)
{
	struct cmd_changes *changes = env->changes;
	const struct snapshot *s = env->s;
	struct state *copy;
	uint32_t slot;

	if (s == NULL && env->client != NULL)
		s = client_state(env->client, &env->now_s, &(struct err){{0}});
	if (s == NULL || snapshot_count(s, TABLE_NODES) == 0)
		return;
	if (env->now_s < s->now_s)
		env->now_s = s->now_s;
	submit_input_add(env, in);
	submission_set_owner(&changes->event[0]);
	changes->event[0].time_s = env->now_s;
	changes->event[0].who = changes->event[0].submit.cred[CRED_USER];
	copy = draft_make(s, changes->event, 1, NULL, NULL);
	slot = copy == NULL ? INDEX_NONE : snapshot_find_job(state_view(copy), s->next_job_id);
	if (slot != INDEX_NONE) {
		out->known = true;
		if (in->submission.record.job.mem_mb == 0)
			out->given_mb = snapshot_jobs(state_view(copy))[slot].mem_mb;
		if (submissions_can_start_in(env, s, env->now_s, &out->never))
			estimate_start(env, state_view(copy), slot, out);
	}
	if (copy != NULL)
		state_free(copy);
	changes->count = 0;
}

static void outcome_free(struct outcome *out)
{
	str_free(&out->never);
	str_free(&out->start);
}

static void print_start(const struct cmd_env *env, const struct outcome *outcome, struct str *out)
{
	const struct str *text = outcome->never.len > 0 ? &outcome->never : &outcome->start;

	str_addf(out, "%-11s ", "start");
	if (!outcome->known) {
		str_add(out, "unknown: no scheduler is running\n");
		return;
	}
	if (outcome->never.len > 0)
		str_add(out, "never: ");
	text_safe(out, str_text(text), env->ascii);
	str_add_char(out, '\n');
}

static void print_text(const struct cmd_env *env, const struct submission *s, const struct outcome *outcome,
		       struct str *out)
{
	const struct job_record *record = &s->record;
	const struct job *job = &record->job;
	char time[DURATION_TEXT] = "";

	if (job->wall_limit_s > 0)
		duration_text(time, job->wall_limit_s);
	row(out, "name", record->name);
	row_number(out, "nodes", job->nodes, "");
	str_addf(out, "%-11s %u of %u processor%s\n", "tasks", job->tasks, job->task_procs,
		 job->task_procs == 1 ? "" : "s");
	row_number(out, "per node", job->tasks_per_node, " tasks");
	row_number(out, "memory", job->mem_mb, " MB a task");
	row_number(out, "memory", outcome->given_mb, " MB a task (default)");
	row(out, "resources", record->gres);
	row(out, "time limit", time);
	row_number(out, "array", s->range_count > 0 ? qsub_tasks(s) : 0, " tasks");
	row_number(out, "at a time", s->throttle, " tasks");
	row(out, "class", record->cred[CRED_CLASS]);
	row(out, "account", record->cred[CRED_ACCOUNT]);
	row(out, "qos", record->cred[CRED_QOS]);
	row(out, "features", record->features);
	row(out, "hosts", record->hosts);
	row(out, "after", s->depend);
	row(out, "singleton", s->draft.singleton ? "yes" : NULL);
	row(out, "exclusive", job->access == ACCESS_SINGLEJOB ? "yes" : NULL);
	row(out, "hold", s->hold ? "user" : NULL);
	row(out, "mail", s->mail);
	row(out, "mail to", s->mail_to);
	row(out, "folder", s->launch.dir);
	row(out, "output", s->launch.output);
	row(out, "errors", s->launch.errors);
	row_number(out, "signal", s->launch.own_signal, "");
	row(out, "ignored", str_text(&s->ignored));
	print_start(env, outcome, out);
}

static void print_json(const struct cmd_env *env, const struct submission *s, const struct outcome *outcome,
		       struct str *out)
{
	const struct job_record *record = &s->record;
	const struct future_start *start = &outcome->estimated;
	struct json j = {.out = out};

	(void)env;
	json_open(&j, NULL, '{');
	json_text(&j, "name", record->name);
	json_int(&j, "nodes", record->job.nodes);
	json_int(&j, "tasks", record->job.tasks);
	json_int(&j, "task_procs", record->job.task_procs);
	json_int(&j, "mem_mb", record->job.mem_mb);
	json_int(&j, "wclimit_s", record->job.wall_limit_s);
	json_int_or_null(&j, "default_mem_mb", outcome->given_mb, 0);
	json_int(&j, "array_tasks", s->range_count > 0 ? qsub_tasks(s) : 0);
	json_text(&j, "gres", record->gres);
	json_text(&j, "class", record->cred[CRED_CLASS]);
	json_text(&j, "account", record->cred[CRED_ACCOUNT]);
	json_text(&j, "qos", record->cred[CRED_QOS]);
	json_text(&j, "depend", s->depend);
	json_text(&j, "folder", s->launch.dir);
	json_text(&j, "output", s->launch.output);
	json_text(&j, "errors", s->launch.errors);
	json_text(&j, "ignored", s->ignored.len > 0 ? str_text(&s->ignored) : NULL);
	json_int_or_null(&j, "estimated_start", outcome->start.len > 0 ? start->start_s : TIME_NEVER,
			 TIME_NEVER);
	json_text(&j, "tier", outcome->start.len > 0 ? future_tier_name(start->tier) : NULL);
	json_text(&j, "never", outcome->never.len > 0 ? str_text(&outcome->never) : NULL);
	json_close(&j);
	str_add_char(out, '\n');
}

static void show(struct cmd_env *env, const struct submit_input *in)
{
	struct outcome outcome = {.known = false};

	try_out(env, in, &outcome);
	(env->json ? print_json : print_text)(env, &in->submission, &outcome, env->out);
	outcome_free(&outcome);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

/* The console previews the submission before it posts it, so it is checked here. */
static enum cmd_status add(struct cmd_env *env, const struct submit_input *in)
{
	submit_input_add(env, in);
	if (env->console == NULL || env->s == NULL || env->changes->forced ||
	    submissions_can_start(env, NULL, env->s))
		return CMD_DONE;
	env->changes->count = 0;
	return CMD_REFUSED;
}

/* With --dry-run a refusal is a warning. With --force folders may be created later. */
static enum cmd_status check_folders(struct cmd_env *env, const struct submit_input *in)
{
	const struct submission *s = &in->submission;
	struct err why = {{0}};

	if (s->draft.force || env->replay != NULL || submit_input_check_folders(in, &why))
		return CMD_DONE;
	if (!s->draft.dry_run) {
		env->err = why;
		return CMD_REFUSED;
	}
	err_prefix(&why, "would be refused");
	warn(env, why.text, strlen(why.text));
	return CMD_DONE;
}

static enum cmd_status submit(struct cmd_env *env, int argc, char **argv, bool slurm)
{
	struct submit_input in = {.no_input = env->console != NULL, .slurm = slurm};
	enum cmd_status status = submit_input_read(&in, argc, argv, &env->err);
	const struct submission *s = &in.submission;

	env->changes->forced = s->draft.force;
	if (status != CMD_DONE)
		show_problems(env, s);
	else
		status = check_folders(env, &in);
	if (status == CMD_DONE && s->draft.dry_run)
		show(env, &in);
	else if (status == CMD_DONE)
		status = add(env, &in);
	env->changes->slurm = slurm;
	env->changes->singleton = s->draft.singleton;
	env->changes->terse = s->terse;
	if (status == CMD_DONE)
		show_ignored(env, s);
	submit_input_free(&in);
	return status;
}

static enum cmd_status run_submit(struct cmd_env *env, int argc, char **argv)
{
	return submit(env, argc, argv, false);
}

static enum cmd_status run_sbatch(struct cmd_env *env, int argc, char **argv)
{
	return submit(env, argc, argv, true);
}

const struct cmd cmd_submit = {
	.name = "submit",
	.alias = "msub qsub",
	.args = "[OPTION]... SCRIPT [ARGUMENT]... or -- COMMAND...",
	.help = "Submit a job and print its ID. Accepts the options of qsub and the #PBS and #SBATCH lines "
		"of a script. A job that would never start is refused.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_CHANGES | CMD_SUBMITS,
	.list = submit_input_list_options,
	.needs_word = qsub_needs_word,
	.run = run_submit,
};

static void list_slurm_options(struct str *out)
{
	str_add(out, "\n");
	qsub_list_sbatch(out);
}

const struct cmd cmd_sbatch = {
	.name = "sbatch",
	.args = "[OPTION]... SCRIPT [ARGUMENT]...",
	.help = "Submit a job, like sbatch of Slurm: with its options, all environment variables, and one "
		"file, slurm-ID.out, for standard output and standard error.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_CHANGES | CMD_SUBMITS,
	.list = list_slurm_options,
	.needs_word = qsub_slurm_needs_word,
	.run = run_sbatch,
};
