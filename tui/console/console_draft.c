/* SPDX-License-Identifier: MIT */
/* console_draft.c - running command lines; applying the draft or the box, temporarily or with a reason */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console_inside.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/rm/spool.h"

/* --- temporary changes and reasons -------------------------------------------------------------------- */

/*
 * A temporary change is undone by the scheduler itself, regardless of this console, unless an operator makes
 * it permanent. A change that delays other jobs (sched/forecast/justification.h) requires a reason.
 */

/* --- posting -------------------------------------------------------------------------------- */

/* Can the draft be applied as requested? A temporary change must be one that can be undone. */
static bool console_terms_are_good(const struct draft *d, struct err *err)
{
	const struct cmd_changes *changes = &d->proposal->changes;

	for (size_t i = 0; i < changes->count && d->for_s > 0; i++) {
		const struct event *ev = &changes->event[i];

		if (!event_can_undo(ev->kind))
			return err_set(err, "'%s' cannot be undone and therefore cannot be temporary",
				       event_kind_name(ev->kind));
		if (ev->kind == EVENT_SUSPEND && !ev->suspend.on)
			return err_set(err, "a resume cannot be temporary");
	}
	return true;
}

/*
 * Posts the events of the draft; returns the ticket. The events are copied, because other threads read the
 * proposal.
 */
static uint64_t console_post_draft(struct console *c, const struct draft *d)
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

/* --- reasons -------------------------------------------------------------------------------- */

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
		console_say(c, ROLE_MESSAGE, "Not applied: a reason is required.");
}

/* Asks for a reason. The prompt has room only for a short text; the full text is written to the messages. */
static void ask_reason(struct console *c, const char *needs)
{
	char sign[48];

	console_say(c, ROLE_DRAFT_DANGER, "A reason is required: %s.", needs);
	snprintf(sign, sizeof sign, "%.*s; reason: ", (int)strcspn(needs, ";,"), needs);
	console_ask(c, sign, "", take_reason, c);
}

/* Asks for a reason if one is required and missing; otherwise returns false. */
static bool console_asks_reason(struct console *c, const struct draft *d)
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

/* --- durations ------------------------------------------------------------------------------ */

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
	    (for_s <= 0 && !err_set(&err, "the duration is 0; specify one such as 30m")) ||
	    !console_apply_for(c, for_s, NULL, &err))
		console_say(c, ROLE_ERROR, "%s", err.text);
}

void console_ask_for(struct console *c)
{
	if (console_front(c)->proposal)
		console_ask(c, "duration: ", "30m", take_for, c);
	else
		console_say(c, ROLE_MESSAGE, "No draft or box to apply.");
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

/* --- changes that cannot be undone or have no effect -------------------------------------------------- */

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

/* --- command lines ------------------------------------------------------------------------------------ */

/* --- running command lines ------------------------------------------------------------ */

static void show_output(struct console *c, const char *title, const struct str *out)
{
	const char *text = str_text(out), *newline = strchr(text, '\n');

	if (text[0] == '\0')
		return;
	if (!newline || newline[1] == '\0') {
		console_say(c, ROLE_MESSAGE, "%.*s", (int)strcspn(text, "\n"), text);
		return;
	}
	free(c->output_title);
	c->output_title = mem_string(title);
	str_clear(&c->output);
	str_add(&c->output, text);
	if (strcmp(console_view(c)->name, "output") != 0)
		console_go(c, "output");
	else
		console_recalc(c);
}

/* For --dry-run: reports the effect in a message, and keeps nothing. */
static bool say_effect(struct console *c, const struct cmd_env *env, struct err *err)
{
	struct str effect = {0};
	bool ok = cmd_preview(env->s, env->now_s, false, env->changes, &effect, err);

	if (ok)
		console_say(c, ROLE_MESSAGE, "Not applied; the effect would be: %s.", str_text(&effect));
	str_free(&effect);
	return ok;
}

static enum cmd_status run_each(struct cmd_env *env, const char *lines)
{
	char *copy = mem_string(lines), *save = NULL;
	enum cmd_status status = CMD_DONE;

	for (char *line = strtok_r(copy, "\n", &save); line && status == CMD_DONE;
	     line = strtok_r(NULL, "\n", &save))
		status = cmd_run_line(env, line);
	free(copy);
	return status;
}

/* Destination of command lines that change something. */
enum aim {
	AIM_TYPED, /* draft or box, by kind of change; refused while the box is open */
	AIM_KEY,   /* like AIM_TYPED, but replaces the content of an open box */
	AIM_BOX,
	AIM_DRAFT
};

/*
 * Are the changes added to the draft? Changes of settings are; on screens that show the effect of the draft,
 * actions on jobs are added as well. An undo or a keep is never added.
 */
static bool joins_draft(const struct console *c, const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		enum event_kind kind = changes->event[i].kind;

		if (kind == EVENT_UNDO || kind == EVENT_KEEP ||
		    (kind != EVENT_SETTING && !console_view(c)->shows_draft))
			return false;
	}
	return true;
}

