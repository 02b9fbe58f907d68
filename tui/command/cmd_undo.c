/* SPDX-License-Identifier: MIT */
/*
 * cmd_undo.c - kahu undo and keep
 *
 * If some of the changes cannot be undone, undo lists them and undoes nothing, unless --what-can-be is given.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "at.h"
#include "cmd.h"
#include "cmd_console.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "sched/state/event.h"
#include "sched/state/undo.h"
#include "sched/state/undo_plan.h"
#include "store/store.h"
#include "tui/report/history_source.h"
#include "tui/serve/client.h"

/* --- the last change ---------------------------------------------------------------------------------- */

/* May `undo` without a number undo this change? An undo itself is undone only by number. */
static bool is_undoable(const struct snapshot *s, const struct change *change)
{
	return change->kind != CHANGE_UNDO && undo_bar_of(s, change->seq) == UNDO_OPEN;
}

/* Returns the number of the newest change, of any user, for which is_undoable is true; 0 = none. */
static uint64_t last_undoable(const struct snapshot *s)
{
	const struct change *changes = snapshot_changes(s);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0;)
		if (is_undoable(s, &changes[i]))
			return changes[i].seq;
	return 0;
}

/* The newest undoable change of the caller, and the newest of any other user; 0 = none. */
struct last_change {
	const struct cmd_env *env;
	uint64_t first; /* the oldest change in the state; no entry before it is needed */
	uint64_t own, other;
	struct str what; /* description of `other`: what it changes, who made it and when */
};

static void add_maker(const struct event *ev, struct str *out)
{
	char when[MOMENT_TEXT];

	event_describe(ev, wallclock, out);
	str_addf(out, ", made by %s at %s", ev->who != NULL ? ev->who : "sched",
		 wallclock_iso(when, ev->time_s));
}

static void note_other(struct last_change *l, const struct event *ev)
{
	l->other = ev->seq;
	add_maker(ev, &l->what);
}

/*
 * Notes an entry of the journal, which is read backward. Returns false, which ends the reading, if a change
 * of the caller is found or the entry is before the oldest change.
 */
static bool see_last(void *self, const struct event *ev)
{
	struct last_change *l = self;
	const struct snapshot *s = l->env->s;
	const struct change *change = ev->seq < l->first ? NULL : state_find_change(s, ev->seq);

	if (change == NULL || !is_undoable(s, change))
		return ev->seq >= l->first;
	if (ev->who != NULL && strcmp(ev->who, l->env->who) == 0)
		l->own = ev->seq;
	else if (l->other == 0)
		note_other(l, ev);
	return l->own == 0;
}

/*
 * Adds all changes that were made by the same action as the change with number `seq`, such as the holds of
 * all marked jobs or the edits of a draft. Only the console knows its actions; elsewhere only `seq` is added.
 */
static void want_act(const struct cmd_env *env, uint64_t seq, struct undo_plan *t)
{
	const struct change *changes = snapshot_changes(env->s);
	uint64_t first = seq, last = seq;

	if (env->console)
		env->ask->act_of(env->console, seq, &first, &last);
	for (uint32_t i = 0; i < snapshot_count(env->s, TABLE_CHANGES); i++)
		if (changes[i].seq >= first && changes[i].seq <= last && changes[i].kind != CHANGE_UNDO &&
		    undo_bar_of(env->s, changes[i].seq) == UNDO_OPEN)
			undo_plan_add(t, &changes[i].seq, 1);
}

static bool read_back(struct cmd_env *env, bool (*see_entry)(void *self, const struct event *ev), void *self)
{
	if (env->store != NULL)
		return store_journal(env->store, UINT64_MAX, true, see_entry, self, &env->err);
	return client_journal(env->client, UINT64_MAX, true, see_entry, self, &env->err);
}

/*
 * Sets *out to the last change of the caller. If there is none, the console offers the last change of another
 * user, with its maker and time; in a shell such a change is undone only by number. Without a journal, the
 * last change of any user counts as the caller's. Returns false with err set on failure.
 */
