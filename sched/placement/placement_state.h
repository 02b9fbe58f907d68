/* SPDX-License-Identifier: MIT */
/*
 * placement_state.h - state of a placement, shared by the files of this folder
 *
 * From the ground up: advance_reservation.c has what is reserved for guests, claims.c what every job holds of
 * each node over time, candidate.c how many tasks fit on a node and what the allocation policies compare.
 * shape.c caches results for jobs with equal requests. placement.c takes claims and finds nodes and times
 * for jobs. feasibility.c has how much of a job fits and what is lacking.
 */
#ifndef PLACEMENT_STATE_H
#define PLACEMENT_STATE_H

#include "placement.h"
#include "sched/model/expr.h"

enum claim_kind {
	CLAIM_RUNS,   /* a running job, until its latest end */
	CLAIM_STARTS, /* a start of this pass */
	CLAIM_LATER   /* a reservation */
};

/* What one job holds of one node. */
struct claim {
	int64_t begin_s, end_s; /* [begin_s, end_s) */
	uint32_t slot;
	uint32_t procs, tasks;
	uint32_t next; /* next claim of the same node, INDEX_NONE = none; unused claims are linked likewise */
	uint8_t access; /* enum node_access in effect for the job on this node */
	uint8_t kind;   /* enum claim_kind */
};

/* All claims of one job. */
struct holding {
	int64_t begin_s, end_s;
	uint32_t slot;
	uint32_t first_run, run_count; /* in placement.held */
};

/* The claims of one node. */
struct node_claims {
	uint32_t first;
	uint32_t added;       /* number of starts, reservations and shares of advance reservations on it */
	int64_t full_until_s; /* one job holds all its processors at least until then */
	int64_t idle_from_s;  /* it has no claims from then on, and perhaps earlier */
};

/* What is held of a node from at_s until the next step. */
struct step {
	int64_t at_s;
	uint32_t begins;       /* number of claims that begin here */
	uint32_t reservations; /* number of reservations that hold something */
};

/* All steps of a node from now on; count 0: its claims are not summed up yet. */
struct timeline {
	struct step *step;
	int64_t *amount; /* placement.kinds amounts per step */
	uint32_t count;
	int64_t last_begin_s; /* no claim begins later */
	size_t step_cap, amount_cap;
};

/* Processors to be taken from the profile when it is built. */
struct pending_take {
	int64_t begin_s, end_s, procs;
};

/* A PRIORITYF of this pass. */
struct priority_function {
	uint32_t text; /* string of the snapshot */
	bool good;     /* false: it cannot be parsed */
	struct expr expr;
};

/* An advance reservation in effect or in the future. */
struct advance_reservation {
	int64_t begin_s, end_s; /* [begin_s, end_s) */
	uint32_t index;         /* index into the snapshot's advance reservations */
};

struct shape;     /* see below */
struct guest_set; /* advance_reservation.c */
struct share;     /* advance_reservation.c */

struct placement {
	const struct snapshot *s;
	int64_t now_s;
	bool plain;
	int64_t procs_free;

	struct profile *profile;
	bool has_profile;
	struct pending_take *pending; /* taken before the profile was built */
	size_t pending_count, pending_cap;

	uint32_t *taken; /* by node: processors taken by starts; all 0 between passes */
	size_t taken_cap;
	struct alloc_list starts; /* runs of the starts; .next is the job's slot */
	uint32_t lowest, highest; /* no node below `lowest` and none from `highest` on has a free processor */

	/* Claims by node; in a plain placement only if a policy needs them. */
	bool has_claims;
	struct node_claims *node_claims;
	size_t node_claims_cap;
	struct claim *claim;
	size_t claim_cap;
	uint32_t claim_count, claim_spare;
	struct holding *holding; /* the claims by job */
	size_t holding_count, holding_cap;
	struct alloc_list held;
	struct timeline *timeline; /* by node */
	size_t timeline_cap;
	bool users_matter; /* a claim has access SINGLEUSER */
	bool has_open;
	uint32_t *open; /* nodes with a free processor now, by index */
	size_t open_first, open_end, open_cap;
	size_t open_listed; /* number of open nodes when the list was made; trimmed since then at both ends */
	uint32_t shut_drained;   /* number of drained nodes that are not in the list */
	int64_t *future_begin_s; /* start times of reservations and resumes, ascending, without duplicates */
	size_t future_begin_count, future_begin_cap;
	uint8_t *is_reserved; /* by slot: the job has a reservation; all 0 between passes */
	size_t is_reserved_cap;
	uint32_t *reserved_slot; /* slots with a reservation */
	size_t reserved_count, reserved_slot_cap;