static bool take_changes(struct console *c, struct cmd_env *env, const char *lines, enum aim aim)
{
	if (env->changes->count == 0)
		return true;
	if (env->dry_run)
		return say_effect(c, env, &env->err);
	if (c->session->readonly)
		return err_set(&env->err, "the console is read-only (--readonly)");
	if (c->past || env->past)
		return err_set(&env->err, "%s", CONSOLE_PAST_STAYS);
	if (aim == AIM_TYPED && c->box.proposal)
		return err_set(&env->err,
			       "'%s' is not answered yet: Enter applies it, Esc dismisses it, d adds it to "
			       "the draft",
			       str_text(&c->box.label));
	if (aim == AIM_DRAFT || (aim != AIM_BOX && joins_draft(c, env->changes)))
		return console_add_edits(c, env->s, lines, &env->err);
	return console_open_box(c, env->s, lines, &env->err);
}

/*
 * Returns the state that commands use: the latest one, even if the screen shows an older one, because the
 * screen is frozen or because the latest state has not been planned yet. Only a past state is used as shown.
 */
static struct picture *picture_of_lines(struct console *c)
{
	return c->shown && plan_query_is_past(c->shown) ? picture_hold(c->shown->picture)
							: picture_take(&c->source);
}

static enum cmd_status run_lines(struct console *c, const char *lines, enum aim aim, struct err *err)
{
	struct picture *newest = picture_of_lines(c);
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = console_env(c, newest->s, &changes, &out);
	enum cmd_status status;

	env.past = newest->is_past;
	env.now_s = env.past ? c->shown->now_s : env.now_s;
	status = run_each(&env, lines);
	if (status == CMD_DONE && !take_changes(c, &env, lines, aim))
		status = CMD_REFUSED;
	if (status == CMD_DONE)
		show_output(c, lines, &out);
	else
		*err = env.err;
	cmd_changes_clear(&changes);
	picture_drop(newest);
	str_free(&out);
	c->dirty = true;
	return status;
}

enum cmd_status console_run_lines(struct console *c, const char *lines, struct err *err)
{
	return run_lines(c, lines, AIM_TYPED, err);
}

static bool propose(struct console *c, const char *lines, enum aim aim)
{
	struct err err;
	bool good = run_lines(c, lines, aim, &err) == CMD_DONE;

	if (!good)
		console_say(c, ROLE_ERROR, "%s", err.text);
	return good;
}

bool console_propose(struct console *c, const char *lines)
{
	return propose(c, lines, AIM_KEY);
}

void console_preview(struct console *c, const char *lines)
{
	(void)propose(c, lines, AIM_BOX);
}

void console_box_to_draft(struct console *c)
{
	char *lines = mem_string(str_text(&c->box.lines));

	if (propose(c, lines, AIM_DRAFT)) {
		console_drop(c, &c->box);
		console_say(c, ROLE_MESSAGE, "Added to the draft. A applies it, D discards it.");
	}
	free(lines);
}

/* Appends a blank and the word, quoted if necessary. */
static void add_word(struct str *line, const char *word)
{
	bool is_plain = word[0] != '\0' && !strpbrk(word, " \t\r\n'\"\\");

	str_add(line, is_plain ? " " : " \"");
	for (; *word; word++) {
		if (!is_plain && strchr("\"\\", *word))
			str_add_char(line, '\\');
		str_add_char(line, *word);
	}
	str_add(line, is_plain ? "" : "\"");
}

