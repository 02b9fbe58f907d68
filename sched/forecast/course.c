/* SPDX-License-Identifier: MIT */
/*
 * course.c - the passes of a projection, kept so that other projections can follow it
 */
#include "course.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/pass/gate.h"
#include "sched/placement/placement.h"

void course_begin(struct course *course, uint32_t slot)
{
	course->slot = slot;
	course->count = course->decision_count = course->run_count = 0;
	course->at = UINT32_MAX;
}

void course_clear(struct course *course)
{
	free(course->pass);
	free(course->decision);
	free(course->runs);
	*course = (struct course){.slot = INDEX_NONE};
}

/* --- what the change of a job may touch ------------------------------------------------------------ */

bool course_can_follow(const struct snapshot *s)
{
	return !s->policy.reject_negative && s->timed_changes == 0 && s->throttled == 0 &&
	       !snapshot_weighs(s, PRIO_SERV_BYPASS) && gate_blocks(GATE_ACTIVE_SOFT, &s->policy);
}

static bool bounds_wall(const struct snapshot *s, uint32_t class)
{
	const struct cred_attr *attr = &snapshot_creds(s)[class].attr;

	return (attr->max_wall_s | attr->min_wall_s) != 0;
}

bool course_can_follow_wall(const struct snapshot *s, uint32_t slot)
{
	uint32_t class = snapshot_jobs(s)[slot].cred[CRED_CLASS];

	if (!course_can_follow(s) || s->policy.max_job_wall_s != 0 || s->policy.max_job_ps != 0 ||
	    (class != INDEX_NONE && (bounds_wall(s, class) || bounds_wall(s, CRED_CLASS))))
		return false;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++)
		if (snapshot_limits(s)[i].kind == LIMIT_PS || snapshot_limits(s)[i].kind == LIMIT_WC)
			return false;
	return true;
}

/*
 * Returns the gate that stops the job; GATE_COUNT if the job is not idle. Jobs only leave WAITING, so the
 * index of the job never grows.
 */
static enum gate failed_gate(struct course *course, const struct snapshot *s, const struct queue *queue)
{
	const struct waiting *waiting = snapshot_waiting(s);
	uint32_t count = snapshot_count(s, TABLE_WAITING), at = course->at < count ? course->at + 1 : count;

	while (at > 0 && waiting[at - 1].slot != course->slot)
		at--;
	if (at == 0)
		return GATE_COUNT;
	course->at = at - 1;
	return (enum gate)queue->failed[course->at];
}

/* Returns the number of processors that were free when the pass began. */
static int64_t procs_free(const struct snapshot *s, struct cycle *cycle, const struct cycle_result *result)
{
	int64_t procs = placement_procs_free(cycle_placement(cycle));

	for (uint32_t i = 0; i < result->decision_count; i++)
		if (result->decision[i].kind == DECIDE_START)
			procs += job_procs(&snapshot_jobs(s)[result->decision[i].slot]);
	return procs;
}

/*
 * Returns what another projection may do at this pass. A pass does not consider a job over a hard limit, so a
 * change of this job does not change the decisions. A job over a soft limit is considered after all other
 * jobs: if too few processors are free for it even before those start, its rank and wallclock limit do not
 * matter. Idle limits depend on the order of jobs, and fairshare caps on what the jobs request.
 */
static enum course_step step_of(struct course *course, const struct snapshot *s, struct cycle *cycle,
				const struct cycle_result *result)
{
	const struct queue *queue = cycle_queue(cycle);
	const struct job *job = &snapshot_jobs(s)[course->slot];

	if (queue == NULL || queue->stopped[GATE_IDLE_LIMIT] > 0 || queue->capped ||
	    job->planned_s != TIME_NEVER)
		return COURSE_LEAVE;
	switch (failed_gate(course, s, queue)) {
	case GATE_ACTIVE_HARD:
		return COURSE_APPLY;
	case GATE_ACTIVE_SOFT:
		return job_procs(job) > procs_free(s, cycle, result) ? COURSE_APPLY : COURSE_HOLD;
	default:
		return COURSE_LEAVE;
	}
}

/* --- passes ------------------------------------------------------------------------------------------- */

static void add_decision(struct course *course, const struct decision *decision, const struct alloc_run *runs)
{
	struct decision *own;

	course->decision = vec_room(course->decision, &course->decision_room, course->decision_count + 1,
				    sizeof *course->decision);
	own = &course->decision[course->decision_count++];
	*own = *decision;
	if (own->run_count == 0)
		return;
	course->runs = vec_room(course->runs, &course->runs_room, course->run_count + own->run_count,
				sizeof *course->runs);
	memcpy(course->runs + course->run_count, runs + own->first_run, own->run_count * sizeof *runs);
	own->first_run = (uint32_t)course->run_count;
	course->run_count += own->run_count;
}

void course_add(struct course *course, const struct snapshot *s, struct cycle *cycle,
		const struct cycle_result *result, int64_t now_s)
{
	bool left = course->count > 0 && course->pass[course->count - 1].step == COURSE_LEAVE;
	struct course_pass *pass;

	course->pass = vec_room(course->pass, &course->room, course->count + 1, sizeof *course->pass);
	pass = &course->pass[course->count++];
	*pass = (struct course_pass){.at_s = now_s,
				     .next_s = TIME_NEVER,
				     .last_s = now_s,
				     .first = course->decision_count,
				     .started = result->started,
				     .step = left ? COURSE_LEAVE : step_of(course, s, cycle, result)};
	for (uint32_t i = 0; i < result->decision_count; i++)
		if (result->decision[i].kind != DECIDE_BYPASS)
			add_decision(course, &result->decision[i], result->runs);
	pass->count = (uint32_t)(course->decision_count - pass->first);
}

void course_set_next(struct course *course, int64_t next_s, int64_t last_s)
{
	course->pass[course->count - 1].next_s = next_s;
	course->pass[course->count - 1].last_s = last_s;
}

void course_result(const struct course *course, const struct course_pass *pass, struct cycle_result *out)
{
	*out = (struct cycle_result){.decision = pass->count > 0 ? course->decision + pass->first : NULL,
				     .decision_count = pass->count,
				     .started = pass->started,
				     .runs = course->runs};
}

static bool is_same(const struct course *course, const struct decision *a, const struct decision *b,
		    const struct alloc_run *runs)
{
	if (a->kind != b->kind || a->slot != b->slot || a->job != b->job || a->backfilled != b->backfilled ||
	    a->run_count != b->run_count || a->planned_s != b->planned_s)
		return false;
	for (uint32_t i = 0; i < a->run_count; i++) {
		const struct alloc_run *x = &course->runs[a->first_run + i], *y = &runs[b->first_run + i];

		if (x->node != y->node || x->nodes != y->nodes || x->procs != y->procs ||
		    x->tasks != y->tasks)
			return false;
	}
	return true;
}

bool course_is_same(const struct course *course, const struct course_pass *pass,
		    const struct cycle_result *result)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < result->decision_count; i++) {
		if (result->decision[i].kind == DECIDE_BYPASS)
			continue;
		if (at == pass->count ||
		    !is_same(course, &course->decision[pass->first + at], &result->decision[i], result->runs))
			return false;
		at++;
	}
	return at == pass->count;
}