	/* Cached results. */
	uint64_t version; /* of the claims: incremented by every take and give back */
	struct shape *shape;
	size_t shape_count, shape_cap;
	uint32_t *shape_at; /* hash table: index of a shape + 1 */

	/* The minimum over all empty nodes of each amount that is known. */
	bool knows_least;
	bool classes_matter; /* some nodes name classes */
	int kinds_least;     /* number of kinds in use; no node has and no job requests the others */
	struct alloc_amounts least;

	/* Input of node allocation in this pass. */
	struct alloc_candidate *candidate;
	size_t candidate_count, candidate_cap;
	uint32_t *fits; /* by node: number of tasks of the current job that fit */
	size_t fits_cap;
	bool knows_machine;
	enum alloc_speeds speeds;
	struct alloc_amounts machine;
	unsigned kinds;                   /* number of kinds that the machine has */
	int8_t kind_at[ALLOC_KIND_COUNT]; /* index of each kind among them; -1 = the machine has none */
	bool has_line;
	uint32_t *line; /* by node: rank among its neighbours */
	size_t line_cap;
	bool has_functions;
	struct priority_function *function;
	size_t function_count, function_cap;
	uint32_t *function_of; /* by node: index of its function, INDEX_NONE = none */
	size_t function_of_cap;

	/* Advance reservations and suspended jobs. */
	struct advance_reservation *advance;
	uint32_t advance_count;
	size_t advance_cap;
	struct guest_set *set; /* without duplicates; a job's set is identified by its index here */
	size_t set_count, set_cap;
	uint32_t *set_of; /* by slot; 0 = not determined yet */
	size_t set_of_cap;
	struct resume_claim *resume; /* suspended jobs whose processors are released */
	size_t resume_count, resume_cap;
	struct alloc_list resumed; /* runs of the jobs resumed now, included in taken */
	struct share *share;       /* what advance reservations reserve of each node, sorted by node */
	size_t share_cap;
	uint32_t *share_first; /* by node: index of its first share; one more element for the end */
	size_t share_first_cap;
};

static inline const struct job *placement_job(const struct placement *p, uint32_t slot)
{
	return &snapshot_jobs(p->s)[slot];
}

/* Processors of a node that are free now. */
static inline uint32_t placement_free_on(const struct placement *p, uint32_t node)
{
	return node_procs_free(&snapshot_nodes(p->s)[node]) - p->taken[node];
}

/* --- advance_reservation.c ------------------------------------------------------------------------------ */

/*
 * Two fixed sets of invitations. OF_ALL: to every advance reservation, so that none withholds processors.
 * OF_NONE: to no advance reservation.
 */
#define GUEST_OF_ALL  0
#define GUEST_OF_NONE 1

/* advances_begin determines the advance reservations of a pass, advances_place their shares of nodes. */
void advances_begin(struct placement *p);
void advances_place(struct placement *p);
void advances_free(struct placement *p);

/* The set of a job's invitations. */
uint32_t advance_guests(struct placement *p, uint32_t slot);

/* A set of invitations with one more. */
uint32_t guests_with(struct placement *p, uint32_t guests, uint32_t advance);

/* True if an advance reservation admits jobs with this set of invitations. */
bool advance_admits(const struct placement *p, uint32_t guests, uint32_t advance);

/* True if an advance reservation reserves processors of the node. */
static inline bool advances_on_node(const struct placement *p, uint32_t node)
{
	return p->advance_count > 0 && p->share_first[node + 1] > p->share_first[node];
}

/* The i-th advance reservation of a node; NULL after the last. */
const struct advance_reservation *advance_on(const struct placement *p, uint32_t node, uint32_t i);

/* Processors of a node that are reserved at at_s and not available to jobs with this set of invitations. */
int64_t advance_kept(struct placement *p, uint32_t node, uint32_t guests, int64_t at_s);

/* True if a node is reserved for these guests at some time in [begin_s, end_s); such nodes are taken first.
 */
bool advance_prefers(const struct placement *p, uint32_t node, uint32_t guests, int64_t begin_s,
		     int64_t end_s);

/* As advance_prefers, for any node. */
bool advance_prefers_any(const struct placement *p, uint32_t guests, int64_t begin_s, int64_t end_s);

