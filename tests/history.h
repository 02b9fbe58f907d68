/* SPDX-License-Identifier: MIT */
/*
 * history.h - random histories of a cluster, step by step
 *
 * Each step has some events that the state has accepted, and the jobs that ended, in the form that a ledger
 * commits. Every kind of event occurs; refused events are omitted.
 */
#ifndef TESTS_HISTORY_H
#define TESTS_HISTORY_H

#include <stdio.h>
#include <stdlib.h>

#include "sched/base/arena.h"
#include "sched/base/rng.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "sched/host/ledger.h"
#include "sched/state/event.h"

struct history {
	struct rng rng;
	struct state *st;
	int64_t now_s;
	struct arena arena; /* texts of the current step */
	struct event *event;
	size_t event_count, event_room;
	struct ended_job *ended;
	size_t ended_count, ended_room;
	uint64_t count[EVENT_KIND_COUNT]; /* events of each kind so far */
};

static inline void history_begin(struct history *h, uint64_t seed)
{
	*h = (struct history){.st = state_new(), .now_s = 1774368000};
	rng_seed(&h->rng, seed);
}

static inline void history_end(struct history *h)
{
	state_free(h->st);
	arena_free(&h->arena);
	free(h->event);
	free(h->ended);
}

static inline uint32_t history_below(struct history *h, uint32_t limit)
{
	return (uint32_t)rng_below(&h->rng, limit);
}

static inline const char *history_pick(struct history *h, const char *const *from, uint32_t count)
{
	return from[history_below(h, count)];
}

#define HISTORY_PICK(h, list) history_pick((h), (list), (uint32_t)(sizeof(list) / sizeof *(list)))

/* Applies an event to the state and adds it to the step; false if the event is refused. */
static inline bool history_apply(struct history *h, struct event *ev)
{
	ev->time_s = h->now_s;
	ev->who = ev->who ? ev->who : "eva";
	if (!event_check(h->st, ev, NULL))
		return false;
	h->ended = vec_room(h->ended, &h->ended_room, h->ended_count + 1, sizeof *h->ended);
	h->ended_count += ended_job_of_event(&h->arena, h->st, ev, &h->ended[h->ended_count]);
	if (!event_apply(h->st, ev, NULL))
		abort();
	h->event = vec_room(h->event, &h->event_room, h->event_count + 1, sizeof *h->event);
	h->event[h->event_count++] = event_copy(&h->arena, ev);
	h->count[ev->kind]++;
	return true;
}

static inline void history_config(struct history *h)
{
	struct str text = {0};
	struct event ev = {.kind = EVENT_CONFIG};

	str_addf(&text, "queuetimeweight = %u\nxfactorweight = %u\n", history_below(h, 9),
		 history_below(h, 99));
	str_addf(&text, "user john { priority = %d }\n", (int)history_below(h, 100) - 50);
	str_addf(&text, "qos hi { priority = %u qttarget = 2h }\n", history_below(h, 100));
	if (history_below(h, 2))
		str_addf(&text, "partition night { xfactorweight = %u }\n", history_below(h, 50));
	if (history_below(h, 2))
		str_addf(&text, "reservationpolicy = highest\n");
	if (history_below(h, 2))
		str_addf(&text, "fspolicy = dedicatedpes\nfsinterval = %u:00\n", 1 + history_below(h, 20));
	str_addf(&text, "defercount = %u\nuser eva { qlist = {\"hi\"} qdef = \"long\" maxjob = {\"%u\"} }\n",
		 history_below(h, 4), 1 + history_below(h, 9));
	str_addf(&text, "class long { default.features = \"fast\" default.wclimit = 2h }\n");
	for (uint32_t i = 0; i < history_below(h, 4); i++)
		str_addf(&text, "node c%u { procs = %u mem = 2gb }\n", i, 4 + history_below(h, 5));
	ev.config.file = "kahu.conf";
	ev.config.text = str_text(&text);
	history_apply(h, &ev);
	str_free(&text);
}

