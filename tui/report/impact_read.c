/* SPDX-License-Identifier: MIT */
/*
 * impact_read.c - what did entries of the journal do to the queue, and what would undoing one do now?
 *
 * One walk serves entries that stand close together; before a longer way the state is put together anew from
 * the nearest checkpoint.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "annals.h"
#include "impact.h"
#include "sched/rm/wallclock.h"
#include "sched/state/takeback.h"

struct walk {
	const uint64_t *seq; /* those that are left */
	size_t count;
	struct impact *out;
	struct state *st; /* right before the next entry */
	bool (*go_on)(void *self);
	void *self;
	struct err *err;
	bool failed;
};

static bool is_close(const struct walk *w, uint64_t seq)
{
	return w->count > 0 && w->seq[0] - seq <= STORE_CHECKPOINT_EVENTS;
}

static bool take_wanted(struct walk *w, const struct event *ev)
{
	struct event copy = *ev;
	bool good = impact_is_of(ev->kind) ? impact_find(w->out, w->st, ev, w->err)
					   : event_apply(w->st, &copy, w->err);

	w->out->seq = ev->seq;
	w->out++;
	w->seq++;
	w->count--;
	return good;
}

static bool take(void *self, const struct event *ev)
{
	struct walk *w = self;
	struct event copy = *ev;
	bool wanted = ev->seq == w->seq[0];

	if (wanted ? !take_wanted(w, ev) : !event_apply(w->st, &copy, w->err)) {
		w->failed =
			!err_prefix(w->err, "entry %" PRIu64 " does not fit the state before it", ev->seq);
		return false;
	}
	if (wanted && w->go_on != NULL && !w->go_on(w->self))
		return false;
	return is_close(w, ev->seq);
}

static bool begin(struct walk *w, const struct annals *annals)
{
	struct journal_span span;

	state_free(w->st);
	w->st = NULL;
	if (!annals_range(annals, &span, w->err))
		return false;
	if (w->seq[0] < span.first && span.first > 1) {
		char when[MOMENT_TEXT];

		return err_set(w->err,
			       "entry %" PRIu64 " is before the journal begins (entry %" PRIu64 ", %s)",
			       w->seq[0], span.first, wallclock_iso(when, span.first_s));
	}
	if (w->seq[0] < span.first || w->seq[0] > span.last)
		return err_set(w->err,
			       "the journal has no entry %" PRIu64 ": it goes from %" PRIu64 " to %" PRIu64,
			       w->seq[0], span.first, span.last);
	w->st = annals_state(annals, w->seq[0] - 1, w->err);
	return w->st != NULL;
}

bool impacts_read(const struct annals *annals, const uint64_t *seq, size_t count, struct impact *out,
		  bool (*go_on)(void *self), void *self, struct err *err)
{
	struct walk w = {.seq = seq, .count = count, .out = out, .go_on = go_on, .self = self, .err = err};
	bool good = true;

	err->text[0] = '\0';
	while (good && w.count > 0) {
		good = begin(&w, annals) && annals_journal(annals, w.seq[0], false, take, &w, err) &&
		       !w.failed;
		good = good && (go_on == NULL || go_on(self));
	}
	state_free(w.st);
	return good;
}

/* --- undo --------------------------------------------------------------------------------------------- */

static int by_id(const void *key, const void *item)
{
	const uint64_t *x = key, *y = item;

	return (*x > *y) - (*x < *y);
}

static size_t count_waiting(const struct impact *impact, const struct snapshot *now)
{
	size_t waiting = 0;

	for (uint32_t i = 0; i < snapshot_count(now, TABLE_WAITING) && impact->jobs > 0; i++) {
		uint64_t id = snapshot_jobs(now)[snapshot_waiting(now)[i].slot].id;

		waiting += bsearch(&id, impact->job, impact->jobs, sizeof id, by_id) != NULL;
	}
	return waiting;
}

static void say_gone(const struct impact *impact, const struct snapshot *now, struct str *out)
{
	size_t gone = impact->jobs - count_waiting(impact, now);

	if (gone == 0)
		return;
	if (impact->jobs == 1)
		str_add(out, "; the job it touched waits no more");
	else
		str_addf(out, "; %zu of %zu jobs it touched wait no more", gone, impact->jobs);
}

void impact_say_undo(const struct impact *impact, const struct snapshot *now, struct str *out)
{
	struct takeback t = {.clock = wallclock};

	if (state_find_change(now, impact->seq) == NULL)
		return;
	takeback_want(&t, &impact->seq, 1);
	takeback_make(&t, now);
	if (t.count > 0) {
		str_add(out, t.item[0].text);
		say_gone(impact, now, out);
	}
	takeback_clear(&t);
}
