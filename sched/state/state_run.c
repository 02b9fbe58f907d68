/* SPDX-License-Identifier: MIT */
/*
 * state_run.c - starts and ends of jobs, and the resources that running jobs hold
 *
 * At its end a job releases what it allocated at its start. This is stored with the job (its runs, the
 * request of a task, the node access) and never recomputed from a policy that may have changed.
 *
 * An idle job may have runs, too: the nodes of its planned start, where it holds nothing.
 */
#include <string.h>
#include <strings.h>

#include "sched/base/duration.h"
#include "state_inside.h"

/* --- one node ------------------------------------------------------------------------- */

/* Does the job request anything besides processors? Most jobs do not. */
static bool asks_amounts(const struct job *job)
{
	uint32_t gres = 0;

	for (int i = 0; i < GRES_MAX; i++)
		gres |= job->gres[i];
	return gres != 0 || job->mem_mb != 0 || job->swap_mb != 0 || job->disk_mb != 0;
}

/* Allocates or (sign < 0) releases what a job's tasks request besides processors. */
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

/* Returns a number for the job's user; 0 = no user. */
static uint64_t user_number(const struct job *job)
{
	return (uint32_t)(job->cred[CRED_USER] + 1);
}

/*
 * Returns the user of all jobs on a node, INDEX_NONE if there are several. With a single user, both sums are
 * the same multiple of the user's number and of its hash; an accidental match is as unlikely as a hash
 * collision.
 */
static uint32_t only_user(const struct node *node)
{
	uint64_t user = node->users / node->jobs;

	if (user * node->jobs != node->users || state_mix(user) * node->jobs != node->users_mixed)
		return INDEX_NONE;
	return (uint32_t)user - 1;
}

/* Returns the number of processors that the job holds on each node of a run. */
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

/*
 * Would the job keep other jobs off its nodes even if its processors were released? Yes, if it does not share
 * its nodes, or shares them only with jobs of its user.
 */
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
	       err_set(err, "it is marked as having released its processors, but is not suspended");
}

/* Allocates or releases the processors only. */
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

/* Kept reservations may move up, as after the end of a job. */
static void note_freed(struct snapshot *s)
{
	if (s->planned > 0 && s->policy.reservation == RESERVE_HIGHEST)
		s->ends_pending = 1;
}

bool state_can_release(const struct state *st, const struct job *job, int64_t now_s)
{
	/* A job that is being ended runs until the end of its grace period. */
	return job->state == JOB_RUNNING && !job_is_suspended(job) && !has_node_alone(st, job) &&
	       !job_is_leaving(job) && job_left_s(job, now_s) > 0;
}

void state_release_procs(struct state *st, uint32_t slot, int64_t now_s)
{
	struct job *job = state_job(st, slot);

	if (!state_can_release(st, job, now_s))
		return;
	state_charge_job(st, slot, now_s);
	job = state_job(st, slot); /* may move the tables */
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
					       "but the job needs %u",
					       (unsigned long long)job->id,
					       snapshot_string(st->s, node[i].name),
					       node_procs_free(&node[i]), run->procs);
	}
	return true;
}

/* Resumes the job. Its due end changes, and with it its position among the running jobs. */
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

/* --- can a job run on these nodes now? ---------------------------------------------------------------- */

/*
 * The caller that chose the nodes has checked them; this check is independent, so that an error elsewhere can
 * never over-commit a node. Memory, swap or disk configured as 0 is unknown and not checked, nor are
 * resources whose availability depends on their measured use (M-15).
 */

/* --- sizes ---------------------------------------------------------------------------------- */

static bool check_total(const struct job *job, int64_t per_task, const char *what, struct err *err)
{
	if (per_task < 0)
		return err_set(err, "a job cannot request a negative amount of %s", what);
	return per_task <= MEMORY_MAX_MB / job->tasks ||
	       err_set(err, "a job can request at most %lld MB of %s, not %u tasks of %lld MB each",
		       (long long)MEMORY_MAX_MB, what, job->tasks, (long long)per_task);
}

