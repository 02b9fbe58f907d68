/* SPDX-License-Identifier: MIT */
/*
 * cmd_whatif.c - kahu whatif: projected starts under a draft of changes
 *
 * The changes are events of verbs, like all changes. They are applied to a copy of the state, and the starts
 * of both states are projected. Nothing is changed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/forecast/ablate.h"
#include "sched/forecast/future.h"
#include "sched/forecast/solve.h"
#include "sched/forecast/whatif.h"
#include "sched/rm/wallclock.h"
#include "sched/state/draft.h"
#include "tui/query/draft_query.h"
#include "tui/report/job_text.h"
#include "tui/report/report.h"
#include "tui/report/select.h"
#include "tui/report/statistics.h"

struct whatif_request {
	struct cmd_env *env;
	struct cmd_changes changes; /* the draft; may be empty                  */
	bool full;                  /* the full projection; else the instant plan */
	enum assume_kind assume;
	struct accuracy accuracy;
};

static struct future_setup make_setup(const struct whatif_request *q)
{
	return (struct future_setup){
		.now_s = q->env->now_s, .full = q->full, .assume = q->assume, .accuracy = &q->accuracy};
}

/* The job of --job; INDEX_NONE without the option. False: no such job, or it is not idle. */
static bool find_job(const struct whatif_request *q, uint32_t *slot)
{
	const char *word = cmd_option(q->env, "--job");

	*slot = INDEX_NONE;
	if (!word)
		return true;
	*slot = select_job(q->env->s, word, &q->env->err);
	if (*slot == INDEX_NONE)
		return false;
	return snapshot_jobs(q->env->s)[*slot].state == JOB_IDLE ||
	       err_set(&q->env->err, "job %s is no longer idle", word);
}

/* A cell with the start of a job; "-" for none. Starts of the instant plan have FUTURE_MARK. */
static void cell_start(struct report *r, const struct whatif_request *q, int64_t at_s)
{
	char when[MOMENT_TEXT];

	if (at_s == TIME_NEVER)
		report_cell(r, "-");
	else
		report_cellf(r, "%s%s", q->full ? "" : FUTURE_MARK,
			     wallclock_short(when, at_s, q->env->now_s));
}

/* --- --ablate: the effect of each edit ---------------------------------------------------------------- */

struct ablation {
	struct whatif_request *q;
	struct future live;
	struct ablate found;
};

/* --- JSON --------------------------------------------------------------------------------------------- */

static void json_change(struct json *j, const char *key, const struct lineup_change *c)
{
	json_open(j, key, '{');
	json_int(j, "changed", c->changed);
	json_int(j, "earlier", c->earlier);
	json_int(j, "later", c->later);
	json_int(j, "gain_s", c->gain_s);
	json_close(j);
}

static void json_ablated_edit(struct json *j, const struct ablation *a, size_t i)
{
	struct str line = {0};

	cmd_describe(a->q->env->s, &a->q->changes.event[i], &line);
	json_open(j, NULL, '{');
	json_text(j, "edit", str_text(&line));
	json_real(j, "share_s", a->found.edit[i].share_s);
	json_change(j, "alone", &a->found.edit[i].alone);
	json_change(j, "last", &a->found.edit[i].last);
	json_close(j);
	str_free(&line);
}

static void print_ablation_json(const struct ablation *a)
{
	struct json j = {.out = a->q->env->out};
	struct str line = {0};

	ablate_print(&a->found, a->q->env->s, &line);
	json_open(&j, NULL, '{');
	json_int(&j, "now", a->q->env->now_s);
	json_text(&j, "tier", a->q->full ? "full" : "instant");
	json_text(&j, "assume", assume_name(a->q->assume));
	json_int(&j, "same_jobs", a->found.jobs);
	json_bool(&j, "exact", a->found.exact);
	json_real(&j, "gain_s", a->found.gain_s);
	json_real(&j, "remainder_s", a->found.remainder_s);
	json_text(&j, "sentence", str_text(&line));
	json_change(&j, "whole", &a->found.whole);
	json_open(&j, "edits", '[');
	for (size_t i = 0; i < a->found.count; i++)
		json_ablated_edit(&j, a, i);
	json_close(&j);
	json_close(&j);
	str_add_char(a->q->env->out, '\n');
	str_free(&line);
}

