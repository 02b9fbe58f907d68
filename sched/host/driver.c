/* SPDX-License-Identifier: MIT */
/*
 * driver.c - one heartbeat: reports and requests -> events -> pass -> actions -> one commit
 *
 * Without a ledger nothing is kept of a step but the state: that is what makes a replay fast.
 */
#include "driver.h"

#include <stdlib.h>

#include "keep.h"
#include "sched/base/vec.h"
#include "sched/core/cycle.h"

struct driver {
	struct state *st;
	struct cycle *cycle;
	struct rm rm;
	struct ledger ledger;
	driver_watch *watch;
	void *watch_self;
	struct driver_stats stats;

	bool dirty;    /* something happened since the last pass           */
	int64_t due_s; /* when the last pass said to look again            */

	/* The step so far: kept only for a ledger. */
	struct arena arena;
	struct event *event;
	size_t event_count, event_room;
	struct ended_job *ended;
	size_t ended_count, ended_room;
	struct bypassed *bypassed; /* of the pass at hand */
	size_t bypassed_room;

	bool failed; /* a report or decision was refused: err has the first */
	struct err err;
};

/* --- applying --------------------------------------------------------------------------- */

/* Time does not go back: what comes late happens now. */
static struct event in_time(const struct state *st, const struct event *ev)
{
	struct event timely = *ev;

	if (timely.time_s < state_view(st)->now_s)
		timely.time_s = state_view(st)->now_s;
	return timely;
}

static void keep_end(struct driver *d, const struct event *ev)
{
	uint32_t slot = state_find(d->st, ev->job);

	if (d->ledger.ops == NULL || slot == INDEX_NONE)
		return;
	d->ended = vec_room(d->ended, &d->ended_room, d->ended_count + 1, sizeof *d->ended);
	d->ended[d->ended_count++] = (struct ended_job){
		.record = keep_job(&d->arena, state_view(d->st), slot),
		.end_s = ev->time_s,
		.status = ev->end.status,
		.at_limit = ev->end.at_limit,
	};
}

static void count_event(struct driver *d, const struct event *ev)
{
	d->stats.events++;
	d->stats.submitted += ev->kind == EVENT_SUBMIT;
	d->stats.ended += ev->kind == EVENT_END;
	if (ev->kind == EVENT_START) {
		d->stats.started++;
		d->stats.backfilled += ev->start.backfilled;
	}
}

static bool apply(struct driver *d, struct event *ev, struct err *err)
{
	if (ev->kind == EVENT_END)
		keep_end(d, ev);
	if (!event_apply(d->st, ev, err))
		return false;
	count_event(d, ev);
	if (d->ledger.ops != NULL) {
		d->event = vec_room(d->event, &d->event_room, d->event_count + 1, sizeof *d->event);
		d->event[d->event_count++] = keep_event(&d->arena, ev);
	}
	if (d->watch != NULL)
		d->watch(d->watch_self, ev, state_view(d->st));
	return true;
}

static void take_report(void *self, const struct event *reported)
{
	struct driver *d = self;
	struct event ev = in_time(d->st, reported);

	if (d->failed)
		return;
	/* Where a workload stands is no reason to look at the queue again. */
	d->dirty = d->dirty || ev.kind != EVENT_SIM;
	d->failed = !apply(d, &ev, &d->err);
}

static void forget_step(struct driver *d)
{
	d->event_count = d->ended_count = 0;
	arena_reset(&d->arena);
}

static bool commit(struct driver *d, struct err *err)
{
	struct ledger_step step = {
		.event = d->event,
		.event_count = d->event_count,
		.ended = d->ended,
		.ended_count = d->ended_count,
		.after = state_view(d->st),
	};
	bool ok = d->ledger.ops == NULL || d->event_count == 0 ||
		  d->ledger.ops->commit(d->ledger.self, &step, err);

	forget_step(d);
	return ok;
}

/* --- a pass -------------------------------------------------------------------------------- */

static void hash_number(uint64_t *h, uint64_t n)
{
	for (int i = 0; i < 8; i++)
		*h = (*h ^ ((n >> (8 * i)) & 0xff)) * UINT64_C(0x100000001b3);
}