/* The bounds ensure that sums of times, processors and memory do not overflow 64 bits. */
bool state_check_size(const struct job *job, struct err *err)
{
	if (job->tasks == 0 || job->task_procs == 0)
		return err_set(err, "a job needs at least one processor");
	if ((uint64_t)job->tasks * job->task_procs > UINT32_MAX)
		return err_set(err,
			       "a job can request at most %lu processors, not %u tasks of %u processors each",
			       (unsigned long)UINT32_MAX, job->tasks, job->task_procs);
	if (job->wall_limit_s <= 0 || job->wall_limit_s > MOMENT_MAX_S)
		return err_set(err, "a wallclock limit must be between 1 and %lld seconds, got %lld",
			       (long long)MOMENT_MAX_S, (long long)job->wall_limit_s);
	if (job->array_index > ARRAY_INDEX_MAX || job->array_limit > ARRAY_TASKS_MAX)
		return err_set(err,
			       "at most %d tasks of an array can run at a time, and task numbers go up to %d",
			       ARRAY_TASKS_MAX, ARRAY_INDEX_MAX);
	if (job->base_points < JOB_POINTS_LEAST || job->base_points > JOB_POINTS_MOST)
		return err_set(err,
			       "the priority points of a submitted job must be between %d and %d, got %d",
			       JOB_POINTS_LEAST, JOB_POINTS_MOST, job->base_points);
	if (job->access > ACCESS_SINGLETASK || job->allocation > ALLOCATION_POLICY_COUNT)
		return err_set(err, "a job requests an unknown node allocation policy or node access policy");
	return check_total(job, job->mem_mb, "memory", err) && check_total(job, job->swap_mb, "swap", err) &&
	       check_total(job, job->disk_mb, "disk", err);
}

/* --- runs ------------------------------------------------------------------------------------ */

static bool overlap(const struct alloc_run *a, const struct alloc_run *b)
{
	return a->node < b->node + b->nodes && b->node < a->node + a->nodes;
}

/*
 * Is a node of run i also in an earlier run? reached: the highest index of a node in earlier runs, plus 1.
 * Runs are usually sorted by node, so that run i begins at or after it and no search is needed.
 */
static bool named_before(const struct alloc_run *runs, uint32_t i, uint32_t reached)
{
	if (reached <= runs[i].node)
		return false;
	for (uint32_t before = 0; before < i; before++)
		if (overlap(&runs[before], &runs[i]))
			return true;
	return false;
}

static bool run_exists(const struct snapshot *s, const struct alloc_run *run)
{
	uint32_t count = snapshot_count(s, TABLE_NODES);

	return run->nodes > 0 && run->procs > 0 && run->node < count && run->nodes <= count - run->node;
}

bool state_check_named(const struct state *st, const struct job *job, const struct alloc_run *runs,
		       uint32_t count, struct err *err)
{
	const struct node *node = snapshot_nodes(st->s);
	unsigned long long id = job->id;
	uint32_t reached = 0;
	int64_t tasks = 0, procs = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct alloc_run *run = &runs[i];

		if (!run_exists(st->s, run))
			return err_set(err, "job %llu is to run on nodes that do not exist", id);
		if (named_before(runs, i, reached))
			return err_set(err, "job %llu is to run on node %s twice", id,
				       snapshot_string(st->s, node[run->node].name));
		tasks += (int64_t)run->nodes * state_run_tasks(job, run);
		procs += (int64_t)run->nodes * run->procs;
		if (run->node + run->nodes > reached)
			reached = run->node + run->nodes;
	}
	if (tasks != job->tasks)
		return err_set(err, "job %llu is to run on %lld processors, but requested %lld", id,
			       (long long)tasks * job->task_procs, (long long)job_procs(job));
	return procs <= UINT32_MAX ||
	       err_set(err, "job %llu is to hold more than %u processors", id, UINT32_MAX);
}

/* --- amounts --------------------------------------------------------------------------------- */

/* A job and a node on which it is to be placed. */
struct placing {
	const struct state *st;
	const struct job *job;
	const struct node *node;
	uint32_t procs, tasks; /* on that node                  */
	uint8_t access;        /* enum node_access of the job */
	struct err *err;
};

