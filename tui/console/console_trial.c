/* SPDX-License-Identifier: MIT */
/*
 * console_trial.c - what has somebody asked about the draft, and what came of it?
 *
 * One answer is kept, and one is looked for at a time. Whoever leaves its screen does not want it any more.
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"

static void forget(struct console *c, struct trial *t)
{
	if (!t)
		return;
	if (t == c->trying)
		c->trying = NULL;
	console_let_go(c, t->outlook);
	t->outlook = NULL;
	trial_free(t);
}

static void show(struct console *c, struct trial *t)
{
	struct trial *before = c->tried;

	c->tried = t;
	c->trying = NULL;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = c->stale[i] || views_all[i]->tries;
	console_freshen(c);
	forget(c, before);
	c->dirty = true;
}

void console_take_trials(struct console *c)
{
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_ASKED); work; work = next) {
		struct trial *t = (struct trial *)work;

		next = work->next;
		if (t == c->trying && !work_is_unwanted(work))
			show(c, t);
		else
			forget(c, t);
	}
	if (c->trying && !console_view(c)->tries)
		worker_cancel(c->worker, LANE_ASKED);
	else if (c->trying && monotonic_ms() - c->drawn_ms >= PROGRESS_MS)
		c->dirty = true;
}

int console_trial_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t left_ms = c->drawn_ms + PROGRESS_MS - now_ms;

	if (!c->trying || !console_view(c)->tries)
		return next;
	if (left_ms < 0)
		left_ms = 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

static void ask(struct console *c, struct trial *t, const char *screen)
{
	struct work *replaced = worker_ask(c->worker, LANE_ASKED, &t->work, true);

	c->trying = t;
	t->number = ++c->trials;
	forget(c, (struct trial *)replaced);
	if (console_view(c)->tries)
		console_back(c); /* the answer before is gone */
	console_go(c, screen);
	console_recalc(c);
}

bool console_try_sweep(struct console *c, const char *words, struct err *err)
{
	struct trial *t;

	if (!c->shown)
		return err_set(err, "the queue is not read yet");
	t = trial_sweep(c->shown, c->habits, c->job, words, err);
	if (t)
		ask(c, t, "sweep");
	return t != NULL;
}

bool console_try_goal(struct console *c, int64_t by_s, struct err *err)
{
	const struct job *job = c->shown ? forecast_job(&c->shown->live, c->job, NULL) : NULL;

	if (!job || job->state != JOB_IDLE)
		return err_set(err, "there is no waiting job under the cursor");
	if (by_s < c->shown->now_s)
		by_s = c->shown->now_s;
	ask(c, trial_goal(c->shown, c->habits, c->job, by_s), "goal");
	return true;
}

const struct trial *console_trial(const struct console *c, bool *making)
{
	*making = c->trying != NULL;
	return c->trying ? c->trying : c->tried;
}
