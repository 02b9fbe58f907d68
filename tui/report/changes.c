/* SPDX-License-Identifier: MIT */
/*
 * changes.c - the events that a verb or a draft proposes, with their notes and their preview
 */
#include "changes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/future.h"
#include "sched/forecast/guard.h"
#include "sched/rm/wallclock.h"
#include "sched/state/draft.h"

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

/* --- in words ------------------------------------------------------------------------- */

/* As the entry says it: +50 is added to the computed priority, = 500 stands in its place. */
static void add_priority(const struct change *change, struct str *out)
{
	if (change->on == JOB_ADJUST_NONE)
		str_add(out, "priority as computed");
	else
		str_addf(out,
			 change->on == JOB_ADJUST_RELATIVE ? "priority %+" PRId64 : "priority = %" PRId64,
			 change->number);
}

/* What an undo takes back: " (xfactorweight = 200)". */
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
		str_add(out, "the order and all estimated starts stay");
		return;
	}
	if (change->reordered == 0)
		str_add(out, "the order stays");
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

/* A change is made in a moment; who only asks what it would do can wait for longer. In the console a verb
 * runs between two keys. */
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
	asked = guard_asks(&pair, wallclock, out);
	future_pair_clear(&pair);
	state_free(copy);
	return asked;
}
