/* SPDX-License-Identifier: MIT */
/*
 * state_restore.c - restoring a state from stored records
 *
 * Records come from a file, so each is checked before it is applied.
 */
#include "state_inside.h"

bool state_restore_node(struct state *st, const struct node_record *record, struct err *err)
{
	struct node *node;
	uint32_t i;

	if (record->name == NULL || record->name[0] == '\0')
		return err_set(err, "a stored node has no name");
	if (!state_check_node(st, record, err))
		return err_prefix(err, "a stored node");
	i = state_add_node(st, record);
	state_set_load(st, i, &record->used, record->used_by);
	node = state_item(st, TABLE_NODES, i);
	node->active_s = record->active_s;
	node->active_from_s = record->active_from_s;
	return true;
}

/* Checks the sizes, names and dependencies of a stored job. */
static bool check_record(const struct job_record *record, struct err *err)
{
	const struct job *job = &record->job;

	if (!state_check_size(job, err) || !state_check_job_traits(record, err))
		return false;
	if (job->access_held > ACCESS_SINGLETASK)
		return err_set(err, "it runs under an access policy that does not exist");
	if (!state_check_released(job, err))
		return false;
	for (uint32_t i = 0; i < record->depend_count; i++)
		if (record->depend[i].type >= DEPEND_TYPE_COUNT || record->depend[i].state > DEPEND_NEVER ||
		    record->depend[i].of >= DEPEND_OF_COUNT)
			return err_set(err, "it has a dependency of an unknown kind");
	return true;
}

static bool check_runs(const struct state *st, const struct job_record *record, struct err *err)
{
	const struct job *job = &record->job;

	if (job->state == JOB_RUNNING)
		return state_check_kept_runs(st, job, record->runs, record->run_count, err);
	if (record->run_count == 0)
		return true;
	if (job->planned_s == TIME_NEVER)
		return err_set(err, "job %llu has nodes but no planned start", (unsigned long long)job->id);
	return state_check_named(st, job, record->runs, record->run_count, err);
}

bool state_restore_job(struct state *st, const struct job_record *record, struct err *err)
{
	const struct job *job = &record->job;
	uint32_t slot;

	if (job->id == 0)
		return err_set(err, "a stored job has ID 0, which no job can have");
	if (state_find(st, job->id) != INDEX_NONE)
		return err_set(err, "stored job %llu: its ID is used twice", (unsigned long long)job->id);
	if (job->state != JOB_IDLE && job->state != JOB_RUNNING)
		return err_set(err, "stored job %llu is neither idle nor running",
			       (unsigned long long)job->id);
	if (!check_record(record, err))
		return err_prefix(err, "stored job %llu", (unsigned long long)job->id);
	if (!check_runs(st, record, err))
		return err_prefix(err, "the stored placement is invalid");
	slot = state_add_job(st, record, job->id);
	if (job->state == JOB_RUNNING)
		state_place_job(st, slot, record->runs, record->run_count);
	else if (record->run_count > 0)
		state_plan_job(st, slot, job->planned_s, record->runs, record->run_count);
	return true;
}

bool state_restore_usage(struct state *st, const struct usage_window *window, struct err *err)
{
	if (!state_check_usage(st, window, err))
		return err_prefix(err, "stored fairshare usage");
	state_set_usage(st, window);
	return true;
}

void state_restore_change(struct state *st, const struct change *change, const char *name, const char *value,
			  const char *base)
{
	state_keep_change(st, change, name, value, base);
}

bool state_restore_finish(struct state *st, const struct state_counters *counters, struct err *err)
{
	struct snapshot *s = st->s;

	if (counters->next_job_id < s->next_job_id)
		return err_set(err, "the store's next job ID %llu is already in use",
			       (unsigned long long)counters->next_job_id);
	s->now_s = counters->now_s;
	s->seq = counters->seq;
	s->next_job_id = counters->next_job_id;
	s->ends_pending = counters->ends_pending;
	s->sim = counters->sim;
	s->stats_since_s = counters->stats_since_s;
	s->halted = counters->halted;
	s->halt_after = counters->halt_after;
	s->set_back = counters->set_back;
	/* The job records include the effects of changes; settings are applied once, at the end. */
	state_mark_dead_changes(st);
	state_rebuild_policy(st);
	return state_rebuild_advances(st, err) && state_check(st, err);
}
