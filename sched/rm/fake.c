/* SPDX-License-Identifier: MIT */
/*
 * fake.c - a resource manager for simulated jobs
 *
 * The next event is the earlier of the next end and the next arrival. Ends come before arrivals at the same
 * time.
 */
#include "fake.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "sched/model/job.h"

#define NAME_ROOM 24 /* a letter, 20 digits, NUL */

struct fake {
	struct fake_cluster cluster;
	struct arena arena; /* holds the node records */
	struct arrivals arrivals;
	struct ends ends; /* future ends of the running jobs */
};

/* --- queue of ends ------------------------------------------------------------------------------------- */

/* A binary heap: the children of item i are items 2i + 1 and 2i + 2, and no item is earlier than its parent.
 */

static bool is_before(const struct ending *a, const struct ending *b)
{
	return a->end_s != b->end_s ? a->end_s < b->end_s : a->job < b->job;
}

/*
 * Inserts e into the heap. Item i is unused; later parents move down until e fits below one that is not
 * later.
 */
static void rise(struct ending *item, size_t i, struct ending e)
{
	for (; i > 0 && is_before(&e, &item[(i - 1) / 2]); i = (i - 1) / 2)
		item[i] = item[(i - 1) / 2];
	item[i] = e;
}

/*
 * Inserts e into the heap. Item i is unused; earlier children move up until e fits above ones that are not
 * earlier.
 */
static void sink(struct ending *item, size_t count, size_t i, struct ending e)
{
	for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
		if (child + 1 < count && is_before(&item[child + 1], &item[child]))
			child++;
		if (!is_before(&item[child], &e))
			break;
		item[i] = item[child];
		i = child;
	}
	item[i] = e;
}

void ends_add(struct ends *ends, const struct ending *added)
{
	ends->item = vec_room(ends->item, &ends->cap, ends->count + 1, sizeof *ends->item);
	rise(ends->item, ends->count++, *added);
}

int64_t ends_next_s(const struct ends *ends)
{
	return ends->count > 0 ? ends->item[0].end_s : TIME_NEVER;
}

struct ending ends_take(struct ends *ends)
{
	struct ending first = ends->item[0];
	struct ending last = ends->item[--ends->count];

	sink(ends->item, ends->count, 0, last);
	return first;
}

bool ends_drop(struct ends *ends, uint64_t job)
{
	struct ending last;
	size_t i = 0;

	while (i < ends->count && ends->item[i].job != job)
		i++;
	if (i == ends->count)
		return false;
	last = ends->item[--ends->count];
	if (i == ends->count)
		return true;
	if (is_before(&last, &ends->item[i]))
		rise(ends->item, i, last);
	else
		sink(ends->item, ends->count, i, last);
	return true;
}

void ends_clear(struct ends *ends)
{
	free(ends->item);
	*ends = (struct ends){0};
}

/* --- ends --------------------------------------------------------------------------- */

static struct ending ending_of(const struct job *job, int64_t start_s)
{
	bool at_limit = job->true_run_s > job->wall_limit_s;

	return (struct ending){
		.end_s = start_s + job->suspended_s + (at_limit ? job->wall_limit_s : job->true_run_s),
		.job = job->id,
		.at_limit = at_limit,
	};
}

static struct ending cancelled_at(uint64_t job, int64_t now_s)
{
	return (struct ending){.end_s = now_s, .job = job, .status = FAKE_CANCELLED};
}

static void report_ends(struct fake *f, int64_t at_s, rm_report *report, void *to)
{
	while (ends_next_s(&f->ends) <= at_s) {
		struct ending e = ends_take(&f->ends);
		struct event ev = {.time_s = e.end_s,
				   .kind = EVENT_END,
				   .job = e.job,
				   .who = "sched",
				   .end = {.status = e.status, .at_limit = e.at_limit}};

		report(to, &ev);
	}
}

/* --- the manager -------------------------------------------------------------------- */

static int name_width(uint32_t nodes)
{
	int width = 3;

	for (uint32_t most = 999; nodes > most; most = most * 10 + 9)
		width++;
	return width;
}

static void report_node(const struct node_record *node, rm_report *report, void *to)
{
	struct event ev = {.kind = EVENT_NODE, .who = "sched", .node = *node};

	report(to, &ev);
}

static void fake_nodes(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	const struct fake_cluster *cluster = &((const struct fake *)self)->cluster;
	int width = name_width(cluster->nodes);

	(void)s;
	for (uint32_t i = 1; i <= cluster->nodes; i++) {
		char name[NAME_ROOM];
		struct node_record alike = {.name = name,
					    .procs = cluster->node_procs,
					    .mem_mb = cluster->node_mem_mb,
					    .used = NODE_NOT_MEASURED,
					    .active_from_s = TIME_NONE};

		snprintf(name, sizeof name, "n%0*" PRIu32, width, i);
		report_node(cluster->node ? &cluster->node[i - 1] : &alike, report, to);
	}
}

int64_t fake_cluster_procs(const struct fake_cluster *cluster)
{
	int64_t procs = 0;

	if (cluster->node == NULL)
		return (int64_t)cluster->nodes * cluster->node_procs;
	for (uint32_t i = 0; i < cluster->nodes; i++)
		procs += cluster->node[i].procs;
	return procs;
}

