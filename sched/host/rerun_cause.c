/* SPDX-License-Identifier: MIT */
/*
 * rerun_cause.c - why does a job not start as on record?
 *
 * The same policy decides the same of the same state. So where two runs go apart, something that people did
 * could not be done again, at that moment or before; what could not be done later is what came of it.
 */
#include "rerun.h"

/* When it started in one of them and had not in the other. */
static int64_t apart_s(const struct rerun *r, size_t job)
{
	int64_t then_s = rerun_of(r)->job[job].start_s, now_s = rerun_fates(r)[job].start_s;

	if (then_s == TIME_NONE || now_s == TIME_NONE)
		return then_s == TIME_NONE ? now_s : then_s;
	return then_s < now_s ? then_s : now_s;
}

const struct rerun_refusal *rerun_cause(const struct rerun *r, size_t job)
{
	int64_t until_s = apart_s(r, job);
	const struct rerun_refusal *refusal, *last = NULL;
	uint64_t all;
	size_t kept;

	refusal = rerun_refusals(r, &kept, &all);
	for (size_t i = 0; i < kept && refusal[i].time_s <= until_s; i++)
		if (last == NULL || last->job != rerun_of(r)->job[job].id ||
		    refusal[i].job == rerun_of(r)->job[job].id)
			last = &refusal[i];
	return last;
}
