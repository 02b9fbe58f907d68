/* SPDX-License-Identifier: MIT */
/*
 * rerun.c - what the journal tells once more: when is a pass made, and what comes before each entry?
 *
 * The entries drive the clock: before each the ends and, where passes fall when they are due, the passes that
 * come first. Within one moment entries keep their order, and a decision on record says that a pass was made
 * of what had happened until then.
 */
#include <stdlib.h>

#include "driver.h"
#include "fingerprint.h"
#include "rerun_inside.h"
#include "sched/base/vec.h"

/* Passes at one moment that start jobs make the next one due at once; more than this is a fault. */
#define PASSES_AT_ONCE 10000

/* --- passes and ends ------------------------------------------------------------------------------- */

static void move_to(struct rerun *r, int64_t now_s)
{
	const struct snapshot *s = state_view(r->st);
	double dt = (double)(now_s - r->now_s);

	r->busy_ps += dt * (double)s->procs_busy;
	r->there_ps += dt * (double)s->procs_total;
	r->now_s = now_s;
}

/* As many as the driver takes back at a step; false: there are more. */
static bool take_returns(struct rerun *r)
{
	struct event ev = {.time_s = r->now_s, .who = "sched"};
	uint32_t at = UINT32_MAX;

	for (unsigned taken = 0; event_returns(state_view(r->st), r->now_s, &at, &ev); taken++) {
		if (taken == DRIVER_RETURNS_MOST)
			return false;
		if (!event_apply(r->st, &ev, NULL))
			return true;
		r->ahead++;
	}
	return true;
}

static bool take_drops(struct rerun *r)
{
	struct event ev = {.time_s = r->now_s, .who = "sched"};
	char cause[EVENT_CAUSE_TEXT];
	uint32_t at = 0;

	for (unsigned taken = 0; event_drops(r->st, &at, &ev, cause); taken++) {
		if (taken == DRIVER_RETURNS_MOST)
			return false;
		if (!event_apply(r->st, &ev, NULL))
			return true;
		r->ahead++;
	}
	return true;
}

/* The scheduler's own decisions on its own state are never refused. */
static void take_decisions(struct rerun *r, const struct cycle_result *result)
{
	struct event ev = {.time_s = r->now_s, .who = "sched"};

	r->enact.result = result;
	r->enact.at = 0;
	while (enact_next(&r->enact, &ev)) {
		if (!event_apply(r->st, &ev, NULL))
			continue;
		r->ahead++;
		fingerprint_add(&r->hash, &ev);
		rerun_note(r, &ev);
	}
	if (event_counts_pass(state_view(r->st), &ev) && event_apply(r->st, &ev, NULL))
		r->ahead++;
}

static void pass(struct rerun *r)
{
	struct cycle_result result;
	bool all;

	r->at_once = r->last_pass_s == r->now_s ? r->at_once + 1 : 0;
	r->ahead = 0;
	all = take_returns(r);
	all = take_drops(r) && all;
	cycle_run(r->cycle, state_view(r->st), r->now_s, false, &result);
	r->passes++;
	take_decisions(r, &result);
	r->due_s = result.next_due_s;
	if (r->at_once > PASSES_AT_ONCE && r->due_s <= r->now_s)
		r->due_s = r->now_s + 1;
	r->last_pass_s = r->now_s;
	r->dirty = !all;
}

/* Of a job that was started anew, or asked to end before, an older end stands in the queue: it is over. */
static void take_ends(struct rerun *r)
{
	while (ends_next_s(&r->ends) <= r->now_s) {
		struct ending ending = ends_take(&r->ends);
		size_t place = rerun_place(r, ending.job);
		struct event ev = {.kind = EVENT_END,
				   .time_s = r->now_s,
				   .who = "sched",
				   .job = ending.job,
				   .end = {.status = ending.status, .at_limit = ending.at_limit}};

		if (r->end_s[place] != ending.end_s || !event_apply(r->st, &ev, NULL))
			continue;
		rerun_note(r, &ev);
		r->dirty = true;
	}
}

static int64_t next_s(const struct rerun *r)
{
	int64_t next_s = ends_next_s(&r->ends), due_s = r->dirty ? r->now_s : r->due_s;

	return r->pace == RERUN_WHEN_DUE && due_s < next_s ? due_s : next_s;
}

