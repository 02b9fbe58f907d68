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

#include "cmd.h"
#include "complete.h"
#include "inquiry.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/forecast/whatif.h"
#include "sched/rm/wallclock.h"
#include "sched/state/draft.h"
#include "tui/report/jobtext.h"

/* The draft beside things as they are. */
struct beside {
	struct inquiry *q;
	struct state *copy;
	struct future_pair pair;
};

/* --- the draft ----------------------------------------------------------------------------------- */

/* What the verbs so far make of the state: the next one means that. */
struct stage {
	struct state *st;
	struct stage *before; /* events of its verb may point into it, so all stay */
};

static void stages_free(struct stage *top)
{
	while (top != NULL) {
		struct stage *before = top->before;

		state_free(top->st);
		free(top);
		top = before;
	}
}

static bool add_stage(struct inquiry *q, struct stage **top)
{
	const struct snapshot *s = q->env->s;
	struct state *st = draft_make(s, q->changes.event, q->changes.count, NULL, &q->env->err);
	struct stage *new;

	if (st == NULL)
		return false;
	new = mem_zero(1, sizeof *new);
	*new = (struct stage){.st = st, .before = *top};
	*top = new;
	return true;
}

/* A verb of its own with the changes of the draft; what it prints is of no interest here. */
static enum cmd_status run_verb(struct inquiry *q, const struct snapshot *s, int argc, char **argv,
				const char *line)
{
	struct str out = {0};
	struct cmd_env env = *q->env;
	enum cmd_status status;

	env.s = s;
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

/* Words first, then lines; each means the state as those before it leave it. */
static enum cmd_status gather(struct inquiry *q, int argc, char **argv, struct stage **top)
{
	static char tune[] = "tune";
	size_t words = (size_t)argc - 1, count = words;
	enum cmd_status status = CMD_DONE;

	while (cmd_option_at(q->env, "--do", count - words) != NULL)
		count++;
	for (size_t i = 0; i < count && status == CMD_DONE; i++) {
		char *word = i < words ? argv[i + 1] : NULL;
		const char *line = word != NULL ? NULL : cmd_option_at(q->env, "--do", i - words);

		if (i > 0 && !add_stage(q, top))
			return CMD_REFUSED;
		status = run_verb(q, *top != NULL ? state_view((*top)->st) : q->env->s, 2,
				  (char *[]){tune, word, NULL}, line);
		if (status != CMD_DONE && count > 1)
			err_prefix(&q->env->err, "edit %zu of %zu", i + 1, count);
	}
	if (status == CMD_DONE && q->changes.count == 0 && !cmd_option(q->env, "--sweep") &&
	    !cmd_option(q->env, "--solve")) {
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

static void json_jobs(struct json *j, const struct beside *b)
{
	const struct snapshot *s = b->q->env->s;
	char label[JOB_LABEL_TEXT];

	json_open(j, "jobs", '[');
	for (size_t i = 0; i < b->pair.whatif.count; i++) {
		const struct whatif_job *one = &b->pair.whatif.job[i];

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

static void json_groups(struct json *j, const struct beside *b)
{
	const struct snapshot *s = b->q->env->s;

	json_open(j, "groups", '[');
	for (size_t i = 0; i < b->pair.whatif.groups; i++) {
		const struct whatif_group *g = &b->pair.whatif.group[i];

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

static void print_json(const struct beside *b)
{
	struct json j = {.out = b->q->env->out};
	const struct whatif *w = &b->pair.whatif;

	json_open(&j, NULL, '{');
	json_int(&j, "now", b->q->env->now_s);
	json_text(&j, "tier", future_tier_name(b->pair.tier));
	json_text(&j, "assume", assume_name(b->q->assume));
	json_int(&j, "same_jobs", w->jobs);
	json_totals(&j, "before", &w->before, w->jobs);
	json_totals(&j, "after", &w->after, w->jobs);
	json_int(&j, "earlier", w->earlier);
	json_int(&j, "later", w->later);
	json_jobs(&j, b);
	json_groups(&j, b);
	json_close(&j);
	str_add_char(b->q->env->out, '\n');
}

/* --- text ------------------------------------------------------------------------------------------------
 */

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

static void print_jobs(const struct beside *b)
{
	static const struct report_column columns[] = {
		{"JOB", TEXT_RIGHT},  {"USER", TEXT_LEFT},      {"RANK", TEXT_RIGHT},
		{"", TEXT_RIGHT},     {"PRIORITY", TEXT_RIGHT}, {"", TEXT_RIGHT},
		{"START", TEXT_LEFT}, {"THEN", TEXT_LEFT},      {"CHANGE", TEXT_RIGHT}};
	struct report r = {.column = columns, .columns = 9, .width = b->q->env->width};
	const struct snapshot *s = b->q->env->s;
	char label[JOB_LABEL_TEXT];

	for (size_t i = 0; i < b->pair.whatif.count; i++) {
		const struct whatif_job *j = &b->pair.whatif.job[i];
		const struct job *job = &snapshot_jobs(s)[j->slot_before];

		report_cell(&r, snapshot_job_label(s, job, label));
		report_cell(&r, jobtext_cred(s, job, CRED_USER));
		cell_rank(&r, j->rank_before);
		cell_rank(&r, j->rank_after);
		report_cellf(&r, "%" PRId64, j->points_before);
		report_cellf(&r, "%" PRId64, j->points_after);
		inquiry_cell_moment(&r, b->q, j->start_before_s);
		inquiry_cell_moment(&r, b->q, j->start_after_s);
		cell_change(&r, j->start_before_s, j->start_after_s);
	}
	report_print(&r, 0, b->q->env->ascii, b->q->env->out);
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

static void print_totals(const struct beside *b)
{
	static const struct report_column columns[] = {
		{"", TEXT_LEFT},          {"OF", TEXT_LEFT},       {"JOBS", TEXT_RIGHT},
		{"MEANWAIT", TEXT_RIGHT}, {"THEN", TEXT_RIGHT},    {"MEANXF", TEXT_RIGHT},
		{"THEN", TEXT_RIGHT},     {"EARLIER", TEXT_RIGHT}, {"LATER", TEXT_RIGHT}};
	struct report r = {.column = columns, .columns = 9, .width = b->q->env->width};
	const struct whatif *w = &b->pair.whatif;
	const struct snapshot *s = b->q->env->s;

	totals_row(&r, "all", "", w->jobs, &w->before, &w->after, w->earlier, w->later);
	for (size_t i = 0; i < w->groups; i++) {
		const struct whatif_group *g = &w->group[i];

		totals_row(&r, cred_type_name(g->type), snapshot_string(s, snapshot_creds(s)[g->cred].name),
			   g->jobs, &g->before, &g->after, g->earlier, g->later);
	}
	report_print(&r, 0, b->q->env->ascii, b->q->env->out);
	report_free(&r);
}

static void print_text(const struct beside *b)
{
	const struct whatif *w = &b->pair.whatif;

	for (size_t i = 0; i < b->q->changes.count; i++) {
		str_addf(b->q->env->out, "%zu  ", i + 1);
		cmd_describe(b->q->env->s, &b->q->changes.event[i], b->q->env->out);
		str_add_char(b->q->env->out, '\n');
	}
	str_addf(b->q->env->out,
		 "%s, nothing is changed: %" PRIu32 " of %zu waiting jobs start earlier, %" PRIu32
		 " later, %" PRIu32 " change rank\n\n",
		 b->pair.tier == FUTURE_FULL ? "Full projection" : "Instant plan", w->earlier, w->count,
		 w->later, w->reordered);
	print_jobs(b);
	str_add_char(b->q->env->out, '\n');
	print_totals(b);
}

/* --- the verb ------------------------------------------------------------------------------------------- */

static bool find(struct beside *b)
{
	struct inquiry *q = b->q;
	struct future_setup ahead = inquiry_setup(q);

	b->copy = draft_make(q->env->s, q->changes.event, q->changes.count, NULL, &q->env->err);
	if (!b->copy)
		return false;
	return future_compare(&b->pair, q->env->s, state_view(b->copy), &ahead);
}

static enum cmd_status look(struct inquiry *q)
{
	struct beside b = {.q = q};
	bool good = find(&b);

	if (good && q->env->json)
		print_json(&b);
	else if (good)
		print_text(&b);
	future_pair_clear(&b.pair);
	state_free(b.copy);
	return good ? CMD_DONE : CMD_REFUSED;
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

static enum cmd_status answer(struct inquiry *q)
{
	const char *sweep = cmd_option(q->env, "--sweep"), *solve = cmd_option(q->env, "--solve");

	if (sweep)
		return inquiry_sweep(q, sweep);
	if (solve)
		return inquiry_solve(q, solve);
	return cmd_option(q->env, "--ablate") ? inquiry_ablate(q) : look(q);
}

/* One question at a time, and what belongs to another one is not silently ignored. */
static bool check_options(struct cmd_env *env)
{
	bool sweep = cmd_option(env, "--sweep"), solve = cmd_option(env, "--solve");

	if (sweep + solve + (cmd_option(env, "--ablate") != NULL) > 1)
		return err_set(&env->err, "--sweep, --solve and --ablate are three questions: ask one");
	if (!solve && (cmd_option(env, "--by") || cmd_option(env, "--range")))
		return err_set(&env->err, "--by and --range belong to --solve");
	if (!solve && !sweep && cmd_option(env, "--job"))
		return err_set(&env->err, "--job belongs to --sweep or --solve");
	return !solve || !cmd_option(env, "--instant") ||
	       err_set(&env->err, "--solve goes by the full projection; leave out --instant");
}

static enum cmd_status run_whatif(struct cmd_env *env, int argc, char **argv)
{
	struct inquiry q = {.env = env, .full = cmd_option(env, "--instant") == NULL};
	struct stage *top = NULL;
	enum cmd_status status = check_options(env) ? read_assumption(&q) : CMD_USAGE;

	if (status == CMD_DONE)
		status = gather(&q, argc, argv, &top);
	if (status == CMD_DONE)
		status = answer(&q);
	cmd_changes_clear(&q.changes);
	stages_free(top);
	accuracy_clear(&q.accuracy);
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
			{"--do", "LINE",
			 "and with this verb, such as 'hold 12', after those before it; may be repeated"},
			ASSUME_OPTION,
			{"--ablate", NULL, "which edit does what: each alone, and the draft without it"},
			{"--sweep", "NAME=VALUES", "on top of it, over LO..HI, LO..HI/STEPS or A|B|C"},
			{"--solve", "NAME", "the value nearest to today's that starts --job by --by"},
			{"--job", "JOB", "which job to watch, or to start"},
			{"--by", "TIME", "when it is to start at the latest; else now"},
			{"--range", "LO..HI", "among which values to look; else to ten times today's"},
			{"--instant", NULL, "by the instant plan in place of the full projection"},
			{0}},
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE,
	.run = run_whatif,
	.complete = complete_options,
};
