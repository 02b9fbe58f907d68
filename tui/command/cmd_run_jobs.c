/* SPDX-License-Identifier: MIT */
/*
 * cmd_run_jobs.c - kahu suspend, resume and requeue
 */
#include "act.h"
#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"

struct suspension {
	bool on;
	uint8_t how;   /* SUSPEND_RELEASE, SUSPEND_KEEP or 0 */
	int64_t for_s; /* 0 = until it is resumed            */
};

static void suspend_one(struct cmd_env *env, const struct job *job, const void *what)
{
	const struct suspension *wanted = what;
	struct event *ev;

	/* Of all that are selected only those that it changes. */
	if (cmd_option(env, "-w") && (job_is_suspended(job) && !job_awaits_resume(job)) == wanted->on)
		return;
	ev = cmd_add_event(env, EVENT_SUSPEND, job->id);
	ev->suspend.on = wanted->on;
	ev->suspend.how = wanted->how;
	ev->until_s = wanted->for_s > 0 ? env->now_s + wanted->for_s : 0;
}

static bool read_for(struct cmd_env *env, int64_t *out_s)
{
	const char *text = cmd_option(env, "--for");

	if (text == NULL)
		return true;
	if (!duration_parse(text, out_s, &env->err))
		return err_prefix(&env->err, "--for");
	return *out_s > 0 || err_set(&env->err, "--for: the duration is 0; give one such as 30m");
}

static enum cmd_status run_suspend(struct cmd_env *env, int argc, char **argv)
{
	struct suspension wanted = {.on = true};

	if (!read_for(env, &wanted.for_s))
		return CMD_USAGE;
	if (cmd_option(env, "--release") && cmd_option(env, "--keep")) {
		err_set(&env->err, "--release and --keep exclude each other; give one of them");
		return CMD_USAGE;
	}
	if (cmd_option(env, "--release"))
		wanted.how = SUSPEND_RELEASE;
	else if (cmd_option(env, "--keep"))
		wanted.how = SUSPEND_KEEP;
	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, suspend_one, &wanted);
}

static enum cmd_status run_resume(struct cmd_env *env, int argc, char **argv)
{
	const struct suspension wanted = {.on = false};

	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, suspend_one, &wanted);
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
	.args = "JOB...", .max = -1, .flags = CMD_CHANGES | CMD_STORE, .complete = complete_jobs

const struct cmd cmd_suspend = {
	.name = "suspend",
	.help = "Suspend running jobs. They keep their memory, and their processors unless these are "
		"released; "
		"the wallclock limit stops counting. Users may suspend their own jobs only where the option "
		"ownersuspend allows it.",
	.options =
		(const struct cmd_option[]){ACT_WHERE_OPTION,
					    {"--for", "DURATION", "resume the jobs after this time"},
					    {"--keep", NULL, "the jobs keep their processors"},
					    {"--release", NULL,
					     "other jobs may have the processors; a job is resumed when its "
					     "own are free again"},
					    {0}},
	.authority = CMD_ADMIN2,
	.run = run_suspend,
	ON_RUNNING_JOBS,
};

const struct cmd cmd_resume = {
	.name = "resume",
	.help = "Resume suspended jobs. A job that released its processors waits until they are free. Users "
		"may resume only jobs that they suspended themselves.",
	.options = (const struct cmd_option[]){ACT_WHERE_OPTION, {0}},
	.authority = CMD_ADMIN2,
	.run = run_resume,
	ON_RUNNING_JOBS,
};

const struct cmd cmd_requeue = {
	.name = "requeue",
	.help = "Stops running jobs and puts them back into the queue.",
	.options = (const struct cmd_option[]){ACT_WHERE_OPTION, {0}},
	.authority = CMD_OWNER,
	.run = run_requeue,
	ON_RUNNING_JOBS,
};
