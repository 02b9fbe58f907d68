/* SPDX-License-Identifier: MIT */
/*
 * resume_claim.c - claims of suspended jobs whose processors were released
 *
 * Such a job has two claims on each of its nodes: memory and generic resources from now until it ends, and
 * processors from its resume until it ends. These claims are made before all others, in the order of the
 * times of resume, so that no waiting job delays a resume.
 */
#include <stdlib.h>
#include <string.h>

#include "placement_state.h"
#include "sched/base/vec.h"

/* Seconds it needs its processors for; an overdue job, like a running one, to its next poll. */
static int64_t length_s(const struct placement *p, const struct job *job)
{
	int64_t left_s = job_left_s(job, job->suspended_at_s);

	return left_s > 0 ? left_s : left_s + claim_overdue_s(p, job, -left_s);
}

/*
 * The earliest time, not before at_s, at which the node has procs processors free; at_s itself when they are
 * free throughout [at_s, end_s).
 */
static int64_t free_from(struct placement *p, uint32_t node, uint32_t procs, int64_t at_s, int64_t end_s)
{
	const struct timeline *c = timeline_of(p, node);
	int64_t most = (int64_t)snapshot_nodes(p->s)[node].procs - (int64_t)procs, from_s = at_s;

	for (uint32_t i = timeline_at(c, at_s); i < c->count && c->step[i].at_s < end_s; i++)
		if (timeline_held(p, c, i, ALLOC_PROCS) > most)
			from_s = i + 1 < c->count ? c->step[i + 1].at_s : TIME_NEVER;
	return from_s;
}

/* The same of all nodes of a job. Each round moves to a later moment at which a claim begins or ends. */
static int64_t earliest(struct placement *p, const struct job *job, int64_t from_s)
{
	int64_t at_s = from_s, moved_s = TIME_NONE;

	while (at_s != TIME_NEVER && at_s != moved_s) {
		moved_s = at_s;
		for (uint32_t a = job->run; a != INDEX_NONE && at_s != TIME_NEVER;) {
			const struct alloc_run *run = &snapshot_runs(p->s)[a];

			for (uint32_t n = run->node; n < run->node + run->nodes && at_s != TIME_NEVER; n++)
				at_s = free_from(p, n, run->procs, at_s, at_s + length_s(p, job));
			a = run->next;
		}
	}
	return at_s;
}

/* Its claims on each node, and the holding that says when they change. */
static void claim_one(struct placement *p, const struct resume_claim *resume)
{
	const struct job *job = placement_job(p, resume->slot);
	const bool known = resume->begin_s != TIME_NEVER;
	struct claim rest = {.begin_s = TIME_NONE,
			     .end_s = known ? resume->end_s : TIME_NEVER,
			     .slot = resume->slot,
			     .access = job->access_held,
			     .kind = CLAIM_RUNS};
	struct holding *holding = NULL;
	struct claim procs = rest;

	procs.begin_s = resume->begin_s;
	procs.kind = resume->begin_s == p->now_s ? CLAIM_STARTS : CLAIM_LATER;
	if (known)
		holding = claim_begin_holding(p, &procs);
	for (uint32_t a = job->run; a != INDEX_NONE; a = snapshot_runs(p->s)[a].next) {
		struct alloc_run run = snapshot_runs(p->s)[a];
		uint32_t count = run.procs;

		run.procs = 0;
		claim_add(p, rest, &run);
		run.procs = count;
		run.tasks = 0;
		if (known)
			claim_hold(p, holding, &procs, &run);
	}
	if (known && resume->begin_s > p->now_s)
		claims_note_begin(p, resume->begin_s);
}

/* Nobody else can start on them in this pass. */
static void take_now(struct placement *p, const struct job *job)
{
	struct alloc_list *list = &p->resumed;

	for (uint32_t a = job->run; a != INDEX_NONE; a = snapshot_runs(p->s)[a].next) {
		const struct alloc_run *run = &snapshot_runs(p->s)[a];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			p->taken[n] += run->procs;
		list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *run);
		list->item[list->count++] = *run;
	}
	p->procs_free -= job->procs_held;
}

