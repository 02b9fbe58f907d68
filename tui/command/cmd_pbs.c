/* SPDX-License-Identifier: MIT */
/*
 * cmd_pbs.c - qstat, qdel, qhold, qrls and qalter
 *
 * Each command is translated to a verb of Kahu. qsub is an alias of submit.
 */
#include <inttypes.h>
#include <string.h>

#include "complete.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "translation.h"
#include "tui/report/job_text.h"
#include "tui/report/report.h"
#include "verbs.h"

/* Adds a list of users to the terms, without the hosts after '@'. */
static void add_users(struct delegate *d, const char *users)
{
	struct str names = {0};

	for (const char *at = users; *at != '\0'; at++) {
		if (*at == '@')
			at += strcspn(at, ",");
		if (*at == '\0')
			break;
		str_add_char(&names, *at);
	}
	delegate_term(d, "user", str_text(&names));
	str_free(&names);
}

/* --- qstat -------------------------------------------------------------------------------------------- */

static void print_row(const struct job_list *list, uint32_t slot, bool nodes, struct report *rows)
{
	const struct job *job = &snapshot_jobs(list->s)[slot];
	char label[JOB_LABEL_TEXT], ran[DURATION_TEXT];
	struct str names = {0};

	report_cell(rows, snapshot_job_label(list->s, job, label));
	report_cell(rows, job_list_name(list, job));
	report_cell(rows, job_text_cred(list->s, job, CRED_USER));
	report_cell(rows, job->state == JOB_RUNNING ? duration_text(ran, job_list_ran_s(list, job)) : "0");
	report_cell(rows, job_list_state(list, job)->pbs);
	report_cell(rows, job_text_cred(list->s, job, CRED_CLASS));
	job_list_nodes(list, job, &names);
	if (nodes)
		report_cell(rows, str_text(&names));
	str_free(&names);
}

static void print_rows(const struct cmd_env *env, const struct job_list *list)
{
	static const struct report_column columns[] = {
		{"Job ID", TEXT_LEFT}, {"Name", TEXT_LEFT},  {"User", TEXT_LEFT},  {"Time Use", TEXT_RIGHT},
		{"S", TEXT_LEFT},      {"Queue", TEXT_LEFT}, {"Nodes", TEXT_LEFT},
	};
	static const char *const dashes[] = {"----------------",
					     "----------------",
					     "----------------",
					     "--------",
					     "-",
					     "-----",
					     "-----"};
	bool nodes = cmd_option(env, "-n") != NULL;
	struct report rows = {.column = columns, .columns = nodes ? 7 : 6};

	for (size_t i = 0; i < rows.columns && list->count > 0; i++)
		report_cell(&rows, dashes[i]);
	for (size_t i = 0; i < list->count; i++)
		print_row(list, list->slot[i], nodes, &rows);
	if (list->count > 0)
		report_print(&rows, 0, env->ascii, env->out);
	report_free(&rows);
}

static void print_pair(struct str *out, const char *name, const char *value, bool ascii)
{
	if (value == NULL || value[0] == '\0')
		return;
	str_addf(out, "    %s = ", name);
	text_safe(out, value, ascii);
	str_add_char(out, '\n');
}

static void print_moment(struct str *out, const char *name, int64_t at_s)
{
	char when[MOMENT_TEXT];

	if (at_s != TIME_NONE && at_s != TIME_NEVER)
		str_addf(out, "    %s = %s\n", name, wallclock_long(when, at_s));
}

