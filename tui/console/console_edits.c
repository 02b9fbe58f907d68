/* SPDX-License-Identifier: MIT */
/*
 * console_edits.c - what does the draft consist of, and how does it change?
 *
 * Each change makes a list of edits first, and runs all their lines anew against what is so now. Only what
 * went well as a whole takes the place of the draft there was.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/core/state.h"
#include "tui/serve/people.h"
#include "tui/serve/petition.h"

/* --- the draft ---------------------------------------------------------------------------- */

static void forget_proposal(struct console *c)
{
	proposal_drop(c->draft.proposal);
	c->draft.proposal = NULL;
	str_clear(&c->draft.lines);
	str_clear(&c->draft.again);
	str_clear(&c->draft.label);
	str_clear(&c->draft.reason);
	str_clear(&c->draft.instead);
	c->draft.for_s = 0;
	c->draft.agreed = false;
	console_want_outlook(c);
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	c->dirty = true;
}

void console_drop_draft(struct console *c)
{
	edits_clear(&c->draft.edits);
	c->nudge = (struct nudge){0};
	forget_proposal(c);
}

uint64_t console_draft(const struct console *c)
{
	return c->draft.proposal ? c->draft.proposal->number : 0;
}

static bool only_undoes(const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].kind != EVENT_UNDO)
			return false;
	return changes->count > 0;
}

static void label_draft(struct console *c, const struct snapshot *s)
{
	const struct cmd_changes *changes = &c->draft.proposal->changes;
	struct str *label = &c->draft.label;

	if (changes->count == 0 || (edits_kept(&c->draft.edits) > 0 && c->draft.edits.count > 1)) {
		str_addf(label, "draft of %zu edit%s", c->draft.edits.count,
			 c->draft.edits.count == 1 ? "" : "s");
		return;
	}
	if (changes->count == 1 && changes->event[0].kind == EVENT_UNDO) {
		cmd_describe(s, &changes->event[0], label);
		return;
	}
	if (strcmp(str_text(&c->draft.lines), "undo") == 0 && only_undoes(changes)) {
		str_addf(label, "undo of %zu changes", changes->count);
		return;
	}
	str_add(label, str_text(&c->draft.lines));
	for (size_t i = 0; i < label->len; i++)
		if (label->data[i] == '\n')
			label->data[i] = ';';
}

/* A draft is shown against what is so now: a frozen picture follows again. */
static void open_draft(struct console *c, const struct snapshot *s, struct edits *edits,
		       struct cmd_changes *changes)
{
	forget_proposal(c);
	edits_clear(&c->draft.edits);
	c->draft.edits = *edits;
	*edits = (struct edits){0};
	c->frozen = false;
	c->draft.proposal = mem_alloc(sizeof *c->draft.proposal);
	*c->draft.proposal = (struct proposal){.holders = 1, .number = ++c->drafts, .changes = *changes};
	*changes = (struct cmd_changes){0};
	edits_add_text(&c->draft.edits, &c->draft.lines);
	label_draft(c, s);
	if (console_view(c)->foresees)
		console_keep_draft(c);
}

void console_keep_draft(struct console *c)
{
	for (size_t i = 0; i < c->draft.edits.count; i++)
		c->draft.edits.item[i].kept = true;
	str_clear(&c->draft.instead);
	c->nudge = (struct nudge){0};
}

/* --- from lines to events -------------------------------------------------------------------- */

static bool submits(const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].kind == EVENT_SUBMIT)
			return true;
	return false;
}

/* Simulated jobs are whose the console is; what they run nobody runs. */
static void name_owner(struct cmd_env *env)
{
	for (size_t i = 0; i < env->changes->count; i++)
		if (env->changes->event[i].kind == EVENT_SUBMIT)
			env->changes->event[i].submit.cred[CRED_USER] = cmd_own(env, env->who);
}

/* Who submits is the person at the console. A scheduler elsewhere asks the kernel who that is, and judges. */
static bool sign(const struct console *c, struct cmd_env *env)
{
	struct people *people;
	struct state *st;
	bool good;

	if (!submits(env->changes))
		return true;
	if (c->session->simulated) {
		name_owner(env);
		return true;
	}
	people = people_new();
	st = state_from_snapshot(env->s);
	good = petition_sign(&(struct petition){.by = people_find(people, env->s, geteuid(), getegid()),
						.st = st,
						.now_s = env->now_s},
			     env->changes->event, env->changes->count, &env->changes->arena, &env->err);
	state_free(st);
	people_free(people);
	return good;
}

