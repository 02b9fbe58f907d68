/* SPDX-License-Identifier: MIT */
/*
 * console_ahead.c - background queries for the front screen: projection, changes that would start a job,
 * other values of a limit, accuracy of past estimates
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"
#include "tui/report/statistics.h"

/* --- changes that would start the job under the cursor ------------------------------------------------ */

/*
 * Runs while a screen that needs them is in front. Another job or another time cancels the running search. If
 * only time has passed, a slightly outdated list is kept, and the search is repeated after ten times its
 * duration.
 */

static const struct remedies_query *ways_newest(const struct console *c)
{
	return c->seeking ? c->seeking : c->sought;
}

static void ways_forget(struct console *c, struct remedies_query *w)
{
	if (!w)
		return;
	if (w == c->seeking)
		c->seeking = NULL;
	console_let_go(c, w->plan_query);
	w->plan_query = NULL;
	remedies_query_free(w);
}

static void ways_show(struct console *c, struct remedies_query *w)
{
	struct remedies_query *before = c->sought;

	c->sought = w;
	if (w == c->seeking)
		c->seeking = NULL;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = c->stale[i] || views_all[i]->wants_remedies;
	console_freshen(c);
	ways_forget(c, before);
	c->dirty = true;
}

static void ways_collect(struct console *c)
{
	bool shown = false;
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_REMEDIES); work; work = next) {
		struct remedies_query *w = (struct remedies_query *)work;

		next = work->next;
		if (!w->whole || shown) {
			ways_forget(c, w);
			continue;
		}
		ways_show(c, w);
		shown = true;
	}
}

static int64_t ways_interval_ms(const struct console *c)
{
	return work_interval_ms(c->sought ? &c->sought->work : NULL);
}

/* The time was given for one job only. */
static int64_t by_s(const struct console *c)
{
	return c->seek_job == c->job ? c->seek_by_s : TIME_NONE;
}

static bool waits(const struct console *c)
{
	const struct job *job = c->shown ? forecast_job(&c->shown->live, c->job, NULL) : NULL;

	return job && job->state == JOB_IDLE;
}

static enum want ways_want(const struct console *c)
{
	const struct remedies_query *w = ways_newest(c);

	if (!console_view(c)->wants_remedies || !waits(c))
		return WANT_NOTHING;
	if (!w || w->job != c->job || w->by_s != by_s(c))
		return WANT_NOW;
	if (w->plan_query->picture == c->shown->picture && w->plan_query->now_s == c->shown->now_s)
		return WANT_NOTHING;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

#define USUAL_KEPT_MS (10 * 60 * INT64_C(1000))

/* Run times change slowly. If they cannot be read, the result is empty. */
static struct run_assumption *read_usual(struct console *c)
{
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = console_env(c, c->latest->s, &changes, &out);

	if (c->usual && monotonic_ms() - c->usual_ms < USUAL_KEPT_MS)
		return c->usual;
	run_assumption_drop(c->usual);
	c->usual = run_assumption_new(ASSUME_HISTORY);
	c->usual_ms = monotonic_ms();
	(void)accuracy_gather(&env, &c->usual->accuracy);
	str_free(&out);
	return c->usual;
}

static void ways_ask(struct console *c, bool hurry)
{
	struct remedies_query *w = remedies_query_new(c->shown, c->job, by_s(c), read_usual(c));
	struct work *replaced = worker_ask(c->worker, LANE_REMEDIES, &w->work, hurry);

	c->seeking = w;
	c->sought_ms = monotonic_ms();
	ways_forget(c, (struct remedies_query *)replaced);
}

/* Is there no result yet although the screen waits for it? */
static bool is_awaited(const struct console *c)
{
	return c->seeking && console_view(c)->wants_remedies && !console_remedies(c);
}

static void tell_progress(struct console *c)
{
	if (!is_awaited(c) || monotonic_ms() - c->drawn_ms < PROGRESS_MS)
		return;
	c->stale[c->current] = true;
	console_freshen(c);
	c->dirty = true;
}

void console_find_remedies(struct console *c)
{
	ways_collect(c);
	switch (ways_want(c)) {
	case WANT_NOW:
		ways_ask(c, true);
		break;
	case WANT_LATER:
		if (!c->seeking && monotonic_ms() - c->sought_ms >= ways_interval_ms(c))
			ways_ask(c, false);
		break;
	case WANT_NOTHING:
		if (!console_view(c)->wants_remedies && c->seeking)
			worker_cancel(c->worker, LANE_REMEDIES);
		break;
	}
	tell_progress(c);
}

int console_ways_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t left_ms;

