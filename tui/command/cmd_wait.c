/* SPDX-License-Identifier: MIT */
/*
 * cmd_wait.c - kahu wait and notify: starts and ends of jobs
 *
 * wait prints the end of each job and returns the highest of their exit statuses. notify also prints starts,
 * and rings the terminal's bell.
 */
#include "cmd.h"
#include "complete.h"
#include "tui/draw/text.h"
#include "tui/report/field.h"
#include "watch.h"
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

struct teller {
	struct cmd_env *env;
	char *const *word; /* names of the jobs */
	int count;
	bool any;    /* stop at the first end */
	bool starts; /* print starts, too     */
	field_visit *visit;
	void *self;
	uint8_t status;
	bool good;
};

/* A job that has started or ended. */
struct phase_item {
	const char *id, *label, *what;
	bool ended;
	int64_t exit_status; /* -1: unknown, or the job has not ended */
	int64_t start_s, end_s;
};

static const struct field phase_fields[] = {
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct phase_item, id)},
	{"label", NULL, FIELD_TEXT, FIELD_AT(struct phase_item, label)},
	{"ended", NULL, FIELD_BOOL, FIELD_AT(struct phase_item, ended)},
	{"exit_status", NULL, FIELD_COUNT, FIELD_OR_NULL(struct phase_item, exit_status, -1)},
	{"start", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct phase_item, start_s, TIME_NONE)},
	{"end", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct phase_item, end_s, TIME_NONE)},
	{"what", NULL, FIELD_TEXT, FIELD_AT(struct phase_item, what)},
	{0}};

static void visit_phase(const struct teller *w, const struct job_status *now)
{
	bool ended = now->phase == JOB_PHASE_ENDED;
	struct str line = {0}, id = {0};

	job_status_describe(now, &line);
	str_addf(&id, "%" PRIu64, now->job);
	w->visit(w->self, &(struct phase_item){.id = now->label != NULL ? now->label : str_text(&id),
					       .label = now->label,
					       .what = str_text(&line),
					       .ended = ended,
					       .exit_status = ended && !now->lost ? job_status_exit(now) : -1,
					       .start_s = now->start_s,
					       .end_s = now->end_s});
	str_free(&line);
	str_free(&id);
}

/*
 * Prints a line and flushes it, so that its reader sees it at once. Job names may contain control characters.
 */
static void say(void *self, const void *item)
{
	const struct teller *w = self;
	struct str safe = {0};

	text_safe(&safe, ((const struct phase_item *)item)->what, w->env->ascii);
	printf("%s%s\n", str_text(&safe), w->starts && isatty(STDOUT_FILENO) ? "\a" : "");
	fflush(stdout);
	str_free(&safe);
}

static bool see(void *self, const struct job_status *before, const struct job_status *now)
{
	struct teller *w = self;
	bool ended = now->phase == JOB_PHASE_ENDED;

	/* The first answer has the current state of each job; of these states, only ends are printed. */
	if (!ended && (!w->starts || before->phase == JOB_PHASE_UNKNOWN))
		return true;
	visit_phase(w, now);
	if (ended && job_status_exit(now) > w->status)
		w->status = job_status_exit(now);
	return !ended || !w->any;
}

/*
 * Follows the jobs, and visits each start and end to be printed. item points to a pointer to the struct
 * teller.
 */
static void each_phase(const void *item, field_visit *visit, void *self)
{
	struct teller *w = *(struct teller *const *)item;
	struct watch watch = {.item = NULL};

	w->visit = visit;
	w->self = self;
	w->good = watch_read(&watch, w->env, w->word, w->count) && watch_follow(&watch, w->env, see, w);
	if (watch.never > 0 && w->status == 0)
		w->status = 1;
	watch_clear(&watch);
}

static enum cmd_status follow(struct teller *w)
{
	if (w->env->json)
		fields_array(w->env->out, phase_fields, 0, each_phase, &w);
	else
		each_phase(&w, say, w);
	if (!w->good)
		str_clear(w->env->out);
	return w->good ? CMD_DONE : CMD_REFUSED;
}

static enum cmd_status run_wait(struct cmd_env *env, int argc, char **argv)
{
	struct teller w = {
		.env = env, .word = argv + 1, .count = argc - 1, .any = cmd_option(env, "--any") != NULL};
	enum cmd_status status = follow(&w);

	env->exit_status = w.status;
	return status;
}

static enum cmd_status run_notify(struct cmd_env *env, int argc, char **argv)
{
	struct teller w = {.env = env, .word = argv + 1, .count = argc - 1, .starts = true};

	return follow(&w);
}

const struct cmd cmd_wait = {
	.name = "wait",
	.args = "JOB...",
	.help = "Wait until jobs have ended and print how they ended. The exit status is the highest exit "
		"status of the jobs, or 128 plus the signal number for a job ended by a signal. A job that "
		"can never start is reported and counts as ended with exit status 1.",
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
