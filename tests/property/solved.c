/* SPDX-License-Identifier: MIT */
/*
 * solved.c - the value found by solve.h is the nearest one
 *
 * X3. Idle jobs in random clusters must start by a given time through a change of one number of the policy: a
 * weight, a cap, a limit or a share, whole or fractional. Every value of a fine grid is projected. If one of
 * them starts the job in time, solve finds a value, which is at most 5 % farther from the current
 * one than the nearest of them; if none does, solve finds none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sched/forecast/solve.h"
#include "tests/many.h"
#include "tests/stuck.h"

static const char *const option[] = {
	"queuetimeweight",   "xfactorweight",    "procweight",     "userweight",      "walltimeweight",
	"user[u1].priority", "qos[hi].priority", "user[u1].maxps", "user[u2].maxjob", "group[u1].maxproc",
	"user[u1].fstarget", "reservationdepth", "xfactorcap",     "servicecap",      "fsdecay",
	"fsuserweight",      "group[u3].maxwc",  "system.maxijob",
};

struct question {
	const struct scene *sc;
	const struct knob *knob;
	uint64_t job;
	int64_t by_s;
	struct arena arena;
	struct projection ahead;
};

/* The start of the job with this value; TIME_NEVER if it is later than by_s or the value is refused. */
static int64_t start_with(struct question *q, double value)
{
	struct state *st = state_from_snapshot(scene_view(q->sc));
	struct event ev = knob_event(q->knob, value, &q->arena);
	struct project_setup setup = {.from_s = q->sc->now_s, .until_s = q->by_s};
	int64_t start_s = TIME_NEVER;

	ev.time_s = q->sc->now_s;
	if (event_apply(st, &ev, NULL)) {
		project_run(&q->ahead, state_view(st), &setup);
		start_s = stuck_start_s(&q->ahead, state_view(st), q->job);
	}
	state_free(st);
	arena_reset(&q->arena);
	return start_s;
}

/* The distance of the nearest value on the grid that starts the job in time, or INFINITY. Steps grow by 2 %.
 */
static double nearest_on_grid(struct question *q, double lo, double hi, double step)
{
	double now = fmin(fmax(q->knob->now, lo), hi), far = 0;

	while (now - far >= lo || now + far <= hi) {
		if ((now + far <= hi && start_with(q, now + far) != TIME_NEVER) ||
		    (now - far >= lo && start_with(q, now - far) != TIME_NEVER))
			return far;
		far += step * (1 + floor(far / step / 50));
	}
	return INFINITY;
}

/* Chooses by_s: a time by which some value starts the job and the current value does not; otherwise a random
 * time. */
static bool draw_goal(struct rng *rng, struct question *q)
{
	double lo, hi;
	int64_t start_s, without_s;

	q->by_s = TIME_NEVER;
	without_s = start_with(q, q->knob->now);
	knob_range(q->knob, &lo, &hi);
	start_s = start_with(q, knob_floor(q->knob, lo + (hi - lo) * chance_below(rng, 1001) / 1000));
	q->by_s = start_s < without_s ? start_s : q->sc->now_s + chance_below(rng, 600);
	return start_s < without_s;
}

static bool ask(struct rng *rng, struct scene *sc, struct question *q, struct knob *knob, struct arena *arena)
{
	bool known = false, sooner = false;

	q->sc = sc;
	q->job = chance_waiting(rng, sc);
	q->knob = knob;
	for (unsigned i = 0; i < 12 && q->job != 0 && !sooner; i++) {
		known = knob_find(knob, scene_view(sc),
				  option[chance_below(rng, sizeof option / sizeof option[0])], arena, NULL);
		sooner = known && draw_goal(rng, q);
	}
	return known;
}

static void check_found(struct question *q, const struct solve *found, double nearest)
{
	double far = fabs(found->value - fmin(fmax(q->knob->now, 0), 1e15));

	assert_true(found->start_s <= q->by_s);
	assert_true(start_with(q, found->value) == found->start_s);
	if (far > nearest * 1.05 + 1.0 / q->knob->parts)
		fail_msg("%s: %g starts job %llu and is %g off the current value; %g off is enough",
			 q->knob->name, found->value, (unsigned long long)q->job, far, nearest);
}

struct tally {
	unsigned found, none, needless;
};

static void solve_one(struct question *q, struct tally *tally)
{
	struct solve found = {.tried = 0};
	struct solve_setup setup = {.knob = q->knob, .job = q->job, .now_s = q->sc->now_s, .by_s = q->by_s};
	double nearest;

	knob_range(q->knob, &setup.lo, &setup.hi);
	assert_true(solve_find(&found, scene_view(q->sc), &setup, NULL));
	nearest = found.outcome == SOLVE_NEEDLESS
			  ? 0
			  : nearest_on_grid(q, setup.lo, setup.hi, 1.0 / q->knob->parts);
	if (found.outcome == SOLVE_FOUND)
		check_found(q, &found, nearest);
	else if (found.outcome == SOLVE_NONE && isfinite(nearest))
		fail_msg("%s: no value found for job %llu by +%lld, but one that is %g off starts it",
			 q->knob->name, (unsigned long long)q->job, (long long)(q->by_s - q->sc->now_s),
			 nearest);
	tally->found += found.outcome == SOLVE_FOUND;
	tally->none += found.outcome == SOLVE_NONE;
	tally->needless += found.outcome == SOLVE_NEEDLESS;
	solve_clear(&found);
}

static void solve_finds_the_nearest_value(void **state)
{
	struct rng rng = seeded("solved");
	struct question q = {.arena = {0}};
	struct tally tally = {0};

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = stuck_scene(&rng, 8, 5);
		struct arena arena = {0};
		struct knob knob;

		if (ask(&rng, sc, &q, &knob, &arena))
			solve_one(&q, &tally);
		arena_free(&arena);
		scene_free(sc);
	}
	print_message("# %u found, %u without a solution, %u needless\n", tally.found, tally.none,
		      tally.needless);
	assert_true(tally.found > 0 && tally.none > 0);
	arena_free(&q.arena);
	project_clear(&q.ahead);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(solve_finds_the_nearest_value)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