static const char *node_name(const struct placing *p)
{
	return snapshot_string(p->st->s, p->node->name);
}

static bool refuse(const struct placing *p, const char *why)
{
	return err_set(p->err, "job %llu cannot start: node %s %s", (unsigned long long)p->job->id,
		       node_name(p), why);
}

static bool has_procs(const struct placing *p)
{
	return node_procs_free(p->node) >= p->procs ||
	       err_set(p->err, "job %llu cannot start: node %s has only %u processors free",
		       (unsigned long long)p->job->id, node_name(p), node_procs_free(p->node));
}

/* A resource of a node, and the request of a task. */
struct amount {
	enum available_resource resource;
	const char *name;
	int64_t per_task, configured, busy;
	int64_t used; /* < 0: not measured */
};

static bool has_amount(const struct placing *p, struct amount a)
{
	bool by_use = p->st->s->policy.available[a.resource] == AVAILABLE_UTILIZED && a.used >= 0;
	int64_t asked = p->tasks * a.per_task;

	if (asked == 0 || a.configured == 0 || by_use || a.busy + asked <= a.configured)
		return true;
	return err_set(
		p->err,
		"job %llu cannot start: node %s has only %lld MB of %s free, but the job requests %lld MB",
		(unsigned long long)p->job->id, node_name(p), (long long)(a.configured - a.busy), a.name,
		(long long)asked);
}

static bool has_gres(const struct placing *p)
{
	for (int i = 0; i < GRES_MAX; i++)
		if (p->node->gres_busy[i] + (uint64_t)p->tasks * p->job->gres[i] > p->node->gres[i])
			return refuse(p, "has too few of a requested generic resource free");
	return p->job->unknown[UNKNOWN_GRES] == 0 || refuse(p, "has none of a requested generic resource");
}

static bool has_amounts(const struct placing *p)
{
	const struct job *job = p->job;
	const struct node *n = p->node;
	const struct amount mem = {AVAILABLE_MEM, "memory",       job->mem_mb,
				   n->mem_mb,     n->mem_busy_mb, n->used.mem_mb};
	const struct amount swap = {AVAILABLE_SWAP, "swap",          job->swap_mb,
				    n->swap_mb,     n->swap_busy_mb, n->used.swap_mb};
	const struct amount disk = {AVAILABLE_DISK, "disk",          job->disk_mb,
				    n->disk_mb,     n->disk_busy_mb, n->used.disk_mb};

	return has_amount(p, mem) && has_amount(p, swap) && has_amount(p, disk) && has_gres(p);
}

/* --- node restrictions ----------------------------------------------------------------------- */

static bool is_host(const struct placing *p)
{
	const char *hosts = snapshot_string(p->st->s, p->job->hosts), *word, *name = node_name(p);
	size_t len;

	while ((word = config_word(&hosts, &len)) != NULL)
		if (strlen(name) == len && strncasecmp(word, name, len) == 0)
			return true;
	return p->job->hosts == 0;
}

/* Does the node accept the job's class? A node that lists no classes accepts all classes. */
static bool takes_class(const struct placing *p)
{
	const char *class_name = snapshot_job_cred(p->st->s, p->job, CRED_CLASS);
	int bit;

	if (p->node->classes == 0 || class_name == NULL)
		return true;
	bit = snapshot_find_trait(p->st->s, TRAIT_CLASS, class_name);
	return bit >= 0 && (p->node->classes >> bit & 1) != 0;
}

/* Is the job allowed on the node? A node without a partition belongs to every partition. */
static bool is_allowed(const struct placing *p)
{
	const struct job *job = p->job;
	const struct node *node = p->node;

	if (job->partition != 0 && node->partition != 0 && job->partition != node->partition)
		return refuse(p, "is in another partition");
	if (node->drained)
		return refuse(p, "is drained");
	return takes_class(p) || refuse(p, "does not accept the job's class");
}

