/* SPDX-License-Identifier: MIT */
/*
 * console_query.c - the life cycle of background queries, and references to plan queries
 *
 * Each kind of query has at most one answer, which is shown, and one running query. In each turn of the
 * console the finished queries are collected, and each kind says what it wants (struct background_ops). Plan
 * queries are handled in console_loop.c: background queries are about the shown plan query.
 */
#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

/* --- spare plan queries ------------------------------------------------------------------------------- */

/*
 * A plan query is referenced by the console and by the background queries derived from it. When the last
 * reference is dropped, it is added to the spares, whose memory is reused.
 */

struct plan_query *console_new_plan_query(struct console *c)
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

void console_free_spares(struct console *c)
{
	while (c->spare) {
		struct query *spare = c->spare;

		c->spare = spare->next;
		plan_query_free((struct plan_query *)spare);
	}
}

/* --- kinds of queries ---------------------------------------------------------------------------------- */

static const struct background_ops *const background_all[QUERY_KIND_COUNT] = {
	[QUERY_ESTIMATE] = &console_estimate_ops, [QUERY_ASSUMED] = &console_assumed_ops,
	[QUERY_ABLATION] = &console_ablation_ops, [QUERY_REMEDIES] = &console_remedies_ops,
	[QUERY_HEADROOM] = &console_headroom_ops, [QUERY_DRAFT] = &console_draft_query_ops,
	[QUERY_IMPACT] = &console_impact_ops,     [QUERY_CONSEQUENCES] = &console_consequences_ops,
	[QUERY_ACCURACY] = &console_accuracy_ops,
};

/* --- asking and collecting ---------------------------------------------------------------------------- */

static void forget(struct console *c, struct query *q)
{
	struct background *b;

	if (!q)
		return;
	b = &c->background[q->ops->kind];
	if (q == b->running)
		b->running = NULL;
	console_let_go(c, q->plan_query);
	q->plan_query = NULL;
	q->ops->drop(q);
}

void console_ask_query(struct console *c, struct query *q, bool hurry)
{
	struct background *b = &c->background[q->ops->kind];

	b->running = q;
	b->asked_ms = monotonic_ms();
	forget(c, worker_ask(c->worker, q, hurry));
}

static bool is_on(const struct view_ops *v, enum query_kind kind)
{
	return background_all[kind]->on_all_screens || (v->queries & QUERY_BIT(kind)) != 0;
}

static void redraw(struct console *c, enum query_kind kind)
{
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = c->stale[i] || is_on(views_all[i], kind);
	console_freshen(c);
	c->dirty = true;
}

/*
 * Makes a result the answer. The screens may refer to the previous answer, so they are updated before it is
 * dropped.
 */
static void show(struct console *c, struct query *q)
{
	const struct background_ops *ops = background_all[q->ops->kind];
	struct background *b = &c->background[q->ops->kind];
	struct query *before = b->answer;

	if (q == b->running)
		b->running = NULL;
	b->answer = q;
	if (ops->take && !ops->take(c, q)) {
		b->answer = before;
		before = q;
	}
	redraw(c, q->ops->kind);
	forget(c, before);
}

/*
 * Collects the results of a lane, newest first. Results older than a complete result of the same kind are
 * dropped.
 */
static void collect(struct console *c, enum lane lane)
{
	bool seen[QUERY_KIND_COUNT] = {false};
	struct query *next;

	for (struct query *q = worker_take(c->worker, lane); q; q = next) {
		enum query_kind kind = q->ops->kind;

		next = q->next;
		if (!q->whole || seen[kind]) {
			forget(c, q);
			continue;
		}
		seen[kind] = true;
		show(c, q);
	}
}

/* --- what is wanted ----------------------------------------------------------------------------------- */

static int64_t due_ms(const struct console *c, enum query_kind kind)
{
	const struct background *b = &c->background[kind];
	int64_t shortest_ms = background_all[kind]->shortest_ms;
	int64_t interval_ms = query_interval_ms(b->answer);

	return b->asked_ms + (interval_ms > shortest_ms ? interval_ms : shortest_ms);
}

static void keep(struct console *c, enum query_kind kind)
{
	const struct background_ops *ops = background_all[kind];
	struct background *b = &c->background[kind];
	enum want want = ops->want(c);

	if (want == WANT_NOTHING && b->running)
		query_cancel(b->running);
	if (want == WANT_NOW || (want == WANT_LATER && !b->running && monotonic_ms() >= due_ms(c, kind)))
		console_ask_query(c, ops->make(c), want == WANT_NOW);
	b->later = want == WANT_LATER && !b->running;
}

static bool shows_progress(const struct console *c, enum query_kind kind)
{
	const struct background_ops *ops = background_all[kind];

	return c->background[kind].running && ops->shows_progress && ops->shows_progress(c);
}

static void tell_progress(struct console *c, enum query_kind kind)
{
	c->stale[c->current] = c->stale[c->current] || (console_view(c)->queries & QUERY_BIT(kind)) != 0;
	console_freshen(c);
	c->dirty = true;
}

void console_keep_queries(struct console *c)
{
	int64_t drawn_ms = c->drawn_ms;

	for (int lane = LANE_NEAR + 1; lane < LANE_COUNT; lane++)
		collect(c, (enum lane)lane);
	/* the rows must be up to date, because they determine the limit under the cursor */
	if (console_view(c)->limit)
		console_freshen(c);
	for (int kind = QUERY_PLAN + 1; kind < QUERY_KIND_COUNT; kind++) {
		keep(c, (enum query_kind)kind);
		if (shows_progress(c, (enum query_kind)kind) && monotonic_ms() - drawn_ms >= PROGRESS_MS)
			tell_progress(c, (enum query_kind)kind);
	}
}

int console_queries_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t first_ms = next < 0 ? INT64_MAX : now_ms + next;

	for (int i = QUERY_PLAN + 1; i < QUERY_KIND_COUNT; i++) {
		enum query_kind kind = (enum query_kind)i;
		int64_t at_ms = shows_progress(c, kind)     ? c->drawn_ms + PROGRESS_MS
				: c->background[kind].later ? due_ms(c, kind)
							    : INT64_MAX;

		if (at_ms < first_ms)
			first_ms = at_ms;
	}
	if (first_ms == INT64_MAX)
		return -1;
	return first_ms > now_ms ? (int)(first_ms - now_ms) : 0;
}

void console_free_queries(struct console *c)
{
	for (int kind = QUERY_PLAN + 1; kind < QUERY_KIND_COUNT; kind++)
		forget(c, c->background[kind].answer);
}
