/* SPDX-License-Identifier: MIT */
/* console.c - lifecycle and main loop of a console: snapshots, plans and answers */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"
#include "tui/query/worker.h"

/* --- spare plan queries ------------------------------------------------------------------------------- */

/*
 * A plan query is referenced by the console and by the background queries derived from it. The last reference
 * returns it to the spares, whose memory is reused.
 */

/* Returns a plan query with one reference. */
static struct plan_query *console_new_plan_query(struct console *c)
{
	struct plan_query *o = (struct plan_query *)c->spare;

	if (o)
		c->spare = o->query.next;
	else
		o = mem_zero(1, sizeof *o);
	o->query.ops = &plan_query_ops;
	o->holders = 1;
	return o;
}

void console_let_go(struct console *c, struct plan_query *o)
{
	if (!o || --o->holders > 0)
		return;
	plan_query_reset(o);
	o->query.next = c->spare;
	c->spare = &o->query;
}

void console_want_plan_query(struct console *c)
{
	c->wanted = true;
}

static void console_free_spares(struct console *c)
{
	while (c->spare) {
		struct query *spare = c->spare;

		c->spare = spare->next;
		plan_query_free((struct plan_query *)spare);
	}
}

/* --- the console -------------------------------------------------------------------------------------- */

#define FRAME_MS 100 /* at most ten frames a second while time runs */

#define CLOCK_MS 1000 /* and at least one a second */

/* --- create and free ------------------------------------------------------------------ */

static void open_views(struct console *c)
{
	c->memory = mem_zero(views_count, sizeof *c->memory);
	c->stale = mem_zero(views_count, sizeof *c->stale);
	c->filter = mem_zero(views_count, sizeof *c->filter);
	for (size_t i = 0; i < views_count; i++) {
		c->memory[i] = mem_zero(1, views_all[i]->size);
		c->stale[i] = true;
		views_all[i]->open(c->memory[i], &c->host);
	}
}

struct console *console_new(const struct session *s, const struct console_door *door, bool scripted,
			    struct err *err)
{
	struct console *c = mem_zero(1, sizeof *c);

	c->host = (struct screen_host){.ops = &console_host_ops, .console = c};
	c->worker = worker_start(err);
	if (!c->worker) {
		free(c);
		return NULL;
	}
	c->session = s;
	c->source = s->source;
	if (door)
		c->door = *door;
	c->scripted = scripted;
	c->ascii = s->ascii;
	c->canvas.ascii = s->ascii;
	snprintf(c->theme, sizeof c->theme, "%s", s->theme ? s->theme : THEME_AT_FIRST);
	c->speed = scripted ? 0 : s->simulated ? host_speed(s->host) : 1;
	open_views(c);
	c->latest = picture_take(&c->source);
	console_want_plan_query(c);
	c->dirty = true;
	return c;
}

static void free_draft(struct draft *d)
{
	proposal_drop(d->proposal);
	edits_clear(&d->edits);
	str_free(&d->lines);
	str_free(&d->again);
	str_free(&d->label);
	str_free(&d->reason);
}

static void free_texts(struct console *c)
{
	for (size_t i = 0; i < c->messages; i++)
		free(c->message[i].text);
	for (size_t i = 0; i < c->tickets; i++)
		free(c->ticket[i].what);
	for (size_t i = 0; i < c->stacked; i++)
		free(c->stack[i].filter);
	free(c->message);
	free(c->ticket);
	free(c->act);
	free(c->filter_before);
	free(c->output_title);
	str_free(&c->output);
	str_free(&c->asked);
	str_free(&c->problem);
	str_free(&c->again);
	free_draft(&c->draft);
	free_draft(&c->box);
	page_free(&c->box_page);
	page_free(&c->note);
	figures_free(&c->figures);
	lint_cache_free(&c->lint_cache);
	for (size_t i = 0; i < views_count; i++)
		filter_clear(&c->filter[i]);
	free(c->filter);
	filter_clear(&c->search);
	prompt_history_free(&c->commands);
	prompt_history_free(&c->filters);
}

