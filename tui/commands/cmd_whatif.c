/* SPDX-License-Identifier: MIT */
/*
 * cmd_whatif.c - kahu whatif: which starts would change, and for whom, if the policy were another?
 *
 * The wishes go the way of every change: as verbs that give events. They are applied to a copy of the state,
 * both are projected, and nothing is changed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "cmd.h"
#include "complete.h"
#include "jobtext.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/core/draft.h"
#include "sched/core/future.h"
#include "sched/core/whatif.h"
#include "tui/wallclock.h"

struct inquiry {
	struct cmd_env *env;
	struct cmd_changes changes;
	bool full; /* the whole projection; else the instant plan */
	enum assume_kind assume;
	struct accuracy accuracy;
	struct state *copy;
	struct future before, after;
	struct whatif found;
};

/* --- the draft ----------------------------------------------------------------------------------- */

/* A verb of its own with the changes of the draft; what it prints is of no interest here. */
static enum cmd_status run_verb(struct inquiry *q, int argc, char **argv, const char *line)
{
	struct str out = {0};
	struct cmd_env env = *q->env;
	enum cmd_status status;

	env.out = &out;
	env.changes = &q->changes;
	env.given = NULL;
	env.given_count = env.given_room = 0;
	env.dry_run = false;
	status = line != NULL ? cmd_run_line(&env, line) : cmd_run(&env, argc, argv);
	q->env->err = env.err;
	str_free(&out);
	return status;
}

static enum cmd_status gather(struct inquiry *q, int argc, char **argv)
{
	static char tune[] = "tune";
	enum cmd_status status = CMD_DONE;
	const char *line;

	for (int i = 1; i < argc && status == CMD_DONE; i++)
		status = run_verb(q, 2, (char *[]){tune, argv[i], NULL}, NULL);
	for (size_t i = 0; status == CMD_DONE && (line = cmd_option_at(q->env, "--do", i)) != NULL; i++)
		status = run_verb(q, 0, NULL, line);
	if (status == CMD_DONE && q->changes.count == 0) {
		err_set(&q->env->err, "whatif: what is to be another? write NAME=VALUE or --do 'hold 12'");
		return CMD_USAGE;
	}
	return status;
}

/* --- JSON ---------------------------------------------------------------------------------------------- */

static void json_totals(struct json *j, const char *key, const struct whatif_totals *t, uint32_t jobs)
{
	json_open(j, key, '{');
	json_int(j, "starts", t->starts);
	json_int(j, "starts_now", t->starts_now);
	json_real(j, "mean_wait_s", whatif_mean(t->wait_s, jobs));
	json_int_or_null(j, "max_wait_s", jobs > 0 ? t->most_wait_s : -1, -1);
	json_real(j, "mean_xfactor", whatif_mean(t->xfactor, jobs));
	json_int_or_null(j, "last_start", t->last_start_s, TIME_NONE);
	json_close(j);
}

static void json_jobs(struct json *j, const struct inquiry *q)
{
	const struct snapshot *s = q->env->s;
	char label[JOB_LABEL_TEXT];

	json_open(j, "jobs", '[');
	for (size_t i = 0; i < q->found.count; i++) {
		const struct whatif_job *one = &q->found.job[i];

		json_open(j, NULL, '{');
		json_text(j, "job", snapshot_job_label(s, &snapshot_jobs(s)[one->slot_before], label));
		json_int_or_null(j, "rank_before", one->rank_before, 0);
		json_int_or_null(j, "rank_after", one->rank_after, 0);
		json_int(j, "priority_before", one->points_before);
		json_int(j, "priority_after", one->points_after);
		json_int_or_null(j, "start_before", one->start_before_s, TIME_NEVER);
		json_int_or_null(j, "start_after", one->start_after_s, TIME_NEVER);
		json_close(j);
	}
	json_close(j);
}

static void json_groups(struct json *j, const struct inquiry *q)
{
	const struct snapshot *s = q->env->s;

	json_open(j, "groups", '[');
	for (size_t i = 0; i < q->found.groups; i++) {
		const struct whatif_group *g = &q->found.group[i];

		json_open(j, NULL, '{');
		json_text(j, "type", cred_type_name(g->type));
		json_text(j, "name", snapshot_string(s, snapshot_creds(s)[g->cred].name));
		json_int(j, "jobs", g->jobs);
		json_int(j, "earlier", g->earlier);
		json_int(j, "later", g->later);
		json_totals(j, "before", &g->before, g->jobs);
		json_totals(j, "after", &g->after, g->jobs);
		json_close(j);
	}
	json_close(j);
}

