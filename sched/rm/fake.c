/* SPDX-License-Identifier: MIT */
/*
 * fake.c - what happens next on a cluster that does not exist?
 *
 * The next end is known (ends.h), and so is the next arrival, from the trace or from the
 * generator. What happens next is the earlier of the two; at one moment all ends come
 * before all arrivals.
 */
#include "fake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ends.h"
#include "sched/base/vec.h"
#include "sched/trace/swf.h"
#include "sched/trace/workload.h"

#define NAME_ROOM 24 /* a letter, 20 digits, NUL */

struct fake {
	struct fake_cluster cluster;

	struct ends ends; /* of the running jobs */
	uint64_t starts;

	int64_t arrival_s; /* of the next job; TIME_NEVER = no more come */

	const struct trace *trace; /* NULL: the generator                */
	size_t position;           /* of the next job in the trace       */
	bool numbers_are_ids;

	struct workload workload;
	struct sim_origin origin;
	struct workload_job coming; /* the next job of the generator */
};

/* --- ends --------------------------------------------------------------------------- */

static struct ending ending_of(const struct job *job, int64_t start_s, uint64_t order)
{
	bool at_limit = job->true_run_s > job->wall_limit_s;

	return (struct ending){
		.end_s = start_s + (at_limit ? job->wall_limit_s : job->true_run_s),
		.order = order,
		.job = job->id,
		.at_limit = at_limit,
	};
}

static void report_ends(struct fake *f, int64_t at_s, rm_report *report, void *to)
{
	while (ends_next_s(&f->ends) <= at_s) {
		struct ending e = ends_take(&f->ends);
		struct event ev = {.time_s = e.end_s,
				   .kind = EVENT_END,
				   .job = e.job,
				   .who = "sched",
				   .end = {.at_limit = e.at_limit}};

		report(to, &ev);
	}
}

/* --- arrivals from a trace ---------------------------------------------------------- */

bool fake_numbers_are_ids(const struct trace *trace)
{
	int64_t last = 0;

	for (size_t i = 0; i < trace->count; i++) {
		if (trace->job[i].number <= last)
			return false;
		last = trace->job[i].number;
	}
	return trace->count == 0 || (last - trace->job[0].number) / FAKE_ID_GAPS < (int64_t)trace->count;
}

static uint64_t trace_job_id(const struct fake *f, size_t position)
{
	return f->numbers_are_ids ? (uint64_t)f->trace->job[position].number : (uint64_t)position + 1;
}

/* "u153"; NULL for a credential that the log does not name. Quicker than printf: three for each job. */
static const char *number_name(char buf[static NAME_ROOM], char letter, int32_t number)
{
	char *at = &buf[NAME_ROOM - 1];

	if (number == SWF_NONE)
		return NULL;
	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	*--at = letter;
	return at;
}

static struct job simulated_job(int64_t submit_s, int64_t run_s, int64_t wall_limit_s, int64_t mem_mb,
				int32_t procs)
{
	return (struct job){
		.submit_s = submit_s,
		.not_before_s = TIME_NONE,
		.wall_limit_s = wall_limit_s,
		.true_run_s = run_s,
		.start_s = TIME_NONE,
		.planned_s = TIME_NEVER,
		.mem_mb = mem_mb,
		.tasks = (uint32_t)procs,
		.task_procs = 1,
	};
}

static void report_trace_job(struct fake *f, rm_report *report, void *to)
{
	const struct trace_job *job = &f->trace->job[f->position];
	char user[NAME_ROOM], group[NAME_ROOM], queue[NAME_ROOM], label[NAME_ROOM];
	struct event ev = {
		.time_s = job->submit_s,
		.kind = EVENT_SUBMIT,
		.job = trace_job_id(f, f->position),
		.submit = {.job = simulated_job(job->submit_s, job->run_s, job->wall_limit_s, job->mem_mb,
						job->procs),
			   .cred = {[CRED_USER] = number_name(user, 'u', job->user),
				    [CRED_GROUP] = number_name(group, 'g', job->group),
				    [CRED_CLASS] = number_name(queue, 'q', job->queue)}},
	};

	ev.who = ev.submit.cred[CRED_USER] ? ev.submit.cred[CRED_USER] : "sched";
	if (!f->numbers_are_ids) {
		snprintf(label, sizeof label, "%" PRId64, job->number);
		ev.submit.label = label;
	}
	report(to, &ev);
}

