/* SPDX-License-Identifier: MIT */
/*
 * state_check.c - consistency check of the state
 *
 * Everything that is maintained incrementally (orders, sums, counts, indexes) is recomputed here from
 * scratch, in a different way.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

/* --- tables --------------------------------------------------------------------------------- */

static bool ends_after(const struct job *a, const struct job *b)
{
	int64_t a_s = job_due_end_s(a), b_s = job_due_end_s(b);

	return a_s > b_s || (a_s == b_s && a->id >= b->id);
}

static bool check_tables(const struct state *st, struct err *err)
{
	uint64_t end = sizeof *st->s;

	for (int i = 0; i < TABLE_COUNT; i++) {
		const struct snapshot_table *table = &st->s->table[i];

		if (table->offset < end || table->count > table->room)
			return err_set(err,
				       "table %d overlaps another table or exceeds its capacity: %u items, "
				       "capacity %u, offset %llu",
				       i, table->count, table->room, (unsigned long long)table->offset);
		end = table->offset + (uint64_t)table->room * snapshot_item_size[i];
	}
	if (end > st->s->size)
		return err_set(err,
			       "the tables end at offset %llu, beyond the end of the block of %llu bytes",
			       (unsigned long long)end, (unsigned long long)st->s->size);
	return true;
}

static bool check_waiting(const struct state *st, struct err *err)
{
	const struct waiting *waiting = snapshot_waiting(st->s);
	const struct job *jobs = snapshot_jobs(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_WAITING); i++) {
		const struct job *job = &jobs[waiting[i].slot];
		unsigned long long id = job->id;

		if (job->state != JOB_IDLE)
			return err_set(err, "job %llu is listed as waiting but is not idle", id);
		if (job->run != INDEX_NONE && job->planned_s == TIME_NEVER)
			return err_set(err, "waiting job %llu has nodes but no planned start", id);
		if (waiting[i].procs != at_most_u32(job_procs(job)) ||
		    waiting[i].wall_s != at_most_u32(job->wall_limit_s))
			return err_set(
				err,
				"waiting job %llu is listed with the wrong processors or wallclock limit",
				id);
		if (i > 0) {
			const struct job *before = &jobs[waiting[i - 1].slot];

			if (before->submit_s > job->submit_s ||
			    (before->submit_s == job->submit_s && before->id >= job->id))
				return err_set(err,
					       "waiting jobs %llu and %llu are not in order of submission",
					       (unsigned long long)before->id, id);
		}
	}
	return true;
}

/* --- what running jobs hold --------------------------------------------------------------------- */

/* Resources in use on a node, recomputed. */
struct held {
	uint32_t procs, jobs, whole, by_user;
	int64_t mem_mb, swap_mb, disk_mb;
	uint32_t gres[GRES_MAX];
	uint32_t user;
	bool several; /* the jobs belong to several users */
};

static void hold(struct held *held, const struct job *job, const struct alloc_run *run)
{
	held->procs += (job->real & JOB_REAL_RELEASED) != 0 ? 0 : run->procs;
	held->several = held->jobs > 0 && (held->several || held->user != job->cred[CRED_USER]);
	held->user = job->cred[CRED_USER];
	held->jobs++;
	held->whole += job->access_held == ACCESS_SINGLEJOB || job->access_held == ACCESS_SINGLETASK;
	held->by_user += job->access_held == ACCESS_SINGLEUSER;
	held->mem_mb += run->tasks * job->mem_mb;
	held->swap_mb += run->tasks * job->swap_mb;
	held->disk_mb += run->tasks * job->disk_mb;
	for (int g = 0; g < GRES_MAX; g++)
		held->gres[g] += run->tasks * job->gres[g];
}

static bool check_running_job(const struct state *st, const struct job *job, struct held *held,
			      struct err *err)
{
	int64_t tasks = 0, procs = 0;

