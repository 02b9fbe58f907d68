/* SPDX-License-Identifier: MIT */
/*
 * submit_input.c - the input of submit, run, sbatch and srun: options, script and environment
 */
#include "submit_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/host/event_copy.h"
#include "sched/host/files.h"

/*
 * Sets in->by to the folder, host, environment and umask of this process. Returns false with err set on
 * failure.
 */
static bool find_submitter(struct submit_input *in, struct err *err)
{
	const char *home = getenv("HOME"), *user = getenv("USER"), *shell = getenv("SHELL");
	mode_t mask = umask(0);

	umask(mask);
	(void)!gethostname(in->host, sizeof in->host - 1);
	in->by = (struct submitter){.dir = in->dir,
				    .home = home != NULL ? home : "/",
				    .user = user != NULL ? user : "",
				    .shell = shell,
				    .host = in->host[0] != '\0' ? in->host : NULL,
				    .environment = (const char *const *)environ,
				    .now_s = (int64_t)time(NULL),
				    .umask = (uint32_t)mask};
	return getcwd(in->dir, sizeof in->dir) != NULL ||
	       err_set(err, "the working directory no longer exists; change to another one");
}

static bool read_script(struct submit_input *in, const char *path, struct err *err)
{
	bool good = file_read(path, LAUNCH_SCRIPT_MAX, &in->script, err) &&
		    (in->script.len > 0 || err_set(err, "%s: the script is empty", file_name(path))) &&
		    qsub_read_script(&in->submission, &in->by, file_name(path), in->script.data,
				     in->script.len, err);
	if (strcmp(path, "-") == 0)
		in->submission.draft.script_name = "STDIN";
	return good;
}

static bool read_options(const struct submit_input *in, struct submission *out, int argc, char **argv,
			 int *rest, struct err *err)
{
	return (in->slurm ? qsub_read_slurm_options
			  : qsub_read_options)(out, &in->by, argc, (const char *const *)argv, rest, err);
}

/*
 * Finds the first word after the options, and the value of --wrap. Options are parsed twice: here to find the
 * script, and again after the options in the script have been applied, because those of the command line
 * override them.
 */
static bool find_rest(const struct submit_input *in, int argc, char **argv, int *rest, struct str *wrap,
		      struct err *err)
{
	struct submission trial = {.record = {.launch = NULL}};
	bool good = read_options(in, &trial, argc, argv, rest, err);

	if (trial.draft.wrap != NULL)
		str_add(wrap, trial.draft.wrap);
	submission_free(&trial);
	return good;
}

/* Is the word a line for the shell, such as 'make && ./run', and not the name of a file? */
static bool is_shell_line(const char *word)
{
	return word[strcspn(word, " \t\n;|&<>")] != '\0' && access(word, F_OK) != 0;
}

/*
 * Makes a script of a line for the shell. The job gets the given name; if that is NULL, the first word of the
 * line.
 */
static bool read_shell_line(struct submit_input *in, const char *text, const char *name, struct err *err)
{
	struct str first = {0};
	bool good;

	str_addf(&in->script, "#!/bin/sh\n%s\n", text);
	text += strspn(text, " \t\n");
	if (name == NULL)
		str_add_bytes(&first, text, strcspn(text, " \t\n;|&<>"));
	else
		str_add(&first, name);
	good = first.len > 0 || err_set(err, "\"%.60s\" has no command", text);
	good = good && qsub_read_script(&in->submission, &in->by, str_text(&first), in->script.data,
					in->script.len, err);
	str_free(&first);
	return good;
}

/* Reads the script, and the options in it. Returns false with err set on failure. */
static bool read_work(struct submit_input *in, int argc, char **argv, int rest, const struct str *wrap,
		      struct err *err)
{
	if (wrap->len > 0 && rest < argc)
		return err_set(err, "--wrap and \"%s\" both give a command; give only one", argv[rest]);
	if (wrap->len > 0)
		return read_shell_line(in, str_text(wrap), "wrap", err);
	if (in->no_input && rest == argc)
		return err_set(err, "submit needs the path of a script, or a command after --");
	if (rest + 1 == argc && is_shell_line(argv[rest]))
		return read_shell_line(in, argv[rest], NULL, err);
	return read_script(in, rest < argc ? argv[rest] : "-", err);
}