static void wait_for_trace(struct fake *f)
{
	f->arrival_s = f->position < f->trace->count ? f->trace->job[f->position].submit_s : TIME_NEVER;
}

static void report_trace(struct fake *f, rm_report *report, void *to)
{
	int64_t at_s = f->arrival_s;

	while (f->arrival_s == at_s) {
		report_trace_job(f, report, to);
		f->position++;
		wait_for_trace(f);
	}
}

/* --- arrivals from the generator ---------------------------------------------------- */

static void wait_for_workload(struct fake *f)
{
	const struct sim_origin *origin = &f->origin;

	f->arrival_s = TIME_NEVER;
	if (!origin->active || (origin->job_limit > 0 && origin->next_index > origin->job_limit))
		return;
	workload_job(&f->workload, origin->next_index, origin->last_s, &f->coming);
	f->arrival_s = f->coming.arrival_s;
}

static void report_workload_job(struct fake *f, rm_report *report, void *to)
{
	const struct workload_job *job = &f->coming;
	struct event ev = {
		.time_s = job->arrival_s,
		.kind = EVENT_SUBMIT,
		.who = job->user,
		.submit = {.job = simulated_job(job->arrival_s, job->run_s, job->wall_limit_s, job->mem_mb,
						job->procs),
			   .cred = {[CRED_USER] = job->user,
				    [CRED_GROUP] = job->group,
				    [CRED_ACCOUNT] = job->account,
				    [CRED_QOS] = job->qos,
				    [CRED_CLASS] = job->class_name},
			   .name = job->name},
	};

	report(to, &ev);
}

/* Says where the generator stands with its arrivals: both are kept, or neither. */
static void report_workload(struct fake *f, rm_report *report, void *to)
{
	int64_t at_s = f->arrival_s;
	struct event ev = {.time_s = at_s, .kind = EVENT_SIM, .who = "sched"};

	while (f->arrival_s == at_s) {
		report_workload_job(f, report, to);
		f->origin.next_index++;
		f->origin.last_s = at_s;
		wait_for_workload(f);
	}
	ev.sim = f->origin;
	report(to, &ev);
}

static void begin_workload(struct fake *f, const struct sim_origin *origin)
{
	const struct workload_model model = {
		.seed = origin->seed,
		.machine_procs = (int64_t)f->cluster.nodes * f->cluster.node_procs,
		.load_pct = origin->load_pct,
	};

	f->origin = *origin;
	workload_begin(&f->workload, &model);
	wait_for_workload(f);
}

/* --- the manager -------------------------------------------------------------------- */

static int name_width(uint32_t nodes)
{
	int width = 3;

	for (uint32_t most = 999; nodes > most; most = most * 10 + 9)
		width++;
	return width;
}

static void fake_nodes(void *self, rm_report *report, void *to)
{
	const struct fake *f = self;
	int width = name_width(f->cluster.nodes);

	for (uint32_t i = 1; i <= f->cluster.nodes; i++) {
		char name[NAME_ROOM];
		struct event ev = {.kind = EVENT_NODE,
				   .who = "sched",
				   .node = {.name = name,
					    .procs = f->cluster.node_procs,
					    .mem_mb = f->cluster.node_mem_mb}};

		snprintf(name, sizeof name, "n%0*" PRIu32, width, i);
		report(to, &ev);
	}
}

static int64_t fake_next_s(const void *self)
{
	const struct fake *f = self;
	int64_t end_s = ends_next_s(&f->ends);

	return end_s < f->arrival_s ? end_s : f->arrival_s;
}

static void fake_poll(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct fake *f = self;

	for (;;) {
		int64_t at_s = fake_next_s(f);

		if (at_s == TIME_NEVER || at_s > now_s)
			return;
		report_ends(f, at_s, report, to);
		if (f->arrival_s != at_s)
			continue;
		if (f->trace)
			report_trace(f, report, to);
		else
			report_workload(f, report, to);
	}
}

