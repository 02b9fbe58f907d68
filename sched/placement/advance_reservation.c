/* SPDX-License-Identifier: MIT */
/*
 * advance_reservation.c - processors that advance reservations reserve
 *
 * An advance reservation reserves processors of nodes for its guests. Processors that its guests hold on
 * these nodes are charged to it; the processors that remain reserved are not available to other jobs. A job
 * that is not a guest can get
 *
 *     configured - held by any job - still reserved
 *
 * processors of a node; for a guest, the last term is not subtracted. A claim is charged to the first of the
 * advance reservations that admit its job, and to the next one if that is full; nothing is charged twice. On
 * a node with several advance reservations, a job must be a guest of all of them that are not full. Running
 * jobs that started earlier, or run longer than planned, are not affected: only the processors that they
 * leave can be reserved.
 *
 * Jobs that are guests of the same advance reservations have the same set of invitations, identified by its
 * number, which is part of the key of cached results (shape.c).
 */
#include "placement_state.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* One bit for each advance reservation. */
struct guest_set {
	uint64_t bit[ADVANCES_MOST / 64];
};

/* The processors that an advance reservation reserves on one node. */
struct share {
	uint32_t advance;
	uint32_t procs;
};

/* --- advance reservations of a pass --------------------------------------------------------------------- */

static const struct advance *model_of(const struct placement *p, uint32_t advance)
{
	return &snapshot_advances(p->s)[p->advance[advance].index];
}

static void add_set(struct placement *p, const struct guest_set *set)
{
	p->set = vec_room(p->set, &p->set_cap, p->set_count + 1, sizeof *p->set);
	p->set[p->set_count++] = *set;
}

void advances_begin(struct placement *p)
{
	struct guest_set set;
	uint32_t jobs = snapshot_count(p->s, TABLE_JOBS);

	p->advance_count = 0;
	p->set_count = 0;
	if (snapshot_count(p->s, TABLE_ADVANCES) == 0)
		return;
	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(p->s)[i];

		if (advance_is_over(a, p->now_s) || p->advance_count == ADVANCES_MOST)
			continue;
		p->advance = vec_room(p->advance, &p->advance_cap, (size_t)p->advance_count + 1,
				      sizeof *p->advance);
		p->advance[p->advance_count++] =
			(struct advance_reservation){.begin_s = a->begin_s, .end_s = a->end_s, .index = i};
	}
	memset(&set, 0xff, sizeof set);
	add_set(p, &set);
	memset(&set, 0, sizeof set);
	add_set(p, &set);
	p->set_of = vec_room(p->set_of, &p->set_of_cap, (size_t)jobs + 1, sizeof *p->set_of);
	memset(p->set_of, 0, jobs * sizeof *p->set_of);
}

void advances_free(struct placement *p)
{
	free(p->advance);
	free(p->set);
	free(p->set_of);
	free(p->share);
	free(p->share_first);
}

bool placement_has_advances(const struct placement *p)
{
	return p->advance_count > 0;
}

/* --- invitations ---------------------------------------------------------------------------------------- */

static bool has_invitation(const struct guest_set *set, uint32_t advance)
{
	return (set->bit[advance / 64] >> advance % 64 & 1) != 0;
}

static void add_invitation(struct guest_set *set, uint32_t advance)
{
	set->bit[advance / 64] |= UINT64_C(1) << advance % 64;
}

/* Returns the number of a set of invitations; adds the set if it is new. */
static uint32_t set_number(struct placement *p, const struct guest_set *set)
{
	uint32_t i = GUEST_OF_NONE;

	while (i < p->set_count && memcmp(&p->set[i], set, sizeof *set) != 0)
		i++;
	if (i == p->set_count)
		add_set(p, set);
	return i;
}

uint32_t advance_guests(struct placement *p, uint32_t slot)
{
	struct guest_set set = {{0}};

	if (p->advance_count == 0)
		return GUEST_OF_ALL;
	if (p->set_of[slot] != 0)
		return p->set_of[slot];
	for (uint32_t g = 0; g < p->advance_count; g++)
		if (snapshot_is_guest(p->s, model_of(p, g), placement_job(p, slot)))
			add_invitation(&set, g);
	return p->set_of[slot] = set_number(p, &set);
}

uint32_t guests_with(struct placement *p, uint32_t guests, uint32_t advance)
{
	struct guest_set set = p->set[guests];

	add_invitation(&set, advance);
	return set_number(p, &set);
}

bool advance_admits(const struct placement *p, uint32_t guests, uint32_t advance)
{
	return has_invitation(&p->set[guests], advance);
}

/* --- by node -------------------------------------------------------------------------------------------- */

/*
 * If `share` is NULL, adds to next[node] the number of shares that an advance reservation has on each node.
 * Otherwise stores each share at index next[node] of `share` and increments next[node].
 */
