/* SPDX-License-Identifier: MIT */
/*
 * room_resume.c - claims of suspended jobs whose processors were released
 *
 * Such a job has two claims on each of its nodes: memory and generic resources from now until it ends, and
 * processors from its resume until it ends. These claims are made before all others, in the order of the
 * times of resume, so that no waiting job delays a resume.
 */
#include <stdlib.h>
#include <string.h>

#include "room_inside.h"
#include "sched/base/vec.h"

/* Seconds it needs its processors for; an overdue job, like a running one, to its next poll. */
static int64_t length_s(const struct room *r, const struct job *job)
{
	int64_t left_s = job_left_s(job, job->suspended_at_s);

	return left_s > 0 ? left_s : left_s + room_overdue_s(r, job, -left_s);
}

/*
 * The earliest time, not before at_s, at which the node has procs processors free; at_s itself when they are
 * free throughout [at_s, end_s).
 */
static int64_t free_from(struct room *r, uint32_t node, uint32_t procs, int64_t at_s, int64_t end_s)
{
	const struct course *c = moment_course(r, node);
	int64_t most = (int64_t)snapshot_nodes(r->s)[node].procs - (int64_t)procs, from_s = at_s;

	for (uint32_t i = moment_at(c, at_s); i < c->count && c->moment[i].at_s < end_s; i++)
		if (moment_held(r, c, i, ALLOC_PROCS) > most)
			from_s = i + 1 < c->count ? c->moment[i + 1].at_s : TIME_NEVER;
	return from_s;
}

/* The same of all nodes of a job. Each round moves to a later moment at which a claim begins or ends. */
static int64_t earliest(struct room *r, const struct job *job, int64_t from_s)
{
	int64_t at_s = from_s, moved_s = TIME_NONE;

	while (at_s != TIME_NEVER && at_s != moved_s) {
		moved_s = at_s;
		for (uint32_t a = job->run; a != INDEX_NONE && at_s != TIME_NEVER;) {
			const struct alloc_run *run = &snapshot_runs(r->s)[a];

			for (uint32_t n = run->node; n < run->node + run->nodes && at_s != TIME_NEVER; n++)
				at_s = free_from(r, n, run->procs, at_s, at_s + length_s(r, job));
			a = run->next;
		}
	}
	return at_s;
}

/* Its claims on each node, and the holding that says when they change. */
static void claim_one(struct room *r, const struct room_resume *resume)
{
	const struct job *job = room_job(r, resume->slot);
	const bool known = resume->begin_s != TIME_NEVER;
	struct claim rest = {.begin_s = TIME_NONE,
			     .end_s = known ? resume->end_s : TIME_NEVER,
			     .slot = resume->slot,
			     .access = job->access_held,
			     .kind = CLAIM_RUNS};
	struct holding *holding = NULL;
	struct claim procs = rest;

	procs.begin_s = resume->begin_s;
	procs.kind = resume->begin_s == r->now_s ? CLAIM_STARTS : CLAIM_LATER;
	if (known)
		holding = claim_begin_holding(r, &procs);
	for (uint32_t a = job->run; a != INDEX_NONE; a = snapshot_runs(r->s)[a].next) {
		struct alloc_run run = snapshot_runs(r->s)[a];
		uint32_t count = run.procs;

		run.procs = 0;
		claim_add(r, rest, &run);
		run.procs = count;
		run.tasks = 0;
		if (known)
			claim_hold(r, holding, &procs, &run);
	}
	if (known && resume->begin_s > r->now_s)
		room_note_later(r, resume->begin_s);
}

/* Nobody else can start on them in this pass. */
static void take_now(struct room *r, const struct job *job)
{
	struct alloc_list *list = &r->resumed;

	for (uint32_t a = job->run; a != INDEX_NONE; a = snapshot_runs(r->s)[a].next) {
		const struct alloc_run *run = &snapshot_runs(r->s)[a];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			r->taken[n] += run->procs;
		list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *run);
		list->item[list->count++] = *run;
	}
	r->procs_free -= job->procs_held;
}

