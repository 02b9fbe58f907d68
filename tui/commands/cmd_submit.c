/* SPDX-License-Identifier: MIT */
/*
 * cmd_submit.c - kahu submit: a command or a script becomes a job
 *
 * qsub's options (qsub.h). What is submitted is kept as it is now: the script, the working folder, the
 * named variables; so editing a script afterwards changes nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "qsub.h"
#include "sched/host/files.h"
#include "sched/host/keep.h"

/* Where this is said. */
static bool find_submitter(struct submitter *out, char *dir, size_t room, struct err *err)
{
	const char *home = getenv("HOME"), *user = getenv("USER"), *shell = getenv("SHELL");
	mode_t mask = umask(0);

	umask(mask);
	*out = (struct submitter){.dir = dir,
				  .home = home != NULL ? home : "/",
				  .user = user != NULL ? user : "",
				  .shell = shell,
				  .environment = (const char *const *)environ,
				  .now_s = (int64_t)time(NULL),
				  .umask = (uint32_t)mask};
	return getcwd(dir, room) != NULL ||
	       err_set(err, "the working folder is gone; go to one that is there");
}

/* Behind the options: a command after "--", the path of a script, or nothing: it comes from standard input.
 */
struct asked {
	struct submission submission;
	struct str script;
	const char *name; /* of the script, for messages and as the job's name */
};

static bool read_script(struct asked *asked, const struct submitter *by, const char *path, struct err *err)
{
	asked->name = path;
	return file_read(path, LAUNCH_SCRIPT_MAX, &asked->script, err) &&
	       (asked->script.len > 0 || err_set(err, "%s: the script is empty", file_name(path))) &&
	       qsub_read_script(&asked->submission, by, file_name(path), asked->script.data,
				asked->script.len, err);
}

/* The options are read twice: what stands behind them says whether a script comes before them. */
static bool find_rest(const struct submitter *by, int argc, char **argv, int *rest, struct err *err)
{
	struct submission trial = {.record = {.launch = NULL}};
	bool good = qsub_read_options(&trial, by, argc, (const char *const *)argv, rest, err);

	submission_free(&trial);
	return good;
}

/* What is asked for and nobody would do is refused, not dropped. */
static bool can_be_kept(const struct submission *s, struct err *err)
{
	if (s->range_count > 0)
		return err_set(err, "-t: arrays are not known yet; submit the jobs one by one");
	if (s->mail != NULL || s->mail_to != NULL)
		return err_set(err, "-m, -M: nobody is sent mail yet; leave them out");
	if (s->record.job.adjust != JOB_ADJUST_NONE)
		return err_set(err, "-p: a job has no priority of its own yet; leave it out");
	return true;
}

static bool read_all(struct asked *asked, const struct submitter *by, int argc, char **argv, struct err *err)
{
	struct submission *s = &asked->submission;
	int rest;

	if (!find_rest(by, argc, argv, &rest, err))
		return false;
	bool command = rest < argc && strcmp(argv[rest - 1], "--") == 0;

	if (!command && rest + 1 < argc)
		return err_set(err,
			       "%s stands behind the script %s; a command with words is written behind --",
			       argv[rest + 1], argv[rest]);
	if (!command && !read_script(asked, by, rest < argc ? argv[rest] : "-", err))
		return false;
	if (!qsub_read_options(s, by, argc, (const char *const *)argv, &rest, err))
		return false;
	if (command)
		s->launch.command =
			(struct launch_words){(const char *const *)argv + rest, (uint32_t)(argc - rest)};
	return qsub_finish(s, by, err) && can_be_kept(s, err);
}

/* The texts of the submission are copied: it is gone before its event is posted. */
static void add_submission(struct cmd_env *env, const struct submission *s)
{
	struct event *ev = cmd_add_event(env, EVENT_SUBMIT, 0);
	struct job_record record = s->record;
	struct str bytes = {0};

	launch_write(&s->launch, &bytes);
	record.launch = bytes.data;
	record.launch_size = (uint32_t)bytes.len;
	record.job.submit_s = env->now_s;
	record.job.real = JOB_REAL_LAUNCH;
	if ((s->launch.flags & LAUNCH_REQUEUE) != 0)
		record.job.real |= JOB_REAL_RERUN;
	ev->submit = keep_record(&env->changes->arena, &record);
	str_free(&bytes);
}

static bool add_dependencies(struct asked *asked, struct depend_list *list, struct err *err)
{
	struct job_record *record = &asked->submission.record;

	if (asked->submission.depend == NULL)
		return true;
	if (!depend_list_read(asked->submission.depend, list, err))
		return false;
	record->depend = list->item;
	record->depend_count = (uint32_t)list->count;
	return true;
}

static enum cmd_status run_submit(struct cmd_env *env, int argc, char **argv)
{
	struct asked asked = {.name = NULL};
	struct depend_list depends = {.item = NULL};
	struct submitter by;
	char dir[4096];
	enum cmd_status status = CMD_USAGE;

	if (!find_submitter(&by, dir, sizeof dir, &env->err)) {
		status = CMD_REFUSED;
	} else if (read_all(&asked, &by, argc, argv, &env->err) &&
		   add_dependencies(&asked, &depends, &env->err)) {
		add_submission(env, &asked.submission);
		status = CMD_DONE;
	}
	free(depends.item);
	submission_free(&asked.submission);
	str_free(&asked.script);
	return status;
}

static void list_options(struct str *out)
{
	str_add(out, "\nOptions, on the command line and behind #PBS:\n");
	qsub_list_options(out);
	str_add(out, "\nOptions behind #SBATCH:\n");
	qsub_list_sbatch(out);
}

const struct cmd cmd_submit = {
	.name = "submit",
	.alias = "msub",
	.args = "[OPTION]... [--] COMMAND... or SCRIPT",
	.help = "Hands in a job and prints its id; takes qsub's options and the #PBS and #SBATCH lines of a "
		"script.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_CHANGES | CMD_SUBMITS | CMD_SHELL,
	.list = list_options,
	.run = run_submit,
};