	if (!state_check_released(job, err))
		return false;
	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(st->s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(st->s)[r];

		for (uint32_t n = 0; n < run->nodes; n++)
			hold(&held[run->node + n], job, run);
		tasks += (int64_t)run->nodes * run->tasks;
		procs += (int64_t)run->nodes * run->procs;
	}
	if (tasks != job->tasks)
		return err_set(err,
			       "the tasks on the nodes of running job %llu have %lld processors, but the job "
			       "requested %lld",
			       (unsigned long long)job->id, (long long)tasks * job->task_procs,
			       (long long)job_procs(job));
	return procs == job->procs_held ||
	       err_set(err, "running job %llu holds %lld processors, but the state records %u",
		       (unsigned long long)job->id, (long long)procs, job->procs_held);
}

static bool check_running(const struct state *st, struct held *held, struct err *err)
{
	const uint32_t *running = snapshot_running(st->s);
	const struct job *jobs = snapshot_jobs(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_RUNNING); i++) {
		const struct job *job = &jobs[running[i]];

		if (job->state != JOB_RUNNING)
			return err_set(err, "job %llu is listed as running but is not running",
				       (unsigned long long)job->id);
		if (i > 0 && ends_after(&jobs[running[i - 1]], job))
			return err_set(err, "running job %llu is in the wrong position in the list",
				       (unsigned long long)job->id);
		if (!check_running_job(st, job, held, err))
			return false;
	}
	return true;
}

static bool check_node(const struct snapshot *s, const struct node *node, const struct held *held,
		       struct err *err)
{
	const char *name = snapshot_string(s, node->name);

	if (node->procs_busy != held->procs || held->procs > node->procs)
		return err_set(err,
			       "node %s: the state records %u of %u processors in use, but its jobs use %u",
			       name, node->procs_busy, node->procs, held->procs);
	if (node->mem_busy_mb != held->mem_mb || node->swap_busy_mb != held->swap_mb ||
	    node->disk_busy_mb != held->disk_mb ||
	    memcmp(node->gres_busy, held->gres, sizeof held->gres) != 0)
		return err_set(err, "node %s: memory, disk or resources in use are not those of its jobs",
			       name);
	if (node->jobs != held->jobs || node->held_whole != held->whole || node->held_user != held->by_user)
		return err_set(err, "node %s: %u jobs run there, but the state records %u", name, held->jobs,
			       node->jobs);
	if (node->user != (held->jobs == 0 || held->several ? INDEX_NONE : held->user))
		return err_set(err, "node %s: the recorded user of all its jobs is wrong", name);
	return (node->jobs > 0) == (node->active_from_s != TIME_NONE) ||
	       err_set(err, "node %s: the recorded time from which it has run jobs is wrong", name);
}

static bool check_nodes(const struct state *st, const struct held *held, struct err *err)
{
	const struct node *node = snapshot_nodes(st->s);
	int64_t total = 0, used = 0, nodes_busy = 0;

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++) {
		if (!check_node(st->s, &node[i], &held[i], err))
			return false;
		total += node[i].procs;
		used += held[i].procs;
		nodes_busy += held[i].procs > 0;
	}
	if (total != st->s->procs_total || used != st->s->procs_busy || nodes_busy != st->s->nodes_busy)
		return err_set(err,
			       "the sums over all nodes are %lld processors, %lld busy processors and %lld "
			       "busy node(s), but the state records %lld, %lld and %lld",
			       (long long)total, (long long)used, (long long)nodes_busy,
			       (long long)st->s->procs_total, (long long)st->s->procs_busy,
			       (long long)st->s->nodes_busy);
	return true;
}

/* --- counts and indexes ---------------------------------------------------------------------------- */

/* The counts in the header, recomputed. */
struct counts {
	uint32_t used, adjusted, planned, paused, shifted, particular, deferred, throttled, of_arrays,
		released;
};

