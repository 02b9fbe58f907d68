/* SPDX-License-Identifier: MIT */
/*
 * limit_use.c - which jobs count against a limit, and how much each?
 */
#include "limit_use.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/policy/throttle.h"

/* A job as it counts: who starts in the next pass counts as running already (in a draft some do). */
static struct job counted_job(const struct forecast *f, uint32_t slot)
{
	struct job job = snapshot_jobs(f->s)[slot];

	if (job.state == JOB_IDLE && f->plan.reason[slot].gate == GATE_NONE &&
	    f->plan.start_s[slot] == f->plan.now_s) {
		job.state = JOB_RUNNING;
		job.start_s = f->plan.now_s;
	}
	return job;
}

/*
 * By slot: 1 = eligible, as it was when the pass counted; what the pass starts later may bring a job to a
 * hard limit. free() it.
 */
static uint8_t *find_eligible(const struct forecast *f)
{
	const struct queue *q = &f->plan.queue;
	uint8_t *eligible = mem_zero((size_t)f->plan.slots + 1, 1);

	for (uint32_t i = 0; i < q->idle_count; i++)
		eligible[q->idle[i].slot] = 1;
	for (uint32_t i = 0; i < q->blocked_count; i++)
		eligible[q->blocked[i]] = q->blocked_reason[i].gate >= GATE_ACTIVE_SOFT;
	return eligible;
}

void limit_use_each(const struct forecast *f, const struct limit_row *row, limit_use_visit *visit, void *self)
{
	const struct queue *q = &f->plan.queue;
	const struct waiting *waiting = snapshot_waiting(f->s);
	uint8_t *eligible = find_eligible(f);

	for (uint32_t i = 0; i < q->active_count; i++) {
		const struct job *job = &snapshot_jobs(f->s)[q->active[i]];

		if (limit_row_counts(f->s, row, job, true))
			visit(self, q->active[i], job);
	}
	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		struct job job = counted_job(f, waiting[i].slot);
		bool starts = job.state == JOB_RUNNING;

		if ((starts || eligible[waiting[i].slot]) && limit_row_counts(f->s, row, &job, starts))
			visit(self, waiting[i].slot, &job);
	}
	free(eligible);
}

int64_t limit_use_amount(const struct forecast *f, const struct limit_row *row, uint32_t slot,
			 const struct job *job, int64_t at_s)
{
	return throttle_amount_at(f->plan.queue.throttle, (enum limit_kind)row->kind, slot, job, at_s);
}

int64_t limit_use_procs(const struct forecast *f, uint32_t slot, const struct job *job)
{
	return throttle_amount_at(f->plan.queue.throttle, LIMIT_PROC, slot, job, f->plan.now_s);
}

static void add_job(void *self, uint32_t slot, const struct job *job)
{
	struct limit_use *use = self;

	if (job->state == JOB_RUNNING && job_due_end_s(job) <= use->at_s && use->at_s > use->f->plan.now_s)
		return;
	use->amount += limit_use_amount(use->f, use->row, slot, job, use->at_s);
	use->jobs++;
	if (job->state != JOB_RUNNING)
		return;
	use->running++;
	use->procs += limit_use_procs(use->f, slot, job);
	if (job_due_end_s(job) > use->at_s && job_due_end_s(job) < use->next_end_s)
		use->next_end_s = job_due_end_s(job);
}

struct limit_use limit_use_at(const struct forecast *f, const struct limit_row *row, int64_t at_s)
{
	struct limit_use use = {.f = f, .row = row, .at_s = at_s, .next_end_s = TIME_NEVER};

	limit_use_each(f, row, add_job, &use);
	return use;
}

bool limit_use_falls(const struct limit_row *row)
{
	return row->kind == LIMIT_PS || row->kind == LIMIT_WC;
}