static inline void history_node(struct history *h)
{
	static const char *const partition[] = {NULL, "night", "day"};
	static const char *const features[] = {NULL, "fast", "fast tape", "tape big"};
	static const char *const classes[] = {NULL, NULL, "long staff hi"};
	char name[16];
	struct event ev = {.kind = EVENT_NODE, .who = "sched"};

	snprintf(name, sizeof name, "n%u", history_below(h, 8));
	ev.node.name = name;
	ev.node.partition = HISTORY_PICK(h, partition);
	ev.node.procs = 16; /* never fewer than running jobs use */
	ev.node.mem_mb = history_below(h, 4) * 1024;
	ev.node.swap_mb = history_below(h, 1000);
	ev.node.features = HISTORY_PICK(h, features);
	ev.node.classes = HISTORY_PICK(h, classes);
	ev.node.gres = "gpu:4 licence:2";
	ev.node.speed = history_below(h, 3);
	ev.node.access = (uint8_t)(history_below(h, 5) ? ACCESS_UNSET : history_below(h, 5));
	ev.node.used = NODE_NOT_MEASURED;
	history_apply(h, &ev);
}

static inline void history_sim(struct history *h)
{
	struct event ev = {.kind = EVENT_SIM, .who = "sched"};

	ev.sim = (struct sim_origin){.seed = rng_u64(&h->rng),
				     .next_index = history_below(h, 1000),
				     .job_limit = history_below(h, 5),
				     .load_pct = history_below(h, 120),
				     .last_s = history_below(h, 100000),
				     .active = history_below(h, 2)};
	history_apply(h, &ev);
}

/* A submission, or with a job the description of this job by a manager that decides by itself. */
static inline void history_request(struct history *h, uint64_t job)
{
	static const char *const user[] = {"john", "eva", "li", "ana", "zo\xc3\xab"};
	static const char *const other[] = {NULL, "staff", "hi", "long"};
	static const char *const partition[] = {NULL, "night", "day", "ALL"};
	static const char *const name[] = {NULL, "cfd", "a job with a rather long name", "x"};
	static const char *const features[] = {NULL, NULL, NULL, "fast", "tape"};
	static const char *const gres[] = {NULL, NULL, NULL, "gpu:1", "licence gpu:2"};
	struct event ev = {.kind = job != 0 ? EVENT_DESCRIBE : EVENT_SUBMIT, .job = job, .who = "sched"};
	struct job_record *r = &ev.submit;
	struct depend depend = {.type = (uint8_t)history_below(h, DEPEND_TYPE_COUNT)};
	struct array_range range[] = {{0, history_below(h, 4), 1}, {7, 9, 2}};

	r->job = (struct job){.submit_s = h->now_s - history_below(h, 50),
			      .not_before_s = history_below(h, 5) ? TIME_NONE : h->now_s + 60,
			      .wall_limit_s = 60 + history_below(h, 36000),
			      .true_run_s = 1 + history_below(h, 3600),
			      .mem_mb = history_below(h, 100),
			      .tasks = 1 + history_below(h, 12),
			      .task_procs = 1 + history_below(h, 2),
			      .base_holds = history_below(h, 5) ? 0 : (uint8_t)history_below(h, 8)};
	r->cred[CRED_USER] = HISTORY_PICK(h, user);
	for (int type = CRED_GROUP; type < CRED_TYPE_COUNT; type++)
		r->cred[type] = HISTORY_PICK(h, other);
	r->partition = HISTORY_PICK(h, partition);
	r->name = HISTORY_PICK(h, name);
	r->label = HISTORY_PICK(h, name);
	r->features = HISTORY_PICK(h, features);
	r->prefer = HISTORY_PICK(h, features);
	r->gres = HISTORY_PICK(h, gres);
	r->job.tasks_per_node = history_below(h, 5) ? 0 : 2;
	r->job.access = (uint8_t)(history_below(h, 6) ? ACCESS_UNSET : history_below(h, 5));
	if (history_below(h, 2)) {
		r->job.real = JOB_REAL_LAUNCH | (history_below(h, 2) ? JOB_REAL_RERUN : 0);
		r->launch = "what\0ever";
		r->launch_size = history_below(h, 10);
	}
	depend.on = history_below(h, 4) ? 0 : 1 + rng_below(&h->rng, state_view(h->st)->next_job_id);
	depend.of = (uint8_t)(history_below(h, 2) ? DEPEND_ON_JOB : history_below(h, DEPEND_OF_COUNT));
	depend.number = depend.of == DEPEND_ON_TASK ? history_below(h, 4) : 0;
	r->depend = &depend;
	r->depend_count = depend.on != 0;
	r->job.base_points = history_below(h, 5) ? 0 : (int32_t)history_below(h, 200) - 100;
	if (history_below(h, 6) == 0) {
		r->ranges = range;
		r->range_count = 1 + history_below(h, 2);
		r->job.array_limit = history_below(h, 3);
	}
	if (job != 0) {
		r->job.real = 0;
		r->launch = NULL;
		r->launch_size = r->range_count = r->job.array_limit = 0;
		r->said = "Priority";
		r->job.described = rng_u64(&h->rng) | 1;
		r->job.expected_s = h->now_s + history_below(h, 1000);
	}
	history_apply(h, &ev);
}

