/* SPDX-License-Identifier: MIT */
/*
 * estimate_walk.c - what was said of a job when it was submitted, and later?
 *
 * States are gone through entry by entry. A submission is asked about as soon as it is in, before anything
 * else that happened in the same second; at another moment it is asked when all entries of its second are in.
 * Tasks of one array, and rows that are due at the same moment, share one future.
 */
#include <stdlib.h>

#include "estimate.h"
#include "sched/base/vec.h"

static int by_id(const void *left, const void *right)
{
	const struct estimate_row *a = left, *b = right;

	return a->job < b->job ? -1 : a->job > b->job;
}

static int by_moment(const void *left, const void *right)
{
	const struct estimate_due *a = left, *b = right;

	if (a->at_s != b->at_s)
		return a->at_s < b->at_s ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void add_due(struct estimate_walk *w, size_t row, enum estimate_stage stage, int64_t at_s)
{
	w->due[w->dues++] =
		(struct estimate_due){.at_s = at_s, .row = (uint32_t)row, .stage = (uint32_t)stage};
}

void estimate_walk_begin(struct estimate_walk *w, struct state *st, int64_t from_s, struct estimate_row *row,
			 size_t count, const struct estimate_setup *setup)
{
	*w = (struct estimate_walk){.st = st, .setup = setup, .row = row, .count = count};
	w->due = mem_alloc((2 * count + 1) * sizeof *w->due);
	if (count > 1)
		qsort(row, count, sizeof *row, by_id);
	for (size_t i = 0; i < count; i++) {
		int64_t wait_s = row[i].start_s - row[i].submit_s;

		if (wait_s >= 2)
			add_due(w, i, ESTIMATE_HALFWAY, row[i].submit_s + wait_s / 2);
		if (wait_s > ESTIMATE_HOUR_S)
			add_due(w, i, ESTIMATE_HOUR_BEFORE, row[i].start_s - ESTIMATE_HOUR_S);
	}
	qsort(w->due, w->dues, sizeof *w->due, by_moment);
	while (w->next < w->dues && w->due[w->next].at_s < from_s)
		w->next++;
}

static bool go_on(void *self, uint32_t started)
{
	const struct estimate_setup *setup = self;

	(void)started;
	return setup->go_on == NULL || setup->go_on(setup->self);
}

/* The future of the state as it is, at a moment. False: told to stop. */
static bool look_ahead(struct estimate_walk *w, int64_t at_s, bool full)
{
	const struct estimate_setup *setup = w->setup;
	const struct snapshot *s = state_view(w->st);
	struct future_setup ahead = {.now_s = at_s,
				     .full = full,
				     .assume = setup->assume,
				     .go_on = go_on,
				     .self = (void *)(uintptr_t)setup};

	if (w->has_future && w->seq == s->seq && w->at_s == at_s && w->has_full >= full)
		return true;
	if (full && setup->assume != ASSUME_WCLIMIT)
		ahead.accuracy = setup->known(setup->self, at_s);
	w->has_future = go_on(ahead.self, 0) && future_build(&w->future, s, &ahead);
	w->has_full = full;
	w->seq = s->seq;
	w->at_s = at_s;
	w->stopped = !w->has_future;
	return w->has_future;
}

static bool is_asked_in_full(const struct estimate_walk *w, const struct estimate_row *row,
			     enum estimate_stage stage)
{
	uint32_t every = w->setup->full_every;

	return every > 0 && (size_t)(row - w->row) % every == 0 && estimate_is_asked(stage, ESTIMATE_FULL);
}

/* A job that does not wait then is not asked about: the walk began too late for it. */
static bool ask(struct estimate_walk *w, struct estimate_row *row, enum estimate_stage stage, int64_t at_s)
{
	const struct snapshot *s = state_view(w->st);
	uint32_t slot = snapshot_find_job(s, row->job);
	bool full = is_asked_in_full(w, row, stage);
	char label[JOB_LABEL_TEXT];

	if (slot == INDEX_NONE || snapshot_jobs(s)[slot].state != JOB_IDLE)
		return true;
	if (!look_ahead(w, at_s, full))
		return false;
	row->said_s[stage][ESTIMATE_INSTANT] = w->future.plan.start_s[slot];
	if (full)
		row->said_s[stage][ESTIMATE_FULL] = w->future.projection.start_s[slot];
	if (row->label == NULL)
		row->label = mem_string(snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
	return true;
}

static bool ask_those_due(struct estimate_walk *w, int64_t before_s)
{
	while (w->next < w->dues && w->due[w->next].at_s < before_s) {
		const struct estimate_due *due = &w->due[w->next++];

		if (!ask(w, &w->row[due->row], (enum estimate_stage)due->stage, due->at_s))
			return false;
	}
	return true;
}

/* The rows of a submission stand together. */
static bool ask_submitted(struct estimate_walk *w, const struct event *ev)
{
	uint64_t end = ev->job + job_record_tasks(&ev->submit);
	size_t first = 0, last = w->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (w->row[middle].job < ev->job)
			first = middle + 1;
		else
			last = middle;
	}
	for (size_t i = first; i < w->count && w->row[i].job < end; i++)
		if (!ask(w, &w->row[i], ESTIMATE_SUBMITTED, ev->time_s))
			return false;
	return true;
}

bool estimate_follow(struct state *st, const struct event *ev, struct err *err)
{
	struct event copy = *ev;

	if (ev->seq != state_view(st)->seq + 1)
		return err_set(err, "what was so before entry %llu of the journal is no longer kept",
			       (unsigned long long)ev->seq);
	return event_apply(st, &copy, err) ||
	       err_prefix(err, "entry %llu does not fit the state before it", (unsigned long long)ev->seq);
}

bool estimate_walk_take(struct estimate_walk *w, const struct event *ev, struct err *err)
{
	return ask_those_due(w, ev->time_s) && estimate_follow(w->st, ev, err) &&
	       (ev->kind != EVENT_SUBMIT || ask_submitted(w, ev));
}

void estimate_walk_clear(struct estimate_walk *w)
{
	free(w->due);
	future_clear(&w->future);
	*w = (struct estimate_walk){.due = NULL};
}