static bool tune(struct console *c, const char *option, const char *value, enum aim aim)
{
	struct str line = {0};
	bool good;

	str_add(&line, "tune");
	add_word(&line, option);
	add_word(&line, value);
	good = propose(c, str_text(&line), aim);
	str_free(&line);
	return good;
}

bool console_propose_tune(struct console *c, const char *option, const char *value)
{
	return tune(c, option, value, AIM_KEY);
}

void console_preview_tune(struct console *c, const char *option, const char *value)
{
	(void)tune(c, option, value, AIM_BOX);
}

/* --- applying ----------------------------------------------------- */

static void keep_ticket(struct console *c, struct ticket ticket)
{
	c->ticket = vec_room(c->ticket, &c->ticket_cap, c->tickets + 1, sizeof *c->ticket);
	c->ticket[c->tickets++] = ticket;
}

/* Remembers which journal entries belong to a request with several events; they are consecutive. */
static void keep_act(struct console *c, uint64_t last, size_t events)
{
	if (events < 2 || last < events)
		return;
	c->act = vec_room(c->act, &c->act_cap, c->acts + 1, sizeof *c->act);
	c->act[c->acts++] = (struct act){.first = last - events + 1, .last = last};
}

void console_act_of(const struct console *c, uint64_t seq, uint64_t *first, uint64_t *last)
{
	*first = *last = seq;
	for (size_t i = 0; i < c->acts; i++) {
		if (c->act[i].first > seq || c->act[i].last < seq)
			continue;
		*first = c->act[i].first;
		*last = c->act[i].last;
	}
}

bool console_draft_refused(const struct console *c, const struct draft *d)
{
	return d->proposal && c->shown && c->shown->proposal == d->proposal && c->shown->refused;
}

bool console_draft_loss(const struct console *c, const struct draft *d, struct str *out)
{
	const struct cmd_changes *changes = &d->proposal->changes;
	size_t waiting = 0, running = 0;
	uint32_t processes = 0;
	struct spool_usage usage;
	int64_t lost_ps = 0;

	for (size_t i = 0; i < changes->count; i++) {
		enum event_kind kind = changes->event[i].kind;
		const struct job *job =
			c->shown ? forecast_job(&c->shown->live, changes->event[i].job, NULL) : NULL;

		if (job == NULL || (kind != EVENT_CANCEL && kind != EVENT_REQUEUE))
			continue;
		if (job->state != JOB_RUNNING) {
			waiting++;
			continue;
		}
		running++;
		if (console_usage(c, job, &usage))
			processes += usage.processes;
		lost_ps += job_procs_counted(job) * (c->shown->now_s - job->start_s);
	}
	if (running > 0)
		str_addf(out, "ends %zu running %s", running, running == 1 ? "job" : "jobs");
	if (processes > 0)
		str_addf(out, ", %" PRIu32 " process%s", processes, processes == 1 ? "" : "es");
	if (running > 0)
		str_addf(out, ", %.2f CPU-hours lost", (double)lost_ps / 3600);
	if (waiting > 0)
		str_addf(out, "%scancels %zu idle %s", running > 0 ? ", " : "", waiting,
			 waiting == 1 ? "job" : "jobs");
	return waiting + running > 0;
}

static bool can_undo(const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].kind == EVENT_UNDO || !event_can_undo(changes->event[i].kind))
			return false;
	return true;
}

static void apply(struct console *c, struct draft *d)
{
	const struct cmd_changes *changes = &d->proposal->changes;

	keep_ticket(c, (struct ticket){.number = console_post_draft(c, d),
				       .what = mem_string(str_text(&d->label)),
				       .undoable = can_undo(changes),
				       .events = changes->count});
	str_clear(&c->again);
	str_add(&c->again, str_text(d->again.len > 0 ? &d->again : &d->lines));
	console_drop(c, d);
}

/* Answering no closes the box; a draft stays open until it is discarded. */
static void answer_apply(struct console *c, char key)
{
	struct draft *d = console_front(c);

	d->agreed = key == 'y';
	if (key == 'y')
		console_apply(c);
	else if (d == &c->box)
		console_drop(c, d);
}

/*
 * Must the user confirm? True if jobs would be ended or cancelled, or if some of the changes cannot be
 * undone; c->asked is then the question.
 */
