/* SPDX-License-Identifier: MIT */
/*
 * looking.h - a query of the console on a scene
 *
 * A plan_query of the current scene, with an optional draft of one command line. For tests that include
 * cmocka.h.
 */
#ifndef TESTS_UNIT_LOOKING_H
#define TESTS_UNIT_LOOKING_H

#include "sched/base/vec.h"
#include "tests/said.h"
#include "tui/query/plan_query.h"

struct looking {
	struct picture picture; /* has one extra reference, as no host owns it */
	struct plan_query *o;
};

/* line: the command of the draft. */
static inline struct proposal *looking_proposal(struct scene *sc, const char *line)
{
	struct proposal *p = mem_zero(1, sizeof *p);
	struct str out = {0};
	struct err err;

	p->holders = 1;
	if (said_run(sc, line, false, &out, &p->changes, &err) != CMD_DONE)
		fail_msg("%s: %s", line, err.text);
	str_free(&out);
	return p;
}

static inline void looking_ask(struct looking *l, struct scene *sc, const char *line)
{
	l->picture = (struct picture){.holders = 2, .s = scene_view(sc)};
	l->o->picture = &l->picture;
	l->o->now_s = sc->now_s;
	l->o->proposal = line ? looking_proposal(sc, line) : NULL;
}

/* line: the command of a draft; NULL = no draft. End with looking_end(). */
static inline const struct plan_query *looking_begin(struct looking *l, struct scene *sc, const char *line)
{
	l->o = mem_zero(1, sizeof *l->o);
	looking_ask(l, sc, line);
	plan_query_build(l->o);
	return l->o;
}

static inline void looking_end(struct looking *l)
{
	plan_query_free(l->o);
}

#endif