/* --- text --------------------------------------------------------------------------------------------- */

/* Savings of mean wait are printed with a fraction of a second, because small shares matter. */
static void print_ablation_table(const struct ablation *a)
{
	static const struct report_column columns[] = {
		{"", TEXT_RIGHT},     {"SHARE", TEXT_RIGHT}, {"ALONE", TEXT_RIGHT}, {"LATER", TEXT_RIGHT},
		{"ADDS", TEXT_RIGHT}, {"LATER", TEXT_RIGHT}, {"EDIT", TEXT_LEFT}};
	const struct cmd_env *env = a->q->env;
	struct report r = {.column = columns, .columns = 7, .width = env->width};
	struct str line = {0};

	for (size_t i = 0; i < a->found.count; i++) {
		const struct ablate_edit *e = &a->found.edit[i];

		str_clear(&line);
		cmd_describe(env->s, &a->q->changes.event[i], &line);
		report_cellf(&r, "%zu", i + 1);
		report_cellf(&r, "%.1f s", e->share_s);
		report_cellf(&r, "%" PRIu32, e->alone.changed);
		report_cellf(&r, "%" PRIu32, e->alone.later);
		report_cellf(&r, "%" PRIu32, e->last.changed);
		report_cellf(&r, "%" PRIu32, e->last.later);
		report_cell(&r, str_text(&line));
	}
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
	str_free(&line);
}

static void print_ablation_text(const struct ablation *a)
{
	struct str *out = a->q->env->out;

	str_addf(out,
		 "The draft saves %.1f s of mean wait over %" PRIu32 " jobs and makes %" PRIu32
		 " start later (%s, nothing is changed).\n",
		 a->found.gain_s, a->found.jobs, a->found.whole.later,
		 a->q->full ? "full projection" : "instant plan");
	ablate_print(&a->found, a->q->env->s, out);
	str_addf(out,
		 ".\n"
		 "\n"
		 "SHARE: part of the saved wait%s. ALONE: starts changed by this edit alone, LATER: those "
		 "that become later. ADDS: starts changed by adding this edit to all others.\n"
		 "\n",
		 a->found.exact ? "" : ", as added to the other edits");
	print_ablation_table(a);
}

/* --- the question ------------------------------------------------------------------------------------- */

static enum cmd_status run_ablate(struct whatif_request *q)
{
	struct ablation a = {.q = q};
	struct future_setup setup = make_setup(q);
	bool good;

	future_build(&a.live, q->env->s, &setup);
	good = ablate_find(&a.found, q->env->s, &a.live.side, q->changes.event, q->changes.count, &setup,
			   &q->env->err);
	if (good && q->env->json)
		print_ablation_json(&a);
	else if (good)
		print_ablation_text(&a);
	ablate_clear(&a.found);
	future_clear(&a.live);
	return good ? CMD_DONE : CMD_REFUSED;
}

/* --- --sweep: one setting over several values --------------------------------------------------------- */

#define BAR_CELLS 20

struct sweep_run {
	struct whatif_request *q;
	struct arena arena;
	struct sweep_spec asked;
	uint32_t slot; /* the watched job; INDEX_NONE = none */
	struct sweep found;
};

/* --- JSON --------------------------------------------------------------------------------------------- */

static void json_point(struct json *j, const char *key, const struct sweep_run *w,
		       const struct sweep_point *p)
{
	uint32_t jobs = w->found.jobs;

	json_open(j, key, '{');
	if (p->value)
		json_text(j, "value", p->value);
	if (p->refused) {
		json_text(j, "refused", p->err.text);
		json_close(j);
		return;
	}
	json_int(j, "starts", p->totals.starts);
	json_int(j, "starts_now", p->totals.starts_now);
	json_real(j, "mean_wait_s", whatif_mean(p->totals.wait_s, jobs));
	json_int_or_null(j, "max_wait_s", jobs > 0 ? p->totals.most_wait_s : -1, -1);
	json_real(j, "mean_xfactor", whatif_mean(p->totals.xfactor, jobs));
	json_int(j, "reordered", p->reordered);
	json_int(j, "earlier", p->change.earlier);
	json_int(j, "later", p->change.later);
	if (w->slot != INDEX_NONE) {
		json_int_or_null(j, "job_start", p->watch_s, TIME_NEVER);
		json_int_or_null(j, "job_rank", p->watch_rank, 0);
	}
	json_close(j);
}

