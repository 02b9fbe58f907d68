/* SPDX-License-Identifier: MIT */
/*
 * inquiry_sweep.c - kahu whatif --sweep: what happens when one setting goes through several values?
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inquiry.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/state/draft.h"
#include "tui/report/sweep_words.h"

#define BAR_CELLS 20

struct sweeping {
	struct inquiry *q;
	struct arena arena;
	struct sweep_words asked;
	uint32_t slot; /* the watched job; INDEX_NONE = none */
	struct sweep found;
};

/* --- JSON -------------------------------------------------------------------------------------------- */

static void json_point(struct json *j, const char *key, const struct sweeping *w, const struct sweep_point *p)
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

static void print_json(const struct sweeping *w)
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

/* --- text -------------------------------------------------------------------------------------------- */

static double most_wait(const struct sweeping *w)
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

static void point_row(struct report *r, const struct sweeping *w, const struct sweep_point *p, double most)
{
	uint32_t jobs = w->found.jobs;
	char wait[DURATION_TEXT];

	report_cell(r, p->value ? p->value : "as it is");
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
	inquiry_cell_moment(r, w->q, p->watch_s);
	report_cellf(r, p->watch_rank > 0 ? "%" PRIu32 : "-", p->watch_rank);
}

static void print_text(const struct sweeping *w)
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

/* --- the question ------------------------------------------------------------------------------------ */

/* Where the first value is refused so is the draft, or the name. */
static bool find(struct sweeping *w)
{
	const struct inquiry *q = w->q;
	struct sweep_setup setup = {.ev = q->changes.event,
				    .count = q->changes.count,
				    .name = w->asked.name,
				    .value = w->asked.value,
				    .values = w->asked.values,
				    .watch = w->slot == INDEX_NONE ? 0 : snapshot_jobs(q->env->s)[w->slot].id,
				    .ahead = inquiry_setup(q)};
	bool any = false;

	sweep_find(&w->found, q->env->s, &setup);
	for (size_t i = 0; i < w->found.points; i++)
		any = any || !w->found.point[i].refused;
	return any || err_set(&q->env->err, "%s", w->found.point[0].err.text);
}

enum cmd_status inquiry_sweep(struct inquiry *q, const char *words)
{
	struct sweeping w = {.q = q};
	enum cmd_status status = CMD_USAGE;

	if (!sweep_words_read(&w.asked, q->env->s, words, &w.arena, &q->env->err))
		err_prefix(&q->env->err, "--sweep");
	else
		status = inquiry_job(q, &w.slot) && find(&w) ? CMD_DONE : CMD_REFUSED;
	if (status == CMD_DONE && q->env->json)
		print_json(&w);
	else if (status == CMD_DONE)
		print_text(&w);
	sweep_clear(&w.found);
	arena_free(&w.arena);
	return status;
}
