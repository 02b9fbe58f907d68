/* SPDX-License-Identifier: MIT */
/*
 * project.c - the full projection: the scheduler run ahead on a copy of the state
 *
 * At each time step, all due jobs are ended; then one pass runs. The next step is the next end of a job or
 * the time that the pass returned, whichever is sooner. Ends are kept in a heap, because jobs may run for
 * less than their limits. Ends at the same time are ordered by job ID, so that the result does not depend on
 * the order in which they were added.
 */
#include "project.h"

#include <stdlib.h>

#include "course.h"
#include "sched/base/vec.h"
#include "sched/pass/cycle.h"
#include "sched/pass/drift.h"
#include "sched/pass/enact.h"
#include "sched/pass/pass_skip.h"
#include "sched/state/event.h"

/*
 * A pass that starts jobs makes the next pass due at once; more than this number of passes at one time is a
 * fault.
 */
#define PASSES_AT_ONCE 10000

/*
 * While no job runs, ranks may change indefinitely: after this number of passes without a start, no start is
 * expected.
 */
#define PASSES_IN_VAIN 10000

struct ending {
	int64_t at_s;
	uint64_t job;
};

struct run {
	struct projection *out;
	const struct project_setup *setup;
	struct state *st;
	struct cycle *cycle;
	struct enact enact;
	struct ending *heap;
	size_t count, room;
	int64_t expires_s; /* time at which measured load expires; TIME_NEVER: nothing was measured */
	struct pass_skip pass_skip;
	const struct course *follow; /* course that is followed; NULL: none, or no longer */
	size_t followed;             /* index of the next pass in *follow */
	/*
	 * Since the last pass that was run, the state has changed only by the decisions of this pass and by
	 * ends of jobs.
	 */
	bool continues;
};

/* --- the heap of ends ------------------------------------------------------------------------ */

static bool is_before(const struct ending *a, const struct ending *b)
{
	return a->at_s < b->at_s || (a->at_s == b->at_s && a->job < b->job);
}

static void push(struct run *r, int64_t at_s, uint64_t job)
{
	struct ending new = {at_s, job};
	size_t i = r->count++;

	r->heap = vec_room(r->heap, &r->room, r->count, sizeof *r->heap);
	for (; i > 0 && is_before(&new, &r->heap[(i - 1) / 2]); i = (i - 1) / 2)
		r->heap[i] = r->heap[(i - 1) / 2];
	r->heap[i] = new;
}

static struct ending pop(struct run *r)
{
	struct ending first = r->heap[0], last = r->heap[--r->count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < r->count) {
		if (child + 1 < r->count && is_before(&r->heap[child + 1], &r->heap[child]))
			child++;
		if (!is_before(&r->heap[child], &last))
			break;
		r->heap[i] = r->heap[child];
		i = child;
	}
	r->heap[i] = last;
	return first;
}

/* --- how long a job runs ---------------------------------------------------------------------- */

static int64_t run_s(const struct run *r, const struct job *job)
{
	uint32_t user = job->cred[CRED_USER];
	double share = r->setup->run_share == NULL || user == INDEX_NONE ? 1 : r->setup->run_share[user];
	int64_t run = share < 1 ? (int64_t)(share * (double)job->wall_limit_s) : job->wall_limit_s;

	return run < 1 ? 1 : run;
}

static int64_t later(int64_t a_s, int64_t b_s)
{
	return a_s > b_s ? a_s : b_s;
}

/*
 * Returns the time at which a job ends. A job that has run longer than assumed ends at its limit; a job
 * beyond its limit ends one second later. A job that is being stopped ends now. A suspended job runs again
 * from the time at which it is resumed; TIME_NEVER if that is unknown.
 */
static int64_t ends_at(const struct run *r, const struct job *job, int64_t now_s)
{
	int64_t at_s;

	if (job_is_leaving(job))
		return now_s;
	if (job_is_suspended(job)) {
		/* If its processors are released, a pass decides when the job is resumed. */
		if (job->resume_s == 0 || job_is_released(job))
			return TIME_NEVER;
		now_s = later(now_s, job->resume_s);
	}
	at_s = now_s - job_ran_s(job, now_s) + run_s(r, job);
	if (at_s <= now_s)
		at_s = job_due_end_s(job);
	return at_s > now_s ? at_s : now_s + 1;
}

