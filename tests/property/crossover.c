/* SPDX-License-Identifier: MIT */
/*
 * crossover.c - the values of crossover_find, compared with the order of the queue
 *
 * Random pairs of waiting jobs under random weights and caps. Each value that crossover_find reports is set
 * on a copy, as an operator would set it, and the queue is built: the order must have changed there, and must
 * still be today's at the value before it. Random values in between are tested in the same way; if no flip is
 * reported, random values of the whole range.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "sched/pass/crossover.h"
#include "sched/state/draft.h"
#include "tests/chance.h"
#include "tests/many.h"

#define SAMPLES 6

struct tried {
	struct scene *sc;
	struct queue queue;
	struct crossover_pair pair;
	struct config_weight weight;
	struct crossover found;
	struct str name;
};

static unsigned asked, flips, nevers, unproven, windows;

/* --- the pair ------------------------------------------------------------------------------------ */

static void set_some_caps(struct rng *rng, struct scene *sc)
{
	static const char *const option[] = {
		"servicecap",    "rescap",        "fscap",        "queuetimecap", "xfactorcap",
		"credcap",       "proccap",       "fsuserweight", "credweight",   "procweight",
		"serviceweight", "xfactorweight", "userweight",   "targetweight", "targetqueuetimeweight"};
	char value[32];

	for (unsigned i = chance_below(rng, 6); i > 0; i--) {
		unsigned at = chance_below(rng, sizeof option / sizeof option[0]);

		snprintf(value, sizeof value, chance_below(rng, 3) ? "%u" : "%u.%u", chance_below(rng, 3000),
			 chance_below(rng, 100));
		scene_set(sc, option[at], value);
	}
	if (chance_below(rng, 3) == 0)
		scene_set(sc, "enablenegjobpriority", chance_below(rng, 2) ? "true" : "false");
	if (chance_below(rng, 3) == 0)
		scene_set(sc, "rejectnegpriojobs", chance_below(rng, 2) ? "true" : "false");
}

static struct scene *waiting_jobs(struct rng *rng)
{
	struct scene *sc = chance_scene(rng, CHANCE_TASKS | CHANCE_LIMITS);

	for (unsigned i = 0; i < 12; i++) {
		chance_step(rng, sc, CHANCE_TASKS | CHANCE_LIMITS, 6);
		scene_pass(sc);
	}
	for (unsigned i = 0; i < 8; i++)
		chance_submit(rng, sc, CHANCE_TASKS | CHANCE_LIMITS);
	set_some_caps(rng, sc);
	return sc;
}

static struct config_weight any_weight(struct rng *rng)
{
	switch (chance_below(rng, 6)) {
	case 0:
		return (struct config_weight){COMPONENT_WEIGHT, chance_below(rng, PRIO_COMPONENT_COUNT)};
	case 1:
		return (struct config_weight){COMPONENT_CAP, chance_below(rng, PRIO_COMPONENT_COUNT)};
	case 2:
		return (struct config_weight){FACTOR_CAP, chance_below(rng, PRIO_FACTOR_COUNT)};
	default:
		return (struct config_weight){FACTOR_WEIGHT, chance_below(rng, PRIO_FACTOR_COUNT)};
	}
}

/* --- the order of the queue -------------------------------------------------------------------------- */

static int64_t rank_of(const struct state *st, const struct tried *t, const struct job *job)
{
	const struct snapshot *s = state_view(st);
	struct prio_world world;

	snapshot_world(s, t->sc->now_s, &world);
	return queue_rank(s, &snapshot_jobs(s)[snapshot_find_job(s, job->id)], &world, &t->queue.shares);
}

/* True if job a is ahead after the option is set to x on a copy. */
static bool is_ahead(const struct tried *t, int64_t x)
{
	char value[32];
	struct event ev = {.kind = EVENT_SETTING, .setting = {str_text(&t->name), value}};
	struct state *st;
	struct err err = {""};
	int64_t a, b;

	snprintf(value, sizeof value, "%" PRId64, x);
	st = draft_make(scene_view(t->sc), &ev, 1, NULL, &err);
	assert_string_equal(err.text, "");
	assert_non_null(st);
	a = rank_of(st, t, t->pair.a.job);
	b = rank_of(st, t, t->pair.b.job);
	state_free(st);
	return a != b ? a > b : t->pair.a.order < t->pair.b.order;
}