static void count_job(struct counts *c, const struct job *job, const struct machine *machine)
{
	c->used++;
	c->particular += job_is_particular(job, machine);
	c->of_arrays += job->array != 0;
	c->released += (job->real & JOB_REAL_RELEASED) != 0;
	if (job->state != JOB_IDLE)
		return;
	c->adjusted += job->adjust != JOB_ADJUST_NONE;
	c->planned += job->planned_s != TIME_NEVER;
	c->paused += (job->flags & JOB_ACCRUAL_PAUSED) != 0;
	c->shifted += job->accrual_s != job->submit_s;
	c->deferred += job->defer_until_s != TIME_NONE || job->depend != INDEX_NONE;
	c->throttled += job->array_limit != 0;
}

static bool check_counts(const struct state *st, const struct counts *c, struct err *err)
{
	const struct snapshot *s = st->s;

	if (c->used != snapshot_count(s, TABLE_WAITING) + snapshot_count(s, TABLE_RUNNING))
		return err_set(err, "there are %u jobs, but %u are listed as waiting and %u as running",
			       c->used, snapshot_count(s, TABLE_WAITING), snapshot_count(s, TABLE_RUNNING));
	if (c->used != st->by_id.count)
		return err_set(err, "there are %u jobs, but the index of job IDs has %u entries", c->used,
			       st->by_id.count);
	if (c->adjusted != s->adjusted)
		return err_set(err, "%u jobs have an operator's priority, but the state records %u",
			       c->adjusted, s->adjusted);
	if (c->planned != s->planned || c->paused != s->paused)
		return err_set(err,
			       "%u jobs have a planned start and the queue time of %u is stopped, but the "
			       "state records %u and %u",
			       c->planned, c->paused, s->planned, s->paused);
	if (c->shifted != s->shifted)
		return err_set(err, "the queue time of %u jobs was moved, but the state records %u",
			       c->shifted, s->shifted);
	if (c->particular != s->particular || c->deferred != s->deferred)
		return err_set(err,
			       "%u jobs are particular and %u are deferred or have dependencies, but the "
			       "state records %u and %u",
			       c->particular, c->deferred, s->particular, s->deferred);
	if (c->released != s->released)
		return err_set(err, "the processors of %u jobs are released, but the state records %u",
			       c->released, s->released);
	return (c->throttled == s->throttled && c->of_arrays == s->of_arrays) ||
	       err_set(err,
		       "%u jobs are tasks of arrays, and %u idle jobs are tasks of arrays with a throttle, "
		       "but the state records %u and %u",
		       c->of_arrays, c->throttled, s->of_arrays, s->throttled);
}

static bool check_jobs(const struct state *st, struct err *err)
{
	const struct job *jobs = snapshot_jobs(st->s);
	const struct machine machine = snapshot_machine(st->s);
	struct counts counts = {.used = 0};

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		unsigned long long id = jobs[i].id;

		if (jobs[i].state == JOB_NONE)
			continue;
		count_job(&counts, &jobs[i], &machine);
		if (job_is_particular(&jobs[i], &machine) != ((jobs[i].flags & JOB_PARTICULAR) != 0))
			return err_set(err, "job %llu is wrongly marked as particular or not particular", id);
		if (state_find(st, jobs[i].id) != i)
			return err_set(err, "job %llu is missing from the index of job IDs", id);
		if (jobs[i].id >= st->s->next_job_id)
			return err_set(err, "the ID of job %llu is not below the next ID", id);
	}
	return check_counts(st, &counts, err);
}

/* Marks an item of a table as used; false if it is used twice or does not exist. */
static bool mark(bool *used, uint32_t count, uint32_t i)
{
	if (i >= count || used[i])
		return false;
	used[i] = true;
	return true;
}

static bool check_depends(const struct state *st, bool *used, struct err *err)
{
	const struct depend *depend = snapshot_depends(st->s);
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t count = snapshot_count(st->s, TABLE_DEPENDS);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE)
			continue;
		for (uint32_t d = jobs[i].depend; d != INDEX_NONE; d = depend[d].next)
			if (!mark(used, count, d))
				return err_set(err,
					       "job %llu has a dependency that also belongs to another job, "
					       "or does not exist",
					       (unsigned long long)jobs[i].id);
	}
	for (uint32_t d = st->free_depend; d != INDEX_NONE; d = depend[d].next)
		if (!mark(used, count, d))
			return err_set(err, "an entry of the free list of dependencies is in use");
	return true;
}

