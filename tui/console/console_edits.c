/* SPDX-License-Identifier: MIT */
/* console_edits.c - the edits of the draft and of the box, and the events that they become */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/state/state.h"
#include "tui/serve/authorization.h"
#include "tui/serve/users.h"

/* --- draft and box -------------------------------------------------------------------------- */

struct draft *console_front(struct console *c)
{
	return c->box.proposal ? &c->box : &c->draft;
}

static void forget_proposal(struct console *c, struct draft *d)
{
	proposal_drop(d->proposal);
	d->proposal = NULL;
	str_clear(&d->lines);
	str_clear(&d->again);
	str_clear(&d->label);
	str_clear(&d->reason);
	d->for_s = 0;
	d->agreed = false;
	console_want_plan_query(c);
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	c->dirty = true;
}

void console_drop(struct console *c, struct draft *d)
{
	edits_clear(&d->edits);
	c->nudge = (struct nudge){0};
	if (d == &c->box) {
		c->variant = NULL;
		c->variants = 0;
		c->targets = c->hidden_targets = 0;
	}
	forget_proposal(c, d);
}

uint64_t console_draft(const struct console *c)
{
	return console_shown_draft(c)->proposal ? console_shown_draft(c)->proposal->number : 0;
}

static bool only_undoes(const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].kind != EVENT_UNDO)
			return false;
	return changes->count > 0;
}

static void label_draft(struct console *c, struct draft *d, const struct snapshot *s)
{
	const struct cmd_changes *changes = &d->proposal->changes;
	struct str *label = &d->label;

	if (d == &c->draft && (changes->count == 0 || d->edits.count > 1)) {
		str_addf(label, "draft of %zu edit%s", d->edits.count, d->edits.count == 1 ? "" : "s");
		return;
	}
	if (changes->count == 1 && changes->event[0].kind == EVENT_UNDO) {
		cmd_describe(s, &changes->event[0], label);
		return;
	}
	if (strcmp(str_text(&d->lines), "undo") == 0 && only_undoes(changes)) {
		str_addf(label, "undo of %zu changes", changes->count);
		return;
	}
	str_add(label, str_text(&d->lines));
	for (size_t i = 0; i < label->len; i++)
		if (label->data[i] == '\n')
			label->data[i] = ';';
}

/*
 * Opens the draft or the box with these edits and events. The effect is compared with the present state, so
 * the screen is unfrozen.
 */
static void open_proposal(struct console *c, struct draft *d, const struct snapshot *s, struct edits *edits,
			  struct cmd_changes *changes)
{
	forget_proposal(c, d);
	edits_clear(&d->edits);
	d->edits = *edits;
	*edits = (struct edits){0};
	c->frozen = false;
	d->proposal = mem_alloc(sizeof *d->proposal);
	*d->proposal = (struct proposal){.holders = 1, .number = ++c->drafts, .changes = *changes};
	*changes = (struct cmd_changes){0};
	edits_add_text(&d->edits, &d->lines);
	label_draft(c, d, s);
}

/* --- from lines to events -------------------------------------------------------------------- */

static bool submits(const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].kind == EVENT_SUBMIT)
			return true;
	return false;
}

/* Simulated jobs belong to the user of the console; their commands are not run. */
static void name_owner(struct cmd_env *env)
{
	for (size_t i = 0; i < env->changes->count; i++)
		if (env->changes->event[i].kind == EVENT_SUBMIT)
			env->changes->event[i].submit.cred[CRED_USER] = cmd_own(env, env->who);
}

/*
 * Makes the user of the console the submitting user of the jobs. A scheduler in another process gets the user
 * from the kernel and checks the submission again.
 */
static bool sign(const struct console *c, struct cmd_env *env)
{
	struct users *users;
	struct state *st;
	bool good;

	if (!submits(env->changes))
		return true;
	if (c->session->simulated) {
		name_owner(env);
		return true;
	}
	users = users_new();
	st = state_from_snapshot(env->s);
	good = authorize_events(&(struct authorization){.by = users_find(users, env->s, geteuid(), getegid()),
							.st = st,
							.now_s = env->now_s},
				env->changes->event, env->changes->count, &env->changes->arena, &env->err);
	state_free(st);
	users_free(users);
	return good;
}

