/* SPDX-License-Identifier: MIT */
/*
 * inquiry_solve.c - kahu whatif --solve: which value of one number starts a job in time?
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "inquiry.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/forecast/solve.h"
#include "sched/rm/wallclock.h"
#include "tui/report/jobtext.h"

struct solving {
	struct inquiry *q;
	struct arena arena;
	struct knob knob;
	double lo, hi;
	uint32_t slot;
	int64_t by_s;
	struct solve found;
};

/* --- what is asked ----------------------------------------------------------------------------------- */

static bool read_range(struct solving *v)
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

static bool read_by(struct solving *v)
{
	const char *by = cmd_option(v->q->env, "--by");

	v->by_s = v->q->env->now_s;
	return !by || wallclock_parse(by, v->q->env->now_s, &v->by_s, &v->q->env->err);
}

static bool has_job(const struct inquiry *q)
{
	return cmd_option(q->env, "--job") ||
	       err_set(&q->env->err, "--solve: which job is to start? name it with --job");
}

/* --- the answer -------------------------------------------------------------------------------------- */

static const char *outcome_name(enum solve_outcome outcome)
{
	static const char *const names[] = {
		[SOLVE_FOUND] = "found", [SOLVE_NEEDLESS] = "needless", [SOLVE_NONE] = "none"};

	return names[outcome];
}

static void json_delayed(struct json *j, const struct solving *v)
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

/* What holds the job back with a value, behind "job 12". */
static void add_holds(const struct solving *v, struct str *out)
{
	const struct snapshot *s = state_view(v->found.with);

	jobtext_predicate(s, &snapshot_jobs(s)[v->slot], &v->found.holds, v->q->env->now_s, out);
}

static void print_json(const struct solving *v, const char *setting)
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

static const char *moment(char buf[static MOMENT_TEXT], int64_t at_s, int64_t now_s)
{
	if (at_s == TIME_NEVER)
		return "never";
	return at_s <= now_s ? "now" : wallclock_short(buf, at_s, now_s);
}

/* Over which values was looked? Between them another may do. */
static void add_searched(const struct solving *v, struct str *out)
{
	str_addf(out,
		 "Searched: every value up to %.10g from today's %.10g, and some beyond, from %.10g to "
		 "%.10g.\n",
		 v->found.each_within, v->knob.now, v->lo, v->hi);
}

static void print_found(const struct solving *v, const char *setting, struct str *out)
{
	const struct whatif *w = &v->found.effect;
	char label[JOB_LABEL_TEXT], one[MOMENT_TEXT], two[MOMENT_TEXT], delay[DURATION_TEXT];
	const struct snapshot *s = v->q->env->s;
	int64_t now_s = v->q->env->now_s;

	str_add(out, "tune ");
	str_add_word(out, v->knob.name);
	str_addf(out, " %s\n", setting);
	if (v->knob.is_set)
		str_addf(out, "The nearest value to today's %.10g with which", v->knob.now);
	else
		str_add(out, "It is not set today; the smallest value with which");
	str_addf(out, " job %s starts %s instead of %s: ",
		 snapshot_job_label(s, &snapshot_jobs(s)[v->slot], label),
		 moment(one, v->found.start_s, now_s), moment(two, v->found.start_without_s, now_s));
	report_count(out, w->earlier, "job starts", "jobs start");
	str_addf(out, " earlier, %" PRIu32 " later", w->later);
	if (w->most_delayed)
		str_addf(out, " by at most %s", duration_text(delay, w->most_delay_s));
	str_add(out, ". Nothing is changed.\n");
	if (fabs(v->found.value - v->knob.now) > v->found.each_within)
		add_searched(v, out);
}

/* The sentence of a question that has no answer. */
static enum cmd_status refuse(const struct solving *v)
{
	char label[JOB_LABEL_TEXT], by[MOMENT_TEXT], soonest[MOMENT_TEXT];
	const struct snapshot *s = v->q->env->s;
	int64_t now_s = v->q->env->now_s;
	struct str rest = {0};

	moment(soonest, v->found.start_s, now_s);
	if (v->found.start_s < v->found.start_without_s)
		str_addf(&rest, "; soonest %s, with %.15g, where it ", soonest, v->found.value);
	else if (v->found.start_s == TIME_NEVER)
		str_add(&rest, "; with none it ever starts: it ");
	else
		str_addf(&rest, "; with none sooner than %s: it ", soonest);
	add_holds(v, &rest);
	str_addf(&rest, " Tried were every value up to %.10g from today's %.10g, and some beyond.",
		 v->found.each_within, v->knob.now);
	err_set(&v->q->env->err, "no value of %s from %.15g to %.15g that was tried starts job %s %s%s%s",
		v->knob.name, v->lo, v->hi, snapshot_job_label(s, &snapshot_jobs(s)[v->slot], label),
		v->by_s <= now_s ? "" : "by ", moment(by, v->by_s, now_s), str_text(&rest));
	str_free(&rest);
	return CMD_REFUSED;
}

static enum cmd_status answer(const struct solving *v)
{
	struct cmd_env *env = v->q->env;
	struct str setting = {0};
	char label[JOB_LABEL_TEXT], start[MOMENT_TEXT];

	knob_print(&v->knob, v->found.value, &setting);
	if (env->json)
		print_json(v, str_text(&setting));
	else if (v->found.outcome == SOLVE_FOUND)
		print_found(v, str_text(&setting), env->out);
	else if (v->found.outcome == SOLVE_NEEDLESS)
		str_addf(env->out, "Job %s starts in time as things are: %s\n",
			 snapshot_job_label(env->s, &snapshot_jobs(env->s)[v->slot], label),
			 moment(start, v->found.start_s, env->now_s));
	str_free(&setting);
	return v->found.outcome == SOLVE_NONE ? refuse(v) : CMD_DONE;
}

static bool find(struct solving *v)
{
	const struct inquiry *q = v->q;
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

enum cmd_status inquiry_solve(struct inquiry *q, const char *name)
{
	struct solving v = {.q = q};
	enum cmd_status status = CMD_USAGE;

	if (has_job(q) && read_by(&v)) {
		status = CMD_REFUSED;
		if (knob_find(&v.knob, q->env->s, name, &v.arena, &q->env->err) && read_range(&v) &&
		    inquiry_job(q, &v.slot) && find(&v))
			status = answer(&v);
	}
	solve_clear(&v.found);
	arena_free(&v.arena);
	return status;
}
