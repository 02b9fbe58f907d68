/* SPDX-License-Identifier: MIT */
/*
 * edits.c - the edits that a draft consists of
 */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define WORDS_EVENTS 3 /* of the events of an edit, so many in words */

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

/* Are they about the same thing, so that only the later one counts? */
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

/* Is there for each event of an edit one about the same thing, from a place of a list on? */
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

/* The edit goes, and its events. */
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

/* The edit whose event this is. */
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