static void print_sweep_json(const struct sweep_run *w)
{
	const struct snapshot *s = w->q->env->s;
	struct json j = {.out = w->q->env->out};
	char label[JOB_LABEL_TEXT];

	json_open(&j, NULL, '{');
	json_int(&j, "now", w->q->env->now_s);
	json_text(&j, "tier", w->q->full ? "full" : "instant");
	json_text(&j, "assume", assume_name(w->q->assume));
	json_text(&j, "name", w->asked.name);
	if (w->slot != INDEX_NONE)
		json_text(&j, "job", snapshot_job_label(s, &snapshot_jobs(s)[w->slot], label));
	json_int(&j, "same_jobs", w->found.jobs);
	json_point(&j, "live", w, &w->found.live);
	json_open(&j, "values", '[');
	for (size_t i = 0; i < w->found.points; i++)
		json_point(&j, NULL, w, &w->found.point[i]);
	json_close(&j);
	json_close(&j);
	str_add_char(w->q->env->out, '\n');
}

/* --- text --------------------------------------------------------------------------------------------- */

static double most_wait(const struct sweep_run *w)
{
	double most = w->found.live.totals.wait_s;

	for (size_t i = 0; i < w->found.points; i++)
		if (!w->found.point[i].refused && w->found.point[i].totals.wait_s > most)
			most = w->found.point[i].totals.wait_s;
	return most;
}

static void cell_bar(struct report *r, double value, double most)
{
	static const char bar[] = "####################";
	int cells = most > 0 ? (int)(BAR_CELLS * (value / most) + 0.5) : 0;

	report_cellf(r, "%.*s", cells, bar);
}

static void point_row(struct report *r, const struct sweep_run *w, const struct sweep_point *p, double most)
{
	uint32_t jobs = w->found.jobs;
	char wait[DURATION_TEXT];

	report_cell(r, p->value ? p->value : "current");
	if (p->refused) {
		report_cell(r, "refused");
		for (size_t i = 2; i < r->columns; i++)
			report_cell(r, "");
		return;
	}
	report_cell(r, jobs > 0 ? duration_text(wait, (int64_t)whatif_mean(p->totals.wait_s, jobs)) : "-");
	cell_bar(r, p->totals.wait_s, most);
	report_cellf(r, "%.2f", jobs > 0 ? whatif_mean(p->totals.xfactor, jobs) : 0);
	report_cellf(r, "%" PRIu32, p->totals.starts_now);
	report_cellf(r, "%" PRIu32, p->change.earlier);
	report_cellf(r, "%" PRIu32, p->change.later);
	if (w->slot == INDEX_NONE)
		return;
	cell_start(r, w->q, p->watch_s);
	report_cellf(r, p->watch_rank > 0 ? "%" PRIu32 : "-", p->watch_rank);
}

static void print_sweep_text(const struct sweep_run *w)
{
	static const struct report_column columns[] = {
		{"", TEXT_RIGHT},       {"MEANWAIT", TEXT_RIGHT}, {"", TEXT_LEFT},
		{"MEANXF", TEXT_RIGHT}, {"NOW", TEXT_RIGHT},      {"EARLIER", TEXT_RIGHT},
		{"LATER", TEXT_RIGHT},  {"START", TEXT_RIGHT},    {"RANK", TEXT_RIGHT}};
	const struct cmd_env *env = w->q->env;
	struct report r = {.column = columns, .columns = w->slot == INDEX_NONE ? 7 : 9, .width = env->width};
	char label[JOB_LABEL_TEXT];
	double most = most_wait(w);

	str_addf(env->out, "%s over %zu values%s, nothing is changed: %s", w->asked.name, w->found.points,
		 w->q->changes.count > 0 ? " on top of the draft" : "",
		 w->q->full ? "full projection" : "instant plan");
	if (w->slot != INDEX_NONE)
		str_addf(env->out, "; START and RANK of job %s",
			 snapshot_job_label(env->s, &snapshot_jobs(env->s)[w->slot], label));
	str_add(env->out, "\n\n");
	point_row(&r, w, &w->found.live, most);
	for (size_t i = 0; i < w->found.points; i++)
		point_row(&r, w, &w->found.point[i], most);
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
}

