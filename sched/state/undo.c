/* SPDX-License-Identifier: MIT */
/*
 * undo.c - whether an entry of the journal can be undone, the plan for undoing entries, drafts
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draft.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "state.h"
#include "undo.h"
#include "undo_plan.h"

static enum undo_bar job_bar(const struct snapshot *s, const struct change *moved, uint32_t slot)
{
	enum job_state state;

	if (moved->job == 0)
		return UNDO_OPEN;
	if (slot == INDEX_NONE)
		return UNDO_UNKNOWN;
	state = (enum job_state)snapshot_jobs(s)[slot].state;
	if (moved->kind == CHANGE_SUSPEND)
		return state == JOB_RUNNING ? UNDO_OPEN : UNDO_STOPPED;
	return state == JOB_IDLE ? UNDO_OPEN : UNDO_STARTED;
}

/* Would undoing an undo restore a temporary change that is over? */
static bool is_over(const struct snapshot *s, const struct change *change, const struct change *moved)
{
	return change->kind == CHANGE_UNDO && moved->dead && moved->until_s != 0 &&
	       moved->until_s <= s->now_s;
}

enum undo_bar undo_bar(const struct snapshot *s, const struct change *change, uint32_t slot)
{
	const struct change *moved = state_change_moved(s, change);

	if (change == NULL || moved == NULL)
		return UNDO_UNKNOWN;
	if (change->dead)
		return UNDO_DONE;
	return is_over(s, change, moved) ? UNDO_OVER : job_bar(s, moved, slot);
}

enum undo_bar undo_bar_of(const struct snapshot *s, uint64_t seq)
{
	const struct change *change = state_find_change(s, seq);
	uint64_t job = change == NULL ? 0 : change->job;

	return undo_bar(s, change, job == 0 ? INDEX_NONE : snapshot_find_job(s, job));
}

const char *undo_bar_text(enum undo_bar bar)
{
	static const char *const text[UNDO_BAR_COUNT] = {
		[UNDO_OPEN] = "",
		[UNDO_UNKNOWN] = "has ended",
		[UNDO_DONE] = "undone",
		[UNDO_STARTED] = "job started",
		[UNDO_STOPPED] = "job stopped",
		[UNDO_OVER] = "expired",
	};

	return text[bar];
}

/* --- a plan to undo entries --------------------------------------------------------------------------- */

/*
 * The plan is built by undoing the entries on a copy, so that it says exactly what the state would say. If
 * everything after a point is undone, a change after the point that has already been undone is ignored, and
 * so is its undo: without both of them, the value is the same.
 */

/* --- requested entries -------------------------------------------------------------------------------- */

void undo_plan_add(struct undo_plan *t, const uint64_t *seq, size_t count)
{
	t->wanted = vec_room(t->wanted, &t->wanted_room, t->wanted_count + count, sizeof *t->wanted);
	memcpy(t->wanted + t->wanted_count, seq, count * sizeof *seq);
	t->wanted_count += count;
}

void undo_plan_add_after(struct undo_plan *t, uint64_t seq)
{
	t->has_point = true;
	t->after = seq;
}

static bool is_after_point(const struct undo_plan *t, uint64_t seq)
{
	return t->has_point && seq > t->after;
}

uint64_t undo_plan_first_seq(const struct undo_plan *t)
{
	uint64_t first = t->has_point ? t->after + 1 : UINT64_MAX;

	for (size_t i = 0; i < t->wanted_count; i++)
		if (t->wanted[i] < first)
			first = t->wanted[i];
	return first;
}

static bool is_named(const struct undo_plan *t, uint64_t seq)
{
	for (size_t i = 0; i < t->wanted_count; i++)
		if (t->wanted[i] == seq)
			return true;
	return false;
}

/* --- journal entries --------------------------------------------------------------------- */

/*
 * Is it a kind of event that operators or users cause and that affects jobs or the site, but cannot be
 * undone?
 */
static bool is_final(enum event_kind kind)
{
	return kind == EVENT_CANCEL || kind == EVENT_REQUEUE || kind == EVENT_SIGNAL || kind == EVENT_START ||
	       kind == EVENT_CONFIG;
}

