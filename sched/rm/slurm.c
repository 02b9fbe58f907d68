/* SPDX-License-Identifier: MIT */
/*
 * slurm.c - Slurm as a resource manager that is watched
 */
#include "slurm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/trace/slurm_compare.h"

struct slurm {
	struct slurm_query *query;
	struct slurm_cluster cluster;
	struct slurm_memory memory;
	bool fresh;         /* the cluster was read and not yet compared */
	struct err fault;   /* what is wrong; empty = nothing */
	struct err refused; /* why the first report of a comparison was refused; empty = none was */
	int64_t every_s;    /* time between two questions */
	int64_t due_s;      /* time of the next question; TIME_NONE: at once */
	int64_t now_s;      /* time of the last poll; before the first one, time of the start */
	bool running;
};

/* In a new store, the first report gives the state a time: until Slurm answers, nothing else would. */
static void slurm_nodes(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	struct event unread = {
		.kind = EVENT_FAULT, .who = "sched", .fault.text = "Slurm has not answered yet"};
	struct slurm *m = self;

	unread.time_s = m->now_s;
	if (s->now_s == TIME_NONE)
		report(to, &unread);
	m->every_s = s->policy.poll_interval_s > 0 ? s->policy.poll_interval_s : 1;
	if (m->due_s != TIME_NONE && m->due_s > m->now_s + m->every_s)
		m->due_s = m->now_s + m->every_s;
}

/* Returns TIME_NONE, which is earlier than every time, before the first poll: then a poll is due at once. */
static int64_t slurm_next_s(const void *self)
{
	const struct slurm *m = self;

	return m->running ? m->now_s + 1 : m->due_s;
}

static void take_answer(struct slurm *m, enum slurm_query_state state)
{
	if (state == QUERY_FAILED)
		err_set(&m->fault, "%s", slurm_query_fault(m->query));
	else if (slurm_query_read(m->query, &m->cluster, &m->fault))
		m->fault = (struct err){{0}};
	m->fresh = m->fault.text[0] == '\0';
}

static void slurm_poll(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct slurm *m = self;
	enum slurm_query_state state;
	int left_ms;

	(void)report;
	(void)to;
	m->now_s = now_s;
	if (!m->running && (m->due_s == TIME_NONE || now_s >= m->due_s)) {
		slurm_query_begin(m->query);
		m->running = true;
		m->due_s = now_s + m->every_s;
	}
	if (!m->running)
		return;
	state = slurm_query_turn(m->query, &left_ms);
	m->running = state == QUERY_RUNNING;
	if (!m->running)
		take_answer(m, state);
}

/* Returns the last part of a sentence: the words of the command, without its name. */
static const char *tail_of(const char *fault)
{
	const char *colon = strrchr(fault, ':');

	return colon != NULL ? colon : fault;
}

/*
 * Do both sentences give the same reason? The name of the command is ignored, because at each poll another of
 * the four commands may be the first to fail.
 */
static bool is_same_fault(const char *a, const char *b)
{
	return (a[0] == '\0') == (b[0] == '\0') && strcmp(tail_of(a), tail_of(b)) == 0;
}

/* Reports the sentence about what is wrong if it differs from that in the state. */
static void tell_fault(struct slurm *m, const struct state *st, int64_t now_s, rm_report *report, void *to)
{
	const struct snapshot *s = state_view(st);
	const char *fault = m->fault.text[0] != '\0' ? m->fault.text : m->refused.text;
	struct event ev = {.kind = EVENT_FAULT, .time_s = now_s, .who = "sched"};

	if (is_same_fault(snapshot_string(s, s->watch_fault), fault))
		return;
	ev.fault.text = fault[0] != '\0' ? fault : NULL;
	report(to, &ev);
}

