/* SPDX-License-Identifier: MIT */
/*
 * estimates.c - what was said of the starts that have come, by what the journal keeps?
 *
 * A walk begins with the state before its first moment.
 */
#include "estimates.h"

#include "tui/report/progress.h"

#define SHOWN_EVERY 256 /* entries */

struct reading {
	const struct estimates_wish *wish;
	struct estimates *out;
	struct err *err;
	struct journal_span span;
	uint64_t seen;
	/* of the walk at hand */
	struct estimate_starts starts;
	struct estimate_walk walk;
	struct estimate_follower follower;
	int64_t first_s, last_s; /* submission and start of the rows */
	struct estimate_setup setup;
	bool failed;
};

/* --- walks ----------------------------------------------------------------------------------------- */

/* The state before the first entry. Through the door none is had but of an entry that is kept: the one after
 * the first, then. */
static struct state *first_state(const struct reading *r, int64_t *from_s)
{
	const struct annals *annals = &r->wish->annals;
	const struct journal_span *span = &r->span;

	*from_s = INT64_MIN;
	if (span->first <= 1)
		return annals_state(annals, 0, r->err);
	*from_s = annals->store != NULL ? span->first_s : span->first_s + 1;
	return annals_state(annals, annals->store != NULL ? span->first - 1 : span->first, r->err);
}

/* The state before a moment, and the moment from which on a walk knows all; NULL with a sentence. */
static struct state *state_before(const struct reading *r, int64_t at_s, int64_t *from_s)
{
	if (r->span.last == 0 || at_s <= r->span.first_s)
		return first_state(r, from_s);
	*from_s = at_s;
	return annals_state_of_time(&r->wish->annals, at_s - 1, r->err);
}

static bool go_through(struct reading *r, uint64_t after, journal_visit *visit)
{
	return annals_journal(&r->wish->annals, after + 1, false, visit, r, r->err) && !r->failed;
}

static bool goes_on(struct reading *r)
{
	if (r->wish->bar != NULL && ++r->seen % SHOWN_EVERY == 0)
		progress_show(r->wish->bar, r->seen);
	return r->wish->setup.go_on == NULL || r->wish->setup.go_on(r->wish->setup.self);
}

static void begin_bar(struct reading *r, const char *what, uint64_t after)
{
	r->seen = 0;
	if (r->wish->bar != NULL)
		progress_begin(r->wish->bar, what, r->wish->until_seq - after);
}

/* --- who started ----------------------------------------------------------------------------------- */

static bool take_start(void *self, const struct event *ev)
{
	struct reading *r = self;

	if (ev->seq > r->wish->until_seq)
		return false;
	estimate_starts_take(&r->starts, ev);
	r->failed = !goes_on(r);
	return !r->failed;
}

static bool find_starts(struct reading *r)
{
	const struct estimates_wish *wish = r->wish;
	int64_t from_s;
	struct state *st = state_before(r, wish->since_s, &from_s);
	bool good = st != NULL;

	if (good) {
		r->out->from_s = from_s > wish->since_s ? from_s : wish->since_s;
		begin_bar(r, "entries", state_view(st)->seq);
		estimate_starts_begin(&r->starts, state_view(st), wish->since_s);
		good = go_through(r, state_view(st)->seq, take_start);
		r->out->started = r->starts.started;
	}
	if (good)
		r->out->row = estimate_starts_choose(&r->starts, ESTIMATES_ASKED, &r->out->count);
	estimate_starts_clear(&r->starts);
	state_free(st);
	return good;
}

/* --- what was said --------------------------------------------------------------------------------- */

/* Entries before the first submission, and after the last start, say nothing of them. */
static void find_bounds(struct reading *r)
{
	r->first_s = INT64_MAX;
	r->last_s = INT64_MIN;
	for (size_t i = 0; i < r->out->count; i++) {
		const struct estimate_row *row = &r->out->row[i];

		if (row->submit_s < r->first_s)
			r->first_s = row->submit_s;
		if (row->start_s > r->last_s)
			r->last_s = row->start_s;
	}
}

static bool take_said(void *self, const struct event *ev)
{
	struct reading *r = self;

	if (ev->seq > r->wish->until_seq || ev->time_s > r->last_s)
		return false;
	r->failed = !goes_on(r) || !estimate_walk_take(&r->walk, ev, r->err);
	return !r->failed;
}

static bool ask(struct reading *r)
{
	struct estimates *out = r->out;
	int64_t from_s;
	struct state *st;
	bool good;

	find_bounds(r);
	st = state_before(r, r->first_s, &from_s);
	good = st != NULL;
	if (good) {
		begin_bar(r, "entries asked about", state_view(st)->seq);
		if (r->setup.full_every > 0)
			r->setup.full_every =
				(uint32_t)((out->count + ESTIMATES_ASKED_FULL - 1) / ESTIMATES_ASKED_FULL);
		estimate_walk_begin(&r->walk, st, from_s, out->row, out->count, &r->setup);
		good = go_through(r, state_view(st)->seq, take_said);
		estimate_walk_clear(&r->walk);
	}
	state_free(st);
	return good;
}

/* --- why it did not come --------------------------------------------------------------------------- */

static bool take_cause(void *self, const struct event *ev)
{
	struct reading *r = self;

	if (ev->seq > r->wish->until_seq || estimate_follower_is_done(&r->follower))
		return false;
	r->failed = !goes_on(r) || !estimate_follower_take(&r->follower, ev, r->err);
	return !r->failed;
}

static bool explain(struct reading *r)
{
	struct estimates *out = r->out;
	const struct estimate_row *worst[ESTIMATES_WORST];
	size_t count = estimate_worst(out->row, out->count, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, worst,
				      ESTIMATES_WORST);
	int64_t from_s;
	struct state *st = count == 0 ? NULL : state_before(r, r->first_s, &from_s);
	bool good;

	if (st == NULL)
		return count == 0;
	begin_bar(r, "entries followed", state_view(st)->seq);
	estimate_follower_begin(&r->follower, st, worst, count, ESTIMATES_FOLLOW_MOST);
	good = go_through(r, state_view(st)->seq, take_cause);
	for (size_t i = 0; i < count; i++)
		out->tale[i] = r->follower.tale[i];
	out->tales = count;
	estimate_follower_clear(&r->follower);
	state_free(st);
	return good;
}

bool estimates_read(struct estimates *out, const struct estimates_wish *wish, struct err *err)
{
	struct reading r = {.wish = wish, .out = out, .err = err, .setup = wish->setup};
	bool good;

	estimates_clear(out);
	err->text[0] = '\0';
	good = annals_range(&wish->annals, &r.span, err) && find_starts(&r) && (out->count == 0 || ask(&r)) &&
	       (!wish->worst || explain(&r));
	if (wish->bar != NULL)
		progress_end(wish->bar);
	return good;
}

void estimates_clear(struct estimates *e)
{
	estimate_rows_free(e->row, e->count);
	*e = (struct estimates){.row = NULL};
}
