/* SPDX-License-Identifier: MIT */
/*
 * remedies.c - search for the single changes that start a job in time, and their cost to other jobs
 *
 * The future without any change is projected first. Then each candidate is tried in a projection that ends as
 * soon as the job has started. Only for changes that help, a second projection continues until it is known
 * which jobs are delayed. If no change starts the job as requested, a probe finds the soonest start that any
 * change gives, and the search is repeated for that time.
 */
#include "remedies.h"

#include <stdlib.h>
#include <string.h>

#include "never.h"
#include "remedies_search.h"
#include "sched/base/vec.h"
#include "sched/pass/gate.h"
#include "sched/state/draft.h"

/* --- the budget ---------------------------------------------------------------------------------- */

/*
 * Divisors of the budget for the future without any change. Until the job has started, its projection may
 * cost 1/START_PART of the budget; after that it stops as soon as its whole cost exceeds 1/BEYOND_PART. The
 * part after the start shows which jobs a change delays.
 */
#define START_PART  2
#define BEYOND_PART 16

/* Lets the current phase spend this percentage of what is left of the budget. */
static void allow(struct search *s, unsigned percent)
{
	uint64_t most = s->setup->most_work, left = most > s->work ? most - s->work : 0;

	if (most > 0)
		s->allowance = s->work + left / 100 * percent + 1;
}

/*
 * Returns true if the budget is not used up once the current projection has cost `more`. Otherwise marks the
 * current part as incomplete.
 */
static bool may_spend(struct search *s, uint64_t more)
{
	if (s->allowance == 0 || s->work + more < s->allowance)
		return true;
	s->out->left |= 1U << s->part;
	s->is_cut = true;
	return false;
}

static bool should_continue(struct search *s)
{
	s->stopped = s->stopped ||
		     (s->setup->should_continue != NULL && !s->setup->should_continue(s->setup->self));
	return !s->stopped;
}

/* --- the future without any change ----------------------------------------------------------------- */

static bool within_budget(void *self, uint32_t started)
{
	struct search *s = self;
	bool has_started = s->base.start_s[s->slot] != TIME_NEVER;
	uint64_t most = s->setup->most_work / (has_started ? BEYOND_PART : START_PART);

	(void)started;
	return should_continue(s) && (s->setup->most_work == 0 || s->base.work <= most);
}

static bool until_stopped(void *self, uint32_t started)
{
	(void)started;
	return should_continue(self);
}

static void note_last(struct search *s, const struct snapshot *then, int64_t at_s, struct plan *plan)
{
	s->out->last_s = at_s;
	explain_why(then, s->slot, at_s, plan, &s->out->last);
}

/*
 * Returns one of the checks that fail one second before the start: a limit, share or date that clears exactly
 * at the start or, if there is none, the first one except the soft limits, because a job may be over a soft
 * limit when it starts.
 */
static enum gate find_holding(const struct remedies *r)
{
	enum gate first = GATE_NONE;

	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		const struct check *check = &r->last.check[g];

		if (!check->known || check->ok)
			continue;
		if (!gate_rows[g].in_pass && check->reason.until_s == r->start_s)
			return (enum gate)g;
		if (first == GATE_NONE && g != GATE_ACTIVE_SOFT)
			first = (enum gate)g;
	}
	return first != GATE_NONE ? first : r->last.first;
}

/*
 * Called when nothing happens any more: records why the job never starts. If the job has left the queue by
 * then, it had a dependency that could not be met.
 */
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

/* Called one second before the job starts: records what it waits for. */
static void look_before(void *self, const struct snapshot *then)
{
	struct search *s = self;
	struct plan plan = {.start_s = NULL};

	note_last(s, then, s->base.start_s[s->slot] - 1, &plan);
	s->out->holds = find_holding(s->out);
	plan_clear(&plan);
}

/* Returns the ID of the largest job that ends at this time; 0 if none does. */
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

