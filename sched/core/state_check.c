/* SPDX-License-Identifier: MIT */
/*
 * state_check.c - is the state consistent, and are two states the same?
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "state_inside.h"

/* --- invariants -------------------------------------------------------------------- */

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
			return err_set(err, "table %d reaches into its neighbour: %u of %u items at %llu", i,
				       table->count, table->room, (unsigned long long)table->offset);
		end = table->offset + (uint64_t)table->room * snapshot_item_size[i];
	}
	if (end > st->s->size)
		return err_set(err, "the tables reach to %llu in a block of %llu bytes",
			       (unsigned long long)end, (unsigned long long)st->s->size);
	return true;
}

static bool check_waiting(const struct state *st, struct err *err)
{
	const struct waiting *waiting = snapshot_waiting(st->s);
	const struct job *jobs = snapshot_jobs(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_WAITING); i++) {
		const struct job *job = &jobs[waiting[i].slot];

		if (job->state != JOB_IDLE || job->run != INDEX_NONE)
			return err_set(err, "job %llu stands among the waiting but does not wait",
				       (unsigned long long)job->id);
		if (waiting[i].procs != at_most_u32(job_procs(job)) ||
		    waiting[i].wall_s != at_most_u32(job->wall_limit_s))
			return err_set(err, "waiting job %llu stands with another size than its own",
				       (unsigned long long)job->id);
		if (i > 0) {
			const struct job *before = &jobs[waiting[i - 1].slot];

			if (before->submit_s > job->submit_s ||
			    (before->submit_s == job->submit_s && before->id >= job->id))
				return err_set(err, "waiting jobs %llu and %llu stand in the wrong order",
					       (unsigned long long)before->id, (unsigned long long)job->id);
		}
	}
	return true;
}

static bool check_running(const struct state *st, uint32_t *busy, struct err *err)
{
	const uint32_t *running = snapshot_running(st->s);
	const struct job *jobs = snapshot_jobs(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_RUNNING); i++) {
		const struct job *job = &jobs[running[i]];
		int64_t procs = 0;

		if (job->state != JOB_RUNNING)
			return err_set(err, "job %llu stands among the running but does not run",
				       (unsigned long long)job->id);
		if (i > 0 && ends_after(&jobs[running[i - 1]], job))
			return err_set(err, "running job %llu stands in the wrong place",
				       (unsigned long long)job->id);
		for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(st->s)[r].next) {
			const struct alloc_run *run = &snapshot_runs(st->s)[r];

			for (uint32_t n = 0; n < run->nodes; n++)
				busy[run->node + n] += run->procs;
			procs += (int64_t)run->nodes * run->procs;
		}
		if (procs != job_procs(job))
			return err_set(err, "running job %llu has %lld processors, not %lld",
				       (unsigned long long)job->id, (long long)procs,
				       (long long)job_procs(job));
	}
	return true;
}

static bool check_nodes(const struct state *st, const uint32_t *busy, struct err *err)
{
	const struct node *node = snapshot_nodes(st->s);
	int64_t total = 0, used = 0, nodes_busy = 0;

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++) {
		if (node[i].procs_busy != busy[i] || busy[i] > node[i].procs)
			return err_set(err, "node %s: %u of %u processors are used, its jobs have %u",
				       snapshot_string(st->s, node[i].name), node[i].procs_busy,
				       node[i].procs, busy[i]);
		total += node[i].procs;
		used += busy[i];
		nodes_busy += busy[i] > 0;
	}
	if (total != st->s->procs_total || used != st->s->procs_busy || nodes_busy != st->s->nodes_busy)
		return err_set(err, "the sums over nodes are %lld, %lld, %lld and not %lld, %lld, %lld",
			       (long long)total, (long long)used, (long long)nodes_busy,
			       (long long)st->s->procs_total, (long long)st->s->procs_busy,
			       (long long)st->s->nodes_busy);
	return true;
}

