/* SPDX-License-Identifier: MIT */
/*
 * room_seek.c - where is room for a job, now and later? From when on.
 *
 * Room grows only where somebody ends, a job or what is kept for others, so these moments are tried, of them
 * those at which enough processors are free as long as the job runs. From one to the next only those nodes
 * are looked at again on which a claim has ended, or another begins before the job would now
 * end: on all others the same claims stand beside it as before.
 */
#include "room_inside.h"
#include "sched/base/vec.h"

/* How many tasks fit on each node (r->fits), and on all, throughout [at_s, at_s + limit). */
struct seek {
	struct room *r;
	const struct want *want;
	int64_t at_s, tasks;
};

static int64_t end_of(const struct seek *k)
{
	return k->at_s + k->want->job->wall_limit_s;
}

/* Nodes that one job fills, and those that are empty by then, are told at once. */
static uint32_t fits_on(struct seek *k, uint32_t node)
{
	const struct spot *spot = &k->r->spot[node];
	const struct node *n = &snapshot_nodes(k->r->s)[node];

	if (k->at_s < spot->full_until_s)
		return 0;
	if (k->at_s >= spot->idle_from_s && !guard_stands_on(k->r, node))
		return n->drained ? 0 : fit_empty(k->want, n).tasks;
	return fit_between(k->r, k->want, node, k->at_s, end_of(k)).tasks;
}

static void look_at(struct seek *k, uint32_t node)
{
	uint32_t *fits = &k->r->fits[node];

	k->tasks -= *fits;
	*fits = fits_on(k, node);
	k->tasks += *fits;
}

static void look_at_all(struct seek *k)
{
	uint32_t nodes = snapshot_count(k->r->s, TABLE_NODES);

	k->r->fits = vec_room(k->r->fits, &k->r->fits_room, nodes, sizeof *k->r->fits);
	for (uint32_t n = 0; n < nodes; n++) {
		k->r->fits[n] = 0;
		look_at(k, n);
	}
}

static void look_at_holding(struct seek *k, const struct holding *h)
{
	for (uint32_t i = 0; i < h->run_count; i++) {
		const struct alloc_run *run = &k->r->held.item[h->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			look_at(k, n);
	}
}

static void look_at_guard(struct seek *k, const struct guard *guard)
{
	const struct advance *a = &snapshot_advances(k->r->s)[guard->advance];

	for (uint32_t i = 0; i < a->run_count; i++) {
		const struct alloc_run *run = &snapshot_kept_runs(k->r->s)[a->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			look_at(k, n);
	}
}

static void go_to(struct seek *k, int64_t at_s)
{
	int64_t from_s = k->at_s, old_end_s = end_of(k);

	k->at_s = at_s;
	for (uint32_t g = 0; g < k->r->guard_count; g++) {
		const struct guard *guard = &k->r->guard[g];

		if ((guard->end_s > from_s && guard->end_s <= at_s) ||
		    (guard->begin_s >= old_end_s && guard->begin_s < end_of(k)))
			look_at_guard(k, guard);
	}
	for (size_t i = 0; i < k->r->holding_count; i++) {
		const struct holding *h = &k->r->holding[i];

		if ((h->end_s > from_s && h->end_s <= at_s) ||
		    (h->begin_s >= old_end_s && h->begin_s < end_of(k)))
			look_at_holding(k, h);
	}
}

/* After now, when NODEAVAILABILITYPOLICY does not count. */
static int64_t seek_later(struct room *r, const struct want *want, int64_t from_s, struct alloc_list *out)
{
	const struct job *job = want->job;
	const struct profile *profile = room_profile(r);
	struct seek k = {.r = r, .want = want};

	k.at_s = profile_earliest(profile, from_s, job_procs(job), job->wall_limit_s);
	if (k.at_s == TIME_NEVER)
		return TIME_NEVER;
	room_need_claims(r);
	look_at_all(&k);
	while (k.tasks < job->tasks || !room_find_later(r, want, k.at_s, end_of(&k), r->fits, out)) {
		int64_t next_s = room_next(r, k.at_s);

		if (next_s != TIME_NEVER)
			next_s = profile_earliest(profile, next_s, job_procs(job), job->wall_limit_s);
		if (next_s == TIME_NEVER)
			return TIME_NEVER;
		go_to(&k, next_s);
	}
	return k.at_s;
}

static int64_t seek(struct room *r, const struct want *want, int64_t from_s, struct alloc_list *out)
{
	if (from_s > r->now_s)
		return seek_later(r, want, from_s, out);
	if (room_find_now(r, want, r->now_s + want->job->wall_limit_s, out))
		return r->now_s;
	from_s = room_next(r, r->now_s);
	return from_s == TIME_NEVER ? TIME_NEVER : seek_later(r, want, from_s, out);
}

/* Any processor is as good as another: the profile knows. */
static int64_t seek_plain(struct room *r, uint32_t slot, int64_t from_s, struct alloc_list *out)
{
	const struct job *job = room_job(r, slot);
	int64_t begin_s = profile_earliest(room_profile(r), from_s, job_procs(job), job->wall_limit_s);

	if (begin_s == r->now_s)
		room_choose(r, slot, out);
	return begin_s;
}

/* With what is remembered of jobs that ask the same. */
static int64_t seek_remembering(struct room *r, const struct want *want, int64_t from_s,
				struct alloc_list *out)
{
	struct shape *shape = room_shape(r, want);
	int64_t begin_s;

	if (shape == NULL)
		return seek(r, want, from_s, out);
	begin_s = memo_not_before(shape, want->job, from_s);
	if (begin_s != TIME_NEVER)
		begin_s = seek(r, want, begin_s, out);
	memo_note_begin(shape, want->job, from_s, begin_s);
	return begin_s;
}

int64_t room_earliest(struct room *r, uint32_t slot, int64_t from_s, struct alloc_list *out)
{
	struct holding *own;
	struct want want;
	int64_t begin_s;

	if (r->plain)
		return seek_plain(r, slot, from_s, out);
	want = want_in(r, slot);
	own = room_lift(r, slot);
	begin_s = seek_remembering(r, &want, from_s, out);
	room_lower(r, own);
	return begin_s;
}
