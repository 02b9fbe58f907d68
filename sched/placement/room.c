/* SPDX-License-Identifier: MIT */
/*
 * room.c - where is room for a job, now and later? What is taken.
 *
 * A plain room knows how many processors each node has left now, and the profile. The others
 * keep claims by node as well. Both build nothing before it is asked for: a pass in which
 * nothing is free looks at nothing here.
 */
#include "room_inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reserve.h"
#include "sched/base/vec.h"

/* --- life -------------------------------------------------------------------------------- */

struct room *room_new(void)
{
	struct room *r = mem_zero(1, sizeof *r);

	r->profile = profile_new();
	return r;
}

void room_free(struct room *r)
{
	if (r == NULL)
		return;
	profile_free(r->profile);
	free(r->step);
	free(r->taken);
	free(r->starts.item);
	free(r->spot);
	free(r->claim);
	moment_free(r);
	guard_free(r);
	free(r->resume);
	free(r->resumed.item);
	free(r->holding);
	free(r->held.item);
	free(r->open);
	free(r->fits);
	free(r->later_s);
	free(r->promised);
	free(r->promised_slot);
	free(r->shape);
	free(r->shape_at);
	free(r->candidate);
	free(r->line);
	free(r->function);
	free(r->function_of);
	free(r);
}

/* Makes what starts took zero again. */
static void wipe(struct room *r)
{
	for (size_t i = 0; i < r->starts.count; i++)
		memset(&r->taken[r->starts.item[i].node], 0, r->starts.item[i].nodes * sizeof *r->taken);
	for (size_t i = 0; i < r->promised_count; i++)
		r->promised[r->promised_slot[i]] = 0;
	resume_wipe(r);
	memo_forget(r);
	r->starts.count = r->step_count = r->function_count = r->promised_count = r->later_count = 0;
	r->has_profile = r->has_claims = r->has_open = false;
	r->knows_machine = r->knows_least = r->has_line = r->has_functions = false;
	r->users_matter = false;
}

/* A block of neighbours is not any processors. */
static bool is_plain(const struct snapshot *s)
{
	return s->particular == 0 && !s->nodes_differ && s->policy.access <= ACCESS_SHARED &&
	       s->policy.allocation != ALLOCATE_CONTIGUOUS;
}

void room_begin(struct room *r, const struct snapshot *s, int64_t now_s)
{
	uint32_t nodes = snapshot_count(s, TABLE_NODES);

	wipe(r);
	r->s = s;
	r->now_s = now_s;
	r->procs_free = s->procs_total - s->procs_busy;
	r->lowest = 0;
	r->highest = nodes;
	r->taken = vec_zeroed(r->taken, &r->taken_room, nodes, sizeof *r->taken);
	r->promised = vec_zeroed(r->promised, &r->promised_room, snapshot_count(s, TABLE_JOBS),
				 sizeof *r->promised);
	guard_begin(r);
	for (uint32_t g = 0; g < r->guard_count; g++)
		if (r->guard[g].begin_s > now_s)
			room_note_later(r, r->guard[g].begin_s);
	r->plain = r->guard_count == 0 && s->released == 0 && is_plain(s);
	if (s->released > 0)
		room_need_claims(r);
}

bool room_is_plain(const struct room *r)
{
	return r->plain;
}

int64_t room_procs_free(const struct room *r)
{
	return r->procs_free;
}

/* --- the profile -------------------------------------------------------------------------- */

static void note_running(struct room *r)
{
	const uint32_t *running = snapshot_running(r->s);

	profile_reset(r->profile, r->now_s, r->s->procs_total - r->s->procs_busy);
	for (uint32_t i = 0; i < snapshot_count(r->s, TABLE_RUNNING); i++) {
		const struct job *job = room_job(r, running[i]);
		int64_t until_s = room_running_until(r, job);

		if (until_s != TIME_NEVER && !job_is_released(job))
			profile_note(r->profile, until_s, job_procs_counted(job));
	}
	resume_note_profile(r);
}

struct profile *room_profile(struct room *r)
{
	if (r->has_profile)
		return r->profile;
	note_running(r);
	profile_settle(r->profile);
	for (size_t i = 0; i < r->step_count; i++)
		profile_take(r->profile, r->step[i].begin_s, r->step[i].end_s, r->step[i].procs);
	r->has_profile = true;
	return r->profile;
}

