/* SPDX-License-Identifier: MIT */
/*
 * cmd_signal.c - kahu signal: how is a running job told something?
 *
 * All its processes get the signal. What they make of it is seen by what they do.
 */
#include <string.h>

#include "act.h"
#include "cmd.h"
#include "complete.h"

/* "TERM", "sigterm", "15"; 0 with a sentence when there is none such. */
static uint8_t read_signal(const char *word, struct err *err)
{
	const char *name = strncasecmp(word, "SIG", 3) == 0 ? word + 3 : word;
	int64_t number;

	if (str_read_whole(word, &number) && number > 0 && number <= EVENT_SIGNAL_MAX)
		return (uint8_t)number;
	for (uint8_t i = 1; i <= EVENT_SIGNAL_MAX; i++)
		if (sigabbrev_np(i) != NULL && strcasecmp(sigabbrev_np(i), name) == 0)
			return i;
	err_set(err, "there is no signal '%s'; say its name, such as USR1, or a number from 1 to %d", word,
		EVENT_SIGNAL_MAX);
	return 0;
}

static void signal_one(struct cmd_env *env, const struct job *job, const void *what)
{
	cmd_add_event(env, EVENT_SIGNAL, job->id)->signal.number = *(const uint8_t *)what;
}

static enum cmd_status run_signal(struct cmd_env *env, int argc, char **argv)
{
	uint8_t number = read_signal(argv[1], &env->err);

	return number == 0 ? CMD_USAGE
			   : act_on_jobs(env, argv + 2, argc - 2, ACT_RUNNING, signal_one, &number);
}

const struct cmd cmd_signal = {
	.name = "signal",
	.args = "SIGNAL JOB...",
	.help = "Sends a signal, by name or number, to all processes of running jobs.",
	.options = (const struct cmd_option[]){ACT_WHERE_OPTION, {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_signal,
	.complete = complete_jobs,
};