static int by_moment(const void *a, const void *b)
{
	const struct room_resume *x = a, *y = b;

	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* From when on it claims its processors; TIME_NEVER if it does not yet. */
static int64_t claims_from(const struct room *r, const struct job *job)
{
	if (job_awaits_resume(job))
		return r->now_s;
	if (!job_claims_resume(job))
		return TIME_NEVER;
	return job->resume_s > r->now_s ? job->resume_s : r->now_s;
}

/* Among jobs with the same time of resume the one with the lower ID comes first. */
static void list(struct room *r, uint32_t slot)
{
	const struct job *job = room_job(r, slot);
	int64_t from_s = claims_from(r, job);

	r->resume = vec_room(r->resume, &r->resume_room, r->resume_count + 1, sizeof *r->resume);
	r->resume[r->resume_count++] = (struct room_resume){
		.job = job->id, .slot = slot, .from_s = from_s, .begin_s = TIME_NEVER, .end_s = TIME_NEVER};
}

void resume_claim_all(struct room *r)
{
	for (uint32_t i = 0; i < snapshot_count(r->s, TABLE_RUNNING); i++)
		if (job_is_released(room_job(r, snapshot_running(r->s)[i])))
			list(r, snapshot_running(r->s)[i]);
	if (r->resume_count > 1)
		qsort(r->resume, r->resume_count, sizeof *r->resume, by_moment);
	for (size_t i = 0; i < r->resume_count; i++) {
		struct room_resume *resume = &r->resume[i];
		const struct job *job = room_job(r, resume->slot);

		if (resume->from_s != TIME_NEVER && !job_is_leaving(job))
			resume->begin_s = earliest(r, job, resume->from_s);
		if (resume->begin_s != TIME_NEVER)
			resume->end_s = resume->begin_s + length_s(r, job);
		claim_one(r, resume);
		if (resume->begin_s == r->now_s)
			take_now(r, job);
	}
}

void resume_note_profile(const struct room *r)
{
	for (size_t i = 0; i < r->resume_count; i++) {
		const struct room_resume *resume = &r->resume[i];
		int64_t procs = room_job(r, resume->slot)->procs_held;

		if (resume->begin_s == TIME_NEVER)
			continue;
		profile_note(r->profile, resume->begin_s, -procs);
		profile_note(r->profile, resume->end_s, procs);
	}
}

void resume_wipe(struct room *r)
{
	for (size_t i = 0; i < r->resumed.count; i++)
		memset(&r->taken[r->resumed.item[i].node], 0, r->resumed.item[i].nodes * sizeof *r->taken);
	r->resumed.count = r->resume_count = 0;
}

/* --- asking ---------------------------------------------------------------------------------------- */

const struct room_resume *room_resumes(const struct room *r, size_t *count)
{
	*count = r->resume_count;
	return r->resume;
}

int64_t room_resume_s(const struct room *r, uint32_t slot)
{
	for (size_t i = 0; i < r->resume_count; i++)
		if (r->resume[i].slot == slot)
			return r->resume[i].begin_s;
	return TIME_NEVER;
}

int64_t room_resume_at(const struct snapshot *s, uint32_t slot, int64_t now_s)
{
	int64_t at_s = TIME_NEVER;
	struct room *room;

	if (!job_is_released(&snapshot_jobs(s)[slot]) || snapshot_is_halted(s))
		return TIME_NEVER;
	room = room_new();
	room_begin(room, s, now_s);
	at_s = room_resume_s(room, slot);
	room_free(room);
	return at_s;
}

const struct room_resume *room_next_resume(const struct room *r, int64_t at_s)
{
	const struct room_resume *first = NULL;

	for (size_t i = 0; i < r->resume_count; i++)
		if (r->resume[i].begin_s > at_s && r->resume[i].begin_s != TIME_NEVER &&
		    (first == NULL || r->resume[i].begin_s < first->begin_s))
			first = &r->resume[i];
	return first;
}
