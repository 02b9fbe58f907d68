/* SPDX-License-Identifier: MIT */
/*
 * share_figures.c - where the numbers about a share come from
 *
 * Amounts are processor-hours (of equivalents, under DEDICATEDPES). A window is what jobs that have
 * ended used in it and what running ones have used so far, each taken again from the jobs.
 */
#include "share_figures.h"

#include <inttypes.h>
#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "share_cells.h"
#include "share_settings.h"
#include "tui/report/figure.h"
#include "tui/report/priority_report.h"
#include "tui/report/shares.h"

/* What the figures of one row look at. */
struct part_of {
	struct figures *out;
	const struct forecast *f;
	const struct fairshare *shares;
	const struct share_row *row;
	const char *suffix; /* of titles: "" or " AFTER" */
};

static const char *title(char buf[static 32], const struct part_of *p, const char *name)
{
	snprintf(buf, 32, "%s%s", name, p->suffix);
	return buf;
}

static uint32_t plain(const struct part_of *p, double value)
{
	return figure_number(p->out, NULL, value, NULL);
}

static double hours(int64_t amount)
{
	return (double)amount / (double)FS_UNIT / 3600;
}

/* --- usage ---------------------------------------------------------------------------------- */

/* "w0 60 + 0.5 * w1 0 + 0.25 * w2 10": windows with usage, as far back as they count. */
static uint32_t decayed_part(const struct part_of *p, const int64_t window[static FS_DEPTH_MAX])
{
	uint32_t sum = FIGURE_NONE;
	char name[16];

	for (uint32_t i = 0; i < p->shares->depth; i++) {
		double weight = p->shares->weight[i];
		uint32_t amount;

		if (window[i] == 0 || weight == 0)
			continue;
		snprintf(name, sizeof name, "w%" PRIu32, i);
		amount = figure_number(p->out, name, hours(window[i]), NULL);
		if (weight != 1)
			amount = figure_join(p->out, FIGURE_TIMES, plain(p, weight), amount);
		sum = figure_join(p->out, FIGURE_PLUS, sum, amount);
	}
	return sum == FIGURE_NONE ? plain(p, 0) : sum;
}

static uint32_t usage_part(const struct part_of *p, const struct fs_share *share)
{
	if (p->shares->total_usage <= 0)
		return plain(p, 0);
	return figure_join(p->out, FIGURE_OVER,
			   figure_join(p->out, FIGURE_TIMES, figure_number(p->out, NULL, 100, NULL),
				       decayed_part(p, share->window)),
			   decayed_part(p, p->shares->total));
}

static bool is_of_row(const struct part_of *p, uint32_t cred)
{
	return cred < p->shares->share_count && snapshot_creds(p->f->s)[cred].type == p->row->type;
}

/* The sum over all credentials of a type, each with its share. */
static uint32_t type_usage_part(const struct part_of *p, double *percent)
{
	uint32_t sum = FIGURE_NONE;

	*percent = 0;
	for (uint32_t c = 0; c < p->shares->share_count; c++) {
		const struct fs_share *share = &p->shares->share[c];

		if (!is_of_row(p, c) || share->percent == 0)
			continue;
		*percent += share->percent;
		sum = figure_join(p->out, FIGURE_PLUS, sum,
				  figure_remark(p->out, plain(p, share->percent),
						snapshot_string(p->f->s, snapshot_creds(p->f->s)[c].name)));
	}
	return sum == FIGURE_NONE ? plain(p, 0) : sum;
}

static void add_usage(const struct part_of *p)
{
	double percent = p->shares->total_usage > 0 ? 100 : 0;
	char name[32];
	uint32_t part;

	if (p->row->kind == SHARE_CRED) {
		const struct fs_share *share = &p->shares->share[p->row->cred];

		figure_add_rounded(p->out, title(name, p, "USAGE"), share->percent, 2, usage_part(p, share));
		return;
	}
	if (p->row->kind == SHARE_TYPE)
		part = type_usage_part(p, &percent);
	else
		part = plain(p, percent);
	figure_add_rounded(p->out, title(name, p, "USAGE"), percent, 2, part);
	if (p->row->kind == SHARE_TOTAL)
		figure_note(p->out, "what all jobs used, not what the machine could have given");
}

/* --- target, delta, effect -------------------------------------------------------------------- */

static void show_with(struct figures *out, const char *sign)
{
	struct str shown = {0};

	str_addf(&shown, "%s%s", figure_word(out, out->item[out->count - 1].shown), sign);
	figure_show(out, str_text(&shown));
	str_free(&shown);
}

