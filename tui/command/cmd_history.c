/* SPDX-License-Identifier: MIT */
/*
 * cmd_history.c - kahu history: jobs that have ended
 *
 * Jobs are listed by end time, the latest last. Efficiency is the processor time used, as a share of the
 * processor time allocated.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "tui/report/ended.h"
#include "tui/report/report.h"
#include "tui/report/select.h"

struct history {
	const struct cmd_env *env;
	struct job_filter filter;
	struct job_filter *named; /* one filter for each word; NULL = all jobs */
	size_t named_count, shown;
	int64_t since_s;
	field_visit *visit;
	void *self;
	bool good; /* the history could be read */
};

/* --- one job ------------------------------------------------------------------------------------------ */

static bool is_named(const struct history *h, const struct ended_job *ended)
{
	for (size_t i = 0; i < h->named_count; i++)
		if (ended_matches(&h->named[i], ended))
			return true;
	return h->named_count == 0;
}

static void take(void *self, const struct ended_job *ended)
{
	struct history *h = self;
	const struct ended_row row = {ended, h->env->now_s};

	if (!ended_matches(&h->filter, ended) || !is_named(h, ended))
		return;
	h->shown++;
	h->visit(h->self, &row);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

/* Reads --since; one day by default. For named jobs the default is no limit. */
static bool read_since(struct cmd_env *env, const struct history *h, int64_t *since_s)
{
	const char *text = cmd_option(env, "--since");

	*since_s = 0;
	if (text == NULL && h->named_count > 0)
		return true;
	return wallclock_since(text != NULL ? text : "1d", env->now_s, since_s, &env->err);
}

static bool read_names(struct history *h, char **word, int count, struct err *err)
{
	struct str term = {0};
	bool good = true;

	h->named = mem_zero((size_t)count + 1, sizeof *h->named);
	for (int i = 0; i < count && good; i++) {
		str_clear(&term);
		str_addf(&term, "job=%s", word[i]);
		good = job_filter_read(str_text(&term), &h->named[h->named_count], err);
		h->named_count += good;
	}
	str_free(&term);
	return good;
}

static bool read_wishes(struct cmd_env *env, struct history *h, int argc, char **argv, int64_t *since_s)
{
	const char *where = cmd_option(env, "-w");

	return read_names(h, argv + 1, argc - 1, &env->err) && read_since(env, h, since_s) &&
	       (where == NULL || job_filter_read(where, &h->filter, &env->err)) &&
	       (!h->filter.live ||
		err_set(&env->err, "states of ended jobs are completed, failed, atlimit, removed, notrun and "
				   "lost; 'kahu queue -w state=...' lists active and waiting jobs"));
}

static void forget_wishes(struct history *h)
{
	for (size_t i = 0; i < h->named_count; i++)
		job_filter_clear(&h->named[i]);
	free(h->named);
	job_filter_clear(&h->filter);
}

/*
 * Restricts the search to the IDs of the named jobs, if all names are IDs. The scheduler finds jobs only by
 * ID; other labels exist only in stores of simulations, which are read in this process.
 */
static void narrow_to_words(const struct history *h, struct history_filter *out)
{
	struct history_ids *ids = mem_zero(h->named_count + 1, sizeof *ids);
	size_t count = 0;

	while (count < h->named_count && ended_ids(h->named[count].term[0].value, &ids[count]))
		count++;
	if (count == h->named_count)
		history_filter_ids(out, ids, count);
	free(ids);
}

/* Returns true if a term names jobs, users, groups or accounts. */
static bool names_people(const struct job_filter *filter)
{
	static const char *const keys[] = {"job", "user", "group", "account"};
	bool found = false;

	for (size_t i = 0; i < filter->count; i++)
		for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
			found = found || strcmp(filter->term[i].key, keys[k]) == 0;
	return found;
}

/*
 * Returns true if the list may be restricted to the user's own jobs. The scheduler then reads only these, so
 * that jobs of other users cost no time. Administrators, and users who can read the store, are not
 * restricted.
 */
static bool is_own(const struct cmd_env *env, const struct history *h)
{
	return cmd_option(env, "--all") == NULL && h->named_count == 0 && !names_people(&h->filter);
}

static bool find(struct cmd_env *env, struct history *h, int64_t since_s)
{
	struct ended_wish wish = {.jobs = {.after = {.end_s = since_s}}, .own = is_own(env, h)};

	ended_narrow(&wish, &h->filter);
	if (env->client != NULL)
		narrow_to_words(h, &wish.jobs);
	return ended_find(env, &wish, take, h);
}

/* The object that history_fields describe. */
struct history_item {
	struct cmd_env *env;
	struct history *history;
};

static void each_ended(const void *item, field_visit *visit, void *self)
{
	const struct history_item *i = item;

	i->history->visit = visit;
	i->history->self = self;
	i->history->good = find(i->env, i->history, i->history->since_s);
}

static const struct field env_fields[] = {{"now", NULL, FIELD_INSTANT, FIELD_AT(struct cmd_env, now_s)}, {0}};

static const struct field period_fields[] = {
	{"since", NULL, FIELD_INSTANT, FIELD_AT(struct history, since_s)}, {0}};

static const struct field history_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct history_item, env), .of = env_fields},
	{.type = FIELD_MEMBERS, FIELD_TO(struct history_item, history), .of = period_fields},
	{"jobs", NULL, FIELD_LIST, .of = ended_fields, .each = each_ended},
	{0}};