/* --- events -------------------------------------------------------------------------------------- */

/*
 * Records a start and the end that follows from it. Jobs keep the slots that they have in the snapshot,
 * because no job is submitted. Jobs that ran in the snapshot already have an end and do not count as started.
 */
static void note_start(struct run *r, const struct event *ev)
{
	uint32_t slot = state_find(r->st, ev->job);
	int64_t end_s = ev->time_s + run_s(r, &snapshot_jobs(state_view(r->st))[slot]);

	push(r, end_s, ev->job);
	r->out->started += r->out->end_s[slot] == TIME_NEVER;
	r->out->start_s[slot] = ev->time_s;
	r->out->end_s[slot] = end_s;
}

/* Records the resume of a suspended job that gets its processors back. */
static void note_resume(struct run *r, const struct event *ev)
{
	uint32_t slot = state_find(r->st, ev->job);

	r->out->end_s[slot] = ends_at(r, &snapshot_jobs(state_view(r->st))[slot], ev->time_s);
	push(r, r->out->end_s[slot], ev->job);
}

/* Applies the decisions of a pass; on the state of the pass they are never refused. */
static void take_pass(struct run *r, const struct cycle_result *result, int64_t now_s)
{
	struct event ev = {.time_s = now_s, .who = "sched"};

	r->enact.result = result;
	r->enact.at = 0;
	while (enact_next(&r->enact, &ev)) {
		if (!event_apply(r->st, &ev, NULL))
			continue;
		if (ev.kind == EVENT_START)
			note_start(r, &ev);
		else if (ev.kind == EVENT_SUSPEND)
			note_resume(r, &ev);
	}
}

static void take_ends(struct run *r, int64_t now_s)
{
	while (r->count > 0 && r->heap[0].at_s <= now_s) {
		uint64_t job = pop(r).job;
		struct event ev = {.kind = EVENT_END, .job = job};

		if (job_is_leaving(&snapshot_jobs(state_view(r->st))[state_find(r->st, job)]))
			ev = event_of_stop(job);
		ev.time_s = now_s;
		ev.who = "sched";
		event_apply(r->st, &ev, NULL);
	}
}

static void take_returns(struct run *r, int64_t now_s)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	uint32_t at = UINT32_MAX;

	while (event_returns(r->st, now_s, &at, &ev) && event_apply(r->st, &ev, NULL))
		r->continues = false;
}

static void take_drops(struct run *r, int64_t now_s)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	char cause[EVENT_CAUSE_TEXT];
	uint32_t at = 0;

	while (event_drops(r->st, &at, &ev, cause) && event_apply(r->st, &ev, NULL))
		r->continues = false;
}

static bool is_measured(const struct node *node)
{
	return node->used.procs >= 0 || node->used.load >= 0;
}

/*
 * Ends the measured load from outside the queue when it expires, because a projection has no further
 * measurements.
 */
static void take_expiry(struct run *r, int64_t now_s)
{
	const struct snapshot *s = state_view(r->st);
	struct event ev = {.kind = EVENT_LOAD, .time_s = now_s, .who = "sched"};

	if (now_s < r->expires_s)
		return;
	r->expires_s = TIME_NEVER;
	r->continues = false;
	ev.load.used = NODE_NOT_MEASURED;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		if (!is_measured(&snapshot_nodes(s)[i]))
			continue;
		ev.load.node = snapshot_string(s, snapshot_nodes(s)[i].name);
		event_apply(r->st, &ev, NULL);
	}
}

/* --- passes ---------------------------------------------------------------------------------------- */