static int by_moment(const void *a, const void *b)
{
	const struct resume_claim *x = a, *y = b;

	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* From when on it claims its processors; TIME_NEVER if it does not yet. */
static int64_t claims_from(const struct placement *p, const struct job *job)
{
	if (job_awaits_resume(job))
		return p->now_s;
	if (!job_claims_resume(job))
		return TIME_NEVER;
	return job->resume_s > p->now_s ? job->resume_s : p->now_s;
}

/* Among jobs with the same time of resume the one with the lower ID comes first. */
static void list(struct placement *p, uint32_t slot)
{
	const struct job *job = placement_job(p, slot);
	int64_t from_s = claims_from(p, job);

	p->resume = vec_room(p->resume, &p->resume_cap, p->resume_count + 1, sizeof *p->resume);
	p->resume[p->resume_count++] = (struct resume_claim){
		.job = job->id, .slot = slot, .from_s = from_s, .begin_s = TIME_NEVER, .end_s = TIME_NEVER};
}

void resume_claim_all(struct placement *p)
{
	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_RUNNING); i++)
		if (job_is_released(placement_job(p, snapshot_running(p->s)[i])))
			list(p, snapshot_running(p->s)[i]);
	if (p->resume_count > 1)
		qsort(p->resume, p->resume_count, sizeof *p->resume, by_moment);
	for (size_t i = 0; i < p->resume_count; i++) {
		struct resume_claim *resume = &p->resume[i];
		const struct job *job = placement_job(p, resume->slot);

		if (resume->from_s != TIME_NEVER && !job_is_leaving(job))
			resume->begin_s = earliest(p, job, resume->from_s);
		if (resume->begin_s != TIME_NEVER)
			resume->end_s = resume->begin_s + length_s(p, job);
		claim_one(p, resume);
		if (resume->begin_s == p->now_s)
			take_now(p, job);
	}
}

void resume_note_profile(const struct placement *p)
{
	for (size_t i = 0; i < p->resume_count; i++) {
		const struct resume_claim *resume = &p->resume[i];
		int64_t procs = placement_job(p, resume->slot)->procs_held;

		if (resume->begin_s == TIME_NEVER)
			continue;
		profile_note(p->profile, resume->begin_s, -procs);
		profile_note(p->profile, resume->end_s, procs);
	}
}

void resume_wipe(struct placement *p)
{
	for (size_t i = 0; i < p->resumed.count; i++)
		memset(&p->taken[p->resumed.item[i].node], 0, p->resumed.item[i].nodes * sizeof *p->taken);
	p->resumed.count = p->resume_count = 0;
}

/* --- asking ---------------------------------------------------------------------------------------- */

const struct resume_claim *placement_resumes(const struct placement *p, size_t *count)
{
	*count = p->resume_count;
	return p->resume;
}

int64_t placement_resume_s(const struct placement *p, uint32_t slot)
{
	for (size_t i = 0; i < p->resume_count; i++)
		if (p->resume[i].slot == slot)
			return p->resume[i].begin_s;
	return TIME_NEVER;
}

int64_t placement_resume_at(const struct snapshot *s, uint32_t slot, int64_t now_s)
{
	int64_t at_s = TIME_NEVER;
	struct placement *placement;

	if (!job_is_released(&snapshot_jobs(s)[slot]) || snapshot_is_halted(s))
		return TIME_NEVER;
	placement = placement_new();
	placement_begin(placement, s, now_s);
	at_s = placement_resume_s(placement, slot);
	placement_free(placement);
	return at_s;
}

const struct resume_claim *placement_next_resume(const struct placement *p, int64_t at_s)
{
	const struct resume_claim *first = NULL;

	for (size_t i = 0; i < p->resume_count; i++)
		if (p->resume[i].begin_s > at_s && p->resume[i].begin_s != TIME_NEVER &&
		    (first == NULL || p->resume[i].begin_s < first->begin_s))
			first = &p->resume[i];
	return first;
}
