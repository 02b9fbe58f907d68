/* SPDX-License-Identifier: MIT */
/* console_loop.c - the main loop of a console: snapshots, plans and answers */
#include <poll.h>

#include "console_inside.h"
#include "sched/rm/monotonic.h"
#include "tui/query/worker.h"

#define FRAME_MS 100 /* minimum interval between two requests for a newer state */

#define CLOCK_MS 1000 /* interval at which the displayed time is updated */

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
	/* If the system clock was set back after the snapshot was taken, the time of the snapshot is used. */
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

/* Interval between two plans while time runs. */
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

/*
 * Returns the time at which the displayed age of a frozen screen changes: every second, later every minute.
 */
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

int console_command(struct console *c, const char *line, struct err *err)
{
	enum cmd_status status;

	c->said = false;
	status = console_run_lines(c, line, err);
	if (status != CMD_DONE)
		console_say(c, ROLE_ERROR, "%s", err->text);
	console_turn(c);
	return (int)status;
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
