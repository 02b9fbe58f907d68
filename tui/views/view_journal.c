/* SPDX-License-Identifier: MIT */
/*
 * view_journal.c - who did what, and what can be taken back?
 *
 * The newest entry is on top. u drafts the undoing of the entry under the cursor; Enter
 * opens its job.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "journal.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/core/undo.h"
#include "view.h"

enum column {
	COL_SEQ,
	COL_TIME,
	COL_WHO,
	COL_WHAT,
	COL_UNDO,
	COL_COUNT
};

static const struct table_column columns[COL_COUNT] = {
	[COL_SEQ] = {.title = "SEQ", .min = 7, .align = TEXT_RIGHT},
	[COL_TIME] = {.title = "TIME", .min = 11},
	[COL_WHO] = {.title = "WHO", .min = 8, .max = 12},
	[COL_WHAT] = {.title = "WHAT", .min = 20, .flexible = true},
	[COL_UNDO] = {.title = "UNDO", .min = 11},
};

struct journal_view {
	struct console *c;
	struct table table;
	struct journal journal;
	bool all;
	size_t *row; /* positions in the journal, newest first */
	size_t rows, cap;
	struct err err; /* why it could not be read */
};

static const struct journal_entry *entry_at(const struct journal_view *v, size_t row)
{
	return &v->journal.entry[v->row[row]];
}

/* What became of an operator's change; "" for other entries. */
static const char *undo_word(const struct snapshot *s, const struct journal_entry *e)
{
	enum undo_bar bar = undo_bar_of(s, e->seq);

	if (!event_can_undo(e->kind))
		return "";
	if (bar == UNDO_DONE)
		return role_info(ROLE_EVENT_UNDONE)->mark;
	return bar == UNDO_OPEN ? "u undoes it" : undo_bar_text(bar);
}

static enum role entry_role(const struct snapshot *s, const struct journal_entry *e)
{
	const struct change *change = event_can_undo(e->kind) ? state_find_change(s, e->seq) : NULL;

	if (change && change->dead)
		return ROLE_EVENT_UNDONE;
	if (event_can_undo(e->kind) || e->kind == EVENT_UNDO)
		return ROLE_EVENT_OPERATOR;
	return e->kind == EVENT_SUBMIT || e->kind == EVENT_END ? ROLE_EVENT_JOB : ROLE_EVENT_SCHEDULER;
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct journal_view *v = self;
	const struct journal_entry *e = entry_at(v, row);
	const struct outlook *o = console_outlook(v->c);
	char when[MOMENT_TEXT];

	switch (column) {
	case COL_SEQ:
		str_addf(out, "%" PRIu64, e->seq);
		return ROLE_DIM;
	case COL_TIME:
		str_add(out, moment_short(when, e->time_s, o->now_s));
		return ROLE_TEXT;
	case COL_WHO:
		str_add(out, e->who);
		return ROLE_TEXT;
	case COL_WHAT:
		str_add(out, e->what);
		return entry_role(o->live.s, e);
	default:
		str_add(out, undo_word(o->live.s, e));
		return ROLE_DIM;
	}
}

static uint64_t key(void *self, size_t row)
{
	return entry_at(self, row)->seq;
}

static bool passes(const struct journal_entry *e, const struct filter *filter)
{
	char seq[24], job[24];
	const struct field field[] = {
		{"who", e->who}, {"user", e->who}, {"what", e->what}, {"kind", event_kind_name(e->kind)},
		{"job", job},    {"seq", seq},
	};

	if (filter->count == 0)
		return true;
	snprintf(seq, sizeof seq, "%" PRIu64, e->seq);
	snprintf(job, sizeof job, "%" PRIu64, e->job);
	return filter_match(filter, field, sizeof field / sizeof field[0]);
}

static bool match(void *self, size_t row)
{
	const struct journal_view *v = self;

	return passes(entry_at(v, row), console_search(v->c));
}

static void journal_view_open(void *self, struct console *c)
{
	struct journal_view *v = self;

	v->c = c;
	table_init(&v->table, columns, COL_COUNT);
}

static void journal_view_close(void *self)
{
	struct journal_view *v = self;

	table_free(&v->table);
	journal_clear(&v->journal);
	free(v->row);
}

