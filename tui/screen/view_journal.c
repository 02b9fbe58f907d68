/* SPDX-License-Identifier: MIT */
/*
 * view_journal.c - Journal screen: entries of the journal, and undo
 *
 * The newest entry comes first. u undoes the entry under the cursor or the marked entries, and U all changes
 * after it; b shows the consequences of the entry. Enter shows the queue as it was after the entry.
 *
 * This file also handles the keys that move through past states, on all screens ([ ] { } ( )). On this
 * screen, the keys move from the cursor, and a time line shows the position. On other screens, they move from
 * the state that is shown.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "sched/state/undo.h"
#include "time_line.h"
#include "tui/query/impact_query.h"
#include "tui/report/impact.h"
#include "view.h"

/* --- details of an entry ------------------------------------------------------------------------------ */

#define INDENT 3

static void put(struct page *p, enum role role, int width, const char *title, const char *text)
{
	struct str line = {0};

	str_addf(&line, "%s: %s", title, text);
	page_wrap(p, role, INDENT, width - INDENT, str_text(&line));
	str_free(&line);
}

static void put_queue(struct page *p, const struct impact *impact, int width)
{
	const char *before = str_text(&impact->before), *after = str_text(&impact->after);
	struct str both = {0};

	if (before[0] == '\0' && after[0] == '\0')
		return;
	if (strcmp(before, after) == 0)
		str_addf(&both, "%s, unchanged", after);
	else
		str_addf(&both, "%s -> %s", before[0] ? before : "no jobs", after[0] ? after : "no jobs");
	put(p, ROLE_TEXT, width, "queue", str_text(&both));
	str_free(&both);
}

/*
 * Writes the consequences of an entry, and the time up to which they are known: the time of the last entry
 * when the replay began.
 */
static void put_whole(struct page *p, const struct consequences *b, int64_t now_s, int width)
{
	char when[MOMENT_TEXT];
	struct str title = {0}, text = {0};

	str_addf(&title, "consequences by %s", wallclock_short(when, b->record.until_s, now_s));
	consequences_print(b, &text);
	put(p, ROLE_TEXT, width, str_text(&title), str_text(&text));
	str_free(&title);
	str_free(&text);
}

static void put_because(struct page *p, struct screen_host *host, uint64_t seq, int width)
{
	bool making;
	const struct consequences_query *h = host->ops->consequences_query(host->console, seq, &making);
	struct str text = {0};

	if (h && !making) {
		put_whole(p, &h->consequences, host->ops->plan_query(host->console)->now_s, width);
		return;
	}
	if (h)
		str_addf(&text, "replaying with and without this entry: %d %%; b stops",
			 consequences_query_percent(h));
	else
		str_add(&text, "press b to replay with and without this entry");
	put(p, ROLE_DIM, width, "consequences", str_text(&text));
	str_free(&text);
}

static void put_found(struct page *p, struct screen_host *host, uint64_t seq, const struct impact *impact,
		      int width)
{
	const char *undo = plan_query_is_past(host->ops->plan_query(host->console))
				   ? NULL
				   : host->ops->undo_now(host->console, seq);

	if (impact->brief.len == 0)
		return;
	put(p, ROLE_TEXT, width, "immediate", str_text(&impact->brief));
	put_queue(p, impact, width);
	if (undo && undo[0])
		put(p, ROLE_TEXT, width, "undo now", undo);
	put_because(p, host, seq, width);
}

static void put_none(struct page *p, struct screen_host *host, const struct err *err)
{
	page_line(p);
	page_at(p, 1);
	if (err->text[0])
		page_add(p, ROLE_ERROR, err->text);
	else
		page_add(p, ROLE_DIM,
			 host->ops->store(host->console) ? "No matching entries."
							 : "No journal is available.");
}

static void put_entry(struct page *p, const struct journal_entry *e, int width)
{
	char when[MOMENT_TEXT];
	struct str text = {0};

	str_addf(&text, "%" PRIu64 "  %s  %s: %s", e->seq, wallclock_iso(when, e->time_s), e->who, e->what);
	page_wrap(p, ROLE_TEXT, 1, width - 1, str_text(&text));
	str_free(&text);
}

/*
 * Writes the details of an entry, width cells wide: the queue before and after, the effect of undoing the
 * entry now, and its consequences, as far as they are known. e is NULL if there is no entry; err then has the
 * reason, if it is an error.
 */