static int64_t drawn(struct rng *rng, int64_t from, int64_t to)
{
	int64_t low = from < to ? from : to, high = from < to ? to : from;
	double spread = (double)(high - low), part = (double)chance_below(rng, 1000000) / 1e6;

	/* Half of the values are near the first one. */
	if (chance_below(rng, 2))
		part = expm1(part * log1p(spread)) / fmax(spread, 1);
	return from < to ? low + (int64_t)(part * spread) : high - (int64_t)(part * spread);
}

static void check_stretch(struct rng *rng, const struct tried *t, int64_t from, int64_t to, bool ahead)
{
	for (unsigned i = 0; i < SAMPLES; i++)
		assert_int_equal(is_ahead(t, drawn(rng, from, to)), ahead);
	assert_int_equal(is_ahead(t, from), ahead);
	assert_int_equal(is_ahead(t, to), ahead);
}

static void check_flip(struct rng *rng, const struct tried *t, const struct crossover_flip *flip, int sign)
{
	int64_t first = (int64_t)(sign > 0 ? floor(t->found.now) : ceil(t->found.now)) + sign;
	int64_t far = t->weight.kind == FACTOR_CAP || t->weight.kind == COMPONENT_CAP
			      ? (sign > 0 ? 1000000000000000 : 0)
			      : sign * INT64_C(1000000000000);
	bool ahead = t->found.ahead;

	unproven += !flip->proven;
	if (!flip->found) {
		nevers++;
		if (flip->proven && (sign > 0 ? first <= far : first >= far))
			check_stretch(rng, t, first, far, ahead);
		return;
	}
	flips++;
	assert_int_equal(is_ahead(t, flip->at), !ahead);
	if (flip->at != first)
		assert_int_equal(is_ahead(t, flip->at - sign), ahead);
	if (flip->proven && flip->at != first)
		check_stretch(rng, t, first, flip->at - sign, ahead);
	check_stretch(rng, t, flip->at, flip->until, !ahead);
	if (flip->to_the_end)
		assert_true(flip->until == far);
	else
		windows++;
}

static void check_pair(struct rng *rng, struct tried *t)
{
	uint32_t waiting = snapshot_count(scene_view(t->sc), TABLE_WAITING);
	uint32_t a = chance_below(rng, waiting), b = chance_below(rng, waiting);

	if (a == b)
		return;
	crossover_measure(&t->pair, scene_view(t->sc), snapshot_waiting(scene_view(t->sc))[a].slot,
			  snapshot_waiting(scene_view(t->sc))[b].slot, t->sc->now_s, &t->queue.shares);
	t->weight = any_weight(rng);
	str_clear(&t->name);
	crossover_name(&t->pair, t->weight, &t->name);
	crossover_find(&t->found, &t->pair, t->weight);
	check_flip(rng, t, &t->found.down, -1);
	check_flip(rng, t, &t->found.up, 1);
	asked++;
}

static void the_order_of_a_pair_changes_exactly_at_the_reported_value(void **state)
{
	struct rng rng = seeded("crossover");
	struct tried t = {.sc = NULL};

	(void)state;
	while (asked < many(600)) {
		t.sc = waiting_jobs(&rng);
		queue_build(&t.queue, scene_view(t.sc), t.sc->now_s);
		for (unsigned i = 0; i < 8 && snapshot_count(scene_view(t.sc), TABLE_WAITING) > 1; i++)
			check_pair(&rng, &t);
		scene_free(t.sc);
	}
	print_message("# %u pairs: %u flips, %u of them not to the end; %u times none; %u not proven\n",
		      asked, flips, windows, nevers, unproven);
	assert_true(flips > 0 && nevers > 0);
	assert_true(unproven * 20 < asked);
	queue_clear(&t.queue);
	str_free(&t.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_a_pair_changes_exactly_at_the_reported_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