static bool compile(const struct console *c, struct cmd_env *env, struct edits *edits)
{
	return edits_compile(edits, env) && sign(c, env);
}

/* Takes the place of the draft; it is dropped when there are no edits. */
static void put_in_place(struct console *c, const struct cmd_env *env, struct edits *edits)
{
	if (edits->count == 0)
		console_drop_draft(c);
	else
		open_draft(c, env->s, edits, env->changes);
}

static bool take_edits(struct console *c, struct cmd_env *env, struct edits *edits)
{
	bool good = compile(c, env, edits);

	if (good)
		put_in_place(c, env, edits);
	edits_clear(edits);
	return good;
}

/* What the draft that is open has and the next has not; what was said of it goes on while it does. */
static void add_gone(const struct console *c, const struct edits *next, const struct cmd_changes *changes,
		     const void *by, struct str *out)
{
	if (!c->draft.proposal)
		return;
	edits_add_gone(&c->draft.edits, &c->draft.proposal->changes, next, changes, by, out);
	if (out->len == 0)
		str_add(out, str_text(&c->draft.instead));
}

struct cmd_env console_env(struct console *c, const struct snapshot *s, struct cmd_changes *changes,
			   struct str *out)
{
	return (struct cmd_env){
		.s = s,
		.now_s = console_now_s(c),
		.store = c->session->store,
		.who = c->session->who,
		.ascii = c->ascii,
		.width = c->canvas.w,
		.out = out,
		.changes = changes,
		.console = c,
	};
}

bool console_add_edits(struct console *c, struct cmd_env *env, const char *lines, const void *by)
{
	struct edits edits = {0};
	struct cmd_changes changes = {0};
	struct str out = {0}, instead = {0};
	struct cmd_env again = console_env(c, env->s, &changes, &out);
	bool good;

	edits_add_staying(&edits, &c->draft.edits, by);
	edits_add_lines(&edits, lines, by);
	good = compile(c, &again, &edits);
	if (good) {
		add_gone(c, &edits, &changes, by, &instead);
		put_in_place(c, &again, &edits);
		str_add(&c->draft.instead, str_text(&instead));
	}
	edits_clear(&edits);
	env->err = again.err;
	cmd_changes_clear(&changes);
	str_free(&instead);
	str_free(&out);
	return good;
}

/* The present picture, and what is left to do when the edits were changed. */
static void take_list(struct console *c, struct edits *edits)
{
	struct picture *newest = picture_take(&c->source);
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = console_env(c, newest->s, &changes, &out);

	if (!take_edits(c, &env, edits))
		console_say(c, ROLE_ERROR, "%s", env.err.text);
	cmd_changes_clear(&changes);
	str_free(&out);
	picture_drop(newest);
}

/* --- for screens ------------------------------------------------------------------------------ */

void console_take_back(struct console *c)
{
	struct edits edits = {0};

	edits_add_staying(&edits, &c->draft.edits, NULL);
	if (edits.count == 0 || edits.count == c->draft.edits.count)
		console_drop_draft(c);
	else
		take_list(c, &edits);
	edits_clear(&edits);
}

void console_withdraw(struct console *c, const void *by)
{
	struct edits edits = {0};

	if (edits_are_by(&c->draft.edits, by)) {
		edits_add_staying(&edits, &c->draft.edits, by);
		take_list(c, &edits);
	}
	edits_clear(&edits);
}

bool console_drafts(const struct console *c, const void *by)
{
	return edits_are_by(&c->draft.edits, by);
}

const struct edits *console_edits(const struct console *c)
{
	return &c->draft.edits;
}

/* All of the draft, kept, to be changed in one place. */
static struct edits copy_all(struct console *c)
{
	struct edits edits = {0};

	console_keep_draft(c);
	edits_add_staying(&edits, &c->draft.edits, NULL);
	return edits;
}

void console_switch_edit(struct console *c, size_t at)
{
	struct edits edits = copy_all(c);

	edits.item[at].off = !edits.item[at].off;
	take_list(c, &edits);
}

void console_remove_edit(struct console *c, size_t at)
{
	struct edits edits = copy_all(c);

	edits_drop(&edits, at);
	take_list(c, &edits);
}

void console_replace_edit(struct console *c, size_t at, const char *line)
{
	struct edits edits = copy_all(c);

	free(edits.item[at].line);
	edits.item[at].line = mem_string(line);
	edits.item[at].by = NULL;
	take_list(c, &edits);
}
