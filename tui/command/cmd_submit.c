/* SPDX-License-Identifier: MIT */
/*
 * cmd_submit.c - kahu submit and sbatch
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "never_starts.h"
#include "sched/state/draft.h"
#include "sched/state/state.h"
#include "tui/command/submit_input.h"
#include "tui/draw/text.h"
#include "tui/report/field.h"
#include "tui/report/job_text.h"
#include "tui/serve/client.h"

/* Prints a warning, except in the console, which has only one line for messages. */
static void warn(const struct cmd_env *env, const char *text, size_t len)
{
	if (env->console == NULL && len > 0)
		fprintf(stderr, "kahu: %.*s\n", (int)len, text);
}

/* Prints all problems except the last, which is the error message of the verb. */
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

/* What would happen to a submission. */
struct outcome {
	bool known;       /* the submission was tried on a state */
	int64_t given_mb; /* default memory of each task; 0 = no default, or the job requests memory */
	struct str never; /* why the job can never start; "" = it can */
	struct str start; /* the estimated start as text, or why there is none */
	struct future_start estimated;
};

/* Fills in the estimated start of the job in a slot of `then`, a copy of the state. */
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

/*
 * Submits the job to a copy of the state and fills *out. Leaves out->known false if there is no state with
 * nodes, or if the state refuses the job.
 */
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

/*
 * The object that dry_run_fields describe: a submission and its outcome. Texts that were not requested are
 * NULL, numbers 0.
 */
struct dry_run {
	const char *name, *gres, *features, *hosts, *class_name, *account, *qos;
	const char *depend, *singleton, *exclusive, *hold, *mail, *mail_to;
	const char *dir, *output, *errors, *ignored;
	int64_t nodes, tasks, task_procs, tasks_per_node, mem_mb, given_mb, wall_s, array_tasks, throttle,
		signal;
	int64_t start_s; /* the estimated start; TIME_NEVER = none */
	const char *tier, *never;
};

static enum role tasks_cell(const void *item, struct str *out)
{
	const struct dry_run *d = item;

	str_addf(out, "%" PRId64 " of %" PRId64 " processor%s", d->tasks, d->task_procs,
		 d->task_procs == 1 ? "" : "s");
	return ROLE_TEXT;
}

static const struct field dry_run_fields[] = {
	{"name", "name", FIELD_TEXT, FIELD_AT(struct dry_run, name)},
	{"nodes", "nodes", FIELD_COUNT, FIELD_AT(struct dry_run, nodes)},
	{"tasks", "tasks", FIELD_COUNT, FIELD_AT(struct dry_run, tasks), .cell = tasks_cell},
	{"task_procs", NULL, FIELD_COUNT, FIELD_AT(struct dry_run, task_procs)},
	{"mem_mb", "memory", FIELD_COUNT, FIELD_AT(struct dry_run, mem_mb)},
	{"wclimit_s", "time limit", FIELD_DURATION, FIELD_AT(struct dry_run, wall_s)},
	{"default_mem_mb", "memory", FIELD_COUNT, FIELD_OR_NULL(struct dry_run, given_mb, 0)},
	{"array_tasks", "array", FIELD_COUNT, FIELD_AT(struct dry_run, array_tasks)},
	{"gres", "resources", FIELD_TEXT, FIELD_AT(struct dry_run, gres)},
	{"class", "class", FIELD_TEXT, FIELD_AT(struct dry_run, class_name)},
	{"account", "account", FIELD_TEXT, FIELD_AT(struct dry_run, account)},
	{"qos", "qos", FIELD_TEXT, FIELD_AT(struct dry_run, qos)},
	{"depend", "after", FIELD_TEXT, FIELD_AT(struct dry_run, depend)},
	{"folder", "folder", FIELD_TEXT, FIELD_AT(struct dry_run, dir)},
	{"output", "output", FIELD_TEXT, FIELD_AT(struct dry_run, output)},
	{"errors", "errors", FIELD_TEXT, FIELD_AT(struct dry_run, errors)},
	{"ignored", "ignored", FIELD_TEXT, FIELD_AT(struct dry_run, ignored)},
	{"estimated_start", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct dry_run, start_s, TIME_NEVER)},
	{"tier", NULL, FIELD_TEXT, FIELD_AT(struct dry_run, tier)},
	{"never", NULL, FIELD_TEXT, FIELD_AT(struct dry_run, never)},
	{NULL, "per node", FIELD_COUNT, FIELD_AT(struct dry_run, tasks_per_node)},
	{NULL, "at a time", FIELD_COUNT, FIELD_AT(struct dry_run, throttle)},
	{NULL, "features", FIELD_TEXT, FIELD_AT(struct dry_run, features)},
	{NULL, "hosts", FIELD_TEXT, FIELD_AT(struct dry_run, hosts)},
	{NULL, "singleton", FIELD_TEXT, FIELD_AT(struct dry_run, singleton)},
	{NULL, "exclusive", FIELD_TEXT, FIELD_AT(struct dry_run, exclusive)},
	{NULL, "hold", FIELD_TEXT, FIELD_AT(struct dry_run, hold)},
	{NULL, "mail", FIELD_TEXT, FIELD_AT(struct dry_run, mail)},
	{NULL, "mail to", FIELD_TEXT, FIELD_AT(struct dry_run, mail_to)},
	{NULL, "signal", FIELD_COUNT, FIELD_AT(struct dry_run, signal)},
	{0}};