static inline void history_submit(struct history *h)
{
	history_request(h, 0);
}

/* The ID of a random idle or running job; 0 if there is none. */
static inline uint64_t history_job(struct history *h, bool running)
{
	const struct snapshot *s = state_view(h->st);
	uint32_t count = snapshot_count(s, running ? TABLE_RUNNING : TABLE_WAITING);
	uint32_t i = count ? history_below(h, count) : 0;

	if (count == 0)
		return 0;
	return snapshot_jobs(s)[running ? snapshot_running(s)[i] : snapshot_waiting(s)[i].slot].id;
}

/* Number of the job's tasks that fit on a node, at most `most`; *run is their allocation, of the whole node
 * if necessary. */
static inline uint32_t history_fit(const struct history *h, const struct job *job, uint32_t node,
				   uint32_t most, struct alloc_run *run)
{
	uint32_t procs = snapshot_nodes(state_view(h->st))[node].procs;
	struct job part = *job;

	for (part.tasks = most; part.tasks > 0; part.tasks--)
		for (int whole = 0; whole < 2; whole++) {
			*run = (struct alloc_run){.node = node, .nodes = 1, .tasks = part.tasks};
			run->procs = whole ? procs : part.tasks * job->task_procs;
			if (state_check_runs(h->st, &part, run, 1, NULL))
				return part.tasks;
		}
	return 0;
}

#define HISTORY_RUNS 64

/* Places the tasks of a job on the first nodes where they fit, and returns the number of runs. */
static inline uint32_t history_place(struct history *h, uint64_t id,
				     struct alloc_run run[static HISTORY_RUNS])
{
	const struct snapshot *s = state_view(h->st);
	const struct job *job = &snapshot_jobs(s)[state_find(h->st, id)];
	uint32_t missing = job->tasks, count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES) && missing > 0 && count < HISTORY_RUNS; i++) {
		uint32_t tasks = history_fit(h, job, i, missing, &run[count]);

		count += tasks > 0;
		missing -= tasks;
	}
	return count;
}

static inline void history_start(struct history *h)
{
	struct alloc_run run[HISTORY_RUNS];
	struct event ev = {.kind = EVENT_START, .who = "sched", .job = history_job(h, false)};

	if (ev.job == 0)
		return;
	ev.start.count = history_place(h, ev.job, run);
	ev.start.runs = run;
	ev.start.backfilled = history_below(h, 2);
	history_apply(h, &ev);
}

static inline void history_finish(struct history *h)
{
	static const char *const why[] = {NULL, "its shepherd was killed"};
	struct event ev = {.kind = EVENT_END, .who = "sched", .job = history_job(h, history_below(h, 3) > 0)};

	if (history_below(h, 8) == 0)
		ev.kind = EVENT_CANCEL;
	else
		ev.end.status = (int32_t)history_below(h, 3);
	if (ev.kind == EVENT_END) {
		ev.end.at_limit = history_below(h, 4) == 0;
		ev.end.has_used = history_below(h, 2);
		ev.end.used_ps = history_below(h, 100000);
		ev.end.lost = history_below(h, 4) == 0;
		ev.end.mem_mb = history_below(h, 100);
		ev.end.why = HISTORY_PICK(h, why);
	}
	if (ev.job)
		history_apply(h, &ev);
}