/* Does the node meet the requests that only a particular job has? */
static bool is_as_asked(const struct placing *p)
{
	const struct job *job = p->job;

	if (!is_host(p))
		return refuse(p, "is not in the job's list of hosts");
	if ((job->features & ~p->node->features) != 0 || job->unknown[UNKNOWN_FEATURES] != 0)
		return refuse(p, "lacks a requested feature");
	if (job->tasks_per_node > 1 && p->tasks % job->tasks_per_node != 0)
		return refuse(
			p, "would get a number of tasks that is not a multiple of the job's tasks per node");
	return has_amounts(p);
}

/* --- sharing ------------------------------------------------------------------ */

static bool is_held_whole(const struct placing *p)
{
	if (p->procs != p->node->procs)
		return refuse(p, "must be allocated completely");
	return (uint64_t)p->tasks * p->job->task_procs <= p->procs || refuse(p, "is too small for its tasks");
}

static bool is_held_by_tasks(const struct placing *p)
{
	return p->procs == (uint64_t)p->tasks * p->job->task_procs ||
	       refuse(p, "would be allocated with more or fewer processors than the job's tasks need");
}

static bool is_shared_rightly(const struct placing *p)
{
	const struct node *node = p->node;
	uint8_t access = p->access > node->access ? p->access : node->access;
	uint32_t user = p->job->cred[CRED_USER];
	/* User numbers are positive, except for jobs without a user. */
	bool same_user = user == INDEX_NONE ? node->users == 0 : node->user == user;

	if (node->held_whole > 0 || (access >= ACCESS_SINGLEJOB && node->jobs > 0))
		return refuse(p, "cannot be shared");
	if (node->jobs > 0 && (node->held_user > 0 || access == ACCESS_SINGLEUSER) && !same_user)
		return refuse(p, "has jobs of another user");
	return access >= ACCESS_SINGLEJOB ? is_held_whole(p) : is_held_by_tasks(p);
}

/* --- all checks --------------------------------------------------------------------------------------- */

typedef bool check_node(const struct placing *p);

static bool check_each(const struct state *st, const struct job *job, const struct alloc_run *runs,
		       uint32_t count, check_node *check, struct err *err)
{
	struct placing p = {
		.st = st, .job = job, .access = (uint8_t)snapshot_job_access(st->s, job), .err = err};

	if (!state_check_named(st, job, runs, count, err))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		p.procs = runs[i].procs;
		p.tasks = state_run_tasks(job, &runs[i]);
		for (uint32_t n = 0; n < runs[i].nodes; n++) {
			p.node = &snapshot_nodes(st->s)[runs[i].node + n];
			if (!check(&p))
				return false;
		}
	}
	return true;
}

/*
 * Are job and node plain, and are enough processors free? This is usual, and no other check is needed then.
 */
static bool is_plain(const struct placing *p)
{
	const struct node *node = p->node;

	return (p->job->flags & JOB_PARTICULAR) == 0 && p->access <= ACCESS_SHARED &&
	       node->access <= ACCESS_SHARED && (node->held_whole | node->held_user) == 0 && !node->drained &&
	       node->classes == 0 && (node->partition == 0 || p->job->partition == 0) &&
	       p->procs <= node_procs_free(node) && p->procs == (uint64_t)p->tasks * p->job->task_procs;
}

static bool can_start(const struct placing *p)
{
	return is_plain(p) || (has_procs(p) && is_shared_rightly(p) && is_allowed(p) &&
			       ((p->job->flags & JOB_PARTICULAR) == 0 || is_as_asked(p)));
}

bool state_check_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
		      uint32_t count, struct err *err)
{
	return check_each(st, job, runs, count, can_start, err);
}

/*
 * Could a running job have been started on this node? Checks only processors and generic resources: other
 * restrictions may have become stricter since, and the first version of Kahu placed jobs by processors only.
 */
static bool may_have_started(const struct placing *p)
{
	if (p->procs < (uint64_t)p->tasks * p->job->task_procs)
		return refuse(p, "is allocated with fewer processors than its tasks need");
	return (job_is_released(p->job) || has_procs(p)) && has_gres(p);
}

bool state_check_kept_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
			   uint32_t count, struct err *err)
{
	return check_each(st, job, runs, count, may_have_started, err);
}