	if (is_awaited(c))
		left_ms = c->drawn_ms + PROGRESS_MS - now_ms;
	else if (!c->seeking && ways_want(c) == WANT_LATER)
		left_ms = c->sought_ms + ways_interval_ms(c) - now_ms;
	else
		return next;
	if (left_ms < 0)
		left_ms = 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct remedies_query *console_remedies(const struct console *c)
{
	const struct remedies_query *w = c->sought;

	return w && w->job == c->job && w->by_s == by_s(c) ? w : NULL;
}

void console_seek(struct console *c, uint64_t job, int64_t to_start_by_s)
{
	c->seek_job = job;
	c->seek_by_s = to_start_by_s;
	if (job != c->job)
		console_go_job(c, job);
	if (!console_view(c)->wants_remedies)
		console_go(c, "job");
	console_recalc(c);
}

bool console_remedies_running(const struct console *c, size_t *tried)
{
	const struct remedies_query *w = c->seeking;

	*tried = w && w->job == c->job ? atomic_load_explicit(&w->tried, memory_order_relaxed) : 0;
	return waits(c) && !console_remedies(c);
}

/* --- other values of the limit under the cursor ------------------------------------------------------- */

/*
 * Runs while a limits screen is in front. Another limit or another draft cancels the running query; the
 * passing of time does not, as above.
 */

static void limit_forget(struct console *c, struct headroom *h)
{
	if (!h)
		return;
	if (h == c->measuring)
		c->measuring = NULL;
	console_let_go(c, h->plan_query);
	h->plan_query = NULL;
	headroom_free(h);
}

static void limit_collect(struct console *c)
{
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_LIMITS); work; work = next) {
		struct headroom *h = (struct headroom *)work, *before = c->measured;

		next = work->next;
		if (h == c->measuring && h->whole) {
			c->measured = h;
			c->measuring = NULL;
			h = before;
			c->dirty = true;
		}
		limit_forget(c, h);
	}
}

/* The limit under the cursor in the shown queue; NULL if the query does not apply. */
static const struct limit_row *asked(const struct console *c)
{
	const struct view_ops *v = console_view(c);
	const struct limit_row *row = v->limit && c->shown ? v->limit(console_view_memory(c)) : NULL;

	return row && headroom_is_asked(row) ? row : NULL;
}

static enum want limit_want(const struct console *c)
{
	const struct headroom *h = c->measuring ? c->measuring : c->measured;
	const struct limit_row *row = asked(c);

	if (!row)
		return WANT_NOTHING;
	if (!h || !headroom_same(&h->row, row) || h->plan_query->proposal != c->shown->proposal)
		return WANT_NOW;
	if (h->plan_query->picture == c->shown->picture && h->plan_query->now_s == c->shown->now_s)
		return WANT_NOTHING;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

static void limit_ask(struct console *c, bool hurry)
{
	struct headroom *h = headroom_new(c->shown, asked(c));
	struct work *replaced = worker_ask(c->worker, LANE_LIMITS, &h->work, hurry);

	c->measuring = h;
	c->measured_ms = monotonic_ms();
	limit_forget(c, (struct headroom *)replaced);
}

static int64_t due_ms(const struct console *c)
{
	return c->measured_ms + work_interval_ms(c->measured ? &c->measured->work : NULL);
}

void console_measure_limit(struct console *c)
{
	limit_collect(c);
	if (console_view(c)->limit)
		console_freshen(c);
	switch (limit_want(c)) {
	case WANT_NOW:
		limit_ask(c, true);
		break;
	case WANT_LATER:
		if (!c->measuring && monotonic_ms() >= due_ms(c))
			limit_ask(c, false);
		break;
	case WANT_NOTHING:
		if (c->measuring && !asked(c))
			worker_cancel(c->worker, LANE_LIMITS);
		break;
	}
}

int console_limit_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t left_ms = due_ms(c) - now_ms;