static void make_room(struct projection *p, const struct snapshot *s)
{
	p->slots = snapshot_count(s, TABLE_JOBS);
	p->start_s = vec_room(p->start_s, &p->start_room, p->slots, sizeof *p->start_s);
	p->end_s = vec_room(p->end_s, &p->end_room, p->slots, sizeof *p->end_s);
	for (uint32_t i = 0; i < p->slots; i++)
		p->start_s[i] = p->end_s[i] = TIME_NEVER;
	p->waiting = snapshot_count(s, TABLE_WAITING);
	p->started = 0;
	p->passes = p->quiet = p->work = 0;
	p->last_s = TIME_NONE;
	p->whole = p->stopped = false;
}

static bool waits_again(const struct job *job)
{
	return (job->real & JOB_REAL_AGAIN) != 0 && (job->flags & JOB_CANCELLED) == 0;
}

static void begin(struct run *r)
{
	const struct snapshot *s = state_view(r->st);

	make_room(r->out, s);
	r->expires_s = TIME_NEVER;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if (is_measured(&snapshot_nodes(s)[i]))
			r->expires_s = r->setup->from_s + NODE_MEASURED_POLLS * s->policy.poll_interval_s;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		uint32_t slot = snapshot_running(s)[i];
		const struct job *job = &snapshot_jobs(s)[slot];

		r->out->start_s[slot] = waits_again(job) ? TIME_NEVER : job->start_s;
		r->out->end_s[slot] = ends_at(r, job, r->setup->from_s);
		if (r->out->end_s[slot] != TIME_NEVER)
			push(r, r->out->end_s[slot], job->id);
	}
}

static bool should_continue(const struct run *r)
{
	return r->setup->should_continue == NULL ||
	       r->setup->should_continue(r->setup->self, r->out->started);
}

static void report_ranks(const struct run *r, const struct project_ranks ranks)
{
	if (r->setup->ranked != NULL)
		r->setup->ranked(r->setup->self, state_view(r->st), cycle_queue(r->cycle), &ranks);
}

static void report_pass(const struct run *r)
{
	const struct queue *queue = cycle_queue(r->cycle);

	if (queue != NULL)
		report_ranks(r, (struct project_ranks){queue->candidate, queue->candidate_count,
						       queue->candidate_count});
	else
		report_ranks(r, (struct project_ranks){.count = 0});
}

static int64_t sooner(int64_t a_s, int64_t b_s)
{
	return a_s < b_s ? a_s : b_s;
}

static int64_t next_end_s(const struct run *r)
{
	return r->count > 0 ? r->heap[0].at_s : TIME_NEVER;
}

/*
 * Returns the time up to which only shares and ranks change. An overdue job changes the availability every
 * second.
 */
static int64_t moves_at(const struct run *r, const struct cycle_result *result)
{
	const struct snapshot *s = state_view(r->st);
	int64_t moves_s = sooner(sooner(result->known_due_s, next_end_s(r)), r->expires_s);

	if (snapshot_count(s, TABLE_RUNNING) == 0)
		return moves_s;
	return sooner(moves_s, job_due_end_s(&snapshot_jobs(s)[snapshot_running(s)[0]]));
}

static void note_quiet(struct run *r, int64_t at_s)
{
	r->out->passes++;
	r->out->quiet++;
	r->out->work++;
	r->out->last_s = at_s;
}

/*
 * Skips polls that are due only because shares must be checked, while a pass would decide nothing. Returns
 * the time of the next pass.
 */
static int64_t skip_share_polls(struct run *r, const struct cycle_result *result)
{
	int64_t known_s = sooner(result->known_due_s, result->order_due_s), due_s = result->share_due_s;
	int64_t moves_s = sooner(moves_at(r, result), known_s);

	pass_skip_begin(&r->pass_skip, state_view(r->st), cycle_queue(r->cycle));
	while (due_s < moves_s && due_s <= r->setup->until_s && should_continue(r) &&
	       pass_skip_allowed(&r->pass_skip, due_s)) {
		note_quiet(r, due_s);
		report_ranks(r, (struct project_ranks){r->pass_skip.ranked, r->pass_skip.ranked_count,
						       r->pass_skip.ordered});
		due_s += state_view(r->st)->policy.poll_interval_s;
	}
	return sooner(due_s, known_s);
}