static void print_full(const struct cmd_env *env, const struct job_list *list, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(list->s)[slot];
	struct str *out = env->out, nodes = {0}, reason = {0};
	char label[JOB_LABEL_TEXT], text[DURATION_TEXT];

	str_addf(out, "Job Id: %s\n", snapshot_job_label(list->s, job, label));
	print_pair(out, "Job_Name", job_list_name(list, job), env->ascii);
	print_pair(out, "Job_Owner", snapshot_job_cred(list->s, job, CRED_USER), env->ascii);
	print_pair(out, "job_state", job_list_state(list, job)->pbs, env->ascii);
	print_pair(out, "queue", snapshot_job_cred(list->s, job, CRED_CLASS), env->ascii);
	print_pair(out, "Account_Name", snapshot_job_cred(list->s, job, CRED_ACCOUNT), env->ascii);
	if (job->state == JOB_RUNNING)
		print_pair(out, "resources_used.walltime", duration_text(text, job_list_ran_s(list, job)),
			   env->ascii);
	str_addf(out, "    Resource_List.ncpus = %" PRId64 "\n", job_procs_counted(job));
	if (job->nodes > 0)
		str_addf(out, "    Resource_List.nodect = %" PRIu32 "\n", job->nodes);
	if (job->mem_mb > 0)
		str_addf(out, "    Resource_List.mem = %" PRId64 "mb\n", job->mem_mb * job->tasks);
	print_pair(out, "Resource_List.walltime", duration_text(text, job->wall_limit_s), env->ascii);
	job_list_nodes(list, job, &nodes);
	print_pair(out, "exec_host", str_text(&nodes), env->ascii);
	print_pair(out, "Hold_Types", job->holds != 0 ? job_hold_names(job->holds) : "n", env->ascii);
	print_moment(out, "qtime", job->submit_s);
	print_moment(out, "start_time", job->state == JOB_RUNNING ? job->start_s : TIME_NONE);
	print_moment(out, "estimated.start_time",
		     job->state == JOB_RUNNING ? TIME_NONE : future_start(&list->future, slot).start_s);
	job_list_reason(list, slot, &reason);
	print_pair(out, "comment", job->state == JOB_RUNNING ? NULL : str_text(&reason), env->ascii);
	str_add_char(out, '\n');
	str_free(&nodes);
	str_free(&reason);
}

/* Prints one line for each class (-Q). */
static void print_queues(const struct cmd_env *env)
{
	static const struct report_column columns[] = {{"Queue", TEXT_LEFT},
						       {"Tot", TEXT_RIGHT},
						       {"Que", TEXT_RIGHT},
						       {"Run", TEXT_RIGHT},
						       {"Hld", TEXT_RIGHT}};
	const struct snapshot *s = env->s;
	struct report rows = {.column = columns, .columns = 5};

	for (uint32_t c = 0; c < snapshot_count(s, TABLE_CREDS); c++) {
		unsigned long all = 0, run = 0, held = 0;

		if (snapshot_creds(s)[c].type != CRED_CLASS || c < CRED_TYPE_COUNT)
			continue;
		for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
			const struct job *job = &snapshot_jobs(s)[i];

			if (job->state == JOB_NONE || job->cred[CRED_CLASS] != c)
				continue;
			all++;
			run += job->state == JOB_RUNNING;
			held += job->state != JOB_RUNNING && job->holds != 0;
		}
		report_cell(&rows, snapshot_string(s, snapshot_creds(s)[c].name));
		report_cellf(&rows, "%lu", all);
		report_cellf(&rows, "%lu", all - run - held);
		report_cellf(&rows, "%lu", run);
		report_cellf(&rows, "%lu", held);
	}
	report_print(&rows, 0, env->ascii, env->out);
	report_free(&rows);
}

static enum cmd_status run_qstat(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};
	struct job_list list;

	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "-1") != 0)
			delegate_job(env->s, &d, argv[i]);
	if (cmd_option(env, "-x") != NULL && d.count > 0)
		return delegate_run(env, &d, &cmd_history);
	if (cmd_option(env, "-u") != NULL)
		add_users(&d, cmd_option(env, "-u"));
	if (cmd_option(env, "-r") != NULL || cmd_option(env, "-i") != NULL)
		delegate_term(&d, "state", cmd_option(env, "-r") != NULL ? "running" : "idle");
	if (cmd_option(env, "-Q") != NULL || cmd_option(env, "-q") != NULL) {
		delegate_free(&d);
		print_queues(env);
		return CMD_DONE;
	}
	if (!job_list_find(env, &d, &list)) {
		job_list_free(&list);
		return CMD_REFUSED;
	}
	for (size_t i = 0; cmd_option(env, "-f") != NULL && i < list.count; i++)
		print_full(env, &list, list.slot[i]);
	if (cmd_option(env, "-f") == NULL)
		print_rows(env, &list);
	job_list_free(&list);
	return CMD_DONE;
}

