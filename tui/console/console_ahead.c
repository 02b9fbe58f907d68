/* SPDX-License-Identifier: MIT */
/*
 * console_ahead.c - what does the console see of times to come?
 *
 * While a screen that foresees is in front, what is shown is run ahead. Another draft hurries: what is being
 * made for the one before is told to stop. Time that passes does not: a projection that is a little old is
 * worth more than one that is never finished, so the next follows after ten times of what one costs.
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"
#include "tui/reports/accuracy.h"

#define STUDY_LONGEST_MS 20000 /* what takes longer than this to find out about single edits is left */

/* The newest, whether it is made or on its way. */
static const struct foresight *newest(const struct console *c)
{
	return c->foreseeing ? c->foreseeing : c->foreseen;
}

/* --- what was made ------------------------------------------------------------------------- */

static void forget(struct console *c, struct foresight *f)
{
	if (!f)
		return;
	if (f == c->foreseeing)
		c->foreseeing = NULL;
	console_let_go(c, f->outlook);
	f->outlook = NULL;
	foresight_free(f);
}

static void forget_study(struct console *c, struct study *s)
{
	if (!s)
		return;
	if (s == c->studying)
		c->studying = NULL;
	console_let_go(c, s->outlook);
	s->outlook = NULL;
	study_free(s);
}

static void forget_work(struct console *c, struct work *work)
{
	if (!work)
		return;
	if (work->ops == &study_work)
		forget_study(c, (struct study *)work);
	else
		forget(c, (struct foresight *)work);
}

/* Screens that foresee have other rows now; what they stood on is still there. */
static void freshen(struct console *c)
{
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = c->stale[i] || views_all[i]->foresees;
	console_freshen(c);
	c->dirty = true;
}

static void show(struct console *c, struct foresight *f)
{
	struct foresight *before = c->foreseen;

	c->foreseen = f;
	if (f == c->foreseeing)
		c->foreseeing = NULL;
	freshen(c);
	forget(c, before);
}

static void show_study(struct console *c, struct study *s)
{
	struct study *before = c->studied;

	c->studied = s;
	if (s == c->studying)
		c->studying = NULL;
	freshen(c);
	forget_study(c, before);
}

/* Newest first: what comes behind one that is whole is older. */
static void collect(struct console *c)
{
	bool shown = false;
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_FAR); work; work = next) {
		next = work->next;
		if (work->ops == &study_work && ((struct study *)work)->whole) {
			show_study(c, (struct study *)work);
		} else if (work->ops == &foresight_work && ((struct foresight *)work)->whole && !shown) {
			show(c, (struct foresight *)work);
			shown = true;
		} else {
			forget_work(c, work);
		}
	}
}

/* --- what is to be made ---------------------------------------------------------------------- */

static int64_t interval_ms(const struct console *c)
{
	return work_interval_ms(c->foreseen ? &c->foreseen->work : NULL);
}

static enum want want(const struct console *c)
{
	const struct foresight *f = newest(c);

	if (!console_view(c)->foresees || !c->shown)
		return WANT_NOTHING;
	if (!f || !foresight_same_draft(f, c->shown))
		return WANT_NOW;
	if (f->habits != c->habits)
		return WANT_NOW;
	if (foresight_same_queue(f, c->shown, c->habits))
		return WANT_NOTHING;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

static void ask(struct console *c, bool hurry)
{
	struct foresight *f = foresight_new(c->shown, c->habits, newest(c));
	struct work *replaced = worker_ask(c->worker, LANE_FAR, &f->work, hurry);

	c->foreseeing = f;
	c->foresaw_ms = monotonic_ms();
	forget_work(c, replaced);
}

/* Each edit for itself is of interest when there are several, and it is found out before long. */
static bool is_worth_it(const struct foresight *f)
{
	size_t edits = f->outlook->proposal->changes.count;
	int64_t sets = edits > ABLATE_EXACT ? (int64_t)edits * 2 : INT64_C(1) << edits;

	return edits > 1 && f->work.took_us / 1000 * sets <= STUDY_LONGEST_MS;
}

static void ask_study(struct console *c)
{
	const struct foresight *f = c->foreseen;
	const struct study *newest_study = c->studying ? c->studying : c->studied;
	struct study *s;

	if (!f || !f->draft || c->foreseeing || !foresight_same_draft(f, c->shown) ||
	    (newest_study && newest_study->outlook->proposal == f->outlook->proposal &&
	     newest_study->habits == f->habits))
		return;
	s = study_new(f, is_worth_it(f));
	c->studying = s;
	forget_work(c, worker_ask(c->worker, LANE_FAR, &s->work, false));
}

void console_look_ahead(struct console *c)
{
	int64_t now_ms = monotonic_ms();

	collect(c);
	switch (want(c)) {
	case WANT_NOW:
		ask(c, true);
		break;
	case WANT_LATER:
		if (!c->foreseeing && now_ms - c->foresaw_ms >= interval_ms(c))
			ask(c, false);
		break;
	case WANT_NOTHING:
		if (!console_view(c)->foresees)
			worker_cancel(c->worker, LANE_FAR);
		else if (c->shown)
			ask_study(c);
		break;
	}
	if (c->foreseeing && console_view(c)->foresees && now_ms - c->drawn_ms >= PROGRESS_MS)
		c->dirty = true;
}

int console_ahead_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t due_ms = -1, left_ms;

	if (c->foreseeing && console_view(c)->foresees)
		due_ms = c->drawn_ms + PROGRESS_MS;
	else if (want(c) == WANT_LATER)
		due_ms = c->foresaw_ms + interval_ms(c);
	if (due_ms < 0)
		return next;
	left_ms = due_ms > now_ms ? due_ms - now_ms : 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct foresight *console_foresight(const struct console *c)
{
	return c->foreseen;
}

const struct study *console_study(const struct console *c)
{
	bool of_this =
		c->studied && c->foreseen && c->studied->outlook->proposal == c->foreseen->outlook->proposal;

	return of_this ? c->studied : NULL;
}

static enum assume_kind assumption(const struct console *c)
{
	return c->habits ? c->habits->kind : ASSUME_WCLIMIT;
}

/* What is remembered is read anew each time, so that it is not older than the question. */
void console_assume_next(struct console *c)
{
	enum assume_kind kind = (assumption(c) + 1) % ASSUME_KIND_COUNT;
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = console_env(c, c->latest->s, &changes, &out);

	habits_drop(c->habits);
	c->habits = kind == ASSUME_WCLIMIT ? NULL : habits_new(kind);
	if (c->habits && !accuracy_gather(&env, &c->habits->accuracy))
		console_say(c, ROLE_ERROR, "%s", env.err.text);
	else if (c->habits && c->habits->accuracy.all.jobs == 0)
		console_say(c, ROLE_MESSAGE,
			    "Nothing is remembered of jobs that have ended: all are taken to run to their "
			    "limits.");
	str_free(&out);
	c->dirty = true;
}

bool console_foresees(const struct console *c, uint32_t *started, uint32_t *waiting)
{
	if (!c->foreseeing)
		return false;
	*started = atomic_load_explicit(&c->foreseeing->started, memory_order_relaxed);
	*waiting = atomic_load_explicit(&c->foreseeing->waiting, memory_order_relaxed);
	return true;
}
