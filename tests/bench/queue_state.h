/* SPDX-License-Identifier: MIT */
/*
 * queue_state.h - a busy machine with a long queue, for measurements
 *
 * The cluster is filled with jobs of the generator as far as they fit; `queued` more jobs
 * wait, which were submitted within the last two days. By default weights of all simple priority factors
 * are set, and jobs request memory, so that nodes are examined.
 */
#ifndef TESTS_BENCH_QUEUE_STATE_H
#define TESTS_BENCH_QUEUE_STATE_H

#include <stdbool.h>
#include <stdlib.h>

#include "sched/state/event.h"
#include "sched/state/state.h"
#include "sched/trace/workload.h"
#include "tests/bench/bench.h"

#define QUEUE_NODE_PROCS 16
#define QUEUE_NOW_S      INT64_C(1774368000)
#define QUEUE_SPAN_S     (INT64_C(2) * 86400)

static const char queue_conf[] = "reservationdepth = 10\n"
				 "queuetimeweight = 1\n"
				 "xfactorweight = 1000\n"
				 "procweight = 10\n"
				 "userweight = 1\ngroupweight = 1\nqosweight = 1\nclassweight = 1\n"
				 "user u1 {\n priority = 500\n}\nuser u2 {\n priority = -20\n}\n"
				 "user u3 {\n priority = 77\n}\nuser DEFAULT {\n priority = 10\n}\n"
				 "class batch {\n priority = 100\n}\n";

struct queue_site {
	const char *conf;
	uint32_t users; /* number of users with equal usage; 0 = those of the generator */
	bool memory;    /* jobs request memory */
};

static const struct queue_site queue_usual_site = {.conf = queue_conf, .memory = true};

#define QUEUE_USER_TEXT 16

static inline const char *queue_user(uint32_t number, char text[static QUEUE_USER_TEXT])
{
	snprintf(text, QUEUE_USER_TEXT, "user%03u", number);
	return text;
}

static inline void queue_apply(struct state *st, struct event *ev)
{
	struct err err;

	if (event_apply(st, ev, &err))
		return;
	fprintf(stderr, "bench: %s\n", err.text);
	exit(EXIT_FAILURE);
}

static inline uint64_t queue_submit(struct state *st, const struct workload_job *job, int64_t at_s,
				    const char *name)
{
	struct event ev = {.kind = EVENT_SUBMIT, .time_s = at_s, .who = "bench"};

	ev.submit = (struct job_record){
		.job = {.submit_s = at_s,
			.not_before_s = TIME_NONE,
			.wall_limit_s = job->wall_limit_s,
			.true_run_s = job->run_s,
			.mem_mb = job->mem_mb,
			.tasks = (uint32_t)job->procs,
			.task_procs = 1},
		.cred = {[CRED_USER] = job->user,
			 [CRED_GROUP] = job->group,
			 [CRED_ACCOUNT] = job->account,
			 [CRED_QOS] = job->qos,
			 [CRED_CLASS] = job->class_name},
		.name = name,
	};
	queue_apply(st, &ev);
	return ev.job;
}

static inline void queue_add_machine(struct state *st, uint32_t nodes, const char *conf)
{
	struct event config = {.kind = EVENT_CONFIG,
			       .time_s = QUEUE_NOW_S - QUEUE_SPAN_S,
			       .config = {.file = "bench.conf", .text = conf}};

	for (uint32_t i = 1; i <= nodes; i++) {
		char name[16];
		struct event node = {.kind = EVENT_NODE,
				     .time_s = config.time_s,
				     .node = {.name = name, .procs = QUEUE_NODE_PROCS, .mem_mb = 65536}};

		snprintf(name, sizeof name, "n%05u", i);
		queue_apply(st, &node);
	}
	queue_apply(st, &config);
}

static inline struct state *queue_machine(uint32_t nodes)
{
	struct state *st = state_new();

	queue_add_machine(st, nodes, queue_conf);
	return st;
}

