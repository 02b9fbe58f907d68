/* SPDX-License-Identifier: MIT */
/*
 * room_claim.c - what does each job hold of each node, and until when?
 *
 * Running jobs, starts of the pass and reservations alike. Nothing is built before it is asked for; from
 * then on it is kept up with what is taken and given back.
 */
#include <assert.h>
#include <string.h>

#include "room_inside.h"
#include "sched/base/vec.h"

int64_t room_overdue_s(const struct room *r, const struct job *job, int64_t overdue_s)
{
	int64_t poll_s = r->s->policy.poll_interval_s, grace_s = snapshot_job_grace_s(r->s, job);

	if ((job->real & JOB_REAL_LAUNCH) == 0)
		return (overdue_s / poll_s + 1) * poll_s;
	return overdue_s < grace_s ? grace_s : overdue_s + 1;
}

int64_t room_running_until(const struct room *r, const struct job *job)
{
	int64_t end_s = job_due_end_s(job);

	return end_s > r->now_s ? end_s : end_s + room_overdue_s(r, job, r->now_s - end_s);
}

static uint32_t spare_claim(struct room *r)
{
	uint32_t i = r->claim_spare;

	if (i != INDEX_NONE) {
		r->claim_spare = r->claim[i].next;
		return i;
	}
	r->claim = vec_room(r->claim, &r->claim_room, (size_t)r->claim_count + 1, sizeof *r->claim);
	return r->claim_count++;
}

static uint8_t stricter(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

static void widen_spot(struct room *r, uint32_t node, const struct claim *claim)
{
	struct spot *spot = &r->spot[node];

	spot->added += claim->kind != CLAIM_RUNS;
	if (claim->end_s > spot->idle_from_s)
		spot->idle_from_s = claim->end_s;
	if (claim->kind != CLAIM_LATER && claim->procs >= snapshot_nodes(r->s)[node].procs &&
	    claim->end_s > spot->full_until_s)
		spot->full_until_s = claim->end_s;
}

void claim_add(struct room *r, struct claim claim, const struct alloc_run *run)
{
	const struct node *node = snapshot_nodes(r->s);
	uint8_t access = claim.access;

	claim.procs = run->procs;
	claim.tasks = run->tasks;
	for (uint32_t n = run->node; n < run->node + run->nodes; n++) {
		uint32_t at = spare_claim(r);

		claim.access = stricter(access, node[n].access);
		claim.next = r->spot[n].first;
		r->claim[at] = claim;
		r->spot[n].first = at;
		widen_spot(r, n, &claim);
		moment_change(r, n, &claim, 1);
		r->users_matter |= claim.access == ACCESS_SINGLEUSER;
	}
}

struct holding *claim_begin_holding(struct room *r, const struct claim *claim)
{
	r->holding = vec_room(r->holding, &r->holding_room, r->holding_count + 1, sizeof *r->holding);
	r->holding[r->holding_count] = (struct holding){.begin_s = claim->begin_s,
							.end_s = claim->end_s,
							.slot = claim->slot,
							.first_run = (uint32_t)r->held.count};
	return &r->holding[r->holding_count++];
}

void claim_hold(struct room *r, struct holding *holding, const struct claim *claim,
		const struct alloc_run *run)
{
	claim_add(r, *claim, run);
	r->held.item = vec_room(r->held.item, &r->held.room, r->held.count + 1, sizeof *run);
	r->held.item[r->held.count++] = *run;
	holding->run_count++;
}

static void claim_running(struct room *r, uint32_t slot)
{
	const struct job *job = room_job(r, slot);
	const struct claim claim = {.begin_s = TIME_NONE,
				    .end_s = room_running_until(r, job),
				    .slot = slot,
				    .access = job->access_held,
				    .kind = CLAIM_RUNS};
	struct holding *holding = claim_begin_holding(r, &claim);

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(r->s)[at].next)
		claim_hold(r, holding, &claim, &snapshot_runs(r->s)[at]);
}

