/* SPDX-License-Identifier: MIT */
/*
 * solve.c - the value of an option, nearest to the current one, with which a job starts in time
 *
 * A trial is a projection that ends when the job has started or by_s has passed. A coarse search first
 * increases the distance from the current value by a fifth each time, so that about eighty trials reach a
 * million. A fine search then increases the distance by a fiftieth, up to the value found. Each distance is
 * tried on both sides of the current value; the nearer result counts.
 */
#include "solve.h"

#include <math.h>
#include <stdlib.h>

#include "future.h"
#include "project.h"
#include "sched/state/draft.h"

struct search {
	struct solve *out;
	const struct snapshot *s; /* the state with the draft */
	const struct solve_setup *setup;
	uint32_t slot;
	int64_t by_s;
	struct solve_known *known;
	struct assumed assumed;
	struct projection trial;
	int64_t soonest_s; /* the soonest start of all trials */
	int64_t soonest_parts;
	bool in_vain;  /* no value changes anything */
	uint64_t work; /* sum over all projections of passes times waiting jobs */
	bool stopped;
};

/* --- one trial -------------------------------------------------------------------------------------- */

static bool should_continue(const struct search *s)
{
	return s->setup->should_continue == NULL || s->setup->should_continue(s->setup->self);
}

static bool until_started(void *self, uint32_t started)
{
	const struct search *s = self;

	(void)started;
	return s->trial.start_s[s->slot] == TIME_NEVER && should_continue(s);
}

/* Returns the start of the job in this state; TIME_NEVER if it does not start by s->by_s. Frees the state. */
static int64_t start_in(struct search *s, struct state *st)
{
	struct project_setup setup = {
		.from_s = s->setup->now_s, .until_s = s->by_s, .should_continue = until_started, .self = s};

	setup.run_share = assume_shares(&s->assumed, state_view(st), s->setup->accuracy, s->setup->assume);
	project_state(&s->trial, st, &setup);
	s->out->tried++;
	s->work += s->trial.passes * s->trial.waiting;
	return s->trial.start_s[s->slot];
}

/* Converts a number of steps of the knob (knob.h) to a value; searches use whole numbers of steps. */
static double value_of(const struct search *s, int64_t parts)
{
	return (double)parts / s->setup->knob->parts;
}

static double parts_of(const struct search *s, double value)
{
	return value * s->setup->knob->parts;
}

static struct event setting_of(struct search *s, int64_t parts)
{
	return knob_event(s->setup->knob, value_of(s, parts), &s->out->arena);
}

/* Returns true if the job starts in time with this value; false also if the value is refused. */
static bool value_works(struct search *s, int64_t parts)
{
	struct event ev = setting_of(s, parts);
	struct state *st;
	int64_t start_s;

	s->stopped = s->stopped || !should_continue(s);
	st = s->stopped || s->in_vain ? NULL : draft_make(s->s, &ev, 1, NULL, NULL);
	if (!st)
		return false;
	start_s = start_in(s, st);
	if (start_s < s->soonest_s) {
		s->soonest_s = start_s;
		s->soonest_parts = parts;
	}
	return start_s != TIME_NEVER;
}

/* --- the nearest -------------------------------------------------------------------------------------- */

/* One direction from the current value: its start, its length, and the last distance that failed. */
struct side {
	int64_t base, room, failed;
	int sign;
};

static int64_t at_distance(const struct side *side, int64_t distance)
{
	return side->base + side->sign * distance;
}

/* Returns the nearest distance that works, by bisection between the last distance that failed and `works`. */
static int64_t halve(struct search *s, const struct side *side, int64_t works)
{
	int64_t fails = side->failed;

	while (works - fails > 1 && !s->stopped) {
		int64_t middle = fails + (works - fails) / 2;

		if (value_works(s, at_distance(side, middle)))
			works = middle;
		else
			fails = middle;
	}
	return works;
}

/*
 * Tries a distance on one side. If it works, returns the nearest distance that works, found by bisection from
 * the last one that failed; otherwise -1.
 */
static int64_t look_as_far_as(struct search *s, struct side *side, int64_t distance)
{
	int64_t reach = distance < side->room ? distance : side->room;

	if (reach <= side->failed)
		return -1;
	if (value_works(s, at_distance(side, reach)))
		return halve(s, side, reach);
	side->failed = reach;
	return -1;
}

