/* SPDX-License-Identifier: MIT */
/*
 * share_cells.c - columns and cells of the list of shares
 */
#include "share_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tui/report/figure.h"
#include "tui/report/report.h"
#include "tui/report/shares.h"
#include "view.h"

/* Columns before the windows; without a draft. */
enum column {
	COL_CRED,
	COL_MARK,
	COL_TARGET,
	COL_USAGE,
	COL_DELTA,
	COL_EFFECT,
	COL_WINDOWS = SHARE_PLAIN
};

/* Columns of a draft. */
enum draft_column {
	DRAFT_CRED,
	DRAFT_MARK,
	DRAFT_TARGET,
	DRAFT_TARGET_AFTER,
	DRAFT_USAGE,
	DRAFT_USAGE_AFTER,
	DRAFT_EFFECT,
	DRAFT_EFFECT_AFTER,
	DRAFT_COUNT
};

static const struct table_column plain_columns[SHARE_PLAIN] = {
	[COL_CRED] = {.title = "CREDENTIAL", .min = 11, .max = 20},
	[COL_MARK] = {.title = "", .min = 1},
	[COL_TARGET] = {.title = "TARGET", .min = 7, .max = 9, .align = TEXT_RIGHT},
	[COL_USAGE] = {.title = "USAGE", .min = 6, .align = TEXT_RIGHT},
	[COL_DELTA] = {.title = "DELTA", .min = 7, .align = TEXT_RIGHT},
	[COL_EFFECT] = {.title = "EFFECT", .min = 12, .align = TEXT_RIGHT},
};

static const struct table_column draft_columns[DRAFT_COUNT] = {
	[DRAFT_CRED] = {.title = "CREDENTIAL", .min = 12, .max = 20},
	[DRAFT_MARK] = {.title = "", .min = 1},
	[DRAFT_TARGET] = {.title = "TARGET", .min = 8, .align = TEXT_RIGHT},
	[DRAFT_TARGET_AFTER] = {.title = "AFTER", .min = 8, .align = TEXT_RIGHT},
	[DRAFT_USAGE] = {.title = "USAGE", .min = 6, .align = TEXT_RIGHT, .drop = 1},
	[DRAFT_USAGE_AFTER] = {.title = "AFTER", .min = 6, .align = TEXT_RIGHT, .drop = 2},
	[DRAFT_EFFECT] = {.title = "EFFECT", .min = 12, .align = TEXT_RIGHT},
	[DRAFT_EFFECT_AFTER] = {.title = "AFTER", .min = 12, .align = TEXT_RIGHT},
};

/* --- columns ---------------------------------------------------------------------------- */

/* "w1*0.5": how old, and what it counts. */
static void add_window(struct share_list *l, uint32_t i)
{
	const struct fairshare *f = share_list_live(l);

	if (f->weight[i] < 1)
		snprintf(l->title[i], sizeof l->title[i], "w%u*%.3g", (unsigned)i, f->weight[i]);
	else
		snprintf(l->title[i], sizeof l->title[i], "w%u", (unsigned)i);
	l->column[COL_WINDOWS + i] = (struct table_column){
		.title = l->title[i],
		.min = 8,
		.align = TEXT_RIGHT,
		.drop = 2 + (int)i,
	};
}

void share_init_columns(struct share_list *l)
{
	table_init(&l->table, draft_columns, DRAFT_COUNT);
	for (size_t i = 0; i < SHARE_PLAIN; i++)
		l->column[i] = plain_columns[i];
}

void share_set_columns(struct share_list *l)
{
	const struct fairshare *f = share_list_live(l);

	l->comparing = l->o->draft.s != NULL;
	if (l->comparing) {
		l->table.column = draft_columns;
		l->table.columns = DRAFT_COUNT;
		return;
	}
	l->windows = f->depth < SHARE_WINDOWS_MAX ? f->depth : SHARE_WINDOWS_MAX;
	for (uint32_t i = 0; i < l->windows; i++)
		add_window(l, i);
	l->column[COL_WINDOWS + l->windows] = (struct table_column){
		.title = "OLD..NEW", .min = f->depth > 8 ? (int)f->depth : 8, .drop = 1};
	l->table.column = l->column;
	l->table.columns = COL_WINDOWS + l->windows + 1;
}

const char *share_cred_name(const struct share_list *l, uint32_t cred)
{
	const struct snapshot *s = share_list_shown(l)->s;

	return snapshot_string(s, snapshot_creds(s)[cred].name);
}

/* --- cells ------------------------------------------------------------------------------ */

