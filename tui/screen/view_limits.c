/* SPDX-License-Identifier: MIT */
/*
 * view_limits.c - Limits screen: throttling limits, their usage, and the jobs they block
 *
 * The list shows all limits; those that block the most jobs come first. Below the list are details of the
 * limit under the cursor: the jobs that count against it, the forecast of its usage, and the blocked jobs.
 * Edits are added to the draft; the list then shows limits and numbers of blocked jobs before and after.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "finding_lines.h"
#include "limit_page.h"
#include "page.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "tui/draw/meter.h"
#include "tui/draw/table.h"
#include "tui/report/limit_report.h"
#include "view.h"

#define LIMIT_METER 5 /* column in which a meter is drawn */

#define LIMIT_COLUMNS ((size_t)9) /* number of columns, with and without a draft */

/* --- columns and cells -------------------------------------------------------------------------------- */

#define NEAR_PCT 80 /* percent of the soft limit from which a limit counts as nearly reached */

#define OVER_PCT 100

/* Columns without a draft. The first two are the same with a draft. */
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

/* Columns with a draft. */
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

static const struct table_column limit_columns[LIMIT_COLUMNS] = {
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

static const struct table_column limit_draft_columns[LIMIT_COLUMNS] = {
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

/* Is the limit reached or nearly reached, or does it block a job? */
static bool limit_is_near(const struct limit_row *row)
{
	return limit_row_percent(row) >= NEAR_PCT || row->holds_back > 0;
}

static bool limit_is_over(const struct limit_row *row)
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

/* Writes a cell of the list without a draft. s is the state to which the row belongs. */
static enum role limit_cell(const struct snapshot *s, const struct limit_row *row, size_t column,
			    struct str *out)
{
	return column <= COL_LIMIT ? naming_cell(s, row, column, out) : plain_cell(row, column, out);
}

/* Writes a cell of the list with a draft. row belongs to the draft; live contains the live limits. */
static enum role limit_draft_cell(const struct snapshot *s, const struct limit_row *row,
				  const struct limit_list *live, size_t column, struct str *out)
{
	return column <= COL_LIMIT ? naming_cell(s, row, column, out) : changed_cell(live, row, column, out);
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define PAGE_H 7 /* preferred height of the details */

#define LIST_H 7 /* minimum height of the list */

/* Which limits are shown. */
enum part {
	PART_ALL,
	PART_NEAR,
	PART_OVER,
	PART_COUNT
};

struct limits_view {
	struct screen_host *host;
	const struct plan_query *o; /* source of the rows; NULL before the first update */
	const struct lint_cache *lint_cache;
	bool comparing; /* the columns compare live and draft */
	enum part part;
	struct limit_list live, draft;
	size_t *row; /* indices in the live limits or, if comparing, in those of the draft */
	size_t rows, room;
	struct table table;
	struct page page;
	struct str asked; /* option for which a value is entered */
};

static const struct forecast *shown(const struct limits_view *v)
{
	return v->comparing ? &v->o->draft : &v->o->live;
}

static const struct limit_row *limit_at(const struct limits_view *v, size_t row)
{
	return &(v->comparing ? &v->draft : &v->live)->row[v->row[row]];
}

static const struct limit_row *at_cursor(const struct limits_view *v)
{
	return v->table.cursor == TABLE_NO_ROW ? NULL : limit_at(v, v->table.cursor);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static bool passes(const struct limits_view *v, const struct limit_row *row, const struct filter *filter)
{
	const struct snapshot *s = shown(v)->s;
	struct str name = {0};
	bool passed;

	if (filter->count == 0)
		return true;
	limit_row_add_name(s, row, &name);
	passed = filter_match(filter,
			      (const struct named_text[]){
				      {limit_row_owner_type(s, row), limit_row_owner(s, row)},
				      {"name", limit_row_owner(s, row)},
				      {"type", limit_row_owner_type(s, row)},
				      {"limit", str_text(&name)},
			      },
			      4);
	str_free(&name);
	return passed;
}

static void find_rows(struct limits_view *v)
{
	const struct limit_list *list = v->comparing ? &v->draft : &v->live;

	v->rows = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct limit_row *row = &list->row[i];

		if ((v->part == PART_NEAR && !limit_is_near(row)) ||
		    (v->part == PART_OVER && !limit_is_over(row)) ||
		    !passes(v, row, v->host->ops->filter(v->host->console)))
			continue;
		v->row = vec_room(v->row, &v->room, v->rows + 1, sizeof *v->row);
		v->row[v->rows++] = i;
	}
}

/* Returns a number of 62 bits that identifies the limit: owner, second credential, scope and kind. */
static uint64_t key(void *self, size_t row)
{
	const struct limit_row *limit = limit_at(self, row);
	uint64_t owner = (limit->cred + UINT32_C(1)) & 0xfffffff;
	uint64_t second = limit->second != INDEX_NONE ? (uint64_t)limit->second + CRED_TYPE_COUNT + 1
						      : limit->second_type;

	return owner << 34 | (second & 0xfffffff) << 6 | (uint64_t)limit->scope << 3 | limit->kind;
}

static enum role cell(void *self, size_t at, size_t column, struct str *out)
{
	const struct limits_view *v = self;
	const struct limit_row *row = limit_at(v, at);

	if (!v->comparing)
		return limit_cell(shown(v)->s, row, column, out);
	return limit_draft_cell(shown(v)->s, row, &v->live, column, out);
}

/* --- opening and closing ------------------------------------------------------------------------------ */

static void limits_open(void *self, struct screen_host *host)
{
	struct limits_view *v = self;

	v->host = host;
	table_init(&v->table, limit_columns, LIMIT_COLUMNS);
}

static void limits_close(void *self)
{
	struct limits_view *v = self;

	table_free(&v->table);
	limit_list_free(&v->live);
	limit_list_free(&v->draft);
	page_free(&v->page);
	str_free(&v->asked);
	free(v->row);
}

static void limits_recalc(void *self)
{
	struct limits_view *v = self;
	struct table_source source = {.self = v, .key = key, .cell = cell};
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);

	v->o = o;
	v->lint_cache = v->host->ops->lint_cache(v->host->console);
	v->comparing = o->draft.s != NULL;
	v->table.column = v->comparing ? limit_draft_columns : limit_columns;
	v->table.columns = LIMIT_COLUMNS;
	limit_list_build(&v->live, o->live.s, &o->live.plan);
	if (v->comparing)
		limit_list_build(&v->draft, o->draft.s, &o->draft.plan);
	find_rows(v);
	source.rows = v->rows;
	table_update(&v->table, &source);
}

/* --- drawing ------------------------------------------------------------------------------------------ */

static void put_meters(const struct limits_view *v, struct canvas *canvas, struct rect r)
{
	const struct table *t = &v->table;
	int x = TABLE_GUTTER;

	for (size_t i = 0; i < LIMIT_METER; i++)
		x += t->width[i] ? t->width[i] + 1 : 0;
	for (int y = 0; y < t->body && t->width[LIMIT_METER] > 0; y++) {
		size_t row = table_row_at(t, t->body_y + y);
		struct rect line = {r.x + x, t->body_y + y, t->width[LIMIT_METER], 1};
		struct meter meter = {.label = "", .text = "", .total = 100};

		if (row == TABLE_NO_ROW)
			continue;
		meter.part[0] = limit_row_percent(limit_at(v, row));
		meter_draw(canvas, line, 0, &meter);
		if (row == t->cursor)
			canvas_overlay(canvas, line, ROLE_CURSOR);
	}
}

/* Returns a sentence that says why the list is empty, and how to change that. */
static const char *why_empty(const struct limits_view *v)
{
	static const char *const parts[PART_COUNT] = {
		[PART_ALL] = "No matching limits; <Esc> clears the filter.",
		[PART_NEAR] = "No limit is nearly reached; f shows reached limits, then all.",
		[PART_OVER] = "No limit is reached or blocks jobs; f shows all limits.",
	};

	if ((v->comparing ? &v->draft : &v->live)->count == 0)
		return "No limits are set. To set one, enter :tune user[DEFAULT].maxjob 4";
	return v->host->ops->filter(v->host->console)->count > 0 ? parts[PART_ALL] : parts[v->part];
}

static void put_list(struct limits_view *v, struct canvas *canvas, struct rect r)
{
	struct page none = {0};

	if (v->rows == 0) {
		page_line(&none);
		page_wrap(&none, ROLE_DIM, 1, r.w - 2, why_empty(v));
		page_draw(&none, canvas, r);
		page_free(&none);
		return;
	}
	table_draw(&v->table, canvas, r);
	if (!v->comparing)
		put_meters(v, canvas, r);
}

static void put_page(struct limits_view *v, struct canvas *canvas, struct rect r)
{
	const struct limit_row *row = at_cursor(v);

	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	page_clear(&v->page);
	if (row)
		limit_page_row(&v->page, shown(v), row, v->host->ops->headroom(v->host->console, row), r.w);
	page_draw(&v->page, canvas, r);
}

/*
 * Returns the height of the details, at most PAGE_H + 1, that leaves at least LIST_H lines for the list; 0 if
 * there is too little room.
 */
static int page_height(int height)
{
	int left = height - LIST_H;

	return left < 3 ? 0 : left < PAGE_H + 1 ? left : PAGE_H + 1;
}

static void limits_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct limits_view *v = self;
	struct rect lint = finding_lines_take(v->lint_cache, SUBJECT_LIMITS, &r);

	finding_lines_put(v->lint_cache, SUBJECT_LIMITS, canvas, lint);
	put_page(v, canvas, rect_take_bottom(&r, page_height(r.h)));
	put_list(v, canvas, r);
}

static void limits_numbers(void *self, struct figures *out)
{
	const struct limits_view *v = self;
	const struct limit_row *row = at_cursor(v);
	size_t before;

	if (!row) {
		figure_say(out, "No limit under the cursor.");
	} else if (!v->o->draft.s) {
		limit_figures(out, shown(v), row);
	} else {
		before = limit_list_find_row(&v->live, row);
		limit_figures_draft(out, shown(v), row, before < v->live.count ? &v->live.row[before] : NULL);
	}
}

/* --- keys --------------------------------------------------------------------------------------------- */

static void value_typed(void *self, const char *text)
{
	const struct limits_view *v = self;

	if (text[0])
		(void)v->host->ops->propose_tune(v->host->console, str_text(&v->asked), text);
}

static void edit(struct limits_view *v)
{
	const struct limit_row *row = at_cursor(v);
	struct str sign = {0}, value = {0};

	str_clear(&v->asked);
	limit_row_add_option(shown(v)->s, row, &v->asked);
	str_addf(&sign, "%s%s", str_text(&v->asked), limit_row_is_per_job(row) ? ": " : " (soft,hard): ");
	limit_row_add_value(row, &value);
	v->host->ops->ask(v->host->console, str_text(&sign), str_text(&value), value_typed, v);
	str_free(&sign);
	str_free(&value);
}

static void show_held(struct limits_view *v)
{
	const struct limit_row *row = at_cursor(v);
	struct str label = {0};

	limit_row_add_label(shown(v)->s, row, &label);
	if (row->holds_back > 0)
		v->host->ops->show_jobs(v->host->console, "limit", str_text(&label));
	else
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "This limit blocks no jobs.");
	str_free(&label);
}

