/* SPDX-License-Identifier: MIT */
/*
 * arrivals.c - job arrivals in a simulation
 *
 * Each source keeps its position: the next job in the trace, or the next index of the generator. All jobs
 * that arrive at the same time are reported together.
 */
#include "arrivals.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/trace/workload.h"

#define NAME_ROOM 24 /* room for a letter, 20 digits and NUL */

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
		.defer_until_s = TIME_NONE,
		.used_ps = -1,
		.mem_mb = mem_mb,
		.tasks = (uint32_t)procs,
		.task_procs = 1,
	};
}

/* --- from a trace --------------------------------------------------------------------- */

struct from_trace {
	const struct trace *trace;
	size_t position; /* index of the next job in the trace */
	bool numbers_are_ids;
	struct event numbers; /* submission of a job for which the trace has only numbers, no record; reused
				 for each such job */
};

bool trace_numbers_are_ids(const struct trace *trace)
{
	int64_t last = 0;

	for (size_t i = 0; i < trace->count; i++) {
		if (trace->job[i].number <= last)
			return false;
		last = trace->job[i].number;
	}
	return trace->count == 0 || (last - trace->job[0].number) / TRACE_ID_GAPS < (int64_t)trace->count;
}

uint64_t trace_last_id(const struct trace *trace)
{
	uint64_t last = trace->count;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->job[i].number > 0 && (uint64_t)trace->job[i].number > last)
			last = (uint64_t)trace->job[i].number;
	return last;
}

static uint64_t trace_job_id(const struct from_trace *f, size_t position)
{
	return f->numbers_are_ids ? (uint64_t)f->trace->job[position].number : (uint64_t)position + 1;
}

/*
 * Returns a name such as "u153"; NULL if the log does not name the credential. Faster than printf(), and
 * called three times per job.
 */
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

static void report_submission(struct event *ev, rm_report *report, void *to)
{
	ev->who = ev->submit.cred[CRED_USER] ? ev->submit.cred[CRED_USER] : "sched";
	report(to, ev);
}

/*
 * Reports a job for which the trace has only numbers and no record. The event is reused, because clearing a
 * new one would take longer than the rest of this function.
 */
static void report_numbers(struct from_trace *f, const struct trace_job *job, rm_report *report, void *to)
{
	char user[NAME_ROOM], group[NAME_ROOM], queue[NAME_ROOM], label[TRACE_NAME_TEXT];
	struct event *ev = &f->numbers;

	ev->time_s = job->submit_s;
	ev->job = trace_job_id(f, f->position);
	ev->submit.job = simulated_job(job->submit_s, job->run_s, job->wall_limit_s, job->mem_mb, job->procs);
	ev->submit.cred[CRED_USER] = number_name(user, 'u', job->user);
	ev->submit.cred[CRED_GROUP] = number_name(group, 'g', job->group);
	ev->submit.cred[CRED_CLASS] = number_name(queue, 'q', job->queue);
	ev->submit.label = f->numbers_are_ids ? NULL : trace_job_name(job, label);
	report_submission(ev, report, to);
}

static void report_trace_job(struct from_trace *f, rm_report *report, void *to)
{
	const struct trace_job *job = &f->trace->job[f->position];

	if (job->record == NULL) {
		report_numbers(f, job, report, to);
	} else {
		struct event ev = {.time_s = job->submit_s,
				   .kind = EVENT_SUBMIT,
				   .job = trace_job_id(f, f->position),
				   .submit = *job->record};

		report_submission(&ev, report, to);
	}
}

static int64_t trace_next_s(const void *self)
{
	const struct from_trace *f = self;

	return f->position < f->trace->count ? f->trace->job[f->position].submit_s : TIME_NEVER;
}

static void report_trace(void *self, rm_report *report, void *to)
{
	struct from_trace *f = self;

	for (int64_t at_s = trace_next_s(f); trace_next_s(f) == at_s; f->position++)
		report_trace_job(f, report, to);
}

/*
 * Job IDs of a trace are in ascending order, so all jobs with an ID below the state's next ID have been
 * submitted.
 */
static void adopt_position(void *self, const struct snapshot *s)
{
	struct from_trace *f = self;

	while (f->position < f->trace->count && trace_job_id(f, f->position) < s->next_job_id)
		f->position++;
}