static void journal_detail(struct page *p, struct screen_host *host, const struct journal_entry *e,
			   const struct err *err, int width)
{
	const struct impact *impact = e ? host->ops->impact(host->console, e->seq) : NULL;

	if (!e) {
		put_none(p, host, err);
		return;
	}
	put_entry(p, e, width);
	if (impact)
		put_found(p, host, e->seq, impact, width);
	else if (impact_applies(e->kind) && host->ops->store(host->console))
		put(p, ROLE_DIM, width, "immediate", "reading ...");
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define HOUR_S 3600

/* Heights of the details of an entry. On a low screen, only the entry itself is shown. */
#define DETAIL_H 7

#define SMALL_DETAIL_H 2

#define DETAIL_FROM_H 17 /* height of the screen from which DETAIL_H is used */

#define AROUND 50 /* number of entries above and below the cursor whose effects are requested */

enum column {
	COL_SEQ,
	COL_TIME,
	COL_WHO,
	COL_WHAT,
	COL_EFFECT,
	COL_UNDO,
	COL_COUNT
};

static const struct table_column columns[COL_COUNT] = {
	[COL_SEQ] = {.title = "SEQ", .min = 7, .align = TEXT_RIGHT},
	[COL_TIME] = {.title = "TIME", .min = 11},
	[COL_WHO] = {.title = "WHO", .min = 8, .max = 12},
	[COL_WHAT] = {.title = "WHAT", .min = 20, .max = 80, .flexible = true},
	[COL_EFFECT] = {.title = "EFFECT", .min = 24, .max = 40, .drop = 1},
	[COL_UNDO] = {.title = "UNDO", .min = 11},
};

struct journal_view {
	struct screen_host *host;
	struct table table;
	struct journal journal;
	bool all;
	size_t *row; /* indices in journal.entry of the entries that pass the filter, newest first */
	size_t rows, cap;
	uint64_t place; /* journal entry of the past state to which the cursor was last moved; 0 = none */
	struct page detail;
	struct err err; /* error while reading */
};

static bool is_in_front(const struct journal_view *v)
{
	return v->host->ops->is_in_front(v->host->console, &view_journal);
}

/*
 * Does an entry pass the filter? While another screen is shown, all entries pass, because the filter of that
 * screen is not for entries.
 */
static bool passes(const struct journal_view *v, const struct journal_entry *e)
{
	return !is_in_front(v) || journal_entry_passes(e, v->host->ops->filter(v->host->console));
}

static const struct journal_entry *entry_at(const struct journal_view *v, size_t row)
{
	return &v->journal.entry[v->row[row]];
}

/*
 * Returns the text of column UNDO for a change by an operator: whether it can be undone, was undone, or why
 * it cannot be undone; "" for other entries.
 */
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

/* Is the row the last entry that the shown state includes? */
static bool is_shown(const struct journal_view *v, size_t row)
{
	uint64_t seq = v->host->ops->plan_query(v->host->console)->live.s->seq;

	return entry_at(v, row)->seq <= seq && (row == 0 || entry_at(v, row - 1)->seq > seq);
}

/*
 * Returns the text of column UNDO for a past state, in which nothing can be undone: whether the entry is the
 * one that is shown, or a later one.
 */
static const char *place_word(const struct journal_view *v, size_t row)
{
	if (is_shown(v, row))
		return "shown";
	return entry_at(v, row)->seq > v->host->ops->plan_query(v->host->console)->live.s->seq ? "later" : "";
}

/* Writes the effect of an entry; nothing if it is not known, because the entry is too far from the cursor. */
static enum role add_effect(const struct journal_view *v, const struct journal_entry *e, struct str *out)
{
	const struct impact *impact =
		impact_applies(e->kind) ? v->host->ops->impact(v->host->console, e->seq) : NULL;

	if (impact)
		str_add(out, str_text(&impact->brief));
	return impact && impact->jobs > 0 ? ROLE_TEXT : ROLE_DIM;
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct journal_view *v = self;
	const struct journal_entry *e = entry_at(v, row);
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);
	char when[MOMENT_TEXT];

	switch (column) {
	case COL_EFFECT:
		return add_effect(v, e, out);
	case COL_SEQ:
		str_addf(out, "%" PRIu64, e->seq);
		return ROLE_DIM;
	case COL_TIME:
		str_add(out, wallclock_short(when, e->time_s, o->now_s));
		return ROLE_TEXT;
	case COL_WHO:
		str_add(out, e->who);
		return ROLE_TEXT;
	case COL_WHAT:
		str_add(out, e->what);
		return e->seq > o->live.s->seq && plan_query_is_past(o) ? ROLE_DIM : entry_role(o->live.s, e);
	default:
		str_add(out, plan_query_is_past(o) ? place_word(v, row) : undo_word(o->live.s, e));
		return ROLE_DIM;
	}
}

