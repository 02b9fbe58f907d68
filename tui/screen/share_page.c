/* SPDX-License-Identifier: MIT */
/*
 * share_page.c - details of one share: its origin, and its projected course
 *
 * Amounts are in processor-hours (of equivalents, under DEDICATEDPES), and rounded: the shares
 * are computed from whole thousandths of a processor-second.
 */
#include "share_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "page.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/report/figure.h"
#include "tui/report/report.h"
#include "tui/report/shares.h"

static void put(struct page *p, enum role role, int width, const struct str *text)
{
	page_wrap(p, role, 1, width - 2, str_text(text));
}

static void add_percent(double percent, struct str *out)
{
	formula_fixed(out, percent);
	str_add_char(out, '%');
}

static double hours(double processor_seconds)
{
	return processor_seconds / 3600;
}

/* With two digits at most, also of what is very small. */
static void add_hours(double processor_seconds, struct str *out)
{
	formula_number(out, round(hours(processor_seconds) * 100) / 100);
}

static const char *name_of(const struct snapshot *s, uint32_t cred)
{
	return snapshot_string(s, snapshot_creds(s)[cred].name);
}

/* --- the formula ---------------------------------------------------------------------------- */

/* ".5*", nothing for 1. */
static void add_decay(double weight, struct str *out)
{
	char text[32];

	if (weight >= 1)
		return;
	snprintf(text, sizeof text, "%.4g", weight);
	str_addf(out, "%s*", text[0] == '0' && text[1] == '.' ? text + 1 : text);
}

/* "60 + .5*0 + .25*10", as far back as windows count. */
static void add_sum(const struct fairshare *f, const int64_t window[static FS_DEPTH_MAX], struct str *out)
{
	for (uint32_t i = 0; i < f->depth && f->weight[i] > 0; i++) {
		str_add(out, i > 0 ? " + " : "");
		add_decay(f->weight[i], out);
		add_hours((double)window[i] / (double)FS_UNIT, out);
	}
}

static void put_formula(struct page *p, const struct forecast *f, uint32_t cred, int width)
{
	const struct fairshare *shares = &f->plan.queue.shares;
	const struct fs_share *share = &shares->share[cred];
	struct str text = {0};

	str_addf(&text, "%s = (", name_of(f->s, cred));
	add_sum(shares, share->window, &text);
	str_add(&text, ") / (");
	add_sum(shares, shares->total, &text);
	str_add(&text, ") = ");
	add_hours(share->usage, &text);
	str_add_char(&text, '/');
	add_hours(shares->total_usage, &text);
	str_add(&text, " h = ");
	add_percent(share->percent, &text);
	put(p, ROLE_FORMULA, width, &text);
	str_free(&text);
}

/* --- what becomes of it ----------------------------------------------------------------------- */

static void put_rolls(struct page *p, const struct fairshare *f, uint32_t cred, double window_total,
		      const char *how)
{
	double percent[SHARES_ROLLS];
	struct str text = {0};

	fairshare_forecast(f, cred, window_total, SHARES_ROLLS, percent);
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_TEXT, how);
	for (int i = 0; i < SHARES_ROLLS; i++) {
		str_clear(&text);
		if (percent[i] < 0)
			str_add_char(&text, '-');
		else
			add_percent(percent[i], &text);
		page_at(p, 44 + 8 * i);
		page_addf(p, ROLE_TEXT, "%7s", str_text(&text));
	}
	str_free(&text);
}

static void put_forecast(struct page *p, const struct forecast *f, uint32_t cred)
{
	const struct fairshare *shares = &f->plan.queue.shares;
	struct str how = {0};

	str_add(&how, "if it runs nothing, machine busy (");
	formula_number(&how, round(hours(shares_busy_window(shares))));
	str_add(&how, " h):");
	put_rolls(p, shares, cred, shares_busy_window(shares), str_text(&how));
	put_rolls(p, shares, cred, 0, "at the next 4 rolls, machine idle:");
	str_free(&how);
}

/* Which present window would bring the share to its target: others must run more, or it must. */
static void add_way(const struct fairshare *f, const struct fs_share *share, struct str *out)
{
	double target = share->target / 100, now = (double)f->total[0] / (double)FS_UNIT;
	double missing;

	if (share->percent > share->target) {
		missing = share->usage / target - f->total_usage;
		str_add(out, "it is met once w0 of all reaches ");
		add_hours(now + missing, out);
		str_add(out, " h, w0 of this one staying at ");
		add_hours((double)share->window[0] / (double)FS_UNIT, out);
		str_add(out, " h");
	} else {
		missing = target < 1 ? (target * f->total_usage - share->usage) / (1 - target) : 0;
		str_add(out, "it is met after ");
		add_hours(missing, out);
		str_add(out, " h more of its own, nobody else running");
	}
}

