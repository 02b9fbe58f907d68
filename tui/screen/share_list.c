/* SPDX-License-Identifier: MIT */
/* share_list.c - list of fairshare usage per credential and window, with targets */
#include "share_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/base/vec.h"
#include "tui/draw/meter.h"
#include "tui/report/figure.h"
#include "tui/report/report.h"
#include "tui/report/shares.h"
#include "view.h"

/* Columns of the list without a draft; the windows follow. */
enum column {
	COL_CRED,
	COL_MARK,
	COL_TARGET,
	COL_USAGE,
	COL_DELTA,
	COL_EFFECT,
	COL_WINDOWS = SHARE_PLAIN
};

/* Columns of the list with a draft. */
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

/* --- columns ------------------------------------------------------------------------------------------ */

/* Sets the column of window i. Its title is the number and the weight of the window: "w1*0.5". */
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

/* Sets up the table, except for the columns of the windows. */
static void share_init_columns(struct share_list *l)
{
	table_init(&l->table, draft_columns, DRAFT_COUNT);
	for (size_t i = 0; i < SHARE_PLAIN; i++)
		l->column[i] = plain_columns[i];
}

/* Sets l->comparing, and the columns for the list with or without a draft. */
static void share_set_columns(struct share_list *l)
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

static const char *share_cred_name(const struct share_list *l, uint32_t cred)
{
	const struct snapshot *s = share_list_shown(l)->s;

	return snapshot_string(s, snapshot_creds(s)[cred].name);
}

/* --- cells -------------------------------------------------------------------------------------------- */

/*
 * Writes the name of a row: "TOTAL", "- USER" (expanded), "+ GROUP" (collapsed), or the name of a credential.
 */
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

/*
 * Writes the effect of a cap. Jobs can be blocked while the usage is still below the cap, if they would
 * exceed it.
 */
static enum role add_cap(const struct forecast *f, const struct fs_share *share, struct str *out)
{
	uint32_t held;

	if (shares_cap_is_reached(share)) {
		str_add(out, "CAP: blocked");
		return ROLE_LIMIT_OVER;
	}
	(void)shares_waiting(f, share->cred, &held);
	if (held > 0)
		str_addf(out, "cap blocks %" PRIu32, held);
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

/*
 * Writes the priority points per percentage point off the target: "1000/point" ("/ratio" if FSPOLICY has a
 * percent sign). With weight 0, targets of this type have no effect (requirement F-31).
 */
static enum role add_weight(const struct forecast *f, enum cred_type type, struct str *out)
{
	const struct prio_weights *w = &f->s->policy.weights;
	double weight = w->component[PRIO_FS] * w->factor[PRIO_FS_USER + (enum prio_factor)type];

	if (weight == 0) {
		str_add(out, "weight 0");
		return has_targets(f, type) ? ROLE_WARNING : ROLE_DIM;
	}
	formula_number(out, weight);
	str_add(out, fs_is_percent((enum fs_policy)f->s->policy.fs_policy) ? "/ratio" : "/point");
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

/* Returns the usage in the row of the total or of a type of credential, in percent of all usage. */
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

/*
 * Returns the role of a cell: live values are dim, values of the draft that differ from them are highlighted.
 */
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

/* Writes the cell of a row; callback of the table, whose `self` is the list. */
static enum role share_cell(void *self, size_t at, size_t column, struct str *out)
{
	const struct share_list *l = self;
	const struct share_row *row = &l->row[at];