/* Starts a job on the first free processors; false when there are too few. */
static inline bool queue_start(struct state *st, uint64_t id, int64_t procs)
{
	const struct snapshot *s = state_view(st);
	struct event ev = {.kind = EVENT_START, .time_s = s->now_s, .job = id, .who = "bench"};
	struct alloc_run *run = malloc((size_t)procs * sizeof *run);

	if (!run || s->procs_total - s->procs_busy < procs) {
		free(run);
		return false;
	}
	for (uint32_t n = 0; procs > 0; n++) {
		const struct node *node = &snapshot_nodes(s)[n];
		int64_t free_procs = (int64_t)node->procs - node->procs_busy;
		int64_t taken = free_procs < procs ? free_procs : procs;

		if (taken > 0)
			run[ev.start.count++] =
				(struct alloc_run){.node = n, .nodes = 1, .procs = (uint32_t)taken};
		procs -= taken;
	}
	ev.start.runs = run;
	queue_apply(st, &ev);
	free(run);
	return true;
}

/* Submits a job of the generator, with the users and the memory of the site. */
static inline uint64_t queue_submit_next(struct state *st, const struct queue_site *site,
					 const struct workload_job *drawn, uint64_t index, int64_t at_s)
{
	struct workload_job job = *drawn;
	char user[QUEUE_USER_TEXT];

	if (site->users > 0)
		job.user = queue_user((uint32_t)(index % site->users), user);
	if (!site->memory)
		job.mem_mb = 0;
	return queue_submit(st, &job, at_s, NULL);
}

/* Adds the nodes and jobs to an empty state. */
static inline void queue_fill(struct state *st, const struct queue_site *site, uint32_t nodes,
			      uint32_t queued)
{
	const struct workload_model model = {
		.seed = 7, .machine_procs = (int64_t)nodes * QUEUE_NODE_PROCS, .load_pct = 100};
	struct workload w;
	bool filling = true;

	queue_add_machine(st, nodes, site->conf);
	workload_begin(&w, &model);
	for (uint64_t index = 1; snapshot_count(state_view(st), TABLE_WAITING) < queued; index++) {
		uint32_t waiting = snapshot_count(state_view(st), TABLE_WAITING);
		struct workload_job job;
		uint64_t id;

		workload_job(&w, index, 0, &job);
		id = queue_submit_next(st, site, &job, index,
				       QUEUE_NOW_S - QUEUE_SPAN_S + QUEUE_SPAN_S * waiting / queued);
		filling = filling && queue_start(st, id, job.procs);
	}
}

/* The caller frees the state with state_free. */
static inline struct state *queue_state(const struct queue_site *site, uint32_t nodes, uint32_t queued)
{
	struct state *st = state_new();

	queue_fill(st, site, nodes, queued);
	return st;
}

static inline int queue_by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The CPU milliseconds of one call. */
static inline double queue_once_ms(void (*work)(void *self), void *self)
{
	double begin_s = bench_cpu_s();

	work(self);
	return (bench_cpu_s() - begin_s) * 1000;
}

/* The median of `times` calls, after one call to warm up. */
static inline double queue_median_ms(void (*work)(void *self), void *self, unsigned times)
{
	double took[64];

	times = times > 64 ? 64 : times;
	work(self);
	for (unsigned i = 0; i < times; i++)
		took[i] = queue_once_ms(work, self);
	qsort(took, times, sizeof took[0], queue_by_size);
	return took[times / 2];
}

/* The fastest of `times` calls, which other load affects least, so it is used for ratios. */
static inline double queue_best_ms(void (*work)(void *self), void *self, unsigned times)
{
	double best = queue_once_ms(work, self);

	for (unsigned i = 1; i < times; i++) {
		double took = queue_once_ms(work, self);

		best = took < best ? took : best;
	}
	return best;
}

#endif