static bool fake_start(void *self, const struct job *job, const struct alloc_run *runs, uint32_t count,
		       int64_t now_s, struct err *err)
{
	struct fake *f = self;
	struct ending e;

	(void)runs;
	(void)count;
	if (job->true_run_s < 0)
		return err_set(err,
			       "job %" PRIu64
			       " has no run time to simulate; only simulated jobs run on a simulated "
			       "cluster",
			       job->id);
	e = ending_of(job, now_s, f->starts++);
	ends_add(&f->ends, &e);
	return true;
}

struct started {
	const struct job *job;
};

static int by_start(const void *left, const void *right)
{
	const struct job *a = ((const struct started *)left)->job;
	const struct job *b = ((const struct started *)right)->job;

	if (a->start_s != b->start_s)
		return a->start_s < b->start_s ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The running jobs, first started first. */
static void adopt_running(struct fake *f, const struct snapshot *s)
{
	uint32_t count = snapshot_count(s, TABLE_RUNNING);
	struct started *started = mem_zero(count, sizeof *started);

	for (uint32_t i = 0; i < count; i++)
		started[i].job = &snapshot_jobs(s)[snapshot_running(s)[i]];
	if (count > 1)
		qsort(started, count, sizeof *started, by_start);
	ends_clear(&f->ends);
	for (uint32_t i = 0; i < count; i++) {
		struct ending e = ending_of(started[i].job, started[i].job->start_s, f->starts++);

		ends_add(&f->ends, &e);
	}
	free(started);
}

/* Ids of a trace ascend: those below the next free one have been submitted. */
static void adopt_position(struct fake *f, uint64_t next_job_id)
{
	while (f->position < f->trace->count && trace_job_id(f, f->position) < next_job_id)
		f->position++;
	wait_for_trace(f);
}

static bool fake_adopt(void *self, const struct snapshot *s, struct err *err)
{
	struct fake *f = self;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (job->true_run_s < 0)
			return err_set(err,
				       "job %" PRIu64
				       " is a real job that runs; a simulated cluster cannot take it over",
				       job->id);
	}
	adopt_running(f, s);
	if (f->trace)
		adopt_position(f, s->next_job_id);
	else if (s->sim.active)
		begin_workload(f, &s->sim);
	return true;
}

static void fake_close(void *self)
{
	struct fake *f = self;

	ends_clear(&f->ends);
	free(f);
}

static const struct rm_ops fake_ops = {
	.name = "fake",
	.nodes = fake_nodes,
	.next_s = fake_next_s,
	.poll = fake_poll,
	.start = fake_start,
	.adopt = fake_adopt,
	.close = fake_close,
};

static struct fake *fake_new(const struct fake_cluster *cluster)
{
	struct fake *f = mem_zero(1, sizeof *f);

	f->cluster = *cluster;
	f->arrival_s = TIME_NEVER;
	return f;
}

struct rm fake_from_trace(const struct fake_cluster *cluster, const struct trace *trace)
{
	struct fake *f = fake_new(cluster);

	f->trace = trace;
	f->numbers_are_ids = fake_numbers_are_ids(trace);
	wait_for_trace(f);
	return (struct rm){&fake_ops, f};
}

struct rm fake_from_workload(const struct fake_cluster *cluster, const struct sim_origin *origin)
{
	struct fake *f = fake_new(cluster);

	begin_workload(f, origin);
	return (struct rm){&fake_ops, f};
}

/* --- the machine of a log ----------------------------------------------------------- */

bool fake_cluster_of(const struct trace *trace, struct fake_cluster *out)
{
	int64_t procs = trace->max_procs > 0 ? trace->max_procs : trace->max_nodes;
	int64_t nodes = trace->max_nodes > 0 && trace->max_nodes <= procs ? trace->max_nodes : procs;

	if (procs <= 0 || procs > INT32_MAX)
		return false;
	if (procs % nodes != 0)
		nodes = procs;
	if (nodes > FAKE_NODES_MAX) {
		nodes = FAKE_NODES_MAX;
		while (procs % nodes != 0)
			nodes--;
	}
	*out = (struct fake_cluster){.nodes = (uint32_t)nodes, .node_procs = (uint32_t)(procs / nodes)};
	return true;
}
