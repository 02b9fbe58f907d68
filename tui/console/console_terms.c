/* SPDX-License-Identifier: MIT */
/*
 * console_terms.c - the terms on which a draft or the box is applied: for how long, and why
 *
 * It may be applied for a while: then the scheduler itself undoes it, whatever has become of this console by
 * then, unless an operator keeps it. One that delays others (sched/forecast/guard.h) needs a typed reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"

/* --- posting -------------------------------------------------------------------------------- */

bool console_terms_are_good(const struct draft *d, struct err *err)
{
	const struct cmd_changes *changes = &d->proposal->changes;

	for (size_t i = 0; i < changes->count && d->for_s > 0; i++) {
		const struct event *ev = &changes->event[i];

		if (!event_can_undo(ev->kind))
			return err_set(err, "'%s' cannot be taken back, and so not be done for a while",
				       event_kind_name(ev->kind));
		if (ev->kind == EVENT_SUSPEND && !ev->suspend.on)
			return err_set(err, "a resume cannot be done for a while");
	}
	return true;
}

/* The proposal itself is being looked at by others. */
uint64_t console_post_draft(struct console *c, const struct draft *d)
{
	const struct cmd_changes *changes = &d->proposal->changes;
	struct event *ev = mem_alloc(changes->count * sizeof *ev);
	uint64_t ticket;

	for (size_t i = 0; i < changes->count; i++) {
		ev[i] = changes->event[i];
		if (d->for_s > 0 && ev[i].until_s == 0)
			ev[i].until_s = console_now_s(c) + d->for_s;
		if (d->reason.len > 0 && ev[i].why == NULL)
			ev[i].why = str_text(&d->reason);
	}
	ticket = c->source.ops->post(c->source.self, ev, changes->count);
	free(ev);
	return ticket;
}

/* --- why ------------------------------------------------------------------------------------ */

static void take_reason(void *self, const char *text)
{
	struct console *c = self;
	struct draft *d = console_front(c);

	if (!d->proposal)
		return;
	str_clear(&d->reason);
	str_add(&d->reason, text);
	if (d->reason.len > 0)
		console_apply(c);
	else
		console_say(c, ROLE_MESSAGE, "Nothing was applied: it needs a reason.");
}

/* In few words, for the prompt; all of it is among the messages. */
static void ask_reason(struct console *c, const char *needs)
{
	char sign[48];

	console_say(c, ROLE_DRAFT_DANGER, "This needs a reason: %s.", needs);
	snprintf(sign, sizeof sign, "%.*s: why? ", (int)strcspn(needs, ";,"), needs);
	console_ask(c, sign, "", take_reason, c);
}

bool console_asks_reason(struct console *c, const struct draft *d)
{
	struct picture *newest;
	struct str needs = {0};
	bool asks = false;

	if (d->reason.len == 0) {
		newest = picture_take(&c->source);
		asks = cmd_needs_reason(newest->s, console_now_s(c), &d->proposal->changes, &needs);
		picture_drop(newest);
	}
	if (asks)
		ask_reason(c, str_text(&needs));
	str_free(&needs);
	return asks;
}

/* --- for how long --------------------------------------------------------------------------- */

bool console_apply_for(struct console *c, int64_t for_s, const char *reason, struct err *err)
{
	struct draft *d = console_front(c);

	if (!d->proposal)
		return err_set(err, "there is no draft to apply");
	d->for_s = for_s;
	str_clear(&d->reason);
	str_add(&d->reason, reason ? reason : "");
	if (!console_terms_are_good(d, err)) {
		d->for_s = 0;
		return false;
	}
	console_apply(c);
	return true;
}

static void take_for(void *self, const char *text)
{
	struct console *c = self;
	struct err err;
	int64_t for_s;

	if (!duration_parse(text, &for_s, &err) ||
	    (for_s <= 0 && !err_set(&err, "no time at all; write how long, such as 30m")) ||
	    !console_apply_for(c, for_s, NULL, &err))
		console_say(c, ROLE_ERROR, "%s", err.text);
}

void console_ask_for(struct console *c)
{
	if (console_front(c)->proposal)
		console_ask(c, "for how long: ", "30m", take_for, c);
	else
		console_say(c, ROLE_MESSAGE, "There is no draft that could be applied for a while.");
}

int64_t console_next_return_s(const struct console *c)
{
	const struct snapshot *s = c->latest ? c->latest->s : NULL;
	int64_t next_s = TIME_NEVER;

	for (uint32_t i = 0; s && i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];

		if (snapshot_is_for_a_while(change) && change->until_s < next_s)
			next_s = change->until_s;
	}
	return next_s;
}

/* --- what is known of its parts ---------------------------------------------------------------- */

void console_write_notes(struct page *out, const struct cmd_changes *changes, int x, int width)
{
	for (size_t i = 0; i < changes->notes; i++) {
		const struct cmd_note *note = &changes->note[i];
		enum role role = note->kind == CMD_NOTE_CANNOT ? ROLE_ERROR : ROLE_TEXT;
		struct str text = {0};

		if (i == 0 || note->kind != note[-1].kind)
			page_wrap(out, role, x, width, cmd_note_title(note->kind));
		if (note->seq != 0 && note->kind != CMD_NOTE_CANNOT)
			str_addf(&text, "%" PRIu64 "  ", note->seq);
		str_add(&text, note->text);
		page_wrap(out, role, x + 2, width - 2, str_text(&text));
		str_free(&text);
	}
}
