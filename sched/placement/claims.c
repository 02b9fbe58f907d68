/* SPDX-License-Identifier: MIT */
/*
 * room_claim.c - what does each job hold of each node, and until when?
 *
 * Running jobs, starts of the pass and reservations alike. Nothing is built before it is asked for; from
 * then on it is kept up with what is taken and given back.
 */
#include <assert.h>
#include <string.h>

#include "placement_state.h"
#include "sched/base/vec.h"

int64_t claim_overdue_s(const struct placement *p, const struct job *job, int64_t overdue_s)
{
	int64_t poll_s = p->s->policy.poll_interval_s, grace_s = snapshot_job_grace_s(p->s, job);

	if ((job->real & JOB_REAL_LAUNCH) == 0)
		return (overdue_s / poll_s + 1) * poll_s;
	return overdue_s < grace_s ? grace_s : overdue_s + 1;
}

int64_t claim_running_until(const struct placement *p, const struct job *job)
{
	int64_t end_s = job_due_end_s(job);

	return end_s > p->now_s ? end_s : end_s + claim_overdue_s(p, job, p->now_s - end_s);
}

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

static uint8_t stricter(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

static void widen_node_claims(struct placement *p, uint32_t node, const struct claim *claim)
{
	struct node_claims *node_claims = &p->node_claims[node];

	node_claims->added += claim->kind != CLAIM_RUNS;
	if (claim->end_s > node_claims->idle_from_s)
		node_claims->idle_from_s = claim->end_s;
	if (claim->kind != CLAIM_LATER && claim->procs >= snapshot_nodes(p->s)[node].procs &&
	    claim->end_s > node_claims->full_until_s)
		node_claims->full_until_s = claim->end_s;
}

void claim_add(struct placement *p, struct claim claim, const struct alloc_run *run)
{
	const struct node *node = snapshot_nodes(p->s);
	uint8_t access = claim.access;

	claim.procs = run->procs;
	claim.tasks = run->tasks;
	for (uint32_t n = run->node; n < run->node + run->nodes; n++) {
		uint32_t at = spare_claim(p);

		claim.access = stricter(access, node[n].access);
		claim.next = p->node_claims[n].first;
		p->claim[at] = claim;
		p->node_claims[n].first = at;
		widen_node_claims(p, n, &claim);
		timeline_change(p, n, &claim, 1);
		p->users_matter |= claim.access == ACCESS_SINGLEUSER;
	}
}

struct holding *claim_begin_holding(struct placement *p, const struct claim *claim)
{
	p->holding = vec_room(p->holding, &p->holding_cap, p->holding_count + 1, sizeof *p->holding);
	p->holding[p->holding_count] = (struct holding){.begin_s = claim->begin_s,
							.end_s = claim->end_s,
							.slot = claim->slot,
							.first_run = (uint32_t)p->held.count};
	return &p->holding[p->holding_count++];
}

void claim_hold(struct placement *p, struct holding *holding, const struct claim *claim,
		const struct alloc_run *run)
{
	claim_add(p, *claim, run);
	p->held.item = vec_room(p->held.item, &p->held.room, p->held.count + 1, sizeof *run);
	p->held.item[p->held.count++] = *run;
	holding->run_count++;
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

	if (p->has_claims)
		return;
	p->has_claims = true;
	p->claim_count = 0;
	p->claim_spare = INDEX_NONE;
	p->holding_count = p->held.count = 0;
	timelines_reset(p, nodes);
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

void claim_drop_holding(struct placement *p, uint32_t slot, int64_t begin_s)
{
	for (size_t i = p->holding_count; i-- > 0;)
		if (p->holding[i].slot == slot && p->holding[i].begin_s == begin_s) {
			p->holding[i] = p->holding[--p->holding_count];
			return;
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
	assert(false); /* what is given back was taken */
}

/* --- promises --------------------------------------------------------------------------------- */

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
