/* SPDX-License-Identifier: MIT */
/*
 * profile.c - the availability profile, compared with an array of seconds
 *
 * The array has a cell with the free processors of each second up to a horizon, and one cell for all time
 * beyond it. Thousands of random allocations, releases and queries, dense enough to split blocks, must give
 * the same results in both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/model/job.h"
#include "sched/placement/profile.h"
#include "tests/many.h"

#define HORIZON 3000
#define MACHINE 1000
#define STEPS   3000

struct model {
	int64_t from_s;
	int64_t free[HORIZON + 1]; /* [HORIZON]: from the horizon on */
	struct rng *rng;
};

static int64_t below(struct model *m, int64_t limit)
{
	return (int64_t)rng_below(m->rng, (uint64_t)limit);
}

static int64_t cell(const struct model *m, int64_t at_s)
{
	int64_t i = at_s - m->from_s;

	return m->free[i > HORIZON ? HORIZON : i];
}

static int64_t model_least(const struct model *m, int64_t begin_s, int64_t end_s)
{
	int64_t least = INT64_MAX;

	for (int64_t t = begin_s; t < end_s && t <= m->from_s + HORIZON; t++)
		least = cell(m, t) < least ? cell(m, t) : least;
	return least;
}

static int64_t model_first_below(const struct model *m, int64_t begin_s, int64_t end_s, int64_t procs)
{
	for (int64_t t = begin_s; t < end_s && t <= m->from_s + HORIZON; t++)
		if (cell(m, t) < procs)
			return t;
	return TIME_NEVER;
}

static int64_t model_earliest(const struct model *m, int64_t from_s, int64_t procs, int64_t duration_s)
{
	int64_t begin_s = from_s;

	for (int64_t t = from_s; t < begin_s + duration_s && t <= m->from_s + HORIZON; t++)
		if (cell(m, t) < procs)
			begin_s = t + 1;
	return begin_s > m->from_s + HORIZON ? TIME_NEVER : begin_s;
}

/* As model_earliest, but ignoring everything from until_s on; TIME_NEVER if there is no start before until_s.
 */
static int64_t model_earlier(const struct model *m, int64_t from_s, int64_t until_s, int64_t procs,
			     int64_t duration_s)
{
	int64_t begin_s = from_s;

	for (int64_t t = from_s; t < begin_s + duration_s && t < until_s; t++)
		if (cell(m, t) < procs)
			begin_s = t + 1;
	return begin_s < until_s ? begin_s : TIME_NEVER;
}

static void model_take(struct model *m, int64_t begin_s, int64_t end_s, int64_t procs)
{
	for (int64_t t = begin_s; t < end_s && t <= m->from_s + HORIZON; t++)
		m->free[t - m->from_s] -= procs;
}

static void ask(struct model *m, const struct profile *p)
{
	int64_t begin_s = m->from_s + below(m, HORIZON - 1);
	int64_t end_s = begin_s + 1 + below(m, below(m, 10) ? 300 : HORIZON);
	int64_t procs = below(m, MACHINE + 2), until_s = begin_s + below(m, HORIZON);

	if (end_s > m->from_s + HORIZON)
		end_s = m->from_s + HORIZON;
	assert_true(profile_least(p, begin_s, end_s) == model_least(m, begin_s, end_s));
	assert_true(profile_first_below(p, begin_s, end_s, procs) ==
		    model_first_below(m, begin_s, end_s, procs));
	assert_true(profile_earliest(p, begin_s, procs, end_s - begin_s) ==
		    model_earliest(m, begin_s, procs, end_s - begin_s));
	if (until_s > m->from_s + HORIZON)
		until_s = m->from_s + HORIZON;
	assert_true(profile_earlier(p, begin_s, until_s, procs, end_s - begin_s) ==
		    model_earlier(m, begin_s, until_s, procs, end_s - begin_s));
}

/* Takes free processors, or gives processors back. */
static void move(struct model *m, struct profile *p)
{
	int64_t begin_s = m->from_s + below(m, HORIZON - 1);
	int64_t end_s = begin_s + 1 + below(m, below(m, 8) ? 40 : HORIZON), procs;

	if (end_s >= m->from_s + HORIZON)
		end_s = TIME_NEVER;
	procs = below(m, model_least(m, begin_s, end_s) + 1);
	if (below(m, 2) == 0) {
		/* Giving must not exceed the machine anywhere; it need not match a take. */
		procs = -below(m, MACHINE / 4);
		for (int64_t t = begin_s; t < end_s && t <= m->from_s + HORIZON; t++)
			if (cell(m, t) - procs > MACHINE)
				procs = 0;
	}
	profile_take(p, begin_s, end_s, procs);
	model_take(m, begin_s, end_s, procs);
}

/* Notes random ends, and jobs with begin and end, in any order. False: they need more processors than exist.
 */
static bool note_some(struct model *m, struct profile *p)
{
	int64_t free = below(m, 4) ? below(m, MACHINE / 2) : below(m, 10);
	bool fits;

	profile_reset(p, m->from_s, free);
	for (int i = 0; i <= HORIZON; i++)
		m->free[i] = free;
	for (int64_t left = below(m, 200); left > 0; left--) {
		int64_t begin_s = m->from_s + below(m, HORIZON - 50), end_s = begin_s + 1 + below(m, 40);
		int64_t procs = below(m, 5);

		if (below(m, 2)) {
			profile_note(p, begin_s, procs);
			model_take(m, begin_s, TIME_NEVER, -procs);
			continue;
		}
		profile_note(p, end_s, procs);
		profile_note(p, begin_s, -procs);
		model_take(m, begin_s, end_s, procs);
	}
	fits = profile_settle(p);
	assert_true(fits == (model_least(m, m->from_s, TIME_NEVER) >= 0));
	return fits;
}

static void one_profile(struct model *m, struct profile *p)
{
	while (!note_some(m, p))
		;
	for (int i = 0; i < STEPS; i++) {
		move(m, p);
		ask(m, p);
	}
	assert_true(profile_steps(p) > 64 * 3);
}

static void the_profile_equals_an_array_of_seconds(void **state)
{
	struct rng rng = seeded("profile");
	static struct model m;
	struct profile *p = profile_new();

	(void)state;
	m.rng = &rng;
	for (unsigned i = 0; i < many(10); i++) {
		m.from_s = below(&m, 1000000);
		one_profile(&m, p);
	}
	m.rng = NULL;
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_profile_equals_an_array_of_seconds)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