/* Did an entry after the point make a temporary change from before the point permanent? */
static bool is_kept(const struct undo_plan *t, const struct event *ev)
{
	return ev->kind == EVENT_KEEP && ev->keep.seq <= t->after;
}

static bool is_by_people(const struct event *ev)
{
	return ev->who != NULL && strcmp(ev->who, "sched") != 0;
}

static bool is_of_interest(const struct undo_plan *t, const struct event *ev)
{
	if (is_named(t, ev->seq))
		return true;
	if (!is_after_point(t, ev->seq))
		return false;
	return ev->kind == EVENT_UNDO ||
	       (is_by_people(ev) && (is_final(ev->kind) || is_kept(t, ev) || event_can_undo(ev->kind)));
}

void undo_plan_note_event(struct undo_plan *t, const struct event *ev)
{
	struct event *kept;
	struct str what = {0};

	if (ev->seq < undo_plan_first_seq(t))
		return;
	t->started += ev->kind == EVENT_START;
	t->ended += ev->kind == EVENT_END;
	if (ev->kind == EVENT_ACCRUAL && !ev->accrual.on)
		t->stopped += 1 + ev->accrual.more_count;
	if (!is_of_interest(t, ev))
		return;
	t->seen = vec_room(t->seen, &t->seen_room, t->seen_count + 1, sizeof *t->seen);
	kept = &t->seen[t->seen_count++];
	event_describe(ev, t->clock, &what);
	*kept = (struct event){.seq = ev->seq, .kind = ev->kind};
	if (ev->kind == EVENT_UNDO)
		kept->undo.seq = ev->undo.seq;
	kept->why = arena_string(&t->arena, str_text(&what));
	str_free(&what);
}

static const struct event *seen_entry(const struct undo_plan *t, uint64_t seq)
{
	for (size_t i = 0; i < t->seen_count; i++)
		if (t->seen[i].seq == seq)
			return &t->seen[i];
	return NULL;
}

/* --- effects on the current state ---------------------------------------------------------------- */

/* Appends the configured value of an option, or its default. set: a valid value of the option. */
static void add_configured(const struct snapshot *s, const char *name, const char *set, struct str *out)
{
	struct config_value asked, value = {0};
	char title[CONFIG_TITLE];
	struct str other = {0};
	size_t before = out->len;

	if (!config_resolve(name, set, &asked, title, sizeof title, NULL))
		return;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];

		value.row = &config_rows[entry->row];
		value.title = snapshot_string(s, entry->title);
		value.value.text = snapshot_string(s, entry->text);
		str_clear(&other);
		if (value.row == asked.row)
			config_print_name(&value, &other);
		if (str_same_word(str_text(&other), name))
			str_addf(out, "%s%s", out->len > before ? ", " : "", config_value_text(&value));
	}
	if (out->len == before && asked.row->fallback != NULL)
		str_add(out, asked.row->fallback);
	str_free(&other);
}

static const struct change *live_setting(const struct snapshot *s, const char *name)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0;)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    str_same_word(snapshot_string(s, change[i].name), name))
			return &change[i];
	return NULL;
}

static void add_setting(const struct snapshot *s, const char *name, const char *set, struct str *out)
{
	const struct change *live = live_setting(s, name);

	if (live != NULL)
		str_add(out, snapshot_string(s, live->value));
	else
		add_configured(s, name, set, out);
}

/* Are the two values the same? "1:00:00" and "3600" are, and words are compared without regard to case. */
static bool is_same_value(const char *name, const char *one, const char *two)
{
	struct config_value a, b;
	char title[CONFIG_TITLE];

	if (str_same_word(one, two))
		return true;
	if (!config_resolve(name, one, &a, title, sizeof title, NULL) ||
	    !config_resolve(name, two, &b, title, sizeof title, NULL))
		return false;
	return a.row->type != OPTION_TEXT && a.row->type != OPTION_LIST && a.value.whole == b.value.whole &&
	       a.value.number == b.value.number;
}

bool undo_plan_is_same_setting(const struct snapshot *s, const char *name, const char *value)
{
	const struct change *live = live_setting(s, name);
	struct str present = {0};
	bool same;

	if (live != NULL && snapshot_is_for_a_while(live))
		return false;
	add_setting(s, name, value, &present);
	same = present.len > 0 && is_same_value(name, str_text(&present), value);
	str_free(&present);
	return same;
}