static bool check_index(const struct state *st, struct err *err)
{
	const struct job *jobs = snapshot_jobs(st->s);
	uint32_t used = 0, adjusted = 0, planned = 0, paused = 0;

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE)
			continue;
		used++;
		if (jobs[i].state == JOB_IDLE) {
			adjusted += jobs[i].adjust != JOB_ADJUST_NONE;
			planned += jobs[i].planned_s != TIME_NEVER;
			paused += (jobs[i].flags & JOB_ACCRUAL_PAUSED) != 0;
		}
		if (state_find(st, jobs[i].id) != i)
			return err_set(err, "job %llu is not found by its id",
				       (unsigned long long)jobs[i].id);
		if (jobs[i].id >= st->s->next_job_id)
			return err_set(err, "job %llu is beyond the next id", (unsigned long long)jobs[i].id);
	}
	if (used != snapshot_count(st->s, TABLE_WAITING) + snapshot_count(st->s, TABLE_RUNNING))
		return err_set(err, "%u jobs, but %u wait and %u run", used,
			       snapshot_count(st->s, TABLE_WAITING), snapshot_count(st->s, TABLE_RUNNING));
	if (used != st->by_id.count)
		return err_set(err, "%u jobs, but %u entries to find them by id", used, st->by_id.count);
	if (adjusted != st->s->adjusted)
		return err_set(err, "%u jobs have an operator's priority, counted are %u", adjusted,
			       st->s->adjusted);
	if (planned != st->s->planned || paused != st->s->paused)
		return err_set(err, "%u jobs are planned and %u paused, counted are %u and %u", planned,
			       paused, st->s->planned, st->s->paused);
	return true;
}

bool state_check(const struct state *st, struct err *err)
{
	uint32_t *busy = mem_zero(snapshot_count(st->s, TABLE_NODES) + 1, sizeof *busy);
	bool ok = check_tables(st, err) && check_waiting(st, err) && check_running(st, busy, err) &&
		  check_nodes(st, busy, err) && check_index(st, err);

	free(busy);
	return ok;
}

/* --- what a job may ask for, and where it may run -------------------------------------- */

/* The bounds keep sums of times and of processors far from what 64 bits hold. */
bool state_check_size(const struct job *job, struct err *err)
{
	if (job->tasks == 0 || job->task_procs == 0)
		return err_set(err, "a job needs at least one processor");
	if ((uint64_t)job->tasks * job->task_procs > UINT32_MAX)
		return err_set(err, "a job asks for at most %lu processors, this one for %u tasks of %u",
			       (unsigned long)UINT32_MAX, job->tasks, job->task_procs);
	if (job->wall_limit_s <= 0 || job->wall_limit_s > MOMENT_MAX_S)
		return err_set(err, "a wallclock limit is between one second and %lld, got %lld",
			       (long long)MOMENT_MAX_S, (long long)job->wall_limit_s);
	return true;
}

static bool overlap(const struct alloc_run *a, const struct alloc_run *b)
{
	return a->node < b->node + b->nodes && b->node < a->node + a->nodes;
}

/* Runs mostly come in the order of nodes: then none of those before reaches up to the next. */
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

bool state_check_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
		      uint32_t count, struct err *err)
{
	const struct node *node = snapshot_nodes(st->s);
	unsigned long long id = job->id;
	uint32_t reached = 0;
	int64_t procs = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct alloc_run *run = &runs[i];

		if (!run_exists(st->s, run))
			return err_set(err, "job %llu is to run on nodes that do not exist", id);
		if (named_before(runs, i, reached))
			return err_set(err, "job %llu is to run on node %s twice", id,
				       snapshot_string(st->s, node[run->node].name));
		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			if (node_procs_free(&node[n]) < run->procs)
				return err_set(
					err, "job %llu cannot start: node %s has only %u processors free", id,
					snapshot_string(st->s, node[n].name), node_procs_free(&node[n]));
		procs += (int64_t)run->nodes * run->procs;
		if (run->node + run->nodes > reached)
			reached = run->node + run->nodes;
	}
	if (procs != job_procs(job))
		return err_set(err, "job %llu is to run on %lld processors and asked for %lld", id,
			       (long long)procs, (long long)job_procs(job));
	return true;
}

/* --- fingerprint -------------------------------------------------------------------- */

static void add_bytes(uint64_t *h, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++)
		*h = (*h ^ p[i]) * UINT64_C(0x100000001b3);
}

static void add_number(uint64_t *h, uint64_t n)
{
	unsigned char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(n >> (8 * i));
	add_bytes(h, bytes, sizeof bytes);
}

static void add_real(uint64_t *h, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	add_number(h, bits);
}

static void add_text(uint64_t *h, const char *text)
{
	if (text != NULL)
		add_bytes(h, text, strlen(text));
	add_number(h, 0);
}

static void add_job(uint64_t *h, const struct snapshot *s, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	const int64_t number[] = {
		(int64_t)job->id, job->submit_s, job->accrual_s,  job->not_before_s, job->wall_limit_s,
		job->true_run_s,  job->start_s,  job->planned_s,  job->mem_mb,       job->swap_mb,
		job->disk_mb,     job->points,   job->tasks,      job->task_procs,   job->nodes,
		job->bypass,      job->state,    job->base_holds, job->holds,        job->adjust,
		job->flags,
	};

	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		add_number(h, (uint64_t)number[i]);
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		add_text(h, snapshot_job_cred(s, job, (enum cred_type)t));
	add_text(h, snapshot_string(s, snapshot_partitions(s)[job->partition].name));
	add_text(h, snapshot_string(s, job->label));
	add_text(h, snapshot_string(s, job->name));
	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(s)[r];

		add_number(h, run->node);
		add_number(h, run->nodes);
		add_number(h, run->procs);
	}
}

