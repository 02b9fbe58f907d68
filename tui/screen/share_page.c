/* SPDX-License-Identifier: MIT */
/*
 * share_page.c - details of one share: its computation and forecast
 *
 * Amounts are shown in processor-hours (with DEDICATEDPES, hours of processor equivalents), and rounded. The
 * shares themselves are computed from whole thousandths of a processor-second.
 */
#include "share_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "finding_lines.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/config/config.h"
#include "sched/rm/wallclock.h"
#include "tui/report/priority_report.h"
#include "tui/report/report.h"
#include "tui/report/settings.h"
#include "tui/report/shares.h"

#define LINT_W 80 /* minimum width for the numbers of lint findings */

/* --- settings: the line above the list ---------------------------------------------------------------- */

/* Adds a piece without breaking it: a piece that does not fit on the current line begins the next one. */
static void put_piece(struct page *p, int width, const struct str *piece)
{
	if (p->lines == 0 || p->x + 2 + text_width(str_text(piece)) > width)
		page_line(p);
	page_at(p, p->x == 0 ? 1 : p->x + 2);
	page_add(p, ROLE_TEXT, str_text(piece));
}

static void add_weights(const struct prio_weights *w, struct str *out)
{
	static const char letter[CRED_TYPE_COUNT + 1] = "UGAQC";

	str_add(out, "FSWEIGHT ");
	formula_number(out, w->component[PRIO_FS]);
	str_add_char(out, ':');
	for (enum cred_type t = 0; t < CRED_TYPE_COUNT; t++) {
		str_addf(out, " %c ", letter[t]);
		formula_number(out, w->factor[PRIO_FS_USER + (enum prio_factor)t]);
	}
}

void share_settings_line(struct page *p, const struct forecast *f, const struct lint_cache *lint_cache,
			 int width)
{
	const struct policy *policy = &f->s->policy;
	const struct fairshare *shares = &f->plan.queue.shares;
	struct str piece[7] = {{0}};
	char text[DURATION_TEXT];

	str_addf(&piece[0], "FSPOLICY %s", shares_metric_name((enum fs_policy)policy->fs_policy));
	if (policy->fs_policy != FS_NONE)
		str_add(&piece[0], fs_is_percent((enum fs_policy)policy->fs_policy) ? " (relative to target)"
										    : " (difference)");
	str_addf(&piece[1], "FSINTERVAL %s", duration_text(text, policy->fs_interval_s));
	str_addf(&piece[2], "FSDEPTH %" PRId64, policy->fs_depth);
	str_add(&piece[3], "FSDECAY ");
	formula_fixed(&piece[3], policy->fs_decay);
	if (!shares->off)
		str_addf(&piece[4], "rolls in %s", duration_text(text, shares->next_roll_s - f->plan.now_s));
	add_weights(&policy->weights, &piece[5]);
	if (width >= LINT_W)
		finding_lines_count(lint_cache, SEVERITY_WARNING, &piece[6]);
	for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
		if (piece[i].len > 0)
			put_piece(p, width, &piece[i]);
		str_free(&piece[i]);
	}
}

/* --- settings: where they are set --------------------------------------------------------------------- */

/* Appends the name of an option: "fsweight", or "user[eva].fstarget" if it belongs to a credential. */
static void add_option_name(const struct snapshot *s, const char *scope, const char *name, uint32_t cred,
			    struct str *out)
{
	if (cred == INDEX_NONE)
		str_add(out, name);
	else
		str_addf(out, "%s[%s].%s", scope, snapshot_string(s, snapshot_creds(s)[cred].name), name);
}

static void note_place(struct figures *out, const struct snapshot *s, const char *option)
{
	struct str place = {0};
	uint64_t entry;

	(void)origin_find(s, option, &place, &entry);
	figure_note_origin(out, option, str_text(&place), entry);
	str_free(&place);
}

