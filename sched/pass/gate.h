/* SPDX-License-Identifier: MIT */
/*
 * gate.h - the table of gates: the conditions for a start
 *
 * A gate is a row with a name, a test, and the effects of failing it: whether the job is blocked and whether
 * its queue time stops. The rows are in the order of enum gate. A pass stops at the first row that fails;
 * `why` tests them all. The rows of limits and shares need the accounts of the pass, and the last rows what
 * its starts and reservations leave free.
 */
#ifndef PASS_GATE_H
#define PASS_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/reason.h"
#include "sched/model/snapshot.h"

struct array_throttle; /* array_throttle.h */
struct fairshare;      /* fairshare.h */
struct reservations;   /* reserve.h   */
struct placement;      /* placement.h      */
struct throttle;       /* throttle.h  */

/* The input of gates besides the job. */
struct gate_context {
	const struct snapshot *s;
	int64_t now_s;
	int64_t rank;                                /* of the job                               */
	struct throttle *throttle;                   /* begun for this moment                    */
	const struct array_throttle *array_throttle; /* likewise                                 */
	const struct fairshare *shares;              /* built for this moment; NULL = FSPOLICY NONE */
	struct placement *machine;                   /* begun for s, of which nothing is taken           */
	struct placement *placement;             /* with starts and claims; NULL: the rows of a pass are not
					  looked at */
	const struct reservations *reservations; /* those in the placement */
	uint64_t strict_head; /* backfill off: the job all others wait for; 0 = none          */
};

struct gate_row {
	const char *name;  /* "hold", "start date", ...: as `why` prints it        */
	bool blocks;       /* failing puts the job among the blocked               */
	bool pauses_full;  /* failing stops queue time under FULLPOLICY            */
	bool pauses_queue; /* failing stops queue time under QUEUEPOLICY too       */
	bool in_pass;      /* needs the placement of a pass                             */
	/* True if the job passes; fills value and limit always, the rest when it fails. job is in a slot of
	 * ctx->s. */
	bool (*test)(const struct gate_context *ctx, const struct job *job, struct reason *out);
};

/* Rows by enum gate; [GATE_NONE] is empty. */
extern const struct gate_row gate_rows[GATE_COUNT];

/* The first gate from `from` on, below `to`, that stops the job; GATE_NONE if none. */
enum gate gate_first_between(const struct gate_context *ctx, const struct job *job, enum gate from,
			     enum gate to, struct reason *out);

/* The first of all of them; only rows before the pass's own without a placement. */
enum gate gate_first_failing(const struct gate_context *ctx, const struct job *job, struct reason *out);

/* One row: true if the job passes; *out has what was found and against what. */
bool gate_test(const struct gate_context *ctx, const struct job *job, enum gate gate, struct reason *out);

/* Does queue time stop for a job whose first failing gate is this one, under a policy? */
bool gate_pauses(enum gate gate, enum accrual_policy accrual);

/* Does a failing gate put the job among the blocked, under this policy? A job over a soft limit stays
 * eligible where it has a turn of its own (HARDPASS IDLEONLY). */
bool gate_blocks(enum gate gate, const struct policy *policy);

#endif