static void journal_view_enter(void *self)
{
	table_home(&((struct journal_view *)self)->table);
}

/* Acting keys are for the job of the entry, when it is still there. */
static void follow_job(const struct journal_view *v)
{
	const struct table *t = &v->table;
	uint64_t job = t->cursor == TABLE_NO_ROW ? 0 : entry_at(v, t->cursor)->job;

	if (job && forecast_job(&console_outlook(v->c)->live, job, NULL))
		console_go_job(v->c, job);
}

static void journal_view_recalc(void *self)
{
	struct journal_view *v = self;
	struct table_source source = {.self = v, .key = key, .cell = cell};
	bool was_on_top = v->table.cursor == 0;

	v->err.text[0] = '\0';
	journal_follow(&v->journal, console_store(v->c), (struct journal_filter){.quiet = v->all}, &v->err);
	v->rows = 0;
	for (size_t i = v->journal.count; i-- > 0;) {
		if (!passes(&v->journal.entry[i], console_filter(v->c)))
			continue;
		v->row = vec_room(v->row, &v->cap, v->rows + 1, sizeof *v->row);
		v->row[v->rows++] = i;
	}
	source.rows = v->rows;
	table_update(&v->table, &source);
	if (was_on_top)
		table_home(&v->table);
}

static void put_detail(const struct journal_view *v, struct canvas *canvas, struct rect r)
{
	const struct journal_entry *e = v->table.cursor == TABLE_NO_ROW ? NULL : entry_at(v, v->table.cursor);
	char when[MOMENT_TEXT];

	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	if (e)
		canvas_putf(canvas, r, 1, 1, ROLE_TEXT, "%" PRIu64 "  %s  %s: %s", e->seq,
			    moment_iso(when, e->time_s), e->who, e->what);
	else if (v->err.text[0])
		canvas_put(canvas, r, 1, 1, ROLE_ERROR, v->err.text);
	else
		canvas_put(canvas, r, 1, 1, ROLE_DIM,
			   console_store(v->c) ? "No entry matches." : "This session keeps no journal.");
}

static void journal_view_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct journal_view *v = self;
	struct rect detail = rect_take_bottom(&r, 2);

	table_draw(&v->table, canvas, r);
	put_detail(v, canvas, detail);
}

static void undo_entry(const struct journal_view *v)
{
	const struct journal_entry *e = v->table.cursor == TABLE_NO_ROW ? NULL : entry_at(v, v->table.cursor);
	char line[48];

	if (!e || (!event_can_undo(e->kind) && e->kind != EVENT_UNDO)) {
		console_say(v->c, ROLE_MESSAGE,
			    "Only what an operator changed can be undone: holds, priorities, settings.");
		return;
	}
	snprintf(line, sizeof line, "undo %" PRIu64, e->seq);
	console_propose(v->c, line);
}

static bool journal_view_act(void *self, enum action action, int arg)
{
	struct journal_view *v = self;

	(void)arg;
	if (action_row(action)->set == SET_ACTING)
		follow_job(v);
	switch (action) {
	case ACTION_UNDO:
		undo_entry(v);
		return true;
	case ACTION_ALL_ENTRIES:
		v->all = !v->all;
		console_recalc(v->c);
		return true;
	default:
		return false;
	}
}

static struct table *journal_view_table(void *self)
{
	return &((struct journal_view *)self)->table;
}

static void journal_view_status(void *self, struct str *out)
{
	const struct journal_view *v = self;

	str_addf(out, "%zu entries, %s", v->rows,
		 v->all ? "all kinds (f: fewer)" : "without plans, queue time and bypass counts (f: all)");
}

static const enum action hints[] = {
	ACTION_UNDO, ACTION_OPEN, ACTION_ALL_ENTRIES, ACTION_FILTER, ACTION_SEARCH, ACTION_BACK, ACTION_NONE,
};

const struct view_ops view_journal = {
	.name = "journal",
	.title = "Journal",
	.number = 8,
	.size = sizeof(struct journal_view),
	.hints = hints,
	.open = journal_view_open,
	.close = journal_view_close,
	.enter = journal_view_enter,
	.recalc = journal_view_recalc,
	.draw = journal_view_draw,
	.act = journal_view_act,
	.table = journal_view_table,
	.match = match,
	.status = journal_view_status,
};
