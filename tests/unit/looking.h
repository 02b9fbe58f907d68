/* SPDX-License-Identifier: MIT */
/*
 * looking.h - what does the console look at in a scene?
 *
 * An plan_query of the scene as it is, with a draft of command lines where there are any. For tests
 * that include cmocka.h.
 */
#ifndef TESTS_UNIT_LOOKING_H
#define TESTS_UNIT_LOOKING_H

#include "sched/base/vec.h"
#include "tests/said.h"
#include "tui/query/plan_query.h"

struct looking {
	struct picture picture; /* with a holder too many: it came from no host */
	struct plan_query *o;
};

/* line: of the draft; NULL = there is none. */
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

/* Release with looking_end. */
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
