/* SPDX-License-Identifier: MIT */
/*
 * room.c - where is room for a job, now and later? What is taken.
 *
 * A plain room knows how many processors each node has left now, and the profile. The others
 * keep claims by node as well. Both build nothing before it is asked for: a pass in which
 * nothing is free looks at nothing here.
 */
#include "placement_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reservation.h"
#include "sched/base/vec.h"

/* --- life -------------------------------------------------------------------------------- */

struct placement *placement_new(void)
{
	struct placement *p = mem_zero(1, sizeof *p);

	p->profile = profile_new();
	return p;
}

void placement_free(struct placement *p)
{
	if (p == NULL)
		return;
	profile_free(p->profile);
	free(p->pending);
	free(p->taken);
	free(p->starts.item);
	free(p->node_claims);
	free(p->claim);
	timelines_free(p);
	advances_free(p);
	free(p->resume);
	free(p->resumed.item);
	free(p->holding);
	free(p->held.item);
	free(p->open);
	free(p->fits);
	free(p->future_begin_s);
	free(p->is_reserved);
	free(p->reserved_slot);
	free(p->shape);
	free(p->shape_at);
	free(p->candidate);
	free(p->line);
	free(p->function);
	free(p->function_of);
	free(p);
}

/* Makes what starts took zero again. */
static void wipe(struct placement *p)
{
	for (size_t i = 0; i < p->starts.count; i++)
		memset(&p->taken[p->starts.item[i].node], 0, p->starts.item[i].nodes * sizeof *p->taken);
	for (size_t i = 0; i < p->reserved_count; i++)
		p->is_reserved[p->reserved_slot[i]] = 0;
	resume_wipe(p);
	memo_forget(p);
	p->starts.count = p->pending_count = p->function_count = p->reserved_count = p->future_begin_count =
		0;
	p->has_profile = p->has_claims = p->has_open = false;
	p->knows_machine = p->knows_least = p->has_line = p->has_functions = false;
	p->users_matter = false;
}

/* A block of neighbours is not any processors. */
static bool is_plain(const struct snapshot *s)
{
	return s->particular == 0 && !s->nodes_differ && s->policy.access <= ACCESS_SHARED &&
	       s->policy.allocation != ALLOCATE_CONTIGUOUS;
}

void placement_begin(struct placement *p, const struct snapshot *s, int64_t now_s)
{
	uint32_t nodes = snapshot_count(s, TABLE_NODES);

	wipe(p);
	p->s = s;
	p->now_s = now_s;
	p->procs_free = s->procs_total - s->procs_busy;
	p->lowest = 0;
	p->highest = nodes;
	p->taken = vec_zeroed(p->taken, &p->taken_cap, nodes, sizeof *p->taken);
	p->is_reserved = vec_zeroed(p->is_reserved, &p->is_reserved_cap, snapshot_count(s, TABLE_JOBS),
				    sizeof *p->is_reserved);
	advances_begin(p);
	for (uint32_t g = 0; g < p->advance_count; g++)
		if (p->advance[g].begin_s > now_s)
			claims_note_begin(p, p->advance[g].begin_s);
	p->plain = p->advance_count == 0 && s->released == 0 && is_plain(s);
	if (s->released > 0)
		claims_build(p);
}

bool placement_is_plain(const struct placement *p)
{
	return p->plain;
}

int64_t placement_procs_free(const struct placement *p)
{
	return p->procs_free;
}

/* --- the profile -------------------------------------------------------------------------- */

static void note_running(struct placement *p)
{
	const uint32_t *running = snapshot_running(p->s);

	profile_reset(p->profile, p->now_s, p->s->procs_total - p->s->procs_busy);
	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_RUNNING); i++) {
		const struct job *job = placement_job(p, running[i]);
		int64_t until_s = claim_running_until(p, job);

		if (until_s != TIME_NEVER && !job_is_released(job))
			profile_note(p->profile, until_s, job_procs_counted(job));
	}
	resume_note_profile(p);
}

struct profile *placement_profile(struct placement *p)
{
	if (p->has_profile)
		return p->profile;
	note_running(p);
	profile_settle(p->profile);
	for (size_t i = 0; i < p->pending_count; i++)
		profile_take(p->profile, p->pending[i].begin_s, p->pending[i].end_s, p->pending[i].procs);
	p->has_profile = true;
	return p->profile;
}

