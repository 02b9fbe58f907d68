/* SPDX-License-Identifier: MIT */
/*
 * state_count.c - how many jobs are there of those that a pass has to look for?
 *
 * The header counts them: so every change of a job takes it out of the counts and puts it in again.
 */
#include "state_inside.h"

void state_count_job(struct state *st, uint32_t slot, int sign)
{
	const struct job *job = state_job(st, slot);
	struct snapshot *s = st->s;
	uint32_t one = sign > 0 ? 1 : UINT32_MAX;

	if (job->cred[CRED_USER] != INDEX_NONE)
		((struct cred *)state_item(st, TABLE_CREDS, job->cred[CRED_USER]))->jobs += one;
	s->particular += (job->flags & JOB_PARTICULAR) != 0 ? one : 0;
	s->of_arrays += job->array != 0 ? one : 0;
	if (job->state != JOB_IDLE)
		return;
	s->adjusted += job->adjust != JOB_ADJUST_NONE ? one : 0;
	s->planned += job->planned_s != TIME_NEVER ? one : 0;
	s->paused += (job->flags & JOB_ACCRUAL_PAUSED) != 0 ? one : 0;
	s->deferred += job->defer_until_s != TIME_NONE || job->depend != INDEX_NONE ? one : 0;
	s->throttled += job->array_limit != 0 ? one : 0;
}

void state_mark_particular(const struct snapshot *s, struct job *job)
{
	const struct machine machine = snapshot_machine(s);

	job->flags &= (uint8_t)~JOB_PARTICULAR;
	if (job_is_particular(job, &machine))
		job->flags |= JOB_PARTICULAR;
}

void state_note_particular(struct state *st)
{
	for (uint32_t slot = 0; slot < snapshot_count(st->s, TABLE_JOBS); slot++) {
		struct job *job = state_job(st, slot);

		if (job->state == JOB_NONE)
			continue;
		state_count_job(st, slot, -1);
		state_mark_particular(st->s, job);
		state_count_job(st, slot, 1);
	}
}

void state_edit_waiting(struct state *st, uint32_t slot, const struct job *edited)
{
	struct job *job = state_job(st, slot);
	bool resized = edited->wall_limit_s != job->wall_limit_s;

	state_count_job(st, slot, -1);
	*job = *edited;
	state_mark_particular(st->s, job);
	state_count_job(st, slot, 1);
	if (resized)
		state_requeue_job(st, slot);
}
