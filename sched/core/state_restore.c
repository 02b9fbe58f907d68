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

static bool runs_fit(const struct state *st, const struct job_record *record, struct err *err)
{
	int64_t procs = 0;

	for (uint32_t i = 0; i < record->run_count; i++) {
		const struct alloc_run *run = &record->runs[i];
		const struct node *node = snapshot_nodes(st->s);

		if (run->nodes == 0 || run->node >= snapshot_count(st->s, TABLE_NODES) ||
		    run->nodes > snapshot_count(st->s, TABLE_NODES) - run->node)
			return err_set(err, "stored job %llu runs on nodes that do not exist",
				       (unsigned long long)record->job.id);
		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			if (node_procs_free(&node[n]) < run->procs)
				return err_set(
					err, "stored job %llu needs %u processors of node %s that are taken",
					(unsigned long long)record->job.id, run->procs,
					snapshot_string(st->s, node[n].name));
		procs += (int64_t)run->nodes * run->procs;
	}
	if (procs != job_procs(&record->job))
		return err_set(err, "stored job %llu has %lld processors where it asked for %lld",
			       (unsigned long long)record->job.id, (long long)procs,
			       (long long)job_procs(&record->job));
	return true;
}

bool state_restore_job(struct state *st, const struct job_record *record, struct err *err)
{
	const struct job *job = &record->job;
	uint32_t slot;

	if (job->id == 0 || state_find(st, job->id) != INDEX_NONE)
		return err_set(err, "stored job %llu: its id is used twice", (unsigned long long)job->id);
	if (job->wall_limit_s <= 0 || job->tasks == 0 || job->task_procs == 0 ||
	    (job->state != JOB_IDLE && job->state != JOB_RUNNING))
		return err_set(err, "stored job %llu is not a job that waits or runs",
			       (unsigned long long)job->id);
	if (job->state == JOB_RUNNING && !runs_fit(st, record, err))
		return false;
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
	s->passes = counters->passes;
	s->ends_pending = counters->ends_pending;
	s->sim = counters->sim;
	/* What changes did to jobs stands in the jobs' records; settings are applied once for all. */
	state_mark_dead_changes(st);
	state_rebuild_policy(st);
	return state_check(st, err);
}