/*
 * Returns true if polls may be skipped that only check the order of jobs. If the caller wants the ranks at
 * each poll (setup->ranked), no poll may be skipped, unless a course is followed: then the order of the job
 * does not matter.
 */
static bool may_skip_order_polls(const struct run *r)
{
	return r->setup->ranked == NULL || r->follow != NULL;
}

/*
 * Skips polls that are due only because the order of jobs may have changed, while a pass would decide
 * nothing. Returns the time of the next pass.
 */
static int64_t skip_order_polls(struct run *r, const struct cycle_result *result)
{
	int64_t due_s = result->order_due_s, moves_s = moves_at(r, result), next_s;

	while (due_s < moves_s && due_s <= r->setup->until_s && may_skip_order_polls(r) &&
	       should_continue(r) && cycle_is_unchanged(r->cycle, state_view(r->st), due_s, &next_s)) {
		note_quiet(r, due_s);
		due_s = next_s;
	}
	return sooner(due_s, result->known_due_s);
}

/* Returns the time of the next pass. If passes run only at multiples of grid_s, no poll is skipped. */
static int64_t next_due(struct run *r, const struct cycle_result *result)
{
	if (state_view(r->st)->grid_s > 0)
		return result->next_due_s;
	if (result->next_due_s == result->known_due_s)
		return result->known_due_s;
	if (result->share_due_s == TIME_NEVER)
		return skip_order_polls(r, result);
	return result->decision_count == 0 ? skip_share_polls(r, result) : result->next_due_s;
}

/*
 * Returns the time at which the projection begins: a time not after from_s, since which no pass can have
 * decided anything, because its decisions would be in the state. A pass at this time finds when the next pass
 * of the scheduler runs. It is a poll, because shares and ranks are checked at polls only: a job whose
 * priority has become positive since the last poll starts at the next poll, not at from_s.
 */
static int64_t begins_at(const struct run *r)
{
	const struct snapshot *s = state_view(r->st);
	int64_t from_s = r->setup->from_s, poll_s = s->policy.poll_interval_s;

	if (s->grid_s > 0 || s->now_s == TIME_NONE || s->now_s >= from_s)
		return snapshot_pass_s(s, from_s);
	return later(s->now_s, drift_poll_s(from_s - poll_s, from_s - poll_s + 1, poll_s));
}

/* --- following a course ------------------------------------------------------------------------------ */

static const struct course_pass *followed_pass(const struct run *r)
{
	return r->follow != NULL && r->followed < r->follow->count ? &r->follow->pass[r->followed] : NULL;
}

/* Leaves the course where it ends or becomes uncertain, and where one of its passes was missed. */
static void check_course(struct run *r, int64_t now_s)
{
	const struct course_pass *pass = followed_pass(r);

	if (pass == NULL || pass->at_s < now_s || (pass->step == COURSE_LEAVE && !r->setup->unchanged))
		r->follow = NULL;
}

/* Takes the decisions of a pass from the course. Returns false if the pass must be run. */
static bool take_from_course(struct run *r, int64_t now_s, struct cycle_result *result)
{
	const struct course_pass *pass = followed_pass(r);

	if (pass == NULL || pass->at_s != now_s || (pass->step != COURSE_APPLY && !r->setup->unchanged))
		return false;
	course_result(r->follow, pass, result);
	r->continues = false;
	return true;
}

/* Leaves the course if a pass that was run has decided something other than the course. */
static void compare_with_course(struct run *r, int64_t now_s, const struct cycle_result *result)
{
	const struct course_pass *pass = followed_pass(r);

	if (pass == NULL)
		return;
	if (pass->at_s > now_s ? result->decision_count > 0 : !course_is_same(r->follow, pass, result))
		r->follow = NULL;
}

/*
 * Returns the time of the next pass in the course; the polls that the course skips until then decide nothing.
 */
static int64_t next_of_course(struct run *r)
{
	const struct course_pass *pass = followed_pass(r);

	r->out->last_s = sooner(pass->last_s, r->setup->until_s);
	r->followed++;
	return pass->next_s;
}

/*
 * After a pass that was run and decided the same as the course: leaves the course if the next pass is due at
 * another time.
 */