void console_free(struct console *c)
{
	if (!c)
		return;
	if (c->prompting)
		prompt_close(&c->prompt);
	worker_stop(c->worker);
	for (size_t i = 0; i < views_count; i++) {
		views_all[i]->close(c->memory[i]);
		free(c->memory[i]);
	}
	free(c->memory);
	free(c->stale);
	console_forget_ended(c);
	console_free_queries(c);
	console_free_impacts(c);
	run_assumption_drop(c->run_assumption);
	run_assumption_drop(c->usual);
	plan_query_drop(c->shown);
	console_free_spares(c);
	picture_drop(c->latest);
	picture_drop(c->past);
	free_texts(c);
	canvas_free(&c->canvas);
	free(c);
}

/* --- plans ---------------------------------------------------------------------------- */

static void ask_plan_query(struct console *c)
{
	struct plan_query *o = console_new_plan_query(c);
	const struct draft *front = console_front(c);

	o->picture = picture_hold(c->past ? c->past : c->latest);
	o->proposal = front->proposal ? proposal_hold(front->proposal) : NULL;
	o->now_s = c->past                 ? c->past->moment.time_s
		   : c->frozen && c->shown ? c->shown->now_s
					   : console_now_s(c);
	/* The system clock was set back since the shown snapshot. */
	if (!c->past && o->now_s < o->picture->s->now_s)
		o->now_s = o->picture->s->now_s;
	o->compares = console_view(c)->shows_draft;
	c->wanted = false;
	c->planned_ms = monotonic_ms();
	console_let_go(c, (struct plan_query *)worker_ask(c->worker, &o->query, false));
}

static void show_plan_query(struct console *c, struct plan_query *o)
{
	struct plan_query *before = c->shown;

	if (!console_past_came(c, o)) {
		console_let_go(c, o);
		return;
	}
	console_estimate(c, o);
	c->shown = o;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	console_freshen(c);
	console_let_go(c, before);
	c->dirty = true;
}

static void collect_plans(struct console *c)
{
	struct query *newest = worker_take(c->worker, LANE_NEAR);

	if (!newest)
		return;
	for (struct query *old = newest->next, *next; old; old = next) {
		next = old->next;
		console_let_go(c, (struct plan_query *)old);
	}
	show_plan_query(c, (struct plan_query *)newest);
}

/* Plans become outdated while time runs. */
static int64_t plan_interval_ms(const struct console *c)
{
	return query_interval_ms(c->shown ? &c->shown->query : NULL);
}

static bool time_runs(const struct console *c)
{
	return !c->scripted && !c->frozen && c->speed > 0;
}

/* --- main loop ------------------------------------------------------------------------ */

static void take_picture(struct console *c, int64_t now_ms)
{
	struct picture *p;

	if (c->frozen)
		return;
	p = picture_take(&c->source);
	if (p->version == c->latest->version) {
		picture_drop(p);
	} else {
		picture_drop(c->latest);
		c->latest = p;
		c->wanted = c->wanted || !c->past;
		c->asking = false;
	}
	if (!c->asking && (c->scripted || now_ms - c->asked_ms >= FRAME_MS)) {
		c->asked_ms = now_ms;
		c->asking = true;
		c->source.ops->ask(c->source.self);
	}
}

static void take_answers(struct console *c)
{
	struct host_answer answer;
	struct err failed, warning;

	if (c->source.ops->take_warning(c->source.self, &warning))
		console_say(c, ROLE_WARNING, "%s", warning.text);
	while (c->source.ops->take_answer(c->source.self, &answer)) {
		console_answered(c, &answer);
		c->asking = false; /* each answer comes with a snapshot, which completes the request */
	}
	if (c->failure.text[0] == '\0' && c->source.ops->failed(c->source.self, &failed)) {
		c->failure = failed;
		console_say(c, ROLE_ERROR, "the scheduler has stopped: %s", failed.text);
	}
}

/* Next change of the displayed age of a frozen screen: every second, later every minute. */
static int64_t age_due_ms(const struct console *c)
{
	int64_t age_s = console_now_s(c) - c->shown->now_s;
	int64_t change_ms = (age_s < 60 ? 1 : 60 - age_s % 60) * 1000 / c->speed;

	return c->drawn_ms + (change_ms > CLOCK_MS ? change_ms : CLOCK_MS);
}

