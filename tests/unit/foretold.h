/* SPDX-License-Identifier: MIT */
/* foretold.h - a scene with its journal, and estimates of its starts */
#ifndef TESTS_FORETOLD_H
#define TESTS_FORETOLD_H

#include "sched/forecast/estimate.h"
#include "tests/told.h"

struct foretold {
	struct scene *sc;
	struct told told;
	/* results of foretold_walk() */
	struct estimate_row *row;
	size_t count, started;
	bool finished;
	struct err err;
};

/* One node of four processors, without jobs. */
static inline void foretold_begin(struct foretold *f, const char *config)
{
	*f = (struct foretold){.sc = scene_new(1, 4)};
	if (config != NULL)
		scene_config(f->sc, config);
	told_begin(&f->told, f->sc);
}

/* Job 1 uses all four processors for 100 s; jobs 2 and 3 wait for all four. */
static inline void foretold_queue(struct foretold *f, const char *config)
{
	foretold_begin(f, config);
	scene_submit(f->sc, 4, 100);
	scene_pass(f->sc);
	scene_go(f->sc, 10);
	scene_submit(f->sc, 4, 100);
	scene_go(f->sc, 20);
	scene_submit(f->sc, 4, 100);
}

/* Estimates at most `most` of the starts since a time from the journal. */
static inline void foretold_walk(struct foretold *f, int64_t since_s, size_t most,
				 const struct estimate_setup *setup)
{
	struct told *t = &f->told;
	struct estimate_starts starts = {.job = NULL};
	struct estimate_walk w;

	estimate_starts_begin(&starts, state_view(t->before), since_s);
	for (size_t i = 0; i < t->count; i++)
		estimate_starts_take(&starts, &t->event[i]);
	f->started = starts.started;
	f->row = estimate_starts_choose(&starts, most, &f->count);
	estimate_starts_clear(&starts);
	estimate_walk_begin(&w, t->before, t->from_s, f->row, f->count, setup);
	f->finished = true;
	for (size_t i = 0; i < t->count && f->finished; i++)
		f->finished = estimate_walk_take(&w, &t->event[i], &f->err);
	estimate_walk_clear(&w);
}

static inline void foretold_end(struct foretold *f)
{
	estimate_rows_free(f->row, f->count);
	told_end(&f->told);
	scene_free(f->sc);
}

#endif