static void spread(struct placement *p, uint32_t advance, uint32_t *next, struct share *share)
{
	const struct advance *a = model_of(p, advance);

	for (uint32_t i = 0; i < a->run_count; i++) {
		const struct alloc_run *run = &snapshot_kept_runs(p->s)[a->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++) {
			uint32_t most = snapshot_nodes(p->s)[n].procs;

			if (share != NULL)
				share[next[n]] = (struct share){
					advance, run->procs == 0 || run->procs > most ? most : run->procs};
			next[n]++;
		}
	}
}

void advances_place(struct placement *p)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES), count = 0;

	if (p->advance_count == 0)
		return;
	p->share_first =
		vec_room(p->share_first, &p->share_first_cap, (size_t)nodes + 1, sizeof *p->share_first);
	memset(p->share_first, 0, ((size_t)nodes + 1) * sizeof *p->share_first);
	for (uint32_t g = 0; g < p->advance_count; g++)
		spread(p, g, p->share_first, NULL);
	for (uint32_t n = 0; n < nodes; n++)
		p->node_claims[n].added += p->share_first[n];
	/* Convert the number of shares of each node to the index of its first share. */
	for (uint32_t n = 0; n <= nodes; n++) {
		uint32_t own = p->share_first[n];

		p->share_first[n] = count;
		count += own;
	}
	p->share = vec_room(p->share, &p->share_cap, (size_t)count + 1, sizeof *p->share);
	for (uint32_t g = 0; g < p->advance_count; g++)
		spread(p, g, p->share_first, p->share);
	/*
	 * After storing, the index of each node is that of the first share of the next node: move all indexes
	 * up by one node.
	 */
	memmove(p->share_first + 1, p->share_first, nodes * sizeof *p->share_first);
	p->share_first[0] = 0;
}

/* Returns the shares of a node and their number. */
static struct share *shares_of(const struct placement *p, uint32_t node, uint32_t *count)
{
	if (p->advance_count == 0) {
		*count = 0;
		return NULL;
	}
	*count = p->share_first[node + 1] - p->share_first[node];
	return &p->share[p->share_first[node]];
}

const struct advance_reservation *advance_on(const struct placement *p, uint32_t node, uint32_t i)
{
	uint32_t count;
	const struct share *share = shares_of(p, node, &count);

	return i < count ? &p->advance[share[i].advance] : NULL;
}

/* --- what is reserved ----------------------------------------------------------------------------------- */

/*
 * Charges the processors that guests hold on a node at at_s to the advance reservations that admit them, in
 * order: subtracts them from left[].
 */
static void charge_claims(struct placement *p, uint32_t node, int64_t at_s, uint32_t *left,
			  const struct share *share, uint32_t count)
{
	for (uint32_t i = p->node_claims[node].first; i != INDEX_NONE; i = p->claim[i].next) {
		const struct claim *claim = &p->claim[i];
		uint32_t guests, procs = claim->procs;

		if (claim->begin_s > at_s || claim->end_s <= at_s)
			continue;
		guests = advance_guests(p, claim->slot);
		for (uint32_t k = 0; k < count && procs > 0; k++) {
			uint32_t used = left[k] < procs ? left[k] : procs;

			if (!advance_admits(p, guests, share[k].advance))
				continue;
			left[k] -= used;
			procs -= used;
		}
	}
}

int64_t advance_kept(struct placement *p, uint32_t node, uint32_t guests, int64_t at_s)
{
	uint32_t count, left[ADVANCES_MOST], whole = snapshot_nodes(p->s)[node].procs;
	const struct share *share = shares_of(p, node, &count);
	bool keeps = false;
	int64_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct advance_reservation *a = &p->advance[share[i].advance];

		left[i] = a->begin_s <= at_s && at_s < a->end_s ? share[i].procs : 0;
		if (left[i] == 0 || advance_admits(p, guests, share[i].advance))
			continue;
		if (left[i] == whole)
			return whole; /* nothing is left for other jobs, whatever guests hold */
		keeps = true;
	}
	if (!keeps)
		return 0;
	charge_claims(p, node, at_s, left, share, count);
	for (uint32_t i = 0; i < count; i++)
		kept += advance_admits(p, guests, share[i].advance) ? 0 : left[i];
	return kept;
}

bool advance_prefers(const struct placement *p, uint32_t node, uint32_t guests, int64_t begin_s,
		     int64_t end_s)
{
	uint32_t count;
	const struct share *share = shares_of(p, node, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct advance_reservation *g = &p->advance[share[i].advance];

		if (g->begin_s < end_s && g->end_s > begin_s && advance_admits(p, guests, share[i].advance))
			return true;
	}
	return false;
}

bool advance_prefers_any(const struct placement *p, uint32_t guests, int64_t begin_s, int64_t end_s)
{
	for (uint32_t g = 0; g < p->advance_count; g++)
		if (p->advance[g].begin_s < end_s && p->advance[g].end_s > begin_s &&
		    advance_admits(p, guests, g))
			return true;
	return false;
}
