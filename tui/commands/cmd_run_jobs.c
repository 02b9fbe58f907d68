/* SPDX-License-Identifier: MIT */
/*
 * cmd_run_jobs.c - kahu suspend, resume and requeue: what can be done to jobs that run?
 */
#include "act.h"
#include "cmd.h"
#include "complete.h"

static void suspend_one(struct cmd_env *env, const struct job *job, const void *what)
{
	bool on = *(const bool *)what;

	/* Of all that are selected only those that it changes. */
	if (cmd_option(env, "-w") && ((job->real & JOB_REAL_SUSPENDED) != 0) == on)
		return;
	cmd_add_event(env, EVENT_SUSPEND, job->id)->suspend.on = on;
}

static enum cmd_status run_suspend(struct cmd_env *env, int argc, char **argv)
{
	const bool on = true;

	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, suspend_one, &on);
}

static enum cmd_status run_resume(struct cmd_env *env, int argc, char **argv)
{
	const bool on = false;

	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, suspend_one, &on);
}

static void requeue_one(struct cmd_env *env, const struct job *job, const void *what)
{
	(void)what;
	if (!cmd_option(env, "-w") || (job->real & JOB_REAL_AGAIN) == 0)
		cmd_add_event(env, EVENT_REQUEUE, job->id);
}

static enum cmd_status run_requeue(struct cmd_env *env, int argc, char **argv)
{
	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, requeue_one, NULL);
}

#define ON_RUNNING_JOBS                                                                                      \
	.args = "JOB...", .options = (const struct cmd_option[]){ACT_WHERE_OPTION, {0}}, .max = -1,          \
	.authority = CMD_OWNER, .flags = CMD_CHANGES | CMD_STORE, .complete = complete_jobs

const struct cmd cmd_suspend = {
	.name = "suspend",
	.help = "Makes running jobs stand still; they keep what they have, and their wallclock limit waits.",
	.run = run_suspend,
	ON_RUNNING_JOBS,
};

const struct cmd cmd_resume = {
	.name = "resume",
	.help = "Lets suspended jobs go on.",
	.run = run_resume,
	ON_RUNNING_JOBS,
};

const struct cmd cmd_requeue = {
	.name = "requeue",
	.help = "Stops running jobs and puts them back into the queue.",
	.run = run_requeue,
	ON_RUNNING_JOBS,
};
