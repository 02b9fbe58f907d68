/* SPDX-License-Identifier: MIT */
/*
 * decision.h - what can a pass decide?
 */
#ifndef MODEL_DECISION_H
#define MODEL_DECISION_H

#include <stdbool.h>
#include <stdint.h>

enum decision_kind {
	DECIDE_RESUME,  /* a suspended job takes the processors again that it released */
	DECIDE_START,   /* now, on runs[first_run .. first_run + run_count) */
	DECIDE_PLAN,    /* a promise made or moved: planned_s               */
	DECIDE_UNPLAN,  /* a promise dropped                                */
	DECIDE_ACCRUE,  /* effective queue time counts again from now       */
	DECIDE_PAUSE,   /* effective queue time stops                       */
	DECIDE_PROMOTE, /* eligible from now on; only where the newest are promoted first */
	DECIDE_DEMOTE,  /* not any more                                 */
	DECIDE_BYPASS,  /* count: jobs that passed it by in this pass       */
	DECIDE_PASS     /* kept reservations have been moved up: ends_pending is done with */
};

struct decision {
	uint8_t kind;    /* enum decision_kind      */
	bool backfilled; /* START                   */
	uint32_t slot;
	uint64_t job;                  /* its id                  */
	uint32_t first_run, run_count; /* START; PLAN: 0 when it floats */
	uint32_t count;                /* BYPASS                  */
	int64_t planned_s;             /* PLAN                    */
};

#endif
