/* SPDX-License-Identifier: MIT */
/*
 * unblock_itself.c - when does a job start by itself, what does it wait for until then, and is it proven that
 * it never does?
 */
#include "never.h"
#include "sched/pass/gate.h"
#include "unblock_inside.h"

/* Of the budget, so much is for the future without any change while the job has not started; and for what
 * comes after, which says whom a change delays. */
#define START_PART  2
#define BEYOND_PART 16

static bool until_told(void *self, uint32_t started)
{
	struct search *s = self;
	bool has_started = s->base.start_s[s->slot] != TIME_NEVER;
	uint64_t most = s->setup->most_work / (has_started ? BEYOND_PART : START_PART);

	(void)started;
	return search_goes_on(s) && (s->setup->most_work == 0 || s->base.work <= most);
}

static bool until_stopped(void *self, uint32_t started)
{
	(void)started;
	return search_goes_on(self);
}

static void note_last(struct search *s, const struct snapshot *then, int64_t at_s, struct plan *plan)
{
	s->out->last_s = at_s;
	explain_why(then, s->slot, at_s, plan, &s->out->last);
}

static bool fails(const struct unblock *u, int gate)
{
	return u->last.check[gate].known && !u->last.check[gate].ok;
}

/*
 * Of all that it fails a second before it starts: a limit, share or date that clears just then. Where none is
 * known to, the first, but for the soft limits, which it may be over when it starts: it had its turn.
 */
static enum gate find_holding(const struct unblock *u)
{
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (fails(u, g) && !gate_rows[g].in_pass && u->last.check[g].reason.until_s == u->start_s)
			return (enum gate)g;
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (fails(u, g) && g != GATE_ACTIVE_SOFT)
			return (enum gate)g;
	return u->last.first;
}

/* Nothing happens any more. A job that has left the queue by then had a dependency that could not be met. */
static void look_at_end(void *self, const struct snapshot *then)
{
	struct search *s = self;
	const struct job *job = &snapshot_jobs(then)[s->slot];
	struct plan plan = {.start_s = NULL};

	if (s->base.start_s[s->slot] != TIME_NEVER)
		return;
	if (job->state == JOB_IDLE && job->id == s->job->id) {
		note_last(s, then, s->base.last_s, &plan);
		s->out->holds = s->out->last.first;
	} else {
		s->out->last_s = s->base.last_s;
		s->out->holds = GATE_DEPENDENCY;
	}
	s->out->never = never_reason(s->s, &s->plan, &s->base, then, &plan, s->slot);
	plan_clear(&plan);
}

/* A second before it starts. */
static void look_before(void *self, const struct snapshot *then)
{
	struct search *s = self;
	struct plan plan = {.start_s = NULL};

	note_last(s, then, s->base.start_s[s->slot] - 1, &plan);
	s->out->holds = find_holding(s->out);
	plan_clear(&plan);
}

/* The largest of the jobs that end at this moment. */
static uint64_t find_ending(const struct search *s, int64_t at_s)
{
	uint32_t slots = snapshot_count(s->s, TABLE_JOBS);
	const struct job *jobs = snapshot_jobs(s->s), *largest = NULL;

	for (uint32_t i = 0; i < slots; i++)
		if (jobs[i].state != JOB_NONE && s->base.end_s[i] == at_s &&
		    (largest == NULL || job_procs_counted(&jobs[i]) > job_procs_counted(largest)))
			largest = &jobs[i];
	return largest == NULL ? 0 : largest->id;
}

/* --- the whole ------------------------------------------------------------------------------------ */

void search_itself(struct search *s)
{
	struct project_setup ahead = {.from_s = s->setup->now_s,
				      .until_s = TIME_NEVER,
				      .should_continue = until_told,
				      .at_end = look_at_end,
				      .self = s};
	int64_t start_s;

	s->out->last = s->why;
	s->out->holds = s->why.first;
	s->out->last_s = TIME_NONE;
	s->out->never = (struct reason){.gate = GATE_NONE};
	project_run(&s->base, s->s, &ahead);
	s->work += s->base.work;
	s->out->known_s = s->base.stopped ? s->base.last_s : TIME_NEVER;
	s->out->reached = !s->base.stopped || s->base.start_s[s->slot] != TIME_NEVER;
	if (!s->out->reached)
		s->out->last_s = s->base.last_s;
	start_s = s->out->start_s = s->base.start_s[s->slot];
	s->out->ending = 0;
	if (s->stopped || start_s == TIME_NEVER || start_s <= s->setup->now_s)
		return;
	ahead.until_s = start_s - 1;
	ahead.at_end = look_before;
	ahead.should_continue = until_stopped;
	project_run(&s->trial, s->s, &ahead);
	s->work += s->trial.work;
	s->out->ending = find_ending(s, start_s);
}
