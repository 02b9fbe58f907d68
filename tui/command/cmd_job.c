/* SPDX-License-Identifier: MIT */
/*
 * cmd_job.c - kahu job: all details of one job
 *
 * Like Maui's checkjob, this verb can check the job under another policy level, with another QOS, or on one
 * node. Another QOS is assigned to the job in a copy of the state.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "tui/report/job_report.h"
#include "tui/report/job_text.h"
#include "tui/report/select.h"

/* --- options ------------------------------------------------------------------------------------------ */

static bool read_level(struct job_report *a, struct cmd_env *env)
{
	const char *level = cmd_option(env, "-l"), *flags = cmd_option(env, "--flags");

	a->level = POLICY_LEVEL_SOFT;
	if (flags && strcmp(flags, "future") != 0)
		return err_set(&env->err, "--flags %s: the only flag is 'future'", flags);
	if (flags)
		a->level = POLICY_LEVEL_FUTURE;
	else if (level)
		a->level = policy_level_find(level, &env->err);
	a->level_asked = level || flags;
	return a->level != POLICY_LEVEL_COUNT;
}

static bool read_node(struct job_report *a, struct cmd_env *env)
{
	const char *name = cmd_option(env, "-n");

	a->node = name ? 0 : INDEX_NONE;
	while (name && a->node < snapshot_count(env->s, TABLE_NODES) &&
	       strcmp(snapshot_string(env->s, snapshot_nodes(env->s)[a->node].name), name) != 0)
		a->node++;
	return !name || a->node < snapshot_count(env->s, TABLE_NODES) ||
	       err_set(&env->err, "there is no node '%s'; 'kahu node' lists them", name);
}

/*
 * Returns a copy of the state in which the job has the QOS of -q. Returns NULL if -q is not given, or, with
 * *refused set, if the job cannot have this QOS.
 */
static struct state *with_qos(struct cmd_env *env, uint32_t slot, bool *refused)
{
	const char *qos = cmd_option(env, "-q");
	struct event ev = {.time_s = env->now_s, .kind = EVENT_MODIFY, .who = env->who};
	struct state *copy;

	*refused = false;
	if (!qos)
		return NULL;
	copy = state_from_snapshot(env->s);
	ev.job = snapshot_jobs(env->s)[slot].id;
	ev.modify.name = "qos";
	ev.modify.value = qos;
	if (event_apply(copy, &ev, &env->err))
		return copy;
	state_free(copy);
	*refused = true;
	return NULL;
}

/* --- output ------------------------------------------------------------------------------------------- */

static void look(struct job_report *a)
{
	int64_t now_s = a->env->now_s;
	bool *over = job_text_over_soft(a->s, now_s);

	a->start = estimated_job(&a->future, a->env, a->s, a->slot, ASSUME_WCLIMIT, NULL);
	explain_planned(a->s, a->slot, &a->future.plan, &a->why);
	explain_dated(&a->why, a->s, &a->start, explain_future(&a->future, a->slot));
	queue_priority(a->s, a->job, now_s, &a->future.plan.queue.shares, &a->priority);
	a->over_soft = over[a->slot];
	if (a->node != INDEX_NONE)
		a->on_node = node_fit_find(a->s, a->slot, a->node, now_s);
	free(over);
}

static void print(struct job_report *a)
{
	a->job = &snapshot_jobs(a->s)[a->slot];
	look(a);
	if (a->env->json)
		job_report_json(a, a->env->out);
	else
		job_report_text(a, a->env->out);
	future_clear(&a->future);
}

static enum cmd_status run_job(struct cmd_env *env, int argc, char **argv)
{
	struct job_report a = {.env = env, .s = env->s};
	struct state *copy;
	bool refused;

	(void)argc;
	if (!read_level(&a, env))
		return CMD_USAGE;
	a.slot = select_job(env->s, argv[1], &env->err);
	if (a.slot == INDEX_NONE || !read_node(&a, env))
		return CMD_REFUSED;
	copy = with_qos(env, a.slot, &refused);
	if (refused)
		return CMD_REFUSED;
	if (copy)
		a.s = state_view(copy);
	print(&a);
	if (copy)
		state_free(copy);
	return CMD_DONE;
}

const struct cmd cmd_job = {
	.name = "job",
	.alias = "checkjob",
	.args = "JOB",
	.help = "Show all details of a job.",
	.options =
		(const struct cmd_option[]){
			{"-l", "LEVEL",
			 "check whether the job could start with soft limits, hard limits, or none"},
			{"-n", "NODE", "check this node only"},
			{"-q", "QOS", "check the job with this QOS"},
			{"--flags", "future", "check whether the job could ever run"},
			{0},
		},
	.min = 1,
	.max = 1,
	.flags = CMD_STORE | CMD_PAST,
	.run = run_job,
	.complete = complete_jobs,
};