static void add_weights(uint64_t *h, const struct prio_weights *w)
{
	const double *value = w->component;

	for (size_t i = 0; i < sizeof *w / sizeof *value; i++)
		add_real(h, value[i]);
}

static void add_policy(uint64_t *h, const struct snapshot *s)
{
	const struct policy *p = &s->policy;
	const int64_t number[] = {
		p->allow_negative, p->reject_negative,    p->accrual,           p->backfill,
		p->reservation,    p->xfactor_min_wall_s, p->reservation_depth[0], p->default_wall_s,
	};

	add_weights(h, &p->weights);
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		add_number(h, (uint64_t)number[i]);
}

/*
 * Partitions with weights of their own: a sum, since their order is that of appearance and
 * one whose jobs have all left may be unknown to a restored twin.
 */
static void add_partitions(uint64_t *h, const struct snapshot *s)
{
	const struct partition *partition = snapshot_partitions(s);
	uint64_t all = UINT64_C(0xcbf29ce484222325), sum = 0;

	add_weights(&all, &s->policy.weights);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++) {
		uint64_t one = UINT64_C(0xcbf29ce484222325);

		add_weights(&one, &partition[i].weights);
		if (one == all)
			continue;
		add_text(&one, snapshot_string(s, partition[i].name));
		sum += one;
	}
	add_number(h, sum);
}

/* Credentials in the order of appearance may differ between a state and its restored twin: a sum. */
static void add_creds(uint64_t *h, const struct snapshot *s)
{
	const struct cred *cred = snapshot_creds(s);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		uint64_t one = UINT64_C(0xcbf29ce484222325);
		const struct cred_attr *a = &cred[i].attr;

		if (a->priority == 0 && a->qt_weight == 0 && a->xf_weight == 0 && a->qt_target_s == 0 &&
		    a->xf_target == 0)
			continue;
		add_number(&one, cred[i].type);
		add_text(&one, snapshot_string(s, cred[i].name));
		add_real(&one, a->priority);
		add_real(&one, a->qt_weight);
		add_real(&one, a->xf_weight);
		add_number(&one, (uint64_t)a->qt_target_s);
		add_real(&one, a->xf_target);
		sum += one;
	}
	add_number(h, sum);
}

static void add_nodes(uint64_t *h, const struct snapshot *s)
{
	const struct node *node = snapshot_nodes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		add_text(h, snapshot_string(s, node[i].name));
		add_number(h, node[i].procs);
		add_number(h, node[i].procs_busy);
		add_number(h, (uint64_t)node[i].mem_mb);
		add_number(h, (uint64_t)node[i].swap_mb);
		add_number(h, (uint64_t)node[i].disk_mb);
		add_text(h, snapshot_string(s, snapshot_partitions(s)[node[i].partition].name));
	}
}

static void add_changes(uint64_t *h, const struct snapshot *s)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		add_number(h, change[i].seq);
		add_number(h, change[i].job);
		add_number(h, (uint64_t)change[i].number);
		add_number(h, change[i].kind);
		add_number(h, change[i].on);
		add_number(h, change[i].dead);
		add_text(h, snapshot_string(s, change[i].name));
		add_text(h, snapshot_string(s, change[i].value));
	}
}

uint64_t state_hash(const struct snapshot *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	add_number(&h, (uint64_t)s->now_s);
	add_number(&h, s->seq);
	add_number(&h, s->next_job_id);
	add_number(&h, s->ends_pending);
	add_number(&h, s->sim.seed);
	add_number(&h, s->sim.next_index);
	add_number(&h, s->sim.job_limit);
	add_number(&h, (uint64_t)s->sim.load_pct);
	add_number(&h, (uint64_t)s->sim.last_s);
	add_number(&h, s->sim.active);
	add_text(&h, snapshot_string(s, s->config_file));
	add_text(&h, snapshot_string(s, s->config_text));
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		add_job(&h, s, snapshot_waiting(s)[i].slot);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		add_job(&h, s, snapshot_running(s)[i]);
	add_policy(&h, s);
	add_partitions(&h, s);
	add_creds(&h, s);
	add_nodes(&h, s);
	add_changes(&h, s);
	return h;
}