/* --- the question ------------------------------------------------------------------------------------- */

/* If all values are refused, the message of the first explains why. */
static bool find_sweep(struct sweep_run *w)
{
	const struct whatif_request *q = w->q;
	struct sweep_setup setup = {.ev = q->changes.event,
				    .count = q->changes.count,
				    .name = w->asked.name,
				    .value = w->asked.value,
				    .values = w->asked.values,
				    .watch = w->slot == INDEX_NONE ? 0 : snapshot_jobs(q->env->s)[w->slot].id,
				    .ahead = make_setup(q)};
	bool any = false;

	sweep_find(&w->found, q->env->s, &setup);
	for (size_t i = 0; i < w->found.points; i++)
		any = any || !w->found.point[i].refused;
	return any || err_set(&q->env->err, "%s", w->found.point[0].err.text);
}

static enum cmd_status run_sweep(struct whatif_request *q, const char *words)
{
	struct sweep_run w = {.q = q};
	enum cmd_status status = CMD_USAGE;

	if (!sweep_spec_read(&w.asked, q->env->s, words, &w.arena, &q->env->err))
		err_prefix(&q->env->err, "--sweep");
	else
		status = find_job(q, &w.slot) && find_sweep(&w) ? CMD_DONE : CMD_REFUSED;
	if (status == CMD_DONE && q->env->json)
		print_sweep_json(&w);
	else if (status == CMD_DONE)
		print_sweep_text(&w);
	sweep_clear(&w.found);
	arena_free(&w.arena);
	return status;
}

/* --- --solve: the nearest value that starts a job in time --------------------------------------------- */

struct solution {
	struct whatif_request *q;
	struct arena arena;
	struct knob knob;
	double lo, hi;
	uint32_t slot;
	int64_t by_s;
	struct solve found;
};

static bool read_range(struct solution *v)
{
	const char *given = cmd_option(v->q->env, "--range");
	struct err *err = &v->q->env->err;
	char *words, *dots;

	knob_range(&v->knob, &v->lo, &v->hi);
	if (!given)
		return true;
	words = arena_copy(&v->arena, given, strlen(given) + 1);
	dots = strstr(words, "..");
	if (!dots)
		return err_set(err, "--range %s: write LO..HI", given);
	*dots = '\0';
	if (!knob_read_ends(&v->knob, words, dots + 2, &v->lo, &v->hi, err))
		return err_prefix(err, "--range");
	v->lo = knob_ceil(&v->knob, v->lo);
	v->hi = knob_floor(&v->knob, v->hi);
	return true;
}

static bool read_by(struct solution *v)
{
	const char *by = cmd_option(v->q->env, "--by");

	v->by_s = v->q->env->now_s;
	return !by || wallclock_parse(by, v->q->env->now_s, &v->by_s, &v->q->env->err);
}

static bool has_job(const struct whatif_request *q)
{
	return cmd_option(q->env, "--job") ||
	       err_set(&q->env->err, "--solve needs a job; name it with --job");
}

/* --- the answer --------------------------------------------------------------------------------------- */

static const char *outcome_name(enum solve_outcome outcome)
{
	static const char *const names[] = {
		[SOLVE_FOUND] = "found", [SOLVE_NEEDLESS] = "needless", [SOLVE_NONE] = "none"};

	return names[outcome];
}

static void json_delayed(struct json *j, const struct solution *v)
{
	const struct snapshot *s = v->q->env->s;
	const struct whatif *w = &v->found.effect;
	char label[JOB_LABEL_TEXT];

	json_open(j, "delays", '[');
	for (size_t i = 0; i < w->count; i++) {
		const struct whatif_job *one = &w->job[i];

		if (one->start_after_s <= one->start_before_s)
			continue;
		json_open(j, NULL, '{');
		json_text(j, "job", snapshot_job_label(s, &snapshot_jobs(s)[one->slot_before], label));
		json_int_or_null(j, "by_s",
				 one->start_after_s == TIME_NEVER ? TIME_NEVER
								  : one->start_after_s - one->start_before_s,
				 TIME_NEVER);
		json_close(j);
	}
	json_close(j);
}