static void hash_decision(struct driver *d, const struct event *ev)
{
	uint64_t *h = &d->stats.decisions_hash;

	hash_number(h, (uint64_t)ev->kind);
	hash_number(h, (uint64_t)ev->time_s);
	hash_number(h, ev->job);
	if (ev->kind == EVENT_PLAN)
		hash_number(h, (uint64_t)ev->plan.start_s);
	for (uint32_t i = 0; ev->kind == EVENT_START && i < ev->start.count; i++) {
		hash_number(h, ev->start.runs[i].node);
		hash_number(h, ev->start.runs[i].nodes);
		hash_number(h, ev->start.runs[i].procs);
	}
}

static struct event decision_event(const struct decision *decision, const struct cycle_result *result,
				   int64_t now_s)
{
	struct event ev = {.time_s = now_s, .job = decision->job, .who = "sched"};

	switch ((enum decision_kind)decision->kind) {
	case DECIDE_START:
		ev.kind = EVENT_START;
		ev.start.runs = result->runs + decision->first_run;
		ev.start.count = decision->run_count;
		ev.start.backfilled = decision->backfilled;
		break;
	case DECIDE_PLAN:
		ev.kind = EVENT_PLAN;
		ev.plan.start_s = decision->planned_s;
		ev.plan.runs = result->runs + decision->first_run;
		ev.plan.count = decision->run_count;
		break;
	case DECIDE_UNPLAN:
		ev.kind = EVENT_PLAN;
		ev.plan.start_s = TIME_NEVER;
		break;
	case DECIDE_ACCRUE:
	case DECIDE_PAUSE:
		ev.kind = EVENT_ACCRUAL;
		ev.accrual.on = decision->kind == DECIDE_ACCRUE;
		break;
	case DECIDE_PROMOTE:
	case DECIDE_DEMOTE:
		ev.kind = EVENT_ELIGIBLE;
		ev.eligible.on = decision->kind == DECIDE_PROMOTE;
		break;
	case DECIDE_BYPASS: /* many make one event: see bypass_event */
	case DECIDE_PASS:
		ev.kind = EVENT_PASS;
		break;
	}
	return ev;
}

/* All jobs that a pass passed by, as one event. They stand in a row from decision i on; *i goes past them. */
static struct event bypass_event(struct driver *d, const struct cycle_result *result, uint32_t *i,
				 int64_t now_s)
{
	struct event ev = {.time_s = now_s, .kind = EVENT_BYPASS, .who = "sched"};
	size_t count = 0;

	for (; *i < result->decision_count && result->decision[*i].kind == DECIDE_BYPASS; ++*i) {
		d->bypassed = vec_room(d->bypassed, &d->bypassed_room, count + 1, sizeof *d->bypassed);
		d->bypassed[count++] =
			(struct bypassed){.job = result->decision[*i].job, .by = result->decision[*i].count};
	}
	ev.bypass.item = d->bypassed;
	ev.bypass.count = (uint32_t)count;
	return ev;
}

static bool run_pass(struct driver *d, int64_t now_s, struct cycle_result *result, struct err *err)
{
	cycle_run(d->cycle, state_view(d->st), now_s, false, result);
	d->stats.passes++;
	d->due_s = result->next_due_s;
	d->dirty = false;
	for (uint32_t i = 0; i < result->decision_count;) {
		struct event ev = result->decision[i].kind == DECIDE_BYPASS
					  ? bypass_event(d, result, &i, now_s)
					  : decision_event(&result->decision[i++], result, now_s);

		if (!apply(d, &ev, err))
			return err_prefix(err, "the scheduler's own decision was refused");
		if (ev.kind == EVENT_START || ev.kind == EVENT_PLAN)
			hash_decision(d, &ev);
	}
	return true;
}

/* Only after the commit: what was started is known to have been decided. */
static bool tell_manager(struct driver *d, const struct cycle_result *result, int64_t now_s, struct err *err)
{
	if (d->rm.ops == NULL)
		return true;
	for (uint32_t i = 0; i < result->decision_count; i++) {
		const struct decision *decision = &result->decision[i];

		if (decision->kind == DECIDE_START &&
		    !d->rm.ops->start(d->rm.self, &snapshot_jobs(state_view(d->st))[decision->slot],
				      result->runs + decision->first_run, decision->run_count, now_s, err))
			return false;
	}
	return true;
}

bool driver_step(struct driver *d, int64_t now_s, struct err *err)
{
	struct cycle_result result = {0};

	if (d->rm.ops != NULL)
		d->rm.ops->poll(d->rm.self, now_s, take_report, d);
	if (d->failed)
		return err_set(err, "%s", d->err.text);
	if ((d->dirty || d->due_s <= now_s) && !run_pass(d, now_s, &result, err))
		return false;
	return commit(d, err) && tell_manager(d, &result, now_s, err);
}