/* Takes processors from the profile, now or when it is built. */
static void take_procs(struct room *r, int64_t begin_s, int64_t end_s, int64_t procs)
{
	if (r->has_profile) {
		profile_take(r->profile, begin_s, end_s, procs);
		return;
	}
	r->step = vec_room(r->step, &r->step_room, r->step_count + 1, sizeof *r->step);
	r->step[r->step_count++] = (struct room_step){begin_s, end_s, procs};
}

bool room_claim_all(struct room *r, const struct reservation *item, size_t count)
{
	assert(r->plain && !r->has_profile && r->step_count == 0);
	note_running(r);
	for (size_t i = 0; i < count; i++) {
		if (item[i].begin_s < r->now_s)
			return false;
		profile_note(r->profile, item[i].begin_s, -item[i].procs);
		profile_note(r->profile, item[i].end_s, item[i].procs);
	}
	r->has_profile = profile_settle(r->profile);
	return r->has_profile;
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
static void take_now(struct room *r, uint32_t slot, const struct alloc_run *run)
{
	struct alloc_list *starts = &r->starts;

	for (uint32_t n = run->node; n < run->node + run->nodes; n++)
		r->taken[n] += run->procs;
	starts->item = vec_room(starts->item, &starts->room, starts->count + 1, sizeof *run);
	starts->item[starts->count] = *run;
	starts->item[starts->count++].next = slot;
}

static void give_now(struct room *r, const struct alloc_run *run)
{
	for (uint32_t n = run->node; n < run->node + run->nodes; n++)
		r->taken[n] -= run->procs;
	r->has_open = false;
}

void room_take(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, const struct alloc_run *runs,
	       uint32_t count)
{
	bool starts = begin_s == r->now_s;
	int64_t procs = procs_of(runs, count);

	if (!r->plain)
		room_need_claims(r);
	if (!r->plain && !starts)
		claim_note_promise(r, slot, begin_s);
	if (r->has_claims && (starts || !r->plain))
		claim_take(r, slot, begin_s, end_s, runs, count);
	r->version++;
	take_procs(r, begin_s, end_s, procs);
	r->procs_free -= starts ? procs : 0;
	for (uint32_t i = 0; i < count && starts; i++)
		take_now(r, slot, &runs[i]);
}

void room_give(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, const struct alloc_run *runs,
	       uint32_t count)
{
	assert(!r->plain);
	memo_forget(r);
	r->version++;
	take_procs(r, begin_s, end_s, -procs_of(runs, count));
	claim_drop_holding(r, slot, begin_s);
	if (begin_s == r->now_s)
		r->procs_free += procs_of(runs, count);
	for (uint32_t i = 0; i < count; i++) {
		if (begin_s == r->now_s)
			give_now(r, &runs[i]);
		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++)
			claim_drop(r, n, slot, begin_s);
	}
}

/* --- out of one's own way ----------------------------------------------------------------------- */

static struct holding *reservation_of_slot(struct room *r, uint32_t slot)
{
	for (size_t i = 0; i < r->holding_count; i++)
		if (r->holding[i].slot == slot && r->holding[i].begin_s > r->now_s)
			return &r->holding[i];
	return NULL;
}

struct holding *room_lift(struct room *r, uint32_t slot)
{
	struct holding *h = r->plain || !r->promised[slot] ? NULL : reservation_of_slot(r, slot);

	if (h == NULL)
		return NULL;
	take_procs(r, h->begin_s, h->end_s, -procs_of(&r->held.item[h->first_run], h->run_count));
	for (uint32_t i = 0; i < h->run_count; i++) {
		const struct alloc_run *run = &r->held.item[h->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			claim_drop(r, n, slot, h->begin_s);
	}
	return h;
}

void room_lower(struct room *r, struct holding *h)
{
	struct claim claim;

	if (h == NULL)
		return;
	claim = (struct claim){.begin_s = h->begin_s,
			       .end_s = h->end_s,
			       .slot = h->slot,
			       .access = (uint8_t)snapshot_job_access(r->s, room_job(r, h->slot)),
			       .kind = CLAIM_LATER};
	take_procs(r, h->begin_s, h->end_s, procs_of(&r->held.item[h->first_run], h->run_count));
	for (uint32_t i = 0; i < h->run_count; i++)
		claim_add(r, claim, &r->held.item[h->first_run + i]);
}