static void print_json(const struct inquiry *q)
{
	struct json j = {.out = q->env->out};
	const struct whatif *w = &q->found;

	json_open(&j, NULL, '{');
	json_int(&j, "now", q->env->now_s);
	json_text(&j, "tier", q->full ? "full" : "instant");
	json_text(&j, "assume", assume_name(q->assume));
	json_int(&j, "same_jobs", w->jobs);
	json_totals(&j, "before", &w->before, w->jobs);
	json_totals(&j, "after", &w->after, w->jobs);
	json_int(&j, "earlier", w->earlier);
	json_int(&j, "later", w->later);
	json_jobs(&j, q);
	json_groups(&j, q);
	json_close(&j);
	str_add_char(q->env->out, '\n');
}

/* --- text ------------------------------------------------------------------------------------------------
 */

static void cell_moment(struct report *r, int64_t at_s, int64_t now_s)
{
	char when[MOMENT_TEXT];

	report_cell(r, at_s == TIME_NEVER ? "-" : moment_short(when, wallclock(at_s), wallclock(now_s)));
}

static void cell_change(struct report *r, int64_t before_s, int64_t after_s)
{
	char text[DURATION_TEXT];

	if (before_s == after_s)
		report_cell(r, "");
	else if (before_s == TIME_NEVER || after_s == TIME_NEVER)
		report_cell(r, after_s == TIME_NEVER ? "not any more" : "now it does");
	else if (after_s > before_s)
		report_cellf(r, "+%s", duration_text(text, after_s - before_s));
	else
		report_cellf(r, "-%s", duration_text(text, before_s - after_s));
}

static void cell_rank(struct report *r, uint32_t rank)
{
	if (rank > 0)
		report_cellf(r, "%" PRIu32, rank);
	else
		report_cell(r, "-");
}

static void print_jobs(const struct inquiry *q)
{
	static const struct report_column columns[] = {
		{"JOB", TEXT_RIGHT},  {"USER", TEXT_LEFT},      {"RANK", TEXT_RIGHT},
		{"", TEXT_RIGHT},     {"PRIORITY", TEXT_RIGHT}, {"", TEXT_RIGHT},
		{"START", TEXT_LEFT}, {"THEN", TEXT_LEFT},      {"CHANGE", TEXT_RIGHT}};
	struct report r = {.column = columns, .columns = 9, .width = q->env->width};
	const struct snapshot *s = q->env->s;
	char label[JOB_LABEL_TEXT];

	for (size_t i = 0; i < q->found.count; i++) {
		const struct whatif_job *j = &q->found.job[i];
		const struct job *job = &snapshot_jobs(s)[j->slot_before];

		report_cell(&r, snapshot_job_label(s, job, label));
		report_cell(&r, jobtext_cred(s, job, CRED_USER));
		cell_rank(&r, j->rank_before);
		cell_rank(&r, j->rank_after);
		report_cellf(&r, "%" PRId64, j->points_before);
		report_cellf(&r, "%" PRId64, j->points_after);
		cell_moment(&r, j->start_before_s, q->env->now_s);
		cell_moment(&r, j->start_after_s, q->env->now_s);
		cell_change(&r, j->start_before_s, j->start_after_s);
	}
	report_print(&r, 0, q->env->ascii, q->env->out);
	report_free(&r);
}

static void totals_row(struct report *r, const char *type, const char *name, uint32_t jobs,
		       const struct whatif_totals *before, const struct whatif_totals *after,
		       uint32_t earlier, uint32_t later)
{
	char one[DURATION_TEXT], two[DURATION_TEXT];

	report_cell(r, type);
	report_cell(r, name);
	report_cellf(r, "%" PRIu32, jobs);
	report_cell(r, jobs > 0 ? duration_text(one, (int64_t)whatif_mean(before->wait_s, jobs)) : "-");
	report_cell(r, jobs > 0 ? duration_text(two, (int64_t)whatif_mean(after->wait_s, jobs)) : "-");
	report_cellf(r, "%.2f", jobs > 0 ? whatif_mean(before->xfactor, jobs) : 0);
	report_cellf(r, "%.2f", jobs > 0 ? whatif_mean(after->xfactor, jobs) : 0);
	report_cellf(r, "%" PRIu32, earlier);
	report_cellf(r, "%" PRIu32, later);
}