static void add_priority(const struct job *job, struct str *out)
{
	if (job->adjust == JOB_ADJUST_NONE)
		str_add(out, "computed");
	else
		str_addf(out, job->adjust == JOB_ADJUST_RELATIVE ? "%+" PRId64 : "= %" PRId64, job->points);
}

static void add_halt(const struct snapshot *s, struct str *out)
{
	if (s->halted == 0)
		str_add(out, "starts jobs");
	else if (s->halt_after == 0)
		str_add(out, "paused");
	else
		str_addf(out, "pauses after %" PRIu32, s->halt_after);
}

static void add_attribute(const struct snapshot *s, const struct job *job, const char *name,
			  moment_clock *clock, struct str *out)
{
	struct str value = {0};
	char when[MOMENT_TEXT];

	state_print_attribute(s, job, state_find_attribute(name), &value);
	str_add(out, event_value_text(name, str_text(&value), s->now_s, clock, when));
	str_free(&value);
}

/* Appends the current value of what the change affects. */
static void add_value(const struct state *st, const struct change *change, moment_clock *clock,
		      struct str *out)
{
	const struct snapshot *s = state_view(st);
	uint32_t slot = change->job == 0 ? INDEX_NONE : state_find(st, change->job);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s)[slot];
	const char *name = snapshot_string(s, change->name);
	size_t before = out->len;

	if (change->kind == CHANGE_SETTING)
		add_setting(s, name, snapshot_string(s, change->value), out);
	else if (change->kind == CHANGE_RESERVE || change->kind == CHANGE_UNRESERVE)
		str_add(out, snapshot_find_advance(s, name) == INDEX_NONE ? "none" : "in force");
	else if (change->kind == CHANGE_HALT)
		add_halt(s, out);
	else if (job != NULL && change->kind == CHANGE_HOLD)
		str_add(out, job_hold_names(job->holds));
	else if (job != NULL && change->kind == CHANGE_PRIORITY)
		add_priority(job, out);
	else if (job != NULL && change->kind == CHANGE_SUSPEND)
		str_add(out, (job->real & JOB_REAL_SUSPENDED) != 0 ? "suspended" : "runs");
	else if (job != NULL && change->kind == CHANGE_MODIFY)
		add_attribute(s, job, name, clock, out);
	if (out->len == before)
		str_add(out, change->kind == CHANGE_SETTING ? "not set" : "none");
}

/* Appends what the change affects: "xfactorweight", "hold of 12". */
static void add_place(const struct snapshot *s, const struct change *change, uint32_t slot, struct str *out)
{
	const char *name = snapshot_string(s, change->name);
	char label[JOB_LABEL_TEXT];

	if (change->kind == CHANGE_RESERVE || change->kind == CHANGE_UNRESERVE)
		str_addf(out, "reservation %s", name);
	else if (change->kind == CHANGE_HALT)
		str_add(out, "scheduler");
	else if (change->kind == CHANGE_HOLD)
		str_add(out, "hold");
	else if (change->kind == CHANGE_PRIORITY)
		str_add(out, "priority");
	else if (change->kind == CHANGE_SUSPEND)
		str_add(out, "state");
	else
		str_add(out, name);
	if (slot != INDEX_NONE)
		str_addf(out, " of %s", snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
}

/* --- the plan ------------------------------------------------------------------------------------- */

static void add_item(struct undo_plan *t, uint64_t seq, enum undo_plan_result end, const char *text)
{
	t->item = vec_room(t->item, &t->room, t->count + 1, sizeof *t->item);
	t->item[t->count++] =
		(struct undo_plan_item){.seq = seq, .end = end, .text = arena_string(&t->arena, text)};
	t->cannot += end == UNDO_PLAN_CANNOT;
}

/* Returns the newest other entry that affects the same value; 0: there is none. */
static uint64_t overriding_entry(const struct snapshot *s, const struct change *change)
{
	const struct change *other = snapshot_changes(s);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0;)
		if (other[i].kind == change->kind && other[i].job == change->job && !other[i].dead &&
		    other[i].seq != change->seq &&
		    str_same_word(snapshot_string(s, other[i].name), snapshot_string(s, change->name)))
			return other[i].seq;
	return 0;
}

