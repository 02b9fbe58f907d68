/* SPDX-License-Identifier: MIT */
/*
 * cmd_queue.c - kahu queue: active, idle and blocked jobs
 *
 * The report has the three parts of Maui's showq: active jobs by end time, idle jobs by priority, blocked
 * jobs by ID.
 */
#include <string.h>

#include "cmd.h"
#include "tui/report/queue_report.h"

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
	/*
	 * Called as showq, the verb prints no column with job names, because scripts that read showq do not
	 * expect one.
	 */
	r.name_column = !r.names && strcmp(argv[0], "showq") != 0 && queue_report_has_names(&r);
	queue_report_look(&r);
	ok = env->json ? queue_report_json(&r, env->out) : queue_report_print(&r, env->out);
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