static struct dry_run dry_run_of(const struct submission *s, const struct outcome *outcome)
{
	const struct job_record *record = &s->record;
	const struct job *job = &record->job;
	bool projected = outcome->start.len > 0;

	return (struct dry_run){
		.name = record->name,
		.gres = record->gres,
		.features = record->features,
		.hosts = record->hosts,
		.class_name = record->cred[CRED_CLASS],
		.account = record->cred[CRED_ACCOUNT],
		.qos = record->cred[CRED_QOS],
		.depend = s->depend,
		.singleton = s->draft.singleton ? "yes" : NULL,
		.exclusive = job->access == ACCESS_SINGLEJOB ? "yes" : NULL,
		.hold = s->hold ? "user" : NULL,
		.mail = s->mail,
		.mail_to = s->mail_to,
		.dir = s->launch.dir,
		.output = s->launch.output,
		.errors = s->launch.errors,
		.ignored = s->ignored.len > 0 ? str_text(&s->ignored) : NULL,
		.nodes = job->nodes,
		.tasks = job->tasks,
		.task_procs = job->task_procs,
		.tasks_per_node = job->tasks_per_node,
		.mem_mb = job->mem_mb,
		.given_mb = outcome->given_mb,
		.wall_s = job->wall_limit_s,
		.array_tasks = s->range_count > 0 ? qsub_tasks(s) : 0,
		.throttle = s->throttle,
		.signal = s->launch.own_signal,
		.start_s = projected ? outcome->estimated.start_s : TIME_NEVER,
		.tier = projected ? future_tier_name(outcome->estimated.tier) : NULL,
		.never = outcome->never.len > 0 ? str_text(&outcome->never) : NULL,
	};
}

/* Was the field requested? An empty text or 0 means that it was not. */
static bool is_requested(const struct field *f, const struct dry_run *d)
{
	struct value v = {.text = NULL};

	return field_value(f, d, &v) && (f->type == FIELD_TEXT ? v.text[0] != '\0' : v.whole > 0);
}

static void print_text(const struct cmd_env *env, const struct dry_run *d, const struct outcome *outcome)
{
	static const struct {
		const char *key, *unit;
	} row[] = {
		{"name", ""},
		{"nodes", ""},
		{"tasks", ""},
		{"per node", " tasks"},
		{"mem_mb", " MB per task"},
		{"default_mem_mb", " MB per task (default)"},
		{"gres", ""},
		{"wclimit_s", ""},
		{"array_tasks", " tasks"},
		{"at a time", " tasks"},
		{"class", ""},
		{"account", ""},
		{"qos", ""},
		{"features", ""},
		{"hosts", ""},
		{"depend", ""},
		{"singleton", ""},
		{"exclusive", ""},
		{"hold", ""},
		{"mail", ""},
		{"mail to", ""},
		{"folder", ""},
		{"output", ""},
		{"errors", ""},
		{"signal", ""},
		{"ignored", ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		const struct field *f = field_find(dry_run_fields, row[i].key);

		if (!is_requested(f, d))
			continue;
		str_addf(env->out, "%-11s ", f->title);
		field_cell(f, d, env->out);
		str_addf(env->out, "%s\n", row[i].unit);
	}
	print_start(env, outcome, env->out);
}

static void show(struct cmd_env *env, const struct submit_input *in)
{
	struct outcome outcome = {.known = false};
	struct dry_run d;

	try_out(env, in, &outcome);
	d = dry_run_of(&in->submission, &outcome);
	if (env->json)
		fields_document(env->out, dry_run_fields, 0, &d);
	else
		print_text(env, &d, &outcome);
	outcome_free(&outcome);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

/*
 * Adds the event of the submission. In the console also checks whether the job can start, because the console
 * shows a preview before it posts the event.
 */
static enum cmd_status add(struct cmd_env *env, const struct submit_input *in)
{
	submit_input_add(env, in);
	if (env->console == NULL || env->s == NULL || env->changes->forced ||
	    submissions_can_start(env, NULL, env->s))
		return CMD_DONE;
	env->changes->count = 0;
	return CMD_REFUSED;
}

/*
 * Checks the folders of input and output files. With --dry-run a problem is only a warning; with --force the
 * check is skipped, because folders may be created later.
 */
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
	err_prefix(&why, "the submission would be refused");
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