static void add_undone(struct undo_plan *t, const struct state *st, uint64_t seq, const struct change *moved,
		       const char *before)
{
	const struct snapshot *s = state_view(st);
	struct str after = {0}, text = {0};
	uint64_t newer = overriding_entry(s, moved);
	bool changed;

	add_value(st, moved, t->clock, &after);
	add_place(s, moved, moved->job == 0 ? INDEX_NONE : state_find(st, moved->job), &text);
	changed = strcmp(before, str_text(&after)) != 0;
	if (changed)
		str_addf(&text, ": %s -> %s", before, str_text(&after));
	else if (newer > moved->seq)
		str_addf(&text, ": stays %s because of entry %" PRIu64, before, newer);
	else
		str_addf(&text, ": stays %s", before);
	add_item(t, seq, changed ? UNDO_PLAN_DONE : UNDO_PLAN_NOTHING, str_text(&text));
	str_free(&after);
	str_free(&text);
}

static void undo_one(struct undo_plan *t, struct state *st, uint64_t seq)
{
	const struct snapshot *s = state_view(st);
	const struct change *change = state_find_change(s, seq);
	const struct change *moved = state_change_moved(s, change);
	struct event ev = {.kind = EVENT_UNDO, .time_s = s->now_s, .undo.seq = seq};
	uint64_t moved_seq = moved == NULL ? 0 : moved->seq;
	struct str before = {0};
	struct err err;

	if (moved != NULL)
		add_value(st, moved, t->clock, &before);
	if (event_apply(st, &ev, &err))
		add_undone(t, st, seq, state_find_change(state_view(st), moved_seq), str_text(&before));
	else
		add_item(t, seq, UNDO_PLAN_CANNOT, err.text);
	str_free(&before);
}

static const char *why_gone(enum event_kind kind)
{
	if (kind == EVENT_KEEP)
		return "a change cannot be made temporary again; undo the entry of the change itself";
	if (!event_can_undo(kind))
		return "it left no change that could be undone";
	if (kind == EVENT_RESERVE || kind == EVENT_UNRESERVE)
		return "the reservation is over, or was released long ago";
	return kind == EVENT_UNDO ? "what it undid no longer exists" : "its job has ended";
}

/* Adds to the plan, as one that cannot be undone, an entry that left no change or whose change is gone. */
static void refuse(struct undo_plan *t, const struct event *entry)
{
	struct str text = {0};

	str_addf(&text, "entry %" PRIu64 " (%s) cannot be undone: %s", entry->seq, entry->why,
		 why_gone(entry->kind));
	add_item(t, entry->seq, UNDO_PLAN_CANNOT, str_text(&text));
	str_free(&text);
}

/* Does the entry come after the point, and must it be undone to return to the point? */
static bool is_after(const struct undo_plan *t, const struct snapshot *s, const struct change *change)
{
	if (!is_after_point(t, change->seq) || change->dead)
		return false;
	if (change->kind != CHANGE_UNDO)
		return true;
	return (uint64_t)change->number <= t->after && undo_bar_of(s, change->seq) != UNDO_OVER;
}

static int by_seq(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return (x->seq > y->seq) - (x->seq < y->seq);
}

/*
 * Of the journal entries that the caller passed, drops each pair of an entry and a later undo of it, unless
 * the caller named one of the two as an entry to undo.
 */
static void drop_undone(struct undo_plan *t)
{
	size_t kept = 0;

	if (t->seen_count > 0)
		qsort(t->seen, t->seen_count, sizeof *t->seen, by_seq);
	for (size_t i = t->seen_count; i-- > 0;) {
		struct event *target = NULL;

		if (t->seen[i].kind == EVENT_UNDO)
			target = bsearch(&(struct event){.seq = t->seen[i].undo.seq}, t->seen, i,
					 sizeof *t->seen, by_seq);
		if (target != NULL && !is_named(t, t->seen[i].seq) && !is_named(t, target->seq))
			t->seen[i].kind = target->kind = EVENT_KIND_COUNT;
	}
	for (size_t i = 0; i < t->seen_count; i++)
		if (t->seen[i].kind != EVENT_KIND_COUNT)
			t->seen[kept++] = t->seen[i];
	t->seen_count = kept;
}

