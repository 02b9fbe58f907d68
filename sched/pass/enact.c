/* SPDX-License-Identifier: MIT */
/*
 * enact.c - the events that carry out the decisions of a pass
 */
#include "enact.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/*
 * Sets *ev for a decision that makes an event of its own. Sets only the members of this kind of event: an
 * event is large, and a pass may have many.
 */
static void decision_event(const struct decision *decision, const struct cycle_result *result,
			   struct event *ev)
{
	ev->job = decision->job;
	switch ((enum decision_kind)decision->kind) {
	case DECIDE_RESUME:
		ev->kind = EVENT_SUSPEND;
		ev->suspend.on = false;
		ev->suspend.how = SUSPEND_RESUMED;
		break;
	case DECIDE_START:
		ev->kind = EVENT_START;
		ev->start.runs = result->runs + decision->first_run;
		ev->start.count = decision->run_count;
		ev->start.backfilled = decision->backfilled;
		break;
	case DECIDE_PLAN:
		ev->kind = EVENT_PLAN;
		ev->plan.start_s = decision->planned_s;
		ev->plan.runs = decision->run_count ? result->runs + decision->first_run : NULL;
		ev->plan.count = decision->run_count;
		break;
	case DECIDE_UNPLAN:
		ev->kind = EVENT_PLAN;
		ev->plan.start_s = TIME_NEVER;
		ev->plan.runs = NULL;
		ev->plan.count = 0;
		break;
	case DECIDE_ACCRUE: /* many of these make one event; see enact_next */
	case DECIDE_PAUSE:
	case DECIDE_PROMOTE:
	case DECIDE_DEMOTE:
	case DECIDE_BYPASS:
	case DECIDE_PASS:
		ev->kind = EVENT_PASS;
		break;
	}
}

/*
 * Makes one event for all jobs with the same kind of decision, which are consecutive from the next decision
 * on. Thousands of jobs may come within a limit at once, and each event is a record in the journal.
 */
static struct switched switch_all(struct enact *enact, struct event *ev)
{
	const struct decision *first = &enact->result->decision[enact->at++], *d;
	size_t count = 0;

	for (; enact->at < enact->result->decision_count; enact->at++) {
		d = &enact->result->decision[enact->at];
		if (d->kind != first->kind)
			break;
		enact->switched =
			vec_room(enact->switched, &enact->switched_room, count + 1, sizeof *enact->switched);
		enact->switched[count++] = d->job;
	}
	ev->job = first->job;
	return (struct switched){.on = first->kind == DECIDE_ACCRUE || first->kind == DECIDE_PROMOTE,
				 .more = enact->switched,
				 .more_count = (uint32_t)count};
}

/* Makes one event for all jobs that were bypassed; their decisions are consecutive from the next one on. */
static void bypass_event(struct enact *enact, struct event *ev)
{
	const struct cycle_result *result = enact->result;
	size_t count = 0;

	for (; enact->at < result->decision_count && result->decision[enact->at].kind == DECIDE_BYPASS;
	     enact->at++) {
		const struct decision *d = &result->decision[enact->at];

		enact->bypassed =
			vec_room(enact->bypassed, &enact->bypassed_room, count + 1, sizeof *enact->bypassed);
		enact->bypassed[count++] = (struct bypassed){.job = d->job, .by = d->count};
	}
	ev->kind = EVENT_BYPASS;
	ev->job = 0;
	ev->bypass.item = enact->bypassed;
	ev->bypass.count = (uint32_t)count;
}

bool enact_next(struct enact *enact, struct event *ev)
{
	const struct cycle_result *result = enact->result;

	if (enact->at >= result->decision_count)
		return false;
	switch ((enum decision_kind)result->decision[enact->at].kind) {
	case DECIDE_BYPASS:
		bypass_event(enact, ev);
		break;
	case DECIDE_ACCRUE:
	case DECIDE_PAUSE:
		ev->kind = EVENT_ACCRUAL;
		ev->accrual = switch_all(enact, ev);
		break;
	case DECIDE_PROMOTE:
	case DECIDE_DEMOTE:
		ev->kind = EVENT_ELIGIBLE;
		ev->eligible = switch_all(enact, ev);
		break;
	default:
		decision_event(&result->decision[enact->at++], result, ev);
	}
	return true;
}

void enact_clear(struct enact *enact)
{
	free(enact->bypassed);
	free(enact->switched);
	*enact = (struct enact){.result = NULL};
}
