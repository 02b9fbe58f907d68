/* SPDX-License-Identifier: MIT */
/*
 * told_store.h - a store with the journal of a small cluster
 *
 * A node of four processors, and twenty jobs for all four, submitted at 0, each with a limit of 100 s and a
 * run time of 50 s: job k, counted from 0, was estimated to start at 100 k and starts at 50 k.
 */
#ifndef TESTS_TOLD_STORE_H
#define TESTS_TOLD_STORE_H

#include <cmocka.h>

#include "store/store.h"
#include "tests/told.h"

#define TOLD_JOBS 20

struct told_store {
	struct store *store;
	struct scene *sc; /* in its final state */
};

static inline void told_store_begin(struct told_store *ts)
{
	struct told told;
	struct ledger ledger;
	struct ledger_step step;
	struct err err;

	ts->store = store_open(NULL, STORE_TEMP, NULL);
	ts->sc = scene_new(0, 0);
	told_begin(&told, ts->sc);
	scene_node(ts->sc, (struct node_record){.name = "n001", .procs = 4});
	for (int i = 0; i < TOLD_JOBS; i++)
		scene_add(ts->sc, (struct scene_job){.procs = 4, .wall_s = 100, .run_s = 50});
	scene_play(ts->sc, INT64_C(50) * (TOLD_JOBS - 1));
	ledger = store_ledger(ts->store);
	step = (struct ledger_step){
		.event = told.event, .event_count = told.count, .after = scene_view(ts->sc)};
	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	ts->sc->tell = NULL;
	told_end(&told);
}

static inline void told_store_end(struct told_store *ts)
{
	store_close(ts->store);
	scene_free(ts->sc);
}

#endif
