/* SPDX-License-Identifier: MIT */
/*
 * state_restore.c - how does an empty state become the one a store kept?
 *
 * Records come in from outside, so every one is checked before it is taken.
 */
#include <string.h>

#include "state_inside.h"

bool state_restore_node(struct state *st, const struct node_record *record, struct err *err)
{
	if (record->name == NULL || record->name[0] == '\0')
		return err_set(err, "a stored node has no name");
	state_add_node(st, record);
	return true;
}

bool state_restore_job(struct state *st, const struct job_record *record, struct err *err)
{
	const struct job *job = &record->job;
	uint32_t slot;

	if (job->id == 0 || state_find(st, job->id) != INDEX_NONE)
		return err_set(err, "stored job %llu: its id is used twice", (unsigned long long)job->id);
	if (job->state != JOB_IDLE && job->state != JOB_RUNNING)
		return err_set(err, "stored job %llu is not a job that waits or runs",
			       (unsigned long long)job->id);
	if (!state_check_size(job, err))
		return err_prefix(err, "stored job %llu", (unsigned long long)job->id);
	if (job->state == JOB_RUNNING && !state_check_runs(st, job, record->runs, record->run_count, err))
		return err_prefix(err, "what was stored does not fit");
	slot = state_add_job(st, record, job->id);
	if (job->state == JOB_RUNNING)
		state_start_job(st, slot, job->start_s, record->runs, record->run_count,
				(job->flags & JOB_BACKFILLED) != 0);
	return true;
}

void state_restore_change(struct state *st, const struct change *change, const char *name, const char *value)
{
	state_keep_change(st, change, name, value);
}

bool state_restore_finish(struct state *st, const struct state_counters *counters, struct err *err)
{
	struct snapshot *s = st->s;

	if (counters->next_job_id < s->next_job_id)
		return err_set(err, "the store's next job id %llu is used already",
			       (unsigned long long)counters->next_job_id);
	s->now_s = counters->now_s;
	s->seq = counters->seq;
	s->next_job_id = counters->next_job_id;
	s->ends_pending = counters->ends_pending;
	s->sim = counters->sim;
	/* What changes did to jobs stands in the jobs' records; settings are applied once for all. */
	state_mark_dead_changes(st);
	state_rebuild_policy(st);
	return state_check(st, err);
}