/* "- USER", "+ GROUP". */
static enum role add_name(const struct share_list *l, const struct share_row *row, struct str *out)
{
	switch (row->kind) {
	case SHARE_TOTAL:
		str_add(out, "TOTAL");
		return ROLE_STRONG;
	case SHARE_TYPE:
		str_add(out, share_list_is_open(l, row->type) ? "- " : "+ ");
		report_capitals(out, cred_type_name(row->type));
		return ROLE_SECTION;
	case SHARE_CRED:
		break;
	}
	str_addf(out, "  %s", share_cred_name(l, row->cred));
	return ROLE_TEXT;
}

static enum role add_mark(const struct fs_share *share, struct str *out)
{
	if (share->missed)
		str_add_char(out, '*');
	else if (shares_cap_is_reached(share))
		str_add(out, role_info(ROLE_LIMIT_NEAR)->mark);
	return share->missed ? ROLE_LIMIT_NEAR : ROLE_LIMIT_OVER;
}

static enum role add_target(const struct fs_share *share, struct str *out)
{
	if (share->mode == FS_NO_TARGET) {
		str_add(out, "- ");
		return ROLE_DIM;
	}
	if (share->mode == FS_CAP_ABSOLUTE)
		formula_number(out, share->target);
	else
		formula_fixed(out, share->target);
	str_add_char(out, shares_suffix(share->mode));
	return ROLE_TEXT;
}

static bool has_delta(const struct fs_share *share)
{
	return share->mode != FS_NO_TARGET && share->mode < FS_CAP_ABSOLUTE;
}

static enum role add_delta(const struct fs_share *share, struct str *out)
{
	if (has_delta(share))
		formula_fixed(out, share->delta);
	else
		str_add_char(out, '-');
	return has_delta(share) && share->delta != 0 ? ROLE_TEXT : ROLE_DIM;
}

/* Below a cap there may be jobs that would exceed it. */
static enum role add_cap(const struct forecast *f, const struct fs_share *share, struct str *out)
{
	uint32_t held;

	if (shares_cap_is_reached(share)) {
		str_add(out, "CAP: blocked");
		return ROLE_LIMIT_OVER;
	}
	(void)shares_waiting(f, share->cred, &held);
	if (held > 0)
		str_addf(out, "cap holds %" PRIu32, held);
	else
		str_add(out, "below cap");
	return held > 0 ? ROLE_LIMIT_NEAR : ROLE_DIM;
}

static enum role add_effect(const struct forecast *f, const struct fs_share *share, enum cred_type type,
			    struct str *out)
{
	if (share->mode == FS_NO_TARGET) {
		str_add(out, "no target");
		return ROLE_DIM;
	}
	if (!has_delta(share))
		return add_cap(f, share, out);
	str_addf(out, "%" PRId64 " pts", (int64_t)shares_effect(&f->s->policy.weights, type, share));
	return share->delta != 0 ? ROLE_STRONG : ROLE_DIM;
}

static bool has_targets(const struct forecast *f, enum cred_type type)
{
	const struct fairshare *shares = &f->plan.queue.shares;

	for (uint32_t c = 0; c < shares->share_count; c++)
		if (snapshot_creds(f->s)[c].type == type && has_delta(&shares->share[c]))
			return true;
	return false;
}

/* "1000 a point": what the weights of a type make of one. A target without weight has no effect (F-31). */
static enum role add_weight(const struct forecast *f, enum cred_type type, struct str *out)
{
	const struct prio_weights *w = &f->s->policy.weights;
	double weight = w->component[PRIO_FS] * w->factor[PRIO_FS_USER + (enum prio_factor)type];

	if (weight == 0) {
		str_add(out, "weight 0");
		return has_targets(f, type) ? ROLE_WARNING : ROLE_DIM;
	}
	formula_number(out, weight);
	str_add(out, fs_is_percent((enum fs_policy)f->s->policy.fs_policy) ? " a part" : " a point");
	return ROLE_DIM;
}

void share_add_hours(int64_t amount, struct str *out)
{
	double hours = (double)amount / (double)FS_UNIT / 3600;

	if (hours < 99999.95)
		str_addf(out, "%.1f", hours);
	else if (hours < 9999999.5)
		str_addf(out, "%.0f", hours);
	else
		str_addf(out, "%.3g", hours);
}

int64_t share_amount(const struct share_list *l, const struct share_row *row, uint32_t window)
{
	const struct fairshare *f = share_list_live(l);
	int64_t sum = 0;

	if (row->kind == SHARE_TOTAL)
		return f->total[window];
	if (row->kind == SHARE_CRED)
		return f->share[row->cred].window[window];
	for (uint32_t c = 0; c < f->share_count; c++)
		if (snapshot_creds(l->o->live.s)[c].type == row->type)
			sum = fs_add(sum, f->share[c].window[window]);
	return sum;
}