static int newest_first(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Lists the entries to try in *out, each once, newest first; returns their number. */
static size_t list_wanted(struct undo_plan *t, const struct snapshot *s, uint64_t **out)
{
	uint32_t changes = snapshot_count(s, TABLE_CHANGES);
	size_t count = 0, kept = 0;

	*out = mem_alloc((changes + t->wanted_count + t->seen_count + 1) * sizeof **out);
	for (size_t i = 0; i < t->wanted_count; i++)
		(*out)[count++] = t->wanted[i];
	for (uint32_t i = 0; i < changes; i++)
		if (is_after(t, s, &snapshot_changes(s)[i]))
			(*out)[count++] = snapshot_changes(s)[i].seq;
	for (size_t i = 0; i < t->seen_count; i++)
		if (state_find_change(s, t->seen[i].seq) == NULL)
			(*out)[count++] = t->seen[i].seq;
	qsort(*out, count, sizeof **out, newest_first);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || (*out)[kept - 1] != (*out)[i])
			(*out)[kept++] = (*out)[i];
	return kept;
}

/* Moves the entries that cannot be undone to the front; otherwise the order is unchanged. */
static void put_cannot_first(struct undo_plan *t)
{
	struct undo_plan_item *sorted = mem_alloc((t->count + 1) * sizeof *sorted);
	size_t cannot = 0, can = t->cannot;

	for (size_t i = 0; i < t->count; i++)
		sorted[t->item[i].end == UNDO_PLAN_CANNOT ? cannot++ : can++] = t->item[i];
	free(t->item);
	t->item = sorted;
	t->room = t->count + 1;
}

void undo_plan_build(struct undo_plan *t, const struct snapshot *s)
{
	struct state *st = state_from_snapshot(s);
	uint64_t *seq;
	size_t count;

	drop_undone(t);
	count = list_wanted(t, s, &seq);
	for (size_t i = 0; i < count; i++) {
		const struct event *entry =
			state_find_change(state_view(st), seq[i]) == NULL ? seen_entry(t, seq[i]) : NULL;

		if (entry != NULL)
			refuse(t, entry);
		else
			undo_one(t, st, seq[i]);
	}
	put_cannot_first(t);
	free(seq);
	state_free(st);
}

void undo_plan_clear(struct undo_plan *t)
{
	free(t->item);
	free(t->wanted);
	free(t->seen);
	arena_free(&t->arena);
	*t = (struct undo_plan){0};
}

/* --- drafts: the state with further events applied ---------------------------------------------------- */

/*
 * Applies an event, at the time of the state if its own time is earlier: an event with a past time would be
 * rejected.
 */
static bool apply(struct state *st, const struct event *event, struct err *err)
{
	struct event ev = *event;

	if (ev.time_s < state_view(st)->now_s)
		ev.time_s = state_view(st)->now_s;
	return event_apply(st, &ev, err);
}

/* Ends the jobs that the applied events asked to stop. */
static void report_ends(struct state *st, const struct event *ev, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool stops = ev[i].kind == EVENT_CANCEL || ev[i].kind == EVENT_REQUEUE;
		uint32_t slot = stops ? state_find(st, ev[i].job) : INDEX_NONE;
		struct event end = event_of_stop(ev[i].job);

		end.time_s = state_view(st)->now_s;
		end.who = "sched";
		if (slot != INDEX_NONE && job_is_leaving(&snapshot_jobs(state_view(st))[slot]))
			(void)event_apply(st, &end, NULL);
	}
}

struct state *draft_make(const struct snapshot *s, const struct event *ev, size_t count, const bool *skip,
			 struct err *err)
{
	struct state *st = state_from_snapshot(s);

	for (size_t i = 0; i < count; i++) {
		if ((skip && skip[i]) || apply(st, &ev[i], err))
			continue;
		if (count > 1)
			err_prefix(err, "edit %zu of %zu", i + 1, count);
		state_free(st);
		return NULL;
	}
	report_ends(st, ev, count);
	return st;
}

struct state *draft_make_willing(const struct snapshot *s, const struct event *ev, size_t count,
				 const bool *skip)
{
	struct state *st = state_from_snapshot(s);

	for (size_t i = 0; i < count; i++)
		if (!skip || !skip[i])
			(void)apply(st, &ev[i], NULL);
	report_ends(st, ev, count);
	return st;
}