static int64_t next_arrival_s(const struct fake *f)
{
	return f->arrivals.ops->next_s(f->arrivals.self);
}

static int64_t fake_next_s(const void *self)
{
	const struct fake *f = self;
	int64_t end_s = ends_next_s(&f->ends);
	int64_t arrival_s = next_arrival_s(f);

	return end_s < arrival_s ? end_s : arrival_s;
}

static void fake_poll(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct fake *f = self;

	for (;;) {
		int64_t at_s = fake_next_s(f);

		if (at_s == TIME_NEVER || at_s > now_s)
			return;
		report_ends(f, at_s, report, to);
		if (next_arrival_s(f) == at_s)
			f->arrivals.ops->report(f->arrivals.self, report, to);
	}
}

static bool fake_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err)
{
	const struct job *job = start->job;
	struct fake *f = self;
	struct ending e;

	if (job->true_run_s < 0)
		return err_set(err,
			       "job %" PRIu64
			       " has no run time to simulate; only simulated jobs run on a simulated "
			       "cluster",
			       job->id);
	e = ending_of(job, now_s);
	ends_add(&f->ends, &e);
	return true;
}

/* The job ends now; the end is reported at the next poll. */
static bool fake_cancel(void *self, const struct job *job, int64_t now_s, struct err *err)
{
	struct fake *f = self;
	struct ending e = cancelled_at(job->id, now_s);

	if (!ends_drop(&f->ends, job->id) && !job_is_suspended(job))
		return err_set(err, "job %" PRIu64 " does not run on this cluster", job->id);
	ends_add(&f->ends, &e);
	return true;
}

/*
 * With `on`, removes the job's end from the queue. Otherwise adds its new end, for which job->suspended_s
 * already includes this suspension.
 */
static bool fake_suspend(void *self, const struct job *job, bool on, struct err *err)
{
	struct fake *f = self;
	struct ending e;
	bool dropped;

	if (job_is_leaving(job)) /* its end is already in the queue */
		return true;
	dropped = ends_drop(&f->ends, job->id);
	if (on) /* a job that still waits for processors to resume has no end */
		return dropped || job_is_released(job) ||
		       err_set(err, "job %" PRIu64 " does not run on this cluster", job->id);
	e = ending_of(job, job->start_s);
	ends_add(&f->ends, &e);
	return true;
}

/* A simulated job handles no signals: it is ended by every signal whose default action ends a process. */
static bool fake_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err)
{
	bool ends = number == SIGTERM || number == SIGKILL || number == SIGINT;

	return !ends || fake_cancel(self, job, now_s, err);
}

static int fake_fd(const void *self)
{
	(void)self;
	return -1;
}

static void adopt_running(struct fake *f, const struct snapshot *s)
{
	ends_clear(&f->ends);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];
		struct ending e = (job->flags & JOB_CANCELLED) != 0 ? cancelled_at(job->id, s->now_s)
								    : ending_of(job, job->start_s);

		if (!job_is_suspended(job) || (job->flags & JOB_CANCELLED) != 0)
			ends_add(&f->ends, &e);
	}
}

static bool fake_adopt(void *self, const struct snapshot *s, struct err *err)
{
	struct fake *f = self;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (job->true_run_s < 0)
			return err_set(
				err,
				"job %" PRIu64
				" is a real job that is running; a simulated cluster cannot take it over",
				job->id);
	}
	adopt_running(f, s);
	f->arrivals.ops->adopt(f->arrivals.self, s);
	return true;
}

static void fake_close(void *self)
{
	struct fake *f = self;

	f->arrivals.ops->close(f->arrivals.self);
	ends_clear(&f->ends);
	arena_free(&f->arena);
	free(f);
}

static const struct rm_ops fake_ops = {
	.name = "fake",
	.nodes = fake_nodes,
	.next_s = fake_next_s,
	.poll = fake_poll,
	.start = fake_start,
	.cancel = fake_cancel,
	.suspend = fake_suspend,
	.signal = fake_signal,
	.fd = fake_fd,
	.adopt = fake_adopt,
	.close = fake_close,
};

static void keep_nodes(struct fake *f)
{
	uint32_t count = f->cluster.nodes;
	struct node_record *kept = arena_copy(&f->arena, f->cluster.node, count * sizeof *kept);

	for (uint32_t i = 0; kept != NULL && i < count; i++) {
		kept[i].name = arena_string(&f->arena, kept[i].name);
		kept[i].partition = arena_string(&f->arena, kept[i].partition);
		kept[i].features = arena_string(&f->arena, kept[i].features);
		kept[i].classes = arena_string(&f->arena, kept[i].classes);
		kept[i].gres = arena_string(&f->arena, kept[i].gres);
	}
	f->cluster.node = kept;
}

struct rm fake_new(const struct fake_cluster *cluster, struct arrivals arrivals)
{
	struct fake *f = mem_zero(1, sizeof *f);

	f->cluster = *cluster;
	keep_nodes(f);
	f->arrivals = arrivals;
	return (struct rm){&fake_ops, f};
}