const struct cmd cmd_qstat = {
	.name = "qstat",
	.args = "[JOB...]",
	.help = "List jobs, like qstat of PBS.",
	.options =
		(const struct cmd_option[]){
			{"-f", NULL, "show all details of each job"},
			{"-u", "USER[,...]", "show jobs of these users"},
			{"-n", NULL, "show allocated nodes"},
			{"-r", NULL, "running jobs"},
			{"-i", NULL, "jobs that are not running"},
			{"-x", NULL, "include completed jobs, if jobs are named"},
			{"-Q", NULL, "list classes"},
			{"-q", NULL, "same as -Q"},
			{"-a", NULL, "no effect"},
			{"-1", NULL, "no effect"},
			{"-t", NULL, "no effect: tasks of arrays are listed one by one"},
			{"-w", NULL, "no effect"},
			{"-s", NULL, "no effect"},
			{0},
		},
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE | CMD_TEXT,
	.run = run_qstat,
	.complete = complete_jobs,
};

/* --- qdel --------------------------------------------------------------------------------------------- */

/* "all" selects all jobs that the caller may cancel. */
static enum cmd_status run_qdel(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};

	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "all") == 0)
			delegate_term(&d, "state", "idle,running");
		else
			delegate_job(env->s, &d, argv[i]);
	if (cmd_option(env, "-u") != NULL)
		add_users(&d, cmd_option(env, "-u"));
	else if (d.terms.len > 0 && strcmp(env->who, "root") != 0 && env->who[0] != '\0')
		delegate_term(&d, "user", env->who);
	return delegate_run(env, &d, &cmd_cancel);
}

const struct cmd cmd_qdel = {
	.name = "qdel",
	.args = "JOB... | all",
	.help = "Cancel jobs, like qdel of PBS. 'all' means the caller's jobs, or for root the jobs of all "
		"users.",
	.options =
		(const struct cmd_option[]){
			{"-u", "USER", "with 'all': jobs of this user"},
			{"-p", NULL, "no effect"},
			{"-x", NULL, "no effect"},
			{"-m", "TEXT", "no effect"},
			{"-W", "DELAY", "no effect: option jobgrace sets the delay between TERM and KILL"},
			{0},
		},
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_qdel,
	.complete = complete_jobs,
};

/* --- qhold, qrls -------------------------------------------------------------------------------------- */

/*
 * Adds the kinds of hold of -h as options: "u" and "s" keep their letters; Torque's "o" (other) is a batch
 * hold. Returns false with err set on failure.
 */
static bool add_holds(struct cmd_env *env, struct delegate *d)
{
	const char *kinds = cmd_option(env, "-h");

	for (; kinds != NULL && *kinds != '\0'; kinds++) {
		if (strchr("uosn", *kinds) == NULL)
			return err_set(&env->err, "-h: unknown kind of hold \"%c\"; write u, o or s", *kinds);
		if (*kinds != 'n')
			delegate_add(d, "-%c", *kinds == 'o' ? 'b' : *kinds);
	}
	return true;
}

static enum cmd_status run_holds(struct cmd_env *env, int argc, char **argv, const struct cmd *cmd)
{
	struct delegate d = {.count = 0};

	if (!add_holds(env, &d)) {
		delegate_free(&d);
		return CMD_USAGE;
	}
	for (int i = 1; i < argc; i++)
		delegate_job(env->s, &d, argv[i]);
	return delegate_run(env, &d, cmd);
}

static enum cmd_status run_qhold(struct cmd_env *env, int argc, char **argv)
{
	return run_holds(env, argc, argv, &cmd_hold);
}