void claim_take(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, const struct alloc_run *runs,
		uint32_t count)
{
	const struct claim claim = {.begin_s = begin_s,
				    .end_s = end_s,
				    .slot = slot,
				    .access = (uint8_t)snapshot_job_access(r->s, room_job(r, slot)),
				    .kind = begin_s == r->now_s ? CLAIM_STARTS : CLAIM_LATER};
	struct holding *holding = claim_begin_holding(r, &claim);

	for (uint32_t i = 0; i < count; i++)
		claim_hold(r, holding, &claim, &runs[i]);
}

void room_need_claims(struct room *r)
{
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES);

	if (r->has_claims)
		return;
	r->has_claims = true;
	r->claim_count = 0;
	r->claim_spare = INDEX_NONE;
	r->holding_count = r->held.count = 0;
	moment_begin(r, nodes);
	r->spot = vec_room(r->spot, &r->spot_room, nodes, sizeof *r->spot);
	for (uint32_t n = 0; n < nodes; n++)
		r->spot[n] = (struct spot){
			.first = INDEX_NONE, .full_until_s = TIME_NONE, .idle_from_s = TIME_NONE};
	guard_place(r);
	for (uint32_t i = 0; i < snapshot_count(r->s, TABLE_RUNNING); i++)
		if (!job_is_released(room_job(r, snapshot_running(r->s)[i])))
			claim_running(r, snapshot_running(r->s)[i]);
	if (r->s->released > 0)
		resume_claim_all(r);
	for (size_t i = 0; i < r->starts.count; i++) {
		uint32_t slot = r->starts.item[i].next;

		claim_take(r, slot, r->now_s, r->now_s + room_job(r, slot)->wall_limit_s, &r->starts.item[i],
			   1);
	}
}

void claim_drop_holding(struct room *r, uint32_t slot, int64_t begin_s)
{
	for (size_t i = r->holding_count; i-- > 0;)
		if (r->holding[i].slot == slot && r->holding[i].begin_s == begin_s) {
			r->holding[i] = r->holding[--r->holding_count];
			return;
		}
}

void claim_drop(struct room *r, uint32_t node, uint32_t slot, int64_t begin_s)
{
	uint32_t *link = &r->spot[node].first;

	while (*link != INDEX_NONE) {
		uint32_t at = *link;
		struct claim *claim = &r->claim[at];

		if (claim->slot == slot && claim->begin_s == begin_s && claim->kind != CLAIM_RUNS) {
			moment_change(r, node, claim, -1);
			*link = claim->next;
			claim->next = r->claim_spare;
			r->claim_spare = at;
			r->spot[node].added--;
			r->spot[node].full_until_s = TIME_NONE;
			return;
		}
		link = &claim->next;
	}
	assert(false); /* what is given back was taken */
}

/* --- promises --------------------------------------------------------------------------------- */

void claim_note_promise(struct room *r, uint32_t slot, int64_t begin_s)
{
	if (!r->promised[slot]) {
		r->promised_slot = vec_room(r->promised_slot, &r->promised_slot_room, r->promised_count + 1,
					    sizeof *r->promised_slot);
		r->promised_slot[r->promised_count++] = slot;
		r->promised[slot] = 1;
	}
	room_note_later(r, begin_s);
}

void room_note_later(struct room *r, int64_t begin_s)
{
	size_t at = r->later_count;

	while (at > 0 && r->later_s[at - 1] > begin_s)
		at--;
	if (at > 0 && r->later_s[at - 1] == begin_s)
		return;
	r->later_s = vec_room(r->later_s, &r->later_room, r->later_count + 1, sizeof *r->later_s);
	memmove(&r->later_s[at + 1], &r->later_s[at], (r->later_count - at) * sizeof *r->later_s);
	r->later_s[at] = begin_s;
	r->later_count++;
}