/* Adds a sentence with the value of a global option, and a note that says where the option is set. */
static void put_option(struct figures *out, const struct snapshot *s, const char *name)
{
	const struct option *row = option_find(config_rows, config_row_count, "", name);
	struct str text = {0};

	str_addf(&text, "%s = ", name);
	config_print_value(row, &s->policy, NULL, NULL, &text);
	figure_say(out, str_text(&text));
	note_place(out, s, name);
	str_free(&text);
}

/* Adds a note to the last figure that says where the target of a credential is set. */
static void share_settings_note(struct figures *out, const struct snapshot *s, uint32_t cred,
				enum cred_type type)
{
	const struct cred_attr *own = &snapshot_creds(s)[cred].attr;
	struct str option = {0};

	/* The target is set for the credential itself, otherwise for DEFAULT. */
	add_option_name(s, cred_type_name(type), "fstarget",
			own->fs_mode != FS_NO_TARGET ? cred : (uint32_t)type, &option);
	note_place(out, s, str_text(&option));
	str_free(&option);
}

/* Adds the settings on which a row depends, with the configuration line or journal entry that sets each. */
static void share_settings_figures(struct figures *out, const struct forecast *f, const struct share_row *row)
{
	static const char *const names[] = {"fspolicy", "fsinterval", "fsdepth", "fsdecay", "fsweight"};
	char weight[48];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		put_option(out, f->s, names[i]);
	if (row->kind == SHARE_TOTAL)
		return;
	snprintf(weight, sizeof weight, "%sweight",
		 policy_factor_info(PRIO_FS_USER + (enum prio_factor)row->type)->keyword);
	put_option(out, f->s, weight);
}

/* --- details of one share ----------------------------------------------------------------------------- */

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

/* Appends an amount in hours, rounded to two decimals. */
static void add_hours(double processor_seconds, struct str *out)
{
	formula_number(out, round(hours(processor_seconds) * 100) / 100);
}

static const char *name_of(const struct snapshot *s, uint32_t cred)
{
	return snapshot_string(s, snapshot_creds(s)[cred].name);
}

/* --- formula ------------------------------------------------------------------------------------------ */

/* Appends the weight of a window: ".5*"; nothing for weight 1. */
static void add_decay(double weight, struct str *out)
{
	char text[32];

	if (weight >= 1)
		return;
	snprintf(text, sizeof text, "%.4g", weight);
	str_addf(out, "%s*", text[0] == '0' && text[1] == '.' ? text + 1 : text);
}

/* Appends the decayed sum of the windows, in hours: "60 + .5*0 + .25*10". Windows of weight 0 are omitted. */
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

/* --- projected share ---------------------------------------------------------------------------------- */

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

	str_add(&how, "4 rolls without its jobs, busy (");
	formula_number(&how, round(hours(shares_busy_window(shares))));
	str_add(&how, " h):");
	put_rolls(p, shares, cred, shares_busy_window(shares), str_text(&how));
	put_rolls(p, shares, cred, 0, "4 rolls without its jobs, idle machine:");
	str_free(&how);
}

/*
 * Appends what would bring the share to its target: more usage of all jobs in the current window (w0) if the
 * share is above the target, otherwise more usage of the credential itself.
 */
static void add_way(const struct fairshare *f, const struct fs_share *share, struct str *out)
{
	double target = share->target / 100, now = (double)f->total[0] / (double)FS_UNIT;
	double missing;

	if (share->percent > share->target) {
		missing = share->usage / target - f->total_usage;
		str_add(out, "reached when w0 of all jobs exceeds ");
		add_hours(now + missing, out);
		str_add(out, " h if w0 of this row stays ");
		add_hours((double)share->window[0] / (double)FS_UNIT, out);
		str_add(out, " h");
	} else {
		missing = target < 1 ? (target * f->total_usage - share->usage) / (1 - target) : 0;
		str_add(out, "reached after ");
		add_hours(missing, out);
		str_add(out, " h more of its own usage, if no other jobs run");
	}
}

static void add_other(const struct fairshare *f, uint32_t cred, double decay, uint32_t depth, struct str *out)
{
	add_percent(fairshare_percent_with(f, cred, decay, depth), out);
}