static uint64_t key(void *self, size_t row)
{
	return entry_at(self, row)->seq;
}

static bool match(void *self, size_t row)
{
	const struct journal_view *v = self;

	return journal_entry_passes(entry_at(v, row), v->host->ops->search(v->host->console));
}

static void journal_view_open(void *self, struct screen_host *host)
{
	struct journal_view *v = self;

	v->host = host;
	table_init(&v->table, columns, COL_COUNT);
}

static void journal_view_close(void *self)
{
	struct journal_view *v = self;

	table_free(&v->table);
	page_free(&v->detail);
	journal_clear(&v->journal);
	free(v->row);
}

static void journal_view_enter(void *self)
{
	struct journal_view *v = self;

	table_home(&v->table);
	v->place = 0;
}

/*
 * Makes the job of the entry under the cursor the current job, if it still exists, for keys that act on jobs.
 */
static void follow_job(const struct journal_view *v)
{
	const struct table *t = &v->table;
	uint64_t job = t->cursor == TABLE_NO_ROW ? 0 : entry_at(v, t->cursor)->job;

	if (job && forecast_job(&v->host->ops->plan_query(v->host->console)->live, job, NULL))
		v->host->ops->go_job(v->host->console, job);
}

/* Moves the cursor to the last entry of the past state, if another past state is shown than before. */
static void go_to_past(struct journal_view *v)
{
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);
	uint64_t place = plan_query_is_past(o) ? o->live.s->seq : 0;
	size_t row = 0;

	if (v->place == place)
		return;
	v->place = place;
	while (place != 0 && row < v->rows && !is_shown(v, row))
		row++;
	if (place != 0 && row < v->rows)
		table_go_row(&v->table, row);
}

/* Reads new entries and, if a past state is shown, older entries back to this state. */
static void read_journal(struct journal_view *v)
{
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);
	struct journal *j = &v->journal;

	v->err.text[0] = '\0';
	journal_follow(j, v->host->ops->store(v->host->console), o->live.s,
		       (struct journal_filter){.quiet = v->all}, &v->err);
	while (plan_query_is_past(o) && j->oldest > o->live.s->seq &&
	       journal_read_older(j, v->host->ops->store(v->host->console), o->live.s, &v->err))
		;
}

static void journal_view_recalc(void *self)
{
	struct journal_view *v = self;
	struct table_source source = {.self = v, .key = key, .cell = cell};
	bool was_on_top = v->table.cursor == 0;

	read_journal(v);
	v->rows = 0;
	for (size_t i = v->journal.count; i-- > 0;) {
		if (!passes(v, &v->journal.entry[i]))
			continue;
		v->row = vec_room(v->row, &v->cap, v->rows + 1, sizeof *v->row);
		v->row[v->rows++] = i;
	}
	source.rows = v->rows;
	table_update(&v->table, &source);
	if (was_on_top && !plan_query_is_past(v->host->ops->plan_query(v->host->console)))
		table_home(&v->table);
	go_to_past(v);
}

static void put_detail(struct journal_view *v, struct canvas *canvas, struct rect r)
{
	size_t cursor = v->table.cursor;

	canvas_rule(canvas, rect_take_top(&r, 1), 0, 0, ROLE_RULE);
	page_clear(&v->detail);
	journal_detail(&v->detail, v->host, cursor == TABLE_NO_ROW ? NULL : entry_at(v, cursor), &v->err,
		       r.w);
	page_draw(&v->detail, canvas, r);
}

static void journal_view_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct journal_view *v = self;
	struct rect detail = rect_take_bottom(&r, r.h < DETAIL_FROM_H ? SMALL_DETAIL_H : DETAIL_H);
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);

	if (plan_query_is_past(o) && r.h > TIME_LINE_H + 4)
		time_line_draw(canvas, rect_take_top(&r, TIME_LINE_H), o->now_s,
			       v->host->ops->now_s(v->host->console));
	table_draw(&v->table, canvas, r);
	put_detail(v, canvas, detail);
}

