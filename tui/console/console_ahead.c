/* SPDX-License-Identifier: MIT */
/*
 * console_ahead.c - keeps a projection of what is shown up to date
 *
 * Every screen shows the estimated starts of the projection. Another draft hurries, and so does an answer to
 * the operator: what is being made for the one before is told to stop. Other news does not: a projection that
 * is a little old is worth more than one that is never finished, so the next follows after ten times of what
 * one costs. Until then jobs keep the starts of the last; those that are new have placeholders.
 *
 * How long jobs are taken to run can be changed on the What-if screen, for that screen alone: all others
 * show what the verbs say.
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"
#include "tui/report/accuracy.h"

#define STUDY_LONGEST_MS 20000 /* what takes longer than this to find out about single edits is left */

static struct habits *habits_here(const struct console *c)
{
	return console_view(c)->foresees ? c->habits : NULL;
}

/* The last that is whole, of those that the screen in front shows. */
static const struct foresight *last(const struct console *c)
{
	return console_view(c)->foresees ? c->foreseen : c->estimate;
}

/* The newest, whether it is made or on its way. */
static const struct foresight *newest(const struct console *c)
{
	return c->foreseeing ? c->foreseeing : last(c);
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

/* Starts have changed; what the rows stood on is still there. */
static void freshen(struct console *c)
{
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	console_freshen(c);
	c->dirty = true;
}

/* Where its starts are of use on every screen: jobs run to their limits, as the verbs take it. */
static bool is_estimate(const struct foresight *f)
{
	return f->habits == NULL;
}

/* The starts of what is shown: those of its own projection, or of one of the same queue a little before. */
void console_estimate(struct console *c, struct outlook *o)
{
	const struct foresight *f = c->estimate;

	if (!f || f->outlook == o || outlook_is_past(f->outlook) != outlook_is_past(o) ||
	    (outlook_is_past(o) && f->outlook->picture != o->picture))
		return;
	if (foresight_same_queue(f, o, NULL))
		forecast_take(&o->live, &f->live->run, &f->live->never);
	else
		forecast_follow(&o->live, &f->outlook->live);
	if (f->draft && o->draft.s && foresight_same_draft(f, o))
		forecast_follow(&o->draft, &f->outlook->draft);
}

static void show(struct console *c, struct foresight *f)
{
	struct foresight *before = c->foreseen, *estimate = c->estimate;

	if (is_estimate(f))
		foresight_settle(f);
	c->foreseen = f;
	if (f == c->foreseeing)
		c->foreseeing = NULL;
	if (is_estimate(f))
		c->estimate = f;
	if (c->shown)
		console_estimate(c, c->shown);
	freshen(c);
	if (before != c->estimate)
		forget(c, before);
	if (estimate != c->estimate && estimate != before)
		forget(c, estimate);
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
	return work_interval_ms(last(c) ? &last(c)->work : NULL);
}

/* A queue in which nothing has happened starts its jobs as it was found to; the What-if screen is of one
 * moment. */
static bool is_up_to_date(const struct console *c, const struct foresight *f)
{
	return console_view(c)->foresees ? foresight_same_queue(f, c->shown, c->habits)
					 : f->outlook->picture == c->shown->picture;
}

static enum want want(const struct console *c)
{
	const struct foresight *f = newest(c);
	bool is_past = c->shown && outlook_is_past(c->shown);

	if (!c->shown || c->shown->lost)
		return WANT_NOTHING;
	if (!f || !foresight_same_draft(f, c->shown) || f->habits != habits_here(c))
		return WANT_NOW;
	if (is_up_to_date(c, f))
		return WANT_NOTHING;
	if (c->scripted || c->answered || is_past || outlook_is_past(f->outlook))
		return WANT_NOW;
	return WANT_LATER;
}

static void ask(struct console *c, bool hurry)
{
	struct foresight *f = foresight_new(c->shown, habits_here(c), newest(c));
	struct work *replaced = worker_ask(c->worker, LANE_FAR, &f->work, hurry);

	c->foreseeing = f;
	c->foresaw_ms = monotonic_ms();
	c->answered = false;
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

/* On the What-if screen single edits are looked at, too; nobody waits for that elsewhere. */
static void look_at_edits(struct console *c)
{
	if (console_view(c)->foresees && c->shown)
		ask_study(c);
	else if (c->studying)
		worker_cancel(c->worker, LANE_FAR);
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
		look_at_edits(c);
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
	return last(c);
}

bool console_compared(const struct console *c, struct plan_change *out)
{
	const struct foresight *f = last(c);

	*out = c->shown->change;
	if (!f || !foresight_same_draft(f, c->shown) || !foresight_compares(f))
		return false;
	out->moved = f->compared.earlier + f->compared.later;
	out->earlier = f->compared.earlier;
	out->later = f->compared.later;
	out->most_delayed = f->compared.most_delayed;
	out->most_delay_s = f->compared.most_delay_s;
	return true;
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
