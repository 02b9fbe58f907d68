/* SPDX-License-Identifier: MIT */
/*
 * stuck.h - random jobs that wait in the middle of things
 *
 * For tests that include cmocka.h and ask what would start such a job.
 */
#ifndef TESTS_STUCK_H
#define TESTS_STUCK_H

#include "sched/forecast/project.h"
#include "tests/chance.h"

static const unsigned stuck_kinds[] = {
	CHANCE_TASKS | CHANCE_DATES,     CHANCE_LIMITS,
	CHANCE_TASKS | CHANCE_LIMITS,    CHANCE_RESERVED,
	CHANCE_RESERVED | CHANCE_LIMITS, CHANCE_ARRAYS | CHANCE_DATES,
	CHANCE_ARRAYS | CHANCE_LIMITS,
};

/* After so many steps, when so many jobs have come at last. */
static inline struct scene *stuck_scene(struct rng *rng, unsigned steps, unsigned jobs)
{
	unsigned kind = stuck_kinds[chance_below(rng, sizeof stuck_kinds / sizeof stuck_kinds[0])];
	struct scene *sc = chance_scene(rng, kind);

	for (unsigned i = 0; i < steps; i++) {
		chance_step(rng, sc, kind, 6);
		scene_pass(sc);
	}
	for (unsigned i = 0; i < jobs; i++)
		chance_submit(rng, sc, kind);
	while (scene_pass(sc) > 0)
		;
	return sc;
}

/* When a job starts by a projection; TIME_NEVER where it is gone. */
static inline int64_t stuck_start_s(const struct projection *p, const struct snapshot *s, uint64_t job)
{
	uint32_t slot = snapshot_find_job(s, job);

	return slot == INDEX_NONE ? TIME_NEVER : p->start_s[slot];
}

#endif
