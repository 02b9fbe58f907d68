/* SPDX-License-Identifier: MIT */
/*
 * whatif.c - the effect of a draft on each job and each credential
 *
 * A draft never changes the ID of a job, but it may cancel jobs or submit one. So jobs are matched by ID, and
 * jobs that exist in only one future are ignored.
 */
#include "whatif.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/* --- pairs of jobs --------------------------------------------------------------------------------- */

/*
 * Returns an array by slot: the job's position among the idle jobs, from 1; 0 = not idle. The caller frees
 * it.
 */
static uint32_t *ranks_of(const struct whatif_side *side)
{
	uint32_t *rank = mem_zero(snapshot_count(side->s, TABLE_JOBS) + (size_t)1, sizeof *rank);

	for (uint32_t i = 0; i < side->plan->queue.idle_count; i++)
		rank[side->plan->queue.idle[i].slot] = i + 1;
	return rank;
}

static int64_t points_of(const struct whatif_side *side, const struct prio_world *world, uint32_t slot)
{
	return queue_rank(side->s, &snapshot_jobs(side->s)[slot], world, &side->plan->queue.shares);
}

struct pairing {
	struct whatif *w;
	const struct whatif_side *before, *after;
	struct prio_world world_before, world_after;
	uint32_t *rank_before, *rank_after;
	struct job_lookup lookup; /* finds jobs in the state after */
};

static void add_job(struct pairing *p, uint32_t slot)
{
	struct whatif *w = p->w;
	uint64_t id = snapshot_jobs(p->before->s)[slot].id;
	uint32_t other = job_lookup(&p->lookup, id, slot);

	if (other == INDEX_NONE || snapshot_jobs(p->after->s)[other].state != JOB_IDLE)
		return;
	w->job = vec_room(w->job, &w->room, w->count + 1, sizeof *w->job);
	w->job[w->count++] = (struct whatif_job){
		.job = id,
		.slot_before = slot,
		.slot_after = other,
		.rank_before = p->rank_before[slot],
		.rank_after = p->rank_after[other],
		.start_before_s = p->before->start_s[slot],
		.start_after_s = p->after->start_s[other],
		.points_before = points_of(p->before, &p->world_before, slot),
		.points_after = points_of(p->after, &p->world_after, other),
	};
}

static void pair_jobs(struct pairing *p)
{
	const struct queue *q = &p->before->plan->queue;
	const struct snapshot *s = p->before->s;

	snapshot_world(s, p->before->plan->now_s, &p->world_before);
	snapshot_world(p->after->s, p->after->plan->now_s, &p->world_after);
	for (uint32_t i = 0; i < q->idle_count; i++)
		add_job(p, q->idle[i].slot);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		if (p->rank_before[snapshot_waiting(s)[i].slot] == 0)
			add_job(p, snapshot_waiting(s)[i].slot);
}

/* --- totals -------------------------------------------------------------------------------------- */

void whatif_add_start(struct whatif_totals *t, int64_t start_s, int64_t now_s)
{
	t->starts += start_s != TIME_NEVER;
	t->starts_now += start_s == now_s;
}

void whatif_add_wait(struct whatif_totals *t, const struct job *job, int64_t start_s)
{
	int64_t wait_s = start_s - job->submit_s;
	double xfactor = xfactor_of((double)wait_s, (double)job->wall_limit_s);

	t->wait_s += (double)wait_s;
	t->xfactor += xfactor;
	if (wait_s > t->most_wait_s)
		t->most_wait_s = wait_s;
	if (xfactor > t->most_xfactor)
		t->most_xfactor = xfactor;
	if (start_s > t->last_start_s)
		t->last_start_s = start_s;
}

static bool starts_in_both(const struct whatif_job *j)
{
	return j->start_before_s != TIME_NEVER && j->start_after_s != TIME_NEVER;
}

static void count_move(const struct whatif_job *j, uint32_t *earlier, uint32_t *later)
{
	*earlier += j->start_after_s < j->start_before_s;
	*later += j->start_after_s > j->start_before_s;
}

static void add_both(const struct whatif_job *j, const struct job *job, int64_t now_s,
		     struct whatif_totals *before, struct whatif_totals *after, uint32_t *jobs)
{
	whatif_add_start(before, j->start_before_s, now_s);
	whatif_add_start(after, j->start_after_s, now_s);
	if (!starts_in_both(j))
		return;
	whatif_add_wait(before, job, j->start_before_s);
	whatif_add_wait(after, job, j->start_after_s);
	++*jobs;
}

static void total(struct whatif *w, const struct whatif_side *before)
{
	int64_t now_s = before->plan->now_s;

	for (size_t i = 0; i < w->count; i++) {
		const struct whatif_job *j = &w->job[i];

		add_both(j, &snapshot_jobs(before->s)[j->slot_before], now_s, &w->before, &w->after,
			 &w->jobs);
		count_move(j, &w->earlier, &w->later);
		w->reordered += j->rank_before != j->rank_after;
		if (starts_in_both(j) && j->start_after_s - j->start_before_s > w->most_delay_s) {
			w->most_delay_s = j->start_after_s - j->start_before_s;
			w->most_delayed = j->job;
		}
	}
}

/* --- groups --------------------------------------------------------------------------------------- */

static const struct whatif_totals none = {.last_start_s = TIME_NONE};

static void total_groups(struct whatif *w, const struct whatif_side *before)
{
	const struct snapshot *s = before->s;
	uint32_t creds = snapshot_count(s, TABLE_CREDS);
	struct whatif_group *of = mem_zero(creds + (size_t)1, sizeof *of);

	for (uint32_t i = 0; i < creds; i++)
		of[i] = (struct whatif_group){.cred = i,
					      .type = (enum cred_type)snapshot_creds(s)[i].type,
					      .before = none,
					      .after = none};
	for (size_t i = 0; i < w->count; i++) {
		const struct whatif_job *j = &w->job[i];
		const struct job *job = &snapshot_jobs(s)[j->slot_before];

		for (unsigned type = 0; type < CRED_TYPE_COUNT; type++) {
			struct whatif_group *g = job->cred[type] == INDEX_NONE ? NULL : &of[job->cred[type]];

			if (g == NULL)
				continue;
			add_both(j, job, before->plan->now_s, &g->before, &g->after, &g->jobs);
			count_move(j, &g->earlier, &g->later);
		}
	}
	for (unsigned type = 0; type < CRED_TYPE_COUNT; type++)
		for (uint32_t i = 0; i < creds; i++) {
			if (of[i].type != (enum cred_type)type ||
			    of[i].before.starts + of[i].after.starts == 0)
				continue;
			w->group = vec_room(w->group, &w->group_room, w->groups + 1, sizeof *w->group);
			w->group[w->groups++] = of[i];
		}
	free(of);
}

/* --- the comparison --------------------------------------------------------------------------------- */

void whatif_compare(struct whatif *w, const struct whatif_side *before, const struct whatif_side *after)
{
	struct pairing p = {.w = w, .before = before, .after = after, .lookup = {.s = after->s}};

	*w = (struct whatif){.job = w->job,
			     .room = w->room,
			     .group = w->group,
			     .group_room = w->group_room,
			     .before = none,
			     .after = none};
	p.rank_before = ranks_of(before);
	p.rank_after = ranks_of(after);
	pair_jobs(&p);
	total(w, before);
	total_groups(w, before);
	free(p.rank_before);
	free(p.rank_after);
	free(p.lookup.by_id);
}

void whatif_clear(struct whatif *w)
{
	free(w->job);
	free(w->group);
	*w = (struct whatif){.job = NULL};
}
