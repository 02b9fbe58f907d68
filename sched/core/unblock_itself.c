/* SPDX-License-Identifier: MIT */
/*
 * unblock_itself.c - when does a job start by itself, what does it wait for until then, and is it proven that
 * it never does?
 *
 * The projection goes on until nothing happens any more; a job that has not started by then waits for ever.
 * That is a proof as far as nothing in it depends on how others end: a projection takes it that all end well,
 * so who waits for a failure may yet start, and others after him. But not one that is held, or waits for such
 * a job, or asks for more than a limit lets anybody have at all.
 */
#include "gate.h"
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

static void note_last(struct search *s, const struct snapshot *then, int64_t at_s)
{
	struct plan plan = {.now_s = at_s};

	s->out->last_s = at_s;
	explain_why(then, s->slot, at_s, &plan, &s->out->last);
	plan_clear(&plan);
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

/* Nothing happens any more. */
static void look_at_end(void *self, const struct snapshot *then)
{
	struct search *s = self;

	if (s->base.start_s[s->slot] != TIME_NEVER)
		return;
	note_last(s, then, s->base.last_s);
	s->out->holds = s->out->last.first;
}

/* A second before it starts. */
static void look_before(void *self, const struct snapshot *then)
{
	struct search *s = self;

	note_last(s, then, s->base.start_s[s->slot] - 1);
	s->out->holds = find_holding(s->out);
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

/* --- what depends on how others end -------------------------------------------------------------- */

/* A chain of jobs that wait for each other is followed so far. */
#define CHAIN_MOST 32

static bool is_kept(const struct search *s, uint32_t slot, unsigned links);

/* It can come to nothing any more, or waits for a job that nobody lets start: that one ends in no way. */
static bool stays_open(const struct search *s, const struct depend *d, unsigned links)
{
	uint32_t on;

	if (d->state != DEPEND_OPEN || d->of != DEPEND_ON_JOB)
		return d->state == DEPEND_NEVER;
	on = snapshot_find_job(s->s, d->on);
	return links > 0 && on != INDEX_NONE && is_kept(s, on, links - 1);
}

/* It does not start however others end: it is held, or what it waits for does not come. */
static bool is_kept(const struct search *s, uint32_t slot, unsigned links)
{
	const struct job *job = &snapshot_jobs(s->s)[slot];
	const struct depend *depends = snapshot_depends(s->s);

	if (job->state != JOB_IDLE || s->base.start_s[slot] != TIME_NEVER)
		return false;
	if (job->holds != 0)
		return true;
	for (uint32_t d = job->depend; d != INDEX_NONE; d = depends[d].next)
		if (stays_open(s, &depends[d], links))
			return true;
	return false;
}

static bool waits_for_failure(const struct search *s, uint32_t slot)
{
	const struct depend *depends = snapshot_depends(s->s);

	for (uint32_t d = snapshot_jobs(s->s)[slot].depend; d != INDEX_NONE; d = depends[d].next)
		if (depends[d].state == DEPEND_OPEN && depends[d].type == DEPEND_FAILED)
			return true;
	return false;
}

/* A job that never starts waits for another to fail: what would follow if it did, nobody has looked at. */
static bool failures_matter(const struct search *s)
{
	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s->s)[i].slot;

		if (s->base.start_s[slot] == TIME_NEVER && waits_for_failure(s, slot) &&
		    !is_kept(s, slot, CHAIN_MOST))
			return true;
	}
	return false;
}

/* The job alone asks for more than the limit, whatever others use. */
static bool is_too_much(const struct check *check)
{
	return check->known && !check->ok && check->reason.asked > check->reason.limit;
}

static bool is_over_alone(const struct search *s, enum gate gate)
{
	return is_too_much(&s->why.check[gate]) && is_too_much(&s->out->last.check[gate]);
}

/* What no other job has to do with: a hold, what cannot come any more, its size against the machine and its
 * limits. */
static bool is_its_own(const struct search *s)
{
	const struct check *then = s->out->last.check;

	return !then[GATE_FEASIBLE].ok || !then[GATE_CLASS_LIMIT].ok || !then[GATE_SYSTEM_LIMIT].ok ||
	       is_kept(s, s->slot, CHAIN_MOST) ||
	       (plan_limits_stay(s->s) &&
		(is_over_alone(s, GATE_ACTIVE_HARD) || is_over_alone(s, GATE_IDLE_LIMIT)));
}

/* While the scheduler is paused nothing says what would happen. */
static bool is_proven(const struct search *s)
{
	return s->base.whole && s->base.start_s[s->slot] == TIME_NEVER && !snapshot_is_halted(s->s) &&
	       (is_its_own(s) || !failures_matter(s));
}

void search_itself(struct search *s)
{
	struct project_setup ahead = {.from_s = s->setup->now_s,
				      .until_s = TIME_NEVER,
				      .go_on = until_told,
				      .at_end = look_at_end,
				      .self = s};
	int64_t start_s;

	s->out->last = s->why;
	s->out->holds = s->why.first;
	s->out->last_s = TIME_NONE;
	project_run(&s->base, s->s, &ahead);
	s->work += s->base.work;
	s->out->known_s = s->base.stopped ? s->base.last_s : TIME_NEVER;
	s->out->reached = !s->base.stopped || s->base.start_s[s->slot] != TIME_NEVER;
	if (!s->out->reached)
		s->out->last_s = s->base.last_s;
	start_s = s->out->start_s = s->base.start_s[s->slot];
	s->out->ending = 0;
	s->out->proven = is_proven(s);
	if (s->stopped || start_s == TIME_NEVER || start_s <= s->setup->now_s)
		return;
	ahead.until_s = start_s - 1;
	ahead.at_end = look_before;
	ahead.go_on = until_stopped;
	project_run(&s->trial, s->s, &ahead);
	s->work += s->trial.work;
	s->out->ending = find_ending(s, start_s);
}
