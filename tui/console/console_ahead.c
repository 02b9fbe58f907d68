/* SPDX-License-Identifier: MIT */
/*
 * console_ahead.c - background queries for the front screen: projection, changes that would start a job,
 * other values of a limit, accuracy of past estimates
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"
#include "tui/report/statistics.h"

/*
 * Returns whether a new query must replace q, which is the answer or the running query of its kind. q is kept
 * while its state and time are those on the screen; otherwise it is replaced, in scripts at once, else after
 * an interval.
 */
static enum want want_of_queue(const struct console *c, const struct query *q)
{
	if (q->plan_query->picture == c->shown->picture && q->plan_query->now_s == c->shown->now_s)
		return WANT_KEPT;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

/* --- changes that would start the job under the cursor ------------------------------------------------ */

/* The search runs while a screen that shows its result is in front. */

static const struct remedies_query *newest_remedies(const struct console *c)
{
	return (const struct remedies_query *)console_newest(c, QUERY_REMEDIES);
}

/* Returns the time by which the current job is to start; TIME_NONE if no time was given for this job. */
static int64_t by_s(const struct console *c)
{
	return c->seek_job == c->job ? c->seek_by_s : TIME_NONE;
}

static bool waits(const struct console *c)
{
	const struct job *job = c->shown ? forecast_job(&c->shown->live, c->job, NULL) : NULL;

	return job && job->state == JOB_IDLE;
}

static bool shows_remedies(const struct console *c)
{
	return (console_view(c)->queries & QUERY_BIT(QUERY_REMEDIES)) != 0;
}

static enum want want_remedies(const struct console *c)
{
	const struct remedies_query *w = newest_remedies(c);

	if (!shows_remedies(c))
		return WANT_NOTHING;
	if (!waits(c))
		return WANT_KEPT;
	if (!w || w->job != c->job || w->by_s != by_s(c))
		return WANT_NOW;
	return want_of_queue(c, &w->query);
}

#define USUAL_KEPT_MS (10 * 60 * INT64_C(1000))

/*
 * Returns the usual run times. They change slowly, so they are kept for USUAL_KEPT_MS. Empty if they cannot
 * be read.
 */
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

static struct query *make_remedies(struct console *c)
{
	return &remedies_query_new(c->shown, c->job, by_s(c), read_usual(c))->query;
}

const struct remedies_query *console_remedies(const struct console *c)
{
	const struct remedies_query *w = (const struct remedies_query *)console_answer(c, QUERY_REMEDIES);

	return w && w->job == c->job && w->by_s == by_s(c) ? w : NULL;
}

/* Progress is shown until there is an answer. */
static bool awaits_remedies(const struct console *c)
{
	return shows_remedies(c) && !console_remedies(c);
}

const struct background_ops console_remedies_ops = {
	.want = want_remedies, .make = make_remedies, .shows_progress = awaits_remedies};

void console_seek(struct console *c, uint64_t job, int64_t to_start_by_s)
{
	c->seek_job = job;
	c->seek_by_s = to_start_by_s;
	if (job != c->job)
		console_go_job(c, job);
	if (!shows_remedies(c))
		console_go(c, "job");
	console_recalc(c);
}

bool console_remedies_running(const struct console *c, size_t *tried)
{
	const struct remedies_query *w = (const struct remedies_query *)console_running(c, QUERY_REMEDIES);

	*tried = w && w->job == c->job ? atomic_load_explicit(&w->tried, memory_order_relaxed) : 0;
	return waits(c) && !console_remedies(c);
}

/* --- other values of the limit under the cursor ------------------------------------------------------- */

/*
 * Returns the limit under the cursor in the shown queue; NULL if there is none, or no query about it makes
 * sense (headroom_is_asked).
 */
static const struct limit_row *asked(const struct console *c)
{
	const struct view_ops *v = console_view(c);
	const struct limit_row *row = v->limit && c->shown ? v->limit(console_view_memory(c)) : NULL;

	return row && headroom_is_asked(row) ? row : NULL;
}

/* Is the answer about this limit, and for the same draft? A draft may have other limits. */
static bool is_of_row(const struct console *c, const struct headroom *h, const struct limit_row *row)
{
	return h && headroom_same(&h->row, row) && h->query.plan_query->proposal == c->shown->proposal;
}

static enum want want_headroom(const struct console *c)
{
	const struct headroom *h = (const struct headroom *)console_newest(c, QUERY_HEADROOM);
	const struct limit_row *row = asked(c);

