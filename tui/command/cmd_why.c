/* SPDX-License-Identifier: MIT */
/*
 * cmd_why.c - kahu why: the reasons why a job is not running
 *
 * Prints every gate, a check that a job must pass to start, in the order in which a scheduling pass tests
 * them, with the values found and allowed. The first gate that fails is the reason that the pass gives.
 */
#include "cmd.h"
#include "cmd_console.h"
#include "complete.h"
#include "sched/rm/wallclock.h"
#include "tui/report/job_text.h"
#include "tui/report/select.h"
#include "tui/report/statistics.h"
#include "tui/report/why_report.h"

struct inquiry {
	struct cmd_env *env;
	uint32_t slot;
	int64_t by_s;
	struct future future;
	struct future_start start; /* the estimated start */
	struct why why;
	struct accuracy accuracy; /* past run times as shares of wallclock limits */
	struct remedies remedies;
	bool sought; /* `remedies` is set */
};

/* --- the verb ----------------------------------------------------------------------------------------- */

static bool read_by(struct inquiry *q)
{
	const char *by = cmd_option(q->env, "--by");

	q->by_s = q->env->now_s;
	return by == NULL || wallclock_parse(by, q->env->now_s, &q->by_s, &q->env->err);
}

/*
 * Searches for remedies, unless the job runs or starts now. Returns false if the history cannot be read;
 * env->err says why.
 */
static bool find_remedies(struct inquiry *q)
{
	const struct snapshot *s = q->env->s;
	bool longer = cmd_option(q->env, "--changes") != NULL;
	struct remedy_view view = {s, snapshot_jobs(s)[q->slot].id};
	struct remedies_setup setup = {.now_s = q->env->now_s,
				       .by_s = q->by_s,
				       .most_work = longer ? REMEDIES_LONG_WORK : REMEDIES_WORK,
				       .accuracy = &q->accuracy,
				       .may = remedy_may,
				       .self = &view};

	q->sought = q->why.verdict != VERDICT_RUNS && q->why.verdict != VERDICT_STARTS_NOW;
	if (!q->sought)
		return true;
	if (!accuracy_gather(q->env, &q->accuracy))
		return false;
	remedies_find(&q->remedies, s, q->slot, &setup);
	explain_dated(&q->why, s, &q->start,
		      explain_lead(s, &q->future.plan, q->slot, q->remedies.start_s, q->remedies.never));
	return true;
}

static void answer(const struct inquiry *q)
{
	struct cmd_env *env = q->env;
	struct why_report report = {.known = {.s = env->s,
					      .now_s = env->now_s,
					      .slot = q->slot,
					      .plan = &q->future.plan,
					      .why = q->why,
					      .remedies = q->sought ? &q->remedies : NULL,
					      .start = q->start},
				    .future = &q->future,
				    .by_s = q->by_s,
				    .width = env->width,
				    .ascii = env->ascii,
				    .all = cmd_option(env, "-v") != NULL};

	(env->json ? why_report_json : why_report_text)(&report, env->out);
}

/* Shows the screen of the job instead, which searches for remedies in the background. */
static enum cmd_status show_in_console(struct inquiry *q)
{
	bool timed = cmd_option(q->env, "--by") != NULL;

	q->env->ask->seek(q->env->console, snapshot_jobs(q->env->s)[q->slot].id, timed ? q->by_s : TIME_NONE);
	return CMD_DONE;
}

/*
 * Returns the slot of the named job; in the console, if none is named, of the job under the cursor. Returns
 * INDEX_NONE with err set on failure.
 */
static uint32_t find_job(struct cmd_env *env, int argc, char **argv)
{
	uint32_t slot;

	if (argc > 1)
		return select_job(env->s, argv[1], &env->err);
	slot = snapshot_find_job(env->s, env->ask->job(env->console));
	if (slot == INDEX_NONE)
		err_set(&env->err, "why: no job under the cursor; name one");
	return slot;
}

static enum cmd_status run_why(struct cmd_env *env, int argc, char **argv)
{
	struct inquiry q = {.env = env, .slot = find_job(env, argc, argv)};
	bool found;

	if (q.slot == INDEX_NONE)
		return CMD_REFUSED;
	if (!read_by(&q))
		return CMD_USAGE;
	if (env->console != NULL)
		return show_in_console(&q);
	q.start = estimated_job(&q.future, env, env->s, q.slot, ASSUME_WCLIMIT, NULL);
	explain_planned(env->s, q.slot, &q.future.plan, &q.why);
	explain_dated(&q.why, env->s, &q.start, explain_future(&q.future, q.slot));
	found = find_remedies(&q);
	if (found)
		answer(&q);
	accuracy_clear(&q.accuracy);
	future_clear(&q.future);
	remedies_clear(&q.remedies);
	return found ? CMD_DONE : CMD_FAILED;
}

static const struct cmd_option why_options[] = {
	{"-v", NULL, "also show the checks that pass"},
	{"--by", "TIME", "find single changes that would start the job by this time (default: now)"},
	{"--changes", NULL,
	 "search longer for such changes if the queue is long; no suggestion lowers limits, shares or "
	 "priorities of other users"},
	{0},
};

const struct cmd cmd_why = {
	.name = "why",
	.alias = "explain",
	.args = "JOB",
	.help = "Explain why a job is not running: its estimated start, the checks that fail, with their "
		"numbers and the time each one clears, and the smallest changes that would start the job. No "
		"wallclock limit is suggested that is shorter than the usual run time of the user's jobs: "
		"the job's limit times the median share of their limits that they used in the last 30 days. "
		"For a user with fewer than 5 jobs, the median of all users is used.",
	.options = why_options,
	.min = 1,
	.max = 1,
	.flags = CMD_CURSOR | CMD_STORE | CMD_PAST,
	.run = run_why,
	.complete = complete_jobs,
};
