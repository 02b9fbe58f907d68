/* SPDX-License-Identifier: MIT */
/*
 * fake.c - what happens next on a cluster that does not exist?
 *
 * Ends wait in a binary heap by (moment, order of starts). Arrivals wait in line: the next
 * one is known, from the trace or from the generator. What happens next is the earlier of
 * the two; at one moment all ends come before all arrivals.
 */
#include "fake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/trace/swf.h"
#include "sched/trace/workload.h"

/* A running job's end. */
struct ending {
	int64_t end_s;
	uint64_t order; /* of its start */
	uint64_t job;
	bool at_limit;
};

/* Names that must last until the next call. */
struct names {
	struct names *next;
	size_t used;
	char text[4000];
};

#define NAME_MAX_LEN 24

struct fake {
	struct fake_cluster cluster;

	struct ending *ending; /* heap: no parent is later than its children */
	size_t ending_count, ending_room;
	uint64_t starts;

	int64_t arrival_s; /* of the next job; TIME_NEVER = no more come */
	struct names *names;

	const struct trace *trace; /* NULL: the generator                */
	size_t position;           /* of the next job in the trace       */
	bool numbers_are_ids;

	struct workload workload;
	struct sim_origin origin;
	struct workload_job coming; /* the next job of the generator */
};

/* --- names -------------------------------------------------------------------------- */

/* Room for one name, NUL included. */
static char *new_name(struct fake *f)
{
	struct names *n = f->names;

	if (!n || n->used + NAME_MAX_LEN > sizeof n->text) {
		n = mem_alloc(sizeof *n);
		n->next = f->names;
		n->used = 0;
		f->names = n;
	}
	n->used += NAME_MAX_LEN;
	return n->text + n->used - NAME_MAX_LEN;
}

static void drop_names(struct fake *f)
{
	struct names *first = f->names;

	while (first && first->next) {
		f->names = first->next;
		free(first);
		first = f->names;
	}
	if (first)
		first->used = 0;
}

/* "u153"; NULL for a credential that the log does not name. Quicker than printf: three for each job. */
static const char *number_name(struct fake *f, char letter, int32_t number)
{
	char *at;

	if (number == SWF_NONE)
		return NULL;
	at = new_name(f) + NAME_MAX_LEN - 1;
	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	*--at = letter;
	return at;
}

static const char *label_name(struct fake *f, int64_t number)
{
	char *name = new_name(f);

	snprintf(name, NAME_MAX_LEN, "%" PRId64, number);
	return name;
}

static int name_width(uint32_t nodes)
{
	int width = 3;

	for (uint32_t most = 999; nodes > most; most = most * 10 + 9)
		width++;
	return width;
}

static const char *node_name(struct fake *f, uint32_t number)
{
	char *name = new_name(f);

	snprintf(name, NAME_MAX_LEN, "n%0*" PRIu32, name_width(f->cluster.nodes), number);
	return name;
}

/* --- ends --------------------------------------------------------------------------- */

static bool ends_before(const struct ending *a, const struct ending *b)
{
	return a->end_s != b->end_s ? a->end_s < b->end_s : a->order < b->order;
}

static void add_ending(struct fake *f, const struct ending *added)
{
	size_t i = f->ending_count++;

	f->ending = vec_room(f->ending, &f->ending_room, f->ending_count, sizeof *f->ending);
	for (; i > 0 && ends_before(added, &f->ending[(i - 1) / 2]); i = (i - 1) / 2)
		f->ending[i] = f->ending[(i - 1) / 2];
	f->ending[i] = *added;
}

/* The heap must not be empty. */
static struct ending take_ending(struct fake *f)
{
	struct ending first = f->ending[0];
	struct ending last = f->ending[--f->ending_count];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= f->ending_count)
			break;
		if (child + 1 < f->ending_count && ends_before(&f->ending[child + 1], &f->ending[child]))
			child++;
		if (!ends_before(&f->ending[child], &last))
			break;
		f->ending[i] = f->ending[child];
		i = child;
	}
	f->ending[i] = last;
	return first;
}

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
	while (f->ending_count > 0 && f->ending[0].end_s <= at_s) {
		struct ending e = take_ending(f);
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
	return true;
}

static uint64_t trace_job_id(const struct fake *f, size_t position)
{
	return f->numbers_are_ids ? (uint64_t)f->trace->job[position].number : (uint64_t)position + 1;
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
	const char *user = number_name(f, 'u', job->user);
	struct event ev = {
		.time_s = job->submit_s,
		.kind = EVENT_SUBMIT,
		.job = trace_job_id(f, f->position),
		.who = user ? user : "sched",
		.submit = {.job = simulated_job(job->submit_s, job->run_s, job->wall_limit_s, job->mem_mb,
						job->procs),
			   .cred = {[CRED_USER] = user,
				    [CRED_GROUP] = number_name(f, 'g', job->group),
				    [CRED_CLASS] = number_name(f, 'q', job->queue)},
			   .label = f->numbers_are_ids ? NULL : label_name(f, job->number)},
	};

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

static void fake_nodes(void *self, rm_report *report, void *to)
{
	struct fake *f = self;

	drop_names(f);
	for (uint32_t i = 1; i <= f->cluster.nodes; i++) {
		struct event ev = {.kind = EVENT_NODE,
				   .who = "sched",
				   .node = {.name = node_name(f, i),
					    .procs = f->cluster.node_procs,
					    .mem_mb = f->cluster.node_mem_mb}};

		report(to, &ev);
	}
}

static int64_t fake_next_s(const void *self)
{
	const struct fake *f = self;
	int64_t end_s = f->ending_count > 0 ? f->ending[0].end_s : TIME_NEVER;

	return end_s < f->arrival_s ? end_s : f->arrival_s;
}

static void fake_poll(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct fake *f = self;

	drop_names(f);
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
	add_ending(f, &e);
	return true;
}

static int by_start(const void *left, const void *right)
{
	const struct job *a = *(const struct job *const *)left;
	const struct job *b = *(const struct job *const *)right;

	if (a->start_s != b->start_s)
		return a->start_s < b->start_s ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The running jobs, first started first. */
static void adopt_running(struct fake *f, const struct snapshot *s)
{
	uint32_t count = snapshot_count(s, TABLE_RUNNING);
	const struct job **running = mem_zero(count, sizeof *running);

	for (uint32_t i = 0; i < count; i++)
		running[i] = &snapshot_jobs(s)[snapshot_running(s)[i]];
	if (count > 1)
		qsort(running, count, sizeof *running, by_start);
	f->ending_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct ending e = ending_of(running[i], running[i]->start_s, f->starts++);

		add_ending(f, &e);
	}
	free(running);
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

	drop_names(f);
	free(f->names);
	free(f->ending);
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
