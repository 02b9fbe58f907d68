/* SPDX-License-Identifier: MIT */
/*
 * cmd_history.c - kahu history: jobs that have ended
 *
 * In order of end, newest last. Efficiency is processor time used as a share of processor time allocated.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
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
	struct report report;
	struct json json;
};

/* --- one job ------------------------------------------------------------------------------------------ */

static void json_status(struct json *j, const struct ended_job *ended)
{
	bool ran = ended->record.job.start_s != TIME_NONE && !ended->lost;
	bool signalled = ran && ended->status >= STATUS_SIGNALLED;

	json_text(j, "outcome", ended_outcome(ended));
	json_int_or_null(j, "exit_status", ran && !signalled ? ended->status : -1, -1);
	json_int_or_null(j, "signal", signalled ? ended->status - STATUS_SIGNALLED : -1, -1);
	json_text(j, "why", ended->why);
}

static void json_job(struct json *j, const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;
	double efficiency = ended_efficiency(ended);
	char label[ENDED_LABEL_TEXT];

	json_open(j, NULL, '{');
	json_text(j, "job", ended_label(&ended->record, label));
	json_text(j, "name", ended->record.name);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		json_text(j, cred_type_name(type), ended->record.cred[type]);
	json_status(j, ended);
	json_int(j, "procs", job_procs_counted(job));
	json_int(j, "wclimit_s", job->wall_limit_s);
	json_int(j, "submit", job->submit_s);
	json_int_or_null(j, "start", job->start_s, TIME_NONE);
	json_int(j, "end", ended->end_s);
	json_int(j, "wait_s", ended_wait_s(ended));
	json_int(j, "run_s", ended_run_s(ended));
	json_int_or_null(j, "mem_mb", ended->mem_mb, 0);
	if (efficiency >= 0)
		json_real(j, "efficiency", efficiency);
	else
		json_null(j, "efficiency");
	json_close(j);
}

static void report_job(struct report *r, const struct ended_job *ended, int64_t now_s)
{
	const struct job_record *record = &ended->record;
	double efficiency = ended_efficiency(ended);
	char label[ENDED_LABEL_TEXT], status[ENDED_STATUS_TEXT], text[DURATION_TEXT], when[MOMENT_TEXT];

	report_cell(r, ended_label(record, label));
	report_cell(r, record->name != NULL ? record->name : "-");
	report_cell(r, record->cred[CRED_USER] != NULL ? record->cred[CRED_USER] : "-");
	report_cell(r, ended_outcome(ended));
	report_cell(r, ended_status(ended, status));
	report_cellf(r, "%" PRId64, job_procs_counted(&record->job));
	report_cell(r, duration_text(text, ended_wait_s(ended)));
	report_cell(r, duration_text(text, ended_run_s(ended)));
	if (efficiency >= 0)
		report_cellf(r, "%.0f%%", 100 * efficiency);
	else
		report_cell(r, "-");
	if (ended->mem_mb > 0)
		report_cellf(r, "%" PRId64 "M", ended->mem_mb);
	else
		report_cell(r, "-");
	report_cell(r, wallclock_short(when, ended->end_s, now_s));
	report_cell(r, ended->why != NULL ? ended->why : "");
}

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

	if (!ended_matches(&h->filter, ended) || !is_named(h, ended))
		return;
	h->shown++;
	if (h->env->json)
		json_job(&h->json, ended);
	else
		report_job(&h->report, ended, h->env->now_s);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

/* Named jobs are found however long ago they ended. */
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
 * The scheduler finds jobs only by their numbers. Other labels exist only in stores of simulations, which are
 * read here.
 */
static void narrow_to_words(const struct history *h, struct history_wish *out)
{
	struct history_ids *ids = mem_zero(h->named_count + 1, sizeof *ids);
	size_t count = 0;

	while (count < h->named_count && ended_ids(h->named[count].term[0].value, &ids[count]))
		count++;
	if (count == h->named_count)
		history_want_ids(out, ids, count);
	free(ids);
}

/* True if the terms select jobs of certain users. */
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
 * True if the list is restricted to the asking user's jobs. The scheduler then reads only these, so that jobs
 * of other users cost no time. It does not restrict administrators, nor users who can read the store.
 */
static bool is_own(const struct cmd_env *env, const struct history *h)
{
	return cmd_option(env, "--all") == NULL && h->named_count == 0 && !names_people(&h->filter);
}

static bool find(struct cmd_env *env, struct history *h, int64_t since_s)
{
	struct ended_wish wish = {.jobs = {.after = {.end_s = since_s}}, .own = is_own(env, h)};

	ended_narrow(&wish, &h->filter);
	if (env->caller != NULL)
		narrow_to_words(h, &wish.jobs);
	return ended_find(env, &wish, take, h);
}

static bool walk(struct cmd_env *env, struct history *h, int64_t since_s)
{
	bool good;

	if (!env->json)
		return find(env, h, since_s);
	json_open(&h->json, NULL, '{');
	json_int(&h->json, "now", env->now_s);
	json_int(&h->json, "since", since_s);
	json_open(&h->json, "jobs", '[');
	good = find(env, h, since_s);
	json_close(&h->json);
	json_close(&h->json);
	str_add_char(env->out, '\n');
	return good;
}

static enum cmd_status run_history(struct cmd_env *env, int argc, char **argv)
{
	static const struct report_column columns[] = {
		{"JOB", TEXT_RIGHT},  {"NAME", TEXT_LEFT},  {"USER", TEXT_LEFT},  {"OUTCOME", TEXT_LEFT},
		{"EXIT", TEXT_RIGHT}, {"PROC", TEXT_RIGHT}, {"WAIT", TEXT_RIGHT}, {"RUN", TEXT_RIGHT},
		{"EFF", TEXT_RIGHT},  {"MEM", TEXT_RIGHT},  {"ENDED", TEXT_LEFT}, {"WHY", TEXT_LEFT},
	};
	static const unsigned char spare[] = {0, 2, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0};
	struct history h = {.env = env,
			    .report = {.column = columns,
				       .columns = sizeof columns / sizeof columns[0],
				       .width = env->width,
				       .spare = spare},
			    .json = {.out = env->out}};
	int64_t since_s;
	enum cmd_status status = CMD_USAGE;

	if (read_wishes(env, &h, argc, argv, &since_s))
		status = walk(env, &h, since_s) ? CMD_DONE : CMD_FAILED;
	if (status == CMD_DONE && h.named_count > 0 && h.shown == 0) {
		status = CMD_REFUSED;
		str_clear(env->out);
		err_set(&env->err, "no such job has ended; 'kahu queue' lists active and waiting jobs");
	}
	if (status == CMD_DONE && h.report.cells > 0)
		report_print(&h.report, 0, env->ascii, env->out);
	report_free(&h.report);
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
			 "jobs of all users; otherwise only your own jobs, unless you are an administrator "
			 "or JOB or TERMS name jobs, users, groups or accounts"},
			{0}},
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE | CMD_PAST,
	.run = run_history,
};