static bool find_last(struct cmd_env *env, uint64_t *out)
{
	struct last_change l = {.env = env};
	bool good;

	*out = last_undoable(env->s);
	if (*out == 0)
		return err_set(
			&env->err,
			"nothing to undo: the journal has no more operator changes that can be undone");
	if ((env->store == NULL && env->client == NULL) || env->who == NULL)
		return true;
	l.first = snapshot_changes(env->s)[0].seq;
	good = read_back(env, see_last, &l);
	*out = l.own != 0 || env->console == NULL ? l.own : l.other;
	if (good && *out == 0 && l.other != 0)
		good = err_set(&env->err,
			       "no more changes of %s can be undone; the last change of another user is "
			       "entry %" PRIu64 " (%s): use 'undo %" PRIu64 "'",
			       env->who, l.other, str_text(&l.what), l.other);
	else if (good && *out == 0)
		good = err_set(&env->err, "no more changes of %s can be undone; name an entry", env->who);
	str_free(&l.what);
	return good;
}

static bool want_last(struct cmd_env *env, struct undo_plan *t)
{
	uint64_t seq;

	if (!find_last(env, &seq))
		return false;
	want_act(env, seq, t);
	return true;
}

static bool read_seq(struct cmd_env *env, const char *text, uint64_t *out)
{
	int64_t seq;

	if (!str_read_whole(text, &seq) || seq <= 0)
		return err_set(
			&env->err,
			"undo takes the number of a journal entry, got '%s'; 'kahu journal' lists them",
			text);
	*out = (uint64_t)seq;
	return true;
}

/* --- changes since a point of the journal ------------------------------------------------------------- */

/* A point of the journal: an entry, or the last entry up to a time. */
struct point {
	uint64_t seq;
	int64_t time_s; /* TIME_NONE: the point is entry seq */
};

struct reading {
	struct cmd_env *env;
	struct undo_plan *list;
	const struct point *point;
	uint64_t seq; /* entry of the point, set when it is found */
};

static bool is_past(const struct point *point, const struct event *ev)
{
	return point->time_s == TIME_NONE ? ev->seq <= point->seq : ev->time_s <= point->time_s;
}

/*
 * Adds a note that names the user who made a change, unless that is the caller. keep_makers removes the notes
 * of changes that are not undone.
 */
static void name_maker(const struct cmd_env *env, const struct event *ev)
{
	struct str text = {0};

	if (!event_can_undo(ev->kind) || ev->who == NULL || env->who == NULL ||
	    strcmp(ev->who, env->who) == 0)
		return;
	add_maker(ev, &text);
	cmd_add_note(env->changes, CMD_NOTE_OTHERS, ev->seq, str_text(&text));
	str_free(&text);
}

static bool is_undone_by(const struct undo_plan *t, uint64_t seq)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->item[i].seq == seq)
			return t->item[i].end != UNDO_PLAN_CANNOT;
	return false;
}

static void keep_makers(struct cmd_changes *changes, const struct undo_plan *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < changes->notes; i++)
		if (changes->note[i].kind != CMD_NOTE_OTHERS || is_undone_by(t, changes->note[i].seq))
			changes->note[kept++] = changes->note[i];
	changes->notes = kept;
}

/*
 * Notes an entry of the journal, which is read backward. Returns false, which ends the reading, if the entry
 * is the point or no earlier entry is needed.
 */
static bool see(void *self, const struct event *ev)
{
	struct reading *r = self;

	if (r->point != NULL && is_past(r->point, ev)) {
		r->seq = ev->seq;
		return false;
	}
	if (r->point == NULL && ev->seq < undo_plan_first_seq(r->list))
		return false;
	if (r->env->console != NULL)
		name_maker(r->env, ev);
	undo_plan_note_event(r->list, ev);
	return true;
}

static bool read_journal(struct cmd_env *env, struct reading *r)
{
	return (env->store == NULL && env->client == NULL) || read_back(env, see, r);
}