	if (column == COL_CRED)
		return add_name(l, row, out);
	return l->comparing ? draft_cell(l, row, column, out) : plain_cell(l, row, column, out);
}

static const struct fairshare *shown(const struct share_list *l)
{
	return &share_list_shown(l)->plan.queue.shares;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void add_row(struct share_list *l, struct share_row row)
{
	l->row = vec_room(l->row, &l->room, l->rows + 1, sizeof *l->row);
	l->row[l->rows++] = row;
}

static bool passes(const struct share_list *l, uint32_t cred, const struct filter *filter)
{
	const struct cred *c = &snapshot_creds(share_list_shown(l)->s)[cred];
	const struct named_text field[] = {
		{cred_type_name((enum cred_type)c->type), share_cred_name(l, cred)},
		{"name", share_cred_name(l, cred)},
		{"type", cred_type_name((enum cred_type)c->type)},
	};

	return filter_match(filter, field, sizeof field / sizeof field[0]);
}

/* Compares credentials by usage, for sorting the largest first. */
static int compare_rows(const void *a, const void *b, void *self)
{
	const struct fairshare *f = shown(self);
	uint32_t x = ((const struct share_row *)a)->cred, y = ((const struct share_row *)b)->cred;
	double used_x = f->share[x].usage, used_y = f->share[y].usage;

	if (used_x > used_y || used_x < used_y)
		return used_x > used_y ? -1 : 1;
	return (x > y) - (x < y);
}

/* With a filter, all types are expanded, so that every matching credential is visible. */
bool share_list_is_open(const struct share_list *l, enum cred_type type)
{
	return l->open[type] || filter_text(l->host->ops->filter(l->host->console))[0] != '\0';
}

static void add_type(struct share_list *l, enum cred_type type)
{
	const struct fairshare *f = shown(l);
	const struct cred *creds = snapshot_creds(share_list_shown(l)->s);
	size_t heading = l->rows;

	add_row(l, (struct share_row){.kind = SHARE_TYPE, .type = type});
	for (uint32_t c = 0; c < f->share_count; c++)
		if (creds[c].type == type && shares_is_shown(&f->share[c]) &&
		    passes(l, c, l->host->ops->filter(l->host->console)))
			add_row(l, (struct share_row){.kind = SHARE_CRED, .type = type, .cred = c});
	if (l->rows == heading + 1)
		l->rows--;
	else if (!share_list_is_open(l, type))
		l->rows = heading + 1;
	else
		qsort_r(l->row + heading + 1, l->rows - heading - 1, sizeof *l->row, compare_rows, l);
}

static void find_rows(struct share_list *l)
{
	l->rows = 0;
	if (shown(l)->off)
		return;
	add_row(l, (struct share_row){.kind = SHARE_TOTAL});
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		add_type(l, type);
}

static uint64_t key_of(const struct share_row *row)
{
	if (row->kind == SHARE_CRED)
		return (uint64_t)row->cred + CRED_TYPE_COUNT + 1;
	return row->kind == SHARE_TYPE ? (uint64_t)row->type + 1 : 0;
}

static uint64_t key(void *self, size_t row)
{
	return key_of(&((const struct share_list *)self)->row[row]);
}

/* --- list --------------------------------------------------------------------------------------------- */

void share_list_open(struct share_list *l, struct screen_host *host)
{
	l->host = host;
	l->open[CRED_USER] = true;
	share_init_columns(l);
}

void share_list_close(struct share_list *l)
{
	table_free(&l->table);
	free(l->row);
}

/* Moves the cursor to the first credential. */
static void place_cursor(struct share_list *l)
{
	for (size_t i = 0; i < l->rows; i++) {
		if (l->row[i].kind != SHARE_CRED)
			continue;
		table_go_row(&l->table, i);
		return;
	}
}

void share_list_update(struct share_list *l, const struct plan_query *o)
{
	struct table_source source = {.self = l, .key = key, .cell = share_cell};
	bool was_empty = l->rows == 0;

	l->o = o;
	share_set_columns(l);
	find_rows(l);
	source.rows = l->rows;
	table_update(&l->table, &source);
	if (was_empty)
		place_cursor(l);
}

/* Draws the usage in all windows as a graph in the last column, the oldest window first. */
static void put_history(const struct share_list *l, struct canvas *canvas, struct rect r)
{
	const struct table *t = &l->table;
	uint32_t depth = share_list_live(l)->depth;
	size_t last = t->columns - 1;
	int x = TABLE_GUTTER;

	for (size_t i = 0; i < last; i++)
		x += t->width[i] ? t->width[i] + 1 : 0;
	for (int y = 0; y < t->body && t->width[last] > 0; y++) {
		size_t row = table_row_at(t, t->body_y + y);
		double value[FS_DEPTH_MAX];

		if (row == TABLE_NO_ROW)
			continue;
		for (uint32_t i = 0; i < depth; i++)
			value[depth - 1 - i] = (double)share_amount(l, &l->row[row], i);
		meter_spark(canvas, r, x, t->body_y + y - r.y, value, depth, 0);
		if (row == t->cursor)
			canvas_overlay(canvas, (struct rect){r.x + x, t->body_y + y, t->width[last], 1},
				       t->unfocused ? ROLE_CURSOR_OFF : ROLE_CURSOR);
	}
}

void share_list_draw(struct share_list *l, struct canvas *canvas, struct rect r)
{
	table_draw(&l->table, canvas, r);
	if (!l->comparing)
		put_history(l, canvas, r);
}

const struct share_row *share_list_at_cursor(const struct share_list *l)
{
	return l->table.cursor == TABLE_NO_ROW ? NULL : &l->row[l->table.cursor];
}

void share_list_set_open(struct share_list *l, bool open)
{
	const struct share_row *row = share_list_at_cursor(l);

	if (!row || row->kind == SHARE_TOTAL)
		return;
	if (row->kind == SHARE_TYPE)
		l->open[row->type] = open;
	else if (!open)
		table_go(&l->table, key_of(&(struct share_row){.kind = SHARE_TYPE, .type = row->type}));
}

bool share_list_match(void *self, size_t row)
{
	const struct share_list *l = self;

	return l->row[row].kind == SHARE_CRED &&
	       passes(l, l->row[row].cred, l->host->ops->search(l->host->console));
}
