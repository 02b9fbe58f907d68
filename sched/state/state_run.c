/* SPDX-License-Identifier: MIT */
/*
 * state_run.c - what do running jobs hold of their nodes, and since when?
 *
 * What a job takes at its start it gives back at its end: so it is kept with the job (its runs,
 * what a task asks for, the access it runs under) and never worked out again from a policy
 * that may have changed.
 *
 * A waiting job may have runs too: its planned start names those nodes. They hold nothing.
 */
#include "state_inside.h"

/* --- one node ------------------------------------------------------------------------- */

/* Does a job ask for more than processors? Most do not, or nobody says how much there is. */
static bool asks_amounts(const struct job *job)
{
	uint32_t gres = 0;

	for (int i = 0; i < GRES_MAX; i++)
		gres |= job->gres[i];
	return gres != 0 || job->mem_mb != 0 || job->swap_mb != 0 || job->disk_mb != 0;
}

/* What a job's tasks ask for besides processors. sign: taken or given back. */
static void hold_amounts(struct node *node, const struct job *job, int64_t tasks, int64_t sign)
{
	node->mem_busy_mb += sign * tasks * job->mem_mb;
	node->swap_busy_mb += sign * tasks * job->swap_mb;
	node->disk_busy_mb += sign * tasks * job->disk_mb;
	for (int i = 0; i < GRES_MAX; i++)
		node->gres_busy[i] += (uint32_t)(sign * tasks * job->gres[i]);
}

static void count_access(struct node *node, const struct job *job, uint32_t one)
{
	if (job->access_held >= ACCESS_SINGLEJOB)
		node->held_whole += one;
	else if (job->access_held == ACCESS_SINGLEUSER)
		node->held_user += one;
}

/* A user as a number; 0 = a job without one. */
static uint64_t user_number(const struct job *job)
{
	return (uint32_t)(job->cred[CRED_USER] + 1);
}

/*
 * Who is alone there, when all jobs have the same user: then both sums are so many times the
 * same. That others should add up to both by chance is as likely as a collision of hashes.
 */
static uint32_t only_user(const struct node *node)
{
	uint64_t user = node->users / node->jobs;

	if (user * node->jobs != node->users || state_mix(user) * node->jobs != node->users_mixed)
		return INDEX_NONE;
	return (uint32_t)user - 1;
}

/* Processors of a run that the job holds on each node. */
static uint32_t procs_held(const struct job *job, const struct alloc_run *run)
{
	return job_is_released(job) ? 0 : run->procs;
}

static void enter(struct node *node, const struct job *job, const struct alloc_run *run, int64_t now_s)
{
	node->procs_busy += procs_held(job, run);
	node->jobs++;
	if (node->active_from_s == TIME_NONE || now_s < node->active_from_s)
		node->active_from_s = now_s;
	node->users += user_number(job);
	node->users_mixed += state_mix(user_number(job));
	if (node->jobs == 1)
		node->user = job->cred[CRED_USER];
	else if (node->user != job->cred[CRED_USER])
		node->user = INDEX_NONE;
	count_access(node, job, 1);
}

static void leave(struct node *node, const struct job *job, const struct alloc_run *run, int64_t now_s)
{
	node->procs_busy -= procs_held(job, run);
	node->jobs--;
	if (node->jobs == 0) {
		node->active_s += now_s - node->active_from_s;
		node->active_from_s = TIME_NONE;
	}
	node->users -= user_number(job);
	node->users_mixed -= state_mix(user_number(job));
	if (node->jobs == 0)
		node->user = INDEX_NONE;
	else if (node->user == INDEX_NONE)
		node->user = only_user(node);
	count_access(node, job, UINT32_MAX);
}

/* --- all nodes of a job ---------------------------------------------------------------- */

static void take_nodes(struct state *st, const struct job *job)
{
	bool asks = asks_amounts(job);

	for (uint32_t r = job->run; r != INDEX_NONE;) {
		const struct alloc_run *run = state_item(st, TABLE_RUNS, r);
		struct node *node = state_item(st, TABLE_NODES, run->node);

		for (uint32_t i = 0; i < run->nodes; i++) {
			st->s->nodes_busy += node[i].procs_busy == 0 && procs_held(job, run) > 0;
			enter(&node[i], job, run, job->start_s);
			if (asks)
				hold_amounts(&node[i], job, run->tasks, 1);
		}
		st->s->procs_busy += (int64_t)run->nodes * procs_held(job, run);
		r = run->next;
	}
	st->s->released += job_is_released(job);
}