/* --- claims.c ------------------------------------------------------------------------------------------- */

/* Determines placement.speeds, .machine and .kinds on first use. */
void placement_need_machine(struct placement *p);

/* The timeline of a node, built on first use. Valid until the next claim is taken. */
struct timeline *timeline_of(struct placement *p, uint32_t node);

/* The index of the step in effect at at_s, which is not before the first. */
uint32_t timeline_at(const struct timeline *c, int64_t at_s);

/* The amount of a kind that is held from a step on. */
static inline int64_t timeline_held(const struct placement *p, const struct timeline *c, uint32_t step,
				    int kind)
{
	return p->kind_at[kind] < 0 ? 0 : c->amount[(size_t)step * p->kinds + (size_t)p->kind_at[kind]];
}

/* The start of the next claim at or after at_s; TIME_NEVER = none. */
int64_t timeline_next_begin(const struct timeline *c, int64_t at_s);

void timelines_free(struct placement *p);

/* Builds the claims on first use. */
void claims_build(struct placement *p);

/* Adds what a job takes, now or later, with all its runs. */
void claim_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		const struct alloc_run *runs, uint32_t count);

/* Adds a claim on each node of a run; removes a claim from a node. */
void claim_add(struct placement *p, struct claim claim, const struct alloc_run *run);
void claim_drop(struct placement *p, uint32_t node, uint32_t slot, int64_t begin_s);

/* Removes a holding; its runs stay in placement.held until the next pass. */
void claim_drop_holding(struct placement *p, uint32_t slot, int64_t begin_s);

/* Notes a reservation of a job and its start. */
void claims_note_reservation(struct placement *p, uint32_t slot, int64_t begin_s);

/* Notes the start of a reservation. */
void claims_note_begin(struct placement *p, int64_t begin_s);

/* The latest end of a running job; claims of other jobs on its processors may begin then. */
int64_t claim_running_until(const struct placement *p, const struct job *job);

/* Notes the claims of suspended jobs in the profile, between profile_reset and profile_settle. */
void resume_note_profile(const struct placement *p);

/* Removes the claims of suspended jobs at the end of a pass. */
void resume_wipe(struct placement *p);

/* --- candidate.c ---------------------------------------------------------------------------------------- */

/* Rank of each node among its neighbours, determined on first use; NULL if the policy does not need it. */
const uint32_t *placement_line(struct placement *p, enum allocation_policy policy);

/* The allocation policy in effect for a job; now: it starts now. */
enum allocation_policy placement_policy(const struct snapshot *s, const struct job *job, bool now);

/* What a job requests of a node, with names resolved. */
struct request {
	const struct snapshot *s;
	const struct job *job;
	uint32_t slot;           /* INDEX_NONE: not in the snapshot */
	enum node_access access; /* of the job, its class or the system */
	const char *hosts;       /* NULL = any */
	uint64_t classes;        /* bit of its class; 0 = no node names it */
	bool has_class;
	bool is_picky;   /* it accepts only some nodes, whatever is free */
	uint32_t guests; /* set of invitations; GUEST_OF_ALL: nothing is reserved from it */
	unsigned count;
	struct {
		uint8_t kind, lack; /* enum alloc_kind, enum lack */
		int64_t amount;     /* per task, > 0 */
	} resource[ALLOC_KIND_COUNT];
};

struct request request_of(const struct snapshot *s, const struct job *job, uint32_t slot);

/* The request of a job of the placement, with its invitations. */
struct request request_in(struct placement *p, uint32_t slot);

/* Number of tasks that fit on one node. */
struct fit {
	uint32_t tasks;
	uint8_t lack; /* enum lack: what limits the number */
};

/* What the node lacks, whatever is free on it, including that it is drained; LACK_NONE = nothing. */
enum lack request_lack_now(const struct request *request, const struct node *node);

/* True if the job would hold the whole node. */
bool request_whole(const struct request *request, const struct node *node);

/* True if the nodes have names of a kind. */
bool has_trait(const struct snapshot *s, enum trait_kind kind);

/* Unknown amounts of memory, swap and disk are ignored. */
static inline bool fit_is_known(const struct node *node, int kind)
{
	return kind == ALLOC_PROCS || kind >= ALLOC_GRES || alloc_configured(node, kind) > 0;
}

/* Tasks that fit on the empty node. */
struct fit fit_empty(const struct request *request, const struct node *node);

/* Tasks that fit beside all claims throughout [begin_s, end_s). */
struct fit fit_between(struct placement *p, const struct request *request, uint32_t node, int64_t begin_s,
		       int64_t end_s);