static bool ages(const struct console *c)
{
	return !c->scripted && c->frozen && !c->past && c->speed > 0 && c->shown;
}

/* Does the front screen show data for which there are no notifications? */
static bool looks_around(const struct console *c)
{
	return console_view(c)->look_ms > 0 && !c->scripted && c->shown;
}

static void look_around(struct console *c, int64_t now_ms)
{
	c->looked_ms = now_ms;
	c->stale[c->current] = true;
	c->dirty = true;
}

void console_turn(struct console *c)
{
	int64_t now_ms = monotonic_ms();

	c->source.ops->clear_wake(c->source.self);
	take_answers(c);
	take_picture(c, now_ms);
	collect_plans(c);
	console_take_files(c);
	console_take_ended(c);
	if (looks_around(c) && now_ms - c->looked_ms >= console_view(c)->look_ms)
		look_around(c, now_ms);
	if (time_runs(c) && now_ms - (c->past ? c->drawn_ms : c->planned_ms) >= CLOCK_MS)
		c->dirty = true;
	if (time_runs(c) && !c->past && now_ms - c->planned_ms >= plan_interval_ms(c))
		c->wanted = true;
	if (ages(c) && now_ms >= age_due_ms(c))
		c->dirty = true;
	if (c->wanted)
		ask_plan_query(c);
	console_keep_queries(c);
}

void console_fds(const struct console *c, int fd[static 2])
{
	fd[0] = c->source.ops->wake_fd(c->source.self);
	fd[1] = worker_fd(c->worker);
}

static int until_ms(int64_t due_ms, int64_t now_ms)
{
	return due_ms <= now_ms ? 0 : (int)(due_ms - now_ms);
}

int console_timeout_ms(const struct console *c)
{
	int64_t now_ms = monotonic_ms();
	int next = -1;

	if (c->scripted)
		return -1;
	if (time_runs(c))
		next = until_ms((c->past ? c->drawn_ms : c->planned_ms) + CLOCK_MS, now_ms);
	if (ages(c))
		next = until_ms(age_due_ms(c), now_ms);
	if (looks_around(c)) {
		int look = until_ms(c->looked_ms + console_view(c)->look_ms, now_ms);

		next = next < 0 || look < next ? look : next;
	}
	next = console_queries_timeout_ms(c, now_ms, next);
	if (!c->frozen && !c->asking) {
		int frame = until_ms(c->asked_ms + FRAME_MS, now_ms);

		next = next < 0 || frame < next ? frame : next;
	}
	return next;
}

bool console_is_busy(struct console *c)
{
	return c->tickets > 0 || c->wanted || c->asking_files || c->asking_ended || worker_busy(c->worker) ||
	       (!c->frozen && c->source.ops->is_newer(c->source.self, c->latest->version));
}

bool console_rest(struct console *c, int patience_ms)
{
	console_turn(c);
	while (console_is_busy(c)) {
		struct pollfd fds[2] = {{.events = POLLIN}, {.events = POLLIN}};
		int fd[2];

		console_fds(c, fd);
		fds[0].fd = fd[0];
		fds[1].fd = fd[1];
		if (poll(fds, 2, patience_ms) == 0)
			return false;
		console_turn(c);
	}
	return true;
}

void console_look_again(struct console *c)
{
	c->wanted = !c->past;
	look_around(c, monotonic_ms());
	console_turn(c);
}

bool console_is_dirty(const struct console *c)
{
	return c->dirty;
}

bool console_wants_to_quit(const struct console *c)
{
	return c->quit;
}

bool console_is_real(const struct console *c)
{
	return !c->session->simulated;
}

bool console_detaches(const struct console *c)
{
	return c->detach;
}

void console_quit(struct console *c)
{
	c->quit = true;
}

bool console_detach(struct console *c, struct err *err)
{
	if (c->session->simulated)
		return err_set(err, "a simulated cluster does not run without a console; use quit");
	c->quit = c->detach = true;
	return true;
}

bool console_take_failure(struct console *c, struct err *err)
{
	if (c->failure.text[0] == '\0')
		return false;
	*err = c->failure;
	c->failure.text[0] = '\0';
	return true;
}
