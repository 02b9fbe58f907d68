/* SPDX-License-Identifier: MIT */
/*
 * decision.h - decisions of a scheduling pass
 */
#ifndef MODEL_DECISION_H
#define MODEL_DECISION_H

#include <stdbool.h>
#include <stdint.h>

enum decision_kind {
	DECIDE_RESUME,  /* a suspended job gets its released processors back */
	DECIDE_START,   /* now, on runs[first_run .. first_run + run_count) */
	DECIDE_PLAN,    /* job reservation made or moved to planned_s */
	DECIDE_UNPLAN,  /* job reservation dropped */
	DECIDE_ACCRUE,  /* effective queue time starts to accrue */
	DECIDE_PAUSE,   /* effective queue time stops accruing */
	DECIDE_PROMOTE, /* becomes eligible; only with IDLEPROMOTION NEWEST */
	DECIDE_DEMOTE,  /* no longer eligible */
	DECIDE_BYPASS,  /* count: jobs backfilled past it in this pass */
	DECIDE_PASS     /* kept reservations were moved up; clears ends_pending */
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