	if (!row)
		return WANT_NOTHING;
	return is_of_row(c, h, row) ? want_of_queue(c, &h->query) : WANT_NOW;
}

static struct query *make_headroom(struct console *c)
{
	return &headroom_new(c->shown, asked(c))->query;
}

const struct background_ops console_headroom_ops = {.want = want_headroom, .make = make_headroom};

const struct headroom *console_headroom(const struct console *c, const struct limit_row *row)
{
	const struct headroom *h = (const struct headroom *)console_answer(c, QUERY_HEADROOM);

	return is_of_row(c, h, row) ? h : NULL;
}

/* --- the projection ----------------------------------------------------------------------------------- */

/*
 * All screens show the estimate, which assumes that jobs run to their wallclock limits, as the verbs do. The
 * What-if screen can assume other run times.
 */

static bool assumes(const struct console *c)
{
	return console_view(c)->shows_draft && c->run_assumption;
}

static enum query_kind front_kind(const struct console *c)
{
	return assumes(c) ? QUERY_ASSUMED : QUERY_ESTIMATE;
}

static const struct projection_query *answer(const struct console *c, enum query_kind kind)
{
	return (const struct projection_query *)console_answer(c, kind);
}

/*
 * Returns the last complete projection for the front screen: the one with the assumed run times if it is
 * complete, otherwise the one in which jobs run to their wallclock limits.
 */
static const struct projection_query *last(const struct console *c)
{
	const struct projection_query *f = assumes(c) ? answer(c, QUERY_ASSUMED) : NULL;

	return f && f->run_assumption == c->run_assumption ? f : answer(c, QUERY_ESTIMATE);
}

static const struct projection_query *running(const struct console *c)
{
	return (const struct projection_query *)console_running(c, front_kind(c));
}

/*
 * Copies the starts of the last projection if it is of the same queue. Otherwise copies starts from the plan
 * query of that projection, for the jobs that have not changed since.
 */
void console_estimate(struct console *c, struct plan_query *o)
{
	const struct projection_query *f = answer(c, QUERY_ESTIMATE);
	struct plan_query *of = f ? f->query.plan_query : NULL;

	if (!f || of == o || plan_query_is_past(of) != plan_query_is_past(o) ||
	    (plan_query_is_past(o) && of->picture != o->picture))
		return;
	if (projection_query_same_queue(f, o, NULL))
		forecast_take(&o->live, &f->live->run, &f->live->never);
	else
		forecast_follow(&o->live, &of->live);
	if (f->draft && o->draft.s && projection_query_same_draft(f, o))
		forecast_follow(&o->draft, &of->draft);
}

static bool take_estimate(struct console *c, struct query *q)
{
	projection_query_settle((struct projection_query *)q);
	if (c->shown)
		console_estimate(c, c->shown);
	return true;
}

/*
 * Is the projection up to date? Without new events, the projected starts of the queue remain valid, except on
 * the What-if screen, which shows one point in time.
 */
static bool is_up_to_date(const struct console *c, const struct projection_query *f)
{
	return console_view(c)->shows_draft ? projection_query_same_queue(f, c->shown, c->run_assumption)
					    : f->query.plan_query->picture == c->shown->picture;
}

static enum want want_projection(const struct console *c, enum query_kind kind)
{
	const struct projection_query *f = (const struct projection_query *)console_newest(c, kind);

	if (!c->shown || c->shown->lost || kind != front_kind(c))
		return WANT_KEPT;
	if (!f || !projection_query_same_draft(f, c->shown) ||
	    (kind == QUERY_ASSUMED && f->run_assumption != c->run_assumption))
		return WANT_NOW;
	if (is_up_to_date(c, f))
		return WANT_KEPT;
	if (c->scripted || c->answered || plan_query_is_past(c->shown) ||
	    plan_query_is_past(f->query.plan_query))
		return WANT_NOW;
	return WANT_LATER;
}

static enum want want_estimate(const struct console *c)
{
	return want_projection(c, QUERY_ESTIMATE);
}

static enum want want_assumed(const struct console *c)
{
	return want_projection(c, QUERY_ASSUMED);
}

static struct query *make_projection(struct console *c)
{
	const struct query *before = console_newest(c, front_kind(c));