static void give_nodes(struct state *st, const struct job *job, int64_t now_s)
{
	bool asks = asks_amounts(job);

	for (uint32_t r = job->run; r != INDEX_NONE;) {
		const struct alloc_run *run = state_item(st, TABLE_RUNS, r);
		struct node *node = state_item(st, TABLE_NODES, run->node);

		for (uint32_t i = 0; i < run->nodes; i++) {
			leave(&node[i], job, run, now_s);
			if (asks)
				hold_amounts(&node[i], job, run->tasks, -1);
			st->s->nodes_busy -= node[i].procs_busy == 0 && procs_held(job, run) > 0;
		}
		st->s->procs_busy -= (int64_t)run->nodes * procs_held(job, run);
		r = run->next;
	}
	st->s->released -= job_is_released(job);
}

/* --- suspended jobs ---------------------------------------------------------------------- */

/* A job that has a node to itself, or to its user, would keep all others off it whether or not its processors
 * were free. */
static bool has_node_alone(const struct state *st, const struct job *job)
{
	const struct node *node = snapshot_nodes(st->s);

	if (job->access_held >= ACCESS_SINGLEUSER)
		return true;
	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(st->s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(st->s)[r];

		for (uint32_t i = 0; i < run->nodes; i++)
			if (node[run->node + i].access >= ACCESS_SINGLEUSER)
				return true;
	}
	return false;
}

bool state_check_released(const struct job *job, struct err *err)
{
	bool released = (job->real & JOB_REAL_RELEASED) != 0;

	return ((!released || job_is_suspended(job)) && (released || (job->real & JOB_REAL_RESUMES) == 0)) ||
	       err_set(err, "it is said to have released its processors, and is not suspended");
}

/* Only the processors. */
static void move_procs(struct state *st, const struct job *job, bool takes)
{
	for (uint32_t r = job->run; r != INDEX_NONE;) {
		const struct alloc_run *run = state_item(st, TABLE_RUNS, r);
		struct node *node = state_item(st, TABLE_NODES, run->node);
		int64_t procs = (int64_t)run->nodes * run->procs;

		for (uint32_t i = 0; i < run->nodes; i++) {
			uint32_t before = node[i].procs_busy;

			node[i].procs_busy = takes ? before + run->procs : before - run->procs;
			st->s->nodes_busy += (node[i].procs_busy > 0) - (before > 0);
		}
		st->s->procs_busy += takes ? procs : -procs;
		r = run->next;
	}
}

/* Kept reservations may move up, as after an end. */
static void note_freed(struct snapshot *s)
{
	if (s->planned > 0 && s->policy.reservation == RESERVE_HIGHEST)
		s->ends_pending = 1;
}

bool state_can_release(const struct state *st, const struct job *job, int64_t now_s)
{
	/* One that is being ended runs until its grace is over. */
	return job->state == JOB_RUNNING && !job_is_suspended(job) && !has_node_alone(st, job) &&
	       !job_is_leaving(job) && job_left_s(job, now_s) > 0;
}

void state_release_procs(struct state *st, uint32_t slot, int64_t now_s)
{
	struct job *job = state_job(st, slot);

	if (!state_can_release(st, job, now_s))
		return;
	state_charge_job(st, slot, now_s);
	job = state_job(st, slot); /* the tables may move */
	job->charged_ps = job->used_ps > 0 ? job->used_ps : 0;
	move_procs(st, job, false);
	job->real |= JOB_REAL_RELEASED;
	st->s->released++;
	note_freed(st->s);
}

bool state_check_retake(const struct state *st, const struct job *job, struct err *err)
{
	const struct node *node = snapshot_nodes(st->s);

	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(st->s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(st->s)[r];

		for (uint32_t i = run->node; i < run->node + run->nodes; i++)
			if (node_procs_free(&node[i]) < run->procs)
				return err_set(err,
					       "job %llu cannot be resumed: node %s has %u processors free, "
					       "and it needs %u",
					       (unsigned long long)job->id,
					       snapshot_string(st->s, node[i].name),
					       node_procs_free(&node[i]), run->procs);
	}
	return true;
}

/* The job's due end moves, and with it its place among the running jobs. */
void state_resume_job(struct state *st, uint32_t slot, int64_t now_s)
{
	struct job *job;

	state_unlist_running(st, slot);
	job = state_job(st, slot);
	if (job_is_released(job)) {
		move_procs(st, job, true);
		st->s->released--;
		job->released_s += now_s - job->suspended_at_s;
		job->held_since_s = now_s;
	}
	job->suspended_s += now_s - job->suspended_at_s;
	job->suspended_at_s = job->resume_s = 0;
	job->real &= (uint8_t) ~(JOB_REAL_SUSPENDED | JOB_REAL_OWNER | JOB_REAL_RELEASED | JOB_REAL_RESUMES);
	state_list_running(st, slot);
}

