/* SPDX-License-Identifier: MIT */
/*
 * driven.h - a driver with a scripted resource manager and a ledger in memory
 *
 * The manager reports a list of events. It writes the texts of each report into one buffer, which it
 * overwrites immediately afterwards; the ledger (memory_ledger.h) checks what it is given.
 */
#ifndef TESTS_DRIVEN_H
#define TESTS_DRIVEN_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sched/host/driver.h"
#include "tests/memory_ledger.h"

/* --- scripted resource manager -------------------------------------------------------------------- */

struct reported {
	int64_t at_s;
	enum event_kind kind; /* SUBMIT, END, SIM */
	uint64_t job;
	const char *user;
	uint32_t procs;
	int64_t wall_limit_s;
};

struct manager {
	const struct reported *next;  /* ends with kind 0 */
	const struct reported *again; /* beginning of the list, for a manager that can adopt again */
	uint32_t nodes;               /* number of nodes with four processors each */
	char word[3][32];             /* overwritten after each report */
	struct str commands;          /* commands received: "start 1 at 10 on 0+1*4" */
	bool refuse_adopt, refuse_start, refuse_cancel;
	bool is_watched;      /* it decides by itself */
	bool short_of_memory; /* starts fail for a temporary reason */
	unsigned closed;
	int fd; /* > 0: the descriptor of manager_fd() */
};

static inline void manager_nodes(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	struct manager *m = self;

	(void)s;
	for (uint32_t i = 1; i <= m->nodes; i++) {
		struct event ev = {
			.kind = EVENT_NODE, .who = m->word[0], .node = {.name = m->word[1], .procs = 4}};

		strcpy(m->word[0], "sched");
		snprintf(m->word[1], sizeof m->word[1], "n%03u", i);
		report(to, &ev);
		memset(m->word, 'x', sizeof m->word);
	}
}

static inline int64_t manager_next_s(const void *self)
{
	const struct manager *m = self;

	return m->next && m->next->kind ? m->next->at_s : TIME_NEVER;
}

static inline void manager_report(struct manager *m, const struct reported *h, rm_report *report, void *to)
{
	struct event ev = {.kind = h->kind, .time_s = h->at_s, .job = h->job, .who = m->word[0]};

	snprintf(m->word[0], sizeof m->word[0], "%s", h->user ? h->user : "sched");
	snprintf(m->word[1], sizeof m->word[1], "name of %" PRIu64, h->job);
	if (h->kind == EVENT_SUBMIT)
		ev.submit = (struct job_record){
			.job = {.submit_s = h->at_s,
				.not_before_s = TIME_NONE,
				.wall_limit_s = h->wall_limit_s,
				.true_run_s = h->wall_limit_s,
				.tasks = h->procs,
				.task_procs = 1},
			.cred = {[CRED_USER] = m->word[0]},
			.name = m->word[1],
		};
	report(to, &ev);
	memset(m->word, 'x', sizeof m->word);
}

static inline void manager_poll(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct manager *m = self;

	for (; manager_next_s(m) <= now_s; m->next++)
		manager_report(m, m->next, report, to);
}

static inline bool manager_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err)
{
	const struct alloc_run *runs = start->runs;
	struct manager *m = self;

	if (m->refuse_start)
		return err_set(err, "node n001 does not answer");
	if (m->short_of_memory) {
		*start->passes = true;
		return err_set(err, "no process could be made: out of memory");
	}
	str_addf(&m->commands, "start %" PRIu64 " at %" PRId64 " on", start->job->id, now_s);
	for (uint32_t i = 0; i < start->run_count; i++)
		str_addf(&m->commands, " %u+%u*%u", runs[i].node, runs[i].nodes, runs[i].procs);
	if (start->launch != NULL)
		str_addf(&m->commands, " (%.*s)", (int)start->launch_size, (const char *)start->launch);
	str_add(&m->commands, "\n");
	return true;
}

static inline bool manager_suspend(void *self, const struct job *job, bool on, struct err *err)
{
	struct manager *m = self;

	if (m->refuse_cancel)
		return err_set(err, "node n001 does not answer");
	str_addf(&m->commands, "%s %" PRIu64 "\n", on ? "suspend" : "resume", job->id);
	return true;
}

static inline bool manager_signal(void *self, const struct job *job, int number, int64_t now_s,
				  struct err *err)
{
	struct manager *m = self;

	if (m->refuse_cancel)
		return err_set(err, "node n001 does not answer");
	str_addf(&m->commands, "signal %d to %" PRIu64 " at %" PRId64 "\n", number, job->id, now_s);
	return true;
}

static inline int manager_fd(const void *self)
{
	const struct manager *m = self;

	return m->fd > 0 ? m->fd : -1;
}