/*
 * Checks that the entries to undo, and the point to return to, are still in the journal. An entry whose
 * change is still in the state passes even if it was pruned. Returns false with err set otherwise.
 */
static bool is_in_journal(struct cmd_env *env, const struct point *point, const struct undo_plan *t)
{
	const struct history_source source = {env->store, env->client};
	struct journal_span span;
	char when[MOMENT_TEXT], begin[MOMENT_TEXT];

	if (env->store == NULL && env->client == NULL)
		return true;
	if (!history_source_span(&source, &span, &env->err))
		return false;
	if (span.first <= 1)
		return true;
	wallclock_iso(begin, span.first_s);
	for (size_t i = 0; i < t->wanted_count; i++)
		if (t->wanted[i] < span.first && state_find_change(env->s, t->wanted[i]) == NULL)
			return err_set(&env->err,
				       "entry %" PRIu64 " is before the journal begins (entry %" PRIu64
				       ", %s)",
				       t->wanted[i], span.first, begin);
	if (point == NULL)
		return true;
	if (point->time_s != TIME_NONE && point->time_s < span.first_s)
		return err_set(&env->err,
			       "--to %s is before the journal begins (entry %" PRIu64
			       ", %s); undo entries by number",
			       wallclock_iso(when, point->time_s), span.first, begin);
	return point->time_s != TIME_NONE || point->seq + 1 >= span.first ||
	       err_set(&env->err,
		       "--to: entry %" PRIu64 " is before the journal begins (entry %" PRIu64
		       ", %s); undo entries by number",
		       point->seq, span.first, begin);
}

/* --- undo --------------------------------------------------------------------------------------------- */

static bool read_point(struct cmd_env *env, const char *text, struct point *out)
{
	int64_t seq;

	*out = (struct point){.time_s = TIME_NONE};
	if (text[0] == '-' || !str_read_whole(text, &seq))
		return at_second(text, env->now_s, &out->time_s, &env->err) || err_prefix(&env->err, "--to");
	out->seq = (uint64_t)seq;
	return true;
}

static bool want(struct cmd_env *env, int argc, char **argv, struct undo_plan *t)
{
	for (int i = 1; i < argc; i++) {
		uint64_t seq = 0;

		if (!read_seq(env, argv[i], &seq))
			return false;
		undo_plan_add(t, &seq, 1);
	}
	return true;
}

/*
 * Reads the journal back to the point, and adds the changes after the point to t. Returns false with err set
 * on failure.
 */
static bool look_back(struct cmd_env *env, const struct point *point, struct undo_plan *t)
{
	struct reading r = {.env = env, .list = t, .point = point};

	if (point != NULL && point->time_s != TIME_NONE && env->store == NULL && env->client == NULL)
		return err_set(&env->err,
			       "--to TIME needs a journal, and none is available; undo entries by number");
	if (point != NULL)
		undo_plan_add_after(t, point->time_s == TIME_NONE ? point->seq : 0);
	if (!read_journal(env, &r))
		return false;
	if (point != NULL && point->time_s != TIME_NONE)
		undo_plan_add_after(t, r.seq);
	return true;
}

static void note_rest(struct cmd_env *env, const struct undo_plan *t)
{
	struct str text = {0};

	if (t->started == 0 && t->ended == 0 && t->stopped == 0)
		return;
	str_addf(&text, "since then, %" PRIu64 " %s started and %" PRIu64 " ended", t->started,
		 t->started == 1 ? "job has" : "jobs have", t->ended);
	if (t->stopped > 0)
		str_addf(&text,
			 "; the queue time of jobs was reset %" PRIu64 " time%s and cannot be restored",
			 t->stopped, t->stopped == 1 ? "" : "s");
	cmd_add_note(env->changes, CMD_NOTE_STAYS, 0, str_text(&text));
	str_free(&text);
}

/*
 * Adds the plan to env->changes: notes for changes that cannot be undone, and events for the others, newest
 * first.
 */
