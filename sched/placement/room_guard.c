/* SPDX-License-Identifier: MIT */
/*
 * room_guard.c - where is room for a job, now and later? What is kept for others.
 *
 * An advance reservation guards processors of nodes for its guests. What its guests hold there counts
 * as used of it, and the rest nobody else may have: so for a job that is no guest there is left
 *
 *     configured - held by anybody - what guards still keep
 *
 * and for a guest only the first two count. A claim is used of one guard, the first of those that invite its
 * job, and of the next where that is full: what is held once is not counted twice. Where several guard a
 * node a job must be invited by all of them that are not full. Jobs that ran before, or run longer than was
 * planned, are let be: the guard keeps what they leave.
 *
 * Who is invited by the same guards has the same set of invitations, known by its number; so what is
 * remembered of jobs that ask the same (room_memo.c) tells them apart.
 */
#include <stdlib.h>
#include <string.h>

#include "room_inside.h"
#include "sched/base/vec.h"

/* Invitations: one bit for each guard. */
struct guest_set {
	uint64_t bit[ADVANCES_MOST / 64];
};

/* What a guard keeps of one node. */
struct share {
	uint32_t guard;
	uint32_t procs;
};

/* --- the guards of a pass ------------------------------------------------------------------------ */

static const struct advance *advance_of(const struct room *r, uint32_t guard)
{
	return &snapshot_advances(r->s)[r->guard[guard].advance];
}

static void add_set(struct room *r, const struct guest_set *set)
{
	r->set = vec_room(r->set, &r->set_room, r->set_count + 1, sizeof *r->set);
	r->set[r->set_count++] = *set;
}

static void add_guard(struct room *r, uint32_t advance)
{
	const struct advance *a = &snapshot_advances(r->s)[advance];

	if (advance_is_over(a, r->now_s) || r->guard_count == ADVANCES_MOST)
		return;
	r->guard = vec_room(r->guard, &r->guard_room, (size_t)r->guard_count + 1, sizeof *r->guard);
	r->guard[r->guard_count++] =
		(struct guard){.begin_s = a->begin_s, .end_s = a->end_s, .advance = advance};
}

void guard_begin(struct room *r)
{
	struct guest_set set;
	uint32_t jobs = snapshot_count(r->s, TABLE_JOBS);

	r->guard_count = 0;
	r->set_count = 0;
	if (snapshot_count(r->s, TABLE_ADVANCES) == 0)
		return;
	for (uint32_t i = 0; i < snapshot_count(r->s, TABLE_ADVANCES); i++)
		add_guard(r, i);
	memset(&set, 0xff, sizeof set);
	add_set(r, &set);
	memset(&set, 0, sizeof set);
	add_set(r, &set);
	r->set_of = vec_room(r->set_of, &r->set_of_room, (size_t)jobs + 1, sizeof *r->set_of);
	memset(r->set_of, 0, jobs * sizeof *r->set_of);
}

void guard_free(struct room *r)
{
	free(r->guard);
	free(r->set);
	free(r->set_of);
	free(r->share);
	free(r->share_first);
}

bool room_is_guarded(const struct room *r)
{
	return r->guard_count > 0;
}

/* --- invitations --------------------------------------------------------------------------------- */

static bool has(const struct guest_set *set, uint32_t guard)
{
	return (set->bit[guard / 64] >> guard % 64 & 1) != 0;
}

static void put(struct guest_set *set, uint32_t guard)
{
	set->bit[guard / 64] |= UINT64_C(1) << guard % 64;
}

/* The number of a set. */
static uint32_t intern(struct room *r, const struct guest_set *set)
{
	uint32_t i = GUEST_OF_NONE;

	while (i < r->set_count && memcmp(&r->set[i], set, sizeof *set) != 0)
		i++;
	if (i == r->set_count)
		add_set(r, set);
	return i;
}

static uint32_t find_set(struct room *r, const struct job *job)
{
	struct guest_set set = {{0}};

	for (uint32_t g = 0; g < r->guard_count; g++)
		if (snapshot_is_guest(r->s, advance_of(r, g), job))
			put(&set, g);
	return intern(r, &set);
}

uint32_t guard_guests(struct room *r, uint32_t slot)
{
	if (r->guard_count == 0)
		return GUEST_OF_ALL;
	if (r->set_of[slot] == 0)
		r->set_of[slot] = find_set(r, room_job(r, slot));
	return r->set_of[slot];
}

uint32_t guard_invited_too(struct room *r, uint32_t guests, uint32_t guard)
{
	struct guest_set set = r->set[guests];

	put(&set, guard);
	return intern(r, &set);
}

bool guard_invites(const struct room *r, uint32_t guests, uint32_t guard)
{
	return has(&r->set[guests], guard);
}

/* --- by node --------------------------------------------------------------------------------------- */

/* All shares of a guard: how many by node (share NULL), or themselves. next: by node, where its next stands.
 */
