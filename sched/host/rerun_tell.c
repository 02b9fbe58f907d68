/* SPDX-License-Identifier: MIT */
/*
 * rerun_tell.c - what came of a journal that was run again?
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "rerun_inside.h"

const struct rerun_record *rerun_of(const struct rerun *r)
{
	return r->record;
}

int64_t rerun_run_s(const struct rerun *r, size_t job)
{
	const struct rerun_fate *fate = &r->fate[job];
	int64_t run_s = r->record->job[job].run_s;

	if (run_s >= 0)
		return run_s;
	if (fate->start_s == TIME_NONE || fate->end_s == TIME_NONE)
		return fate->wall_limit_s;
	return fate->end_s - fate->start_s;
}

const struct rerun_fate *rerun_fates(const struct rerun *r)
{
	return r->fate;
}

const struct snapshot *rerun_view(const struct rerun *r)
{
	return state_view(r->st);
}

const char *rerun_label(const struct rerun *r, size_t job, char buf[static JOB_LABEL_TEXT])
{
	if (r->label[job] != NULL)
		return r->label[job];
	snprintf(buf, JOB_LABEL_TEXT, "%" PRIu64, r->record->job[job].id);
	return buf;
}

const struct rerun_refusal *rerun_refusals(const struct rerun *r, size_t *kept, uint64_t *all)
{
	*kept = r->refusals < REFUSALS_KEPT ? (size_t)r->refusals : REFUSALS_KEPT;
	*all = r->refusals;
	return r->refusal;
}

void rerun_summarise(const struct rerun *r, struct replay_summary *out)
{
	struct replay_sums sums = {.wait_s = NULL};
	int64_t first_s = TIME_NEVER, last_s = TIME_NONE;

	*out = (struct replay_summary){
		.rejected = r->rejected, .cycles = r->passes, .decisions_hash = r->hash};
	for (size_t i = 0; i < r->record->jobs; i++) {
		const struct rerun_fate *fate = &r->fate[i];

		if (fate->submit_s == TIME_NONE)
			continue;
		out->jobs++;
		if (fate->submit_s < first_s)
			first_s = fate->submit_s;
		if (fate->end_s != TIME_NONE && fate->end_s > last_s)
			last_s = fate->end_s;
		if (fate->start_s != TIME_NONE)
			replay_sum_job(&sums, fate->start_s - fate->submit_s, rerun_run_s(r, i),
				       fate->wall_limit_s, fate->backfilled);
		else
			out->not_started++;
	}
	replay_sums_tell(&sums, out);
	free(sums.wait_s);
	if (out->jobs > 0)
		out->first_submit_s = first_s;
	if (last_s != TIME_NONE)
		out->makespan_s = last_s - first_s;
	if (r->there_ps > 0)
		out->utilization = r->busy_ps / r->there_ps;
}