static bool compile(const struct console *c, struct cmd_env *env, struct edits *edits)
{
	return edits_compile(edits, env, cmd_run_line) && sign(c, env);
}

/* Replaces the draft or the box; closes it if there are no edits. */
static void put_in_place(struct console *c, struct draft *d, const struct cmd_env *env, struct edits *edits)
{
	if (edits->count == 0)
		console_drop(c, d);
	else
		open_proposal(c, d, env->s, edits, env->changes);
}

/* The edits of a list that were just typed: from `from` to `to` - 1. */
struct typed {
	size_t from, to;
};

/*
 * Runs all edits. An edit of the draft that is no longer valid, for example because its job has ended, must
 * not prevent new edits: it is disabled, and the console says so. New edits are accepted or refused as a
 * whole.
 */
static bool compile_joined(struct console *c, struct cmd_env *env, struct edits *edits, struct typed typed)
{
	while (!compile(c, env, edits)) {
		size_t at = edits->refused;

		if (at >= edits->count || (at >= typed.from && at < typed.to))
			return false;
		edits->item[at].off = true;
		console_say(c, ROLE_WARNING, "Edit %zu of the draft was disabled: %s", at + 1, env->err.text);
		cmd_changes_clear(env->changes);
	}
	return true;
}

static bool take_edits(struct console *c, struct draft *d, const struct snapshot *s, struct edits *edits,
		       struct typed typed, struct err *err)
{
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = console_env(c, s, &changes, &out);
	bool good = compile_joined(c, &env, edits, typed);

	if (good)
		put_in_place(c, d, &env, edits);
	else
		*err = env.err;
	edits_clear(edits);
	cmd_changes_clear(&changes);
	str_free(&out);
	return good;
}

bool console_add_edits(struct console *c, const struct snapshot *s, const char *lines, struct err *err)
{
	struct edits edits = {0};

	edits_copy(&edits, &c->draft.edits);
	edits_add_lines(&edits, lines);
	return take_edits(c, &c->draft, s, &edits, (struct typed){c->draft.edits.count, SIZE_MAX}, err);
}

bool console_open_box(struct console *c, const struct snapshot *s, const char *lines, struct err *err)
{
	struct edits edits = {0};

	edits_add_lines(&edits, lines);
	if (!take_edits(c, &c->box, s, &edits, (struct typed){0, SIZE_MAX}, err))
		return false;
	c->variant = NULL;
	c->variants = c->targets = c->hidden_targets = 0;
	page_home(&c->box_page);
	return true;
}

/* Replaces the edits of the draft; they are run on the latest state. */
static void take_list(struct console *c, struct edits *edits, struct typed typed)
{
	struct picture *newest = picture_take(&c->source);
	struct err err;

	if (!take_edits(c, &c->draft, newest->s, edits, typed, &err))
		console_say(c, ROLE_ERROR, "%s", err.text);
	picture_drop(newest);
}

/* --- for screens ------------------------------------------------------------------------------ */

const struct edits *console_edits(const struct console *c)
{
	return &c->draft.edits;
}

const char *console_drafted(const struct console *c, const char *name)
{
	const char *value = NULL;

	if (c->draft.proposal)
		(void)edits_find_setting(&c->draft.edits, &c->draft.proposal->changes, name, &value);
	return value;
}

void console_switch_edit(struct console *c, size_t at)
{
	struct edits edits = {0};

	edits_copy(&edits, &c->draft.edits);
	edits.item[at].off = !edits.item[at].off;
	take_list(c, &edits, (struct typed){0});
}

void console_remove_edit(struct console *c, size_t at)
{
	struct edits edits = {0};

	if (at >= c->draft.edits.count)
		return;
	edits_copy(&edits, &c->draft.edits);
	edits_drop(&edits, at);
	take_list(c, &edits, (struct typed){0});
}

void console_unset(struct console *c, const char *name)
{
	const char *value;

	if (c->draft.proposal)
		console_remove_edit(
			c, edits_find_setting(&c->draft.edits, &c->draft.proposal->changes, name, &value));
}

void console_replace_edit(struct console *c, size_t at, const char *line)
{
	struct edits edits = {0};

	edits_copy(&edits, &c->draft.edits);
	free(edits.item[at].line);
	edits.item[at].line = mem_string(line);
	take_list(c, &edits, (struct typed){at, at + 1});
}
