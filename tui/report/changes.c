/* SPDX-License-Identifier: MIT */
/*
 * changes.c - events proposed by a verb or a draft, with notes and a preview
 */
#include "changes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/future.h"
#include "sched/forecast/justification.h"
#include "sched/rm/wallclock.h"
#include "sched/state/draft.h"

/* --- events proposed by a verb or a draft, with notes and a preview ----------------------------------- */

struct event *cmd_add_event(struct cmd_env *env, enum event_kind kind, uint64_t job)
{
	struct cmd_changes *c = env->changes;
	struct event *ev;

	c->event = vec_room(c->event, &c->room, c->count + 1, sizeof *c->event);
	ev = &c->event[c->count++];
	*ev = (struct event){.time_s = env->now_s, .kind = kind, .job = job, .who = env->who};
	return ev;
}

const char *cmd_own(struct cmd_env *env, const char *text)
{
	return arena_string(&env->changes->arena, text);
}

void *cmd_own_bytes(struct cmd_env *env, size_t size)
{
	return arena_take(&env->changes->arena, size);
}

void cmd_changes_clear(struct cmd_changes *changes)
{
	arena_free(&changes->arena);
	free(changes->event);
	free(changes->note);
	*changes = (struct cmd_changes){0};
}

/* --- notes ---------------------------------------------------------------------------- */

void cmd_add_note(struct cmd_changes *changes, enum cmd_note_kind kind, uint64_t seq, const char *text)
{
	changes->note =
		vec_room(changes->note, &changes->note_room, changes->notes + 1, sizeof *changes->note);
	changes->note[changes->notes++] =
		(struct cmd_note){.kind = kind, .seq = seq, .text = arena_string(&changes->arena, text)};
}

size_t cmd_count_notes(const struct cmd_changes *changes, enum cmd_note_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < changes->notes; i++)
		count += changes->note[i].kind == kind;
	return count;
}

const char *cmd_note_title(enum cmd_note_kind kind)
{
	static const char *const title[] = {
		[CMD_NOTE_CANNOT] = "cannot be undone",
		[CMD_NOTE_NOTHING] = "changes nothing now",
		[CMD_NOTE_DOES] = "will be undone",
		[CMD_NOTE_STAYS] = "stays",
		[CMD_NOTE_OTHERS] = "made by other operators",
	};

	return title[kind];
}

/* --- descriptions ------------------------------------------------------------------------------------- */

/* Appends the priority as a command sets it: +50 is added to the computed priority, = 500 replaces it. */
static void add_priority(const struct change *change, struct str *out)
{
	if (change->on == JOB_ADJUST_NONE)
		str_add(out, "priority as computed");
	else
		str_addf(out,
			 change->on == JOB_ADJUST_RELATIVE ? "priority %+" PRId64 : "priority = %" PRId64,
			 change->number);
}

/* Appends the change that an undo reverts: " (xfactorweight = 200)". */
static void add_undone(const struct snapshot *s, const struct change *change, struct str *out)
{
	uint32_t slot = change->job ? snapshot_find_job(s, change->job) : INDEX_NONE;
	const char *name = snapshot_string(s, change->name), *value = snapshot_string(s, change->value);
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];

	str_add(out, " (");
	if (change->kind == CHANGE_SETTING)
		str_addf(out, "%s = %s", name, value);
	else if (change->kind == CHANGE_MODIFY)
		str_addf(out, "%s = %s", name, event_value_text(name, value, s->now_s, wallclock, when));
	else if (change->kind == CHANGE_HOLD)
		str_addf(out, "%s %s", change->on ? "hold" : "release",
			 job_hold_names((unsigned)change->number));
	else if (change->kind == CHANGE_PRIORITY)
		add_priority(change, out);
	else if (change->kind == CHANGE_RESERVE || change->kind == CHANGE_UNRESERVE)
		str_addf(out, "%s %s", change->kind == CHANGE_RESERVE ? "reserve" : "release reservation",
			 name);
	else if (change->kind == CHANGE_HALT)
		str_add(out, change->on ? "pause" : "start jobs again");
	else if (change->kind == CHANGE_SUSPEND)
		str_add(out, !change->on                               ? "resume"
			     : (change->number & SUSPEND_RELEASE) != 0 ? "suspend, processors released"
								       : "suspend");
	else
		str_addf(out, "undo %" PRId64, change->number);
	if (slot != INDEX_NONE)
		str_addf(out, " of %s", snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
	str_add(out, ")");
}