static inline bool manager_cancel(void *self, const struct job *job, int64_t now_s, struct err *err)
{
	struct manager *m = self;

	if (m->refuse_cancel)
		return err_set(err, "node n001 does not answer");
	str_addf(&m->commands, "cancel %" PRIu64 " at %" PRId64 "\n", job->id, now_s);
	return true;
}

static inline bool manager_adopt(void *self, const struct snapshot *s, struct err *err)
{
	struct manager *m = self;

	/* Reports the events after the time of the state again. */
	if (m->again != NULL)
		for (m->next = m->again; m->next->kind != 0 && m->next->at_s <= s->now_s; m->next++)
			continue;
	return !m->refuse_adopt || err_set(err, "the cluster does not answer");
}

static inline void manager_close(void *self)
{
	struct manager *m = self;

	m->closed++;
}

/* Nothing ever changes in the watched manager. */
static inline void manager_compare(void *self, const struct state *st, int64_t now_s, rm_report *report,
				   void *to)
{
	(void)self;
	(void)st;
	(void)now_s;
	(void)report;
	(void)to;
}

static inline struct rm manager_rm(struct manager *m)
{
	static struct rm_ops ops = {
		.name = "list",
		.nodes = manager_nodes,
		.next_s = manager_next_s,
		.poll = manager_poll,
		.start = manager_start,
		.cancel = manager_cancel,
		.suspend = manager_suspend,
		.signal = manager_signal,
		.fd = manager_fd,
		.adopt = manager_adopt,
		.close = manager_close,
	};

	ops.adopts_again = m->again != NULL;
	ops.compare = m->is_watched ? manager_compare : NULL;
	return (struct rm){.ops = &ops, .self = m};
}

/* --- driver, manager and ledger ------------------------------------------------------------------- */

/* The events that the driver passed to its watch. */
struct watched {
	struct str text; /* one line an event: "3 submit 1 at 10 by u1" */
	unsigned count;
};

static inline void driven_watch(void *self, const struct event *ev, const struct snapshot *after)
{
	struct watched *w = self;

	assert_int_equal(after->seq, ev->seq);
	assert_int_equal(after->now_s, ev->time_s);
	str_addf(&w->text, "%" PRIu64 " %s %" PRIu64 " at %" PRId64 " by %s\n", ev->seq,
		 event_kind_name(ev->kind), ev->job, ev->time_s, ev->who);
	w->count++;
}

struct driven {
	struct manager manager;
	struct memory_ledger ledger;
	struct watched watched;
	struct driver *driver;
};

static inline void driven_begin(struct driven *s, const struct reported *list)
{
	struct err err;

	*s = (struct driven){.manager = {.next = list, .nodes = 1}};
	memory_begin(&s->ledger);
	s->driver = driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), &err);
	if (!s->driver)
		fail_msg("%s", err.text);
	driver_set_watch(s->driver, driven_watch, &s->watched);
}

static inline void driven_end(struct driven *s)
{
	struct err err;

	if (!state_check(driver_state(s->driver), &err))
		fail_msg("%s", err.text);
	driver_free(s->driver);
	assert_int_equal(s->manager.closed, 1);
	if (s->ledger.fault.text[0])
		fail_msg("%s", s->ledger.fault.text);
	memory_end(&s->ledger);
	str_free(&s->manager.commands);
	str_free(&s->watched.text);
}

static inline void driven_step(struct driven *s, int64_t now_s)
{
	struct err err;

	if (!driver_step(s->driver, now_s, &err))
		fail_msg("%s", err.text);
}

static inline struct event hold_of(uint64_t job, bool on)
{
	return (struct event){
		.kind = EVENT_HOLD, .job = job, .who = "ann", .hold = {.bits = JOB_HOLD_USER, .on = on}};
}

static inline struct driver_stats driven_stats(const struct driven *s)
{
	struct driver_stats stats;

	driver_get_stats(s->driver, &stats);
	return stats;
}

/* Two jobs that fill the node, one after the other. */
static const struct reported two_jobs[] = {
	{10, EVENT_SUBMIT, 1, "u1", 4, 100},
	{20, EVENT_SUBMIT, 2, "u2", 4, 100},
	{60, EVENT_END, 1, NULL, 0, 0},
	{0},
};

/* As driven_begin(), with a manager that can adopt again: the driver can reload its state. */
static inline void driven_begin_reloadable(struct driven *s, const struct reported *list)
{
	driven_begin(s, list);
	driver_free(s->driver);
	s->manager = (struct manager){.next = list, .again = list, .nodes = 1};
	s->driver = driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), NULL);
	s->manager.next = list;
	driver_set_watch(s->driver, driven_watch, &s->watched);
}

static inline void assert_as_stored(const struct driven *s)
{
	assert_int_equal(state_hash(driver_view(s->driver)), state_hash(state_view(s->ledger.st)));
}

#endif