static void spread(struct room *r, uint32_t guard, uint32_t *next, struct share *share)
{
	const struct advance *a = advance_of(r, guard);

	for (uint32_t i = 0; i < a->run_count; i++) {
		const struct alloc_run *run = &snapshot_kept_runs(r->s)[a->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++) {
			uint32_t most = snapshot_nodes(r->s)[n].procs;

			if (share != NULL)
				share[next[n]] = (struct share){
					guard, run->procs == 0 || run->procs > most ? most : run->procs};
			next[n]++;
		}
	}
}

/* How many stand on each node becomes where those of the node begin; returns how many there are. */
static uint32_t add_up_counts(uint32_t *count, uint32_t nodes)
{
	uint32_t sum = 0;

	for (uint32_t n = 0; n <= nodes; n++) {
		uint32_t own = count[n];

		count[n] = sum;
		sum += own;
	}
	return sum;
}

void guard_place(struct room *r)
{
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES), count;

	if (r->guard_count == 0)
		return;
	r->share_first =
		vec_room(r->share_first, &r->share_first_room, (size_t)nodes + 1, sizeof *r->share_first);
	memset(r->share_first, 0, ((size_t)nodes + 1) * sizeof *r->share_first);
	for (uint32_t g = 0; g < r->guard_count; g++)
		spread(r, g, r->share_first, NULL);
	for (uint32_t n = 0; n < nodes; n++)
		r->spot[n].added += r->share_first[n];
	count = add_up_counts(r->share_first, nodes);
	r->share = vec_room(r->share, &r->share_room, (size_t)count + 1, sizeof *r->share);
	for (uint32_t g = 0; g < r->guard_count; g++)
		spread(r, g, r->share_first, r->share);
	/* Each was moved behind its own: back to where it begins. */
	memmove(r->share_first + 1, r->share_first, nodes * sizeof *r->share_first);
	r->share_first[0] = 0;
}

/* The guards of a node, by index. */
static struct share *shares_of(const struct room *r, uint32_t node, uint32_t *count)
{
	if (r->guard_count == 0) {
		*count = 0;
		return NULL;
	}
	*count = r->share_first[node + 1] - r->share_first[node];
	return &r->share[r->share_first[node]];
}

const struct guard *guard_on(const struct room *r, uint32_t node, uint32_t i)
{
	uint32_t count;
	const struct share *share = shares_of(r, node, &count);

	return i < count ? &r->guard[share[i].guard] : NULL;
}

/* --- what is kept ---------------------------------------------------------------------------------- */

static bool in_force(const struct guard *g, int64_t at_s)
{
	return g->begin_s <= at_s && at_s < g->end_s;
}

/* What a guest holds is used of the guards that invite him, in their order. */
static void use(uint32_t *left, const struct share *share, uint32_t count, const struct guest_set *guests,
		uint32_t procs)
{
	for (uint32_t i = 0; i < count && procs > 0; i++) {
		uint32_t used = left[i] < procs ? left[i] : procs;

		if (!has(guests, share[i].guard))
			continue;
		left[i] -= used;
		procs -= used;
	}
}

static void use_claims(struct room *r, uint32_t node, int64_t at_s, uint32_t *left, const struct share *share,
		       uint32_t count)
{
	for (uint32_t i = r->spot[node].first; i != INDEX_NONE; i = r->claim[i].next) {
		const struct claim *claim = &r->claim[i];
		uint32_t guests;

		if (claim->begin_s > at_s || claim->end_s <= at_s)
			continue;
		guests = guard_guests(r, claim->slot);
		use(left, share, count, &r->set[guests], claim->procs);
	}
}

int64_t guard_kept(struct room *r, uint32_t node, uint32_t guests, int64_t at_s)
{
	uint32_t count, left[ADVANCES_MOST], whole = snapshot_nodes(r->s)[node].procs;
	const struct share *share = shares_of(r, node, &count);
	bool keeps = false;
	int64_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		left[i] = in_force(&r->guard[share[i].guard], at_s) ? share[i].procs : 0;
		if (left[i] == 0 || guard_invites(r, guests, share[i].guard))
			continue;
		if (left[i] == whole)
			return whole; /* whatever guests hold of it, nothing is left for others */
		keeps = true;
	}
	if (!keeps)
		return 0;
	use_claims(r, node, at_s, left, share, count);
	for (uint32_t i = 0; i < count; i++)
		kept += guard_invites(r, guests, share[i].guard) ? 0 : left[i];
	return kept;
}

bool guard_prefers(const struct room *r, uint32_t node, uint32_t guests, int64_t begin_s, int64_t end_s)
{
	uint32_t count;
	const struct share *share = shares_of(r, node, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct guard *g = &r->guard[share[i].guard];

		if (g->begin_s < end_s && g->end_s > begin_s && guard_invites(r, guests, share[i].guard))
			return true;
	}
	return false;
}

bool guard_prefers_some(const struct room *r, uint32_t guests, int64_t begin_s, int64_t end_s)
{
	for (uint32_t g = 0; g < r->guard_count; g++)
		if (r->guard[g].begin_s < end_s && r->guard[g].end_s > begin_s && guard_invites(r, guests, g))
			return true;
	return false;
}
