/* SPDX-License-Identifier: MIT */
/*
 * backfill_policy.c - BACKFILLPOLICY: the choice among the candidates for backfill
 *
 *   FIRSTFIT  starts candidates in the order of rank.
 *   BESTFIT   always starts the candidate with the largest metric of those that fit. Starts only reduce the
 *             number of free processors, so one walk in the order of the metric does this.
 *   GREEDY    searches for the combination of jobs with the largest sum of the metric, with and without each
 *             job. The search ends after GREEDY_TRIES combinations and uses the best one found so far.
 *
 * With BACKFILLDEPTH, only the first jobs that fit are candidates.
 *
 * Source: Maui Administrator's Guide 8.2, Appendix F (BACKFILLMETRIC).
 */
#include <stdlib.h>

#include "backfill.h"
#include "sched/base/vec.h"

/* The BACKFILLMETRIC of a job. */
static double metric_of(const struct walk *w, uint32_t slot)
{
	const struct job *job = walk_job(w, slot);
	const struct machine machine = snapshot_machine(w->s);

	switch ((enum backfill_metric)w->s->policy.backfill_metric) {
	case METRIC_PROCS:
		break;
	case METRIC_PROCSECONDS:
		return (double)job_procs(job) * (double)job->wall_limit_s;
	case METRIC_SECONDS:
		return (double)job->wall_limit_s;
	case METRIC_PE:
		return job_pe(job, &machine);
	case METRIC_PESECONDS:
		return job_pe(job, &machine) * (double)job->wall_limit_s;
	}
	return (double)job_procs(job);
}

/*
 * Keeps the first BACKFILLDEPTH candidates that fit now and returns their number. Sets w->cut if another
 * candidate fits, which a later pass may start.
 */
static uint32_t keep_fitting(struct walk *w, struct queued *candidate, uint32_t count, enum limit_level level)
{
	int64_t depth = w->s->policy.backfill_depth;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!walk_fits(w, candidate[i].slot, level))
			continue;
		if (depth > 0 && kept == depth) {
			w->cut = true;
			break;
		}
		candidate[kept++] = candidate[i];
	}
	return kept;
}

struct weighed {
	double metric;
	struct queued one;
};

static int compare_weighed(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->metric > y->metric || x->metric < y->metric)
		return x->metric > y->metric ? -1 : 1;
	if (x->one.rank != y->one.rank)
		return x->one.rank > y->one.rank ? -1 : 1;
	return x->one.order < y->one.order ? -1 : x->one.order > y->one.order;
}

/* Returns the candidates in the order of their metric, then of their rank. The caller frees the list. */
static struct weighed *weigh(const struct walk *w, const struct queued *candidate, uint32_t count)
{
	struct weighed *list = mem_zero((size_t)count + 1, sizeof *list);

	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct weighed){metric_of(w, candidate[i].slot), candidate[i]};
	qsort(list, count, sizeof *list, compare_weighed);
	return list;
}

static void start_best(struct walk *w, const struct queued *candidate, uint32_t count, enum limit_level level)
{
	struct weighed *list = weigh(w, candidate, count);

	for (uint32_t i = 0; i < count; i++)
		walk_try_start(w, list[i].one.slot, level);
	free(list);
}

#define GREEDY_TRIES 10000 /* maximum number of combinations tried in a pass */

/* The search for the best combination of jobs; rest, taken and best are indexed like list. */
struct greedy {
	struct walk *w;
	const struct weighed *list;
	uint32_t count;
	uint32_t tries;
	double *rest; /* sum of the metrics from an index to the end */
	double best_sum;
	uint8_t *taken, *best;
};

static void note_best(struct greedy *g, double sum)
{
	if (sum <= g->best_sum)
		return;
	g->best_sum = sum;
	for (uint32_t i = 0; i < g->count; i++)
		g->best[i] = g->taken[i];
}

/*
 * Tries combinations with and without the candidate at an index, unless the remaining candidates cannot make
 * the sum larger than the best one.
 */
static void search(struct greedy *g, uint32_t at, double sum)
{
	const struct job *job;
	struct profile *profile = placement_profile(g->w->placement);
	int64_t begin_s = g->w->now_s, end_s;

	note_best(g, sum);
	if (at == g->count || sum + g->rest[at] <= g->best_sum || ++g->tries > GREEDY_TRIES)
		return;
	job = walk_job(g->w, g->list[at].one.slot);
	end_s = begin_s + job->wall_limit_s;
	if (profile_first_below(profile, begin_s, end_s, job_procs(job)) == TIME_NEVER) {
		profile_take(profile, begin_s, end_s, job_procs(job));
		g->taken[at] = 1;
		search(g, at + 1, sum + g->list[at].metric);
		g->taken[at] = 0;
		profile_take(profile, begin_s, end_s, -job_procs(job));
	}
	search(g, at + 1, sum);
}

/*
 * Starts the best combination that the search finds. The search considers only processors; the jobs are then
 * started under all rules, followed by the other candidates that still fit.
 */
static void start_greedy(struct walk *w, const struct queued *candidate, uint32_t count,
			 enum limit_level level)
{
	struct greedy g = {.w = w, .count = count};
	struct weighed *list = weigh(w, candidate, count);

	g.list = list;
	g.rest = mem_zero((size_t)count + 1, sizeof *g.rest);
	g.taken = mem_zero((size_t)count + 1, 1);
	g.best = mem_zero((size_t)count + 1, 1);
	for (uint32_t i = count; i-- > 0;)
		g.rest[i] = g.rest[i + 1] + list[i].metric;
	search(&g, 0, 0);
	for (uint32_t i = 0; i < count; i++)
		if (g.best[i])
			walk_try_start(w, list[i].one.slot, level);
	for (uint32_t i = 0; i < count; i++)
		if (!g.best[i])
			walk_try_start(w, list[i].one.slot, level);
	free(g.rest);
	free(g.taken);
	free(g.best);
	free(list);
}

void backfill_start(struct walk *w, struct queued *candidate, uint32_t count, enum limit_level level)
{
	const struct policy *policy = &w->s->policy;

	if (policy->backfill_depth > 0 || policy->backfill == BACKFILL_GREEDY)
		count = keep_fitting(w, candidate, count, level);
	switch ((enum backfill_policy)policy->backfill) {
	case BACKFILL_FIRSTFIT:
	case BACKFILL_NONE:
		for (uint32_t i = 0; i < count; i++)
			walk_try_start(w, candidate[i].slot, level);
		break;
	case BACKFILL_BESTFIT:
		start_best(w, candidate, count, level);
		break;
	case BACKFILL_GREEDY:
		start_greedy(w, candidate, count, level);
		break;
	}
}