	c->answered = false;
	return &projection_query_new(c->shown, assumes(c) ? c->run_assumption : NULL,
				     (const struct projection_query *)before)
			->query;
}

static bool shows_draft(const struct console *c)
{
	return console_view(c)->shows_draft;
}

const struct background_ops console_estimate_ops = {.want = want_estimate,
						    .make = make_projection,
						    .take = take_estimate,
						    .shows_progress = shows_draft,
						    .on_all_screens = true};

const struct background_ops console_assumed_ops = {
	.want = want_assumed, .make = make_projection, .shows_progress = shows_draft, .on_all_screens = true};

bool console_projection_progress(const struct console *c, uint32_t *started, uint32_t *waiting)
{
	const struct projection_query *f = running(c);

	if (!f)
		return false;
	*started = atomic_load_explicit(&f->started, memory_order_relaxed);
	*waiting = atomic_load_explicit(&f->waiting, memory_order_relaxed);
	return true;
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

/* --- single edits of the draft ------------------------------------------------------------------------- */

/* The effect of single edits is shown only on the What-if screen, and computed after the projection. */

#define ABLATION_LONGEST_MS 20000 /* longer evaluations of single edits are not started */

static enum want want_ablation(const struct console *c)
{
	const struct projection_query *f = last(c);
	const struct ablation_query *s = (const struct ablation_query *)console_newest(c, QUERY_ABLATION);

	if (!shows_draft(c) || !c->shown)
		return WANT_NOTHING;
	if (!f || !f->draft || running(c) || want_projection(c, front_kind(c)) != WANT_KEPT ||
	    !projection_query_same_draft(f, c->shown) ||
	    (s && s->query.plan_query->proposal == f->query.plan_query->proposal &&
	     s->run_assumption == f->run_assumption))
		return WANT_KEPT;
	return WANT_NOW;
}

/* Are single edits worth evaluating? Only if there are several edits, and if the evaluation does not take too
 * long. */
static bool is_worth_it(const struct projection_query *f)
{
	size_t edits = f->query.plan_query->proposal->changes.count;
	int64_t sets = edits > ABLATE_EXACT ? (int64_t)edits * 2 : INT64_C(1) << edits;

	return edits > 1 && f->query.took_us / 1000 * sets <= ABLATION_LONGEST_MS;
}

static struct query *make_ablation(struct console *c)
{
	return &ablation_query_new(last(c), is_worth_it(last(c)))->query;
}

const struct background_ops console_ablation_ops = {
	.want = want_ablation, .make = make_ablation, .on_all_screens = true};

const struct ablation_query *console_ablation(const struct console *c)
{
	const struct ablation_query *s = (const struct ablation_query *)console_answer(c, QUERY_ABLATION);
	const struct projection_query *f = last(c);

	return s && f && s->query.plan_query->proposal == f->query.plan_query->proposal ? s : NULL;
}

/* --- assumed run times --------------------------------------------------------------------------------- */

static enum assume_kind assumption(const struct console *c)
{
	return c->run_assumption ? c->run_assumption->kind : ASSUME_WCLIMIT;
}

/* The recorded run times are read again each time, so that the assumption is current. */
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

/* --- accuracy of past estimates ----------------------------------------------------------------------- */

/* Returns WANT_NOW if a job has started since the last result. */
static enum want want_accuracy(const struct console *c)
{
	const struct accuracy_query *h = (const struct accuracy_query *)console_answer(c, QUERY_ACCURACY);

	if (console_running(c, QUERY_ACCURACY) || !console_store(c) ||
	    (console_view(c)->queries & QUERY_BIT(QUERY_ACCURACY)) == 0)
		return WANT_KEPT;
	if (!h)
		return WANT_NOW;
	if (accuracy_query_last_start_s(c->latest->s) <= h->last_start_s)
		return WANT_KEPT;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

static struct query *make_accuracy(struct console *c)
{
	return &accuracy_query_new(console_store(c), c->latest->s)->query;
}

const struct background_ops console_accuracy_ops = {
	.want = want_accuracy, .make = make_accuracy, .shortest_ms = 10000};

const struct accuracy_query *console_accuracy(const struct console *c)
{
	return (const struct accuracy_query *)console_answer(c, QUERY_ACCURACY);
}