	if (c->measuring || limit_want(c) != WANT_LATER)
		return next;
	if (left_ms < 0)
		left_ms = 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct headroom *console_headroom(const struct console *c, const struct limit_row *row)
{
	const struct headroom *h = c->measured;

	return h && headroom_same(&h->row, row) && h->plan_query->proposal == c->shown->proposal ? h : NULL;
}

/* --- the projection ----------------------------------------------------------------------------------- */

#define STUDY_LONGEST_MS 20000 /* longer evaluations of single edits are not started */

static struct run_assumption *habits_here(const struct console *c)
{
	return console_view(c)->shows_draft ? c->run_assumption : NULL;
}

/* The last complete one of those that the front screen shows. */
static const struct projection_query *last(const struct console *c)
{
	return console_view(c)->shows_draft ? c->projection : c->estimate;
}

/* The newest one, complete or running. */
static const struct projection_query *newest(const struct console *c)
{
	return c->projection_running ? c->projection_running : last(c);
}

/* --- finished projections ----------------------------------------------------------------------------- */

static void forget(struct console *c, struct projection_query *f)
{
	if (!f)
		return;
	if (f == c->projection_running)
		c->projection_running = NULL;
	console_let_go(c, f->plan_query);
	f->plan_query = NULL;
	projection_query_free(f);
}

static void forget_ablation(struct console *c, struct ablation_query *s)
{
	if (!s)
		return;
	if (s == c->ablation_running)
		c->ablation_running = NULL;
	console_let_go(c, s->plan_query);
	s->plan_query = NULL;
	ablation_query_free(s);
}

static void forget_work(struct console *c, struct work *work)
{
	if (!work)
		return;
	if (work->ops == &ablation_query_work)
		forget_ablation(c, (struct ablation_query *)work);
	else
		forget(c, (struct projection_query *)work);
}

/* The starts have changed, but not the rows. */
static void freshen(struct console *c)
{
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	console_freshen(c);
	c->dirty = true;
}

/* Can its starts be shown on all screens? They assume that jobs run to their limits, as the verbs do. */
static bool is_estimate(const struct projection_query *f)
{
	return f->run_assumption == NULL;
}

/*
 * Fills in the starts of the shown plan: from its own projection, or from an earlier one of the same queue.
 */
void console_estimate(struct console *c, struct plan_query *o)
{
	const struct projection_query *f = c->estimate;

	if (!f || f->plan_query == o || plan_query_is_past(f->plan_query) != plan_query_is_past(o) ||
	    (plan_query_is_past(o) && f->plan_query->picture != o->picture))
		return;
	if (projection_query_same_queue(f, o, NULL))
		forecast_take(&o->live, &f->live->run, &f->live->never);
	else
		forecast_follow(&o->live, &f->plan_query->live);
	if (f->draft && o->draft.s && projection_query_same_draft(f, o))
		forecast_follow(&o->draft, &f->plan_query->draft);
}

static void show(struct console *c, struct projection_query *f)
{
	struct projection_query *before = c->projection, *estimate = c->estimate;

	if (is_estimate(f))
		projection_query_settle(f);
	c->projection = f;
	if (f == c->projection_running)
		c->projection_running = NULL;
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

static void show_ablation(struct console *c, struct ablation_query *s)
{
	struct ablation_query *before = c->ablation;

	c->ablation = s;
	if (s == c->ablation_running)
		c->ablation_running = NULL;
	freshen(c);
	forget_ablation(c, before);
}

/* Newest first; results older than a complete one are dropped. */
static void collect(struct console *c)
{
	bool shown = false;
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_FAR); work; work = next) {
		next = work->next;
		if (work->ops == &ablation_query_work && ((struct ablation_query *)work)->whole) {
			show_ablation(c, (struct ablation_query *)work);
		} else if (work->ops == &projection_query_work && ((struct projection_query *)work)->whole &&
			   !shown) {
			show(c, (struct projection_query *)work);
			shown = true;
		} else {
			forget_work(c, work);
		}
	}
}