static void add_other(const struct fairshare *f, uint32_t cred, double decay, uint32_t depth, struct str *out)
{
	add_percent(fairshare_percent_with(f, cred, decay, depth), out);
}

/* The share under other settings. */
static void put_knobs(struct page *p, const struct forecast *f, uint32_t cred, int width)
{
	static const double decays[] = {1, 0.8, 0.5};
	const struct fairshare *shares = &f->plan.queue.shares;
	double decay = f->s->policy.fs_decay;
	struct str text = {0};

	str_add(&text, "other knobs: FSDECAY");
	for (size_t i = 0; i < sizeof decays / sizeof decays[0]; i++) {
		if (fabs(decays[i] - decay) < 0.005)
			continue;
		str_addf(&text, "%s %.2f -> ", text.data[text.len - 1] == '%' ? "," : "", decays[i]);
		add_other(shares, cred, decays[i], shares->depth, &text);
	}
	if (shares->depth > 1) {
		str_addf(&text, "; FSDEPTH %" PRIu32 " -> ", shares->depth / 2);
		add_other(shares, cred, decay, shares->depth / 2, &text);
	}
	put(p, ROLE_TEXT, width, &text);
	str_free(&text);
}

/* --- against the target ----------------------------------------------------------------------- */

static void add_effect(const struct forecast *f, const struct fs_share *share, enum cred_type type,
		       struct str *out)
{
	const struct prio_weights *w = &f->s->policy.weights;
	enum prio_factor factor = PRIO_FS_USER + (enum prio_factor)type;
	double weight = w->component[PRIO_FS] * w->factor[factor], effect = shares_effect(w, type, share);

	str_add(out, "fsweight ");
	formula_number(out, w->component[PRIO_FS]);
	str_addf(out, " * %sweight ", policy_factor_info(factor)->keyword);
	formula_number(out, w->factor[factor]);
	str_add(out, " * ");
	formula_factor(out, share->delta, weight, 0.05);
	str_addf(out, " = %" PRId64 " points", (int64_t)effect);
	if (weight == 0)
		str_add(out, ": without a weight the target has no effect");
	else if (effect + 0.5 < weight * share->delta)
		str_add(out, " (capped)");
}

/* P-46: fairshare is a favour, it does not make anybody run. */
static void add_why_below(const struct forecast *f, const struct fs_share *share, struct str *out)
{
	uint32_t capped, waiting = shares_waiting(f, share->cred, &capped);

	if (waiting == 0) {
		str_add(out, "; it is below because nothing of it is queued");
		return;
	}
	str_add(out, "; it is below with ");
	report_count(out, waiting, "job", "jobs");
	str_add(out, " queued");
}

static void put_target(struct page *p, const struct forecast *f, const struct fs_share *share, int width)
{
	static const char *const meaning[] = {
		[FS_TARGET] = "target", [FS_FLOOR] = "floor", [FS_CEILING] = "ceiling"};
	enum cred_type type = (enum cred_type)snapshot_creds(f->s)[share->cred].type;
	struct str text = {0};

	str_addf(&text, "%s%s ", share->missed ? "* " : "", meaning[share->mode]);
	add_percent(share->target, &text);
	str_add(&text, ": ");
	if (share->delta != 0)
		add_effect(f, share, type, &text);
	else if (share->mode == FS_FLOOR)
		str_add(&text, "above a floor nothing happens, by design");
	else
		str_add(&text, share->mode == FS_CEILING ? "below a ceiling nothing happens, by design"
							 : "met exactly");
	if (share->percent < share->target && share->mode != FS_CEILING)
		add_why_below(f, share, &text);
	put(p, share->missed ? ROLE_LIMIT_NEAR : ROLE_TEXT, width, &text);
	str_clear(&text);
	if (share->missed && f->plan.queue.shares.total_usage > 0) {
		add_way(&f->plan.queue.shares, share, &text);
		put(p, ROLE_TEXT, width, &text);
	}
	str_free(&text);
}

/* The first moment at which a waiting job of it is expected to be below the cap; TIME_NEVER = none. */
static int64_t cap_clears_s(const struct forecast *f, uint32_t cred)
{
	const struct waiting *waiting = snapshot_waiting(f->s);
	int64_t first_s = TIME_NEVER;

	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		const struct reason *reason = &f->plan.reason[waiting[i].slot];

		if (reason->gate == GATE_FS_CAP && reason->cred == cred && reason->until_s < first_s)
			first_s = reason->until_s;
	}
	return first_s;
}