/* Sets the defaults of Slurm: all environment variables are passed, and output and errors go to one file. */
static void follow_slurm(struct submit_input *in)
{
	struct submission *s = &in->submission;

	if (!s->draft.export_said)
		s->draft.all_variables = true;
	if (in->command || s->draft.output != NULL)
		return;
	s->draft.output = s->range_count > 0 ? "slurm-%A_%a.out" : "slurm-%j.out";
	s->draft.errors_follow = s->draft.errors == NULL;
}

static bool read_all(struct submit_input *in, int argc, char **argv, struct err *err)
{
	struct submission *s = &in->submission;
	struct str wrap = {0};
	int rest = argc;
	bool good = find_rest(in, argc, argv, &rest, &wrap, err);
	bool command = in->command || (good && rest < argc && strcmp(argv[rest - 1], "--") == 0);

	good = good && (command || read_work(in, argc, argv, rest, &wrap, err)) &&
	       read_options(in, s, argc, argv, &rest, err);
	str_free(&wrap);
	if (!good)
		return false;
	if (in->slurm)
		follow_slurm(in);
	if (!command && rest < argc)
		rest++; /* skips the script; its arguments follow */
	if (rest < argc)
		s->launch.command =
			(struct launch_words){(const char *const *)argv + rest, (uint32_t)(argc - rest)};
	return qsub_finish(s, &in->by, err);
}

static bool read_dependencies(struct submit_input *in, struct err *err)
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

enum cmd_status submit_input_read(struct submit_input *in, int argc, char **argv, struct err *err)
{
	if (!find_submitter(in, err))
		return CMD_REFUSED;
	return read_all(in, argc, argv, err) && read_dependencies(in, err) ? CMD_DONE : CMD_USAGE;
}

/*
 * Appends the folder of a path, up to the first part that is known only when the job starts (%j). Appends
 * nothing if the whole path is known and can be written to, like /dev/null.
 */
static void known_folder(const char *pattern, struct str *out)
{
	size_t folder = 0;
	const char *at;

	for (at = pattern; *at != '\0' && (at[0] != '%' || at[1] == '%'); at++) {
		if (*at == '/')
			folder = out->len;
		str_add_char(out, *at);
		at += *at == '%'; /* skips the second % of %% */
	}
	if (*at == '\0' && access(str_text(out), W_OK) == 0)
		folder = 0;
	if (out->len > 0)
		out->data[out->len = folder] = '\0';
}

static bool check_folder(const char *option, const char *folder, struct err *err)
{
	struct stat st;

	if (stat(folder, &st) != 0)
		return err_set(err,
			       "%s: cannot use the folder %s: %s; create it, or name another one with %s",
			       option, folder, strerror(errno), option);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, "%s: %s is not a folder; name one with %s", option, folder, option);
	return access(folder, W_OK | X_OK) == 0 ||
	       err_set(err, "%s: cannot write to the folder %s: %s; name another one with %s", option, folder,
		       strerror(errno), option);
}

static bool check_file(const char *option, const char *pattern, struct err *err)
{
	struct str folder = {0};
	bool good;

	if (pattern != NULL)
		known_folder(pattern, &folder);
	good = folder.len == 0 || check_folder(option, str_text(&folder), err);
	str_free(&folder);
	return good;
}

bool submit_input_check_folders(const struct submit_input *in, struct err *err)
{
	const struct launch *launch = &in->submission.launch;

	if (launch->input != NULL && access(launch->input, R_OK) != 0)
		return err_set(err, "--input: cannot read %s: %s; name another file with --input",
			       launch->input, strerror(errno));
	return check_file("-o", launch->output, err) && check_file("-e", launch->errors, err);
}

void submit_input_add(struct cmd_env *env, const struct submit_input *in)
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
	if (s->draft.force)
		record.job.real |= JOB_REAL_FORCED;
	ev->submit = job_record_copy(&env->changes->arena, &record);
	str_free(&bytes);
}

void submit_input_free(struct submit_input *in)
{
	free(in->depends.item);
	submission_free(&in->submission);
	str_free(&in->script);
}

void submit_input_list_options(struct str *out)
{
	str_add(out, "\nOptions, on the command line and in #PBS lines:\n");
	qsub_list_options(out);
	str_add(out, "\nOptions in #SBATCH lines:\n");
	qsub_list_sbatch(out);
}