/* --- runs ------------------------------------------------------------------------------- */

static uint32_t take_run(struct state *st)
{
	uint32_t i = st->free_run;

	if (i != INDEX_NONE) {
		st->free_run = ((struct alloc_run *)state_item(st, TABLE_RUNS, i))->next;
		return i;
	}
	state_make_room(st, TABLE_RUNS, 1);
	return st->s->table[TABLE_RUNS].count++;
}

static void chain_runs(struct state *st, uint32_t slot, const struct alloc_run *runs, uint32_t count)
{
	uint32_t next = INDEX_NONE;

	for (uint32_t i = count; i-- > 0;) {
		uint32_t at = take_run(st);
		struct alloc_run *run = state_item(st, TABLE_RUNS, at);

		*run = runs[i];
		run->tasks = state_run_tasks(state_job(st, slot), &runs[i]);
		run->next = next;
		next = at;
	}
	state_job(st, slot)->run = next;
}

void state_free_runs(struct state *st, uint32_t slot)
{
	struct job *job = state_job(st, slot);

	while (job->run != INDEX_NONE) {
		uint32_t at = job->run;
		struct alloc_run *run = state_item(st, TABLE_RUNS, at);

		job->run = run->next;
		run->next = st->free_run;
		st->free_run = at;
	}
}

/* --- starts and ends --------------------------------------------------------------------- */

void state_place_job(struct state *st, uint32_t slot, const struct alloc_run *runs, uint32_t count)
{
	struct job *job;

	state_unqueue_job(st, slot);
	state_count_job(st, slot, -1);
	chain_runs(st, slot, runs, count);
	job = state_job(st, slot);
	job->state = JOB_RUNNING;
	state_count_idle_task(st, job, UINT32_MAX);
	job->procs_held = 0;
	for (uint32_t i = 0; i < count; i++)
		job->procs_held += runs[i].nodes * runs[i].procs;
	take_nodes(st, job);
	state_count_job(st, slot, 1);
	state_list_running(st, slot);
}

void state_start_job(struct state *st, uint32_t slot, int64_t now_s, const struct alloc_run *runs,
		     uint32_t count, bool backfilled)
{
	struct job *job;

	job = state_job(st, slot);
	if (job->planned_s != TIME_NEVER)
		state_unplan_job(st, slot);
	job->start_s = now_s;
	job->access_held = (uint8_t)snapshot_job_access(st->s, job);
	job->start_count++;
	if (backfilled)
		job->flags |= JOB_BACKFILLED;
	state_place_job(st, slot, runs, count);
}

void state_leave_nodes(struct state *st, uint32_t slot, int64_t now_s)
{
	give_nodes(st, state_job(st, slot), now_s);
	state_unlist_running(st, slot);
	state_free_runs(st, slot);
}

void state_return_job(struct state *st, uint32_t slot, int64_t now_s)
{
	struct job *job = state_job(st, slot);

	state_leave_nodes(st, slot, now_s);
	state_count_job(st, slot, -1);
	job->state = JOB_IDLE;
	state_count_idle_task(st, job, 1);
	job->start_s = TIME_NONE;
	job->procs_held = 0;
	job->access_held = ACCESS_UNSET;
	job->flags &= (uint8_t)~JOB_BACKFILLED;
	job->real &= (uint8_t) ~(JOB_REAL_SUSPENDED | JOB_REAL_OWNER | JOB_REAL_RELEASED | JOB_REAL_RESUMES);
	job->suspended_s = job->suspended_at_s = job->resume_s = 0;
	job->released_s = job->held_since_s = job->charged_ps = 0;
	state_count_job(st, slot, 1);
	state_drop_suspends(st, job->id);
	state_queue_job(st, slot);
}

void state_unplan_job(struct state *st, uint32_t slot)
{
	state_count_job(st, slot, -1);
	state_free_runs(st, slot);
	state_job(st, slot)->planned_s = TIME_NEVER;
	state_count_job(st, slot, 1);
}

void state_plan_job(struct state *st, uint32_t slot, int64_t start_s, const struct alloc_run *runs,
		    uint32_t count)
{
	state_unplan_job(st, slot);
	chain_runs(st, slot, runs, count);
	state_count_job(st, slot, -1);
	state_job(st, slot)->planned_s = start_s;
	state_count_job(st, slot, 1);
}