/* All that comes before a moment, and the ends at it. */
static void advance(struct rerun *r, int64_t to_s)
{
	for (int64_t at_s; (at_s = next_s(r)) < to_s;) {
		move_to(r, at_s > r->now_s ? at_s : r->now_s);
		take_ends(r);
		if (r->pace == RERUN_WHEN_DUE && (r->dirty || r->due_s <= r->now_s))
			pass(r);
	}
	move_to(r, to_s);
	take_ends(r);
}

/*
 * The pass that was made before the record begins decided all there was to decide; what fell due after it is
 * not on record, and whether a pass is due now is known from there alone. Another policy begins with one.
 */
static void begin(struct rerun *r, bool same_policy)
{
	int64_t before_s = state_view(r->st)->now_s; /* TIME_NONE: nothing has happened yet */

	r->dirty = r->pace == RERUN_WHEN_DUE;
	if (!same_policy || !r->dirty || before_s == TIME_NONE)
		return;
	r->now_s = before_s;
	pass(r);
	advance(r, r->record->from_s);
	r->busy_ps = r->there_ps = 0;
}

/* --- entries --------------------------------------------------------------------------------------- */

/* A start that its manager refused is tried again a while later, not at once; unless the job is deferred. */
static void look_again(struct rerun *r, const struct event *ev)
{
	bool failed_start = ev->kind == EVENT_DEFER && ev->defer.failed_start;
	int64_t poll_s = state_view(r->st)->policy.poll_interval_s, again_s;

	if (!failed_start || (ev->defer.until_s != TIME_NONE && !ev->defer.retry)) {
		r->dirty = true;
		return;
	}
	again_s = ev->defer.retry ? ev->defer.until_s : r->now_s + (poll_s > 0 ? poll_s : 1);
	if (again_s < r->due_s)
		r->due_s = again_s;
}

/*
 * The record tells of a pass. Of the last one made here, if it made as many decisions and nothing has
 * happened since; else of another one.
 */
static void decide_again(struct rerun *r, const struct event *ev)
{
	bool other = r->dirty || (r->ahead == 0 && r->due_s <= r->now_s) ||
		     (r->pace == RERUN_AS_RECORDED && r->last_pass_s != r->now_s);

	if (other)
		pass(r);
	if (r->ahead > 0)
		r->ahead--;
	if (ev->kind == EVENT_UNDO)
		rerun_note_return(r, ev);
}

bool rerun_take(struct rerun *r, const struct event *ev)
{
	if (ev->time_s > r->record->until_s)
		return false;
	advance(r, ev->time_s > r->now_s ? ev->time_s : r->now_s);
	if (rerun_is_decision(ev))
		decide_again(r, ev);
	else if (ev->seq != r->without && rerun_happens_again(r, ev) && rerun_do_again(r, ev))
		look_again(r, ev);
	return true;
}

void rerun_finish(struct rerun *r)
{
	advance(r, r->record->until_s > r->now_s ? r->record->until_s : r->now_s);
	while (r->pace == RERUN_WHEN_DUE && (r->dirty || r->due_s <= r->now_s))
		pass(r);
}

/* --- making ---------------------------------------------------------------------------------------- */

struct rerun *rerun_new(const struct rerun_setup *setup, struct err *err)
{
	struct rerun *r;

	/* Runs and waits of the record would mix moments of two clocks. */
	if (setup->record->clock != 0) {
		err_set(err,
			"entry %llu of the journal says that the system clock was set; events before and "
			"after "
			"it cannot be replayed together",
			(unsigned long long)setup->record->clock);
		return NULL;
	}
	r = mem_zero(1, sizeof *r);
	r->record = setup->record;
	r->pace = setup->pace;
	r->other_policy = setup->config_text != NULL;
	r->without = setup->without;
	r->clock = setup->clock;
	r->st = state_from_snapshot(setup->from);
	r->cycle = cycle_new();
	r->now_s = setup->record->from_s;
	r->due_s = TIME_NEVER;
	r->last_pass_s = TIME_NONE;
	r->hash = FINGERPRINT_BEGIN;
	rerun_make_fates(r);
	if (!rerun_configure(r, setup, err)) {
		rerun_free(r);
		return NULL;
	}
	begin(r, !r->other_policy && setup->set_count == 0);
	return r;
}

void rerun_free(struct rerun *r)
{
	if (r == NULL)
		return;
	enact_clear(&r->enact);
	free(r->fate);
	free(r->end_s);
	free(r->label);
	free(r->twin);
	ends_clear(&r->ends);
	arena_free(&r->arena);
	cycle_free(r->cycle);
	state_free(r->st);
	free(r);
}
