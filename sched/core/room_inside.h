/* SPDX-License-Identifier: MIT */
/*
 * room_inside.h - what the files of the room share and nobody else sees
 *
 * room.c keeps what is taken, room_fit.c says how many tasks fit on a node, room_find.c where and
 * when a job can stand, room_value.c what policies of node allocation look at.
 */
#ifndef CORE_ROOM_INSIDE_H
#define CORE_ROOM_INSIDE_H

#include "expr.h"
#include "room.h"

enum claim_kind {
	CLAIM_RUNS,   /* a running job, until it must have ended */
	CLAIM_STARTS, /* a start of this pass                    */
	CLAIM_LATER   /* a reservation                           */
};

/* What one job holds of one node. */
struct claim {
	int64_t begin_s, end_s; /* [begin_s, end_s)                                        */
	uint32_t slot;
	uint32_t procs, tasks;
	uint32_t next;  /* of the same node; INDEX_NONE at the end; free ones chain likewise */
	uint8_t access; /* enum node_access that counts for it on this node                  */
	uint8_t kind;   /* enum claim_kind                                                   */
};

/* One step of the profile that is to be taken when it is built. */
struct room_step {
	int64_t begin_s, end_s, procs;
};

/* A PRIORITYF of this pass. */
struct room_function {
	uint32_t text; /* string of the snapshot     */
	bool good;     /* false: it cannot be read   */
	struct expr expr;
};

struct room {
	const struct snapshot *s;
	int64_t now_s;
	bool plain;
	int64_t procs_free;

	struct profile *profile;
	bool has_profile;
	struct room_step *step; /* taken before the profile was built */
	size_t step_count, step_room;

	/* Plain: processors that starts took, by node; all 0 between passes. */
	uint32_t *taken;
	size_t taken_room;
	struct alloc_list starts; /* their runs; .next is the slot             */
	uint32_t lowest, highest; /* no node below, none from there on has a free processor */

	/* Named: claims by node. */
	bool has_claims;
	uint32_t *first; /* claim of each node */
	size_t first_room;
	struct claim *claim;
	size_t claim_room;
	uint32_t claim_count, claim_spare;

	/* What allocation looks at, for this pass. */
	struct alloc_candidate *candidate;
	size_t candidate_room;
	bool knows_machine;
	enum alloc_speeds speeds;
	struct alloc_amounts machine;
	struct room_function *function;
	size_t function_count, function_room;
	uint32_t *function_of; /* by node: index of its function, INDEX_NONE = it has none */
	size_t function_of_room;
	bool has_functions;
};

static inline const struct job *room_job(const struct room *r, uint32_t slot)
{
	return &snapshot_jobs(r->s)[slot];
}

/* room.c: the named claims, built when first asked for. */
void room_need_claims(struct room *r);

/* --- room_fit.c ------------------------------------------------------------------------ */

/* What a job wants of a node, with names looked up. */
struct want {
	const struct snapshot *s;
	const struct job *job;
	uint32_t slot;
	const char *hosts; /* NULL = any                                       */
	uint64_t classes;  /* bit of its class, 0 = no node names it           */
	bool has_class;
	enum node_access access; /* its own, its class's or the system's             */
};

/* slot: INDEX_NONE for a job that is not in the snapshot. */
struct want want_of(const struct snapshot *s, const struct job *job, uint32_t slot);

/* What there is for a job on one node. */
struct fit {
	uint32_t tasks;                   /* that fit; whole ones                                     */
	uint8_t lack;                     /* enum lack: what keeps more from fitting                  */
	bool whole;                       /* it would hold the node whole                             */
	uint32_t jobs;                    /* there when it begins                                     */
	int64_t dedicated;                /* processors of those                                      */
	int64_t until_s;                  /* when the next claim begins after its end                 */
	struct alloc_amounts first, free; /* what is left when it begins; the least while it runs */
};

/* On an empty node. */
struct fit fit_empty(const struct want *want, const struct node *node);

/* Beside all claims, throughout [begin_s, end_s). */
struct fit fit_between(struct room *r, const struct want *want, uint32_t node, int64_t begin_s,
		       int64_t end_s);

/* For no job in particular, now: all but tasks. */
struct fit fit_now(struct room *r, uint32_t node);

/* --- room_value.c ------------------------------------------------------------------------ */

/* What room.speeds and room.machine say, found when first asked for. */
void room_need_machine(struct room *r);

/* The policy that counts for a job. */
enum allocation_policy room_policy(const struct snapshot *s, const struct job *job, bool now);

/* A node on which the job fits, as a policy looks at it. */
struct alloc_candidate room_candidate(struct room *r, enum allocation_policy policy, const struct job *job,
				      uint32_t node, const struct fit *fit);

/* --- room_find.c -------------------------------------------------------------------------- */

/* Why nodes do not fit: how many lack what; `none` of those on which nothing fits. */
struct lacks {
	uint32_t none[LACK_COUNT], some[LACK_COUNT];
};

struct alloc_ask room_ask(struct room *r, const struct job *job, enum allocation_policy policy);

/* All nodes on which something of the job fits throughout, into r->candidate; how many. lacks: may be NULL.
 */
size_t room_candidates(struct room *r, const struct alloc_ask *ask, uint32_t slot, int64_t begin_s,
		       int64_t end_s, struct lacks *lacks);

#endif
