/* SPDX-License-Identifier: MIT */
/*
 * forecast.c - the queue with its plan and the estimated starts of its jobs
 */
#include "forecast.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* Returns the first position to probe for a job (Fibonacci hashing). */
static size_t hash_id(uint64_t id)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* The hash table has at least twice as many entries as there are jobs, so a look-up takes a step or two. */
static void index_jobs(struct forecast *f)
{
	const struct job *jobs = snapshot_jobs(f->s);
	uint32_t slots = snapshot_count(f->s, TABLE_JOBS);
	size_t size = 16;

	while (size < (size_t)slots * 2)
		size *= 2;
	f->index = vec_room(f->index, &f->index_room, size, sizeof *f->index);
	f->index_mask = size - 1;
	memset(f->index, 0xff, size * sizeof *f->index);
	for (uint32_t slot = 0; slot < slots; slot++) {
		size_t at = hash_id(jobs[slot].id) & f->index_mask;

		if (jobs[slot].state == JOB_NONE)
			continue;
		while (f->index[at] != INDEX_NONE)
			at = (at + 1) & f->index_mask;
		f->index[at] = slot;
	}
}

static uint32_t find_slot(const struct forecast *f, uint64_t id)
{
	size_t at = hash_id(id) & f->index_mask;

	while (f->index[at] != INDEX_NONE && snapshot_jobs(f->s)[f->index[at]].id != id)
		at = (at + 1) & f->index_mask;
	return f->index[at];
}

/* --- estimated starts ----------------------------------------------------------------------- */

static void set_start(struct forecast *f, uint32_t slot, struct future_start start, struct reason never)
{
	f->start_s[slot] = start.start_s;
	f->end_s[slot] = start.end_s;
	f->placeholder[slot] = start.placeholder;
	f->never[slot] = never;
}

/* Sets the estimated starts of all jobs, from the projection p, or from the plan alone if p is NULL. */
static void set_starts(struct forecast *f, const struct projection *p, const struct never *never)
{
	const struct job *jobs = snapshot_jobs(f->s);

	for (uint32_t slot = 0; slot < f->plan.slots; slot++) {
		struct future_start start = {.start_s = TIME_NEVER, .end_s = TIME_NEVER};

		if (jobs[slot].state == JOB_IDLE)
			start = future_start_of(f->s, &f->plan, p, slot);
		else if (jobs[slot].state == JOB_RUNNING && p)
			start = (struct future_start){.start_s = p->start_s[slot], .end_s = p->end_s[slot]};
		else if (jobs[slot].state == JOB_RUNNING)
			start = (struct future_start){.start_s = jobs[slot].start_s,
						      .end_s = job_due_end_s(&jobs[slot])};
		set_start(f, slot, start, never_of(never, slot));
	}
	f->tier = future_tier_of(p);
}

static void make_starts(struct forecast *f)
{
	uint32_t slots = f->plan.slots;

	f->start_s = vec_room(f->start_s, &f->start_room, slots, sizeof *f->start_s);
	f->end_s = vec_room(f->end_s, &f->end_room, slots, sizeof *f->end_s);
	f->placeholder = vec_room(f->placeholder, &f->placeholder_room, slots, sizeof *f->placeholder);
	f->never = vec_room(f->never, &f->never_room, slots, sizeof *f->never);
	set_starts(f, NULL, &(struct never){.slots = 0});
}

void forecast_take(struct forecast *f, const struct projection *p, const struct never *never)
{
	set_starts(f, p, never);
}

/* Is the job unchanged in its state, its priority and everything that an operator can change? */
static bool is_as_before(const struct job *job, const struct job *before)
{
	return job->state == before->state && job->holds == before->holds && job->adjust == before->adjust &&
	       job->points == before->points && job->wall_limit_s == before->wall_limit_s &&
	       job->tasks == before->tasks && job->not_before_s == before->not_before_s &&
	       job->defer_until_s == before->defer_until_s && job->depend == before->depend &&
	       memcmp(job->cred, before->cred, sizeof job->cred) == 0;
}

void forecast_follow(struct forecast *f, const struct forecast *older)
{
	const struct job *jobs = snapshot_jobs(f->s);

	for (uint32_t slot = 0; slot < f->plan.slots; slot++) {
		uint32_t at;
		const struct job *before =
			jobs[slot].state == JOB_NONE ? NULL : forecast_job(older, jobs[slot].id, &at);

		if (before && is_as_before(&jobs[slot], before))
			set_start(f, slot, forecast_start(older, at), older->never[at]);
	}
	f->tier = older->tier;
}

struct future_start forecast_start(const struct forecast *f, uint32_t slot)
{
	return (struct future_start){
		.start_s = f->start_s[slot], .end_s = f->end_s[slot], .placeholder = f->placeholder[slot]};
}

struct explain_lead forecast_lead(const struct forecast *f, uint32_t slot)
{
	bool waits = snapshot_jobs(f->s)[slot].state == JOB_IDLE;

	return explain_lead(f->s, &f->plan, slot, waits ? f->start_s[slot] : TIME_NEVER, f->never[slot]);
}

/* --- building ------------------------------------------------------------------------------- */

void forecast_build(struct forecast *f, const struct snapshot *s, int64_t now_s)
{
	uint32_t slots = snapshot_count(s, TABLE_JOBS);

	f->s = s;
	plan_build(&f->plan, s, now_s);
	make_starts(f);
	f->place = vec_room(f->place, &f->place_room, slots, sizeof *f->place);
	if (slots > 0)
		memset(f->place, 0, slots * sizeof *f->place);
	for (uint32_t i = 0; i < f->plan.queue.idle_count; i++)
		f->place[f->plan.queue.idle[i].slot] = i + 1;
	index_jobs(f);
}

void forecast_free(struct forecast *f)
{
	plan_clear(&f->plan);
	free(f->start_s);
	free(f->end_s);
	free(f->placeholder);
	free(f->never);
	free(f->place);
	free(f->index);
}

const struct job *forecast_job(const struct forecast *f, uint64_t id, uint32_t *slot)
{
	uint32_t at = f->s && id ? find_slot(f, id) : INDEX_NONE;

	if (slot)
		*slot = at;
	return at == INDEX_NONE ? NULL : &snapshot_jobs(f->s)[at];
}

void forecast_priority(const struct forecast *f, const struct job *job, struct prio_result *out)
{
	queue_priority(f->s, job, f->plan.now_s, &f->plan.queue.shares, out);
}

double forecast_xfactor(const struct forecast *f, const struct job *job)
{
	return priority_xfactor(job, &f->s->policy, f->plan.now_s);
}