static void project_base(struct search *s)
{
	struct project_setup setup = {.from_s = s->setup->now_s,
				      .until_s = TIME_NEVER,
				      .should_continue = within_budget,
				      .at_end = look_at_end,
				      .self = s};
	struct remedies *out = s->out;

	course_begin(&s->course, s->slot);
	if (course_can_follow(s->s))
		setup.keep = &s->course;

	out->last = s->why;
	out->holds = s->why.first;
	out->last_s = TIME_NONE;
	out->never = (struct reason){.gate = GATE_NONE};
	out->ending = 0;
	project_run(&s->base, s->s, &setup);
	s->work += s->base.work;
	out->start_s = s->base.start_s[s->slot];
	out->known_s = s->base.stopped ? s->base.last_s : TIME_NEVER;
	out->reached = !s->base.stopped || out->start_s != TIME_NEVER;
	if (!out->reached)
		out->last_s = s->base.last_s;
	if (s->stopped || out->start_s == TIME_NEVER || out->start_s <= s->setup->now_s)
		return;
	if (setup.keep != NULL) {
		setup.follow = setup.keep;
		setup.unchanged = true;
		setup.keep = NULL;
	}
	setup.until_s = out->start_s - 1;
	setup.at_end = look_before;
	setup.should_continue = until_stopped;
	project_run(&s->trial, s->s, &setup);
	s->work += s->trial.work;
	out->ending = find_ending(s, out->start_s);
}

/* --- does a change start the job? ------------------------------------------------------------------- */

static bool until_started(void *self, uint32_t started)
{
	struct search *s = self;

	(void)started;
	return s->trial.start_s[s->slot] == TIME_NEVER && should_continue(s) && may_spend(s, s->trial.work);
}

static void limit_rank_slack(struct search *s, int64_t rank, int64_t bound)
{
	int64_t slack = bound - rank - 2;

	if (slack < s->rank_slack)
		s->rank_slack = slack > 0 ? slack : 0;
}

/*
 * Reduces rank_slack: the number of points by which the job's priority may rise without changing any pass.
 * Points matter only for the order of the jobs and for a priority below 0. So points give the same passes if
 * the job stays behind the next job in every pass, and if a priority below 0 stays below 0. A rank is a sum
 * truncated to a whole number, so it may grow by one more than the points.
 */
static void note_rank_slack(void *self, const struct snapshot *then, const struct queue *queue,
			    const struct project_ranks *ranks)
{
	struct search *s = self;
	const struct queued *ranked = ranks->ranked;
	uint32_t at = 0, ahead;

	while (at < ranks->count && ranked[at].slot != s->slot)
		at++;
	ahead = at < ranks->ordered ? at : ranks->ordered;
	if (!queue) {
		s->rank_slack = 0;
	} else if (at == ranks->count) {
		/* A job without a rank may be blocked because of its priority. */
		for (uint32_t i = 0; i < snapshot_count(then, TABLE_WAITING); i++)
			if (snapshot_waiting(then)[i].slot == s->slot && queue->failed[i] == GATE_NEGATIVE)
				s->rank_slack = 0;
	} else if (ranked[at].rank < 0) {
		limit_rank_slack(s, ranked[at].rank, 0);
	}
	if (ahead > 0 && at < ranks->count)
		limit_rank_slack(s, ranked[at].rank, ranked[ahead - 1].rank);
}

/* Returns the state with a change; NULL if the change would be refused. */
static struct state *changed_state(const struct search *s, const struct event *change)
{
	struct event ev = *change;

	ev.time_s = s->setup->now_s;
	return draft_make(s->s, &ev, 1, NULL, NULL);
}

/*
 * May the projection with this change reuse the passes of the projection without it (course.h) until the
 * change matters? True for changes of the job's own points or wallclock limit.
 */
static bool may_follow(const struct search *s, const struct event *ev)
{
	if (ev->job != s->job->id || s->course.count == 0)
		return false;
	return ev->kind == EVENT_PRIORITY ||
	       (ev->kind == EVENT_MODIFY && strcmp(ev->modify.name, "walltime") == 0 &&
		course_can_follow_wall(s->s, s->slot));
}

/* Projects the current candidate; frees the state. */
static void project_trial(struct search *s, const struct event *ev, struct state *st,
			  struct project_setup *setup)
{
	uint64_t jobs = snapshot_count(s->s, TABLE_JOBS);

	s->is_cut = false;
	if (may_follow(s, ev))
		setup->follow = &s->course;
	project_state(&s->trial, st, setup);
	s->work += jobs + s->trial.work;
}

/*
 * Returns the projected start of the job with this change. TIME_NEVER: the job does not start by until_s, or
 * the change is refused.
 */