static void slurm_compare_state(void *self, const struct state *st, int64_t now_s, rm_report *report,
				void *to)
{
	struct slurm *m = self;

	if (m->fresh) {
		m->refused = (struct err){{0}};
		slurm_compare(&m->memory, &m->cluster, st, now_s, report, to);
		m->fresh = false;
	}
	if (!m->running)
		tell_fault(m, st, now_s, report, to);
}

static void slurm_note_refused(void *self, const struct event *ev, const struct err *why)
{
	struct slurm *m = self;

	(void)ev;
	m->memory.map.notes.count[NOTE_REFUSED]++;
	if (m->refused.text[0] == '\0')
		err_set(&m->refused, "a report about Slurm could not be used: %s", why->text);
}

static void slurm_set_clock(void *self, int64_t by_s)
{
	struct slurm *m = self;

	time_move(&m->due_s, by_s);
	time_move(&m->now_s, by_s);
	if (m->memory.polled_s != 0)
		m->memory.polled_s += by_s;
}

/* --- actions, which are all refused -------------------------------------------------------------------- */

static bool refuse(struct err *err)
{
	return err_set(err, "Slurm decides; this scheduler only watches it (mode = shadow)");
}

static bool slurm_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err)
{
	(void)self;
	(void)start;
	(void)now_s;
	return refuse(err);
}

static bool slurm_cancel(void *self, const struct job *job, int64_t now_s, struct err *err)
{
	(void)self;
	(void)job;
	(void)now_s;
	return refuse(err);
}

static bool slurm_suspend(void *self, const struct job *job, bool on, struct err *err)
{
	(void)self;
	(void)job;
	(void)on;
	return refuse(err);
}

static bool slurm_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err)
{
	(void)self;
	(void)job;
	(void)number;
	(void)now_s;
	return refuse(err);
}

/* --- life cycle --------------------------------------------------------------------------------------- */

static int slurm_fd(const void *self)
{
	return slurm_query_fd(((const struct slurm *)self)->query);
}

/*
 * Takes over a store with jobs of Slurm. Refuses a store with jobs of another manager, because these would
 * seem to have left Slurm.
 */
static bool slurm_adopt(void *self, const struct snapshot *s, struct err *err)
{
	struct slurm *m = self;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		if (job->state != JOB_NONE && job->described == 0)
			return err_set(
				err,
				"the store has job %" PRIu64
				", which is not a job of Slurm; use a separate store for manager = slurm",
				job->id);
	}
	/*
	 * Jobs that ended before the last event have already been reported. With an empty store, no job has
	 * been reported (0).
	 */
	m->memory.polled_s = snapshot_count(s, TABLE_NODES) > 0 && s->now_s != TIME_NONE ? s->now_s : 0;
	return true;
}

static void slurm_close(void *self)
{
	struct slurm *m = self;

	slurm_query_free(m->query);
	slurm_cluster_free(&m->cluster);
	slurm_memory_free(&m->memory);
	free(m);
}

static const struct rm_ops slurm_ops = {
	.name = "slurm",
	.nodes = slurm_nodes,
	.next_s = slurm_next_s,
	.poll = slurm_poll,
	.compare = slurm_compare_state,
	.note_refused = slurm_note_refused,
	.set_clock = slurm_set_clock,
	.start = slurm_start,
	.cancel = slurm_cancel,
	.suspend = slurm_suspend,
	.signal = slurm_signal,
	.fd = slurm_fd,
	.adopt = slurm_adopt,
	.adopts_again = true,
	.close = slurm_close,
};

struct rm slurm_new(const struct slurm_setup *setup, int64_t now_s, struct err *err)
{
	struct slurm *m = mem_zero(1, sizeof *m);

	m->due_s = TIME_NONE;
	m->now_s = now_s;
	m->every_s = 1;
	m->query = slurm_query_new(setup, err);
	if (m->query != NULL)
		return (struct rm){.ops = &slurm_ops, .self = m};
	slurm_close(m);
	return (struct rm){.ops = NULL};
}