struct arrivals arrivals_from_trace(const struct trace *trace)
{
	static const struct arrivals_ops ops = {
		.next_s = trace_next_s,
		.report = report_trace,
		.adopt = adopt_position,
		.close = free,
	};
	struct from_trace *f = mem_zero(1, sizeof *f);

	f->trace = trace;
	f->numbers_are_ids = trace_numbers_are_ids(trace);
	f->numbers.kind = EVENT_SUBMIT;
	return (struct arrivals){&ops, f};
}

/* --- from the generator ----------------------------------------------------------------- */

struct from_workload {
	int64_t machine_procs;
	struct workload workload;
	struct sim_origin origin;
	struct workload_job coming; /* the next job */
	int64_t coming_s;           /* arrival time of the next job; TIME_NEVER = no more jobs */
};

static void draw_next(struct from_workload *f)
{
	const struct sim_origin *origin = &f->origin;

	f->coming_s = TIME_NEVER;
	if (!origin->active || (origin->job_limit > 0 && origin->next_index > origin->job_limit))
		return;
	workload_job(&f->workload, origin->next_index, origin->last_s, &f->coming);
	f->coming_s = f->coming.arrival_s;
}

static void begin_at(struct from_workload *f, const struct sim_origin *origin)
{
	const struct workload_model model = {
		.seed = origin->seed,
		.machine_procs = f->machine_procs,
		.load_pct = origin->load_pct,
	};

	f->origin = *origin;
	workload_begin(&f->workload, &model);
	draw_next(f);
}

static int64_t workload_next_s(const void *self)
{
	const struct from_workload *f = self;

	return f->coming_s;
}

static void report_workload_job(const struct workload_job *job, rm_report *report, void *to)
{
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

/*
 * Reports the new position of the generator together with the arrivals, so that either both are stored or
 * neither is.
 */
static void report_workload(void *self, rm_report *report, void *to)
{
	struct from_workload *f = self;
	int64_t at_s = f->coming_s;
	struct event ev = {.time_s = at_s, .kind = EVENT_SIM, .who = "sched"};

	while (f->coming_s == at_s) {
		report_workload_job(&f->coming, report, to);
		f->origin.next_index++;
		f->origin.last_s = at_s;
		draw_next(f);
	}
	ev.sim = f->origin;
	report(to, &ev);
}

static void adopt_origin(void *self, const struct snapshot *s)
{
	if (s->sim.active)
		begin_at(self, &s->sim);
}

struct arrivals arrivals_from_workload(int64_t machine_procs, const struct sim_origin *origin)
{
	static const struct arrivals_ops ops = {
		.next_s = workload_next_s,
		.report = report_workload,
		.adopt = adopt_origin,
		.close = free,
	};
	struct from_workload *f = mem_zero(1, sizeof *f);

	f->machine_procs = machine_procs;
	begin_at(f, origin);
	return (struct arrivals){&ops, f};
}

/* --- simulated clusters ----------------------------------------------------------------------- */

struct rm fake_from_trace(const struct fake_cluster *cluster, const struct trace *trace)
{
	return fake_new(cluster, arrivals_from_trace(trace));
}

struct rm fake_from_workload(const struct fake_cluster *cluster, const struct sim_origin *origin)
{
	return fake_new(cluster, arrivals_from_workload(fake_cluster_procs(cluster), origin));
}

/* --- the machine of a log ----------------------------------------------------------- */

bool cluster_of_trace(const struct trace *trace, struct fake_cluster *out)
{
	int64_t procs = trace->max_procs > 0 ? trace->max_procs : trace->max_nodes;
	int64_t nodes = trace->max_nodes > 0 && trace->max_nodes <= procs ? trace->max_nodes : procs;

	if (procs <= 0 || procs > INT32_MAX)
		return false;
	if (procs % nodes != 0)
		nodes = procs;
	if (nodes > TRACE_NODES_MAX) {
		nodes = TRACE_NODES_MAX;
		while (procs % nodes != 0)
			nodes--;
	}
	*out = (struct fake_cluster){.nodes = (uint32_t)nodes, .node_procs = (uint32_t)(procs / nodes)};
	return true;
}