static void add_target(const struct part_of *p, const struct fs_share *share)
{
	const char suffix[2] = {shares_suffix(share->mode), '\0'};
	struct str shown = {0};
	char name[32];

	figure_add_rounded(p->out, title(name, p, "TARGET"), share->target, 2, plain(p, share->target));
	if (share->mode == FS_CAP_ABSOLUTE) {
		formula_number(&shown, share->target);
		figure_show(p->out, str_text(&shown));
		str_free(&shown);
	}
	show_with(p->out, suffix[0] == ' ' ? "" : suffix);
	share_settings_note(p->out, p->f->s, p->row->cred, p->row->type);
}

/* The points of a delta through its weights and caps: what shares_effect computes. */
static uint32_t effect_part(const struct part_of *p, const struct fs_share *share)
{
	const struct prio_weights *w = &p->f->s->policy.weights;
	enum prio_factor factor = PRIO_FS_USER + (enum prio_factor)p->row->type;
	uint32_t part = figure_number(p->out, "delta", share->delta, NULL);
	char name[24];

	snprintf(name, sizeof name, "%sweight", policy_factor_info(factor)->keyword);
	if (w->factor_cap[factor] > 0)
		part = figure_join(p->out, FIGURE_LEAST, part,
				   figure_number(p->out, "cap", w->factor_cap[factor], NULL));
	part = figure_join(p->out, FIGURE_TIMES, figure_number(p->out, name, w->factor[factor], NULL), part);
	if (w->component_cap[PRIO_FS] > 0)
		part = figure_join(p->out, FIGURE_LEAST, part,
				   figure_number(p->out, "fscap", w->component_cap[PRIO_FS], NULL));
	return figure_join(p->out, FIGURE_TIMES,
			   figure_number(p->out, "fsweight", w->component[PRIO_FS], NULL), part);
}

static void add_delta(const struct part_of *p, const struct fs_share *share)
{
	double effect = shares_effect(&p->f->s->policy.weights, p->row->type, share);
	bool as_part = fs_is_percent((enum fs_policy)p->f->s->policy.fs_policy);
	char name[32];

	figure_add_rounded(p->out, title(name, p, "DELTA"), share->delta, 2,
			   p->shares->total_usage > 0 ? breakdown_delta(p->out, share, as_part)
						      : plain(p, 0));
	figure_add_cut(p->out, title(name, p, "EFFECT"), effect, effect_part(p, share));
	show_with(p->out, " pts");
}

static void add_cap(const struct part_of *p, const struct fs_share *share)
{
	char name[32];
	uint32_t held;

	if (share->mode == FS_CAP_ABSOLUTE) {
		figure_add_rounded(
			p->out, "processor-seconds", share->usage, 0,
			figure_join(p->out, FIGURE_TIMES, plain(p, 3600), decayed_part(p, share->window)));
		figure_note(p->out, "what the cap is compared with");
	}
	(void)shares_waiting(p->f, p->row->cred, &held);
	if (held == 0)
		return;
	figure_add_rounded(p->out, title(name, p, "EFFECT"), held, 0, plain(p, held));
	figure_note(p->out, "jobs whose first failing check it is");
}

/* "1000 a point": both weights of a type. */
static void add_weight(const struct part_of *p)
{
	const struct prio_weights *w = &p->f->s->policy.weights;
	double own = w->factor[PRIO_FS_USER + (enum prio_factor)p->row->type];
	struct str shown = {0};
	char name[32];

	if (own * w->component[PRIO_FS] == 0) {
		str_add(&shown, "weight 0");
	} else {
		formula_number(&shown, own * w->component[PRIO_FS]);
		str_add(&shown,
			fs_is_percent((enum fs_policy)p->f->s->policy.fs_policy) ? " a part" : " a point");
	}
	figure_add_rounded(p->out, title(name, p, "EFFECT"), own * w->component[PRIO_FS], 2,
			   figure_join(p->out, FIGURE_TIMES,
				       figure_number(p->out, "fsweight", w->component[PRIO_FS], NULL),
				       plain(p, own)));
	figure_show(p->out, str_text(&shown));
	str_free(&shown);
}

/* --- windows ------------------------------------------------------------------------------------ */

static bool counts_in_row(const struct part_of *p, const struct job *job)
{
	if (p->row->kind == SHARE_TOTAL)
		return true;
	if (p->row->kind == SHARE_TYPE)
		return job->cred[p->row->type] != INDEX_NONE;
	return job->cred[p->row->type] == p->row->cred;
}

/* What jobs that run have used in a window. */
static int64_t running_in(const struct part_of *p, uint32_t window)
{
	const struct policy *policy = &p->f->s->policy;
	const struct machine machine = snapshot_machine(p->f->s);
	int64_t from_s = p->shares->begin_s - (int64_t)window * policy->fs_interval_s, sum = 0;

	for (uint32_t i = 0; i < p->f->plan.queue.active_count; i++) {
		const struct job *job = &snapshot_jobs(p->f->s)[p->f->plan.queue.active[i]];

		if (counts_in_row(p, job))
			sum = fs_add(sum,
				     fs_job_usage(fs_metric((enum fs_policy)policy->fs_policy), job, &machine,
						  p->shares->now_s, from_s, from_s + policy->fs_interval_s));
	}
	return sum;
}

