/* SPDX-License-Identifier: MIT */
/*
 * limit_cells.c - columns and cells of the list of limits
 */
#include "limit_cells.h"

#include <inttypes.h>

#include "sched/base/str.h"

#define NEAR_PCT 80 /* of the soft value: from here on a limit is near */
#define OVER_PCT 100

/* The first two are the same with a draft. */
enum column {
	COL_OWNER,
	COL_LIMIT,
	COL_USED,
	COL_SOFT,
	COL_HARD,
	COL_METER = LIMIT_METER,
	COL_PERCENT,
	COL_MARK,
	COL_HELD
};

/* Columns of a draft. */
enum draft_column {
	DRAFT_OWNER,
	DRAFT_LIMIT,
	DRAFT_USED,
	DRAFT_SOFT,
	DRAFT_SOFT_AFTER,
	DRAFT_HARD,
	DRAFT_HARD_AFTER,
	DRAFT_HELD,
	DRAFT_HELD_AFTER
};

const struct table_column limit_columns[LIMIT_COLUMNS] = {
	[COL_OWNER] = {.title = "CREDENTIAL", .min = 10, .max = 18},
	[COL_LIMIT] = {.title = "LIMIT", .min = 20, .max = 26},
	[COL_USED] = {.title = "IN USE", .min = 8, .max = 10, .align = TEXT_RIGHT},
	[COL_SOFT] = {.title = "SOFT", .min = 8, .max = 10, .align = TEXT_RIGHT},
	[COL_HARD] = {.title = "HARD", .min = 8, .max = 10, .align = TEXT_RIGHT, .drop = 1},
	[COL_METER] = {.title = "OF SOFT", .min = 12, .max = 22, .drop = 3},
	[COL_PERCENT] = {.title = "", .min = 5, .align = TEXT_RIGHT, .drop = 2},
	[COL_MARK] = {.title = "", .min = 2},
	[COL_HELD] = {.title = "HOLDS", .min = 5, .max = 8, .align = TEXT_RIGHT},
};

const struct table_column limit_draft_columns[LIMIT_COLUMNS] = {
	[DRAFT_OWNER] = {.title = "CREDENTIAL", .min = 10, .max = 20},
	[DRAFT_LIMIT] = {.title = "LIMIT", .min = 14, .max = 28},
	[DRAFT_USED] = {.title = "IN USE", .min = 7, .max = 10, .align = TEXT_RIGHT, .drop = 1},
	[DRAFT_SOFT] = {.title = "SOFT", .min = 7, .max = 10, .align = TEXT_RIGHT},
	[DRAFT_SOFT_AFTER] = {.title = "AFTER", .min = 7, .max = 10, .align = TEXT_RIGHT},
	[DRAFT_HARD] = {.title = "HARD", .min = 7, .max = 10, .align = TEXT_RIGHT, .drop = 2},
	[DRAFT_HARD_AFTER] = {.title = "AFTER", .min = 7, .max = 10, .align = TEXT_RIGHT, .drop = 3},
	[DRAFT_HELD] = {.title = "HOLDS", .min = 5, .max = 8, .align = TEXT_RIGHT},
	[DRAFT_HELD_AFTER] = {.title = "AFTER", .min = 5, .max = 8, .align = TEXT_RIGHT},
};

bool limit_is_near(const struct limit_row *row)
{
	return limit_row_percent(row) >= NEAR_PCT || row->holds_back > 0;
}

bool limit_is_over(const struct limit_row *row)
{
	return limit_row_percent(row) >= OVER_PCT || row->holds_back > 0;
}

static void add_amount(int64_t amount, struct str *out)
{
	if (amount == LIMIT_UNLIMITED)
		str_add_char(out, '-');
	else
		str_addf(out, "%" PRId64, amount);
}

static enum role add_owner(const struct snapshot *s, const struct limit_row *row, struct str *out)
{
	const char *name = limit_row_owner(s, row);

	str_addf(out, "%s%s%s", limit_row_owner_type(s, row), name ? " " : "", name ? name : "");
	return ROLE_TEXT;
}

static enum role add_name(const struct snapshot *s, const struct limit_row *row, struct str *out)
{
	limit_row_add_name(s, row, out);
	if (limit_row_is_override(row))
		str_add(out, " (override)");
	else if (row->scope == LIMIT_CLASS)
		str_add(out, " a job");
	return ROLE_TEXT;
}

static enum role use_role(const struct limit_row *row)
{
	return limit_is_over(row) ? ROLE_LIMIT_OVER : limit_is_near(row) ? ROLE_LIMIT_NEAR : ROLE_TEXT;
}

static enum role add_held(const struct limit_row *row, struct str *out)
{
	str_addf(out, "%" PRIu32, row->holds_back);
	return row->holds_back > 0 ? ROLE_STRONG : ROLE_DIM;
}

static enum role plain_cell(const struct limit_row *row, size_t column, struct str *out)
{
	switch (column) {
	case COL_USED:
		add_amount(row->used, out);
		return ROLE_STRONG;
	case COL_SOFT:
		add_amount(row->soft, out);
		return ROLE_TEXT;
	case COL_HARD:
		add_amount(row->hard, out);
		return row->hard == row->soft ? ROLE_DIM : ROLE_TEXT;
	case COL_PERCENT:
		if (row->soft != LIMIT_UNLIMITED)
			str_addf(out, "%.0f%%", limit_row_percent(row));
		return use_role(row);
	case COL_MARK:
		str_add(out, role_info(use_role(row))->mark);
		return use_role(row);
	case COL_HELD:
		return add_held(row, out);
	default:
		return ROLE_TEXT;
	}
}

static enum role after_role(int64_t before, int64_t after)
{
	return before == after ? ROLE_DIM : ROLE_DRAFT;
}

static enum role changed_cell(const struct limit_list *live, const struct limit_row *row, size_t column,
			      struct str *out)
{
	size_t at = limit_list_find_row(live, row);
	struct limit_row before = {.soft = LIMIT_UNLIMITED, .hard = LIMIT_UNLIMITED};

	if (at < live->count)
		before = live->row[at];
	switch (column) {
	case DRAFT_USED:
		add_amount(row->used, out);
		return ROLE_TEXT;
	case DRAFT_SOFT:
		add_amount(before.soft, out);
		return ROLE_DIM;
	case DRAFT_SOFT_AFTER:
		add_amount(row->soft, out);
		return after_role(before.soft, row->soft);
	case DRAFT_HARD:
		add_amount(before.hard, out);
		return ROLE_DIM;
	case DRAFT_HARD_AFTER:
		add_amount(row->hard, out);
		return after_role(before.hard, row->hard);
	case DRAFT_HELD:
		(void)add_held(&before, out);
		return ROLE_DIM;
	default:
		(void)add_held(row, out);
		return after_role(before.holds_back, row->holds_back);
	}
}

static enum role naming_cell(const struct snapshot *s, const struct limit_row *row, size_t column,
			     struct str *out)
{
	return column == COL_OWNER ? add_owner(s, row, out) : add_name(s, row, out);
}

enum role limit_cell(const struct snapshot *s, const struct limit_row *row, size_t column, struct str *out)
{
	return column <= COL_LIMIT ? naming_cell(s, row, column, out) : plain_cell(row, column, out);
}

enum role limit_draft_cell(const struct snapshot *s, const struct limit_row *row,
			   const struct limit_list *live, size_t column, struct str *out)
{
	return column <= COL_LIMIT ? naming_cell(s, row, column, out) : changed_cell(live, row, column, out);
}