/* The reason why the job does not start, as a sentence that follows "job 12". */
static void add_holds(const struct solution *v, struct str *out)
{
	const struct snapshot *s = state_view(v->found.with);

	job_text_predicate(s, &snapshot_jobs(s)[v->slot], &v->found.holds, v->q->env->now_s, out);
}

static void print_solution_json(const struct solution *v, const char *setting)
{
	const struct snapshot *s = v->q->env->s;
	struct json j = {.out = v->q->env->out};
	struct str holds = {0};
	char label[JOB_LABEL_TEXT];

	json_open(&j, NULL, '{');
	json_int(&j, "now", v->q->env->now_s);
	json_text(&j, "job", snapshot_job_label(s, &snapshot_jobs(s)[v->slot], label));
	json_int(&j, "by", v->by_s);
	json_text(&j, "name", v->knob.name);
	json_text(&j, "outcome", outcome_name(v->found.outcome));
	if (v->knob.is_set)
		json_real(&j, "value_before", v->knob.now);
	else
		json_null(&j, "value_before");
	if (v->found.outcome == SOLVE_FOUND)
		json_real(&j, "value", v->found.value);
	else
		json_null(&j, "value");
	json_text(&j, "setting", v->found.outcome == SOLVE_FOUND ? setting : NULL);
	json_real(&j, "range_from", v->lo);
	json_real(&j, "range_to", v->hi);
	json_int_or_null(&j, "start_before", v->found.start_without_s, TIME_NEVER);
	json_int_or_null(&j, "start_after", v->found.start_s, TIME_NEVER);
	if (v->found.outcome == SOLVE_NONE) {
		json_real(&j, "soonest_value", v->found.value);
		add_holds(v, &holds);
		json_text(&j, "holds", str_text(&holds));
	}
	if (v->found.outcome == SOLVE_FOUND)
		json_delayed(&j, v);
	json_real(&j, "each_within", v->found.each_within);
	json_int(&j, "projections", v->found.tried);
	json_close(&j);
	str_add_char(v->q->env->out, '\n');
	str_free(&holds);
}

static const char *time_or_never(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s)
{
	if (at_s == TIME_NEVER)
		return "never";
	return at_s <= now_s ? "now" : wallclock_short(buf, at_s, now_s);
}

/* The values that were tried. A value between them may be nearer. */
static void add_searched(const struct solution *v, struct str *out)
{
	str_addf(out,
		 "Searched: all values within %.10g of the current value %.10g, and some others from %.10g "
		 "to %.10g.\n",
		 v->found.each_within, v->knob.now, v->lo, v->hi);
}

static void print_solution(const struct solution *v, const char *setting, struct str *out)
{
	const struct whatif *w = &v->found.effect;
	char label[JOB_LABEL_TEXT], one[MOMENT_TEXT], two[MOMENT_TEXT], delay[DURATION_TEXT];
	const struct snapshot *s = v->q->env->s;
	int64_t now_s = v->q->env->now_s;

	str_add(out, "tune ");
	str_add_word(out, v->knob.name);
	str_addf(out, " %s\n", setting);
	if (v->knob.is_set)
		str_addf(out, "The value closest to the current %.10g with which", v->knob.now);
	else
		str_add(out, "Not set now; the smallest value with which");
	str_addf(out, " job %s starts %s instead of %s: ",
		 snapshot_job_label(s, &snapshot_jobs(s)[v->slot], label),
		 time_or_never(one, v->found.start_s, now_s),
		 time_or_never(two, v->found.start_without_s, now_s));
	report_count(out, w->earlier, "job starts", "jobs start");
	str_addf(out, " earlier, %" PRIu32 " later", w->later);
	if (w->most_delayed)
		str_addf(out, " by at most %s", duration_text(delay, w->most_delay_s));
	str_add(out, ". Nothing is changed.\n");
	if (fabs(v->found.value - v->knob.now) > v->found.each_within)
		add_searched(v, out);
}

/* The message if no value was found. */
static enum cmd_status refuse_solution(const struct solution *v)
{
	char label[JOB_LABEL_TEXT], by[MOMENT_TEXT], soonest[MOMENT_TEXT];
	const struct snapshot *s = v->q->env->s;
	int64_t now_s = v->q->env->now_s;
	struct str rest = {0};