static bool limits_act(void *self, enum action action, int arg)
{
	struct limits_view *v = self;

	(void)arg;
	if (!at_cursor(v) && (action == ACTION_EDIT || action == ACTION_OPEN)) {
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "No limit under the cursor.");
		return true;
	}
	switch (action) {
	case ACTION_EDIT:
		edit(v);
		return true;
	case ACTION_OPEN:
		show_held(v);
		return true;
	case ACTION_PART:
		v->part = (v->part + 1) % PART_COUNT;
		v->host->ops->recalc(v->host->console);
		return true;
	default:
		return false;
	}
}

static struct table *limits_table(void *self)
{
	return &((struct limits_view *)self)->table;
}

static const struct limit_row *limits_limit(void *self)
{
	return at_cursor(self);
}

static bool match(void *self, size_t row)
{
	const struct limits_view *v = self;

	return passes(v, limit_at(v, row), v->host->ops->search(v->host->console));
}

static void limits_status(void *self, struct str *out)
{
	static const char *const parts[PART_COUNT] = {"all", "near (!)", "reached or blocking jobs (!!)"};
	const struct limits_view *v = self;

	if (!v->o)
		return;
	str_addf(out, "%zu of %zu limits: %s (f)   ", v->rows, (v->comparing ? &v->draft : &v->live)->count,
		 parts[v->part]);
	str_addf(out, "hardpass: %s   ",
		 v->o->live.s->policy.hard_pass == HARD_IDLEONLY ? "idleonly" : "resources");
	finding_lines_count(v->lint_cache, SEVERITY_WARNING, out);
}

static const enum action hints[] = {
	ACTION_OPEN, ACTION_EDIT,   ACTION_PART, ACTION_NUMBERS,
	ACTION_UNDO, ACTION_FILTER, ACTION_BACK, ACTION_NONE,
};

const struct view_ops view_limits = {
	.name = "limits",
	.names = "name type limit user group account qos class",
	.title = "Limits",
	.number = 6,
	.size = sizeof(struct limits_view),
	.no_job = true,
	.hints = hints,
	.open = limits_open,
	.close = limits_close,
	.recalc = limits_recalc,
	.draw = limits_draw,
	.act = limits_act,
	.table = limits_table,
	.match = match,
	.status = limits_status,
	.numbers = limits_numbers,
	.limit = limits_limit,
};