static bool check_creds(const struct state *st, struct err *err)
{
	const struct cred *cred = snapshot_creds(st->s);
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t count = snapshot_count(st->s, TABLE_CREDS);
	uint32_t *has = mem_zero(count + 1, sizeof *has);
	bool ok = true;

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++)
		if (jobs[i].state != JOB_NONE && jobs[i].cred[CRED_USER] < count)
			has[jobs[i].cred[CRED_USER]]++;
	for (uint32_t i = 0; i < count && ok; i++)
		ok = has[i] == cred[i].jobs ||
		     err_set(err, "%s has %u jobs, but the state records %u",
			     snapshot_string(st->s, cred[i].name), has[i], cred[i].jobs);
	free(has);
	return ok;
}

static bool check_usage(const struct state *st, bool *used, struct err *err)
{
	const struct cred *cred = snapshot_creds(st->s);
	uint32_t rows = snapshot_count(st->s, TABLE_USAGE);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		if (cred[i].usage != INDEX_NONE && !mark(used, rows, cred[i].usage))
			return err_set(err,
				       "%s %s has a row of usage that also belongs to another credential, or "
				       "does not exist",
				       cred_type_name((enum cred_type)cred[i].type),
				       snapshot_string(st->s, cred[i].name));
	return true;
}

/* Every change of a job must be in the job's chain, every other one in the site's, and the counts must match.
 */
static bool check_changes(const struct state *st, struct err *err)
{
	const struct snapshot *s = st->s;
	const struct change *change = snapshot_changes(s);
	struct change_list site = state_list_changes(st, 0);
	uint32_t gone = 0, timed = 0, of_depends = 0, of_jobs = 0, chained = (uint32_t)site.count;

	free(site.at);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		gone += change[i].kind == CHANGE_GONE;
		timed += change[i].until_s != 0;
		of_depends += state_changes_depend(s, &change[i]);
		of_jobs += change[i].kind != CHANGE_GONE &&
			   (change[i].job == 0 || state_find(st, change[i].job) != INDEX_NONE);
		if (i > 0 && change[i].seq <= change[i - 1].seq)
			return err_set(err, "change %llu is out of order", (unsigned long long)change[i].seq);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		if (snapshot_jobs(s)[i].state != JOB_NONE)
			chained += state_count_changes(s, &snapshot_jobs(s)[i]);
	return (gone == s->gone_changes && timed == s->timed_changes && of_depends == s->depend_changes &&
		of_jobs == chained) ||
	       err_set(err,
		       "the counts of changes are wrong: %u removed, %u temporary, %u of dependencies, %u of "
		       "the site and of jobs in the state; recorded: %u, %u, %u, and %u in the lists of the "
		       "site and of jobs",
		       gone, timed, of_depends, of_jobs, s->gone_changes, s->timed_changes, s->depend_changes,
		       chained);
}

bool state_check(const struct state *st, struct err *err)
{
	struct held *held = mem_zero(snapshot_count(st->s, TABLE_NODES) + 1, sizeof *held);
	bool *depends = mem_zero(snapshot_count(st->s, TABLE_DEPENDS) + 1, sizeof *depends);
	bool *rows = mem_zero(snapshot_count(st->s, TABLE_USAGE) + 1, sizeof *rows);
	bool ok = check_tables(st, err) && check_waiting(st, err) && check_running(st, held, err) &&
		  check_nodes(st, held, err) && check_jobs(st, err) && state_check_slots(st, err) &&
		  check_depends(st, depends, err) && check_usage(st, rows, err) && check_creds(st, err) &&
		  check_changes(st, err) && (st->s->masked || state_check_stored(st, err));

	free(held);
	free(depends);
	free(rows);
	return ok;
}
