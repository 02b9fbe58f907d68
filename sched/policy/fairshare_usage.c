/* SPDX-License-Identifier: MIT */
/*
 * fairshare_usage.c - how much has a job used, and in which window is it kept?
 *
 * What a job used up to a moment is a function of that moment alone, rounded down; its use
 * of a window is the difference of two such amounts. So the parts of a run add up to the
 * whole, however it is cut.
 */
#include "fairshare.h"

#include <math.h>

int64_t fs_window_begin(int64_t at_s, int64_t interval_s)
{
	int64_t into_s = at_s % interval_s;

	return at_s - into_s - (into_s < 0 ? interval_s : 0);
}

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earliest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* --- what a job uses -------------------------------------------------------------------- */

static int64_t whole(double amount)
{
	return amount < (double)INT64_MAX ? (int64_t)amount : INT64_MAX;
}

static int64_t dedicated(int64_t procs, int64_t seconds)
{
	return amount_times(amount_times(procs, FS_UNIT), seconds);
}

/* Processors that a run keeps from others: by what it holds or by the largest part of a resource. */
static double equivalents(const struct job *job, const struct machine *machine)
{
	return fmax(job_pe(job, machine), (double)job_procs_counted(job));
}

static int64_t equivalents_until(double pe, int64_t seconds)
{
	return whole(pe * (double)FS_UNIT * (double)seconds);
}

static int64_t utilised_until(const struct job *job, int64_t span_s, int64_t seconds)
{
	int64_t used_ps = job->used_ps > job->charged_ps ? job->used_ps - job->charged_ps : 0;

	return whole((double)used_ps * (double)FS_UNIT * ((double)seconds / (double)span_s));
}

/* Since when what it uses has not been charged: its start, or its resume after its processors were released.
 */
static int64_t held_since(const struct job *job)
{
	return job->held_since_s != 0 ? job->held_since_s : job->start_s;
}

int64_t fs_job_usage(enum fs_policy metric, const struct job *job, const struct machine *machine,
		     int64_t until_s, int64_t from_s, int64_t to_s)
{
	int64_t since_s = held_since(job), begin_s = latest(from_s, since_s);
	int64_t end_s = earliest(to_s, until_s);

	if (metric == FS_NONE || job->start_s == TIME_NONE || begin_s >= end_s || job_is_released(job))
		return 0;
	if (metric == FS_DEDICATEDPES) {
		double pe = equivalents(job, machine);

		return equivalents_until(pe, end_s - since_s) - equivalents_until(pe, begin_s - since_s);
	}
	if (metric == FS_UTILIZEDPS && job->used_ps >= 0) {
		int64_t span_s = until_s - since_s;

		return utilised_until(job, span_s, end_s - since_s) -
		       utilised_until(job, span_s, begin_s - since_s);
	}
	return dedicated(job_procs_counted(job), end_s - begin_s);
}

double fs_job_would_use(enum fs_policy metric, const struct job *job, const struct machine *machine,
			int64_t seconds)
{
	int64_t usage = 0;

	if (metric == FS_DEDICATEDPES && seconds > 0)
		usage = equivalents_until(equivalents(job, machine), seconds);
	else if (metric != FS_NONE && seconds > 0)
		usage = dedicated(job_procs_counted(job), seconds);
	return (double)usage / (double)FS_UNIT;
}

/* --- the table of usage ----------------------------------------------------------------- */

static bool is_empty(const struct fs_window *window)
{
	return window->length_s == 0;
}

/* Which of two columns is given up first. */
static bool goes_before(const struct fs_window *a, const struct fs_window *b)
{
	if (is_empty(a) || is_empty(b))
		return is_empty(a) && !is_empty(b);
	return a->begin_s < b->begin_s;
}

uint32_t fs_column(const struct fs_window window[static FS_DEPTH_MAX], int64_t begin_s, bool *forget)
{
	uint32_t first = 0;

	*forget = false;
	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++)
		if (window[c].begin_s == begin_s && !is_empty(&window[c]))
			return c;
	for (uint32_t c = 1; c < FS_DEPTH_MAX; c++)
		if (goes_before(&window[c], &window[first]))
			first = c;
	if (is_empty(&window[first]))
		return first;
	if (begin_s < window[first].begin_s)
		return INDEX_NONE;
	*forget = true;
	return first;
}