/* "(ended 200000 + running 16000) / 3600": from processor-seconds. */
static uint32_t window_part(const struct part_of *p, int64_t amount, uint32_t window)
{
	int64_t running = running_in(p, window);
	uint32_t ended = FIGURE_NONE, run = FIGURE_NONE;

	if (amount != running || running == 0)
		ended = figure_number(p->out, "ended", (double)(amount - running) / (double)FS_UNIT, NULL);
	if (running != 0)
		run = figure_number(p->out, "running", (double)running / (double)FS_UNIT, NULL);
	return figure_join(p->out, FIGURE_OVER, figure_join(p->out, FIGURE_PLUS, ended, run), plain(p, 3600));
}

/* Which time a window is. */
static void note_window(const struct part_of *p, uint32_t window)
{
	int64_t length_s = p->f->s->policy.fs_interval_s;
	int64_t from_s = p->shares->begin_s - (int64_t)window * length_s;
	char from[MOMENT_TEXT], to[MOMENT_TEXT];

	figure_note(p->out, "%s to %s", wallclock_short(from, from_s, p->shares->now_s),
		    wallclock_short(to, from_s + length_s, p->shares->now_s));
	if (p->shares->weight[window] != 1)
		figure_note(p->out, ", counts %.3g", p->shares->weight[window]);
}

static void add_percent(const struct part_of *p, const char *name, int64_t amount, int64_t total)
{
	double percent = total > 0 ? 100 * (double)amount / (double)total : 0;
	struct str shown = {0};

	figure_add_rounded(p->out, name, percent, 1,
			   total > 0 ? figure_join(p->out, FIGURE_OVER,
						   figure_join(p->out, FIGURE_TIMES, plain(p, 100),
							       plain(p, hours(amount))),
						   plain(p, hours(total)))
				     : plain(p, 0));
	str_addf(&shown, "%.1f%%", percent);
	figure_show(p->out, str_text(&shown));
	str_free(&shown);
}

static void add_window(const struct part_of *p, const struct share_list *l, uint32_t window)
{
	int64_t amount = share_amount(l, p->row, window), total = p->shares->total[window];
	struct str shown = {0};
	char name[16];

	snprintf(name, sizeof name, "w%" PRIu32, window);
	if (l->percent) {
		add_percent(p, name, amount, total);
	} else {
		figure_add_rounded(p->out, name, hours(amount), hours(amount) < 99999.95 ? 1 : 0,
				   window_part(p, amount, window));
		share_add_hours(amount, &shown);
		figure_show(p->out, str_text(&shown));
		str_free(&shown);
	}
	note_window(p, window);
}

static void say_roll(const struct part_of *p)
{
	char when[MOMENT_TEXT], left[DURATION_TEXT];
	int64_t roll_s = p->shares->next_roll_s, now_s = p->shares->now_s;
	struct str text = {0};

	str_addf(&text,
		 "Windows roll at %s, in %s: each then counts fsdecay %.3g times what it counts now, and "
		 "w%" PRIu32 " is forgotten.",
		 wallclock_short(when, roll_s, now_s), duration_text(left, roll_s - now_s),
		 p->f->s->policy.fs_decay, p->shares->depth - 1);
	figure_say(p->out, str_text(&text));
	str_free(&text);
}

/* --- a row ---------------------------------------------------------------------------------------- */

static void add_row(const struct part_of *p)
{
	const struct fs_share *share;

	add_usage(p);
	if (p->row->kind == SHARE_TYPE)
		add_weight(p);
	if (p->row->kind != SHARE_CRED)
		return;
	share = &p->shares->share[p->row->cred];
	if (share->mode != FS_NO_TARGET)
		add_target(p, share);
	if (share->mode == FS_CAP_ABSOLUTE || share->mode == FS_CAP_RELATIVE)
		add_cap(p, share);
	else if (share->mode != FS_NO_TARGET)
		add_delta(p, share);
}

static struct part_of part_of(struct figures *out, const struct forecast *f, const struct share_row *row,
			      const char *suffix)
{
	return (struct part_of){out, f, &f->plan.queue.shares, row, suffix};
}

void share_figures(struct figures *out, const struct share_list *l, const struct share_row *row)
{
	struct part_of live = part_of(out, &l->o->live, row, "");
	struct part_of shown = part_of(out, share_list_shown(l), row, l->comparing ? " AFTER" : "");

	if (l->comparing && (row->kind != SHARE_CRED || row->cred < live.shares->share_count))
		add_row(&live);
	add_row(&shown);
	for (uint32_t i = 0; !l->comparing && i < l->windows; i++)
		add_window(&live, l, i);
	if (!shown.shares->off)
		say_roll(&shown);
	share_settings_figures(out, shown.f, row);
}