/*
 * fit_left: the amount of a kind that is left for a job at its start; fit_least: the minimum throughout
 * [begin_s, end_s).
 */
int64_t fit_left(struct placement *p, uint32_t node, int kind, int64_t begin_s);
int64_t fit_least(struct placement *p, uint32_t node, int kind, int64_t begin_s, int64_t end_s);

/*
 * A node on which tasks of the job fit throughout [begin_s, end_s), with the values that a policy compares.
 */
struct alloc_candidate candidate_make(struct placement *p, enum allocation_policy policy,
				      const struct request *request, uint32_t node, uint32_t tasks,
				      int64_t begin_s, int64_t end_s);

/* --- shape.c ------------------------------------------------------------------------------------------ */

#define RESULTS_MOST 4 /* results of each kind for each shape */

/* Common properties of the jobs of a shape. No padding: compared and hashed as bytes. */
struct shape_key {
	int64_t amount[ALLOC_KIND_COUNT];
	uint64_t features, classes;
	uint32_t hosts, partition;
	uint32_t tasks_per_node, nodes;
	uint32_t user; /* INDEX_NONE where the user does not matter */
	uint32_t rest; /* set of invitations, unknown names, access, has_class, contiguous */
};

/*
 * `tasks` tasks fit throughout [now, end_s) at this version of the claims; with lack LACK_COUNT, at most
 * `tasks`.
 */
struct total {
	uint64_t version;
	int64_t end_s, tasks;
	enum lack lack;
};

/* A job with at least as many tasks and as long a limit does not begin in [from_s, begin_s). */
struct begin {
	uint32_t tasks;
	int64_t wall_s, from_s, begin_s;
};

/* The shape's tasks on the empty machine: the sum over the nodes below index `nodes`. */
struct empty_sum {
	uint32_t nodes;
	bool has_lack;
	uint8_t lack; /* enum lack, of all nodes */
	int64_t tasks;
};

/*
 * Over all empty nodes on which at least one task of the job fits: the largest number of tasks on a node, in
 * whole units, and the smallest number of processors of a node. tasks 0: not computed yet, or no node fits.
 */
struct single_node {
	uint32_t tasks, procs;
};

struct shape {
	struct shape_key key;
	struct total total[RESULTS_MOST];
	struct begin begin[RESULTS_MOST];
	unsigned total_count, begin_count; /* ever noted; the oldest result is replaced */
	struct empty_sum empty;
	struct single_node single;
};

/*
 * The cache of all jobs with equal requests per node; NULL if there are too many different requests. Valid
 * until the next call.
 */
struct shape *memo_shape(struct placement *p, const struct request *request);

/* True if it is known that fewer tasks than these fit throughout [now, end_s). */
bool memo_hopeless(const struct shape *shape, uint32_t tasks, int64_t end_s);

/* Notes the number of tasks that fit throughout [now, end_s), and what other nodes lack; lack LACK_COUNT: the
 * number is an upper bound, and the lack is not determined. */
void memo_note_total(const struct placement *p, struct shape *shape, int64_t end_s, int64_t tasks,
		     enum lack lack);

/* Looks up the number of tasks that fit and what other nodes lack; false if they are not cached. */
bool memo_total(const struct placement *p, const struct shape *shape, int64_t end_s, int64_t *tasks,
		enum lack *lack);

/* A time >= from_s before which no job with at least as many tasks and as long a limit begins. */
int64_t memo_not_before(const struct shape *shape, const struct job *job, int64_t from_s);
void memo_note_begin(struct shape *shape, const struct job *job, int64_t from_s, int64_t begin_s);

/* Invalidates all cached results, after a claim was given back. */
void memo_forget(struct placement *p);

/* --- placement.c ---------------------------------------------------------------------------------------- */

/*
 * A job's own reservation does not restrict that job: holding_lift removes it before a query about the job,
 * holding_restore adds it again. NULL: the job has none.
 */
struct holding *holding_lift(struct placement *p, uint32_t slot);
void holding_restore(struct placement *p, struct holding *holding);

/* The input of node allocation for a job of the placement. */
struct alloc_input placement_alloc_input(struct placement *p, const struct job *job,
					 enum allocation_policy policy);

/* Lists the nodes that have a processor free now, and possibly others, in p->open[0 .. open_listed), by
 * index. */
void placement_list_open(struct placement *p);

#endif