static enum cmd_status run_qrls(struct cmd_env *env, int argc, char **argv)
{
	return run_holds(env, argc, argv, &cmd_release);
}

static const struct cmd_option hold_options[] = {
	{"-h", "u|o|s", "kinds of hold: user, batch, system"},
	{0},
};

const struct cmd cmd_qhold = {
	.name = "qhold",
	.args = "JOB...",
	.help = "Hold jobs, like qhold of PBS.",
	.options = hold_options,
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_qhold,
	.complete = complete_jobs,
};

const struct cmd cmd_qrls = {
	.name = "qrls",
	.args = "JOB...",
	.help = "Release jobs, like qrls of PBS. Releases all kinds of hold unless some are named.",
	.options = hold_options,
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_qrls,
	.complete = complete_jobs,
};

/* --- qalter ------------------------------------------------------------------------------------------- */

/*
 * Adds each NAME=VALUE of -l, for the resources that are attributes of an idle job under the same name.
 * Returns false with err set on failure.
 */
static bool add_resources(struct cmd_env *env, struct delegate *d, const char *list)
{
	static const char *const known[] = {"walltime", "mem", "nodes", "qos", "partition"};
	char *rest = arena_copy(&d->arena, list, strlen(list) + 1);

	for (char *pair; (pair = strsep(&rest, ",")) != NULL;) {
		size_t len = strcspn(pair, "="), i = 0;

		while (i < 5 && (strlen(known[i]) != len || strncmp(known[i], pair, len) != 0))
			i++;
		if (i == 5 || pair[len] == '\0')
			return err_set(&env->err,
				       "-l %s: cannot be changed; only walltime, mem, nodes, qos and "
				       "partition of an idle job can be changed",
				       pair);
		delegate_add(d, "%s", pair);
	}
	return true;
}

static bool add_changes(struct cmd_env *env, struct delegate *d)
{
	const char *list, *depend = cmd_option(env, "-W"), *date = cmd_option(env, "-a"),
			  *priority = cmd_option(env, "-p");

	for (size_t i = 0; (list = cmd_option_at(env, "-l", i)) != NULL; i++)
		if (!add_resources(env, d, list))
			return false;
	if (depend != NULL && strncmp(depend, "depend=", 7) != 0)
		return err_set(&env->err, "-W %s: only depend= can be changed", depend);
	if (depend != NULL)
		delegate_add(d, "%s", depend);
	if (date != NULL)
		delegate_add(d, "starttime=%s", date);
	if (priority != NULL)
		delegate_add(d, "priority=%s%s", strchr("+-", priority[0]) != NULL ? "" : "+", priority);
	for (size_t i = 0; i < 4; i++) {
		static const char *const fixed[] = {"-N", "-A", "-q", "-o"};

		if (cmd_option(env, fixed[i]) != NULL)
			return err_set(&env->err,
				       "%s: cannot be changed after submission; cancel and resubmit the job",
				       fixed[i]);
	}
	return true;
}

static enum cmd_status run_qalter(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};

	for (int i = 1; i < argc; i++)
		delegate_job(env->s, &d, argv[i]);
	if (add_changes(env, &d))
		return delegate_run(env, &d, &cmd_set);
	delegate_free(&d);
	return CMD_USAGE;
}

const struct cmd cmd_qalter = {
	.name = "qalter",
	.args = "JOB...",
	.help = "Change idle jobs, like qalter of PBS.",
	.options =
		(const struct cmd_option[]){
			{"-l", "NAME=VALUE[,...]", "walltime, mem, nodes, qos, partition"},
			{"-W", "depend=LIST", "jobs that this job waits for"},
			{"-a", "TIME", "earliest start"},
			{"-p", "PRIORITY", "add PRIORITY to the computed priority"},
			{"-N", "NAME", "refused: cannot be changed"},
			{"-A", "ACCOUNT", "refused: cannot be changed"},
			{"-q", "CLASS", "refused: cannot be changed"},
			{"-o", "PATH", "refused: cannot be changed"},
			{0},
		},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_qalter,
	.complete = complete_jobs,
};
