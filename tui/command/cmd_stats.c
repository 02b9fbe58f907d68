/* SPDX-License-Identifier: MIT */
/*
 * cmd_stats.c - kahu stats: job statistics
 *
 * Like showstats: of the system, or one line for each user, group, account, QOS or class with jobs. Shares
 * are of all jobs that have ended. With the name of a statistic the grid of showgrid; with --estimates the
 * accuracy of estimated starts.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/rm/wallclock.h"
#include "tui/report/estimate_accuracy.h"
#include "tui/report/report.h"
#include "tui/report/statistics.h"

/* --- statistics --------------------------------------------------------------------------------------- */

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static double mean(const struct tally *t, double sum)
{
	return ratio(sum, (double)t->started);
}

static bool has_jobs(const struct tally *t)
{
	return t->running + t->waiting + t->ended > 0;
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void json_tally(struct json *j, const struct tally *t, const struct tally *all)
{
	json_int(j, "running", (int64_t)t->running);
	json_int(j, "waiting", (int64_t)t->waiting);
	json_int(j, "procs", t->procs);
	json_real(j, "proc_hours_running", t->procs_s / 3600);
	json_int(j, "ended", (int64_t)t->ended);
	json_int(j, "started", (int64_t)t->started);
	json_int(j, "backfilled", (int64_t)t->backfilled);
	json_real(j, "proc_hours_asked", t->asked_s / 3600);
	json_real(j, "proc_hours", t->dedicated_s / 3600);
	json_real(j, "share", ratio(t->dedicated_s, all->dedicated_s));
	json_real(j, "mean_wait_s", mean(t, t->wait_s));
	json_int(j, "max_wait_s", t->most_wait_s);
	json_real(j, "mean_xfactor", mean(t, t->xfactor));
	json_real(j, "max_xfactor", t->most_xfactor);
	json_real(j, "accuracy", mean(t, t->accuracy));
	if (t->known_s > 0)
		json_real(j, "efficiency", t->used_s / t->known_s);
	else
		json_null(j, "efficiency");
}

static void json_creds(struct json *j, const struct statistics *st, enum cred_type type)
{
	const struct cred *cred = snapshot_creds(st->s);

	json_open(j, cred_type_name(type), '[');
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++) {
		if (cred[i].type != (uint32_t)type || !has_jobs(&st->of_cred[i]))
			continue;
		json_open(j, NULL, '{');
		json_text(j, "name", snapshot_string(st->s, cred[i].name));
		json_tally(j, &st->of_cred[i], &st->all);
		json_close(j);
	}
	json_close(j);
}

static void print_json(const struct statistics *st, const struct cmd_env *env)
{
	struct json j = {.out = env->out};

	json_open(&j, NULL, '{');
	json_int(&j, "now", env->now_s);
	json_int_or_null(&j, "first_end", st->first_end_s, TIME_NONE);
	json_int_or_null(&j, "last_end", st->last_end_s, TIME_NONE);
	json_int(&j, "procs_total", st->s->procs_total);
	json_int(&j, "procs_busy", st->s->procs_busy);
	json_open(&j, "system", '{');
	json_tally(&j, &st->all, &st->all);
	json_close(&j);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		json_creds(&j, st, type);
	json_close(&j);
	str_add_char(env->out, '\n');
}

/* --- the system --------------------------------------------------------------------------------------- */

static void rows_of_history(struct report *r, const struct tally *t)
{
	char wait[DURATION_TEXT], most[DURATION_TEXT];

	report_pair(r, "ended jobs", "%" PRIu64 ", of them %" PRIu64 " ran and %" PRIu64 " were backfilled",
		    t->ended, t->started, t->backfilled);
	report_pair(r, "processor-hours", "%.2f dedicated of %.2f requested", t->dedicated_s / 3600,
		    t->asked_s / 3600);
	report_pair(r, "wait", "%s on average, %s at most", duration_text(wait, (int64_t)mean(t, t->wait_s)),
		    duration_text(most, t->most_wait_s));
	report_pair(r, "xfactor", "%.2f on average, %.2f at most", mean(t, t->xfactor), t->most_xfactor);
	report_pair(r, "wallclock accuracy", "%.2f %%", 100 * mean(t, t->accuracy));
	if (t->known_s > 0)
		report_pair(r, "efficiency", "%.2f %%", 100 * t->used_s / t->known_s);
}

static void print_system(const struct statistics *st, const struct cmd_env *env)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	const struct snapshot *s = st->s;
	const struct tally *t = &st->all;
	char when[MOMENT_TEXT];

	report_pair(&r, "time", "%s", wallclock_long(when, env->now_s));
	report_pair(&r, "jobs now", "%" PRIu64 " running, %" PRIu64 " waiting", t->running, t->waiting);
	report_pair(&r, "processors", "%" PRId64 " of %" PRId64 " active (%.2f%%)", s->procs_busy,
		    s->procs_total, 100 * ratio((double)s->procs_busy, (double)s->procs_total));
	report_pair(&r, "nodes", "%" PRId64 " of %" PRIu32 " active (%.2f%%)", s->nodes_busy,
		    snapshot_count(s, TABLE_NODES),
		    100 * ratio((double)s->nodes_busy, (double)snapshot_count(s, TABLE_NODES)));
	if (st->first_end_s != TIME_NONE)
		report_pair(&r, "first end", "%s", wallclock_long(when, st->first_end_s));
	rows_of_history(&r, t);
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
}

/* --- by credential ------------------------------------------------------------------------------------ */