static enum cmd_status run_history(struct cmd_env *env, int argc, char **argv)
{
	static const struct field_column columns[] = {
		{"job", .align = 'r'},
		{"name", .drop = 2},
		{.key = "user"},
		{.key = "outcome"},
		{"STATUS", .title = "EXIT"},
		{.key = "procs"},
		{"wait_s", .drop = 3, .title = "WAIT"},
		{"run_s", .title = "RUN"},
		{.key = "efficiency"},
		{"mem_mb", .drop = 1, .title = "MEM"},
		{.key = "end"},
		{.key = "why"},
	};
	struct history h = {.env = env};
	struct history_item item = {env, &h};
	struct field_table table;
	enum cmd_status status = CMD_USAGE;

	field_table_begin(&table, ended_fields, columns, sizeof columns / sizeof columns[0]);
	table.report.width = env->width;
	if (read_wishes(env, &h, argc, argv, &h.since_s)) {
		if (env->json)
			fields_document(env->out, history_fields, 0, &item);
		else
			each_ended(&item, field_table_visit, &table);
		status = h.good ? CMD_DONE : CMD_FAILED;
	}
	if (status == CMD_DONE && h.named_count > 0 && h.shown == 0) {
		status = CMD_REFUSED;
		str_clear(env->out);
		err_set(&env->err, "no such job has ended; 'kahu queue' lists active and waiting jobs");
	}
	if (status == CMD_DONE && table.report.cells > 0)
		field_table_print(&table, 0, env->ascii, env->out);
	field_table_free(&table);
	forget_wishes(&h);
	return status;
}

const struct cmd cmd_history = {
	.name = "history",
	.args = "[JOB...]",
	.help = "List completed jobs, or the named ones: how they ended, how long they waited, and how much "
		"of their allocation they used.",
	.options =
		(const struct cmd_option[]){
			{"--since", "TIME",
			 "jobs that ended since TIME: today, yesterday, 14:10, 2026-03-24T14:10, or an age "
			 "such as 7d (default: one day, or no limit if jobs are named)"},
			{"-w", "TERMS", "only matching jobs: 'user=eva state=failed'"},
			{"--all", NULL,
			 "jobs of all users; without this option only your own jobs, unless you are an "
			 "administrator, or JOB or TERMS name jobs, users, groups or accounts"},
			{0}},
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE | CMD_PAST,
	.run = run_history,
};
