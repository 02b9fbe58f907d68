/* SPDX-License-Identifier: MIT */
/*
 * gate.h - the table of gates: the conditions for a start
 *
 * A gate is a row with a name, a test, and the effects of failing it: whether the job is blocked and whether
 * its queue time stops. The rows are in the order of enum gate. A pass stops at the first row that fails;
 * `why` tests all rows. The rows of limits and shares need the accounts of the pass; the last rows need the
 * processors that the starts and reservations of the pass leave free.
 */
#ifndef PASS_GATE_H
#define PASS_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/reason.h"
#include "sched/model/snapshot.h"

struct array_throttle; /* defined in sched/model/array_throttle.h */
struct fairshare;      /* defined in sched/policy/fairshare.h */
struct reservations;   /* defined in sched/placement/reservation.h */
struct placement;      /* defined in sched/placement/placement.h */
struct throttle;       /* defined in sched/policy/throttle.h */

/* The input of gates apart from the job. */
struct gate_context {
	const struct snapshot *s;
	int64_t now_s;
	int64_t rank;                                /* rank of the job */
	struct throttle *throttle;                   /* account of the limits, begun for s at now_s */
	const struct array_throttle *array_throttle; /* account of the arrays, begun for s */
	const struct fairshare *shares;              /* shares at now_s; NULL = FSPOLICY NONE */
	struct placement *machine;                   /* the machine without any starts or reservations */
	struct placement *placement; /* the machine with all starts and reservations of the pass; NULL: rows
					with in_pass are not tested */
	const struct reservations *reservations; /* the reservations in `placement` */
	uint64_t strict_head; /* backfill off: ID of the job that all jobs behind it wait for; 0 = none */
};

struct gate_row {
	const char *name;  /* "hold", "start date" ...: as `why` prints it */
	bool blocks;       /* a job that fails this gate is blocked */
	bool pauses_full;  /* failing stops queue time under FULLPOLICY */
	bool pauses_queue; /* failing stops queue time under QUEUEPOLICY, too */
	bool in_pass;      /* the test needs the placement of a pass */
	/*
	 * True if the job passes. Sets out->value and out->limit, and if the job fails the other members that
	 * enum gate describes. job must be in a slot of ctx->s.
	 */
	bool (*test)(const struct gate_context *ctx, const struct job *job, struct reason *out);
};

/* The rows by enum gate; gate_rows[GATE_NONE] is empty. */
extern const struct gate_row gate_rows[GATE_COUNT];

/*
 * Tests the gates from `from` up to, but not including, `to`. Returns the first gate that the job fails, with
 * the reason in *out; GATE_NONE if it passes all of them.
 */
enum gate gate_first_between(const struct gate_context *ctx, const struct job *job, enum gate from,
			     enum gate to, struct reason *out);

/*
 * Tests all gates, or without a placement those before GATE_RESOURCES. Returns the first gate that the job
 * fails, with the reason in *out; GATE_NONE if it passes.
 */
enum gate gate_first_failing(const struct gate_context *ctx, const struct job *job, struct reason *out);

/*
 * Tests one gate: true if the job passes. In both cases *out contains what was found and what it was compared
 * with.
 */
bool gate_test(const struct gate_context *ctx, const struct job *job, enum gate gate, struct reason *out);

/* Does queue time stop for a job if this is the first gate that it fails, under this accrual policy? */
bool gate_pauses(enum gate gate, enum accrual_policy accrual);

/*
 * Is a job blocked if it fails this gate, under this policy? A job over a soft limit remains eligible if it
 * has a turn of its own (HARDPASS IDLEONLY).
 */
bool gate_blocks(enum gate gate, const struct policy *policy);

#endif
