/* SPDX-License-Identifier: MIT */
/*
 * replay_summary.c - summary of a replay
 *
 * Sums are made of whole numbers that a double holds exactly, in the order given, so that a summary is the
 * same with every compiler.
 */
#include "replay_summary.h"

#include <stdlib.h>

#include "sched/base/vec.h"

#define SHORT_RUN_S 10 /* threshold of the bounded slowdown */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

double replay_bounded_slowdown(int64_t wait_s, int64_t run_s)
{
	return larger(1, ((double)wait_s + (double)run_s) / larger((double)run_s, SHORT_RUN_S));
}

void replay_sum_job(struct replay_sums *sums, int64_t wait_s, int64_t run_s, int64_t wall_limit_s,
		    bool backfilled)
{
	sums->wait_s = vec_room(sums->wait_s, &sums->room, sums->started + 1, sizeof *sums->wait_s);
	sums->wait_s[sums->started++] = wait_s;
	sums->wait += (double)wait_s;
	sums->slowdown += replay_bounded_slowdown(wait_s, run_s);
	sums->xfactor += 1 + (double)wait_s / (double)wall_limit_s;
	sums->backfilled += backfilled;
}

static int by_value(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left;
	int64_t b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/* The middle one, or the mean of the two in the middle; the 95th percentile by nearest rank. */
static void tell_waits(const int64_t *wait_s, size_t count, struct replay_summary *out)
{
	size_t nearest_rank = (count * 95 + 99) / 100;
	size_t below = (count - 1) / 2;
	size_t above = count / 2;

	out->median_wait_s = (double)(wait_s[below] + wait_s[above]) / 2;
	out->p95_wait_s = (double)wait_s[nearest_rank - 1];
}

void replay_sums_tell(struct replay_sums *sums, struct replay_summary *out)
{
	double started = (double)sums->started;

	if (sums->started == 0)
		return;
	qsort(sums->wait_s, sums->started, sizeof *sums->wait_s, by_value);
	tell_waits(sums->wait_s, sums->started, out);
	out->mean_wait_s = sums->wait / started;
	out->mean_bounded_slowdown = sums->slowdown / started;
	out->mean_xfactor = sums->xfactor / started;
	out->backfilled = sums->backfilled;
}