	time_or_never(soonest, v->found.start_s, now_s);
	if (v->found.start_s < v->found.start_without_s)
		str_addf(&rest, "; earliest %s, with %.15g: it ", soonest, v->found.value);
	else if (v->found.start_s == TIME_NEVER)
		str_add(&rest, "; it starts with none of them: it ");
	else
		str_addf(&rest, "; with none earlier than %s: it ", soonest);
	add_holds(v, &rest);
	str_addf(&rest, " Tried: all values within %.10g of the current value %.10g, and some others.",
		 v->found.each_within, v->knob.now);
	err_set(&v->q->env->err, "no tried value of %s from %.15g to %.15g starts job %s %s%s%s",
		v->knob.name, v->lo, v->hi, snapshot_job_label(s, &snapshot_jobs(s)[v->slot], label),
		v->by_s <= now_s ? "" : "by ", time_or_never(by, v->by_s, now_s), str_text(&rest));
	str_free(&rest);
	return CMD_REFUSED;
}

static enum cmd_status print_answer(const struct solution *v)
{
	struct cmd_env *env = v->q->env;
	struct str setting = {0};
	char label[JOB_LABEL_TEXT], start[MOMENT_TEXT];

	knob_print(&v->knob, v->found.value, &setting);
	if (env->json)
		print_solution_json(v, str_text(&setting));
	else if (v->found.outcome == SOLVE_FOUND)
		print_solution(v, str_text(&setting), env->out);
	else if (v->found.outcome == SOLVE_NEEDLESS)
		str_addf(env->out, "Job %s starts in time without a change: %s\n",
			 snapshot_job_label(env->s, &snapshot_jobs(env->s)[v->slot], label),
			 time_or_never(start, v->found.start_s, env->now_s));
	str_free(&setting);
	return v->found.outcome == SOLVE_NONE ? refuse_solution(v) : CMD_DONE;
}

static bool find_solution(struct solution *v)
{
	const struct whatif_request *q = v->q;
	struct solve_setup setup = {.ev = q->changes.event,
				    .count = q->changes.count,
				    .knob = &v->knob,
				    .lo = v->lo,
				    .hi = v->hi,
				    .job = snapshot_jobs(q->env->s)[v->slot].id,
				    .now_s = q->env->now_s,
				    .by_s = v->by_s,
				    .assume = q->assume,
				    .accuracy = &q->accuracy};

	return solve_find(&v->found, q->env->s, &setup, &q->env->err);
}

/* --solve: the value closest to the current one that starts the job in time. CMD_REFUSED if there is none. */
static enum cmd_status run_solve(struct whatif_request *q, const char *name)
{
	struct solution v = {.q = q};
	enum cmd_status status = CMD_USAGE;

	if (has_job(q) && read_by(&v)) {
		status = CMD_REFUSED;
		if (knob_find(&v.knob, q->env->s, name, &v.arena, &q->env->err) && read_range(&v) &&
		    find_job(q, &v.slot) && find_solution(&v))
			status = print_answer(&v);
	}
	solve_clear(&v.found);
	arena_free(&v.arena);
	return status;
}

/* --- the draft compared with the current state -------------------------------------------------------- */

/* --- comparison of the live queue and the draft --- */
struct beside {
	struct whatif_request *q;
	struct state *copy;
	struct future_pair pair;
};

/* The state after the previous verbs of the draft, on which the next verb runs. */
struct stage {
	struct state *st;
	struct stage *before; /* stays open, because events of its verb may point into it */
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

static bool add_stage(struct whatif_request *q, struct stage **top)
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

/* A verb that contributes changes to the draft; its output is discarded. */
static enum cmd_status run_verb(struct whatif_request *q, const struct snapshot *s, int argc, char **argv,
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

/* Words first, then command lines; each runs on the state after the previous ones. */
static enum cmd_status gather(struct whatif_request *q, int argc, char **argv, struct stage **top)
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
		err_set(&q->env->err, "whatif: no change given; write NAME=VALUE or --do 'hold 12'");
		return CMD_USAGE;
	}
	return status;
}

/* --- JSON --------------------------------------------------------------------------------------------- */

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

static void print_comparison_json(const struct beside *b)
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

/* --- text --------------------------------------------------------------------------------------------- */

