/* SPDX-License-Identifier: MIT */
/*
 * state_check.c - is the state consistent, and are two states the same?
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "state_inside.h"

/* --- invariants -------------------------------------------------------------------- */

static bool check_waiting(const struct state *st, struct err *err)
{
	const struct waiting *waiting = snapshot_waiting(st->s);
	const struct job *jobs = snapshot_jobs(st->s);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_WAITING); i++) {
		const struct job *job = &jobs[waiting[i].slot];

		if (job->state != JOB_IDLE || job->run != INDEX_NONE)
			return err_set(err, "job %llu stands among the waiting but does not wait",
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
		if (i > 0 && job_due_end_s(&jobs[running[i - 1]]) > job_due_end_s(job))
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
	if (adjusted != st->s->adjusted)
		return err_set(err, "%u jobs have an operator's priority, counted are %u", adjusted,
			       st->s->adjusted);
	return true;
}

bool state_check(const struct state *st, struct err *err)
{
	uint32_t *busy = mem_zero(snapshot_count(st->s, TABLE_NODES) + 1, sizeof *busy);
	bool ok = check_waiting(st, err) && check_running(st, busy, err) && check_nodes(st, busy, err) &&
		  check_index(st, err);

	free(busy);
	return ok;
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
		p->reservation,    p->xfactor_min_wall_s, p->reservation_depth, p->default_wall_s,
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
