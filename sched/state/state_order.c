/* SPDX-License-Identifier: MIT */
/*
 * state_order.c - in which order do the waiting and the running stand?
 *
 * Both tables are kept in order at every change: a pass need not sort, and a job is found in
 * them by halving. So a job must stand in its table as it was when it was put there.
 */
#include "state_inside.h"

static bool waits_before(const struct job *a, const struct job *b)
{
	return a->submit_s != b->submit_s ? a->submit_s < b->submit_s : a->id < b->id;
}

static bool ends_before(const struct job *a, const struct job *b)
{
	int64_t a_s = job_due_end_s(a), b_s = job_due_end_s(b);

	return a_s != b_s ? a_s < b_s : a->id < b->id;
}

/* Where job stands, or would stand, in WAITING. */
static uint32_t waiting_place(const struct state *st, const struct job *job)
{
	const struct waiting *waiting = snapshot_waiting(st->s);
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t low = 0, high = snapshot_count(st->s, TABLE_WAITING);

	/* Arrivals come in order: look at the end first. */
	if (high > 0 && waits_before(&jobs[waiting[high - 1].slot], job))
		return high;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (waits_before(&jobs[waiting[middle].slot], job))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t running_place(const struct state *st, const struct job *job)
{
	const uint32_t *running = snapshot_running(st->s);
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t low = 0, high = snapshot_count(st->s, TABLE_RUNNING);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ends_before(&jobs[running[middle]], job))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct waiting waiting_entry(const struct job *job, uint32_t slot)
{
	return (struct waiting){
		.slot = slot, .wall_s = at_most_u32(job->wall_limit_s), .procs = at_most_u32(job_procs(job))};
}

void state_queue_job(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);
	struct waiting entry = waiting_entry(job, slot);
	struct waiting *at = state_open_gap(st, TABLE_WAITING, waiting_place(st, job));

	*at = entry;
}

void state_unqueue_job(struct state *st, uint32_t slot)
{
	state_close_gap(st, TABLE_WAITING, waiting_place(st, state_job(st, slot)));
}

void state_requeue_job(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);

	*(struct waiting *)state_item(st, TABLE_WAITING, waiting_place(st, job)) = waiting_entry(job, slot);
}

void state_list_running(struct state *st, uint32_t slot)
{
	uint32_t *at = state_open_gap(st, TABLE_RUNNING, running_place(st, state_job(st, slot)));

	*at = slot;
}

void state_unlist_running(struct state *st, uint32_t slot)
{
	state_close_gap(st, TABLE_RUNNING, running_place(st, state_job(st, slot)));
}
