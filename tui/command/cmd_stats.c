/* SPDX-License-Identifier: MIT */
/*
 * cmd_stats.c - kahu stats: job statistics
 *
 * Prints, like Maui's showstats, one report about all jobs, or one line for each user, group, account, QOS or
 * class with jobs. Shares are relative to all jobs that have ended. If a statistic is named, prints the grid
 * of Maui's showgrid; with --estimates, the accuracy of estimated starts.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/report/estimate_accuracy.h"
#include "tui/report/field.h"
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

/* --- fields ------------------------------------------------------------------------------------------- */

/* The statistics of a credential or of all jobs. */
struct tally_item {
	const char *name; /* NULL for all jobs */
	struct tally t;
	const struct tally *all;
};

static bool get_hours_running(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = i->t.procs_s / 3600;
	return true;
}

static bool get_hours_asked(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = i->t.asked_s / 3600;
	return true;
}

static bool get_hours(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = i->t.dedicated_s / 3600;
	return true;
}

static bool get_share(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = ratio(i->t.dedicated_s, i->all->dedicated_s);
	return true;
}

static bool get_share_percent(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = 100 * ratio(i->t.dedicated_s, i->all->dedicated_s);
	return true;
}

static bool get_ended_percent(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = 100 * ratio((double)i->t.ended, (double)i->all->ended);
	return true;
}

static bool get_mean_wait(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = mean(&i->t, i->t.wait_s);
	return true;
}

static bool get_mean_wait_hours(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = mean(&i->t, i->t.wait_s) / 3600;
	return true;
}

static bool get_mean_xfactor(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = mean(&i->t, i->t.xfactor);
	return true;
}

static bool get_accuracy(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = mean(&i->t, i->t.accuracy);
	return true;
}

static bool get_accuracy_percent(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = 100 * mean(&i->t, i->t.accuracy);
	return true;
}

static bool get_efficiency(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = ratio(i->t.used_s, i->t.known_s);
	return i->t.known_s > 0;
}

static bool get_efficiency_percent(const void *item, struct value *out)
{
	const struct tally_item *i = item;

	out->real = 100 * i->t.used_s / i->t.known_s;
	return i->t.known_s > 0;
}

static const struct field tally_fields[] = {
	{"name", "NAME", FIELD_TEXT, FIELD_AT(struct tally_item, name), .optional = true},
	{"running", "RUN", FIELD_COUNT, FIELD_AT(struct tally_item, t.running)},
	{"waiting", "WAIT", FIELD_COUNT, FIELD_AT(struct tally_item, t.waiting)},
	{"procs", "PROCS", FIELD_COUNT, FIELD_AT(struct tally_item, t.procs)},
	{"ended", "ENDED", FIELD_COUNT, FIELD_AT(struct tally_item, t.ended)},
	{"started", NULL, FIELD_COUNT, FIELD_AT(struct tally_item, t.started)},
	{"backfilled", NULL, FIELD_COUNT, FIELD_AT(struct tally_item, t.backfilled)},
	{"max_wait_s", NULL, FIELD_DURATION, FIELD_AT(struct tally_item, t.most_wait_s)},
	{"max_xfactor", "MAXXF", FIELD_REAL, FIELD_AT(struct tally_item, t.most_xfactor)},
	{"proc_hours_running", NULL, FIELD_REAL, .get = get_hours_running},
	{"proc_hours_asked", NULL, FIELD_REAL, .get = get_hours_asked},
	{"proc_hours", "PROCHOURS", FIELD_REAL, .get = get_hours},
	{"share", NULL, FIELD_REAL, .get = get_share},
	{"mean_wait_s", NULL, FIELD_REAL, .get = get_mean_wait},
	{"mean_xfactor", "AVGXF", FIELD_REAL, .get = get_mean_xfactor},
	{"accuracy", NULL, FIELD_REAL, .get = get_accuracy},
	{"efficiency", NULL, FIELD_REAL, .get = get_efficiency},
	{NULL, "OF ENDED", FIELD_REAL, .get = get_ended_percent},
	{NULL, "OF HOURS", FIELD_REAL, .get = get_share_percent},
	{NULL, "AVGQH", FIELD_REAL, .get = get_mean_wait_hours},
	{NULL, "EFFIC", FIELD_REAL, .get = get_efficiency_percent},
	{NULL, "WCACC", FIELD_REAL, .get = get_accuracy_percent},
	{0},
};

struct stats_item {
	const struct statistics *st;
	int64_t now_s;
	struct tally_item system;
};

/* A type of credential, described by type_fields. */
struct type_item {
	const struct statistics *st;
	enum cred_type type;
	const char *name;
};