void cmd_describe(const struct snapshot *s, const struct event *ev, struct str *out)
{
	const struct change *undone = ev->kind == EVENT_UNDO ? state_find_change(s, ev->undo.seq) : NULL;
	uint32_t slot = ev->job ? snapshot_find_job(s, ev->job) : INDEX_NONE;
	char label[JOB_LABEL_TEXT];

	event_describe(ev, wallclock, out);
	if (undone)
		add_undone(s, undone, out);
	else if (slot != INDEX_NONE && snapshot_jobs(s)[slot].label != 0)
		str_addf(out, " (%s)", snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
}

/* --- preview -------------------------------------------------------------------------- */

void cmd_print_effect(const struct snapshot *s, const struct plan_change *change, struct str *out)
{
	uint32_t slot = change->most_delayed ? snapshot_find_job(s, change->most_delayed) : INDEX_NONE;
	char label[JOB_LABEL_TEXT], delay[DURATION_TEXT];

	if (change->reordered == 0 && change->moved == 0) {
		str_add(out, "order and all estimated starts unchanged");
		return;
	}
	if (change->reordered == 0)
		str_add(out, "order unchanged");
	else
		str_addf(out, "%" PRIu32 " %s order", change->reordered,
			 change->reordered == 1 ? "job changes" : "jobs change");
	if (change->earlier > 0)
		str_addf(out, "; %" PRIu32 " earlier", change->earlier);
	if (change->later > 0)
		str_addf(out, "; %" PRIu32 " later", change->later);
	if (slot != INDEX_NONE && change->most_delay_s > 0)
		str_addf(out, "; worst: %s +%s", snapshot_job_label(s, &snapshot_jobs(s)[slot], label),
			 duration_text(delay, change->most_delay_s));
}

/*
 * A preview before a change may do only little work. A request that changes nothing may take longer, except
 * in the console, where a verb must be fast because it blocks the keys.
 */
static struct future_setup preview_setup(int64_t now_s, bool asks_only)
{
	return (struct future_setup){
		.now_s = now_s, .full = true, .most_work = asks_only ? FUTURE_JOB_WORK : FUTURE_LIST_WORK};
}

bool cmd_preview(const struct snapshot *s, int64_t now_s, bool asks_only, const struct cmd_changes *changes,
		 struct str *out, struct err *err)
{
	struct state *copy = draft_make(s, changes->event, changes->count, NULL, err);
	const struct future_setup setup = preview_setup(now_s, asks_only);
	struct future_pair pair = {.tier = FUTURE_INSTANT};

	if (!copy)
		return false;
	future_compare(&pair, s, state_view(copy), &setup);
	cmd_print_effect(s, &pair.change, out);
	if (pair.tier != FUTURE_FULL)
		str_add(out, " (instant plan)");
	future_pair_clear(&pair);
	state_free(copy);
	return true;
}

bool cmd_needs_reason(const struct snapshot *s, int64_t now_s, const struct cmd_changes *changes,
		      struct str *out)
{
	const struct future_setup setup = preview_setup(now_s, false);
	struct future_pair pair = {.tier = FUTURE_INSTANT};
	struct state *copy;
	bool asked;

	if (s->policy.guard_delayed == 0 || changes->reason != NULL)
		return false;
	copy = draft_make_willing(s, changes->event, changes->count, NULL);
	future_compare(&pair, s, state_view(copy), &setup);
	asked = justification_required(&pair, wallclock, out);
	future_pair_clear(&pair);
	state_free(copy);
	return asked;
}

/* --- the edits of a draft ----------------------------------------------------------------------------- */

#define WORDS_EVENTS 3 /* number of events of an edit that are described in full */

/* --- the list ------------------------------------------------------------------------------ */

static struct edit *push(struct edits *e)
{
	e->item = vec_room(e->item, &e->room, e->count + 1, sizeof *e->item);
	e->item[e->count] = (struct edit){0};
	return &e->item[e->count++];
}

void edits_add(struct edits *e, const char *line)
{
	struct edit *new;

	for (size_t i = 0; i < e->count; i++)
		if (strcmp(e->item[i].line, line) == 0)
			return;
	new = push(e);
	new->line = mem_string(line);
	new->text = mem_string("");
}

void edits_add_lines(struct edits *e, const char *lines)
{
	char *copy = mem_string(lines), *save = NULL;

	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		edits_add(e, line);
	free(copy);
}

void edits_copy(struct edits *e, const struct edits *from)
{
	for (size_t i = 0; i < from->count; i++) {
		struct edit *copy = push(e);

		*copy = from->item[i];
		copy->line = mem_string(copy->line);
		copy->text = mem_string(copy->text);
	}
}

void edits_drop(struct edits *e, size_t at)
{
	free(e->item[at].line);
	free(e->item[at].text);
	memmove(e->item + at, e->item + at + 1, (--e->count - at) * sizeof *e->item);
}

void edits_clear(struct edits *e)
{
	while (e->count > 0)
		edits_drop(e, e->count - 1);
	free(e->item);
	*e = (struct edits){0};
}

void edits_add_text(const struct edits *e, struct str *out)
{
	const char *between = "";

	for (size_t i = 0; i < e->count; i++) {
		if (e->item[i].off)
			continue;
		str_add(out, between);
		str_add(out, e->item[i].line);
		between = "\n";
	}
}

/* --- events --------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a && b && str_same_word(a, b);
}

/* Do both events set the same thing, so that only the later one has an effect? */
static bool same_thing(const struct event *a, const struct event *b)
{
	if (a->kind != b->kind || a->job != b->job)
		return false;
	switch (a->kind) {
	case EVENT_SETTING:
		return same_text(a->setting.name, b->setting.name);
	case EVENT_MODIFY:
		return same_text(a->modify.name, b->modify.name);
	case EVENT_HOLD:
		return a->hold.bits == b->hold.bits;
	case EVENT_PRIORITY:
	case EVENT_CANCEL:
		return true;
	default:
		return false;
	}
}

/*
 * Is each event of the edit followed by an event about the same thing in `later`, at position `from` or after
 * it?
 */
static bool is_overtaken(const struct edit *edit, const struct cmd_changes *its,
			 const struct cmd_changes *later, size_t from)
{
	for (size_t i = edit->first; i < edit->first + edit->events; i++) {
		bool found = false;

		for (size_t k = from; k < later->count && !found; k++)
			found = same_thing(&its->event[i], &later->event[k]);
		if (!found)
			return false;
	}
	return edit->events > 0;
}

/* Removes the edit and its events. */
static void take_out(struct edits *e, size_t at, struct cmd_changes *changes)
{
	size_t first = e->item[at].first, events = e->item[at].events;

	memmove(changes->event + first, changes->event + first + events,
		(changes->count - first - events) * sizeof *changes->event);
	changes->count -= events;
	for (size_t i = at + 1; i < e->count; i++)
		e->item[i].first -= events;
	edits_drop(e, at);
}

static void describe(struct edit *edit, const struct cmd_env *env)
{
	struct str words = {0};

	for (size_t i = 0; i < edit->events && i < WORDS_EVENTS; i++) {
		str_add(&words, i > 0 ? "; " : "");
		cmd_describe(env->s, &env->changes->event[edit->first + i], &words);
	}
	if (edit->events > WORDS_EVENTS)
		str_addf(&words, "; and %zu more", edit->events - WORDS_EVENTS);
	free(edit->text);
	edit->text = mem_string(str_text(&words));
	str_free(&words);
}

static bool run(struct edit *edit, struct cmd_env *env, edit_run *run_edit)
{
	edit->first = env->changes->count;
	edit->events = 0;
	if (edit->off)
		return true;
	if (run_edit(env, edit->line) != CMD_DONE)
		return false;
	edit->events = env->changes->count - edit->first;
	describe(edit, env);
	return true;
}

bool edits_compile(struct edits *e, struct cmd_env *env, edit_run *run_edit)
{
	for (size_t i = 0; i < e->count; i++) {
		e->refused = i;
		if (!run(&e->item[i], env, run_edit))
			return false;
	}
	e->refused = e->count;
	for (size_t i = e->count; i-- > 0;)
		if (!e->item[i].off &&
		    (e->item[i].events == 0 || is_overtaken(&e->item[i], env->changes, env->changes,
							    e->item[i].first + e->item[i].events)))
			take_out(e, i, env->changes);
	return true;
}

/* Returns the index of the edit that owns the event; e->count if no edit owns it. */
static size_t edit_of(const struct edits *e, size_t event)
{
	size_t at = 0;

	while (at < e->count && (e->item[at].off || event < e->item[at].first ||
				 event >= e->item[at].first + e->item[at].events))
		at++;
	return at;
}

size_t edits_find_setting(const struct edits *e, const struct cmd_changes *changes, const char *name,
			  const char **value)
{
	for (size_t i = changes->count; i-- > 0;) {
		if (changes->event[i].kind != EVENT_SETTING ||
		    !same_text(changes->event[i].setting.name, name))
			continue;
		*value = changes->event[i].setting.value;
		return edit_of(e, i);
	}
	return e->count;
}

size_t edits_find_priority(const struct edits *e, const struct cmd_changes *changes, uint64_t job)
{
	for (size_t i = changes->count; i-- > 0;)
		if (changes->event[i].kind == EVENT_PRIORITY && changes->event[i].job == job)
			return edit_of(e, i);
	return e->count;
}
