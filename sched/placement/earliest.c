/* SPDX-License-Identifier: MIT */
/*
 * room_seek.c - where is room for a job, now and later? From when on.
 *
 * Room grows only where somebody ends, a job or what is kept for others, so these moments are tried, of them
 * those at which enough processors are free as long as the job runs. From one to the next only those nodes
 * are looked at again on which a claim has ended, or another begins before the job would now
 * end: on all others the same claims stand beside it as before.
 */
#include "placement_state.h"
#include "sched/base/vec.h"

/* How many tasks fit on each node (r->fits), and on all, throughout [at_s, at_s + limit). */
struct seek {
	struct placement *p;
	const struct request *request;
	int64_t at_s, tasks;
};

static int64_t end_of(const struct seek *k)
{
	return k->at_s + k->request->job->wall_limit_s;
}

/* Nodes that one job fills, and those that are empty by then, are told at once. */
static uint32_t fits_on(struct seek *k, uint32_t node)
{
	const struct node_claims *node_claims = &k->p->node_claims[node];
	const struct node *n = &snapshot_nodes(k->p->s)[node];

	if (k->at_s < node_claims->full_until_s)
		return 0;
	if (k->at_s >= node_claims->idle_from_s && !advances_on_node(k->p, node))
		return n->drained ? 0 : fit_empty(k->request, n).tasks;
	return fit_between(k->p, k->request, node, k->at_s, end_of(k)).tasks;
}

static void look_at(struct seek *k, uint32_t node)
{
	uint32_t *fits = &k->p->fits[node];

	k->tasks -= *fits;
	*fits = fits_on(k, node);
	k->tasks += *fits;
}

static void look_at_all(struct seek *k)
{
	uint32_t nodes = snapshot_count(k->p->s, TABLE_NODES);

	k->p->fits = vec_room(k->p->fits, &k->p->fits_cap, nodes, sizeof *k->p->fits);
	for (uint32_t n = 0; n < nodes; n++) {
		k->p->fits[n] = 0;
		look_at(k, n);
	}
}

static void look_at_holding(struct seek *k, const struct holding *h)
{
	for (uint32_t i = 0; i < h->run_count; i++) {
		const struct alloc_run *run = &k->p->held.item[h->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			look_at(k, n);
	}
}

static void look_at_advance(struct seek *k, const struct advance_reservation *advance)
{
	const struct advance *a = &snapshot_advances(k->p->s)[advance->index];

	for (uint32_t i = 0; i < a->run_count; i++) {
		const struct alloc_run *run = &snapshot_kept_runs(k->p->s)[a->first_run + i];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			look_at(k, n);
	}
}

static void go_to(struct seek *k, int64_t at_s)
{
	int64_t from_s = k->at_s, old_end_s = end_of(k);

	k->at_s = at_s;
	for (uint32_t g = 0; g < k->p->advance_count; g++) {
		const struct advance_reservation *advance = &k->p->advance[g];

		if ((advance->end_s > from_s && advance->end_s <= at_s) ||
		    (advance->begin_s >= old_end_s && advance->begin_s < end_of(k)))
			look_at_advance(k, advance);
	}
	for (size_t i = 0; i < k->p->holding_count; i++) {
		const struct holding *h = &k->p->holding[i];

		if ((h->end_s > from_s && h->end_s <= at_s) ||
		    (h->begin_s >= old_end_s && h->begin_s < end_of(k)))
			look_at_holding(k, h);
	}
}

/* After now, when NODEAVAILABILITYPOLICY does not count. */
static int64_t seek_later(struct placement *p, const struct request *request, int64_t from_s,
			  struct alloc_list *out)
{
	const struct job *job = request->job;
	const struct profile *profile = placement_profile(p);
	struct seek k = {.p = p, .request = request};

	k.at_s = profile_earliest(profile, from_s, job_procs(job), job->wall_limit_s);
	if (k.at_s == TIME_NEVER)
		return TIME_NEVER;
	claims_build(p);
	look_at_all(&k);
	while (k.tasks < job->tasks || !placement_find_later(p, request, k.at_s, end_of(&k), p->fits, out)) {
		int64_t next_s = placement_next_change(p, k.at_s);

		if (next_s != TIME_NEVER)
			next_s = profile_earliest(profile, next_s, job_procs(job), job->wall_limit_s);
		if (next_s == TIME_NEVER)
			return TIME_NEVER;
		go_to(&k, next_s);
	}
	return k.at_s;
}

static int64_t seek(struct placement *p, const struct request *request, int64_t from_s,
		    struct alloc_list *out)
{
	if (from_s > p->now_s)
		return seek_later(p, request, from_s, out);
	if (placement_find_now(p, request, p->now_s + request->job->wall_limit_s, out))
		return p->now_s;
	from_s = placement_next_change(p, p->now_s);
	return from_s == TIME_NEVER ? TIME_NEVER : seek_later(p, request, from_s, out);
}

/* Any processor is as good as another: the profile knows. */
static int64_t seek_plain(struct placement *p, uint32_t slot, int64_t from_s, struct alloc_list *out)
{
	const struct job *job = placement_job(p, slot);
	int64_t begin_s = profile_earliest(placement_profile(p), from_s, job_procs(job), job->wall_limit_s);

	if (begin_s == p->now_s)
		placement_choose(p, slot, out);
	return begin_s;
}

/* With what is remembered of jobs that ask the same. */
static int64_t seek_remembering(struct placement *p, const struct request *request, int64_t from_s,
				struct alloc_list *out)
{
	struct shape *shape = placement_shape(p, request);
	int64_t begin_s;

	if (shape == NULL)
		return seek(p, request, from_s, out);
	begin_s = memo_not_before(shape, request->job, from_s);
	if (begin_s != TIME_NEVER)
		begin_s = seek(p, request, begin_s, out);
	memo_note_begin(shape, request->job, from_s, begin_s);
	return begin_s;
}

int64_t placement_earliest(struct placement *p, uint32_t slot, int64_t from_s, struct alloc_list *out)
{
	struct holding *own;
	struct request request;
	int64_t begin_s;

	if (p->plain)
		return seek_plain(p, slot, from_s, out);
	request = request_in(p, slot);
	own = holding_lift(p, slot);
	begin_s = seek_remembering(p, &request, from_s, out);
	holding_restore(p, own);
	return begin_s;
}