/* A job that waits for its processors is mostly resumed. A suspend mostly has no option for processors. */
static inline void history_suspend(struct history *h, struct event *ev)
{
	static const uint8_t how[] = {0, 0, SUSPEND_RELEASE, SUSPEND_RELEASE, SUSPEND_KEEP, SUSPEND_BY_OWNER};
	uint32_t slot = state_find(h->st, ev->job);

	if (slot != INDEX_NONE && job_awaits_resume(&snapshot_jobs(state_view(h->st))[slot]) &&
	    history_below(h, 4) > 0) {
		ev->suspend.how = SUSPEND_RESUMED;
		ev->who = "sched";
		return;
	}
	ev->suspend.on = history_below(h, 2);
	ev->suspend.how = ev->suspend.on ? how[history_below(h, sizeof how)] : 0;
	if (ev->suspend.on && history_below(h, 3) == 0)
		ev->until_s = h->now_s + 1 + history_below(h, 500);
}

/* A request for a running job. */
static inline void history_running(struct history *h)
{
	static const enum event_kind kinds[] = {EVENT_SUSPEND, EVENT_SUSPEND, EVENT_SIGNAL, EVENT_REQUEUE};
	struct event ev = {.kind = kinds[history_below(h, 4)], .job = history_job(h, true)};

	if (ev.kind == EVENT_SIGNAL)
		ev.signal.number = (uint8_t)(1 + history_below(h, EVENT_SIGNAL_MAX + 2));
	else
		history_suspend(h, &ev);
	history_apply(h, &ev);
}

static inline void history_modify(struct history *h)
{
	static const struct {
		const char *name, *value;
	} set[] = {
		{"qos", "hi"},
		{"qos", ""},
		{"walltime", "2:00:00"},
		{"starttime", "+10:00"},
		{"features", "big"},
		{"features", ""},
		{"prefer", "tape"},
		{"nodes", "2"},
		{"gres", "gpu:3"},
		{"mem", "4gb"},
		{"swap", "0"},
		{"access", "singlejob"},
		{"tpn", "2"},
		{"partition", "day"},
		{"hosts", "n1 n2 n3"},
		{"nallocpolicy", "fastest"},
		{"nonsense", "1"},
	};
	uint32_t i = history_below(h, sizeof set / sizeof set[0] + 2);
	struct event ev = {.kind = EVENT_MODIFY, .job = history_job(h, false)};
	char text[64];

	if (i < sizeof set / sizeof set[0]) {
		ev.modify.name = set[i].name;
		ev.modify.value = set[i].value;
	} else {
		snprintf(text, sizeof text, "afterok:%llu,afterany:%llu",
			 (unsigned long long)history_job(h, true), (unsigned long long)history_job(h, false));
		ev.modify.name = "depend";
		ev.modify.value = text;
	}
	history_apply(h, &ev);
}

static inline void history_reserve(struct history *h)
{
	static const char *const name[] = {"maint", "eva.1", "disks", "li.1"};
	static const char *const what[] = {"nodes=ALL", "node=n1", "node=n2*3 node=n3", "node=c0"};
	static const char *const whom[] = {"", " user=eva", " group=staff job=3",
					   " qos=hi class=long reason=a day"};
	struct event ev = {.kind = history_below(h, 3) ? EVENT_RESERVE : EVENT_UNRESERVE};
	char text[160];

	snprintf(text, sizeof text, "start=%lld end=%lld %s%s", (long long)h->now_s,
		 (long long)h->now_s + history_below(h, 3000), HISTORY_PICK(h, what), HISTORY_PICK(h, whom));
	ev.reserve.name = HISTORY_PICK(h, name);
	ev.reserve.text = ev.kind == EVENT_RESERVE ? text : NULL;
	history_apply(h, &ev);
}