/* --- starting projections ----------------------------------------------------------------------------- */

static int64_t interval_ms(const struct console *c)
{
	return work_interval_ms(last(c) ? &last(c)->work : NULL);
}

/*
 * Without new events, the projected starts of the queue remain valid, except on the What-if screen, which
 * shows one point in time.
 */
static bool is_up_to_date(const struct console *c, const struct projection_query *f)
{
	return console_view(c)->shows_draft ? projection_query_same_queue(f, c->shown, c->run_assumption)
					    : f->plan_query->picture == c->shown->picture;
}

static enum want want(const struct console *c)
{
	const struct projection_query *f = newest(c);
	bool is_past = c->shown && plan_query_is_past(c->shown);

	if (!c->shown || c->shown->lost)
		return WANT_NOTHING;
	if (!f || !projection_query_same_draft(f, c->shown) || f->run_assumption != habits_here(c))
		return WANT_NOW;
	if (is_up_to_date(c, f))
		return WANT_NOTHING;
	if (c->scripted || c->answered || is_past || plan_query_is_past(f->plan_query))
		return WANT_NOW;
	return WANT_LATER;
}

static void ask(struct console *c, bool hurry)
{
	struct projection_query *f = projection_query_new(c->shown, habits_here(c), newest(c));
	struct work *replaced = worker_ask(c->worker, LANE_FAR, &f->work, hurry);

	c->projection_running = f;
	c->projection_ms = monotonic_ms();
	c->answered = false;
	forget_work(c, replaced);
}

/* Single edits are evaluated if there are several, and if it does not take too long. */
static bool is_worth_it(const struct projection_query *f)
{
	size_t edits = f->plan_query->proposal->changes.count;
	int64_t sets = edits > ABLATE_EXACT ? (int64_t)edits * 2 : INT64_C(1) << edits;

	return edits > 1 && f->work.took_us / 1000 * sets <= STUDY_LONGEST_MS;
}

static void ask_ablation(struct console *c)
{
	const struct projection_query *f = c->projection;
	const struct ablation_query *newest_ablation =
		c->ablation_running ? c->ablation_running : c->ablation;
	struct ablation_query *s;

	if (!f || !f->draft || c->projection_running || !projection_query_same_draft(f, c->shown) ||
	    (newest_ablation && newest_ablation->plan_query->proposal == f->plan_query->proposal &&
	     newest_ablation->run_assumption == f->run_assumption))
		return;
	s = ablation_query_new(f, is_worth_it(f));
	c->ablation_running = s;
	forget_work(c, worker_ask(c->worker, LANE_FAR, &s->work, false));
}

/* Only the What-if screen shows single edits. */
static void look_at_edits(struct console *c)
{
	if (console_view(c)->shows_draft && c->shown)
		ask_ablation(c);
	else if (c->ablation_running)
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
		if (!c->projection_running && now_ms - c->projection_ms >= interval_ms(c))
			ask(c, false);
		break;
	case WANT_NOTHING:
		look_at_edits(c);
		break;
	}
	if (c->projection_running && console_view(c)->shows_draft && now_ms - c->drawn_ms >= PROGRESS_MS)
		c->dirty = true;
}

int console_ahead_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t due_ms = -1, left_ms;

	if (c->projection_running && console_view(c)->shows_draft)
		due_ms = c->drawn_ms + PROGRESS_MS;
	else if (want(c) == WANT_LATER)
		due_ms = c->projection_ms + interval_ms(c);
	if (due_ms < 0)
		return next;
	left_ms = due_ms > now_ms ? due_ms - now_ms : 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct projection_query *console_foresight(const struct console *c)
{
	return last(c);
}

