/* SPDX-License-Identifier: MIT */
/*
 * queue.h - the queue in its three parts, and the table of gates between them
 *
 * Active jobs run, by earliest due end. Idle jobs are eligible: only resources or the
 * jobs before them keep them waiting; by rank. Blocked jobs fail a gate that has nothing
 * to do with what is free; by submit time and id.
 *
 * A gate is a row {name, test, where a failing job stands, what it does to queue time}.
 * A pass stops at the first row that fails; `why` runs them all. The rows that need the
 * state of a pass (resources, reservations, order) get it in struct gate_context.
 */
#ifndef CORE_QUEUE_H
#define CORE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "reason.h"
#include "snapshot.h"

struct profile;      /* profile.h */
struct reservations; /* reserve.h */

/* What gates may look at besides the job. */
struct gate_context {
	const struct snapshot *s;
	int64_t now_s;
	int64_t rank;                            /* of the job                                          */
	int64_t procs_free;                      /* now, after the starts of the pass; < 0: not known,
						    then the rows of a pass are not looked at           */
	const uint32_t *taken;                   /* by node: what those starts took                     */
	const struct profile *profile;           /* with running jobs, starts and reservations          */
	const struct reservations *reservations; /* those in profile                          */
	uint64_t strict_head; /* backfill off: the job all others wait for; 0 = none          */
};

struct gate_row {
	const char *name;  /* "hold", "start date", ...: as `why` prints it        */
	bool blocks;       /* failing puts the job among the blocked               */
	bool pauses_full;  /* failing stops queue time under FULLPOLICY            */
	bool pauses_queue; /* failing stops queue time under QUEUEPOLICY too       */
	bool in_pass;      /* needs the state of a pass                            */
	/* True if the job passes; fills value and limit always, the rest when it fails. */
	bool (*test)(const struct gate_context *ctx, const struct job *job, struct reason *out);
};

/* Rows by enum gate; [GATE_NONE] is empty. */
extern const struct gate_row gate_rows[GATE_COUNT];

/* The first gate that stops the job, GATE_NONE if none; only rows before the pass's own if !in_pass. */
enum gate gate_first_failing(const struct gate_context *ctx, const struct job *job, bool in_pass,
			     struct reason *out);

/* One row: true if the job passes; *out has what was found and against what. */
bool gate_test(const struct gate_context *ctx, const struct job *job, enum gate gate, struct reason *out);

/* Does the job's queue time count at this moment, under the policy in force? */
bool gate_accrues(const struct gate_context *ctx, const struct job *job);

/* One eligible job. */
struct queued {
	int64_t rank;
	uint32_t slot;
	uint32_t order; /* its index in WAITING: breaks ties by submit time and id */
};

struct queue {
	struct queued *idle; /* by rank, submit time, id: a total order       */
	uint32_t idle_count;
	uint32_t *blocked;             /* slots by submit time and id                   */
	struct reason *blocked_reason; /* same length                           */
	uint32_t blocked_count;
	const uint32_t *active; /* slots by due end: the snapshot's RUNNING table */
	uint32_t active_count;
	size_t idle_room, blocked_room, reason_room;
};

struct prio_world; /* priority.h */

/* A job's rank, as the queue orders it. */
int64_t queue_rank(const struct snapshot *s, const struct job *job, const struct prio_world *world);

/* Builds all three parts at a moment. Zero is a valid empty queue; queue_clear frees. */
void queue_build(struct queue *q, const struct snapshot *s, int64_t now_s);
void queue_clear(struct queue *q);

#endif