static void take_list(struct cmd_env *env, const struct undo_plan *t)
{
	static const enum cmd_note_kind kind[] = {
		[UNDO_PLAN_CANNOT] = CMD_NOTE_CANNOT,
		[UNDO_PLAN_NOTHING] = CMD_NOTE_NOTHING,
		[UNDO_PLAN_DONE] = CMD_NOTE_DOES,
	};

	for (size_t i = 0; i < t->count; i++) {
		cmd_add_note(env->changes, kind[t->item[i].end], t->item[i].seq, t->item[i].text);
		if (t->item[i].end != UNDO_PLAN_CANNOT)
			cmd_add_event(env, EVENT_UNDO, 0)->undo.seq = t->item[i].seq;
	}
	note_rest(env, t);
	env->changes->partial |= t->cannot > 0 && cmd_option(env, "--what-can-be") == NULL;
}

static enum cmd_status propose(struct cmd_env *env, struct undo_plan *t)
{
	undo_plan_build(t, env->s);
	keep_makers(env->changes, t);
	if (t->count == 0) {
		err_set(&env->err, "nothing to undo: no changes since then");
		return CMD_REFUSED;
	}
	if (t->cannot == t->count) {
		err_set(&env->err, "%s%s", t->item[0].text,
			t->count > 1 ? "; the other changes cannot be undone either" : "");
		return CMD_REFUSED;
	}
	take_list(env, t);
	return CMD_DONE;
}

static enum cmd_status run_undo(struct cmd_env *env, int argc, char **argv)
{
	const char *to = cmd_option(env, "--to");
	struct undo_plan t = {.clock = wallclock};
	enum cmd_status status = CMD_USAGE;
	struct point point;

	if (to != NULL && argc > 1)
		err_set(&env->err, "undo: SEQ and --to are mutually exclusive; give only one");
	else if ((to == NULL || read_point(env, to, &point)) && want(env, argc, argv, &t))
		status = CMD_DONE;
	if (status == CMD_DONE && to == NULL && argc == 1 && !want_last(env, &t))
		status = CMD_REFUSED;
	if (status == CMD_DONE && !is_in_journal(env, to == NULL ? NULL : &point, &t))
		status = CMD_REFUSED;
	if (status == CMD_DONE && !look_back(env, to == NULL ? NULL : &point, &t))
		status = CMD_REFUSED;
	if (status == CMD_DONE)
		status = propose(env, &t);
	undo_plan_clear(&t);
	return status;
}

const struct cmd cmd_undo = {
	.name = "undo",
	.args = "[SEQ...]",
	.help = "Undo operators' changes, after listing what can no longer be undone. Without SEQ, undo your "
		"last change.",
	.options =
		(const struct cmd_option[]){
			{"--to", "SEQ|TIME", "undo all changes that users made after this entry or time"},
			{"--what-can-be", NULL, "if some changes cannot be undone, undo the others"},
			{0}},
	.max = -1,
	.authority = CMD_ADMIN2,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_undo,
};

/* --- keep --------------------------------------------------------------------------------------------- */

static enum cmd_status run_keep(struct cmd_env *env, int argc, char **argv)
{
	const struct change *change = snapshot_changes(env->s);

	for (int i = 1; i < argc; i++) {
		uint64_t seq = 0;

		if (!read_seq(env, argv[i], &seq))
			return CMD_USAGE;
		cmd_add_event(env, EVENT_KEEP, 0)->keep.seq = seq;
	}
	for (uint32_t i = 0; argc == 1 && i < snapshot_count(env->s, TABLE_CHANGES); i++)
		if (snapshot_is_for_a_while(&change[i]))
			cmd_add_event(env, EVENT_KEEP, 0)->keep.seq = change[i].seq;
	if (env->changes->count > 0)
		return CMD_DONE;
	err_set(&env->err, "there are no temporary changes");
	return CMD_REFUSED;
}

const struct cmd cmd_keep = {
	.name = "keep",
	.args = "[SEQ...]",
	.help = "Make temporary changes permanent; without SEQ all of them.",
	.max = -1,
	.authority = CMD_ADMIN2,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_keep,
};