/* Proposes to undo the marked entries, or the entry under the cursor. */
static void undo_entries(const struct journal_view *v)
{
	const struct journal_entry *e = v->table.cursor == TABLE_NO_ROW ? NULL : entry_at(v, v->table.cursor);
	const struct keyset *marked = &v->table.marked;
	struct str line = {0};

	if (marked->count == 0 && (!e || !event_can_undo(e->kind))) {
		v->host->ops->say(v->host->console, ROLE_MESSAGE,
				  "Only operators' changes can be undone: holds, priorities, settings.");
		return;
	}
	str_add(&line, "undo");
	for (size_t i = 0; i < marked->count; i++)
		str_addf(&line, " %" PRIu64, marked->key[i]);
	if (marked->count == 0)
		str_addf(&line, " %" PRIu64, e->seq);
	(void)v->host->ops->propose(v->host->console, str_text(&line));
	str_free(&line);
}

static void turn_because(const struct journal_view *v)
{
	const struct journal_entry *e = v->table.cursor == TABLE_NO_ROW ? NULL : entry_at(v, v->table.cursor);

	if (e && impact_applies(e->kind))
		v->host->ops->turn_because(v->host->console, e->seq);
	else if (e)
		v->host->ops->say(
			v->host->console, ROLE_MESSAGE,
			"This entry has no separate consequences: it follows from earlier entries.");
}

static void undo_to(const struct journal_view *v)
{
	char line[48];

	if (v->table.cursor == TABLE_NO_ROW)
		return;
	snprintf(line, sizeof line, "undo --to %" PRIu64, entry_at(v, v->table.cursor)->seq);
	(void)v->host->ops->propose(v->host->console, line);
}

/* --- past states -------------------------------------------------------------------------------------- */

/* Shows the state after an entry. If another screen is shown, a message names the entry. */
static void show_entry(const struct journal_view *v, const struct journal_entry *e)
{
	if (!is_in_front(v))
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "After entry %" PRIu64 ", %s: %s.", e->seq,
				  e->who, e->what);
	v->host->ops->show_past(v->host->console, (struct store_moment){.seq = e->seq, .time_s = e->time_s});
}

static void open_entry(const struct journal_view *v)
{
	if (v->table.cursor == TABLE_NO_ROW)
		return;
	if (!plan_query_is_past(v->host->ops->plan_query(v->host->console)) || !is_shown(v, v->table.cursor))
		show_entry(v, entry_at(v, v->table.cursor));
	v->host->ops->go(v->host->console, "queue");
}

/* Reads older entries; false if there are none, or if they cannot be read. */
static bool read_older(struct journal_view *v)
{
	struct err err = {""};

	if (!journal_read_older(&v->journal, v->host->ops->store(v->host->console),
				v->host->ops->plan_query(v->host->console)->live.s, &err)) {
		if (err.text[0])
			v->host->ops->say(v->host->console, ROLE_ERROR, "%s", err.text);
		return false;
	}
	journal_view_recalc(v);
	return true;
}

static void say_end(const struct journal_view *v, bool back)
{
	bool filtered = is_in_front(v) && v->host->ops->filter(v->host->console)->count > 0;
	struct store_moment moment;

	if (!back && !v->host->ops->moment(v->host->console, &moment))
		v->host->ops->show_now(v->host->console);
	else if (back)
		v->host->ops->say(v->host->console, ROLE_MESSAGE,
				  filtered ? "No earlier entry matches the filter; <Esc> clears it."
					   : "This is the first entry of the journal.");
	else
		v->host->ops->say(v->host->console, ROLE_MESSAGE,
				  filtered ? "No later entry matches the filter; L returns to live."
					   : "This is the last entry; L returns to live.");
}

/* Is the entry later than this past state? */
static bool is_later(const struct journal_entry *e, struct store_moment moment)
{
	return moment.seq > 0 ? e->seq > moment.seq : e->time_s > moment.time_s;
}

/* Returns the row of the last entry that the past state includes; v->rows if no such entry has been read. */
static size_t row_of(const struct journal_view *v, struct store_moment moment)
{
	size_t row = 0;

	while (row < v->rows && is_later(entry_at(v, row), moment))
		row++;
	return row;
}

/* Moves the cursor to the last entry that the past state includes, if there is one. */
static void go_to_moment(struct journal_view *v, struct store_moment moment)
{
	while (row_of(v, moment) == v->rows && read_older(v))
		;
	if (row_of(v, moment) < v->rows)
		table_go_row(&v->table, row_of(v, moment));
}

/* Moves the cursor to the last entry of the shown state: a step on another screen starts there. */
static void go_to_shown(struct journal_view *v)
{
	struct store_moment moment;

	if (v->host->ops->moment(v->host->console, &moment))
		go_to_moment(v, moment);
	else
		table_home(&v->table);
}

