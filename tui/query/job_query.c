/* SPDX-License-Identifier: MIT */
/*
 * job_query.c - queries of the job page: changes that would start the job, accuracy of past estimates
 */
#include "job_query.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "tui/report/estimate_accuracy.h"
#include "tui/report/why_report.h"

/* --- accuracy of the estimates shown by the console --------------------------------------------------- */

static bool should_continue(void *self)
{
	return !query_is_unwanted(self);
}

/* Errors when reading the journal are ignored here, because the writer of the journal reports them. */
static void run(struct query *self)
{
	struct accuracy_query *h = (struct accuracy_query *)self;
	struct estimate_accuracy_query wish = {.source = {.store = h->store},
					       .since_s = h->now_s - ESTIMATES_SINCE_S,
					       .until_seq = h->seq,
					       .setup = {.full_every = 1,
							 .most_work = FUTURE_LIST_WORK,
							 .should_continue = should_continue,
							 .self = self}};
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	if (estimate_accuracy_read(&found, &wish, &err))
		estimate_errors_of(&h->errors, found.row, found.count, ESTIMATE_SUBMITTED, ESTIMATE_FULL);
	estimate_accuracy_clear(&found);
	h->query.whole = !query_is_unwanted(self);
}

static void drop(struct query *self)
{
	accuracy_query_free((struct accuracy_query *)self);
}

static const struct query_ops accuracy_query_ops = {
	.kind = QUERY_ACCURACY, .lane = LANE_ACCURACY, .run = run, .drop = drop};

int64_t accuracy_query_last_start_s(const struct snapshot *s)
{
	int64_t last_s = TIME_NONE;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (job->start_s > last_s)
			last_s = job->start_s;
	}
	return last_s;
}

struct accuracy_query *accuracy_query_new(struct store *store, const struct snapshot *s)
{
	struct accuracy_query *h = mem_zero(1, sizeof *h);

	h->query.ops = &accuracy_query_ops;
	h->store = store;
	h->now_s = s->now_s;
	h->seq = s->seq;
	h->last_start_s = accuracy_query_last_start_s(s);
	return h;
}

void accuracy_query_free(struct accuracy_query *h)
{
	free(h);
}

bool accuracy_query_print(const struct accuracy_query *h, struct str *out)
{
	char half[DURATION_TEXT], most[DURATION_TEXT];

	if (!h->query.whole || h->errors.known < ACCURACY_STARTS_MIN)
		return false;
	str_addf(out, "past estimates (%" PRIu32 " starts): half were within %s, 4 of 5 within %s",
		 h->errors.known, duration_short(half, h->errors.median_s),
		 duration_short(most, h->errors.p80_s));
	return true;
}

/* --- changes that would start a job ------------------------------------------------------------------- */

struct asking {
	struct remedy_view view;
	struct remedies_query *remedies;
};

static bool ways_should_continue(void *self)
{
	return !query_is_unwanted(&((struct asking *)self)->remedies->query);
}

static bool may(void *self, const struct event *ev)
{
	struct asking *asking = self;

	if (!remedy_may(&asking->view, ev))
		return false;
	atomic_fetch_add_explicit(&asking->remedies->tried, 1, memory_order_relaxed);
	return true;
}

int64_t remedies_query_due_s(const struct remedies_query *w)
{
	return w->by_s > w->query.plan_query->now_s ? w->by_s : w->query.plan_query->now_s;
}

static void ways_run(struct query *self)
{
	struct remedies_query *w = (struct remedies_query *)self;
	const struct forecast *f = &w->query.plan_query->live;
	struct asking asking = {.view = {f->s, w->job}, .remedies = w};
	struct remedies_setup setup = {.now_s = w->query.plan_query->now_s,
				       .by_s = remedies_query_due_s(w),
				       .most_work = REMEDIES_WORK,
				       .should_continue = ways_should_continue,
				       .accuracy = w->usual ? &w->usual->accuracy : NULL,
				       .may = may,
				       .self = &asking};
	uint32_t slot;

	w->query.whole =
		forecast_job(f, w->job, &slot) != NULL && remedies_find(&w->found, f->s, slot, &setup);
}

static void ways_drop(struct query *self)
{
	remedies_query_free((struct remedies_query *)self);
}

static const struct query_ops remedies_query_ops = {
	.kind = QUERY_REMEDIES, .lane = LANE_REMEDIES, .run = ways_run, .drop = ways_drop};

struct remedies_query *remedies_query_new(struct plan_query *o, uint64_t job, int64_t by_s,
					  struct run_assumption *usual)
{
	struct remedies_query *w = mem_zero(1, sizeof *w);

	w->query.ops = &remedies_query_ops;
	w->query.plan_query = plan_query_hold(o);
	w->job = job;
	w->by_s = by_s;
	w->usual = usual ? run_assumption_hold(usual) : NULL;
	return w;
}

void remedies_query_free(struct remedies_query *w)
{
	if (!w)
		return;
	plan_query_drop(w->query.plan_query);
	run_assumption_drop(w->usual);
	remedies_clear(&w->found);
	free(w);
}