/* Returns the current value, clamped to the range. */
static double start_of_search(const struct search *s)
{
	return parts_of(s, fmin(fmax(s->setup->knob->now, s->setup->lo), s->setup->hi));
}

/* Returns an end of the range, as a whole number of steps. */
static int64_t end_of_search(const struct search *s, double end)
{
	return (int64_t)round(parts_of(s, end));
}

struct reach {
	int64_t distance; /* largest distance from the current value */
	int64_t part;     /* each distance exceeds the previous one by 1/part of it */
	uint64_t work;    /* stop when the search has cost more than this */
};

static int64_t farther(int64_t distance, int64_t part)
{
	return distance + 1 + distance / part;
}

/* `part` of the coarse search of the whole range, and of the fine search up to the value found. */
#define QUICK_PART 5
#define CLOSE_PART 50
/* Work after which the fine search stops, about two seconds. */
#define CLOSE_WORK UINT64_C(5000000)

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Up to this distance every value is tried, whatever the cost. */
#define NEAR_ALWAYS 10

static void note_searched(struct search *s, int64_t distance, int64_t part)
{
	double value = (double)distance / s->setup->knob->parts;

	if (distance <= part && value > s->out->each_within)
		s->out->each_within = value;
}

/*
 * Returns the distance of the nearest of the tried values that works, and sets *parts to the value; -1 if
 * none works.
 */
static int64_t look_through(struct search *s, struct reach reach, int64_t *parts)
{
	double now = start_of_search(s);
	struct side up = {.base = (int64_t)floor(now), .sign = 1, .failed = -1};
	struct side down = {.base = (int64_t)ceil(now), .sign = -1, .failed = -1};
	int64_t above = -1, below = -1;

	up.room = smaller(end_of_search(s, s->setup->hi) - up.base, reach.distance);
	down.room = smaller(down.base - end_of_search(s, s->setup->lo), reach.distance);
	for (int64_t distance = 0;
	     above < 0 && below < 0 && !s->stopped && (s->work <= reach.work || distance <= NEAR_ALWAYS) &&
	     (up.failed < up.room || down.failed < down.room);
	     distance = farther(distance, reach.part)) {
		note_searched(s, distance, reach.part);
		above = look_as_far_as(s, &up, distance);
		below = look_as_far_as(s, &down, distance);
	}
	if (above < 0 && below < 0)
		return -1;
	if (below < 0 || (above >= 0 && above <= below)) {
		*parts = at_distance(&up, above);
		return above;
	}
	*parts = at_distance(&down, below);
	return below;
}

/* Sets *parts to the nearest value that works. Returns false if none of the tried values works. */
static bool find_nearest(struct search *s, int64_t *parts)
{
	struct reach quick = {.distance = INT64_MAX, .part = QUICK_PART, .work = UINT64_MAX};
	int64_t found = look_through(s, quick, parts);
	struct reach close = {.distance = found < 0 ? INT64_MAX : found - 1,
			      .part = CLOSE_PART,
			      .work = s->work + CLOSE_WORK};

	return look_through(s, close, parts) >= 0 || found >= 0;
}

/* --- answers ------------------------------------------------------------------------------------------ */

static bool until_told(void *self, uint32_t started)
{
	struct search *s = self;

	(void)started;
	s->stopped = s->stopped || !should_continue(s);
	return !s->stopped;
}

/* Computes the effect of the found value on all jobs, compared with the live state. */
static void tell_effect(struct search *s, const struct snapshot *live, struct state *found)
{
	struct future_setup ahead = {.now_s = s->setup->now_s,
				     .full = true,
				     .assume = s->setup->assume,
				     .accuracy = s->setup->accuracy,
				     .should_continue = until_told,
				     .self = s};
	struct solve_known *known = s->known;
	struct future after = {.side = {.s = NULL}};

	known->has_live = known->has_live || future_build(&known->live, live, &ahead);
	if (known->has_live && future_build(&after, state_view(found), &ahead)) {
		whatif_compare(&s->out->effect, &known->live.side, &after.side);
		s->out->start_s = after.side.start_s[s->slot];
	}
	future_clear(&after);
}

/* Finds why the job does not start in this state, and keeps the state, because the reason refers to it. */
static void tell_what_holds(struct search *s, struct state *state)
{
	struct plan plan = {.start_s = NULL};

	plan_build(&plan, state_view(state), s->setup->now_s);
	s->out->holds = plan.reason[s->slot];
	s->out->with = state;
	plan_clear(&plan);
}