static int64_t start_with(struct search *s, const struct event *ev, int64_t until_s)
{
	struct project_setup setup = {
		.from_s = s->setup->now_s, .until_s = until_s, .should_continue = until_started, .self = s};
	bool may = s->setup->may == NULL || s->setup->may(s->setup->self, ev);
	struct state *st = may && should_continue(s) && may_spend(s, 0) ? changed_state(s, ev) : NULL;

	s->rank_slack = 0;
	if (st == NULL)
		return TIME_NEVER;
	if (ev->kind == EVENT_PRIORITY) {
		s->rank_slack = INT64_MAX;
		setup.ranked = note_rank_slack;
	}
	project_trial(s, ev, st, &setup);
	return s->trial.start_s[s->slot];
}

/* --- the cost of a change ----------------------------------------------------------------------------- */

static void note_delay(struct remedy *r, uint64_t job, int64_t by_s)
{
	uint32_t at;

	r->delayed++;
	if (by_s == TIME_NEVER)
		r->forever++;
	else
		r->delay_sum_s += by_s;
	if (r->delays < REMEDY_DELAYS)
		r->delays++;
	else if (by_s <= r->delay[r->delays - 1].by_s)
		return;
	for (at = r->delays - 1; at > 0 && r->delay[at - 1].by_s < by_s; at--)
		r->delay[at] = r->delay[at - 1];
	r->delay[at] = (struct remedy_delay){job, by_s};
}

/*
 * Records which jobs a change delays. gone: slot of the job that the change holds or cancels. A job that
 * would start after the end of both projections is delayed at least until that end.
 */
static void note_delays(const struct search *s, uint32_t gone, struct remedy *r)
{
	int64_t known_s = s->base.stopped || s->is_cut ? s->trial.last_s : TIME_NEVER;

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s->s)[i].slot;
		int64_t before_s = s->base.start_s[slot], after_s = s->trial.start_s[slot];

		if (after_s == TIME_NEVER && known_s != TIME_NEVER && slot != gone)
			after_s = known_s;
		if (slot != s->slot && before_s != TIME_NEVER && after_s > before_s)
			note_delay(r, snapshot_jobs(s->s)[slot].id,
				   after_s == TIME_NEVER ? TIME_NEVER : after_s - before_s);
	}
	r->partial = known_s != TIME_NEVER;
}

/* Returns the processor-seconds that a running job has used so far; they are lost if it is cancelled. */
static int64_t work_lost_ps(const struct search *s, const struct event *ev)
{
	uint32_t slot = ev->kind == EVENT_CANCEL ? snapshot_find_job(s->s, ev->job) : INDEX_NONE;
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s->s)[slot];

	if (job == NULL || job->state != JOB_RUNNING)
		return 0;
	return (s->setup->now_s - job->start_s) * job_procs_counted(job);
}

/* Compares two changes in the order of costs in remedies.h; < 0: `one` costs less than `two`. */
static int compare_cost(const struct remedy *one, const struct remedy *two)
{
	if ((one->ev.kind == EVENT_CANCEL) != (two->ev.kind == EVENT_CANCEL))
		return one->ev.kind == EVENT_CANCEL ? 1 : -1;
	if (one->forever != two->forever)
		return one->forever < two->forever ? -1 : 1;
	if (one->delayed != two->delayed)
		return one->delayed < two->delayed ? -1 : 1;
	if (one->delay_sum_s != two->delay_sum_s)
		return one->delay_sum_s < two->delay_sum_s ? -1 : 1;
	return (one->work_lost_ps > two->work_lost_ps) - (one->work_lost_ps < two->work_lost_ps);
}

/* A projection that ends when it is known which jobs the change delays. */
struct weighing {
	struct search *search;
	uint32_t gone; /* slot of the job that the change holds or cancels */
	uint32_t at;   /* index in WAITING: the starts of all jobs before it are known */
};

/*
 * Returns true if it is known whether the change delays the job. A job that would not start without the
 * change is not delayed by it.
 */
static bool is_known(const struct weighing *w, uint32_t slot)
{
	const struct search *s = w->search;

	return s->trial.start_s[slot] != TIME_NEVER || slot == w->gone ||
	       (s->base.start_s[slot] == TIME_NEVER && slot != s->slot);
}

