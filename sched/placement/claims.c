/* SPDX-License-Identifier: MIT */
/*
 * claims.c - claims of jobs on nodes over time
 *
 * Running jobs, starts of this pass and reservations have claims on nodes. The claims are built on first use
 * and kept up to date from then on.
 *
 * A timeline adds up the claims on one node. It is a list of steps in order of time; each step is in effect
 * until the next begins, and the last has no end. A timeline is built when it is first needed, which for most
 * nodes never happens.
 *
 * A suspended job whose processors were released has two claims on each of its nodes: memory and generic
 * resources from now until it ends, and processors from its resume until it ends. These claims are added
 * before those of idle jobs, in the order of the resume times, so that no idle job delays a resume.
 */
#include "placement_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* --- kinds of resources of the machine ---------------------------------------------------------------- */

/*
 * Adds up the generic resources of all nodes, up to the highest bit that has a name; bits below it may have
 * none.
 */
static void add_gres(struct placement *p)
{
	uint32_t kinds = 0;

	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_TRAITS); i++)
		if (snapshot_traits(p->s)[i].kind == TRAIT_GRES && snapshot_traits(p->s)[i].bit >= kinds)
			kinds = snapshot_traits(p->s)[i].bit + 1u;
	for (uint32_t n = 0; n < snapshot_count(p->s, TABLE_NODES) && kinds > 0; n++)
		for (uint32_t k = 0; k < kinds; k++)
			p->machine.of[ALLOC_GRES + k] += snapshot_nodes(p->s)[n].gres[k];
}

void placement_need_machine(struct placement *p)
{
	if (p->knows_machine)
		return;
	p->knows_machine = true;
	p->speeds = nodealloc_speeds(snapshot_nodes(p->s), snapshot_count(p->s, TABLE_NODES));
	p->machine = (struct alloc_amounts){{[ALLOC_PROCS] = p->s->procs_total,
					     [ALLOC_MEM] = p->s->mem_mb_total,
					     [ALLOC_SWAP] = p->s->swap_mb_total,
					     [ALLOC_DISK] = p->s->disk_mb_total}};
	add_gres(p);
	p->kinds = 0;
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		p->kind_at[kind] = -1;
		if (kind == ALLOC_PROCS || p->machine.of[kind] > 0)
			p->kind_at[kind] = (int8_t)p->kinds++;
	}
}

/* --- timelines ------------------------------------------------------------------------------------------ */

static int64_t *amounts_of(const struct placement *p, struct timeline *c, uint32_t i)
{
	return &c->amount[(size_t)i * p->kinds];
}