/* Describes the result for this value. */
static void tell(struct search *s, const struct snapshot *live, int64_t parts)
{
	struct event ev = setting_of(s, parts);
	struct state *st = draft_make(s->s, &ev, 1, NULL, NULL);

	s->out->value = value_of(s, parts);
	if (s->out->outcome == SOLVE_NONE) {
		tell_what_holds(s, st ? st : state_from_snapshot(s->s));
		return;
	}
	tell_effect(s, live, st);
	state_free(st);
}

/*
 * Finds the value with the soonest start, if that is sooner than with the draft alone. Called if no value
 * works.
 */
static void find_soonest(struct search *s)
{
	int64_t now = (int64_t)start_of_search(s);
	int64_t lo = end_of_search(s, s->setup->lo), hi = end_of_search(s, s->setup->hi);
	bool within = true;

	s->soonest_s = s->out->start_without_s;
	s->soonest_parts = now;
	s->by_s = s->soonest_s == TIME_NEVER ? TIME_NEVER : s->soonest_s - 1;
	for (int64_t distance = 1; within && !s->stopped; distance = farther(distance, QUICK_PART)) {
		int64_t up = now + smaller(distance, hi - now);
		int64_t down = now - smaller(distance, now - lo);

		(void)value_works(s, up);
		(void)value_works(s, down);
		if (s->soonest_s != TIME_NEVER)
			s->by_s = s->soonest_s - 1;
		within = up < hi || down > lo;
	}
	s->out->start_s = s->soonest_s;
}

/* Returns the start of the job with the draft alone. */
static int64_t start_without(struct search *s)
{
	struct solve_known *known = s->known;

	if (!known->has_start) {
		known->start_s = start_in(s, state_from_snapshot(s->s));
		known->has_start = should_continue(s);
	}
	return known->start_s;
}

static void search(struct search *s, const struct snapshot *live)
{
	int64_t parts = (int64_t)round(parts_of(s, s->setup->knob->now));

	s->soonest_s = s->by_s = TIME_NEVER;
	s->out->start_without_s = s->out->start_s = start_without(s);
	if (s->out->start_s <= s->setup->by_s) {
		s->out->outcome = SOLVE_NEEDLESS;
		s->out->value = s->setup->knob->now;
		return;
	}
	s->by_s = s->setup->by_s;
	s->out->outcome = find_nearest(s, &parts) ? SOLVE_FOUND : SOLVE_NONE;
	if (s->out->outcome == SOLVE_NONE && !s->setup->nearest_only) {
		find_soonest(s);
		parts = s->soonest_parts;
	}
	if (!s->stopped)
		tell(s, live, parts);
}

static bool check(const struct search *s, struct err *err)
{
	const struct solve_setup *setup = s->setup;

	if (s->slot == INDEX_NONE || snapshot_jobs(s->s)[s->slot].state != JOB_IDLE)
		return err_set(err, "job %llu is not idle", (unsigned long long)setup->job);
	if (setup->by_s < setup->now_s)
		return err_set(err, "the required start time has already passed");
	return setup->lo <= setup->hi ||
	       err_set(err, "%s: there is no value to try in this range", setup->knob->name);
}

bool solve_find(struct solve *out, const struct snapshot *s, const struct solve_setup *setup, struct err *err)
{
	struct solve_known own = {.has_start = false};
	struct search at = {.out = out, .setup = setup, .known = setup->known ? setup->known : &own};
	struct state *draft = draft_make(s, setup->ev, setup->count, NULL, err);
	bool good;

	if (!draft)
		return false;
	arena_reset(&out->arena);
	state_free(out->with);
	out->with = NULL;
	out->tried = 0;
	out->each_within = 0;
	at.s = state_view(draft);
	at.slot = snapshot_find_job(at.s, setup->job);
	at.in_vain = knob_is_weightless(setup->knob, at.s, setup->now_s);
	good = check(&at, err);
	if (good)
		search(&at, s);
	if (at.stopped)
		out->outcome = SOLVE_STOPPED;
	project_clear(&at.trial);
	solve_known_clear(&own);
	free(at.assumed.share);
	state_free(draft);
	return good;
}

void solve_known_clear(struct solve_known *known)
{
	future_clear(&known->live);
	*known = (struct solve_known){.has_start = false};
}

void solve_clear(struct solve *v)
{
	whatif_clear(&v->effect);
	state_free(v->with);
	arena_free(&v->arena);
	*v = (struct solve){.tried = 0};
}