static void cell_change(struct report *r, int64_t before_s, int64_t after_s)
{
	char text[DURATION_TEXT];

	if (before_s == after_s)
		report_cell(r, "");
	else if (before_s == TIME_NEVER || after_s == TIME_NEVER)
		report_cell(r, after_s == TIME_NEVER ? "no start" : "starts");
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
		report_cell(&r, job_text_cred(s, job, CRED_USER));
		cell_rank(&r, j->rank_before);
		cell_rank(&r, j->rank_after);
		report_cellf(&r, "%" PRId64, j->points_before);
		report_cellf(&r, "%" PRId64, j->points_after);
		cell_start(&r, b->q, j->start_before_s);
		cell_start(&r, b->q, j->start_after_s);
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

static void print_comparison_text(const struct beside *b)
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

/* --- the verb ----------------------------------------------------------------------------------------- */

static bool find_comparison(struct beside *b)
{
	struct whatif_request *q = b->q;
	struct future_setup ahead = make_setup(q);

	b->copy = draft_make(q->env->s, q->changes.event, q->changes.count, NULL, &q->env->err);
	if (!b->copy)
		return false;
	return future_compare(&b->pair, q->env->s, state_view(b->copy), &ahead);
}

static enum cmd_status show_comparison(struct whatif_request *q)
{
	struct beside b = {.q = q};
	bool good = find_comparison(&b);

	if (good && q->env->json)
		print_comparison_json(&b);
	else if (good)
		print_comparison_text(&b);
	future_pair_clear(&b.pair);
	state_free(b.copy);
	return good ? CMD_DONE : CMD_REFUSED;
}

/* The instant plan always assumes wallclock limits. */
static enum cmd_status read_assumption(struct whatif_request *q)
{
	if (!q->full && cmd_option(q->env, "--assume") != NULL) {
		err_set(&q->env->err, "--instant always assumes wallclock limits and excludes --assume");
		return CMD_USAGE;
	}
	return accuracy_option(q->env, &q->assume, &q->accuracy);
}

static enum cmd_status answer(struct whatif_request *q)
{
	const char *sweep = cmd_option(q->env, "--sweep"), *solve = cmd_option(q->env, "--solve");

	if (sweep)
		return run_sweep(q, sweep);
	if (solve)
		return run_solve(q, solve);
	return cmd_option(q->env, "--ablate") ? run_ablate(q) : show_comparison(q);
}

/* Options that have no effect with the others are refused. */
static bool check_options(struct cmd_env *env)
{
	bool sweep = cmd_option(env, "--sweep"), solve = cmd_option(env, "--solve");

	if (sweep + solve + (cmd_option(env, "--ablate") != NULL) > 1)
		return err_set(&env->err, "--sweep, --solve and --ablate exclude each other; give only one");
	if (!solve && (cmd_option(env, "--by") || cmd_option(env, "--range")))
		return err_set(&env->err, "--by and --range need --solve");
	if (!solve && !sweep && cmd_option(env, "--job"))
		return err_set(&env->err, "--job needs --sweep or --solve");
	return !solve || !cmd_option(env, "--instant") ||
	       err_set(&env->err, "--solve uses the full projection and excludes --instant");
}

static enum cmd_status run_whatif(struct cmd_env *env, int argc, char **argv)
{
	struct whatif_request q = {.env = env, .full = cmd_option(env, "--instant") == NULL};
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
	.help = "Compare projected starts with and without the given changes, with totals by user, group, "
		"account, QOS and class. Changes nothing.",
	.options =
		(const struct cmd_option[]){
			{"--do", "LINE", "also apply this command, such as 'hold 12'; may be repeated"},
			ASSUME_OPTION,
			{"--ablate", NULL,
			 "show the effect of each edit: applied alone, and left out of the draft"},
			{"--sweep", "NAME=VALUES",
			 "compare several values of one option, on top of the given changes: LO..HI, "
			 "LO..HI/STEPS or A|B|C"},
			{"--solve", "NAME",
			 "find the value closest to the current one that starts --job by --by"},
			{"--job", "JOB", "the job for --sweep or --solve"},
			{"--by", "TIME", "latest start for --solve (default: now)"},
			{"--range", "LO..HI",
			 "values to search with --solve (default: up to ten times the current value)"},
			{"--instant", NULL, "use the instant plan instead of the full projection"},
			{0}},
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE,
	.run = run_whatif,
	.complete = complete_options,
};