static inline void history_operator(struct history *h)
{
	static const char *const name[] = {"queuetimeweight", "xfactorweight", "user[john].priority",
					   "partition[day].queuetimeweight", "nonsense"};
	static const char *const why[] = {NULL, "the owner is asked", "too much memory"};
	struct event ev = {.kind = EVENT_HOLD, .job = history_job(h, false)};
	char value[16];
	bool many = snapshot_count(state_view(h->st), TABLE_CHANGES) > 60;

	if (history_below(h, 3) == 0) {
		ev.until_s = h->now_s + 1 + history_below(h, 500);
		ev.why = "to see what comes of it";
	}

	snprintf(value, sizeof value, "%u", history_below(h, 500));
	switch (history_below(h, many ? 3 : 4)) {
	case 0:
		ev.hold.bits = (uint8_t)(1 + history_below(h, 7));
		ev.hold.on = history_below(h, 2);
		ev.hold.reason = HISTORY_PICK(h, why);
		break;
	case 1:
		ev.kind = EVENT_PRIORITY;
		ev.priority.adjust = (uint8_t)history_below(h, 3);
		ev.priority.points = (int64_t)history_below(h, 1000);
		break;
	case 2:
		history_modify(h);
		return;
	default:
		ev.kind = EVENT_SETTING;
		ev.job = 0;
		ev.setting.name = HISTORY_PICK(h, name);
		ev.setting.value = value;
	}
	history_apply(h, &ev);
}

static inline void history_undo(struct history *h)
{
	const struct snapshot *s = state_view(h->st);
	uint32_t count = snapshot_count(s, TABLE_CHANGES);
	struct event ev = {.kind = EVENT_UNDO};

	if (count == 0)
		return;
	ev.undo.seq = snapshot_changes(s)[history_below(h, count)].seq;
	if (history_below(h, 3) == 0)
		ev.kind = EVENT_KEEP; /* refused for a permanent change */
	history_apply(h, &ev);
}

static inline void history_plan(struct history *h)
{
	struct event ev = {.kind = EVENT_PLAN, .who = "sched", .job = history_job(h, false)};
	struct alloc_run run[HISTORY_RUNS];

	ev.plan.start_s = history_below(h, 3) ? h->now_s + history_below(h, 9999) : TIME_NEVER;
	if (ev.job != 0 && ev.plan.start_s != TIME_NEVER && history_below(h, 2)) {
		ev.plan.count = history_place(h, ev.job, run);
		ev.plan.runs = run;
	}
	history_apply(h, &ev);
}

static inline void history_defer(struct history *h)
{
	static const char *const why[] = {NULL, "no room", "its start failed"};
	struct event ev = {.kind = EVENT_DEFER, .who = "sched"};

	ev.defer.failed_start = history_below(h, 3) == 0;
	ev.job = history_job(h, ev.defer.failed_start);
	ev.defer.until_s = history_below(h, 4) ? h->now_s + history_below(h, 600) : TIME_NONE;
	ev.defer.retry = ev.defer.failed_start && ev.defer.until_s != TIME_NONE && history_below(h, 2);
	ev.defer.reason = HISTORY_PICK(h, why);
	history_apply(h, &ev);
}

static inline void history_pass(struct history *h)
{
	static const char *const order[] = {NULL, "n3 n1", "n2 n2"};
	struct event ev = {.kind = EVENT_PASS, .who = "sched"};
	struct bypassed passed;

	switch (history_below(h, 7)) {
	case 0:
		history_plan(h);
		return;
	case 1:
		history_defer(h);
		return;
	case 2:
		ev.kind = EVENT_ACCRUAL;
		ev.job = history_job(h, false);
		ev.accrual.on = history_below(h, 2);
		break;
	case 3:
		ev.kind = EVENT_BYPASS;
		passed = (struct bypassed){.job = history_job(h, false), .by = 1 + history_below(h, 3)};
		ev.bypass.item = &passed;
		ev.bypass.count = passed.job != 0;
		break;
	case 4:
		ev.kind = EVENT_ELIGIBLE;
		ev.job = history_job(h, false);
		ev.eligible.on = history_below(h, 2);
		break;
	case 5:
		ev.kind = EVENT_ORDER;
		ev.job = history_job(h, false);
		ev.order.nodes = HISTORY_PICK(h, order);
		break;
	default:
		break;
	}
	history_apply(h, &ev);
}