static bool until_known(void *self, uint32_t started)
{
	struct weighing *w = self;
	const struct snapshot *s = w->search->s;

	(void)started;
	while (w->at < snapshot_count(s, TABLE_WAITING) && is_known(w, snapshot_waiting(s)[w->at].slot))
		w->at++;
	return w->at < snapshot_count(s, TABLE_WAITING) && should_continue(w->search) &&
	       may_spend(w->search, w->search->trial.work);
}

/* Sets *out to a change and its cost. Returns false if the job does not start in time with the change. */
static bool weigh(struct search *s, const struct event *ev, struct remedy *out)
{
	bool removes = ev->kind == EVENT_CANCEL || (ev->kind == EVENT_HOLD && ev->hold.on);
	struct weighing weighing = {s, removes ? snapshot_find_job(s->s, ev->job) : INDEX_NONE, 0};
	struct project_setup setup = {.from_s = s->setup->now_s,
				      .until_s = s->base.stopped ? s->base.last_s : TIME_NEVER,
				      .should_continue = until_known,
				      .self = &weighing};
	struct state *st = may_spend(s, 0) ? changed_state(s, ev) : NULL;

	*out = (struct remedy){.ev = *ev};
	if (st == NULL)
		return false;
	project_trial(s, ev, st, &setup);
	out->starts_s = s->trial.start_s[s->slot];
	if (s->stopped || out->starts_s > s->by_s)
		return false;
	out->work_lost_ps = work_lost_ps(s, ev);
	note_delays(s, weighing.gone, out);
	return true;
}

static void keep(struct search *s, const struct remedy *remedy)
{
	s->out->change = vec_room(s->out->change, &s->out->room, s->out->count + 1, sizeof *s->out->change);
	s->out->change[s->out->count++] = *remedy;
}

/* Keeps a change that was just found to start the job; a probe records only the start. */
static void keep_event(struct search *s, const struct event *ev)
{
	struct remedy remedy;

	if (!s->probing) {
		if (weigh(s, ev, &remedy))
			keep(s, &remedy);
	} else if (s->trial.start_s[s->slot] < s->soonest_s) {
		s->soonest_s = s->trial.start_s[s->slot];
	}
}

/* Returns the start of the job with a change, if it is sooner than the soonest so far; else TIME_NEVER. */
static int64_t probe_one(struct search *s, const struct event *ev)
{
	return start_with(s, ev, s->soonest_s < s->by_s ? s->soonest_s : s->by_s);
}

void search_try(struct search *s, struct event ev)
{
	bool works;

	if (s->probing) {
		int64_t start_s = probe_one(s, &ev);

		s->probed_s = vec_room(s->probed_s, &s->probed_room, s->probed + 1, sizeof *s->probed_s);
		s->probed_s[s->probed++] = start_s;
		works = start_s != TIME_NEVER;
	} else if (s->probed > 0) {
		works = s->probed_s[s->at++] <= s->by_s;
	} else {
		works = start_with(s, &ev, s->by_s) != TIME_NEVER;
	}
	if (works)
		keep_event(s, &ev);
}

void search_try_fallback(struct search *s, struct event ev)
{
	if ((s->probing ? probe_one(s, &ev) : start_with(s, &ev, s->by_s)) != TIME_NEVER)
		keep_event(s, &ev);
}

/* --- numbers --------------------------------------------------------------------------------------- */

static int64_t at_distance(int64_t from, int64_t to, int64_t distance)
{
	return to > from ? from + distance : from - distance;
}

/*
 * Returns true if the job starts in time with this number. The number is not tried if a lower number failed
 * and gives the same passes.
 */
static bool number_works(struct search *s, make_event *make, int64_t number)
{
	struct event ev;

	if (number > s->failed.number && number - s->failed.number <= s->failed.slack)
		return false;
	ev = make(s, number);
	if (start_with(s, &ev, s->by_s) != TIME_NEVER)
		return true;
	s->failed.number = number;
	s->failed.slack = s->rank_slack;
	return false;
}