/*
 * Shows the state that is `rows` entries earlier (rows > 0) or later (rows < 0). Earlier entries are further
 * down.
 */
static void step(struct journal_view *v, int rows)
{
	size_t row;

	if (!is_in_front(v))
		go_to_shown(v);
	row = v->table.cursor;
	if (row == TABLE_NO_ROW) {
		v->host->ops->say(v->host->console, ROLE_MESSAGE,
				  v->host->ops->store(v->host->console) ? "No entry under the cursor."
									: "No journal is available.");
		return;
	}
	while (rows > 0 && row + (size_t)rows >= v->rows && read_older(v))
		;
	if (rows > 0 ? row + 1 >= v->rows : row == 0) {
		say_end(v, rows > 0);
		return;
	}
	if (rows > 0)
		row = row + (size_t)rows < v->rows ? row + (size_t)rows : v->rows - 1;
	else
		row = row > (size_t)-rows ? row - (size_t)-rows : 0;
	table_go_row(&v->table, row);
	show_entry(v, entry_at(v, row));
}

static void step_time(struct journal_view *v, int64_t by_s)
{
	int64_t at_s = v->host->ops->moment_s(v->host->console) + by_s;

	if (at_s >= v->host->ops->now_s(v->host->console)) {
		v->host->ops->show_now(v->host->console);
		table_home(&v->table);
		return;
	}
	go_to_moment(v, (struct store_moment){.time_s = at_s});
	v->host->ops->show_past(v->host->console, (struct store_moment){.time_s = at_s});
}

static bool journal_view_act(void *self, enum action action, int arg)
{
	struct journal_view *v = self;

	(void)arg;
	if (action_row(action)->set == SET_ACTING)
		follow_job(v);
	switch (action) {
	case ACTION_OPEN:
		open_entry(v);
		return true;
	case ACTION_ENTRY_BACK:
		step(v, 1);
		return true;
	case ACTION_ENTRY_ON:
		step(v, -1);
		return true;
	case ACTION_ENTRIES_BACK:
		step(v, 10);
		return true;
	case ACTION_ENTRIES_ON:
		step(v, -10);
		return true;
	case ACTION_HOUR_BACK:
		step_time(v, -HOUR_S);
		return true;
	case ACTION_HOUR_ON:
		step_time(v, HOUR_S);
		return true;
	case ACTION_DIFFERENCE:
		v->host->ops->go(v->host->console, "difference");
		return true;
	case ACTION_BECAUSE:
		turn_because(v);
		return true;
	case ACTION_UNDO:
		undo_entries(v);
		return true;
	case ACTION_UNDO_TO:
		undo_to(v);
		return true;
	case ACTION_ALL_ENTRIES:
		v->all = !v->all;
		v->host->ops->recalc(v->host->console);
		return true;
	default:
		return false;
	}
}

static size_t journal_view_asks(void *self, uint64_t *seq, size_t room)
{
	const struct journal_view *v = self;
	size_t cursor = v->table.cursor, count = 0;

	if (cursor == TABLE_NO_ROW)
		return 0;
	seq[count++] = impact_applies(entry_at(v, cursor)->kind) ? entry_at(v, cursor)->seq : 0;
	for (size_t i = cursor > AROUND ? cursor - AROUND : 0; i < v->rows && i <= cursor + AROUND; i++)
		if (i != cursor && count < room && impact_applies(entry_at(v, i)->kind))
			seq[count++] = entry_at(v, i)->seq;
	return count;
}

static struct table *journal_view_table(void *self)
{
	return &((struct journal_view *)self)->table;
}

static void journal_view_status(void *self, struct str *out)
{
	const struct journal_view *v = self;

	str_addf(out, "%zu entr%s, %s", v->rows, v->rows == 1 ? "y" : "ies",
		 v->all ? "all kinds (f: fewer)" : "without plans, queue time and bypass counts (f: all)");
}

static const enum action hints[] = {
	ACTION_UNDO,     ACTION_UNDO_TO, ACTION_OPEN,        ACTION_ENTRY_BACK,
	ACTION_ENTRY_ON, ACTION_BECAUSE, ACTION_ALL_ENTRIES, ACTION_DIFFERENCE,
	ACTION_FILTER,   ACTION_SEARCH,  ACTION_BACK,        ACTION_NONE,
};

const struct view_ops view_journal = {
	.name = "journal",
	.names = "who user what kind job seq",
	.title = "Journal",
	.number = 8,
	.entries = true,
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
	.asks = journal_view_asks,
};
