/* SPDX-License-Identifier: MIT */
/*
 * cmd_job.c - how does an operator hold, release and cancel jobs?
 */
#include "act.h"
#include "cmd.h"
#include "complete.h"

/* --- hold, release ------------------------------------------------------------------------- */

#define HOLD_OPTIONS                                                                                         \
	{"-u", NULL, "user hold"}, {"-s", NULL, "system hold"}, {"-b", NULL, "batch hold"},                  \
		{"-a", NULL, "all kinds of hold"}, ACT_WHERE_OPTION

static const struct cmd_option hold_options[] = {
	HOLD_OPTIONS,
	{"--reason", "TEXT", "why, for everybody who asks"},
	{0},
};
static const struct cmd_option release_options[] = {HOLD_OPTIONS, {0}};

/* Bits of enum job_hold that the options name; 0 = none. */
static uint8_t hold_bits(const struct cmd_env *env)
{
	unsigned bits = 0;

	if (cmd_option(env, "-u"))
		bits |= JOB_HOLD_USER;
	if (cmd_option(env, "-s"))
		bits |= JOB_HOLD_SYSTEM;
	if (cmd_option(env, "-b"))
		bits |= JOB_HOLD_BATCH;
	if (cmd_option(env, "-a"))
		bits |= JOB_HOLD_ALL;
	return (uint8_t)bits;
}

static void add_hold(struct cmd_env *env, const struct job *job, uint8_t bits, bool on)
{
	struct event *ev = cmd_add_event(env, EVENT_HOLD, job->id);
	const char *reason = cmd_option(env, "--reason");

	ev->hold.bits = bits;
	ev->hold.on = on;
	ev->hold.reason = on && reason ? cmd_own(env, reason) : NULL;
}

static void hold_one(struct cmd_env *env, const struct job *job, const void *what)
{
	uint8_t bits = *(const uint8_t *)what;

	if (!cmd_option(env, "-w") || (job->holds & bits) != bits)
		add_hold(env, job, bits, true);
}

static enum cmd_status run_hold(struct cmd_env *env, int argc, char **argv)
{
	uint8_t bits = hold_bits(env);

	if (bits == 0)
		bits = JOB_HOLD_USER;
	return act_on_jobs(env, argv + 1, argc - 1, ACT_WAITING, hold_one, &bits);
}

const struct cmd cmd_hold = {
	.name = "hold",
	.alias = "sethold",
	.args = "JOB...",
	.help = "Keeps waiting jobs from starting; a user hold unless another kind is named.",
	.options = hold_options,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_hold,
	.complete = complete_jobs,
};

static void release_one(struct cmd_env *env, const struct job *job, const void *what)
{
	uint8_t bits = *(const uint8_t *)what;

	if (bits == JOB_HOLD_ALL && job->holds == 0 && job->defer_until_s > env->now_s) {
		cmd_add_event(env, EVENT_DEFER, job->id)->defer.until_s = TIME_NONE;
		return;
	}
	if (cmd_option(env, "-w") && (job->holds & bits) == 0)
		return;
	/* Of all kinds only those it has: the journal then says what was released. */
	if (bits == JOB_HOLD_ALL && job->holds != 0)
		bits = job->holds;
	add_hold(env, job, bits, false);
}

static enum cmd_status run_release(struct cmd_env *env, int argc, char **argv)
{
	uint8_t bits = hold_bits(env);

	if (bits == 0)
		bits = JOB_HOLD_ALL;
	return act_on_jobs(env, argv + 1, argc - 1, ACT_WAITING, release_one, &bits);
}

const struct cmd cmd_release = {
	.name = "release",
	.alias = "releasehold",
	.args = "JOB...",
	.help = "Takes holds from jobs; all kinds unless some are named. A job that was deferred is let be "
		"no "
		"longer.",
	.options = release_options,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_release,
	.complete = complete_jobs,
};

/* --- cancel -------------------------------------------------------------------------------- */

static void cancel_one(struct cmd_env *env, const struct job *job, const void *what)
{
	(void)what;
	if (!cmd_option(env, "-w") || !(job->flags & JOB_CANCELLED))
		cmd_add_event(env, EVENT_CANCEL, job->id);
}

static enum cmd_status run_cancel(struct cmd_env *env, int argc, char **argv)
{
	return act_on_jobs(env, argv + 1, argc - 1, ACT_ALL, cancel_one, NULL);
}

const struct cmd cmd_cancel = {
	.name = "cancel",
	.alias = "canceljob",
	.args = "JOB...",
	.help = "Takes jobs away: waiting ones at once, running ones when their manager has ended them.",
	.options = (const struct cmd_option[]){ACT_WHERE_OPTION, {0}},
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_cancel,
	.complete = complete_jobs,
};