static enum role add_amount(const struct share_list *l, const struct share_row *row, uint32_t window,
			    struct str *out)
{
	int64_t amount = share_amount(l, row, window), total = share_list_live(l)->total[window];

	if (l->percent)
		str_addf(out, "%.1f%%", total > 0 ? 100 * (double)amount / (double)total : 0);
	else
		share_add_hours(amount, out);
	if (row->kind == SHARE_TYPE)
		return ROLE_SECTION;
	return amount == 0 ? ROLE_DIM : ROLE_TEXT;
}

/* Of all jobs, or of all credentials of a type. */
static double percent_of(const struct share_list *l, const struct fairshare *f, const struct share_row *row)
{
	double sum = 0;

	if (row->kind == SHARE_TOTAL)
		return f->total_usage > 0 ? 100 : 0;
	for (uint32_t c = 0; c < f->share_count; c++)
		if (snapshot_creds(share_list_shown(l)->s)[c].type == row->type)
			sum += f->share[c].percent;
	return sum;
}

static enum role add_sum_cell(const struct share_list *l, const struct share_row *row, bool usage,
			      bool effect, struct str *out)
{
	if (usage)
		formula_fixed(out, percent_of(l, &share_list_shown(l)->plan.queue.shares, row));
	else if (effect && row->kind == SHARE_TYPE)
		return add_weight(share_list_shown(l), row->type, out);
	return row->kind == SHARE_TYPE ? ROLE_SECTION : ROLE_STRONG;
}

static enum role plain_cell(const struct share_list *l, const struct share_row *row, size_t column,
			    struct str *out)
{
	const struct fs_share *share;

	if (column >= COL_WINDOWS)
		return column < COL_WINDOWS + l->windows
			       ? add_amount(l, row, (uint32_t)(column - COL_WINDOWS), out)
			       : ROLE_TEXT;
	if (row->kind != SHARE_CRED)
		return add_sum_cell(l, row, column == COL_USAGE, column == COL_EFFECT, out);
	share = &share_list_live(l)->share[row->cred];
	switch (column) {
	case COL_MARK:
		return add_mark(share, out);
	case COL_TARGET:
		return add_target(share, out);
	case COL_USAGE:
		formula_fixed(out, share->percent);
		return ROLE_TEXT;
	case COL_DELTA:
		return add_delta(share, out);
	default:
		return add_effect(&l->o->live, share, row->type, out);
	}
}

/* What was is dim, what would be and differs stands out. */
static enum role draft_role(enum role role, size_t column, bool after, const struct fs_share *a,
			    const struct fs_share *b)
{
	bool same = column < DRAFT_USAGE    ? a->mode == b->mode && fabs(a->target - b->target) < 0.005
		    : column < DRAFT_EFFECT ? fabs(a->percent - b->percent) < 0.005
					    : fabs(a->delta - b->delta) < 0.005 && a->mode == b->mode;

	return after && !same ? ROLE_DRAFT : after ? role : ROLE_DIM;
}

static enum role draft_cell(const struct share_list *l, const struct share_row *row, size_t column,
			    struct str *out)
{
	static const struct fs_share nothing;
	const struct fairshare *f = share_list_live(l);
	bool after = column == DRAFT_TARGET_AFTER || column == DRAFT_USAGE_AFTER ||
		     column == DRAFT_EFFECT_AFTER || column == DRAFT_MARK;
	const struct fs_share *before, *then, *share;
	enum role role;

	if (row->kind != SHARE_CRED)
		return add_sum_cell(l, row, column == DRAFT_USAGE_AFTER, column == DRAFT_EFFECT_AFTER, out);
	before = row->cred < f->share_count ? &f->share[row->cred] : &nothing;
	then = &share_list_shown(l)->plan.queue.shares.share[row->cred];
	share = after ? then : before;
	switch (column) {
	case DRAFT_MARK:
		return add_mark(share, out);
	case DRAFT_TARGET:
	case DRAFT_TARGET_AFTER:
		role = add_target(share, out);
		break;
	case DRAFT_USAGE:
	case DRAFT_USAGE_AFTER:
		formula_fixed(out, share->percent);
		role = ROLE_TEXT;
		break;
	default:
		role = add_effect(after ? &l->o->draft : &l->o->live, share, row->type, out);
	}
	return draft_role(role, column, after, before, then);
}

enum role share_cell(void *self, size_t at, size_t column, struct str *out)
{
	const struct share_list *l = self;
	const struct share_row *row = &l->row[at];

	if (column == COL_CRED)
		return add_name(l, row, out);
	return l->comparing ? draft_cell(l, row, column, out) : plain_cell(l, row, column, out);
}
