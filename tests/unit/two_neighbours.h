/* SPDX-License-Identifier: MIT */
/*
 * two_neighbours.h - two jobs that wait for the same nodes, and what is found of one of them
 */
#ifndef TESTS_UNIT_TWO_NEIGHBOURS_H
#define TESTS_UNIT_TWO_NEIGHBOURS_H

#include "looking.h"
#include "tui/query/neighbours.h"

struct found {
	struct scene *sc;
	struct looking l;
	struct neighbours neighbours;
	struct str text;
};

/* A machine that is full, so that what comes waits: bob has 100 s, eva 40 s, 4 processors and points. */
static inline struct scene *full_machine(const char *config)
{
	struct scene *sc = scene_new(2, 4);

	scene_config(sc, config);
	scene_submit(sc, 8, 3000);
	scene_pass(sc);
	return sc;
}

static inline struct scene *bob_and_eva(const char *config)
{
	struct scene *sc = full_machine(config);

	scene_add(sc, (struct scene_job){.user = "bob"});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 40, .procs = 4});
	return sc;
}

static inline void find(struct found *f, struct scene *sc, uint64_t job)
{
	const struct plan_query *o;
	uint32_t slot;

	*f = (struct found){.sc = sc};
	o = looking_begin(&f->l, sc, NULL);
	assert_non_null(forecast_job(&o->live, job, &slot));
	neighbours_find(&f->neighbours, &o->live, slot);
}

static inline void forget(struct found *f)
{
	looking_end(&f->l);
	scene_free(f->sc);
	str_free(&f->text);
}

#endif