/* A report of the resource manager, or an imported fairshare window. */
static inline void history_report(struct history *h)
{
	struct used_by used[] = {{CRED_USER, "eva", 1 + history_below(h, 99)}, {CRED_QOS, "hi", 7}};
	struct event ev = {.kind = EVENT_LOAD, .who = "sched"};
	char node[16];

	snprintf(node, sizeof node, "n%u", history_below(h, 8));
	switch (history_below(h, 3)) {
	case 0:
		ev.kind = EVENT_USED;
		ev.job = history_job(h, true);
		ev.used.ps = history_below(h, 100000);
		break;
	case 1:
		ev.kind = EVENT_USAGE;
		ev.usage = (struct usage_window){.begin_s = h->now_s - history_below(h, 9) * 3600,
						 .length_s = 3600,
						 .item = used,
						 .count = history_below(h, 3),
						 .total = 500};
		break;
	default:
		ev.load.node = node;
		ev.load.used = NODE_NOT_MEASURED;
		ev.load.used.load = history_below(h, 100) / 8.0;
		ev.load.used.mem_mb = history_below(h, 1000);
	}
	history_apply(h, &ev);
}

/* A manager that decides by itself has started a job, describes one, or cannot be read. */
static inline void history_manager(struct history *h)
{
	struct alloc_run run[HISTORY_RUNS];
	struct event ev = {.kind = EVENT_FAULT, .who = "sched"};
	uint64_t job = history_job(h, history_below(h, 4) == 0);
	const struct job *known = job == 0 ? NULL : &snapshot_jobs(state_view(h->st))[state_find(h->st, job)];

	switch (history_below(h, 3)) {
	case 0:
		ev.fault.text = history_below(h, 2) ? "Slurm cannot be read" : NULL;
		break;
	case 1:
		if (job != 0)
			history_request(h, job);
		return;
	default:
		if (job == 0 || known->state != JOB_IDLE)
			return;
		ev.kind = EVENT_START;
		ev.job = job;
		ev.start.count = history_place(h, job, run);
		ev.start.runs = run;
		ev.start.reported = true;
		ev.start.since_s = h->now_s - history_below(h, 100);
	}
	history_apply(h, &ev);
}

static inline void history_halt(struct history *h)
{
	struct event ev = {.kind = EVENT_HALT};

	ev.halt.on = history_below(h, 2);
	ev.halt.after = history_below(h, 3);
	history_apply(h, &ev);
}

/* Sets the clock by up to two hours forward or back. */
static inline void history_clock(struct history *h)
{
	struct event ev = {.kind = EVENT_CLOCK, .who = "sched"};

	ev.clock.by_s = (int64_t)history_below(h, 14401) - 7200;
	h->now_s += ev.clock.by_s;
	if (!history_apply(h, &ev))
		h->now_s -= ev.clock.by_s;
}

static inline void history_event(struct history *h)
{
	static void (*const frequent[])(struct history *) = {
		history_submit, history_submit,   history_submit,  history_submit,
		history_start,  history_start,    history_start,   history_finish,
		history_finish, history_operator, history_undo,    history_pass,
		history_pass,   history_report,   history_running, history_reserve,
	};
	static void (*const rare[])(struct history *) = {history_config,  history_config, history_node,
							 history_sim,     history_halt,   history_clock,
							 history_manager, history_manager};
	uint32_t first = snapshot_count(state_view(h->st), TABLE_WAITING) > 100
				 ? 4
				 : 0; /* enough jobs: submits no more */

	if (state_view(h->st)->seq == 0 || history_below(h, 20) == 0)
		rare[history_below(h, sizeof rare / sizeof rare[0])](h);
	else
		frequent[first + history_below(h, sizeof frequent / sizeof frequent[0] - first)](h);
}

/* Returns the next step, of at least 1 to `most` events. It is valid until the next call. */
static inline struct ledger_step history_step(struct history *h, uint32_t most)
{
	size_t wanted = 1 + history_below(h, most);

	h->event_count = h->ended_count = 0;
	arena_reset(&h->arena);
	state_clear_change_marks(h->st);
	h->now_s += history_below(h, 30);
	while (h->event_count < wanted)
		history_event(h);
	return (struct ledger_step){.event = h->event,
				    .event_count = h->event_count,
				    .ended = h->ended,
				    .ended_count = h->ended_count,
				    .after = state_view(h->st),
				    .changes = state_change_marks(h->st)};
}

#endif