static void each_type(const void *item, field_visit *visit, void *self)
{
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		visit(self,
		      &(struct type_item){((const struct stats_item *)item)->st, type, cred_type_name(type)});
}

/* Visits the credentials of a type that have jobs. */
static void each_cred(const void *item, field_visit *visit, void *self)
{
	const struct type_item *i = item;
	const struct cred *cred = snapshot_creds(i->st->s);

	for (uint32_t c = 0; c < snapshot_count(i->st->s, TABLE_CREDS); c++)
		if (cred[c].type == (uint32_t)i->type && has_jobs(&i->st->of_cred[c]))
			visit(self, &(struct tally_item){snapshot_string(i->st->s, cred[c].name),
							 i->st->of_cred[c], &i->st->all});
}

static const struct field type_fields[] = {
	{NULL, "TYPE", FIELD_TEXT, FIELD_AT(struct type_item, name)},
	{NULL, "CREDENTIALS", FIELD_LIST, .of = tally_fields, .each = each_cred},
	{0}};

static const struct field ends_fields[] = {
	{"first_end", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct statistics, first_end_s, TIME_NONE)},
	{"last_end", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct statistics, last_end_s, TIME_NONE)},
	{0}};

static const struct field procs_fields[] = {
	{"procs_total", NULL, FIELD_COUNT, FIELD_AT(struct snapshot, procs_total)},
	{"procs_busy", NULL, FIELD_COUNT, FIELD_AT(struct snapshot, procs_busy)},
	{0}};

static const struct field machine_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct statistics, s), .of = procs_fields}, {0}};

static const struct field stats_fields[] = {
	{"now", NULL, FIELD_INSTANT, FIELD_AT(struct stats_item, now_s)},
	{.type = FIELD_MEMBERS, FIELD_TO(struct stats_item, st), .of = ends_fields},
	{.type = FIELD_MEMBERS, FIELD_TO(struct stats_item, st), .of = machine_fields},
	{"system", NULL, FIELD_OBJECT, FIELD_AT(struct stats_item, system), .of = tally_fields},
	{.type = FIELD_MAP, .of = type_fields, .each = each_type},
	{0}};

/* --- the system --------------------------------------------------------------------------------------- */

static void rows_of_history(struct report *r, const struct tally *t)
{
	char wait[DURATION_TEXT], most[DURATION_TEXT];

	report_pair(r, "ended jobs", "%" PRIu64 ", of which %" PRIu64 " ran and %" PRIu64 " were backfilled",
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

static const char *capitals(struct str *to, const char *word)
{
	report_capitals(to, word);
	return str_text(to);
}

static void print_creds(const struct statistics *st, enum cred_type type, const struct cmd_env *env)
{
	struct str title = {0};
	const struct field_column columns[] = {
		{.key = "name", .title = capitals(&title, cred_type_name(type))},
		{.key = "running"},
		{.key = "procs"},
		{.key = "waiting"},
		{.key = "ended"},
		{.key = "OF ENDED", .title = "%", .drop = 4},
		{.key = "proc_hours"},
		{.key = "OF HOURS", .title = "%"},
		{.key = "mean_xfactor"},
		{.key = "max_xfactor", .drop = 2},
		{.key = "AVGQH"},
		{.key = "EFFIC", .drop = 3},
		{.key = "WCACC", .drop = 1},
	};
	struct field_table t;

	field_table_begin(&t, tally_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = env->width;
	each_cred(&(struct type_item){st, type, NULL}, field_table_visit, &t);
	field_table_print(&t, 0, env->ascii, env->out);
	field_table_free(&t);
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

/*
 * Checks that --since and --assume are given only with --estimates, and that -u, -g, -a, -q, -c, -t and
 * STATISTIC are given only without it. Returns false with err set if not.
 */
static bool fits_estimates(struct cmd_env *env, bool estimates, int argc)
{
	static const char *const with[] = {"--since", "--assume"};
	static const char *const without[] = {"-u", "-g", "-a", "-q", "-c", "-t"};

	for (size_t i = 0; !estimates && i < sizeof with / sizeof with[0]; i++)
		if (cmd_option(env, with[i]) != NULL)
			return err_set(&env->err, "%s needs --estimates%s", with[i],
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
		fields_document(env->out, stats_fields, 0,
				&(struct stats_item){&st, env->now_s, {.t = st.all, .all = &st.all}});
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
			{"-t", "TIME",
			 "only jobs that ended since this time, such as 14:30 or 2026-03-24T16:30"},
			{"--estimates", NULL,
			 "compare estimated starts with actual starts: as estimated at submission, halfway "
			 "through the wait, and one hour before the start"},
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