static void put_cap(struct page *p, const struct forecast *f, const struct fs_share *share, int width)
{
	uint32_t capped;
	int64_t clears_s = cap_clears_s(f, share->cred);
	char when[MOMENT_TEXT];
	struct str text = {0};

	(void)shares_waiting(f, share->cred, &capped);
	if (share->mode == FS_CAP_RELATIVE)
		str_addf(&text, "cap %.2f%%: %.2f%% is ", share->target, share->percent);
	else
		str_addf(&text, "cap %.0f processor-seconds: %.0f is ", share->target, share->usage);
	str_add(&text, shares_cap_is_reached(share) ? "at or over it; " : "below it; ");
	report_count(&text, capped, "job", "jobs");
	str_add(&text, " cannot start because of it");
	if (clears_s != TIME_NEVER)
		str_addf(&text, ", the first not before %s", wallclock_short(when, clears_s, f->plan.now_s));
	put(p, capped > 0 ? ROLE_LIMIT_OVER : ROLE_TEXT, width, &text);
	str_free(&text);
}

/* --- sums --------------------------------------------------------------------------------------- */

/* F-21: every job's usage is in the sum of each type of which it has a credential. */
static void add_sums(const struct forecast *f, struct str *out)
{
	const struct cred *creds = snapshot_creds(f->s);
	const char *between = "; jobs without one: ";

	str_add(out, "sums: ");
	for (enum cred_type t = 0; t < CRED_TYPE_COUNT; t++)
		if (shares_add_up(&f->plan.queue.shares, creds, t))
			str_addf(out, "%s = ", cred_type_name(t));
	str_add(out, "TOTAL");
	for (enum cred_type t = 0; t < CRED_TYPE_COUNT; t++) {
		if (shares_add_up(&f->plan.queue.shares, creds, t))
			continue;
		str_addf(out, "%s%s", between, cred_type_name(t));
		between = ", ";
	}
}

static void put_windows(struct page *p, const struct forecast *f, int width)
{
	const struct fairshare *shares = &f->plan.queue.shares;
	char when[MOMENT_TEXT], length[DURATION_TEXT];
	struct str text = {0};

	str_addf(&text, "w0 began %s; ", wallclock_short(when, shares->begin_s, f->plan.now_s));
	add_sums(f, &text);
	put(p, ROLE_DIM, width, &text);
	for (uint32_t i = 0; i < shares->depth; i++) {
		if (shares->other_length_s[i] == 0)
			continue;
		str_clear(&text);
		str_addf(&text, "w%u was recorded with another FSINTERVAL, %s", (unsigned)i,
			 duration_text(length, shares->other_length_s[i]));
		put(p, ROLE_WARNING, width, &text);
	}
	str_free(&text);
}

/* --- a row -------------------------------------------------------------------------------------- */

static void put_total(struct page *p, const struct forecast *f, int width)
{
	const struct fairshare *shares = &f->plan.queue.shares;
	struct str text = {0};

	str_add(&text, "TOTAL = ");
	add_sum(shares, shares->total, &text);
	str_add(&text, " = ");
	add_hours(shares->total_usage, &text);
	str_add(&text,
		" processor-hours, decayed: what all jobs used, not what the machine could have given");
	put(p, ROLE_FORMULA, width, &text);
	str_free(&text);
}

static void put_type(struct page *p, const struct forecast *f, enum cred_type type, int width)
{
	const struct fairshare *shares = &f->plan.queue.shares;
	const struct cred *creds = snapshot_creds(f->s);
	uint32_t count = 0, targets = 0, missed = 0;
	struct str text = {0};

	for (uint32_t c = 0; c < shares->share_count; c++) {
		if (creds[c].type != type || !shares_is_shown(&shares->share[c]))
			continue;
		count++;
		targets += shares->share[c].mode != FS_NO_TARGET;
		missed += shares->share[c].missed;
	}
	str_addf(&text, "%s: %" PRIu32 " here, %" PRIu32 " with a target, %" PRIu32 " off it.",
		 cred_type_name(type), count, targets, missed);
	put(p, ROLE_TEXT, width, &text);
	str_free(&text);
}

static void put_cred(struct page *p, const struct forecast *f, uint32_t cred, int width)
{
	const struct fs_share *share = &f->plan.queue.shares.share[cred];

	put_formula(p, f, cred, width);
	if (share->mode == FS_CAP_ABSOLUTE || share->mode == FS_CAP_RELATIVE)
		put_cap(p, f, share, width);
	else if (share->mode != FS_NO_TARGET)
		put_target(p, f, share, width);
	put_forecast(p, f, cred);
	put_knobs(p, f, cred, width);
}

void share_page_row(struct page *p, const struct forecast *f, const struct share_row *row, int width)
{
	if (row->kind == SHARE_TOTAL)
		put_total(p, f, width);
	else if (row->kind == SHARE_TYPE)
		put_type(p, f, row->type, width);
	else if (row->cred < f->plan.queue.shares.share_count)
		put_cred(p, f, row->cred, width);
	put_windows(p, f, width);
}