uint32_t timeline_at(const struct timeline *c, int64_t at_s)
{
	uint32_t low = 0, high = c->count;

	if (c->step[high - 1].at_s <= at_s)
		return high - 1;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (c->step[middle].at_s <= at_s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Ensures that a step begins at at_s, which is not before the first step; returns its index. */
static uint32_t timeline_cut(const struct placement *p, struct timeline *c, int64_t at_s)
{
	uint32_t before = timeline_at(c, at_s), at = before + 1, behind = c->count - at;

	if (c->step[before].at_s == at_s)
		return before;
	c->step = vec_room(c->step, &c->step_cap, (size_t)c->count + 1, sizeof *c->step);
	c->amount = vec_room(c->amount, &c->amount_cap, ((size_t)c->count + 1) * p->kinds, sizeof *c->amount);
	memmove(&c->step[at + 1], &c->step[at], behind * sizeof *c->step);
	memmove(amounts_of(p, c, at + 1), amounts_of(p, c, at), behind * p->kinds * sizeof *c->amount);
	c->step[at] = (struct step){.at_s = at_s, .reservations = c->step[before].reservations};
	memcpy(amounts_of(p, c, at), amounts_of(p, c, before), p->kinds * sizeof *c->amount);
	c->count++;
	return at;
}

static void add_amounts(const struct placement *p, int64_t *amount, const struct claim *claim, int sign)
{
	const struct job *job = placement_job(p, claim->slot);

	amount[0] += sign * (int64_t)claim->procs;
	for (int kind = ALLOC_PROCS + 1; kind < ALLOC_KIND_COUNT && p->kinds > 1; kind++)
		if (p->kind_at[kind] >= 0)
			amount[p->kind_at[kind]] += sign * (int64_t)claim->tasks * alloc_requested(job, kind);
}

static void timeline_add(const struct placement *p, struct timeline *c, const struct claim *claim, int sign)
{
	uint32_t begin = timeline_cut(p, c, claim->begin_s > p->now_s ? claim->begin_s : p->now_s);
	uint32_t end = claim->end_s == TIME_NEVER ? c->count : timeline_cut(p, c, claim->end_s);

	if (c->step[begin].at_s > c->last_begin_s)
		c->last_begin_s = c->step[begin].at_s;
	c->step[begin].begins = (uint32_t)((int64_t)c->step[begin].begins + sign);
	for (uint32_t i = begin; i < end; i++) {
		add_amounts(p, amounts_of(p, c, i), claim, sign);
		if (claim->kind == CLAIM_LATER)
			c->step[i].reservations = (uint32_t)((int64_t)c->step[i].reservations + sign);
	}
}

/* Builds the timeline of a node from its claims and its advance reservations. */
static void timeline_build(struct placement *p, uint32_t node)
{
	struct timeline *c = &p->timeline[node];
	const struct advance_reservation *a;

	placement_need_machine(p);
	c->step = vec_room(c->step, &c->step_cap, 1, sizeof *c->step);
	c->amount = vec_room(c->amount, &c->amount_cap, p->kinds, sizeof *c->amount);
	c->step[0] = (struct step){.at_s = p->now_s};
	memset(c->amount, 0, p->kinds * sizeof *c->amount);
	c->count = 1;
	c->last_begin_s = TIME_NONE;
	for (uint32_t i = p->node_claims[node].first; i != INDEX_NONE; i = p->claim[i].next)
		timeline_add(p, c, &p->claim[i], 1);
	/* What is available to a job also changes at the start and the end of an advance reservation. */
	for (uint32_t i = 0; (a = advance_on(p, node, i)) != NULL; i++) {
		if (a->begin_s > p->now_s) {
			uint32_t at = timeline_cut(p, c, a->begin_s);

			c->step[at].begins++;
		}
		if (a->end_s != TIME_NEVER)
			timeline_cut(p, c, a->end_s);
	}
}

struct timeline *timeline_of(struct placement *p, uint32_t node)
{
	if (p->timeline[node].count == 0)
		timeline_build(p, node);
	return &p->timeline[node];
}

int64_t timeline_next_begin(const struct timeline *c, int64_t at_s)
{
	if (c->last_begin_s < at_s)
		return TIME_NEVER;
	for (uint32_t i = timeline_at(c, at_s); i < c->count; i++)
		if (c->step[i].begins > 0 && c->step[i].at_s >= at_s)
			return c->step[i].at_s;
	return TIME_NEVER;
}

/* Adds a claim to a node's timeline, or removes it (sign -1), if the timeline has been built. */
static void timeline_change(struct placement *p, uint32_t node, const struct claim *claim, int sign)
{
	if (p->timeline[node].count > 0)
		timeline_add(p, &p->timeline[node], claim, sign);
}

void timelines_free(struct placement *p)
{
	for (size_t i = 0; i < p->timeline_cap; i++) {
		free(p->timeline[i].step);
		free(p->timeline[i].amount);
	}
	free(p->timeline);
}

/* --- claims and holdings -------------------------------------------------------------------------------- */

static uint32_t spare_claim(struct placement *p)
{
	uint32_t i = p->claim_spare;

	if (i != INDEX_NONE) {
		p->claim_spare = p->claim[i].next;
		return i;
	}
	p->claim = vec_room(p->claim, &p->claim_cap, (size_t)p->claim_count + 1, sizeof *p->claim);
	return p->claim_count++;
}

void claim_add(struct placement *p, struct claim claim, const struct alloc_run *run)
{
	const struct node *node = snapshot_nodes(p->s);
	uint8_t access = claim.access;

	claim.procs = run->procs;
	claim.tasks = run->tasks;
	for (uint32_t n = run->node; n < run->node + run->nodes; n++) {
		struct node_claims *on = &p->node_claims[n];
		uint32_t at = spare_claim(p);

		claim.access = access > node[n].access ? access : node[n].access;
		claim.next = on->first;
		p->claim[at] = claim;
		on->first = at;
		on->added += claim.kind != CLAIM_RUNS;
		if (claim.end_s > on->idle_from_s)
			on->idle_from_s = claim.end_s;
		if (claim.kind != CLAIM_LATER && claim.procs >= node[n].procs &&
		    claim.end_s > on->full_until_s)
			on->full_until_s = claim.end_s;
		timeline_change(p, n, &claim, 1);
		p->users_matter |= claim.access == ACCESS_SINGLEUSER;
	}
}

void claim_drop(struct placement *p, uint32_t node, uint32_t slot, int64_t begin_s)
{
	uint32_t *link = &p->node_claims[node].first;

	while (*link != INDEX_NONE) {
		uint32_t at = *link;
		struct claim *claim = &p->claim[at];

		if (claim->slot == slot && claim->begin_s == begin_s && claim->kind != CLAIM_RUNS) {
			timeline_change(p, node, claim, -1);
			*link = claim->next;
			claim->next = p->claim_spare;
			p->claim_spare = at;
			p->node_claims[node].added--;
			p->node_claims[node].full_until_s = TIME_NONE;
			return;
		}
		link = &claim->next;
	}
	assert(false); /* the claim must exist */
}

/* Appends an empty holding of a job; the result is valid until the next call. */
static struct holding *claim_begin_holding(struct placement *p, const struct claim *claim)
{
	p->holding = vec_room(p->holding, &p->holding_cap, p->holding_count + 1, sizeof *p->holding);
	p->holding[p->holding_count] = (struct holding){.begin_s = claim->begin_s,
							.end_s = claim->end_s,
							.slot = claim->slot,
							.first_run = (uint32_t)p->held.count};
	return &p->holding[p->holding_count++];
}

/* Adds a run to a holding, with a claim on each of its nodes. */
static void claim_hold(struct placement *p, struct holding *holding, const struct claim *claim,
		       const struct alloc_run *run)
{
	claim_add(p, *claim, run);
	p->held.item = vec_room(p->held.item, &p->held.room, p->held.count + 1, sizeof *run);
	p->held.item[p->held.count++] = *run;
	holding->run_count++;
}

void claim_drop_holding(struct placement *p, uint32_t slot, int64_t begin_s)
{
	for (size_t i = p->holding_count; i-- > 0;)
		if (p->holding[i].slot == slot && p->holding[i].begin_s == begin_s) {
			p->holding[i] = p->holding[--p->holding_count];
			return;
		}
}

/* --- suspended jobs ------------------------------------------------------------------------------------- */

/*
 * Returns how long after its wallclock limit a job that is overdue by overdue_s is assumed to end. A job with
 * processes on this host is killed after jobgrace. Any other job can end at any time: it is assumed to end
 * after a whole number of poll intervals, so that reservations after it do not move in every pass.
 */
static int64_t claim_overdue_s(const struct placement *p, const struct job *job, int64_t overdue_s)
{
	int64_t poll_s = p->s->policy.poll_interval_s, grace_s = snapshot_job_grace_s(p->s, job);

	if ((job->real & JOB_REAL_LAUNCH) == 0)
		return (overdue_s / poll_s + 1) * poll_s;
	return overdue_s < grace_s ? grace_s : overdue_s + 1;
}

/*
 * Returns the seconds for which a suspended job needs its processors after its resume; an overdue job needs
 * them until it is assumed to end.
 */
static int64_t resume_length_s(const struct placement *p, const struct job *job)
{
	int64_t left_s = job_left_s(job, job->suspended_at_s);

	return left_s > 0 ? left_s : left_s + claim_overdue_s(p, job, -left_s);
}

/*
 * Returns the earliest time >= at_s from which procs processors of the node are free until end_s; TIME_NEVER
 * if there is no such time.
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

/*
 * Returns the earliest time >= from_s from which the processors of a suspended job are free on all its nodes
 * for as long as it needs them. Each round moves on to a time at which a claim begins or ends.
 */
static int64_t earliest_resume(struct placement *p, const struct job *job, int64_t from_s)
{
	int64_t at_s = from_s, moved_s = TIME_NONE;

	while (at_s != TIME_NEVER && at_s != moved_s) {
		moved_s = at_s;
		for (uint32_t a = job->run; a != INDEX_NONE && at_s != TIME_NEVER;) {
			const struct alloc_run *run = &snapshot_runs(p->s)[a];

			for (uint32_t n = run->node; n < run->node + run->nodes && at_s != TIME_NEVER; n++)
				at_s = free_from(p, n, run->procs, at_s, at_s + resume_length_s(p, job));
			a = run->next;
		}
	}
	return at_s;
}

void claims_note_begin(struct placement *p, int64_t begin_s)
{
	size_t at = p->future_begin_count;

	while (at > 0 && p->future_begin_s[at - 1] > begin_s)
		at--;
	if (at > 0 && p->future_begin_s[at - 1] == begin_s)
		return;
	p->future_begin_s = vec_room(p->future_begin_s, &p->future_begin_cap, p->future_begin_count + 1,
				     sizeof *p->future_begin_s);
	memmove(&p->future_begin_s[at + 1], &p->future_begin_s[at],
		(p->future_begin_count - at) * sizeof *p->future_begin_s);
	p->future_begin_s[at] = begin_s;
	p->future_begin_count++;
}

/* Adds both claims of a suspended job on each of its nodes, and a holding with its processors. */
static void claim_for_resume(struct placement *p, const struct resume_claim *resume)
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

/* Makes the processors of a job that resumes now unavailable to starts of this pass. */
static void take_resumed(struct placement *p, const struct job *job)
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

static int by_resume(const void *a, const void *b)
{
	const struct resume_claim *x = a, *y = b;

	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/*
 * Returns the time from which a suspended job claims its processors; TIME_NEVER if it does not claim them
 * yet.
 */
static int64_t claims_from(const struct placement *p, const struct job *job)
{
	if (job_awaits_resume(job))
		return p->now_s;
	if (!job_claims_resume(job))
		return TIME_NEVER;
	return job->resume_s > p->now_s ? job->resume_s : p->now_s;
}

static void resume_claim_all(struct placement *p)
{
	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_RUNNING); i++) {
		uint32_t slot = snapshot_running(p->s)[i];
		const struct job *job = placement_job(p, slot);

		if (!job_is_released(job))
			continue;
		p->resume = vec_room(p->resume, &p->resume_cap, p->resume_count + 1, sizeof *p->resume);
		p->resume[p->resume_count++] = (struct resume_claim){.job = job->id,
								     .slot = slot,
								     .from_s = claims_from(p, job),
								     .begin_s = TIME_NEVER,
								     .end_s = TIME_NEVER};
	}
	/* Jobs with the same resume time are sorted by ID. */
	if (p->resume_count > 1)
		qsort(p->resume, p->resume_count, sizeof *p->resume, by_resume);
	for (size_t i = 0; i < p->resume_count; i++) {
		struct resume_claim *resume = &p->resume[i];
		const struct job *job = placement_job(p, resume->slot);

		if (resume->from_s != TIME_NEVER && !job_is_leaving(job))
			resume->begin_s = earliest_resume(p, job, resume->from_s);
		if (resume->begin_s != TIME_NEVER)
			resume->end_s = resume->begin_s + resume_length_s(p, job);
		claim_for_resume(p, resume);
		if (resume->begin_s == p->now_s)
			take_resumed(p, job);
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

/* --- running jobs, starts and reservations -------------------------------------------------------------- */

int64_t claim_running_until(const struct placement *p, const struct job *job)
{
	int64_t end_s = job_due_end_s(job);

	return end_s > p->now_s ? end_s : end_s + claim_overdue_s(p, job, p->now_s - end_s);
}

static void claim_running(struct placement *p, uint32_t slot)
{
	const struct job *job = placement_job(p, slot);
	const struct claim claim = {.begin_s = TIME_NONE,
				    .end_s = claim_running_until(p, job),
				    .slot = slot,
				    .access = job->access_held,
				    .kind = CLAIM_RUNS};
	struct holding *holding = claim_begin_holding(p, &claim);

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(p->s)[at].next)
		claim_hold(p, holding, &claim, &snapshot_runs(p->s)[at]);
}

void claim_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		const struct alloc_run *runs, uint32_t count)
{
	const struct claim claim = {.begin_s = begin_s,
				    .end_s = end_s,
				    .slot = slot,
				    .access = (uint8_t)snapshot_job_access(p->s, placement_job(p, slot)),
				    .kind = begin_s == p->now_s ? CLAIM_STARTS : CLAIM_LATER};
	struct holding *holding = claim_begin_holding(p, &claim);

	for (uint32_t i = 0; i < count; i++)
		claim_hold(p, holding, &claim, &runs[i]);
}

void claims_build(struct placement *p)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);
	size_t timelines = p->timeline_cap;

	if (p->has_claims)
		return;
	p->has_claims = true;
	p->claim_count = 0;
	p->claim_spare = INDEX_NONE;
	p->holding_count = p->held.count = 0;
	p->timeline = vec_room(p->timeline, &p->timeline_cap, nodes, sizeof *p->timeline);
	if (p->timeline_cap > timelines)
		memset(&p->timeline[timelines], 0, (p->timeline_cap - timelines) * sizeof *p->timeline);
	for (uint32_t n = 0; n < nodes; n++)
		p->timeline[n].count = 0;
	p->node_claims = vec_room(p->node_claims, &p->node_claims_cap, nodes, sizeof *p->node_claims);
	for (uint32_t n = 0; n < nodes; n++)
		p->node_claims[n] = (struct node_claims){
			.first = INDEX_NONE, .full_until_s = TIME_NONE, .idle_from_s = TIME_NONE};
	advances_place(p);
	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_RUNNING); i++)
		if (!job_is_released(placement_job(p, snapshot_running(p->s)[i])))
			claim_running(p, snapshot_running(p->s)[i]);
	if (p->s->released > 0)
		resume_claim_all(p);
	for (size_t i = 0; i < p->starts.count; i++) {
		uint32_t slot = p->starts.item[i].next;

		claim_take(p, slot, p->now_s, p->now_s + placement_job(p, slot)->wall_limit_s,
			   &p->starts.item[i], 1);
	}
}

void claims_note_reservation(struct placement *p, uint32_t slot, int64_t begin_s)
{
	if (!p->is_reserved[slot]) {
		p->reserved_slot = vec_room(p->reserved_slot, &p->reserved_slot_cap, p->reserved_count + 1,
					    sizeof *p->reserved_slot);
		p->reserved_slot[p->reserved_count++] = slot;
		p->is_reserved[slot] = 1;
	}
	claims_note_begin(p, begin_s);
}

/* --- queries about suspended jobs ----------------------------------------------------------------------- */

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

const struct resume_claim *placement_next_resume(const struct placement *p, int64_t at_s)
{
	const struct resume_claim *first = NULL;

	for (size_t i = 0; i < p->resume_count; i++)
		if (p->resume[i].begin_s > at_s && p->resume[i].begin_s != TIME_NEVER &&
		    (first == NULL || p->resume[i].begin_s < first->begin_s))
			first = &p->resume[i];
	return first;
}