/* Takes processors from the profile, now or when it is built. */
static void take_procs(struct placement *p, int64_t begin_s, int64_t end_s, int64_t procs)
{
	if (p->has_profile) {
		profile_take(p->profile, begin_s, end_s, procs);
		return;
	}
	p->pending = vec_room(p->pending, &p->pending_cap, p->pending_count + 1, sizeof *p->pending);
	p->pending[p->pending_count++] = (struct pending_take){begin_s, end_s, procs};
}

bool placement_claim_all(struct placement *p, const struct reservation *item, size_t count)
{
	assert(p->plain && !p->has_profile && p->pending_count == 0);
	note_running(p);
	for (size_t i = 0; i < count; i++) {
		if (item[i].begin_s < p->now_s)
			return false;
		profile_note(p->profile, item[i].begin_s, -item[i].procs);
		profile_note(p->profile, item[i].end_s, item[i].procs);
	}
	p->has_profile = profile_settle(p->profile);
	return p->has_profile;
}

/* --- taking and giving back ------------------------------------------------------------------- */

static int64_t procs_of(const struct alloc_run *runs, uint32_t count)
{
	int64_t procs = 0;

	for (uint32_t i = 0; i < count; i++)
		procs += (int64_t)runs[i].nodes * runs[i].procs;
	return procs;
}

/* What nobody else can start on in this pass. */
static void take_now(struct placement *p, uint32_t slot, const struct alloc_run *run)
{
	struct alloc_list *starts = &p->starts;

	for (uint32_t n = run->node; n < run->node + run->nodes; n++)
		p->taken[n] += run->procs;
	starts->item = vec_room(starts->item, &starts->room, starts->count + 1, sizeof *run);
	starts->item[starts->count] = *run;
	starts->item[starts->count++].next = slot;
}

static void give_now(struct placement *p, const struct alloc_run *run)
{
	for (uint32_t n = run->node; n < run->node + run->nodes; n++)
		p->taken[n] -= run->procs;
	p->has_open = false;
}

void placement_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    const struct alloc_run *runs, uint32_t count)
{
	bool starts = begin_s == p->now_s;
	int64_t procs = procs_of(runs, count);

	if (!p->plain)
		claims_build(p);
	if (!p->plain && !starts)
		claims_note_reservation(p, slot, begin_s);
	if (p->has_claims && (starts || !p->plain))
		claim_take(p, slot, begin_s, end_s, runs, count);
	p->version++;
	take_procs(p, begin_s, end_s, procs);
	p->procs_free -= starts ? procs : 0;
	for (uint32_t i = 0; i < count && starts; i++)
		take_now(p, slot, &runs[i]);
}

void placement_give_back(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			 const struct alloc_run *runs, uint32_t count)
{
	assert(!p->plain);
	memo_forget(p);
	p->version++;
	take_procs(p, begin_s, end_s, -procs_of(runs, count));
	claim_drop_holding(p, slot, begin_s);
	if (begin_s == p->now_s)
		p->procs_free += procs_of(runs, count);
	for (uint32_t i = 0; i < count; i++) {
		if (begin_s == p->now_s)
			give_now(p, &runs[i]);
		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++)
			claim_drop(p, n, slot, begin_s);
	}
}

/* --- out of one's own way ----------------------------------------------------------------------- */

static struct holding *reservation_of_slot(struct placement *p, uint32_t slot)
{
	for (size_t i = 0; i < p->holding_count; i++)
		if (p->holding[i].slot == slot && p->holding[i].begin_s > p->now_s)
			return &p->holding[i];
	return NULL;
}

struct holding *holding_lift(struct placement *p, uint32_t slot)
{
	struct holding *h = p->plain || !p->is_reserved[slot] ? NULL : reservation_of_slot(p, slot);

	if (h == NULL)
		return NULL;
	take_procs(p, h->begin_s, h->end_s, -procs_of(&p->held.item[h->first_run], h->run_count));
	for (uint32_t i = 0; i < h->run_count; i++) {
		const struct alloc_run *run = &p->held.item[h->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			claim_drop(p, n, slot, h->begin_s);
	}
	return h;
}

void holding_restore(struct placement *p, struct holding *h)
{
	struct claim claim;

	if (h == NULL)
		return;
	claim = (struct claim){.begin_s = h->begin_s,
			       .end_s = h->end_s,
			       .slot = h->slot,
			       .access = (uint8_t)snapshot_job_access(p->s, placement_job(p, h->slot)),
			       .kind = CLAIM_LATER};
	take_procs(p, h->begin_s, h->end_s, procs_of(&p->held.item[h->first_run], h->run_count));
	for (uint32_t i = 0; i < h->run_count; i++)
		claim_add(p, claim, &p->held.item[h->first_run + i]);
}