static void check_next(struct run *r, int64_t now_s, int64_t next_s)
{
	const struct course_pass *pass = followed_pass(r);

	if (pass == NULL || pass->at_s > now_s)
		return;
	if (pass->next_s != next_s)
		r->follow = NULL;
	r->followed++;
}

/* --- the run ------------------------------------------------------------------------------------------- */

static void run_pass(struct run *r, int64_t now_s, struct cycle_result *result)
{
	cycle_expect(r->cycle, sooner(next_end_s(r), r->expires_s),
		     may_skip_order_polls(r) && state_view(r->st)->grid_s == 0);
	if (r->continues && r->setup->ranked == NULL)
		cycle_follow(r->cycle);
	cycle_run(r->cycle, state_view(r->st), now_s, false, result);
	r->continues = true;
	r->out->work += (uint64_t)snapshot_count(state_view(r->st), TABLE_WAITING);
	compare_with_course(r, now_s, result);
}

static int64_t find_next_s(struct run *r, int64_t now_s, const struct cycle_result *result)
{
	int64_t next_s = snapshot_pass_s(state_view(r->st),
					 sooner(sooner(next_end_s(r), r->expires_s), next_due(r, result)));

	check_next(r, now_s, next_s);
	return next_s;
}

/* Runs all passes. Returns false if stopped. */
static bool run_passes(struct run *r)
{
	const struct project_setup *setup = r->setup;
	struct cycle_result result;
	unsigned at_once = 0, in_vain = 0;
	int64_t grid_s = state_view(r->st)->grid_s;

	for (int64_t now_s = begins_at(r), next_s; now_s <= setup->until_s; now_s = next_s) {
		bool held, counts = now_s >= setup->from_s;

		if (!should_continue(r))
			return false;
		take_ends(r, now_s);
		take_returns(r, now_s);
		take_drops(r, now_s);
		take_expiry(r, now_s);
		check_course(r, now_s);
		held = !take_from_course(r, now_s, &result);
		if (held)
			run_pass(r, now_s, &result);
		r->out->passes++;
		r->out->work++;
		r->out->last_s = later(now_s, setup->from_s);
		if (!counts && (result.decision_count > 0 || result.next_due_s <= now_s)) {
			next_s = setup->from_s; /* the pass at from_s has not run yet */
			continue;
		}
		if (counts && held)
			report_pass(r);
		if (counts && setup->keep != NULL)
			course_add(setup->keep, state_view(r->st), r->cycle, &result, now_s);
		take_pass(r, &result, now_s);
		state_set_grid(r->st, grid_s, now_s);
		next_s = held ? find_next_s(r, now_s, &result) : next_of_course(r);
		if (counts && setup->keep != NULL)
			course_set_next(setup->keep, next_s, r->out->last_s);
		at_once = next_s <= now_s ? at_once + 1 : 0;
		r->out->whole = next_s == TIME_NEVER;
		in_vain = result.started > 0 || r->count > 0 ? 0 : in_vain + 1;
		if (r->out->whole || at_once > PASSES_AT_ONCE || in_vain > PASSES_IN_VAIN)
			break;
		if (next_s < now_s)
			next_s = now_s;
	}
	return true;
}

bool project_run(struct projection *out, const struct snapshot *s, const struct project_setup *setup)
{
	return project_state(out, state_from_snapshot(s), setup);
}

bool project_state(struct projection *out, struct state *st, const struct project_setup *setup)
{
	struct run r = {.out = out, .setup = setup, .st = st, .follow = setup->follow};
	bool good;

	r.cycle = cycle_new();
	begin(&r);
	good = run_passes(&r);
	out->stopped = !good;
	if (good && setup->at_end != NULL)
		setup->at_end(setup->self, state_view(r.st));
	enact_clear(&r.enact);
	free(r.heap);
	pass_skip_clear(&r.pass_skip);
	cycle_free(r.cycle);
	state_free(r.st);
	return good;
}

void project_clear(struct projection *p)
{
	free(p->start_s);
	free(p->end_s);
	*p = (struct projection){.start_s = NULL};
}