/* --- requests ---------------------------------------------------------------------------------- */

/*
 * A single event is refused before it changes anything; several are tried on a copy, so that
 * nobody sees half of them.
 */
static bool would_apply(const struct driver *d, const struct event *ev, size_t count, struct err *err)
{
	struct state *trial;
	bool ok = true;

	if (count <= 1)
		return true;
	trial = state_from_snapshot(state_view(d->st));
	for (size_t i = 0; i < count && ok; i++) {
		struct event timely = in_time(trial, &ev[i]);

		ok = event_apply(trial, &timely, err);
	}
	state_free(trial);
	return ok;
}

enum driver_outcome driver_post(struct driver *d, struct event *ev, size_t count, struct err *err)
{
	if (!would_apply(d, ev, count, err))
		return DRIVER_REFUSED;
	for (size_t i = 0; i < count; i++) {
		struct event timely = in_time(d->st, &ev[i]);

		if (!apply(d, &timely, err)) {
			forget_step(d);
			return DRIVER_REFUSED;
		}
		ev[i] = timely;
	}
	d->dirty = true;
	return commit(d, err) ? DRIVER_DONE : DRIVER_FAILED;
}

/* --- making and asking ---------------------------------------------------------------------------- */

static void close_manager(struct rm *rm)
{
	if (rm->ops != NULL)
		rm->ops->close(rm->self);
	rm->ops = NULL;
}

/* A machine that is as it was reported before is not news. */
static void take_node(void *self, const struct event *reported)
{
	struct driver *d = self;
	const struct snapshot *s = state_view(d->st);
	struct event ev = *reported;
	const struct node *node = snapshot_nodes(s);
	uint32_t i = state_find_node(d->st, ev.node.name);

	if (i != INDEX_NONE && node[i].procs == ev.node.procs && node[i].mem_mb == ev.node.mem_mb)
		return;
	ev.time_s = s->now_s != TIME_NONE ? s->now_s : d->rm.ops->next_s(d->rm.self);
	if (ev.time_s == TIME_NEVER)
		ev.time_s = 0;
	take_report(self, &ev);
}

static bool take_over(struct driver *d, struct err *err)
{
	if (d->ledger.ops != NULL && !d->ledger.ops->load(d->ledger.self, d->st, err))
		return false;
	if (d->rm.ops != NULL) {
		if (!d->rm.ops->adopt(d->rm.self, state_view(d->st), err))
			return false;
		d->rm.ops->nodes(d->rm.self, take_node, d);
		if (d->failed)
			return err_set(err, "%s", d->err.text);
	}
	d->dirty = snapshot_count(state_view(d->st), TABLE_WAITING) > 0;
	return commit(d, err);
}

struct driver *driver_new(struct rm rm, struct ledger ledger, struct err *err)
{
	struct driver *d = mem_zero(1, sizeof *d);

	d->st = state_new();
	d->cycle = cycle_new();
	d->rm = rm;
	d->ledger = ledger;
	d->due_s = TIME_NEVER;
	d->stats.decisions_hash = UINT64_C(0xcbf29ce484222325);
	if (take_over(d, err))
		return d;
	driver_free(d);
	return NULL;
}

void driver_free(struct driver *d)
{
	if (d == NULL)
		return;
	close_manager(&d->rm);
	cycle_free(d->cycle);
	state_free(d->st);
	arena_free(&d->arena);
	free(d->event);
	free(d->ended);
	free(d->bypassed);
	free(d);
}

void driver_set_watch(struct driver *d, driver_watch *watch, void *self)
{
	d->watch = watch;
	d->watch_self = self;
}

const struct snapshot *driver_view(const struct driver *d)
{
	return state_view(d->st);
}

const struct state *driver_state(const struct driver *d)
{
	return d->st;
}

void driver_get_stats(const struct driver *d, struct driver_stats *out)
{
	*out = d->stats;
}

int64_t driver_next_s(const struct driver *d)
{
	int64_t next_s = d->dirty ? state_view(d->st)->now_s : d->due_s;
	int64_t manager_s = d->rm.ops == NULL ? TIME_NEVER : d->rm.ops->next_s(d->rm.self);

	return manager_s < next_s ? manager_s : next_s;
}
