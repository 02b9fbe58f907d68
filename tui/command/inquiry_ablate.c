/* SPDX-License-Identifier: MIT */
/*
 * inquiry_ablate.c - kahu whatif --ablate: which edit of the draft does what?
 */
#include <inttypes.h>

#include "inquiry.h"
#include "sched/base/json.h"
#include "sched/forecast/ablate.h"

struct ablating {
	struct inquiry *q;
	struct future live;
	struct ablate found;
};

/* --- JSON -------------------------------------------------------------------------------------------- */

static void json_change(struct json *j, const char *key, const struct lineup_change *c)
{
	json_open(j, key, '{');
	json_int(j, "changed", c->changed);
	json_int(j, "earlier", c->earlier);
	json_int(j, "later", c->later);
	json_int(j, "gain_s", c->gain_s);
	json_close(j);
}

static void json_edit(struct json *j, const struct ablating *a, size_t i)
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

static void print_json(const struct ablating *a)
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
		json_edit(&j, a, i);
	json_close(&j);
	json_close(&j);
	str_add_char(a->q->env->out, '\n');
	str_free(&line);
}

/* --- text -------------------------------------------------------------------------------------------- */

/* Mean waits saved are seconds with a fraction: a small share is one too. */
static void print_table(const struct ablating *a)
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

static void print_text(const struct ablating *a)
{
	struct str *out = a->q->env->out;

	str_addf(out,
		 "The draft saves %.1f s of mean wait over %" PRIu32 " jobs and makes %" PRIu32
		 " start later (%s, nothing is changed).\n",
		 a->found.gain_s, a->found.jobs, a->found.whole.later,
		 a->q->full ? "full projection" : "instant plan");
	ablate_print(&a->found, a->q->env->s, out);
	str_addf(out,
		 ".\n\nSHARE of what is saved%s. ALONE: starts that the edit changes by itself, LATER of "
		 "them; ADDS: those it changes when all others are made.\n\n",
		 a->found.exact ? "" : ", as far as each adds it to the others");
	print_table(a);
}

/* --- the question ------------------------------------------------------------------------------------ */

enum cmd_status inquiry_ablate(struct inquiry *q)
{
	struct ablating a = {.q = q};
	struct future_setup setup = inquiry_setup(q);
	bool good;

	future_build(&a.live, q->env->s, &setup);
	good = ablate_find(&a.found, q->env->s, &a.live.side, q->changes.event, q->changes.count, &setup,
			   &q->env->err);
	if (good && q->env->json)
		print_json(&a);
	else if (good)
		print_text(&a);
	ablate_clear(&a.found);
	future_clear(&a.live);
	return good ? CMD_DONE : CMD_REFUSED;
}