static void print_totals(const struct inquiry *q)
{
	static const struct report_column columns[] = {
		{"", TEXT_LEFT},          {"OF", TEXT_LEFT},       {"JOBS", TEXT_RIGHT},
		{"MEANWAIT", TEXT_RIGHT}, {"THEN", TEXT_RIGHT},    {"MEANXF", TEXT_RIGHT},
		{"THEN", TEXT_RIGHT},     {"EARLIER", TEXT_RIGHT}, {"LATER", TEXT_RIGHT}};
	struct report r = {.column = columns, .columns = 9, .width = q->env->width};
	const struct whatif *w = &q->found;
	const struct snapshot *s = q->env->s;

	totals_row(&r, "all", "", w->jobs, &w->before, &w->after, w->earlier, w->later);
	for (size_t i = 0; i < w->groups; i++) {
		const struct whatif_group *g = &w->group[i];

		totals_row(&r, cred_type_name(g->type), snapshot_string(s, snapshot_creds(s)[g->cred].name),
			   g->jobs, &g->before, &g->after, g->earlier, g->later);
	}
	report_print(&r, 0, q->env->ascii, q->env->out);
	report_free(&r);
}

static void print_text(const struct inquiry *q)
{
	const struct whatif *w = &q->found;

	for (size_t i = 0; i < q->changes.count; i++) {
		str_addf(q->env->out, "%zu  ", i + 1);
		cmd_describe(q->env->s, &q->changes.event[i], q->env->out);
		str_add_char(q->env->out, '\n');
	}
	str_addf(q->env->out,
		 "%s, nothing is changed: %" PRIu32 " of %zu waiting jobs start earlier, %" PRIu32
		 " later, %" PRIu32 " change rank\n\n",
		 q->full ? "Full projection" : "Instant plan", w->earlier, w->count, w->later, w->reordered);
	print_jobs(q);
	str_add_char(q->env->out, '\n');
	print_totals(q);
}

/* --- the verb ------------------------------------------------------------------------------------------- */

static enum cmd_status look(struct inquiry *q)
{
	struct cmd_env *env = q->env;
	struct future_setup ahead = {
		.now_s = env->now_s, .full = q->full, .assume = q->assume, .accuracy = &q->accuracy};

	q->copy = draft_make(env->s, q->changes.event, q->changes.count, NULL, &env->err);
	if (!q->copy)
		return CMD_REFUSED;
	future_build(&q->before, env->s, &ahead);
	future_build(&q->after, state_view(q->copy), &ahead);
	whatif_compare(&q->found, &q->before.side, &q->after.side);
	if (env->json)
		print_json(q);
	else
		print_text(q);
	return CMD_DONE;
}

/* The instant plan knows nothing but limits. */
static enum cmd_status read_assumption(struct inquiry *q)
{
	if (!q->full && cmd_option(q->env, "--assume") != NULL) {
		err_set(&q->env->err, "--instant goes by wallclock limits; leave it out, or --assume");
		return CMD_USAGE;
	}
	return accuracy_option(q->env, &q->assume, &q->accuracy);
}

static enum cmd_status run_whatif(struct cmd_env *env, int argc, char **argv)
{
	struct inquiry q = {.env = env, .full = cmd_option(env, "--instant") == NULL};
	enum cmd_status status = read_assumption(&q);

	if (status == CMD_DONE)
		status = gather(&q, argc, argv);
	if (status == CMD_DONE)
		status = look(&q);
	cmd_changes_clear(&q.changes);
	future_clear(&q.before);
	future_clear(&q.after);
	whatif_clear(&q.found);
	accuracy_clear(&q.accuracy);
	state_free(q.copy);
	return status;
}

const struct cmd cmd_whatif = {
	.name = "whatif",
	.args = "[NAME=VALUE]...",
	.help = "Projected starts as things are and as they would be, with totals by user, group, account, "
		"QOS and "
		"class; changes nothing.",
	.options =
		(const struct cmd_option[]){
			{"--do", "LINE", "and with this verb, such as 'hold 12'; may be repeated"},
			ASSUME_OPTION,
			{"--instant", NULL, "by the instant plan in place of the full projection"},
			{0}},
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE,
	.run = run_whatif,
	.complete = complete_options,
};