bool console_compared(const struct console *c, struct plan_change *out)
{
	const struct projection_query *f = last(c);

	*out = c->shown->change;
	if (!f || !projection_query_same_draft(f, c->shown) || !projection_query_compares(f))
		return false;
	out->moved = f->compared.earlier + f->compared.later;
	out->earlier = f->compared.earlier;
	out->later = f->compared.later;
	out->most_delayed = f->compared.most_delayed;
	out->most_delay_s = f->compared.most_delay_s;
	return true;
}

const struct ablation_query *console_ablation(const struct console *c)
{
	bool of_this = c->ablation && c->projection &&
		       c->ablation->plan_query->proposal == c->projection->plan_query->proposal;

	return of_this ? c->ablation : NULL;
}

static enum assume_kind assumption(const struct console *c)
{
	return c->run_assumption ? c->run_assumption->kind : ASSUME_WCLIMIT;
}

/* Run times are read again each time to be current. */
void console_assume_next(struct console *c)
{
	enum assume_kind kind = (assumption(c) + 1) % ASSUME_KIND_COUNT;
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = console_env(c, c->latest->s, &changes, &out);

	run_assumption_drop(c->run_assumption);
	c->run_assumption = kind == ASSUME_WCLIMIT ? NULL : run_assumption_new(kind);
	if (c->run_assumption && !accuracy_gather(&env, &c->run_assumption->accuracy))
		console_say(c, ROLE_ERROR, "%s", env.err.text);
	else if (c->run_assumption && c->run_assumption->accuracy.all.jobs == 0)
		console_say(c, ROLE_MESSAGE,
			    "No run times of ended jobs are recorded; all jobs are assumed to run to their "
			    "limits.");
	str_free(&out);
	c->dirty = true;
}

bool console_projection_progress(const struct console *c, uint32_t *started, uint32_t *waiting)
{
	if (!c->projection_running)
		return false;
	*started = atomic_load_explicit(&c->projection_running->started, memory_order_relaxed);
	*waiting = atomic_load_explicit(&c->projection_running->waiting, memory_order_relaxed);
	return true;
}

/* --- accuracy of past estimates ----------------------------------------------------------------------- */

/*
 * Runs while a screen that shows the accuracy is in front and jobs have started since, using at most a tenth
 * of the time.
 */

#define SHORTEST_MS 10000 /* between two runs */

static void collect_accuracy(struct console *c)
{
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_ACCURACY); work; work = next) {
		struct accuracy_query *before = c->accuracy;

		next = work->next;
		c->accuracy = (struct accuracy_query *)work;
		c->accuracy_running = NULL;
		accuracy_query_free(before);
		for (size_t i = 0; i < views_count; i++)
			c->stale[i] = c->stale[i] || views_all[i]->wants_accuracy;
		console_freshen(c);
		c->dirty = true;
	}
}

static int64_t accuracy_due_ms(const struct console *c)
{
	int64_t cost_ms = c->accuracy->work.took_us / 1000;

	return c->accuracy_ms + (cost_ms * 10 > SHORTEST_MS ? cost_ms * 10 : SHORTEST_MS);
}

/* Has a job started since the last result? */
static bool is_behind(const struct console *c)
{
	if (c->accuracy_running || !console_view(c)->wants_accuracy || !console_store(c))
		return false;
	return !c->accuracy || accuracy_query_last_start_s(c->latest->s) > c->accuracy->last_start_s;
}

void console_keep_accuracy(struct console *c)
{
	collect_accuracy(c);
	c->accuracy_stale = is_behind(c);
	if (!c->accuracy_stale || (c->accuracy && !c->scripted && monotonic_ms() < accuracy_due_ms(c)))
		return;
	c->accuracy_running = accuracy_query_new(console_store(c), c->latest->s);
	c->accuracy_ms = monotonic_ms();
	c->accuracy_stale = false;
	(void)worker_ask(c->worker, LANE_ACCURACY, &c->accuracy_running->work, false);
}

int console_accuracy_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t left_ms;

	if (!c->accuracy_stale)
		return next;
	left_ms = accuracy_due_ms(c) > now_ms ? accuracy_due_ms(c) - now_ms : 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct accuracy_query *console_accuracy(const struct console *c)
{
	return c->accuracy;
}
