/* SPDX-License-Identifier: MIT */
/*
 * cmd_wait.c - kahu wait and notify: starts and ends of jobs
 *
 * wait prints the end of each job and returns the worst of their exit statuses. notify also prints starts and
 * rings the terminal's bell.
 */
#include "cmd.h"
#include "complete.h"
#include "sched/base/json.h"
#include "tui/draw/text.h"
#include "watch.h"
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

struct teller {
	struct cmd_env *env;
	struct json json;
	bool any;    /* stop at the first end */
	bool starts; /* print starts, too     */
	uint8_t status;
};

static void say_json(struct teller *w, const struct job_status *now)
{
	struct str line = {0}, id = {0};

	job_status_describe(now, &line);
	str_addf(&id, "%" PRIu64, now->job);
	json_open(&w->json, NULL, '{');
	json_text(&w->json, "job", now->label != NULL ? now->label : str_text(&id));
	json_text(&w->json, "label", now->label);
	json_bool(&w->json, "ended", now->phase == JOB_PHASE_ENDED);
	json_int_or_null(&w->json, "exit_status",
			 now->phase == JOB_PHASE_ENDED && !now->lost ? job_status_exit(now) : -1, -1);
	json_int_or_null(&w->json, "start", now->start_s, TIME_NONE);
	json_int_or_null(&w->json, "end", now->end_s, TIME_NONE);
	json_text(&w->json, "what", str_text(&line));
	json_close(&w->json);
	str_free(&line);
	str_free(&id);
}

/* Flushes each line for its reader. Names of jobs may contain control characters. */
static void say(struct teller *w, const struct job_status *now)
{
	struct str line = {0}, safe = {0};

	job_status_describe(now, &line);
	text_safe(&safe, str_text(&line), w->env->ascii);
	printf("%s%s\n", str_text(&safe), w->starts && isatty(STDOUT_FILENO) ? "\a" : "");
	fflush(stdout);
	str_free(&line);
	str_free(&safe);
}

static bool see(void *self, const struct job_status *before, const struct job_status *now)
{
	struct teller *w = self;
	bool ended = now->phase == JOB_PHASE_ENDED;

	/* The state at the first look is not reported. */
	if (!ended && (!w->starts || before->phase == JOB_PHASE_UNKNOWN))
		return true;
	if (w->env->json)
		say_json(w, now);
	else
		say(w, now);
	if (ended && job_status_exit(now) > w->status)
		w->status = job_status_exit(now);
	return !ended || !w->any;
}

static enum cmd_status follow(struct teller *w, char *const *word, int count)
{
	struct watch watch = {.item = NULL};
	struct cmd_env *env = w->env;
	bool good;

	w->json = (struct json){.out = env->out};
	if (env->json)
		json_open(&w->json, NULL, '[');
	good = watch_read(&watch, env, word, count) && watch_follow(&watch, env, see, w);
	if (env->json) {
		json_close(&w->json);
		str_add_char(env->out, '\n');
	}
	if (!good)
		str_clear(env->out);
	if (watch.never > 0 && w->status == 0)
		w->status = 1;
	watch_clear(&watch);
	return good ? CMD_DONE : CMD_REFUSED;
}

static enum cmd_status run_wait(struct cmd_env *env, int argc, char **argv)
{
	struct teller w = {.env = env, .any = cmd_option(env, "--any") != NULL};
	enum cmd_status status = follow(&w, argv + 1, argc - 1);

	env->exit_status = w.status;
	return status;
}

static enum cmd_status run_notify(struct cmd_env *env, int argc, char **argv)
{
	struct teller w = {.env = env, .starts = true};

	return follow(&w, argv + 1, argc - 1);
}

const struct cmd cmd_wait = {
	.name = "wait",
	.args = "JOB...",
	.help = "Wait until jobs have ended and print how they ended. The exit status is the highest exit "
		"status of the jobs, or 128 plus the signal number for a job ended by a signal. A job that "
		"can never start is reported and counts as ended with 1.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION,
					       {"--any", NULL, "wait only until the first job has ended"},
					       {0}},
	.max = -1,
	.flags = CMD_STORE | CMD_SHELL,
	.run = run_wait,
	.complete = complete_jobs,
};

const struct cmd cmd_notify = {
	.name = "notify",
	.args = "JOB...",
	.help = "Print a line and ring the terminal's bell when jobs start and end, until all of them have "
		"ended.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION, {0}},
	.max = -1,
	.flags = CMD_STORE | CMD_SHELL,
	.run = run_notify,
	.complete = complete_jobs,
};