bool search_number(struct search *s, make_event *make, int64_t from, int64_t to, int64_t *number)
{
	int64_t range = llabs(to - from), reach = 0;
	struct event ev;

	s->failed.number = s->failed.slack = 0;
	for (int64_t distance = 1; reach < range && !s->stopped; distance *= 2) {
		int64_t fails = at_distance(from, to, reach), works;

		reach = distance < range ? distance : range;
		*number = works = at_distance(from, to, reach);
		if (!number_works(s, make, works))
			continue;
		/* assumes that beyond some number between the two all numbers work */
		while (!s->probing && llabs(works - fails) > 1) {
			int64_t middle = fails + (works - fails) / 2;

			if (number_works(s, make, middle))
				works = middle;
			else
				fails = middle;
		}
		*number = works;
		ev = make(s, works);
		keep_event(s, &ev);
		return true;
	}
	return false;
}

void search_cheaper(struct search *s, make_event *make, int64_t from, int64_t to)
{
	struct remedy best, remedy;
	int64_t costs_more = from, works = to;
	struct event ev = make(s, to);

	/* A probe keeps no changes. */
	if (s->out->count == 0 || s->out->change[s->out->count - 1].delayed == 0 || !weigh(s, &ev, &best) ||
	    compare_cost(&best, &s->out->change[s->out->count - 1]) >= 0)
		return;
	while (llabs(works - costs_more) > 1) {
		int64_t middle = costs_more + (works - costs_more) / 2;

		ev = make(s, middle);
		if (weigh(s, &ev, &remedy) && compare_cost(&remedy, &best) <= 0) {
			works = middle;
			best = remedy;
		} else {
			costs_more = middle;
		}
	}
	if (!s->stopped)
		keep(s, &best);
}

/* --- the search -------------------------------------------------------------------------------------- */

/* Finds the changes that start the job soonest, if no change starts it as requested. */
static void find_soonest(struct search *s)
{
	struct remedies *out = s->out;

	s->probing = true;
	s->soonest_s = out->start_s;
	allow(s, 60);
	search_candidates(s, s->base.last_s);
	s->probing = false;
	out->by_s = s->soonest_s < out->start_s ? s->soonest_s : TIME_NEVER;
	if (s->stopped || out->by_s == TIME_NEVER)
		return;
	allow(s, 100);
	search_candidates(s, out->by_s);
	/* The probe takes the first number that starts the job; a number found here may start it sooner. */
	for (size_t i = 0; i < out->count; i++)
		if (out->change[i].starts_s < out->by_s)
			out->by_s = out->change[i].starts_s;
}

static int by_cost(const void *a, const void *b)
{
	const struct remedy *one = a, *two = b;
	int cost = compare_cost(one, two);

	if (cost != 0)
		return cost;
	return one->ev.kind != two->ev.kind ? (one->ev.kind < two->ev.kind ? -1 : 1)
					    : (one->ev.job > two->ev.job) - (one->ev.job < two->ev.job);
}

bool remedies_find(struct remedies *out, const struct snapshot *s, uint32_t slot,
		   const struct remedies_setup *setup)
{
	struct search search = {
		.out = out, .s = s, .setup = setup, .slot = slot, .job = &snapshot_jobs(s)[slot]};

	out->count = 0;
	out->left = 0;
	arena_reset(&out->arena);
	explain_why(s, slot, setup->now_s, &search.plan, &search.why);
	project_base(&search);
	out->by_s = setup->by_s;
	allow(&search, 50);
	if (!search.stopped && out->start_s > setup->by_s)
		search_candidates(&search, setup->by_s);
	if (!search.stopped && out->start_s > setup->by_s && out->count == 0)
		find_soonest(&search);
	if (search.stopped)
		out->count = 0;
	out->search = out->left != 0 ? REMEDIES_BUDGET : REMEDIES_COMPLETE;
	if (out->count > 0)
		qsort(out->change, out->count, sizeof *out->change, by_cost);
	plan_clear(&search.plan);
	project_clear(&search.base);
	project_clear(&search.trial);
	course_clear(&search.course);
	free(search.probed_s);
	return !search.stopped;
}

void remedies_clear(struct remedies *r)
{
	free(r->change);
	arena_free(&r->arena);
	*r = (struct remedies){.change = NULL};
}

bool remedies_proven(const struct remedies *r)
{
	return r->never.gate != GATE_NONE;
}

const char *remedies_search_name(enum remedies_search search)
{
	static const char *const names[] = {"none", "complete", "budget"};

	return names[search];
}

const char *remedies_part_name(enum remedies_part part)
{
	static const char *const names[] = {"job", "limits", "site", "others"};

	return names[part];
}
