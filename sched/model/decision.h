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
	DECIDE_START,   /* the job starts now, on runs[first_run .. first_run + run_count) */
	DECIDE_PLAN,    /* a job reservation is made, or moved to planned_s */
	DECIDE_UNPLAN,  /* the job reservation is dropped */
	DECIDE_ACCRUE,  /* the job's effective queue time starts to accrue */
	DECIDE_PAUSE,   /* the job's effective queue time stops accruing */
	DECIDE_PROMOTE, /* the job becomes eligible; only with IDLEPROMOTION NEWEST */
	DECIDE_DEMOTE,  /* the job is no longer eligible; only with IDLEPROMOTION NEWEST */
	DECIDE_BYPASS,  /* `count` jobs were backfilled past the job in this pass */
	DECIDE_PASS     /* a pass ran after processors were freed; clears ends_pending */
};

struct decision {
	uint8_t kind;    /* enum decision_kind      */
	bool backfilled; /* DECIDE_START: the job was backfilled */
	uint32_t slot;
	uint64_t job;                  /* ID of the job */
	uint32_t first_run, run_count; /* DECIDE_START and DECIDE_PLAN: the allocation; no runs if the
					  reservation names no nodes */
	uint32_t count;                /* DECIDE_BYPASS: number of jobs */
	int64_t planned_s;             /* DECIDE_PLAN: start of the reservation */
};

#endif