/* Writes the share that would result from other values of FSDECAY and FSDEPTH. */
static void put_knobs(struct page *p, const struct forecast *f, uint32_t cred, int width)
{
	static const double decays[] = {1, 0.8, 0.5};
	const struct fairshare *shares = &f->plan.queue.shares;
	double decay = f->s->policy.fs_decay;
	struct str text = {0};

	str_add(&text, "other settings: FSDECAY");
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

/* --- deviation from the target ------------------------------------------------------------------------ */

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
		str_add(out, ": the target has no effect without a weight");
	else if (effect + 0.5 < weight * share->delta)
		str_add(out, " (capped)");
}

/*
 * Appends the number of queued jobs of a credential that is below its target: fairshare only changes the
 * priorities of queued jobs (requirement P-46).
 */
static void add_why_below(const struct forecast *f, const struct fs_share *share, struct str *out)
{
	uint32_t capped, waiting = shares_waiting(f, share->cred, &capped);

	if (waiting == 0) {
		str_add(out, "; below the target because no job is queued");
		return;
	}
	str_add(out, "; below the target with ");
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
		str_add(&text, "no effect above a floor");
	else
		str_add(&text, share->mode == FS_CEILING ? "no effect below a ceiling" : "exactly on target");
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

/*
 * Returns the earliest estimated time at which the cap no longer blocks one of the credential's jobs;
 * TIME_NEVER if that time is not known.
 */
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
	str_add(&text, shares_cap_is_reached(share) ? "at or above the cap; " : "below the cap; ");
	report_count(&text, capped, "job", "jobs");
	str_add(&text, " blocked by the cap");
	if (clears_s != TIME_NEVER)
		str_addf(&text, ", the first until at least %s",
			 wallclock_short(when, clears_s, f->plan.now_s));
	put(p, capped > 0 ? ROLE_LIMIT_OVER : ROLE_TEXT, width, &text);
	str_free(&text);
}

/* --- sums --------------------------------------------------------------------------------------------- */

/*
 * Appends the types of credentials whose usages add up to the TOTAL, and the types that not every job has.
 * The usage of a job counts for each of its credentials (requirement F-21).
 */
static void add_sums(const struct forecast *f, struct str *out)
{
	const struct cred *creds = snapshot_creds(f->s);
	const char *between = "; not every job has: ";

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

/* --- a row -------------------------------------------------------------------------------------------- */

static void put_total(struct page *p, const struct forecast *f, int width)
{
	const struct fairshare *shares = &f->plan.queue.shares;
	struct str text = {0};

	str_add(&text, "TOTAL = ");
	add_sum(shares, shares->total, &text);
	str_add(&text, " = ");
	add_hours(shares->total_usage, &text);
	str_add(&text, " processor-hours, decayed: the usage of all jobs, not the capacity of the machine");
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
	str_addf(&text, "%s: %" PRIu32 " shown, %" PRIu32 " with a target, %" PRIu32 " off target.",
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

/* --- origin of the numbers ---------------------------------------------------------------------------- */

/*
 * Amounts are in processor-hours (with DEDICATEDPES, hours of processor equivalents). The usage in a window
 * is shown as the sum of ended and running jobs.
 */

/* What the figures of a row are computed from. */
struct part_of {
	struct figures *out;
	const struct forecast *f;
	const struct fairshare *shares;
	const struct share_row *row;
	const char *suffix; /* suffix of the titles: "" or " AFTER" */
};

static struct part_of part_of(struct figures *out, const struct forecast *f, const struct share_row *row,
			      const char *suffix);

static const char *title(char buf[static 32], const struct part_of *p, const char *name)
{
	snprintf(buf, 32, "%s%s", name, p->suffix);
	return buf;
}

static uint32_t plain(const struct part_of *p, double value)
{
	return figure_number(p->out, NULL, value, NULL);
}

static double amount_hours(int64_t amount)
{
	return (double)amount / (double)FS_UNIT / 3600;
}

/* --- usage -------------------------------------------------------------------------------------------- */

/*
 * Returns the part for the decayed sum of the windows: "w0 60 + 0.25 * w2 10". Windows without usage or
 * weight are omitted.
 */
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
		amount = figure_number(p->out, name, amount_hours(window[i]), NULL);
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

/* Returns the part for the usage of all credentials of a type, and sets *percent to its value. */
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
		figure_note(p->out, "usage of all jobs, not the capacity of the machine");
}

/* --- target, deviation, effect ------------------------------------------------------------------------ */

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

/*
 * Returns the part that computes the priority points of a delta from weights and caps, with the formula of
 * shares_effect.
 */
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
		figure_note(p->out, "compared with the cap");
	}
	(void)shares_waiting(p->f, p->row->cred, &held);
	if (held == 0)
		return;
	figure_add_rounded(p->out, title(name, p, "EFFECT"), held, 0, plain(p, held));
	figure_note(p->out, "jobs whose first failed check is this cap");
}

