/* SPDX-License-Identifier: MIT */
/*
 * handin.c - what does a person hand in with the words behind `submit` or `run`?
 */
#include "handin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/host/files.h"
#include "sched/host/keep.h"

/* Where this is said. */
static bool find_submitter(struct handin *in, struct err *err)
{
	const char *home = getenv("HOME"), *user = getenv("USER"), *shell = getenv("SHELL");
	mode_t mask = umask(0);

	umask(mask);
	in->by = (struct submitter){.dir = in->dir,
				    .home = home != NULL ? home : "/",
				    .user = user != NULL ? user : "",
				    .shell = shell,
				    .environment = (const char *const *)environ,
				    .now_s = (int64_t)time(NULL),
				    .umask = (uint32_t)mask};
	return getcwd(in->dir, sizeof in->dir) != NULL ||
	       err_set(err, "the working folder is gone; go to one that is there");
}

static bool read_script(struct handin *in, const char *path, struct err *err)
{
	return file_read(path, LAUNCH_SCRIPT_MAX, &in->script, err) &&
	       (in->script.len > 0 || err_set(err, "%s: the script is empty", file_name(path))) &&
	       qsub_read_script(&in->submission, &in->by, file_name(path), in->script.data, in->script.len,
				err);
}

/* The options are read twice: what stands behind them says whether a script comes before them. */
static bool find_rest(const struct submitter *by, int argc, char **argv, int *rest, struct err *err)
{
	struct submission trial = {.record = {.launch = NULL}};
	bool good = qsub_read_options(&trial, by, argc, (const char *const *)argv, rest, err);

	submission_free(&trial);
	return good;
}

static bool read_all(struct handin *in, int argc, char **argv, struct err *err)
{
	struct submission *s = &in->submission;
	int rest;

	if (!find_rest(&in->by, argc, argv, &rest, err))
		return false;
	bool command = rest < argc && strcmp(argv[rest - 1], "--") == 0;

	if (!command && rest + 1 < argc)
		return err_set(err,
			       "%s stands behind the script %s; a command with words is written behind --",
			       argv[rest + 1], argv[rest]);
	if (!command && in->no_input && rest == argc)
		return err_set(err, "submit needs a command behind --, or the path of a script");
	if (!command && !read_script(in, rest < argc ? argv[rest] : "-", err))
		return false;
	if (!qsub_read_options(s, &in->by, argc, (const char *const *)argv, &rest, err))
		return false;
	if (command)
		s->launch.command =
			(struct launch_words){(const char *const *)argv + rest, (uint32_t)(argc - rest)};
	return qsub_finish(s, &in->by, err);
}

static bool read_dependencies(struct handin *in, struct err *err)
{
	struct job_record *record = &in->submission.record;

	if (in->submission.depend == NULL)
		return true;
	if (!depend_list_read(in->submission.depend, &in->depends, err))
		return false;
	record->depend = in->depends.item;
	record->depend_count = (uint32_t)in->depends.count;
	return true;
}

enum cmd_status handin_read(struct handin *in, int argc, char **argv, struct err *err)
{
	if (!find_submitter(in, err))
		return CMD_REFUSED;
	return read_all(in, argc, argv, err) && read_dependencies(in, err) ? CMD_DONE : CMD_USAGE;
}

void handin_add(struct cmd_env *env, const struct handin *in)
{
	const struct submission *s = &in->submission;
	struct event *ev = cmd_add_event(env, EVENT_SUBMIT, 0);
	struct job_record record = s->record;
	struct str bytes = {0};

	launch_write(&s->launch, &bytes);
	record.launch = bytes.data;
	record.launch_size = (uint32_t)bytes.len;
	record.ranges = s->range;
	record.range_count = s->range_count;
	record.job.array_limit = s->throttle;
	record.job.submit_s = env->now_s;
	record.job.real = JOB_REAL_LAUNCH;
	if ((s->launch.flags & LAUNCH_REQUEUE) != 0)
		record.job.real |= JOB_REAL_RERUN;
	if (s->launch.mail != NULL)
		record.job.real |= JOB_REAL_MAIL;
	ev->submit = keep_record(&env->changes->arena, &record);
	str_free(&bytes);
}

void handin_free(struct handin *in)
{
	free(in->depends.item);
	submission_free(&in->submission);
	str_free(&in->script);
}

void handin_list_options(struct str *out)
{
	str_add(out, "\nOptions, on the command line and behind #PBS:\n");
	qsub_list_options(out);
	str_add(out, "\nOptions behind #SBATCH:\n");
	qsub_list_sbatch(out);
}