static void tally_row(struct report *r, const char *name, const struct tally *t, const struct tally *all)
{
	report_cell(r, name);
	report_cellf(r, "%" PRIu64, t->running);
	report_cellf(r, "%" PRId64, t->procs);
	report_cellf(r, "%" PRIu64, t->waiting);
	report_cellf(r, "%" PRIu64, t->ended);
	report_cellf(r, "%.2f", 100 * ratio((double)t->ended, (double)all->ended));
	report_cellf(r, "%.2f", t->dedicated_s / 3600);
	report_cellf(r, "%.2f", 100 * ratio(t->dedicated_s, all->dedicated_s));
	report_cellf(r, "%.2f", mean(t, t->xfactor));
	report_cellf(r, "%.2f", t->most_xfactor);
	report_cellf(r, "%.2f", mean(t, t->wait_s) / 3600);
	if (t->known_s > 0)
		report_cellf(r, "%.2f", 100 * t->used_s / t->known_s);
	else
		report_cell(r, "-");
	report_cellf(r, "%.2f", 100 * mean(t, t->accuracy));
}

static const char *capitals(struct str *to, const char *word)
{
	report_capitals(to, word);
	return str_text(to);
}

static void print_creds(const struct statistics *st, enum cred_type type, const struct cmd_env *env)
{
	struct str title = {0};
	const struct report_column columns[] = {
		{capitals(&title, cred_type_name(type)), TEXT_LEFT},
		{"RUN", TEXT_RIGHT},
		{"PROCS", TEXT_RIGHT},
		{"WAIT", TEXT_RIGHT},
		{"ENDED", TEXT_RIGHT},
		{"%", TEXT_RIGHT},
		{"PROCHOURS", TEXT_RIGHT},
		{"%", TEXT_RIGHT},
		{"AVGXF", TEXT_RIGHT},
		{"MAXXF", TEXT_RIGHT},
		{"AVGQH", TEXT_RIGHT},
		{"EFFIC", TEXT_RIGHT},
		{"WCACC", TEXT_RIGHT},
	};
	static const unsigned char spare[] = {0, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 3, 1};
	struct report r = {.column = columns,
			   .columns = sizeof columns / sizeof columns[0],
			   .width = env->width,
			   .spare = spare};
	const struct cred *cred = snapshot_creds(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		if (cred[i].type == (uint32_t)type && has_jobs(&st->of_cred[i]))
			tally_row(&r, snapshot_string(st->s, cred[i].name), &st->of_cred[i], &st->all);
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
	str_free(&title);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static const char *const type_options[CRED_TYPE_COUNT] = {
	[CRED_USER] = "-u", [CRED_GROUP] = "-g", [CRED_ACCOUNT] = "-a",
	[CRED_QOS] = "-q",  [CRED_CLASS] = "-c",
};

static void print_text(const struct statistics *st, const struct cmd_env *env)
{
	bool some = false;

	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		if (!cmd_option(env, type_options[type]))
			continue;
		if (some)
			str_add_char(env->out, '\n');
		print_creds(st, type, env);
		some = true;
	}
	if (!some)
		print_system(st, env);
}

/* Estimates are of all jobs. Their options need --estimates. */
static bool fits_estimates(struct cmd_env *env, bool estimates, int argc)
{
	static const char *const with[] = {"--since", "--assume"};
	static const char *const without[] = {"-u", "-g", "-a", "-q", "-c", "-t"};

	for (size_t i = 0; !estimates && i < sizeof with / sizeof with[0]; i++)
		if (cmd_option(env, with[i]) != NULL)
			return err_set(&env->err, "%s is for --estimates%s", with[i],
				       i == 0 ? "; use -t for jobs that ended since a given time" : "");
	for (size_t i = 0; estimates && i < sizeof without / sizeof without[0]; i++)
		if (cmd_option(env, without[i]) != NULL)
			return err_set(&env->err, "%s cannot be combined with --estimates%s", without[i],
				       without[i][1] == 't' ? "; use --since TIME" : "");
	return !estimates || argc == 1 || err_set(&env->err, "--estimates takes no STATISTIC");
}

static enum cmd_status run_stats(struct cmd_env *env, int argc, char **argv)
{
	bool estimates = cmd_option(env, "--estimates") != NULL;
	const char *since = cmd_option(env, "-t");
	int64_t since_s = INT64_MIN;
	struct statistics st;
	bool ok;

	if (!fits_estimates(env, estimates, argc))
		return CMD_USAGE;
	if (estimates)
		return estimate_accuracy_print(env);
	if (since && !wallclock_last(since, env->now_s, &since_s, &env->err))
		return CMD_USAGE;
	if (argc > 1)
		return grid_print(env, argv[1], since_s);
	ok = statistics_gather(&st, env, since_s);
	if (ok && env->json)
		print_json(&st, env);
	else if (ok)
		print_text(&st, env);
	statistics_clear(&st);
	return ok ? CMD_DONE : CMD_FAILED;
}

const struct cmd cmd_stats = {
	.name = "stats",
	.alias = "showstats showgrid",
	.args = "[STATISTIC]",
	.help = "Show job statistics: number of jobs, processor-hours, waiting times and expansion factors, "
		"in total or by credential.",
	.options =
		(const struct cmd_option[]){
			{"-u", NULL, "by user"},
			{"-g", NULL, "by group"},
			{"-a", NULL, "by account"},
			{"-q", NULL, "by QOS"},
			{"-c", NULL, "by class"},
			{"-t", "TIME", "only jobs that ended since then: 14:30, 2026-03-24T16:30"},
			{"--estimates", NULL,
			 "compare estimated starts with actual starts: as estimated at submission, halfway "
			 "through the wait, and one hour before"},
			{"--since", "TIME",
			 "with --estimates: starts since this time, or since an age such as 7d (the "
			 "default)"},
			ASSUME_OPTION,
			{0},
		},
	.max = 1,
	.flags = CMD_STORE | CMD_PAST,
	.run = run_stats,
};