static bool has_to_agree(struct console *c, const struct draft *d)
{
	const struct cmd_changes *changes = &d->proposal->changes;

	str_clear(&c->asked);
	if (d->agreed)
		return false;
	if (changes->partial)
		str_addf(&c->asked, "%zu of the changes cannot be undone; undo the other %zu",
			 cmd_count_notes(changes, CMD_NOTE_CANNOT), changes->count);
	return console_draft_loss(c, d, &c->asked) || changes->partial;
}

static void ask(struct console *c, const char *yes, const char *no,
		void (*chosen)(struct console *c, char key))
{
	str_add(&c->asked, "?");
	c->question = (struct question){
		.text = str_text(&c->asked),
		.choice = {{'y', yes}, {'n', no}},
		.count = 2,
		.fallback = 1,
		.chosen = chosen,
	};
}

void console_apply(struct console *c)
{
	struct draft *d = console_front(c);
	struct err err;

	if (!d->proposal)
		console_say(c, ROLE_MESSAGE, "No draft to apply.");
	else if (d->proposal->changes.count == 0)
		console_say(c, ROLE_MESSAGE, "All edits of the draft are disabled; nothing to apply.");
	else if (!console_terms_are_good(d, &err))
		console_say(c, ROLE_ERROR, "%s", err.text);
	else if (console_draft_refused(c, d))
		console_say(c, ROLE_ERROR, "%s", c->shown->err.text);
	else if (has_to_agree(c, d))
		ask(c, "yes", "no", answer_apply);
	else if (!console_asks_reason(c, d))
		apply(c, d);
}

bool console_drop_all(struct console *c, struct err *err)
{
	struct draft *d = console_front(c);

	if (!d->proposal)
		return err_set(err, "there is no draft to discard");
	console_drop(c, d);
	return true;
}

static void answer_discard(struct console *c, char key)
{
	if (key == 'y')
		console_drop(c, &c->draft);
}

void console_discard(struct console *c)
{
	if (!c->draft.proposal) {
		console_say(c, ROLE_MESSAGE, "No draft to discard.");
	} else if (c->draft.edits.count == 1) {
		console_drop(c, &c->draft);
	} else {
		str_clear(&c->asked);
		str_addf(&c->asked, "Discard the draft of %zu edits", c->draft.edits.count);
		ask(c, "discard", "keep", answer_discard);
	}
}

static void say_answer(struct console *c, const char *what, bool undoable, const struct host_answer *answer)
{
	if (answer->outcome == DRIVER_DONE && answer->left_out > 0)
		console_say(c, ROLE_MESSAGE,
			    "Done: %s; skipped %zu change%s because the state of the jobs has changed.", what,
			    answer->left_out, answer->left_out == 1 ? "" : "s");
	else if (answer->outcome == DRIVER_DONE)
		console_say(c, ROLE_MESSAGE, "Done: %s.%s", what, undoable ? " u undoes it." : "");
	else
		console_say(c, ROLE_ERROR, "%s: %s", what, answer->err.text);
}

void console_answered(struct console *c, const struct host_answer *answer)
{
	for (size_t i = 0; i < c->tickets; i++) {
		char *what = c->ticket[i].what;
		bool undoable = c->ticket[i].undoable;

		if (c->ticket[i].number != answer->ticket)
			continue;
		if (answer->outcome == DRIVER_DONE || answer->together > 0)
			keep_act(c, answer->seq,
				 answer->together > 0 ? answer->together : c->ticket[i].events);
		memmove(c->ticket + i, c->ticket + i + 1, (c->tickets - i - 1) * sizeof *c->ticket);
		c->tickets--;
		if (what)
			say_answer(c, what, undoable, answer);
		else if (answer->outcome != DRIVER_DONE && c->failure.text[0] == '\0')
			c->failure = answer->err;
		free(what);
		break;
	}
	c->answered = true;
	console_want_plan_query(c);
}

/* --- time ----------------------------------------------------------------------------- */

static bool is_movable(struct console *c)
{
	return c->session->simulated ||
	       err_set(&c->failure, "only simulated time can be advanced; use wait-for");
}

void console_advance(struct console *c, int64_t to_s)
{
	if (!is_movable(c))
		return;
	keep_ticket(c, (struct ticket){.number = host_advance(c->session->host, to_s)});
}

void console_step(struct console *c, uint32_t count)
{
	if (!is_movable(c))
		return;
	keep_ticket(c, (struct ticket){.number = host_step(c->session->host, count)});
}