/* Adds the product of the two weights of a type: "1000/point". */
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
			fs_is_percent((enum fs_policy)p->f->s->policy.fs_policy) ? "/ratio" : "/point");
	}
	figure_add_rounded(p->out, title(name, p, "EFFECT"), own * w->component[PRIO_FS], 2,
			   figure_join(p->out, FIGURE_TIMES,
				       figure_number(p->out, "fsweight", w->component[PRIO_FS], NULL),
				       plain(p, own)));
	figure_show(p->out, str_text(&shown));
	str_free(&shown);
}

/* --- windows ------------------------------------------------------------------------------------------ */

static bool counts_in_row(const struct part_of *p, const struct job *job)
{
	if (p->row->kind == SHARE_TOTAL)
		return true;
	if (p->row->kind == SHARE_TYPE)
		return job->cred[p->row->type] != INDEX_NONE;
	return job->cred[p->row->type] == p->row->cred;
}

/* Returns the usage of the row's running jobs in a window. */
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

/*
 * Returns the part for the usage in a window, computed from processor-seconds: "(ended 200000 + running
 * 16000) / 3600".
 */
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

/* Adds a note with the start, the end and the weight of a window. */
static void note_window(const struct part_of *p, uint32_t window)
{
	int64_t length_s = p->f->s->policy.fs_interval_s;
	int64_t from_s = p->shares->begin_s - (int64_t)window * length_s;
	char from[MOMENT_TEXT], to[MOMENT_TEXT];

	figure_note(p->out, "%s to %s", wallclock_short(from, from_s, p->shares->now_s),
		    wallclock_short(to, from_s + length_s, p->shares->now_s));
	if (p->shares->weight[window] != 1)
		figure_note(p->out, ", weighted %.3g", p->shares->weight[window]);
}

static void add_window_percent(const struct part_of *p, const char *name, int64_t amount, int64_t total)
{
	double percent = total > 0 ? 100 * (double)amount / (double)total : 0;
	struct str shown = {0};

	figure_add_rounded(p->out, name, percent, 1,
			   total > 0 ? figure_join(p->out, FIGURE_OVER,
						   figure_join(p->out, FIGURE_TIMES, plain(p, 100),
							       plain(p, amount_hours(amount))),
						   plain(p, amount_hours(total)))
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
		add_window_percent(p, name, amount, total);
	} else {
		figure_add_rounded(p->out, name, amount_hours(amount),
				   amount_hours(amount) < 99999.95 ? 1 : 0, window_part(p, amount, window));
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
		 "Windows roll at %s, in %s: the weight of each is then multiplied by fsdecay %.3g, and "
		 "w%" PRIu32 " is dropped.",
		 wallclock_short(when, roll_s, now_s), duration_text(left, roll_s - now_s),
		 p->f->s->policy.fs_decay, p->shares->depth - 1);
	figure_say(p->out, str_text(&text));
	str_free(&text);
}

/* --- a row -------------------------------------------------------------------------------------------- */

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
